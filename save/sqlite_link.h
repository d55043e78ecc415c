/// Private: connections to SQLite databases, their statements, and what their codes mean.
///
/// SQLite trusts the pages that it reads: damage to a key in them hides a row, and damage to a
/// value changes it, without an error. This VFS writes a checksum into the last bytes of each page,
/// which SQLite reserves for such use, and refuses a page whose checksum is wrong with
/// SQLITE_IOERR_DATA. Any SQLite can read the file. One that writes it without this VFS leaves
/// pages without valid checksums, which are then refused as damaged.
///
/// Functions that return an int return a code of SQLite, extended where it has more to say.
#ifndef TERRANE_SAVE_SQLITE_LINK_H
#define TERRANE_SAVE_SQLITE_LINK_H

#include <stdbool.h>

#include <stdbool.h>

#include <sqlite3.h>

#include <terrane/storage.h>

#include "sqlite_internal.h"

/// Says what is wrong with a file and what to do.
/// @param detail   for a code that has no sentence of ours
/// @param problem  may be NULL
void trn_sqlite_describe(const char *path, int code, const char *detail,
                         TrnStorageProblem *problem);

/// The most bytes of a row or a value of a world.
#define TRN_SQLITE_LENGTH_MAX (256 << 20)

/// What a connection is for.
typedef enum TrnSqliteUse {
    TRN_SQLITE_WRITE, ///< or to make a file
    TRN_SQLITE_SHARE, ///< to read, while another process writes
    TRN_SQLITE_STILL  ///< to read, while no process can write: a shared lock is held
} TrnSqliteUse;

/// Opens a database whose pages have checksums. Nothing that the file says is trusted: its schema
/// runs no code, and SQLite's limits are those of a world.
/// @param db  receives the connection, also after a failure: close it
int trn_sqlite_connect(const char *path, TrnSqliteUse use, sqlite3 **db);

/// Statements that are watched: a file whose pages lead in circles would keep them busy for ever.
typedef struct TrnSqliteWork {
    sqlite3 *db;
    const TrnStorageProgress *progress;
    sqlite3_int64 steps, most; ///< of SQLite's machine
    bool is_endless;           ///< more than a file of this size can need
} TrnSqliteWork;

/// Watches what a connection runs from now on.
/// @param progress  may stop it; may be NULL
void trn_sqlite_work_begin(TrnSqliteWork *work, sqlite3 *db, const TrnStorageProgress *progress);

/// Ends the watch. @return the code; SQLITE_CORRUPT if the work was endless
int trn_sqlite_work_end(const TrnSqliteWork *work, int code);

/// Prepares a statement that is used often, unless it is prepared.
int trn_sqlite_prepare(sqlite3 *db, const char *text, sqlite3_stmt **statement);

/// Runs statements that return no rows of interest.
int trn_sqlite_run(sqlite3 *db, const char *text);

/// Runs a bound statement that returns no rows, and unbinds it.
int trn_sqlite_finish(sqlite3_stmt *statement);

/// Reads the number that a statement returns; 0 if it returns no row.
int trn_sqlite_number(sqlite3 *db, const char *text, sqlite3_int64 *number);

// ---- pages -------------------------------------------------------------------------------------

/// The name of the VFS, for sqlite3_open_v2. Rollback journals and super-journals that lie beside a
/// database are not looked at, so they cannot change it or name files to remove; a log that is not
/// a regular file is refused.
#define TRN_PAGES_VFS "terrane-pages"
/// The name of one that in addition opens everything for reading, removes nothing, and locks
/// nothing: for a file that no process can write meanwhile.
#define TRN_STILL_VFS "terrane-still"
/// Bytes of a page; a page of another size is refused. The last are the checksum.
#define TRN_PAGES_BYTES 4096
#define TRN_PAGES_CHECKSUM_BYTES 8

/// Makes both known to SQLite, on top of the default one. Does nothing after the first time.
/// @return SQLITE_OK or SQLITE_NOMEM. Threads: any.
int trn_pages_register(void);

/// Prepares a database whose file is still empty: sizes of its pages and checksums.
/// @param db  opened with this VFS
int trn_pages_prepare(sqlite3 *db);

/// Whether the pages of a database have checksums. Others are read as they are.
/// @param db  opened with this VFS; its first page has been read
bool trn_pages_are_checked(sqlite3 *db);

#endif
