// Noise compared with a slow reference and between kernels; misuse; threads.

#include "noise_defs.h"

#include <pthread.h>

#include "terrain/noise_impl.h"

/// FNV-1a over the bits of the golden grids, equal for every compiler, setting and machine.
/// Changing it changes every world made of noise, so it needs a reason.
#define GOLDEN_HASH 0x3ECBF80E90047ACEu

/// Returns a coordinate anywhere in the world, often at one of its ends.
static int64_t random_axis(TestRandom *random)
{
    switch (test_random_next(random) % 4) {
    case 0:
        return TRN_VOXEL_MIN + test_random_range(random, 0, 100);
    case 1:
        return TRN_VOXEL_MAX - test_random_range(random, 0, 100);
    case 2:
        return test_random_range(random, -1000, 1000);
    default:
        return test_random_range(random, TRN_VOXEL_MIN, TRN_VOXEL_MAX);
    }
}

static TrnVoxel random_voxel(TestRandom *random)
{
    const int64_t x = random_axis(random), y = random_axis(random), z = random_axis(random);
    return (TrnVoxel){x, y, z};
}

/// Returns a random valid def. @param is_warped  with its own warp
static TrnNoiseDef random_def(TestRandom *random, TrnNoiseKind kind, bool is_warped)
{
    TrnNoiseDef def = trn_noise_def(kind, 2 + (uint32_t)(test_random_next(random) % 2));
    def.seed = test_random_next(random);
    def.stream = (uint32_t)test_random_next(random);
    def.lacunarity = random_between(random, 1.2, 3.0);
    def.gain = random_between(random, 0.2, 1.0);
    if (kind <= TRN_NOISE_RIDGED) {
        def.octaves = (uint32_t)test_random_range(random, 1, 6);
    }
    const double finest = pow(def.lacunarity, def.octaves - 1);
    for (int axis = 0; axis < 3; axis++) {
        def.wavelength[axis] = (float)finest * random_between(random, 1.01, 200.0);
        def.warp[axis] = is_warped ? random_between(random, 0.1, 40.0) : 0.0f;
        def.warp_wavelength[axis] = random_between(random, 8.0, 500.0);
    }
    def.warp_octaves = (uint32_t)test_random_range(random, 1, 4);
    return def;
}

// ---- a slow reference --------------------------------------------------------------------------

/// Computes a voxel's place, moved by a warp. The place is 64 bits of a sum that needs more:
/// unsigned arithmetic computes them exactly.
static Spot reference_spot(const TrnNoiseLayer *layer, TrnVoxel voxel, const long double warp[3])
{
    Spot spot;
    for (int axis = 0; axis < 3; axis++) {
        uint64_t at = layer->origin[axis];
        at += (uint64_t)voxel.x * (uint64_t)layer->step[axis][0];
        at += (uint64_t)voxel.y * (uint64_t)layer->step[axis][1];
        at += (uint64_t)voxel.z * (uint64_t)layer->step[axis][2];
        long double moved = 0;
        for (int world = 0; world < 3; world++) {
            moved += warp[world] * (long double)layer->step[axis][world];
        }
        at += (uint64_t)(int64_t)floorl(moved);
        spot.cell[axis] = (uint32_t)(at >> 32);
        spot.fraction[axis] = (long double)(uint32_t)at / 4294967296.0L;
    }
    return spot;
}

/// Sums over the corners, each with its own product of weights.
static long double reference_layer(const Spot *spot, uint32_t seed, int dimensions)
{
    long double sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        const int offset[3] = {corner & 1, corner >> 1 & 1, corner >> 2};
        if (dimensions == 2 && offset[1]) {
            continue;
        }
        const uint32_t direction = reference_hash(spot, offset, seed, dimensions) >> 27;
        const float *plane = trn_noise_directions_2d[direction].axis;
        const float *space = trn_noise_directions_3d[direction].axis;
        const float gradient[3] = {dimensions == 2 ? plane[0] : space[0],
                                   dimensions == 2 ? 0.0f : space[1],
                                   dimensions == 2 ? plane[1] : space[2]};
        long double weight = 1, dot = 0;
        for (int axis = 0; axis < 3; axis += 4 - dimensions) {
            const long double t = spot->fraction[axis];
            const long double fade = t * t * t * (10 + t * (6 * t - 15));
            weight *= offset[axis] ? fade : 1 - fade;
            dot += (long double)gradient[axis] * (t - offset[axis]);
        }
        sum += weight * dot;
    }
    return sum * 2 / sqrtl(dimensions);
}

