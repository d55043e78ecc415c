/// Cross-fades: what takes the place of chunks of another level appears by a pattern of pixels in
/// which those disappear, within half a second (assets/shaders/fade.glsl). Nothing is drawn twice,
/// and nothing is transparent.
///
/// A chunk that appears where nothing was, or disappears without a successor, does so at once. A
/// chunk that is unloaded while it is drawn leaves its quads here until it has faded.
#ifndef TERRANE_VIEWER_FADES_H
#define TERRANE_VIEWER_FADES_H

#include <terrane/store.h>

#include "render/chunk_view.h"

#define FADE_SECONDS 0.5
#define FADES_MAX 1024 ///< more chunks change without a fade, as after a teleport

/// A chunk that is unloaded, laid out as the store's chunks are.
typedef struct FadeGhost {
    _Alignas(16) unsigned char bytes[TRN_CHUNK_HEADER_BYTES + sizeof(ChunkView)];
} FadeGhost;

typedef struct Fade {
    TrnChunk *chunk; ///< of a store, or `ghost`
    FadeGhost *ghost;
    double start; ///< on the frames' clock; below 0: no frame has seen it
} Fade;

/// All zeroes is empty.
typedef struct Fades {
    Fade list[FADES_MAX];
    size_t count;
    double seconds; ///< of the last frame
} Fades;

/// Takes down that a chunk is now drawn or not; its ChunkView says so already.
void fades_begin(Fades *fades, TrnChunk *chunk);

/// Forgets a chunk, which is being unloaded. If it is drawn, its quads may become a ghost's.
/// @return the ghost, whose ChunkView the caller fills in place of the chunk's; NULL: none
TrnChunk *fades_leave(Fades *fades, TrnChunk *chunk);

/// Sets ChunkView.fade of all chunks for a frame, and ends fades.
/// @param ended  called for each chunk whose fade has ended; if it is a ghost, the callee drops its
/// quads
void fades_step(Fades *fades, double seconds,
                void (*ended)(void *user, TrnChunk *chunk, bool is_ghost), void *user);

/// Frees all ghosts, but not their quads: the owner of the quads drops those.
void fades_free(Fades *fades);

#endif
