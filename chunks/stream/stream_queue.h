/// Private: the queue of a stream: the next work of each cell.
///
/// A cell waits for at most one thing: to be loaded or generated, to be meshed, to be retried, or
/// to be unloaded. Work on chunks comes out nearest first; the direction of view decides between
/// chunks at the same distance. Meshes of edits, and the ground under an anchor, come before all.
#ifndef TERRANE_STREAM_STREAM_QUEUE_H
#define TERRANE_STREAM_STREAM_QUEUE_H

#include "stream_cells.h"
#include "stream_views.h"

#define TRN_STREAM_BUCKETS 64u
#define TRN_STREAM_UNLOAD_RING 1024u // a power of two

/// What a cell waits for.
typedef enum TrnStreamQueueKind {
    TRN_STREAM_QUEUE_GENERATE, ///< to be loaded or generated
    TRN_STREAM_QUEUE_MESH,
    TRN_STREAM_QUEUE_WORK_COUNT, ///< the kinds above are work
    /// Out of view, or back from a save, a retry or another caller.
    TRN_STREAM_QUEUE_UNLOAD_FIRST = TRN_STREAM_QUEUE_WORK_COUNT,
    TRN_STREAM_QUEUE_UNLOAD_LATER, ///< in view
    TRN_STREAM_QUEUE_RETRY,        ///< failed; retried later
    TRN_STREAM_QUEUE_NONE          ///< the cell is in no list
} TrnStreamQueueKind;

/// Lists of cells: work by kind, lane and bucket, then the lists of the other kinds.
enum {
    TRN_STREAM_LIST_OTHERS =
        TRN_STREAM_QUEUE_WORK_COUNT * TRN_STREAM_LANE_COUNT * TRN_STREAM_BUCKETS,
    TRN_STREAM_LIST_COUNT =
        TRN_STREAM_LIST_OTHERS + TRN_STREAM_QUEUE_NONE - TRN_STREAM_QUEUE_WORK_COUNT,
    TRN_STREAM_LIST_NONE = UINT16_MAX
};

typedef struct TrnStreamList {
    uint32_t first, last, count;
} TrnStreamList;

/// The slots of an unload list in its order, used only to prefetch them. An entry may be stale: its
/// cell may be wanted again, or freed.
typedef struct TrnStreamUnloadRing {
    uint32_t slots[TRN_STREAM_UNLOAD_RING]; ///< entry n at n % TRN_STREAM_UNLOAD_RING
    uint32_t next, end;                     ///< entry numbers
} TrnStreamUnloadRing;

typedef struct TrnStreamQueue {
    const TrnStreamCells *cells;
    const TrnStreamViews *views; ///< whose anchors the order follows
    TrnStreamList lists[TRN_STREAM_LIST_COUNT];
    TrnStreamUnloadRing unload_rings[2]; ///< of UNLOAD_FIRST and UNLOAD_LATER
    /// Bit b: bucket b holds cells; it is still to be sorted again.
    uint64_t filled[TRN_STREAM_QUEUE_WORK_COUNT][TRN_STREAM_LANE_COUNT];
    uint64_t unsorted[TRN_STREAM_QUEUE_WORK_COUNT][TRN_STREAM_LANE_COUNT];
    uint32_t work[TRN_STREAM_QUEUE_WORK_COUNT]; ///< cells that wait for each kind of work
} TrnStreamQueue;

/// Makes an empty queue. Cells and views must outlive it.
void trn_stream_queue_init(TrnStreamQueue *queue, const TrnStreamCells *cells,
                           const TrnStreamViews *views);

/// Adds a cell that is in no list. @param is_edit  a mesh of an edit: before all others
void trn_stream_queue_add_work(TrnStreamQueue *queue, TrnStreamCell *cell, TrnStreamQueueKind kind,
                               bool is_edit);

/// Adds a cell that is in no list to be unloaded or retried.
void trn_stream_queue_add(TrnStreamQueue *queue, TrnStreamCell *cell, TrnStreamQueueKind kind);

/// Removes a cell from its list, if any.
void trn_stream_queue_remove(TrnStreamQueue *queue, TrnStreamCell *cell);

/// Takes the cell whose work comes next; in one bucket meshes come first. NULL if there is none.
/// @param may_generate  also returns chunks to generate
/// @param lane          receives its lane
TrnStreamCell *trn_stream_queue_take(TrnStreamQueue *queue, bool may_generate, TrnStreamLane *lane);

/// Takes the next mesh of an edit, or NULL.
TrnStreamCell *trn_stream_queue_take_edit(TrnStreamQueue *queue);

/// Takes up to `count` cells from the front of an unload list, or of the cells to retry.
/// @param out  [count] receives them, prefetched
/// @return how many
uint32_t trn_stream_queue_take_others(TrnStreamQueue *queue, TrnStreamQueueKind kind,
                                      TrnStreamCell **out, uint32_t count);

/// Marks what is queued up to a distance from the anchors to be sorted again.
void trn_stream_queue_request_sort(TrnStreamQueue *queue, double distance);

/// Moves the cells of the nearest bucket that is marked to the buckets where they belong now.
/// @return how many cells it visited; 0: all are sorted
uint32_t trn_stream_queue_sort(TrnStreamQueue *queue);

/// Whether a cell waits for anything.
static inline bool trn_stream_queue_has(const TrnStreamCell *cell)
{
    return cell->list != TRN_STREAM_LIST_NONE;
}

/// What a cell waits for.
TrnStreamQueueKind trn_stream_queue_kind(const TrnStreamCell *cell);

/// How many cells wait for a kind of work, to be unloaded, or to be retried.
uint32_t trn_stream_queue_count(const TrnStreamQueue *queue, TrnStreamQueueKind kind);

/// How many cells wait for work.
static inline uint32_t trn_stream_queue_work_count(const TrnStreamQueue *queue)
{
    return queue->work[TRN_STREAM_QUEUE_GENERATE] + queue->work[TRN_STREAM_QUEUE_MESH];
}

/// How many cells wait to be unloaded.
static inline uint32_t trn_stream_queue_unload_count(const TrnStreamQueue *queue)
{
    return trn_stream_queue_count(queue, TRN_STREAM_QUEUE_UNLOAD_FIRST) +
           trn_stream_queue_count(queue, TRN_STREAM_QUEUE_UNLOAD_LATER);
}

/// Adds what waits to zeroed statistics.
void trn_stream_queue_stats(const TrnStreamQueue *queue, TrnStreamStats *stats);

/// Returns how many cells come before one that waits for work, and its lane.
uint32_t trn_stream_queue_position(const TrnStreamQueue *queue, const TrnStreamCell *cell,
                                   TrnStreamLane *lane);

#endif
