// Arrivals and departures: what the calling thread pays for a chunk that is loaded or unloaded,
// in a flight whose land costs next to nothing to generate.

#include <cstdio>
#include <string>

#include "driver/timing.hpp"
#include "stream_flight.hpp"
#include "stream_rows.hpp"
#include "stream_scenes.hpp"

namespace {

const char *const question_arrival = "an arrival, insert stage";
const char *const question_departure = "a departure, unload stage";
const char *const question_whole = "update, its own time an arrival or departure";
const char *const contender = "Terrane, 60 updates a second";
const double speed = 200; ///< blocks a second
const std::uint32_t radius = 32, height = 8;

enum Figure : std::uint8_t {
    arrival_us,     ///< mean
    arrival_p50_us, ///< of the stage's measurements
    departure_us,
    departure_p50_us,
    whole_us, ///< own time of all updates by arrivals and departures
    own_p50_us,
    own_p999_us,
    crossings, ///< arrivals and departures
    figure_count
};

struct Flown {
    std::vector<double> own_us;
    double inserted = 0, unloaded = 0;
};

Flown fly_straight(StreamWorld &world, TrnStreamAnchorId id, double seconds)
{
    Flown flown;
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.view[0] = 1;
    anchor.velocity[0] = speed;
    anchor.radius_chunks = radius;
    anchor.height_chunks = height;
    const double begun_ns = clock_ns(CLOCK_MONOTONIC);
    for (int i = 0; i < seconds * 60; i++) {
        sleep_until_ns(begun_ns + i * 1e9 / 60);
        const double now_s = (clock_ns(CLOCK_MONOTONIC) - begun_ns) / 1e9;
        anchor.position = trn_voxel_position({static_cast<std::int64_t>(speed * now_s), 16, 0});
        trn_stream_anchor_set(world.stream(), id, &anchor);
        const double own_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        const TrnStreamReport report = world.update();
        flown.own_us.push_back((clock_ns(CLOCK_THREAD_CPUTIME_ID) - own_ns) / 1e3);
        flown.inserted += report.inserted;
        flown.unloaded += report.unloaded;
    }
    return flown;
}

/// A stage's time by chunk, however many chunks one measurement of it covers.
double stage_us(const TrnStreamTimes &times, double chunks)
{
    return times.mean * static_cast<double>(times.count) / chunks;
}

Reply run_crossings(bool meshes, double seconds)
{
    FlatLand land;
    StreamWorldOptions options;
    options.workers = 1;
    options.adjust = [&](TrnStreamDef &def) {
        def.generator = land.generator();
        def.hooks.mesh = meshes ? def.hooks.mesh : nullptr;
    };
    StreamWorld world(options);
    const TrnStreamAnchorId id = add_anchor(world, {0, 16, 0}, radius, height);
    settle_world(world);
    trn_stream_reset_times(world.stream());
    const Flown flown = fly_straight(world, id, seconds);
    const TrnStreamStats stats = trn_stream_stats(world.stream());
    const TrnStreamTimes &insert = stats.times[TRN_STREAM_STAGE_INSERT];
    const TrnStreamTimes &unload = stats.times[TRN_STREAM_STAGE_UNLOAD];
    double all_us = 0;
    for (const double us : flown.own_us) {
        all_us += us;
    }
    Reply reply;
    reply.figures.resize(figure_count);
    reply.figures[arrival_us] = stage_us(insert, flown.inserted);
    reply.figures[arrival_p50_us] = insert.p50;
    reply.figures[departure_us] = stage_us(unload, flown.unloaded);
    reply.figures[departure_p50_us] = unload.p50;
    reply.figures[whole_us] = all_us / (flown.inserted + flown.unloaded);
    reply.figures[own_p50_us] = quantile(flown.own_us, 0.5);
    reply.figures[own_p999_us] = quantile(flown.own_us, 0.999);
    reply.figures[crossings] = flown.inserted + flown.unloaded;
    return reply;
}

void add_entry(Report &report, const char *question, const std::string &world, const Reply &reply,
               Figure figure)
{
    Entry entry = entry_of(question, world, contender, "us");
    entry.remark = reply.verdict == Reply::fine ? "" : reply.text;
    if (reply.verdict == Reply::fine) {
        entry.times = {reply.figures[figure]};
        entry.count = static_cast<std::size_t>(reply.figures[crossings]);
    }
    report.entries.push_back(entry);
}

void measure_one(bool meshes, const BenchOptions &options, Report &report)
{
    const std::string world = std::string("straight, 200 blocks/s, R=32, near-free generator") +
                              (meshes ? ", meshed" : ", no meshes");
    if (!options.wants(question_arrival, world, contender) &&
        !options.wants(question_departure, world, contender) &&
        !options.wants(question_whole, world, contender)) {
        return;
    }
    std::fprintf(stderr, "stream: arrivals and departures, %s\n", world.c_str());
    const double seconds = options.quick ? 2 : 10;
    const Reply reply = run_apart([&] { return run_crossings(meshes, seconds); }, 300);
    add_entry(report, question_arrival, world, reply, arrival_us);
    add_entry(report, question_departure, world, reply, departure_us);
    add_entry(report, question_whole, world, reply, whole_us);
    if (reply.verdict != Reply::fine) {
        return;
    }
    const std::vector<double> &f = reply.figures;
    add_target(report, world, question_arrival, f[arrival_us], "us", 1.5);
    add_target(report, world, "an arrival, insert stage, p50", f[arrival_p50_us], "us", told);
    add_target(report, world, question_departure, f[departure_us], "us", 1.1);
    add_target(report, world, "a departure, unload stage, p50", f[departure_p50_us], "us", told);
    // As many arrive as depart: the mean of both targets. Uploads are no part of either.
    add_target(report, world, question_whole, f[whole_us], "us", meshes ? told : 1.3);
    add_target(report, world, "own time of an update, p50", f[own_p50_us] / 1e3, "ms", 0.3);
    add_target(report, world, "own time of an update, p99.9", f[own_p999_us] / 1e3, "ms", 1);
}

} // namespace

void measure_crossings(const BenchOptions &options, Report &report)
{
    measure_one(false, options, report);
    if (!options.quick) {
        measure_one(true, options, report);
    }
}
