// A storage in an SQLite database. One connection writes. Reads take a connection of their own from
// a list, so that they neither wait for each other nor, thanks to the write-ahead log, for a write.

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>
#include <terrane/storage.h>

#include "base/thread.h"
#include "path.h"
#include "sqlite_link.h"
#include "storage_pages.h"

#define STORAGE_APPLICATION 0x54524E57 // "TRNW"
#define STORAGE_FORMAT 1               // PRAGMA user_version
#define STORAGE_READERS_KEPT 16
#define STORAGE_LOG_PAGES "4000" // the log is copied into the database when it has as many
#ifdef __EMSCRIPTEN__ // files in memory, which the page stores one by one: each must be whole
#define STORAGE_JOURNAL "TRUNCATE"
#else
#define STORAGE_JOURNAL "WAL"
#endif
#define STORAGE_BACKUP_PAGES 256
#define STORAGE_LOCK_SUFFIX "-lock"

/// A connection with its statements, each prepared at its first use.
typedef struct SqliteLink {
    sqlite3 *db;
    sqlite3_stmt *get, *list, *column, *values;
    sqlite3_stmt *put, *drop, *put_value, *put_new_value, *drop_value; ///< of the writer
} SqliteLink;

typedef struct SqliteStorage {
    char *path;
    bool is_read_only, may_create;
    bool is_empty;   ///< the file was made by this call, and nothing has been put into it yet
    bool has_failed; ///< to open, or to put: an empty file is removed then
    sqlite3 *lock;   ///< an open transaction in a database aside, for as long as the file is open
    SqliteLink writer;
    TrnMutex mutex;                            ///< of what follows
    SqliteLink *readers[STORAGE_READERS_KEPT]; ///< [reader_count] not in use
    uint32_t reader_count;
    TrnStorageProblem problem; ///< the last one
} SqliteStorage;

// ---- problems ----------------------------------------------------------------------------------

/// Notes the failure of a connection. @return the result for it
static TrnResult sqlite_fail(SqliteStorage *storage, sqlite3 *db, int code)
{
    const TrnResult result = trn_sqlite_result(code);
    if (result != TRN_RESULT_OK) {
        trn_mutex_lock(&storage->mutex);
        trn_sqlite_describe(storage->path, code, db ? sqlite3_errmsg(db) : sqlite3_errstr(code),
                            &storage->problem);
        trn_mutex_unlock(&storage->mutex);
    }
    return result;
}

static void sqlite_problem(void *user, char *text, size_t capacity)
{
    SqliteStorage *storage = user;
    trn_mutex_lock(&storage->mutex);
    (void)snprintf(text, capacity, "%s", storage->problem.sentence);
    trn_mutex_unlock(&storage->mutex);
}

// ---- connections -------------------------------------------------------------------------------

static void sqlite_disconnect(SqliteLink *link)
{
    enum { STORAGE_STATEMENTS = 9 };
    sqlite3_stmt *const all[STORAGE_STATEMENTS] = {
        link->get,  link->list,      link->column,        link->put,       link->values,
        link->drop, link->put_value, link->put_new_value, link->drop_value};
    for (size_t i = 0; i < STORAGE_STATEMENTS; i++) {
        (void)sqlite3_finalize(all[i]);
    }
    (void)sqlite3_close(link->db);
    *link = (SqliteLink){0};
}

/// Takes a connection for reading. NULL: it cannot be opened, and the problem is noted.
static SqliteLink *sqlite_take_reader(SqliteStorage *storage, TrnResult *result)
{
    trn_mutex_lock(&storage->mutex);
    SqliteLink *link = storage->reader_count ? storage->readers[--storage->reader_count] : NULL;
    trn_mutex_unlock(&storage->mutex);
    if (link) {
        return link;
    }
    link = calloc(1, sizeof *link);
    if (!link) {
        *result = TRN_RESULT_NO_MEMORY;
        return NULL;
    }
    const int code = trn_sqlite_connect(storage->path, SQLITE_OPEN_READONLY, &link->db);
    if (code == SQLITE_OK) {
        return link;
    }
    *result = sqlite_fail(storage, link->db, code);
    sqlite_disconnect(link);
    free(link);
    return NULL;
}

