// The two budgets of a stream alone: bytes (stream_budget.h) and time (stream_schedule.h).

#include "base/memory.h"
#include "stream/stream_budget.h"
#include "stream/stream_schedule.h"
#include "testing.h"

#include <math.h>

#define MIB ((size_t)1 << 20)
#define OWN_BYTES 4096u // of the stream's own struct

// ---- bytes -------------------------------------------------------------------------------------

typedef struct Purse {
    TestAllocator memory;       ///< of the stream
    TestAllocator store_memory; ///< of the store
    TrnStore *store;
    TrnStreamDef def;
    TrnStreamBytes bytes;
    const TrnAllocator *counted;
} Purse;

/// @param above  bytes_max, relative to the bytes of an empty store; 0: none
static Purse *purse_create(size_t above, size_t store_bytes_max)
{
    Purse *purse = calloc(1, sizeof *purse);
    assert_non_null(purse);
    const TrnAllocator allocator = test_allocator(&purse->memory);
    const TrnAllocator store_allocator = test_allocator(&purse->store_memory);
    TrnStoreDef store = trn_store_def();
    store.allocator = &store_allocator;
    store.bytes_max = store_bytes_max;
    assert_int_equal(trn_store_create(&store, &purse->store), TRN_RESULT_OK);
    trn_store_trim(purse->store);
    purse->def = trn_stream_def();
    purse->def.store = purse->store;
    purse->def.bytes_max = above ? trn_store_stats(purse->store).total_bytes + above : 0;
    trn_stream_bytes_init(&purse->bytes, &purse->def, &allocator, OWN_BYTES, NULL);
    purse->counted = trn_stream_bytes_allocator(&purse->bytes);
    assert_int_equal(purse->memory.allocations, 0);
    return purse;
}

static void purse_destroy(Purse *purse)
{
    assert_int_equal(purse->memory.live_bytes, 0);
    (void)trn_stream_bytes_end(&purse->bytes, OWN_BYTES);
    trn_store_destroy(purse->store);
    assert_int_equal(purse->store_memory.live_bytes, 0);
    free(purse);
}

static size_t purse_store_max(const Purse *purse)
{
    return trn_store_stats(purse->store).bytes_max;
}

static void all_parts_count_against_one_limit(void **state)
{
    (void)state;
    Purse *purse = purse_create(MIB, 0);
    TrnStreamBytes *bytes = &purse->bytes;
    const size_t max = purse->def.bytes_max, store = trn_store_stats(purse->store).total_bytes;
    assert_int_equal(trn_stream_bytes_total(bytes), store + OWN_BYTES);
    assert_int_equal(purse_store_max(purse), max - OWN_BYTES);

    void *memory = trn_take(purse->counted, 100000, 64);
    assert_non_null(memory);
    assert_true(trn_stream_bytes_admit_mesh(bytes, 50000));
    trn_stream_bytes_resize_mesh(bytes, 50000, 20000);
    trn_stream_bytes_set_scratch(bytes, 30000);
    const size_t others = OWN_BYTES + 100000 + 20000 + 30000;
    assert_int_equal(trn_stream_bytes_total(bytes), store + others);
    assert_int_equal(purse_store_max(purse), max - others);

    TrnStreamStats stats = {0};
    trn_stream_bytes_stats(bytes, &stats);
    assert_int_equal(stats.store_bytes, store);
    assert_int_equal(stats.stream_bytes, OWN_BYTES + 100000);
    assert_int_equal(stats.mesh_bytes, 20000);
    assert_int_equal(stats.scratch_bytes, 30000);
    assert_int_equal(stats.total_bytes, store + others);
    assert_int_equal(stats.total_bytes_peak, store + OWN_BYTES + 150000);
    assert_int_equal(stats.bytes_max, max);

    trn_stream_bytes_resize_mesh(bytes, 20000, 0);
    trn_give(purse->counted, memory, 100000);
    assert_int_equal(trn_stream_bytes_total(bytes), store + OWN_BYTES + 30000);
    purse_destroy(purse);
}

