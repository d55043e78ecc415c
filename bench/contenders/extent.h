/// The extent of an array that grows by doubling, in units of the array's cells: chunks, words of
/// chunks or bricks. The origin may be negative. Axes are x, y, z; in memory x is fastest, then z,
/// then y.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <terrane/coord.h>
#include <terrane/spatial_array.h>

/// All zeroes: empty.
typedef struct Extent {
    int64_t origin[3], size[3];
} Extent;

static inline Extent extent_of(const TrnSpatialArray *array)
{
    Extent extent;
    memcpy(extent.origin, array->origin, sizeof extent.origin);
    memcpy(extent.size, array->extent, sizeof extent.size);
    return extent;
}

static inline bool extent_has(const Extent *extent, int64_t x, int64_t y, int64_t z)
{
    return (uint64_t)(x - extent->origin[0]) < (uint64_t)extent->size[0] &&
           (uint64_t)(y - extent->origin[1]) < (uint64_t)extent->size[1] &&
           (uint64_t)(z - extent->origin[2]) < (uint64_t)extent->size[2];
}

/// Whether a place on an axis of length `size` has a neighbour on each side.
static inline bool extent_is_between(int64_t place, int64_t size)
{
    return place > 0 && place < size - 1;
}

/// The array index of a unit inside the extent.
static inline size_t extent_at(const Extent *extent, int64_t x, int64_t y, int64_t z)
{
    return (size_t)((x - extent->origin[0]) +
                    extent->size[0] *
                        ((z - extent->origin[2]) + extent->size[2] * (y - extent->origin[1])));
}

/// How many units the extent has; a double, since the count may exceed 2^64.
static inline double extent_units(const Extent *extent)
{
    return (double)extent->size[0] * (double)extent->size[1] * (double)extent->size[2];
}

/// Doubles the extent along each axis, towards a unit, until it contains the unit. @return the
/// result
static inline Extent extent_reach(Extent extent, const int64_t unit[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (extent.size[axis] == 0) {
            extent.origin[axis] = unit[axis];
            extent.size[axis] = 1;
        }
        while (unit[axis] < extent.origin[axis]) {
            extent.origin[axis] -= extent.size[axis];
            extent.size[axis] *= 2;
        }
        while (unit[axis] >= extent.origin[axis] + extent.size[axis]) {
            extent.size[axis] *= 2;
        }
    }
    return extent;
}

/// The smallest extent that contains another and a unit.
static inline Extent extent_with(Extent extent, const int64_t unit[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (extent.size[axis] == 0) {
            extent.origin[axis] = unit[axis];
            extent.size[axis] = 1;
        } else if (unit[axis] < extent.origin[axis]) {
            extent.size[axis] += extent.origin[axis] - unit[axis];
            extent.origin[axis] = unit[axis];
        } else if (unit[axis] >= extent.origin[axis] + extent.size[axis]) {
            extent.size[axis] = unit[axis] - extent.origin[axis] + 1;
        }
    }
    return extent;
}

/// The smallest extent that contains all units in use. @param in_use a word for each unit, not 0 if
/// the unit is in use; `stride` bytes apart
static inline Extent extent_in_use(const Extent *extent, const void *in_use, size_t stride)
{
    Extent around = {{0, 0, 0}, {0, 0, 0}};
    const unsigned char *at = (const unsigned char *)in_use;
    for (int64_t y = 0; y < extent->size[1]; y++) {
        for (int64_t z = 0; z < extent->size[2]; z++) {
            for (int64_t x = 0; x < extent->size[0]; x++, at += stride) {
                if (*(const uint64_t *)(const void *)at != 0) {
                    const int64_t unit[3] = {extent->origin[0] + x, extent->origin[1] + y,
                                             extent->origin[2] + z};
                    around = extent_with(around, unit);
                }
            }
        }
    }
    return around;
}

/// Clips a box of chunks to the extent; units are 2^shift chunks wide. @param low,high receive the
/// corners, in units. @return whether the box and the extent overlap
static inline bool extent_clip(const Extent *extent, TrnBox box, const int shift[3], int64_t low[3],
                               int64_t high[3])
{
    const int32_t min[3] = {box.min.x, box.min.y, box.min.z};
    const int32_t max[3] = {box.max.x, box.max.y, box.max.z};
    bool any = true;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t end = extent->origin[axis] + extent->size[axis] - 1;
        low[axis] = min[axis] >> shift[axis];
        high[axis] = max[axis] >> shift[axis];
        low[axis] = low[axis] < extent->origin[axis] ? extent->origin[axis] : low[axis];
        high[axis] = high[axis] > end ? end : high[axis];
        any = any && low[axis] <= high[axis] && min[axis] <= max[axis];
    }
    return any;
}
