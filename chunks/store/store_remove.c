// Removing chunks: out of the index, which can fail, and then out of everything else.

#include "store/store_uses.h"

#include "pool/pool_internal.h"
#include "voxels/voxels_internal.h"

/// Removes a chunk from the index: all of a removal that can fail.
static TrnResult remove_from_index(TrnStore *store, TrnChunkRun *run, TrnCoord coord)
{
    trn_store_refusal_clear(&store->refusal);
    TrnResult result = trn_chunk_run_remove(store->index, run, coord, NULL);
    if (trn_store_make_room(store, result)) {
        result = trn_chunk_run_remove(store->index, run, coord, NULL);
    }
    return trn_store_result(store, result);
}

/// Removes a loaded chunk as part of the change that is being made.
/// @param retired  receives the chunk, if no listener is to read it
static TrnResult remove_one(TrnStore *store, TrnChunkRun *run, TrnChunk *chunk, bool is_eviction,
                            TrnRetireList *retired)
{
    if (trn_chunk_is_busy(chunk)) {
        return TRN_RESULT_BUSY;
    }
    const TrnCoord coord = chunk->coord;
    TrnResult result = remove_from_index(store, run, coord);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    // No new reader finds the chunk any more, by coordinate or by id. It is retired once listeners
    // have read it.
    trn_header_remove(store, chunk);
    trn_changes_remove(store, chunk);
    trn_uses_remove(store, chunk);
    trn_log_add(store, coord, is_eviction ? TRN_CHUNK_STATE_EVICTED : TRN_CHUNK_STATE_REMOVED,
                TRN_RESULT_OK);
    store->chunks--;
    store->removed += !is_eviction;
    store->evicted += is_eviction;
    if (!trn_events_add_removed(store, chunk, is_eviction)) {
        trn_header_retire(store, chunk, retired);
    }
    return TRN_RESULT_OK;
}

/// Ends a change of removals.
static void remove_end(TrnStore *store, TrnRetireList *retired)
{
    trn_chunk_index_retire_list(store->index, retired);
    trn_store_end_change(store, store->revision);
}

// ---- one chunk ---------------------------------------------------------------------------------

static TrnResult remove_chunk(TrnStore *store, TrnChunkRun *run, TrnChunk *chunk, bool is_eviction)
{
    TrnRetireList retired = {0};
    const TrnResult result = remove_one(store, run, chunk, is_eviction, &retired);
    if (result == TRN_RESULT_OK) {
        remove_end(store, &retired);
    }
    return result;
}

TrnResult trn_store_remove_chunk(TrnStore *store, TrnChunk *chunk, bool is_eviction)
{
    TrnChunkRun run = {0};
    return remove_chunk(store, &run, chunk, is_eviction);
}

/// The chunk at a coordinate, or NULL.
static TrnChunk *remove_find(const TrnStore *store, TrnChunkRun *run, TrnCoord coord)
{
    uint32_t slot = 0; // gcc 12 for riscv64 does not see that it is set
    return trn_chunk_run_find(store->index, run, coord, &slot) ? trn_header_chunk(store, slot)
                                                               : NULL;
}

/// Asks whether a chunk may go. One that is busy will not, and need not be saved.
static TrnResult remove_ask(const TrnStore *store, const TrnChunk *chunk)
{
    return trn_chunk_is_busy(chunk) ? TRN_RESULT_BUSY : trn_store_ask_watch(store, chunk);
}

TrnResult trn_store_remove(TrnStore *store, TrnCoord coord)
{
    TrnChunkRun run = {0};
    TrnChunk *chunk = remove_find(store, &run, coord);
    const TrnResult result = chunk ? remove_ask(store, chunk) : TRN_RESULT_NOT_FOUND;
    return result == TRN_RESULT_OK ? remove_chunk(store, &run, chunk, false) : result;
}

TrnResult trn_store_take_back(TrnStore *store, TrnChunk *chunk)
{
    return trn_store_remove_chunk(store, chunk, false);
}

