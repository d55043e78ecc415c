/// Key presses that change settings.
#pragma once

#include "settings/settings.h"

/// Applies the key presses of a frame. Each press counts.
/// @param suggested  the quality if the player chose none
/// @param bob        head bob to restore; 0: the default. Changed
/// @param text       receives a sentence for the player, such as "Time of day: 9:30"
/// @return whether `text` has a sentence
bool settings_press(Settings *settings, const Input *input, LookQuality suggested, double *bob,
                    Message *text);
