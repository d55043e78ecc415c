/// What the scenes of topic `voxels` are made of: block types, heaps, chunks of given variety.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "voxel_api.hpp"

/// [TRN_CHUNK_VOXELS] in linear order: the plain array that all else is held against.
using VoxelArray = std::vector<TrnBlock>;

// TRN_CHUNK_VOXELS and TRN_CHUNK_ROWS as sizes.
constexpr auto voxel_count = static_cast<std::size_t>(TRN_CHUNK_VOXELS);
constexpr auto voxel_rows = static_cast<std::size_t>(TRN_CHUNK_ROWS);

/// What all random choices of the topic start from.
extern const std::uint32_t voxel_seed;

/// The built-in block types, four ores, glass, and enough others that a chunk can need 16 bits.
class VoxelTypes {
  public:
    static const std::size_t ore_count = 4;

    VoxelTypes();
    ~VoxelTypes();
    VoxelTypes(const VoxelTypes &) = delete;
    VoxelTypes &operator=(const VoxelTypes &) = delete;

    const std::uint32_t *solid() const;
    const std::uint32_t *opaque() const;
    TrnBlock ore(std::size_t i) const;

    /// The first `count` ids, 1..1024: air first. Of these every fifth is neither solid nor opaque,
    /// the others both; with glass, the last one is solid alone, so that a chunk needs two masks.
    std::vector<TrnBlock> palette(std::size_t count, bool with_glass = false) const;
    std::size_t count() const;
    TrnBlockTypes *registry() const;

  private:
    TrnBlock add(const std::string &name, TrnBlockKind kind);

    TrnBlockTypes *types = nullptr;
    TrnBlock glass = 0;
    TrnBlock ores[ore_count] = {};
};

/// A heap whose payloads retire through an index, as those of a store do.
class VoxelLab {
  public:
    /// @param kernels  one of voxel_kernel_names(); empty: the fastest
    explicit VoxelLab(const VoxelTypes &types, const std::string &kernels = {});
    ~VoxelLab();
    VoxelLab(const VoxelLab &) = delete;
    VoxelLab &operator=(const VoxelLab &) = delete;

    TrnVoxelHeap *heap() const;
    void encode(TrnVoxels &voxels, const TrnBlock *blocks) const;
    TrnVoxels make(const VoxelArray &blocks) const;

  private:
    TrnChunkIndex *index = nullptr;
    TrnVoxelHeap *voxel_heap = nullptr;
};

/// A store with these block types.
class VoxelStore {
  public:
    explicit VoxelStore(const VoxelTypes &types);
    ~VoxelStore();
    VoxelStore(const VoxelStore &) = delete;
    VoxelStore &operator=(const VoxelStore &) = delete;

    TrnStore *get() const;
    TrnChunk *insert(TrnCoord coord) const;

  private:
    TrnStore *store = nullptr;
};

/// The kernels that this machine can run, the fastest first.
std::vector<std::string> voxel_kernel_names(const VoxelTypes &types);

/// Nothing but a lack of memory makes the calls of this topic fail.
void voxel_demand(TrnResult result);

/// Some chunks, as plain arrays and in a heap.
struct VoxelChunks {
    std::shared_ptr<VoxelLab> lab;
    std::vector<VoxelArray> arrays;
    std::vector<TrnVoxels> voxels;
};

VoxelChunks voxel_chunks(const VoxelTypes &types, std::vector<VoxelArray> arrays,
                         const std::string &kernels = {});

/// Blocks of a palette at random, each of them at least once.
VoxelArray random_voxels(const std::vector<TrnBlock> &palette, std::uint32_t seed);
std::vector<VoxelArray> random_chunks(const std::vector<TrnBlock> &palette, std::size_t count);

/// [TRN_CHUNK_ROWS] rows, made voxel by voxel.
std::vector<std::uint32_t> naive_mask(const VoxelArray &blocks, const std::uint32_t *block_bits);

/// Whether a snapshot holds these blocks, and its masks are right.
bool snapshot_is(TrnSnapshot snapshot, const VoxelArray &blocks, const VoxelTypes &types);

/// An edit that stays open as long as this.
class OpenVoxelEdit {
  public:
    OpenVoxelEdit(std::shared_ptr<VoxelLab> in, TrnVoxels &voxels);
    ~OpenVoxelEdit();
    OpenVoxelEdit(const OpenVoxelEdit &) = delete;
    OpenVoxelEdit &operator=(const OpenVoxelEdit &) = delete;

    /// Whether the edit holds these blocks, and its masks are right.
    bool is(const VoxelArray &blocks, const VoxelTypes &types) const;

    TrnVoxelEdit edit;

  private:
    std::shared_ptr<VoxelLab> lab;
};

/// How many block types make a chunk of so many bits a voxel: 0, 1, 2, 4, 8 or 16.
std::size_t types_of_bits(int bits);

/// "4 bits", "uniform".
std::string bits_name(int bits);
