/// What keys change of the settings.
#ifndef TERRANE_VIEWER_SETTINGS_KEYS_H
#define TERRANE_VIEWER_SETTINGS_KEYS_H

#include "settings/settings.h"

/// Changes what the keys of a frame ask for. Each press counts.
/// @param suggested  the quality if the player chose none
/// @param bob        head bobbing to come back to; 0: the default. Changed
/// @param text       receives a sentence for the player, such as "Time of day: 9:30"
/// @return whether there is a sentence
bool settings_press(Settings *settings, const Input *input, LookQuality suggested, double *bob,
                    Message *text);

#endif
