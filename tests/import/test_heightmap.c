/// Pictures of heights: land is as high as its pixels are bright, and any bytes are safe.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "out.h"
#include "place.h"

#include <math.h>

#include <spng.h>

#include <import/png_rows.h>

#include <terrane/import.h>

// ---- pictures -----------------------------------------------------------------------------------

/// Encodes a picture. @param pixels  as PNG has them: big-endian if of 16 bits
static void png_encode(Out *out, uint32_t width, uint32_t height, int depth, int colour_type,
                       const void *pixels, size_t size)
{
    spng_ctx *context = spng_ctx_new(SPNG_CTX_ENCODER);
    struct spng_ihdr head = {.width = width,
                             .height = height,
                             .bit_depth = (uint8_t)depth,
                             .color_type = (uint8_t)colour_type};
    int error = 0;
    size_t bytes = 0;
    assert_int_equal(spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1), 0);
    assert_int_equal(spng_set_ihdr(context, &head), 0);
    assert_int_equal(spng_encode_image(context, pixels, size, SPNG_FMT_RAW, SPNG_ENCODE_FINALIZE),
                     0);
    void *buffer = spng_get_png_buffer(context, &bytes, &error);
    assert_int_equal(error, 0);
    out_bytes(out, buffer, bytes);
    free(buffer);
    spng_ctx_free(context);
}

static void write_file(const Place *place, const char *name, const Out *out)
{
    char path[PLACE_PATH];
    FILE *file = fopen(place_path(place, name, path), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(out->bytes, 1, out->size, file), out->size);
    assert_int_equal(fclose(file), 0);
}

/// The grey of a picture of 40 x 24 pixels that is different along both axes.
static uint32_t grey_at(uint32_t x, uint32_t y)
{
    return x * 5 + (y == 3 ? 40 : 0);
}

static void write_heights(const Place *place, int depth)
{
    Out pixels = {0}, png = {0};
    for (uint32_t i = 0; i < 40 * 24; i++) {
        const uint32_t grey = grey_at(i % 40, i / 40);
        out_number(&pixels, depth == 16 ? grey * 257 : grey, depth / 8);
    }
    png_encode(&png, 40, 24, depth, SPNG_COLOR_TYPE_GRAYSCALE, pixels.bytes, pixels.size);
    write_file(place, "heights.png", &png);
    out_free(&pixels);
    out_free(&png);
}

// ---- land ---------------------------------------------------------------------------------------

typedef struct Land {
    TrnImportDef def;
    TrnImport *import;
    TrnStorageProblem problem;
    char path[PLACE_PATH], colours[PLACE_PATH];
} Land;

static TrnResult land_try(Land *land, const Place *place)
{
    land->def.path = place_path(place, "heights.png", land->path);
    assert_int_equal(trn_block_types_create_builtin(NULL, &land->def.types), TRN_RESULT_OK);
    return trn_import_open(&land->def, &land->import, &land->problem);
}

static void land_open(Land *land, const Place *place)
{
    assert_int_equal(land_try(land, place), TRN_RESULT_OK);
    assert_int_equal(trn_import_format(land->import), TRN_IMPORT_HEIGHTMAP);
}

static void land_close(Land *land)
{
    trn_import_destroy(land->import);
    trn_block_types_destroy(land->def.types);
}

/// The block at a voxel; UINT16_MAX: the land has no such chunk.
static TrnBlock land_at(Land *land, int64_t x, int64_t y, int64_t z)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnVoxel voxel = {x, y, z};
    bool uniform = false;
    const TrnResult result =
        trn_import_load(land->import, trn_voxel_chunk(voxel), blocks, &uniform);
    if (result == TRN_RESULT_NOT_FOUND) {
        return UINT16_MAX;
    }
    assert_int_equal(result, TRN_RESULT_OK);
    return uniform ? blocks[0] : blocks[trn_voxel_local_index(voxel)];
}

/// What loading every listed chunk finds.
typedef struct Survey {
    Land *land;
    uint32_t count;
    uint64_t solid; ///< voxels
} Survey;

