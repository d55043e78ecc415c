// Regions of shared worlds: see region.h.

#include "region.h"

#include <math.h>

#define REGION_BITS 21
#define REGION_MAX 1e9 // of a place; those outside the world count as at its origin
#define REGION_MASK ((INT64_C(1) << REGION_BITS) - 1)

/// The region of a chunk's coordinate on one axis.
static int64_t region_axis(int64_t coord, uint32_t level)
{
    const int64_t chunk = coord * (INT64_C(1) << level); // of level 0
    return chunk >> TRN_REGION_LEVEL;
}

int64_t trn_region_number(TrnRegion region)
{
    return (region.x & REGION_MASK) << 2 * REGION_BITS | (region.y & REGION_MASK) << REGION_BITS |
           (region.z & REGION_MASK);
}

/// The coordinate in the lowest bits of a number.
static int32_t region_coordinate(int64_t number)
{
    const int64_t bits = number & REGION_MASK;
    return (int32_t)(bits > REGION_MASK / 2 ? bits - REGION_MASK - 1 : bits);
}

TrnRegion trn_region_of_number(int64_t number)
{
    return (TrnRegion){region_coordinate(number >> 2 * REGION_BITS),
                       region_coordinate(number >> REGION_BITS), region_coordinate(number)};
}

int64_t trn_region_column(int64_t number)
{
    return number & ~(REGION_MASK << REGION_BITS);
}

int64_t trn_region_of_place(const double place[3])
{
    const double edge = (double)TRN_REGION_CHUNKS * TRN_CHUNK_EDGE;
    int32_t axes[3];
    for (int i = 0; i < 3; i++) {
        const double at = floor(place[i] / edge);
        axes[i] = at >= -REGION_MAX && at <= REGION_MAX ? (int32_t)at : 0;
    }
    return trn_region_number((TrnRegion){axes[0], axes[1], axes[2]});
}

TrnRegion trn_region_of(TrnCoord coord, uint32_t level)
{
    const uint32_t shift = level < 31 ? level : 31;
    return (TrnRegion){(int32_t)region_axis(coord.x, shift), (int32_t)region_axis(coord.y, shift),
                       (int32_t)region_axis(coord.z, shift)};
}

TrnBox trn_region_box(TrnRegion region)
{
    const int32_t edge = TRN_REGION_CHUNKS;
    const TrnCoord low = {region.x * edge, region.y * edge, region.z * edge};
    return (TrnBox){low, {low.x + edge - 1, low.y + edge - 1, low.z + edge - 1}};
}

int64_t trn_storage_region(const TrnStorageKey *key)
{
    return trn_region_number(trn_region_of(key->coord, key->level));
}

size_t trn_storage_regions(const TrnBox *box, uint32_t level, int64_t *regions, size_t capacity)
{
    const uint32_t up = level < TRN_REGION_LEVEL ? TRN_REGION_LEVEL - level : 0;
    const int32_t low[] = {box->min.x, box->min.y, box->min.z};
    const int32_t high[] = {box->max.x, box->max.y, box->max.z};
    int64_t first[3], last[3], total = 1;
    for (int i = 0; i < 3; i++) {
        first[i] = (int64_t)low[i] >> up;
        last[i] = (int64_t)high[i] >> up;
        total = last[i] < first[i] || last[i] - first[i] >= (int64_t)capacity
                    ? 0
                    : total * (last[i] - first[i] + 1);
        if (total <= 0 || total > (int64_t)capacity) {
            return 0;
        }
    }
    size_t count = 0;
    for (int64_t x = first[0]; x <= last[0]; x++) {
        for (int64_t y = first[1]; y <= last[1]; y++) {
            for (int64_t z = first[2]; z <= last[2]; z++) {
                const TrnStorageKey key = {
                    {(int32_t)(x * (1 << up)), (int32_t)(y * (1 << up)), (int32_t)(z * (1 << up))},
                    level};
                regions[count++] = trn_storage_region(&key);
            }
        }
    }
    return count;
}
