/// Private: level.dat of a Minecraft world, which says where players begin.
#ifndef TERRANE_SAVE_IMPORT_ANVIL_LEVEL_H
#define TERRANE_SAVE_IMPORT_ANVIL_LEVEL_H

#include <terrane/coord.h>

#include <stddef.h>

/// Reads the spawn from the NBT of a level.dat. Any bytes are safe.
/// @return false if it does not say
bool trn_anvil_level_spawn(const void *bytes, size_t size, TrnVoxel *spawn);

/// Finds level.dat of a world's folder, of its folder `region` or of a file there, and reads it.
/// @return false if there is none, or it does not say
bool trn_anvil_level_read(const char *path, const TrnAllocator *allocator, TrnVoxel *spawn);

#endif
