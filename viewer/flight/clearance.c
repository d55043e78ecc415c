#include "flight/clearance.h"

#include <math.h>
#include <stdlib.h>

#include <terrane/coord.h>

#define SAMPLES_PER_SECOND 16
#define WINDOW 16 // samples looked at to each side, which is one second

/// Returns the highest of land and sea in a square of 16 voxels around a point.
static double ground_around(const TrnTerrain *terrain, const double pose[5])
{
    double highest = TRN_TERRAIN_SEA_LEVEL;
    for (int i = 0; i < 9; i++) {
        int64_t x = (int64_t)floor(pose[0]) + 8L * (i % 3 - 1);
        int64_t z = (int64_t)floor(pose[2]) + 8L * (i / 3 - 1);
        int64_t height;
        if (trn_terrain_height(terrain, x, z, &height) == TRN_RESULT_OK) {
            highest = fmax(highest, (double)height);
        }
    }
    return highest + 1;
}

static double window_max(const double *values, size_t count, size_t centre)
{
    size_t first = centre > WINDOW ? centre - WINDOW : 0;
    double highest = values[centre];
    for (size_t i = first; i < count && i <= centre + WINDOW; i++) {
        highest = fmax(highest, values[i]);
    }
    return highest;
}

static double window_mean(const double *values, size_t count, size_t centre)
{
    double sum = 0;
    for (int offset = -WINDOW; offset <= WINDOW; offset++) {
        ptrdiff_t i = (ptrdiff_t)centre + offset;
        i = i < 0 ? 0 : i >= (ptrdiff_t)count ? (ptrdiff_t)count - 1 : i;
        sum += values[i];
    }
    return sum / (2 * WINDOW + 1);
}

bool clearance_create(Clearance *clearance, const Flight *flight, const TrnTerrain *terrain,
                      Message *problem)
{
    if (flight->is_recording) {
        *clearance = (Clearance){0};
        return true;
    }
    size_t count = (size_t)(flight_duration(flight) * SAMPLES_PER_SECOND) + 2;
    double *scratch = malloc(3 * count * sizeof *scratch);
    if (!scratch) {
        return message_set(problem, "Out of memory: cannot plan the flight.");
    }
    double *ground = scratch + count, *highest = scratch + 2 * count;
    for (size_t i = 0; i < count; i++) {
        double pose[5];
        flight_sample(flight, (double)i / SAMPLES_PER_SECOND, pose);
        ground[i] = ground_around(terrain, pose);
    }
    // The mean over a window of the maxima over windows of the same width is smooth and never below
    // the ground, because each maximum in it includes the point itself.
    for (size_t i = 0; i < count; i++) {
        highest[i] = window_max(ground, count, i);
    }
    for (size_t i = 0; i < count; i++) {
        scratch[i] = window_mean(highest, count, i) + CLEARANCE_VOXELS;
    }
    *clearance = (Clearance){scratch, count};
    return true;
}

void clearance_free(Clearance *clearance)
{
    free(clearance->lowest);
    *clearance = (Clearance){0};
}

/// Returns at least the greater of the two, without a kink where they are equal.
static double smooth_max(double a, double b)
{
    const double width = 4;
    return 0.5 * (a + b + sqrt((a - b) * (a - b) + width * width));
}

void clearance_sample(const Clearance *clearance, const Flight *flight, double seconds,
                      double pose[5])
{
    flight_sample(flight, seconds, pose);
    if (flight->is_recording) {
        return;
    }
    double at = fmax(0, fmin(seconds * SAMPLES_PER_SECOND, (double)(clearance->count - 1)));
    size_t index = (size_t)at;
    size_t next = index + 1 < clearance->count ? index + 1 : index;
    double part = at - (double)index;
    double lowest = clearance->lowest[index] * (1 - part) + clearance->lowest[next] * part;
    // Far above the limit, the smooth maximum does not change the flight.
    pose[1] = pose[1] > lowest + 64 ? pose[1] : smooth_max(pose[1], lowest);
    pose[1] = fmin(pose[1], (double)TRN_VOXEL_MAX);
}
