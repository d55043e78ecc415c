/// What topic `store` times: questions about the same ground, put to Terrane and to baselines.
/// Scenes are run by voxel_scenes.hpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "store_ground.hpp"
#include "voxels/voxel_scenes.hpp"

using Ground = std::shared_ptr<StoreGround>;

// The questions.
inline const char *const store_read = "read voxels, per voxel";
inline const char *const store_batch = "batch of 10,000 voxels, begin to commit, per voxel";
inline const char *const store_sphere = "dig a sphere, begin to commit";
inline const char *const store_undo = "undo a sphere";
inline const char *const store_redo = "redo a sphere";
inline const char *const store_ray = "a ray of 128 voxels";
inline const char *const store_bodies = "a step of 1,000 walking bodies";
inline const char *const store_debris = "a step of 4,000 bits of debris";
inline const char *const store_changed = "which chunks changed";
inline const char *const store_churn = "insert and remove a chunk";
inline const char *const store_evict = "evict a tenth of a view, per chunk evicted";
inline const char *const store_memory = "memory of a view";

// Who answers.
inline const char *const by_map = "std::unordered_map of plain arrays";
inline const char *const by_store = "Terrane";
inline const char *const by_history = "Terrane, with history";
inline const char *const by_listener = "Terrane, with a listener";
inline const char *const by_both = "Terrane, with history and a listener";
inline const char *const by_one_chunk = "Terrane, inside one chunk";
inline const char *const by_one_chunk_now = "Terrane, inside one chunk, snapshot for each";
inline const char *const by_loops = "Terrane, a loop for each chunk";
inline const char *const by_each = "Terrane, trn_store_get_block";

// The walks of store_read.
inline const char *const walk_lines = "straight lines";
inline const char *const walk_random = "random walks";
inline const char *const walk_scattered = "uniformly at random in the view";
inline const char *const walk_stencils = "a chunk's voxels and six neighbours of each";
inline const char *const walk_corners = "the same right around corners of chunks";

// The makers of scenes.
std::vector<VoxelScene> make_read_scenes(const Ground &ground);
std::vector<VoxelScene> make_batch_scenes(const Ground &ground);
std::vector<VoxelScene> make_sphere_scenes(const Ground &ground);
std::vector<VoxelScene> make_ray_scenes(const Ground &ground);
std::vector<VoxelScene> make_body_scenes(const Ground &ground);
std::vector<VoxelScene> make_debris_scenes(const Ground &ground);
std::vector<VoxelScene> make_changed_scenes(const Ground &ground);
std::vector<VoxelScene> make_churn_scenes(const Ground &ground);

/// What of a store takes how many bytes; and what a view takes, as plain arrays and in a store.
void measure_store_memory(const StoreGround &ground, const BenchOptions &options, Report &report);
