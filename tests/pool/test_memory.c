// Memory of a pool: blocks, reserved ranges, budgets, and allocations that fail.

#include "pool_path.h"

/// Skips a test of ranges where pools have none: 32-bit machines have no addresses to spare.
static void skip_without_ranges(void)
{
    if (sizeof(void *) < 8 || !trn_address_range_is_supported()) {
        skip();
    }
}

/// @return whether an allocation failed
static bool take_sixty_slots(const TrnPoolDef *def)
{
    TrnPool *pool = NULL;
    if (trn_pool_create(def, &pool) != TRN_RESULT_OK) {
        assert_null(pool);
        return true;
    }
    TrnPoolId ids[60];
    void *slot;
    uint32_t taken = 0;
    for (int i = 0; i < 60; i++) {
        TrnResult result = trn_pool_alloc(pool, &ids[taken], &slot);
        if (result == TRN_RESULT_OK) {
            memset(slot, 1, def->slot_bytes);
            taken++;
        } else {
            assert_int_equal(result, TRN_RESULT_NO_MEMORY);
        }
    }
    assert_true(taken >= 59); // one allocation fails, and the next attempt succeeds
    assert_int_equal(trn_pool_stats(pool).taken, taken);
    for (uint32_t i = 0; i < taken; i++) {
        assert_non_null(trn_pool_get(pool, ids[i]));
    }
    trn_pool_destroy(pool);
    return taken < 60;
}

/// Slots of which few lie in a page, so that blocks of a range stay small.
static TrnPoolDef large_slots(const TrnAllocator *allocator)
{
    TrnPoolDef def = trn_pool_def(1500);
    def.block_slots = 4;
    def.allocator = allocator;
    return def;
}

static void failed_allocations_leave_the_pool_unchanged(void **state)
{
    (void)state;
    for (Path path = 0; path < PATH_COUNT; path++) {
        TestAllocator memory;
        TrnAllocator allocator = test_allocator(&memory);
        TrnPoolDef def = large_slots(&allocator);
        size_t fail_at = 1;
        for (bool failed = true; failed; fail_at++) {
            path_begin(path, &def, 60);
            memory = (TestAllocator){.fail_at = fail_at};
            failed = take_sixty_slots(&def);
            assert_int_equal(memory.live_blocks, 0);
            assert_int_equal(memory.live_bytes, 0);
            path_end();
        }
        // The pool, 2 groups of records and 2 tables; outside a range 15 blocks and 2 segments of
        // the map.
        assert_true(fail_at - 2 >= (path == PATH_RANGE ? 4 : path == PATH_OVERFLOW ? 14 : 21));
    }
}

static void a_failed_commit_leaves_the_pool_unchanged(void **state)
{
    (void)state;
    skip_without_ranges();
    for (uint32_t at = 1; at <= 15; at++) {
        TestAllocator memory = {0};
        TrnAllocator allocator = test_allocator(&memory);
        TrnPoolDef def = large_slots(&allocator);
        path_begin(PATH_RANGE, &def, 60);
        TrnPool *pool = create(def);
        ranges_fail_commit_at = at;
        TrnPoolId ids[60];
        void *slot = &ids;
        uint32_t taken = 0;
        while (trn_pool_alloc(pool, &ids[taken], &slot) == TRN_RESULT_OK) {
            memset(slot, (int)taken++, 1500);
        }
        assert_int_equal(taken, (at - 1) * 4);
        const TrnPoolStats before = trn_pool_stats(pool);
        assert_int_equal(trn_pool_alloc(pool, NULL, &slot), TRN_RESULT_NO_MEMORY);
        assert_int_equal(trn_pool_stats(pool).bytes, before.bytes);
        assert_int_equal(before.taken, taken);
        assert_int_equal(before.bytes, memory.live_bytes + ranges_committed_bytes);
        ranges_fail_commit_at = 0;
        while (taken < 60) {
            assert_int_equal(trn_pool_alloc(pool, &ids[taken], &slot), TRN_RESULT_OK);
            memset(slot, (int)taken++, 1500);
        }
        for (uint32_t i = 0; i < 60; i++) {
            assert_int_equal(*(unsigned char *)trn_pool_get(pool, ids[i]), i);
        }
        trn_pool_destroy(pool);
        assert_int_equal(memory.live_blocks, 0);
        path_end();
    }
}

