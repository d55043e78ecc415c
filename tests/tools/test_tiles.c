/// terrane map --tiles: the tiles are those of one picture, also when the work was interrupted.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "tool_place.h"

#include <terrane/coord.h>

#include <map_tiles.h>

#include "png_file.h"

// ---- which tiles there are ---------------------------------------------------------------------

static void a_pyramid_covers_its_area(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(31);
    for (int i = 0; i < 1000; i++) {
        const MapPlan plan = {.center_x = test_random_range(&random, 0, 4000000) - 2000000,
                              .center_z = test_random_range(&random, 0, 4000000) - 2000000,
                              .width = (int)test_random_range(&random, 1, 5000),
                              .height = (int)test_random_range(&random, 1, 5000),
                              .scale = test_random_range(&random, 1, 70)};
        const MapPyramid pyramid = map_pyramid_of(&plan);
        const int64_t edge = MAP_TILE_PIXELS * plan.scale;
        const int64_t west = plan.center_x - plan.width * plan.scale / 2;
        const int64_t east = west + plan.width * plan.scale; // exclusive
        assert_int_equal(pyramid.west % edge, 0);
        assert_true(pyramid.west <= west && west < pyramid.west + edge);
        assert_true(pyramid.west + pyramid.columns * edge >= east);
        assert_true(pyramid.west + (pyramid.columns - 1) * edge < east);
        assert_int_equal(map_pyramid_columns(&pyramid, 0), 1);
        assert_int_equal(map_pyramid_rows(&pyramid, 0), 1);
        assert_int_equal(map_pyramid_columns(&pyramid, pyramid.last_zoom), pyramid.columns);
        assert_true(pyramid.last_zoom == 0 || pyramid.columns > 1 << (pyramid.last_zoom - 1) ||
                    pyramid.rows > 1 << (pyramid.last_zoom - 1));
    }
}

/// At the ends of the world and with the most pixels there is nothing that overflows.
static void pyramids_reach_the_ends_of_the_world(void **state)
{
    (void)state;
    const MapPlan plan = {.center_x = TRN_VOXEL_MIN + 32768,
                          .center_z = TRN_VOXEL_MAX - 32768,
                          .width = 65536,
                          .height = 65536,
                          .scale = 1};
    const MapPyramid pyramid = map_pyramid_of(&plan);
    assert_true(pyramid.west == TRN_VOXEL_MIN && pyramid.last_zoom < MAP_PYRAMID_ZOOMS);
    assert_true(map_pyramid_has(&pyramid, (MapTile){pyramid.last_zoom, 0, pyramid.rows - 1}));
    assert_false(map_pyramid_has(&pyramid, (MapTile){pyramid.last_zoom, 0, pyramid.rows}));
    assert_false(map_pyramid_has(&pyramid, (MapTile){pyramid.last_zoom + 1, 0, 0}));
}

// ---- what is in them ---------------------------------------------------------------------------

static PngFile read_tile(const Place *place, int zoom, int x, int y)
{
    char name[64], path[PLACE_PATH];
    (void)snprintf(name, sizeof name, "t/%d/%d/%d.png", zoom, x, y);
    PngFile tile = png_file_read(place_path(place, name, path));
    assert_true(tile.width == MAP_TILE_PIXELS && tile.height == MAP_TILE_PIXELS);
    return tile;
}

