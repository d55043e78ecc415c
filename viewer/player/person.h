/// The person at the controls: a body that moves, eyes, and a hand that digs and builds.
///
///     person_move(&person, &input, seconds, &camera);
///     person_act(&person, &input, seconds, &camera, &news);
#pragma once

#include "debris/debris.h"
#include "flight/recorder.h"
#include "hand/hand.h"
#include "panels/panel_palette.h"
#include "player/player.h"
#include "window/input.h"
#include "world/world.h"

typedef struct PersonDef {
    World *world;            ///< borrowed, must outlive the person
    Debris *debris;          ///< receives the debris of digging; NULL: none. Borrowed
    PlayerSettings settings; ///< clamped
    const Camera *camera;    ///< where the eyes start
    Recorder *recorder;      ///< records edits; NULL: none. Borrowed
} PersonDef;

typedef struct Person {
    Player player;
    World *world;
    Debris *debris;
    Recorder *recorder;
    Hand *hand;
    bool gave_up;              ///< on foot in rock, without a place to stand nearby
    TrnStreamReadiness ground; ///< the land for a second of walking; updated while the body waits
    Outline outline;           ///< of the target block
    bool is_outlined;
    HandOutcome told; ///< the last outcome reported to the player during the held press
} Person;

/// Creates a flying person. `person` must not move until person_free. @return false if out of
/// memory
bool person_create(Person *person, const PersonDef *def, Message *problem);
/// Call it before the world is destroyed. Accepts a person of all zeroes.
void person_free(Person *person);

/// Puts the eyes at a camera, with zero velocity, for example after a flight.
void person_put(Person *person, const Camera *camera);

/// Moves the person by the input, switches between walking, flying and no-clip, and puts the camera
/// at the eyes.
/// @param news  receives a message for the player, if any
/// @return whether `news` has a message
bool person_move(Person *person, const Input *input, double seconds, Camera *camera, Message *news);

/// Aims along the camera, and digs, builds, chooses and undoes by the input.
/// @param news  receives a message for the player, if any
/// @return whether `news` has a message
bool person_act(Person *person, const Input *input, double seconds, const Camera *camera,
                Message *news);

/// Returns the voxel that the eyes look at: a block within HAND_REACH_MAX or the place before it;
/// without one, the voxel at a distance before the eyes. Aims the hand.
/// @param away     voxels
/// @param is_block the block itself instead of the place before it
TrnVoxel person_looks_at(Person *person, const Camera *camera, double away, bool is_block);

/// Releases held buttons, when a pause begins.
void person_release(Person *person);

/// Whether unloaded chunks stop the body; person->ground says how many.
bool person_waits(const Person *person);

/// Returns the outline of the target block, or NULL; valid until the next act.
const Outline *person_outline(const Person *person);

/// Returns the contents of the bar, borrowed from the person. @param tool  receives the tool's
/// description
PanelPalette person_palette(const Person *person, Message *tool);
