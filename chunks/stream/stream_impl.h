/// Private: the stream's state, and what its files call of each other.
///
/// A cell is the stream's record of a chunk that a view holds. A cell is in at most one list, and
/// at most one piece of work is under way for it. The planes of the index hold the states of all
/// cells. A query such as "loaded, to be shown, needs a mesh, all neighbours loaded" takes a few us
/// for all cells.
#ifndef TERRANE_STREAM_STREAM_IMPL_H
#define TERRANE_STREAM_STREAM_IMPL_H

#include <terrane/stream.h>

#include "base/around.h"
#include "base/array.h"
#include "base/memory.h"
#include "index/pool_internal.h"
#include "stream_pool.h"
#include "stream_shape.h"
#include "stream_times.h"

#define TRN_STREAM_BUCKETS 64u
#define TRN_STREAM_SCAN_MAX 1024u  ///< most cells that one scan for chunks to mesh finds
#define TRN_STREAM_SCAN_PAGES 512u ///< most pages that one scan can be limited to
#define TRN_STREAM_SCAN_SLOTS 1024u
#define TRN_STREAM_RESERVE_MAX 16u
#define TRN_STREAM_UNLOAD_RING 1024u // a power of two
#define TRN_STREAM_BUFFER_BYTES sizeof(TrnBlock[TRN_CHUNK_VOXELS])

/// The planes of the index, in the order of their names in stream.c.
enum {
    TRN_STREAM_WANTED = 1, ///< a view holds the chunk
    TRN_STREAM_SHOW,       ///< a view shows the chunk
    TRN_STREAM_LOADED,     ///< in the store
    TRN_STREAM_SHOWN,      ///< with a current mesh
    TRN_STREAM_REMESH,     ///< needs a mesh and is in no queue
    TRN_STREAM_UNSAVED,
    TRN_STREAM_PLANE_END
};

/// Lists of cells: the queues by kind, lane and bucket, then the lists named here.
enum {
    TRN_STREAM_QUEUE_GENERATE,
    TRN_STREAM_QUEUE_MESH,
    TRN_STREAM_QUEUE_COUNT,
    TRN_STREAM_LIST_UNLOAD_FIRST =
        TRN_STREAM_QUEUE_COUNT * TRN_STREAM_LANE_COUNT * TRN_STREAM_BUCKETS, ///< unload these first
    TRN_STREAM_LIST_UNLOAD_LATER,                                            ///< then these
    TRN_STREAM_LIST_FAILED,                                                  ///< wait for a retry
    TRN_STREAM_LIST_COUNT,
    TRN_STREAM_LIST_NONE = 0xFFFF
};

#define TRN_STREAM_NO_CELL UINT32_MAX

/// Whether a chunk is all air, as far as known without looking at its voxels.
enum { TRN_STREAM_AIR_UNKNOWN, TRN_STREAM_AIR_YES, TRN_STREAM_AIR_NO };

typedef struct TrnStreamCell {
    TrnCoord coord;
    uint32_t slot;       ///< of this cell in the pool
    uint32_t generation; ///< of the slot
    uint32_t next, prev; ///< in its list; TRN_STREAM_NO_CELL at the ends
    uint16_t list;
    uint8_t state; ///< TrnStreamState
    uint8_t tries;
    uint8_t failure;       ///< TrnResult
    uint8_t air;           ///< TRN_STREAM_AIR_...
    bool is_loaded;        ///< in the store
    bool is_unloading;     ///< no view holds it
    bool was_shown;        ///< since it was loaded
    uint32_t stamp;        ///< counts changes of its voxels
    uint32_t group;        ///< group of an edit, plus one; 0: none
    uint32_t member_index; ///< in the group's members
    uint32_t retry_at;     ///< low 32 bits of TrnStream.updates at the next try
    TrnStreamWork *work;   ///< under way, or NULL
    /// The last save until it comes back, even if cancelled; then NULL.
    TrnStreamWork *save;
    double wanted_us, since_us;
    TrnStreamMesh mesh; ///< the shown mesh
} TrnStreamCell;

