/// The environment of a measurement, which readers need before they compare figures.
#pragma once

#include <string>
#include <utility>
#include <vector>

/// Pairs of a name and a text: version, commit, date, compiler, flags, system, processor, huge
/// pages, load.
std::vector<std::pair<std::string, std::string>> environment();
