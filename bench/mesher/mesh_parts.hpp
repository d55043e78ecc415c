/// The parts of topic `mesher`: functions that add scenes.
#pragma once

#include "mesh_workspace.hpp"

void add_mesh_worlds(bench::Bench &bench, const SharedWorkspace &workspace);
/// Adds the scenes of chunks without visible faces.
void add_mesh_hidden(bench::Bench &bench, const SharedWorkspace &workspace);
/// Adds the scenes of the built-in terrain.
void add_mesh_terrain(bench::Bench &bench, const SharedWorkspace &workspace);
/// Adds the scenes of a chunk's visibility, and of its quads as plain vertices.
void add_mesh_uses(bench::Bench &bench, const SharedLand &land);
