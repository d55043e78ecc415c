/// The open world: saves it, notes the player in its file, and exchanges places with other players.
#pragma once

#include "app/mode.h"
#include "app/notices.h"
#include "map/places.h"
#include "player/person.h"
#include "scene/viewer.h"
#include "scene/world_notes.h"

typedef struct OpenWorld {
    Viewer *viewer; ///< borrowed, like `person`
    Person *person;
    WorldNotes noted;    ///< what the world file notes now
    Places places;       ///< that the player has named
    bool has_new_places; ///< the world file lacks a change of them
    double noted_at;     ///< seconds on the clock of the frames: the last comparison
    bool warned_at_end;  ///< saving failed when the user quit: the next quit ends the viewer
} OpenWorld;

/// Gives the person the mode and the bar that the world file has noted, and reads its places.
/// @param world    receives the world
/// @param notices  say if the places are damaged
void open_world_begin(OpenWorld *world, Viewer *viewer, Person *person, Notices *notices);

/// Whether the world has a file, or is shared.
bool open_world_has_file(const OpenWorld *world);

/// Notes the player's place now and then, and shows news of the world file; call it once a frame.
/// @param mode   the mode that moves the camera: never PAUSED
/// @param clock  seconds, pauses included
void open_world_watch(OpenWorld *world, AppMode mode, double clock, Notices *notices);

/// Notes the places in the world file after a change. If its queue is full, open_world_watch tries
/// again.
void open_world_note_places(OpenWorld *world);

/// Returns a sentence if the places do not last; otherwise NULL.
const char *open_world_places_note(const OpenWorld *world);

/// Exchanges places with the other players of a shared world; once a frame, before drawing.
/// @param is_there  the player is at the camera
/// @param seconds   since the last call
void open_world_meet_others(OpenWorld *world, bool is_there, double seconds);

/// Saves everything.
/// @param mode        as open_world_watch
/// @param is_pictured the last picture shows the world: store it for the start screen
/// @param problem     unless OK, receives why saving failed
/// @return OK, also without a world file; BUSY if the disk does not respond: closing would block
TrnResult open_world_save(OpenWorld *world, AppMode mode, bool is_pictured, Message *problem);

/// Saves everything before the viewer ends. @param news  receives a sentence if saving failed
/// @return false if not all is saved, but only once: the player may fix that and quit again
bool open_world_may_end(OpenWorld *world, AppMode mode, bool is_pictured, Message *news);

/// Returns why the world cannot be saved now, or NULL if it can.
const char *open_world_failure(const OpenWorld *world);

/// Writes a line for the pause menu; empty without a world file.
void open_world_describe(const OpenWorld *world, Message *text);
