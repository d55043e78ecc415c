// The coordinate map, compared with a model; its promises about memory; and its hash.

#include "testing.h"

#include "base/coord_map.h"

/// A coordinate in a small box, so that lookups often hit and chains often collide; sometimes one
/// at the ends of the world.
static TrnCoord random_coord(TestRandom *random)
{
    const uint64_t dice = test_random_next(random);
    if (dice % 16 == 0) {
        return (TrnCoord){dice & 32 ? INT32_MIN : INT32_MAX, dice & 64 ? INT32_MIN : 0,
                          dice & 128 ? -1 : INT32_MAX};
    }
    return (TrnCoord){(int32_t)(dice >> 8 & 7) - 4, (int32_t)(dice >> 16 & 7) - 4,
                      (int32_t)(dice >> 24 & 7) - 4};
}

/// An unsorted list of entries.
typedef struct Model {
    TrnCoord coords[600];
    uint64_t numbers[600];
    uint32_t count;
} Model;

static uint32_t model_find(const Model *model, TrnCoord coord)
{
    uint32_t at = 0;
    while (at < model->count && !trn_coord_equal(model->coords[at], coord)) {
        at++;
    }
    return at;
}

static void assert_same_entries(const TrnCoordMap *map, const Model *model)
{
    uint32_t cursor = 0, seen = 0;
    for (TrnCoordEntry *entry; (entry = trn_coord_map_next(map, &cursor)) != NULL; seen++) {
        const uint32_t at = model_find(model, entry->coord);
        assert_true(at < model->count);
        assert_int_equal(entry->number, model->numbers[at]);
    }
    assert_int_equal(seen, model->count);
}

static void random_operations_agree_with_a_model(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(1);
    for (uint64_t key = 0; key < 3; key++) {
        TestAllocator counter = {0};
        const TrnAllocator allocator = test_allocator(&counter);
        TrnCoordMap map = {.key = key * UINT64_C(0x123456789ABCDEF)};
        Model model = {.count = 0};
        for (int round = 0; round < 60000; round++) {
            // Fills and empties in turn, so that tables of every load occur.
            const bool fills = round / 2000 % 2 == 0;
            const TrnCoord coord = random_coord(&random);
            const uint32_t at = model_find(&model, coord);
            TrnCoordEntry *entry = trn_coord_map_find(&map, coord);
            assert_int_equal(entry != NULL, at < model.count);
            if (entry) {
                assert_true(trn_coord_equal(entry->coord, coord));
                assert_int_equal(entry->number, model.numbers[at]);
            }
            if (entry && (!fills || round % 4 == 0)) {
                trn_coord_map_remove(&map, entry);
                model.count--;
                model.coords[at] = model.coords[model.count];
                model.numbers[at] = model.numbers[model.count];
            } else if (!entry && (fills || round % 4 == 0)) {
                assert_int_equal(trn_coord_map_reserve(&map, &allocator, 1), TRN_RESULT_OK);
                entry = trn_coord_map_add(&map, coord);
                assert_int_equal(entry->number, 0);
                entry->number = test_random_next(&random);
                model.coords[model.count] = coord;
                model.numbers[model.count++] = entry->number;
            }
            assert_int_equal(map.count, model.count);
            assert_int_equal(counter.live_bytes, trn_coord_map_bytes(&map));
            if (round % 500 == 0) {
                assert_same_entries(&map, &model);
                trn_coord_map_trim(&map, &allocator);
            }
        }
        assert_same_entries(&map, &model);
        trn_coord_map_free(&map, &allocator);
        assert_int_equal(counter.live_blocks, 0);
    }
}

