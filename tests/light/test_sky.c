// Open sky by column against the product of all chunks above.

#include "testing.h"

#include "light/sky_internal.h"

#define LOW (-12)
#define HIGH 12
#define TALL (HIGH - LOW + 1)

/// One column of chunks: what each lets through. Those of `is_air` let all through, and the source
/// does not name them.
typedef struct World {
    uint32_t pass[TALL][TRN_CHUNK_EDGE];
    bool is_air[TALL];
    uint32_t asked;   ///< calls of pass
    TrnResult result; ///< of both functions, unless OK
} World;

static TrnResult world_highest(void *user, TrnCoord from, int32_t lowest, int32_t *y)
{
    const World *world = user;
    if (world->result != TRN_RESULT_OK) {
        return world->result;
    }
    for (int32_t at = from.y < HIGH ? from.y : HIGH; at >= lowest && at >= LOW; at--) {
        if (!world->is_air[at - LOW]) {
            *y = at;
            return TRN_RESULT_OK;
        }
    }
    return TRN_RESULT_NOT_FOUND;
}

static TrnResult world_pass(void *user, TrnCoord coord, uint32_t *open)
{
    World *world = user;
    world->asked++;
    memcpy(open, world->pass[coord.y - LOW], sizeof world->pass[0]);
    return TRN_RESULT_OK;
}

/// Gives a chunk other voxels. @param bits  that each row closes at most
static void world_fill(World *world, TestRandom *random, int32_t y, int64_t bits)
{
    uint32_t *pass = world->pass[y - LOW];
    world->is_air[y - LOW] = test_random_range(random, 0, 2) == 0;
    memset(pass, 0xFF, sizeof world->pass[0]);
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE && !world->is_air[y - LOW]; z++) {
        for (int64_t i = test_random_range(random, 0, bits); i > 0; i--) {
            pass[z] &= ~(1u << test_random_range(random, 0, 31));
        }
    }
}

static TrnSkyMask model_open(const World *world, int32_t y)
{
    TrnSkyMask open;
    memset(&open, 0xFF, sizeof open);
    for (int32_t at = HIGH; at >= y; at--) {
        for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
            open.rows[z] &= world->pass[at - LOW][z];
        }
    }
    return open;
}

/// Changes a chunk, and checks that all columns are named that differ below it where someone asked.
static void check_change(World *world, TrnSky *sky, TestRandom *random, bool *was_asked,
                         int64_t bits)
{
    const int32_t y = (int32_t)test_random_range(random, LOW, HIGH);
    const bool is_known = test_random_range(random, 0, 4) > 0;
    TrnSkyMask before[TALL], changed;
    for (int32_t at = LOW; at <= y; at++) {
        before[at - LOW] = model_open(world, at);
    }
    world_fill(world, random, y, bits);
    const TrnCoord coord = {5, y, -7};
    (void)trn_sky_change(sky, coord, is_known ? world->pass[y - LOW] : NULL, &changed);
    for (int32_t at = LOW; at <= y; at++) {
        const TrnSkyMask after = model_open(world, at);
        for (uint32_t z = 0; z < TRN_CHUNK_EDGE && was_asked[at - LOW]; z++) {
            const uint32_t differs = before[at - LOW].rows[z] ^ after.rows[z];
            assert_int_equal(differs & ~changed.rows[z], 0);
        }
        was_asked[at - LOW] &= trn_sky_mask_is_empty(&changed); // who asked asks again
    }
}

static void a_column_is_the_product_of_what_is_above(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(41);
    for (uint32_t round = 0; round < test_rounds(60, 12); round++) {
        World world = {.result = TRN_RESULT_OK};
        bool was_asked[TALL] = {false};
        TestAllocator memory = {0};
        const TrnAllocator allocator = test_allocator(&memory);
        TrnSky *sky;
        const int64_t bits = round % 3 == 0   ? 1
                             : round % 3 == 1 ? 12
                                              : 300; // deep, and closed soon
        for (int32_t y = LOW; y <= HIGH; y++) {
            world_fill(&world, &random, y, bits);
        }
        const TrnSkySource source = {world_highest, world_pass, &world};
        assert_int_equal(trn_sky_create(&allocator, 1 + round, &sky), TRN_RESULT_OK);
        assert_int_equal(trn_sky_reserve(sky, (TrnCoord){4, 0, -6}), TRN_RESULT_OK);
        for (uint32_t step = 0; step < 60; step++) {
            const int32_t y = (int32_t)test_random_range(&random, LOW, HIGH);
            const TrnSkyMask expected = model_open(&world, y);
            TrnSkyMask open;
            const uint32_t asked = world.asked;
            const TrnCoord coord = {5, y, -7};
            assert_int_equal(trn_sky_open(sky, &source, coord, &open), TRN_RESULT_OK);
            assert_memory_equal(&open, &expected, sizeof open);
            if (was_asked[y - LOW] && bits > 12) {    // no more than it has layers
                assert_int_equal(world.asked, asked); // known
            }
            was_asked[y - LOW] = true;
            if (step % 3 == 2) {
                check_change(&world, sky, &random, was_asked, bits);
            }
        }
        trn_sky_destroy(sky);
        assert_int_equal(memory.live_bytes, 0);
    }
}

