#include "blocks/blocks.hpp"

#include "blocks/blocks_steps.hpp"

namespace {

void make(bench::Bench &bench)
{
    bench.stage([&bench] { add_fluid_scenes(bench); });
    bench.stage([&bench] { add_tick_scenes(bench); });
    bench.conclude([](Report &report) {
        conclude_fluid(report);
        conclude_ticks(report);
    });
}

} // namespace

const bench::Topic blocks_topic = {
    "blocks",
    "blocks of a game: liquids that flow, random ticks",
    "Blocks: what do liquids and ticks cost?",
    "Terrane",
    "the unit of each question",
    "voxels or chunks",
    2,
    "a dam breaks | valley of steps | Terrane",
    make,
};
