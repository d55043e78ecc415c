// The calling thread's half of the work: what it hands over, and what it does with what comes back.

#include "store/store_internal.h"
#include "stream_impl.h"

#include <math.h>

#define WORK_URGENT_MAX 64u // meshes of edits that the calling thread makes in time: of a large box
#define WORK_LATE_MORE 8u   // than edits have touched since, once they wait for long
#define WORK_LATE_UPDATES 4u   // updates after which it makes them whatever the time
#define WORK_DEPTH_MIN 32u     // pieces of work handed over for each worker
#define WORK_DEPTH_MORE 1.5    // and so many times what they get through by the next update
#define WORK_UPDATE_MAX_US 2e4 // between updates, as far as that goes
#define WORK_US_WEIGHT 0.02    // by which each piece of work changes what one is taken to take
#define WORK_CALLER_DEPTH 8u   // where the calling thread is the only one
#define WORK_PER_BUFFER 16u    // chunks handed over to be made for each buffer
#define WORK_FINISH_DECAY 0.9  // a costly update is believed in for some ten more
#define WORK_PREFETCH 16u      // chunks whose memory is asked for before the first is at hand
#define WORK_STOCK_PART 2u     // of queue_bytes: slots for voxels
#define WORK_APPLY_MIN 1u      // results that an update takes whatever the time

// ---- handing over ------------------------------------------------------------------------------

