/// terrane import, run as a user would. TERRANE_TOOL is the program's path.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "tool_place.h"

#include "import/luanti_map.h"

/// Makes map.sqlite in the folder: a floor, a tree and a node that Terrane does not know.
static void make_map(const Place *place, int edge)
{
    static LuantiMap map;
    char path[512];
    map = (LuantiMap){.version = 29, .id_bytes = 2};
    for (int x = 0; x < edge; x++) {
        for (int z = 0; z < edge; z++) {
            luanti_set(&map, x, 4, z, "default:stone");
        }
    }
    luanti_set(&map, 2, 5, 3, "default:tree");
    luanti_set(&map, 3, 5, 3, "odd:\x1b[31mnode");
    map.blocks[0].param2[0] = 1;
    assert_true(snprintf(path, sizeof path, "%s/map.sqlite", place->folder) < (int)sizeof path);
    luanti_save(&map, path, true);
}

static void a_world_is_imported_and_reported(void **state)
{
    Place *place = *state;
    make_map(place, 40);
    expect_code(place, "$T import . a.world", 0);
    assert_non_null(strstr(place->text, "Imported 4 chunks (luanti)"));
    assert_non_null(strstr(place->text, " 1  odd:\\x1B[31mnode\n")); // and nothing for the terminal
    assert_non_null(strstr(place->text, " 1  param2 of nodes"));
    expect_code(place, "$T import --format luanti --json map.sqlite b.world", 0);
    assert_non_null(strstr(place->text, "\"chunks\":\t4"));
    assert_non_null(strstr(place->text, "\"what\":\t\"odd:?[31mnode\""));
    expect_code(place, "$T import . a.world", 1);
    assert_non_null(strstr(place->text, "a.world exists; name a new file, or give --add"));
    expect_code(place, "$T info a.world", 0); // 40 x 40 nodes fill 2 x 2 chunks
    assert_non_null(strstr(place->text, "level 0     4 chunks"));
    assert_non_null(strstr(place->text, "level 1     1 chunks"));
    assert_non_null(strstr(place->text, "level 8     1 chunks"));
    assert_null(strstr(place->text, "level 9"));
    expect_code(place, "$T verify a.world", 0);
    assert_non_null(strstr(place->text, "12 chunks were read, 0 are damaged."));
    expect_code(place, "$T import --add map.sqlite a.world", 0);
    expect_code(place, "$T verify a.world", 0);
    assert_non_null(strstr(place->text, "12 chunks were read, 0 are damaged."));
    expect_code(place, "$T new --seed 7 land.world && $T import --add map.sqlite land.world", 0);
    expect_code(place, "$T info land.world && rm land.world*", 0);
    assert_non_null(strstr(place->text, "level 8     1 chunks"));
    expect_code(place, "cp '" OLD_LAND_FILE "' old.world && chmod u+w old.world", 0);
    expect_code(place, "$T import --add map.sqlite old.world", 1);
    assert_non_null(
        strstr(place->text, "old.world: an import into it needs the land of version 3"));
    expect_code(place, "$T info old.world && rm old.world*", 0);
    assert_non_null(strstr(place->text, "level 0     9 chunks"));
    expect_code(place, "rm -f a.world* b.world* map.sqlite", 0);
}

static void a_picture_of_heights_is_imported(void **state)
{
    Place *place = *state;
    // A map is a picture: its red channel serves as heights, and its colours as colours.
    expect_code(place, "$T map --size 70x40 --out map.png", 0);
    expect_code(place,
                "$T import --heights 0,40 --sea 20 --base 0 --scale 2 --offset 64,-32,0 --colours "
                "map.png --own-colours map.png a.world",
                0);
    assert_non_null(strstr(place->text, "chunks (heightmap)"));
    expect_code(place, "$T import --colours missing.png map.png b.world", 1);
    assert_non_null(strstr(place->text, "Cannot open the picture missing.png"));
    expect_code(place, "rm -f a.world* b.world* map.png && ls", 0);
    assert_string_equal(place->text, "");
}

static void a_table_of_names_replaces_the_own_one(void **state)
{
    Place *place = *state;
    make_map(place, 3);
    expect_code(place, "printf 'default:* = terrane:ice\\nair = terrane:air\\n' >names", 0);
    expect_code(place, "$T import --names names . a.world", 0);
    assert_null(strstr(place->text, "default:"));
    expect_code(place, "echo 'a:b = terrane:nothing' >names", 0);
    expect_code(place, "$T import --names names . b.world", 1);
    assert_non_null(strstr(place->text, "line 1 of the table of names: 'terrane:nothing'"));
    expect_code(place, "$T import --names missing . b.world", 1);
    assert_non_null(strstr(place->text, "missing: No such file"));
    expect_code(place, "$T import --names . . b.world", 1);
    expect_code(place, "rm names a.world* map.sqlite && ls", 0);
    assert_string_equal(place->text, "");
}

