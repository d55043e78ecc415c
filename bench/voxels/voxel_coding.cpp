// Whole chunks: to and from plain arrays.

#include <cstring>
#include <memory>

#include "voxel_landscape.hpp"
#include "voxel_loops.hpp"
#include "voxel_scenes.hpp"

namespace {

const std::size_t chunk_bytes = sizeof(TrnBlock[TRN_CHUNK_VOXELS]);

// ---- decode ------------------------------------------------------------------------------------

/// Chunks that are decoded in turn into one array.
struct DecodeCase {
    VoxelChunks chunks;
    VoxelArray out = VoxelArray(voxel_count);
    std::size_t next = 0, last = 0;

    /// Which chunk comes now.
    std::size_t turn()
    {
        last = next++ % chunks.arrays.size();
        return last;
    }
};

VoxelAttempt decode_attempt(const std::string &contender, const std::shared_ptr<DecodeCase> &one,
                            void (*decode)(DecodeCase &))
{
    VoxelAttempt attempt;
    attempt.contender = contender;
    attempt.work = [one, decode] { decode(*one); };
    attempt.is_right = [one] { return one->out == one->chunks.arrays[one->last]; };
    return attempt;
}

void copy_next(DecodeCase &one)
{
    std::memcpy(one.out.data(), one.chunks.arrays[one.turn()].data(), chunk_bytes);
}

void decode_next(DecodeCase &one)
{
    trn_snapshot_decode(trn_voxels_snapshot(&one.chunks.voxels[one.turn()]), one.out.data());
}

VoxelScene make_decode_scene(const VoxelBench &bench, int bits, bool is_hot)
{
    VoxelScene scene;
    scene.question = voxel_decode;
    scene.world = bits_name(bits) + (is_hot ? in_one_chunk : in_turn);
    const auto arrays =
        random_chunks(bench.types.palette(types_of_bits(bits)), is_hot ? 1 : voxel_turn);
    for (const std::string &kernels : bench.kernels) {
        auto one = std::make_shared<DecodeCase>();
        one->chunks = voxel_chunks(bench.types, arrays, kernels);
        if (scene.attempts.empty()) {
            scene.attempts.push_back(decode_attempt(by_array, one, copy_next));
        }
        scene.attempts.push_back(decode_attempt(by_kernels(bench, kernels), one, decode_next));
        if (!is_hot) {
            break; // 16 MiB and more each
        }
    }
    return scene;
}

// ---- encode ------------------------------------------------------------------------------------

/// Arrays that are encoded in turn into one chunk.
struct EncodeCase {
    std::vector<VoxelArray> sources;
    std::shared_ptr<VoxelLab> lab;
    TrnVoxels voxels = {};
    VoxelArray array = VoxelArray(voxel_count);
    std::size_t next = 0, last = 0;

    const VoxelArray &turn()
    {
        last = next++ % sources.size();
        return sources[last];
    }
};

VoxelAttempt copy_attempt(const std::shared_ptr<EncodeCase> &one)
{
    VoxelAttempt attempt;
    attempt.contender = by_array;
    attempt.work = [one] { std::memcpy(one->array.data(), one->turn().data(), chunk_bytes); };
    attempt.is_right = [one] { return one->array == one->sources[one->last]; };
    return attempt;
}

VoxelAttempt encode_attempt(const VoxelBench &bench, const std::string &kernels,
                            const std::shared_ptr<EncodeCase> &one)
{
    VoxelAttempt attempt;
    attempt.contender = by_kernels(bench, kernels);
    attempt.work = [one] { one->lab->encode(one->voxels, one->turn().data()); };
    attempt.is_right = [one, &bench] {
        return snapshot_is(trn_voxels_snapshot(&one->voxels), one->sources[one->last], bench.types);
    };
    return attempt;
}

VoxelScene make_encode_scene(const VoxelBench &bench, const std::string &world,
                             const std::vector<VoxelArray> &sources)
{
    VoxelScene scene;
    scene.question = voxel_encode;
    scene.world = world;
    for (const std::string &kernels : bench.kernels) {
        auto one = std::make_shared<EncodeCase>();
        one->sources = sources;
        one->lab = std::make_shared<VoxelLab>(bench.types, kernels);
        if (scene.attempts.empty()) {
            scene.attempts.push_back(copy_attempt(one));
        }
        scene.attempts.push_back(encode_attempt(bench, kernels, one));
    }
    return scene;
}

/// Chunks that the surface crosses, with caves and ores: all around the origin, as many as there
/// are of the random ones.
std::vector<VoxelArray> terrain_sources(const VoxelBench &bench)
{
    Landscape landscape(bench.types);
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

std::vector<VoxelScene> make_coding_scenes(const VoxelBench &bench)
{
    std::vector<VoxelScene> scenes;
    for (int bits : {0, 1, 2, 4, 8, 16}) {
        scenes.push_back(make_decode_scene(bench, bits, true));
    }
    scenes.push_back(make_decode_scene(bench, 4, false));
    scenes.push_back(make_encode_scene(bench, "terrain", terrain_sources(bench)));
    for (const std::size_t types : {std::size_t{16}, std::size_t{200}, std::size_t{1000}}) {
        scenes.push_back(make_encode_scene(bench, std::to_string(types) + " types at random",
                                           random_chunks(bench.types.palette(types), 4)));
    }
    return scenes;
}
