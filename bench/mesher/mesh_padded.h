/// The input of the peers of topic `mesher`: a cube of block ids, a chunk with a border of one
/// voxel.
#pragma once

#include <terrane/coord.h>

/// Edge of the cube: a chunk and one voxel at each side.
#define MESH_PADDED_EDGE (TRN_CHUNK_EDGE + 2)
#define MESH_PADDED_VOXELS (MESH_PADDED_EDGE * MESH_PADDED_EDGE * MESH_PADDED_EDGE)

/// The place of a voxel in a padded cube, x fastest, then z, then y. @param x,y,z  local, -1..32
static inline int mesh_padded_index(int x, int y, int z)
{
    return ((y + 1) * MESH_PADDED_EDGE + z + 1) * MESH_PADDED_EDGE + x + 1;
}
