// The hashes: how well they spread, and what keys change.

#include "testing.h"

#include "base/hash.h"

#define MASK 4095u ///< a table of 4,096 slots

static void both_ways_of_folding_agree(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(1);
    const uint64_t ends[] = {0, 1, UINT32_MAX, UINT64_C(1) << 32, UINT64_MAX - 1, UINT64_MAX};
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            assert_true(trn_hash_fold(ends[i], ends[j]) == trn_hash_fold_halves(ends[i], ends[j]));
        }
    }
    for (int i = 0; i < 100000; i++) {
        const uint64_t a = test_random_next(&random), b = test_random_next(&random);
        assert_true(trn_hash_fold(a, b) == trn_hash_fold_halves(a, b));
    }
    assert_true(trn_hash_fold(UINT64_C(1) << 63, 6) == 3);
}

/// Returns how many slots of the table the hashes of a line of 4,096 coordinates hit.
static uint32_t slots_of_line(TrnCoord first, TrnCoord step, uint64_t key)
{
    bool is_hit[MASK + 1] = {false};
    uint32_t hit = 0;
    for (uint32_t i = 0; i <= MASK; i++) {
        const TrnCoord coord = {(int32_t)((uint32_t)first.x + i * (uint32_t)step.x),
                                (int32_t)((uint32_t)first.y + i * (uint32_t)step.y),
                                (int32_t)((uint32_t)first.z + i * (uint32_t)step.z)};
        bool *slot = &is_hit[trn_coord_hash(coord, key) & MASK];
        hit += !*slot;
        *slot = true;
    }
    return hit;
}

static void lines_of_every_stride_spread(void **state)
{
    (void)state;
    // Of n random hashes in n slots, 63.2 % hit a slot of their own: 2,589, with a deviation of 20.
    TestRandom random = test_random_seeded(2);
    for (uint32_t shift = 0; shift < 32; shift++) {
        const int32_t step = (int32_t)(UINT32_C(1) << shift);
        const TrnCoord steps[] = {{step, 0, 0}, {0, step, 0}, {0, 0, step}, {step, step, step}};
        for (int i = 0; i < 4 && shift <= 20; i++) {
            const TrnCoord first = {(int32_t)test_random_next(&random), -7, INT32_MAX};
            for (int k = 0; k < 8; k++) {
                const uint64_t key = k == 0 ? 0 : test_random_next(&random);
                assert_in_range(slots_of_line(first, steps[i], key), 2589 - 140, MASK + 1);
            }
        }
    }
}

/// Finds coordinates that have the same slot under a key.
static void craft_collisions(uint64_t key, TrnCoord *coords, uint32_t count)
{
    for (int32_t found = 0, x = 0; found < (int32_t)count; x++) {
        const TrnCoord coord = {x, x ^ 1234, -x};
        if ((trn_coord_hash(coord, key) & MASK) == 0) {
            coords[found++] = coord;
        }
    }
}

static void coordinates_that_collide_under_one_key_spread_under_others(void **state)
{
    (void)state;
    enum { COUNT = 1024 };
    TrnCoord coords[COUNT];
    craft_collisions(0, coords, COUNT);
    TestRandom random = test_random_seeded(3);
    for (int round = 0; round < 64; round++) {
        const uint64_t key = test_random_next(&random) | 1;
        uint8_t load[MASK + 1] = {0};
        for (int i = 0; i < COUNT; i++) {
            // A quarter full: of random hashes, some slot has 5 or 6, and one set in 10^6 has 10.
            assert_in_range(++load[trn_coord_hash(coords[i], key) & MASK], 1, 9);
        }
    }
}

static void names_spread_and_depend_on_size_and_key(void **state)
{
    (void)state;
    char name[64] = "game:block_";
    bool is_hit[MASK + 1] = {false};
    uint32_t hit = 0;
    for (uint32_t i = 0; i <= MASK; i++) {
        const int size = snprintf(name, sizeof name, "game:block_%u", (unsigned)i);
        char *const exact = malloc((size_t)size); // a read beyond its end is seen by ASan
        assert_non_null(exact);
        memcpy(exact, name, (size_t)size);
        const uint32_t hash = trn_bytes_hash(exact, (size_t)size, 5);
        assert_true(hash != trn_bytes_hash(exact, (size_t)size, 6));
        free(exact);
        hit += !is_hit[hash & MASK];
        is_hit[hash & MASK] = true;
    }
    assert_in_range(hit, 2589 - 140, MASK + 1);
    const char zeros[16] = {0};
    for (size_t size = 1; size <= sizeof zeros; size++) {
        assert_true(trn_bytes_hash(zeros, size, 5) != trn_bytes_hash(zeros, size - 1, 5));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways_of_folding_agree),
        cmocka_unit_test(lines_of_every_stride_spread),
        cmocka_unit_test(coordinates_that_collide_under_one_key_spread_under_others),
        cmocka_unit_test(names_spread_and_depend_on_size_and_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
