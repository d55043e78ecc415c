/// A region of Minecraft with the built-in land, to import.
#pragma once

#include <cstddef>
#include <string>

#include "save/save_land.hpp"

struct TrnImport;

/// Land in columns of 384 blocks, from y = -64 up.
class AnvilLand {
  public:
    /// @param chunk_edge  chunks along each side, 16 at most: a region has 32 x 32 columns
    explicit AnvilLand(int chunk_edge);

    std::size_t columns() const;
    /// Writes the region as Minecraft 1.21 does: zlib-compressed, with light arrays only for
    /// sections with varying light.
    /// @throws bench::Refused
    void write(const std::string &file, const TrnBlockTypes *types) const;
    /// Whether an import loads the same land.
    bool is(TrnImport *import) const;

  private:
    int edge;
};
