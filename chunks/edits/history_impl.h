/// Private: what a history notes, and how a commit and an inserted chunk hand notes to it.
#ifndef TERRANE_EDITS_HISTORY_IMPL_H
#define TERRANE_EDITS_HISTORY_IMPL_H

#include "edits/edits_impl.h"

typedef struct TrnGroup TrnGroup;

/// What a group, or one batch of it, changed in one chunk. Runs ascend without overlaps, unless the
/// note is pending.
typedef struct TrnNote {
    struct TrnNote *older, *newer;
    TrnGroup *group;
    uint64_t serial; ///< counts up over the history
    TrnCoord coord;
    bool is_pending; ///< of an undone group: was pending for the chunk, and has no `before`
    uint32_t count;
    TrnEditRun runs[];
} TrnNote;

/// Notes, oldest first. All zeroes is none.
typedef struct TrnNotes {
    TrnNote *oldest, *newest;
    size_t bytes;
    bool is_overflowed; ///< they would exceed the history's bytes_max, so none are kept
} TrnNotes;

/// One step of undo.
struct TrnGroup {
    TrnSegmentGroup segments; ///< first: pending; none of a group that is undone
    TrnHistory *history;
    TrnGroup *older, *newer;
    TrnNotes notes;
    bool is_done; ///< false: undone, or not in its history's list yet
};

struct TrnHistory {
    TrnEdits *edits;
    size_t bytes, bytes_max;
    TrnGroup *oldest, *newest;
    TrnGroup *done;  ///< the newest that is done; those after it can be redone
    TrnGroup *open;  ///< that the next batch continues; NULL: the next batch starts one
    uint32_t depth;  ///< nested trn_history_begin_group
    bool is_spoiled; ///< the open group was dropped: the rest of it is not noted either
    uint32_t open_batches;
    uint32_t undo_groups, redo_groups;
    uint64_t dropped, serial; ///< groups dropped for memory so far; of the newest note
};

/// The group of a history that a segment belongs to, or NULL.
static inline TrnGroup *trn_segment_group(const TrnSegment *segment)
{
    return (TrnGroup *)(void *)segment->group; // its first member
}

/// Creates a history. @param def  not NULL. Errors: NO_MEMORY.
TrnResult trn_history_open(TrnEdits *edits, const TrnHistoryDef *def, TrnHistory **history);

/// Creates a note that is in no group yet. Errors: NO_MEMORY.
TrnResult trn_note_create(const TrnHistory *history, TrnCoord coord, const TrnEditRun *runs,
                          uint32_t count, TrnNote **note);

void trn_note_free(const TrnHistory *history, TrnNote *note);

/// Adds a note. Where the notes would exceed the history's bytes_max, drops all of them, and
/// ignores later ones. Errors: NO_MEMORY; the notes are then as before.
TrnResult trn_notes_add(const TrnHistory *history, TrnNotes *notes, TrnCoord coord,
                        const TrnEditRun *runs, uint32_t count);

void trn_notes_free(const TrnHistory *history, TrnNotes *notes);

/// Appends a note to a group's. trn_history_trim() must follow.
void trn_group_append(TrnGroup *group, TrnNote *note);

/// Moves notes to a group of a history. trn_history_trim() must follow.
void trn_group_append_all(TrnGroup *group, TrnNotes *notes);

/// Frees a note of a group.
void trn_group_remove_note(TrnGroup *group, TrnNote *note);

/// Drops groups until the history is within bytes_max: the oldest that is done first, then the last
/// that would be redone.
void trn_history_trim(TrnHistory *history);

/// Drops all groups, and counts them as dropped for memory.
void trn_history_overflow(TrnHistory *history);

/// Drops all groups that can be redone.
void trn_history_drop_redo(TrnHistory *history);

/// Drops all groups.
void trn_history_drop_all(TrnHistory *history);

/// Moves a group to the other side: done becomes undone, undone becomes done.
/// @param done  the newest group that is done from now on
void trn_history_toggle(TrnHistory *history, TrnGroup *group, TrnGroup *done);

/// The group for a commit: the open one, or a new one. NULL where nothing is noted.
/// Errors: NO_MEMORY.
TrnResult trn_history_acquire_group(TrnHistory *history, TrnGroup **group);

/// The commit that acquired a group changed nothing, or failed.
void trn_history_release_group(TrnHistory *history, TrnGroup *group);

/// The commit is published: drops what could be redone, and moves its notes to the group.
/// @param group  NULL where nothing is noted
void trn_history_publish(TrnHistory *history, TrnGroup *group, TrnNotes *notes);

#endif
