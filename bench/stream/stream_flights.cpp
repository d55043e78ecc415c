// Flights in real time and in step time, and an hour in step time: does memory grow?

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "driver/machine.hpp"
#include "stream_flight.hpp"
#include "stream_parts.hpp"

namespace {

struct FlightRow {
    FlightPlan plan;
    bool has_marks; ///< its line in the plot is thick
    bool is_quick;  ///< part of a quick run
};

const FlightRow flight_rows[] = {
    {{"straight, 64 blocks/s, R=16", FlightPlan::straight, 64, 16, 4, 128, 20, 0, false},
     true,
     true},
    {{"straight, 200 blocks/s, R=32", FlightPlan::straight, 200, 32, 8, 640, 20, 0, false},
     true,
     false},
    {{"straight, 64 blocks/s, R=16, digging", FlightPlan::straight, 64, 16, 4, 128, 2, 0, true},
     true,
     true},
    {{"circling, 64 blocks/s, R=16", FlightPlan::circling, 64, 16, 4, 128, 20, 200, false},
     false,
     true},
    {{"turning on the spot, R=16", FlightPlan::turning, 0, 16, 4, 128, 20, 0, false}, false, true},
    {{"teleports, R=16", FlightPlan::teleporting, 4, 16, 4, 128, 20, 0, false}, false, true},
    {{"two players apart, 64 blocks/s, R=12", FlightPlan::apart, 64, 12, 4, 160, 20, 0, false},
     false,
     true},
    {{"two players together, 64 blocks/s, R=16", FlightPlan::together, 64, 16, 4, 160, 20, 0,
      false},
     false,
     true},
    {{"straight, 64 blocks/s, R=16 in 48 MiB", FlightPlan::straight, 64, 16, 4, 48, 20, 0, false},
     false,
     true},
};

/// A circle takes 47 s, so every minute covers the same land.
const FlightPlan hour_plan = {
    "circling, 64 blocks/s, R=16, digging", FlightPlan::circling, 64, 16, 4, 128, 20, 477.5, true};
const int hour_minutes = 60;

const char *const in_step_time = "Terrane, one update after the other";

// ---- in a child process ------------------------------------------------------------------------

/// The head of a child's reply, before its updates.
struct FlightEnd {
    double edit_p99_us, edit_most_us, edits, bytes_peak, rings, shutdown_ms, seconds;
};

struct Flown {
    FlightEnd end;
    std::vector<FlightUpdate> updates;
};

const std::size_t end_figures = sizeof(FlightEnd) / sizeof(double);
const std::size_t update_figures = sizeof(FlightUpdate) / sizeof(double);

Figures packed(const Flown &flown)
{
    Figures all(end_figures + flown.updates.size() * update_figures);
    std::memcpy(all.data(), &flown.end, sizeof flown.end);
    std::memcpy(all.data() + end_figures, flown.updates.data(),
                flown.updates.size() * sizeof(FlightUpdate));
    return all;
}

Flown unpacked(const Figures &all)
{
    Flown flown;
    flown.updates.resize((all.size() - end_figures) / update_figures);
    std::memcpy(&flown.end, all.data(), sizeof flown.end);
    std::memcpy(flown.updates.data(), all.data() + end_figures,
                flown.updates.size() * sizeof(FlightUpdate));
    return flown;
}

Figures fly_once(const FlightPlan &plan, Pace pace, double seconds)
{
    Flight flight(plan, flight_options(plan, pace));
    Flown flown = {};
    flown.end.seconds = fly(pace, seconds, [&](std::uint32_t number, double now_s) {
        flown.updates.push_back(flight.update(number, now_s));
        flight.look(flown.updates.back());
    });
    const TrnStreamStats stats = trn_stream_stats(flight.world.stream());
    const TrnStreamTimes &edits = stats.times[TRN_STREAM_STAGE_EDIT_TO_SHOWN];
    flown.end.edit_p99_us = edits.p99;
    flown.end.edit_most_us = edits.max;
    flown.end.edits = static_cast<double>(edits.count);
    flown.end.bytes_peak = static_cast<double>(stats.total_bytes_peak);
    flown.end.rings = flight.view().rings;
    flown.end.shutdown_ms = flight.world.end_stream();
    return packed(flown);
}

// ---- figures -----------------------------------------------------------------------------------

Figures column(const Flown &flown, double FlightUpdate::*which)
{
    Figures values;
    for (const FlightUpdate &update : flown.updates) {
        values.push_back(update.*which);
    }
    return values;
}

double most_of(const Figures &values)
{
    return *std::max_element(values.begin(), values.end());
}

double inserted(const Flown &flown)
{
    double sum = 0;
    for (const FlightUpdate &update : flown.updates) {
        sum += update.inserted;
    }
    return sum;
}

/// A percentile of all updates in ms. Its spread is that of the percentiles of ten parts of the
/// flight.
Figure percentile_ms(const Figures &us, double part)
{
    const auto each = static_cast<std::ptrdiff_t>(us.size() / 10);
    Figures tenths;
    for (auto first = us.begin(); tenths.size() < 10; first += each) {
        tenths.push_back(percentile({first, first + each}, part));
    }
    return {percentile(us, part) / 1e3, spread_of(tenths).relative};
}

/// The longest time that a player waited for ground, after a teleport or because it loaded late.
double longest_fall_ms(const Flown &flown)
{
    double longest = 0, begun = -1;
    for (const FlightUpdate &update : flown.updates) {
        begun = update.has_ground > 0 ? -1 : begun < 0 ? update.seconds : begun;
        longest = begun < 0 ? longest : std::max(longest, update.seconds - begun + 1.0 / 60);
    }
    return longest * 1e3;
}

// ---- targets and plots -------------------------------------------------------------------------

/// The measurements of a flight, one for each pace.
struct FlightRuns {
    const FlightRow &row;
    Sampled real, step;
};

void add_update_targets(Report &report, const FlightRow &row, const Flown &flown)
{
    const Figures us = column(flown, &FlightUpdate::us);
    const char *const world = row.plan.name;
    report.targets.push_back({world, "update p50", percentile_ms(us, 0.5), "ms"});
    report.targets.push_back({world, "update p99", percentile_ms(us, 0.99), "ms"});
    report.targets.push_back({world, "update p99.9", percentile_ms(us, 0.999), "ms"});
    report.targets.push_back({world, "update p99.9, its own processor time",
                              percentile_ms(column(flown, &FlightUpdate::cpu_us), 0.999), "ms"});
}

void add_flight_targets(Report &report, const FlightPlan &plan, const Flown &flown, Pace pace)
{
    const auto add = [&](const char *what, double figure, const char *unit,
                         Target::Bound bound = Target::none, double demanded = 0) {
        const std::string how = pace == Pace::real ? "" : ", step time";
        report.targets.push_back({plan.name, what + how, figure, unit, bound, demanded});
    };
    add("chunks missing ahead, at most", most_of(column(flown, &FlightUpdate::missing)), "",
        plan.speed == 64 ? Target::at_most : Target::none);
    add("accounted at most", flown.end.bytes_peak / bytes_per_mib, "MiB", Target::at_most,
        plan.mib_max);
    add("resident at most", most_of(column(flown, &FlightUpdate::rss_bytes)) / bytes_per_mib, "MiB",
        Target::at_most, plan.mib_max + 16);
    add("rings left of the view", flown.end.rings, "");
    if (flown.end.edits > 0 && pace == Pace::real) {
        add("edit meshed, p99", flown.end.edit_p99_us / 1e3, "ms");
        add("edit meshed, slowest", flown.end.edit_most_us / 1e3, "ms");
    }
    if (pace == Pace::real) {
        add("without ground, longest", longest_fall_ms(flown), "ms");
    }
    add("shutdown in mid-flight", flown.end.shutdown_ms, "ms");
}

void add_lines_of(const FlightRow &row, const Flown &flown, Plot &updates, Plot &memory)
{
    // Only a few points, since each x gets a mark on the axis.
    const Figures us = column(flown, &FlightUpdate::us);
    Series times = {row.plan.name, {}, row.has_marks}, bytes = {row.plan.name, {}, false};
    for (const double one_in : {1.25, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0}) {
        times.points.emplace_back(one_in, percentile(us, 1 - 1 / one_in));
    }
    const std::size_t every = flown.updates.size() > 600 ? 300 : 30;
    for (std::size_t i = 0; i < flown.updates.size(); i += every) {
        bytes.points.emplace_back(static_cast<double>(i) / 60,
                                  flown.updates[i].bytes / bytes_per_mib);
    }
    updates.series.push_back(times);
    memory.series.push_back(bytes);
}

void add_to_table(std::string &table, const FlightPlan &plan, Pace pace, const Flown &flown)
{
    for (const FlightUpdate &u : flown.updates) {
        char line[256];
        std::snprintf(
            line, sizeof line, "\"%s\",%s,%.4f,%.1f,%.1f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f\n",
            plan.name, pace == Pace::real ? "real" : "step", u.seconds, u.us, u.cpu_us, u.wanted,
            u.inserted, u.uploaded, u.unloaded, u.missing, u.has_ground, u.bytes, u.rss_bytes);
        table += line;
    }
}

void conclude_flights(Report &report, const std::vector<FlightRuns> &flights)
{
    Plot updates = {"stream_updates",
                    "Updates while flying",
                    "one in N updates takes longer",
                    "us on the calling thread",
                    true,
                    true,
                    {},
                    {}};
    Plot memory = {
        "stream_memory", "Memory while flying", "s", "MiB accounted", false, false, {}, {}};
    std::string table = "flight,time,seconds,us,own_us,wanted,inserted,uploaded,unloaded,"
                        "missing_ahead,has_ground,accounted_bytes,resident_bytes\n";
    for (const FlightRuns &flight : flights) {
        for (const Pace pace : {Pace::real, Pace::step}) {
            const Sampled &sampled = pace == Pace::real ? flight.real : flight.step;
            if (!sampled.is_measured()) {
                continue;
            }
            const Flown flown = unpacked(sampled.last());
            if (pace == Pace::real) {
                add_update_targets(report, flight.row, flown);
                add_lines_of(flight.row, flown, updates, memory);
            }
            add_flight_targets(report, flight.row.plan, flown, pace);
            add_to_table(table, flight.row.plan, pace, flown);
        }
    }
    report.plots.insert(report.plots.end(), {updates, memory});
    report.tables.push_back({"stream_every_update", table});
}

// ---- exact replay ------------------------------------------------------------------------------

/// Two players fly, dig, and teleport twice. @return hashes of the world at nine times
Figures replay(std::uint32_t workers, bool is_tight)
{
    StreamWorldOptions options;
    options.workers = workers;
    options.counts_scratch = false;
    options.budget = budget_of_units(40);
    options.bytes_max = is_tight ? std::size_t{12} << 20 : 0; // less than the view needs
    StreamWorld world(options);
    TrnStreamAnchorId ids[2] = {};
    std::uint64_t hash = 0;
    for (std::uint32_t i = 0; i < 180; i++) {
        for (std::uint32_t player = 0; player < 2; player++) {
            TrnStreamAnchor anchor = trn_stream_anchor();
            const std::int64_t step = i, second = player;
            const std::int64_t x = 4 * step + 20 * second + 3000 * (step / 70), z = 30 * second;
            anchor.position = trn_voxel_position({x, world.ground(x, z) + 4, z});
            anchor.view[0] = 1;
            anchor.radius_chunks = 5;
            anchor.height_chunks = 2;
            if (i == 0) {
                ids[player] = world.add_anchor(anchor);
            }
            trn_stream_anchor_set(world.stream(), ids[player], &anchor);
            if (i % 5 == player) {
                world.dig({x + 9, world.ground(x + 9, z), z}, 4);
            }
        }
        world.update();
        if (i % 20 == 19) {
            hash = hash * 0x9E3779B97F4A7C15u + world.hash();
        }
    }
    return {static_cast<double>(hash >> 11)};
}

/// Whether the same flight gives the same voxels and meshes at any number of workers.
bool replays_agree(bench::Bench &bench)
{
    for (const bool is_tight : {false, true}) {
        const Figures expected = run_apart([is_tight] { return replay(0, is_tight); });
        for (const std::uint32_t workers : {1u, 2u, 4u, 8u}) {
            if (run_apart([=] { return replay(workers, is_tight); }) != expected) {
                throw bench::Wrong{"a replay with " + std::to_string(workers) +
                                   " workers differs from one without"};
            }
        }
        char line[128];
        std::snprintf(line, sizeof line,
                      "Replay%s: voxels and meshes hash to %014" PRIx64
                      " at 0, 1, 2, 4 and 8 workers.",
                      is_tight ? " within 12 MiB" : "", static_cast<std::uint64_t>(expected[0]));
        bench.note(line);
    }
    return true;
}

// ---- rows --------------------------------------------------------------------------------------

struct FlightQuestion {
    const char *question, *unit, *contender;
    Pace pace;
    Figures (*read)(const Flown &);
};

const FlightQuestion flight_questions[] = {
    {"update, calling thread", "us", stream_default, Pace::real,
     [](const Flown &flown) { return column(flown, &FlightUpdate::us); }},
    {"update, its own processor time", "us", stream_default, Pace::real,
     [](const Flown &flown) { return column(flown, &FlightUpdate::cpu_us); }},
    {"chunks a second, step time", "1/s", in_step_time, Pace::step,
     [](const Flown &flown) { return Figures{inserted(flown) / flown.end.seconds}; }},
};

bench::Attempt attempt_of(const FlightQuestion &asked, const Sampled &sampled,
                          const std::function<bool()> &check)
{
    bench::Attempt attempt = sampled.attempt(asked.contender);
    attempt.check = check;
    attempt.figures = [sampled, read = asked.read] {
        return sampled.is_measured() ? read(unpacked(sampled.last())) : Figures();
    };
    attempt.counted = [sampled] {
        return sampled.is_measured() ? static_cast<std::size_t>(inserted(unpacked(sampled.last())))
                                     : 0;
    };
    return attempt;
}

// ---- an hour -----------------------------------------------------------------------------------

/// @return for each minute the most accounted and the most resident bytes, then the seconds that
/// the flight took
Figures fly_an_hour()
{
    Flight flight(hour_plan, flight_options(hour_plan, Pace::step));
    Figures figures;
    double bytes = 0, rss = 0;
    const double seconds =
        fly(Pace::step, hour_minutes * 60, [&](std::uint32_t number, double now_s) {
            bytes = std::max(bytes, flight.update(number, now_s).bytes);
            rss = number % 30 ? rss : std::max(rss, resident_bytes());
            if (number % 3600 == 3599) {
                figures.insert(figures.end(), {bytes / bytes_per_mib, rss / bytes_per_mib});
                bytes = rss = 0;
            }
        });
    figures.push_back(seconds);
    return figures;
}

/// Each minute's accounted bytes in MiB; with an offset of 1, its resident bytes.
Figures minutes_of(const Figures &hour, std::size_t offset)
{
    Figures minutes;
    for (std::size_t i = offset; i + 1 < hour.size(); i += 2) {
        minutes.push_back(hour[i]);
    }
    return minutes;
}

void conclude_hour(Report &report, const Figures &hour)
{
    const auto growth = [](const Figures &minutes) {
        return 100 * (*std::max_element(minutes.begin() + 1, minutes.end()) / minutes[0] - 1);
    };
    const Figures bytes = minutes_of(hour, 0), resident = minutes_of(hour, 1);
    Plot plot = {"stream_hour",
                 "An hour in circles: each minute's most",
                 "minutes",
                 "MiB",
                 false,
                 false,
                 {},
                 {{"accounted", {}, true}, {"resident", {}, false}}};
    for (std::size_t i = 0; i < bytes.size(); i += i ? 5 : 4) {
        plot.series[0].points.emplace_back(i + 1, bytes[i]);
        plot.series[1].points.emplace_back(i + 1, resident[i]);
    }
    report.plots.push_back(plot);
    const char *const world = hour_plan.name;
    report.targets.push_back(
        {world, "growth after the first of 60 minutes", growth(bytes), "%", Target::at_most, 2});
    report.targets.push_back({world, "growth of resident memory", growth(resident), "%"});
    report.targets.push_back({world, "an hour took", hour.back(), "s"});
}

} // namespace

