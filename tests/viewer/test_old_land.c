// A world whose land is too old to be generated, in the viewer: what is saved shows, nothing is
// generated around it, edits are saved, and flights and links of such land are refused.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "old_land.h"
#include "unseen_world.h"

#include <program.h>
#include <scene/world_notes.h>
#include <settings/command_line.h>
#include <settings/share.h>
#include <terrane/batch.h>

/// An open world as the viewer's window has it.
typedef struct OldWorld {
    TrnBlockTypes *types;
    Keep *keep;
    World *world;
} OldWorld;

static void old_world_open(OldWorld *old, const char *path)
{
    Message problem;
    assert_int_equal(trn_block_types_create_builtin(NULL, &old->types), TRN_RESULT_OK);
    const KeepDef file = {.path = path, .types = old->types};
    assert_true(keep_open(&old->keep, &file, &problem));
    const WorldDef def = {.terrain = trn_terrain_def(),
                          .view_distance = 4,
                          .view_height = 4,
                          .far_distance = 16,
                          .keep = old->keep,
                          .is_empty = !keep_facts(old->keep)->has_terrain,
                          .types = old->types,
                          .sink = unseen_sink()};
    assert_true(def.is_empty);
    assert_true(world_create(&old->world, &def, &problem));
    const Camera camera =
        camera_at((const double[5]){(double)OLD_LAND_SPAWN.x, 20, (double)OLD_LAND_SPAWN.z, 0, 0});
    world_load_all(old->world, &camera);
}

static void old_world_close(OldWorld *old)
{
    assert_int_equal(world_save(old->world, 60), TRN_RESULT_OK);
    world_destroy(old->world);
    keep_close(old->keep);
    trn_block_types_destroy(old->types);
}

/// Whether a loaded chunk is all air.
static bool is_air(const World *world, TrnCoord coord)
{
    const TrnChunk *chunk = trn_store_find(world_store(world), coord);
    assert_non_null(chunk);
    const TrnSnapshot voxels = trn_voxels_snapshot(&chunk->voxels);
    return trn_snapshot_is_uniform(voxels) && trn_snapshot_uniform(voxels) == TRN_BLOCK_AIR;
}

static void what_is_saved_shows_and_nothing_is_generated(void **state)
{
    char path[PLACE_PATH];
    OldWorld old;
    TrnCoord at;
    Message news;
    TrnBlock block;
    int shown = 0;
    old_land_copy(*state, path);
    for (int round = 0; round < 2; round++) {
        old_world_open(&old, path);
        for (at.y = -2; at.y <= 2; at.y++) {
            for (at.z = -3; at.z <= 1; at.z++) {
                for (at.x = -4; at.x <= 0; at.x++) {
                    const bool is_saved = trn_box_contains(OLD_LAND_BOX, at);
                    assert_int_equal(is_air(old.world, at), !is_saved);
                    shown += is_saved;
                }
            }
        }
        assert_int_equal(trn_store_get_block(world_store(old.world), OLD_LAND_SPAWN, &block),
                         TRN_RESULT_OK);
        assert_int_equal(block, TRN_BLOCK_GLASS);
        assert_true(keep_news(old.keep, &news));
        assert_non_null(strstr(news.text, "old.world: its land is of version 3"));
        assert_false(keep_news(old.keep, &news)); // once
        old_world_close(&old);
        old_land_expect(path);
    }
    assert_int_equal(shown, 16);
}

/// Fills a box of voxels, both corners inclusive.
static void edit(OldWorld *old, TrnVoxel min, TrnVoxel max, TrnBlock block)
{
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(world_edit_store(old->world), NULL, &batch), TRN_RESULT_OK);
    assert_int_equal(trn_batch_fill_box(batch, min, max, block), TRN_RESULT_OK);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
}

