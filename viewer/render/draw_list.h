/// Selects the quads to draw in one picture, and their order.
#pragma once

#include <terrane/mesher.h>
#include <terrane/store.h>

#include "render/camera.h"
#include "render/chunk_view.h"

/// Voxels from the camera beyond which no plants are drawn; and on a processor, where they are an
/// eighth of a picture's cost.
#define DRAW_PLANTS_DISTANCE 192.0f
#define DRAW_PLANTS_DISTANCE_LOW 128.0f

#define DRAW_PARTS 3 ///< near, middle and far chunks

/// Ranges of vertices, for glMultiDrawArrays.
typedef struct DrawRanges {
    int32_t *first, *count; ///< [used]
    size_t used, capacity;
    size_t ends[DRAW_PARTS]; ///< end of each part; the last is `used`
} DrawRanges;

/// Surfaces with their own draw calls: each TrnMeshSurface, the models, and once more the
/// transparent quads of chunks with glass, which are not counted again.
enum { DRAW_MODELS = TRN_MESH_SURFACE_COUNT, DRAW_GLASS, DRAW_SURFACE_COUNT };

/// A chunk in the picture.
typedef struct DrawChunk {
    TrnChunk *chunk;
    float distance2; ///< squared distance to the chunk's middle
} DrawChunk;

/// Number of values of ChunkView.fade except 0.
#define DRAW_FADES (2 * CHUNK_FADE_STEPS)

/// All zeroes is an empty list; the next picture reuses the memory.
typedef struct DrawList {
    /// By TrnMeshSurface, then the models, which count faces instead of quads, then glass. Near
    /// chunks come first, so that the depth test rejects hidden ones early.
    DrawRanges surfaces[DRAW_SURFACE_COUNT];
    /// Fading chunks are listed here instead: see draw_list_fade.
    DrawRanges fading[DRAW_FADES][DRAW_SURFACE_COUNT];
    DrawChunk *chunks;   ///< [chunk_count] near ones first
    DrawChunk *unsorted; ///< scratch
    size_t chunk_count, chunk_capacity;
    size_t quads;
    float plants_distance; ///< set it before draw_list_build
} DrawList;

/// Allocates memory for this many chunks. @return false if out of memory; the list is unchanged
bool draw_list_reserve(DrawList *list, size_t count);

/// Returns the ChunkView.fade of the chunks in fading[i].
static inline int draw_list_fade(int i)
{
    return i < CHUNK_FADE_STEPS ? i + 1 : CHUNK_FADE_STEPS - 1 - i;
}

/// Selects the chunks in the picture, and their faces that can face the camera.
/// @return false if out of memory; the list is then empty
/// Cost: O(count).
bool draw_list_build(DrawList *list, const CameraView *view, TrnChunk *const *chunks, size_t count);

void draw_list_free(DrawList *list);
