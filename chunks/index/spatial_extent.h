/// Private: extents of spatial arrays, for page_map.c, which replaces an array instead of growing
/// it in place.
#ifndef TERRANE_INDEX_SPATIAL_EXTENT_H
#define TERRANE_INDEX_SPATIAL_EXTENT_H

#include <string.h>

#include <terrane/spatial_array.h>

/// Extents are 64 bits wide, since one that covers all of int32 does not fit 32.
typedef struct TrnSpatialExtent {
    int64_t origin[3], extent[3];
} TrnSpatialExtent;

/// Returns the extent of an array.
static inline TrnSpatialExtent trn_spatial_extent_of(const TrnSpatialArray *array)
{
    TrnSpatialExtent extent;
    memcpy(extent.origin, array->origin, sizeof extent.origin);
    memcpy(extent.extent, array->extent, sizeof extent.extent);
    return extent;
}

/// Returns the extent that an array would have after doubling until a box lies inside.
TrnSpatialExtent trn_spatial_extent_grown(const TrnSpatialArray *array, TrnBox box);

/// Changes the extent of an array; elements outside the new one are dropped.
/// Errors: OUT_OF_RANGE (would exceed bytes_max), NO_MEMORY; the array stays as it was.
TrnResult trn_spatial_array_move_to(TrnSpatialArray *array, const TrnSpatialExtent *to);

/// Copies the elements that lie in both arrays' extents, row by row. Both have the same element
/// size. Does not update counts.
void trn_spatial_array_copy_shared(const TrnSpatialArray *from, TrnSpatialArray *to);

#endif
