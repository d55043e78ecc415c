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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_chunks_fold_to_themselves),
        cmocka_unit_test(random_chunks_fold_as_the_model),
        cmocka_unit_test(land_keeps_its_surface),
        cmocka_unit_test(thin_things_stay_and_poles_vanish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
