/// Private: where a spatial array's cells lie, for those who replace an array instead of growing it
/// in place.
#ifndef TERRANE_INDEX_SPATIAL_EXTENT_H
#define TERRANE_INDEX_SPATIAL_EXTENT_H

#include <string.h>

#include <terrane/spatial_array.h>

/// Extents are 64 bits wide, since one that covers all of int32 does not fit 32.
typedef struct TrnSpatialExtent {
    int64_t origin[3], extent[3];
} TrnSpatialExtent;

/// The extent that the array has.
static inline TrnSpatialExtent trn_spatial_extent_of(const TrnSpatialArray *array)
{
    TrnSpatialExtent extent;
    memcpy(extent.origin, array->origin, sizeof extent.origin);
    memcpy(extent.extent, array->extent, sizeof extent.extent);
    return extent;
}

/// The extent that the array would have if it grew, by doubling, until the box lies inside.
TrnSpatialExtent trn_spatial_extent_grown(const TrnSpatialArray *array, TrnBox box);

/// Moves the elements to an extent of another shape; those outside of it are lost.
/// Errors: OUT_OF_RANGE (would pass bytes_max), NO_MEMORY; the array is then as it was.
TrnResult trn_spatial_array_move_to(TrnSpatialArray *array, const TrnSpatialExtent *to);

/// Copies the elements that lie within both arrays' extents, row by row. Elements are of one size;
/// counts are not kept.
void trn_spatial_array_copy_shared(const TrnSpatialArray *from, TrnSpatialArray *to);

#endif
