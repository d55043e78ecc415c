// Decides which box the directory has and when the list of outlier pages is rebuilt; builds the
// next version of the map in steps, and cleans up after it was published.

#include "map_shape.h"

#include "base/clock.h"

/// Builds may cost this much for each page added or removed, on average; what is saved up for later
/// ones is limited.
#define MAP_SHAPE_CREDIT_A_PAGE 256
#define MAP_SHAPE_CREDIT_MIN ((uint64_t)1 << 16)

/// A directory with more cells than this, and twice as many for each page as growth allows, is
/// replaced by a smaller one.
#define MAP_SHAPE_CELLS_MIN 512

/// A list with more holes than this, and more holes than pages, is replaced.
#define MAP_SHAPE_HOLES_MIN 64

/// How many outlier pages each new page tests for being near the directory.
#define MAP_SHAPE_EXAMINED 2

/// How many outlier pages are skipped before the next one for which the directory may be built in
/// another place. Up to three pages are tried for each page added, so the wait plus one is no
/// multiple of three: otherwise it would always be the page added, or never.
#define MAP_SHAPE_SEED_WAIT 10
/// How far from such a page other pages are counted, in pages.
#define MAP_SHAPE_SEED_RADIUS 4
/// With more pages than this the other place is taken, even if the present directory has more.
#define MAP_SHAPE_SEED_PAGES 128

/// Building costs about this much, in units of one cell of a directory copied: a look-up in the
/// hash, and a page moved to the hash or to another list.
#define MAP_COST_LOOKUP 8
#define MAP_COST_MOVE 32

/// A build that costs at most this much is finished in the call that starts it: microseconds.
#define MAP_COST_AT_ONCE 4096

/// What each page added or removed contributes to a build in progress.
#define MAP_BUILD_COST_A_STEP 1024

/// How many places of the list, or cells of the directory, each page added or removed cleans.
#define MAP_BUILD_CLEANED_A_STEP 64

// ---- building ----------------------------------------------------------------------------------

static void map_build_clear_counts(TrnMapBuild *build, size_t *budget)
{
    TrnMapDirectory *directory = build->next->directory;
    const size_t count = trn_map_directory_counts(directory);
    const size_t end = count - build->at < *budget ? count : build->at + *budget;
    trn_map_directory_clear_counts(directory, build->at, end);
    *budget -= end - build->at;
    build->at = end;
    if (end == count) {
        build->phase = TRN_MAP_BUILD_CELLS;
        build->at = 0;
    }
}

/// Looks up outlier pages of the present version for cells of the next directory.
static void map_build_probe(TrnMap *map, size_t first, size_t end)
{
    TrnMapDirectory *next = map->shared->build.next->directory;
    for (size_t cell = first; cell < end; cell++) {
        const TrnCoord at = trn_map_directory_coord(next, cell);
        TrnPage *page = trn_map_cell(map, at.x, at.y, at.z)
                            ? NULL
                            : trn_map_hash_find(&map->shared->hash, at.x, at.y, at.z);
        if (page) {
            trn_map_directory_add(next, cell, page);
        }
    }
}

static void map_build_cells(TrnMap *map, TrnMapBuild *build, size_t *budget)
{
    TrnMapDirectory *next = build->next->directory;
    const size_t cost = build->probes ? MAP_COST_LOOKUP + 1 : 1;
    const size_t most = *budget / cost + 1, left = next->cell_count - build->at;
    const size_t end = build->at + (left < most ? left : most);
    trn_map_directory_copy(next, map->directory, build->at, end);
    if (build->probes) {
        map_build_probe(map, build->at, end);
    }
    const size_t spent = (end - build->at) * cost;
    *budget -= spent < *budget ? spent : *budget;
    build->at = build->cells = end;
    if (end == next->cell_count) {
        build->phase = build->evacuates ? TRN_MAP_BUILD_EVACUATE : TRN_MAP_BUILD_LIST;
        build->at = 0;
    }
}

