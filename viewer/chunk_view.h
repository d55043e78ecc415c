/// What the viewer keeps beside every chunk of the store (TrnStoreDef.user_bytes): where its quads lie.
#ifndef TERRANE_VIEWER_CHUNK_VIEW_H
#define TERRANE_VIEWER_CHUNK_VIEW_H

#include <terrane/mesher.h>
#include <terrane/store.h>

typedef struct ChunkView {
    bool meshed; ///< its quads are known, and those there are lie in the buffer
    uint32_t page_first, page_count;
    /// Of each face direction, from the chunk's first quad on: those of face f are [first[f], first[f + 1]).
    uint32_t opaque_first[TRN_FACE_COUNT + 1];
    uint32_t liquid_first[TRN_FACE_COUNT + 1];
} ChunkView;

static inline ChunkView *chunk_view(TrnChunk *chunk)
{
    return trn_chunk_user(chunk);
}

#endif