static void reference_warp(const TrnNoise *noise, TrnVoxel voxel, long double warp[3])
{
    const uint32_t twists[3] = {0, 0x68E31DA4u, 0xB5297A4Du};
    const long double none[3] = {0, 0, 0};
    for (int axis = 0; axis < 3; axis++) {
        warp[axis] = 0;
        for (uint32_t i = 0; i < noise->warp_layer_count; i++) {
            const TrnNoiseLayer *layer = &noise->warp_layers[i];
            const Spot spot = reference_spot(layer, voxel, none);
            warp[axis] +=
                (long double)layer->weight *
                reference_layer(&spot, layer->seed ^ twists[axis], (int)noise->dimensions);
        }
        warp[axis] *= (long double)noise->warp[axis];
    }
}

static long double reference_value(const TrnNoise *noise, TrnVoxel voxel)
{
    long double warp[3], sum = 0, strength = 1;
    reference_warp(noise, voxel, warp);
    for (uint32_t i = 0; i < noise->layer_count; i++) {
        const TrnNoiseLayer *layer = &noise->layers[i];
        const Spot spot = reference_spot(layer, voxel, warp);
        long double value = reference_layer(&spot, layer->seed, (int)noise->dimensions);
        if (noise->kind == TRN_NOISE_RIDGED) {
            strength *= (1 - fabsl(value)) * (1 - fabsl(value));
            value = strength;
        }
        sum += value * (long double)layer->weight;
    }
    return sum;
}

static void values_match_a_slow_reference(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(71);
    long double worst = 0, worst_warped = 0;
    for (int round = 0; round < 400; round++) {
        const bool is_warped = round % 3 == 0;
        const TrnNoiseDef def =
            random_def(&random, round % 2 ? TRN_NOISE_RIDGED : TRN_NOISE_FRACTAL, is_warped);
        const TrnNoise noise = compiled(&def);
        for (int i = 0; i < 40; i++) {
            const TrnVoxel voxel = random_voxel(&random);
            const long double expected = reference_value(&noise, voxel);
            const long double off = fabsl((long double)trn_noise_at(&noise, voxel) - expected);
            long double *most = is_warped ? &worst_warped : &worst;
            *most = off > *most ? off : *most;
        }
    }
    print_message("  farthest off: %.1e, %.1e with warp\n", (double)worst, (double)worst_warped);
    assert_true(worst < 4e-6L);
    assert_true(worst_warped < 2e-4L); // with forty wavelengths of warp, rounding to float shows
}

/// Finds the nearest two feature points among those of 7 x 7 x 7 cells.
static void reference_cells(const TrnNoise *noise, TrnVoxel voxel, long double nearest[2])
{
    const long double none[3] = {0, 0, 0};
    const int dimensions = (int)noise->dimensions;
    const Spot spot = reference_spot(&noise->layers[0], voxel, none);
    nearest[0] = nearest[1] = 100;
    for (int i = 0; i < 343; i++) {
        const int offset[3] = {i % 7 - 3, i / 7 % 7 - 3, i / 49 - 3};
        if (dimensions == 2 && offset[1]) {
            continue;
        }
        uint32_t hash = reference_hash(&spot, offset, noise->layers[0].seed, dimensions);
        hash = (hash ^ hash >> 15) * 0x85EBCA77u;
        hash ^= hash >> 14;
        const uint32_t steps[3] = {hash & 1023, hash >> 11 & 1023, hash >> 22};
        long double square = 0;
        for (int axis = 0; axis < 3; axis += 4 - dimensions) {
            const long double at = offset[axis] + (steps[axis] + 0.5L) / 1024;
            square += (at - spot.fraction[axis]) * (at - spot.fraction[axis]);
        }
        const long double distance = sqrtl(square);
        if (distance < nearest[0]) {
            nearest[1] = nearest[0];
            nearest[0] = distance;
        } else if (distance < nearest[1]) {
            nearest[1] = distance;
        }
    }
}

