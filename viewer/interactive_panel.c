#include "interactive_impl.h"

#include <math.h>
#include <string.h>

#include "clock.h"

// Of each frame, on this thread: taking what workers have made; without workers, all of it.
#define LOAD_BUDGET_MS 2.0
#define LOAD_BUDGET_ALONE_MS 4.0

#define FIRST_STEPS 4    // voxels: then the first hint has been read
#define FIRST_HEIGHT 360 // pixels, times the size of text: a window with room for that hint

// ---- pause, settings ----------------------------------------------------------------------------

bool interactive_save(Interactive *run)
{
    Message problem;
    if (interactive_has_world(run)) { // which has the time of day
        setting_copy(settings_row_of(run->settings, &run->settings->hours), &run->saved,
                     run->settings);
    }
    const Settings chosen = interactive_as_chosen(run);
    if (!settings_save(run->file, &run->saved, &chosen, &problem)) {
        interactive_notify(run, &problem);
        return false;
    }
    run->saved = chosen;
    return true;
}

void interactive_change(Interactive *run, const Settings *wished)
{
    Message problem;
    run->lost = !settings_apply(&run->viewer, run->settings, wished, &problem);
    player_set(&run->person.player, &run->settings->player);
    if (problem.text[0]) {
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
        (void)interactive_save(run);
    }
}

// ---- figures ------------------------------------------------------------------------------------

static Message keys_hint(const Interactive *run)
{
    Message hint;
    if (run->touches) {
        (void)message_set(&hint, "Figures hides this   Menu pauses");
        return hint;
    }
    (void)message_set(&hint, "%s keys   %s hide this   %s pause",
                      interactive_action_label(run, INPUT_HELP).text,
                      interactive_action_label(run, INPUT_PANEL).text,
                      interactive_action_label(run, INPUT_PAUSE).text);
    return hint;
}

static const char *look_hint(const Interactive *run)
{
    return run->touches ? "Tap the picture to look around."
                        : "Click into the picture to look around.";
}

static void set_first_hint(const Interactive *run, Message *hint)
{
    const bool is_caught = run->viewer.window.caught;
    if (run->touches) {
        (void)message_set(hint,
                          "%s%sLeft thumb: move   right thumb: look\n"
                          "Up: jump or rise   Fly: walk or fly\n"
                          "Blocks: what Build sets   Menu: pause",
                          is_caught ? "" : look_hint(run), is_caught ? "" : "\n");
        return;
    }
    (void)message_set(hint,
                      "%s%sMove: %s %s %s %s   up: %s   walk or fly: %s\n"
                      "Dig: %s   build: %s   blocks: %s to %s\n"
                      "All keys: %s   figures: %s   pause: %s",
                      is_caught ? "" : look_hint(run), is_caught ? "" : "\n",
                      interactive_action_label(run, INPUT_FORWARD).text,
                      interactive_action_label(run, INPUT_LEFT).text,
                      interactive_action_label(run, INPUT_BACK).text,
                      interactive_action_label(run, INPUT_RIGHT).text,
                      interactive_action_label(run, INPUT_UP).text,
                      interactive_action_label(run, INPUT_FLY).text,
                      interactive_action_label(run, INPUT_DIG).text,
                      interactive_action_label(run, INPUT_BUILD).text,
                      interactive_action_label(run, INPUT_PALETTE_1).text,
                      interactive_action_label(run, INPUT_PALETTE_9).text,
                      interactive_action_label(run, INPUT_HELP).text,
                      interactive_action_label(run, INPUT_PANEL).text,
                      interactive_action_label(run, INPUT_PAUSE).text);
}

/// What a newcomer needs, until the first steps. @return false once those are taken
static bool first_hint(Interactive *run, Message *hint)
{
    double at[3];
    camera_voxel(&run->viewer.camera, at);
    const bool is_person = run->ready && !run->playing && !run->demo.is_playing;
    if (is_person && !run->has_begun) {
        memcpy(run->began_at, at, sizeof at);
        run->has_begun = true;
    }
    const double away = hypot(at[0] - run->began_at[0], at[2] - run->began_at[2]);
    run->has_walked = run->has_walked || (run->has_begun && away > FIRST_STEPS);
    set_first_hint(run, hint);
    int width, height;
    glfwGetFramebufferSize(run->viewer.window.handle, &width, &height);
    const bool has_room = (float)height >= FIRST_HEIGHT * window_text_scale(&run->viewer.window);
    return is_person && has_room && !run->has_walked;
}

