// Connections to SQLite databases, what their codes mean, and checksums of their pages: two VFSs
// that pass everything on, except what sqlite_link.h says of them. Logs have checksums of their
// own.

#include "sqlite_link.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/number.h"
#include "disk_file.h"

#define LINK_BUSY_MS 5000
#define PAGES_CONTENT_BYTES (TRN_PAGES_BYTES - TRN_PAGES_CHECKSUM_BYTES)
#define PAGES_SQLITE_BYTES_MIN 512 // of a page, in any database
#define PAGES_HEADER_BYTES 100     // of a database, at the beginning of its first page
#define PAGES_RESERVED_AT 20       // in that header: bytes at the end of each page

typedef struct PagesVfs {
    sqlite3_vfs base;
    sqlite3_vfs *inner;
    bool is_still; ///< TRN_STILL_VFS
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
                   trn_number_read(page + PAGES_CONTENT_BYTES, TRN_PAGES_CHECKSUM_BYTES) ==
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
    trn_number_write(page + PAGES_CONTENT_BYTES, pages_checksum(page, at),
                     TRN_PAGES_CHECKSUM_BYTES);
    return pages->inner->xWrite(file, page, TRN_PAGES_BYTES, at);
}

// ---- files -------------------------------------------------------------------------------------

static size_t pages_inner_bytes(const sqlite3_vfs *inner)
{
    const size_t unit = sizeof(uint64_t);
    return ((size_t)inner->szOsFile + unit - 1) / unit * unit;
}

/// Whether worlds have journals, as in a browser; elsewhere they have logs.
#ifdef __EMSCRIPTEN__
#define PAGES_HAVE_JOURNALS true
#else
#define PAGES_HAVE_JOURNALS false
#endif

/// Whether a file next to a world is a journal that is not ours.
static bool pages_is_foreign(const char *name)
{
    static const char suffix[] = "-journal";
    const size_t length = strlen(name), bytes = sizeof suffix - 1;
    return !PAGES_HAVE_JOURNALS && length > bytes && strcmp(name + length - bytes, suffix) == 0;
}

/// Locks nothing: no other process writes a file that is still.
static int pages_lock_still(sqlite3_file *file, int level)
{
    (void)file;
    (void)level;
    return SQLITE_OK;
}

static int pages_look_still(sqlite3_file *file, int *is_reserved)
{
    (void)file;
    *is_reserved = 0;
    return SQLITE_OK;
}

static int pages_describe(sqlite3_file *file)
{
    return pages_file(file)->inner->xDeviceCharacteristics(file);
}

/// Without a log, SQLite reads it as it is, and looks for nothing beside it.
static int pages_describe_immutable(sqlite3_file *file)
{
    return pages_describe(file) | SQLITE_IOCAP_IMMUTABLE;
}

static bool pages_has_log(sqlite3_vfs *inner, const char *name)
{
    int exists = 0; // SQLite's function takes an empty file for none
    return inner->xAccess(inner, sqlite3_filename_wal(name), SQLITE_ACCESS_EXISTS, &exists) !=
               SQLITE_OK ||
           exists;
}

static void pages_set_methods(PagesFile *pages, bool is_still, bool has_log)
{
    sqlite3_io_methods *const methods = &pages->methods;
    methods->xRead = pages_read;
    methods->xWrite = pages_write;
    // Without xFetch, which maps files and so bypasses xRead; a still one without shared memory.
    const int version = is_still ? 1 : 2;
    methods->iVersion = methods->iVersion > version ? version : methods->iVersion;
    if (is_still) {
        methods->xLock = methods->xUnlock = pages_lock_still;
        methods->xCheckReservedLock = pages_look_still;
        methods->xDeviceCharacteristics = has_log ? pages_describe : pages_describe_immutable;
    }
}

static int pages_open_database(const PagesVfs *vfs, const char *name, sqlite3_file *file, int flags,
                               int *flags_out)
{
    sqlite3_vfs *const inner = vfs->inner;
    const int code = inner->xOpen(inner, name, file, flags, flags_out);
    if (code != SQLITE_OK) {
        return code;
    }
    PagesFile *pages = (PagesFile *)(void *)((char *)file + pages_inner_bytes(inner));
    *pages = (PagesFile){.methods = *file->pMethods, .inner = file->pMethods};
    pages_set_methods(pages, vfs->is_still, vfs->is_still && pages_has_log(inner, name));
    file->pMethods = &pages->methods;
    return SQLITE_OK;
}

