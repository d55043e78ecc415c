/// Occlusion culling: which chunks are visible from the camera.
///
/// A frustum gather over two bit planes of the store's index finds the chunks that matter: those
/// with quads, and those that block light. Then a walk starts at the camera's chunk and goes from
/// chunk to chunk through connected faces (terrane/visibility.h), along each axis only away from
/// the camera, and only inside the frustum. A straight line of sight does the same, so the walk
/// reaches everything that is visible; what it does not reach is hidden. Missing chunks hide
/// nothing. Source: T. Johnston, "The Advanced Cave Culling Algorithm", 2014. Unlike there, the
/// walk leaves a chunk by what all its entered faces allow, and not only the first, which would
/// hide what is visible around two corners.
#ifndef TERRANE_VIEWER_CULLING_H
#define TERRANE_VIEWER_CULLING_H

#include <terrane/store.h>

#include "render/camera.h"

/// The planes that culling reads. In a store without them each chunk is checked by itself.
#define CULLING_PLANE_DRAWN "drawn"   ///< the chunk has quads, and no other level is drawn instead
#define CULLING_PLANE_CLOSED "closed" ///< the chunk hides something

/// A place on the walk, in chunks from the camera's.
typedef struct CullingStep {
    int16_t by[3];
    /// the faces by which it may go on: never back, because a line of sight goes one way along each
    /// axis
    uint16_t ways;
    uint32_t cell;
} CullingStep;

/// All zeroes is empty; the memory is reused for the next picture.
typedef struct Culling {
    TrnChunk **seen; ///< [seen_count] visible chunks with quads, near ones of level 0 first
    size_t seen_count, seen_capacity;
    size_t gathered;   ///< chunks in the frustum that matter, of all levels
    TrnChunk **chunks; ///< [chunk_count] those of the last level
    size_t chunk_count, chunk_capacity;
    TrnCoord *coords; ///< [chunk_count] in level 0
    uint32_t *places; ///< by cell of the box: 1 + index into chunks; 0: none
    uint8_t *entered; ///< by cell: the faces by which the walk entered, and whether it may not
    CullingStep *steps;
    size_t capacity; ///< cells
} Culling;

/// Allocates memory for boxes of this many chunks, so that no frame has to. @return false without
/// memory; nothing is allocated then
bool culling_reserve(Culling *culling, size_t cells);

/// Finds the visible chunks. @param box  of chunks, the camera's included
/// @param occlusion  false: everything in the frustum counts as visible
/// @return false without memory; no chunk is visible then
/// Cost: O(pages + chunks in the frustum), some 20 ns for each cell of the box inside it.
bool culling_find(Culling *culling, const CameraView *view, const TrnStore *store, TrnBox box,
                  bool occlusion);

/// Adds the chunks in the frustum of a store of level 1 or more. Replaces `chunks` by those that
/// matter.
/// @param box  in chunks of that level
/// @return false without memory; none is added then
/// Cost: O(pages + chunks in the frustum).
bool culling_add_level(Culling *culling, const CameraView *view, const TrnStore *store, TrnBox box,
                       uint32_t level);
/// Adds a chunk of no store. @return false without memory
bool culling_add(Culling *culling, TrnChunk *chunk);

void culling_free(Culling *culling);

/// Updates the store's planes, if it has them, from a chunk's ChunkView.
void culling_note(const TrnStore *store, TrnChunk *chunk);

#endif