static void the_store_keeps_its_own_limit_and_gets_it_back(void **state)
{
    (void)state;
    const size_t own_max = 8 * MIB;
    Purse *purse = purse_create(MIB, own_max);
    assert_int_equal(purse_store_max(purse), purse->def.bytes_max - OWN_BYTES);
    purse->def.bytes_max = 64 * MIB; // the store's own limit is lower
    const TrnAllocator allocator = test_allocator(&purse->memory);
    (void)trn_stream_bytes_end(&purse->bytes, OWN_BYTES);
    assert_int_equal(purse_store_max(purse), own_max);
    trn_stream_bytes_init(&purse->bytes, &purse->def, &allocator, OWN_BYTES, NULL);
    assert_int_equal(purse_store_max(purse), own_max);
    trn_stream_bytes_set_scratch(&purse->bytes, 60 * MIB);
    assert_int_equal(purse_store_max(purse), 4 * MIB - OWN_BYTES);
    trn_stream_bytes_set_scratch(&purse->bytes, 0);
    assert_int_equal(purse_store_max(purse), own_max);
    (void)trn_stream_bytes_end(&purse->bytes, OWN_BYTES);
    // Without bytes_max the stream leaves the store's limit alone.
    purse->def.bytes_max = 0;
    trn_stream_bytes_init(&purse->bytes, &purse->def, &allocator, OWN_BYTES, NULL);
    trn_stream_bytes_set_scratch(&purse->bytes, 60 * MIB);
    assert_int_equal(purse_store_max(purse), own_max);
    assert_true(trn_stream_bytes_admit_mesh(&purse->bytes, 1024 * MIB));
    trn_stream_bytes_resize_mesh(&purse->bytes, 1024 * MIB, 0);
    purse_destroy(purse);
}

static void a_refusal_by_bytes_max_is_full_and_one_by_the_allocator_is_not(void **state)
{
    (void)state;
    Purse *purse = purse_create(MIB, 0);
    TrnStreamBytes *bytes = &purse->bytes;
    assert_null(trn_take(purse->counted, MIB, 64));
    assert_int_equal(trn_stream_bytes_result(bytes, TRN_RESULT_NO_MEMORY), TRN_RESULT_FULL);
    assert_int_equal(trn_stream_bytes_result(bytes, TRN_RESULT_NO_MEMORY), TRN_RESULT_NO_MEMORY);

    test_fail(&purse->memory, 1, 0);
    assert_null(trn_take(purse->counted, 1000, 64));
    assert_int_equal(trn_stream_bytes_result(bytes, TRN_RESULT_NO_MEMORY), TRN_RESULT_NO_MEMORY);

    assert_null(trn_take(purse->counted, MIB, 64));
    assert_int_equal(trn_stream_bytes_result(bytes, TRN_RESULT_OK), TRN_RESULT_OK);
    assert_int_equal(trn_stream_bytes_result(bytes, TRN_RESULT_NO_MEMORY), TRN_RESULT_NO_MEMORY);

    assert_null(trn_take(purse->counted, MIB, 64));
    trn_stream_bytes_begin(bytes); // an update forgets the refusals of the one before
    assert_int_equal(trn_stream_bytes_result(bytes, TRN_RESULT_NO_MEMORY), TRN_RESULT_NO_MEMORY);
    purse_destroy(purse);
}

/// Allocates, frees, admits and resizes at random, against sums.
static void random_bytes_are_admitted_exactly_while_they_fit(void **state)
{
    (void)state;
    enum { SLOTS = 24 };
    TestRandom random = test_random_seeded(41);
    Purse *purse = purse_create(MIB, 0);
    TrnStreamBytes *bytes = &purse->bytes;
    const size_t store = trn_store_stats(purse->store).total_bytes, max = purse->def.bytes_max;
    void *memory[SLOTS] = {0};
    size_t memory_bytes[SLOTS] = {0}, mesh_bytes[SLOTS] = {0};
    size_t stream = OWN_BYTES, meshes = 0, scratch = 0, peak = 0;
    uint32_t refused = 0;
    for (uint32_t step = 0; step < 20000; step++) {
        const size_t at = (size_t)test_random_range(&random, 0, SLOTS - 1);
        const size_t size = (size_t)test_random_range(&random, 1, 120000);
        const size_t total = store + stream + meshes + scratch;
        const bool fits = total <= max && size <= max - total;
        switch (test_random_range(&random, 0, 8)) {
        case 0:
            scratch = (size_t)test_random_range(&random, 0, 200000);
            trn_stream_bytes_set_scratch(bytes, scratch);
            break;
        case 1: // a hook has lowered the bytes of its mesh, or raised them
            if (mesh_bytes[at]) {
                trn_stream_bytes_resize_mesh(bytes, mesh_bytes[at], size);
                meshes += size - mesh_bytes[at];
                mesh_bytes[at] = size;
            }
            break;
        case 2:
        case 3:
            if (mesh_bytes[at]) {
                trn_stream_bytes_resize_mesh(bytes, mesh_bytes[at], 0);
                meshes -= mesh_bytes[at];
                mesh_bytes[at] = 0;
            } else {
                assert_int_equal(trn_stream_bytes_admit_mesh(bytes, size), fits);
                mesh_bytes[at] = fits ? size : 0;
                meshes += mesh_bytes[at];
                refused += !fits;
            }
            break;
        default:
            if (memory[at]) {
                trn_give(purse->counted, memory[at], memory_bytes[at]);
                stream -= memory_bytes[at];
                memory[at] = NULL;
            } else {
                memory[at] = trn_take(purse->counted, size, 8);
                memory_bytes[at] = size;
                assert_int_equal(memory[at] != NULL, fits);
                stream += fits ? size : 0;
                refused += !fits;
            }
        }
        const size_t now = store + stream + meshes + scratch;
        peak = now > peak ? now : peak;
        assert_int_equal(trn_stream_bytes_total(bytes), now);
        const size_t taken = stream + meshes + scratch;
        assert_int_equal(purse_store_max(purse), taken < max ? max - taken : 1);
    }
    TrnStreamStats stats = {0};
    trn_stream_bytes_stats(bytes, &stats);
    assert_int_equal(stats.total_bytes_peak, peak);
    print_message("  %u refused\n", refused);
    assert_true(refused > 500);
    for (uint32_t at = 0; at < SLOTS; at++) {
        trn_stream_bytes_resize_mesh(bytes, mesh_bytes[at], 0);
        if (memory[at]) {
            trn_give(purse->counted, memory[at], memory_bytes[at]);
        }
    }
    purse_destroy(purse);
}

