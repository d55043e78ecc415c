// Work that columns share or leave out: squares of noise, parts of a noise, scattered voxels, and
// the kernels of the land, which all change nothing in the land.

#include "terrain_voxels.h"

#include "terrain/land_kernels.h"
#include "terrain/noise_impl.h"
#include "terrain/slab_kernels.h"
#include "terrain/square_cache.h"

// ---- squares ------------------------------------------------------------------------------------

#define SEED 40
#define EDGE 6

/// Generates a square of columns in a random order. @return a hash that does not depend on it
static uint64_t hash_square(TrnTerrain *terrain, TestRandom *random, TrnCoord corner)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    uint32_t order[EDGE * EDGE];
    uint64_t hash = 0;
    for (uint32_t i = 0; i < EDGE * EDGE; i++) {
        const uint32_t at = (uint32_t)test_random_range(random, 0, i);
        order[i] = order[at];
        order[at] = i;
    }
    for (uint32_t i = 0; i < EDGE * EDGE; i++) {
        const TrnCoord coord = {corner.x + (int32_t)(order[i] % EDGE), 0,
                                corner.z + (int32_t)(order[i] / EDGE)};
        (void)generate_whole(terrain, coord, blocks);
        hash ^= hash_blocks(order[i] + 1, blocks);
    }
    return hash;
}

static void kept_squares_do_not_change_the_land(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(56);
    const TrnCoord corners[] = {{-3, 0, -3}, {40, 0, -70}, {-812, 0, 333}};
    for (size_t k = 0; k < sizeof corners / sizeof *corners; k++) {
        TestAllocator memory = {0};
        TrnTerrain *one = make_terrain(SEED, 1, &memory); // keeps one square
        const uint64_t expected = hash_square(one, &random, corners[k]);
        trn_terrain_destroy(one);
        const uint32_t caches[] = {2, 33, 2048};
        for (size_t c = 0; c < sizeof caches / sizeof *caches; c++) {
            TrnTerrain *terrain = make_terrain(SEED, caches[c], &memory);
            assert_true(hash_square(terrain, &random, corners[k]) == expected);
            assert_true(caches[c] < 2048 || trn_squares_hits(terrain) > (uint64_t)EDGE * EDGE);
            trn_terrain_destroy(terrain);
        }
        assert_int_equal(memory.live_blocks, 0);
    }
}

static void squares_end_where_the_world_does(void **state)
{
    (void)state;
    const int32_t last = (int32_t)(TRN_VOXEL_MAX / TRN_CHUNK_EDGE);
    const int32_t first = (int32_t)(TRN_VOXEL_MIN / TRN_CHUNK_EDGE);
    static TrnBlock blocks[2][TRN_CHUNK_VOXELS];
    TrnTerrain *fresh = make_terrain(SEED, 2048, NULL), *kept = make_terrain(SEED, 2048, NULL);
    (void)generate_whole(kept, (TrnCoord){first, 0, 0}, blocks[0]);
    const uint64_t hits = trn_squares_hits(kept);
    (void)generate_whole(kept, (TrnCoord){last, 0, 0}, blocks[0]);
    (void)generate_whole(fresh, (TrnCoord){last, 0, 0}, blocks[1]);
    assert_memory_equal(blocks[0], blocks[1], sizeof blocks[0]);
    assert_true(trn_squares_hits(kept) == hits);
    trn_terrain_destroy(fresh);
    trn_terrain_destroy(kept);
}

// ---- noise --------------------------------------------------------------------------------------

#define MOST 160

static TrnNoise make_noise(TestRandom *random, uint32_t dimensions)
{
    TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, dimensions);
    def.seed = test_random_next(random);
    def.octaves = (uint32_t)test_random_range(random, 1, 5);
    TrnNoise noise = {0};
    assert_int_equal(trn_noise_compile(&def, &noise), TRN_RESULT_OK);
    return noise;
}

