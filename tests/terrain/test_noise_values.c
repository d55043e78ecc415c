// Statistics of noise: the distribution of values, no preferred direction, no repetition, no
// jumps.

#include "noise_defs.h"

// ---- a slow reference --------------------------------------------------------------------------

typedef struct Spread {
    double mean, deviation, least, most;
} Spread;

static Spread spread_of(const float *values, size_t count)
{
    double sum = 0, squares = 0;
    Spread spread = {.least = INFINITY, .most = -INFINITY};
    for (size_t i = 0; i < count; i++) {
        sum += (double)values[i];
        squares += (double)values[i] * (double)values[i];
        spread.least = fmin(spread.least, values[i]);
        spread.most = fmax(spread.most, values[i]);
    }
    spread.mean = sum / (double)count;
    spread.deviation = sqrt(squares / (double)count - spread.mean * spread.mean);
    return spread;
}

/// Samples every 2^level-th voxel: far apart compared with the wavelength, so that samples are
/// independent.
static void sample_from(const TrnNoise *noise, TrnVoxel origin, uint32_t level, float *values)
{
    const bool is_flat = noise->dimensions == 2;
    const TrnNoiseGrid grid = {origin, level, 64, is_flat ? 1 : 64, is_flat ? 4096 : 64};
    assert_int_equal(trn_noise_fill(noise, &grid, values), TRN_RESULT_OK);
}

#define SAMPLES ((size_t)262144)
static float samples[2][SAMPLES];

static void values_have_the_right_distribution(void **state)
{
    (void)state;
    const struct {
        TrnNoiseKind kind;
        uint32_t dimensions, octaves;
        double mean, deviation;
    } expected[] = {
        {TRN_NOISE_FRACTAL, 2, 1, 0.0, 0.305},
        {TRN_NOISE_FRACTAL, 3, 1, 0.0, 0.221},
        {TRN_NOISE_FRACTAL, 2, 4, 0.0, 0.188},
        {TRN_NOISE_FRACTAL, 3, 4, 0.0, 0.136},
        {TRN_NOISE_RIDGED, 2, 4, 0.448, 0.194},
        {TRN_NOISE_RIDGED, 3, 4, 0.550, 0.168},
        {TRN_NOISE_CELL_DISTANCE, 2, 1, 0.429, 0.189},
        {TRN_NOISE_CELL_DISTANCE, 3, 1, 0.520, 0.172},
        {TRN_NOISE_CELL_BORDER, 2, 1, 0.270, 0.201},
        {TRN_NOISE_CELL_BORDER, 3, 1, 0.197, 0.158},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        TrnNoiseDef def = trn_noise_def(expected[i].kind, expected[i].dimensions);
        def.octaves = expected[i].octaves;
        def.wavelength[0] = def.wavelength[1] = def.wavelength[2] = 101.0f;
        const TrnNoise noise = compiled(&def);
        sample_from(&noise, (TrnVoxel){0, 0, 0}, 9, samples[0]);
        const Spread spread = spread_of(samples[0], SAMPLES);
        print_message("  kind %d, %uD, %u octaves: mean %.4f, deviation %.4f, %.3f .. %.3f\n",
                      (int)def.kind, def.dimensions, def.octaves, spread.mean, spread.deviation,
                      spread.least, spread.most);
        const bool is_signed = def.kind == TRN_NOISE_FRACTAL;
        assert_true(fabs(spread.mean - expected[i].mean) < 0.004);
        assert_true(fabs(spread.deviation - expected[i].deviation) < 0.004);
        assert_true(spread.least >= (is_signed ? -1.0 : 0.0));
        assert_true(spread.most <= (def.kind < TRN_NOISE_CELL_DISTANCE ? 1.0 : 1.74));
    }
}

