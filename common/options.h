/// Options of the programs: a row an option, a struct a command. From them come the parser, the
/// sentences that refuse a mistake, --help, the manual page and bash's completion
/// (options_print.h); the viewer's settings file and menu use the same rows. A new option is a row,
/// and a field that it fills. Thread-safe; argv stays as it is.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "message.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OPTIONS_ROWS_MAX 96  ///< of a command
#define OPTION_NAME_BYTES 40 ///< of a name as it is typed, without its dashes
#define OPTION_NUMBERS_MAX 6 ///< of one OPTION_NUMBERS
#define OPTION_MAYBE_AUTO 2  ///< neither no nor yes

/// What a row's field is, and which texts it takes.
typedef enum OptionKind {
    OPTION_NUMBER,  ///< double
    OPTION_WHOLE,   ///< int
    OPTION_SWITCH,  ///< bool: --name or --no-name; as a text yes or no
    OPTION_CHOICE,  ///< int: place in `words`
    OPTION_MAYBE,   ///< int: no, yes, or OPTION_MAYBE_AUTO
    OPTION_TEXT,    ///< const char *, borrowed, not empty
    OPTION_OTHER,   ///< `read` takes the text
    OPTION_LONG,    ///< int64_t
    OPTION_SEED,    ///< uint64_t, decimal or 0x...
    OPTION_NUMBERS, ///< int64_t[]: one for each letter of `argument`, such as "X,Z" or "WxH"
    OPTION_FLAG,    ///< bool: --name
    OPTION_WORD     ///< const char *, borrowed: what is typed without dashes, in the rows' order
} OptionKind;

/// Where a row shows, added up; 0 is OPTION_ON_LINE. A program may define further bits.
enum {
    OPTION_ON_LINE = 1, ///< an option of its own
    OPTION_INNER = 2    ///< a word within the value of another option
};

typedef struct Option {
    const char *section; ///< whose rows stand together in the help; NULL: the first
    const char *name;
    const char *option; ///< the name that is typed; NULL: `name` with hyphens
    const char *label;  ///< for players
    const char *help;   ///< a sentence without its full stop; ranges and defaults are added
    OptionKind kind;
    size_t offset;            ///< of the field, in bytes
    double low, high, usual;  ///< of numbers, inclusive; the default
    const char *instead;      ///< a word for one number out of range, or NULL
    const char *const *words; ///< of a choice; NULL after the last
    const char *unit;         ///< format for players, such as "%.0f degrees"
    const char *takes;        ///< what it takes, for messages; NULL: by kind
    const char *argument;     ///< what stands behind the option in the help; NULL: by kind
    bool (*read)(void *target, const char *text, Message *problem); ///< of OPTION_OTHER
    unsigned shows;                                                 ///< OPTION_ON_LINE and others
    unsigned effect;                                                ///< the program's own
    const char *(*word_at)(size_t i);   ///< as `words`, made at run time; NULL after the last
    const char *(*word_help)(size_t i); ///< what each of them is; NULL: the help does not list them
    const char *standard; ///< the default as a text, for kinds without `usual`; or NULL
    const char *example;  ///< a value for messages, or NULL
} Option;

/// A command of a program, or a program without commands.
typedef struct OptionCommand {
    const char *name;
    const char *summary;  ///< one line for a list of commands
    const char *about;    ///< first in its help
    const char *usage;    ///< behind the name; NULL: by the rows
    const char *stray;    ///< how to give what words without dashes may mean, or NULL
    const char *bare;     ///< a word that begins so is the value of the row `bare_row`; or NULL
    const char *bare_row; ///< its name
    const Option *rows;   ///< one without a name after the last
    const char *closing;  ///< paragraphs, separated by empty lines, or NULL
    const char *examples; ///< a command a line, or NULL
    /// The titles of sections, NULL after the last. Rows of sections without one follow those
    /// before them.
    const struct OptionTitle {
        const char *section, *title;
    } * titles;
    const char *inner_title;    ///< of OPTION_INNER rows, or NULL
    void (*more)(FILE *stream); ///< prints another chapter of the help, as it is; or NULL
    size_t bytes;               ///< of the struct with the fields, for options_run
    /// Checks what no row shows alone, after parsing. @return false: exit code 2
    bool (*check)(void *target, const bool *given, Message *problem);
    bool (*act)(void *target, Message *problem); ///< @return false: exit code 1
} OptionCommand;

