// What covers and grows on the land: earth only where a noise says so, few caves near
// the surface, trees of every kind that chunks agree on, and the same forests from afar.

#include "terrain_voxels.h"

static TrnTerrain *make_preset(const char *preset, bool has_caves)
{
    TrnTerrainDef def = trn_terrain_def();
    TrnTerrain *terrain = NULL;
    assert_int_equal(trn_terrain_shape_preset(preset, &def.shape), TRN_RESULT_OK);
    if (!has_caves) {
        def.shape.caves = def.shape.trees = 0;
    }
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    return terrain;
}

// ---- covers -------------------------------------------------------------------------------------

/// Voxels that show at the sides of steps, and those of earth among them.
typedef struct Sides {
    int64_t seen, earth;
} Sides;

/// Counts the sides that show between two voxel columns next to each other, except below grass that
/// hangs over a single step.
static void count_sides(const Tower *tower, size_t i, size_t next, Sides *sides)
{
    const int64_t high = tower_top(tower, i), low = tower_top(tower, next);
    for (int64_t y = high; y > low && y > TRN_TERRAIN_SEA_LEVEL && high - y < 3; y--) {
        sides->seen++;
        sides->earth += tower_block(tower, y, i) == TRN_BLOCK_DIRT;
    }
}

static Sides survey_sides(const char *preset)
{
    static Tower tower;
    Sides sides = {0};
    TrnTerrain *terrain = make_preset(preset, false);
    TestRandom random = test_random_seeded(4);
    for (size_t n = 0; n < test_rounds(24, 8); n++) {
        const int32_t x = (int32_t)test_random_range(&random, -300, 300);
        fill_tower(terrain, x, (int32_t)test_random_range(&random, -300, 300), &tower);
        for (size_t i = 0; i < TRN_LAYER_VOXELS - TRN_CHUNK_EDGE; i++) {
            count_sides(&tower, i, i + TRN_CHUNK_EDGE, &sides);
            count_sides(&tower, i + TRN_CHUNK_EDGE, i, &sides);
        }
    }
    trn_terrain_destroy(terrain);
    return sides;
}

static void steps_show_little_earth(void **state)
{
    (void)state;
    for (size_t i = 0; trn_terrain_preset_name(i); i++) {
        const char *preset = trn_terrain_preset_name(i);
        const Sides now = survey_sides(preset);
        print_message("  %-8s earth on %lld of %lld sides\n", preset, (long long)now.earth,
                      (long long)now.seen);
        assert_true(now.seen > 100);
        assert_true(now.earth * 100 <= now.seen * 5);
    }
}

static bool is_wet(const TrnTerrainSample *sample)
{
    return sample->surface_y > sample->height;
}

/// Counts dry voxel columns next to rivers and lakes above the sea, and those with sand or gravel.
static void count_shores(const TrnTerrain *terrain, int32_t x, int32_t z, int64_t counts[2])
{
    static TrnTerrainSample samples[TRN_LAYER_VOXELS];
    assert_int_equal(trn_terrain_sample_level(terrain, x, z, 0, samples), TRN_RESULT_OK);
    for (size_t i = 0; i + TRN_CHUNK_EDGE < TRN_LAYER_VOXELS; i++) {
        const TrnTerrainSample *a = &samples[i], *b = &samples[i + TRN_CHUNK_EDGE];
        const TrnTerrainSample *dry = is_wet(a) ? b : a, *wet = is_wet(a) ? a : b;
        const bool is_shore = is_wet(wet) && !is_wet(dry) &&
                              wet->surface_y > TRN_TERRAIN_SEA_LEVEL &&
                              dry->height == wet->surface_y;
        counts[0] += is_shore;
        counts[1] += is_shore && (dry->top == TRN_BLOCK_SAND || dry->top == TRN_BLOCK_GRAVEL);
    }
}

static void rivers_have_beaches_only_in_places(void **state)
{
    (void)state;
    int64_t counts[2] = {0, 0};
    TrnTerrain *terrain = make_preset("flat", true);
    for (int32_t i = 0; i < 288; i++) {
        count_shores(terrain, i % 24 - 2, i / 24 - 46, counts); // along rivers
    }
    print_message("  sand or gravel on %lld of %lld voxels of shores\n", (long long)counts[1],
                  (long long)counts[0]);
    assert_true(counts[0] > 100);
    assert_in_range(counts[1], counts[0] / 100, counts[0] * 2 / 5);
    trn_terrain_destroy(terrain);
}

