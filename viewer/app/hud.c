#include "app/hud.h"

#include <string.h>

#define HUD_FIRST_HEIGHT                                                                           \
    360 // pixels, times the text scale: lowest window that shows the first hint

bool hud_create(Hud *hud, const Session *session, Message *problem)
{
    hud->panel = panel_create(session->viewer.window.handle);
    return hud->panel ||
           message_set(problem, "Cannot create the panels of figures on this driver.");
}

void hud_destroy(Hud *hud)
{
    panel_destroy(hud->panel);
    hud->panel = NULL;
}

// ---- hints --------------------------------------------------------------------------------------

static void hud_set_keys_hint(const Session *session, Message *hint)
{
    if (session->touches) {
        (void)message_set(hint, "Figures hides this   Menu pauses");
        return;
    }
    (void)message_set(hint, "%s keys   %s hide this   %s pause",
                      session_key(session, INPUT_HELP).text, session_key(session, INPUT_PANEL).text,
                      session_key(session, INPUT_PAUSE).text);
}

static const char *hud_look_hint(const Session *session)
{
    return session->touches ? "Tap the picture to look around."
                            : "Click into the picture to look around.";
}

/// The first hint for a new player, until they have walked a few voxels.
static void hud_set_first_hint(const Session *session, Message *hint)
{
    const bool is_caught = session->viewer.window.caught;
    const char *look = is_caught ? "" : hud_look_hint(session), *line = is_caught ? "" : "\n";
    if (session->touches) {
        (void)message_set(hint,
                          "%s%sLeft thumb: move   right thumb: look\n"
                          "Up: jump or rise   Fly: walk or fly\n"
                          "Blocks: what Build sets   Menu: pause",
                          look, line);
        return;
    }
    static const InputAction actions[] = {
        INPUT_FORWARD,   INPUT_LEFT, INPUT_BACK,  INPUT_RIGHT,     INPUT_UP,
        INPUT_FLY,       INPUT_DIG,  INPUT_BUILD, INPUT_PALETTE_1, INPUT_PALETTE_9,
        INPUT_INVENTORY, INPUT_MAP,  INPUT_HELP,  INPUT_PAUSE};
    InputLabel keys[sizeof actions / sizeof actions[0]];
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        keys[i] = session_key(session, actions[i]);
    }
    (void)message_set(hint,
                      "%s%sMove: %s %s %s %s   up: %s   walk or fly: %s\n"
                      "Dig: %s   build: %s   blocks: %s to %s\n"
                      "All blocks: %s   map: %s   all keys: %s   pause: %s",
                      look, line, keys[0].text, keys[1].text, keys[2].text, keys[3].text,
                      keys[4].text, keys[5].text, keys[6].text, keys[7].text, keys[8].text,
                      keys[9].text, keys[10].text, keys[11].text, keys[12].text, keys[13].text);
}

/// The hint in the first dark place. @return whether a key lights the lamp
static bool hud_set_lamp_hint(const Session *session, Message *hint)
{
    const InputLabel key = session_key(session, INPUT_LAMP);
    (void)message_set(hint, "It is dark here: %s lights your lamp.", key.text);
    return !session->touches && key.text[0];
}

/// Whether the window has space for the first hint.
static bool hud_has_room(const Hud *hud, const Session *session)
{
    const Window *window = &session->viewer.window;
    int width, height;
    glfwGetFramebufferSize(window->handle, &width, &height);
    return (float)height >= HUD_FIRST_HEIGHT * window_text_scale(window) && !hud->help &&
           !session->settings->figures; // both say more
}

/// Returns the notice over the picture, or NULL. @param hint  for a new player, or NULL
static const char *hud_notice(const Session *session, const HudFrame *frame, const char *hint)
{
    const char *notice = notices_text(&session->notices);
    if (notice) {
        return notice;
    }
    if (session->loading.state == LOADING_AHEAD) {
        return session->loading.text.text;
    }
    if (frame->mode == APP_PAUSED || frame->mode == APP_INVENTORY || frame->mode == APP_MAP ||
        frame->building) {
        return NULL;
    }
    const bool needs_no_hint = session->viewer.window.caught || frame->mode == APP_DEMO;
    return hint ? hint : needs_no_hint ? NULL : hud_look_hint(session);
}

