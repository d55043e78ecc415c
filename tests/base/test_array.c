// The growing array: against a model, its growth, and allocations that fail.

#include "testing.h"

#include "base/array.h"

typedef struct Item {
    uint64_t number;
    uint32_t tag;
} Item;

TRN_ARRAY_DECLARE(ItemArray, Item);
TRN_ARRAY_DECLARE(ByteArray, uint8_t);

static void random_operations_agree_with_a_model(void **state)
{
    (void)state;
    enum { MODEL_MAX = 4096 };
    TestAllocator counter = {0};
    const TrnAllocator allocator = test_allocator(&counter);
    TestRandom random = test_random_seeded(1);
    static Item model[MODEL_MAX];
    uint32_t count = 0;
    ItemArray array = {0};
    for (int round = 0; round < 100000; round++) {
        const uint64_t dice = test_random_next(&random);
        if (dice % 8 < 4 && count < MODEL_MAX) {
            const Item item = {test_random_next(&random), (uint32_t)round};
            assert_int_equal(trn_array_push(&array, &allocator, item), TRN_RESULT_OK);
            model[count++] = item;
        } else if (dice % 8 < 7 && count > 0) {
            const uint32_t at = (uint32_t)(dice >> 8) % count;
            trn_array_remove_swap(&array, at);
            model[at] = model[--count];
        } else if (dice % 4096 == 7) {
            trn_array_free(&array, &allocator);
            count = 0;
        }
        assert_int_equal(array.count, count);
        assert_true(array.count <= array.capacity);
        assert_int_equal(counter.live_bytes, trn_array_bytes(&array));
    }
    for (uint32_t i = 0; i < count; i++) {
        assert_true(array.items[i].number == model[i].number && array.items[i].tag == model[i].tag);
    }
    trn_array_free(&array, &allocator);
    assert_int_equal(counter.live_blocks, 0);
}

static void growth_doubles(void **state)
{
    (void)state;
    TestAllocator counter = {0};
    const TrnAllocator allocator = test_allocator(&counter);
    ByteArray array = {0};
    for (uint32_t i = 0; i < 1 << 16; i++) {
        assert_int_equal(trn_array_push(&array, &allocator, (uint8_t)i), TRN_RESULT_OK);
    }
    assert_true(counter.allocations <= 16);
    for (uint32_t i = 0; i < array.count; i++) {
        assert_int_equal(array.items[i], (uint8_t)i);
    }
    trn_array_free(&array, &allocator);
}

static void reserve_is_exact_at_first_and_makes_pushes_infallible(void **state)
{
    (void)state;
    TestAllocator counter = {0};
    const TrnAllocator allocator = test_allocator(&counter);
    ItemArray array = {0};
    assert_int_equal(trn_array_reserve(&array, &allocator, 0), TRN_RESULT_OK);
    assert_int_equal(counter.allocations, 0);
    assert_int_equal(trn_array_reserve(&array, &allocator, 1000), TRN_RESULT_OK);
    assert_int_equal(array.capacity, 1000);
    assert_int_equal(array.count, 0);
    test_fail(&counter, 1, SIZE_MAX);
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(trn_array_push(&array, &allocator, (Item){i, i}), TRN_RESULT_OK);
    }
    test_fail(&counter, 0, 0);
    assert_int_equal(trn_array_reserve(&array, &allocator, 1001), TRN_RESULT_OK);
    assert_int_equal(array.capacity, 2000);
    trn_array_free(&array, &allocator);
    trn_array_free(&array, &allocator); // an empty one is fine
    assert_int_equal(array.capacity, 0);
    assert_int_equal(counter.live_blocks, 0);
}

static void failure_changes_nothing(void **state)
{
    (void)state;
    TestAllocator counter = {0};
    const TrnAllocator allocator = test_allocator(&counter);
    ItemArray array = {0};
    test_fail(&counter, 1, SIZE_MAX);
    assert_int_equal(trn_array_push(&array, &allocator, (Item){0}), TRN_RESULT_NO_MEMORY);
    assert_null(array.items);
    test_fail(&counter, 0, 0);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(trn_array_push(&array, &allocator, (Item){i, i}), TRN_RESULT_OK);
    }
    const ItemArray before = array;
    test_fail(&counter, 1, SIZE_MAX);
    assert_int_equal(trn_array_push(&array, &allocator, (Item){9, 9}), TRN_RESULT_NO_MEMORY);
    assert_int_equal(trn_array_reserve(&array, &allocator, 5), TRN_RESULT_NO_MEMORY);
    assert_memory_equal(&array, &before, sizeof array);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(array.items[i].number, i);
    }
    trn_array_free(&array, &allocator);
    assert_int_equal(counter.live_blocks, 0);
}

static void sizes_that_overflow_are_refused_without_an_allocation(void **state)
{
    (void)state;
    TestAllocator counter = {0};
    const TrnAllocator allocator = test_allocator(&counter);
    ItemArray array = {0};
    const size_t beyond_count = (size_t)UINT32_MAX + (SIZE_MAX > UINT32_MAX ? 1 : 0);
    const size_t wanted[] = {SIZE_MAX, SIZE_MAX / sizeof(Item), SIZE_MAX / 2 / sizeof(Item) + 1,
                             beyond_count};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_int_equal(trn_array_reserve(&array, &allocator, wanted[i]), TRN_RESULT_NO_MEMORY);
    }
    assert_int_equal(trn_array_reserve_items(&array, SIZE_MAX / 4, &allocator, 5),
                     TRN_RESULT_NO_MEMORY);
    assert_int_equal(counter.allocations, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_operations_agree_with_a_model),
        cmocka_unit_test(growth_doubles),
        cmocka_unit_test(reserve_is_exact_at_first_and_makes_pushes_infallible),
        cmocka_unit_test(failure_changes_nothing),
        cmocka_unit_test(sizes_that_overflow_are_refused_without_an_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
