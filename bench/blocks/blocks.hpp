/// Topic `blocks`: what the blocks of a game do: shapes that are no whole opaque cubes, liquids
/// that flow, random ticks.
#pragma once

#include "driver/topic.hpp"

extern const bench::Topic blocks_topic;
