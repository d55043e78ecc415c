/// Private: what a stream is made of, and how its parts work together.
///
/// A cell is what the stream knows of a chunk that a view holds. It stands in at most one list, and
/// at most one piece of work is under way for it. What all cells are is in the planes of the index,
/// where "which are there, to be shown, in need of a mesh, and have all their neighbours?" takes a
/// few us for all of them.
#ifndef TERRANE_STREAM_STREAM_IMPL_H
#define TERRANE_STREAM_STREAM_IMPL_H

#include <terrane/stream.h>

#include "base/memory.h"
#include "stream_pool.h"
#include "stream_shape.h"
#include "stream_times.h"

#define TRN_STREAM_BUCKETS 64u
#define TRN_STREAM_SCAN_MAX 1024u  ///< cells that one look for chunks to mesh finds
#define TRN_STREAM_SCAN_PAGES 512u ///< pages that it is limited to
#define TRN_STREAM_SCAN_SLOTS 1024u
#define TRN_STREAM_RESERVE_MAX 16u
#define TRN_STREAM_UNLOAD_RING 1024u // a power of two
#define TRN_STREAM_BUFFER_BYTES sizeof(TrnBlock[TRN_CHUNK_VOXELS])

/// The planes of the index, in the order of their names in stream.c.
enum {
    TRN_STREAM_WANTED = 1, ///< held by a view
    TRN_STREAM_SHOW,       ///< to be shown
    TRN_STREAM_LOADED,     ///< in the store
    TRN_STREAM_SHOWN,      ///< with the mesh of what it holds
    TRN_STREAM_REMESH,     ///< wants a mesh, and is in no queue
    TRN_STREAM_UNSAVED,
    TRN_STREAM_PLANE_END
};

/// Lists of cells: the queues by kind, lane and bucket, and then these.
enum {
    TRN_STREAM_QUEUE_GENERATE,
    TRN_STREAM_QUEUE_MESH,
    TRN_STREAM_QUEUE_COUNT,
    TRN_STREAM_LIST_UNLOAD_FIRST =
        TRN_STREAM_QUEUE_COUNT * TRN_STREAM_LANE_COUNT * 64, ///< leave first
    TRN_STREAM_LIST_UNLOAD_LATER,                            ///< leave then
    TRN_STREAM_LIST_FAILED,                                  ///< tried again later
    TRN_STREAM_LIST_COUNT,
    TRN_STREAM_LIST_NONE = 0xFFFF
};

#define TRN_STREAM_NO_CELL UINT32_MAX

/// Whether a chunk is air alone, as far as that is known without a look at it.
enum { TRN_STREAM_AIR_UNKNOWN, TRN_STREAM_AIR_YES, TRN_STREAM_AIR_NO };

typedef struct TrnStreamCell {
    TrnCoord coord;
    uint32_t slot;       ///< its own
    uint32_t generation; ///< of the slot
    uint32_t next, prev; ///< in its list; TRN_STREAM_NO_CELL at the ends
    uint16_t list;
    uint8_t state; ///< TrnStreamState
    uint8_t tries;
    uint8_t failure;       ///< TrnResult
    uint8_t air;           ///< TRN_STREAM_AIR_...
    bool is_loaded;        ///< in the store
    bool is_unloading;     ///< no view holds it
    bool was_shown;        ///< since it came
    uint32_t stamp;        ///< counts changes of its voxels
    uint32_t group;        ///< of an edit, plus one; 0: none
    uint32_t member_index; ///< among its members
    uint32_t retry_at;     ///< TrnStream.updates, cut off, at which it is tried again
    TrnStreamWork *work;   ///< under way, or NULL
    /// the last save, until it has come back, be it cancelled; NULL after that
    TrnStreamWork *save;
    double wanted_us, since_us;
    TrnStreamMesh mesh; ///< that is shown
} TrnStreamCell;

/// Memory for cells that is taken ahead, so that none waits for its own.
typedef struct TrnStreamReserve {
    TrnPoolId ids[TRN_STREAM_RESERVE_MAX]; ///< [count]
    void *cells[TRN_STREAM_RESERVE_MAX];   ///< [count]
    uint32_t count;
} TrnStreamReserve;

typedef struct TrnStreamList {
    uint32_t first, last, count;
} TrnStreamList;