/// Cells allocated ahead for a batch, so that their cache misses overlap.
typedef struct TrnStreamReserve {
    TrnPoolId ids[TRN_STREAM_RESERVE_MAX]; ///< [count]
    void *cells[TRN_STREAM_RESERVE_MAX];   ///< [count]
    uint32_t count;
} TrnStreamReserve;

typedef struct TrnStreamList {
    uint32_t first, last, count;
} TrnStreamList;

/// The slots of an unload list in its order, used only to prefetch them. An entry may be stale: its
/// cell may be wanted again, or freed.
typedef struct TrnStreamUnloadRing {
    uint32_t slots[TRN_STREAM_UNLOAD_RING]; ///< entry n at n % TRN_STREAM_UNLOAD_RING
    uint32_t next, end;                     ///< entry numbers
} TrnStreamUnloadRing;

/// Where a view was, and how large.
typedef struct TrnStreamViewExtent {
    TrnCoord centre;
    uint32_t radius, height;
    int64_t ring;
} TrnStreamViewExtent;

/// An anchor's view, or a dissolving view that an anchor has left.
typedef struct TrnStreamViewSlot {
    TrnStreamAnchor anchor; ///< as last set
    uint32_t generation;    ///< odd while an anchor owns the slot
    bool is_used, is_anchor;
    bool is_changed; ///< set since the last update
    // The view as it stands.
    TrnCoord centre;
    uint32_t radius, height;
    int64_t ring; ///< -1: empty
    bool is_shrunk;
    /// is_shrunk follows from an estimate that may change, since chunks are still to come
    bool is_estimate;
    bool has_previous; ///< what only `previous` kept is not released yet
    TrnStreamViewExtent previous;
    bool has_lost_ring;       ///< memory ran short since the view last grew
    uint64_t grow_update;     ///< the first update in which it may grow again
    uint32_t backoff_updates; ///< how long to wait after memory runs short again
    TrnCoord backoff_centre;  ///< the centre when it last lost a ring or reset its backoff
    // For priorities, in chunks.
    double position[3]; ///< inside its chunk
    double ahead[3];    ///< relative to `position`
    double view[3];     ///< of length 1; zeroes: all around
    bool has_view;
    // The same values when queued cells were last rebucketed.
    TrnCoord bucketed_centre;
    double bucketed_ahead[3], bucketed_view[3];
    bool bucketed_has_view;
} TrnStreamViewSlot;

TRN_ARRAY_DECLARE(TrnStreamViewArray, TrnStreamViewSlot);

/// One of the meshes that an edit touches.
typedef struct TrnStreamMember {
    uint32_t cell;
    bool is_done;
    TrnStreamMesh mesh; ///< if is_done
} TrnStreamMember;

TRN_ARRAY_DECLARE(TrnStreamMemberArray, TrnStreamMember);

/// Meshes that must appear in the same update.
typedef struct TrnStreamGroup {
    TrnStreamMemberArray members;
    uint32_t pending; ///< members without a finished mesh
    bool is_used;
    double since_us;
    uint64_t since_update;
} TrnStreamGroup;

TRN_ARRAY_DECLARE(TrnStreamGroupArray, TrnStreamGroup);

/// Where to look for chunks that can be meshed: pages in which chunks were loaded or are newly to
/// be shown.
typedef struct TrnStreamScan {
    TrnCoord pages[TRN_STREAM_SCAN_PAGES]; ///< [count]
    uint32_t count;
    bool is_everywhere;                    ///< too many pages for `pages`
    uint16_t table[TRN_STREAM_SCAN_SLOTS]; ///< hash table of positions in `pages` plus one; 0: none
} TrnStreamScan;

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): fields are grouped by purpose
struct TrnStream {
    TrnStreamDef def; ///< allocator and clock filled in
    TrnStore *store;
    TrnAllocator allocator; ///< the caller's
    TrnAllocator counted;   ///< counts bytes and keeps to bytes_max
    TrnStreamPool *pool;
    TrnChunkReader *readers[TRN_STREAM_WORKER_MAX + 1]; ///< by worker; NULL for the calling thread
    uint32_t workers_failed;

