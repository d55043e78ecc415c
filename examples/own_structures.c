// Trees that cross the borders of chunks and are seen from afar, in a generator of a game's own,
// and columns that are computed once. Generates the same land in two orders and compares.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/features.h>
#include <terrane/noise.h>

enum { EDGE = 5, COUNT = EDGE * EDGE * EDGE, COLUMNS = 64 };

/// The heights of a column of chunks, all that the game computes for each (x, z).
typedef struct Column {
    int32_t x, z;
    uint32_t level;
    bool is_set;
    float heights[TRN_CHUNK_EDGE * TRN_CHUNK_EDGE];
} Column;

/// Returns a column, which it computes unless this thread has it from lately. So threads share
/// nothing, and need no lock.
static const Column *find_column(const TrnNoise *noise, int32_t x, int32_t z, uint32_t level)
{
    static _Thread_local Column columns[COLUMNS];
    Column *column = &columns[((uint32_t)x % 8) * 8 + (uint32_t)z % 8];
    if (!column->is_set || column->x != x || column->z != z || column->level != level) {
        const int64_t edge = TRN_CHUNK_EDGE * (INT64_C(1) << level);
        const TrnNoiseGrid grid = {
            {x * edge, 0, z * edge}, level, TRN_CHUNK_EDGE, 1, TRN_CHUNK_EDGE};
        if (trn_noise_fill(noise, &grid, column->heights) != TRN_RESULT_OK) {
            return NULL;
        }
        column->x = x;
        column->z = z;
        column->level = level;
        column->is_set = true;
    }
    return column;
}

/// The y of the topmost voxel of the ground.
static int64_t height_of(const Column *column, uint32_t x, uint32_t z)
{
    return (int64_t)(40 * column->heights[x + TRN_CHUNK_EDGE * z]);
}

static TrnResult generate_ground(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                 bool *uniform)
{
    const Column *column = find_column(user, coord.x, coord.z, level);
    const int64_t low = trn_coord_voxel(coord).y, step = INT64_C(1) << level;
    *uniform = false;
    for (uint32_t i = 0; column && i < TRN_CHUNK_VOXELS; i++) {
        const int64_t under = height_of(column, i % 32, i / 32 % 32) - (low + i / 1024) * step;
        blocks[i] = under < 0 ? TRN_BLOCK_AIR : under < step ? TRN_BLOCK_GRASS : TRN_BLOCK_STONE;
    }
    return column ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

/// Plants the trees whose roots lie in a chunk. Their number and places follow from the chunk
/// alone.
static TrnResult place_trees(void *user, TrnCoord coord, TrnFeatureSink *sink)
{
    const Column *column = find_column(user, coord.x, coord.z, 0);
    const TrnVoxel low = trn_coord_voxel(coord);
    const uint32_t trees = 5 >> trn_feature_level(sink); // fewer from afar, where they are thicker
    uint32_t random = (uint32_t)coord.x * 2654435761u ^ (uint32_t)coord.z * 2246822519u;
    for (uint32_t tree = 0; column && tree < trees; tree++) {
        random = random * 1664525u + 1013904223u;
        const uint32_t x = random >> 27, z = random >> 22 & 31u;
        const TrnVoxel root = {low.x + x, height_of(column, x, z) + 1, low.z + z};
        if (trn_voxel_chunk(root).y != coord.y) {
            continue; // another chunk of this column plants it
        }
        for (int64_t up = 0; up < 6; up++) {
            trn_feature_set(sink, (TrnVoxel){root.x, root.y + up, root.z}, TRN_BLOCK_OAK_LOG);
        }
        for (int64_t i = 0; i < 125; i++) { // where nothing else is
            trn_feature_add(
                sink, (TrnVoxel){root.x + i % 5 - 2, root.y + 4 + i / 25, root.z + i / 5 % 5 - 2},
                TRN_BLOCK_OAK_LEAVES);
        }
    }
    return column ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

/// Generates a box of chunks of a level in their order or in the opposite one.
/// @return how many leaves there are; -1 on failure
static int generate_box(const TrnGenerator *land, uint32_t level, bool backwards,
                        TrnBlock (*out)[TRN_CHUNK_VOXELS])
{
    int leaves = 0;
    for (int32_t i = 0; i < COUNT; i++) {
        const int32_t n = backwards ? COUNT - 1 - i : i;
        const TrnCoord coord = {n % EDGE, n / EDGE / EDGE - EDGE / 2, n / EDGE % EDGE};
        bool uniform;
        if (trn_generator_generate(land, coord, level, out[n], &uniform) != TRN_RESULT_OK) {
            return -1;
        }
        for (uint32_t at = 0; at < TRN_CHUNK_VOXELS; at++) {
            out[n][at] = uniform ? out[n][0] : out[n][at];
            leaves += out[n][at] == TRN_BLOCK_OAK_LEAVES;
        }
    }
    return leaves;
}

int main(void)
{
    const TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, 2);
    TrnNoise noise;
    TrnBlock(*both)[TRN_CHUNK_VOXELS] = malloc((size_t)2 * COUNT * sizeof *both);
    if (!both || trn_noise_compile(&def, &noise) != TRN_RESULT_OK) {
        free(both);
        return 1;
    }
    TrnFeatures features = {.ground = trn_generator_def(generate_ground, &noise),
                            .place = place_trees,
                            .user = &noise,
                            .reach_chunks = 1,
                            .level_max = 2};
    features.ground.level_max = TRN_GENERATOR_LEVEL_MAX;
    const TrnGenerator land = trn_features_generator(&features); // for a stream, too
    const int leaves = generate_box(&land, 0, false, both);
    const int again = generate_box(&land, 0, true, both + COUNT);
    const bool is_same = memcmp(both, both + COUNT, COUNT * sizeof *both) == 0;
    printf("%d leaves in %d chunks, %s in the opposite order.\n", leaves, COUNT,
           is_same && leaves == again ? "the same" : "others");
    printf("From afar: %d leaves at level 1, %d at level 2, %d at level 3.\n",
           generate_box(&land, 1, false, both), generate_box(&land, 2, false, both),
           generate_box(&land, 3, false, both));
    free(both);
    return 0;
}
