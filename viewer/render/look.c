#include "render/look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const SWITCH_NAMES[LOOK_SWITCH_COUNT] = {
    "occlusion", "textures", "ao",     "skylight", "shadows", "fog",  "clouds",
    "waves",     "sway",     "plants", "tone",     "lamp",    "holes"};
static const char *const QUALITY_NAMES[LOOK_QUALITY_COUNT] = {"low", "medium", "high"};
static const char *const DEBUG_NAMES[LOOK_DEBUG_COUNT] = {"none",  "wireframe", "chunks", "states",
                                                          "faces", "overdraw",  "depth"};

const char *look_switch_name(LookSwitch which)
{
    return SWITCH_NAMES[which];
}

const char *look_debug_name(LookDebug debug)
{
    return DEBUG_NAMES[debug];
}

void look_set_quality(Look *look, LookQuality quality)
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
        look.on[i] = true;
    }
    look_set_quality(&look, quality);
    return look;
}

// ---- words --------------------------------------------------------------------------------------

/// Where a word of so many letters stands in a list, or -1.
static int find_word(const char *const *names, int count, const char *word, size_t length)
{
    for (int i = 0; i < count; i++) {
        if (strlen(names[i]) == length && memcmp(names[i], word, length) == 0) {
            return i;
        }
    }
    return -1;
}

static bool read_number(const char *word, size_t length, float low, float high, float *number)
{
    char text[16], *end;
    if (length == 0 || length >= sizeof text) {
        return false;
    }
    memcpy(text, word, length);
    text[length] = 0;
    const float value = strtof(text, &end);
    if (*end || !(value >= low && value <= high)) {
        return false;
    }
    *number = value;
    return true;
}

static bool apply_value(Look *look, const char *key, size_t key_length, const char *value,
                        size_t length)
{
    static const char *const keys[] = {"quality", "debug", "time", "scale", "samples"};
    float samples;
    int found = -1;
    switch (find_word(keys, 5, key, key_length)) {
    case 0:
        found = find_word(QUALITY_NAMES, LOOK_QUALITY_COUNT, value, length);
        if (found >= 0) {
            look_set_quality(look, (LookQuality)found);
        }
        return found >= 0;
    case 1:
        found = find_word(DEBUG_NAMES, LOOK_DEBUG_COUNT, value, length);
        look->debug = found >= 0 ? (LookDebug)found : look->debug;
        return found >= 0;
    case 2:
        return read_number(value, length, 0, 24, &look->hours);
    case 3:
        return read_number(value, length, LOOK_SCALE_MIN, LOOK_SCALE_MAX, &look->scale);
    case 4:
        if (!read_number(value, length, 0, 16, &samples)) {
            return false;
        }
        look->samples = (int)samples;
        return true;
    default:
        return false;
    }
}

static bool apply_word(Look *look, const char *word, size_t length)
{
    const char *equals = memchr(word, '=', length);
    if (equals) {
        const size_t key = (size_t)(equals - word);
        return apply_value(look, word, key, equals + 1, length - key - 1);
    }
    const bool off = length > 3 && memcmp(word, "no-", 3) == 0;
    const size_t skipped = off ? 3 : 0;
    const int found = find_word(SWITCH_NAMES, LOOK_SWITCH_COUNT, word + skipped, length - skipped);
    if (found >= 0) {
        look->on[found] = !off;
    }
    return found >= 0;
}

bool look_parse(Look *look, const char *text, Message *problem)
{
    Look changed = *look;
    while (*text) {
        const size_t length = strcspn(text, ",");
        if (!apply_word(&changed, text, length)) {
            return message_set(
                problem,
                "--look does not know '%.*s': it takes quality=low|medium|high, time=0..24, "
                "scale=0.25..2, samples=0..16, debug=NAME and switches such as no-fog; --help "
                "lists them.",
                (int)(length > 40 ? 40 : length), text);
        }
        text += length + (text[length] == ',');
    }
    *look = changed;
    return true;
}

// ---- the sky ------------------------------------------------------------------------------------

static float between(float low, float high, float value)
{
    const float part = glm_clamp((value - low) / (high - low), 0, 1);
    return part * part * (3 - 2 * part);
}

static void mix3(const float *a, const float *b, float part, float *out)
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] + (b[i] - a[i]) * part;
    }
}

/// The colours of the sky: night, dusk and day are three sets, and the sun's height mixes them.
static void mix_sky(LookSky *sky, float height)
{
    static const float zeniths[3][3] = {
        {0.0035f, 0.0065f, 0.017f}, {0.075f, 0.115f, 0.27f}, {0.055f, 0.20f, 0.60f}};
    static const float horizons[3][3] = {
        {0.011f, 0.016f, 0.034f}, {0.46f, 0.30f, 0.32f}, {0.52f, 0.74f, 1.00f}};
    static const float glows[3][3] = {
        {0.02f, 0.02f, 0.03f}, {1.75f, 0.62f, 0.16f}, {1.20f, 0.95f, 0.66f}};
    static const float aboves[3][3] = {
        {0.036f, 0.050f, 0.092f}, {0.34f, 0.33f, 0.42f}, {0.56f, 0.70f, 0.92f}};
    const float dusk = between(-0.20f, 0.02f, height), day = between(0.0f, 0.34f, height);
    const float(*sets[4])[3] = {zeniths, horizons, glows, aboves};
    float *outs[4] = {sky->zenith, sky->horizon, sky->glow, sky->above};
    for (int i = 0; i < 4; i++) {
        mix3(sets[i][0], sets[i][1], dusk, outs[i]);
        mix3(outs[i], sets[i][2], day, outs[i]);
    }
    sky->stars = 1 - between(-0.16f, 0.02f, height);
}

/// The sun fades as it sinks, and the moon, which stands opposite, takes over once it has set.
static void mix_light(LookSky *sky, float height)
{
    static const float low_sun[3] = {1.95f, 0.86f, 0.32f}, high_sun[3] = {1.86f, 1.67f, 1.36f};
    static const float moon[3] = {0.145f, 0.19f, 0.265f};
    if (height > -0.06f) {
        mix3(low_sun, high_sun, between(0.02f, 0.50f, height), sky->light);
        glm_vec3_scale(sky->light, between(-0.06f, 0.12f, height), sky->light);
        glm_vec3_copy(sky->sun, sky->light_way);
    } else {
        glm_vec3_scale((float *)moon, between(0.06f, 0.2f, -height), sky->light);
        glm_vec3_negate_to(sky->sun, sky->light_way);
    }
}

LookSky look_sky(float hours)
{
    LookSky sky;
    // Rises in the east (+x), stands in the south (-z lies half right of the first flight) at noon.
    const float turn = (hours - 6) / 12 * GLM_PIf;
    glm_vec3_copy((vec3){cosf(turn), sinf(turn) * 0.86f, -0.36f * sinf(turn) - 0.16f}, sky.sun);
    glm_vec3_normalize(sky.sun);
    mix_sky(&sky, sky.sun[1]);
    mix_light(&sky, sky.sun[1]);
    return sky;
}