static bool survey_chunk(void *user, TrnCoord coord)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    Survey *survey = user;
    bool uniform = false;
    assert_int_equal(trn_import_load(survey->land->import, coord, blocks, &uniform), TRN_RESULT_OK);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        survey->solid += blocks[uniform ? 0 : i] != TRN_BLOCK_AIR;
    }
    survey->count++;
    return true;
}

// ---- tests --------------------------------------------------------------------------------------

static void brightness_is_height_in_8_and_in_16_bits(void **state)
{
    const Place *place = *state;
    for (int depth = 8; depth <= 16; depth += 8) {
        Land land = {.def = trn_import_def()};
        Survey survey = {&land, 0, 0};
        uint64_t expected = 0;
        write_heights(place, depth);
        land.def.heights.white = 255;
        land_open(&land, place);
        for (uint32_t i = 0; i < 40 * 24; i++) {
            expected += grey_at(i % 40, i / 40) + 16;
        }
        assert_int_equal(trn_import_list(land.import, survey_chunk, &survey), TRN_RESULT_OK);
        assert_int_equal(survey.solid, expected);
        // West is low, east is high; the third row from the north is a wall.
        assert_int_equal(land_at(&land, 39, 194, 0), TRN_BLOCK_GRASS);
        assert_int_equal(land_at(&land, 39, 195, 0), TRN_BLOCK_AIR);
        assert_int_equal(land_at(&land, 39, 191, 0), TRN_BLOCK_DIRT);
        assert_int_equal(land_at(&land, 39, 190, 0), TRN_BLOCK_STONE);
        assert_int_equal(land_at(&land, 39, 234, 3), TRN_BLOCK_GRASS);
        assert_int_equal(land_at(&land, 1, 4, 23), TRN_BLOCK_GRASS);
        assert_int_equal(land_at(&land, 1, 5, 23), TRN_BLOCK_AIR);
        assert_int_equal(land_at(&land, 1, -16, 23), TRN_BLOCK_STONE);
        assert_int_equal(land_at(&land, 1, -17, 23), TRN_BLOCK_AIR);
        assert_int_equal(land_at(&land, 40, 5, 23), TRN_BLOCK_AIR); // beyond the picture
        assert_int_equal(land_at(&land, 1, 5, 32), UINT16_MAX);
        assert_int_equal(land_at(&land, -1, 5, 0), UINT16_MAX);
        land_close(&land);
    }
}

static void heights_between_pixels_are_interpolated(void **state)
{
    const Place *place = *state;
    Land land = {.def = trn_import_def()};
    Survey survey = {&land, 0, 0};
    write_heights(place, 16);
    land.def.heights.white = 255;
    land.def.heights.scale = 5;
    land.def.offset = (TrnVoxel){-7, 100, 1000};
    land_open(&land, place);
    for (int64_t x = 0; x < 195; x++) { // a voxel higher each
        assert_int_equal(land_at(&land, x - 7, 100 + x - 1, 1000), TRN_BLOCK_GRASS);
        assert_int_equal(land_at(&land, x - 7, 100 + x, 1000), TRN_BLOCK_AIR);
    }
    assert_int_equal(land_at(&land, -7, 100 + 16 - 1, 1012), TRN_BLOCK_GRASS); // 40 * 2 / 5
    assert_int_equal(trn_import_list(land.import, survey_chunk, &survey), TRN_RESULT_OK);
    assert_int_equal(land_at(&land, 199 - 7, 100 + 194, 1000), TRN_BLOCK_GRASS); // as it ended
    land_close(&land);
}

