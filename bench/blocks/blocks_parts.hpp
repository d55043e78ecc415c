/// The parts of topic `blocks`: their worlds, and the functions that add their scenes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <terrane/mesher.h>
#include <terrane/voxels.h>

#include "driver/topic.hpp"
#include "owned.hpp"

// The questions about meshes, and the contenders.
inline const char *const q_blocks_models = "the faces of a chunk's models";
inline const char *const q_blocks_lit = "the faces of a chunk's models, where light varies";
inline const char *const q_blocks_whole = "a chunk with its models, ambient occlusion included";
inline const char *const q_blocks_single = "a chunk's quads, one for each face";
inline const char *const by_blocks_voxels = "voxel by voxel, every box";
inline const char *const by_blocks_apart = "merged, then taken apart";
inline const char *const by_blocks = "Terrane";
inline const char *const by_blocks_avx2 = "Terrane, AVX2 kernels";

inline const char *const blocks_village = "village";
inline const char *const blocks_torches = "1,024 torches";
inline const char *const blocks_stairs = "1,024 stairs";
inline const char *const blocks_wood = "wood of leaves";

/// The built-in types and some models.
struct BlocksTypes {
    BlocksTypes();
    Owned<TrnBlockTypes, trn_block_types_destroy> made;
    const TrnBlockType *all = nullptr;
    std::uint32_t count = 0;
    TrnBlock slab = 0, stair = 0, fence = 0, pane = 0, torch = 0, carpet = 0, leaves = 0;
};

/// One chunk with rock below it, and air above it and at its sides.
class BlocksChunk {
  public:
    BlocksChunk(std::string world, std::shared_ptr<const BlocksTypes> used);

    const std::string name;
    const std::shared_ptr<const BlocksTypes> types;
    std::vector<TrnBlock> blocks; ///< [TRN_CHUNK_VOXELS] by linear index; until encode()

    void put(int x, int y, int z, TrnBlock block);
    void fill(int x, int y, int z, int to_x, int to_y, int to_z, TrnBlock block);
    void encode();
    /// The mesher's input, without light.
    TrnMeshInput input() const;
    std::size_t models() const;

  private:
    Owned<TrnVoxelHeap, trn_voxel_heap_destroy> heap;
    TrnVoxels voxels = {};
};
using SharedChunk = std::shared_ptr<BlocksChunk>;

/// Four houses with roofs of stairs, windows, lamps, carpets and fenced gardens.
SharedChunk make_village(const std::shared_ptr<const BlocksTypes> &types);
/// A field of one model on the ground.
SharedChunk make_field(const char *name, const std::shared_ptr<const BlocksTypes> &types,
                       TrnBlock block);
/// Balls of leaves above the ground.
SharedChunk make_wood(const std::shared_ptr<const BlocksTypes> &types);

void add_block_meshes(bench::Bench &bench);

void add_fluid_scenes(bench::Bench &bench);
void add_data_scenes(bench::Bench &bench);
void add_tick_scenes(bench::Bench &bench);
void conclude_ticks(Report &report);
