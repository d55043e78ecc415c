/// The baseline of rays: from voxel to voxel, one look-up for each.
/// Source: J. Amanatides and A. Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing", 1987.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include <terrane/coord.h>

struct PlainHit {
    bool is_block;   ///< otherwise it went its whole way
    TrnVoxel voxel;  ///< the block's, or the last one that it was in
    int face;        ///< through which it came in; TRN_FACE_COUNT where it began there
    unsigned passed; ///< voxels before that
};

/// How far along a ray the next border of voxels is on one axis, and how far the borders are apart.
struct PlainAxis {
    double next, step;
    std::int64_t by;
    int face; ///< that it comes in through
};

/// @param towards  of a direction of length 1
inline PlainAxis plain_axis(double offset, double towards, int axis)
{
    const double never = std::numeric_limits<double>::infinity();
    if (towards == 0) {
        return {never, never, 0, TRN_FACE_COUNT};
    }
    const double inside = offset - std::floor(offset);
    const double way = towards > 0 ? 1 - inside : inside;
    return {way / std::fabs(towards), 1 / std::fabs(towards), towards > 0 ? 1 : -1,
            2 * axis + (towards > 0 ? 0 : 1)};
}

/// @param direction  of length 1
/// @param is_solid   bool(TrnVoxel)
template <typename Solid>
PlainHit plain_ray(TrnPosition origin, const double direction[3], double distance_max,
                   Solid is_solid)
{
    const TrnVoxel low = trn_coord_voxel(origin.chunk);
    TrnVoxel voxel = {low.x + static_cast<std::int64_t>(origin.offset[0]),
                      low.y + static_cast<std::int64_t>(origin.offset[1]),
                      low.z + static_cast<std::int64_t>(origin.offset[2])};
    PlainAxis x = plain_axis(origin.offset[0], direction[0], 0);
    PlainAxis y = plain_axis(origin.offset[1], direction[1], 1);
    PlainAxis z = plain_axis(origin.offset[2], direction[2], 2);
    int face = TRN_FACE_COUNT;
    for (unsigned passed = 0;; passed++) {
        if (is_solid(voxel)) {
            return {true, voxel, face, passed};
        }
        const bool is_x = x.next <= y.next && x.next <= z.next;
        const bool is_y = !is_x && y.next <= z.next;
        PlainAxis &axis = is_x ? x : is_y ? y : z;
        if (axis.next > distance_max) {
            return {false, voxel, face, passed};
        }
        (is_x ? voxel.x : is_y ? voxel.y : voxel.z) += axis.by;
        axis.next += axis.step;
        face = axis.face;
    }
}
