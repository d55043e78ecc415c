/// Private: the far view as a whole. Its files, each of which calls only those above it:
///
///     far_cover.c    which chunks are drawn
///     far_job.c      one chunk with edits, folded or fetched on any thread
///     far_save.c     edits of coarse chunks that are not loaded, on their way to rows
///     far_fold.c     edits, on their way to the coarser levels
///     far.c          levels and their anchors, creation, updates, questions
#ifndef TERRANE_FAR_FAR_IMPL_H
#define TERRANE_FAR_FAR_IMPL_H

#include <terrane/batch.h>
#include <terrane/far.h>
#include <terrane/generator.h>
#include <terrane/stream.h>

#include "base/array.h"
#include "base/coord_map.h"
#include "far_cover.h"
#include "stream/stream_level.h"

#define TRN_FAR_CELLS (TRN_CHUNK_VOXELS / 8) ///< of one chunk, in its parent

TRN_ARRAY_DECLARE(TrnFarRuns, TrnPendingRun);

/// One chunk while it is folded.
typedef struct TrnFarJob {
    TrnStreamTask task; ///< first: workers get its address
    // Written before it is issued.
    const TrnGenerator *generator; ///< what `voxels` are compared with; without generate: nothing
    const TrnStream *stream;       ///< of the chunk's level
    const TrnBlockTypes *types;
    TrnCoord coord;
    uint32_t level;
    bool has_voxels; ///< `voxels` are the chunk's; false: it is loaded or generated, with `pending`
    bool writes_out; ///< the chunk is not folded but saved, with `pending`
    bool is_stale;   ///< of one to be saved: `pending` are not all of its edits any more
    TrnFarRuns pending; ///< edits of a chunk that is not loaded
    // Written while it runs.
    TrnResult result;
    TrnBlock voxels[TRN_CHUNK_VOXELS]; ///< the chunk's
    TrnBlock folded[TRN_CHUNK_VOXELS]; ///< of the parent: the chunk's part is what it should be
    TrnBlock parent[TRN_CHUNK_VOXELS]; ///< the parent without edits, if the generator made it
    union {
        TrnBlock land[TRN_CHUNK_VOXELS]; ///< the chunk without edits
        TrnPendingRun runs[TRN_FAR_CELLS];
    };
} TrnFarJob;

/// Which of the eight parts of its parent a chunk is.
static inline uint32_t trn_far_octant(TrnCoord coord)
{
    return (uint32_t)(coord.x & 1) | (uint32_t)(coord.z & 1) << 1 | (uint32_t)(coord.y & 1) << 2;
}

#define TRN_FAR_JOBS 4u ///< chunks that are folded at a time

/// Makes `voxels` the chunk's, if they are not yet: loads or generates it, and applies `pending`.
/// Errors: those of the load hook and of the generator. Threads: any.
TrnResult trn_far_job_fetch(TrnFarJob *job, uint32_t worker);

/// Folds the chunk into its part of the parent. A job that saves computes the chunk's voxels
/// instead.
/// @param task  of a TrnFarJob
void trn_far_job_run(TrnStreamTask *task, uint32_t worker);

/// Lists the cells of a finished job that the parent must change, in `runs`; overwrites `voxels`.
/// @param parent  the parent's voxels now; NULL: it is not loaded, and all cells are listed
/// @return how many runs
uint32_t trn_far_job_list_runs(TrnFarJob *job, const TrnSnapshot *parent);

