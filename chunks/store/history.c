// Undo and redo: groups of notes, oldest first. Those up to `done` can be undone, those after it
// done again. A step of either is a batch without a history; the notes stay as they are, whatever
// has happened to the voxels since.

#include "batch_impl.h"

#include <stdalign.h>
#include <string.h>

#define HISTORY_BYTES_MAX ((size_t)16 << 20)

// ---- notes -------------------------------------------------------------------------------------

static size_t note_bytes(uint32_t count)
{
    return sizeof(TrnNote) + count * sizeof(TrnEditRun);
}

TrnResult trn_note_create(const TrnHistory *history, TrnCoord coord, const TrnEditRun *runs,
                          uint32_t count, TrnNote **note)
{
    TrnNote *made = trn_take(&history->allocator, note_bytes(count), alignof(TrnNote));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnNote){.coord = coord, .count = count};
    memcpy(made->runs, runs, count * sizeof *runs);
    *note = made;
    return TRN_RESULT_OK;
}

void trn_note_free(const TrnHistory *history, TrnNote *note)
{
    trn_give(&history->allocator, note, note_bytes(note->count));
}

static void notes_append(TrnNotes *notes, TrnNote *note)
{
    note->older = notes->newest;
    note->newer = NULL;
    *(notes->newest ? &notes->newest->newer : &notes->oldest) = note;
    notes->newest = note;
    notes->bytes += note_bytes(note->count);
}

static void notes_take_out(TrnNotes *notes, TrnNote *note)
{
    *(note->older ? &note->older->newer : &notes->oldest) = note->newer;
    *(note->newer ? &note->newer->older : &notes->newest) = note->older;
    notes->bytes -= note_bytes(note->count);
}

void trn_notes_free(const TrnHistory *history, TrnNotes *notes)
{
    for (TrnNote *note = notes->oldest, *newer; note; note = newer) {
        newer = note->newer;
        trn_note_free(history, note);
    }
    *notes = (TrnNotes){.are_too_many = notes->are_too_many};
}

TrnResult trn_notes_add(const TrnHistory *history, TrnNotes *notes, TrnCoord coord,
                        const TrnEditRun *runs, uint32_t count)
{
    if (notes->are_too_many) {
        return TRN_RESULT_OK;
    }
    if (sizeof(TrnGroup) + notes->bytes + note_bytes(count) > history->bytes_max) {
        notes->are_too_many = true;
        trn_notes_free(history, notes);
        return TRN_RESULT_OK;
    }
    TrnNote *note;
    TrnResult result = trn_note_create(history, coord, runs, count, &note);
    if (result == TRN_RESULT_OK) {
        notes_append(notes, note);
    }
    return result;
}

// ---- groups ------------------------------------------------------------------------------------

static void group_free(TrnGroup *group)
{
    TrnHistory *history = group->history;
    trn_notes_free(history, &group->notes);
    trn_give(&history->allocator, group, sizeof *group);
}

/// Counts a group among those that are done, or not.
static void history_count(TrnHistory *history, TrnGroup *group, bool is_done)
{
    group->is_done = is_done;
    history->undo_groups += is_done;
    history->redo_groups += !is_done;
}

static void history_count_out(TrnHistory *history, const TrnGroup *group)
{
    history->undo_groups -= group->is_done;
    history->redo_groups -= !group->is_done;
}

/// Puts a new group at the end, where it is the newest that is done. Nothing can be redone.
static void history_link(TrnHistory *history, TrnGroup *group)
{
    group->older = history->newest;
    *(history->newest ? &history->newest->newer : &history->oldest) = group;
    history->newest = group;
    history->done = group;
    history->open = history->depth > 0 ? group : NULL;
    history->bytes += sizeof *group;
    history_count(history, group, true);
}

static void history_unlink(TrnHistory *history, TrnGroup *group)
{
    *(group->older ? &group->older->newer : &history->oldest) = group->newer;
    *(group->newer ? &group->newer->older : &history->newest) = group->older;
    history->done = history->done == group ? group->older : history->done;
    history->bytes -= sizeof *group + group->notes.bytes;
    history_count_out(history, group);
}

