#include "player/person.h"

#include <math.h>

#define RADIUS_STEP 1.0 // of one person_press, voxels

// ---- life ---------------------------------------------------------------------------------------

static bool person_may_edit(void *user, uint32_t chunks)
{
    return world_admits_edit(((Person *)user)->world, chunks);
}

static void person_throw_debris(void *user, const HandDug *dug)
{
    const Person *const person = user;
    if (!person->debris) {
        return;
    }
    for (uint32_t i = 0; i < dug->taken->count; i++) {
        const BrushBit *const bit = &dug->taken->bits[i];
        (void)debris_throw(person->debris, bit->voxel, bit->block, dug->face,
                           debris_share(dug->taken->count, i));
    }
}

static void person_record_edit(void *user, const HandEdit *edit)
{
    const Person *const person = user;
    if (person->recorder) {
        recorder_hear(person->recorder, edit);
    }
}

bool person_create(Person *person, const PersonDef *def, Message *problem)
{
    *person = (Person){.player = player_begin(&def->settings, def->camera->position),
                       .world = def->world,
                       .debris = def->debris,
                       .recorder = def->recorder};
    player_set_mode(&person->player, PLAYER_MODE_FLY);
    person_put(person, def->camera);
    HandDef hand = hand_def(world_edit_store(def->world));
    hand.admit = person_may_edit;
    hand.dug = person_throw_debris;
    hand.edited = person_record_edit;
    hand.user = person;
    return hand_create(&person->hand, &hand) ||
           message_set(problem, "Out of memory for the hand that digs and builds.");
}

void person_free(Person *person)
{
    hand_destroy(person->hand);
    *person = (Person){0};
}

void person_put(Person *person, const Camera *camera)
{
    player_put_eyes(&person->player, camera);
}

// ---- the body -----------------------------------------------------------------------------------

static const TrnStore *person_store_of(const Person *person)
{
    return world_store(person->world);
}

/// Moves a body on foot out of rock, which it entered when flight ended, or by undo or a loaded
/// chunk. Retries while chunks around it are loading. If there is no place to stand, reports that
/// once.
static bool person_find_place(Person *person, Message *news)
{
    const bool is_stuck = person->player.mode == PLAYER_MODE_FOOT &&
                          player_is_stuck(&person->player, person_store_of(person));
    person->gave_up &= is_stuck;
    if (!is_stuck || person->gave_up) {
        return false;
    }
    const PlayerPlace place = player_find_place(person_store_of(person), person->player.pose.feet);
    person->gave_up = place.kind == PLAYER_PLACE_NONE;
    if (place.kind == PLAYER_PLACE_MOVED || place.kind == PLAYER_PLACE_AFLOAT) {
        player_put(&person->player, place.feet);
    }
    *news = place.what;
    return news->text[0];
}

static bool person_change_mode(Person *person, const Input *input, Message *news)
{
    const bool fly = input_pressed(input, INPUT_FLY), pass = input_pressed(input, INPUT_NO_CLIP);
    if (!fly && !pass) {
        return false;
    }
    const PlayerMode mode = person->player.mode;
    const PlayerMode foot_or_flight = mode == PLAYER_MODE_FOOT ? PLAYER_MODE_FLY : PLAYER_MODE_FOOT;
    const PlayerMode through_or_flight =
        mode == PLAYER_MODE_NO_CLIP ? PLAYER_MODE_FLY : PLAYER_MODE_NO_CLIP;
    player_set_mode(&person->player, fly ? foot_or_flight : through_or_flight);
    (void)message_set(news, "Now %s.", player_mode_name(person->player.mode));
    return true;
}

static void person_advance(Person *person, const Input *input, double seconds, Camera *camera)
{
    const bool on_foot = person->player.mode == PLAYER_MODE_FOOT;
    const PlayerWish wish = {.right = (double)input->right,
                             .forward = (double)input->forward,
                             .up = on_foot ? 0 : (double)input->up,
                             .yaw = (double)camera->yaw,
                             .pitch = (double)camera->pitch,
                             .jump = on_foot && input_held(input, INPUT_UP),
                             .sneak = on_foot && input_held(input, INPUT_DOWN),
                             .sprint = input_held(input, INPUT_SPRINT)};
    (void)player_advance(&person->player, person_store_of(person), &wish, seconds);
    player_camera(&person->player, wish.yaw, wish.pitch, camera);
}

