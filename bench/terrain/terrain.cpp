#include "terrain.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <utility>

#include "driver/command_line.hpp"
#include "driver/report.hpp"
#include "terrain_chunks.hpp"
#include "terrain_noise.hpp"

namespace {

Report make_report()
{
    Report report;
    report.topic = "terrain";
    report.question = "Terrain: what does a chunk cost to make, and noise at a point?";
    report.baseline = "the same by scalar kernels, whose noise looks at one point at a time";
    report.unit = "nanoseconds, or the unit of each question";
    report.unit_symbol = "ns";
    report.counted = "in a call";
    report.decimals = 2;
    return report;
}

/// What a filter leaves of the scenes, noise last.
std::vector<VoxelScene> make_scenes(const TerrainGround &ground, const BenchOptions &options)
{
    std::vector<VoxelScene> scenes = make_chunk_scenes(ground);
    scenes.push_back(make_thread_scene(ground));
    std::vector<VoxelScene> noise = make_noise_scenes(options.quick);
    std::move(noise.begin(), noise.end(), std::back_inserter(scenes));
    filter_voxel_scenes(scenes, options);
    return scenes;
}

Plot bars_in(const Report &report, const char *unit, const char *question, const char *file)
{
    Plot plot = bars_of(report, question, file);
    plot.y_label = unit;
    return plot;
}

} // namespace

int bench_terrain(const BenchOptions &options)
{
    // Checking needs no scene twice: it generates the whole view for each set of kernels as it is.
    const auto ground = std::make_shared<const TerrainBench>(options.quick || options.check);
    if (!describe_view(ground->view)) {
        return 1;
    }
    std::vector<VoxelScene> scenes = make_scenes(ground, options);
    if (scenes.empty()) {
        return refuse("--filter leaves nothing to measure. It is looked for in \"question | world "
                      "| contender\", such as \"cells in space | every voxel | AVX2\".");
    }
    if (!voxel_answers_right(scenes)) {
        return 1;
    }
    std::printf("Answers checked: all contenders agree on %zu scenes, bit for bit.\n",
                scenes.size());
    std::fflush(stdout);
    if (options.check) {
        return 0;
    }
    Report report = make_report();
    time_voxel_scenes(scenes, options.quick, report);
    tell_chunks_in_us(report);
    add_chunk_targets(*ground, report);
    add_noise_targets(report);
    std::stable_sort(report.targets.begin(), report.targets.end(),
                     [](const Target &a, const Target &b) { return a.world < b.world; });
    report.plots = {bars_in(report, "microseconds", chunk_in_view, "terrain_view"),
                    bars_in(report, "microseconds", chunk_kept, "terrain_chunks"),
                    bars_in(report, "nanoseconds a point", noise_in_space, "terrain_noise")};
    print_report(report);
    print_targets(report);
    return write_report(report, options) ? 0 : 1;
}
