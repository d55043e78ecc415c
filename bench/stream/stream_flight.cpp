#include "stream_flight.hpp"

#include <cmath>
#include <cstdio>

#include "driver/clock.hpp"
#include "driver/machine.hpp"
#include "stream_parts.hpp"

namespace {

const double pi = 3.14159265358979323846;
const double two_apart = 4000, two_together = 20; ///< blocks
const double teleport_every = 2;                  ///< seconds
const double teleport_far = 9000;                 ///< blocks
const std::uint32_t digs_every = 6;               ///< updates
const double dig_radius = 3;
/// The budget of an update in step time: about what a worker does in a sixtieth of a second.
const std::uint32_t step_units = 160;

} // namespace

StreamWorldOptions flight_options(const FlightPlan &plan, Pace pace)
{
    StreamWorldOptions options;
    options.bytes_max = static_cast<std::size_t>(plan.mib_max * bytes_per_mib);
    options.columns = plan.radius > 16 ? 2048 : 512;
    if (pace == Pace::step) {
        options.budget = budget_of_units(step_units);
    }
    return options;
}

double fly(Pace pace, double seconds,
           const std::function<void(std::uint32_t number, double seconds)> &update)
{
    const double begun_ns = clock_ns(CLOCK_MONOTONIC);
    const auto since_s = [begun_ns] { return (clock_ns(CLOCK_MONOTONIC) - begun_ns) / 1e9; };
    const auto count = static_cast<std::uint32_t>(seconds * 60);
    for (std::uint32_t i = 0; i < count; i++) {
        if (pace == Pace::real) {
            sleep_until_ns(begun_ns + i * 1e9 / 60);
        }
        update(i, pace == Pace::real ? since_s() : i / 60.0);
    }
    return since_s();
}

// ---- players -----------------------------------------------------------------------------------

namespace {

void place_axis(double blocks, std::int32_t *chunk, double *offset)
{
    const double whole = std::floor(blocks / TRN_CHUNK_EDGE);
    *chunk = static_cast<std::int32_t>(whole);
    *offset = blocks - whole * TRN_CHUNK_EDGE;
}

TrnPosition place(double x, double y, double z)
{
    TrnPosition position = {};
    place_axis(x, &position.chunk.x, &position.offset[0]);
    place_axis(y, &position.chunk.y, &position.offset[1]);
    place_axis(z, &position.chunk.z, &position.offset[2]);
    return position;
}

TrnVoxel voxel_of(const TrnPosition &position)
{
    const auto whole = [](std::int32_t chunk, double offset) {
        return chunk * std::int64_t{TRN_CHUNK_EDGE} + static_cast<std::int64_t>(offset);
    };
    return {whole(position.chunk.x, position.offset[0]),
            whole(position.chunk.y, position.offset[1]),
            whole(position.chunk.z, position.offset[2])};
}

void face(TrnStreamAnchor &anchor, double angle, double speed)
{
    anchor.view[0] = std::cos(angle);
    anchor.view[2] = std::sin(angle);
    anchor.velocity[0] = speed * anchor.view[0];
    anchor.velocity[2] = speed * anchor.view[2];
}

} // namespace

std::uint32_t Flight::players() const
{
    return plan_.path == FlightPlan::apart || plan_.path == FlightPlan::together ? 2 : 1;
}

TrnStreamAnchor Flight::at(std::uint32_t player, double seconds) const
{
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.radius_chunks = plan_.radius;
    anchor.height_chunks = plan_.height;
    const double way = plan_.speed * seconds;
    const bool goes_back = player && plan_.path == FlightPlan::apart;
    const double side = player * (plan_.path == FlightPlan::apart ? two_apart : two_together);
    switch (plan_.path) {
    case FlightPlan::circling: {
        const double turn = way / plan_.circle;
        anchor.position =
            place(plan_.circle * std::sin(turn), altitude_, plan_.circle * (1 - std::cos(turn)));
        face(anchor, turn, plan_.speed);
        break;
    }
    case FlightPlan::turning:
        anchor.position = place(8, altitude_, 8);
        face(anchor, seconds * pi / 2, 0);
        break;
    case FlightPlan::teleporting:
        anchor.position =
            place(way, altitude_, teleport_far * std::floor(seconds / teleport_every));
        face(anchor, 0, plan_.speed);
        break;
    default:
        anchor.position = place(goes_back ? -way : way, altitude_, side);
        face(anchor, goes_back ? pi : 0, plan_.speed);
    }
    return anchor;
}