/// With all corners' gradients pointing at a point, or away from it, the value is largest; it is
/// largest in the middle of a cell.
static void values_never_exceed_one(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        double most = 0;
        for (int i = 0; i <= 48 * 48 * 48; i++) {
            const double t[3] = {(i % 49) / 48.0, dimensions == 3 ? (i / 49 % 49) / 48.0 : 0.0,
                                 (i / (49 * 49) % 49) / 48.0};
            double sum = 0;
            for (int corner = 0; corner < 8; corner++) {
                double weight = 1, square = 0;
                for (int axis = 0; axis < 3; axis++) {
                    const int end = corner >> axis & 1;
                    const double fade = pow(t[axis], 3) * (10 + t[axis] * (6 * t[axis] - 15));
                    weight *= end ? fade : 1 - fade;
                    square += (t[axis] - end) * (t[axis] - end);
                }
                sum += weight * sqrt(square);
            }
            most = fmax(most, sum);
        }
        assert_true(most < sqrt(dimensions) / 2 + 1e-9);
        assert_true(most > sqrt(dimensions) / 2 - 1e-9);
    }
}

static double correlation(const float *a, const float *b, size_t count)
{
    const Spread of_a = spread_of(a, count), of_b = spread_of(b, count);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += ((double)a[i] - of_a.mean) * ((double)b[i] - of_b.mean);
    }
    return sum / (double)count / (of_a.deviation * of_b.deviation);
}

/// By chance the correlation exceeds 5 / sqrt(262,144) in one of a million cases.
#define BY_CHANCE 0.0098

static void nothing_repeats_a_power_of_two_away(void **state)
{
    (void)state;
    for (uint32_t dimensions = 2; dimensions <= 3; dimensions++) {
        TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, dimensions);
        def.octaves = 1;
        def.wavelength[0] = def.wavelength[1] = def.wavelength[2] = 61.0f;
        const TrnNoise noise = compiled(&def);
        sample_from(&noise, (TrnVoxel){0, 0, 0}, 9, samples[0]);
        double most = 0;
        for (int shift = 10; shift <= 35; shift++) {
            // Along the lattice's own axis, with cells a power of two apart.
            const TrnNoiseLayer *layer = &noise.layers[0];
            const double turn = 61.0 / 4294967296.0, far = (double)((int64_t)1 << shift);
            const TrnVoxel origin = {(int64_t)(far * 61.0 * turn * (double)layer->step[0][0]),
                                     (int64_t)(far * 61.0 * turn * (double)layer->step[0][1]),
                                     (int64_t)(far * 61.0 * turn * (double)layer->step[0][2])};
            if (!trn_voxel_in_world(origin)) {
                break;
            }
            sample_from(&noise, origin, 9, samples[1]);
            most = fmax(most, fabs(correlation(samples[0], samples[1], SAMPLES)));
        }
        print_message("  %uD: at most %.4f\n", dimensions, most);
        assert_true(most < BY_CHANCE);
    }
}

static void seeds_streams_and_layers_are_independent(void **state)
{
    (void)state;
    double most = 0;
    for (uint32_t i = 0; i < 12; i++) {
        TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, 2 + i % 2);
        def.octaves = 1;
        def.wavelength[0] = def.wavelength[1] = def.wavelength[2] = 61.0f;
        const TrnNoise a = compiled(&def);
        def.seed += i / 2 % 3 == 0 ? 1u << i : 0;
        def.stream += i / 2 % 3 == 1 ? 1 + i : 0;
        def.seed = i / 2 % 3 == 2 ? UINT64_MAX - i : def.seed;
        const TrnNoise b = compiled(&def);
        sample_from(&a, (TrnVoxel){0, 0, 0}, 9, samples[0]);
        sample_from(&b, (TrnVoxel){0, 0, 0}, 9, samples[1]);
        most = fmax(most, fabs(correlation(samples[0], samples[1], SAMPLES)));
        // Nor is one a moved copy of the other: their lattices have different directions.
        assert_int_not_equal(a.layers[0].seed, b.layers[0].seed);
    }
    print_message("  at most %.4f\n", most);
    assert_true(most < BY_CHANCE);
}

