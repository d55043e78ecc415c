// Work on the calling thread: issues pieces of work, and applies their results.

#include "store/store_internal.h"
#include "stream_impl.h"

#include <math.h>

#define WORK_URGENT_MAX 64u // most meshes of edits that the calling thread builds within its time
// meshes of edits built in addition to those newly touched, once edits are late
#define WORK_LATE_MORE 8u
#define WORK_LATE_UPDATES 4u   // updates after which meshes of edits are built regardless of time
#define WORK_DEPTH_MIN 32u     // pieces of work issued for each worker
#define WORK_DEPTH_MORE 1.5    // times the work that the workers finish by the next update
#define WORK_UPDATE_MAX_US 2e4 // longest time between updates that the depth allows for
#define WORK_US_WEIGHT 0.02    // weight of one piece of work in the average time
#define WORK_CALLER_DEPTH 8u   // without workers
#define WORK_PER_BUFFER 16u    // chunks to generate issued for each buffer
#define WORK_FINISH_DECAY 0.9  // the estimate remembers a costly update for about ten more
#define WORK_PREFETCH 16u      // results to prefetch at a time
#define WORK_STOCK_PART 2u     // part of queue_bytes for slots in stock
#define WORK_APPLY_MIN 1u      // results that an update applies regardless of time

// ---- issuing -----------------------------------------------------------------------------------

/// Allocates buffers until there are `count`, as far as memory allows. @return how many there are
static uint32_t work_reserve_buffers(TrnStream *stream, uint32_t count)
{
    count = count < stream->buffer_max ? count : stream->buffer_max;
    while (stream->buffer_count < count) {
        TrnBlock *buffer = trn_take(&stream->counted, TRN_STREAM_BUFFER_BYTES, TRN_CACHE_LINE);
        if (!buffer) {
            break; // one exists always
        }
        stream->buffers[stream->buffer_count++] = buffer;
        stream->free_buffers[stream->free_count++] = buffer;
    }
    stream->is_refused = false;
    return stream->buffer_count;
}

static void work_release_voxels(TrnStream *stream, TrnStreamWork *work)
{
    trn_voxel_slot_give(trn_store_voxel_heap(stream->store), &work->slot);
    if (work->buffer) {
        stream->free_buffers[stream->free_count++] = work->buffer;
        work->buffer = NULL;
    }
}

TrnStreamWork *trn_stream_begin_work(TrnStream *stream, TrnStreamCell *cell, TrnStreamWorkKind kind,
                                     TrnStreamLane lane)
{
    TrnStreamWork *work = trn_stream_work_pop(&stream->idle);
    TRN_ASSERT(work);
    work->job = (TrnStreamJob){.coord = cell->coord};
    atomic_store_explicit(&work->is_cancelled, false, memory_order_relaxed);
    work->cell = cell->slot;
    work->stamp = cell->stamp;
    work->kind = kind;
    work->lane = lane;
    work->buffer = NULL;
    work->slot = (TrnVoxelSlot){0};
    work->is_uniform = work->is_coded = work->is_restored = work->is_skipped = false;
    work->is_counted = false;
    work->mesh = (TrnStreamMesh){0};
    work->result = TRN_RESULT_OK;
    work->load_us = work->hook_us = -1;
    cell->work = work;
    cell->save = kind == TRN_STREAM_WORK_SAVE ? work : cell->save;
    stream->under_way++;
    stream->generating += kind == TRN_STREAM_WORK_GENERATE;
    static const TrnStreamState states[] = {TRN_STREAM_STATE_GENERATING, TRN_STREAM_STATE_MESHING,
                                            TRN_STREAM_STATE_SAVING};
    trn_stream_set_state(stream, cell, states[kind]);
    return work;
}

/// Whether a shown chunk needs this chunk as a neighbour to be meshed again.
static bool work_is_needed_to_mesh(const TrnStream *stream, TrnCoord coord)
{
    for (uint32_t bits = trn_around_in_world(coord); bits; bits &= bits - 1) {
        const TrnStreamCell *cell =
            trn_stream_find(stream, trn_coord_around(coord, (uint32_t)__builtin_ctz(bits)));
        if (cell && cell->was_shown && trn_stream_plane_test(stream, cell, TRN_STREAM_SHOW)) {
            return true;
        }
    }
    return false;
}

