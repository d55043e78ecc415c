/// Terrane, fluids: water and lava that flow.
///
///     TrnFluidLiquid water;
///     trn_fluid_liquid(types, TRN_BLOCK_WATER, &water); // its nine blocks, and how water flows
///     TrnFluidDef def = trn_fluid_def();
///     def.liquids = &water;
///     def.liquid_count = 1;
///     TrnFluid *fluid;
///     trn_fluid_create(store, &def, &fluid);
///     ...
///     trn_fluid_step(fluid, NULL); // each step of the game, after trn_stream_update
///
/// A liquid has nine blocks: its source, flows of level 1 to 7, each lower than the one before, and
/// the falling block. A fluid watches its store. When a voxel changes, it looks at the liquids in
/// the voxel and at its six sides with the next step, and at those that may find another drop now;
/// all other liquids rest: looking at them would change nothing. So a sea that the terrain
/// generated costs nothing until a player digs next to it.
///
/// A voxel of a liquid that is looked at does one of these, the first that applies:
///   1. reacts: if it touches a liquid of a reaction, it becomes the reaction's block;
///   2. changes, unless it is a source: to falling if its liquid is above it; else to the level
///      behind its strongest side (source and falling count as level 0), or to air if that has none
///      behind it. If a source or a block that no liquid enters is below it, it becomes a source
///      instead where two of its sides are sources (`renews`), or below the sea level (`has_sea`);
///   3. falls, if air or a plant is below it: the voxel below gets what rule 2 makes of it;
///   4. spreads to the sides that are air or plants, unless its own liquid is below it; a source
///      does so on another source. If drops are within reach, it spreads only towards the nearest.
/// Liquids replace air and plants that are not solid, nothing else. What is outside the world is
/// closed to them.
///
/// All voxels of a step are looked at as they were before it, and all changes are one batch
/// (terrane/batch.h) without a history: readers, listeners, meshes and saves see them as any edit.
/// What a step does depends on the world, the edits and the steps before it, and on which chunks
/// are loaded; not on the order in which chunks came, nor on threads. A voxel with a side in a
/// chunk that is not loaded waits until that chunk is.
///
/// In a world that several programs share, a fluid runs in the chunks that its store owns
/// (TrnStoreWatch.owns). Liquids of other chunks that are due are forgotten when their turn comes,
/// since their owner's fluid has them.
///
/// Threads: all functions are for the store's writer.
///
/// Tier: experimental.
#ifndef TERRANE_FLUID_H
#define TERRANE_FLUID_H

#include <terrane/store.h>

TRN_C_BEGIN

/// Liquids that flow, in one store. Opaque; the caller creates and destroys it.
typedef struct TrnFluid TrnFluid;

#define TRN_FLUID_LIQUIDS_MAX 4   ///< liquids of a fluid
#define TRN_FLUID_REACTIONS_MAX 8 ///< reactions of a fluid
#define TRN_FLUID_LEVEL_MAX 7     ///< the lowest flow
#define TRN_FLUID_FALLING 8       ///< the place of the falling block in TrnFluidLiquid.blocks
#define TRN_FLUID_DROP_MAX 5      ///< the farthest that a liquid looks for a drop, in voxels

/// One liquid.
typedef struct TrnFluidLiquid {
    /// The source, the flows 1 to 7, and falling: nine different blocks of kind LIQUID.
    TrnBlock blocks[TRN_FLUID_FALLING + 1];
    uint8_t delay; ///< steps from one look at its voxels to the next, 1 or more
    uint8_t decay; ///< levels that it loses with each voxel that it spreads, 1..7
    /// How far from a side it looks for drops, in voxels, 0..TRN_FLUID_DROP_MAX.
    uint8_t drop_voxels;
    bool renews;  ///< between two sources a source arises
    bool has_sea; ///< it has a sea level, `sea_y`
    /// At this y and below, a flow that rests on the ground becomes a source, so that
    /// a sea fills what players dig next to it, to its own height.
    int64_t sea_y;
} TrnFluidLiquid;

/// What a voxel of one liquid becomes when it touches another.
typedef struct TrnFluidReaction {
    uint8_t liquid;  ///< that changes: a place in TrnFluidDef.liquids
    uint8_t other;   ///< that it touches, another place
    TrnBlock source; ///< what a source becomes
    TrnBlock flow;   ///< what anything else of the liquid becomes
} TrnFluidReaction;

