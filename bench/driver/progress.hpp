/// Says on a terminal how far a run has come, in a line that is overwritten.
#pragma once

#include <string>

namespace bench {

/// Replaces the line. Does nothing if standard error is not a terminal.
void show_progress(const std::string &line);
/// Empties the line, so that something else can be printed.
void wipe_progress();

} // namespace bench
