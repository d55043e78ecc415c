// Pages of a database as bytes: see carve.h. Read through SQLite's own interface to files, which
// knows 64-bit offsets and names in UTF-8 on every system.

#include "carve.h"

#include <string.h>

#include <sqlite3.h>

#include "base/memory.h"
#include "base/number.h"
#include "disk_file.h"
#include "sqlite_link.h"

#define CARVE_BYTES_MIN 512u
#define CARVE_BYTES_MAX 65536u
#define CARVE_USABLE_MIN 480u
#define CARVE_LOG_HEADER 32
#define CARVE_FRAME_HEADER 24
#define CARVE_LOG_MAGIC 0x377F0682u // or one more
#define CARVE_FOLLOWED 64u          // times that each page may be part of a chain, on average

struct TrnCarve {
    TrnAllocator allocator;
    sqlite3_file *database, *log; ///< log: NULL if there is none
    size_t file_bytes;            ///< of each handle
    uint32_t page_bytes, usable;
    uint32_t page_count, frame_count; ///< of the database; of the log
    uint32_t committed;               ///< frames that a commit ends and the log's header knows
    uint32_t *frame_of;               ///< [frame_pages] by page, from 1: its last frame + 1, or 0
    uint32_t frame_pages;
    unsigned char salts[8]; ///< of the log's header
    const char *name;       ///< of the files, as SQLite wants it
    uint64_t follow_max;    ///< pages of chains that may still be read
};

// ---- files -------------------------------------------------------------------------------------

static sqlite3_file *carve_open_file(TrnCarve *carve, sqlite3_vfs *vfs, const char *path, int kind)
{
    sqlite3_file *file = trn_take(&carve->allocator, carve->file_bytes, TRN_CACHE_LINE);
    int flags = 0;
    if (!file) {
        return NULL;
    }
    memset(file, 0, carve->file_bytes);
    if (vfs->xOpen(vfs, path, file, SQLITE_OPEN_READONLY | kind, &flags) != SQLITE_OK) {
        if (file->pMethods) {
            (void)file->pMethods->xClose(file);
        }
        trn_give(&carve->allocator, file, carve->file_bytes);
        return NULL;
    }
    return file;
}

static void carve_close_file(TrnCarve *carve, sqlite3_file *file)
{
    if (file) {
        (void)file->pMethods->xClose(file);
        trn_give(&carve->allocator, file, carve->file_bytes);
    }
}

static uint64_t carve_file_size(sqlite3_file *file)
{
    sqlite3_int64 size = 0;
    return file && file->pMethods->xFileSize(file, &size) == SQLITE_OK && size > 0 ? (uint64_t)size
                                                                                   : 0;
}

/// Reads bytes; what is behind the end is zero. @return false if the system could not
static bool carve_read_at(sqlite3_file *file, void *bytes, size_t size, uint64_t offset)
{
    const int code = file->pMethods->xRead(file, bytes, (int)size, (sqlite3_int64)offset);
    if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) {
        memset(bytes, 0, size);
    }
    return code == SQLITE_OK || code == SQLITE_IOERR_SHORT_READ;
}

