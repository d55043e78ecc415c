/// The sky by the time of day.
#include "testing.h"

#include <math.h>

#include <cglm/cglm.h>
#include <render/look.h>

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
    assert_true(brightness(noon.light) > 5 * brightness(night.light));
    assert_true(brightness(night.light) > 0);
    assert_true(noon.stars < 0.01f && night.stars > 0.99f);
    assert_true(dusk.glow[0] > 2 * dusk.glow[2]); // red
    LookSky before = look_sky(0);
    for (int i = 1; i <= 24 * 240; i++) {
        LookSky now = look_sky((float)i / 240);
        assert_true(fabsf(glm_vec3_norm(now.sun) - 1) < 1e-4f);
        assert_true(fabsf(brightness(now.above) - brightness(before.above)) < 0.05f);
        assert_true(fabsf(brightness(now.horizon) - brightness(before.horizon)) < 0.05f);
        // When the light changes from sun to moon, it is dark.
        float turned = glm_vec3_distance(now.light_way, before.light_way);
        assert_true(turned < 0.1f || brightness(now.light) + brightness(before.light) < 0.01f);
        before = now;
    }
}

static void an_overcast_sky_is_grey_and_dims_what_shines(void **state)
{
    (void)state;
    for (int hour = 0; hour < 24; hour++) {
        const LookSky clear = look_sky((float)hour);
        LookSky same = clear, grey = clear;
        look_overcast(&same, 0);
        assert_memory_equal(&same, &clear, sizeof clear);
        look_overcast(&grey, 1);
        assert_true(brightness(grey.light) < 0.2f * brightness(clear.light) + 1e-6f);
        assert_true(brightness(grey.above) < brightness(clear.above));
        assert_true(brightness(grey.above) > 0.3f * brightness(clear.above));
        assert_true(grey.stars < 0.01f);
        const float blue[2] = {clear.zenith[2] / clear.zenith[0], grey.zenith[2] / grey.zenith[0]};
        assert_true(blue[1] < blue[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sun_rises_and_sets_and_light_follows_without_a_jump),
        cmocka_unit_test(an_overcast_sky_is_grey_and_dims_what_shines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
