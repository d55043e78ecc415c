#include "stream_flight.hpp"

#include <cmath>
#include <cstdio>

#include <unistd.h>

#include "driver/child.hpp"
#include "driver/timing.hpp"

namespace {

const double pi = 3.14159265358979323846;
const std::size_t mib = std::size_t{1} << 20;
const double frame = 1.0 / 60;
const double two_apart = 4000, two_together = 20;
const double circle = 200;        ///< blocks
const double teleport_every = 2;  ///< seconds
const double teleport_far = 9000; ///< blocks
const std::uint32_t digs_every = 6;
const double dig_radius = 3;

} // namespace

const std::vector<FlightPlan> &flight_plans()
{
    static const std::vector<FlightPlan> plans = {
        {"straight, 64 blocks/s, R=16", FlightPlan::straight, 64, 16, 4, 128 * mib, false, true,
         true},
        {"straight, 200 blocks/s, R=32", FlightPlan::straight, 200, 32, 8, 640 * mib, false, true,
         false},
        {"straight, 64 blocks/s, R=16, digging", FlightPlan::straight, 64, 16, 4, 128 * mib, true,
         true, true},
        {"circling, 64 blocks/s, R=16", FlightPlan::circling, 64, 16, 4, 128 * mib, false, false,
         true},
        {"turning on the spot, R=16", FlightPlan::turning, 0, 16, 4, 128 * mib, false, false, true},
        {"teleports, R=16", FlightPlan::teleporting, 4, 16, 4, 128 * mib, false, false, true},
        {"two players apart, 64 blocks/s, R=12", FlightPlan::apart, 64, 12, 4, 160 * mib, false,
         false, true},
        {"two players together, 64 blocks/s, R=16", FlightPlan::together, 64, 16, 4, 160 * mib,
         false, false, true},
        {"straight, 64 blocks/s, R=16 in 48 MiB", FlightPlan::straight, 64, 16, 4, 48 * mib, false,
         false, true},
    };
    return plans;
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

double blocks_of(const TrnPosition &position, int axis)
{
    const std::int32_t chunks[3] = {position.chunk.x, position.chunk.y, position.chunk.z};
    return static_cast<double>(chunks[axis]) * TRN_CHUNK_EDGE + position.offset[axis];
}

void look(TrnStreamAnchor &anchor, double angle, double speed)
{
    anchor.view[0] = std::cos(angle);
    anchor.view[2] = std::sin(angle);
    anchor.velocity[0] = speed * anchor.view[0];
    anchor.velocity[2] = speed * anchor.view[2];
}

} // namespace

Players::Players(const FlightPlan &plan, const StreamWorld &world)
    : plan_(plan), height_(static_cast<double>(world.ground(0, 0)) + (plan.digs ? 2 : 20))
{
}

std::uint32_t Players::count() const
{
    return plan_.path == FlightPlan::apart || plan_.path == FlightPlan::together ? 2 : 1;
}

TrnStreamAnchor Players::at(std::uint32_t player, double seconds) const
{
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.radius_chunks = plan_.radius;
    anchor.height_chunks = plan_.height;
    const double way = plan_.speed * seconds;
    const double side = player * (plan_.path == FlightPlan::apart ? two_apart : two_together);
    const double turn = way / circle;
    switch (plan_.path) {
    case FlightPlan::circling:
        anchor.position = place(circle * std::sin(turn), height_, circle * (1 - std::cos(turn)));
        look(anchor, turn, plan_.speed);
        break;
    case FlightPlan::turning:
        anchor.position = place(8, height_, 8);
        look(anchor, seconds * pi / 2, 0);
        break;
    case FlightPlan::teleporting:
        anchor.position = place(way, height_, teleport_far * std::floor(seconds / teleport_every));
        look(anchor, 0, plan_.speed);
        break;
    default:
        anchor.position =
            place(way * (player && plan_.path == FlightPlan::apart ? -1 : 1), height_, side);
        look(anchor, player && plan_.path == FlightPlan::apart ? pi : 0, plan_.speed);
    }
    return anchor;
}

// ---- flying ------------------------------------------------------------------------------------

double resident_bytes()
{
    std::FILE *file = std::fopen("/proc/self/statm", "r");
    long all = 0, resident = 0;
    const bool is_read = file && std::fscanf(file, "%ld %ld", &all, &resident) == 2;
    if (file) {
        std::fclose(file);
    }
    return is_read ? static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE))
                   : std::nan("");
}

