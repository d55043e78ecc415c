/// The height of the land in every column of voxels around the camera. Shaders compute skylight,
/// shadows and the depth of water from it.
///
/// The texture of heights wraps: a column of chunks lies at its coordinate modulo the texture's
/// edge, so nothing moves when the camera does. A height stays after its chunk is unloaded, since
/// the land is still there, until another column takes its place.
#ifndef TERRANE_VIEWER_SKYLINE_H
#define TERRANE_VIEWER_SKYLINE_H

#include <terrane/coord.h>

#include "message.h"

#define SKYLINE_NONE (-1.0e6f) ///< the height is unknown

typedef struct Skyline {
    int32_t edge; ///< chunk columns
    int32_t base; ///< the chunk whose lowest voxel has height 0
    bool placed;  ///< `base` is set
    /// [edge * 32][edge * 32] z and x: top of the highest opaque voxel, in voxels above the base
    float *heights;
    /// [edge * edge] which columns these are; y: 0 nothing is known, 1 some heights, 2 all
    TrnCoord *columns;
    bool *changed;  ///< [edge * edge] since skyline_take
    uint32_t *list; ///< [list_count] those columns
    uint32_t list_count;
    uint32_t changes; ///< of `columns`, counted
} Skyline;

/// Returns the edge of the texture in columns of chunks.
int32_t skyline_edge(int view_distance);

/// @param view_distance  in chunks; all columns in a view of this size, and some more, have
/// different places
bool skyline_create(Skyline *skyline, int view_distance, Message *problem);
void skyline_free(Skyline *skyline);

/// Whether it is at least as large as one for this view distance.
bool skyline_is_enough(const Skyline *skyline, int view_distance);

/// Records a chunk. If the land inside it was higher before, the height falls to what this chunk
/// has.
/// @param opaque  [TRN_CHUNK_ROWS] from trn_snapshot_opaque
/// Cost: 1 to 4 us.
void skyline_note(Skyline *skyline, TrnCoord chunk, const uint32_t *opaque);

/// Returns the next changed column. @return its place, or -1 if none is left: x = place % edge, z =
/// place / edge
int32_t skyline_take(Skyline *skyline);

/// Returns the place of a chunk's column along one axis.
int32_t skyline_place(const Skyline *skyline, int32_t chunk);

/// Whether all heights in a chunk's column are known.
bool skyline_knows(const Skyline *skyline, TrnCoord chunk);

/// Returns the height of a column of voxels in world coordinates, relative to `base`; SKYLINE_NONE
/// if unknown.
float skyline_height(const Skyline *skyline, int64_t x, int64_t z);

#endif
