#include "settings.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ini.h>
#include <terrane/stream.h>

#include "render/camera.h"
#include "window/nearest.h"
#include "world/world.h"

#define NUMBER(section, name, field, low, high, words)                                             \
    {                                                                                              \
        section, name, words, SETTING_NUMBER, offsetof(Settings, field), low, high, NULL           \
    }
#define PLAYER(field, low, high, words) NUMBER("player", #field, player.field, low, high, words)
#define INTEGER(section, name, field, low, high, instead, words)                                   \
    {                                                                                              \
        section, name, words, SETTING_INTEGER, offsetof(Settings, field), low, high, instead       \
    }
#define SWITCH(section, name, field, words)                                                        \
    {                                                                                              \
        section, name, words, SETTING_SWITCH, offsetof(Settings, field), 0, 1, NULL                \
    }

// ---- the table ----------------------------------------------------------------------------------

static const SettingInfo SETTINGS[] = {
    NUMBER("mouse", "sensitivity", sensitivity, 0.05, 20, "how fast the mouse turns the head"),
    SWITCH("mouse", "invert", invert, "mouse or stick forwards looks down"),
    NUMBER("gamepad", "turn_speed", turn_speed, 10, 720, "degrees a second, stick at its end"),
    NUMBER("gamepad", "dead_zone", dead_zone, 0, 0.9, "how far from its middle a stick rests"),
    INTEGER("view", "distance", view_distance, WORLD_VIEW_DISTANCE_MIN, WORLD_VIEW_DISTANCE_MAX,
            NULL, "how far to see, in chunks of 32 voxels"),
    INTEGER("view", "height", view_height, WORLD_VIEW_HEIGHT_MIN, WORLD_VIEW_DISTANCE_MAX,
            "distance", "how far above and below; 'distance': as far"),
    {"view", "quality", "low, medium or high; 'auto': as the graphics driver suggests",
     SETTING_QUALITY, offsetof(Settings, quality), 0, 0, NULL},
    NUMBER("view", "field_of_view", field_of_view, 30, 110, "degrees from bottom to top"),
    SWITCH("view", "figures", figures, "the panel of figures is there from the start"),
    INTEGER("window", "width", width, OPTIONS_SIZE_MIN, OPTIONS_SIZE_MAX, NULL, "pixels across"),
    INTEGER("window", "height", height, OPTIONS_SIZE_MIN, OPTIONS_SIZE_MAX, NULL,
            "pixels from top to bottom"),
    SWITCH("window", "full_screen", full_screen, "full screen from the start"),
    SWITCH("player", "attract", attract,
           "plays the demo after a minute without input, while the window has the focus"),
    // Ranges as in player_setting().
    PLAYER(walk_speed, 0.5, 50, "voxels a second on foot"),
    PLAYER(sprint_factor, 1, 10, "times as fast while sprinting"),
    PLAYER(sneak_factor, 0.1, 1, "times as fast while sneaking"),
    PLAYER(swim_speed, 0.5, 50, "voxels a second in water"),
    PLAYER(climb_speed, 0.5, 50, "voxels a second on ladders"),
    PLAYER(fly_speed, 1, 1000, "voxels a second in flight"),
    PLAYER(fly_factor, 1, 4, "times as fast while sprinting in flight"),
    PLAYER(gravity, 0, 200, "voxels a second, each second"),
    PLAYER(jump_height, 0, 32, "voxels"),
    PLAYER(step_height, 0, 1, "goes up so much without a jump, voxels"),
    PLAYER(reach, 1, 64, "voxels from the eyes to what is dug or built"),
    PLAYER(bob, 0, 1, "how much the head moves in walking"),
    INTEGER("memory", "limit_mib", memory_mib, OPTIONS_MEMORY_MIN, OPTIONS_MEMORY_MAX, "none",
            "the most that chunks and meshes may take"),
    INTEGER("memory", "workers", workers, 0, TRN_STREAM_WORKER_MAX, "auto",
            "threads that make chunks; 'auto': one less than there are cores, two of two"),
};

#define SETTING_COUNT (sizeof SETTINGS / sizeof SETTINGS[0])

static const char *const SECTIONS[] = {"keys",   "mouse",  "gamepad", "view",
                                       "window", "player", "memory"};

static const char *const QUALITIES[] = {"low", "medium", "high", "auto"};

size_t settings_count(void)
{
    return SETTING_COUNT;
}

const SettingInfo *settings_info(size_t index)
{
    return &SETTINGS[index];
}