/// Moves pages outside the next directory to the hash. Errors: NO_MEMORY.
static TrnResult map_build_evacuate(TrnMap *map, TrnMapBuild *build, size_t *budget)
{
    const TrnMapDirectory *directory = map->directory, *next = build->next->directory;
    while (*budget > 0 && build->at < directory->cell_count) {
        TrnPage *page = atomic_load_explicit(&directory->cells[build->at], memory_order_relaxed);
        size_t cost = 1;
        if (page && trn_map_directory_cell(next, trn_page_coord_of(page)) == SIZE_MAX) {
            cost = MAP_COST_MOVE;
            const TrnResult result = trn_map_version_evacuate(map, page);
            if (result != TRN_RESULT_OK) {
                return result;
            }
        }
        build->at++;
        *budget -= cost < *budget ? cost : *budget;
    }
    if (build->at == directory->cell_count) {
        build->phase = TRN_MAP_BUILD_LIST;
        build->at = 0;
    }
    return TRN_RESULT_OK;
}

/// Copies an outlier page to the list that is being built. Errors: NO_MEMORY.
static TrnResult map_build_copy_outlier(TrnMap *map, TrnMapList *list, TrnPage *page)
{
    const TrnResult result = trn_map_list_reserve(list);
    if (result == TRN_RESULT_OK) {
        TrnMapPlaces *places = trn_map_hash_places(&map->shared->hash, trn_page_coord_of(page));
        places->at[list->parity] = trn_map_list_count(list);
        trn_map_list_append(list, page);
    }
    return result;
}

/// Moves the page at a place of the list to the next version. Errors: NO_MEMORY.
static TrnResult map_build_place(TrnMap *map, TrnMapBuild *build, uint32_t place)
{
    TrnPage *page = trn_map_list_at(map->list, place);
    TrnMapList *list = trn_map_version_next_list(map);
    TrnMapDirectory *directory = trn_map_version_next_directory(map);
    if (!page) {
        return TRN_RESULT_OK;
    }
    if (trn_map_directory_cell(map->directory, trn_page_coord_of(page)) != SIZE_MAX) {
        if (list && map->shared->versions == 1) { // trn_map_build_clean has not come to it yet
            trn_map_list_set(map->list, place, page, NULL);
            (void)trn_map_hash_replace(&map->shared->hash, trn_page_coord_of(page), NULL, NULL);
        }
        return TRN_RESULT_OK;
    }
    if (list) {
        return map_build_copy_outlier(map, list, page);
    }
    const size_t cell = trn_map_directory_cell(directory, trn_page_coord_of(page));
    if (!build->probes && cell != SIZE_MAX && !directory->cells[cell]) {
        trn_map_directory_add(directory, cell, page);
    }
    return TRN_RESULT_OK;
}

static TrnResult map_build_list(TrnMap *map, TrnMapBuild *build, size_t *budget)
{
    const size_t cost = trn_map_version_next_list(map) ? MAP_COST_MOVE : MAP_COST_LOOKUP;
    TrnResult result = TRN_RESULT_OK;
    const uint32_t count = build->probes ? 0 : trn_map_list_count(map->list);
    while (result == TRN_RESULT_OK && *budget > 0 && build->at < count) {
        result = map_build_place(map, build, (uint32_t)build->at++);
        *budget -= cost < *budget ? cost : *budget;
    }
    if (result == TRN_RESULT_OK && build->at >= count) {
        build->phase = TRN_MAP_BUILD_DONE;
    }
    return result;
}

/// Continues the build. Errors: NO_MEMORY; the build has been discarded.
static TrnResult map_build_step(TrnMap *map, size_t budget)
{
    TrnMapBuild *build = &map->shared->build;
    const double start = trn_clock_us();
    TrnResult result = TRN_RESULT_OK;
    while (result == TRN_RESULT_OK && budget > 0 && build->phase != TRN_MAP_BUILD_DONE) {
        if (build->phase == TRN_MAP_BUILD_COUNTS) {
            map_build_clear_counts(build, &budget);
        } else if (build->phase == TRN_MAP_BUILD_CELLS) {
            map_build_cells(map, build, &budget);
        } else if (build->phase == TRN_MAP_BUILD_EVACUATE) {
            result = map_build_evacuate(map, build, &budget);
        } else {
            result = map_build_list(map, build, &budget);
        }
    }
    build->us += trn_clock_us() - start;
    if (result != TRN_RESULT_OK) {
        trn_map_version_abort_build(map->shared);
    }
    return result;
}

