// Commits a batch in two parts: prepare, which can fail, and publish, which cannot.

#include "base/around.h"
#include "edits/batch_impl.h"

#include <string.h>

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

/// Whether block counts alone prove that two snapshots differ: their palettes list the same blocks,
/// with different counts.
static bool commit_counts_differ(TrnSnapshot a, TrnSnapshot b)
{
    if (trn_snapshot_is_uniform(a) || trn_snapshot_is_uniform(b)) {
        return false;
    }
    const TrnPayload *of_a = trn_snapshot_payload(a), *of_b = trn_snapshot_payload(b);
    const uint32_t entries =
        of_a->palette_count < of_b->palette_count ? of_a->palette_count : of_b->palette_count;
    const size_t bytes = entries * sizeof(TrnBlock);
    return bytes > 0 && // payloads of 16 bits have no palette
           memcmp(trn_payload_palette(of_a), trn_payload_palette(of_b), bytes) == 0 &&
           memcmp(trn_payload_counts(of_a), trn_payload_counts(of_b), bytes) != 0;
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
static TrnResult commit_record(CommitWork *work, const TrnOpenChunk *open, const uint32_t *rows)
{
    TrnBatch *batch = work->batch;
    const TrnEditState *edit = trn_edit_state_const(&open->edit);
    const TrnSnapshot before = {edit->base};
    work->runs.count = 0;
    TrnResult result = rows ? trn_edit_runs_add_diff(&work->runs, &batch->edits->batch_allocator,
                                                     before, trn_edit_now(edit), rows)
                            : TRN_RESULT_OK;
    const TrnEditDiff diff = {work->runs.items, work->runs.count, work->data.items,
                              work->data.count};
    return result == TRN_RESULT_OK
               ? trn_edit_deltas_add(batch->history, &batch->deltas, open->chunk->coord, &diff)
               : result;
}

/// Finds the voxels and the block data that changed in a chunk.
static TrnResult commit_diff_chunk(CommitWork *work, TrnOpenChunk *open, TrnSnapshot before,
                                   TrnSnapshot after)
{
    uint32_t rows[TRN_CHUNK_ROWS];
    const uint32_t voxels = trn_snapshot_diff(before, after, rows);
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
    const TrnSnapshot before = {edit->base}, after = trn_edit_now(edit);
    TrnResult result = TRN_RESULT_OK;
    if (!edit->is_changed) {
        return result;
    }
    open->reach.has_data = trn_edit_purge_data(edit);
    if (work->batch->counts_voxels || work->is_heard) {
        result = commit_diff_chunk(work, open, before, after);
    } else {
        open->is_changed = open->reach.has_data || commit_counts_differ(before, after) ||
                           !trn_snapshot_equal(before, after);
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
        const TrnEditState *edit = trn_edit_state(&open->edit);
        const TrnSnapshot before = {edit->base};
        trn_store_tell_watch(batch->store, open->chunk->coord, before, trn_edit_now(edit));
        trn_voxel_edit_commit(&open->edit, revision);
        trn_store_add_changed(batch->store, open->chunk, revision, open->reach);
    } else {
        trn_voxel_edit_cancel(&open->edit);
    }
    trn_batch_close(batch, open);
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
    trn_batch_free(batch);
    if (own.changed_chunks > 0) {
        trn_store_end_change(store, own.revision);
    }
}

TrnResult trn_batch_commit(TrnBatch *batch, TrnBatchOutcome *outcome)
{
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
        trn_history_publish(batch->history, batch->group, &batch->deltas);
    }
    trn_batch_finish(batch, outcome);
    return TRN_RESULT_OK;
}
