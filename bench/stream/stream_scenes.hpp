/// Scenes that show what the hand-over costs: the way of a chunk from a worker into the store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "driver/child.hpp"
#include "driver/report.hpp"
#include "stream_world.hpp"

/// Land that costs next to nothing to generate, so that a scene measures the hand-over: air above
/// chunk y = 0, hills there, seven layers of dirt in stone, and stone below. In a view of radius 32
/// and height 8 from y = 0, 46 % of the chunks are air, 52 % have two blocks, and 2 % are stone; of
/// the built-in terrain's, half are uniform as well.
class FlatLand {
  public:
    FlatLand();
    TrnGenerator generator();

  private:
    static TrnResult generate(void *user, TrnCoord coord, std::uint32_t level, TrnBlock *blocks,
                              bool *uniform);
    std::vector<TrnBlock> hills_, dirt_; ///< blocks of their chunks
};

/// Adds an anchor that looks along x. @throws std::bad_alloc if it cannot
TrnStreamAnchorId add_anchor(StreamWorld &world, TrnVoxel at, std::uint32_t radius,
                             std::uint32_t height);

/// Updates until the stream is idle or the time is over.
/// @param updates_s  updates a second; 0: one after the other
/// @return the seconds it took
double update_until_idle(StreamWorld &world, double updates_s, double seconds_max);

/// Runs work in a process of its own.
Reply run_apart(const std::function<Reply()> &work, double seconds);

/// Appends a hash as two figures, which hold all of its bits.
void push_hash(std::vector<double> &figures, std::uint64_t hash);

/// Whether contenders that share a world agree: hashes of all voxels and meshes, in small views.
bool hand_overs_agree();
bool fills_agree();

void measure_hand_over(const BenchOptions &options, Report &report);
void measure_crossings(const BenchOptions &options, Report &report);
void measure_ideal(const BenchOptions &options, Report &report);
void measure_slow_window(const BenchOptions &options, Report &report);
void measure_many_workers(const BenchOptions &options, Report &report);
