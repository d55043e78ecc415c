/// Where figures come from: what a reader must know before comparing them.
#pragma once

#include <string>
#include <utility>
#include <vector>

/// Pairs of a name and a text: version, commit, compiler, flags, system, processor.
std::vector<std::pair<std::string, std::string>> environment();
