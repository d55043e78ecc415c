/// Topic `stream`: what a world that follows its players costs them: cold starts, flights, memory,
/// replays, and the hand-over from workers to the calling thread.
#pragma once

#include "driver/topic.hpp"

extern const bench::Topic stream_topic;
