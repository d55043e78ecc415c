/// How high the land is in every column of voxels around the camera: what the shaders take the
/// light of the sky, the shadows of the sun and the depth of water from.
///
/// A picture of heights that repeats: a chunk column has its place by its coordinate modulo the
/// picture's edge, so that nothing moves when the camera does. A height stays when its chunk is
/// unloaded, since the land is still there, until another column takes its place.
#ifndef TERRANE_VIEWER_SKYLINE_H
#define TERRANE_VIEWER_SKYLINE_H

#include <terrane/coord.h>

#include "message.h"

#define SKYLINE_NONE (-1.0e6f) ///< no land is known there

typedef struct Skyline {
    int32_t edge; ///< chunk columns
    int32_t base; ///< the chunk whose lowest voxel has height 0
    bool placed;  ///< there is a base
    /// [edge * 32][edge * 32] z and x: top of the highest opaque voxel, in voxels above the base
    float *heights;
    TrnCoord *columns; ///< [edge * edge] whose heights these are; y is 1 where there are any
    bool *changed;     ///< [edge * edge] since skyline_take
    uint32_t *list;    ///< [list_count] the columns that have
    uint32_t list_count;
} Skyline;

/// How many chunk columns the picture has along an edge.
int32_t skyline_edge(int view_distance);

/// @param view_distance  chunks; columns up to so far from each other, and some more, have places
///                       of their own
bool skyline_create(Skyline *skyline, int view_distance, Message *problem);
void skyline_free(Skyline *skyline);

/// Whether it is as large as one that is created for a view distance.
bool skyline_is_enough(const Skyline *skyline, int view_distance);

/// Takes notice of a chunk. Where the land was higher inside it before, the height goes down to
/// what is left in this chunk.
/// @param opaque  [TRN_CHUNK_ROWS] as trn_snapshot_opaque gives it
/// Cost: 1 to 4 us.
void skyline_note(Skyline *skyline, TrnCoord chunk, const uint32_t *opaque);

/// The next column that has changed. @return its place, or -1 when there is none: x = place % edge,
/// z = place / edge
int32_t skyline_take(Skyline *skyline);

/// The place of a chunk's column along one axis.
int32_t skyline_place(const Skyline *skyline, int32_t chunk);

/// The height of a column of voxels in the coordinates of the world, relative to `base`;
/// SKYLINE_NONE where it is not known.
float skyline_height(const Skyline *skyline, int64_t x, int64_t z);

#endif
