/// A number that tells lands apart: recordings keep it, so that nobody digs in thin air without
/// being told.
#ifndef TERRANE_VIEWER_LAND_MARK_H
#define TERRANE_VIEWER_LAND_MARK_H

#include <terrane/terrain.h>

/// A hash (FNV-1a) of the heights of 64 columns around a point: other seeds, shapes and versions of
/// the terrain give others.
/// @param point  x, y, z in voxels; columns outside the world count as such
/// Cost: 64 terrain heights, some 0.1 ms.
uint64_t land_mark(const TrnTerrain *terrain, const double point[3]);

#endif
