// Unloading: saves chunks that have unsaved changes, and removes them from the store. Which chunks
// are unloaded, hysteresis included, is decided by view_shape() in stream_view.c.

#include "index/pool_internal.h"
#include "store/store_internal.h"
#include "stream_impl.h"

#define UNLOAD_MIN 8u       // chunks that an update unloads regardless of time
#define UNLOAD_FULL 256u    // likewise, if memory ran short
#define UNLOAD_PER_UNIT 4u  // of exact replay
#define UNLOAD_PREFETCH 16u // chunks to prefetch at a time

/// Whether a chunk must be saved first; if so, starts the save.
static bool unload_must_save(TrnStream *stream, TrnStreamCell *cell)
{
    if (!trn_stream_plane_test(stream, cell, TRN_STREAM_UNSAVED) || !stream->def.hooks.save) {
        return false;
    }
    // Two saves of one chunk at a time could finish in the wrong order and keep the older version.
    if (!stream->idle.first || cell->save) {
        // To be tried again.
        trn_stream_list_append(stream, cell, TRN_STREAM_LIST_UNLOAD_FIRST);
        return true;
    }
    TrnStreamWork *work =
        trn_stream_begin_work(stream, cell, TRN_STREAM_WORK_SAVE, TRN_STREAM_LANE_VISIBLE);
    if (!stream->is_exact && trn_stream_pool_workers(stream->pool)) {
        trn_stream_work_push(&stream->issued, work);
        return true;
    }
    trn_stream_run(stream, work, 0);
    trn_stream_apply_other(stream, work);
    return true;
}

void trn_stream_await_save(TrnStream *stream, const TrnStreamCell *cell)
{
    if (cell->save) {
        atomic_store_explicit(&cell->save->is_cancelled, true, memory_order_relaxed);
        trn_stream_pool_await(stream->pool, cell->save);
    }
}

/// Prefetches the next cells of a list. Following the list alone would wait for one cache miss
/// after the other.
/// @param count  cells about to be unloaded; as many after them are prefetched too
static void unload_prefetch_cells(TrnStream *stream, uint32_t list, uint32_t count)
{
    TrnStreamUnloadRing *ring = &stream->unload_rings[list - TRN_STREAM_LIST_UNLOAD_FIRST];
    for (uint32_t i = 0; i < 2 * count && ring->next + i != ring->end; i++) {
        const uint32_t slot = ring->slots[(ring->next + i) % TRN_STREAM_UNLOAD_RING];
        trn_pool_prefetch(stream->cells, slot);
        trn_stream_prefetch_cell(stream, slot);
    }
    const uint32_t left = ring->end - ring->next;
    ring->next += count < left ? count : left;
}

/// Prefetches the memory that unloading the next chunks of a list touches. Each lies elsewhere, and
/// waiting for one after the other took half of the time.
static void unload_prefetch(TrnStream *stream, uint32_t list)
{
    TrnCoord coords[UNLOAD_PREFETCH];
    uint32_t count = 0;
    unload_prefetch_cells(stream, list, UNLOAD_PREFETCH);
    for (uint32_t slot = stream->lists[list].first;
         slot != TRN_STREAM_NO_CELL && count < UNLOAD_PREFETCH;) {
        const TrnStreamCell *cell = trn_stream_cell(stream, slot);
        __builtin_prefetch(cell->mesh.mesh);
        coords[count++] = cell->coord;
        slot = cell->next;
    }
    trn_store_prefetch_removals(stream->store, coords, count);
}

/// Removes a cell's chunk from the store, if loaded. @return false if that must wait
static bool unload_remove_chunk(TrnStream *stream, const TrnStreamCell *cell)
{
    const TrnChunk *chunk = trn_store_find(stream->store, cell->coord);
    if (chunk && trn_store_is_busy(chunk)) {
        return false; // the game pins or edits it
    }
    if (!cell->is_loaded) {
        return true;
    }
    stream->removing = cell->slot;
    const TrnResult result = trn_store_remove(stream->store, cell->coord);
    stream->removing = TRN_STREAM_NO_CELL;
    if (result != TRN_RESULT_OK) {
        stream->update_result = result;
    }
    return result == TRN_RESULT_OK;
}

/// Unloads the first chunks of a list, each tried once.
/// @param min   how many to unload regardless of time; counted down
/// @param max   how many at most; counted down
/// @return false if the time is used up
static bool unload_list(TrnStream *stream, uint32_t list, uint32_t *min, uint32_t *max)
{
    const uint32_t count = stream->lists[list].count;
    double begun_us = trn_stream_clock(stream); // the end of one is the start of the next
    for (uint32_t i = 0; i < count && *max; i++, --*max) {
        if (!*min && !trn_stream_has_time_at(stream, begun_us)) {
            return false;
        }
        *min -= *min > 0;
        if (i % UNLOAD_PREFETCH == 0) {
            unload_prefetch(stream, list);
        }
        TrnStreamCell *cell = trn_stream_cell(stream, stream->lists[list].first);
        const bool was_loaded = cell->is_loaded;
        trn_stream_list_remove(stream, cell);
        if (was_loaded && unload_must_save(stream, cell)) {
            continue;
        }
        const bool is_removed =
            unload_remove_chunk(stream, cell) && trn_stream_remove_cell(stream, cell);
        if (!is_removed) {
            trn_stream_list_append(stream, cell, list);
        }
        const double now_us = trn_stream_clock(stream);
        if (was_loaded && is_removed) {
            trn_stream_times_add(&stream->times[TRN_STREAM_STAGE_UNLOAD], now_us - begun_us);
        }
        begun_us = now_us;
    }
    return true;
}

void trn_stream_unload(TrnStream *stream, uint32_t units)
{
    uint32_t min = stream->was_full ? UNLOAD_FULL : UNLOAD_MIN;
    uint32_t max = UINT32_MAX;
    if (stream->is_exact && units < (UINT32_MAX - min) / UNLOAD_PER_UNIT) {
        max = min + UNLOAD_PER_UNIT * units;
    }
    if (unload_list(stream, TRN_STREAM_LIST_UNLOAD_FIRST, &min, &max)) {
        (void)unload_list(stream, TRN_STREAM_LIST_UNLOAD_LATER, &min, &max);
    }
}