static void the_sea_fills_what_lies_below_it(void **state)
{
    const Place *place = *state;
    Land land = {.def = trn_import_def()};
    write_heights(place, 8);
    land.def.heights.white = 255;
    land.def.heights.sea_level = 60;
    land_open(&land, place);
    assert_int_equal(land_at(&land, 0, 59, 0), TRN_BLOCK_WATER);
    assert_int_equal(land_at(&land, 0, 60, 0), TRN_BLOCK_AIR);
    assert_int_equal(land_at(&land, 0, 0, 0), TRN_BLOCK_WATER);
    assert_int_equal(land_at(&land, 0, -1, 0), TRN_BLOCK_SAND);
    assert_int_equal(land_at(&land, 12, 59, 0), TRN_BLOCK_SAND);
    assert_int_equal(land_at(&land, 13, 64, 0), TRN_BLOCK_GRASS);
    land_close(&land);
}

/// Writes a picture of colours: its western half stone's, and the rest a bright green.
static void write_colours(const Place *place, uint32_t width)
{
    Out pixels = {0}, png = {0};
    for (uint32_t i = 0; i < width * 24; i++) {
        out_bytes(&pixels, i % width < 20 ? "\x86\x84\x82" : "\x10\xF0\x20", 3);
    }
    png_encode(&png, width, 24, 8, SPNG_COLOR_TYPE_TRUECOLOR, pixels.bytes, pixels.size);
    write_file(place, "colours.png", &png);
    out_free(&pixels);
    out_free(&png);
}

static void colours_become_the_nearest_blocks_or_blocks_of_their_own(void **state)
{
    const Place *place = *state;
    write_heights(place, 8);
    write_colours(place, 40);
    for (int own = 0; own < 2; own++) {
        Land land = {.def = trn_import_def()};
        land.def.heights.white = 255;
        land.def.heights.has_own_types = own;
        land.def.heights.colours = place_path(place, "colours.png", land.colours);
        land_open(&land, place);
        const TrnBlock west = land_at(&land, 19, 94, 0), east = land_at(&land, 20, 99, 0);
        assert_true(own ? west >= TRN_BLOCK_BUILTIN_COUNT : west == TRN_BLOCK_STONE);
        const uint8_t *colour = trn_block_types_get(land.def.types, east)->colour[TRN_FACE_POS_Y];
        assert_true(colour[1] > colour[0] && colour[1] > colour[2]);
        assert_int_equal(
            own, strcmp(trn_block_types_get(land.def.types, east)->name, "heightmap:10f721") == 0);
        assert_int_equal(land_at(&land, 20, 98, 0), TRN_BLOCK_DIRT);
        land_close(&land);
    }
    Land land = {.def = trn_import_def()};
    write_colours(place, 39);
    land.def.heights.colours = place_path(place, "colours.png", land.colours);
    assert_int_equal(land_try(&land, place), TRN_RESULT_BAD_ARGUMENT);
    assert_non_null(strstr(land.problem.sentence, "must have the size"));
    trn_block_types_destroy(land.def.types);
}

static void settings_out_of_range_are_refused(void **state)
{
    const Place *place = *state;
    write_heights(place, 8);
    for (int i = 0; i < 5; i++) {
        Land land = {.def = trn_import_def()};
        TrnImportHeights *heights = &land.def.heights;
        heights->white = i == 0 ? 1e9 : 100;
        heights->black = i == 1 ? (double)NAN : 0;
        heights->scale = i == 2 ? 0 : i == 3 ? 257 : 1;
        heights->base = i == 4 ? -100000 : 0;
        assert_int_equal(land_try(&land, place), TRN_RESULT_BAD_ARGUMENT);
        assert_true(*land.problem.sentence);
        trn_block_types_destroy(land.def.types);
    }
}

// ---- limits -------------------------------------------------------------------------------------

static bool count_step(void *user, uint64_t done, uint64_t total)
{
    uint32_t *left = user;
    assert_true(done < total);
    return *left > 0 && (*left)-- > 0;
}

