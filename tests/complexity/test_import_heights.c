// Work of importing pictures of heights.

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): mkdtemp

#include "work.h"

#include "place.h"

#include <spng.h>
#include <terrane/import.h>

enum { WIDTH = 64 };

/// Writes a picture of 16 bits a channel, whose pixels are numbers that are all over the range.
static void write_picture(const char *path, uint32_t height, int colour_type)
{
    const size_t channels = colour_type == SPNG_COLOR_TYPE_GRAYSCALE ? 1 : 3;
    const size_t count = WIDTH * (size_t)height * channels;
    uint16_t *pixels = malloc(count * sizeof *pixels);
    FILE *file = fopen(path, "wb");
    spng_ctx *context = spng_ctx_new(SPNG_CTX_ENCODER);
    struct spng_ihdr head = {
        .width = WIDTH, .height = height, .bit_depth = 16, .color_type = (uint8_t)colour_type};
    assert_true(pixels && file && context);
    for (size_t i = 0; i < count; i++) {
        pixels[i] = (uint16_t)(i * 40503);
    }
    assert_int_equal(spng_set_png_file(context, file), 0);
    assert_int_equal(spng_set_ihdr(context, &head), 0);
    assert_int_equal(spng_encode_image(context, pixels, count * sizeof *pixels, SPNG_FMT_PNG,
                                       SPNG_ENCODE_FINALIZE),
                     0);
    spng_ctx_free(context);
    free(pixels);
    assert_int_equal(fclose(file), 0);
}

static bool count_and_load(void *user, TrnCoord coord)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    bool uniform;
    assert_int_equal(trn_import_load(user, coord, blocks, &uniform), TRN_RESULT_OK);
    return true;
}

/// An import with so many block types besides the built-in ones.
typedef struct Heights {
    uint32_t height; ///< pixels
    uint32_t types;
    TrnImportHeights def;
    bool has_colours;
} Heights;

/// Opens the import, and loads all that it lists. @return the work
static uint64_t work_of(const Heights *heights)
{
    char path[PLACE_PATH], colours[PLACE_PATH];
    Place place;
    TrnBlockTypes *types;
    TrnImport *import;
    TrnImportDef def = trn_import_def();
    assert_true(place_begin(&place));
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    for (uint32_t i = 0; i < heights->types; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "t:t%u", (unsigned)i);
        const TrnBlockType type = trn_block_type_def(name, TRN_BLOCK_KIND_OPAQUE);
        assert_int_equal(trn_block_types_add(types, &type, NULL), TRN_RESULT_OK);
    }
    write_picture(place_path(&place, "a.png", path), heights->height, SPNG_COLOR_TYPE_GRAYSCALE);
    write_picture(place_path(&place, "b.png", colours), heights->height, SPNG_COLOR_TYPE_TRUECOLOR);
    def.path = path;
    def.types = types;
    def.heights = heights->def;
    def.heights.colours = heights->has_colours ? colours : NULL;
    const uint64_t start = work_start();
    assert_int_equal(trn_import_open(&def, &import, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_import_list(import, count_and_load, import), TRN_RESULT_OK);
    const uint64_t work = work_since(start);
    trn_import_destroy(import);
    trn_block_types_destroy(types);
    assert_true(place_discard(&place));
    return work;
}

static TrnImportHeights flat(void)
{
    TrnImportHeights heights = trn_import_def().heights;
    heights.black = 0;
    heights.white = 20;
    heights.base = 0;
    return heights;
}

static uint64_t work_of_pixels(uint32_t height)
{
    const Heights heights = {.height = height, .def = flat()};
    return work_of(&heights);
}

/// Pixels that are many voxels long.
static uint64_t work_of_scale(uint32_t scale)
{
    Heights heights = {.height = 1, .def = flat()};
    heights.def.scale = scale;
    return work_of(&heights);
}

/// Land as high as may be, from as deep as may be.
static uint64_t work_of_towers(uint32_t high)
{
    Heights heights = {.height = 8, .def = flat()};
    heights.def.white = high;
    heights.def.base = -(int32_t)high;
    return work_of(&heights);
}

/// Each colour is compared with all types, once.
static uint64_t work_of_types(uint32_t types)
{
    const Heights heights = {.height = 64, .types = types, .has_colours = true, .def = flat()};
    return work_of(&heights);
}

static uint64_t work_of_colours(uint32_t height)
{
    const Heights heights = {.height = height, .types = 500, .has_colours = true, .def = flat()};
    return work_of(&heights);
}

static void pictures_take_linear_work(void **state)
{
    (void)state;
    assert_work_grows(work_of_pixels, 32, 3, WORK_LINEAR);
    assert_work_grows(work_of_towers, 128, 3, WORK_LINEAR);
    assert_work_grows(work_of_types, 250, 3, WORK_LINEAR);
    assert_work_grows(work_of_colours, 32, 3, WORK_LINEAR);
}

/// In chunks, of which a pixel has as many as it is long; here it is one row of pixels.
static void long_pixels_take_quadratic_work(void **state)
{
    (void)state;
    assert_work_grows(work_of_scale, 4, 3, WORK_QUADRATIC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_take_linear_work),
        cmocka_unit_test(long_pixels_take_quadratic_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
