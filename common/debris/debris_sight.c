#include "debris/debris_sight.h"

#include <math.h>

// Particles reach out of their chunk, and from the middle of their bottom, by less than this.
#define PARTICLE_REACH 0.25f
#define CHUNK_HALF (0.5f * TRN_CHUNK_EDGE)

static float plane_distance(const float plane[4], const float at[3])
{
    return plane[0] * at[0] + plane[1] * at[1] + plane[2] * at[2] + plane[3];
}

void debris_sight_corner(const DebrisLook *look, TrnCoord coord, float corner[3])
{
    // In 64 bits: the difference of two int32 needs 33.
    corner[0] = (float)(((int64_t)coord.x - look->chunk.x) * TRN_CHUNK_EDGE);
    corner[1] = (float)(((int64_t)coord.y - look->chunk.y) * TRN_CHUNK_EDGE);
    corner[2] = (float)(((int64_t)coord.z - look->chunk.z) * TRN_CHUNK_EDGE);
}

DebrisSight debris_sight_of_chunk(const DebrisLook *look, TrnCoord coord)
{
    float middle[3];
    debris_sight_corner(look, coord, middle);
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] += CHUNK_HALF;
    }
    DebrisSight sight = DEBRIS_SIGHT_ALL;
    for (int i = 0; i < 6; i++) {
        const float *plane = look->planes[i];
        const float reach =
            (fabsf(plane[0]) + fabsf(plane[1]) + fabsf(plane[2])) * (CHUNK_HALF + PARTICLE_REACH);
        const float distance = plane_distance(plane, middle);
        if (distance < -reach) {
            return DEBRIS_SIGHT_NONE;
        }
        if (distance < reach) {
            sight = DEBRIS_SIGHT_SOME;
        }
    }
    return sight;
}

bool debris_sight_has(const DebrisLook *look, const float at[3])
{
    for (int i = 0; i < 6; i++) {
        if (plane_distance(look->planes[i], at) < -PARTICLE_REACH) {
            return false;
        }
    }
    return true;
}