static void sqlite_give_reader(SqliteStorage *storage, SqliteLink *link)
{
    trn_mutex_lock(&storage->mutex);
    const bool is_kept = storage->reader_count < STORAGE_READERS_KEPT;
    if (is_kept) {
        storage->readers[storage->reader_count++] = link;
    }
    trn_mutex_unlock(&storage->mutex);
    if (!is_kept) {
        sqlite_disconnect(link);
        free(link);
    }
}

// ---- reading -----------------------------------------------------------------------------------

/// Steps through the rows of a statement with columns level, x, y, z, revision, bytes.
static int sqlite_visit_rows(sqlite3_stmt *statement, TrnStorageRowVisitor visit, void *visitor,
                             bool *is_stopped)
{
    while (!*is_stopped && sqlite3_step(statement) == SQLITE_ROW) {
        const TrnStorageRow row = {
            .key = {.coord = {sqlite3_column_int(statement, 1), sqlite3_column_int(statement, 2),
                              sqlite3_column_int(statement, 3)},
                    .level = (uint32_t)sqlite3_column_int(statement, 0)},
            .revision = (uint64_t)sqlite3_column_int64(statement, 4),
            .bytes = sqlite3_column_blob(statement, 5),
            .size = (size_t)sqlite3_column_bytes(statement, 5)};
        *is_stopped = !visit(visitor, &row);
    }
    const int reset = sqlite3_reset(statement);
    return *is_stopped ? SQLITE_OK : reset;
}

/// Notes a failure, and returns the connection. @return the result for the code
static TrnResult sqlite_end_read(SqliteStorage *storage, SqliteLink *link, int code)
{
    const TrnResult result = sqlite_fail(storage, link->db, code);
    sqlite_give_reader(storage, link);
    return result;
}

static TrnResult sqlite_get(void *user, const TrnStorageKey *keys, size_t count,
                            TrnStorageRowVisitor visit, void *visitor)
{
    SqliteStorage *storage = user;
    TrnResult result = TRN_RESULT_OK;
    SqliteLink *link = sqlite_take_reader(storage, &result);
    if (!link) {
        return result;
    }
    bool is_stopped = false;
    int code = trn_sqlite_prepare(link->db,
                                  "SELECT level, x, y, z, revision, row FROM chunks "
                                  "WHERE level = ?1 AND x = ?2 AND y = ?3 AND z = ?4",
                                  &link->get);
    for (size_t i = 0; i < count && code == SQLITE_OK && !is_stopped; i++) {
        (void)sqlite3_bind_int64(link->get, 1, keys[i].level);
        (void)sqlite3_bind_int(link->get, 2, keys[i].coord.x);
        (void)sqlite3_bind_int(link->get, 3, keys[i].coord.y);
        (void)sqlite3_bind_int(link->get, 4, keys[i].coord.z);
        code = sqlite_visit_rows(link->get, visit, visitor, &is_stopped);
    }
    return sqlite_end_read(storage, link, code);
}

/// Prepares the listing of a range. SQLite finds the rows of one column by its index alone, and
/// those of a wider box among all in its range of x.
static int sqlite_prepare_list(SqliteLink *link, const TrnBox *box, sqlite3_stmt **statement)
{
#define STORAGE_LIST "SELECT level, x, y, z, revision, row FROM chunks WHERE level = ?1 "
    static const char list[] = STORAGE_LIST "AND x BETWEEN ?2 AND ?3 AND y BETWEEN ?4 AND ?5 "
                                            "AND z BETWEEN ?6 AND ?7 AND revision > ?8";
    static const char column[] = STORAGE_LIST "AND x = ?2 AND ?2 = ?3 AND y BETWEEN ?4 AND ?5 "
                                              "AND z = ?6 AND ?6 = ?7 AND revision > ?8";
#undef STORAGE_LIST
    const bool is_column = box->min.x == box->max.x && box->min.z == box->max.z;
    sqlite3_stmt **const prepared = is_column ? &link->column : &link->list;
    const int code = trn_sqlite_prepare(link->db, is_column ? column : list, prepared);
    *statement = *prepared;
    return code;
}

