#include "interactive_impl.h"

#include <math.h>
#include <string.h>

#include "clock.h"

// Of each frame, on this thread: taking what workers have made; without workers, all of it.
#define LOAD_BUDGET_MS 2.0
#define LOAD_BUDGET_ALONE_MS 4.0

// ---- pause, settings ----------------------------------------------------------------------------

/// What the person changed is written down when the menu is left.
static void save_settings(Interactive *run)
{
    Message problem;
    if (settings_save(run->file, &run->saved, run->settings, &problem)) {
        run->saved = *run->settings;
    } else {
        interactive_notify(run, &problem);
    }
}

void interactive_set_paused(Interactive *run, bool paused)
{
    if (run->paused == paused) {
        return;
    }
    run->paused = paused;
    memset(run->viewer.velocity, 0, sizeof run->viewer.velocity); // what lies ahead is no nearer
    run->help = false; // it would stand in the menu's place
    window_catch_mouse(&run->viewer.window, !paused);
    if (!paused) {
        save_settings(run);
    }
}

static OverlayMenu menu_of_settings(const Interactive *run)
{
    const Settings *settings = run->settings;
    return (OverlayMenu){
        .sensitivity = (float)settings->sensitivity,
        .field_of_view = (float)settings->field_of_view,
        .bob = (float)run->person.player.settings.bob, // which a key changes too
        .invert = settings->invert,
        .full_screen = window_is_full_screen(&run->viewer.window),
        .quality = (int)renderer_look(run->viewer.renderer).quality,
        .note = run->file->problems ? "The settings file has mistakes: nothing is saved." : NULL,
    };
}

static void set_quality(Interactive *run, LookQuality quality)
{
    Look look = renderer_look(run->viewer.renderer);
    Message problem;
    look_set_quality(&look, quality);
    if (!renderer_set_look(run->viewer.renderer, &look, &problem)) {
        interactive_notify(run, &problem);
    }
}

void interactive_set_full_screen(Interactive *run, bool full)
{
    if (!window_set_full_screen(&run->viewer.window, full)) {
        Message text;
        (void)message_set(&text, "There is no screen to fill.");
        interactive_notify(run, &text);
    }
}

/// Takes over what differs, so that what was not touched keeps its exact value.
static void take_menu(Interactive *run, const OverlayMenu *menu)
{
    const OverlayMenu before = menu_of_settings(run);
    Settings *settings = run->settings;
    if (menu->sensitivity != before.sensitivity) {
        settings->sensitivity = (double)menu->sensitivity;
    }
    if (menu->field_of_view != before.field_of_view) {
        settings->field_of_view = (double)menu->field_of_view;
    }
    if (menu->bob != before.bob) {
        settings->player.bob = (double)menu->bob;
        PlayerSettings player = run->person.player.settings;
        player.bob = settings->player.bob;
        player_set(&run->person.player, &player);
    }
    settings->invert = menu->invert;
    if (menu->quality != before.quality) {
        settings->quality = menu->quality;
        set_quality(run, (LookQuality)menu->quality);
    }
    if (menu->full_screen != before.full_screen) {
        settings->full_screen = menu->full_screen;
        interactive_set_full_screen(run, menu->full_screen);
    }
}

static void leave_menu(Interactive *run, const OverlayMenu *menu)
{
    if (menu->changed) {
        take_menu(run, menu);
    }
    if (menu->resume) {
        interactive_set_paused(run, false);
    }
    if (menu->quit) {
        run->quits = true;
    }
}

// ---- figures ------------------------------------------------------------------------------------

static Message keys_hint(const Interactive *run)
{
    Message hint;
    (void)message_set(&hint, "%s keys   %s hide this   %s pause",
                      interactive_action_label(run, INPUT_HELP).text,
                      interactive_action_label(run, INPUT_PANEL).text,
                      interactive_action_label(run, INPUT_PAUSE).text);
    return hint;
}

double interactive_load_budget(const Interactive *run)
{
    const double chosen = run->tuning.budget_ms;
    return chosen > 0 ? chosen : run->workers ? LOAD_BUDGET_MS : LOAD_BUDGET_ALONE_MS;
}

/// @param hint  lives as long as the figures
static PanelFigures collect_figures(Interactive *run, const Message *hint)
{
    FiguresSource source = {.viewer = &run->viewer,
                            .person = &run->person,
                            .update = &run->update,
                            .budget_ms = interactive_load_budget(run),
                            .seconds = clock_us() * 1e-6,
                            .times = series_frame(),
                            .hint = hint->text,
                            .is_shown = run->choices.shown};
    double *values = source.times.values;
    values[SERIES_FRAME] = run->frame_us * 1e-3;
    values[SERIES_WORK] = run->work_us * 1e-3;
    values[SERIES_PLAYER] = run->player_us;
    values[SERIES_PANEL] = run->panel_own_us;
    values[SERIES_RECORD] = run->recorder.us;
    values[SERIES_COMPARE] = run->compare_us;
    PanelFigures figures = figures_collect(&source, &run->texts);
    // Those of the last comparison are no figures of this frame.
    for (int i = SERIES_GATHER_INDEX; i <= SERIES_GATHER_MAP_FILTERED && !run->choices.compare;
         i++) {
        figures.frame.values[i] = (double)NAN;
    }
    return figures;
}

void interactive_take_choices(Interactive *run)
{
    Message problem;
    if (!run->choices.changed) {
        return;
    }
    run->choices.changed = false;
    run->lost = !tuning_apply(&run->tuning, &run->viewer, &run->choices_before,
                              &run->choices.settings, &problem);
    if (problem.text[0]) {
        interactive_notify(run, &problem);
    }
}

void interactive_draw_panel(Interactive *run)
{
    Window *window = &run->viewer.window;
    OverlayRow rows[INPUT_ACTION_COUNT];
    for (size_t i = 0; i < run->help_count; i++) {
        const InputHelp *row = &run->help_rows[i];
        rows[i] = (OverlayRow){input_group_title(row->group), row->keys, row->words};
    }
    OverlayMenu menu = menu_of_settings(run);
    const Overlay overlay = {
        .rows = run->help ? rows : NULL,
        .row_count = run->help_count,
        .menu = run->paused ? &menu : NULL,
        .loading_text = run->ready ? NULL : run->waits_for.text,
        .loading = run->loaded,
        .notice = run->clock < run->notice_until  ? run->notice.text
                  : run->waiting && run->ready    ? run->waits_for.text
                  : window->caught || run->paused ? NULL
                                                  : "Click into the picture to look around.",
    };
    const Message hint = keys_hint(run);
    PanelFigures figures = collect_figures(run, &hint);
    run->workers = figures.stream.workers;
    Message tool;
    const PanelPalette palette = person_palette(&run->person, &tool);
    figures.palette =
        run->ready && !run->playing && !run->demo.is_playing && palette.count ? &palette : NULL;
    figures.index = run->viewer.shows_index ? &run->viewer.index : NULL;
    const PanelSettings before = tuning_settings(&run->tuning, &run->viewer, figures.budget_ms);
    run->choices.settings = before;
    run->choices.changed = false;
    panel_draw(run->panel, &figures, &run->choices, &overlay, window->caught, window->text_scale);
    leave_menu(run, &menu);
    run->choices_before = before;
}
