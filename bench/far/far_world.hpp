/// A stream's world with a far view beyond it.
#pragma once

#include <cstdint>

#include <terrane/far.h>

#include "stream/stream_world.hpp"

class FarWorld {
  public:
    /// A player above the ground of the origin, looking along x. @param distance  chunks; 0: no far
    /// view
    explicit FarWorld(std::uint32_t distance);
    ~FarWorld();
    FarWorld(const FarWorld &) = delete;
    FarWorld &operator=(const FarWorld &) = delete;

    /// Moves the player to a place along x. @param speed  blocks a second
    void move(double blocks, double speed);
    /// One frame. @return whether all is at rest
    bool update();
    /// Whether level 0 was at rest after the last update.
    bool is_near_idle() const
    {
        return is_near_idle_;
    }
    bool has_ground() const;

    /// Bytes of everything: stores, meshes, streams, the cover, and what the hooks allocated.
    double bytes() const;
    /// Quads that are drawn.
    double quads() const;
    /// Chunks that are loaded, of all levels.
    double chunks() const;
    /// Chunks of the coarsest level, within 3/4 of its view, that are not wholly drawn at any
    /// level.
    double holes() const;

    static const std::uint32_t radius = 16, height = 4; ///< of level 0
  private:
    bool is_whole(std::uint32_t level, TrnCoord coord) const;

    TrnStreamHooks hooks_ = {}; ///< the stream world's
    TrnGenerator generator_ = {};
    StreamWorld world_;
    std::int64_t ground_;
    TrnStreamAnchor anchor_;
    TrnStreamAnchorId id_;
    TrnFar *far_view_ = nullptr;
    bool is_near_idle_ = false;
};