static TrnResult sqlite_list(void *user, const TrnStorageRange *range, TrnStorageRowVisitor visit,
                             void *visitor)
{
    SqliteStorage *storage = user;
    TrnResult result = TRN_RESULT_OK;
    SqliteLink *link = sqlite_take_reader(storage, &result);
    if (!link) {
        return result;
    }
    bool is_stopped = false;
    sqlite3_stmt *list = NULL;
    int code = sqlite_prepare_list(link, &range->box, &list);
    if (code == SQLITE_OK) {
        const TrnBox *box = &range->box;
        const int32_t bounds[] = {box->min.x, box->max.x, box->min.y,
                                  box->max.y, box->min.z, box->max.z};
        (void)sqlite3_bind_int64(list, 1, range->level);
        for (int i = 0; i < 6; i++) {
            (void)sqlite3_bind_int(list, 2 + i, bounds[i]);
        }
        (void)sqlite3_bind_int64(list, 8, (sqlite3_int64)range->since);
        code = sqlite_visit_rows(list, visit, visitor, &is_stopped);
    }
    return sqlite_end_read(storage, link, code);
}

static int sqlite_visit_values(sqlite3_stmt *statement, const char *prefix,
                               TrnStorageValueVisitor visit, void *visitor)
{
    const size_t length = strlen(prefix);
    bool is_stopped = false;
    while (!is_stopped && sqlite3_step(statement) == SQLITE_ROW) {
        const TrnStorageValue value = {.name = (const char *)sqlite3_column_text(statement, 0),
                                       .bytes = sqlite3_column_blob(statement, 1),
                                       .size = (size_t)sqlite3_column_bytes(statement, 1)};
        if (!value.name) { // SQLite had no memory for it
            break;
        }
        if (strncmp(value.name, prefix, length) != 0) { // behind all that begin with it
            is_stopped = true;
            break;
        }
        // A blob of no bytes has no address; NULL would mean that there is no value.
        const TrnStorageValue whole = {value.name, value.bytes ? value.bytes : "", value.size};
        is_stopped = !visit(visitor, &whole);
    }
    const int code = sqlite3_reset(statement);
    return is_stopped ? SQLITE_OK : code;
}

static TrnResult sqlite_values(void *user, const char *prefix, TrnStorageValueVisitor visit,
                               void *visitor)
{
    SqliteStorage *storage = user;
    TrnResult result = TRN_RESULT_OK;
    SqliteLink *link = sqlite_take_reader(storage, &result);
    if (!link) {
        return result;
    }
    int code = trn_sqlite_prepare(
        link->db, "SELECT name, value FROM world WHERE name >= ?1 ORDER BY name", &link->values);
    if (code == SQLITE_OK) {
        (void)sqlite3_bind_text(link->values, 1, prefix, -1, SQLITE_STATIC);
        code = sqlite_visit_values(link->values, prefix, visit, visitor);
        (void)sqlite3_clear_bindings(link->values);
    }
    return sqlite_end_read(storage, link, code);
}

/// For a file that is only read, on the connection that nothing else uses then. One's own writes
/// would count too.
static uint64_t sqlite_watch(void *user)
{
    SqliteStorage *storage = user;
    sqlite3_stmt *statement = NULL;
    uint64_t version = 0;
    trn_mutex_lock(&storage->mutex);
    if (trn_sqlite_prepare(storage->writer.db, "PRAGMA data_version", &statement) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        version = (uint64_t)sqlite3_column_int64(statement, 0);
    }
    (void)sqlite3_finalize(statement);
    trn_mutex_unlock(&storage->mutex);
    return version;
}