/// Whether a dequeued cell still needs work. Chunks kept only by hysteresis are not generated; they
/// are queued again when an anchor wants them.
static bool work_is_still_wanted(TrnStream *stream, TrnStreamCell *cell)
{
    if (cell->is_loaded) {
        if (!trn_stream_plane_test(stream, cell, TRN_STREAM_SHOW)) {
            trn_stream_group_remove(stream, cell);
            trn_stream_request_mesh(stream, cell);
            return false;
        }
        if (trn_stream_is_plain_air(stream, cell)) { // after an edit of it or next to it
            trn_stream_accept_mesh(stream, cell, (TrnStreamMesh){0});
            return false;
        }
        return true;
    }
    if (!trn_stream_is_wanted(stream, cell->coord) &&
        !work_is_needed_to_mesh(stream, cell->coord)) {
        trn_stream_set_state(stream, cell, TRN_STREAM_STATE_UNKNOWN);
        (void)trn_stream_remove_cell(stream, cell);
        return false;
    }
    return true;
}

/// Starts the next piece of work of the queues. NULL if there is none.
static TrnStreamWork *work_next(TrnStream *stream, bool may_generate, TrnStreamLane lane_max)
{
    while (stream->idle.first) {
        if (lane_max == TRN_STREAM_LANE_URGENT &&
            !stream->filled[TRN_STREAM_QUEUE_MESH][TRN_STREAM_LANE_URGENT]) {
            return NULL;
        }
        TrnStreamCell *cell = trn_stream_dequeue(stream, may_generate);
        if (!cell) {
            return NULL;
        }
        if (work_is_still_wanted(stream, cell)) {
            TrnStreamLane lane = TRN_STREAM_LANE_URGENT;
            if (!cell->group) {
                (void)trn_stream_priority(stream, cell->coord, &lane);
            }
            return trn_stream_begin_work(
                stream, cell, cell->is_loaded ? TRN_STREAM_WORK_MESH : TRN_STREAM_WORK_GENERATE,
                lane);
        }
    }
    return NULL;
}

/// Issues work until `depth` pieces are under way.
static void work_issue(TrnStream *stream, uint32_t depth)
{
    const uint32_t buffers = work_reserve_buffers(stream, stream->generating + WORK_CALLER_DEPTH);
    // Most chunks are uniform and release their buffer at once.
    const uint32_t generating_max = buffers * WORK_PER_BUFFER;
    while (stream->under_way < depth) {
        const bool may_generate =
            !stream->is_full && stream->generating + stream->generated.count < generating_max;
        TrnStreamWork *work = work_next(stream, may_generate, TRN_STREAM_LANE_REST);
        if (!work) {
            break;
        }
        trn_stream_work_push(&stream->issued, work);
    }
    (void)work_reserve_buffers(stream, stream->generating);
    (void)trn_stream_pool_issue(stream->pool, &stream->issued, stream->free_buffers,
                                &stream->free_count, stream->is_exact);
}

// ---- applying results --------------------------------------------------------------------------

static void work_recycle(TrnStream *stream, TrnStreamWork *work)
{
    stream->under_way--;
    // Last in, first out: the last one used is in the cache.
    work->next = stream->idle.first;
    stream->idle.first = work;
    stream->idle.last = stream->idle.last ? stream->idle.last : work;
    stream->idle.count++;
}

/// Allows another save of a chunk whose cancelled save has ended.
static void work_note_save_ended(const TrnStream *stream, const TrnStreamWork *work)
{
    TrnStreamCell *cell = trn_stream_find(stream, work->job.coord);
    if (cell && cell->save == work) {
        cell->save = NULL;
    }
}

/// Counts the mesh of a piece of work against the budget, since it takes memory before its upload.
/// If it does not fit, the work fails.
static void work_count_mesh(TrnStream *stream, TrnStreamWork *work)
{
    if (work->is_counted || work->kind != TRN_STREAM_WORK_MESH || work->result != TRN_RESULT_OK) {
        return;
    }
    work->is_counted = trn_stream_admit_mesh(stream, work->mesh.bytes);
    if (!work->is_counted) {
        trn_stream_free_mesh(stream, work->mesh);
        work->mesh = (TrnStreamMesh){0};
        work->result = TRN_RESULT_FULL;
        trn_stream_note_full(stream, TRN_RESULT_FULL);
    }
}

