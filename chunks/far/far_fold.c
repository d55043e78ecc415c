// Edits of a level, folded into the next coarser ones.

#include "far_impl.h"

#include <terrane/batch.h>

#include <stdalign.h>
#include <string.h>

#include "edits/edits_internal.h"
#include "store/store_internal.h"
#include "voxels/voxels_internal.h"

#define FOLDS_LOOKED_AT 64u   // chunks of the queue that an update looks at
#define FOLD_DELAY_MS 200u    // so that digging does not fold a chunk for each voxel
#define FOLD_RETRY_MS 250u    // until a chunk that could not be folded is tried again
#define FOLD_TRIES_MAX 64u    // times that room is made for the edits of one chunk
#define FOLD_LATE_US 100000.0 // the calling thread does what no worker has begun for so long

/// What is known of a chunk that is due: the value of its map entry.
typedef struct FoldNote {
    /// The update before it was first edited since it was folded, or when that failed; wraps.
    uint32_t since_ms;
    bool is_under_way; ///< a job folds it
    bool is_again;     ///< it was edited after that job began
} FoldNote;

// ---- what is due -------------------------------------------------------------------------------

void trn_far_folds_init(TrnFarFolds *folds, uint64_t hash_key)
{
    for (uint32_t level = 0; level < TRN_FAR_LEVEL_MAX; level++) {
        folds->due[level].key = hash_key;
    }
}

/// Frees the jobs, none of which is under way, and the queues.
static void folds_free_memory(TrnFar *far_view)
{
    trn_array_free(&far_view->folds.fresh.all, &far_view->allocator);
    trn_array_free(&far_view->folds.failed.all, &far_view->allocator);
    trn_far_jobs_free(far_view);
}

void trn_far_folds_destroy(TrnFar *far_view)
{
    TrnFarFolds *folds = &far_view->folds;
    for (uint32_t level = 0; level < TRN_FAR_LEVEL_MAX; level++) {
        trn_coord_map_free(&folds->due[level], &far_view->allocator);
    }
    folds_free_memory(far_view);
}

size_t trn_far_folds_bytes(const TrnFar *far_view)
{
    const TrnFarFolds *folds = &far_view->folds;
    size_t bytes = trn_array_bytes(&folds->fresh.all) + trn_array_bytes(&folds->failed.all);
    for (uint32_t level = 0; level < TRN_FAR_LEVEL_MAX; level++) {
        bytes += trn_coord_map_bytes(&folds->due[level]);
    }
    for (uint32_t i = 0; i < TRN_FAR_JOBS; i++) {
        const TrnFarJob *job = folds->jobs[i];
        bytes += job ? sizeof *job + trn_array_bytes(&job->pending) : 0;
    }
    return bytes;
}

uint32_t trn_far_folds_due(const TrnFar *far_view)
{
    uint32_t due = 0;
    for (uint32_t level = 0; level < TRN_FAR_LEVEL_MAX; level++) {
        due += far_view->folds.due[level].count;
    }
    return due;
}

static FoldNote fold_note(const TrnCoordEntry *entry)
{
    FoldNote note;
    _Static_assert(sizeof note <= sizeof entry->number, "a note is the value of an entry");
    memcpy(&note, &entry->number, sizeof note);
    return note;
}

static void fold_set_note(TrnCoordEntry *entry, FoldNote note)
{
    memcpy(&entry->number, &note, sizeof note);
}

static uint32_t fold_ms(double us)
{
    return us > 0 ? (uint32_t)(uint64_t)(us * 1e-3) : 0;
}

/// Makes room for one more chunk, and for all that are under way. Errors: NO_MEMORY.
static TrnResult folds_reserve(TrnFar *far_view)
{
    TrnFarDueArray *fresh = &far_view->folds.fresh.all, *failed = &far_view->folds.failed.all;
    const TrnResult result =
        trn_array_reserve(fresh, &far_view->allocator, (size_t)fresh->count + 1 + TRN_FAR_JOBS);
    return result == TRN_RESULT_OK ? trn_array_reserve(failed, &far_view->allocator,
                                                       (size_t)failed->count + TRN_FAR_JOBS)
                                   : result;
}

