#include "app/building_mode.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define BUILDING_AWAY 24.0 // voxels from the eyes to the box's middle, if nothing is looked at
#define BUILDING_REST_SECONDS 5. // limit for writing everything before types are added

// ---- life ---------------------------------------------------------------------------------------

static bool building_read_file(BuildingMode *mode, Session *session, const char *path)
{
    Message problem;
    building_end(mode->building);
    mode->building = building_read(path, &problem);
    if (!mode->building) {
        notices_show(&session->notices, &problem);
        return false;
    }
    mode->stage = BUILDING_WAITS;
    return true;
}

bool building_mode_begin(BuildingMode *mode, Session *session, const char *path)
{
    const bool clears = mode->clears;
    *mode = (BuildingMode){.stage = BUILDING_CHOOSES, .clears = clears};
    mode->place.is_placed = true;
    if (path && !building_read_file(mode, session, path)) {
        return false;
    }
    person_release(&session->person);
    window_catch_mouse(&session->viewer.window, false);
    return true;
}

void building_mode_end(BuildingMode *mode, Session *session)
{
    building_end(mode->building);
    mode->building = NULL;
    window_catch_mouse(&session->viewer.window, true);
}

bool building_mode_has_panel(const BuildingMode *mode)
{
    return mode->stage < BUILDING_AIMS;
}

// ---- the box ------------------------------------------------------------------------------------

/// Returns the size of the building as it is turned.
static void building_turned_size(const BuildingMode *mode, int64_t size[3])
{
    int64_t own[3];
    building_size(mode->building, own);
    const bool is_across = mode->place.quarters % 2 == 1;
    size[0] = own[is_across ? 2 : 0];
    size[1] = own[1];
    size[2] = own[is_across ? 0 : 2];
}

static int64_t building_keep_inside(int64_t corner, int64_t size)
{
    const int64_t last = TRN_VOXEL_MAX - size + 1;
    return corner < TRN_VOXEL_MIN ? TRN_VOXEL_MIN : corner > last ? last : corner;
}

/// Puts the box on what the player looks at, with the middle of its floor there; or before the
/// eyes.
static void building_aim(BuildingMode *mode, Session *session)
{
    int64_t size[3];
    const TrnVoxel at =
        person_looks_at(&session->person, &session->viewer.camera, BUILDING_AWAY, false);
    building_turned_size(mode, size);
    mode->corner = (TrnVoxel){building_keep_inside(at.x - size[0] / 2, size[0]),
                              building_keep_inside(at.y + mode->raised, size[1]),
                              building_keep_inside(at.z - size[2] / 2, size[2])};
}

/// Turns the box about its middle: a held box stays where it is.
static void building_turn_box(BuildingMode *mode, int quarters)
{
    int64_t before[3], after[3];
    building_turned_size(mode, before);
    mode->place.quarters = (mode->place.quarters + (uint32_t)quarters) % 4;
    building_turned_size(mode, after);
    mode->corner.x = building_keep_inside(mode->corner.x + (before[0] - after[0]) / 2, after[0]);
    mode->corner.z = building_keep_inside(mode->corner.z + (before[2] - after[2]) / 2, after[2]);
}

/// Not mirrored, then west and east, then north and south.
static void building_mirror(BuildingMode *mode)
{
    const bool was_x = mode->place.mirrors_x, was_z = mode->place.mirrors_z;
    mode->place.mirrors_x = !was_x && !was_z;
    mode->place.mirrors_z = was_x;
}

static void building_take_keys(BuildingMode *mode, const Input *input)
{
    const int up = input->presses[INPUT_BRUSH_MORE] - input->presses[INPUT_BRUSH_LESS];
    const int turns = input->presses[INPUT_REPLACE] + input->presses[INPUT_PALETTE_NEXT] +
                      3 * input->presses[INPUT_PALETTE_PREVIOUS];
    int64_t size[3];
    building_turn_box(mode, turns);
    for (int i = 0; i < input->presses[INPUT_TOOL_NEXT]; i++) {
        building_mirror(mode);
    }
    mode->is_held ^= input->presses[INPUT_DIG] % 2 == 1;
    mode->raised += up;
    building_turned_size(mode, size);
    mode->corner.y = building_keep_inside(mode->corner.y + up, size[1]);
}