static void scratch_beyond_everything_stops_growth_until_it_is_released(void **state)
{
    (void)state;
    Purse *purse = purse_create(4 * MIB, 0);
    TrnStreamBytes *bytes = &purse->bytes;
    const TrnStreamLoad load = {0};
    const size_t total = trn_stream_bytes_total(bytes);
    assert_true(trn_stream_bytes_fit(bytes, &load, 100, false));
    trn_stream_bytes_set_scratch(bytes, SIZE_MAX);
    assert_true(trn_stream_bytes_total(bytes) == SIZE_MAX);
    assert_int_equal(purse_store_max(purse), 1); // 0 would be no limit
    assert_false(trn_stream_bytes_admit_mesh(bytes, 1));
    assert_null(trn_take(purse->counted, 1, 1));
    assert_false(trn_stream_bytes_fit(bytes, &load, 1, false));
    assert_int_not_equal(trn_store_insert_uniform(purse->store, (TrnCoord){0, 0, 0}, 1, NULL),
                         TRN_RESULT_OK);
    trn_stream_bytes_begin(bytes);
    assert_true(trn_stream_bytes_must_shrink(bytes, 1, false));
    assert_true(trn_stream_bytes_is_limited(bytes));
    trn_stream_bytes_set_scratch(bytes, 0);
    trn_stream_bytes_begin(bytes);
    assert_false(trn_stream_bytes_must_shrink(bytes, 2, false));
    assert_int_equal(trn_stream_bytes_total(bytes), total);
    assert_true(trn_stream_bytes_fit(bytes, &load, 100, false));
    assert_int_equal(trn_store_insert_uniform(purse->store, (TrnCoord){0, 0, 0}, 1, NULL),
                     TRN_RESULT_OK);
    purse_destroy(purse);
}

// ---- verdicts ----------------------------------------------------------------------------------

/// Updates in a row in which memory runs short, until views must shrink. @return how many; 0: not
/// within 200
static uint32_t purse_updates_to_shrink(Purse *purse, TrnResult result, bool is_unloading)
{
    for (uint32_t update = 1; update <= 200; update++) {
        trn_stream_bytes_begin(&purse->bytes);
        trn_stream_bytes_note_short(&purse->bytes, result);
        assert_true(trn_stream_bytes_is_short(&purse->bytes));
        if (trn_stream_bytes_must_shrink(&purse->bytes, update, is_unloading)) {
            return update;
        }
    }
    return 0;
}

/// An update in which memory suffices.
static void purse_ample_update(Purse *purse)
{
    trn_stream_bytes_begin(&purse->bytes);
    assert_false(trn_stream_bytes_must_shrink(&purse->bytes, 1, false));
    assert_false(trn_stream_bytes_is_short(&purse->bytes));
}

