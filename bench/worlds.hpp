/// The worlds that contenders are filled with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <terrane/coord.h>

struct World {
    std::string name; ///< "ball R=16"
    TrnBox box;       ///< the box to gather
    /// In the order in which a game loads them: nearest first, or in the order of a walk. The nodes
    /// of a hash map lie in memory in this order.
    std::vector<TrnCoord> chunks;
};

/// All chunks of the ellipsoid with radii (radius, radius_y, radius) around the origin. The
/// gathered box surrounds a ball of `radius`, as in a game that does not know which chunks are
/// loaded.
World world_ellipsoid(const std::string &name, int radius, int radius_y);

/// A ball that moved `steps` chunks along x and kept all its chunks. The gathered box surrounds the
/// ball's last position.
World world_walked(const std::string &name, int radius, int steps);

/// Two balls, the second one `offset` away, loaded alternately. The gathered box is the first
/// one's.
World world_islands(const std::string &name, int radius, TrnCoord offset);

/// Balls of `radius` around `count` random places up to `reach` chunks from the origin along each
/// axis. The gathered box has `box_radius` and lies around the first ball.
World world_anchors(const std::string &name, int count, int reach, int radius, int box_radius,
                    std::uint32_t seed);

/// A box of (2 radius + 1)^3 cells. A random part of its cells is filled, as balls of
/// `cluster_radius` or as single cells (0).
World world_filled(const std::string &name, int radius, double fill, int cluster_radius,
                   std::uint32_t seed);

/// A world of edge x edge columns, each of 1 to `high` chunks from y = 0 up. The gathered box
/// reaches `radius` chunks to each side of the middle, over the whole height.
World world_columns(const std::string &name, int edge, int high, int radius, std::uint32_t seed);

/// The chunks that change when a world's centre moves from x = 0 to x = 1. Later steps use the same
/// chunks, moved along x.
struct Shell {
    std::vector<TrnCoord> ahead;  ///< in the moved world only
    std::vector<TrnCoord> behind; ///< in the unmoved world only
};

Shell world_shell(const World &world);

/// The smallest box around some chunks. @param chunks  at least one
TrnBox box_of(const std::vector<TrnCoord> &chunks);

/// The order of coordinates in a box: x fastest, then z, then y.
bool lies_before(const TrnCoord &a, const TrnCoord &b);