/// The last zoom is the picture cut apart; above it, each pixel is the mean of four, and dark
/// outside the map.
static void tiles_are_a_picture_at_several_sizes(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    expect_code(place,
                "$T map --seed 7 --center 384,-128 --size 1280x768 --out whole.png && "
                "$T map --seed 7 --center 350,-150 --size 1100x700 --tiles t",
                0);
    assert_non_null(strstr(place->text, "t/index.html: 24 tiles in 4 zooms, 24 of them by this"));
    PngFile whole = png_file_read(place_path(place, "whole.png", path));
    for (int x = 0; x < 5; x++) {
        for (int y = 0; y < 3; y++) {
            PngFile tile = read_tile(place, 3, x, y);
            for (int row = 0; row < MAP_TILE_PIXELS; row++) {
                assert_memory_equal(
                    png_file_pixel(&tile, 0, row),
                    png_file_pixel(&whole, x * MAP_TILE_PIXELS, y * MAP_TILE_PIXELS + row),
                    (size_t)MAP_TILE_PIXELS * 3);
            }
            free(tile.rgb);
        }
    }
    PngFile upper = read_tile(place, 2, 1, 1);
    const int left = 2 * MAP_TILE_PIXELS, top = 2 * MAP_TILE_PIXELS;
    for (int y = 0; y < 128; y += 13) {
        for (int x = 0; x < MAP_TILE_PIXELS; x += 7) {
            for (int c = 0; c < 3; c++) {
                int sum = 2;
                for (int i = 0; i < 4; i++) {
                    sum += png_file_pixel(&whole, left + 2 * x + i % 2, top + 2 * y + i / 2)[c];
                }
                assert_int_equal(png_file_pixel(&upper, x, y)[c], sum / 4);
            }
        }
    }
    const unsigned char outside[3] = {12, 10, 14};
    assert_memory_equal(png_file_pixel(&upper, 5, 128), outside, 3);
    free(upper.rgb);
    free(whole.rgb);
    expect_code(place, "rm -r t whole.png", 0);
}

// ---- going on ----------------------------------------------------------------------------------

static void a_map_goes_on_where_it_was_killed(void **state)
{
    Place *place = *state;
    const char *const map = "M='map --seed 7 --size 1030x260 --tiles'; ";
    char line[512];
    (void)snprintf(line, sizeof line,
                   "%s $T $M one; for t in 0.02 0.05 0.1 0.2; do timeout -s KILL $t $BARE $M t; "
                   "done; $T $M t && diff -r -x '.terrane-tmp-*' one t && $T $M t",
                   map);
    expect_code(place, line, 0);
    assert_non_null(strstr(place->text, ", 0 of them by this process"));
    // A tile that exists means that all below it do; what is removed above is made again.
    (void)snprintf(line, sizeof line,
                   "%s rm t/0/0/0.png t/1/1/0.png t/3/4/1.png t/2/2/0.png && $T $M t && "
                   "diff -r -x '.terrane-tmp-*' one t",
                   map);
    expect_code(place, line, 0);
    (void)snprintf(line, sizeof line, "%s rm t/0/0/0.png && echo broken >t/1/0/0.png && $T $M t",
                   map);
    expect_code(place, line, 1);
    assert_non_null(strstr(place->text, "t/1/0/0.png: "));
    assert_non_null(strstr(place->text, "remove it"));
    (void)snprintf(line, sizeof line,
                   "%s rm t/1/0/0.png && $T $M t && diff -r -x '.terrane-tmp-*' one t", map);
    expect_code(place, line, 0);
    expect_code(place, "$T map --seed 8 --size 1030x260 --tiles t", 1);
    assert_non_null(strstr(place->text, "the tiles of another map"));
    expect_code(place, "diff -r -x '.terrane-tmp-*' one t && rm -r one t", 0);
}

static void the_page_has_what_it_shows(void **state)
{
    Place *place = *state;
    expect_code(place,
                "$T map --size 256x256 --center -128,128 --tiles t && "
                "grep -F \"const MAP = $(cat t/tiles.json)\" t/index.html && "
                "! grep -E '(src|href)=' t/index.html && cat t/tiles.json && rm -r t",
                0);
    assert_non_null(strstr(place->text, "\"lastZoom\": 0"));
    assert_non_null(strstr(place->text, "\"west\": -256, \"north\": 0"));
}

static void wrong_words_are_refused(void **state)
{
    Place *place = *state;
    expect_refusal(place, "$T map --tiles t --section", 2, "leave --section out");
    expect_refusal(place, "$T map --tiles t --out a.png", 2, "leave --out out");
    expect_refusal(place, "$T map --tiles ''", 2, "the name of a folder");
    expect_refusal(place, "$T map --tiles /proc/t", 1, "choose another place");
    expect_refusal(place, "$T map --tiles no/such/t", 1, "choose another place");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_pyramid_covers_its_area),
                                       cmocka_unit_test(pyramids_reach_the_ends_of_the_world),
                                       cmocka_unit_test(tiles_are_a_picture_at_several_sizes),
                                       cmocka_unit_test(a_map_goes_on_where_it_was_killed),
                                       cmocka_unit_test(the_page_has_what_it_shows),
                                       cmocka_unit_test(wrong_words_are_refused)};
    return cmocka_run_group_tests(tests, place_make, place_remove);
}