static void each_shortage_has_its_own_verdict(void **state)
{
    (void)state;
    Purse *purse = purse_create(4 * MIB, 0);
    for (uint32_t round = 0; round < 2; round++) {
        purse_ample_update(purse);
        assert_int_equal(purse_updates_to_shrink(purse, TRN_RESULT_FULL, false), 1);
        assert_true(trn_stream_bytes_is_limited(&purse->bytes));
        // While chunks unload, only an unloading that is stuck is not waited for.
        purse_ample_update(purse);
        assert_int_equal(purse_updates_to_shrink(purse, TRN_RESULT_FULL, true), 64);
        // A failed allocation may succeed a moment later.
        purse_ample_update(purse);
        assert_int_equal(purse_updates_to_shrink(purse, TRN_RESULT_NO_MEMORY, false), 9);
        assert_false(trn_stream_bytes_is_limited(&purse->bytes));
        // Counted again after each shrinking.
        assert_int_equal(purse_updates_to_shrink(purse, TRN_RESULT_NO_MEMORY, false), 9);
        purse_ample_update(purse);
        assert_int_equal(purse_updates_to_shrink(purse, TRN_RESULT_NO_MEMORY, true), 64);
        // A smaller view would not end readers' sections sooner.
        purse_ample_update(purse);
        assert_int_equal(purse_updates_to_shrink(purse, TRN_RESULT_READERS, false), 0);
    }
    purse_destroy(purse);
}

static void the_worst_shortage_of_an_update_counts(void **state)
{
    (void)state;
    const TrnResult orders[4][2] = {{TRN_RESULT_FULL, TRN_RESULT_READERS},
                                    {TRN_RESULT_READERS, TRN_RESULT_FULL},
                                    {TRN_RESULT_FULL, TRN_RESULT_NO_MEMORY},
                                    {TRN_RESULT_NO_MEMORY, TRN_RESULT_FULL}};
    Purse *purse = purse_create(4 * MIB, 0);
    for (uint32_t i = 0; i < 4; i++) {
        purse_ample_update(purse);
        assert_false(trn_stream_bytes_was_short(&purse->bytes));
        trn_stream_bytes_begin(&purse->bytes);
        trn_stream_bytes_note_short(&purse->bytes, orders[i][0]);
        trn_stream_bytes_note_short(&purse->bytes, orders[i][1]);
        assert_true(trn_stream_bytes_is_limited(&purse->bytes));
        assert_true(trn_stream_bytes_must_shrink(&purse->bytes, 1, false));
        trn_stream_bytes_begin(&purse->bytes);
        assert_true(trn_stream_bytes_was_short(&purse->bytes));
        assert_false(trn_stream_bytes_is_short(&purse->bytes));
    }
    purse_destroy(purse);
}

static void an_ample_update_interrupts_the_count_of_failed_allocations(void **state)
{
    (void)state;
    Purse *purse = purse_create(4 * MIB, 0);
    for (uint32_t update = 1; update < 100; update++) {
        trn_stream_bytes_begin(&purse->bytes);
        if (update % 8) {
            trn_stream_bytes_note_short(&purse->bytes, TRN_RESULT_NO_MEMORY);
        }
        assert_false(trn_stream_bytes_must_shrink(&purse->bytes, update, false));
    }
    purse_destroy(purse);
}

// ---- estimates ---------------------------------------------------------------------------------

/// The most chunks that seem to fit, by halving.
static uint64_t purse_most(const Purse *purse, const TrnStreamLoad *load, bool is_cautious)
{
    uint64_t low = 0, high = UINT64_C(1) << 40;
    if (!trn_stream_bytes_fit(&purse->bytes, load, 0, is_cautious)) {
        return 0;
    }
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        *(trn_stream_bytes_fit(&purse->bytes, load, middle, is_cautious) ? &low : &high) = middle;
    }
    return low;
}

static void what_fits_follows_from_what_chunks_use(void **state)
{
    (void)state;
    Purse *purse = purse_create(64 * MIB, 0);
    TrnStreamBytes *bytes = &purse->bytes;
    // Free for chunks: all but the stream's own struct.
    const double capacity = 64.0 * MIB - OWN_BYTES;
    TrnStreamLoad load = {0};
    const double guess = 6144; // while too few chunks are loaded to tell
    const TrnStoreStats store = trn_store_stats(purse->store);
    const double slack = (double)(store.total_bytes - store.used_bytes); // free inside the store
    uint64_t most = purse_most(purse, &load, false);
    assert_true(fabs((double)most - 0.9375 * (capacity + slack) / guess) <= 1);
    most = purse_most(purse, &load, true);
    assert_true(fabs((double)most - 0.875 * (capacity + slack) / guess) <= 1);

    // A thousand chunks of 8 KiB, as meshes.
    const size_t used = (size_t)1000 * 8192;
    assert_true(trn_stream_bytes_admit_mesh(bytes, used));
    load.loaded = 1000;
    const double left = 0.9375 * (capacity + slack) - (double)used;
    assert_true(fabs((double)purse_most(purse, &load, false) - left / 8192) <= 1);
    load.coming = 300; // these take their part; those that leave, give it back
    load.leaving = 100;
    assert_true(fabs((double)purse_most(purse, &load, false) - (left / 8192 - 200)) <= 1);
    load.coming = 0;
    load.leaving = 1000;
    assert_true(fabs((double)purse_most(purse, &load, false) - (left / 8192 + 1000)) <= 1);
    // Nothing fits that is too much already.
    load.leaving = 0;
    load.coming = 100000;
    assert_false(trn_stream_bytes_fit(bytes, &load, 0, false));
    trn_stream_bytes_resize_mesh(bytes, used, 0);
    purse_destroy(purse);
}

