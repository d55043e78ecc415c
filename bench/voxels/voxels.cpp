#include "topics.hpp"

#include <iterator>
#include <memory>

#include "driver/ratios.hpp"
#include "voxel_parts.hpp"

namespace {

// Plain arrays are copied, filled and read at the speed of memcpy or a single load. If a demand
// exceeds 1, the plain array is faster.
const RatioDemand demands[] = {
    {voxel_get, bits_name(16) + in_turn, by_terrane, by_array, Target::at_most, 6},
    {voxel_get, "", by_terrane, by_array, Target::at_most, 4.5},
    {voxel_get_chain, "", by_terrane, by_array, Target::at_most, 2.2},
    {voxel_set, "", by_terrane, by_masks, Target::at_most, 3.2},
    {voxel_set, bits_name(4) + in_turn, by_terrane, by_array, Target::at_most, 11},
    {voxel_edit_one, bits_name(4) + in_one_chunk, by_terrane, by_array, Target::at_most, 0.8},
    {voxel_edit_one, bits_name(4) + in_turn, by_terrane, by_array, Target::at_most, 0.65},
    {voxel_decode, bits_name(4) + in_one_chunk, by_terrane, by_array, Target::at_most, 1.25},
    {voxel_encode, "terrain", by_terrane, by_array, Target::at_most, 15},
    {voxel_encode, "16 types at random", by_terrane, by_array, Target::at_most, 20},
    {voxel_encode, "200 types at random", by_terrane, by_array, Target::at_most, 75},
    {voxel_encode, "1000 types at random", by_terrane, by_array, Target::at_most, 7.5},
    {voxel_fill, bits_name(16) + in_turn, by_terrane, by_array, Target::at_most, 2.2},
    {voxel_fill, "", by_terrane, by_array, Target::at_most, 0.08},
    {voxel_around, "", by_terrane, by_plain_map, Target::at_most, 0.55},
};

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
    add_ratios(report, {std::begin(demands), std::end(demands)});
    report.plots = {memory_plot(report), decode_plot(report)};
}

/// A quick run measures only the fastest and the scalar kernels.
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
