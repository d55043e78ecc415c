// Histories: groups of notes, oldest first. Those up to `done` can be undone, those after it
// redone.

#include "edits/history_impl.h"

#include <stdalign.h>
#include <string.h>

#define HISTORY_BYTES_MAX_DEFAULT ((size_t)16 << 20)

// ---- notes -------------------------------------------------------------------------------------

static size_t note_bytes(uint32_t count)
{
    return sizeof(TrnNote) + count * sizeof(TrnEditRun);
}

TrnResult trn_note_create(const TrnHistory *history, TrnCoord coord, const TrnEditRun *runs,
                          uint32_t count, TrnNote **note)
{
    TrnNote *made =
        trn_take(&history->edits->history_allocator, note_bytes(count), alignof(TrnNote));
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
    trn_give(&history->edits->history_allocator, note, note_bytes(note->count));
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
    *notes = (TrnNotes){.is_overflowed = notes->is_overflowed};
}

TrnResult trn_notes_add(const TrnHistory *history, TrnNotes *notes, TrnCoord coord,
                        const TrnEditRun *runs, uint32_t count)
{
    if (notes->is_overflowed) {
        return TRN_RESULT_OK;
    }
    if (sizeof(TrnGroup) + notes->bytes + note_bytes(count) > history->bytes_max) {
        notes->is_overflowed = true;
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
    trn_give(&history->edits->history_allocator, group, sizeof *group);
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

void trn_history_toggle(TrnHistory *history, TrnGroup *group, TrnGroup *done)
{
    history_count_out(history, group);
    history_count(history, group, !group->is_done);
    history->done = done;
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

/// Takes a group out for good. What of it waits goes on record.
static void history_drop(TrnHistory *history, TrnGroup *group)
{
    history_unlink(history, group);
    if (group == history->open) {
        history->open = NULL;
        history->is_spoiled = true;
    }
    while (group->segments.oldest) {
        trn_pending_ungroup(&history->edits->pending, group->segments.oldest);
    }
    group_free(group);
}

void trn_history_drop_redo(TrnHistory *history)
{
    while (history->newest != history->done) {
        history_drop(history, history->newest);
    }
}

void trn_history_drop_all(TrnHistory *history)
{
    // The oldest first: what waits of it then grows at its end, and is not copied for every group.
    while (history->oldest) {
        history_drop(history, history->oldest);
    }
}

/// Empties a history for want of room.
void trn_history_overflow(TrnHistory *history)
{
    history->dropped += history->undo_groups + history->redo_groups;
    trn_history_drop_all(history);
}

void trn_history_trim(TrnHistory *history)
{
    // From both far ends: the oldest that is done, then the last that would be done again.
    while (history->bytes > history->bytes_max && history->newest) {
        history->dropped++;
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
void trn_group_append_all(TrnGroup *group, TrnNotes *notes)
{
    for (TrnNote *note = notes->oldest, *newer; note; note = newer) {
        newer = note->newer;
        trn_group_append(group, note);
    }
    *notes = (TrnNotes){0};
}

void trn_group_remove_note(TrnGroup *group, TrnNote *note)
{
    notes_take_out(&group->notes, note);
    group->history->bytes -= note_bytes(note->count);
    trn_note_free(group->history, note);
}

// ---- commits -----------------------------------------------------------------------------------

TrnResult trn_history_acquire_group(TrnHistory *history, TrnGroup **group)
{
    *group = history->open;
    if (history->open || history->is_spoiled) {
        return TRN_RESULT_OK;
    }
    TrnGroup *made = trn_take(&history->edits->history_allocator, sizeof *made, alignof(TrnGroup));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnGroup){.history = history};
    *group = made;
    return TRN_RESULT_OK;
}

void trn_history_release_group(TrnHistory *history, TrnGroup *group)
{
    if (group && group != history->open) {
        group_free(group);
    }
}

void trn_history_publish(TrnHistory *history, TrnGroup *group, TrnNotes *notes)
{
    trn_history_drop_redo(history);
    if (!group) {
        trn_notes_free(history, notes);
        return;
    }
    if (!group->is_done) {
        history_link(history, group);
    }
    if (notes->is_overflowed) {
        trn_history_overflow(history);
        return;
    }
    trn_group_append_all(group, notes);
    trn_history_trim(history);
}

// ---- a history ---------------------------------------------------------------------------------

TrnHistoryDef trn_history_def(void)
{
    TrnHistoryDef def = {.bytes_max = HISTORY_BYTES_MAX_DEFAULT};
    return def;
}

TrnResult trn_history_open(TrnEdits *edits, const TrnHistoryDef *def, TrnHistory **history)
{
    TrnHistory *made = trn_take(&edits->history_allocator, sizeof *made, alignof(TrnHistory));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnHistory){.edits = edits, .bytes_max = def->bytes_max};
    *history = made;
    return TRN_RESULT_OK;
}

void trn_history_destroy(TrnHistory *history)
{
    if (!history) {
        return;
    }
    TRN_ASSERT(history->open_batches == 0);
    trn_history_drop_all(history);
    trn_give(&history->edits->history_allocator, history, sizeof *history);
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
    trn_history_drop_all(history);
}

TrnHistoryStats trn_history_stats(const TrnHistory *history)
{
    TrnHistoryStats stats = {
        .undo_groups = history->undo_groups,
        .redo_groups = history->redo_groups,
        .dropped_groups = history->dropped,
        .bytes = history->bytes,
        .bytes_max = history->bytes_max,
    };
    return stats;
}
