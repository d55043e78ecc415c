/// What the parts of topic `blocks` that take steps add: liquids and random ticks.
#pragma once

#include "driver/topic.hpp"

void add_fluid_scenes(bench::Bench &bench);
void conclude_fluid(Report &report);
void add_tick_scenes(bench::Bench &bench);
void conclude_ticks(Report &report);