/// Only while the body waits: no other code reads the result.
static void person_look_for_ground(Person *person)
{
    TrnVoxel min, max;
    if (!player_waits(&person->player)) {
        return;
    }
    player_ground(&person->player, &min, &max);
    person->ground = trn_stream_readiness(world_stream(person->world), min, max);
}

bool person_move(Person *person, const Input *input, double seconds, Camera *camera, Message *news)
{
    camera_turn(camera, input->look_right, input->look_up);
    bool told = person_change_mode(person, input, news);
    told = person_find_place(person, news) || told;
    person_advance(person, input, seconds, camera);
    person_look_for_ground(person);
    return told;
}

bool person_waits(const Person *person)
{
    return player_waits(&person->player) && !person->ground.is_loaded;
}

// ---- the hand -----------------------------------------------------------------------------------

static void person_aim(Person *person, const Camera *camera)
{
    const Player *const player = &person->player;
    const TrnBodyDef shape = trn_body_def();
    const HandBody body = {.bottom = player->pose.feet,
                           .size = {shape.size[0], shape.size[1], shape.size[2]}};
    vec3 right, up, forward;
    camera_axes(camera, right, up, forward);
    const HandLook look = {
        .eye = camera->position,
        .direction = {(double)forward[0], (double)forward[1], (double)forward[2]},
        .reach = player->settings.reach,
        .bodies = &body,
        .body_count = player->mode == PLAYER_MODE_NO_CLIP ? 0 : 1};
    hand_aim(person->hand, &look);
}

TrnVoxel person_looks_at(Person *person, const Camera *camera, double away, bool is_block)
{
    vec3 right, up, forward;
    double at[3];
    camera_axes(camera, right, up, forward);
    const HandLook look = {
        .eye = camera->position,
        .direction = {(double)forward[0], (double)forward[1], (double)forward[2]},
        .reach = HAND_REACH_MAX};
    hand_aim(person->hand, &look);
    const HandAim aim = hand_aimed(person->hand);
    if (aim.is_aimed) {
        return is_block || !aim.has_place ? aim.voxel : aim.place;
    }
    camera_voxel(camera, at);
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = floor(at[axis] + (double)forward[axis] * away);
        at[axis] = fmin(fmax(at[axis], (double)TRN_VOXEL_MIN), (double)TRN_VOXEL_MAX);
    }
    return (TrnVoxel){(int64_t)at[0], (int64_t)at[1], (int64_t)at[2]};
}

static bool person_tell_tool(const Hand *hand, Message *news)
{
    switch (hand_tool(hand)) {
    case HAND_TOOL_BALL:
        (void)message_set(news, "Tool: ball of radius %g", hand_radius(hand));
        break;
    case HAND_TOOL_BOX:
        (void)message_set(news, "Tool: box between two corners");
        break;
    default:
        (void)message_set(news, "Tool: single block");
    }
    return true;
}

static bool person_choose_tool(Hand *hand, const Input *input, Message *news)
{
    const int next = input->presses[INPUT_TOOL_NEXT];
    const int wider = input->presses[INPUT_BRUSH_MORE] - input->presses[INPUT_BRUSH_LESS];
    if (!next && !wider) {
        return false;
    }
    hand_choose_tool(hand, wider ? HAND_TOOL_BALL
                                 : (HandTool)(((int)hand_tool(hand) + next) % HAND_TOOL_COUNT));
    hand_set_radius(hand, hand_radius(hand) + RADIUS_STEP * wider);
    return person_tell_tool(hand, news);
}

static void person_choose_block(Hand *hand, const Input *input)
{
    Palette *const palette = hand_palette(hand);
    palette_step(palette,
                 input->presses[INPUT_PALETTE_NEXT] - input->presses[INPUT_PALETTE_PREVIOUS]);
    for (uint32_t slot = 0; slot < PALETTE_BAR; slot++) {
        if (input_pressed(input, INPUT_PALETTE_1 + slot)) {
            (void)palette_choose_slot(palette, slot);
        }
    }
    if (input_pressed(input, INPUT_PICK)) {
        (void)hand_pick(hand);
    }
}

static bool person_tell_outcome(HandOutcome outcome, Message *news)
{
    const char *const text = hand_outcome_text(outcome);
    if (!text[0]) {
        return false; // keep an earlier message of this frame
    }
    (void)message_set(news, "%s", text);
    return true;
}

static const InputAction ACT_ACTIONS[HAND_ACT_COUNT] = {
    [HAND_DIG] = INPUT_DIG, [HAND_BUILD] = INPUT_BUILD, [HAND_REPLACE] = INPUT_REPLACE};

