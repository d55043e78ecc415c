/// Complexity as a property: hostile input is doubled, and the work that code does for it may grow
/// no faster than its documentation says.
///
/// Work is counted, not timed: tests/complexity/CMakeLists.txt compiles the code under test once
/// more, such that each piece of straight-line code that runs calls the function below. memcpy,
/// memset and the like do not count, nor does code that is not compiled that way. Each program
/// includes this header once.
#pragma once

#include "testing.h"

static uint64_t work_count;

// NOLINTBEGIN(bugprone-reserved-identifier): gcc and clang choose the name
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    work_count++;
}
// NOLINTEND(bugprone-reserved-identifier)

/// Begins to count. @return for work_since()
static inline uint64_t work_start(void)
{
    return work_count;
}

/// The work since work_start().
static inline uint64_t work_since(uint64_t start)
{
    return work_count - start;
}

/// Makes input of a size, lets the code run on it, and returns the work of that code alone.
typedef uint64_t (*WorkOf)(uint32_t size);

/// How work grows when the input doubles, with some tolerance.
#define WORK_CONSTANT 1.15
#define WORK_LINEAR 2.3 ///< also n log n
#define WORK_QUADRATIC 4.6

/// Doubles the size of an input, and checks how the work for it grows.
/// @param first      the smallest size, at least 1
/// @param doublings  how often
/// @param growth     WORK_CONSTANT, WORK_LINEAR or WORK_QUADRATIC
static inline void assert_work_grows(WorkOf work, uint32_t first, uint32_t doublings, double growth)
{
    uint64_t before = work(first);
    assert_true(before > 0); // the code is compiled to count
    for (uint32_t size = first; doublings > 0; doublings--) {
        size *= 2;
        const uint64_t now = work(size);
        if ((double)now > growth * (double)before) {
            fail_msg("size %u took %llu, size %u took %llu", (unsigned)size / 2,
                     (unsigned long long)before, (unsigned)size, (unsigned long long)now);
        }
        before = now;
    }
}