const char *settings_section(size_t index)
{
    return index < sizeof SECTIONS / sizeof SECTIONS[0] ? SECTIONS[index] : NULL;
}

Settings settings_default(void)
{
    const Options options = options_default();
    const InputFeel feel = input_feel_default();
    return (Settings){
        .bindings = input_bindings_default(),
        .sensitivity = 1,
        .turn_speed = (double)feel.stick_degrees,
        .dead_zone = 0.15,
        .view_distance = options.view_distance,
        .quality = SETTINGS_QUALITY_AUTO,
        .field_of_view = (double)CAMERA_FIELD_OF_VIEW,
        .figures = true,
        .width = options.width,
        .height = options.height,
        .player = player_settings(),
        .attract = true,
        .workers = -1,
    };
}

/// The word for a number out of range stands for this: no limit, no height of its own; -1 where 0
/// is in range.
static int instead_value(const SettingInfo *info)
{
    return info->low > 0 ? 0 : -1;
}

static SettingText integer_text(const Settings *settings, const SettingInfo *info)
{
    SettingText text;
    int number;
    memcpy(&number, (const char *)settings + info->offset, sizeof number);
    if (info->instead && number == instead_value(info)) {
        (void)snprintf(text.text, sizeof text.text, "%s", info->instead);
    } else {
        (void)snprintf(text.text, sizeof text.text, "%d", number);
    }
    return text;
}

/// As short as says it exactly enough: 0.1 for what was a float of 0.1, too.
static void write_number(double number, SettingText *text)
{
    double read = INFINITY;
    for (int digits = 6; digits <= 9 && !(fabs(read - number) <= 1e-7 * fabs(number)); digits++) {
        (void)snprintf(text->text, sizeof text->text, "%.*g", digits, number);
        read = strtod(text->text, NULL);
    }
}

SettingText settings_value(const Settings *settings, const SettingInfo *info)
{
    SettingText text;
    const char *field = (const char *)settings + info->offset;
    double number;
    switch (info->kind) {
    case SETTING_NUMBER:
        memcpy(&number, field, sizeof number);
        write_number(number, &text);
        return text;
    case SETTING_SWITCH:
        (void)snprintf(text.text, sizeof text.text, "%s", *(const bool *)field ? "yes" : "no");
        return text;
    case SETTING_QUALITY:
        (void)snprintf(text.text, sizeof text.text, "%s", QUALITIES[settings->quality]);
        return text;
    default:
        return integer_text(settings, info);
    }
}

SettingText settings_keys(const Settings *settings, InputAction action)
{
    SettingText text = {""};
    const InputCode *codes = settings->bindings.codes[action];
    for (int i = 0; i < INPUT_CODES_MAX && codes[i]; i++) {
        const size_t length = strlen(text.text);
        (void)snprintf(text.text + length, sizeof text.text - length, "%s%s", length ? " " : "",
                       input_code_name(codes[i]));
    }
    if (!codes[0]) {
        (void)snprintf(text.text, sizeof text.text, "none");
    }
    return text;
}

// ---- reading ------------------------------------------------------------------------------------

#define LINE_BYTES (SETTINGS_LINE_MAX + 2) // with the end of the line and a zero

/// A file that is being read: inih asks for line after line, and says what is in them.
typedef struct Reading {
    Settings *settings;
    const char *file;
    SettingsEar *ear;
    int told;
    const char *next, *end; ///< of the text
    size_t line;            ///< from 1
    size_t indent;          ///< letters before the line's first
    char text[LINE_BYTES];  ///< the line, without its indent and its end
    bool unread;            ///< inih has not said yet what is in the line
    const char *section;    ///< one of SECTIONS; NULL: before the first, or one that there is not
    bool section_told;      ///< that it is none
    size_t pause_line;      ///< the last that was about pause or the key escape
    bool has[SETTING_COUNT], has_keys[INPUT_ACTION_COUNT];
    InputBindings bindings; ///< of the actions in the file
} Reading;

__attribute__((format(printf, 3, 4))) static void complain(Reading *reading, const char *at,
                                                           const char *format, ...)
{
    reading->ear->problems++;
    if (!reading->ear->tell || reading->told++ >= SETTINGS_TOLD_MAX) {
        return;
    }
    char sentence[320];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    const size_t column = at ? reading->indent + (size_t)(at - reading->text) + 1 : 1;
    Message problem;
    (void)message_set(&problem, "%s:%zu:%zu: %s", message_short(reading->file).text, reading->line,
                      column, sentence);
    reading->ear->tell(reading->ear->user, &problem);
}

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r';
}