static TrnVoxel random_voxel(TestRandom *random)
{
    return (TrnVoxel){test_random_range(random, -100000, 100000),
                      test_random_range(random, -300, 300),
                      test_random_range(random, TRN_VOXEL_MIN, TRN_VOXEL_MAX - 4096)};
}

static void scattered_voxels_have_the_bits_of_single_ones(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(57);
    int32_t x[MOST], z[MOST];
    float values[MOST + 1];
    for (int round = 0; round < 60; round++) {
        TrnNoise noise = make_noise(&random, 2);
        const TrnVoxel origin = random_voxel(&random);
        const uint32_t count = (uint32_t)test_random_range(&random, 0, MOST);
        for (uint32_t i = 0; i < count; i++) {
            x[i] = (int32_t)test_random_range(&random, -40, 400);
            z[i] = (int32_t)test_random_range(&random, -40, 400);
        }
        for (unsigned k = 0; trn_kernels_name(&trn_noise_kernels, k); k++) {
            assert_true(trn_noise_use_kernels(&noise, trn_kernels_name(&trn_noise_kernels, k)));
            values[count] = 7.0f;
            trn_noise_fill_voxels(&noise, origin, x, z, count, values);
            assert_true(values[count] == 7.0f); // nothing is written beyond the end
            for (uint32_t i = 0; i < count; i++) {
                const TrnVoxel voxel = {origin.x + x[i], origin.y, origin.z + z[i]};
                const float expected = trn_noise_at(&noise, voxel);
                assert_memory_equal(&values[i], &expected, sizeof expected);
            }
        }
    }
}

static void parts_of_a_noise_add_up_to_it(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(58);
    enum { ROW = 14, ROWS = 14 * 14, POINTS = 14 * 14 * 14 };
    static float all[POINTS], parts[POINTS];
    for (int round = 0; round < 80; round++) {
        TrnNoise noise = make_noise(&random, 3);
        const TrnNoiseGrid grid = {random_voxel(&random),
                                   (uint32_t)test_random_range(&random, 0, 3),
                                   (uint32_t)test_random_range(&random, 1, ROW),
                                   (uint32_t)test_random_range(&random, 1, ROW),
                                   (uint32_t)test_random_range(&random, 1, ROW)};
        uint8_t is_needed[ROWS];
        for (int i = 0; i < ROWS; i++) {
            is_needed[i] = test_random_next(&random) % 8 == 0;
        }
        const uint32_t middle = (uint32_t)test_random_range(&random, 1, noise.layer_count);
        for (unsigned k = 0; trn_kernels_name(&trn_noise_kernels, k); k++) {
            assert_true(trn_noise_use_kernels(&noise, trn_kernels_name(&trn_noise_kernels, k)));
            assert_int_equal(trn_noise_fill(&noise, &grid, all), TRN_RESULT_OK);
            const TrnNoisePart first = {0, middle, NULL};
            trn_noise_add_part(&noise, &grid, &first, parts);
            const TrnNoisePart others = {middle, noise.layer_count, is_needed};
            if (middle < noise.layer_count) {
                trn_noise_add_part(&noise, &grid, &others, parts);
            }
            for (uint32_t row = 0; row < grid.size_y * grid.size_z; row++) {
                if (is_needed[row]) {
                    const size_t at = (size_t)row * grid.size_x;
                    assert_memory_equal(parts + at, all + at, grid.size_x * sizeof(float));
                }
            }
        }
    }
}

