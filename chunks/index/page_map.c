// Maps page coordinates to pages: versions of a directory and a list of outlier pages, the steps in
// which the next version is built, and the rules that decide its shape.

#include "page_map.h"

#include <stdalign.h>
#include <string.h>

#include "base/clock.h"

/// Building costs about this much, in units of one cell of a directory copied: a look-up in the
/// hash, and a page moved to the hash or to another list.
#define BUILD_COST_LOOKUP 8
#define BUILD_COST_MOVE 32

/// A build that costs at most this much is finished in the call that starts it: microseconds.
#define BUILD_COST_AT_ONCE 4096

/// What each page added or removed contributes to a build in progress.
#define BUILD_COST_A_STEP 1024

/// Builds may cost this much for each page added or removed, on average; what is saved up for later
/// ones is limited.
#define BUILD_CREDIT_A_PAGE 256
#define BUILD_CREDIT_MIN ((uint64_t)1 << 16)

/// A directory with more cells than this, and twice as many for each page as growth allows, is
/// replaced by a smaller one.
#define SPARSE_CELLS_MIN 512

/// A list with more holes than this, and more holes than pages, is replaced.
#define LIST_HOLES_MIN 64

/// How many outlier pages each new page tests for being near the directory.
#define EXAMINED_A_PAGE 2

/// How many outlier pages are skipped before the next one for which the directory may be built in
/// another place. Up to three pages are tried for each page added, so the wait plus one is no
/// multiple of three: otherwise it would always be the page added, or never.
#define SEED_WAIT 10
/// How far from such a page other pages are counted, in pages.
#define SEED_RADIUS_MAX 4
/// With more pages than this the other place is taken, even if the present directory has more.
#define SEED_PAGES_ENOUGH 128

/// How many places of the list, or cells of the directory, each page added or removed cleans.
#define CLEANED_A_STEP 64

/// The next version, while it is being built.
typedef struct PageBuild {
    TrnPageMap *next; ///< NULL: none is being built
    enum { BUILD_COUNTS, BUILD_CELLS, BUILD_EVACUATE, BUILD_LIST, BUILD_DONE } phase;
    size_t at;       ///< the next count, cell or place of the phase
    size_t cells;    ///< cells of the next directory that are valid, from the first
    uint32_t places; ///< of the list when it was started
    bool probes;     ///< looks up outlier pages for new cells, instead of reading the list
    bool evacuates;  ///< pages of the directory may lie outside the next one
    bool at_once;    ///< is finished in the call that started it
    double us;       ///< microseconds spent
} PageBuild;

/// What all versions of a map share. Used by the writer, but for the hash.
struct TrnPageMapShared {
    TrnPageHash hash;
    TrnPageMemory *memory;
    size_t directory_bytes_max;
    size_t pages;
    uint32_t versions; ///< published and not yet freed
    uint32_t growths;
    uint64_t credit;
    uint32_t seed_wait;      ///< pages to add or examine before a new place for it is sought
    uint32_t examined;       ///< the next place of the list to examine
    uint32_t unexamined;     ///< places that are left to examine
    uint32_t examined_pages; ///< pages of the directory when all were to be examined
    size_t cleaned;          ///< the next place of the list, or cell of the directory, to clean
    bool cleaning;           ///< pages of the directory may also be in the list
    bool cleans_cells;       ///< looks through the directory instead of the list
    PageBuild build;
};

// ---- boxes of pages ----------------------------------------------------------------------------

