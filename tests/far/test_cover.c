// The cover of a far view, against its definition worked out by brute force after every event.

#include "testing.h"

#include "far/far_cover.h"

#define LEVELS 4u // of the model: 0..3
#define EDGE 16   // chunks of level 0 along each axis: 2 of level 3
#define CELLS (EDGE * EDGE * EDGE)

/// What is ready and drawn, by level and place; a level uses the first (EDGE >> level)^3 places.
typedef struct Model {
    TrnFarCover cover;
    TestAllocator memory;
    TrnAllocator allocator;
    TrnCoord origin; ///< of level 0, in whole chunks of the coarsest level
    bool is_ready[LEVELS][CELLS];
    bool is_drawn[LEVELS][CELLS]; ///< as the cover said
    uint32_t draws;
} Model;

static uint32_t model_index(uint32_t level, int32_t x, int32_t y, int32_t z)
{
    const int32_t edge = EDGE >> level;
    return (uint32_t)(x + edge * (z + edge * y));
}

static TrnCoord model_coord(const Model *model, uint32_t level, int32_t x, int32_t y, int32_t z)
{
    return (TrnCoord){(model->origin.x >> level) + x, (model->origin.y >> level) + y,
                      (model->origin.z >> level) + z};
}

static void model_draw(void *user, uint32_t level, TrnCoord coord, bool is_drawn)
{
    Model *model = user;
    const uint32_t index =
        model_index(level, coord.x - (model->origin.x >> level),
                    coord.y - (model->origin.y >> level), coord.z - (model->origin.z >> level));
    assert_true(level < LEVELS && index < CELLS);
    assert_true(model->is_drawn[level][index] != is_drawn); // told once
    model->is_drawn[level][index] = is_drawn;
    model->draws++;
}

static Model *model_create(TrnCoord origin)
{
    Model *model = calloc(1, sizeof *model);
    assert_non_null(model);
    model->origin = origin;
    model->allocator = test_allocator(&model->memory);
    trn_far_cover_init(&model->cover, 7, model_draw, model, &model->allocator);
    return model;
}

// ---- the definition ----------------------------------------------------------------------------

static bool model_is_full(const Model *model, uint32_t level, int32_t x, int32_t y, int32_t z);

static bool model_is_covered(const Model *model, uint32_t level, int32_t x, int32_t y, int32_t z)
{
    bool is_covered = level > 0;
    for (int32_t i = 0; is_covered && i < 8; i++) {
        is_covered = model_is_full(model, level - 1, 2 * x + (i & 1), 2 * y + (i >> 2),
                                   2 * z + (i >> 1 & 1));
    }
    return is_covered;
}

static bool model_is_full(const Model *model, uint32_t level, int32_t x, int32_t y, int32_t z)
{
    return model->is_ready[level][model_index(level, x, y, z)] ||
           model_is_covered(model, level, x, y, z);
}

/// Compares what is drawn at a place and below it with the definition.
/// @param is_hidden  a coarser chunk is drawn there
static void model_check_below(const Model *model, uint32_t level, int32_t x, int32_t y, int32_t z,
                              bool is_hidden)
{
    const uint32_t index = model_index(level, x, y, z);
    const bool is_drawn =
        !is_hidden && model->is_ready[level][index] && !model_is_covered(model, level, x, y, z);
    const TrnCoord coord = model_coord(model, level, x, y, z);
    assert_int_equal(model->is_drawn[level][index], is_drawn);
    assert_int_equal(trn_far_cover_is_drawn(&model->cover, level, coord), is_drawn);
    for (int32_t i = 0; level && i < 8; i++) {
        model_check_below(model, level - 1, 2 * x + (i & 1), 2 * y + (i >> 2), 2 * z + (i >> 1 & 1),
                          is_hidden || is_drawn);
    }
}

static void model_check(const Model *model)
{
    const uint32_t top = LEVELS - 1;
    for (int32_t i = 0; i < 8; i++) {
        model_check_below(model, top, i & 1, i >> 2, i >> 1 & 1, false);
    }
    for (uint32_t level = 0; level < LEVELS; level++) {
        uint32_t ready = 0, drawn = 0;
        for (uint32_t i = 0; i < CELLS; i++) {
            ready += model->is_ready[level][i];
            drawn += model->is_drawn[level][i];
        }
        assert_int_equal(model->cover.ready[level], ready);
        assert_int_equal(model->cover.drawn[level], drawn);
    }
    assert_int_equal(trn_far_cover_bytes(&model->cover), model->memory.live_bytes);
}

// ---- events ------------------------------------------------------------------------------------

static void model_set(Model *model, uint32_t level, int32_t x, int32_t y, int32_t z, bool is_ready)
{
    const TrnResult result =
        trn_far_cover_set(&model->cover, level, model_coord(model, level, x, y, z), is_ready);
    assert_true(result == TRN_RESULT_OK || (is_ready && result == TRN_RESULT_NO_MEMORY));
    if (result == TRN_RESULT_OK) {
        model->is_ready[level][model_index(level, x, y, z)] = is_ready;
    }
}

