/// Debris: small bits that fly from dug blocks, fall, bounce, slide, come to rest and fade.
///
/// Bits live in a pool of fixed capacity (TrnPool), in a registry that is walked for drawing
/// (TrnRegistry, swap and pop), and in lists by chunk: a step goes chunk by chunk, so that the mask
/// of what is solid is fetched once for all bits of a chunk. When the pool is full, a new bit takes
/// the place of the oldest that the last picture did not show, and where it showed all, of the
/// oldest.
///
/// A bit is a box of some tenths of a voxel, moved in whole numbers by steps of 1/60 s, so that the
/// same digs give the same bits on every machine and anywhere in the world. It is never inside what
/// is solid, nor in a chunk that is not in the store: chunks that are not there, and the ends of
/// the world, are as solid as stone. Outside liquids its energy never grows.
///
/// Where there is no debris (NULL), nothing is thrown, nothing moves and all figures are 0.
///
/// Threads: one, the store's writer.
#ifndef TERRANE_COMMON_DEBRIS_H
#define TERRANE_COMMON_DEBRIS_H

#include <terrane/store.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DEBRIS_CAPACITY 4000u
#define DEBRIS_CAPACITY_MAX 65536u
#define DEBRIS_STEP_SECONDS (1.0 / 60)
/// Of one call: what a longer frame leaves over is forgotten, and debris falls more slowly for a
/// moment.
#define DEBRIS_STEPS_MAX 6u
/// The bits of one block that is dug alone, and of everything dug at once.
#define DEBRIS_BLOCK_BITS 24u
#define DEBRIS_DIG_BITS 1500u

typedef struct Debris Debris;

/// Start from debris_def() and change what you need.
typedef struct DebrisDef {
    const TrnStore *store;         ///< what bits fall on; borrowed, outlives the debris
    uint32_t capacity;             ///< bits at a time, 1..DEBRIS_CAPACITY_MAX
    uint64_t seed;                 ///< of where bits fly
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} DebrisDef;

/// 4,000 bits, seed 1.
DebrisDef debris_def(const TrnStore *store);

/// Errors: BAD_ARGUMENT (no store, capacity out of range), NO_MEMORY. Some 100 KiB; the bits
/// themselves take 128 bytes each, in blocks of 256 KiB taken when they are needed.
TrnResult debris_create(const DebrisDef *def, Debris **debris);

/// @param debris  may be NULL
void debris_destroy(Debris *debris);

/// Forgets all bits: they count as lost.
void debris_clear(Debris *debris);

/// Throws bits out of a block that has just been dug. The next throw flies otherwise.
/// @param voxel  where it was; nothing is thrown where its chunk is not in the store, or it is
///               solid still
/// @param block  what it was; air and liquids throw nothing
/// @param face   through which it was dug: bits fly out that way; TRN_FACE_COUNT: to all sides
///               alike
/// @param count  bits; no more than the capacity
/// @return how many were thrown: fewer where there is no memory
/// Cost: 30 to 80 ns a bit; where the pool is full, once after each step or look some 10 us more.
uint32_t debris_throw(Debris *debris, TrnVoxel voxel, TrnBlock block, TrnFace face, uint32_t count);

/// How many bits each of many blocks should throw that are dug at once: DEBRIS_BLOCK_BITS, less
/// where all of them would throw more than DEBRIS_DIG_BITS, and then evenly spread.
/// @param blocks  dug at once
/// @param nth     which of them, from 0
uint32_t debris_share(uint64_t blocks, uint64_t nth);

/// Moves all bits by the steps that have become due.
/// @param seconds  since the last call; what is not above 0, and NaN, is no time
/// @return how many steps were made, at most DEBRIS_STEPS_MAX
/// Cost: 10 to 30 ns a bit for each step, and some 50 ns for each chunk with bits.
uint32_t debris_step(Debris *debris, double seconds);

/// Says what the picture shows: for drawing, and for which bits go first.
/// @param chunk   the camera's
/// @param planes  [6] planes of the frustum, in voxels from that chunk's lowest corner: xyz the
///                unit normal that points inwards, w its distance. Where a number is not finite,
///                the last look stays
void debris_look(Debris *debris, TrnCoord chunk, const float planes[6][4]);

/// One bit as it is drawn.
typedef struct DebrisInstance {
    /// the middle of its bottom, in voxels from the lowest corner of the last look's chunk
    float at[3];
    /// bits 0..15: half its edge in 1/65536 voxels; bits 16..31: how far it has turned about y, in
    /// 1/65536 turns
    uint32_t shape;
    /// bits 0..15: its block; bits 16..23: which piece of the block's textures it shows
    uint32_t look;
} DebrisInstance;

/// The bits that the last look shows, between the last two steps by as much time as is left over.
/// @param instances  [capacity]; caller owns
/// @return how many were written
/// Cost: some 10 ns a bit.
uint32_t debris_list(const Debris *debris, DebrisInstance *instances, uint32_t capacity);

typedef struct DebrisStats {
    uint32_t alive, capacity;
    uint32_t resting; ///< of those alive, after the last step
    uint32_t chunks;  ///< that hold bits
    uint64_t thrown;  ///< so far, as all that follow
    uint64_t faded;   ///< at the end of their time
    uint64_t lost;    ///< a block was put onto them, their chunk went, or all were cleared
    uint64_t dropped_unseen, dropped_oldest; ///< for new ones
    uint64_t refused;                        ///< not thrown for want of memory
    double step_us; ///< the last debris_step that made a step, processor time of the thread
} DebrisStats;

DebrisStats debris_stats(const Debris *debris);

#ifdef __cplusplus
}
#endif
#endif
