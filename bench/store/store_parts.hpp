/// The parts of topic `store`: functions that create scenes, and the names in targets and plots.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/topic.hpp"
#include "store_ground.hpp"

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

// The contenders.
inline const char *const by_map = "std::unordered_map of plain arrays";
inline const char *const by_map_body = "std::unordered_map, axis by axis, nothing but walls";
inline const char *const by_map_asked = "std::unordered_map, every chunk asked";
inline const char *const by_map_churn = "std::unordered_map, no arrays for chunks of air";
inline const char *const by_map_debris = "std::unordered_map, bit by bit, axis by axis";
inline const char *const by_map_ray = "std::unordered_map, voxel by voxel";
inline const char *const by_store = "Terrane";
inline const char *const by_history = "Terrane, with history";
inline const char *const by_listener = "Terrane, with a listener";
inline const char *const by_both = "Terrane, with history and a listener";
inline const char *const by_one_chunk = "Terrane, inside one chunk";

// The walks of store_read.
inline const char *const walk_lines = "straight lines";
inline const char *const walk_random = "random walks";
inline const char *const walk_stencils = "a chunk's voxels and six neighbours of each";
inline const char *const walk_corners = "the same right around corners of chunks";

// Functions that create scenes.
std::vector<bench::Scene> make_read_scenes(const Ground &ground);
std::vector<bench::Scene> make_batch_scenes(const Ground &ground);
std::vector<bench::Scene> make_sphere_scenes(const Ground &ground);
std::vector<bench::Scene> make_ray_scenes(const Ground &ground);
std::vector<bench::Scene> make_body_scenes(const Ground &ground);
std::vector<bench::Scene> make_debris_scenes(const Ground &ground);
std::vector<bench::Scene> make_changed_scenes(const Ground &ground);
std::vector<bench::Scene> make_churn_scenes(const Ground &ground);

/// Adds stages of the calls among more and more chunks, and targets for how their costs grow.
void stage_growth(bench::Bench &bench);
