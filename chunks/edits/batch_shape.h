/// Private: the shapes that a batch fills, and the part of a shape in one chunk. Geometry only;
/// batch_fill.c writes the blocks.
#ifndef TERRANE_EDITS_BATCH_SHAPE_H
#define TERRANE_EDITS_BATCH_SHAPE_H

#include <terrane/voxels.h>

/// A box, or a sphere with the box around it. batch_shape_clip() cuts the box at the world's
/// border.
typedef struct BatchShape {
    TrnVoxel min, max; ///< both inclusive
    bool is_sphere;
    TrnVoxel centre; ///< of a sphere; may lie outside the world
    int64_t reach;   ///< the largest squared distance of a voxel in the sphere from the centre
} BatchShape;

/// How much of a chunk lies in a shape.
typedef enum BatchShapePart {
    BATCH_SHAPE_NONE,
    BATCH_SHAPE_PART,
    BATCH_SHAPE_WHOLE
} BatchShapePart;

static inline int64_t batch_shape_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int64_t batch_shape_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/// Clips a shape to the world.
/// @return whether any voxel is left
static inline bool batch_shape_clip(BatchShape *shape)
{
    shape->min.x = batch_shape_max(shape->min.x, TRN_VOXEL_MIN);
    shape->min.y = batch_shape_max(shape->min.y, TRN_VOXEL_MIN);
    shape->min.z = batch_shape_max(shape->min.z, TRN_VOXEL_MIN);
    shape->max.x = batch_shape_min(shape->max.x, TRN_VOXEL_MAX);
    shape->max.y = batch_shape_min(shape->max.y, TRN_VOXEL_MAX);
    shape->max.z = batch_shape_min(shape->max.z, TRN_VOXEL_MAX);
    return shape->min.x <= shape->max.x && shape->min.y <= shape->max.y &&
           shape->min.z <= shape->max.z;
}

/// The chunks that the shape's box touches.
static inline TrnBox batch_shape_chunks(const BatchShape *shape)
{
    TrnBox box = {trn_voxel_chunk(shape->min), trn_voxel_chunk(shape->max)};
    return box;
}

/// The part of a box along one axis of a chunk that the box touches.
/// @param low      the chunk's lowest voxel on the axis
/// @param from,to  receive local coordinates, both inclusive
/// @return whether the part is the whole edge
static inline bool batch_shape_cut_axis(int64_t low, int64_t min, int64_t max, uint32_t *from,
                                        uint32_t *to)
{
    const int64_t high = low + TRN_CHUNK_EDGE - 1;
    *from = (uint32_t)(batch_shape_max(min, low) - low);
    *to = (uint32_t)(batch_shape_min(max, high) - low);
    return *from == 0 && *to == TRN_CHUNK_EDGE - 1;
}

/// The part of a box in a chunk that the box touches.
/// @param low      the chunk's lowest voxel
/// @param from,to  receive local coordinates, both inclusive
static inline BatchShapePart batch_shape_cut_box(const BatchShape *shape, TrnVoxel low,
                                                 uint32_t from[3], uint32_t to[3])
{
    const bool is_whole_x =
        batch_shape_cut_axis(low.x, shape->min.x, shape->max.x, &from[0], &to[0]);
    const bool is_whole_y =
        batch_shape_cut_axis(low.y, shape->min.y, shape->max.y, &from[1], &to[1]);
    const bool is_whole_z =
        batch_shape_cut_axis(low.z, shape->min.z, shape->max.z, &from[2], &to[2]);
    return is_whole_x && is_whole_y && is_whole_z ? BATCH_SHAPE_WHOLE : BATCH_SHAPE_PART;
}

/// Adds the squares of the least and the greatest distance, along one axis, of a chunk's voxels
/// from a centre.
/// @param low  the chunk's lowest voxel on the axis
static inline void batch_shape_add_distances(int64_t low, int64_t centre, int64_t *near,
                                             int64_t *far)
{
    const int64_t before = low - centre, behind = centre - (low + TRN_CHUNK_EDGE - 1);
    const int64_t gap = batch_shape_max(batch_shape_max(before, behind), 0);
    const int64_t reach = batch_shape_max(-before, -behind);
    *near += gap * gap;
    *far += reach * reach;
}

