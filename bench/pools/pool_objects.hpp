/// Topic `pools`, first part: objects of 256 bytes taken, given back and walked over.
#pragma once

#include <vector>

#include "pool_case.hpp"

/// Adds what the filter lets pass. No memory throws std::bad_alloc.
void add_object_cases(std::vector<PoolCase> &cases, const BenchOptions &options);

/// The questions of this part.
extern const char *const object_question_pairs, *const object_question_batch,
                                                    *const object_question_walk;
