/// Topic `pools`: what do allocating, freeing and walking objects cost?
#pragma once

#include "driver/topic.hpp"

extern const bench::Topic pools_topic;
