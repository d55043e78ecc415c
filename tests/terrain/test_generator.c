/// Generators: what reaches the generate function, what is refused before it, and the built-in
/// terrain as a generator.
#include "testing.h"

#include <terrane/generator.h>
#include <terrane/terrain.h>

#include "terrain/generator_impl.h"

/// A generator that records its calls.
typedef struct Asked {
    int times;
    TrnCoord coord;
    uint32_t level;
    TrnResult answer;
} Asked;

static TrnResult note_question(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                               bool *uniform)
{
    Asked *asked = user;
    asked->times++;
    asked->coord = coord;
    asked->level = level;
    blocks[0] = TRN_BLOCK_STONE;
    *uniform = true;
    return asked->answer;
}

static TrnBlock *make_blocks(void)
{
    TrnBlock *blocks = calloc((size_t)TRN_CHUNK_VOXELS, sizeof *blocks);
    assert_non_null(blocks);
    return blocks;
}

static void a_level_has_the_chunks_whose_voxels_are_all_in_the_world(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(31);
    for (int round = 0; round < 20000; round++) {
        const uint32_t level = (uint32_t)test_random_range(&random, 0, TRN_GENERATOR_LEVEL_MAX);
        const int64_t edge = (int64_t)TRN_CHUNK_EDGE << level;
        int32_t axes[3];
        bool expected = true;
        for (int i = 0; i < 3; i++) {
            // Near one of the ends, or anywhere.
            const int64_t end = test_random_range(&random, 0, 1)
                                    ? INT32_MAX / ((int64_t)1 << level)
                                    : INT32_MIN / ((int64_t)1 << level);
            const int64_t near_it = end + test_random_range(&random, -2, 2);
            const bool fits = near_it >= INT32_MIN && near_it <= INT32_MAX;
            axes[i] = fits && round % 4 ? (int32_t)near_it : (int32_t)test_random_next(&random);
            const TrnVoxel first = {axes[i] * edge, 0, 0}, last = {first.x + edge - 1, 0, 0};
            expected = expected && trn_voxel_in_world(first) && trn_voxel_in_world(last);
        }
        const TrnCoord coord = {axes[0], axes[1], axes[2]};
        assert_int_equal(trn_generator_in_world(coord, level), expected);
    }
    assert_false(trn_generator_in_world((TrnCoord){0, 0, 0}, TRN_GENERATOR_LEVEL_MAX + 1));
    assert_false(trn_generator_in_world((TrnCoord){0, 0, 0}, UINT32_MAX));
}

static void calls_reach_the_function_and_return_its_result(void **state)
{
    (void)state;
    Asked asked = {.answer = TRN_RESULT_OK};
    const TrnGenerator generator = {.generate = note_question, .user = &asked, .level_max = 3};
    TrnBlock *blocks = make_blocks();
    bool uniform = false;
    for (uint32_t level = 0; level <= 3; level++) {
        const TrnCoord coord = {-7, (int32_t)level, 9};
        assert_int_equal(trn_generator_generate(&generator, coord, level, blocks, &uniform),
                         TRN_RESULT_OK);
        assert_true(trn_coord_equal(asked.coord, coord));
        assert_int_equal(asked.level, level);
    }
    assert_int_equal(asked.times, 4);
    assert_true(uniform);
    assert_int_equal(blocks[0], TRN_BLOCK_STONE);
    asked.answer = TRN_RESULT_NO_MEMORY;
    assert_int_equal(trn_generator_generate(&generator, (TrnCoord){0, 0, 0}, 0, blocks, &uniform),
                     TRN_RESULT_NO_MEMORY);
    free(blocks);
}

static void invalid_requests_never_reach_the_function(void **state)
{
    (void)state;
    Asked asked = {.answer = TRN_RESULT_OK};
    const TrnGenerator generator = {.generate = note_question, .user = &asked, .level_max = 3},
                       none = {0};
    const TrnCoord origin = {0, 0, 0}, outside = {0, INT32_MAX, 0};
    TrnBlock *blocks = make_blocks();
    bool uniform;
    const TrnResult results[] = {
        trn_generator_generate(NULL, origin, 0, blocks, &uniform),
        trn_generator_generate(&none, origin, 0, blocks, &uniform),
        trn_generator_generate(&generator, origin, 0, NULL, &uniform),
        trn_generator_generate(&generator, origin, 0, blocks, NULL),
        trn_generator_generate(&generator, origin, 4, blocks, &uniform),
        trn_generator_generate(&generator, origin, UINT32_MAX, blocks, &uniform),
        trn_generator_generate(&generator, outside, 1, blocks, &uniform),
    };
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        assert_int_equal(results[i], TRN_RESULT_BAD_ARGUMENT);
    }
    // A level_max beyond the coarsest level adds no levels.
    const TrnGenerator boaster = {
        .generate = note_question, .user = &asked, .level_max = UINT32_MAX};
    assert_int_equal(
        trn_generator_generate(&boaster, origin, TRN_GENERATOR_LEVEL_MAX + 1, blocks, &uniform),
        TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(asked.times, 0);
    free(blocks);
}

static void the_terrain_as_a_generator_gives_the_same_voxels(void **state)
{
    (void)state;
    TrnTerrain *terrain;
    assert_int_equal(trn_terrain_create(NULL, &terrain), TRN_RESULT_OK);
    const TrnGenerator generator = trn_terrain_generator(terrain);
    TrnBlock *straight = make_blocks(), *hooked = make_blocks();
    int mixed = 0;
    for (uint32_t level = 0; level <= TRN_TERRAIN_LEVEL_MAX; level += 3) {
        for (int32_t y = -3; y <= 3; y++) {
            const TrnCoord coord = {1, y, -2};
            bool straight_uniform, hooked_uniform;
            assert_int_equal(
                trn_terrain_generate_level(terrain, coord, level, straight, &straight_uniform),
                TRN_RESULT_OK);
            assert_int_equal(
                trn_generator_generate(&generator, coord, level, hooked, &hooked_uniform),
                TRN_RESULT_OK);
            assert_int_equal(straight_uniform, hooked_uniform);
            const size_t told = straight_uniform ? 1 : TRN_CHUNK_VOXELS;
            assert_memory_equal(straight, hooked, told * sizeof *straight);
            mixed += !straight_uniform;
        }
    }
    assert_true(mixed >= 5); // each level includes the surface
    free(straight);
    free(hooked);
    trn_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_has_the_chunks_whose_voxels_are_all_in_the_world),
        cmocka_unit_test(calls_reach_the_function_and_return_its_result),
        cmocka_unit_test(invalid_requests_never_reach_the_function),
        cmocka_unit_test(the_terrain_as_a_generator_gives_the_same_voxels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