/// Each of 32 directions is drawn equally often, also in pairs of neighbouring cells.
static void directions_are_drawn_evenly(void **state)
{
    (void)state;
    static uint32_t singles[32], pairs[3][32][32];
    memset(singles, 0, sizeof singles);
    memset(pairs, 0, sizeof pairs);
    const uint32_t seed = 0x12345678u;
    for (uint32_t i = 0; i < 1u << 18; i++) {
        const Spot spot = {.cell = {i & 63, i >> 6 & 63, i >> 12}};
        const uint32_t here = reference_hash(&spot, (int[3]){0, 0, 0}, seed, 3) >> 27;
        singles[here]++;
        for (int axis = 0; axis < 3; axis++) {
            const int offset[3] = {axis == 0, axis == 1, axis == 2};
            pairs[axis][here][reference_hash(&spot, offset, seed, 3) >> 27]++;
        }
    }
    double chi = 0;
    for (int i = 0; i < 32; i++) {
        chi += pow(singles[i] - 8192.0, 2) / 8192.0;
    }
    print_message("  chi square %.1f of 31 degrees of freedom", chi);
    assert_true(chi < 75.0);
    for (int axis = 0; axis < 3; axis++) {
        double of_pairs = 0;
        for (int i = 0; i < 1024; i++) {
            const uint32_t *row = pairs[axis][i / 32];
            of_pairs += pow(row[i % 32] - 256.0, 2) / 256.0;
        }
        print_message(", %.0f", of_pairs);
        assert_true(of_pairs < 1400.0);
    }
    print_message(" of 1023\n");
}

static void directions_are_unit_vectors_without_preference(void **state)
{
    (void)state;
    double second[3][3] = {{0}}, fourth[3] = {0};
    for (int i = 0; i < 32; i++) {
        const float *space = trn_noise_directions_3d[i].axis,
                    *plane = trn_noise_directions_2d[i].axis;
        assert_true(fabsf(plane[0] * plane[0] + plane[1] * plane[1] - 1.0f) < 1e-6f);
        const float square = space[0] * space[0] + space[1] * space[1] + space[2] * space[2];
        assert_true(fabsf(square - 1.0f) < 1e-6f);
        for (int a = 0; a < 3; a++) {
            assert_true(trn_noise_components_3d[a][i] == space[a]);
            fourth[a] += pow(space[a], 4) / 32;
            for (int b = 0; b < 3; b++) {
                second[a][b] += (double)space[a] * (double)space[b] / 32;
            }
        }
    }
    for (int a = 0; a < 3; a++) {
        assert_true(fabs(fourth[a] - 0.2) < 0.02);
        for (int b = 0; b < 3; b++) {
            assert_true(fabs(second[a][b] - (a == b) / 3.0) < 0.01);
        }
    }
}

/// Returns the mean square difference of points `lag` voxels apart in a direction, over many
/// distant places.
static double structure(const TrnNoise *noise, const double direction[3], double lag)
{
    sample_from(noise, (TrnVoxel){0, 0, 0}, 15, samples[0]);
    const TrnVoxel moved = {lround(direction[0] * lag), lround(direction[1] * lag),
                            lround(direction[2] * lag)};
    sample_from(noise, moved, 15, samples[1]);
    double sum = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        const double difference = (double)samples[1][i] - (double)samples[0][i];
        sum += difference * difference;
    }
    return sum / (double)SAMPLES;
}

static void no_direction_is_preferred(void **state)
{
    (void)state;
    const double half = sqrt(0.5), third = sqrt(1 / 3.0);
    const double directions[][3] = {{1, 0, 0},        {0, 0, 1},           {half, 0, half},
                                    {half, 0, -half}, {0.9239, 0, 0.3827}, {0, 1, 0},
                                    {half, half, 0},  {0, half, -half},    {third, third, third}};
    for (uint32_t dimensions = 2; dimensions <= 3; dimensions++) {
        TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, dimensions);
        def.wavelength[0] = def.wavelength[1] = def.wavelength[2] = 8192.0f;
        const TrnNoise noise = compiled(&def);
        // From the slopes of the finest layer up to a whole wavelength.
        for (int doubling = 8; doubling <= 13; doubling++) {
            const double lag = ldexp(1.0, doubling);
            double least = INFINITY, most = 0;
            for (int i = 0; i < (dimensions == 2 ? 5 : 9); i++) {
                const double square = structure(&noise, directions[i], lag);
                least = fmin(least, square);
                most = fmax(most, square);
            }
            print_message("  %uD, lag %4.0f: %.5f .. %.5f, ratio %.3f\n", dimensions, lag, least,
                          most, most / least);
            assert_true(most / least < 1.05);
        }
    }
}

