// The value of a setting as text: as the file has it, and as the menu shows it.
#include "settings/settings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// As short as says it exactly enough: 0.1 for what was a float of 0.1, too.
static void write_number(double number, SettingText *text)
{
    double read = INFINITY;
    for (int digits = 6; digits <= 9 && !(fabs(read - number) <= 1e-7 * fabs(number)); digits++) {
        (void)snprintf(text->text, sizeof text->text, "%.*g", digits, number);
        read = strtod(text->text, NULL);
    }
}

static bool is_instead(const Setting *row, double number)
{
    return row->instead && number == setting_instead(row);
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
        text = setting_words(row, ", ");
    } else if (row->kind < SETTING_TEXT) {
        (void)snprintf(text.text, sizeof text.text, "%.12g to %.12g%s%s", row->low, row->high,
                       row->instead ? ", " : "", row->instead ? row->instead : "");
    }
    return text;
}
