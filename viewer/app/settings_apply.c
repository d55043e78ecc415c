#include "app/settings_apply.h"

/// Whether any row with this effect differs.
static bool settings_effect_differs(const Settings *a, const Settings *b, SettingEffect effect)
{
    for (size_t i = 0; settings_row(i); i++) {
        const Setting *row = settings_row(i);
        if (row->effect == effect && option_differs(row, a, b)) {
            return true;
        }
    }
    return false;
}

static void settings_take_effect(Settings *settings, const Settings *wished, SettingEffect effect)
{
    for (size_t i = 0; settings_row(i); i++) {
        if (settings_row(i)->effect == effect) {
            option_copy(settings_row(i), settings, wished);
        }
    }
}

static void settings_apply_window(Viewer *viewer, Settings *settings, const Settings *wished,
                                  Message *problem)
{
    if (settings->full_screen == wished->full_screen) {
        return;
    }
    if (window_set_full_screen(&viewer->window, wished->full_screen)) {
        settings->full_screen = wished->full_screen;
    } else {
        (void)message_set(problem, "There is no screen to fill.");
    }
}

/// Applies the whole look at once, whichever of its rows differ.
static void settings_apply_look(Viewer *viewer, Settings *settings, const Settings *wished,
                                Message *problem)
{
    static const SettingEffect effects[] = {SETTING_EFFECT_LOOK, SETTING_EFFECT_TARGET};
    if (!settings_effect_differs(settings, wished, effects[0]) &&
        !settings_effect_differs(settings, wished, effects[1])) {
        return;
    }
    const Look look = settings_look(wished, renderer_suggested_quality());
    if (renderer_set_look(viewer->renderer, &look, problem)) {
        settings_take_effect(settings, wished, effects[0]);
        settings_take_effect(settings, wished, effects[1]);
    }
}

static bool settings_apply_stream(Viewer *viewer, Settings *settings, const Settings *wished,
                                  Message *problem)
{
    if (!settings_effect_differs(settings, wished, SETTING_EFFECT_STREAM)) {
        return true;
    }
    const ViewerChange change = viewer_change(viewer, wished, problem);
    if (change == VIEWER_CHANGED) {
        settings_take_effect(settings, wished, SETTING_EFFECT_STREAM);
    }
    return change != VIEWER_LOST;
}

bool settings_apply(Viewer *viewer, Settings *settings, const Settings *wished, Message *problem)
{
    (void)message_set(problem, "%s", "");
    if (settings->lookup != wished->lookup &&
        gather_compare_use(&viewer->compare, (GatherContender)wished->lookup)) {
        settings->lookup = wished->lookup;
    }
    Settings rest = *wished;
    rest.lookup = settings->lookup; // Boost may not be built in
    settings->bindings = wished->bindings;
    settings_take_effect(settings, &rest, SETTING_EFFECT_NOTHING);
    settings_take_effect(settings, &rest, SETTING_EFFECT_RESTART);
    settings_apply_window(viewer, settings, wished, problem);
    settings_apply_look(viewer, settings, wished, problem);
    return settings_apply_stream(viewer, settings, wished, problem);
}
