// Unloading: removes chunks from the store in batches, unsaved ones after they were saved.
// The views decide which chunks, hysteresis included (STREAM_HYSTERESIS_DEFAULT in stream_views.h).

#include "stream_impl.h"

#include "store/store_internal.h"

// ---- saving -------------------------------------------------------------------------------------

#define SAVE_VISITED_MAX 512u // cells that an update looks at
#define SAVE_STARTED_MAX 16u  // saves that it starts, in addition to those of unloading
#define SAVE_HERE_MAX 2u      // of these, on the calling thread

/// Whether a loaded chunk has to be saved before it is unloaded.
static bool unload_needs_save(const TrnStream *stream, const TrnStreamCell *cell)
{
    return cell->is_loaded && stream->def.source.save &&
           trn_stream_cells_test(&stream->cells, cell, TRN_STREAM_UNSAVED);
}

/// Starts to save a chunk; without workers, saves it. @return false if that is not possible now
static bool unload_start_save(TrnStream *stream, TrnStreamCell *cell)
{
    // Two saves of one chunk at a time could finish in the wrong order and keep the older version.
    if (!trn_stream_jobs_reserve(&stream->jobs) || trn_stream_jobs_are_saving(cell)) {
        return false;
    }
    TrnStreamWork *work = trn_stream_start(stream, cell, TRN_STREAM_WORK_SAVE, false);
    if (!trn_stream_schedule_is_exact(&stream->schedule) &&
        trn_stream_jobs_workers(&stream->jobs)) {
        trn_stream_jobs_add(&stream->jobs, work);
    } else {
        trn_stream_jobs_run(&stream->jobs, work);
        trn_stream_apply_other(stream, work);
    }
    return true;
}

/// Saves one cell's chunk on the calling thread.
static TrnResult save_now(TrnStream *stream, TrnStreamCell *cell)
{
    TrnSnapshot voxels;
    if (trn_stream_state(stream, cell) == TRN_STREAM_STATE_SAVING) {
        trn_stream_jobs_await_save(&stream->jobs, cell);
        trn_stream_cancel(stream, cell);
        trn_stream_request_mesh(stream, cell);
        if (cell->is_unloading) {
            trn_stream_queue_add(&stream->queue, cell, TRN_STREAM_QUEUE_UNLOAD_FIRST);
        }
    }
    const TrnResult result = trn_store_snapshot(stream->store, cell->coord, &voxels);
    if (result != TRN_RESULT_OK) {
        trn_stream_note_failure(stream, cell->coord, TRN_STREAM_STAGE_SAVE, result);
        return result;
    }
    return trn_stream_save_here(stream, cell, voxels);
}

// ---- saving in the background -------------------------------------------------------------------

/// Whether a walk over all cells is under way, or due.
static bool save_walk_is_due(TrnStream *stream)
{
    TrnStreamSaveWalk *walk = &stream->save_walk;
    const TrnStreamSource *source = &stream->def.source;
    const double now_us = trn_stream_schedule_now(&stream->schedule);
    if (!source->save || source->save_seconds <= 0) {
        return false;
    }
    if (!walk->is_under_way && now_us - walk->begun_us >= source->save_seconds * 1e6) {
        *walk = (TrnStreamSaveWalk){.begun_us = now_us, .is_under_way = true};
    }
    return walk->is_under_way;
}

/// Saves an unsaved chunk that is loaded to stay: on a worker, or here if its cell has other work.
/// Edits could keep it busy for good.
/// @param here  counts what was saved here
static void save_in_background(TrnStream *stream, TrnStreamCell *cell, uint32_t *here)
{
    const bool is_idle = !trn_stream_jobs_are_busy(cell) && !trn_stream_queue_has(cell) &&
                         !trn_stream_groups_have(cell);
    if (is_idle) {
        (void)unload_start_save(stream, cell);
    } else if (!trn_stream_jobs_are_saving(cell)) {
        (void)save_now(stream, cell);
        ++*here;
    }
}

void trn_stream_save_some(TrnStream *stream)
{
    uint32_t saved = 0, here = 0;
    const bool is_due = save_walk_is_due(stream);
    for (uint32_t i = 0; is_due && i < SAVE_VISITED_MAX; i++) {
        if (saved == SAVE_STARTED_MAX || here == SAVE_HERE_MAX ||
            !trn_stream_jobs_reserve(&stream->jobs) ||
            (saved && !trn_stream_schedule_has_time(&stream->schedule))) {
            return;
        }
        TrnStreamCell *cell = trn_stream_cells_next(&stream->cells, &stream->save_walk.cursor);
        if (!cell) {
            stream->save_walk.is_under_way = false;
            return;
        }
        if (!cell->is_unloading && unload_needs_save(stream, cell)) {
            save_in_background(stream, cell, &here);
            saved++;
        }
    }
}

// ---- saving on request --------------------------------------------------------------------------

TrnResult trn_stream_save(TrnStream *stream)
{
    if (!stream) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnResult last = TRN_RESULT_OK;
    uint32_t cursor = 0;
    for (TrnStreamCell *cell; (cell = trn_stream_cells_next(&stream->cells, &cursor));) {
        if (unload_needs_save(stream, cell)) {
            const TrnResult result = save_now(stream, cell);
            last = result == TRN_RESULT_OK ? last : result;
        }
    }
    return last;
}

// ---- unloading ----------------------------------------------------------------------------------

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
    if (!unload_needs_save(stream, cell)) {
        return false;
    }
    if (!unload_start_save(stream, cell)) {
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
