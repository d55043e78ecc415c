/// Private: the rules that decide which box the directory has, and when the list of outlier pages
/// is rebuilt.
#ifndef TERRANE_INDEX_PAGE_SHAPE_H
#define TERRANE_INDEX_PAGE_SHAPE_H

#include "page_version.h"

/// The directory grows as long as its box holds at most this many cells for each page in it. With
/// 8, pages of which every second one along each axis exists cost more than in the hash.
#define TRN_PAGE_CELLS_PER_PAGE 6

/// Starts to build a directory that also has an outlier page, if it would be dense enough. Only the
/// pages that the present directory has are known to be in its box. @return whether it did
bool trn_page_shape_start_with(TrnPageMap *map, TrnCoord coord);

/// Starts to build a directory elsewhere, when most pages are outlier pages: around the pages near
/// one of them, if they are close to each other and more than the present directory has. Tried for
/// one page in some; in a crowd it is soon one of the crowd, and the directory then grows over it.
/// @return whether it did
bool trn_page_shape_start_at(TrnPageMap *map, TrnCoord coord);

/// Continues the build, or starts one that is useful, and takes the finished version.
void trn_page_shape_work(TrnPageMap *map, TrnPageMap **next);

/// Counts a page added or removed, which pays for builds.
void trn_page_shape_count_change(TrnPageMapShared *shared);

#endif