// ---- caves --------------------------------------------------------------------------------------

static void caves_fill_at_most_5_percent_near_the_surface(void **state)
{
    (void)state;
    static Tower tower, solid;
    for (size_t i = 0; trn_terrain_preset_name(i); i++) {
        TrnTerrain *terrain = make_preset(trn_terrain_preset_name(i), true);
        TrnTerrain *plain = make_preset(trn_terrain_preset_name(i), false);
        TestRandom random = test_random_seeded(5);
        int64_t rock = 0, caves = 0;
        for (size_t n = 0; n < test_rounds(24, 8); n++) {
            const int32_t x = (int32_t)test_random_range(&random, -300, 300);
            const int32_t z = (int32_t)test_random_range(&random, -300, 300);
            fill_tower(terrain, x, z, &tower);
            fill_tower(plain, x, z, &solid);
            for (size_t place = 0; place < TRN_LAYER_VOXELS; place++) {
                const int64_t top = tower_top(&solid, place);
                for (int64_t y = top; y > top - 64; y--) {
                    rock += tower_block(&solid, y, place) != TRN_BLOCK_AIR;
                    caves += tower_block(&solid, y, place) != TRN_BLOCK_AIR &&
                             tower_block(&tower, y, place) == TRN_BLOCK_AIR;
                }
            }
        }
        print_message("  %-8s %.2f %%\n", trn_terrain_preset_name(i),
                      100.0 * (double)caves / (double)rock);
        assert_true(caves * 100 <= rock * 5);
        assert_true(caves * 1000 > rock);
        trn_terrain_destroy(terrain);
        trn_terrain_destroy(plain);
    }
}

// ---- trees --------------------------------------------------------------------------------------

static void every_kind_of_tree_grows_in_every_size(void **state)
{
    (void)state;
    static TrnColumn column;
    int64_t counts[TRN_TREE_ALL_COUNT][TRN_TREE_SIZES] = {{0}};
    for (size_t i = 0; trn_terrain_preset_name(i); i++) {
        TrnTerrain *terrain = make_preset(trn_terrain_preset_name(i), true);
        TestRandom random = test_random_seeded(6);
        for (int n = 0; n < 400; n++) {
            const int32_t x = (int32_t)test_random_range(&random, -900, 900);
            const int32_t z = (int32_t)test_random_range(&random, -900, 900);
            trn_land_generate_column(terrain, (TrnCoord){x, 0, z}, &column);
            for (uint32_t t = 0; t < column.tree_count; t++) {
                assert_true(column.trees[t].top < TRN_TREE_HEIGHT_MAX);
                counts[column.trees[t].kind][column.trees[t].size]++;
            }
        }
        trn_terrain_destroy(terrain);
    }
    for (int kind = 0; kind < TRN_TREE_ALL_COUNT; kind++) {
        print_message("  kind %2d: %lld small, %lld medium, %lld large\n", kind,
                      (long long)counts[kind][0], (long long)counts[kind][1],
                      (long long)counts[kind][2]);
        for (int size = 0; size < TRN_TREE_SIZES; size++) {
            assert_true(counts[kind][size] > 0);
        }
    }
}

/// Finds a tree of a column in the list of the next column along x, if it lies within its reach.
static const TrnTree *find_in_next(const TrnColumn *next, const TrnTree *tree)
{
    for (uint32_t i = 0; i < next->tree_count; i++) {
        const TrnTree *other = &next->trees[i];
        if (other->x == tree->x - TRN_CHUNK_EDGE && other->z == tree->z && other->y == tree->y &&
            other->kind == tree->kind) {
            return other;
        }
    }
    return NULL;
}