/// Start from trn_fluid_def() and change what you need.
typedef struct TrnFluidDef {
    const TrnFluidLiquid *liquids;     ///< [liquid_count] copied
    uint32_t liquid_count;             ///< 1..TRN_FLUID_LIQUIDS_MAX
    const TrnFluidReaction *reactions; ///< [reaction_count] copied; the first that applies counts
    uint32_t reaction_count;           ///< 0..TRN_FLUID_REACTIONS_MAX
    /// The most voxels of liquids that a step looks at, and a quarter of the most changed voxels
    /// whose sides it looks up; a chunk counts as 32 in addition. The rest is left to the next
    /// step, oldest first. 64 or more.
    uint32_t budget_voxels;
    /// The most bytes of the fluid: 0.4 MiB of its own, and for each chunk and liquid some 0.2 KiB
    /// while few of its voxels sleep and 4.3 KiB while some are to be looked at. They count as
    /// attached_bytes of the store, too. 0: no cap but the store's. At the cap the fluid drops what
    /// sleeps, the oldest first: see trn_fluid_drop. Then a step looks at fewer voxels, or at all
    /// voxels of some chunks, since a list of them takes more memory; last it drops what is due.
    size_t bytes_max;
} TrnFluidDef;

/// Returns the default: no liquids, 2,048 voxels a step, 64 MiB.
TRN_API TrnFluidDef trn_fluid_def(void);

/// Fills in a liquid from a family of block types (terrane/block_types.h), to flow as water does:
/// every 5 steps, 7 voxels far, to drops within 4 voxels, and renewed.
/// @param family  its source
/// @param liquid  receives it
/// Errors: BAD_ARGUMENT (NULL), NOT_FOUND (the family is not of nine liquids). Cost: O(types).
TRN_API TrnResult trn_fluid_liquid(const TrnBlockTypes *types, TrnBlock family,
                                   TrnFluidLiquid *liquid);

/// Fills in the built-in water, to flow five times a second in a game of 20 steps a second.
/// @param liquid  receives it
/// Errors: as trn_fluid_liquid. Cost: O(types).
TRN_API TrnResult trn_fluid_water(const TrnBlockTypes *types, TrnFluidLiquid *liquid);

/// Fills in the built-in lava: every 20 steps, 3 voxels far, to drops within 2 voxels, not renewed.
/// It does not react by itself; docs/fluids.md has the reaction that hardens it in water.
/// @param liquid  receives it
/// Errors: as trn_fluid_liquid. Cost: O(types).
TRN_API TrnResult trn_fluid_lava(const TrnBlockTypes *types, TrnFluidLiquid *liquid);

/// Creates the fluid of a store. A store has at most one.
/// @param def    copied
/// @param fluid  receives it; destroy it before its store
/// Errors: BAD_ARGUMENT (a number outside its range; a block twice, or not of kind LIQUID; an
/// unassigned block), EXISTS, NO_MEMORY, FULL (also if `bytes_max` is too little for any step),
/// READERS.
TRN_API TrnResult trn_fluid_create(TrnStore *store, const TrnFluidDef *def, TrnFluid **fluid);

/// Returns the fluid of a store; NULL: it has none. O(watches).
TRN_API TrnFluid *trn_fluid_of(const TrnStore *store);

/// Describes a fluid, such as to create one like it on another store.
/// @return as at its creation; the lists belong to the fluid
TRN_API TrnFluidDef trn_fluid_describe(const TrnFluid *fluid);

/// Destroys a fluid; liquids then stand still. Not in a listener of its own step.
/// @param fluid  may be NULL
TRN_API void trn_fluid_destroy(TrnFluid *fluid);

/// What a step did.
typedef struct TrnFluidOutcome {
    uint32_t looked_voxels;  ///< liquids that it looked at
    uint32_t changed_voxels; ///< voxels that it wrote, a voxel twice if two liquids enter it
    uint64_t revision;       ///< of its batch; the store's if it changed nothing
} TrnFluidOutcome;

/// Does one step.
/// @param outcome  receives what it did; may be NULL; untouched on failure
/// Errors: BUSY (a batch has one of the chunks open; or the fluid is in a step), NO_MEMORY, FULL
/// (bytes_max of the store), READERS. The store is then unchanged, and the step can be repeated; it
/// does what it would have done. At its own bytes_max a step succeeds, and does what fits.
/// Cost: O(layers of chunks with voxels to look at), whether one voxel or hundreds; O(1) with
/// nothing to do.
TRN_API TrnResult trn_fluid_step(TrnFluid *fluid, TrnFluidOutcome *outcome);