void settle_world(StreamWorld &world)
{
    const TrnStreamBudget plenty = budget_of_ms(20);
    const double begun_ns = clock_ns(CLOCK_MONOTONIC);
    while (!world.update(&plenty).is_idle) {
        trn_stream_wait(world.stream());
        if (clock_ns(CLOCK_MONOTONIC) - begun_ns > 120e9) {
            return;
        }
    }
}

namespace {

/// Chunks ahead of a player, within 3/4 of what is shown of it: the player's own sight cannot miss
/// them.
class Ahead {
  public:
    explicit Ahead(const FlightPlan &plan) : reach_(plan.radius * 0.75), height_(plan.height * 0.75)
    {
        const auto far = static_cast<int>(reach_), high = static_cast<int>(height_);
        for (int y = -high; y <= high; y++) {
            for (int z = -far; z <= far; z++) {
                for (int x = -far; x <= far; x++) {
                    if (part_of({x, y, z}) <= 1) {
                        all.push_back({x, y, z});
                    }
                }
            }
        }
    }

    /// How many are missing on the screen.
    std::uint32_t missing(const StreamWorld &world, const TrnStreamAnchor &anchor,
                          TrnStreamAnchorId id) const
    {
        TrnStreamView view = {};
        trn_stream_view(world.stream(), id, &view); // where it does not fit, 3/4 of what does
        // It loses whole rings: its height shrinks with its radius.
        const double size =
            view.is_shrunk && view.rings_wanted ? 1.0 * view.rings / view.rings_wanted : 1;
        std::uint32_t count = 0;
        for (const TrnCoord &step : all) {
            if (part_of(step) <= size * size &&
                step.x * anchor.view[0] + step.z * anchor.view[2] >= 0) {
                count += !world.is_on_screen(
                    trn_coord_add(anchor.position.chunk, step.x, step.y, step.z));
            }
        }
        return count;
    }

  private:
    /// 1 at the surface of what is looked at of a whole view, 1/4 halfway there.
    double part_of(const TrnCoord &step) const
    {
        return (step.x * step.x + step.z * step.z) / (reach_ * reach_) +
               step.y * step.y / (height_ * height_);
    }

    const double reach_, height_;
    std::vector<TrnCoord> all;
};

/// One flight from the first update to the last.
class Flight {
  public:
    Flight(const FlightPlan &plan, Pace pace, double seconds)
        : plan_(plan), pace_(pace), seconds_(seconds), world_(options(plan, pace)),
          players_(plan, world_), ahead_(plan)
    {
        for (std::uint32_t i = 0; i < players_.count(); i++) {
            const TrnStreamAnchor anchor = players_.at(i, 0);
            if (trn_stream_anchor_add(world_.stream(), &anchor, &ids_[i]) != TRN_RESULT_OK) {
                throw std::bad_alloc();
            }
        }
    }

    FlightFigures run()
    {
        settle_world(world_);
        trn_stream_reset_times(world_.stream());
        const double begun_ns = clock_ns(CLOCK_MONOTONIC);
        const auto count = static_cast<std::uint32_t>(seconds_ * 60);
        for (std::uint32_t i = 0; i < count; i++) {
            if (pace_ == Pace::real) {
                sleep_until_ns(begun_ns + i * frame * 1e9);
            }
            step(i, pace_ == Pace::real ? (clock_ns(CLOCK_MONOTONIC) - begun_ns) / 1e9 : i * frame);
        }
        figures_.seconds = (clock_ns(CLOCK_MONOTONIC) - begun_ns) / 1e9;
        take_figures();
        figures_.end_ms = world_.end_stream();
        return figures_;
    }

  private:
    static StreamWorldOptions options(const FlightPlan &plan, Pace pace)
    {
        StreamWorldOptions options;
        options.bytes_max = plan.bytes_max;
        options.columns = plan.bytes_max < 64 * mib ? 512 : plan.radius > 16 ? 2048 : 512;
        if (pace == Pace::step) {
            options.budget = budget_of_units(flight_units);
        }
        return options;
    }

    void dig(const TrnStreamAnchor &anchor, std::uint32_t number)
    {
        const auto x = static_cast<std::int64_t>(blocks_of(anchor.position, 0)) + 12;
        const auto z = static_cast<std::int64_t>(blocks_of(anchor.position, 2)) + number % 7 - 3;
        world_.dig({x, world_.ground(x, z), z}, dig_radius);
    }

