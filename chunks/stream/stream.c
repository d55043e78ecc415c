// The stream: creation, destruction, one update from start to end, readiness and statistics.

#include "store/store_internal.h"
#include "stream_impl.h"

#include <stdalign.h>
#include <string.h>

#define STREAM_MS_DEFAULT 0.8
#define STREAM_QUEUE_DEFAULT ((size_t)4 << 20)
#define STREAM_HYSTERESIS_MAX 64u
// Measured next to two busy threads on one core: 0.7 ms of the caller's work took 29 ms at the 99th
// percentile with workers at the caller's nice value, 21 ms with 5 levels, 5 ms with 10. But at 10
// levels a worker gets a tenth of the time of other programs on a busy machine, and destroying a
// stream waits for the workers.
#define STREAM_NICE_DEFAULT 5u
#define STREAM_NICE_MAX 39u // from -20 to 19
#define STREAM_BUFFERS_MAX 4096u
#define STREAM_CELL_BLOCK 1024u // cells in a block of their pool

TrnStreamDef trn_stream_def(void)
{
    return (TrnStreamDef){.budget = {.ms = STREAM_MS_DEFAULT},
                          .queue_bytes = STREAM_QUEUE_DEFAULT,
                          .hysteresis_chunks = 2,
                          .workers = TRN_STREAM_WORKERS_DEFAULT,
                          .worker_nice = STREAM_NICE_DEFAULT};
}

// ---- creation ----------------------------------------------------------------------------------

static bool stream_def_is_valid(const TrnStreamDef *def)
{
    return def && def->store && (def->hooks.generate || def->generator.generate) &&
           def->hysteresis_chunks <= STREAM_HYSTERESIS_MAX && def->worker_nice <= STREAM_NICE_MAX &&
           !(def->budget.ms != def->budget.ms) &&
           (!def->runner || (def->runner->start && def->runner->concurrency > 0));
}

static void *stream_alloc_zeroed(TrnStream *stream, size_t count, size_t element)
{
    void *memory = trn_take(&stream->counted, count * element, alignof(max_align_t));
    if (memory) {
        memset(memory, 0, count * element);
    }
    return memory;
}

static TrnResult stream_create_index(TrnStream *stream)
{
    static const TrnPlaneDef planes[] = {{"wanted", false}, {"show", false},   {"loaded", false},
                                         {"shown", false},  {"remesh", false}, {"unsaved", false}};
    TrnChunkIndexDef index = trn_chunk_index_def();
    index.planes = planes;
    index.plane_count = sizeof planes / sizeof *planes;
    index.reader_max = 0;
    index.allocator = &stream->counted;
    TrnResult result = trn_chunk_index_create(&index, &stream->index);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnPoolDef cells = trn_pool_def(sizeof(TrnStreamCell));
    cells.block_slots = STREAM_CELL_BLOCK;
    cells.allocator = &stream->counted;
    return trn_pool_create(&cells, &stream->cells);
}

static TrnResult stream_create_works(TrnStream *stream)
{
    const size_t buffers = stream->def.queue_bytes / TRN_STREAM_BUFFER_BYTES;
    stream->buffer_max = buffers < 1                    ? 1
                         : buffers > STREAM_BUFFERS_MAX ? STREAM_BUFFERS_MAX
                                                        : (uint32_t)buffers;
    stream->works = stream_alloc_zeroed(stream, TRN_STREAM_WORK_MAX, sizeof *stream->works);
    stream->wave = stream_alloc_zeroed(stream, TRN_STREAM_WORK_MAX, sizeof(TrnStreamWork *));
    stream->found = stream_alloc_zeroed(stream, TRN_STREAM_SCAN_MAX, sizeof *stream->found);
    stream->buffers = stream_alloc_zeroed(stream, stream->buffer_max, sizeof(TrnBlock *));
    stream->free_buffers = stream_alloc_zeroed(stream, stream->buffer_max, sizeof(TrnBlock *));
    if (!stream->works || !stream->wave || !stream->found || !stream->buffers ||
        !stream->free_buffers) {
        return TRN_RESULT_NO_MEMORY;
    }
    for (uint32_t i = 0; i < TRN_STREAM_WORK_MAX; i++) {
        trn_stream_work_push(&stream->idle, &stream->works[i]);
    }
    TrnBlock *first = trn_take(&stream->counted, TRN_STREAM_BUFFER_BYTES, TRN_CACHE_LINE);
    if (!first) {
        return TRN_RESULT_NO_MEMORY;
    }
    stream->buffers[stream->buffer_count++] = first;
    stream->free_buffers[stream->free_count++] = first;
    return TRN_RESULT_OK;
}