static void nothing_imported_is_a_failure(void **state)
{
    Place *place = *state;
    char path[512];
    assert_true(snprintf(path, sizeof path, "%s/map.sqlite", place->folder) < (int)sizeof path);
    static LuantiMap map;
    map = (LuantiMap){.version = 29, .id_bytes = 2};
    luanti_save(&map, path, true);
    expect_code(place, "$T import . a.world", 1); // a map without a block
    assert_non_null(strstr(place->text, "Nothing was imported: . has nothing but air."));
    expect_code(place, "test ! -e a.world", 0);
    expect_code(place, "mkdir far && ln -s far/c.world c.world; $T import . c.world", 1);
    expect_code(place, "test -L c.world && rm c.world && rmdir far", 0); // the link is the user's
    luanti_set(&map, 1, 2, 3, "air");
    expect_code(place, "rm map.sqlite", 0);
    luanti_save(&map, path, true);
    expect_code(place, "$T import --json . a.world", 1); // nothing but air
    assert_non_null(strstr(place->text, "\"unsupported\":\t[]"));
    expect_code(place, "mkdir region && : >region/r.0.0.mca; $T import region a.world", 1);
    expect_code(place, "$T new --seed 1 b.world && $T import --add region b.world", 1);
    expect_code(place, "test -e b.world && test ! -e a.world", 0); // it was there before
    expect_code(place, "rm -r b.world* map.sqlite region && ls", 0);
    assert_string_equal(place->text, "");
}

static void players_begin_on_the_ground(void **state)
{
    Place *place = *state;
    char path[512];
    static LuantiMap map;
    map = (LuantiMap){.version = 29, .id_bytes = 2};
    assert_true(snprintf(path, sizeof path, "%s/map.sqlite", place->folder) < (int)sizeof path);
    luanti_set(&map, 100, 4, -200, "default:stone");
    luanti_set(&map, 100, 5, -200, "default:grass_1");
    luanti_set(&map, 40, 4, 4, "default:water_source");
    luanti_set(&map, 300, 14, 14, "default:dirt");
    luanti_save(&map, path, true);
    expect_code(place, "$T import map.sqlite a.world && $T info a.world", 0);
    assert_non_null(strstr(place->text, "spawn       100, 5, 199"));
    expect_code(place, "echo 'static_spawnpoint = 300,20,14' >map_meta.txt; touch world.mt", 0);
    expect_code(place, "$T import . b.world && $T info b.world", 0);
    assert_non_null(strstr(place->text, "spawn       300, 15, -15"));
    expect_code(place, "rm a.world* b.world* map.sqlite map_meta.txt world.mt && ls", 0);
    assert_string_equal(place->text, "");
}

/// Reading a pipe would wait for good, and a device need not end.
static void pipes_and_devices_are_not_imported(void **state)
{
    Place *place = *state;
    static const char *const sources[] = {"pipe", "/dev/zero", "world"};
    static const char *const formats[] = {"auto", "luanti",    "anvil", "heightmap",
                                          "vox",  "schematic", "mts"};
    expect_code(place,
                "mkdir -p world/region && mkfifo pipe world/map.sqlite world/region/r.0.0.mca", 0);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
            char line[128];
            (void)snprintf(line, sizeof line, "$T import --format %s %s a.world", formats[k],
                           sources[i]);
            expect_code(place, line, 1);
            expect_code(place, "test ! -e a.world", 0);
        }
    }
    expect_code(place, "$T import world a.world", 1);
    assert_non_null(strstr(place->text, "none of its region files (r.X.Z.mca) can be read"));
    // Of a folder, the rest is imported; here it is empty.
    expect_code(place, ": >world/region/r.1.0.mca; $T import --format anvil world a.world", 1);
    assert_non_null(strstr(place->text, "Damaged: region files that cannot be read (1)"));
    expect_code(place, "$T import pipe a.world", 1);
    assert_non_null(strstr(place->text, "pipe: it looks like no format"));
    expect_code(place, "rm -r pipe world && ls", 0);
    assert_string_equal(place->text, "");
}

static void a_signal_ends_an_import(void **state)
{
    Place *place = *state;
    make_map(place, 40);
    expect_code(place,
                "mkfifo names; $BARE import --names names . a.world & p=$!; "
                "exec 3>names; kill -TERM $p; exec 3>&-; wait $p",
                143);
    expect_code(place, "rm -f names a.world*; $T import . a.world", 0);
    expect_code(place, "rm -f a.world* map.sqlite", 0);
}

