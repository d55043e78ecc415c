/// Options: what each kind takes, what a command line may look like, and what help, manual page
/// and completion print.
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include <nearest.h>
#include <options.h>
#include <options_print.h>
#include <options_run.h>

typedef struct Fields {
    double number;
    int whole, choice, maybe;
    bool on, flag;
    const char *text, *first, *second;
    int64_t wide, pair[2], box[6];
    uint64_t seed;
    int others;
} Fields;

static bool read_other(void *target, const char *text, Message *problem)
{
    Fields *fields = target;
    fields->others++;
    return text[0] == 'y' || message_set(problem, "--other takes y, not '%s'.", text);
}

static const char *preset(size_t i)
{
    static const char *const names[] = {"flat", "islands"};
    return i < 2 ? names[i] : NULL;
}

#define AT(field) .offset = offsetof(Fields, field)
static const char *const COLOURS[] = {"red", "green", "blue", NULL};
static const Option ROWS[] = {
    {NULL, "FILE", .help = "the file", .kind = OPTION_WORD, AT(first), .takes = "a file"},
    {NULL, "number", .help = "a number", .kind = OPTION_NUMBER, AT(number), .low = 0.5, .high = 2,
     .usual = 1},
    {NULL, "whole", .help = "a whole number", .kind = OPTION_WHOLE, AT(whole), .low = 2, .high = 64,
     .usual = 0, .instead = "auto", .takes = "a whole number of chunks"},
    {NULL, "full_screen", .help = "a switch", .kind = OPTION_SWITCH, AT(on), .usual = 1},
    {NULL, "colour", .help = "a choice", .kind = OPTION_CHOICE, AT(choice), .high = 2, .usual = 1,
     .words = COLOURS},
    {NULL, "preset", .help = "a text with words", .kind = OPTION_TEXT, AT(text), .word_at = preset,
     .argument = "NAME", .takes = "the name of a preset"},
    {"Others", "wide", .help = "a large number", .kind = OPTION_LONG, AT(wide), .low = 1,
     .high = 5e9, .usual = 7},
    {"Others", "seed", .help = "a seed", .kind = OPTION_SEED, AT(seed), .standard = "13"},
    {"Others", "size", .help = "two numbers", .kind = OPTION_NUMBERS, AT(pair), .low = 1,
     .high = 100, .argument = "WxH", .takes = "WxH in pixels", .example = "3x4",
     .standard = "10x20"},
    {"Others", "box", .help = "six numbers", .kind = OPTION_NUMBERS, AT(box), .low = -9, .high = 9,
     .argument = "X,Y,Z..X,Y,Z", .takes = "two corners"},
    {"Others", "other", .help = "what a function reads", .kind = OPTION_OTHER, .read = read_other,
     .argument = "Y"},
    {"Others", "quick", .help = "a flag", .kind = OPTION_FLAG, AT(flag)},
    {"Others", "inner", .help = "a word of another", .kind = OPTION_MAYBE, AT(maybe), .high = 2,
     .usual = 2, .shows = OPTION_INNER},
    {0},
};
static bool act(void *target, Message *problem)
{
    (void)problem;
    printf("%s\n", ((Fields *)target)->first);
    return true;
}
static const OptionCommand DRAW = {.name = "draw",
                                   .summary = "draws",
                                   .about = "Draws a file.",
                                   .rows = ROWS,
                                   .closing = "First paragraph.\n\nSecond one.",
                                   .examples = "prog draw a.txt\nprog draw --quick b.txt",
                                   .bytes = sizeof(Fields),
                                   .act = act};
static const OptionCommand PAINT = {.name = "paint",
                                    .summary = "paints",
                                    .about = "Paints.",
                                    .rows = ROWS + 12,
                                    .stray = "the file is --out FILE",
                                    .bytes = sizeof(Fields),
                                    .act = act};
static const OptionCommand *const COMMANDS[] = {&DRAW, &PAINT, NULL};
static const OptionProgram PROGRAM = {.name = "prog",
                                      .summary = "draws and paints.",
                                      .commands = COMMANDS,
                                      .closing = "Exit codes: 0 success."};

