/// Worlds that a stranger made with SQL, and what lies beside them: rows, values, schemas, logs,
/// journals, links, pipes. An input chooses changes, then the world is opened for reading, checked,
/// copied, repaired, and opened for writing. Each is refused with a sentence, or what it says
/// holds: reading changes nothing; writing changes only the world; no other file is changed or
/// removed; a repaired world opens; what is saved in a world that opens is read again.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): mkdtemp
#include <dirent.h>
#include <sys/stat.h>

#include <sqlite3.h>
#include <terrane/repair.h>
#include <xxhash.h>

#include "fuzz_world.h"
#include "row.h"
#include "sqlite_link.h"

#define FOLDER_FILES 16
#define SQL_BYTES 512
#define SQL_STEPS 1000      // of SQLite's machine between two calls
#define SQL_CALLS 100       // until a statement is ended
#define CHANGES_MAX 24      // of an input
#define SIDE_BYTES_MAX 8192 // of a file beside the world
#define PAGES_MAX 256
#define ROWS (FUZZ_WORLD_CHUNKS + 1) // the last has block data

#define CHOOSE(program, list) ((list)[fuzz_below(program, sizeof(list) / sizeof *(list))])

/// A file of the folder.
typedef struct Entry {
    char name[48];
    mode_t mode;
    off_t size;
    uint64_t hash;
} Entry;

typedef struct Folder {
    Entry entries[FOLDER_FILES]; ///< [count] by name
    int count;
} Folder;

typedef struct HostileFuzz {
    FuzzWorld world;
    sqlite3 *db;
    uint8_t *rows[ROWS]; ///< as they were saved
    size_t row_bytes[ROWS];
    int calls; ///< of the statement that runs
    bool
        keeps_pages; ///< pages, schema, log are SQLite's own: only rows and values are a stranger's
    bool is_repaired; ///< repaired and copied too
} HostileFuzz;

static HostileFuzz hostile;

static TrnStorageKey key_of_row(uint32_t i)
{
    return i < FUZZ_WORLD_CHUNKS ? fuzz_world_key(i) : (TrnStorageKey){{7, 7, 7}, 0};
}

// ---- the folder --------------------------------------------------------------------------------

static int compare_entries(const void *left, const void *right)
{
    return strcmp(((const Entry *)left)->name, ((const Entry *)right)->name);
}

static uint64_t hash_entry(const char *path, const Entry *entry)
{
    uint64_t hash = 0;
    char target[FUZZ_PATH_BYTES] = "";
    if (S_ISLNK(entry->mode)) {
        const ssize_t length = readlink(path, target, sizeof target);
        return length > 0 ? XXH3_64bits(target, (size_t)length) : 0;
    }
    if (S_ISREG(entry->mode) && entry->size > 0) {
        FuzzWorldFile file;
        fuzz_world_read_file(path, &file);
        hash = XXH3_64bits(file.bytes, file.size);
        free(file.bytes);
    }
    return hash;
}

static void look_at_folder(Folder *folder)
{
    DIR *directory = opendir(hostile.world.folder);
    FUZZ_REQUIRE(directory);
    folder->count = 0;
    for (struct dirent *found; (found = readdir(directory));) {
        char path[FUZZ_PATH_BYTES];
        struct stat facts;
        if (strcmp(found->d_name, ".") == 0 || strcmp(found->d_name, "..") == 0) {
            continue;
        }
        FUZZ_REQUIRE(folder->count < FOLDER_FILES);
        Entry *entry = &folder->entries[folder->count++];
        (void)snprintf(entry->name, sizeof entry->name, "%.47s", found->d_name);
        fuzz_path(path, hostile.world.folder, entry->name);
        FUZZ_REQUIRE(lstat(path, &facts) == 0);
        entry->mode = facts.st_mode;
        entry->size = S_ISREG(facts.st_mode) ? facts.st_size : 0;
        entry->hash = hash_entry(path, entry);
    }
    (void)closedir(directory);
    qsort(folder->entries, (size_t)folder->count, sizeof folder->entries[0], compare_entries);
}