/// Makes a chunk due. Errors: NO_MEMORY.
static TrnResult fold_add(TrnFar *far_view, uint32_t level, TrnCoord coord)
{
    TrnFarFolds *folds = &far_view->folds;
    FoldNote note = {.since_ms = fold_ms(far_view->previous_us)};
    TrnCoordEntry *entry = trn_far_find_due(far_view, level, coord);
    if (entry) {
        if (fold_note(entry).is_under_way) {
            note.is_under_way = note.is_again = true;
            fold_set_note(entry, note);
        }
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_coord_map_reserve(&folds->due[level], &far_view->allocator, 1);
    if (result == TRN_RESULT_OK) {
        result = folds_reserve(far_view);
    }
    if (result == TRN_RESULT_OK) {
        folds->fresh.all.items[folds->fresh.all.count++] = (TrnFarDue){coord, level};
        fold_set_note(trn_coord_map_add(&folds->due[level], coord), note);
    }
    return result;
}

static void fold_forget(TrnFar *far_view, uint32_t level, TrnCoord coord)
{
    TrnCoordEntry *entry = trn_far_find_due(far_view, level, coord);
    if (entry) {
        trn_coord_map_remove(&far_view->folds.due[level], entry);
    }
}

/// Makes all chunks of a level with pending edits due.
static TrnResult folds_add_pending(TrnFar *far_view, uint32_t level)
{
    const TrnStore *store = far_view->levels[level].store;
    const size_t count = trn_pending_chunks(store, NULL, 0), bytes = count * sizeof(TrnCoord);
    TrnCoord *coords = count ? trn_take(&far_view->allocator, bytes, alignof(TrnCoord)) : NULL;
    TrnResult result = coords || !count ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
    if (coords) {
        (void)trn_pending_chunks(store, coords, count);
    }
    for (size_t i = 0; coords && i < count && result == TRN_RESULT_OK; i++) {
        result = fold_add(far_view, level, coords[i]);
    }
    trn_give(&far_view->allocator, coords, bytes);
    return result;
}

TrnResult trn_far_folds_add_edited(TrnFar *far_view, uint32_t level)
{
    uint32_t cursor = 0;
    TrnCoord coord;
    TrnResult result = folds_add_pending(far_view, level);
    while (result == TRN_RESULT_OK &&
           trn_stream_next_unsaved(far_view->levels[level].stream, &cursor, &coord)) {
        result = fold_add(far_view, level, coord);
    }
    return result;
}

// ---- one chunk ---------------------------------------------------------------------------------

/// Edits the parent of a job's chunk. Errors: as trn_batch_commit().
static TrnResult fold_commit(TrnFar *far_view, const TrnFarJob *job, uint32_t run_count)
{
    TrnBatch *batch;
    const TrnResult result = trn_batch_begin(far_view->levels[job->level + 1].store, NULL, &batch);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    // If this fails, the commit returns its error.
    (void)trn_batch_set_runs(batch, trn_far_parent(job->coord), job->runs, run_count);
    return trn_batch_commit(batch, NULL);
}

/// Writes a chunk's part to its parent. @param job  finished
static TrnResult fold_write(TrnFar *far_view, TrnFarJob *job)
{
    TrnFarLevel *level = &far_view->levels[job->level + 1];
    TrnChunk *chunk = trn_store_find(level->store, trn_far_parent(job->coord));
    TrnResult result = chunk ? trn_store_restore(level->store, chunk, job->parent) : TRN_RESULT_OK;
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const TrnSnapshot voxels =
        chunk ? trn_voxels_snapshot(&chunk->voxels) : trn_snapshot_of(TRN_BLOCK_AIR, 0);
    const uint32_t count = trn_far_job_list_runs(job, chunk ? &voxels : NULL);
    result = count ? fold_commit(far_view, job, count) : TRN_RESULT_OK;
    for (uint32_t tries = 0; result == TRN_RESULT_FULL && !chunk && tries < FOLD_TRIES_MAX &&
                             trn_far_level_make_room(far_view, level);
         tries++) {
        result = fold_commit(far_view, job, count);
    }
    return result;
}

/// Ends a fold: if it failed, the chunk stays due. One that was under way goes back to a queue.
static void fold_end(TrnFar *far_view, const TrnFarJob *job, TrnResult result)
{
    TrnFarFolds *folds = &far_view->folds;
    TrnCoordEntry *entry = trn_far_find_due(far_view, job->level, job->coord);
    if (!entry) {
        return;
    }
    FoldNote note = fold_note(entry);
    if (result == TRN_RESULT_OK && !note.is_again) {
        fold_forget(far_view, job->level, job->coord);
        return;
    }
    if (note.is_under_way) { // there is room: folds_reserve()
        TrnFarDueArray *all = result == TRN_RESULT_OK ? &folds->fresh.all : &folds->failed.all;
        all->items[all->count++] = (TrnFarDue){job->coord, job->level};
    }
    note.is_under_way = note.is_again = false;
    note.since_ms = result == TRN_RESULT_OK ? note.since_ms : fold_ms(far_view->previous_us);
    fold_set_note(entry, note);
}

/// Applies a job that is done, and makes it idle.
static TrnResult fold_apply(TrnFar *far_view, TrnFarJob *job)
{
    TrnResult result = job->result;
    if (job->writes_out) {
        result = trn_far_job_write_out(far_view, job);
    } else {
        result = result == TRN_RESULT_OK ? fold_write(far_view, job) : result;
        far_view->folds.folded += result == TRN_RESULT_OK;
        fold_end(far_view, job, result);
    }
    atomic_store_explicit(&job->task.state, TRN_STREAM_TASK_IDLE, memory_order_relaxed);
    return result;
}

/// Has a job that is under way done, here if no worker has begun it, and applies it.
static TrnResult fold_finish(TrnFar *far_view, TrnFarJob *job)
{
    trn_stream_workers_finish_task(trn_stream_level_workers(far_view->levels[0].stream),
                                   &job->task);
    return fold_apply(far_view, job);
}

/// Finishes all jobs, in order. Errors: the last one.
static TrnResult folds_finish(TrnFar *far_view)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < TRN_FAR_JOBS; i++) {
        TrnFarJob *job = far_view->folds.jobs[i];
        if (job && !trn_far_job_is_idle(job)) {
            const TrnResult one = fold_finish(far_view, job);
            result = one == TRN_RESULT_OK ? result : one;
        }
    }
    return result;
}

