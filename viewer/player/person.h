/// The person at the controls: a body that moves, eyes, and a hand that digs and builds.
///
///     person_move(&person, &input, seconds, &camera);
///     person_act(&person, &input, seconds, &camera, &news);
#ifndef TERRANE_VIEWER_PERSON_H
#define TERRANE_VIEWER_PERSON_H

#include "debris/debris.h"
#include "flight/recorder.h"
#include "hand/hand.h"
#include "panels/panel_palette.h"
#include "player/player.h"
#include "window/input.h"
#include "world/world.h"

typedef struct PersonDef {
    World *world;            ///< borrowed, must outlive the person
    Debris *debris;          ///< thrown when digging; NULL: none. Borrowed
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
    bool gave_up;              ///< on foot in rock, and no place to stand is near
    TrnStreamReadiness ground; ///< the land for a second of walking; updated while the body waits
    Outline outline;           ///< what is aimed at
    bool is_outlined;
    HandOutcome told; ///< what the hand has told last, of what is held
} Person;

/// Creates a flying person. `person` must not move until person_free. @return false without memory
bool person_create(Person *person, const PersonDef *def, Message *problem);
/// Must be called before the world is destroyed. A person of all zeroes may be freed.
void person_free(Person *person);

/// Puts the eyes at a camera, at rest, for example after a flight.
void person_put(Person *person, const Camera *camera);

/// Moves by the input, switches between walking, flying and no-clip, and puts the camera at the
/// eyes.
/// @param news  receives a message for the player, if any
/// @return whether there is one
bool person_move(Person *person, const Input *input, double seconds, Camera *camera, Message *news);

/// Aims along the camera, and digs, builds, chooses and undoes by the input.
/// @param news  receives a message for the player, if any
/// @return whether there is one
bool person_act(Person *person, const Input *input, double seconds, const Camera *camera,
                Message *news);

/// Releases held buttons, for pauses.
void person_release(Person *person);

/// Whether unloaded chunks stop the body; person->ground says how many.
bool person_waits(const Person *person);

/// Returns the outline of what is aimed at, or NULL; valid until the next act.
const Outline *person_outline(const Person *person);

/// Returns what the bar shows, borrowed from the person. @param tool  receives the tool's
/// description
PanelPalette person_palette(const Person *person, Message *tool);

#endif
