/// Tests whether chunks reach into a frustum: one chunk, a row along x, or a cube. All three tests
/// evaluate a plane with the same operations in the same order. Rounding is monotone, so their
/// answers agree.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <terrane/chunk_index.h>

/// A half-space: the cube [coord, coord + 1] reaches inside if a x + (b y + (c z + d)) >= 0.
/// Coordinates are relative to the frustum's origin. d accounts for the corner of the cube that
/// reaches farthest inside.
typedef struct FrustumPlane {
    double a, b, c, d;
    double inverse_a; ///< 1 / a, or 0 for a == 0
} FrustumPlane;

typedef struct FrustumTest {
    int64_t origin[3]; ///< x, y, z
    FrustumPlane planes[6];
    uint32_t count;
} FrustumTest;

static inline FrustumTest frustum_test(const TrnFrustum *frustum)
{
    FrustumTest test;
    test.origin[0] = frustum->origin.x;
    test.origin[1] = frustum->origin.y;
    test.origin[2] = frustum->origin.z;
    test.count = frustum->count < 6 ? frustum->count : 6;
    for (uint32_t i = 0; i < test.count; i++) {
        const double *from = frustum->planes[i];
        FrustumPlane *plane = &test.planes[i];
        plane->a = from[0];
        plane->b = from[1];
        plane->c = from[2];
        plane->d = from[3] + (from[0] > 0 ? from[0] : 0) + (from[1] > 0 ? from[1] : 0) +
                   (from[2] > 0 ? from[2] : 0);
        plane->inverse_a = from[0] != 0 ? 1 / from[0] : 0;
    }
    return test;
}

/// The plane's value for a row, without the x term.
static inline double frustum_rest(const FrustumPlane *plane, double y, double z)
{
    return plane->b * y + (plane->c * z + plane->d);
}

static inline bool frustum_reaches(const FrustumTest *test, TrnCoord coord)
{
    const double x = (double)(coord.x - test->origin[0]);
    const double y = (double)(coord.y - test->origin[1]);
    const double z = (double)(coord.z - test->origin[2]);
    for (uint32_t i = 0; i < test->count; i++) {
        const FrustumPlane *plane = &test->planes[i];
        if (!(plane->a * x + frustum_rest(plane, y, z) >= 0)) {
            return false;
        }
    }
    return true;
}

/// Clips [*first, *last], relative to the frustum's origin, to one side of a plane. Estimates the
/// end with inverse_a, then moves it until the exact test agrees.
static inline void frustum_clip_side(const FrustumPlane *plane, double rest, int64_t *first,
                                     int64_t *last)
{
    const double end = -rest * plane->inverse_a;
    int64_t low = *first, high = *last;
    if (plane->a > 0) {
        int64_t at = !(end > (double)low) ? low : end > (double)high ? high + 1 : (int64_t)end;
        while (at > low && plane->a * (double)(at - 1) + rest >= 0) {
            at--;
        }
        while (at <= high && !(plane->a * (double)at + rest >= 0)) {
            at++;
        }
        *first = at;
        return;
    }
    int64_t at = !(end < (double)high) ? high : end < (double)low ? low - 1 : (int64_t)end;
    while (at < high && plane->a * (double)(at + 1) + rest >= 0) {
        at++;
    }
    while (at >= low && !(plane->a * (double)at + rest >= 0)) {
        at--;
    }
    *last = at;
}

/// Clips the row of chunks [*x_first, *x_last] at y, z to those that reach into the frustum. The
/// frustum is convex, so the result is a row too. @return whether any chunk remains
static inline bool frustum_clip_row(const FrustumTest *test, int64_t y, int64_t z, int64_t *x_first,
                                    int64_t *x_last)
{
    int64_t first = *x_first - test->origin[0], last = *x_last - test->origin[0];
    for (uint32_t i = 0; i < test->count && first <= last; i++) {
        const FrustumPlane *plane = &test->planes[i];
        const double rest =
            frustum_rest(plane, (double)(y - test->origin[1]), (double)(z - test->origin[2]));
        if (plane->a != 0 && rest == rest) {
            frustum_clip_side(plane, rest, &first, &last);
        } else if (!(rest >= 0)) {
            return false;
        }
    }
    *x_first = first + test->origin[0];
    *x_last = last + test->origin[0];
    return first <= last;
}

typedef enum FrustumRelation { FRUSTUM_OUTSIDE, FRUSTUM_CROSSES, FRUSTUM_INSIDE } FrustumRelation;

/// The largest (`sign` 1) or smallest (`sign` -1) value of a plane over the chunks of a box.
static inline double frustum_most(const FrustumPlane *plane, const double low[3],
                                  const double high[3], double sign)
{
    const double x = plane->a * sign > 0 ? high[0] : low[0];
    const double y = plane->b * sign > 0 ? high[1] : low[1];
    const double z = plane->c * sign > 0 ? high[2] : low[2];
    return plane->a * x + frustum_rest(plane, y, z);
}

/// Whether all chunks of a box (x, y, z; both corners inclusive) reach into the frustum, none does,
/// or neither is certain.
static inline FrustumRelation frustum_relation(const FrustumTest *test, const int64_t box_low[3],
                                               const int64_t box_high[3])
{
    double low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = (double)(box_low[axis] - test->origin[axis]);
        high[axis] = (double)(box_high[axis] - test->origin[axis]);
    }
    FrustumRelation relation = FRUSTUM_INSIDE;
    for (uint32_t i = 0; i < test->count; i++) {
        if (!(frustum_most(&test->planes[i], low, high, 1) >= 0)) {
            return FRUSTUM_OUTSIDE;
        }
        if (!(frustum_most(&test->planes[i], low, high, -1) >= 0)) {
            relation = FRUSTUM_CROSSES;
        }
    }
    return relation;
}
