// An hour in step time: whether anything is left behind.

#include <cmath>
#include <new>

#include "driver/child.hpp"
#include "driver/timing.hpp"
#include "stream_flight.hpp"
#include "stream_parts.hpp"

namespace {

/// around: 47 s at 64 blocks/s, so that every minute sees the same land
const double circle_blocks = 3000;
const double speed = 64;
const double pi = 3.14159265358979323846;
const int digs_every = 6;

struct Place {
    std::int64_t x, z;
    double angle;
};

Place place_at(double seconds)
{
    const double angle = speed * seconds / circle_blocks * 2 * pi;
    const double radius = circle_blocks / (2 * pi);
    return {std::llround(radius * std::sin(angle)), std::llround(radius * (1 - std::cos(angle))),
            angle};
}

Reply run_hour(double minutes)
{
    StreamWorldOptions options;
    options.bytes_max = std::size_t{128} << 20;
    options.budget = budget_of_units(flight_units);
    StreamWorld world(options);
    const double height = static_cast<double>(world.ground(0, 0)) + 20;
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.position = trn_voxel_position({0, std::llround(height), 0});
    TrnStreamAnchorId id;
    if (trn_stream_anchor_add(world.stream(), &anchor, &id) != TRN_RESULT_OK) {
        throw std::bad_alloc();
    }
    settle_world(world);
    Reply reply;
    double bytes = 0, rss = 0;
    const double begun_ns = clock_ns(CLOCK_MONOTONIC);
    const long updates = std::lround(minutes * 3600);
    for (long i = 0; i < updates; i++) {
        const Place at = place_at(static_cast<double>(i) / 60);
        anchor.position = trn_voxel_position({at.x, std::llround(height), at.z});
        anchor.view[0] = std::cos(at.angle);
        anchor.view[2] = std::sin(at.angle);
        anchor.velocity[0] = speed * anchor.view[0];
        anchor.velocity[2] = speed * anchor.view[2];
        trn_stream_anchor_set(world.stream(), id, &anchor);
        if (i % digs_every == 0) {
            world.dig({at.x + i % 11, world.ground(at.x, at.z), at.z}, 3);
        }
        world.update();
        bytes = std::fmax(bytes, static_cast<double>(trn_stream_bytes(world.stream())));
        rss = i % 30 ? rss : std::fmax(rss, resident_bytes());
        if (i % 3600 == 3599) {
            reply.figures.push_back(bytes);
            reply.figures.push_back(rss);
            bytes = rss = 0;
        }
    }
    reply.figures.push_back((clock_ns(CLOCK_MONOTONIC) - begun_ns) / 1e9);
    return reply;
}

} // namespace

HourFigures fly_an_hour(double minutes)
{
    Child child([&](const Desk &desk) { desk.reply(run_hour(minutes)); });
    const Reply reply = child.await(4 * 3600);
    HourFigures hour;
    if (reply.verdict != Reply::fine || reply.figures.size() < 3) {
        hour.problem = reply.text.empty() ? "it ended early" : reply.text;
        return hour;
    }
    for (std::size_t i = 0; i + 2 < reply.figures.size(); i += 2) {
        hour.bytes.push_back(reply.figures[i]);
        hour.rss_bytes.push_back(reply.figures[i + 1]);
    }
    hour.seconds = reply.figures.back();
    return hour;
}