static void stats_bytes_match_the_allocator_and_the_range(void **state)
{
    (void)state;
    for (Path path = 0; path < PATH_COUNT; path++) {
        TestAllocator memory = {0};
        TrnAllocator allocator = test_allocator(&memory);
        TrnPoolDef def = large_slots(&allocator);
        path_begin(path, &def, 100);
        TrnPool *pool = create(def);
        TestRandom random = test_random_seeded(31);
        TrnPoolId ids[100];
        void *slot;
        for (int i = 0; i < 100; i++) {
            assert_int_equal(trn_pool_alloc(pool, &ids[i], &slot), TRN_RESULT_OK);
            assert_int_equal(trn_pool_stats(pool).bytes,
                             memory.live_bytes + ranges_committed_bytes);
        }
        // Blocks of 6,000 bytes share pages with their neighbours; in any order, each page is
        // committed as long as one of its blocks has slots.
        for (int i = 100; i-- > 0;) {
            const size_t at = (size_t)test_random_range(&random, 0, i);
            memset(trn_pool_get(pool, ids[at]), 7, 1500);
            assert_int_equal(trn_pool_free(pool, ids[at]), TRN_RESULT_OK);
            ids[at] = ids[i];
            assert_int_equal(trn_pool_stats(pool).bytes,
                             memory.live_bytes + ranges_committed_bytes);
        }
        trn_pool_trim(pool);
        assert_int_equal(ranges_committed_bytes, 0);
        assert_int_equal(trn_pool_stats(pool).bytes, memory.live_bytes);
        for (int i = 0; i < 100; i++) {
            assert_int_equal(trn_pool_alloc(pool, &ids[i], &slot), TRN_RESULT_OK);
            memset(slot, 7, 1500);
        }
        trn_pool_destroy(pool);
        assert_int_equal(memory.live_bytes, 0);
        path_end();
    }
}

static void all_empty_blocks_but_one_are_freed(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    TrnAllocator allocator = test_allocator(&memory);
    TrnPoolDef def = trn_pool_def(64);
    def.block_slots = 8;
    def.allocator = &allocator;
    TrnPool *pool = create(def);
    TrnPoolId ids[80];
    void *slot;
    for (int i = 0; i < 80; i++) {
        assert_int_equal(trn_pool_alloc(pool, &ids[i], &slot), TRN_RESULT_OK);
    }
    assert_int_equal(trn_pool_stats(pool).blocks, 10);
    for (int i = 0; i < 80; i++) {
        assert_int_equal(trn_pool_free(pool, ids[i]), TRN_RESULT_OK);
        uint32_t used = (uint32_t)(79 - i + 7) / 8;
        assert_in_range(trn_pool_stats(pool).blocks, used, used + 1);
    }
    assert_int_equal(trn_pool_stats(pool).blocks, 1);
    trn_pool_trim(pool);
    assert_int_equal(trn_pool_stats(pool).blocks, 0);
    trn_pool_trim(pool);
    trn_pool_destroy(pool);
}

/// Allocates a number of slots, each in its own block, and frees them.
static void fill_and_empty(TrnPool *pool, uint32_t blocks)
{
    TrnPoolId ids[20];
    void *slot;
    for (uint32_t i = 0; i < blocks; i++) {
        assert_int_equal(trn_pool_alloc(pool, &ids[i], &slot), TRN_RESULT_OK);
    }
    for (uint32_t i = 0; i < blocks; i++) {
        assert_int_equal(trn_pool_free(pool, ids[i]), TRN_RESULT_OK);
    }
}

static void a_shared_budget_limits_spare_blocks(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    TrnAllocator allocator = test_allocator(&memory);
    TrnPoolDef def = trn_pool_def(4096);
    def.block_slots = 1;
    def.allocator = &allocator;
    size_t budget = (size_t)5 * 4096 + 4095;
    TrnPool *pools[2] = {create(def), create(def)};
    for (int i = 0; i < 2; i++) {
        trn_pool_share_spare(pools[i], &budget);
    }
    fill_and_empty(pools[0], 4);
    assert_int_equal(trn_pool_stats(pools[0]).blocks, 4);
    assert_int_equal(budget, 2 * 4096 + 4095);
    fill_and_empty(pools[1], 20);
    assert_int_equal(trn_pool_stats(pools[1]).blocks, 3);
    assert_int_equal(budget, 4095);
    // Kept blocks are reused without the allocator, which returns their bytes to the budget.
    memory.fail_at = memory.allocations + 1;
    fill_and_empty(pools[1], 3);
    memory.fail_at = 0;
    assert_int_equal(budget, 4095);
    trn_pool_trim(pools[0]);
    assert_int_equal(trn_pool_stats(pools[0]).blocks, 0);
    assert_int_equal(budget, 3 * 4096 + 4095);
    fill_and_empty(pools[0], 20);
    trn_pool_trim(pools[0]);
    trn_pool_trim(pools[1]);
    trn_pool_trim(pools[1]);
    assert_int_equal(budget, 5 * 4096 + 4095);
    assert_int_equal(trn_pool_stats(pools[1]).blocks, 0);
    fill_and_empty(pools[1], 9);
    trn_pool_destroy(pools[0]);
    trn_pool_destroy(pools[1]);
    assert_int_equal(memory.live_blocks, 0);
}

