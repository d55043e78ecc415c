// Saving: before a chunk is unloaded, in the background, and when the game asks for it.

#include "stream_impl.h"

#define SAVE_VISITED_MAX 512u // cells that an update looks at
#define SAVE_STARTED_MAX 16u  // saves that it starts, besides those of unloading

bool trn_stream_needs_save(const TrnStream *stream, const TrnStreamCell *cell)
{
    return cell->is_loaded && stream->def.source.save &&
           trn_stream_cells_test(&stream->cells, cell, TRN_STREAM_UNSAVED);
}

bool trn_stream_start_save(TrnStream *stream, TrnStreamCell *cell)
{
    // Two saves of one chunk at a time could finish in the wrong order and keep the older version.
    if (!trn_stream_jobs_have_idle(&stream->jobs) || trn_stream_jobs_are_saving(cell)) {
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

// ---- in the background -------------------------------------------------------------------------

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

/// Whether a cell has nothing else to do. A chunk that waits for its mesh, or that is being
/// unloaded, is left to the next walk.
static bool save_can_start(const TrnStreamCell *cell)
{
    return !cell->is_unloading && !trn_stream_jobs_are_busy(cell) && !trn_stream_queue_has(cell) &&
           !trn_stream_groups_have(cell);
}

void trn_stream_save_some(TrnStream *stream)
{
    if (!save_walk_is_due(stream)) {
        return;
    }
    uint32_t started = 0;
    for (uint32_t i = 0; i < SAVE_VISITED_MAX && started < SAVE_STARTED_MAX; i++) {
        if (!trn_stream_jobs_have_idle(&stream->jobs) ||
            (started && !trn_stream_schedule_has_time(&stream->schedule))) {
            return;
        }
        TrnStreamCell *cell = trn_stream_cells_next(&stream->cells, &stream->save_walk.cursor);
        if (!cell) {
            stream->save_walk.is_under_way = false;
            return;
        }
        started += trn_stream_needs_save(stream, cell) && save_can_start(cell) &&
                   trn_stream_start_save(stream, cell);
    }
}

// ---- on request --------------------------------------------------------------------------------

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

TrnResult trn_stream_save(TrnStream *stream)
{
    if (!stream) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnResult last = TRN_RESULT_OK;
    uint32_t cursor = 0;
    for (TrnStreamCell *cell; (cell = trn_stream_cells_next(&stream->cells, &cursor));) {
        if (trn_stream_needs_save(stream, cell)) {
            const TrnResult result = save_now(stream, cell);
            last = result == TRN_RESULT_OK ? last : result;
        }
    }
    return last;
}
