/// Looks by words, and the sky by the time of day.
#include "testing.h"

#include <math.h>

#include <render/look.h>

static void words_switch_and_the_last_one_wins(void **state)
{
    (void)state;
    Message problem;
    Look look = look_default(LOOK_QUALITY_HIGH);
    assert_true(look.on[LOOK_SHADOWS] && look.on[LOOK_FOG]);
    assert_true(look_parse(&look, "no-fog,time=18.5,debug=depth,scale=0.5,samples=4", &problem));
    assert_false(look.on[LOOK_FOG]);
    assert_true(look.on[LOOK_OCCLUSION]);
    assert_true(fabsf(look.hours - 18.5f) < 1e-6f && fabsf(look.scale - 0.5f) < 1e-6f);
    assert_int_equal(look.samples, 4);
    assert_int_equal(look.debug, LOOK_DEBUG_DEPTH);
    assert_true(look_parse(&look, "quality=low", &problem));
    assert_false(look.on[LOOK_SHADOWS]);
    assert_false(look.on[LOOK_FOG]); // what a quality says nothing of stays
    assert_true(look_parse(&look, "shadows,fog,no-fog,", &problem));
    assert_true(look.on[LOOK_SHADOWS]);
    assert_false(look.on[LOOK_FOG]);
    assert_true(look_parse(&look, "", &problem));
}

static void every_switch_and_debug_view_has_a_word(void **state)
{
    (void)state;
    for (int i = 0; i < LOOK_SWITCH_COUNT; i++) {
        Look look = look_default(LOOK_QUALITY_HIGH);
        Message problem;
        char text[64];
        snprintf(text, sizeof text, "no-%s", look_switch_name((LookSwitch)i));
        assert_true(look_parse(&look, text, &problem));
        for (int k = 0; k < LOOK_SWITCH_COUNT; k++) {
            assert_int_equal(look.on[k], k != i);
        }
    }
    for (int i = 0; i < LOOK_DEBUG_COUNT; i++) {
        Look look = look_default(LOOK_QUALITY_LOW);
        Message problem;
        char text[64];
        snprintf(text, sizeof text, "debug=%s", look_debug_name((LookDebug)i));
        assert_true(look_parse(&look, text, &problem));
        assert_int_equal(look.debug, i);
    }
}

static void words_that_mean_nothing_change_nothing_and_are_named(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "fogs",       "no-",          "no-no-fog",  "time",       "time=",
        "time=25",    "time=nan",     "time=1e",    "scale=0",    "scale=3",
        "samples=17", "quality=best", "debug=xray", ",",          "fog,,ao",
        "=",          "time=12x",     "quality",    "no-time=12", "samples=1234567890123456789",
        "scale=-1",   " fog"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[96];
        Look look = look_default(LOOK_QUALITY_MEDIUM), before = look;
        Message problem = {""};
        snprintf(text, sizeof text, "no-ao,time=3,%s", bad[i]);
        if (look_parse(&look, text, &problem)) {
            fail_msg("'%s' was taken", text);
        }
        assert_memory_equal(look.on, before.on, sizeof look.on);
        assert_true(fabsf(look.hours - before.hours) < 1e-6f);
        assert_non_null(strstr(problem.text, "--look"));
    }
}

static float brightness(const float *colour)
{
    return colour[0] + colour[1] + colour[2];
}

static void the_sun_rises_and_sets_and_light_follows_without_a_jump(void **state)
{
    (void)state;
    const LookSky noon = look_sky(12), night = look_sky(0), dusk = look_sky(18);
    assert_true(noon.sun[1] > 0.8f && night.sun[1] < -0.8f);
    assert_true(night.light_way[1] > 0.8f); // the moon
    assert_true(brightness(noon.light) > 8 * brightness(night.light));
    assert_true(brightness(night.light) > 0);
    assert_true(noon.stars < 0.01f && night.stars > 0.99f);
    assert_true(dusk.glow[0] > 2 * dusk.glow[2]); // red
    LookSky before = look_sky(0);
    for (int i = 1; i <= 24 * 240; i++) {
        LookSky now = look_sky((float)i / 240);
        assert_true(fabsf(glm_vec3_norm(now.sun) - 1) < 1e-4f);
        assert_true(fabsf(brightness(now.above) - brightness(before.above)) < 0.05f);
        assert_true(fabsf(brightness(now.horizon) - brightness(before.horizon)) < 0.05f);
        // Where the light turns from sun to moon there is none.
        float turned = glm_vec3_distance(now.light_way, before.light_way);
        assert_true(turned < 0.1f || brightness(now.light) + brightness(before.light) < 0.01f);
        before = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_switch_and_the_last_one_wins),
        cmocka_unit_test(every_switch_and_debug_view_has_a_word),
        cmocka_unit_test(words_that_mean_nothing_change_nothing_and_are_named),
        cmocka_unit_test(the_sun_rises_and_sets_and_light_follows_without_a_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
