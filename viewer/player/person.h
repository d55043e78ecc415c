/// The person at the controls: a body that moves, eyes that look, a hand that digs and builds.
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
    World *world;            ///< borrowed, outlives the person
    Debris *debris;          ///< what digging throws; NULL: nothing. Borrowed
    PlayerSettings settings; ///< clamped
    const Camera *camera;    ///< where the eyes are at first
    Recorder *recorder;      ///< hears what is dug and built; NULL: nobody does. Borrowed
} PersonDef;

typedef struct Person {
    Player player;
    World *world;
    Debris *debris;
    Recorder *recorder;
    Hand *hand;
    bool gave_up;              ///< on foot in rock, and there is no place to stand near
    TrnStreamReadiness ground; ///< that a second of walking needs; looked for while the body waits
    Outline outline;           ///< what is aimed at
    bool is_outlined;
    HandOutcome told; ///< what the hand has told last, of what is held
} Person;

/// A flying person. `person` stays where it is until person_free. @return false without memory
bool person_create(Person *person, const PersonDef *def, Message *problem);
/// Before its world. A person of all zeroes has nothing to free.
void person_free(Person *person);

/// Puts the eyes at a camera, at rest: after somebody else has moved it.
void person_put(Person *person, const Camera *camera);

/// Moves as the input wants, changes between walking, flying and no-clip, and puts the camera at
/// the eyes.
/// @param news  receives a sentence where there is something to tell
/// @return whether there is
bool person_move(Person *person, const Input *input, double seconds, Camera *camera, Message *news);

/// Aims where the camera looks, and digs, builds, chooses and takes back as the input wishes.
/// @param news  receives a sentence where there is something to tell
/// @return whether there is
bool person_act(Person *person, const Input *input, double seconds, const Camera *camera,
                Message *news);

/// Lets go of what is held: for pauses.
void person_release(Person *person);

/// Whether chunks that are not there hold the body up; person->ground says how many.
bool person_waits(const Person *person);

/// What is aimed at, or NULL; until the next act.
const Outline *person_outline(const Person *person);

/// What the bar shows; borrows from the person. @param tool  receives the words for it
PanelPalette person_palette(const Person *person, Message *tool);

#endif
