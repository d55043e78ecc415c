/// Private: which voxels a fluid has yet to look at.
///
/// The voxels of one chunk, lane and state are a set: one bit a voxel, so that a voxel that is
/// added twice is looked at once, and the order in which voxels were added does not matter. Lane 0
/// and the last one hold changed voxels, lane 1 + i voxels of liquid i.
#ifndef TERRANE_FLUID_FLUID_QUEUE_H
#define TERRANE_FLUID_FLUID_QUEUE_H

#include <terrane/fluid.h>

#include "base/coord_map.h"
#include "base/memory.h"

/// Lanes: changed voxels that all liquids pass, or not, as before; voxels of each liquid; other
/// changed voxels.
#define TRN_FLUID_LANES_MAX (2 + TRN_FLUID_LIQUIDS_MAX)
#define TRN_FLUID_LANE_FLOWED 0u
#define TRN_FLUID_LANE_CHANGED (1u + TRN_FLUID_LIQUIDS_MAX)

typedef enum TrnFluidState {
    TRN_FLUID_WAITING, ///< for the lane's turn
    TRN_FLUID_RUNNING, ///< of the lane's turn, in the order of the list
    TRN_FLUID_ASLEEP,  ///< until a chunk is loaded
    TRN_FLUID_STATES
} TrnFluidState;

#define TRN_FLUID_FEW 4u ///< voxels that a packed set holds without memory of its own

/// Voxels of a chunk. Open, it has a bitmap, `rows`. Packed, it has a list of voxels, or all voxels
/// from an index on. Every set can be made one of all voxels without memory: liquids that need no
/// look are at rest, so looking at more of them changes nothing.
typedef struct TrnFluidSet {
    struct TrnFluidChunk *chunk;
    struct TrnFluidSet *next;            ///< waiting, running: in the lane's list
    struct TrnFluidSet *other;           ///< of the same chunk
    struct TrnFluidSet *older, *younger; ///< asleep: in the order of falling asleep
    uint32_t *rows;                      ///< [TRN_CHUNK_ROWS] or NULL: packed
    uint16_t *list;                      ///< [list_capacity] packed, ascending; NULL: `few`
    uint16_t few[TRN_FLUID_FEW];
    uint16_t list_capacity;
    uint16_t from; ///< if it has all voxels: the first of them
    uint8_t lane;
    uint8_t state;   ///< TrnFluidState
    bool has_all;    ///< packed: all voxels from `from` on
    bool is_put_off; ///< running: its chunk was not loaded when its turn came
    uint32_t voxels; ///< how many
    uint32_t layers; ///< bit y: layer y may have some
} TrnFluidSet;

/// The sets of one chunk, loaded or not: at least one.
typedef struct TrnFluidChunk {
    TrnCoord coord;
    TrnFluidSet *sets; ///< linked by `other`
} TrnFluidChunk;

typedef struct TrnFluidList {
    TrnFluidSet *first, *last;
} TrnFluidList;

/// Bitmaps that a queue keeps for reuse while it is not empty: a step takes and frees some for each
/// chunk.
#define TRN_FLUID_SPARE_MAX 32u

/// Bits of the filter of chunks whose sets were dropped.
#define TRN_FLUID_DROPPED_BITS 65536u

typedef struct TrnFluidQueue {
    const TrnAllocator *allocator;
    TrnCoordMap chunks; ///< of TrnFluidChunk
    /// [lane] by states WAITING and RUNNING
    TrnFluidList lists[TRN_FLUID_LANES_MAX][TRN_FLUID_ASLEEP];
    TrnFluidSet *oldest, *youngest;       ///< asleep
    uint32_t sets[TRN_FLUID_STATES];      ///< how many there are
    uint64_t voxels[TRN_FLUID_STATES];    ///< in them
    const TrnFluidSet *running;           ///< that a step reads now: it stays as it is
    TrnFluidSet *sleeper;                 ///< that a step adds to: it is not dropped
    const TrnFluidSet *opening;           ///< that needs a bitmap now: it stays as it is
    uint32_t *spare[TRN_FLUID_SPARE_MAX]; ///< bitmaps without bits
    uint32_t spare_count;
    uint64_t dropped_sets;
    /// A bit for each chunk, by a hash of its coordinate, whose sets were dropped: a chunk with its
    /// bit set may have liquids that need a look.
    uint32_t dropped[TRN_FLUID_DROPPED_BITS / 32];
} TrnFluidQueue;

/// Frees some memory: spare bitmaps; or a set that is asleep, the oldest, which it drops; or what
/// packing the other sets frees; or what making them sets of all voxels frees. The queue does so
/// itself when memory is refused.
/// @return false if there is nothing to free
bool trn_fluid_queue_make_room(TrnFluidQueue *queue);