static void land_of_too_many_chunks_is_refused(void **state)
{
    const Place *place = *state;
    write_heights(place, 8);
    Land land = {.def = trn_import_def()};
    land.def.heights.scale = 256; // 320 x 192 columns of chunks
    land.def.heights.base = -16384;
    land.def.heights.white = 16384;
    assert_int_equal(land_try(&land, place), TRN_RESULT_OUT_OF_RANGE);
    assert_non_null(strstr(land.problem.sentence, "chunks, of at most 1048576; choose"));
    trn_block_types_destroy(land.def.types);
    land.def.heights.base = 0;
    land.def.heights.white = 256;
    land_open(&land, place);
    land_close(&land);
}

static void opening_a_picture_can_be_stopped(void **state)
{
    const Place *place = *state;
    TrnResult result = TRN_RESULT_IO;
    uint32_t steps = 0;
    write_heights(place, 8);
    for (; result != TRN_RESULT_OK; steps++) {
        uint32_t left = steps;
        Land land = {.def = trn_import_def()};
        land.def.progress = (TrnStorageProgress){count_step, &left};
        result = land_try(&land, place);
        if (result == TRN_RESULT_OK) {
            trn_import_destroy(land.import);
        } else {
            assert_int_equal(result, TRN_RESULT_IO);
            assert_non_null(strstr(land.problem.sentence, "was stopped."));
        }
        trn_block_types_destroy(land.def.types);
    }
    assert_true(steps > 2); // while the picture is read, and while the land is measured
}

// ---- bytes --------------------------------------------------------------------------------------

static TrnResult accept(void *user, uint32_t width, uint32_t height)
{
    (void)width;
    (void)height;
    *(uint32_t *)user = 0;
    return TRN_RESULT_OK;
}

static bool add_row(void *user, uint32_t y, const uint16_t *rgba, uint32_t first, uint32_t step)
{
    assert_int_equal(y, *(uint32_t *)user);
    assert_true(first == 0 && step == 1);
    assert_int_equal(rgba[0], rgba[1]);
    *(uint32_t *)user = y + 1;
    return true;
}

static TrnResult read_png(const Out *out, TestAllocator *counts)
{
    uint32_t rows;
    const TrnAllocator allocator = test_allocator(counts);
    const TrnPngSource source = {NULL, out->bytes, out->size};
    const TrnPngTarget target = {accept, add_row, &rows};
    const char *fault = NULL;
    const TrnResult result = trn_png_read(&source, &target, &allocator, &fault);
    assert_true(result != TRN_RESULT_CORRUPT || (fault && *fault));
    assert_int_equal(counts->live_bytes, 0);
    return result;
}

static uint32_t crc_of(const unsigned char *bytes, size_t size)
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

/// Begins a picture that says that it is of a size.
static void write_head(Out *out, uint32_t width, uint32_t height, uint32_t interlace)
{
    out->size = 0;
    out_bytes(out, "\x89PNG\r\n\x1A\n", 8);
    out_number(out, 13, 4);
    out_bytes(out, "IHDR", 4);
    out_number(out, width, 4);
    out_number(out, height, 4);
    out_number(out, UINT64_C(0x1000000000) | interlace, 5); // 16 bits of grey
    out_number(out, crc_of(out->bytes + 12, 17), 4);
    out_number(out, 4, 4); // some pixels
    out_bytes(out, "IDAT\0\0\0\0", 8);
    out_number(out, crc_of(out->bytes + out->size - 8, 8), 4);
}

static void pictures_that_are_too_large_allocate_nothing(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {
        {32769, 1}, {1, 32769}, {32768, 2049}, {32768, 32768}, {INT32_MAX, INT32_MAX}};
    Out out = {0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        TestAllocator counts = {0};
        write_head(&out, sizes[i][0], sizes[i][1], 0);
        assert_int_equal(read_png(&out, &counts), TRN_RESULT_CORRUPT);
        assert_int_equal(counts.peak_bytes, 0);
    }
    TestAllocator counts = {0};
    write_head(&out, 8, 8, 0); // fine until its pixels
    assert_int_equal(read_png(&out, &counts), TRN_RESULT_CORRUPT);
    assert_true(counts.peak_bytes > 0);
    out_free(&out);
}

