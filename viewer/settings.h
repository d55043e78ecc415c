/// What a person likes: keys, mouse, view, player, memory; kept in an ini file that people write
/// (settings_file.h).
#ifndef TERRANE_VIEWER_SETTINGS_H
#define TERRANE_VIEWER_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "message.h"
#include "options.h"
#include "player/player.h"
#include "render/look.h"
#include "window/input.h"

/// [view] quality: as the driver's kind suggests.
#define SETTINGS_QUALITY_AUTO LOOK_QUALITY_COUNT

typedef struct Settings {
    InputBindings bindings; ///< [keys]
    double sensitivity;     ///< [mouse] 1: as the viewer is made
    bool invert;            ///< forwards looks down
    double turn_speed;      ///< [gamepad] degrees a second
    double dead_zone;       ///< 0..0.9
    int view_distance;      ///< [view] chunks
    int view_height;        ///< chunks; 0: as far as the view distance
    int quality;            ///< LookQuality or SETTINGS_QUALITY_AUTO
    double field_of_view;   ///< degrees from the picture's bottom to its top
    bool figures;           ///< the panel is there from the start
    int width, height;      ///< [window] pixels
    bool full_screen;       ///< from the start
    PlayerSettings player;  ///< [player]
    bool attract;           ///< plays the demo after a minute without input
    int memory_mib;         ///< [memory] 0: no limit
    int workers;            ///< -1: one less than there are cores, two of two
} Settings;

Settings settings_default(void);

// ---- the table ----------------------------------------------------------------------------------

typedef enum SettingKind {
    SETTING_NUMBER,  ///< double
    SETTING_INTEGER, ///< int
    SETTING_SWITCH,  ///< bool: yes or no
    SETTING_QUALITY  ///< int: a word
} SettingKind;

/// One line of the file, but for [keys], whose lines are the actions of input.h.
typedef struct SettingInfo {
    const char *section, *name;
    const char *words; ///< what it is, for a comment
    SettingKind kind;
    size_t offset;       ///< in Settings
    double low, high;    ///< both inclusive
    const char *instead; ///< a word that stands for a number out of range, `low` - 1, or NULL
} SettingInfo;

size_t settings_count(void);
const SettingInfo *settings_info(size_t index);

/// The sections in the order of a new file; NULL beyond the last. The first is "keys".
const char *settings_section(size_t index);

typedef struct SettingText {
    char text[160];
} SettingText;

/// What stands behind the = in the file.
SettingText settings_value(const Settings *settings, const SettingInfo *info);
SettingText settings_keys(const Settings *settings, InputAction action);

// ---- reading ------------------------------------------------------------------------------------

/// Who hears about what is wrong in a file.
typedef struct SettingsEar {
    void (*tell)(void *user, const Message *problem); ///< NULL: they are only counted
    void *user;
    int problems; ///< how many there were, told or not
} SettingsEar;

#define SETTINGS_TOLD_MAX 20  ///< of one file; a last sentence says how many more there are
#define SETTINGS_LINE_MAX 190 ///< characters in a line; comments may be longer

/// Reads the text of a file over what is in `settings`. What is broken in it is told, each with
/// FILE:LINE:COLUMN, and leaves what it is about as it was. A key that an action of the file has is
/// not left to another that had it by default.
/// @param text  [bytes] anything
/// @param file  its name, for the sentences
void settings_parse(Settings *settings, const char *text, size_t bytes, const char *file,
                    SettingsEar *ear);

// ---- use ----------------------------------------------------------------------------------------

/// Puts the settings where the command line said nothing else. Not for headless flights, which are
/// to be the same for everyone.
void settings_apply(const Settings *settings, Options *options);

/// Takes over what the command line said: the other way round.
void settings_take(Settings *settings, const Options *options);

InputFeel settings_feel(const Settings *settings);

#endif