static void columns_agree_on_the_trees_between_them(void **state)
{
    (void)state;
    static TrnColumn columns[2];
    TrnTerrain *terrain = make_preset("default", true);
    TestRandom random = test_random_seeded(8);
    int64_t shared = 0;
    for (int n = 0; n < 400; n++) {
        const int32_t x = (int32_t)test_random_range(&random, -900, 900);
        const int32_t z = (int32_t)test_random_range(&random, -900, 900);
        trn_land_generate_column(terrain, (TrnCoord){x, 0, z}, &columns[0]);
        trn_land_generate_column(terrain, (TrnCoord){x + 1, 0, z}, &columns[1]);
        for (uint32_t i = 0; i < columns[0].tree_count; i++) {
            const TrnTree *tree = &columns[0].trees[i];
            if (tree->x < TRN_CHUNK_EDGE - TRN_TREE_REACH) {
                continue;
            }
            const TrnTree *other = find_in_next(&columns[1], tree);
            assert_non_null(other);
            assert_int_equal(other->size, tree->size);
            assert_int_equal(other->trunk, tree->trunk);
            assert_int_equal(other->top, tree->top);
            assert_int_equal(other->variation, tree->variation);
            shared++;
        }
    }
    print_message("  %lld trees in two columns\n", (long long)shared);
    assert_true(shared > 150);
    trn_terrain_destroy(terrain);
}

static void trees_stand_on_the_ground(void **state)
{
    (void)state;
    static Tower tower;
    static TrnColumn column;
    int64_t trees = 0;
    for (size_t i = 0; trn_terrain_preset_name(i); i++) {
        TrnTerrain *terrain = make_preset(trn_terrain_preset_name(i), true);
        TestRandom random = test_random_seeded(9);
        for (size_t n = 0; n < test_rounds(30, 10); n++) {
            const int32_t x = (int32_t)test_random_range(&random, -300, 300);
            const int32_t z = (int32_t)test_random_range(&random, -300, 300);
            fill_tower(terrain, x, z, &tower);
            trn_land_generate_column(terrain, (TrnCoord){x, 0, z}, &column);
            for (uint32_t t = 0; t < column.tree_count; t++) {
                const TrnTree *tree = &column.trees[t];
                if (((tree->x | tree->z) & ~(TRN_CHUNK_EDGE - 1)) != 0) {
                    continue;
                }
                const size_t place = (size_t)tree->z * TRN_CHUNK_EDGE + (size_t)tree->x;
                assert_true(is_ground(tower_block(&tower, tree->y - 1, place)));
                assert_true(is_grown(tower_block(&tower, tree->y, place)));
                trees++;
            }
        }
        trn_terrain_destroy(terrain);
    }
    print_message("  %lld trees\n", (long long)trees);
    assert_true(trees > 60);
}

// ---- from afar ----------------------------------------------------------------------------------

/// The share of a square of 1,024 voxels that crowns cover, in percent of what a level samples.
static int64_t canopy_percent(const TrnTerrain *terrain, uint32_t level, int64_t x, int64_t z)
{
    Places seen;
    int64_t covered = 0, samples = 0;
    const int64_t chunks = 32 >> level;
    for (int64_t i = 0; i < chunks * chunks; i++) {
        look_level(terrain, (x >> level) + i % chunks, (z >> level) + i / chunks, level, &seen);
        for (size_t at = 0; at < TRN_LAYER_VOXELS; at++) {
            covered += is_grown(seen.at[at].top);
            samples++;
        }
    }
    return covered * 100 / samples;
}

static void forests_cover_as_much_from_afar(void **state)
{
    (void)state;
    TrnTerrain *terrain = make_preset("default", true);
    const int64_t near = canopy_percent(terrain, 1, 0, 0);
    print_message("  crowns cover %lld %% at level 1", (long long)near);
    assert_in_range(near, 4, 70);
    for (uint32_t level = 2; level <= 5; level++) {
        const int64_t far = canopy_percent(terrain, level, 0, 0);
        print_message(", %lld %% at level %u", (long long)far, level);
        assert_in_range(far, near - 3, near + 3);
    }
    print_message("\n");
    trn_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_show_little_earth),
        cmocka_unit_test(rivers_have_beaches_only_in_places),
        cmocka_unit_test(caves_fill_at_most_5_percent_near_the_surface),
        cmocka_unit_test(every_kind_of_tree_grows_in_every_size),
        cmocka_unit_test(columns_agree_on_the_trees_between_them),
        cmocka_unit_test(trees_stand_on_the_ground),
        cmocka_unit_test(forests_cover_as_much_from_afar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
