/// Everything that can be set in the viewer: one struct, and one table that describes its fields.
/// The command line (options.h), the settings file (settings_text.h), the pause menu
/// (panels/settings.cpp), the messages of keys (settings_keys.h) and the tables of docs/viewer.md
/// all follow that table. A new setting is one field here, one row in settings.c, and the code that
/// reads the field.
#ifndef TERRANE_VIEWER_SETTINGS_H
#define TERRANE_VIEWER_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "message.h"
#include "render/look.h"
#include "terrain_choice.h"
#include "window/input.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SETTINGS_FRAMES_MAX 100000
#define SETTINGS_ROWS_MAX 96
#define SETTINGS_QUALITY_AUTO LOOK_QUALITY_COUNT ///< as the graphics driver suggests
#define SETTINGS_SWITCH_AUTO 2                   ///< as the quality suggests

/// When rain and snow fall.
typedef enum SettingsWeather {
    SETTINGS_WEATHER_CLEAR,
    SETTINGS_WEATHER_RAIN, ///< or snow, always
    SETTINGS_WEATHER_AUTO  ///< now and then; never in headless pictures
} SettingsWeather;

typedef enum SettingsAction {
    SETTINGS_ACTION_RUN,
    SETTINGS_ACTION_HELP,
    SETTINGS_ACTION_VERSION,
    SETTINGS_ACTION_WRITE
} SettingsAction;

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
    // This run, from the command line alone.
    SettingsAction action;
    bool headless;
    int frames;            ///< that a headless flight is spread over
    const char *flight;    ///< file, or NULL
    bool demo;             ///< the window starts with the demo
    const char *world;     ///< world file, or NULL: changes are lost when the viewer ends
    bool start;            ///< the window may begin with the start screen
    const char *name;      ///< of the player in a shared world; NULL: that of the user
    const char *worlds;    ///< folder of the start screen's worlds, or NULL: the usual one
    const char *out;       ///< folder for pictures
    const char *csv;       ///< file for all series of a headless flight, or NULL
    const char *record;    ///< file to record the flight in, or NULL
    const char *benchmark; ///< folder for a report, or NULL
    const char *pictures;  ///< frames to write pictures of, "0,60,120" or "every=60"; NULL: none
    const char *trace;     ///< file to record operations in, or NULL
    const char *file;      ///< settings file, or NULL: the one at the usual place
    bool gl_debug;         ///< the driver checks every call
    bool gl_es;            ///< drawn with OpenGL ES, as in a browser
    bool placed;           ///< the camera stands at `at` instead of flying
    double at[5];          ///< voxels x, y, z; degrees yaw, pitch
    bool at_is_known;      ///< `at` is the world file's, so nothing was in its way
    bool has_seed;         ///< the command line or the world file names the seed
    uint64_t seed;
    uint32_t land_version;         ///< TRN_TERRAIN_VERSION, or that of the world file or the flight
    TerrainChoice choice;          ///< of --preset or --terrain; borrowed
    TrnTerrainShape shape;         ///< what the choice comes to
    bool given[SETTINGS_ROWS_MAX]; ///< rows that the command line or a recording set
    bool on_processor;             ///< the driver draws in software; known once there is a window

    // Kept in the settings file, unless the row says otherwise.
    InputBindings bindings;    ///< [keys]
    double sensitivity;        ///< of the mouse
    bool invert;               ///< pushing forward looks down
    double turn_speed;         ///< degrees a second, stick at its end
    double dead_zone;          ///< 0..0.9
    int view_distance;         ///< chunks; 0: as the driver's kind suggests
    int detail_distance;       ///< the same of the land in full detail
    int view_height;           ///< chunks; 0: as far as the land in full detail
    double field_of_view;      ///< degrees from the picture's bottom to its top
    int quality;               ///< LookQuality, or SETTINGS_QUALITY_AUTO
    double hours;              ///< time of day, 0..24
    int weather;               ///< SettingsWeather
    double scale;              ///< pixels drawn for each of the window's, along each axis
    bool adapt;                ///< slow frames are drawn with fewer pixels
    int samples;               ///< a pixel; 0: as the driver's kind suggests
    int on[LOOK_SWITCH_COUNT]; ///< 0, 1, or SETTINGS_SWITCH_AUTO
    int debug;                 ///< LookDebug
    bool index_view;           ///< the pages of the indexes are shown
    bool figures;              ///< the panels of figures are shown
    bool compare;              ///< containers are compared after every frame
    int lookup;                ///< GatherContender that the frame asks
    bool screenshot_panels;    ///< screenshots show the panels
    int width, height;         ///< of the window or picture, pixels
    bool full_screen;
    int frame_limit; ///< most frames a second; 0: as many as the screen shows
    bool attract;    ///< plays the demo after a minute without input
    bool flows;      ///< water and lava flow
    PlayerSettings player;
    int memory_mib;   ///< 0: no limit
    int workers;      ///< -1: one less than there are cores, two of two
    double update_ms; ///< that a stream update may take; 0: as the frame rate allows
    int upload_kib;   ///< meshes uploaded a frame, in addition to those of edits
} Settings;

Settings settings_default(void);

// ---- the table ----------------------------------------------------------------------------------

