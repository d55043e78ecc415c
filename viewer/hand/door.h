/// Doors: one model in two voxels, the upper one above the lower. A family of doors is named like
/// "terrane:oak_door"; the same with "_open" at its end is that door, open.
#ifndef TERRANE_VIEWER_DOOR_H
#define TERRANE_VIEWER_DOOR_H

#include "hand/brush.h"

/// Whether a block is half of a door, open or not.
bool door_is(const TrnBlockTypes *types, TrnBlock block);

/// Returns a closed door open, an open one closed; air if there is no such type.
TrnBlock door_turned(const TrnBlockTypes *types, TrnBlock block);

/// Returns both voxels of a door. Of equal doors above each other, the lowest two voxels are one,
/// and so on; half a door is one voxel.
/// @param voxel  of one half, loaded
BrushBox door_voxels(const TrnStore *store, TrnVoxel voxel);

#endif