/// Folds a chunk that is due, on the calling thread. No job is under way.
/// @param voxels  as trn_far_job_prepare()
static TrnResult fold_now(TrnFar *far_view, uint32_t level, TrnCoord coord,
                          const TrnSnapshot *voxels)
{
    const uint32_t idle = trn_far_jobs_find_idle(far_view);
    TrnFarJob *job = idle < TRN_FAR_JOBS ? far_view->folds.jobs[idle] : NULL;
    TrnResult result =
        job ? trn_far_job_prepare(far_view, job, level, coord, voxels) : TRN_RESULT_NO_MEMORY;
    if (result == TRN_RESULT_OK) {
        trn_far_job_run(&job->task, 0);
        result = fold_apply(far_view, job);
    }
    return result;
}

// ---- events ------------------------------------------------------------------------------------

/// Handles the removal of a chunk that is due: its row has its edits, or else this is the last
/// moment to read them.
static void fold_on_removed(TrnFar *far_view, uint32_t level, const TrnEventChunk *chunk)
{
    if (!trn_far_find_due(far_view, level, chunk->coord) ||
        trn_stream_keeps_changes(far_view->levels[level].stream)) {
        return;
    }
    const TrnSnapshot voxels = trn_voxels_snapshot(&chunk->chunk->voxels);
    (void)folds_finish(far_view);
    if (trn_far_find_due(far_view, level, chunk->coord) &&
        fold_now(far_view, level, chunk->coord, &voxels) != TRN_RESULT_OK) {
        fold_forget(far_view, level, chunk->coord);
    }
}

static TrnResult fold_on_chunk(TrnFar *far_view, uint32_t level, const TrnStoreEvent *event,
                               const TrnEventChunk *chunk)
{
    switch (event->kind) {
    case TRN_EVENT_CHANGED:
        return fold_add(far_view, level, chunk->coord);
    case TRN_EVENT_INSERTED:
        return chunk->applied ? fold_add(far_view, level, chunk->coord) : TRN_RESULT_OK;
    case TRN_EVENT_REMOVED:
        fold_on_removed(far_view, level, chunk);
        return TRN_RESULT_OK;
    default:
        return TRN_RESULT_OK;
    }
}

