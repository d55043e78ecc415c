/// Private: results for codes of SQLite.
#ifndef TERRANE_SAVE_SQLITE_RESULT_H
#define TERRANE_SAVE_SQLITE_RESULT_H

#include <sqlite3.h>

#include <terrane/base.h>

/// Returns the result for a code of SQLite, primary or extended: OK, NO_MEMORY, BUSY, CORRUPT or,
/// for all other codes, IO.
TrnResult trn_sqlite_result(int code);

#endif
