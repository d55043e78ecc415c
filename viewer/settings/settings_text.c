#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "settings/settings_text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"

OptionText settings_keys(const Settings *settings, InputAction action)
{
    OptionText text = {""};
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

/// The UTF-8 byte order mark, with which some editors begin a file.
static const char settings_mark[] = "\xEF\xBB\xBF";
#define MARK_BYTES (sizeof settings_mark - 1)

#define LINE_BYTES (SETTINGS_LINE_MAX + 1) // with the terminating zero

/// State of reading a file line by line.
typedef struct Reading {
    Settings *settings;
    const char *file;
    SettingsEar *ear;
    int told;
    const char *next, *end; ///< rest of the text
    size_t line;            ///< from 1
    size_t indent;          ///< blanks before the first character
    char text[LINE_BYTES];  ///< the line, without its indent and its comment
    const char *section;    ///< of settings_section; NULL: before the first section, or in an
                            ///< unknown one
    bool section_told;      ///< the unknown section was reported
    size_t pause_line;      ///< the last line about the pause action or the key escape
    bool has[OPTIONS_ROWS_MAX], has_keys[INPUT_ACTION_COUNT];
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

static bool settings_is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r';
}

static size_t settings_trimmed_length(const char *text, size_t length)
{
    while (length && settings_is_blank(text[length - 1])) {
        length--;
    }
    return length;
}

/// Returns the length without the comment, which begins with a semicolon after a blank.
static size_t settings_length_without_comment(const char *line, size_t length)
{
    for (size_t i = 1; i < length; i++) {
        if (line[i] == ';' && settings_is_blank(line[i - 1])) {
            length = i;
        }
    }
    return settings_trimmed_length(line, length);
}

/// Copies the next line of the text to reading->text. @return whether it can be read
static bool settings_take_line(Reading *reading)
{
    const char *line = reading->next;
    const size_t left = (size_t)(reading->end - line);
    const char *newline = memchr(line, '\n', left);
    size_t length = newline ? (size_t)(newline - line) : left;
    reading->next = line + length + (newline != NULL);
    reading->line++;
    if (reading->line == 1 && length >= MARK_BYTES &&
        memcmp(line, settings_mark, MARK_BYTES) == 0) {
        line += MARK_BYTES;
        length -= MARK_BYTES;
    }
    reading->indent = 0;
    for (; length && settings_is_blank(line[0]); line++, length--) {
        reading->indent++;
    }
    length = settings_trimmed_length(line, length);
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
    length = settings_length_without_comment(line, length);
    memcpy(reading->text, line, length);
    reading->text[length] = '\0';
    return true;
}

static const char *settings_nearest_section(const char *word)
{
    Nearest nearest = {.word = word};
    for (size_t i = 0; settings_section(i); i++) {
        nearest_try(&nearest, settings_section(i));
    }
    return nearest.name;
}

static void settings_refuse_line(Reading *reading)
{
    complain(reading, reading->text,
             "This is neither '[section]' nor 'name = value'; comments begin with ; or #.");
}

static void settings_enter_section(Reading *reading)
{
    const char *name = reading->text + 1;
    const size_t length = strcspn(name, "]");
    if (name[length] != ']') {
        settings_refuse_line(reading);
        return;
    }
    reading->section = NULL;
    reading->section_told = true;
    for (size_t i = 0; settings_section(i); i++) {
        const char *section = settings_section(i);
        if (strlen(section) == length && strncmp(section, name, length) == 0) {
            reading->section = section;
            return;
        }
    }
    reading->text[length + 1] = '\0';
    complain(reading, name, "There is no section [%s]; is it [%s]?", message_short(name).text,
             settings_nearest_section(name));
}

// ---- values -------------------------------------------------------------------------------------

/// @return whether the name occurs for the first time
static bool settings_note_once(Reading *reading, bool *has, const char *name)
{
    if (*has) {
        complain(reading, reading->text, "%s is there twice; the first is kept.", name);
        return false;
    }
    return *has = true;
}

static void settings_set_value(Reading *reading, const Setting *row, const char *value)
{
    Message problem;
    char subject[64];
    if (!settings_note_once(reading, &reading->has[row - settings_row(0)], row->name)) {
        return;
    }
    (void)snprintf(subject, sizeof subject, "%s is", row->name);
    if (!option_read(row, reading->settings, value, subject, &problem)) {
        complain(reading, value, "%s", problem.text);
    }
}

// ---- keys ---------------------------------------------------------------------------------------

static void settings_add_binding(Reading *reading, InputAction action, const char *name,
                                 const char *at)
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

/// Reads key names separated by blanks or commas; or "none".
static void settings_set_keys(Reading *reading, InputAction action, const char *value)
{
    if (!settings_note_once(reading, &reading->has_keys[action], input_action_info(action)->name)) {
        return;
    }
    if (action == INPUT_PAUSE) {
        reading->pause_line = reading->line;
    }
    if (strcmp(value, "none") == 0) {
        return;
    }
    for (const char *at = value; *at;) {
        const size_t length = strcspn(at, " \t,");
        char name[LINE_BYTES];
        for (size_t i = 0; i < length; i++) {
            name[i] = (char)tolower((unsigned char)at[i]);
        }
        name[length] = '\0';
        if (length) {
            settings_add_binding(reading, action, name, at);
        }
        at += length + (at[length] != '\0');
    }
    if (!reading->bindings.codes[action][0]) {
        reading->has_keys[action] = false; // no name was valid
    }
}

/// Actions that the file does not bind keep their keys, except keys that the file binds to other
/// actions.
static void settings_keep_other_keys(Reading *reading)
{
    InputBindings *bindings = &reading->settings->bindings;
    for (InputAction action = 0; action < INPUT_ACTION_COUNT; action++) {
        for (int i = 0; !reading->has_keys[action] && i < INPUT_CODES_MAX; i++) {
            (void)input_bind(&reading->bindings, action, bindings->codes[action][i]);
        }
    }
    *bindings = reading->bindings;
}

/// Whether a code does not need a gamepad.
static bool settings_has_key(const InputCode codes[INPUT_CODES_MAX])
{
    for (int i = 0; i < INPUT_CODES_MAX; i++) {
        if (codes[i] && codes[i] < INPUT_PAD) {
            return true;
        }
    }
    return false;
}

/// Binds escape if nothing else is bound to pause: the player must be able to free the mouse and
/// quit.
static void settings_keep_pause(Reading *reading)
{
    InputBindings *bindings = &reading->settings->bindings;
    if (settings_has_key(bindings->codes[INPUT_PAUSE])) {
        return;
    }
    const InputAction other = input_action_bound(bindings, GLFW_KEY_ESCAPE);
    (void)input_unbind(bindings, GLFW_KEY_ESCAPE);
    bindings->codes[INPUT_PAUSE][INPUT_CODES_MAX - 1] = INPUT_NONE; // frees a slot
    (void)input_bind(bindings, INPUT_PAUSE, GLFW_KEY_ESCAPE);
    reading->line = reading->pause_line ? reading->pause_line : 1;
    complain(reading, NULL, "pause must have a key: escape is kept for it%s%s.",
             other < INPUT_ACTION_COUNT ? ", and taken from " : "",
             other < INPUT_ACTION_COUNT ? input_action_info(other)->name : "");
}

// ---- a whole file -------------------------------------------------------------------------------

static bool settings_is_line(const Setting *row, const char *section)
{
    return row->shows & SETTING_IN_FILE && strcmp(row->section, section) == 0;
}

static const Setting *settings_find_setting(const char *section, const char *name)
{
    for (size_t i = 0; settings_row(i); i++) {
        const Setting *row = settings_row(i);
        if (settings_is_line(row, section) && strcmp(row->name, name) == 0) {
            return row;
        }
    }
    return NULL;
}

static void settings_refuse_name(Reading *reading, const char *name)
{
    Nearest nearest = {.word = name};
    for (size_t i = 0; settings_row(i); i++) {
        if (settings_is_line(settings_row(i), reading->section)) {
            nearest_try(&nearest, settings_row(i)->name);
        }
    }
    complain(reading, reading->text, "There is no '%s' in [%s]; is it %s?",
             message_short(name).text, reading->section,
             nearest.name ? nearest.name : input_action_nearest(name));
}

/// Reads "name = value". `value` points into the line, so that problems can name the column.
static void settings_read_value(Reading *reading, const char *name, const char *value)
{
    if (!reading->section) {
        if (!reading->section_told) {
            reading->section_told = true;
            complain(reading, reading->text, "Name its section, such as [%s], on a line before it.",
                     settings_section(0));
        }
        return;
    }
    if (reading->section == settings_section(0)) {
        const InputAction action = input_action_named(name);
        if (action == INPUT_ACTION_COUNT) {
            settings_refuse_name(reading, name);
        } else {
            settings_set_keys(reading, action, value);
        }
        return;
    }
    const Setting *row = settings_find_setting(reading->section, name);
    if (row) {
        settings_set_value(reading, row, value);
    } else {
        settings_refuse_name(reading, name);
    }
}

static void settings_read_line(Reading *reading)
{
    if (reading->text[0] == '[') {
        settings_enter_section(reading);
        return;
    }
    const size_t separator = strcspn(reading->text, "=:");
    if (!reading->text[separator]) {
        settings_refuse_line(reading);
        return;
    }
    const char *value = reading->text + separator + 1;
    while (settings_is_blank(*value)) {
        value++;
    }
    reading->text[settings_trimmed_length(reading->text, separator)] = '\0';
    settings_read_value(reading, reading->text, value);
}

void settings_parse(Settings *settings, const char *text, size_t bytes, const char *file,
                    SettingsEar *ear)
{
    Reading reading = {
        .settings = settings, .file = file, .ear = ear, .next = text, .end = text + bytes};
    while (reading.next < reading.end) {
        if (settings_take_line(&reading)) {
            settings_read_line(&reading);
        }
    }
    settings_keep_other_keys(&reading);
    settings_keep_pause(&reading);
    if (reading.told > SETTINGS_TOLD_MAX) {
        Message more;
        (void)message_set(&more, "%s has %d more problems like these.", message_short(file).text,
                          reading.told - SETTINGS_TOLD_MAX);
        ear->tell(ear->user, &more);
    }
}

// ---- one line of a text -------------------------------------------------------------------------

typedef enum EditKind { EDIT_VALUE, EDIT_NEW_LINE, EDIT_NEW_SECTION } EditKind;

/// Where a value goes in a text: replaces the characters between begin and end.
typedef struct EditPlace {
    EditKind kind;
    const char *begin, *end;
} EditPlace;

static const char *settings_skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t') {
        at++;
    }
    return at;
}

