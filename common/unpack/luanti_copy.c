#include "luanti_copy.h"

#include <stdio.h>
#include <string.h>

#define LUANTI_BLOCK_MAX (16u << 20) ///< bytes of a map block

bool luanti_copy_fail(const LuantiMap *map, const char *fault)
{
    return message_set(map->problem, "Cannot read the map of %s: %s.",
                       message_short(map->def->path).text, fault);
}

static bool luanti_copy_fail_to_write(const LuantiMap *map)
{
    return message_set(map->problem, "Cannot copy the map of %s: %s.",
                       message_short(map->def->path).text, sqlite3_errmsg(map->db));
}

bool luanti_copy_begin(LuantiMap *map, bool has_columns)
{
    // The file is removed afterwards, whatever happens to it.
    static const char settings[] = "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; BEGIN;";
    const char *const table = has_columns
                                  ? "CREATE TABLE blocks (x INTEGER, y INTEGER, z INTEGER, "
                                    "data BLOB, PRIMARY KEY (x, z, y))"
                                  : "CREATE TABLE blocks (pos INTEGER PRIMARY KEY, data BLOB)";
    const char *const insert = has_columns ? "INSERT OR REPLACE INTO blocks VALUES (?, ?, ?, ?)"
                                           : "INSERT OR REPLACE INTO blocks VALUES (?, ?)";
    char path[UNPACKED_PATH_MAX + 32];
    (void)snprintf(path, sizeof path, "%s/map.sqlite", map->folder);
    return (sqlite3_open(path, &map->db) == SQLITE_OK &&
            sqlite3_exec(map->db, settings, NULL, NULL, NULL) == SQLITE_OK &&
            sqlite3_exec(map->db, table, NULL, NULL, NULL) == SQLITE_OK &&
            sqlite3_prepare_v2(map->db, insert, -1, &map->insert, NULL) == SQLITE_OK) ||
           luanti_copy_fail_to_write(map);
}

bool luanti_copy_goes_on(const LuantiMap *map)
{
    return !map->def->goes_on || map->def->goes_on(map->def->user) ||
           luanti_copy_fail(map, "it was stopped");
}

bool luanti_copy_add(LuantiMap *map, const int64_t *place, const void *data, size_t size)
{
    const int places = sqlite3_bind_parameter_count(map->insert) - 1;
    map->bytes += size;
    if (size > LUANTI_BLOCK_MAX || map->bytes > map->def->bytes_max) {
        return luanti_copy_fail(map, "it is larger than 64 GiB, or a map block than 16 MiB");
    }
    if (!luanti_copy_goes_on(map)) {
        return false;
    }
    for (int i = 0; i < places; i++) {
        (void)sqlite3_bind_int64(map->insert, i + 1, place[i]);
    }
    (void)sqlite3_bind_blob(map->insert, places + 1, data, (int)size, SQLITE_STATIC);
    const bool is_good = sqlite3_step(map->insert) == SQLITE_DONE;
    (void)sqlite3_reset(map->insert);
    return is_good || luanti_copy_fail_to_write(map);
}

bool luanti_copy_end(LuantiMap *map, bool is_good)
{
    (void)sqlite3_finalize(map->insert);
    is_good = is_good && (sqlite3_exec(map->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK ||
                          luanti_copy_fail_to_write(map));
    (void)sqlite3_close(map->db);
    return is_good;
}
