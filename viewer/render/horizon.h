/// Occlusion culling by terrain: finds chunks that lie wholly behind nearer rock.
///
/// For each level, a map holds the ranges of heights that are rock over each square of 8 x 8
/// voxels. Around the camera there are 512 ways, sectors of less than a degree. Each is walked in
/// steps of 8 %: the heights that are rock in all squares of a way at a distance hide ranges of
/// slopes from the camera, beyond that distance. A chunk is hidden if on each of its ways one range
/// hides all its slopes. Caves, overhangs and arches are gaps between ranges, so one sees through
/// them. Source: height-map horizons as in B. Zaugg and P. Egbert, "Voxel Column Culling", 2001,
/// made conservative.
#pragma once

#include <terrane/far.h>
#include <terrane/store.h>

#include "render/camera.h"
#include "render/chunk_view.h"

/// Heights above the lowest corner of the camera's chunk, or slopes. Empty: both 0.
typedef struct HorizonRange {
    float low, high;
} HorizonRange;

#define HORIZON_RANGES 3

/// The longest ranges of a set, in any order. No two of them touch.
typedef struct HorizonRanges {
    HorizonRange of[HORIZON_RANGES];
} HorizonRanges;

/// The rock of one level.
typedef struct HorizonMap {
    HorizonRanges *cells; ///< [edge][edge] z and x
    size_t capacity;
    int32_t edge;
    float from[2]; ///< x and z of the first cell, in the view's distances
    float cells_per_voxel;
    float reach; ///< distance from the camera up to which there are cells
} HorizonMap;

/// All zeroes is empty; the next picture reuses the memory.
typedef struct Horizon {
    const CameraView *view; ///< of the current picture
    int shown[2]; ///< first and last way that the picture shows; the first may be negative
    HorizonMap maps[TRN_FAR_LEVEL_MAX + 1];
    uint32_t map_count;
    float *distances;    ///< [steps]
    HorizonRanges *ways; ///< [ways][steps] slopes that are hidden beyond each step
    uint8_t *known;      ///< [ways] steps computed so far
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

/// Finds the rock of a chunk.
/// @param opaque  [TRN_CHUNK_ROWS] voxels that one cannot see through, as rows of
///                trn_snapshot_opaque_rows
/// @param rock    [CHUNK_VIEW_CELLS] receives the range of each square of 8 x 8
/// @return whether any range is not empty
/// Cost: up to 0.5 us.
bool horizon_find_rock(const uint32_t *opaque, ChunkRock *rock);
