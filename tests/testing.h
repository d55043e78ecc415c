/// What all tests share: cmocka with its includes, a seeded random generator, and an allocator that fails on demand.
#ifndef TERRANE_TESTS_TESTING_H
#define TERRANE_TESTS_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <terrane/base.h>

/// A small generator (splitmix64): the same numbers on every machine.
typedef struct TestRandom {
    uint64_t state;
} TestRandom;

static inline uint64_t test_random_next(TestRandom *random)
{
    uint64_t z = (random->state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/// A number in [low, high].
static inline int64_t test_random_range(TestRandom *random, int64_t low, int64_t high)
{
    return low + (int64_t)(test_random_next(random) % (uint64_t)(high - low + 1));
}

/// The seed of a property test: TERRANE_TEST_SEED where it is set, otherwise the given one; printed, so that a failure can be
/// run again.
static inline TestRandom test_random_seeded(uint64_t seed)
{
    const char *text = getenv("TERRANE_TEST_SEED");
    if (text) {
        seed = strtoull(text, NULL, 0);
    }
    print_message("  seed %llu (set TERRANE_TEST_SEED to change it)\n", (unsigned long long)seed);
    TestRandom random = {seed};
    return random;
}

/// An allocator that counts what it holds and fails its n-th allocation.
typedef struct TestAllocator {
    size_t allocations; ///< how many were asked for
    size_t fail_at;     ///< the allocation that fails, counted from 1; 0 for none
    size_t live_bytes;
    size_t live_blocks;
} TestAllocator;

static inline void *counting_alloc(size_t bytes, size_t alignment, void *user)
{
    TestAllocator *allocator = user;
    assert_true(bytes > 0);
    assert_true(alignment > 0 && (alignment & (alignment - 1)) == 0);
    allocator->allocations++;
    if (allocator->allocations == allocator->fail_at) {
        return NULL;
    }
    void *memory = aligned_alloc(alignment, (bytes + alignment - 1) & ~(alignment - 1));
    assert_non_null(memory);
    memset(memory, 0xA5, bytes); // undefined contents must not be relied on
    allocator->live_bytes += bytes;
    allocator->live_blocks++;
    return memory;
}

static inline void counting_free(void *memory, size_t bytes, void *user)
{
    TestAllocator *allocator = user;
    assert_non_null(memory);
    assert_true(allocator->live_bytes >= bytes && allocator->live_blocks > 0);
    allocator->live_bytes -= bytes;
    allocator->live_blocks--;
    free(memory);
}

static inline TrnAllocator test_allocator(TestAllocator *state)
{
    TrnAllocator allocator = {counting_alloc, counting_free, state};
    return allocator;
}

#endif
