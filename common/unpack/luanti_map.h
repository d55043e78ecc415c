/// Worlds of Luanti whose map is not in map.sqlite: in LevelDB, or in a PostgreSQL database. Their
/// map blocks are copied into a map.sqlite, which the import reads.
///
/// Nothing in them is trusted. LevelDB's library repairs and compacts what it opens, so it opens
/// links and copies of the files, and writes nothing to the source. A world.mt may name a database;
/// it is asked only if the user gives its URL.
#pragma once

#include "unpacked.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether a path is the URL of a PostgreSQL database, or the folder of a world whose world.mt says
/// that its map is in one, or in LevelDB, with such a map.
bool luanti_map_is_elsewhere(const char *path);

/// Copies the map, and from the folder of a world what says where players begin.
UnpackSource luanti_map_unpack;

#ifdef __cplusplus
}
#endif