    TrnChunkIndex *index; ///< coordinate to cell slot
    TrnPool *cells;
    TrnStreamReserve reserve; ///< empty outside of a batch
    TrnStreamList lists[TRN_STREAM_LIST_COUNT];
    TrnStreamUnloadRing unload_rings[2]; ///< of LIST_UNLOAD_FIRST and LIST_UNLOAD_LATER
    uint64_t filled[TRN_STREAM_QUEUE_COUNT][TRN_STREAM_LANE_COUNT]; ///< buckets that hold cells
    uint32_t queued;
    uint32_t to_generate;                                                  ///< part of queued
    uint64_t stale_buckets[TRN_STREAM_QUEUE_COUNT][TRN_STREAM_LANE_COUNT]; ///< buckets to rebucket
    uint32_t crossings; ///< chunk borders that anchors crossed
    TrnStreamScan scan;
    uint32_t *found; ///< [TRN_STREAM_SCAN_MAX]

    TrnStreamViewArray views;

    TrnStreamGroupArray groups;
    uint32_t groups_open;
    bool groups_have_unwanted;  ///< some members are in no view
    uint32_t edits_invalidated; ///< meshes outdated by edits since the last update

    TrnStreamWork *works;                       ///< [TRN_STREAM_WORK_MAX]
    TrnStreamWorkList idle;                     ///< of works
    TrnStreamWorkList issued;                   ///< not yet given to the pool
    TrnStreamWorkList urgent, generated, other; ///< done, to be applied
    TrnStreamWork **wave;                       ///< [TRN_STREAM_WORK_MAX] for exact replay
    TrnStreamWork *done[TRN_STREAM_WORK_MAX];   ///< as collected from the pool
    uint32_t under_way;
    uint32_t generating;     ///< part of under_way: generating, not collected yet
    uint32_t collected_last; ///< how many results the previous update collected
    TrnBlock **buffers;      ///< [buffer_max] all buffers
    TrnBlock **free_buffers; ///< [buffer_max] free, to be given to the pool
    uint32_t buffer_max, buffer_count, free_count;

    size_t stream_bytes, mesh_bytes, scratch_bytes, bytes_peak;
    size_t store_bytes_max;   ///< the store's bytes_max before the stream
    size_t capacity_learned;  ///< bytes that chunks used when memory ran short; 0: unknown
    uint32_t starved_updates; ///< updates in a row in which allocations failed
    size_t store_base_bytes;  ///< the store's bytes without chunks of the stream
    uint32_t loaded_count;    ///< cells in the store

    uint64_t updates;
    double now_us;           ///< start of this update
    double deadline_us;      ///< 0: none
    double last_us;          ///< start of the previous update
    double work_us;          ///< recent average time of one piece of work
    size_t upload_bytes_max; ///< of this update; 0: none
    double finish_us;        ///< estimated time of an update after results are applied
    TrnCoord inserting;
    uint64_t seen_revision;  ///< the store's revision up to which all changes are known
    uint32_t removing;       ///< the cell that the stream is removing from the store
    TrnResult update_result; ///< the last problem of this update
    TrnStreamReport report;
    uint64_t stale_reported;
    TrnStreamStats stats; ///< cumulative figures
    TrnStreamHistogram times[TRN_STREAM_STAGE_COUNT];

    bool is_full, was_full; ///< memory ran short in this update; in the previous one
    bool is_full_of_bytes;  ///< a byte limit was reached
    bool is_starved;        ///< an allocation failed
    bool is_refused;        ///< bytes_max refused memory to the stream itself
    bool is_exact;
    bool is_inserting; ///< the stream itself inserts `inserting`
};

// ---- shared by all files -----------------------------------------------------------------------

