// Beds of the sea: what grows and lies there since version 5, by depth and climate.

#include "terrain_voxels.h"

/// What the beds of a preset hold.
typedef struct Beds {
    int64_t counts[TRN_BLOCK_BUILTIN_COUNT];
} Beds;

static TrnTerrain *make_preset(const char *preset, uint32_t version)
{
    TrnTerrainDef def = trn_terrain_def();
    def.version = version;
    assert_int_equal(trn_terrain_shape_preset(preset, &def.shape), TRN_RESULT_OK);
    TrnTerrain *terrain = NULL;
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    return terrain;
}

static void count_beds(const Tower *tower, size_t i, Beds *beds)
{
    for (int64_t y = -60; y <= TRN_TERRAIN_SEA_LEVEL; y++) {
        const TrnBlock block = tower_block(tower, y, i), below = tower_block(tower, y - 1, i);
        beds->counts[block]++;
        if (block == TRN_BLOCK_KELP || block == TRN_BLOCK_SEA_GRASS) {
            assert_true(y <= TRN_TERRAIN_SEA_LEVEL - 2);                        // below the surface
            assert_true(is_ground(below) || is_grown(below) || below == block); // or on a coral
            assert_true(is_water(tower_block(tower, y + 1, i)) ||
                        is_grown(tower_block(tower, y + 1, i)));
        }
    }
}

static Beds survey(const char *preset, uint32_t version)
{
    static Tower tower;
    Beds beds = {{0}};
    TrnTerrain *terrain = make_preset(preset, version);
    TestRandom random = test_random_seeded(23);
    for (int n = 0; n < 60; n++) {
        const int32_t x = (int32_t)test_random_range(&random, -120, 120);
        const int32_t z = (int32_t)test_random_range(&random, -120, 120);
        fill_tower(terrain, x, z, &tower);
        for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
            count_beds(&tower, i, &beds);
        }
    }
    trn_terrain_destroy(terrain);
    return beds;
}

static int64_t corals(const Beds *beds)
{
    return beds->counts[TRN_BLOCK_RED_CORAL] + beds->counts[TRN_BLOCK_YELLOW_CORAL] +
           beds->counts[TRN_BLOCK_VIOLET_CORAL];
}

static void warm_seas_have_corals_and_mild_ones_kelp(void **state)
{
    (void)state;
    const Beds warm = survey("islands", 5), mild = survey("default", 5);
    print_message("  islands: %lld corals, %lld kelp; default: %lld, %lld\n",
                  (long long)corals(&warm), (long long)warm.counts[TRN_BLOCK_KELP],
                  (long long)corals(&mild), (long long)mild.counts[TRN_BLOCK_KELP]);
    assert_true(corals(&warm) > 50 && corals(&warm) > corals(&mild));
    assert_true(mild.counts[TRN_BLOCK_KELP] > 200);
    assert_true(mild.counts[TRN_BLOCK_KELP] > warm.counts[TRN_BLOCK_KELP]);
    assert_true(mild.counts[TRN_BLOCK_SEA_GRASS] > 50);
    assert_true(mild.counts[TRN_BLOCK_RIPPLED_SAND] > 200);
    assert_true(warm.counts[TRN_BLOCK_RIPPLED_SAND] > 200);
    assert_true(warm.counts[TRN_BLOCK_DEAD_WOOD] + mild.counts[TRN_BLOCK_DEAD_WOOD] > 0); // wrecks
}

static void version_4_has_bare_beds(void **state)
{
    (void)state;
    const Beds beds = survey("default", 4);
    assert_int_equal(corals(&beds), 0);
    assert_int_equal(beds.counts[TRN_BLOCK_KELP] + beds.counts[TRN_BLOCK_SEA_GRASS], 0);
    assert_int_equal(beds.counts[TRN_BLOCK_RIPPLED_SAND], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warm_seas_have_corals_and_mild_ones_kelp),
        cmocka_unit_test(version_4_has_bare_beds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
