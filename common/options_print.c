#include "options_print.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include <terrane/base.h>

#define HELP_COLUMN_MAX 28  ///< where the sentences of options begin, at most
#define RANGE_SHOWN_MAX 1e9 ///< greater limits are those of the world: not worth showing

/// Where a text goes, and how.
typedef struct Printer {
    FILE *stream;
    const OptionProgram *program;
    bool is_manual; ///< man(7), not plain text
    int column;     ///< where the sentences of options begin
} Printer;

// ---- text ---------------------------------------------------------------------------------------

/// Prints a part of a text for man(7), in which backslashes, hyphens and first dots have meanings.
static void options_print_roff(FILE *stream, const char *text, size_t length)
{
    bool is_first = true;
    for (size_t i = 0; i < length; i++) {
        if (is_first && (text[i] == '.' || text[i] == '\'')) {
            fputs("\\&", stream);
        }
        is_first = text[i] == '\n';
        fputs(text[i] == '\\' ? "\\e" : text[i] == '-' ? "\\-" : "", stream);
        if (text[i] != '\\' && text[i] != '-') {
            fputc(text[i], stream);
        }
    }
}

/// Prints a text in lines of at most OPTIONS_HELP_WIDTH. @param indent  of all lines
/// @param used  columns of the first line that are printed already
static void options_print_wrapped(FILE *stream, const char *text, int indent, int used)
{
    int column = used;
    if (used && used + 2 > indent) {
        fputc('\n', stream);
        column = 0;
    }
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > OPTIONS_HELP_WIDTH) {
            fputc('\n', stream);
            column = 0;
        }
        column += fprintf(stream, "%*s", column < indent ? indent - column : column > 0, "");
        column += fprintf(stream, "%.*s", length, text);
        text += length;
        text += *text == ' ';
    }
    fputc('\n', stream);
}

/// Prints paragraphs, between which empty lines stand.
static void options_print_paragraphs(const Printer *printer, const char *text)
{
    while (text && *text) {
        const char *end = strstr(text, "\n\n");
        const size_t length = end ? (size_t)(end - text) : strlen(text);
        char paragraph[2048];
        (void)snprintf(paragraph, sizeof paragraph, "%.*s", (int)length, text);
        if (printer->is_manual) {
            fputs(".PP\n", printer->stream);
            options_print_roff(printer->stream, paragraph, strlen(paragraph));
            fputc('\n', printer->stream);
        } else {
            fputc('\n', printer->stream);
            options_print_wrapped(printer->stream, paragraph, 0, 0);
        }
        text = end ? end + 2 : NULL;
    }
}

static void options_print_title(const Printer *printer, const char *title)
{
    fprintf(printer->stream, printer->is_manual ? ".PP\n.B %s\n" : "\n%s\n", title);
}

/// Prints lines as they are.
static void options_print_lines(const Printer *printer, const char *title, const char *lines)
{
    if (!lines) {
        return;
    }
    options_print_title(printer, title);
    fputs(printer->is_manual ? ".PP\n.nf\n" : "", printer->stream);
    while (*lines) {
        const size_t length = strcspn(lines, "\n");
        if (printer->is_manual) {
            options_print_roff(printer->stream, lines, length);
            fputc('\n', printer->stream);
        } else {
            fprintf(printer->stream, "  %.*s\n", (int)length, lines);
        }
        lines += length + (lines[length] != '\0');
    }
    fputs(printer->is_manual ? ".fi\n" : "", printer->stream);
}

/// Prints a term and what it is.
static void options_print_term(const Printer *printer, const char *term, const char *help)
{
    if (printer->is_manual) {
        fputs(".TP\n.B ", printer->stream);
        options_print_roff(printer->stream, term, strlen(term));
        fputc('\n', printer->stream);
        options_print_roff(printer->stream, help, strlen(help));
        fputc('\n', printer->stream);
        return;
    }
    const int used = fprintf(printer->stream, "  %s", term);
    options_print_wrapped(printer->stream, help, printer->column, used);
}

// ---- rows ---------------------------------------------------------------------------------------

