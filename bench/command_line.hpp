/// The command line of terrane-bench.
#pragma once

#include <string>

#include "options.hpp"

/// What was asked for. Files are not open yet.
struct CommandLine {
    std::string topic, csv_path, json_path;
    BenchOptions options;
};

/// @return -1 to go on, otherwise the exit code: 0 after --help and --version, 2 after a word that
/// makes no sense, which it says
int parse_command_line(int count, char **arguments, CommandLine &line);

/// Says what is wrong with the command line. @return the exit code for it
int refuse(const std::string &what);