typedef enum SettingKind {
    SETTING_NUMBER,      ///< double
    SETTING_WHOLE,       ///< int
    SETTING_SWITCH,      ///< bool: yes or no
    SETTING_CHOICE,      ///< int: place in `words`
    SETTING_LOOK_SWITCH, ///< int: no, yes, auto
    SETTING_TEXT,        ///< const char *, borrowed
    SETTING_OTHER        ///< `read` takes its text
} SettingKind;

/// Where a setting shows, added up.
enum {
    SETTING_ON_LINE = 1,  ///< an option of its own
    SETTING_IN_LOOK = 2,  ///< a word of --look
    SETTING_IN_FILE = 4,  ///< a line of the settings file
    SETTING_IN_MENU = 8,  ///< the pause menu's first page
    SETTING_IN_PANEL = 16 ///< the pause menu's page of all settings
};

/// When a change takes effect.
typedef enum SettingEffect {
    SETTING_EFFECT_NOTHING, ///< nothing to do: it is read in every frame
    SETTING_EFFECT_WINDOW,  ///< the window changes at once
    SETTING_EFFECT_LOOK,    ///< the renderer's look changes; switches compile its shaders again
    SETTING_EFFECT_TARGET,  ///< the renderer's targets are made again
    SETTING_EFFECT_STREAM,  ///< views or workers change, which may load all chunks again
    SETTING_EFFECT_RESTART  ///< the next start
} SettingEffect;

typedef struct Setting {
    const char *section; ///< of the file, the help and the menu
    const char *name;    ///< in the file, and a word of --look
    const char *option;  ///< the option's name without --; NULL: `name` with hyphens
    const char *label;   ///< for players
    const char *help;
    SettingKind kind;
    size_t offset;            ///< in Settings
    double low, high, usual;  ///< of numbers, inclusive; the default
    const char *instead;      ///< a word for one number out of range (setting_instead), or NULL
    const char *const *words; ///< of a choice; NULL after the last
    const char *unit;         ///< format for players, such as "%.0f degrees"
    const char *takes;        ///< what the option takes: for messages of TEXT and OTHER
    const char *argument;     ///< what stands behind the option in the help; NULL: by kind
    bool (*read)(Settings *settings, const char *text, Message *problem); ///< OTHER
    unsigned shows;
    SettingEffect effect;
} Setting;

/// @return NULL after the last
const Setting *settings_row(size_t i);
/// The row of a field of `settings`; NULL if it has none. The first, if several share the field.
const Setting *settings_row_of(const Settings *settings, const void *field);
/// The sections in the order of a new file; NULL after the last. The first is "keys".
const char *settings_section(size_t i);
/// Whether the command line, or a recording, set a field.
bool settings_is_given(const Settings *settings, const void *field);

/// The number that the word `instead` stands for: 0, or -1 where 0 is in range.
int setting_instead(const Setting *row);
/// The option's name, without --.
void setting_option(const Setting *row, char name[32]);

typedef struct SettingText {
    char text[160];
} SettingText;

/// The words of a choice: "low, medium, high or auto". @param last  between the last two: " or "
SettingText setting_words(const Setting *row, const char *last);
/// As in the file: what setting_read takes.
SettingText setting_text(const Setting *row, const Settings *settings);
/// As players read it: "on", "18:30", "62 degrees".
SettingText setting_value(const Setting *row, const Settings *settings);
/// What it may be: "2 to 32", "yes, no".
SettingText setting_range(const Setting *row);

/// Sets a field by its text.
/// @param subject  begins the message: "--frames takes"
/// @return false when the text is nothing that the row takes; then nothing changed
bool setting_read(const Setting *row, Settings *settings, const char *text, const char *subject,
                  Message *problem);
/// The value of a NUMBER, WHOLE, SWITCH, CHOICE or LOOK_SWITCH.
double setting_number(const Setting *row, const Settings *settings);
/// Sets it, cut to the row's range; not a number means the default.
void setting_set_number(const Setting *row, Settings *settings, double number);
void setting_copy(const Setting *row, Settings *to, const Settings *from);
bool setting_differs(const Setting *row, const Settings *a, const Settings *b);

/// Whether any row, or any key's action, differs.
bool settings_differ(const Settings *a, const Settings *b);

// ---- use ----------------------------------------------------------------------------------------

/// The view's distance in chunks.
int settings_view_distance(const Settings *settings);
/// How far the land is in full detail, in chunks: never more than the view's distance.
int settings_detail_distance(const Settings *settings);
/// The height of what is in full detail, in chunks: never more than its distance.
int settings_view_height(const Settings *settings);
/// For the stream: TRN_STREAM_WORKERS_DEFAULT if the player chose none.
uint32_t settings_workers(const Settings *settings);
InputFeel settings_feel(const Settings *settings);
/// @param suggested  the quality if the player chose none
Look settings_look(const Settings *settings, LookQuality suggested);
/// Chooses a quality; shadows, sway and holes follow it again.
void settings_set_quality(Settings *settings, int quality);
/// Takes over from a file what the command line did not set.
void settings_take_file(Settings *settings, const Settings *file);

#ifdef __cplusplus
}
#endif
#endif
