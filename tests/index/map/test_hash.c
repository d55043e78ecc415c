// The hash of outlier pages: against a model while its tables split and merge, with a reader that
// is still in an old version, without memory, and against coordinates that were chosen to collide.

#include "page_world.h"

#include "base/hash.h"

#define PAGES_MAX 6000

typedef struct HashWorld {
    PageWorld world;
    TrnMapHash hash;
    TrnPage *pages[PAGES_MAX]; ///< by number; NULL: not in the hash
    /// At some time since they were cleared.
    bool was_there[PAGES_MAX], was_absent[PAGES_MAX];
} HashWorld;

static HashWorld the_world;

static HashWorld *hash_world(uint64_t key)
{
    HashWorld *made = &the_world;
    memset(made, 0, sizeof *made);
    page_world_open(&made->world);
    trn_map_hash_init(&made->hash, key, &made->world.memory);
    return made;
}

static void hash_world_close(HashWorld *world)
{
    for (uint32_t i = 0; i < PAGES_MAX; i++) {
        page_world_free(world->pages[i], NULL);
    }
    trn_map_hash_close(&world->hash);
    page_world_close(&world->world);
}

/// Coordinates of page number i: near each other, in lines, or at the ends of the range.
static TrnCoord coord_of(uint32_t i)
{
    const int32_t n = (int32_t)i, end = INT32_MAX >> TRN_PAGE_SHIFT;
    switch (i % 4) {
    case 0:
        return (TrnCoord){n % 16, n / 16 % 16, n / 256};
    case 1:
        return (TrnCoord){n * 1000, 0, -7};
    case 2:
        return (TrnCoord){end - n, -end - 1, n};
    default:
        return (TrnCoord){0, n * 32, n * -32};
    }
}

static TrnPage *find(const TrnMapHash *hash, uint32_t i)
{
    const TrnCoord at = coord_of(i);
    return trn_map_hash_find(hash, at.x, at.y, at.z);
}

static void assert_like_the_model(const HashWorld *world)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < PAGES_MAX; i++) {
        assert_ptr_equal(find(&world->hash, i), world->pages[i]);
        count += world->pages[i] != NULL;
        if (world->pages[i]) {
            const TrnMapPlaces *places = trn_map_hash_places(&world->hash, coord_of(i));
            assert_non_null(places);
            assert_int_equal(places->at[0], i);
            assert_int_equal(places->at[1], ~i);
        }
    }
    assert_int_equal(world->hash.count, count);
    assert_int_equal(world->world.memory.bytes + trn_retire_own_bytes(&world->world.retire),
                     world->world.counts.live_bytes);
}

/// Adds, removes or replaces page number i. @return whether that succeeded
static bool change(HashWorld *world, uint32_t i, bool replaces)
{
    TrnPage *present = world->pages[i];
    world->was_there[i] |= present != NULL;
    if (!present) {
        world->was_absent[i] = true;
        TrnPage *page = page_world_page(coord_of(i));
        const TrnResult result = trn_map_hash_add(&world->hash, page, (TrnMapPlaces){{i, ~i}});
        world->pages[i] = result == TRN_RESULT_OK ? page : NULL;
        world->was_there[i] |= result == TRN_RESULT_OK;
        if (result != TRN_RESULT_OK) {
            assert_int_equal(result, TRN_RESULT_NO_MEMORY);
            page_world_free(page, NULL);
        }
        return result == TRN_RESULT_OK;
    }
    TrnMapPlaces places = {{0, 0}};
    if (replaces) {
        world->pages[i] = page_world_page(coord_of(i));
        assert_true(trn_map_hash_replace(&world->hash, coord_of(i), world->pages[i], &places));
    } else {
        assert_true(trn_map_hash_replace(&world->hash, coord_of(i), NULL, &places));
        assert_false(trn_map_hash_replace(&world->hash, coord_of(i), NULL, NULL));
        assert_false(trn_map_hash_replace(&world->hash, coord_of(i), present, NULL));
        world->pages[i] = NULL;
        world->was_absent[i] = true;
    }
    assert_int_equal(places.at[0], i);
    assert_int_equal(places.at[1], ~i);
    page_world_retire(&world->world, present);
    return true;
}

/// One step of a world that grows to nearly all pages and shrinks to nearly none, again and again.
static void random_step(HashWorld *world, TestRandom *random, uint32_t step)
{
    const bool rising = step / 8000 % 2 == 0;
    const uint32_t i = (uint32_t)(test_random_next(random) % PAGES_MAX);
    if (!world->pages[i] == rising || test_random_next(random) % 4 == 0) {
        (void)change(world, i, test_random_next(random) % 8 == 0);
    }
}

static void random_operations_agree_with_a_model(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(41);
    HashWorld *world = hash_world(test_random_next(&random));
    const uint32_t steps = test_rounds(100000, 34000);
    for (uint32_t step = 0; step < steps; step++) {
        random_step(world, &random, step);
        if (step % 1000 == 0) {
            assert_like_the_model(world);
        }
    }
    for (uint32_t i = 0; i < PAGES_MAX; i++) {
        if (world->pages[i]) {
            assert_true(change(world, i, false));
        }
    }
    assert_int_equal(world->world.memory.bytes, 0); // an empty hash has no memory
    hash_world_close(world);
}

