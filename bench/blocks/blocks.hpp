/// Topic `blocks`: what the blocks of a game do: liquids that flow, random ticks.
#pragma once

#include "driver/topic.hpp"

extern const bench::Topic blocks_topic;