static void work_drop_mesh(TrnStream *stream, TrnStreamWork *work)
{
    if (work->is_counted) {
        trn_stream_drop_mesh(stream, work->mesh);
    } else {
        trn_stream_free_mesh(stream, work->mesh);
    }
}

/// Frees the result of a piece of work that is no longer needed.
static void work_discard(TrnStream *stream, TrnStreamWork *work)
{
    if (work->kind == TRN_STREAM_WORK_SAVE) {
        work_note_save_ended(stream, work);
    }
    work_release_voxels(stream, work);
    work_drop_mesh(stream, work);
    if (work->is_skipped) {
        stream->stats.cancelled_before++;
    } else {
        stream->stats.cancelled_during++;
    }
    work_recycle(stream, work);
}

void trn_stream_discard_all(TrnStream *stream, TrnStreamWorkList *list)
{
    for (TrnStreamWork *work; (work = trn_stream_work_pop(list));) {
        work_discard(stream, work);
    }
}

static void work_count_times(TrnStream *stream, const TrnStreamWork *work)
{
    static const TrnStreamStage stages[] = {TRN_STREAM_STAGE_GENERATE, TRN_STREAM_STAGE_MESH,
                                            TRN_STREAM_STAGE_SAVE};
    if (work->load_us >= 0) {
        trn_stream_times_add(&stream->times[TRN_STREAM_STAGE_LOAD], work->load_us);
    }
    if (work->hook_us >= 0) {
        trn_stream_times_add(&stream->times[stages[work->kind]], work->hook_us);
    }
    const double us = fmax(work->load_us, 0) + fmax(work->hook_us, 0);
    stream->work_us += (us - stream->work_us) * WORK_US_WEIGHT;
}

void trn_stream_note_loaded(TrnStream *stream, TrnStreamCell *cell)
{
    cell->is_loaded = true;
    stream->loaded_count++;
    cell->tries = 0;
    cell->failure = TRN_RESULT_OK;
    trn_stream_plane_set(stream, cell, TRN_STREAM_LOADED, true);
    trn_stream_request_mesh(stream, cell);
    trn_stream_notify(stream, TRN_STREAM_EVENT_LOADED, cell->coord);
}

/// @return NOT_FOUND if a listener removed the chunk again
static TrnResult work_insert(TrnStream *stream, TrnStreamWork *work)
{
    TrnStore *store = stream->store;
    const TrnCoord coord = work->job.coord;
    TrnChunk *chunk = NULL;
    TrnResult result;
    stream->inserting = coord;
    stream->is_inserting = true;
    if (work->is_uniform) {
        result = trn_store_insert_uniform(store, coord, work->block, &chunk);
    } else if (work->slot.payload) {
        result = trn_store_insert_slot(store, coord, &work->slot, &chunk);
    } else if (work->is_coded) {
        result = trn_store_insert_code(store, coord, work->buffer, &chunk);
    } else {
        result = trn_store_insert_voxels(store, coord, work->buffer, &chunk);
    }
    stream->is_inserting = false;
    if (result == TRN_RESULT_OK && !chunk) {
        return TRN_RESULT_NOT_FOUND;
    }
    return result == TRN_RESULT_EXISTS ? TRN_RESULT_OK : result;
}

