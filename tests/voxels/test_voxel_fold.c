// Folding, held against a model that follows terrane/fold.h voxel by voxel.

#include "fold_site.h"

// ---- tests -------------------------------------------------------------------------------------

static void fill(Site *site, TrnBlock block)
{
    for (uint32_t i = 0; i < 8 * TRN_CHUNK_VOXELS; i++) {
        site->children[i / TRN_CHUNK_VOXELS][i % TRN_CHUNK_VOXELS] = block;
    }
}

static void uniform_chunks_fold_to_themselves(void **state)
{
    (void)state;
    static const TrnBlock blocks[] = {TRN_BLOCK_AIR,   TRN_BLOCK_STONE,  TRN_BLOCK_WATER,
                                      TRN_BLOCK_GLASS, TRN_BLOCK_FLOWER, 65535};
    Site *site = site_create();
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        fill(site, blocks[i]);
        check(site);
        assert_int_equal(site->folded[0],
                         blocks[i] == TRN_BLOCK_FLOWER ? TRN_BLOCK_AIR : blocks[i]);
    }
    site_destroy(site);
}

/// Returns random blocks: `kinds` of them, mostly in runs, so that all paths are taken.
static void fill_by_chance(Site *site, TestRandom *random, uint32_t kinds, uint32_t run)
{
    TrnBlock block = 0;
    for (uint32_t i = 0; i < 8 * TRN_CHUNK_VOXELS; i++) {
        const uint64_t dice = test_random_next(random);
        if (dice % run == 0) {
            block = (TrnBlock)((dice >> 32) % kinds);
        }
        site->children[i / TRN_CHUNK_VOXELS][i % TRN_CHUNK_VOXELS] = block;
    }
}

static void random_chunks_fold_as_the_model(void **state)
{
    (void)state;
    static const uint32_t kinds[] = {2, 3, 9, 40, TYPES, 40000}, runs[] = {1, 2, 7, 60, 3000};
    Site *site = site_create();
    TestRandom random = test_random_seeded(26);
    for (uint32_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        for (uint32_t j = 0; j < sizeof runs / sizeof runs[0]; j++) {
            fill_by_chance(site, &random, kinds[i], runs[j]);
            if (j % 2) { // some children are uniform
                memset(site->children[i], 0, sizeof site->children[i]);
            }
            check(site);
        }
    }
    site_destroy(site);
}

/// Grass on stone, as high as a slope: the folded land has grass wherever one looks down on it.
static void land_keeps_its_surface(void **state)
{
    (void)state;
    Site *site = site_create();
    for (uint32_t i = 0; i < 8 * TRN_CHUNK_VOXELS; i++) {
        const uint32_t octant = i / TRN_CHUNK_VOXELS, voxel = i % TRN_CHUNK_VOXELS;
        const uint32_t x = voxel % EDGE + (octant & 1) * EDGE;
        const uint32_t y = voxel / 1024 + (octant >> 2) * EDGE;
        const uint32_t z = voxel / EDGE % EDGE + (octant >> 1 & 1) * EDGE;
        const uint32_t top = 9 + x / 3 + z / 5;
        site->children[octant][voxel] = y > top    ? TRN_BLOCK_AIR
                                        : y == top ? TRN_BLOCK_GRASS
                                                   : TRN_BLOCK_STONE;
    }
    check(site);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS - 1024; i++) {
        if (site->folded[i] && !site->folded[i + 1024]) {
            assert_int_equal(site->folded[i], TRN_BLOCK_GRASS);
        }
    }
    site_destroy(site);
}

/// A wall, a roof and the sea are as thick as a voxel; none of them vanishes, a pole does.
static void thin_things_stay_and_poles_vanish(void **state)
{
    (void)state;
    Site *site = site_create();
    fill(site, TRN_BLOCK_AIR);
    for (uint32_t i = 0; i < EDGE * EDGE; i++) {
        site->children[0][trn_local_index(5, i / EDGE, i % EDGE)] = TRN_BLOCK_GLOWING_STONE;
        site->children[1][trn_local_index(i / EDGE, 7, i % EDGE)] = TRN_BLOCK_OAK_LOG;
        site->children[2][trn_local_index(i / EDGE, 7, i % EDGE)] = TRN_BLOCK_WATER;
        site->children[3][trn_local_index(4, i / EDGE, 4)] = TRN_BLOCK_STONE;
    }
    check(site);
    assert_int_equal(site->folded[trn_local_index(2, 4, 4)], TRN_BLOCK_GLOWING_STONE);
    assert_int_equal(site->folded[trn_local_index(HALF + 4, 3, 4)], TRN_BLOCK_OAK_LOG);
    assert_int_equal(site->folded[trn_local_index(4, 3, HALF + 4)], TRN_BLOCK_WATER);
    assert_int_equal(site->folded[trn_local_index(HALF + 2, 3, HALF + 2)], TRN_BLOCK_AIR);
    site_destroy(site);
}

// ---- generators --------------------------------------------------------------------------------

