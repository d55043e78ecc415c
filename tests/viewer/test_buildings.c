/// Buildings with real keys, at a usual frame rate and at one frame a second: a box is marked and
/// saved, opened again by the pause menu, put into the world, and taken back. Run by
/// with_keyboard.sh.
#define _GNU_SOURCE // HOME. NOLINT(bugprone-reserved-identifier)
#include "viewer_session.h"

#include <terrane/save.h>
#include <terrane/terrain.h>

#define WORLD "--world my.world --no-start --no-adapt --preset flat --at=6.5,60,2.5,0,-90 "

static const char *const RATES[] = {"--frame-limit 30 ", "--frame-limit 1 "};
enum { RATE_COUNT = sizeof RATES / sizeof RATES[0] };

static bool has_file(Place *place, const char *name)
{
    char command[256];
    (void)snprintf(command, sizeof command, "test -s '%s/%s'", place->folder, name);
    return place_run(place, command) == 0;
}

static void await_file(Session *session, const char *name)
{
    const double until = session_clock() + SESSION_PATIENCE;
    while (!has_file(session->place, name)) {
        if (session_clock() > until) {
            session_fail(session, name);
        }
        session_sleep(0.1);
    }
}

static int64_t meadow_top(void)
{
    TrnTerrainDef def = trn_terrain_def();
    TrnTerrain *land;
    int64_t height;
    assert_int_equal(trn_terrain_shape_preset("flat", &def.shape), TRN_RESULT_OK);
    assert_int_equal(trn_terrain_create(&def, &land), TRN_RESULT_OK);
    assert_int_equal(trn_terrain_height(land, 6, 2, &height), TRN_RESULT_OK);
    trn_terrain_destroy(land);
    return height;
}

/// Returns the block above the meadow in the file, while no viewer has it open.
static TrnBlock block_above(const Place *place)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnBlockTypes *types;
    TrnSave *save;
    TrnStorageProblem problem;
    char path[PLACE_PATH];
    TrnSaveDef def = trn_save_def();
    const TrnVoxel voxel = {6, meadow_top() + 1, 2};
    const TrnStreamJob job = {.coord = trn_voxel_chunk(voxel)};
    bool uniform = false;
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    def.types = types;
    def.has_thread = false;
    assert_int_equal(trn_storage_sqlite(place_path(place, "my.world", path), TRN_STORAGE_READ_ONLY,
                                        &def.storage, &problem),
                     TRN_RESULT_OK);
    assert_int_equal(trn_save_create(&def, &save, &problem), TRN_RESULT_OK);
    const TrnStreamSource source = trn_save_source(save);
    assert_int_equal(source.load(source.user, &job, blocks, &uniform), TRN_RESULT_OK);
    (void)trn_save_destroy(save);
    trn_block_types_destroy(types);
    return blocks[uniform ? 0 : trn_voxel_local_index(voxel)];
}

static void open_at(Session *session, Place *place, const char *rate)
{
    char all[512];
    (void)snprintf(all, sizeof all, "%s" WORLD, rate);
    session_open(session, place, all);
}

/// Opens the building by its path, and puts it on the meadow.
static void put_house(Session *session, bool is_slow)
{
    const double frame = is_slow ? 2.5 : 0.4;
    session_key(session, "Escape Down Return"); // Open a world or a schematic
    session_sleep(frame);
    session_key(session, "ctrl+a");
    assert_true(
        session_do(session, "type --delay 30 '%s/Terrane/house.schem'", session->place->folder));
    session_key(session, "Return");
    session_sleep(2 * frame);       // read
    session_key(session, "Return"); // Here, in this world
    session_sleep(frame);
    session_click(session, 3);
    session_sleep(2 * frame);
}

static void a_building_is_saved_put_and_taken_back(void **state)
{
    Place *place = *state;
    char command[256];
    assert_int_equal(setenv("HOME", place->folder, 1), 0);
    for (int i = 0; i < RATE_COUNT; i++) {
        Session session;
        const bool is_slow = i == 1;
        open_at(&session, place, RATES[i]);
        session_key(&session, "Escape Down Right Return"); // Save a building
        session_sleep(is_slow ? 2.5 : 0.4);
        session_click(&session, 1);
        session_click(&session, 3);
        session_key(&session, "bracketright r h o u s e Return");
        await_file(&session, "Terrane/house.schem");
        session_key(&session, "Escape");
        session_sleep(is_slow ? 2.5 : 0.4);
        put_house(&session, is_slow);
        (void)session_quit(&session, "F10");
        assert_int_not_equal(block_above(place), TRN_BLOCK_AIR);
        (void)snprintf(command, sizeof command, "rm '%s'/my.world*", place->folder);
        assert_int_equal(place_run(place, command), 0);

        open_at(&session, place, RATES[i]);
        put_house(&session, is_slow);
        session_key(&session, "z");
        session_sleep(is_slow ? 2.5 : 0.4);
        (void)session_quit(&session, "F10");
        assert_int_equal(block_above(place), TRN_BLOCK_AIR);
        (void)snprintf(command, sizeof command, "rm -r '%s'/my.world* '%s/Terrane'", place->folder,
                       place->folder);
        assert_int_equal(place_run(place, command), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_building_is_saved_put_and_taken_back),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}
