// Builds the next version of the map of pages in steps, and cleans up after it was published.

#include "page_build.h"

#include "base/clock.h"

/// What each page added or removed contributes to a build in progress.
#define PAGE_BUILD_COST_A_STEP 1024

/// How many places of the list, or cells of the directory, each page added or removed cleans.
#define PAGE_BUILD_CLEANED_A_STEP 64

static void page_build_clear_counts(TrnPageBuild *build, size_t *budget)
{
    TrnPageDirectory *directory = build->next->directory;
    const size_t count = trn_page_directory_counts(directory);
    const size_t end = count - build->at < *budget ? count : build->at + *budget;
    trn_page_directory_clear_counts(directory, build->at, end);
    *budget -= end - build->at;
    build->at = end;
    if (end == count) {
        build->phase = TRN_PAGE_BUILD_CELLS;
        build->at = 0;
    }
}

/// Looks up outlier pages of the present version for cells of the next directory.
static void page_build_probe(TrnPageMap *map, size_t first, size_t end)
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

static void page_build_cells(TrnPageMap *map, TrnPageBuild *build, size_t *budget)
{
    TrnPageDirectory *next = build->next->directory;
    const size_t cost = build->probes ? TRN_PAGE_COST_LOOKUP + 1 : 1;
    const size_t most = *budget / cost + 1, left = next->cell_count - build->at;
    const size_t end = build->at + (left < most ? left : most);
    trn_page_directory_copy(next, map->directory, build->at, end);
    if (build->probes) {
        page_build_probe(map, build->at, end);
    }
    const size_t spent = (end - build->at) * cost;
    *budget -= spent < *budget ? spent : *budget;
    build->at = build->cells = end;
    if (end == next->cell_count) {
        build->phase = build->evacuates ? TRN_PAGE_BUILD_EVACUATE : TRN_PAGE_BUILD_LIST;
        build->at = 0;
    }
}

/// Moves pages outside the next directory to the hash. Errors: NO_MEMORY.
static TrnResult page_build_evacuate(TrnPageMap *map, TrnPageBuild *build, size_t *budget)
{
    const TrnPageDirectory *directory = map->directory, *next = build->next->directory;
    while (*budget > 0 && build->at < directory->cell_count) {
        TrnPage *page = atomic_load_explicit(&directory->cells[build->at], memory_order_relaxed);
        size_t cost = 1;
        if (page && trn_page_directory_cell(next, trn_page_coord_of(page)) == SIZE_MAX) {
            cost = TRN_PAGE_COST_MOVE;
            const TrnResult result = trn_page_version_evacuate(map, page);
            if (result != TRN_RESULT_OK) {
                return result;
            }
        }
        build->at++;
        *budget -= cost < *budget ? cost : *budget;
    }
    if (build->at == directory->cell_count) {
        build->phase = TRN_PAGE_BUILD_LIST;
        build->at = 0;
    }
    return TRN_RESULT_OK;
}

/// Copies an outlier page to the list that is being built. Errors: NO_MEMORY.
static TrnResult page_build_copy_outlier(TrnPageMap *map, TrnPageList *list, TrnPage *page)
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
static TrnResult page_build_place(TrnPageMap *map, TrnPageBuild *build, uint32_t place)
{
    TrnPage *page = trn_page_list_at(map->list, place);
    TrnPageList *list = trn_page_version_next_list(map);
    TrnPageDirectory *directory = trn_page_version_next_directory(map);
    if (!page) {
        return TRN_RESULT_OK;
    }
    if (trn_page_directory_cell(map->directory, trn_page_coord_of(page)) != SIZE_MAX) {
        if (list && map->shared->versions == 1) { // trn_page_build_clean has not come to it yet
            trn_page_list_set(map->list, place, page, NULL);
            (void)trn_page_hash_replace(&map->shared->hash, trn_page_coord_of(page), NULL, NULL);
        }
        return TRN_RESULT_OK;
    }
    if (list) {
        return page_build_copy_outlier(map, list, page);
    }
    const size_t cell = trn_page_directory_cell(directory, trn_page_coord_of(page));
    if (!build->probes && cell != SIZE_MAX && !directory->cells[cell]) {
        trn_page_directory_add(directory, cell, page);
    }
    return TRN_RESULT_OK;
}

static TrnResult page_build_list(TrnPageMap *map, TrnPageBuild *build, size_t *budget)
{
    const size_t cost = trn_page_version_next_list(map) ? TRN_PAGE_COST_MOVE : TRN_PAGE_COST_LOOKUP;
    TrnResult result = TRN_RESULT_OK;
    const uint32_t count = build->probes ? 0 : trn_page_list_count(map->list);
    while (result == TRN_RESULT_OK && *budget > 0 && build->at < count) {
        result = page_build_place(map, build, (uint32_t)build->at++);
        *budget -= cost < *budget ? cost : *budget;
    }
    if (result == TRN_RESULT_OK && build->at >= count) {
        build->phase = TRN_PAGE_BUILD_DONE;
    }
    return result;
}

