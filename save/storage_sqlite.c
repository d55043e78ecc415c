// A storage in an SQLite database. One connection writes. Reads take a connection of their own from
// a list, so that they neither wait for each other nor, thanks to the write-ahead log, for a write.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>
#include <terrane/storage.h>

#include "base/thread.h"
#include "sqlite_link.h"
#include "sqlite_schema.h"
#include "storage_part.h"

#define STORAGE_READERS_KEPT 16
#define STORAGE_BACKUP_PAGES 256

/// A connection with its statements, each prepared at its first use.
typedef struct SqliteLink {
    sqlite3 *db;
    sqlite3_stmt *get, *list, *column, *values;
    sqlite3_stmt *put, *drop, *put_value, *put_new_value, *drop_value; ///< of the writer
    TrnSqliteWork work;                                                ///< of a reader
} SqliteLink;

typedef struct SqliteStorage {
    char *path;        ///< as the caller wrote it
    TrnHeldFile *held; ///< until SQLite has closed the file
    bool is_read_only, may_create;
    TrnSqliteUse read_use;       ///< of the connections that read
    TrnStorageProgress may_read; ///< stops reads; without a step: nothing does
    bool is_empty;               ///< this call created it, and nothing has been put into it yet
    bool has_failed;             ///< to open, or to put: an empty file is removed then
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
    if (!link) {
        link = calloc(1, sizeof *link);
    }
    if (!link) {
        *result = TRN_RESULT_NO_MEMORY;
        return NULL;
    }
    const int code =
        link->db ? SQLITE_OK
                 : trn_sqlite_connect(trn_held_path(storage->held), storage->read_use, &link->db);
    if (code == SQLITE_OK) {
        trn_sqlite_work_begin(&link->work, link->db, &storage->may_read);
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
        const void *bytes = sqlite3_column_blob(statement, 5);
        const TrnStorageRow row = {
            .key = {.coord = {sqlite3_column_int(statement, 1), sqlite3_column_int(statement, 2),
                              sqlite3_column_int(statement, 3)},
                    .level = (uint32_t)sqlite3_column_int(statement, 0)},
            .revision = (uint64_t)sqlite3_column_int64(statement, 4),
            .bytes = bytes ? bytes : "", // an empty blob has no address, which would mean no row
            .size = bytes ? (size_t)sqlite3_column_bytes(statement, 5) : 0};
        *is_stopped = !visit(visitor, &row);
    }
    const int reset = sqlite3_reset(statement);
    return *is_stopped ? SQLITE_OK : reset;
}