/// Whether a name is the world's, or of a file that SQLite keeps beside it, also behind a link.
static bool is_worlds(const char *name)
{
    static const char *const names[] = {"a.world", "a.world-wal", "a.world-shm",
                                        "real",    "real-wal",    "real-shm"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool may_change(const Entry *entry)
{
    return is_worlds(entry->name) && S_ISREG(entry->mode);
}

/// Whether a folder has the files that it had. @param is_written  those of the world may differ
static void check_folder(const Folder *before, bool is_written)
{
    Folder after;
    look_at_folder(&after);
    int i = 0, k = 0;
    while (i < before->count || k < after.count) {
        const Entry *was = i < before->count ? &before->entries[i] : NULL;
        const Entry *is = k < after.count ? &after.entries[k] : NULL;
        const int order = !was ? 1 : !is ? -1 : strcmp(was->name, is->name);
        const bool is_same =
            order == 0 && was->mode == is->mode && was->size == is->size && was->hash == is->hash;
        if (!is_same &&
            !(is_written && (order > 0 || may_change(was)) && (order < 0 || may_change(is)))) {
            (void)fprintf(stderr, "%s: created, changed or removed\n",
                          order <= 0 ? was->name : is->name);
            abort();
        }
        i += order <= 0;
        k += order >= 0;
    }
}

static void empty_folder(void)
{
    Folder folder;
    look_at_folder(&folder);
    for (int i = 0; i < folder.count; i++) {
        char path[FUZZ_PATH_BYTES];
        fuzz_path(path, hostile.world.folder, folder.entries[i].name);
        FUZZ_REQUIRE(remove(path) == 0);
    }
}

// ---- SQL ---------------------------------------------------------------------------------------

static int count_calls(void *user)
{
    (void)user;
    return ++hostile.calls > SQL_CALLS;
}

/// Allows what changes this database. Other statements change the process, or other files.
static int authorize(void *user, int action, const char *first, const char *second,
                     const char *database, const char *trigger)
{
    static const char *const pragmas[] = {"user_version",    "application_id", "journal_mode",
                                          "writable_schema", "encoding",       "auto_vacuum",
                                          "wal_checkpoint",  "schema_version"};
    (void)user, (void)database, (void)trigger;
    for (size_t i = 0; action == SQLITE_PRAGMA && i < sizeof pragmas / sizeof *pragmas; i++) {
        if (sqlite3_stricmp(first, pragmas[i]) == 0) {
            return SQLITE_OK;
        }
    }
    const bool loads = action == SQLITE_FUNCTION && sqlite3_stricmp(second, "load_extension") == 0;
    return action == SQLITE_PRAGMA || action == SQLITE_ATTACH || loads ? SQLITE_DENY : SQLITE_OK;
}

static void open_sql(bool keeps_log)
{
    FUZZ_REQUIRE(trn_pages_register() == SQLITE_OK);
    FUZZ_REQUIRE(sqlite3_open_v2(hostile.world.file, &hostile.db, SQLITE_OPEN_READWRITE,
                                 TRN_PAGES_VFS) == SQLITE_OK);
    (void)sqlite3_exec(hostile.db,
                       "PRAGMA max_page_count = 256; PRAGMA cache_size = 64; "
                       "PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0",
                       NULL, NULL, NULL);
    (void)sqlite3_db_config(hostile.db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps_log, NULL);
    (void)sqlite3_limit(hostile.db, SQLITE_LIMIT_LENGTH, PAGES_MAX * 4096);
    (void)sqlite3_limit(hostile.db, SQLITE_LIMIT_ATTACHED, 0);
    (void)sqlite3_set_authorizer(hostile.db, authorize, NULL);
    sqlite3_progress_handler(hostile.db, SQL_STEPS, count_calls, NULL);
}

/// Runs a text, which may be nonsense.
static void run_sql(const char *text)
{
    hostile.calls = 0;
    (void)sqlite3_exec(hostile.db, text, NULL, NULL, NULL);
}

static const char *const literals[] = {"0",
                                       "1",
                                       "-1",
                                       "2",
                                       "12",
                                       "13",
                                       "65536",
                                       "2147483647",
                                       "-2147483648",
                                       "4294967296",
                                       "4611686018427387903",
                                       "4611686018427387904",
                                       "9223372036854775807",
                                       "(-9223372036854775807 - 1)",
                                       "1e300",
                                       "-0.5",
                                       "''",
                                       "'a'",
                                       "x''",
                                       "x'00'",
                                       "x'0100000000000000'",
                                       "x'ffffffffffffff3f'",
                                       "x'ffffffffffffffff'",
                                       "x'01000000'",
                                       "x'02000000'",
                                       "x'03000000'",
                                       "zeroblob(70000)",
                                       "CAST('terrane:stone' AS BLOB)",
                                       "CAST('terrane:air' AS BLOB)",
                                       "CAST('odd:block' AS BLOB)",
                                       "CAST('seed 2' AS BLOB)"};

static const char *const names[] = {"terrane/format",
                                    "terrane/revision",
                                    "terrane/land",
                                    "terrane/bound",
                                    "terrane/folded",
                                    "terrane/block/00001",
                                    "terrane/block/00002",
                                    "terrane/block/65535",
                                    "terrane/block/00000",
                                    "terrane/block/1",
                                    "terrane/block/",
                                    "terrane/pending/-16,0,0",
                                    "terrane/pending/1,2,3",
                                    "terrane/pending/1,2",
                                    "terrane/quarantine/0/1,2,3",
                                    "terrane/copying",
                                    "game/spawn",
                                    "game/terrane/seed",
                                    ""};

static const char *const columns[] = {"level", "x", "y", "z", "revision", "row", "rowid"};
static const char *const conditions[] = {"1",     "x = -2",    "level = 1", "rowid = 3",
                                         "x > 0", "rowid % 2", "y = 0"};

/// Changes columns, or adds or removes rows.
static void change_rows(FuzzProgram *program)
{
    char text[SQL_BYTES];
    const char *column = CHOOSE(program, columns), *literal = CHOOSE(program, literals);
    const char *condition = CHOOSE(program, conditions);
    switch (fuzz_below(program, 5)) {
    case 0:
        (void)snprintf(text, sizeof text, "DELETE FROM chunks WHERE %s", condition);
        break;
    case 1:
        (void)snprintf(text, sizeof text,
                       "INSERT OR IGNORE INTO chunks SELECT level, x + %s, y, z, revision, row "
                       "FROM chunks WHERE %s",
                       literal, condition);
        break;
    case 2:
        (void)snprintf(text, sizeof text, "UPDATE OR IGNORE chunks SET %s = %s + %s WHERE %s",
                       column, column, literal, condition);
        break;
    default:
        (void)snprintf(text, sizeof text, "UPDATE OR IGNORE chunks SET %s = %s WHERE %s", column,
                       literal, condition);
    }
    run_sql(text);
}

static void change_values(FuzzProgram *program)
{
    char text[SQL_BYTES];
    const char *name = CHOOSE(program, names), *other = CHOOSE(program, names);
    const char *literal = CHOOSE(program, literals);
    switch (fuzz_below(program, 5)) {
    case 0:
        (void)snprintf(text, sizeof text, "DELETE FROM world WHERE name = '%s'", name);
        break;
    case 1:
        (void)snprintf(text, sizeof text,
                       "INSERT OR REPLACE INTO world SELECT '%s', value FROM world WHERE "
                       "name = '%s'",
                       name, other);
        break;
    case 2:
        (void)snprintf(text, sizeof text,
                       "UPDATE world SET value = CAST(value || %s AS BLOB) WHERE name = '%s'",
                       literal, name);
        break;
    default:
        (void)snprintf(text, sizeof text, "INSERT OR REPLACE INTO world VALUES ('%s', %s)", name,
                       literal);
    }
    run_sql(text);
}

/// Changes bytes of a row as it was saved, and its checksum with them.
static void change_bytes(FuzzProgram *program)
{
    const uint32_t i = fuzz_below(program, ROWS);
    const TrnStorageKey key = key_of_row(i);
    size_t size = hostile.row_bytes[i];
    uint8_t *row = malloc(size + 16);
    FUZZ_REQUIRE(row);
    memcpy(row, hostile.rows[i], size);
    memset(row + size, 0, 16);
    for (uint32_t k = fuzz_below(program, 8) + 1; k; k--) {
        const bool in_header = fuzz_below(program, 2);
        row[fuzz_number(program, 2) % (in_header ? TRN_ROW_HEADER_BYTES : size)] =
            (uint8_t)fuzz_number(program, 1);
    }
    size += fuzz_below(program, 8) ? 0 : 16;
    trn_row_seal(row, size);
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(hostile.db,
                           "UPDATE chunks SET row = ?1 WHERE level = ?2 AND x = ?3 AND y = ?4", -1,
                           &statement, NULL) == SQLITE_OK) {
        (void)sqlite3_bind_blob(statement, 1, row, (int)size, SQLITE_TRANSIENT);
        (void)sqlite3_bind_int64(statement, 2, key.level);
        (void)sqlite3_bind_int64(statement, 3, key.coord.x);
        (void)sqlite3_bind_int64(statement, 4, key.coord.y);
        hostile.calls = 0;
        (void)sqlite3_step(statement);
    }
    (void)sqlite3_finalize(statement);
    free(row);
}

static void change_schema(FuzzProgram *program)
{
    static const char *const statements[] = {
        "CREATE VIEW v AS SELECT 1",
        "CREATE VIEW n AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT *",
        "CREATE TRIGGER t AFTER INSERT ON chunks BEGIN DELETE FROM world; END",
        "CREATE TABLE other (a)",
        "CREATE INDEX i ON chunks (x)",
        "CREATE VIRTUAL TABLE v USING rtree(a, b, c)",
        "DROP INDEX world_again",
        "DROP TABLE world",
        "DROP TABLE chunks",
        "ALTER TABLE chunks ADD COLUMN more",
        "ALTER TABLE chunks RENAME TO c",
        "ANALYZE",
        "REINDEX",
        "PRAGMA user_version = 0",
        "PRAGMA user_version = 2",
        "PRAGMA application_id = 0",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA journal_mode = WAL",
        "PRAGMA wal_checkpoint",
        "PRAGMA schema_version = 1",
        "UPDATE sqlite_schema SET sql = replace(sql, 'BLOB NOT NULL', 'BLOB AS (x)')",
        "UPDATE sqlite_schema SET sql = NULL WHERE name = 'world_again'",
        "UPDATE sqlite_schema SET type = 'view' WHERE name = 'chunks'",
        "UPDATE sqlite_schema SET rootpage = rootpage % 4 + 2",
        "UPDATE sqlite_schema SET rootpage = 0",
        "UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'world'",
        "UPDATE sqlite_schema SET rootpage = 2147483647",
        "UPDATE sqlite_schema SET name = 'x' || name, tbl_name = 'x' || tbl_name",
        "INSERT INTO sqlite_schema SELECT * FROM sqlite_schema",
        "DELETE FROM sqlite_schema WHERE name = 'sqlite_autoindex_chunks_1'"};
    hostile.keeps_pages = false;
    (void)sqlite3_exec(hostile.db, "PRAGMA writable_schema = ON", NULL, NULL, NULL);
    run_sql(CHOOSE(program, statements));
}

/// Runs a text of the input.
static void change_anything(FuzzProgram *program)
{
    char text[SQL_BYTES / 2 + 1];
    const uint32_t wanted = fuzz_number(program, 1);
    const size_t left = (size_t)(program->end - program->at);
    const size_t size = wanted < left ? wanted : left;
    memcpy(text, program->at, size);
    text[size] = '\0';
    program->at += size;
    hostile.keeps_pages = false;
    run_sql(text);
}

// ---- files beside it ---------------------------------------------------------------------------

/// Writes a hot journal, which names a file to remove.
static void write_journal(const char *path, const char *victim)
{
    static const uint8_t magic[] = {0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7};
    uint8_t bytes[1024] = {0};
    const size_t length = strlen(victim);
    uint32_t sum = 0;
    memcpy(bytes, magic, sizeof magic);
    bytes[22] = 2;    // sectors of 512 bytes
    bytes[26] = 0x10; // pages of 4096
    bytes[512 + 1] = 4;
    bytes[512 + 3] = 1; // the page of a super-journal's name
    for (size_t i = 0; i < length; i++) {
        bytes[516 + i] = (uint8_t)victim[i];
        sum += (uint8_t)victim[i];
    }
    for (int i = 0; i < 4; i++) {
        bytes[516 + length + (size_t)i] = (uint8_t)((uint32_t)length >> (24 - 8 * i));
        bytes[520 + length + (size_t)i] = (uint8_t)(sum >> (24 - 8 * i));
    }
    memcpy(bytes + 524 + length, magic, sizeof magic);
    fuzz_write_file(path, bytes, 532 + length);
}

/// Overwrites bytes of a file, or writes one of the input's bytes.
static void write_side(FuzzProgram *program, const char *path)
{
    FILE *file = fopen(path, "r+b");
    const bool is_old = file != NULL;
    if (!file) {
        file = fopen(path, "wb");
    }
    if (!file) {
        return;
    }
    const long at = is_old ? (long)(fuzz_number(program, 2) % SIDE_BYTES_MAX) : 0;
    (void)fseek(file, at, SEEK_SET);
    for (uint32_t k = fuzz_below(program, 64); k && fuzz_has_more(program); k--) {
        (void)fputc((int)fuzz_number(program, 1), file);
    }
    (void)fclose(file);
}

/// Puts something beside the world, or in its place. SQLite has closed it.
static void change_files(FuzzProgram *program)
{
    static const char *const sides[] = {
        "a.world-journal", "a.world-wal", "a.world-shm",  "real",
        "real-wal",        "real-shm",    "real-journal", "a.world"};
    char path[FUZZ_PATH_BYTES], keep[FUZZ_PATH_BYTES], real[FUZZ_PATH_BYTES];
    const char *side = CHOOSE(program, sides);
    const uint32_t kind = fuzz_below(program, 8);
    fuzz_path(path, hostile.world.folder, side);
    fuzz_path(keep, hostile.world.folder, "keep");
    fuzz_path(real, hostile.world.folder, "real");
    hostile.keeps_pages = false;
    if (kind < 3) {
        write_side(program, path);
        return;
    }
    if (strcmp(side, "a.world") == 0 && rename(path, real) != 0) {
        return;
    }
    switch (kind) {
    case 3:
        (void)symlink(strcmp(side, "a.world") == 0 ? "real" : keep, path);
        break;
    case 4:
        (void)mkfifo(path, 0600);
        break;
    case 5:
        (void)mkdir(path, 0700);
        break;
    case 6:
        (void)link(strcmp(side, "a.world") == 0 ? real : hostile.world.file, path);
        break;
    default:
        (void)remove(path);
        write_journal(path, keep);
    }
}

// ---- what is done with it ----------------------------------------------------------------------

static TrnResult take_data(void *user, const TrnBlockData *data)
{
    (void)user;
    FUZZ_REQUIRE(data->index < TRN_CHUNK_VOXELS && data->size <= TRN_DATA_BYTES_MAX);
    return TRN_RESULT_OK;
}

static void load_chunks(void)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnStreamSource source = trn_save_source(hostile.world.save);
    const TrnDataSink sink = {take_data, NULL};
    for (uint32_t i = 0; i < ROWS; i++) {
        const TrnStorageKey key = key_of_row(i);
        const TrnStreamJob job = {.coord = key.coord, .level = key.level, .data = &sink};
        bool is_uniform;
        const TrnResult result = source.load(source.user, &job, blocks, &is_uniform);
        FUZZ_REQUIRE(result == TRN_RESULT_OK || result == TRN_RESULT_NOT_FOUND ||
                     result == TRN_RESULT_CORRUPT || result == TRN_RESULT_IO);
    }
}

