/// Topic `pools`, fourth part: particles on the move, found by the cells of a grid.
#pragma once

#include <vector>

#include "pool_case.hpp"

extern const char *const particle_question_frame, *const particle_question_move;

/// Adds what the filter lets pass. No memory throws std::bad_alloc.
void add_particle_cases(std::vector<PoolCase> &cases, const BenchOptions &options);
