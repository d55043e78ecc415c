/// What topic `voxels` times: scenes, each a question put to several contenders about the same
/// chunks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "driver/options.hpp"
#include "driver/report.hpp"
#include "driver/timing.hpp"
#include "voxel_fixture.hpp"

/// One contender's way of answering. Either `work` or `measure` is there.
struct VoxelAttempt {
    std::string contender;
    std::function<void()> work; ///< timed; may be called any number of times
    /// For what cannot be repeated at once: prepares by itself, and returns the nanoseconds of the
    /// rest.
    std::function<double()> measure;
    std::size_t calls = 0; ///< of `measure` for each figure; 0: the more the smaller they are
    std::function<bool()> is_right; ///< after one call
    std::vector<double> times;      ///< of `measure`
};

struct VoxelScene {
    std::string question;
    std::string world;
    std::size_t count = 1;              ///< what a call's time is divided by
    std::vector<VoxelAttempt> attempts; ///< the baseline first
};

/// What the makers of scenes need. It outlives the scenes.
struct VoxelBench {
    const VoxelTypes &types;
    std::vector<std::string> kernels; ///< that are compared, the fastest first
    bool is_quick;
};

// The questions, and who takes part.
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
inline const char *const by_array_masks = "plain array with masks";
inline const char *const by_terrane = "Terrane";

inline const char *const in_one_chunk = ", one hot chunk";
inline const char *const in_turn = ", 256 chunks in turn";

/// "Terrane", or "Terrane, scalar kernels" for all kernels but the fastest.
std::string by_kernels(const VoxelBench &bench, const std::string &kernels);

// The makers of scenes.
std::vector<VoxelScene> make_get_scenes(const VoxelBench &bench);
std::vector<VoxelScene> make_set_scenes(const VoxelBench &bench);
std::vector<VoxelScene> make_edit_scenes(const VoxelBench &bench);
std::vector<VoxelScene> make_coding_scenes(const VoxelBench &bench);
std::vector<VoxelScene> make_fill_scenes(const VoxelBench &bench);
std::vector<VoxelScene> make_content_scenes(const VoxelBench &bench);
std::vector<VoxelScene> make_box_scenes(const VoxelBench &bench);
std::vector<VoxelScene> make_around_scenes(const VoxelBench &bench);

/// Leaves out what the options do not want; of each scene the baseline stays, as long as anything
/// does.
void filter_voxel_scenes(std::vector<VoxelScene> &scenes, const BenchOptions &options);

/// Works every attempt once. @return whether all answers are right; says on standard error which is
/// not
bool voxel_answers_right(const std::vector<VoxelScene> &scenes);

/// Times all scenes, and adds them to the report.
void time_voxel_scenes(std::vector<VoxelScene> &scenes, bool is_quick, Report &report);
