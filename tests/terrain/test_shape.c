// Shapes of terrains: their texts, the presets, and defs that are refused with a sentence.

#include "terrain_voxels.h"

#include <math.h>

static void absurd_defs_are_refused_with_a_sentence(void **state)
{
    (void)state;
    const float values[] = {-1e30f, 1e30f, NAN, INFINITY, -INFINITY, 8.5f};
    const size_t count = sizeof(TrnTerrainShape) / sizeof(float);
    for (size_t field = 0; field < count; field++) {
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            TrnTerrainDef def = trn_terrain_def();
            TrnTerrain *terrain = NULL;
            assert_null(trn_terrain_def_fault(&def));
            memcpy((char *)&def.shape + field * sizeof(float), &values[i], sizeof(float));
            assert_non_null(trn_terrain_def_fault(&def));
            assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_BAD_ARGUMENT);
            assert_null(terrain);
        }
    }
    assert_non_null(trn_terrain_def_fault(NULL));
    TrnTerrainDef other = trn_terrain_def();
    other.version = TRN_TERRAIN_VERSION_OLDEST - 1;
    assert_non_null(trn_terrain_def_fault(&other));
    other.version = TRN_TERRAIN_VERSION + 1;
    assert_non_null(trn_terrain_def_fault(&other));
    other.version = TRN_TERRAIN_VERSION_OLDEST;
    assert_null(trn_terrain_def_fault(&other));
}

/// Each parameter alone at both ends of its range gives a world whose ground stays within its
/// bounds.
static void every_valid_shape_generates_a_world(void **state)
{
    (void)state;
    static const float ends[][2] = {{0.25f, 8}, {-1, 1}, {0, 2},  {0, 2},  {0, 2}, {0, 1},
                                    {0, 2},     {0, 2},  {-1, 1}, {-1, 1}, {0, 2}};
    static Tower tower;
    assert_int_equal(sizeof ends / sizeof ends[0], sizeof(TrnTerrainShape) / sizeof(float));
    for (size_t i = 0; i < 2 * sizeof ends / sizeof ends[0]; i++) {
        TrnTerrainDef def = trn_terrain_def();
        TrnTerrain *terrain = NULL;
        memcpy((char *)&def.shape + i / 2 * sizeof(float), &ends[i / 2][i % 2], sizeof(float));
        assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
        for (int32_t n = 0; n < 4; n++) {
            check_heights(terrain, n * 111 - 200, n * -159 + 300, &tower);
            for (size_t v = 0; v < TRN_LAYER_VOXELS; v++) {
                assert_true(tower_block(&tower, TRN_TERRAIN_HIGHEST + 17, v) == TRN_BLOCK_AIR);
                assert_true(is_ground(tower_block(&tower, TRN_TERRAIN_LOWEST - 1, v)));
            }
        }
        trn_terrain_destroy(terrain);
    }
}

static void presets_load_and_differ(void **state)
{
    (void)state;
    uint64_t hashes[8];
    size_t count = 0;
    for (; trn_terrain_preset_name(count); count++) {
        TrnTerrainDef def = trn_terrain_def();
        TrnTerrain *terrain = NULL;
        assert_int_equal(trn_terrain_shape_preset(trn_terrain_preset_name(count), &def.shape),
                         TRN_RESULT_OK);
        assert_null(trn_terrain_def_fault(&def));
        assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
        int chunks = 0;
        hashes[count] = hash_place(terrain, 3, 5, &chunks);
        for (size_t i = 0; i < count; i++) {
            assert_true(hashes[i] != hashes[count]);
        }
        trn_terrain_destroy(terrain);
    }
    assert_int_equal(count, 5);
    const TrnTerrainShape normal = trn_terrain_shape_default();
    TrnTerrainShape shape = {0};
    assert_int_equal(trn_terrain_shape_preset("default", &shape), TRN_RESULT_OK);
    assert_memory_equal(&shape, &normal, sizeof shape);
    assert_int_equal(trn_terrain_shape_preset("alpes", &shape), TRN_RESULT_NOT_FOUND);
    assert_memory_equal(&shape, &normal, sizeof shape);
}

