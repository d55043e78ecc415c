// The coordinate map, compared with a model; and its promises about memory.

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
    assert_int_equal(map->count, model->count);
    for (uint32_t i = 0; i < model->count; i++) {
        const TrnCoordEntry *entry = trn_coord_map_find(map, model->coords[i]);
        assert_non_null(entry);
        assert_int_equal(entry->number, model->numbers[i]);
    }
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
    assert_true(map.count * 4 <= map.table.capacity * 3);
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
    assert_int_equal(map.table.capacity, 0);
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

/// Counts what a map with many entries moves or clears in one call.
static void no_call_moves_more_than_a_few_entries(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    TestRandom random = test_random_seeded(7);
    TestAllocator counter = {0};
    const TrnAllocator allocator = test_allocator(&counter);
    TrnCoordMap map = {.key = 5};
    uint32_t growths = 0;
    for (int32_t i = 0; i < COUNT; i++) {
        const TrnCoordMap before = map;
        assert_int_equal(trn_coord_map_reserve(&map, &allocator, 1), TRN_RESULT_OK);
        trn_coord_map_add(&map, (TrnCoord){i, -i, i / 3})->number = (uint64_t)i;
        if (before.table.capacity > 1024) {
            const bool is_same = before.table.slots == map.table.slots;
            const uint32_t left = before.old.capacity ? before.left : 0;
            growths += !is_same;
            assert_true(is_same || before.at == before.next.capacity); // it was clear
            assert_true(!is_same || left - map.left < 200);            // a chain is that short
            assert_true(!before.next.capacity || !is_same || map.at - before.at <= 8);
        }
        const int32_t known = (int32_t)test_random_range(&random, 0, i);
        const TrnCoordEntry *entry = trn_coord_map_find(&map, (TrnCoord){known, -known, known / 3});
        assert_int_equal(entry->number, known);
    }
    assert_int_equal(growths, 7);
    trn_coord_map_free(&map, &allocator);
    assert_int_equal(counter.live_blocks, 0);
}

/// Entries are found, removed and listed while a large map grows, also without memory for that.
static void growing_maps_agree_with_a_list(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    static bool is_in[COUNT], is_seen[COUNT];
    TestRandom random = test_random_seeded(8);
    for (int round = 0; round < 4; round++) {
        TestAllocator counter = {0};
        const TrnAllocator allocator = test_allocator(&counter);
        TrnCoordMap map = {0};
        uint32_t count = 0;
        memset(is_in, 0, sizeof is_in);
        for (int32_t step = 0; step < 4 * COUNT; step++) {
            const int32_t i = (int32_t)test_random_range(&random, 0, COUNT - 1);
            const TrnCoord coord = {i % 10, i / 10 % 10, i / 100};
            TrnCoordEntry *entry = trn_coord_map_find(&map, coord);
            assert_int_equal(entry != NULL, is_in[i]);
            if (entry && step % 3 == 0) {
                trn_coord_map_remove(&map, entry);
                count--;
                is_in[i] = false;
            } else if (!entry) {
                test_fail(&counter, round % 2 ? (size_t)(1 + step % 2) : 0, 2);
                if (trn_coord_map_reserve(&map, &allocator, 1) == TRN_RESULT_OK) {
                    trn_coord_map_add(&map, coord)->number = (uint64_t)i;
                    count++;
                    is_in[i] = true;
                }
            }
            assert_int_equal(map.count, count);
            assert_int_equal(counter.live_bytes, trn_coord_map_bytes(&map));
            if (step % 1000 == 0) {
                uint64_t at = 0;
                uint32_t listed = 0;
                memset(is_seen, 0, sizeof is_seen);
                for (const TrnCoordEntry *next; (next = trn_coord_map_next(&map, &at)); listed++) {
                    assert_true(is_in[next->number] && !is_seen[next->number]);
                    is_seen[next->number] = true;
                }
                assert_int_equal(listed, count);
            }
        }
        trn_coord_map_free(&map, &allocator);
        assert_int_equal(counter.live_blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_operations_agree_with_a_model),
        cmocka_unit_test(no_call_moves_more_than_a_few_entries),
        cmocka_unit_test(growing_maps_agree_with_a_list),
        cmocka_unit_test(reserve_makes_adds_infallible_also_after_removals),
        cmocka_unit_test(failure_changes_nothing),
        cmocka_unit_test(memory_goes_back_once_the_map_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
