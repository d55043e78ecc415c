/// The worlds that contenders are filled with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <terrane/coord.h>

struct World {
    std::string name; ///< "ball R=16"
    TrnBox box;       ///< the box that is gathered
    /// In the order in which a game loads them, and so the order in which a hash map's nodes lie in
    /// memory: nearest first, or as walked.
    std::vector<TrnCoord> chunks;
};

/// All chunks of the ellipsoid with radii (radius, radius_y, radius) around the origin, gathered by
/// the box around a ball of `radius`, as a game does that does not know which chunks are loaded.
World world_ellipsoid(const std::string &name, int radius, int radius_y);

/// A ball that was walked `steps` chunks along x, and kept all that was loaded on the way. Gathered
/// around where the walk ended.
World world_walked(const std::string &name, int radius, int steps);

/// Two balls, the second one `offset` away, loaded alternately. Gathered around the first.
World world_islands(const std::string &name, int radius, TrnCoord offset);

/// Balls of `radius` around `count` random places up to `reach` chunks from the origin along each
/// axis. Gathered around the first one, by a box of `box_radius`.
World world_anchors(const std::string &name, int count, int reach, int radius, int box_radius,
                    std::uint32_t seed);

/// A box of (2 radius + 1)^3 cells of which a part is filled, cell by cell at random, or in balls
/// of `cluster_radius` (0: cells).
World world_filled(const std::string &name, int radius, double fill, int cluster_radius,
                   std::uint32_t seed);

/// A world of columns: edge x edge of them, each from y = 0 up to at most `high` chunks. Gathered
/// around the middle, `radius` to each side and over the whole height.
World world_columns(const std::string &name, int edge, int high, int radius, std::uint32_t seed);

/// What changes when a world's centre moves from x = 0 to x = 1, and the other way round on the way
/// back. For later steps it is moved along x.
struct Shell {
    std::vector<TrnCoord> ahead;  ///< in the moved world only
    std::vector<TrnCoord> behind; ///< in the unmoved world only
};

Shell world_shell(const World &world);

/// The smallest box around some chunks; at least one.
TrnBox box_of(const std::vector<TrnCoord> &chunks);

/// Sorts coordinates as they lie in a box: x fastest, then z, then y.
bool lies_before(const TrnCoord &a, const TrnCoord &b);
