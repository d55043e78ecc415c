/// Every command of terrane on a world whose land is too old to be generated: what is saved is
/// read, copied and drawn; nothing is generated around it, and what needs its land is refused.
/// TERRANE_TOOL is the program's path.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "old_land.h"
#include "tool_place.h"

#include "png_file.h"

#define NO_LAND "old.world: its land is of version 3, which this program does not generate"
#define SIZE 256 // pixels of a map

static void it_is_read_as_it_is(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    old_land_copy(place, path);
    expect_code(place, "$T info old.world", 0);
    assert_non_null(strstr(place->text, "seed 7, preset default, version 3, too old"));
    expect_code(place, "$T info --json old.world", 0);
    assert_non_null(strstr(place->text, "\"version\":\t3"));
    assert_non_null(strstr(place->text, "\"generated\":\tfalse"));
    expect_code(place, "$T info --blocks old.world", 0);
    assert_non_null(strstr(place->text, "5 terrane:glass"));
    expect_code(place, "$T verify old.world", 0);
    assert_non_null(strstr(place->text, "11 chunks were read, 0 are damaged"));
    old_land_expect(path);
}

static void copies_of_it_are_what_it_is(void **state)
{
    static const char *const commands[] = {"copy", "backup", "repair"};
    Place *place = *state;
    char path[PLACE_PATH], other[PLACE_PATH], line[64];
    old_land_copy(place, path);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        (void)snprintf(line, sizeof line, "$T %s old.world %s.world", commands[i], commands[i]);
        expect_code(place, line, 0);
        (void)snprintf(line, sizeof line, "%s.world", commands[i]);
        old_land_expect(place_path(place, line, other));
        (void)snprintf(line, sizeof line, "$T info %s.world", commands[i]);
        expect_code(place, line, 0);
        assert_non_null(strstr(place->text, "version 3, too old"));
    }
    expect_code(place, "$T compact old.world", 0);
    old_land_expect(path);
}

/// Whether a pixel of a map is as that in the corner, where nothing is saved.
static bool is_void(const PngFile *map, int x, int y)
{
    return memcmp(png_file_pixel(map, x, y), png_file_pixel(map, 0, 0), 3) == 0;
}

static void a_map_shows_what_is_saved(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH], picture[PLACE_PATH];
    int shown = 0;
    old_land_copy(place, path);
    expect_code(place, "$T map --world old.world --center=-32,-32 --size 256x256", 0);
    assert_non_null(strstr(place->text, NO_LAND));
    PngFile map = png_file_read(place_path(place, "map.png", picture));
    for (int y = 0; y < SIZE; y++) {
        for (int x = 0; x < SIZE; x++) { // 64 x 64 voxels are saved, in the middle
            const bool is_inside =
                x >= SIZE / 2 - 32 && x < SIZE / 2 + 32 && y >= SIZE / 2 - 32 && y < SIZE / 2 + 32;
            shown += is_inside && !is_void(&map, x, y);
            assert_true(is_inside || is_void(&map, x, y));
        }
    }
    assert_int_equal(shown, 64 * 64);
    free(map.rgb);
    expect_code(place, "$T map --world old.world --section --size 64x64 --out s.png", 0);
    expect_code(place, "$T map --world old.world --tiles tiles --size 64x64", 0);
    old_land_expect(path);
}

static void an_export_has_what_is_saved(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    old_land_copy(place, path);
    expect_code(place, "$T export --world old.world --out all.obj", 0);
    assert_non_null(strstr(place->text, NO_LAND));
    expect_code(place, "grep -c ^v all.obj", 0);
    expect_code(place, "$T export --world old.world --box 64,-32,64..95,31,95 --out none.obj", 1);
    assert_non_null(strstr(place->text, "There is nothing in this box but air"));
    old_land_expect(path);
}

static void what_needs_its_land_is_refused(void **state)
{
    static const struct {
        const char *line, *words;
    } refused[] = {
        {"$T pregen old.world --area 0,0,10,10", "generating an area"},
        {"$T prune old.world", "pruning"},
        {"$T fold old.world", "folding"},
    };
    Place *place = *state;
    char path[PLACE_PATH], words[160];
    old_land_copy(place, path);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        expect_code(place, refused[i].line, 1);
        (void)snprintf(words, sizeof words,
                       "old.world: %s needs the land of version 3, which this program does not "
                       "generate; use the version of Terrane that made this world.\n",
                       refused[i].words);
        assert_non_null(strstr(place->text, words));
        old_land_expect(path);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_make, place_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_is_read_as_it_is),
        TEST(copies_of_it_are_what_it_is),
        TEST(a_map_shows_what_is_saved),
        TEST(an_export_has_what_is_saved),
        TEST(what_needs_its_land_is_refused),
    };
    return cmocka_run_group_tests_name("tools_old_land", tests, NULL, NULL);
}