static void cells_match_a_search_of_all_cells_around(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(72);
    long double farthest = 0;
    for (int round = 0; round < 200; round++) {
        TrnNoiseDef def = random_def(&random, TRN_NOISE_CELL_DISTANCE, false);
        const TrnNoise near = compiled(&def);
        def.kind = TRN_NOISE_CELL_BORDER;
        const TrnNoise border = compiled(&def);
        for (int i = 0; i < 50; i++) {
            const TrnVoxel voxel = random_voxel(&random);
            long double nearest[2];
            reference_cells(&near, voxel, nearest);
            const float distance = trn_noise_at(&near, voxel), width = trn_noise_at(&border, voxel);
            assert_true(fabsl((long double)distance - nearest[0]) < 1e-5L);
            assert_true(fabsl((long double)width - (nearest[1] - nearest[0])) < 1e-5L);
            farthest = nearest[1] > farthest ? nearest[1] : farthest;
        }
    }
    print_message("  farthest second point %.3f\n", (double)farthest);
    assert_true(farthest > 1.2L); // some needed the second ring
}

static TrnNoiseGrid random_grid(TestRandom *random, uint32_t dimensions)
{
    TrnNoiseGrid grid = {.origin = random_voxel(random)};
    grid.level = (uint32_t)test_random_range(random, 0, 3);
    if (test_random_next(random) % 8 == 0) {
        grid.level = (uint32_t)test_random_range(random, 0, TRN_NOISE_LEVEL_MAX);
    }
    grid.size_x = (uint32_t)test_random_range(random, 1, test_random_next(random) % 4 ? 20 : 150);
    grid.size_z = (uint32_t)test_random_range(random, 1, 9);
    grid.size_y = dimensions == 2 ? 1 : (uint32_t)test_random_range(random, 1, 3);
    return grid;
}

#define MOST_POINTS ((size_t)150 * 9 * 3)

static size_t grid_points(const TrnNoiseGrid *grid)
{
    return (size_t)grid->size_x * grid->size_z * grid->size_y;
}

static void all_kernels_give_the_same_bits(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(73);
    for (unsigned i = 0; trn_kernels_name(&trn_noise_kernels, i); i++) {
        print_message("  %s\n", trn_kernels_name(&trn_noise_kernels, i));
    }
    static float expected[MOST_POINTS], values[MOST_POINTS + 1];
    for (int round = 0; round < 600; round++) {
        const TrnNoiseDef def =
            random_def(&random, (TrnNoiseKind)(round % TRN_NOISE_KIND_COUNT), round % 5 == 0);
        TrnNoise noise = compiled(&def);
        const TrnNoiseGrid grid = random_grid(&random, def.dimensions);
        const size_t bytes = grid_points(&grid) * sizeof(float);
        assert_true(trn_noise_use_kernels(&noise, "scalar"));
        assert_int_equal(trn_noise_fill(&noise, &grid, expected), TRN_RESULT_OK);
        for (unsigned i = 0; trn_kernels_name(&trn_noise_kernels, i); i++) {
            assert_true(trn_noise_use_kernels(&noise, trn_kernels_name(&trn_noise_kernels, i)));
            memset(values, 0xEE, sizeof values);
            assert_int_equal(trn_noise_fill(&noise, &grid, values), TRN_RESULT_OK);
            assert_memory_equal(values, expected, bytes);
            uint32_t behind;
            memcpy(&behind, &values[grid_points(&grid)], sizeof behind);
            assert_int_equal(behind, 0xEEEEEEEE);
        }
    }
}

