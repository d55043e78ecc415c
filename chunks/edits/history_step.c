// Undo and redo. A step is a batch without a history. The notes of its group stay as they are,
// whatever has happened to the voxels since.

#include "edits/batch_impl.h"

#include <stdalign.h>
#include <string.h>

/// Opens the batch of a step. @param group  NULL where there is no step to make
static TrnResult step_begin(TrnHistory *history, const TrnGroup *group, TrnBatch **batch)
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
        (*batch)->counts = true;
    }
    return result;
}

/// A step that could not be made.
static TrnResult step_fail(TrnHistory *history, TrnBatch *batch, TrnNotes *notes, TrnResult result)
{
    const TrnResult refusal = trn_store_result(history->edits->store, result);
    trn_notes_free(history, notes);
    trn_batch_cancel(batch);
    return refusal;
}

/// Notes by chunk, and for each in their order.
static bool note_comes_before(const TrnNote *a, const TrnNote *b)
{
    if (a->coord.x != b->coord.x) {
        return a->coord.x < b->coord.x;
    }
    if (a->coord.y != b->coord.y) {
        return a->coord.y < b->coord.y;
    }
    return a->coord.z != b->coord.z ? a->coord.z < b->coord.z : a->serial < b->serial;
}

/// Shell's sort, with the gaps of R. Sedgewick (1982). The C library's may take memory that nobody
/// has counted.
static void sort_notes(TrnNote **notes, size_t count)
{
    size_t power = 1;
    while (power * power < count) {
        power *= 2;
    }
    for (; power >= 1; power /= 2) {
        const size_t gap = power > 1 ? power * power + 3 * power / 2 + 1 : 1;
        for (size_t i = gap; i < count; i++) {
            TrnNote *note = notes[i];
            size_t at = i;
            for (; at >= gap && note_comes_before(note, notes[at - gap]); at -= gap) {
                notes[at] = notes[at - gap];
            }
            notes[at] = note;
        }
    }
}

/// What several changes of one chunk come to: of each voxel what the first found, and what the last
/// left.
typedef struct NetChange {
    TrnBlock before[TRN_CHUNK_VOXELS], after[TRN_CHUNK_VOXELS];
    uint32_t rows[TRN_CHUNK_ROWS]; ///< which voxels any of them changed
} NetChange;

/// What it takes to write what a group changed.
typedef struct StepWork {
    TrnBatch *batch;
    const TrnAllocator *scratch;
    TrnRunSide side;
    TrnNote **notes; ///< [count] those of changes that were made
    size_t count;
    NetChange *net;   ///< scratch, once a chunk has several
    TrnEditRuns runs; ///< what they come to
} StepWork;

static TrnResult step_list_notes(StepWork *work, const TrnGroup *group)
{
    for (const TrnNote *note = group->notes.oldest; note; note = note->newer) {
        work->count += !note->is_pending;
    }
    if (work->count == 0) {
        return TRN_RESULT_OK;
    }
    const size_t bytes = work->count * sizeof(TrnNote *);
    work->notes = trn_take(work->scratch, bytes, alignof(TrnNote *));
    if (!work->notes) {
        return TRN_RESULT_NO_MEMORY;
    }
    size_t at = 0;
    for (TrnNote *note = group->notes.oldest; note; note = note->newer) {
        if (!note->is_pending) {
            work->notes[at++] = note;
        }
    }
    sort_notes(work->notes, work->count);
    return TRN_RESULT_OK;
}

static void net_add(NetChange *net, const TrnEditRun *run)
{
    for (uint32_t at = run->first; at <= run->last; at++) {
        uint32_t *row = &net->rows[at >> TRN_CHUNK_SHIFT];
        const uint32_t bit = UINT32_C(1) << (at & (TRN_CHUNK_EDGE - 1));
        net->before[at] = *row & bit ? net->before[at] : run->before;
        net->after[at] = run->after;
        *row |= bit;
    }
}

