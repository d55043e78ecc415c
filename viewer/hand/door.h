/// Doors: one model in two voxels, one above the other. The name of a family of doors is like
/// "terrane:oak_door"; the open door's family has "_open" appended.
#pragma once

#include "hand/brush.h"

/// Whether a block is half of a door, open or not.
bool door_is(const TrnBlockTypes *types, TrnBlock block);

/// Returns the open form of a closed door, or the closed form of an open one; air if there is none.
TrnBlock door_turned(const TrnBlockTypes *types, TrnBlock block);

/// Returns the closed form of an open door; other blocks stay as they are.
TrnBlock door_closed(const TrnBlockTypes *types, TrnBlock block);

/// Returns both voxels of a door. In a stack of equal doors, each two voxels from the bottom are a
/// door; half a door is one voxel.
/// @param voxel  of one half, loaded
BrushBox door_voxels(const TrnStore *store, TrnVoxel voxel);
