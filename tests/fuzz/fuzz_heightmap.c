/// Pictures of heights, with the checksums of their pieces mended: random bytes would fail at them.
#include "fuzz.h"
#include "import/png_rows.h"

static uint32_t crc_of(const uint8_t *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
        }
    }
    return ~crc;
}

static uint32_t number_of(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void mend_checksums(uint8_t *bytes, size_t size)
{
    for (size_t at = 8; at < size && size - at >= 12;) {
        const size_t content = number_of(bytes + at);
        if (content > size - at - 12) {
            return;
        }
        const uint32_t crc = crc_of(bytes + at + 4, content + 4);
        for (int i = 0; i < 4; i++) {
            bytes[at + 8 + content + (size_t)i] = (uint8_t)(crc >> (24 - 8 * i));
        }
        at += 12 + content;
    }
}

/// What was read.
typedef struct Picture {
    uint32_t width, height;
    uint64_t pixels;
    uint64_t sum;
} Picture;

static TrnResult begin_picture(void *user, uint32_t width, uint32_t height)
{
    Picture *picture = user;
    FUZZ_REQUIRE(width > 0 && height > 0 && (uint64_t)width * height <= TRN_PNG_PIXELS_MAX);
    picture->width = width;
    picture->height = height;
    // Large ones are fine, and slow.
    return (uint64_t)width * height > 1u << 20 ? TRN_RESULT_OUT_OF_RANGE : TRN_RESULT_OK;
}

static bool add_row(void *user, uint32_t y, const uint16_t *rgba, uint32_t first, uint32_t step)
{
    Picture *picture = user;
    FUZZ_REQUIRE(y < picture->height && step > 0);
    for (uint32_t x = first; x < picture->width; x += step) {
        picture->sum += rgba[4 * (size_t)x];
        picture->pixels++;
    }
    return true;
}

int fuzz_heightmap(const uint8_t *bytes, size_t size);

int fuzz_heightmap(const uint8_t *bytes, size_t size)
{
    const TrnAllocator allocator = trn_allocator_default();
    uint8_t *copy = malloc(size + 1);
    Picture picture = {0};
    const char *fault = NULL;
    FUZZ_REQUIRE(copy);
    if (size) {
        memcpy(copy, bytes, size);
    }
    mend_checksums(copy, size);
    const TrnPngSource source = {NULL, copy, size};
    const TrnPngTarget target = {begin_picture, add_row, &picture};
    const TrnResult result = trn_png_read(&source, &target, &allocator, &fault);
    FUZZ_REQUIRE(result != TRN_RESULT_OK ||
                 picture.pixels == (uint64_t)picture.width * picture.height);
    FUZZ_REQUIRE(result != TRN_RESULT_CORRUPT || (fault && *fault));
    free(copy);
    return 0;
}
