// The spatial array against a simple model: an unsorted list of coordinates and values.

#include "testing.h"

#include <terrane/spatial_array.h>

#define MODEL_MAX 4096

typedef struct Model {
    TrnCoord coords[MODEL_MAX];
    uint64_t values[MODEL_MAX];
    size_t count;
} Model;

static size_t model_find(const Model *model, TrnCoord coord)
{
    for (size_t i = 0; i < model->count; i++) {
        if (trn_coord_equal(model->coords[i], coord)) {
            return i;
        }
    }
    return MODEL_MAX;
}

static void model_put(Model *model, TrnCoord coord, uint64_t value)
{
    size_t at = model_find(model, coord);
    if (at == MODEL_MAX) {
        assert_true(model->count < MODEL_MAX);
        at = model->count++;
        model->coords[at] = coord;
    }
    model->values[at] = value;
}

static bool model_remove(Model *model, TrnCoord coord)
{
    size_t at = model_find(model, coord);
    if (at == MODEL_MAX) {
        return false;
    }
    model->count--;
    model->coords[at] = model->coords[model->count];
    model->values[at] = model->values[model->count];
    return true;
}

static bool comes_before(TrnCoord a, TrnCoord b)
{
    return a.y != b.y ? a.y < b.y : a.z != b.z ? a.z < b.z : a.x < b.x;
}

/// Gathers a box from the model: values sorted by y, z, x.
static size_t model_gather(const Model *model, TrnBox box, uint64_t *out)
{
    static TrnCoord coords[MODEL_MAX];
    size_t count = 0;
    for (size_t i = 0; i < model->count; i++) {
        if (!trn_box_contains(box, model->coords[i])) {
            continue;
        }
        size_t at = count++;
        for (; at > 0 && comes_before(model->coords[i], coords[at - 1]); at--) {
            coords[at] = coords[at - 1];
            out[at] = out[at - 1];
        }
        coords[at] = model->coords[i];
        out[at] = model->values[i];
    }
    return count;
}

static TrnSpatialArray *create(int dimensions, size_t element_bytes, const void *sentinel)
{
    TrnSpatialArrayDef def = trn_spatial_array_def(element_bytes);
    def.dimensions = dimensions;
    def.sentinel = sentinel;
    TrnSpatialArray *array = NULL;
    assert_int_equal(trn_spatial_array_create(&def, &array), TRN_RESULT_OK);
    return array;
}

/// Makes an element of any size: the value, or part of it, then its lowest byte repeated.
static void make_element(unsigned char *element, size_t size, uint64_t value)
{
    memset(element, (int)(value & 0xFF), size);
    memcpy(element, &value, size < sizeof value ? size : sizeof value);
}

static void assert_same_as_model(const TrnSpatialArray *array, const Model *model)
{
    assert_int_equal(array->count, model->count);
    unsigned char element[64];
    for (size_t i = 0; i < model->count; i++) {
        const void *cell = trn_spatial_array_cell(array, model->coords[i]);
        assert_non_null(cell);
        make_element(element, array->element_bytes, model->values[i]);
        assert_memory_equal(cell, element, array->element_bytes);
    }
    size_t cursor = 0, walked = 0;
    TrnCoord coord;
    const void *found;
    while ((found = trn_spatial_array_next(array, &cursor, &coord))) {
        assert_ptr_equal(found, trn_spatial_array_cell(array, coord));
        assert_true(model_find(model, coord) != MODEL_MAX);
        walked++;
    }
    assert_int_equal(walked, model->count);
}

static void assert_gather_same(const TrnSpatialArray *array, const Model *model, TrnBox box)
{
    static uint64_t expected[MODEL_MAX];
    static unsigned char got[MODEL_MAX * 64 + 64];
    const size_t size = array->element_bytes;
    size_t count = model_gather(model, box, expected);
    const size_t capacities[] = {MODEL_MAX, count, count / 2, 0};
    for (size_t c = 0; c < 4; c++) {
        size_t capacity = capacities[c];
        memset(got, 0x5A, sizeof got);
        assert_int_equal(trn_spatial_array_gather(array, box, capacity ? got : NULL, capacity),
                         count);
        size_t written = count < capacity ? count : capacity;
        for (size_t i = 0; i < written; i++) {
            unsigned char element[64];
            make_element(element, size, expected[i]);
            assert_memory_equal(got + i * size, element, size);
        }
        for (size_t i = capacity * size; i < capacity * size + 64 && i < sizeof got; i++) {
            assert_int_equal(got[i], 0x5A); // nothing beyond the capacity
        }
    }
}

