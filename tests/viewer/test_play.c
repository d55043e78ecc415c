/// A person plays with real keys and a real mouse: walks, falls, swims, digs, builds and undoes.
/// Run by with_keyboard.sh.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "viewer_session.h"

#include <terrane/terrain.h>

#include <math.h>

#define EYES 1.62
#define DOWN 1 // axes
// A meadow of the preset "flat", and the open sea of the default.
#define MEADOW_X 6.5
#define MEADOW_Z 2.5
#define SEA_X (-59.5)
#define SEA_Z (-249.5)

// ---- the land -----------------------------------------------------------------------------------

static TrnTerrain *make_land(const char *preset)
{
    TrnTerrainDef def = trn_terrain_def();
    TrnTerrain *land;
    assert_int_equal(trn_terrain_shape_preset(preset, &def.shape), TRN_RESULT_OK);
    assert_int_equal(trn_terrain_create(&def, &land), TRN_RESULT_OK);
    return land;
}

/// Returns the height of the eyes of a player who stands on a column's ground.
static double standing_eyes(const char *preset, double x, double z)
{
    TrnTerrain *land = make_land(preset);
    int64_t height;
    assert_int_equal(trn_terrain_height(land, (int64_t)floor(x), (int64_t)floor(z), &height),
                     TRN_RESULT_OK);
    trn_terrain_destroy(land);
    return (double)height + 1 + EYES;
}

static TrnBlock block_at(TrnTerrain *land, double x, double y, double z)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    bool is_uniform;
    const TrnVoxel voxel = {(int64_t)floor(x), (int64_t)floor(y), (int64_t)floor(z)};
    assert_int_equal(trn_terrain_generate(land, trn_voxel_chunk(voxel), blocks, &is_uniform),
                     TRN_RESULT_OK);
    return blocks[is_uniform ? 0 : trn_voxel_local_index(voxel)];
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 0.03; // places are printed with two digits
}

static bool is_same_place(const SessionPlace *a, const SessionPlace *b)
{
    return a->voxel[0] == b->voxel[0] && a->voxel[1] == b->voxel[1] && a->voxel[2] == b->voxel[2];
}

/// Waits until the player no longer moves. @return the place
static SessionPlace await_rest(Session *session)
{
    const double until = session_clock() + SESSION_PATIENCE * 0.5;
    SessionPlace before, at = session_where(session);
    do {
        before = at;
        session_sleep(0.3);
        at = session_where(session);
    } while (!is_same_place(&at, &before) && session_clock() < until);
    return at;
}

// ---- a person -----------------------------------------------------------------------------------

/// Lands on the meadow and stands. @param pitch  of the view @return the height of the eyes
static double land_on_meadow(Session *session, Place *place, double pitch, const char *more)
{
    char arguments[256];
    const double eyes = standing_eyes("flat", MEADOW_X, MEADOW_Z);
    (void)snprintf(arguments, sizeof arguments, "--preset flat --at=%g,%g,%g,0,%g %s", MEADOW_X,
                   eyes + 1, MEADOW_Z, pitch, more);
    session_start(session, place, arguments);
    session_key(session, "f");
    session_await_at(session, DOWN, eyes - 0.01, eyes + 0.01);
    return eyes;
}

static void await_eyes(Session *session, double eyes)
{
    session_await_at(session, DOWN, eyes - 0.02, eyes + 0.02);
}

/// Holds a key until the eyes have reached a coordinate.
static void go_to(Session *session, const char *key, int axis, double low, double high)
{
    assert_true(session_do(session, "keydown %s", key));
    session_await_at(session, axis, low, high);
    assert_true(session_do(session, "keyup %s", key));
}

static void hold_button(Session *session, int button, double seconds)
{
    assert_true(session_do(session, "mousedown %d", button));
    session_sleep(seconds);
    assert_true(session_do(session, "mouseup %d", button));
}

// ---- moving -------------------------------------------------------------------------------------

static void who_stops_flying_falls_and_stands(void **state)
{
    Session session;
    char arguments[128];
    const double eyes = standing_eyes("flat", MEADOW_X, MEADOW_Z);
    (void)snprintf(arguments, sizeof arguments, "--preset flat --at=%g,%g,%g,0,0", MEADOW_X,
                   eyes + 30, MEADOW_Z);
    session_start(&session, *state, arguments);
    session_sleep(0.3);
    assert_true(is_near(session_where(&session).voxel[1], eyes + 30)); // does not fall in flight
    session_key(&session, "f");
    await_eyes(&session, eyes);
    session_sleep(0.3);
    const SessionPlace at = session_quit(&session, "F10");
    assert_true(is_near(at.voxel[0], MEADOW_X) && is_near(at.voxel[2], MEADOW_Z));
    assert_true(is_near(at.voxel[1], eyes));
}