/// Where the value begins in the present line.
static const char *value_place(const Reading *reading)
{
    const char *at = reading->text + strcspn(reading->text, "=:");
    at += *at != '\0';
    while (is_blank(*at)) {
        at++;
    }
    return at;
}

static void refuse_unread(Reading *reading)
{
    if (reading->unread) {
        complain(reading, reading->text,
                 "This is neither '[section]' nor 'name = value'; comments begin with ; or #.");
    }
    reading->unread = false;
}

/// Takes the next line of the text into reading->text. @return whether it is of use to inih
static bool take_line(Reading *reading)
{
    const char *line = reading->next;
    const size_t left = (size_t)(reading->end - line);
    const char *newline = memchr(line, '\n', left);
    size_t length = newline ? (size_t)(newline - line) : left;
    reading->next = line + length + (newline != NULL);
    reading->line++;
    if (reading->line == 1 && length >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0) {
        line += 3; // a mark of UTF-8, as some editors leave it
        length -= 3;
    }
    reading->indent = 0;
    // An indent would make it the continuation of the line above.
    for (; length && is_blank(line[0]); line++, length--) {
        reading->indent++;
    }
    while (length && is_blank(line[length - 1])) {
        length--;
    }
    reading->text[0] = '\0';
    if (!length || line[0] == ';' || line[0] == '#') {
        return false;
    }
    if (length > SETTINGS_LINE_MAX) {
        complain(reading, NULL, "A line has %d characters at most.", SETTINGS_LINE_MAX);
        return false;
    }
    if (memchr(line, '\0', length)) {
        complain(reading, NULL, "There is a zero byte in this line.");
        return false;
    }
    memcpy(reading->text, line, length);
    reading->text[length] = '\0';
    return true;
}

static const char *nearest_section(const char *word)
{
    Nearest nearest = {.word = word};
    for (size_t i = 0; settings_section(i); i++) {
        nearest_try(&nearest, settings_section(i));
    }
    return nearest.name;
}

static void enter_section(Reading *reading)
{
    const char *name = reading->text + 1;
    const size_t length = strcspn(name, "]");
    if (name[length] != ']') {
        return; // told with what inih does not read
    }
    reading->unread = false;
    reading->section = NULL;
    reading->section_told = true;
    for (size_t i = 0; settings_section(i); i++) {
        if (strlen(SECTIONS[i]) == length && strncmp(SECTIONS[i], name, length) == 0) {
            reading->section = SECTIONS[i];
            return;
        }
    }
    reading->text[length + 1] = '\0';
    complain(reading, name, "There is no section [%s]; is it [%s]?", message_short(name).text,
             nearest_section(name));
    reading->text[0] = '\0'; // inih need not see it
}

/// The lines as inih asks for them.
static char *read_line(char *line, int size, void *stream)
{
    Reading *reading = stream;
    refuse_unread(reading);
    if (reading->next == reading->end) {
        return NULL;
    }
    if (take_line(reading)) {
        reading->unread = true;
        if (reading->text[0] == '[') {
            enter_section(reading);
        }
    }
    (void)snprintf(line, (size_t)size, "%s\n", reading->text);
    return line;
}

// ---- values -------------------------------------------------------------------------------------

static bool read_number(const char *value, double *number)
{
    char *end;
    *number = strtod(value, &end);
    return end != value && *end == '\0' && isfinite(*number);
}

static void set_number(Reading *reading, const SettingInfo *info, const char *value)
{
    double number;
    char *field = (char *)reading->settings + info->offset;
    const bool is_whole = info->kind == SETTING_INTEGER;
    if (info->instead && strcmp(value, info->instead) == 0) {
        const int stands_for = instead_value(info);
        memcpy(field, &stands_for, sizeof stands_for);
        return;
    }
    if (!read_number(value, &number) || number < info->low || number > info->high ||
        (is_whole && number != floor(number))) {
        complain(reading, value_place(reading),
                 "%s is a %snumber from %.12g to %.12g%s%s, not '%s'.", info->name,
                 is_whole ? "whole " : "", info->low, info->high, info->instead ? " or " : "",
                 info->instead ? info->instead : "", message_short(value).text);
        return;
    }
    if (is_whole) {
        const int whole = (int)number;
        memcpy(field, &whole, sizeof whole);
    } else {
        memcpy(field, &number, sizeof number);
    }
}

