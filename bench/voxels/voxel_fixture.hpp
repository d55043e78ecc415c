/// Fixtures of topic `voxels`: block types, heaps, chunks with a given number of types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <terrane/store.h>
#include <terrane/voxels.h>

#include "owned.hpp"

/// [TRN_CHUNK_VOXELS] in linear order: the plain array that Terrane is compared with.
using VoxelArray = std::vector<TrnBlock>;

// TRN_CHUNK_VOXELS and TRN_CHUNK_ROWS as sizes.
constexpr auto voxel_count = static_cast<std::size_t>(TRN_CHUNK_VOXELS);
constexpr auto voxel_rows = static_cast<std::size_t>(TRN_CHUNK_ROWS);
constexpr auto voxel_bytes = sizeof(TrnBlock[TRN_CHUNK_VOXELS]);

/// The seed of all random choices of the topic.
constexpr std::uint32_t voxel_seed = 5;

/// How many chunks are used in turn: 16 MiB of plain arrays, more than a core's private caches
/// hold.
constexpr std::size_t voxel_turn = 256;

/// The built-in block types, four ores, glass, and enough other types that a chunk can need 16
/// bits.
struct VoxelTypes {
    VoxelTypes();
    const std::uint32_t *solid() const;
    const std::uint32_t *opaque() const;
    std::size_t count() const;

    /// The first `count` ids, 1..1024: air first. Every fifth type is neither solid nor opaque, the
    /// others are both. If `with_glass`, the last type is solid but not opaque, so that a chunk
    /// needs two masks.
    std::vector<TrnBlock> palette(std::size_t count, bool with_glass = false) const;

    static const std::size_t ore_count = 4;
    Owned<TrnBlockTypes, trn_block_types_destroy> registry;
    TrnBlock glass = 0;
    TrnBlock ores[ore_count] = {};
};

/// A voxel heap that retires payloads through an index, as a store does.
class VoxelLab {
    Owned<TrnChunkIndex, trn_chunk_index_destroy> index;
    Owned<TrnVoxelHeap, trn_voxel_heap_destroy> voxel_heap;

  public:
    /// @param kernels  one of voxel_kernel_names(); empty: the fastest
    explicit VoxelLab(const VoxelTypes &block_types, const std::string &kernels = {});
    TrnVoxelHeap *heap() const;
    void encode(TrnVoxels &voxels, const TrnBlock *blocks) const;

    const VoxelTypes &types; ///< must outlive this object
};

/// A store with these block types.
using VoxelStore = Owned<TrnStore, trn_store_destroy>;
VoxelStore voxel_store(const VoxelTypes &types);
TrnChunk *voxel_insert(const VoxelStore &store, TrnCoord coord);

/// The kernels that this machine can run, the fastest first.
std::vector<std::string> voxel_kernel_names(const VoxelTypes &types);

/// Some chunks, as plain arrays and in a heap.
struct VoxelChunks {
    std::shared_ptr<VoxelLab> lab;
    std::vector<VoxelArray> arrays;
    std::vector<TrnVoxels> voxels;

    /// Whether the heap's chunks have these blocks and the right masks.
    bool are(const std::vector<VoxelArray> &expected) const;
};

VoxelChunks voxel_chunks(const VoxelTypes &types, std::vector<VoxelArray> arrays,
                         const std::string &kernels = {});

/// Random blocks of a palette, each at least once.
VoxelArray random_voxels(const std::vector<TrnBlock> &palette, std::uint32_t seed);
std::vector<VoxelArray> random_chunks(const std::vector<TrnBlock> &palette, std::size_t count);

/// A mask computed voxel by voxel. [TRN_CHUNK_ROWS]
std::vector<std::uint32_t> naive_mask(const VoxelArray &blocks, const std::uint32_t *block_bits);

/// Whether a snapshot has these blocks and the right masks.
bool snapshot_is(TrnSnapshot snapshot, const VoxelArray &blocks, const VoxelTypes &types);

/// An edit that stays open during its lifetime.
class OpenVoxelEdit {
  public:
    OpenVoxelEdit(std::shared_ptr<VoxelLab> in, TrnVoxels &voxels);
    ~OpenVoxelEdit();
    OpenVoxelEdit(const OpenVoxelEdit &) = delete;
    OpenVoxelEdit &operator=(const OpenVoxelEdit &) = delete;

    /// Whether the edit has these blocks and the right masks.
    bool is(const VoxelArray &blocks) const;

    TrnVoxelEdit edit;

  private:
    std::shared_ptr<VoxelLab> lab;
};

/// Returns a number of block types with which a chunk needs `bits` bits a voxel.
/// @param bits  0, 1, 2, 4, 8 or 16
std::size_t types_of_bits(int bits);

/// "4 bits", "uniform".
std::string bits_name(int bits);