static OptionsAsk parse(Fields *fields, bool *given, const char *line, Message *problem)
{
    char words[512], *argv[32] = {"draw"};
    static char kept[512];
    int argc = 1;
    strcpy(words, line);
    strcpy(kept, words);
    for (char *word = strtok(kept, " "); word; word = strtok(NULL, " ")) {
        argv[argc++] = strcmp(word, "''") == 0 ? "" : word;
    }
    *fields = (Fields){0};
    options_default(ROWS, fields);
    return options_parse(&PROGRAM, &DRAW, fields, given, argc, argv, problem);
}

static void each_kind_fills_its_field(void **state)
{
    (void)state;
    Fields fields;
    bool given[OPTIONS_ROWS_MAX];
    Message problem;
    assert_int_equal(parse(&fields, given, "a.txt", &problem), OPTIONS_RUN);
    assert_true(fields.number == 1 && fields.whole == 0 && fields.on && fields.choice == 1);
    assert_true(fields.wide == 7 && fields.seed == 13 && fields.maybe == OPTION_MAYBE_AUTO);
    assert_true(fields.pair[0] == 10 && fields.pair[1] == 20 && !fields.flag && !fields.text);
    assert_string_equal(fields.first, "a.txt");
    assert_false(options_given(&DRAW, given, offsetof(Fields, seed)));
    assert_int_equal(parse(&fields, given,
                           "--number 1.5 --whole=64 --no-full-screen a.txt --colour blue "
                           "--preset mars --wide 5000000000 --seed 0xff --size 3x100 "
                           "--box=-1,2,3..4,-5,6 --other y --other y --quick",
                           &problem),
                     OPTIONS_RUN);
    assert_true(fields.number == 1.5 && fields.whole == 64 && !fields.on && fields.choice == 2);
    assert_true(fields.wide == 5000000000 && fields.seed == 255 && fields.flag);
    assert_true(fields.pair[0] == 3 && fields.pair[1] == 100 && fields.others == 2);
    assert_true(fields.box[0] == -1 && fields.box[3] == 4 && fields.box[4] == -5);
    assert_string_equal(fields.text, "mars");
    assert_true(options_given(&DRAW, given, offsetof(Fields, seed)));
}

static void a_command_line_may_be_written_in_many_ways(void **state)
{
    (void)state;
    Fields fields;
    bool given[OPTIONS_ROWS_MAX];
    Message problem;
    static const struct {
        const char *line;
        OptionsAsk ask;
    } cases[] = {
        {"a --whole auto", OPTIONS_RUN},
        {"a --who 3", OPTIONS_RUN}, // shortened
        {"a --no-f", OPTIONS_RUN},
        {"a --full", OPTIONS_RUN},
        {"-- --seed", OPTIONS_RUN},
        {"-", OPTIONS_RUN},
        {"--help --nonsense", OPTIONS_HELP},
        {"-h", OPTIONS_HELP},
        {"--hel", OPTIONS_HELP},
        {"-V", OPTIONS_VERSION},
        {"a --version", OPTIONS_VERSION},
        {"--print-manual", OPTIONS_MANUAL},
        {"--print-completion", OPTIONS_COMPLETION},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        problem.text[0] = '\0';
        if (parse(&fields, given, cases[i].line, &problem) != cases[i].ask) {
            fail_msg("%s: %s", cases[i].line, problem.text);
        }
    }
    assert_string_equal((parse(&fields, given, "-- --seed", &problem), fields.first), "--seed");
}