/// Whether the chunk that was saved is read again.
static void check_saved(void)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const FuzzPattern pattern = fuzz_world_pattern(1);
    FUZZ_REQUIRE(fuzz_world_open(&hostile.world, TRN_STORAGE_READ_ONLY) == TRN_RESULT_OK);
    const TrnStreamSource source = trn_save_source(hostile.world.save);
    const TrnStreamJob job = {.coord = fuzz_world_key(1).coord};
    bool is_uniform;
    FUZZ_REQUIRE(source.load(source.user, &job, blocks, &is_uniform) == TRN_RESULT_OK);
    for (uint32_t v = 0; v < TRN_CHUNK_VOXELS; v++) {
        FUZZ_REQUIRE(blocks[is_uniform ? 0 : v] == fuzz_pattern_block(&pattern, v));
    }
    (void)fuzz_world_close(&hostile.world);
}

static void read_world(const Folder *folder)
{
    uint64_t strays;
    const TrnResult result = fuzz_world_open(&hostile.world, TRN_STORAGE_READ_ONLY);
    if (result == TRN_RESULT_OK) {
        (void)trn_storage_sqlite_count_strays(&hostile.world.storage, &strays);
        fuzz_world_use(&hostile.world); // its put fails
        load_chunks();
    }
    check_folder(folder, false);
    (void)fuzz_world_close(&hostile.world);
    check_folder(folder, false);
}

