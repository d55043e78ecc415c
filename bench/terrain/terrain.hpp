/// Topic `terrain`: what a chunk of generated land costs, and what noise costs.
#pragma once

#include "driver/topic.hpp"

extern const bench::Topic terrain_topic;
