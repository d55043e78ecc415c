/// What the viewer stores next to each chunk (TrnStoreDef.user_bytes): where its quads are, and
/// what it hides.
#ifndef TERRANE_VIEWER_CHUNK_VIEW_H
#define TERRANE_VIEWER_CHUNK_VIEW_H

#include <terrane/mesher.h>
#include <terrane/store.h>
#include <terrane/visibility.h>

#include "render/quad_layout.h"

typedef struct ChunkView {
    bool refused;   ///< it has quads, but they did not fit on the graphics card
    bool has_glass; ///< or other transparent blocks that are not liquid
    /// pairs of faces that are not connected; 0 if all are, or if that is unknown
    TrnVisibility hidden;
    QuadRun run;                              ///< the pages with its quads
    uint32_t first[TRN_MESH_GROUP_COUNT + 1]; ///< as TrnMeshInfo's, from the chunk's first quad on
} ChunkView;

static inline ChunkView *chunk_view(TrnChunk *chunk)
{
    return trn_chunk_user(chunk);
}

#endif