static void write_world(const Folder *folder)
{
    TrnResult saved = fuzz_world_open(&hostile.world, TRN_STORAGE_OPEN);
    if (saved == TRN_RESULT_OK) {
        load_chunks();
        fuzz_world_use(&hostile.world);
        saved = fuzz_world_put(&hostile.world, 1);
        saved = saved == TRN_RESULT_OK ? trn_save_flush(hostile.world.save) : saved;
        const TrnResult closed = fuzz_world_close(&hostile.world);
        saved = saved == TRN_RESULT_OK ? closed : saved;
    } else {
        (void)fuzz_world_close(&hostile.world);
    }
    check_folder(folder, true);
    if (saved == TRN_RESULT_OK && hostile.keeps_pages) {
        check_saved();
    }
}

/// Opens a file that a command has just written, and removes it.
static void check_made(const char *path)
{
    FuzzWorld made = {.save = NULL};
    (void)snprintf(made.file, sizeof made.file, "%s", path);
    FUZZ_REQUIRE(fuzz_world_open(&made, TRN_STORAGE_READ_ONLY) == TRN_RESULT_OK);
    FUZZ_REQUIRE(fuzz_world_close(&made) == TRN_RESULT_OK);
    FUZZ_REQUIRE(remove(path) == 0);
}

