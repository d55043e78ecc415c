/// What a world file notes for the viewer: seed and shape of its land, the time of day, and the
/// player's place, mode and bar of blocks.
///
/// The notes of a file win over defaults, settings files and recordings. Options of the command
/// line win over the time and the place, and may not contradict the land.
#ifndef TERRANE_VIEWER_WORLD_NOTES_H
#define TERRANE_VIEWER_WORLD_NOTES_H

#include "player/person.h"
#include "settings/settings.h"
#include "world/keep.h"

/// Bytes of the bar as text: the chosen slot from 1, then the names of all blocks.
#define WORLD_NOTES_BAR_BYTES (4 + PALETTE_BAR * (TRN_BLOCK_NAME_MAX + 2))

/// The notes that change while one plays. All zeroes: none.
typedef struct WorldNotes {
    double place[5]; ///< of the eyes, as Settings.at
    double hours;    ///< time of day
    char mode[16];   ///< "foot", "fly" or "no-clip"
    char bar[WORLD_NOTES_BAR_BYTES];
} WorldNotes;

/// Takes seed, shape, time and place of the settings' world file, if it exists.
/// @return PROGRAM_GOOD; PROGRAM_USAGE if the command line contradicts the file; PROGRAM_FAILED if
/// the file cannot be read
int world_notes_take(Settings *settings, Message *problem);

/// Takes the land of a world that is open. It differs from the settings' if another program made
/// the world after world_notes_take had found none.
/// @param facts  that the open world has
/// @return false if the command line contradicts it
bool world_notes_follow(Settings *settings, const WorldFacts *facts, Message *problem);

/// What a new world file notes.
WorldFacts world_notes_facts(const Settings *settings);

/// Gives a person the mode and the bar of a world file; what is unknown changes nothing.
void world_notes_begin(TrnSave *save, Person *person);

/// @param camera  looks where the person looks
/// @param is_led  the camera is moved by a flight, and the place is the camera's
WorldNotes world_notes_of(const Person *person, const Camera *camera, bool is_led, double hours);

/// Queues what differs from the notes that were written last.
/// @param written  updated; what could not be queued is tried again by the next call
void world_notes_write(TrnSave *save, const WorldNotes *notes, WorldNotes *written);

#endif