/// Steps so long that they wrap: the last point of a register is half a cell from the first, and
/// those between are not.
static void steps_that_wrap_give_the_same_bits(void **state)
{
    (void)state;
    const TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, 3);
    const TrnNoiseGrid grid = {{0, 0, 0}, TRN_NOISE_LEVEL_MAX, 64, 1, 1};
    float expected[64], values[64];
    for (uint64_t steps = 3; steps <= 15; steps = steps * 2 + 1) {
        TrnNoise noise = compiled(&def);
        uint64_t inverse = steps; // the inverse of an odd number modulo 2^33, by Newton's method
        for (int i = 0; i < 5; i++) {
            inverse *= 2 - steps * inverse;
        }
        for (uint32_t i = 0; i < noise.layer_count * 3; i++) {
            noise.layers[i / 3].step[i % 3][0] = (int64_t)(inverse & 0x1FFFFFFFF);
            noise.layers[i / 3].origin[i % 3] = 0;
        }
        assert_true(trn_noise_use_kernels(&noise, "scalar"));
        assert_int_equal(trn_noise_fill(&noise, &grid, expected), TRN_RESULT_OK);
        for (unsigned i = 0; trn_kernels_name(&trn_noise_kernels, i); i++) {
            assert_true(trn_noise_use_kernels(&noise, trn_kernels_name(&trn_noise_kernels, i)));
            assert_int_equal(trn_noise_fill(&noise, &grid, values), TRN_RESULT_OK);
            assert_memory_equal(values, expected, sizeof values);
        }
    }
}

static void fill_awkwardly(TestRandom *random, float *warp, size_t count)
{
    const float awkward[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 0.0f, -0.0f, 1e-40f};
    for (size_t i = 0; i < count; i++) {
        const uint64_t choice = test_random_next(random) % 64;
        warp[i] = choice < 8 ? awkward[choice] : random_between(random, -300.0, 300.0);
    }
}

static void warps_give_bounded_values_and_equal_bits_by_all_kernels(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(75);
    static float warp[3][MOST_POINTS], expected[MOST_POINTS], values[MOST_POINTS];
    for (int round = 0; round < 150; round++) {
        const TrnNoiseDef def =
            random_def(&random, (TrnNoiseKind)(round % TRN_NOISE_KIND_COUNT), round % 3 == 0);
        TrnNoise noise = compiled(&def);
        const TrnNoiseGrid grid = random_grid(&random, def.dimensions);
        const float *warps[3];
        for (int axis = 0; axis < 3; axis++) {
            fill_awkwardly(&random, warp[axis], grid_points(&grid));
            warps[axis] = test_random_next(&random) % 4 ? warp[axis] : NULL;
        }
        assert_true(trn_noise_use_kernels(&noise, "scalar"));
        assert_int_equal(trn_noise_fill_warped(&noise, &grid, warps, expected), TRN_RESULT_OK);
        for (size_t i = 0; i < grid_points(&grid); i++) {
            assert_true(expected[i] >= -1.0f && expected[i] <= 1.75f);
        }
        for (unsigned i = 0; trn_kernels_name(&trn_noise_kernels, i); i++) {
            assert_true(trn_noise_use_kernels(&noise, trn_kernels_name(&trn_noise_kernels, i)));
            assert_int_equal(trn_noise_fill_warped(&noise, &grid, warps, values), TRN_RESULT_OK);
            assert_memory_equal(values, expected, grid_points(&grid) * sizeof(float));
        }
    }
}

static void a_warp_by_whole_voxels_moves_by_those_voxels(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(76);
    for (int round = 0; round < 300; round++) {
        const TrnNoiseDef def = random_def(&random, TRN_NOISE_FRACTAL, false);
        const TrnNoise noise = compiled(&def);
        const TrnVoxel voxel = {test_random_range(&random, -9999, 9999), 5, -7};
        const float dx = (float)test_random_range(&random, -30, 30),
                    dy = (float)test_random_range(&random, -30, 30),
                    dz = (float)test_random_range(&random, -30, 30);
        const float *const warp[3] = {&dx, &dy, &dz};
        const TrnNoiseGrid grid = {voxel, 0, 1, 1, 1};
        float value;
        assert_int_equal(trn_noise_fill_warped(&noise, &grid, warp, &value), TRN_RESULT_OK);
        const TrnVoxel there = {voxel.x + (int64_t)dx, voxel.y + (int64_t)dy,
                                voxel.z + (int64_t)dz};
        assert_true(fabsf(value - trn_noise_at(&noise, there)) < 1e-4f);
    }
}