static uint32_t carve_big_endian(const unsigned char *from)
{
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

// ---- sizes -------------------------------------------------------------------------------------

static bool carve_set_size(TrnCarve *carve, uint32_t bytes, uint32_t reserved)
{
    const bool is_valid = bytes >= CARVE_BYTES_MIN && bytes <= CARVE_BYTES_MAX &&
                          (bytes & (bytes - 1)) == 0 && bytes - reserved >= CARVE_USABLE_MIN;
    if (is_valid) {
        carve->page_bytes = bytes;
        carve->usable = bytes - reserved;
    }
    return is_valid;
}

/// Finds the size of pages: in the header, in that of the log, or the usual one.
static void carve_find_size(TrnCarve *carve)
{
    unsigned char header[100], log[CARVE_LOG_HEADER] = {0};
    (void)carve_read_at(carve->database, header, sizeof header, 0);
    const uint32_t said = (uint32_t)header[16] << 8 | header[17];
    if (carve->log) {
        (void)carve_read_at(carve->log, log, sizeof log, 0);
    }
    if (memcmp(header, "SQLite format 3", 16) != 0 ||
        !carve_set_size(carve, said == 1 ? CARVE_BYTES_MAX : said, header[20])) {
        const uint32_t logged = carve_big_endian(log + 8);
        if (!carve_set_size(carve, logged,
                            logged == TRN_PAGES_BYTES ? TRN_PAGES_CHECKSUM_BYTES : 0)) {
            (void)carve_set_size(carve, TRN_PAGES_BYTES, TRN_PAGES_CHECKSUM_BYTES);
        }
    }
    // The salts of the first frame are those of the header, if that is broken.
    const bool has_header = (carve_big_endian(log) & ~1u) == CARVE_LOG_MAGIC;
    if (carve->log && !has_header) {
        (void)carve_read_at(carve->log, log, sizeof log, CARVE_LOG_HEADER);
    }
    memcpy(carve->salts, log + (has_header ? 16 : 8), sizeof carve->salts);
}

static uint32_t carve_divide(uint64_t bytes, uint64_t unit)
{
    const uint64_t count = (bytes + unit - 1) / unit;
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

// ---- the log -----------------------------------------------------------------------------------

static uint64_t carve_frame_at(const TrnCarve *carve, uint32_t frame)
{
    return CARVE_LOG_HEADER + (uint64_t)frame * (CARVE_FRAME_HEADER + carve->page_bytes);
}

/// Reads a frame's header. @return whether it belongs to this log
static bool carve_read_frame(const TrnCarve *carve, uint32_t frame, uint32_t *page, bool *is_commit)
{
    unsigned char header[CARVE_FRAME_HEADER];
    const bool is_read =
        carve_read_at(carve->log, header, sizeof header, carve_frame_at(carve, frame));
    *page = carve_big_endian(header);
    *is_commit = carve_big_endian(header + 4) != 0;
    return is_read && memcmp(header + 8, carve->salts, sizeof carve->salts) == 0;
}

/// Notes the last committed frame of every page.
static TrnResult carve_index_log(TrnCarve *carve)
{
    const uint64_t most = (uint64_t)carve->page_count + carve->frame_count + 1;
    carve->frame_pages = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
    uint32_t page;
    bool is_commit;
    for (uint32_t i = 0; i < carve->frame_count; i++) {
        if (carve_read_frame(carve, i, &page, &is_commit) && is_commit) {
            carve->committed = i + 1;
        }
    }
    if (!carve->committed) {
        return TRN_RESULT_OK;
    }
    const size_t bytes = (size_t)carve->frame_pages * sizeof *carve->frame_of;
    carve->frame_of = trn_take(&carve->allocator, bytes, TRN_CACHE_LINE);
    if (!carve->frame_of) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(carve->frame_of, 0, bytes);
    for (uint32_t i = 0; i < carve->committed; i++) {
        if (carve_read_frame(carve, i, &page, &is_commit) && page < carve->frame_pages) {
            carve->frame_of[page] = i + 1;
        }
    }
    return TRN_RESULT_OK;
}

// ---- opening -----------------------------------------------------------------------------------

/// Whether a path is free, or a regular file's.
static bool carve_may_open(const char *path)
{
    TrnDiskFacts facts;
    return trn_disk_ask(path, &facts) != 0 || facts.is_regular;
}

static TrnResult carve_open_files(TrnCarve *carve, sqlite3_vfs *vfs)
{
    const char *database = carve->name, *log = sqlite3_filename_wal(database);
    int exists = 0;
    if (!carve_may_open(database) || !carve_may_open(log)) {
        return TRN_RESULT_IO; // a pipe would wait
    }
    carve->file_bytes = (size_t)vfs->szOsFile;
    carve->database = carve_open_file(carve, vfs, database, SQLITE_OPEN_MAIN_DB);
    if (!carve->database) {
        (void)vfs->xAccess(vfs, database, SQLITE_ACCESS_EXISTS, &exists);
        return exists ? TRN_RESULT_IO : TRN_RESULT_NOT_FOUND;
    }
    if (vfs->xAccess(vfs, log, SQLITE_ACCESS_EXISTS, &exists) == SQLITE_OK && exists) {
        carve->log = carve_open_file(carve, vfs, log, SQLITE_OPEN_WAL);
        if (!carve->log) { // it may have the newest copies
            return TRN_RESULT_IO;
        }
    }
    carve_find_size(carve);
    carve->page_count = carve_divide(carve_file_size(carve->database), carve->page_bytes);
    const uint64_t logged = carve_file_size(carve->log);
    carve->frame_count =
        logged > CARVE_LOG_HEADER
            ? carve_divide(logged - CARVE_LOG_HEADER, CARVE_FRAME_HEADER + carve->page_bytes)
            : 0;
    carve->follow_max = CARVE_FOLLOWED * (trn_carve_count(carve) + 1);
    return carve_index_log(carve);
}

/// Makes the name of both files, which must last as long as they are open.
static const char *carve_make_name(const TrnCarve *carve, sqlite3_vfs *vfs, const char *path)
{
    const size_t bytes = (size_t)vfs->mxPathname + 8;
    const char *name = NULL;
    char *full = trn_take(&carve->allocator, 2 * bytes, 1);
    if (full && (vfs->xFullPathname(vfs, path, vfs->mxPathname + 1, full) & 0xFF) == SQLITE_OK) {
        (void)sqlite3_snprintf((int)bytes, full + bytes, "%s-wal", full);
        name = sqlite3_create_filename(full, "", full + bytes, 0, NULL);
    }
    trn_give(&carve->allocator, full, 2 * bytes);
    return name;
}

TrnResult trn_carve_open(const char *path, const TrnAllocator *allocator, TrnCarve **carve)
{
    sqlite3_vfs *vfs = sqlite3_initialize() == SQLITE_OK ? sqlite3_vfs_find(NULL) : NULL;
    TrnCarve *made = vfs ? trn_take(allocator, sizeof *made, TRN_CACHE_LINE) : NULL;
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnCarve){.allocator = *allocator};
    made->name = carve_make_name(made, vfs, path);
    const TrnResult result = made->name ? carve_open_files(made, vfs) : TRN_RESULT_NO_MEMORY;
    if (result != TRN_RESULT_OK) {
        trn_carve_close(made);
        return result;
    }
    *carve = made;
    return TRN_RESULT_OK;
}

void trn_carve_close(TrnCarve *carve)
{
    if (!carve) {
        return;
    }
    carve_close_file(carve, carve->database);
    carve_close_file(carve, carve->log);
    sqlite3_free_filename((char *)carve->name);
    trn_give(&carve->allocator, carve->frame_of,
             (size_t)carve->frame_pages * sizeof *carve->frame_of);
    const TrnAllocator allocator = carve->allocator;
    trn_give(&allocator, carve, sizeof *carve);
}

// ---- reading -----------------------------------------------------------------------------------

uint64_t trn_carve_count(const TrnCarve *carve)
{
    return (uint64_t)carve->page_count + carve->frame_count;
}

uint32_t trn_carve_page_bytes(const TrnCarve *carve)
{
    return carve->page_bytes;
}

uint32_t trn_carve_usable(const TrnCarve *carve)
{
    return carve->usable;
}

static bool carve_read_logged(const TrnCarve *carve, uint32_t frame, unsigned char *bytes)
{
    return carve_read_at(carve->log, bytes, carve->page_bytes,
                         carve_frame_at(carve, frame) + CARVE_FRAME_HEADER);
}

bool trn_carve_read(const TrnCarve *carve, uint64_t index, unsigned char *bytes, TrnCarveHome *home)
{
    if (index < carve->page_count) {
        *home = TRN_CARVE_DATABASE;
        return carve_read_at(carve->database, bytes, carve->page_bytes, index * carve->page_bytes);
    }
    const uint32_t frame = (uint32_t)(index - carve->page_count);
    uint32_t page;
    bool is_commit;
    const bool is_ours = carve_read_frame(carve, frame, &page, &is_commit);
    *home = is_ours && frame < carve->committed ? TRN_CARVE_LOG : TRN_CARVE_OLD_LOG;
    return carve_read_logged(carve, frame, bytes);
}

uint32_t trn_carve_local(const TrnCarve *carve, uint64_t payload_bytes, bool is_index)
{
    const uint32_t usable = carve->usable;
    const uint32_t most = is_index ? (usable - 12) * 64 / 255 - 23 : usable - 35;
    const uint32_t least = (usable - 12) * 32 / 255 - 23;
    if (payload_bytes <= most) {
        return (uint32_t)payload_bytes;
    }
    const uint32_t local = least + (uint32_t)((payload_bytes - least) % (usable - 4));
    return local <= most ? local : least;
}

bool trn_carve_follow(TrnCarve *carve, uint32_t first_page, bool in_log, unsigned char *bytes,
                      size_t size)
{
    unsigned char page[CARVE_BYTES_MAX];
    for (uint32_t next = first_page; size > 0; next = carve_big_endian(page)) {
        if (!carve->follow_max) {
            return false;
        }
        carve->follow_max--;
        const uint32_t frame =
            in_log && carve->frame_of && next < carve->frame_pages ? carve->frame_of[next] : 0;
        const bool is_read = frame ? carve_read_logged(carve, frame - 1, page)
                                   : next >= 1 && next <= carve->page_count &&
                                         carve_read_at(carve->database, page, carve->page_bytes,
                                                       (uint64_t)(next - 1) * carve->page_bytes);
        if (!is_read) {
            return false;
        }
        const size_t most = carve->usable - 4, part = size < most ? size : most;
        memcpy(bytes, page + 4, part);
        bytes += part;
        size -= part;
    }
    return true;
}