/// "--scale N", "-h, --help", "--[no-]demo", "FILE".
static OptionText options_print_row_term(const Option *row)
{
    OptionText text;
    char name[OPTION_NAME_BYTES];
    option_name(row, name);
    const bool is_inner = (row->shows & OPTION_INNER) != 0;
    const bool is_word = row->kind == OPTION_WORD;
    const bool has_value = option_has_value(row) && row->kind != OPTION_MAYBE && !is_word;
    const bool has_no = row->kind == OPTION_SWITCH && (row->usual > 0 || row->label);
    const char *letter = row == option_built_in(0)   ? "-h, "
                         : row == option_built_in(1) ? "-V, "
                                                     : "";
    const char *argument = row->argument ? row->argument : option_word(row, 0) ? "WORD" : "N";
    (void)snprintf(text.text, sizeof text.text, "%s%s%s%s%s%s", letter,
                   is_inner || is_word ? "" : "--", has_no ? "[no-]" : "",
                   is_word ? row->name : name,
                   !has_value ? ""
                   : is_inner ? "="
                              : " ",
                   has_value ? argument : "");
    return text;
}

/// The default as the user would type it; empty if it is not worth a word.
static OptionText options_print_row_default(const Option *row)
{
    OptionText text = {""};
    const bool is_usual = row->usual >= row->low && row->usual <= row->high;
    if (row->standard) {
        (void)snprintf(text.text, sizeof text.text, "%s", row->standard);
    } else if (row->instead && !is_usual) {
        (void)snprintf(text.text, sizeof text.text, "%s", row->instead);
    } else if (row->kind == OPTION_SWITCH && (row->usual > 0 || row->label)) {
        (void)snprintf(text.text, sizeof text.text, row->usual > 0 ? "yes" : "no");
    } else if (row->kind == OPTION_CHOICE && is_usual) {
        (void)snprintf(text.text, sizeof text.text, "%s", option_word(row, (size_t)row->usual));
    } else if (is_usual && (row->kind <= OPTION_WHOLE || row->kind == OPTION_LONG)) {
        (void)snprintf(text.text, sizeof text.text, "%.12g", row->usual);
    }
    return text;
}

/// "what it is (2 to 32; default 16)".
static void options_print_row(const Printer *printer, const Option *row)
{
    char help[1024];
    OptionText range = {""};
    const OptionText standard = options_print_row_default(row);
    const bool is_listed = row->kind == OPTION_MAYBE || row->kind == OPTION_SWITCH;
    if (!is_listed && !row->word_help && row->kind != OPTION_OTHER &&
        fabs(row->high) < RANGE_SHOWN_MAX) {
        range = option_range(row);
    }
    const char *each = range.text[0] && row->kind == OPTION_NUMBERS ? " each" : "";
    const bool has_range = range.text[0], has_default = standard.text[0];
    (void)snprintf(help, sizeof help, "%s%s%s%s%s%s%s%s", row->help,
                   has_range || has_default ? " (" : "", range.text, each,
                   has_range && has_default ? "; " : "", has_default ? "default " : "",
                   standard.text, has_range || has_default ? ")" : "");
    options_print_term(printer, options_print_row_term(row).text, help);
}

/// Sets the column in which the sentences of the rows begin.
static void options_print_set_column(Printer *printer, const OptionCommand *command)
{
    printer->column = 17;
    for (const Option *row = command->rows; row->name; row++) {
        const int end = (int)strlen(options_print_row_term(row).text) + 4;
        if (end > printer->column && end <= HELP_COLUMN_MAX) {
            printer->column = end;
        }
    }
}

/// A heading and the words that stand without dashes, where each is explained.
static void options_print_listed_words(const Printer *printer, const OptionCommand *command)
{
    for (const Option *row = command->rows; row->name; row++) {
        for (size_t i = 0; row->word_help && option_word(row, i); i++) {
            if (i == 0) {
                options_print_title(printer, row->help);
            }
            options_print_term(printer, option_word(row, i), row->word_help(i));
        }
    }
}

static bool options_print_is_same_section(const Option *a, const Option *b)
{
    return a->section == b->section ||
           (a->section && b->section && strcmp(a->section, b->section) == 0);
}

/// The title above a row that begins a section; NULL if it has none.
static const char *options_print_section_title(const OptionCommand *command, const Option *row)
{
    for (const struct OptionTitle *title = command->titles; title && title->title; title++) {
        if (row->section && strcmp(title->section, row->section) == 0) {
            return title->title;
        }
    }
    return command->titles ? NULL : row->section;
}

/// In the manual page they stand once.
static void options_print_built_in(const Printer *printer, const OptionCommand *command)
{
    if (printer->is_manual && command && command != printer->program->alone) {
        return;
    }
    for (size_t i = 0; option_built_in(i); i++) {
        options_print_row(printer, option_built_in(i));
    }
}

