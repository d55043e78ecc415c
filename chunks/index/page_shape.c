// The rules that decide which box the directory has, and when the list is rebuilt.

#include "page_shape.h"

#include "page_build.h"

/// Builds may cost this much for each page added or removed, on average; what is saved up for later
/// ones is limited.
#define PAGE_SHAPE_CREDIT_A_PAGE 256
#define PAGE_SHAPE_CREDIT_MIN ((uint64_t)1 << 16)

/// A directory with more cells than this, and twice as many for each page as growth allows, is
/// replaced by a smaller one.
#define PAGE_SHAPE_CELLS_MIN 512

/// A list with more holes than this, and more holes than pages, is replaced.
#define PAGE_SHAPE_HOLES_MIN 64

/// How many outlier pages each new page tests for being near the directory.
#define PAGE_SHAPE_EXAMINED 2

/// How many outlier pages are skipped before the next one for which the directory may be built in
/// another place. Up to three pages are tried for each page added, so the wait plus one is no
/// multiple of three: otherwise it would always be the page added, or never.
#define PAGE_SHAPE_SEED_WAIT 10
/// How far from such a page other pages are counted, in pages.
#define PAGE_SHAPE_SEED_RADIUS 4
/// With more pages than this the other place is taken, even if the present directory has more.
#define PAGE_SHAPE_SEED_PAGES 128

/// Starts to build a directory over a box if that is worth its cost. Returns whether it did.
static bool page_shape_start(TrnPageMap *map, TrnBox box)
{
    TrnPageMapShared *shared = map->shared;
    const TrnBox present = trn_page_directory_box(map->directory);
    const uint64_t volume = trn_page_box_volume(box);
    const uint64_t added = volume - trn_page_box_volume(trn_page_box_shared(box, present));
    const uint64_t places = trn_page_list_count(map->list);
    bool exact;
    const bool evacuates =
        !trn_page_box_covers(box, trn_page_directory_tight(map->directory, &exact));
    uint64_t cost = volume + TRN_PAGE_COST_LOOKUP * (added < places ? added : places);
    cost += evacuates
                ? map->directory->cell_count + (uint64_t)TRN_PAGE_COST_MOVE * map->directory->pages
                : 0;
    if (cost > shared->credit || trn_page_build_start_directory(map, box) != TRN_RESULT_OK) {
        return false;
    }
    shared->credit -= cost;
    shared->build.probes = added <= places;
    shared->build.evacuates = evacuates;
    shared->build.at_once = cost <= TRN_PAGE_COST_AT_ONCE;
    return true;
}

/// Returns how many cells a directory of a number of pages may have.
static uint64_t page_shape_cells_max(const TrnPageMap *map, uint64_t pages)
{
    const uint64_t most = pages * TRN_PAGE_CELLS_PER_PAGE;
    const uint64_t fit = map->shared->directory_bytes_max / sizeof(_Atomic(TrnPage *));
    return most < fit ? most : fit;
}

/// Widens a box around all pages, `tight`, and another page by as much slack as the number of cells
/// allows: beyond `tight` where the other page is, and what the present box has. So a growing
/// region does not need a new directory for each layer of pages, whichever side it grows at.
///
/// Changes the box instead of returning one: clang 14 and 16 may drop writes to a struct that is
/// returned and also passed by value (LLVM issue 70578).
static void page_shape_add_slack(TrnBox *box, TrnBox present, TrnBox tight, uint64_t cells_max)
{
    for (uint32_t shift = 0; shift < 4; shift++) {
        TrnBox wide = *box;
        trn_page_box_stretch(&wide.min.x, &wide.max.x, tight.min.x, tight.max.x, shift);
        trn_page_box_stretch(&wide.min.y, &wide.max.y, tight.min.y, tight.max.y, shift);
        trn_page_box_stretch(&wide.min.z, &wide.max.z, tight.min.z, tight.max.z, shift);
        wide = trn_page_box_with(wide, trn_page_box_between(tight, present, shift));
        if (trn_page_box_volume(wide) <= cells_max) {
            *box = wide;
            return;
        }
    }
}