/// A chunk that was dug to air equals what is around it, and stays saved all the same.
static void edits_are_saved(void **state)
{
    static const TrnVoxel lowest = {-64, 0, -64}, highest = {-33, 31, -33}; // chunk -2, 0, -2
    const TrnCoord dug = trn_voxel_chunk(lowest), built = {0, 0, 0};
    const TrnVoxel stone = {5, 5, 5};
    char path[PLACE_PATH];
    OldWorld old;
    TrnBlock block;
    old_land_copy(*state, path);
    for (int round = 0; round < 2; round++) {
        old_world_open(&old, path);
        if (round == 0) {
            edit(&old, lowest, highest, TRN_BLOCK_AIR);
            edit(&old, stone, stone, TRN_BLOCK_STONE);
        }
        assert_true(is_air(old.world, dug));
        assert_int_equal(trn_store_get_block(world_store(old.world), stone, &block), TRN_RESULT_OK);
        assert_int_equal(block, TRN_BLOCK_STONE);
        old_world_close(&old);
    }
    TrnStorage storage;
    const TrnStorageKey keys[] = {{dug, 0}, {OLD_LAND_SKY, 0}, {built, 0}};
    OldLandContent found = {0, 0, 0};
    assert_int_equal(trn_storage_open(path, TRN_STORAGE_READ_ONLY, &storage, NULL), TRN_RESULT_OK);
    assert_int_equal(storage.get(storage.user, keys, 3, old_land_add_row, &found), TRN_RESULT_OK);
    storage.close(storage.user);
    assert_int_equal(found.rows, 3);
    assert_int_equal(old_land_content(path).land, old_land_content(OLD_LAND_FILE).land);
}

/// Takes the world's notes with an option more. @return the exit code
static int take(const char *path, const char *option, const char *value, Settings *settings,
                Message *problem)
{
    char *arguments[] = {"terrane-viewer", "--world",     (char *)path,
                         (char *)option,   (char *)value, NULL};
    assert_true((command_line_read(settings, option ? 5 : 3, arguments, problem) != OPTIONS_WRONG));
    return world_notes_take(settings, problem);
}

static void what_needs_its_land_is_refused(void **state)
{
    char path[PLACE_PATH];
    Settings settings;
    Message problem;
    old_land_copy(*state, path);
    assert_int_equal(take(path, NULL, NULL, &settings, &problem), PROGRAM_GOOD);
    assert_true(settings.placed);
    assert_true(settings.at[0] == (double)OLD_LAND_SPAWN.x + 0.5);
    assert_int_equal(take(path, "--flight", "a.flight", &settings, &problem), PROGRAM_USAGE);
    assert_non_null(strstr(problem.text, "old.world: --flight needs the land of version 3"));
    assert_int_equal(take(path, "--record", "a.flight", &settings, &problem), PROGRAM_USAGE);
    assert_non_null(strstr(problem.text, "old.world: --record needs the land of version 3"));
    assert_int_equal(take(path, "--seed", "7", &settings, &problem), PROGRAM_USAGE);
    assert_non_null(strstr(problem.text, "has no land to generate"));
    old_land_expect(path);
}

static void flights_and_links_of_such_land_are_refused(void **state)
{
    (void)state;
    Settings settings = settings_default();
    const Flight flight = {.head = {.has_seed = true, .seed = 9, .land_version = 3}};
    Message problem;
    Share share;
    assert_false(command_line_take_flight(&settings, "a.flight", &flight, &problem));
    assert_non_null(strstr(problem.text, "a.flight: it was recorded over land of version 3"));
    assert_non_null(strstr(problem.text, "fly it with the version of Terrane that recorded it"));
    assert_int_equal(settings.seed, settings_default().seed);
    assert_false(share_read("terrane://islands@3/42/100,60,-40,180,-10/9.5", &share, &problem));
    assert_non_null(strstr(problem.text, "leads to land of version 3"));
    assert_non_null(strstr(problem.text, "open it with the version of Terrane that wrote it"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_make, place_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_saved_shows_and_nothing_is_generated),
        TEST(edits_are_saved),
        TEST(what_needs_its_land_is_refused),
        cmocka_unit_test(flights_and_links_of_such_land_are_refused),
    };
    return cmocka_run_group_tests_name("viewer_old_land", tests, NULL, NULL);
}
