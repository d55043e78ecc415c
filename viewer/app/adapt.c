#include "app/adapt.h"

#include "render/renderer.h"

#define ADAPT_SLOW_SECONDS 2    // slow seconds in a row before a setting is lowered
#define ADAPT_LOADING_SECONDS 5 // the same while land is loading
#define ADAPT_FAST_SECONDS 5    // fast seconds in a row before a step is undone
#define ADAPT_SETTLE_SECONDS 2  // after a step, before its effect is judged
#define ADAPT_RAISES_MAX 3
#define ADAPT_WORTH 0.95 // of the earlier frame time: a step that saves less than 5 % is useless
#define ADAPT_VIEW_LEAST 8

enum { ADAPT_SCALE_STEPS = 3, ADAPT_VIEW_STEPS = 2 };
_Static_assert(ADAPT_SCALE_STEPS + 1 + ADAPT_VIEW_STEPS <= ADAPT_STEPS_MAX, "all fit");

static const double ADAPT_SCALES[ADAPT_SCALE_STEPS + 1] = {1, 0.8, 0.64, 0.5};
static const double ADAPT_VIEWS[ADAPT_VIEW_STEPS + 1] = {1, 0.75, 0.5};

double adapt_scale(const Adapt *adapt, double chosen)
{
    return chosen * ADAPT_SCALES[adapt->steps[ADAPT_SCALE]];
}

int adapt_view(const Adapt *adapt, int chosen)
{
    return (int)(chosen * ADAPT_VIEWS[adapt->steps[ADAPT_VIEW]] + 0.5);
}

/// Returns how many steps of a lever keep the setting at or above `least`.
static uint32_t adapt_steps_above(const double *parts, uint32_t steps, int chosen, int least)
{
    while (steps > 0 && chosen * parts[steps] < least) {
        steps--;
    }
    return steps;
}

void adapt_begin(Adapt *adapt, bool has_lower_quality, int view)
{
    *adapt = (Adapt){
        .most = {
            [ADAPT_SCALE] = ADAPT_SCALE_STEPS,
            [ADAPT_QUALITY] = has_lower_quality,
            [ADAPT_VIEW] = adapt_steps_above(ADAPT_VIEWS, ADAPT_VIEW_STEPS, view, ADAPT_VIEW_LEAST),
        }};
}

// ---- steps --------------------------------------------------------------------------------------

/// Returns the lever with the fewest steps taken, or ADAPT_LEVER_COUNT if none has steps left.
static AdaptLever adapt_next_lever(const Adapt *adapt)
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

static bool adapt_pull(Adapt *adapt, double frame_us)
{
    const AdaptLever lever = adapt_next_lever(adapt);
    if (lever == ADAPT_LEVER_COUNT) {
        return false;
    }
    adapt->steps[lever]++;
    adapt->pulled[adapt->pulled_count++] = lever;
    adapt->before_us = frame_us;
    adapt->settling = ADAPT_SETTLE_SECONDS;
    adapt->slow_seconds = 0;
    return true;
}

static AdaptLever adapt_take_back(Adapt *adapt)
{
    const AdaptLever lever = adapt->pulled[--adapt->pulled_count];
    adapt->steps[lever]--;
    adapt->before_us = 0;
    return lever;
}

/// Judges whether the last step made frames faster, and undoes it if not.
/// @return whether the step was undone
static bool adapt_judge(Adapt *adapt, double frame_us)
{
    const bool is_worth = frame_us < ADAPT_WORTH * adapt->before_us || frame_us < ADAPT_SLOW_US;
    adapt->before_us = 0;
    if (is_worth) {
        return false;
    }
    adapt->is_useless[adapt_take_back(adapt)] = true;
    return true;
}

/// Ends a second. A second is slow or fast if most of its frames are, so that single slow frames do
/// not count.
/// @return the mean frame time, us
static double adapt_end_second(Adapt *adapt)
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
    const double mean_us = adapt_end_second(adapt);
    if (adapt->settling > 0) {
        adapt->settling--;
        return false;
    }
    if (adapt->before_us > 0 && !is_loading && adapt_judge(adapt, mean_us)) {
        return true;
    }
    if (adapt->slow_seconds >= (is_loading ? ADAPT_LOADING_SECONDS : ADAPT_SLOW_SECONDS)) {
        return adapt_pull(adapt, mean_us);
    }
    if (adapt->fast_seconds >= ADAPT_FAST_SECONDS && adapt->pulled_count > 0 &&
        adapt->raised < ADAPT_RAISES_MAX) {
        adapt->raised++;
        adapt->fast_seconds = 0;
        (void)adapt_take_back(adapt);
        return true;
    }
    return false;
}

// ---- settings -----------------------------------------------------------------------------------

#define ADAPT_FIELDS 3

/// The settings that may be lowered. @param i  below ADAPT_FIELDS
static const void *adapt_field(const Settings *settings, int i)
{
    const void *const fields[ADAPT_FIELDS] = {&settings->scale, &settings->quality,
                                              &settings->view_distance};
    return fields[i];
}

static void adapt_watch_choices(AdaptedSettings *adapted, const Settings *now)
{
    const bool is_first = adapted->state == ADAPTED_NEVER;
    bool has_changed = is_first;
    for (int i = 0; i < ADAPT_FIELDS; i++) {
        const Setting *row = settings_row_of(now, adapt_field(now, i));
        if (is_first || option_differs(row, now, &adapted->adapted)) {
            option_copy(row, &adapted->chosen, now);
            has_changed = true;
        }
    }
    if (has_changed) {
        adapted->state = is_first ? ADAPTED_READY : adapted->state;
        adapted->chosen.on_processor = now->on_processor;
        const Look look = settings_look(&adapted->chosen, renderer_suggested_quality());
        adapt_begin(&adapted->levers, look.quality > LOOK_QUALITY_LOW,
                    settings_view_distance(&adapted->chosen));
        adapted->adapted = *now;
    }
}

bool adapted_frame(AdaptedSettings *adapted, const Settings *now, double frame_us, bool is_loading,
                   Settings *wished)
{
    const Adapt *levers = &adapted->levers;
    adapt_watch_choices(adapted, now);
    if (!adapt_frame(&adapted->levers, frame_us, is_loading)) {
        return false;
    }
    *wished = *now;
    wished->scale = adapt_scale(levers, adapted->chosen.scale);
    wished->quality = levers->steps[ADAPT_QUALITY] ? LOOK_QUALITY_LOW : adapted->chosen.quality;
    wished->view_distance = levers->steps[ADAPT_VIEW]
                                ? adapt_view(levers, settings_view_distance(&adapted->chosen))
                                : adapted->chosen.view_distance;
    return true;
}

bool adapted_take(AdaptedSettings *adapted, const Settings *now)
{
    const bool is_first = adapted->state != ADAPTED_ONCE;
    adapted->state = ADAPTED_ONCE;
    adapted->adapted = *now;
    return is_first;
}

Settings adapted_as_chosen(const AdaptedSettings *adapted, const Settings *now)
{
    Settings chosen = *now;
    for (int i = 0; adapted->state != ADAPTED_NEVER && i < ADAPT_FIELDS; i++) {
        const Setting *row = settings_row_of(&chosen, adapt_field(&chosen, i));
        if (!option_differs(row, &chosen, &adapted->adapted)) {
            option_copy(row, &chosen, &adapted->chosen);
        }
    }
    return chosen;
}
