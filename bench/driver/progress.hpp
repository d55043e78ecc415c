/// Shows the progress of a run on a terminal, in a line that is overwritten.
#pragma once

#include <string>

namespace bench {

/// Replaces the line. Does nothing if standard error is not a terminal.
void show_progress(const std::string &line);
/// Clears the line before other output.
void wipe_progress();

} // namespace bench