// ---- flying ------------------------------------------------------------------------------------

Flight::Flight(const FlightPlan &plan, const StreamWorldOptions &options)
    : world(options), plan_(plan), altitude_(static_cast<double>(world.ground(0, 0)) + plan.above),
      reach_(plan.radius * 0.75), high_reach_(plan.height * 0.75)
{
    for (std::uint32_t i = 0; i < players(); i++) {
        ids_[i] = world.add_anchor(at(i, 0));
    }
    const auto far = static_cast<int>(reach_), high = static_cast<int>(high_reach_);
    for (int y = -high; y <= high; y++) {
        for (int z = -far; z <= far; z++) {
            for (int x = -far; x <= far; x++) {
                if (part_of({x, y, z}) <= 1) {
                    ahead_.push_back({x, y, z});
                }
            }
        }
    }
    world.settle();
    trn_stream_reset_times(world.stream());
}

void Flight::dig(std::uint32_t number)
{
    const TrnVoxel player = voxel_of(anchors_[0].position);
    const std::int64_t x = player.x + 12, z = player.z + number % 7 - 3;
    world.dig({x, world.ground(x, z), z}, dig_radius);
}

FlightUpdate Flight::update(std::uint32_t number, double seconds)
{
    for (std::uint32_t i = 0; i < players(); i++) {
        anchors_[i] = at(i, seconds);
        trn_stream_anchor_set(world.stream(), ids_[i], &anchors_[i]);
    }
    if (plan_.digs && number % digs_every == 0) {
        dig(number / digs_every);
    }
    const double begun_ns = clock_ns(CLOCK_MONOTONIC);
    const double cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    const TrnStreamReport report = world.update();
    FlightUpdate update = {};
    update.cpu_us = (clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns) / 1e3;
    update.us = (clock_ns(CLOCK_MONOTONIC) - begun_ns) / 1e3;
    update.seconds = seconds;
    update.wanted = report.wanted;
    update.inserted = report.inserted;
    update.uploaded = report.uploaded;
    update.unloaded = report.unloaded;
    update.bytes = static_cast<double>(trn_stream_bytes(world.stream()));
    return update;
}

// ---- what players see --------------------------------------------------------------------------

void Flight::look(FlightUpdate &update) const
{
    update.has_ground = 1;
    for (std::uint32_t i = 0; i < players(); i++) {
        update.missing += missing(i);
        update.has_ground *= has_ground(anchors_[i]) ? 1 : 0;
    }
    update.rss_bytes = resident_bytes();
}

TrnStreamView Flight::view() const
{
    TrnStreamView view = {};
    trn_stream_view(world.stream(), ids_[0], &view);
    return view;
}

/// Whether the ground below a player, and the space for a body on it, is loaded.
bool Flight::has_ground(const TrnStreamAnchor &anchor) const
{
    const TrnVoxel at = voxel_of(anchor.position);
    const std::int64_t y = world.ground(at.x, at.z);
    return trn_stream_readiness(world.stream(), {at.x - 1, y - 1, at.z - 1},
                                {at.x + 1, y + 3, at.z + 1})
        .is_loaded;
}

/// The square of an offset's distance relative to 3/4 of the whole view: 1 at its edge, 1/4
/// halfway.
double Flight::part_of(const TrnCoord &step) const
{
    return (step.x * step.x + step.z * step.z) / (reach_ * reach_) +
           step.y * step.y / (high_reach_ * high_reach_);
}

/// How many chunks ahead of a player, within 3/4 of its view, are not shown. Players would see them
/// as gaps.
std::uint32_t Flight::missing(std::uint32_t player) const
{
    const TrnStreamAnchor &anchor = anchors_[player];
    TrnStreamView view = {};
    trn_stream_view(world.stream(), ids_[player], &view);
    // A view over budget drops outer rings; its height shrinks with its radius.
    const double size =
        view.is_shrunk && view.rings_wanted ? 1.0 * view.rings / view.rings_wanted : 1;
    std::uint32_t count = 0;
    for (const TrnCoord &step : ahead_) {
        if (part_of(step) <= size * size &&
            step.x * anchor.view[0] + step.z * anchor.view[2] >= 0) {
            count +=
                !world.is_on_screen(trn_coord_add(anchor.position.chunk, step.x, step.y, step.z));
        }
    }
    return count;
}
