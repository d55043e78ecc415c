// Random ticks around an anchor: the cost of a chunk without ticking blocks, and of one with grass.

#include <memory>
#include <vector>

#include <terrane/ticks.h>

#include "blocks/blocks_parts.hpp"
#include "driver/clock.hpp"
#include "owned.hpp"

namespace {

const char *const by_terrane = "Terrane";
const char *const q_step = "a step of random ticks, a chunk";
const char *const w_none = "nothing ticks";
const char *const w_grass = "grass in every chunk";

const int radius = 8, height = 4;

TrnResult ignore(void *user, TrnBatch *batch, const TrnTick *tick)
{
    (void)batch, (void)tick;
    ++*static_cast<std::uint64_t *>(user);
    return TRN_RESULT_OK;
}

/// Chunks around the origin with eight block types each. One type may be grass, which ticks.
struct Meadow {
    explicit Meadow(bool has_grass);
    std::uint64_t step() // returns the number of offered voxels
    {
        const TrnCoord anchor = {0, 0, 0};
        TrnTicksOutcome outcome = {};
        require(trn_ticks_step(ticks.get(), number++, &anchor, 1, &outcome));
        chunks = outcome.chunks;
        return outcome.offered;
    }

    Owned<TrnBlockTypes, trn_block_types_destroy> types;
    Owned<TrnStore, trn_store_destroy> store;
    Owned<TrnTicks, trn_ticks_destroy> ticks;
    std::uint64_t number = 0, offered = 0;
    std::uint32_t chunks = 0;
};

Meadow::Meadow(bool has_grass)
{
    create_owned(types, trn_block_types_create, nullptr);
    for (char name[] = "bench:a"; name[6] <= 'h'; name[6]++) {
        TrnBlockType type = trn_block_type_def(name, TRN_BLOCK_KIND_OPAQUE);
        type.ticks = has_grass && name[6] == 'h';
        require(trn_block_types_add(types.get(), &type, nullptr));
    }
    TrnStoreDef store_def = trn_store_def();
    store_def.types = types.get();
    create_owned(store, trn_store_create, &store_def);
    std::vector<TrnBlock> blocks(static_cast<std::size_t>(TRN_CHUNK_VOXELS));
    for (std::size_t i = 0; i < blocks.size(); i++) {
        blocks[i] = static_cast<TrnBlock>(1 + i * 2654435761u / 4096 % 8);
    }
    for (int32_t y = -height; y <= height; y++) {
        for (int32_t z = -radius; z <= radius; z++) {
            for (int32_t x = -radius; x <= radius; x++) {
                require(trn_store_insert_voxels(store.get(), {x, y, z}, blocks.data(), nullptr));
            }
        }
    }
    TrnTicksDef def = trn_ticks_def();
    def.tick = ignore;
    def.user = &offered;
    create_owned(ticks, trn_ticks_create, store.get(), &def);
}

} // namespace

void add_tick_scenes(bench::Bench &bench)
{
    for (const bool has_grass : {false, true}) {
        const auto meadow = std::make_shared<Meadow>(has_grass);
        (void)meadow->step();
        bench.add(bench::scene_with(
            {q_step, has_grass ? w_grass : w_none, "ns", meadow->chunks, 0, by_terrane},
            {bench::timed(
                by_terrane, [meadow] { (void)meadow->step(); },
                [meadow, has_grass] { return (meadow->step() > 0) == has_grass; })}));
    }
}

void conclude_ticks(Report &report)
{
    report.targets.push_back({w_none, std::string(q_step) + ", part of one where grass ticks",
                              figure_of(report, q_step, w_none, by_terrane) /
                                  figure_of(report, q_step, w_grass, by_terrane) * 100,
                              "%", Target::at_most, 5});
}
