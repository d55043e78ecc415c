// Chunks enter and leave views: what the views tell the stream, and ask it.

#include "stream_impl.h"

#include <assert.h>

#include "store/store_internal.h"

static_assert(TRN_STREAM_VIEW_BATCH <= TRN_STREAM_BATCH, "a batch of a view is one of cells");

// Views do not grow while this many chunks are queued: wanting a ring of a view of radius 32 takes
// as long as inserting a thousand chunks, and what is near waits for it.
#define WANTS_QUEUED_MAX 8192u

// ---- entering ----------------------------------------------------------------------------------

/// Whether another caller has inserted a chunk whose cell is new. Looks it up only if the store has
/// chunks that no cell knows.
static bool wants_is_in_store(const TrnStream *stream, TrnCoord coord)
{
    const bool all_known = !stream->has_missed && trn_store_loaded_count(stream->store) ==
                                                      trn_stream_cells_loaded(&stream->cells);
    return !all_known && trn_store_find(stream->store, coord);
}

/// Makes what another caller has inserted known to its new cell.
static void wants_meet_chunk(TrnStream *stream, TrnStreamCell *cell)
{
    if (!cell->is_loaded && wants_is_in_store(stream, cell->coord)) {
        trn_stream_cells_set_loaded(&stream->cells, cell, true);
        trn_stream_cells_set(&stream->cells, cell, TRN_STREAM_UNSAVED, true);
        trn_stream_announce_loaded(stream, cell);
    }
}

/// Takes a cell back that waits to be unloaded, or is being saved for that.
static void wants_take_back(TrnStream *stream, TrnStreamCell *cell)
{
    const TrnStreamQueueKind kind = trn_stream_queue_kind(cell);
    if (kind == TRN_STREAM_QUEUE_UNLOAD_FIRST || kind == TRN_STREAM_QUEUE_UNLOAD_LATER ||
        kind == TRN_STREAM_QUEUE_RETRY) { // a save that failed
        trn_stream_queue_remove(&stream->queue, cell);
    }
    if (trn_stream_groups_have(cell)) {
        trn_stream_rejoin_group(stream, cell);
    } else if (cell->is_loaded && !trn_stream_queue_has(cell)) {
        trn_stream_request_mesh(stream, cell);
    }
}

static void wants_want_chunk(TrnStream *stream, TrnStreamCell *cell, bool is_new)
{
    if (is_new) {
        wants_meet_chunk(stream, cell);
    }
    if (cell->is_unloading) {
        trn_stream_cells_set_wanted(&stream->cells, cell, true);
        stream->figures.report.wanted++;
        cell->wanted_us = is_new ? trn_stream_schedule_now(&stream->schedule) : cell->wanted_us;
        if (!is_new || trn_stream_queue_has(cell)) { // a listener may have inserted a new one
            wants_take_back(stream, cell);
        }
    }
    if (!cell->is_loaded && !trn_stream_jobs_are_busy(cell) && !trn_stream_queue_has(cell)) {
        cell->wanted_us = trn_stream_schedule_now(&stream->schedule);
        trn_stream_queue_work(stream, cell, TRN_STREAM_QUEUE_GENERATE, false);
    }
}

static TrnResult wants_want(void *user, const TrnCoord *coords, uint32_t count)
{
    TrnStream *stream = user;
    TrnStreamCell *cells[TRN_STREAM_BATCH];
    uint32_t added;
    trn_stream_bytes_forget_refusal(&stream->bytes);
    const uint32_t done =
        trn_stream_cells_find_or_add(&stream->cells, coords, count, cells, &added);
    for (uint32_t i = 0; i < done; i++) {
        wants_want_chunk(stream, cells[i], added >> i & 1);
    }
    return trn_stream_bytes_result(&stream->bytes,
                                   done == count ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY);
}

static TrnResult wants_show(void *user, TrnBox row)
{
    TrnStream *stream = user;
    trn_stream_bytes_forget_refusal(&stream->bytes);
    trn_stream_scan_request(&stream->scan, row);
    return trn_stream_bytes_result(&stream->bytes,
                                   trn_stream_cells_show(&stream->cells, row, true));
}

// ---- leaving -----------------------------------------------------------------------------------

