/// Private: the text files in the folder of a world of Luanti, which say what its map is in and
/// where players begin.
#ifndef TERRANE_SAVE_IMPORT_LUANTI_WORLD_H
#define TERRANE_SAVE_IMPORT_LUANTI_WORLD_H

#include <stdbool.h>
#include <stddef.h>

#include <terrane/coord.h>

/// A value of a setting. Longer ones are cut off.
typedef struct TrnLuantiValue {
    char text[64];
} TrnLuantiValue;

/// The folder of a path: a folder itself, or that of a file. Not ended by a zero.
typedef struct TrnLuantiFolder {
    const char *path; ///< [size]
    size_t size;
} TrnLuantiFolder;

/// Whether world.mt says that the map is not in map.sqlite.
/// @param backend  receives what it is in: "leveldb"
bool trn_luanti_other_backend(TrnLuantiFolder folder, const TrnAllocator *allocator,
                              TrnLuantiValue *backend);

/// Reads static_spawnpoint from map_meta.txt or world.mt, as a voxel of Terrane's axes.
/// @return false if neither says it
bool trn_luanti_spawn(TrnLuantiFolder folder, const TrnAllocator *allocator, TrnVoxel *spawn);

#endif
