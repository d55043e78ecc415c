/// Shared by tests that check pictures: reads a PNG file.
#pragma once

#include "testing.h"

#include <spng.h>

typedef struct PngFile {
    int width, height;
    unsigned char *rgb; ///< [height * width * 3]; free it
} PngFile;

static inline PngFile png_file_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    spng_ctx *context = spng_ctx_new(0);
    assert_non_null(context);
    assert_int_equal(spng_set_png_file(context, file), 0);
    struct spng_ihdr header;
    size_t bytes;
    assert_int_equal(spng_get_ihdr(context, &header), 0);
    assert_int_equal(spng_decoded_image_size(context, SPNG_FMT_RGB8, &bytes), 0);
    assert_int_equal(bytes, (size_t)header.width * header.height * 3);
    PngFile png = {(int)header.width, (int)header.height, malloc(bytes)};
    assert_non_null(png.rgb);
    assert_int_equal(spng_decode_image(context, png.rgb, bytes, SPNG_FMT_RGB8, 0), 0);
    spng_ctx_free(context);
    fclose(file);
    return png;
}

static inline const unsigned char *png_file_pixel(const PngFile *png, int x, int y)
{
    assert_true(x >= 0 && x < png->width && y >= 0 && y < png->height);
    return png->rgb + ((size_t)y * (size_t)png->width + (size_t)x) * 3;
}
