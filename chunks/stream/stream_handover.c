// Results are handed over from workers to store and game, and the next work is issued.

#include "stream_impl.h"

#include "base/around.h"
#include "store/store_internal.h"

#define HANDOVER_URGENT_MAX 64u // most meshes of edits that the calling thread builds in its time
// meshes of edits built in addition to those newly touched, once edits are late
#define HANDOVER_LATE_MORE 8u
#define HANDOVER_LATE_UPDATES 4u // updates after which meshes of edits are built regardless of time
#define HANDOVER_NO_ARRIVAL UINT32_MAX
#define HANDOVER_AHEAD 2048u   // cells and headers for which memory is allocated ahead
#define HANDOVER_SORT_MIN 256u // queued cells that one update sorts again
#define HANDOVER_SORT_PART 16u // or this part of all, if more

// ---- meshes and saves --------------------------------------------------------------------------

/// Frees the mesh and the light of a piece of work.
static void handover_drop_mesh(TrnStream *stream, TrnStreamWork *work)
{
    if (work->is_counted) {
        trn_stream_drop_mesh(stream, work->mesh);
        trn_stream_drop_light(stream, work->light);
    } else {
        trn_stream_free_mesh(stream, work->mesh);
        trn_stream_packed_destroy(&stream->lights.allocator, work->light);
    }
    work->mesh = (TrnStreamMesh){0};
    work->light = NULL;
}

/// Counts the mesh of a piece of work against the budget, since it takes memory before its upload.
/// If it does not fit, the work fails.
static void handover_count_mesh(void *user, TrnStreamWork *work)
{
    TrnStream *stream = user;
    if (work->is_counted || work->kind != TRN_STREAM_WORK_MESH || work->result != TRN_RESULT_OK) {
        return;
    }
    const size_t light = trn_stream_packed_bytes(work->light);
    work->is_counted = trn_stream_bytes_admit_light(&stream->bytes, light);
    if (work->is_counted && !trn_stream_bytes_admit_mesh(&stream->bytes, work->mesh.bytes)) {
        trn_stream_bytes_drop_light(&stream->bytes, light);
        work->is_counted = false;
    }
    if (!work->is_counted) {
        handover_drop_mesh(stream, work);
        work->result = TRN_RESULT_FULL;
        trn_stream_bytes_note_short(&stream->bytes, TRN_RESULT_FULL);
        stream->figures.result = TRN_RESULT_FULL;
    }
}

static void handover_count_times(TrnStream *stream, const TrnStreamWork *work)
{
    static const TrnStreamStage stages[] = {
        [TRN_STREAM_WORK_GENERATE] = TRN_STREAM_STAGE_GENERATE,
        [TRN_STREAM_WORK_MESH] = TRN_STREAM_STAGE_MESH,
        [TRN_STREAM_WORK_SAVE] = TRN_STREAM_STAGE_SAVE,
    };
    if (work->load_us >= 0) {
        trn_stream_add_time(stream, TRN_STREAM_STAGE_LOAD, (double)work->load_us);
    }
    if (work->hook_us >= 0) {
        trn_stream_add_time(stream, stages[work->kind], (double)work->hook_us);
    }
}

/// Ends a piece of work whose result is applied, or no longer needed.
static void handover_end(TrnStream *stream, TrnStreamWork *work)
{
    handover_count_times(stream, work);
    trn_stream_jobs_end(&stream->jobs, &stream->cells, work);
}

static void handover_fail(TrnStream *stream, TrnStreamCell *cell, TrnStreamStage stage,
                          TrnResult result)
{
    trn_stream_leave_group(stream, cell);
    trn_stream_fail(stream, cell, stage, result);
}

static void handover_apply_mesh(TrnStream *stream, TrnStreamCell *cell, TrnStreamWork *work)
{
    handover_count_mesh(stream, work);
    if (work->result == TRN_RESULT_OK && work->light) {
        work->result = trn_stream_bytes_result(&stream->bytes,
                                               trn_stream_accept_light(stream, cell, work->light));
        work->light = work->result == TRN_RESULT_OK ? NULL : work->light;
    }
    if (work->result == TRN_RESULT_OK) {
        const TrnStreamMade made = {work->mesh, work->made_light, work->stamp, work->is_spared};
        stream->figures.stats.meshed += !work->is_spared;
        trn_stream_accept_mesh(stream, cell, &made);
        return;
    }
    handover_drop_mesh(stream, work);
    if (work->result == TRN_RESULT_NOT_FOUND) { // a neighbour was unloaded
        stream->figures.stats.stale++;
        trn_stream_leave_group(stream, cell);
        trn_stream_request_mesh(stream, cell);
    } else {
        handover_fail(stream, cell, TRN_STREAM_STAGE_MESH, work->result);
    }
}

