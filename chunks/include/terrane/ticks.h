/// Terrane, random ticks: grass that spreads, wheat that grows, ice that melts.
///
///     static TrnResult tick(void *user, TrnBatch *batch, const TrnTick *tick)
///     {
///         return tick->block == sapling ? grow(batch, tick->voxel) : TRN_RESULT_OK;
///     }
///     ...
///     TrnTicksDef def = trn_ticks_def();
///     def.tick = tick;
///     trn_ticks_create(store, &def, &ticks);
///     ...
///     trn_ticks_step(ticks, step, &player, 1, NULL); // each step of the game
///
/// Each step draws some random voxels of every loaded chunk near an anchor. Those whose type asks
/// for it (TrnBlockType.ticks) are offered to the game, whose edits of a step are one batch. Which
/// voxels are drawn follows from the seed, the step and the chunk alone; they are offered in the
/// order of their chunks, so the world is the same however chunks came, with any threads. In a
/// world that several programs share, only chunks that the store owns tick (TrnStoreWatch.owns).
///
/// Threads: all functions are for the store's writer.
///
/// Tier: experimental.
#ifndef TERRANE_TICKS_H
#define TERRANE_TICKS_H

#include <terrane/batch.h>

TRN_C_BEGIN

/// Random ticks of one store. Opaque; the caller creates and destroys it.
typedef struct TrnTicks TrnTicks;

#define TRN_TICKS_PER_CHUNK_MAX 64 ///< voxels drawn in a chunk a step
#define TRN_TICKS_RADIUS_MAX 64    ///< chunks from an anchor along an axis

/// One voxel that is offered.
typedef struct TrnTick {
    TrnVoxel voxel;  ///< where
    TrnBlock block;  ///< what it is now, with the edits of the batch; its type ticks
    uint64_t random; ///< for the game: as random as the choice of the voxel, and as repeatable
} TrnTick;

/// Called for each voxel. May edit the batch, and read it with trn_batch_get; must not change the
/// store in another way.
/// @return OK; anything else discards the batch and ends the step with this result
typedef TrnResult (*TrnTickFn)(void *user, TrnBatch *batch, const TrnTick *tick);

/// Start from trn_ticks_def() and change what you need.
typedef struct TrnTicksDef {
    TrnTickFn tick;         ///< not NULL
    void *user;             ///< passed to it
    uint64_t seed;          ///< another seed draws other voxels
    uint32_t per_chunk;     ///< voxels drawn in each chunk a step, 1..TRN_TICKS_PER_CHUNK_MAX
    uint32_t radius_chunks; ///< along x and z from an anchor, 0..TRN_TICKS_RADIUS_MAX
    uint32_t height_chunks; ///< the same along y
} TrnTicksDef;

/// Returns the defaults: no function, 3 voxels a chunk, a radius of 8 chunks and a height of 4.
TRN_API TrnTicksDef trn_ticks_def(void);

/// Creates random ticks.
/// @param def    copied
/// @param ticks  receives them; destroy them before the store
/// Errors: BAD_ARGUMENT (a number outside its range, no function), NO_MEMORY, FULL, READERS.
TRN_API TrnResult trn_ticks_create(TrnStore *store, const TrnTicksDef *def, TrnTicks **ticks);

/// Destroys random ticks. @param ticks  may be NULL
TRN_API void trn_ticks_destroy(TrnTicks *ticks);

/// What a step did.
typedef struct TrnTicksOutcome {
    uint32_t chunks;        ///< loaded near anchors
    uint32_t ticked_chunks; ///< of them, with blocks whose types tick
    uint32_t offered;       ///< voxels
    TrnBatchOutcome batch;  ///< of the edits; all 0 if nothing was offered
} TrnTicksOutcome;

/// Does one step.
/// @param step     its number; the same number draws the same voxels
/// @param anchors  [count] chunk coordinates; a chunk near two of them ticks once
/// @param outcome  receives what it did; may be NULL; untouched on failure
/// Errors: of the function and of trn_batch_commit; NO_MEMORY, FULL, READERS. The store is then
/// unchanged.
/// Cost: O(chunks near anchors + voxels drawn in those with such blocks), and the game's; a voxel
/// drawn costs up to ten times a chunk without such blocks, mostly to fetch it from memory. Memory
/// of 8 bytes for each chunk near an anchor is kept.
TRN_API TrnResult trn_ticks_step(TrnTicks *ticks, uint64_t step, const TrnCoord *anchors,
                                 size_t count, TrnTicksOutcome *outcome);

TRN_C_END
#endif
