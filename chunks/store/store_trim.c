// Spare memory: what a store keeps for later use, and frees when it is needed elsewhere.

#include "store/store_impl.h"

void trn_store_free_spare(TrnStore *store, TrnStorePart part)
{
    // Reclaiming returns memory to index, headers and heap: not while one of them is allocating.
    const bool is_reclaimable =
        part != TRN_STORE_INDEX && part != TRN_STORE_HEADERS && part != TRN_STORE_VOXELS;
    if (store->index && is_reclaimable) {
        trn_chunk_index_reclaim(store->index);
    }
    if (store->heap && part != TRN_STORE_VOXELS) {
        trn_voxel_heap_trim(store->heap);
    }
    if (store->headers && part != TRN_STORE_HEADERS) {
        trn_pool_trim(store->headers);
    }
    if (store->events) {
        trn_events_trim(store); // does nothing while events are queued
    }
}

void trn_store_trim(TrnStore *store)
{
    trn_chunk_index_reclaim(store->index); // first: it returns memory to heap and pool
    trn_voxel_heap_trim(store->heap);
    trn_pool_trim(store->headers);
    trn_changes_trim(store);
    trn_events_trim(store);
}

bool trn_store_make_room(TrnStore *store, TrnResult result)
{
    if (result != TRN_RESULT_NO_MEMORY || !store->refusal.is_capped ||
        store->refusal.is_part_capped) {
        return false;
    }
    trn_store_trim(store);
    trn_store_refusal_clear(&store->refusal);
    return true;
}
