// The value of one row: as a number, and to and from text.
#include "settings/settings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"

// ---- numbers ------------------------------------------------------------------------------------

double setting_number(const Setting *row, const Settings *settings)
{
    const char *field = (const char *)settings + row->offset;
    double number;
    int whole;
    switch (row->kind) {
    case SETTING_NUMBER:
        memcpy(&number, field, sizeof number);
        return number;
    case SETTING_SWITCH:
        return *(const bool *)field;
    default:
        memcpy(&whole, field, sizeof whole);
        return whole;
    }
}

static void store_number(const Setting *row, Settings *settings, double number)
{
    char *field = (char *)settings + row->offset;
    const int whole = (int)number;
    if (row->kind == SETTING_NUMBER) {
        memcpy(field, &number, sizeof number);
    } else if (row->kind == SETTING_SWITCH) {
        *(bool *)field = number != 0;
    } else {
        memcpy(field, &whole, sizeof whole);
    }
}

static bool is_instead(const Setting *row, double number)
{
    return row->instead && number == setting_instead(row);
}

void setting_set_number(const Setting *row, Settings *settings, double number)
{
    if (isnan(number)) {
        number = row->usual;
    } else if (!is_instead(row, number)) {
        number = fmin(fmax(number, row->low), row->high);
    }
    store_number(row, settings, row->kind == SETTING_NUMBER ? number : rint(number));
}

static size_t field_bytes(const Setting *row)
{
    switch (row->kind) {
    case SETTING_NUMBER:
        return sizeof(double);
    case SETTING_SWITCH:
        return sizeof(bool);
    case SETTING_TEXT:
        return sizeof(const char *);
    case SETTING_OTHER:
        return 0;
    default:
        return sizeof(int);
    }
}

void setting_copy(const Setting *row, Settings *to, const Settings *from)
{
    memcpy((char *)to + row->offset, (const char *)from + row->offset, field_bytes(row));
}

bool setting_differs(const Setting *row, const Settings *a, const Settings *b)
{
    return memcmp((const char *)a + row->offset, (const char *)b + row->offset, field_bytes(row)) !=
           0;
}

// ---- text to value ------------------------------------------------------------------------------

static bool read_number(const Setting *row, const char *text, double *number)
{
    char *end;
    int64_t whole;
    if (row->kind == SETTING_WHOLE) {
        const bool good = argument_integer(text, (int64_t)row->low, (int64_t)row->high, &whole);
        *number = good ? (double)whole : 0;
        return good;
    }
    *number = strtod(text, &end);
    return end != text && *end == '\0' && *number >= row->low && *number <= row->high;
}

static bool set_number(const Setting *row, Settings *settings, const char *text,
                       const char *subject, Message *problem)
{
    double number;
    if (row->instead && strcmp(text, row->instead) == 0) {
        number = setting_instead(row);
    } else if (!read_number(row, text, &number)) {
        return message_set(problem, "%s a %snumber from %.12g to %.12g%s%s, not '%s'.", subject,
                           row->kind == SETTING_WHOLE ? "whole " : "", row->low, row->high,
                           row->instead ? " or " : "", row->instead ? row->instead : "",
                           message_short(text).text);
    }
    store_number(row, settings, number);
    return true;
}

