/// A chunk's mesh on its way from a worker to the world's sink.
#ifndef TERRANE_VIEWER_WORLD_MESH_H
#define TERRANE_VIEWER_WORLD_MESH_H

#include <terrane/mesher.h>
#include <terrane/stream.h>

#include "render/chunk_view.h"

// What a worker meshes into. Of 27,000 chunks of the built-in land none has as many quads, and one
// in 250 half of them; a chunk with more of either is meshed twice.
#define WORLD_MESH_QUADS 8192u
#define WORLD_MESH_FACES 512u ///< of models
#define WORLD_MESH_WORKER_BYTES                                                                    \
    (TRN_MESH_SCRATCH_BYTES + WORLD_MESH_QUADS * (sizeof(TrnQuad) + sizeof(uint32_t)) +            \
     WORLD_MESH_FACES * sizeof(TrnModelFace))

/// One allocation of malloc: free() ends it.
typedef struct WorldMesh WorldMesh;

/// Meshes a chunk.
/// @param memory  [WORLD_MESH_WORKER_BYTES] aligned to 64 bytes, of the calling worker
/// @param mesh    receives a WorldMesh of exactly the size it needs; untouched if the chunk has
///                nothing to draw
/// Errors: NO_MEMORY, and those of trn_mesh_quads.
TrnResult world_mesh_create(const TrnMeshInput *input, unsigned char *memory, TrnStreamMesh *mesh);

/// Returns what a mesh shows, valid as long as the mesh. @param mesh  NULL: nothing
ChunkMesh world_mesh_view(WorldMesh *mesh);

#endif
