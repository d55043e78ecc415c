// A chunk and its 26 neighbours: places, offsets and masks, against plain loops.

#include "testing.h"

#include "base/around.h"

static void places_offsets_and_coordinates_agree(void **state)
{
    (void)state;
    uint32_t place = 0;
    for (int32_t dy = -1; dy <= 1; dy++) {
        for (int32_t dz = -1; dz <= 1; dz++) {
            for (int32_t dx = -1; dx <= 1; dx++, place++) {
                const TrnCoord offset = trn_around_offset(place), far = {INT32_MAX, 5, INT32_MIN};
                assert_int_equal(trn_around_place(dx, dy, dz), place);
                assert_true(trn_coord_equal(offset, (TrnCoord){dx, dy, dz}));
                assert_true(
                    trn_coord_equal(trn_coord_around(far, place), trn_coord_add(far, dx, dy, dz)));
                assert_int_equal(trn_around_is_at_face(place), abs(dx) + abs(dy) + abs(dz) < 2);
            }
        }
    }
    assert_int_equal(place, TRN_AROUND_COUNT);
    assert_int_equal(trn_around_place(0, 0, 0), TRN_AROUND_CENTRE);
    assert_int_equal(TRN_AROUND_SELF, 1u << trn_around_place(0, 0, 0));
    assert_int_equal(TRN_AROUND_ALL, trn_around_mask(7, 7, 7));
}

/// Whether a range of one axis reaches the chunk one step away.
static bool range_touches(uint32_t min, uint32_t max, int32_t step)
{
    return step == 0 || (step < 0 ? min == 0 : max == TRN_CHUNK_EDGE - 1);
}

static void boxes_touch_what_a_loop_over_the_neighbours_finds(void **state)
{
    (void)state;
    const uint32_t ends[] = {0, 1, 15, 30, 31};
    enum { ENDS = sizeof ends / sizeof *ends };
    for (uint32_t i = 0; i < ENDS * ENDS * ENDS; i++) {
        const uint32_t min[3] = {ends[i % ENDS], ends[i / ENDS % ENDS], ends[i / ENDS / ENDS]};
        for (uint32_t j = 0; j < ENDS * ENDS * ENDS; j++) {
            const uint32_t max[3] = {ends[j % ENDS], ends[j / ENDS % ENDS], ends[j / ENDS / ENDS]};
            uint32_t expected = 0;
            for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
                const TrnCoord offset = trn_around_offset(place);
                expected |= (uint32_t)(range_touches(min[0], max[0], offset.x) &&
                                       range_touches(min[1], max[1], offset.y) &&
                                       range_touches(min[2], max[2], offset.z))
                            << place;
            }
            assert_int_equal(trn_around_box(min, max), expected);
            assert_true(expected & TRN_AROUND_SELF);
        }
    }
}

static void a_voxel_is_a_box_of_one(void **state)
{
    (void)state;
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
            for (uint32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
                const uint32_t at[3] = {x, y, z};
                assert_int_equal(trn_around_voxel(trn_local_index(x, y, z)),
                                 trn_around_box(at, at));
            }
        }
    }
    assert_int_equal(__builtin_popcount(trn_around_voxel(trn_local_index(0, 31, 0))), 8);
    assert_int_equal(trn_around_voxel(trn_local_index(7, 1, 30)), TRN_AROUND_SELF);
}

static void neighbours_beyond_the_ends_are_not_in_the_world(void **state)
{
    (void)state;
    const int32_t ends[] = {INT32_MIN, INT32_MIN + 1, 0, INT32_MAX - 1, INT32_MAX};
    enum { ENDS = sizeof ends / sizeof *ends };
    for (uint32_t i = 0; i < ENDS * ENDS * ENDS; i++) {
        const TrnCoord coord = {ends[i % ENDS], ends[i / ENDS % ENDS], ends[i / ENDS / ENDS]};
        const int64_t at[3] = {coord.x, coord.y, coord.z};
        uint32_t expected = 0;
        for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
            const TrnCoord offset = trn_around_offset(place);
            const int64_t there[3] = {at[0] + offset.x, at[1] + offset.y, at[2] + offset.z};
            bool is_in = true;
            for (int axis = 0; axis < 3; axis++) {
                is_in &= there[axis] >= INT32_MIN && there[axis] <= INT32_MAX;
            }
            expected |= (uint32_t)is_in << place;
        }
        assert_int_equal(trn_around_in_world(coord), expected);
    }
    assert_int_equal(trn_around_in_world((TrnCoord){0, 0, 0}), TRN_AROUND_ALL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_offsets_and_coordinates_agree),
        cmocka_unit_test(boxes_touch_what_a_loop_over_the_neighbours_finds),
        cmocka_unit_test(a_voxel_is_a_box_of_one),
        cmocka_unit_test(neighbours_beyond_the_ends_are_not_in_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