/// Takes up all chunks that changed after a revision.
static TrnResult fold_add_since(TrnFar *far_view, const TrnFarLevel *level, uint64_t revision)
{
    const size_t count = trn_store_changed_since(level->store, revision, NULL, 0);
    const size_t bytes = count * sizeof(TrnChunk *);
    TrnChunk **chunks = count ? trn_take(&far_view->allocator, bytes, alignof(TrnChunk *)) : NULL;
    if (count && !chunks) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnResult result = TRN_RESULT_OK;
    (void)trn_store_changed_since(level->store, revision, chunks, count);
    for (size_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
        result = fold_add(far_view, level->level, chunks[i]->coord);
    }
    trn_give(&far_view->allocator, chunks, bytes);
    return result;
}

static TrnResult fold_on_event(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    const TrnFarLevel *level = user;
    TrnFar *far_view = level->far_view;
    (void)store;
    if (level->level >= far_view->def.view.levels) {
        return TRN_RESULT_OK; // there is no coarser one
    }
    TrnResult result =
        event->has_missed ? fold_add_since(far_view, level, event->missed_since) : TRN_RESULT_OK;
    for (uint32_t i = 0; i < event->count; i++) {
        const TrnResult one = fold_on_chunk(far_view, level->level, event, &event->chunks[i]);
        result = one == TRN_RESULT_OK ? result : one;
    }
    return result;
}

static void fold_on_pending(void *user, TrnCoord coord)
{
    const TrnFarLevel *level = user;
    TrnFar *far_view = level->far_view;
    for (uint32_t i = 0; i < TRN_FAR_JOBS; i++) {
        TrnFarJob *job = far_view->folds.jobs[i];
        if (trn_far_job_saves(job, level->level, coord)) {
            job->is_stale = true;
        }
    }
    if (level->level < far_view->def.view.levels && !far_view->folds.is_saving &&
        fold_add(far_view, level->level, coord) != TRN_RESULT_OK) {
        far_view->folds.has_missed = true;
    }
}

TrnResult trn_far_folds_watch(TrnFarLevel *level)
{
    const uint32_t kinds = TRN_EVENT_BIT(TRN_EVENT_INSERTED) | TRN_EVENT_BIT(TRN_EVENT_CHANGED) |
                           TRN_EVENT_BIT(TRN_EVENT_REMOVED);
    const TrnPendingWatch watch = {fold_on_pending, level};
    TrnResult result = trn_pending_watch(level->store, &watch);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = trn_store_subscribe(level->store, kinds, fold_on_event, level);
    if (result != TRN_RESULT_OK) {
        (void)trn_pending_watch(level->store, NULL);
    }
    return result;
}

void trn_far_folds_unwatch(TrnFarLevel *level)
{
    TrnFar *far_view = level->far_view;
    if (trn_store_unsubscribe(level->store, fold_on_event, level) == TRN_RESULT_OK) {
        (void)trn_pending_watch(level->store, NULL);
    }
    (void)folds_finish(far_view);
    // What is due of this level has no voxels any more, and that of the level below no parent.
    for (uint32_t due = level->level ? level->level - 1 : 0;
         due < TRN_FAR_LEVEL_MAX && due <= level->level; due++) {
        trn_coord_map_free(&far_view->folds.due[due], &far_view->allocator);
    }
}

// ---- updates -----------------------------------------------------------------------------------

/// Makes due what memory was too short for.
static void folds_catch_up(TrnFar *far_view)
{
    bool has_missed = false;
    for (uint32_t level = 0; far_view->folds.has_missed && level < far_view->def.view.levels;
         level++) {
        has_missed |= folds_add_pending(far_view, level) != TRN_RESULT_OK;
    }
    far_view->folds.has_missed = has_missed;
}

