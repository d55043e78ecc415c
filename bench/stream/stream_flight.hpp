/// Flights: where players are at a time, and what flying there comes to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stream_world.hpp"

struct FlightPlan {
    enum Path : std::uint8_t { straight, circling, turning, teleporting, apart, together };
    const char *name;
    Path path;
    double speed; ///< blocks a second
    std::uint32_t radius, height;
    std::size_t bytes_max;
    bool digs;         ///< ten holes a second, where the player is about to be
    bool is_demanding; ///< the targets of updates hold for it
    bool is_quick;     ///< part of a quick run
};

/// All that are flown.
const std::vector<FlightPlan> &flight_plans();

const std::uint32_t flight_players_max = 2;

/// Players at a time.
class Players {
  public:
    Players(const FlightPlan &plan, const StreamWorld &world);

    std::uint32_t count() const;
    TrnStreamAnchor at(std::uint32_t player, double seconds) const;

  private:
    const FlightPlan plan_;
    double height_; ///< blocks above the sea
};

/// What one update came to.
struct FlightUpdate {
    double seconds, us, cpu_us;
    double wanted, inserted, uploaded, unloaded;
    double missing;    ///< chunks ahead, within 3/4 of the view, of which nothing is on the screen
    double has_ground; ///< 1: the ground under all players is there
    double bytes, rss_bytes; ///< accounted, and of the whole process
};

struct FlightFigures {
    std::string problem; ///< why there are no figures; empty where there are
    std::vector<FlightUpdate> updates;
    double edit_p99_us = 0, edit_most_us = 0, edits = 0;
    double bytes_peak = 0, bytes_max = 0;
    double rings = 0, rings_wanted = 0;
    double end_ms = 0;
    double seconds = 0; ///< that it took
};

enum class Pace {
    real, ///< sixty updates a second, each with the budget that is the default
    step  ///< one update after the other, each with a budget of units
};

/// Units of an exact update: about what a worker comes to in a sixtieth of a second.
const std::uint32_t flight_units = 160;

/// Flies in a process of its own, once everything is there, so that its memory is that of this
/// flight alone.
FlightFigures fly(const FlightPlan &plan, Pace pace, double seconds);

/// The resident memory of this process, bytes.
double resident_bytes();

/// Updates until everything is there, as fast as may be.
void settle_world(StreamWorld &world);
