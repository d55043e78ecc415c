/// What the viewer stores next to each chunk (TrnStoreDef.user_bytes): where its mesh is, what it
/// hides, and whether it is drawn.
#ifndef TERRANE_VIEWER_CHUNK_VIEW_H
#define TERRANE_VIEWER_CHUNK_VIEW_H

#include <terrane/mesher.h>
#include <terrane/store.h>
#include <terrane/visibility.h>

#include "render/quad_layout.h"

#define CHUNK_VIEW_CELLS 16

/// A chunk's mesh; all of it is borrowed.
typedef struct ChunkMesh {
    const TrnQuad *quads;       ///< NULL: info has none
    const uint32_t *light;      ///< of each quad, if info->light is TRN_MESH_LIGHT_VARIES
    const TrnMeshInfo *info;    ///< where the quads lie
    const TrnModelFace *models; ///< [model_count]
    uint32_t model_count;
} ChunkMesh;

typedef struct ChunkView {
    bool refused;   ///< it has quads, but they did not fit on the graphics card
    bool has_glass; ///< or other transparent blocks that are not liquid
    bool is_shown;  ///< the renderer has had its mesh
    bool is_hidden; ///< another level is drawn in its place
    /// 0: steady. 1..CHUNK_FADE_STEPS: it appears, and this many of 16 pixels show it; negative: it
    /// disappears, and all but this many do
    int8_t fade;
    uint8_t level;     ///< an edge of 32 << level voxels
    bool has_solid;    ///< some of `solid` is not 0
    uint8_t low, high; ///< voxels of the level: where its quads begin and end above its bottom
    /// how high opaque voxels reach from its bottom, all over squares of 8 x 8; x first, then z
    uint8_t solid[CHUNK_VIEW_CELLS];
    /// pairs of faces that are not connected; 0 if all are, or if that is unknown
    TrnVisibility hidden;
    QuadRun run;                              ///< the pages with its quads
    QuadRun model_run;                        ///< the pages with the faces of its models
    uint32_t model_count;                     ///< such faces
    uint32_t first[TRN_MESH_GROUP_COUNT + 1]; ///< as TrnMeshInfo's, from the chunk's first quad on
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

/// Whether some of a chunk's quads or models are in the picture, if it is in the frustum.
static inline bool chunk_view_is_drawn(const ChunkView *view)
{
    return chunk_view_has_mesh(view) && (!view->is_hidden || view->fade);
}

#endif
