/// The worlds of topic `mesher`: identical on every machine, without seams between chunks.
#pragma once

#include <terrane/block_types.h>
#include <terrane/coord.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum MeshWorld {
    /// grass, dirt, stone with ore, sand at the foot; the surface lies in the chunks at y = 0
    MESH_WORLD_HILLS,
    MESH_WORLD_HILLS_CAVES,  ///< the same, with caves
    MESH_WORLD_CAVES,        ///< half rock of four kinds, half air, winding in all directions
    MESH_WORLD_FLAT,         ///< three flat layers
    MESH_WORLD_CHECKERBOARD, ///< every second voxel, which gives the most possible faces
    MESH_WORLD_RANDOM,       ///< about half of the voxels at random, of four block types
    MESH_WORLD_COUNT
} MeshWorld;

/// "hills with caves".
const char *mesh_world_name(MeshWorld world);

/// The blocks of a cube: built-in types, air or opaque.
/// @param first   its lowest voxel, at most 2^20 from the origin along each axis
/// @param edge    1 or more voxels along each axis
/// @param blocks  [edge^3] x fastest, then z, then y; caller owns
void mesh_world_blocks(MeshWorld world, TrnVoxel first, int edge, TrnBlock *blocks);

#ifdef __cplusplus
}
#endif
