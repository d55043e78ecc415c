/// All particles ("bits"), by chunk and by age. Each is in a pool, in a dense list, in a list by
/// age and in the list of its cell, which is a chunk that holds bits; a hash finds the cells.
#pragma once

#include <terrane/base.h>
#include <terrane/block_types.h>
#include <terrane/pool.h>
#include <terrane/registry.h>

/// Lengths are whole numbers of 1/65536 voxel, speeds of 1/65536 voxel a step.
#define DEBRIS_UNIT_SHIFT 16
#define DEBRIS_UNIT (1 << DEBRIS_UNIT_SHIFT)
#define DEBRIS_CHUNK_UNITS (TRN_CHUNK_EDGE * DEBRIS_UNIT)
#define DEBRIS_BUCKETS 1024u

/// A camera's chunk and frustum; planes as in debris_look.
typedef struct DebrisLook {
    TrnCoord chunk;
    float planes[6][4];
} DebrisLook;

/// How much of a chunk a look shows.
typedef enum DebrisSight { DEBRIS_SIGHT_NONE, DEBRIS_SIGHT_SOME, DEBRIS_SIGHT_ALL } DebrisSight;

struct DebrisCell;

/// One bit. A step reads its first cache line.
typedef struct DebrisBit {
    /// in its cell; next also links bits that are changing cells
    struct DebrisBit *next, *previous;
    /// the middle of its bottom, from its chunk's lowest corner: 0..DEBRIS_CHUNK_UNITS - 1
    int32_t at[3];
    int16_t velocity[3];
    int16_t moved[3]; ///< by the last step
    uint32_t dies;    ///< at this step
    uint16_t half;    ///< half its edge
    uint16_t turn;    ///< 1/65536 turns
    int16_t spin;     ///< turns a step, in the same unit
    TrnBlock block;
    uint8_t piece; ///< which piece of the block's textures
    bool rests;
    bool floats;    ///< rises in liquids
    uint32_t place; ///< in the registry
    struct DebrisCell *cell;
    struct DebrisBit *older, *younger;
    TrnPoolId id;
    uint64_t number; ///< counts up over all bits ever added
} DebrisBit;

/// A chunk that holds bits.
typedef struct DebrisCell {
    TrnCoord coord;
    uint32_t place;          ///< in the registry of cells
    struct DebrisCell *next; ///< in its bucket
    DebrisBit *first;
    TrnPoolId id;
    DebrisSight sight; ///< by the last look
} DebrisCell;

typedef struct DebrisBits {
    uint32_t capacity;
    TrnAllocator allocator;
    TrnPool *bit_pool, *cell_pool;
    TrnRegistry *alive;   ///< bits
    TrnRegistry *cells;   ///< that hold bits
    DebrisCell **buckets; ///< [DEBRIS_BUCKETS]
    DebrisBit *oldest, *youngest;
    uint64_t added; ///< the next bit's number
    DebrisLook look;
    // Bits that the last look does not show, oldest first; computed on demand.
    TrnPoolId *unseen; ///< [capacity]
    uint32_t unseen_count, unseen_next;
    bool unseen_known;
    uint64_t seen_from; ///< bits from this number on are newer than the look and count as seen
} DebrisBits;

/// @param bits  all zeroes. @return false if out of memory; debris_bits_free frees what was created
bool debris_bits_create(DebrisBits *bits, uint32_t capacity, const TrnAllocator *allocator);
void debris_bits_free(DebrisBits *bits);

/// Adds a bit, all zeroes, in no cell. @return NULL if out of memory or full
DebrisBit *debris_bits_add(DebrisBits *bits);
/// Removes a bit that is in no cell.
void debris_bits_remove(DebrisBits *bits, DebrisBit *bit);

/// Links a bit into the cell of a chunk. @return false if out of memory; it is in no cell then
bool debris_bits_enter(DebrisBits *bits, DebrisBit *bit, TrnCoord coord);
/// Unlinks a bit from its cell, which stays even if empty.
void debris_bits_leave(DebrisBit *bit);
/// Frees a cell if it is empty.
void debris_bits_tidy(DebrisBits *bits, DebrisCell *cell);

/// Whether a look shows a particle. @param at  voxels from the lowest corner of the look's chunk
bool debris_look_has(const DebrisLook *look, const float at[3]);

/// Replaces the look.
void debris_bits_look(DebrisBits *bits, const DebrisLook *look);
/// Whether the last look shows a bit.
bool debris_bits_is_seen(const DebrisBits *bits, const DebrisBit *bit);
/// The middle of a bit's bottom from the look's chunk, before a part `back` (0..1) of its last
/// step.
void debris_bits_place(const DebrisBits *bits, const DebrisBit *bit, float back, float at[3]);
/// Returns the oldest bit that the last look does not show and that was not returned before, or
/// NULL.
DebrisBit *debris_bits_next_unseen(DebrisBits *bits);
/// Call it when bits have moved: which ones are unseen must be computed again.
void debris_bits_forget_unseen(DebrisBits *bits);
