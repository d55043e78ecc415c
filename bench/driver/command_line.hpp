/// The command line of terrane-bench.
#pragma once

#include <cstddef>
#include <string>

#include "driver/options.hpp"

/// The command line, parsed. Files are not open yet.
struct CommandLine {
    std::string topic, csv_path, json_path, html_path, compare_path;
    BenchOptions options;
};

/// Names and descriptions of the topics; NULL after the last.
struct Topics {
    const char *(*name)(std::size_t i);
    const char *(*help)(std::size_t i);
};

/// Reads the command line by its table of options (common/options.h).
/// @return -1 to go on, otherwise the exit code: 0 after --help and --version, 2 after a mistake,
/// which is reported on standard error
int parse_command_line(int count, char **arguments, const Topics &topics, CommandLine &line);

/// Reports a mistake in the command line. @return the exit code for it
int refuse(const std::string &what);