static void handover_apply_save(TrnStream *stream, TrnStreamCell *cell, const TrnStreamWork *work)
{
    trn_stream_request_mesh(stream, cell); // edits could not queue it meanwhile
    if (work->result != TRN_RESULT_OK) {
        if (cell->is_unloading) {
            handover_fail(stream, cell, TRN_STREAM_STAGE_SAVE, work->result);
        } else {
            trn_stream_note_failure(stream, cell->coord, TRN_STREAM_STAGE_SAVE, work->result);
        }
        return;
    }
    if (trn_stream_jobs_is_current(cell, work)) {
        trn_stream_succeed(cell);
        stream->figures.report.saved++;
        trn_stream_note_saved(stream, cell);
    }
    if (cell->is_unloading) {
        trn_stream_queue_add(&stream->queue, cell, TRN_STREAM_QUEUE_UNLOAD_FIRST);
    }
}

void trn_stream_apply_other(TrnStream *stream, TrnStreamWork *work)
{
    TrnStreamCell *cell = trn_stream_jobs_release(&stream->cells, work);
    if (!cell) {
        handover_drop_mesh(stream, work);
    } else if (work->kind == TRN_STREAM_WORK_MESH) {
        handover_apply_mesh(stream, cell, work);
    } else {
        handover_apply_save(stream, cell, work);
    }
    handover_end(stream, work);
}

void trn_stream_discard_results(TrnStream *stream)
{
    for (int which = 0; which < TRN_STREAM_RESULTS_COUNT; which++) {
        for (TrnStreamWork *work;
             (work = trn_stream_jobs_take(&stream->jobs, (TrnStreamResults)which));) {
            handover_drop_mesh(stream, work);
            trn_stream_jobs_end(&stream->jobs, &stream->cells, work);
        }
    }
}

/// Applies meshes and saves; those of edits regardless of time, since another edit would outdate
/// them.
/// @param must  apply one of the others too, regardless of uploads: continuous edits would starve
///              them
static void handover_apply_others(TrnStream *stream, bool must)
{
    TrnStreamWork *next[TRN_STREAM_BATCH];
    TrnStreamJobs *jobs = &stream->jobs;
    (void)trn_stream_schedule_clock(&stream->schedule);
    for (TrnStreamWork *work; (work = trn_stream_jobs_take(jobs, TRN_STREAM_RESULTS_URGENT));) {
        trn_stream_apply_other(stream, work);
    }
    for (uint32_t i = 0; trn_stream_jobs_waiting(jobs, TRN_STREAM_RESULTS_OTHER); i++) {
        if (i % TRN_STREAM_BATCH == 0) { // uploads read it too: the end of one starts the next
            (void)trn_stream_schedule_clock(&stream->schedule);
            (void)trn_stream_jobs_peek(jobs, &stream->cells, TRN_STREAM_RESULTS_OTHER, next,
                                       TRN_STREAM_BATCH);
        }
        const bool may =
            stream->figures.report.upload_bytes < stream->schedule.upload_bytes_max &&
            (!i || trn_stream_schedule_has_time_at(&stream->schedule,
                                                   trn_stream_schedule_last(&stream->schedule)));
        if (!may && !(must && !i)) {
            return;
        }
        trn_stream_apply_other(stream, trn_stream_jobs_take(jobs, TRN_STREAM_RESULTS_OTHER));
    }
}

// ---- generated chunks --------------------------------------------------------------------------

/// Generated chunks that go into the store together.
typedef struct HandoverBatch {
    TrnStreamWork *works[TRN_STREAM_BATCH]; ///< [count]
    uint32_t count;
    TrnStoreArrival arrivals[TRN_STREAM_BATCH]; ///< [arriving] of the works that succeeded
    TrnStreamCell *cells[TRN_STREAM_BATCH];     ///< [arriving]
    uint32_t arriving;
    uint32_t arrival_of[TRN_STREAM_BATCH]; ///< [count] of each work; HANDOVER_NO_ARRIVAL: none
    size_t inserted;                       ///< how many of the arrivals the store handled
} HandoverBatch;

