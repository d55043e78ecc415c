/// The viewer as a program, without a window, on a world whose land is too old to be generated:
/// what is saved is drawn, and the file stays as it is, byte by byte. TERRANE_VIEWER is the
/// program's path. Run by with_display.sh.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "old_land.h"

#include "../tools/png_file.h"

#define NO_LAND "old.world: its land is of version 3, which this program does not generate"
#define LOOK "--headless --world old.world --frames 2 --size 160x100 --view-distance 8 "

/// Runs the viewer in the folder; its output is in place->text afterwards.
static void expect_code(Place *place, const char *arguments, int code)
{
    const char *viewer = getenv("TERRANE_VIEWER");
    assert_non_null(viewer);
    char command[1024];
    (void)snprintf(command, sizeof command, "cd '%s' && '%s' %s 2>&1", place->folder, viewer,
                   arguments);
    const int got = place_run(place, command);
    if (got != code) {
        fail_msg("'%s' ended with %d, not %d: %s", arguments, got, code, place->text);
    }
}

/// Counts pixels that differ clearly from those of another picture.
static int count_different(const Place *place, const char *one, const char *other)
{
    char path[PLACE_PATH];
    PngFile a = png_file_read(place_path(place, one, path));
    PngFile b = png_file_read(place_path(place, other, path));
    int count = 0;
    for (int i = 0; i < a.width * a.height; i++) {
        int difference = 0;
        for (int k = 0; k < 3; k++) {
            difference += abs(a.rgb[i * 3 + k] - b.rgb[i * 3 + k]);
        }
        count += difference > 60;
    }
    free(a.rgb);
    free(b.rgb);
    return count;
}

static void what_is_saved_is_drawn_and_the_file_stays(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH], command[1024];
    old_land_copy(place, path);
    (void)snprintf(command, sizeof command, "cmp '%s' '%s'", OLD_LAND_FILE, path);
    expect_code(place, LOOK "--at=-32,40,-32,0,-89 --out near", 0);
    assert_non_null(strstr(place->text, NO_LAND));
    assert_int_equal(place_run(place, command), 0);
    expect_code(place, LOOK "--at=1568,40,1568,0,-89 --out far", 0);
    assert_int_equal(place_run(place, command), 0);
    old_land_expect(path);
    assert_true(count_different(place, "near/flight.png", "far/flight.png") > 160 * 100 / 2);
    // Where nothing is saved it is the same everywhere.
    expect_code(place, LOOK "--at=9056,40,-7008,0,-89 --out farther", 0);
    assert_int_equal(count_different(place, "far/flight.png", "farther/flight.png"), 0);
}

static void flights_are_refused(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    old_land_copy(place, path);
    expect_code(place, LOOK "--flight a.flight", 2);
    assert_non_null(strstr(place->text, "old.world: --flight needs the land of version 3"));
    expect_code(place, LOOK "--record a.flight", 2);
    assert_non_null(strstr(place->text, "old.world: --record needs the land of version 3"));
    place_write(place, "old.flight",
                "terrane-flight 3\nseed 13\npreset default\nland-version 3\nkey 0 1 2 3 4 5\n"
                "key 1 1 2 3 4 5\nend\n");
    expect_code(place, "--headless --frames 2 --size 64x64 --flight old.flight", 2);
    assert_non_null(strstr(place->text, "old.flight: it was recorded over land of version 3"));
    expect_code(place, "--headless --at=terrane://islands@3/42/100,60,-40,180,-10/9.5", 2);
    assert_non_null(strstr(place->text, "This link leads to land of version 3"));
    old_land_expect(path);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_make, place_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_saved_is_drawn_and_the_file_stays),
        TEST(flights_are_refused),
    };
    return cmocka_run_group_tests_name("old_land_gl", tests, NULL, NULL);
}
