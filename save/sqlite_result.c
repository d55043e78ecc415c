// Results for codes of SQLite.

#include "sqlite_result.h"

TrnResult trn_sqlite_result(int code)
{
    switch (code & 0xFF) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
        return TRN_RESULT_OK;
    case SQLITE_NOMEM:
        return TRN_RESULT_NO_MEMORY;
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