/// Returns the finished version, to be published.
static TrnMap *map_build_take(TrnMap *map)
{
    TrnMapShared *shared = map->shared;
    TrnMap *next = shared->build.next;
    if (next->directory != map->directory) {
        next->directory->made_us = shared->build.us;
        shared->growths++;
        shared->cleaning = shared->hash.count > 0;
        shared->examined = shared->build.places; // those that came meanwhile first
    } else {
        shared->examined = 0;
    }
    shared->cleaned = 0;
    shared->versions++;
    shared->build = (TrnMapBuild){0};
    return next;
}

void trn_map_shape_continue(TrnMap *map, TrnMap **next)
{
    const TrnMapBuild *build = &map->shared->build;
    if (build->next &&
        map_build_step(map, build->at_once ? SIZE_MAX : MAP_BUILD_COST_A_STEP) == TRN_RESULT_OK &&
        build->phase == TRN_MAP_BUILD_DONE) {
        *next = map_build_take(map);
    }
}

/// Starts to build a directory over a box. Errors: NO_MEMORY.
static TrnResult map_build_start_directory(TrnMap *map, TrnBox box)
{
    TrnMapShared *shared = map->shared;
    TrnMapDirectory *directory = trn_map_directory_create(shared->memory, box);
    TrnMap *next = directory ? trn_map_version_make(shared, directory, map->list) : NULL;
    if (!next) {
        trn_map_directory_destroy(directory);
        return TRN_RESULT_NO_MEMORY;
    }
    directory->reserved = map->directory->reserved;
    shared->build = (TrnMapBuild){.next = next, .places = trn_map_list_count(map->list)};
    return TRN_RESULT_OK;
}

/// Starts to build a list without holes. Without memory, the list stays.
static void map_build_start_list(TrnMap *map)
{
    TrnMapShared *shared = map->shared;
    TrnMapList *list = trn_map_list_create(shared->memory, !map->list->parity);
    TrnMap *next = list ? trn_map_version_make(shared, map->directory, list) : NULL;
    if (!next) {
        trn_map_list_destroy(list);
        return;
    }
    shared->build = (TrnMapBuild){.next = next, .phase = TRN_MAP_BUILD_LIST};
    shared->build.at_once = trn_map_list_count(map->list) <= MAP_COST_AT_ONCE / MAP_COST_MOVE;
}

TrnResult trn_map_shape_reserve(TrnMap *map, TrnBox box, TrnMap **next)
{
    trn_map_version_abort_build(map->shared);
    TrnResult result = map_build_start_directory(map, box);
    if (result == TRN_RESULT_OK) {
        map->shared->build.next->directory->reserved = true;
        result = map_build_step(map, SIZE_MAX);
    }
    if (result == TRN_RESULT_OK) {
        *next = map_build_take(map);
    }
    return result;
}

// ---- afterwards --------------------------------------------------------------------------------

/// Removes the pages of some cells of the directory from the hash and the list.
static void map_build_clean_cells(TrnMap *map)
{
    TrnMapShared *shared = map->shared;
    const TrnMapDirectory *directory = map->directory;
    for (int cost = 0; cost < MAP_BUILD_CLEANED_A_STEP && shared->cleaned < directory->cell_count;
         cost++, shared->cleaned++) {
        const TrnPage *page =
            atomic_load_explicit(&directory->cells[shared->cleaned], memory_order_relaxed);
        if (page) {
            trn_map_version_replace_outlier(
                map, trn_map_directory_coord(directory, shared->cleaned), page, NULL);
            cost += MAP_COST_LOOKUP;
        }
    }
    shared->cleaning = shared->cleaned < directory->cell_count;
}

