/// The program terrane, run as a user would: its output, the files it leaves behind, and its exit
/// codes. TERRANE_TOOL is the program's path.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "tool_place.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <terrane/terrain.h>

#include "png_file.h"

static void the_program_explains_itself(void **state)
{
    Place *place = *state;
    expect_code(place, "$T --version", 0);
    char version[64];
    snprintf(version, sizeof version, "terrane %s\n", trn_version());
    assert_string_equal(place->text, version);
    expect_code(place, "$T --help", 0);
    assert_non_null(strstr(place->text, "map "));
    expect_code(place, "$T help map", 0);
    static const char *const options[] = {"--seed",  "--preset",  "--terrain", "--center", "--size",
                                          "--scale", "--section", "--height",  "--out"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        assert_non_null(strstr(place->text, options[i]));
    }
    char help[sizeof place->text];
    memcpy(help, place->text, sizeof help);
    expect_code(place, "$T map --help", 0);
    assert_string_equal(place->text, help);
    expect_code(place, "$T --help >/dev/full", 1);
    assert_non_null(strstr(place->text, "room"));
    expect_code(place, "$T --help >a; $T | cmp - a && $T -h | cmp - a && $T help | cmp - a", 0);
    expect_code(place, "$T map -h >a; $T --help map | cmp - a && $T -h map | cmp - a", 0);
    expect_code(place, "$T -V >a; $T map -V | cmp - a && $T map --version | cmp - a; rm a", 0);
}

