/// Private: the stream as a whole. Its modules each own their state and know nothing of it:
///
///     views      which chunks each anchor wants        jobs      work under way, and its results
///     queue      the next work of cells                budget    bytes: what fits, what has to go
///     cells      the record of each chunk              schedule  time: what one update may cost
///     light      light that is solved, and what can be asked for
///     groups     meshes that appear together           scan      which chunks can be meshed
///
/// Below them: stream_view (one view) with stream_view_tree (which views are near), stream_sight
/// and stream_shape, and stream_workers with stream_run (threads, and what they run; used by jobs).
///
/// The files below join them. Each calls only those above it in this list:
///
///     stream_chunks.c    a chunk changes state: queued, loaded, failed
///     stream_meshes.c    meshes: requested, finished, shown, dropped
///     stream_wants.c     chunks enter and leave views
///     stream_events.c    the store changes
///     stream_handover.c  results are applied, the next work is issued
///     stream_unload.c    chunks are saved and removed
///     stream_omit.c      voxels that can be generated again are not kept
///     stream_update.c    one update
///     stream.c           creation, destruction, questions
///     stream_level.c     levels, and what a far view needs to know
#ifndef TERRANE_STREAM_STREAM_IMPL_H
#define TERRANE_STREAM_STREAM_IMPL_H

#include <terrane/stream.h>

#include "stream_budget.h"
#include "stream_cells.h"
#include "stream_groups.h"
#include "stream_jobs.h"
#include "stream_queue.h"
#include "stream_scan.h"
#include "stream_schedule.h"
#include "stream_views.h"
#include "stream_watch.h"

/// Figures that the stream reports.
typedef struct TrnStreamFigures {
    TrnStreamReport report;  ///< of this update
    TrnResult result;        ///< the last problem of this update
    TrnStreamStats stats;    ///< cumulative figures
    uint64_t stale_reported; ///< of stats.stale
    TrnStreamHistogram times[TRN_STREAM_STAGE_COUNT];
} TrnStreamFigures;

/// The walk over all cells that saves loaded chunks in the background.
typedef struct TrnStreamSaveWalk {
    double begun_us; ///< of the last walk
    uint32_t cursor; ///< of the cells
    bool is_under_way;
} TrnStreamSaveWalk;

/// The walk over all cells that omits voxels.
typedef struct TrnStreamOmitWalk {
    uint32_t cursor; ///< of the cells
    uint32_t rounds; ///< until all cells have been seen since a chunk was shown
} TrnStreamOmitWalk;

/// The cells whose chunks the stream itself is inserting, in the order of the store's events.
typedef struct TrnStreamArriving {
    TrnStreamCell *const *cells; ///< [count]
    uint32_t count;
    uint32_t next; ///< those before it have had their event
} TrnStreamArriving;

struct TrnStream {
    TrnStreamDef def; ///< clock filled in
    TrnStore *store;
    TrnStreamBytes bytes;
    TrnStreamSchedule schedule;
    TrnStreamCells cells;
    TrnStreamViews views;
    TrnStreamQueue queue;
    TrnStreamJobs jobs;
    TrnStreamScan scan;
    TrnStreamGroups groups;
    TrnStreamKeptLight lights;
    TrnStreamFigures figures;
    TrnStreamSaveWalk save_walk;
    TrnStreamOmitWalk omit_walk;
    TrnStreamWatch watch; ///< all zeroes: none
    TrnStoreWatch store_watch;
    TrnStreamArriving arriving; ///< all zeroes: none
    uint64_t seen_revision;     ///< the store's, up to which all changes are known
    bool has_missed;            ///< events of removed chunks may have been missed
    bool omits;                 ///< see trn_stream_omit_voxels
    uint32_t checked;           ///< cells compared with the store, in builds with assertions
    uint32_t edits_invalidated; ///< meshes outdated by edits since the last update
};