/// Whether a generated chunk can go into the store: it is still wanted, and did not fail.
static bool handover_can_insert(const TrnStreamWork *work)
{
    return work->cell != TRN_STREAM_WORK_NO_CELL && work->result == TRN_RESULT_OK;
}

/// A chunk of more types than a code holds is not coded; the store encodes it.
static TrnStoreArrival handover_arrival(TrnStreamWork *work)
{
    const TrnBlock *buffer = work->is_uniform ? NULL : work->buffer;
    return (TrnStoreArrival){.coord = work->job.coord,
                             .slot = work->slot.payload ? &work->slot : NULL,
                             .code = work->is_coded ? buffer : NULL,
                             .blocks = work->is_coded ? NULL : buffer,
                             .block = work->block,
                             .data = work->data.list.items,
                             .data_count = work->data.list.count};
}

static void handover_collect_batch(TrnStream *stream, HandoverBatch *batch)
{
    batch->count = trn_stream_jobs_peek(&stream->jobs, &stream->cells, TRN_STREAM_RESULTS_GENERATED,
                                        batch->works, TRN_STREAM_BATCH);
    batch->arriving = 0;
    for (uint32_t i = 0; i < batch->count; i++) {
        TrnStreamWork *work = batch->works[i];
        batch->arrival_of[i] = HANDOVER_NO_ARRIVAL;
        if (!handover_can_insert(work)) {
            continue;
        }
        batch->arrival_of[i] = batch->arriving;
        TrnStreamCell *cell = trn_stream_cells_at(&stream->cells, work->cell);
        batch->arrivals[batch->arriving] = handover_arrival(work);
        batch->cells[batch->arriving++] = cell;
        cell->is_arriving = true;
    }
}

/// Inserts the batch. @return OK, or why the store stopped
static TrnResult handover_insert(TrnStream *stream, HandoverBatch *batch)
{
    batch->inserted = 0;
    stream->arriving = (TrnStreamArriving){.cells = batch->cells, .count = batch->arriving};
    const TrnResult result =
        trn_store_insert_batch(stream->store, batch->arrivals, batch->arriving, &batch->inserted);
    stream->arriving = (TrnStreamArriving){0};
    for (uint32_t i = 0; i < batch->arriving; i++) {
        TrnStreamCell *cell = batch->cells[i];
        cell->is_arriving = false;
        if (i >= batch->inserted && cell->is_loaded) { // a listener was first
            trn_stream_take_over(stream, cell);
        }
    }
    return result;
}

/// Records a chunk that the store has taken.
static void handover_note_inserted(TrnStream *stream, TrnStreamCell *cell,
                                   const TrnStreamWork *work, double now_us)
{
    stream->figures.stats.inserted++;
    stream->figures.report.inserted++;
    stream->figures.stats.restored += work->is_restored;
    stream->figures.stats.generated += !work->is_restored;
    trn_stream_add_time(stream, TRN_STREAM_STAGE_WANTED_TO_LOADED, now_us - cell->wanted_us);
    if (trn_stream_jobs_is_current(cell, work)) { // no pending edits were applied
        cell->air = work->is_uniform && work->block == TRN_BLOCK_AIR ? TRN_STREAM_AIR_YES
                                                                     : TRN_STREAM_AIR_NO;
    }
    cell->is_generated = !work->is_restored && !work->is_uniform;
    if (!cell->is_loaded) { // the store had no memory for the event
        trn_stream_cells_set_loaded(&stream->cells, cell, true);
    }
    if (stream->omits && cell->is_generated && // and no pending edits were applied
        !trn_stream_cells_test(&stream->cells, cell, TRN_STREAM_UNSAVED)) {
        trn_stream_cells_set(&stream->cells, cell, TRN_STREAM_REPEATABLE, true);
    }
    trn_stream_announce_loaded(stream, cell);
}

/// Ends the works of the batch whose chunks the store has handled, or that failed.
/// @return whether these are all; the others wait for memory
static bool handover_settle(TrnStream *stream, const HandoverBatch *batch, double each_us,
                            double now_us)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        TrnStreamWork *work = batch->works[i];
        const uint32_t arrival = batch->arrival_of[i];
        if (arrival != HANDOVER_NO_ARRIVAL && arrival >= batch->inserted) {
            return false;
        }
        (void)trn_stream_jobs_take(&stream->jobs, TRN_STREAM_RESULTS_GENERATED);
        TrnStreamCell *cell = trn_stream_jobs_release(&stream->cells, work);
        if (cell && arrival == HANDOVER_NO_ARRIVAL) {
            trn_stream_fail(stream, cell, work->stage, work->result);
        } else if (cell && !cell->is_loaded && !trn_store_find(stream->store, cell->coord)) {
            // a listener removed it again
            trn_stream_fail(stream, cell, TRN_STREAM_STAGE_INSERT, TRN_RESULT_NOT_FOUND);
        } else if (cell) {
            trn_stream_add_time(stream, TRN_STREAM_STAGE_INSERT, each_us);
            handover_note_inserted(stream, cell, work, now_us);
            if (batch->arrivals[arrival].result == TRN_RESULT_EXISTS) {
                trn_stream_take_over(stream, cell);
            }
        }
        handover_end(stream, work);
    }
    return true;
}

