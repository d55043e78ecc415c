/// Shared by the tests of the programs' options: goes through a command's whole table, so that a
/// new row is tested too. Every mistake must get one sentence that names the nearest option or
/// word, or the range.
#pragma once

#include "testing.h"

#include <options.h>
#include <options_print.h>

/// Parses one word, and expects a sentence with a part in it.
static inline void option_rows_refuse(const OptionProgram *program, const OptionCommand *command,
                                      void *target, const char *word, const char *part)
{
    bool given[OPTIONS_ROWS_MAX];
    char *argv[] = {(char *)command->name, (char *)word};
    Message problem = {""};
    const OptionsAsk ask = options_parse(program, command, target, given, 2, argv, &problem);
    const size_t length = strlen(problem.text);
    const bool is_sentence = length > 2 && strchr(".?", problem.text[length - 1]) &&
                             !strchr(problem.text, '\n') && length < 400;
    if (ask != OPTIONS_WRONG || !is_sentence || !strstr(problem.text, part)) {
        fail_msg("%s %s: '%s', not '%s'", command->name, word, problem.text, part);
    }
}

/// What a value's refusal must say: the first word of a choice, or the lowest number.
static inline void option_rows_part(const Option *row, char part[64])
{
    snprintf(part, 64, "takes");
    if (row->kind == OPTION_SWITCH || row->kind == OPTION_FLAG || row->kind == OPTION_MAYBE) {
        return;
    }
    if (option_word(row, 0)) {
        snprintf(part, 64, "%s", option_word(row, 0));
    } else if (row->kind <= OPTION_WHOLE || row->kind == OPTION_LONG ||
               row->kind == OPTION_NUMBERS) {
        snprintf(part, 64, "from %.12g to %.12g", row->low, row->high);
    }
}

static inline void option_rows_check_row(const OptionProgram *program, const OptionCommand *command,
                                         void *target, const Option *row)
{
    char name[OPTION_NAME_BYTES], word[128], part[64];
    option_name(row, name);
    assert_non_null(row->help);
    // Mistyped, and the beginning of no other name.
    snprintf(word, sizeof word, "--%s_", name);
    snprintf(part, sizeof part, "did you mean '--%s'?", name);
    option_rows_refuse(program, command, target, word, part);
    if (!option_has_value(row)) {
        snprintf(word, sizeof word, "--%s=1", name);
        option_rows_refuse(program, command, target, word, "takes no value");
        return;
    }
    snprintf(word, sizeof word, "--%s", name);
    snprintf(part, sizeof part, "--%s needs a value; ", name);
    option_rows_refuse(program, command, target, word, part);
    option_rows_part(row, part);
    snprintf(word, sizeof word, "--%s=", name);
    if (row->kind != OPTION_OTHER) { // some take nothing for something
        option_rows_refuse(program, command, target, word, part);
    }
    static const char *const values[] = {"?", "nan", "1e999", "-99999999999999999999", "\x80\n"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (row->kind != OPTION_OTHER && row->kind != OPTION_TEXT) {
            snprintf(word, sizeof word, "--%s=%s", name, values[i]);
            if (!strchr(values[i], '\n')) {
                option_rows_refuse(program, command, target, word, part);
            }
        }
    }
}

/// Goes through the table of a command. @param target  memory for its fields
static inline void option_rows_check(const OptionProgram *program, const OptionCommand *command,
                                     void *target)
{
    for (const Option *row = command->rows; row->name; row++) {
        if (option_is_on_line(row)) {
            option_rows_check_row(program, command, target, row);
        }
    }
    option_rows_refuse(program, command, target, "--helpp", "did you mean '--help'?");
    option_rows_refuse(program, command, target, "-h1", "There is no option '-h1'; ");
    option_rows_refuse(program, command, target, "--version=1", "takes no value");
}
