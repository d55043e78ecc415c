#include "store.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "driver/command_line.hpp"
#include "driver/report.hpp"
#include "store_scenes.hpp"

namespace {

const int view_radius = 16, view_radius_y = 4;
const char *const speed = "speed";

std::vector<VoxelScene> make_scenes(const Ground &ground)
{
    std::vector<VoxelScene> all;
    for (auto make :
         {make_read_scenes, make_batch_scenes, make_sphere_scenes, make_ray_scenes,
          make_body_scenes, make_debris_scenes, make_changed_scenes, make_churn_scenes}) {
        std::vector<VoxelScene> some = make(ground);
        all.insert(all.end(), std::make_move_iterator(some.begin()),
                   std::make_move_iterator(some.end()));
    }
    return all;
}

// ---- units -------------------------------------------------------------------------------------

/// What is done once a frame is told in microseconds.
void tell_in_us(Report &report)
{
    const std::string in_us[] = {store_sphere, store_undo,    store_redo, store_bodies,
                                 store_debris, store_changed, store_ray};
    for (Entry &entry : report.entries) {
        if (std::find(std::begin(in_us), std::end(in_us), entry.question) == std::end(in_us)) {
            continue;
        }
        entry.unit = "us";
        for (double &time : entry.times) {
            time /= 1000;
        }
    }
}

// ---- targets -----------------------------------------------------------------------------------

/// Where something is demanded, or only told.
struct Demand {
    const char *question;
    const char *contender;
    const char *world; ///< "": each
    double at_most;    ///< in the question's unit; 0: told
};

const Demand demands[] = {
    {store_batch, by_store, "", 1000},
    {store_batch, by_listener, "", 0},
    {store_batch, by_history, "", 0},
    {store_batch, by_both, "", 0},
    {store_sphere, by_store, "radius 4", 0},
    {store_sphere, by_store, "radius 16", 0},
    {store_sphere, by_store, "radius 32", 2000},
    {store_sphere, by_both, "radius 32", 0},
    {store_undo, by_store, "radius 32", 0},
    {store_redo, by_store, "radius 32", 0},
    {store_ray, by_store, "", 1},
    {store_bodies, by_store, "", 2000},
    {store_debris, by_store, "", 300},
    {store_changed, by_store, "", 20},
    {store_churn, by_store, "", 0},
    {store_churn, by_listener, "", 0},
    {store_evict, by_store, "", 0},
    {store_evict, by_listener, "", 0},
};

void add_demand(Report &report, const Demand &demand)
{
    for (const Entry &entry : report.entries) {
        const bool is_asked = entry.question == demand.question &&
                              entry.contender == demand.contender &&
                              (*demand.world == '\0' || entry.world == demand.world);
        if (is_asked && !entry.times.empty()) {
            const std::string whose = entry.contender == by_store ? "" : ": " + entry.contender;
            report.targets.push_back(
                {speed, entry.question + ", " + entry.world + whose, spread_of(entry.times).median,
                 entry.unit.empty() ? "ns" : entry.unit,
                 demand.at_most > 0 ? Target::at_most : Target::none, demand.at_most});
        }
    }
}

/// How many times as long a read across chunks may take as one inside a chunk.
void add_read_target(Report &report, const char *walk, Target::Bound bound)
{
    const double across = median_of(report, store_read, walk, by_store);
    const double inside = median_of(report, store_read, walk, by_one_chunk);
    if (std::isfinite(across / inside)) {
        report.targets.push_back({speed, std::string(store_read) + ", " + walk + ", by inside one",
                                  across / inside, "x", bound, 1.5});
    }
}

void add_targets(Report &report)
{
    const std::vector<Target> of_memory = std::move(report.targets);
    report.targets.clear();
    for (const char *const walk : {walk_lines, walk_random, walk_stencils}) {
        add_read_target(report, walk, Target::at_most);
    }
    add_read_target(report, walk_corners, Target::none); // hardly two reads are in one chunk
    for (const Demand &demand : demands) {
        add_demand(report, demand);
    }
    report.targets.insert(report.targets.end(), of_memory.begin(), of_memory.end());
}

Report make_report()
{
    Report report;
    report.topic = "store";
    report.question = "Store: what does a game pay in every frame?";
    report.baseline = "std::unordered_map of plain arrays, the last chunk kept at hand; it has no "
                      "snapshots for other threads, masks or revisions";
    report.unit = "nanoseconds, or the unit of each question";
    report.unit_symbol = "ns";
    report.counted = "a call";
    report.decimals = 2;
    return report;
}

} // namespace

int bench_store(const BenchOptions &options)
{
    const Ground ground = std::make_shared<StoreGround>(view_radius, view_radius_y);
    Report report = make_report();
    measure_store_memory(*ground, options, report); // before anything has been edited
    std::vector<VoxelScene> scenes = make_scenes(ground);
    filter_voxel_scenes(scenes, options);
    if (scenes.empty() && report.entries.empty()) {
        return refuse(
            "--filter leaves nothing to measure. It is looked for in \"question | world | "
            "contender\", such as \"undo a sphere | radius 32 | Terrane\".");
    }
    if (!voxel_answers_right(scenes)) {
        return 1;
    }
    std::printf("Answers checked: all contenders agree on %zu scenes. Random by seed %u.\n",
                scenes.size(), store_seed);
    std::fflush(stdout);
    if (options.check) {
        return 0;
    }
    time_voxel_scenes(scenes, options.quick, report);
    tell_in_us(report);
    add_targets(report);
    report.plots = {
        bars_of(report, store_read, "store_reads"), bars_of(report, store_batch, "store_batches"),
        bars_of(report, store_sphere, "store_spheres"), bars_of(report, store_ray, "store_rays"),
        bars_of(report, store_changed, "store_changed")};
    print_report(report);
    print_targets(report);
    return write_report(report, options) ? 0 : 1;
}
