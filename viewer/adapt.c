#include "adapt.h"

#define SLOW_SECONDS 2    // in a row before it lowers something
#define LOADING_SECONDS 5 // the same while land is loaded
#define FAST_SECONDS 5    // before it takes a step back
#define SETTLE_SECONDS 2  // after a step, before that is judged
#define RAISES_MAX 3
#define WORTH 0.95 // of the frame's time before: more, and the step was for nothing
#define VIEW_LEAST 8

enum { SCALE_STEPS = 3, VIEW_STEPS = 2 };
_Static_assert(SCALE_STEPS + 1 + VIEW_STEPS <= ADAPT_STEPS_MAX, "all fit");

static const double SCALES[SCALE_STEPS + 1] = {1, 0.8, 0.64, 0.5};
static const double VIEWS[VIEW_STEPS + 1] = {1, 0.75, 0.5};

double adapt_scale(const Adapt *adapt, double chosen)
{
    return chosen * SCALES[adapt->steps[ADAPT_SCALE]];
}

int adapt_view(const Adapt *adapt, int chosen)
{
    return (int)(chosen * VIEWS[adapt->steps[ADAPT_VIEW]] + 0.5);
}

/// How many steps of a lever stay above a least value.
static uint32_t steps_above(const double *parts, uint32_t steps, int chosen, int least)
{
    while (steps > 0 && chosen * parts[steps] < least) {
        steps--;
    }
    return steps;
}

void adapt_begin(Adapt *adapt, bool has_lower_quality, int view)
{
    *adapt = (Adapt){.most = {
                         [ADAPT_SCALE] = SCALE_STEPS,
                         [ADAPT_QUALITY] = has_lower_quality,
                         [ADAPT_VIEW] = steps_above(VIEWS, VIEW_STEPS, view, VIEW_LEAST),
                     }};
}

bool adapt_is_active(const Adapt *adapt)
{
    return adapt->pulled_count > 0;
}

// ---- steps --------------------------------------------------------------------------------------

/// The lever that is pulled least; ADAPT_LEVER_COUNT if none is left.
static AdaptLever next_lever(const Adapt *adapt)
{
    AdaptLever next = ADAPT_LEVER_COUNT;
    for (AdaptLever i = 0; i < ADAPT_LEVER_COUNT; i++) {
        const bool has_step = adapt->steps[i] < adapt->most[i] && !adapt->is_useless[i];
        if (has_step && (next == ADAPT_LEVER_COUNT || adapt->steps[i] < adapt->steps[next])) {
            next = i;
        }
    }
    return next;
}

static bool pull(Adapt *adapt, double frame_us)
{
    const AdaptLever lever = next_lever(adapt);
    if (lever == ADAPT_LEVER_COUNT) {
        return false;
    }
    adapt->steps[lever]++;
    adapt->pulled[adapt->pulled_count++] = lever;
    adapt->before_us = frame_us;
    adapt->settling = SETTLE_SECONDS;
    adapt->slow_seconds = 0;
    return true;
}

static AdaptLever take_back(Adapt *adapt)
{
    const AdaptLever lever = adapt->pulled[--adapt->pulled_count];
    adapt->steps[lever]--;
    adapt->before_us = 0;
    return lever;
}

/// Whether the last step was worth it. @return whether it was taken back
static bool judge(Adapt *adapt, double frame_us)
{
    const bool is_worth = frame_us < WORTH * adapt->before_us || frame_us < ADAPT_SLOW_US;
    adapt->before_us = 0;
    if (is_worth) {
        return false;
    }
    adapt->is_useless[take_back(adapt)] = true;
    return true;
}

/// Ends a second: most of its frames decide, so that a few slow ones count for nothing.
/// @return the mean frame, us
static double end_second(Adapt *adapt)
{
    const bool is_slow = 2 * adapt->slow > adapt->frames, is_fast = 2 * adapt->fast > adapt->frames;
    const double mean_us = adapt->seconds / adapt->frames * 1e6;
    adapt->slow_seconds = is_slow ? adapt->slow_seconds + 1 : 0;
    adapt->fast_seconds = is_fast ? adapt->fast_seconds + 1 : 0;
    adapt->seconds = 0;
    adapt->frames = adapt->slow = adapt->fast = 0;
    return mean_us;
}

bool adapt_frame(Adapt *adapt, double frame_us, bool is_loading)
{
    adapt->seconds += frame_us * 1e-6;
    adapt->frames++;
    adapt->slow += frame_us > ADAPT_SLOW_US;
    adapt->fast += frame_us < ADAPT_FAST_US;
    if (adapt->seconds < 1) {
        return false;
    }
    const double mean_us = end_second(adapt);
    if (adapt->settling > 0) {
        adapt->settling--;
        return false;
    }
    if (adapt->before_us > 0 && !is_loading && judge(adapt, mean_us)) {
        return true;
    }
    if (adapt->slow_seconds >= (is_loading ? LOADING_SECONDS : SLOW_SECONDS)) {
        return pull(adapt, mean_us);
    }
    if (adapt->fast_seconds >= FAST_SECONDS && adapt->pulled_count > 0 &&
        adapt->raised < RAISES_MAX) {
        adapt->raised++;
        adapt->fast_seconds = 0;
        (void)take_back(adapt);
        return true;
    }
    return false;
}