static void stream_notify_no_worker(const TrnStream *stream, TrnResult result)
{
    if (stream->def.listener) {
        const TrnStreamEvent event = {.kind = TRN_STREAM_EVENT_NO_WORKER, .result = result};
        stream->def.listener(stream->def.listener_user, &event);
    }
}

/// Creates a reader of the store for each worker. @return how many workers have one
static uint32_t stream_create_readers(TrnStream *stream, uint32_t workers)
{
    for (uint32_t i = 1; i <= workers; i++) {
        if (trn_chunk_index_reader_create(trn_store_index(stream->store), "stream worker",
                                          &stream->readers[i]) != TRN_RESULT_OK) {
            stream->readers[i] = NULL;
            return i - 1;
        }
    }
    return workers;
}

static TrnResult stream_create_pool(TrnStream *stream)
{
    const uint32_t asked = trn_stream_pool_workers_wanted(stream->def.workers, stream->def.runner);
    const uint32_t workers = stream_create_readers(stream, asked);
    const TrnStreamPoolDef pool = {.workers = workers,
                                   .runner = stream->def.runner,
                                   .run = trn_stream_run,
                                   .context = stream,
                                   .nice_levels = stream->def.worker_nice,
                                   .allocator = &stream->counted};
    TrnResult result = trn_stream_pool_create(&pool, &stream->pool);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const uint32_t started = trn_stream_pool_workers(stream->pool);
    stream->workers_failed = asked - started;
    for (uint32_t i = started; i < asked; i++) {
        stream_notify_no_worker(stream, i < workers ? TRN_RESULT_NO_MEMORY : TRN_RESULT_FULL);
    }
    return TRN_RESULT_OK;
}

static TrnResult stream_create_parts(TrnStream *stream)
{
    TrnResult (*const create[])(TrnStream *) = {stream_create_index, stream_create_works,
                                                stream_create_pool};
    TrnResult result = TRN_RESULT_OK;
    for (size_t i = 0; i < sizeof create / sizeof *create && result == TRN_RESULT_OK; i++) {
        result = create[i](stream);
    }
    if (result == TRN_RESULT_OK) {
        const uint32_t kinds = TRN_EVENT_BIT(TRN_EVENT_INSERTED) |
                               TRN_EVENT_BIT(TRN_EVENT_CHANGED) | TRN_EVENT_BIT(TRN_EVENT_REMOVED);
        result = trn_store_subscribe(stream->store, kinds, trn_stream_on_store_event, stream);
    }
    return result == TRN_RESULT_NO_MEMORY && stream->is_refused ? TRN_RESULT_FULL : result;
}

static void stream_init(TrnStream *stream, const TrnStreamDef *def, const TrnAllocator *allocator)
{
    memset(stream, 0, sizeof *stream);
    stream->def = *def;
    stream->allocator = *allocator;
    stream->counted = (TrnAllocator){trn_stream_alloc, trn_stream_free, stream};
    stream->store = def->store;
    stream->scratch_bytes = def->scratch_bytes;
    stream->stream_bytes = sizeof *stream;
    stream->removing = TRN_STREAM_NO_CELL;
    stream->store_bytes_max = trn_store_stats(def->store).bytes_max;
    (void)trn_store_bytes(def->store, &stream->store_base_bytes);
    stream->seen_revision = trn_store_revision(def->store);
    if (!def->clock_us) {
        stream->def.clock_us = trn_stream_system_clock_us;
    }
    for (uint32_t i = 0; i < TRN_STREAM_LIST_COUNT; i++) {
        stream->lists[i] = (TrnStreamList){TRN_STREAM_NO_CELL, TRN_STREAM_NO_CELL, 0};
    }
}

