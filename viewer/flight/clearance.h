/// Keeps a flight above the ground of any land.
#ifndef TERRANE_VIEWER_CLEARANCE_H
#define TERRANE_VIEWER_CLEARANCE_H

#include <terrane/terrain.h>

#include "flight/flight.h"

#define CLEARANCE_VOXELS 6.0 ///< least height of the camera above land and water

/// The lowest allowed height of the camera at each moment of a flight. All zeroes: no flight.
typedef struct Clearance {
    double *lowest; ///< [count] voxel heights, one for every 1/16 s
    size_t count;
} Clearance;

/// Looks up the ground below the whole flight. Cost: some 150 terrain heights for each second.
bool clearance_create(Clearance *clearance, const Flight *flight, const TrnTerrain *terrain,
                      Message *problem);
void clearance_free(Clearance *clearance);

/// Returns the pose of a flight's camera, raised smoothly if it would be too low. Recordings are
/// not raised.
void clearance_sample(const Clearance *clearance, const Flight *flight, double seconds,
                      double pose[5]);

#endif
