/// Debris: particles ("bits") that fly from dug blocks, fall, bounce, slide, come to rest and fade.
///
/// Bits are in a pool of fixed capacity (TrnPool), in a dense list for drawing (TrnRegistry), and
/// in lists by chunk, so that a step fetches a chunk's solid mask once for all its bits. When the
/// pool is full, a new bit replaces the oldest bit that the last picture did not show, or the
/// oldest of all if the picture showed all.
///
/// A bit is a box of some tenths of a voxel. It moves by whole numbers in steps of 1/60 s, so equal
/// digs give equal bits on every machine and anywhere in the world. It is never inside anything
/// solid, nor in a chunk that is not loaded: such chunks, and the ends of the world, are solid.
/// Outside liquids its energy never grows.
///
/// Where a function allows NULL as its debris, it does nothing and returns zeroes.
///
/// Threads: one, the store's writer.
#pragma once

#include <terrane/store.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DEBRIS_CAPACITY 4000u
#define DEBRIS_CAPACITY_MAX 65536u
#define DEBRIS_STEP_SECONDS (1.0 / 60)
/// Most steps of one call. After a longer frame the rest is dropped, and debris falls more slowly
/// for a moment.
#define DEBRIS_STEPS_MAX 6u
/// Bits of one block dug alone, and of all blocks dug at once.
#define DEBRIS_BLOCK_BITS 24u
#define DEBRIS_DIG_BITS 1500u

typedef struct Debris Debris;

/// Start from debris_def() and change what you need.
typedef struct DebrisDef {
    const TrnStore *store;         ///< what bits fall on; borrowed, must outlive the debris
    uint32_t capacity;             ///< bits at a time, 1..DEBRIS_CAPACITY_MAX
    uint64_t seed;                 ///< decides where bits fly
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} DebrisDef;

/// 4,000 bits, seed 1.
DebrisDef debris_def(const TrnStore *store);

/// Errors: BAD_ARGUMENT (no store, capacity out of range), NO_MEMORY. Takes about 100 KiB; the bits
/// take 128 bytes each, in blocks of 256 KiB that are allocated on demand.
TrnResult debris_create(const DebrisDef *def, Debris **debris);

/// @param debris  may be NULL
void debris_destroy(Debris *debris);

/// Removes all bits; they count as lost. @param debris  may be NULL
void debris_clear(Debris *debris);

/// Throws bits out of a block that has just been dug. Every throw flies differently.
/// @param debris  may be NULL
/// @param voxel  where it was; nothing is thrown if its chunk is not loaded or it is still solid
/// @param block  what it was; air and liquids throw nothing
/// @param face   through which it was dug: bits fly out that way; TRN_FACE_COUNT: to all sides
/// @param count  bits; more than the capacity count as the capacity
/// @return how many were thrown: fewer if out of memory
/// Cost: 30 to 80 ns a bit; if the pool is full, about 10 us more once after each step or look.
uint32_t debris_throw(Debris *debris, TrnVoxel voxel, TrnBlock block, TrnFace face, uint32_t count);

/// Returns how many bits a block should throw if many are dug at once: DEBRIS_BLOCK_BITS, or fewer
/// and evenly spread if all together would throw more than DEBRIS_DIG_BITS.
/// @param blocks  dug at once
/// @param nth     which of them, from 0
uint32_t debris_share(uint64_t blocks, uint64_t nth);

/// Moves all bits by the steps that are due. @param debris  may be NULL
/// @param seconds  since the last call; NaN and values up to 0 count as 0
/// @return how many steps were made, at most DEBRIS_STEPS_MAX
/// Cost of a step: 10 to 30 ns a bit, and about 50 ns a chunk with bits.
uint32_t debris_step(Debris *debris, double seconds);

/// Tells what the picture shows, for drawing and for choosing which bits to replace.
/// @param chunk   the camera's
/// @param planes  [6] planes of the frustum, in voxels from that chunk's lowest corner: xyz the
///                unit normal that points inwards, w its distance. If a number is not finite,
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

/// Writes the bits that the last look shows, interpolated between the last two steps.
/// @param instances  [capacity]; caller owns
/// @return how many were written
/// Cost: about 10 ns a bit.
uint32_t debris_list(const Debris *debris, DebrisInstance *instances, uint32_t capacity);

typedef struct DebrisStats {
    uint32_t alive, capacity;
    uint32_t resting; ///< of those alive, after the last step
    uint32_t chunks;  ///< that hold bits
    uint64_t thrown;  ///< so far, as all that follow
    uint64_t faded;   ///< reached the end of their life
    uint64_t lost;    ///< covered by a block, in a chunk that was unloaded, or cleared
    uint64_t dropped_unseen, dropped_oldest; ///< replaced by new ones
    uint64_t refused;                        ///< not thrown because out of memory
    double step_us; ///< processor time of the last debris_step that made a step
} DebrisStats;

/// @param debris  may be NULL
DebrisStats debris_stats(const Debris *debris);

#ifdef __cplusplus
}
#endif
