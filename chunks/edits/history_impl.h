/// Private: what a history records, and how commits and inserted chunks add to it.
#ifndef TERRANE_EDITS_HISTORY_IMPL_H
#define TERRANE_EDITS_HISTORY_IMPL_H

#include "edits/edits_impl.h"
#include "voxels/voxel_data_internal.h"

typedef struct TrnHistoryGroup TrnHistoryGroup;

/// Changes of block data. Those of a delta hold their blobs. All zeroes is empty.
TRN_ARRAY_DECLARE(TrnDataChanges, TrnDataChange);

/// What a batch, or an applied segment, changed in one chunk. Borrowed from its finder.
typedef struct TrnEditDiff {
    uint64_t before; ///< TrnSnapshot.word of the chunk without the changes; 0: not known
    const TrnEditRun *runs;
    uint32_t count;
    const TrnDataChange *data;
    uint32_t data_count;
} TrnEditDiff;

/// What a group, or one batch of it, changed in one chunk. Unless the delta is pending, its runs
/// ascend without overlaps.
typedef struct TrnEditDelta {
    struct TrnEditDelta *older, *newer;
    TrnHistoryGroup *group;
    uint64_t serial; ///< counts up over the history
    TrnCoord coord;
    bool is_pending; ///< of an undone group: was pending for the chunk, and has no `before`
    uint32_t count;
    uint32_t data_count;
    size_t bytes; ///< that count against the history, without images
    /// TrnSnapshot.word of the chunk on the other side of the delta: what a step makes of it.
    /// Blocks alone; the payload is the history's. 0: not kept.
    uint64_t image;
    uint64_t image_revision; ///< the image is right as long as the chunk has this revision
    uint64_t next_image;     ///< the image after the step that is being prepared; else 0
    TrnDataChange *data;     ///< [data_count] behind the runs, in ascending order
    TrnEditRun runs[];
} TrnEditDelta;

/// Deltas, oldest first. All zeroes is empty.
typedef struct TrnEditDeltas {
    TrnEditDelta *oldest, *newest;
    size_t bytes;
    bool is_overflowed; ///< they would exceed the history's bytes_max, so none are kept
} TrnEditDeltas;

/// One step of undo.
struct TrnHistoryGroup {
    TrnSegmentGroup segments; ///< its pending edits; empty while it is undone. The first member.
    TrnHistory *history;
    TrnHistoryGroup *older, *newer;
    TrnEditDeltas deltas;
    bool is_done; ///< false: undone, or not in its history's list yet
};

struct TrnHistory {
    TrnEdits *edits;
    size_t bytes, bytes_max;       ///< bytes: without images
    size_t image_bytes;            ///< of all images
    TrnHistoryGroup *oldest_image; ///< no older group has images; NULL: none has
    TrnHistoryGroup *oldest, *newest;
    TrnHistoryGroup *done; ///< the newest that is done; newer ones can be redone
    TrnHistoryGroup *open; ///< the next batch continues it; NULL: the next batch starts a group
    uint32_t depth;        ///< nested trn_history_begin_group
    bool is_group_dropped; ///< the open group was dropped, so the rest of it is not recorded
    uint32_t open_batches;
    uint32_t undo_groups, redo_groups;
    uint64_t dropped; ///< groups dropped to stay within bytes_max so far
    uint64_t serial;  ///< of the newest delta
};

/// The group that a segment belongs to, or NULL.
static inline TrnHistoryGroup *trn_history_group_of(const TrnSegment *segment)
{
    return (TrnHistoryGroup *)(void *)segment->group; // its first member
}

/// Creates a history. @param def  not NULL. Errors: NO_MEMORY.
TrnResult trn_history_open(TrnEdits *edits, const TrnHistoryDef *def, TrnHistory **history);

// ---- deltas ------------------------------------------------------------------------------------

/// Creates a delta that is in no list yet. @param diff  copied. Errors: NO_MEMORY.
TrnResult trn_edit_delta_create(TrnHistory *history, TrnCoord coord, const TrnEditDiff *diff,
                                TrnEditDelta **delta);

void trn_edit_delta_free(TrnHistory *history, TrnEditDelta *delta);

/// Appends a delta. If the deltas would exceed the history's bytes_max, frees all of them, and
/// ignores later ones. Errors: NO_MEMORY; the deltas are unchanged.
TrnResult trn_edit_deltas_add(TrnHistory *history, TrnEditDeltas *deltas, TrnCoord coord,
                              const TrnEditDiff *diff);

void trn_edit_deltas_free(TrnHistory *history, TrnEditDeltas *deltas);

// ---- images ------------------------------------------------------------------------------------

/// Copies the blocks of a snapshot. @param image  receives it. Errors: NO_MEMORY.
TrnResult trn_history_image_create(TrnHistory *history, TrnSnapshot of, uint64_t *image);

/// Frees an image, and sets it to 0. @param image  may be 0
void trn_history_image_free(TrnHistory *history, uint64_t *image);

// ---- data --------------------------------------------------------------------------------------

/// Finds the block data that runs removed from an open edit with their blocks.
/// @param runs  ascending, as they were written
/// @param lost  receives it in place of what it has
/// Errors: NO_MEMORY.
TrnResult trn_history_lost_data(const TrnEditState *edit, const TrnEditRuns *runs,
                                TrnDataChanges *lost, const TrnAllocator *allocator);

// ---- groups ------------------------------------------------------------------------------------

/// Appends a delta to a group's. The caller calls trn_history_trim() afterwards.
void trn_history_group_append(TrnHistoryGroup *group, TrnEditDelta *delta);

/// Moves deltas to a group. The caller calls trn_history_trim() afterwards.
void trn_history_group_append_all(TrnHistoryGroup *group, TrnEditDeltas *deltas);

/// Removes a delta from a group, and frees it.
void trn_history_group_remove(TrnHistoryGroup *group, TrnEditDelta *delta);

/// Drops images, oldest first, then groups until the history is within bytes_max: those that can be
/// undone, oldest first; when none is left, those that can be redone, newest first.
void trn_history_trim(TrnHistory *history);

/// Drops all groups, and counts them as dropped to stay within bytes_max.
void trn_history_overflow(TrnHistory *history);

/// Drops all groups that can be redone.
void trn_history_drop_redo(TrnHistory *history);

/// Drops all groups. Their pending edits stay pending.
void trn_history_drop_all(TrnHistory *history);

/// Turns a group that is done into one that is undone, or the other way round.
/// @param done  the newest group that is done afterwards; may be NULL
void trn_history_toggle(TrnHistory *history, TrnHistoryGroup *group, TrnHistoryGroup *done);

// ---- commits -----------------------------------------------------------------------------------

/// Finds the open group, or creates one, for a commit. Release or publish it.
/// @param group  receives it, or NULL if the commit is not recorded
/// Errors: NO_MEMORY.
TrnResult trn_history_acquire_group(TrnHistory *history, TrnHistoryGroup **group);

/// Releases an acquired group after a commit that changed nothing or failed.
/// @param group  may be NULL
void trn_history_release_group(TrnHistory *history, TrnHistoryGroup *group);

/// Records a published commit: drops what could be redone, and moves the deltas to the group.
/// @param group     NULL if the commit is not recorded
/// @param revision  of the chunks that it changed
void trn_history_publish(TrnHistory *history, TrnHistoryGroup *group, TrnEditDeltas *deltas,
                         uint64_t revision);

#endif