static int32_t page_min(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t page_max(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static TrnBox page_box_with(TrnBox box, TrnBox other)
{
    if (trn_box_is_empty(box)) {
        return other;
    }
    const TrnBox both = {{page_min(box.min.x, other.min.x), page_min(box.min.y, other.min.y),
                          page_min(box.min.z, other.min.z)},
                         {page_max(box.max.x, other.max.x), page_max(box.max.y, other.max.y),
                          page_max(box.max.z, other.max.z)}};
    return both;
}

static TrnBox page_box_shared(TrnBox box, TrnBox other)
{
    const TrnBox shared = {{page_max(box.min.x, other.min.x), page_max(box.min.y, other.min.y),
                            page_max(box.min.z, other.min.z)},
                           {page_min(box.max.x, other.max.x), page_min(box.max.y, other.max.y),
                            page_min(box.max.z, other.max.z)}};
    return shared;
}

static bool page_box_covers(TrnBox box, TrnBox inner)
{
    return trn_box_is_empty(inner) ||
           (trn_box_contains(box, inner.min) && trn_box_contains(box, inner.max));
}

/// Extends one axis of a box where it reaches beyond another box: to 1 / 2^shift of the other's
/// length beyond it. Page coordinates have fewer bits than 32, so nothing overflows.
static void page_box_stretch(int32_t *low, int32_t *high, int32_t from_low, int32_t from_high,
                             uint32_t shift)
{
    const int32_t last = INT32_MAX >> TRN_PAGE_SHIFT, first = INT32_MIN >> TRN_PAGE_SHIFT;
    const int32_t more = (from_high - from_low + 1) >> shift;
    if (*low < from_low) {
        *low = page_min(*low, page_max(from_low - more, first));
    }
    if (*high > from_high) {
        *high = page_max(*high, page_min(from_high + more, last));
    }
}

/// Returns a box from one inside it outwards by 1 / 2^shift of the way to the outer one.
static TrnBox page_box_between(TrnBox inner, TrnBox outer, uint32_t shift)
{
    const TrnBox between = {{inner.min.x - ((inner.min.x - outer.min.x) >> shift),
                             inner.min.y - ((inner.min.y - outer.min.y) >> shift),
                             inner.min.z - ((inner.min.z - outer.min.z) >> shift)},
                            {inner.max.x + ((outer.max.x - inner.max.x) >> shift),
                             inner.max.y + ((outer.max.y - inner.max.y) >> shift),
                             inner.max.z + ((outer.max.z - inner.max.z) >> shift)}};
    return between;
}

// ---- versions ----------------------------------------------------------------------------------

/// Makes a version of a directory and a list. NULL without memory.
static TrnPageMap *map_make(TrnPageMapShared *shared, TrnPageDirectory *directory,
                            TrnPageList *list)
{
    TrnPageMap *made = trn_page_block_take(shared->memory, sizeof *made);
    if (!made) {
        return NULL;
    }
    made->cells = directory->cells;
    memcpy(made->origin, directory->origin, sizeof made->origin);
    memcpy(made->extent, directory->extent, sizeof made->extent);
    for (int axis = 0; axis < 3; axis++) {
        made->last[axis] = (int64_t)directory->extent[axis] - 1;
    }
    made->stride_z = directory->stride_z;
    made->stride_y = directory->stride_y;
    made->hash = &shared->hash;
    made->list = list;
    made->directory = directory;
    made->shared = shared;
    made->retired_bytes = 0;
    directory->users++;
    list->users++;
    return made;
}

/// Frees a version, and what no other version shares with it.
static void map_free(TrnPageMap *map)
{
    if (--map->directory->users == 0) {
        trn_page_directory_destroy(map->directory);
    }
    if (--map->list->users == 0) {
        trn_page_list_destroy(map->list);
    }
    trn_page_block_give(&map->block);
}

/// Discards the version that is being built.
static void build_abort(TrnPageMapShared *shared)
{
    if (shared->build.next) {
        map_free(shared->build.next);
        shared->build = (PageBuild){0};
        shared->cleaning = true; // pages may have been copied to the hash
        shared->cleaned = 0;
    }
}

/// Frees a published version; with the last one, what all share.
static void map_free_published(TrnPageMap *map)
{
    TrnPageMapShared *shared = map->shared;
    map_free(map);
    if (--shared->versions == 0) {
        build_abort(shared);
        trn_page_hash_close(&shared->hash);
        trn_page_give(shared->memory, shared, sizeof *shared);
    }
}

TrnResult trn_page_map_create(TrnPageMemory *memory, size_t directory_bytes_max, uint64_t hash_key,
                              TrnPageMap **map)
{
    TrnPageMapShared *shared = trn_page_take(memory, sizeof *shared, alignof(TrnPageMapShared));
    if (!shared) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(shared, 0, sizeof *shared);
    shared->memory = memory;
    shared->directory_bytes_max = directory_bytes_max;
    shared->versions = 1;
    trn_page_hash_init(&shared->hash, hash_key, memory);
    const TrnBox nothing = {{1, 1, 1}, {0, 0, 0}};
    TrnPageDirectory *directory = trn_page_directory_create(memory, nothing);
    TrnPageList *list = directory ? trn_page_list_create(memory, 0) : NULL;
    TrnPageMap *made = list ? map_make(shared, directory, list) : NULL;
    if (!made) {
        trn_page_directory_destroy(directory);
        trn_page_list_destroy(list);
        trn_page_give(memory, shared, sizeof *shared);
        return TRN_RESULT_NO_MEMORY;
    }
    *map = made;
    return TRN_RESULT_OK;
}

void trn_page_map_destroy(TrnPageMap *map)
{
    if (map) {
        map_free_published(map);
    }
}

static void map_reclaim(TrnRetireLink *link, void *context)
{
    (void)context;
    TrnPageMap *map = (TrnPageMap *)(void *)link;
    map->block.memory->retired_bytes -= map->retired_bytes;
    map_free_published(map);
}

static const TrnRetireOwner map_owner = {map_reclaim, NULL};

void trn_page_map_retire(TrnPageMap *map, const TrnPageMap *next)
{
    map->retired_bytes = sizeof *map;
    if (!next || next->directory != map->directory) {
        map->retired_bytes += trn_page_directory_bytes(map->directory);
    }
    if (!next || next->list != map->list) {
        map->retired_bytes += trn_page_list_bytes(map->list);
    }
    map->block.memory->retired_bytes += map->retired_bytes;
    trn_retire_link(map->block.memory->retire, &map_owner, &map->block.link);
}

TrnPageMapFigures trn_page_map_figures(const TrnPageMap *map)
{
    const TrnPageMapShared *shared = map->shared;
    const TrnPageMapFigures figures = {.pages = shared->pages,
                                       .outliers = shared->pages - map->directory->pages,
                                       .directory_pages = map->directory->pages,
                                       .directory_cells = map->directory->cell_count,
                                       .directory_growths = shared->growths,
                                       .hash_key = shared->hash.key};
    return figures;
}

TrnBox trn_page_map_box(const TrnPageMap *map)
{
    return trn_page_directory_box(map->directory);
}

// ---- outlier pages -----------------------------------------------------------------------------

static size_t map_outliers(const TrnPageMap *map)
{
    return map->shared->pages - map->directory->pages;
}

/// Adds a page to the hash and the list. Errors: NO_MEMORY.
static TrnResult map_add_outlier(TrnPageMap *map, TrnPage *page)
{
    TrnPageList *list = map->list;
    TrnResult result = trn_page_list_reserve(list);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnPagePlaces places = {{UINT32_MAX, UINT32_MAX}};
    places.at[list->parity] = trn_page_list_count(list);
    result = trn_page_hash_add(&map->shared->hash, page, places);
    if (result == TRN_RESULT_OK) {
        trn_page_list_append(list, page);
    }
    return result;
}

/// Adds a page of the directory to the hash and the list, if they do not contain it: it will be an
/// outlier page of the next version. Errors: NO_MEMORY.
static TrnResult map_evacuate(TrnPageMap *map, TrnPage *page)
{
    TrnPageList *list = map->list;
    TrnPagePlaces *places = trn_page_hash_places(&map->shared->hash, trn_page_coord_of(page));
    if (!places) {
        return map_add_outlier(map, page);
    }
    // It has been an outlier page, and a reader still uses a version of that time.
    const uint32_t place = places->at[list->parity];
    if (place < trn_page_list_count(list) && trn_page_list_at(list, place) == page) {
        return TRN_RESULT_OK;
    }
    const TrnResult result = trn_page_list_reserve(list);
    if (result == TRN_RESULT_OK) {
        places->at[list->parity] = trn_page_list_count(list);
        trn_page_list_append(list, page);
    }
    return result;
}

/// Returns the list that is being built, or NULL.
static TrnPageList *map_next_list(const TrnPageMap *map)
{
    const TrnPageMap *next = map->shared->build.next;
    return next && next->list != map->list ? next->list : NULL;
}

/// Returns the directory that is being built, or NULL.
static TrnPageDirectory *map_next_directory(const TrnPageMap *map)
{
    const TrnPageMap *next = map->shared->build.next;
    return next && next->directory != map->directory ? next->directory : NULL;
}

/// Replaces an outlier page in the hash and the lists by another one, or removes it from them. Does
/// nothing if the hash does not contain it. @param other  NULL removes
static void map_replace_outlier(TrnPageMap *map, TrnCoord coord, const TrnPage *page,
                                TrnPage *other)
{
    TrnPageHash *hash = &map->shared->hash;
    TrnPageList *next = map_next_list(map);
    TrnPagePlaces places;
    if (hash->count == 0 || !trn_page_hash_replace(hash, coord, other, &places)) {
        return;
    }
    trn_page_list_set(map->list, places.at[map->list->parity], page, other);
    if (next) {
        trn_page_list_set(next, places.at[next->parity], page, other);
    }
}

/// Removes the pages of some cells of the directory from the hash and the list.
static void map_clean_cells(TrnPageMap *map)
{
    TrnPageMapShared *shared = map->shared;
    const TrnPageDirectory *directory = map->directory;
    for (int cost = 0; cost < CLEANED_A_STEP && shared->cleaned < directory->cell_count;
         cost++, shared->cleaned++) {
        const TrnPage *page =
            atomic_load_explicit(&directory->cells[shared->cleaned], memory_order_relaxed);
        if (page) {
            map_replace_outlier(map, trn_page_directory_coord(directory, shared->cleaned), page,
                                NULL);
            cost += BUILD_COST_LOOKUP;
        }
    }
    shared->cleaning = shared->cleaned < directory->cell_count;
}

/// Removes the pages of some places of the list that are in the directory from the hash and the
/// list.
static void map_clean_places(TrnPageMap *map)
{
    TrnPageMapShared *shared = map->shared;
    const uint32_t count = trn_page_list_count(map->list);
    for (uint32_t i = 0; i < CLEANED_A_STEP && shared->cleaned < count; i++, shared->cleaned++) {
        const TrnPage *page = trn_page_list_at(map->list, (uint32_t)shared->cleaned);
        const TrnCoord coord = page ? trn_page_coord_of(page) : (TrnCoord){0, 0, 0};
        if (page && trn_page_directory_cell(map->directory, coord) != SIZE_MAX) {
            map_replace_outlier(map, coord, page, NULL);
        }
    }
    shared->cleaning = shared->cleaned < count;
}

/// Removes pages of the directory from the hash and the list, some at each call: looks through
/// whichever of the directory and the list is shorter. Versions of the time when they were outlier
/// pages must have been reclaimed.
static void map_clean(TrnPageMap *map)
{
    TrnPageMapShared *shared = map->shared;
    if (!shared->cleaning || shared->versions > 1 || shared->build.next) {
        return;
    }
    if (shared->cleaned == 0) {
        shared->cleans_cells = map->directory->cell_count < trn_page_list_count(map->list);
    }
    (shared->cleans_cells ? map_clean_cells : map_clean_places)(map);
}

// ---- building ----------------------------------------------------------------------------------

static void build_clear_counts(PageBuild *build, size_t *budget)
{
    TrnPageDirectory *directory = build->next->directory;
    const size_t count = trn_page_directory_counts(directory);
    const size_t end = count - build->at < *budget ? count : build->at + *budget;
    trn_page_directory_clear_counts(directory, build->at, end);
    *budget -= end - build->at;
    build->at = end;
    if (end == count) {
        build->phase = BUILD_CELLS;
        build->at = 0;
    }
}

/// Looks up outlier pages of the present version for cells of the next directory.
static void build_probe(TrnPageMap *map, size_t first, size_t end)
{
    TrnPageDirectory *next = map->shared->build.next->directory;
    for (size_t cell = first; cell < end; cell++) {
        const TrnCoord at = trn_page_directory_coord(next, cell);
        TrnPage *page = trn_page_map_cell(map, at.x, at.y, at.z)
                            ? NULL
                            : trn_page_hash_find(&map->shared->hash, at.x, at.y, at.z);
        if (page) {
            trn_page_directory_add(next, cell, page);
        }
    }
}

static void build_cells(TrnPageMap *map, PageBuild *build, size_t *budget)
{
    TrnPageDirectory *next = build->next->directory;
    const size_t cost = build->probes ? BUILD_COST_LOOKUP + 1 : 1;
    const size_t most = *budget / cost + 1, left = next->cell_count - build->at;
    const size_t end = build->at + (left < most ? left : most);
    trn_page_directory_copy(next, map->directory, build->at, end);
    if (build->probes) {
        build_probe(map, build->at, end);
    }
    const size_t spent = (end - build->at) * cost;
    *budget -= spent < *budget ? spent : *budget;
    build->at = build->cells = end;
    if (end == next->cell_count) {
        build->phase = build->evacuates ? BUILD_EVACUATE : BUILD_LIST;
        build->at = 0;
    }
}

/// Moves pages outside the next directory to the hash. Errors: NO_MEMORY.
static TrnResult build_evacuate(TrnPageMap *map, PageBuild *build, size_t *budget)
{
    const TrnPageDirectory *directory = map->directory, *next = build->next->directory;
    while (*budget > 0 && build->at < directory->cell_count) {
        TrnPage *page = atomic_load_explicit(&directory->cells[build->at], memory_order_relaxed);
        size_t cost = 1;
        if (page && trn_page_directory_cell(next, trn_page_coord_of(page)) == SIZE_MAX) {
            cost = BUILD_COST_MOVE;
            const TrnResult result = map_evacuate(map, page);
            if (result != TRN_RESULT_OK) {
                return result;
            }
        }
        build->at++;
        *budget -= cost < *budget ? cost : *budget;
    }
    if (build->at == directory->cell_count) {
        build->phase = BUILD_LIST;
        build->at = 0;
    }
    return TRN_RESULT_OK;
}

/// Copies an outlier page to the list that is being built. Errors: NO_MEMORY.
static TrnResult build_copy_outlier(TrnPageMap *map, TrnPageList *list, TrnPage *page)
{
    const TrnResult result = trn_page_list_reserve(list);
    if (result == TRN_RESULT_OK) {
        TrnPagePlaces *places = trn_page_hash_places(&map->shared->hash, trn_page_coord_of(page));
        places->at[list->parity] = trn_page_list_count(list);
        trn_page_list_append(list, page);
    }
    return result;
}

/// Moves the page at a place of the list to the next version. Errors: NO_MEMORY.
static TrnResult build_place(TrnPageMap *map, PageBuild *build, uint32_t place)
{
    TrnPage *page = trn_page_list_at(map->list, place);
    TrnPageList *list = map_next_list(map);
    TrnPageDirectory *directory = map_next_directory(map);
    if (!page) {
        return TRN_RESULT_OK;
    }
    if (trn_page_directory_cell(map->directory, trn_page_coord_of(page)) != SIZE_MAX) {
        if (list && map->shared->versions == 1) { // map_clean has not come to it yet
            trn_page_list_set(map->list, place, page, NULL);
            (void)trn_page_hash_replace(&map->shared->hash, trn_page_coord_of(page), NULL, NULL);
        }
        return TRN_RESULT_OK;
    }
    if (list) {
        return build_copy_outlier(map, list, page);
    }
    const size_t cell = trn_page_directory_cell(directory, trn_page_coord_of(page));
    if (!build->probes && cell != SIZE_MAX && !directory->cells[cell]) {
        trn_page_directory_add(directory, cell, page);
    }
    return TRN_RESULT_OK;
}

static TrnResult build_list(TrnPageMap *map, PageBuild *build, size_t *budget)
{
    const size_t cost = map_next_list(map) ? BUILD_COST_MOVE : BUILD_COST_LOOKUP;
    TrnResult result = TRN_RESULT_OK;
    const uint32_t count = build->probes ? 0 : trn_page_list_count(map->list);
    while (result == TRN_RESULT_OK && *budget > 0 && build->at < count) {
        result = build_place(map, build, (uint32_t)build->at++);
        *budget -= cost < *budget ? cost : *budget;
    }
    if (result == TRN_RESULT_OK && build->at >= count) {
        build->phase = BUILD_DONE;
    }
    return result;
}

/// Continues the build. Errors: NO_MEMORY; the build has been discarded.
static TrnResult build_step(TrnPageMap *map, size_t budget)
{
    PageBuild *build = &map->shared->build;
    const double start = trn_clock_us();
    TrnResult result = TRN_RESULT_OK;
    while (result == TRN_RESULT_OK && budget > 0 && build->phase != BUILD_DONE) {
        if (build->phase == BUILD_COUNTS) {
            build_clear_counts(build, &budget);
        } else if (build->phase == BUILD_CELLS) {
            build_cells(map, build, &budget);
        } else if (build->phase == BUILD_EVACUATE) {
            result = build_evacuate(map, build, &budget);
        } else {
            result = build_list(map, build, &budget);
        }
    }
    build->us += trn_clock_us() - start;
    if (result != TRN_RESULT_OK) {
        build_abort(map->shared);
    }
    return result;
}

/// Returns the finished version, to be published.
static TrnPageMap *build_take(TrnPageMap *map)
{
    TrnPageMapShared *shared = map->shared;
    TrnPageMap *next = shared->build.next;
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
    shared->build = (PageBuild){0};
    return next;
}

/// Continues the build, if there is one, and takes the finished version.
static void map_continue(TrnPageMap *map, TrnPageMap **next)
{
    const PageBuild *build = &map->shared->build;
    if (build->next &&
        build_step(map, build->at_once ? SIZE_MAX : BUILD_COST_A_STEP) == TRN_RESULT_OK &&
        build->phase == BUILD_DONE) {
        *next = build_take(map);
    }
}

/// Starts to build a directory over a box. Errors: NO_MEMORY.
static TrnResult build_start_directory(TrnPageMap *map, TrnBox box)
{
    TrnPageMapShared *shared = map->shared;
    TrnPageDirectory *directory = trn_page_directory_create(shared->memory, box);
    TrnPageMap *next = directory ? map_make(shared, directory, map->list) : NULL;
    if (!next) {
        trn_page_directory_destroy(directory);
        return TRN_RESULT_NO_MEMORY;
    }
    directory->reserved = map->directory->reserved;
    shared->build = (PageBuild){.next = next, .places = trn_page_list_count(map->list)};
    return TRN_RESULT_OK;
}

/// Starts to build a list without holes. Without memory, the list stays.
static void build_start_list(TrnPageMap *map)
{
    TrnPageMapShared *shared = map->shared;
    TrnPageList *list = trn_page_list_create(shared->memory, !map->list->parity);
    TrnPageMap *next = list ? map_make(shared, map->directory, list) : NULL;
    if (!next) {
        trn_page_list_destroy(list);
        return;
    }
    shared->build = (PageBuild){.next = next, .phase = BUILD_LIST};
    shared->build.at_once = trn_page_list_count(map->list) <= BUILD_COST_AT_ONCE / BUILD_COST_MOVE;
}

// ---- the shape of the directory ----------------------------------------------------------------

/// Starts to build a directory over a box if that is worth its cost. Returns whether it did.
static bool map_start(TrnPageMap *map, TrnBox box)
{
    TrnPageMapShared *shared = map->shared;
    const TrnBox present = trn_page_map_box(map);
    const uint64_t volume = trn_page_box_volume(box);
    const uint64_t added = volume - trn_page_box_volume(page_box_shared(box, present));
    const uint64_t places = trn_page_list_count(map->list);
    bool exact;
    const bool evacuates = !page_box_covers(box, trn_page_directory_tight(map->directory, &exact));
    uint64_t cost = volume + BUILD_COST_LOOKUP * (added < places ? added : places);
    cost += evacuates
                ? map->directory->cell_count + (uint64_t)BUILD_COST_MOVE * map->directory->pages
                : 0;
    if (cost > shared->credit || build_start_directory(map, box) != TRN_RESULT_OK) {
        return false;
    }
    shared->credit -= cost;
    shared->build.probes = added <= places;
    shared->build.evacuates = evacuates;
    shared->build.at_once = cost <= BUILD_COST_AT_ONCE;
    return true;
}

/// Returns how many cells a directory of a number of pages may have.
static uint64_t map_cells_max(const TrnPageMap *map, uint64_t pages)
{
    const uint64_t most = pages * TRN_PAGE_MAP_CELLS_PER_PAGE;
    const uint64_t fit = map->shared->directory_bytes_max / sizeof(_Atomic(TrnPage *));
    return most < fit ? most : fit;
}

/// Returns the box around all pages, `tight`, and another page, with as much slack as its number of
/// cells allows: beyond `tight` where the page is, and what the present box has. So a growing
/// region does not need a new directory for each layer of pages, whichever side it grows at.
static TrnBox map_box_with_slack(TrnBox present, TrnBox tight, TrnCoord page, uint64_t cells_max)
{
    const TrnBox box = page_box_with(tight, (TrnBox){page, page});
    for (uint32_t shift = 0; shift < 4; shift++) {
        TrnBox wide = box;
        page_box_stretch(&wide.min.x, &wide.max.x, tight.min.x, tight.max.x, shift);
        page_box_stretch(&wide.min.y, &wide.max.y, tight.min.y, tight.max.y, shift);
        page_box_stretch(&wide.min.z, &wide.max.z, tight.min.z, tight.max.z, shift);
        wide = page_box_with(wide, page_box_between(tight, present, shift));
        if (trn_page_box_volume(wide) <= cells_max) {
            return wide;
        }
    }
    return box;
}

/// Returns whether a box around the directory's pages and another page would have too many cells.
/// Most pages of scattered worlds are that far away. Takes three numbers: gcc writes boxes to
/// memory, and reading them back waits for the cache misses of earlier stores.
static bool map_is_far(const TrnPageMap *map, int32_t x, int32_t y, int32_t z)
{
    const TrnPageDirectory *directory = map->directory;
    if (directory->pages == 0 || directory->reserved) {
        return false;
    }
    const uint64_t cells_max = map_cells_max(map, (uint64_t)directory->pages + 1);
    const uint64_t plane =
        trn_page_directory_span(directory, 0, x) * trn_page_directory_span(directory, 2, z);
    return plane > cells_max || plane * trn_page_directory_span(directory, 1, y) > cells_max;
}

/// Starts to build a directory that also has a page near it, if it would be dense enough.
static __attribute__((noinline)) bool map_start_near(TrnPageMap *map, TrnCoord coord)
{
    TrnPageDirectory *directory = map->directory;
    const uint64_t cells_max = map_cells_max(map, (uint64_t)directory->pages + 1);
    bool exact;
    const TrnBox tight =
        directory->reserved ? trn_page_map_box(map) : trn_page_directory_tight(directory, &exact);
    const TrnBox box = page_box_with(tight, (TrnBox){coord, coord});
    if (trn_page_box_volume(box) > cells_max) {
        return false;
    }
    return map_start(map, trn_box_is_empty(tight)
                              ? box
                              : map_box_with_slack(trn_page_map_box(map), tight, coord, cells_max));
}

/// Starts to build a directory that also has an outlier page, if it would be dense enough. Only the
/// pages that the present directory has are known to be in its box.
static bool map_start_with(TrnPageMap *map, TrnCoord coord)
{
    return !map_is_far(map, coord.x, coord.y, coord.z) && map_start_near(map, coord);
}

/// Finds the outlier pages of a cube. @param pages  receives the box around them
/// @return how many there are
static uint64_t map_survey(const TrnPageMap *map, TrnBox cube, TrnBox *pages)
{
    uint64_t count = 0;
    *pages = (TrnBox){{1, 1, 1}, {0, 0, 0}};
    for (int32_t y = cube.min.y; y <= cube.max.y; y++) {
        for (int32_t z = cube.min.z; z <= cube.max.z; z++) {
            for (int32_t x = cube.min.x; x <= cube.max.x; x++) {
                if (!trn_page_map_cell(map, x, y, z) &&
                    trn_page_hash_find(&map->shared->hash, x, y, z)) {
                    const TrnCoord at = {x, y, z};
                    *pages = page_box_with(*pages, (TrnBox){at, at});
                    count++;
                }
            }
        }
    }
    return count;
}

/// Returns whether there is a page behind a face of a page.
static bool map_has_beside(const TrnPageMap *map, TrnCoord page)
{
    bool has = false;
    for (int face = 0; face < TRN_FACE_COUNT && !has; face++) {
        const TrnCoord behind = trn_page_coord_behind(page, (TrnFace)face);
        has = trn_page_map_find(map, behind.x, behind.y, behind.z) != NULL;
    }
    return has;
}

/// Starts to build a directory elsewhere, when most pages are outlier pages: around the pages near
/// one of them, if they are close to each other and more than the present directory has. Tried for
/// one page in some; in a crowd it is soon one of the crowd, and the directory then grows over it.
static bool map_start_at(TrnPageMap *map, TrnCoord coord)
{
    TrnPageMapShared *shared = map->shared;
    const uint64_t present = map->directory->pages;
    if (map->directory->reserved || map_outliers(map) / 2 <= present || shared->seed_wait-- > 0) {
        return false;
    }
    shared->seed_wait = SEED_WAIT;
    if (!map_has_beside(map, coord)) {
        return false; // as of most pages in scattered worlds
    }
    TrnBox seed = {{1, 1, 1}, {0, 0, 0}}, pages;
    uint64_t found = 0;
    for (int32_t radius = 1; radius <= SEED_RADIUS_MAX; radius *= 2) {
        const uint64_t count =
            map_survey(map, trn_box_around(coord, radius, radius, radius), &pages);
        if (count < 2 || trn_page_box_volume(pages) > map_cells_max(map, count)) {
            break;
        }
        seed = pages;
        found = count;
    }
    return found > (present < SEED_PAGES_ENOUGH ? present : SEED_PAGES_ENOUGH) &&
           map_start(map, seed);
}

/// Tests whether some outlier pages have come to be near the directory, or near each other, a few
/// at each call. Each page is tested once after the directory gained or lost half of its pages: in
/// scattered worlds it hardly ever does, and the outlier pages need not be read.
static void map_examine(TrnPageMap *map)
{
    TrnPageMapShared *shared = map->shared;
    const uint32_t count = trn_page_list_count(map->list);
    const uint32_t pages = map->directory->pages, before = shared->examined_pages;
    if ((pages > before ? pages - before : before - pages) > before / 2) {
        shared->examined_pages = pages;
        shared->unexamined = count;
    }
    for (int i = 0; i < EXAMINED_A_PAGE && shared->unexamined > 0 && count > 0; i++) {
        shared->unexamined--;
        shared->examined = shared->examined < count ? shared->examined : 0;
        const TrnPage *page = trn_page_list_at(map->list, shared->examined++);
        if (page) {
            const TrnCoord at = trn_page_coord_of(page);
            if (!trn_page_map_cell(map, at.x, at.y, at.z) &&
                (map_start_with(map, at) || map_start_at(map, at))) {
                return;
            }
        }
    }
    for (uint32_t i = 0; i < EXAMINED_A_PAGE && shared->unexamined > i; i++) { // likely not cached
        if (shared->examined + i < count) {
            __builtin_prefetch(trn_page_list_at(map->list, shared->examined + i));
        }
    }
}

/// Starts to build a smaller directory if few cells have pages: one around them; or one without
/// cells if they are too far apart.
static void map_start_smaller(TrnPageMap *map)
{
    TrnPageDirectory *directory = map->directory;
    const uint64_t pages = directory->pages, cells = directory->cell_count;
    if (directory->reserved || cells <= SPARSE_CELLS_MIN ||
        cells <= pages * TRN_PAGE_MAP_CELLS_PER_PAGE * 2) {
        return;
    }
    bool exact;
    TrnBox box = trn_page_directory_tight(directory, &exact);
    if (exact && trn_page_box_volume(box) > map_cells_max(map, pages)) {
        box = (TrnBox){{1, 1, 1}, {0, 0, 0}};
    }
    if (exact) {
        (void)map_start(map, box);
    }
}

/// Starts whatever build the list or a sparse directory needs.
static void map_start_fit(TrnPageMap *map)
{
    const uint64_t places = trn_page_list_count(map->list);
    if (places > LIST_HOLES_MIN + 2 * (uint64_t)map_outliers(map)) {
        build_start_list(map);
    } else {
        map_start_smaller(map);
    }
}

/// Continues the build, or starts one that is useful, and takes the finished version.
static void map_work(TrnPageMap *map, TrnPageMap **next)
{
    if (!map->shared->build.next) {
        map_start_fit(map);
    }
    if (!map->shared->build.next) {
        map_examine(map);
    }
    map_continue(map, next);
    map_clean(map);
}

/// Tells look-ups outside the directory's box whether the hash has pages.
static void map_mark_outside(TrnPageMap *map)
{
    TrnPage *outside = map->shared->hash.count > 0 ? TRN_PAGE_OUTSIDE : NULL;
    if (atomic_load_explicit(&map->cells[-1], memory_order_relaxed) != outside) {
        atomic_store_explicit(&map->cells[-1], outside, memory_order_release);
    }
}

/// Counts a page added or removed, which pays for builds.
static void map_count_change(TrnPageMapShared *shared)
{
    const uint64_t most = BUILD_CREDIT_MIN + (uint64_t)shared->pages * BUILD_CREDIT_A_PAGE;
    shared->credit += BUILD_CREDIT_A_PAGE;
    shared->credit = shared->credit < most ? shared->credit : most;
}

// ---- writes ------------------------------------------------------------------------------------

/// Applies the addition of a page to the directory that is being built. A page for which there is
/// no memory in the hash ends the build.
static void map_add_to_next(TrnPageMap *map, TrnPage *page, bool is_outlier)
{
    TrnPageDirectory *next = map_next_directory(map);
    if (!next) {
        return;
    }
    const size_t cell = trn_page_directory_cell(next, trn_page_coord_of(page));
    if (cell == SIZE_MAX) {
        if (!is_outlier && map_evacuate(map, page) != TRN_RESULT_OK) {
            build_abort(map->shared);
        }
    } else if (cell < map->shared->build.cells) {
        trn_page_directory_add(next, cell, page);
    }
}

/// Adds a page outside the directory: to the next directory if that can be built at once, otherwise
/// to the outlier pages. Errors: NO_MEMORY.
static TrnResult map_add_outside(TrnPageMap *map, TrnPage *page, TrnPageMap **next)
{
    TrnPageMapShared *shared = map->shared;
    const TrnCoord coord = trn_page_coord_of(page);
    if (!shared->build.next && map_start_with(map, coord) && shared->build.at_once) {
        map_continue(map, next);
    }
    if (*next != map) {
        TrnPageDirectory *directory = (*next)->directory;
        trn_page_directory_add(directory, trn_page_directory_cell(directory, coord), page);
        return TRN_RESULT_OK;
    }
    const TrnResult result = map_add_outlier(map, page);
    if (result == TRN_RESULT_OK) {
        map_add_to_next(map, page, true);
        if (!shared->build.next) {
            (void)map_start_at(map, coord); // new pages are likely near each other
        }
    }
    return result;
}

TrnResult trn_page_map_add(TrnPageMap *map, TrnPage *page, TrnPageMap **next)
{
    TrnPageMapShared *shared = map->shared;
    const size_t cell = trn_page_directory_cell(map->directory, trn_page_coord_of(page));
    *next = map;
    map_count_change(shared);
    if (cell != SIZE_MAX) {
        trn_page_directory_add(map->directory, cell, page);
        map_add_to_next(map, page, false);
    } else {
        const TrnResult result = map_add_outside(map, page, next);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    shared->pages++;
    if (*next == map) {
        map_work(map, next);
    }
    map_mark_outside(*next);
    return TRN_RESULT_OK;
}

void trn_page_map_remove(TrnPageMap *map, const TrnPage *page)
{
    TrnPageMapShared *shared = map->shared;
    const TrnCoord coord = trn_page_coord_of(page);
    const size_t cell = trn_page_directory_cell(map->directory, coord);
    if (cell != SIZE_MAX) {
        trn_page_directory_remove(map->directory, cell);
    }
    map_replace_outlier(map, coord, page, NULL);
    TrnPageDirectory *next = map_next_directory(map);
    const size_t next_cell = next ? trn_page_directory_cell(next, coord) : SIZE_MAX;
    if (next_cell < shared->build.cells && next->cells[next_cell] == page) {
        trn_page_directory_remove(next, next_cell);
    }
    shared->pages--;
}

void trn_page_map_replace(TrnPageMap *map, const TrnPage *page, TrnPage *other)
{
    TrnPageMapShared *shared = map->shared;
    const TrnCoord coord = trn_page_coord_of(page);
    _Atomic(TrnPage *) *cell = trn_page_map_cell(map, coord.x, coord.y, coord.z);
    if (cell) {
        atomic_store_explicit(cell, other, memory_order_release);
    }
    map_replace_outlier(map, coord, page, other);
    TrnPageDirectory *next = map_next_directory(map);
    const size_t next_cell = next ? trn_page_directory_cell(next, coord) : SIZE_MAX;
    if (next_cell < shared->build.cells && next->cells[next_cell] == page) {
        atomic_store_explicit(&next->cells[next_cell], other, memory_order_release);
    }
}

TrnResult trn_page_map_reserve(TrnPageMap *map, TrnBox pages, TrnPageMap **next)
{
    const TrnBox present = trn_page_map_box(map);
    const TrnBox box = page_box_with(present, pages);
    *next = map;
    if (page_box_covers(present, pages)) {
        build_abort(map->shared); // it may be smaller
        map->directory->reserved = true;
        return TRN_RESULT_OK;
    }
    if (trn_page_box_volume(box) > map->shared->directory_bytes_max / sizeof(_Atomic(TrnPage *))) {
        return TRN_RESULT_OUT_OF_RANGE;
    }
    build_abort(map->shared);
    TrnResult result = build_start_directory(map, box);
    if (result == TRN_RESULT_OK) {
        map->shared->build.next->directory->reserved = true;
        result = build_step(map, SIZE_MAX);
    }
    if (result == TRN_RESULT_OK) {
        *next = build_take(map);
        map_mark_outside(*next);
    }
    return result;
}

void trn_page_map_fit(TrnPageMap *map, TrnPageMap **next)
{
    *next = map;
    map_count_change(map->shared);
    map_work(map, next);
    map_mark_outside(*next);
}
