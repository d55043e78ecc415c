/// The gamepad of the page; glfw_pads.c also implements GLFW's functions of gamepads.
#ifndef TERRANE_VIEWER_WEB_GLFW_PADS_H
#define TERRANE_VIEWER_WEB_GLFW_PADS_H

#include <stdbool.h>

/// Notes a touch: from then on there is a gamepad, of thumbs.
void page_pads_touch(void);
bool page_pads_are_touched(void);

#endif