static void copy_world(const Folder *folder)
{
    TrnStorage storage;
    TrnStorageProblem problem = {""};
    char path[FUZZ_PATH_BYTES];
    fuzz_path(path, hostile.world.folder, "copy");
    if (trn_repair_sqlite(hostile.world.file, path, NULL, NULL, &problem) == TRN_RESULT_OK) {
        check_made(path);
    } else {
        FUZZ_REQUIRE(*problem.sentence);
    }
    check_folder(folder, false);
    if (trn_storage_sqlite(hostile.world.file, TRN_STORAGE_READ_ONLY, &storage, NULL) ==
        TRN_RESULT_OK) {
        if (trn_storage_sqlite_backup(&storage, path, NULL, NULL) == TRN_RESULT_OK) {
            FUZZ_REQUIRE(remove(path) == 0);
        }
        storage.close(storage.user);
    }
    check_folder(folder, false);
}

// ---- an input ----------------------------------------------------------------------------------

static bool note_row(void *user, const TrnStorageRow *row)
{
    (void)user;
    for (uint32_t i = 0; i < ROWS; i++) {
        if (trn_coord_equal(key_of_row(i).coord, row->key.coord)) {
            hostile.rows[i] = malloc(row->size);
            FUZZ_REQUIRE(hostile.rows[i]);
            memcpy(hostile.rows[i], row->bytes, row->size);
            hostile.row_bytes[i] = row->size;
        }
    }
    return true;
}

