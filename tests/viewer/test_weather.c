// weather.h: when rain and snow fall, and where.

#include <math.h>

#include "testing.h"
#include "world/weather.h"

static void it_is_clear_first_and_changes_slowly(void **state)
{
    (void)state;
    float before = 0;
    int falling = 0;
    const int seconds = 6 * 3600;
    for (int i = 0; i < seconds; i++) {
        const float now = weather_strength(WEATHER_CHANGING, i);
        assert_true(now >= 0 && now <= 1);
        assert_true(fabsf(now - before) <= 0.04f);
        assert_true(now == 0 || i > WEATHER_CLEAR_SECONDS);
        assert_true(weather_strength(WEATHER_CLEAR, i) == 0);
        assert_true(weather_strength(WEATHER_FALLING, i) == 1);
        falling += now > 0.5f;
        before = now;
    }
    print_message("  it rains or snows for %d s of %d\n", falling, seconds);
    assert_in_range(falling, seconds / 12, seconds / 3);
}

static TrnTerrain *make_terrain(const char *preset)
{
    TrnTerrainDef def = trn_terrain_def();
    TrnTerrain *terrain;
    assert_int_equal(trn_terrain_shape_preset(preset, &def.shape), TRN_RESULT_OK);
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    return terrain;
}

/// Sums what falls at places of one biome, 128 voxels apart, for at most 60 of them. @return how
/// many there are
static int sum_biome(const TrnTerrain *terrain, TrnTerrainBiome biome, RendererWeather *sum)
{
    int count = 0;
    *sum = (RendererWeather){0, 0};
    for (int64_t i = 0; i < 400 && count < 60; i++) {
        const int64_t x = (i % 20 - 10) * 128, z = (i / 20 - 10) * 128;
        TrnTerrainSample sample;
        assert_int_equal(trn_terrain_sample(terrain, x, z, &sample), TRN_RESULT_OK);
        if (sample.biome == biome) {
            const RendererWeather here = weather_of_place(terrain, (double)x, (double)z, 1);
            sum->rain += here.rain;
            sum->snow += here.snow;
            count++;
        }
    }
    return count;
}

static void it_rains_on_forests_snows_on_snow_and_never_on_deserts(void **state)
{
    (void)state;
    RendererWeather sum;
    TrnTerrain *terrain = make_terrain("alps");
    const int forest = sum_biome(terrain, TRN_TERRAIN_BIOME_FOREST, &sum);
    print_message("  %d places in forests: rain %.1f, snow %.1f\n", forest, (double)sum.rain,
                  (double)sum.snow);
    assert_true(forest > 20 && sum.rain > 0.8f * (float)forest && sum.snow < 0.1f * (float)forest);
    const int snow = sum_biome(terrain, TRN_TERRAIN_BIOME_SNOW, &sum);
    print_message("  %d places in snow: rain %.1f, snow %.1f\n", snow, (double)sum.rain,
                  (double)sum.snow);
    assert_true(snow > 20 && sum.snow > 0.9f * (float)snow);
    trn_terrain_destroy(terrain);
    terrain = make_terrain("canyons");
    const int desert = sum_biome(terrain, TRN_TERRAIN_BIOME_DESERT, &sum);
    print_message("  %d places in deserts: rain %.1f, snow %.1f\n", desert, (double)sum.rain,
                  (double)sum.snow);
    assert_true(desert > 20 && sum.rain + sum.snow < 0.1f * (float)desert);
    trn_terrain_destroy(terrain);
}

static void weather_has_no_borders(void **state)
{
    (void)state;
    TrnTerrain *terrain = make_terrain("alps");
    RendererWeather before = weather_of_place(terrain, -400, 17, 1);
    float most = 0, least = 1;
    for (double x = -400; x < 400; x += 0.5) {
        const RendererWeather now = weather_of_place(terrain, x, 17, 1);
        assert_true(now.rain >= 0 && now.snow >= 0 && now.rain + now.snow <= 1.0001f);
        assert_true(fabsf(now.rain - before.rain) <= 0.05f);
        assert_true(fabsf(now.snow - before.snow) <= 0.05f);
        most = fmaxf(most, now.snow);
        least = fminf(least, now.snow);
        before = now;
    }
    assert_true(most - least > 0.9f);
    const double end = (double)TRN_VOXEL_MAX;
    const RendererWeather last = weather_of_place(terrain, end, end, 1);
    assert_true(last.rain >= 0 && last.snow >= 0 && last.rain + last.snow <= 1.0001f);
    trn_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_clear_first_and_changes_slowly),
        cmocka_unit_test(it_rains_on_forests_snows_on_snow_and_never_on_deserts),
        cmocka_unit_test(weather_has_no_borders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
