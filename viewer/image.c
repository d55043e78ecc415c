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
    return message_set(problem, "Cannot write into the folder %s: %s; choose another with --out.",
                       folder, strerror(errno));
}

bool image_prepare_folder(const char *folder, Message *problem)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return folder_problem(folder, problem);
    }
    char path[PATH_MAX];
    int file = open_temporary(folder, path);
    if (file < 0) {
        return folder_problem(folder, problem);
    }
    close(file);
    unlink(path);
    return true;
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

static bool write_file(const char *folder, const char *name, const unsigned char *bytes,
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
    bool good = write_all(file, bytes, count) && share_file(file) && fsync(file) == 0;
    int reason = errno;
    if (close(file) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (good && rename(temporary, path) == 0) {
        return true;
    }
    errno = good ? errno : reason;
    message_set(problem, "Cannot write %s: %s.", path, strerror(errno));
    unlink(temporary);
    return false;
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
