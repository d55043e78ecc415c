/// Playback: plays the flight of the command line, with its edits.
#pragma once

#include "app/session.h"
#include "flight/clearance.h"
#include "flight/replay.h"

/// All zeroes: no flight.
typedef struct Playback {
    const Flight *flight; ///< borrowed
    Clearance clearance;
    Replay replay; ///< of the flight's edits
    double played; ///< seconds of the flight played
} Playback;

/// @param flight  must outlive the playback
/// @return false if out of memory, or if the world lacks a block; `problem` receives the reason
bool playback_open(Playback *playback, Session *session, const Flight *flight, Message *problem);
void playback_free(Playback *playback);

/// Whether the player takes the controls: the flight is over, or the controls were used.
bool playback_is_over(const Playback *playback, const Input *input);

/// Moves the camera along the flight once the land of its edits is loaded.
void playback_step(Playback *playback, Session *session, double step);

/// Repeats the edits that are due by now.
void playback_act(Playback *playback);

/// Moves the person to the camera.
void playback_end(Session *session);
