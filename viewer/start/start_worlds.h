/// The worlds of the start screen: cards, and questions about one. C++.
#pragma once

#include "start/start_parts.h"

/// Returns the texture of a world's picture; 0: it has none.
GLuint start_world_picture(StartScreen *screen, const WorldEntry *entry, size_t place);
void start_show_worlds(StartScreen *screen, const WorldsFolder *folder, StartChoice *choice);
/// Shows the open question, if there is one.
void start_show_dialog(StartScreen *screen, const WorldsFolder *folder, const StartNews *news,
                       StartChoice *choice);
