#include "topics.hpp"

#include <cmath>

#include "driver/ratios.hpp"
#include "mesh_parts.hpp"

namespace {

const char *const size = "size";

// ---- targets -----------------------------------------------------------------------------------

/// Demands on the speed relative to classic greedy meshing, by instruction set.
struct SpeedDemand {
    const char *question;
    std::string world;
    double by_avx2, by_avx512;
};

const SpeedDemand speed_demands[] = {
    {mesh_plain, mesh_world_name(MESH_WORLD_HILLS), 21, 30},
    {mesh_lit, mesh_world_name(MESH_WORLD_HILLS), 17, 25},
    {mesh_plain, mesh_world_name(MESH_WORLD_CAVES), 6.6, 9.5},
    {mesh_plain, mesh_world_name(MESH_WORLD_CHECKERBOARD), 2.5, 4.1},
    {mesh_terrain, mesh_terrain_world, 7, 9.5},
};

/// Demand on chunks without visible faces: speed relative to culling voxel by voxel, for all
/// kernels.
const double hidden_by_culling = 300;

/// Adds a target unless its figure is missing. @param demanded 0: no demand
void add_target(Report &report, const std::string &what, Figure figure, const char *unit,
                double demanded)
{
    if (std::isfinite(figure.value)) {
        report.targets.push_back(
            {size, what, figure, unit, demanded > 0 ? Target::at_most : Target::none, demanded});
    }
}

std::vector<RatioDemand> speed_ratios(const MeshWorkspace &workspace)
{
    std::vector<RatioDemand> ratios = {
        {mesh_hidden, "", by_mesher, by_culling, Target::at_least, hidden_by_culling}};
    for (const SpeedDemand &demand : speed_demands) {
        for (const std::string &kernels : workspace.kernel_names()) {
            const bool is_avx512 = kernels == "AVX-512";
            if (is_avx512 || kernels == "AVX2") {
                ratios.push_back({demand.question, demand.world,
                                  by_mesh_kernels(workspace, kernels), by_greedy, Target::at_least,
                                  is_avx512 ? demand.by_avx512 : demand.by_avx2});
            }
        }
    }
    return ratios;
}

void add_size_targets(Report &report)
{
    for (const Entry &entry : report.entries) {
        const bool is_plain = entry.question == mesh_plain_quads;
        if ((is_plain || entry.question == mesh_lit_quads) && entry.contender == by_mesher) {
            add_target(report, entry.question + ", " + entry.world + ", by classic greedy",
                       figure_of(report, entry.question, entry.world, by_mesher) /
                           figure_of(report, entry.question, entry.world, by_greedy),
                       "x", is_plain ? 1.05 : 0);
        }
    }
    add_target(report, "scratch of a thread", static_cast<double>(TRN_MESH_SCRATCH_BYTES) / 1024,
               "KiB", 448);
}

// ---- the report --------------------------------------------------------------------------------

/// Adds rows of the time per quad, from rows of times and of quads.
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
    add_ratios(report, speed_ratios(workspace));
    add_size_targets(report);
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
    "Mesher: what does it cost to mesh a chunk?",
    "classic greedy meshing, whose input is a prepared cube of ids and which knows opaque blocks "
    "only",
    "microseconds a chunk, or the unit of each question",
    "chunks",
    3,
    "with ambient occlusion, input in L2 | hills | Terrane",
    make,
};
