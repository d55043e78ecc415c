#include "render/look.h"

#include <math.h>

#include <cglm/cglm.h>

static void look_set_quality(Look *look, LookQuality quality)
{
    look->quality = quality;
    look->on[LOOK_SHADOWS] = quality > LOOK_QUALITY_LOW;
    look->on[LOOK_SWAY] = quality > LOOK_QUALITY_LOW;
    look->on[LOOK_HOLES] = quality == LOOK_QUALITY_HIGH;
}

Look look_default(LookQuality quality)
{
    Look look = {.hours = 9, .scale = 1};
    for (int i = 0; i < LOOK_SWITCH_COUNT; i++) {
        look.on[i] = i != LOOK_LAMP;
    }
    look_set_quality(&look, quality);
    return look;
}

// ---- the sky ------------------------------------------------------------------------------------

static float look_between(float low, float high, float value)
{
    const float part = glm_clamp((value - low) / (high - low), 0, 1);
    return part * part * (3 - 2 * part);
}

static void look_mix3(const float *a, const float *b, float part, float *out)
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] + (b[i] - a[i]) * part;
    }
}

/// Mixes the colours of the sky from three sets, night, dusk and day, by the sun's height.
static void look_mix_sky(LookSky *sky, float height)
{
    static const float zeniths[3][3] = {
        {0.0035f, 0.0065f, 0.017f}, {0.075f, 0.115f, 0.27f}, {0.045f, 0.20f, 0.68f}};
    static const float horizons[3][3] = {
        {0.011f, 0.016f, 0.034f}, {0.46f, 0.30f, 0.32f}, {0.50f, 0.76f, 1.10f}};
    static const float glows[3][3] = {
        {0.02f, 0.02f, 0.03f}, {1.75f, 0.62f, 0.16f}, {1.20f, 0.95f, 0.66f}};
    static const float aboves[3][3] = {
        {0.050f, 0.070f, 0.128f}, {0.34f, 0.33f, 0.42f}, {0.56f, 0.70f, 0.92f}};
    const float dusk = look_between(-0.26f, 0.02f, height), day = look_between(0.0f, 0.34f, height);
    const float(*sets[4])[3] = {zeniths, horizons, glows, aboves};
    float *outs[4] = {sky->zenith, sky->horizon, sky->glow, sky->above};
    for (int i = 0; i < 4; i++) {
        look_mix3(sets[i][0], sets[i][1], dusk, outs[i]);
        look_mix3(outs[i], sets[i][2], day, outs[i]);
    }
    sky->stars = 1 - look_between(-0.24f, -0.04f, height);
}

/// Mixes the light: the sun fades as it sinks; after sunset the moon, opposite to it, takes over.
static void look_mix_light(LookSky *sky, float height)
{
    static const float low_sun[3] = {1.95f, 0.86f, 0.32f}, high_sun[3] = {1.86f, 1.67f, 1.36f};
    static const float moon[3] = {0.203f, 0.266f, 0.371f};
    if (height > -0.06f) {
        look_mix3(low_sun, high_sun, look_between(0.02f, 0.50f, height), sky->light);
        glm_vec3_scale(sky->light, look_between(-0.06f, 0.12f, height), sky->light);
        glm_vec3_copy(sky->sun, sky->light_way);
    } else {
        glm_vec3_scale((float *)moon, look_between(0.06f, 0.2f, -height), sky->light);
        glm_vec3_negate_to(sky->sun, sky->light_way);
    }
}

LookSky look_sky(float hours)
{
    LookSky sky;
    // The sun rises in the east (+x) and is in the south at noon.
    const float turn = (hours - 6) / 12 * GLM_PIf;
    glm_vec3_copy((vec3){cosf(turn), sinf(turn) * 0.86f, -0.36f * sinf(turn) - 0.16f}, sky.sun);
    glm_vec3_normalize(sky.sun);
    look_mix_sky(&sky, sky.sun[1]);
    look_mix_light(&sky, sky.sun[1]);
    return sky;
}

void look_overcast(LookSky *sky, float part)
{
    const float grey = 0.6f * (sky->horizon[0] + sky->horizon[1] + sky->horizon[2]) / 3;
    float *const colours[] = {sky->zenith, sky->horizon, sky->glow};
    for (int i = 0; i < 3; i++) {
        const float level = i == 0 ? 0.7f * grey : grey;
        look_mix3(colours[i], (float[3]){0.94f * level, level, 1.08f * level}, 0.85f * part,
                  colours[i]);
    }
    const float above = 0.62f * (sky->above[0] + sky->above[1] + sky->above[2]) / 3;
    look_mix3(sky->above, (float[3]){0.95f * above, above, 1.07f * above}, part, sky->above);
    glm_vec3_scale(sky->light, 1 - 0.88f * part, sky->light);
    sky->stars *= 1 - part;
}
