/// The map with real keys and a real mouse, at a usual frame rate and at one frame a second: places
/// are named, found again and travelled to. Run by with_keyboard.sh.
#define _GNU_SOURCE // prlimit. NOLINT(bugprone-reserved-identifier)
#include "viewer_session.h"

#include <terrane/save.h>
#include <terrane/terrain.h>

#include <math.h>
#include <sys/resource.h>

#define EYES 1.62
#define WORLD "--world my.world --no-start --no-adapt "
#define NEW WORLD "--preset flat --at=6.5,80,2.5,0,0 "
#define PLACES_HEAD "terrane-places 1\n"

static const char *const RATES[] = {"--frame-limit 30 ", "--frame-limit 1 "};
enum { RATE_COUNT = sizeof RATES / sizeof RATES[0] };

static void open_at(Session *session, Place *place, const char *rate, const char *arguments)
{
    char all[512];
    (void)snprintf(all, sizeof all, "%s%s", rate, arguments);
    session_open(session, place, all);
}

/// A session counts its pictures from 1, and makes a world of its own.
static void clear(Place *place)
{
    char command[256];
    (void)snprintf(command, sizeof command, "rm -f '%s'/*.png '%s'/my.world*", place->folder,
                   place->folder);
    assert_int_equal(place_run(place, command), 0);
}

/// @param is_wet  receives whether water covers the ground
static double meadow(double x, double z, bool *is_wet)
{
    TrnTerrainDef def = trn_terrain_def();
    TrnTerrain *land;
    TrnTerrainSample sample;
    assert_int_equal(trn_terrain_shape_preset("flat", &def.shape), TRN_RESULT_OK);
    assert_int_equal(trn_terrain_create(&def, &land), TRN_RESULT_OK);
    assert_int_equal(trn_terrain_sample(land, (int64_t)floor(x), (int64_t)floor(z), &sample),
                     TRN_RESULT_OK);
    trn_terrain_destroy(land);
    *is_wet = sample.surface_y > sample.height;
    return (double)sample.surface_y + 1;
}

static TrnSave *open_save(const Place *place, TrnStorageMode mode, TrnBlockTypes **types)
{
    TrnSave *save;
    TrnStorageProblem problem;
    char path[PLACE_PATH];
    TrnSaveDef def = trn_save_def();
    assert_int_equal(trn_block_types_create_builtin(NULL, types), TRN_RESULT_OK);
    def.types = *types;
    def.has_thread = false;
    assert_int_equal(
        trn_storage_sqlite(place_path(place, "my.world", path), mode, &def.storage, &problem),
        TRN_RESULT_OK);
    assert_int_equal(trn_save_create(&def, &save, &problem), TRN_RESULT_OK);
    return save;
}

/// Reads the places of the world, while no viewer has it open.
static void read_places(const Place *place, char text[1024])
{
    TrnBlockTypes *types;
    TrnSave *save = open_save(place, TRN_STORAGE_READ_ONLY, &types);
    size_t size = 0;
    if (trn_save_get_value(save, "viewer/places", text, 1023, &size) != TRN_RESULT_OK) {
        size = 0;
    }
    text[size] = '\0';
    (void)trn_save_destroy(save);
    trn_block_types_destroy(types);
}

static void write_places(const Place *place, const char *text)
{
    TrnBlockTypes *types;
    TrnSave *save = open_save(place, TRN_STORAGE_OPEN, &types);
    assert_int_equal(trn_save_set_value(save, "viewer/places", text, strlen(text)), TRN_RESULT_OK);
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
    trn_block_types_destroy(types);
}

/// All in one burst: letters of keys that move, copy a link and close the map are letters there.
static void a_place_is_named_left_and_found_again(void **state)
{
    for (int i = 0; i < RATE_COUNT; i++) {
        Place *place = *state;
        Session session;
        char text[1024];
        open_at(&session, place, RATES[i], NEW);
        session_key(&session, "m Right Return m y space w o r l d Return m");
        session_hold(&session, "w", 2.5);
        SessionPlace at = session_quit(&session, "F10");
        if (at.voxel[2] > -1 || at.voxel[1] != 80) {
            fail_msg("left to %g, %g", at.voxel[1], at.voxel[2]);
        }
        assert_null(strstr(session_printed(&session), "Copied"));
        read_places(place, text);
        assert_string_equal(text, PLACES_HEAD "6.50 78.38 2.50 my world\n");

        open_at(&session, place, RATES[i], WORLD);
        session_key(&session, "m Down Down Return Return"); // looks there, and goes there
        session_await_at(&session, 1, 0, 79);               // falls, since the place was in the air
        at = session_quit(&session, "F10");
        assert_true(at.voxel[0] == 6.5 && at.voxel[2] == 2.5);
        clear(place);
    }
}

