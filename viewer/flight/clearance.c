#include "flight/clearance.h"

#include <math.h>

#include <terrane/coord.h>

#define SAMPLES_PER_SECOND 16
#define WINDOW 16 // samples on each side, which is one second

/// Returns the highest height of land and sea in a square of 16 voxels around a point.
static double clearance_ground_around(const TrnTerrain *terrain, const double pose[5])
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

/// Returns the number of a flight's last sample; the first is 0.
static int clearance_last_sample(const Flight *flight)
{
    return (int)(flight_duration(flight) * SAMPLES_PER_SECOND) + 1;
}

static int clearance_clamp_sample(int sample, int last)
{
    return sample < 0 ? 0 : sample > last ? last : sample;
}

/// Returns the ground at a sample, from the cache if possible.
static double clearance_ground_at(Clearance *clearance, const Flight *flight,
                                  const TrnTerrain *terrain, int sample)
{
    ClearanceSample *kept = &clearance->kept[sample % CLEARANCE_KEPT];
    if (kept->number != sample + 1) {
        double pose[5];
        flight_sample(flight, (double)sample / SAMPLES_PER_SECOND, pose);
        *kept = (ClearanceSample){sample + 1, clearance_ground_around(terrain, pose)};
    }
    return kept->ground;
}

/// Returns the highest ground in a window around a sample.
static double clearance_window_max(Clearance *clearance, const Flight *flight,
                                   const TrnTerrain *terrain, int centre)
{
    const int last = clearance_last_sample(flight);
    const int end = clearance_clamp_sample(centre + WINDOW, last);
    int sample = clearance_clamp_sample(centre - WINDOW, last);
    double highest = clearance_ground_at(clearance, flight, terrain, sample);
    while (sample++ < end) {
        highest = fmax(highest, clearance_ground_at(clearance, flight, terrain, sample));
    }
    return highest;
}

/// Returns the lowest height of the camera at a sample: the mean over a window of the maxima over
/// windows of the same width. It is smooth and never below the ground, because each of these maxima
/// includes the sample.
static double clearance_lowest_at(Clearance *clearance, const Flight *flight,
                                  const TrnTerrain *terrain, int sample)
{
    double sum = 0;
    for (int offset = -WINDOW; offset <= WINDOW; offset++) {
        const int centre = clearance_clamp_sample(sample + offset, clearance_last_sample(flight));
        sum += clearance_window_max(clearance, flight, terrain, centre);
    }
    return sum / (2 * WINDOW + 1) + CLEARANCE_VOXELS;
}

double clearance_lowest(Clearance *clearance, const Flight *flight, const TrnTerrain *terrain,
                        double seconds)
{
    const int last = clearance_last_sample(flight);
    const double at = fmax(0, fmin(seconds * SAMPLES_PER_SECOND, last));
    const int sample = (int)at;
    const double part = at - sample;
    return clearance_lowest_at(clearance, flight, terrain, sample) * (1 - part) +
           clearance_lowest_at(clearance, flight, terrain,
                               clearance_clamp_sample(sample + 1, last)) *
               part;
}

/// Returns a smooth maximum: at least the greater of the two.
static double clearance_smooth_max(double a, double b)
{
    const double width = 4;
    return 0.5 * (a + b + sqrt((a - b) * (a - b) + width * width));
}

void clearance_sample(Clearance *clearance, const Flight *flight, const TrnTerrain *terrain,
                      double seconds, double pose[5])
{
    flight_sample(flight, seconds, pose);
    if (flight->is_recording) {
        return;
    }
    const double lowest = clearance_lowest(clearance, flight, terrain, seconds);
    // Far above the limit, the smooth maximum does not change the flight.
    pose[1] = pose[1] > lowest + 64 ? pose[1] : clearance_smooth_max(pose[1], lowest);
    pose[1] = fmin(pose[1], (double)TRN_VOXEL_MAX);
}
