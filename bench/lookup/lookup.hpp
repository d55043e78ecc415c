/// Topic `lookup`: what does it cost to collect the chunks around the player?
#pragma once

#include "driver/topic.hpp"

extern const bench::Topic lookup_topic;
