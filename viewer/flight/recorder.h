/// Records the player's movements and edits into the --out folder.
///
///     recorder_toggle(&recorder, &place, &news);    // a key starts and stops it
///     recorder_hear(&recorder, &edit);              // from HandDef.edited
///     recorder_frame(&recorder, seconds, &camera);
///     recorder_finish(&recorder, &news);            // at the end
#pragma once

#include "flight/flight_writer.h"
#include "render/camera.h"
#include "world/world.h"

/// All zeroes: not recording.
typedef struct Recorder {
    FlightWriter *writer; ///< NULL: not recording
    const char *folder;   ///< of a numbered file, borrowed; NULL: it was named
    const TrnBlockTypes *types;
    double seconds;      ///< since the recording began
    double yaw;          ///< of the last key, not wrapped
    uint32_t undoable;   ///< steps of the recording that can be undone
    uint32_t undone;     ///< steps of the recording that can be redone
    uint32_t undone_old; ///< undone steps from before the recording
    unsigned number;     ///< of the last file's name
    double us;           ///< time spent on recording the last frame, with its edits
} Recorder;

typedef struct RecorderPlace {
    const FlightHead *head; ///< without the land mark, which the recorder computes
    const char *folder;     ///< folder for numbered files
    const World *world;
    const Camera *camera;
} RecorderPlace;

/// Begins a recording in a file flight-N.flight with the first free N, or ends the current one.
/// @param path  the file; NULL: a numbered file
/// @param news  receives a message, also on failure
/// @return whether it succeeded
bool recorder_begin(Recorder *recorder, const RecorderPlace *place, const char *path,
                    Message *news);
bool recorder_toggle(Recorder *recorder, const RecorderPlace *place, Message *news);

/// Ends a recording and renames the file into place.
/// @param news  receives a message; empty if nothing was recorded
/// @return false if writing failed; then no file is left
bool recorder_finish(Recorder *recorder, Message *news);

/// Deletes an unfinished recording.
void recorder_drop(Recorder *recorder);

/// Records a frame. Ends the recording if the disk is full, or after FLIGHT_SECONDS_MAX.
/// @param seconds  duration of the frame
/// @param news     receives a message if the recording ended
/// @return whether it ended
/// Cost: less than 10 us.
bool recorder_frame(Recorder *recorder, double seconds, const Camera *camera, Message *news);

/// Records an edit. Omits undoing edits from before the recording.
void recorder_hear(Recorder *recorder, const HandEdit *edit);