static TrnCoord random_coord(TestRandom *random, int dimensions, int64_t spread)
{
    TrnCoord coord = {(int32_t)test_random_range(random, -spread, spread), 0, 0};
    if (dimensions >= 2) {
        coord.z = (int32_t)test_random_range(random, -spread, spread);
    }
    if (dimensions == 3) {
        coord.y = (int32_t)test_random_range(random, -spread, spread);
    }
    return coord;
}

static void check_random_steps(int dimensions, size_t element_bytes, const void *sentinel,
                               TestRandom *random)
{
    static Model model;
    model.count = 0;
    TrnSpatialArray *array = create(dimensions, element_bytes, sentinel);
    const int64_t spread = dimensions == 1 ? 500 : dimensions == 2 ? 30 : 9;
    unsigned char element[64];
    for (int step = 0; step < 3000; step++) {
        TrnCoord coord = random_coord(random, dimensions, spread);
        uint64_t choice = test_random_next(random) % 16;
        if (choice < 8) {
            uint64_t value = (test_random_next(random) % 100 + 1) * 0x0101010101010101u;
            make_element(element, element_bytes, value);
            assert_int_equal(trn_spatial_array_insert(array, coord, element), TRN_RESULT_OK);
            model_put(&model, coord, value);
        } else if (choice < 15) {
            bool was_stored = model_remove(&model, coord);
            assert_int_equal(trn_spatial_array_remove(array, coord),
                             was_stored ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND);
        } else {
            assert_int_equal(trn_spatial_array_shrink(array), TRN_RESULT_OK);
        }
        if (step % 100 == 0) {
            assert_same_as_model(array, &model);
            TrnCoord centre = random_coord(random, dimensions, spread * 2);
            int32_t radius = (int32_t)test_random_range(random, 0, spread);
            assert_gather_same(array, &model, trn_box_around(centre, radius, radius, radius));
        }
    }
    assert_same_as_model(array, &model);
    assert_gather_same(array, &model, trn_box_around((TrnCoord){0, 0, 0}, 500, 500, 500));
    trn_spatial_array_destroy(array);
}

static void random_inserts_and_removes_match_the_model(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(2);
    // Not one repeated byte, but the first or the last alone.
    static const unsigned char bytes[][3] = {
        {0xFE, 0xFF, 0xFF}, {0xFD, 0xFC, 0xFC}, {0x00, 0x00, 0xF7}};
    const size_t sizes[] = {1, 2, 4, 7, 8, 16, 40, 64};
    for (int dimensions = 1; dimensions <= 3; dimensions++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            check_random_steps(dimensions, sizes[i], NULL, &random);
            for (size_t kind = 0; kind < sizeof bytes / sizeof *bytes; kind++) {
                unsigned char sentinel[64];
                memset(sentinel, bytes[kind][1], sizes[i]);
                sentinel[0] = bytes[kind][0];
                sentinel[sizes[i] - 1] = bytes[kind][2];
                check_random_steps(dimensions, sizes[i], sentinel, &random);
            }
        }
    }
}

static void growth_keeps_elements_in_all_directions(void **state)
{
    (void)state;
    for (int octant = 0; octant < 8; octant++) {
        TrnSpatialArray *array = create(3, sizeof(uint32_t), NULL);
        const int32_t sx = octant & 1 ? 1 : -1, sy = octant & 2 ? 1 : -1, sz = octant & 4 ? 1 : -1;
        for (int32_t i = 0; i < 40; i++) {
            uint32_t value = (uint32_t)i + 1;
            TrnCoord coord = {sx * i - 7, sy * (i / 2) + 1000, sz * (i / 3) - 100000};
            assert_int_equal(trn_spatial_array_insert(array, coord, &value), TRN_RESULT_OK);
            for (int32_t k = 0; k <= i; k++) {
                TrnCoord earlier = {sx * k - 7, sy * (k / 2) + 1000, sz * (k / 3) - 100000};
                const uint32_t *cell = trn_spatial_array_cell(array, earlier);
                assert_non_null(cell);
                assert_int_equal(*cell, (uint32_t)k + 1);
            }
        }
        // Doubling: 40 steps along x need 6 growths after the first cell, 20 along y 5, 14 along z
        // 4, some of them at once.
        assert_in_range(array->growths, 7, 16);
        trn_spatial_array_destroy(array);
    }
}

