// Results, allocation and the arithmetic of coordinates.

#include "testing.h"

#include <math.h>

#include <terrane/coord.h>

static void every_result_has_a_sentence_of_its_own(void **state)
{
    (void)state;
    for (int a = 0; a < TRN_RESULT_COUNT; a++) {
        const char *text = trn_result_text((TrnResult)a);
        assert_true(strlen(text) >= 8);
        assert_int_equal(text[strlen(text) - 1], '.');
        for (int b = 0; b < a; b++) {
            assert_string_not_equal(text, trn_result_text((TrnResult)b));
        }
    }
    assert_non_null(trn_result_text((TrnResult)12345));
}

static void version_is_that_of_the_header(void **state)
{
    (void)state;
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", TRN_VERSION_MAJOR, TRN_VERSION_MINOR,
             TRN_VERSION_PATCH);
    assert_string_equal(trn_version(), expected);
}

static void version_number_grows_with_the_version(void **state)
{
    (void)state;
    assert_true(TRN_VERSION_NUMBER_OF(0, 2, 0) < TRN_VERSION_NUMBER_OF(0, 2, 1));
    assert_true(TRN_VERSION_NUMBER_OF(0, 2, 999) < TRN_VERSION_NUMBER_OF(0, 3, 0));
    assert_true(TRN_VERSION_NUMBER_OF(0, 999, 999) < TRN_VERSION_NUMBER_OF(1, 0, 0));
}

#if !TRN_VERSION_AT_LEAST(TRN_VERSION_MAJOR, TRN_VERSION_MINOR, TRN_VERSION_PATCH) ||              \
    !TRN_VERSION_AT_LEAST(0, 2, 0)
#error "TRN_VERSION_AT_LEAST denies a version that the headers have"
#endif

static void headers_are_of_no_later_version_than_their_own(void **state)
{
    (void)state;
    assert_false(TRN_VERSION_AT_LEAST(TRN_VERSION_MAJOR, TRN_VERSION_MINOR, TRN_VERSION_PATCH + 1));
    assert_false(TRN_VERSION_AT_LEAST(TRN_VERSION_MAJOR, TRN_VERSION_MINOR + 1, 0));
    assert_false(TRN_VERSION_AT_LEAST(TRN_VERSION_MAJOR + 1, 0, 0));
}

static void default_allocator_aligns_and_refuses_the_absurd(void **state)
{
    (void)state;
    TrnAllocator allocator = trn_allocator_default();
    for (size_t alignment = 8; alignment <= 4096; alignment *= 2) {
        void *memory = allocator.alloc(100, alignment, allocator.user);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % alignment, 0);
        memset(memory, 1, 100);
        allocator.free(memory, 100, allocator.user);
    }
    assert_null(allocator.alloc(SIZE_MAX - 8, 64, allocator.user));
}

static void aligned_memory_is_aligned_and_bad_arguments_get_none(void **state)
{
    (void)state;
    for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
        for (size_t bytes = 1; bytes < 200; bytes += 33) {
            unsigned char *memory = trn_aligned_alloc(bytes, alignment);
            assert_non_null(memory);
            assert_int_equal((uintptr_t)memory % alignment, 0);
            memset(memory, 1, bytes);
            trn_aligned_free(memory);
        }
    }
    assert_null(trn_aligned_alloc(0, 64));
    assert_null(trn_aligned_alloc(64, 0));
    assert_null(trn_aligned_alloc(64, 48));
    assert_null(trn_aligned_alloc(SIZE_MAX, 64));
    assert_null(trn_aligned_alloc(SIZE_MAX - 4, 2));
    trn_aligned_free(NULL);
}

#if !defined(_WIN32) // has none without a privilege
static void large_allocations_begin_at_a_huge_page(void **state)
{
    (void)state;
    TrnAllocator allocator = trn_allocator_default();
    const size_t huge = (size_t)2 << 20;
    const size_t sizes[] = {huge, huge + 1, 3 * huge - 5};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *memory = allocator.alloc(sizes[i], 64, allocator.user);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % huge, 0);
        memory[0] = memory[sizes[i] - 1] = 1;
        allocator.free(memory, sizes[i], allocator.user);
    }
}
#endif

