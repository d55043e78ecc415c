#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"

// ---- values -------------------------------------------------------------------------------------

bool option_read_whole(const char *text, int64_t low, int64_t high, int64_t *value)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    // strtoll would skip leading blanks.
    bool whole = end != text && *end == '\0' && !isspace((unsigned char)text[0]);
    if (!whole || errno || number < low || number > high) {
        return false;
    }
    *value = number;
    return true;
}

/// Whether a letter of a shape stands for a number.
static bool options_is_capital(char letter)
{
    return letter >= 'A' && letter <= 'Z';
}

bool option_read_wholes(const char *text, const char *shape, int64_t low, int64_t high,
                        int64_t *values)
{
    int64_t read[OPTION_NUMBERS_MAX];
    size_t count = 0;
    while (*shape) {
        if (!options_is_capital(*shape)) {
            if (*text++ != *shape++) {
                return false;
            }
            continue;
        }
        char word[32];
        const size_t length = (*text == '-') + strspn(text + (*text == '-'), "0123456789");
        if (count == OPTION_NUMBERS_MAX || length >= sizeof word) {
            return false;
        }
        memcpy(word, text, length);
        word[length] = '\0';
        if (!option_read_whole(word, low, high, &read[count++])) {
            return false;
        }
        text += length;
        while (options_is_capital(*shape)) {
            shape++;
        }
    }
    if (*text) {
        return false;
    }
    memcpy(values, read, count * sizeof *read);
    return true;
}

bool option_read_seed(const char *text, uint64_t *seed)
{
    if (!isdigit((unsigned char)text[0])) {
        return false; // strtoull would turn -1 into the highest number
    }
    bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end;
    errno = 0;
    uint64_t number = strtoull(text, &end, hexadecimal ? 16 : 10);
    if (*end != '\0' || errno) {
        return false;
    }
    *seed = number;
    return true;
}

// ---- fields -------------------------------------------------------------------------------------

double option_number(const Option *row, const void *target)
{
    const char *field = (const char *)target + row->offset;
    double number;
    int whole;
    switch (row->kind) {
    case OPTION_NUMBER:
        memcpy(&number, field, sizeof number);
        return number;
    case OPTION_SWITCH:
        return *(const bool *)field;
    default:
        memcpy(&whole, field, sizeof whole);
        return whole;
    }
}

static void options_store(const Option *row, void *target, double number)
{
    char *field = (char *)target + row->offset;
    const int64_t wide = (int64_t)number;
    const int whole = (int)wide;
    switch (row->kind) {
    case OPTION_NUMBER:
        memcpy(field, &number, sizeof number);
        break;
    case OPTION_SWITCH:
    case OPTION_FLAG:
        *(bool *)field = number != 0;
        break;
    case OPTION_LONG:
        memcpy(field, &wide, sizeof wide);
        break;
    default:
        memcpy(field, &whole, sizeof whole);
    }
}

int option_instead(const Option *row)
{
    return row->low > 0 ? 0 : -1;
}

static bool options_is_instead(const Option *row, double number)
{
    return row->instead && number == option_instead(row);
}

void option_set_number(const Option *row, void *target, double number)
{
    if (isnan(number)) {
        number = row->usual;
    } else if (!options_is_instead(row, number)) {
        number = fmin(fmax(number, row->low), row->high);
    }
    options_store(row, target, row->kind == OPTION_NUMBER ? number : rint(number));
}

static size_t options_bytes(const Option *row)
{
    static const uint8_t bytes[] = {[OPTION_NUMBER] = sizeof(double),
                                    [OPTION_WHOLE] = sizeof(int),
                                    [OPTION_SWITCH] = sizeof(bool),
                                    [OPTION_CHOICE] = sizeof(int),
                                    [OPTION_MAYBE] = sizeof(int),
                                    [OPTION_TEXT] = sizeof(const char *),
                                    [OPTION_OTHER] = 0,
                                    [OPTION_LONG] = sizeof(int64_t),
                                    [OPTION_SEED] = sizeof(uint64_t),
                                    [OPTION_NUMBERS] = 0,
                                    [OPTION_FLAG] = sizeof(bool),
                                    [OPTION_WORD] = sizeof(const char *)};
    return bytes[row->kind];
}

