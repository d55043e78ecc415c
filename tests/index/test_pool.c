// The pool against a simple model: an array of the allocated slots.

#include "testing.h"

#include <terrane/pool.h>

#include "base/failing_ranges.h"
#include "index/pool_blocks.h"
#include "index/pool_internal.h"

#define MODEL_MAX 2000

typedef struct Handed {
    TrnPoolId id;
    unsigned char *slot;
    unsigned char mark;
} Handed;

/// Where the blocks of a pool lie. What a pool does is the same on each path.
typedef enum Path { PATH_BLOCKS, PATH_RANGE, PATH_OVERFLOW, PATH_REFUSED, PATH_COUNT } Path;

/// Sets the range of a def for a path on which `slots` are to be taken. On PATH_REFUSED the system
/// reserves no addresses, from now on until path_end().
static void path_begin(Path path, TrnPoolDef *def, uint32_t slots)
{
    const uint32_t reserves[PATH_COUNT] = {0, slots, slots / 3, slots};
    def->reserve_slots = reserves[path];
    ranges_fail_reserve_at = path == PATH_REFUSED;
}

static void path_end(void)
{
    ranges_fail_reserve_at = ranges_fail_commit_at = ranges_fail_decommit_at = 0;
    ranges_committed_bytes = 0; // a range that ends is not decommitted first
}

/// Skips a test of ranges where pools have none: 32-bit machines have no addresses to spare.
static void skip_without_ranges(void)
{
    if (sizeof(void *) < 8 || !trn_address_range_is_supported()) {
        skip();
    }
}

static TrnPool *create(TrnPoolDef def)
{
    TrnPool *pool = NULL;
    assert_int_equal(trn_pool_create(&def, &pool), TRN_RESULT_OK);
    return pool;
}

static bool is_null_id(TrnPoolId id)
{
    return id.index1 == 0 && id.generation == 0;
}

static void assert_same_id(TrnPoolId a, TrnPoolId b)
{
    assert_int_equal(a.index1, b.index1);
    assert_int_equal(a.generation, b.generation);
}

static void assert_walk_returns_each_once(TrnPool *pool, const Handed *handed, size_t count)
{
    static bool seen[MODEL_MAX];
    memset(seen, 0, sizeof seen);
    uint32_t cursor = 0;
    TrnPoolId id;
    size_t walked = 0;
    for (void *slot; (slot = trn_pool_next(pool, &cursor, &id)); walked++) {
        assert_ptr_equal(trn_pool_get(pool, id), slot);
        size_t at = 0;
        while (at < count && handed[at].slot != slot) {
            at++;
        }
        assert_true(at < count && !seen[at]);
        seen[at] = true;
    }
    assert_int_equal(walked, count);
    assert_null(trn_pool_next(pool, &cursor, &id)); // stays at the end
}

/// Checks that batches of any size give the same walk as single slots.
static void assert_gather_matches_next(TrnPool *pool, TestRandom *random)
{
    uint32_t cursor = 0, cursor_of_next = 0;
    void *slots[200];
    for (size_t count = 1; count;) {
        size_t capacity = (size_t)test_random_range(random, 1, 200);
        count = trn_pool_gather(pool, &cursor, slots, capacity);
        assert_true(count <= capacity);
        for (size_t i = 0; i < count; i++) {
            assert_ptr_equal(slots[i], trn_pool_next(pool, &cursor_of_next, NULL));
        }
    }
    assert_null(trn_pool_next(pool, &cursor_of_next, NULL));
    assert_int_equal(trn_pool_gather(pool, &cursor, slots, 200), 0);
}

static void assert_addresses_and_ids_match(TrnPool *pool, const Handed *handed, size_t count)
{
    static uint32_t slots[MODEL_MAX];
    static void *pointers[MODEL_MAX];
    static TrnPoolId ids[MODEL_MAX];
    size_t slot_bytes = trn_pool_stats(pool).slot_bytes;
    for (size_t i = 0; i < count; i++) {
        slots[i] = handed[i].id.index1 - 1;
        assert_same_id(trn_pool_id(pool, handed[i].slot), handed[i].id);
        assert_true(is_null_id(trn_pool_id(pool, handed[i].slot + 1)));
        assert_true(is_null_id(trn_pool_id(pool, handed[i].slot + slot_bytes - 1)));
        assert_true(slots[i] >= pool->range_slots ||
                    pool->range_start + slots[i] * slot_bytes == handed[i].slot);
    }
    trn_pool_pointers(pool, slots, count, pointers);
    trn_pool_ids(pool, slots, count, ids);
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(pointers[i], handed[i].slot);
        assert_ptr_equal(trn_pool_slot(pool, slots[i]), handed[i].slot);
        assert_same_id(ids[i], handed[i].id);
    }
}