/// Inserts a generated chunk into the store.
/// @param begun_us  the start time; receives the end time
/// @return false if memory is short: the chunk waits
static bool work_apply_generated(TrnStream *stream, TrnStreamWork *work, double *begun_us)
{
    TrnStreamCell *cell = trn_stream_cell(stream, work->cell);
    if (work->result != TRN_RESULT_OK) {
        cell->work = NULL;
        trn_stream_fail(stream, cell, work->stage, work->result);
        return true;
    }
    const uint32_t stamp = cell->stamp;
    const TrnResult result = work_insert(stream, work);
    const double now_us = trn_stream_clock(stream);
    trn_stream_times_add(&stream->times[TRN_STREAM_STAGE_INSERT], now_us - *begun_us);
    *begun_us = now_us;
    if (result == TRN_RESULT_NOT_FOUND) {
        cell->work = NULL;
        trn_stream_fail(stream, cell, TRN_STREAM_STAGE_INSERT, result);
        return true;
    }
    if (result != TRN_RESULT_OK) {
        trn_stream_note_full(stream, result);
        return false;
    }
    cell->work = NULL;
    stream->stats.inserted++;
    stream->report.inserted++;
    stream->stats.restored += work->is_restored;
    stream->stats.generated += !work->is_restored;
    trn_stream_times_add(&stream->times[TRN_STREAM_STAGE_WANTED_TO_LOADED],
                         now_us - cell->wanted_us);
    if (cell->stamp == stamp) { // no pending edits were applied
        const bool is_air = work->is_uniform && work->block == TRN_BLOCK_AIR;
        cell->air = is_air ? TRN_STREAM_AIR_YES : TRN_STREAM_AIR_NO;
    }
    trn_stream_note_loaded(stream, cell);
    return true;
}

static void work_apply_mesh(TrnStream *stream, TrnStreamWork *work)
{
    TrnStreamCell *cell = trn_stream_cell(stream, work->cell);
    cell->work = NULL;
    work_count_mesh(stream, work);
    if (work->result == TRN_RESULT_OK) {
        trn_stream_accept_mesh(stream, cell, work->mesh);
        return;
    }
    work_drop_mesh(stream, work);
    if (work->result == TRN_RESULT_NOT_FOUND) { // a neighbour was unloaded
        stream->stats.stale++;
        trn_stream_group_remove(stream, cell);
        trn_stream_request_mesh(stream, cell);
    } else {
        trn_stream_fail(stream, cell, TRN_STREAM_STAGE_MESH, work->result);
    }
}

static void work_note_saved(TrnStream *stream, TrnStreamCell *cell)
{
    trn_stream_plane_set(stream, cell, TRN_STREAM_UNSAVED, false);
    cell->tries = 0;
    cell->failure = TRN_RESULT_OK;
    stream->stats.saved++;
    stream->report.saved++;
    trn_stream_notify(stream, TRN_STREAM_EVENT_SAVED, cell->coord);
}

static void work_apply_save(TrnStream *stream, TrnStreamWork *work)
{
    TrnStreamCell *cell = trn_stream_cell(stream, work->cell);
    cell->work = cell->save = NULL;
    // it could not be meshed meanwhile
    trn_stream_request_scan(stream, trn_box_around(cell->coord, 0, 0, 0));
    if (work->result != TRN_RESULT_OK) {
        if (cell->is_unloading) {
            trn_stream_fail(stream, cell, TRN_STREAM_STAGE_SAVE, work->result);
        } else {
            trn_stream_note_failure(stream, cell->coord, TRN_STREAM_STAGE_SAVE, work->result);
        }
        return;
    }
    if (cell->stamp == work->stamp) {
        work_note_saved(stream, cell);
    }
    if (cell->is_unloading) {
        trn_stream_request_mesh(stream, cell); // in case it becomes wanted again
        trn_stream_list_append(stream, cell, TRN_STREAM_LIST_UNLOAD_FIRST);
    }
}

void trn_stream_apply_other(TrnStream *stream, TrnStreamWork *work)
{
    work_count_times(stream, work);
    if (work->cell == TRN_STREAM_WORK_NO_CELL) {
        work_discard(stream, work);
        return;
    }
    if (work->kind == TRN_STREAM_WORK_MESH) {
        work_apply_mesh(stream, work);
    } else {
        work_apply_save(stream, work);
    }
    work_recycle(stream, work);
}

/// Prefetches the memory that inserting the next generated chunks touches.
static void work_prefetch_generated(const TrnStream *stream)
{
    const TrnStreamWork *work = stream->generated.first;
    for (uint32_t i = 0; i < WORK_PREFETCH && work; i++, work = work->next) {
        if (work->cell != TRN_STREAM_WORK_NO_CELL) {
            trn_stream_prefetch_cell(stream, work->cell);
            __builtin_prefetch(work->slot.payload);
        }
    }
}