static void set_switch(Reading *reading, const SettingInfo *info, const char *value)
{
    static const char *const words[] = {"no", "yes", "off", "on", "false", "true", "0", "1"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(value, words[i]) == 0) {
            *(bool *)((char *)reading->settings + info->offset) = i % 2 == 1;
            return;
        }
    }
    complain(reading, value_place(reading), "%s is yes or no, not '%s'.", info->name,
             message_short(value).text);
}

static void set_quality(Reading *reading, const char *value)
{
    for (int i = 0; i <= SETTINGS_QUALITY_AUTO; i++) {
        if (strcmp(value, QUALITIES[i]) == 0) {
            reading->settings->quality = i;
            return;
        }
    }
    complain(reading, value_place(reading), "quality is low, medium, high or auto, not '%s'.",
             message_short(value).text);
}

/// @return whether it is the first time
static bool note_once(Reading *reading, bool *has, const char *name)
{
    if (*has) {
        complain(reading, reading->text, "%s is there twice; the first is kept.", name);
        return false;
    }
    return *has = true;
}

static void set_value(Reading *reading, const SettingInfo *info, const char *value)
{
    if (!note_once(reading, &reading->has[info - SETTINGS], info->name)) {
        return;
    }
    if (info->kind == SETTING_SWITCH) {
        set_switch(reading, info, value);
    } else if (info->kind == SETTING_QUALITY) {
        set_quality(reading, value);
    } else {
        set_number(reading, info, value);
    }
}

// ---- keys ---------------------------------------------------------------------------------------

static void add_binding(Reading *reading, InputAction action, const char *name, const char *at)
{
    const InputCode code = input_code_named(name);
    if (code == INPUT_NONE) {
        complain(reading, at, "There is no key '%s'; is it '%s'?", message_short(name).text,
                 input_code_nearest(name));
        return;
    }
    if (code == GLFW_KEY_ESCAPE) {
        reading->pause_line = reading->line;
    }
    const InputAction other = input_action_bound(&reading->bindings, code);
    if (other != INPUT_ACTION_COUNT) {
        complain(reading, at, "'%s' is bound to %s already; the first is kept.", name,
                 input_action_info(other)->name);
    } else if (!input_bind(&reading->bindings, action, code)) {
        complain(reading, at, "At most %d keys can be bound to %s.", INPUT_CODES_MAX,
                 input_action_info(action)->name);
    }
}

/// Names with blanks or commas between; "none" alone.
static void set_keys(Reading *reading, InputAction action, const char *value)
{
    if (!note_once(reading, &reading->has_keys[action], input_action_info(action)->name)) {
        return;
    }
    if (action == INPUT_PAUSE) {
        reading->pause_line = reading->line;
    }
    if (strcmp(value, "none") == 0) {
        return;
    }
    const char *start = value_place(reading);
    for (const char *at = value; *at;) {
        const size_t length = strcspn(at, " \t,");
        char name[LINE_BYTES];
        for (size_t i = 0; i < length; i++) {
            name[i] = (char)tolower((unsigned char)at[i]);
        }
        name[length] = '\0';
        if (length) {
            add_binding(reading, action, name, start + (at - value));
        }
        at += length + (at[length] != '\0');
    }
    if (!reading->bindings.codes[action][0]) {
        reading->has_keys[action] = false; // nothing of it was good
    }
}

/// What the file does not bind stays bound as it was, but for keys that the file gives to other
/// actions.
static void keep_other_keys(Reading *reading)
{
    InputBindings *bindings = &reading->settings->bindings;
    for (InputAction action = 0; action < INPUT_ACTION_COUNT; action++) {
        for (int i = 0; !reading->has_keys[action] && i < INPUT_CODES_MAX; i++) {
            (void)input_bind(&reading->bindings, action, bindings->codes[action][i]);
        }
    }
    *bindings = reading->bindings;
}

/// Something that is there without a gamepad.
static bool has_key(const InputCode codes[INPUT_CODES_MAX])
{
    for (int i = 0; i < INPUT_CODES_MAX; i++) {
        if (codes[i] && codes[i] < INPUT_PAD) {
            return true;
        }
    }
    return false;
}

/// Without a key for it one could neither free the mouse nor quit.
static void keep_pause(Reading *reading)
{
    InputBindings *bindings = &reading->settings->bindings;
    if (has_key(bindings->codes[INPUT_PAUSE])) {
        return;
    }
    const InputAction other = input_action_bound(bindings, GLFW_KEY_ESCAPE);
    (void)input_unbind(bindings, GLFW_KEY_ESCAPE);
    bindings->codes[INPUT_PAUSE][INPUT_CODES_MAX - 1] = INPUT_NONE; // room for it
    (void)input_bind(bindings, INPUT_PAUSE, GLFW_KEY_ESCAPE);
    reading->line = reading->pause_line ? reading->pause_line : 1;
    complain(reading, NULL, "pause must have a key: escape is kept for it%s%s.",
             other < INPUT_ACTION_COUNT ? ", and taken from " : "",
             other < INPUT_ACTION_COUNT ? input_action_info(other)->name : "");
}

