/// Which particles the last picture shows.
#ifndef TERRANE_COMMON_DEBRIS_SIGHT_H
#define TERRANE_COMMON_DEBRIS_SIGHT_H

#include <stdbool.h>

#include <terrane/coord.h>

/// A camera's chunk and frustum; planes as in debris_look.
typedef struct DebrisLook {
    TrnCoord chunk;
    float planes[6][4];
} DebrisLook;

/// How much of a chunk a look shows.
typedef enum DebrisSight { DEBRIS_SIGHT_NONE, DEBRIS_SIGHT_SOME, DEBRIS_SIGHT_ALL } DebrisSight;

DebrisSight debris_sight_of_chunk(const DebrisLook *look, TrnCoord coord);

/// Whether a look shows a particle. @param at  voxels from the lowest corner of the look's chunk
bool debris_sight_has(const DebrisLook *look, const float at[3]);

/// The lowest corner of a chunk, in voxels from that of the look's chunk.
void debris_sight_corner(const DebrisLook *look, TrnCoord coord, float corner[3]);

#endif
