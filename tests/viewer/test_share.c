// Links to places: every place that the viewer can stand at is written and read again, and other
// text is refused with a reason.
#include "testing.h"

#include <math.h>

#include <settings/settings.h>
#include <settings/share.h>

static void places_are_read_as_they_were_written(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(41);
    for (uint32_t round = 0; round < test_rounds(2000, 200); round++) {
        char text[SHARE_BYTES], again[SHARE_BYTES];
        Message problem;
        Share read, share = {.preset = trn_terrain_preset_name(test_random_next(&random) % 5),
                             .land_version = (uint32_t)test_random_range(
                                 &random, TRN_TERRAIN_VERSION_OLDEST, TRN_TERRAIN_VERSION),
                             .seed = test_random_next(&random),
                             .hours = (double)test_random_range(&random, 0, 2400) / 100};
        const int64_t reach = test_random_next(&random) % 2 ? 6871947673600 : 100000;
        for (int i = 0; i < 3; i++) {
            share.at[i] = (double)test_random_range(&random, -reach, reach) / 100;
        }
        share.at[3] = (double)test_random_range(&random, -3600, 3600) / 10;
        share.at[4] = (double)test_random_range(&random, -900, 900) / 10;
        share_write(&share, text);
        if (!share_read(text, &read, &problem)) {
            fail_msg("%s: %s", text, problem.text);
        }
        assert_ptr_equal(read.preset, share.preset);
        assert_int_equal(read.land_version, share.land_version);
        assert_true(read.seed == share.seed);
        for (int i = 0; i < 5; i++) {
            assert_true(fabs(read.at[i] - share.at[i]) < 1e-4);
        }
        assert_true(fabs(read.hours - share.hours) < 1e-4);
        share_write(&read, again);
        assert_string_equal(again, text);
    }
}

static void a_link_without_a_version_means_the_newest_land(void **state)
{
    (void)state;
    Share share;
    Message problem;
    assert_true(share_read("  terrane://alps/7/1,2.5,-3,90,-10/18.25\n", &share, &problem));
    assert_string_equal(share.preset, "alps");
    assert_int_equal(share.land_version, TRN_TERRAIN_VERSION);
    assert_true(share.seed == 7 && share.at[1] == 2.5 && share.at[2] == -3);
    assert_true(share.hours == 18.25);
}

static void other_text_is_refused_with_a_reason(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", "begin with"},
        {"http://alps/7/1,2,3,4,5/6", "begin with"},
        {"terrane://", "preset"},
        {"terrane://nowhere/7/1,2,3,4,5/6", "preset"},
        {"terrane://alpsen/7/1,2,3,4,5/6", "preset"},
        {"terrane://alps@99/7/1,2,3,4,5/6", "version"},
        {"terrane://alps@0/7/1,2,3,4,5/6", "version"},
        {"terrane://alps@3/7/1,2,3,4,5/6", "land of version 3"},
        {"terrane://alps@/7/1,2,3,4,5/6", "version"},
        {"terrane://alps", "version"},
        {"terrane://alps//1,2,3,4,5/6", "seed"},
        {"terrane://alps/-1/1,2,3,4,5/6", "seed"},
        {"terrane://alps/18446744073709551616/1,2,3,4,5/6", "seed"},
        {"terrane://alps/7/1,2,3,4/6", "five numbers"},
        {"terrane://alps/7/1,2,3,4,5,6/6", "five numbers"},
        {"terrane://alps/7/1e9,2,3,4,5/6", "five numbers"},
        {"terrane://alps/7/nan,2,3,4,5/6", "five numbers"},
        {"terrane://alps/7/999999999999999999999,2,3,4,5/6", "five numbers"},
        {"terrane://alps/7/1,2,3,4,91/6", "five numbers"},
        {"terrane://alps/7/1,2,3,4,5/", "time"},
        {"terrane://alps/7/1,2,3,4,5/24.5", "time"},
        {"terrane://alps/7/1,2,3,4,5/-1", "time"},
        {"terrane://alps/7/1,2,3,4,5/6 and more", "time"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Message problem;
        Share share = {.seed = 77};
        assert_false(share_read(cases[i].text, &share, &problem));
        if (!strstr(problem.text, cases[i].reason)) {
            fail_msg("\"%s\": %s", cases[i].text, problem.text);
        }
        assert_true(share.seed == 77);
    }
}

static void shapes_of_presets_have_names(void **state)
{
    (void)state;
    TrnTerrainShape shape;
    for (size_t i = 0; trn_terrain_preset_name(i); i++) {
        assert_int_equal(trn_terrain_shape_preset(trn_terrain_preset_name(i), &shape),
                         TRN_RESULT_OK);
        assert_ptr_equal(share_preset(&shape), trn_terrain_preset_name(i));
    }
    shape.relief *= 0.5f;
    assert_null(share_preset(&shape));
}

/// --at takes a link, too, and sets all that it names.
static void the_option_at_takes_a_link(void **state)
{
    (void)state;
    Settings settings = settings_default();
    Message problem;
    size_t row = 0;
    while (settings_row(row) && strcmp(settings_row(row)->name, "at") != 0) {
        row++;
    }
    const Setting *at = settings_row(row);
    assert_non_null(at);
    assert_true(at->read(&settings, "terrane://islands@4/42/100,60,-40,180,-10/9.5", &problem));
    assert_string_equal(settings.choice.preset, "islands");
    assert_true(settings.has_seed && settings.seed == 42 && settings.placed);
    assert_int_equal(settings.land_version, 4);
    assert_true(settings.at[0] == 100 && settings.at[4] == -10 && settings.hours == 9.5);
    assert_false(at->read(&settings, "terrane://islands/42/100,60/9.5", &problem));
    assert_non_null(strstr(problem.text, "five numbers"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_read_as_they_were_written),
        cmocka_unit_test(a_link_without_a_version_means_the_newest_land),
        cmocka_unit_test(other_text_is_refused_with_a_reason),
        cmocka_unit_test(shapes_of_presets_have_names),
        cmocka_unit_test(the_option_at_takes_a_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
