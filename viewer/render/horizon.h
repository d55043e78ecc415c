/// Occlusion culling by terrain: finds chunks that lie wholly behind nearer rock.
///
/// For each level, a map holds the range of heights that is solid rock over each square of 8 x 8
/// voxels. Around the camera there are 512 ways, sectors of less than a degree. Each is walked in
/// steps of 8 %: the range of heights that is common to all squares of a way at a distance hides a
/// range of slopes from the camera, beyond that distance. A chunk is hidden if on all its ways all
/// its slopes are hidden. Ranges do not include what is below them, so caves, overhangs and arches
/// stay visible. Source: height-map horizons as in B. Zaugg and P. Egbert, "Voxel Column Culling",
/// 2001, made conservative.
#pragma once

#include <terrane/far.h>
#include <terrane/store.h>

#include "render/camera.h"
#include "render/chunk_view.h"

/// Heights above the lowest corner of the camera's chunk, or slopes. Empty if high <= low.
typedef struct HorizonRange {
    float low, high;
} HorizonRange;

/// The rock of one level.
typedef struct HorizonMap {
    HorizonRange *cells; ///< [edge][edge] z and x
    size_t capacity;
    int32_t edge;
    float from[2]; ///< x and z of the first cell, in the view's distances
    float cells_per_voxel;
    float reach; ///< distance from the camera up to which there are cells
} HorizonMap;

/// All zeroes is empty; the next picture reuses the memory.
typedef struct Horizon {
    const CameraView *view; ///< of the current picture
    HorizonMap maps[TRN_FAR_LEVEL_MAX + 1];
    uint32_t map_count;
    float *distances;   ///< [steps]
    HorizonRange *ways; ///< [ways][steps] slopes that are hidden beyond each step
    uint8_t *known;     ///< [ways] steps computed so far
    TrnChunk **sorted;  ///< scratch
    size_t sorted_capacity;
} Horizon;

/// Begins a picture without rock. @param view  borrowed until the next call
/// @return false if out of memory; then call no other function
bool horizon_begin(Horizon *horizon, const CameraView *view);

/// Adds the rock of a level; call it for each level, level 0 first.
/// @param box     of chunks of the level, with the camera's chunk inside
/// @param chunks  [count] in the box; fading and hidden chunks are ignored
/// @return false if out of memory; the level then hides nothing
bool horizon_add_level(Horizon *horizon, TrnBox box, TrnChunk *const *chunks, size_t count);

/// Whether nearer rock hides all quads of a chunk, including plants, in a picture up to the view's
/// size. May return false for a hidden chunk, never true for a visible one.
bool horizon_hides(Horizon *horizon, TrnChunk *chunk);

void horizon_free(Horizon *horizon);

/// Finds the height of a chunk's rock above its bottom.
/// @param opaque  [TRN_CHUNK_ROWS] from trn_snapshot_opaque_rows
/// @param solid   [CHUNK_VIEW_CELLS] receives voxels for each square of 8 x 8, x first, then z
/// @return whether any value is not 0
/// Cost: up to 0.5 us.
bool horizon_find_solid(const uint32_t *opaque, uint8_t *solid);
