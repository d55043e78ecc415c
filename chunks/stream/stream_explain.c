// Explains in words why a chunk is or is not shown.

#include "stream_impl.h"

#include <stdio.h>

static const char *const EXPLAIN_STATES[TRN_STREAM_STATE_COUNT] = {
    [TRN_STREAM_STATE_UNKNOWN] = "is not there",
    [TRN_STREAM_STATE_QUEUED] = "waits to be made",
    [TRN_STREAM_STATE_GENERATING] = "is being made",
    [TRN_STREAM_STATE_LOADED] = "is there, without a mesh of what it holds",
    [TRN_STREAM_STATE_MESH_QUEUED] = "waits to be meshed",
    [TRN_STREAM_STATE_MESHING] = "is being meshed",
    [TRN_STREAM_STATE_SHOWN] = "is shown",
    [TRN_STREAM_STATE_FAILED] = "failed, and is tried again",
    [TRN_STREAM_STATE_SAVING] = "is being saved before it goes"};

/// Counts the cells that come before this one.
static uint32_t explain_queue_position(const TrnStream *stream, const TrnStreamCell *cell)
{
    const uint32_t per_kind = TRN_STREAM_LANE_COUNT * TRN_STREAM_BUCKETS;
    const uint32_t rank = cell->list % per_kind; // lane and bucket
    uint32_t before = 0;
    for (uint32_t list = 0; list < TRN_STREAM_LIST_UNLOAD_FIRST; list++) {
        const bool is_before = list % per_kind < rank ||
                               // meshes come first
                               (list % per_kind == rank && list != cell->list && list >= per_kind);
        before += is_before ? stream->lists[list].count : 0;
    }
    for (uint32_t slot = cell->prev; slot != TRN_STREAM_NO_CELL;
         slot = trn_stream_cell(stream, slot)->prev) {
        before++;
    }
    return before;
}

/// Counts neighbours that are not in the store. @return whether others are in the store but in no
/// view
static bool explain_missing(const TrnStream *stream, TrnStreamExplanation *out, TrnCoord coord)
{
    bool is_held = true;
    for (uint32_t bits = trn_stream_around_in_world(coord); bits; bits &= bits - 1) {
        const TrnCoord at = trn_coord_around(coord, (uint32_t)__builtin_ctz(bits));
        if (trn_chunk_index_plane_test(stream->index, TRN_STREAM_LOADED, at)) {
            continue;
        }
        if (trn_store_find(stream->store, at)) {
            is_held = false;
        } else {
            out->missing = out->missing_count ? out->missing : at;
            out->missing_count++;
        }
    }
    return !is_held;
}

static TrnStreamWait explain_wait_loaded(const TrnStream *stream, TrnStreamExplanation *out,
                                         TrnCoord coord)
{
    const bool has_unheld = explain_missing(stream, out, coord);
    if (!out->should_show) {
        return TRN_STREAM_WAIT_VIEW;
    }
    if (out->missing_count) {
        return TRN_STREAM_WAIT_NEIGHBOURS;
    }
    return has_unheld ? TRN_STREAM_WAIT_VIEW : TRN_STREAM_WAIT_QUEUE;
}

static TrnStreamWait explain_wait(const TrnStream *stream, const TrnStreamCell *cell,
                                  TrnStreamExplanation *out)
{
    if (cell->is_unloading && cell->state != TRN_STREAM_STATE_SAVING) {
        return cell->list == TRN_STREAM_LIST_FAILED ? TRN_STREAM_WAIT_RETRY
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
        return cell->group && !cell->work ? TRN_STREAM_WAIT_GROUP : TRN_STREAM_WAIT_WORKER;
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
    out->state = (TrnStreamState)cell->state;
    out->is_wanted = trn_stream_plane_test(stream, cell, TRN_STREAM_WANTED);
    out->should_show = trn_stream_plane_test(stream, cell, TRN_STREAM_SHOW);
    out->is_shown = trn_stream_plane_test(stream, cell, TRN_STREAM_SHOWN);
    out->is_unsaved = trn_stream_plane_test(stream, cell, TRN_STREAM_UNSAVED);
    out->failure = (TrnResult)cell->failure;
    out->tries = cell->tries;
    out->since_us = trn_stream_clock(stream) - cell->since_us;
    out->mesh_bytes = cell->mesh.bytes;
    if (cell->list < TRN_STREAM_LIST_UNLOAD_FIRST) {
        out->lane = (TrnStreamLane)(cell->list / TRN_STREAM_BUCKETS % TRN_STREAM_LANE_COUNT);
        out->queue_position = explain_queue_position(stream, cell);
    }
    if (cell->list == TRN_STREAM_LIST_FAILED) {
        out->retry_update =
            stream->updates + (uint32_t)(cell->retry_at - (uint32_t)stream->updates);
    }
    out->wait = explain_wait(stream, cell, out);
}

/// Writes what the chunk waits for, as the end of a sentence without its full stop.
static void explain_write_wait(const TrnStreamExplanation *out, char *text, size_t room)
{
    static const char *const lanes[] = {"with the edits", "among what is in view", "out of view"};
    switch (out->wait) {
    case TRN_STREAM_WAIT_VIEW:
        (void)snprintf(text, room, ": no view reaches that far");
        break;
    case TRN_STREAM_WAIT_QUEUE:
        (void)snprintf(text, room, ", %s, after %u others", lanes[out->lane],
                       (unsigned)out->queue_position);
        break;
    case TRN_STREAM_WAIT_WORKER:
        (void)snprintf(text, room, " or waits to be taken from its worker");
        break;
    case TRN_STREAM_WAIT_NEIGHBOURS:
        (void)snprintf(text, room, ": %u neighbours are missing, such as %d %d %d",
                       (unsigned)out->missing_count, (int)out->missing.x, (int)out->missing.y,
                       (int)out->missing.z);
        break;
    case TRN_STREAM_WAIT_GROUP:
        (void)snprintf(text, room, ", and waits for the other meshes of an edit");
        break;
    case TRN_STREAM_WAIT_RETRY:
        (void)snprintf(text, room, " at update %llu after %u failures: %s",
                       (unsigned long long)out->retry_update, (unsigned)out->tries,
                       trn_result_text(out->failure));
        break;
    case TRN_STREAM_WAIT_UNLOAD:
        (void)snprintf(text, room, ", and waits to go: no view holds it");
        break;
    default:
        text[0] = '\0';
    }
}

TrnStreamExplanation trn_stream_explain(const TrnStream *stream, TrnCoord coord)
{
    TrnStreamExplanation out = {.state = TRN_STREAM_STATE_UNKNOWN, .wait = TRN_STREAM_WAIT_VIEW};
    const TrnStreamCell *cell = trn_stream_find(stream, coord);
    if (cell) {
        explain_cell(stream, cell, &out);
    }
    out.is_loaded = trn_store_find(stream->store, coord) != NULL;
    out.distance_chunks = trn_stream_distance(stream, coord);
    char wait[160];
    explain_write_wait(&out, wait, sizeof wait);
    const bool is_foreign = out.is_loaded && !cell;
    (void)snprintf(out.sentence, sizeof out.sentence, "Chunk %d %d %d %s%s.", (int)coord.x,
                   (int)coord.y, (int)coord.z,
                   is_foreign ? "is there, and not the stream's" : EXPLAIN_STATES[out.state], wait);
    return out;
}
