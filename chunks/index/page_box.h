/// Private: boxes of page coordinates, which have fewer bits than chunk coordinates.
#ifndef TERRANE_INDEX_PAGE_BOX_H
#define TERRANE_INDEX_PAGE_BOX_H

#include <stdbool.h>

#include <terrane/coord.h>

/// Returns the number of pages in a box, UINT64_MAX if it is larger.
uint64_t trn_page_box_volume(TrnBox pages);

/// Returns the smallest box that has both boxes; either may be empty.
TrnBox trn_page_box_with(TrnBox box, TrnBox other);

/// Returns what two boxes that are not empty share.
TrnBox trn_page_box_shared(TrnBox box, TrnBox other);

/// Returns whether `inner` lies in a box; an empty one does.
bool trn_page_box_covers(TrnBox box, TrnBox inner);

/// Extends one axis of a box where it reaches beyond another box: to 1 / 2^shift of the other's
/// length beyond it.
/// @param low, high            of the box; changed
/// @param from_low, from_high  of the other box
void trn_page_box_stretch(int32_t *low, int32_t *high, int32_t from_low, int32_t from_high,
                          uint32_t shift);

/// Returns a box from one inside it outwards by 1 / 2^shift of the way to the outer one.
TrnBox trn_page_box_between(TrnBox inner, TrnBox outer, uint32_t shift);

#endif
