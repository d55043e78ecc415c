#include "settings/settings_keys.h"

#include <math.h>

#define HOURS_STEP 0.5 // of one key press
#define SPEED_STEP 1.2 // factor of one key press

static bool settings_tell(const Settings *settings, const void *field, Message *text)
{
    const Setting *row = settings_row_of(settings, field);
    (void)message_set(text, "%s: %s", row->label, setting_value(row, settings).text);
    return true;
}

static bool settings_press_quality(Settings *settings, int presses, LookQuality suggested,
                                   Message *text)
{
    const int now = settings->quality == SETTINGS_QUALITY_AUTO ? (int)suggested : settings->quality;
    if (!presses) {
        return false;
    }
    settings_set_quality(settings, (now + presses) % LOOK_QUALITY_COUNT);
    return settings_tell(settings, &settings->quality, text);
}

static bool settings_press_speed(Settings *settings, int presses, Message *text)
{
    if (!presses) {
        return false;
    }
    double *speed = &settings->player.fly_speed;
    option_set_number(settings_row_of(settings, speed), settings,
                      *speed * pow(SPEED_STEP, presses));
    return settings_tell(settings, speed, text);
}

static bool settings_press_bob(Settings *settings, int presses, double *before, Message *text)
{
    double *bob = &settings->player.bob;
    if (presses % 2 == 0) {
        return false;
    }
    const double usual = settings_row_of(settings, bob)->usual;
    const double next = *bob > 0 ? 0 : *before > 0 ? *before : usual;
    *before = *bob > 0 ? *bob : *before;
    *bob = next;
    (void)message_set(text, "Head bobbing: %s", next > 0 ? "on" : "off");
    return true;
}

bool settings_press(Settings *settings, const Input *input, LookQuality suggested, double *bob,
                    Message *text)
{
    const uint8_t *presses = input->presses;
    int *occlusion = &settings->on[LOOK_OCCLUSION];
    bool told = settings_press_quality(settings, presses[INPUT_QUALITY], suggested, text);
    told =
        settings_press_speed(settings, presses[INPUT_FASTER] - presses[INPUT_SLOWER], text) || told;
    told = settings_press_bob(settings, presses[INPUT_BOB], bob, text) || told;
    if (presses[INPUT_TIME]) {
        settings->hours = fmod(settings->hours + HOURS_STEP * presses[INPUT_TIME], 24);
        told = settings_tell(settings, &settings->hours, text);
    }
    if (presses[INPUT_OCCLUSION] % 2) {
        *occlusion = *occlusion == 0;
        told = settings_tell(settings, occlusion, text);
    }
    if (presses[INPUT_LAMP] % 2) {
        int *lamp = &settings->on[LOOK_LAMP];
        *lamp = *lamp == 0;
        told = settings_tell(settings, lamp, text);
    }
    if (presses[INPUT_DEBUG_VIEW] % LOOK_DEBUG_COUNT) {
        settings->debug = (settings->debug + presses[INPUT_DEBUG_VIEW]) % LOOK_DEBUG_COUNT;
        told = settings_tell(settings, &settings->debug, text);
    }
    // These are visible without a message.
    settings->index_view ^= presses[INPUT_INDEX_VIEW] % 2;
    settings->figures ^= presses[INPUT_PANEL] % 2;
    settings->full_screen ^= presses[INPUT_FULL_SCREEN] % 2;
    return told;
}
