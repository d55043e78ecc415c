#include "driver/command_line.hpp"

#include <cstddef>
#include <cstdio>
#include <regex>

#include "options_run.h"
#include "printable.h"

/// A regular expression, POSIX extended, case ignored.
class Filter {
  public:
    /// @throws std::regex_error
    explicit Filter(const std::string &pattern)
        : compiled(pattern, std::regex::extended | std::regex::icase | std::regex::nosubs)
    {
    }
    bool finds(const std::string &text) const
    {
        return std::regex_search(text, compiled);
    }

  private:
    std::regex compiled;
};

namespace {

/// The values that the table of options fills in.
struct Words {
    const char *topic, *csv, *json, *html, *compare, *plot, *trace;
    bool quick, check;
    CommandLine *line; ///< receives values of C++ types
};

bool take_filter(void *target, const char *text, Message *problem)
{
    try {
        static_cast<Words *>(target)->line->options.filter = std::make_shared<const Filter>(text);
        if (!text[0]) {
            return message_set(problem, "--filter takes a regular expression.");
        }
    } catch (const std::regex_error &) {
        return message_set(problem, "--filter takes a regular expression, not '%s'.",
                           message_short(text).text);
    }
    return true;
}

bool take_contender(void *target, const char *text, Message *problem)
{
    static_cast<Words *>(target)->line->options.contenders.emplace_back(text);
    return text[0] || message_set(problem, "--contender takes the name of a shared library.");
}

Option row(const char *name, OptionKind kind, std::size_t offset, const char *argument,
           const char *takes, const char *help)
{
    Option made = {};
    made.name = name;
    made.kind = kind;
    made.offset = offset;
    made.argument = argument;
    made.takes = takes;
    made.help = help;
    return made;
}

Option other(const char *name, bool (*read)(void *, const char *, Message *), const char *argument,
             const char *help)
{
    Option made = row(name, OPTION_OTHER, 0, argument, nullptr, help);
    made.read = read;
    return made;
}

Option topic_row(const Topics &topics)
{
    Option made = row("TOPIC", OPTION_WORD, offsetof(Words, topic), nullptr,
                      "a topic, such as lookup", "Topics");
    made.label = "topic";
    made.word_at = topics.name;
    made.word_help = topics.help;
    return made;
}

/// Quotes a word for a shell if necessary.
std::string shell_word(const std::string &word)
{
    const char *const plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
        return word;
    }
    std::string quoted = "'";
    for (const char c : word) {
        quoted += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return quoted + "'";
}

/// Checks combinations of options. @return -1, or the exit code after a mistake
int check_together(const CommandLine &line)
{
    const bool is_lookup = line.topic == "lookup";
    const bool writes = !line.csv_path.empty() || !line.json_path.empty() ||
                        !line.html_path.empty() || !line.compare_path.empty() ||
                        !line.options.plot_folder.empty();
    if (line.options.check && writes) {
        return refuse("--check measures nothing that --csv, --json, --html or --plot could write, "
                      "or --compare compare.");
    }
    if (line.csv_path == "-" && line.json_path == "-") {
        return refuse("Standard output takes one of --csv and --json.");
    }
    if (!line.csv_path.empty() && line.csv_path == line.json_path) {
        return refuse("--csv and --json need a file each.");
    }
    if (!is_lookup && (!line.options.contenders.empty() || !line.options.trace.empty())) {
        return refuse("--contender and --trace belong to topic lookup.");
    }
    return -1;
}

} // namespace

int refuse(const std::string &what)
{
    std::fprintf(stderr, "terrane-bench: %s\n", printable(what).c_str());
    return 2;
}

