/// Pictures on disk.
#ifndef TERRANE_VIEWER_IMAGE_H
#define TERRANE_VIEWER_IMAGE_H

#include <stddef.h>

#include "message.h"

/// Makes the folder if it is missing (not its parents) and tries whether a picture of that name can be written there.
bool image_prepare_folder(const char *folder, const char *name, Message *problem);

/// Writes a PNG. It is written under another name first and renamed when it is whole: the file is there entirely or not at all,
/// and a picture of the same name is replaced.
/// @param rgb  [height * width * 3] rows from the top, sRGB
bool image_write_png(const char *folder, const char *name, const unsigned char *rgb, int width,
                     int height, Message *problem);

#endif
