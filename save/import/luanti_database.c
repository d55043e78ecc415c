// Opens map.sqlite without trusting it or what lies beside it.

#include "luanti_database.h"

#include <stdio.h>
#include <string.h>

#include "../sqlite_internal.h"
#include "file.h"
#include "luanti_block.h"

#define LUANTI_BUSY_MS 5000
#define LUANTI_VERSION_AT 19 ///< in a database: 2 if it keeps a log
/// The most bytes of a row. SQLite refuses longer ones; a whole block is some KiB.
#define LUANTI_ROW_MAX (TRN_LUANTI_CONTENT_MAX + 65536)

TrnResult trn_luanti_result(int code)
{
    if ((code & 0xFF) == SQLITE_TOOBIG || code == SQLITE_IOERR_SHORT_READ) {
        return TRN_RESULT_CORRUPT;
    }
    return (code & 0xFF) == SQLITE_CANTOPEN ? TRN_RESULT_NOT_FOUND : trn_sqlite_result(code);
}

const char *trn_luanti_sentence(int code)
{
    switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "Luanti has it open; close it first";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
        return "it is damaged, or no map of Luanti";
    case SQLITE_READONLY:
        return "Luanti was interrupted while it wrote; open the world there once, and close it";
    case SQLITE_CANTOPEN:
        return "it cannot be opened; see that it exists and may be read, and that what is beside "
               "it under its name with -journal and -wal are files";
    default:
        return sqlite3_errstr(code);
    }
}

bool trn_luanti_is_file(const char *path)
{
    FILE *file;
    const bool is_file = trn_file_open(path, &file) == TRN_RESULT_OK;
    if (is_file) {
        (void)fclose(file);
    }
    return is_file;
}

/// What lies beside a database under a name of SQLite's.
typedef enum LuantiSide { LUANTI_NONE, LUANTI_EMPTY, LUANTI_FULL, LUANTI_ODD } LuantiSide;

static LuantiSide luanti_side(const char *path, const char *suffix)
{
    FILE *file;
    char *name = sqlite3_mprintf("%s%s", path, suffix);
    const TrnResult result = name ? trn_file_open(name, &file) : TRN_RESULT_NO_MEMORY;
    sqlite3_free(name);
    if (result != TRN_RESULT_OK) {
        return result == TRN_RESULT_NOT_FOUND ? LUANTI_NONE : LUANTI_ODD;
    }
    const bool is_empty = trn_file_bytes(file) == 0;
    (void)fclose(file);
    return is_empty ? LUANTI_EMPTY : LUANTI_FULL;
}

/// Whether a database keeps a log. Luanti's do not, but any program may change that.
static bool luanti_has_log(const char *path)
{
    unsigned char version = 0; // that reads it
    FILE *file;
    if (trn_file_open(path, &file) == TRN_RESULT_OK) {
        (void)trn_file_read(file, LUANTI_VERSION_AT, &version, 1);
        (void)fclose(file);
    }
    return version == 2;
}

/// Opens a database that keeps a log, and has nothing in it, without files beside it.
static int luanti_open_still(const char *path, sqlite3 **db)
{
    static const char options[] = "?immutable=1";
    const size_t bytes = sizeof "file:" + 3 * strlen(path) + sizeof options;
    char *uri = sqlite3_malloc64(bytes);
    if (!uri) {
        return SQLITE_NOMEM;
    }
    size_t at = (size_t)snprintf(uri, bytes, "file:");
    for (const char *from = path; *from; from++) {
        at += (size_t)snprintf(uri + at, bytes - at, "%%%02X", (unsigned char)*from);
    }
    (void)snprintf(uri + at, bytes - at, "%s", options);
    const int code = sqlite3_open_v2(
        uri, db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, NULL);
    sqlite3_free(uri);
    return code;
}

int trn_luanti_connect(const char *path, sqlite3 **db)
{
    const bool has_log = luanti_has_log(path);
    const LuantiSide log = luanti_side(path, "-wal");
    if (!trn_luanti_is_file(path) || log == LUANTI_ODD ||
        luanti_side(path, "-journal") == LUANTI_ODD) {
        return SQLITE_CANTOPEN;
    }
    if (has_log && log == LUANTI_FULL) {
        return SQLITE_READONLY;
    }
    const int code =
        has_log ? luanti_open_still(path, db)
                : sqlite3_open_v2(path, db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
    if (code != SQLITE_OK) {
        return code;
    }
    (void)sqlite3_extended_result_codes(*db, 1);
    (void)sqlite3_busy_timeout(*db, LUANTI_BUSY_MS);
    (void)sqlite3_limit(*db, SQLITE_LIMIT_LENGTH, (int)LUANTI_ROW_MAX);
    (void)sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return sqlite3_exec(*db, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
}
