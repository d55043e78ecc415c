#include "terrain.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "terrain_parts.hpp"

namespace {

/// A world that is cheap because it has no caves is no world to measure.
const double least_caves = 0.02, most_caves = 0.06;

const char *const of_view = "view";

struct ChunkDemand {
    const char *kernels;
    double view_us, surface_us, uniform_ns, noise_ratio, point_ns;
};

/// Of a chunk with quads of a level above 0.
const double coarse_us = 250;

const ChunkDemand demands[] = {{"AVX-512", 60, 250, 1000, 8, 12}, {"AVX2", 100, 250, 1000, 5, 25}};

/// Chunks of a view that ask for noise in space.
double chunks_with_ground(const TerrainView &view)
{
    return static_cast<double>(
        std::count_if(view.classes.begin(), view.classes.end(),
                      [](ChunkClass kind) { return !is_uniform(kind) && kind != above_ground; }));
}

/// Microseconds of noise in a view, by chunk.
Figure noise_of_view(const TerrainView &view, const Report &report, const std::string &contender)
{
    const auto chunks = static_cast<double>(view.world.chunks.size());
    const auto columns = static_cast<double>(view.columns.size());
    return figure_of(report, noise_asked, noise_of_column, contender) * (columns / chunks) +
           figure_of(report, noise_asked, noise_of_chunk, contender) *
               (chunks_with_ground(view) / chunks);
}

void add_figure(Report &report, const std::string &of, const std::string &what,
                const Figure &figure, const char *unit, Target::Bound bound, double demanded)
{
    if (std::isfinite(figure.value) || bound != Target::none) {
        report.targets.push_back({of, what, figure, unit, bound, demanded});
    }
}

void add_uniform_targets(const TerrainView &view, Report &report, const ChunkDemand &demand)
{
    const std::string contender = noise_contender(demand.kernels);
    for (const ChunkClass kind : {uniform_air, uniform_water, uniform_rock}) {
        if (!view.chunks_of(kind, 1).empty()) {
            add_figure(report, contender, name_of(kind),
                       figure_of(report, chunk_kept, name_of(kind), contender) * 1000, "ns",
                       Target::at_most, demand.uniform_ns);
        }
    }
    for (const char *const world : {"air", "stone"}) {
        add_figure(report, contender, std::string("beyond all land: ") + world,
                   figure_of(report, chunk_beyond, world, contender), "ns", Target::at_most,
                   demand.uniform_ns);
    }
}

void add_demand(const TerrainView &view, Report &report, const ChunkDemand &demand)
{
    const std::string contender = noise_contender(demand.kernels),
                      scalar = noise_contender("scalar");
    const std::string &name = view.world.name;
    const Figure in_view = figure_of(report, chunk_in_view, name, contender);
    const Figure noise = noise_of_view(view, report, contender);
    add_figure(report, contender, "mean over the view, with its columns", in_view, "us",
               Target::at_most, demand.view_us);
    add_figure(report, contender, "noise of the view, times as fast as scalar",
               noise_of_view(view, report, scalar) / noise, "x", Target::at_least,
               demand.noise_ratio);
    add_figure(report, contender, "noise of the view, of its mean", noise / in_view * 100, "%",
               Target::none, 0);
    add_figure(report, contender, std::string(name_of(surface_rich)) + ", with its column",
               figure_of(report, chunk_first, name_of(surface_rich), contender), "us",
               Target::at_most, demand.surface_us);
    for (std::uint32_t level = 1; level <= coarse_levels; level++) {
        const std::string world = "level " + std::to_string(level);
        add_figure(report, contender, world + ", per chunk with quads, with its columns",
                   figure_of(report, chunk_coarse, world, contender), "us", Target::at_most,
                   coarse_us);
    }
    add_uniform_targets(view, report, demand);
}

void add_noise_targets(Report &report)
{
    const std::string what = std::string(noise_in_space) + ", " + at_every_voxel;
    const Figure scalar =
        figure_of(report, noise_in_space, at_every_voxel, noise_contender("scalar"));
    for (const ChunkDemand &demand : demands) {
        const std::string contender = noise_contender(demand.kernels);
        const Figure ns = figure_of(report, noise_in_space, at_every_voxel, contender);
        report.targets.push_back(
            {contender, what, ns, "ns a point", Target::at_most, demand.point_ns});
        report.targets.push_back({contender, what + ", times as fast as scalar", scalar / ns, "x",
                                  Target::at_least, demand.noise_ratio});
    }
}

double percent_of(std::size_t part, std::size_t all)
{
    return 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

void add_view_figures(const TerrainView &view, Report &report)
{
    const std::size_t count = view.world.chunks.size();
    const auto tell = [&report](const std::string &what, const Figure &figure, const char *unit) {
        add_figure(report, of_view, what, figure, unit, Target::none, 0);
    };
    std::size_t uniform = 0;
    for (int i = 0; i < chunk_class_count; i++) {
        const std::size_t of_kind = view.chunks_of(ChunkClass(i)).size();
        uniform += is_uniform(ChunkClass(i)) ? of_kind : 0;
        tell(std::string("share of chunks: ") + name_of(ChunkClass(i)), percent_of(of_kind, count),
             "%");
    }
    tell("caves in the rock", 100 * view.cave_share, "%");
    tell("chunks known to be uniform before a voxel is written", percent_of(uniform, count), "%");
    tell("other chunks of one block", percent_of(view.missed, count), "%");
    for (const unsigned threads : {1u, 2u, 4u}) {
        tell("chunks a second by " + by_threads(threads),
             Figure(1e6) / figure_of(report, view_by_threads, view.world.name, by_threads(threads)),
             "1/s");
    }
}

void conclude(const TerrainView &view, Report &report)
{
    for (const ChunkDemand &demand : demands) {
        add_demand(view, report, demand);
    }
    add_noise_targets(report);
    std::stable_sort(report.targets.begin(), report.targets.end(),
                     [](const Target &a, const Target &b) { return a.world < b.world; });
    add_view_figures(view, report);
    report.plots = {bars_of(report, chunk_in_view, "terrain_view", "microseconds"),
                    bars_of(report, chunk_kept, "terrain_chunks", "microseconds"),
                    bars_of(report, noise_in_space, "terrain_noise", "nanoseconds a point")};
}

// ---- the topic ----------------------------------------------------------------------------------

template <class... Values> std::string line(const char *format, Values... values)
{
    char text[128];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

void describe_view(bench::Bench &bench, const TerrainView &view)
{
    const std::size_t count = view.world.chunks.size();
    bench.note(line("%s: %zu chunks in %zu columns. Caves fill %.1f %% of the rock.",
                    view.world.name.c_str(), count, view.columns.size(), 100 * view.cave_share));
    const char *const row = "  %-40s %6zu chunks, %4.1f %%";
    for (int i = 0; i < chunk_class_count; i++) {
        const std::size_t of_kind = view.chunks_of(ChunkClass(i)).size();
        bench.note(line(row, name_of(ChunkClass(i)), of_kind, percent_of(of_kind, count)));
    }
    bench.note(line(row, "(of one block, but seen voxel by voxel)", view.missed,
                    percent_of(view.missed, count)));
}

void make(bench::Bench &bench)
{
    // A check generates the whole view for each set of kernels: the long scenes add nothing.
    const auto ground =
        std::make_shared<const TerrainSetup>(bench.options.quick || bench.options.check);
    describe_view(bench, ground->view);
    bench.stage([&bench, ground] {
        std::vector<bench::Scene> scenes = make_view_scenes(ground);
        const double caves = ground->view.cave_share;
        if (caves < least_caves || caves > most_caves) {
            for (bench::Attempt &attempt : scenes[0].attempts) {
                attempt.check = []() -> bool {
                    throw bench::Wrong{"caves must fill 2 to 6 % of the rock, so that figures "
                                       "stand for such a world"};
                };
            }
        }
        bench.add(std::move(scenes));
    });
    for (const auto make_scenes :
         {make_chunk_scenes, make_coarse_scenes, make_column_scenes, make_noise_scenes}) {
        bench.stage([&bench, ground, make_scenes] { bench.add(make_scenes(ground)); });
    }
    bench.conclude([ground](Report &report) { conclude(ground->view, report); });
}

} // namespace

const bench::Topic terrain_topic = {
    "terrain",
    "chunks of the generated land, its columns, and noise in the plane and in space, by "
    "instruction set",
    "Terrain: what does a chunk cost to make, and noise at a point?",
    "the same by scalar kernels, whose noise looks at one point at a time",
    "nanoseconds, or the unit of each question",
    "in a call",
    2,
    "distance to cells in space | every voxel | AVX2",
    make,
};