/// Removes the pages of some places of the list that are in the directory from the hash and the
/// list.
static void map_build_clean_places(TrnMap *map)
{
    TrnMapShared *shared = map->shared;
    const uint32_t count = trn_map_list_count(map->list);
    for (uint32_t i = 0; i < MAP_BUILD_CLEANED_A_STEP && shared->cleaned < count;
         i++, shared->cleaned++) {
        const TrnPage *page = trn_map_list_at(map->list, (uint32_t)shared->cleaned);
        const TrnCoord coord = page ? trn_page_coord_of(page) : (TrnCoord){0, 0, 0};
        if (page && trn_map_directory_cell(map->directory, coord) != SIZE_MAX) {
            trn_map_list_set(map->list, (uint32_t)shared->cleaned, page, NULL);
            (void)trn_map_hash_replace(&shared->hash, coord, NULL, NULL);
        }
    }
    shared->cleaning = shared->cleaned < count;
}

/// Removes pages of the directory from the hash and the list, some at each call: looks through
/// whichever of the directory and the list is shorter. Versions of the time when they were outlier
/// pages must have been reclaimed.
static void map_build_clean(TrnMap *map)
{
    TrnMapShared *shared = map->shared;
    if (!shared->cleaning || shared->versions > 1 || shared->build.next) {
        return;
    }
    if (shared->cleaned == 0) {
        shared->cleans_cells = map->directory->cell_count < trn_map_list_count(map->list);
    }
    (shared->cleans_cells ? map_build_clean_cells : map_build_clean_places)(map);
}

// ---- which box ---------------------------------------------------------------------------------

/// Starts to build a directory over a box if that is worth its cost. Returns whether it did.
static bool map_shape_start(TrnMap *map, TrnBox box)
{
    TrnMapShared *shared = map->shared;
    const TrnBox present = trn_map_directory_box(map->directory);
    const uint64_t volume = trn_map_box_volume(box);
    const uint64_t added = volume - trn_map_box_volume(trn_map_box_shared(box, present));
    const uint64_t places = trn_map_list_count(map->list);
    bool exact;
    const bool evacuates =
        !trn_map_box_covers(box, trn_map_directory_tight(map->directory, &exact));
    uint64_t cost = volume + MAP_COST_LOOKUP * (added < places ? added : places);
    cost += evacuates ? map->directory->cell_count + (uint64_t)MAP_COST_MOVE * map->directory->pages
                      : 0;
    if (cost > shared->credit || map_build_start_directory(map, box) != TRN_RESULT_OK) {
        return false;
    }
    shared->credit -= cost;
    shared->build.probes = added <= places;
    shared->build.evacuates = evacuates;
    shared->build.at_once = cost <= MAP_COST_AT_ONCE;
    return true;
}

/// Returns how many cells a directory of a number of pages may have.
static uint64_t map_shape_cells_max(const TrnMap *map, uint64_t pages)
{
    const uint64_t most = pages * TRN_MAP_CELLS_PER_PAGE;
    const uint64_t fit = map->shared->directory_bytes_max / sizeof(_Atomic(TrnPage *));
    return most < fit ? most : fit;
}

/// Widens a box around all pages, `tight`, and another page by as much slack as the number of cells
/// allows: beyond `tight` where the other page is, and what the present box has. So a growing
/// region does not need a new directory for each layer of pages, whichever side it grows at.
///
/// Changes the box instead of returning one: clang 14 and 16 may drop writes to a struct that is
/// returned and also passed by value (LLVM issue 70578).
static void map_shape_add_slack(TrnBox *box, TrnBox present, TrnBox tight, uint64_t cells_max)
{
    for (uint32_t shift = 0; shift < 4; shift++) {
        TrnBox wide = *box;
        trn_map_box_stretch(&wide.min.x, &wide.max.x, tight.min.x, tight.max.x, shift);
        trn_map_box_stretch(&wide.min.y, &wide.max.y, tight.min.y, tight.max.y, shift);
        trn_map_box_stretch(&wide.min.z, &wide.max.z, tight.min.z, tight.max.z, shift);
        wide = trn_map_box_with(wide, trn_map_box_between(tight, present, shift));
        if (trn_map_box_volume(wide) <= cells_max) {
            *box = wide;
            return;
        }
    }
}