static void reserve_makes_adds_infallible_also_after_removals(void **state)
{
    (void)state;
    TestAllocator counter = {0};
    const TrnAllocator allocator = test_allocator(&counter);
    TrnCoordMap map = {0};
    assert_int_equal(trn_coord_map_reserve(&map, &allocator, 0), TRN_RESULT_OK);
    assert_int_equal(counter.allocations, 0);
    assert_int_equal(trn_coord_map_reserve(&map, &allocator, 1), TRN_RESULT_OK);
    trn_coord_map_add(&map, (TrnCoord){0, 0, 0});
    assert_int_equal(trn_coord_map_reserve(&map, &allocator, 1000), TRN_RESULT_OK);
    const size_t bytes = counter.live_bytes;
    trn_coord_map_remove(&map, trn_coord_map_find(&map, (TrnCoord){0, 0, 0}));
    for (int32_t i = 0; i < 1000; i++) {
        trn_coord_map_add(&map, (TrnCoord){i, -i, 7})->pointer = &map;
    }
    assert_int_equal(counter.live_bytes, bytes);
    assert_int_equal(map.count, 1000);
    assert_true(map.count * 4 <= map.capacity * 3);
    for (int32_t i = 0; i < 1000; i++) {
        assert_ptr_equal(trn_coord_map_find(&map, (TrnCoord){i, -i, 7})->pointer, &map);
    }
    trn_coord_map_free(&map, &allocator);
}

static void failure_changes_nothing(void **state)
{
    (void)state;
    TestAllocator counter = {0};
    const TrnAllocator allocator = test_allocator(&counter);
    TrnCoordMap map = {0};
    test_fail(&counter, 1, SIZE_MAX);
    assert_int_equal(trn_coord_map_reserve(&map, &allocator, 1), TRN_RESULT_NO_MEMORY);
    assert_int_equal(map.capacity, 0);
    assert_null(trn_coord_map_find(&map, (TrnCoord){0, 0, 0}));
    test_fail(&counter, 0, 0);
    assert_int_equal(trn_coord_map_reserve(&map, &allocator, 6), TRN_RESULT_OK);
    for (int32_t i = 0; i < 6; i++) {
        trn_coord_map_add(&map, (TrnCoord){i, i, i})->number = (uint64_t)i;
    }
    const TrnCoordMap before = map;
    test_fail(&counter, 1, SIZE_MAX);
    assert_int_equal(trn_coord_map_reserve(&map, &allocator, 1), TRN_RESULT_NO_MEMORY);
    assert_memory_equal(&map, &before, sizeof map);
    for (int32_t i = 0; i < 6; i++) {
        assert_int_equal(trn_coord_map_find(&map, (TrnCoord){i, i, i})->number, i);
    }
    test_fail(&counter, 0, 0);
    assert_int_equal(trn_coord_map_reserve(&map, &allocator, UINT32_MAX), TRN_RESULT_NO_MEMORY);
    assert_int_equal(counter.allocations, 0);
    trn_coord_map_free(&map, &allocator);
    assert_int_equal(counter.live_blocks, 0);
}

static void memory_goes_back_once_the_map_is_empty(void **state)
{
    (void)state;
    TestAllocator counter = {0};
    const TrnAllocator allocator = test_allocator(&counter);
    TrnCoordMap map = {.key = 5};
    assert_int_equal(trn_coord_map_reserve(&map, &allocator, 1), TRN_RESULT_OK);
    TrnCoordEntry *entry = trn_coord_map_add(&map, (TrnCoord){1, 2, 3});
    trn_coord_map_trim(&map, &allocator);
    assert_int_equal(counter.live_blocks, 1);
    trn_coord_map_remove(&map, entry);
    assert_int_equal(counter.live_blocks, 1); // still reserved
    trn_coord_map_trim(&map, &allocator);
    assert_int_equal(counter.live_blocks, 0);
    assert_int_equal(map.key, 5);
    trn_coord_map_trim(&map, &allocator);
}

static void entries_may_be_removed_while_iterating(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(3);
    const TrnAllocator allocator = trn_allocator_default();
    for (int round = 0; round < 300; round++) {
        TrnCoordMap map = {.key = test_random_next(&random)};
        const int32_t count = (int32_t)test_random_range(&random, 1, 96);
        assert_int_equal(trn_coord_map_reserve(&map, &allocator, (uint32_t)count), TRN_RESULT_OK);
        for (int32_t i = 0; i < count; i++) {
            trn_coord_map_add(&map, (TrnCoord){i, round, 0});
        }
        bool is_seen[96] = {false};
        uint32_t cursor = 0;
        for (TrnCoordEntry *entry; (entry = trn_coord_map_next(&map, &cursor)) != NULL;) {
            is_seen[entry->coord.x] = true;
            if (entry->coord.x % 3 != 0) {
                trn_coord_map_remove(&map, entry);
                cursor--;
            }
        }
        for (int32_t i = 0; i < count; i++) {
            assert_true(is_seen[i]);
            assert_int_equal(trn_coord_map_find(&map, (TrnCoord){i, round, 0}) != NULL, i % 3 == 0);
        }
        trn_coord_map_free(&map, &allocator);
    }
}

