/// The parts of topic `growth`: what each adds, and the questions that targets and plots name.
#pragma once

#include "driver/topic.hpp"

/// Whole worlds, built under each policy.
void add_growth_policies(bench::Bench &bench);
/// Arrays whose cells tell in five ways that they are empty.
void add_growth_sentinels(bench::Bench &bench);
/// One growth, by size.
void add_growth_costs(bench::Bench &bench);

inline const char *const growth_question_build = "build a world, per chunk that comes";
inline const char *const growth_question_worst = "the slowest insert";
inline const char *const growth_question_gather = "gather the box, per chunk";
inline const char *const growth_question_one_axis = "one growth, n^3 cells doubled along one axis";
inline const char *const growth_question_all_axes = "one growth, n^3 cells doubled along all axes";