/// The cells of a list of those that are to go, in its order, as far as is known: some may have
/// come back since, and be no cells any more. To ask for their memory ahead, and for nothing else.
typedef struct TrnStreamUnloadRing {
    uint32_t slots[TRN_STREAM_UNLOAD_RING]; ///< place n at n % TRN_STREAM_UNLOAD_RING
    uint32_t next, end;                     ///< places
} TrnStreamUnloadRing;

/// Where a view was, and how large.
typedef struct TrnStreamViewExtent {
    TrnCoord centre;
    uint32_t radius, height;
    int64_t ring;
} TrnStreamViewExtent;

/// An anchor's view, or one that an anchor has left and that dissolves.
typedef struct TrnStreamViewSlot {
    TrnStreamAnchor anchor; ///< as it was last set
    uint32_t generation;    ///< odd while an anchor has the slot
    bool is_used, is_anchor;
    bool is_changed; ///< set since the last update
    // The view as it stands.
    TrnCoord centre;
    uint32_t radius, height;
    int64_t ring; ///< -1: nothing yet
    bool is_shrunk;
    bool is_estimate;  ///< it is so by an estimate that may change: chunks are still to come
    bool has_previous; ///< what it kept at `parted`, and keeps no more, is still to be given up
    TrnStreamViewExtent previous;
    bool has_lost_ring;       ///< there was no room for what it held, since it last grew
    uint64_t grow_update;     ///< from which on it may grow again
    uint32_t backoff_updates; ///< updates to wait after the next time that there is no room
    TrnCoord backoff_centre;  ///< where it was when it last lost a ring, or lost its patience
    // For priorities, in chunks.
    double position[3]; ///< inside the chunk
    double ahead[3];    ///< from there
    double view[3];     ///< of length 1; zeroes: all around
    bool has_view;
    // The same when cells were last put into other buckets for them.
    TrnCoord bucketed_centre;
    double bucketed_ahead[3], bucketed_view[3];
    bool bucketed_has_view;
} TrnStreamViewSlot;

/// One of the meshes that an edit touches.
typedef struct TrnStreamMember {
    uint32_t cell;
    bool is_done;
    TrnStreamMesh mesh; ///< where it is done
} TrnStreamMember;

/// The meshes that are to appear together.
typedef struct TrnStreamGroup {
    TrnStreamMember *members; ///< [count]
    uint32_t count, capacity, pending;
    bool is_used;
    double since_us;
    uint64_t since_update;
} TrnStreamGroup;

/// Where to look for chunks that can be meshed: pages in which some came, or more are to be shown.
typedef struct TrnStreamScan {
    TrnCoord pages[TRN_STREAM_SCAN_PAGES]; ///< [count]
    uint32_t count;
    bool is_everywhere;                    ///< there were too many pages
    uint16_t table[TRN_STREAM_SCAN_SLOTS]; ///< places of pages plus one, by hash; 0: none
} TrnStreamScan;

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): fields stand by what they are for
struct TrnStream {
    TrnStreamDef def; ///< with allocator and clock filled in
    TrnStore *store;
    TrnAllocator allocator; ///< the caller's
    TrnAllocator counted;   ///< counts, and holds to bytes_max
    TrnStreamPool *pool;
    TrnChunkReader *readers[TRN_STREAM_WORKER_MAX + 1]; ///< by worker; none for the calling thread
    uint32_t workers_failed;

    TrnChunkIndex *index; ///< of cells
    TrnPool *cells;
    TrnStreamReserve fresh; ///< none outside of a batch
    TrnStreamList lists[TRN_STREAM_LIST_COUNT];
    TrnStreamUnloadRing unload_rings[2]; ///< of LIST_UNSEEN and LIST_SEEN
    uint64_t filled[TRN_STREAM_QUEUE_COUNT][TRN_STREAM_LANE_COUNT]; ///< buckets that hold cells
    uint32_t queued;
    uint32_t to_generate; ///< of these, to be made
    uint64_t stale_buckets[TRN_STREAM_QUEUE_COUNT]
                          [TRN_STREAM_LANE_COUNT]; ///< buckets to go through
    uint32_t crossings;                            ///< of borders between chunks by anchors
    TrnStreamScan scan;
    uint32_t *found; ///< [TRN_STREAM_SCAN_MAX]

    TrnStreamViewSlot *views; ///< [view_count]
    uint32_t view_count, view_capacity;

    TrnStreamGroup *groups; ///< [group_count]
    uint32_t group_count, group_capacity, groups_open;
    bool groups_have_unwanted;  ///< some members have left all views
    uint32_t edits_invalidated; ///< meshes that edits have put out of date since the last update

