/// Contenders from somebody's shared libraries.
#pragma once

#include <string>
#include <vector>

#include "contender.h"

/// Loads a library and asks it for its contender, first in a child process, so that one that
/// crashes while it loads is told in words. It stays loaded until the program ends.
/// @param taken  contenders whose names are taken
/// @return NULL, and the problem, when there is none to be had
const Contender *load_contender(const std::string &path,
                                const std::vector<const Contender *> &taken, std::string &problem);