/// Small planes are filled without regard to their rows.
static void planes_of_any_size_are_their_voxels(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(59);
    static float values[40 * 40 * 3];
    for (int round = 0; round < 300; round++) {
        const bool is_flat = round % 2;
        TrnNoise noise = make_noise(&random, is_flat ? 2 : 3);
        const TrnNoiseGrid grid = {random_voxel(&random),
                                   (uint32_t)test_random_range(&random, 0, 2),
                                   (uint32_t)test_random_range(&random, 1, 40),
                                   is_flat ? 1 : (uint32_t)test_random_range(&random, 1, 3),
                                   (uint32_t)test_random_range(&random, 1, 40)};
        for (unsigned k = 0; trn_kernels_name(&trn_noise_kernels, k); k++) {
            assert_true(trn_noise_use_kernels(&noise, trn_kernels_name(&trn_noise_kernels, k)));
            assert_int_equal(trn_noise_fill(&noise, &grid, values), TRN_RESULT_OK);
            for (int i = 0; i < 20; i++) {
                const uint32_t x = (uint32_t)test_random_range(&random, 0, grid.size_x - 1);
                const uint32_t y = (uint32_t)test_random_range(&random, 0, grid.size_y - 1);
                const uint32_t z = (uint32_t)test_random_range(&random, 0, grid.size_z - 1);
                const TrnVoxel voxel = {grid.origin.x + ((int64_t)x << grid.level),
                                        grid.origin.y + ((int64_t)y << grid.level),
                                        grid.origin.z + ((int64_t)z << grid.level)};
                const float expected = trn_noise_at(&noise, voxel);
                assert_memory_equal(&values[(y * grid.size_z + z) * grid.size_x + x], &expected,
                                    sizeof expected);
            }
        }
    }
}

// ---- kernels of the land ------------------------------------------------------------------------

static float random_float(TestRandom *random, float low, float high)
{
    return low + (high - low) * ((float)test_random_range(random, 0, 4096) / 4096.0f);
}

/// Calls a function with all sets of the land's kernels and the scalar one.
static void for_each_set(void (*check)(const TrnLandKernels *, const TrnLandKernels *,
                                       TestRandom *),
                         TestRandom *random)
{
    const TrnLandKernels *scalar = trn_kernels_scalar(&trn_land_kernels);
    const TrnLandKernels *kernels;
    for (size_t k = 0; (kernels = trn_kernels_at(&trn_land_kernels, trn_cpu_features(), k)); k++) {
        print_message("  %s\n", kernels->name);
        check(kernels, scalar, random);
    }
}

static void check_rows(const TrnLandKernels *kernels, const TrnLandKernels *scalar,
                       TestRandom *random)
{
    enum { ROWS = 11 };
    float points[ROWS][TRN_LAND_POINTS], out[2][ROWS][TRN_CHUNK_EDGE] = {{{0}}};
    float least[2][ROWS], most[2][ROWS];
    uint8_t is_needed[ROWS];
    for (int row = 0; row < ROWS; row++) {
        is_needed[row] = test_random_next(random) % 2 == 0;
        for (int x = 0; x < TRN_LAND_POINTS; x++) {
            points[row][x] = random_float(random, -3, 3);
        }
    }
    const TrnLandKernels *sets[2] = {kernels, scalar};
    for (int i = 0; i < 2; i++) {
        sets[i]->expand(points[0], ROWS, is_needed, out[i][0]);
        sets[i]->bound(points[0], ROWS, least[i], most[i]);
    }
    assert_memory_equal(out[0], out[1], sizeof out[0]);
    assert_memory_equal(least[0], least[1], sizeof least[0]);
    assert_memory_equal(most[0], most[1], sizeof most[0]);
    for (int row = 0; row < ROWS; row++) {
        for (int x = 0; x < TRN_CHUNK_EDGE; x++) {
            const float left = points[row][x / 4], right = points[row][x / 4 + 1];
            const float expected = left + (right - left) * ((float)(x % 4) * 0.25f);
            assert_true(out[0][row][x] == (is_needed[row] ? expected : 0.0f));
        }
    }
}

