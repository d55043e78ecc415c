/// The viewer's data next to each chunk header (TrnStoreDef.user_bytes): its place on the graphics
/// card, what the chunk hides, and whether it is drawn.
#pragma once

#include <terrane/mesher.h>
#include <terrane/store.h>
#include <terrane/visibility.h>

#include "render/quad_layout.h"

#define CHUNK_VIEW_CELLS 16

/// A chunk's mesh; all pointers are borrowed.
typedef struct ChunkMesh {
    const TrnQuad *quads;       ///< NULL: no quads in `info`
    const uint32_t *light;      ///< of each quad if info->light is TRN_MESH_LIGHT_VARIES
    const TrnMeshInfo *info;    ///< counts and groups of the quads
    const TrnModelFace *models; ///< [model_count]
    uint32_t model_count;
} ChunkMesh;

/// The longest range of heights above a chunk's bottom, in voxels of its level, that opaque voxels
/// without holes fill; empty: both 0.
typedef struct ChunkRock {
    uint8_t low, high;
} ChunkRock;

typedef struct ChunkView {
    bool refused;   ///< the chunk has quads that did not fit on the graphics card
    bool has_glass; ///< has transparent blocks that are not liquid, such as glass
    bool is_shown;  ///< the renderer has received its mesh
    bool is_hidden; ///< another level is drawn instead
    /// 0: steady. 1..CHUNK_FADE_STEPS: the chunk appears, and is drawn in this many of 16 pixels;
    /// negative: the chunk disappears, and is drawn in all but this many of 16
    int8_t fade;
    uint8_t level;     ///< the chunk's edge is 32 << level voxels
    bool has_rock;     ///< some range of `rock` is not empty
    uint8_t low, high; ///< lowest and highest quads above the bottom, in voxels of the level
    ChunkRock rock[CHUNK_VIEW_CELLS]; ///< of each square of 8 x 8 voxels; x first, then z
    /// pairs of faces that are not connected; 0: all are connected, or unknown
    TrnVisibility hidden;
    QuadRun run;                              ///< pages of its quads
    QuadRun model_run;                        ///< pages of its models' faces
    uint32_t model_count;                     ///< faces of models
    uint32_t first[TRN_MESH_GROUP_COUNT + 1]; ///< as in TrnMeshInfo, relative to the chunk's first
                                              ///< quad
} ChunkView;

#define CHUNK_FADE_STEPS 15

static inline ChunkView *chunk_view(TrnChunk *chunk)
{
    return trn_chunk_user(chunk);
}

/// Whether a chunk has quads or models on the graphics card.
static inline bool chunk_view_has_mesh(const ChunkView *view)
{
    return view->run.pages || view->model_run.pages;
}

/// Whether some of a chunk's quads or models are drawn if the chunk is in the frustum.
static inline bool chunk_view_is_drawn(const ChunkView *view)
{
    return chunk_view_has_mesh(view) && (!view->is_hidden || view->fade);
}
