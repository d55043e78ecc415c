// Cold starts: how long until the ground and the whole view are shown?

#include <cmath>

#include "driver/machine.hpp"
#include "stream_flight.hpp"
#include "stream_parts.hpp"

namespace {

struct ColdPlan {
    const char *world;
    std::uint32_t radius, height, columns;
    double mib_max;
};

const ColdPlan cold_plans[] = {
    {"flattened R=16", 16, 4, 512, 128},
    {"flattened R=32", 32, 8, 2048, 640},
};
const char *const both_cores_name = "Terrane, the calling thread works too";
const char *const with_light_name = "Terrane, the calling thread works too, light is solved";
const char *const with_light_quads_name = "Terrane, the calling thread works too, light in quads";
const double most_ms = 120e3;

/// How the world is updated. Except for by_default, updates run back to back, and the calling
/// thread works too.
enum class ColdWay {
    both_cores,
    by_default, ///< sixty updates a second with the def's budget and workers
    with_light,
    with_light_quads ///< the mesher uses the light too
};
const ColdWay cold_ways[] = {ColdWay::by_default, ColdWay::both_cores, ColdWay::with_light,
                             ColdWay::with_light_quads};

const char *contender_of(ColdWay way)
{
    switch (way) {
    case ColdWay::by_default:
        return stream_default;
    case ColdWay::with_light:
        return with_light_name;
    case ColdWay::with_light_quads:
        return with_light_quads_name;
    default:
        return both_cores_name;
    }
}

enum Column : std::size_t {
    all_ms,
    ground_ms,
    cpu_ms, ///< of all threads
    chunks,
    peak_mib,
    store_mib,
    meshes_mib,
    stream_mib,
    hooks_mib,
    resident_mib,
    column_count ///< pairs follow: ms, and chunks shown by then
};

double ms_since(double begun_ns)
{
    return (clock_ns(CLOCK_MONOTONIC) - begun_ns) / 1e6;
}

/// Updates an empty world until every chunk is meshed.
Figures start_cold(const ColdPlan &plan, ColdWay way)
{
    const bool by_default = way == ColdWay::by_default;
    StreamWorldOptions options;
    options.has_light = way == ColdWay::with_light;
    options.has_light_quads = way == ColdWay::with_light_quads;
    options.bytes_max = static_cast<std::size_t>(plan.mib_max * bytes_per_mib);
    options.columns = plan.columns;
    options.caller_works = !by_default;
    options.budget = by_default ? options.budget : budget_of_ms(8);
    const double begun_ns = clock_ns(CLOCK_MONOTONIC); // creating the world counts as well
    const double begun_cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    StreamWorld world(options);
    const std::int64_t ground = world.ground(0, 0);
    world.add_anchor({0, ground + 2, 0}, plan.radius, plan.height);
    Figures figures(column_count);
    bool is_idle = false;
    for (double frame_ns = begun_ns; !is_idle && ms_since(begun_ns) < most_ms;) {
        is_idle = world.update().is_idle;
        // A body two blocks high, and the blocks below it.
        const TrnStreamReadiness ready =
            trn_stream_readiness(world.stream(), {-1, ground - 1, -1}, {1, ground + 3, 1});
        if (figures[ground_ms] == 0 && ready.is_loaded) {
            figures[ground_ms] = ms_since(begun_ns);
        }
        figures.push_back(ms_since(begun_ns));
        figures.push_back(trn_stream_stats(world.stream()).shown);
        frame_ns += 1e9 / 60;
        if (by_default && !is_idle) {
            sleep_until_ns(frame_ns);
        }
    }
    figures[all_ms] = ms_since(begun_ns);
    figures[cpu_ms] = (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begun_cpu_ns) / 1e6;
    const TrnStreamStats stats = trn_stream_stats(world.stream());
    if (!is_idle || stats.shrunk_views) {
        throw bench::Refused{is_idle ? "not all of the view fits" : "not done after two minutes"};
    }
    figures[chunks] = stats.shown;
    figures[peak_mib] = static_cast<double>(stats.total_bytes_peak) / bytes_per_mib;
    figures[store_mib] = static_cast<double>(stats.store_bytes) / bytes_per_mib;
    figures[meshes_mib] = static_cast<double>(stats.mesh_bytes) / bytes_per_mib;
    figures[stream_mib] = static_cast<double>(stats.stream_bytes) / bytes_per_mib;
    figures[hooks_mib] = static_cast<double>(stats.scratch_bytes) / bytes_per_mib;
    figures[resident_mib] = resident_bytes() / bytes_per_mib;
    return figures;
}

/// How many chunks were shown after 10 ms, 20 ms, 50 ms and so on.
Series shown_by(const Figures &figures, const std::string &name)
{
    Series series = {name, {}, false};
    for (double ms : {10., 20., 50., 100., 200., 500., 1000., 2000., 5000., 10000.}) {
        double shown = 0;
        for (std::size_t i = column_count; i + 1 < figures.size() && figures[i] <= ms; i += 2) {
            shown = figures[i + 1];
        }
        series.points.emplace_back(ms, shown);
        if (ms >= figures[all_ms]) {
            break;
        }
    }
    return series;
}

struct ColdStart {
    const ColdPlan &plan;
    ColdWay way;
    Sampled sampled;
};

void conclude_cold(Report &report, const std::vector<ColdStart> &starts)
{
    Plot plot = {"stream_cold", "Cold starts", "ms", "chunks shown", true, false, {}, {}};
    for (const ColdStart &start : starts) {
        if (!start.sampled.is_measured()) {
            continue;
        }
        const std::string how = std::string(": ") + contender_of(start.way);
        add_targets(report, start.plan.world, start.sampled,
                    {{"every chunk made and meshed" + how, all_ms, "ms"},
                     {"ground under the player" + how, ground_ms, "ms"},
                     {"accounted at most" + how, peak_mib, "MiB", start.plan.mib_max},
                     {"accounted: store" + how, store_mib, "MiB"},
                     {"accounted: meshes" + how, meshes_mib, "MiB"},
                     {"accounted: stream" + how, stream_mib, "MiB"},
                     {"accounted: hooks" + how, hooks_mib, "MiB"},
                     {"resident" + how, resident_mib, "MiB", start.plan.mib_max + 16}});
        plot.series.push_back(shown_by(start.sampled.last(), std::string(start.plan.world) + ", " +
                                                                 contender_of(start.way)));
    }
    report.plots.push_back(plot);
}

} // namespace

void add_cold_starts(bench::Bench &bench)
{
    const auto starts = std::make_shared<std::vector<ColdStart>>();
    for (const ColdPlan &plan : cold_plans) {
        if (bench.options.quick && plan.radius > 16) {
            continue;
        }
        bench::Scene all = {"cold start", plan.world, "ms"};
        bench::Scene own = {"cold start, processor time of all threads", plan.world, "ms"};
        bench::Scene ground = {"ground under the player", plan.world, "ms"};
        for (const ColdWay way : cold_ways) {
            const Sampled sampled([&plan, way] { return start_cold(plan, way); },
                                  bench.options.quick ? 3 : 5);
            const char *const contender = contender_of(way);
            all.attempts.push_back(sampled.attempt(contender, all_ms, chunks));
            own.attempts.push_back(sampled.attempt(contender, cpu_ms, chunks));
            ground.attempts.push_back(sampled.attempt(contender, ground_ms, chunks));
            starts->push_back({plan, way, sampled});
        }
        bench.stage({all, own, ground});
    }
    bench.conclude([starts](Report &report) { conclude_cold(report, *starts); });
}