/// Inserts generated chunks as far as time and memory allow: one batch at least.
static void handover_apply_generated(TrnStream *stream)
{
    HandoverBatch batch;
    if (trn_stream_bytes_was_short(&stream->bytes)) {
        trn_stream_jobs_cancelled_first(&stream->jobs);
    }
    double begun_us = trn_stream_schedule_clock(&stream->schedule);
    for (bool is_first = true;
         trn_stream_jobs_waiting(&stream->jobs, TRN_STREAM_RESULTS_GENERATED) &&
         (is_first || trn_stream_schedule_has_time_at(&stream->schedule, begun_us));
         is_first = false) {
        handover_collect_batch(stream, &batch);
        const TrnResult result = handover_insert(stream, &batch);
        const double now_us = trn_stream_schedule_clock(&stream->schedule);
        const double each_us = batch.inserted ? (now_us - begun_us) / (double)batch.inserted : 0;
        begun_us = now_us; // the end of one is the start of the next
        if (!handover_settle(stream, &batch, each_us, now_us)) {
            trn_stream_bytes_note_short(&stream->bytes, result);
            stream->figures.result = result;
            return;
        }
    }
}

// ---- issuing -----------------------------------------------------------------------------------

/// Whether a shown chunk needs this chunk as a neighbour to be meshed again.
static bool handover_is_needed_to_mesh(const TrnStream *stream, TrnCoord coord)
{
    for (uint32_t bits = trn_around_in_world(coord); bits; bits &= bits - 1) {
        const TrnStreamCell *cell = trn_stream_cells_find(
            &stream->cells, trn_coord_around(coord, (uint32_t)__builtin_ctz(bits)));
        if (cell && cell->was_shown &&
            trn_stream_cells_test(&stream->cells, cell, TRN_STREAM_SHOW)) {
            return true;
        }
    }
    return false;
}

/// Reserves what a mesh needs to know of the sky above it; otherwise the cell fails.
static bool handover_reserve_sky(TrnStream *stream, TrnStreamCell *cell)
{
    TrnSky *sky = trn_stream_jobs_sky(&stream->jobs);
    trn_stream_bytes_forget_refusal(&stream->bytes);
    TrnResult result = sky ? trn_sky_reserve(sky, cell->coord) : TRN_RESULT_OK;
    if (result != TRN_RESULT_OK) {
        result = trn_stream_bytes_result(&stream->bytes, result);
        trn_stream_bytes_note_short(&stream->bytes, result);
        handover_fail(stream, cell, TRN_STREAM_STAGE_MESH, result);
    }
    return result == TRN_RESULT_OK;
}

/// Whether a cell taken from the queue still needs work. If not, settles it: air is shown, a mesh
/// that no view shows is requested for later, and a chunk to generate that only hysteresis keeps
/// loses its cell until an anchor wants it.
static bool handover_needs_work(TrnStream *stream, TrnStreamCell *cell)
{
    if (cell->is_loaded) {
        if (!trn_stream_cells_test(&stream->cells, cell, TRN_STREAM_SHOW)) {
            trn_stream_leave_group(stream, cell);
            trn_stream_request_mesh(stream, cell);
            return false;
        }
        if (trn_stream_is_plain_air(stream, cell)) { // after an edit of it or next to it
            trn_stream_accept_mesh(stream, cell, &(TrnStreamMade){.stamp = cell->stamp});
            return false;
        }
        return handover_reserve_sky(stream, cell);
    }
    if (!trn_stream_views_have(&stream->views, cell->coord, TRN_STREAM_SHAPE_LOAD) &&
        !handover_is_needed_to_mesh(stream, cell->coord)) {
        (void)trn_stream_cells_remove(&stream->cells, cell);
        return false;
    }
    return true;
}

