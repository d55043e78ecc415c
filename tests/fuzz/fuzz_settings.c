/// Settings files: whatever the text is, the settings stay in range, and what is printed of them is
/// read again without a problem. Then a line of the text is changed as the menu would.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): open_memstream
#include "fuzz.h"

#include <settings/settings_text.h>

static void hear(void *user, const Message *problem)
{
    const char *at = problem->text;
    FUZZ_REQUIRE(*at && memchr(at, 0, sizeof problem->text));
    (*(int *)user)++;
}

static void expect_in_range(const Settings *settings)
{
    for (size_t i = 0; settings_row(i); i++) {
        const Setting *row = settings_row(i);
        if (row->kind == OPTION_NUMBER || row->kind == OPTION_WHOLE) {
            const double number = option_number(row, settings);
            FUZZ_REQUIRE((number >= row->low && number <= row->high) ||
                         (row->instead && number == option_instead(row)));
        }
        FUZZ_REQUIRE(option_text(row, settings).text[0] || row->kind >= OPTION_TEXT);
        (void)setting_value(row, settings);
    }
}

/// @param size  receives its bytes @return a text, for free()
static char *print(const Settings *settings, size_t *size)
{
    char *text;
    FILE *stream = open_memstream(&text, size);
    FUZZ_REQUIRE(stream);
    settings_print(stream, settings);
    FUZZ_REQUIRE(fclose(stream) == 0);
    return text;
}

static void expect_round_trip(const Settings *settings)
{
    size_t size, again_size;
    int told = 0;
    SettingsEar ear = {hear, &told, 0};
    char *text = print(settings, &size);
    Settings again = settings_default();
    settings_parse(&again, text, size, "printed", &ear);
    FUZZ_REQUIRE(told == 0 && ear.problems == 0);
    char *again_text = print(&again, &again_size);
    FUZZ_REQUIRE(size == again_size && memcmp(text, again_text, size) == 0);
    free(again_text);
    free(text);
}

/// Changes one value in the text: if no other line sets it, reading it then gives that value.
static void expect_edit(const char *text)
{
    int told = 0;
    SettingsEar ear = {hear, &told, 0};
    char *changed = settings_edit(text, "view", "field_of_view", "77");
    Settings settings = settings_default();
    FUZZ_REQUIRE(changed && strstr(changed, "77"));
    const char *first = strstr(changed, "field_of_view");
    FUZZ_REQUIRE(first);
    settings_parse(&settings, changed, strlen(changed), "changed", &ear);
    FUZZ_REQUIRE(ear.problems > 0 || strstr(first + 1, "field_of_view") ||
                 settings.field_of_view == 77);
    free(changed);
}

int fuzz_settings(const uint8_t *bytes, size_t size);

int fuzz_settings(const uint8_t *bytes, size_t size)
{
    int told = 0;
    SettingsEar ear = {hear, &told, 0};
    Settings settings = settings_default();
    settings_parse(&settings, (const char *)bytes, size, "a file", &ear);
    FUZZ_REQUIRE(told <= SETTINGS_TOLD_MAX + 1 && told <= ear.problems + 1);
    expect_in_range(&settings);
    expect_round_trip(&settings);
    char *text = malloc(size + 1);
    FUZZ_REQUIRE(text);
    memcpy(text, bytes, size);
    text[size] = '\0';
    expect_edit(text);
    free(text);
    return 0;
}
