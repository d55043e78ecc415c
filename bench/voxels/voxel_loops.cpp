#include "voxel_loops.hpp"

std::uint64_t sum_array(const TrnBlock *blocks, const std::vector<std::uint16_t> &indices)
{
    std::uint64_t sum = 0;
    for (std::uint16_t index : indices) {
        sum += blocks[index];
    }
    return sum;
}

std::uint64_t sum_snapshot(TrnSnapshot snapshot, const std::vector<std::uint16_t> &indices)
{
    std::uint64_t sum = 0;
    for (std::uint16_t index : indices) {
        sum += trn_snapshot_get(snapshot, index);
    }
    return sum;
}

std::uint64_t sum_arrays(const TrnBlock *const *chunks, const std::vector<VoxelPlace> &places)
{
    std::uint64_t sum = 0;
    for (VoxelPlace place : places) {
        sum += chunks[place.chunk][place.index];
    }
    return sum;
}

std::uint64_t sum_voxels(const TrnVoxels *chunks, const std::vector<VoxelPlace> &places)
{
    std::uint64_t sum = 0;
    for (VoxelPlace place : places) {
        sum += trn_snapshot_get(trn_voxels_snapshot(&chunks[place.chunk]), place.index);
    }
    return sum;
}

std::uint64_t chase_array(const TrnBlock *blocks, const std::vector<std::uint16_t> &indices)
{
    std::uint32_t found = 0;
    for (std::uint16_t index : indices) {
        found = blocks[(index ^ found) % TRN_CHUNK_VOXELS];
    }
    return found;
}

std::uint64_t chase_snapshot(TrnSnapshot snapshot, const std::vector<std::uint16_t> &indices)
{
    std::uint32_t found = 0;
    for (std::uint16_t index : indices) {
        found = trn_snapshot_get(snapshot, index ^ found);
    }
    return found;
}

std::uint64_t chase_arrays(const TrnBlock *const *chunks, const std::vector<VoxelPlace> &places)
{
    std::uint32_t found = 0;
    for (VoxelPlace place : places) {
        found = chunks[place.chunk][(place.index ^ found) % TRN_CHUNK_VOXELS];
    }
    return found;
}

std::uint64_t chase_voxels(const TrnVoxels *chunks, const std::vector<VoxelPlace> &places)
{
    std::uint32_t found = 0;
    for (VoxelPlace place : places) {
        found = trn_snapshot_get(trn_voxels_snapshot(&chunks[place.chunk]), place.index ^ found);
    }
    return found;
}

void set_array(TrnBlock *blocks, const std::vector<VoxelChange> &changes)
{
    for (VoxelChange change : changes) {
        blocks[change.index] = change.block;
    }
}

namespace {

inline void put_bit(std::uint32_t *mask, const std::uint32_t *block_bits, VoxelChange change)
{
    const std::uint32_t bit = block_bits[change.block / 32] >> (change.block % 32) & 1;
    const std::uint32_t x = change.index % TRN_CHUNK_EDGE;
    std::uint32_t &row = mask[change.index / TRN_CHUNK_EDGE];
    row = (row & ~(std::uint32_t{1} << x)) | bit << x;
}

} // namespace

void set_array_masks(TrnBlock *blocks, const ArrayMasks &masks,
                     const std::vector<VoxelChange> &changes)
{
    for (VoxelChange change : changes) {
        blocks[change.index] = change.block;
        put_bit(masks.solid, masks.solid_bits, change);
        if (masks.opaque) {
            put_bit(masks.opaque, masks.opaque_bits, change);
        }
    }
}

void set_edit(TrnVoxelEdit *edit, const std::vector<VoxelChange> &changes)
{
    for (VoxelChange change : changes) {
        (void)trn_voxel_edit_set(edit, change.index, change.block);
    }
}

void set_arrays(TrnBlock *const *chunks, const std::vector<VoxelChange> &changes)
{
    for (std::size_t i = 0; i < changes.size(); i++) {
        chunks[i % voxel_turn][changes[i].index] = changes[i].block;
    }
}

void set_edits(TrnVoxelEdit *const *edits, const std::vector<VoxelChange> &changes)
{
    for (std::size_t i = 0; i < changes.size(); i++) {
        (void)trn_voxel_edit_set(edits[i % voxel_turn], changes[i].index, changes[i].block);
    }
}