/// A land of hills without levels.
static TrnResult generate_hills(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                bool *uniform)
{
    (void)user;
    assert_int_equal(level, 0);
    *uniform = coord.y > 4;
    for (uint32_t i = 0; i < (*uniform ? 1u : TRN_CHUNK_VOXELS); i++) {
        const int x = coord.x * EDGE + (int)(i % EDGE), z = coord.z * EDGE + (int)(i / EDGE % EDGE);
        const int y = coord.y * EDGE + (int)(i / 1024), top = (x ^ z) % 37 + 20;
        blocks[i] = y > top ? TRN_BLOCK_AIR : y == top ? TRN_BLOCK_SNOW : TRN_BLOCK_STONE;
    }
    return coord.x == 77 ? TRN_RESULT_IO : TRN_RESULT_OK;
}

static void a_generator_without_levels_gets_them_by_folding(void **state)
{
    (void)state;
    Site *site = site_create();
    const TrnGenerator hills = {.generate = generate_hills, .ceiling = 4, .has_ceiling = true};
    TrnFoldedGenerator *folded;
    assert_int_equal(trn_generator_folded_create(site->types, &hills, 2, NULL, &folded),
                     TRN_RESULT_OK);
    const TrnGenerator generator = trn_generator_folded(folded);
    assert_true(generator.has_ceiling && generator.ceiling == 4 && generator.level_max == 2);
    bool is_uniform = false;
    for (uint32_t octant = 0; octant < 8;
         octant++) { // level 1 of the children of a chunk of level 2
        const TrnCoord child = {-2 + (int32_t)(octant & 1), (int32_t)(octant >> 2),
                                4 + (int32_t)(octant >> 1 & 1)};
        for (uint32_t i = 0; i < 8; i++) {
            const TrnCoord of_0 = {child.x * 2 + (int32_t)(i & 1), child.y * 2 + (int32_t)(i >> 2),
                                   child.z * 2 + (int32_t)(i >> 1 & 1)};
            assert_int_equal(
                trn_generator_generate(&generator, of_0, 0, site->children[i], &is_uniform),
                TRN_RESULT_OK);
            for (uint32_t k = 1; is_uniform && k < TRN_CHUNK_VOXELS; k++) {
                site->children[i][k] = site->children[i][0];
            }
        }
        check(site);
        assert_int_equal(trn_generator_generate(&generator, child, 1, site->folded, &is_uniform),
                         TRN_RESULT_OK);
        assert_memory_equal(site->folded, site->expected, sizeof site->expected);
    }
    for (uint32_t octant = 0; octant < 8; octant++) {
        const TrnCoord child = {-2 + (int32_t)(octant & 1), (int32_t)(octant >> 2),
                                4 + (int32_t)(octant >> 1 & 1)};
        assert_int_equal(
            trn_generator_generate(&generator, child, 1, site->children[octant], &is_uniform),
            TRN_RESULT_OK);
    }
    check(site);
    const TrnCoord coarse = {-1, 0, 2};
    assert_int_equal(trn_generator_generate(&generator, coarse, 2, site->folded, &is_uniform),
                     TRN_RESULT_OK);
    assert_memory_equal(site->folded, site->expected, sizeof site->expected);
    trn_generator_folded_destroy(folded);
    site_destroy(site);
}

static void bad_generators_and_failures_are_reported(void **state)
{
    (void)state;
    Site *site = site_create();
    const TrnGenerator hills = {.generate = generate_hills}, none = {0};
    TrnFoldedGenerator *folded = NULL;
    assert_int_equal(trn_generator_folded_create(site->types, &none, 2, NULL, &folded),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_generator_folded_create(site->types, &hills, TRN_GENERATOR_LEVEL_MAX + 1,
                                                 NULL, &folded),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_null(folded);
    trn_generator_folded_destroy(NULL);
    assert_int_equal(trn_generator_folded_create(site->types, &hills, 1, NULL, &folded),
                     TRN_RESULT_OK);
    const TrnGenerator generator = trn_generator_folded(folded);
    bool is_uniform = false;
    const TrnCoord broken = {38, 0, 0}, whole = {39, 0, 0};
    assert_int_equal(trn_generator_generate(&generator, broken, 1, site->folded, &is_uniform),
                     TRN_RESULT_IO);
    assert_int_equal(trn_generator_generate(&generator, whole, 1, site->folded, &is_uniform),
                     TRN_RESULT_OK);
    assert_int_equal(trn_generator_generate(&generator, whole, 2, site->folded, &is_uniform),
                     TRN_RESULT_BAD_ARGUMENT);
    trn_generator_folded_destroy(folded);
    site_destroy(site);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_chunks_fold_to_themselves),
        cmocka_unit_test(random_chunks_fold_as_the_model),
        cmocka_unit_test(land_keeps_its_surface),
        cmocka_unit_test(thin_things_stay_and_poles_vanish),
        cmocka_unit_test(a_generator_without_levels_gets_them_by_folding),
        cmocka_unit_test(bad_generators_and_failures_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
