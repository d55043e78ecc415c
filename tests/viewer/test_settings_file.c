/// The settings file: how it is found, saved and created, and that it is never damaged.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"
#include "settings_text.h"

#include <sys/stat.h>

static void path_in(const Place *place, const char *name, char path[128])
{
    (void)snprintf(path, 128, "%s/%s", place->folder, name);
}

static void write_text(const Place *place, const char *name, const char *text)
{
    char path[128];
    path_in(place, name, path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static const char *read_text(Place *place, const char *name)
{
    char path[128];
    path_in(place, name, path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    place->text[fread(place->text, 1, sizeof place->text - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    return place->text;
}

static void settings_lie_at_the_xdg_place(void **state)
{
    (void)state;
    char path[SETTINGS_PATH_MAX];
    setenv("XDG_CONFIG_HOME", "/some/where", 1);
    setenv("HOME", "/home/me", 1);
    assert_true(settings_place(path));
    assert_string_equal(path, "/some/where/terrane/viewer.ini");
    setenv("XDG_CONFIG_HOME", "not/absolute", 1);
    assert_true(settings_place(path));
    assert_string_equal(path, "/home/me/.config/terrane/viewer.ini");
    unsetenv("XDG_CONFIG_HOME");
    assert_true(settings_place(path));
    assert_string_equal(path, "/home/me/.config/terrane/viewer.ini");
    unsetenv("HOME");
    assert_false(settings_place(path));
    assert_string_equal(path, "");
    SettingsFile file;
    Settings settings = settings_default();
    Message problem;
    SettingsEar ear = {0};
    assert_true(settings_read(&file, &settings, NULL, &ear, &problem));
    assert_false(settings_write(&file, &settings, &problem));
    assert_non_null(strstr(problem.text, "--settings"));
    char *long_path = calloc(2, SETTINGS_PATH_MAX);
    assert_non_null(long_path);
    memset(long_path, '/', (size_t)2 * SETTINGS_PATH_MAX - 1);
    setenv("XDG_CONFIG_HOME", long_path, 1);
    assert_false(settings_place(path));
    assert_false(settings_read(&file, &settings, long_path, &ear, &problem));
    unsetenv("XDG_CONFIG_HOME");
    free(long_path);
}

/// In a folder that does not exist yet.
static void what_is_written_is_read_again(void **state)
{
    Place *place = *state;
    char path[128];
    Settings settings, again;
    Told told;
    SettingsFile file;
    Message problem;
    SettingsEar ear = {hear, &told, 0};
    assert_int_equal(parse(&settings, &told, GOOD), 0);
    path_in(place, "a/b/viewer.ini", path);
    assert_true(settings_find(&file, path, &problem));
    assert_true(settings_write(&file, &settings, &problem));
    again = settings_default();
    assert_true(settings_read(&file, &again, path, &ear, &problem));
    assert_int_equal(ear.problems, 0);
    assert_same(&settings, &again);
    assert_false(settings_write(&file, &settings, &problem));
    assert_non_null(strstr(problem.text, "stays as it is"));
    struct stat there;
    path_in(place, "a/b", path);
    assert_int_equal(stat(path, &there), 0);
    assert_int_equal(there.st_mode & 077, 0);
}

static void a_new_file_that_was_named_gets_all_settings(void **state)
{
    Place *place = *state;
    char path[128];
    Settings settings = settings_default(), again = settings;
    SettingsFile file;
    Message problem;
    SettingsEar ear = {0};
    path_in(place, "new/none.ini", path);
    assert_true(settings_read(&file, &settings, path, &ear, &problem));
    assert_true(file.is_new && !file.is_there);
    settings.view_distance = 9;
    assert_true(settings_save(&file, &settings, &settings, &problem)); // nothing differs
    assert_true(file.is_there);
    assert_true(settings_read(&file, &again, path, &ear, &problem));
    assert_int_equal(ear.problems, 0);
    assert_false(file.is_new);
    assert_same(&settings, &again);
}

static void a_file_that_cannot_be_read_is_told(void **state)
{
    Place *place = *state;
    char path[128];
    Settings settings = settings_default();
    SettingsFile file;
    Message problem;
    SettingsEar ear = {0};
    assert_false(settings_read(&file, &settings, place->folder, &ear, &problem)); // a folder
    char *large = malloc(SETTINGS_BYTES_MAX + 2);
    assert_non_null(large);
    memset(large, '\n', SETTINGS_BYTES_MAX + 1);
    large[SETTINGS_BYTES_MAX + 1] = '\0';
    write_text(place, "large.ini", large);
    free(large);
    path_in(place, "large.ini", path);
    assert_false(settings_read(&file, &settings, path, &ear, &problem));
    assert_non_null(strstr(problem.text, "256 KiB"));
}

static void saving_changes_the_lines_that_changed_alone(void **state)
{
    Place *place = *state;
    char path[128];
    write_text(place, "s.ini",
               "; my own\n[view]\n  field_of_view=70 ; wide\nheight = 3\r\n\n"
               "[other]\nkept = 1\n; end");
    path_in(place, "s.ini", path);
    Settings before, after;
    SettingsFile file;
    Message problem;
    SettingsEar ear = {0};
    before = settings_default();
    assert_true(settings_read(&file, &before, path, &ear, &problem));
    assert_int_equal(file.problems, 1); // [other]
    after = before;
    after.invert = true;
    assert_false(settings_save(&file, &before, &after, &problem));
    write_text(place, "s.ini",
               "; my own\n[view]\n  field_of_view=70 ; wide\nheight = 3\r\n\n"
               "[mouse]\ninvert = no\n; end");
    after = before;
    after.field_of_view = 81.5;
    after.sensitivity = 3;
    after.quality = LOOK_QUALITY_LOW;
    after.player.bob = 0;
    assert_true(settings_save(&file, &before, &after, &problem));
    assert_string_equal(read_text(place, "s.ini"),
                        "; my own\n[view]\n  field_of_view=81.5 ; wide\nheight = 3\r\nquality = "
                        "low\n\n[mouse]\ninvert = no\n; end\nsensitivity = 3\n\n[player]\nbob = "
                        "0\n");
    Settings again = settings_default();
    assert_true(settings_read(&file, &again, path, &ear, &problem));
    assert_int_equal(file.problems, 0);
    assert_same(&again, &after);
}

/// Some editors begin a file with it; the section behind it was not found, and made again.
static void saving_finds_the_section_behind_a_byte_order_mark(void **state)
{
    Place *place = *state;
    char path[128];
    write_text(place, "mark.ini", "\xEF\xBB\xBF[view]\r\nheight = 3\r\n");
    path_in(place, "mark.ini", path);
    Settings before = settings_default(), after;
    SettingsFile file;
    Message problem;
    SettingsEar ear = {0};
    assert_true(settings_read(&file, &before, path, &ear, &problem));
    after = before;
    after.view_height = 5;
    assert_true(settings_save(&file, &before, &after, &problem));
    assert_string_equal(read_text(place, "mark.ini"), "\xEF\xBB\xBF[view]\r\nheight = 5\r\n");
    Settings again = settings_default();
    assert_true(settings_read(&file, &again, path, &ear, &problem));
    assert_int_equal(file.problems, 0);
    assert_same(&again, &after);
}

static void a_file_with_mistakes_is_never_written_to(void **state)
{
    Place *place = *state;
    static const char broken[] = "[view]\ndistance = 999\n";
    char path[128];
    write_text(place, "broken.ini", broken);
    path_in(place, "broken.ini", path);
    Settings before = settings_default(), after = before;
    SettingsFile file;
    Message problem;
    SettingsEar ear = {0};
    assert_true(settings_read(&file, &before, path, &ear, &problem));
    after.invert = true;
    assert_false(settings_save(&file, &before, &after, &problem));
    assert_non_null(strstr(problem.text, "nothing was saved"));
    assert_string_equal(read_text(place, "broken.ini"), broken);
}

static void a_link_stays_a_link_and_no_change_writes_nothing(void **state)
{
    Place *place = *state;
    char path[128], target[128];
    write_text(place, "real.ini", "[mouse]\ninvert = no\n");
    path_in(place, "link.ini", path);
    path_in(place, "real.ini", target);
    assert_int_equal(symlink("real.ini", path), 0);
    Settings before = settings_default(), after = before;
    SettingsFile file;
    Message problem;
    SettingsEar ear = {0};
    struct stat first, second;
    assert_true(settings_read(&file, &before, path, &ear, &problem));
    assert_int_equal(stat(target, &first), 0);
    assert_true(settings_save(&file, &before, &after, &problem));
    assert_int_equal(stat(target, &second), 0);
    assert_true(first.st_ino == second.st_ino); // a written one is another
    after.invert = true;
    assert_true(settings_save(&file, &before, &after, &problem));
    assert_int_equal(lstat(path, &first), 0);
    assert_true(S_ISLNK(first.st_mode));
    assert_string_equal(read_text(place, "real.ini"), "[mouse]\ninvert = yes\n");
}

static void a_place_that_cannot_be_written_is_told(void **state)
{
    (void)state;
    Settings before = settings_default(), after = before;
    SettingsFile file;
    Message problem;
    after.invert = true;
    assert_true(settings_find(&file, "/proc/terrane/viewer.ini", &problem));
    assert_false(settings_save(&file, &before, &after, &problem));
    assert_non_null(strstr(problem.text, "/proc/terrane/viewer.ini"));
    assert_false(settings_write(&file, &before, &problem));
    assert_true(settings_find(&file, "/dev/full", &problem));
    assert_false(settings_save(&file, &before, &after, &problem));
    assert_non_null(strstr(problem.text, "/dev/full"));
}

/// Random edits of a text: the edited value is read, and all other lines are unchanged.
static void an_edit_changes_one_value(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(24);
    char *text = strdup(GOOD);
    assert_non_null(text);
    Settings settings, wished;
    Told told;
    int64_t count = 0;
    while (settings_row((size_t)count)) {
        count++;
    }
    assert_int_equal(parse(&wished, &told, text), 0);
    for (int i = 0; i < 2000; i++) {
        const Setting *row = settings_row((size_t)test_random_range(&random, 0, count - 1));
        if (!(row->shows & SETTING_IN_FILE)) {
            continue;
        }
        char line[64], name[160];
        const double number =
            row->low + (row->high - row->low) * (double)test_random_range(&random, 0, 16) / 16;
        if (row->words || row->kind == OPTION_SWITCH) {
            continue;
        }
        (void)snprintf(line, sizeof line, "%.9g",
                       row->kind == OPTION_WHOLE ? (double)(int)number : number);
        (void)snprintf(name, sizeof name, "[%s]\n%s = %s\n", row->section, row->name, line);
        char *edited = settings_edit(text, row->section, row->name, line);
        assert_non_null(edited);
        SettingsEar ear = {0};
        settings_parse(&wished, name, strlen(name), "a.ini", &ear);
        assert_int_equal(parse(&settings, &told, edited), 0);
        for (size_t n = 0; settings_row(n); n++) {
            assert_string_equal(option_text(settings_row(n), &settings).text,
                                option_text(settings_row(n), &wished).text);
        }
        assert_memory_equal(&settings.bindings, &wished.bindings, sizeof settings.bindings);
        assert_non_null(strstr(edited, "; mine\n"));
        assert_non_null(strstr(edited, "forward = up w   ; both\n"));
        free(text);
        text = edited;
    }
    assert_true(strlen(text) < sizeof GOOD + (size_t)count * 40); // each is there once
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_lie_at_the_xdg_place),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(a_new_file_that_was_named_gets_all_settings),
        cmocka_unit_test(a_file_that_cannot_be_read_is_told),
        cmocka_unit_test(saving_changes_the_lines_that_changed_alone),
        cmocka_unit_test(saving_finds_the_section_behind_a_byte_order_mark),
        cmocka_unit_test(a_file_with_mistakes_is_never_written_to),
        cmocka_unit_test(a_link_stays_a_link_and_no_change_writes_nothing),
        cmocka_unit_test(a_place_that_cannot_be_written_is_told),
        cmocka_unit_test(an_edit_changes_one_value),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}