double interactive_load_budget(const Interactive *run)
{
    const double chosen = run->settings->update_ms;
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
                            .is_shown = run->settings->figures};
    double *values = source.times.values;
    values[SERIES_FRAME] = run->frame_us * 1e-3;
    values[SERIES_WORK] = run->work_us * 1e-3;
    values[SERIES_PLAYER] = run->player_us;
    values[SERIES_PANEL] = run->panel_own_us;
    values[SERIES_RECORD] = run->recorder.us;
    values[SERIES_COMPARE] = run->compare_us;
    PanelFigures figures = figures_collect(&source, &run->texts);
    // Those of the last comparison are no figures of this frame.
    for (int i = SERIES_GATHER_INDEX; i <= SERIES_GATHER_MAP_FILTERED && !run->settings->compare;
         i++) {
        figures.frame.values[i] = (double)NAN;
    }
    return figures;
}

void interactive_take_choices(Interactive *run)
{
    if (run->choices.changed) {
        interactive_change(run, &run->choices.settings);
    }
    run->choices.changed = false;
    interactive_take_from_inventory(run);
    if (run->choices.resume) {
        interactive_set_paused(run, false);
    }
    run->leaves = run->leaves || run->choices.leave;
    run->quits = run->quits || run->choices.quit || run->choices.leave;
}

/// What stands below the buttons of the pause menu.
static void menu_note(const Interactive *run, Message *note)
{
    Message world;
    interactive_describe_world(run, &world);
    (void)message_set(note, "%s%s%.300s",
                      run->file->problems ? "The settings file has mistakes: it is not written."
                                          : "",
                      run->file->problems && world.text[0] ? "\n" : "", world.text);
}

/// The help: all keys, or what fingers can do. @return the number of rows
static size_t help_rows(const Interactive *run, OverlayRow rows[INPUT_ACTION_COUNT])
{
    static const OverlayRow touch[] = {
        {"Thumbs", "left", "move"},
        {"Thumbs", "right", "look around"},
        {"Buttons", "Up", "up; on foot: jump"},
        {"Buttons", "Down", "down; on foot: sneak"},
        {"Buttons", "Fly", "walk or fly"},
        {"Buttons", "Dig, Build", "the block you look at"},
        {"Buttons", "Blocks", "all blocks: inventory"},
        {"Buttons", "Menu", "pause, settings, quit"},
        {"Above", "Worlds", "open, create, download"},
        {"Above", "Share", "copy a link to this place"},
        {"Above", "Figures", "what a frame costs"},
    };
    if (run->touches) {
        memcpy(rows, touch, sizeof touch);
        return sizeof touch / sizeof touch[0];
    }
    for (size_t i = 0; i < run->help_count; i++) {
        const InputHelp *row = &run->help_rows[i];
        rows[i] = (OverlayRow){input_group_title(row->group), row->keys, row->words};
    }
    return run->help_count;
}

void interactive_draw_panel(Interactive *run)
{
    Window *window = &run->viewer.window;
    OverlayRow rows[INPUT_ACTION_COUNT];
    const size_t row_count = help_rows(run, rows);
    const Look look = renderer_look(run->viewer.renderer);
    Message note, first;
    const bool is_covered = run->touches && (run->help || run->settings->figures);
    const bool is_first = first_hint(run, &first) && !is_covered;
    menu_note(run, &note);
    const Overlay overlay = {
        .labels = run->viewer.others.labels,
        .label_count = run->viewer.others.label_count,
        .rows = run->help && !run->photo.is_open ? rows : NULL,
        .row_count = row_count,
        .paused = run->paused,
        .touches = run->touches,
        .note = note.text[0] ? note.text : NULL,
        .look = &look,
        .loading_text = run->ready ? NULL : run->waits_for.text,
        .loading = run->loaded,
        .notice = clock_us() * 1e-6 < run->notice_until           ? run->notice.text
                  : run->waiting && run->ready                    ? run->waits_for.text
                  : run->paused || interactive_has_inventory(run) ? NULL
                  : is_first && !run->photo.is_open               ? first.text
                  : window->caught                                ? NULL
                                                                  : look_hint(run),
    };
    const Message hint = keys_hint(run);
    PanelFigures figures = collect_figures(run, &hint);
    run->workers = figures.stream.workers;
    Message tool;
    const PanelPalette palette = person_palette(&run->person, &tool);
    figures.palette = run->ready && !run->paused && !run->playing && !run->demo.is_playing &&
                              !run->photo.is_open && palette.count
                          ? &palette
                          : NULL;
    figures.inventory = figures.palette && run->inventory.tiles ? &run->inventory : NULL;
    figures.index = run->settings->index_view && !run->photo.is_open ? &run->viewer.index : NULL;
    run->choices.settings = *run->settings;
    figures.is_bare = run->photo.is_open && !run->paused;
    panel_draw(run->panel, &figures, &run->choices, &overlay, window->caught,
               window_text_scale(window));
}
