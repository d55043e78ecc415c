/// Private: connections to SQLite databases, their statements, and what their codes mean.
///
/// Functions that return an int return a code of SQLite, extended where it has more to say.
#ifndef TERRANE_SAVE_SQLITE_LINK_H
#define TERRANE_SAVE_SQLITE_LINK_H

#include <sqlite3.h>

#include <terrane/storage.h>

/// Returns the primary code of an extended one. A page with a wrong checksum is damage.
int trn_sqlite_kind(int code);

/// Returns the result for a code: OK, NO_MEMORY, BAD_ARGUMENT (too large for SQLite), BUSY, CORRUPT
/// or, for all other codes, IO.
TrnResult trn_sqlite_result(int code);

/// Says what is wrong with a file and what to do.
/// @param detail   for a code that has no sentence of ours
/// @param problem  may be NULL
void trn_sqlite_describe(const char *path, int code, const char *detail,
                         TrnStorageProblem *problem);

/// Opens a database whose pages have checksums (storage_pages.h).
/// @param flags  SQLITE_OPEN_...
/// @param db     receives the connection, also after a failure: close it
int trn_sqlite_connect(const char *path, int flags, sqlite3 **db);

/// Prepares a statement that is used often, unless it is prepared.
int trn_sqlite_prepare(sqlite3 *db, const char *text, sqlite3_stmt **statement);

/// Runs statements that return no rows of interest.
int trn_sqlite_run(sqlite3 *db, const char *text);

/// Runs a bound statement that returns no rows, and unbinds it.
int trn_sqlite_finish(sqlite3_stmt *statement);

/// Reads the number that a statement returns; 0 if it returns no row.
int trn_sqlite_number(sqlite3 *db, const char *text, sqlite3_int64 *number);

#endif