/// A cube of chunks becomes ready, or leaves, as when a view moves; some of them do not.
static void model_set_cube(Model *model, TestRandom *random, uint32_t level, bool is_ready)
{
    const int32_t edge = EDGE >> level, size = (int32_t)test_random_range(random, 1, edge / 2);
    const int32_t x0 = (int32_t)test_random_range(random, 0, edge - size),
                  y0 = (int32_t)test_random_range(random, 0, edge - size),
                  z0 = (int32_t)test_random_range(random, 0, edge - size);
    const int64_t skipped = test_random_range(random, 0, 1) ? 0 : 10; // of a hundred
    for (int32_t i = 0; i < size * size * size; i++) {
        if (test_random_range(random, 1, 100) > skipped) {
            model_set(model, level, x0 + i % size, y0 + i / (size * size), z0 + i / size % size,
                      is_ready);
        }
    }
}

static void model_drop_level(Model *model, uint32_t level)
{
    const int32_t edge = EDGE >> level;
    for (int32_t i = 0; i < edge * edge * edge; i++) {
        model_set(model, level, i % edge, i / (edge * edge), i / edge % edge, false);
    }
}

static void model_event(Model *model, TestRandom *random)
{
    const uint32_t level = (uint32_t)test_random_range(random, 0, LEVELS - 1);
    const int32_t last = (EDGE >> level) - 1;
    const int64_t kind = test_random_range(random, 0, 999);
    if (kind < 300) {
        model_set_cube(model, random, level, kind < 180);
    } else if (kind == 300) {
        model_drop_level(model, level);
    } else {
        model_set(model, level, (int32_t)test_random_range(random, 0, last),
                  (int32_t)test_random_range(random, 0, last),
                  (int32_t)test_random_range(random, 0, last), kind < 700);
    }
}

static void model_destroy(Model *model)
{
    for (uint32_t level = LEVELS; level-- > 0;) {
        model_drop_level(model, level);
        model_check(model);
    }
    for (uint32_t level = 0; level < FAR_COVER_LEVELS; level++) {
        assert_int_equal(model->cover.children[level].count, 0); // nothing is kept for nothing
    }
    trn_far_cover_destroy(&model->cover);
    assert_int_equal(model->memory.live_blocks, 0);
    free(model);
}

// ---- tests -------------------------------------------------------------------------------------

static void equals_its_definition(void **state)
{
    (void)state;
    test_skip_without_threads();
    // Across the origin, and at both ends of the world.
    const TrnCoord origins[] = {{-EDGE / 2, -EDGE / 2, -EDGE / 2},
                                {INT32_MIN, INT32_MAX - EDGE + 1, INT32_MIN},
                                {INT32_MAX - EDGE + 1, 0, INT32_MAX - EDGE + 1}};
    TestRandom random = test_random_seeded(26);
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
        Model *model = model_create(origins[i]);
        const uint32_t rounds = test_rounds(1500, 150);
        for (uint32_t round = 0; round < rounds; round++) {
            model_event(model, &random);
            model_check(model);
        }
        assert_true(model->draws > rounds);
        model_destroy(model);
    }
}

static void failed_allocations_change_nothing(void **state)
{
    (void)state;
    test_skip_without_threads();
    TestRandom random = test_random_seeded(27);
    Model *model = model_create((TrnCoord){0, -EDGE, 0});
    for (uint32_t round = 0; round < test_rounds(600, 100); round++) {
        const size_t first = (size_t)test_random_range(&random, 1, 4);
        test_fail(&model->memory, first, first + (size_t)test_random_range(&random, 0, 40));
        model_event(model, &random);
        model_check(model);
    }
    test_fail(&model->memory, 0, 0);
    model_destroy(model);
}

/// The plain life of a place: coarse first, then fine, then coarse again.
static void gives_way_only_to_all_children(void **state)
{
    (void)state;
    Model *model = model_create((TrnCoord){0, 0, 0});
    model_set(model, 1, 0, 0, 0, true);
    assert_true(trn_far_cover_is_drawn(&model->cover, 1, (TrnCoord){0, 0, 0}));
    for (int32_t i = 0; i < 8; i++) {
        assert_int_equal(model->cover.drawn[1], 1);
        assert_int_equal(model->cover.drawn[0], 0);
        model_set(model, 0, i & 1, i >> 2, i >> 1 & 1, true);
    }
    assert_int_equal(model->cover.drawn[1], 0);
    assert_int_equal(model->cover.drawn[0], 8);
    model_set(model, 0, 1, 0, 1, false);
    assert_int_equal(model->cover.drawn[1], 1);
    assert_int_equal(model->cover.drawn[0], 0);
    model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_way_only_to_all_children),
        cmocka_unit_test(equals_its_definition),
        cmocka_unit_test(failed_allocations_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
