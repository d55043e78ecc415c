// Batches: one open edit for each loaded chunk that they change, and pending segments for chunks
// that are not loaded.

#include "edits/batch_impl.h"

#include <stdalign.h>
#include <string.h>

#include "base/around.h"
#include "base/zone.h"
#include "pool/pool_internal.h"
#include "voxels/voxel_read_internal.h"

// ---- begin and end -----------------------------------------------------------------------------

TrnBatchDef trn_batch_def(void)
{
    TrnBatchDef def = {.unloaded = TRN_UNLOADED_PENDING};
    return def;
}

static void batch_clear_current(TrnBatch *batch)
{
    batch->edge = 0; // a lowest voxel cannot say "none": callers may pass any three numbers
    batch->current = NULL;
}

TrnResult trn_batch_create(TrnEdits *edits, const TrnBatchDef *def, TrnBatch **batch)
{
    trn_store_refusal_clear(edits->refusal);
    TrnBatch *made = trn_take(&edits->batch_allocator, sizeof *made, alignof(TrnBatch));
    if (!made) {
        return trn_store_result(edits->store, TRN_RESULT_NO_MEMORY);
    }
    *made = (TrnBatch){.edits = edits,
                       .store = edits->store,
                       .refusal = edits->refusal,
                       .history = def->history,
                       .unloaded = def->unloaded,
                       .pending = {.map.key = edits->pending.chunks.map.key},
                       .is_grouped = def->history != NULL,
                       .counts_voxels = def->history != NULL,
                       .end = &made->first};
    batch_clear_current(made);
    edits->open_batches++;
    if (made->history) {
        made->history->open_batches++;
    }
    *batch = made;
    return TRN_RESULT_OK;
}

/// Frees a batch without open chunks.
static void batch_free(TrnBatch *batch)
{
    TrnEdits *edits = batch->edits;
    trn_pending_clear(&edits->pending, &batch->pending);
    if (batch->history) {
        trn_edit_deltas_free(batch->history, &batch->deltas);
        batch->history->open_batches--;
    }
    trn_give(&edits->batch_allocator, batch, sizeof *batch);
    edits->open_batches--;
}

/// Ends an open chunk's edit and unlocks it.
static void batch_close(TrnBatch *batch, TrnOpenChunk *open)
{
    trn_store_unlock(batch->store, open->chunk);
    TrnResult result = trn_pool_free(batch->edits->open_chunks, open->id);
    TRN_ASSERT(result == TRN_RESULT_OK);
    (void)result;
}

void trn_batch_cancel(TrnBatch *batch)
{
    if (!batch) {
        return;
    }
    for (TrnOpenChunk *open = batch->first, *next; open; open = next) {
        next = open->next;
        trn_voxel_edit_cancel(&open->edit);
        batch_close(batch, open);
    }
    if (batch->history) {
        trn_history_release_group(batch->history, batch->group);
    }
    batch_free(batch);
}

// ---- open chunks -------------------------------------------------------------------------------

/// Applies the batch's own pending edits of a chunk that was inserted after the batch made them.
static TrnResult batch_apply_own_pending(TrnBatch *batch, TrnOpenChunk *open)
{
    TrnPendingChunk *record = trn_pending_find(&batch->pending, open->chunk->coord);
    TrnResult result = TRN_RESULT_OK;
    if (!record) {
        return result;
    }
    for (const TrnSegment *at = record->oldest; at && result == TRN_RESULT_OK; at = at->newer) {
        result = trn_edit_runs_write(&open->edit, at->runs.items, at->runs.count, TRN_RUN_AFTER);
    }
    if (result == TRN_RESULT_OK) {
        trn_pending_remove(&batch->edits->pending, &batch->pending, record);
    }
    return result;
}

static TrnResult batch_open_new(TrnBatch *batch, TrnChunk *chunk, TrnOpenChunk **open)
{
    TrnPoolId id;
    void *slot;
    TrnResult result = trn_pool_alloc(batch->edits->open_chunks, &id, &slot);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = trn_store_restore(batch->store, chunk, NULL);
    if (result != TRN_RESULT_OK) {
        (void)trn_pool_free(batch->edits->open_chunks, id);
        return result;
    }
    TrnOpenChunk *made = slot;
    made->chunk = chunk;
    made->batch = batch;
    made->next = NULL;
    made->id = id;
    made->reach = (TrnStoreReach){0};
    made->is_changed = false;
    made->known = NULL;
    trn_voxel_edit_begin(&made->edit, trn_store_voxel_heap(batch->store), &chunk->voxels);
    trn_edit_state(&made->edit)->is_prepared = true;
    trn_store_lock(chunk, id.index1);
    *batch->end = made;
    batch->end = &made->next;
    *open = made;
    return batch_apply_own_pending(batch, made);
}

