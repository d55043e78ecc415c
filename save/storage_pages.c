// Checksums of pages: a VFS of SQLite that passes everything on, except reads and writes of
// databases. Logs and journals have checksums of their own.

#include "storage_pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "number.h"

#define PAGES_CONTENT_BYTES (TRN_PAGES_BYTES - TRN_PAGES_CHECKSUM_BYTES)
#define PAGES_SQLITE_BYTES_MIN 512 // of a page, in any database
#define PAGES_HEADER_BYTES 100     // of a database, at the beginning of its first page
#define PAGES_RESERVED_AT 20       // in that header: bytes at the end of each page

typedef struct PagesVfs {
    sqlite3_vfs base;
    sqlite3_vfs *inner;
} PagesVfs;

/// Stands behind the inner VFS's own data of a file. The file's methods are those below, which are
/// the inner ones but for reads and writes; so a file leads to this struct.
typedef struct PagesFile {
    sqlite3_io_methods methods;
    const sqlite3_io_methods *inner;
    bool has_no_checksums; ///< another program's file
} PagesFile;

static PagesFile *pages_file(const sqlite3_file *file)
{
    return (PagesFile *)(uintptr_t)file->pMethods;
}

// ---- pages -------------------------------------------------------------------------------------

/// The checksum of a page, and of its place.
static uint64_t pages_checksum(const unsigned char *page, sqlite3_int64 at)
{
    return XXH3_64bits_withSeed(page, PAGES_CONTENT_BYTES, (uint64_t)at);
}

static bool pages_is_page(int bytes, sqlite3_int64 at)
{
    return bytes == TRN_PAGES_BYTES && at % TRN_PAGES_BYTES == 0;
}

/// Notes from the header whether a file's pages have checksums.
static void pages_read_header(PagesFile *pages, const unsigned char *header)
{
    static const char magic[] = "SQLite format 3";
    pages->has_no_checksums = memcmp(header, magic, sizeof magic) != 0 ||
                              header[PAGES_RESERVED_AT] != TRN_PAGES_CHECKSUM_BYTES;
}

/// The result of a read behind the end of the file. An empty file may be read, and SQLite takes one
/// of one byte for empty. A file that ends within its header is no database; one that ends within
/// a page was cut off.
static int pages_end(const PagesFile *pages, sqlite3_file *file, sqlite3_int64 at)
{
    sqlite3_int64 size = 0;
    const int code = pages->inner->xFileSize(file, &size);
    if (code != SQLITE_OK) {
        return code;
    }
    if (size <= 1 || at >= size || pages->has_no_checksums) {
        return SQLITE_IOERR_SHORT_READ;
    }
    return size < PAGES_HEADER_BYTES ? SQLITE_NOTADB : SQLITE_IOERR_DATA;
}

static int pages_read(sqlite3_file *file, void *buffer, int bytes, sqlite3_int64 at)
{
    PagesFile *pages = pages_file(file);
    const int code = pages->inner->xRead(file, buffer, bytes, at);
    if (code != SQLITE_OK) {
        return code == SQLITE_IOERR_SHORT_READ ? pages_end(pages, file, at) : code;
    }
    if (at == 0 && bytes >= PAGES_HEADER_BYTES) {
        pages_read_header(pages, buffer);
    }
    if (pages->has_no_checksums || bytes < PAGES_SQLITE_BYTES_MIN) {
        return SQLITE_OK;
    }
    const unsigned char *page = buffer;
    return pages_is_page(bytes, at) &&
                   trn_save_number(page + PAGES_CONTENT_BYTES, TRN_PAGES_CHECKSUM_BYTES) ==
                       pages_checksum(page, at)
               ? SQLITE_OK
               : SQLITE_IOERR_DATA;
}

static int pages_write(sqlite3_file *file, const void *buffer, int bytes, sqlite3_int64 at)
{
    PagesFile *pages = pages_file(file);
    if (at == 0 && bytes >= PAGES_HEADER_BYTES) {
        pages_read_header(pages, buffer);
    }
    if (pages->has_no_checksums || !pages_is_page(bytes, at)) {
        return pages->inner->xWrite(file, buffer, bytes, at);
    }
    // In a copy: the log may have a checksum of these bytes as they are.
    unsigned char page[TRN_PAGES_BYTES];
    memcpy(page, buffer, PAGES_CONTENT_BYTES);
    trn_save_put_number(page + PAGES_CONTENT_BYTES, pages_checksum(page, at),
                        TRN_PAGES_CHECKSUM_BYTES);
    return pages->inner->xWrite(file, page, TRN_PAGES_BYTES, at);
}

// ---- files -------------------------------------------------------------------------------------

static size_t pages_inner_bytes(const sqlite3_vfs *inner)
{
    const size_t unit = sizeof(uint64_t);
    return ((size_t)inner->szOsFile + unit - 1) / unit * unit;
}

static int pages_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                      int *flags_out)
{
    sqlite3_vfs *const inner = ((PagesVfs *)vfs)->inner;
    const int code = inner->xOpen(inner, name, file, flags, flags_out);
    if (code != SQLITE_OK || !(flags & SQLITE_OPEN_MAIN_DB)) {
        return code;
    }
    PagesFile *pages = (PagesFile *)(void *)((char *)file + pages_inner_bytes(inner));
    *pages = (PagesFile){.methods = *file->pMethods, .inner = file->pMethods};
    pages->methods.xRead = pages_read;
    pages->methods.xWrite = pages_write;
    if (pages->methods.iVersion > 2) {
        pages->methods.iVersion = 2; // without xFetch, which maps files and so bypasses xRead
    }
    file->pMethods = &pages->methods;
    return SQLITE_OK;
}

int trn_pages_register(void)
{
    sqlite3_vfs *const inner = sqlite3_vfs_find(NULL);
    if (sqlite3_vfs_find(TRN_PAGES_VFS)) {
        return SQLITE_OK;
    }
    // Lives as long as the process, as all of SQLite's do. If two threads come here at once, SQLite
    // has two alike, and finds the later.
    PagesVfs *made = inner ? malloc(sizeof *made) : NULL;
    if (!made) {
        return SQLITE_NOMEM;
    }
    *made = (PagesVfs){.base = *inner, .inner = inner};
    made->base.pNext = NULL;
    made->base.zName = TRN_PAGES_VFS;
    made->base.szOsFile = (int)(pages_inner_bytes(inner) + sizeof(PagesFile));
    made->base.xOpen = pages_open;
    return sqlite3_vfs_register(&made->base, 0);
}

// ---- databases ---------------------------------------------------------------------------------

int trn_pages_prepare(sqlite3 *db)
{
    int reserved = TRN_PAGES_CHECKSUM_BYTES;
    const int code = sqlite3_exec(db, "PRAGMA page_size = 4096", NULL, NULL, NULL);
    return code == SQLITE_OK
               ? sqlite3_file_control(db, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved)
               : code;
}

bool trn_pages_are_checked(sqlite3 *db)
{
    sqlite3_file *file = NULL;
    return sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK &&
           file && file->pMethods && !pages_file(file)->has_no_checksums;
}
