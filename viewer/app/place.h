/// The place where the player begins, and the option and link that lead to a place.
#pragma once

#include "app/session.h"
#include "flight/clearance.h"

/// Puts the camera at the start of the flight, at the place from the command line or the world
/// file, or at a lookout. Without any of these the camera hovers above the land, low enough to see
/// it: beyond the view distance there is haze.
/// @param is_flown  the flight moves the camera
/// @return whether the camera is at a lookout
bool place_camera(Session *session, const Flight *flight, bool is_flown);

/// Sets a low sun for a lookout, unless the player chose a time of day.
void place_sun(Session *session);

/// Prints `words` and the command that leads to the camera's place: with a link, or for lands that
/// have none with the option --at.
void place_print(const Session *session, const char *words);

/// Prints the ways back when a world is closed.
void place_print_end(const Session *session);

/// Copies a link to the camera's place to the clipboard and to session->copied, and prints it.
void place_share(Session *session);