static inline TrnStreamCell *trn_stream_cell(const TrnStream *stream, uint32_t slot)
{
    return trn_pool_slot(stream->cells, slot);
}

/// Prefetches a cell for writing.
static inline void trn_stream_prefetch_cell(const TrnStream *stream, uint32_t slot)
{
    const unsigned char *cell = (const unsigned char *)trn_stream_cell(stream, slot);
    __builtin_prefetch(cell, 1);
    __builtin_prefetch(cell + TRN_CACHE_LINE, 1);
}

/// Returns the cell of a coordinate, or NULL.
static inline TrnStreamCell *trn_stream_find(const TrnStream *stream, TrnCoord coord)
{
    uint32_t slot;
    return trn_chunk_index_find(stream->index, coord, &slot) ? trn_stream_cell(stream, slot) : NULL;
}

static inline double trn_stream_clock(const TrnStream *stream)
{
    return stream->def.clock_us(stream->def.clock_user);
}

/// Whether the update has time left at a known time.
static inline bool trn_stream_has_time_at(const TrnStream *stream, double now_us)
{
    return stream->is_exact || stream->deadline_us <= 0 || now_us < stream->deadline_us;
}

/// Whether the update has time left.
static inline bool trn_stream_has_time(const TrnStream *stream)
{
    return stream->is_exact || stream->deadline_us <= 0 ||
           trn_stream_clock(stream) < stream->deadline_us;
}

/// Sets or clears a cell's bit in a plane. Cannot fail, since the cell's page exists.
static inline void trn_stream_plane_set(TrnStream *stream, const TrnStreamCell *cell,
                                        TrnPlane plane, bool bit)
{
    (void)trn_chunk_index_plane_set(stream->index, plane, cell->coord, bit);
}

static inline bool trn_stream_plane_test(const TrnStream *stream, const TrnStreamCell *cell,
                                         TrnPlane plane)
{
    return trn_chunk_index_plane_test(stream->index, plane, cell->coord);
}

static inline void trn_stream_set_state(TrnStream *stream, TrnStreamCell *cell,
                                        TrnStreamState state)
{
    cell->state = (uint8_t)state;
    cell->since_us = stream->now_us;
}

static inline void trn_stream_notify(const TrnStream *stream, TrnStreamEventKind kind,
                                     TrnCoord coord)
{
    if (stream->def.listener) {
        const TrnStreamEvent event = {.kind = kind, .coord = coord};
        stream->def.listener(stream->def.listener_user, &event);
    }
}

/// Counts a failure and sends the event.
void trn_stream_note_failure(TrnStream *stream, TrnCoord coord, TrnStreamStage stage,
                             TrnResult result);

// ---- views (stream_view.c) ---------------------------------------------------------------------

/// Moves, shrinks and grows the views.
void trn_stream_update_views(TrnStream *stream);

/// Drops the outer ring of the anchor's view with the most rings. @return false if no view has a
/// ring to drop
bool trn_stream_shrink_largest_view(TrnStream *stream);

/// Unwants what views keep only by hysteresis. @return how many chunks were added to the unload
/// lists
uint32_t trn_stream_drop_kept(TrnStream *stream);

/// Whether an anchor wants a chunk loaded; whether it would keep a loaded one, within the
/// hysteresis. Cost: O(anchors).
bool trn_stream_is_wanted(const TrnStream *stream, TrnCoord coord);
bool trn_stream_is_kept(const TrnStream *stream, TrnCoord coord);

/// Whether views are still dissolving, or chunks are waiting to unload.
bool trn_stream_is_unloading(const TrnStream *stream);

/// Whether all views are as large as wanted, or as memory allows.
bool trn_stream_views_are_idle(const TrnStream *stream);

// ---- cells and queues (stream_queue.c) ---------------------------------------------------------

/// Allocates up to `count` cells ahead for a batch, as far as memory allows; release frees those
/// that were not used.
void trn_stream_reserve_cells(TrnStream *stream, uint32_t count);
void trn_stream_release_cells(TrnStream *stream);