void option_copy(const Option *row, void *to, const void *from)
{
    memcpy((char *)to + row->offset, (const char *)from + row->offset, options_bytes(row));
}

bool option_differs(const Option *row, const void *a, const void *b)
{
    return memcmp((const char *)a + row->offset, (const char *)b + row->offset,
                  options_bytes(row)) != 0;
}

void options_default(const Option *rows, void *target)
{
    Message unused;
    for (const Option *row = rows; row->name; row++) {
        if (row->standard) {
            (void)option_read(row, target, row->standard, "", &unused);
        } else if (row->kind < OPTION_TEXT || row->kind == OPTION_LONG) {
            options_store(row, target, row->usual);
        }
    }
}

const Option *option_of(const Option *rows, size_t offset)
{
    for (const Option *row = rows; row->name; row++) {
        if (row->kind != OPTION_OTHER && row->offset == offset) {
            return row;
        }
    }
    return NULL;
}

bool options_given(const OptionCommand *command, const bool *given, size_t offset)
{
    const Option *row = option_of(command->rows, offset);
    return row && given[row - command->rows];
}

// ---- fields as text -----------------------------------------------------------------------------

void option_name(const Option *row, char name[OPTION_NAME_BYTES])
{
    (void)snprintf(name, OPTION_NAME_BYTES, "%s", row->option ? row->option : row->name);
    for (char *c = name; *c; c++) {
        *c = *c == '_' ? '-' : *c;
    }
}

const char *option_word(const Option *row, size_t i)
{
    return row->word_at ? row->word_at(i) : row->words ? row->words[i] : NULL;
}

bool option_is_on_line(const Option *row)
{
    return row->kind != OPTION_WORD && (!row->shows || row->shows & OPTION_ON_LINE);
}

bool option_has_value(const Option *row)
{
    return row->kind != OPTION_SWITCH && row->kind != OPTION_FLAG &&
           (row->kind != OPTION_OTHER || row->argument);
}

OptionText option_words(const Option *row, const char *last)
{
    OptionText list = {""};
    for (size_t i = 0; option_word(row, i); i++) {
        const size_t length = strlen(list.text);
        (void)snprintf(list.text + length, sizeof list.text - length, "%s%s",
                       i == 0                    ? ""
                       : option_word(row, i + 1) ? ", "
                                                 : last,
                       option_word(row, i));
    }
    return list;
}

/// As short as says it exactly enough: 0.1 for what was a float of 0.1, too.
static void options_write_number(double number, OptionText *text)
{
    double read = INFINITY;
    for (int digits = 6; digits <= 9 && !(fabs(read - number) <= 1e-7 * fabs(number)); digits++) {
        (void)snprintf(text->text, sizeof text->text, "%.*g", digits, number);
        read = strtod(text->text, NULL);
    }
}

OptionText option_text(const Option *row, const void *target)
{
    OptionText text = {""};
    if (row->kind >= OPTION_TEXT) {
        return text;
    }
    const double number = option_number(row, target);
    if (options_is_instead(row, number)) {
        (void)snprintf(text.text, sizeof text.text, "%s", row->instead);
    } else if (row->words) {
        (void)snprintf(text.text, sizeof text.text, "%s", row->words[(int)number]);
    } else {
        options_write_number(number, &text);
    }
    return text;
}

static bool options_is_number(const Option *row)
{
    return row->kind <= OPTION_WHOLE || row->kind == OPTION_LONG || row->kind == OPTION_NUMBERS;
}

OptionText option_range(const Option *row)
{
    OptionText text = {""};
    if (row->kind == OPTION_SWITCH) {
        (void)snprintf(text.text, sizeof text.text, "yes, no");
    } else if (option_word(row, 0)) {
        text = option_words(row, ", ");
    } else if (options_is_number(row)) {
        (void)snprintf(text.text, sizeof text.text, "%.12g to %.12g%s%s", row->low, row->high,
                       row->instead ? ", " : "", row->instead ? row->instead : "");
    }
    return text;
}

// ---- text to field ------------------------------------------------------------------------------