/// The batch that has a chunk open, or NULL.
/// @param open  receives the open chunk, or NULL
static const TrnBatch *batch_find_open(const TrnEdits *edits, const TrnChunk *chunk,
                                       TrnOpenChunk **open)
{
    const uint32_t key = trn_store_lock_key(chunk);
    *open = key ? trn_pool_slot(edits->open_chunks, key - 1) : NULL;
    return key ? (*open)->batch : NULL;
}

TrnResult trn_batch_open(TrnBatch *batch, TrnChunk *chunk, TrnOpenChunk **open)
{
    TrnOpenChunk *found;
    const TrnBatch *owner = batch_find_open(batch->edits, chunk, &found);
    if (!owner) {
        return batch_open_new(batch, chunk, open);
    }
    if (owner != batch) {
        return TRN_RESULT_BUSY;
    }
    *open = found;
    return TRN_RESULT_OK;
}

TrnResult trn_batch_end_call(TrnBatch *batch, TrnResult result)
{
    if (result != TRN_RESULT_OK) {
        batch->result = trn_store_result(batch->store, result);
        batch_clear_current(batch);
    }
    return batch->result;
}

// ---- chunks that are not loaded ----------------------------------------------------------------

TrnResult trn_batch_open_unloaded(TrnBatch *batch, TrnCoord coord, TrnSegment **segment)
{
    *segment = NULL;
    if (batch->unloaded == TRN_UNLOADED_FAIL) {
        return TRN_RESULT_NOT_FOUND;
    }
    if (batch->unloaded == TRN_UNLOADED_SKIP) {
        batch->outcome.skipped_chunks += batch->outcome.skipped_chunks < UINT32_MAX;
        return TRN_RESULT_OK;
    }
    return trn_pending_open(&batch->edits->pending, &batch->pending, coord, batch->is_grouped,
                            segment);
}

TrnResult trn_batch_pend(TrnBatch *batch, TrnSegment *segment, uint32_t first, uint32_t last,
                         TrnBlock block)
{
    const TrnEditRun run = {(uint16_t)first, (uint16_t)last, 0, block};
    return trn_pending_segment_add(&batch->edits->pending, segment, run);
}

static TrnResult batch_pend_runs(TrnBatch *batch, TrnCoord coord, const TrnEditRun *runs,
                                 uint32_t count, TrnRunSide side)
{
    TrnSegment *segment;
    TrnResult result = trn_batch_open_unloaded(batch, coord, &segment);
    for (uint32_t i = 0; segment && i < count && result == TRN_RESULT_OK; i++) {
        result = trn_batch_pend(batch, segment, runs[i].first, runs[i].last,
                                side == TRN_RUN_BEFORE ? runs[i].before : runs[i].after);
    }
    return result;
}

TrnResult trn_batch_write_runs(TrnBatch *batch, TrnCoord coord, const TrnEditRun *runs,
                               uint32_t count, TrnRunSide side)
{
    TrnChunk *chunk = trn_store_find(batch->store, coord);
    TrnOpenChunk *open;
    if (!chunk) {
        return batch_pend_runs(batch, coord, runs, count, side);
    }
    TrnResult result = trn_batch_open(batch, chunk, &open);
    return result == TRN_RESULT_OK ? trn_edit_runs_write(&open->edit, runs, count, side) : result;
}