/// Adds the runs of one row of a net change.
static TrnResult net_row_runs(const NetChange *net, uint32_t row, TrnEditRuns *runs,
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

/// What several notes of one chunk come to. Painted, so that many of them cost what they changed
/// and no more.
static TrnResult step_find_net(StepWork *work, TrnNote *const *notes, size_t count)
{
    if (!work->net) {
        work->net = trn_take(work->scratch, sizeof *work->net, alignof(NetChange));
    }
    if (!work->net) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(work->net->rows, 0, sizeof work->net->rows);
    for (size_t i = 0; i < count; i++) {
        for (uint32_t run = 0; run < notes[i]->count; run++) {
            net_add(work->net, &notes[i]->runs[run]);
        }
    }
    TrnResult result = TRN_RESULT_OK;
    work->runs.count = 0;
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS && result == TRN_RESULT_OK; row++) {
        result = net_row_runs(work->net, row, &work->runs, work->scratch);
    }
    return result;
}

/// Writes what several notes of one chunk come to.
static TrnResult step_write_net(StepWork *work, TrnNote *const *notes, size_t count)
{
    TrnResult result = step_find_net(work, notes, count);
    return result == TRN_RESULT_OK && work->runs.count > 0
               ? trn_batch_write_runs(work->batch, notes[0]->coord, work->runs.runs,
                                      work->runs.count, work->side)
               : result;
}

static TrnResult step_write_notes(StepWork *work)
{
    TrnResult result = TRN_RESULT_OK;
    for (size_t i = 0, end; i < work->count && result == TRN_RESULT_OK; i = end) {
        const TrnNote *note = work->notes[i];
        for (end = i + 1; end < work->count; end++) {
            if (!trn_coord_equal(work->notes[end]->coord, note->coord)) {
                break;
            }
        }
        result = end - i == 1 ? trn_batch_write_runs(work->batch, note->coord, note->runs,
                                                     note->count, work->side)
                              : step_write_net(work, work->notes + i, end - i);
    }
    return result;
}

/// Writes what a group changed, or what was there before. A voxel that it changed and changed back
/// is none of that.
static TrnResult step_write(TrnBatch *batch, const TrnGroup *group, TrnRunSide side)
{
    StepWork work = {.batch = batch, .scratch = &batch->edits->batch_allocator, .side = side};
    TrnResult result = step_list_notes(&work, group);
    if (result == TRN_RESULT_OK) {
        result = step_write_notes(&work);
    }
    trn_give(work.scratch, work.notes, work.count * sizeof(TrnNote *));
    trn_give(work.scratch, work.net, sizeof *work.net);
    trn_edit_runs_free(&work.runs, work.scratch);
    return result;
}

/// Notes of what waits still, for doing it again.
static TrnResult undo_keep_pending(const TrnGroup *group, TrnNotes *kept)
{
    TrnResult result = TRN_RESULT_OK;
    for (const TrnSegment *at = group->segments.oldest; at && result == TRN_RESULT_OK;
         at = at->group_newer) {
        result =
            trn_notes_add(group->history, kept, at->record->coord, at->runs.runs, at->runs.count);
    }
    for (TrnNote *note = kept->oldest; note; note = note->newer) {
        note->is_pending = true;
    }
    return result;
}

/// The batch is published.
static void undo_finish(TrnHistory *history, TrnGroup *group, TrnNotes *kept)
{
    while (group->segments.oldest) {
        trn_pending_drop_segment(&history->edits->pending, group->segments.oldest);
    }
    trn_history_toggle(history, group, group->older);
    if (kept->is_overflowed) {
        history->dropped += history->redo_groups;
        trn_history_drop_redo(history);
        return;
    }
    trn_group_append_all(group, kept);
    trn_history_trim(history);
}