static void hash_without_a_key_stays_as_it_is(void **state)
{
    (void)state;
    // The order of an index's outlier pages depends on it.
    assert_int_equal(trn_coord_hash((TrnCoord){0, 0, 0}, 0), 0);
    TestRandom random = {7};
    uint32_t all = 0;
    for (int i = 0; i < 100000; i++) {
        const uint64_t a = test_random_next(&random), b = test_random_next(&random);
        const TrnCoord coord = {(int32_t)a, (int32_t)(a >> 32), (int32_t)b};
        all = all * 31 + trn_coord_hash(coord, 0);
    }
    assert_int_equal(all, 0x945FE4F1);
}

/// Returns the longest run of used slots when the coordinates of a box fill half of a table.
static uint32_t longest_run(uint64_t key, TrnBox box)
{
    enum { CAPACITY = 1 << 14, COUNT = CAPACITY / 2 };
    static bool is_used[CAPACITY];
    memset(is_used, 0, sizeof is_used);
    uint32_t count = 0, longest = 0;
    for (int32_t y = box.min.y; y <= box.max.y; y++) {
        for (int32_t z = box.min.z; z <= box.max.z; z++) {
            for (int32_t x = box.min.x; x <= box.max.x && count < COUNT; x++, count++) {
                uint32_t slot = trn_coord_hash((TrnCoord){x, y, z}, key) & (CAPACITY - 1);
                uint32_t run = 1;
                for (; is_used[slot]; slot = (slot + 1) & (CAPACITY - 1)) {
                    run++;
                }
                is_used[slot] = true;
                longest = run > longest ? run : longest;
            }
        }
    }
    return longest;
}

static void boxes_and_lines_spread_over_a_table(void **state)
{
    (void)state;
    const TrnBox boxes[] = {{{-16, -16, -16}, {15, 15, 15}},
                            {{0, 0, 0}, {8191, 0, 0}},
                            {{0, 0, 0}, {0, 8191, 0}},
                            {{0, 0, 0}, {0, 0, 8191}},
                            {{INT32_MAX - 90, -1, INT32_MIN}, {INT32_MAX - 1, 1, INT32_MIN + 90}}};
    for (uint64_t key = 0; key < 4; key++) {
        for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
            const uint32_t longest = longest_run(key * UINT64_C(0x9E3779B97F4A7C15), boxes[i]);
            print_message("  key %u, box %zu: longest probe %u\n", (unsigned)key, i, longest);
            assert_true(longest < 100);
        }
    }
}

static void keys_change_which_coordinates_collide(void **state)
{
    (void)state;
    enum { MASK = 1023 };
    uint32_t still = 0, pairs = 0;
    for (int32_t i = 0; i < 2000; i++) {
        for (int32_t j = 0; j < i; j++) {
            const TrnCoord a = {i, 3 * i, -i}, b = {j, 3 * j, -j};
            if ((trn_coord_hash(a, 1) & MASK) == (trn_coord_hash(b, 1) & MASK)) {
                pairs++;
                still += (trn_coord_hash(a, 99) & MASK) == (trn_coord_hash(b, 99) & MASK);
            }
        }
    }
    assert_true(pairs > 500);
    assert_true(still < pairs / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_operations_agree_with_a_model),
        cmocka_unit_test(reserve_makes_adds_infallible_also_after_removals),
        cmocka_unit_test(failure_changes_nothing),
        cmocka_unit_test(memory_goes_back_once_the_map_is_empty),
        cmocka_unit_test(entries_may_be_removed_while_iterating),
        cmocka_unit_test(hash_without_a_key_stays_as_it_is),
        cmocka_unit_test(boxes_and_lines_spread_over_a_table),
        cmocka_unit_test(keys_change_which_coordinates_collide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