static void check_against_model(TrnPoolDef def, TestRandom *random)
{
    static Handed handed[MODEL_MAX];
    size_t count = 0;
    TrnPool *pool = create(def);
    for (int step = 0; step < 20000; step++) {
        // Alternates between mostly allocating and mostly freeing, so that blocks fill and empty.
        bool rising = step / 2000 % 2 == 0;
        bool take = test_random_next(random) % 8 < (rising ? 6 : 2);
        if (take && count < MODEL_MAX) {
            void *slot;
            Handed *fresh = &handed[count];
            assert_int_equal(trn_pool_alloc(pool, &fresh->id, &slot), TRN_RESULT_OK);
            fresh->slot = slot;
            fresh->mark = (unsigned char)test_random_next(random);
            assert_int_equal((uintptr_t)slot % def.slot_alignment, 0);
            memset(slot, fresh->mark, def.slot_bytes);
            count++;
        } else if (!take && count > 0) {
            size_t at = (size_t)test_random_range(random, 0, (int64_t)count - 1);
            Handed gone = handed[at];
            for (size_t i = 0; i < def.slot_bytes; i++) {
                assert_int_equal(gone.slot[i], gone.mark); // no other slot overlaps it
            }
            assert_ptr_equal(trn_pool_get(pool, gone.id), gone.slot);
            assert_int_equal(trn_pool_free(pool, gone.id), TRN_RESULT_OK);
            assert_null(trn_pool_get(pool, gone.id));
            assert_int_equal(trn_pool_free(pool, gone.id), TRN_RESULT_STALE_ID);
            assert_true(is_null_id(trn_pool_id(pool, gone.slot)));
            handed[at] = handed[--count];
        }
        if (step % 997 == 0) {
            if (step % 2) {
                trn_pool_trim(pool);
            }
            assert_walk_returns_each_once(pool, handed, count);
            assert_gather_matches_next(pool, random);
            assert_addresses_and_ids_match(pool, handed, count);
            assert_int_equal(trn_pool_stats(pool).taken, count);
        }
    }
    trn_pool_destroy(pool);
}

static void random_alloc_and_free_match_the_model(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(3);
    const size_t sizes[] = {1, 8, 24, 256, 1000};
    const uint32_t blocks[] = {0, 1, 3, 64, 256};
    for (size_t s = 0; s < 5; s++) {
        for (size_t b = 0; b < 5; b++) {
            TrnPoolDef def = trn_pool_def(sizes[s]);
            def.block_slots = blocks[b];
            def.slot_alignment = b == 2 ? 128 : 16;
            for (Path path = 0; path < PATH_COUNT; path++) {
                path_begin(path, &def, MODEL_MAX);
                check_against_model(def, &random);
                path_end();
            }
        }
    }
}

static void stale_null_and_invalid_ids_are_rejected(void **state)
{
    (void)state;
    TrnPool *pool = create(trn_pool_def(32));
    TrnPool *empty = create(trn_pool_def(32));
    TrnPoolId id;
    void *slot, *again;
    assert_int_equal(trn_pool_alloc(pool, &id, &slot), TRN_RESULT_OK);
    const TrnPoolId wrong[] = {{0, 0},
                               {0, id.generation},
                               {id.index1, 0},
                               {id.index1, id.generation + 1},
                               {id.index1, id.generation + 2},
                               {id.index1 + 1, id.generation},
                               {id.index1 + 1, 0},
                               {UINT32_MAX, id.generation},
                               {UINT32_MAX, UINT32_MAX}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(trn_pool_get(pool, wrong[i]));
        assert_int_equal(trn_pool_free(pool, wrong[i]), TRN_RESULT_STALE_ID);
    }
    assert_null(trn_pool_get(empty, id)); // of another pool
    assert_int_equal(trn_pool_free(pool, id), TRN_RESULT_OK);
    TrnPoolId next;
    assert_int_equal(trn_pool_alloc(pool, &next, &again), TRN_RESULT_OK);
    assert_ptr_equal(again, slot); // the slot is reused
    assert_int_equal(next.index1, id.index1);
    assert_int_not_equal(next.generation, id.generation);
    assert_null(trn_pool_get(pool, id));
    trn_pool_destroy(pool);
    trn_pool_destroy(empty);
    trn_pool_destroy(NULL);
}

