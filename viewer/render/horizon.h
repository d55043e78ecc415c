/// Occlusion culling by the land itself: which chunks lie wholly behind nearer rock.
///
/// A map for each level says which heights are solid rock over squares of 8 x 8 voxels. Around the
/// camera, 512 ways of less than a degree are looked along in steps of 8 %: what all squares have
/// in common that a way touches at a distance hides a range of slopes from the camera, for all that
/// is farther. A chunk is hidden if on all its ways all its slopes are. Only ranges count,
/// not what is below them: so caves, overhangs and arches are seen through. Source: height-map
/// horizons as in B. Zaugg and P. Egbert, "Voxel Column Culling", 2001, kept conservative.
#ifndef TERRANE_VIEWER_HORIZON_H
#define TERRANE_VIEWER_HORIZON_H

#include <terrane/far.h>
#include <terrane/store.h>

#include "render/camera.h"
#include "render/chunk_view.h"

/// Heights above the lowest corner of the camera's chunk, or slopes. None if high <= low.
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
    float reach; ///< how far from the camera there are cells
} HorizonMap;

/// All zeroes is empty; the memory is reused for the next picture.
typedef struct Horizon {
    const CameraView *view; ///< of the picture
    HorizonMap maps[TRN_FAR_LEVEL_MAX + 1];
    uint32_t map_count;
    float *distances;   ///< [steps]
    HorizonRange *ways; ///< [ways][steps] slopes that are hidden beyond that distance
    uint8_t *known;     ///< [ways] how many steps of that way have been looked at
    TrnChunk **sorted;  ///< scratch
    size_t sorted_capacity;
} Horizon;

/// Begins a picture without rock. @param view  borrowed until the next
/// @return false without memory; nothing may be asked then
bool horizon_begin(Horizon *horizon, const CameraView *view);

/// Adds the rock of a level; call it for each, level 0 first.
/// @param box     of chunks of the level, the camera's inside
/// @param chunks  [count] in the box; those that are not steadily drawn are ignored
/// @return false without memory; the level then hides nothing
bool horizon_add_level(Horizon *horizon, TrnBox box, TrnChunk *const *chunks, size_t count);

/// Whether nearer rock hides all of a chunk's quads, plants included, in a picture of any size up
/// to the view's. May be false for a hidden chunk, never true for a visible one.
bool horizon_hides(Horizon *horizon, TrnChunk *chunk);

void horizon_free(Horizon *horizon);

/// Finds how high the rock of a chunk reaches from its bottom.
/// @param opaque  [TRN_CHUNK_ROWS] from trn_snapshot_opaque
/// @param solid   [CHUNK_VIEW_CELLS] receives voxels by square of 8 x 8, x first, then z
/// @return whether any is not 0
/// Cost: up to 0.5 us.
bool horizon_find_solid(const uint32_t *opaque, uint8_t *solid);

#endif
