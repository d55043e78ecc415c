// Fills, compacts, counts, hashes and compares whole chunks, and reads their borders.

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "voxel_parts.hpp"

namespace {

// ---- preparation -------------------------------------------------------------------------------

/// Chunks that are created again before each call, since a call changes all of them.
struct WholeCase {
    VoxelChunks chunks;
    std::vector<VoxelArray> plain;
    std::vector<VoxelArray> expected;
};
using SharedWhole = std::shared_ptr<WholeCase>;

template <class Prepare, class Work>
bench::Attempt whole_attempt(const char *contender, const SharedWhole &one, const Prepare &prepare,
                             const Work &work, bool (*is_right)(const WholeCase &))
{
    return bench::measured(
        contender,
        [one, prepare, work] {
            prepare(*one);
            return ns_of([&] { work(*one); });
        },
        [one, is_right] { return is_right(*one); });
}

bool are_arrays_right(const WholeCase &one)
{
    return one.plain == one.expected;
}

bool are_chunks_right(const WholeCase &one)
{
    return one.chunks.are(one.expected);
}

SharedWhole make_whole_case(const VoxelSetup &setup, const std::vector<TrnBlock> &palette,
                            std::size_t count)
{
    auto made = std::make_shared<WholeCase>();
    made->chunks = voxel_chunks(setup.types, random_chunks(palette, count));
    return made;
}

void copy_all(WholeCase &one)
{
    one.plain = one.chunks.arrays;
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

bench::Scene make_fill_scene(const VoxelSetup &setup, int bits, bool is_hot)
{
    const std::size_t count = is_hot ? 1 : voxel_turn;
    bench::Scene scene = {voxel_fill, bits_name(bits) + (is_hot ? in_one_chunk : in_turn), "ns",
                          count};
    const auto one = make_whole_case(setup, setup.types.palette(types_of_bits(bits)), count);
    one->expected.assign(count, VoxelArray(voxel_count, TRN_BLOCK_STONE));
    scene.attempts = {
        whole_attempt(by_array, one, copy_all, fill_arrays, are_arrays_right),
        whole_attempt(by_terrane, one, encode_all, fill_voxels, are_chunks_right),
        whole_attempt("Terrane, an edit", one, encode_all, fill_by_edit, are_chunks_right),
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
        require(trn_voxel_edit_replace(&edit, block, TRN_BLOCK_STONE));
        trn_voxel_edit_commit(&edit, 2);
    }
}

/// The baseline of compacting: tests whether an array is uniform. These arrays are not.
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
        require(trn_voxels_compact(one.chunks.lab->heap(), &voxels));
    }
}

bench::Scene make_compact_scene(const VoxelSetup &setup)
{
    bench::Scene scene = {"compact a chunk", "12 types, of which one occurs no more", "ns",
                          compact_count};
    const auto palette = setup.types.palette(12);
    const TrnBlock gone = palette.back();
    const auto one = make_whole_case(setup, palette, compact_count);
    one->expected = one->chunks.arrays;
    for (VoxelArray &blocks : one->expected) {
        std::replace(blocks.begin(), blocks.end(), gone, TrnBlock{TRN_BLOCK_STONE});
    }
    scene.attempts = {whole_attempt(
                          by_array, one, [](WholeCase &it) { it.plain = it.expected; },
                          look_for_uniform, are_arrays_right),
                      whole_attempt(
                          by_terrane, one, [gone](WholeCase &it) { remove_last_type(it, gone); },
                          compact_voxels, are_chunks_right)};
    return scene;
}

// ---- reads -------------------------------------------------------------------------------------

/// Chunks, and an answer that each contender writes.
template <class Answer> struct ReadCase {
    VoxelChunks chunks;
    Answer empty, expected, answer;
};

template <class Answer>
std::shared_ptr<ReadCase<Answer>> make_read_case(const VoxelChunks &chunks, const Answer &empty,
                                                 const Answer &expected)
{
    return std::make_shared<ReadCase<Answer>>(ReadCase<Answer>{chunks, empty, expected, empty});
}

/// @param read  void(const VoxelChunks &, Answer &)
template <class Answer, class Read>
bench::Attempt read_attempt(const std::string &contender,
                            const std::shared_ptr<ReadCase<Answer>> &one, const Read &read)
{
    return bench::timed(
        contender, [one, read] { read(one->chunks, one->answer); },
        [one] { return std::exchange(one->answer, one->empty) == one->expected; });
}

using Chunks = const VoxelChunks &;

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

/// Counts blocks with a table that has an entry for each type.
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

bench::Scene make_count_scene(const VoxelSetup &setup, int bits)
{
    const auto arrays = random_chunks(setup.types.palette(types_of_bits(bits)), 1);
    const std::size_t types = setup.types.count();
    const Counts empty = {std::vector<std::uint16_t>(types), std::vector<TrnBlockCount>(types), 0};
    Counts expected = empty;
    count_array(arrays[0], expected);
    const auto one = make_read_case(voxel_chunks(setup.types, arrays), empty, expected);
    return bench::scene_with(
        {"count the types of a chunk", bits_name(bits)},
        {read_attempt(by_array, one,
                      [](Chunks chunks, Counts &counts) { count_array(chunks.arrays[0], counts); }),
         read_attempt(by_terrane, one, [](Chunks chunks, Counts &counts) {
             counts.found =
                 trn_snapshot_counts(trn_voxels_snapshot(chunks.voxels.data()), counts.list.data(),
                                     static_cast<std::uint32_t>(counts.list.size()));
         })});
}

