/// Shared by tests of the stream with workers. Include it after _XOPEN_SOURCE is 700.
#pragma once

#include <time.h>

#include "rest.h"
#include "stream_game.h"

/// Returns the milliseconds of a monotonic clock.
static inline double threaded_real_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/// A voxel of ground near an anchor.
static inline TrnVoxel threaded_spot(TestRandom *random, TrnCoord chunk)
{
    return (TrnVoxel){(int64_t)chunk.x * 32 + test_random_range(random, -40, 72),
                      test_random_range(random, 0, 12),
                      (int64_t)chunk.z * 32 + test_random_range(random, -40, 72)};
}

/// Returns a def for a game whose work is done by the stream's threads.
static inline TrnStreamDef threaded_def(Game *game, uint32_t workers, TrnStreamBudget budget)
{
    TrnStreamDef def = game_def(game);
    def.workers = workers;
    def.budget = budget;
    return def;
}
