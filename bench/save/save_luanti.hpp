/// A map of Luanti with the chunks of a land, to import.
#pragma once

#include <cstddef>
#include <string>

#include "save/save_land.hpp"

/// Writes map.sqlite: eight map blocks a chunk, each with the names, light and parameters that
/// Luanti writes.
/// @param version  28 (zlib) or 29 (zstd)
/// @return how many map blocks it has
/// @throws bench::Refused
std::size_t write_luanti_map(const std::string &file, const SaveLand &land, unsigned version);
