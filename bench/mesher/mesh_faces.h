/// The visible faces of a chunk, one by one. Quads of any mesher are split into faces and compared
/// with these.
#pragma once

#include <stdbool.h>

#include "mesh_peers.h"

#ifdef __cplusplus
extern "C" {
#endif

/// All visible faces: for each TrnFace, then the two diagonal faces of plants, and each voxel by
/// trn_local_index, the block in bits 8..23 and the light in bits 0..7, as in a quad. 0: no visible
/// face. 1 MiB.
typedef struct MeshFaces {
    uint32_t shown[TRN_FACE_COUNT + 2][TRN_CHUNK_VOXELS];
} MeshFaces;

/// Splits quads into faces.
/// @return whether each lies inside the chunk and no two overlap; `faces` is undefined otherwise
bool mesh_faces_of_quads(MeshFaces *faces, const TrnQuad *quads, size_t count);

/// Computes the expected faces voxel by voxel, from the rules of terrane/mesher.h.
/// @param padded  [MESH_PADDED_VOXELS]
/// @param types   [type_count] by block
/// @param has_ao  if false, all corners are 3
void mesh_faces_of_blocks(MeshFaces *faces, const TrnBlock *padded, const TrnBlockType *types,
                          uint32_t type_count, bool has_ao);

/// How many faces are visible.
size_t mesh_faces_count(const MeshFaces *faces);

bool mesh_faces_equal(const MeshFaces *a, const MeshFaces *b);

/// Whether every quad has the same light as its separate faces would: along each axis with several
/// faces, light must not change. Liquids store a level instead of light, and are exact.
/// @param types  [type_count] by block
bool mesh_light_is_exact(const TrnQuad *quads, size_t count, const TrnBlockType *types,
                         uint32_t type_count);

#ifdef __cplusplus
}
#endif
