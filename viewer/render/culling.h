/// Occlusion culling: which chunks are visible from the camera.
///
/// A frustum gather over two bit planes of the store's index finds the chunks that matter: those
/// with quads, and those that block the view. Then a walk starts at the camera's chunk and goes
/// from chunk to chunk through connected faces (terrane/visibility.h), along each axis only away
/// from the camera, and only inside the frustum. A straight line of sight follows the same rules,
/// so the walk reaches every visible chunk; all other chunks are hidden. Chunks that are not loaded
/// hide nothing. Source: T. Johnston, "The Advanced Cave Culling Algorithm", 2014. In contrast to
/// that algorithm, the walk leaves a chunk through the faces connected to any of its entered faces,
/// not only to the first one, which would hide chunks that are visible around two corners.
#pragma once

#include <terrane/store.h>

#include "render/camera.h"

/// The planes that culling reads. In a store without them, each chunk is tested on its own.
#define CULLING_PLANE_DRAWN "drawn"   ///< the chunk has quads, and no other level is drawn instead
#define CULLING_PLANE_CLOSED "closed" ///< the chunk hides something

/// A step of the walk, in chunks from the camera's.
typedef struct CullingStep {
    int16_t by[3];
    /// the faces by which the walk may continue: never back, because a line of sight goes one way
    /// along each axis
    uint16_t ways;
    uint32_t cell;
} CullingStep;

/// All zeroes is empty; the next picture reuses the memory.
typedef struct Culling {
    TrnChunk **seen; ///< [seen_count] visible chunks with quads; level 0 first, near ones first
    size_t seen_count, seen_capacity;
    size_t gathered;   ///< chunks in the frustum that matter, of all levels
    TrnChunk **chunks; ///< [chunk_count] the gathered chunks of the last level
    size_t chunk_count, chunk_capacity;
    TrnCoord *coords; ///< [chunk_count] in level 0
    uint32_t *places; ///< by cell of the box: 1 + index into `chunks`; 0: none
    uint8_t *entered; ///< by cell: the faces by which the walk entered, and whether the walk may
                      ///< not enter
    CullingStep *steps;
    size_t capacity; ///< in cells
} Culling;

/// Allocates memory for boxes of this many chunks, so that no frame has to.
/// @return false if out of memory; then nothing is allocated
bool culling_reserve(Culling *culling, size_t cells);

/// Finds the visible chunks. @param box  of chunks, with the camera's chunk inside
/// @param occlusion  false: everything in the frustum counts as visible
/// @return false if out of memory; then no chunk is visible
/// Cost: O(pages + chunks in the frustum), some 20 ns for each cell of the box in the frustum.
bool culling_find(Culling *culling, const CameraView *view, const TrnStore *store, TrnBox box,
                  bool occlusion);

/// Adds the chunks in the frustum from a store of level 1 or higher. Replaces `chunks` by its
/// chunks that matter.
/// @param box  in chunks of that level
/// @return false if out of memory; then none is added
/// Cost: O(pages + chunks in the frustum).
bool culling_add_level(Culling *culling, const CameraView *view, const TrnStore *store, TrnBox box,
                       uint32_t level);
/// Adds a chunk that is in no store. @return false if out of memory
bool culling_add(Culling *culling, TrnChunk *chunk);

void culling_free(Culling *culling);

/// Updates the store's planes, if it has them, from a chunk's ChunkView.
void culling_note(const TrnStore *store, TrnChunk *chunk);
