// Readers of slots that stay allocated, concurrent with a writer that allocates and frees others.
// Run under ThreadSanitizer.

#include "pool/pool_internal.h"
#include "testing.h"

#include <pthread.h>
#include <stdatomic.h>

#include <terrane/pool.h>

#define KEPT 300
#define CHURNED 3000
#define READERS 2

typedef struct Shared {
    TrnPool *pool;
    TrnPoolId ids[KEPT]; // written before the readers start
    uint32_t slots[KEPT];
    void *pointers[KEPT];
    _Atomic(bool) is_over;
    _Atomic(uint32_t) newest; // slot index that the writer may free at any time
    _Atomic(uint32_t) rounds;
} Shared;

static bool kept_slots_are_found(const Shared *shared)
{
    void *pointers[KEPT];
    TrnPoolId ids[KEPT];
    trn_pool_pointers(shared->pool, shared->slots, KEPT, pointers);
    trn_pool_ids(shared->pool, shared->slots, KEPT, ids);
    bool good = true;
    for (uint32_t i = 0; i < KEPT; i++) {
        good &= trn_pool_get(shared->pool, shared->ids[i]) == shared->pointers[i];
        good &= pointers[i] == shared->pointers[i];
        good &= trn_pool_slot(shared->pool, shared->slots[i]) == shared->pointers[i];
        good &= ids[i].index1 == shared->ids[i].index1;
        good &= ids[i].generation == shared->ids[i].generation;
        good &= *(const uint32_t *)pointers[i] == i; // the writer writes to other slots only
    }
    return good;
}

/// Looks up slots that the writer allocates and frees meanwhile.
static bool other_slots_can_be_looked_up(const Shared *shared)
{
    uint32_t slot = atomic_load_explicit(&shared->newest, memory_order_relaxed);
    TrnPoolId id;
    trn_pool_ids(shared->pool, &slot, 1, &id);
    (void)trn_pool_get(shared->pool, id);
    (void)trn_pool_get(shared->pool, (TrnPoolId){slot + 1, 1});
    return !trn_pool_get(shared->pool, (TrnPoolId){slot + 1, 0}) &&
           !trn_pool_get(shared->pool, (TrnPoolId){UINT32_MAX, 1}) &&
           (id.index1 == slot + 1 || id.index1 == 0);
}

/// @return the argument on success, otherwise NULL, because cmocka asserts only in the main thread
static void *read_until_over(void *argument)
{
    Shared *shared = argument;
    bool good = true;
    while (!atomic_load_explicit(&shared->is_over, memory_order_relaxed)) {
        good &= kept_slots_are_found(shared) && other_slots_can_be_looked_up(shared);
        atomic_fetch_add_explicit(&shared->rounds, 1, memory_order_relaxed);
    }
    return good ? argument : NULL;
}

static void take_kept_slots(Shared *shared)
{
    for (uint32_t i = 0; i < KEPT; i++) {
        void *slot;
        assert_int_equal(trn_pool_alloc(shared->pool, &shared->ids[i], &slot), TRN_RESULT_OK);
        memcpy(slot, &i, sizeof i);
        shared->slots[i] = shared->ids[i].index1 - 1;
        shared->pointers[i] = slot;
    }
}

/// Alternates between mostly allocating and mostly freeing, so that blocks are made and freed.
static void churn(Shared *shared, TestRandom *random)
{
    static TrnPoolId ids[CHURNED];
    uint32_t count = 0;
    for (int step = 0; step < 60000 || atomic_load(&shared->rounds) < 2000; step++) {
        bool rising = step / 6000 % 2 == 0;
        bool take = test_random_next(random) % 8 < (rising ? 7 : 1);
        if (take && count < CHURNED) {
            void *slot;
            assert_int_equal(trn_pool_alloc(shared->pool, &ids[count], &slot), TRN_RESULT_OK);
            memset(slot, 0xEE, 48);
            atomic_store_explicit(&shared->newest, ids[count].index1 - 1, memory_order_relaxed);
            count++;
        } else if (!take && count) {
            uint32_t at = (uint32_t)test_random_next(random) % count;
            assert_int_equal(trn_pool_free(shared->pool, ids[at]), TRN_RESULT_OK);
            ids[at] = ids[--count];
        }
        if (step % 1000 == 0) {
            trn_pool_trim(shared->pool);
        }
    }
}

static void check_readers(TrnPoolDef def, TestRandom *random)
{
    static Shared shared;
    shared = (Shared){0};
    assert_int_equal(trn_pool_create(&def, &shared.pool), TRN_RESULT_OK);
    take_kept_slots(&shared);
    pthread_t readers[READERS];
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(pthread_create(&readers[i], NULL, read_until_over, &shared), 0);
    }
    churn(&shared, random);
    atomic_store(&shared.is_over, true);
    for (int i = 0; i < READERS; i++) {
        void *good;
        assert_int_equal(pthread_join(readers[i], &good), 0);
        assert_non_null(good);
    }
    trn_pool_destroy(shared.pool);
}

static void readers_find_kept_slots(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(13);
    TrnPoolDef def = trn_pool_def(48);
    def.block_slots = 16;
    // Blocks alone; a range for all slots; and a range that overflows while readers read.
    const uint32_t reserves[] = {0, KEPT + CHURNED, KEPT + CHURNED / 4};
    for (size_t i = 0; i < sizeof reserves / sizeof *reserves; i++) {
        def.reserve_slots = reserves[i];
        check_readers(def, &random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_find_kept_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