TrnResult trn_batch_set_runs(TrnBatch *batch, TrnCoord coord, const TrnPendingRun *runs,
                             size_t count)
{
    enum { PART = 256 };
    TrnEditRun part[PART];
    if (!batch) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (batch->result != TRN_RESULT_OK) {
        return batch->result;
    }
    trn_store_refusal_clear(batch->refusal);
    TrnResult result = TRN_RESULT_OK;
    for (size_t at = 0; at < count && result == TRN_RESULT_OK;) {
        uint32_t filled = 0;
        for (; at < count && filled < PART; at++, filled++) {
            if (runs[at].first > runs[at].last || runs[at].last >= TRN_CHUNK_VOXELS) {
                return trn_batch_end_call(batch, TRN_RESULT_BAD_ARGUMENT);
            }
            part[filled] = (TrnEditRun){runs[at].first, runs[at].last, 0, runs[at].block};
        }
        result = trn_batch_write_runs(batch, coord, part, filled, TRN_RUN_AFTER);
    }
    return trn_batch_end_call(batch, result);
}

// ---- single voxels -----------------------------------------------------------------------------

/// Makes the chunk of a voxel the current one. If it is not loaded, there is no current chunk.
static TrnResult batch_select_chunk(TrnBatch *batch, TrnVoxel voxel)
{
    batch_clear_current(batch);
    TrnChunk *chunk = trn_store_find(batch->store, trn_voxel_chunk(voxel));
    if (!chunk) {
        return TRN_RESULT_OK;
    }
    TrnOpenChunk *open;
    TrnResult result = trn_batch_open(batch, chunk, &open);
    if (result == TRN_RESULT_OK) {
        const uint64_t mask = TRN_CHUNK_EDGE - 1;
        batch->current = open;
        batch->edge = TRN_CHUNK_EDGE;
        batch->x = (uint64_t)voxel.x & ~mask;
        batch->y = (uint64_t)voxel.y & ~mask;
        batch->z = (uint64_t)voxel.z & ~mask;
    }
    return result;
}

/// trn_batch_set for a voxel outside the current chunk, or of a batch that has failed. Takes an
/// address and stays out of line. Otherwise gcc loads two coordinates at once right after the
/// caller stored them one by one, and the load stalls on store forwarding.
static __attribute__((noinline)) TrnResult
batch_set_other_chunk(TrnBatch *batch, const TrnVoxel *voxel, TrnBlock block)
{
    if (batch->result != TRN_RESULT_OK) {
        return batch->result;
    }
    trn_store_refusal_clear(batch->refusal);
    TrnResult result =
        trn_voxel_in_world(*voxel) ? batch_select_chunk(batch, *voxel) : TRN_RESULT_BAD_ARGUMENT;
    if (result == TRN_RESULT_OK) {
        const uint32_t index = trn_voxel_local_index(*voxel);
        const TrnEditRun run = {(uint16_t)index, (uint16_t)index, 0, block};
        result = batch->current
                     ? trn_edit_set(trn_edit_state(&batch->current->edit), index, block)
                     : batch_pend_runs(batch, trn_voxel_chunk(*voxel), &run, 1, TRN_RUN_AFTER);
    }
    return trn_batch_end_call(batch, result);
}

TrnResult trn_batch_set(TrnBatch *batch, TrnVoxel voxel, TrnBlock block)
{
    if (!batch) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const uint64_t far = ((uint64_t)voxel.x - batch->x) | ((uint64_t)voxel.y - batch->y) |
                         ((uint64_t)voxel.z - batch->z);
    if (far >= batch->edge) {
        return batch_set_other_chunk(batch, &voxel, block);
    }
    trn_store_refusal_clear(batch->refusal);
    const TrnResult result =
        trn_edit_set(trn_edit_state(&batch->current->edit), trn_voxel_local_index(voxel), block);
    return result == TRN_RESULT_OK ? result : trn_batch_end_call(batch, result);
}

// ---- block data --------------------------------------------------------------------------------

/// Sets data in a chunk that is loaded. In others it would have to become pending, with its order
/// among pending edits and their undo; a game loads a chunk before it writes into its chests.
static TrnResult batch_set_data(TrnBatch *batch, TrnVoxel voxel, const void *bytes, size_t size,
                                TrnDataRule rule)
{
    TrnChunk *chunk = trn_store_find(batch->store, trn_voxel_chunk(voxel));
    TrnOpenChunk *open;
    if (!chunk && batch->unloaded == TRN_UNLOADED_SKIP) {
        batch->outcome.skipped_chunks += batch->outcome.skipped_chunks < UINT32_MAX;
        return TRN_RESULT_OK;
    }
    if (!chunk) {
        return TRN_RESULT_NOT_FOUND;
    }
    const TrnResult result = trn_batch_open(batch, chunk, &open);
    return result == TRN_RESULT_OK
               ? trn_voxel_edit_set_data(&open->edit, trn_voxel_local_index(voxel), bytes, size,
                                         rule)
               : result;
}