static inline BatchShapePart batch_shape_classify_sphere(const BatchShape *shape, TrnVoxel low)
{
    int64_t near = 0, far = 0;
    batch_shape_add_distances(low.x, shape->centre.x, &near, &far);
    batch_shape_add_distances(low.y, shape->centre.y, &near, &far);
    batch_shape_add_distances(low.z, shape->centre.z, &near, &far);
    return near > shape->reach   ? BATCH_SHAPE_NONE
           : far <= shape->reach ? BATCH_SHAPE_WHOLE
                                 : BATCH_SHAPE_PART;
}

/// The bits of the voxels from..to of a row, both inclusive. Both may lie outside the row.
static inline uint32_t batch_shape_row_bits(int64_t from, int64_t to)
{
    from = batch_shape_max(from, 0);
    to = batch_shape_min(to, TRN_CHUNK_EDGE - 1);
    if (from > to) {
        return 0;
    }
    return UINT32_MAX << from & UINT32_MAX >> (TRN_CHUNK_EDGE - 1 - to);
}

/// The rows of a sphere in one layer of a chunk.
/// @param left    the largest squared distance along z and x
/// @param centre  relative to the chunk's lowest voxel
static inline void batch_shape_sphere_layer(int64_t left, TrnVoxel centre, uint32_t *rows)
{
    int64_t half = 0; // half the row's length, which changes little from row to row
    for (int64_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        const int64_t of_row = left - (z - centre.z) * (z - centre.z);
        while (half > 0 && half * half > of_row) {
            half--;
        }
        while ((half + 1) * (half + 1) <= of_row) {
            half++;
        }
        rows[z] = of_row < 0 ? 0 : batch_shape_row_bits(centre.x - half, centre.x + half);
    }
}

/// The rows of a sphere in a chunk. @param low  the chunk's lowest voxel
static inline void batch_shape_sphere_rows(const BatchShape *shape, TrnVoxel low,
                                           uint32_t rows[TRN_CHUNK_ROWS])
{
    const TrnVoxel centre = {shape->centre.x - low.x, shape->centre.y - low.y,
                             shape->centre.z - low.z};
    for (int64_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        const int64_t left = shape->reach - (y - centre.y) * (y - centre.y);
        batch_shape_sphere_layer(left, centre, rows + y * TRN_CHUNK_EDGE);
    }
}

/// @param low  lowest voxel of a chunk that the shape's box touches
static inline BatchShapePart batch_shape_classify(const BatchShape *shape, TrnVoxel low)
{
    uint32_t from[3], to[3];
    return shape->is_sphere ? batch_shape_classify_sphere(shape, low)
                            : batch_shape_cut_box(shape, low, from, to);
}

/// Adds a distance to a coordinate, saturating at the limits of int64.
static inline int64_t batch_shape_add_saturated(int64_t at, int64_t voxels)
{
    if (voxels >= 0) {
        return at > INT64_MAX - voxels ? INT64_MAX : at + voxels;
    }
    return at < INT64_MIN - voxels ? INT64_MIN : at + voxels;
}

/// A sphere, which is not clipped yet. @param radius  voxels, 0..TRN_SPHERE_RADIUS_MAX
static inline BatchShape batch_shape_sphere(TrnVoxel centre, double radius)
{
    const int64_t whole = (int64_t)radius;
    BatchShape shape = {.is_sphere = true, .centre = centre, .reach = (int64_t)(radius * radius)};
    shape.min = (TrnVoxel){batch_shape_add_saturated(centre.x, -whole),
                           batch_shape_add_saturated(centre.y, -whole),
                           batch_shape_add_saturated(centre.z, -whole)};
    shape.max = (TrnVoxel){batch_shape_add_saturated(centre.x, whole),
                           batch_shape_add_saturated(centre.y, whole),
                           batch_shape_add_saturated(centre.z, whole)};
    return shape;
}

static inline uint64_t batch_shape_multiply_saturated(uint64_t a, uint64_t b)
{
    return b > 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/// How many chunks a box of chunks contains, saturating at UINT64_MAX.
static inline uint64_t batch_shape_volume(TrnBox box)
{
    const uint64_t x = (uint64_t)((int64_t)box.max.x - box.min.x) + 1;
    const uint64_t y = (uint64_t)((int64_t)box.max.y - box.min.y) + 1;
    const uint64_t z = (uint64_t)((int64_t)box.max.z - box.min.z) + 1;
    return batch_shape_multiply_saturated(batch_shape_multiply_saturated(x, y), z);
}

#endif
