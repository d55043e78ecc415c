/// Topic `light`: light of the sky and of blocks.
#pragma once

#include "driver/topic.hpp"

extern const bench::Topic light_topic;
