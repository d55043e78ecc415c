/// Shared by tests of the settings: a file of settings, and what is reported about it.
#pragma once

#include "testing.h"

#include <settings/settings_file.h>

/// The reported sentences, one after the other.
typedef struct Told {
    char text[16384];
    int sentences;
} Told;

static inline void hear(void *user, const Message *problem)
{
    Told *told = user;
    told->sentences++;
    const size_t length = strlen(told->text);
    (void)snprintf(told->text + length, sizeof told->text - length, "%s\n", problem->text);
}

static inline int parse_bytes(Settings *settings, Told *told, const char *text, size_t bytes)
{
    *told = (Told){.sentences = 0};
    *settings = settings_default();
    SettingsEar ear = {hear, told, 0};
    settings_parse(settings, text, bytes, "a.ini", &ear);
    return ear.problems;
}

static inline int parse(Settings *settings, Told *told, const char *text)
{
    return parse_bytes(settings, told, text, strlen(text));
}

static inline void assert_same(const Settings *a, const Settings *b)
{
    for (size_t i = 0; settings_row(i); i++) {
        const Setting *row = settings_row(i);
        if (!(row->shows & SETTING_IN_FILE)) {
            continue;
        }
        assert_string_equal(option_text(row, a).text, option_text(row, b).text);
    }
    assert_memory_equal(&a->bindings, &b->bindings, sizeof a->bindings);
}

static const char GOOD[] = "; mine\n"
                           "[keys]\n"
                           "forward = up w   ; both\n"
                           "look_up: none\n"
                           "dig = MOUSE_RIGHT, pad_x\n"
                           "build = mouse_left\n"
                           "tool_next = tab\n"
                           "\n"
                           "  [mouse]\n"
                           "  sensitivity = 2.5\n"
                           "\tinvert = yes\n"
                           "# and more\n"
                           "[view]\n"
                           "distance=24\n"
                           "height = 8\n"
                           "quality = high\n"
                           "field_of_view = 90\n"
                           "[memory]\n"
                           "limit_mib = 512\n"
                           "workers = 0\n"
                           "[window]\n"
                           "width = 800\n"
                           "full_screen = on\n";
