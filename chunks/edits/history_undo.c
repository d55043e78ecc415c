// Undo and redo. A step is a batch that no history records. It writes the blocks of its group's
// deltas, regardless of later changes to the voxels, and does not change the deltas. In chunks that
// are not loaded, the batch makes the blocks pending (trn_batch_write_runs in batch.c).

#include "edits/batch_impl.h"

#include <stdalign.h>
#include <string.h>

// ---- steps -------------------------------------------------------------------------------------

/// Begins the batch of a step.
/// @param group  to undo or redo; NULL if there is none
/// Errors: BUSY, NOT_FOUND, and as trn_batch_create.
static TrnResult step_begin(TrnHistory *history, const TrnHistoryGroup *group, TrnBatch **batch)
{
    if (history->depth > 0 || history->open_batches > 0) {
        return TRN_RESULT_BUSY;
    }
    if (!group) {
        return TRN_RESULT_NOT_FOUND;
    }
    const TrnBatchDef def = trn_batch_def();
    TrnResult result = trn_batch_create(history->edits, &def, batch);
    if (result == TRN_RESULT_OK) {
        (*batch)->counts_voxels = true;
    }
    return result;
}

/// Sets the images of a group that a published step has written. Those of deltas that it wrote run
/// by run are of no use any more.
static void step_turn_images(TrnHistory *history, TrnHistoryGroup *group, uint64_t revision)
{
    for (TrnEditDelta *delta = group->deltas.oldest; delta; delta = delta->newer) {
        trn_history_image_free(history, &delta->image);
        delta->image = delta->next_image;
        delta->image_revision = revision;
        delta->next_image = 0;
    }
}

/// Discards the batch and the deltas of a step that failed.
/// @return the result to report
static TrnResult step_fail(TrnHistory *history, TrnHistoryGroup *group, TrnBatch *batch,
                           TrnEditDeltas *deltas, TrnResult result)
{
    const TrnResult refusal = trn_store_result(history->edits->store, result);
    for (TrnEditDelta *delta = group->deltas.oldest; delta; delta = delta->newer) {
        trn_history_image_free(history, &delta->next_image);
    }
    trn_edit_deltas_free(history, deltas);
    trn_batch_cancel(batch);
    return refusal;
}

/// Orders deltas by chunk, and those of one chunk from old to new.
static bool step_delta_precedes(const TrnEditDelta *a, const TrnEditDelta *b)
{
    if (a->coord.x != b->coord.x) {
        return a->coord.x < b->coord.x;
    }
    if (a->coord.y != b->coord.y) {
        return a->coord.y < b->coord.y;
    }
    return a->coord.z != b->coord.z ? a->coord.z < b->coord.z : a->serial < b->serial;
}

/// Shell sort with the gaps of R. Sedgewick (1982). The C library's qsort may allocate memory past
/// the store's allocator.
static void step_sort_deltas(TrnEditDelta **deltas, size_t count)
{
    size_t power = 1;
    while (power * power < count) {
        power *= 2;
    }
    for (; power >= 1; power /= 2) {
        const size_t gap = power > 1 ? power * power + 3 * power / 2 + 1 : 1;
        for (size_t i = gap; i < count; i++) {
            TrnEditDelta *delta = deltas[i];
            size_t at = i;
            for (; at >= gap && step_delta_precedes(delta, deltas[at - gap]); at -= gap) {
                deltas[at] = deltas[at - gap];
            }
            deltas[at] = delta;
        }
    }
}

/// The net effect of several deltas of one chunk: for each voxel, the block before the first and
/// the block after the last.
typedef struct StepNet {
    TrnBlock before[TRN_CHUNK_VOXELS], after[TRN_CHUNK_VOXELS];
    uint32_t rows[TRN_CHUNK_ROWS];      ///< bits of the voxels that any delta changed
    uint16_t data_at[TRN_CHUNK_VOXELS]; ///< place of the change of data, plus one; 0: none
} StepNet;

