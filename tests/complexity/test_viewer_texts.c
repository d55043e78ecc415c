// Work of the parsers of the viewer's texts: flights, recordings and settings.

#include "work.h"

#include <flight/flight.h>
#include <settings/settings.h>
#include <settings/settings_text.h>

/// A text of `count` equal lines between a head and an end; free() it.
static char *lines_of(const char *head, const char *line, uint32_t count, const char *end)
{
    const size_t bytes = strlen(head) + count * strlen(line) + strlen(end) + 1;
    char *text = malloc(bytes);
    assert_non_null(text);
    size_t size = (size_t)snprintf(text, bytes, "%s", head);
    for (uint32_t i = 0; i < count; i++) {
        size += (size_t)snprintf(text + size, bytes - size, "%s", line);
    }
    (void)snprintf(text + size, bytes - size, "%s", end);
    return text;
}

/// @param text  freed
static uint64_t parse_flight(char *text)
{
    Flight flight;
    Message problem;
    const uint64_t start = work_start();
    if (flight_parse(&flight, "test", text, strlen(text), &problem)) {
        flight_free(&flight);
    }
    const uint64_t work = work_since(start);
    free(text);
    return work;
}

static uint64_t work_of_keys(uint32_t count)
{
    char *text = lines_of("terrane-flight 1\n", "key 0000.000 0 0 0 0 0\n", count, "");
    for (uint32_t i = 0; i < count; i++) {
        char time[12];
        (void)snprintf(time, sizeof time, "%08.3f", i * 0.01);
        memcpy(text + strlen("terrane-flight 1\nkey ") + i * strlen("key 0000.000 0 0 0 0 0\n"),
               time, 8);
    }
    return parse_flight(text);
}

static uint64_t work_of_crowded_edits(uint32_t count)
{
    return parse_flight(lines_of("terrane-flight 3\nkey 0 0 0 0 0 0\n",
                                 "edit 1 dig ball 0 0 0 16\n", count, "end\n"));
}

static uint64_t work_of_comments(uint32_t count)
{
    return parse_flight(lines_of("terrane-flight 1\n", " \t # key\n", count, "key 0 0 0 0 0 0\n"));
}

static void flights_take_work_linear_in_their_text(void **state)
{
    (void)state;
    assert_work_grows(work_of_keys, 2000, 3, WORK_LINEAR);
    assert_work_grows(work_of_comments, 2000, 3, WORK_LINEAR);
    // Refused at the 1001st edit within a second.
    assert_work_grows(work_of_crowded_edits, 2000, 3, WORK_CONSTANT);
}

static uint64_t parse_settings(char *text)
{
    static Settings settings;
    SettingsEar ear = {NULL, NULL, 0};
    settings = settings_default();
    const uint64_t start = work_start();
    settings_parse(&settings, text, strlen(text), "test", &ear);
    const uint64_t work = work_since(start);
    free(text);
    return work;
}

static uint64_t work_of_unknown_settings(uint32_t count)
{
    return parse_settings(lines_of("[view]\n", "nonsense_of_some_length = 1\n", count, ""));
}

static uint64_t work_of_sections(uint32_t count)
{
    return parse_settings(lines_of("", "[nonsense]\n", count, ""));
}

/// A line of blanks and semicolons.
static uint64_t work_of_blanks(uint32_t count)
{
    return parse_settings(lines_of("", " ;", count, "\n"));
}

static void settings_take_work_linear_in_their_text(void **state)
{
    (void)state;
    assert_work_grows(work_of_unknown_settings, 500, 3, WORK_LINEAR);
    assert_work_grows(work_of_sections, 500, 3, WORK_LINEAR);
    assert_work_grows(work_of_blanks, 5000, 3, WORK_LINEAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flights_take_work_linear_in_their_text),
        cmocka_unit_test(settings_take_work_linear_in_their_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
