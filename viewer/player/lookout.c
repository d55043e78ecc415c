// Samples the land around a column, casts rays from each hilltop, and scores the visible samples.

#include "player/lookout.h"

#include <math.h>
#include <stdlib.h>

#include <terrane/coord.h>

#define LEVEL 3 // samples every 8th voxel
#define STRIDE ((int64_t)1 << LEVEL)
#define CHUNKS 5              // along an edge of the sampled square
#define MARGIN TRN_CHUNK_EDGE // samples around the hilltops, for the rays
#define REACH 40              // length of a ray in samples: 320 voxels
#define DIRECTIONS 32         // rays from a hilltop
#define VIEW 7                // adjacent rays in one picture: 79 degrees
#define EYES 15.0f            // above the ground, in voxels; most trees are lower
#define CROWNS 8.0f           // height of a forest above its ground
#define CLEARING 2            // samples around a hilltop that must be free of forest
#define CLOSE 6               // samples around the eyes where no land may hide the view
#define STEEP_CLOSE 0.2f      // greatest rise of close land
#define STEEP_PEAK 0.05f      // least rise of a mountain
#ifdef __EMSCRIPTEN__
#define PITCH (-24.0) // on the page, with the little land that is there at first
#else
#define PITCH (-13.0) // the land fills more than half of the picture
#endif

enum {
    EDGE = CHUNKS * TRN_CHUNK_EDGE, ///< samples along an edge of the square
    SAMPLES = EDGE * EDGE,
    CHUNK_SAMPLES = TRN_CHUNK_EDGE * TRN_CHUNK_EDGE
};

typedef enum Cover { COVER_LAND, COVER_FOREST, COVER_SEA, COVER_COUNT } Cover;

typedef struct Land {
    float tops[SAMPLES]; ///< top of the ground, the sea or the forest, in voxels
    uint8_t covers[SAMPLES];
} Land;

/// Samples visible along one ray or in one picture.
typedef struct Sight {
    uint32_t by_cover[COVER_COUNT];
    uint32_t peaks;  ///< samples that rise above the eyes
    bool is_blocked; ///< by close land
} Sight;

static void lookout_take_sample(const TrnTerrainSample *sample, Land *land, size_t i)
{
    const bool is_sea = sample->height < TRN_TERRAIN_SEA_LEVEL || sample->surface != sample->top;
    const bool is_forest = sample->biome == TRN_TERRAIN_BIOME_FOREST;
    const float ground = is_sea && sample->height < TRN_TERRAIN_SEA_LEVEL
                             ? (float)TRN_TERRAIN_SEA_LEVEL
                             : (float)sample->surface_y;
    land->covers[i] = (uint8_t)(is_sea ? COVER_SEA : is_forest ? COVER_FOREST : COVER_LAND);
    land->tops[i] = ground + (land->covers[i] == COVER_FOREST ? CROWNS : 0);
}

/// @param first  the chunk with the least x and z
static bool lookout_sample_land(TrnTerrain *terrain, int64_t first_x, int64_t first_z, Land *land)
{
    TrnTerrainSample samples[CHUNK_SAMPLES];
    for (int64_t chunk = 0; chunk < (int64_t)CHUNKS * CHUNKS; chunk++) {
        const int64_t x = chunk % CHUNKS, z = chunk / CHUNKS;
        if (trn_terrain_sample_level(terrain, (int32_t)(first_x + x), (int32_t)(first_z + z), LEVEL,
                                     samples) != TRN_RESULT_OK) {
            return false; // end of the world, or out of memory
        }
        for (int64_t i = 0; i < CHUNK_SAMPLES; i++) {
            const int64_t row = z * TRN_CHUNK_EDGE + i / TRN_CHUNK_EDGE;
            lookout_take_sample(&samples[i], land,
                                (size_t)(row * EDGE + x * TRN_CHUNK_EDGE + i % TRN_CHUNK_EDGE));
        }
    }
    return true;
}

/// Whether a sample is dry, has no trees around it, and has no higher neighbour.
static bool lookout_is_hilltop(const Land *land, int x, int z)
{
    const size_t here = (size_t)z * EDGE + (size_t)x;
    for (int i = -CLEARING; i <= CLEARING; i++) {
        for (int k = -CLEARING; k <= CLEARING; k++) {
            const size_t near = (size_t)(z + i) * EDGE + (size_t)(x + k);
            const bool is_beside = abs(i) <= 1 && abs(k) <= 1;
            if (land->covers[near] == COVER_FOREST ||
                (is_beside && land->tops[near] > land->tops[here])) {
                return false;
            }
        }
    }
    return land->covers[here] == COVER_LAND;
}

