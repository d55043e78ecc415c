#include <math.h>
#include <stddef.h>

#include "player/player.h"

typedef struct SettingRow {
    PlayerSetting setting;
    size_t offset;
} SettingRow;

#define ROW(field, unit, low, high, usual)                                                         \
    {                                                                                              \
        {#field, unit, low, high, usual}, offsetof(PlayerSettings, field)                          \
    }

// In the fastest flight a step is 33 voxels long, and a speed 4,000: what sweeps and bodies take.
static const SettingRow PLAYER_SETTINGS[] = {
    ROW(walk_speed, "voxels/s", 0.5, 50, 4.3),
    ROW(sprint_factor, "times", 1, 10, 2),
    ROW(sneak_factor, "times", 0.1, 1, 0.3),
    ROW(swim_speed, "voxels/s", 0.5, 50, 2.5),
    ROW(climb_speed, "voxels/s", 0.5, 50, 3),
    ROW(fly_speed, "voxels/s", 1, 1000, 24),
    ROW(fly_factor, "times", 1, 4, 4),
    ROW(gravity, "voxels/s^2", 0, 200, 32),
    ROW(jump_height, "voxels", 0, 32, 1.265625), // 9 voxels/s under that gravity, as trn_body_def
    ROW(step_height, "voxels", 0, 1, 1),
    ROW(reach, "voxels", 1, 64, 6),
    ROW(bob, "times", 0, 1, 1),
};

#define SETTING_COUNT (sizeof PLAYER_SETTINGS / sizeof *PLAYER_SETTINGS)

const PlayerSetting *player_setting(size_t i)
{
    return i < SETTING_COUNT ? &PLAYER_SETTINGS[i].setting : NULL;
}

double *player_setting_value(PlayerSettings *settings, size_t i)
{
    return i < SETTING_COUNT ? (double *)((char *)settings + PLAYER_SETTINGS[i].offset) : NULL;
}

PlayerSettings player_settings(void)
{
    PlayerSettings settings;
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        *player_setting_value(&settings, i) = PLAYER_SETTINGS[i].setting.usual;
    }
    return settings;
}

static double clamped_setting(const PlayerSetting *setting, double value)
{
    return isnan(value) ? setting->usual : fmin(fmax(value, setting->low), setting->high);
}

bool player_settings_clamp(PlayerSettings *settings, Message *what)
{
    bool is_good = true;
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        const PlayerSetting *const setting = &PLAYER_SETTINGS[i].setting;
        double *const value = player_setting_value(settings, i);
        const double good = clamped_setting(setting, *value);
        if (good == *value) {
            continue;
        }
        if (is_good && what) {
            message_set(what, "%s takes a number from %g to %g %s, not %g; it is %g now.",
                        setting->name, setting->low, setting->high, setting->unit, *value, good);
        }
        *value = good;
        is_good = false;
    }
    return is_good;
}
