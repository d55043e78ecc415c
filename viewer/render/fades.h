/// Cross-fades between levels of detail: within half a second, the new chunks appear in a growing
/// pattern of pixels, and the old ones disappear in the same pixels (assets/shaders/fade.glsl). No
/// pixel is drawn twice, and none is blended.
///
/// A chunk without a counterpart in another level appears or disappears at once. A chunk that is
/// unloaded while drawn leaves its quads to a ghost until it has faded.
#pragma once

#include <terrane/store.h>

#include "render/chunk_view.h"

#define FADE_SECONDS 0.5
#define FADES_MAX 1024 ///< if more chunks change, as after a teleport, the rest do not fade

/// Copy of an unloaded chunk, laid out like a chunk of the store.
typedef struct FadeGhost {
    _Alignas(16) unsigned char bytes[TRN_CHUNK_HEADER_BYTES + sizeof(ChunkView)];
} FadeGhost;

typedef struct Fade {
    TrnChunk *chunk; ///< of a store, or `ghost`
    FadeGhost *ghost;
    double start; ///< on the frames' clock; below 0: no frame has shown it yet
} Fade;

/// All zeroes is empty.
typedef struct Fades {
    Fade list[FADES_MAX];
    size_t count;
    double seconds; ///< of the last frame
} Fades;

/// Begins a fade of a chunk whose ChunkView.is_hidden has just changed.
void fades_begin(Fades *fades, TrnChunk *chunk);

/// Removes a chunk that is being unloaded. If the chunk is drawn, a ghost may take over its quads.
/// @return the ghost: the caller moves the chunk's ChunkView to it; NULL: none
TrnChunk *fades_leave(Fades *fades, TrnChunk *chunk);

/// Sets ChunkView.fade of all chunks for a frame, and ends fades.
/// @param ended  called for each chunk whose fade has ended; for a ghost, the callee drops its
///               quads
void fades_step(Fades *fades, double seconds,
                void (*ended)(void *user, TrnChunk *chunk, bool is_ghost), void *user);

/// Frees all ghosts, but not their quads: the owner of the quads drops them.
void fades_free(Fades *fades);