static void mistakes_get_one_sentence_with_a_way_out(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "Name a file: prog draw FILE [options]."},
        {"''", "Name a file."},
        {"a b", "There is one word too many, b; use prog draw FILE [options]."},
        {"--sede 5", "There is no option '--sede'; did you mean '--seed'?"},
        {"--sede=5", "There is no option '--sede'; did you mean '--seed'?"},
        {"-seed", "There is no option '-seed'; did you mean '--seed'?"},
        {"--no-ful-screen", "did you mean '--no-full-screen'?"},
        {"--s 5", "There is no option '--s'; "}, // seed or size
        {"--w", "There is no option '--w'; "},
        {"--verson", "did you mean '--version'?"},
        {"--print-manul", "the nearest is"},
        {"-x", "There is no option '-x'; the nearest is '--"},
        {"--inner", "There is no option '--inner'"},
        {"--FILE", "There is no option '--FILE'"},
        {"--", "Name a file"},
        {"--=", "There is no option '--'"},
        {"--seed", "--seed needs a value; prog help draw shows which."},
        {"--quick=1", "--quick=1 takes no value; leave it out."},
        {"--no-quick", "There is no option '--no-quick'; did you mean '--quick'?"},
        {"--number 0.4", "--number takes a number from 0.5 to 2, not '0.4'."},
        {"--number nan", "--number takes a number from 0.5 to 2, not 'nan'."},
        {"--number 1x", "not '1x'."},
        {"--whole 1", "--whole takes a whole number of chunks from 2 to 64 or auto, not '1'."},
        {"--whole 99999999999999999999", "from 2 to 64"},
        {"--whole 0x10", "from 2 to 64"},
        {"--colour gren", "--colour takes red, green or blue, not 'gren'; did you mean 'green'?"},
        {"--colour ''", "--colour takes red, green or blue, not ''."},
        {"--preset ''", "--preset takes flat or islands."},
        {"--wide 5000000001", "--wide takes a whole number from 1 to 5000000000, not"},
        {"--seed -1", "--seed takes a whole number from 0 to 18446744073709551615, not '-1'."},
        {"--size 3", "--size takes WxH in pixels, each from 1 to 100, such as 3x4, not '3'."},
        {"--size 3x4x5", "not '3x4x5'."},
        {"--size 3x", "not '3x'."},
        {"--size 3X4", "not '3X4'."},
        {"--size 0x4", "not '0x4'."},
        {"--box 1,2,3,4,5,6", "--box takes two corners, each from -9 to 9, not"},
        {"--other n", "--other takes y, not 'n'."},
        {"--version a", "--version takes no more words; leave out a."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Fields fields;
        bool given[OPTIONS_ROWS_MAX];
        Message problem = {""};
        if (parse(&fields, given, cases[i][0], &problem) != OPTIONS_WRONG ||
            !strstr(problem.text, cases[i][1])) {
            fail_msg("'%s' said '%s', not '%s'", cases[i][0], problem.text, cases[i][1]);
        }
    }
}

static void a_refused_value_changes_nothing(void **state)
{
    (void)state;
    Fields fields = {0}, before;
    options_default(ROWS, &fields);
    memcpy(&before, &fields, sizeof before);
    for (const Option *row = ROWS; row->name; row++) {
        Message problem;
        if (row->kind != OPTION_OTHER && row->kind != OPTION_TEXT && row->kind != OPTION_WORD) {
            assert_false(option_read(row, &fields, "nonsense", "It is", &problem));
        }
        if (row->kind != OPTION_OTHER) {
            assert_false(option_read(row, &fields, "", "It is", &problem));
        }
        assert_memory_equal(&fields, &before, sizeof before);
    }
}

static void hostile_command_lines_are_refused(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(49);
    static const char letters[] = "-=xX,.0123456789 seedwholefulscrnco%\\'\"\n\x80\xff";
    for (int i = 0; i < 20000; i++) {
        char words[4][80];
        char *argv[] = {"draw", words[0], words[1], words[2], words[3], NULL};
        for (int w = 0; w < 4; w++) {
            const int length = (int)test_random_range(&random, 0, 78);
            for (int c = 0; c < length; c++) {
                words[w][c] = letters[test_random_range(&random, 0, sizeof letters - 2)];
            }
            words[w][length] = '\0';
            if (test_random_range(&random, 0, 1)) {
                memcpy(words[w], "--", length < 2 ? (size_t)length : 2);
            }
        }
        Fields fields = {0};
        bool given[OPTIONS_ROWS_MAX];
        Message problem = {""};
        options_default(ROWS, &fields);
        if (options_parse(&PROGRAM, &DRAW, &fields, given, 5, argv, &problem) == OPTIONS_WRONG) {
            assert_true(problem.text[0] != '\0');
        }
    }
}