static void wrong_command_lines_are_refused_with_a_way_out(void **state)
{
    Place *place = *state;
    static const struct {
        const char *line, *words;
        int code;
    } cases[] = {
        {"$T import", "Name the world to import: terrane import SOURCE WORLD", 2},
        {"$T import one", "Name the file to write too: terrane import SOURCE WORLD", 2},
        {"$T import one two three", "one word too many, three", 2},
        {"$T import '' two", "Name the world to import", 2},
        {"$T import --paint one two", "no option '--paint'", 2},
        {"$T import --add=1 one two", "takes no value", 2},
        {"$T import --names", "--names needs a value", 2},
        {"$T import --format zip one two", "--format takes auto, luanti", 2},
        {"$T import --offset 1,2 one two", "--offset takes voxels X,Y,Z", 2},
        {"$T import --heights 5 one two", "--heights takes BLACK,WHITE, each from -16384", 2},
        {"$T import --scale 0 one two", "--scale takes a whole number from 1 to 256", 2},
        {"$T import --sea deep one two", "--sea takes a whole number", 2},
        {"$T import --base '' one two", "--base takes a whole number", 2},
        {"$T import --colours '' one two", "--colours takes the name of a picture", 2},
        {"$T import one two", "no such file or folder", 1},
        {"$T import /dev/null two", "like no format that this program imports", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_refusal(place, cases[i].line, cases[i].code, cases[i].words);
    }
    expect_code(place, "$T import --help", 0);
    assert_non_null(strstr(place->text, "--names FILE"));
}

/// A building that is put into a world, turned and turned back, is the same.
static void a_building_is_put_into_a_world(void **state)
{
    Place *place = *state;
    expect_code(place, "$T export --seed 7 --box 0,0,0..40,30,20 --out a.schem", 0);
    expect_code(place,
                "$T new --seed 7 --radius 1 a.world && $T import --at 32,96,-64 --air replace "
                "--rotate 90 a.schem a.world",
                0);
    expect_code(place, "$T export --world a.world --box 32,96,-64..52,126,-24 --out b.schem", 0);
    expect_code(place, "$T import --at 0,128,0 --air replace --rotate 270 b.schem a.world", 0);
    expect_code(place,
                "$T export --world a.world --box 0,128,0..40,158,20 --out c.litematic && "
                "$T export --seed 7 --box 0,0,0..40,30,20 --out a.litematic && "
                "cmp a.litematic c.litematic && $T verify a.world",
                0);
    expect_code(place,
                "$T export --box 0,900,0..9,909,9 --out air.schem && $T import --at 0,128,0 "
                "--air replace air.schem a.world",
                0); // digs a hole
    static const struct {
        const char *line, *words;
        int code;
    } cases[] = {
        {"$T import --rotate 90 a.schem a.world", "add --at X,Y,Z", 2},
        {"$T import --at 1,2,3 --offset 1,2,3 a.schem a.world", "leave --offset out", 2},
        {"$T import --at 1,2,3 --rotate 45 a.schem a.world", "0, 90, 180 or 270", 2},
        {"$T import --at 1,2,3 a.schem missing.world", "missing.world", 1},
        {"$T import --at 68719476735,0,0 a.schem a.world", "does not lie in the world", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_code(place, cases[i].line, cases[i].code);
        if (!strstr(place->text, cases[i].words)) {
            fail_msg("'%s' does not say '%s'", place->text, cases[i].words);
        }
    }
    expect_code(place, "rm a.world* *.schem *.litematic", 0);
}

/// An archive is imported as what is in it, or the program says that it cannot read archives.
static void an_archive_is_imported(void **state)
{
    Place *place = *state;
    expect_code(place, "$T export --preset flat --box 0,-9,0..9,9,9 --out a.schem", 0);
    expect_code(place, "python3 -m zipfile -c a.zip a.schem || rm -f a.zip", 0);
    expect_code(place,
                "test ! -e a.zip || $T import a.zip a.world || "
                "$T import a.zip a.world 2>&1 | grep 'built without libzip'",
                0);
    expect_code(place, "rm -f a.*", 0);
    assert_int_equal(place_count(place), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_archive_is_imported),
        cmocka_unit_test(a_building_is_put_into_a_world),
        cmocka_unit_test(a_world_is_imported_and_reported),
        cmocka_unit_test(a_picture_of_heights_is_imported),
        cmocka_unit_test(a_table_of_names_replaces_the_own_one),
        cmocka_unit_test(nothing_imported_is_a_failure),
        cmocka_unit_test(players_begin_on_the_ground),
        cmocka_unit_test(pipes_and_devices_are_not_imported),
        cmocka_unit_test(a_signal_ends_an_import),
        cmocka_unit_test(wrong_command_lines_are_refused_with_a_way_out),
    };
    return cmocka_run_group_tests_name("import_tool", tests, place_make, place_remove);
}
