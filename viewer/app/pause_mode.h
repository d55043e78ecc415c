/// The pause: the world stands still under the menu while loading continues.
#pragma once

#include "app/mode.h"
#include "app/session.h"

typedef struct Pause {
    AppMode resumes; ///< the interrupted mode: PLAY, DEMO or PLAYBACK
} Pause;

Pause pause_begin(Session *session, AppMode interrupted);
/// Saves the settings changed in the menu. @return the mode to resume
AppMode pause_end(const Pause *pause, Session *session);