static void ids_stay_stale_after_their_block_is_freed(void **state)
{
    (void)state;
    TrnPoolDef def = trn_pool_def(64);
    def.block_slots = 4;
    TrnPool *pool = create(def);
    TrnPoolId old[8], fresh;
    void *slot;
    for (int i = 0; i < 8; i++) {
        assert_int_equal(trn_pool_alloc(pool, &old[i], &slot), TRN_RESULT_OK);
    }
    assert_int_equal(trn_pool_stats(pool).blocks, 2);
    size_t bytes = trn_pool_stats(pool).bytes;
    for (int i = 0; i < 8; i++) {
        assert_int_equal(trn_pool_free(pool, old[i]), TRN_RESULT_OK);
    }
    trn_pool_trim(pool);
    assert_int_equal(trn_pool_stats(pool).blocks, 0);
    assert_true(trn_pool_stats(pool).bytes <= bytes - (size_t)8 * 64);
    for (int i = 0; i < 8; i++) {
        assert_null(trn_pool_get(pool, old[i]));
        assert_int_equal(trn_pool_free(pool, old[i]), TRN_RESULT_STALE_ID);
    }
    for (int i = 0; i < 8; i++) {
        assert_int_equal(trn_pool_alloc(pool, &fresh, &slot), TRN_RESULT_OK);
    }
    for (int i = 0; i < 8; i++) {
        assert_null(trn_pool_get(pool, old[i]));
    }
    assert_int_equal(trn_pool_stats(pool).blocks, 2);
    trn_pool_destroy(pool);
}

static void slot_max_is_enforced(void **state)
{
    (void)state;
    TrnPoolDef def = trn_pool_def(16);
    def.slot_max = 5;
    TrnPool *pool = create(def);
    TrnPoolId ids[5], extra = {7, 7};
    void *slot, *untouched = &extra;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(trn_pool_alloc(pool, &ids[i], &slot), TRN_RESULT_OK);
    }
    assert_int_equal(trn_pool_alloc(pool, &extra, &untouched), TRN_RESULT_FULL);
    assert_ptr_equal(untouched, &extra);
    assert_int_equal(extra.index1, 7);
    assert_int_equal(trn_pool_free(pool, ids[2]), TRN_RESULT_OK);
    assert_int_equal(trn_pool_alloc(pool, NULL, &slot), TRN_RESULT_OK);
    TrnPoolStats stats = trn_pool_stats(pool);
    assert_int_equal(stats.taken, 5);
    assert_int_equal(stats.slot_max, 5);
    trn_pool_destroy(pool);
}

static void prefetch_changes_nothing(void **state)
{
    (void)state;
    for (Path path = 0; path < PATH_COUNT; path++) {
        TrnPoolDef def = trn_pool_def(1024);
        def.block_slots = 8;
        path_begin(path, &def, 40);
        TrnPool *pool = create(def);
        trn_pool_prefetch(pool, 0); // no block yet
        trn_pool_prefetch_block(pool, 0);
        trn_pool_prefetch_free(pool, 100);
        TrnPoolId ids[40];
        for (uint32_t i = 0; i < 40; i++) {
            void *slot;
            assert_int_equal(trn_pool_alloc(pool, &ids[i], &slot), TRN_RESULT_OK);
            memset(slot, (int)i, 1024);
        }
        for (uint32_t i = 16; i < 32; i++) { // two blocks, of which one is freed
            assert_int_equal(trn_pool_free(pool, ids[i]), TRN_RESULT_OK);
        }
        const TrnPoolStats before = trn_pool_stats(pool);
        for (uint32_t slot = 0; slot < 100; slot++) {
            trn_pool_prefetch(pool, slot);
            trn_pool_prefetch_block(pool, slot);
            trn_pool_prefetch_free(pool, slot);
        }
        for (uint32_t slot = UINT32_MAX - 1; slot != 0; slot++) {
            trn_pool_prefetch(pool, slot);
            trn_pool_prefetch_block(pool, slot);
        }
        trn_pool_prefetch_free(pool, UINT32_MAX);
        assert_int_equal(trn_pool_slot_bytes(pool), before.slot_bytes);
        assert_int_equal(trn_pool_stats(pool).taken, before.taken);
        assert_int_equal(trn_pool_stats(pool).bytes, before.bytes);
        for (uint32_t i = 0; i < 40; i++) {
            const unsigned char *slot = trn_pool_get(pool, ids[i]);
            assert_int_equal(slot != NULL, i < 16 || i >= 32);
            assert_true(!slot || (slot[0] == i && slot[1023] == i));
        }
        trn_pool_destroy(pool);
        path_end();
    }
}

