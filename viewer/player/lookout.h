/// The place where a new player begins: high, open ground with a view of coast, forest and
/// mountains.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <terrane/terrain.h>

/// Finds the lookout with the best view within some 400 voxels of a column, before any chunk is
/// loaded. The same terrain and column always give the same lookout.
/// @param x,z   voxel coordinates
/// @param pose  receives the eyes, as for camera_at: a few voxels above the tops of trees
/// @return false if there is no land nearby, or out of memory; `pose` is then unchanged
/// Cost: 10 to 30 ms.
bool lookout_find(TrnTerrain *terrain, int64_t x, int64_t z, double pose[5]);

/// Returns the hour at which a low sun stands behind the eyes.
/// @param yaw  of the camera, in degrees
double lookout_hours(double yaw);