    TrnStreamWork *works;                       ///< [TRN_STREAM_WORK_MAX]
    TrnStreamWorkList idle;                     ///< of works
    TrnStreamWorkList issued;                   ///< not yet handed over
    TrnStreamWorkList urgent, generated, other; ///< done, and to be applied
    TrnStreamWork **wave;                       ///< [TRN_STREAM_WORK_MAX] of exact replay
    TrnStreamWork *done[TRN_STREAM_WORK_MAX];   ///< as it is collected
    uint32_t under_way;
    uint32_t generating;     ///< of these, without a result that is collected
    uint32_t collected_last; ///< collected by the update before
    TrnBlock **buffers;      ///< [buffer_max] all
    TrnBlock **free_buffers; ///< [buffer_max] to be handed over
    uint32_t buffer_max, buffer_count, free_count;

    size_t stream_bytes, mesh_bytes, scratch_bytes, bytes_peak;
    size_t store_bytes_max;   ///< the store's own, before
    size_t capacity_learned;  ///< bytes that chunks used when there was no room; 0: not known
    uint32_t starved_updates; ///< updates one after the other in which there was no memory
    size_t store_base_bytes;  ///< bytes that the store used without chunks of the stream's
    uint32_t loaded_count;    ///< cells in the store

    uint64_t updates;
    double now_us;           ///< when the update began
    double deadline_us;      ///< 0: none
    double last_us;          ///< when the update before began
    double work_us;          ///< that a piece of work takes, on the average of late
    size_t upload_bytes_max; ///< of the update; 0: none
    double finish_us;        ///< what an update is likely to do after results are applied
    TrnCoord inserting;
    uint64_t seen_revision;  ///< revision of the store up to which all changes are known
    uint32_t removing;       ///< the cell that the stream takes out of the store
    TrnResult update_result; ///< of this update
    TrnStreamReport report;
    uint64_t stale_reported;
    TrnStreamStats stats; ///< what counts up
    TrnStreamHistogram times[TRN_STREAM_STAGE_COUNT];

    bool is_full, was_full; ///< there was no room in this update; in the one before
    bool is_full_of_bytes;  ///< a cap was in the way, and not memory itself
    bool is_starved;        ///< memory itself was
    bool is_refused;        ///< bytes_max stood in the way of the stream's own memory
    bool is_exact;
    bool is_inserting; ///< that `inserting` comes is the stream's own doing
};

// ---- all parts ---------------------------------------------------------------------------------

static inline TrnStreamCell *trn_stream_cell(const TrnStream *stream, uint32_t slot)
{
    return trn_pool_slot(stream->cells, slot);
}

/// Has a cell brought nearer that is about to be changed.
static inline void trn_stream_prefetch_cell(const TrnStream *stream, uint32_t slot)
{
    const unsigned char *cell = (const unsigned char *)trn_stream_cell(stream, slot);
    __builtin_prefetch(cell, 1);
    __builtin_prefetch(cell + TRN_CACHE_LINE, 1);
}

/// The cell of a coordinate, or NULL.
static inline TrnStreamCell *trn_stream_find(const TrnStream *stream, TrnCoord coord)
{
    uint32_t slot;
    return trn_chunk_index_find(stream->index, coord, &slot) ? trn_stream_cell(stream, slot) : NULL;
}

static inline double trn_stream_clock(const TrnStream *stream)
{
    return stream->def.clock_us(stream->def.clock_user);
}

/// Whether the update may do more, at a time that is known.
static inline bool trn_stream_has_time_at(const TrnStream *stream, double now_us)
{
    return stream->is_exact || stream->deadline_us <= 0 || now_us < stream->deadline_us;
}

/// Whether the update may do more.
static inline bool trn_stream_has_time(const TrnStream *stream)
{
    return stream->is_exact || stream->deadline_us <= 0 ||
           trn_stream_clock(stream) < stream->deadline_us;
}

/// Sets or clears the bit of a cell: its page is there, so that this cannot fail.
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

/// Counts and tells a failure.
void trn_stream_note_failure(TrnStream *stream, TrnCoord coord, TrnStreamStage stage,
                             TrnResult result);

/// Whether a chunk's neighbour is beyond an end of the world: bit i of the answer for the 27 around
/// it says that i is in it.
uint32_t trn_stream_around_in_world(TrnCoord coord);

// ---- views (stream_view.c) ---------------------------------------------------------------------

