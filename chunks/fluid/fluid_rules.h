/// Private: what a voxel of a liquid does: the rules of terrane/fluid.h.
#ifndef TERRANE_FLUID_FLUID_RULES_H
#define TERRANE_FLUID_FLUID_RULES_H

#include "fluid/fluid_look.h"

typedef struct TrnFluidRules {
    TrnFluidLiquid liquids[TRN_FLUID_LIQUIDS_MAX];
    TrnFluidReaction reactions[TRN_FLUID_REACTIONS_MAX];
    uint32_t liquid_count, reaction_count;
} TrnFluidRules;

/// A voxel that gets another block, by coordinates from the chunk's lowest voxel.
typedef struct TrnFluidFlow {
    int32_t x, y, z;
    TrnBlock block;
} TrnFluidFlow;

#define TRN_FLUID_FLOWS_MAX 4 ///< of one voxel: it changes, or falls, or spreads to its sides

/// What a voxel of the look's chunk does. A voxel that is not of the liquid does nothing.
/// @param flows   receives what changes
/// @param asleep  receives whether a side is in a chunk that is not loaded; it does nothing then
/// @return how many voxels change
uint32_t trn_fluid_rules_apply(const TrnFluidRules *rules, TrnFluidLook *look, uint32_t liquid,
                               uint32_t index, TrnFluidFlow flows[TRN_FLUID_FLOWS_MAX],
                               bool *asleep);

#endif