// ---- writing -----------------------------------------------------------------------------------

static int sqlite_put_row(SqliteLink *link, const TrnStorageRow *row)
{
    sqlite3_stmt *const statement = row->bytes ? link->put : link->drop;
    (void)sqlite3_bind_int64(statement, 1, row->key.level);
    (void)sqlite3_bind_int(statement, 2, row->key.coord.x);
    (void)sqlite3_bind_int(statement, 3, row->key.coord.y);
    (void)sqlite3_bind_int(statement, 4, row->key.coord.z);
    if (row->bytes) {
        (void)sqlite3_bind_int64(statement, 5, (sqlite3_int64)row->revision);
        (void)sqlite3_bind_blob64(statement, 6, row->bytes, row->size, SQLITE_STATIC);
    }
    return trn_sqlite_finish(statement);
}

/// @param put  the statement for a value with bytes
static int sqlite_put_value(SqliteLink *link, sqlite3_stmt *put, const TrnStorageValue *value)
{
    sqlite3_stmt *const statement = value->bytes ? put : link->drop_value;
    (void)sqlite3_bind_text(statement, 1, value->name, -1, SQLITE_STATIC);
    if (value->bytes) {
        (void)sqlite3_bind_blob64(statement, 2, value->bytes, value->size, SQLITE_STATIC);
    }
    return trn_sqlite_finish(statement);
}

static int sqlite_prepare_writer(SqliteLink *link)
{
    static const char put[] =
        "INSERT INTO chunks (level, x, y, z, revision, row) VALUES (?1, ?2, ?3, ?4, ?5, ?6) "
        "ON CONFLICT (level, x, y, z) DO UPDATE SET revision = ?5, row = ?6";
    static const char drop[] =
        "DELETE FROM chunks WHERE level = ?1 AND x = ?2 AND y = ?3 AND z = ?4";
    static const char put_value[] = "INSERT INTO world (name, value) VALUES (?1, ?2) "
                                    "ON CONFLICT (name) DO UPDATE SET value = ?2";
    static const char put_new_value[] = "INSERT INTO world (name, value) VALUES (?1, ?2)";
    static const char drop_value[] = "DELETE FROM world WHERE name = ?1";
    int code = trn_sqlite_prepare(link->db, put, &link->put);
    code = code == SQLITE_OK ? trn_sqlite_prepare(link->db, drop, &link->drop) : code;
    code = code == SQLITE_OK ? trn_sqlite_prepare(link->db, put_value, &link->put_value) : code;
    code = code == SQLITE_OK ? trn_sqlite_prepare(link->db, put_new_value, &link->put_new_value)
                             : code;
    return code == SQLITE_OK ? trn_sqlite_prepare(link->db, drop_value, &link->drop_value) : code;
}

/// @param is_there  receives whether a value that was to be new has bytes already
static int sqlite_put_batch(SqliteLink *link, const TrnStorageBatch *batch, bool *is_there)
{
    const size_t old_values = batch->value_count - batch->new_value_count;
    int code = sqlite_prepare_writer(link);
    code = code == SQLITE_OK ? trn_sqlite_run(link->db, "BEGIN IMMEDIATE") : code;
    if (code != SQLITE_OK) {
        return code;
    }
    for (size_t i = 0; i < batch->row_count && code == SQLITE_OK; i++) {
        code = sqlite_put_row(link, &batch->rows[i]);
    }
    for (size_t i = 0; i < batch->value_count && code == SQLITE_OK; i++) {
        const bool is_new = i >= old_values;
        code = sqlite_put_value(link, is_new ? link->put_new_value : link->put_value,
                                &batch->values[i]);
        *is_there = is_new && (code & 0xFF) == SQLITE_CONSTRAINT;
    }
    code = code == SQLITE_OK ? trn_sqlite_run(link->db, "COMMIT") : code;
    return code;
}