/// Reports a finished box, which replaces the message that asked for its other corner.
static bool person_tell_act(Person *person, HandOutcome outcome, Message *news)
{
    const Hand *const hand = person->hand;
    person->told = outcome;
    if (outcome == HAND_DONE && hand_tool(hand) == HAND_TOOL_BOX) {
        const unsigned long long changed = hand_changed(hand);
        (void)message_set(news, "Box: %llu voxel%s changed.", changed, changed == 1 ? "" : "s");
        return true;
    }
    return person_tell_outcome(outcome, news);
}

/// In a slow frame a button may be pressed several times; each press acts.
static bool person_press(Person *person, const Input *input, const Camera *camera, Message *news)
{
    bool told = false;
    for (HandAct act = 0; act < HAND_ACT_COUNT; act++) {
        for (uint8_t times = input->presses[ACT_ACTIONS[act]]; times; times--) {
            told = person_tell_act(person, hand_press(person->hand, act), news) || told;
            person_aim(person, camera);
        }
    }
    return told;
}

/// Reports once what ends the repetition for good. Having nothing within reach is not reported.
static bool person_hold(Person *person, const Input *input, double seconds, Message *news)
{
    const HandAct act = hand_pressed(person->hand);
    if (act == HAND_ACT_COUNT || !input_held(input, ACT_ACTIONS[act])) {
        hand_release(person->hand); // another button that is still down must not continue the
                                    // repetition
        return false;
    }
    const HandOutcome outcome = hand_hold(person->hand, seconds);
    const bool is_stopped = outcome == HAND_KEPT_FULL || outcome == HAND_NO_MEMORY;
    if (!is_stopped || outcome == person->told) {
        return false;
    }
    person->told = outcome;
    return person_tell_outcome(outcome, news);
}

/// Undoes or redoes some steps, and says how many.
static bool person_take_steps(Person *person, uint8_t presses, HandOutcome (*step)(Hand *hand),
                              const char *did, const char *verb, Message *news)
{
    int steps = 0;
    HandOutcome outcome = HAND_DONE;
    for (; steps < presses && outcome == HAND_DONE; steps += outcome == HAND_DONE) {
        outcome = step(person->hand);
    }
    if (!presses) {
        return false;
    }
    if (outcome == HAND_NOTHING_LEFT && !steps) {
        (void)message_set(news, "Nothing to %s.", verb);
    } else if (outcome == HAND_DONE || outcome == HAND_NOTHING_LEFT) {
        if (steps == 1) {
            (void)message_set(news, "%s the last edit.", did);
        } else {
            (void)message_set(news, "%s the last %d edits.", did, steps);
        }
    } else {
        (void)person_tell_outcome(outcome, news);
    }
    return true;
}

static bool person_take_back(Person *person, const Input *input, Message *news)
{
    const bool told =
        person_take_steps(person, input->presses[INPUT_UNDO], hand_undo, "Undid", "undo", news);
    return person_take_steps(person, input->presses[INPUT_REDO], hand_redo, "Redid", "redo",
                             news) ||
           told;
}

bool person_act(Person *person, const Input *input, double seconds, const Camera *camera,
                Message *news)
{
    Hand *const hand = person->hand;
    person_aim(person, camera);
    person_choose_block(hand, input);
    bool told = person_choose_tool(hand, input, news);
    told = person_hold(person, input, seconds, news) || told;
    told = person_press(person, input, camera, news) || told;
    told = person_take_back(person, input, news) || told;
    person_aim(person, camera); // the target may have changed
    person->is_outlined = hand_outline(hand, &person->outline);
    return told;
}

void person_release(Person *person)
{
    hand_release(person->hand);
}

const Outline *person_outline(const Person *person)
{
    return person->is_outlined ? &person->outline : NULL;
}

PanelPalette person_palette(const Person *person, Message *tool)
{
    const Palette *const palette = hand_palette(person->hand);
    tool->text[0] = 0;
    if (hand_tool(person->hand) != HAND_TOOL_SINGLE) {
        (void)person_tell_tool(person->hand, tool);
    }
    return (PanelPalette){.types = trn_store_block_types(person_store_of(person)),
                          .blocks = palette->bar,
                          .count = palette_bar(palette),
                          .chosen = palette->chosen,
                          .tool = tool->text[0] ? tool->text : NULL};
}