static void without_a_limit_everything_fits(void **state)
{
    (void)state;
    Purse *purse = purse_create(0, 0);
    const TrnStreamLoad load = {.loaded = 100, .coming = UINT32_MAX};
    trn_stream_bytes_set_scratch(&purse->bytes, SIZE_MAX);
    assert_true(trn_stream_bytes_fit(&purse->bytes, &load, UINT64_MAX, true));
    assert_true(trn_stream_bytes_admit_mesh(&purse->bytes, MIB));
    trn_stream_bytes_resize_mesh(&purse->bytes, MIB, 0);
    purse_destroy(purse);
}

/// Reaches a byte limit with `meshes` bytes of meshes, and learns from it.
static void purse_learn(Purse *purse, size_t meshes, TrnResult shortage)
{
    const TrnStreamLoad load = {.loaded = 1000};
    trn_stream_bytes_begin(&purse->bytes);
    assert_true(trn_stream_bytes_admit_mesh(&purse->bytes, meshes));
    trn_stream_bytes_note_short(&purse->bytes, shortage);
    trn_stream_bytes_learn(&purse->bytes, &load);
    trn_stream_bytes_resize_mesh(&purse->bytes, meshes, 0);
}

static void the_capacity_is_learned_where_a_byte_limit_was_reached(void **state)
{
    (void)state;
    Purse *purse = purse_create(0, 0); // only the store's own limit, which the budget cannot see
    const TrnStreamLoad load = {0};
    purse_learn(purse, 10 * MIB, TRN_RESULT_NO_MEMORY); // teaches nothing
    purse_learn(purse, 10 * MIB, TRN_RESULT_READERS);
    assert_true(trn_stream_bytes_fit(&purse->bytes, &load, UINT64_MAX, false));
    purse_learn(purse, 10 * MIB, TRN_RESULT_FULL);
    const double most = 0.9375 * 10 * MIB / 6144;
    assert_true(fabs((double)purse_most(purse, &load, false) - most) <= 1);
    purse_learn(purse, 12 * MIB, TRN_RESULT_FULL); // only the least counts
    assert_true(fabs((double)purse_most(purse, &load, false) - most) <= 1);
    purse_learn(purse, 8 * MIB, TRN_RESULT_FULL);
    assert_true(fabs((double)purse_most(purse, &load, false) - most * 0.8) <= 1);
    // It is forgotten little by little.
    trn_stream_bytes_begin(&purse->bytes);
    for (uint64_t update = 1; update <= 512; update++) {
        (void)trn_stream_bytes_must_shrink(&purse->bytes, update, false);
    }
    const double raised = most * 0.8 * (33.0 / 32) * (33.0 / 32);
    assert_true(fabs((double)purse_most(purse, &load, false) - raised) <= 2);
    purse_destroy(purse);
}

static void scratch_and_learned_capacity_make_room_for_each_other(void **state)
{
    (void)state;
    Purse *purse = purse_create(0, 0);
    const TrnStreamLoad load = {0};
    const size_t before = 2 * MIB;
    trn_stream_bytes_set_scratch(&purse->bytes, before);
    purse_learn(purse, 10 * MIB, TRN_RESULT_FULL);
    const uint64_t most = purse_most(purse, &load, false);
    trn_stream_bytes_set_scratch(&purse->bytes, before + 5 * MIB);
    assert_true(fabs((double)purse_most(purse, &load, false) - (double)most / 2) <= 1);
    trn_stream_bytes_set_scratch(&purse->bytes, 0);
    assert_true(fabs((double)purse_most(purse, &load, false) - (double)most * 1.2) <= 2);
    // Too much for a while: what was learned is not lost.
    const size_t huge[] = {12 * MIB, 12 * MIB + 1, 100 * MIB, SIZE_MAX};
    for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
        trn_stream_bytes_set_scratch(&purse->bytes, huge[i]);
        assert_int_equal(purse_most(purse, &load, false), 0);
        trn_stream_bytes_set_scratch(&purse->bytes, before);
        assert_int_equal(purse_most(purse, &load, false), most);
    }
    purse_destroy(purse);
}