static const char *settings_line_end(const char *line)
{
    return line + strcspn(line, "\r\n");
}

static bool settings_is_word(const char *at, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(at, word, length) != 0) {
        return false;
    }
    const char *after = settings_skip_blanks(at + length);
    return *after == '=' || *after == ':';
}

static bool settings_enters_section(const char *line, const char *section)
{
    const size_t length = strlen(section);
    return strncmp(line + 1, section, length) == 0 && line[1 + length] == ']';
}

/// Finds the value of a name, or the end of the last line of its section, or the end of the text.
static EditPlace settings_find_place(const char *text, const char *section, const char *name)
{
    const char *last = text + strlen(text);
    EditPlace place = {EDIT_NEW_SECTION, last, last};
    bool inside = false;
    const char *next = text;
    next += strncmp(text, settings_mark, MARK_BYTES) == 0 ? MARK_BYTES : 0;
    while (*next) {
        const char *line = settings_skip_blanks(next);
        const char *end = settings_line_end(line);
        next = end + strspn(end, "\r");
        next += *next == '\n';
        if (*line == '[') {
            inside = settings_enters_section(line, section);
        } else if (inside && settings_is_word(line, name)) {
            const char *value = settings_skip_blanks(line + strcspn(line, "=:") + 1);
            const size_t length =
                settings_length_without_comment(value, (size_t)(settings_line_end(value) - value));
            return (EditPlace){EDIT_VALUE, value, value + length};
        }
        if (inside && end > line) {
            place = (EditPlace){EDIT_NEW_LINE, next, next};
        }
    }
    return place;
}

