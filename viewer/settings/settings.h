/// All settings of the viewer: one struct, and one table that describes its fields. The command
/// line (command_line.h), the settings file (settings_text.h), the pause menu (panels/menu.cpp),
/// the messages of keys (settings_keys.h) and the tables of docs/viewer.md all follow that table. A
/// new setting is one field here, one row in settings.c, and the code that reads the field.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "message.h"
#include "options.h"
#include "render/look.h"
#include "terrain_choice.h"
#include "window/input.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SETTINGS_FRAMES_MAX 100000
#define SETTINGS_QUALITY_AUTO LOOK_QUALITY_COUNT ///< as the graphics driver suggests
#define SETTINGS_SWITCH_AUTO OPTION_MAYBE_AUTO   ///< as the quality suggests

/// When rain and snow fall.
typedef enum SettingsWeather {
    SETTINGS_WEATHER_CLEAR,
    SETTINGS_WEATHER_RAIN, ///< always rain or snow
    SETTINGS_WEATHER_AUTO  ///< now and then; never in headless pictures
} SettingsWeather;

/// How a player moves. Ranges and defaults: the table in settings.c.
typedef struct PlayerSettings {
    double walk_speed;    ///< voxels/s
    double sprint_factor; ///< of walking and swimming
    double sneak_factor;  ///< of walking
    double swim_speed;    ///< voxels/s
    double climb_speed;   ///< voxels/s
    double fly_speed;     ///< voxels/s
    double fly_factor;    ///< how much faster sprinting is, flying
    double gravity;       ///< voxels/s^2
    double jump_height;   ///< voxels
    double step_height;   ///< voxels climbed without a jump: 0.5 slabs and stairs, 1 blocks
    double reach;         ///< how far away blocks are dug and built, voxels from the eyes
    double bob;           ///< how much the head moves while walking; 0: not at all
    bool fly_along_view; ///< forward in flight follows the pitch of the view; otherwise it is level
} PlayerSettings;

// Grouped by subject. NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
typedef struct Settings {
    // This run only, from the command line.
    bool writes; ///< only write a settings file
    bool headless;
    int frames;            ///< length of a headless flight, in frames
    const char *flight;    ///< file, or NULL
    bool demo;             ///< the window starts with the demo
    const char *world;     ///< world file, or NULL: changes are lost when the viewer ends
    bool start;            ///< the window may begin with the start screen
    const char *name;      ///< of the player in a shared world; NULL: the user's name
    const char *hints;     ///< URL of a NATS server, in a shared world; NULL: none
    const char *worlds;    ///< folder of the start screen's worlds; NULL: the usual folder
    const char *out;       ///< folder for pictures
    const char *csv;       ///< file for all series of a headless flight, or NULL
    const char *record;    ///< file to record the flight in, or NULL
    const char *benchmark; ///< folder for a report, or NULL
    const char *pictures;  ///< frames to write pictures of, "0,60,120" or "every=60"; NULL: none
    const char *trace;     ///< file to record operations in, or NULL
    const char *file;      ///< settings file; NULL: the one at the usual place
    bool gl_debug;         ///< the driver checks every call
    bool gl_es;            ///< draw with OpenGL ES, as in a browser
    bool placed;           ///< the camera stays at `at` instead of flying
    double at[5];          ///< voxels x, y, z; degrees yaw, pitch
    bool at_is_known;      ///< `at` comes from the world file, so the place was free
    bool has_seed;         ///< the command line or the world file names the seed
    uint64_t seed;
    char seed_text[64];           ///< that the seed was made of; empty: a number
    uint32_t land_version;        ///< TRN_TERRAIN_VERSION, or the version of the world file or the
                                  ///< flight
    TerrainChoice choice;         ///< from --preset or --terrain; borrowed
    TrnTerrainShape shape;        ///< the shape of `choice`
    bool given[OPTIONS_ROWS_MAX]; ///< rows that the command line or a recording set
    bool on_processor;            ///< the driver renders in software; known once there is a window

    // Stored in the settings file, unless the row says otherwise.
    InputBindings bindings;    ///< [keys]
    double sensitivity;        ///< of the mouse
    bool invert;               ///< pushing forward looks down
    double turn_speed;         ///< degrees a second, stick fully deflected
    double dead_zone;          ///< 0..0.9
    int view_distance;         ///< chunks; 0: by the kind of driver
    int detail_distance;       ///< the same for the land in full detail
    int view_height;           ///< chunks; 0: same as the detail distance
    double field_of_view;      ///< vertical, degrees
    int quality;               ///< LookQuality, or SETTINGS_QUALITY_AUTO
    double hours;              ///< time of day, 0..24
    int weather;               ///< SettingsWeather
    double scale;              ///< drawn pixels for each pixel of the window, along each axis
    bool adapt;                ///< lower settings while frames are slow
    int samples;               ///< a pixel; 0: by the kind of driver
    int on[LOOK_SWITCH_COUNT]; ///< 0, 1, or SETTINGS_SWITCH_AUTO
    int debug;                 ///< LookDebug
    bool index_view;           ///< show the pages of the indexes
    bool figures;              ///< show the panels of figures
    bool compare;              ///< compare containers after every frame
    int lookup;                ///< the container that the frame queries (GatherContender)
    bool screenshot_panels;    ///< screenshots include the panels
    int width, height;         ///< of the window or picture, pixels
    bool full_screen;
    int frame_limit; ///< frames a second at most; 0: vsync
    bool attract;    ///< play the demo after a minute without input
    bool flows;      ///< water and lava flow
    PlayerSettings player;
    int memory_mib;   ///< 0: no limit
    int workers;      ///< -1: one less than the cores, but two on two cores
    double update_ms; ///< limit of a stream update; 0: by the frame rate
    int upload_kib;   ///< meshes uploaded a frame, not counting those of edits
} Settings;

