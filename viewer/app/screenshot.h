/// Screenshots, as numbered files in the --out folder.
#pragma once

#include "app/session.h"

#define SCREENSHOT_NAME_BYTES 64

/// Creates the folder and chooses a file name PREFIX-N.png with the first free N. Another program
/// may take it before the picture is written. @return false if the folder is not writable;
/// `problem` receives the reason
bool screenshot_name(const Session *session, const char *prefix, char name[SCREENSHOT_NAME_BYTES],
                     Message *problem);

/// Writes the picture, or the whole window, and shows a notice. @param width,height  of the window
void screenshot_take(Session *session, int width, int height);
