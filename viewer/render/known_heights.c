#include "render/known_heights.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define UNIT 5     // of distances: a chunk
#define DIAGONAL 7 // along both axes: 5 times the square root of 2
#define FULL (KNOWN_HEIGHTS_RIM * UNIT)

bool known_heights_create(KnownHeights *known, int32_t edge)
{
    const size_t cells = (size_t)edge * (size_t)edge;
    *known = (KnownHeights){.edge = edge};
    known->now = calloc(cells, 1);
    known->next = calloc(cells, 1);
    known->distances = calloc(cells, 1);
    if (!known->now || !known->next || !known->distances) {
        known_heights_free(known);
        return false;
    }
    return true;
}

void known_heights_free(KnownHeights *known)
{
    free(known->now);
    free(known->next);
    free(known->distances);
    *known = (KnownHeights){0};
}

/// Sets the distance of a column's corners to 0 unless its heights are known.
/// @param x,z  column, from the lowest of the window
static void mark_column(KnownHeights *known, const Skyline *skyline, int32_t x, int32_t z)
{
    const int32_t half = known->edge / 2, by_x = x - half, by_z = z - half;
    const TrnCoord at = trn_coord_add(known->camera, by_x, 0, by_z);
    if (by_x * by_x + by_z * by_z <= known->reach * known->reach && skyline_knows(skyline, at)) {
        return;
    }
    uint8_t *corner = known->distances + (ptrdiff_t)z * known->edge + x;
    corner[0] = corner[1] = corner[known->edge] = corner[known->edge + 1] = 0;
}

static void near_by(uint8_t *distance, uint8_t other, int by)
{
    const int sum = other + by;
    *distance = *distance < sum ? *distance : (uint8_t)sum;
}

/// Finds the distance of each corner to the nearest one of an unknown column: a chamfer transform
/// in two passes. The outermost corners are beyond the reach.
static void find_distances(KnownHeights *known, const Skyline *skyline)
{
    const int32_t edge = known->edge;
    uint8_t *at = known->distances;
    memset(at, 0, (size_t)edge * (size_t)edge);
    for (int32_t z = 1; z < edge - 1; z++) {
        memset(at + (ptrdiff_t)z * edge + 1, FULL, (size_t)edge - 2);
    }
    for (int32_t z = 0; z < edge - 1; z++) {
        for (int32_t x = 0; x < edge - 1; x++) {
            mark_column(known, skyline, x, z);
        }
    }
    for (int32_t i = edge + 1; i < edge * (edge - 1) - 1; i++) {
        near_by(&at[i], at[i - 1], UNIT);
        near_by(&at[i], at[i - edge], UNIT);
        near_by(&at[i], at[i - edge - 1], DIAGONAL);
        near_by(&at[i], at[i - edge + 1], DIAGONAL);
    }
    for (int32_t i = edge * (edge - 1) - 2; i > edge; i--) {
        near_by(&at[i], at[i + 1], UNIT);
        near_by(&at[i], at[i + edge], UNIT);
        near_by(&at[i], at[i + edge + 1], DIAGONAL);
        near_by(&at[i], at[i + edge - 1], DIAGONAL);
    }
}

/// Finds what the corners approach, for the camera and the reach that are set.
static void find_next(KnownHeights *known, const Skyline *skyline)
{
    const int32_t edge = known->edge;
    find_distances(known, skyline);
    for (int32_t z = 0; z < edge; z++) {
        const TrnCoord row = trn_coord_add(known->camera, 0, 0, z - edge / 2);
        uint8_t *next = known->next + (ptrdiff_t)skyline_place(skyline, row.z) * edge;
        for (int32_t x = 0; x < edge; x++) {
            const TrnCoord at = trn_coord_add(row, x - edge / 2, 0, 0);
            const int distance = known->reach ? known->distances[z * edge + x] : FULL;
            next[skyline_place(skyline, at.x)] = (uint8_t)(distance * UINT8_MAX / FULL);
        }
    }
}

/// Whether `next` no longer fits; if so, takes down what it is for.
static bool note_changes(KnownHeights *known, const Skyline *skyline, TrnCoord camera,
                         int32_t reach)
{
    const bool same = known->has_begun && known->changes == skyline->changes &&
                      known->reach == reach && known->camera.x == camera.x &&
                      known->camera.z == camera.z;
    known->changes = skyline->changes;
    known->reach = reach;
    known->camera = camera;
    return !same;
}

/// Moves all corners by at most `by`. Where nothing is known, nothing may show what was.
static void approach(KnownHeights *known, int by)
{
    known->is_settled = true;
    for (int32_t i = 0; i < known->edge * known->edge; i++) {
        const int now = known->now[i], next = known->next[i];
        const int least = now - by < next ? next : now - by;
        known->now[i] = (uint8_t)(next == 0 ? 0 : now + by < next ? now + by : least);
        known->is_settled &= known->now[i] == next;
    }
}

bool known_heights_step(KnownHeights *known, const Skyline *skyline, TrnCoord camera, int32_t reach,
                        double seconds)
{
    const double part = (seconds - known->seconds) / KNOWN_HEIGHTS_SECONDS;
    const bool at_once = !known->has_begun || part < 0 || part > 1;
    if (note_changes(known, skyline, camera, reach)) {
        find_next(known, skyline);
        known->is_settled = false;
    }
    known->has_begun = true;
    if (known->is_settled) {
        known->seconds = seconds;
        return false;
    }
    const int by = at_once ? UINT8_MAX : (int)(part * UINT8_MAX);
    if (by > 0) { // else the time adds up
        known->seconds = seconds;
        approach(known, by);
    }
    return by > 0;
}
