/// Keeps a flight above the ground of any land.
///
/// Samples the ground two seconds before and after a moment, and only when the flight gets there: a
/// flight may be an hour long and cross the whole world.
#pragma once

#include <terrane/terrain.h>

#include "flight/flight.h"

#define CLEARANCE_VOXELS 6.0 ///< least height of the camera above land and water

/// Cached samples: more than one moment needs.
#define CLEARANCE_KEPT 128

/// The ground at one moment of a flight.
typedef struct ClearanceSample {
    int number; ///< in 1/16 s, counted from 1; 0: unused
    double ground;
} ClearanceSample;

/// Cache of ground samples, for one flight over one land. All zeroes: empty.
typedef struct Clearance {
    ClearanceSample kept[CLEARANCE_KEPT]; ///< by number modulo CLEARANCE_KEPT
} Clearance;

/// Returns the lowest height of the camera at a moment of a flight.
/// @param seconds  after the first key, clamped to the flight
/// Cost: 9 terrain heights for each 1/16 s that is not cached in the two seconds before and after
/// the moment: none if the last call was 1/60 s before, up to 600 after a jump.
double clearance_lowest(Clearance *clearance, const Flight *flight, const TrnTerrain *terrain,
                        double seconds);

/// Returns the pose of a flight's camera, raised smoothly if it would be too low. Recordings are
/// not raised. Cost: as clearance_lowest().
void clearance_sample(Clearance *clearance, const Flight *flight, const TrnTerrain *terrain,
                      double seconds, double pose[5]);