TrnResult trn_page_build_step(TrnPageMap *map, size_t budget)
{
    TrnPageBuild *build = &map->shared->build;
    const double start = trn_clock_us();
    TrnResult result = TRN_RESULT_OK;
    while (result == TRN_RESULT_OK && budget > 0 && build->phase != TRN_PAGE_BUILD_DONE) {
        if (build->phase == TRN_PAGE_BUILD_COUNTS) {
            page_build_clear_counts(build, &budget);
        } else if (build->phase == TRN_PAGE_BUILD_CELLS) {
            page_build_cells(map, build, &budget);
        } else if (build->phase == TRN_PAGE_BUILD_EVACUATE) {
            result = page_build_evacuate(map, build, &budget);
        } else {
            result = page_build_list(map, build, &budget);
        }
    }
    build->us += trn_clock_us() - start;
    if (result != TRN_RESULT_OK) {
        trn_page_version_abort_build(map->shared);
    }
    return result;
}

TrnPageMap *trn_page_build_take(TrnPageMap *map)
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
    shared->build = (TrnPageBuild){0};
    return next;
}

void trn_page_build_continue(TrnPageMap *map, TrnPageMap **next)
{
    const TrnPageBuild *build = &map->shared->build;
    if (build->next &&
        trn_page_build_step(map, build->at_once ? SIZE_MAX : PAGE_BUILD_COST_A_STEP) ==
            TRN_RESULT_OK &&
        build->phase == TRN_PAGE_BUILD_DONE) {
        *next = trn_page_build_take(map);
    }
}

TrnResult trn_page_build_start_directory(TrnPageMap *map, TrnBox box)
{
    TrnPageMapShared *shared = map->shared;
    TrnPageDirectory *directory = trn_page_directory_create(shared->memory, box);
    TrnPageMap *next = directory ? trn_page_version_make(shared, directory, map->list) : NULL;
    if (!next) {
        trn_page_directory_destroy(directory);
        return TRN_RESULT_NO_MEMORY;
    }
    directory->reserved = map->directory->reserved;
    shared->build = (TrnPageBuild){.next = next, .places = trn_page_list_count(map->list)};
    return TRN_RESULT_OK;
}

void trn_page_build_start_list(TrnPageMap *map)
{
    TrnPageMapShared *shared = map->shared;
    TrnPageList *list = trn_page_list_create(shared->memory, !map->list->parity);
    TrnPageMap *next = list ? trn_page_version_make(shared, map->directory, list) : NULL;
    if (!next) {
        trn_page_list_destroy(list);
        return;
    }
    shared->build = (TrnPageBuild){.next = next, .phase = TRN_PAGE_BUILD_LIST};
    shared->build.at_once =
        trn_page_list_count(map->list) <= TRN_PAGE_COST_AT_ONCE / TRN_PAGE_COST_MOVE;
}

// ---- afterwards --------------------------------------------------------------------------------

/// Removes the pages of some cells of the directory from the hash and the list.
static void page_build_clean_cells(TrnPageMap *map)
{
    TrnPageMapShared *shared = map->shared;
    const TrnPageDirectory *directory = map->directory;
    for (int cost = 0; cost < PAGE_BUILD_CLEANED_A_STEP && shared->cleaned < directory->cell_count;
         cost++, shared->cleaned++) {
        const TrnPage *page =
            atomic_load_explicit(&directory->cells[shared->cleaned], memory_order_relaxed);
        if (page) {
            trn_page_version_replace_outlier(
                map, trn_page_directory_coord(directory, shared->cleaned), page, NULL);
            cost += TRN_PAGE_COST_LOOKUP;
        }
    }
    shared->cleaning = shared->cleaned < directory->cell_count;
}

/// Removes the pages of some places of the list that are in the directory from the hash and the
/// list.
static void page_build_clean_places(TrnPageMap *map)
{
    TrnPageMapShared *shared = map->shared;
    const uint32_t count = trn_page_list_count(map->list);
    for (uint32_t i = 0; i < PAGE_BUILD_CLEANED_A_STEP && shared->cleaned < count;
         i++, shared->cleaned++) {
        const TrnPage *page = trn_page_list_at(map->list, (uint32_t)shared->cleaned);
        const TrnCoord coord = page ? trn_page_coord_of(page) : (TrnCoord){0, 0, 0};
        if (page && trn_page_directory_cell(map->directory, coord) != SIZE_MAX) {
            trn_page_list_set(map->list, (uint32_t)shared->cleaned, page, NULL);
            (void)trn_page_hash_replace(&shared->hash, coord, NULL, NULL);
        }
    }
    shared->cleaning = shared->cleaned < count;
}

void trn_page_build_clean(TrnPageMap *map)
{
    TrnPageMapShared *shared = map->shared;
    if (!shared->cleaning || shared->versions > 1 || shared->build.next) {
        return;
    }
    if (shared->cleaned == 0) {
        shared->cleans_cells = map->directory->cell_count < trn_page_list_count(map->list);
    }
    (shared->cleans_cells ? page_build_clean_cells : page_build_clean_places)(map);
}
