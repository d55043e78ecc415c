/// The command terrane export, run as a user would: its output, the files it leaves behind, and its
/// exit codes. TERRANE_TOOL is the program's path.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "tool_place.h"

static void the_command_explains_itself(void **state)
{
    Place *place = *state;
    expect_code(place, "$T export --help", 0);
    static const char *const options[] = {"--seed", "--preset", "--terrain", "--center", "--size",
                                          "--box",  "--format", "--no-ao",   "--out"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        assert_non_null(strstr(place->text, options[i]));
    }
    expect_code(place, "$T --help", 0);
    assert_non_null(strstr(place->text, "export "));
}

static void wrong_command_lines_are_refused_with_a_way_out(void **state)
{
    Place *place = *state;
    static const struct {
        const char *line, *words;
    } cases[] = {
        {"$T export --paint", "no option '--paint'"},
        {"$T export here", "'here' is not an option"},
        {"$T export --size", "--size needs a value"},
        {"$T export --no-ao=yes", "takes no value"},
        {"$T export --out ''", "name of a file"},
        {"$T export --out land", "end it in .glb, .gltf or .obj, as"},
        {"$T export --out a.b/land", "end it in .glb, .gltf or .obj, as"},
        {"$T export --format stl", "anvil, not 'stl'"},
        {"$T export --format ''", "glb, gltf, obj"},
        {"$T export --seed -1", "--seed takes"},
        {"$T export --preset mars", "there are default"},
        {"$T export --preset flat --terrain /dev/null", "leave one out"},
        {"$T export --terrain ''", "name of a terrain file"},
        {"$T export --terrain /dev/null", "/dev/null:1:1: "},
        {"$T export --center 5", "--center takes X,Z"},
        {"$T export --center 68719476736,0", "--center takes X,Z"},
        {"$T export --center 68719476735,0", "out of the world"},
        {"$T export --size 0x5", "from 1 to 65536"},
        {"$T export --size 65536x65536", "chunks, and at most 1048576"},
        {"$T export --box 1,2,3", "two corners"},
        {"$T export --box 1,2,3..4,5", "two corners"},
        {"$T export --box 1,2..3,4,5", "two corners"},
        {"$T export --box 1,2,3,4..5,6,7", "two corners"},
        {"$T export --box 1,2,3..4,5,6x", "two corners"},
        {"$T export --box ..", "two corners"},
        {"$T export --box 0,0,0..0,68719476736,0", "each from -68719476736"},
        {"$T export --box 5,0,0..1,9,9", "empty"},
        {"$T export --box 0,0,0..65536,5,5", "65537x6x6 voxels"},
        {"$T export --box 0,0,0..65535,1023,1023", "2097152 chunks"},
        {"$T export --box 0,0,0..9,9,9 --center 0,0", "leave those out"},
        {"$T export --box 0,0,0..9,9,9 --size 5x5", "leave those out"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_refusal(place, cases[i].line, 2, cases[i].words);
    }
}

static void unwritable_places_are_reported_and_nothing_is_left(void **state)
{
    Place *place = *state;
    static const struct {
        const char *line, *words;
    } cases[] = {
        {"$T export --size 8x8 --out no/such/folder/a.glb", "No such file or directory; choose"},
        {"$T export --size 8x8 --out /dev/full --format glb", "make room"},
        {"$T export --size 8x8 --out . --format glb", "move it away"},
        {"$T export --size 8x8 --out /dev/null/a.obj", "choose another place"},
        {"$T export --size 8x8 --out a.mtl --format obj", "needed for the model's .mtl file"},
        {"$T export --size 8x8 --out a.bin --format gltf", "needed for the model's .bin file"},
        {"$T export --size 8x8 --out \"$(printf 'a\\nb.obj')\"", "cannot refer to its .mtl"},
        {"$T export --size 8x8 --out \"$(printf 'a\\rb.obj')\"", "cannot refer to its .mtl"},
        {"(ulimit -f 1; exec $T export --size 64x64 --out a.glb)", "make room"},
        {"(ulimit -f 1; exec $T export --size 64x64 --out a.gltf)", "make room"},
        {"(ulimit -f 1; exec $T export --size 64x64 --out a.obj)", "make room"},
        {"(ulimit -f 4; exec $T export --size 64x64 --out a.obj)", "make room"},
        {"$T export --size 8x8 --out /dev/stdout --format obj", "add --format glb"},
        {"mkdir a.bin; $T export --size 8x8 --out a.gltf; code=$?; rmdir a.bin; (exit $code)",
         "a.bin: Is a directory; move it away"},
        {"mkdir a.mtl; $T export --size 8x8 --out a.obj; code=$?; rmdir a.mtl; (exit $code)",
         "a.mtl: Is a directory; move it away"},
        {"$T export --box 0,900,0..99,999,99", "nothing in this box but air"},
        {"$T export --out $(printf 'n%.0s' $(seq 300)).glb", "File name too long"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_refusal(place, cases[i].line, 1, cases[i].words);
    }
}

static void the_same_command_writes_the_same_bytes(void **state)
{
    Place *place = *state;
    static const char *const endings[] = {"glb", "obj"};
    for (size_t i = 0; i < 2; i++) {
        char line[512];
        snprintf(line, sizeof line,
                 "$T export --size 60x40 --center -900,31 --seed 5 --out a.%s && cp a.%s b && $T "
                 "export --size "
                 "60x40 --center -900,31 --seed 5 --out a.%s && cmp a.%s b && rm b a.*",
                 endings[i], endings[i], endings[i], endings[i]);
        expect_code(place, line, 0);
        assert_string_equal(place->text, ""); // no progress without a terminal
    }
    assert_int_equal(place_count(place), 0);
    expect_code(place,
                "$T export --size 9x9 --out a.glb && $T export --size 9x9 --seed 8 --out b.glb && "
                "! cmp -s a.glb "
                "b.glb && rm a.glb b.glb",
                0);
}

static void a_model_replaces_the_old_one_and_names_its_material_file(void **state)
{
    Place *place = *state;
    expect_code(place, "$T export --size 9x9 --out a.glb && $T export --size 5x3 --out a.glb", 0);
    expect_code(place, "$T export --size 5x3 --format glb --out /dev/stdout | cmp - a.glb", 0);
    assert_int_equal(place_count(place), 1);
    expect_code(place, "mkdir 'a b' && $T export --size 5x3 --out 'a b/my land.gltf' && ls 'a b'",
                0);
    assert_string_equal(place->text, "my land.bin\nmy land.gltf\n");
    expect_code(place, "grep -c 'my%20land.bin' 'a b/my land.gltf'", 0);
    assert_string_equal(place->text, "1\n");
    expect_code(place, "$T export --size 5x3 --out 'a b/x.obj' && grep mtllib 'a b/x.obj'", 0);
    assert_string_equal(place->text, "mtllib x.mtl\n");
    expect_code(place, "rm -r 'a b' a.glb", 0);
}

static void an_interrupted_command_keeps_the_old_file(void **state)
{
    Place *place = *state;
    // Far too large to finish. Background jobs of the shell ignore SIGINT; those of timeout do not.
    static const char *const endings[] = {"glb", "gltf"};
    for (size_t i = 0; i < 2; i++) {
        char line[256];
        snprintf(line, sizeof line, "echo before > a.%s", endings[i]);
        expect_code(place, line, 0);
        snprintf(line, sizeof line,
                 "timeout --preserve-status -s INT 0.5 $BARE export --size 4000x4000 --out a.%s",
                 endings[i]);
        expect_code(place, line, 130);
        assert_string_equal(place->text, "terrane export: Interrupted; nothing was written.\n");
        assert_int_equal(place_count(place), 1);
        expect_code(place, "cat a.* && rm a.*", 0);
        assert_string_equal(place->text, "before\n");
    }
}

/// What came from a file is exported as the same file.
static void schematics_come_back(void **state)
{
    Place *place = *state;
    static const char *const endings[] = {"schem", "litematic", "schematic", "mts"};
    const char *box = "--box -40,-20,-40..60,70,50";
    char line[1024];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const char *ending = endings[i];
        (void)snprintf(line, sizeof line, "$T export --preset flat --seed 3 %s --out a.%s", box,
                       ending);
        expect_code(place, line, 0);
        for (int k = 0; k < 2;
             k++) { // blocks that the format lacks are others since the first time
            (void)snprintf(line, sizeof line,
                           "rm -f a.world*; $T import --offset -40,-20,-40 a.%s a.world && mv a.%s "
                           "b.%s && $T export --world a.world %s --out a.%s",
                           ending, ending, ending, box, ending);
            expect_code(place, line, 0);
        }
        (void)snprintf(line, sizeof line, "cmp a.%s b.%s && rm a.world* ?.%s", ending, ending,
                       ending);
        expect_code(place, line, 0);
    }
    expect_code(place, "$T export --preset flat --box 0,-9,0..9,9,9 --format vox", 0);
    assert_non_null(strstr(place->text, "only the colour is kept"));
    expect_code(place, "$T import land.vox a.world && rm a.world* land.vox", 0);
    expect_code(place, "$T export --box 0,0,0..9,9,9 --format schem --out /dev/full", 1);
    assert_non_null(strstr(place->text, "/dev/full"));
    expect_code(place, "$T export --box 0,0,0..9,9,9 --out missing/a.schem", 1);
    expect_code(place, "$T export --box 0,0,0..1023,511,511 --out a.schem", 1);
    assert_non_null(strstr(place->text, "134,217,728"));
    expect_code(place, "test ! -e a.schem", 0);
}

/// A world that goes out as regions of Minecraft and comes back has the same blocks.
static void worlds_of_minecraft_come_back(void **state)
{
    Place *place = *state;
    const char *box = "--box -60,-64,-60..60,200,60";
    char line[1024];
    expect_code(place, "$T new --preset flat --seed 3 --radius 3 a.world", 0);
    expect_code(place, "$T export --world a.world --format anvil --out out", 0);
    expect_code(place, "gzip -dc out/level.dat | grep -ac LevelName", 0);
    expect_code(place, "ls out/region", 0);
    assert_string_equal(place->text, "r.-1.-1.mca\nr.-1.0.mca\nr.0.-1.mca\nr.0.0.mca\n");
    (void)snprintf(line, sizeof line,
                   "$T import out b.world && $T export --world b.world --format anvil --out again "
                   "&& $T import again c.world && $T export --world b.world %s --out b.schem && "
                   "$T export --world c.world %s --out c.schem && cmp b.schem c.schem",
                   box, box);
    expect_code(place, line, 0);
    expect_code(place, "$T export --world a.world --box -5,0,-5..5,9,5 --format anvil --out one",
                0);
    // What Minecraft has no room for is counted, and a level.dat that is there stays.
    expect_code(place, "echo theirs >one/level.dat", 0);
    expect_code(
        place, "$T export --world a.world --box 0,-80,0..9,-60,9 --format anvil --out one 2>&1", 0);
    assert_non_null(strstr(place->text, "1600  voxels below -64 or above 319"));
    expect_code(place, "grep -x theirs one/level.dat", 0);
    expect_code(place, "touch file && $T export --world a.world --format anvil --out file", 1);
    // Where the chunks' numbers end, the list of them ended never.
    expect_code(place,
                "$T export --box 68719476700,0,68719476700..68719476735,9,68719476735 "
                "--format anvil --out far",
                1);
    assert_non_null(strstr(place->text, "no numbers for voxels"));
    expect_code(place, "rm -r *.world* *.schem out one file again far", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_command_explains_itself),
        cmocka_unit_test(wrong_command_lines_are_refused_with_a_way_out),
        cmocka_unit_test(unwritable_places_are_reported_and_nothing_is_left),
        cmocka_unit_test(the_same_command_writes_the_same_bytes),
        cmocka_unit_test(a_model_replaces_the_old_one_and_names_its_material_file),
        cmocka_unit_test(schematics_come_back),
        cmocka_unit_test(worlds_of_minecraft_come_back),
        cmocka_unit_test(an_interrupted_command_keeps_the_old_file),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}
