/// Private: pages as the map sees them: a coordinate, a pointer that may be tagged, and boxes of
/// page coordinates, which have fewer bits than chunk coordinates.
#ifndef TERRANE_INDEX_MAP_PAGE_H
#define TERRANE_INDEX_MAP_PAGE_H

#include <stdatomic.h>
#include <stdbool.h>

#include <terrane/chunk_pages.h>

/// What pages of both forms start with. A pointer to it may be tagged: read it through
/// trn_page_coord_of, trn_page_full and trn_page_sparse only.
typedef struct TrnPage {
    TrnCoord coord; ///< page coordinates; never changes
} TrnPage;

/// The tag of a pointer to a sparse page.
#define TRN_PAGE_SPARSE_TAG ((uintptr_t)1)

/// Returns the page coordinates of a page of either form.
static inline TrnCoord trn_page_coord_of(const TrnPage *page)
{
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a page, less its tag
    return ((const TrnPage *)((uintptr_t)page & ~TRN_PAGE_SPARSE_TAG))->coord;
}

/// Returns the coordinates of the page behind a face. Pages wrap where chunks do.
static inline TrnCoord trn_page_coord_behind(TrnCoord page, TrnFace face)
{
    const TrnCoord chunk = trn_page_chunks(page).min;
    const int32_t step = (face & 1) ? TRN_PAGE_EDGE : -TRN_PAGE_EDGE;
    const int axis = (int)face / 2;
    return trn_page_coord(
        trn_coord_add(chunk, axis == 0 ? step : 0, axis == 1 ? step : 0, axis == 2 ? step : 0));
}

// ---- boxes -------------------------------------------------------------------------------------

/// Returns the number of pages in a box, UINT64_MAX if it is larger.
uint64_t trn_map_box_volume(TrnBox pages);

/// Returns the smallest box that has both boxes; either may be empty.
TrnBox trn_map_box_with(TrnBox box, TrnBox other);

/// Returns what two boxes that are not empty share.
TrnBox trn_map_box_shared(TrnBox box, TrnBox other);

/// Returns whether `inner` lies in a box; an empty one does.
bool trn_map_box_covers(TrnBox box, TrnBox inner);

/// Extends one axis of a box where it reaches beyond another box: to 1 / 2^shift of the other's
/// length beyond it.
/// @param low, high            of the box; changed
/// @param from_low, from_high  of the other box
void trn_map_box_stretch(int32_t *low, int32_t *high, int32_t from_low, int32_t from_high,
                         uint32_t shift);

/// Returns a box from one inside it outwards by 1 / 2^shift of the way to the outer one.
TrnBox trn_map_box_between(TrnBox inner, TrnBox outer, uint32_t shift);

#endif