/// Takes a group out for good. What of it waits goes on waiting.
static void history_drop(TrnHistory *history, TrnGroup *group)
{
    history_unlink(history, group);
    if (group == history->open) {
        history->open = NULL;
        history->is_spoiled = true;
    }
    while (group->segments) {
        trn_pending_ungroup(history->store->pending, group->segments);
    }
    group_free(group);
}

static void history_drop_redo(TrnHistory *history)
{
    while (history->newest != history->done) {
        history_drop(history, history->newest);
    }
}

static void history_drop_all(TrnHistory *history)
{
    // The oldest first: what waits of it then grows at its end, and is not copied for every group.
    while (history->oldest) {
        history_drop(history, history->oldest);
    }
}

/// Empties a history for want of room.
static void history_forget_all(TrnHistory *history)
{
    history->forgotten += history->undo_groups + history->redo_groups;
    history_drop_all(history);
}

void trn_history_hold_bound(TrnHistory *history)
{
    // From both far ends: the oldest that is done, then the last that would be done again.
    while (history->bytes > history->bytes_max && history->newest) {
        history->forgotten++;
        history_drop(history, history->done ? history->oldest : history->newest);
    }
}

void trn_group_append(TrnGroup *group, TrnNote *note)
{
    note->group = group;
    note->serial = ++group->history->serial;
    notes_append(&group->notes, note);
    group->history->bytes += note_bytes(note->count);
}

/// Moves notes to a group of the history, which must hold its bound afterwards.
static void group_append_all(TrnGroup *group, TrnNotes *notes)
{
    for (TrnNote *note = notes->oldest, *newer; note; note = newer) {
        newer = note->newer;
        trn_group_append(group, note);
    }
    *notes = (TrnNotes){0};
}

static void group_remove_note(TrnGroup *group, TrnNote *note)
{
    notes_take_out(&group->notes, note);
    group->history->bytes -= note_bytes(note->count);
    trn_note_free(group->history, note);
}

// ---- commits -----------------------------------------------------------------------------------

TrnResult trn_history_take_group(TrnHistory *history, TrnGroup **group)
{
    *group = history->open;
    if (history->open || history->is_spoiled) {
        return TRN_RESULT_OK;
    }
    TrnGroup *made = trn_take(&history->allocator, sizeof *made, alignof(TrnGroup));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnGroup){.history = history};
    *group = made;
    return TRN_RESULT_OK;
}

void trn_history_give_group(TrnHistory *history, TrnGroup *group)
{
    if (group && group != history->open) {
        group_free(group);
    }
}

void trn_history_publish(TrnHistory *history, TrnGroup *group, TrnNotes *notes)
{
    history_drop_redo(history);
    if (!group) {
        trn_notes_free(history, notes);
        return;
    }
    if (!group->is_done) {
        history_link(history, group);
    }
    if (notes->are_too_many) {
        history_forget_all(history);
        return;
    }
    group_append_all(group, notes);
    trn_history_hold_bound(history);
}

// ---- a history ---------------------------------------------------------------------------------

TrnHistoryDef trn_history_def(void)
{
    TrnHistoryDef def = {.bytes_max = HISTORY_BYTES_MAX};
    return def;
}

TrnResult trn_history_create(TrnStore *store, const TrnHistoryDef *def, TrnHistory **history)
{
    const TrnHistoryDef plain = trn_history_def();
    def = def ? def : &plain;
    if (!store || !history) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    trn_store_attempt(store);
    const TrnAllocator allocator = trn_store_allocator(store, TRN_STORE_HISTORY);
    TrnHistory *made = trn_take(&allocator, sizeof *made, alignof(TrnHistory));
    if (!made) {
        return trn_store_refusal(store, TRN_RESULT_NO_MEMORY);
    }
    *made = (TrnHistory){.store = store, .allocator = allocator, .bytes_max = def->bytes_max};
    *history = made;
    return TRN_RESULT_OK;
}