/// Starts the next piece of work of the queue. NULL if there is none.
/// @param may_generate  also chunks to generate
/// @param edits_only    only meshes of edits
static TrnStreamWork *handover_start_next(TrnStream *stream, bool may_generate, bool edits_only)
{
    while (trn_stream_jobs_reserve(&stream->jobs)) {
        TrnStreamLane lane = TRN_STREAM_LANE_URGENT;
        TrnStreamCell *cell = edits_only
                                  ? trn_stream_queue_take_edit(&stream->queue)
                                  : trn_stream_queue_take(&stream->queue, may_generate, &lane);
        if (!cell) {
            return NULL;
        }
        if (handover_needs_work(stream, cell)) {
            return trn_stream_start(
                stream, cell, cell->is_loaded ? TRN_STREAM_WORK_MESH : TRN_STREAM_WORK_GENERATE,
                lane == TRN_STREAM_LANE_URGENT);
        }
    }
    return NULL;
}

/// Issues work until `depth` pieces are under way.
static void handover_issue(TrnStream *stream, uint32_t depth)
{
    uint32_t generate = trn_stream_jobs_generate_max(&stream->jobs);
    generate = trn_stream_bytes_is_short(&stream->bytes) ? 0 : generate;
    while (trn_stream_jobs_under_way(&stream->jobs) < depth) {
        TrnStreamWork *work = handover_start_next(stream, generate > 0, false);
        if (!work) {
            break;
        }
        generate -= work->kind == TRN_STREAM_WORK_GENERATE;
        trn_stream_jobs_add(&stream->jobs, work);
    }
    trn_stream_jobs_issue(&stream->jobs);
}

/// Sorts queued cells again after anchors have moved or turned: some each update, nearest first.
static void handover_sort_queue(TrnStream *stream)
{
    const double distance = trn_stream_views_take_unsorted(&stream->views);
    if (distance > 0) {
        trn_stream_queue_request_sort(&stream->queue, distance);
    }
    const uint32_t part = trn_stream_queue_work_count(&stream->queue) / HANDOVER_SORT_PART;
    const uint32_t max = part > HANDOVER_SORT_MIN ? part : HANDOVER_SORT_MIN;
    for (uint32_t sorted = 0;
         sorted < max && (!sorted || trn_stream_schedule_has_time(&stream->schedule));) {
        const uint32_t visited = trn_stream_queue_sort(&stream->queue);
        if (!visited) {
            return;
        }
        sorted += visited;
    }
}

/// Allocates cells and headers ahead, so that a worker takes the page faults of new memory.
static void handover_prepare_memory(TrnStream *stream)
{
    const TrnStreamLoad load = trn_stream_load(stream);
    TrnPoolFresh fresh;
    if (!trn_stream_jobs_workers(&stream->jobs) ||
        !trn_stream_bytes_fit(&stream->bytes, &load, HANDOVER_AHEAD, true)) {
        return;
    }
    if (trn_stream_views_have_work(&stream->views) &&
        trn_stream_cells_prepare(&stream->cells, HANDOVER_AHEAD, &fresh)) {
        trn_stream_jobs_populate(&stream->jobs, fresh);
    }
    if (trn_stream_jobs_generating(&stream->jobs) &&
        trn_store_prepare(stream->store, HANDOVER_AHEAD, &fresh)) {
        trn_stream_jobs_populate(&stream->jobs, fresh);
    }
}

/// Finds the next work and issues it.
/// @param is_first  for the first time in this update
static void handover_issue_next(TrnStream *stream, uint32_t workers, bool is_first)
{
    const double begun_us = trn_stream_schedule_clock(&stream->schedule);
    const uint32_t depth = trn_stream_jobs_depth(&stream->jobs, stream->schedule.apart_us);
    trn_stream_scan(stream);
    handover_sort_queue(stream);
    if (is_first) {
        handover_prepare_memory(stream);
        trn_stream_jobs_stock(&stream->jobs, depth, trn_stream_bytes_was_short(&stream->bytes));
    }
    if (workers || !trn_stream_jobs_under_way(&stream->jobs) ||
        trn_stream_schedule_has_time(&stream->schedule)) {
        handover_issue(stream, depth);
    }
    trn_stream_schedule_note_finish(&stream->schedule,
                                    trn_stream_schedule_clock(&stream->schedule) - begun_us);
}

// ---- meshes of edits ---------------------------------------------------------------------------