static void extent_doubles(void **state)
{
    (void)state;
    TrnSpatialArray *array = create(1, 1, NULL);
    unsigned char one = 1;
    assert_int_equal(trn_spatial_array_insert(array, (TrnCoord){-5, 0, 0}, &one), TRN_RESULT_OK);
    assert_int_equal(array->extent[0], 1);
    assert_int_equal(array->origin[0], -5);
    assert_int_equal(trn_spatial_array_insert(array, (TrnCoord){-6, 0, 0}, &one), TRN_RESULT_OK);
    assert_int_equal(array->extent[0], 2);
    assert_int_equal(array->origin[0], -6);
    assert_int_equal(trn_spatial_array_insert(array, (TrnCoord){0, 0, 0}, &one), TRN_RESULT_OK);
    assert_int_equal(array->extent[0], 8);
    assert_int_equal(array->origin[0], -6);
    trn_spatial_array_destroy(array);
}

static void elements_may_differ_from_the_sentinel_in_one_byte(void **state)
{
    (void)state;
    unsigned char sentinel[24], element[24];
    for (size_t i = 0; i < sizeof sentinel; i++) {
        sentinel[i] = (unsigned char)(i * 7);
    }
    for (size_t at = 0; at < sizeof sentinel; at++) {
        TrnSpatialArray *array = create(3, sizeof sentinel, sentinel);
        memcpy(element, sentinel, sizeof element);
        assert_int_equal(trn_spatial_array_insert(array, (TrnCoord){1, 2, 3}, element),
                         TRN_RESULT_BAD_ARGUMENT);
        element[at] ^= 1;
        assert_int_equal(trn_spatial_array_insert(array, (TrnCoord){1, 2, 3}, element),
                         TRN_RESULT_OK);
        assert_int_equal(array->count, 1);
        unsigned char out[24];
        TrnBox box = trn_box_around((TrnCoord){0, 0, 0}, 9, 9, 9);
        assert_int_equal(trn_spatial_array_gather(array, box, out, 1), 1);
        assert_memory_equal(out, element, sizeof element);
        trn_spatial_array_destroy(array);
    }
}

static void ends_of_int32_work(void **state)
{
    (void)state;
    const int32_t ends[] = {INT32_MIN, INT32_MIN + 1, INT32_MAX - 1, INT32_MAX};
    for (size_t i = 0; i < 4; i++) {
        TrnSpatialArray *array = create(3, sizeof(void *), NULL);
        void *value = array;
        const int32_t inward = ends[i] < 0 ? 3 : -3;
        TrnCoord end = {ends[i], ends[3 - i], ends[i]};
        TrnCoord inner = {ends[i] + inward, ends[3 - i] - inward, ends[i] + inward};
        assert_int_equal(trn_spatial_array_insert(array, inner, &value), TRN_RESULT_OK);
        assert_int_equal(trn_spatial_array_insert(array, end, &value), TRN_RESULT_OK);
        assert_ptr_equal(trn_spatial_array_pointer(array, end), value);
        assert_ptr_equal(trn_spatial_array_pointer(array, inner), value);
        assert_null(trn_spatial_array_pointer(array, (TrnCoord){ends[3 - i], 0, ends[3 - i]}));
        TrnBox all = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}};
        void *out[2];
        assert_int_equal(trn_spatial_array_gather(array, all, out, 2), 2);
        trn_spatial_array_destroy(array);
    }
}

static void far_elements_are_refused(void **state)
{
    (void)state;
    TrnSpatialArrayDef def = trn_spatial_array_def(8);
    def.bytes_max = 65536;
    TrnSpatialArray *array;
    assert_int_equal(trn_spatial_array_create(&def, &array), TRN_RESULT_OK);
    uint64_t value = 9;
    assert_int_equal(trn_spatial_array_insert(array, (TrnCoord){0, 0, 0}, &value), TRN_RESULT_OK);
    const TrnCoord far[] = {{1000000, 0, 0},
                            {INT32_MAX, INT32_MAX, INT32_MAX},
                            {INT32_MIN, INT32_MIN, INT32_MIN},
                            {0, 20, 500}};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        assert_int_equal(trn_spatial_array_insert(array, far[i], &value), TRN_RESULT_OUT_OF_RANGE);
        assert_null(trn_spatial_array_cell(array, far[i]));
    }
    assert_int_equal(trn_spatial_array_reserve(array, (TrnBox){{0, 0, 0}, {99, 99, 99}}),
                     TRN_RESULT_OUT_OF_RANGE);
    assert_int_equal(array->count, 1);
    assert_int_equal(array->extent[0], 1);
    assert_int_equal(*(const uint64_t *)trn_spatial_array_cell(array, (TrnCoord){0, 0, 0}), 9);
    assert_int_equal(trn_spatial_array_insert(array, (TrnCoord){19, 19, 19}, &value),
                     TRN_RESULT_OUT_OF_RANGE); // 32768 cells of 8 bytes
    assert_int_equal(trn_spatial_array_insert(array, (TrnCoord){15, 15, 15}, &value),
                     TRN_RESULT_OK); // 4096 of them
    trn_spatial_array_destroy(array);
}

