/// A number that identifies a land. Recordings store it, so that the viewer can warn if a recording
/// does not fit the land.
#pragma once

#include <terrane/terrain.h>

#include "render/renderer_def.h"
#include "world/world.h"

/// Returns a hash (FNV-1a) of the heights of 64 columns around a point. Other seeds, shapes and
/// terrain versions have other hashes.
/// @param point  x, y, z in voxels; columns outside the world count as outside
/// Cost: 64 terrain heights, some 0.1 ms.
uint64_t land_mark(const TrnTerrain *terrain, const double point[3]);

// ---- open sea -----------------------------------------------------------------------------------

// Finds where the land ends in sea, so that the renderer extends the sea to the horizon.

/// Examines the outer part of the coarsest level around the camera.
/// @param reach  of the view, voxels
/// @param sea    receives the sea in each direction; none if the world has no generated land
/// Cost: some 20 us.
void open_sea_find(const World *world, TrnPosition camera, double reach, RendererSea *sea);
