#include "terrain.hpp"

#include <cstdio>

#include "command_line.hpp"
#include "report.hpp"
#include "terrain_noise.hpp"

namespace {

Report make_report()
{
    Report report;
    report.topic = "terrain";
    report.question = "Terrain: what does noise cost at a point?";
    report.baseline = "scalar kernels: the same noise, one point at a time";
    report.unit = "nanoseconds a point";
    report.unit_symbol = "ns";
    report.counted = "points";
    report.decimals = 2;
    return report;
}

} // namespace

int bench_terrain(const BenchOptions &options)
{
    std::vector<VoxelScene> scenes = make_noise_scenes(options.quick);
    filter_voxel_scenes(scenes, options);
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
    add_noise_targets(report);
    report.plots = {bars_of(report, noise_in_space, "terrain_noise")};
    print_report(report);
    print_targets(report);
    return write_report(report, options) ? 0 : 1;
}
