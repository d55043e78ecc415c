/// The struct behind a Debris handle, for debris.c and its test.
#pragma once

#include "debris/debris_move.h"

#define DEBRIS_HALF_MIN 2600u ///< half the edge of a bit
#define DEBRIS_HALF_MAX 5400u

struct Debris {
    DebrisBits bits;
    DebrisGround ground;
    DebrisFates fates;
    uint64_t seed, throws;
    uint32_t now; ///< steps so far; wraps
    double left;  ///< seconds that no step has been made for
    uint64_t dropped_unseen, dropped_oldest, thrown, refused;
    double step_us; ///< of the last call that made a step
};