/// Returns whether a box around the directory's pages and another page would have too many cells.
/// Most pages of scattered worlds are that far away. Takes three numbers: gcc writes boxes to
/// memory, and reading them back waits for the cache misses of earlier stores.
static bool page_shape_is_far(const TrnPageMap *map, int32_t x, int32_t y, int32_t z)
{
    const TrnPageDirectory *directory = map->directory;
    if (directory->pages == 0 || directory->reserved) {
        return false;
    }
    const uint64_t cells_max = page_shape_cells_max(map, (uint64_t)directory->pages + 1);
    const uint64_t plane =
        trn_page_directory_span(directory, 0, x) * trn_page_directory_span(directory, 2, z);
    return plane > cells_max || plane * trn_page_directory_span(directory, 1, y) > cells_max;
}

/// Starts to build a directory that also has a page near it, if it would be dense enough.
static __attribute__((noinline)) bool page_shape_start_near(TrnPageMap *map, TrnCoord coord)
{
    TrnPageDirectory *directory = map->directory;
    const uint64_t cells_max = page_shape_cells_max(map, (uint64_t)directory->pages + 1);
    bool exact;
    const TrnBox tight = directory->reserved ? trn_page_directory_box(map->directory)
                                             : trn_page_directory_tight(directory, &exact);
    TrnBox box = trn_page_box_with(tight, (TrnBox){coord, coord});
    if (trn_page_box_volume(box) > cells_max) {
        return false;
    }
    if (!trn_box_is_empty(tight)) {
        page_shape_add_slack(&box, trn_page_directory_box(directory), tight, cells_max);
    }
    return page_shape_start(map, box);
}

bool trn_page_shape_start_with(TrnPageMap *map, TrnCoord coord)
{
    return !page_shape_is_far(map, coord.x, coord.y, coord.z) && page_shape_start_near(map, coord);
}

/// Finds the outlier pages of a cube. @param pages  receives the box around them
/// @return how many there are
static uint64_t page_shape_survey(const TrnPageMap *map, TrnBox cube, TrnBox *pages)
{
    uint64_t count = 0;
    *pages = (TrnBox){{1, 1, 1}, {0, 0, 0}};
    for (int32_t y = cube.min.y; y <= cube.max.y; y++) {
        for (int32_t z = cube.min.z; z <= cube.max.z; z++) {
            for (int32_t x = cube.min.x; x <= cube.max.x; x++) {
                if (!trn_page_map_cell(map, x, y, z) &&
                    trn_page_hash_find(&map->shared->hash, x, y, z)) {
                    const TrnCoord at = {x, y, z};
                    *pages = trn_page_box_with(*pages, (TrnBox){at, at});
                    count++;
                }
            }
        }
    }
    return count;
}

/// Returns whether there is a page behind a face of a page.
static bool page_shape_has_neighbour(const TrnPageMap *map, TrnCoord page)
{
    bool has = false;
    for (int face = 0; face < TRN_FACE_COUNT && !has; face++) {
        const TrnCoord behind = trn_page_coord_behind(page, (TrnFace)face);
        has = trn_page_map_find(map, behind.x, behind.y, behind.z) != NULL;
    }
    return has;
}

bool trn_page_shape_start_at(TrnPageMap *map, TrnCoord coord)
{
    TrnPageMapShared *shared = map->shared;
    const uint64_t present = map->directory->pages;
    if (map->directory->reserved || trn_page_version_outliers(map) / 2 <= present ||
        shared->seed_wait-- > 0) {
        return false;
    }
    shared->seed_wait = PAGE_SHAPE_SEED_WAIT;
    if (!page_shape_has_neighbour(map, coord)) {
        return false; // as of most pages in scattered worlds
    }
    TrnBox seed = {{1, 1, 1}, {0, 0, 0}}, pages;
    uint64_t found = 0;
    for (int32_t radius = 1; radius <= PAGE_SHAPE_SEED_RADIUS; radius *= 2) {
        const uint64_t count =
            page_shape_survey(map, trn_box_around(coord, radius, radius, radius), &pages);
        if (count < 2 || trn_page_box_volume(pages) > page_shape_cells_max(map, count)) {
            break;
        }
        seed = pages;
        found = count;
    }
    return found > (present < PAGE_SHAPE_SEED_PAGES ? present : PAGE_SHAPE_SEED_PAGES) &&
           page_shape_start(map, seed);
}

