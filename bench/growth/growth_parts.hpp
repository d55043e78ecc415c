/// The parts of topic `growth`: functions that add scenes, and the questions of targets and plots.
#pragma once

#include "driver/topic.hpp"

/// Builds whole worlds with each growth policy.
void add_growth_policies(bench::Bench &bench);
/// Arrays with five representations of an empty cell.
void add_growth_sentinels(bench::Bench &bench);
/// The cost of one growth, by size.
void add_growth_costs(bench::Bench &bench);

inline const char *const growth_question_build = "build a world, per chunk that comes";
inline const char *const growth_question_worst = "the slowest insert";
inline const char *const growth_question_gather = "gather the box, per chunk";
inline const char *const growth_question_one_axis = "one growth, n^3 cells doubled along one axis";
inline const char *const growth_question_all_axes = "one growth, n^3 cells doubled along all axes";
