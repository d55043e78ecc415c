// The registry against a simple model: a flag in each object.

#include "testing.h"

#include <terrane/registry.h>

#define OBJECTS 500

typedef struct Mob {
    uint32_t visits;
    uint32_t in_world, in_sight;
    bool is_in_world, is_in_sight; // the model
} Mob;

static TrnRegistry *create(size_t offset)
{
    TrnRegistry *registry = NULL;
    TrnRegistryDef def = trn_registry_def(offset);
    assert_int_equal(trn_registry_create(&def, &registry), TRN_RESULT_OK);
    return registry;
}

static void check_step(TrnRegistry *registry, Mob *mob, bool *is_in, bool add)
{
    assert_int_equal(trn_registry_contains(registry, mob), *is_in);
    if (add) {
        assert_int_equal(trn_registry_add(registry, mob),
                         *is_in ? TRN_RESULT_EXISTS : TRN_RESULT_OK);
    } else {
        assert_int_equal(trn_registry_remove(registry, mob),
                         *is_in ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND);
    }
    *is_in = add;
    assert_int_equal(trn_registry_contains(registry, mob), *is_in);
}

static void assert_holds_the_model(const TrnRegistry *registry, const Mob *mobs, bool sight)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < OBJECTS; i++) {
        bool is_in = sight ? mobs[i].is_in_sight : mobs[i].is_in_world;
        count += is_in;
        assert_int_equal(trn_registry_contains(registry, &mobs[i]), is_in);
    }
    assert_int_equal(registry->count, count);
    for (uint32_t i = 0; i < registry->count; i++) {
        const Mob *mob = registry->items[i];
        assert_int_equal(sight ? mob->in_sight : mob->in_world, i);
    }
}

static void random_add_and_remove_match_the_model(void **state)
{
    (void)state;
    static Mob mobs[OBJECTS];
    TestRandom random = test_random_seeded(11);
    for (size_t i = 0; i < OBJECTS; i++) {
        // Indices may hold anything before an object is added.
        mobs[i] = (Mob){.in_world = (uint32_t)test_random_next(&random) % 600,
                        .in_sight = (uint32_t)test_random_next(&random) % 600};
    }
    TrnRegistry *world = create(offsetof(Mob, in_world));
    TrnRegistry *sight = create(offsetof(Mob, in_sight));
    for (int step = 0; step < 50000; step++) {
        Mob *mob = &mobs[test_random_next(&random) % OBJECTS];
        bool rising = step / 5000 % 2 == 0;
        bool add = test_random_next(&random) % 8 < (rising ? 6 : 2);
        if (test_random_next(&random) % 2) {
            check_step(world, mob, &mob->is_in_world, add);
        } else {
            check_step(sight, mob, &mob->is_in_sight, add);
        }
        if (step % 997 == 0) {
            assert_holds_the_model(world, mobs, false);
            assert_holds_the_model(sight, mobs, true);
        }
    }
    trn_registry_destroy(world);
    trn_registry_destroy(sight);
    trn_registry_destroy(NULL);
}

static void backward_loop_may_remove_the_current_object(void **state)
{
    (void)state;
    static Mob mobs[OBJECTS];
    memset(mobs, 0, sizeof mobs);
    TrnRegistry *registry = create(offsetof(Mob, in_world));
    for (size_t i = 0; i < OBJECTS; i++) {
        assert_int_equal(trn_registry_add(registry, &mobs[i]), TRN_RESULT_OK);
    }
    for (uint32_t i = registry->count; i-- > 0;) {
        Mob *mob = registry->items[i];
        mob->visits++;
        if ((mob - mobs) % 3) {
            assert_int_equal(trn_registry_remove(registry, mob), TRN_RESULT_OK);
        }
    }
    for (size_t i = 0; i < OBJECTS; i++) {
        assert_int_equal(mobs[i].visits, 1);
        assert_int_equal(trn_registry_contains(registry, &mobs[i]), i % 3 == 0);
    }
    assert_int_equal(registry->count, (OBJECTS + 2) / 3);
    trn_registry_destroy(registry);
}

