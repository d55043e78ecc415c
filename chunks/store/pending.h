/// Private: edits that wait for absent chunks, in memory. The same records serve a batch before its
/// commit, and the store after it.
///
/// What waits for a chunk is a list of segments in the order in which they were made, each of runs
/// in their order. A segment that a group of a history can undo is in that group's list as well;
/// adjacent segments of one group, or of none, are made one.
#ifndef TERRANE_STORE_PENDING_H
#define TERRANE_STORE_PENDING_H

#include "edit_runs.h"
#include "store_impl.h"

typedef struct TrnGroup TrnGroup; // history.h
typedef struct TrnWaiting TrnWaiting;

/// Edits that wait, in their order.
typedef struct TrnSegment {
    struct TrnSegment *older, *newer;             ///< of the chunk
    struct TrnSegment *group_older, *group_newer; ///< of the group
    TrnWaiting *waiting;
    TrnGroup *group;  ///< that can undo it; NULL: none, or a batch that is not committed yet
    TrnEditRuns runs; ///< `before` means nothing
    uint32_t compact_at;
    bool is_grouped; ///< in a batch: whether it will get a group
} TrnSegment;

/// All that waits for one chunk: at least one segment.
struct TrnWaiting {
    TrnCoord coord;
    TrnSegment *oldest, *newest;
};

/// Records by coordinate: open addressing, at most three quarters full. All zeroes is empty.
typedef struct TrnWaitingMap {
    TrnWaiting **places;
    uint32_t capacity, count; ///< capacity: 0 or a power of two
} TrnWaitingMap;

/// Everything that waits in a store.
struct TrnPending {
    TrnStore *store;
    TrnAllocator allocator; ///< counted as pending
    TrnAllocator scratch;   ///< counted as edits
    TrnWaitingMap map;
    uint64_t runs, applied;
};

/// The least that one absent chunk takes.
#define TRN_WAITING_BYTES_LEAST                                                                    \
    (sizeof(TrnWaiting) + sizeof(TrnSegment) + TRN_EDIT_RUNS_LEAST * sizeof(TrnEditRun) +          \
     sizeof(TrnWaiting *))

// ---- records by coordinate ---------------------------------------------------------------------

TrnWaiting *trn_waiting_find(const TrnWaitingMap *map, TrnCoord coord);

/// Room for so many records more. Errors: NO_MEMORY.
TrnResult trn_waiting_reserve(TrnWaitingMap *map, const TrnAllocator *allocator, uint32_t more);

/// Adds a record whose coordinate is not there, and for which there is room.
void trn_waiting_put(TrnWaitingMap *map, TrnWaiting *waiting);

/// Takes a record out; the last one gives the table back.
void trn_waiting_take(TrnWaitingMap *map, const TrnAllocator *allocator, const TrnWaiting *waiting);

/// A segment to write to at the end of what a batch lets wait for a chunk.
/// Errors: NO_MEMORY.
TrnResult trn_waiting_open(TrnPending *pending, TrnWaitingMap *map, TrnCoord coord, bool is_grouped,
                           TrnSegment **segment);

/// Adds a run to a segment of a batch: O(1) amortised; repeated edits of the same voxels stay
/// bounded. Errors: NO_MEMORY.
TrnResult trn_segment_add(TrnPending *pending, TrnSegment *segment, TrnEditRun run);

/// Frees a record with its segments, none of which may be in the store's own map.
void trn_waiting_free(TrnPending *pending, TrnWaiting *waiting);

/// Frees all records of a batch.
void trn_waiting_clear(TrnPending *pending, TrnWaitingMap *map);

// ---- what the store keeps ----------------------------------------------------------------------

/// Takes a batch's record over, at the end of what waits for the chunk already. There is room in
/// the map.
/// @param group  of those segments that are to get one; may be NULL
void trn_pending_take_over(TrnPending *pending, TrnWaiting *waiting, TrnGroup *group);

/// A segment waits no more: it leaves its chunk, its group, and is freed.
void trn_pending_drop(TrnPending *pending, TrnSegment *segment);

/// A segment loses its group.
void trn_pending_ungroup(TrnPending *pending, TrnSegment *segment);

#endif
