// Applies pending edits when their chunk is inserted: the hooks that a store calls.

#include "edits/history_impl.h"

#include <stdalign.h>

/// The state of applying pending edits to a chunk that is being inserted.
typedef struct EditsInsertWork {
    const TrnAllocator *scratch;
    TrnVoxelEdit edit;
    TrnBlock *was; ///< [TRN_CHUNK_VOXELS] scratch, allocated for the first segment with a group
    TrnEditRuns diff;
    TrnDataChanges data;           ///< what the diff removed
    TrnEditDelta *oldest, *newest; ///< deltas for the segments' groups, linked by `newer`
} EditsInsertWork;

static void edits_insert_free_deltas(TrnEditDelta *delta)
{
    for (TrnEditDelta *newer; delta; delta = newer) {
        newer = delta->newer;
        trn_edit_delta_free(delta->group->history, delta);
    }
}

/// Records what a segment changed, for its group.
static TrnResult edits_insert_record(EditsInsertWork *work, const TrnSegment *segment)
{
    TrnEditDelta *delta;
    TrnResult result =
        trn_history_lost_data(trn_edit_state(&work->edit), &work->diff, &work->data, work->scratch);
    const TrnEditDiff diff = {work->diff.items, work->diff.count, work->data.items,
                              work->data.count};
    if (result == TRN_RESULT_OK) {
        result = trn_edit_delta_create(trn_history_group_of(segment)->history,
                                       segment->record->coord, &diff, &delta);
    }
    if (result == TRN_RESULT_OK) {
        delta->group = trn_history_group_of(segment);
        *(work->newest ? &work->newest->newer : &work->oldest) = delta;
        work->newest = delta;
    }
    return result;
}

/// Applies a segment that has a group, and records what it changed.
static TrnResult edits_insert_apply_recorded(EditsInsertWork *work, const TrnSegment *segment)
{
    if (!work->was) {
        work->was = trn_take(work->scratch, TRN_CHUNK_BLOCKS_BYTES, TRN_CACHE_LINE);
    }
    if (!work->was) {
        return TRN_RESULT_NO_MEMORY;
    }
    work->diff.count = 0;
    TrnResult result =
        trn_edit_runs_write_diff(&work->edit, segment->runs.items, segment->runs.count, work->was,
                                 &work->diff, work->scratch);
    return result == TRN_RESULT_OK && work->diff.count ? edits_insert_record(work, segment)
                                                       : result;
}

/// Applies all segments of a record, oldest first.
static TrnResult edits_insert_apply(EditsInsertWork *work, const TrnPendingChunk *record)
{
    TrnResult result = TRN_RESULT_OK;
    for (const TrnSegment *at = record->oldest; at && result == TRN_RESULT_OK; at = at->newer) {
        result = at->group ? edits_insert_apply_recorded(work, at)
                           : trn_edit_runs_write(&work->edit, at->runs.items, at->runs.count,
                                                 TRN_RUN_AFTER);
    }
    trn_give(work->scratch, work->was, TRN_CHUNK_BLOCKS_BYTES);
    trn_array_free(&work->diff, work->scratch);
    trn_array_free(&work->data, work->scratch);
    return result;
}

// ---- hooks -------------------------------------------------------------------------------------

static TrnResult edits_insert_prepare(void *user, TrnCoord coord, TrnVoxels *voxels,
                                      uint64_t revision)
{
    TrnEdits *edits = user;
    const TrnPendingChunk *record = trn_pending_find(&edits->pending.chunks, coord);
    EditsInsertWork work = {.scratch = &edits->batch_allocator};
    trn_voxel_edit_begin(&work.edit, trn_store_voxel_heap(edits->store), voxels);
    TrnResult result = edits_insert_apply(&work, record);
    if (result != TRN_RESULT_OK) {
        trn_voxel_edit_cancel(&work.edit);
        edits_insert_free_deltas(work.oldest);
        return result;
    }
    trn_voxel_edit_commit(&work.edit, revision);
    edits->inserting = work.oldest;
    return TRN_RESULT_OK;
}

static void edits_insert_publish(void *user, TrnCoord coord)
{
    TrnEdits *edits = user;
    for (TrnEditDelta *delta = edits->inserting, *newer; delta; delta = newer) {
        newer = delta->newer;
        trn_history_group_append(delta->group, delta);
    }
    edits->inserting = NULL;
    // Trimming a history can drop groups, which merges segments. So find the record again after
    // each.
    for (TrnPendingChunk *record; (record = trn_pending_find(&edits->pending.chunks, coord));) {
        const TrnHistoryGroup *group = trn_history_group_of(record->oldest);
        TrnHistory *history = group ? group->history : NULL;
        trn_pending_free_applied(&edits->pending, record);
        if (history) {
            trn_history_trim(history);
        }
    }
}

static void edits_insert_abandon(void *user)
{
    TrnEdits *edits = user;
    edits_insert_free_deltas(edits->inserting);
    edits->inserting = NULL;
}

static uint32_t edits_insert_pending_runs(const void *user, TrnCoord coord)
{
    const TrnEdits *edits = user;
    return trn_pending_runs(&edits->pending, coord);
}

TrnStoreHooks trn_edits_insert_hooks(TrnEdits *edits)
{
    return (TrnStoreHooks){.pending_runs = edits_insert_pending_runs,
                           .prepare_insert = edits_insert_prepare,
                           .publish_insert = edits_insert_publish,
                           .abandon_insert = edits_insert_abandon,
                           .user = edits};
}