static void reserved_adds_do_not_allocate(void **state)
{
    (void)state;
    static Mob mobs[100];
    memset(mobs, 0, sizeof mobs);
    TestAllocator memory = {0};
    TrnAllocator allocator = test_allocator(&memory);
    TrnRegistryDef def = trn_registry_def(offsetof(Mob, in_world));
    def.allocator = &allocator;
    TrnRegistry *registry = NULL;
    assert_int_equal(trn_registry_create(&def, &registry), TRN_RESULT_OK);
    assert_int_equal(trn_registry_reserve(registry, 100), TRN_RESULT_OK);
    assert_int_equal(trn_registry_reserve(registry, 50), TRN_RESULT_OK);
    memory.fail_at = memory.allocations + 1;
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(trn_registry_add(registry, &mobs[i]), TRN_RESULT_OK);
    }
    assert_int_equal(trn_registry_reserve(registry, 101), TRN_RESULT_NO_MEMORY);
    assert_int_equal(registry->count, 100);
    trn_registry_destroy(registry);
    assert_int_equal(memory.live_bytes, 0);
}

static void count_max_is_enforced(void **state)
{
    (void)state;
    Mob mobs[6] = {0};
    TrnRegistryDef def = trn_registry_def(offsetof(Mob, in_world));
    def.count_max = 5;
    TrnRegistry *registry = NULL;
    assert_int_equal(trn_registry_create(&def, &registry), TRN_RESULT_OK);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(trn_registry_add(registry, &mobs[i]), TRN_RESULT_OK);
    }
    assert_int_equal(trn_registry_add(registry, &mobs[5]), TRN_RESULT_FULL);
    assert_int_equal(trn_registry_reserve(registry, 6), TRN_RESULT_FULL);
    assert_int_equal(trn_registry_add(registry, &mobs[4]), TRN_RESULT_EXISTS);
    assert_int_equal(trn_registry_remove(registry, &mobs[0]), TRN_RESULT_OK);
    assert_int_equal(trn_registry_add(registry, &mobs[5]), TRN_RESULT_OK);
    trn_registry_destroy(registry);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    TrnRegistryDef def = trn_registry_def(0);
    TrnRegistry *registry = NULL;
    assert_int_equal(trn_registry_create(NULL, &registry), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_registry_create(&def, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_null(registry);
    registry = create(0);
    assert_int_equal(trn_registry_add(registry, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_registry_remove(registry, NULL), TRN_RESULT_BAD_ARGUMENT);
    trn_registry_destroy(registry);
}

static void failed_allocations_leave_the_registry_unchanged(void **state)
{
    (void)state;
    static Mob mobs[200];
    TestAllocator memory;
    TrnAllocator allocator = test_allocator(&memory);
    TrnRegistryDef def = trn_registry_def(offsetof(Mob, in_world));
    def.allocator = &allocator;
    size_t fail_at = 1;
    for (bool failed = true; failed; fail_at++) {
        memset(mobs, 0, sizeof mobs);
        memory = (TestAllocator){.fail_at = fail_at};
        failed = false;
        TrnRegistry *registry = NULL;
        if (trn_registry_create(&def, &registry) != TRN_RESULT_OK) {
            assert_null(registry);
            failed = true;
            continue;
        }
        for (uint32_t i = 0; i < 200; i++) {
            TrnResult result = trn_registry_add(registry, &mobs[i]);
            if (result != TRN_RESULT_OK) {
                assert_int_equal(result, TRN_RESULT_NO_MEMORY);
                assert_false(trn_registry_contains(registry, &mobs[i]));
                assert_int_equal(registry->count, i);
                failed = true;
                assert_int_equal(trn_registry_add(registry, &mobs[i]), TRN_RESULT_OK);
            }
        }
        for (uint32_t i = 0; i < 200; i++) {
            assert_true(trn_registry_contains(registry, &mobs[i]));
        }
        trn_registry_destroy(registry);
        assert_int_equal(memory.live_bytes, 0);
    }
    assert_true(fail_at - 2 >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_add_and_remove_match_the_model),
        cmocka_unit_test(backward_loop_may_remove_the_current_object),
        cmocka_unit_test(reserved_adds_do_not_allocate),
        cmocka_unit_test(count_max_is_enforced),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(failed_allocations_leave_the_registry_unchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
