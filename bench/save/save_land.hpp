/// The chunks that topic `save` saves, and files to save them in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <terrane/save.h>
#include <terrane/terrain.h>
#include <terrane/voxels.h>

#include "owned.hpp"

// Constants of a chunk, as std::size_t.
inline constexpr auto save_voxels = static_cast<std::size_t>(TRN_CHUNK_VOXELS);
inline constexpr auto save_edge = static_cast<std::int64_t>(TRN_CHUNK_EDGE);

using Types = Owned<TrnBlockTypes, trn_block_types_destroy>;

/// The chunks of the built-in land that contain its surface. None is uniform.
class SaveLand {
  public:
    /// @throws std::bad_alloc
    explicit SaveLand(std::size_t count);

    std::size_t size() const;
    TrnCoord coord(std::size_t i) const;
    TrnSnapshot voxels(std::size_t i) const;
    /// Whether `blocks` equal those of chunk i.
    bool is(std::size_t i, const TrnBlock *blocks) const;

    Types types;

  private:
    Owned<TrnVoxelHeap, trn_voxel_heap_destroy> heap;
    std::vector<TrnCoord> coords;
    std::vector<TrnVoxels> chunks;
};

/// A new folder in the current folder, since the folder of temporary files may be in memory. The
/// destructor deletes it with its contents.
class SaveFolder {
  public:
    SaveFolder(); ///< @throws bench::Refused
    ~SaveFolder();
    SaveFolder(const SaveFolder &) = delete;
    SaveFolder &operator=(const SaveFolder &) = delete;

    std::string file(const std::string &name) const;
    std::uint64_t bytes(const std::string &name) const; ///< size of a file
    void remove(const std::string &name) const;         ///< with its log, index and lock

  private:
    std::string path;
};