Settings settings_default(void);

// ---- the table ----------------------------------------------------------------------------------

/// A setting is a row of an options table: `section` and `name` are used in the file, `label` and
/// `unit` in the menu; `effect` is a SettingEffect.
typedef Option Setting;

/// Where a setting appears, in addition to OPTION_ON_LINE and OPTION_INNER (a word of --look).
enum {
    SETTING_IN_FILE = 4,  ///< a line of the settings file
    SETTING_IN_MENU = 8,  ///< the pause menu's first page
    SETTING_IN_PANEL = 16 ///< the pause menu's page of all settings
};

/// When a change takes effect.
typedef enum SettingEffect {
    SETTING_EFFECT_NOTHING, ///< no action: the code reads it in every frame
    SETTING_EFFECT_WINDOW,  ///< the window changes immediately
    SETTING_EFFECT_LOOK,    ///< the renderer's look changes; switches recompile its shaders
    SETTING_EFFECT_TARGET,  ///< the renderer recreates its targets
    SETTING_EFFECT_STREAM,  ///< views or workers change; may reload all chunks
    SETTING_EFFECT_RESTART  ///< at the next start
} SettingEffect;

/// The table, ended by a row without a name.
extern const Option SETTINGS[];

/// @return NULL after the last row
const Setting *settings_row(size_t i);
/// Returns the row of a field of `settings`, or NULL. The first row, if several share the field.
const Setting *settings_row_of(const Settings *settings, const void *field);
/// The sections in the order of a new file; NULL after the last. The first is "keys".
const char *settings_section(size_t i);
/// Whether the command line or a recording has set a field.
bool settings_is_given(const Settings *settings, const void *field);

/// Returns a setting as text for players: "on", "18:30", "62 degrees".
OptionText setting_value(const Setting *row, const Settings *settings);

/// Returns true if a setting or a key binding differs.
bool settings_differ(const Settings *a, const Settings *b);

// ---- use ----------------------------------------------------------------------------------------

/// View distance in chunks.
int settings_view_distance(const Settings *settings);
/// Distance of the land in full detail, in chunks: at most the view distance.
int settings_detail_distance(const Settings *settings);
/// Height of the land in full detail, in chunks: at most its distance.
int settings_view_height(const Settings *settings);
/// For the stream: TRN_STREAM_WORKERS_DEFAULT if the player chose none.
uint32_t settings_workers(const Settings *settings);
InputFeel settings_feel(const Settings *settings);
/// @param suggested  the quality to use if the player chose none
Look settings_look(const Settings *settings, LookQuality suggested);
/// Sets a quality; shadows, sway and holes follow the quality again.
void settings_set_quality(Settings *settings, int quality);
/// Takes over the file's settings that the command line did not set.
void settings_take_file(Settings *settings, const Settings *file);

#ifdef __cplusplus
}
#endif
