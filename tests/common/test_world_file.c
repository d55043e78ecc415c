/// World files of the programs: what a new one notes, and what opening it again finds.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"

#include "world_file.h"

typedef struct Fixture {
    Place place;
    TrnBlockTypes *types;
    char path[PLACE_PATH];
} Fixture;

static int fixture_make(void **state)
{
    Fixture *fixture = calloc(1, sizeof *fixture);
    *state = fixture;
    if (!fixture || !place_begin(&fixture->place) ||
        trn_block_types_create_builtin(NULL, &fixture->types) != TRN_RESULT_OK) {
        return -1;
    }
    (void)place_path(&fixture->place, "a.world", fixture->path);
    return 0;
}

static int fixture_remove(void **state)
{
    Fixture *fixture = *state;
    const bool is_removed = place_discard(&fixture->place);
    trn_block_types_destroy(fixture->types);
    free(fixture);
    return is_removed ? 0 : -1;
}

static bool open_file(Fixture *fixture, WorldFile *file, TrnStorageMode mode,
                      const WorldFacts *facts, Message *problem)
{
    TrnSaveDef def = trn_save_def();
    def.types = fixture->types;
    def.has_thread = false;
    return world_file_open(file, fixture->path, mode, &def, facts, problem);
}

static void must_open(Fixture *fixture, WorldFile *file, TrnStorageMode mode,
                      const WorldFacts *facts)
{
    Message problem;
    if (!open_file(fixture, file, mode, facts, &problem)) {
        fail_msg("%s", problem.text);
    }
}

static void a_world_keeps_its_facts(void **state)
{
    Fixture *fixture = *state;
    WorldFacts facts = world_facts();
    facts.terrain.seed = UINT64_MAX;
    assert_int_equal(trn_terrain_shape_preset("alps", &facts.terrain.shape), TRN_RESULT_OK);
    world_facts_set_preset(&facts, "alps");
    WorldFile file;
    must_open(fixture, &file, TRN_STORAGE_CREATE, &facts);
    assert_true(file.is_new);
    const TrnVoxel spawn = file.facts.spawn;
    assert_true(spawn.y > TRN_TERRAIN_SEA_LEVEL + 1);
    assert_int_equal(world_file_close(&file), TRN_RESULT_OK);

    static const TrnStorageMode modes[] = {TRN_STORAGE_READ_ONLY, TRN_STORAGE_OPEN,
                                           TRN_STORAGE_EITHER};
    for (size_t i = 0; i < 3; i++) {
        must_open(fixture, &file, modes[i], NULL); // the defaults of a new world do not apply
        assert_false(file.is_new);
        assert_true(file.facts.has_terrain);
        assert_true(file.facts.terrain.seed == UINT64_MAX);
        assert_string_equal(file.facts.preset, "alps");
        assert_int_equal(file.facts.terrain.version, TRN_TERRAIN_VERSION);
        assert_memory_equal(&file.facts.terrain.shape, &facts.terrain.shape,
                            sizeof facts.terrain.shape);
        assert_true(file.facts.spawn.x == spawn.x && file.facts.spawn.y == spawn.y &&
                    file.facts.spawn.z == spawn.z);
        assert_int_equal(world_file_close(&file), TRN_RESULT_OK);
    }
}

static void a_world_without_terrain_has_none_later(void **state)
{
    Fixture *fixture = *state;
    const WorldFacts facts = {.spawn = {-5, 6, 7}};
    WorldFile file;
    must_open(fixture, &file, TRN_STORAGE_CREATE, &facts);
    assert_int_equal(world_file_close(&file), TRN_RESULT_OK);
    must_open(fixture, &file, TRN_STORAGE_OPEN, NULL);
    assert_false(file.facts.has_terrain);
    assert_true(file.facts.spawn.x == -5 && file.facts.spawn.y == 6 && file.facts.spawn.z == 7);
    assert_int_equal(world_file_close(&file), TRN_RESULT_OK);
}

static void numbers_come_back_exactly(void **state)
{
    Fixture *fixture = *state;
    const double place[5] = {-68719476735.0625, 0.1, 1e-9, -3.14159, 0};
    double read[5] = {0};
    WorldFile file;
    must_open(fixture, &file, TRN_STORAGE_CREATE, NULL);
    assert_false(world_file_get_numbers(file.save, WORLD_FILE_PLACE, read, 5));
    assert_int_equal(world_file_set_numbers(file.save, WORLD_FILE_PLACE, place, 5), TRN_RESULT_OK);
    assert_true(world_file_get_numbers(file.save, WORLD_FILE_PLACE, read, 5));
    assert_memory_equal(read, place, sizeof place);
    static const char *const invalid[] = {
        "", "1 2 3 4", "1 2 x 4 5", "1 2 nan 4 5", "inf 0 0 0 0", "1e300 0 0 0 0", "0 0 0 0 -1e11"};
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        assert_int_equal(
            trn_save_set_value(file.save, WORLD_FILE_PLACE, invalid[i], strlen(invalid[i])),
            TRN_RESULT_OK);
        assert_false(world_file_get_numbers(file.save, WORLD_FILE_PLACE, read, 5));
    }
    assert_memory_equal(read, place, sizeof place);
    assert_int_equal(world_file_close(&file), TRN_RESULT_OK);
}