/// The place of a word, or -1.
static int find_word(const char *const *words, const char *text)
{
    for (int i = 0; words[i]; i++) {
        if (strcmp(text, words[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static bool set_switch(const Setting *row, Settings *settings, const char *text,
                       const char *subject, Message *problem)
{
    static const char *const words[] = {"no", "yes", "off", "on", "false", "true", "0", "1", NULL};
    const bool has_auto = row->kind == SETTING_LOOK_SWITCH;
    const int found = find_word(words, text);
    if (found < 0 && !(has_auto && strcmp(text, "auto") == 0)) {
        return message_set(problem, "%s yes%s no%s, not '%s'.", subject, has_auto ? "," : " or",
                           has_auto ? " or auto" : "", message_short(text).text);
    }
    store_number(row, settings, found < 0 ? SETTINGS_SWITCH_AUTO : found % 2);
    return true;
}

/// "low, medium, high or auto".
static SettingText list_words(const Setting *row, const char *last)
{
    SettingText list = {""};
    for (int i = 0; row->words[i]; i++) {
        const size_t length = strlen(list.text);
        (void)snprintf(list.text + length, sizeof list.text - length, "%s%s",
                       i == 0              ? ""
                       : row->words[i + 1] ? ", "
                                           : last,
                       row->words[i]);
    }
    return list;
}

static bool set_choice(const Setting *row, Settings *settings, const char *text,
                       const char *subject, Message *problem)
{
    const int found = find_word(row->words, text);
    if (found < 0) {
        return message_set(problem, "%s %s, not '%s'.", subject, list_words(row, " or ").text,
                           message_short(text).text);
    }
    store_number(row, settings, found);
    return true;
}

bool setting_read(const Setting *row, Settings *settings, const char *text, const char *subject,
                  Message *problem)
{
    switch (row->kind) {
    case SETTING_NUMBER:
    case SETTING_WHOLE:
        return set_number(row, settings, text, subject, problem);
    case SETTING_SWITCH:
    case SETTING_LOOK_SWITCH:
        return set_switch(row, settings, text, subject, problem);
    case SETTING_CHOICE:
        return set_choice(row, settings, text, subject, problem);
    case SETTING_TEXT:
        memcpy((char *)settings + row->offset, &text, sizeof text);
        return text[0] || message_set(problem, "%s %s.", subject, row->takes);
    default:
        return row->read(settings, text, problem);
    }
}

// ---- value to text ------------------------------------------------------------------------------

/// As short as says it exactly enough: 0.1 for what was a float of 0.1, too.
static void write_number(double number, SettingText *text)
{
    double read = INFINITY;
    for (int digits = 6; digits <= 9 && !(fabs(read - number) <= 1e-7 * fabs(number)); digits++) {
        (void)snprintf(text->text, sizeof text->text, "%.*g", digits, number);
        read = strtod(text->text, NULL);
    }
}

SettingText setting_text(const Setting *row, const Settings *settings)
{
    SettingText text = {""};
    if (row->kind >= SETTING_TEXT) {
        return text;
    }
    const double number = setting_number(row, settings);
    if (is_instead(row, number)) {
        (void)snprintf(text.text, sizeof text.text, "%s", row->instead);
    } else if (row->words) {
        (void)snprintf(text.text, sizeof text.text, "%s", row->words[(int)number]);
    } else {
        write_number(number, &text);
    }
    return text;
}

SettingText setting_value(const Setting *row, const Settings *settings)
{
    SettingText text = setting_text(row, settings);
    const double number = setting_number(row, settings);
    const bool is_switch = row->kind == SETTING_SWITCH || row->kind == SETTING_LOOK_SWITCH;
    if (is_switch && number < SETTINGS_SWITCH_AUTO) {
        (void)snprintf(text.text, sizeof text.text, number > 0 ? "on" : "off");
    } else if (row == settings_row_of(settings, &settings->hours)) {
        const int minutes = (int)(number * 60 + 0.5) % (24 * 60);
        (void)snprintf(text.text, sizeof text.text, "%d:%02d", minutes / 60, minutes % 60);
    } else if (row->unit && !is_instead(row, number)) {
        // NOLINTBEGIN(clang-diagnostic-format-nonliteral): the table's own formats
        if (row->kind == SETTING_WHOLE) {
            (void)snprintf(text.text, sizeof text.text, row->unit, (int)number);
        } else {
            (void)snprintf(text.text, sizeof text.text, row->unit, number);
        }
        // NOLINTEND(clang-diagnostic-format-nonliteral)
    }
    return text;
}

SettingText setting_range(const Setting *row)
{
    SettingText text = {""};
    if (row->kind == SETTING_SWITCH) {
        (void)snprintf(text.text, sizeof text.text, "yes, no");
    } else if (row->words) {
        text = list_words(row, ", ");
    } else if (row->kind < SETTING_TEXT) {
        (void)snprintf(text.text, sizeof text.text, "%.12g to %.12g%s%s", row->low, row->high,
                       row->instead ? ", " : "", row->instead ? row->instead : "");
    }
    return text;
}
