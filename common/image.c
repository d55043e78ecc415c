#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "image.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <spng.h>

#include "interrupt.h"
#include "whole_file.h"

static bool image_folder_problem(const char *folder, int error, Message *problem)
{
    return message_set(problem, "Cannot write into the folder %s: %s; choose another folder.",
                       message_short(folder).text, strerror(error));
}

bool image_prepare_folder(const char *folder, const char *name, Message *problem)
{
    int error = whole_file_make_folder(folder, false);
    error = error ? error : whole_file_try_folder(folder);
    if (error) {
        return image_folder_problem(folder, error, problem);
    }
    char path[PATH_MAX];
    struct stat status;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
        return image_folder_problem(folder, ENAMETOOLONG, problem);
    }
    return stat(path, &status) != 0 || !S_ISDIR(status.st_mode) ||
           whole_file_problem(path, EISDIR, problem);
}

// ---- row by row ---------------------------------------------------------------------------------

struct ImageWriter {
    char *path;
    WholeFile whole;
    spng_ctx *context;
    size_t row_bytes;
};

static int image_write_bytes(spng_ctx *context, void *user, void *bytes, size_t count)
{
    (void)context;
    ImageWriter *writer = user;
    whole_file_write(&writer->whole, bytes, count);
    return writer->whole.error ? SPNG_IO_ERROR : 0;
}

/// @return false if out of memory, or with the writer's error set
static bool image_start_png(ImageWriter *writer, int width, int height)
{
    struct spng_ihdr header = {.width = (uint32_t)width,
                               .height = (uint32_t)height,
                               .bit_depth = 8,
                               .color_type = SPNG_COLOR_TYPE_TRUECOLOR};
    writer->context = spng_ctx_new(SPNG_CTX_ENCODER);
    // Writes the header now, so that a full disk is reported before the work.
    return writer->context &&
           spng_set_png_stream(writer->context, image_write_bytes, writer) == SPNG_OK &&
           spng_set_ihdr(writer->context, &header) == SPNG_OK &&
           spng_encode_image(writer->context, NULL, 0, SPNG_FMT_PNG,
                             SPNG_ENCODE_PROGRESSIVE | SPNG_ENCODE_FINALIZE) == SPNG_OK &&
           whole_file_flush(&writer->whole) == 0;
}

static bool image_problem(const ImageWriter *writer, Message *problem)
{
    return writer->whole.error ? whole_file_problem(writer->path, writer->whole.error, problem)
                               : message_set(problem, "Out of memory for the picture %s.",
                                             message_short(writer->path).text);
}

bool image_writer_create(ImageWriter **writer, const char *path, int width, int height,
                         Message *problem)
{
    ImageWriter *created = calloc(1, sizeof *created);
    char *copy = strdup(path);
    if (!created || !copy) {
        free(created);
        free(copy);
        (void)message_set(problem, "Out of memory for the picture %s.", message_short(path).text);
        return false;
    }
    created->path = copy;
    created->row_bytes = (size_t)width * 3;
    if (whole_file_open(&created->whole, copy) || !image_start_png(created, width, height)) {
        (void)image_problem(created, problem);
        image_writer_destroy(created);
        return false;
    }
    *writer = created;
    return true;
}

bool image_writer_row(ImageWriter *writer, const unsigned char *rgb, Message *problem)
{
    int result = spng_encode_row(writer->context, rgb, writer->row_bytes);
    return result == SPNG_OK || result == SPNG_EOI || image_problem(writer, problem);
}

bool image_writer_finish(ImageWriter *writer, Message *problem)
{
    return whole_file_finish(&writer->whole) == 0 || image_problem(writer, problem);
}

static bool image_writer_finish_new(ImageWriter *writer, bool *is_taken, Message *problem)
{
    const int error = whole_file_finish_new(&writer->whole);
    *is_taken = error == EEXIST;
    return !error || (*is_taken ? whole_file_problem(writer->path, error, problem)
                                : image_problem(writer, problem));
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

// ---- in one call --------------------------------------------------------------------------------

/// @param is_taken  NULL: it may replace a file
static bool image_write_rows(const char *path, const unsigned char *rgb, int width, int height,
                             bool *is_taken, Message *problem)
{
    ImageWriter *writer;
    if (!image_writer_create(&writer, path, width, height, problem)) {
        return false;
    }
    bool good = true;
    for (int y = 0; good && y < height; y++) {
        good = image_writer_row(writer, rgb + (size_t)y * (size_t)width * 3, problem);
    }
    good = good && (is_taken ? image_writer_finish_new(writer, is_taken, problem)
                             : image_writer_finish(writer, problem));
    image_writer_destroy(writer);
    return good;
}

static bool image_write_file(const char *folder, const char *name, const unsigned char *rgb,
                             int width, int height, bool *is_taken, Message *problem)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
        return image_folder_problem(folder, ENAMETOOLONG, problem);
    }
    interrupt_hold(); // so that a second signal leaves no temporary file
    bool good = image_write_rows(path, rgb, width, height, is_taken, problem);
    interrupt_release();
    return good;
}

bool image_write_png(const char *folder, const char *name, const unsigned char *rgb, int width,
                     int height, Message *problem)
{
    return image_write_file(folder, name, rgb, width, height, NULL, problem);
}

bool image_write_new_png(const char *folder, const char *name, const unsigned char *rgb, int width,
                         int height, bool *is_taken, Message *problem)
{
    *is_taken = false;
    return image_write_file(folder, name, rgb, width, height, is_taken, problem);
}

// ---- reading ------------------------------------------------------------------------------------

static int image_decode(FILE *file, unsigned char *rgb, int width, int height)
{
    spng_ctx *context = spng_ctx_new(0);
    struct spng_ihdr header;
    const size_t bytes = (size_t)width * (size_t)height * 3;
    int error = context ? spng_set_png_file(context, file) : SPNG_EMEM;
    error = error ? error : spng_get_ihdr(context, &header);
    if (!error && (header.width != (uint32_t)width || header.height != (uint32_t)height)) {
        error = SPNG_EWIDTH;
    }
    error = error ? error : spng_decode_image(context, rgb, bytes, SPNG_FMT_RGB8, 0);
    spng_ctx_free(context);
    return error;
}

bool image_read_png(const char *path, unsigned char *rgb, int width, int height, Message *problem)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return message_set(problem, "Cannot read %s: %s.", message_short(path).text,
                           strerror(errno));
    }
    const int error = image_decode(file, rgb, width, height);
    (void)fclose(file);
    return !error || message_set(problem, "Cannot read %s: %s; remove it, and run this again.",
                                 message_short(path).text, spng_strerror(error));
}