static TrnResult sqlite_put(void *user, const TrnStorageBatch *batch)
{
    SqliteStorage *storage = user;
    if (storage->is_read_only) {
        return sqlite_fail(storage, NULL, SQLITE_READONLY);
    }
    bool is_there = false;
    const int code = sqlite_put_batch(&storage->writer, batch, &is_there);
    const TrnResult failed = sqlite_fail(storage, storage->writer.db, code);
    const TrnResult result = is_there ? TRN_RESULT_EXISTS : failed;
    storage->is_empty = storage->is_empty && code != SQLITE_OK;
    storage->has_failed = storage->has_failed || (code != SQLITE_OK && !is_there);
    if (!sqlite3_get_autocommit(storage->writer.db)) {
        (void)trn_sqlite_run(storage->writer.db, "ROLLBACK");
    }
    return result;
}

// ---- opening -----------------------------------------------------------------------------------

static void sqlite_close(void *user)
{
    SqliteStorage *storage = user;
    for (uint32_t i = 0; i < storage->reader_count; i++) {
        sqlite_disconnect(storage->readers[i]);
        free(storage->readers[i]);
    }
    sqlite_disconnect(&storage->writer);
    if (storage->lock && storage->is_empty && storage->has_failed) {
        trn_path_remove_database(storage->path); // a part of a world is none
    }
    if (storage->lock) {
        const char *const path = sqlite3_db_filename(storage->lock, "main");
        (void)remove(path); // still locked: another process that has it open finds it busy
        (void)sqlite3_close(storage->lock);
    }
    trn_mutex_destroy(&storage->mutex);
    free(storage->path);
    free(storage);
}

/// Takes the right to write: an exclusive transaction on an empty database, FILE-lock. The
/// system ends it with the process, however that ends.
static int sqlite_take_lock(SqliteStorage *storage)
{
    char *path = trn_path_with(storage->path, STORAGE_LOCK_SUFFIX);
    if (!path) {
        return SQLITE_NOMEM;
    }
    int code = trn_sqlite_connect(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &storage->lock);
    free(path);
    if (code == SQLITE_OK) {
        (void)sqlite3_busy_timeout(storage->lock, 0);
        code = trn_sqlite_run(storage->lock, "BEGIN EXCLUSIVE");
    }
    if (code != SQLITE_OK) { // not ours: it must stay
        (void)sqlite3_close(storage->lock);
        storage->lock = NULL;
    }
    return code;
}

/// Makes the tables of a new file, or checks that an existing one is of this format.
/// @param is_newer  receives whether a later version of Terrane wrote it
static int sqlite_check_format(const SqliteStorage *storage, bool *is_newer)
{
    static const char tables[] =
        "CREATE TABLE chunks (level INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL, "
        "z INTEGER NOT NULL, revision INTEGER NOT NULL, row BLOB NOT NULL, "
        "UNIQUE (level, x, y, z));"
        "CREATE TABLE world (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;"
        // A second copy of values on other pages, for repair: without the names of blocks a world
        // is lost. What was set aside and the revision have none.
        "CREATE INDEX world_again ON world (name, value) WHERE name < 'terrane/q';"
        "PRAGMA application_id = 1414680151; PRAGMA user_version = 1;";
    static_assert(STORAGE_APPLICATION == 1414680151 && STORAGE_FORMAT == 1, "as written above");
    sqlite3 *const db = storage->writer.db;
    sqlite3_int64 id = 0, format = 0, objects = 0;
    int code = trn_sqlite_number(db, "PRAGMA application_id", &id);
    code = code == SQLITE_OK ? trn_sqlite_number(db, "PRAGMA user_version", &format) : code;
    code = code == SQLITE_OK ? trn_sqlite_number(db, "SELECT count(*) FROM sqlite_schema", &objects)
                             : code;
    if (code != SQLITE_OK) {
        return code;
    }
    if (id == 0 && format == 0 && objects == 0 && storage->may_create) {
        code = trn_sqlite_run(db, "BEGIN IMMEDIATE");
        code = code == SQLITE_OK ? trn_sqlite_run(db, tables) : code;
        return code == SQLITE_OK ? trn_sqlite_run(db, "COMMIT") : code;
    }
    *is_newer = id == STORAGE_APPLICATION && format > STORAGE_FORMAT;
    if (id != STORAGE_APPLICATION || format != STORAGE_FORMAT) {
        return SQLITE_NOTADB;
    }
    return trn_pages_are_checked(db) ? SQLITE_OK : SQLITE_CORRUPT;
}

