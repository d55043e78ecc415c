/// The worlds that topic `index` measures at scale: from dense balls to a million lone chunks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "worlds.hpp"

enum class Scale {
    check, ///< a few thousand chunks, to check answers
    quick, ///< 100,000
    full   ///< a million
};

/// A world that is created when its stage begins.
struct ScalePlan {
    std::string name;
    std::function<World()> make; ///< the world's box contains all chunks
    bool is_gathered = false;    ///< whether gathering the box is measured
    bool is_full_only = false;   ///< too large for a quick run
};

std::vector<ScalePlan> scale_plans(Scale scale);

// Worlds that targets compare.
inline const char *const world_crafted = "crafted collisions";
inline const char *const world_uncrafted = "as many chunks, random";
inline const char *const world_one_percent = "random fill, 1 %";
inline const char *const world_uniform = "uniform in +-2^20";
inline const char *const world_line = "line";
inline const char *const world_diagonal = "diagonal";
std::string lone_world(int stride);
std::string anchors_world(int radius);
/// The strides of lone chunks.
const int lone_strides[] = {8, 16, 32, 64, 128, 256, 512, 1024};

const std::uint32_t scale_seed = 22;
