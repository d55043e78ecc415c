/// Terrane, coordinates. There are three scales:
///   chunk  TrnCoord, int32 x 3: whole chunks, over the whole int32 range
///   voxel  TrnVoxel, int64 x 3: whole voxels, 32 along a chunk's edge
///   local  0..31 along each axis, inside one chunk
/// y is up. Inside a chunk x runs fastest, then z, then y, so a row of 32 voxels along x is one
/// 32-bit word of a mask.
///
/// All functions are pure: any thread, a few instructions.
///
/// Tier: stable. Core: trn_box_around.
#ifndef TERRANE_COORD_H
#define TERRANE_COORD_H

#include <stdbool.h>
#include <stdint.h>

#include <terrane/base.h>

TRN_C_BEGIN

/// log2 of the voxels along the edge of a chunk.
#define TRN_CHUNK_SHIFT 5
/// Voxels along the edge of a chunk.
#define TRN_CHUNK_EDGE 32
/// Voxels in a chunk.
#define TRN_CHUNK_VOXELS (TRN_CHUNK_EDGE * TRN_CHUNK_EDGE * TRN_CHUNK_EDGE)

/// The coordinate of a chunk.
typedef struct TrnCoord {
    int32_t x; ///< east
    int32_t y; ///< up
    int32_t z; ///< south
} TrnCoord;

/// A box of chunks; both corners are inclusive. It is empty if min exceeds max on any axis.
typedef struct TrnBox {
    TrnCoord min; ///< the lowest corner
    TrnCoord max; ///< the highest corner
} TrnBox;

/// The coordinate of a voxel in the world. Each axis lies in [TRN_VOXEL_MIN, TRN_VOXEL_MAX].
typedef struct TrnVoxel {
    int64_t x; ///< east
    int64_t y; ///< up
    int64_t z; ///< south
} TrnVoxel;

/// The lowest coordinate of a voxel in the world, on each axis.
#define TRN_VOXEL_MIN (TRN_CAST(int64_t, INT32_MIN) * TRN_CHUNK_EDGE)
/// The highest coordinate of a voxel in the world, on each axis.
#define TRN_VOXEL_MAX (TRN_CAST(int64_t, INT32_MAX) * TRN_CHUNK_EDGE + (TRN_CHUNK_EDGE - 1))

/// A point, for cameras, rays and bodies: a chunk, and an offset from its lowest corner. The offset
/// stays small, so positions are equally precise everywhere in the world.
typedef struct TrnPosition {
    TrnCoord chunk;   ///< the chunk that contains the point
    double offset[3]; ///< x, y, z in voxels, each in [0, 32)
} TrnPosition;

/// The six faces of a voxel or chunk. Every array of six in Terrane has this order. face ^ 1 is the
/// opposite face.
typedef enum TrnFace {
    TRN_FACE_NEG_X, ///< west
    TRN_FACE_POS_X, ///< east
    TRN_FACE_NEG_Y, ///< bottom
    TRN_FACE_POS_Y, ///< top
    TRN_FACE_NEG_Z, ///< north
    TRN_FACE_POS_Z, ///< south
    TRN_FACE_COUNT  ///< the number of faces
} TrnFace;

/// Whether two coordinates are equal.
static inline bool trn_coord_equal(TrnCoord a, TrnCoord b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Adds an offset in chunks. Wraps at the ends of int32.
static inline TrnCoord trn_coord_add(TrnCoord coord, int32_t dx, int32_t dy, int32_t dz)
{
    TrnCoord sum = {(int32_t)((uint32_t)coord.x + (uint32_t)dx),
                    (int32_t)((uint32_t)coord.y + (uint32_t)dy),
                    (int32_t)((uint32_t)coord.z + (uint32_t)dz)};
    return sum;
}

/// The chunk behind a face. Wraps at the ends of int32.
static inline TrnCoord trn_coord_neighbour(TrnCoord coord, TrnFace face)
{
    int32_t step = (face & 1) ? 1 : -1;
    return trn_coord_add(coord, face < TRN_FACE_NEG_Y ? step : 0,
                         face == TRN_FACE_NEG_Y || face == TRN_FACE_POS_Y ? step : 0,
                         face > TRN_FACE_POS_Y ? step : 0);
}

/// A chunk and its 26 neighbours: how many chunks that is.
#define TRN_AROUND_COUNT 27
/// The place of the chunk itself among them.
#define TRN_AROUND_CENTRE 13

/// The chunk at a place, 0..26, around `coord`: x fastest, then z, then y. Wraps at the ends of
/// int32. trn_store_snapshot_around() and the bits of TrnEventChunk.around have the same order.
static inline TrnCoord trn_coord_around(TrnCoord coord, uint32_t place)
{
    return trn_coord_add(coord, (int32_t)(place % 3) - 1, (int32_t)(place / 9) - 1,
                         (int32_t)(place / 3 % 3) - 1);
}

/// Whether a box holds no chunk.
static inline bool trn_box_is_empty(TrnBox box)
{
    return box.min.x > box.max.x || box.min.y > box.max.y || box.min.z > box.max.z;
}

/// Whether a chunk lies in a box.
static inline bool trn_box_contains(TrnBox box, TrnCoord coord)
{
    return coord.x >= box.min.x && coord.x <= box.max.x && coord.y >= box.min.y &&
           coord.y <= box.max.y && coord.z >= box.min.z && coord.z <= box.max.z;
}

/// The box of all chunks within a radius of `centre`. Clamped at the ends of int32.
/// @param radius_x,radius_y,radius_z  chunks along each axis, 0 or more
static inline TrnBox trn_box_around(TrnCoord centre, int32_t radius_x, int32_t radius_y,
                                    int32_t radius_z)
{
    int64_t low[3] = {(int64_t)centre.x - radius_x, (int64_t)centre.y - radius_y,
                      (int64_t)centre.z - radius_z};
    int64_t high[3] = {(int64_t)centre.x + radius_x, (int64_t)centre.y + radius_y,
                       (int64_t)centre.z + radius_z};
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = low[axis] < INT32_MIN ? INT32_MIN : low[axis];
        high[axis] = high[axis] > INT32_MAX ? INT32_MAX : high[axis];
    }
    TrnBox box = {{(int32_t)low[0], (int32_t)low[1], (int32_t)low[2]},
                  {(int32_t)high[0], (int32_t)high[1], (int32_t)high[2]}};
    return box;
}