static void building_show_box(BuildingMode *mode)
{
    int64_t size[3];
    const TrnVoxel low = mode->corner;
    building_turned_size(mode, size);
    mode->outline =
        (Outline){.has_box = true,
                  .box_min = low,
                  .box_max = {low.x + size[0] - 1, low.y + size[1] - 1, low.z + size[2] - 1}};
}

// ---- putting it there ---------------------------------------------------------------------------

/// Whether the world's types may be added to. @return false with a notice
static bool building_may_add_types(const BuildingMode *mode, Session *session)
{
    World *world = session->viewer.world;
    if (!building_needs_types(mode->building, session->viewer.types)) {
        return true;
    }
    if (keep_member(session->viewer.keep)) {
        notices_say(&session->notices, "It has blocks that this shared world does not know.");
        return false;
    }
    const TrnResult result = world_rest(world, BUILDING_REST_SECONDS);
    if (result != TRN_RESULT_OK) {
        notices_say(&session->notices, "The world cannot be written now: %s",
                    trn_result_text(result));
    }
    return result == TRN_RESULT_OK;
}

/// @return whether the building is in the world now
static bool building_put_there(const BuildingMode *mode, Session *session)
{
    BuildingPut put = {mode->building, session->viewer.types, mode->clears};
    if (!building_may_add_types(mode, session)) {
        return false;
    }
    const HandOutcome outcome =
        hand_make(session->person.hand, building_chunks(mode->building), building_put, &put);
    if (outcome != HAND_DONE) {
        notices_say(&session->notices, "%s", hand_outcome_text(outcome));
        return outcome == HAND_DONE_FOR_GOOD;
    }
    const unsigned long long changed = hand_changed(session->person.hand);
    const InputLabel undo = session_key(session, INPUT_UNDO);
    notices_say(&session->notices, "Put %s here: %llu block%s. %s%s", building_name(mode->building),
                changed, changed == 1 ? "" : "s", undo.text, undo.text[0] ? " takes it back." : "");
    return true;
}

/// Begins to turn the building for its place.
static void building_confirm(BuildingMode *mode, Session *session)
{
    Message problem;
    if (session->recorder.writer) {
        notices_say(&session->notices,
                    "End the recording first: recordings of flights hold no buildings.");
    } else if (!building_place(mode->building, mode->corner, &mode->place, &problem)) {
        notices_show(&session->notices, &problem);
    } else {
        mode->stage = BUILDING_TURNS;
    }
}

// ---- steps --------------------------------------------------------------------------------------

static void building_step_wait(BuildingMode *mode)
{
    const BuildingState state = building_state(mode->building);
    if (state == BUILDING_FAILED) {
        (void)message_set(&mode->wrong, "%s", building_text(mode->building));
        mode->stage = BUILDING_CHOOSES;
    } else if (state != BUILDING_READS) {
        mode->stage = BUILDING_ASKS;
    }
}

bool building_mode_step(BuildingMode *mode, Session *session, const Input *input)
{
    if (mode->stage == BUILDING_WAITS) {
        building_step_wait(mode);
    } else if (mode->stage == BUILDING_AIMS) {
        building_take_keys(mode, input);
        if (!mode->is_held) {
            building_aim(mode, session);
        }
        if (input_pressed(input, INPUT_BUILD)) {
            building_confirm(mode, session);
        }
    } else if (mode->stage == BUILDING_TURNS) {
        const BuildingState state = building_state(mode->building);
        if (state == BUILDING_READY && building_put_there(mode, session)) {
            return true;
        }
        if (state == BUILDING_FAILED) {
            notices_say(&session->notices, "%s", building_text(mode->building));
            return true;
        }
        mode->stage = state == BUILDING_PLACES ? BUILDING_TURNS : BUILDING_AIMS;
    }
    if (mode->stage >= BUILDING_AIMS) {
        building_show_box(mode);
        session->viewer.outline = &mode->outline;
    }
    return false;
}