/// Returns whether a box around the directory's pages and another page would have too many cells.
/// Most pages of scattered worlds are that far away. Takes three numbers: gcc writes boxes to
/// memory, and reading them back waits for the cache misses of earlier stores.
static bool map_shape_is_far(const TrnMap *map, int32_t x, int32_t y, int32_t z)
{
    const TrnMapDirectory *directory = map->directory;
    if (directory->pages == 0 || directory->reserved) {
        return false;
    }
    const uint64_t cells_max = map_shape_cells_max(map, (uint64_t)directory->pages + 1);
    const uint64_t plane =
        trn_map_directory_span(directory, 0, x) * trn_map_directory_span(directory, 2, z);
    return plane > cells_max || plane * trn_map_directory_span(directory, 1, y) > cells_max;
}

/// Starts to build a directory that also has a page near it, if it would be dense enough.
static __attribute__((noinline)) bool map_shape_start_near(TrnMap *map, TrnCoord coord)
{
    TrnMapDirectory *directory = map->directory;
    const uint64_t cells_max = map_shape_cells_max(map, (uint64_t)directory->pages + 1);
    bool exact;
    const TrnBox tight = directory->reserved ? trn_map_directory_box(map->directory)
                                             : trn_map_directory_tight(directory, &exact);
    TrnBox box = trn_map_box_with(tight, (TrnBox){coord, coord});
    if (trn_map_box_volume(box) > cells_max) {
        return false;
    }
    if (!trn_box_is_empty(tight)) {
        map_shape_add_slack(&box, trn_map_directory_box(directory), tight, cells_max);
    }
    return map_shape_start(map, box);
}

bool trn_map_shape_start_with(TrnMap *map, TrnCoord coord)
{
    return !map_shape_is_far(map, coord.x, coord.y, coord.z) && map_shape_start_near(map, coord);
}

/// Finds the outlier pages of a cube. @param pages  receives the box around them
/// @return how many there are
static uint64_t map_shape_survey(const TrnMap *map, TrnBox cube, TrnBox *pages)
{
    uint64_t count = 0;
    *pages = (TrnBox){{1, 1, 1}, {0, 0, 0}};
    for (int32_t y = cube.min.y; y <= cube.max.y; y++) {
        for (int32_t z = cube.min.z; z <= cube.max.z; z++) {
            for (int32_t x = cube.min.x; x <= cube.max.x; x++) {
                if (!trn_map_cell(map, x, y, z) && trn_map_hash_find(&map->shared->hash, x, y, z)) {
                    const TrnCoord at = {x, y, z};
                    *pages = trn_map_box_with(*pages, (TrnBox){at, at});
                    count++;
                }
            }
        }
    }
    return count;
}

/// Returns whether there is a page behind a face of a page.
static bool map_shape_has_neighbour(const TrnMap *map, TrnCoord page)
{
    bool has = false;
    for (int face = 0; face < TRN_FACE_COUNT && !has; face++) {
        const TrnCoord behind = trn_page_coord_behind(page, (TrnFace)face);
        has = trn_map_find(map, behind.x, behind.y, behind.z) != NULL;
    }
    return has;
}

