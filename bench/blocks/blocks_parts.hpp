/// The parts of topic `blocks`: each adds its scenes, and its targets once there are figures.
#pragma once

#include "driver/topic.hpp"

void add_fluid_scenes(bench::Bench &bench);
void conclude_fluid(Report &report);
void add_tick_scenes(bench::Bench &bench);
void conclude_ticks(Report &report);
