/// A stream's world with a far view around it.
#pragma once

#include <cstdint>

#include <terrane/far.h>

#include "stream/stream_world.hpp"

class FarWorld {
  public:
    /// Creates a world with a player above the ground at the origin, looking along x. @param
    /// distance  chunks; 0: no far view
    explicit FarWorld(std::uint32_t distance);
    ~FarWorld();
    FarWorld(const FarWorld &) = delete;
    FarWorld &operator=(const FarWorld &) = delete;

    /// Moves the player to a place along x. @param speed  blocks a second
    void move(double blocks, double speed);
    /// One frame. @return whether all levels are idle
    bool update();
    /// Whether level 0 was idle after the last update.
    bool is_near_idle() const
    {
        return is_near_idle_;
    }
    bool has_ground() const;

    /// Bytes of everything: stores, meshes, streams, the cover, and what the hooks allocated.
    double bytes() const;
    /// How many quads are drawn.
    double quads() const;
    /// How many chunks of all levels are loaded.
    double chunks() const;
    /// How many chunks of the coarsest level, within 3/4 of its view, are not fully covered by
    /// drawn chunks of any level.
    double holes() const;

    static const std::uint32_t radius = 16, height = 4; ///< of level 0
  private:
    bool is_whole(std::uint32_t level, TrnCoord coord) const;

    TrnStreamHooks hooks_ = {}; ///< hooks of the stream world
    TrnGenerator generator_ = {};
    StreamWorld world_;
    std::int64_t ground_;
    TrnStreamAnchor anchor_;
    TrnStreamAnchorId id_;
    TrnFar *far_view_ = nullptr;
    bool is_near_idle_ = false;
};