/// The greys that a picture has, and how often each pixel came.
typedef struct Greys {
    uint32_t width;
    uint16_t of[64 * 64];
    uint8_t times[64 * 64];
} Greys;

static TrnResult begin_greys(void *user, uint32_t width, uint32_t height)
{
    assert_true(width <= 64 && height <= 64);
    ((Greys *)user)->width = width;
    return TRN_RESULT_OK;
}

static bool add_greys(void *user, uint32_t y, const uint16_t *rgba, uint32_t first, uint32_t step)
{
    Greys *greys = user;
    for (uint32_t x = first; x < greys->width; x += step) {
        greys->of[y * greys->width + x] = rgba[4 * (size_t)x];
        greys->times[y * greys->width + x]++;
    }
    return true;
}

static void read_greys(const Out *out, Greys *greys)
{
    const TrnAllocator allocator = trn_allocator_default();
    const TrnPngSource source = {NULL, out->bytes, out->size};
    const TrnPngTarget target = {begin_greys, add_greys, greys};
    const char *fault = "";
    memset(greys, 0, sizeof *greys);
    if (trn_png_read(&source, &target, &allocator, &fault) != TRN_RESULT_OK) {
        fail_msg("%s", fault);
    }
}

static uint16_t interlaced_grey(uint32_t x, uint32_t y)
{
    return (uint16_t)(x * 1000 + y * 37 + 5);
}

static void interlaced_pictures_have_each_pixel_once(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{8, 8}, {1, 1}, {13, 7}, {64, 33}, {3, 64}};
    static Greys greys;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const uint32_t width = sizes[i][0], height = sizes[i][1];
        Out pixels = {0}, png = {0};
        for (uint32_t at = 0; at < width * height; at++) {
            out_number(&pixels, interlaced_grey(at % width, at / width), 2);
        }
        spng_ctx *context = spng_ctx_new(SPNG_CTX_ENCODER);
        struct spng_ihdr head = {.width = width,
                                 .height = height,
                                 .bit_depth = 16,
                                 .color_type = SPNG_COLOR_TYPE_GRAYSCALE,
                                 .interlace_method = SPNG_INTERLACE_ADAM7};
        int error = 0;
        size_t bytes = 0;
        assert_int_equal(spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1), 0);
        assert_int_equal(spng_set_ihdr(context, &head), 0);
        assert_int_equal(spng_encode_image(context, pixels.bytes, pixels.size, SPNG_FMT_RAW,
                                           SPNG_ENCODE_FINALIZE),
                         0);
        void *buffer = spng_get_png_buffer(context, &bytes, &error);
        out_bytes(&png, buffer, bytes);
        free(buffer);
        spng_ctx_free(context);
        read_greys(&png, &greys);
        for (uint32_t at = 0; at < width * height; at++) {
            assert_int_equal(greys.times[at], 1);
            assert_int_equal(greys.of[at], interlaced_grey(at % width, at / width));
        }
        out_free(&pixels);
        out_free(&png);
    }
}

/// Puts a chunk behind the head of a picture.
static void insert_chunk(Out *png, const char *type, const Out *content)
{
    Out chunk = {0}, whole = {0};
    out_number(&chunk, content->size, 4);
    out_bytes(&chunk, type, 4);
    out_bytes(&chunk, content->bytes, content->size);
    out_number(&chunk, crc_of(chunk.bytes + 4, chunk.size - 4), 4);
    out_bytes(&whole, png->bytes, 33);
    out_bytes(&whole, chunk.bytes, chunk.size);
    out_bytes(&whole, png->bytes + 33, png->size - 33);
    out_free(&chunk);
    out_free(png);
    *png = whole;
}

