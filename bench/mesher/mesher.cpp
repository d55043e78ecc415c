#include "mesher.hpp"

#include <cmath>
#include <cstdio>
#include <iterator>
#include <utility>

#include "driver/command_line.hpp"
#include "driver/report.hpp"
#include "mesh_scenes.hpp"

namespace {

const char *const speed = "speed", *const size = "size";

// ---- targets -----------------------------------------------------------------------------------

/// How many times as fast as classic greedy meshing, by instruction set.
struct SpeedDemand {
    const char *question;
    MeshWorld world;
    double by_avx2, by_avx512;
};

const SpeedDemand speed_demands[] = {
    {mesh_plain, MESH_WORLD_HILLS, 11, 25},
    {mesh_lit, MESH_WORLD_HILLS, 10, 20},
    {mesh_plain, MESH_WORLD_CAVES, 4.5, 10},
    {mesh_plain, MESH_WORLD_CHECKERBOARD, 2.8, 6},
};

/// What is asked of a set of kernels; 0: nothing.
double demand_of(const std::string &kernels, double by_avx2, double by_avx512)
{
    return kernels == "AVX-512" ? by_avx512 : kernels == "AVX2" ? by_avx2 : 0;
}

void add_speed_targets(Report &report, const MeshDesk &desk, const SpeedDemand &demand)
{
    const std::string world = mesh_world_name(demand.world);
    const double greedy = median_of(report, demand.question, world, by_greedy);
    const std::string what = world + ", " + demand.question + ", by classic greedy: ";
    for (const std::string &kernels : desk.kernel_names()) {
        const double figure =
            greedy / median_of(report, demand.question, world, by_mesh_kernels(desk, kernels));
        const double demanded = demand_of(kernels, demand.by_avx2, demand.by_avx512);
        if (std::isfinite(figure)) {
            report.targets.push_back({speed, what + kernels, figure, "x",
                                      demanded > 0 ? Target::at_least : Target::none, demanded});
        }
    }
}

void add_terrain_targets(Report &report, const MeshDesk &desk)
{
    for (const Entry &entry : report.entries) {
        for (const std::string &kernels : desk.kernel_names()) {
            if (entry.question == mesh_terrain && !entry.times.empty() &&
                entry.contender == by_mesh_kernels(desk, kernels)) {
                const double demanded = demand_of(kernels, 30, 18);
                report.targets.push_back({speed, entry.question + ": " + kernels,
                                          spread_of(entry.times).median, "us",
                                          demanded > 0 ? Target::at_most : Target::none, demanded});
            }
        }
    }
}

void add_hidden_targets(Report &report)
{
    for (const Entry &entry : report.entries) {
        if (entry.question == mesh_hidden && entry.contender == by_mesher && !entry.times.empty()) {
            report.targets.push_back({speed, entry.question + ": " + entry.world,
                                      spread_of(entry.times).median, "us", Target::at_most, 0.4});
        }
    }
}

/// Told, not demanded.
void add_use_figures(Report &report)
{
    for (const Entry &entry : report.entries) {
        if ((entry.question == mesh_joined || entry.question == mesh_expanded) &&
            entry.contender == by_mesher && !entry.times.empty()) {
            report.targets.push_back({speed, entry.question + ": " + entry.world,
                                      spread_of(entry.times).median, "us", Target::none, 0});
        }
    }
}

void add_quad_targets(Report &report)
{
    for (const Entry &entry : report.entries) {
        const bool is_demanded = entry.question == mesh_plain_quads;
        if ((is_demanded || entry.question == mesh_lit_quads) && entry.contender == by_mesher) {
            report.targets.push_back({size,
                                      entry.question + ", " + entry.world + ", by classic greedy",
                                      1 / ratio_to_baseline(report, entry), "x",
                                      is_demanded ? Target::at_most : Target::none, 1.05});
        }
    }
}

void add_targets(Report &report, const MeshDesk &desk)
{
    for (const SpeedDemand &demand : speed_demands) {
        add_speed_targets(report, desk, demand);
    }
    add_terrain_targets(report, desk);
    add_hidden_targets(report);
    add_use_figures(report);
    add_quad_targets(report);
    report.targets.push_back({size, "scratch of a thread",
                              static_cast<double>(TRN_MESH_SCRATCH_BYTES) / 1024, "KiB",
                              Target::at_most, 192});
}

// ---- the report --------------------------------------------------------------------------------

void tell_in_us(Report &report)
{
    for (Entry &entry : report.entries) {
        if (entry.unit.empty()) {
            for (double &time : entry.times) {
                time /= 1000;
            }
        }
    }
}

Report make_report()
{
    Report report;
    report.topic = "mesher";
    report.question = "Mesher: what does it cost to make a chunk's quads?";
    report.baseline = "classic greedy meshing, which is handed a plain cube of ids ready-made and "
                      "knows opaque blocks alone";
    report.unit = "microseconds a chunk, or the unit of each question";
    report.counted = "chunks";
    report.decimals = 3;
    return report;
}

template <typename Value> void append(std::vector<Value> &all, std::vector<Value> some)
{
    all.insert(all.end(), std::make_move_iterator(some.begin()),
               std::make_move_iterator(some.end()));
}

} // namespace

int bench_mesher(const BenchOptions &options)
{
    const Desk desk = std::make_shared<const MeshDesk>(options);
    const std::vector<SharedLand> lands = make_mesh_lands(*desk);
    std::vector<VoxelScene> scenes = make_mesh_world_scenes(desk, lands);
    append(scenes, make_mesh_hidden_scenes(desk));
    append(scenes, make_mesh_terrain_scenes(desk));
    append(scenes, make_mesh_use_scenes(desk, lands));
    filter_voxel_scenes(scenes, options);
    if (scenes.empty()) {
        return refuse("--filter leaves nothing to measure. It is looked for in \"question | world "
                      "| contender\", such as \"with ambient occlusion, input in L2 | hills | "
                      "Terrane\".");
    }
    if (!voxel_answers_right(scenes)) {
        return 1;
    }
    std::printf("Answers checked: all contenders agree on %zu scenes, face by face. Kernels of the "
                "mesher: %s.\n",
                scenes.size(), desk->kernel_names().front().c_str());
    std::fflush(stdout);
    if (options.check) {
        return 0;
    }
    Report report = make_report();
    time_voxel_scenes(scenes, options.quick, report);
    count_mesh_quads(desk, lands, report);
    tell_in_us(report);
    add_targets(report, *desk);
    report.plots = {bars_of(report, mesh_plain, "mesher_plain"),
                    bars_of(report, mesh_lit, "mesher_lit"),
                    bars_of(report, mesh_lit_cold, "mesher_cold"),
                    bars_of(report, mesh_terrain, "mesher_terrain")};
    print_report(report);
    print_targets(report);
    return write_report(report, options) ? 0 : 1;
}
