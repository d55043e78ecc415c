/// The gamepad of the page; glfw_pads.c also implements GLFW's functions of gamepads.
#ifndef TERRANE_VIEWER_WEB_GLFW_PADS_H
#define TERRANE_VIEWER_WEB_GLFW_PADS_H

#include <stdbool.h>

/// Whether fingers are in use, rather than keys and mouse (page_touches).
bool page_pads_are_touched(void);

#endif