/// Notes a failure, and returns the connection. @return the result for the code
static TrnResult sqlite_end_read(SqliteStorage *storage, SqliteLink *link, int code)
{
    const TrnResult result = sqlite_fail(storage, link->db, trn_sqlite_work_end(&link->work, code));
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
                                            "AND z BETWEEN ?6 AND ?7 AND revision >= ?8";
    static const char column[] = STORAGE_LIST "AND x = ?2 AND ?2 = ?3 AND y BETWEEN ?4 AND ?5 "
                                              "AND z = ?6 AND ?6 = ?7 AND revision >= ?8";
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
        // If all are wanted, also those whose revision is none of ours.
        const uint64_t since = range->since < INT64_MAX ? range->since : INT64_MAX - 1;
        (void)sqlite3_bind_int64(list, 8, since ? (sqlite3_int64)since + 1 : INT64_MIN);
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
        if ((size_t)sqlite3_column_bytes(statement, 0) != strlen(value.name) ||
            strlen(value.name) > TRN_STORAGE_NAME_MAX) {
            (void)sqlite3_reset(statement);
            return SQLITE_CORRUPT;
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
    if (storage->is_empty && storage->has_failed) {
        trn_held_remove(storage->held); // a part of a world is none
    }
    trn_held_close(storage->held);
    trn_mutex_destroy(&storage->mutex);
    free(storage->path);
    free(storage);
}

/// How a file that is held for reading is read: while no process has it open for writing, nothing
/// is made beside it.
static TrnSqliteUse sqlite_look(const TrnHeldFile *held)
{
    return trn_held_share(held) ? TRN_SQLITE_STILL : TRN_SQLITE_SHARE;
}

/// Reads what a file is, without a change to it or beside it.
/// @param is_empty  receives whether nothing was ever put into it, as into the file of a program
///                  that was killed while it made a world
static int sqlite_inspect(const TrnHeldFile *held, TrnSqliteUse use, TrnSqliteSchema *schema,
                          bool *is_empty)
{
    TrnSqliteWork work = {0};
    sqlite3 *db = NULL;
    int code = trn_sqlite_connect(trn_held_path(held), use, &db);
    if (code == SQLITE_OK) {
        trn_sqlite_work_begin(&work, db, NULL);
        code = trn_sqlite_schema_read(db, schema);
        code = code == SQLITE_OK ? trn_sqlite_schema_is_empty(db, *schema, is_empty) : code;
        code = trn_sqlite_work_end(&work, code);
    }
    (void)sqlite3_close(db);
    return code;
}

/// Whether a file may be used. @param why  receives what is wrong, if it is not for the code to say
static int sqlite_accept(TrnSqliteSchema schema, bool may_create, const char **why)
{
    switch (schema) {
    case TRN_SCHEMA_WORLD:
        return SQLITE_OK;
    case TRN_SCHEMA_BARE:
        *why = may_create ? NULL : "it is not a world of Terrane yet, but empty; make it again.";
        return may_create ? SQLITE_OK : SQLITE_NOTADB;
    case TRN_SCHEMA_NEWER:
        *why = "a newer version of Terrane wrote this world; update this program.";
        return SQLITE_NOTADB;
    case TRN_SCHEMA_CHANGED:
        *why = "another program has changed its tables; 'terrane repair' copies the chunks into a "
               "new file.";
        return SQLITE_CORRUPT;
    default:
        return SQLITE_NOTADB;
    }
}

static int sqlite_open_reader(SqliteStorage *storage)
{
    storage->read_use = sqlite_look(storage->held);
    return trn_sqlite_connect(trn_held_path(storage->held), storage->read_use, &storage->writer.db);
}

static int sqlite_open_writer(SqliteStorage *storage)
{
    storage->read_use = TRN_SQLITE_SHARE;
    const int code =
        trn_sqlite_connect(trn_held_path(storage->held), TRN_SQLITE_WRITE, &storage->writer.db);
    // SQLite opens a file that may not be written for reading, without a word.
    return code == SQLITE_OK && sqlite3_db_readonly(storage->writer.db, "main") == 1
               ? SQLITE_READONLY
               : code;
}

/// Opens the file, and checks what it is. @param why  as sqlite_accept
static int sqlite_open(SqliteStorage *storage, const char **why)
{
    TrnSqliteSchema schema = TRN_SCHEMA_WORLD;
    TrnSqliteWork work = {0};
    bool is_empty;
    int code = SQLITE_OK;
    // When SQLite opens a file for writing, it copies the log into it. Check first that the file is
    // a world.
    if (!storage->is_read_only) {
        code = sqlite_inspect(storage->held, TRN_SQLITE_STILL, &schema, &is_empty);
        code = code == SQLITE_OK ? sqlite_accept(schema, storage->may_create, why) : code;
    }
    if (code == SQLITE_OK) {
        code = storage->is_read_only ? sqlite_open_reader(storage) : sqlite_open_writer(storage);
    }
    sqlite3 *const db = storage->writer.db;
    if (code == SQLITE_OK) {
        trn_sqlite_work_begin(&work, db, NULL);
        code = trn_sqlite_schema_read(db, &schema);
        code = code == SQLITE_OK ? sqlite_accept(schema, storage->may_create, why) : code;
        code = trn_sqlite_work_end(&work, code);
    }
    if (code == SQLITE_OK && !storage->is_read_only) {
        code = trn_sqlite_schema_prepare(db, schema);
    }
    return code == SQLITE_OK && !trn_pages_are_checked(db) ? SQLITE_CORRUPT : code;
}

/// Whether nothing was ever put into a file that may be in use.
static bool sqlite_holds_nothing(const char *path)
{
    TrnHeldFile *held;
    TrnSqliteSchema schema;
    bool is_empty = false;
    if (trn_held_open(path, TRN_HELD_READ, &held, NULL) != TRN_RESULT_OK) {
        return false;
    }
    const int code = sqlite_inspect(held, sqlite_look(held), &schema, &is_empty);
    trn_held_close(held);
    return code == SQLITE_OK && is_empty;
}

/// Creates the file of a world, and holds it. It has its name when it is on the disk, since a loss
/// of power within its first page would leave a file that is none.
static TrnResult sqlite_create(SqliteStorage *storage, TrnStorageProblem *problem)
{
    TrnStoragePart *part;
    const TrnResult result = trn_storage_part_begin(storage->path, &part, problem);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    sqlite3 *db = NULL;
    int code = trn_sqlite_connect(trn_storage_part_path(part), TRN_SQLITE_WRITE, &db);
    code = code == SQLITE_OK ? trn_sqlite_schema_prepare(db, TRN_SCHEMA_BARE) : code;
    const int closed = sqlite3_close(db);
    code = code == SQLITE_OK ? closed : code;
    if (code != SQLITE_OK) {
        trn_sqlite_describe(storage->path, code, sqlite3_errstr(code), problem);
    }
    return trn_storage_part_keep(part, trn_sqlite_result(code), &storage->held, problem);
}

/// Holds the file, and creates it if the mode says so. @param problem  written on failure alone
static TrnResult sqlite_hold(SqliteStorage *storage, TrnStorageMode mode,
                             TrnStorageProblem *problem)
{
    const TrnHeldMode old = storage->is_read_only ? TRN_HELD_READ : TRN_HELD_WRITE;
    TrnStorageProblem why = {""};
    TrnResult result = mode == TRN_STORAGE_CREATE
                           ? TRN_RESULT_NOT_FOUND
                           : trn_held_open(storage->path, old, &storage->held, &why);
    if (result == TRN_RESULT_NOT_FOUND && storage->may_create) {
        result = sqlite_create(storage, &why);
        storage->is_empty = result == TRN_RESULT_OK;
    }
    if (result == TRN_RESULT_EXISTS && // another may have created it just now
        (mode == TRN_STORAGE_EITHER || sqlite_holds_nothing(storage->path))) {
        result = trn_held_open(storage->path, old, &storage->held, &why);
    }
    if (result != TRN_RESULT_OK && problem) {
        *problem = why;
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
    SqliteStorage *made = sqlite_new(path, mode);
    if (!made) {
        trn_sqlite_describe(path, SQLITE_NOMEM, "", problem);
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnResult held = sqlite_hold(made, mode, problem);
    if (held != TRN_RESULT_OK) {
        sqlite_close(made);
        return held;
    }
    const char *why = NULL;
    const int code = sqlite_open(made, &why);
    if (code != SQLITE_OK) {
        trn_sqlite_describe(path, code, sqlite3_errstr(code), problem);
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

bool trn_storage_sqlite_is_in_use(const char *path)
{
    TrnHeldFile *held;
    if (!path || trn_held_open(path, TRN_HELD_READ, &held, NULL) != TRN_RESULT_OK) {
        return false;
    }
    const bool is_in_use = trn_held_is_locked(held);
    trn_held_close(held);
    return is_in_use;
}

// ---- work on the whole file --------------------------------------------------------------------

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
    int code = trn_sqlite_connect(path, TRN_SQLITE_WRITE, &to);
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
    TrnStoragePart *part;
    TrnResult result = trn_storage_part_begin(path, &part, problem);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    SqliteStorage *from = storage->user;
    SqliteLink *link = sqlite_take_reader(from, &result);
    if (link) {
        const int code = trn_sqlite_work_end(
            &link->work, sqlite_copy_to(link->db, trn_storage_part_path(part), progress));
        result = trn_sqlite_result(code);
        sqlite_give_reader(from, link);
        if (code != SQLITE_OK) {
            trn_sqlite_describe(path, code, sqlite3_errstr(code), problem);
        }
    } else if (problem) {
        sqlite_problem(from, problem->sentence, sizeof problem->sentence);
    }
    return trn_storage_part_end(part, result, problem);
}

TrnResult trn_storage_sqlite_watch_reads(const TrnStorage *storage, TrnStorageProgress progress)
{
    if (!storage || storage->get != sqlite_get) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    ((SqliteStorage *)storage->user)->may_read = progress;
    return TRN_RESULT_OK;
}

/// Rows that no call finds, or that say what no world has.
#define STORAGE_STRAYS                                                                             \
    "SELECT count(*) FROM chunks WHERE typeof(level) <> 'integer' OR typeof(x) <> 'integer' OR "   \
    "typeof(y) <> 'integer' OR typeof(z) <> 'integer' OR typeof(revision) <> 'integer' OR "        \
    "typeof(row) <> 'blob' OR level NOT BETWEEN 0 AND 12 OR "                                      \
    "x NOT BETWEEN -2147483648 AND 2147483647 OR y NOT BETWEEN -2147483648 AND 2147483647 OR "     \
    "z NOT BETWEEN -2147483648 AND 2147483647 OR revision NOT BETWEEN 0 AND 4611686018427387904"

TrnResult trn_storage_sqlite_count_strays(const TrnStorage *storage, uint64_t *count)
{
    if (!storage || storage->get != sqlite_get || !count) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnResult result = TRN_RESULT_OK;
    SqliteStorage *counted = storage->user;
    SqliteLink *link = sqlite_take_reader(counted, &result);
    if (!link) {
        return result;
    }
    sqlite3_int64 strays = 0;
    result = sqlite_end_read(counted, link, trn_sqlite_number(link->db, STORAGE_STRAYS, &strays));
    *count = result == TRN_RESULT_OK ? (uint64_t)strays : *count;
    return result;
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
    trn_sqlite_work_begin(&link->work, link->db, progress);
    int code = trn_sqlite_prepare(link->db, "PRAGMA integrity_check(1000)", &statement);
    while (code == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        const char *const text = (const char *)sqlite3_column_text(statement, 0);
        if (text && strcmp(text, "ok") != 0) {
            visit(visitor, text);
        }
    }
    const int end = sqlite3_finalize(statement);
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
        TrnSqliteWork work = {0};
        trn_sqlite_work_begin(&work, db, progress);
        code = trn_sqlite_work_end(&work, trn_sqlite_run(db, "VACUUM"));
        // Others who read keep the log; then the space is given back when they have closed.
        (void)trn_sqlite_run(db, "PRAGMA wal_checkpoint(TRUNCATE)");
    }
    if (code != SQLITE_OK) {
        trn_sqlite_describe(packed->path, code, sqlite3_errstr(code), problem);
    }
    return trn_sqlite_result(code);
}

// ---- names -------------------------------------------------------------------------------------

bool trn_storage_is_url(const char *name)
{
    static const char *const schemes[] = {"postgresql://", "postgres://"};
    for (size_t i = 0; name && i < sizeof schemes / sizeof *schemes; i++) {
        if (strncmp(name, schemes[i], strlen(schemes[i])) == 0) {
            return true;
        }
    }
    return false;
}

TrnResult trn_storage_open(const char *name, TrnStorageMode mode, TrnStorage *storage,
                           TrnStorageProblem *problem)
{
    if (!trn_storage_is_url(name)) {
        return trn_storage_sqlite(name, mode, storage, problem);
    }
    if (problem) { // without the URL, which may hold a password
        (void)snprintf(problem->sentence, sizeof problem->sentence,
                       "This program opens worlds in files, and none in a database.");
    }
    return TRN_RESULT_BAD_ARGUMENT;
}
