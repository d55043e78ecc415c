/// Topic `store`: what games do with a store in every frame, in a store and in a std::unordered_map
/// of plain arrays.
#pragma once

#include "driver/topic.hpp"

extern const bench::Topic store_topic;