void trn_history_destroy(TrnHistory *history)
{
    if (!history) {
        return;
    }
    TRN_ASSERT(history->open_batches == 0);
    history_drop_all(history);
    const TrnAllocator allocator = history->allocator;
    trn_give(&allocator, history, sizeof *history);
}

void trn_history_begin_group(TrnHistory *history)
{
    history->depth++;
}

void trn_history_end_group(TrnHistory *history)
{
    TRN_ASSERT(history->depth > 0);
    history->depth -= history->depth > 0;
    if (history->depth == 0) {
        history->open = NULL;
        history->is_spoiled = false;
    }
}

void trn_history_clear(TrnHistory *history)
{
    TRN_ASSERT(history->open_batches == 0 && history->depth == 0);
    history_drop_all(history);
}

TrnHistoryStats trn_history_stats(const TrnHistory *history)
{
    TrnHistoryStats stats = {
        .undo_groups = history->undo_groups,
        .redo_groups = history->redo_groups,
        .dropped_groups = history->forgotten,
        .bytes = history->bytes,
        .bytes_max = history->bytes_max,
    };
    return stats;
}

// ---- steps -------------------------------------------------------------------------------------

/// Opens the batch of a step. @param group  NULL where there is no step to make
static TrnResult step_begin(TrnHistory *history, const TrnGroup *group, TrnBatch **batch)
{
    if (history->depth > 0 || history->open_batches > 0) {
        return TRN_RESULT_BUSY;
    }
    if (!group) {
        return TRN_RESULT_NOT_FOUND;
    }
    TrnResult result = trn_batch_begin(history->store, NULL, batch);
    if (result == TRN_RESULT_OK) {
        (*batch)->counts = true;
    }
    return result;
}

/// A step that could not be made.
static TrnResult step_fail(TrnHistory *history, TrnBatch *batch, TrnNotes *notes, TrnResult result)
{
    const TrnResult refusal = trn_store_refusal(history->store, result);
    trn_notes_free(history, notes);
    trn_batch_cancel(batch);
    return refusal;
}

/// Where a step leads: the group changes sides.
static void step_end(TrnHistory *history, TrnGroup *group, TrnGroup *done)
{
    history_count_out(history, group);
    history_count(history, group, !group->is_done);
    history->done = done;
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
    TrnAllocator scratch;
    TrnRunSide side;
    TrnNote **notes; ///< [count] those of changes that were made
    size_t count;
    NetChange *net;   ///< scratch, once a chunk has several
    TrnEditRuns runs; ///< what they come to
} StepWork;

