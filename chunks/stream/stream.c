// The stream: creation, destruction, readiness, statistics, and why a chunk is not shown.

#include "stream_impl.h"

#include <inttypes.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/around.h"
#include "base/clock.h"
#include "store/store_internal.h"

// The least, so that one update in a thousand stays below 1 ms; and the share of a slower caller.
#define STREAM_MS_DEFAULT 0.8
#define STREAM_SHARE_DEFAULT 0.05
#define STREAM_QUEUE_DEFAULT ((size_t)8 << 20)
#define STREAM_QUEUE_PART 4u // the part of bytes_max that the queue may take
// Measured next to two busy threads on one core: 0.7 ms of the caller's work took 29 ms at the 99th
// percentile with workers at the caller's nice value, 21 ms with 5 levels, 5 ms with 10. But at 10
// levels a worker gets a tenth of the time of other programs on a busy machine, and destroying a
// stream waits for the workers.
#define STREAM_NICE_DEFAULT 5u
#define STREAM_NICE_MAX 39u // from -20 to 19

TrnStreamDef trn_stream_def(void)
{
    return (TrnStreamDef){.budget = {.ms = STREAM_MS_DEFAULT, .share = STREAM_SHARE_DEFAULT},
                          .queue_bytes = STREAM_QUEUE_DEFAULT,
                          .hysteresis_chunks = STREAM_HYSTERESIS_DEFAULT,
                          .workers = TRN_STREAM_WORKERS_DEFAULT,
                          .worker_nice = STREAM_NICE_DEFAULT};
}

uint32_t trn_stream_workers(const TrnStreamDef *def)
{
    const TrnStreamDef plain = trn_stream_def();
    def = def ? def : &plain;
    return trn_stream_workers_wanted(def->workers, def->runner);
}

// ---- creation ----------------------------------------------------------------------------------

static bool stream_def_is_valid(const TrnStreamDef *def)
{
    return def && def->store && (def->hooks.generate || def->generator.generate) &&
           def->hysteresis_chunks <= STREAM_HYSTERESIS_MAX && def->worker_nice <= STREAM_NICE_MAX &&
           trn_stream_schedule_budget_is_valid(&def->budget) &&
           (!def->runner || (def->runner->start && def->runner->concurrency > 0)) &&
           def->source.save_seconds >= 0; // false for a NaN
}

/// Hooks replace load and save of the source together, since these share a user pointer.
static void stream_set_source(TrnStream *stream, const TrnStreamHooks *hooks)
{
    TrnStreamSource *source = &stream->def.source;
    if (hooks->load || hooks->save) {
        source->load = hooks->load;
        source->save = hooks->save;
        source->load_many = NULL;
        source->highest = NULL;
        source->user = hooks->user;
    }
}

static double stream_system_clock_us(void *user)
{
    (void)user;
    return trn_clock_us();
}

static void stream_init(TrnStream *stream, const TrnStreamDef *def, TrnStream *host,
                        const TrnAllocator *allocator)
{
    memset(stream, 0, sizeof *stream);
    stream->def = *def;
    stream->store = def->store;
    stream->seen_revision = trn_store_revision(def->store);
    stream->def.keep_light &= def->light;
    stream_set_source(stream, &def->hooks);
    if (!def->clock_us) {
        stream->def.clock_us = stream_system_clock_us;
    }
    trn_stream_bytes_init(&stream->bytes, def, allocator, sizeof *stream,
                          host ? &host->bytes : NULL);
    trn_stream_schedule_init(&stream->schedule, &stream->def);
    stream->lights = (TrnStreamKeptLight){.chunks.key = trn_store_hash_key(def->store),
                                          .allocator = *allocator,
                                          .owner = trn_stream_bytes_allocator(&stream->bytes)};
}

/// Keeps the queue to a part of the byte budget: chunks that wait in it for memory must not be what
/// takes that memory.
static void stream_limit_queue(TrnStream *stream)
{
    const size_t max = stream->def.bytes_max, total = trn_stream_bytes_total(&stream->bytes);
    const size_t part = (max > total ? max - total : 0) / STREAM_QUEUE_PART;
    if (max && stream->def.queue_bytes > part) {
        stream->def.queue_bytes = part;
    }
}

