/// Pictures on disk. A picture is there entirely or not at all, and one of the same name is
/// replaced (whole_file.h).
#ifndef TERRANE_COMMON_IMAGE_H
#define TERRANE_COMMON_IMAGE_H

#include <stddef.h>

#include "message.h"

/// Makes the folder if it is missing (not its parents) and tries whether a picture of that name can
/// be written there.
bool image_prepare_folder(const char *folder, const char *name, Message *problem);

/// Writes a PNG.
/// @param rgb  [height * width * 3] rows from the top, sRGB
bool image_write_png(const char *folder, const char *name, const unsigned char *rgb, int width,
                     int height, Message *problem);

/// A PNG that is written row by row, so that a picture of any size takes little memory.
typedef struct ImageWriter ImageWriter;

/// Opens a picture, and says at once where none can be written.
/// @param path           copied; its folder must be there
/// @param width,height   pixels, 1 and more
/// @param writer         receives the writer; free it with image_writer_destroy
bool image_writer_create(ImageWriter **writer, const char *path, int width, int height,
                         Message *problem);

/// Writes the next row, from the top. @param rgb  [width * 3] sRGB
bool image_writer_row(ImageWriter *writer, const unsigned char *rgb, Message *problem);

/// Puts the picture in its place, once `height` rows are written.
bool image_writer_finish(ImageWriter *writer, Message *problem);

/// Leaves nothing behind of a picture that was not finished. @param writer  may be NULL
void image_writer_destroy(ImageWriter *writer);

#endif
