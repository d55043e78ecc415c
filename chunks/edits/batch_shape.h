/// Private: the shapes that a batch fills, and what of them lies in one chunk. Geometry alone:
/// nothing here knows of a store.
#ifndef TERRANE_STORE_BATCH_SHAPE_H
#define TERRANE_STORE_BATCH_SHAPE_H

#include <terrane/voxels.h>

/// A box, or a sphere inside one. Neither reaches out of the world.
typedef struct BatchShape {
    TrnVoxel min, max; ///< both inclusive
    bool is_sphere;
    TrnVoxel centre;
    int64_t reach; ///< the most that the square of a voxel's distance may be
} BatchShape;

/// What of a chunk lies in a shape.
typedef enum ShapePart { SHAPE_NONE, SHAPE_PART, SHAPE_WHOLE } ShapePart;

static inline int64_t greater_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int64_t lesser_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/// Cuts off what lies outside the world. @return whether anything is left
static inline bool shape_clip(BatchShape *shape)
{
    shape->min.x = greater_of(shape->min.x, TRN_VOXEL_MIN);
    shape->min.y = greater_of(shape->min.y, TRN_VOXEL_MIN);
    shape->min.z = greater_of(shape->min.z, TRN_VOXEL_MIN);
    shape->max.x = lesser_of(shape->max.x, TRN_VOXEL_MAX);
    shape->max.y = lesser_of(shape->max.y, TRN_VOXEL_MAX);
    shape->max.z = lesser_of(shape->max.z, TRN_VOXEL_MAX);
    return shape->min.x <= shape->max.x && shape->min.y <= shape->max.y &&
           shape->min.z <= shape->max.z;
}

static inline TrnBox shape_chunks(const BatchShape *shape)
{
    TrnBox box = {trn_voxel_chunk(shape->min), trn_voxel_chunk(shape->max)};
    return box;
}

/// The part of a box along one axis of a chunk. @return whether it is the whole edge
static inline bool axis_cut(int64_t low, int64_t min, int64_t max, uint32_t *from, uint32_t *to)
{
    const int64_t high = low + TRN_CHUNK_EDGE - 1;
    *from = (uint32_t)(greater_of(min, low) - low);
    *to = (uint32_t)(lesser_of(max, high) - low);
    return *from == 0 && *to == TRN_CHUNK_EDGE - 1;
}

/// The part of a box in a chunk that it reaches.
static inline ShapePart box_cut(const BatchShape *shape, TrnVoxel low, uint32_t from[3],
                                uint32_t to[3])
{
    const bool is_whole_x = axis_cut(low.x, shape->min.x, shape->max.x, &from[0], &to[0]);
    const bool is_whole_y = axis_cut(low.y, shape->min.y, shape->max.y, &from[1], &to[1]);
    const bool is_whole_z = axis_cut(low.z, shape->min.z, shape->max.z, &from[2], &to[2]);
    return is_whole_x && is_whole_y && is_whole_z ? SHAPE_WHOLE : SHAPE_PART;
}

/// The squares of the least and the greatest distance of a chunk's voxels from a coordinate along
/// one axis are added.
static inline void axis_distances(int64_t low, int64_t centre, int64_t *near, int64_t *far)
{
    const int64_t before = low - centre, behind = centre - (low + TRN_CHUNK_EDGE - 1);
    const int64_t gap = greater_of(greater_of(before, behind), 0);
    const int64_t reach = greater_of(-before, -behind);
    *near += gap * gap;
    *far += reach * reach;
}

static inline ShapePart sphere_meet(const BatchShape *shape, TrnVoxel low)
{
    int64_t near = 0, far = 0;
    axis_distances(low.x, shape->centre.x, &near, &far);
    axis_distances(low.y, shape->centre.y, &near, &far);
    axis_distances(low.z, shape->centre.z, &near, &far);
    return near > shape->reach ? SHAPE_NONE : far <= shape->reach ? SHAPE_WHOLE : SHAPE_PART;
}

/// The bits of a row from x `from` to x `to`, both inclusive and of any size.
static inline uint32_t row_bits(int64_t from, int64_t to)
{
    from = greater_of(from, 0);
    to = lesser_of(to, TRN_CHUNK_EDGE - 1);
    if (from > to) {
        return 0;
    }
    return UINT32_MAX << from & UINT32_MAX >> (TRN_CHUNK_EDGE - 1 - to);
}

/// The rows of a sphere in one layer of a chunk.
/// @param left    what the distances along z and x may still come to
/// @param centre  relative to the chunk's lowest voxel
static inline void sphere_layer(int64_t left, TrnVoxel centre, uint32_t *rows)
{
    int64_t half = 0; // of the row; from row to row it changes little
    for (int64_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        const int64_t of_row = left - (z - centre.z) * (z - centre.z);
        while (half > 0 && half * half > of_row) {
            half--;
        }
        while ((half + 1) * (half + 1) <= of_row) {
            half++;
        }
        rows[z] = of_row < 0 ? 0 : row_bits(centre.x - half, centre.x + half);
    }
}

static inline void sphere_rows(const BatchShape *shape, TrnVoxel low, uint32_t rows[TRN_CHUNK_ROWS])
{
    const TrnVoxel centre = {shape->centre.x - low.x, shape->centre.y - low.y,
                             shape->centre.z - low.z};
    for (int64_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        const int64_t left = shape->reach - (y - centre.y) * (y - centre.y);
        sphere_layer(left, centre, rows + y * TRN_CHUNK_EDGE);
    }
}

static inline ShapePart shape_meet(const BatchShape *shape, TrnVoxel low)
{
    uint32_t from[3], to[3];
    return shape->is_sphere ? sphere_meet(shape, low) : box_cut(shape, low, from, to);
}

/// A coordinate plus or minus so many voxels, cut off at the ends of int64.
static inline int64_t add_saturated(int64_t at, int64_t voxels)
{
    if (voxels >= 0) {
        return at > INT64_MAX - voxels ? INT64_MAX : at + voxels;
    }
    return at < INT64_MIN - voxels ? INT64_MIN : at + voxels;
}

static inline BatchShape sphere_shape(TrnVoxel centre, double radius)
{
    const int64_t whole = (int64_t)radius;
    BatchShape shape = {.is_sphere = true, .centre = centre, .reach = (int64_t)(radius * radius)};
    shape.min = (TrnVoxel){add_saturated(centre.x, -whole), add_saturated(centre.y, -whole),
                           add_saturated(centre.z, -whole)};
    shape.max = (TrnVoxel){add_saturated(centre.x, whole), add_saturated(centre.y, whole),
                           add_saturated(centre.z, whole)};
    return shape;
}

static inline uint64_t multiply_saturated(uint64_t a, uint64_t b)
{
    return b > 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/// How many chunks a box has room for, at most UINT64_MAX.
static inline uint64_t box_volume_saturated(TrnBox box)
{
    const uint64_t x = (uint64_t)((int64_t)box.max.x - box.min.x) + 1;
    const uint64_t y = (uint64_t)((int64_t)box.max.y - box.min.y) + 1;
    const uint64_t z = (uint64_t)((int64_t)box.max.z - box.min.z) + 1;
    return multiply_saturated(multiply_saturated(x, y), z);
}

#endif
