// What is said about the chunks of a view, and what is demanded of them.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "terrain_chunks.hpp"
#include "terrain_noise.hpp"

namespace {

/// A world that is cheap because it has no caves is no world to measure.
const double least_caves = 0.06, most_caves = 0.12;

const char *const of_view = "view";

struct ChunkDemand {
    const char *kernels;
    double view_us, surface_us, uniform_ns, noise_ratio;
};

const ChunkDemand demands[] = {{"AVX-512", 60, 250, 1000, 8}, {"AVX2", 100, 250, 1000, 5}};

/// Chunks of a view that ask for noise in space.
double chunks_with_ground(const TerrainView &view)
{
    return static_cast<double>(
        std::count_if(view.classes.begin(), view.classes.end(),
                      [](ChunkClass kind) { return !is_uniform(kind) && kind != above_ground; }));
}

/// Microseconds of noise in a view, by chunk.
double noise_of_view(const TerrainView &view, const Report &report, const std::string &contender)
{
    const double columns = median_of(report, noise_asked, noise_of_column, contender);
    const double chunks = median_of(report, noise_asked, noise_of_chunk, contender);
    return (columns * static_cast<double>(view.columns.size()) +
            chunks * chunks_with_ground(view)) /
           static_cast<double>(view.world.chunks.size());
}

void add_figure(Report &report, const std::string &of, const std::string &what, double figure,
                const char *unit, Target::Bound bound, double demanded)
{
    if (std::isfinite(figure) || bound != Target::none) {
        report.targets.push_back({of, what, figure, unit, bound, demanded});
    }
}

void add_uniform_targets(const TerrainView &view, Report &report, const ChunkDemand &demand)
{
    const std::string contender = noise_contender(demand.kernels);
    for (const ChunkClass kind : {uniform_air, uniform_water, uniform_rock}) {
        if (!view.chunks_of(kind, 1).empty()) {
            add_figure(report, contender, name_of(kind),
                       1000 * median_of(report, chunk_kept, name_of(kind), contender), "ns",
                       Target::at_most, demand.uniform_ns);
        }
    }
    for (const char *const world : {"air", "stone"}) {
        add_figure(report, contender, std::string("beyond all land: ") + world,
                   median_of(report, chunk_beyond, world, contender), "ns", Target::at_most,
                   demand.uniform_ns);
    }
}

void add_demand(const TerrainView &view, Report &report, const ChunkDemand &demand)
{
    const std::string contender = noise_contender(demand.kernels),
                      scalar = noise_contender("scalar");
    const std::string &name = view.world.name;
    const double in_view = median_of(report, chunk_in_view, name, contender);
    const double noise = noise_of_view(view, report, contender);
    add_figure(report, contender, "mean over the view, with its columns", in_view, "us",
               Target::at_most, demand.view_us);
    add_figure(report, contender, "noise of the view, times as fast as scalar",
               noise_of_view(view, report, scalar) / noise, "x", Target::at_least,
               demand.noise_ratio);
    add_figure(report, contender, "noise of the view, of its mean", 100 * noise / in_view, "%",
               Target::none, 0);
    add_figure(report, contender, std::string(name_of(surface_rich)) + ", with its column",
               median_of(report, chunk_first, name_of(surface_rich), contender), "us",
               Target::at_most, demand.surface_us);
    add_uniform_targets(view, report, demand);
}

double percent_of(std::size_t part, std::size_t all)
{
    return 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

} // namespace

bool describe_view(const TerrainView &view)
{
    const std::size_t count = view.world.chunks.size();
    std::printf("%s: %zu chunks in %zu columns. Caves fill %.1f %% of the rock.\n",
                view.world.name.c_str(), count, view.columns.size(), 100 * view.cave_share);
    for (int i = 0; i < chunk_class_count; i++) {
        const std::size_t of_kind = view.chunks_of(ChunkClass(i)).size();
        std::printf("  %-40s %6zu chunks, %4.1f %%\n", name_of(ChunkClass(i)), of_kind,
                    percent_of(of_kind, count));
    }
    std::printf("  %-40s %6zu chunks, %4.1f %%\n", "(of one block, but seen voxel by voxel)",
                view.missed, percent_of(view.missed, count));
    std::fflush(stdout);
    if (view.cave_share < least_caves || view.cave_share > most_caves) {
        std::fprintf(stderr,
                     "terrane-bench: caves must fill %.0f to %.0f %% of the rock, so that figures "
                     "stand for such a world; no figures are shown.\n",
                     100 * least_caves, 100 * most_caves);
        return false;
    }
    return true;
}

void tell_chunks_in_us(Report &report)
{
    const std::array<const char *, 6> questions = {chunk_in_view, chunk_again,     chunk_first,
                                                   noise_asked,   view_by_threads, chunk_kept};
    for (Entry &entry : report.entries) {
        const bool is_asked =
            std::find(questions.begin(), questions.end(), entry.question) != questions.end() ||
            (entry.question == column_question && entry.world == column_made);
        if (!is_asked) {
            continue;
        }
        entry.unit = "us";
        for (double &time : entry.times) {
            time /= 1000;
        }
    }
}

void add_chunk_targets(const TerrainBench &bench, Report &report)
{
    const TerrainView &view = bench.view;
    for (const ChunkDemand &demand : demands) {
        add_demand(view, report, demand);
    }
    const std::size_t count = view.world.chunks.size();
    const auto uniform = static_cast<std::size_t>(
        std::count_if(view.classes.begin(), view.classes.end(), is_uniform));
    for (int i = 0; i < chunk_class_count; i++) {
        const ChunkClass kind = ChunkClass(i);
        add_figure(report, of_view, std::string("share of chunks: ") + name_of(kind),
                   percent_of(view.chunks_of(kind).size(), count), "%", Target::none, 0);
    }
    add_figure(report, of_view, "caves in the rock", 100 * view.cave_share, "%", Target::none, 0);
    add_figure(report, of_view, "chunks known to be uniform before a voxel is written",
               percent_of(uniform, count), "%", Target::none, 0);
    add_figure(report, of_view, "other chunks of one block", percent_of(view.missed, count), "%",
               Target::none, 0);
    for (const unsigned threads : {1u, 2u, 4u}) {
        add_figure(report, of_view, "chunks a second by " + by_threads(threads),
                   1e6 / median_of(report, view_by_threads, view.world.name, by_threads(threads)),
                   "1/s", Target::none, 0);
    }
}
