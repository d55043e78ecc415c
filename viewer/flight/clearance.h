/// Keeps a flight clear of the ground, whatever land the seed makes.
#ifndef TERRANE_VIEWER_CLEARANCE_H
#define TERRANE_VIEWER_CLEARANCE_H

#include <terrane/terrain.h>

#include "flight/flight.h"

#define CLEARANCE_VOXELS 6.0 ///< the camera stays this far above land and water

/// The lowest a camera may be at each moment of one flight. All zeroes is no flight.
typedef struct Clearance {
    double *lowest; ///< [count] voxel heights, one every 1/16 s
    size_t count;
} Clearance;

/// Looks at the ground under the whole flight. Cost: some 150 terrain heights for each second.
bool clearance_create(Clearance *clearance, const Flight *flight, const TrnTerrain *terrain,
                      Message *problem);
void clearance_free(Clearance *clearance);

/// Where the flight's camera is, raised smoothly where it would come too low; a recording's exactly
/// where it was.
void clearance_sample(const Clearance *clearance, const Flight *flight, double seconds,
                      double pose[5]);

#endif
