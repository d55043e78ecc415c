/// Heights of the land, compared with a plain search through all chunks.
#include "testing.h"

#include <render/skyline.h>
#include <terrane/voxels.h>

#define DISTANCE 2 // chunks
#define EDGE 3     // chunks along the edge of the test's world

static uint32_t masks[EDGE][EDGE][EDGE][TRN_CHUNK_VOXELS / 32]; // y, z, x

static void fill_mask(TestRandom *random, uint32_t *mask)
{
    const int64_t density = test_random_range(random, 0, 4);
    for (int i = 0; i < TRN_CHUNK_VOXELS / 32; i++) {
        uint32_t row = density ? UINT32_MAX : 0;
        for (int64_t k = 0; k < density * 2; k++) {
            row &= (uint32_t)test_random_next(random);
        }
        mask[i] = row;
    }
}

static float model_height(int32_t base, TrnCoord origin, int x, int z)
{
    for (int y = EDGE * 32 - 1; y >= 0; y--) {
        const uint32_t row = masks[y / 32][z / 32][x / 32][y % 32 * 32 + z % 32];
        if (row >> (x % 32) & 1) {
            return (float)((int64_t)origin.y * 32 + y + 1 - (int64_t)base * 32);
        }
    }
    return SKYLINE_NONE;
}

static void check_heights(const Skyline *skyline, TrnCoord origin)
{
    const TrnVoxel corner = trn_coord_voxel(origin);
    for (int z = 0; z < EDGE * 32; z++) {
        for (int x = 0; x < EDGE * 32; x++) {
            const float height = skyline_height(skyline, corner.x + x, corner.z + z);
            assert_true(height == model_height(skyline->base, origin, x, z)); // whole numbers
        }
    }
}

static void heights_are_those_of_the_highest_voxel_in_any_order_of_chunks(void **state)
{
    (void)state;
    static const TrnCoord origins[] = {
        {0, 0, 0}, {-2, -5, 7}, {INT32_MIN, INT32_MAX - 2, INT32_MAX - 2}};
    TestRandom random = test_random_seeded(11);
    Message problem;
    for (int round = 0; round < 12; round++) {
        Skyline skyline;
        const TrnCoord origin = origins[round % 3];
        assert_true(skyline_create(&skyline, DISTANCE, &problem));
        const int start = (int)test_random_range(&random, 0, 26);
        for (int i = 0; i < 27; i++) {
            const int place = (start + i * 10) % 27; // each once
            const int x = place % 3, z = place / 3 % 3, y = place / 9;
            fill_mask(&random, masks[y][z][x]);
            skyline_note(&skyline, trn_coord_add(origin, x, y, z), masks[y][z][x]);
        }
        check_heights(&skyline, origin);
        skyline_free(&skyline);
    }
}

static void digging_lowers_and_building_raises(void **state)
{
    (void)state;
    static uint32_t mask[TRN_CHUNK_VOXELS / 32];
    Skyline skyline;
    Message problem;
    memset(mask, 0, sizeof mask);
    mask[4 * 32 + 7] = 1u << 9;  // y 4
    mask[20 * 32 + 7] = 1u << 9; // y 20
    assert_true(skyline_create(&skyline, DISTANCE, &problem));
    skyline_note(&skyline, (TrnCoord){0, 0, 0}, mask);
    assert_true(skyline_height(&skyline, 9, 7) == 21);
    mask[20 * 32 + 7] = 0;
    skyline_note(&skyline, (TrnCoord){0, 0, 0}, mask);
    assert_true(skyline_height(&skyline, 9, 7) == 5);
    mask[31 * 32 + 7] = 1u << 9;
    skyline_note(&skyline, (TrnCoord){0, 0, 0}, mask);
    assert_true(skyline_height(&skyline, 9, 7) == 32);
    assert_true(skyline_height(&skyline, 10, 7) == SKYLINE_NONE);
    assert_true(skyline_height(&skyline, 100000, 7) == SKYLINE_NONE);
    skyline_free(&skyline);
}

static void a_column_that_takes_anothers_place_forgets_it(void **state)
{
    (void)state;
    static uint32_t full[TRN_CHUNK_VOXELS / 32], none[TRN_CHUNK_VOXELS / 32];
    Skyline skyline;
    Message problem;
    memset(full, 0xff, sizeof full);
    assert_true(skyline_create(&skyline, DISTANCE, &problem));
    skyline_note(&skyline, (TrnCoord){1, 3, 1}, full);
    assert_true(skyline_height(&skyline, 40, 40) == 32);
    skyline_note(&skyline, (TrnCoord){1 + skyline.edge, 3, 1}, none);
    assert_true(skyline_height(&skyline, 40, 40) == SKYLINE_NONE);
    assert_true(skyline_height(&skyline, 40 + skyline.edge * 32, 40) == SKYLINE_NONE);
    skyline_free(&skyline);
}

static void each_column_that_changed_is_taken_once(void **state)
{
    (void)state;
    static uint32_t full[TRN_CHUNK_VOXELS / 32], none[TRN_CHUNK_VOXELS / 32];
    Skyline skyline;
    Message problem;
    memset(full, 0xff, sizeof full);
    assert_true(skyline_create(&skyline, DISTANCE, &problem));
    assert_int_equal(skyline_take(&skyline), -1);
    skyline_note(&skyline, (TrnCoord){1, 0, 2}, full);
    skyline_note(&skyline, (TrnCoord){1, 1, 2}, full);
    assert_int_equal(skyline_take(&skyline), 2 * skyline.edge + 1);
    assert_int_equal(skyline_take(&skyline), -1);
    skyline_note(&skyline, (TrnCoord){1, 0, 2}, full); // as it was
    skyline_note(&skyline, (TrnCoord){1, 2, 2}, none); // nothing higher
    assert_int_equal(skyline_take(&skyline), -1);
    skyline_free(&skyline);
}

static void a_camera_far_above_starts_anew(void **state)
{
    (void)state;
    static uint32_t full[TRN_CHUNK_VOXELS / 32];
    Skyline skyline;
    Message problem;
    memset(full, 0xff, sizeof full);
    assert_true(skyline_create(&skyline, DISTANCE, &problem));
    skyline_note(&skyline, (TrnCoord){0, 0, 0}, full);
    skyline_note(&skyline, (TrnCoord){1, 40000, 0}, full);
    assert_true(skyline_height(&skyline, 0, 0) == SKYLINE_NONE);
    assert_true(skyline_height(&skyline, 32, 0) == 32);
    assert_int_equal(skyline.base, 40000);
    skyline_free(&skyline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_are_those_of_the_highest_voxel_in_any_order_of_chunks),
        cmocka_unit_test(digging_lowers_and_building_raises),
        cmocka_unit_test(a_column_that_takes_anothers_place_forgets_it),
        cmocka_unit_test(each_column_that_changed_is_taken_once),
        cmocka_unit_test(a_camera_far_above_starts_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
