#include "topics.hpp"

#include <iterator>

#include "driver/ratios.hpp"
#include "store_parts.hpp"

namespace {

const int view_radius = 16, view_radius_y = 4;

// ---- memory -------------------------------------------------------------------------------------

const char *const store_memory = "memory of a view";

/// Bytes of a node of the map: link, hash (libstdc++ stores it unless the hash counts as fast),
/// coordinate, padding and pointer, a bucket per node, and malloc's overhead.
const double map_bytes_per_chunk = 8 + 8 + sizeof(TrnCoord) + 4 + 8 + 8 + 8 + 8;

std::size_t uneven_chunks(const StoreGround &ground)
{
    std::size_t count = 0;
    for (const TrnCoord &coord : ground.view.chunks) {
        TrnSnapshot snapshot;
        require(trn_store_snapshot(ground.store(), coord, &snapshot));
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
    return bench::scene_with(
        {store_memory, ground.view.name, "MiB", ground.view.chunks.size()},
        {bench::known(by_map, by_arrays(ground.view.chunks.size())),
         bench::known("std::unordered_map, no arrays for uniform chunks",
                      by_arrays(uneven_chunks(ground))),
         bench::known(by_store, static_cast<double>(stats.total_bytes) / mib)});
}

/// The bytes of a store by category.
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

// Batches, spheres and bodies cost more than with plain arrays, which maintain no snapshots, masks
// and revisions. The demands limit by how much. The cost of a feature of the store is measured
// relative to the store without it.
const RatioDemand demands[] = {
    {store_read, walk_lines, by_store, by_map, Target::at_most, 1.3},
    {store_read, walk_random, by_store, by_map, Target::at_most, 1.4},
    {store_read, walk_stencils, by_store, by_map, Target::at_most, 2.8},
    {store_read, walk_corners, by_store, by_map, Target::at_most, 2.1},
    {store_batch, "", by_store, by_map, Target::at_most, 6.2},
    {store_batch, "", by_listener, by_store, Target::at_most, 2},
    {store_batch, "", by_history, by_store, Target::at_most, 2.2},
    {store_sphere, "radius 4", by_store, by_map, Target::at_most, 22},
    {store_sphere, "radius 16", by_store, by_map, Target::at_most, 7},
    {store_sphere, "radius 32", by_store, by_map, Target::at_most, 4.2},
    {store_ray, "over hills", by_store, by_map_ray, Target::at_most, 0.4},
    {store_ray, "through tunnels", by_store, by_map_ray, Target::at_most, 1.15},
    {store_ray, "through absent chunks", by_store, by_map_ray, Target::at_most, 0.3},
    {store_ray, "mixed", by_store, by_map_ray, Target::at_most, 0.55},
    {store_bodies, "", by_store, by_map_body, Target::at_most, 4.3},
    {store_debris, "", by_store, by_map_debris, Target::at_most, 0.6},
    {store_changed, "1 % of 34025 chunks", by_store, by_map_asked, Target::at_least, 1400},
    {store_changed, "all of 34025 chunks", by_store, by_map_asked, Target::at_least, 85},
    {store_changed, "all, every other one twice, of 34025 chunks", by_store, by_map_asked,
     Target::at_least, 13},
    {store_churn, "", by_store, by_map_churn, Target::at_most, 1.8},
};

void conclude(Report &report, const std::vector<Target> &of_memory)
{
    add_ratios(report, {std::begin(demands), std::end(demands)});
    report.targets.insert(report.targets.end(), of_memory.begin(), of_memory.end());
}

void make(bench::Bench &bench)
{
    const auto ground = std::make_shared<StoreGround>(view_radius, view_radius_y);
    const TrnStoreStats stats = trn_store_stats(ground->store()); // before any edits
    const TrnEditsStats edits = trn_edits_stats(ground->store());
    bench.note("Random by seed " + std::to_string(store_seed) + ".");
    bench.add(memory_scene(*ground, stats));
    for (const auto make_scenes :
         {make_read_scenes, make_batch_scenes, make_sphere_scenes, make_ray_scenes,
          make_body_scenes, make_debris_scenes, make_changed_scenes, make_churn_scenes}) {
        bench.stage([&bench, ground, make_scenes] { bench.add(make_scenes(ground)); });
    }
    stage_growth(bench);
    bench.conclude([figures = memory_figures(ground->view.name, stats, edits)](Report &report) {
        conclude(report, figures);
    });
}

} // namespace

const bench::Topic store_topic = {
    "store",
    "the whole store: voxels across chunks, batches, spheres and undo, rays, bodies, changes, "
    "eviction, memory, and how calls grow with the number of chunks",
    "Store: what do a game's calls in every frame cost?",
    "std::unordered_map of plain arrays, which remembers the last chunk; no snapshots for "
    "other threads, masks or revisions",
    "nanoseconds, or the unit of each question",
    "a call",
    2,
    "undo a sphere | radius 32 | Terrane",
    make,
};
