#include "store.hpp"

#include <cmath>

#include "store_parts.hpp"

namespace {

const int view_radius = 16, view_radius_y = 4;
const char *const speed = "speed";

// ---- memory -------------------------------------------------------------------------------------

const char *const store_memory = "memory of a view";

/// A node of the map: its link, its hash (libstdc++ keeps those of hashes that it takes for slow),
/// the coordinate and a pointer; a bucket for each, and what malloc adds to a block.
const double map_bytes_per_chunk = 8 + 8 + sizeof(TrnCoord) + 4 + 8 + 8 + 8 + 8;

std::size_t uneven_chunks(const StoreGround &ground)
{
    std::size_t count = 0;
    for (const TrnCoord &coord : ground.view.chunks) {
        TrnSnapshot snapshot;
        store_demand(trn_store_snapshot(ground.store(), coord, &snapshot));
        count += trn_snapshot_is_uniform(snapshot) ? 0 : 1;
    }
    return count;
}

bench::Scene memory_scene(const StoreGround &ground, const TrnStoreStats &stats)
{
    const double mib = 1024 * 1024;
    const auto by_arrays = [&](std::size_t arrays) {
        return (static_cast<double>(arrays * sizeof(PlainChunk)) +
                static_cast<double>(ground.view.chunks.size()) * map_bytes_per_chunk) /
               mib;
    };
    bench::Scene scene;
    scene.question = store_memory;
    scene.world = ground.view.name;
    scene.unit = "MiB";
    scene.count = ground.view.chunks.size();
    scene.attempts = {bench::known(by_map, by_arrays(ground.view.chunks.size())),
                      bench::known("std::unordered_map, no arrays for uniform chunks",
                                   by_arrays(uneven_chunks(ground))),
                      bench::known(by_store, static_cast<double>(stats.total_bytes) / mib)};
    return scene;
}

/// What of a store takes how many bytes.
std::vector<Target> memory_figures(const std::string &world, const TrnStoreStats &stats,
                                   const TrnEditsStats &edits)
{
    const std::pair<const char *, std::size_t> categories[] = {
        {"headers", stats.header_bytes},
        {"voxels", stats.voxel_bytes},
        {"index", stats.index_bytes},
        {"block types", stats.type_bytes},
        {"store, list of changes, log", stats.bookkeeping_bytes},
        {"open batches", edits.batch_bytes},
        {"pending edits", edits.pending_bytes},
        {"undo", edits.history_bytes},
        {"all", stats.total_bytes},
        {"all, at most so far", stats.total_bytes_peak}};
    std::vector<Target> figures;
    for (const auto &[what, bytes] : categories) {
        figures.push_back({world, std::string("memory: ") + what, static_cast<double>(bytes) / 1024,
                           "KiB", Target::none, 0});
    }
    return figures;
}

// ---- targets ------------------------------------------------------------------------------------

/// What is demanded, or only shown.
struct Demand {
    const char *question;
    const char *contender;
    const char *world; ///< "": each
    double at_most;    ///< in the question's unit; 0: shown
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
        if (is_asked) {
            const std::string whose = entry.contender == by_store ? "" : ": " + entry.contender;
            report.targets.push_back(
                {speed, entry.question + ", " + entry.world + whose,
                 figure_of(report, entry.question, entry.world, entry.contender), entry.unit,
                 demand.at_most > 0 ? Target::at_most : Target::none, demand.at_most});
        }
    }
}

/// How many times as long a read across chunks takes as one inside a chunk.
void add_read_target(Report &report, const char *walk, Target::Bound bound)
{
    const Figure times = figure_of(report, store_read, walk, by_store) /
                         figure_of(report, store_read, walk, by_one_chunk);
    if (std::isfinite(times.value)) {
        report.targets.push_back({speed, std::string(store_read) + ", " + walk + ", by inside one",
                                  times, "x", bound, 1.5});
    }
}

void conclude(Report &report, const std::vector<Target> &of_memory)
{
    for (const char *const walk : {walk_lines, walk_random, walk_stencils}) {
        add_read_target(report, walk, Target::at_most);
    }
    add_read_target(report, walk_corners,
                    Target::none); // hardly two reads are in one chunk
    for (const Demand &demand : demands) {
        add_demand(report, demand);
    }
    report.targets.insert(report.targets.end(), of_memory.begin(), of_memory.end());
    report.plots = {
        bars_of(report, store_read, "store_reads"), bars_of(report, store_batch, "store_batches"),
        bars_of(report, store_sphere, "store_spheres"), bars_of(report, store_ray, "store_rays"),
        bars_of(report, store_changed, "store_changed")};
}

void make(bench::Bench &bench)
{
    const auto ground = std::make_shared<StoreGround>(view_radius, view_radius_y);
    const TrnStoreStats stats = trn_store_stats(ground->store()); // before anything is edited
    const TrnEditsStats edits = trn_edits_stats(ground->store());
    bench.note("Random by seed " + std::to_string(store_seed) + ".");
    bench.add(memory_scene(*ground, stats));
    for (const auto make_scenes :
         {make_read_scenes, make_batch_scenes, make_sphere_scenes, make_ray_scenes,
          make_body_scenes, make_debris_scenes, make_changed_scenes, make_churn_scenes}) {
        bench.stage([&bench, ground, make_scenes] { bench.add(make_scenes(ground)); });
    }
    bench.conclude([figures = memory_figures(ground->view.name, stats, edits)](Report &report) {
        conclude(report, figures);
    });
}

} // namespace

const bench::Topic store_topic = {
    "store",
    "the whole store: voxels across chunks, batches, spheres and undo, rays, bodies, changes, "
    "eviction, memory",
    "Store: what does a game pay in every frame?",
    "std::unordered_map of plain arrays, which remembers the last chunk; no snapshots for "
    "other threads, masks or revisions",
    "nanoseconds, or the unit of each question",
    "a call",
    2,
    "undo a sphere | radius 32 | Terrane",
    make,
};
