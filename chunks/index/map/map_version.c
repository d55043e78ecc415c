// Versions of the map of pages: a directory and a list each, and the hash that all share.

#include "map_version.h"

#include <stdalign.h>
#include <string.h>

// ---- the list of outlier pages -----------------------------------------------------------------

static size_t map_list_segment_bytes(uint32_t segment)
{
    return sizeof(_Atomic(TrnPage *)) << (TRN_MAP_LIST_FIRST_SHIFT + segment);
}

TrnMapList *trn_map_list_create(TrnMapMemory *memory, uint32_t parity)
{
    TrnMapList *list = trn_map_take(memory, sizeof *list, alignof(TrnMapList));
    if (list) {
        *list = (TrnMapList){.parity = parity, .memory = memory};
    }
    return list;
}

void trn_map_list_destroy(TrnMapList *list)
{
    for (uint32_t i = 0; list && i < TRN_MAP_LIST_SEGMENTS; i++) {
        trn_map_give(list->memory, list->segments[i], map_list_segment_bytes(i));
    }
    if (list) {
        trn_map_give(list->memory, list, sizeof *list);
    }
}

TrnResult trn_map_list_reserve(TrnMapList *list)
{
    const uint32_t count = trn_map_list_count(list);
    const uint32_t first = 1u << TRN_MAP_LIST_FIRST_SHIFT;
    if (count >= UINT32_MAX - first) {
        return TRN_RESULT_NO_MEMORY;
    }
    const uint32_t segment = 31 - (uint32_t)__builtin_clz(count + first) - TRN_MAP_LIST_FIRST_SHIFT;
    if (!list->segments[segment]) {
        list->segments[segment] =
            trn_map_take(list->memory, map_list_segment_bytes(segment), TRN_CACHE_LINE);
    }
    return list->segments[segment] ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

void trn_map_list_append(TrnMapList *list, TrnPage *page)
{
    const uint32_t count = trn_map_list_count(list);
    atomic_store_explicit(trn_map_list_entry(list, count), page, memory_order_release);
    atomic_store_explicit(&list->count, count + 1, memory_order_release);
}

size_t trn_map_list_bytes(const TrnMapList *list)
{
    size_t bytes = sizeof *list;
    for (uint32_t i = 0; i < TRN_MAP_LIST_SEGMENTS; i++) {
        bytes += list->segments[i] ? map_list_segment_bytes(i) : 0;
    }
    return bytes;
}

// ---- versions ----------------------------------------------------------------------------------

TrnMap *trn_map_version_make(TrnMapShared *shared, TrnMapDirectory *directory, TrnMapList *list)
{
    TrnMap *made = trn_map_block_take(shared->memory, sizeof *made);
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

void trn_map_version_free(TrnMap *map)
{
    if (--map->directory->users == 0) {
        trn_map_directory_destroy(map->directory);
    }
    if (--map->list->users == 0) {
        trn_map_list_destroy(map->list);
    }
    trn_map_block_give(&map->block);
}

void trn_map_version_abort_build(TrnMapShared *shared)
{
    if (shared->build.next) {
        trn_map_version_free(shared->build.next);
        shared->build = (TrnMapBuild){0};
        shared->cleaning = true; // pages may have been copied to the hash
        shared->cleaned = 0;
    }
}

void trn_map_version_free_published(TrnMap *map)
{
    TrnMapShared *shared = map->shared;
    trn_map_version_free(map);
    if (--shared->versions == 0) {
        trn_map_version_abort_build(shared);
        trn_map_hash_close(&shared->hash);
        trn_map_give(shared->memory, shared, sizeof *shared);
    }
}

// ---- outlier pages -----------------------------------------------------------------------------

TrnResult trn_map_version_add_outlier(TrnMap *map, TrnPage *page)
{
    TrnMapList *list = map->list;
    TrnResult result = trn_map_list_reserve(list);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnMapPlaces places = {{UINT32_MAX, UINT32_MAX}};
    places.at[list->parity] = trn_map_list_count(list);
    result = trn_map_hash_add(&map->shared->hash, page, places);
    if (result == TRN_RESULT_OK) {
        trn_map_list_append(list, page);
    }
    return result;
}

TrnResult trn_map_version_evacuate(TrnMap *map, TrnPage *page)
{
    TrnMapList *list = map->list;
    TrnMapPlaces *places = trn_map_hash_places(&map->shared->hash, trn_page_coord_of(page));
    if (!places) {
        return trn_map_version_add_outlier(map, page);
    }
    // It has been an outlier page, and a reader still uses a version of that time.
    const uint32_t place = places->at[list->parity];
    if (place < trn_map_list_count(list) && trn_map_list_at(list, place) == page) {
        return TRN_RESULT_OK;
    }
    const TrnResult result = trn_map_list_reserve(list);
    if (result == TRN_RESULT_OK) {
        places->at[list->parity] = trn_map_list_count(list);
        trn_map_list_append(list, page);
    }
    return result;
}

void trn_map_version_replace_outlier(TrnMap *map, TrnCoord coord, const TrnPage *page,
                                     TrnPage *other)
{
    TrnMapHash *hash = &map->shared->hash;
    TrnMapList *next = trn_map_version_next_list(map);
    TrnMapPlaces places;
    if (hash->count == 0 || !trn_map_hash_replace(hash, coord, other, &places)) {
        return;
    }
    trn_map_list_set(map->list, places.at[map->list->parity], page, other);
    if (next) {
        trn_map_list_set(next, places.at[next->parity], page, other);
    }
}