/// A reader that has loaded the array of tables and was then not scheduled for a while.
static void old_versions_find_every_page_that_stayed(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(42);
    HashWorld *world = hash_world(test_random_next(&random));
    uint32_t step = 0;
    for (uint32_t round = 0; round < test_rounds(60, 25); round++) {
        const TrnMapHash old = world->hash;
        page_world_enter(&world->world, 0);
        for (uint32_t i = 0; i < PAGES_MAX; i++) {
            world->was_there[i] = world->was_absent[i] = false;
        }
        const uint32_t steps = (uint32_t)test_random_range(&random, 1, 3000);
        for (uint32_t end = step + steps; step < end; step++) {
            random_step(world, &random, step);
        }
        for (uint32_t i = 0; i < PAGES_MAX; i++) {
            const TrnPage *found = find(&old, i); // not freed, wherever it is now
            assert_true(!found || trn_coord_equal(trn_page_coord_of(found), coord_of(i)));
            assert_true(found || !world->pages[i] || world->was_absent[i]);
            assert_true(!found || world->pages[i] || world->was_there[i]);
        }
        page_world_leave(&world->world, 0);
        trn_retire_reclaim(&world->world.retire);
        assert_int_equal(world->world.memory.retired_bytes, 0);
    }
    hash_world_close(world);
}

static void failed_allocations_change_nothing(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(43);
    HashWorld *world = hash_world(test_random_next(&random));
    uint32_t failures = 0;
    for (uint32_t step = 0; step < 150000; step++) {
        const uint32_t i = (uint32_t)(test_random_next(&random) % PAGES_MAX);
        const bool rising = step / 8000 % 2 == 0;
        if (!world->pages[i] != rising) {
            continue;
        }
        // Everything fails from the first, second or third allocation of this call on.
        test_fail(&world->world.counts, 1 + (size_t)(test_random_next(&random) % 3), SIZE_MAX);
        const bool is_changed = change(world, i, false);
        failures += !is_changed;
        test_fail(&world->world.counts, 0, 0);
        if (!is_changed) {
            assert_null(find(&world->hash, i));
            assert_true(change(world, i, false));
        }
        if (step % 2000 == 0) {
            assert_like_the_model(world);
        }
    }
    print_message("  %u additions had no memory\n", failures);
    assert_true(failures > 8);
    hash_world_close(world);
}

// ---- chosen coordinates ------------------------------------------------------------------------

#define CHOSEN 4000

/// Chooses coordinates that share a table and a group under a key.
static void choose(TrnCoord coords[CHOSEN], uint64_t key)
{
    uint32_t count = 0;
    for (int32_t i = 0; count < CHOSEN; i++) {
        const TrnCoord coord = {i % 2048, i / 2048 % 2048, i >> 22};
        const uint64_t hash = trn_coord_hash64(coord, key);
        if (hash >> 60 == 0 && (hash >> 11 & 63) == 0) {
            coords[count++] = coord;
        }
    }
}

/// Adds pages at coordinates under a key. @return cache lines per look-up, of hits and misses
static double probes_of(const TrnCoord coords[CHOSEN], uint64_t key, uint32_t *worst, size_t *bytes)
{
    HashWorld *world = hash_world(key);
    for (uint32_t i = 0; i < CHOSEN; i++) {
        world->pages[i] = page_world_page(coords[i]);
        assert_int_equal(trn_map_hash_add(&world->hash, world->pages[i], (TrnMapPlaces){{0, 0}}),
                         TRN_RESULT_OK);
    }
    uint64_t sum = 0;
    *worst = 0;
    for (uint32_t i = 0; i < CHOSEN; i++) {
        const TrnCoord miss = {coords[i].x, coords[i].y, coords[i].z - 5000};
        const uint32_t hit = trn_map_hash_probes(&world->hash, coords[i]);
        const uint32_t missed = trn_map_hash_probes(&world->hash, miss);
        assert_ptr_equal(trn_map_hash_find(&world->hash, coords[i].x, coords[i].y, coords[i].z),
                         world->pages[i]);
        sum += hit + missed;
        *worst = hit > *worst ? hit : *worst;
        *worst = missed > *worst ? missed : *worst;
    }
    *bytes = world->world.memory.bytes;
    hash_world_close(world);
    return (double)sum / (2.0 * CHOSEN);
}

static void chosen_coordinates_cost_what_random_ones_do(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(44);
    static TrnCoord chosen[CHOSEN], drawn[CHOSEN];
    choose(chosen, 0);
    for (uint32_t i = 0; i < CHOSEN; i++) {
        const uint64_t a = test_random_next(&random), b = test_random_next(&random);
        drawn[i] = (TrnCoord){(int32_t)a >> 3, (int32_t)(a >> 32) >> 3, (int32_t)b >> 3};
    }
    uint32_t worst_known, worst_chosen, worst_drawn;
    size_t bytes_known, bytes_chosen, bytes_drawn;
    const double known = probes_of(chosen, 0, &worst_known, &bytes_known);
    for (int round = 0; round < 8; round++) {
        const uint64_t key = test_random_next(&random) | 1;
        const double of_chosen = probes_of(chosen, key, &worst_chosen, &bytes_chosen);
        const double of_drawn = probes_of(drawn, key, &worst_drawn, &bytes_drawn);
        print_message("  lines a look-up: chosen %.3f (worst %u), random %.3f (worst %u)\n",
                      of_chosen, worst_chosen, of_drawn, worst_drawn);
        assert_true(of_chosen < of_drawn * 1.1);
        assert_in_range(worst_chosen, 1, worst_drawn + 6);
        assert_in_range(bytes_chosen, bytes_drawn / 2, bytes_drawn * 2);
    }
    // Whoever knows the key can make look-ups slow, but not the hash large.
    print_message("  with the key known: %.1f lines (worst %u), %zu bytes\n", known, worst_known,
                  bytes_known);
    assert_true(known > 4);
    assert_in_range(bytes_known, 1, bytes_drawn * 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_operations_agree_with_a_model),
        cmocka_unit_test(old_versions_find_every_page_that_stayed),
        cmocka_unit_test(failed_allocations_change_nothing),
        cmocka_unit_test(chosen_coordinates_cost_what_random_ones_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
