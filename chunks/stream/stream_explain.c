// Explains in words why a chunk is or is not shown.

#include "stream_impl.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/around.h"

static const char *const EXPLAIN_STATES[TRN_STREAM_STATE_COUNT] = {
    [TRN_STREAM_STATE_UNKNOWN] = "is not loaded",
    [TRN_STREAM_STATE_QUEUED] = "waits to be generated",
    [TRN_STREAM_STATE_GENERATING] = "is being generated",
    [TRN_STREAM_STATE_LOADED] = "is loaded without a current mesh",
    [TRN_STREAM_STATE_MESH_QUEUED] = "waits to be meshed",
    [TRN_STREAM_STATE_MESHING] = "is being meshed",
    [TRN_STREAM_STATE_SHOWN] = "is shown",
    [TRN_STREAM_STATE_FAILED] = "failed and will be retried",
    [TRN_STREAM_STATE_SAVING] = "is being saved before it unloads"};

static const char *const EXPLAIN_LANES[TRN_STREAM_LANE_COUNT] = {
    [TRN_STREAM_LANE_URGENT] = "urgent",
    [TRN_STREAM_LANE_VISIBLE] = "in view",
    [TRN_STREAM_LANE_REST] = "out of view",
};

/// Counts neighbours that are not in the store. @return whether others are in the store but in no
/// view
static bool explain_missing(const TrnStream *stream, TrnStreamExplanation *out, TrnCoord coord)
{
    bool has_unwanted = false;
    for (uint32_t bits = trn_stream_cells_around(&stream->cells, coord); bits; bits &= bits - 1) {
        const TrnCoord at = trn_coord_around(coord, (uint32_t)__builtin_ctz(bits));
        if (trn_chunk_index_plane_test(trn_stream_cells_index(&stream->cells), TRN_STREAM_LOADED,
                                       at)) {
            continue;
        }
        if (trn_store_find(stream->store, at)) {
            has_unwanted = true;
        } else {
            out->missing = out->missing_count ? out->missing : at;
            out->missing_count++;
        }
    }
    return has_unwanted;
}

static TrnStreamWait explain_wait_loaded(const TrnStream *stream, TrnStreamExplanation *out,
                                         TrnCoord coord)
{
    const bool has_unwanted = explain_missing(stream, out, coord);
    if (!out->should_show) {
        return TRN_STREAM_WAIT_VIEW;
    }
    if (out->missing_count) {
        return TRN_STREAM_WAIT_NEIGHBOURS;
    }
    return has_unwanted ? TRN_STREAM_WAIT_VIEW : TRN_STREAM_WAIT_QUEUE;
}

static TrnStreamWait explain_wait(const TrnStream *stream, const TrnStreamCell *cell,
                                  TrnStreamExplanation *out)
{
    if (cell->is_unloading && out->state != TRN_STREAM_STATE_SAVING) {
        return out->state == TRN_STREAM_STATE_FAILED ? TRN_STREAM_WAIT_RETRY
                                                     : TRN_STREAM_WAIT_UNLOAD;
    }
    switch (out->state) {
    case TRN_STREAM_STATE_UNKNOWN:
        return TRN_STREAM_WAIT_VIEW;
    case TRN_STREAM_STATE_QUEUED:
    case TRN_STREAM_STATE_MESH_QUEUED:
        return TRN_STREAM_WAIT_QUEUE;
    case TRN_STREAM_STATE_GENERATING:
    case TRN_STREAM_STATE_SAVING:
        return TRN_STREAM_WAIT_WORKER;
    case TRN_STREAM_STATE_MESHING:
        return !trn_stream_jobs_are_busy(cell) ? TRN_STREAM_WAIT_GROUP : TRN_STREAM_WAIT_WORKER;
    case TRN_STREAM_STATE_FAILED:
        return TRN_STREAM_WAIT_RETRY;
    case TRN_STREAM_STATE_LOADED:
        return explain_wait_loaded(stream, out, cell->coord);
    default:
        return TRN_STREAM_WAIT_NOTHING;
    }
}

