#include "interactive_impl.h"

// Draws less where drawing is slow: what adapt.h chooses becomes settings.

#define ADAPTED_FIELDS 3

/// What may be lowered. @param i  below ADAPTED_FIELDS
static const void *adapted_field(const Settings *settings, int i)
{
    const void *const fields[ADAPTED_FIELDS] = {&settings->scale, &settings->quality,
                                                &settings->view_distance};
    return fields[i];
}

/// Whatever the player has changed since is a choice, with which lowering begins again.
static void watch_choices(Interactive *run)
{
    bool has_changed = !run->has_chosen;
    for (int i = 0; i < ADAPTED_FIELDS; i++) {
        const Setting *row = settings_row_of(run->settings, adapted_field(run->settings, i));
        if (!run->has_chosen || setting_differs(row, run->settings, &run->adapted)) {
            setting_copy(row, &run->chosen, run->settings);
            has_changed = true;
        }
    }
    if (has_changed) {
        run->has_chosen = true;
        run->chosen.on_processor = run->settings->on_processor;
        const Look look = settings_look(&run->chosen, renderer_suggested_quality());
        adapt_begin(&run->adapt, look.quality > LOOK_QUALITY_LOW,
                    settings_view_distance(&run->chosen));
        run->adapted = *run->settings;
    }
}

/// What was chosen, lowered.
static Settings lowered(const Interactive *run)
{
    const Adapt *adapt = &run->adapt;
    Settings wished = *run->settings;
    for (int i = 0; i < ADAPTED_FIELDS; i++) {
        setting_copy(settings_row_of(&wished, adapted_field(&wished, i)), &wished, &run->chosen);
    }
    wished.scale = adapt_scale(adapt, run->chosen.scale);
    if (adapt->steps[ADAPT_QUALITY]) {
        wished.quality = LOOK_QUALITY_LOW;
    }
    if (adapt->steps[ADAPT_VIEW]) {
        wished.view_distance = adapt_view(adapt, settings_view_distance(&run->chosen));
    }
    return wished;
}

void interactive_adapt(Interactive *run)
{
    if (!run->settings->adapt || run->paused || run->playing || !run->ready) {
        return;
    }
    watch_choices(run);
    if (!adapt_frame(&run->adapt, run->frame_us, !run->launch.is_reached[LAUNCH_VIEW])) {
        return;
    }
    const Settings wished = lowered(run);
    interactive_change(run, &wished);
    run->adapted = *run->settings;
    if (!run->told_adapt) {
        Message text;
        run->told_adapt = true;
        (void)message_set(&text, "Drawing is slow here: less is drawn, until there are 20 frames a "
                                 "second (setting: Adapt to slow drawing).");
        interactive_notify(run, &text);
    }
}

Settings interactive_as_chosen(const Interactive *run)
{
    Settings chosen = *run->settings;
    for (int i = 0; run->has_chosen && i < ADAPTED_FIELDS; i++) {
        const Setting *row = settings_row_of(&chosen, adapted_field(&chosen, i));
        if (!setting_differs(row, &chosen, &run->adapted)) {
            setting_copy(row, &chosen, &run->chosen);
        }
    }
    return chosen;
}
