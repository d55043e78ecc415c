// Saving: before a chunk is unloaded, in the background, and when the game asks for it.

#include "stream_impl.h"

#define SAVE_VISITED_MAX 512u // cells that an update looks at
#define SAVE_STARTED_MAX 16u  // saves that it starts, in addition to those of unloading
#define SAVE_HERE_MAX 2u      // of these, on the calling thread

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

/// Saves an unsaved chunk that is loaded to stay: on a worker, or here if its cell has other work.
/// Edits could keep it busy for good.
/// @param here  counts what was saved here
static void save_in_background(TrnStream *stream, TrnStreamCell *cell, uint32_t *here)
{
    const bool is_idle = !trn_stream_jobs_are_busy(cell) && !trn_stream_queue_has(cell) &&
                         !trn_stream_groups_have(cell);
    if (is_idle) {
        (void)trn_stream_start_save(stream, cell);
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
            !trn_stream_jobs_have_idle(&stream->jobs) ||
            (saved && !trn_stream_schedule_has_time(&stream->schedule))) {
            return;
        }
        TrnStreamCell *cell = trn_stream_cells_next(&stream->cells, &stream->save_walk.cursor);
        if (!cell) {
            stream->save_walk.is_under_way = false;
            return;
        }
        if (!cell->is_unloading && trn_stream_needs_save(stream, cell)) {
            save_in_background(stream, cell, &here);
            saved++;
        }
    }
}

// ---- on request --------------------------------------------------------------------------------

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
