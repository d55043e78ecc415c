/// Private: checksums of the pages of an SQLite database.
///
/// SQLite trusts the pages that it reads: damage to a key in them hides a row, and damage to a
/// value changes it, without an error. This VFS writes a checksum into the last bytes of each page,
/// which SQLite reserves for such use, and refuses a page whose checksum is wrong with
/// SQLITE_IOERR_DATA. Any SQLite can read the file. One that writes it without this VFS leaves
/// pages without valid checksums, which are then refused as damaged.
#ifndef TERRANE_SAVE_STORAGE_PAGES_H
#define TERRANE_SAVE_STORAGE_PAGES_H

#include <stdbool.h>

#include <sqlite3.h>

/// The name of the VFS, for sqlite3_open_v2.
#define TRN_PAGES_VFS "terrane-pages"
/// Bytes of a page; a page of another size is refused. The last are the checksum.
#define TRN_PAGES_BYTES 4096
#define TRN_PAGES_CHECKSUM_BYTES 8

/// Makes the VFS known to SQLite, on top of the default one. Does nothing after the first time.
/// @return SQLITE_OK or SQLITE_NOMEM. Threads: any.
int trn_pages_register(void);

/// Prepares a database whose file is still empty: sizes of its pages and checksums.
/// @param db  opened with this VFS
int trn_pages_prepare(sqlite3 *db);

/// Whether the pages of a database have checksums. Others are read as they are.
/// @param db  opened with this VFS; its first page has been read
bool trn_pages_are_checked(sqlite3 *db);

#endif