/// An extent of 2^32 cells, whose bytes do not fit a size_t of 32 bits.
static void an_extent_over_all_of_int32_is_refused(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        for (size_t size = 1; size <= 8; size *= 2) {
            TrnSpatialArray *array = create(3, size, NULL);
            const unsigned char element[8] = {1, 2, 3, 4, 5, 6, 7, 8};
            int32_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
            low[axis] = INT32_MIN;
            high[axis] = INT32_MAX;
            const TrnCoord first = {low[0], low[1], low[2]}, last = {high[0], high[1], high[2]};
            assert_int_equal(trn_spatial_array_insert(array, first, element), TRN_RESULT_OK);
            assert_int_equal(trn_spatial_array_insert(array, last, element),
                             TRN_RESULT_OUT_OF_RANGE);
            assert_int_equal(trn_spatial_array_reserve(array, (TrnBox){first, last}),
                             TRN_RESULT_OUT_OF_RANGE);
            assert_memory_equal(trn_spatial_array_cell(array, first), element, size);
            assert_null(trn_spatial_array_cell(array, last));
            trn_spatial_array_destroy(array);
        }
    }
}

static void shrink_keeps_elements_and_frees_memory(void **state)
{
    (void)state;
    TrnSpatialArray *array = create(3, 8, NULL);
    uint64_t value = 1;
    for (int32_t i = -50; i <= 50; i++) {
        value = (uint64_t)((int64_t)i + 51);
        assert_int_equal(trn_spatial_array_insert(array, (TrnCoord){i, i / 10, 3}, &value),
                         TRN_RESULT_OK);
    }
    for (int32_t i = -50; i <= 45; i++) {
        assert_int_equal(trn_spatial_array_remove(array, (TrnCoord){i, i / 10, 3}), TRN_RESULT_OK);
    }
    assert_int_equal(trn_spatial_array_shrink(array), TRN_RESULT_OK);
    TrnSpatialArrayStats stats = trn_spatial_array_stats(array);
    assert_int_equal(stats.cells, 5 * 2);
    assert_int_equal(stats.origin[0], 46);
    assert_int_equal(stats.count, 5);
    assert_true(stats.fill > 0.49 && stats.fill < 0.51);
    for (int32_t i = 46; i <= 50; i++) {
        assert_int_equal(*(const uint64_t *)trn_spatial_array_cell(array, (TrnCoord){i, i / 10, 3}),
                         i + 51);
        assert_int_equal(trn_spatial_array_remove(array, (TrnCoord){i, i / 10, 3}), TRN_RESULT_OK);
    }
    assert_int_equal(trn_spatial_array_shrink(array), TRN_RESULT_OK);
    assert_null(array->cells);
    assert_int_equal(trn_spatial_array_stats(array).cells, 0);
    assert_int_equal(trn_spatial_array_insert(array, (TrnCoord){7, 7, 7}, &value), TRN_RESULT_OK);
    trn_spatial_array_destroy(array);
}

