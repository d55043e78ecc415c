/// Private: the map.sqlite into which a map of Luanti is copied.
#pragma once

#include <stddef.h>

#include <sqlite3.h>

#include "unpacked.h"

/// A map that is being copied.
typedef struct LuantiMap {
    const UnpackDef *def;
    const char *folder; ///< temporary
    sqlite3 *db;
    sqlite3_stmt *insert;
    uint64_t bytes; ///< of map blocks so far
    Message *problem;
} LuantiMap;

/// Begins its table. @param has_columns  places are x, y and z; otherwise one number
/// @return false with the problem
bool luanti_copy_begin(LuantiMap *map, bool has_columns);

/// Adds a map block. @param place  [3], or [1]  @param data  [size]
/// @return false with the problem, also if the user stopped it
bool luanti_copy_add(LuantiMap *map, const int64_t *place, const void *data, size_t size);

/// Asks the user. @return false with the problem if the user stopped it
bool luanti_copy_goes_on(const LuantiMap *map);

/// Closes it. @param is_good  all was added  @return false with the problem
bool luanti_copy_end(LuantiMap *map, bool is_good);

/// Says why the map cannot be read. @return false
bool luanti_copy_fail(const LuantiMap *map, const char *fault);
