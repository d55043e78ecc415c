/// Private: what a history notes, and how a commit and an arriving chunk hand notes to it.
#ifndef TERRANE_STORE_HISTORY_H
#define TERRANE_STORE_HISTORY_H

#include "pending.h"

/// What a group, or one batch of it, did to one chunk. Its runs ascend without overlaps, unless
/// they wait.
typedef struct TrnNote {
    struct TrnNote *older, *newer;
    TrnGroup *group;
    uint64_t serial; ///< counts up over the history
    TrnCoord coord;
    bool is_waiting; ///< of a group that is undone: it waited for the chunk, and has no `before`
    uint32_t count;
    TrnEditRun runs[];
} TrnNote;

/// Notes in their order. All zeroes is none.
typedef struct TrnNotes {
    TrnNote *oldest, *newest;
    size_t bytes;
    bool are_too_many; ///< more than the history may ever hold: they are left out
} TrnNotes;

/// One step of undo.
struct TrnGroup {
    TrnHistory *history;
    TrnGroup *older, *newer;
    TrnNotes notes;
    TrnSegment *segments, *newest_segment; ///< that wait; none of a group that is undone
    bool is_done;                          ///< false: undone, or not in its history's list yet
};

struct TrnHistory {
    TrnStore *store;
    TrnAllocator allocator; ///< counted as history
    size_t bytes, bytes_max;
    TrnGroup *oldest, *newest;
    TrnGroup *done;  ///< the newest that is done; those after it can be done again
    TrnGroup *open;  ///< that batches go on with, since a group is open; NULL: the next begins one
    uint32_t depth;  ///< open groups
    bool is_spoiled; ///< the open group was forgotten: the rest of it is not noted either
    uint32_t open_batches;
    uint32_t undo_groups, redo_groups;
    uint64_t forgotten, serial;
};

/// A note of no group yet. Errors: NO_MEMORY.
TrnResult trn_note_create(const TrnHistory *history, TrnCoord coord, const TrnEditRun *runs,
                          uint32_t count, TrnNote **note);

void trn_note_free(const TrnHistory *history, TrnNote *note);

/// Adds a note. Where that is more than the history may hold, all are dropped and later ones left
/// out.
/// Errors: NO_MEMORY; the notes are as before.
TrnResult trn_notes_add(const TrnHistory *history, TrnNotes *notes, TrnCoord coord,
                        const TrnEditRun *runs, uint32_t count);

void trn_notes_free(const TrnHistory *history, TrnNotes *notes);

/// Puts a note at the end of a group's. trn_history_hold_bound must follow.
void trn_group_append(TrnGroup *group, TrnNote *note);

/// Forgets groups until the notes are within bytes_max.
void trn_history_hold_bound(TrnHistory *history);

/// The group that a commit goes to: the open one, or a new one. NULL where nothing is noted.
/// Errors: NO_MEMORY.
TrnResult trn_history_take_group(TrnHistory *history, TrnGroup **group);

/// The commit that took a group did nothing, or failed.
void trn_history_give_group(TrnHistory *history, TrnGroup *group);

/// The commit is published: what can be redone ends, and the group gets its notes. @param group
/// NULL where nothing is noted
void trn_history_publish(TrnHistory *history, TrnGroup *group, TrnNotes *notes);

#endif
