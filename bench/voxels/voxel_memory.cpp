#include "voxel_memory.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#include "driver/timing.hpp"
#include "voxel_landscape.hpp"
#include "worlds.hpp"

namespace {

const char *const question_encode_all = "encode all chunks, per chunk";
const char *const question_classes = "chunks by bits a voxel and masks";
const char *const by_payloads = "Terrane, payloads alone";

const double chunk_bytes = sizeof(TrnBlock[TRN_CHUNK_VOXELS]);
const double mib = 1024.0 * 1024.0;

/// A land encoded: the store that holds it, and what went in.
struct LandCase {
    std::shared_ptr<VoxelStore> store;
    std::size_t chunks = 0;
    std::size_t uniform = 0;
    std::vector<std::uint32_t> types; ///< in each chunk that is not uniform
    double array_ns = 0, elision_ns = 0, terrane_ns = 0;
    bool is_right = true;
};

// ---- encoding it all ---------------------------------------------------------------------------

bool is_uniform(const VoxelArray &blocks)
{
    return std::all_of(blocks.begin(), blocks.end(),
                       [&blocks](TrnBlock block) { return block == blocks[0]; });
}

using Array = std::unique_ptr<TrnBlock[]>;

Array copy_of(const VoxelArray &blocks)
{
    Array copy(new TrnBlock[voxel_count]);
    std::memcpy(copy.get(), blocks.data(), sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    return copy;
}

template <typename Work> double ns_of(Work work)
{
    const double start = clock_ns(CLOCK_MONOTONIC);
    work();
    return clock_ns(CLOCK_MONOTONIC) - start;
}

/// Encodes one chunk in every way, as it comes fresh from the generator.
void encode_chunk(LandCase &land, TrnChunk *chunk, const VoxelArray &blocks,
                  std::vector<Array> &arrays, std::vector<Array> &elided)
{
    land.array_ns += ns_of([&] { arrays.push_back(copy_of(blocks)); });
    land.elision_ns +=
        ns_of([&] { elided.push_back(is_uniform(blocks) ? Array() : copy_of(blocks)); });
    land.terrane_ns +=
        ns_of([&] { voxel_demand(trn_store_set_voxels(land.store->get(), chunk, blocks.data())); });
}

void check_chunk(LandCase &land, const VoxelBench &bench, const TrnChunk *chunk,
                 const VoxelArray &blocks)
{
    const TrnSnapshot now = trn_voxels_snapshot(&chunk->voxels);
    land.is_right = land.is_right && snapshot_is(now, blocks, bench.types);
    if (trn_snapshot_is_uniform(now)) {
        land.uniform++;
    } else {
        TrnBlockCount first;
        land.types.push_back(trn_snapshot_counts(now, &first, 1));
    }
}

LandCase encode_land(const VoxelBench &bench, Land land, bool is_checked)
{
    const World view = world_ellipsoid("", 16, 4);
    Landscape landscape(bench.types);
    LandCase made;
    made.store = std::make_shared<VoxelStore>(bench.types);
    made.chunks = view.chunks.size();
    std::vector<Array> arrays, elided;
    VoxelArray blocks(voxel_count);
    for (const TrnCoord &coord : view.chunks) {
        landscape.make(land, coord, blocks.data());
        TrnChunk *const chunk = made.store->insert(coord);
        encode_chunk(made, chunk, blocks, arrays, elided);
        if (is_checked) {
            check_chunk(made, bench, chunk, blocks);
        }
    }
    return made;
}

// ---- entries -----------------------------------------------------------------------------------

class LandReport {
  public:
    LandReport(Report &into, const BenchOptions &from, const char *world, std::size_t chunks)
        : report(into), options(from), name(world), count(chunks)
    {
    }

    void add(const char *question, const std::string &contender, const char *unit,
             std::vector<double> figures, bool is_baseline = false)
    {
        if (!is_baseline && !options.wants(question, name, contender)) {
            return;
        }
        Entry entry;
        entry.question = question;
        entry.world = name;
        entry.contender = contender;
        entry.unit = unit;
        entry.count = count;
        entry.is_baseline = is_baseline;
        entry.times = std::move(figures);
        report.entries.push_back(entry);
    }
    void add_figure(const char *what, double figure)
    {
        report.targets.push_back({name, what, figure, "", Target::none, 0});
    }

  private:
    Report &report;
    const BenchOptions &options;
    const char *name;
    std::size_t count;
};

/// Plain arrays are given the same headers and index as Terrane has.
void add_bytes(LandReport &out, const LandCase &land)
{
    const TrnStoreStats stats = trn_store_stats(land.store->get());
    const TrnVoxelHeapStats heap = trn_voxel_heap_stats(trn_store_voxel_heap(land.store->get()));
    const auto uneven = static_cast<double>(land.types.size());
    const auto total = static_cast<double>(stats.total_bytes);
    const double rest = total - static_cast<double>(stats.voxel_bytes);
    double payloads = 0;
    for (const TrnVoxelClassStats &one : heap.classes) {
        payloads += static_cast<double>(one.payloads) * static_cast<double>(one.payload_bytes);
    }
    out.add(voxel_memory, by_array, "MiB",
            {(static_cast<double>(land.chunks) * chunk_bytes + rest) / mib}, true);
    out.add(voxel_memory, by_elision, "MiB", {(uneven * chunk_bytes + rest) / mib});
    out.add(voxel_memory, by_terrane, "MiB", {total / mib});
    out.add(voxel_memory, by_payloads, "MiB", {payloads / mib});
}

void add_classes(LandReport &out, const LandCase &land)
{
    const TrnVoxelHeapStats heap = trn_voxel_heap_stats(trn_store_voxel_heap(land.store->get()));
    out.add(question_classes, bits_name(0), "chunks", {static_cast<double>(land.uniform)});
    for (const TrnVoxelClassStats &one : heap.classes) {
        if (one.payloads == 0) {
            continue;
        }
        const std::string masks = one.masks == 1 ? ", one mask" : ", two masks";
        out.add(question_classes, bits_name(static_cast<int>(one.bits)) + masks, "chunks",
                {static_cast<double>(one.payloads)});
    }
}

void add_variety(LandReport &out, std::vector<std::uint32_t> types)
{
    if (types.empty()) {
        return;
    }
    std::sort(types.begin(), types.end());
    out.add_figure("types in a chunk that is not uniform, least", types.front());
    out.add_figure("types in a chunk that is not uniform, a tenth has at most",
                   types[types.size() / 10]);
    out.add_figure("types in a chunk that is not uniform, median", types[types.size() / 2]);
    out.add_figure("types in a chunk that is not uniform, most", types.back());
}

void add_times(LandReport &out, const std::vector<LandCase> &repetitions)
{
    const auto per_chunk = [&repetitions](double LandCase::*ns) {
        std::vector<double> times;
        times.reserve(repetitions.size());
        for (const LandCase &land : repetitions) {
            times.push_back(land.*ns / static_cast<double>(land.chunks));
        }
        return times;
    };
    out.add(question_encode_all, by_array, "ns", per_chunk(&LandCase::array_ns), true);
    out.add(question_encode_all, by_elision, "ns", per_chunk(&LandCase::elision_ns));
    out.add(question_encode_all, by_terrane, "ns", per_chunk(&LandCase::terrane_ns));
}

bool wants_land(const BenchOptions &options, const char *name)
{
    for (const char *question : {voxel_memory, question_encode_all, question_classes}) {
        for (const char *contender : {by_terrane, by_elision, by_payloads}) {
            if (options.wants(question, name, contender)) {
                return true;
            }
        }
    }
    return false;
}

bool measure_land(const VoxelBench &bench, const BenchOptions &options, Land land, const char *name,
                  Report &report)
{
    std::vector<LandCase> repetitions;
    for (int i = 0; i < (bench.is_quick ? 2 : 5); i++) {
        repetitions.push_back(encode_land(bench, land, i == 0));
        if (i > 0) {
            repetitions.back().store.reset(); // only its times are asked for
        }
    }
    const LandCase &first = repetitions.front();
    if (!first.is_right) {
        std::fprintf(stderr,
                     "terrane-bench: a chunk of %s is not what was encoded; no figures are "
                     "shown.\n",
                     name);
        return false;
    }
    LandReport out(report, options, name, first.chunks);
    add_bytes(out, first);
    add_times(out, repetitions);
    add_classes(out, first);
    add_variety(out, first.types);
    return true;
}

} // namespace

bool measure_voxel_memory(const VoxelBench &bench, const BenchOptions &options, Report &report)
{
    const struct {
        Land land;
        const char *name;
    } lands[] = {
        {Land::generated, land_generated}, {Land::caves, land_caves}, {Land::flat, land_flat}};
    bool right = true;
    for (const auto &[land, name] : lands) {
        if (right && wants_land(options, name)) {
            right = measure_land(bench, options, land, name, report);
        }
    }
    return right;
}
