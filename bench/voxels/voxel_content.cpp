// Whole chunks: filled, compacted, counted, hashed, compared, and their borders.

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>

#include "voxel_loops.hpp"
#include "voxel_scenes.hpp"

namespace {

const std::size_t chunk_bytes = sizeof(TrnBlock[TRN_CHUNK_VOXELS]);

// ---- what has to be prepared -------------------------------------------------------------------

/// Chunks that are made anew before each call, which then changes them all.
struct WholeCase {
    VoxelChunks chunks;
    std::vector<VoxelArray> plain;
    std::vector<VoxelArray> expected;
};

using ChangeWhole = std::function<void(WholeCase &)>;

VoxelAttempt whole_attempt(const char *contender, const std::shared_ptr<WholeCase> &one,
                           const ChangeWhole &prepare, const ChangeWhole &work)
{
    VoxelAttempt attempt;
    attempt.contender = contender;
    attempt.measure = [one, prepare, work] {
        prepare(*one);
        const double start = clock_ns(CLOCK_MONOTONIC);
        work(*one);
        return clock_ns(CLOCK_MONOTONIC) - start;
    };
    return attempt;
}

VoxelAttempt whole_array_attempt(const std::shared_ptr<WholeCase> &one, const ChangeWhole &work)
{
    const auto prepare = [](WholeCase &it) { it.plain = it.chunks.arrays; };
    VoxelAttempt attempt = whole_attempt(by_array, one, prepare, work);
    attempt.is_right = [one] { return one->plain == one->expected; };
    return attempt;
}

VoxelAttempt whole_terrane_attempt(const VoxelBench &bench, const char *contender,
                                   const std::shared_ptr<WholeCase> &one,
                                   const ChangeWhole &prepare, const ChangeWhole &work)
{
    VoxelAttempt attempt = whole_attempt(contender, one, prepare, work);
    attempt.is_right = [one, &bench] {
        bool right = true;
        for (std::size_t i = 0; i < one->expected.size(); i++) {
            const TrnSnapshot now = trn_voxels_snapshot(&one->chunks.voxels[i]);
            right = right && snapshot_is(now, one->expected[i], bench.types);
        }
        return right;
    };
    return attempt;
}

std::shared_ptr<WholeCase> make_whole_case(const VoxelBench &bench,
                                           const std::vector<TrnBlock> &palette, std::size_t count)
{
    auto made = std::make_shared<WholeCase>();
    made->chunks = voxel_chunks(bench.types, random_chunks(palette, count));
    return made;
}

void encode_all(WholeCase &one)
{
    for (std::size_t i = 0; i < one.chunks.voxels.size(); i++) {
        one.chunks.lab->encode(one.chunks.voxels[i], one.chunks.arrays[i].data());
    }
}

// ---- fill --------------------------------------------------------------------------------------

void fill_arrays(WholeCase &one)
{
    for (VoxelArray &blocks : one.plain) {
        std::fill(blocks.begin(), blocks.end(), TrnBlock{TRN_BLOCK_STONE});
    }
}

void fill_voxels(WholeCase &one)
{
    for (TrnVoxels &voxels : one.chunks.voxels) {
        trn_voxels_fill(one.chunks.lab->heap(), &voxels, TRN_BLOCK_STONE, 2);
    }
}

void fill_by_edit(WholeCase &one)
{
    const std::uint32_t min[3] = {0, 0, 0}, max[3] = {31, 31, 31};
    for (TrnVoxels &voxels : one.chunks.voxels) {
        TrnVoxelEdit edit;
        trn_voxel_edit_begin(&edit, one.chunks.lab->heap(), &voxels);
        (void)trn_voxel_edit_fill_box(&edit, min, max, TRN_BLOCK_STONE);
        trn_voxel_edit_commit(&edit, 2);
    }
}

VoxelScene make_fill_scene(const VoxelBench &bench, int bits, bool is_hot)
{
    const std::size_t count = is_hot ? 1 : voxel_turn;
    VoxelScene scene;
    scene.question = voxel_fill;
    scene.world = bits_name(bits) + (is_hot ? in_one_chunk : in_turn);
    scene.count = count;
    const auto one = make_whole_case(bench, bench.types.palette(types_of_bits(bits)), count);
    one->expected.assign(count, VoxelArray(voxel_count, TRN_BLOCK_STONE));
    scene.attempts = {
        whole_array_attempt(one, fill_arrays),
        whole_terrane_attempt(bench, by_terrane, one, encode_all, fill_voxels),
        whole_terrane_attempt(bench, "Terrane, an edit", one, encode_all, fill_by_edit),
    };
    return scene;
}

// ---- compact -----------------------------------------------------------------------------------

const std::size_t compact_count = 32;

void remove_last_type(WholeCase &one, TrnBlock block)
{
    encode_all(one);
    for (TrnVoxels &voxels : one.chunks.voxels) {
        TrnVoxelEdit edit;
        trn_voxel_edit_begin(&edit, one.chunks.lab->heap(), &voxels);
        voxel_demand(trn_voxel_edit_replace(&edit, block, TRN_BLOCK_STONE));
        trn_voxel_edit_commit(&edit, 2);
    }
}

/// What a store of plain arrays has to do: find out whether all blocks have become one. Here the
/// last one differs at the least.
void look_for_uniform(WholeCase &one)
{
    for (VoxelArray &blocks : one.plain) {
        std::size_t differ = 0;
        for (TrnBlock block : blocks) {
            differ += block != blocks[0];
        }
        if (differ == 0) {
            blocks.clear();
        }
    }
}

void compact_voxels(WholeCase &one)
{
    for (TrnVoxels &voxels : one.chunks.voxels) {
        voxel_demand(trn_voxels_compact(one.chunks.lab->heap(), &voxels));
    }
}

VoxelScene make_compact_scene(const VoxelBench &bench)
{
    VoxelScene scene;
    scene.question = "compact a chunk";
    scene.world = "12 types, of which one occurs no more";
    scene.count = compact_count;
    const auto palette = bench.types.palette(12);
    const TrnBlock gone = palette.back();
    const auto one = make_whole_case(bench, palette, compact_count);
    one->expected = one->chunks.arrays;
    for (VoxelArray &blocks : one->expected) {
        std::replace(blocks.begin(), blocks.end(), gone, TrnBlock{TRN_BLOCK_STONE});
    }
    VoxelAttempt array = whole_attempt(
        by_array, one, [](WholeCase &it) { it.plain = it.expected; }, look_for_uniform);
    array.is_right = [one] { return one->plain == one->expected; };
    const auto prepare = [gone](WholeCase &it) { remove_last_type(it, gone); };
    scene.attempts = {array,
                      whole_terrane_attempt(bench, by_terrane, one, prepare, compact_voxels)};
    return scene;
}

// ---- what is only read -------------------------------------------------------------------------

/// An answer that is put together by each contender, and then compared.
template <typename Answer> struct ReadCase {
    VoxelChunks chunks; ///< all that the question is about
    Answer answer, expected;
};

template <typename Answer>
std::shared_ptr<ReadCase<Answer>> make_read_case(const VoxelChunks &chunks, const Answer &empty)
{
    auto made = std::make_shared<ReadCase<Answer>>();
    made->chunks = chunks;
    made->answer = made->expected = empty;
    return made;
}

template <typename Answer>
VoxelAttempt read_attempt(const std::string &contender,
                          const std::shared_ptr<ReadCase<Answer>> &one,
                          const std::function<void(ReadCase<Answer> &)> &work)
{
    VoxelAttempt attempt;
    attempt.contender = contender;
    attempt.work = [one, work] { work(*one); };
    attempt.is_right = [one] {
        const bool right = one->answer == one->expected;
        one->answer = Answer();
        return right;
    };
    return attempt;
}

struct Counts {
    std::vector<std::uint16_t> table; ///< by block
    std::vector<TrnBlockCount> list;
    std::uint32_t found;

