// Two floods. A dam breaks: about 140,000 voxels of water flow down a stepped valley, 254 voxels
// wide, until all rest. Water falls over a cliff.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <terrane/batch.h>
#include <terrane/fluid.h>

#include "blocks/blocks_parts.hpp"
#include "driver/clock.hpp"
#include "owned.hpp"

namespace {

const char *const by_terrane = "Terrane";
const char *const q_voxel = "a dam breaks, a changed voxel";
const char *const q_step = "a dam breaks, 99.9 % of the steps take at most";

const TrnBlock air = TRN_BLOCK_AIR, stone = 1, water = 2;

struct Land {
    const char *name;
    int length; ///< of a step along x
    int drop;   ///< its height
    int floor;  ///< the lowest ground
};
const Land lands[] = {{"valley of steps", 4, 1, -120}, {"cliff", 1000000, 0, -60}};

const int dam_x = 15, crest = 30, wide = 256, longest = 448;

/// The y of a land's ground at x.
int ground(const Land &land, int x)
{
    if (land.drop == 0) {
        return x <= dam_x ? -20 : land.floor;
    }
    return std::max(land.floor, 20 - std::max(0, x - dam_x) / land.length * land.drop);
}

TrnBlock block_at(const Land &land, int x, int y, int z)
{
    const bool is_rim = x == 0 || x == longest - 1 || z == 0 || z == wide - 1;
    if (y <= ground(land, x) || ((is_rim || x == dam_x) && y <= crest + 2)) {
        return stone;
    }
    return x < dam_x && y <= crest ? water : air;
}

/// A reservoir of water at rest behind a dam.
struct Reservoir {
    explicit Reservoir(const Land &land);
    void add_types();
    void fill(const Land &land, TrnCoord coord);
    void open_dam(const Land &land);
    /// Steps until all water rests. @return each step's processor time of this thread, in
    /// nanoseconds
    std::vector<double> flow();

    TrnFluidLiquid liquid = {};
    Owned<TrnBlockTypes, trn_block_types_destroy> types;
    Owned<TrnStore, trn_store_destroy> store;
    Owned<TrnFluid, trn_fluid_destroy> fluid;
};

void Reservoir::add_types()
{
    create_owned(types, trn_block_types_create, nullptr);
    const TrnBlockType rock = trn_block_type_def("bench:stone", TRN_BLOCK_KIND_OPAQUE);
    require(trn_block_types_add(types.get(), &rock, nullptr));
    for (int i = 0; i <= TRN_FLUID_FALLING; i++) {
        const std::string name = "bench:water" + std::to_string(i);
        const TrnBlockType type = trn_block_type_def(name.c_str(), TRN_BLOCK_KIND_LIQUID);
        require(trn_block_types_add(types.get(), &type, &liquid.blocks[i]));
    }
    liquid.delay = 1;
    liquid.decay = 1;
    liquid.drop_voxels = 4;
    liquid.renews = true;
}

void Reservoir::fill(const Land &land, TrnCoord coord)
{
    std::vector<TrnBlock> blocks(static_cast<std::size_t>(TRN_CHUNK_VOXELS));
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[static_cast<std::size_t>(i)] = block_at(
            land, coord.x * 32 + i % 32, coord.y * 32 + i / 1024, coord.z * 32 + i / 32 % 32);
    }
    require(trn_store_insert_voxels(store.get(), coord, blocks.data(), nullptr));
}

Reservoir::Reservoir(const Land &land)
{
    add_types();
    TrnStoreDef store_def = trn_store_def();
    store_def.types = types.get();
    create_owned(store, trn_store_create, &store_def);
    for (int32_t i = 0; i < 14 * 8 * 7; i++) {
        fill(land, {i % 14, i / 14 / 8 - 5, i / 14 % 8});
    }
    TrnFluidDef def = trn_fluid_def();
    def.liquids = &liquid;
    def.liquid_count = 1;
    create_owned(fluid, trn_fluid_create, store.get(), &def);
}

void Reservoir::open_dam(const Land &land)
{
    TrnBatch *batch = nullptr;
    require(trn_batch_begin(store.get(), nullptr, &batch));
    (void)trn_batch_fill_box(batch, {dam_x, ground(land, dam_x) + 1, 1}, {dam_x, crest, wide - 2},
                             TRN_BLOCK_AIR);
    require(trn_batch_commit(batch, nullptr));
}

std::vector<double> Reservoir::flow()
{
    std::vector<double> steps;
    while (trn_fluid_stats(fluid.get()).due_voxels > 0) {
        steps.push_back(ns_of([this] { require(trn_fluid_step(fluid.get(), nullptr)); },
                              CLOCK_THREAD_CPUTIME_ID));
    }
    return steps;
}

/// The figures of one flood.
struct Flood {
    double ns = 0, slowest_ns = 0; ///< sum of all steps; 99.9th percentile
    std::uint64_t changed = 0;
};

Flood flood_of(const Land &land)
{
    Reservoir reservoir(land);
    reservoir.open_dam(land);
    std::vector<double> steps = reservoir.flow();
    Flood flood;
    for (const double ns : steps) {
        flood.ns += ns;
    }
    std::sort(steps.begin(), steps.end());
    flood.slowest_ns = steps[(steps.size() * 999 - 1) / 1000];
    flood.changed = trn_fluid_stats(reservoir.fluid.get()).changed_voxels;
    return flood;
}

bench::Scene scene_of(const Land &land, const char *question, const char *unit)
{
    return {question, land.name, unit, 1, 0, by_terrane};
}

} // namespace

void add_fluid_scenes(bench::Bench &bench)
{
    for (const Land &land : lands) {
        const std::uint64_t changed = flood_of(land).changed;
        bench::Scene voxel = scene_of(land, q_voxel, "ns"), step = scene_of(land, q_step, "us");
        voxel.count = changed;
        const auto is_right = [land, changed] { return flood_of(land).changed == changed; };
        voxel.attempts = {bench::measured(
            by_terrane, [land] { return flood_of(land).ns; }, is_right)};
        step.attempts = {bench::measured(
            by_terrane, [land] { return flood_of(land).slowest_ns; }, is_right)};
        bench.add(voxel);
        bench.add(step);
    }
}