static void a_block_is_prepared_only_when_the_next_slots_need_it(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    TrnAllocator allocator = test_allocator(&memory);
    TrnPoolDef def = trn_pool_def(64);
    def.block_slots = 8;
    def.allocator = &allocator;
    TrnPool *pool = create(def);
    TrnPoolFresh fresh = {0};
    test_fail(&memory, 1, SIZE_MAX);
    assert_false(trn_pool_prepare(pool, 1, &fresh));
    memory.fail_at = 0;
    assert_true(trn_pool_prepare(pool, 1, &fresh));
    assert_int_equal(fresh.bytes, 8 * 64);
    assert_false(trn_pool_prepare(pool, 100, &fresh)); // one ahead is enough
    TrnPoolId ids[20];
    void *slot;
    for (uint32_t i = 0; i < 20; i++) {
        assert_int_equal(trn_pool_alloc(pool, &ids[i], &slot), TRN_RESULT_OK);
        assert_true(i > 0 || slot == fresh.memory);
        const uint32_t left = 7 - i % 8;
        assert_false(trn_pool_prepare(pool, left, &fresh));
    }
    assert_int_equal(trn_pool_stats(pool).blocks, 3);
    assert_int_equal(trn_pool_free(pool, ids[3]), TRN_RESULT_OK); // another block has a free slot
    assert_false(trn_pool_prepare(pool, 5, &fresh));
    assert_int_equal(trn_pool_alloc(pool, &ids[3], &slot), TRN_RESULT_OK);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(trn_pool_alloc(pool, NULL, &slot), TRN_RESULT_OK);
    }
    assert_true(trn_pool_prepare(pool, 1, &fresh));
    assert_int_equal(trn_pool_stats(pool).blocks, 4);
    trn_pool_trim(pool);
    assert_int_equal(trn_pool_stats(pool).blocks, 3);
    trn_pool_destroy(pool);
    assert_int_equal(memory.live_blocks, 0);
}

static void alternating_at_a_block_border_does_not_allocate(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    TrnAllocator allocator = test_allocator(&memory);
    TrnPoolDef def = trn_pool_def(64);
    def.block_slots = 8;
    def.allocator = &allocator;
    TrnPool *pool = create(def);
    TrnPoolId id;
    void *slot;
    for (int i = 0; i < 9; i++) {
        assert_int_equal(trn_pool_alloc(pool, &id, &slot), TRN_RESULT_OK);
    }
    size_t allocations = memory.allocations;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(trn_pool_free(pool, id), TRN_RESULT_OK);
        assert_int_equal(trn_pool_alloc(pool, &id, &slot), TRN_RESULT_OK);
    }
    assert_int_equal(memory.allocations, allocations);
    trn_pool_destroy(pool);
}

static void slots_of_a_range_follow_from_their_indices_and_further_ones_lie_in_blocks(void **state)
{
    (void)state;
    skip_without_ranges();
    TestAllocator memory = {0};
    TrnAllocator allocator = test_allocator(&memory);
    TrnPoolDef def = large_slots(&allocator); // slots of 1,504 bytes, with padding
    def.reserve_slots = 40;
    TrnPool *pool = create(def);
    assert_true(trn_pool_stats(pool).reserved_bytes >= (size_t)40 * 1504);
    assert_int_equal(trn_pool_stats(pool).bytes, memory.live_bytes);
    static TrnPoolId ids[200];
    static unsigned char *slots[200];
    for (uint32_t i = 0; i < 200; i++) {
        void *slot;
        assert_int_equal(trn_pool_alloc(pool, &ids[i], &slot), TRN_RESULT_OK);
        slots[i] = slot;
        memset(slot, (int)i, 1504);
        assert_true(i >= 40 || slots[i] == slots[0] + i * (size_t)1504);
    }
    for (uint32_t i = 0; i < 200; i++) {
        assert_ptr_equal(trn_pool_get(pool, ids[i]), slots[i]);
        assert_same_id(trn_pool_id(pool, slots[i]), ids[i]);
        assert_true(slots[i][0] == i && slots[i][1503] == i);
    }
    // Blocks of the range are used first again.
    for (uint32_t i = 0; i < 200; i++) {
        assert_int_equal(trn_pool_free(pool, ids[i]), TRN_RESULT_OK);
    }
    trn_pool_trim(pool);
    assert_int_equal(trn_pool_stats(pool).blocks, 0);
    for (uint32_t i = 0; i < 40; i++) {
        void *slot;
        assert_int_equal(trn_pool_alloc(pool, &ids[i], &slot), TRN_RESULT_OK);
        assert_in_range(ids[i].index1, 1, 40);
    }
    trn_pool_destroy(pool);
    assert_int_equal(memory.live_bytes, 0);
    path_end();
}

