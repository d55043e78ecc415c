// Versions of the map of pages: a directory and a list each, and the hash that all share.

#include "page_version.h"

#include <string.h>

TrnPageMap *trn_page_version_make(TrnPageMapShared *shared, TrnPageDirectory *directory,
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

void trn_page_version_free(TrnPageMap *map)
{
    if (--map->directory->users == 0) {
        trn_page_directory_destroy(map->directory);
    }
    if (--map->list->users == 0) {
        trn_page_list_destroy(map->list);
    }
    trn_page_block_give(&map->block);
}

void trn_page_version_abort_build(TrnPageMapShared *shared)
{
    if (shared->build.next) {
        trn_page_version_free(shared->build.next);
        shared->build = (TrnPageBuild){0};
        shared->cleaning = true; // pages may have been copied to the hash
        shared->cleaned = 0;
    }
}

void trn_page_version_free_published(TrnPageMap *map)
{
    TrnPageMapShared *shared = map->shared;
    trn_page_version_free(map);
    if (--shared->versions == 0) {
        trn_page_version_abort_build(shared);
        trn_page_hash_close(&shared->hash);
        trn_page_give(shared->memory, shared, sizeof *shared);
    }
}

// ---- outlier pages -----------------------------------------------------------------------------

TrnResult trn_page_version_add_outlier(TrnPageMap *map, TrnPage *page)
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

TrnResult trn_page_version_evacuate(TrnPageMap *map, TrnPage *page)
{
    TrnPageList *list = map->list;
    TrnPagePlaces *places = trn_page_hash_places(&map->shared->hash, trn_page_coord_of(page));
    if (!places) {
        return trn_page_version_add_outlier(map, page);
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

void trn_page_version_replace_outlier(TrnPageMap *map, TrnCoord coord, const TrnPage *page,
                                      TrnPage *other)
{
    TrnPageHash *hash = &map->shared->hash;
    TrnPageList *next = trn_page_version_next_list(map);
    TrnPagePlaces places;
    if (hash->count == 0 || !trn_page_hash_replace(hash, coord, other, &places)) {
        return;
    }
    trn_page_list_set(map->list, places.at[map->list->parity], page, other);
    if (next) {
        trn_page_list_set(next, places.at[next->parity], page, other);
    }
}
