// Walks the pages of a box: the directory row by row, then the outlier pages.

#include "page_map.h"

/// How many places of the list ahead pages are prefetched.
#define WALK_PREFETCH 8

/// Sets the row of the walk from its y and z.
static void page_walk_row(TrnPageWalk *walk)
{
    const TrnPageMap *map = walk->map;
    const size_t first = (size_t)(walk->low[0] - map->origin[0]) +
                         (size_t)(walk->z - map->origin[2]) * map->stride_z +
                         (size_t)(walk->y - map->origin[1]) * map->stride_y;
    walk->row = map->cells + first;
    walk->row_end = walk->row + (walk->high[0] - walk->low[0] + 1);
}

/// Sets the part of the box inside the directory. Returns whether the whole box is.
static bool page_walk_clip(TrnPageWalk *walk)
{
    const TrnPageMap *map = walk->map;
    const int64_t min[3] = {walk->box.min.x, walk->box.min.y, walk->box.min.z};
    const int64_t max[3] = {walk->box.max.x, walk->box.max.y, walk->box.max.z};
    bool is_inside = true, is_apart = false;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t origin = map->origin[axis], last = origin + map->extent[axis] - 1;
        walk->low[axis] = min[axis] > origin ? min[axis] : origin;
        walk->high[axis] = max[axis] < last ? max[axis] : last;
        is_inside &= min[axis] >= origin && max[axis] <= last;
        is_apart |= walk->low[axis] > walk->high[axis];
    }
    if (is_apart) {
        walk->low[1] = 0;
        walk->high[1] = -1;
    }
    walk->y = walk->low[1];
    walk->z = walk->low[2];
    if (!is_apart) {
        page_walk_row(walk);
    }
    return is_inside;
}

TrnPageWalk trn_page_walk(const TrnPageMap *map, TrnBox pages)
{
    TrnPageWalk walk = {.map = map, .box = pages, .probe = pages.min};
    if (trn_box_is_empty(pages)) {
        walk.high[1] = -1;
        return walk;
    }
    const bool is_inside = page_walk_clip(&walk);
    // Later entries are of pages added since.
    const uint32_t places = is_inside ? 0 : trn_page_list_count(map->list);
    // Looking up each page of a small box costs less than reading the whole list.
    walk.probing = trn_page_box_volume(pages) < places;
    walk.outlier_end = walk.probing ? 0 : places;
    return walk;
}

/// Moves to the next row of the directory. Returns false past the last.
static bool page_walk_next_row(TrnPageWalk *walk)
{
    if (walk->y > walk->high[1]) {
        return false;
    }
    if (++walk->z > walk->high[2]) {
        walk->z = walk->low[2];
        if (++walk->y > walk->high[1]) {
            walk->row = walk->row_end = NULL;
            return false;
        }
    }
    page_walk_row(walk);
    return true;
}

/// Moves the probe to the next coordinate, x fastest, then z, then y; ends probing at the last.
static void page_walk_step(TrnPageWalk *walk)
{
    if (walk->probe.x < walk->box.max.x) {
        walk->probe.x++;
        return;
    }
    walk->probe.x = walk->box.min.x;
    if (walk->probe.z < walk->box.max.z) {
        walk->probe.z++;
        return;
    }
    walk->probe.z = walk->box.min.z;
    walk->probing = walk->probe.y < walk->box.max.y;
    walk->probe.y += walk->probing;
}

static TrnPage *page_walk_next_probe(TrnPageWalk *walk)
{
    while (walk->probing) {
        const TrnCoord page = walk->probe;
        page_walk_step(walk);
        if (!trn_page_map_cell(walk->map, page.x, page.y, page.z)) {
            TrnPage *found = trn_page_hash_find(walk->map->hash, page.x, page.y, page.z);
            if (found) {
                return found;
            }
        }
    }
    return NULL;
}

static TrnPage *page_walk_next_listed(TrnPageWalk *walk)
{
    const TrnPageMap *map = walk->map;
    while (walk->outlier < walk->outlier_end) {
        if (walk->outlier + WALK_PREFETCH < walk->outlier_end) {
            __builtin_prefetch(trn_page_list_at(map->list, walk->outlier + WALK_PREFETCH));
        }
        TrnPage *page = trn_page_list_at(map->list, walk->outlier++);
        if (page) {
            const TrnCoord at = trn_page_coord_of(page);
            // A page in the directory's box was or will be an outlier page of another version.
            if (trn_box_contains(walk->box, at) && !trn_page_map_cell(map, at.x, at.y, at.z)) {
                return page;
            }
        }
    }
    return NULL;
}

TrnPage *trn_page_walk_next(TrnPageWalk *walk)
{
    do {
        while (walk->row != walk->row_end) {
            TrnPage *page = atomic_load_explicit(walk->row++, memory_order_acquire);
            if (page) {
                return page;
            }
        }
    } while (page_walk_next_row(walk));
    return walk->probing ? page_walk_next_probe(walk) : page_walk_next_listed(walk);
}