/// Walks along three sides of a square.
static void keys_lead_along_a_path_that_ends_where_it_should(void **state)
{
    Session session;
    (void)land_on_meadow(&session, *state, 0, "");
    go_to(&session, "w", 2, -INFINITY, MEADOW_Z - 5);
    go_to(&session, "d", 0, MEADOW_X + 5, INFINITY);
    go_to(&session, "s", 2, MEADOW_Z - 1, INFINITY);
    session_sleep(0.5);
    const SessionPlace at = session_quit(&session, "F10");
    assert_true(at.voxel[0] > MEADOW_X + 5 && at.voxel[2] > MEADOW_Z - 1);
    assert_true(is_near(at.voxel[1], standing_eyes("flat", at.voxel[0], at.voxel[2])));
}

/// The demo walks elsewhere; a key brings the player back to where they were.
static void the_demo_walks_until_a_key_is_pressed(void **state)
{
    Session session;
    char arguments[128];
    const double eyes = standing_eyes("flat", MEADOW_X, MEADOW_Z) + 30;
    (void)snprintf(arguments, sizeof arguments, "--demo --preset flat --at=%g,%g,%g,0,0", MEADOW_X,
                   eyes, MEADOW_Z);
    session_start(&session, *state, arguments);
    session_await_at(&session, 0, -104, -92); // the walk begins at x -105 and leads east
    const SessionPlace walking = session_where(&session);
    assert_true(fabs(walking.voxel[1] - standing_eyes("flat", walking.voxel[0], walking.voxel[2])) <
                1.5);
    session_key(&session, "x"); // any key, also one without an action
    session_await_at(&session, 0, MEADOW_X - 30, MEADOW_X);
    await_eyes(&session, eyes);
    (void)session_quit(&session, "F10");
}

static void in_water_one_floats_dives_and_comes_up(void **state)
{
    Session session;
    char arguments[128];
    (void)snprintf(arguments, sizeof arguments, "--at=%g,6,%g,0,0", SEA_X, SEA_Z);
    session_start(&session, *state, arguments);
    const double bottom = standing_eyes("default", SEA_X, SEA_Z);
    assert_true(bottom < -6);
    session_key(&session, "f");
    session_await_at(&session, DOWN, bottom - 0.1, 1); // falls in, and does not stay above
    go_to(&session, "Control_L", DOWN, bottom - 0.5, -4);
    go_to(&session, "space", DOWN, -0.5, 3); // out of the water as far as one floats
    go_to(&session, "w", 2, -INFINITY, SEA_Z - 3);
    (void)session_quit(&session, "F10");
}

// ---- the hand -----------------------------------------------------------------------------------

static void who_digs_below_falls_into_the_hole_and_undo_fills_it(void **state)
{
    Session session;
    const double eyes = land_on_meadow(&session, *state, -90, "");
    session_click(&session, 1);
    await_eyes(&session, eyes - 1);
    session_click(&session, 1);
    await_eyes(&session, eyes - 2);
    session_key(&session, "z");
    await_eyes(&session, eyes - 1);
    session_key(&session, "z");
    await_eyes(&session, eyes);
    session_key(&session, "y");
    await_eyes(&session, eyes - 1);
    (void)session_quit(&session, "F10");
}

static void a_held_dig_goes_on_and_is_one_step_of_undo(void **state)
{
    Session session;
    const double eyes = land_on_meadow(&session, *state, -90, "");
    assert_true(session_do(&session, "mousedown 1"));
    session_await_at(&session, DOWN, -INFINITY, eyes - 3);
    assert_true(session_do(&session, "mouseup 1"));
    session_key(&session, "z");
    await_eyes(&session, eyes);
    (void)session_quit(&session, "F10");
}

static void nobody_builds_into_a_body_but_who_jumps_stands_on_it(void **state)
{
    Session session;
    const double eyes = land_on_meadow(&session, *state, -90, "");
    session_click(&session, 3);
    session_sleep(0.5);
    await_eyes(&session, eyes);
    assert_true(session_do(&session, "keydown space mousedown 3"));
    session_await_at(&session, DOWN, eyes + 2.5, INFINITY); // a jump is half as high
    assert_true(session_do(&session, "mouseup 3 keyup space"));
    (void)await_rest(&session);
    const SessionPlace at = session_quit(&session, "F10");
    const double built = at.voxel[1] - eyes;
    assert_true(is_near(built, rint(built)) && built > 0.5);
}