static void what_is_learned_under_absurd_scratch_hinders_nothing_later(void **state)
{
    (void)state;
    const size_t absurd[] = {SIZE_MAX, SIZE_MAX - 4096, SIZE_MAX / 2 + 1};
    for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++) {
        Purse *purse = purse_create(0, 0);
        const TrnStreamLoad load = {0};
        trn_stream_bytes_set_scratch(&purse->bytes, absurd[i]);
        purse_learn(purse, 1 * MIB, TRN_RESULT_FULL);
        for (uint64_t update = 1; update <= 2048; update++) {
            (void)trn_stream_bytes_must_shrink(&purse->bytes, update, false);
        }
        trn_stream_bytes_set_scratch(&purse->bytes, 0);
        assert_true(trn_stream_bytes_fit(&purse->bytes, &load, 100000, true));
        for (uint64_t update = 1; update <= 2048; update++) {
            (void)trn_stream_bytes_must_shrink(&purse->bytes, update, false);
        }
        assert_true(trn_stream_bytes_fit(&purse->bytes, &load, 100000, true));
        purse_destroy(purse);
    }
}

// ---- time --------------------------------------------------------------------------------------

typedef struct Watch {
    double us;
    TrnStreamSchedule schedule;
} Watch;

static double watch_us(void *user)
{
    return ((Watch *)user)->us;
}

static Watch *watch_create(double us)
{
    Watch *watch = calloc(1, sizeof *watch);
    assert_non_null(watch);
    watch->us = us;
    TrnStreamDef def = trn_stream_def();
    def.clock_us = watch_us;
    def.clock_user = watch;
    trn_stream_schedule_init(&watch->schedule, &def);
    return watch;
}

/// Begins an update some time after the last one. @return how long it may take in ms, measured;
/// infinite without a limit
static double watch_update(Watch *watch, double after_us, TrnStreamBudget budget)
{
    watch->us += after_us;
    assert_true(trn_stream_schedule_budget_is_valid(&budget));
    trn_stream_schedule_begin(&watch->schedule, &budget);
    const double begun_us = watch->us;
    double low = 0, high = 1e12;
    if (trn_stream_schedule_has_time_at(&watch->schedule, begun_us + high)) {
        return INFINITY;
    }
    while (high - low > 1e-3) {
        const double middle = low + (high - low) / 2;
        *(trn_stream_schedule_has_time_at(&watch->schedule, begun_us + middle) ? &low : &high) =
            middle;
    }
    return low * 1e-3;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-3 + expected * 1e-6)) {
        fail_msg("%f, expected %f", value, expected);
    }
}

static void a_share_of_the_time_between_updates_is_the_limit(void **state)
{
    (void)state;
    const TrnStreamBudget budget = trn_stream_def().budget;
    assert_near(budget.ms, 0.8);
    assert_near(budget.share, 0.05);
    Watch *fast = watch_create(5e8);                     // a clock counts from any origin
    assert_near(watch_update(fast, 16667, budget), 0.8); // the time between updates is unknown
    for (uint32_t i = 0; i < 100; i++) {
        assert_near(watch_update(fast, 1e6 / 60, budget), 1e3 / 60 * 0.05);
    }
    for (uint32_t i = 0; i < 100; i++) { // at 1,000 a second the ms count
        (void)watch_update(fast, 1000, budget);
    }
    assert_near(watch_update(fast, 1000, budget), 0.8);
    free(fast);

    Watch *slow = watch_create(0);
    assert_near(watch_update(slow, 1e6, budget), 0.8);
    assert_near(watch_update(slow, 1e6, budget), 50); // at once: it is slow enough as it is
    assert_near(watch_update(slow, 1e6, budget), 50);
    free(slow);
}

static void a_share_is_smoothed_over_about_eight_updates(void **state)
{
    (void)state;
    const TrnStreamBudget budget = {.ms = 0.1, .share = 0.1};
    Watch *watch = watch_create(0);
    (void)watch_update(watch, 10000, budget);
    double apart_us = 10000;
    assert_near(watch_update(watch, 10000, budget), 1);
    for (uint32_t i = 0; i < 8; i++) {
        apart_us += (20000 - apart_us) / 8;
        assert_near(watch_update(watch, 20000, budget), apart_us * 0.1e-3);
    }
    assert_true(apart_us > 16000 && apart_us < 17000);
    free(watch);
}

static void no_share_leaves_the_milliseconds(void **state)
{
    (void)state;
    Watch *watch = watch_create(0);
    for (uint32_t i = 0; i < 5; i++) {
        assert_near(watch_update(watch, 1e6, (TrnStreamBudget){.ms = 2}), 2);
        assert_near(watch_update(watch, 1e6, (TrnStreamBudget){.ms = 60, .share = 1}), 60);
    }
    free(watch);
}