/// The state of writing a group's deltas.
typedef struct StepWork {
    TrnBatch *batch;
    const TrnAllocator *scratch;
    TrnRunSide side;
    TrnEditDelta **deltas; ///< [count] those that are not pending, sorted
    size_t count;
    StepNet *net;        ///< allocated for the first chunk with several deltas
    TrnEditRuns runs;    ///< the net effect as runs
    TrnDataChanges data; ///< and on block data
} StepWork;

static TrnResult step_list_deltas(StepWork *work, const TrnHistoryGroup *group)
{
    for (const TrnEditDelta *delta = group->deltas.oldest; delta; delta = delta->newer) {
        work->count += !delta->is_pending;
    }
    if (work->count == 0) {
        return TRN_RESULT_OK;
    }
    const size_t bytes = work->count * sizeof(TrnEditDelta *);
    work->deltas = trn_take(work->scratch, bytes, alignof(TrnEditDelta *));
    if (!work->deltas) {
        return TRN_RESULT_NO_MEMORY;
    }
    size_t at = 0;
    for (TrnEditDelta *delta = group->deltas.oldest; delta; delta = delta->newer) {
        if (!delta->is_pending) {
            work->deltas[at++] = delta;
        }
    }
    step_sort_deltas(work->deltas, work->count);
    return TRN_RESULT_OK;
}

static void step_net_add(StepNet *net, const TrnEditRun *run)
{
    for (uint32_t at = run->first; at <= run->last; at++) {
        uint32_t *row = &net->rows[at >> TRN_CHUNK_SHIFT];
        const uint32_t bit = UINT32_C(1) << (at & (TRN_CHUNK_EDGE - 1));
        net->before[at] = *row & bit ? net->before[at] : run->before;
        net->after[at] = run->after;
        *row |= bit;
    }
}

/// Appends the runs of one row of a net effect.
static TrnResult step_net_add_row_runs(const StepNet *net, uint32_t row, TrnEditRuns *runs,
                                       const TrnAllocator *allocator)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t bits = net->rows[row]; bits && result == TRN_RESULT_OK; bits &= bits - 1) {
        const uint32_t at = row * TRN_CHUNK_EDGE + (uint32_t)__builtin_ctz(bits);
        if (net->before[at] != net->after[at]) {
            const TrnEditRun run = {(uint16_t)at, (uint16_t)at, net->before[at], net->after[at]};
            result = trn_edit_runs_add(runs, allocator, run);
        }
    }
    return result;
}

/// Finds the net effect of several deltas of one chunk, in O(voxels that they changed).
static TrnResult step_find_net(StepWork *work, TrnEditDelta *const *deltas, size_t count)
{
    if (!work->net) {
        work->net = trn_take(work->scratch, sizeof *work->net, alignof(StepNet));
    }
    if (!work->net) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(work->net->rows, 0, sizeof work->net->rows);
    for (size_t i = 0; i < count; i++) {
        for (uint32_t run = 0; run < deltas[i]->count; run++) {
            step_net_add(work->net, &deltas[i]->runs[run]);
        }
    }
    TrnResult result = TRN_RESULT_OK;
    work->runs.count = 0;
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS && result == TRN_RESULT_OK; row++) {
        result = step_net_add_row_runs(work->net, row, &work->runs, work->scratch);
    }
    return result;
}

/// Finds the net effect of several deltas of one chunk on its block data.
static TrnResult step_find_net_data(StepWork *work, TrnEditDelta *const *deltas, size_t count)
{
    uint32_t changes = 0;
    work->data.count = 0;
    for (size_t i = 0; i < count; i++) {
        changes += deltas[i]->data_count;
    }
    TrnResult result = trn_array_reserve(&work->data, work->scratch, changes);
    if (result != TRN_RESULT_OK || changes == 0) {
        return result;
    }
    memset(work->net->data_at, 0, sizeof work->net->data_at);
    for (size_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < deltas[i]->data_count; c++) {
            const TrnDataChange *change = &deltas[i]->data[c];
            uint16_t *at = &work->net->data_at[change->index];
            if (*at) {
                work->data.items[*at - 1].after = change->after;
            } else {
                work->data.items[work->data.count] = *change;
                *at = (uint16_t)++work->data.count;
            }
        }
    }
    return result;
}

