/// Topic `stream`: what a world that follows its players costs them: cold starts, flights, memory,
/// replays, and the hand-over from workers to the calling thread.
#pragma once

#include "driver/options.hpp"

/// @return the exit code: 0, or 1 when replays differ, a flight ends early or a file cannot be
/// written. A missed target is no failure.
int bench_stream(const BenchOptions &options);
