#include "topics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "driver/ratios.hpp"
#include "terrain_parts.hpp"

namespace {

/// Limits of the share of caves, since a world without caves would be too cheap.
const double least_caves = 0.02, most_caves = 0.06;

const char *const of_view = "view";

/// Demands on the speed of kernels relative to the scalar ones.
struct KernelDemand {
    const char *kernels;
    double view, first, coarse, noise, point;
};

const KernelDemand demands[] = {{"AVX-512", 2.2, 2, 2.3, 3.8, 5.3}, {"AVX2", 2, 1.8, 2.1, 3, 4}};

/// Demands on the cost of a uniform chunk, and of one beyond all land, in percent of a chunk with a
/// surface.
const double uniform_percent = 0.12, beyond_percent = 0.01;

/// How many chunks of a view need 3D noise.
double chunks_with_ground(const TerrainView &view)
{
    return static_cast<double>(
        std::count_if(view.classes.begin(), view.classes.end(),
                      [](ChunkClass kind) { return !is_uniform(kind) && kind != above_ground; }));
}

/// Microseconds of noise per chunk of a view.
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
    if (std::isfinite(figure.value)) {
        report.targets.push_back({of, what, figure, unit, bound, demanded});
    }
}

void add_kernel_ratios(const TerrainView &view, Report &report)
{
    const std::string scalar = noise_contender("scalar");
    std::vector<RatioDemand> ratios;
    for (const KernelDemand &demand : demands) {
        const std::string contender = noise_contender(demand.kernels);
        const auto add = [&](const char *question, const std::string &world, double at_least) {
            ratios.push_back({question, world, contender, scalar, Target::at_least, at_least});
        };
        add(chunk_in_view, view.world.name, demand.view);
        add(chunk_first, name_of(surface_rich), demand.first);
        add(chunk_coarse, "", demand.coarse);
        add(noise_in_space, at_every_voxel, demand.point);
        std::string what = "noise, ";
        what.append(contender).append(" against ").append(scalar);
        add_figure(report, of_view, what,
                   noise_of_view(view, report, scalar) / noise_of_view(view, report, contender),
                   "x", Target::at_least, demand.noise);
    }
    add_ratios(report, ratios);
}

/// Adds the targets of uniform chunks, for the fastest kernels.
void add_uniform_targets(const std::string &kernels, Report &report)
{
    const Figure surface =
        figure_of(report, chunk_kept, name_of(surface_rich), kernels) * 1000; // in ns
    const auto add = [&](const std::string &what, const Figure &ns, double at_most) {
        add_figure(report, kernels, what + ", part of one with a surface", ns / surface * 100, "%",
                   Target::at_most, at_most);
    };
    for (const ChunkClass kind : {uniform_air, uniform_water, uniform_rock}) {
        add(name_of(kind), figure_of(report, chunk_kept, name_of(kind), kernels) * 1000,
            uniform_percent);
    }
    for (const char *const world : {"air", "stone"}) {
        add(std::string("beyond all land: ") + world,
            figure_of(report, chunk_beyond, world, kernels), beyond_percent);
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

void conclude(const TerrainSetup &setup, Report &report)
{
    const TerrainView &view = setup.view;
    add_kernel_ratios(view, report);
    add_uniform_targets(noise_contender(setup.kernels.back()), report);
    add_view_figures(view, report);
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
    // With --check, quick scenes suffice: they generate the whole view with each set of kernels.
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
    bench.conclude([ground](Report &report) { conclude(*ground, report); });
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