/// Applies jobs that are done. If a job is late, the calling thread does it.
static TrnResult folds_collect(TrnFar *far_view, double now_us)
{
    TrnResult result = TRN_RESULT_OK;
    bool has_helped = false;
    for (uint32_t i = 0; i < TRN_FAR_JOBS; i++) {
        TrnFarJob *job = far_view->folds.jobs[i];
        if (!job || trn_far_job_is_idle(job)) {
            continue;
        }
        const bool is_late =
            !has_helped && now_us - far_view->folds.issued_us[i] > FOLD_LATE_US &&
            atomic_load_explicit(&job->task.state, memory_order_relaxed) == TRN_STREAM_TASK_QUEUED;
        if (is_late || trn_stream_task_is_done(&job->task)) {
            const TrnResult one = fold_finish(far_view, job);
            result = one == TRN_RESULT_OK ? result : one;
        }
        has_helped |= is_late;
    }
    return result;
}

/// Whether a chunk of a queue can be folded now.
static bool fold_is_ready(const TrnFarDue *due, FoldNote note, bool has_failed, double now_us)
{
    const uint32_t delay = has_failed ? FOLD_RETRY_MS : due->level ? 0 : FOLD_DELAY_MS;
    return !note.is_under_way && fold_ms(now_us) - note.since_ms >= delay;
}