bool trn_map_shape_start_at(TrnMap *map, TrnCoord coord)
{
    TrnMapShared *shared = map->shared;
    const uint64_t present = map->directory->pages;
    if (map->directory->reserved || trn_map_version_outliers(map) / 2 <= present ||
        shared->seed_wait-- > 0) {
        return false;
    }
    shared->seed_wait = MAP_SHAPE_SEED_WAIT;
    if (!map_shape_has_neighbour(map, coord)) {
        return false; // as of most pages in scattered worlds
    }
    TrnBox seed = {{1, 1, 1}, {0, 0, 0}}, pages;
    uint64_t found = 0;
    for (int32_t radius = 1; radius <= MAP_SHAPE_SEED_RADIUS; radius *= 2) {
        const uint64_t count =
            map_shape_survey(map, trn_box_around(coord, radius, radius, radius), &pages);
        if (count < 2 || count == found || // none farther away either, most likely
            trn_map_box_volume(pages) > map_shape_cells_max(map, count)) {
            break;
        }
        seed = pages;
        found = count;
    }
    return found > (present < MAP_SHAPE_SEED_PAGES ? present : MAP_SHAPE_SEED_PAGES) &&
           map_shape_start(map, seed);
}

/// Tests whether some outlier pages have come to be near the directory, or near each other, a few
/// at each call. Each page is tested once after the directory gained or lost half of its pages: in
/// scattered worlds it hardly ever does, and the outlier pages need not be read.
static void map_shape_examine(TrnMap *map)
{
    TrnMapShared *shared = map->shared;
    const uint32_t count = trn_map_list_count(map->list);
    const uint32_t pages = map->directory->pages, before = shared->examined_pages;
    if ((pages > before ? pages - before : before - pages) > before / 2) {
        shared->examined_pages = pages;
        shared->unexamined = count;
    }
    for (int i = 0; i < MAP_SHAPE_EXAMINED && shared->unexamined > 0 && count > 0; i++) {
        shared->unexamined--;
        shared->examined = shared->examined < count ? shared->examined : 0;
        const TrnPage *page = trn_map_list_at(map->list, shared->examined++);
        if (page) {
            const TrnCoord at = trn_page_coord_of(page);
            if (!trn_map_cell(map, at.x, at.y, at.z) &&
                (trn_map_shape_start_with(map, at) || trn_map_shape_start_at(map, at))) {
                return;
            }
        }
    }
    for (uint32_t i = 0; i < MAP_SHAPE_EXAMINED && shared->unexamined > i;
         i++) { // likely not cached
        if (shared->examined + i < count) {
            __builtin_prefetch(trn_map_list_at(map->list, shared->examined + i));
        }
    }
}

/// Starts to build a smaller directory if few cells have pages: one around them; or one without
/// cells if they are too far apart.
static void map_shape_start_smaller(TrnMap *map)
{
    TrnMapDirectory *directory = map->directory;
    const uint64_t pages = directory->pages, cells = directory->cell_count;
    if (directory->reserved || cells <= MAP_SHAPE_CELLS_MIN ||
        cells <= pages * TRN_MAP_CELLS_PER_PAGE * 2) {
        return;
    }
    bool exact;
    TrnBox box = trn_map_directory_tight(directory, &exact);
    if (exact && trn_map_box_volume(box) > map_shape_cells_max(map, pages)) {
        box = (TrnBox){{1, 1, 1}, {0, 0, 0}};
    }
    if (exact) {
        (void)map_shape_start(map, box);
    }
}

/// Starts whatever build the list or a sparse directory needs.
static void map_shape_start_fit(TrnMap *map)
{
    const uint64_t places = trn_map_list_count(map->list);
    if (places > MAP_SHAPE_HOLES_MIN + 2 * (uint64_t)trn_map_version_outliers(map)) {
        map_build_start_list(map);
    } else {
        map_shape_start_smaller(map);
    }
}

void trn_map_shape_work(TrnMap *map, TrnMap **next)
{
    if (!map->shared->build.next) {
        map_shape_start_fit(map);
    }
    if (!map->shared->build.next) {
        map_shape_examine(map);
    }
    trn_map_shape_continue(map, next);
    map_build_clean(map);
}

void trn_map_shape_count_change(TrnMapShared *shared)
{
    const uint64_t most = MAP_SHAPE_CREDIT_MIN + (uint64_t)shared->pages * MAP_SHAPE_CREDIT_A_PAGE;
    shared->credit += MAP_SHAPE_CREDIT_A_PAGE;
    shared->credit = shared->credit < most ? shared->credit : most;
}