/// How many meshes of edits an update must build regardless of time: once edits are late, more than
/// edits have touched since the last update.
static uint32_t handover_edits_due(TrnStream *stream)
{
    const uint64_t age =
        trn_stream_groups_age(&stream->groups, trn_stream_schedule_number(&stream->schedule));
    const bool is_late = age > HANDOVER_LATE_UPDATES;
    const uint32_t due = is_late ? stream->edits_invalidated + HANDOVER_LATE_MORE : 0;
    stream->edits_invalidated = 0;
    return due;
}

/// Builds meshes of edits on the calling thread, so that digging shows in the same frame. A level
/// that omits voxels leaves them to the workers: land is generated for them.
static void handover_mesh_edits(TrnStream *stream)
{
    if (stream->omits && trn_stream_jobs_workers(&stream->jobs)) {
        return;
    }
    const uint32_t due = handover_edits_due(stream);
    const bool is_late = due > 0;
    const uint32_t must = is_late ? due : 1, most = is_late ? due : HANDOVER_URGENT_MAX;
    for (uint32_t i = 0; i < most; i++) {
        if (i >= must && !trn_stream_schedule_has_time(&stream->schedule)) {
            return;
        }
        TrnStreamWork *work = handover_start_next(stream, false, true);
        if (work) {
            trn_stream_jobs_run(&stream->jobs, work);
            (void)trn_stream_schedule_clock(&stream->schedule);
            trn_stream_apply_other(stream, work);
        } else if (!trn_stream_jobs_help(&stream->jobs, true)) { // issued, but not begun
            return;
        }
    }
}

// ---- one update --------------------------------------------------------------------------------

void trn_stream_work_in_time(TrnStream *stream)
{
    TrnStreamJobs *jobs = &stream->jobs;
    const uint32_t workers = trn_stream_jobs_workers(jobs);
    const bool helps = !workers || stream->def.caller_works;
    trn_stream_jobs_begin_update(jobs);
    handover_mesh_edits(stream);
    // Without workers each update does at least one piece, or a small budget would always be used
    // up before any work.
    bool has_more = true, must = !workers, is_first = true;
    while (has_more) {
        trn_stream_jobs_collect(jobs, false, handover_count_mesh, stream);
        const double deadline_us = trn_stream_schedule_leave_finish(&stream->schedule);
        handover_apply_others(stream, is_first);
        handover_apply_generated(stream);
        trn_stream_schedule_restore(&stream->schedule, deadline_us);
        handover_issue_next(stream, workers, is_first);
        has_more = (helps || trn_stream_jobs_are_stalled(jobs)) &&
                   (must || trn_stream_schedule_has_time(&stream->schedule)) &&
                   trn_stream_jobs_help(jobs, false);
        must = is_first = false;
    }
}

/// Runs one wave of exact replay: begun in queue order, run on any thread, applied in the order in
/// which it was begun. @return how many pieces it had
static uint32_t handover_wave(TrnStream *stream, uint32_t units)
{
    TrnStreamJobs *jobs = &stream->jobs;
    const bool is_short = trn_stream_bytes_is_short(&stream->bytes);
    uint32_t left = trn_stream_jobs_wave_begin(jobs, units, !is_short);
    for (; left; left--) {
        const bool may_generate = !is_short && trn_stream_jobs_wave_may_generate(jobs);
        TrnStreamWork *work = handover_start_next(stream, may_generate, false);
        if (!work) {
            break;
        }
        trn_stream_jobs_wave_add(jobs, work);
    }
    const uint32_t count = trn_stream_jobs_wave_run(jobs);
    (void)trn_stream_schedule_clock(&stream->schedule);
    for (TrnStreamWork *work; (work = trn_stream_jobs_take(jobs, TRN_STREAM_RESULTS_OTHER));) {
        trn_stream_apply_other(stream, work);
    }
    handover_apply_generated(stream);
    return count;
}

void trn_stream_work_exactly(TrnStream *stream, uint32_t units)
{
    // What timed updates have begun is finished; what no worker has begun joins the waves.
    trn_stream_jobs_take_back(&stream->jobs);
    trn_stream_jobs_collect(&stream->jobs, true, handover_count_mesh, stream);
    handover_apply_others(stream, true);
    handover_apply_generated(stream);
    const uint32_t due = handover_edits_due(stream);
    units = units > due ? units : due;
    for (uint32_t done = 1; done && units; units -= done) {
        trn_stream_scan(stream);
        handover_sort_queue(stream);
        done = handover_wave(stream, units);
    }
    trn_stream_scan(stream);
}