/// One level. Level 0 is the game's own.
typedef struct TrnFarLevel {
    TrnFar *far_view;
    uint32_t level;
    TrnStore *store;
    TrnStream *stream; ///< NULL: the view does not reach so far
    uint32_t skipped;  ///< updates in a row that had no time for it
    bool is_full;      ///< its pending edits reached their cap: the oldest are being saved
    size_t bytes_goal; ///< until they take no more than this
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

/// Chunks to fold, taken in turn.
typedef struct TrnFarQueue {
    TrnFarDueArray all; ///< may list chunks that are due no longer
    uint32_t next;      ///< where to go on
} TrnFarQueue;

/// The chunks of a far view that are due.
typedef struct TrnFarFolds {
    /// Those that are not under way. All that could not be folded come after all others.
    TrnFarQueue fresh, failed;
    TrnCoordMap due[TRN_FAR_LEVEL_MAX]; ///< by level: a FoldNote for each chunk
    TrnFarJob *jobs[TRN_FAR_JOBS];      ///< NULL until needed, and while nothing is due
    double issued_us[TRN_FAR_JOBS];     ///< by job: when workers got it
    uint64_t folded;                    ///< chunks so far
    uint64_t dropped;                   ///< coarse chunks whose edits were, for lack of memory
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

/// The entry of a chunk that is due, or NULL. @param level  below TRN_FAR_LEVEL_MAX
static inline TrnCoordEntry *trn_far_find_due(const TrnFar *far_view, uint32_t level,
                                              TrnCoord coord)
{
    return trn_coord_map_find(&far_view->folds.due[level], coord);
}

// ---- jobs (far_job.c) --------------------------------------------------------------------------

static inline bool trn_far_job_is_idle(const TrnFarJob *job)
{
    return atomic_load_explicit(&job->task.state, memory_order_relaxed) == TRN_STREAM_TASK_IDLE;
}

/// Whether a job under way is to save a chunk. @param job  may be NULL
static inline bool trn_far_job_saves(const TrnFarJob *job, uint32_t level, TrnCoord coord)
{
    return job && job->writes_out && job->level == level && trn_coord_equal(job->coord, coord) &&
           !trn_far_job_is_idle(job);
}

/// Finds or makes an idle job. @return its number; TRN_FAR_JOBS without any, or without memory
uint32_t trn_far_jobs_find_idle(TrnFar *far_view);

/// Frees the jobs, none of which is under way.
void trn_far_jobs_free(TrnFar *far_view);

/// Finds out which voxels a job folds. @param voxels  NULL: what the chunk has now
/// Errors: NO_MEMORY.
TrnResult trn_far_job_prepare(TrnFar *far_view, TrnFarJob *job, uint32_t level, TrnCoord coord,
                              const TrnSnapshot *voxels);

/// Gives a job that was prepared to the workers. @param number  of the job
void trn_far_job_issue(TrnFar *far_view, uint32_t number, double now_us);

// ---- saving (far_save.c) -----------------------------------------------------------------------

/// Makes room for edits of chunks of a level that are not loaded. If the level has a source, has it
/// save the oldest from now on; otherwise drops the oldest.
/// @return whether there is more room now
bool trn_far_level_make_room(TrnFar *far_view, TrnFarLevel *level);

/// Begins to save chunks of a level that is full, the oldest first.
/// @param most  how many; receives how many more may begin
/// Errors: NO_MEMORY.
TrnResult trn_far_level_write_out(TrnFar *far_view, TrnFarLevel *level, double now_us,
                                  uint32_t *most);

/// Saves the chunk of such a job that is done, unless it was edited or loaded meanwhile.
TrnResult trn_far_job_write_out(TrnFar *far_view, const TrnFarJob *job);

/// Saves all chunks of a level that have pending edits, with these. No job is under way.
/// Errors: the last one; those edits stay pending.
TrnResult trn_far_level_save(TrnFar *far_view, const TrnFarLevel *level);

/// The same for all levels that have a source.
TrnResult trn_far_save_pending(TrnFar *far_view);

// ---- edits (far_fold.c) ------------------------------------------------------------------------
//
// A chunk that was edited is due, loaded or not. Folding it writes its part of its parent, the
// chunk of the next level that covers it: cells whose eight voxels are as generated get the
// parent's generated block back, the others what trn_fold_blocks() says. That edit makes the parent
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

/// Bytes that folding holds.
size_t trn_far_folds_bytes(const TrnFar *far_view);

/// How many chunks are due.
uint32_t trn_far_folds_due(const TrnFar *far_view);

#endif
