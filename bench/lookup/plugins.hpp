/// Contenders from a user's shared libraries.
#pragma once

#include <string>
#include <vector>

#include "contender.h"

/// Loads a library and gets its contender. Tries it in a child process first, so that a crash while
/// loading becomes a message. The library stays loaded until the program ends.
/// @param taken  contenders with names that are already in use
/// @return NULL, and the problem, if the library cannot be used
const Contender *load_contender(const std::string &path,
                                const std::vector<const Contender *> &taken, std::string &problem);
