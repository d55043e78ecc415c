/// Private: regions, the part of a shared world that has one owner: 16 chunks an axis.
#ifndef TERRANE_SHARED_REGION_H
#define TERRANE_SHARED_REGION_H

#include <terrane/shared.h>

/// Returns the number of the region of a chunk: 21 bits an axis. A chunk of a level above
/// TRN_REGION_LEVEL belongs to the region of its lowest corner. Regions that are 2^30
/// voxels apart on an axis have the same number.
int64_t trn_storage_region(const TrnStorageKey *key);

/// Returns the number of a region.
int64_t trn_region_number(TrnRegion region);

/// Returns the region of a number, of those with that number the nearest to the origin.
TrnRegion trn_region_of_number(int64_t number);

/// Returns the number of the column of a region: the same for all that lie above each other.
int64_t trn_region_column(int64_t number);

/// Returns the number of the region of a place. @param place  [3] in voxels
int64_t trn_region_of_place(const double place[3]);

/// Returns the chunks of level 0 of a region.
TrnBox trn_region_box(TrnRegion region);

/// Lists the regions of the chunks of a box.
/// @param regions  [capacity] receives their numbers, some perhaps twice
/// @return how many; 0: more than `capacity`, or the box is empty
size_t trn_storage_regions(const TrnBox *box, uint32_t level, int64_t *regions, size_t capacity);

#endif
