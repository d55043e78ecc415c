/// Private: the arithmetic of a chunk and its 26 neighbours.
///
/// Each has a place, 0..26: x fastest, then z, then y; TRN_AROUND_CENTRE is the chunk itself. A
/// mask has one bit a place. The order is that of trn_coord_around(), and public in events and
/// snapshots.
#ifndef TERRANE_BASE_AROUND_H
#define TERRANE_BASE_AROUND_H

#include <terrane/coord.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The mask of all 27, and of the chunk alone.
#define TRN_AROUND_ALL ((UINT32_C(1) << TRN_AROUND_COUNT) - 1)
#define TRN_AROUND_SELF (UINT32_C(1) << TRN_AROUND_CENTRE)

/// The place at an offset of -1, 0 or 1 chunks along each axis.
static inline uint32_t trn_around_place(int32_t dx, int32_t dy, int32_t dz)
{
    return (uint32_t)((dx + 1) + 3 * (dz + 1) + 9 * (dy + 1));
}

/// The offset of a place: -1, 0 or 1 chunks along each axis.
static inline TrnCoord trn_around_offset(uint32_t place)
{
    const TrnCoord offset = {(int32_t)(place % 3) - 1, (int32_t)(place / 9) - 1,
                             (int32_t)(place / 3 % 3) - 1};
    return offset;
}

/// Whether a place is the chunk itself or shares a face with it.
static inline bool trn_around_is_at_face(uint32_t place)
{
    const TrnCoord offset = trn_around_offset(place);
    return offset.x * offset.x + offset.y * offset.y + offset.z * offset.z <= 1;
}

/// The mask of the places whose step along each axis is in that axis' set. A set has three bits: 1
/// for the lower neighbour, 2 for the chunk's own, 4 for the upper neighbour.
static inline uint32_t trn_around_mask(uint32_t xs, uint32_t ys, uint32_t zs)
{
    const uint32_t layer = ((zs & 1) | (zs & 2) << 2 | (zs & 4) << 4) * xs;
    return ((ys & 1) | (ys & 2) << 8 | (ys & 4) << 16) * layer;
}

/// The steps along one axis to the chunks that a range of local coordinates touches: the chunk's
/// own, and a neighbour's where the range reaches the border.
/// @param min,max  0..31, inclusive
static inline uint32_t trn_around_steps(uint32_t min, uint32_t max)
{
    return 2u | (uint32_t)(min == 0) | (uint32_t)(max == TRN_CHUNK_EDGE - 1) << 2;
}

/// The mask of the chunks that a box of voxels touches: the chunk that holds it, and those that
/// share a face, an edge or a corner with one of its voxels.
/// @param min,max  [x, y, z] local coordinates, 0..31, inclusive
static inline uint32_t trn_around_box(const uint32_t min[3], const uint32_t max[3])
{
    return trn_around_mask(trn_around_steps(min[0], max[0]), trn_around_steps(min[1], max[1]),
                           trn_around_steps(min[2], max[2]));
}

/// The mask of the chunks that one voxel touches.
/// @param index  trn_local_index()
static inline uint32_t trn_around_voxel(uint32_t index)
{
    const uint32_t last = TRN_CHUNK_EDGE - 1;
    const uint32_t at[3] = {index & last, index >> (2 * TRN_CHUNK_SHIFT),
                            index >> TRN_CHUNK_SHIFT & last};
    return trn_around_box(at, at);
}

/// The first and the last chunk of a level along each axis: a chunk of level n covers 2^n chunks of
/// level 0.
static inline int32_t trn_level_first(uint32_t level)
{
    return INT32_MIN >> level;
}
static inline int32_t trn_level_last(uint32_t level)
{
    return INT32_MAX >> level;
}

/// The steps along one axis to the chunks that lie in the world.
static inline uint32_t trn_around_steps_in_level(int32_t at, uint32_t level)
{
    return 2u | (uint32_t)(at > trn_level_first(level)) |
           (uint32_t)(at < trn_level_last(level)) << 2;
}

/// The mask of the places that lie in the world of a level: all of them, except at its ends.
static inline uint32_t trn_around_in_level(TrnCoord coord, uint32_t level)
{
    return trn_around_mask(trn_around_steps_in_level(coord.x, level),
                           trn_around_steps_in_level(coord.y, level),
                           trn_around_steps_in_level(coord.z, level));
}

/// The same for level 0, whose ends are those of int32, where trn_coord_around() wraps.
static inline uint32_t trn_around_in_world(TrnCoord coord)
{
    return trn_around_in_level(coord, 0);
}

#ifdef __cplusplus
}
#endif
#endif
