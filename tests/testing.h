/// What all tests share: cmocka with its includes, a seeded random generator, and an allocator that
/// fails on demand.
#pragma once

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

/// Returns a generator for a property test. Its seed is TERRANE_TEST_SEED if set, otherwise `seed`;
/// it is printed so that a failure can be reproduced.
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

// gcc reports sanitizers by macros, clang by features.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define TEST_HAS_SANITIZER 1
#endif
#elif defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define TEST_HAS_SANITIZER 1
#endif
#ifndef TEST_HAS_SANITIZER
#define TEST_HAS_SANITIZER 0
#endif
#if defined(__SANITIZE_THREAD__)
#define TEST_HAS_THREAD_SANITIZER 1
// A function that touches only what its own thread does, such as a model: ThreadSanitizer leaves it
// out, which is ten times as fast.
#define TEST_ONE_THREAD __attribute__((no_sanitize("thread")))
#else
#define TEST_HAS_THREAD_SANITIZER 0
#define TEST_ONE_THREAD
#endif

/// How many rounds a long test runs: `full`, or `brief` under a sanitizer or with
/// TERRANE_TEST_BRIEF set, for an emulator: both are some ten times slower. With TERRANE_TEST_FULL
/// set, as .ci/nightly does, always `full`.
static inline uint32_t test_rounds(uint32_t full, uint32_t brief)
{
    const bool is_slow = TEST_HAS_SANITIZER || getenv("TERRANE_TEST_BRIEF");
    return is_slow && !getenv("TERRANE_TEST_FULL") ? brief : full;
}

/// Skips a test of one thread under ThreadSanitizer, which finds nothing in it and takes ten times
/// as long. Not with TERRANE_TEST_FULL set.
static inline void test_skip_without_threads(void)
{
    if (TEST_HAS_THREAD_SANITIZER && !getenv("TERRANE_TEST_FULL")) {
        skip();
    }
}

/// Skips a test that starts threads where a program has one alone: WebAssembly without threads.
static inline void test_needs_threads(void)
{
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
    skip();
#endif
}

/// An allocator that counts its allocations and bytes, and fails allocations on demand.
typedef struct TestAllocator {
    size_t allocations; ///< requests since test_fail
    size_t fail_at;     ///< number of the first that fails, counted from 1; 0: none
    size_t fail_to;     ///< number of the last that fails; below fail_at: only fail_at
    size_t live_bytes;
    size_t live_blocks;
    size_t peak_bytes; ///< the highest live_bytes so far
    size_t bytes_max;  ///< a test that allocates more fails; 0: no limit
} TestAllocator;

/// Restarts the count of allocations; those numbered `at` to `to` fail. See TestAllocator.
static inline void test_fail(TestAllocator *allocator, size_t at, size_t to)
{
    allocator->allocations = 0;
    allocator->fail_at = at;
    allocator->fail_to = to;
}

static inline bool test_allocation_fails(const TestAllocator *allocator)
{
    const size_t number = allocator->allocations, at = allocator->fail_at;
    return at && number >= at && (number == at || number <= allocator->fail_to);
}

static inline void counting_add(TestAllocator *allocator, size_t bytes)
{
    allocator->live_bytes += bytes;
    assert_true(!allocator->bytes_max || allocator->live_bytes <= allocator->bytes_max);
    if (allocator->live_bytes > allocator->peak_bytes) {
        allocator->peak_bytes = allocator->live_bytes;
    }
}

static inline void *counting_alloc(size_t bytes, size_t alignment, void *user)
{
    TestAllocator *allocator = user;
    assert_true(bytes > 0);
    assert_true(alignment > 0 && (alignment & (alignment - 1)) == 0);
    assert_true(bytes <= PTRDIFF_MAX); // no object is larger
    allocator->allocations++;
    if (test_allocation_fails(allocator)) {
        return NULL;
    }
    void *memory = trn_aligned_alloc(bytes, alignment);
    assert_non_null(memory);
    memset(memory, 0xA5, bytes); // a caller must not rely on undefined contents
    allocator->live_blocks++;
    counting_add(allocator, bytes);
    return memory;
}

static inline void counting_free(void *memory, size_t bytes, void *user)
{
    TestAllocator *allocator = user;
    assert_non_null(memory);
    assert_true(allocator->live_bytes >= bytes && allocator->live_blocks > 0);
    allocator->live_bytes -= bytes;
    allocator->live_blocks--;
    trn_aligned_free(memory);
}

static inline TrnAllocator test_allocator(TestAllocator *state)
{
    TrnAllocator allocator = {counting_alloc, counting_free, state};
    return allocator;
}
