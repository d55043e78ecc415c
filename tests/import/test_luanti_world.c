/// The folder of a world of Luanti: a map.sqlite that world.mt does not name is no map, and the
/// spawn stands where the settings say.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "luanti_map.h"
#include "place.h"

#include <terrane/import.h>

static void write_text(const Place *place, const char *name, const char *text)
{
    char path[PLACE_PATH];
    FILE *file = fopen(place_path(place, name, path), "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

typedef struct World {
    TrnBlockTypes *types;
    TrnImport *import;
    TrnStorageProblem problem;
} World;

static TrnResult open_world(const Place *place, const char *name, World *world)
{
    char path[PLACE_PATH];
    TrnImportDef def = trn_import_def();
    *world = (World){.import = NULL};
    assert_int_equal(trn_block_types_create_builtin(NULL, &world->types), TRN_RESULT_OK);
    def.path = place_path(place, name, path);
    def.types = world->types;
    def.offset = (TrnVoxel){16, 32, 48};
    return trn_import_open(&def, &world->import, &world->problem);
}

static void close_world(World *world)
{
    trn_import_destroy(world->import);
    trn_block_types_destroy(world->types);
}

static void write_map(const Place *place)
{
    static LuantiMap map;
    char path[PLACE_PATH];
    map = (LuantiMap){.version = 29, .id_bytes = 2};
    luanti_set(&map, 1, 2, 3, "default:stone");
    luanti_save(&map, place_path(place, "map.sqlite", path), true);
}

static bool count_note(void *user, const TrnImportNote *note)
{
    *(uint32_t *)user += note->kind == TRN_IMPORT_NOTE_UNSUPPORTED;
    return true;
}

static void a_leftover_map_is_refused(void **state)
{
    Place *place = *state;
    static const struct {
        const char *text;
        TrnResult result;
    } cases[] = {
        {"backend = sqlite3\n", TRN_RESULT_OK},
        {"gameid = minetest\r\n  backend=sqlite3  \r\n", TRN_RESULT_OK},
        {"gameid = minetest\n", TRN_RESULT_OK},
        {"", TRN_RESULT_OK},
        {"backend = leveldb\n", TRN_RESULT_NOT_FOUND},
        {"a = b\nbackend =\tpostgresql", TRN_RESULT_NOT_FOUND},
        {"backend = sqlite3\nbackend = dummy\n", TRN_RESULT_NOT_FOUND},
    };
    write_map(place);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        World world;
        uint32_t notes = 0;
        write_text(place, "world.mt", cases[i].text);
        assert_int_equal(open_world(place, "", &world), cases[i].result);
        assert_true(cases[i].result == TRN_RESULT_OK ||
                    strstr(world.problem.sentence, "map.sqlite is a leftover") != NULL);
        close_world(&world);
        // The file itself is what was asked for.
        assert_int_equal(open_world(place, "map.sqlite", &world), TRN_RESULT_OK);
        assert_int_equal(trn_import_report(world.import, count_note, &notes), TRN_RESULT_OK);
        assert_int_equal(notes, cases[i].result != TRN_RESULT_OK);
        close_world(&world);
    }
}

static void the_spawn_is_a_setting(void **state)
{
    Place *place = *state;
    static const struct {
        const char *file, *text;
        bool has_spawn;
        TrnVoxel spawn;
    } cases[] = {
        {"map_meta.txt",
         "seed = 1\nstatic_spawnpoint = (10, -4, 7)\n[end_of_params]\n",
         true,
         {10, -4, -8}},
        {"world.mt", "static_spawnpoint = -3.4,20.6,-1\n", true, {-3, 21, 0}},
        {"world.mt", "static_spawnpoint = here\n", false, {0, 0, 0}},
        {"world.mt", "static_spawnpoint = 1,2\n", false, {0, 0, 0}},
        {"world.mt", "static_spawnpoint = 1,2,1e300\n", false, {0, 0, 0}},
        {"world.mt", "backend = sqlite3\n", false, {0, 0, 0}},
    };
    write_map(place);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        World world;
        TrnVoxel spawn = {0, 0, 0};
        char path[PLACE_PATH];
        write_text(place, cases[i].file, cases[i].text);
        assert_int_equal(open_world(place, "", &world), TRN_RESULT_OK);
        assert_int_equal(trn_import_spawn(world.import, &spawn), cases[i].has_spawn);
        if (cases[i].has_spawn) {
            assert_int_equal(spawn.x, cases[i].spawn.x + 16);
            assert_int_equal(spawn.y, cases[i].spawn.y + 32);
            assert_int_equal(spawn.z, cases[i].spawn.z + 48);
        }
        close_world(&world);
        assert_int_equal(remove(place_path(place, cases[i].file, path)), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_leftover_map_is_refused, place_make, place_remove),
        cmocka_unit_test_setup_teardown(the_spawn_is_a_setting, place_make, place_remove),
    };
    return cmocka_run_group_tests_name("import_luanti_world", tests, NULL, NULL);
}
