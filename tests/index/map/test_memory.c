// Memory of large worlds of lone chunks: large blocks that are address ranges, and what happens
// when the system refuses them.

#include "testing.h"

#include <terrane/chunk_index.h>

#include "base/failing_ranges.h"
#include "index/map/map_memory.h"

/// Enough for pools of sparse pages and of tables to allocate huge pages.
#define LONE_CHUNKS 280000

static TrnCoord lone_chunk(uint32_t number)
{
    const int32_t n = (int32_t)number;
    return (TrnCoord){n % 100 * 1000, n / 10000 * 1000, n / 100 % 100 * 1000};
}

static void large_blocks_are_aligned_and_exact(void **state)
{
    (void)state;
    const TrnAllocator allocator = trn_map_allocator();
    static const size_t sizes[] = {64, TRN_HUGE_PAGE_BYTES - 1, TRN_HUGE_PAGE_BYTES,
                                   TRN_HUGE_PAGE_BYTES + 5000, 3 * TRN_HUGE_PAGE_BYTES};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const unsigned commits = ranges_commits;
        unsigned char *memory = trn_take(&allocator, sizes[i], TRN_CACHE_LINE);
        assert_non_null(memory);
        memset(memory, 0xA5, sizes[i]);
        const bool is_large = sizes[i] >= TRN_HUGE_PAGE_BYTES && trn_address_range_is_supported();
        assert_int_equal(ranges_commits - commits, is_large);
        const size_t alignment = is_large ? TRN_HUGE_PAGE_BYTES : TRN_CACHE_LINE;
        assert_int_equal((uintptr_t)memory % alignment, 0);
        trn_give(&allocator, memory, sizes[i]);
    }
}

static void refused_blocks_are_none(void **state)
{
    (void)state;
    const TrnAllocator allocator = trn_map_allocator();
    if (!trn_address_range_is_supported()) {
        skip();
    }
    ranges_fail_reserve_at = 1;
    assert_null(trn_take(&allocator, TRN_HUGE_PAGE_BYTES, TRN_CACHE_LINE));
    ranges_fail_reserve_at = 0;
    ranges_fail_commit_at = 1;
    assert_null(trn_take(&allocator, TRN_HUGE_PAGE_BYTES, TRN_CACHE_LINE));
    ranges_fail_commit_at = 0;
    assert_null(trn_take(&allocator, TRN_HUGE_PAGE_BYTES, 2 * TRN_HUGE_PAGE_BYTES));
}

/// Inserts lone chunks, and removes them, while ranges fail from time to time.
static void a_world_goes_on_when_the_system_refuses_ranges(void **state)
{
    (void)state;
    TrnChunkIndex *index;
    assert_int_equal(trn_chunk_index_create(NULL, &index), TRN_RESULT_OK);
    const unsigned commits = ranges_commits;
    uint32_t refused = 0;
    for (uint32_t i = 0; i < LONE_CHUNKS; i++) {
        ranges_fail_reserve_at = i % 20000 < 5000;
        ranges_fail_commit_at = i % 20000 > 15000;
        const TrnResult result = trn_chunk_index_insert(index, lone_chunk(i), i);
        ranges_fail_reserve_at = ranges_fail_commit_at = 0;
        if (result != TRN_RESULT_OK) { // the list of outlier pages has large segments
            assert_int_equal(result, TRN_RESULT_NO_MEMORY);
            assert_false(trn_chunk_index_find(index, lone_chunk(i), NULL));
            assert_int_equal(trn_chunk_index_insert(index, lone_chunk(i), i), TRN_RESULT_OK);
            refused++;
        }
    }
    assert_in_range(refused, 0, 5);
    assert_true(ranges_commits > commits || !trn_address_range_is_supported());
    const TrnChunkIndexStats stats = trn_chunk_index_stats(index);
    assert_int_equal(stats.sparse_pages, LONE_CHUNKS);
    assert_in_range(stats.bytes / LONE_CHUNKS, 64, 160);
    for (uint32_t i = 0; i < LONE_CHUNKS; i++) {
        uint32_t value = UINT32_MAX;
        assert_true(trn_chunk_index_find(index, lone_chunk(i), &value));
        assert_int_equal(value, i);
        assert_int_equal(trn_chunk_index_remove(index, lone_chunk(i), NULL), TRN_RESULT_OK);
    }
    // The pools keep a record of each block, so that stale ids stay stale.
    assert_in_range(trn_chunk_index_stats(index).bytes, 1, stats.bytes / 16);
    trn_chunk_index_destroy(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_blocks_are_aligned_and_exact),
        cmocka_unit_test(refused_blocks_are_none),
        cmocka_unit_test(a_world_goes_on_when_the_system_refuses_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
