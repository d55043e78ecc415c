// The modes of a world: what each does, and how the program goes from one to another. See mode.h.

#include "app/app_impl.h"

#include <stdio.h>

// ---- what each does -----------------------------------------------------------------------------

static bool app_begin_demo(App *app)
{
    return demo_open(&app->demo, &app->session);
}

static void app_end_demo(App *app)
{
    demo_close(&app->demo, &app->session);
}

static void app_move_demo(App *app, const Input *input, double step)
{
    (void)input;
    demo_step(&app->demo, &app->session, step);
}

static void app_end_playback(App *app)
{
    playback_end(&app->session);
}

static void app_move_playback(App *app, const Input *input, double step)
{
    (void)input;
    playback_step(&app->playback, &app->session, step);
}

static void app_act_playback(App *app, const Input *input, bool is_click_taken, double step)
{
    (void)input, (void)is_click_taken, (void)step;
    playback_act(&app->playback);
}

static void app_act_play(App *app, const Input *input, bool is_click_taken, double step)
{
    play_act(&app->session, input, is_click_taken, step);
}

static bool app_begin_photo(App *app)
{
    app->photo = photo_open(&app->session);
    return true;
}

static void app_end_photo(App *app)
{
    photo_close(&app->photo, &app->session);
}

static void app_move_photo(App *app, const Input *input, double step)
{
    photo_step(&app->photo, &app->session, input, step);
}

static bool app_begin_inventory(App *app)
{
    return inventory_mode_begin(&app->inventory, &app->session);
}

static void app_end_inventory(App *app)
{
    inventory_mode_end(&app->inventory, &app->session);
}

static void app_take_inventory(App *app, const PanelChoices *choices)
{
    inventory_mode_take(&app->session, &choices->inventory);
    if (choices->inventory.close) {
        app_go(app, APP_PLAY);
    }
}

static bool app_begin_map(App *app)
{
    return map_mode_begin(&app->map, &app->session);
}

static void app_end_map(App *app)
{
    map_mode_end(&app->session);
}

static void app_move_map(App *app, const Input *input, double step)
{
    (void)input;
    map_mode_step(&app->map, &app->session, step);
    play_step(&app->play, &app->session, &(Input){0}, step);
}

static void app_take_map(App *app, const PanelChoices *choices)
{
    if (map_mode_take(&app->map, &app->session, &choices->in_map)) {
        app_go(app, APP_PLAY);
    }
}

static bool app_begin_building(App *app)
{
    return building_mode_begin(&app->building, &app->session, app->opened[0] ? app->opened : NULL);
}

static void app_end_building(App *app)
{
    building_mode_end(&app->building, &app->session);
}

/// The player walks, unless a form is open.
static void app_move_form(App *app, const Input *input, double step)
{
    play_step(&app->play, &app->session, app_has_form(app) ? &(Input){0} : input, step);
}

static void app_act_building(App *app, const Input *input, bool is_click_taken, double step)
{
    Input left = *input;
    (void)step;
    left.presses[INPUT_DIG] = is_click_taken ? 0 : left.presses[INPUT_DIG];
    left.presses[INPUT_BUILD] = is_click_taken ? 0 : left.presses[INPUT_BUILD];
    if (building_mode_step(&app->building, &app->session, &left)) {
        app_go(app, APP_PLAY);
    }
}

static void app_take_building(App *app, const PanelChoices *choices)
{
    const BuildingModeNext next =
        building_mode_take(&app->building, &app->session, &choices->in_building);
    if (next == BUILDING_IMPORTS) {
        (void)snprintf(app->imported, sizeof app->imported, "%s", app->building.path);
        app->wish = APP_LEAVES;
    }
    if (next != BUILDING_STAYS) {
        app_go(app, APP_PLAY);
    }
}

static bool app_begin_box(App *app)
{
    box_mode_begin(&app->box, &app->session);
    return true;
}

static void app_end_box(App *app)
{
    box_mode_end(&app->session);
}

static void app_act_box(App *app, const Input *input, bool is_click_taken, double step)
{
    (void)input, (void)is_click_taken, (void)step;
    box_mode_step(&app->box, &app->session);
}

static void app_take_box(App *app, const PanelChoices *choices)
{
    if (box_mode_take(&app->box, &app->session, &choices->in_building)) {
        app_go(app, APP_PLAY);
    }
}

/// A mode.
typedef struct AppModeRow {
    bool (*begin)(App *app); ///< @return false: PLAY begins in its place. NULL: nothing begins
    void (*end)(App *app);   ///< NULL: nothing ends
    void (*move)(App *app, const Input *input, double step); ///< NULL: the player walks
    /// NULL: the hand rests
    void (*act)(App *app, const Input *input, bool is_click_taken, double step);
    void (*take)(App *app, const PanelChoices *choices); ///< NULL: it has no panel
    bool is_over_play;                                   ///< the pause key leads back to PLAY
} AppModeRow;

