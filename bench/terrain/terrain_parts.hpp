/// The parts of topic `terrain`: functions that create scenes, and the names in targets and plots.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "driver/topic.hpp"
#include "terrain_view.hpp"

/// The coarsest level of detail that is measured, from 1 on.
constexpr std::uint32_t coarse_levels = 5;

// The questions, and some of their worlds.
inline const char *const chunk_in_view = "generate a chunk of the view, columns made on the way";
inline const char *const chunk_first = "generate a chunk, its column too";
inline const char *const chunk_kept = "generate a chunk, its column kept";
inline const char *const chunk_coarse = "generate a level, columns made too, per chunk with quads";
inline const char *const chunk_beyond = "generate a chunk beyond all land";
inline const char *const noise_asked = "all noise of one";
inline const char *const noise_of_column = "column: 13 noises of 12 x 12 points, 3 of 40 x 40";
inline const char *const noise_of_chunk = "chunk with ground: 4 noises of 9 x 10 x 9 points";
inline const char *const view_by_threads = "generate the view, wall clock, per chunk";
inline const char *const noise_in_space = "gradient noise in space, 4 octaves";
inline const char *const at_every_voxel = "every voxel of a chunk";

/// "scalar kernels", "AVX2 kernels"; the scalar ones are the baseline.
std::string noise_contender(const std::string &kernels);

/// The kernels that this machine can run, the scalar ones first.
std::vector<std::string> noise_kernel_names();

/// "2 threads"
std::string by_threads(unsigned count);

/// Data that all functions that create scenes share.
struct TerrainSetup {
    explicit TerrainSetup(bool quick);

    bool is_quick;
    TerrainView view;
    std::vector<std::string> kernels;                  ///< the scalar ones first
    std::map<std::string, std::shared_ptr<Land>> kept; ///< terrains by kernels, with cached columns
};
using TerrainGround = std::shared_ptr<const TerrainSetup>;

// Functions that create scenes. A quick run leaves some out.
std::vector<bench::Scene> make_view_scenes(const TerrainGround &ground); ///< all of a view
std::vector<bench::Scene> make_chunk_scenes(const TerrainGround &ground);
std::vector<bench::Scene> make_coarse_scenes(const TerrainGround &ground);
std::vector<bench::Scene> make_column_scenes(const TerrainGround &ground);
std::vector<bench::Scene> make_noise_scenes(const TerrainGround &ground);