/// Counts what was put into a file: 0 or 1.
static int sqlite_count_content(const char *path, int flags, sqlite3_int64 *count)
{
    sqlite3 *db = NULL;
    int code = trn_sqlite_connect(path, flags, &db);
    code = code == SQLITE_OK ? trn_sqlite_number(db, "SELECT count(*) FROM sqlite_schema", count)
                             : code;
    if (code == SQLITE_OK && *count > 0) { // or they are not the tables of a world
        code = trn_sqlite_number(
            db, "SELECT EXISTS (SELECT 1 FROM chunks) OR EXISTS (SELECT 1 FROM world)", count);
    }
    (void)sqlite3_close(db);
    return code;
}

/// Whether nothing was ever put into a file, such as the file of a program that was killed while
/// it made a world.
static bool sqlite_is_empty(const char *path)
{
    sqlite3_int64 count = 0;
    int code = sqlite_count_content(path, SQLITE_OPEN_READONLY, &count);
    if (trn_sqlite_kind(code) == SQLITE_READONLY) { // a journal must be rolled back first
        code = sqlite_count_content(path, SQLITE_OPEN_READWRITE, &count);
    }
    return code == SQLITE_OK && count == 0;
}

static int sqlite_open_writer(SqliteStorage *storage, bool *is_newer)
{
    const int flags =
        storage->is_read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    int code = storage->is_read_only ? SQLITE_OK : sqlite_take_lock(storage);
    storage->is_empty = storage->may_create && !trn_path_exists(storage->path);
    code = code == SQLITE_OK ? trn_sqlite_connect(storage->path, flags, &storage->writer.db) : code;
    // SQLite opens a file that may not be written for reading, without a word.
    if (code == SQLITE_OK && !storage->is_read_only &&
        sqlite3_db_readonly(storage->writer.db, "main") == 1) {
        code = SQLITE_READONLY;
    }
    if (code == SQLITE_OK && !storage->is_read_only) {
        code = trn_pages_prepare(storage->writer.db); // before the first page of a new file
    }
    if (code == SQLITE_OK && !storage->is_read_only) {
        code = trn_sqlite_run(storage->writer.db, "PRAGMA journal_mode = " STORAGE_JOURNAL "; "
                                                  "PRAGMA synchronous = FULL; "
                                                  "PRAGMA wal_autocheckpoint = " STORAGE_LOG_PAGES);
    }
    return code == SQLITE_OK ? sqlite_check_format(storage, is_newer) : code;
}

/// Whether a file may be opened in a mode. @param problem  receives why not
static TrnResult sqlite_check_mode(const char *path, TrnStorageMode mode,
                                   TrnStorageProblem *problem)
{
    const bool exists = trn_path_exists(path);
    TrnResult result = TRN_RESULT_OK;
    const char *why = NULL;
    if (mode == TRN_STORAGE_CREATE && exists && !sqlite_is_empty(path)) {
        result = TRN_RESULT_EXISTS;
        why = "there is such a file already; choose another name.";
    } else if ((mode == TRN_STORAGE_OPEN || mode == TRN_STORAGE_READ_ONLY) && !exists) {
        result = TRN_RESULT_NOT_FOUND;
        why = "there is no such file.";
    }
    if (why && problem) {
        (void)snprintf(problem->sentence, sizeof problem->sentence, "%s: %s", path, why);
    }
    return result;
}