/// Planes of an axis-aligned lattice would be quieter than the space between them; in turned
/// lattices no upright plane coincides with lattice planes.
static void no_plane_has_less_variance(void **state)
{
    (void)state;
    static float plane[128 * 128];
    TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, 3);
    def.octaves = 1;
    def.wavelength[0] = def.wavelength[1] = def.wavelength[2] = 32.0f;
    const TrnNoise noise = compiled(&def);
    for (int axis = 0; axis < 3; axis++) {
        double least = INFINITY, most = 0;
        for (int64_t at = 0; at < 32; at++) {
            // 128 x 128 points 36 voxels apart: more than a cell.
            TrnNoiseGrid grid = {{7, 7, 7}, 0, 1, 1, 1};
            double squares = 0;
            for (int64_t i = 0; i < 128; i++) {
                const int64_t across = i * 36;
                grid = (TrnNoiseGrid){{axis == 0 ? at : 0, axis == 1 ? at : across,
                                       axis == 2   ? at
                                       : axis == 0 ? 0
                                                   : across},
                                      5,
                                      axis == 0 ? 1 : 128,
                                      1,
                                      axis == 0 ? 128 : 1};
                assert_int_equal(trn_noise_fill(&noise, &grid, plane), TRN_RESULT_OK);
                for (int j = 0; j < 128; j++) {
                    squares += (double)plane[j] * (double)plane[j];
                }
            }
            least = fmin(least, squares);
            most = fmax(most, squares);
        }
        print_message("  axis %d: ratio %.3f\n", axis, most / least);
        assert_true(most / least < 1.15);
    }
}

static void values_and_slopes_are_continuous_across_cells(void **state)
{
    (void)state;
    static float row[65536];
    for (uint32_t dimensions = 2; dimensions <= 3; dimensions++) {
        TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, dimensions);
        def.octaves = 1;
        def.wavelength[0] = def.wavelength[1] = def.wavelength[2] = 512.0f;
        const TrnNoise noise = compiled(&def);
        const TrnNoiseGrid grid = {{TRN_VOXEL_MAX - 65535, 3, TRN_VOXEL_MIN}, 0, 65536, 1, 1};
        assert_int_equal(trn_noise_fill(&noise, &grid, row), TRN_RESULT_OK);
        double step = 0, bend = 0;
        for (int i = 1; i < 65535; i++) {
            const double left = (double)row[i] - (double)row[i - 1];
            const double right = (double)row[i + 1] - (double)row[i];
            step = fabs(left) > step ? fabs(left) : step;
            bend = fabs(right - left) > bend ? fabs(right - left) : bend;
        }
        print_message("  %uD: slope %.2f, curvature %.1f a wavelength\n", dimensions, step * 512,
                      bend * 512 * 512);
        assert_true(step * 512 < 3.5);
        assert_true(bend * 512 * 512 < 22.0);
    }
}

static void distances_to_cells_are_continuous_and_borders_are_narrow(void **state)
{
    (void)state;
    static float distance[65536], border[65536];
    for (uint32_t dimensions = 2; dimensions <= 3; dimensions++) {
        TrnNoiseDef def = trn_noise_def(TRN_NOISE_CELL_BORDER, dimensions);
        def.wavelength[0] = def.wavelength[1] = def.wavelength[2] = 512.0f;
        const TrnNoiseGrid grid = {{TRN_VOXEL_MIN, 3, TRN_VOXEL_MAX}, 0, 65536, 1, 1};
        const TrnNoise borders = compiled(&def);
        assert_int_equal(trn_noise_fill(&borders, &grid, border), TRN_RESULT_OK);
        def.kind = TRN_NOISE_CELL_DISTANCE;
        const TrnNoise distances = compiled(&def);
        assert_int_equal(trn_noise_fill(&distances, &grid, distance), TRN_RESULT_OK);
        int changes = 0;
        for (int i = 1; i < 65536; i++) { // a step of one voxel is 1/512 of a wavelength
            assert_true(fabsf(distance[i] - distance[i - 1]) < 1.01f / 512.0f);
            assert_true(fabsf(border[i] - border[i - 1]) < 2.02f / 512.0f);
            changes += border[i] < 2.02f / 512.0f && border[i - 1] >= 2.02f / 512.0f;
        }
        print_message("  %uD: %d cells in 128 wavelengths\n", dimensions, changes);
        assert_in_range(changes, 100, 260);
    }
}