/// The line below the buttons of the pause menu.
static void hud_set_menu_note(const Session *session, Message *note)
{
    Message world;
    open_world_describe(&session->world, &world);
    (void)message_set(note, "%s%s%.300s",
                      session->file.problems ? "The settings file has mistakes: it is not written."
                                             : "",
                      session->file.problems && world.text[0] ? "\n" : "", world.text);
}

/// Fills in the rows of the help: all keys, or the touch gestures.
/// @param keys  [INPUT_ACTION_COUNT] receives the key texts that the rows borrow
/// @return the number of rows
static size_t hud_help_rows(const Session *session, InputHelp keys[INPUT_ACTION_COUNT],
                            OverlayRow rows[INPUT_ACTION_COUNT])
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
    if (session->touches) {
        memcpy(rows, touch, sizeof touch);
        return sizeof touch / sizeof touch[0];
    }
    const size_t count = input_help(&session->settings->bindings, window_key_label, keys);
    for (size_t i = 0; i < count; i++) {
        rows[i] = (OverlayRow){input_group_title(keys[i].group), keys[i].keys, keys[i].words};
    }
    return count;
}

// ---- drawing ------------------------------------------------------------------------------------

/// Draws the figures and everything else below an overlay.
static void hud_draw_under(Hud *hud, Session *session, const HudFrame *frame,
                           const Overlay *overlay)
{
    const Window *window = &session->viewer.window;
    const bool has_hand = loading_has_land(&session->loading) &&
                          (frame->mode == APP_PLAY || frame->mode == APP_INVENTORY);
    Message hint, tool;
    hud_set_keys_hint(session, &hint);
    const PanelPalette palette = person_palette(&session->person, &tool);
    PanelFigures figures = figures_collect(session, hint.text, &hud->texts);
    figures.palette = has_hand && palette.count ? &palette : NULL;
    figures.inventory = figures.palette && frame->mode == APP_INVENTORY ? frame->inventory : NULL;
    figures.map = frame->map;
    figures.building = frame->building;
    figures.has_aim = frame->hint != NULL;
    figures.is_bare = frame->mode == APP_PHOTO || frame->map || frame->building;
    figures.index =
        session->settings->index_view && !figures.is_bare ? &session->viewer.index : NULL;
    hud->choices.settings = *session->settings;
    (frame->is_hidden ? panel_build : panel_draw)(hud->panel, &figures, &hud->choices, overlay,
                                                  window->caught, window_text_scale(window));
}

void hud_draw(Hud *hud, Session *session, const HudFrame *frame)
{
    const Loading *loading = &session->loading;
    const Look look = renderer_look(session->viewer.renderer);
    const bool is_helped = hud->help && frame->mode != APP_PHOTO;
    InputHelp keys[INPUT_ACTION_COUNT];
    OverlayRow rows[INPUT_ACTION_COUNT];
    Message note = {""}, hint;
    if (frame->mode == APP_PAUSED) {
        hud_set_menu_note(session, &note);
    }
    bool has_hint = frame->is_dark && hud_set_lamp_hint(session, &hint);
    if (!has_hint && frame->is_first && hud_has_room(hud, session)) {
        hud_set_first_hint(session, &hint);
        has_hint = true;
    }
    const Overlay overlay = {
        .labels = session->viewer.others.labels,
        .label_count = frame->map ? 0 : session->viewer.others.label_count,
        .rows = is_helped ? rows : NULL,
        .row_count = is_helped ? hud_help_rows(session, keys, rows) : 0,
        .paused = frame->mode == APP_PAUSED,
        .has_files = frame->has_files,
        .touches = session->touches,
        .note = note.text[0] ? note.text : NULL,
        .look = &look,
        .loading_text = loading_has_land(loading) ? NULL : loading->text.text,
        .loading = loading->part,
        .notice = hud_notice(session, frame,
                             frame->hint ? frame->hint
                             : has_hint  ? hint.text
                                         : NULL),
        .band = frame->mode != APP_DEMO ? NULL
                : session->touches      ? "Demo: touch to play"
                                        : "Demo: press any key",
    };
    hud_draw_under(hud, session, frame, &overlay);
}