/// Moves, dissolves and grows the views.
void trn_stream_update_views(TrnStream *stream);

/// Takes a ring off the view that can best do without. @return false where there is none
bool trn_stream_shrink_largest_view(TrnStream *stream);

/// Gives up what views keep beyond what anchors ask for. @return how many chunks of the store that
/// is
uint32_t trn_stream_drop_kept(TrnStream *stream);

/// Whether an anchor asks for a chunk to be there.
bool trn_stream_is_wanted(const TrnStream *stream, TrnCoord coord);

/// Whether views dissolve still, or chunks are about to go.
bool trn_stream_is_unloading(const TrnStream *stream);

/// Whether all views are what they are to be, as far as there is room.
bool trn_stream_views_are_idle(const TrnStream *stream);

// ---- cells and queues (stream_queue.c) ---------------------------------------------------------

/// Takes memory for so many cells ahead, as far as there is some, and as is of use; gives back what
/// was not needed.
void trn_stream_reserve_cells(TrnStream *stream, uint32_t count);
void trn_stream_release_cells(TrnStream *stream);

/// A view holds a chunk from now on. @return false where there is no memory
bool trn_stream_want_chunk(TrnStream *stream, TrnCoord coord);

/// No view holds it any more.
void trn_stream_unwant_chunk(TrnStream *stream, TrnCoord coord);

/// Takes a cell out of whatever list it is in.
void trn_stream_list_remove(TrnStream *stream, TrnStreamCell *cell);
void trn_stream_list_append(TrnStream *stream, TrnStreamCell *cell, uint32_t list);

/// Puts a cell where it waits for its turn.
void trn_stream_queue_generate(TrnStream *stream, TrnStreamCell *cell);
void trn_stream_queue_mesh(TrnStream *stream, TrnStreamCell *cell, bool is_urgent);

/// The next cell: the best bucket's, meshes first.
/// @param may_generate  also chunks to be made
TrnStreamCell *trn_stream_dequeue(TrnStream *stream, bool may_generate);

/// Nobody wants the work that is under way for a cell any more.
void trn_stream_cancel(TrnStream *stream, TrnStreamCell *cell);

/// Forgets a cell that is not in the store. @return false where the index has no memory to; the
/// cell stays as it is
bool trn_stream_remove_cell(TrnStream *stream, TrnStreamCell *cell);

/// Cells that are queued now, up to so many chunks from an anchor, may belong into other buckets.
void trn_stream_request_rebucket(TrnStream *stream, double distance);

/// Puts cells into the buckets where they belong now, some of them at a time, the nearest first.
void trn_stream_rebucket(TrnStream *stream);

/// A cell could not be made, meshed or saved: it is tried again later.
void trn_stream_fail(TrnStream *stream, TrnStreamCell *cell, TrnStreamStage stage,
                     TrnResult result);

/// Tries again what has slept long enough.
void trn_stream_retry_failed(TrnStream *stream);

/// Counts the cells in the queues, onto zeroes.
void trn_stream_count_queues(const TrnStream *stream, TrnStreamStats *stats);

/// The lane of a chunk, and its bucket.
uint32_t trn_stream_priority(const TrnStream *stream, TrnCoord coord, TrnStreamLane *lane);

/// Chunks from the nearest anchor; infinite where there is none.
double trn_stream_distance(const TrnStream *stream, TrnCoord coord);

// ---- on any thread (stream_run.c) --------------------------------------------------------------

/// What a piece of work does.
void trn_stream_run(void *context, TrnStreamWork *work, uint32_t worker);

// ---- meshes (stream_show.c) --------------------------------------------------------------------

/// Frees a mesh that no bytes are counted for.
void trn_stream_free_mesh(const TrnStream *stream, TrnStreamMesh mesh);

/// Gives a mesh that is accounted for to drop_mesh.
void trn_stream_drop_mesh(TrnStream *stream, TrnStreamMesh mesh);

/// A mesh has come that is accounted for.
void trn_stream_accept_mesh(TrnStream *stream, TrnStreamCell *cell, TrnStreamMesh mesh);

/// Shows a mesh that is accounted for.
void trn_stream_show(TrnStream *stream, TrnStreamCell *cell, TrnStreamMesh mesh);

/// The chunk of a cell wants a mesh, whenever it can have one.
void trn_stream_request_mesh(TrnStream *stream, TrnStreamCell *cell);

/// Whether all neighbours of a chunk are there.
bool trn_stream_has_neighbours(const TrnStream *stream, TrnCoord coord);