static void broken_facts_are_refused(void **state)
{
    Fixture *fixture = *state;
    static const char *const broken[][2] = {{WORLD_FILE_SEED, "seven"},
                                            {WORLD_FILE_SEED, ""},
                                            {WORLD_FILE_TERRAIN, "terrane-terrain 1\nscale = 99"},
                                            {WORLD_FILE_TERRAIN, NULL}};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        WorldFile file;
        Message problem;
        must_open(fixture, &file, TRN_STORAGE_CREATE, NULL);
        const char *const text = broken[i][1];
        assert_int_equal(trn_save_set_value(file.save, broken[i][0], text, text ? strlen(text) : 0),
                         TRN_RESULT_OK);
        assert_int_equal(world_file_close(&file), TRN_RESULT_OK);
        assert_false(open_file(fixture, &file, TRN_STORAGE_OPEN, NULL, &problem));
        assert_non_null(strstr(problem.text, "a.world: its seed or its terrain cannot be read"));
        assert_int_equal(remove(fixture->path), 0);
    }
}

static void a_bound_world_needs_its_land(void **state)
{
    Fixture *fixture = *state;
    TrnSaveDef def = trn_save_def();
    def.types = fixture->types;
    def.what = TRN_SAVE_CHANGED;
    WorldFile file;
    Message problem;
    assert_true(world_file_open(&file, fixture->path, TRN_STORAGE_CREATE, &def, NULL, &problem));
    // As if another seed had made it.
    char land[1024];
    TrnTerrainDef other = file.facts.terrain;
    other.seed++;
    world_file_land(&other, land, sizeof land);
    assert_int_equal(trn_save_flush(file.save), TRN_RESULT_OK);
    const TrnStorageValue value = {"terrane/land", land, strlen(land)};
    const TrnStorageBatch batch = {.values = &value, .value_count = 1};
    assert_int_equal(file.storage.put(file.storage.user, &batch), TRN_RESULT_OK);
    assert_int_equal(world_file_close(&file), TRN_RESULT_OK);
    static const TrnStorageMode modes[] = {TRN_STORAGE_READ_ONLY, TRN_STORAGE_OPEN};
    for (size_t i = 0; i < 2; i++) {
        assert_false(open_file(fixture, &file, modes[i], NULL, &problem));
        assert_non_null(strstr(problem.text, "keeps only its changed chunks"));
        assert_non_null(strstr(problem.text, "they need another land than its seed"));
    }
}

/// Makes a world that notes a version of its land.
static void make_world_of(Fixture *fixture, const char *version)
{
    WorldFile file;
    must_open(fixture, &file, TRN_STORAGE_CREATE, NULL);
    assert_int_equal(trn_save_set_value(file.save, WORLD_FILE_VERSION, version, strlen(version)),
                     TRN_RESULT_OK);
    assert_int_equal(world_file_close(&file), TRN_RESULT_OK);
}

static void a_land_of_a_newer_version_is_refused(void **state)
{
    Fixture *fixture = *state;
    WorldFile file;
    Message problem;
    char version[16], words[64];
    (void)snprintf(version, sizeof version, "%d", TRN_TERRAIN_VERSION + 1);
    (void)snprintf(words, sizeof words, "its land is of version %s", version);
    make_world_of(fixture, version);
    static const TrnStorageMode modes[] = {TRN_STORAGE_READ_ONLY, TRN_STORAGE_OPEN};
    for (size_t i = 0; i < 2; i++) {
        assert_false(open_file(fixture, &file, modes[i], NULL, &problem));
        assert_non_null(strstr(problem.text, words));
        assert_non_null(strstr(problem.text, "open it with a newer program"));
    }
}

static void problems_name_the_file(void **state)
{
    Fixture *fixture = *state;
    WorldFile file, second;
    Message problem;
    assert_false(open_file(fixture, &file, TRN_STORAGE_OPEN, NULL, &problem));
    assert_non_null(strstr(problem.text, "a.world: there is no such file."));
    must_open(fixture, &file, TRN_STORAGE_CREATE, NULL);
    assert_false(open_file(fixture, &second, TRN_STORAGE_OPEN, NULL, &problem));
    assert_non_null(strstr(problem.text, "another program has it open"));
    assert_int_equal(world_file_close(&file), TRN_RESULT_OK);
    // Once, also if a value is damaged.
    char line[512];
    (void)snprintf(
        line, sizeof line,
        "python3 -c \"import sqlite3; d = sqlite3.connect('%s'); "
        "d.execute('UPDATE world SET value = 0 WHERE name = ?', ['game/%s']); d.commit()\"",
        fixture->path, WORLD_FILE_VERSION);
    assert_int_equal(place_run(&fixture->place, line), 0);
    assert_false(open_file(fixture, &file, TRN_STORAGE_READ_ONLY, NULL, &problem));
    const char *first = strstr(problem.text, "a.world: ");
    assert_non_null(first);
    assert_null(strstr(first + 1, "a.world: "));
}

/// A program that reads a file between its creation and its first values sees no world without
/// land.
static void a_file_without_values_is_no_world_yet(void **state)
{
    Fixture *fixture = *state;
    TrnStorage storage;
    WorldFile file;
    Message problem;
    assert_int_equal(trn_storage_open(fixture->path, TRN_STORAGE_CREATE, &storage, NULL),
                     TRN_RESULT_OK);
    assert_false(open_file(fixture, &file, TRN_STORAGE_READ_ONLY, NULL, &problem));
    assert_non_null(strstr(problem.text, "a.world: it holds no world yet"));
    storage.close(storage.user);
    assert_false(open_file(fixture, &file, TRN_STORAGE_OPEN, NULL, &problem));
    must_open(fixture, &file, TRN_STORAGE_EITHER, NULL);
    assert_true(file.is_new);
    assert_int_equal(world_file_close(&file), TRN_RESULT_OK);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_make, fixture_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_world_keeps_its_facts),
        TEST(a_world_without_terrain_has_none_later),
        TEST(numbers_come_back_exactly),
        TEST(broken_facts_are_refused),
        TEST(a_bound_world_needs_its_land),
        TEST(problems_name_the_file),
        TEST(a_land_of_a_newer_version_is_refused),
        TEST(a_file_without_values_is_no_world_yet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
