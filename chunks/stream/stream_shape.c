// Flattened balls of chunks, row by row. The extent of a row is computed on demand, from one square
// root. Tables of extents were no faster for the thousand rows of a radius of 32, and needed memory
// that can be refused.

#include "stream_shape.h"

#include <math.h>

#include "base/around.h"

// Tolerance for rounding at the surface. Grid distances differ by more than this up to radii of
// 150; beyond, a chunk exactly on the surface may fall on either side.
#define SHAPE_SURFACE (1.0 + 1e-9)
#define SHAPE_FLAT 1e30 // a radius of 0: only the centre

static double shape_weight(double radius)
{
    return radius > 0 ? 1.0 / (radius * radius) : SHAPE_FLAT;
}

TrnStreamShape trn_stream_shape(TrnCoord centre, uint32_t radius, uint32_t height, int64_t ring,
                                uint32_t more, bool is_wide)
{
    const uint32_t rings = radius > height ? radius : height;
    const double part = rings ? (double)ring / rings : 0;
    const double across = radius * part + more, up = height * part + more;
    TrnStreamShape shape = {.centre = centre,
                            .across = shape_weight(across),
                            .up = shape_weight(up),
                            .reach_across = (int32_t)across + 1 + is_wide,
                            .reach_up = (int32_t)up + 1 + is_wide,
                            .is_wide = is_wide,
                            .is_empty = ring < 0};
    return shape;
}

/// Distance along an axis of the chunk that decides: a wide shape also holds the chunks next to it.
static double shape_axis_distance(const TrnStreamShape *shape, int64_t distance)
{
    distance = distance < 0 ? -distance : distance;
    return (double)(shape->is_wide && distance > 0 ? distance - 1 : distance);
}

static bool shape_holds(const TrnStreamShape *shape, double x, double y, double z)
{
    return (x * x + z * z) * shape->across + y * y * shape->up <= SHAPE_SURFACE;
}

bool trn_stream_shape_has(const TrnStreamShape *shape, TrnCoord coord)
{
    return !shape->is_empty &&
           shape_holds(shape, shape_axis_distance(shape, (int64_t)coord.x - shape->centre.x),
                       shape_axis_distance(shape, (int64_t)coord.y - shape->centre.y),
                       shape_axis_distance(shape, (int64_t)coord.z - shape->centre.z));
}

/// How many chunks a row extends from the centre to either side; -1 if the shape has none of it.
static int64_t shape_row_half(const TrnStreamShape *shape, int64_t dy, int64_t dz)
{
    const double y = shape_axis_distance(shape, dy), z = shape_axis_distance(shape, dz);
    if (shape->is_empty || !shape_holds(shape, 0, y, z)) {
        return -1;
    }
    const double left = (SHAPE_SURFACE - y * y * shape->up) / shape->across - z * z;
    int64_t half = left > 0 ? (int64_t)sqrt(left) : 0;
    // The same sum as for single chunks decides, not the square root.
    while (half > 0 && !shape_holds(shape, (double)half, y, z)) {
        half--;
    }
    while (shape_holds(shape, (double)half + 1, y, z)) {
        half++;
    }
    return half + shape->is_wide;
}

typedef struct ShapeRow {
    int64_t first, last; ///< inclusive; empty if last < first
} ShapeRow;

/// Returns a row of a shape, cut off at the ends of the world.
static ShapeRow shape_row(const TrnStreamShape *shape, int64_t y, int64_t z)
{
    const int64_t half = shape_row_half(shape, y - shape->centre.y, z - shape->centre.z);
    if (half < 0) {
        return (ShapeRow){0, -1};
    }
    ShapeRow row = {shape->centre.x - half, shape->centre.x + half};
    const int32_t first = trn_level_first(shape->level), last = trn_level_last(shape->level);
    row.first = row.first < first ? first : row.first;
    row.last = row.last > last ? last : row.last;
    return row;
}

static bool shape_emit(TrnStreamRow row, void *context, int64_t y, int64_t z, ShapeRow part)
{
    if (part.last < part.first) {
        return true;
    }
    const TrnCoord first = {(int32_t)part.first, (int32_t)y, (int32_t)z};
    return row(context, first, (int32_t)part.last);
}

static int64_t shape_low(const TrnStreamShape *shape, int32_t centre, int32_t reach)
{
    const int64_t low = (int64_t)centre - reach, first = trn_level_first(shape->level);
    return low < first ? first : low;
}

static int64_t shape_high(const TrnStreamShape *shape, int32_t centre, int32_t reach)
{
    const int64_t high = (int64_t)centre + reach, last = trn_level_last(shape->level);
    return high > last ? last : high;
}

uint64_t trn_stream_shape_count(const TrnStreamShape *shape)
{
    uint64_t count = 0;
    for (int64_t y = shape_low(shape, shape->centre.y, shape->reach_up);
         y <= shape_high(shape, shape->centre.y, shape->reach_up) && !shape->is_empty; y++) {
        for (int64_t z = shape_low(shape, shape->centre.z, shape->reach_across);
             z <= shape_high(shape, shape->centre.z, shape->reach_across); z++) {
            const ShapeRow row = shape_row(shape, y, z);
            count += (uint64_t)(row.last - row.first + 1);
        }
    }
    return count;
}

bool trn_stream_shape_minus(const TrnStreamShape *shape, const TrnStreamShape *other,
                            TrnStreamRow row, void *context)
{
    const int64_t z_low = shape_low(shape, shape->centre.z, shape->reach_across);
    const int64_t z_high = shape_high(shape, shape->centre.z, shape->reach_across);
    for (int64_t y = shape_low(shape, shape->centre.y, shape->reach_up);
         y <= shape_high(shape, shape->centre.y, shape->reach_up) && !shape->is_empty; y++) {
        for (int64_t z = z_low; z <= z_high; z++) {
            const ShapeRow mine = shape_row(shape, y, z);
            if (mine.last < mine.first) {
                continue;
            }
            const ShapeRow its = shape_row(other, y, z);
            ShapeRow left = mine, right = {0, -1};
            if (its.last >= its.first) {
                left.last = its.first - 1 < mine.last ? its.first - 1 : mine.last;
                right =
                    (ShapeRow){its.last + 1 > mine.first ? its.last + 1 : mine.first, mine.last};
            }
            if (!shape_emit(row, context, y, z, left) || !shape_emit(row, context, y, z, right)) {
                return false;
            }
        }
    }
    return true;
}

bool trn_stream_shape_touches_end(const TrnStreamShape *shape)
{
    const TrnCoord c = shape->centre;
    const int64_t across = shape->reach_across, up = shape->reach_up;
    const int64_t first = trn_level_first(shape->level), last = trn_level_last(shape->level);
    return !shape->is_empty &&
           (c.x - across <= first || c.x + across >= last || c.y - up <= first ||
            c.y + up >= last || c.z - across <= first || c.z + across >= last);
}
