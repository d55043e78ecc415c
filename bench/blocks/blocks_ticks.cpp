// Random ticks around an anchor: what a chunk costs in which nothing ticks, and one with grass.

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

void need(TrnResult result)
{
    if (result != TRN_RESULT_OK) {
        throw bench::Refused{trn_result_text(result)};
    }
}

/// Chunks of eight types each around the origin, one of which may be grass that ticks.
struct Meadow {
    explicit Meadow(bool has_grass);
    std::uint64_t step() // the offered voxels
    {
        const TrnCoord anchor = {0, 0, 0};
        TrnTicksOutcome outcome = {};
        need(trn_ticks_step(ticks.get(), number++, &anchor, 1, &outcome));
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
    TrnBlockTypes *made_types = nullptr;
    need(trn_block_types_create(nullptr, &made_types));
    types.reset(made_types);
    for (char name[] = "bench:a"; name[6] <= 'h'; name[6]++) {
        TrnBlockType type = trn_block_type_def(name, TRN_BLOCK_KIND_OPAQUE);
        type.ticks = has_grass && name[6] == 'h';
        need(trn_block_types_add(made_types, &type, nullptr));
    }
    TrnStoreDef store_def = trn_store_def();
    store_def.types = made_types;
    TrnStore *made = nullptr;
    need(trn_store_create(&store_def, &made));
    store.reset(made);
    std::vector<TrnBlock> blocks(static_cast<std::size_t>(TRN_CHUNK_VOXELS));
    for (std::size_t i = 0; i < blocks.size(); i++) {
        blocks[i] = static_cast<TrnBlock>(1 + i * 2654435761u / 4096 % 8);
    }
    for (int32_t y = -height; y <= height; y++) {
        for (int32_t z = -radius; z <= radius; z++) {
            for (int32_t x = -radius; x <= radius; x++) {
                need(trn_store_insert_voxels(made, {x, y, z}, blocks.data(), nullptr));
            }
        }
    }
    TrnTicksDef def = trn_ticks_def();
    def.tick = ignore;
    def.user = &offered;
    TrnTicks *made_ticks = nullptr;
    need(trn_ticks_create(made, &def, &made_ticks));
    ticks.reset(made_ticks);
}

} // namespace

void add_tick_scenes(bench::Bench &bench)
{
    for (const bool has_grass : {false, true}) {
        const auto meadow = std::make_shared<Meadow>(has_grass);
        (void)meadow->step();
        bench::Scene scene;
        scene.question = q_step;
        scene.world = has_grass ? w_grass : w_none;
        scene.unit = "ns";
        scene.baseline = by_terrane;
        scene.count = meadow->chunks;
        scene.attempts = {bench::timed(
            by_terrane, [meadow] { (void)meadow->step(); },
            [meadow, has_grass] { return (meadow->step() > 0) == has_grass; })};
        bench.add(scene);
    }
}

void conclude_ticks(Report &report)
{
    report.targets.push_back(
        {w_none, q_step, figure_of(report, q_step, w_none, by_terrane), "ns", Target::at_most, 30});
}