/// Writes the block data of one side of some changes: what it removes first, so that a chunk at its
/// limit has capacity for the rest.
static TrnResult step_put_data(const StepWork *work, TrnOpenChunk *open,
                               const TrnDataChange *changes, uint32_t count)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
            TrnDataEntry entry =
                work->side == TRN_RUN_BEFORE ? changes[i].before : changes[i].after;
            entry.index = changes[i].index;
            if ((entry.blob != NULL) == (pass == 1) && !trn_data_change_is_none(&changes[i])) {
                result = trn_edit_put_data(trn_edit_state(&open->edit), &entry);
            }
        }
    }
    return result;
}

/// Writes block data, after the blocks that it belongs to. It cannot be pending.
static TrnResult step_write_data(const StepWork *work, TrnCoord coord, const TrnDataChange *changes,
                                 uint32_t count)
{
    if (count == 0) {
        return TRN_RESULT_OK;
    }
    TrnChunk *chunk = trn_store_find(work->batch->store, coord);
    TrnOpenChunk *open;
    if (!chunk) {
        return TRN_RESULT_BUSY;
    }
    const TrnResult result = trn_batch_open(work->batch, chunk, &open);
    return result == TRN_RESULT_OK ? step_put_data(work, open, changes, count) : result;
}

/// Writes the net effect of several deltas of one chunk.
static TrnResult step_write_net(StepWork *work, TrnEditDelta *const *deltas, size_t count)
{
    TrnResult result = step_find_net(work, deltas, count);
    if (result == TRN_RESULT_OK && work->runs.count > 0) {
        result = trn_batch_write_runs(work->batch, deltas[0]->coord, work->runs.items,
                                      work->runs.count, work->side);
    }
    if (result == TRN_RESULT_OK) {
        result = step_find_net_data(work, deltas, count);
    }
    return result == TRN_RESULT_OK
               ? step_write_data(work, deltas[0]->coord, work->data.items, work->data.count)
               : result;
}