static TrnResult stream_create_parts(TrnStream *stream, uint32_t level, const TrnStream *host)
{
    const TrnAllocator *allocator = trn_stream_bytes_allocator(&stream->bytes);
    TrnStreamViewHost view_host = trn_stream_view_host(stream);
    view_host.level = level;
    trn_stream_groups_init(&stream->groups, &stream->cells, allocator);
    trn_stream_queue_init(&stream->queue, &stream->cells, &stream->views);
    TrnResult result = trn_stream_cells_create(&stream->cells, level,
                                               trn_store_hash_key(stream->store), allocator);
    if (result == TRN_RESULT_OK) {
        result = trn_stream_views_create(&stream->views, &view_host, stream->def.hysteresis_chunks,
                                         allocator);
    }
    if (result == TRN_RESULT_OK) {
        stream_limit_queue(stream);
        result = trn_stream_jobs_create(&stream->jobs, &stream->def, level,
                                        host ? &host->jobs : NULL, allocator);
    }
    if (result == TRN_RESULT_OK) {
        const uint32_t kinds = TRN_EVENT_BIT(TRN_EVENT_INSERTED) |
                               TRN_EVENT_BIT(TRN_EVENT_CHANGED) | TRN_EVENT_BIT(TRN_EVENT_REMOVED);
        result = trn_store_subscribe(stream->store, kinds, trn_stream_on_store_event, stream);
        stream->store_watch.removing = trn_stream_on_store_removing;
        stream->store_watch.user = stream;
        trn_store_watch(stream->store, &stream->store_watch);
        trn_store_set_light_reach(stream->store, stream->def.light ? trn_light_reach : NULL);
    }
    return trn_stream_bytes_result(&stream->bytes, result);
}