TrnResult trn_stream_create(const TrnStreamDef *def, TrnStream **stream)
{
    if (!stream || !stream_def_is_valid(def)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnAllocator allocator = trn_allocator_or_default(def->allocator);
    TrnStream *created = trn_take(&allocator, sizeof *created, alignof(TrnStream));
    if (!created) {
        return TRN_RESULT_NO_MEMORY;
    }
    stream_init(created, def, &allocator);
    created->now_us = trn_stream_clock(created);
    trn_stream_update_store_max(created);
    const TrnResult result = stream_create_parts(created);
    created->def.runner = NULL; // both were copied; the caller's may be freed now
    created->def.allocator = NULL;
    if (result != TRN_RESULT_OK) {
        trn_stream_destroy(created);
        return result;
    }
    *stream = created;
    return TRN_RESULT_OK;
}

// ---- destruction -------------------------------------------------------------------------------

/// Cancels all work, so that hooks that check for it end early.
static void stream_cancel_all(TrnStream *stream)
{
    for (uint32_t i = 0; stream->works && i < TRN_STREAM_WORK_MAX; i++) {
        TrnStreamWork *work = &stream->works[i];
        atomic_store_explicit(&work->is_cancelled, true, memory_order_relaxed);
        work->cell = TRN_STREAM_WORK_NO_CELL;
    }
}

static void stream_destroy_pool(TrnStream *stream)
{
    TrnStreamWorkList left = {0};
    if (stream->pool) {
        trn_stream_pool_stop(stream->pool, &left);
        trn_stream_discard_all(stream, &left);
    }
    if (stream->pool) {
        trn_stream_pool_clear_stock(stream->pool, trn_store_voxel_heap(stream->store));
    }
    trn_stream_discard_all(stream, &stream->issued);
    trn_stream_discard_all(stream, &stream->urgent);
    trn_stream_discard_all(stream, &stream->generated);
    trn_stream_discard_all(stream, &stream->other);
    trn_stream_pool_destroy(stream->pool);
    for (uint32_t i = 1; i <= TRN_STREAM_WORKER_MAX; i++) {
        if (stream->readers[i]) {
            trn_chunk_index_reader_destroy(stream->readers[i]);
        }
    }
}

static void stream_destroy_cells(TrnStream *stream)
{
    uint32_t cursor = 0;
    for (TrnStreamCell *cell;
         stream->cells && (cell = trn_pool_next(stream->cells, &cursor, NULL));) {
        trn_stream_drop_mesh(stream, cell->mesh);
    }
    trn_pool_destroy(stream->cells);
    trn_chunk_index_destroy(stream->index);
}

static void stream_destroy_works(TrnStream *stream)
{
    for (uint32_t i = 0; i < stream->buffer_count; i++) {
        trn_give(&stream->counted, stream->buffers[i], TRN_STREAM_BUFFER_BYTES);
    }
    trn_give(&stream->counted, stream->free_buffers, stream->buffer_max * sizeof(TrnBlock *));
    trn_give(&stream->counted, stream->buffers, stream->buffer_max * sizeof(TrnBlock *));
    trn_give(&stream->counted, stream->found, TRN_STREAM_SCAN_MAX * sizeof *stream->found);
    trn_give(&stream->counted, stream->wave, TRN_STREAM_WORK_MAX * sizeof(TrnStreamWork *));
    trn_give(&stream->counted, stream->works, TRN_STREAM_WORK_MAX * sizeof *stream->works);
}

void trn_stream_destroy(TrnStream *stream)
{
    if (!stream) {
        return;
    }
    (void)trn_store_unsubscribe(stream->store, trn_stream_on_store_event, stream);
    stream_cancel_all(stream);
    stream_destroy_pool(stream);
    trn_stream_destroy_groups(stream);
    stream_destroy_cells(stream);
    stream_destroy_works(stream);
    trn_array_free(&stream->views, &stream->counted);
    TRN_ASSERT(stream->stream_bytes == sizeof *stream && stream->mesh_bytes == 0);
    trn_store_set_bytes_max(stream->store, stream->store_bytes_max);
    const TrnAllocator allocator = stream->allocator;
    trn_give(&allocator, stream, sizeof *stream);
}

// ---- updates -----------------------------------------------------------------------------------

static bool stream_is_idle(const TrnStream *stream)
{
    return !stream->queued && !stream->under_way && !stream->generated.count &&
           !stream->other.count && !stream->lists[TRN_STREAM_LIST_FAILED].count &&
           !stream->lists[TRN_STREAM_LIST_UNLOAD_FIRST].count &&
           !stream->lists[TRN_STREAM_LIST_UNLOAD_LATER].count && !stream->groups_open &&
           !trn_stream_needs_scan(stream) && !stream->is_full && trn_stream_views_are_idle(stream);
}

static void stream_begin_update(TrnStream *stream, const TrnStreamBudget *budget)
{
    stream->updates++;
    stream->report = (TrnStreamReport){0};
    stream->update_result = TRN_RESULT_OK;
    stream->is_refused = false;
    stream->now_us = trn_stream_clock(stream);
    stream->is_exact = budget->units > 0;
    stream->upload_bytes_max = stream->is_exact ? 0 : budget->upload_bytes;
    stream->deadline_us = budget->ms > 0 ? stream->now_us + budget->ms * 1e3 : 0;
    stream->was_full = stream->is_full;
    stream->is_full = stream->is_full_of_bytes = stream->is_starved = false;
}

/// Unloads first, since new chunks need the memory, but for at most half of the time.
static void stream_unload(TrnStream *stream, uint32_t units)
{
    const double deadline_us = stream->deadline_us;
    if (deadline_us > 0) {
        stream->deadline_us = (stream->now_us + deadline_us) / 2;
    }
    trn_stream_unload(stream, units);
    stream->deadline_us = deadline_us;
}

TrnResult trn_stream_update(TrnStream *stream, const TrnStreamBudget *budget,
                            TrnStreamReport *report)
{
    if (!stream || (budget && budget->ms != budget->ms)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    budget = budget ? budget : &stream->def.budget;
    stream_begin_update(stream, budget);
    trn_stream_catch_up(stream);
    trn_stream_update_views(stream);
    trn_stream_groups_drop_unwanted(stream);
    trn_stream_retry_failed(stream);
    stream_unload(stream, budget->units);
    if (stream->is_exact) {
        trn_stream_work_exactly(stream, budget->units);
    } else {
        trn_stream_work_in_time(stream);
    }
    trn_stream_enforce_budget(stream);
    trn_stream_groups_drop_unwanted(stream); // enforcing the budget may have shrunk views
    stream->report.is_idle = stream_is_idle(stream);
    stream->report.stale = (uint32_t)(stream->stats.stale - stream->stale_reported);
    stream->stale_reported = stream->stats.stale;
    stream->report.us = trn_stream_clock(stream) - stream->now_us;
    trn_stream_times_add(&stream->times[TRN_STREAM_STAGE_UPDATE], stream->report.us);
    if (report) {
        *report = stream->report;
    }
    return stream->update_result;
}

void trn_stream_wait(TrnStream *stream)
{
    if (stream) {
        trn_stream_pool_join(stream->pool, false);
    }
}

/// Saves one cell's chunk on the calling thread.
static TrnResult stream_save_cell(TrnStream *stream, TrnStreamCell *cell)
{
    TrnSnapshot voxels;
    // so that the hook can ask whether it is cancelled
    const TrnStreamWork work = {.job = {.coord = cell->coord}};
    trn_stream_await_save(stream, cell);
    if (cell->work && cell->work->kind == TRN_STREAM_WORK_SAVE) {
        trn_stream_cancel(stream, cell);
        trn_stream_request_mesh(stream, cell);
        if (cell->is_unloading) {
            trn_stream_list_append(stream, cell, TRN_STREAM_LIST_UNLOAD_FIRST);
        }
    }
    TrnResult result = trn_store_snapshot(stream->store, cell->coord, &voxels);
    if (result == TRN_RESULT_OK) {
        result = stream->def.hooks.save(stream->def.hooks.user, &work.job, voxels);
    }
    if (result == TRN_RESULT_OK) {
        trn_stream_plane_set(stream, cell, TRN_STREAM_UNSAVED, false);
        stream->stats.saved++;
        trn_stream_notify(stream, TRN_STREAM_EVENT_SAVED, cell->coord);
    } else {
        trn_stream_note_failure(stream, cell->coord, TRN_STREAM_STAGE_SAVE, result);
    }
    return result;
}

TrnResult trn_stream_save(TrnStream *stream)
{
    if (!stream) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (!stream->def.hooks.save) {
        return TRN_RESULT_OK;
    }
    TrnResult last = TRN_RESULT_OK;
    uint32_t cursor = 0;
    for (TrnStreamCell *cell; (cell = trn_pool_next(stream->cells, &cursor, NULL));) {
        if (cell->is_loaded && trn_stream_plane_test(stream, cell, TRN_STREAM_UNSAVED)) {
            const TrnResult result = stream_save_cell(stream, cell);
            last = result == TRN_RESULT_OK ? last : result;
        }
    }
    return last;
}

void trn_stream_remesh(TrnStream *stream)
{
    uint32_t cursor = 0;
    for (TrnStreamCell *cell; stream && (cell = trn_pool_next(stream->cells, &cursor, NULL));) {
        if (!trn_stream_plane_test(stream, cell, TRN_STREAM_SHOWN)) {
            continue;
        }
        trn_stream_plane_set(stream, cell, TRN_STREAM_SHOWN, false);
        // Chunks being saved or unloaded request their mesh afterwards.
        if (cell->list == TRN_STREAM_LIST_NONE && !cell->work) {
            trn_stream_request_mesh(stream, cell);
        }
    }
}

// ---- what is loaded ----------------------------------------------------------------------------

const TrnChunkIndex *trn_stream_index(const TrnStream *stream)
{
    return stream->index;
}

static size_t stream_count_plane(const TrnStream *stream, TrnBox box, TrnPlane plane)
{
    const TrnChunkGather gather = {.box = box, .planes = {.all = TRN_PLANE_BIT(plane)}};
    return trn_chunk_index_gather(stream->index, &gather);
}

TrnStreamReadiness trn_stream_readiness(const TrnStream *stream, TrnVoxel min, TrnVoxel max)
{
    TrnStreamReadiness ready = {0};
    int64_t *const low[3] = {&min.x, &min.y, &min.z}, *const high[3] = {&max.x, &max.y, &max.z};
    uint64_t chunks = 1;
    for (int axis = 0; axis < 3; axis++) {
        *low[axis] = *low[axis] < TRN_VOXEL_MIN ? TRN_VOXEL_MIN : *low[axis];
        *high[axis] = *high[axis] > TRN_VOXEL_MAX ? TRN_VOXEL_MAX : *high[axis];
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

// ---- figures -----------------------------------------------------------------------------------

static void stream_count_views(const TrnStream *stream, TrnStreamStats *stats)
{
    for (uint32_t i = 0; i < stream->views.count; i++) {
        const TrnStreamViewSlot *view = &stream->views.items[i];
        stats->anchors += view->is_anchor;
        stats->dissolving += view->is_used && !view->is_anchor;
        stats->shrunk_views += view->is_anchor && view->is_shrunk;
    }
}

TrnStreamStats trn_stream_stats(const TrnStream *stream)
{
    TrnStreamStats stats = stream->stats;
    const TrnChunkIndexStats index = trn_chunk_index_stats(stream->index);
    stats.updates = stream->updates;
    stats.workers = trn_stream_pool_workers(stream->pool);
    stats.workers_failed = stream->workers_failed;
    stream_count_views(stream, &stats);
    stats.wanted = (uint32_t)index.plane_counts[TRN_STREAM_WANTED];
    stats.loaded = (uint32_t)index.plane_counts[TRN_STREAM_LOADED];
    stats.shown = (uint32_t)index.plane_counts[TRN_STREAM_SHOWN];
    stats.unsaved = (uint32_t)index.plane_counts[TRN_STREAM_UNSAVED];
    stats.queued = stream->queued;
    trn_stream_count_queues(stream, &stats);
    stats.under_way = stream->under_way;
    stats.unloading = stream->lists[TRN_STREAM_LIST_UNLOAD_FIRST].count +
                      stream->lists[TRN_STREAM_LIST_UNLOAD_LATER].count;
    stats.failed = stream->lists[TRN_STREAM_LIST_FAILED].count;
    stats.store_bytes = trn_store_bytes(stream->store, NULL);
    stats.mesh_bytes = stream->mesh_bytes;
    stats.stream_bytes = stream->stream_bytes;
    stats.scratch_bytes = stream->scratch_bytes;
    stats.total_bytes = trn_stream_bytes(stream);
    stats.total_bytes_peak =
        stream->bytes_peak > stats.total_bytes ? stream->bytes_peak : stats.total_bytes;
    stats.bytes_max = stream->def.bytes_max;
    for (int stage = 0; stage < TRN_STREAM_STAGE_COUNT; stage++) {
        stats.times[stage] = trn_stream_times_of(&stream->times[stage]);
    }
    return stats;
}

void trn_stream_reset_times(TrnStream *stream)
{
    memset(stream->times, 0, sizeof stream->times);
}
