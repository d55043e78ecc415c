/// Private: which voxels a fluid has yet to look at.
///
/// The voxels of one chunk, lane and state are a set: one bit a voxel, so that a voxel that is
/// added twice is looked at once, and the order in which voxels were added does not matter. Lane 0
/// holds changed voxels of any block; lane 1 + i voxels of liquid i.
#ifndef TERRANE_FLUID_FLUID_QUEUE_H
#define TERRANE_FLUID_FLUID_QUEUE_H

#include <terrane/fluid.h>

#include "base/coord_map.h"
#include "base/memory.h"

#define TRN_FLUID_LANES_MAX (1 + TRN_FLUID_LIQUIDS_MAX)

typedef enum TrnFluidState {
    TRN_FLUID_WAITING, ///< for the lane's turn
    TRN_FLUID_RUNNING, ///< of the lane's turn, in the order of the list
    TRN_FLUID_ASLEEP,  ///< until a chunk is loaded
    TRN_FLUID_STATES
} TrnFluidState;

typedef struct TrnFluidSet {
    struct TrnFluidChunk *chunk;
    struct TrnFluidSet *next; ///< waiting, running: in the lane's list
    uint32_t lane;
    TrnFluidState state;
    bool is_put_off; ///< running: its chunk was not loaded when its turn came
    uint32_t voxels; ///< bits set in `rows`
    uint32_t layers; ///< bit y: a row of layer y may have a bit
    uint32_t rows[TRN_CHUNK_ROWS];
} TrnFluidSet;

/// The sets of one chunk, loaded or not: at least one.
typedef struct TrnFluidChunk {
    TrnCoord coord;
    uint32_t count; ///< of its sets
    TrnFluidSet *sets[TRN_FLUID_LANES_MAX][TRN_FLUID_STATES];
} TrnFluidChunk;

typedef struct TrnFluidList {
    TrnFluidSet *first, *last;
} TrnFluidList;

/// Sets that a queue keeps for reuse while it is not empty: a step takes and frees some for each
/// chunk.
#define TRN_FLUID_SPARE_MAX 32

typedef struct TrnFluidQueue {
    TrnCoordMap chunks; ///< of TrnFluidChunk
    /// [lane] by states WAITING and RUNNING; ASLEEP is found by `chunks` alone
    TrnFluidList lists[TRN_FLUID_LANES_MAX][TRN_FLUID_ASLEEP];
    uint32_t sets[TRN_FLUID_STATES];   ///< how many there are
    uint64_t voxels[TRN_FLUID_STATES]; ///< in them
    TrnFluidSet *spare;                ///< linked by `next`, without voxels
    uint32_t spare_count;
} TrnFluidQueue;

/// The order of chunks: by y, then z, then x. @return below, above or equal to 0 as by memcmp
int trn_fluid_coord_compare(TrnCoord a, TrnCoord b);

/// Finds a set, or adds an empty one: to the end of its list. NULL: no memory.
TrnFluidSet *trn_fluid_queue_get(TrnFluidQueue *queue, const TrnAllocator *allocator,
                                 TrnCoord coord, uint32_t lane, TrnFluidState state);

/// Adds rows of voxels to a set. @param rows  [TRN_CHUNK_ROWS]; NULL: all voxels
void trn_fluid_queue_add_rows(TrnFluidQueue *queue, TrnFluidSet *set, const uint32_t *rows);

/// Adds a voxel to a set.
static inline void trn_fluid_queue_add(TrnFluidQueue *queue, TrnFluidSet *set, uint32_t index)
{
    uint32_t *const row = &set->rows[index >> TRN_CHUNK_SHIFT];
    const uint32_t bit = UINT32_C(1) << (index & (TRN_CHUNK_EDGE - 1)), is_new = (*row & bit) == 0;
    *row |= bit;
    set->layers |= UINT32_C(1) << (index >> (2 * TRN_CHUNK_SHIFT));
    set->voxels += is_new;
    queue->voxels[set->state] += is_new;
}

/// How many bits are set: without POPCNT, which not every processor has.
static inline uint32_t trn_fluid_count_bits(uint32_t bits)
{
    bits -= bits >> 1 & UINT32_C(0x55555555);
    bits = (bits & UINT32_C(0x33333333)) + (bits >> 2 & UINT32_C(0x33333333));
    return ((bits + (bits >> 4)) & UINT32_C(0x0F0F0F0F)) * UINT32_C(0x01010101) >> 24;
}

/// Adds voxels of a row to a set. @param row  y * 32 + z
static inline void trn_fluid_queue_add_row(TrnFluidQueue *queue, TrnFluidSet *set, uint32_t row,
                                           uint32_t bits)
{
    const uint32_t fresh = bits & ~set->rows[row], count = trn_fluid_count_bits(fresh);
    set->rows[row] |= bits;
    set->layers |= UINT32_C(1) << (row >> TRN_CHUNK_SHIFT);
    set->voxels += count;
    queue->voxels[set->state] += count;
}

/// Adds voxels of a layer to a set. @param rows  [z] bit x
static inline void trn_fluid_queue_add_layer(TrnFluidQueue *queue, TrnFluidSet *set, uint32_t y,
                                             const uint32_t rows[TRN_CHUNK_EDGE])
{
    uint32_t *own = &set->rows[(size_t)y * TRN_CHUNK_EDGE], count = 0;
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        count += trn_fluid_count_bits(rows[z] & ~own[z]);
        own[z] |= rows[z];
    }
    set->layers |= UINT32_C(1) << y;
    set->voxels += count;
    queue->voxels[set->state] += count;
}

/// Takes all voxels below an index, 0..TRN_CHUNK_VOXELS, out of a set.
void trn_fluid_queue_cut(TrnFluidQueue *queue, TrnFluidSet *set, uint32_t end);

/// Makes all waiting sets of a lane run, ordered by coordinate. None may be running.
void trn_fluid_queue_run(TrnFluidQueue *queue, uint32_t lane);

/// Removes the first running set of a lane.
void trn_fluid_queue_pop(TrnFluidQueue *queue, const TrnAllocator *allocator, uint32_t lane);

/// Puts the voxels of the first running set of a lane to sleep, or makes them wait again, and
/// removes it. Cannot fail.
void trn_fluid_queue_put_off(TrnFluidQueue *queue, const TrnAllocator *allocator, uint32_t lane,
                             TrnFluidState state);

/// Makes all sets of a chunk that are asleep wait. Cannot fail.
void trn_fluid_queue_wake(TrnFluidQueue *queue, const TrnAllocator *allocator, TrnCoord coord);

/// The same for all chunks.
void trn_fluid_queue_wake_all(TrnFluidQueue *queue, const TrnAllocator *allocator);

/// Collects the sets of a lane that wait or are asleep, ordered by coordinate. Waiting ones are
/// ordered in their list.
/// @return the first, linked by `next`, or NULL; a list of sets asleep is valid until the queue
/// changes
TrnFluidSet *trn_fluid_queue_sorted(TrnFluidQueue *queue, uint32_t lane, TrnFluidState state);

/// Removes everything and frees the memory.
void trn_fluid_queue_free(TrnFluidQueue *queue, const TrnAllocator *allocator);

#endif
