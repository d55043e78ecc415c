/// Private: the region files of one dimension of a Minecraft world, and the columns in them.
#ifndef TERRANE_SAVE_IMPORT_ANVIL_FILES_H
#define TERRANE_SAVE_IMPORT_ANVIL_FILES_H

#include <terrane/coord.h>
#include <terrane/storage.h>

#include "base/coord_map.h"

#include "region.h"

/// Regions beyond these are not read: their columns would lie outside the world.
#define TRN_ANVIL_REGION_MAX (INT32_C(1) << 21)

/// A region: its columns are 32 * x to 32 * x + 31.
typedef struct TrnAnvilRegion {
    int32_t x, z;
} TrnAnvilRegion;

TRN_ARRAY_DECLARE(TrnAnvilRegions, TrnAnvilRegion);

typedef struct TrnAnvilFiles {
    TrnAllocator allocator;
    char *folder; ///< [folder_bytes] with the region files
    size_t folder_bytes;
    char *only; ///< [only_bytes] the one region file that was asked for; NULL: all of the folder
    size_t only_bytes;
    TrnAnvilRegions regions; ///< in order of z, then x
    TrnCoordMap places;      ///< of regions: {x, 0, z}
} TrnAnvilFiles;

/// A column as it was read.
typedef struct TrnAnvilStored {
    TrnBytes bytes; ///< compressed; keeps its memory for the next read
    uint32_t compression;
} TrnAnvilStored;

/// Whether a path is a region file, or a folder with some, or a world's folder.
bool trn_anvil_files_recognise(const char *path);

/// Finds the regions. Nothing but names is read.
/// Errors: NOT_FOUND, NO_MEMORY. Free it then, too.
TrnResult trn_anvil_files_open(TrnAnvilFiles *files, const char *path,
                               const TrnAllocator *allocator);
void trn_anvil_files_free(TrnAnvilFiles *files);

/// Reads which columns a region has. @param has  [TRN_REGION_COLUMNS] by x + 32 * z
/// Errors: CORRUPT, IO.
TrnResult trn_anvil_files_list(const TrnAnvilFiles *files, TrnAnvilRegion region, bool *has);

/// Reads a column's bytes. Any thread.
/// @param fault  receives a phrase if the column is damaged
/// Errors: NOT_FOUND (no such column), CORRUPT with the fault, NO_MEMORY.
TrnResult trn_anvil_files_read(const TrnAnvilFiles *files, int32_t x, int32_t z,
                               TrnAnvilStored *stored, const char **fault);

#endif
