/// The demo: when it begins, which walk it plays, and that the camera returns. test_walks.c checks
/// that the walks fit the land.
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <app/demo_mode.h>

static FlightHead head_of(const char *preset)
{
    FlightHead head = {
        .has_seed = true, .seed = trn_terrain_def().seed, .land_version = TRN_TERRAIN_VERSION};
    (void)snprintf(head.preset, sizeof head.preset, "%s", preset);
    return head;
}

static TrnTerrain *terrain_of(const char *preset, uint64_t seed)
{
    TrnTerrain *terrain;
    TrnTerrainDef def = trn_terrain_def();
    def.seed = seed;
    assert_int_equal(trn_terrain_shape_preset(preset, &def.shape), TRN_RESULT_OK);
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    return terrain;
}

static void the_demo_is_due_after_a_minute_without_input(void **state)
{
    (void)state;
    Demo demo = {.idle = 0};
    for (int i = 0; i < 599; i++) {
        assert_false(demo_is_due(&demo, true, false, 0.1));
    }
    assert_false(demo_is_due(&demo, true, true, 0.1)); // input in the last moment
    for (int i = 0; i < 610; i++) {
        (void)demo_is_due(&demo, true, false, 0.1);
    }
    assert_true(demo_is_due(&demo, true, false, NAN));
    assert_false(demo_is_due(&demo, true, true, 0));
    assert_false(demo_is_due(&demo, false, false, 1e9)); // switched off
    assert_true(demo_is_due(&demo, true, false, 0));     // and on again
}

/// Whatever happens to the setting.
static void a_demo_that_could_not_begin_is_not_tried_again(void **state)
{
    (void)state;
    Demo demo = {.has_failed = true};
    assert_false(demo_is_due(&demo, true, false, 1e9));
    assert_false(demo_is_due(&demo, false, false, 1e9));
    assert_false(demo_is_due(&demo, true, false, 1e9));
}

static void each_preset_has_a_walk_that_fits_its_land(void **state)
{
    (void)state;
    const char *preset;
    for (size_t i = 0; (preset = trn_terrain_preset_name(i)); i++) {
        Flight flight;
        Message why;
        const FlightHead here = head_of(preset);
        TrnTerrain *const terrain = terrain_of(preset, here.seed);
        assert_true(demo_choose(&flight, &here, terrain, &why));
        assert_string_equal(why.text, "");
        assert_true(flight.is_recording);
        assert_string_equal(flight.head.preset, preset);
        assert_true(flight.head.has_seed && flight.head.has_land);
        assert_int_equal(flight.head.land_version, TRN_TERRAIN_VERSION);
        flight_free(&flight);
        trn_terrain_destroy(terrain);
    }
}

static void expect_flight(const FlightHead *here, const TrnTerrain *terrain, const char *reason)
{
    Flight flight;
    Message why;
    assert_true(demo_choose(&flight, here, terrain, &why));
    assert_string_equal(why.text, reason);
    assert_false(flight.is_recording); // flown over any land
    flight_free(&flight);
}

static void where_the_walk_does_not_fit_the_demo_flies_and_says_why(void **state)
{
    (void)state;
    FlightHead here = head_of("default");
    TrnTerrain *const own = terrain_of("default", here.seed);
    TrnTerrain *const other = terrain_of("default", 4);
    here.seed = 4;
    expect_flight(&here, other, "it was recorded over seed 13, not 4");
    here = head_of("default");
    here.land_version = TRN_TERRAIN_VERSION + 1;
    char reason[96];
    (void)snprintf(reason, sizeof reason, "it was recorded over land version %d, not %d",
                   TRN_TERRAIN_VERSION, TRN_TERRAIN_VERSION + 1);
    expect_flight(&here, own, reason);
    here = head_of("default");
    expect_flight(&here, other, "the land there had another shape when it was recorded");
    here = head_of("");
    expect_flight(&here, own, "no walk was recorded for a land of your own");
    trn_terrain_destroy(own);
    trn_terrain_destroy(other);
}

static void the_camera_returns_when_the_demo_ends(void **state)
{
    (void)state;
    Demo demo = {.idle = 0};
    Message news;
    const FlightHead here = head_of("alps");
    TrnTerrain *const terrain = terrain_of("alps", here.seed);
    Camera camera = camera_at((const double[5]){5, 90, 7, 33, -2});
    camera.field_of_view = 90;
    const Camera before = camera;
    assert_true(demo_begin(&demo, &here, terrain, &camera, &news));
    assert_true(demo.flight.count > 0);
    assert_string_equal(news.text, "");
    double start[3], now[3];
    camera_voxel(&camera, start);
    assert_true(fabs(start[0] - 5) > 50);
    assert_true(camera.field_of_view == 90);
    double seconds = 0;
    for (; !demo_move(&demo, terrain, 0.1, &camera); seconds += 0.1) {
        assert_true(seconds < 120);
        assert_true(camera.field_of_view == 90);
    }
    assert_true(seconds > 30);
    camera_voxel(&camera, now); // the demo begins again
    assert_memory_equal(now, start, sizeof now);
    demo_end(&demo, &camera);
    assert_memory_equal(&camera, &before, sizeof camera);
    assert_int_equal(demo.flight.count, 0);

    FlightHead other = here;
    other.seed = 1;
    assert_true(demo_begin(&demo, &other, terrain, &camera, &news));
    assert_string_equal(news.text,
                        "A flight, since the walk does not fit: it was recorded over seed "
                        "13, not 1.");
    demo_free(&demo);
    trn_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_demo_is_due_after_a_minute_without_input),
        cmocka_unit_test(a_demo_that_could_not_begin_is_not_tried_again),
        cmocka_unit_test(each_preset_has_a_walk_that_fits_its_land),
        cmocka_unit_test(where_the_walk_does_not_fit_the_demo_flies_and_says_why),
        cmocka_unit_test(the_camera_returns_when_the_demo_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