static SqliteStorage *sqlite_new(const char *path, TrnStorageMode mode)
{
    SqliteStorage *storage = calloc(1, sizeof *storage);
    const size_t bytes = strlen(path) + 1;
    if (!storage) {
        return NULL;
    }
    storage->path = malloc(bytes);
    if (!storage->path || !trn_mutex_init(&storage->mutex)) {
        free(storage->path);
        free(storage);
        return NULL;
    }
    memcpy(storage->path, path, bytes);
    storage->is_read_only = mode == TRN_STORAGE_READ_ONLY;
    storage->may_create = mode == TRN_STORAGE_CREATE || mode == TRN_STORAGE_EITHER;
    return storage;
}

TrnResult trn_storage_sqlite(const char *path, TrnStorageMode mode, TrnStorage *storage,
                             TrnStorageProblem *problem)
{
    if (!path || !*path || !storage || mode > TRN_STORAGE_READ_ONLY) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnResult may = sqlite_check_mode(path, mode, problem);
    if (may != TRN_RESULT_OK) {
        return may;
    }
    SqliteStorage *made = sqlite_new(path, mode);
    if (!made) {
        trn_sqlite_describe(path, SQLITE_NOMEM, "", problem);
        return TRN_RESULT_NO_MEMORY;
    }
    bool is_newer = false;
    const int code = sqlite_open_writer(made, &is_newer);
    if (code != SQLITE_OK) {
        trn_sqlite_describe(path, code, sqlite3_errstr(code), problem);
        const char *const why =
            is_newer ? "a newer version of Terrane wrote this world; update this program."
            : (code == SQLITE_NOTADB || trn_sqlite_kind(code) == SQLITE_READONLY) &&
                    sqlite_is_empty(path)
                ? "it is not a world of Terrane yet, but empty; make it again."
                : NULL;
        if (why && problem) {
            (void)snprintf(problem->sentence, sizeof problem->sentence, "%s: %s", path, why);
        }
        made->has_failed = true;
        sqlite_close(made);
        return trn_sqlite_result(code);
    }
    *storage = (TrnStorage){.get = sqlite_get,
                            .list = sqlite_list,
                            .values = sqlite_values,
                            .put = sqlite_put,
                            .watch = made->is_read_only ? sqlite_watch : NULL,
                            .problem = sqlite_problem,
                            .close = sqlite_close,
                            .user = made};
    return TRN_RESULT_OK;
}

// ---- work on the whole file --------------------------------------------------------------------

#define STORAGE_PROGRESS_STEPS 10000 // of SQLite's machine between two calls

/// Lets a progress stop what a connection runs.
static int sqlite_step_blind(void *user)
{
    const TrnStorageProgress *progress = user;
    return !progress->step(progress->user, 0, 0);
}

static void sqlite_watch_run(sqlite3 *db, const TrnStorageProgress *progress)
{
    sqlite3_progress_handler(db, progress ? STORAGE_PROGRESS_STEPS : 0,
                             progress ? sqlite_step_blind : NULL, (void *)progress);
}