/// The word of a row that is nearest to a text. @return NULL if it has no words
static const char *options_nearest(const Option *row, const char *text)
{
    Nearest nearest = {.word = text};
    for (size_t i = 0; option_word(row, i); i++) {
        nearest_try(&nearest, option_word(row, i));
    }
    return nearest.name;
}

/// Refuses a text: "--size takes WxH in pixels from 1 to 8, such as 3x4, not '5'."
static bool options_refuse_text(const Option *row, const char *text, const char *subject,
                                Message *problem)
{
    OptionText range = {""};
    const char *takes = row->takes;
    const char *each = row->kind == OPTION_NUMBERS ? ", each" : "";
    if (options_is_number(row)) {
        takes = takes ? takes : row->kind == OPTION_NUMBER ? "a number" : "a whole number";
        (void)snprintf(range.text, sizeof range.text, "%s from %.12g to %.12g%s%s", each, row->low,
                       row->high, row->instead ? " or " : "", row->instead ? row->instead : "");
    } else if (row->kind == OPTION_SEED) {
        takes = "a whole number from 0 to 18446744073709551615";
    }
    return message_set(problem, "%s %s%s%s%s, not '%s'.", subject, takes, range.text,
                       row->example ? ", such as " : "", row->example ? row->example : "",
                       message_short(text).text);
}

static bool options_read_number(const Option *row, void *target, const char *text,
                                const char *subject, Message *problem)
{
    double number;
    if (row->instead && strcmp(text, row->instead) == 0) {
        number = option_instead(row);
    } else if (row->kind == OPTION_NUMBER) {
        char *end;
        number = strtod(text, &end);
        if (end == text || *end || !(number >= row->low && number <= row->high)) {
            return options_refuse_text(row, text, subject, problem);
        }
    } else {
        int64_t whole;
        if (!option_read_whole(text, (int64_t)row->low, (int64_t)row->high, &whole)) {
            return options_refuse_text(row, text, subject, problem);
        }
        number = (double)whole;
    }
    options_store(row, target, number);
    return true;
}

static bool options_read_switch(const Option *row, void *target, const char *text,
                                const char *subject, Message *problem)
{
    static const char *const words[] = {"no", "yes", "off", "on", "false", "true", "0", "1", NULL};
    const bool has_auto = row->kind == OPTION_MAYBE;
    int found = 0;
    while (words[found] && strcmp(text, words[found]) != 0) {
        found++;
    }
    if (!words[found] && !(has_auto && strcmp(text, "auto") == 0)) {
        return message_set(problem, "%s yes%s no%s, not '%s'.", subject, has_auto ? "," : " or",
                           has_auto ? " or auto" : "", message_short(text).text);
    }
    options_store(row, target, words[found] ? found % 2 : OPTION_MAYBE_AUTO);
    return true;
}

static bool options_read_choice(const Option *row, void *target, const char *text,
                                const char *subject, Message *problem)
{
    for (size_t i = 0; option_word(row, i); i++) {
        if (strcmp(text, option_word(row, i)) == 0) {
            options_store(row, target, (double)i);
            return true;
        }
    }
    const char *nearest = options_nearest(row, text);
    const bool is_near = nearest && nearest_is_likely(text, nearest_distance(text, nearest));
    return message_set(problem, "%s %s, not '%s'%s%s%s", subject, option_words(row, " or ").text,
                       message_short(text).text, is_near ? "; did you mean '" : "",
                       is_near ? nearest : "", is_near ? "'?" : ".");
}

bool option_read(const Option *row, void *target, const char *text, const char *subject,
                 Message *problem)
{
    char *field = (char *)target + row->offset;
    switch (row->kind) {
    case OPTION_NUMBER:
    case OPTION_WHOLE:
    case OPTION_LONG:
        return options_read_number(row, target, text, subject, problem);
    case OPTION_SWITCH:
    case OPTION_FLAG:
    case OPTION_MAYBE:
        return options_read_switch(row, target, text, subject, problem);
    case OPTION_CHOICE:
        return options_read_choice(row, target, text, subject, problem);
    case OPTION_TEXT:
    case OPTION_WORD:
        if (!text[0]) {
            const OptionText words = option_words(row, " or ");
            return message_set(problem, "%s %s.", subject, words.text[0] ? words.text : row->takes);
        }
        memcpy(field, &text, sizeof text);
        return true;
    case OPTION_SEED:
        return option_read_seed(text, (uint64_t *)(void *)field) ||
               options_refuse_text(row, text, subject, problem);
    case OPTION_NUMBERS:
        return option_read_wholes(text, row->argument, (int64_t)row->low, (int64_t)row->high,
                                  (int64_t *)(void *)field) ||
               options_refuse_text(row, text, subject, problem);
    default:
        return row->read(target, text, problem);
    }
}

