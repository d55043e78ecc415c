/// The settings file: what is read, what is told of mistakes, and that it is never harmed.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"

#include <sys/stat.h>

#include <settings_file.h>

/// What was told, one sentence after the other.
typedef struct Told {
    char text[16384];
    int sentences;
} Told;

static void hear(void *user, const Message *problem)
{
    Told *told = user;
    told->sentences++;
    const size_t length = strlen(told->text);
    (void)snprintf(told->text + length, sizeof told->text - length, "%s\n", problem->text);
}

static int parse_bytes(Settings *settings, Told *told, const char *text, size_t bytes)
{
    *told = (Told){.sentences = 0};
    *settings = settings_default();
    SettingsEar ear = {hear, told, 0};
    settings_parse(settings, text, bytes, "a.ini", &ear);
    return ear.problems;
}

static int parse(Settings *settings, Told *told, const char *text)
{
    return parse_bytes(settings, told, text, strlen(text));
}

static double number_of(const Settings *settings, const SettingInfo *info)
{
    const char *field = (const char *)settings + info->offset;
    switch (info->kind) {
    case SETTING_NUMBER:
        return *(const double *)(const void *)field;
    case SETTING_SWITCH:
        return *(const bool *)field;
    default:
        return *(const int *)(const void *)field;
    }
}

/// Whatever was read: each number in its range, no key for two actions, and a way to pause.
static void check_sane(const Settings *settings)
{
    for (size_t i = 0; i < settings_count(); i++) {
        const SettingInfo *info = settings_info(i);
        const double number = number_of(settings, info);
        if (info->kind == SETTING_QUALITY) {
            assert_true(number >= 0 && number <= SETTINGS_QUALITY_AUTO);
        } else if (!info->instead || number != (info->low > 0 ? 0 : -1)) {
            assert_true(number >= info->low && number <= info->high);
        }
    }
    bool has_pause = false;
    for (InputAction action = 0; action < INPUT_ACTION_COUNT; action++) {
        const InputCode *codes = settings->bindings.codes[action];
        for (int i = 0; i < INPUT_CODES_MAX && codes[i]; i++) {
            assert_int_equal(input_action_bound(&settings->bindings, codes[i]), action);
            has_pause |= action == INPUT_PAUSE && codes[i] < INPUT_PAD;
        }
    }
    assert_true(has_pause);
}

