/// Simulates a full disk: no file may grow beyond a number of bytes.
#pragma once

#include "testing.h"

#include <signal.h>
#include <sys/resource.h>

/// Limits the size of files until file_limit_end. @return the limit before
static inline struct rlimit file_limit_begin(rlim_t bytes)
{
    struct rlimit before, little;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    little = before;
    little.rlim_cur = bytes;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    return before;
}

static inline void file_limit_end(struct rlimit before)
{
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}
