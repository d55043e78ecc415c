/// The loops over single voxels, of plain arrays and of Terrane alike: in a file of their own,
/// compiled with the same flags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "voxel_api.hpp"

/// How many chunks are taken in turn: as plain arrays 16 MiB, which no core's own cache holds.
constexpr std::size_t voxel_turn = 256;

/// One voxel of several chunks.
struct VoxelPlace {
    std::uint16_t chunk, index;
};

/// One voxel and what it becomes.
struct VoxelChange {
    std::uint16_t index;
    TrnBlock block;
};

/// The plain array's own masks, kept up to date with it.
struct ArrayMasks {
    const std::uint32_t *solid_bits, *opaque_bits; ///< by block
    std::uint32_t *solid;                          ///< [TRN_CHUNK_ROWS]
    std::uint32_t *opaque;                         ///< NULL where one mask serves for both
};

// Sums of the blocks at these places.
std::uint64_t sum_array(const TrnBlock *blocks, const std::vector<std::uint16_t> &indices);
std::uint64_t sum_snapshot(TrnSnapshot snapshot, const std::vector<std::uint16_t> &indices);
std::uint64_t sum_arrays(const TrnBlock *const *chunks, const std::vector<VoxelPlace> &places);
std::uint64_t sum_voxels(const TrnVoxels *chunks, const std::vector<VoxelPlace> &places);

// The last of a chain: each index is mixed with the block that was found before, so that no read
// begins before the last has ended.
std::uint64_t chase_array(const TrnBlock *blocks, const std::vector<std::uint16_t> &indices);
std::uint64_t chase_snapshot(TrnSnapshot snapshot, const std::vector<std::uint16_t> &indices);
std::uint64_t chase_arrays(const TrnBlock *const *chunks, const std::vector<VoxelPlace> &places);
std::uint64_t chase_voxels(const TrnVoxels *chunks, const std::vector<VoxelPlace> &places);

// Changes one after the other.
void set_array(TrnBlock *blocks, const std::vector<VoxelChange> &changes);
void set_array_masks(TrnBlock *blocks, const ArrayMasks &masks,
                     const std::vector<VoxelChange> &changes);
void set_edit(TrnVoxelEdit *edit, const std::vector<VoxelChange> &changes);

// Change i goes to chunk i % voxel_turn.
void set_arrays(TrnBlock *const *chunks, const std::vector<VoxelChange> &changes);
void set_edits(TrnVoxelEdit *const *edits, const std::vector<VoxelChange> &changes);