/// Creates the stream of a level. @param host  as in trn_stream_create_level
TrnResult trn_stream_create_guest(const TrnStreamDef *def, uint32_t level, TrnStream *host,
                                  TrnStream **stream);

// ---- chunks (stream_chunks.c) ------------------------------------------------------------------

/// What a cell's chunk is doing.
TrnStreamState trn_stream_state(const TrnStream *stream, const TrnStreamCell *cell);

void trn_stream_notify(const TrnStream *stream, TrnStreamEventKind kind, TrnCoord coord);

/// Adds a time to a stage's.
void trn_stream_add_time(TrnStream *stream, TrnStreamStage stage, double us);

/// Queues a cell to be loaded or generated, or to be meshed.
void trn_stream_queue_work(TrnStream *stream, TrnStreamCell *cell, TrnStreamQueueKind kind,
                           bool is_edit);

/// Starts a piece of work for a cell that has none. One must be idle.
TrnStreamWork *trn_stream_start(TrnStream *stream, TrnStreamCell *cell, TrnStreamWorkKind kind,
                                bool is_urgent);

/// Cancels the work under way for a cell.
void trn_stream_cancel(TrnStream *stream, TrnStreamCell *cell);

/// Marks a loaded cell as in need of a mesh; the scan finds it once its neighbours are loaded.
void trn_stream_request_mesh(TrnStream *stream, TrnStreamCell *cell);

/// Makes a loaded cell's chunk known: it may be meshed, and so may its neighbours.
void trn_stream_announce_loaded(TrnStream *stream, TrnStreamCell *cell);

/// Counts a failure and sends the event.
void trn_stream_note_failure(TrnStream *stream, TrnCoord coord, TrnStreamStage stage,
                             TrnResult result);

/// Records that work on a cell failed, and schedules a retry. The cell is in no group.
void trn_stream_fail(TrnStream *stream, TrnStreamCell *cell, TrnStreamStage stage,
                     TrnResult result);

/// Forgets earlier failures of a cell.
void trn_stream_succeed(TrnStreamCell *cell);

/// Retries failed cells that are due.
void trn_stream_retry_failed(TrnStream *stream);

/// Records that a cell's changes were saved.
void trn_stream_note_saved(TrnStream *stream, TrnStreamCell *cell);

/// Saves a cell's chunk on the calling thread, after waiting for a save that a worker has begun.
TrnResult trn_stream_save_here(TrnStream *stream, TrnStreamCell *cell, TrnSnapshot voxels);

// ---- meshes (stream_meshes.c) ------------------------------------------------------------------

/// Frees a mesh that counts against the budget.
void trn_stream_drop_mesh(TrnStream *stream, TrnStreamMesh mesh);

/// Frees a mesh that does not count.
void trn_stream_free_mesh(const TrnStream *stream, TrnStreamMesh mesh);

/// Frees light that counts against the budget.
void trn_stream_drop_light(TrnStream *stream, TrnStreamPacked *light);

/// Keeps counted light of a cell's chunk. Errors: NO_MEMORY; it stays the caller's.
TrnResult trn_stream_accept_light(TrnStream *stream, const TrnStreamCell *cell,
                                  TrnStreamPacked *light);

/// Tells the watch that a cell's chunk is no longer on screen, unless it knows.
/// @param chunk  NULL: it is gone already
void trn_stream_note_hidden(TrnStream *stream, TrnStreamCell *cell, TrnChunk *chunk);

/// Drops the mesh of a cell whose chunk was unloaded, and what is known of its voxels.
void trn_stream_forget_mesh(TrnStream *stream, TrnStreamCell *cell);

/// The voxels of a chunk, or those next to it, changed: its mesh is no longer current.
void trn_stream_outdate_mesh(TrnStream *stream, TrnStreamCell *cell);

/// Has a shown mesh built and uploaded again, even if it would be equal.
void trn_stream_renew_mesh(TrnStream *stream, TrnStreamCell *cell);

