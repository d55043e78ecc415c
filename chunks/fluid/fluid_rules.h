/// Private: what the voxels of a liquid do: the rules of terrane/fluid.h, for a layer at once.
#ifndef TERRANE_FLUID_FLUID_RULES_H
#define TERRANE_FLUID_FLUID_RULES_H

#include "fluid/fluid_look.h"

#define TRN_FLUID_DRY 15u ///< instead of a variant: air

typedef struct TrnFluidRules {
    TrnFluidLiquid liquids[TRN_FLUID_LIQUIDS_MAX];
    TrnFluidReaction reactions[TRN_FLUID_REACTIONS_MAX];
    uint32_t liquid_count, reaction_count;
} TrnFluidRules;

/// Voxels of a layer and its rim that get other blocks.
typedef struct TrnFluidFlows {
    uint32_t from, to;                            ///< the first row and the one behind the last
    TrnFluidRows voxels;                          ///< which voxels
    TrnFluidRows variant[TRN_FLUID_VARIANT_BITS]; ///< bits of what they become, or TRN_FLUID_DRY
} TrnFluidFlows;

/// What voxels of a layer write: there, and in the layer below. Other rows are undefined.
typedef struct TrnFluidLayerFlows {
    TrnFluidFlows own, below;
} TrnFluidLayerFlows;

/// Finds which voxels of a liquid have to do with reactions: they touch another liquid.
/// @param voxels   [z] bit x: voxels of the liquid in layer y of the look's chunk
/// @param touching [z] receives bit x
/// @return whether there are any
bool trn_fluid_rules_touch(const TrnFluidRules *rules, TrnFluidLook *look, uint32_t liquid,
                           int32_t y, const uint32_t voxels[TRN_CHUNK_EDGE],
                           uint32_t touching[TRN_CHUNK_EDGE]);

/// What a voxel of a liquid becomes by a reaction.
/// @param index  of the look's chunk
/// @param block  receives the block
/// @return whether it reacts
bool trn_fluid_rules_react(const TrnFluidRules *rules, TrnFluidLook *look, uint32_t liquid,
                           uint32_t index, TrnBlock *block);

/// What voxels of a liquid do that do not react, and whose sides are all loaded.
/// @param place   of the liquid among the rules' liquids
/// @param voxels  [z] bit x: voxels of the liquid in layer y of the look's chunk; some
void trn_fluid_rules_apply(const TrnFluidLiquid *liquid, uint32_t place, TrnFluidLook *look,
                           int32_t y, const uint32_t voxels[TRN_CHUNK_EDGE],
                           TrnFluidLayerFlows *flows);

#endif
