/// Shared by tests of the program terrane, which runs in a temporary folder as a user would run it.
/// TERRANE_TOOL is its path.
#pragma once

#include "place.h"

/// Runs a shell command in the folder. $BARE is the program; $T is the program, ended after a
/// minute.
/// @return the exit code, or -1
static inline int run_shell(Place *place, const char *line)
{
    const char *tool = getenv("TERRANE_TOOL");
    assert_non_null(tool);
    char command[2048];
    int length = snprintf(command, sizeof command,
                          "cd '%s' && BARE='%s' && T=\"timeout 60 $BARE\" && { %s; } 2>&1",
                          place->folder, tool, line);
    assert_true(length < (int)sizeof command);
    return place_run(place, command);
}

static inline void expect_code(Place *place, const char *line, int code)
{
    int got = run_shell(place, line);
    if (got != code) {
        fail_msg("'%s' ended with %d, not %d: %s", line, got, code, place->text);
    }
}

/// Checks that the output is one line with one sentence that contains the words, and that no file
/// is left.
static inline void expect_refusal(Place *place, const char *line, int code, const char *words)
{
    expect_code(place, line, code);
    const size_t length = strlen(place->text);
    const bool one_line = length > 2 && strchr(place->text, '\n') == place->text + length - 1 &&
                          strchr(".?", place->text[length - 2]);
    if (!one_line || strncmp(place->text, "terrane", 7) != 0 || !strstr(place->text, words)) {
        fail_msg("'%s' said '%s', not '%s'", line, place->text, words);
    }
    assert_int_equal(place_count(place), 0);
}
