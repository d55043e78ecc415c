// Unloading: removes chunks from the store in batches, unsaved ones after they were saved.
// The views decide which chunks, hysteresis included (STREAM_HYSTERESIS_DEFAULT in stream_views.h).

#include "stream_impl.h"

#include "store/store_internal.h"

#define UNLOAD_MIN 8u      // chunks that an update unloads regardless of time
#define UNLOAD_FULL 256u   // likewise, if memory ran short
#define UNLOAD_PER_UNIT 4u // of exact replay

/// How many chunks an update may still unload.
typedef struct UnloadLimit {
    uint32_t min; ///< regardless of time
    uint32_t max;
} UnloadLimit;

/// Whether a chunk must be saved first; if so, starts the save, or tries again later.
static bool unload_must_save(TrnStream *stream, TrnStreamCell *cell)
{
    if (!trn_stream_needs_save(stream, cell)) {
        return false;
    }
    if (!trn_stream_start_save(stream, cell)) {
        trn_stream_queue_add(&stream->queue, cell, TRN_STREAM_QUEUE_UNLOAD_FIRST);
    }
    return true;
}

/// Whether the game pins or edits a chunk of the store that the stream never loaded.
static bool unload_is_busy(const TrnStream *stream, const TrnStreamCell *cell)
{
    const TrnChunk *chunk = trn_store_find(stream->store, cell->coord);
    return chunk && trn_store_is_busy(chunk);
}

/// Removes chunks from the store. @param departures  [count] receives the results
static void unload_remove_chunks(TrnStream *stream, TrnStreamCell *const *cells,
                                 TrnStoreDeparture *departures, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        departures[i] = (TrnStoreDeparture){cells[i]->coord, TRN_RESULT_BUSY};
        cells[i]->is_leaving = true;
    }
    size_t done = 0;
    const TrnResult result = trn_store_remove_batch(stream->store, departures, count, &done);
    for (uint32_t i = 0; i < count; i++) {
        cells[i]->is_leaving = false;
    }
    if (result != TRN_RESULT_OK) {
        stream->figures.result = result;
    }
    for (size_t i = done; i < count; i++) {
        departures[i].result = TRN_RESULT_BUSY;
    }
}

/// Frees cells whose chunks are gone; the others wait at the end of their list.
static void unload_free_cells(TrnStream *stream, TrnStreamQueueKind kind,
                              TrnStreamCell *const *cells, const TrnStoreDeparture *departures,
                              uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        TrnStreamCell *cell = cells[i];
        const bool is_gone =
            departures[i].result == TRN_RESULT_OK || departures[i].result == TRN_RESULT_NOT_FOUND;
        if (is_gone && cell->is_loaded && !trn_store_find(stream->store, cell->coord)) {
            trn_stream_note_unloaded(stream, cell); // the store had no memory for the event
        }
        const bool can_free = is_gone && !cell->is_loaded && !trn_stream_queue_has(cell);
        if (!(can_free && trn_stream_cells_remove(&stream->cells, cell)) &&
            !trn_stream_queue_has(cell)) {
            trn_stream_queue_add(&stream->queue, cell, kind);
        }
    }
}

/// Unloads some cells that were taken from a list.
static void unload_batch(TrnStream *stream, TrnStreamQueueKind kind, TrnStreamCell *const *cells,
                         uint32_t count)
{
    TrnStreamCell *loaded[TRN_STREAM_BATCH];
    TrnStoreDeparture departures[TRN_STREAM_BATCH];
    uint32_t leaving = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (unload_must_save(stream, cells[i])) {
            continue;
        }
        if (cells[i]->is_loaded) {
            loaded[leaving++] = cells[i];
        } else if (unload_is_busy(stream, cells[i]) ||
                   !trn_stream_cells_remove(&stream->cells, cells[i])) {
            trn_stream_queue_add(&stream->queue, cells[i], kind);
        }
    }
    unload_remove_chunks(stream, loaded, departures, leaving);
    unload_free_cells(stream, kind, loaded, departures, leaving);
}

/// Unloads the chunks of a list, each tried once. @return false if the time is used up
static bool unload_list(TrnStream *stream, TrnStreamQueueKind kind, UnloadLimit *limit)
{
    TrnStreamCell *cells[TRN_STREAM_BATCH];
    uint32_t left = trn_stream_queue_count(&stream->queue, kind);
    double begun_us = trn_stream_schedule_clock(&stream->schedule);
    while (left && limit->max) {
        if (!limit->min && !trn_stream_schedule_has_time_at(&stream->schedule, begun_us)) {
            return false;
        }
        uint32_t count = left < TRN_STREAM_BATCH ? left : TRN_STREAM_BATCH;
        count = count < limit->max ? count : limit->max;
        count = trn_stream_queue_take_others(&stream->queue, kind, cells, count);
        const uint32_t unloaded = stream->figures.report.unloaded;
        unload_batch(stream, kind, cells, count);
        left -= count;
        limit->max -= count;
        limit->min -= limit->min < count ? limit->min : count;
        const double now_us = trn_stream_schedule_clock(&stream->schedule);
        const uint32_t removed = stream->figures.report.unloaded - unloaded;
        for (uint32_t i = 0; i < removed; i++) {
            trn_stream_add_time(stream, TRN_STREAM_STAGE_UNLOAD, (now_us - begun_us) / removed);
        }
        begun_us = now_us; // the end of one is the start of the next
    }
    return true;
}

void trn_stream_unload(TrnStream *stream, uint32_t units)
{
    UnloadLimit limit = {trn_stream_bytes_was_short(&stream->bytes) ? UNLOAD_FULL : UNLOAD_MIN,
                         UINT32_MAX};
    if (trn_stream_schedule_is_exact(&stream->schedule) &&
        units < (UINT32_MAX - limit.min) / UNLOAD_PER_UNIT) {
        limit.max = limit.min + UNLOAD_PER_UNIT * units;
    }
    if (unload_list(stream, TRN_STREAM_QUEUE_UNLOAD_FIRST, &limit)) {
        (void)unload_list(stream, TRN_STREAM_QUEUE_UNLOAD_LATER, &limit);
    }
}