static void no_milliseconds_are_no_limit(void **state)
{
    (void)state;
    Watch *watch = watch_create(0);
    const double none[] = {0, -1, -INFINITY, INFINITY};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        const TrnStreamBudget budget = {.ms = none[i], .share = 0.05};
        assert_true(isinf(watch_update(watch, 1e6, budget)));
        assert_true(trn_stream_schedule_has_time(&watch->schedule));
        assert_true(trn_stream_schedule_has_half(&watch->schedule));
        const double before = trn_stream_schedule_limit(&watch->schedule, 0.5);
        const double between = trn_stream_schedule_leave_finish(&watch->schedule);
        watch->us += 1e9;
        assert_true(trn_stream_schedule_has_time(&watch->schedule));
        assert_true(trn_stream_schedule_has_half(&watch->schedule));
        trn_stream_schedule_restore(&watch->schedule, between);
        trn_stream_schedule_restore(&watch->schedule, before);
        assert_true(trn_stream_schedule_has_time(&watch->schedule));
        // Nor is one left for the next update.
        assert_near(watch_update(watch, 1, (TrnStreamBudget){.ms = 3}), 3);
    }
    free(watch);
}

static void exact_updates_ignore_time_and_upload_bytes(void **state)
{
    (void)state;
    Watch *watch = watch_create(0);
    const TrnStreamBudget exact = {.ms = 1, .units = 8, .upload_bytes = 100};
    assert_true(isinf(watch_update(watch, 1000, exact)));
    assert_true(watch->schedule.is_exact);
    assert_true(watch->schedule.upload_bytes_max == SIZE_MAX);
    watch->us += 1e7;
    assert_true(trn_stream_schedule_has_time(&watch->schedule));
    assert_true(trn_stream_schedule_has_half(&watch->schedule));
    const TrnStreamBudget timed = {.ms = 1, .upload_bytes = 100};
    assert_near(watch_update(watch, 1000, timed), 1);
    assert_false(watch->schedule.is_exact);
    assert_int_equal(watch->schedule.upload_bytes_max, 100);
    (void)watch_update(watch, 1000, (TrnStreamBudget){.ms = 1});
    assert_true(watch->schedule.upload_bytes_max == SIZE_MAX);
    free(watch);
}

static void clocks_may_stand_still_run_backwards_or_jump(void **state)
{
    (void)state;
    const TrnStreamBudget budget = {.ms = 0.5, .share = 0.05};
    Watch *watch = watch_create(1e9);
    for (uint32_t i = 0; i < 20; i++) {
        assert_near(watch_update(watch, 0, budget), 0.5);
    }
    for (uint32_t i = 0; i < 20; i++) { // backwards counts as no time
        assert_near(watch_update(watch, -1e6, budget), 0.5);
    }
    assert_near(watch_update(watch, 160000, budget), 20 * 0.05);
    for (uint32_t i = 0; i < 100; i++) {
        (void)watch_update(watch, 20000, budget);
    }
    assert_near(watch_update(watch, 20000, budget), 1);
    // Three hours, as the program was stopped, count as four seconds.
    assert_near(watch_update(watch, 3 * 3600e6, budget), (20000 + (4e6 - 20000) / 8) * 0.05e-3);
    for (uint32_t i = 0; i < 100; i++) {
        (void)watch_update(watch, 20000, budget);
    }
    assert_near(watch_update(watch, 20000, budget), 1);
    free(watch);
}

static void clocks_may_count_from_any_origin(void **state)
{
    (void)state;
    const double origins[] = {-1e9, -2000, -1000, -1, 0, 1e15};
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
        Watch *watch = watch_create(origins[i]);
        // Also an update that ends exactly at 0.
        assert_near(watch_update(watch, 0, (TrnStreamBudget){.ms = 1}), 1);
        assert_true(trn_stream_schedule_has_half(&watch->schedule));
        const double before = trn_stream_schedule_limit(&watch->schedule, 0.5);
        watch->us += 600;
        assert_false(trn_stream_schedule_has_time(&watch->schedule));
        trn_stream_schedule_restore(&watch->schedule, before);
        assert_true(trn_stream_schedule_has_time(&watch->schedule));
        assert_false(trn_stream_schedule_has_half(&watch->schedule));
        watch->us += 600;
        assert_false(trn_stream_schedule_has_time(&watch->schedule));
        free(watch);
    }
}

