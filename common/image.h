/// Pictures on disk. A picture appears complete or not at all, and replaces an older one of the
/// same name (whole_file.h).
#pragma once

#include <stddef.h>

#include "message.h"

/// Creates the folder if it is missing (but not its parents) and tests whether a picture of that
/// name can be written to it.
bool image_prepare_folder(const char *folder, const char *name, Message *problem);

/// Writes a PNG.
/// @param rgb  [height * width * 3] rows from the top, sRGB
bool image_write_png(const char *folder, const char *name, const unsigned char *rgb, int width,
                     int height, Message *problem);

/// The same, but replaces no file. @param is_taken  receives whether one has the name
bool image_write_new_png(const char *folder, const char *name, const unsigned char *rgb, int width,
                         int height, bool *is_taken, Message *problem);

/// Reads a PNG of a known size.
/// @param rgb  [height * width * 3] receives rows from the top, sRGB
/// @return false with a message if it is missing, damaged or of another size
bool image_read_png(const char *path, unsigned char *rgb, int width, int height, Message *problem);

/// Writes a PNG row by row, so that a picture of any size needs little memory.
typedef struct ImageWriter ImageWriter;

/// Opens a picture. Fails at once if it cannot be written.
/// @param path           copied; its folder must exist
/// @param width,height   pixels, 1 and more
/// @param writer         receives the writer; free it with image_writer_destroy
bool image_writer_create(ImageWriter **writer, const char *path, int width, int height,
                         Message *problem);

/// Writes the next row, from the top. @param rgb  [width * 3] sRGB
bool image_writer_row(ImageWriter *writer, const unsigned char *rgb, Message *problem);

/// Gives the picture its name, once `height` rows are written.
bool image_writer_finish(ImageWriter *writer, Message *problem);

/// Frees the writer. A picture that was not finished is removed. @param writer  may be NULL
void image_writer_destroy(ImageWriter *writer);
