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

/// A file of a name nobody uses yet, inside the folder. @return its descriptor, or -1 with errno set
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
    return message_set(problem, "Cannot write into the folder %s: %s; choose another with --out.",
                       message_short(folder).text, reason);
}

static bool file_problem(const char *path, int error, Message *problem)
{
    const char *hint = error == EISDIR ? "move it away, or choose another folder with --out"
                       : error == ENOSPC || error == EDQUOT || error == EFBIG
                           ? "make room, or choose another folder with --out"
                           : "choose another folder with --out";
    return message_set(problem, "Cannot write %s: %s; %s.", message_short(path).text,
                       strerror(error), hint);
}

/// Makes an empty file in the folder and takes it away again. @return whether it worked, else errno is set
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
           file_problem(path, EISDIR, problem);
}

static bool write_all(int file, const unsigned char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(file, bytes, count);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

/// The permissions that a file made the usual way would have; mkstemp is stricter.
static bool share_file(int file)
{
    mode_t mask = umask(0);
    umask(mask);
    return fchmod(file, 0666 & ~mask) == 0;
}

/// Writes bytes to an open file and closes it. @return 0 or what went wrong, as in errno
static int fill_file(int file, const unsigned char *bytes, size_t count)
{
    bool good = write_all(file, bytes, count) && share_file(file) && fsync(file) == 0;
    int error = good ? 0 : errno;
    if (close(file) != 0 && good) {
        error = errno;
    }
    return error;
}

/// Not to be interrupted, see write_file.
static bool replace_file(const char *folder, const char *name, const unsigned char *bytes,
                         size_t count, Message *problem)
{
    char temporary[PATH_MAX], path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return folder_problem(folder, problem);
    }
    int file = open_temporary(folder, temporary);
    if (file < 0) {
        return folder_problem(folder, problem);
    }
    int error = fill_file(file, bytes, count);
    if (!error && rename(temporary, path) == 0) {
        return true;
    }
    error = error ? error : errno;
    unlink(temporary);
    return file_problem(path, error, problem);
}

static bool write_file(const char *folder, const char *name, const unsigned char *bytes,
                       size_t count, Message *problem)
{
    interrupt_hold();
    bool good = replace_file(folder, name, bytes, count, problem);
    interrupt_release();
    return good;
}

/// @return the PNG's bytes, to be freed, or NULL
static unsigned char *encode_png(const unsigned char *rgb, int width, int height, size_t *bytes)
{
    spng_ctx *context = spng_ctx_new(SPNG_CTX_ENCODER);
    if (!context) {
        return NULL;
    }
    struct spng_ihdr header = {.width = (uint32_t)width,
                               .height = (uint32_t)height,
                               .bit_depth = 8,
                               .color_type = SPNG_COLOR_TYPE_TRUECOLOR};
    unsigned char *png = NULL;
    int error = spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1);
    error = error ? error : spng_set_ihdr(context, &header);
    error = error ? error
                  : spng_encode_image(context, rgb, (size_t)width * (size_t)height * 3,
                                      SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
    if (!error) {
        png = spng_get_png_buffer(context, bytes, &error);
    }
    spng_ctx_free(context);
    return png;
}

bool image_write_png(const char *folder, const char *name, const unsigned char *rgb, int width,
                     int height, Message *problem)
{
    size_t bytes = 0;
    unsigned char *png = encode_png(rgb, width, height, &bytes);
    if (!png) {
        return message_set(problem, "There is no memory to make the picture %s.", name);
    }
    bool good = write_file(folder, name, png, bytes, problem);
    free(png);
    return good;
}