static TrnResult step_list_notes(StepWork *work, const TrnGroup *group)
{
    for (const TrnNote *note = group->notes.oldest; note; note = note->newer) {
        work->count += !note->is_waiting;
    }
    if (work->count == 0) {
        return TRN_RESULT_OK;
    }
    const size_t bytes = work->count * sizeof(TrnNote *);
    work->notes = trn_take(&work->scratch, bytes, alignof(TrnNote *));
    if (!work->notes) {
        return TRN_RESULT_NO_MEMORY;
    }
    size_t at = 0;
    for (TrnNote *note = group->notes.oldest; note; note = note->newer) {
        if (!note->is_waiting) {
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
        work->net = trn_take(&work->scratch, sizeof *work->net, alignof(NetChange));
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
        result = net_row_runs(work->net, row, &work->runs, &work->scratch);
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
    StepWork work = {.batch = batch,
                     .scratch = trn_store_allocator(batch->store, TRN_STORE_EDITS),
                     .side = side};
    TrnResult result = step_list_notes(&work, group);
    if (result == TRN_RESULT_OK) {
        result = step_write_notes(&work);
    }
    trn_give(&work.scratch, work.notes, work.count * sizeof(TrnNote *));
    trn_give(&work.scratch, work.net, sizeof *work.net);
    trn_edit_runs_free(&work.runs, &work.scratch);
    return result;
}

/// Notes of what waits still, for doing it again.
static TrnResult undo_keep_waiting(const TrnGroup *group, TrnNotes *kept)
{
    TrnResult result = TRN_RESULT_OK;
    for (const TrnSegment *at = group->segments; at && result == TRN_RESULT_OK;
         at = at->group_newer) {
        result =
            trn_notes_add(group->history, kept, at->waiting->coord, at->runs.runs, at->runs.count);
    }
    for (TrnNote *note = kept->oldest; note; note = note->newer) {
        note->is_waiting = true;
    }
    return result;
}

/// The batch is published.
static void undo_finish(TrnHistory *history, TrnGroup *group, TrnNotes *kept)
{
    while (group->segments) {
        trn_pending_drop(history->store->pending, group->segments);
    }
    step_end(history, group, group->older);
    if (kept->are_too_many) {
        history->forgotten += history->redo_groups;
        history_drop_redo(history);
        return;
    }
    group_append_all(group, kept);
    trn_history_hold_bound(history);
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
        result = undo_keep_waiting(group, &kept);
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
    TrnAllocator scratch;
    TrnBlock *was; ///< [TRN_CHUNK_VOXELS], once something that waited meets its chunk
    TrnEditRuns noted;
    TrnNotes made; ///< of what waited, and changes a chunk now
} RedoWork;

/// Writes what waited to a chunk that is there now.
static TrnResult redo_write_present(RedoWork *work, TrnChunk *chunk, const TrnNote *note)
{
    TrnOpenChunk *open;
    TrnResult result = trn_batch_open(work->batch, chunk, &open);
    if (result == TRN_RESULT_OK && !work->was) {
        work->was = trn_take(&work->scratch, TRN_CHUNK_BLOCKS_BYTES, TRN_CACHE_LINE);
        result = work->was ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    work->noted.count = 0;
    result = trn_edit_runs_write_noted(&open->edit, note->runs, note->count, work->was,
                                       &work->noted, &work->scratch);
    return result == TRN_RESULT_OK && work->noted.count
               ? trn_notes_add(note->group->history, &work->made, note->coord, work->noted.runs,
                               work->noted.count)
               : result;
}

static TrnResult redo_write_waiting(RedoWork *work, const TrnGroup *group)
{
    TrnResult result = TRN_RESULT_OK;
    work->batch->is_grouped = true;
    for (const TrnNote *note = group->notes.oldest; note && result == TRN_RESULT_OK;
         note = note->newer) {
        TrnChunk *chunk = note->is_waiting ? trn_store_find(work->batch->store, note->coord) : NULL;
        if (chunk) {
            result = redo_write_present(work, chunk, note);
        } else if (note->is_waiting) {
            result = trn_batch_write_runs(work->batch, note->coord, note->runs, note->count,
                                          TRN_RUN_AFTER);
        }
    }
    trn_give(&work->scratch, work->was, TRN_CHUNK_BLOCKS_BYTES);
    trn_edit_runs_free(&work->noted, &work->scratch);
    return result;
}

/// All that can fail.
static TrnResult redo_write(RedoWork *work, const TrnGroup *group)
{
    TrnResult result = step_write(work->batch, group, TRN_RUN_AFTER);
    if (result == TRN_RESULT_OK) {
        result = redo_write_waiting(work, group);
    }
    return result == TRN_RESULT_OK ? trn_batch_prepare(work->batch) : result;
}

/// The batch is published: what waited either waits again, or has notes of what it changed.
static void redo_finish(TrnHistory *history, TrnGroup *group, TrnNotes *made)
{
    for (TrnNote *note = group->notes.oldest, *newer; note; note = newer) {
        newer = note->newer;
        if (note->is_waiting) {
            group_remove_note(group, note);
        }
    }
    step_end(history, group, group);
    if (made->are_too_many) {
        history_forget_all(history);
        return;
    }
    group_append_all(group, made);
    trn_history_hold_bound(history);
}

TrnResult trn_history_redo(TrnHistory *history, TrnBatchOutcome *outcome)
{
    TrnGroup *group = history->done ? history->done->newer : history->oldest;
    RedoWork work = {.scratch = trn_store_allocator(history->store, TRN_STORE_EDITS)};
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