void add_flights(bench::Bench &bench)
{
    const double seconds = bench.options.quick ? 2.1 : 60, seconds_max = 600;
    const auto check = bench::made_once([&bench] { return replays_agree(bench); });
    const auto flights = std::make_shared<std::vector<FlightRuns>>();
    for (const FlightRow &row : flight_rows) {
        if (bench.options.quick && !row.is_quick) {
            continue;
        }
        const auto flown_at = [&](Pace pace) {
            return Sampled([=, &row] { return fly_once(row.plan, pace, seconds); }, 1, seconds_max);
        };
        flights->push_back({row, flown_at(Pace::real), flown_at(Pace::step)});
        std::vector<bench::Scene> scenes;
        for (const FlightQuestion &asked : flight_questions) {
            const bool is_real = asked.pace == Pace::real;
            if (is_real || !bench.options.quick) {
                const Sampled &sampled = is_real ? flights->back().real : flights->back().step;
                scenes.push_back({asked.question, row.plan.name, asked.unit});
                scenes.back().attempts = {attempt_of(asked, sampled, check)};
            }
        }
        bench.stage(scenes);
    }
    bench.conclude([flights](Report &report) { conclude_flights(report, *flights); });
}

void add_hour(bench::Bench &bench)
{
    if (bench.options.quick) {
        return;
    }
    const Sampled sampled(fly_an_hour, 1, 4 * 3600);
    bench::Attempt attempt = sampled.attempt(in_step_time);
    attempt.figures = [sampled] {
        return sampled.is_measured() ? minutes_of(sampled.last(), 0) : Figures();
    };
    bench.stage({{"an hour, each minute's most", hour_plan.name, "MiB", 0, 0, "", {attempt}}});
    bench.conclude([sampled](Report &report) {
        if (sampled.is_measured()) {
            conclude_hour(report, sampled.last());
        }
    });
}
