/// A chunk's mesh between a worker and the world's sink.
#pragma once

#include <terrane/mesher.h>
#include <terrane/stream.h>

#include "render/chunk_view.h"

// Sizes of a worker's buffers. Of 27,000 chunks of the built-in land none has as many quads, and
// one in 250 has half as many; a chunk with more quads or faces is meshed twice.
#define WORLD_MESH_QUADS 8192u
#define WORLD_MESH_FACES 512u ///< of models
#define WORLD_MESH_WORKER_BYTES                                                                    \
    (TRN_MESH_SCRATCH_BYTES + WORLD_MESH_QUADS * (sizeof(TrnQuad) + sizeof(uint32_t)) +            \
     WORLD_MESH_FACES * sizeof(TrnModelFace))

/// One malloc block; release it with free().
typedef struct WorldMesh WorldMesh;

/// Meshes a chunk.
/// @param memory  [WORLD_MESH_WORKER_BYTES] aligned to 64 bytes, of the calling worker
/// @param mesh    receives a WorldMesh of exact size, or none if the chunk has nothing to draw, and
///                its hash
/// Errors: NO_MEMORY, and those of trn_mesh_quads.
TrnResult world_mesh_create(const TrnStreamJob *job, const TrnMeshInput *input,
                            unsigned char *memory, TrnStreamMesh *mesh);

/// Returns the contents of a mesh, valid as long as the mesh. @param mesh  NULL: empty
ChunkMesh world_mesh_view(WorldMesh *mesh);
