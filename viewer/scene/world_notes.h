/// The viewer's notes in a world file: seed and shape of the land, time of day, and the player's
/// place, mode and bar of blocks.
///
/// A file's notes override defaults, settings files and recordings. Command line options override
/// time and place, and may not contradict the land.
#pragma once

#include "map/places.h"
#include "player/person.h"
#include "settings/settings.h"
#include "world/keep.h"

/// Bytes of the bar as text: the chosen slot from 1, then the names of all blocks.
#define WORLD_NOTES_BAR_BYTES (4 + PALETTE_BAR * (TRN_BLOCK_NAME_MAX + 2))

/// The notes that change during play. All zeroes: none.
typedef struct WorldNotes {
    double place[5]; ///< of the eyes, as Settings.at
    double hours;    ///< time of day
    char mode[16];   ///< "foot", "fly" or "no-clip"
    char bar[WORLD_NOTES_BAR_BYTES];
} WorldNotes;

/// Takes over seed, shape, time and place from the settings' world file, if it exists.
/// @return PROGRAM_GOOD; PROGRAM_USAGE if the command line contradicts the file; PROGRAM_FAILED if
/// the file cannot be read
int world_notes_take(Settings *settings, Message *problem);

/// Takes over the land of an open world. It differs from the settings' if another program created
/// the world after world_notes_take had found none.
/// @param facts  of the open world
/// @return false if the command line contradicts them
bool world_notes_follow(Settings *settings, const WorldFacts *facts, Message *problem);

/// Returns the facts for a new world file.
WorldFacts world_notes_facts(const Settings *settings);

/// Gives a person the mode and the bar of a world file; ignores unknown values.
void world_notes_begin(TrnSave *save, Person *person);

/// @param camera  has the direction in which the person looks
/// @param is_led  a flight moves the camera: notes the camera's place
WorldNotes world_notes_of(const Person *person, const Camera *camera, bool is_led, double hours);

/// Queues the notes that differ from those written last.
/// @param written  updated; notes that could not be queued are retried by the next call
void world_notes_write(TrnSave *save, const WorldNotes *notes, WorldNotes *written);

/// Reads the places that the player has named.
/// @return false if some are damaged: `places` has the others
bool world_notes_read_places(TrnSave *save, Places *places);

/// Queues the places. Errors: those of trn_save_set_value.
TrnResult world_notes_write_places(TrnSave *save, const Places *places);
