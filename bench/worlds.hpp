/// The worlds that contenders are filled with.
#pragma once

#include <string>
#include <vector>

#include <terrane/coord.h>

struct World {
    std::string name; ///< "ball R=16"
    TrnBox box;       ///< the box that is gathered
    /// Nearest first: the order in which a game loads them, and so the order in which a hash map's nodes lie in memory.
    std::vector<TrnCoord> chunks;
};

/// All chunks of the ellipsoid with radii (radius, radius_y, radius) around the origin, gathered by the box around a ball of
/// `radius`, as a game does that does not know which chunks are loaded.
World world_ellipsoid(const std::string &name, int radius, int radius_y);

/// What changes when a world's centre moves from x = 0 to x = 1, and the other way round on the way back. For later steps it is moved
/// along x.
struct Shell {
    std::vector<TrnCoord> ahead;  ///< in the moved world only
    std::vector<TrnCoord> behind; ///< in the unmoved world only
};

Shell world_shell(const World &world);