static void wants_hide(void *user, TrnBox row)
{
    TrnStream *stream = user;
    (void)trn_stream_cells_show(&stream->cells, row, false);
}

/// @param cell  NULL: the chunk has none
static void wants_unwant_chunk(TrnStream *stream, TrnStreamCell *cell)
{
    if (!cell || cell->is_unloading) {
        return;
    }
    trn_stream_cells_set_wanted(&stream->cells, cell, false);
    trn_stream_cells_set(&stream->cells, cell, TRN_STREAM_SHOW, false);
    stream->figures.report.unwanted++;
    trn_stream_cancel(stream, cell);
    trn_stream_queue_remove(&stream->queue, cell);
    trn_stream_groups_note_unwanted(&stream->groups, cell); // it may become wanted again
    if (!cell->is_loaded && trn_stream_cells_remove(&stream->cells, cell)) {
        return;
    }
    if (cell->is_loaded) {
        trn_stream_request_mesh(stream, cell); // in case it becomes wanted again
    }
    const bool is_visible = trn_stream_views_rank(&stream->views, cell->coord).is_visible;
    trn_stream_queue_add(&stream->queue, cell,
                         is_visible ? TRN_STREAM_QUEUE_UNLOAD_LATER
                                    : TRN_STREAM_QUEUE_UNLOAD_FIRST);
}

static void wants_unwant(void *user, const TrnCoord *coords, uint32_t count)
{
    TrnStream *stream = user;
    TrnStreamCell *cells[TRN_STREAM_BATCH];
    trn_stream_cells_find_all(&stream->cells, coords, count, cells);
    for (uint32_t i = 0; i < count; i++) {
        wants_unwant_chunk(stream, cells[i]);
    }
}

// ---- what views ask and report ------------------------------------------------------------------

TrnStreamLoad trn_stream_load(const TrnStream *stream)
{
    const TrnStreamQueue *queue = &stream->queue;
    return (TrnStreamLoad){.loaded = trn_stream_cells_loaded(&stream->cells),
                           .coming = trn_stream_queue_count(queue, TRN_STREAM_QUEUE_GENERATE) +
                                     trn_stream_jobs_generating(&stream->jobs) +
                                     trn_stream_queue_count(queue, TRN_STREAM_QUEUE_RETRY),
                           .leaving = trn_stream_queue_unload_count(queue),
                           .cell_bytes = trn_stream_cells_bytes(&stream->cells)};
}

static TrnStreamFit wants_fits(void *user, uint64_t chunks, bool is_cautious)
{
    const TrnStream *stream = user;
    const TrnStreamLoad load = trn_stream_load(stream);
    if (trn_stream_bytes_fit(&stream->bytes, &load, chunks, is_cautious)) {
        return TRN_STREAM_FIT_YES;
    }
    return load.coming ? TRN_STREAM_FIT_ESTIMATED : TRN_STREAM_FIT_NO;
}

bool trn_stream_may_grow(const TrnStream *stream)
{
    return !trn_stream_bytes_was_short(&stream->bytes) &&
           trn_stream_queue_work_count(&stream->queue) < WANTS_QUEUED_MAX;
}

/// Growing leaves half of the update's time for other work. Otherwise a player who has just arrived
/// would wait for the ground until the whole view is wanted.
static bool wants_may_grow(void *user)
{
    TrnStream *stream = user;
    return trn_stream_may_grow(stream) && trn_stream_schedule_has_half(&stream->schedule);
}

static void wants_event(void *user, TrnStreamEventKind kind, TrnCoord centre, uint32_t ring)
{
    const TrnStream *stream = user;
    if (stream->def.listener) {
        const TrnStreamEvent event = {.kind = kind, .coord = centre, .ring = ring};
        stream->def.listener(stream->def.listener_user, &event);
    }
}

TrnStreamViewHost trn_stream_view_host(TrnStream *stream)
{
    return (TrnStreamViewHost){.want = wants_want,
                               .unwant = wants_unwant,
                               .show = wants_show,
                               .hide = wants_hide,
                               .fits = wants_fits,
                               .may_grow = wants_may_grow,
                               .event = wants_event,
                               .user = stream};
}