static void a_step_gets_a_part_of_the_time(void **state)
{
    (void)state;
    Watch *watch = watch_create(1000);
    TrnStreamSchedule *schedule = &watch->schedule;
    (void)watch_update(watch, 1000, (TrnStreamBudget){.ms = 8});
    const double begun_us = watch->us;
    const double before = trn_stream_schedule_limit(schedule, 0.25);
    assert_true(trn_stream_schedule_has_time_at(schedule, begun_us + 1999));
    assert_false(trn_stream_schedule_has_time_at(schedule, begun_us + 2000));
    trn_stream_schedule_restore(schedule, before);
    assert_true(trn_stream_schedule_has_time_at(schedule, begun_us + 7999));
    assert_false(trn_stream_schedule_has_time_at(schedule, begun_us + 8000));
    watch->us = begun_us + 3999;
    assert_true(trn_stream_schedule_has_half(schedule));
    watch->us = begun_us + 4000;
    assert_false(trn_stream_schedule_has_half(schedule));
    free(watch);
}

static void time_to_finish_the_update_is_left(void **state)
{
    (void)state;
    Watch *watch = watch_create(1000);
    TrnStreamSchedule *schedule = &watch->schedule;
    const TrnStreamBudget budget = {.ms = 8};
    // Nothing is known yet; then 1 ms; fading by a fiftieth; at most a quarter of the update.
    const double noted[] = {0, 1000, 0, 0, 5000, 100}, left[] = {0, 1000, 980, 960.4, 2000, 2000};
    for (size_t i = 0; i < sizeof noted / sizeof *noted; i++) {
        (void)watch_update(watch, 1000, budget);
        trn_stream_schedule_note_finish(schedule, noted[i]);
        const double end_us = watch->us + 8000 - left[i];
        const double before = trn_stream_schedule_leave_finish(schedule);
        assert_true(trn_stream_schedule_has_time_at(schedule, end_us - 0.01));
        assert_false(trn_stream_schedule_has_time_at(schedule, end_us + 0.01));
        trn_stream_schedule_restore(schedule, before);
        assert_false(trn_stream_schedule_has_time_at(schedule, watch->us + 8000));
        assert_true(trn_stream_schedule_has_time_at(schedule, watch->us + 7999));
    }
    free(watch);
}

static void budgets_that_are_no_numbers_are_invalid(void **state)
{
    (void)state;
    const TrnStreamBudget valid[] = {{0}, {.ms = -5}, {.ms = 1, .share = 1}, {.ms = INFINITY}};
    const TrnStreamBudget invalid[] = {
        {.ms = NAN}, {.share = NAN}, {.share = -0.01}, {.share = 1.01}, {.share = INFINITY}};
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++) {
        assert_true(trn_stream_schedule_budget_is_valid(&valid[i]));
    }
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        assert_false(trn_stream_schedule_budget_is_valid(&invalid[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_parts_count_against_one_limit),
        cmocka_unit_test(the_store_keeps_its_own_limit_and_gets_it_back),
        cmocka_unit_test(a_refusal_by_bytes_max_is_full_and_one_by_the_allocator_is_not),
        cmocka_unit_test(random_bytes_are_admitted_exactly_while_they_fit),
        cmocka_unit_test(scratch_beyond_everything_stops_growth_until_it_is_released),
        cmocka_unit_test(each_shortage_has_its_own_verdict),
        cmocka_unit_test(the_worst_shortage_of_an_update_counts),
        cmocka_unit_test(an_ample_update_interrupts_the_count_of_failed_allocations),
        cmocka_unit_test(what_fits_follows_from_what_chunks_use),
        cmocka_unit_test(without_a_limit_everything_fits),
        cmocka_unit_test(the_capacity_is_learned_where_a_byte_limit_was_reached),
        cmocka_unit_test(scratch_and_learned_capacity_make_room_for_each_other),
        cmocka_unit_test(what_is_learned_under_absurd_scratch_hinders_nothing_later),
        cmocka_unit_test(a_share_of_the_time_between_updates_is_the_limit),
        cmocka_unit_test(a_share_is_smoothed_over_about_eight_updates),
        cmocka_unit_test(no_share_leaves_the_milliseconds),
        cmocka_unit_test(no_milliseconds_are_no_limit),
        cmocka_unit_test(exact_updates_ignore_time_and_upload_bytes),
        cmocka_unit_test(clocks_may_stand_still_run_backwards_or_jump),
        cmocka_unit_test(clocks_may_count_from_any_origin),
        cmocka_unit_test(a_step_gets_a_part_of_the_time),
        cmocka_unit_test(time_to_finish_the_update_is_left),
        cmocka_unit_test(budgets_that_are_no_numbers_are_invalid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
