/// Records what the person at the controls does, into the --out folder.
///
///     recorder_toggle(&recorder, &place, &news);    // a key starts and stops it
///     recorder_hear(&recorder, &edit);              // from HandDef.edited
///     recorder_frame(&recorder, seconds, &camera);
///     recorder_finish(&recorder, &news);            // at the end, however it comes
#ifndef TERRANE_VIEWER_RECORDER_H
#define TERRANE_VIEWER_RECORDER_H

#include "flight/flight_writer.h"
#include "render/camera.h"
#include "world/world.h"

/// All zeroes: nothing is recorded.
typedef struct Recorder {
    FlightWriter *writer; ///< NULL: nothing is recorded
    const TrnBlockTypes *types;
    double seconds;      ///< since it began
    double yaw;          ///< of the last key, not wrapped
    uint32_t undoable;   ///< steps in the recording that can be taken back
    uint32_t undone;     ///< and that can be done again
    uint32_t undone_old; ///< taken back of what was done before the recording
    unsigned number;     ///< of the last file
    double us;           ///< that the last frame's recording took, its edits' too
} Recorder;

typedef struct RecorderPlace {
    const FlightHead *head; ///< all but the mark of the land, which the recorder takes of the world
    const char *folder;     ///< where files by number go
    const World *world;
    const Camera *camera;
} RecorderPlace;

/// Begins a recording in a file flight-N.flight, N the first that is free, or ends the one that
/// there is.
/// @param path  the file; NULL: by number
/// @param news  receives a sentence, be it what went wrong
/// @return whether it was done
bool recorder_begin(Recorder *recorder, const RecorderPlace *place, const char *path,
                    Message *news);
bool recorder_toggle(Recorder *recorder, const RecorderPlace *place, Message *news);

/// Ends a recording and puts it in its place. @param news  receives a sentence; empty where nothing
/// was recorded
/// @return false when it could not be written; nothing of it is left then
bool recorder_finish(Recorder *recorder, Message *news);

/// Leaves nothing behind of a recording that was not finished.
void recorder_drop(Recorder *recorder);

/// One frame has passed. Ends by itself where the disk is full, or after FLIGHT_SECONDS_MAX.
/// @param seconds  that it took
/// @param news     receives a sentence where it ended
/// @return whether it did
/// Cost: less than 10 us.
bool recorder_frame(Recorder *recorder, double seconds, const Camera *camera, Message *news);

/// Something was dug or built. What is taken back of what was done before the recording is left
/// out.
void recorder_hear(Recorder *recorder, const HandEdit *edit);

#endif
