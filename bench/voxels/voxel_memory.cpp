// Memory of all chunks around a player, and the time to encode them.

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "voxel_landscape.hpp"
#include "voxel_parts.hpp"
#include "voxels/voxels_internal.h"
#include "worlds.hpp"

namespace {

const char *const question_encode_all = "encode all chunks, per chunk";
const char *const question_classes = "chunks by the bytes of their voxels";
const char *const by_payloads = "Terrane, payloads alone";
const char *const by_elision = "plain arrays, none for uniform chunks";

const double mib = 1024.0 * 1024.0;

struct LandPlan {
    Land land;
    const char *name;
    double at_most_mib; ///< target for Terrane
};

const LandPlan plans[] = {{Land::generated, "view R=16, as generated", 64},
                          {Land::caves, "view R=16, with caves and ores", 64},
                          {Land::flat, "view R=16, flat", 13}};

/// A land encoded in a store, and its statistics.
struct LandCase {
    std::shared_ptr<const VoxelSetup> setup;
    const LandPlan *plan;
    VoxelStore store;
    std::size_t chunks = 0;
    std::vector<std::uint32_t> types; ///< number of types in each chunk that is not uniform
    bool is_right = true;
    /// Nanoseconds per chunk, one sample for each call of encode_land().
    std::vector<double> array_ns, elision_ns, terrane_ns;
};
using SharedLand = std::shared_ptr<LandCase>;

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
    std::memcpy(copy.get(), blocks.data(), voxel_bytes);
    return copy;
}

void check_chunk(LandCase &one, const TrnChunk *chunk, const VoxelArray &blocks)
{
    const TrnSnapshot now = trn_voxels_snapshot(&chunk->voxels);
    one.is_right = one.is_right && snapshot_is(now, blocks, one.setup->types);
    if (!trn_snapshot_is_uniform(now)) {
        TrnBlockCount first;
        one.types.push_back(trn_snapshot_counts(now, &first, 1));
    }
}

/// Encodes every chunk in every way, just after generating it. The first call checks and keeps the
/// store.
void encode_land(LandCase &one)
{
    const World view = world_ellipsoid("", 16, 4);
    Landscape landscape(one.setup->types);
    VoxelStore store = voxel_store(one.setup->types);
    std::vector<Array> arrays, elided;
    VoxelArray blocks(voxel_count);
    double array_ns = 0, elision_ns = 0, terrane_ns = 0;
    for (const TrnCoord &coord : view.chunks) {
        landscape.make(one.plan->land, coord, blocks.data());
        TrnChunk *const chunk = voxel_insert(store, coord);
        array_ns += ns_of([&] { arrays.push_back(copy_of(blocks)); });
        elision_ns +=
            ns_of([&] { elided.push_back(is_uniform(blocks) ? Array() : copy_of(blocks)); });
        terrane_ns +=
            ns_of([&] { require(trn_store_set_voxels(store.get(), chunk, blocks.data())); });
        if (!one.store) {
            check_chunk(one, chunk, blocks);
        }
    }
    one.chunks = view.chunks.size();
    const auto count = static_cast<double>(one.chunks);
    one.array_ns.push_back(array_ns / count);
    one.elision_ns.push_back(elision_ns / count);
    one.terrane_ns.push_back(terrane_ns / count);
    one.store = one.store ? std::move(one.store) : std::move(store);
}

// ---- scenes ------------------------------------------------------------------------------------

bench::Scene land_scene(const SharedLand &one, const char *question, const char *unit,
                        std::vector<bench::Attempt> attempts)
{
    for (bench::Attempt &attempt : attempts) {
        attempt.check = [one] { return one->is_right; };
    }
    bench::Scene scene = {question, one->plan->name, unit, one->chunks};
    scene.attempts = std::move(attempts);
    return scene;
}

/// The baselines have the same headers and index as Terrane.
bench::Scene bytes_scene(const SharedLand &one, const TrnVoxelHeapStats &heap)
{
    const TrnStoreStats stats = trn_store_stats(one->store.get());
    const auto total = static_cast<double>(stats.total_bytes);
    const double rest = total - static_cast<double>(stats.voxel_bytes);
    const auto with_arrays = [rest](std::size_t arrays) {
        return (static_cast<double>(arrays * voxel_bytes) + rest) / mib;
    };
    const auto payloads = static_cast<double>(heap.payload_bytes);
    return land_scene(one, voxel_memory, "MiB",
                      {bench::known(by_array, with_arrays(one->chunks)),
                       bench::known(by_elision, with_arrays(one->types.size())),
                       bench::known(by_terrane, total / mib),
                       bench::known(by_payloads, payloads / mib)});
}