static void the_ball_digs_wide_and_the_box_between_two_presses(void **state)
{
    Session session;
    const double eyes = land_on_meadow(&session, *state, -90, "");
    session_key(&session, "Tab");
    session_click(&session, 1);
    await_eyes(&session, eyes - 4); // the block in the middle, and three below
    session_key(&session, "z");
    await_eyes(&session, eyes);
    session_key(&session, "Tab");
    session_click(&session, 1);
    session_sleep(0.5);
    await_eyes(&session, eyes); // one corner alone does nothing
    session_click(&session, 1);
    await_eyes(&session, eyes - 1);
    (void)session_quit(&session, "F10");
}

/// Returns the colour of the middle of the window.
static uint32_t middle_colour(void)
{
    enum { EDGE = 12 };
    uint32_t rgb[EDGE * EDGE], sum[3] = {0};
    session_screen(160 - EDGE / 2, 100 - EDGE / 2, EDGE, EDGE, rgb);
    for (int i = 0; i < EDGE * EDGE; i++) {
        for (int part = 0; part < 3; part++) {
            sum[part] += rgb[i] >> 8 * part & 0xFF;
        }
    }
    const uint32_t all = EDGE * EDGE;
    return sum[2] / all << 16 | sum[1] / all << 8 | sum[0] / all;
}

static int red(uint32_t rgb)
{
    return (int)(rgb >> 16);
}

static int green(uint32_t rgb)
{
    return (int)(rgb >> 8 & 0xFF);
}

static int blue(uint32_t rgb)
{
    return (int)(rgb & 0xFF);
}

static bool is_grass(uint32_t rgb)
{
    return green(rgb) > red(rgb) + 10 && green(rgb) > blue(rgb) + 10;
}

static bool is_stone(uint32_t rgb)
{
    return abs(red(rgb) - green(rgb)) < 16 && abs(green(rgb) - blue(rgb)) < 20 && blue(rgb) > 0x50;
}

static bool is_earth(uint32_t rgb)
{
    return red(rgb) > green(rgb) + 4 && green(rgb) > blue(rgb) + 4 && blue(rgb) < 0x70;
}

static void await_middle(Session *session, bool (*is_right)(uint32_t rgb), const char *what)
{
    const double until = session_clock() + SESSION_PATIENCE * 0.5;
    while (!is_right(middle_colour())) {
        if (session_clock() > until) {
            print_message("  the middle is %06x\n", middle_colour());
            session_fail(session, what);
        }
        session_sleep(0.05);
    }
}

static void keys_choose_what_is_built(void **state)
{
    Session session;
    (void)land_on_meadow(&session, *state, -45, "--look time=12,no-clouds,no-shadows");
    assert_true(session_do(&session, "windowmove %s 0 0", session.window));
    await_middle(&session, is_grass, "there is no grass");
    session_key(&session, "1");
    session_click(&session, 3);
    await_middle(&session, is_stone, "there is no stone");
    session_click(&session, 1);
    await_middle(&session, is_grass, "there is still stone");
    session_key(&session, "2");
    session_click(&session, 3);
    await_middle(&session, is_earth, "there is no earth");
    (void)session_quit(&session, "F10");
}

static void a_click_that_catches_the_mouse_digs_nothing(void **state)
{
    Session session;
    const double eyes = land_on_meadow(&session, *state, -90, "");
    session_take_focus(&session);
    session_sleep(0.3);
    assert_true(session_do(&session, "windowfocus --sync %s", session.window));
    session_sleep(0.3);
    hold_button(&session, 1, 1); // longer than a dig that is held takes
    await_eyes(&session, eyes);
    session_click(&session, 1); // now the mouse is caught
    await_eyes(&session, eyes - 1);
    (void)session_quit(&session, "F10");
}

