/// Which quads of which chunks are drawn in one picture, and in which order.
#ifndef TERRANE_VIEWER_DRAW_LIST_H
#define TERRANE_VIEWER_DRAW_LIST_H

#include <terrane/mesher.h>
#include <terrane/store.h>

#include "render/camera.h"
#include "render/chunk_view.h"

#define DRAW_PLANTS_DISTANCE 192.0f ///< voxels from the camera beyond which no plants are drawn

#define DRAW_PARTS 3 ///< near, middle and far chunks

/// Ranges of vertices, for glMultiDrawArrays.
typedef struct DrawRanges {
    int32_t *first, *count; ///< [used]
    size_t used, capacity;
    size_t ends[DRAW_PARTS]; ///< where each part ends; the last at `used`
} DrawRanges;

/// What is drawn by a call of its own: each TrnMeshSurface, and the models.
enum { DRAW_MODELS = TRN_MESH_SURFACE_COUNT, DRAW_SURFACE_COUNT };

/// A chunk inside the picture.
typedef struct DrawChunk {
    TrnChunk *chunk;
    float distance2; ///< squared, to its middle
} DrawChunk;

/// The chunks with one value of ChunkView.fade.
#define DRAW_FADES (2 * CHUNK_FADE_STEPS)

/// All zeroes is an empty list; the memory is reused for the next picture.
typedef struct DrawList {
    /// By TrnMeshSurface, then the models, whose faces are counted in place of quads. Near chunks
    /// first, so that the depth test rejects what they hide early.
    DrawRanges surfaces[DRAW_SURFACE_COUNT];
    /// What fades is in these instead: see draw_list_fade.
    DrawRanges fading[DRAW_FADES][DRAW_SURFACE_COUNT];
    DrawChunk *chunks;   ///< [chunk_count] near ones first
    DrawChunk *unsorted; ///< scratch
    size_t chunk_count, chunk_capacity;
    size_t quads;
} DrawList;

/// Allocates memory for this many chunks. @return false without memory; the list is unchanged
bool draw_list_reserve(DrawList *list, size_t count);

/// Returns ChunkView.fade of the chunks in fading[i].
static inline int draw_list_fade(int i)
{
    return i < CHUNK_FADE_STEPS ? i + 1 : CHUNK_FADE_STEPS - 1 - i;
}

/// Selects the chunks in the picture, and of each the faces that can face the camera.
/// @return false without memory; the list is then empty
/// Cost: O(count).
bool draw_list_build(DrawList *list, const CameraView *view, TrnChunk *const *chunks, size_t count);

void draw_list_free(DrawList *list);

#endif