/// A noise as terrains have, with a warp or without.
static TrnNoise land_noise(TestRandom *random, bool is_warped)
{
    TrnNoiseDef def =
        trn_noise_def(test_random_next(random) % 2 ? TRN_NOISE_RIDGED : TRN_NOISE_FRACTAL,
                      test_random_next(random) % 2 ? 2 : 3);
    def.seed = test_random_next(random);
    for (int axis = 0; axis < 3; axis++) {
        def.wavelength[axis] = random_between(random, 60.0, 1700.0);
        def.warp_wavelength[axis] = def.wavelength[axis] * 0.4f;
        def.warp[axis] = is_warped ? def.wavelength[axis] * 0.13f : 0.0f;
    }
    return compiled(&def);
}

static void scattered_points_have_the_values_of_their_voxels(void **state)
{
    (void)state;
    enum { MOST = 200 };
    TestRandom random = test_random_seeded(79);
    float points[3][MOST], values[MOST + 1], expected[MOST + 1];
    for (int round = 0; round < 100; round++) {
        TrnNoise noise = land_noise(&random, round % 2);
        const TrnVoxel origin = {test_random_range(&random, -99999, 99999), 8, -70000000000};
        const uint32_t count = (uint32_t)test_random_range(&random, 0, MOST);
        for (uint32_t i = 0; i < count; i++) {
            for (int axis = 0; axis < 3; axis++) {
                points[axis][i] = (float)test_random_range(&random, -4, 1100);
            }
        }
        const bool is_level = round % 4 < 2; // all at the origin's height
        const float *const by_axis[3] = {points[0], is_level ? NULL : points[1], points[2]};
        expected[count] = 7.0f;
        for (unsigned i = 0; trn_kernels_name(&trn_noise_kernels, i); i++) {
            assert_true(trn_noise_use_kernels(&noise, trn_kernels_name(&trn_noise_kernels, i)));
            values[count] = 7.0f; // nothing is written beyond the end
            trn_noise_fill_points(&noise, origin, by_axis, count, i == 0 ? expected : values);
            assert_memory_equal(i == 0 ? expected : values, expected, (count + 1) * sizeof(float));
        }
        for (uint32_t i = 0; i < count; i++) {
            const TrnVoxel voxel = {origin.x + (int64_t)points[0][i],
                                    origin.y + (is_level ? 0 : (int64_t)points[1][i]),
                                    origin.z + (int64_t)points[2][i]};
            assert_true(fabsf(expected[i] - trn_noise_at(&noise, voxel)) < 1e-3f);
        }
    }
}

static TrnVoxel voxel_of(const TrnNoiseGrid *grid, uint32_t x, uint32_t y, uint32_t z)
{
    return (TrnVoxel){grid->origin.x + ((int64_t)x << grid->level),
                      grid->origin.y + ((int64_t)y << grid->level),
                      grid->origin.z + ((int64_t)z << grid->level)};
}

static void a_grid_is_its_voxels_at_every_level(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(77);
    static float values[MOST_POINTS];
    for (int round = 0; round < 200; round++) {
        const TrnNoiseDef def =
            random_def(&random, (TrnNoiseKind)(round % TRN_NOISE_KIND_COUNT), round % 4 == 0);
        const TrnNoise noise = compiled(&def);
        const TrnNoiseGrid grid = random_grid(&random, def.dimensions);
        assert_int_equal(trn_noise_fill(&noise, &grid, values), TRN_RESULT_OK);
        for (int i = 0; i < 40; i++) {
            const uint32_t x = (uint32_t)test_random_range(&random, 0, grid.size_x - 1),
                           y = (uint32_t)test_random_range(&random, 0, grid.size_y - 1),
                           z = (uint32_t)test_random_range(&random, 0, grid.size_z - 1);
            const float alone = trn_noise_at(&noise, voxel_of(&grid, x, y, z));
            const size_t index = ((size_t)y * grid.size_z + z) * grid.size_x + x;
            assert_memory_equal(&alone, &values[index], sizeof alone);
        }
    }
}

