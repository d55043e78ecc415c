/// The cube of block ids that the peers of topic `mesher` are handed: a chunk with a border of one
/// voxel.
#ifndef TERRANE_BENCH_MESH_PADDED_H
#define TERRANE_BENCH_MESH_PADDED_H

#include <terrane/coord.h>

/// Along each axis: a chunk and a voxel on either side of it.
#define MESH_PADDED_EDGE (TRN_CHUNK_EDGE + 2)
#define MESH_PADDED_VOXELS (MESH_PADDED_EDGE * MESH_PADDED_EDGE * MESH_PADDED_EDGE)

/// The place of a voxel in a padded cube, x fastest, then z, then y. @param x,y,z  local, -1..32
static inline int mesh_padded_index(int x, int y, int z)
{
    return ((y + 1) * MESH_PADDED_EDGE + z + 1) * MESH_PADDED_EDGE + x + 1;
}

#endif
