/// What the parts of debris share.
#ifndef TERRANE_COMMON_DEBRIS_IMPL_H
#define TERRANE_COMMON_DEBRIS_IMPL_H

#include <terrane/pool.h>
#include <terrane/registry.h>

#include "debris/debris.h"

/// Lengths are whole numbers of 1/65536 voxels, speeds of the same a step.
#define DEBRIS_UNIT_SHIFT 16
#define DEBRIS_UNIT (1 << DEBRIS_UNIT_SHIFT)
#define DEBRIS_CHUNK_UNITS (TRN_CHUNK_EDGE * DEBRIS_UNIT)
#define DEBRIS_SPEED_MAX INT16_MAX ///< half a voxel a step, 30 voxels a second
#define DEBRIS_GRAVITY 437         ///< 24 voxels/s^2
#define DEBRIS_HALF_MIN 2600u      ///< half the edge of a bit
#define DEBRIS_HALF_MAX 5400u
#define DEBRIS_FADE_STEPS 40u ///< for so long it shrinks
#define DEBRIS_BUCKETS 1024u

struct DebrisCell;

/// One bit. What a step reads is in its first cache line.
typedef struct DebrisBit {
    /// in its cell; next also in the list of those that change it
    struct DebrisBit *next, *previous;
    /// the middle of its bottom, from its chunk's lowest corner: 0..DEBRIS_CHUNK_UNITS - 1
    int32_t at[3];
    int16_t velocity[3];
    int16_t moved[3]; ///< by the last step
    uint32_t dies;    ///< at this step
    uint16_t half;    ///< of its edge
    uint16_t turn;    ///< of 65536
    int16_t spin;     ///< a step
    TrnBlock block;
    uint8_t piece; ///< of the block's textures
    bool rests;
    bool floats;    ///< rises in liquids
    uint32_t place; ///< in the registry
    struct DebrisCell *cell;
    struct DebrisBit *older, *younger;
    TrnPoolId id;
    uint64_t number; ///< of all thrown
} DebrisBit;

/// What the last look shows of a cell.
typedef enum DebrisSight { DEBRIS_SIGHT_NONE, DEBRIS_SIGHT_SOME, DEBRIS_SIGHT_ALL } DebrisSight;

/// A chunk that holds bits.
typedef struct DebrisCell {
    TrnCoord coord;
    uint32_t place;          ///< in the registry of cells
    struct DebrisCell *next; ///< in its bucket
    DebrisBit *first;
    TrnPoolId id;
    DebrisSight sight;
} DebrisCell;

struct Debris {
    const TrnStore *store;
    const uint32_t *solid_bits, *liquid_bits; ///< of the store's block types
    uint32_t capacity;
    uint64_t seed, throws;
    TrnAllocator allocator;
    TrnPool *bits, *cells;
    TrnRegistry *alive, *used; ///< bits, cells
    DebrisCell **buckets;      ///< [DEBRIS_BUCKETS]
    DebrisBit *oldest, *youngest;
    // Those that the last look does not show, the oldest first; worked out when one is wanted.
    TrnPoolId *unseen; ///< [capacity]
    uint32_t unseen_count, unseen_next;
    bool unseen_known;
    /// bits with this number or a later one were thrown since the last step or look, and count as
    /// seen
    uint64_t seen_from;
    TrnCoord look_chunk;
    float planes[6][4];
    uint32_t now;      ///< steps so far; comes round
    double left;       ///< seconds that no step has been made for
    DebrisStats stats; ///< alive, capacity and chunks are filled in when asked for
};

// debris_grid.c

/// Links a bit into the cell of a chunk. @return false when there is no memory; it is then in none
bool debris_enter(Debris *debris, DebrisBit *bit, TrnCoord coord);
/// Takes a bit out of its cell, which stays, even if empty.
void debris_leave(DebrisBit *bit);
/// Gives a cell back if it is empty.
void debris_tidy(Debris *debris, DebrisCell *cell);

// debris.c

/// Takes a bit that is in no cell out of the world.
void debris_forget(Debris *debris, DebrisBit *bit);

// debris_move.c

void debris_move_all(Debris *debris);
/// Whether a voxel's chunk is in the store and the voxel is not solid.
bool debris_is_open(const Debris *debris, TrnVoxel voxel);

// debris_sight.c

/// Whether the last look shows a bit.
bool debris_is_seen(const Debris *debris, const DebrisBit *bit);
/// Works out what the last look shows of a cell.
void debris_see_cell(const Debris *debris, DebrisCell *cell);
/// The oldest bit that the last look does not show, or NULL.
DebrisBit *debris_next_unseen(Debris *debris);
/// Bits have moved, or the look: who is unseen must be worked out anew.
void debris_forget_unseen(Debris *debris);

#endif
