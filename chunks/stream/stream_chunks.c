// A chunk changes state: it is queued, worked on, loaded, fails, is saved.

#include "stream_impl.h"

#define CHUNKS_RETRY_MAX 64u        // failed cells that one update looks at
#define CHUNKS_BACKOFF_MIN 8u       // updates until the first retry
#define CHUNKS_BACKOFF_SHIFT_MAX 7u // later up to 128 times that

TrnStreamState trn_stream_state(const TrnStream *stream, const TrnStreamCell *cell)
{
    static const TrnStreamState working[] = {[TRN_STREAM_WORK_GENERATE] =
                                                 TRN_STREAM_STATE_GENERATING,
                                             [TRN_STREAM_WORK_MESH] = TRN_STREAM_STATE_MESHING,
                                             [TRN_STREAM_WORK_SAVE] = TRN_STREAM_STATE_SAVING};
    if (trn_stream_jobs_are_busy(cell)) {
        return working[trn_stream_jobs_kind(cell)];
    }
    switch (trn_stream_queue_kind(cell)) {
    case TRN_STREAM_QUEUE_GENERATE:
        return TRN_STREAM_STATE_QUEUED;
    case TRN_STREAM_QUEUE_MESH:
        return TRN_STREAM_STATE_MESH_QUEUED;
    case TRN_STREAM_QUEUE_RETRY:
        return TRN_STREAM_STATE_FAILED;
    default:
        break;
    }
    if (trn_stream_groups_have(cell)) { // its mesh waits for those of its group
        return TRN_STREAM_STATE_MESHING;
    }
    if (trn_stream_cells_test(&stream->cells, cell, TRN_STREAM_SHOWN)) {
        return TRN_STREAM_STATE_SHOWN;
    }
    return cell->is_loaded ? TRN_STREAM_STATE_LOADED : TRN_STREAM_STATE_UNKNOWN;
}

void trn_stream_notify(const TrnStream *stream, TrnStreamEventKind kind, TrnCoord coord)
{
    if (stream->def.listener) {
        const TrnStreamEvent event = {.kind = kind, .coord = coord};
        stream->def.listener(stream->def.listener_user, &event);
    }
}

void trn_stream_add_time(TrnStream *stream, TrnStreamStage stage, double us)
{
    trn_stream_times_add(&stream->figures.times[stage], us);
}

// ---- work --------------------------------------------------------------------------------------

void trn_stream_queue_work(TrnStream *stream, TrnStreamCell *cell, TrnStreamQueueKind kind,
                           bool is_edit)
{
    cell->since_us = trn_stream_schedule_now(&stream->schedule);
    trn_stream_queue_add_work(&stream->queue, cell, kind, is_edit);
}

TrnStreamWork *trn_stream_start(TrnStream *stream, TrnStreamCell *cell, TrnStreamWorkKind kind,
                                bool is_urgent)
{
    cell->since_us = trn_stream_schedule_now(&stream->schedule);
    return trn_stream_jobs_start(&stream->jobs, cell, kind, is_urgent);
}

void trn_stream_cancel(TrnStream *stream, TrnStreamCell *cell)
{
    stream->figures.report.cancelled += trn_stream_jobs_cancel(cell);
}

void trn_stream_request_mesh(TrnStream *stream, TrnStreamCell *cell)
{
    cell->since_us = trn_stream_schedule_now(&stream->schedule);
    if (trn_stream_cells_test(&stream->cells, cell, TRN_STREAM_SHOWN)) {
        return;
    }
    trn_stream_cells_set(&stream->cells, cell, TRN_STREAM_REMESH, true);
    trn_stream_scan_request(&stream->scan, trn_box_around(cell->coord, 1, 1, 1));
}

void trn_stream_announce_loaded(TrnStream *stream, TrnStreamCell *cell)
{
    trn_stream_succeed(cell);
    trn_stream_request_mesh(stream, cell);
    trn_stream_notify(stream, TRN_STREAM_EVENT_LOADED, cell->coord);
}

// ---- failures ----------------------------------------------------------------------------------