static void check_interpolation(const TrnLandKernels *kernels, const TrnLandKernels *scalar,
                                TestRandom *random)
{
    enum { WIDE = 18 };
    static float points[WIDE * WIDE + 1];
    static float out[2][TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        points[i] = random_float(random, -80, 200);
    }
    const struct {
        uint32_t first, edge, shift, wide;
    } cases[] = {{0, 40, 2, 12}, {4, 32, 2, 12}, {0, 32, 1, WIDE}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const TrnLandSquare square = {.first = cases[k].first,
                                      .edge = cases[k].edge,
                                      .count = cases[k].edge * cases[k].edge,
                                      .shift = cases[k].shift};
        kernels->interpolate(points, cases[k].wide, &square, out[0]);
        scalar->interpolate(points, cases[k].wide, &square, out[1]);
        assert_memory_equal(out[0], out[1], square.count * sizeof(float));
        int32_t x[37], z[37];
        float scattered[37];
        for (int i = 0; i < 37; i++) {
            x[i] = (int32_t)test_random_range(random, 0, cases[k].edge - 1);
            z[i] = (int32_t)test_random_range(random, 0, cases[k].edge - 1);
        }
        for (int i = 0; i < 37; i++) {
            x[i] += (int32_t)square.first;
            z[i] += (int32_t)square.first;
        }
        const TrnLandSquare some = {.count = 37, .shift = square.shift, .places = {x, z}};
        kernels->interpolate(points, cases[k].wide, &some, scattered);
        for (int i = 0; i < 37; i++) {
            const size_t at = (size_t)(z[i] - (int32_t)square.first) * square.edge +
                              (size_t)(x[i] - (int32_t)square.first);
            assert_memory_equal(&scattered[i], &out[0][at], sizeof(float));
        }
    }
}

/// Samples with random fields.
typedef struct Samples {
    TrnLandSquare square;
    float floats[TRN_LAND_DETAIL_COUNT + TRN_LAND_FIELD_COUNT + 1][TRN_LAYER_VOXELS];
    int16_t memory[TRN_LAYER_VOXELS * TRN_LAND_GROUND_BYTES / sizeof(int16_t)];
    float values[2][TRN_LAYER_VOXELS];
    TrnLandGround ground;
} Samples;

static void begin_samples(Samples *samples, uint32_t count, TestRandom *random)
{
    samples->square = (TrnLandSquare){.edge = 0, .count = count};
    for (int i = 0; i < TRN_LAND_DETAIL_COUNT; i++) {
        samples->square.details[i] = samples->floats[i];
    }
    for (int i = 0; i < TRN_LAND_FIELD_COUNT; i++) {
        samples->square.fields[i] = samples->floats[TRN_LAND_DETAIL_COUNT + i];
    }
    samples->square.waters = samples->floats[TRN_LAND_DETAIL_COUNT + TRN_LAND_FIELD_COUNT];
    samples->ground = (TrnLandGround){.square = &samples->square,
                                      .values = {samples->values[0], samples->values[1]}};
    uint8_t *bytes = (uint8_t *)samples->memory;
    samples->ground.strata_shifts = samples->memory;
    samples->ground.boulders = bytes + 2 * (size_t)TRN_LAYER_VOXELS;
    samples->ground.biomes = samples->ground.boulders + TRN_LAYER_VOXELS;
    samples->ground.covers = samples->ground.biomes + TRN_LAYER_VOXELS;
    samples->ground.roofs = (int8_t *)(samples->ground.covers + TRN_LAYER_VOXELS);
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < TRN_LAND_DETAIL_COUNT + TRN_LAND_FIELD_COUNT; k++) {
            samples->floats[k][i] = random_float(random, -1, 1);
        }
        samples->square.fields[TRN_LAND_FIELD_HEIGHT][i] = random_float(random, -40, 120);
        samples->square.fields[TRN_LAND_FIELD_SLOPE][i] = random_float(random, 0, 2);
        samples->square.fields[TRN_LAND_FIELD_WIDE_SLOPE][i] = random_float(random, 0, 2);
        samples->square.fields[TRN_LAND_FIELD_OVERHANG_REACH][i] =
            test_random_next(random) % 4 == 0 ? random_float(random, 0, 60) : 0.0f;
        samples->square.fields[TRN_LAND_FIELD_STRATA_SHIFT][i] = random_float(random, -90, 90);
        samples->square.waters[i] = (float)test_random_range(random, 0, 3) * 7.0f;
        samples->ground.values[0][i] = random_float(random, -0.6f, 0.6f);
        samples->ground.values[1][i] = random_float(random, -0.6f, 0.6f);
        samples->ground.boulders[i] = test_random_next(random) % 16 == 0;
    }
}

