#include "index_figures.hpp"
#include "index_under_test.hpp"

namespace {

const std::uint32_t further_planes = 7;
const std::int32_t far_away = 1000000;

void add_at(IndexUnderTest &index, const World &world, TrnCoord offset)
{
    std::uint32_t value = 0;
    for (const TrnCoord &chunk : world.chunks) {
        index.insert(trn_coord_add(chunk, offset.x, offset.y, offset.z), value++);
    }
}

double bytes_of(const IndexUnderTest &index)
{
    return static_cast<double>(trn_chunk_index_stats(index.get()).bytes);
}

/// The bytes of two islands in one index, by the sum of each in an index of its own.
double islands_ratio(const World &world, TrnCoord offset)
{
    const TrnCoord home = {0, 0, 0};
    IndexUnderTest both, first, second;
    add_at(both, world, home);
    add_at(both, world, offset);
    add_at(first, world, home);
    add_at(second, world, offset);
    return bytes_of(both) / (bytes_of(first) + bytes_of(second));
}

} // namespace

MemoryFigures measure_memory(const World &world)
{
    const auto chunks = static_cast<double>(world.chunks.size());
    IndexUnderTest plain, planed(further_planes);
    add_at(plain, world, TrnCoord{0, 0, 0});
    add_at(planed, world, TrnCoord{0, 0, 0});
    MemoryFigures figures;
    figures.bytes_per_chunk = bytes_of(plain) / chunks;
    figures.bytes_per_chunk_plane = (bytes_of(planed) - bytes_of(plain)) / further_planes / chunks;
    figures.islands_one_axis = islands_ratio(world, TrnCoord{far_away, 0, 0});
    figures.islands_three_axes = islands_ratio(world, TrnCoord{far_away, far_away, far_away});
    return figures;
}
