/// A place to begin at: high and open ground from which coast, forest and mountains show.
#ifndef TERRANE_VIEWER_LOOKOUT_H
#define TERRANE_VIEWER_LOOKOUT_H

#include <stdbool.h>
#include <stdint.h>

#include <terrane/terrain.h>

/// Finds the lookout nearest to being perfect within some 400 voxels of a column, before any chunk
/// is loaded. The same terrain and column give the same lookout.
/// @param x,z   voxel coordinates
/// @param pose  receives the eyes, as for camera_at: a few voxels above the tops of trees
/// @return false if there is no land nearby, or no memory; `pose` is then unchanged
/// Cost: 10 to 30 ms.
bool lookout_find(TrnTerrain *terrain, int64_t x, int64_t z, double pose[5]);

/// The hour at which a low sun shines from behind the eyes.
/// @param yaw  of the camera, in degrees
double lookout_hours(double yaw);

#endif
