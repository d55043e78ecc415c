// lookout.h: where one begins.

#include <math.h>
#include <string.h>

#include "player/lookout.h"
#include "render/look.h"
#include "testing.h"

#define DEGREE (3.14159265358979 / 180)

static TrnTerrain *make_terrain(const char *preset, uint64_t seed)
{
    TrnTerrainDef def = trn_terrain_def();
    def.seed = seed;
    assert_int_equal(trn_terrain_shape_preset(preset, &def.shape), TRN_RESULT_OK);
    TrnTerrain *terrain;
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    return terrain;
}

/// What one picture shows of the land, by samples of level 0 along three lines.
typedef struct Shown {
    uint32_t sea, land;
    bool is_free; ///< no land within 40 voxels hides the view
} Shown;

static Shown show(const TrnTerrain *terrain, const double pose[5])
{
    Shown shown = {.is_free = true};
    for (int line = -1; line <= 1; line++) {
        const double turn = (pose[3] + line * 20) * DEGREE;
        for (int away = 8; away <= 320; away += 8) {
            const int64_t x = (int64_t)floor(pose[0] + sin(turn) * away);
            const int64_t z = (int64_t)floor(pose[2] - cos(turn) * away);
            TrnTerrainSample sample;
            assert_int_equal(trn_terrain_sample(terrain, x, z, &sample), TRN_RESULT_OK);
            const bool is_sea = sample.height < TRN_TERRAIN_SEA_LEVEL;
            shown.sea += is_sea;
            shown.land += !is_sea;
            shown.is_free &= away > 40 || (double)sample.height < pose[1] + away * 0.35;
        }
    }
    return shown;
}

static void lookouts_are_high_and_free(void **state)
{
    (void)state;
    uint32_t count = 0, coasts = 0;
    for (size_t i = 0; trn_terrain_preset_name(i); i++) {
        for (uint64_t seed = 1; seed <= 4; seed++) {
            const char *preset = trn_terrain_preset_name(i);
            TrnTerrain *terrain = make_terrain(preset, seed);
            double pose[5], again[5];
            assert_true(lookout_find(terrain, 0, 0, pose));
            assert_true(lookout_find(terrain, 0, 0, again));
            assert_memory_equal(pose, again, sizeof pose);
            print_message("  %s, seed %d: --at=%.1f,%.1f,%.1f,%.1f,%.1f\n", preset, (int)seed,
                          pose[0], pose[1], pose[2], pose[3], pose[4]);
            int64_t height;
            assert_int_equal(trn_terrain_height(terrain, (int64_t)floor(pose[0]),
                                                (int64_t)floor(pose[2]), &height),
                             TRN_RESULT_OK);
            assert_true(height >= TRN_TERRAIN_SEA_LEVEL && pose[1] > (double)height + 8);
            assert_true(fabs(pose[0]) <= 768 && fabs(pose[2]) <= 768);
            const Shown shown = show(terrain, pose);
            assert_true(shown.is_free && shown.land > 0);
            count++;
            coasts += shown.sea >= 5;
            trn_terrain_destroy(terrain);
        }
    }
    print_message("  %u of %u show a coast\n", coasts, count);
    assert_true(coasts * 2 > count);
}

static void there_is_none_without_land_or_at_the_ends_of_the_world(void **state)
{
    (void)state;
    TrnTerrainDef def = trn_terrain_def();
    def.shape.land = -1;
    TrnTerrain *terrain;
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    double pose[5] = {1, 2, 3, 4, 5};
    const double before[5] = {1, 2, 3, 4, 5};
    const int64_t ends[] = {INT64_MIN, TRN_VOXEL_MIN, TRN_VOXEL_MAX, INT64_MAX};
    assert_false(lookout_find(terrain, 100000, -70000, pose));
    for (int i = 0; i < 16; i++) {
        assert_false(lookout_find(terrain, ends[i % 4], ends[i / 4], pose));
    }
    assert_memory_equal(pose, before, sizeof pose);
    trn_terrain_destroy(terrain);
}

static void the_sun_is_low_and_behind(void **state)
{
    (void)state;
    for (int yaw = 5; yaw < 360; yaw += 10) {
        const LookSky sky = look_sky((float)lookout_hours(yaw));
        const double ahead =
            sin(yaw * DEGREE) * (double)sky.sun[0] - cos(yaw * DEGREE) * (double)sky.sun[2];
        assert_true(sky.sun[1] > 0.1f && sky.sun[1] < 0.5f);
        assert_true(ahead < 0.45); // at the side, where it is not behind
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lookouts_are_high_and_free),
        cmocka_unit_test(there_is_none_without_land_or_at_the_ends_of_the_world),
        cmocka_unit_test(the_sun_is_low_and_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