static void the_ends_of_the_world_are_as_smooth_as_its_origin(void **state)
{
    (void)state;
    static float row[16384];
    TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, 3);
    def.wavelength[0] = def.wavelength[1] = def.wavelength[2] = 64.0f;
    const TrnNoise noise = compiled(&def);
    const int64_t starts[] = {-8192, TRN_VOXEL_MAX - 16383, TRN_VOXEL_MIN};
    double steps[3];
    for (int i = 0; i < 3; i++) {
        const TrnNoiseGrid grid = {{starts[i], starts[i], -starts[i] - 1}, 0, 16384, 1, 1};
        assert_int_equal(trn_noise_fill(&noise, &grid, row), TRN_RESULT_OK);
        steps[i] = 0;
        for (int j = 1; j < 16384; j++) {
            steps[i] += fabs((double)row[j] - (double)row[j - 1]) / 16383;
        }
    }
    print_message("  mean steps %.5f, %.5f, %.5f\n", steps[0], steps[1], steps[2]);
    assert_true(fabs(steps[1] / steps[0] - 1) < 0.1 && fabs(steps[2] / steps[0] - 1) < 0.1);
}

/// Checks the rows of a layer's matrix: scaled by the wavelengths and turned; the turn's rows are
/// orthogonal unit vectors.
static void check_turn(const TrnNoiseDef *def, const TrnNoiseLayer *layer, double scale)
{
    const int stride = 4 - (int)def->dimensions;
    double turn[3][3];
    for (int axis = 0; axis < 3; axis += stride) {
        for (int world = 0; world < 3; world += stride) {
            turn[axis][world] = ldexp((double)layer->step[axis][world], -32) *
                                (double)def->wavelength[world] * scale;
            // Twelve degrees off every axis of the world in 2D, 23 in 3D.
            assert_true(fabs(turn[axis][world]) < (stride == 2 ? 0.978 : 0.921));
        }
    }
    for (int a = 0; a < 3; a += stride) {
        for (int b = 0; b < 3; b += stride) {
            double dot = 0;
            for (int world = 0; world < 3; world += stride) {
                dot += turn[a][world] * turn[b][world];
            }
            assert_true(fabs(dot - (a == b)) < 1e-5);
        }
    }
}

static void wavelengths_are_those_of_the_def_and_lattices_are_turned(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(79);
    for (int round = 0; round < 60; round++) {
        TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, 2 + (uint32_t)round % 2);
        def.octaves = TRN_NOISE_OCTAVE_MAX;
        for (int axis = 0; axis < 3; axis++) {
            def.wavelength[axis] = random_between(&random, 200.0, 5000.0);
        }
        const TrnNoise noise = compiled(&def);
        for (uint32_t i = 0; i < noise.layer_count; i++) {
            check_turn(&def, &noise.layers[i], ldexp(1.0, -(int)i));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_have_the_right_distribution),
        cmocka_unit_test(values_never_exceed_one),
        cmocka_unit_test(nothing_repeats_a_power_of_two_away),
        cmocka_unit_test(seeds_streams_and_layers_are_independent),
        cmocka_unit_test(directions_are_drawn_evenly),
        cmocka_unit_test(directions_are_unit_vectors_without_preference),
        cmocka_unit_test(no_direction_is_preferred),
        cmocka_unit_test(no_plane_has_less_variance),
        cmocka_unit_test(values_and_slopes_are_continuous_across_cells),
        cmocka_unit_test(distances_to_cells_are_continuous_and_borders_are_narrow),
        cmocka_unit_test(the_ends_of_the_world_are_as_smooth_as_its_origin),
        cmocka_unit_test(wavelengths_are_those_of_the_def_and_lattices_are_turned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
