#include "driver/command_line.hpp"

#include <cstdio>
#include <regex>

#include <getopt.h>

#include <terrane/base.h>

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

/// Before and after the topics.
const char *const help_head =
    "usage: terrane-bench TOPIC [options]\n"
    "\n"
    "Compares ways of storing and finding chunks on the same worlds. Each way is a contender,\n"
    "whose answers are checked before it is timed. Figures are medians; ratios compare with the\n"
    "baseline that the table names.\n"
    "\n"
    "topics:\n";

const char *const help_tail =
    "\n"
    "options:\n"
    "  --quick          fewer worlds and samples; ends within a minute\n"
    "  --check          only checks the answers of all contenders, without timing, in any build\n"
    "  --filter REGEX   measures only baselines and rows whose \"question | world | contender\"\n"
    "                   matches, in any case\n"
    "  --contender FILE adds your own contender, a shared library, to topic lookup; may be given\n"
    "                   several times (see common/contender.h)\n"
    "  --trace FILE     topic lookup replays a recording of your game instead of its worlds\n"
    "                   (docs/trace.md; terrane-viewer --record-trace)\n"
    "  --csv FILE       writes the figures as comma-separated values; - is standard output\n"
    "  --json FILE      writes the figures as JSON; - is standard output\n"
    "  --plot DIR       draws plots as SVG and PNG, with their figures as CSV (needs gnuplot)\n"
    "  --help           shows this text\n"
    "  --version        shows the version\n"
    "\n"
    "examples:\n"
    "  terrane-bench lookup --quick\n"
    "  terrane-bench lookup --filter 'gather.*ball R=16' --plot pictures\n"
    "  terrane-bench lookup --check --contender ./mine.so\n"
    "  terrane-bench lookup --contender ./mine.so --trace game.trace\n"
    "  terrane-bench index --json index.json\n"
    "  terrane-bench pools --quick --json -\n";

const option long_options[] = {
    {"quick", no_argument, nullptr, 'q'},
    {"filter", required_argument, nullptr, 'f'},
    {"check", no_argument, nullptr, 'k'},
    {"contender", required_argument, nullptr, 'o'},
    {"trace", required_argument, nullptr, 't'},
    {"csv", required_argument, nullptr, 'c'},
    {"json", required_argument, nullptr, 'j'},
    {"plot", required_argument, nullptr, 'p'},
    {"help", no_argument, nullptr, 'h'},
    {"version", no_argument, nullptr, 'v'},
    {nullptr, 0, nullptr, 0},
};

/// The word that getopt_long refused: a letter (there are no short options), or a whole argument.
std::string offending_option(char **arguments)
{
    const std::string word = arguments[optind - 1];
    bool is_long_with_value = word.rfind("--", 0) == 0 && word.find('=') != std::string::npos;
    return optopt != 0 && !is_long_with_value ? std::string("-") + static_cast<char>(optopt) : word;
}

int take_filter(CommandLine &line, const std::string &pattern)
{
    try {
        line.options.filter = std::make_shared<const Filter>(pattern);
    } catch (const std::regex_error &) {
        return refuse("--filter takes a regular expression, which '" + pattern + "' is not.");
    }
    return -1;
}

/// An option with a value. @return as parse_command_line
int take_value(CommandLine &line, int option, const std::string &value)
{
    if (value.empty()) {
        return refuse("an option's value is empty.");
    }
    switch (option) {
    case 'f':
        return take_filter(line, value);
    case 'o':
        line.options.contenders.push_back(value);
        break;
    case 't':
        line.options.trace = value;
        break;
    case 'c':
        line.csv_path = value;
        break;
    case 'j':
        line.json_path = value;
        break;
    default:
        line.options.plot_folder = value;
    }
    return -1;
}

int take_option(CommandLine &line, int option, char **arguments, const char *topics)
{
    switch (option) {
    case 'q':
        line.options.quick = true;
        return -1;
    case 'k':
        line.options.check = true;
        return -1;
    case 'h':
        std::printf("%s%s%s", help_head, topics, help_tail);
        return 0;
    case 'v':
        if (arguments[optind]) {
            return refuse(std::string("--version takes no more words; leave out ") +
                          arguments[optind] + ".");
        }
        std::printf("terrane-bench %s\n", trn_version());
        return 0;
    case ':':
        return refuse(std::string(arguments[optind - 1]) + " needs a value.");
    case '?':
        return refuse("unknown option " + offending_option(arguments) + ".");
    default:
        return take_value(line, option, optarg);
    }
}

/// What no option shows alone.
int check_together(const CommandLine &line)
{
    const bool is_lookup = line.topic == "lookup";
    const bool writes =
        !line.csv_path.empty() || !line.json_path.empty() || !line.options.plot_folder.empty();
    if (line.options.check && writes) {
        return refuse("--check measures nothing that --csv, --json or --plot could write.");
    }
    if (line.csv_path == "-" && line.json_path == "-") {
        return refuse("standard output takes one of --csv and --json.");
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
    std::fprintf(stderr, "terrane-bench: %s See terrane-bench --help.\n", what.c_str());
    return 2;
}

int parse_command_line(int count, char **arguments, const char *topics, CommandLine &line)
{
    opterr = 0;
    for (int c; (c = getopt_long(count, arguments, ":", long_options, nullptr)) != -1;) {
        const int code = take_option(line, c, arguments, topics);
        if (code >= 0) {
            return code;
        }
    }
    if (optind == count) {
        return refuse("name a topic, such as lookup.");
    }
    if (optind + 1 < count) {
        return refuse(std::string("one topic at a time; ") + arguments[optind + 1] +
                      " is one too many.");
    }
    line.topic = arguments[optind];
    return check_together(line);
}

bool BenchOptions::wants(const std::string &question, const std::string &world,
                         const std::string &contender) const
{
    return !filter || filter->finds(question + " | " + world + " | " + contender);
}
