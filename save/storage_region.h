/// Private: regions, the part of a shared world that has one owner: 16 chunks an axis.
#ifndef TERRANE_SAVE_STORAGE_REGION_H
#define TERRANE_SAVE_STORAGE_REGION_H

#include <terrane/storage.h>

#define TRN_STORAGE_REGION_LEVEL 4 ///< a chunk of this level is as large as a region

/// Returns the number of the region of a chunk: 21 bits an axis. A chunk of a level above
/// TRN_STORAGE_REGION_LEVEL belongs to the region of its lowest corner. Regions that are 2^30
/// voxels apart on an axis have the same number.
int64_t trn_storage_region(const TrnStorageKey *key);

/// Lists the regions of the chunks of a box.
/// @param regions  [capacity] receives their numbers, some perhaps twice
/// @return how many; 0: more than `capacity`, or the box is empty
size_t trn_storage_regions(const TrnBox *box, uint32_t level, int64_t *regions, size_t capacity);

#endif