/// Makes a chunk what the image of its only delta is, if nothing has changed it since.
/// @param is_written  receives whether it did
static TrnResult step_write_image(const StepWork *work, TrnEditDelta *delta, bool *is_written)
{
    TrnBatch *batch = work->batch;
    TrnOpenChunk *open;
    TrnChunk *chunk =
        delta->image && !delta->data_count ? trn_store_find(batch->store, delta->coord) : NULL;
    const TrnSnapshot now =
        chunk ? trn_voxels_snapshot(&chunk->voxels) : trn_snapshot_of(TRN_BLOCK_AIR, 0);
    *is_written = chunk && trn_snapshot_revision(now) == delta->image_revision &&
                  !trn_snapshot_is_omitted(now) && !trn_snapshot_data(now);
    if (!*is_written) {
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_batch_open(batch, chunk, &open);
    if (result == TRN_RESULT_OK) {
        result = trn_history_image_create(delta->group->history, now, &delta->next_image);
    }
    if (result == TRN_RESULT_OK) {
        result = trn_edit_restore(trn_edit_state(&open->edit), (TrnSnapshot){delta->image},
                                  trn_edit_runs_halves(delta->runs, delta->count));
    }
    if (result == TRN_RESULT_OK) {
        open->known = delta->runs;
        open->known_count = delta->count;
    }
    return result;
}

/// Writes the only delta of a chunk.
static TrnResult step_write_delta(const StepWork *work, TrnEditDelta *delta)
{
    bool is_written;
    TrnResult result = step_write_image(work, delta, &is_written);
    if (is_written || result != TRN_RESULT_OK) {
        return result;
    }
    result = delta->count ? trn_batch_write_runs(work->batch, delta->coord, delta->runs,
                                                 delta->count, work->side)
                          : TRN_RESULT_OK;
    return result == TRN_RESULT_OK
               ? step_write_data(work, delta->coord, delta->data, delta->data_count)
               : result;
}

static TrnResult step_write_deltas(StepWork *work)
{
    TrnResult result = TRN_RESULT_OK;
    for (size_t i = 0, end; i < work->count && result == TRN_RESULT_OK; i = end) {
        TrnEditDelta *delta = work->deltas[i];
        for (end = i + 1; end < work->count; end++) {
            if (!trn_coord_equal(work->deltas[end]->coord, delta->coord)) {
                break;
            }
        }
        result = end - i == 1 ? step_write_delta(work, delta)
                              : step_write_net(work, work->deltas + i, end - i);
    }
    return result;
}

/// Writes the blocks before or after a group into the voxels that differ by it. Voxels that the
/// group changed and changed back are not written.
static TrnResult step_write(TrnBatch *batch, const TrnHistoryGroup *group, TrnRunSide side)
{
    StepWork work = {.batch = batch, .scratch = &batch->edits->batch_allocator, .side = side};
    TrnResult result = step_list_deltas(&work, group);
    if (result == TRN_RESULT_OK) {
        result = step_write_deltas(&work);
    }
    trn_give(work.scratch, work.deltas, work.count * sizeof(TrnEditDelta *));
    trn_give(work.scratch, work.net, sizeof *work.net);
    trn_array_free(&work.runs, work.scratch);
    trn_array_free(&work.data, work.scratch);
    return result;
}

// ---- undo --------------------------------------------------------------------------------------

/// Collects deltas of the group's pending edits, so that redo can make them pending again.
static TrnResult undo_keep_pending(const TrnHistoryGroup *group, TrnEditDeltas *kept)
{
    TrnResult result = TRN_RESULT_OK;
    for (const TrnSegment *at = group->segments.oldest; at && result == TRN_RESULT_OK;
         at = at->group_newer) {
        const TrnEditDiff diff = {.runs = at->runs.items, .count = at->runs.count};
        result = trn_edit_deltas_add(group->history, kept, at->record->coord, &diff);
    }
    for (TrnEditDelta *delta = kept->oldest; delta; delta = delta->newer) {
        delta->is_pending = true;
    }
    return result;
}

/// Ends an undo whose batch is published: drops the group's pending edits, and keeps their deltas.
/// @param revision  of the chunks that it changed
static void undo_finish(TrnHistory *history, TrnHistoryGroup *group, TrnEditDeltas *kept,
                        uint64_t revision)
{
    step_turn_images(history, group, revision);
    while (group->segments.oldest) {
        trn_pending_drop_segment(&history->edits->pending, group->segments.oldest);
    }
    trn_history_toggle(history, group, group->older);
    if (kept->is_overflowed) {
        history->dropped += history->redo_groups;
        trn_history_drop_redo(history);
        return;
    }
    trn_history_group_append_all(group, kept);
    trn_history_trim(history);
}

TrnResult trn_history_undo(TrnHistory *history, TrnBatchOutcome *outcome)
{
    TrnHistoryGroup *group = history->done;
    TrnBatch *batch;
    TrnEditDeltas kept = {0};
    TrnResult result = step_begin(history, group, &batch);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = step_write(batch, group, TRN_RUN_BEFORE);
    if (result == TRN_RESULT_OK) {
        result = undo_keep_pending(group, &kept);
    }
    if (result == TRN_RESULT_OK) {
        result = trn_batch_prepare(batch);
    }
    if (result != TRN_RESULT_OK) {
        return step_fail(history, group, batch, &kept, result);
    }
    trn_batch_publish(batch, NULL);
    undo_finish(history, group, &kept, batch->outcome.revision);
    trn_batch_finish(batch, outcome);
    return TRN_RESULT_OK;
}

// ---- redo --------------------------------------------------------------------------------------

/// The state of redoing a group.
typedef struct RedoWork {
    TrnBatch *batch;
    const TrnAllocator *scratch;
    /// [TRN_CHUNK_VOXELS], allocated for the first pending delta whose chunk is loaded.
    TrnBlock *was;
    TrnEditRuns diff;
    TrnDataChanges data; ///< what the diff removed
    TrnEditDeltas made;  ///< what pending deltas changed in loaded chunks
} RedoWork;

/// Writes a pending delta to its chunk, which has been loaded since.
static TrnResult redo_write_loaded(RedoWork *work, TrnChunk *chunk, const TrnEditDelta *delta)
{
    TrnOpenChunk *open;
    TrnResult result = trn_batch_open(work->batch, chunk, &open);
    if (result == TRN_RESULT_OK) {
        open->known = NULL;
    }
    if (result == TRN_RESULT_OK && !work->was) {
        work->was = trn_take(work->scratch, TRN_CHUNK_BLOCKS_BYTES, TRN_CACHE_LINE);
        result = work->was ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    work->diff.count = 0;
    result = trn_edit_runs_write_diff(&open->edit, delta->runs, delta->count, work->was,
                                      &work->diff, work->scratch);
    if (result == TRN_RESULT_OK) {
        result = trn_history_lost_data(trn_edit_state(&open->edit), &work->diff, &work->data,
                                       work->scratch);
    }
    const TrnEditDiff diff = {0, work->diff.items, work->diff.count, work->data.items,
                              work->data.count};
    return result == TRN_RESULT_OK && diff.count
               ? trn_edit_deltas_add(delta->group->history, &work->made, delta->coord, &diff)
               : result;
}

static TrnResult redo_write_pending(RedoWork *work, const TrnHistoryGroup *group)
{
    TrnResult result = TRN_RESULT_OK;
    work->batch->is_grouped = true;
    for (const TrnEditDelta *delta = group->deltas.oldest; delta && result == TRN_RESULT_OK;
         delta = delta->newer) {
        TrnChunk *chunk =
            delta->is_pending ? trn_store_find(work->batch->store, delta->coord) : NULL;
        if (chunk) {
            result = redo_write_loaded(work, chunk, delta);
        } else if (delta->is_pending) {
            result = trn_batch_write_runs(work->batch, delta->coord, delta->runs, delta->count,
                                          TRN_RUN_AFTER);
        }
    }
    trn_give(work->scratch, work->was, TRN_CHUNK_BLOCKS_BYTES);
    trn_array_free(&work->diff, work->scratch);
    trn_array_free(&work->data, work->scratch);
    return result;
}

/// Every part of a redo that can fail.
static TrnResult redo_write(RedoWork *work, const TrnHistoryGroup *group)
{
    TrnResult result = step_write(work->batch, group, TRN_RUN_AFTER);
    if (result == TRN_RESULT_OK) {
        result = redo_write_pending(work, group);
    }
    return result == TRN_RESULT_OK ? trn_batch_prepare(work->batch) : result;
}

/// Ends a redo whose batch is published. The group's pending deltas are pending edits again, or
/// were replaced by deltas of what they changed.
/// @param revision  of the chunks that it changed
static void redo_finish(TrnHistory *history, TrnHistoryGroup *group, TrnEditDeltas *made,
                        uint64_t revision)
{
    step_turn_images(history, group, revision);
    for (TrnEditDelta *delta = group->deltas.oldest, *newer; delta; delta = newer) {
        newer = delta->newer;
        if (delta->is_pending) {
            trn_history_group_remove(group, delta);
        }
    }
    trn_history_toggle(history, group, group);
    if (made->is_overflowed) {
        trn_history_overflow(history);
        return;
    }
    trn_history_group_append_all(group, made);
    trn_history_trim(history);
}

TrnResult trn_history_redo(TrnHistory *history, TrnBatchOutcome *outcome)
{
    TrnHistoryGroup *group = history->done ? history->done->newer : history->oldest;
    RedoWork work = {.scratch = &history->edits->batch_allocator};
    TrnResult result = step_begin(history, group, &work.batch);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = redo_write(&work, group);
    if (result != TRN_RESULT_OK) {
        return step_fail(history, group, work.batch, &work.made, result);
    }
    trn_batch_publish(work.batch, group);
    redo_finish(history, group, &work.made, work.batch->outcome.revision);
    trn_batch_finish(work.batch, outcome);
    return TRN_RESULT_OK;
}
