/// What the viewer keeps beside every chunk of the store (TrnStoreDef.user_bytes): where its quads lie.
#ifndef TERRANE_VIEWER_CHUNK_VIEW_H
#define TERRANE_VIEWER_CHUNK_VIEW_H

#include <terrane/mesher.h>
#include <terrane/store.h>

typedef struct ChunkView {
    bool refused; ///< it has quads, but there was no room for them
    uint32_t page_first, page_count;
    uint32_t first[TRN_MESH_GROUP_COUNT + 1]; ///< as TrnMeshInfo's, from the chunk's first quad on
} ChunkView;

static inline ChunkView *chunk_view(TrnChunk *chunk)
{
    return trn_chunk_user(chunk);
}

#endif