// ---- hash, equality ----------------------------------------------------------------------------

std::uint64_t hash_array(const VoxelArray &blocks)
{
    const auto *bytes = reinterpret_cast<const char *>(blocks.data());
    return std::hash<std::string_view>()({bytes, voxel_bytes});
}

/// A scene of hashing. The hashes of arrays and of Terrane differ, so each is compared with the
/// same hash of another chunk with equal blocks.
bench::Scene make_hash_scene(const VoxelSetup &setup, int bits)
{
    using Hash = std::uint64_t;
    const auto arrays = random_chunks(setup.types.palette(types_of_bits(bits)), 1);
    const Hash expected = trn_snapshot_hash(
        trn_voxels_snapshot(voxel_chunks(setup.types, arrays, "scalar").voxels.data()));
    bench::Scene scene = {"hash a chunk", bits_name(bits)};
    scene.attempts = {read_attempt(
        by_array,
        make_read_case(VoxelChunks{{}, arrays, {}}, Hash{0}, hash_array(VoxelArray(arrays[0]))),
        [](Chunks chunks, Hash &hash) { hash = hash_array(chunks.arrays[0]); })};
    for (const std::string &kernels : setup.kernels) {
        scene.attempts.push_back(read_attempt(
            by_kernels(setup, kernels),
            make_read_case(voxel_chunks(setup.types, arrays, kernels), Hash{0}, expected),
            [](Chunks chunks, Hash &hash) {
                hash = trn_snapshot_hash(trn_voxels_snapshot(chunks.voxels.data()));
            }));
    }
    return scene;
}

bench::Scene make_equal_scene(const std::string &world, const VoxelChunks &both)
{
    const auto one = make_read_case(both, false, true);
    return bench::scene_with(
        {"are two chunks equal", world},
        {read_attempt(by_array, one,
                      [](Chunks chunks, bool &is_equal) {
                          is_equal = std::memcmp(chunks.arrays[0].data(), chunks.arrays[1].data(),
                                                 voxel_bytes) == 0;
                      }),
         read_attempt(by_terrane, one, [](Chunks chunks, bool &is_equal) {
             is_equal = trn_snapshot_equal(trn_voxels_snapshot(&chunks.voxels[0]),
                                           trn_voxels_snapshot(&chunks.voxels[1]));
         })});
}

/// Equal chunks with different palettes: in one, the first voxel was another block for a while.
VoxelChunks chunks_of_two_palettes(const VoxelSetup &setup)
{
    const auto arrays = random_chunks(setup.types.palette(16), 1);
    VoxelArray other = arrays[0];
    std::swap(other[0], *std::find_if(other.begin(), other.end(),
                                      [&other](TrnBlock block) { return block != other[0]; }));
    VoxelChunks chunks = voxel_chunks(setup.types, {arrays[0], other});
    OpenVoxelEdit open(chunks.lab, chunks.voxels[1]);
    for (std::uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        require(trn_voxel_edit_set(&open.edit, i, arrays[0][i]));
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

bench::Scene make_border_scene(const VoxelSetup &setup)
{
    const Borders empty(std::size_t{TRN_FACE_COUNT} * TRN_CHUNK_EDGE);
    Borders expected = empty;
    const auto arrays = random_chunks(setup.types.palette(16), 1);
    const std::uint32_t *const solid = setup.types.solid();
    array_borders(arrays[0], solid, expected);
    const auto one = make_read_case(voxel_chunks(setup.types, arrays), empty, expected);
    return bench::scene_with(
        {"solid borders of a chunk, all six", bits_name(4)},
        {read_attempt(by_array, one,
                      [solid](Chunks chunks, Borders &borders) {
                          array_borders(chunks.arrays[0], solid, borders);
                      }),
         read_attempt(by_terrane, one, [solid](Chunks chunks, Borders &borders) {
             const TrnSnapshot now = trn_voxels_snapshot(chunks.voxels.data());
             std::uint32_t mask[TRN_CHUNK_ROWS];
             trn_snapshot_solid_rows(now, solid, mask);
             for (int face = 0; face < TRN_FACE_COUNT; face++) {
                 trn_mask_border(mask, static_cast<TrnFace>(face),
                                 &borders[static_cast<std::size_t>(face) * TRN_CHUNK_EDGE]);
             }
         })});
}

} // namespace

std::vector<bench::Scene> make_fill_scenes(const VoxelSetup &setup)
{
    std::vector<bench::Scene> scenes;
    for (bool is_hot : {true, false}) {
        for (int bits : {0, 4, 16}) {
            scenes.push_back(make_fill_scene(setup, bits, is_hot));
        }
    }
    scenes.push_back(make_compact_scene(setup));
    return scenes;
}

std::vector<bench::Scene> make_content_scenes(const VoxelSetup &setup)
{
    std::vector<bench::Scene> scenes;
    for (int bits : {4, 8, 16}) {
        scenes.push_back(make_count_scene(setup, bits));
    }
    for (int bits : {4, 16}) {
        scenes.push_back(make_hash_scene(setup, bits));
    }
    const auto arrays = random_chunks(setup.types.palette(16), 1);
    scenes.push_back(make_equal_scene("4 bits, the same palette",
                                      voxel_chunks(setup.types, {arrays[0], arrays[0]})));
    scenes.push_back(make_equal_scene("4 bits, another palette", chunks_of_two_palettes(setup)));
    scenes.push_back(make_border_scene(setup));
    return scenes;
}