char *settings_edit(const char *text, const char *section, const char *name, const char *value)
{
    const EditPlace place = settings_find_place(text, section, name);
    const size_t before = (size_t)(place.begin - text);
    const char *line_over = before && text[before - 1] != '\n' ? "\n" : "";
    const size_t capacity = strlen(section) + strlen(name) + strlen(value) + 16;
    char *made = malloc(strlen(text) + capacity);
    if (!made) {
        return NULL;
    }
    memcpy(made, text, before);
    char *at = made + before;
    if (place.kind == EDIT_NEW_SECTION) {
        at += snprintf(at, capacity, "%s%s[%s]\n%s = %s\n", line_over, before ? "\n" : "", section,
                       name, value);
    } else if (place.kind == EDIT_NEW_LINE) {
        at += snprintf(at, capacity, "%s%s = %s\n", line_over, name, value);
    } else {
        at += snprintf(at, capacity, "%s", value);
    }
    memcpy(at, place.end, strlen(place.end) + 1);
    return made;
}

// ---- printing -----------------------------------------------------------------------------------

static void settings_print_keys(FILE *stream, const Settings *settings)
{
    (void)fputs(
        "; Up to four for each action, with blanks between; 'none' for none. Keys are named\n"
        "; by their place on a US keyboard.\n",
        stream);
    for (InputAction action = 0; action < INPUT_ACTION_COUNT; action++) {
        (void)fprintf(stream, "%s = %s\n", input_action_info(action)->name,
                      settings_keys(settings, action).text);
    }
}