// ---- the whole ----------------------------------------------------------------------------------

static const SettingInfo *find_setting(const char *section, const char *name)
{
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        if (strcmp(SETTINGS[i].section, section) == 0 && strcmp(SETTINGS[i].name, name) == 0) {
            return &SETTINGS[i];
        }
    }
    return NULL;
}

static void refuse_name(Reading *reading, const char *name)
{
    Nearest nearest = {.word = name};
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        if (strcmp(SETTINGS[i].section, reading->section) == 0) {
            nearest_try(&nearest, SETTINGS[i].name);
        }
    }
    complain(reading, reading->text, "There is no '%s' in [%s]; is it %s?",
             message_short(name).text, reading->section,
             nearest.name ? nearest.name : input_action_nearest(name));
}

/// What inih found in the present line.
static int read_value(void *user, const char *section, const char *name, const char *value)
{
    (void)section; // inih cuts long ones off
    Reading *reading = user;
    reading->unread = false;
    if (!reading->section) {
        if (!reading->section_told) {
            reading->section_told = true;
            complain(reading, reading->text, "Before this line belongs its section, such as [%s].",
                     SECTIONS[0]);
        }
        return 1;
    }
    if (reading->section == SECTIONS[0]) {
        const InputAction action = input_action_named(name);
        if (action == INPUT_ACTION_COUNT) {
            refuse_name(reading, name);
        } else {
            set_keys(reading, action, value);
        }
        return 1;
    }
    const SettingInfo *info = find_setting(reading->section, name);
    if (info) {
        set_value(reading, info, value);
    } else {
        refuse_name(reading, name);
    }
    return 1;
}

void settings_parse(Settings *settings, const char *text, size_t bytes, const char *file,
                    SettingsEar *ear)
{
    Reading reading = {
        .settings = settings, .file = file, .ear = ear, .next = text, .end = text + bytes};
    (void)ini_parse_stream(read_line, &reading, read_value, &reading);
    refuse_unread(&reading);
    keep_other_keys(&reading);
    keep_pause(&reading);
    if (reading.told > SETTINGS_TOLD_MAX) {
        Message more;
        (void)message_set(&more, "%s has %d more problems like these.", message_short(file).text,
                          reading.told - SETTINGS_TOLD_MAX);
        ear->tell(ear->user, &more);
    }
}

// ---- use ----------------------------------------------------------------------------------------

static bool was_given(const Options *options, OptionsGiven option)
{
    return (options->given & option) != 0;
}

void settings_apply(const Settings *settings, Options *options)
{
    if (!was_given(options, OPTIONS_GIVEN_VIEW_DISTANCE)) {
        options->view_distance = settings->view_distance;
    }
    if (!was_given(options, OPTIONS_GIVEN_VIEW_HEIGHT)) {
        options->view_height = settings->view_height;
    }
    if (!was_given(options, OPTIONS_GIVEN_SIZE)) {
        options->width = settings->width;
        options->height = settings->height;
    }
    if (!was_given(options, OPTIONS_GIVEN_MEMORY)) {
        options->memory_mib = settings->memory_mib;
    }
    if (!was_given(options, OPTIONS_GIVEN_WORKERS) && settings->workers >= 0) {
        options->workers = (uint32_t)settings->workers;
    }
    options->quality = settings->quality;
}

void settings_take(Settings *settings, const Options *options)
{
    if (was_given(options, OPTIONS_GIVEN_VIEW_DISTANCE)) {
        settings->view_distance = options->view_distance;
    }
    if (was_given(options, OPTIONS_GIVEN_VIEW_HEIGHT)) {
        settings->view_height = options->view_height;
    }
    if (was_given(options, OPTIONS_GIVEN_SIZE)) {
        settings->width = options->width;
        settings->height = options->height;
    }
    if (was_given(options, OPTIONS_GIVEN_MEMORY)) {
        settings->memory_mib = options->memory_mib;
    }
    if (was_given(options, OPTIONS_GIVEN_WORKERS)) {
        settings->workers = (int)options->workers;
    }
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