/// Casts a ray from the eyes above a sample in one direction.
static Sight lookout_look_along(const Land *land, int x, int z, int direction)
{
    const float turn = (float)direction * (6.2831853f / DIRECTIONS);
    const float way_x = sinf(turn), way_z = -cosf(turn);
    const float eyes = land->tops[(size_t)z * EDGE + (size_t)x] + EYES;
    float steepest = -1e9f;
    Sight sight = {.peaks = 0};
    for (int i = 1; i <= REACH; i++) {
        const int at_x = (int)lroundf((float)x + way_x * (float)i);
        const int at_z = (int)lroundf((float)z + way_z * (float)i);
        if (at_x < 0 || at_x >= EDGE || at_z < 0 || at_z >= EDGE) {
            break;
        }
        const size_t at = (size_t)at_z * EDGE + (size_t)at_x;
        const float rise = (land->tops[at] - eyes) / (float)(i * STRIDE);
        if (rise < steepest) {
            continue; // hidden by nearer land
        }
        steepest = rise;
        sight.by_cover[land->covers[at]]++;
        sight.peaks += rise > STEEP_PEAK;
        sight.is_blocked |= i <= CLOSE && rise > STEEP_CLOSE;
    }
    return sight;
}

/// Maps a count to 0..1 with diminishing returns; `half` gives 0.5.
static float lookout_enough(uint32_t count, float half)
{
    return (float)count / ((float)count + half);
}

/// @param height  of the ground above the sea, in voxels
static float lookout_score_of(const Sight *sight, float height)
{
    const uint32_t sea = sight->by_cover[COVER_SEA], forest = sight->by_cover[COVER_FOREST];
    const uint32_t land = sight->by_cover[COVER_LAND] + forest;
    const float coast = lookout_enough(sea < land ? sea : land, 20);
    return sight->is_blocked
               ? 0.0f
               : coast + lookout_enough(forest, 15) + lookout_enough(sight->peaks, 10) +
                     lookout_enough(land, 40) + 1.5f * height / (height + 30.0f);
}

/// Scores the best picture from a hilltop. @param direction  receives its middle ray
static float lookout_look_around(const Land *land, int x, int z, int *direction)
{
    Sight sights[DIRECTIONS];
    float best = 0;
    for (int i = 0; i < DIRECTIONS; i++) {
        sights[i] = lookout_look_along(land, x, z, i);
    }
    for (int middle = 0; middle < DIRECTIONS; middle++) {
        Sight whole = {.peaks = 0};
        for (int i = 0; i < VIEW; i++) {
            const Sight *part = &sights[(middle + DIRECTIONS + i - VIEW / 2) % DIRECTIONS];
            for (int cover = 0; cover < COVER_COUNT; cover++) {
                whole.by_cover[cover] += part->by_cover[cover];
            }
            whole.peaks += part->peaks;
            whole.is_blocked |= part->is_blocked;
        }
        const float score = lookout_score_of(&whole, land->tops[(size_t)z * EDGE + (size_t)x]);
        if (score > best) {
            best = score;
            *direction = middle;
        }
    }
    return best;
}

/// @param pose  receives the eyes in samples, and the yaw
static bool lookout_find_best(const Land *land, double pose[5])
{
    float best = 0;
    for (int z = MARGIN; z < EDGE - MARGIN; z++) {
        for (int x = MARGIN; x < EDGE - MARGIN; x++) {
            int direction = 0;
            const float score =
                lookout_is_hilltop(land, x, z) ? lookout_look_around(land, x, z, &direction) : 0;
            if (score > best) {
                best = score;
                pose[0] = x;
                pose[1] = (double)(land->tops[(size_t)z * EDGE + (size_t)x] + EYES);
                pose[2] = z;
                pose[3] = direction * (360.0 / DIRECTIONS);
                pose[4] = PITCH;
            }
        }
    }
    return best > 0;
}

bool lookout_find(TrnTerrain *terrain, int64_t x, int64_t z, double pose[5])
{
    // The shift rounds towards minus infinity, like the grid.
    const int shift = LEVEL + TRN_CHUNK_SHIFT;
    const int64_t first_x = (x >> shift) - CHUNKS / 2, first_z = (z >> shift) - CHUNKS / 2;
    if (!trn_voxel_in_world((TrnVoxel){x, 0, z})) {
        return false;
    }
    Land *land = malloc(sizeof *land);
    double best[5] = {0};
    const bool is_found = land && lookout_sample_land(terrain, first_x, first_z, land) &&
                          lookout_find_best(land, best);
    free(land);
    if (is_found) {
        pose[0] = (double)(first_x * TRN_CHUNK_EDGE * STRIDE) + best[0] * (double)STRIDE + 0.5;
        pose[1] = best[1];
        pose[2] = (double)(first_z * TRN_CHUNK_EDGE * STRIDE) + best[2] * (double)STRIDE + 0.5;
        pose[3] = best[3];
        pose[4] = best[4];
    }
    return is_found;
}

double lookout_hours(double yaw)
{
    const double morning = 7.0, evening = 17.0; // the sun rises in the east, yaw 90
    return sin(yaw * (3.14159265358979 / 180)) > 0 ? evening : morning;
}
