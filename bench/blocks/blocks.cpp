#include "topics.hpp"

#include "blocks/blocks_parts.hpp"
#include "driver/ratios.hpp"

namespace {

void make(bench::Bench &bench)
{
    add_block_meshes(bench);
    bench.stage([&bench] { add_fluid_scenes(bench); });
    bench.stage([&bench] { add_tick_scenes(bench); });
    bench.stage([&bench] { add_data_scenes(bench); });
    bench.conclude([](Report &report) {
        add_ratios(report,
                   {{q_blocks_models, "", by_blocks, by_blocks_voxels, Target::at_most, 0.9},
                    {q_blocks_single, "", by_blocks, by_blocks_apart, Target::at_most, 1.8}});
        conclude_ticks(report);
    });
}

} // namespace

const bench::Topic blocks_topic = {
    "blocks",
    "blocks of a game: meshes of slabs, stairs, fences and leaves; liquids that flow; random "
    "ticks; block data",
    "Blocks: what do shapes, liquids, ticks and data cost?",
    "the first contender",
    "the unit of each question",
    "models, voxels or chunks",
    2,
    "the faces of a chunk's models | village | Terrane",
    make,
};