/// Discards generated chunks that are no longer wanted, wherever they are in the list: their memory
/// is what the first one waits for.
static void work_discard_unwanted(TrnStream *stream)
{
    TrnStreamWorkList wanted = {0};
    for (TrnStreamWork *work; (work = trn_stream_work_pop(&stream->generated));) {
        if (work->cell == TRN_STREAM_WORK_NO_CELL) {
            work_discard(stream, work);
        } else {
            trn_stream_work_push(&wanted, work);
        }
    }
    stream->generated = wanted;
}

/// Inserts generated chunks as far as time and memory allow.
static void work_apply_all_generated(TrnStream *stream)
{
    if (stream->was_full) {
        work_discard_unwanted(stream);
    }
    double begun_us = trn_stream_clock(stream); // the end of one is the start of the next
    for (uint32_t i = 0; stream->generated.first; i++) {
        TrnStreamWork *work = stream->generated.first;
        if (i >= WORK_APPLY_MIN && !trn_stream_has_time_at(stream, begun_us)) {
            return;
        }
        if (i % WORK_PREFETCH == 0) {
            work_prefetch_generated(stream);
        }
        if (work->cell == TRN_STREAM_WORK_NO_CELL) {
            work_discard(stream, trn_stream_work_pop(&stream->generated));
            continue;
        }
        if (!work_apply_generated(stream, work, &begun_us)) {
            return;
        }
        work_count_times(stream, work);
        work_release_voxels(stream, work);
        work_recycle(stream, trn_stream_work_pop(&stream->generated));
    }
}

/// Prefetches the cells of the next results in a list.
static void work_prefetch_cells(const TrnStream *stream, const TrnStreamWork *work)
{
    for (uint32_t i = 0; i < WORK_PREFETCH && work; i++, work = work->next) {
        if (work->cell != TRN_STREAM_WORK_NO_CELL) {
            trn_stream_prefetch_cell(stream, work->cell);
        }
    }
}

/// Applies results; those of edits regardless of time, since another edit would outdate them.
/// @param must  apply one of the others too, regardless of uploads: continuous edits would starve
///              them
static void work_apply_all(TrnStream *stream, bool must)
{
    while (stream->urgent.first) {
        trn_stream_apply_other(stream, trn_stream_work_pop(&stream->urgent));
    }
    const size_t upload_max = stream->upload_bytes_max ? stream->upload_bytes_max : SIZE_MAX;
    for (uint32_t i = 0; stream->other.first; i++) {
        const bool may = stream->report.upload_bytes < upload_max &&
                         (i < WORK_APPLY_MIN || trn_stream_has_time(stream));
        if (!may && !(must && i < WORK_APPLY_MIN)) {
            break;
        }
        if (i % WORK_PREFETCH == 0) {
            work_prefetch_cells(stream, stream->other.first);
        }
        trn_stream_apply_other(stream, trn_stream_work_pop(&stream->other));
    }
    work_apply_all_generated(stream);
}

/// Prefetches a piece of work, which is in the worker core's cache.
static void work_prefetch(const TrnStreamWork *work)
{
    for (size_t at = 0; at < sizeof *work; at += TRN_CACHE_LINE) {
        __builtin_prefetch((const unsigned char *)work + at, 1);
    }
}

