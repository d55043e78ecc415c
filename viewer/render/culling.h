/// Which chunks can be seen from the camera.
///
/// A gather by frustum over two bit planes of the store's index finds the chunks that matter: those
/// that have quads, and those that light does not pass freely. Then a walk from the camera's chunk
/// goes from chunk to chunk where the faces of a chunk are joined (terrane/visibility.h), away from
/// the camera along each axis, and only inside the frustum. A straight line of sight does just
/// that, and so the walk comes to everything that is seen: what it does not come to is hidden.
/// Chunks that are missing hide nothing. Source: T. Johnston, "The Advanced Cave Culling
/// Algorithm", 2014. Each chunk is walked on from all faces it was entered by at once, and not from
/// the first alone, which would hide what is seen round two corners.
#ifndef TERRANE_VIEWER_CULLING_H
#define TERRANE_VIEWER_CULLING_H

#include <terrane/store.h>

#include "render/camera.h"

/// The planes that culling asks for. A store without them is looked through chunk by chunk.
#define CULLING_PLANE_DRAWN "drawn"   ///< the chunk has quads
#define CULLING_PLANE_CLOSED "closed" ///< some two faces of the chunk are not joined

/// A place on the walk, in chunks from the camera's.
typedef struct CullingStep {
    int16_t by[3];
    /// the faces by which it may go on: never back, since a line of sight goes one way along each
    /// axis
    uint16_t ways;
    uint32_t cell;
} CullingStep;

/// All zeroes is empty; the memory is used again from picture to picture.
typedef struct Culling {
    TrnChunk **seen; ///< [seen_count] chunks that have quads, near ones first
    size_t seen_count;
    size_t gathered;   ///< chunks that the frustum holds and that matter
    TrnChunk **chunks; ///< [gathered]
    TrnCoord *coords;  ///< [gathered]
    uint32_t *places;  ///< by cell of the box: 1 + place among the gathered, 0 for none
    uint8_t *entered;  ///< by cell: the faces by which the walk came in, and whether it may not
    CullingStep *steps;
    size_t capacity; ///< cells
} Culling;

/// Takes the memory for boxes of so many chunks, so that no frame has to. @return false when there
/// is none; nothing is kept then
bool culling_reserve(Culling *culling, size_t cells);

/// Finds what is seen. @param box  of chunks, with the camera's among them
/// @param occlusion  false: everything in the frustum is seen
/// @return false when there is no memory; nothing is seen then
/// Cost: O(pages + chunks in the frustum), some 20 ns for each cell of the box inside it.
bool culling_find(Culling *culling, const CameraView *view, const TrnStore *store, TrnBox box,
                  bool occlusion);

void culling_free(Culling *culling);

/// Notes in the planes of the store, if it has them, what a chunk's ChunkView says.
void culling_note(const TrnStore *store, TrnChunk *chunk);

#endif