static void wrong_command_lines_are_refused_with_a_way_out(void **state)
{
    Place *place = *state;
    static const struct {
        const char *line, *words;
    } cases[] = {
        {"$T paint", "no command 'paint'; the nearest is 'prune'"},
        {"$T exprot", "no command 'exprot'; did you mean 'export'?"},
        {"$T --paint", "no option '--paint'"},
        {"$T help paint", "no command 'paint'"},
        {"$T ''", "terrane: Name a command; terrane --help lists them all."},
        {"$T help ''", "terrane: Name a command; terrane --help lists them all."},
        {"$T help map x", "help takes no more words; leave out x"},
        {"$T --version x", "--version takes no more words; leave out x"},
        {"$T --version --help", "leave out --help"},
        {"$T -V x", "leave out x"},
        {"$T map --sede 5", "terrane map: There is no option '--sede'; did you mean '--seed'?"},
        {"$T map --paint", "no option '--paint'"},
        {"$T map -zz", "-zz"},
        {"$T map here", "'here' is not an option"},
        {"$T map --size", "--size needs a value"},
        {"$T map --section=yes", "takes no value"},
        {"$T map --out ''", "name of a file"},
        {"$T map --size 0x0", "not '0x0'"},
        {"$T map --size 100x0", "from 1 to 65536"},
        {"$T map --size -5x5", "from 1 to 65536"},
        {"$T map --size 1000000x1000000", "from 1 to 65536"},
        {"$T map --size 99999999999999999999x4", "from 1 to 65536"},
        {"$T map --size 12", "WIDTHxHEIGHT"},
        {"$T map --size 12x12x12", "WIDTHxHEIGHT"},
        {"$T map --size nanxnan", "WIDTHxHEIGHT"},
        {"$T map --scale 0", "from 1 to 1048576"},
        {"$T map --scale -1", "from 1 to 1048576"},
        {"$T map --scale 0.5", "from 1 to 1048576"},
        {"$T map --scale nan", "from 1 to 1048576"},
        {"$T map --seed -1", "--seed takes"},
        {"$T map --seed 18446744073709551616", "--seed takes"},
        {"$T map --preset mars", "'mars'; there are default, islands, alps, canyons and flat."},
        {"$T map --preset ''", "--preset takes default, islands"},
        {"$T map --preset islands.terrain", "there are default"},
        {"$T map --preset flat --terrain /dev/null", "leave one out"},
        {"$T map --terrain ''", "name of a terrain file"},
        {"$T map --terrain nowhere.terrain", "nowhere.terrain: No such file"},
        {"$T map --terrain /", "Is a directory"},
        {"$T map --terrain /dev/zero", "larger than 64 KiB"},
        {"$T map --terrain /dev/null", "/dev/null:1:1: "},
        {"printf 'terrane-terrain 1\\nscale = wide\\n' | $T map --terrain /dev/stdin",
         "terrane map: /dev/stdin:2:9: \"wide\" is not a number"},
        {"printf 'terrane-terrain 1\\n\\ncaves = 2.5\\n' | $T map --terrain /dev/stdin",
         "/dev/stdin:3:9: caves must lie in 0..2"},
        {"$T map --center 5", "--center takes X,Z"},
        {"$T map --center 5,", "--center takes X,Z"},
        {"$T map --center 1,2,3", "--center takes X,Z"},
        {"$T map --center 68719476736,0", "each from -68719476736 to 68719476735"},
        {"$T map --center 0,-68719476737", "each from -68719476736 to 68719476735"},
        {"$T map --center 99999999999999999999,0", "each from -68719476736"},
        {"$T map --center 68719476735,0", "along x"},
        {"$T map --center 0,-68719476736", "along z"},
        {"$T map --size 65536x65536 --scale 1048576 --center 50000000000,0", "move --center"},
        {"$T map --height 5", "add --section"},
        {"$T map --section --height x", "--height takes"},
        {"$T map --section --height 68719476735", "along y"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_refusal(place, cases[i].line, 2, cases[i].words);
    }
}

static void unwritable_places_are_reported(void **state)
{
    Place *place = *state;
    static const struct {
        const char *line, *words;
    } cases[] = {
        {"$T map --size 8x8 --out no/such/folder/a.png", "No such file or directory; choose"},
        {"$T map --size 8x8 --out /proc/a.png", "choose another place"},
        {"$T map --size 8x8 --out /dev/full", "make room"},
        {"$T map --size 8x8 --out .", "move it away"},
        {"$T map --size 8x8 --out folder/", "choose another place"},
        {"$T map --size 8x8 --out /dev/null/a.png", "choose another place"},
        {"(ulimit -f 1; exec $T map --size 256x256 --out a.png)", "make room"},
        {"$T map --size 8x8 --out $(printf 'n%.0s' $(seq 300))", "File name too long"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_refusal(place, cases[i].line, 1, cases[i].words);
    }
}

static void the_same_command_writes_the_same_bytes(void **state)
{
    Place *place = *state;
    static const char *const commands[] = {"map --size 150x90 --scale 3 --center -900,31 --seed 5",
                                           "map --section --size 150x90 --scale 2 --seed 5"};
    for (size_t i = 0; i < 2; i++) {
        char line[256];
        snprintf(line, sizeof line, "$T %s --out a.png && $T %s --out b.png && cmp a.png b.png",
                 commands[i], commands[i]);
        expect_code(place, line, 0);
        assert_string_equal(place->text, ""); // no progress without a terminal
        assert_int_equal(place_count(place), 2);
        char path[128];
        snprintf(path, sizeof path, "%s/a.png", place->folder);
        PngFile png = png_file_read(path);
        assert_int_equal(png.width, 150);
        assert_int_equal(png.height, 90);
        free(png.rgb);
    }
    expect_code(place, "$T map --size 150x90 --seed 6 --out b.png && cmp -s a.png b.png", 1);
    expect_code(place, "rm a.png b.png", 0);
}

static void every_preset_differs_and_equals_its_file(void **state)
{
    Place *place = *state;
    expect_code(place, "$T map --size 64x64 --scale 7 --out default.png", 0);
    const char *name;
    for (size_t i = 0; (name = trn_terrain_preset_name(i)); i++) {
        char line[512];
        snprintf(line, sizeof line,
                 "$T map --size 64x64 --scale 7 --preset %s --out a.png && "
                 "$T map --size 64x64 --scale 7 --terrain '%s/assets/terrain/%s.terrain' "
                 "--out b.png && cmp a.png b.png",
                 name, TERRANE_SOURCE_DIR, name);
        expect_code(place, line, 0);
        expect_code(place, "cmp -s a.png default.png", i > 0); // the first preset is the default
    }
    expect_code(place, "rm a.png b.png default.png", 0);
}

static void a_picture_replaces_the_old_one_or_goes_to_a_pipe(void **state)
{
    Place *place = *state;
    expect_code(place, "$T map --size 9x9 --out a.png && $T map --size 5x3 --out a.png", 0);
    char path[128];
    snprintf(path, sizeof path, "%s/a.png", place->folder);
    PngFile png = png_file_read(path);
    assert_int_equal(png.width, 5);
    free(png.rgb);
    expect_code(place, "$T map --size 5x3 --out /dev/stdout | cmp - a.png", 0);
    expect_code(place, "$T map --size 5x3 --out /dev/null && test -c /dev/null", 0);
    assert_int_equal(place_count(place), 1);
    expect_code(place, "rm a.png", 0);
}

static void an_interrupted_command_keeps_the_old_file(void **state)
{
    Place *place = *state;
    // Far too large to finish. Background jobs of the shell ignore SIGINT; those of timeout do not.
    expect_code(place, "echo before > a.png", 0);
    static const struct {
        const char *signal;
        int code;
    } cases[] = {{"INT", 130}, {"TERM", 143}, {"HUP", 129}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[256];
        snprintf(line, sizeof line,
                 "timeout --preserve-status -s %s 0.5 $BARE map --size 20000x20000 --out a.png",
                 cases[i].signal);
        expect_code(place, line, cases[i].code);
        assert_string_equal(place->text, "terrane map: Interrupted; nothing was written.\n");
        assert_int_equal(place_count(place), 1);
        expect_code(place, "cat a.png", 0);
        assert_string_equal(place->text, "before\n");
    }
    expect_code(place, "rm a.png", 0);
}

static void the_first_signal_ends_the_wait_for_a_pipe(void **state)
{
    Place *place = *state;
    expect_code(place, "mkfifo pipe", 0);
    static const char *const waits[] = {
        "map --terrain pipe",         "map --size 8x8 --out pipe",
        "export --terrain pipe",      "export --size 8x8 --format obj --out pipe",
        "map --terrain pipe 9<>pipe", // opened, but never written
    };
    for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        char line[256];
        snprintf(line, sizeof line, "timeout --preserve-status -k 5 -s INT 0.5 $BARE %s", waits[i]);
        expect_code(place, line, 130);
        assert_int_equal(place_count(place), 1);
    }
    expect_code(place, "rm pipe", 0);
}

static void the_file_of_a_killed_program_stays(void **state)
{
    Place *place = *state;
    // The shell waits until the program has ended: until then its file is its own.
    expect_code(place,
                "$BARE map --size 20000x20000 --out a.png & "
                "until ls -A | grep -q .; do sleep 0.05; done; kill -KILL $!; wait $!; "
                "test $(ls -A | wc -l) = 1 && $T map --size 8x8 --out b.png && "
                "ls -A | grep -c '^.terrane-tmp-' | grep -qx 1",
                0);
    assert_int_equal(place_count(place), 2);
    expect_code(place, "rm b.png .terrane-tmp-*", 0);
}

int main(void)
{
    signal(SIGINT, SIG_DFL); // programs started in the background ignore it
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_explains_itself),
        cmocka_unit_test(wrong_command_lines_are_refused_with_a_way_out),
        cmocka_unit_test(unwritable_places_are_reported),
        cmocka_unit_test(the_same_command_writes_the_same_bytes),
        cmocka_unit_test(every_preset_differs_and_equals_its_file),
        cmocka_unit_test(a_picture_replaces_the_old_one_or_goes_to_a_pipe),
        cmocka_unit_test(an_interrupted_command_keeps_the_old_file),
        cmocka_unit_test(the_first_signal_ends_the_wait_for_a_pipe),
        cmocka_unit_test(the_file_of_a_killed_program_stays),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}
