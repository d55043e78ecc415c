/// A person plays in a world file with real keys: digs, quits and comes back; is killed; and has a
/// full disk. Run by with_keyboard.sh.
#define _GNU_SOURCE // prlimit. NOLINT(bugprone-reserved-identifier)
#include "viewer_session.h"

#include <terrane/save.h>
#include <terrane/terrain.h>

#include <math.h>
#include <sys/resource.h>

#define EYES 1.62
#define DOWN 1 // axis
#define MEADOW_X 6.5
#define MEADOW_Z 2.5
#define WORLD "--world my.world "

/// Returns the height of the meadow's topmost voxel.
static int64_t meadow_height(void)
{
    TrnTerrainDef def = trn_terrain_def();
    TrnTerrain *land;
    int64_t height;
    assert_int_equal(trn_terrain_shape_preset("flat", &def.shape), TRN_RESULT_OK);
    assert_int_equal(trn_terrain_create(&def, &land), TRN_RESULT_OK);
    assert_int_equal(
        trn_terrain_height(land, (int64_t)floor(MEADOW_X), (int64_t)floor(MEADOW_Z), &height),
        TRN_RESULT_OK);
    trn_terrain_destroy(land);
    return height;
}

static void await_eyes(Session *session, double eyes)
{
    session_await_at(session, DOWN, eyes - 0.02, eyes + 0.02);
}

/// Makes a world on the meadow and stands there, looking down. @return the height of the eyes
static double make_world(Session *session, Place *place)
{
    char arguments[256];
    const double eyes = (double)meadow_height() + 1 + EYES;
    (void)snprintf(arguments, sizeof arguments, WORLD "--preset flat --at=%g,%g,%g,0,-90", MEADOW_X,
                   eyes + 1, MEADOW_Z);
    session_start(session, place, arguments);
    session_key(session, "f");
    await_eyes(session, eyes);
    return eyes;
}

/// Opens the world again. The player in the hole is still there, on foot.
static void come_back(Session *session, Place *place, double eyes)
{
    char command[256];
    (void)snprintf(command, sizeof command, "rm -f '%s'/*.png", place->folder);
    assert_int_equal(place_run(place, command), 0); // a session counts its pictures from 1
    session_start(session, place, WORLD);
    session_sleep(0.3); // to be moved out of rock, if there were any
    await_eyes(session, eyes);
}

/// The world's save, while no viewer has it open.
static TrnSave *open_save(const Place *place, TrnBlockTypes **types)
{
    TrnSave *save;
    TrnStorageProblem problem;
    char path[PLACE_PATH];
    TrnSaveDef def = trn_save_def();
    assert_int_equal(trn_block_types_create_builtin(NULL, types), TRN_RESULT_OK);
    def.types = *types;
    def.has_thread = false;
    assert_int_equal(trn_storage_sqlite(place_path(place, "my.world", path), TRN_STORAGE_READ_ONLY,
                                        &def.storage, &problem),
                     TRN_RESULT_OK);
    assert_int_equal(trn_save_create(&def, &save, &problem), TRN_RESULT_OK);
    return save;
}

/// Checks the column of the hole in the file: some voxels of air, and then ground.
static void check_hole(const Place *place, int64_t deep)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnBlockTypes *types;
    TrnSave *save = open_save(place, &types);
    const TrnStreamSource source = trn_save_source(save);
    for (int64_t i = 0; i <= deep; i++) {
        const TrnVoxel voxel = {(int64_t)MEADOW_X, meadow_height() - i, (int64_t)MEADOW_Z};
        const TrnStreamJob job = {.coord = trn_voxel_chunk(voxel)};
        bool uniform = false;
        assert_int_equal(source.load(source.user, &job, blocks, &uniform), TRN_RESULT_OK);
        const TrnBlock block = blocks[uniform ? 0 : trn_voxel_local_index(voxel)];
        assert_int_equal(block == TRN_BLOCK_AIR, i < deep);
    }
    (void)trn_save_destroy(save);
    trn_block_types_destroy(types);
}

static void check_note(const Place *place, const char *name, const char *begins)
{
    char text[1024] = "";
    TrnBlockTypes *types;
    TrnSave *save = open_save(place, &types);
    assert_int_equal(trn_save_get_value(save, name, text, sizeof text - 1, NULL), TRN_RESULT_OK);
    assert_int_equal(strncmp(text, begins, strlen(begins)), 0);
    (void)trn_save_destroy(save);
    trn_block_types_destroy(types);
}

/// A world that another viewer has open.
static void check_in_use(Place *place)
{
    char command[256];
    (void)snprintf(command, sizeof command, "cd '%s' && '%s' " WORLD "2>&1", place->folder,
                   getenv("TERRANE_VIEWER"));
    assert_int_equal(place_run(place, command), 1);
    assert_non_null(strstr(place->text, "my.world: another program has it open"));
}

/// Limits the size of the files that the viewer writes: the disk is full.
static void limit_files(const Session *session, rlim_t bytes)
{
    const struct rlimit limit = {bytes, RLIM_INFINITY};
    assert_int_equal(prlimit(session->viewer, RLIMIT_FSIZE, &limit, NULL), 0);
}

static void a_hole_is_there_after_quitting_after_a_signal_and_after_a_full_disk(void **state)
{
    Place *place = *state;
    Session session;
    const double eyes = make_world(&session, place);
    session_click(&session, 1);
    await_eyes(&session, eyes - 1);
    check_in_use(place);
    (void)session_quit(&session, "F10");
    check_hole(place, 1);

    come_back(&session, place, eyes - 1);
    session_key(&session, "4");
    session_key(&session, "t");
    session_click(&session, 1);
    await_eyes(&session, eyes - 2);
    assert_int_equal(kill(session.viewer, SIGTERM), 0);
    assert_int_equal(session_end(&session), 128 + SIGTERM);
    check_hole(place, 2);
    check_note(place, "terrane/time", "9.5");
    check_note(place, "viewer/mode", "foot");
    check_note(place, "viewer/bar", "4 ");

    come_back(&session, place, eyes - 2);
    limit_files(&session, 1);
    session_click(&session, 1);
    session_await_title(&session, "not saved", true);
    session_key(&session, "F10"); // would lose the hole, and says so
    session_await_title(&session, "the next Quit loses changes", true);
    limit_files(&session, RLIM_INFINITY);
    session_await_title(&session, "not saved", false);
    await_eyes(&session, eyes - 3);
    (void)session_quit(&session, "F10");
    check_hole(place, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_hole_is_there_after_quitting_after_a_signal_and_after_a_full_disk,
                               place_clear),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}
