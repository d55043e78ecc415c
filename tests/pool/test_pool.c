// The pool against a simple model: an array of the allocated slots.

#include "pool_path.h"

#define MODEL_MAX 2000

typedef struct Handed {
    TrnPoolId id;
    unsigned char *slot;
    unsigned char mark;
} Handed;

static bool is_null_id(TrnPoolId id)
{
    return id.index1 == 0 && id.generation == 0;
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
        cmocka_unit_test(runs_are_allocated_and_freed_together),
        cmocka_unit_test(large_blocks_allocate_the_lowest_slot_first),
        cmocka_unit_test(many_small_blocks_are_found_by_id_and_address),
        cmocka_unit_test(foreign_addresses_have_no_id),
        cmocka_unit_test(destroy_hook_is_called_once_per_slot),
        cmocka_unit_test(a_retired_id_is_stale_and_its_slot_is_kept),
        cmocka_unit_test(destroy_hook_is_called_when_retired_slots_are_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
