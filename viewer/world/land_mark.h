/// A number that tells lands apart. Recordings store it, so that the player sees a message when one
/// does not fit the land.
#ifndef TERRANE_VIEWER_LAND_MARK_H
#define TERRANE_VIEWER_LAND_MARK_H

#include <terrane/terrain.h>

/// Returns a hash (FNV-1a) of the heights of 64 columns around a point. Other seeds, shapes and
/// terrain versions give other numbers.
/// @param point  x, y, z in voxels; columns outside the world count as such
/// Cost: 64 terrain heights, some 0.1 ms.
uint64_t land_mark(const TrnTerrain *terrain, const double point[3]);

#endif