static void assert_same(const Settings *a, const Settings *b)
{
    for (size_t i = 0; i < settings_count(); i++) {
        const SettingInfo *info = settings_info(i);
        assert_string_equal(settings_value(a, info).text, settings_value(b, info).text);
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

static void what_is_in_the_file_is_read(void **state)
{
    (void)state;
    Settings settings;
    Told told;
    assert_int_equal(parse(&settings, &told, GOOD), 0);
    assert_string_equal(told.text, "");
    assert_string_equal(settings_keys(&settings, INPUT_FORWARD).text, "up w");
    assert_string_equal(settings_keys(&settings, INPUT_LOOK_UP).text, "none");
    assert_string_equal(settings_keys(&settings, INPUT_DIG).text, "mouse_right pad_x");
    assert_string_equal(settings_keys(&settings, INPUT_BUILD).text, "mouse_left");
    assert_string_equal(settings_keys(&settings, INPUT_BACK).text, "s pad_left_stick_down");
    assert_true(settings.sensitivity == 2.5 && settings.invert);
    assert_int_equal(settings.view_distance, 24);
    assert_int_equal(settings.view_height, 8);
    assert_int_equal(settings.quality, LOOK_QUALITY_HIGH);
    assert_true(settings.field_of_view == 90);
    assert_int_equal(settings.memory_mib, 512);
    assert_int_equal(settings.workers, 0);
    assert_int_equal(settings.width, 800);
    assert_int_equal(settings.height, settings_default().height);
    assert_true(settings.full_screen);
    check_sane(&settings);
}

static void the_defaults_are_sane_and_an_empty_file_changes_nothing(void **state)
{
    (void)state;
    Settings settings, defaults = settings_default();
    Told told;
    check_sane(&defaults);
    assert_int_equal(parse(&settings, &told, ""), 0);
    assert_same(&settings, &defaults);
    assert_int_equal(parse(&settings, &told, "\xEF\xBB\xBF[view]\r\ndistance = 7\r\n"), 0);
    assert_int_equal(settings.view_distance, 7);
}

// ---- mistakes -----------------------------------------------------------------------------------

static void mistakes_are_told_with_line_and_column(void **state)
{
    (void)state;
    static const struct {
        const char *text, *told;
    } cases[] = {
        {"[view]\ndistance = 99\n", "a.ini:2:12: distance is a whole number from 2 to 32, not"},
        {"[view]\n\n  distance =   1.5", "a.ini:3:16: distance is a whole number"},
        {"[view]\ndistance = far\n", "not 'far'"},
        {"[view]\ndistance = nan\n", "a.ini:2:12:"},
        {"[mouse]\nsensitivity = 1e999\n", "a.ini:2:15: sensitivity is a number from 0.05 to 20"},
        {"[mouse]\nsensitivity =\n", "a.ini:2:14:"},
        {"[mouse]\ninvert = maybe\n", "a.ini:2:10: invert is yes or no, not 'maybe'"},
        {"[view]\nquality = ultra\n", "a.ini:2:11: quality is low, medium, high or auto"},
        {"[memory]\nlimit_mib = 0\n", "from 16 to 1048576 or none, not '0'"},
        {"[view]\ndistence = 9\n", "a.ini:2:1: There is no 'distence' in [view]; is it distance?"},
        {"[veiw]\ndistance = 9\n", "a.ini:1:2: There is no section [veiw]; is it [view]?"},
        {"distance = 9\nheight = 3\n", "a.ini:1:1: Before this line belongs its section"},
        {"[keys]\nforward = W, qq", "a.ini:2:14: There is no key 'qq'"},
        {"[keys]\nforwart = w", "a.ini:2:1: There is no 'forwart' in [keys]; is it forward?"},
        {"[keys]\ndig = x\nbuild = y x\n", "a.ini:3:11: 'x' is bound to dig already; the first"},
        {"[keys]\ndig = x x\n", "a.ini:2:9: 'x' is bound to dig already"},
        {"[keys]\ndig = 1 2 3 4 5\n", "a.ini:2:15: At most 4 keys can be bound to dig."},
        {"[keys]\ndig = x\ndig = y\n", "a.ini:3:1: dig is there twice; the first is kept."},
        {"[view]\nheight = 3\n height = 4", "a.ini:3:2: height is there twice"},
        {"[view\n", "a.ini:1:1: This is neither"},
        {"[view]\n  nonsense\n", "a.ini:2:3: This is neither"},
        {"[view]\nfoo ;= 3\n", "a.ini:2:1: This is neither"},
        {"[keys]\n\npause = none\n", "a.ini:3:1: pause must have a key"},
        {"[keys]\npause = pad_start\n", "a.ini:2:1: pause must have a key"},
        {"[keys]\ndig = escape\n", "a.ini:2:1: pause must have a key: escape is kept for it, and "
                                   "taken from dig."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Settings settings;
        Told told;
        assert_int_equal(parse(&settings, &told, cases[i].text), 1);
        if (!strstr(told.text, cases[i].told)) {
            fail_msg("'%s' told '%s', not '%s'", cases[i].text, told.text, cases[i].told);
        }
        check_sane(&settings);
    }
}

static void what_is_broken_stays_and_all_else_holds(void **state)
{
    (void)state;
    Settings settings;
    Told told;
    assert_int_equal(parse(&settings, &told,
                           "[view]\ndistance = 99\nheight = 5\n[keys]\ndig = qq\nundo = zz u\n"
                           "build = x\nredo = x v\n"),
                     4);
    assert_int_equal(settings.view_distance, settings_default().view_distance);
    assert_int_equal(settings.view_height, 5);
    assert_string_equal(settings_keys(&settings, INPUT_DIG).text, "mouse_left pad_right_trigger");
    assert_string_equal(settings_keys(&settings, INPUT_UNDO).text, "u");
    assert_string_equal(settings_keys(&settings, INPUT_BUILD).text, "x");
    assert_string_equal(settings_keys(&settings, INPUT_REDO).text, "v");
    check_sane(&settings);
}

static void a_key_of_the_file_is_taken_from_its_default(void **state)
{
    (void)state;
    Settings settings;
    Told told;
    assert_int_equal(parse(&settings, &told, "[keys]\nundo = f w\n"), 0);
    assert_string_equal(settings_keys(&settings, INPUT_UNDO).text, "f w");
    assert_string_equal(settings_keys(&settings, INPUT_FLY).text, "pad_y");
    assert_string_equal(settings_keys(&settings, INPUT_FORWARD).text, "pad_left_stick_up");
}

static void every_range_is_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < settings_count(); i++) {
        const SettingInfo *info = settings_info(i);
        if (info->kind != SETTING_NUMBER && info->kind != SETTING_INTEGER) {
            continue;
        }
        const double inside[] = {info->low, info->high, (info->low + info->high) / 2};
        const double outside[] = {info->low - 1, info->high + 1, info->high * 1e9};
        for (int n = 0; n < 3; n++) {
            char text[128];
            Settings settings, defaults = settings_default();
            Told told;
            const double whole = info->kind == SETTING_INTEGER ? (double)(int)inside[n] : inside[n];
            (void)snprintf(text, sizeof text, "[%s]\n%s = %.17g\n", info->section, info->name,
                           whole);
            assert_int_equal(parse(&settings, &told, text), 0);
            assert_true(number_of(&settings, info) == whole);
            (void)snprintf(text, sizeof text, "[%s]\n%s = %.17g\n", info->section, info->name,
                           outside[n]);
            assert_int_equal(parse(&settings, &told, text), 1);
            assert_non_null(strstr(told.text, info->name));
            assert_same(&settings, &defaults);
        }
        assert_true(info->words[0] != '\0');
    }
}

static void lines_that_are_too_long_or_hold_zeroes_are_told(void **state)
{
    (void)state;
    Settings settings;
    Told told;
    char text[2048];
    memset(text, 'x', sizeof text);
    static const char begin[] = "[keys]\nundo = ", end[] = "\n[view]\nheight = 6\n";
    memcpy(text, begin, sizeof begin - 1);
    memcpy(text + 1000, end, sizeof end);
    assert_int_equal(parse(&settings, &told, text), 1);
    assert_non_null(strstr(told.text, "a.ini:2:1: A line has"));
    assert_int_equal(settings.view_height, 6);
    text[7] = ';'; // a comment may be as long as it likes
    assert_int_equal(parse(&settings, &told, text), 0);
    static const char zero[] = "[view]\nheight = \0 6\ndistance = 5\n";
    assert_int_equal(parse_bytes(&settings, &told, zero, sizeof zero - 1), 1);
    assert_non_null(strstr(told.text, "a.ini:2:1: There is a zero byte"));
    assert_int_equal(settings.view_distance, 5);
}

static void so_many_mistakes_are_told_and_no_more(void **state)
{
    (void)state;
    Settings settings;
    Told told;
    char text[4096] = "[view]\n";
    for (int i = 0; i < 100; i++) {
        strcat(text, "nonsense\n");
    }
    assert_int_equal(parse(&settings, &told, text), 100);
    assert_int_equal(told.sentences, SETTINGS_TOLD_MAX + 1);
    assert_non_null(strstr(told.text, "a.ini has 80 more problems like these."));
}

// ---- anything at all ----------------------------------------------------------------------------

static void every_beginning_of_a_good_file_is_read(void **state)
{
    (void)state;
    for (size_t bytes = 0; bytes <= sizeof GOOD - 1; bytes++) {
        Settings settings;
        Told told;
        char *copy = malloc(bytes + 1); // the end of the memory is the end of the text
        assert_non_null(copy);
        memcpy(copy, GOOD, bytes);
        const int problems = parse_bytes(&settings, &told, copy, bytes);
        free(copy);
        assert_true(problems <= 1); // the line that was cut
        check_sane(&settings);
    }
}

static void any_bytes_leave_sane_settings(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(21);
    static const char letters[] = "[]=:;# \t\n\r,abkeysviewdigpause019.-\"\\\xEF\xBB\xBF";
    for (int i = 0; i < 20000; i++) {
        Settings settings;
        Told told;
        char text[400];
        const size_t bytes = (size_t)test_random_range(&random, 0, sizeof text);
        const bool is_wild = i % 2 == 0;
        for (size_t at = 0; at < bytes; at++) {
            text[at] = is_wild ? (char)test_random_next(&random)
                               : letters[test_random_range(&random, 0, sizeof letters - 1)];
        }
        (void)parse_bytes(&settings, &told, text, bytes);
        check_sane(&settings);
    }
}

static void a_file_with_some_bytes_changed_leaves_sane_settings(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(22);
    for (int i = 0; i < 20000; i++) {
        Settings settings;
        Told told;
        char text[sizeof GOOD];
        memcpy(text, GOOD, sizeof GOOD);
        for (int64_t n = test_random_range(&random, 1, 6); n > 0; n--) {
            text[test_random_range(&random, 0, sizeof GOOD - 2)] =
                GOOD[test_random_range(&random, 0, sizeof GOOD - 2)];
        }
        (void)parse_bytes(&settings, &told, text, sizeof GOOD - 1);
        check_sane(&settings);
    }
}

/// Random keys for random actions: what the file binds is bound, each key to the first that has it.
static void random_bindings_are_those_of_a_simple_model(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(23);
    for (int round = 0; round < 500; round++) {
        char text[2048] = "[keys]\n";
        InputAction owner[INPUT_CODE_COUNT];
        bool named[INPUT_ACTION_COUNT] = {false};
        for (int code = 0; code < INPUT_CODE_COUNT; code++) {
            owner[code] = INPUT_ACTION_COUNT;
        }
        int twice = 0;
        for (int line = 0; line < 12; line++) {
            const InputAction action = (InputAction)test_random_range(&random, 0, INPUT_PAUSE - 1);
            const InputCode code = (InputCode)test_random_range(&random, GLFW_KEY_A, GLFW_KEY_Z);
            const size_t length = strlen(text);
            (void)snprintf(text + length, sizeof text - length, "%s = %s\n",
                           input_action_info(action)->name, input_code_name(code));
            twice += named[action] || owner[code] != INPUT_ACTION_COUNT;
            if (!named[action] && owner[code] == INPUT_ACTION_COUNT) {
                owner[code] = action;
                named[action] = true;
            }
        }
        Settings settings;
        Told told;
        assert_int_equal(parse(&settings, &told, text), twice);
        for (InputCode code = GLFW_KEY_A; code <= GLFW_KEY_Z; code++) {
            if (owner[code] != INPUT_ACTION_COUNT) {
                assert_int_equal(input_action_bound(&settings.bindings, code), owner[code]);
            }
        }
        check_sane(&settings);
    }
}

// ---- files --------------------------------------------------------------------------------------

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

/// In a folder that is not there yet.
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

static void a_file_that_was_asked_for_has_to_be_there(void **state)
{
    Place *place = *state;
    char path[128];
    Settings settings = settings_default();
    SettingsFile file;
    Message problem;
    SettingsEar ear = {0};
    path_in(place, "none.ini", path);
    assert_false(settings_read(&file, &settings, path, &ear, &problem));
    assert_non_null(strstr(problem.text, "none.ini"));
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

static void a_file_with_mistakes_is_never_written_to(void **state)
{
    Place *place = *state;
    static const char broken[] = "[view]\ndistance = 99\n";
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

/// Random edits of a text: what was edited is read, and every other line is still there.
static void an_edit_changes_one_value(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(24);
    char *text = strdup(GOOD);
    assert_non_null(text);
    Settings settings, wished;
    Told told;
    assert_int_equal(parse(&wished, &told, text), 0);
    for (int i = 0; i < 2000; i++) {
        const SettingInfo *info =
            settings_info((size_t)test_random_range(&random, 0, (int64_t)settings_count() - 1));
        char line[64], name[160];
        const double number =
            info->low + (info->high - info->low) * (double)test_random_range(&random, 0, 16) / 16;
        if (info->kind == SETTING_QUALITY || info->kind == SETTING_SWITCH) {
            continue;
        }
        (void)snprintf(line, sizeof line, "%.9g",
                       info->kind == SETTING_INTEGER ? (double)(int)number : number);
        (void)snprintf(name, sizeof name, "[%s]\n%s = %s\n", info->section, info->name, line);
        char *edited = settings_edit(text, info->section, info->name, line);
        assert_non_null(edited);
        SettingsEar ear = {0};
        settings_parse(&wished, name, strlen(name), "a.ini", &ear);
        assert_int_equal(parse(&settings, &told, edited), 0);
        for (size_t n = 0; n < settings_count(); n++) {
            assert_string_equal(settings_value(&settings, settings_info(n)).text,
                                settings_value(&wished, settings_info(n)).text);
        }
        assert_memory_equal(&settings.bindings, &wished.bindings, sizeof settings.bindings);
        assert_non_null(strstr(edited, "; mine\n"));
        assert_non_null(strstr(edited, "forward = up w   ; both\n"));
        free(text);
        text = edited;
    }
    assert_true(strlen(text) < sizeof GOOD + settings_count() * 40); // each is there once
    free(text);
}

// ---- the same in all places
// -----------------------------------------------------------------------

static void the_player_s_settings_are_the_player_s(void **state)
{
    (void)state;
    const PlayerSettings usual = player_settings();
    Settings settings = settings_default();
    size_t found = 0;
    for (size_t i = 0; i < settings_count(); i++) {
        const SettingInfo *info = settings_info(i);
        if (strcmp(info->section, "player") != 0 || info->kind != SETTING_NUMBER) {
            continue;
        }
        const PlayerSetting *setting = player_setting(found);
        assert_non_null(setting);
        assert_string_equal(info->name, setting->name);
        assert_true(info->low == setting->low && info->high == setting->high);
        assert_ptr_equal((char *)&settings + info->offset,
                         player_setting_value(&settings.player, found));
        found++;
    }
    assert_null(player_setting(found));
    assert_memory_equal(&settings.player, &usual, sizeof usual);
}

/// The handbook has these lines; a change to the tables prints those to put there.
static int expect_line(const char *handbook, const char *line)
{
    if (strstr(handbook, line)) {
        return 0;
    }
    print_error("docs/viewer.md lacks: %s", line);
    return 1;
}

static int count_missing_actions(const char *handbook)
{
    const InputBindings bindings = input_bindings_default();
    InputHelp rows[INPUT_ACTION_COUNT];
    const size_t count = input_help(&bindings, NULL, rows);
    InputAction action = 0;
    int missing = 0;
    for (size_t i = 0; i < count; i++) {
        char line[512];
        int length = snprintf(line, sizeof line, "| %s | %s | `%s`", rows[i].words, rows[i].keys,
                              input_action_info(action++)->name);
        while (action < INPUT_ACTION_COUNT && !input_action_info(action)->words) {
            length += snprintf(line + length, sizeof line - (size_t)length, ", `%s`",
                               input_action_info(action++)->name);
        }
        (void)snprintf(line + length, sizeof line - (size_t)length, " |\n");
        missing += expect_line(handbook, line);
    }
    return missing;
}

static int count_missing_settings(const char *handbook)
{
    const Settings defaults = settings_default();
    int missing = 0;
    for (size_t i = 0; i < settings_count(); i++) {
        const SettingInfo *info = settings_info(i);
        char line[512], range[64] = "yes, no";
        if (info->kind == SETTING_NUMBER || info->kind == SETTING_INTEGER) {
            (void)snprintf(range, sizeof range, "%.12g to %.12g%s%s", info->low, info->high,
                           info->instead ? ", " : "", info->instead ? info->instead : "");
        } else if (info->kind == SETTING_QUALITY) {
            (void)snprintf(range, sizeof range, "low, medium, high, auto");
        }
        (void)snprintf(line, sizeof line, "| `[%s]` `%s` | %s | %s | %s |\n", info->section,
                       info->name, settings_value(&defaults, info).text, range, info->words);
        missing += expect_line(handbook, line);
    }
    return missing;
}

static void the_handbook_lists_all_actions_and_settings(void **state)
{
    (void)state;
    char *handbook = calloc(1, (size_t)1 << 20);
    assert_non_null(handbook);
    FILE *file = fopen(TERRANE_SOURCE_DIR "/docs/viewer.md", "r");
    assert_non_null(file);
    assert_true(fread(handbook, 1, ((size_t)1 << 20) - 1, file) > 0);
    assert_int_equal(fclose(file), 0);
    const int missing = count_missing_actions(handbook) + count_missing_settings(handbook);
    free(handbook);
    assert_int_equal(missing, 0);
}

// ---- use ----------------------------------------------------------------------------------------

static bool parse_options(Options *options, const char *const *arguments)
{
    char *argv[16] = {"terrane-viewer"};
    int argc = 1;
    Message problem;
    while (arguments[argc - 1]) {
        argv[argc] = (char *)(uintptr_t)arguments[argc - 1];
        argc++;
    }
    return options_parse(options, argc, argv, &problem);
}

static void options_win_over_settings(void **state)
{
    (void)state;
    Settings settings, taken = settings_default();
    Told told;
    Options options;
    assert_int_equal(parse(&settings, &told, GOOD), 0);
    const char *const some[] = {"--view-distance", "5", "--memory=64", NULL};
    assert_true(parse_options(&options, some));
    settings_apply(&settings, &options);
    assert_int_equal(options.view_distance, 5);
    assert_int_equal(options.memory_mib, 64);
    assert_int_equal(options.view_height, 8);
    assert_int_equal(options.workers, 0);
    assert_int_equal(options.width, 800);
    assert_int_equal(options.quality, LOOK_QUALITY_HIGH);
    settings_take(&taken, &options);
    assert_int_equal(taken.view_distance, 5);
    assert_int_equal(taken.memory_mib, 64);
    assert_int_equal(taken.width, settings_default().width);
    const char *const all[] = {"--size=640x480",   "--workers=3",      "--view-height=2",
                               "--write-settings", "--settings=x.ini", NULL};
    assert_true(parse_options(&options, all));
    assert_int_equal(options.action, OPTIONS_ACTION_WRITE_SETTINGS);
    assert_string_equal(options.settings, "x.ini");
    settings_apply(&settings, &options);
    assert_int_equal(options.width, 640);
    assert_int_equal(options.workers, 3);
    assert_int_equal(options.view_height, 2);
    assert_int_equal(options.view_distance, 24);
    const char *const none[] = {NULL};
    const Settings defaults = settings_default();
    assert_true(parse_options(&options, none));
    settings_apply(&defaults, &options);
    const Options usual = options_default();
    assert_int_equal(options.width, usual.width);
    assert_int_equal(options.height, usual.height);
    assert_int_equal(options.view_distance, usual.view_distance);
    assert_int_equal(options.view_height, usual.view_height);
    assert_int_equal(options.workers, usual.workers);
    assert_int_equal(options.memory_mib, usual.memory_mib);
    assert_int_equal(options.quality, usual.quality);
}

static void the_feel_is_that_of_the_settings(void **state)
{
    (void)state;
    Settings settings;
    Told told;
    const InputFeel usual = input_feel_default();
    settings = settings_default();
    InputFeel feel = settings_feel(&settings);
    assert_true(feel.degrees_per_pixel == usual.degrees_per_pixel);
    assert_true(feel.dead_zone == usual.dead_zone && feel.stick_degrees == usual.stick_degrees);
    assert_int_equal(parse(&settings, &told,
                           "[mouse]\nsensitivity = 2\ninvert = true\n"
                           "[gamepad]\nturn_speed = 100\ndead_zone = 0.5\n"),
                     0);
    feel = settings_feel(&settings);
    assert_true(feel.degrees_per_pixel == 2 * usual.degrees_per_pixel && feel.invert);
    assert_true(feel.dead_zone == 0.5f && feel.stick_degrees == 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_in_the_file_is_read),
        cmocka_unit_test(the_defaults_are_sane_and_an_empty_file_changes_nothing),
        cmocka_unit_test(mistakes_are_told_with_line_and_column),
        cmocka_unit_test(what_is_broken_stays_and_all_else_holds),
        cmocka_unit_test(a_key_of_the_file_is_taken_from_its_default),
        cmocka_unit_test(every_range_is_kept),
        cmocka_unit_test(lines_that_are_too_long_or_hold_zeroes_are_told),
        cmocka_unit_test(so_many_mistakes_are_told_and_no_more),
        cmocka_unit_test(every_beginning_of_a_good_file_is_read),
        cmocka_unit_test(any_bytes_leave_sane_settings),
        cmocka_unit_test(a_file_with_some_bytes_changed_leaves_sane_settings),
        cmocka_unit_test(random_bindings_are_those_of_a_simple_model),
        cmocka_unit_test(settings_lie_at_the_xdg_place),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(a_file_that_was_asked_for_has_to_be_there),
        cmocka_unit_test(saving_changes_the_lines_that_changed_alone),
        cmocka_unit_test(a_file_with_mistakes_is_never_written_to),
        cmocka_unit_test(a_link_stays_a_link_and_no_change_writes_nothing),
        cmocka_unit_test(a_place_that_cannot_be_written_is_told),
        cmocka_unit_test(an_edit_changes_one_value),
        cmocka_unit_test(the_player_s_settings_are_the_player_s),
        cmocka_unit_test(the_handbook_lists_all_actions_and_settings),
        cmocka_unit_test(options_win_over_settings),
        cmocka_unit_test(the_feel_is_that_of_the_settings),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}
