/// Which quads of which chunks go into one picture, in which order.
#ifndef TERRANE_VIEWER_DRAW_LIST_H
#define TERRANE_VIEWER_DRAW_LIST_H

#include <terrane/mesher.h>
#include <terrane/store.h>

#include "render/camera.h"

#define DRAW_PLANTS_DISTANCE 192.0f ///< voxels from the camera; farther away no plants are drawn

/// Ranges of vertices, as glMultiDrawArrays takes them.
typedef struct DrawRanges {
    int32_t *first, *count; ///< [used]
    size_t used, capacity;
} DrawRanges;

/// A chunk inside the picture.
typedef struct DrawChunk {
    TrnChunk *chunk;
    float distance2; ///< of its middle, squared
} DrawChunk;

/// All zeroes is an empty list; the memory is used again from picture to picture.
typedef struct DrawList {
    /// By TrnMeshSurface. Near chunks first, so that the depth test rejects what they hide early.
    DrawRanges surfaces[TRN_MESH_SURFACE_COUNT];
    DrawChunk *chunks;   ///< [chunk_count] near ones first
    DrawChunk *unsorted; ///< scratch
    size_t chunk_count, chunk_capacity;
    size_t quads;
} DrawList;

/// Takes the memory for so many chunks. @return false when there is none; the list is as it was
bool draw_list_reserve(DrawList *list, size_t count);

/// Chooses among chunks those in the picture, and of each the faces that can look at the camera.
/// @return false when there is no memory; the list is then empty
/// Cost: O(count).
bool draw_list_build(DrawList *list, const CameraView *view, TrnChunk *const *chunks, size_t count);

void draw_list_free(DrawList *list);

#endif
