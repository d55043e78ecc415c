/// Private: what codes of SQLite mean.
#ifndef TERRANE_SAVE_SQLITE_INTERNAL_H
#define TERRANE_SAVE_SQLITE_INTERNAL_H

#include <sqlite3.h>

#include <terrane/base.h>

/// Returns the primary code of an extended one. A page with a wrong checksum is damage.
static inline int trn_sqlite_kind(int code)
{
    return code == SQLITE_IOERR_DATA ? SQLITE_CORRUPT : code & 0xFF;
}

/// Returns the result for a code: OK, NO_MEMORY, BAD_ARGUMENT (too large for SQLite), BUSY, CORRUPT
/// or, for all other codes, IO.
static inline TrnResult trn_sqlite_result(int code)
{
    switch (trn_sqlite_kind(code)) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
        return TRN_RESULT_OK;
    case SQLITE_NOMEM:
        return TRN_RESULT_NO_MEMORY;
    case SQLITE_TOOBIG:
        return TRN_RESULT_BAD_ARGUMENT;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return TRN_RESULT_BUSY;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
        return TRN_RESULT_CORRUPT;
    default:
        return TRN_RESULT_IO;
    }
}

#endif
