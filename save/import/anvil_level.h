/// Private: level.dat of a Minecraft world, which says where players begin, and which numbers
/// blocks of mods had before 1.13.
#ifndef TERRANE_SAVE_IMPORT_ANVIL_LEVEL_H
#define TERRANE_SAVE_IMPORT_ANVIL_LEVEL_H

#include "anvil_files.h"

/// Reads the spawn from the NBT of a level.dat. Any bytes are safe.
/// @return false if it does not say
bool trn_anvil_level_spawn(const void *bytes, size_t size, TrnVoxel *spawn);

/// Finds level.dat of a world's folder, of its folder `region` or of a file there, and decompresses
/// it.
/// @param level  receives its NBT
/// @return false if there is none, or it cannot be read
bool trn_anvil_level_read(const char *path, const TrnAllocator *allocator, TrnBytes *level);

#endif
