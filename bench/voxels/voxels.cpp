#include "voxels.hpp"

#include <cmath>
#include <cstdio>
#include <iterator>
#include <utility>

#include "driver/report.hpp"
#include "voxel_memory.hpp"
#include "voxel_scenes.hpp"

namespace {

const double decoded_bytes = sizeof(TrnBlock[TRN_CHUNK_VOXELS]);
const char *const speed = "speed";

std::vector<VoxelScene> make_scenes(const VoxelBench &bench)
{
    std::vector<VoxelScene> all;
    for (auto make : {make_get_scenes, make_set_scenes, make_edit_scenes, make_coding_scenes,
                      make_fill_scenes, make_box_scenes, make_content_scenes, make_around_scenes}) {
        std::vector<VoxelScene> some = make(bench);
        all.insert(all.end(), std::make_move_iterator(some.begin()),
                   std::make_move_iterator(some.end()));
    }
    return all;
}

// ---- targets -----------------------------------------------------------------------------------

/// How many times as long Terrane takes as the plain array, for every world of a question.
void add_cost_targets(Report &report, const char *question, double at_most)
{
    for (const Entry &entry : report.entries) {
        if (entry.question == question && entry.contender == by_terrane) {
            report.targets.push_back({speed, entry.question + ", " + entry.world,
                                      1 / ratio_to_baseline(report, entry), "x", Target::at_most,
                                      at_most});
        }
    }
}

/// Microseconds for one world of a question, or for all of them where the world is empty.
void add_time_targets(Report &report, const char *question, const std::string &world,
                      double at_most_us)
{
    for (const Entry &entry : report.entries) {
        if (entry.question == question && entry.contender == by_terrane && !entry.times.empty() &&
            (world.empty() || entry.world == world)) {
            report.targets.push_back({speed, entry.question + ", " + entry.world,
                                      spread_of(entry.times).median / 1000, "us", Target::at_most,
                                      at_most_us});
        }
    }
}

double decode_speed(const Entry &entry)
{
    return decoded_bytes / spread_of(entry.times).median;
}

/// Only of 4 bits a speed is demanded; the others are told.
void add_decode_targets(Report &report)
{
    for (const Entry &entry : report.entries) {
        if (entry.question != voxel_decode || entry.contender != by_terrane ||
            entry.times.empty()) {
            continue;
        }
        const bool is_demanded = entry.world == bits_name(4) + in_one_chunk;
        report.targets.push_back({speed, "decode, " + entry.world, decode_speed(entry), "GB/s",
                                  is_demanded ? Target::at_least : Target::none, 12});
    }
}

void add_memory_target(Report &report, const char *land, double at_most_mib)
{
    const double bytes = median_of(report, voxel_memory, land, by_terrane);
    if (std::isfinite(bytes)) {
        report.targets.push_back({land, voxel_memory, bytes, "MiB", Target::at_most, at_most_mib});
    }
}

void add_targets(Report &report)
{
    std::vector<Target> of_lands = std::move(report.targets);
    report.targets.clear();
    add_cost_targets(report, voxel_get, 2);
    add_cost_targets(report, voxel_get_chain, 2);
    add_cost_targets(report, voxel_set, 4);
    add_time_targets(report, voxel_edit_one, bits_name(4) + in_one_chunk, 3);
    add_time_targets(report, voxel_edit_one, bits_name(4) + in_turn, 3);
    add_decode_targets(report);
    add_time_targets(report, voxel_encode, "", 15);
    add_time_targets(report, voxel_fill, "", 0.2);
    add_time_targets(report, voxel_around, "", 0.4);
    for (const auto &[land, most] :
         {std::make_pair(land_generated, 64.0), std::make_pair(land_caves, 64.0),
          std::make_pair(land_flat, 13.0)}) {
        add_memory_target(report, land, most);
        for (const Target &figure : of_lands) {
            if (figure.world == land) {
                report.targets.push_back(figure);
            }
        }
    }
}

// ---- pictures ----------------------------------------------------------------------------------

/// Bars of speeds instead of times.
Plot decode_plot(const Report &report)
{
    Plot plot = bars_of(report, voxel_decode, "voxels_decode");
    plot.y_label = "GB/s of ids written";
    plot.is_log_y = false;
    for (Series &series : plot.series) {
        for (auto &point : series.points) {
            point.second = decoded_bytes / point.second;
        }
    }
    return plot;
}

Plot memory_plot(const Report &report)
{
    Plot plot = bars_of(report, voxel_memory, "voxels_memory");
    plot.title = "All 4,181 chunks of a view";
    plot.y_label = "MiB";
    plot.is_log_y = false;
    return plot;
}

/// A quick run leaves out those between the fastest and the scalar ones.
std::vector<std::string> compared_kernels(const VoxelTypes &types, const BenchOptions &options)
{
    std::vector<std::string> names = voxel_kernel_names(types);
    if (options.quick && !options.check && names.size() > 2) {
        names.erase(names.begin() + 1, names.end() - 1);
    }
    return names;
}

Report make_report()
{
    Report report;
    report.topic = "voxels";
    report.question = "Voxels: what do the blocks of a chunk cost in time and memory?";
    report.baseline = "plain array: 64 KiB of 16-bit ids a chunk";
    report.unit = "nanoseconds, or the unit of each question";
    report.unit_symbol = "ns";
    report.counted = "a call";
    report.decimals = 2;
    return report;
}

} // namespace

int bench_voxels(const BenchOptions &options)
{
    const VoxelTypes types;
    const VoxelBench bench = {types, compared_kernels(types, options), options.quick};
    std::vector<VoxelScene> scenes = make_scenes(bench);
    filter_voxel_scenes(scenes, options);
    if (!voxel_answers_right(scenes)) {
        return 1;
    }
    std::printf("Answers checked: all contenders agree on %zu scenes. Kernels of the voxels: %s. "
                "Random by seed %u.\n",
                scenes.size(), bench.kernels.front().c_str(), voxel_seed);
    std::fflush(stdout);
    if (options.check) {
        return 0;
    }
    Report report = make_report();
    time_voxel_scenes(scenes, options.quick, report);
    scenes.clear(); // 400 MB
    if (!measure_voxel_memory(bench, options, report)) {
        return 1;
    }
    add_targets(report);
    report.plots = {memory_plot(report), decode_plot(report),
                    bars_of(report, voxel_get, "voxels_get"),
                    bars_of(report, voxel_set, "voxels_set")};
    print_report(report);
    print_targets(report);
    return write_report(report, options) ? 0 : 1;
}
