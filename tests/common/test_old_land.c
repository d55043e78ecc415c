/// A world whose land is too old to be generated keeps what is saved, and never gets other land:
/// the library and the world file.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "old_land.h"

#include "world_file.h"

static void open_world(WorldFile *file, const char *path, TrnStorageMode mode, TrnBlockTypes *types)
{
    TrnSaveDef def = trn_save_def();
    Message problem;
    def.types = types;
    def.has_thread = false;
    if (!world_file_open(file, path, mode, &def, NULL, &problem)) {
        fail_msg("%s", problem.text);
    }
}

static TrnBlockTypes *make_types(void)
{
    TrnBlockTypes *types;
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    return types;
}

static void the_library_refuses_its_def(const TrnTerrainDef *def)
{
    TrnTerrain *terrain = NULL;
    assert_int_equal(trn_terrain_create(def, &terrain), TRN_RESULT_BAD_ARGUMENT);
    assert_null(terrain);
    assert_non_null(strstr(trn_terrain_def_fault(def), "load only what is saved"));
}

static void it_opens_without_land(void **state)
{
    static const TrnStorageMode modes[] = {TRN_STORAGE_READ_ONLY, TRN_STORAGE_OPEN,
                                           TRN_STORAGE_EITHER};
    char path[PLACE_PATH];
    Message news;
    old_land_copy(*state, path);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        TrnBlockTypes *types = make_types();
        WorldFile file;
        open_world(&file, path, modes[i], types);
        assert_false(file.facts.has_terrain);
        assert_true(file.facts.has_old_land);
        assert_int_equal(file.facts.terrain.version, 3);
        assert_int_equal(file.facts.terrain.seed, 7);
        assert_string_equal(file.facts.preset, "default");
        assert_int_equal(file.facts.spawn.x, OLD_LAND_SPAWN.x);
        the_library_refuses_its_def(&file.facts.terrain);
        assert_true(world_facts_tell_old(&file.facts, path, &news));
        assert_non_null(strstr(news.text, "old.world: its land is of version 3"));
        assert_non_null(strstr(news.text, "open it with the version of Terrane that made it"));
        assert_false(world_facts_allow(&file.facts, path, "this", &news));
        assert_non_null(strstr(news.text, "old.world: this needs the land of version 3"));
        assert_int_equal(world_file_close(&file), TRN_RESULT_OK);
        trn_block_types_destroy(types);
        old_land_expect(path);
    }
}

static TrnResult load(TrnSave *save, TrnCoord coord, TrnBlock *blocks, bool *is_uniform)
{
    const TrnStreamSource source = trn_save_source(save);
    const TrnStreamJob job = {.coord = coord};
    return source.load(source.user, &job, blocks, is_uniform);
}

static void what_is_saved_loads_and_nothing_else(void **state)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    char path[PLACE_PATH];
    bool is_uniform;
    TrnCoord at;
    TrnBlockTypes *types = make_types();
    WorldFile file;
    old_land_copy(*state, path);
    open_world(&file, path, TRN_STORAGE_OPEN, types);
    for (at.y = -3; at.y <= 7; at.y++) {
        for (at.z = -4; at.z <= 1; at.z++) {
            for (at.x = -4; at.x <= 1; at.x++) {
                const bool is_saved = trn_box_contains(OLD_LAND_BOX, at) ||
                                      memcmp(&at, &OLD_LAND_SKY, sizeof at) == 0;
                assert_int_equal(load(file.save, at, blocks, &is_uniform),
                                 is_saved ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND);
            }
        }
    }
    assert_int_equal(load(file.save, OLD_LAND_SKY, blocks, &is_uniform), TRN_RESULT_OK);
    assert_true(is_uniform && blocks[0] == TRN_BLOCK_AIR);
    assert_int_equal(load(file.save, trn_voxel_chunk(OLD_LAND_SPAWN), blocks, &is_uniform),
                     TRN_RESULT_OK);
    assert_int_equal(blocks[trn_voxel_local_index(OLD_LAND_SPAWN)], TRN_BLOCK_GLASS);
    assert_int_equal(world_file_close(&file), TRN_RESULT_OK);
    trn_block_types_destroy(types);
    old_land_expect(path);
}

/// Sets a value of the file as another program would.
static void put_value(const char *path, const char *name, const char *text)
{
    TrnStorage storage;
    const TrnStorageValue value = {name, *text ? text : NULL, strlen(text)};
    const TrnStorageBatch batch = {.values = &value, .value_count = 1};
    assert_int_equal(trn_storage_open(path, TRN_STORAGE_OPEN, &storage, NULL), TRN_RESULT_OK);
    assert_int_equal(storage.put(storage.user, &batch), TRN_RESULT_OK);
    storage.close(storage.user);
}

/// Also one that keeps only its changed chunks, and one that says no version that can be read.
static void every_older_version_opens_without_land(void **state)
{
    static const char *const versions[] = {"2", "1", "0", "-7", "1e99", "three", ""};
    char path[PLACE_PATH];
    old_land_copy(*state, path);
    put_value(path, "terrane/bound", "1");
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        put_value(path, "game/" WORLD_FILE_VERSION, versions[i]);
        const OldLandContent before = old_land_content(path);
        for (int k = 0; k < 2; k++) {
            TrnBlockTypes *types = make_types();
            WorldFile file;
            open_world(&file, path, k ? TRN_STORAGE_OPEN : TRN_STORAGE_READ_ONLY, types);
            assert_true(file.facts.has_old_land && !file.facts.has_terrain);
            the_library_refuses_its_def(&file.facts.terrain);
            assert_int_equal(world_file_close(&file), TRN_RESULT_OK);
            trn_block_types_destroy(types);
        }
        const OldLandContent after = old_land_content(path);
        assert_memory_equal(&after, &before, sizeof after);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_make, place_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_opens_without_land),
        TEST(what_is_saved_loads_and_nothing_else),
        TEST(every_older_version_opens_without_land),
    };
    return cmocka_run_group_tests_name("old_land", tests, NULL, NULL);
}
