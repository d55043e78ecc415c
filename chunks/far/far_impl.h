/// Private: the far view as a whole. Its files, each of which calls only those above it:
///
///     far_cover.c    which chunks are drawn
///     far_job.c      folding one chunk, on any thread
///     far_fold.c     edits, on their way to the coarser levels
///     far_level.c    a level: its store, its stream, and what becomes of their chunks
///     far_anchors.c  the anchors of level 0, in the streams of the levels
///     far.c          creation, updates, questions
#ifndef TERRANE_FAR_FAR_IMPL_H
#define TERRANE_FAR_FAR_IMPL_H

#include <terrane/far.h>

#include "base/array.h"
#include "base/coord_map.h"
#include "far_cover.h"
#include "far_job.h"

#define TRN_FAR_JOBS 4u ///< chunks that are folded at a time

/// One level. Level 0 is the game's own.
typedef struct TrnFarLevel {
    TrnFar *far_view;
    uint32_t level;
    TrnStore *store;
    TrnStream *stream; ///< NULL: the view does not reach so far
    uint32_t skipped;  ///< updates in a row that had no time for it
} TrnFarLevel;

/// An anchor of level 0, and those of the levels that follow it.
typedef struct TrnFarAnchor {
    TrnStreamAnchorId source;
    TrnStreamAnchor now;                          ///< as level 0 has it
    TrnStreamAnchorId ids[TRN_FAR_LEVEL_MAX + 1]; ///< by level; null: not added yet
    TrnCoord chunks[TRN_FAR_LEVEL_MAX + 1];       ///< by level: where it was put last
} TrnFarAnchor;

TRN_ARRAY_DECLARE(TrnFarAnchorArray, TrnFarAnchor);

/// A chunk to fold.
typedef struct TrnFarDue {
    TrnCoord coord;
    uint32_t level;
} TrnFarDue;

TRN_ARRAY_DECLARE(TrnFarDueArray, TrnFarDue);

/// The chunks of a far view that are due.
typedef struct TrnFarFolds {
    TrnFarDueArray queue;               ///< may list chunks that are due no longer
    TrnCoordMap due[TRN_FAR_LEVEL_MAX]; ///< by level: a FoldNote for each chunk
    uint32_t next;                      ///< where in the queue to go on
    TrnFarJob *jobs[TRN_FAR_JOBS];      ///< NULL until needed, and while nothing is due
    double issued_us[TRN_FAR_JOBS];     ///< by job: when workers got it
    uint64_t folded;                    ///< chunks so far
    bool has_missed;                    ///< memory ran out: pending edits are not due yet
    bool is_saving;                     ///< pending edits that are dropped now are in rows
} TrnFarFolds;

struct TrnFar {
    TrnFarDef def; ///< `view` as it is now; clock filled in
    TrnAllocator allocator;
    TrnFarCover cover;
    TrnFarFolds folds;
    TrnFarLevel levels[TRN_FAR_LEVEL_MAX + 1];
    TrnFarAnchorArray anchors;
    uint32_t last_moved; ///< the level whose anchors were the last to enter another chunk; 0: none
    bool is_behind;      ///< memory ran out: the cover misses chunks that are shown
    uint32_t folds_skipped; ///< updates in a row that had no time to fold
    uint32_t moves_skipped; ///< the same, to let anchors enter other chunks
    double previous_us;     ///< when the last update began; negative: none has
    double apart_us;        ///< time between updates, smoothed
};

// ---- edits (far_fold.c) ------------------------------------------------------------------------
//
// A chunk that was edited is due, loaded or not. Folding it writes its part of its parent, the
// chunk of the next level that covers it: cells whose eight voxels are as generated get the
// parent's generated block back, the others what trn_fold_part() says. That edit makes the parent
// due in turn. If the parent is not loaded, the edits become pending in its store; a chunk that is
// not loaded is folded as it was saved or generated, with its pending edits. Chunks that a level
// loads from a save are not due, since their parents were saved too.

void trn_far_folds_init(TrnFarFolds *folds, uint64_t hash_key);
void trn_far_folds_destroy(TrnFar *far_view);

/// Listens to the edits of a level. Errors: NO_MEMORY, FULL, READERS, EXISTS.
TrnResult trn_far_folds_watch(TrnFarLevel *level);

/// Stops listening, after what is being folded is done. Chunks of the level that are due are
/// forgotten, and those whose parents it has.
void trn_far_folds_unwatch(TrnFarLevel *level);

/// Makes all chunks due that were edited and not saved since, when their next level is new.
/// Errors: NO_MEMORY.
TrnResult trn_far_folds_add_edited(TrnFar *far_view, uint32_t level);

/// Applies what workers have folded, and gives them more.
/// @param is_exact  what is folded does not depend on the workers
/// @param is_idle   receives whether nothing is due
/// Errors: of the generator and of edits; the chunks stay due.
TrnResult trn_far_fold_some(TrnFar *far_view, double now_us, bool is_exact, bool *is_idle);

/// Folds all chunks that are due, on the calling thread.
/// Errors: the last one; those chunks stay due.
TrnResult trn_far_fold_all(TrnFar *far_view);

/// Saves the chunks of coarser levels that have pending edits, with these. Errors: the last one;
/// those edits stay pending.
TrnResult trn_far_save_pending(TrnFar *far_view);

/// Bytes that folding holds.
size_t trn_far_folds_bytes(const TrnFar *far_view);

/// How many chunks are due.
uint32_t trn_far_folds_due(const TrnFar *far_view);

// ---- levels (far_level.c) ----------------------------------------------------------------------

/// Draws a chunk, or stops: the cover's callback.
void trn_far_draw(void *user, uint32_t level, TrnCoord coord, bool is_drawn);

/// Has the cover know what a level shows, from now on and up to now.
/// Errors: EXISTS (another far view does).
TrnResult trn_far_level_watch(TrnFar *far_view, uint32_t level);

/// Tells the cover what it had no memory for.
void trn_far_catch_up(TrnFar *far_view);

/// Creates the store and the stream of a level. Errors: as trn_far_create(); the level is then as
/// before. @param levels  of the view that it is for
TrnResult trn_far_level_create(TrnFar *far_view, uint32_t level, uint32_t levels);

/// Frees a level, if it exists. Nothing of it is drawn any more.
void trn_far_level_destroy(TrnFar *far_view, uint32_t level);

/// Divides the bytes among the levels of the view.
void trn_far_levels_share_bytes(TrnFar *far_view);

// ---- anchors (far_anchors.c) -------------------------------------------------------------------

/// Moves the levels' anchors to those of level 0, with the radii of the view; adds and removes them
/// as these come and go. Only one level's anchors enter other chunks in an update, since that costs
/// time; the others do in later ones.
/// @param may_move  false: none does in this update
/// @param is_done   receives whether all levels have followed
/// Errors: NO_MEMORY, FULL; what is missing is added next time.
TrnResult trn_far_follow_anchors(TrnFar *far_view, bool may_move, bool *is_done);

#endif
