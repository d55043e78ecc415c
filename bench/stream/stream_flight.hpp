/// A flight: one or two players move through a world that a stream loads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "stream_world.hpp"

struct FlightPlan {
    enum Path : std::uint8_t { straight, circling, turning, teleporting, apart, together };
    const char *name;
    Path path;
    double speed; ///< blocks a second
    std::uint32_t radius, height;
    double mib_max;
    double above;  ///< blocks above the ground at the start
    double circle; ///< radius in blocks, if the path is circling
    bool digs;     ///< whether the player digs ten holes a second, just ahead
};

/// Cost and effects of one update. Only doubles, so that a child process can send it.
struct FlightUpdate {
    double seconds, us, cpu_us;
    double wanted, inserted, uploaded, unloaded;
    double missing;          ///< chunks ahead, within 3/4 of the view, that are not shown
    double has_ground;       ///< 1: the ground under all players is loaded
    double bytes, rss_bytes; ///< accounted by the stream; resident in the whole process
};

enum class Pace {
    real, ///< sixty updates a second, each with the default budget
    step  ///< one update after the other, each with a budget of units
};

/// The options for a plan: memory, and the budget of a pace.
StreamWorldOptions flight_options(const FlightPlan &plan, Pace pace);

/// Calls `update` sixty times for each second of a flight. @return the seconds that it took
double fly(Pace pace, double seconds,
           const std::function<void(std::uint32_t number, double seconds)> &update);

class Flight {
  public:
    /// Loads and shows all that the players see at the start.
    Flight(const FlightPlan &plan, const StreamWorldOptions &options);

    /// Moves the players, digs, and updates the stream.
    FlightUpdate update(std::uint32_t number, double seconds);
    /// Adds the missing chunks and the ground that players see after an update.
    void look(FlightUpdate &update) const;

    /// The view of the first player.
    TrnStreamView view() const;

    StreamWorld world;

  private:
    std::uint32_t players() const;
    TrnStreamAnchor at(std::uint32_t player, double seconds) const;
    void dig(std::uint32_t number);
    bool has_ground(const TrnStreamAnchor &anchor) const;
    std::uint32_t missing(std::uint32_t player) const;
    double part_of(const TrnCoord &step) const;

    const FlightPlan plan_;
    const double altitude_, reach_, high_reach_;
    TrnStreamAnchorId ids_[2] = {};
    TrnStreamAnchor anchors_[2] = {};
    std::vector<TrnCoord> ahead_; ///< offsets of all chunks within reach of a player
};
