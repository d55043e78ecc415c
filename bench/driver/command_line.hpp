/// The command line of terrane-bench.
#pragma once

#include <string>

#include "driver/options.hpp"

/// The command line, parsed. Files are not open yet.
struct CommandLine {
    std::string topic, csv_path, json_path;
    BenchOptions options;
};

/// @param topics  the topics' lines in --help
/// @return -1 to go on, otherwise the exit code: 0 after --help and --version, 2 after a mistake,
/// which is reported on standard error
int parse_command_line(int count, char **arguments, const char *topics, CommandLine &line);

/// Reports a mistake in the command line. @return the exit code for it
int refuse(const std::string &what);