static int pages_open(sqlite3_vfs *base, const char *name, sqlite3_file *file, int flags,
                      int *flags_out)
{
    const PagesVfs *const vfs = (const PagesVfs *)base;
    sqlite3_vfs *const inner = vfs->inner;
    const int access = SQLITE_OPEN_READONLY | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    if (vfs->is_still && (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL))) {
        flags = (flags & ~access) | SQLITE_OPEN_READONLY;
    }
    if (flags & SQLITE_OPEN_MAIN_DB) {
        return pages_open_database(vfs, name, file, flags, flags_out);
    }
    file->pMethods = NULL;
    TrnDiskFacts facts;
    if ((flags & SQLITE_OPEN_WAL) && trn_disk_ask(name, &facts) == 0 && !facts.is_regular) {
        return SQLITE_CANTOPEN; // a pipe would wait, and a link lead to another file
    }
    if (!PAGES_HAVE_JOURNALS && flags & SQLITE_OPEN_SUPER_JOURNAL) {
        return SQLITE_CANTOPEN;
    }
    if (!PAGES_HAVE_JOURNALS &&
        flags & SQLITE_OPEN_MAIN_JOURNAL) { // of the moment in which a file becomes one with a log
        name = NULL;
        flags = SQLITE_OPEN_TEMP_JOURNAL | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                SQLITE_OPEN_EXCLUSIVE | SQLITE_OPEN_DELETEONCLOSE;
    }
    return inner->xOpen(inner, name, file, flags, flags_out);
}

static int pages_delete(sqlite3_vfs *base, const char *name, int syncs)
{
    const PagesVfs *const vfs = (const PagesVfs *)base;
    if (pages_is_foreign(name)) {
        return SQLITE_OK;
    }
    return vfs->is_still ? SQLITE_OK : vfs->inner->xDelete(vfs->inner, name, syncs);
}

static int pages_access(sqlite3_vfs *base, const char *name, int flags, int *answer)
{
    sqlite3_vfs *const inner = ((const PagesVfs *)base)->inner;
    if (pages_is_foreign(name)) {
        *answer = 0;
        return SQLITE_OK;
    }
    return inner->xAccess(inner, name, flags, answer);
}

static int pages_register_one(const char *name, bool is_still)
{
    sqlite3_vfs *const inner = sqlite3_vfs_find(NULL);
    if (sqlite3_vfs_find(name)) {
        return SQLITE_OK;
    }
    // Lives as long as the process, as all of SQLite's do. If two threads come here at once, SQLite
    // has two alike, and finds the later.
    PagesVfs *made = inner ? malloc(sizeof *made) : NULL;
    if (!made) {
        return SQLITE_NOMEM;
    }
    *made = (PagesVfs){.base = *inner, .inner = inner, .is_still = is_still};
    made->base.pNext = NULL;
    made->base.zName = name;
    made->base.szOsFile = (int)(pages_inner_bytes(inner) + sizeof(PagesFile));
    made->base.xOpen = pages_open;
    made->base.xDelete = pages_delete;
    made->base.xAccess = pages_access;
    return sqlite3_vfs_register(&made->base, 0);
}

