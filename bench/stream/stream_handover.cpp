// The hand-over of chunks from workers to the store, over land that costs almost nothing to
// generate: chunks per second, and the calling thread's time for each loaded or unloaded chunk.

#include <string>

#include "stream_flight.hpp"
#include "stream_parts.hpp"

namespace {

// ---- chunks a second ---------------------------------------------------------------------------

const char *const question_hand_over = "hand-over, time a chunk";
const char *const unlimited = "Terrane, no limit of time, queue of 64 MiB";

struct HandOver {
    std::uint32_t radius, height;
    bool meshes, is_limited;
};

enum HandOverColumn : std::size_t { chunk_us, hand_over_chunks, soon_chunks };

StreamWorldOptions options_of(const HandOver &scene)
{
    StreamWorldOptions options;
    options.workers = 1;
    options.is_near_free = true;
    options.meshes = scene.meshes;
    if (!scene.is_limited) {
        options.budget = budget_of_ms(0);
        options.adjust = [](TrnStreamDef &def) { def.queue_bytes = std::size_t{64} << 20; };
    }
    return options;
}

/// @param seconds_max  time limit; ends earlier if the stream is idle
Figures hand_over(const HandOver &scene, double seconds_max)
{
    const double soon_s = 0.25; // the view is still growing then
    StreamWorld world(options_of(scene));
    world.add_anchor({0, 16, 0}, scene.radius, scene.height);
    double seconds = world.update_until_idle(60, soon_s);
    const std::uint32_t soon = trn_stream_stats(world.stream()).loaded;
    seconds += world.update_until_idle(60, seconds_max - soon_s);
    const TrnStreamStats stats = trn_stream_stats(world.stream());
    const double chunks = scene.meshes ? stats.shown : stats.loaded;
    return {seconds * 1e6 / chunks, chunks, 1.0 * soon};
}

/// Counts and a hash of the chunks of a small view.
Figures hash_hand_over(bool is_limited)
{
    StreamWorld world(options_of({6, 2, true, is_limited}));
    world.add_anchor({0, 16, 0}, 6, 2);
    world.update_until_idle(60, 30);
    const TrnStreamStats stats = trn_stream_stats(world.stream());
    return {static_cast<double>(stats.loaded), static_cast<double>(stats.meshed),
            static_cast<double>(world.hash())};
}

void conclude_hand_over(Report &report, const std::string &world, bool meshes,
                        const Sampled &limited)
{
    const Figure free_us = figure_of(report, question_hand_over, world, unlimited);
    const Figure limited_us = figure_of(report, question_hand_over, world, stream_default);
    const Figure second_us = 1e6;
    if (!limited.is_measured()) {
        return;
    }
    report.targets.push_back({world,
                              std::string("chunks ") + (meshes ? "shown" : "loaded") +
                                  " a second, part of that without limits",
                              free_us / limited_us * 100, "%", Target::at_least,
                              meshes ? 40.0 : 28.0});
    report.targets.push_back({world, "chunks a second", second_us / limited_us, "1/s"});
    report.targets.push_back({world, "chunks a second without limits", second_us / free_us, "1/s"});
    add_targets(report, world, limited, {{"chunks loaded in the first 0.25 s", soon_chunks, ""}});
}

void add_hand_over_scene(bench::Bench &bench, bool meshes, const std::function<bool()> &check)
{
    const bool is_quick = bench.options.quick;
    const auto sampled = [=](bool is_limited) {
        const HandOver scene = {32, 8, meshes, is_limited};
        return Sampled([=] { return hand_over(scene, is_quick ? 1 : 10); }, is_quick ? 2 : 3);
    };
    const Sampled limited = sampled(true);
    bench::Scene scene = {question_hand_over, "flattened R=32, near-free generator", "us"};
    scene.world += meshes ? ", meshed" : ", no meshes";
    scene.attempts = {limited.attempt(stream_default, chunk_us, hand_over_chunks),
                      sampled(false).attempt(unlimited, chunk_us, hand_over_chunks)};
    for (bench::Attempt &attempt : scene.attempts) {
        attempt.check = check;
    }
    bench.stage({scene});
    bench.conclude([world = scene.world, meshes, limited](Report &report) {
        conclude_hand_over(report, world, meshes, limited);
    });
}

// ---- arrivals and departures -------------------------------------------------------------------

enum CrossingColumn : std::size_t {
    arrival_us, ///< mean
    departure_us,
    whole_us,       ///< own time of all updates per arrival or departure
    arrival_p50_us, ///< median of the stage's measurements
    departure_p50_us,
    own_p50_ms,
    own_p999_ms,
    crossings ///< number of arrivals and departures
};

const FlightPlan crossing_plan = {"straight, 200 blocks/s, R=32, near-free generator",
                                  FlightPlan::straight,
                                  200,
                                  32,
                                  8,
                                  0,
                                  4,
                                  0,
                                  false};

/// A stage's time per chunk, for any number of chunks per measurement.
double stage_us(const TrnStreamTimes &times, double chunks)
{
    return times.mean * static_cast<double>(times.count) / chunks;
}

Figures cross(bool meshes, double seconds)
{
    StreamWorldOptions options = flight_options(crossing_plan, Pace::real);
    options.workers = 1;
    options.is_near_free = true;
    options.meshes = meshes;
    Flight flight(crossing_plan, options);
    std::vector<double> own_us;
    double all_us = 0, arrivals = 0, departures = 0;
    fly(Pace::real, seconds, [&](std::uint32_t number, double now_s) {
        const FlightUpdate update = flight.update(number, now_s);
        own_us.push_back(update.cpu_us);
        all_us += update.cpu_us;
        arrivals += update.inserted;
        departures += update.unloaded;
    });
    const TrnStreamStats stats = trn_stream_stats(flight.world.stream());
    const TrnStreamTimes &insert = stats.times[TRN_STREAM_STAGE_INSERT];
    const TrnStreamTimes &unload = stats.times[TRN_STREAM_STAGE_UNLOAD];
    return {stage_us(insert, arrivals),
            stage_us(unload, departures),
            all_us / (arrivals + departures),
            insert.p50,
            unload.p50,
            percentile(own_us, 0.5) / 1e3,
            percentile(own_us, 0.999) / 1e3,
            arrivals + departures};
}

void add_crossing_scenes(bench::Bench &bench, bool meshes)
{
    const double seconds = bench.options.quick ? 2 : 10;
    const Sampled sampled([=] { return cross(meshes, seconds); }, bench.options.quick ? 1 : 3);
    const std::string world =
        std::string(crossing_plan.name) + (meshes ? ", meshed" : ", no meshes");
    std::vector<bench::Scene> scenes = {
        {"an arrival, insert stage", world, "us"},
        {"a departure, unload stage", world, "us"},
        {"update, its own time an arrival or departure", world, "us"}};
    for (std::size_t i = 0; i < scenes.size(); i++) { // the first columns
        scenes[i].attempts = {sampled.attempt(stream_default, i, crossings)};
    }
    bench.stage(scenes);
    // As many chunks arrive as depart, so the time per crossing is the mean of arrival and
    // departure. Neither includes uploads.
    bench.conclude([=](Report &report) {
        add_targets(report, world, sampled,
                    {{"an arrival, insert stage", arrival_us, "us"},
                     {"an arrival, insert stage, p50", arrival_p50_us, "us"},
                     {"a departure, unload stage", departure_us, "us"},
                     {"a departure, unload stage, p50", departure_p50_us, "us"},
                     {"update, its own time an arrival or departure", whole_us, "us"},
                     {"own time of an update, p50", own_p50_ms, "ms"},
                     {"own time of an update, p99.9", own_p999_ms, "ms"}});
    });
}

} // namespace

void add_hand_over(bench::Bench &bench)
{
    const auto check = bench::made_once([] {
        return run_apart([] { return hash_hand_over(true); }) ==
               run_apart([] { return hash_hand_over(false); });
    });
    add_hand_over_scene(bench, false, check);
    add_hand_over_scene(bench, true, check);
    add_crossing_scenes(bench, false);
    if (!bench.options.quick) {
        add_crossing_scenes(bench, true);
    }
}
