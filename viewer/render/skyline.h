/// The height of the land in every column of voxels around the camera, from which shaders compute
/// skylight, shadows and water depth.
///
/// The texture of heights wraps: a column of chunks has its coordinate modulo the texture's edge,
/// so nothing moves when the camera moves. After its chunk is unloaded, a height stays until
/// another column replaces it, because the far view still shows the land.
#pragma once

#include <terrane/coord.h>

#include "message.h"

#define SKYLINE_NONE (-1.0e6f) ///< the height is unknown

typedef struct Skyline {
    int32_t edge; ///< chunk columns
    int32_t base; ///< the chunk whose bottom has height 0
    bool placed;  ///< `base` is set
    /// [edge * 32][edge * 32] z and x: top of the highest opaque voxel, in voxels above the base
    float *heights;
    /// [edge * edge] the column in each place; y: 0 unknown, 1 some heights known, 2 all known
    TrnCoord *columns;
    bool *changed;  ///< [edge * edge] changed since skyline_take
    uint32_t *list; ///< [list_count] the changed columns
    uint32_t list_count;
    uint32_t changes; ///< number of changes of `columns`
} Skyline;

/// Returns the edge of the texture in columns of chunks.
int32_t skyline_edge(int view_distance);

/// @param view_distance  in chunks; all columns in a view of this size, and a margin, have
///                       different places
bool skyline_create(Skyline *skyline, int view_distance, Message *problem);
void skyline_free(Skyline *skyline);

/// Whether the skyline is large enough for this view distance.
bool skyline_is_enough(const Skyline *skyline, int view_distance);

/// Records a chunk. If a recorded height lies inside this chunk, it is replaced by the chunk's.
/// @param opaque  [TRN_CHUNK_ROWS] from trn_snapshot_opaque_rows
/// Cost: 1 to 4 us.
void skyline_note(Skyline *skyline, TrnCoord chunk, const uint32_t *opaque);

/// Returns the next changed column.
/// @return its place, x = place % edge, z = place / edge; -1 if none is left
int32_t skyline_take(Skyline *skyline);

/// Returns the place of a chunk's column along one axis.
int32_t skyline_place(const Skyline *skyline, int32_t chunk);

/// Whether all heights in a chunk's column are known.
bool skyline_knows(const Skyline *skyline, TrnCoord chunk);

/// Returns the height of a column of voxels in world coordinates, relative to `base`; SKYLINE_NONE
/// if unknown.
float skyline_height(const Skyline *skyline, int64_t x, int64_t z);

// ---- known heights ------------------------------------------------------------------------------

// How well the heights around the camera are known: 1 well inside the columns of chunks with known
// heights, 0 at unknown columns, and interpolated within KNOWN_HEIGHTS_RIM chunks. Effects that
// shaders compute from heights thus end smoothly. Changes take half a second.
//
// The loaded part of level 0 does not end at a fixed distance: in fast flight it has bays and
// islands.

#define KNOWN_HEIGHTS_RIM 4 ///< chunks
#define KNOWN_HEIGHTS_SECONDS 0.5

typedef struct KnownHeights {
    int32_t edge; ///< corners of chunks along each axis: the skyline's edge
    /// [edge * edge] z and x: 0..255 at the lowest corner of the column in each place
    uint8_t *now;
    uint8_t *next;      ///< [edge * edge] target of `now`
    uint8_t *distances; ///< [edge * edge] scratch
    TrnCoord camera;    ///< chunk for which `next` was computed
    int32_t reach;      ///< for which `next` was computed
    uint32_t changes;   ///< of the skyline, when `next` was computed
    double seconds;     ///< of the last step
    bool has_begun;     ///< there was a first step
    bool is_settled;    ///< `now` equals `next`
} KnownHeights;

/// @param edge  of the skyline
bool known_heights_create(KnownHeights *known, int32_t edge);
void known_heights_free(KnownHeights *known);

/// Steps towards the target for a picture. The first step takes effect at once, and fills `now`.
/// @param camera   its chunk
/// @param reach    chunks from the camera beyond which heights are not used; 0: all count as known
/// @param seconds  on the frames' clock
/// @return whether `now` changed
/// Cost: 20 us at an edge of 40 if the camera's chunk or the skyline's columns changed.
bool known_heights_step(KnownHeights *known, const Skyline *skyline, TrnCoord camera, int32_t reach,
                        double seconds);
