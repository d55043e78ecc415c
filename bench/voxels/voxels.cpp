#include "voxels.hpp"

#include <memory>

#include "voxel_parts.hpp"

namespace {

const char *const speed = "speed";

/// What is demanded of Terrane, in every world of a question or in one.
struct Demand {
    const char *question;
    std::string world; ///< empty: all
    double at_most;
    bool is_ratio; ///< to the plain array; otherwise microseconds
};

const Demand demands[] = {
    {voxel_get, "", 2, true},
    {voxel_get_chain, "", 2, true},
    {voxel_set, "", 4, true},
    {voxel_edit_one, bits_name(4) + in_one_chunk, 3, false},
    {voxel_edit_one, bits_name(4) + in_turn, 3, false},
    {voxel_encode, "", 15, false},
    {voxel_fill, "", 0.2, false},
    {voxel_around, "", 0.4, false},
};

void add_demand(Report &report, const Demand &demand)
{
    for (const Entry &entry : report.entries) {
        if (entry.question == demand.question && entry.contender == by_terrane &&
            (demand.world.empty() || entry.world == demand.world)) {
            const Figure ns = figure_of(report, entry.question, entry.world, by_terrane);
            const Figure figure =
                demand.is_ratio ? ns / figure_of(report, entry.question, entry.world, by_array)
                                : ns * 1e-3;
            report.targets.push_back({speed, entry.question + ", " + entry.world, figure,
                                      demand.is_ratio ? "x" : "us", Target::at_most,
                                      demand.at_most});
        }
    }
}

/// A speed is demanded of 4 bits alone; the others are shown.
void add_decode_targets(Report &report)
{
    const Figure bytes(static_cast<double>(voxel_bytes));
    for (const Entry &entry : report.entries) {
        if (entry.question == voxel_decode && entry.contender == by_terrane) {
            const Figure ns = figure_of(report, voxel_decode, entry.world, by_terrane);
            const bool is_demanded = entry.world == bits_name(4) + in_one_chunk;
            report.targets.push_back({speed, "decode, " + entry.world, bytes / ns, "GB/s",
                                      is_demanded ? Target::at_least : Target::none, 12});
        }
    }
}

/// Bars of speeds instead of times.
Plot decode_plot(const Report &report)
{
    Plot plot = bars_of(report, voxel_decode, "voxels_decode", "GB/s of ids written");
    plot.is_log_y = false;
    for (Series &series : plot.series) {
        for (auto &point : series.points) {
            point.second = static_cast<double>(voxel_bytes) / point.second;
        }
    }
    return plot;
}

Plot memory_plot(const Report &report)
{
    Plot plot = bars_of(report, voxel_memory, "voxels_memory", "MiB");
    plot.title = "All 4,181 chunks of a view";
    plot.is_log_y = false;
    return plot;
}

void conclude(Report &report)
{
    for (const Demand &demand : demands) {
        add_demand(report, demand);
    }
    add_decode_targets(report);
    report.plots = {memory_plot(report), decode_plot(report),
                    bars_of(report, voxel_get, "voxels_get", "nanoseconds"),
                    bars_of(report, voxel_set, "voxels_set", "nanoseconds")};
}

/// A quick run measures the fastest kernels and the scalar ones, none between.
std::shared_ptr<const VoxelSetup> make_setup(const BenchOptions &options)
{
    const auto setup = std::make_shared<VoxelSetup>();
    std::vector<std::string> &kernels = setup->kernels;
    kernels = voxel_kernel_names(setup->types);
    if (options.quick && !options.check && kernels.size() > 2) {
        kernels.erase(kernels.begin() + 1, kernels.end() - 1);
    }
    return setup;
}

void make(bench::Bench &bench)
{
    const auto setup = make_setup(bench.options);
    bench.note("Kernels of the voxels: " + setup->kernels.front() + ". Random by seed " +
               std::to_string(voxel_seed) + ".");
    for (const auto make_scenes :
         {make_get_scenes, make_set_scenes, make_edit_scenes, make_coding_scenes, make_fill_scenes,
          make_box_scenes, make_content_scenes, make_around_scenes}) {
        bench.stage([&bench, setup, make_scenes] { bench.add(make_scenes(*setup)); });
    }
    bench.conclude(conclude);
    add_land_stages(bench, setup);
}

} // namespace

const bench::Topic voxels_topic = {
    "voxels",
    "the blocks of a chunk, packed and as plain arrays: access, edits, coding, memory",
    "Voxels: what do the blocks of a chunk cost in time and memory?",
    "plain array: 64 KiB of 16-bit ids a chunk",
    "nanoseconds, or the unit of each question",
    "a call",
    2,
    "decode a chunk | 4 bits | Terrane",
    make,
};
