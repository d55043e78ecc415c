// Encodes whole chunks from plain arrays, and decodes them.

#include <cstring>
#include <memory>

#include "voxel_landscape.hpp"
#include "voxel_parts.hpp"

namespace {

/// Chunks that are decoded in turn into one array, or arrays that are encoded in turn into one
/// chunk.
struct CodingCase {
    VoxelChunks chunks; ///< encoding uses only the lab and the arrays
    VoxelArray array = VoxelArray(voxel_count);
    TrnVoxels voxels = {};
    std::size_t next = 0, last = 0;

    std::size_t turn()
    {
        return last = next++ % chunks.arrays.size();
    }
};
using SharedCoding = std::shared_ptr<CodingCase>;

SharedCoding make_coding_case(VoxelChunks chunks)
{
    auto made = std::make_shared<CodingCase>();
    made->chunks = std::move(chunks);
    return made;
}

bool is_array_right(const CodingCase &one)
{
    return one.array == one.chunks.arrays[one.last];
}

bool is_chunk_right(const CodingCase &one)
{
    return snapshot_is(trn_voxels_snapshot(&one.voxels), one.chunks.arrays[one.last],
                       one.chunks.lab->types);
}

void copy_next(CodingCase &one)
{
    std::memcpy(one.array.data(), one.chunks.arrays[one.turn()].data(), voxel_bytes);
}

void decode_next(CodingCase &one)
{
    trn_snapshot_decode(trn_voxels_snapshot(&one.chunks.voxels[one.turn()]), one.array.data());
}

void encode_next(CodingCase &one)
{
    one.chunks.lab->encode(one.voxels, one.chunks.arrays[one.turn()].data());
}

bench::Attempt coding_attempt(const std::string &contender, const SharedCoding &one,
                              void (*work)(CodingCase &), bool (*is_right)(const CodingCase &))
{
    return bench::timed(
        contender, [one, work] { work(*one); }, [one, is_right] { return is_right(*one); });
}

bench::Scene make_decode_scene(const VoxelSetup &setup, int bits, bool is_hot)
{
    bench::Scene scene = {voxel_decode, bits_name(bits) + (is_hot ? in_one_chunk : in_turn)};
    const auto arrays =
        random_chunks(setup.types.palette(types_of_bits(bits)), is_hot ? 1 : voxel_turn);
    for (const std::string &kernels : setup.kernels) {
        const auto one = make_coding_case(voxel_chunks(setup.types, arrays, kernels));
        if (scene.attempts.empty()) {
            scene.attempts.push_back(coding_attempt(by_array, one, copy_next, is_array_right));
        }
        scene.attempts.push_back(
            coding_attempt(by_kernels(setup, kernels), one, decode_next, is_array_right));
        if (!is_hot) {
            break; // each needs 16 MiB and more
        }
    }
    return scene;
}

bench::Scene make_encode_scene(const VoxelSetup &setup, const std::string &world,
                               const std::vector<VoxelArray> &sources)
{
    bench::Scene scene = {voxel_encode, world};
    for (const std::string &kernels : setup.kernels) {
        const auto one = make_coding_case(
            VoxelChunks{std::make_shared<VoxelLab>(setup.types, kernels), sources, {}});
        if (scene.attempts.empty()) {
            scene.attempts.push_back(coding_attempt(by_array, one, copy_next, is_array_right));
        }
        scene.attempts.push_back(
            coding_attempt(by_kernels(setup, kernels), one, encode_next, is_chunk_right));
    }
    return scene;
}

/// Four chunks around the origin that the surface crosses, with caves and ores.
std::vector<VoxelArray> terrain_sources(const VoxelSetup &setup)
{
    Landscape landscape(setup.types);
    std::vector<VoxelArray> sources;
    for (std::int32_t z = -1; z < 1; z++) {
        for (std::int32_t x = -1; x < 1; x++) {
            VoxelArray blocks(voxel_count);
            landscape.make(Land::caves, {x, -1, z}, blocks.data());
            sources.push_back(blocks);
        }
    }
    return sources;
}

} // namespace

std::vector<bench::Scene> make_coding_scenes(const VoxelSetup &setup)
{
    std::vector<bench::Scene> scenes;
    for (int bits : {0, 1, 2, 4, 8, 16}) {
        scenes.push_back(make_decode_scene(setup, bits, true));
    }
    scenes.push_back(make_decode_scene(setup, 4, false));
    scenes.push_back(make_encode_scene(setup, "terrain", terrain_sources(setup)));
    for (const std::size_t types : {std::size_t{16}, std::size_t{200}, std::size_t{1000}}) {
        scenes.push_back(make_encode_scene(setup, std::to_string(types) + " types at random",
                                           random_chunks(setup.types.palette(types), 4)));
    }
    return scenes;
}
