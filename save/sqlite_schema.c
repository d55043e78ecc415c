// The tables of a world's database: see sqlite_schema.h.

#include "sqlite_schema.h"

#include <assert.h>
#include <string.h>

#include "sqlite_link.h"

#define SCHEMA_APPLICATION 0x54524E57 // "TRNW"
#define SCHEMA_FORMAT 1               // PRAGMA user_version

#define SCHEMA_LOG_PAGES "4000" // the log is copied into the database when it has as many
#ifdef __EMSCRIPTEN__ // files in memory, which the page stores one by one: each must be whole
#define SCHEMA_JOURNAL "TRUNCATE"
#else
#define SCHEMA_JOURNAL "WAL"
#endif

#define SCHEMA_CHUNKS                                                                              \
    "CREATE TABLE chunks (level INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL, "        \
    "z INTEGER NOT NULL, revision INTEGER NOT NULL, row BLOB NOT NULL, "                           \
    "UNIQUE (level, x, y, z))"
#define SCHEMA_WORLD "CREATE TABLE world (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
// A second copy of values on other pages, for repair: without the names of blocks a world is lost.
// What was set aside and the revision have none.
#define SCHEMA_AGAIN "CREATE INDEX world_again ON world (name, value) WHERE name < 'terrane/q'"

/// An entry of SQLite's schema.
typedef struct SchemaEntry {
    const char *type, *name, *table, *text; ///< text: NULL if SQLite made it by itself
} SchemaEntry;

static const SchemaEntry schema_entries[] = {
    {"table", "chunks", "chunks", SCHEMA_CHUNKS},
    {"index", "sqlite_autoindex_chunks_1", "chunks", NULL},
    {"table", "world", "world", SCHEMA_WORLD},
    {"index", "world_again", "world", SCHEMA_AGAIN}, // the first worlds lack it
};
#define SCHEMA_ENTRIES (sizeof schema_entries / sizeof *schema_entries)

static bool schema_text_is(sqlite3_stmt *statement, int column, const char *expected)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text && expected ? strcmp(text, expected) == 0 : text == expected;
}

/// Compares the entries with those of a world. @param count  receives how many there are
static int schema_compare(sqlite3 *db, bool *is_same, size_t *count)
{
    sqlite3_stmt *list = NULL;
    int code = trn_sqlite_prepare(
        db, "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid", &list);
    *is_same = true;
    *count = 0;
    while (code == SQLITE_OK && *is_same && sqlite3_step(list) == SQLITE_ROW) {
        const SchemaEntry *entry = *count < SCHEMA_ENTRIES ? &schema_entries[*count] : NULL;
        *is_same = entry && schema_text_is(list, 0, entry->type) &&
                   schema_text_is(list, 1, entry->name) && schema_text_is(list, 2, entry->table) &&
                   schema_text_is(list, 3, entry->text);
        ++*count;
    }
    const int end = sqlite3_finalize(list);
    return code == SQLITE_OK ? end : code;
}

static TrnSqliteSchema schema_kind(sqlite3_int64 id, sqlite3_int64 format, bool is_same,
                                   size_t count)
{
    if (id != SCHEMA_APPLICATION) {
        return id == 0 && format == 0 && count == 0 ? TRN_SCHEMA_BARE : TRN_SCHEMA_FOREIGN;
    }
    if (format != SCHEMA_FORMAT) {
        return format > SCHEMA_FORMAT ? TRN_SCHEMA_NEWER : TRN_SCHEMA_FOREIGN;
    }
    return is_same && count >= SCHEMA_ENTRIES - 1 ? TRN_SCHEMA_WORLD : TRN_SCHEMA_CHANGED;
}

int trn_sqlite_schema_read(sqlite3 *db, TrnSqliteSchema *schema)
{
    sqlite3_int64 id = 0, format = 0;
    bool is_same = false;
    size_t count = 0;
    int code = trn_sqlite_number(db, "PRAGMA application_id", &id);
    code = code == SQLITE_OK ? trn_sqlite_number(db, "PRAGMA user_version", &format) : code;
    code = code == SQLITE_OK ? schema_compare(db, &is_same, &count) : code;
    *schema = schema_kind(id, format, is_same, count);
    return code;
}

int trn_sqlite_schema_is_empty(sqlite3 *db, TrnSqliteSchema schema, bool *is_empty)
{
    sqlite3_int64 content = schema != TRN_SCHEMA_BARE;
    const int code =
        schema == TRN_SCHEMA_WORLD
            ? trn_sqlite_number(
                  db, "SELECT EXISTS (SELECT 1 FROM chunks) OR EXISTS (SELECT 1 FROM world)",
                  &content)
            : SQLITE_OK;
    *is_empty = code == SQLITE_OK && content == 0;
    return code;
}

/// Makes the tables of an empty database.
static int schema_make(sqlite3 *db)
{
    static_assert(SCHEMA_APPLICATION == 1414680151 && SCHEMA_FORMAT == 1, "as written below");
    int code = trn_sqlite_run(db, "BEGIN IMMEDIATE");
    code = code == SQLITE_OK
               ? trn_sqlite_run(db, SCHEMA_CHUNKS
                                ";" SCHEMA_WORLD ";" SCHEMA_AGAIN ";"
                                "PRAGMA application_id = 1414680151; PRAGMA user_version = 1;")
               : code;
    return code == SQLITE_OK ? trn_sqlite_run(db, "COMMIT") : code;
}

int trn_sqlite_schema_prepare(sqlite3 *db, TrnSqliteSchema schema)
{
    // Before the first page of a new file.
    int code = schema == TRN_SCHEMA_BARE ? trn_pages_prepare(db) : SQLITE_OK;
    code = code == SQLITE_OK ? trn_sqlite_run(db, "PRAGMA journal_mode = " SCHEMA_JOURNAL "; "
                                                  "PRAGMA synchronous = FULL; "
                                                  "PRAGMA wal_autocheckpoint = " SCHEMA_LOG_PAGES)
                             : code;
    return code == SQLITE_OK && schema == TRN_SCHEMA_BARE ? schema_make(db) : code;
}