static void coarser_levels_hold_every_second_point(void **state)
{
    (void)state;
    static float fine[64 * 64], coarse[64 * 64];
    const TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, 2);
    const TrnNoise noise = compiled(&def);
    const TrnNoiseGrid full = {{-9000, 0, 777}, 0, 64, 1, 64};
    assert_int_equal(trn_noise_fill(&noise, &full, fine), TRN_RESULT_OK);
    for (uint32_t level = 1; level < 6; level++) {
        const uint32_t size = 64u >> level;
        const TrnNoiseGrid grid = {full.origin, level, size, 1, size};
        assert_int_equal(trn_noise_fill(&noise, &grid, coarse), TRN_RESULT_OK);
        for (uint32_t i = 0; i < size * size; i++) {
            const uint32_t x = i % size << level, z = i / size << level;
            assert_memory_equal(&coarse[i], &fine[z * 64 + x], sizeof(float));
        }
    }
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ at[i]) * 0x100000001B3u;
    }
    return hash;
}

/// Of each kind, plain and warped, in 2D and in 3D, at nine places of the world.
static uint64_t golden_hash(const char *kernels)
{
    uint64_t hash = 0xCBF29CE484222325u;
    float values[20 * 5 * 3];
    const int64_t ends[3] = {TRN_VOXEL_MIN, 12345, TRN_VOXEL_MAX - 8};
    for (uint32_t i = 0; i < (uint32_t)TRN_NOISE_KIND_COUNT * 4 * 9; i++) {
        TrnNoiseDef def = trn_noise_def((TrnNoiseKind)(i % TRN_NOISE_KIND_COUNT), 2 + i / 4 % 2);
        def.seed = 20240607;
        def.wavelength[1] = 40.0f;
        def.warp[0] = def.warp[1] = def.warp[2] = i / 8 % 2 ? 25.0f : 0.0f;
        TrnNoise noise = compiled(&def);
        assert_true(trn_noise_use_kernels(&noise, kernels));
        const TrnNoiseGrid grid = {{ends[i / 16 % 3], ends[i / 48], ends[(i / 16 + i / 48) % 3]},
                                   i % 3,
                                   20,
                                   def.dimensions == 2 ? 1 : 3,
                                   5};
        assert_int_equal(trn_noise_fill(&noise, &grid, values), TRN_RESULT_OK);
        hash = hash_bytes(hash, values, grid_points(&grid) * sizeof *values);
    }
    return hash;
}

static void the_same_def_is_the_same_noise_everywhere(void **state)
{
    (void)state;
    for (unsigned i = 0; trn_kernels_name(&trn_noise_kernels, i); i++) {
        const uint64_t hash = golden_hash(trn_kernels_name(&trn_noise_kernels, i));
        print_message("  %s: 0x%016llX\n", trn_kernels_name(&trn_noise_kernels, i),
                      (unsigned long long)hash);
        assert_true(hash == GOLDEN_HASH);
    }
}