void trn_stream_note_failure(TrnStream *stream, TrnCoord coord, TrnStreamStage stage,
                             TrnResult result)
{
    TrnStreamStats *stats = &stream->figures.stats;
    stats->failures++;
    stats->last_stage = stage;
    stats->last_failure = result;
    stats->last_failed = coord;
    stream->figures.report.failed++;
    stream->figures.result = result;
    if (stream->def.listener) {
        const TrnStreamEvent event = {
            .kind = TRN_STREAM_EVENT_FAILED, .coord = coord, .stage = stage, .result = result};
        stream->def.listener(stream->def.listener_user, &event);
    }
}

void trn_stream_fail(TrnStream *stream, TrnStreamCell *cell, TrnStreamStage stage, TrnResult result)
{
    const uint32_t shift =
        cell->tries < CHUNKS_BACKOFF_SHIFT_MAX ? cell->tries : CHUNKS_BACKOFF_SHIFT_MAX;
    TRN_ASSERT(!trn_stream_groups_have(cell));
    cell->tries = cell->tries < UINT8_MAX ? (uint8_t)(cell->tries + 1) : cell->tries;
    cell->failure = (uint8_t)result;
    cell->retry_at =
        (uint32_t)trn_stream_schedule_number(&stream->schedule) + (CHUNKS_BACKOFF_MIN << shift);
    cell->since_us = trn_stream_schedule_now(&stream->schedule);
    trn_stream_queue_remove(&stream->queue, cell);
    trn_stream_queue_add(&stream->queue, cell, TRN_STREAM_QUEUE_RETRY);
    trn_stream_note_failure(stream, cell->coord, stage, result);
}

void trn_stream_succeed(TrnStreamCell *cell)
{
    cell->tries = 0;
    cell->failure = TRN_RESULT_OK;
}

/// Retries a failed cell if it is due.
static void chunks_retry(TrnStream *stream, TrnStreamCell *cell)
{
    if ((int32_t)((uint32_t)trn_stream_schedule_number(&stream->schedule) - cell->retry_at) < 0) {
        trn_stream_queue_add(&stream->queue, cell, TRN_STREAM_QUEUE_RETRY); // to the end
    } else if (cell->is_unloading) {
        trn_stream_queue_add(&stream->queue, cell, TRN_STREAM_QUEUE_UNLOAD_FIRST);
    } else if (cell->is_loaded) {
        trn_stream_request_mesh(stream, cell);
    } else {
        trn_stream_queue_work(stream, cell, TRN_STREAM_QUEUE_GENERATE, false);
    }
}

void trn_stream_retry_failed(TrnStream *stream)
{
    TrnStreamCell *cells[CHUNKS_RETRY_MAX];
    const uint32_t count = trn_stream_queue_take_others(&stream->queue, TRN_STREAM_QUEUE_RETRY,
                                                        cells, CHUNKS_RETRY_MAX);
    for (uint32_t i = 0; i < count; i++) {
        chunks_retry(stream, cells[i]);
    }
}

// ---- saves -------------------------------------------------------------------------------------

void trn_stream_note_saved(TrnStream *stream, TrnStreamCell *cell)
{
    trn_stream_cells_set(&stream->cells, cell, TRN_STREAM_UNSAVED, false);
    stream->figures.stats.saved++;
    trn_stream_notify(stream, TRN_STREAM_EVENT_SAVED, cell->coord);
}

TrnResult trn_stream_save_here(TrnStream *stream, TrnStreamCell *cell, TrnSnapshot voxels)
{
    const TrnStreamSource *source = &stream->def.source;
    trn_stream_jobs_await_save(&stream->jobs, cell); // an earlier version may be in the hook
    // so that the hook can ask whether it is cancelled
    const TrnStreamWork work = {.job = {.coord = cell->coord, .level = stream->jobs.run.level}};
    const TrnResult result = source->save(source->user, &work.job, voxels);
    if (result == TRN_RESULT_OK) {
        trn_stream_note_saved(stream, cell);
    } else {
        trn_stream_note_failure(stream, cell->coord, TRN_STREAM_STAGE_SAVE, result);
    }
    return result;
}
