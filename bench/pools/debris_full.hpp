/// Topic `pools`, third part: what to do when more debris is born than there is room for.
#pragma once

#include <vector>

#include "pool_case.hpp"

extern const char *const debris_question_full;

/// Adds what the filter lets pass. No memory throws std::bad_alloc.
void add_full_debris_cases(std::vector<PoolCase> &cases, const BenchOptions &options);
