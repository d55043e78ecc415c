// What a view takes, and what of it goes where.

#include "store_scenes.hpp"

namespace {

const char *const by_map_elision = "std::unordered_map, no arrays for uniform chunks";
const double mib = 1024.0 * 1024.0;

/// A node of the map: its link, its hash (libstdc++ keeps those of hashes that it takes for slow),
/// the coordinate and a pointer; a bucket for each, and what malloc needs beside a block.
const double map_bytes_per_chunk = 8 + 8 + sizeof(TrnCoord) + 4 + 8 + 8 + 8 + 8;

std::size_t uneven_chunks(const StoreGround &ground)
{
    std::size_t count = 0;
    for (const TrnCoord &coord : ground.view().chunks) {
        TrnSnapshot snapshot;
        store_demand(trn_store_snapshot(ground.store(), coord, &snapshot));
        count += trn_snapshot_is_uniform(snapshot) ? 0 : 1;
    }
    return count;
}

void add_entry(Report &report, const BenchOptions &options, const StoreGround &ground,
               const char *contender, double bytes)
{
    const bool is_baseline = contender == by_map;
    if (!is_baseline && !options.wants(store_memory, ground.view().name, contender)) {
        return;
    }
    Entry entry;
    entry.question = store_memory;
    entry.world = ground.view().name;
    entry.contender = contender;
    entry.unit = "MiB";
    entry.count = ground.view().chunks.size();
    entry.is_baseline = is_baseline;
    entry.times = {bytes / mib};
    report.entries.push_back(entry);
}

void add_categories(Report &report, const StoreGround &ground, const TrnStoreStats &stats,
                    const TrnEditsStats &edits)
{
    const struct {
        const char *what;
        std::size_t bytes;
    } categories[] = {{"headers", stats.header_bytes},
                      {"voxels", stats.voxel_bytes},
                      {"index", stats.index_bytes},
                      {"block types", stats.type_bytes},
                      {"store, list of changes, log", stats.bookkeeping_bytes},
                      {"open batches", edits.batch_bytes},
                      {"pending edits", edits.pending_bytes},
                      {"undo", edits.history_bytes},
                      {"all", stats.total_bytes},
                      {"all, at most so far", stats.total_bytes_peak}};
    for (const auto &one : categories) {
        report.targets.push_back({ground.view().name, std::string("memory: ") + one.what,
                                  static_cast<double>(one.bytes) / 1024, "KiB", Target::none, 0});
    }
}

} // namespace

void measure_store_memory(const StoreGround &ground, const BenchOptions &options, Report &report)
{
    bool is_wanted = false;
    for (const char *const contender : {by_map_elision, by_store}) {
        is_wanted = is_wanted || options.wants(store_memory, ground.view().name, contender);
    }
    if (!is_wanted) {
        return;
    }
    const TrnStoreStats stats = trn_store_stats(ground.store());
    const auto chunks = static_cast<double>(ground.view().chunks.size());
    const auto uneven = static_cast<double>(uneven_chunks(ground));
    const double array = sizeof(PlainChunk);
    add_entry(report, options, ground, by_map, chunks * (array + map_bytes_per_chunk));
    add_entry(report, options, ground, by_map_elision,
              uneven * array + chunks * map_bytes_per_chunk);
    add_entry(report, options, ground, by_store, static_cast<double>(stats.total_bytes));
    add_categories(report, ground, stats, trn_edits_stats(ground.store()));
}
