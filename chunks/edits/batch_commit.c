// Committing a batch in two parts: what can fail, then what cannot.

#include "edits/batch_impl.h"

#include <string.h>

// ---- commit: what can fail ---------------------------------------------------------------------

/// Chunks that have come since the batch let changes wait for them take these up.
static TrnResult batch_open_arrived(TrnBatch *batch)
{
    const TrnPendingMap *map = &batch->pending;
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t at = 0; at < map->capacity && result == TRN_RESULT_OK;) {
        TrnChunk *chunk =
            map->places[at] ? trn_store_find(batch->store, map->places[at]->coord) : NULL;
        TrnOpenChunk *open;
        if (!chunk) {
            at++;
            continue;
        }
        // Whoever stood behind may stand here now: the same place again.
        result = trn_batch_open(batch, chunk, &open);
    }
    return result;
}

/// Whether it is sure, without a look at voxels, that two snapshots differ: they count the same
/// blocks differently.
static bool counts_differ(TrnSnapshot a, TrnSnapshot b)
{
    if (trn_snapshot_is_uniform(a) || trn_snapshot_is_uniform(b)) {
        return false;
    }
    const TrnPayload *of_a = trn_snapshot_payload(a), *of_b = trn_snapshot_payload(b);
    const uint32_t entries =
        of_a->palette_count < of_b->palette_count ? of_a->palette_count : of_b->palette_count;
    const size_t bytes = entries * sizeof(TrnBlock);
    return bytes > 0 && // with 16 bits there are none
           memcmp(trn_payload_palette(of_a), trn_payload_palette(of_b), bytes) == 0 &&
           memcmp(trn_payload_counts(of_a), trn_payload_counts(of_b), bytes) != 0;
}

/// What a commit needs to know of the chunks.
typedef struct CommitWork {
    TrnBatch *batch;
    bool is_noted, is_heard;
    TrnEditRuns runs; ///< scratch
} CommitWork;

static TrnResult commit_note(CommitWork *work, const TrnOpenChunk *open, TrnSnapshot before,
                             TrnSnapshot after, const uint32_t *rows)
{
    TrnBatch *batch = work->batch;
    work->runs.count = 0;
    TrnResult result =
        trn_edit_runs_add_diff(&work->runs, &batch->edits->batch_allocator, before, after, rows);
    return result == TRN_RESULT_OK
               ? trn_notes_add(batch->history, &batch->notes, open->chunk->coord, work->runs.runs,
                               work->runs.count)
               : result;
}

/// Finds out which voxels have changed.
static TrnResult commit_compare(CommitWork *work, TrnOpenChunk *open, TrnSnapshot before,
                                TrnSnapshot after)
{
    uint32_t rows[TRN_CHUNK_ROWS];
    const uint32_t voxels = trn_snapshot_diff(before, after, rows);
    work->batch->outcome.changed_voxels += work->batch->counts ? voxels : 0;
    open->is_changed = voxels > 0;
    open->around = work->is_heard ? trn_mask_around(rows) : 0;
    return open->is_changed && work->is_noted ? commit_note(work, open, before, after, rows)
                                              : TRN_RESULT_OK;
}

static TrnResult commit_look(CommitWork *work, TrnOpenChunk *open)
{
    const TrnEditState *edit = trn_edit_state(&open->edit);
    const TrnSnapshot before = {edit->base}, after = trn_edit_now(edit);
    TrnResult result = TRN_RESULT_OK;
    if (!edit->is_changed) {
        return result;
    }
    if (work->batch->counts || work->is_heard) {
        result = commit_compare(work, open, before, after);
    } else {
        open->is_changed = counts_differ(before, after) || !trn_snapshot_equal(before, after);
    }
    work->batch->outcome.changed_chunks += open->is_changed;
    return result;
}

static TrnResult batch_look_at_chunks(TrnBatch *batch)
{
    CommitWork work = {.batch = batch,
                       .is_noted = batch->history && !batch->history->is_spoiled,
                       .is_heard = trn_store_has_listener(batch->store, TRN_EVENT_CHANGED)};
    TrnResult result = TRN_RESULT_OK;
    for (TrnOpenChunk *open = batch->first; open && result == TRN_RESULT_OK; open = open->next) {
        result = commit_look(&work, open);
    }
    trn_edit_runs_free(&work.runs, &batch->edits->batch_allocator);
    return result;
}

/// Whether a commit would leave anything behind.
static bool batch_does_something(const TrnBatch *batch)
{
    return batch->outcome.changed_chunks > 0 || batch->pending.count > 0;
}

static TrnResult batch_prepare_parts(TrnBatch *batch)
{
    TrnPending *pending = &batch->edits->pending;
    TrnResult result = batch_open_arrived(batch);
    if (result == TRN_RESULT_OK) {
        result = batch_look_at_chunks(batch);
    }
    if (result == TRN_RESULT_OK && batch->history && batch_does_something(batch)) {
        result = trn_history_acquire_group(batch->history, &batch->group);
    }
    // Last, since the store keeps that room also where something fails.
    return result == TRN_RESULT_OK
               ? trn_pending_map_reserve(&pending->map, pending->allocator, batch->pending.count)
               : result;
}

TrnResult trn_batch_prepare(TrnBatch *batch)
{
    return batch->result == TRN_RESULT_OK ? trn_batch_end_call(batch, batch_prepare_parts(batch))
                                          : batch->result;
}

// ---- commit: what cannot -----------------------------------------------------------------------

/// Publishes what has changed in a chunk.
static void open_publish(TrnBatch *batch, TrnOpenChunk *open, uint64_t revision)
{
    if (open->is_changed) {
        trn_voxel_edit_commit(&open->edit, revision);
        trn_store_add_changed(batch->store, open->chunk, revision, open->around);
    } else {
        trn_voxel_edit_cancel(&open->edit);
    }
    trn_batch_close(batch, open);
}

static void commit_publish_pending(TrnBatch *batch, TrnGroup *group)
{
    TrnPending *pending = &batch->edits->pending;
    TrnPendingMap *map = &batch->pending;
    batch->outcome.pending_chunks = map->count;
    for (uint32_t at = 0; at < map->capacity; at++) {
        if (map->places[at]) {
            trn_pending_merge(pending, map->places[at], group ? &group->segments : NULL);
            map->places[at] = NULL;
        }
    }
}

void trn_batch_publish(TrnBatch *batch, TrnGroup *group)
{
    const uint64_t revision = trn_store_next_revision(batch->store);
    for (TrnOpenChunk *open = batch->first, *next; open; open = next) {
        next = open->next;
        open_publish(batch, open, revision);
    }
    batch->first = NULL;
    commit_publish_pending(batch, group);
    batch->outcome.revision = batch->outcome.changed_chunks ? revision : revision - 1;
}

void trn_batch_finish(TrnBatch *batch, TrnBatchOutcome *outcome)
{
    TrnStore *store = batch->store;
    const TrnBatchOutcome came_to = batch->outcome;
    if (outcome) {
        *outcome = came_to;
    }
    trn_batch_free(batch);
    if (came_to.changed_chunks > 0) {
        trn_store_end_change(store, came_to.revision);
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
    const bool is_history_made = batch->history && batch_does_something(batch);
    trn_batch_publish(batch, batch->group);
    if (is_history_made) {
        trn_history_publish(batch->history, batch->group, &batch->notes);
    }
    trn_batch_finish(batch, outcome);
    return TRN_RESULT_OK;
}