/// Tests whether some outlier pages have come to be near the directory, or near each other, a few
/// at each call. Each page is tested once after the directory gained or lost half of its pages: in
/// scattered worlds it hardly ever does, and the outlier pages need not be read.
static void page_shape_examine(TrnPageMap *map)
{
    TrnPageMapShared *shared = map->shared;
    const uint32_t count = trn_page_list_count(map->list);
    const uint32_t pages = map->directory->pages, before = shared->examined_pages;
    if ((pages > before ? pages - before : before - pages) > before / 2) {
        shared->examined_pages = pages;
        shared->unexamined = count;
    }
    for (int i = 0; i < PAGE_SHAPE_EXAMINED && shared->unexamined > 0 && count > 0; i++) {
        shared->unexamined--;
        shared->examined = shared->examined < count ? shared->examined : 0;
        const TrnPage *page = trn_page_list_at(map->list, shared->examined++);
        if (page) {
            const TrnCoord at = trn_page_coord_of(page);
            if (!trn_page_map_cell(map, at.x, at.y, at.z) &&
                (trn_page_shape_start_with(map, at) || trn_page_shape_start_at(map, at))) {
                return;
            }
        }
    }
    for (uint32_t i = 0; i < PAGE_SHAPE_EXAMINED && shared->unexamined > i;
         i++) { // likely not cached
        if (shared->examined + i < count) {
            __builtin_prefetch(trn_page_list_at(map->list, shared->examined + i));
        }
    }
}

/// Starts to build a smaller directory if few cells have pages: one around them; or one without
/// cells if they are too far apart.
static void page_shape_start_smaller(TrnPageMap *map)
{
    TrnPageDirectory *directory = map->directory;
    const uint64_t pages = directory->pages, cells = directory->cell_count;
    if (directory->reserved || cells <= PAGE_SHAPE_CELLS_MIN ||
        cells <= pages * TRN_PAGE_CELLS_PER_PAGE * 2) {
        return;
    }
    bool exact;
    TrnBox box = trn_page_directory_tight(directory, &exact);
    if (exact && trn_page_box_volume(box) > page_shape_cells_max(map, pages)) {
        box = (TrnBox){{1, 1, 1}, {0, 0, 0}};
    }
    if (exact) {
        (void)page_shape_start(map, box);
    }
}

/// Starts whatever build the list or a sparse directory needs.
static void page_shape_start_fit(TrnPageMap *map)
{
    const uint64_t places = trn_page_list_count(map->list);
    if (places > PAGE_SHAPE_HOLES_MIN + 2 * (uint64_t)trn_page_version_outliers(map)) {
        trn_page_build_start_list(map);
    } else {
        page_shape_start_smaller(map);
    }
}

void trn_page_shape_work(TrnPageMap *map, TrnPageMap **next)
{
    if (!map->shared->build.next) {
        page_shape_start_fit(map);
    }
    if (!map->shared->build.next) {
        page_shape_examine(map);
    }
    trn_page_build_continue(map, next);
    trn_page_build_clean(map);
}

void trn_page_shape_count_change(TrnPageMapShared *shared)
{
    const uint64_t most =
        PAGE_SHAPE_CREDIT_MIN + (uint64_t)shared->pages * PAGE_SHAPE_CREDIT_A_PAGE;
    shared->credit += PAGE_SHAPE_CREDIT_A_PAGE;
    shared->credit = shared->credit < most ? shared->credit : most;
}