static void equal_defs_give_equal_bytes(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(78);
    for (int round = 0; round < 50; round++) {
        const TrnNoiseDef def = random_def(&random, TRN_NOISE_FRACTAL, round % 2);
        TrnNoise a, b;
        memset(&a, 0x11, sizeof a);
        memset(&b, 0x22, sizeof b);
        assert_int_equal(trn_noise_compile(&def, &a), TRN_RESULT_OK);
        assert_int_equal(trn_noise_compile(&def, &b), TRN_RESULT_OK);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

// ---- misuse ------------------------------------------------------------------------------------

static void absurd_defs_are_refused_with_a_sentence(void **state)
{
    (void)state;
    const float bad_numbers[] = {NAN, -1.0f, 0.0f, INFINITY, -INFINITY, 0.5f, 2e6f, 1e-40f};
    for (int field = 0; field < 9; field++) {
        for (size_t i = 0; i < sizeof bad_numbers / sizeof bad_numbers[0]; i++) {
            TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, 3);
            def.warp[0] = 1.0f;
            float *const fields[9] = {&def.wavelength[0],
                                      &def.wavelength[1],
                                      &def.wavelength[2],
                                      &def.warp_wavelength[0],
                                      &def.warp_wavelength[1],
                                      &def.warp_wavelength[2],
                                      &def.lacunarity,
                                      &def.gain,
                                      &def.warp[2]};
            const bool is_fine = (field >= 7 && bad_numbers[i] == 0.5f) ||
                                 (field >= 7 && bad_numbers[i] == 1e-40f) ||
                                 (field == 8 && bad_numbers[i] == 0.0f);
            *fields[field] = bad_numbers[i];
            TrnNoise noise;
            memset(&noise, 0x5A, sizeof noise);
            const TrnNoise before = noise;
            const char *fault = trn_noise_def_fault(&def);
            assert_true((fault == NULL) == is_fine);
            assert_int_equal(trn_noise_compile(&def, &noise),
                             is_fine ? TRN_RESULT_OK : TRN_RESULT_BAD_ARGUMENT);
            if (!is_fine) {
                assert_true(strlen(fault) > 20 && fault[strlen(fault) - 1] == '.');
                assert_memory_equal(&noise, &before, sizeof noise);
            }
        }
    }
}

static void counts_and_kinds_out_of_range_are_refused(void **state)
{
    (void)state;
    TrnNoise noise;
    for (int i = 0; i < 11; i++) {
        TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, 3);
        def.warp[0] = 1.0f;
        def.octaves = i == 0 ? 0 : i == 1 ? TRN_NOISE_OCTAVE_MAX + 1 : def.octaves;
        def.dimensions = i == 2 ? 0 : i == 3 ? 1 : i == 4 ? 4 : i == 5 ? UINT32_MAX : 3;
        def.warp_octaves = i == 6 ? 0 : i == 7 ? TRN_NOISE_WARP_OCTAVE_MAX + 1 : 1;
        def.kind = i == 8 ? TRN_NOISE_KIND_COUNT : i == 9 ? TRN_NOISE_CELL_BORDER : def.kind;
        def.wavelength[0] = i == 10 ? 7.0f : 64.0f; // the fourth layer's is below one
        assert_non_null(trn_noise_def_fault(&def));
        assert_int_equal(trn_noise_compile(&def, &noise), TRN_RESULT_BAD_ARGUMENT);
    }
    const TrnNoiseDef good = trn_noise_def(TRN_NOISE_FRACTAL, 3);
    assert_non_null(trn_noise_def_fault(NULL));
    assert_int_equal(trn_noise_compile(NULL, &noise), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_noise_compile(&good, NULL), TRN_RESULT_BAD_ARGUMENT);
}