/// Switches a fluid off or on. Off, steps do nothing and do not count; what changes meanwhile is
/// looked at once it is on. A new fluid is on. O(1).
TRN_API void trn_fluid_set_running(TrnFluid *fluid, bool is_running);

/// Looks at every liquid of a chunk with the next steps, such as one in a world that was built with
/// water in mid-air. If the chunk is not loaded, once it is.
/// Errors: NO_MEMORY, FULL, READERS. O(1).
TRN_API TrnResult trn_fluid_wake(TrnFluid *fluid, TrnCoord coord);

/// Drops the voxels of a chunk that sleep, and those that are due if it is not loaded, and frees
/// their memory: for a chunk that the game will not load soon. Once it or a chunk at its faces is
/// loaded, the fluid looks at all liquids of these seven chunks instead. It remembers which chunks
/// in a filter of 65,536 bits, so a few others are looked at, too.
/// Not in a listener of the fluid's own step. O(1).
TRN_API void trn_fluid_drop(TrnFluid *fluid, TrnCoord coord);

// ---- keep --------------------------------------------------------------------------------------

/// Writes what a fluid has yet to look at, and the number of its step, so that a saved world goes
/// on as if it had not been left: store the bytes with the chunks, as with trn_save_set_value
/// (terrane/save.h) in the same transaction. Equal states give equal bytes.
/// @param bytes  [capacity] receives the first bytes; NULL if capacity is 0
/// @return how many bytes there are; not in a listener of the fluid's own step
/// Cost: O(chunks with voxels to look at); no allocation.
TRN_API size_t trn_fluid_save(TrnFluid *fluid, void *bytes, size_t capacity);

/// Makes a fluid go on from what trn_fluid_save wrote, and forget what it was to look at.
/// @param bytes  [size] any bytes are safe
/// Errors: CORRUPT (not such bytes, or of another number of liquids), BUSY (it is in a step),
/// NO_MEMORY, FULL, READERS; the fluid is unchanged then.
/// Cost: O(size); memory for both states at once.
TRN_API TrnResult trn_fluid_load(TrnFluid *fluid, const void *bytes, size_t size);

/// Writes what a fluid has yet to look at in a box, as trn_fluid_save does, without what was
/// dropped. First it looks up what changed voxels lead to, as the next step would.
/// @param box    of chunks
/// @param bytes  [capacity] receives the first bytes; NULL if capacity is 0
/// @param size   receives how many bytes there are; 0: nothing is to be looked at
/// Errors: BUSY (it is in a step), NO_MEMORY, FULL, READERS; `size` is untouched then.
/// Cost: as trn_fluid_save, and that of a step without liquids.
TRN_API TrnResult trn_fluid_save_box(TrnFluid *fluid, TrnBox box, void *bytes, size_t capacity,
                                     size_t *size);

/// Makes a fluid look at what trn_fluid_save_box wrote, besides what it is to look at anyway.
/// @param bytes  [size] any bytes are safe
/// Errors: as trn_fluid_load; the fluid may look at some of it then.
/// Cost: O(size).
TRN_API TrnResult trn_fluid_merge(TrnFluid *fluid, const void *bytes, size_t size);

/// Figures of a fluid.
typedef struct TrnFluidStats {
    uint64_t steps;          ///< that succeeded, since the world began
    uint64_t looked_voxels;  ///< liquids that steps looked at, since the fluid was created
    uint64_t changed_voxels; ///< voxels that they wrote
    uint32_t due_sets;       ///< chunks with voxels to look at, each once a liquid
    uint32_t asleep_sets;    ///< the same, that wait for chunks
    uint64_t due_voxels;     ///< voxels in these
    uint64_t asleep_voxels;  ///< voxels in those
    uint64_t missed;         ///< changes noted late, since memory ran out
    size_t bytes;            ///< of everything
    size_t bytes_max;        ///< as in the def
    uint64_t capped_steps;   ///< that did less than they could, since bytes_max ran out
    uint64_t dropped_sets;   ///< that were dropped: at bytes_max, or by trn_fluid_drop
} TrnFluidStats;

/// Returns the figures. O(1).
TRN_API TrnFluidStats trn_fluid_stats(const TrnFluid *fluid);

TRN_C_END
#endif