static void settings_print_section(FILE *stream, const Settings *settings, const char *section)
{
    for (size_t i = 0; settings_row(i); i++) {
        const Setting *row = settings_row(i);
        if (settings_is_line(row, section)) {
            (void)fprintf(stream, "; %s; %s\n%s = %s\n", row->help, option_range(row).text,
                          row->name, option_text(row, settings).text);
        }
    }
}

void settings_print(FILE *stream, const Settings *settings)
{
    (void)fputs("; Settings of terrane-viewer. The command line overrides them.\n", stream);
    for (size_t i = 0; settings_section(i); i++) {
        (void)fprintf(stream, "\n[%s]\n", settings_section(i));
        if (i == 0) {
            settings_print_keys(stream, settings);
        }
        settings_print_section(stream, settings, settings_section(i));
    }
}

// ---- the handbook's table -----------------------------------------------------------------------

static const char *settings_effect_text(SettingEffect effect)
{
    switch (effect) {
    case SETTING_EFFECT_STREAM:
        return "at once; may load all chunks again";
    case SETTING_EFFECT_RESTART:
        return "next start";
    default:
        return "at once";
    }
}

/// Returns the option, such as "`--look time=`" or "`--reach`"; empty if the command line cannot
/// set the row.
static OptionText settings_option_text(const Setting *row)
{
    OptionText text = {""};
    char option[OPTION_NAME_BYTES];
    option_name(row, option);
    if (row->shows & OPTION_INNER) {
        (void)snprintf(text.text, sizeof text.text, "`--look %s%s`", row->name,
                       row->kind == OPTION_MAYBE ? "" : "=");
    } else if (row->shows & OPTION_ON_LINE) {
        (void)snprintf(text.text, sizeof text.text, "`--%s`", option);
    } else if (strcmp(row->section, "window") == 0) {
        (void)snprintf(text.text, sizeof text.text, "`--size`");
    }
    return text;
}

void settings_print_table(FILE *stream)
{
    const Settings defaults = settings_default();
    (void)fputs("| setting | option | default | values | what it is | menu | takes effect |\n"
                "|---|---|---|---|---|---|---|\n",
                stream);
    for (size_t i = 0; settings_row(i); i++) {
        const Setting *row = settings_row(i);
        if (row->shows & SETTING_IN_FILE) {
            (void)fprintf(stream, "| `[%s]` `%s` | %s | %s | %s | %s | %s | %s |\n", row->section,
                          row->name, settings_option_text(row).text,
                          option_text(row, &defaults).text, option_range(row).text, row->help,
                          row->shows & SETTING_IN_MENU    ? "first page"
                          : row->shows & SETTING_IN_PANEL ? "all settings"
                                                          : "",
                          settings_effect_text(row->effect));
        }
    }
}