static void explain_cell(const TrnStream *stream, const TrnStreamCell *cell,
                         TrnStreamExplanation *out)
{
    const TrnStreamCells *cells = &stream->cells;
    const uint32_t update = (uint32_t)trn_stream_schedule_number(&stream->schedule);
    out->state = trn_stream_state(stream, cell);
    out->is_wanted = trn_stream_cells_test(cells, cell, TRN_STREAM_WANTED);
    out->should_show = trn_stream_cells_test(cells, cell, TRN_STREAM_SHOW);
    out->is_shown = trn_stream_cells_test(cells, cell, TRN_STREAM_SHOWN);
    out->is_unsaved = trn_stream_cells_test(cells, cell, TRN_STREAM_UNSAVED);
    out->failure = (TrnResult)cell->failure;
    out->tries = cell->tries;
    out->since_us = trn_stream_schedule_time(&stream->schedule) - cell->since_us;
    out->mesh_bytes = cell->mesh.bytes;
    if (out->state == TRN_STREAM_STATE_QUEUED || out->state == TRN_STREAM_STATE_MESH_QUEUED) {
        out->queue_position = trn_stream_queue_position(&stream->queue, cell, &out->lane);
    }
    if (out->state == TRN_STREAM_STATE_FAILED) {
        out->retry_update =
            trn_stream_schedule_number(&stream->schedule) + (uint32_t)(cell->retry_at - update);
    }
    out->wait = explain_wait(stream, cell, out);
}

/// Appends to the sentence; what does not fit is cut off.
static void explain_append(TrnStreamExplanation *out, const char *format, ...)
{
    const size_t length = strlen(out->sentence);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(out->sentence + length, sizeof out->sentence - length, format, arguments);
    va_end(arguments);
}

/// Appends the position in a queue. A chunk that no scan has found yet is in none.
static void explain_append_queue(TrnStreamExplanation *out)
{
    if (out->state == TRN_STREAM_STATE_LOADED) {
        explain_append(out, " and will be queued for one.");
    } else {
        explain_append(out, ", %s, behind %" PRIu32 " other%s.", EXPLAIN_LANES[out->lane],
                       out->queue_position, out->queue_position == 1 ? "" : "s");
    }
}

/// Appends what the chunk waits for, and the full stop.
static void explain_append_wait(TrnStreamExplanation *out)
{
    switch (out->wait) {
    case TRN_STREAM_WAIT_VIEW:
        explain_append(out, ": no view reaches it.");
        break;
    case TRN_STREAM_WAIT_QUEUE:
        explain_append_queue(out);
        break;
    case TRN_STREAM_WAIT_WORKER:
        explain_append(out, ", or the result waits for the next update.");
        break;
    case TRN_STREAM_WAIT_NEIGHBOURS:
        explain_append(out,
                       ": %" PRIu32 " neighbour%s not loaded, such as %" PRId32 ", %" PRId32
                       ", %" PRId32 ".",
                       out->missing_count, out->missing_count == 1 ? " is" : "s are",
                       out->missing.x, out->missing.y, out->missing.z);
        break;
    case TRN_STREAM_WAIT_GROUP:
        explain_append(out, " together with other meshes of an edit, and waits for these.");
        break;
    case TRN_STREAM_WAIT_RETRY: // the text of a result is a sentence
        explain_append(out, " at update %" PRIu64 ", after %" PRIu32 " failure%s. %s",
                       out->retry_update, out->tries, out->tries == 1 ? "" : "s",
                       trn_result_text(out->failure));
        break;
    case TRN_STREAM_WAIT_UNLOAD:
        explain_append(out, " and waits to unload: no view holds it.");
        break;
    default:
        explain_append(out, ".");
    }
}

TrnStreamExplanation trn_stream_explain(const TrnStream *stream, TrnCoord coord)
{
    TrnStreamExplanation out = {.state = TRN_STREAM_STATE_UNKNOWN, .wait = TRN_STREAM_WAIT_VIEW};
    const TrnStreamCell *cell = trn_stream_cells_find(&stream->cells, coord);
    if (cell) {
        explain_cell(stream, cell, &out);
    }
    out.is_loaded = trn_store_find(stream->store, coord) != NULL;
    out.distance_chunks = trn_stream_views_distance(&stream->views, coord);
    const bool is_foreign = out.is_loaded && !cell;
    explain_append(&out, "Chunk %" PRId32 ", %" PRId32 ", %" PRId32 " %s", coord.x, coord.y,
                   coord.z,
                   is_foreign ? "is loaded, but not by the stream" : EXPLAIN_STATES[out.state]);
    explain_append_wait(&out);
    return out;
}