/// Saves a chunk of which one voxel has data.
static void save_data(FuzzWorld *world)
{
    static const TrnBlock block = TRN_BLOCK_STONE;
    static const TrnBlockData data = {"a sign", 6, 77, TRN_DATA_STAYS};
    const TrnStreamSource source = trn_save_source(world->save);
    const TrnStreamJob job = {.coord = key_of_row(ROWS - 1).coord};
    TrnStoreDef def = trn_store_def();
    TrnStore *store;
    TrnSnapshot snapshot;
    def.types = world->types;
    FUZZ_REQUIRE(trn_store_create(&def, &store) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_store_insert_data(store, job.coord, &block, true, &data, 1, NULL) ==
                 TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_store_snapshot(store, job.coord, &snapshot) == TRN_RESULT_OK);
    FUZZ_REQUIRE(source.save(source.user, &job, snapshot) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_save_flush(world->save) == TRN_RESULT_OK);
    trn_store_destroy(store);
}

/// Makes the world, and notes its rows.
static void create_world(FuzzWorldFile *original)
{
    FuzzWorld *world = &hostile.world;
    fuzz_world_create(world, original);
    fuzz_write_file(world->file, original->bytes, original->size);
    free(original->bytes);
    FUZZ_REQUIRE(fuzz_world_open(world, TRN_STORAGE_OPEN) == TRN_RESULT_OK);
    save_data(world);
    FUZZ_REQUIRE(fuzz_world_close(world) == TRN_RESULT_OK);
    fuzz_world_read_file(world->file, original);
    FUZZ_REQUIRE(fuzz_world_open(world, TRN_STORAGE_READ_ONLY) == TRN_RESULT_OK);
    for (uint32_t level = 0; level < 2; level++) {
        const TrnStorageRange all = {.level = level, .box = trn_box_everything()};
        FUZZ_REQUIRE(world->storage.list(world->storage.user, &all, note_row, NULL) ==
                     TRN_RESULT_OK);
    }
    FUZZ_REQUIRE(fuzz_world_close(world) == TRN_RESULT_OK);
}