static void grids_out_of_range_are_refused_and_write_nothing(void **state)
{
    (void)state;
    const TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, 2);
    const TrnNoise noise = compiled(&def);
    const TrnNoise none = {.layer_count = 0};
    const TrnNoiseGrid good = {{0, 0, 0}, 0, 1, 1, 1};
    float value = 7.0f;
    for (int i = 0; i < 9; i++) {
        TrnNoiseGrid grid = good;
        grid.origin.x = i == 0 ? TRN_VOXEL_MAX + TRN_NOISE_MARGIN + 1 : i == 1 ? INT64_MIN : 0;
        grid.level = i == 2 ? TRN_NOISE_LEVEL_MAX + 1 : i == 3 ? UINT32_MAX : 0;
        grid.size_x = i == 4 ? 0 : i == 8 ? UINT32_MAX : 1;
        grid.size_y = i == 5 ? 0 : i == 6 ? 2 : 1; // a 2D grid has no height
        grid.size_z = i == 7 ? 0 : i == 8 ? UINT32_MAX : 1;
        if (i != 8 || SIZE_MAX / sizeof(float) < UINT64_MAX / 4) {
            assert_int_equal(trn_noise_fill(&noise, &grid, &value), TRN_RESULT_BAD_ARGUMENT);
        }
    }
    const TrnNoiseDef space = trn_noise_def(TRN_NOISE_FRACTAL, 3);
    const TrnNoise in_space = compiled(&space);
    const TrnNoiseGrid huge = {{0, 0, 0}, 0, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    assert_int_equal(trn_noise_fill(&in_space, &huge, &value), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_noise_fill(&noise, NULL, &value), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_noise_fill(NULL, &good, &value), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_noise_fill(&noise, &good, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_noise_fill(&none, &good, &value), TRN_RESULT_BAD_ARGUMENT);
    assert_true(value == 7.0f);
    assert_true(trn_noise_at(&none, (TrnVoxel){1, 2, 3}) == 0.0f);
}

static void defs_of_random_bytes_are_refused_or_work(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(80);
    int worked = 0;
    for (int round = 0; round < 20000; round++) {
        TrnNoiseDef def = random_def(&random, (TrnNoiseKind)(round % 4), round % 2);
        for (int i = 0; i < 2; i++) {
            uint8_t bytes[sizeof def];
            memcpy(bytes, &def, sizeof def);
            bytes[test_random_next(&random) % sizeof def] = (uint8_t)test_random_next(&random);
            memcpy(&def, bytes, sizeof def);
        }
        TrnNoise noise;
        if (trn_noise_compile(&def, &noise) != TRN_RESULT_OK) {
            continue;
        }
        worked++;
        const float value = trn_noise_at(&noise, random_voxel(&random));
        assert_true(value >= -1.0f && value <= 1.74f);
    }
    print_message("  %d of 20000 worked\n", worked);
    assert_in_range(worked, 2000, 18000);
}

typedef struct Worker {
    pthread_t thread;
    const TrnNoise *noise;
    uint64_t hash;
} Worker;

static void *work(void *argument)
{
    Worker *worker = argument;
    float values[32 * 32];
    worker->hash = 1;
    for (int32_t y = 0; y < 50; y++) {
        const TrnNoiseGrid grid = {{5, y, -9}, 1, 32, 1, 32};
        if (trn_noise_fill(worker->noise, &grid, values) == TRN_RESULT_OK) {
            worker->hash = hash_bytes(worker->hash, values, sizeof values);
        }
    }
    return NULL;
}

static void threads_share_one_noise(void **state)
{
    (void)state;
    test_needs_threads();
    TrnNoiseDef def = trn_noise_def(TRN_NOISE_RIDGED, 3);
    def.warp[0] = def.warp[1] = def.warp[2] = 20.0f;
    const TrnNoise noise = compiled(&def);
    Worker workers[4];
    for (int i = 0; i < 4; i++) {
        workers[i] = (Worker){.noise = &noise};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        assert_true(workers[i].hash == workers[0].hash);
    }
}

/// @param argv  a pattern of test names, such as "*thread*"
int main(int argc, char **argv)
{
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_match_a_slow_reference),
        cmocka_unit_test(cells_match_a_search_of_all_cells_around),
        cmocka_unit_test(all_kernels_give_the_same_bits),
        cmocka_unit_test(steps_that_wrap_give_the_same_bits),
        cmocka_unit_test(warps_give_bounded_values_and_equal_bits_by_all_kernels),
        cmocka_unit_test(a_warp_by_whole_voxels_moves_by_those_voxels),
        cmocka_unit_test(scattered_points_have_the_values_of_their_voxels),
        cmocka_unit_test(a_grid_is_its_voxels_at_every_level),
        cmocka_unit_test(coarser_levels_hold_every_second_point),
        cmocka_unit_test(the_same_def_is_the_same_noise_everywhere),
        cmocka_unit_test(equal_defs_give_equal_bytes),
        cmocka_unit_test(absurd_defs_are_refused_with_a_sentence),
        cmocka_unit_test(counts_and_kinds_out_of_range_are_refused),
        cmocka_unit_test(grids_out_of_range_are_refused_and_write_nothing),
        cmocka_unit_test(defs_of_random_bytes_are_refused_or_work),
        cmocka_unit_test(threads_share_one_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
