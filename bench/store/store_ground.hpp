/// The ground that most scenes of topic `store` stand on: generated terrain with some tunnels, in a
/// store and in a plain world alike.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include <terrane/history.h>
#include <terrane/store.h>
#include <terrane/terrain.h>

#include "plain_world.hpp"
#include "worlds.hpp"

/// Ends the program with the library's own words where something was refused that must not be. A
/// lack of memory is told as everywhere.
void store_demand(TrnResult result);

/// What all random choices of the topic start from.
constexpr std::uint32_t store_seed = 6;

/// A straight tunnel through the stone.
struct Tunnel {
    TrnVoxel start;
    double direction[3]; ///< of length 1
};
constexpr int tunnel_length = 180; ///< voxels
constexpr int tunnel_radius = 6;

/// Whoever changes it puts it back: all scenes share one.
class StoreGround {
  public:
    StoreGround(int radius, int radius_y);
    ~StoreGround();
    StoreGround(const StoreGround &) = delete;
    StoreGround &operator=(const StoreGround &) = delete;

    TrnStore *store() const;
    PlainWorld &plain();
    const PlainWorld &plain() const;
    const World &view() const;
    const std::vector<Tunnel> &tunnels() const;

    /// The topmost voxel of a column that is not air or water, tunnels aside.
    std::int64_t height(std::int64_t x, std::int64_t z) const;
    /// A voxel at the height of the land around which so many voxels on all sides are loaded, at
    /// random.
    TrnVoxel surface(std::mt19937 &random, std::int64_t around) const;
    /// Whether the chunks of a box hold the same in both.
    bool is_same(TrnBox box) const;
    /// Makes the chunks of a box in the store what they are in the plain world.
    void restore(TrnBox box) const;

  private:
    void generate();
    void dig_tunnels();
    void dig_tunnel(const Tunnel &tunnel);
    void fill_store();

    World world;
    TrnTerrain *terrain = nullptr;
    TrnStore *chunks = nullptr;
    PlainWorld arrays;
    std::vector<Tunnel> dug;
};

/// The chunks that a box of voxels reaches into.
TrnBox chunks_of(TrnVoxel centre, std::int64_t around);
