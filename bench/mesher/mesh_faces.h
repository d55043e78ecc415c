/// What of a chunk shows, face by face: what quads of any mesher are taken apart into, and held
/// against.
#ifndef TERRANE_BENCH_MESH_FACES_H
#define TERRANE_BENCH_MESH_FACES_H

#include <stdbool.h>

#include "mesh_peers.h"

#ifdef __cplusplus
extern "C" {
#endif

/// For each TrnFace, and the two leaves of plants behind them, and each voxel by trn_local_index:
/// its block in bits 8..23 and its light in bits 0..7, as in a quad; 0 where nothing shows. 1 MiB.
typedef struct MeshFaces {
    uint32_t shown[TRN_FACE_COUNT + 2][TRN_CHUNK_VOXELS];
} MeshFaces;

/// Takes quads apart into faces.
/// @return whether each lies inside the chunk and no two overlap; `faces` is undefined otherwise
bool mesh_faces_of_quads(MeshFaces *faces, const TrnQuad *quads, size_t count);

/// What must show, voxel by voxel as terrane/mesher.h says, with nothing clever.
/// @param padded  [MESH_PADDED_VOXELS]
/// @param types   [type_count] by block
/// @param has_ao  otherwise all corners are 3
void mesh_faces_of_blocks(MeshFaces *faces, const TrnBlock *padded, const TrnBlockType *types,
                          uint32_t type_count, bool has_ao);

/// How many faces show.
size_t mesh_faces_count(const MeshFaces *faces);

bool mesh_faces_equal(const MeshFaces *a, const MeshFaces *b);

/// Whether light looks on every quad as it would on its faces one by one: along an axis on which
/// there are several, it does not change.
bool mesh_light_is_exact(const TrnQuad *quads, size_t count);

#ifdef __cplusplus
}
#endif
#endif
