/// How well heights are known: by distance from unknown columns, compared with a plain search, and
/// by time.
#include "testing.h"

#include <stdlib.h>

#include <render/skyline.h>

#define DISTANCE 6 // chunks

static const uint32_t FULL_MASK[TRN_CHUNK_VOXELS / 32] = {[0 ... TRN_CHUNK_VOXELS / 32 - 1] =
                                                              UINT32_MAX};

typedef struct Heights {
    Skyline skyline;
    KnownHeights known;
} Heights;

static void make_heights(Heights *heights)
{
    Message problem;
    assert_true(skyline_create(&heights->skyline, DISTANCE, &problem));
    assert_true(known_heights_create(&heights->known, heights->skyline.edge));
}

static void free_heights(Heights *heights)
{
    known_heights_free(&heights->known);
    skyline_free(&heights->skyline);
}

static void learn(Heights *heights, TrnCoord camera, int32_t x, int32_t z)
{
    skyline_note(&heights->skyline, trn_coord_add(camera, x, 0, z), FULL_MASK);
}

static bool step(Heights *heights, TrnCoord camera, double seconds)
{
    return known_heights_step(&heights->known, &heights->skyline, camera, DISTANCE, seconds);
}

/// Returns the value at the lowest corner of a column.
static int value_at(const Heights *heights, TrnCoord camera, int32_t x, int32_t z)
{
    const TrnCoord at = trn_coord_add(camera, x, 0, z);
    return heights->known.now[skyline_place(&heights->skyline, at.z) * heights->skyline.edge +
                              skyline_place(&heights->skyline, at.x)];
}

static bool is_known(const Heights *heights, TrnCoord camera, int32_t x, int32_t z)
{
    return x * x + z * z <= DISTANCE * DISTANCE &&
           skyline_knows(&heights->skyline, trn_coord_add(camera, x, 0, z));
}

/// The distance from a corner to the nearest corner of an unknown column, in steps of 5 along an
/// axis and 7 along both.
static int model_distance(const Heights *heights, TrnCoord camera, int32_t x, int32_t z)
{
    int least = KNOWN_HEIGHTS_RIM * 5;
    for (int32_t i = 0; i < (2 * KNOWN_HEIGHTS_RIM + 2) * (2 * KNOWN_HEIGHTS_RIM + 2); i++) {
        const int32_t by_x = i % (2 * KNOWN_HEIGHTS_RIM + 2) - KNOWN_HEIGHTS_RIM - 1;
        const int32_t by_z = i / (2 * KNOWN_HEIGHTS_RIM + 2) - KNOWN_HEIGHTS_RIM - 1;
        if (is_known(heights, camera, x + by_x, z + by_z)) {
            continue;
        }
        for (int32_t corner = 0; corner < 4; corner++) {
            const int across = abs(by_x + corner % 2), along = abs(by_z + corner / 2);
            const int both = across < along ? across : along;
            const int sum = 7 * both + 5 * (across + along - 2 * both);
            least = sum < least ? sum : least;
        }
    }
    return least;
}

static void corners_tell_the_distance_from_what_is_unknown(void **state)
{
    (void)state;
    static const TrnCoord cameras[] = {{0, 0, 0}, {-1000, 2, 77}, {123456, 0, -98765}};
    TestRandom random = test_random_seeded(3);
    for (int round = 0; round < 30; round++) {
        const TrnCoord camera = cameras[round % 3];
        Heights heights;
        make_heights(&heights);
        const int64_t holes = test_random_range(&random, 0, 8);
        for (int32_t z = -DISTANCE - 2; z <= DISTANCE + 2; z++) {
            for (int32_t x = -DISTANCE - 2; x <= DISTANCE + 2; x++) {
                if (test_random_range(&random, 0, 99) >= holes) {
                    learn(&heights, camera, x, z);
                }
            }
        }
        assert_true(step(&heights, camera, 0));
        for (int32_t z = -DISTANCE - 3; z <= DISTANCE + 3; z++) {
            for (int32_t x = -DISTANCE - 3; x <= DISTANCE + 3; x++) {
                assert_int_equal(value_at(&heights, camera, x, z),
                                 model_distance(&heights, camera, x, z) * 255 /
                                     (5 * KNOWN_HEIGHTS_RIM));
            }
        }
        free_heights(&heights);
    }
}

static void without_a_reach_all_counts_as_known(void **state)
{
    (void)state;
    Heights heights;
    const TrnCoord camera = {5, 0, 5};
    make_heights(&heights);
    assert_true(known_heights_step(&heights.known, &heights.skyline, camera, 0, 0));
    for (int32_t i = 0; i < heights.known.edge * heights.known.edge; i++) {
        assert_int_equal(heights.known.now[i], 255);
    }
    free_heights(&heights);
}

static void learn_all(Heights *heights, TrnCoord camera)
{
    for (int32_t z = -DISTANCE; z <= DISTANCE; z++) {
        for (int32_t x = -DISTANCE; x <= DISTANCE; x++) {
            learn(heights, camera, x, z);
        }
    }
}

static void what_comes_to_be_known_takes_its_time(void **state)
{
    (void)state;
    Heights heights;
    const TrnCoord camera = {0, 0, 0};
    make_heights(&heights);
    assert_true(step(&heights, camera, 10));
    assert_false(step(&heights, camera, 11)); // nothing happened
    learn_all(&heights, camera);
    assert_int_equal(value_at(&heights, camera, 0, 0), 0);
    int last = 0;
    const int frames = (int)(KNOWN_HEIGHTS_SECONDS * 240);
    for (int frame = 1; frame <= frames + 240; frame++) {
        (void)step(&heights, camera, 11 + frame / 240.0);
        const int now = value_at(&heights, camera, 0, 0);
        assert_in_range(now, last, last + 2);
        last = now;
    }
    assert_int_equal(last, 255);
    assert_true(heights.known.is_settled);
    free_heights(&heights);
}

static void what_is_lost_is_unknown_at_once(void **state)
{
    (void)state;
    Heights heights;
    const TrnCoord camera = {0, 0, 0};
    make_heights(&heights);
    learn_all(&heights, camera);
    assert_true(step(&heights, camera, 0));
    assert_int_equal(value_at(&heights, camera, 0, 0), 255);
    const TrnCoord far_away = {1000003, 0, 0};
    assert_true(step(&heights, far_away, 1.0 / 60));
    for (int32_t i = 0; i < heights.known.edge * heights.known.edge; i++) {
        assert_int_equal(heights.known.now[i], 0);
    }
    free_heights(&heights);
}

static void a_column_is_known_once_all_its_heights_are(void **state)
{
    (void)state;
    static uint32_t half[TRN_CHUNK_VOXELS / 32];
    Heights heights;
    make_heights(&heights);
    half[0] = 1; // one voxel
    skyline_note(&heights.skyline, (TrnCoord){2, 1, 3}, half);
    assert_false(skyline_knows(&heights.skyline, (TrnCoord){2, 9, 3}));
    skyline_note(&heights.skyline, (TrnCoord){2, 0, 3}, FULL_MASK);
    assert_true(skyline_knows(&heights.skyline, (TrnCoord){2, 9, 3}));
    assert_false(skyline_knows(&heights.skyline, (TrnCoord){2 + heights.skyline.edge, 9, 3}));
    free_heights(&heights);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_tell_the_distance_from_what_is_unknown),
        cmocka_unit_test(without_a_reach_all_counts_as_known),
        cmocka_unit_test(what_comes_to_be_known_takes_its_time),
        cmocka_unit_test(what_is_lost_is_unknown_at_once),
        cmocka_unit_test(a_column_is_known_once_all_its_heights_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