TrnResult trn_stream_create_guest(const TrnStreamDef *def, uint32_t level, TrnStream *host,
                                  TrnStream **stream)
{
    if (!stream || !stream_def_is_valid(def)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnAllocator allocator = trn_allocator_or_default(def->allocator);
    TrnStream *created = trn_take(&allocator, sizeof *created, alignof(TrnStream));
    if (!created) {
        return TRN_RESULT_NO_MEMORY;
    }
    stream_init(created, def, host, &allocator);
    const TrnResult result = stream_create_parts(created, level, host);
    created->def.runner = NULL; // both were copied; the caller's may be freed now
    created->def.allocator = NULL;
    if (result != TRN_RESULT_OK) {
        trn_stream_destroy(created);
        return result;
    }
    *stream = created;
    return TRN_RESULT_OK;
}

TrnResult trn_stream_create(const TrnStreamDef *def, TrnStream **stream)
{
    return trn_stream_create_guest(def, 0, NULL, stream);
}

// ---- destruction -------------------------------------------------------------------------------

static void stream_drop_mesh(void *user, TrnStreamMesh mesh)
{
    trn_stream_drop_mesh(user, mesh);
}

static void stream_drop_meshes(TrnStream *stream)
{
    uint32_t cursor = 0;
    for (TrnStreamCell *cell; (cell = trn_stream_cells_next(&stream->cells, &cursor));) {
        trn_stream_drop_mesh(stream, cell->mesh);
    }
}

void trn_stream_destroy(TrnStream *stream)
{
    if (!stream) {
        return;
    }
    (void)trn_store_unsubscribe(stream->store, trn_stream_on_store_event, stream);
    trn_store_unwatch(stream->store, &stream->store_watch);
    trn_store_set_light_reach(stream->store, NULL);
    trn_stream_jobs_stop(&stream->jobs);
    trn_stream_discard_results(stream);
    trn_stream_jobs_destroy(&stream->jobs);
    trn_stream_groups_destroy(&stream->groups, stream_drop_mesh, stream);
    stream_drop_meshes(stream);
    trn_stream_bytes_drop_light(&stream->bytes, trn_stream_kept_light_clear(&stream->lights));
    trn_stream_views_destroy(&stream->views);
    trn_stream_cells_destroy(&stream->cells);
    const TrnAllocator allocator = *trn_stream_bytes_end(&stream->bytes, sizeof *stream);
    trn_give(&allocator, stream, sizeof *stream);
}

// ---- anchors -----------------------------------------------------------------------------------

TrnResult trn_stream_anchor_add(TrnStream *stream, const TrnStreamAnchor *anchor,
                                TrnStreamAnchorId *id)
{
    if (!stream) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    trn_stream_bytes_forget_refusal(&stream->bytes);
    return trn_stream_bytes_result(&stream->bytes,
                                   trn_stream_views_add(&stream->views, anchor, id));
}

TrnResult trn_stream_anchor_set(TrnStream *stream, TrnStreamAnchorId id,
                                const TrnStreamAnchor *anchor)
{
    return stream ? trn_stream_views_set(&stream->views, id, anchor) : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_stream_anchor_remove(TrnStream *stream, TrnStreamAnchorId id)
{
    return stream ? trn_stream_views_remove(&stream->views, id) : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_stream_view(const TrnStream *stream, TrnStreamAnchorId id, TrnStreamView *view)
{
    return stream && view ? trn_stream_views_get(&stream->views, id, view)
                          : TRN_RESULT_BAD_ARGUMENT;
}

// ---- between updates ---------------------------------------------------------------------------

void trn_stream_wait(TrnStream *stream)
{
    if (stream) {
        trn_stream_jobs_join(&stream->jobs);
    }
}

void trn_stream_remesh(TrnStream *stream)
{
    uint32_t cursor = 0;
    for (TrnStreamCell *cell; stream && (cell = trn_stream_cells_next(&stream->cells, &cursor));) {
        trn_stream_renew_mesh(stream, cell);
    }
}

void trn_stream_set_scratch(TrnStream *stream, size_t bytes)
{
    trn_stream_bytes_set_scratch(&stream->bytes, bytes);
}

// ---- what is loaded ----------------------------------------------------------------------------

const TrnChunkIndex *trn_stream_index(const TrnStream *stream)
{
    return stream->cells.index;
}

static size_t stream_count_plane(const TrnStream *stream, TrnBox box, TrnPlane plane)
{
    const TrnChunkGather gather = {.box = box, .planes = {.all = TRN_PLANE_BIT(plane)}};
    return trn_chunk_index_gather(stream->cells.index, &gather);
}

TrnStreamReadiness trn_stream_readiness(const TrnStream *stream, TrnVoxel min, TrnVoxel max)
{
    TrnStreamReadiness ready = {0};
    int64_t *const low[3] = {&min.x, &min.y, &min.z}, *const high[3] = {&max.x, &max.y, &max.z};
    uint64_t chunks = 1;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t first = TRN_VOXEL_MIN >> stream->cells.level;
        const int64_t last = TRN_VOXEL_MAX >> stream->cells.level;
        *low[axis] = *low[axis] < first ? first : *low[axis];
        *high[axis] = *high[axis] > last ? last : *high[axis];
        if (*low[axis] > *high[axis]) {
            return ready;
        }
        const uint64_t edge =
            (uint64_t)((*high[axis] >> TRN_CHUNK_SHIFT) - (*low[axis] >> TRN_CHUNK_SHIFT)) + 1;
        chunks = chunks > UINT64_MAX / edge ? UINT64_MAX : chunks * edge;
    }
    const TrnBox box = {trn_voxel_chunk(min), trn_voxel_chunk(max)};
    ready.chunks = chunks;
    ready.wanted = stream_count_plane(stream, box, TRN_STREAM_WANTED);
    ready.loaded = trn_store_gather(stream->store, box, NULL, 0); // also those in no view
    ready.shown = stream_count_plane(stream, box, TRN_STREAM_SHOWN);
    ready.is_loaded = ready.loaded == chunks;
    ready.is_shown = ready.shown == chunks;
    return ready;
}

// ---- light -------------------------------------------------------------------------------------

TrnResult trn_stream_get_light(const TrnStream *stream, TrnVoxel voxel, uint32_t *sky,
                               uint32_t *blocks)
{
    TrnBlock block;
    if (!stream || !sky || !blocks || !stream->def.keep_light) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnResult result = trn_store_get_block(stream->store, voxel, &block);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const TrnStreamPacked *light =
        trn_stream_kept_light_find(&stream->lights, trn_voxel_chunk(voxel));
    if (!light) {
        return TRN_RESULT_NOT_FOUND;
    }
    const TrnBlockType *type = trn_block_types_get(trn_store_block_types(stream->store), block);
    const bool is_opaque = type->kind == TRN_BLOCK_KIND_OPAQUE;
    const uint32_t index = trn_voxel_local_index(voxel);
    *sky = is_opaque ? 0 : trn_light_pack_get(&light->pack, 0, index);
    *blocks = is_opaque ? type->light : trn_light_pack_get(&light->pack, 1, index);
    return TRN_RESULT_OK;
}

// ---- figures -----------------------------------------------------------------------------------

TrnStreamStats trn_stream_stats(const TrnStream *stream)
{
    TrnStreamStats stats = stream->figures.stats;
    stats.updates = trn_stream_schedule_number(&stream->schedule);
    trn_stream_cells_stats(&stream->cells, &stats);
    trn_stream_views_count(&stream->views, &stats);
    trn_stream_queue_stats(&stream->queue, &stats);
    trn_stream_jobs_stats(&stream->jobs, &stats);
    trn_stream_bytes_stats(&stream->bytes, &stats);
    for (int stage = 0; stage < TRN_STREAM_STAGE_COUNT; stage++) {
        stats.times[stage] = trn_stream_times_of(&stream->figures.times[stage]);
    }
    return stats;
}

size_t trn_stream_bytes(const TrnStream *stream)
{
    return trn_stream_bytes_total(&stream->bytes);
}

void trn_stream_reset_times(TrnStream *stream)
{
    memset(stream->figures.times, 0, sizeof stream->figures.times);
}

// ---- why a chunk is or is not shown -------------------------------------------------------------

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
        if (trn_chunk_index_plane_test(stream->cells.index, TRN_STREAM_LOADED, at)) {
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