TrnResult trn_history_undo(TrnHistory *history, TrnBatchOutcome *outcome)
{
    TrnGroup *group = history->done;
    TrnBatch *batch;
    TrnNotes kept = {0};
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
        return step_fail(history, batch, &kept, result);
    }
    trn_batch_publish(batch, NULL);
    undo_finish(history, group, &kept);
    trn_batch_finish(batch, outcome);
    return TRN_RESULT_OK;
}

/// What it takes to do a group again.
typedef struct RedoWork {
    TrnBatch *batch;
    const TrnAllocator *scratch;
    TrnBlock *was; ///< [TRN_CHUNK_VOXELS], once something that waited meets its chunk
    TrnEditRuns noted;
    TrnNotes made; ///< of what waited, and changes a chunk now
} RedoWork;

/// Writes what waited to a chunk that is there now.
static TrnResult redo_write_loaded(RedoWork *work, TrnChunk *chunk, const TrnNote *note)
{
    TrnOpenChunk *open;
    TrnResult result = trn_batch_open(work->batch, chunk, &open);
    if (result == TRN_RESULT_OK && !work->was) {
        work->was = trn_take(work->scratch, TRN_CHUNK_BLOCKS_BYTES, TRN_CACHE_LINE);
        result = work->was ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    work->noted.count = 0;
    result = trn_edit_runs_write_noted(&open->edit, note->runs, note->count, work->was,
                                       &work->noted, work->scratch);
    return result == TRN_RESULT_OK && work->noted.count
               ? trn_notes_add(note->group->history, &work->made, note->coord, work->noted.runs,
                               work->noted.count)
               : result;
}

static TrnResult redo_write_pending(RedoWork *work, const TrnGroup *group)
{
    TrnResult result = TRN_RESULT_OK;
    work->batch->is_grouped = true;
    for (const TrnNote *note = group->notes.oldest; note && result == TRN_RESULT_OK;
         note = note->newer) {
        TrnChunk *chunk = note->is_pending ? trn_store_find(work->batch->store, note->coord) : NULL;
        if (chunk) {
            result = redo_write_loaded(work, chunk, note);
        } else if (note->is_pending) {
            result = trn_batch_write_runs(work->batch, note->coord, note->runs, note->count,
                                          TRN_RUN_AFTER);
        }
    }
    trn_give(work->scratch, work->was, TRN_CHUNK_BLOCKS_BYTES);
    trn_edit_runs_free(&work->noted, work->scratch);
    return result;
}

/// All that can fail.
static TrnResult redo_write(RedoWork *work, const TrnGroup *group)
{
    TrnResult result = step_write(work->batch, group, TRN_RUN_AFTER);
    if (result == TRN_RESULT_OK) {
        result = redo_write_pending(work, group);
    }
    return result == TRN_RESULT_OK ? trn_batch_prepare(work->batch) : result;
}

/// The batch is published: what waited either waits again, or has notes of what it changed.
static void redo_finish(TrnHistory *history, TrnGroup *group, TrnNotes *made)
{
    for (TrnNote *note = group->notes.oldest, *newer; note; note = newer) {
        newer = note->newer;
        if (note->is_pending) {
            trn_group_remove_note(group, note);
        }
    }
    trn_history_toggle(history, group, group);
    if (made->is_overflowed) {
        trn_history_overflow(history);
        return;
    }
    trn_group_append_all(group, made);
    trn_history_trim(history);
}

TrnResult trn_history_redo(TrnHistory *history, TrnBatchOutcome *outcome)
{
    TrnGroup *group = history->done ? history->done->newer : history->oldest;
    RedoWork work = {.scratch = &history->edits->batch_allocator};
    TrnResult result = step_begin(history, group, &work.batch);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = redo_write(&work, group);
    if (result != TRN_RESULT_OK) {
        return step_fail(history, work.batch, &work.made, result);
    }
    trn_batch_publish(work.batch, group);
    redo_finish(history, group, &work.made);
    trn_batch_finish(work.batch, outcome);
    return TRN_RESULT_OK;
}
