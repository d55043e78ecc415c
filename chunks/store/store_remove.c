// Removing chunks: out of the index, which can fail, and then out of everything else.

#include "store/store_impl.h"

#include "index/pool_internal.h"
#include "voxels/voxels_internal.h"

#define REMOVE_PREFETCH 16u ///< chunks whose cache lines are prefetched together

/// Removes a chunk from the index: all of a removal that can fail.
static TrnResult remove_from_index(TrnStore *store, TrnCoord coord)
{
    trn_store_refusal_clear(&store->refusal);
    TrnResult result = trn_chunk_index_remove(store->index, coord, NULL);
    if (trn_store_make_room(store, result)) {
        result = trn_chunk_index_remove(store->index, coord, NULL);
    }
    return trn_store_result(store, result);
}

TrnResult trn_store_remove_chunk(TrnStore *store, TrnChunk *chunk, bool is_eviction)
{
    if (trn_store_is_busy(chunk)) {
        return TRN_RESULT_BUSY;
    }
    const TrnCoord coord = chunk->coord;
    TrnResult result = remove_from_index(store, coord);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    // No new reader finds the chunk any more, by coordinate or by id. It is retired once listeners
    // have read it.
    trn_header_remove(store, chunk);
    trn_changes_remove(store, chunk);
    trn_log_add(store, coord, is_eviction ? TRN_CHUNK_STATE_EVICTED : TRN_CHUNK_STATE_REMOVED,
                TRN_RESULT_OK);
    store->chunks--;
    store->removed += !is_eviction;
    store->evicted += is_eviction;
    if (!trn_events_add_removed(store, chunk, is_eviction)) {
        trn_header_retire(store, chunk);
    }
    trn_store_end_change(store, store->revision);
    return TRN_RESULT_OK;
}

TrnResult trn_store_remove(TrnStore *store, TrnCoord coord)
{
    TrnChunk *chunk = trn_store_find(store, coord);
    return chunk ? trn_store_remove_chunk(store, chunk, false) : TRN_RESULT_NOT_FOUND;
}

// ---- prefetch ----------------------------------------------------------------------------------

/// Each loop reads what the loop before it has prefetched.
static void remove_prefetch_some(const TrnStore *store, const TrnCoord *coords, size_t count)
{
    TrnChunk *chunks[REMOVE_PREFETCH];
    size_t loaded = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t slot;
        if (trn_chunk_index_find(store->index, coords[i], &slot)) {
            trn_pool_prefetch(store->headers, slot);
            chunks[loaded] = trn_header_chunk(store, slot);
            __builtin_prefetch(trn_chunk_marks(chunks[loaded++]), 1);
        }
    }
    for (size_t i = 0; i < loaded; i++) {
        const TrnSnapshot voxels = trn_voxels_snapshot(&chunks[i]->voxels);
        trn_changes_prefetch(store, chunks[i]);
        if (!trn_snapshot_is_uniform(voxels)) {
            __builtin_prefetch(trn_snapshot_payload(voxels), 1);
        }
    }
    for (size_t i = 0; i < loaded; i++) {
        trn_voxels_prefetch_release(store->heap, trn_voxels_snapshot(&chunks[i]->voxels));
    }
}

void trn_store_prefetch_removals(const TrnStore *store, const TrnCoord *coords, size_t count)
{
    for (size_t done = 0; done < count; done += REMOVE_PREFETCH) {
        const size_t left = count - done;
        remove_prefetch_some(store, coords + done, left < REMOVE_PREFETCH ? left : REMOVE_PREFETCH);
    }
}
