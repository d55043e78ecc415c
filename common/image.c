#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "image.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <spng.h>

#include "interrupt.h"
#include "whole_file.h"

/// A file of a name nobody uses yet, inside the folder. @return its descriptor, or -1 with errno
/// set
static int open_temporary(const char *folder, char path[PATH_MAX])
{
    if (snprintf(path, PATH_MAX, "%s/.terrane-XXXXXX", folder) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return mkstemp(path);
}

static bool folder_problem(const char *folder, Message *problem)
{
    const char *reason = strerror(errno);
    return message_set(problem, "Cannot write into the folder %s: %s; choose another folder.",
                       message_short(folder).text, reason);
}

/// Makes an empty file in the folder and takes it away again. @return whether it worked, else errno
/// is set
static bool try_folder(const char *folder)
{
    char path[PATH_MAX];
    interrupt_hold();
    int file = open_temporary(folder, path);
    int error = errno;
    if (file >= 0) {
        close(file);
        unlink(path);
    }
    interrupt_release();
    errno = error;
    return file >= 0;
}

bool image_prepare_folder(const char *folder, const char *name, Message *problem)
{
    if ((mkdir(folder, 0777) != 0 && errno != EEXIST) || !try_folder(folder)) {
        return folder_problem(folder, problem);
    }
    char path[PATH_MAX];
    struct stat there;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return folder_problem(folder, problem);
    }
    return stat(path, &there) != 0 || !S_ISDIR(there.st_mode) ||
           whole_file_problem(path, EISDIR, problem);
}

// ---- row by row ---------------------------------------------------------------------------------

struct ImageWriter {
    char *path;
    WholeFile whole;
    spng_ctx *context;
    size_t row_bytes;
    int error; ///< what went wrong with the file first, as in errno
};

static int write_png_bytes(spng_ctx *context, void *user, void *bytes, size_t count)
{
    (void)context;
    ImageWriter *writer = user;
    errno = 0;
    if (fwrite(bytes, 1, count, writer->whole.file) == count) {
        return 0;
    }
    writer->error = errno ? errno : EIO;
    return SPNG_IO_ERROR;
}

/// @return false when there is no memory, or the file's error is set
static bool start_png(ImageWriter *writer, int width, int height)
{
    struct spng_ihdr header = {.width = (uint32_t)width,
                               .height = (uint32_t)height,
                               .bit_depth = 8,
                               .color_type = SPNG_COLOR_TYPE_TRUECOLOR};
    writer->context = spng_ctx_new(SPNG_CTX_ENCODER);
    // The header goes out now, so that a full disk is told before the work.
    return writer->context &&
           spng_set_png_stream(writer->context, write_png_bytes, writer) == SPNG_OK &&
           spng_set_ihdr(writer->context, &header) == SPNG_OK &&
           spng_encode_image(writer->context, NULL, 0, SPNG_FMT_PNG,
                             SPNG_ENCODE_PROGRESSIVE | SPNG_ENCODE_FINALIZE) == SPNG_OK &&
           (fflush(writer->whole.file) == 0 || (writer->error = errno, false));
}

static bool image_problem(const ImageWriter *writer, Message *problem)
{
    return writer->error ? whole_file_problem(writer->path, writer->error, problem)
                         : message_set(problem, "There is no memory to make the picture %s.",
                                       message_short(writer->path).text);
}

bool image_writer_create(ImageWriter **writer, const char *path, int width, int height,
                         Message *problem)
{
    ImageWriter *made = calloc(1, sizeof *made);
    char *copy = strdup(path);
    if (!made || !copy) {
        free(made);
        free(copy);
        (void)message_set(problem, "There is no memory to make the picture %s.",
                          message_short(path).text);
        return false;
    }
    made->path = copy;
    made->row_bytes = (size_t)width * 3;
    made->error = whole_file_open(&made->whole, copy);
    if (made->error || !start_png(made, width, height)) {
        (void)image_problem(made, problem);
        image_writer_destroy(made);
        return false;
    }
    *writer = made;
    return true;
}

bool image_writer_row(ImageWriter *writer, const unsigned char *rgb, Message *problem)
{
    int result = spng_encode_row(writer->context, rgb, writer->row_bytes);
    return result == SPNG_OK || result == SPNG_EOI || image_problem(writer, problem);
}

bool image_writer_finish(ImageWriter *writer, Message *problem)
{
    writer->error = whole_file_finish(&writer->whole);
    return !writer->error || image_problem(writer, problem);
}

void image_writer_destroy(ImageWriter *writer)
{
    if (!writer) {
        return;
    }
    spng_ctx_free(writer->context);
    whole_file_drop(&writer->whole);
    free(writer->path);
    free(writer);
}

// ---- all at once --------------------------------------------------------------------------------

/// Not to be interrupted, see image_write_png.
static bool write_picture_whole(const char *path, const unsigned char *rgb, int width, int height,
                                Message *problem)
{
    ImageWriter *writer;
    if (!image_writer_create(&writer, path, width, height, problem)) {
        return false;
    }
    bool good = true;
    for (int y = 0; good && y < height; y++) {
        good = image_writer_row(writer, rgb + (size_t)y * (size_t)width * 3, problem);
    }
    good = good && image_writer_finish(writer, problem);
    image_writer_destroy(writer);
    return good;
}

bool image_write_png(const char *folder, const char *name, const unsigned char *rgb, int width,
                     int height, Message *problem)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return folder_problem(folder, problem);
    }
    interrupt_hold(); // not even a second signal leaves a temporary file behind
    bool good = write_picture_whole(path, rgb, width, height, problem);
    interrupt_release();
    return good;
}