/// Whether a chunk is air and needs nobody to say that there is nothing to see.
bool trn_stream_is_plain_air(const TrnStream *stream, const TrnStreamCell *cell);

/// A cell that can be meshed waits for its turn, or has its mesh where it is air.
void trn_stream_queue_meshable(TrnStream *stream, TrnStreamCell *cell);

// ---- work (stream_work.c) ----------------------------------------------------------------------

/// Hands workers what is next, takes what they have done, and works itself where it is to.
void trn_stream_work_in_time(TrnStream *stream);
void trn_stream_work_exactly(TrnStream *stream, uint32_t units);

/// A piece of work for a cell, which has none; there is one that is idle.
TrnStreamWork *trn_stream_begin_work(TrnStream *stream, TrnStreamCell *cell, TrnStreamWorkKind kind,
                                     TrnStreamLane lane);

/// Applies a result that is not a made chunk, or throws it away.
void trn_stream_apply_other(TrnStream *stream, TrnStreamWork *work);

/// Takes collected work back: whatever it was, nobody wants it.
void trn_stream_discard_all(TrnStream *stream, TrnStreamWorkList *list);

/// The cell's chunk is in the store from now on.
void trn_stream_note_loaded(TrnStream *stream, TrnStreamCell *cell);

// ---- chunks go (stream_unload.c) ---------------------------------------------------------------

/// Ends a save of a cell's chunk that is under way, so that another can follow: two at a time would
/// be the game's to sort out. Waits for it where a worker is at it.
void trn_stream_await_save(TrnStream *stream, const TrnStreamCell *cell);

/// Lets chunks go that no view holds. @param units  of exact replay
void trn_stream_unload(TrnStream *stream, uint32_t units);

// ---- what can be meshed (stream_scan.c) --------------------------------------------------------

/// Something has changed in a box that decides which chunks of it can be meshed.
void trn_stream_request_scan(TrnStream *stream, TrnBox box);
bool trn_stream_needs_scan(const TrnStream *stream);

/// Finds chunks that can be meshed now, and queues them.
void trn_stream_scan(TrnStream *stream);

// ---- edits (stream_edits.c) --------------------------------------------------------------------

/// Listens to the store.
TrnResult trn_stream_on_store_event(TrnStore *store, const TrnStoreEvent *event, void *user);

/// Makes up for changes that the store had no memory to tell of.
void trn_stream_catch_up(TrnStream *stream);

/// A member of a group has its mesh, which is accounted for.
void trn_stream_group_accept_mesh(TrnStream *stream, TrnStreamCell *cell, TrnStreamMesh mesh);

/// A cell is no member any more; the others go on without it.
void trn_stream_group_remove(TrnStream *stream, TrnStreamCell *cell);

/// A member that had left all views is held by one again.
void trn_stream_group_rejoin(TrnStream *stream, TrnStreamCell *cell);

/// Members that have left all views leave their groups.
void trn_stream_groups_drop_unwanted(TrnStream *stream);

/// How many updates the oldest group has been waiting for.
uint64_t trn_stream_group_age(const TrnStream *stream);

void trn_stream_destroy_groups(TrnStream *stream);

// ---- bytes (stream_budget.c) -------------------------------------------------------------------

void *trn_stream_alloc(size_t bytes, size_t alignment, void *user);
void trn_stream_free(void *memory, size_t bytes, void *user);

/// Grows an array to hold at least `count` elements. @return false where there is no memory; the
/// array is then as it was
bool trn_stream_grow_array(TrnStream *stream, void **array, uint32_t *capacity, uint32_t count,
                           size_t element);

/// Has the store leave room for what the stream takes.
void trn_stream_update_store_max(TrnStream *stream);

/// Counts a mesh. @return false where there is no room for it
bool trn_stream_admit_mesh(TrnStream *stream, size_t bytes);

/// There was no room, or no memory: makes some, or notes that some has to be made.
void trn_stream_note_full(TrnStream *stream, TrnResult result);

/// At the end of an update: shrinks views where there was no room.
void trn_stream_enforce_budget(TrnStream *stream);

/// How many chunks are to come still: queued, being made, or to be tried again.
uint32_t trn_stream_chunks_to_come(const TrnStream *stream);

/// Whether views may have so many chunks more than they have. @param is_cautious  where there was
/// no room before
bool trn_stream_fits(const TrnStream *stream, uint64_t chunks, bool is_cautious);

#endif