/// Makes a chunk wanted by a view. @return false without memory
bool trn_stream_want_chunk(TrnStream *stream, TrnCoord coord);

/// Makes a chunk wanted by no view.
void trn_stream_unwant_chunk(TrnStream *stream, TrnCoord coord);

/// Removes a cell from its list, if any.
void trn_stream_list_remove(TrnStream *stream, TrnStreamCell *cell);
void trn_stream_list_append(TrnStream *stream, TrnStreamCell *cell, uint32_t list);

/// Queues a cell to be loaded or generated, or to be meshed.
void trn_stream_queue_generate(TrnStream *stream, TrnStreamCell *cell);
void trn_stream_queue_mesh(TrnStream *stream, TrnStreamCell *cell, bool is_urgent);

/// Takes the next cell off the queues: from the best bucket, meshes first. NULL if the queues are
/// empty.
/// @param may_generate  also returns chunks to generate
TrnStreamCell *trn_stream_dequeue(TrnStream *stream, bool may_generate);

/// Cancels the work under way for a cell.
void trn_stream_cancel(TrnStream *stream, TrnStreamCell *cell);

/// Frees the cell of a chunk that is not loaded. @return false if the index has no memory to remove
/// it; the cell is then unchanged
bool trn_stream_remove_cell(TrnStream *stream, TrnStreamCell *cell);

/// Marks the buckets up to a distance from an anchor, in chunks, for rebucketing.
void trn_stream_request_rebucket(TrnStream *stream, double distance);

/// Moves queued cells to the buckets where they belong now, a limited number an update, nearest
/// first.
void trn_stream_rebucket(TrnStream *stream);

/// Records that loading, generating, meshing or saving a cell failed, and schedules a retry.
void trn_stream_fail(TrnStream *stream, TrnStreamCell *cell, TrnStreamStage stage,
                     TrnResult result);

/// Retries failed cells that are due.
void trn_stream_retry_failed(TrnStream *stream);

/// Adds the cells in the queues to zeroed statistics.
void trn_stream_count_queues(const TrnStream *stream, TrnStreamStats *stats);

/// Returns a chunk's bucket, and its lane.
uint32_t trn_stream_priority(const TrnStream *stream, TrnCoord coord, TrnStreamLane *lane);

/// Returns the distance to the nearest anchor in chunks; infinite without anchors.
double trn_stream_distance(const TrnStream *stream, TrnCoord coord);

// ---- on any thread (stream_run.c) --------------------------------------------------------------

/// Runs one piece of work.
void trn_stream_run(void *context, TrnStreamWork *work, uint32_t worker);

// ---- meshes (stream_show.c) --------------------------------------------------------------------

/// Frees a mesh that does not count against the budget.
void trn_stream_free_mesh(const TrnStream *stream, TrnStreamMesh mesh);

/// Passes a counted mesh to drop_mesh.
void trn_stream_drop_mesh(TrnStream *stream, TrnStreamMesh mesh);

/// Takes a counted mesh from a worker: shows it, or adds it to the cell's group.
void trn_stream_accept_mesh(TrnStream *stream, TrnStreamCell *cell, TrnStreamMesh mesh);

/// Uploads a counted mesh and replaces the shown one.
void trn_stream_show(TrnStream *stream, TrnStreamCell *cell, TrnStreamMesh mesh);

/// Marks a loaded cell as in need of a mesh; the scan finds it once its neighbours are loaded.
void trn_stream_request_mesh(TrnStream *stream, TrnStreamCell *cell);

/// Whether all neighbours of a chunk are loaded.
bool trn_stream_has_neighbours(const TrnStream *stream, TrnCoord coord);

/// Whether a chunk is air that needs no mesh hook.
bool trn_stream_is_plain_air(const TrnStream *stream, const TrnStreamCell *cell);