/// The order of chunks: by y, then z, then x. @return below, above or equal to 0 as by memcmp
int trn_fluid_coord_compare(TrnCoord a, TrnCoord b);

/// Finds a set, or adds an empty one: to the end of its list. NULL: no memory.
TrnFluidSet *trn_fluid_queue_get(TrnFluidQueue *queue, TrnCoord coord, uint32_t lane,
                                 TrnFluidState state);

/// Opens a set, so that it has a bitmap. A set of all voxels stays packed, and so does one for
/// whose bitmap there is no memory: it becomes one of all voxels.
/// @return whether it is open
bool trn_fluid_queue_open(TrnFluidQueue *queue, TrnFluidSet *set);

/// Packs a set if that takes less memory, unless the memory for a list is refused.
/// @return whether it freed a bitmap
bool trn_fluid_queue_pack(TrnFluidQueue *queue, TrnFluidSet *set);

/// Adds all voxels to a set. Needs no memory.
void trn_fluid_queue_add_all(TrnFluidQueue *queue, TrnFluidSet *set);

/// Adds rows of voxels to a set. @param rows  [TRN_CHUNK_ROWS]; NULL: all voxels
void trn_fluid_queue_add_rows(TrnFluidQueue *queue, TrnFluidSet *set, const uint32_t *rows);

/// The voxels of a set as a bitmap. @param scratch  [TRN_CHUNK_ROWS] used if it is packed
const uint32_t *trn_fluid_set_rows(const TrnFluidSet *set, uint32_t *scratch);

/// Adds a voxel to a set.
static inline void trn_fluid_queue_add(TrnFluidQueue *queue, TrnFluidSet *set, uint32_t index)
{
    if (!set->rows && !trn_fluid_queue_open(queue, set)) {
        trn_fluid_queue_add_all(queue, set);
        return;
    }
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

/// Adds voxels of a layer to a set. @param rows  [z] bit x
static inline void trn_fluid_queue_add_layer(TrnFluidQueue *queue, TrnFluidSet *set, uint32_t y,
                                             const uint32_t rows[TRN_CHUNK_EDGE])
{
    if (!set->rows && !trn_fluid_queue_open(queue, set)) {
        trn_fluid_queue_add_all(queue, set);
        return;
    }
    uint32_t *own = &set->rows[(size_t)y * TRN_CHUNK_EDGE], count = 0;
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        count += trn_fluid_count_bits(rows[z] & ~own[z]);
        own[z] |= rows[z];
    }
    set->layers |= UINT32_C(1) << y;
    set->voxels += count;
    queue->voxels[set->state] += count;
}

/// Takes all voxels below an index, 0..TRN_CHUNK_VOXELS - 1, out of a set.
void trn_fluid_queue_cut(TrnFluidQueue *queue, TrnFluidSet *set, uint32_t end);

/// Makes all waiting sets of a lane run, ordered by coordinate. None may be running.
void trn_fluid_queue_run(TrnFluidQueue *queue, uint32_t lane);

/// Removes the first running set of a lane.
void trn_fluid_queue_pop(TrnFluidQueue *queue, uint32_t lane);

/// Puts the voxels of the first running set of a lane to sleep, or makes them wait again, and
/// removes it. Cannot fail.
void trn_fluid_queue_put_off(TrnFluidQueue *queue, uint32_t lane, TrnFluidState state);

/// Makes all sets of a chunk that are asleep wait. Cannot fail.
void trn_fluid_queue_wake(TrnFluidQueue *queue, TrnCoord coord);

/// The same for all chunks.
void trn_fluid_queue_wake_all(TrnFluidQueue *queue);

/// Drops the sets of a chunk that are asleep, and empties those that wait if it is not loaded.
void trn_fluid_queue_drop(TrnFluidQueue *queue, TrnCoord coord, bool is_loaded);

/// Drops all waiting sets, and the running ones except the first of each lane.
/// @return whether there were any
bool trn_fluid_queue_drop_due(TrnFluidQueue *queue);

/// Whether sets of a chunk may have been dropped.
bool trn_fluid_queue_has_dropped(const TrnFluidQueue *queue, TrnCoord coord);

/// Collects the sets of a lane that wait or are asleep, ordered by coordinate. Waiting ones are
/// ordered in their list.
/// @return the first, linked by `next`, or NULL; a list of sets asleep is valid until the queue
/// changes
TrnFluidSet *trn_fluid_queue_sorted(TrnFluidQueue *queue, uint32_t lane, TrnFluidState state);

/// Removes everything and frees the memory.
void trn_fluid_queue_free(TrnFluidQueue *queue);

#endif