bench::Scene classes_scene(const SharedLand &one, const TrnVoxelHeap *heap)
{
    const std::size_t uniform = one->chunks - one->types.size();
    std::vector<bench::Attempt> attempts = {
        bench::known("one block", static_cast<double>(uniform))};
    std::size_t above = 0;
    for (std::size_t kib = 1; kib <= 128; kib *= 2) {
        std::uint32_t payloads = 0;
        for (std::uint32_t i = 0; i < TRN_VOXEL_CLASS_COUNT; i++) {
            const TrnVoxelClassStats of_class = trn_voxel_heap_class(heap, i);
            const bool is_in =
                of_class.payload_bytes > above && of_class.payload_bytes <= kib * 1024;
            payloads += is_in ? of_class.payloads : 0;
        }
        above = kib * 1024;
        if (payloads) {
            attempts.push_back(bench::known("up to " + std::to_string(kib) + " KiB",
                                            static_cast<double>(payloads)));
        }
    }
    bench::Scene scene = land_scene(one, question_classes, "chunks", std::move(attempts));
    scene.baseline = "none";
    return scene;
}

bench::Scene times_scene(const SharedLand &one)
{
    const auto run = std::make_shared<bench::Run>();
    run->take = [one] { encode_land(*one); };
    run->samples = 4;
    std::vector<bench::Attempt> attempts;
    const auto add = [&](const char *contender, std::vector<double> LandCase::*times) {
        bench::Attempt attempt = {contender};
        attempt.run = run;
        attempt.figures = [one, times] { return (*one).*times; };
        attempts.push_back(attempt);
    };
    add(by_array, &LandCase::array_ns);
    add(by_elision, &LandCase::elision_ns);
    add(by_terrane, &LandCase::terrane_ns);
    return land_scene(one, question_encode_all, "ns", std::move(attempts));
}

void add_land_targets(Report &report, const LandPlan &plan, std::vector<std::uint32_t> types)
{
    report.targets.push_back({plan.name, voxel_memory,
                              figure_of(report, voxel_memory, plan.name, by_terrane), "MiB",
                              Target::at_most, plan.at_most_mib});
    const auto tell = [&](const char *what, double figure) {
        report.targets.push_back({plan.name, what, figure, "", Target::none, 0});
    };
    std::sort(types.begin(), types.end());
    tell("types in a chunk that is not uniform, least", types.front());
    tell("types in a chunk that is not uniform, a tenth has at most", types[types.size() / 10]);
    tell("types in a chunk that is not uniform, median", types[types.size() / 2]);
    tell("types in a chunk that is not uniform, most", types.back());
}

void add_land(bench::Bench &bench, const std::shared_ptr<const VoxelSetup> &setup,
              const LandPlan &plan)
{
    const std::vector<std::string> contenders = {by_terrane, by_elision, by_payloads};
    if (!bench.wants(voxel_memory, plan.name, contenders) &&
        !bench.wants(question_encode_all, plan.name, contenders) &&
        !bench.wants(question_classes, plan.name, contenders)) {
        return;
    }
    const auto one = std::make_shared<LandCase>();
    one->setup = setup;
    one->plan = &plan;
    encode_land(*one);
    const TrnVoxelHeap *const heap = trn_store_voxel_heap(one->store.get());
    bench.add(bytes_scene(one, trn_voxel_heap_stats(heap)));
    bench.add(times_scene(one));
    bench.add(classes_scene(one, heap));
    bench.conclude(
        [&plan, types = one->types](Report &report) { add_land_targets(report, plan, types); });
}

} // namespace

void add_land_stages(bench::Bench &bench, const std::shared_ptr<const VoxelSetup> &setup)
{
    for (const LandPlan &plan : plans) {
        bench.stage([&bench, setup, &plan] { add_land(bench, setup, plan); });
    }
}