// ---- command lines ------------------------------------------------------------------------------

/// What every command has; `effect` is the OptionsAsk.
static const Option BUILT_IN[] = {
    {.name = "help", .help = "show this text", .kind = OPTION_FLAG, .effect = OPTIONS_HELP},
    {.name = "version", .help = "show the version", .kind = OPTION_FLAG, .effect = OPTIONS_VERSION},
    {.name = "print-manual", .kind = OPTION_FLAG, .effect = OPTIONS_MANUAL},
    {.name = "print-completion", .kind = OPTION_FLAG, .effect = OPTIONS_COMPLETION},
    {0},
};
#define BUILT_IN_SHOWN 2 ///< the rest is for the build
#define BUILT_IN_COUNT (sizeof BUILT_IN / sizeof *BUILT_IN)

const Option *option_built_in(size_t i)
{
    return i < BUILT_IN_SHOWN ? &BUILT_IN[i] : NULL;
}

/// A command line while it is read.
typedef struct OptionsLine {
    const OptionProgram *program;
    const OptionCommand *command;
    void *target;
    bool *given;
    int argc, at; ///< the next word
    char **argv;
    size_t words; ///< without dashes, so far
    Message *problem;
} OptionsLine;

/// A way to type an option: its name, and for a switch also "no-" and its name.
typedef struct OptionsSpelling {
    const Option *row; ///< NULL before the first
    bool is_no;
    char text[OPTION_NAME_BYTES + 3]; ///< without dashes
} OptionsSpelling;

OptionText options_usage(const OptionProgram *program, const OptionCommand *command)
{
    OptionText text;
    size_t length = (size_t)snprintf(text.text, sizeof text.text, "%s", program->name);
    if (command != program->alone) {
        length +=
            (size_t)snprintf(text.text + length, sizeof text.text - length, " %s", command->name);
    }
    for (const Option *row = command->rows; row->name && !command->usage; row++) {
        if (row->kind == OPTION_WORD && length < sizeof text.text) {
            length +=
                (size_t)snprintf(text.text + length, sizeof text.text - length, " %s", row->name);
        }
    }
    (void)snprintf(text.text + length, sizeof text.text - length, " %s",
                   command->usage ? command->usage : "[options]");
    return text;
}

/// "terrane help map", "terrane-bench --help".
static OptionText options_help_words(const OptionProgram *program, const OptionCommand *command)
{
    OptionText text;
    const bool is_alone = command == program->alone || !command->name;
    (void)snprintf(text.text, sizeof text.text, "%s %s%s", program->name,
                   is_alone ? "--help" : "help ", is_alone ? "" : command->name);
    return text;
}

/// Whether a row, or the end of the table, is one of BUILT_IN.
static bool options_is_built_in(const Option *row)
{
    return row >= BUILT_IN && row < BUILT_IN + BUILT_IN_COUNT;
}

/// The row after another: of the command, then of BUILT_IN. @param row  NULL: the first
static const Option *options_row_after(const OptionCommand *command, const Option *row)
{
    row = row ? row + 1 : command->rows ? command->rows : BUILT_IN;
    row = row->name || options_is_built_in(row) ? row : BUILT_IN;
    return row->name ? row : NULL;
}

/// Goes on to the next spelling of a command's options. @return false after the last
static bool options_next_spelling(const OptionCommand *command, OptionsSpelling *spelling)
{
    const Option *row = spelling->row;
    spelling->is_no = row && row->kind == OPTION_SWITCH && !spelling->is_no;
    if (!spelling->is_no) {
        do {
            row = options_row_after(command, row);
        } while (row && !option_is_on_line(row));
    }
    if (!row) {
        return false;
    }
    spelling->row = row;
    memcpy(spelling->text, "no-", 3);
    option_name(row, spelling->text + (spelling->is_no ? 3 : 0));
    return true;
}