    bool operator==(const Counts &other) const
    {
        return found == other.found &&
               std::equal(list.begin(), list.begin() + found, other.list.begin(),
                          [](TrnBlockCount a, TrnBlockCount b) {
                              return a.block == b.block && a.count == b.count;
                          });
    }
};

/// With a table as large as there are types.
void count_array(const VoxelArray &blocks, Counts &counts)
{
    std::fill(counts.table.begin(), counts.table.end(), std::uint16_t{0});
    for (TrnBlock block : blocks) {
        counts.table[block]++;
    }
    counts.found = 0;
    for (std::size_t i = 0; i < counts.table.size(); i++) {
        if (counts.table[i]) {
            counts.list[counts.found++] = {static_cast<TrnBlock>(i), counts.table[i]};
        }
    }
}

VoxelScene make_count_scene(const VoxelBench &bench, int bits)
{
    VoxelScene scene;
    scene.question = "count the types of a chunk";
    scene.world = bits_name(bits);
    const auto arrays = random_chunks(bench.types.palette(types_of_bits(bits)), 1);
    const std::size_t types = bench.types.count();
    const Counts empty = {std::vector<std::uint16_t>(types), std::vector<TrnBlockCount>(types), 0};
    const auto one = make_read_case(voxel_chunks(bench.types, arrays), empty);
    count_array(arrays[0], one->expected);
    using Case = ReadCase<Counts> &;
    scene.attempts = {
        read_attempt<Counts>(by_array, one,
                             [](Case it) { count_array(it.chunks.arrays[0], it.answer); }),
        read_attempt<Counts>(by_terrane, one, [](Case it) {
            Counts &counts = it.answer;
            counts.found = trn_snapshot_counts(trn_voxels_snapshot(it.chunks.voxels.data()),
                                               counts.list.data(),
                                               static_cast<std::uint32_t>(counts.list.size()));
        })};
    for (VoxelAttempt &attempt : scene.attempts) {
        attempt.is_right = [one, empty] {
            const bool right = one->answer == one->expected;
            one->answer = empty;
            return right;
        };
    }
    return scene;
}

// ---- hash, equality ----------------------------------------------------------------------------

std::uint64_t hash_array(const VoxelArray &blocks)
{
    const auto *bytes = reinterpret_cast<const char *>(blocks.data());
    return std::hash<std::string_view>()({bytes, chunk_bytes});
}

/// Hashes of the two have nothing in common, so each is held against another chunk of the same
/// blocks.
VoxelScene make_hash_scene(const VoxelBench &bench, int bits)
{
    VoxelScene scene;
    scene.question = "hash a chunk";
    scene.world = bits_name(bits);
    const auto arrays = random_chunks(bench.types.palette(types_of_bits(bits)), 1);
    const std::uint64_t expected = trn_snapshot_hash(
        trn_voxels_snapshot(voxel_chunks(bench.types, arrays, "scalar").voxels.data()));
    using Case = ReadCase<std::uint64_t> &;
    for (const std::string &kernels : bench.kernels) {
        const auto one =
            make_read_case(voxel_chunks(bench.types, arrays, kernels), std::uint64_t{0});
        one->expected = expected;
        if (scene.attempts.empty()) {
            const auto plain = make_read_case(VoxelChunks{{}, arrays, {}}, std::uint64_t{0});
            plain->expected = hash_array(VoxelArray(arrays[0]));
            scene.attempts.push_back(read_attempt<std::uint64_t>("plain array", plain, [](Case it) {
                it.answer = hash_array(it.chunks.arrays[0]);
            }));
        }
        scene.attempts.push_back(
            read_attempt<std::uint64_t>(by_kernels(bench, kernels), one, [](Case it) {
                it.answer = trn_snapshot_hash(trn_voxels_snapshot(it.chunks.voxels.data()));
            }));
    }
    return scene;
}

VoxelScene make_equal_scene(const std::string &world, const VoxelChunks &chunks)
{
    VoxelScene scene;
    scene.question = "are two chunks equal";
    scene.world = world;
    const auto one = make_read_case(chunks, 0);
    one->expected = 1;
    using Case = ReadCase<int> &;
    scene.attempts = {read_attempt<int>(by_array, one,
                                        [](Case it) {
                                            const auto &arrays = it.chunks.arrays;
                                            it.answer =
                                                std::memcmp(arrays[0].data(), arrays[1].data(),
                                                            chunk_bytes) == 0;
                                        }),
                      read_attempt<int>(by_terrane, one, [](Case it) {
                          const auto &voxels = it.chunks.voxels;
                          it.answer = trn_snapshot_equal(trn_voxels_snapshot(voxels.data()),
                                                         trn_voxels_snapshot(&voxels[1]));
                      })};
    return scene;
}

/// The same blocks with another palette: the first voxel was another block for a while.
VoxelChunks chunks_of_two_palettes(const VoxelBench &bench)
{
    const auto arrays = random_chunks(bench.types.palette(16), 1);
    VoxelArray other = arrays[0];
    std::swap(other[0], *std::find_if(other.begin(), other.end(),
                                      [&other](TrnBlock block) { return block != other[0]; }));
    VoxelChunks chunks = voxel_chunks(bench.types, {arrays[0], other});
    OpenVoxelEdit open(chunks.lab, chunks.voxels[1]);
    for (std::uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        voxel_demand(trn_voxel_edit_set(&open.edit, i, arrays[0][i]));
    }
    trn_voxel_edit_commit(&open.edit, 2);
    chunks.arrays[1] = arrays[0];
    return chunks;
}

// ---- borders -----------------------------------------------------------------------------------

using Borders = std::vector<std::uint32_t>; ///< [6 * 32] rows, as of trn_mask_border

/// The local index of a border's voxel: row and bit as trn_mask_border numbers them.
std::uint32_t border_index(int face, std::uint32_t row, std::uint32_t bit)
{
    const std::uint32_t layer = face % 2 ? TRN_CHUNK_EDGE - 1 : 0;
    return face / 2 == 0   ? trn_local_index(layer, row, bit)
           : face / 2 == 1 ? trn_local_index(bit, layer, row)
                           : trn_local_index(bit, row, layer);
}

void array_borders(const VoxelArray &blocks, const std::uint32_t *solid_bits, Borders &borders)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        for (std::uint32_t row = 0; row < TRN_CHUNK_EDGE; row++) {
            std::uint32_t bits = 0;
            for (std::uint32_t bit = 0; bit < TRN_CHUNK_EDGE; bit++) {
                const TrnBlock block = blocks[border_index(face, row, bit)];
                bits |= (solid_bits[block / 32] >> (block % 32) & 1) << bit;
            }
            borders[static_cast<std::size_t>(face) * TRN_CHUNK_EDGE + row] = bits;
        }
    }
}