TrnResult trn_batch_set_data(TrnBatch *batch, TrnVoxel voxel, const void *bytes, size_t size,
                             TrnDataRule rule)
{
    if (!batch) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (batch->result != TRN_RESULT_OK) {
        return batch->result;
    }
    trn_store_refusal_clear(batch->refusal);
    return trn_batch_end_call(batch, trn_voxel_in_world(voxel)
                                         ? batch_set_data(batch, voxel, bytes, size, rule)
                                         : TRN_RESULT_BAD_ARGUMENT);
}

TrnResult trn_batch_get_data(const TrnBatch *batch, TrnVoxel voxel, TrnBlockData *data)
{
    if (!batch || !trn_voxel_in_world(voxel)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const uint32_t index = trn_voxel_local_index(voxel);
    const TrnChunk *chunk = trn_store_find(batch->store, trn_voxel_chunk(voxel));
    TrnOpenChunk *open;
    if (!chunk) {
        return TRN_RESULT_NOT_FOUND;
    }
    const bool has_data =
        batch_find_open(batch->edits, chunk, &open) == batch
            ? trn_voxel_edit_get_data(&open->edit, index, data)
            : trn_snapshot_get_data(trn_voxels_snapshot(&chunk->voxels), index, data);
    return has_data ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND;
}

// ---- chunks and reading ------------------------------------------------------------------------

TrnResult trn_batch_edit(TrnBatch *batch, TrnCoord coord, TrnVoxelEdit **edit)
{
    if (!batch) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (batch->result != TRN_RESULT_OK) {
        return batch->result;
    }
    trn_store_refusal_clear(batch->refusal);
    TrnChunk *chunk = trn_store_find(batch->store, coord);
    TrnOpenChunk *open;
    TrnResult result = !edit   ? TRN_RESULT_BAD_ARGUMENT
                       : chunk ? trn_batch_open(batch, chunk, &open)
                               : TRN_RESULT_NOT_FOUND;
    if (result == TRN_RESULT_OK) {
        *edit = &open->edit;
    }
    return trn_batch_end_call(batch, result);
}

TrnResult trn_batch_get(const TrnBatch *batch, TrnVoxel voxel, TrnBlock *block)
{
    if (!batch || !trn_voxel_in_world(voxel)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnChunk *chunk = trn_store_find(batch->store, trn_voxel_chunk(voxel));
    if (!chunk) {
        return TRN_RESULT_NOT_FOUND;
    }
    const TrnSnapshot now = trn_voxels_snapshot(&chunk->voxels);
    TrnOpenChunk *open;
    if (batch_find_open(batch->edits, chunk, &open) == batch) {
        *block = trn_voxel_edit_get(&open->edit, trn_voxel_local_index(voxel));
        return TRN_RESULT_OK;
    }
    *block = trn_snapshot_get(now, trn_voxel_local_index(voxel));
    return TRN_RESULT_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

/// Opens the chunks that were inserted after the batch edited them, so that its pending edits
/// apply.
static TrnResult commit_open_inserted(TrnBatch *batch)
{
    TrnResult result = TRN_RESULT_OK;
    for (TrnPendingChunk *record = batch->pending.first, *next; record && result == TRN_RESULT_OK;
         record = next) {
        next = record->next; // opening removes the record
        TrnChunk *chunk = trn_store_find(batch->store, record->coord);
        TrnOpenChunk *open;
        if (chunk) {
            result = trn_batch_open(batch, chunk, &open);
        }
    }
    return result;
}

/// The state of comparing open chunks with the store.
typedef struct CommitWork {
    TrnBatch *batch;
    bool is_recorded; ///< the history records the commit
    bool is_heard;    ///< a listener subscribes to changes
    TrnEditRuns runs; ///< scratch, as the next
    TrnDataChanges data;
} CommitWork;

/// Collects one change of block data. @param user  a CommitWork
static TrnResult commit_add_data(void *user, const TrnDataChange *change)
{
    CommitWork *work = user;
    return trn_array_push(&work->data, &work->batch->edits->batch_allocator, *change);
}

/// Collects the block data that changed in a chunk.
static TrnResult commit_diff_data(CommitWork *work, TrnOpenChunk *open)
{
    const TrnEditState *edit = trn_edit_state(&open->edit);
    const TrnSnapshot before = {edit->base};
    work->data.count = 0;
    const TrnResult result = open->reach.has_data && work->batch->counts_voxels
                                 ? trn_data_compare(trn_snapshot_data(before), trn_edit_data(edit),
                                                    commit_add_data, work)
                                 : TRN_RESULT_OK;
    work->batch->outcome.changed_data += work->data.count;
    return result;
}

/// Records what changed in a chunk, for the history.
/// @param rows  NULL: no voxel did
static TrnResult commit_record(CommitWork *work, TrnOpenChunk *open, const uint32_t *rows)
{
    TrnBatch *batch = work->batch;
    TrnEditState *edit = trn_edit_state(&open->edit);
    const TrnSnapshot before = {edit->base};
    work->runs.count = 0;
    TrnResult result = rows
                           ? trn_edit_runs_add_diff(&work->runs, &batch->edits->batch_allocator,
                                                    before, trn_edit_now(edit), edit->changed, rows)
                           : TRN_RESULT_OK;
    const TrnEditDiff diff = {before.word, work->runs.items, work->runs.count, work->data.items,
                              work->data.count};
    return result == TRN_RESULT_OK
               ? trn_edit_deltas_add(batch->history, &batch->deltas, open->chunk->coord, &diff)
               : result;
}

/// Finds the voxels and the block data that changed in a chunk.
static TrnResult commit_diff_chunk(CommitWork *work, TrnOpenChunk *open)
{
    TrnEditState *edit = trn_edit_state(&open->edit);
    const TrnSnapshot before = {edit->base}, after = trn_edit_now(edit);
    uint32_t rows[TRN_CHUNK_ROWS];
    const uint32_t voxels = open->known ? trn_edit_runs_mark(open->known, open->known_count, rows)
                                        : trn_snapshot_diff_in(before, after, edit->changed, rows);
    work->batch->outcome.changed_voxels += work->batch->counts_voxels ? voxels : 0;
    open->is_changed = voxels > 0 || open->reach.has_data;
    if (work->is_heard && voxels > 0) {
        open->reach.around = trn_mask_around(rows);
        open->reach.light = trn_store_light_reach(work->batch->store, before, after);
    } else if (work->is_heard && open->is_changed) {
        open->reach.around = TRN_AROUND_SELF;
    }
    const TrnResult result = commit_diff_data(work, open);
    return result == TRN_RESULT_OK && open->is_changed && work->is_recorded
               ? commit_record(work, open, voxels > 0 ? rows : NULL)
               : result;
}

/// Determines whether a chunk changed, and as much about it as history and listeners need.
static TrnResult commit_compare_chunk(CommitWork *work, TrnOpenChunk *open)
{
    TrnEditState *edit = trn_edit_state(&open->edit);
    TrnResult result = trn_edit_flush(edit);
    if (!edit->is_changed || result != TRN_RESULT_OK) {
        return result;
    }
    open->reach.has_data = trn_edit_purge_data(edit);
    if (work->batch->counts_voxels || work->is_heard) {
        result = commit_diff_chunk(work, open);
    } else {
        const TrnSnapshot before = {edit->base};
        open->is_changed = open->reach.has_data ||
                           trn_snapshot_differs_in(before, trn_edit_now(edit), edit->changed);
    }
    work->batch->outcome.changed_chunks += open->is_changed;
    return result;
}

static TrnResult commit_compare_chunks(TrnBatch *batch)
{
    CommitWork work = {.batch = batch,
                       .is_recorded = batch->history && !batch->history->is_group_dropped,
                       .is_heard = trn_store_has_listener(batch->store, TRN_EVENT_CHANGED)};
    TrnResult result = TRN_RESULT_OK;
    for (TrnOpenChunk *open = batch->first; open && result == TRN_RESULT_OK; open = open->next) {
        const TrnOpenChunk *next = open->next;
        if (next) {
            trn_edit_prefetch_lines(trn_edit_state_const(&next->edit));
        }
        if (next && next->next) {
            trn_edit_prefetch_header(trn_edit_state_const(&next->next->edit));
        }
        result = commit_compare_chunk(&work, open);
    }
    trn_array_free(&work.runs, &batch->edits->batch_allocator);
    trn_array_free(&work.data, &batch->edits->batch_allocator);
    return result;
}

/// Whether a prepared commit changes a chunk or makes edits pending.
static bool commit_has_effect(const TrnBatch *batch)
{
    return batch->outcome.changed_chunks > 0 || batch->pending.map.count > 0;
}

static TrnResult commit_prepare(TrnBatch *batch)
{
    TrnPending *pending = &batch->edits->pending;
    TrnResult result = commit_open_inserted(batch);
    if (result == TRN_RESULT_OK) {
        result = commit_compare_chunks(batch);
    }
    if (result == TRN_RESULT_OK && batch->history && commit_has_effect(batch)) {
        result = trn_history_acquire_group(batch->history, &batch->group);
    }
    // Last: if a later part failed, the store would keep the memory.
    return result == TRN_RESULT_OK ? trn_coord_map_reserve(&pending->chunks.map, pending->allocator,
                                                           batch->pending.map.count)
                                   : result;
}

TrnResult trn_batch_prepare(TrnBatch *batch)
{
    return batch->result == TRN_RESULT_OK ? trn_batch_end_call(batch, commit_prepare(batch))
                                          : batch->result;
}

// ---- publish -----------------------------------------------------------------------------------

/// Publishes a chunk if it changed, and closes it.
static void commit_publish_chunk(TrnBatch *batch, TrnOpenChunk *open, uint64_t revision)
{
    if (open->is_changed) {
        TrnEditState *edit = trn_edit_state(&open->edit);
        const TrnSnapshot before = {edit->base};
        trn_store_tell_watch(batch->store, open->chunk->coord, before, trn_edit_now(edit));
        trn_voxel_edit_commit(&open->edit, revision);
        trn_store_add_changed(batch->store, open->chunk, revision, open->reach);
    } else {
        trn_voxel_edit_cancel(&open->edit);
    }
    batch_close(batch, open);
}

static void commit_publish_pending(TrnBatch *batch, TrnHistoryGroup *group)
{
    batch->outcome.pending_chunks = batch->pending.map.count;
    trn_pending_merge(&batch->edits->pending, &batch->pending, group ? &group->segments : NULL);
}

void trn_batch_publish(TrnBatch *batch, TrnHistoryGroup *group)
{
    const uint64_t revision = trn_store_next_revision(batch->store);
    for (TrnOpenChunk *open = batch->first, *next; open; open = next) {
        next = open->next;
        if (next) {
            trn_edit_prefetch_release(trn_edit_state_const(&next->edit));
        }
        if (next && next->next) {
            trn_edit_prefetch_payloads(trn_edit_state_const(&next->next->edit));
        }
        commit_publish_chunk(batch, open, revision);
    }
    batch->first = NULL;
    commit_publish_pending(batch, group);
    batch->outcome.revision = batch->outcome.changed_chunks ? revision : revision - 1;
}

void trn_batch_finish(TrnBatch *batch, TrnBatchOutcome *outcome)
{
    TrnStore *store = batch->store;
    const TrnBatchOutcome own = batch->outcome;
    if (outcome) {
        *outcome = own;
    }
    batch_free(batch);
    if (own.changed_chunks > 0) {
        trn_store_end_change(store, own.revision);
    }
}

TrnResult trn_batch_commit(TrnBatch *batch, TrnBatchOutcome *outcome)
{
    TRN_ZONE("batch commit");
    if (!batch) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (batch->result == TRN_RESULT_OK) {
        trn_store_refusal_clear(batch->refusal);
    }
    TrnResult result = trn_batch_prepare(batch);
    if (result != TRN_RESULT_OK) {
        trn_batch_cancel(batch);
        return result;
    }
    const bool has_effect = batch->history && commit_has_effect(batch);
    trn_batch_publish(batch, batch->group);
    if (has_effect) {
        trn_history_publish(batch->history, batch->group, &batch->deltas, batch->outcome.revision);
    }
    trn_batch_finish(batch, outcome);
    return TRN_RESULT_OK;
}