/// Finds an option by its name, or by a beginning of it. @param typed  [length] without its dashes
/// @param found  receives the option, if there is one
/// @return how many options begin like that; 1 if one has exactly this name
static int options_find(const OptionCommand *command, const char *typed, size_t length,
                        OptionsSpelling *found)
{
    int matches = 0;
    OptionsSpelling spelling = {0};
    while (options_next_spelling(command, &spelling)) {
        if (strncmp(spelling.text, typed, length) == 0) {
            *found = spelling;
            matches++;
            if (!spelling.text[length]) {
                return 1;
            }
        }
    }
    return matches;
}

bool options_refuse(const char *kind, const char *word, const char *nearest, const char *list,
                    Message *problem)
{
    const MessageText text = message_short(word);
    if (!nearest) {
        return message_set(problem, "There is no %s '%s'; %s lists them all.", kind, text.text,
                           list);
    }
    if (!nearest_is_likely(word, nearest_distance(word, nearest))) {
        return message_set(problem,
                           "There is no %s '%s'; the nearest is '%s', and %s lists them all.", kind,
                           text.text, nearest, list);
    }
    return message_set(problem, "There is no %s '%s'; did you mean '%s'?", kind, text.text,
                       nearest);
}

/// Refuses an option that does not exist. @param typed  with its dashes
static OptionsAsk options_refuse_name(const OptionsLine *line, const char *typed, size_t length)
{
    char word[OPTION_NAME_BYTES + 8], name[OPTION_NAME_BYTES + 8], best[sizeof name] = "";
    (void)snprintf(word, sizeof word, "%s%.*s", typed[1] == '-' ? "" : "-", (int)length, typed);
    size_t least = SIZE_MAX;
    OptionsSpelling spelling = {0};
    while (options_next_spelling(line->command, &spelling)) {
        (void)snprintf(name, sizeof name, "--%s", spelling.text);
        const size_t distance = nearest_distance(word, name);
        if (distance < least && spelling.row->help) { // options for the build have none
            least = distance;
            memcpy(best, name, sizeof best);
        }
    }
    (void)snprintf(word, sizeof word, "%.*s", (int)length, typed);
    (void)options_refuse("option", word, best,
                         options_help_words(line->program, line->command).text, line->problem);
    return OPTIONS_WRONG;
}

/// Takes an option that every command has. @param row  of BUILT_IN
static OptionsAsk options_take_built_in(const OptionsLine *line, const Option *row)
{
    const char *extra = line->at < line->argc ? line->argv[line->at] : NULL;
    if (row->effect != OPTIONS_VERSION || !extra) {
        return (OptionsAsk)row->effect;
    }
    (void)message_set(line->problem, "--version takes no more words; leave out %s.",
                      message_short(extra).text);
    return OPTIONS_WRONG;
}

/// Takes a word that begins with two dashes, and its value.
static OptionsAsk options_take(OptionsLine *line, const char *typed)
{
    const char *name = typed + 2;
    const size_t length = strcspn(name, "=");
    const char *value = name[length] ? name + length + 1 : NULL;
    OptionsSpelling found;
    if (!length || options_find(line->command, name, length, &found) != 1) {
        return options_refuse_name(line, typed, length + 2);
    }
    if (!option_has_value(found.row)) {
        if (value) {
            (void)message_set(line->problem, "%s takes no value; leave it out.",
                              message_short(typed).text);
            return OPTIONS_WRONG;
        }
        value = found.is_no ? "no" : "yes";
    } else if (!value) {
        value = line->at < line->argc ? line->argv[line->at++] : NULL;
        if (!value) {
            (void)message_set(line->problem, "%s needs a value; %s shows which.",
                              message_short(typed).text,
                              options_help_words(line->program, line->command).text);
            return OPTIONS_WRONG;
        }
    }
    if (options_is_built_in(found.row)) {
        return options_take_built_in(line, found.row);
    }
    char spelled[OPTION_NAME_BYTES], subject[OPTION_NAME_BYTES + 16];
    option_name(found.row, spelled);
    (void)snprintf(subject, sizeof subject, "--%s takes", spelled);
    line->given[found.row - line->command->rows] = true;
    return option_read(found.row, line->target, value, subject, line->problem) ? OPTIONS_RUN
                                                                               : OPTIONS_WRONG;
}

