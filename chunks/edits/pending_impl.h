/// Private: pending edits, which wait for a chunk that is not loaded. The same records serve a
/// batch before its commit, and the store after it.
///
/// The edits of a chunk are a list of segments, oldest first, each of runs, oldest first. A segment
/// that a history can undo is also in the list of its group. Adjacent segments of the same group,
/// or of none, are merged.
#ifndef TERRANE_EDITS_PENDING_IMPL_H
#define TERRANE_EDITS_PENDING_IMPL_H

#include "edits/edit_runs_impl.h"

typedef struct TrnPendingChunk TrnPendingChunk;
typedef struct TrnSegment TrnSegment;

/// Segments that are undone together. All zeroes is none.
typedef struct TrnSegmentGroup {
    TrnSegment *oldest, *newest;
} TrnSegmentGroup;

/// Pending edits of one chunk that belong together.
struct TrnSegment {
    TrnSegment *older, *newer;             ///< of the chunk
    TrnSegment *group_older, *group_newer; ///< of the group
    TrnPendingChunk *record;
    /// The group that can undo it; NULL: none, or the batch is not committed yet.
    TrnSegmentGroup *group;
    TrnEditRuns runs;    ///< without `before`
    uint32_t compact_at; ///< number of runs at which they are compacted
    bool is_grouped;     ///< in a batch: whether it gets a group
};

/// All pending edits of one chunk: at least one segment.
struct TrnPendingChunk {
    TrnCoord coord;
    TrnSegment *oldest, *newest;
};

/// Records by coordinate: open addressing, at most three quarters full. All zeroes is empty.
typedef struct TrnPendingMap {
    TrnPendingChunk **places;
    uint32_t capacity, count; ///< capacity: 0 or a power of two
} TrnPendingMap;

/// All pending edits of a store.
typedef struct TrnPending {
    const TrnAllocator *allocator; ///< for what is pending
    const TrnAllocator *scratch;   ///< for the duration of a call
    TrnPendingMap map;
    uint64_t runs, applied; ///< pending now; taken up by inserted chunks so far
} TrnPending;

/// The least memory that the pending edits of one chunk take.
#define TRN_PENDING_CHUNK_BYTES_MIN                                                                \
    (sizeof(TrnPendingChunk) + sizeof(TrnSegment) + TRN_EDIT_RUNS_MIN * sizeof(TrnEditRun) +       \
     sizeof(TrnPendingChunk *))

// ---- records by coordinate ---------------------------------------------------------------------

TrnPendingChunk *trn_pending_map_find(const TrnPendingMap *map, TrnCoord coord);

/// Reserves capacity for `more` records. Errors: NO_MEMORY, FULL.
TrnResult trn_pending_map_reserve(TrnPendingMap *map, const TrnAllocator *allocator, uint32_t more);

/// Adds a record whose coordinate is not in the map. There is capacity for it.
void trn_pending_map_add(TrnPendingMap *map, TrnPendingChunk *record);

/// Removes a record. Removing the last one frees the table.
void trn_pending_map_remove(TrnPendingMap *map, const TrnAllocator *allocator,
                            const TrnPendingChunk *record);

// ---- records of a batch ------------------------------------------------------------------------

/// The segment to append a batch's edits of a chunk to, which may be a new one.
/// Errors: NO_MEMORY, FULL.
TrnResult trn_pending_open(TrnPending *pending, TrnPendingMap *map, TrnCoord coord, bool is_grouped,
                           TrnSegment **segment);

/// Appends a run to a segment of a batch. Amortized O(1). Repeated edits of the same voxels take
/// bounded memory. Errors: NO_MEMORY.
TrnResult trn_pending_segment_add(TrnPending *pending, TrnSegment *segment, TrnEditRun run);

/// Frees a record of a batch, with its segments.
void trn_pending_chunk_free(TrnPending *pending, TrnPendingChunk *record);

/// Frees all records of a batch.
void trn_pending_map_clear(TrnPending *pending, TrnPendingMap *map);

// ---- records of the store ----------------------------------------------------------------------

/// Moves a batch's record to the end of what is pending for its chunk. The store's map has capacity
/// for it.
/// @param group  of the segments that are to get one; may be NULL
void trn_pending_merge(TrnPending *pending, TrnPendingChunk *record, TrnSegmentGroup *group);

/// Frees a segment, and removes it from its chunk and group.
void trn_pending_drop_segment(TrnPending *pending, TrnSegment *segment);

/// Takes a segment out of its group. It stays pending.
void trn_pending_ungroup(TrnPending *pending, TrnSegment *segment);

/// Frees the oldest segment of a chunk that was inserted and has taken it up, and the record with
/// the last one.
void trn_pending_free_applied(TrnPending *pending, TrnPendingChunk *record);

/// Drops all edits that are pending for a chunk. @return their runs
uint32_t trn_pending_drop_chunk(TrnPending *pending, TrnCoord coord);

/// How many runs are pending for a chunk.
uint32_t trn_pending_runs(const TrnPending *pending, TrnCoord coord);

/// Frees everything.
void trn_pending_clear(TrnPending *pending);

#endif