/// Buffers for so many chunks at a time, as far as there is memory. @return how many there are
static uint32_t work_reserve_buffers(TrnStream *stream, uint32_t count)
{
    count = count < stream->buffer_max ? count : stream->buffer_max;
    while (stream->buffer_count < count) {
        TrnBlock *buffer = trn_take(&stream->counted, TRN_STREAM_BUFFER_BYTES, TRN_CACHE_LINE);
        if (!buffer) {
            break; // one there is always
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

/// Whether a chunk that is on the screen cannot get another mesh without this one.
static bool work_is_needed_to_mesh(const TrnStream *stream, TrnCoord coord)
{
    for (uint32_t bits = trn_stream_around_in_world(coord); bits; bits &= bits - 1) {
        const TrnStreamCell *cell =
            trn_stream_find(stream, trn_coord_around(coord, (uint32_t)__builtin_ctz(bits)));
        if (cell && cell->was_shown && trn_stream_plane_test(stream, cell, TRN_STREAM_SHOW)) {
            return true;
        }
    }
    return false;
}

/// Whether a cell that has its turn is still to be worked on. One that is only kept is not made; it
/// is entered anew when an anchor asks for it.
static bool work_is_still_wanted(TrnStream *stream, TrnStreamCell *cell)
{
    if (cell->is_loaded) {
        if (!trn_stream_plane_test(stream, cell, TRN_STREAM_SHOW)) {
            trn_stream_group_remove(stream, cell);
            trn_stream_request_mesh(stream, cell);
            return false;
        }
        if (trn_stream_is_plain_air(stream, cell)) { // since an edit, or beside one
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

/// Takes the next piece of work off the queues. NULL where there is none.
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

/// Hands over work until so many pieces are under way.
static void work_issue(TrnStream *stream, uint32_t depth)
{
    const uint32_t buffers = work_reserve_buffers(stream, stream->generating + WORK_CALLER_DEPTH);
    // Most chunks are uniform and give their buffer back at once.
    const uint32_t making_max = buffers * WORK_PER_BUFFER;
    while (stream->under_way < depth) {
        const bool may_generate =
            !stream->is_full && stream->generating + stream->generated.count < making_max;
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

// ---- taking what is done -----------------------------------------------------------------------

static void work_recycle(TrnStream *stream, TrnStreamWork *work)
{
    stream->under_way--;
    // Last in, first out: what was used just now is in the cache.
    work->next = stream->idle.first;
    stream->idle.first = work;
    stream->idle.last = stream->idle.last ? stream->idle.last : work;
    stream->idle.count++;
}

/// The chunk of a save that nobody waits for may be saved again.
static void work_note_save_ended(const TrnStream *stream, const TrnStreamWork *work)
{
    TrnStreamCell *cell = trn_stream_find(stream, work->job.coord);
    if (cell && cell->save == work) {
        cell->save = NULL;
    }
}

/// Counts the mesh that a piece of work has brought against the budget: also one that waits for its
/// upload is there. Where there is no room for it the work has failed.
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

/// Frees what a piece of work brought that nobody wants.
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

/// @return NOT_FOUND where a listener has taken the chunk out again
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

/// Puts a chunk that was made into the store. @param begun_us  when that began; receives when it
/// ended
/// @return false where there is no room: it waits
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
    if (cell->stamp == stamp) { // no edits had waited for it
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
    if (work->result == TRN_RESULT_NOT_FOUND) { // a neighbour has gone
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
    trn_stream_request_scan(
        stream, trn_box_around(cell->coord, 0, 0, 0)); // it could not be meshed meanwhile
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
        trn_stream_request_mesh(stream, cell); // should it come back
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

/// Has memory brought nearer that the next made chunks will ask for.
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

/// Throws away made chunks that nobody wants, wherever they stand: what they take is room for the
/// first, which waits for it.
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

/// Applies made chunks as far as there is time and room.
static void work_apply_all_generated(TrnStream *stream)
{
    if (stream->was_full) {
        work_discard_unwanted(stream);
    }
    double begun_us = trn_stream_clock(stream); // of each it is also the end of the one before
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

/// Has the cells brought nearer that the next results of a list are of.
static void work_prefetch_cells(const TrnStream *stream, const TrnStreamWork *work)
{
    for (uint32_t i = 0; i < WORK_PREFETCH && work; i++, work = work->next) {
        if (work->cell != TRN_STREAM_WORK_NO_CELL) {
            trn_stream_prefetch_cell(stream, work->cell);
        }
    }
}

/// Whether an update has uploaded as much as it may.
static bool work_is_upload_full(const TrnStream *stream)
{
    return stream->upload_bytes_max && stream->report.upload_bytes >= stream->upload_bytes_max;
}

/// Applies results, those of edits whatever the time: another edit would overtake them. @param must
/// one of the others, too, whatever has been uploaded: edits that never pause would keep them away
/// for ever
static void work_apply_all(TrnStream *stream, bool must)
{
    while (stream->urgent.first) {
        trn_stream_apply_other(stream, trn_stream_work_pop(&stream->urgent));
    }
    for (uint32_t i = 0; stream->other.first; i++) {
        const bool may =
            !work_is_upload_full(stream) && (i < WORK_APPLY_MIN || trn_stream_has_time(stream));
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

/// Has a piece of work brought nearer: the worker's core has its memory.
static void work_prefetch(const TrnStreamWork *work)
{
    for (size_t at = 0; at < sizeof *work; at += TRN_CACHE_LINE) {
        __builtin_prefetch((const unsigned char *)work + at, 1);
    }
}

/// Collects what is done, and sorts it by what it waits for.
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

// ---- an update ---------------------------------------------------------------------------------

/// How many meshes of edits an update makes whatever it costs: where edits wait for long, more than
/// edits have touched since the last one.
static uint32_t work_edits_due(TrnStream *stream)
{
    const bool is_late = trn_stream_group_age(stream) > WORK_LATE_UPDATES;
    const uint32_t due = is_late ? stream->edits_invalidated + WORK_LATE_MORE : 0;
    stream->edits_invalidated = 0;
    return due;
}

/// Makes meshes of edits on the calling thread: what a player digs is seen in the same frame.
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
        } else if (!trn_stream_pool_help(stream->pool, true)) { // workers have not got to it
            return;
        }
    }
}

/// Applies results, and leaves time for what comes after that in the update.
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

/// Looks for what is next, and hands it over.
static void work_hand_over(TrnStream *stream, uint32_t workers, uint32_t depth)
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

/// Sees to slots that workers write voxels into. Where there is no room, none are kept from the
/// chunks that wait for it.
static void work_fill_stock(TrnStream *stream, uint32_t workers)
{
    if (workers) {
        const size_t bytes = stream->was_full ? 0 : stream->def.queue_bytes / WORK_STOCK_PART;
        trn_stream_pool_stock(stream->pool, trn_store_voxel_heap(stream->store), bytes);
    }
}

/// How many pieces of work to hand over: what workers get through by the next update, and some
/// more. What is handed over has its order, so that it is no more than that.
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
    // Where nobody else works, each update does one piece whatever the time: a small budget would
    // be used up before any work otherwise, each time.
    bool goes_on = true, must = !workers, is_first = true;
    while (goes_on) {
        work_collect(stream);
        work_apply_in_time(stream, is_first);
        work_hand_over(stream, workers, depth);
        goes_on = (helps || trn_stream_pool_is_stalled(stream->pool)) &&
                  (must || trn_stream_has_time(stream)) &&
                  trn_stream_pool_help(stream->pool, false);
        must = is_first = false;
    }
}

/// Whether a wave that has so many chunks to make may have another: each keeps its buffer until it
/// is applied.
static bool work_wave_may_generate(const TrnStream *stream, uint32_t generating, uint32_t buffers)
{
    return generating < buffers && !stream->is_full && !stream->generated.count;
}

/// Work that updates by time have begun and nobody has done comes first into a wave. What there is
/// no place for stays where it is.
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

/// Has a wave done, on any thread, and waits for it.
static void work_wave_run(TrnStream *stream, TrnStreamWorkList *wave)
{
    while (wave->count || stream->free_count) {
        (void)trn_stream_pool_issue(stream->pool, wave, stream->free_buffers, &stream->free_count,
                                    true);
    }
    trn_stream_pool_join(stream->pool, true);
    (void)trn_stream_pool_collect(stream->pool, stream->done, true); // `wave` has them in order
}

/// One wave of exact replay: begun in the order of the queues, done on any thread, applied in the
/// order in which they were begun.
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

/// Ends what updates by time have begun; what nobody has begun yet becomes a part of waves.
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
    // Slots would make it depend on who takes which how much memory there is.
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