static void a_refused_range_is_no_error(void **state)
{
    (void)state;
    TrnPoolDef def = trn_pool_def(256);
    path_begin(PATH_REFUSED, &def, 1u << 22);
    TrnPool *pool = create(def);
    assert_int_equal(trn_pool_stats(pool).reserved_bytes, 0);
    void *slot;
    for (uint32_t i = 0; i < 3000; i++) {
        assert_int_equal(trn_pool_alloc(pool, NULL, &slot), TRN_RESULT_OK);
        memset(slot, 1, 256);
    }
    assert_int_equal(trn_pool_stats(pool).blocks, 3);
    trn_pool_destroy(pool);
    path_end();
}

static void a_block_whose_pages_are_not_taken_back_is_used_again(void **state)
{
    (void)state;
    skip_without_ranges();
    TrnPoolDef def = large_slots(NULL);
    path_begin(PATH_RANGE, &def, 60);
    TrnPool *pool = create(def);
    TrnPoolId ids[60];
    void *slot;
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 60; i++) {
            assert_int_equal(trn_pool_alloc(pool, &ids[i], &slot), TRN_RESULT_OK);
            memset(slot, (int)i, 1500);
        }
        ranges_fail_decommit_at = round == 0;
        for (uint32_t i = 0; i < 60; i++) {
            assert_int_equal(trn_pool_free(pool, ids[i]), TRN_RESULT_OK);
        }
        trn_pool_trim(pool);
        assert_int_equal(trn_pool_stats(pool).blocks, 0);
    }
    trn_pool_destroy(pool);
    path_end();
}

/// A budget for the memory of a range.
typedef struct Budget {
    size_t bytes, bytes_max;
} Budget;

static bool budget_admit(size_t bytes, void *user)
{
    const Budget *budget = user;
    return bytes <= budget->bytes_max - budget->bytes;
}

static void budget_add(size_t bytes, void *user)
{
    Budget *budget = user;
    budget->bytes += bytes;
}

static void budget_remove(size_t bytes, void *user)
{
    Budget *budget = user;
    assert_true(bytes <= budget->bytes);
    budget->bytes -= bytes;
}

static void a_budget_counts_what_is_committed(void **state)
{
    (void)state;
    skip_without_ranges();
    TrnPoolDef def = large_slots(NULL);
    path_begin(PATH_RANGE, &def, 600);
    TrnPool *pool = create(def);
    Budget budget = {.bytes_max = 50000};
    trn_pool_count_commits(pool,
                           &(TrnPoolCommits){budget_admit, budget_add, budget_remove, &budget});
    static TrnPoolId ids[600];
    void *slot;
    uint32_t taken = 0;
    for (TrnResult result; taken < 600; taken++) {
        result = trn_pool_alloc(pool, &ids[taken], &slot);
        if (result != TRN_RESULT_OK) {
            assert_int_equal(result, TRN_RESULT_NO_MEMORY);
            break;
        }
        assert_int_equal(budget.bytes, ranges_committed_bytes);
    }
    assert_in_range(taken, 20, 36);
    budget.bytes_max = SIZE_MAX;
    ranges_fail_commit_at = 1;
    assert_int_equal(trn_pool_alloc(pool, NULL, &slot), TRN_RESULT_NO_MEMORY);
    assert_int_equal(budget.bytes, ranges_committed_bytes);
    ranges_fail_commit_at = 0;
    assert_int_equal(trn_pool_alloc(pool, NULL, &slot), TRN_RESULT_OK);
    while (taken) {
        assert_int_equal(trn_pool_free(pool, ids[--taken]), TRN_RESULT_OK);
        assert_int_equal(budget.bytes, ranges_committed_bytes);
    }
    trn_pool_destroy(pool);
    assert_int_equal(budget.bytes, 0);
    path_end();
}

