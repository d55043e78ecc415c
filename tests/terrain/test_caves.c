// Kinds of caves: rock, floors and lights of version 5, in the caves of version 4.

#include "terrain_voxels.h"

#include "terrain/volume.h"

static TrnTerrain *make_version(const char *preset, uint32_t version)
{
    TrnTerrainDef def = trn_terrain_def();
    def.version = version;
    assert_int_equal(trn_terrain_shape_preset(preset, &def.shape), TRN_RESULT_OK);
    TrnTerrain *terrain = NULL;
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    return terrain;
}

/// Whether a block stands in a cave's air.
static bool is_thing(TrnBlock block)
{
    return block == TRN_BLOCK_SPIKE || block == TRN_BLOCK_LICHEN_FLAT ||
           (block >= TRN_BLOCK_STALAGMITE && block <= TRN_BLOCK_CRYSTAL_CLUSTER);
}

static bool is_pool(TrnBlock block)
{
    return block == TRN_BLOCK_WATER || block == TRN_BLOCK_LAVA;
}

/// How often each block occurs in the caves of a preset, and where.
typedef struct Caves {
    int64_t counts[TRN_BLOCK_BUILTIN_COUNT];
    int64_t highest_lava, lowest_pool;
} Caves;

/// Compares the voxels of both versions below the ground of a column of chunks.
static void compare_towers(const Tower *old, const Tower *tower, const TrnColumn *column,
                           Caves *caves)
{
    const int64_t bottom = (int64_t)TOWER_BOTTOM * TRN_CHUNK_EDGE;
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const int64_t top = tower_top(tower, i);
        assert_int_equal(top, tower_top(old, i)); // heights do not change
        const int64_t ground = trn_land_floor(column->heights[i]);
        for (int64_t y = bottom; y < ground - (int64_t)TRN_LAND_SURFACE_DEPTH; y++) {
            const TrnBlock block = tower_block(tower, y, i);
            const bool was_open = tower_block(old, y, i) == TRN_BLOCK_AIR;
            assert_true(was_open ? block == TRN_BLOCK_AIR || is_thing(block)
                                 : block != TRN_BLOCK_AIR && !is_thing(block));
            caves->counts[block]++;
            if (block == TRN_BLOCK_LAVA && y > caves->highest_lava) {
                caves->highest_lava = y;
            }
            if (block == TRN_BLOCK_WATER && y < caves->lowest_pool) {
                caves->lowest_pool = y;
            }
        }
    }
}

/// Checks that no pool of a chunk column can flow out.
static void check_pools(const Tower *tower)
{
    for (size_t i = TRN_LAYER_VOXELS + TRN_CHUNK_EDGE;
         i < sizeof tower->blocks / sizeof *tower->blocks - TRN_LAYER_VOXELS; i++) {
        const int64_t y = (int64_t)TOWER_BOTTOM * TRN_CHUNK_EDGE + (int64_t)(i / TRN_LAYER_VOXELS);
        const TrnBlock *at = &tower->blocks[i];
        if (y >= -64 || !is_pool(*at)) { // below every sea
            continue;
        }
        const size_t x = i % TRN_CHUNK_EDGE, z = i / TRN_CHUNK_EDGE % TRN_CHUNK_EDGE;
        assert_true(x > 0 && x < TRN_CHUNK_EDGE - 1 && z > 0 && z < TRN_CHUNK_EDGE - 1);
        const TrnBlock sides[] = {at[-1], at[1], at[-TRN_CHUNK_EDGE], at[TRN_CHUNK_EDGE],
                                  at[-(ptrdiff_t)TRN_LAYER_VOXELS]};
        for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
            assert_true(sides[k] == *at ||
                        (sides[k] != TRN_BLOCK_AIR && !is_pool(sides[k]) && !is_thing(sides[k])));
        }
    }
}

static Caves survey(const char *preset, int towers)
{
    static Tower tower, old;
    static TrnColumn column;
    Caves caves = {.highest_lava = INT64_MIN, .lowest_pool = INT64_MAX};
    TrnTerrain *terrain = make_version(preset, 5), *before = make_version(preset, 4);
    TestRandom random = test_random_seeded(17);
    for (int n = 0; n < towers; n++) {
        const int32_t x = (int32_t)test_random_range(&random, -200, 200);
        const int32_t z = (int32_t)test_random_range(&random, -200, 200);
        fill_tower(terrain, x, z, &tower);
        fill_tower(before, x, z, &old);
        trn_land_generate_column(terrain, (TrnCoord){x, 0, z}, &column);
        compare_towers(&old, &tower, &column, &caves);
        check_pools(&tower);
    }
    trn_terrain_destroy(terrain);
    trn_terrain_destroy(before);
    return caves;
}

static void caves_keep_their_form_and_get_three_kinds(void **state)
{
    (void)state;
    for (size_t i = 0; trn_terrain_preset_name(i); i++) {
        const Caves caves = survey(trn_terrain_preset_name(i), (int)test_rounds(40, 12));
        const int64_t *counts = caves.counts;
        print_message("  %-8s dry %lld, wet %lld, deep %lld voxels of rock; lava up to %lld\n",
                      trn_terrain_preset_name(i), (long long)counts[TRN_BLOCK_DRIPSTONE],
                      (long long)counts[TRN_BLOCK_TUFF], (long long)counts[TRN_BLOCK_BASALT],
                      (long long)caves.highest_lava);
        assert_true(counts[TRN_BLOCK_DRIPSTONE] + counts[TRN_BLOCK_TUFF] > 300);
        assert_true(counts[TRN_BLOCK_BASALT] > 300);
        assert_true(counts[TRN_BLOCK_CRYSTAL_CLUSTER] > 0 && counts[TRN_BLOCK_LAVA] > 0);
        assert_true(caves.highest_lava <= -60); // -84, more or less the shift of the strata
        assert_true(caves.lowest_pool > -105);
    }
}

static void moist_land_has_wet_caves(void **state)
{
    (void)state;
    const int towers = (int)test_rounds(60, 20);
    const Caves dry = survey("canyons", towers), wet = survey("islands", towers);
    assert_true(wet.counts[TRN_BLOCK_TUFF] > wet.counts[TRN_BLOCK_DRIPSTONE]);
    assert_true(dry.counts[TRN_BLOCK_DRIPSTONE] > 2 * dry.counts[TRN_BLOCK_TUFF]);
    assert_true(wet.counts[TRN_BLOCK_GLOWING_MOSS] > 0 && wet.counts[TRN_BLOCK_WATER] > 0);
    assert_true(dry.counts[TRN_BLOCK_STALACTITE] > 0 && dry.counts[TRN_BLOCK_STALAGMITE] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caves_keep_their_form_and_get_three_kinds),
        cmocka_unit_test(moist_land_has_wet_caves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