static void voxels_of_negative_coordinates_belong_to_the_chunk_below(void **state)
{
    (void)state;
    TrnCoord chunk = trn_voxel_chunk((TrnVoxel){-1, -32, -33});
    assert_int_equal(chunk.x, -1);
    assert_int_equal(chunk.y, -1);
    assert_int_equal(chunk.z, -2);
    assert_int_equal(trn_voxel_local_index((TrnVoxel){-1, -32, -33}), trn_local_index(31, 0, 31));
}

static void voxel_and_chunk_agree_over_the_whole_world(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(1);
    for (int i = 0; i < 100000; i++) {
        TrnVoxel voxel = {test_random_range(&random, TRN_VOXEL_MIN, TRN_VOXEL_MAX),
                          test_random_range(&random, TRN_VOXEL_MIN, TRN_VOXEL_MAX),
                          test_random_range(&random, TRN_VOXEL_MIN, TRN_VOXEL_MAX)};
        assert_true(trn_voxel_in_world(voxel));
        TrnVoxel corner = trn_coord_voxel(trn_voxel_chunk(voxel));
        int64_t local[3] = {voxel.x - corner.x, voxel.y - corner.y, voxel.z - corner.z};
        for (int axis = 0; axis < 3; axis++) {
            assert_in_range(local[axis], 0, TRN_CHUNK_EDGE - 1);
        }
        assert_int_equal(
            trn_voxel_local_index(voxel),
            trn_local_index((uint32_t)local[0], (uint32_t)local[1], (uint32_t)local[2]));
    }
    assert_int_equal(trn_voxel_chunk((TrnVoxel){TRN_VOXEL_MAX, 0, 0}).x, INT32_MAX);
    assert_int_equal(trn_voxel_chunk((TrnVoxel){TRN_VOXEL_MIN, 0, 0}).x, INT32_MIN);
    assert_false(trn_voxel_in_world((TrnVoxel){TRN_VOXEL_MAX + 1, 0, 0}));
    assert_false(trn_voxel_in_world((TrnVoxel){0, 0, TRN_VOXEL_MIN - 1}));
}

static bool axis_in_world(int64_t at)
{
    return at >= TRN_VOXEL_MIN && at <= TRN_VOXEL_MAX;
}

static void a_voxel_is_in_the_world_if_each_axis_is(void **state)
{
    (void)state;
    const int64_t ends[] = {0,
                            -1,
                            TRN_VOXEL_MIN,
                            TRN_VOXEL_MIN - 1,
                            TRN_VOXEL_MAX,
                            TRN_VOXEL_MAX + 1,
                            2 * TRN_VOXEL_MIN,
                            2 * TRN_VOXEL_MAX,
                            INT64_MIN,
                            INT64_MAX};
    const int count = sizeof ends / sizeof *ends;
    for (int i = 0; i < count * count * count; i++) {
        const TrnVoxel voxel = {ends[i % count], ends[i / count % count], ends[i / count / count]};
        assert_int_equal(trn_voxel_in_world(voxel), axis_in_world(voxel.x) &&
                                                        axis_in_world(voxel.y) &&
                                                        axis_in_world(voxel.z));
    }
    TestRandom random = test_random_seeded(2);
    for (int i = 0; i < 100000; i++) { // with any number of bits
        int64_t at[3];
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t bits = (uint32_t)(test_random_next(&random) % 64);
            at[axis] = (int64_t)test_random_next(&random) >> bits;
        }
        assert_int_equal(trn_voxel_in_world((TrnVoxel){at[0], at[1], at[2]}),
                         axis_in_world(at[0]) && axis_in_world(at[1]) && axis_in_world(at[2]));
    }
}

static void linear_order_is_x_then_z_then_y(void **state)
{
    (void)state;
    uint32_t expected = 0;
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
            for (uint32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
                assert_int_equal(trn_local_index(x, y, z), expected++);
            }
        }
    }
    assert_int_equal(expected, TRN_CHUNK_VOXELS);
}

