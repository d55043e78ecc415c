// The pool against a simple model: an array of what was handed out.

#include "testing.h"

#include <terrane/pool.h>

#define MODEL_MAX 2000

typedef struct Handed {
    TrnPoolId id;
    unsigned char *slot;
    unsigned char mark;
} Handed;

static TrnPool *create(TrnPoolDef def)
{
    TrnPool *pool = NULL;
    assert_int_equal(trn_pool_create(&def, &pool), TRN_RESULT_OK);
    return pool;
}

static void assert_walk_meets_each_once(TrnPool *pool, const Handed *handed, size_t count)
{
    static bool met[MODEL_MAX];
    memset(met, 0, sizeof met);
    uint32_t cursor = 0;
    TrnPoolId id;
    size_t walked = 0;
    for (void *slot; (slot = trn_pool_next(pool, &cursor, &id)); walked++) {
        assert_ptr_equal(trn_pool_get(pool, id), slot);
        size_t at = 0;
        while (at < count && handed[at].slot != slot) {
            at++;
        }
        assert_true(at < count && !met[at]);
        met[at] = true;
    }
    assert_int_equal(walked, count);
    assert_null(trn_pool_next(pool, &cursor, &id)); // stays at the end
}

static void check_against_model(TrnPoolDef def, TestRandom *random)
{
    static Handed handed[MODEL_MAX];
    size_t count = 0;
    TrnPool *pool = create(def);
    for (int step = 0; step < 20000; step++) {
        // Tides: more taking than giving back, then the other way round, so that blocks fill and
        // empty.
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
                assert_int_equal(gone.slot[i], gone.mark); // nobody else wrote here
            }
            assert_ptr_equal(trn_pool_get(pool, gone.id), gone.slot);
            assert_int_equal(trn_pool_free(pool, gone.id), TRN_RESULT_OK);
            assert_null(trn_pool_get(pool, gone.id));
            assert_int_equal(trn_pool_free(pool, gone.id), TRN_RESULT_STALE_ID);
            handed[at] = handed[--count];
        }
        if (step % 997 == 0) {
            trn_pool_trim(pool);
            assert_walk_meets_each_once(pool, handed, count);
            assert_int_equal(trn_pool_stats(pool).taken, count);
        }
    }
    trn_pool_destroy(pool);
}

static void random_taking_and_giving_back_agrees_with_a_list(void **state)
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
            check_against_model(def, &random);
        }
    }
}

static void stale_null_and_made_up_ids_are_caught(void **state)
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
    assert_ptr_equal(again, slot); // the slot is used again
    assert_int_equal(next.index1, id.index1);
    assert_int_not_equal(next.generation, id.generation);
    assert_null(trn_pool_get(pool, id));
    trn_pool_destroy(pool);
    trn_pool_destroy(empty);
    trn_pool_destroy(NULL);
}

static void ids_stay_stale_after_their_block_went_back(void **state)
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

static void the_cap_is_kept_and_giving_back_makes_room(void **state)
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
    assert_int_equal(stats.taken_peak, 5);
    assert_int_equal(stats.slot_max, 5);
    trn_pool_destroy(pool);
}

static void absurd_definitions_are_refused(void **state)
{
    (void)state;
    TrnPool *pool = NULL;
    const TrnPoolDef absurd[] = {
        {.slot_bytes = 0, .slot_alignment = 16},
        {.slot_bytes = SIZE_MAX, .slot_alignment = 16},
        {.slot_bytes = 8, .slot_alignment = 0},
        {.slot_bytes = 8, .slot_alignment = 24},
        {.slot_bytes = 8, .slot_alignment = 8192},
        {.slot_bytes = 8, .slot_alignment = 16, .block_slots = UINT32_MAX},
        {.slot_bytes = 8, .slot_alignment = 16, .slot_max = UINT32_MAX},
    };
    for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++) {
        assert_int_equal(trn_pool_create(&absurd[i], &pool), TRN_RESULT_BAD_ARGUMENT);
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

static void every_allocation_may_fail(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnAllocator allocator = test_allocator(&memory);
    TrnPoolDef def = trn_pool_def(100);
    def.block_slots = 4;
    def.allocator = &allocator;
    bool failed = true;
    size_t failures = 0;
    for (size_t fail_at = 1; failed; fail_at++) {
        memory = (TestAllocator){.fail_at = fail_at};
        failed = false;
        TrnPool *pool = NULL;
        if (trn_pool_create(&def, &pool) == TRN_RESULT_OK) {
            TrnPoolId ids[60];
            void *slot;
            uint32_t taken = 0;
            for (int i = 0; i < 60; i++) {
                TrnResult result = trn_pool_alloc(pool, &ids[taken], &slot);
                if (result == TRN_RESULT_OK) {
                    memset(slot, 1, 100);
                    taken++;
                    continue;
                }
                assert_int_equal(result, TRN_RESULT_NO_MEMORY);
                failed = true;
            }
            assert_int_equal(taken, failed ? 59 : 60);
            assert_int_equal(trn_pool_stats(pool).taken, taken);
            for (uint32_t i = 0; i < taken; i++) {
                assert_non_null(trn_pool_get(pool, ids[i]));
            }
            trn_pool_destroy(pool);
        } else {
            assert_null(pool);
            failed = true;
        }
        assert_int_equal(memory.live_blocks, 0);
        assert_int_equal(memory.live_bytes, 0);
        failures += failed;
    }
    assert_true(failures > 15);
}

static void bytes_are_those_taken_from_the_allocator(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    TrnAllocator allocator = test_allocator(&memory);
    TrnPoolDef def = trn_pool_def(100);
    def.block_slots = 8;
    def.allocator = &allocator;
    TrnPool *pool = create(def);
    TrnPoolId ids[100];
    void *slot;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(trn_pool_alloc(pool, &ids[i], &slot), TRN_RESULT_OK);
        assert_int_equal(trn_pool_stats(pool).bytes, memory.live_bytes);
    }
    for (int i = 0; i < 60; i++) {
        trn_pool_free(pool, ids[i]);
    }
    trn_pool_trim(pool);
    assert_int_equal(trn_pool_stats(pool).bytes, memory.live_bytes);
    trn_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_taking_and_giving_back_agrees_with_a_list),
        cmocka_unit_test(stale_null_and_made_up_ids_are_caught),
        cmocka_unit_test(ids_stay_stale_after_their_block_went_back),
        cmocka_unit_test(the_cap_is_kept_and_giving_back_makes_room),
        cmocka_unit_test(absurd_definitions_are_refused),
        cmocka_unit_test(slots_may_be_freed_while_walking),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(bytes_are_those_taken_from_the_allocator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