int trn_pages_register(void)
{
    const int code = pages_register_one(TRN_PAGES_VFS, false);
    return code == SQLITE_OK ? pages_register_one(TRN_STILL_VFS, true) : code;
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

// ---- codes -------------------------------------------------------------------------------------

/// What is wrong and what to do, for a code of SQLite.
static const char *link_sentence(int code)
{
    switch (trn_sqlite_kind(code)) {
    case SQLITE_NOMEM:
        return "there is not enough memory.";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "another program has it open; close that first.";
    case SQLITE_CORRUPT:
        return "the file is damaged; 'terrane repair' copies what is whole into a new file.";
    case SQLITE_NOTADB:
        return "it is not a world of Terrane.";
    case SQLITE_FULL:
        return "the disk is full; free some space.";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return "it may only be read; change its permissions, or those of its folder.";
    case SQLITE_CANTOPEN:
        return "it cannot be opened; see that its folder exists and may be written.";
    case SQLITE_IOERR:
        return "the system could not read or write it; see that the disk works and has space.";
    default:
        return NULL;
    }
}

void trn_sqlite_describe(const char *path, int code, const char *detail, TrnStorageProblem *problem)
{
    const char *sentence = link_sentence(code);
    if (problem && sentence) {
        (void)snprintf(problem->sentence, sizeof problem->sentence, "%s: %s", path, sentence);
    } else if (problem) {
        (void)snprintf(problem->sentence, sizeof problem->sentence, "%s: %s.", path, detail);
    }
}

// ---- connections -------------------------------------------------------------------------------

/// What a world needs of SQLite, which reads files that strangers made.
static int link_harden(sqlite3 *db)
{
    static const struct {
        int option, value;
    } settings[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                    {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
                    {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
                    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                    {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                    {SQLITE_DBCONFIG_DQS_DDL, 0},
                    {SQLITE_DBCONFIG_DQS_DML, 0}};
    static const struct {
        int limit, value;
    } limits[] = {{SQLITE_LIMIT_LENGTH, TRN_SQLITE_LENGTH_MAX},
                  {SQLITE_LIMIT_SQL_LENGTH, 4096},
                  {SQLITE_LIMIT_COLUMN, 16},
                  {SQLITE_LIMIT_EXPR_DEPTH, 32},
                  {SQLITE_LIMIT_COMPOUND_SELECT, 4},
                  {SQLITE_LIMIT_VDBE_OP, 20000},
                  {SQLITE_LIMIT_FUNCTION_ARG, 8},
                  {SQLITE_LIMIT_ATTACHED, 1}, // VACUUM's own
                  {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 64},
                  {SQLITE_LIMIT_VARIABLE_NUMBER, 16},
                  {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                  {SQLITE_LIMIT_WORKER_THREADS, 0}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) { // a build may lack some
        (void)sqlite3_db_config(db, settings[i].option, settings[i].value, NULL);
    }
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        (void)sqlite3_limit(db, limits[i].limit, limits[i].value);
    }
    return sqlite3_exec(db, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
}

int trn_sqlite_connect(const char *path, TrnSqliteUse use, sqlite3 **db)
{
    const int flags =
        use == TRN_SQLITE_WRITE ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    int code = trn_pages_register();
    if (code == SQLITE_OK) {
        code = sqlite3_open_v2(path, db, flags | SQLITE_OPEN_NOMUTEX,
                               use == TRN_SQLITE_STILL ? TRN_STILL_VFS : TRN_PAGES_VFS);
    }
    if (code != SQLITE_OK) {
        return *db ? sqlite3_extended_errcode(*db) : code;
    }
    (void)sqlite3_extended_result_codes(*db, 1);
    code = sqlite3_busy_timeout(*db, LINK_BUSY_MS);
    code = code == SQLITE_OK ? link_harden(*db) : code;
    // A log is then read without shared memory, which would be a file.
    return code == SQLITE_OK && use == TRN_SQLITE_STILL
               ? trn_sqlite_run(*db, "PRAGMA locking_mode = EXCLUSIVE")
               : code;
}

// ---- work --------------------------------------------------------------------------------------

#define WORK_STEPS 10000      // of SQLite's machine between two calls
#define WORK_STEPS_PAGE 32768 // the most that any statement of ours takes for a page of the file
#define WORK_PAGES_MIN 64

static sqlite3_int64 work_file_bytes(sqlite3 *db, int which)
{
    sqlite3_file *file = NULL;
    sqlite3_int64 bytes = 0;
    return sqlite3_file_control(db, "main", which, &file) == SQLITE_OK && file && file->pMethods &&
                   file->pMethods->xFileSize(file, &bytes) == SQLITE_OK
               ? bytes
               : 0;
}

static sqlite3_int64 work_most(sqlite3 *db)
{
    const sqlite3_int64 bytes = work_file_bytes(db, SQLITE_FCNTL_FILE_POINTER) +
                                work_file_bytes(db, SQLITE_FCNTL_JOURNAL_POINTER);
    return (bytes / TRN_PAGES_BYTES + WORK_PAGES_MIN) * WORK_STEPS_PAGE;
}

static int work_step(void *user)
{
    TrnSqliteWork *work = user;
    const TrnStorageProgress *progress = work->progress;
    work->steps += WORK_STEPS;
    if (progress && progress->step && !progress->step(progress->user, 0, 0)) {
        return 1;
    }
    if (work->steps > work->most) {
        work->most = work_most(work->db); // the file grows while it is written
        work->is_endless = work->steps > work->most;
    }
    return work->is_endless;
}

void trn_sqlite_work_begin(TrnSqliteWork *work, sqlite3 *db, const TrnStorageProgress *progress)
{
    *work = (TrnSqliteWork){.db = db, .progress = progress, .most = work->most};
    sqlite3_progress_handler(db, WORK_STEPS, work_step, work);
}

int trn_sqlite_work_end(const TrnSqliteWork *work, int code)
{
    sqlite3_progress_handler(work->db, 0, NULL, NULL);
    return code != SQLITE_OK && work->is_endless ? SQLITE_CORRUPT : code;
}

// ---- statements --------------------------------------------------------------------------------

int trn_sqlite_prepare(sqlite3 *db, const char *text, sqlite3_stmt **statement)
{
    return *statement
               ? SQLITE_OK
               : sqlite3_prepare_v3(db, text, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

int trn_sqlite_run(sqlite3 *db, const char *text)
{
    return sqlite3_exec(db, text, NULL, NULL, NULL);
}

int trn_sqlite_finish(sqlite3_stmt *statement)
{
    (void)sqlite3_step(statement);
    const int code = sqlite3_reset(statement);
    (void)sqlite3_clear_bindings(statement);
    return code;
}

int trn_sqlite_number(sqlite3 *db, const char *text, sqlite3_int64 *number)
{
    sqlite3_stmt *statement = NULL;
    int code = trn_sqlite_prepare(db, text, &statement);
    if (code == SQLITE_OK) {
        code = sqlite3_step(statement);
        *number = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
        code = code == SQLITE_ROW ? SQLITE_OK : code;
    }
    (void)sqlite3_finalize(statement);
    return code;
}