static void a_pause_and_a_lost_focus_end_a_dig_that_is_held(void **state)
{
    Session session;
    const double eyes = land_on_meadow(&session, *state, -90, "");
    assert_true(session_do(&session, "mousedown 1"));
    session_await_at(&session, DOWN, -INFINITY, eyes - 1);
    session_key(&session, "Escape");
    session_await_title(&session, "paused", true);
    session_key(&session, "Escape");
    session_await_title(&session, "paused", false);
    const double after = await_rest(&session).voxel[1]; // falls to the end of the hole
    session_sleep(0.8);
    await_eyes(&session, after); // still down, and does not dig on
    assert_true(session_do(&session, "mouseup 1 mousedown 1"));
    session_await_at(&session, DOWN, -INFINITY, after - 1);
    session_take_focus(&session);
    session_sleep(0.5);
    assert_true(session_do(&session, "windowfocus --sync %s", session.window));
    const double later = await_rest(&session).voxel[1];
    session_sleep(0.8);
    await_eyes(&session, later);
    assert_true(session_do(&session, "mouseup 1"));
    (void)session_quit(&session, "F10");
}

// ---- bad places ---------------------------------------------------------------------------------

static void who_lands_in_rock_finds_a_place_to_stand(void **state)
{
    Session session;
    TrnTerrain *land = make_land("default");
    assert_int_not_equal(block_at(land, 20.5, 15, -75.5), TRN_BLOCK_AIR);
    session_start(&session, *state, "--at=20.5,15,-75.5,0,0");
    session_key(&session, "f");
    (void)await_rest(&session);
    const SessionPlace at = session_quit(&session, "F10");
    const double feet = at.voxel[1] - EYES;
    print_message("  stands at %g, %g, %g\n", at.voxel[0], feet, at.voxel[2]);
    assert_int_equal(block_at(land, at.voxel[0], feet + 0.5, at.voxel[2]), TRN_BLOCK_AIR);
    assert_int_equal(block_at(land, at.voxel[0], feet + 1.5, at.voxel[2]), TRN_BLOCK_AIR);
    assert_int_not_equal(block_at(land, at.voxel[0], feet - 0.5, at.voxel[2]), TRN_BLOCK_AIR);
    trn_terrain_destroy(land);
}

static void the_ends_of_the_world_are_no_end(void **state)
{
    Session session;
    session_start(&session, *state, "--at=68719476000,100,-68719476700,90,0");
    session_hold(&session, "d", 0.5);
    session_key(&session, "f");
    session_hold(&session, "w", 0.5);
    session_click(&session, 1);
    SessionPlace at = session_quit(&session, "F10");
    assert_true(at.voxel[0] >= 68719476000.0 && at.voxel[0] <= 68719476736.0);
    session_start(&session, *state, "--at=0,68719476700,0,0,90");
    session_hold(&session, "w", 0.5);
    session_key(&session, "f");
    session_sleep(0.5);
    session_click(&session, 1);
    at = session_quit(&session, "F10");
    assert_true(at.voxel[1] > 68719470000.0 && at.voxel[1] <= 68719476736.0);
    // Down there is only rock, so the eye starts at the surface.
    session_start(&session, *state, "--at=0,-68719476700,0,0,-90");
    session_key(&session, "f");
    session_sleep(0.5);
    session_click(&session, 1);
    at = session_quit(&session, "F10");
    assert_true(at.voxel[1] > -64 && at.voxel[1] < 512);
}

/// @param argv  a pattern of test names, such as "*dig*"
int main(int argc, char **argv)
{
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(who_stops_flying_falls_and_stands, place_clear),
        cmocka_unit_test_setup(keys_lead_along_a_path_that_ends_where_it_should, place_clear),
        cmocka_unit_test_setup(the_demo_walks_until_a_key_is_pressed, place_clear),
        cmocka_unit_test_setup(in_water_one_floats_dives_and_comes_up, place_clear),
        cmocka_unit_test_setup(who_digs_below_falls_into_the_hole_and_undo_fills_it, place_clear),
        cmocka_unit_test_setup(a_held_dig_goes_on_and_is_one_step_of_undo, place_clear),
        cmocka_unit_test_setup(nobody_builds_into_a_body_but_who_jumps_stands_on_it, place_clear),
        cmocka_unit_test_setup(the_ball_digs_wide_and_the_box_between_two_presses, place_clear),
        cmocka_unit_test_setup(keys_choose_what_is_built, place_clear),
        cmocka_unit_test_setup(a_click_that_catches_the_mouse_digs_nothing, place_clear),
        cmocka_unit_test_setup(a_pause_and_a_lost_focus_end_a_dig_that_is_held, place_clear),
        cmocka_unit_test_setup(who_lands_in_rock_finds_a_place_to_stand, place_clear),
        cmocka_unit_test_setup(the_ends_of_the_world_are_no_end, place_clear),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}