/// Copies a database as it is now. Writes go on meanwhile: an open read transaction keeps what they
/// replace, without which each of them would start the copy again.
static int sqlite_copy(sqlite3 *from, sqlite3 *to, const TrnStorageProgress *progress)
{
    int code = trn_sqlite_run(from, "BEGIN; SELECT 1 FROM world");
    if (code != SQLITE_OK) {
        return code;
    }
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
    if (backup) {
        do {
            code = sqlite3_backup_step(backup, STORAGE_BACKUP_PAGES);
            const int total = sqlite3_backup_pagecount(backup);
            const int done = total - sqlite3_backup_remaining(backup);
            if (code == SQLITE_OK && progress &&
                !progress->step(progress->user, (uint64_t)done, (uint64_t)total)) {
                code = SQLITE_INTERRUPT;
            }
        } while (code == SQLITE_OK);
        const int end = sqlite3_backup_finish(backup);
        code = code == SQLITE_DONE ? end : code;
    } else {
        code = sqlite3_errcode(to);
    }
    (void)trn_sqlite_run(from, "ROLLBACK");
    return code;
}

/// Copies a database into a new file. @return a code of SQLite
static int sqlite_copy_to(sqlite3 *from, const char *path, const TrnStorageProgress *progress)
{
    sqlite3 *to = NULL;
    int code = trn_sqlite_connect(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &to);
    code = code == SQLITE_OK ? sqlite_copy(from, to, progress) : code;
    const int closed = sqlite3_close(to);
    return code == SQLITE_OK ? closed : code;
}

TrnResult trn_storage_sqlite_backup(const TrnStorage *storage, const char *path,
                                    const TrnStorageProgress *progress, TrnStorageProblem *problem)
{
    if (!storage || storage->get != sqlite_get || !path || !*path) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    char *part;
    TrnResult result = trn_part_begin(path, &part, problem);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    SqliteStorage *from = storage->user;
    SqliteLink *link = sqlite_take_reader(from, &result);
    if (link) {
        const int code = sqlite_copy_to(link->db, part, progress);
        result = trn_sqlite_result(code);
        sqlite_give_reader(from, link);
        if (code != SQLITE_OK) {
            trn_sqlite_describe(path, code, sqlite3_errstr(code), problem);
        }
    } else if (problem) {
        sqlite_problem(from, problem->sentence, sizeof problem->sentence);
    }
    return trn_part_end(part, path, result, problem);
}

TrnResult trn_storage_sqlite_check(const TrnStorage *storage, const TrnStorageProgress *progress,
                                   TrnStorageFaultVisitor visit, void *visitor)
{
    if (!storage || storage->get != sqlite_get || !visit) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnResult result = TRN_RESULT_OK;
    SqliteStorage *checked = storage->user;
    SqliteLink *link = sqlite_take_reader(checked, &result);
    if (!link) {
        return result;
    }
    sqlite3_stmt *statement = NULL;
    sqlite_watch_run(link->db, progress);
    int code = trn_sqlite_prepare(link->db, "PRAGMA integrity_check(1000)", &statement);
    while (code == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        const char *const text = (const char *)sqlite3_column_text(statement, 0);
        if (text && strcmp(text, "ok") != 0) {
            visit(visitor, text);
        }
    }
    const int end = sqlite3_finalize(statement);
    sqlite_watch_run(link->db, NULL);
    return sqlite_end_read(checked, link, code == SQLITE_OK ? end : code);
}

TrnResult trn_storage_sqlite_compact(const TrnStorage *storage, const TrnStorageProgress *progress,
                                     TrnStorageProblem *problem)
{
    if (!storage || storage->get != sqlite_get) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    SqliteStorage *packed = storage->user;
    sqlite3 *const db = packed->writer.db;
    int code = SQLITE_READONLY;
    if (!packed->is_read_only) {
        sqlite_watch_run(db, progress);
        code = trn_sqlite_run(db, "VACUUM");
        sqlite_watch_run(db, NULL);
        // Others who read keep the log; then the space is given back when they have closed.
        (void)trn_sqlite_run(db, "PRAGMA wal_checkpoint(TRUNCATE)");
    }
    if (code != SQLITE_OK) {
        trn_sqlite_describe(packed->path, code, sqlite3_errstr(code), problem);
    }
    return trn_sqlite_result(code);
}