static void check_samples(const TrnLandKernels *kernels, const TrnLandKernels *scalar,
                          TestRandom *random)
{
    static Samples one, other;
    const TrnTerrainShape shape = trn_terrain_shape_default();
    uint64_t seen = 0;
    for (int round = 0; round < 12; round++) {
        const uint32_t count = round == 0 ? 37 : TRN_LAYER_VOXELS;
        TestRandom again = *random;
        begin_samples(&one, count, random);
        begin_samples(&other, count, &again);
        kernels->detail(&shape, &one.square);
        scalar->detail(&shape, &other.square);
        assert_memory_equal(one.floats, other.floats, sizeof one.floats);
        kernels->cover(&one.ground);
        scalar->cover(&other.ground);
        assert_memory_equal(one.ground.covers, other.ground.covers, count);
        assert_memory_equal(one.ground.biomes, other.ground.biomes, count);
        assert_memory_equal(one.ground.roofs, other.ground.roofs, count);
        assert_memory_equal(one.ground.strata_shifts, other.ground.strata_shifts,
                            count * sizeof(int16_t));
        for (uint32_t i = 0; i < count; i++) {
            assert_in_range(one.ground.covers[i], 0, TRN_COVER_CANOPY - 1);
            seen |= (uint64_t)1 << one.ground.covers[i];
        }
    }
    // Every cover is chosen somewhere, but for ripples, which are chosen later.
    assert_true(seen == (((uint64_t)1 << TRN_COVER_CANOPY) - 1) - (1 << TRN_COVER_RIPPLES));
}

static void all_sets_give_the_bits_of_the_scalar_one(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(60);
    for_each_set(check_rows, &random);
    for_each_set(check_interpolation, &random);
    for_each_set(check_samples, &random);
}

static void rock_changes_where_the_strata_do(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(61);
    TrnBlock strata[TRN_STRATA_PERIOD], blocks[TRN_SLAB_SAMPLES];
    int16_t shifts[TRN_SLAB_SAMPLES];
    const TrnSlabKernels *kernels;
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < TRN_STRATA_PERIOD; i++) {
            strata[i] = (TrnBlock)(1 + i / 5);
        }
        for (size_t i = 0; i < TRN_SLAB_SAMPLES; i++) {
            shifts[i] = (int16_t)test_random_range(&random, -round / 3, round / 3);
        }
        TrnSlabRock rock = {.y = (uint8_t)test_random_range(&random, 0, 255)};
        rock.blocks[0] = strata[(uint8_t)(rock.y - round / 3)];
        for (int32_t shift = 1 - round / 3; shift <= round / 3; shift++) {
            const TrnBlock next = strata[(uint8_t)(rock.y + shift)];
            if (next != rock.blocks[rock.count]) {
                rock.is_mixed |= rock.count == TRN_SLAB_CHANGES;
                if (!rock.is_mixed) {
                    rock.changes[rock.count++] = (int16_t)shift;
                    rock.blocks[rock.count] = next;
                }
            }
        }
        const TrnSlab slab = {.shifts = shifts, .strata = strata};
        const TrnSlabLayer layer = {.rock = &rock};
        for (size_t k = 0; (kernels = trn_kernels_at(&trn_slab_kernels, trn_cpu_features(), k));
             k++) {
            kernels->rock(&slab, &layer, blocks);
            for (size_t i = 0; i < TRN_SLAB_SAMPLES; i++) {
                assert_int_equal(blocks[i], strata[(uint8_t)(rock.y + shifts[i])]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_squares_do_not_change_the_land),
        cmocka_unit_test(squares_end_where_the_world_does),
        cmocka_unit_test(scattered_voxels_have_the_bits_of_single_ones),
        cmocka_unit_test(parts_of_a_noise_add_up_to_it),
        cmocka_unit_test(planes_of_any_size_are_their_voxels),
        cmocka_unit_test(all_sets_give_the_bits_of_the_scalar_one),
        cmocka_unit_test(rock_changes_where_the_strata_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
