/// The window's title: frame time and chunks, or what is loading or not saved.
#pragma once

#include "app/session.h"

/// All zeroes to begin with.
typedef struct Title {
    double written_us; ///< last update, on clock_us
} Title;

/// Updates the title, three times a second; call it once a frame.
void title_write(Title *title, const Session *session, bool is_paused);