/// Queues a cell that can be meshed; a chunk of air counts as shown at once.
void trn_stream_queue_meshable(TrnStream *stream, TrnStreamCell *cell);

// ---- work (stream_work.c) ----------------------------------------------------------------------

/// Applies results, issues work, and works on the calling thread if configured, within the time
/// budget.
void trn_stream_work_in_time(TrnStream *stream);
void trn_stream_work_exactly(TrnStream *stream, uint32_t units);

/// Starts a piece of work for a cell that has none. At least one must be idle.
TrnStreamWork *trn_stream_begin_work(TrnStream *stream, TrnStreamCell *cell, TrnStreamWorkKind kind,
                                     TrnStreamLane lane);

/// Applies a result other than a generated chunk, or discards it.
void trn_stream_apply_other(TrnStream *stream, TrnStreamWork *work);

/// Discards all work of a list.
void trn_stream_discard_all(TrnStream *stream, TrnStreamWorkList *list);

/// Records that a cell's chunk is now in the store.
void trn_stream_note_loaded(TrnStream *stream, TrnStreamCell *cell);

// ---- unloading (stream_unload.c) ---------------------------------------------------------------

/// Cancels a cell's save and waits for it if a worker has begun it. The hook never runs twice at a
/// time for one chunk.
void trn_stream_await_save(TrnStream *stream, const TrnStreamCell *cell);

/// Unloads chunks that no view holds. @param units  of exact replay
void trn_stream_unload(TrnStream *stream, uint32_t units);

// ---- finding chunks to mesh (stream_scan.c) ----------------------------------------------------

/// Requests a scan of a box in which chunks may have become ready to mesh.
void trn_stream_request_scan(TrnStream *stream, TrnBox box);
bool trn_stream_needs_scan(const TrnStream *stream);

/// Finds chunks that can be meshed now, and queues them.
void trn_stream_scan(TrnStream *stream);

// ---- edits (stream_edits.c) --------------------------------------------------------------------

/// The stream's listener on the store.
TrnResult trn_stream_on_store_event(TrnStore *store, const TrnStoreEvent *event, void *user);

/// Handles changes whose events the store could not send for lack of memory.
void trn_stream_catch_up(TrnStream *stream);

/// Takes a group member's counted mesh.
void trn_stream_group_accept_mesh(TrnStream *stream, TrnStreamCell *cell, TrnStreamMesh mesh);

/// Removes a cell from its group; the group continues without it.
void trn_stream_group_remove(TrnStream *stream, TrnStreamCell *cell);

/// Handles a group member that left all views and is wanted again.
void trn_stream_group_rejoin(TrnStream *stream, TrnStreamCell *cell);

/// Removes members that no view holds from their groups.
void trn_stream_groups_drop_unwanted(TrnStream *stream);

/// Returns how many updates the oldest group has been pending.
uint64_t trn_stream_group_age(const TrnStream *stream);

void trn_stream_destroy_groups(TrnStream *stream);

// ---- bytes (stream_budget.c) -------------------------------------------------------------------

void *trn_stream_alloc(size_t bytes, size_t alignment, void *user);
void trn_stream_free(void *memory, size_t bytes, void *user);

/// Sets the store's bytes_max to what the stream and its meshes leave.
void trn_stream_update_store_max(TrnStream *stream);

/// Counts a mesh against the budget. @return false if it does not fit
bool trn_stream_admit_mesh(TrnStream *stream, size_t bytes);

/// Records that memory or bytes ran short in this update.
void trn_stream_note_full(TrnStream *stream, TrnResult result);

/// Shrinks views at the end of an update if memory ran short.
void trn_stream_enforce_budget(TrnStream *stream);

/// Returns how many chunks are still to be loaded: queued, under way, or waiting for a retry.
uint32_t trn_stream_chunks_to_come(const TrnStream *stream);

/// Whether `chunks` more chunks are likely to fit. @param is_cautious  after memory ran short
bool trn_stream_fits(const TrnStream *stream, uint64_t chunks, bool is_cautious);

#endif