// ---- the panel ----------------------------------------------------------------------------------

static void building_describe(BuildingMode *mode)
{
    int64_t size[3];
    const char *name = building_name(mode->building), *why = building_text(mode->building);
    const MessageText shown = message_short(name);
    building_size(mode->building, size);
    if (mode->stage == BUILDING_WAITS) {
        (void)message_set(&mode->text, "%s ...", shown.text);
    } else if (size[0]) {
        (void)message_set(&mode->text,
                          "%s is a building of %" PRId64 " x %" PRId64 " x %" PRId64 " blocks.%s%s",
                          shown.text, size[0], size[1], size[2], why[0] ? " " : "", why);
    } else {
        (void)message_set(&mode->text,
                          "%s is a world. It becomes a world of its own; this one is saved first.",
                          shown.text);
    }
}

BuildingFigures building_mode_figures(BuildingMode *mode, const Session *session)
{
    (void)session;
    static const BuildingPage pages[] = {[BUILDING_CHOOSES] = BUILDING_PAGE_CHOOSE,
                                         [BUILDING_WAITS] = BUILDING_PAGE_READ,
                                         [BUILDING_ASKS] = BUILDING_PAGE_ASK};
    if (mode->building && mode->stage != BUILDING_CHOOSES) {
        building_describe(mode);
    }
    return (BuildingFigures){.page = pages[mode->stage],
                             .text = mode->text.text,
                             .wrong = mode->wrong.text[0] ? mode->wrong.text : NULL,
                             .may_place =
                                 mode->building && building_state(mode->building) == BUILDING_IS,
                             .clears = mode->clears};
}

const char *building_mode_hint(BuildingMode *mode, const Session *session)
{
    static const char *const mirrors[] = {"", ", mirrored west to east",
                                          ", mirrored north to south"};
    static const InputAction actions[] = {INPUT_BUILD,      INPUT_REPLACE,    INPUT_TOOL_NEXT,
                                          INPUT_BRUSH_MORE, INPUT_BRUSH_LESS, INPUT_DIG,
                                          INPUT_PAUSE};
    InputLabel keys[sizeof actions / sizeof actions[0]];
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        keys[i] = session_key(session, actions[i]);
    }
    (void)message_set(&mode->hint,
                      "%s, turned %u degrees%s\nPut it here: %s   turn: %s   mirror: %s\n"
                      "Higher: %s   lower: %s   %s: %s\nCancel: %s",
                      message_short(building_name(mode->building)).text, mode->place.quarters * 90,
                      mirrors[mode->place.mirrors_x   ? 1
                              : mode->place.mirrors_z ? 2
                                                      : 0],
                      keys[0].text, keys[1].text, keys[2].text, keys[3].text, keys[4].text,
                      mode->is_held ? "move on" : "hold still", keys[5].text, keys[6].text);
    return mode->hint.text;
}

BuildingModeNext building_mode_take(BuildingMode *mode, Session *session,
                                    const BuildingChoice *choice)
{
    mode->clears = choice->clears;
    switch (choice->act) {
    case BUILDING_CLOSE:
        return BUILDING_IS_OVER;
    case BUILDING_OPEN:
        mode->wrong.text[0] = '\0';
        (void)building_read_file(mode, session, choice->path);
        return BUILDING_STAYS;
    case BUILDING_PLACE:
        mode->stage = BUILDING_AIMS;
        window_catch_mouse(&session->viewer.window, true);
        return BUILDING_STAYS;
    case BUILDING_NEW_WORLD:
        (void)snprintf(mode->path, sizeof mode->path, "%s", building_path(mode->building));
        return BUILDING_IMPORTS;
    default:
        return BUILDING_STAYS;
    }
}
