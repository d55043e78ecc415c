#include "topics.hpp"

#include "stream_parts.hpp"

namespace {

void make(bench::Bench &bench)
{
    // The long parts come last, since a quick run on a slow machine cuts the last parts short.
    for (const auto add : {add_cold_starts, add_slow_window, add_many_workers, add_players,
                           add_hand_over, add_fills, add_flights, add_hour}) {
        add(bench);
    }
}

} // namespace

const bench::Topic stream_topic = {
    "stream",
    "a world that follows its players: cold starts, flights, memory, replays, hand-over; in full, "
    "with an hour in step time, it takes 17 minutes",
    "Stream: what does a world that follows its players cost them?",
    "the first of each block",
    "the unit of each question",
    "chunks",
    1,
    "update | straight.*R=16 | 60 updates",
    make,
};