static void the_opposite_face_leads_back(void **state)
{
    (void)state;
    const TrnCoord ends[] = {{0, 0, 0}, {INT32_MIN, INT32_MAX, -1}, {INT32_MAX, 0, INT32_MIN}};
    const int32_t steps[TRN_FACE_COUNT][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                              {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            TrnCoord there = trn_coord_neighbour(ends[i], (TrnFace)face);
            assert_true(trn_coord_equal(
                there, trn_coord_add(ends[i], steps[face][0], steps[face][1], steps[face][2])));
            assert_false(trn_coord_equal(there, ends[i]));
            assert_true(trn_coord_equal(trn_coord_neighbour(there, (TrnFace)(face ^ 1)), ends[i]));
            const TrnVoxel low = {TRN_VOXEL_MIN, -1, TRN_VOXEL_MAX};
            const TrnVoxel beside = trn_voxel_neighbour(low, (TrnFace)face);
            assert_int_equal(beside.x - low.x, steps[face][0]); // beyond the world, not wrapped
            assert_int_equal(beside.y - low.y, steps[face][1]);
            assert_int_equal(beside.z - low.z, steps[face][2]);
        }
    }
    const TrnVoxel inside = trn_voxel_neighbour((TrnVoxel){7, 8, 9}, TRN_FACE_COUNT);
    assert_true(inside.x == 7 && inside.y == 8 && inside.z == 9);
}

static void boxes_are_inclusive_and_cut_off_at_the_ends(void **state)
{
    (void)state;
    TrnBox box = trn_box_around((TrnCoord){1, 2, 3}, 4, 5, 6);
    assert_true(trn_box_contains(box, (TrnCoord){-3, -3, -3}));
    assert_true(trn_box_contains(box, (TrnCoord){5, 7, 9}));
    assert_false(trn_box_contains(box, (TrnCoord){6, 7, 9}));
    assert_false(trn_box_contains(box, (TrnCoord){5, 7, 10}));
    assert_false(trn_box_contains(box, (TrnCoord){5, -4, 9}));
    assert_false(trn_box_is_empty(box));
    assert_true(trn_box_is_empty((TrnBox){{0, 0, 0}, {5, -1, 5}}));
    TrnBox corner = trn_box_around((TrnCoord){INT32_MAX, INT32_MIN, 0}, 2, 2, 2);
    assert_int_equal(corner.max.x, INT32_MAX);
    assert_int_equal(corner.min.x, INT32_MAX - 2);
    assert_int_equal(corner.min.y, INT32_MIN);
    assert_int_equal(corner.max.y, INT32_MIN + 2);
}

static void positions_are_equal_at_the_same_point(void **state)
{
    (void)state;
    const TrnPosition here = {{1, -2, 3}, {4, 31.5, 0}};
    assert_true(trn_position_equal(here, here));
    for (int i = 0; i < 6; i++) {
        TrnPosition other = here;
        if (i < 3) {
            other.offset[i] += 0.25;
        } else {
            (&other.chunk.x)[i - 3]++;
        }
        assert_false(trn_position_equal(here, other));
    }
    const TrnPosition there = trn_position_add(here, (const double[3]){100, -1000, 0.5});
    assert_false(trn_position_equal(here, there));
    assert_true(
        trn_position_equal(here, trn_position_add(there, (const double[3]){-100, 1000, -0.5})));
    TrnPosition nowhere = here;
    nowhere.offset[1] = NAN;
    assert_false(trn_position_equal(nowhere, nowhere));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_result_has_a_sentence_of_its_own),
        cmocka_unit_test(version_is_that_of_the_header),
        cmocka_unit_test(version_number_grows_with_the_version),
        cmocka_unit_test(headers_are_of_no_later_version_than_their_own),
        cmocka_unit_test(default_allocator_aligns_and_refuses_the_absurd),
        cmocka_unit_test(aligned_memory_is_aligned_and_bad_arguments_get_none),
#if !defined(_WIN32)
        cmocka_unit_test(large_allocations_begin_at_a_huge_page),
#endif
        cmocka_unit_test(voxels_of_negative_coordinates_belong_to_the_chunk_below),
        cmocka_unit_test(voxel_and_chunk_agree_over_the_whole_world),
        cmocka_unit_test(a_voxel_is_in_the_world_if_each_axis_is),
        cmocka_unit_test(linear_order_is_x_then_z_then_y),
        cmocka_unit_test(the_opposite_face_leads_back),
        cmocka_unit_test(boxes_are_inclusive_and_cut_off_at_the_ends),
        cmocka_unit_test(positions_are_equal_at_the_same_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
