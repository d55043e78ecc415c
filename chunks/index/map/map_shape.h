/// Private: decides which box the directory has, and when the list of outlier pages is rebuilt, and
/// builds the next version of the map in steps.
#ifndef TERRANE_INDEX_MAP_SHAPE_H
#define TERRANE_INDEX_MAP_SHAPE_H

#include "map_version.h"

/// The directory grows as long as its box holds at most this many cells for each page in it. With
/// 8, pages of which every second one along each axis exists cost more than in the hash.
#define TRN_MAP_CELLS_PER_PAGE 6

/// Starts to build a directory that also has an outlier page, if it would be dense enough. Only the
/// pages that the present directory has are known to be in its box. @return whether it did
bool trn_map_shape_start_with(TrnMap *map, TrnCoord coord);

/// Starts to build a directory elsewhere, when most pages are outlier pages: around the pages near
/// one of them, if they are close to each other and more than the present directory has. Tried for
/// one page in some; in a crowd it is soon one of the crowd, and the directory then grows over it.
/// @return whether it did
bool trn_map_shape_start_at(TrnMap *map, TrnCoord coord);

/// Continues the build, or starts one that is useful, and takes the finished version.
void trn_map_shape_work(TrnMap *map, TrnMap **next);

/// Continues the build, if there is one, and takes the finished version.
void trn_map_shape_continue(TrnMap *map, TrnMap **next);

/// Builds a version whose directory has a box, and never shrinks, in this call.
/// @param next  receives it on success
/// Errors: NO_MEMORY; a build that was in progress has been discarded.
TrnResult trn_map_shape_reserve(TrnMap *map, TrnBox box, TrnMap **next);

/// Counts a page added or removed, which pays for builds.
void trn_map_shape_count_change(TrnMapShared *shared);

#endif