static void large_texts_and_broken_ones_are_skipped(void **state)
{
    (void)state;
    static const char *const types[] = {"tEXt", "zTXt", "iTXt", "iCCP", "prVt"};
    static Greys greys;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        Out pixels = {0}, png = {0}, text = {0};
        out_number(&pixels, 0x1234ABCD, 4);
        png_encode(&png, 2, 1, 16, SPNG_COLOR_TYPE_GRAYSCALE, pixels.bytes, pixels.size);
        out_bytes(&text, "key\0\0", 5);
        for (int k = 0; k < 1 << 18; k++) { // no compressed data, and more than a MiB
            out_number(&text, 0x61626364, 4);
            out_number(&text, 0xFFFFFFFF, 4);
        }
        insert_chunk(&png, types[i], &text);
        read_greys(&png, &greys);
        assert_int_equal(greys.of[0], 0x1234);
        assert_int_equal(greys.of[1], 0xABCD);
        out_free(&pixels);
        out_free(&png);
        out_free(&text);
    }
}

static void every_cut_is_seen_and_every_flipped_byte_is_safe(void **state)
{
    (void)state;
    Out pixels = {0}, out = {0};
    TestAllocator counts = {0};
    for (uint32_t i = 0; i < 20 * 12; i++) {
        out_number(&pixels, (uint64_t)i * i * 37, 2);
    }
    png_encode(&out, 20, 12, 16, SPNG_COLOR_TYPE_GRAYSCALE, pixels.bytes, pixels.size);
    assert_int_equal(read_png(&out, &counts), TRN_RESULT_OK);
    const size_t end = out.size - 12; // what follows the pixels is not needed
    for (size_t cut = 0; cut < end - 8; cut++) {
        unsigned char *part = malloc(cut ? cut : 1); // so that a sanitizer sees every read
        memcpy(part, out.bytes, cut);
        const Out piece = {part, cut, cut};
        assert_int_equal(read_png(&piece, &counts), TRN_RESULT_CORRUPT);
        free(part);
    }
    for (size_t at = 0; at < out.size; at++) {
        for (int bit = 0; bit < 8; bit++) {
            out.bytes[at] ^= (unsigned char)(1 << bit);
            (void)read_png(&out, &counts);
            out.bytes[at] ^= (unsigned char)(1 << bit);
        }
    }
    out_free(&pixels);
    out_free(&out);
}

static void running_out_of_memory_leaves_no_trace(void **state)
{
    const Place *place = *state;
    write_heights(place, 8);
    write_colours(place, 40);
    TrnResult result = TRN_RESULT_NO_MEMORY;
    for (size_t at = 1; result != TRN_RESULT_OK; at++) {
        TestAllocator counts = {0};
        const TrnAllocator allocator = test_allocator(&counts);
        Land land = {.def = trn_import_def()};
        land.def.allocator = &allocator;
        land.def.heights.colours = place_path(place, "colours.png", land.colours);
        test_fail(&counts, at, at);
        result = land_try(&land, place);
        if (result == TRN_RESULT_OK) {
            trn_import_destroy(land.import);
        } else {
            assert_int_equal(result, TRN_RESULT_NO_MEMORY);
        }
        trn_block_types_destroy(land.def.types);
        assert_int_equal(counts.live_bytes, 0);
        assert_true(at < 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brightness_is_height_in_8_and_in_16_bits),
        cmocka_unit_test(heights_between_pixels_are_interpolated),
        cmocka_unit_test(the_sea_fills_what_lies_below_it),
        cmocka_unit_test(colours_become_the_nearest_blocks_or_blocks_of_their_own),
        cmocka_unit_test(settings_out_of_range_are_refused),
        cmocka_unit_test(land_of_too_many_chunks_is_refused),
        cmocka_unit_test(opening_a_picture_can_be_stopped),
        cmocka_unit_test(pictures_that_are_too_large_allocate_nothing),
        cmocka_unit_test(interlaced_pictures_have_each_pixel_once),
        cmocka_unit_test(large_texts_and_broken_ones_are_skipped),
        cmocka_unit_test(every_cut_is_seen_and_every_flipped_byte_is_safe),
        cmocka_unit_test(running_out_of_memory_leaves_no_trace),
    };
    return cmocka_run_group_tests_name("import_heightmap", tests, place_make, place_remove);
}