// ---- prefetch ----------------------------------------------------------------------------------

/// What a run of removals touches, in the order in which it becomes known.
typedef struct RemovePrefetch {
    TrnChunkRun run;
    TrnChunk *chunks[TRN_STORE_RUN]; ///< loaded ones
    size_t count;
} RemovePrefetch;

/// Prefetches the header of a chunk, whose cell has been prefetched.
static void remove_prefetch_header(const TrnStore *store, RemovePrefetch *prefetch, TrnCoord coord)
{
    uint32_t slot = 0;
    if (trn_chunk_run_find(store->index, &prefetch->run, coord, &slot)) {
        TrnChunk *chunk = trn_header_chunk(store, slot);
        trn_pool_prefetch(store->headers, slot);
        __builtin_prefetch(trn_chunk_marks(chunk), 1);
        prefetch->chunks[prefetch->count++] = chunk;
    }
}

/// Prefetches what the headers lead to. Each loop reads what the loop before it has prefetched.
static void remove_prefetch_rest(const TrnStore *store, const RemovePrefetch *prefetch)
{
    for (size_t i = 0; i < prefetch->count; i++) {
        const TrnSnapshot voxels = trn_voxels_snapshot(&prefetch->chunks[i]->voxels);
        trn_changes_prefetch(store, prefetch->chunks[i]);
        if (!trn_snapshot_is_uniform(voxels)) {
            __builtin_prefetch(trn_word_payload(voxels.word), 1);
        }
    }
    for (size_t i = 0; i < prefetch->count; i++) {
        trn_voxels_prefetch_block(store->heap, trn_voxels_snapshot(&prefetch->chunks[i]->voxels));
    }
    for (size_t i = 0; i < prefetch->count; i++) {
        trn_voxels_prefetch_release(store->heap, trn_voxels_snapshot(&prefetch->chunks[i]->voxels));
    }
}

static void remove_prefetch(const TrnStore *store, const TrnStoreDeparture *departures,
                            size_t count)
{
    RemovePrefetch prefetch = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        trn_chunk_run_prefetch(store->index, &prefetch.run, departures[i].coord);
    }
    for (size_t i = 0; i < count; i++) {
        remove_prefetch_header(store, &prefetch, departures[i].coord);
    }
    remove_prefetch_rest(store, &prefetch);
}

// ---- many chunks -------------------------------------------------------------------------------

/// Removes the chunks of a run as one change.
/// @param done  counts the chunks that were handled
/// @return OK, or why it stopped: for want of memory
static TrnResult remove_run(TrnStore *store, TrnStoreDeparture *departures, size_t count,
                            size_t *done)
{
    TrnRetireList retired = {0};
    TrnChunkRun run = {0};
    TrnResult result = TRN_RESULT_OK;
    remove_prefetch(store, departures, count);
    for (size_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
        TrnChunk *chunk = remove_find(store, &run, departures[i].coord);
        departures[i].result = chunk ? remove_ask(store, chunk) : TRN_RESULT_NOT_FOUND;
        if (departures[i].result == TRN_RESULT_OK) {
            result = remove_one(store, &run, chunk, false, &retired);
            departures[i].result = result;
        }
        *done += result == TRN_RESULT_OK;
    }
    remove_end(store, &retired);
    return result;
}

TrnResult trn_store_remove_batch(TrnStore *store, TrnStoreDeparture *departures, size_t count,
                                 size_t *done)
{
    TrnResult result = TRN_RESULT_OK;
    size_t handled = 0;
    while (handled < count) {
        const size_t first = handled, left = count - handled;
        result = remove_run(store, departures + first, left < TRN_STORE_RUN ? left : TRN_STORE_RUN,
                            &handled);
        if (result != TRN_RESULT_OK && handled == first) {
            break;
        } // after some chunks of the run it is worth another try: their memory may be free now
    }
    *done = handled;
    return result;
}
