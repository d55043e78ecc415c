/// The parts of topic `mesher`: what each adds.
#pragma once

#include "mesh_workspace.hpp"

void add_mesh_worlds(bench::Bench &bench, const SharedWorkspace &workspace);
/// Chunks that show nothing.
void add_mesh_hidden(bench::Bench &bench, const SharedWorkspace &workspace);
/// The built-in terrain.
void add_mesh_terrain(bench::Bench &bench, const SharedWorkspace &workspace);
/// Which faces of a chunk are joined, and its quads as plain vertices.
void add_mesh_uses(bench::Bench &bench, const SharedLand &land);
