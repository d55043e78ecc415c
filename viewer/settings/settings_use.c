// Derives the values that the parts of the viewer use from the settings.

#include "settings/settings.h"

#include <terrane/stream.h>

// Defaults in chunks.
#ifdef __EMSCRIPTEN__ // a page has less memory, and often one thread
#define VIEW_DISTANCE_CARD 64
#define VIEW_DISTANCE_SOFTWARE 16
#define DETAIL_DISTANCE 12
#define DETAIL_DISTANCE_SOFTWARE 8
#else
#define VIEW_DISTANCE_CARD 128
#define VIEW_DISTANCE_SOFTWARE 32
#define DETAIL_DISTANCE 16
// In a window: 16 takes three times as long to load and to draw.
#define DETAIL_DISTANCE_SOFTWARE 10
#endif

int settings_view_distance(const Settings *settings)
{
    const int usual = settings->on_processor ? VIEW_DISTANCE_SOFTWARE : VIEW_DISTANCE_CARD;
    return settings->view_distance ? settings->view_distance : usual;
}

int settings_detail_distance(const Settings *settings)
{
    const int distance = settings_view_distance(settings);
    const bool is_slow = settings->on_processor && !settings->headless;
    const int usual = is_slow ? DETAIL_DISTANCE_SOFTWARE : DETAIL_DISTANCE;
    const int detail = settings->detail_distance ? settings->detail_distance : usual;
    return detail < distance ? detail : distance;
}

int settings_view_height(const Settings *settings)
{
    const int detail = settings_detail_distance(settings);
    return settings->view_height && settings->view_height < detail ? settings->view_height : detail;
}

uint32_t settings_workers(const Settings *settings)
{
    return settings->workers < 0 ? TRN_STREAM_WORKERS_DEFAULT : (uint32_t)settings->workers;
}

InputFeel settings_feel(const Settings *settings)
{
    InputFeel feel = input_feel_default();
    feel.degrees_per_pixel *= (float)settings->sensitivity;
    feel.stick_degrees = (float)settings->turn_speed;
    feel.dead_zone = (float)settings->dead_zone;
    feel.invert = settings->invert;
    return feel;
}

Look settings_look(const Settings *settings, LookQuality suggested)
{
    Look look = look_default(
        settings->quality == SETTINGS_QUALITY_AUTO ? suggested : (LookQuality)settings->quality);
    look.hours = (float)settings->hours;
    look.scale = (float)settings->scale;
    look.samples = settings->samples;
    look.debug = (LookDebug)settings->debug;
    for (int i = 0; i < LOOK_SWITCH_COUNT; i++) {
        look.on[i] = settings->on[i] == SETTINGS_SWITCH_AUTO ? look.on[i] : settings->on[i] == 1;
    }
    return look;
}
