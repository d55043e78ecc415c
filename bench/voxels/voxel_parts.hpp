/// The parts of topic `voxels`: functions that create scenes, and the names in targets and plots.
#pragma once

#include <string>
#include <vector>

#include "driver/topic.hpp"
#include "voxel_fixture.hpp"

/// Data that all functions that create scenes share. It outlives the scenes.
struct VoxelSetup {
    VoxelTypes types;
    std::vector<std::string> kernels; ///< kernels that are compared, the fastest first
};

// The questions and contenders.
inline const char *const voxel_get = "random get, per voxel";
inline const char *const voxel_get_chain = "random get, each after the last, per voxel";
inline const char *const voxel_set = "random set, edit open, per voxel";
inline const char *const voxel_edit_one = "edit of one voxel, begin to commit";
inline const char *const voxel_decode = "decode a chunk";
inline const char *const voxel_encode = "encode a chunk";
inline const char *const voxel_fill = "fill a chunk";
inline const char *const voxel_around = "snapshot of a chunk and its 26 neighbours";
inline const char *const voxel_memory = "memory of all chunks";

inline const char *const by_array = "plain array";
inline const char *const by_masks = "plain array with masks";
inline const char *const by_plain_map = "plain arrays in std::unordered_map";
inline const char *const by_terrane = "Terrane";

inline const char *const in_one_chunk = ", one hot chunk";
inline const char *const in_turn = ", 256 chunks in turn";

/// "Terrane", or "Terrane, scalar kernels" for all kernels but the fastest.
inline std::string by_kernels(const VoxelSetup &setup, const std::string &kernels)
{
    return kernels == setup.kernels.front() ? by_terrane
                                            : std::string(by_terrane) + ", " + kernels + " kernels";
}

// Functions that create scenes.
std::vector<bench::Scene> make_get_scenes(const VoxelSetup &setup);
std::vector<bench::Scene> make_set_scenes(const VoxelSetup &setup);
std::vector<bench::Scene> make_edit_scenes(const VoxelSetup &setup);
std::vector<bench::Scene> make_coding_scenes(const VoxelSetup &setup);
std::vector<bench::Scene> make_fill_scenes(const VoxelSetup &setup);
std::vector<bench::Scene> make_box_scenes(const VoxelSetup &setup);
std::vector<bench::Scene> make_content_scenes(const VoxelSetup &setup);
std::vector<bench::Scene> make_around_scenes(const VoxelSetup &setup);

/// Memory of all chunks of some lands, and the time to encode them: a stage for each land.
void add_land_stages(bench::Bench &bench, const std::shared_ptr<const VoxelSetup> &setup);
