#include "mesher.hpp"

#include <cmath>

#include "mesh_parts.hpp"

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

/// What is demanded of a set of kernels; 0: nothing.
double demand_of(const std::string &kernels, double by_avx2, double by_avx512)
{
    return kernels == "AVX-512" ? by_avx512 : kernels == "AVX2" ? by_avx2 : 0;
}

/// Adds a target unless its figure is missing. @param demanded  0: nothing
void add_target(Report &report, const char *of, const std::string &what, Figure figure,
                const char *unit, Target::Bound bound, double demanded)
{
    if (std::isfinite(figure.value)) {
        report.targets.push_back(
            {of, what, figure, unit, demanded > 0 ? bound : Target::none, demanded});
    }
}

void add_kernel_targets(Report &report, const MeshWorkspace &workspace)
{
    for (const SpeedDemand &demand : speed_demands) {
        const std::string world = mesh_world_name(demand.world);
        const std::string what = world + ", " + demand.question + ", by classic greedy: ";
        for (const std::string &kernels : workspace.kernel_names()) {
            add_target(
                report, speed, what + kernels,
                figure_of(report, demand.question, world, by_greedy) /
                    figure_of(report, demand.question, world, by_mesh_kernels(workspace, kernels)),
                "x", Target::at_least, demand_of(kernels, demand.by_avx2, demand.by_avx512));
        }
    }
    for (const std::string &kernels : workspace.kernel_names()) {
        add_target(report, speed, mesh_terrain + (": " + kernels),
                   figure_of(report, mesh_terrain, mesh_terrain_world,
                             by_mesh_kernels(workspace, kernels)),
                   "us", Target::at_most, demand_of(kernels, 30, 18));
    }
}

/// Targets about Terrane's row for each world of a question.
void add_world_targets(Report &report)
{
    for (const char *const question : {mesh_hidden, mesh_joined, mesh_expanded}) {
        for (const Entry &entry : report.entries) {
            if (entry.question == question && entry.contender == by_mesher) {
                add_target(report, speed, entry.question + ": " + entry.world,
                           figure_of(report, question, entry.world, by_mesher), "us",
                           Target::at_most, question == mesh_hidden ? 0.4 : 0);
            }
        }
    }
    for (const Entry &entry : report.entries) {
        const bool is_plain = entry.question == mesh_plain_quads;
        if ((is_plain || entry.question == mesh_lit_quads) && entry.contender == by_mesher) {
            add_target(report, size, entry.question + ", " + entry.world + ", by classic greedy",
                       figure_of(report, entry.question, entry.world, by_mesher) /
                           figure_of(report, entry.question, entry.world, by_greedy),
                       "x", Target::at_most, is_plain ? 1.05 : 0);
        }
    }
}

// ---- the report --------------------------------------------------------------------------------

/// Adds what each quad costs, from rows of times and of quads.
void add_rows_by_quad(Report &report, const char *time, const char *quads, const char *each)
{
    const std::vector<Entry> timed = report.entries;
    for (Entry entry : timed) {
        const Figure count = figure_of(report, quads, entry.world, entry.contender);
        if (entry.question == time && !entry.times.empty() && std::isfinite(count.value)) {
            entry.question = each;
            entry.unit = "ns";
            for (double &value : entry.times) {
                value *= 1000 / count.value;
            }
            report.entries.push_back(entry);
        }
    }
}

void conclude(Report &report, const MeshWorkspace &workspace)
{
    add_rows_by_quad(report, mesh_plain, mesh_plain_quads, mesh_plain_each);
    add_rows_by_quad(report, mesh_lit, mesh_lit_quads, mesh_lit_each);
    add_kernel_targets(report, workspace);
    add_world_targets(report);
    add_target(report, size, "scratch of a thread",
               static_cast<double>(TRN_MESH_SCRATCH_BYTES) / 1024, "KiB", Target::at_most, 320);
    report.plots = {bars_of(report, mesh_plain, "mesher_plain"),
                    bars_of(report, mesh_lit, "mesher_lit"),
                    bars_of(report, mesh_lit_cold, "mesher_cold"),
                    bars_of(report, mesh_terrain, "mesher_terrain")};
}

void make(bench::Bench &bench)
{
    const auto workspace = std::make_shared<MeshWorkspace>(bench.options);
    bench.note("Quads are compared face by face. Kernels of the mesher: " +
               workspace->kernel_names().front() + ".");
    add_mesh_worlds(bench, workspace);
    add_mesh_hidden(bench, workspace);
    add_mesh_terrain(bench, workspace);
    bench.conclude([workspace](Report &report) { conclude(report, *workspace); });
}

} // namespace

const bench::Topic mesher_topic = {
    "mesher",
    "quads of a chunk: Terrane's mesher, classic greedy meshing, culling alone",
    "Mesher: what does it cost to make a chunk's quads?",
    "classic greedy meshing, which is handed a plain cube of ids ready-made and knows opaque "
    "blocks alone",
    "microseconds a chunk, or the unit of each question",
    "chunks",
    3,
    "with ambient occlusion, input in L2 | hills | Terrane",
    make,
};