static void invalid_definitions_are_refused(void **state)
{
    (void)state;
    TrnPool *pool = NULL;
    const TrnPoolDef invalid[] = {
        {.slot_bytes = 0, .slot_alignment = 16},
        {.slot_bytes = SIZE_MAX, .slot_alignment = 16},
        {.slot_bytes = 8, .slot_alignment = 0},
        {.slot_bytes = 8, .slot_alignment = 24},
        {.slot_bytes = 8, .slot_alignment = 8192},
        {.slot_bytes = 8, .slot_alignment = 16, .block_slots = UINT32_MAX},
        {.slot_bytes = 8, .slot_alignment = 16, .slot_max = UINT32_MAX},
        {.slot_bytes = 8, .slot_alignment = 16, .reserve_slots = UINT32_MAX},
    };
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        assert_int_equal(trn_pool_create(&invalid[i], &pool), TRN_RESULT_BAD_ARGUMENT);
    }
    assert_int_equal(trn_pool_create(NULL, &pool), TRN_RESULT_BAD_ARGUMENT);
    assert_null(pool);
}

static void slots_may_be_freed_while_walking(void **state)
{
    (void)state;
    TrnPool *pool = create(trn_pool_def(40));
    void *slot;
    for (int i = 0; i < 300; i++) {
        assert_int_equal(trn_pool_alloc(pool, NULL, &slot), TRN_RESULT_OK);
    }
    uint32_t cursor = 0;
    TrnPoolId id;
    for (int i = 0; trn_pool_next(pool, &cursor, &id); i++) {
        if (i % 3) {
            assert_int_equal(trn_pool_free(pool, id), TRN_RESULT_OK);
        }
    }
    assert_int_equal(trn_pool_stats(pool).taken, 100);
    trn_pool_destroy(pool);
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

/// Allocates and frees slots at random, with failing allocations. @return allocations of it
static size_t churn_runs(TrnPool *pool, TestAllocator *memory, uint32_t most)
{
    static TrnPoolId ids[4000];
    TestRandom random = test_random_seeded(20);
    const size_t before = memory->allocations;
    uint32_t count = 0;
    for (uint32_t round = 0; round < 60; round++) {
        const uint32_t to = (uint32_t)test_random_range(&random, 0, most);
        memory->fail_at = round % 5 ? 0 : memory->allocations + 1;
        void *slot;
        for (; count < to; count++) {
            TrnPoolId id;
            const TrnResult result = trn_pool_alloc(pool, &id, &slot);
            if (result != TRN_RESULT_OK) {
                assert_int_equal(result, TRN_RESULT_NO_MEMORY);
                break;
            }
            ids[count] = id;
            memset(slot, (int)count, 64);
            assert_ptr_equal(trn_pool_get(pool, id), slot);
            assert_same_id(trn_pool_id(pool, slot), id);
        }
        while (count > to) {
            const uint32_t at = (uint32_t)(test_random_next(&random) % count);
            assert_int_equal(trn_pool_free(pool, ids[at]), TRN_RESULT_OK);
            assert_null(trn_pool_get(pool, ids[at]));
            ids[at] = ids[--count];
        }
        if (round % 7 == 0) {
            trn_pool_trim(pool);
        }
        const TrnPoolStats stats = trn_pool_stats(pool);
        assert_int_equal(stats.bytes, memory->live_bytes);
        assert_int_equal(stats.taken, count);
        assert_true(stats.blocks * stats.block_slots >= count);
    }
    memory->fail_at = 0;
    const size_t allocations = memory->allocations - before;
    while (count) {
        assert_int_equal(trn_pool_free(pool, ids[--count]), TRN_RESULT_OK);
    }
    trn_pool_trim(pool);
    assert_int_equal(trn_pool_stats(pool).blocks, 0);
    return allocations;
}

static void runs_are_allocated_and_freed_together(void **state)
{
    (void)state;
    static const uint32_t blocks[3] = {1, 8, 600}, parts[3] = {1, 32, 4};
    size_t allocations[3];
    for (uint32_t runs = 0; runs < 3; runs++) {
        TestAllocator memory = {0};
        TrnAllocator allocator = test_allocator(&memory);
        TrnPoolDef def = trn_pool_def(64);
        def.block_slots = 4;
        def.allocator = &allocator;
        TrnPool *pool = create(def);
        trn_pool_allow_runs(pool, blocks[runs], parts[runs]);
        allocations[runs] = churn_runs(pool, &memory, 4000);
        trn_pool_destroy(pool);
        assert_int_equal(memory.live_blocks, 0);
    }
    assert_true(allocations[1] * 2 < allocations[0]);
    assert_true(allocations[2] < allocations[1]);
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

/// Blocks of more than 4,096 slots have more than one word of `free_words`.
static void large_blocks_allocate_the_lowest_slot_first(void **state)
{
    (void)state;
    enum { COUNT = 20000, BLOCK = 16384 };
    static TrnPoolId ids[COUNT];
    TestRandom random = test_random_seeded(5);
    TrnPoolDef def = trn_pool_def(16);
    def.block_slots = BLOCK;
    TrnPool *pool = create(def);
    void *slot;
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(trn_pool_alloc(pool, &ids[i], &slot), TRN_RESULT_OK);
        assert_int_equal(ids[i].index1, i + 1);
    }
    for (int round = 0; round < 20; round++) {
        static uint32_t freed[BLOCK];
        uint32_t count = 0;
        for (uint32_t i = 0; i < BLOCK; i++) {
            if (test_random_next(&random) % 64 == 0) {
                assert_int_equal(trn_pool_free(pool, ids[i]), TRN_RESULT_OK);
                freed[count++] = i;
            }
        }
        for (uint32_t k = 0; k < count; k++) {
            assert_int_equal(trn_pool_alloc(pool, &ids[freed[k]], &slot), TRN_RESULT_OK);
            assert_int_equal(ids[freed[k]].index1, freed[k] + 1);
        }
    }
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

/// Beyond 2 MiB a range grows by huge pages. Blocks of 352 slots of 1,504 bytes fit neither those
/// nor pages.
static void a_large_range_grows_by_huge_pages(void **state)
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
            ranges_commits = 0;
            for (uint32_t i = 0; i < COUNT; i++) {
                void *slot;
                TrnResult result;
                while ((result = trn_pool_alloc(pool, &ids[i], &slot)) != TRN_RESULT_OK) {
                    assert_int_equal(result, TRN_RESULT_NO_MEMORY);
                    budget.bytes_max += 4096; // no huge page fits, but in the end the block does
                }
                memset(slot, (int)i, 1504);
                assert_int_equal(budget.bytes, ranges_committed_bytes);
            }
            assert_true(tight || round || ranges_commits < 20);
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

/// Readers keep their table while the writer fills a longer one: no block may be lost on the way.
static void many_small_blocks_are_found_by_id_and_address(void **state)
{
    (void)state;
    for (Path path = 0; path < PATH_COUNT; path++) {
        enum { COUNT = 20000 };
        static TrnPoolId ids[COUNT];
        static uint32_t indices[COUNT];
        static void *slots[COUNT], *pointers[COUNT];
        TestRandom random = test_random_seeded(41);
        TrnPoolDef def = trn_pool_def(8);
        def.slot_alignment = 8;
        def.block_slots = 1;
        path_begin(path, &def, COUNT);
        TrnPool *pool = create(def);
        for (uint32_t i = 0; i < COUNT; i++) {
            assert_int_equal(trn_pool_alloc(pool, &ids[i], &slots[i]), TRN_RESULT_OK);
            memcpy(slots[i], &i, sizeof i);
            indices[i] = ids[i].index1 - 1;
            const uint32_t other = (uint32_t)test_random_range(&random, 0, i);
            assert_ptr_equal(trn_pool_get(pool, ids[other]), slots[other]);
            assert_same_id(trn_pool_id(pool, slots[other]), ids[other]);
        }
        for (int round = 0; round < 2; round++) {
            trn_pool_pointers(pool, indices, COUNT, pointers);
            for (uint32_t i = 0; i < COUNT; i++) {
                assert_ptr_equal(pointers[i], slots[i]);
                assert_memory_equal(slots[i], &i, sizeof i);
            }
            for (uint32_t i = 0; i < COUNT && round == 0; i++) {
                const uint32_t at = (uint32_t)test_random_range(&random, 0, COUNT - 1);
                assert_int_equal(trn_pool_free(pool, ids[at]), TRN_RESULT_OK);
                assert_true(is_null_id(trn_pool_id(pool, slots[at])));
                assert_int_equal(trn_pool_alloc(pool, &ids[at], &slots[at]), TRN_RESULT_OK);
                memcpy(slots[at], &at, sizeof at);
                indices[at] = ids[at].index1 - 1;
            }
        }
        trn_pool_destroy(pool);
        path_end();
    }
}

static void foreign_addresses_have_no_id(void **state)
{
    (void)state;
    for (Path path = 0; path < PATH_COUNT; path++) {
        TrnPoolDef def = trn_pool_def(32);
        def.block_slots = 16;
        path_begin(path, &def, 64);
        TrnPool *pool = create(def);
        int local = 0;
        assert_true(is_null_id(trn_pool_id(pool, &local)));
        TrnPoolId id;
        void *slot;
        assert_int_equal(trn_pool_alloc(pool, &id, &slot), TRN_RESULT_OK);
        assert_true(is_null_id(trn_pool_id(pool, NULL)));
        assert_true(is_null_id(trn_pool_id(pool, &local)));
        assert_true(is_null_id(trn_pool_id(pool, (void *)UINTPTR_MAX)));
        assert_true(is_null_id(trn_pool_id(pool, (unsigned char *)slot + 32))); // not taken
        uintptr_t below = (uintptr_t)slot - 32, behind = (uintptr_t)slot + (uintptr_t)512 * 32;
        assert_true(is_null_id(trn_pool_id(pool, (void *)below)));
        assert_true(is_null_id(trn_pool_id(pool, (void *)behind)));
        const uint32_t slots[] = {5, 100000, UINT32_MAX, 0};
        TrnPoolId ids[4];
        trn_pool_ids(pool, slots, 4, ids);
        assert_true(is_null_id(ids[0]) && is_null_id(ids[1]) && is_null_id(ids[2]));
        assert_same_id(ids[3], id);
        trn_pool_destroy(pool);
        path_end();
    }
}

/// A slot that frees its child when it is freed, as a tree does.
typedef struct Node {
    TrnPoolId id, child;
    uint32_t is_destroyed;
} Node;

typedef struct Family {
    TrnPool *pool;
    uint32_t destroyed;
} Family;

static void destroy_node(void *slot, void *user)
{
    Node *node = slot;
    Family *family = user;
    assert_int_equal(node->is_destroyed, 0);
    node->is_destroyed = 1;
    family->destroyed++;
    assert_null(trn_pool_get(family->pool, node->id));
    assert_int_equal(trn_pool_free(family->pool, node->id), TRN_RESULT_STALE_ID);
    trn_pool_free(family->pool, node->child); // stale if it has been freed already
}

static void destroy_hook_is_called_once_per_slot(void **state)
{
    (void)state;
    Family family = {0};
    TrnPoolDef def = trn_pool_def(sizeof(Node));
    def.block_slots = 4;
    def.destroy = destroy_node;
    def.user = &family;
    family.pool = create(def);
    Node *nodes[40];
    for (int i = 0; i < 40; i++) {
        TrnPoolId id;
        void *slot;
        assert_int_equal(trn_pool_alloc(family.pool, &id, &slot), TRN_RESULT_OK);
        nodes[i] = slot;
        *nodes[i] = (Node){.id = id};
        // Chains of ten; the children come before or after their parents.
        if (i % 10 && i < 20) {
            nodes[i]->child = nodes[i - 1]->id;
        } else if (i % 10) {
            nodes[i - 1]->child = id;
        }
    }
    assert_int_equal(trn_pool_free(family.pool, nodes[9]->id), TRN_RESULT_OK);
    assert_int_equal(family.destroyed, 10);
    assert_int_equal(trn_pool_free(family.pool, nodes[25]->id), TRN_RESULT_OK);
    assert_int_equal(family.destroyed, 15);
    assert_int_equal(trn_pool_stats(family.pool).taken, 25);
    trn_pool_destroy(family.pool);
    assert_int_equal(family.destroyed, 40);
}

static void a_retired_id_is_stale_and_its_slot_is_kept(void **state)
{
    (void)state;
    TrnPoolDef def = trn_pool_def(24);
    def.block_slots = 4;
    def.slot_max = 9;
    TrnPool *pool = create(def);
    TrnPoolId ids[9], id;
    void *slots[9], *slot;
    for (uint32_t i = 0; i < 9; i++) {
        assert_int_equal(trn_pool_alloc(pool, &ids[i], &slots[i]), TRN_RESULT_OK);
        memset(slots[i], (int)i, 24);
    }
    assert_int_equal(trn_pool_reuse(pool, ids[5]), TRN_RESULT_STALE_ID); // not retired
    assert_int_equal(trn_pool_retire(pool, (TrnPoolId){0, 0}), TRN_RESULT_STALE_ID);
    for (uint32_t i = 4; i < 8; i++) { // a whole block
        assert_int_equal(trn_pool_retire(pool, ids[i]), TRN_RESULT_OK);
        assert_int_equal(trn_pool_retire(pool, ids[i]), TRN_RESULT_STALE_ID);
        assert_int_equal(trn_pool_free(pool, ids[i]), TRN_RESULT_STALE_ID);
        assert_null(trn_pool_get(pool, ids[i]));
        assert_true(is_null_id(trn_pool_id(pool, slots[i])));
        trn_pool_ids(pool, &(uint32_t){ids[i].index1 - 1}, 1, &id);
        assert_true(is_null_id(id));
        for (int byte = 0; byte < 24; byte++) {
            assert_int_equal(((unsigned char *)slots[i])[byte], i);
        }
    }
    assert_int_equal(trn_pool_stats(pool).taken, 9);
    assert_int_equal(trn_pool_alloc(pool, &id, &slot), TRN_RESULT_FULL);
    assert_int_equal(trn_pool_reuse(pool, ids[6]), TRN_RESULT_OK);
    assert_int_equal(trn_pool_reuse(pool, ids[6]), TRN_RESULT_STALE_ID);
    assert_int_equal(trn_pool_alloc(pool, &id, &slot), TRN_RESULT_OK);
    assert_ptr_equal(slot, slots[6]);
    assert_int_equal(trn_pool_reuse(pool, ids[6]), TRN_RESULT_STALE_ID); // the slot has been reused
    assert_int_equal(trn_pool_reuse(pool, id), TRN_RESULT_STALE_ID);
    assert_int_equal(trn_pool_retire(pool, ids[6]), TRN_RESULT_STALE_ID);
    assert_ptr_equal(trn_pool_get(pool, id), slot);
    assert_int_equal(trn_pool_free(pool, id), TRN_RESULT_OK);
    for (uint32_t i = 4; i < 8; i++) {
        assert_int_equal(trn_pool_reuse(pool, ids[i]),
                         i == 6 ? TRN_RESULT_STALE_ID : TRN_RESULT_OK);
    }
    trn_pool_trim(pool);
    assert_int_equal(trn_pool_stats(pool).blocks, 2);
    assert_int_equal(trn_pool_reuse(pool, ids[4]), TRN_RESULT_STALE_ID); // its block has been freed
    trn_pool_destroy(pool);
}

static void destroy_hook_is_called_when_retired_slots_are_freed(void **state)
{
    (void)state;
    Family family = {0};
    TrnPoolDef def = trn_pool_def(sizeof(Node));
    def.block_slots = 4;
    def.destroy = destroy_node;
    def.user = &family;
    family.pool = create(def);
    TrnPoolId ids[10];
    for (int i = 0; i < 10; i++) {
        void *slot;
        assert_int_equal(trn_pool_alloc(family.pool, &ids[i], &slot), TRN_RESULT_OK);
        *(Node *)slot = (Node){.id = ids[i]};
    }
    assert_int_equal(trn_pool_retire(family.pool, ids[2]), TRN_RESULT_OK);
    assert_int_equal(trn_pool_retire(family.pool, ids[9]), TRN_RESULT_OK);
    assert_int_equal(family.destroyed, 0);
    assert_int_equal(trn_pool_reuse(family.pool, ids[2]), TRN_RESULT_OK);
    assert_int_equal(family.destroyed, 1);
    trn_pool_destroy(family.pool);
    assert_int_equal(family.destroyed, 10);
}

/// Collects the kernels that this machine can run; the last is the scalar twin. @return how many
static size_t find_kernels(const TrnPoolKernels *kernels[3])
{
    size_t sets = 0;
    for (const void *at; (at = trn_kernels_at(&trn_pool_kernels, trn_cpu_features(), sets));) {
        assert_in_range(sets, 0, 2);
        kernels[sets++] = at;
    }
    assert_string_equal(kernels[sets - 1]->name, "scalar");
    return sets;
}

#define KERNEL_SLOTS_MAX 100

/// Slots for kernels to convert, and where the blocks of a table begin.
typedef struct KernelCase {
    uint32_t slots[KERNEL_SLOTS_MAX], block_shift;
    size_t count, slot_bytes;
    unsigned char *range;
    TrnPoolBase bases[64];
} KernelCase;

static void check_kernels(const KernelCase *of, const TrnPoolKernels *kernels, bool is_table,
                          void **out)
{
    memset(out, 0, KERNEL_SLOTS_MAX * sizeof *out);
    out[of->count] = out; // not to be overwritten
    if (is_table) {
        kernels->table_pointers(of->bases, of->block_shift, of->slot_bytes, of->slots, of->count,
                                out);
    } else {
        kernels->range_pointers(of->range, of->slot_bytes, of->slots, of->count, out);
    }
    assert_ptr_equal(out[of->count], out);
    out[of->count] = NULL;
}

static void kernels_match_their_scalar_twin(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(7);
    const TrnPoolKernels *kernels[3];
    const size_t sets = find_kernels(kernels);
    for (int round = 0; round < 2000; round++) {
        const bool is_table = round % 2;
        static KernelCase of; // its addresses are never dereferenced
        of.range = (unsigned char *)(uintptr_t)0x123456789ABC0u;
        of.count = (size_t)test_random_range(&random, 0, KERNEL_SLOTS_MAX - 1);
        of.slot_bytes = (size_t)test_random_range(&random, 1, INT64_C(1) << 30);
        of.block_shift = (uint32_t)test_random_range(&random, 0, 20);
        for (size_t i = 0; i < 64; i++) {
            atomic_init(&of.bases[i], (uintptr_t)test_random_next(&random));
        }
        for (size_t i = 0; i < of.count; i++) {
            of.slots[i] = (uint32_t)test_random_next(&random) %
                          (is_table ? 64u << of.block_shift : 0x80000000u);
        }
        static void *expected[KERNEL_SLOTS_MAX], *out[KERNEL_SLOTS_MAX];
        check_kernels(&of, kernels[sets - 1], is_table, expected);
        for (size_t k = 0; k + 1 < sets; k++) {
            check_kernels(&of, kernels[k], is_table, out);
            assert_memory_equal(out, expected, sizeof out);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_alloc_and_free_match_the_model),
        cmocka_unit_test(stale_null_and_invalid_ids_are_rejected),
        cmocka_unit_test(ids_stay_stale_after_their_block_is_freed),
        cmocka_unit_test(slot_max_is_enforced),
        cmocka_unit_test(prefetch_changes_nothing),
        cmocka_unit_test(invalid_definitions_are_refused),
        cmocka_unit_test(slots_may_be_freed_while_walking),
        cmocka_unit_test(failed_allocations_leave_the_pool_unchanged),
        cmocka_unit_test(a_failed_commit_leaves_the_pool_unchanged),
        cmocka_unit_test(stats_bytes_match_the_allocator_and_the_range),
        cmocka_unit_test(all_empty_blocks_but_one_are_freed),
        cmocka_unit_test(a_shared_budget_limits_spare_blocks),
        cmocka_unit_test(a_block_is_prepared_only_when_the_next_slots_need_it),
        cmocka_unit_test(runs_are_allocated_and_freed_together),
        cmocka_unit_test(alternating_at_a_block_border_does_not_allocate),
        cmocka_unit_test(large_blocks_allocate_the_lowest_slot_first),
        cmocka_unit_test(slots_of_a_range_follow_from_their_indices_and_further_ones_lie_in_blocks),
        cmocka_unit_test(a_refused_range_is_no_error),
        cmocka_unit_test(a_block_whose_pages_are_not_taken_back_is_used_again),
        cmocka_unit_test(a_budget_counts_what_is_committed),
        cmocka_unit_test(a_large_range_grows_by_huge_pages),
        cmocka_unit_test(an_untouched_range_costs_nothing),
        cmocka_unit_test(many_small_blocks_are_found_by_id_and_address),
        cmocka_unit_test(foreign_addresses_have_no_id),
        cmocka_unit_test(destroy_hook_is_called_once_per_slot),
        cmocka_unit_test(a_retired_id_is_stale_and_its_slot_is_kept),
        cmocka_unit_test(destroy_hook_is_called_when_retired_slots_are_freed),
        cmocka_unit_test(kernels_match_their_scalar_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