static void columns_come_and_go(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(42);
    World world = {.result = TRN_RESULT_OK};
    TrnSkyMask open;
    TrnSky *sky = NULL;
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    const TrnSkySource source = {world_highest, world_pass, &world};
    const TrnCoord coord = {5, LOW, -7}, corner = {INT32_MAX, 0, INT32_MIN};
    for (int32_t y = LOW; y <= HIGH; y++) {
        world_fill(&world, &random, y, 12);
    }
    memory.fail_at = 1;
    assert_int_equal(trn_sky_create(&allocator, 1, &sky), TRN_RESULT_NO_MEMORY);
    assert_int_equal(trn_sky_create(&allocator, 1, &sky), TRN_RESULT_OK);
    assert_int_equal(trn_sky_open(sky, &source, coord, &open), TRN_RESULT_NOT_FOUND);
    TrnResult result = TRN_RESULT_NO_MEMORY;
    for (uint32_t tries = 0; result != TRN_RESULT_OK; tries++) {
        test_fail(&memory, 2, 2); // a column more each time
        result = trn_sky_reserve(sky, coord);
        assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_NO_MEMORY);
        assert_true(tries < 40);
    }
    world.result = TRN_RESULT_IO;
    assert_int_equal(trn_sky_open(sky, &source, coord, &open), TRN_RESULT_IO);
    world.result = TRN_RESULT_OK;
    assert_int_equal(trn_sky_open(sky, &source, coord, &open), TRN_RESULT_OK);
    trn_sky_remove(sky, coord);
    trn_sky_remove(sky, coord); // again is fine
    assert_int_equal(trn_sky_open(sky, &source, coord, &open), TRN_RESULT_NOT_FOUND);
    test_fail(&memory, 0, 0);
    assert_int_equal(trn_sky_reserve(sky, corner), TRN_RESULT_OK);
    assert_int_equal(trn_sky_open(sky, &source, corner, &open), TRN_RESULT_OK);
    trn_sky_destroy(sky);
    trn_sky_destroy(NULL);
    assert_int_equal(memory.live_bytes, 0);
}

/// A source whose highest chunk changes while it is asked about that.
typedef struct Changing {
    World world;
    TrnSky *sky;
} Changing;

static TrnResult changing_highest(void *user, TrnCoord from, int32_t lowest, int32_t *y)
{
    return world_highest(&((Changing *)user)->world, from, lowest, y);
}

/// Answers what was, and clears the chunk.
static TrnResult changing_pass(void *user, TrnCoord coord, uint32_t *open)
{
    Changing *changing = user;
    uint32_t *const pass = changing->world.pass[coord.y - LOW];
    TrnSkyMask changed;
    const TrnResult result = world_pass(&changing->world, coord, open);
    if (!pass[0]) {
        memset(pass, 0xFF, sizeof changing->world.pass[0]);
        (void)trn_sky_change(changing->sky, coord, pass, &changed);
    }
    return result;
}

/// Another thread may change a chunk between a question and its answer, which is old then.
static void an_answer_that_a_change_overtook_is_not_kept(void **state)
{
    (void)state;
    Changing changing = {.world = {.result = TRN_RESULT_OK}};
    TrnSkyMask open;
    const TrnAllocator allocator = trn_allocator_default();
    const TrnSkySource source = {changing_highest, changing_pass, &changing};
    const TrnCoord coord = {5, LOW, -7};
    assert_int_equal(trn_sky_create(&allocator, 1, &changing.sky), TRN_RESULT_OK);
    assert_int_equal(trn_sky_reserve(changing.sky, coord), TRN_RESULT_OK);
    assert_int_equal(trn_sky_open(changing.sky, &source, coord, &open), TRN_RESULT_OK);
    const TrnSkyMask expected = model_open(&changing.world, LOW);
    assert_int_equal(expected.rows[7], UINT32_MAX);
    assert_memory_equal(&open, &expected, sizeof open);
    trn_sky_destroy(changing.sky);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_is_the_product_of_what_is_above),
        cmocka_unit_test(columns_come_and_go),
        cmocka_unit_test(an_answer_that_a_change_overtook_is_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
