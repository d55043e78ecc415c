/// Topic `pools`, fourth part: particles on the move, found by the cells of a grid.
#pragma once

#include <vector>

#include "pool_case.hpp"

/// Every particle moves, and all pairs that touch are found.
extern const char *const particle_question_frame;

/// Adds what the filter lets pass. No memory throws std::bad_alloc.
void add_particle_cases(std::vector<PoolCase> &cases, const BenchOptions &options);