/// Whether each axis lies in [TRN_VOXEL_MIN, TRN_VOXEL_MAX].
static inline bool trn_voxel_in_world(TrnVoxel voxel)
{
    // The bounds are -2^36 and 2^36 - 1, so one test of the upper bits covers all three axes.
    const uint64_t low = (uint64_t)TRN_VOXEL_MIN;
    const uint64_t above =
        ((uint64_t)voxel.x - low) | ((uint64_t)voxel.y - low) | ((uint64_t)voxel.z - low);
    return above >> (32 + TRN_CHUNK_SHIFT) == 0;
}

/// The chunk that holds a voxel of the world.
static inline TrnCoord trn_voxel_chunk(TrnVoxel voxel)
{
    // A shift rounds towards minus infinity, as chunks need; a division would round towards zero.
    TrnCoord coord = {(int32_t)(voxel.x >> TRN_CHUNK_SHIFT), (int32_t)(voxel.y >> TRN_CHUNK_SHIFT),
                      (int32_t)(voxel.z >> TRN_CHUNK_SHIFT)};
    return coord;
}

/// The linear index, 0..32767, of local coordinates, each 0..31.
static inline uint32_t trn_local_index(uint32_t x, uint32_t y, uint32_t z)
{
    return x | z << TRN_CHUNK_SHIFT | y << (2 * TRN_CHUNK_SHIFT);
}

/// The linear index of a voxel inside its chunk.
static inline uint32_t trn_voxel_local_index(TrnVoxel voxel)
{
    const uint32_t mask = TRN_CHUNK_EDGE - 1;
    return trn_local_index((uint32_t)voxel.x & mask, (uint32_t)voxel.y & mask,
                           (uint32_t)voxel.z & mask);
}

/// The voxel behind a face, such as where a player builds on what a ray hit. It may lie beyond the
/// end of the world.
/// @param face  TRN_FACE_COUNT, of a ray that began inside a block: the voxel itself
static inline TrnVoxel trn_voxel_neighbour(TrnVoxel voxel, TrnFace face)
{
    const int64_t step = (face & 1) ? 1 : -1;
    voxel.x += face < TRN_FACE_NEG_Y ? step : 0;
    voxel.y += face == TRN_FACE_NEG_Y || face == TRN_FACE_POS_Y ? step : 0;
    voxel.z += face == TRN_FACE_NEG_Z || face == TRN_FACE_POS_Z ? step : 0;
    return voxel;
}

/// The lowest corner of a voxel.
static inline TrnPosition trn_voxel_position(TrnVoxel voxel)
{
    const int64_t mask = TRN_CHUNK_EDGE - 1;
    const TrnPosition position = {
        trn_voxel_chunk(voxel),
        {(double)(voxel.x & mask), (double)(voxel.y & mask), (double)(voxel.z & mask)}};
    return position;
}

/// The lowest voxel of a chunk.
static inline TrnVoxel trn_coord_voxel(TrnCoord coord)
{
    TrnVoxel voxel = {(int64_t)coord.x * TRN_CHUNK_EDGE, (int64_t)coord.y * TRN_CHUNK_EDGE,
                      (int64_t)coord.z * TRN_CHUNK_EDGE};
    return voxel;
}

// ---- positions ----------------------------------------------------------------------------------

/// Whether two positions are the same point. Offsets are compared as numbers: NaN equals nothing.
static inline bool trn_position_equal(TrnPosition a, TrnPosition b)
{
    return trn_coord_equal(a.chunk, b.chunk) && a.offset[0] == b.offset[0] &&
           a.offset[1] == b.offset[1] && a.offset[2] == b.offset[2];
}

/// Moves a position by some voxels, across chunks if needed. At the ends of the world it stops
/// along the axis that would leave the world. NaN moves nowhere.
TRN_API TrnPosition trn_position_add(TrnPosition position, const double by[3]);

/// `to` minus `from` in voxels. Exact to 2^-20 voxels over a million chunks, coarser farther apart.
TRN_API void trn_position_difference(TrnPosition to, TrnPosition from, double out[3]);

/// The voxel that contains a position.
TRN_API TrnVoxel trn_position_voxel(TrnPosition position);

TRN_C_END
#endif