/// The row of the next word without dashes; NULL if there is none.
static const Option *options_word_row(const OptionCommand *command, size_t place)
{
    for (const Option *row = command->rows; row && row->name; row++) {
        if (row->kind == OPTION_WORD && place-- == 0) {
            return row;
        }
    }
    return NULL;
}

/// Refuses a word that no row takes.
static OptionsAsk options_refuse_word(const OptionsLine *line, const char *word)
{
    const OptionCommand *command = line->command;
    const MessageText text = message_short(word);
    const OptionText help = options_help_words(line->program, command);
    if (line->words) {
        (void)message_set(line->problem, "There is one word too many, %s; use %s.", text.text,
                          options_usage(line->program, command).text);
    } else {
        (void)message_set(line->problem, "'%s' is not an option; %s%s%s lists %s.", text.text,
                          command->stray ? command->stray : "", command->stray ? ", and " : "",
                          help.text, command->stray ? "the rest" : "them all");
    }
    return OPTIONS_WRONG;
}

/// Whether a word needs no option before it, such as a link.
static bool options_is_bare(const OptionCommand *command, const char *word)
{
    return command->bare && strncmp(word, command->bare, strlen(command->bare)) == 0;
}

static OptionsAsk options_take_word(OptionsLine *line, const char *word)
{
    char typed[OPTION_NAME_BYTES + 3];
    if (options_is_bare(line->command, word)) {
        (void)snprintf(typed, sizeof typed, "--%s", line->command->bare_row);
        line->at--; // the word is its value
        return options_take(line, typed);
    }
    const Option *row = options_word_row(line->command, line->words);
    if (!row) {
        return options_refuse_word(line, word);
    }
    if (option_word(row, 0) && word[0]) {
        const char *nearest = options_nearest(row, word);
        if (strcmp(nearest, word) != 0) {
            (void)options_refuse(row->label, word, nearest,
                                 options_help_words(line->program, line->command).text,
                                 line->problem);
            return OPTIONS_WRONG;
        }
    }
    line->words++;
    line->given[row - line->command->rows] = true;
    return option_read(row, line->target, word, "Name", line->problem) ? OPTIONS_RUN
                                                                       : OPTIONS_WRONG;
}

/// What follows the last word.
static OptionsAsk options_finish(const OptionsLine *line)
{
    const Option *row = options_word_row(line->command, line->words);
    if (!row) {
        return OPTIONS_RUN;
    }
    (void)message_set(line->problem, "Name %s: %s.", row->takes,
                      options_usage(line->program, line->command).text);
    return OPTIONS_WRONG;
}

OptionsAsk options_parse(const OptionProgram *program, const OptionCommand *command, void *target,
                         bool *given, int argc, char **argv, Message *problem)
{
    OptionsLine line = {.program = program,
                        .command = command,
                        .target = target,
                        .given = given,
                        .argc = argc,
                        .at = 1,
                        .argv = argv,
                        .problem = problem};
    memset(given, 0, OPTIONS_ROWS_MAX * sizeof *given);
    bool takes_options = true; // until "--"
    while (line.at < argc) {
        const char *typed = argv[line.at++];
        OptionsAsk ask = OPTIONS_RUN;
        if (!takes_options || typed[0] != '-' || !typed[1]) {
            ask = options_take_word(&line, typed);
        } else if (strcmp(typed, "--") == 0) {
            takes_options = false;
        } else if (strcmp(typed, "-h") == 0) {
            ask = OPTIONS_HELP;
        } else if (strcmp(typed, "-V") == 0) {
            ask = options_take_built_in(&line, &BUILT_IN[1]);
        } else if (typed[1] == '-') {
            ask = options_take(&line, typed);
        } else {
            ask = options_refuse_name(&line, typed, strcspn(typed, "="));
        }
        if (ask != OPTIONS_RUN) {
            return ask;
        }
    }
    return options_finish(&line);
}
