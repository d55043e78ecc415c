/// How the calls of a save grow with the number of chunks that are stored.
#pragma once

#include "driver/topic.hpp"

/// Adds stages of the calls among more and more chunks, and targets for how their costs grow.
void stage_save_growth(bench::Bench &bench);