int parse_command_line(int count, char **arguments, const Topics &topics, CommandLine &line)
{
    const Option rows[] = {
        topic_row(topics),
        row("quick", OPTION_FLAG, offsetof(Words, quick), nullptr, nullptr,
            "fewer worlds and samples; ends within a minute"),
        row("check", OPTION_FLAG, offsetof(Words, check), nullptr, nullptr,
            "only checks the answers of all contenders, without timing, in any build"),
        other("filter", take_filter, "REGEX",
              "measures only baselines and rows whose \"question | world | contender\" matches, in "
              "any case"),
        other("contender", take_contender, "FILE",
              "adds your own contender, a shared library, to topic lookup; may be given several "
              "times (see common/contender.h)"),
        row("trace", OPTION_TEXT, offsetof(Words, trace), "FILE", "the name of a trace",
            "topic lookup replays a recording of your game instead of its worlds (docs/trace.md; "
            "terrane-viewer --record-trace)"),
        row("csv", OPTION_TEXT, offsetof(Words, csv), "FILE", "the name of a file",
            "writes the figures as comma-separated values; - is standard output"),
        row("json", OPTION_TEXT, offsetof(Words, json), "FILE", "the name of a file",
            "writes the figures as JSON (bench/README.md has its members); - is standard output"),
        row("html", OPTION_TEXT, offsetof(Words, html), "FILE", "the name of a file",
            "writes the run as one HTML page: figures, verdicts, plots, machine and command"),
        row("compare", OPTION_TEXT, offsetof(Words, compare), "FILE", "the name of a file",
            "prints which rows of Terrane's changed beyond their spread since a run that --json "
            "wrote; measures rows that became worse again; exits with 1 if they stay worse"),
        row("plot", OPTION_TEXT, offsetof(Words, plot), "DIR", "the name of a folder",
            "draws plots as SVG and PNG, with their figures as CSV (needs gnuplot)"),
        {}};
    OptionCommand command = {};
    command.name = "terrane-bench";
    command.about = "Compares ways of storing and finding chunks on the same worlds. Each way is a "
                    "contender, whose answers are checked before it is timed. Figures are medians; "
                    "ratios compare with the baseline that the table names.";
    command.rows = rows;
    command.examples = "terrane-bench lookup --quick\n"
                       "terrane-bench lookup --filter 'gather.*ball R=16' --plot pictures\n"
                       "terrane-bench lookup --check --contender ./mine.so\n"
                       "terrane-bench lookup --contender ./mine.so --trace game.trace\n"
                       "terrane-bench index --json before.json\n"
                       "terrane-bench index --compare before.json --html index.html\n"
                       "terrane-bench pools --quick --json -";
    OptionProgram program = {};
    program.name = "terrane-bench";
    program.summary = "compares ways of keeping the chunks of voxel worlds";
    program.alone = &command;
    program.closing = "Exit codes: 0 success, 1 failure or a wrong answer, 2 wrong command line.";
    Words words = {};
    words.line = &line;
    bool given[OPTIONS_ROWS_MAX];
    Message problem = {};
    const OptionsAsk ask =
        options_parse(&program, &command, &words, given, count, arguments, &problem);
    const int code = options_answer(&program, &command, ask, &problem);
    if (code >= 0) {
        return code;
    }
    const auto text = [](const char *word) { return std::string(word ? word : ""); };
    line.topic = words.topic;
    line.csv_path = text(words.csv);
    line.json_path = text(words.json);
    line.html_path = text(words.html);
    line.compare_path = text(words.compare);
    line.options.plot_folder = text(words.plot);
    line.options.trace = text(words.trace);
    line.options.quick = words.quick;
    line.options.check = words.check;
    for (int i = 0; i < count; i++) {
        line.options.command += (i ? " " : "") + shell_word(i ? arguments[i] : "terrane-bench");
    }
    return check_together(line);
}

std::string row_name(const std::string &question, const std::string &world,
                     const std::string &contender)
{
    return question + " | " + world + " | " + contender;
}

bool BenchOptions::wants(const std::string &question, const std::string &world,
                         const std::string &contender) const
{
    const std::string row = row_name(question, world, contender);
    return (!filter || filter->finds(row)) && (rows.empty() || rows.count(row));
}