/// Whether a chunk is air that needs no mesh hook.
bool trn_stream_is_plain_air(const TrnStream *stream, const TrnStreamCell *cell);

/// Whether voxels that are not omitted are opaque all through.
bool trn_stream_is_opaque(const TrnStream *stream, TrnSnapshot voxels);

/// Takes a counted mesh from a worker: shows it, or adds it to the cell's group.
void trn_stream_accept_mesh(TrnStream *stream, TrnStreamCell *cell, const TrnStreamMade *made);

/// Removes a cell from its group, if any; the group continues without it.
void trn_stream_leave_group(TrnStream *stream, TrnStreamCell *cell);

/// Queues a group member that left all views and is wanted again, unless its mesh is finished.
void trn_stream_rejoin_group(TrnStream *stream, TrnStreamCell *cell);

/// Removes members that no view holds from their groups.
void trn_stream_drop_unwanted_members(TrnStream *stream);

/// Finds chunks that can be meshed now, and queues them.
void trn_stream_scan(TrnStream *stream);

// ---- chunks that enter and leave views (stream_wants.c) ----------------------------------------

/// The callbacks of the views.
TrnStreamViewHost trn_stream_view_host(TrnStream *stream);

/// Whether views may grow: memory did not run short, and the queue is not long.
bool trn_stream_may_grow(const TrnStream *stream);

/// How many chunks there are and will be, for estimates of the budget.
TrnStreamLoad trn_stream_load(const TrnStream *stream);

// ---- the store (stream_events.c) ---------------------------------------------------------------

/// The stream's listener on the store.
TrnResult trn_stream_on_store_event(TrnStore *store, const TrnStoreEvent *event, void *user);

/// Asked by the store before a chunk is removed: saves its changes. Errors: those of the save hook.
TrnResult trn_stream_on_store_removing(void *user, const TrnChunk *chunk);

/// Treats a chunk as another caller's: as unsaved, with outdated meshes around it.
void trn_stream_take_over(TrnStream *stream, const TrnStreamCell *cell);

/// Records that a cell's chunk is no longer in the store: cancels its work and drops its mesh.
void trn_stream_note_unloaded(TrnStream *stream, TrnStreamCell *cell);

/// Handles changes whose events the store could not send for lack of memory.
void trn_stream_catch_up(TrnStream *stream);

/// In builds with assertions: compares some cells with the store, so that "loaded" is what it says.
void trn_stream_check_loaded(TrnStream *stream);

// ---- results (stream_handover.c) ---------------------------------------------------------------

/// Applies results, issues work, and works on the calling thread if configured, in the time that
/// the update has.
void trn_stream_work_in_time(TrnStream *stream);

/// The same by units: see TrnStreamBudget.
void trn_stream_work_exactly(TrnStream *stream, uint32_t units);

/// Applies a result other than a generated chunk, or discards it.
void trn_stream_apply_other(TrnStream *stream, TrnStreamWork *work);

/// Discards all results. After trn_stream_jobs_stop.
void trn_stream_discard_results(TrnStream *stream);

// ---- saving (stream_unload.c) ------------------------------------------------------------------

/// Saves loaded chunks that are unsaved, a part of them in each update: see
/// TrnStreamSource.save_seconds.
void trn_stream_save_some(TrnStream *stream);

// ---- unloading (stream_unload.c) ---------------------------------------------------------------

/// Unloads chunks that no view holds. @param units  of exact replay
void trn_stream_unload(TrnStream *stream, uint32_t units);

// ---- voxels that are not kept (stream_omit.c) --------------------------------------------------

/// Omits the voxels of chunks that are as generated, shown, and surrounded by shown ones. Looks at
/// some cells in each update. @param is_idle  nothing else is to do: looks at more
void trn_stream_omit_some(TrnStream *stream, bool is_idle);

#endif