static const AppModeRow MODES[] = {
    [APP_START] = {.begin = NULL},
    [APP_PLAY] = {.act = app_act_play},
    [APP_DEMO] = {app_begin_demo, app_end_demo, app_move_demo, NULL, NULL, false},
    [APP_PLAYBACK] = {NULL, app_end_playback, app_move_playback, app_act_playback, NULL, false},
    [APP_PHOTO] = {app_begin_photo, app_end_photo, app_move_photo, NULL, NULL, true},
    [APP_MAP] = {app_begin_map, app_end_map, app_move_map, NULL, app_take_map, true},
    [APP_BUILDING] = {app_begin_building, app_end_building, app_move_form, app_act_building,
                      app_take_building, true},
    [APP_BOX] = {app_begin_box, app_end_box, app_move_form, app_act_box, app_take_box, true},
    [APP_INVENTORY] = {app_begin_inventory, app_end_inventory, NULL, NULL, app_take_inventory,
                       true},
    [APP_PAUSED] = {.begin = NULL}};

void app_move_mode(App *app, const Input *input, double step)
{
    if (MODES[app->mode].move) {
        MODES[app->mode].move(app, input, step);
    } else {
        play_step(&app->play, &app->session, input, step);
    }
}

void app_act_mode(App *app, const Input *input, bool is_click_taken, double step)
{
    if (MODES[app->mode].act) {
        MODES[app->mode].act(app, input, is_click_taken, step);
    } else {
        person_release(&app->session.person);
    }
}

bool app_has_form(const App *app)
{
    return (app->mode == APP_BUILDING && building_mode_has_panel(&app->building)) ||
           (app->mode == APP_BOX && box_mode_has_panel(&app->box));
}

bool app_has_menu(const App *app)
{
    return app->mode == APP_PAUSED || app->mode == APP_INVENTORY || app->mode == APP_MAP ||
           app_has_form(app);
}

// ---- from one to another ------------------------------------------------------------------------

AppMode app_world_mode(const App *app)
{
    return app->mode == APP_PAUSED ? app->pause.resumes : app->mode;
}

void app_go(App *app, AppMode next)
{
    // The help would cover the menu or the tiles.
    app->hud.help &= app->mode != APP_PAUSED && (next == APP_PLAY || next == APP_DEMO);
    if (next == APP_PAUSED) {
        app->pause = pause_begin(&app->session, app->mode);
        app->mode = next;
    } else if (app->mode == APP_PAUSED) {
        app->mode = pause_end(&app->pause, &app->session);
    } else {
        const AppModeRow *row = &MODES[next];
        if (MODES[app->mode].end) {
            MODES[app->mode].end(app);
        }
        app->mode = !row->begin || row->begin(app) ? next : APP_PLAY;
    }
}

/// Switches between PLAY and a mode that a key opens and closes.
static void app_toggle_mode(App *app, AppMode mode)
{
    if (app->mode == mode) {
        app_go(app, APP_PLAY);
    } else if (app->mode == APP_PLAY && loading_has_land(&app->session.loading)) {
        app_go(app, mode);
    }
}

void app_take_mode_keys(App *app, const Input *input)
{
    if (input->presses[INPUT_PHOTO] % 2) {
        app_toggle_mode(app, APP_PHOTO);
    }
    if (input->presses[INPUT_INVENTORY] % 2) {
        app_toggle_mode(app, APP_INVENTORY);
    }
    if (input->presses[INPUT_MAP] % 2) {
        app_toggle_mode(app, APP_MAP);
    }
    if (input->presses[INPUT_PAUSE] % 2) {
        app_go(app,
               MODES[app->mode].is_over_play || app->mode == APP_PAUSED ? APP_PLAY : APP_PAUSED);
    }
    if (app->mode == APP_BOX) {
        box_mode_press(&app->box, &app->session, input);
    }
}

void app_take_dropped(App *app)
{
    Window *window = &app->session.viewer.window;
    if (!window->dropped[0] || !loading_has_land(&app->session.loading)) {
        return;
    }
    (void)snprintf(app->opened, sizeof app->opened, "%s", window->dropped);
    window->dropped[0] = '\0';
    if (app->mode == APP_PAUSED) {
        app_go(app, APP_PLAY);
    }
    if (app->mode != APP_PLAYBACK) {
        app_go(app, APP_PLAY);
        app_go(app, APP_BUILDING);
    }
    app->opened[0] = '\0';
}

void app_take_mode_choices(App *app, const PanelChoices *choices)
{
    if (MODES[app->mode].take) {
        MODES[app->mode].take(app, choices);
    }
    if ((choices->resume || choices->map || choices->open || choices->mark) &&
        app->mode == APP_PAUSED) {
        app_go(app, APP_PLAY);
        if (!choices->resume) {
            app_toggle_mode(app, choices->map ? APP_MAP : choices->open ? APP_BUILDING : APP_BOX);
        }
    }
}

void app_stop_mode(App *app)
{
    app->mode = app_world_mode(app);
    if (app->mode == APP_PHOTO && app->session.viewer.renderer) {
        photo_close(&app->photo, &app->session);
        app->mode = APP_PLAY;
    } else if (app->mode == APP_DEMO) {
        demo_end(&app->demo, &app->session.viewer.camera);
        app->mode = APP_PLAY;
    }
}
