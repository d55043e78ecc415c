/// Moves particles through a store's chunks.
#pragma once

#include <terrane/store.h>

#include "debris/debris_bits.h"

#define DEBRIS_SPEED_MAX INT16_MAX ///< half a voxel a step, 30 voxels a second
#define DEBRIS_GRAVITY 437         ///< 24 voxels/s^2

/// What particles fall on. Chunks that are not loaded, and the ends of the world, are solid.
typedef struct DebrisGround {
    const TrnStore *store;                    ///< borrowed
    const uint32_t *solid_bits, *liquid_bits; ///< of the store's block types
} DebrisGround;

/// What happened to particles.
typedef struct DebrisFates {
    uint32_t resting; ///< of those alive, after the last step
    uint64_t faded;   ///< reached the end of their life
    uint64_t lost;    ///< a block was put onto them, or their chunk was unloaded
} DebrisFates;

DebrisGround debris_ground_of(const TrnStore *store);

/// Whether a voxel's chunk is loaded and the voxel is not solid.
bool debris_ground_is_open(const DebrisGround *ground, TrnVoxel voxel);

/// Moves all bits by one step. Removes those that fade or are lost.
/// @param step  its number; bits fade at their own
void debris_move_all(DebrisBits *bits, const DebrisGround *ground, uint32_t step,
                     DebrisFates *fates);
