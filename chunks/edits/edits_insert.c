// What happens to pending edits when their chunk is inserted: the store's hooks.

#include "edits/history_impl.h"

#include <stdalign.h>

/// The state of applying pending edits to a chunk.
typedef struct InsertWork {
    const TrnAllocator *scratch;
    TrnVoxelEdit edit;
    TrnBlock *was; ///< [TRN_CHUNK_VOXELS], allocated for the first segment with a group
    TrnEditRuns noted;
    TrnNote *oldest, *newest; ///< notes for the groups
} InsertWork;

static void edits_insert_free_notes(TrnNote *note)
{
    for (TrnNote *newer; note; note = newer) {
        newer = note->newer;
        trn_note_free(note->group->history, note);
    }
}

static TrnResult edits_insert_note(InsertWork *work, const TrnSegment *segment)
{
    TrnNote *note;
    TrnResult result = trn_note_create(trn_segment_group(segment)->history, segment->record->coord,
                                       work->noted.runs, work->noted.count, &note);
    if (result == TRN_RESULT_OK) {
        note->group = trn_segment_group(segment);
        *(work->newest ? &work->newest->newer : &work->oldest) = note;
        work->newest = note;
    }
    return result;
}

static TrnResult edits_insert_apply_noted(InsertWork *work, const TrnSegment *segment)
{
    if (!work->was) {
        work->was = trn_take(work->scratch, TRN_CHUNK_BLOCKS_BYTES, TRN_CACHE_LINE);
    }
    if (!work->was) {
        return TRN_RESULT_NO_MEMORY;
    }
    work->noted.count = 0;
    TrnResult result =
        trn_edit_runs_write_noted(&work->edit, segment->runs.runs, segment->runs.count, work->was,
                                  &work->noted, work->scratch);
    return result == TRN_RESULT_OK && work->noted.count ? edits_insert_note(work, segment) : result;
}

static TrnResult edits_insert_apply(InsertWork *work, const TrnPendingChunk *record)
{
    TrnResult result = TRN_RESULT_OK;
    for (const TrnSegment *at = record->oldest; at && result == TRN_RESULT_OK; at = at->newer) {
        result = at->group ? edits_insert_apply_noted(work, at)
                           : trn_edit_runs_write(&work->edit, at->runs.runs, at->runs.count,
                                                 TRN_RUN_AFTER);
    }
    trn_give(work->scratch, work->was, TRN_CHUNK_BLOCKS_BYTES);
    trn_edit_runs_free(&work->noted, work->scratch);
    return result;
}

static TrnResult edits_insert_prepare(void *user, TrnCoord coord, TrnVoxels *voxels,
                                      uint64_t revision)
{
    TrnEdits *edits = user;
    const TrnPendingChunk *record = trn_pending_map_find(&edits->pending.map, coord);
    edits->inserting = NULL;
    if (!record) {
        return TRN_RESULT_OK;
    }
    InsertWork work = {.scratch = &edits->batch_allocator};
    trn_voxel_edit_begin(&work.edit, trn_store_voxel_heap(edits->store), voxels);
    TrnResult result = edits_insert_apply(&work, record);
    if (result != TRN_RESULT_OK) {
        trn_voxel_edit_cancel(&work.edit);
        edits_insert_free_notes(work.oldest);
        return result;
    }
    trn_voxel_edit_commit(&work.edit, revision);
    edits->inserting = work.oldest;
    return TRN_RESULT_OK;
}

static uint32_t edits_insert_publish(void *user, TrnCoord coord)
{
    TrnEdits *edits = user;
    const uint32_t runs = trn_pending_runs(&edits->pending, coord);
    for (TrnNote *note = edits->inserting, *newer; note; note = newer) {
        newer = note->newer;
        trn_group_append(note->group, note);
    }
    edits->inserting = NULL;
    // A history that drops a group takes segments out of it, which are merged then: look again
    // after each.
    for (TrnPendingChunk *record; (record = trn_pending_map_find(&edits->pending.map, coord));) {
        const TrnGroup *group = trn_segment_group(record->oldest);
        TrnHistory *history = group ? group->history : NULL;
        trn_pending_free_applied(&edits->pending, record);
        if (history) {
            trn_history_trim(history);
        }
    }
    return runs;
}

static void edits_insert_abandon(void *user, TrnCoord coord)
{
    TrnEdits *edits = user;
    (void)coord;
    edits_insert_free_notes(edits->inserting);
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
