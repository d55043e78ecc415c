/// Private: pending edits, which wait until their chunk is loaded. The same records serve a batch
/// before its commit, and the store after it.
///
/// The edits of a chunk are a list of segments, oldest first, each of runs, oldest first. A segment
/// that a history can undo is also in the list of its group. Adjacent segments of the same group,
/// or of none, are merged.
#ifndef TERRANE_EDITS_PENDING_IMPL_H
#define TERRANE_EDITS_PENDING_IMPL_H

#include <terrane/batch.h>

#include "base/coord_map.h"
#include "edits/edit_runs_impl.h"
#include "edits/edits_internal.h"

typedef struct TrnPendingChunk TrnPendingChunk;
typedef struct TrnSegment TrnSegment;

/// Segments that are undone together, oldest first. All zeroes is empty.
typedef struct TrnSegmentGroup {
    TrnSegment *oldest, *newest;
} TrnSegmentGroup;

/// Consecutive pending edits of one chunk that belong to the same group, or to none.
struct TrnSegment {
    TrnSegment *older, *newer;             ///< of the chunk
    TrnSegment *group_older, *group_newer; ///< of the group
    TrnPendingChunk *record;
    TrnSegmentGroup *group; ///< that can undo it; NULL: none, or the batch is not committed yet
    TrnEditRuns runs;       ///< without `before`; at least one once the batch is committed
    uint32_t compact_at;    ///< the number of runs at which they are compacted
    bool is_grouped;        ///< in a batch: whether the commit puts it into a group
};

/// All pending edits of one chunk: at least one segment.
struct TrnPendingChunk {
    TrnCoord coord;
    TrnPendingChunk *previous, *next; ///< in the list of TrnPendingChunks
    TrnSegment *oldest, *newest;
};

/// Records, found by coordinate. All zeroes but for the map's key is empty.
typedef struct TrnPendingChunks {
    TrnCoordMap map; ///< of TrnPendingChunk *; has no memory while it is empty
    /// The same records in the order in which they were added. The map's own order would change
    /// with its key, and events, undo and what a game lists must not.
    TrnPendingChunk *first, *last;
} TrnPendingChunks;

/// All pending edits of a store.
typedef struct TrnPending {
    const TrnAllocator *allocator; ///< for records, segments and runs
    const TrnAllocator *scratch;   ///< for the duration of a call
    TrnPendingChunks chunks;
    uint64_t runs;    ///< pending now
    uint64_t applied; ///< runs applied to inserted chunks so far
    TrnPendingWatch watch;
} TrnPending;

/// The least memory that the pending edits of one chunk take. The map is at most 3/4 full.
#define TRN_PENDING_CHUNK_BYTES_MIN                                                                \
    (sizeof(TrnPendingChunk) + sizeof(TrnSegment) + sizeof(TrnEditRun) +                           \
     sizeof(TrnCoordEntry) * 4 / 3)

/// The record of a chunk, or NULL.
TrnPendingChunk *trn_pending_find(const TrnPendingChunks *chunks, TrnCoord coord);

// ---- records of a batch ------------------------------------------------------------------------

/// Finds or creates the segment that a batch's next edits of a chunk go to.
/// Errors: NO_MEMORY; `chunks` is unchanged.
TrnResult trn_pending_open(TrnPending *pending, TrnPendingChunks *chunks, TrnCoord coord,
                           bool is_grouped, TrnSegment **segment);

/// Appends a run to a segment of a batch. Amortised O(1). However often the same voxels are edited,
/// a segment's memory is bounded. Errors: NO_MEMORY; nothing changed.
TrnResult trn_pending_segment_add(TrnPending *pending, TrnSegment *segment, TrnEditRun run);

/// Removes a record of a batch, and frees it with its segments.
void trn_pending_remove(TrnPending *pending, TrnPendingChunks *chunks, TrnPendingChunk *record);

/// Frees all records of a batch or of the store, and the map's memory.
void trn_pending_clear(TrnPending *pending, TrnPendingChunks *chunks);

// ---- records of the store ----------------------------------------------------------------------

/// Moves all records of a batch to what is pending in the store for their chunks. The caller has
/// reserved capacity in `pending->chunks.map` for all of them.
/// @param chunks  the batch's; empty afterwards
/// @param group   for segments with is_grouped; may be NULL
void trn_pending_merge(TrnPending *pending, TrnPendingChunks *chunks, TrnSegmentGroup *group);

/// Frees a segment, and removes it from its chunk and group.
void trn_pending_drop_segment(TrnPending *pending, TrnSegment *segment);

/// Removes a segment from its group. It stays pending.
void trn_pending_ungroup(TrnPending *pending, TrnSegment *segment);

/// Frees the oldest segment of a chunk, which an inserted chunk has applied. With the last segment,
/// frees the record too.
void trn_pending_free_applied(TrnPending *pending, TrnPendingChunk *record);

/// Drops all edits that are pending for a chunk.
/// @return how many runs they had
uint32_t trn_pending_drop_chunk(TrnPending *pending, TrnCoord coord);

/// Copies the runs that are pending for a chunk, in the order in which they are applied.
/// @param runs  [capacity]
/// @return how many there are
size_t trn_pending_copy(const TrnPending *pending, TrnCoord coord, TrnPendingRun *runs,
                        size_t capacity);

/// How many runs are pending for a chunk.
uint32_t trn_pending_runs(const TrnPending *pending, TrnCoord coord);

#endif