/// Begins to fold a chunk.
/// @param entry   of the chunk in the map of what is due
/// @param number  of an idle job
static TrnResult fold_begin(TrnFar *far_view, const TrnFarDue *due, TrnCoordEntry *entry,
                            uint32_t number, double now_us)
{
    TrnFarJob *job = far_view->folds.jobs[number];
    TrnResult result = folds_reserve(far_view);
    if (result == TRN_RESULT_OK) {
        result = trn_far_job_prepare(far_view, job, due->level, due->coord, NULL);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    FoldNote note = fold_note(entry);
    note.is_under_way = true;
    fold_set_note(entry, note);
    trn_far_job_issue(far_view, number, now_us);
    return TRN_RESULT_OK;
}

/// Begins to fold chunks of a queue. @param most  how many; receives how many more may begin
static TrnResult folds_begin(TrnFar *far_view, TrnFarQueue *queue, double now_us, uint32_t *most)
{
    TrnFarFolds *folds = &far_view->folds;
    TrnFarDueArray *all = &queue->all;
    uint32_t looks = all->count < FOLDS_LOOKED_AT ? all->count : FOLDS_LOOKED_AT;
    for (; looks > 0 && all->count && *most; looks--) {
        queue->next = queue->next < all->count ? queue->next : 0;
        const TrnFarDue due = all->items[queue->next];
        TrnCoordEntry *entry = trn_far_find_due(far_view, due.level, due.coord);
        if (!entry) {
            trn_array_remove_swap(all, queue->next);
            continue;
        }
        if (fold_is_ready(&due, fold_note(entry), queue == &folds->failed, now_us)) {
            const uint32_t idle = trn_far_jobs_find_idle(far_view);
            if (idle == TRN_FAR_JOBS) {
                return folds->jobs[TRN_FAR_JOBS - 1] ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
            }
            const TrnResult result = fold_begin(far_view, &due, entry, idle, now_us);
            if (result != TRN_RESULT_OK) {
                return result;
            }
            trn_array_remove_swap(all, queue->next);
            --*most;
        }
        queue->next++;
    }
    return TRN_RESULT_OK;
}

/// Gives workers what to do: levels that are full get up to half of it. @param most  chunks
static TrnResult folds_issue(TrnFar *far_view, double now_us, uint32_t most)
{
    TrnFarFolds *folds = &far_view->folds;
    TrnResult result = TRN_RESULT_OK;
    uint32_t saves = (most + 1) / 2;
    for (uint32_t level = 1; level <= far_view->def.view.levels; level++) {
        const TrnResult one =
            trn_far_level_write_out(far_view, &far_view->levels[level], now_us, &saves);
        result = one == TRN_RESULT_OK ? result : one;
    }
    TrnResult one = folds_begin(far_view, &folds->fresh, now_us, &most);
    if (one == TRN_RESULT_OK) {
        one = folds_begin(far_view, &folds->failed, now_us, &most);
    }
    return one == TRN_RESULT_OK ? result : one;
}

/// Whether nothing is due, under way or waiting to be saved.
static bool folds_are_idle(const TrnFar *far_view)
{
    bool is_idle = !trn_far_folds_due(far_view) && !far_view->folds.has_missed;
    for (uint32_t level = 1; level <= far_view->def.view.levels; level++) {
        is_idle &= !far_view->levels[level].is_full;
    }
    for (uint32_t i = 0; i < TRN_FAR_JOBS; i++) {
        const TrnFarJob *job = far_view->folds.jobs[i];
        is_idle &= !job || trn_far_job_is_idle(job);
    }
    return is_idle;
}

TrnResult trn_far_fold_some(TrnFar *far_view, double now_us, bool is_exact, bool *is_idle)
{
    const bool has_workers =
        trn_stream_workers_count(trn_stream_level_workers(far_view->levels[0].stream)) > 0;
    const bool waits = is_exact || !has_workers;
    folds_catch_up(far_view);
    const TrnResult collected = waits ? folds_finish(far_view) : folds_collect(far_view, now_us);
    TrnResult result = folds_issue(far_view, now_us, is_exact || has_workers ? TRN_FAR_JOBS : 1);
    result = result == TRN_RESULT_OK ? collected : result;
    if (waits) {
        const TrnResult finished = folds_finish(far_view);
        result = finished == TRN_RESULT_OK ? result : finished;
    }
    *is_idle = folds_are_idle(far_view);
    if (*is_idle) {
        folds_free_memory(far_view);
    }
    return result;
}

// ---- saving ------------------------------------------------------------------------------------

/// Folds a chunk that is due. If its parent's level is full, saves that first.
/// @param may_save  becomes false once that failed: it is not tried for each chunk
static TrnResult fold_now_with_room(TrnFar *far_view, const TrnFarDue *due, bool *may_save)
{
    const TrnFarLevel *level = &far_view->levels[due->level + 1];
    const TrnResult result = fold_now(far_view, due->level, due->coord, NULL);
    if (result != TRN_RESULT_FULL || !*may_save || trn_pending_chunks(level->store, NULL, 0) == 0) {
        return result;
    }
    const TrnResult saved = trn_far_level_save(far_view, level);
    *may_save = saved == TRN_RESULT_OK;
    return *may_save ? fold_now(far_view, due->level, due->coord, NULL) : saved;
}

/// Has a chunk of a queue wait with those that failed. Without memory it stays where it is.
/// @param i  which; receives the next
static void folds_set_back(TrnFar *far_view, TrnFarDueArray *all, uint32_t *i)
{
    TrnFarDueArray *failed = &far_view->folds.failed.all;
    if (all == failed || folds_reserve(far_view) != TRN_RESULT_OK) {
        ++*i;
        return;
    }
    failed->items[failed->count++] = all->items[*i];
    trn_array_remove_swap(all, *i);
}

/// Folds all chunks of a level in a queue. Adds only such of the next level to the queues.
static TrnResult folds_fold_level(TrnFar *far_view, TrnFarDueArray *all, uint32_t level)
{
    TrnResult result = TRN_RESULT_OK;
    bool may_save = trn_stream_keeps_changes(far_view->levels[level + 1].stream);
    for (uint32_t i = 0; i < all->count;) {
        const TrnFarDue due = all->items[i];
        if (due.level == level && trn_far_find_due(far_view, level, due.coord)) {
            const TrnResult one = fold_now_with_room(far_view, &due, &may_save);
            if (one != TRN_RESULT_OK) {
                result = one;
                folds_set_back(far_view, all, &i);
            }
        } else if (due.level == level) {
            trn_array_remove_swap(all, i);
        } else {
            i++;
        }
    }
    return result;
}

TrnResult trn_far_fold_all(TrnFar *far_view)
{
    TrnFarFolds *folds = &far_view->folds;
    TrnResult result = folds_finish(far_view);
    folds_catch_up(far_view);
    for (uint32_t level = 0; level < far_view->def.view.levels; level++) {
        const TrnResult failed = folds_fold_level(far_view, &folds->failed.all, level);
        result = failed == TRN_RESULT_OK ? result : failed;
        const TrnResult fresh = folds_fold_level(far_view, &folds->fresh.all, level);
        result = fresh == TRN_RESULT_OK ? result : fresh;
    }
    return result;
}