/// Memory is committed for each block alone, so that no slot waits for a huge page. Blocks of slots
/// of 1,504 bytes fit no huge pages.
static void a_large_range_grows_block_by_block(void **state)
{
    (void)state;
    skip_without_ranges();
    enum { COUNT = 12000 };
    for (uint32_t tight = 0; tight < 2; tight++) {
        static TrnPoolId ids[COUNT];
        TestRandom random = test_random_seeded(51);
        TrnPoolDef def = trn_pool_def(1500);
        path_begin(PATH_RANGE, &def, COUNT);
        TrnPool *pool = create(def);
        Budget budget = {.bytes_max = tight ? 0 : SIZE_MAX};
        trn_pool_count_commits(pool,
                               &(TrnPoolCommits){budget_admit, budget_add, budget_remove, &budget});
        for (int round = 0; round < 3; round++) {
            for (uint32_t i = 0; i < COUNT; i++) {
                const size_t before = ranges_committed_bytes;
                void *slot;
                TrnResult result;
                while ((result = trn_pool_alloc(pool, &ids[i], &slot)) != TRN_RESULT_OK) {
                    assert_int_equal(result, TRN_RESULT_NO_MEMORY);
                    budget.bytes_max += 4096; // in the end the block fits
                }
                memset(slot, (int)i, 1504);
                assert_int_equal(budget.bytes, ranges_committed_bytes);
                assert_true(ranges_committed_bytes - before < TRN_HUGE_PAGE_BYTES / 4);
            }
            for (uint32_t i = 0; i < COUNT; i++) {
                const unsigned char *slot = trn_pool_get(pool, ids[i]);
                assert_true(slot[0] == (unsigned char)i && slot[1503] == (unsigned char)i);
            }
            for (uint32_t left = COUNT; left-- > 0;) {
                const uint32_t at = (uint32_t)test_random_range(&random, 0, left);
                assert_int_equal(trn_pool_free(pool, ids[at]), TRN_RESULT_OK);
                ids[at] = ids[left];
                assert_int_equal(budget.bytes, ranges_committed_bytes);
            }
            trn_pool_trim(pool);
            assert_true(ranges_committed_bytes < TRN_HUGE_PAGE_BYTES);
        }
        trn_pool_destroy(pool);
        assert_int_equal(budget.bytes, 0);
        path_end();
    }
}

static void an_untouched_range_costs_nothing(void **state)
{
    (void)state;
    skip_without_ranges();
    TestAllocator memory = {0};
    TrnAllocator allocator = test_allocator(&memory);
    TrnPoolDef def = trn_pool_def(256);
    def.reserve_slots = 1u << 22; // 1 GiB
    def.allocator = &allocator;
    TrnPool *pool = create(def);
    void *slot;
    assert_int_equal(trn_pool_alloc(pool, NULL, &slot), TRN_RESULT_OK);
    memset(slot, 1, 256);
    TrnPoolStats stats = trn_pool_stats(pool);
    assert_int_equal(stats.reserved_bytes, (size_t)1 << 30);
    assert_int_equal(stats.blocks, 1);
    assert_true(stats.bytes < 300000);
    trn_pool_destroy(pool);
    path_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_allocations_leave_the_pool_unchanged),
        cmocka_unit_test(a_failed_commit_leaves_the_pool_unchanged),
        cmocka_unit_test(stats_bytes_match_the_allocator_and_the_range),
        cmocka_unit_test(all_empty_blocks_but_one_are_freed),
        cmocka_unit_test(a_shared_budget_limits_spare_blocks),
        cmocka_unit_test(a_block_is_prepared_only_when_the_next_slots_need_it),
        cmocka_unit_test(alternating_at_a_block_border_does_not_allocate),
        cmocka_unit_test(slots_of_a_range_follow_from_their_indices_and_further_ones_lie_in_blocks),
        cmocka_unit_test(a_refused_range_is_no_error),
        cmocka_unit_test(a_block_whose_pages_are_not_taken_back_is_used_again),
        cmocka_unit_test(a_budget_counts_what_is_committed),
        cmocka_unit_test(a_large_range_grows_block_by_block),
        cmocka_unit_test(an_untouched_range_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