static void change_world(FuzzProgram *program)
{
    const uint32_t flags = fuzz_number(program, 1);
    uint32_t files = flags & 3;
    hostile.is_repaired = flags & 4;
    open_sql(flags & 8);
    for (int i = 0; i < CHANGES_MAX && fuzz_has_more(program); i++) {
        const uint32_t kind = fuzz_below(program, 8);
        if (kind < 2) {
            change_rows(program);
        } else if (kind < 4) {
            change_values(program);
        } else if (kind < 5) {
            change_bytes(program);
        } else if (kind < 6) {
            change_schema(program);
        } else if (kind < 7) {
            change_anything(program);
        } else if (files) {
            break; // the rest of the input is about files
        }
    }
    run_sql("COMMIT");
    FUZZ_REQUIRE(sqlite3_close_v2(hostile.db) == SQLITE_OK);
    for (; files && fuzz_has_more(program); files--) {
        change_files(program);
    }
}

int fuzz_hostile(const uint8_t *bytes, size_t size);

int fuzz_hostile(const uint8_t *bytes, size_t size)
{
    static FuzzWorldFile original;
    Folder folder;
    char path[FUZZ_PATH_BYTES];
    FuzzProgram program = fuzz_program(bytes, size);
    fuzz_begin_folder(hostile.world.folder);
    fuzz_path(hostile.world.file, hostile.world.folder, "a.world");
    if (!original.bytes) {
        create_world(&original);
    }
    fuzz_write_file(hostile.world.file, original.bytes, original.size);
    fuzz_path(path, hostile.world.folder, "keep");
    fuzz_write_file(path, (const uint8_t *)"a user's own file", 17);
    hostile.keeps_pages = true;
    change_world(&program);
    look_at_folder(&folder);
    read_world(&folder);
    if (hostile.is_repaired) {
        copy_world(&folder);
    }
    write_world(&folder);
    empty_folder();
    fuzz_end_folder(hostile.world.folder);
    return 0;
}