/// Collects finished work and sorts it into the lists of results.
static void work_collect(TrnStream *stream)
{
    const uint32_t count = trn_stream_pool_collect(stream->pool, stream->done, stream->is_exact);
    stream->collected_last += count;
    for (uint32_t i = 0; i < count && i < WORK_PREFETCH; i++) {
        work_prefetch(stream->done[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        TrnStreamWork *work = stream->done[i];
        if (i + WORK_PREFETCH < count) {
            work_prefetch(stream->done[i + WORK_PREFETCH]);
        }
        const bool generates = work->kind == TRN_STREAM_WORK_GENERATE;
        const bool is_urgent = !generates && work->lane == TRN_STREAM_LANE_URGENT;
        stream->generating -= generates;
        if (work->cell != TRN_STREAM_WORK_NO_CELL) {
            work_count_mesh(stream, work);
        }
        trn_stream_work_push(generates   ? &stream->generated
                             : is_urgent ? &stream->urgent
                                         : &stream->other,
                             work);
    }
}

// ---- one update --------------------------------------------------------------------------------

/// How many meshes of edits an update must build regardless of time: once edits are late, more than
/// edits have touched since the last update.
static uint32_t work_edits_due(TrnStream *stream)
{
    const bool is_late = trn_stream_group_age(stream) > WORK_LATE_UPDATES;
    const uint32_t due = is_late ? stream->edits_invalidated + WORK_LATE_MORE : 0;
    stream->edits_invalidated = 0;
    return due;
}

/// Builds meshes of edits on the calling thread, so that digging shows in the same frame.
static void work_mesh_edits(TrnStream *stream)
{
    const uint32_t due = work_edits_due(stream);
    const bool is_late = due > 0;
    const uint32_t must = is_late ? due : 1, most = is_late ? due : WORK_URGENT_MAX;
    for (uint32_t i = 0; i < most; i++) {
        if (i >= must && !trn_stream_has_time(stream)) {
            return;
        }
        TrnStreamWork *work = work_next(stream, false, TRN_STREAM_LANE_URGENT);
        if (work) {
            trn_stream_run(stream, work, 0);
            trn_stream_apply_other(stream, work);
            // issued, but no worker has begun it
        } else if (!trn_stream_pool_help(stream->pool, true)) {
            return;
        }
    }
}

/// Applies results, and reserves time for the rest of the update.
static void work_apply_in_time(TrnStream *stream, bool must)
{
    const double deadline_us = stream->deadline_us;
    if (deadline_us > 0) {
        const double most_us = (deadline_us - stream->now_us) / 4;
        stream->deadline_us -= stream->finish_us < most_us ? stream->finish_us : most_us;
    }
    work_apply_all(stream, must);
    stream->deadline_us = deadline_us;
}

/// Finds the next work and issues it.
static void work_issue_next(TrnStream *stream, uint32_t workers, uint32_t depth)
{
    const double begun_us = trn_stream_clock(stream);
    trn_stream_scan(stream);
    trn_stream_rebucket(stream);
    if (workers || !stream->under_way || trn_stream_has_time(stream)) {
        work_issue(stream, depth);
    }
    const double us = trn_stream_clock(stream) - begun_us,
                 faded_us = stream->finish_us * WORK_FINISH_DECAY;
    stream->finish_us = us > faded_us ? us : faded_us;
}

/// Fills the stock of slots for workers. If memory is short, keeps none, so that waiting chunks get
/// it.
static void work_fill_stock(TrnStream *stream, uint32_t workers)
{
    if (workers) {
        const size_t bytes = stream->was_full ? 0 : stream->def.queue_bytes / WORK_STOCK_PART;
        trn_stream_pool_stock(stream->pool, trn_store_voxel_heap(stream->store), bytes);
    }
}

/// How many pieces of work to keep issued: what workers finish by the next update, and some more.
/// Not beyond that, since the order of issued work is fixed.
static uint32_t work_depth(TrnStream *stream, uint32_t workers)
{
    const double us = stream->now_us - stream->last_us;
    stream->last_us = stream->now_us;
    const double apart_us = us > 0 && us < WORK_UPDATE_MAX_US ? us : WORK_UPDATE_MAX_US;
    const double pieces = stream->work_us > 0 ? apart_us / stream->work_us * workers : 0;
    double depth = stream->collected_last;
    depth = (pieces > depth ? pieces : depth) * WORK_DEPTH_MORE;
    depth += workers * WORK_DEPTH_MIN + WORK_CALLER_DEPTH;
    return depth < TRN_STREAM_WORK_MAX ? (uint32_t)depth : TRN_STREAM_WORK_MAX;
}

void trn_stream_work_in_time(TrnStream *stream)
{
    const uint32_t workers = trn_stream_pool_workers(stream->pool);
    const bool helps = !workers || stream->def.caller_works;
    const uint32_t depth = work_depth(stream, workers);
    stream->collected_last = 0;
    work_mesh_edits(stream);
    work_fill_stock(stream, workers);
    // Without workers each update does at least one piece, or a small budget would always be used
    // up before any work.
    bool has_more = true, must = !workers, is_first = true;
    while (has_more) {
        work_collect(stream);
        work_apply_in_time(stream, is_first);
        work_issue_next(stream, workers, depth);
        has_more = (helps || trn_stream_pool_is_stalled(stream->pool)) &&
                   (must || trn_stream_has_time(stream)) &&
                   trn_stream_pool_help(stream->pool, false);
        must = is_first = false;
    }
}

/// Whether a wave may generate another chunk: each keeps its buffer until it is applied.
static bool work_wave_may_generate(const TrnStream *stream, uint32_t generating, uint32_t buffers)
{
    return generating < buffers && !stream->is_full && !stream->generated.count;
}

/// Starts a wave with work that timed updates issued and no worker has begun. What does not fit in
/// stays issued.
static uint32_t work_wave_resume(TrnStream *stream, uint32_t units, uint32_t buffers,
                                 TrnStreamWorkList *wave, uint32_t *generating)
{
    TrnStreamWorkList kept = {0};
    for (TrnStreamWork *work; (work = trn_stream_work_pop(&stream->issued));) {
        const bool generates = work->kind == TRN_STREAM_WORK_GENERATE;
        if (wave->count < units &&
            (!generates || work_wave_may_generate(stream, *generating, buffers))) {
            *generating += generates;
            stream->wave[wave->count] = work;
            trn_stream_work_push(wave, work);
        } else {
            trn_stream_work_push(&kept, work);
        }
    }
    stream->issued = kept;
    return wave->count;
}

/// Runs a wave on all threads and waits for it.
static void work_wave_run(TrnStream *stream, TrnStreamWorkList *wave)
{
    while (wave->count || stream->free_count) {
        (void)trn_stream_pool_issue(stream->pool, wave, stream->free_buffers, &stream->free_count,
                                    true);
    }
    trn_stream_pool_join(stream->pool, true);
    (void)trn_stream_pool_collect(stream->pool, stream->done, true); // `wave` has them in order
}

/// Runs one wave of exact replay: begun in queue order, run on any thread, applied in the order in
/// which it was begun.
static uint32_t work_wave(TrnStream *stream, uint32_t units)
{
    units = units < TRN_STREAM_WORK_MAX ? units : TRN_STREAM_WORK_MAX;
    const uint32_t buffers = work_reserve_buffers(stream, units);
    TrnStreamWorkList wave = {0};
    uint32_t generating = 0, count = work_wave_resume(stream, units, buffers, &wave, &generating);
    while (count < units) {
        const bool may_generate = work_wave_may_generate(stream, generating, buffers);
        TrnStreamWork *work = work_next(stream, may_generate, TRN_STREAM_LANE_REST);
        if (!work) {
            break;
        }
        generating += work->kind == TRN_STREAM_WORK_GENERATE;
        stream->wave[count++] = work;
        trn_stream_work_push(&wave, work);
    }
    work_wave_run(stream, &wave);
    stream->generating -= generating;
    for (uint32_t i = 0; i < count; i++) {
        TrnStreamWork *work = stream->wave[i];
        work->next = NULL;
        if (work->kind == TRN_STREAM_WORK_GENERATE) {
            trn_stream_work_push(&stream->generated, work);
        } else {
            trn_stream_apply_other(stream, work);
        }
    }
    work_apply_all_generated(stream);
    return count;
}

/// Finishes what timed updates have begun. What no worker has begun joins the waves.
static void work_finish_timed(TrnStream *stream)
{
    TrnStreamWorkList left = {0};
    trn_stream_pool_take_back(stream->pool, &left);
    for (TrnStreamWork *work; (work = trn_stream_work_pop(&stream->issued));) {
        trn_stream_work_push(&left, work);
    }
    stream->issued = left;
    trn_stream_pool_join(stream->pool, true);
    work_collect(stream);
    work_apply_all(stream, true);
}

void trn_stream_work_exactly(TrnStream *stream, uint32_t units)
{
    work_finish_timed(stream);
    // With slots, free memory would depend on which worker takes which.
    trn_stream_pool_clear_stock(stream->pool, trn_store_voxel_heap(stream->store));
    const uint32_t due = work_edits_due(stream);
    units = units > due ? units : due;
    for (uint32_t done = 1; done && units; units -= done) {
        trn_stream_scan(stream);
        trn_stream_rebucket(stream);
        done = work_wave(stream, units);
    }
    trn_stream_scan(stream);
}
