/// Looks where the land ends in sea, so that the renderer draws it on to the horizon.
#ifndef TERRANE_VIEWER_OPEN_SEA_H
#define TERRANE_VIEWER_OPEN_SEA_H

#include "render/renderer_def.h"
#include "world/world.h"

/// Looks around the camera, at the outer part of the coarsest level.
/// @param reach  how far the view reaches, voxels
/// @param sea    receives what there is; nowhere any, if the world has no generated land
/// Cost: some 20 us.
void open_sea_find(const World *world, TrnPosition camera, double reach, RendererSea *sea);

#endif