    /// Whether a body could stand below a player.
    bool has_ground(const TrnStreamAnchor &anchor) const
    {
        const auto x = static_cast<std::int64_t>(std::floor(blocks_of(anchor.position, 0)));
        const auto z = static_cast<std::int64_t>(std::floor(blocks_of(anchor.position, 2)));
        const std::int64_t y = world_.ground(x, z);
        return trn_stream_readiness(world_.stream(), {x - 1, y - 1, z - 1}, {x + 1, y + 3, z + 1})
            .is_loaded;
    }

    void step(std::uint32_t number, double seconds)
    {
        TrnStreamAnchor anchors[flight_players_max];
        for (std::uint32_t i = 0; i < players_.count(); i++) {
            anchors[i] = players_.at(i, seconds);
            trn_stream_anchor_set(world_.stream(), ids_[i], &anchors[i]);
        }
        if (plan_.digs && number % digs_every == 0) {
            dig(anchors[0], number / digs_every);
        }
        const double begun_ns = clock_ns(CLOCK_MONOTONIC);
        const double cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        const TrnStreamReport report = world_.update();
        FlightUpdate update = {};
        update.cpu_us = (clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns) / 1e3;
        update.us = (clock_ns(CLOCK_MONOTONIC) - begun_ns) / 1e3;
        update.seconds = seconds;
        update.wanted = report.wanted;
        update.inserted = report.inserted;
        update.uploaded = report.uploaded;
        update.unloaded = report.unloaded;
        update.has_ground = 1;
        for (std::uint32_t i = 0; i < players_.count(); i++) {
            update.missing += ahead_.missing(world_, anchors[i], ids_[i]);
            update.has_ground *= has_ground(anchors[i]) ? 1 : 0;
        }
        update.bytes = static_cast<double>(trn_stream_bytes(world_.stream()));
        update.rss_bytes = resident_bytes();
        figures_.updates.push_back(update);
    }

    void take_figures()
    {
        const TrnStreamStats stats = trn_stream_stats(world_.stream());
        const TrnStreamTimes &edits = stats.times[TRN_STREAM_STAGE_EDIT_TO_SHOWN];
        figures_.edit_p99_us = edits.p99;
        figures_.edit_most_us = edits.max;
        figures_.edits = static_cast<double>(edits.count);
        figures_.bytes_peak = static_cast<double>(stats.total_bytes_peak);
        figures_.bytes_max = static_cast<double>(stats.bytes_max);
        TrnStreamView view = {};
        trn_stream_view(world_.stream(), ids_[0], &view);
        figures_.rings = view.rings;
        figures_.rings_wanted = view.rings_wanted;
    }

    const FlightPlan plan_;
    const Pace pace_;
    const double seconds_;
    StreamWorld world_;
    Players players_;
    Ahead ahead_;
    TrnStreamAnchorId ids_[flight_players_max] = {};
    FlightFigures figures_;
};

// ---- in a process of its own -------------------------------------------------------------------

const std::size_t head_figures = 9, update_figures = sizeof(FlightUpdate) / sizeof(double);

std::vector<double> packed(const FlightFigures &figures)
{
    std::vector<double> all = {figures.edit_p99_us,  figures.edit_most_us, figures.edits,
                               figures.bytes_peak,   figures.bytes_max,    figures.rings,
                               figures.rings_wanted, figures.end_ms,       figures.seconds};
    for (const FlightUpdate &update : figures.updates) {
        const auto *first = reinterpret_cast<const double *>(&update);
        all.insert(all.end(), first, first + update_figures);
    }
    return all;
}

FlightFigures unpacked(const std::vector<double> &all)
{
    FlightFigures figures;
    figures.edit_p99_us = all[0];
    figures.edit_most_us = all[1];
    figures.edits = all[2];
    figures.bytes_peak = all[3];
    figures.bytes_max = all[4];
    figures.rings = all[5];
    figures.rings_wanted = all[6];
    figures.end_ms = all[7];
    figures.seconds = all[8];
    for (std::size_t i = head_figures; i + update_figures <= all.size(); i += update_figures) {
        const double *u = &all[i];
        figures.updates.push_back(
            {u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10]});
    }
    return figures;
}

} // namespace

FlightFigures fly(const FlightPlan &plan, Pace pace, double seconds)
{
    Child child([&](const Desk &desk) {
        Flight flight(plan, pace, seconds);
        Reply reply;
        reply.figures = packed(flight.run());
        desk.reply(reply);
    });
    Reply reply = child.await(seconds * 4 + 600);
    if (reply.verdict != Reply::fine || reply.figures.size() < head_figures + update_figures) {
        FlightFigures none;
        none.problem = reply.text.empty() ? "it ended early" : reply.text;
        return none;
    }
    return unpacked(reply.figures);
}