static void clear_and_reserve_work(void **state)
{
    (void)state;
    TrnSpatialArray *array = create(2, 4, NULL);
    trn_spatial_array_clear(array); // still empty
    assert_int_equal(trn_spatial_array_reserve(array, (TrnBox){{-8, 0, -8}, {7, 0, 7}}),
                     TRN_RESULT_OK);
    assert_int_equal(array->extent[0], 16);
    assert_int_equal(array->extent[1], 1);
    assert_int_equal(array->extent[2], 16);
    uint32_t value = 3;
    assert_int_equal(trn_spatial_array_insert(array, (TrnCoord){-8, 0, 7}, &value), TRN_RESULT_OK);
    assert_int_equal(trn_spatial_array_reserve(array, (TrnBox){{-2, 0, -2}, {2, 0, 2}}),
                     TRN_RESULT_OK);
    assert_int_equal(array->growths, 1);
    trn_spatial_array_clear(array);
    assert_int_equal(array->count, 0);
    assert_int_equal(array->extent[0], 16);
    assert_int_equal(trn_spatial_array_remove(array, (TrnCoord){-8, 0, 7}), TRN_RESULT_NOT_FOUND);
    trn_spatial_array_destroy(array);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    TrnSpatialArray *array = NULL;
    TrnSpatialArrayDef def = trn_spatial_array_def(0);
    assert_int_equal(trn_spatial_array_create(&def, &array), TRN_RESULT_BAD_ARGUMENT);
    def = trn_spatial_array_def(65537);
    assert_int_equal(trn_spatial_array_create(&def, &array), TRN_RESULT_BAD_ARGUMENT);
    def = trn_spatial_array_def(4);
    def.dimensions = 4;
    assert_int_equal(trn_spatial_array_create(&def, &array), TRN_RESULT_BAD_ARGUMENT);
    def.dimensions = 0;
    assert_int_equal(trn_spatial_array_create(&def, &array), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_spatial_array_create(NULL, &array), TRN_RESULT_BAD_ARGUMENT);
    assert_null(array);

    array = create(2, 4, NULL);
    uint32_t zero = 0, one = 1;
    assert_int_equal(trn_spatial_array_insert(array, (TrnCoord){0, 0, 0}, &zero),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_spatial_array_insert(array, (TrnCoord){0, 1, 0}, &one),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_spatial_array_reserve(array, (TrnBox){{1, 0, 0}, {0, 0, 0}}),
                     TRN_RESULT_BAD_ARGUMENT);
    uint32_t out;
    assert_int_equal(trn_spatial_array_gather(array, (TrnBox){{0, 0, 0}, {9, 9, 9}}, &out, 1), 0);
    assert_int_equal(trn_spatial_array_insert(array, (TrnCoord){0, 0, 0}, &one), TRN_RESULT_OK);
    assert_int_equal(trn_spatial_array_gather(array, (TrnBox){{9, 9, 9}, {-9, -9, -9}}, &out, 1),
                     0);
    trn_spatial_array_destroy(array);
    trn_spatial_array_destroy(NULL);
}

/// Runs a fixed script that grows, removes, reserves and shrinks, up to the first failure.
static TrnResult run_script(TrnSpatialArray *array)
{
    TrnResult result = TRN_RESULT_OK;
    for (int32_t i = 0; i < 20 && result == TRN_RESULT_OK; i++) {
        uint64_t value = (uint64_t)i + 1;
        result = trn_spatial_array_insert(array, (TrnCoord){i * 3, -i, i}, &value);
    }
    if (result == TRN_RESULT_OK) {
        result = trn_spatial_array_reserve(array, trn_box_around((TrnCoord){0, 0, 0}, 40, 20, 20));
    }
    for (int32_t i = 0; i < 15 && result == TRN_RESULT_OK; i++) {
        result = trn_spatial_array_remove(array, (TrnCoord){i * 3, -i, i});
    }
    return result == TRN_RESULT_OK ? trn_spatial_array_shrink(array) : result;
}

static void failed_allocations_leave_the_array_usable(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    TrnAllocator allocator = test_allocator(&memory);
    TrnSpatialArrayDef def = trn_spatial_array_def(8);
    def.allocator = &allocator;
    size_t failures = 0;
    for (size_t fail_at = 1;; fail_at++) {
        memory = (TestAllocator){.fail_at = fail_at};
        TrnSpatialArray *array = NULL;
        TrnResult result = trn_spatial_array_create(&def, &array);
        if (result == TRN_RESULT_OK) {
            result = run_script(array);
            if (result != TRN_RESULT_OK) { // keeps its elements, and still works
                for (int32_t i = 0; i < (int32_t)array->count; i++) {
                    assert_non_null(trn_spatial_array_cell(array, (TrnCoord){i * 3, -i, i}));
                }
                uint64_t value = 77;
                assert_int_equal(trn_spatial_array_insert(array, (TrnCoord){90, 9, 9}, &value),
                                 TRN_RESULT_OK);
            }
            trn_spatial_array_destroy(array);
        } else {
            assert_null(array);
        }
        assert_int_equal(memory.live_blocks, 0);
        assert_int_equal(memory.live_bytes, 0);
        if (result == TRN_RESULT_OK) {
            break;
        }
        assert_int_equal(result, TRN_RESULT_NO_MEMORY);
        failures++;
    }
    assert_true(failures > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_inserts_and_removes_match_the_model),
        cmocka_unit_test(growth_keeps_elements_in_all_directions),
        cmocka_unit_test(extent_doubles),
        cmocka_unit_test(elements_may_differ_from_the_sentinel_in_one_byte),
        cmocka_unit_test(ends_of_int32_work),
        cmocka_unit_test(far_elements_are_refused),
        cmocka_unit_test(an_extent_over_all_of_int32_is_refused),
        cmocka_unit_test(shrink_keeps_elements_and_frees_memory),
        cmocka_unit_test(clear_and_reserve_work),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(failed_allocations_leave_the_array_usable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
