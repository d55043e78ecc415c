#include "app/box_mode.h"

#include <inttypes.h>
#include <stdio.h>

#include "building/box_save.h"

#define BOX_AWAY 4.0 // voxels from the eyes to the corner, if nothing is looked at

typedef struct BoxBounds {
    TrnVoxel min, max;
} BoxBounds;

void box_mode_begin(BoxMode *mode, Session *session)
{
    mode->is_saving = false;
    mode->wrong.text[0] = mode->saved.text[0] = '\0';
    person_release(&session->person);
    window_catch_mouse(&session->viewer.window, true);
}

void box_mode_end(Session *session)
{
    window_catch_mouse(&session->viewer.window, true);
}

bool box_mode_has_panel(const BoxMode *mode)
{
    return mode->is_saving;
}

// ---- the box ------------------------------------------------------------------------------------

static int64_t box_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t box_most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/// The box between the corners. With one corner, that voxel.
static BoxBounds box_bounds(const BoxMode *mode)
{
    const TrnVoxel a = mode->corner[mode->has_corner[0] ? 0 : 1];
    const TrnVoxel b = mode->corner[mode->has_corner[1] ? 1 : 0];
    return (BoxBounds){{box_least(a.x, b.x), box_least(a.y, b.y), box_least(a.z, b.z)},
                       {box_most(a.x, b.x), box_most(a.y, b.y), box_most(a.z, b.z)}};
}

static bool box_is_whole(const BoxMode *mode)
{
    return mode->has_corner[0] && mode->has_corner[1];
}

/// Moves the upper side of the box, but not below the lower one.
static void box_raise(BoxMode *mode, int64_t by)
{
    TrnVoxel *top = &mode->corner[mode->corner[0].y > mode->corner[1].y ? 0 : 1];
    const int64_t low = box_bounds(mode).min.y;
    top->y = box_least(box_most(top->y + by, low), TRN_VOXEL_MAX);
}

static void box_mark(BoxMode *mode, Session *session, int corner)
{
    const TrnVoxel at = person_looks_at(&session->person, &session->viewer.camera, BOX_AWAY, true);
    mode->corner[corner] = at;
    mode->has_corner[corner] = true;
}

static void box_open_form(BoxMode *mode, Session *session)
{
    if (!box_is_whole(mode)) {
        notices_say(&session->notices, "Mark two corners first.");
        return;
    }
    mode->is_saving = true;
    mode->wrong.text[0] = mode->saved.text[0] = '\0';
    window_catch_mouse(&session->viewer.window, false);
}

void box_mode_press(BoxMode *mode, Session *session, const Input *input)
{
    const bool is_caught = session->viewer.window.caught; // otherwise a click catches the mouse
    if (!mode->is_saving) {
        const int64_t up = input->presses[INPUT_BRUSH_MORE] - input->presses[INPUT_BRUSH_LESS] +
                           input->presses[INPUT_PALETTE_PREVIOUS] -
                           input->presses[INPUT_PALETTE_NEXT];
        if (is_caught && input_pressed(input, INPUT_DIG)) {
            box_mark(mode, session, 0);
        }
        if (is_caught && input_pressed(input, INPUT_BUILD)) {
            box_mark(mode, session, 1);
        }
        if (box_is_whole(mode)) {
            box_raise(mode, up);
        }
        if (input_pressed(input, INPUT_REPLACE)) {
            box_open_form(mode, session);
        }
    }
}

void box_mode_step(BoxMode *mode, Session *session)
{
    mode->outline = (Outline){.has_box = mode->has_corner[0] || mode->has_corner[1]};
    if (mode->outline.has_box) {
        const BoxBounds bounds = box_bounds(mode);
        mode->outline.box_min = bounds.min;
        mode->outline.box_max = bounds.max;
        session->viewer.outline = &mode->outline;
    }
}

// ---- the form -----------------------------------------------------------------------------------

/// Writes "9 x 12 x 7 blocks".
static void box_write_size(const BoxMode *mode, Message *size)
{
    const BoxBounds bounds = box_bounds(mode);
    (void)message_set(size, "%" PRId64 " x %" PRId64 " x %" PRId64 " blocks",
                      bounds.max.x - bounds.min.x + 1, bounds.max.y - bounds.min.y + 1,
                      bounds.max.z - bounds.min.z + 1);
}

BuildingFigures box_mode_figures(BoxMode *mode)
{
    const BoxBounds bounds = box_bounds(mode);
    Message size;
    box_write_size(mode, &size);
    (void)message_set(&mode->text,
                      "The box of %.64s, from %" PRId64 " %" PRId64 " %" PRId64 " to %" PRId64
                      " %" PRId64 " %" PRId64 ".",
                      size.text, bounds.min.x, bounds.min.y, bounds.min.z, bounds.max.x,
                      bounds.max.y, bounds.max.z);
    return (BuildingFigures){.page = BUILDING_PAGE_SAVE,
                             .text = mode->text.text,
                             .wrong = mode->wrong.text[0] ? mode->wrong.text : NULL,
                             .saved = mode->saved.text[0] ? mode->saved.text : NULL};
}

const char *box_mode_hint(BoxMode *mode, const Session *session)
{
    static const InputAction actions[] = {INPUT_DIG,        INPUT_BUILD,   INPUT_BRUSH_MORE,
                                          INPUT_BRUSH_LESS, INPUT_REPLACE, INPUT_PAUSE};
    InputLabel keys[sizeof actions / sizeof actions[0]];
    Message size = {"Mark two corners of what you want to save"};
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        keys[i] = session_key(session, actions[i]);
    }
    if (box_is_whole(mode)) {
        box_write_size(mode, &size);
    }
    (void)message_set(&mode->hint,
                      "%.64s\nOne corner: %s   the other: %s\n"
                      "Higher: %s   lower: %s   save: %s   cancel: %s",
                      size.text, keys[0].text, keys[1].text, keys[2].text, keys[3].text,
                      keys[4].text, keys[5].text);
    return mode->hint.text;
}

static void box_save_now(BoxMode *mode, Session *session, const BuildingChoice *choice)
{
    char path[FILE_PATH_MAX];
    const BoxBounds bounds = box_bounds(mode);
    const BoxSaveDef def = {.store = world_store(session->viewer.world),
                            .min = bounds.min,
                            .max = bounds.max,
                            .format = choice->format,
                            .path = path};
    mode->wrong.text[0] = mode->saved.text[0] = '\0';
    Message text;
    const bool is_good = box_save_path(choice->folder, choice->name, choice->format, path, &text) &&
                         box_save(&def, &text);
    *(is_good ? &mode->saved : &mode->wrong) = text;
}

bool box_mode_take(BoxMode *mode, Session *session, const BuildingChoice *choice)
{
    switch (choice->act) {
    case BUILDING_CLOSE:
        return true;
    case BUILDING_MARK:
        mode->is_saving = false;
        window_catch_mouse(&session->viewer.window, true);
        return false;
    case BUILDING_SAVE:
        box_save_now(mode, session, choice);
        return false;
    default:
        return false;
    }
}
