/// The parts of topic `stream`: functions that add scenes, and measuring in child processes.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/child.hpp"
#include "driver/topic.hpp"

void add_cold_starts(bench::Bench &bench);
void add_flights(bench::Bench &bench);
/// Adds an hour of flight in step time: does memory grow?
void add_hour(bench::Bench &bench);
/// Adds the hand-over of chunks from workers to the store, and flights over near-free land.
void add_hand_over(bench::Bench &bench);
/// Adds cold fills, compared with plain loops.
void add_fills(bench::Bench &bench);
void add_slow_window(bench::Bench &bench);
void add_many_workers(bench::Bench &bench);
/// Adds fills and moves of 1 to 1,000 players.
void add_players(bench::Bench &bench);

inline const char *const stream_default = "Terrane, 60 updates a second";
inline const double bytes_per_mib = 1024.0 * 1024.0;

using bench::Figures;

/// Computes figures in a child process, with separate threads and memory.
/// @param work  may throw bench::Refused and bench::Wrong, which are then thrown here
/// @param seconds_max  time limit, after which the child is ended
Figures run_apart(const std::function<Figures()> &work, double seconds_max = 240);

/// A measurement by run_apart that answers several rows: each sample is a list of figures. Copies
/// share their samples.
class Sampled {
  public:
    Sampled(const std::function<Figures()> &work, std::size_t samples, double seconds_max = 240);

    /// An attempt that shares the measurement, without figures().
    bench::Attempt attempt(const char *contender) const;
    /// An attempt with one figure of each sample. @param count  index of the figure that becomes
    /// the row's count
    bench::Attempt attempt(const char *contender, std::size_t figure, std::size_t count) const;

    bool is_measured() const
    {
        return !samples_->empty();
    }
    const Figures &last() const
    {
        return samples_->back();
    }
    Figures column(std::size_t figure) const;
    /// The median of a figure and its spread. NaN without samples.
    Figure median(std::size_t figure) const;

  private:
    std::shared_ptr<std::vector<Figures>> samples_ = std::make_shared<std::vector<Figures>>();
    std::shared_ptr<bench::Run> run_ = std::make_shared<bench::Run>();
};

/// A target for one figure of the samples.
struct ColumnTarget {
    std::string what;
    std::size_t column;
    const char *unit;
    double at_most = 0; ///< 0: no demand
};

/// Adds targets, unless nothing was measured.
void add_targets(Report &report, const std::string &world, const Sampled &sampled,
                 const std::vector<ColumnTarget> &targets);
