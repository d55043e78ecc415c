/// Settings: what is read of a file, how mistakes are reported, the handbook, and what they do.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "settings_text.h"

#include <player/player.h>
#include <settings/command_line.h>
#include <settings/settings_file.h>
#include <settings/settings_keys.h>

/// Checks that each number is in its range, no key has two actions, and some key pauses.
static void check_sane(const Settings *settings)
{
    for (size_t i = 0; settings_row(i); i++) {
        const Setting *row = settings_row(i);
        if (!(row->shows & SETTING_IN_FILE)) {
            continue;
        }
        const double number = option_number(row, settings);
        if (row->words) {
            assert_true(number >= 0 && number <= row->high);
        } else if (!row->instead || number != option_instead(row)) {
            assert_true(number >= row->low && number <= row->high);
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
        {"[view]\ndistance = 999\n",
         "a.ini:2:12: distance is a whole number from 2 to 512 or auto"},
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
        {"distance = 9\nheight = 3\n", "a.ini:1:1: Name its section, such as ["},
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
                           "[view]\ndistance = 999\nheight = 5\n[keys]\ndig = qq\nundo = zz u\n"
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
    for (size_t i = 0; settings_row(i); i++) {
        const Setting *row = settings_row(i);
        if (!(row->shows & SETTING_IN_FILE)) {
            continue;
        }
        if (row->kind != OPTION_NUMBER && row->kind != OPTION_WHOLE) {
            continue;
        }
        const double inside[] = {row->low, row->high, (row->low + row->high) / 2};
        const double outside[] = {row->low - 1, row->high + 1, row->high * 1e9};
        for (int n = 0; n < 3; n++) {
            char text[128];
            Settings settings, defaults = settings_default();
            Told told;
            const double whole = row->kind == OPTION_WHOLE ? (double)(int)inside[n] : inside[n];
            (void)snprintf(text, sizeof text, "[%s]\n%s = %.17g\n", row->section, row->name, whole);
            assert_int_equal(parse(&settings, &told, text), 0);
            assert_true(option_number(row, &settings) == whole);
            (void)snprintf(text, sizeof text, "[%s]\n%s = %.17g\n", row->section, row->name,
                           outside[n]);
            assert_int_equal(parse(&settings, &told, text), 1);
            assert_non_null(strstr(told.text, row->name));
            assert_same(&settings, &defaults);
        }
        assert_true(row->help[0] != '\0');
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

/// Random keys for random actions: the file binds them, each key to the first action that has it.
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

// ---- the handbook -------------------------------------------------------------------------------

/// The handbook has these lines; if a table changed, prints those to insert.
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

/// The handbook's table is what settings_print_table prints. If not, writes it to
/// settings-table.md, to be put there.
static bool has_table(const char *handbook)
{
    char *table = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&table, &bytes);
    assert_non_null(stream);
    settings_print_table(stream);
    assert_int_equal(fclose(stream), 0);
    const bool has = strstr(handbook, table) != NULL;
    if (!has) {
        FILE *file = fopen("settings-table.md", "w");
        assert_non_null(file);
        assert_true(fputs(table, file) >= 0);
        assert_int_equal(fclose(file), 0);
        print_error("docs/viewer.md lacks the table that settings-table.md has now");
    }
    free(table);
    return has;
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
    const int missing = count_missing_actions(handbook) + !has_table(handbook);
    free(handbook);
    assert_int_equal(missing, 0);
}

// ---- use ----------------------------------------------------------------------------------------

static bool parse_options(Settings *settings, Message *problem, const char *const *arguments)
{
    char *argv[16] = {(char *)(uintptr_t) "terrane-viewer"};
    int argc = 1;
    while (arguments[argc - 1]) {
        argv[argc] = (char *)(uintptr_t)arguments[argc - 1];
        argc++;
    }
    return (command_line_read(settings, argc, argv, problem) != OPTIONS_WRONG);
}

static void options_win_over_the_file(void **state)
{
    (void)state;
    Settings file, settings;
    Told told;
    Message problem;
    assert_int_equal(parse(&file, &told, GOOD), 0);
    const char *const some[] = {"--view-distance",
                                "5",
                                "--memory=64",
                                "--size=640x480",
                                "--look=quality=low,no-clouds",
                                NULL};
    assert_true(parse_options(&settings, &problem, some));
    settings_take_file(&settings, &file);
    assert_int_equal(settings.view_distance, 5);
    assert_int_equal(settings.memory_mib, 64);
    assert_int_equal(settings.width, 640);
    assert_int_equal(settings.height, 480);
    assert_int_equal(settings.quality, LOOK_QUALITY_LOW);
    assert_int_equal(settings.on[LOOK_CLOUDS], 0);
    assert_int_equal(settings.view_height, 8);
    assert_int_equal(settings.workers, 0);
    assert_true(settings.field_of_view == 90);
    assert_string_equal(settings_keys(&settings, INPUT_FORWARD).text, "up w");
    const char *const write[] = {"--write-settings", "--settings=x.ini", NULL};
    assert_true(parse_options(&settings, &problem, write));
    assert_int_equal(settings.writes, true);
    assert_string_equal(settings.file, "x.ini");
    const char *const none[] = {NULL};
    const Settings defaults = settings_default();
    assert_true(parse_options(&settings, &problem, none));
    settings_take_file(&settings, &defaults);
    assert_same(&settings, &defaults);
}

/// Each row of the file is set by an option too: its own, --size, or a word of --look.
static void every_setting_of_the_file_is_an_option(void **state)
{
    (void)state;
    for (size_t i = 0; settings_row(i); i++) {
        const Setting *row = settings_row(i);
        if (!(row->shows & SETTING_IN_FILE) || !(row->shows & (OPTION_ON_LINE | OPTION_INNER))) {
            assert_true(!(row->shows & SETTING_IN_FILE) || strcmp(row->section, "window") == 0);
            continue;
        }
        Settings settings = settings_default();
        Message problem = {""};
        char option[OPTION_NAME_BYTES], argument[512];
        const bool is_switch = row->kind == OPTION_SWITCH || row->kind == OPTION_MAYBE;
        const double other = is_switch ? row->usual == 0 : row->low;
        option_set_number(row, &settings, other);
        option_name(row, option);
        (void)snprintf(
            argument, sizeof argument, "%s%s%s%s%s", row->shows & OPTION_INNER ? "--look=" : "--",
            is_switch && other == 0 ? "no-" : "", row->shows & OPTION_INNER ? row->name : option,
            is_switch ? "" : "=", is_switch ? "" : option_text(row, &settings).text);
        const char *const arguments[] = {argument, NULL};
        if (!parse_options(&settings, &problem, arguments)) {
            fail_msg("%s: %s", argument, problem.text);
        }
        assert_true(option_number(row, &settings) == other);
        assert_true(settings.given[i]);
    }
}

static void look_words_switch_and_the_last_one_wins(void **state)
{
    (void)state;
    Settings settings;
    Message problem;
    const char *const words[] = {"--look=no-haze,time=18.5,debug=depth,scale=0.5,samples=4", NULL};
    assert_true(parse_options(&settings, &problem, words));
    Look look = settings_look(&settings, LOOK_QUALITY_HIGH);
    assert_true(!look.on[LOOK_HAZE] && look.on[LOOK_OCCLUSION] && look.on[LOOK_SHADOWS]);
    assert_true(look.hours == 18.5f && look.scale == 0.5f);
    assert_int_equal(look.samples, 4);
    assert_int_equal(look.debug, LOOK_DEBUG_DEPTH);
    assert_int_equal(look.quality, LOOK_QUALITY_HIGH);
    const char *const low[] = {"--look=shadows,quality=low,haze,no-haze,", NULL};
    assert_true(parse_options(&settings, &problem, low));
    look = settings_look(&settings, LOOK_QUALITY_HIGH);
    assert_false(look.on[LOOK_SHADOWS] || look.on[LOOK_HAZE] || look.on[LOOK_HOLES]);
    const char *const after[] = {"--look=quality=low,shadows", NULL};
    assert_true(parse_options(&settings, &problem, after));
    assert_true(settings_look(&settings, LOOK_QUALITY_HIGH).on[LOOK_SHADOWS]);
}

static void look_words_that_mean_nothing_are_named(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "hazes",      "no-",          "no-no-haze", "time",       "time=",
        "time=25",    "time=nan",     "time=1e",    "scale=0",    "scale=3",
        "samples=17", "quality=best", "debug=xray", ",",          "haze,,ao",
        "=",          "time=12x",     "quality",    "no-time=12", "samples=1234567890123456789",
        "scale=-1",   " haze",        "bob=1",      "haze=1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[96];
        Settings settings;
        Message problem = {""};
        (void)snprintf(text, sizeof text, "--look=no-ao,time=3,%s", bad[i]);
        const char *const arguments[] = {text, NULL};
        if (parse_options(&settings, &problem, arguments)) {
            fail_msg("'%s' was taken", text);
        }
        assert_non_null(strstr(problem.text, "--look"));
    }
}

// ---- keys ---------------------------------------------------------------------------------------

static Input presses(InputAction action, uint8_t times)
{
    Input input = {0};
    input.presses[action] = times;
    return input;
}

/// Presses keys. @return what was told
static const char *press(Settings *settings, InputAction action, uint8_t times, double *bob)
{
    static Message text;
    const Input input = presses(action, times);
    text.text[0] = 0;
    const bool told = settings_press(settings, &input, LOOK_QUALITY_LOW, bob, &text);
    assert_int_equal(told, text.text[0] != 0);
    return text.text;
}

static void each_of_several_presses_in_a_frame_counts(void **state)
{
    (void)state;
    Settings settings = settings_default();
    double bob = 0;
    assert_string_equal(press(&settings, INPUT_DEBUG_VIEW, 3, &bob), "Debug view: states");
    assert_int_equal(settings.debug, LOOK_DEBUG_STATES);
    (void)press(&settings, INPUT_DEBUG_VIEW, LOOK_DEBUG_COUNT, &bob);
    assert_int_equal(settings.debug, LOOK_DEBUG_STATES);
    // From what the driver suggests, here low.
    assert_string_equal(press(&settings, INPUT_QUALITY, 2, &bob), "Picture quality: high");
    assert_string_equal(press(&settings, INPUT_QUALITY, 2, &bob), "Picture quality: medium");
    (void)press(&settings, INPUT_FULL_SCREEN, 2, &bob);
    assert_false(settings.full_screen);
    (void)press(&settings, INPUT_FULL_SCREEN, 3, &bob);
    assert_true(settings.full_screen);
    (void)press(&settings, INPUT_PANEL, 2, &bob);
    assert_false(settings.figures);
    (void)press(&settings, INPUT_INDEX_VIEW, 1, &bob);
    assert_true(settings.index_view);
    assert_string_equal(press(&settings, INPUT_TIME, 31, &bob), "Time of day: 0:30");
    assert_string_equal(press(&settings, INPUT_TIME, 2, &bob), "Time of day: 1:30");
    assert_string_equal(press(&settings, INPUT_LAMP, 1, &bob), "Lamp: on");
    assert_string_equal(press(&settings, INPUT_LAMP, 3, &bob), "Lamp: off");
    assert_string_equal(press(&settings, INPUT_OCCLUSION, 2, &bob), "");
    assert_string_equal(press(&settings, INPUT_OCCLUSION, 1, &bob), "Skip hidden land: off");
    assert_string_equal(press(&settings, INPUT_OCCLUSION, 1, &bob), "Skip hidden land: on");
    assert_string_equal(press(&settings, INPUT_FASTER, 2, &bob), "Flying speed: 35 blocks/s");
    assert_string_equal(press(&settings, INPUT_SLOWER, 255, &bob), "Flying speed: 1 block/s");
}

static void the_head_bobs_again_as_it_did_before(void **state)
{
    (void)state;
    Settings settings = settings_default();
    double bob = 0;
    settings.player.bob = 0.25;
    assert_string_equal(press(&settings, INPUT_BOB, 1, &bob), "Head bobbing: off");
    assert_true(settings.player.bob == 0);
    assert_string_equal(press(&settings, INPUT_BOB, 1, &bob), "Head bobbing: on");
    assert_true(settings.player.bob == 0.25);
    bob = settings.player.bob = 0; // by the settings
    (void)press(&settings, INPUT_BOB, 1, &bob);
    assert_true(settings.player.bob == settings_default().player.bob);
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
        cmocka_unit_test(the_handbook_lists_all_actions_and_settings),
        cmocka_unit_test(options_win_over_the_file),
        cmocka_unit_test(every_setting_of_the_file_is_an_option),
        cmocka_unit_test(look_words_switch_and_the_last_one_wins),
        cmocka_unit_test(look_words_that_mean_nothing_are_named),
        cmocka_unit_test(each_of_several_presses_in_a_frame_counts),
        cmocka_unit_test(the_head_bobs_again_as_it_did_before),
        cmocka_unit_test(the_feel_is_that_of_the_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