/// Loads a wrong text, and compares the reported problem with the expected one.
static void a_written_shape_loads_as_it_was(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(11);
    for (int round = 0; round < 300; round++) {
        char text[512], part[64];
        int length = snprintf(text, sizeof text, "terrane-terrain 1\n");
        static const char *const keys[] = {"scale", "land", "caves", "temperature", "trees"};
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            length += snprintf(text + length, sizeof text - (size_t)length, "%s = 0.%03d\n",
                               keys[i], (int)test_random_range(&random, 250, 999));
        }
        TrnTerrainShape shape, again;
        assert_int_equal(trn_terrain_shape_load(text, (size_t)length, &shape, NULL), TRN_RESULT_OK);
        const size_t size = trn_terrain_shape_write(&shape, text, sizeof text);
        assert_in_range(size, 1, sizeof text - 1);
        assert_int_equal(strlen(text), size);
        assert_int_equal(trn_terrain_shape_load(text, size, &again, NULL), TRN_RESULT_OK);
        assert_memory_equal(&shape, &again, sizeof shape);
        assert_int_equal(trn_terrain_shape_write(&shape, NULL, 0), size);
        assert_int_equal(trn_terrain_shape_write(&shape, part, sizeof part), size);
        assert_memory_equal(part, text, sizeof part - 1);
        assert_int_equal(part[sizeof part - 1], 0);
    }
    assert_int_equal(trn_terrain_shape_write(NULL, NULL, 0), 0);
}

static void check_problem(const char *text, size_t line, size_t column, const char *part)
{
    TrnTerrainShape shape = {.scale = 7};
    TrnTerrainProblem problem = {0};
    assert_int_equal(trn_terrain_shape_load(text, strlen(text), &shape, &problem),
                     TRN_RESULT_CORRUPT);
    assert_int_equal(problem.line, line);
    assert_int_equal(problem.column, column);
    assert_non_null(strstr(problem.sentence, part));
    assert_true(shape.scale == 7);
}

static void bad_texts_are_refused_with_position_and_sentence(void **state)
{
    (void)state;
    TrnTerrainShape shape;
    const char good[] =
        "terrane-terrain 1 # so\r\n\n  caves=0.5# few\r\n\tland = -0.125\nrelief = 2";
    assert_int_equal(trn_terrain_shape_load(good, sizeof good - 1, &shape, NULL), TRN_RESULT_OK);
    assert_true(shape.caves == 0.5f && shape.land == -0.125f && shape.relief == 2.0f);
    assert_true(shape.trees == 1.0f);
    check_problem("", 1, 1, "first line");
    check_problem("terrane-terrain 2\n", 1, 1, "first line");
    check_problem("terrane-terrain 1\ncave = 1\n", 2, 1, "\"cave\" is not a key");
    check_problem("terrane-terrain 1\n caves 1\n", 2, 8, "\"=\" is missing");
    check_problem("terrane-terrain 1\ncaves = x\n", 2, 9, "\"x\" is not a number");
    check_problem("terrane-terrain 1\ncaves = nan\n", 2, 9, "is not a number");
    check_problem("terrane-terrain 1\ncaves = 1.\n", 2, 9, "is not a number");
    check_problem("terrane-terrain 1\ncaves = 1e3\n", 2, 9, "is not a number");
    check_problem("terrane-terrain 1\ncaves =\n", 2, 8, "is not a number");
    check_problem("terrane-terrain 1\ncaves = -1\n", 2, 9, "caves must lie in 0..2");
    check_problem("terrane-terrain 1\ncaves = 1 2\n", 2, 11, "Nothing may follow");
    check_problem("terrane-terrain 1\ncaves = 1\ncaves = 1\n", 3, 1, "set twice");
    assert_int_equal(trn_terrain_shape_load(NULL, 0, &shape, NULL), TRN_RESULT_BAD_ARGUMENT);
}

static void random_bytes_are_refused_or_valid(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(3);
    const char good[] = "terrane-terrain 1\nscale = 0.5\nland=-0.25 # x\ntrees = 2\n";
    for (int i = 0; i < 20000; i++) {
        char text[sizeof good];
        memcpy(text, good, sizeof good);
        const size_t size = (size_t)test_random_range(&random, 0, (int64_t)sizeof good - 1);
        for (int64_t n = test_random_range(&random, 0, 4); n > 0; n--) {
            text[test_random_range(&random, 0, (int64_t)sizeof good - 2)] =
                (char)test_random_range(&random, -128, 127);
        }
        TrnTerrainDef def = trn_terrain_def();
        TrnTerrainProblem problem = {0};
        char *copy = malloc(size + 1); // exact size, for sanitizers
        assert_non_null(copy);
        memcpy(copy, text, size);
        if (trn_terrain_shape_load(copy, size, &def.shape, &problem) == TRN_RESULT_OK) {
            assert_null(trn_terrain_def_fault(&def));
        } else {
            assert_true(problem.line >= 1 && problem.column >= 1 && problem.sentence[0] != 0);
        }
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absurd_defs_are_refused_with_a_sentence),
        cmocka_unit_test(every_valid_shape_generates_a_world),
        cmocka_unit_test(presets_load_and_differ),
        cmocka_unit_test(a_written_shape_loads_as_it_was),
        cmocka_unit_test(bad_texts_are_refused_with_position_and_sentence),
        cmocka_unit_test(random_bytes_are_refused_or_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
