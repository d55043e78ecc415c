#include "index_parts.hpp"
#include "index_under_test.hpp"

namespace {

const std::uint32_t further_planes = 7;
const std::int32_t far_away = 1000000;

double bytes_of(const IndexUnderTest &index)
{
    return static_cast<double>(trn_chunk_index_stats(index.get()).bytes);
}

double bytes_of(const std::vector<TrnCoord> &chunks, std::uint32_t planes = 0)
{
    IndexUnderTest index(planes);
    index.insert_numbered(chunks);
    return bytes_of(index);
}

/// The bytes of one index with two islands, divided by those of two indexes with one island each.
double islands_ratio(const World &world, TrnCoord offset)
{
    std::vector<TrnCoord> away = world.chunks;
    for (TrnCoord &chunk : away) {
        chunk = trn_coord_add(chunk, offset.x, offset.y, offset.z);
    }
    IndexUnderTest both;
    both.insert_numbered(world.chunks);
    both.insert_numbered(away);
    return bytes_of(both) / (bytes_of(world.chunks) + bytes_of(away));
}

} // namespace

std::vector<bench::Scene> make_memory_scenes(const World &world)
{
    const auto chunks = static_cast<double>(world.chunks.size());
    const double plain = bytes_of(world.chunks), planed = bytes_of(world.chunks, further_planes);
    bench::Scene bytes = scene_of(scene_bytes, world, "bytes");
    bytes.attempts = {bench::known(by_index, plain / chunks)};
    bench::Scene plane_bytes = scene_of(scene_plane_bytes, world, "bytes");
    plane_bytes.attempts = {bench::known(by_index, (planed - plain) / further_planes / chunks)};
    bench::Scene islands = scene_of(scene_islands, world, "x");
    islands.attempts = {
        bench::known(by_one_axis, islands_ratio(world, {far_away, 0, 0})),
        bench::known(by_all_axes, islands_ratio(world, {far_away, far_away, far_away}))};
    return {bytes, plane_bytes, islands};
}