static void options_print_options(const Printer *printer, const OptionCommand *command)
{
    const Option *last = NULL;
    bool has_built_in = false;
    options_print_listed_words(printer, command);
    for (const Option *row = command->rows; row->name; row++) {
        const bool is_word = row->kind == OPTION_WORD && row->help && !row->word_help;
        if (!is_word && !option_is_on_line(row)) {
            continue;
        }
        if (!last || !options_print_is_same_section(last, row)) {
            const char *title = options_print_section_title(command, row);
            if (last && !has_built_in) {
                options_print_built_in(printer, command);
                has_built_in = true;
            }
            if (title) {
                options_print_title(printer, title);
            } else if (!last && !printer->is_manual) {
                fputc('\n', printer->stream);
            }
        }
        options_print_row(printer, row);
        last = row;
    }
    if (!has_built_in) {
        fputs(last || printer->is_manual ? "" : "\n", printer->stream);
        options_print_built_in(printer, command);
    }
    if (command->inner_title) {
        options_print_title(printer, command->inner_title);
    }
    for (const Option *row = command->rows; row->name; row++) {
        if (row->shows & OPTION_INNER) {
            options_print_row(printer, row);
        }
    }
}

// ---- help ---------------------------------------------------------------------------------------

/// Everything about a command behind its usage.
static void options_print_command(Printer *printer, const OptionCommand *command)
{
    options_print_set_column(printer, command);
    options_print_options(printer, command);
    if (command->more) {
        fputs(printer->is_manual ? ".PP\n.nf\n" : "", printer->stream);
        command->more(printer->stream);
        fputs(printer->is_manual ? ".fi\n" : "", printer->stream);
    }
    options_print_paragraphs(printer, command->closing);
    options_print_lines(printer, "Examples", command->examples);
}

static void options_print_commands(const Printer *printer)
{
    for (size_t i = 0; printer->program->commands[i]; i++) {
        const OptionCommand *command = printer->program->commands[i];
        options_print_term(printer, command->name, command->summary);
    }
    options_print_term(printer, "help COMMAND", "explains a command");
}

void options_print_help(FILE *stream, const OptionProgram *program, const OptionCommand *command)
{
    Printer printer = {stream, program, false, 17};
    command = command ? command : program->alone;
    if (command) {
        options_print_wrapped(stream, command->about, 0, 0);
        fprintf(stream, "\nUsage: %s\n", options_usage(program, command).text);
        options_print_command(&printer, command);
    } else {
        fprintf(stream, "%c%s.\n\nUsage: %s COMMAND [options]\n\nCommands\n",
                toupper((unsigned char)program->summary[0]), program->summary + 1, program->name);
        options_print_commands(&printer);
        fputc('\n', stream);
        options_print_built_in(&printer, NULL);
        options_print_lines(&printer, "Examples", program->examples);
    }
    if (!command || command == program->alone) {
        options_print_paragraphs(&printer, program->closing);
    }
}

void options_print_version(FILE *stream, const OptionProgram *program)
{
    fprintf(stream, "%s %s\n", program->name, trn_version());
}

// ---- manual page --------------------------------------------------------------------------------

static void options_print_manual_command(Printer *printer, const OptionCommand *command)
{
    const OptionText usage = options_usage(printer->program, command);
    fputs(".SS ", printer->stream);
    options_print_roff(printer->stream, usage.text, strlen(usage.text));
    fputc('\n', printer->stream);
    options_print_paragraphs(printer, command->about);
    options_print_command(printer, command);
}

void options_print_manual(FILE *stream, const OptionProgram *program)
{
    Printer printer = {stream, program, true, 0};
    const OptionCommand *alone = program->alone;
    fprintf(stream, ".TH \"%s\" 1 \"\" \"Terrane %s\" \"User Commands\"\n.SH NAME\n", program->name,
            trn_version());
    options_print_roff(stream, program->name, strlen(program->name));
    fputs(" \\- ", stream);
    options_print_roff(stream, program->summary, strlen(program->summary));
    fputs("\n.SH SYNOPSIS\n.B ", stream);
    options_print_roff(stream, program->name, strlen(program->name));
    fprintf(stream, "\n%s\n",
            alone ? options_usage(program, alone).text + strlen(program->name)
                  : ".I COMMAND\n[options]");
    if (alone) {
        fputs(".SH DESCRIPTION\n", stream);
        options_print_paragraphs(&printer, alone->about);
        fputs(".SH OPTIONS\n", stream);
        options_print_command(&printer, alone);
    } else {
        fputs(".SH COMMANDS\n", stream);
        options_print_commands(&printer);
        fputs(".SH OPTIONS\n", stream);
        options_print_built_in(&printer, NULL);
        fputs(".SH \"THE COMMANDS IN DETAIL\"\n", stream);
        for (size_t i = 0; program->commands[i]; i++) {
            options_print_manual_command(&printer, program->commands[i]);
        }
    }
    fputs(".SH \"EXIT STATUS\"\n", stream);
    options_print_paragraphs(&printer, program->closing);
}

