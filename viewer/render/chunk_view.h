/// What the viewer keeps beside every chunk of the store (TrnStoreDef.user_bytes): where its quads
/// lie, and what it hides.
#ifndef TERRANE_VIEWER_CHUNK_VIEW_H
#define TERRANE_VIEWER_CHUNK_VIEW_H

#include <terrane/mesher.h>
#include <terrane/store.h>
#include <terrane/visibility.h>

#include "render/quad_layout.h"

typedef struct ChunkView {
    bool refused;   ///< it has quads, but there was no room for them
    bool has_glass; ///< or what else is seen through and no liquid
    /// pairs of faces that are not joined: 0 where one sees through everywhere, or nobody knows yet
    TrnVisibility hidden;
    QuadRun run;                              ///< the pages with its quads
    uint32_t first[TRN_MESH_GROUP_COUNT + 1]; ///< as TrnMeshInfo's, from the chunk's first quad on
} ChunkView;

static inline ChunkView *chunk_view(TrnChunk *chunk)
{
    return trn_chunk_user(chunk);
}

#endif
