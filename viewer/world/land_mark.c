#include "world/land_mark.h"

#include <math.h>

#define COLUMNS 8
#define COLUMNS_APART 24L // voxels

static uint64_t mix_height(uint64_t hash, int64_t height)
{
    for (int byte = 0; byte < 8; byte++) {
        hash = (hash ^ ((uint64_t)height >> (8 * byte) & 0xff)) * UINT64_C(0x100000001b3);
    }
    return hash;
}

uint64_t land_mark(const TrnTerrain *terrain, const double point[3])
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < COLUMNS * COLUMNS; i++) {
        const int64_t x =
            (int64_t)floor(point[0]) + (int64_t)COLUMNS_APART * (i % COLUMNS - COLUMNS / 2);
        const int64_t z =
            (int64_t)floor(point[2]) + (int64_t)COLUMNS_APART * (i / COLUMNS - COLUMNS / 2);
        int64_t height = INT64_MIN;
        (void)trn_terrain_height(terrain, x, z, &height); // unchanged outside the world
        hash = mix_height(hash, height);
    }
    return hash;
}