// ---- completion ---------------------------------------------------------------------------------

static void options_print_words(FILE *stream, const Option *row)
{
    for (size_t i = 0; option_word(row, i); i++) {
        fprintf(stream, "%s%s", i ? " " : "", option_word(row, i));
    }
}

static bool options_print_takes_file(const Option *row)
{
    return row->kind == OPTION_WORD || (row->argument && (strcmp(row->argument, "FILE") == 0 ||
                                                          strcmp(row->argument, "DIR") == 0));
}

/// What stands behind each option that has a value.
static void options_print_completion_values(FILE *stream, const OptionCommand *command)
{
    for (const Option *row = command->rows; row->name; row++) {
        char name[OPTION_NAME_BYTES];
        option_name(row, name);
        if (!option_is_on_line(row) || !option_has_value(row)) {
            continue;
        }
        fprintf(stream, "    %s:--%s) ", command->name, name);
        if (option_word(row, 0)) {
            fputs("words='", stream);
            options_print_words(stream, row);
            fputs("' ;;\n", stream);
        } else {
            fputs(options_print_takes_file(row) ? "files=1 ;;\n" : "return ;;\n", stream);
        }
    }
}

/// All options, and the words without dashes.
static void options_print_completion_names(FILE *stream, const OptionCommand *command)
{
    const Option *word = NULL;
    fprintf(stream, "        %s:-*) words='", command->name);
    for (const Option *row = command->rows; row->name; row++) {
        char name[OPTION_NAME_BYTES];
        option_name(row, name);
        word = !word && row->kind == OPTION_WORD ? row : word;
        if (option_is_on_line(row)) {
            fprintf(stream, "--%s ", name);
        }
        if (option_is_on_line(row) && row->kind == OPTION_SWITCH) {
            fprintf(stream, "--no-%s ", name);
        }
    }
    fputs("--help --version' ;;\n", stream);
    if (word) {
        fprintf(stream, "        %s:*) ", command->name);
        fputs(option_word(word, 0) ? "words='" : "files=1", stream);
        options_print_words(stream, word);
        fputs(option_word(word, 0) ? "' ;;\n" : " ;;\n", stream);
    }
}

void options_print_completion(FILE *stream, const OptionProgram *program)
{
    const OptionCommand *const one[] = {program->alone, NULL};
    const OptionCommand *const *commands = program->alone ? one : program->commands;
    char function[OPTION_NAME_BYTES];
    (void)snprintf(function, sizeof function, "_%s", program->name);
    for (char *c = function; *c; c++) {
        *c = *c == '-' ? '_' : *c;
    }
    fprintf(stream,
            "# bash completion for %s, made by %s --print-completion.\n"
            "%s()\n"
            "{\n"
            "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} "
            "command=%s\n"
            "    local words= files=\n"
            "    # bash makes three words of --name=value.\n"
            "    if [[ $word == = ]]; then word=\n"
            "    elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
            "    COMPREPLY=()\n",
            program->name, program->name, function, program->alone ? program->alone->name : "");
    if (!program->alone) {
        fputs("    if ((COMP_CWORD > 1)); then command=${COMP_WORDS[1]}; fi\n", stream);
    }
    fputs("    case $command:$before in\n", stream);
    for (size_t i = 0; commands[i]; i++) {
        options_print_completion_values(stream, commands[i]);
    }
    fputs("    *)\n        case $command:$word in\n", stream);
    for (size_t i = 0; commands[i]; i++) {
        options_print_completion_names(stream, commands[i]);
    }
    if (!program->alone) {
        fputs("        :* | help:* | --help:* | -h:*) words='", stream);
        for (size_t i = 0; commands[i]; i++) {
            fprintf(stream, "%s ", commands[i]->name);
        }
        fputs("help --help --version' ;;\n", stream);
    }
    fprintf(stream,
            "        esac ;;\n"
            "    esac\n"
            "    if [[ $files ]]; then\n"
            "        compopt -o filenames 2>/dev/null\n"
            "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
            "    else\n"
            "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
            "    fi\n"
            "}\n"
            "complete -F %s %s\n",
            function, program->name);
}
