/// Topic `mesher`: what a chunk's quads cost, by Terrane and by its peers.
#pragma once

#include "driver/topic.hpp"

extern const bench::Topic mesher_topic;
