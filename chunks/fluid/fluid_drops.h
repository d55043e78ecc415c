/// Private: which sides of voxels lead to the nearest drops.
#ifndef TERRANE_FLUID_FLUID_DROPS_H
#define TERRANE_FLUID_FLUID_DROPS_H

#include "fluid/fluid_look.h"

/// Voxels of a layer by the sides that they spread to.
typedef struct TrnFluidSides {
    TrnFluidRows low_x, high_x, low_z, high_z;
} TrnFluidSides;

/// Keeps of the sides of voxels those that lead to the nearest drops, where there are any within
/// reach.
/// @param passed  voxels that the liquid passes
/// @param drops   those that it could fall from; overwritten
/// @param voxels  how far beyond a side it looks
/// @param sides   in the rows of the area
void trn_fluid_drops(const TrnFluidArea *area, const TrnFluidRows passed, TrnFluidRows drops,
                     uint32_t voxels, TrnFluidSides *sides);

#endif
