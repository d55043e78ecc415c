#include "adapt.h"

#include <math.h>

#define SLOW_SECONDS 2 // in a row before it draws fewer pixels
#define FAST_SECONDS 5 // and more
#define RAISES_MAX 3

static const double PARTS[ADAPT_STEPS] = {1, 0.8, 0.64, 0.5};

static void begin(Adapt *adapt, double scale)
{
    *adapt = (Adapt){.full = scale, .now = scale};
}

static void count(Adapt *adapt, double frame_us)
{
    adapt->seconds += frame_us * 1e-6;
    adapt->frames++;
    adapt->slow += frame_us > ADAPT_SLOW_US;
    adapt->fast += frame_us < ADAPT_FAST_US;
}

/// Ends a second: most of its frames decide, so that a few slow ones count for nothing.
static void end_second(Adapt *adapt)
{
    const bool is_slow = 2 * adapt->slow > adapt->frames, is_fast = 2 * adapt->fast > adapt->frames;
    adapt->slow_seconds = is_slow ? adapt->slow_seconds + 1 : 0;
    adapt->fast_seconds = is_fast ? adapt->fast_seconds + 1 : 0;
    adapt->seconds = 0;
    adapt->frames = adapt->slow = adapt->fast = 0;
}

double adapt_step(Adapt *adapt, double scale, double frame_us)
{
    if (fabs(scale - adapt->now) > 1e-6) {
        begin(adapt, scale);
    }
    count(adapt, frame_us);
    if (adapt->seconds < 1) {
        return scale;
    }
    end_second(adapt);
    if (adapt->slow_seconds == SLOW_SECONDS && adapt->step + 1 < ADAPT_STEPS) {
        adapt->step++;
        adapt->slow_seconds = 0;
    } else if (adapt->fast_seconds == FAST_SECONDS && adapt->step > 0 &&
               adapt->raised < RAISES_MAX) {
        adapt->step--;
        adapt->raised++;
        adapt->fast_seconds = 0;
    }
    adapt->now = adapt->full * PARTS[adapt->step];
    return adapt->now;
}
