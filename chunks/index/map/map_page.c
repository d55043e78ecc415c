// Boxes of page coordinates.

#include "map_page.h"

static int32_t map_box_min(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t map_box_max(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

TrnBox trn_map_box_with(TrnBox box, TrnBox other)
{
    if (trn_box_is_empty(box)) {
        return other;
    }
    const TrnBox both = {{map_box_min(box.min.x, other.min.x), map_box_min(box.min.y, other.min.y),
                          map_box_min(box.min.z, other.min.z)},
                         {map_box_max(box.max.x, other.max.x), map_box_max(box.max.y, other.max.y),
                          map_box_max(box.max.z, other.max.z)}};
    return both;
}

TrnBox trn_map_box_shared(TrnBox box, TrnBox other)
{
    const TrnBox shared = {
        {map_box_max(box.min.x, other.min.x), map_box_max(box.min.y, other.min.y),
         map_box_max(box.min.z, other.min.z)},
        {map_box_min(box.max.x, other.max.x), map_box_min(box.max.y, other.max.y),
         map_box_min(box.max.z, other.max.z)}};
    return shared;
}

bool trn_map_box_covers(TrnBox box, TrnBox inner)
{
    return trn_box_is_empty(inner) ||
           (trn_box_contains(box, inner.min) && trn_box_contains(box, inner.max));
}

void trn_map_box_stretch(int32_t *low, int32_t *high, int32_t from_low, int32_t from_high,
                         uint32_t shift)
{
    const int32_t last = INT32_MAX >> TRN_PAGE_SHIFT, first = INT32_MIN >> TRN_PAGE_SHIFT;
    const int32_t more = (from_high - from_low + 1) >> shift;
    if (*low < from_low) {
        *low = map_box_min(*low, map_box_max(from_low - more, first));
    }
    if (*high > from_high) {
        *high = map_box_max(*high, map_box_min(from_high + more, last));
    }
}

TrnBox trn_map_box_between(TrnBox inner, TrnBox outer, uint32_t shift)
{
    const TrnBox between = {{inner.min.x - ((inner.min.x - outer.min.x) >> shift),
                             inner.min.y - ((inner.min.y - outer.min.y) >> shift),
                             inner.min.z - ((inner.min.z - outer.min.z) >> shift)},
                            {inner.max.x + ((outer.max.x - inner.max.x) >> shift),
                             inner.max.y + ((outer.max.y - inner.max.y) >> shift),
                             inner.max.z + ((outer.max.z - inner.max.z) >> shift)}};
    return between;
}

uint64_t trn_map_box_volume(TrnBox pages)
{
    if (trn_box_is_empty(pages)) {
        return 0;
    }
    const uint64_t x = (uint64_t)((int64_t)pages.max.x - pages.min.x) + 1;
    const uint64_t y = (uint64_t)((int64_t)pages.max.y - pages.min.y) + 1;
    const uint64_t z = (uint64_t)((int64_t)pages.max.z - pages.min.z) + 1;
    uint64_t volume;
    if (__builtin_mul_overflow(x, y, &volume) || __builtin_mul_overflow(volume, z, &volume)) {
        return UINT64_MAX;
    }
    return volume;
}