VoxelScene make_border_scene(const VoxelBench &bench)
{
    VoxelScene scene;
    scene.question = "solid borders of a chunk, all six";
    scene.world = bits_name(4);
    const Borders empty(std::size_t{TRN_FACE_COUNT} * TRN_CHUNK_EDGE);
    const auto arrays = random_chunks(bench.types.palette(16), 1);
    const auto one = make_read_case(voxel_chunks(bench.types, arrays), empty);
    const std::uint32_t *const solid = bench.types.solid();
    array_borders(arrays[0], solid, one->expected);
    using Case = ReadCase<Borders> &;
    scene.attempts = {
        read_attempt<Borders>(
            by_array, one,
            [solid](Case it) { array_borders(it.chunks.arrays[0], solid, it.answer); }),
        read_attempt<Borders>(by_terrane, one, [solid](Case it) {
            const TrnSnapshot now = trn_voxels_snapshot(it.chunks.voxels.data());
            const std::uint32_t *const mask = trn_snapshot_solid(now, solid);
            for (int face = 0; face < TRN_FACE_COUNT; face++) {
                trn_mask_border(mask, static_cast<TrnFace>(face),
                                &it.answer[static_cast<std::size_t>(face) * TRN_CHUNK_EDGE]);
            }
        })};
    for (VoxelAttempt &attempt : scene.attempts) {
        attempt.is_right = [one, empty] {
            const bool right = one->answer == one->expected;
            one->answer = empty;
            return right;
        };
    }
    return scene;
}

} // namespace

std::vector<VoxelScene> make_fill_scenes(const VoxelBench &bench)
{
    std::vector<VoxelScene> scenes;
    for (bool is_hot : {true, false}) {
        for (int bits : {0, 4, 16}) {
            scenes.push_back(make_fill_scene(bench, bits, is_hot));
        }
    }
    scenes.push_back(make_compact_scene(bench));
    return scenes;
}

std::vector<VoxelScene> make_content_scenes(const VoxelBench &bench)
{
    std::vector<VoxelScene> scenes;
    for (int bits : {4, 8, 16}) {
        scenes.push_back(make_count_scene(bench, bits));
    }
    for (int bits : {4, 16}) {
        scenes.push_back(make_hash_scene(bench, bits));
    }
    const auto arrays = random_chunks(bench.types.palette(16), 1);
    scenes.push_back(make_equal_scene("4 bits, the same palette",
                                      voxel_chunks(bench.types, {arrays[0], arrays[0]})));
    scenes.push_back(make_equal_scene("4 bits, another palette", chunks_of_two_palettes(bench)));
    scenes.push_back(make_border_scene(bench));
    return scenes;
}