typedef struct OptionProgram {
    const char *name;
    const char *summary;                  ///< of the manual page
    const OptionCommand *alone;           ///< of a program without commands, or NULL
    const OptionCommand *const *commands; ///< NULL after the last
    const char *const *missing;           ///< commands that this build lacks, or NULL
    const char *missing_help;             ///< how to get them: a sentence
    const char *examples;                 ///< of a program with commands
    const char *closing;                  ///< exit codes
} OptionProgram;

typedef struct OptionText {
    char text[320];
} OptionText;

// ---- command lines ------------------------------------------------------------------------------

/// What a command line asks for.
typedef enum OptionsAsk {
    OPTIONS_WRONG, ///< nothing: a message says why
    OPTIONS_RUN,
    OPTIONS_HELP,      ///< -h, --help
    OPTIONS_VERSION,   ///< -V, --version
    OPTIONS_MANUAL,    ///< --print-manual: for the build, not in the help
    OPTIONS_COMPLETION ///< --print-completion, likewise
} OptionsAsk;

/// Reads a command line over what is in `target`. Names may be shortened as long as they stay
/// unambiguous. A text is borrowed from argv.
/// @param argv   [argc] the command's name, and the words behind it
/// @param given  [OPTIONS_ROWS_MAX] receives true for each row that was given
OptionsAsk options_parse(const OptionProgram *program, const OptionCommand *command, void *target,
                         bool *given, int argc, char **argv, Message *problem);

/// Gives each row's field its default.
void options_default(const Option *rows, void *target);

/// Whether the row of a field was given.
bool options_given(const OptionCommand *command, const bool *given, size_t offset);

/// The command as it is typed: "terrane info FILE [options]".
OptionText options_usage(const OptionProgram *program, const OptionCommand *command);

/// Refuses a word: `There is no KIND 'word'; did you mean 'nearest'?`
/// @param list  what to type for a list
/// @return false
bool options_refuse(const char *kind, const char *word, const char *nearest, const char *list,
                    Message *problem);

// ---- rows ---------------------------------------------------------------------------------------

/// The name as it is typed, without dashes.
void option_name(const Option *row, char name[OPTION_NAME_BYTES]);

/// One of the words that a row takes. @return NULL after the last, or if it takes others
const char *option_word(const Option *row, size_t i);

/// -h, --help and -V, --version, which every command has. @return NULL after the last
const Option *option_built_in(size_t i);

/// Whether the row is an option of its own.
bool option_is_on_line(const Option *row);

/// Whether the option has a value.
bool option_has_value(const Option *row);

/// The row of a field; NULL if it has none. The first, if several share the field.
const Option *option_of(const Option *rows, size_t offset);

/// The number that the word `instead` stands for: 0, or -1 where 0 is in range.
int option_instead(const Option *row);

/// The words of a choice: "low, medium, high or auto". @param last  between the last two: " or "
OptionText option_words(const Option *row, const char *last);

/// What it may be: "2 to 32", "yes, no".
OptionText option_range(const Option *row);

/// The field as a text that option_read takes; empty from OPTION_TEXT on.
OptionText option_text(const Option *row, const void *target);

/// Sets a field by its text.
/// @param subject  begins the message: "--frames takes"
/// @return false when the text is nothing that the row takes; then nothing changed
bool option_read(const Option *row, void *target, const char *text, const char *subject,
                 Message *problem);

/// The value of a NUMBER, WHOLE, SWITCH, CHOICE or MAYBE.
double option_number(const Option *row, const void *target);

/// Sets it, cut to the row's range; not a number means the default.
void option_set_number(const Option *row, void *target, double number);

void option_copy(const Option *row, void *to, const void *from);
bool option_differs(const Option *row, const void *a, const void *b);

// ---- values -------------------------------------------------------------------------------------
// Each function parses the whole text, or returns false and leaves its out-parameters unchanged.

/// A decimal number in [low, high].
bool option_read_whole(const char *text, int64_t low, int64_t high, int64_t *value);

/// Several of them.
/// @param shape  such as "X,Z": a number for each capital letter or word of them, the rest as it is
bool option_read_wholes(const char *text, const char *shape, int64_t low, int64_t high,
                        int64_t *values);

/// Any 64-bit number, also hexadecimal (0x...).
bool option_read_seed(const char *text, uint64_t *seed);

#ifdef __cplusplus
}
#endif