/// What a function prints. @return for free()
static char *printed(void (*print)(FILE *, const OptionProgram *), const OptionCommand *command)
{
    enum { BYTES = 32768 };
    char *text = calloc(1, BYTES);
    FILE *stream = tmpfile();
    assert_true(text && stream);
    if (print) {
        print(stream, &PROGRAM);
    } else {
        options_print_help(stream, &PROGRAM, command);
    }
    rewind(stream);
    assert_true(fread(text, 1, BYTES - 1, stream) > 0);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void expect_text(char *text, const char *const *parts)
{
    const char *at = text;
    for (; *parts; parts++) {
        const char *found = strstr(at, *parts);
        if (!found) {
            fail_msg("no '%s' in, or not there in:\n%s", *parts, text);
        }
        at = found + strlen(*parts);
    }
    free(text);
}

static void the_help_has_ranges_defaults_and_groups(void **state)
{
    (void)state;
    expect_text(printed(NULL, &DRAW),
                (const char *const[]){
                    "Draws a file.\n\nUsage: prog draw FILE [options]\n\n",
                    "  FILE                the file\n",
                    "  --number N          a number (0.5 to 2; default 1)\n",
                    "  --whole N           a whole number (2 to 64, auto; default auto)\n",
                    "  --[no-]full-screen  a switch (default yes)\n",
                    "a choice (red, green, blue; default green)\n",
                    "  --preset NAME       a text with words (flat, islands)\n",
                    "  -h, --help          show this text\n  -V, --version", "\n\nOthers\n",
                    "a large number (default 7)\n", "a seed (default 13)\n",
                    "two numbers (1 to 100 each; default 10x20)\n",
                    "\n\nFirst paragraph.\n\nSecond one.\n\nExamples\n",
                    "  prog draw a.txt\n  prog draw --quick b.txt\n", NULL});
    expect_text(printed(NULL, NULL),
                (const char *const[]){"Usage: prog COMMAND [options]\n\nCommands\n  draw  ",
                                      "  paint", "  help COMMAND", "  -h, --help", "Exit codes: 0",
                                      NULL});
    char *help = printed(NULL, &DRAW);
    for (const char *line = help; *line; line += strcspn(line, "\n") + 1) {
        assert_true(strcspn(line, "\n") <= OPTIONS_HELP_WIDTH);
    }
    free(help);
}

static void manual_and_completion_have_every_option(void **state)
{
    (void)state;
    char *manual = printed(options_print_manual, NULL);
    char *completion = printed(options_print_completion, NULL);
    for (const Option *row = ROWS; row->name; row++) {
        char name[OPTION_NAME_BYTES], roff[2 * OPTION_NAME_BYTES];
        size_t length = 0;
        option_name(row, name);
        for (const char *c = name; *c; c++) {
            if (*c == '-') {
                roff[length++] = '\\';
            }
            roff[length++] = *c;
        }
        roff[length] = '\0';
        if (!strstr(manual, roff) || (option_is_on_line(row) && !strstr(completion, name))) {
            fail_msg("no %s", name);
        }
    }
    assert_non_null(strstr(completion, "draw:--preset) words='flat islands' ;;"));
    assert_non_null(strstr(completion, "complete -F _prog prog"));
    free(manual);
    free(completion);
}

static void the_nearest_word_is_found(void **state)
{
    (void)state;
    assert_int_equal(nearest_distance("seed", "seed"), 0);
    assert_int_equal(nearest_distance("sede", "seed"), 1); // swapped
    assert_int_equal(nearest_distance("", "seed"), 4);
    assert_int_equal(nearest_distance("seed", ""), 4);
    assert_int_equal(nearest_distance("kitten", "sitting"), 3);
    Nearest nearest = {.word = "expotr"};
    nearest_try(&nearest, "import");
    nearest_try(&nearest, NULL);
    nearest_try(&nearest, "export");
    assert_string_equal(nearest.name, "export");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_fills_its_field),
        cmocka_unit_test(a_command_line_may_be_written_in_many_ways),
        cmocka_unit_test(mistakes_get_one_sentence_with_a_way_out),
        cmocka_unit_test(a_refused_value_changes_nothing),
        cmocka_unit_test(hostile_command_lines_are_refused),
        cmocka_unit_test(the_help_has_ranges_defaults_and_groups),
        cmocka_unit_test(manual_and_completion_have_every_option),
        cmocka_unit_test(the_nearest_word_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