/// On the ground, or in the water above it.
static void assert_on_ground(Session *session, const SessionPlace *at)
{
    bool is_wet = false;
    const double eyes = meadow(at->voxel[0], at->voxel[2], &is_wet) + EYES;
    const double low = eyes - (is_wet ? 2 : 0.02);
    if (at->voxel[1] < low || at->voxel[1] > eyes + 1.02) { // a plant is one higher
        print_message("  the eyes are at %g and not at %g\n", at->voxel[1], eyes);
        session_fail(session, "that is not the ground");
    }
}

/// By keys to the east, by a click on the map, and by a double click.
static void travel_lands_on_the_ground(void **state)
{
    for (int i = 0; i < RATE_COUNT; i++) {
        Session session;
        open_at(&session, *state, RATES[i],
                "--no-start --no-adapt --preset flat --at=6.5,90,2.5,0,0 ");
        session_key(&session, "m minus");
        session_hold(&session, "d", 1.2);
        session_key(&session, "Return");
        session_sleep(2.5);
        session_await_title(&session, "Loading", false);
        session_sleep(2);
        SessionPlace at = session_where(&session);
        assert_true(at.voxel[0] > 200 && fabs(at.voxel[2] - 2.5) < 1);
        assert_on_ground(&session, &at);

        session_key(&session, "m");
        session_sleep(1.5);
        assert_true(session_do(&session, "windowmove --sync %s 0 0", session.window));
        assert_true(session_do(&session, "mousemove 240 40 click 1")); // north of the middle
        session_key(&session, "Return");
        session_sleep(2.5);
        session_await_title(&session, "Loading", false);
        session_sleep(2);
        const SessionPlace north = session_where(&session);
        assert_true(north.voxel[2] < at.voxel[2] - 100);
        assert_on_ground(&session, &north);

        session_key(&session, "m");
        session_sleep(1.5);
        assert_true(session_do(&session, "mousemove 240 160 click --repeat 2 --delay 60 1"));
        session_sleep(2.5);
        session_await_title(&session, "Loading", false);
        session_sleep(2);
        at = session_quit(&session, "F10");
        assert_true(at.voxel[2] > north.voxel[2] + 100);
        assert_on_ground(&session, &at);
        clear(*state);
    }
}

/// Escape leaves a name, and then the map; a place is renamed and deleted.
static void a_place_is_renamed_and_deleted(void **state)
{
    for (int i = 0; i < RATE_COUNT; i++) {
        Place *place = *state;
        Session session;
        char text[1024];
        open_at(&session, place, RATES[i], NEW);
        session_key(&session, "m Right Return Escape");
        session_key(&session, "Right Return a Return"); // from "Travel there" again
        session_key(&session, "Down Down Return b Return");
        session_sleep(2.5);
        session_key(&session, "Escape"); // pauses nothing
        session_sleep(1.5);
        session_await_title(&session, "paused", false);
        (void)session_quit(&session, "F10");
        read_places(place, text);
        assert_string_equal(text, PLACES_HEAD "6.50 78.38 2.50 b\n");
        open_at(&session, place, RATES[i], WORLD);
        session_key(&session, "m Down Down Right Return Return");
        session_sleep(2.5);
        (void)session_quit(&session, "F10");
        read_places(place, text);
        assert_string_equal(text, PLACES_HEAD);
        clear(place);
    }
}

/// A name of 70 letters, damaged places, and a full disk.
static void bad_names_damage_and_a_full_disk_lose_no_good_place(void **state)
{
    Place *place = *state;
    Session session;
    char text[1024];
    open_at(&session, place, RATES[0], NEW);
    (void)session_quit(&session, "F10");
    write_places(place, PLACES_HEAD "nonsense\n1 64 1 good\n1 2 \xFF\xFF\n");
    open_at(&session, place, RATES[0], WORLD);
    session_key(&session, "m Right Return");
    session_sleep(0.5);
    char keys[256] = "";
    for (int i = 0; i < 70; i++) {
        (void)snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "x ");
    }
    session_key(&session, keys);
    const struct rlimit full = {1, RLIM_INFINITY}, roomy = {RLIM_INFINITY, RLIM_INFINITY};
    assert_int_equal(prlimit(session.viewer, RLIMIT_FSIZE, &full, NULL), 0);
    session_key(&session, "Return m");
    session_await_title(&session, "not saved", true);
    assert_int_equal(prlimit(session.viewer, RLIMIT_FSIZE, &roomy, NULL), 0);
    session_await_title(&session, "not saved", false);
    (void)session_quit(&session, "F10");
    read_places(place, text);
    const char *good = PLACES_HEAD "1.00 64.00 1.00 good\n6.50 78.38 2.50 ";
    assert_int_equal(strncmp(text, good, strlen(good)), 0);
    assert_int_equal(strspn(text + strlen(good), "x"), 64);
}

/// @param argv  a pattern of test names
int main(int argc, char **argv)
{
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_place_is_named_left_and_found_again, place_clear),
        cmocka_unit_test_setup(travel_lands_on_the_ground, place_clear),
        cmocka_unit_test_setup(a_place_is_renamed_and_deleted, place_clear),
        cmocka_unit_test_setup(bad_names_damage_and_a_full_disk_lose_no_good_place, place_clear),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}
