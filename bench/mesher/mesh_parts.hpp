/// The parts of topic `mesher`: what each adds.
#pragma once

#include "mesh_desk.hpp"

void add_mesh_worlds(bench::Bench &bench, const Desk &desk);
/// Chunks that show nothing.
void add_mesh_hidden(bench::Bench &bench, const Desk &desk);
/// The built-in terrain.
void add_mesh_terrain(bench::Bench &bench, const Desk &desk);
/// Which faces of a chunk are joined, and its quads as plain vertices.
void add_mesh_uses(bench::Bench &bench, const SharedLand &land);
