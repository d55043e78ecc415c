// Single voxels: read at random, written in an open edit, and edited one by one.

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

#include "voxel_loops.hpp"
#include "voxel_scenes.hpp"

namespace {

const std::size_t voxels_per_call = 4096;
const std::size_t edits_per_call = 64;
const int all_bits[] = {0, 1, 2, 4, 8, 16};
const int payload_bits[] = {1, 2, 4, 8, 16};

// ---- get ---------------------------------------------------------------------------------------

/// Places to be looked at in one call: in the one chunk, or in all of them in turn.
struct GetRound {
    std::vector<std::uint16_t> indices;
    std::vector<VoxelPlace> places;
};

/// Chunks to be read from, and what a contender found there.
struct GetCase {
    VoxelChunks chunks;
    std::vector<const TrnBlock *> arrays;
    std::vector<GetRound> rounds;
    std::uint64_t sum = 0;
};

/// What a round comes to: a sum, or the end of a chain.
using GetFunction = std::uint64_t (*)(const GetCase &, const GetRound &);

/// So many rounds that what they read is more than a core's own caches hold.
std::vector<GetRound> random_rounds_of_places(std::size_t chunk_count)
{
    std::mt19937 random(voxel_seed);
    std::vector<GetRound> rounds(chunk_count == 1 ? 4 : 32);
    for (GetRound &round : rounds) {
        for (std::size_t i = 0; i < voxels_per_call; i++) {
            const auto chunk = static_cast<std::uint16_t>(i % chunk_count);
            const auto index = static_cast<std::uint16_t>(random() % voxel_count);
            round.indices.push_back(index);
            round.places.push_back({chunk, index});
        }
    }
    return rounds;
}

std::shared_ptr<GetCase> make_get_case(const VoxelBench &bench, int bits, std::size_t count)
{
    auto made = std::make_shared<GetCase>();
    const std::vector<TrnBlock> palette = bits == 0 ? std::vector<TrnBlock>{TRN_BLOCK_STONE}
                                                    : bench.types.palette(types_of_bits(bits));
    made->chunks = voxel_chunks(bench.types, random_chunks(palette, count));
    for (const VoxelArray &blocks : made->chunks.arrays) {
        made->arrays.push_back(blocks.data());
    }
    made->rounds = random_rounds_of_places(count);
    return made;
}

VoxelAttempt get_attempt(const char *contender, const std::shared_ptr<GetCase> &one,
                         GetFunction get, GetFunction expected)
{
    VoxelAttempt attempt;
    attempt.contender = contender;
    attempt.work = [one, get, round = std::size_t{0}]() mutable {
        one->sum = get(*one, one->rounds[round++ % one->rounds.size()]);
    };
    attempt.is_right = [one, expected] {
        return std::exchange(one->sum, 0) == expected(*one, one->rounds[0]);
    };
    return attempt;
}

/// A way of reading, and what it must come to.
struct GetWay {
    GetFunction array, terrane, expected;
};

std::uint64_t expected_sum(const GetCase &one, const GetRound &round)
{
    std::uint64_t sum = 0;
    for (VoxelPlace place : round.places) {
        sum += one.chunks.arrays[place.chunk][place.index];
    }
    return sum;
}

std::uint64_t expected_end(const GetCase &one, const GetRound &round)
{
    std::uint32_t found = 0;
    for (VoxelPlace place : round.places) {
        found = one.chunks.arrays[place.chunk][(place.index ^ found) % TRN_CHUNK_VOXELS];
    }
    return found;
}

using Case = const GetCase &;
using Round = const GetRound &;

const GetWay sums_in_one_chunk = {
    [](Case one, Round round) { return sum_array(one.arrays[0], round.indices); },
    [](Case one, Round round) {
        return sum_snapshot(trn_voxels_snapshot(one.chunks.voxels.data()), round.indices);
    },
    expected_sum};
const GetWay sums_in_turn = {
    [](Case one, Round round) { return sum_arrays(one.arrays.data(), round.places); },
    [](Case one, Round round) { return sum_voxels(one.chunks.voxels.data(), round.places); },
    expected_sum};
const GetWay chains_in_one_chunk = {
    [](Case one, Round round) { return chase_array(one.arrays[0], round.indices); },
    [](Case one, Round round) {
        return chase_snapshot(trn_voxels_snapshot(one.chunks.voxels.data()), round.indices);
    },
    expected_end};
const GetWay chains_in_turn = {
    [](Case one, Round round) { return chase_arrays(one.arrays.data(), round.places); },
    [](Case one, Round round) { return chase_voxels(one.chunks.voxels.data(), round.places); },
    expected_end};

VoxelScene make_get_scene(const VoxelBench &bench, const char *question, int bits, bool is_hot)
{
    const bool is_chain = question == voxel_get_chain;
    const GetWay &way = is_hot ? (is_chain ? chains_in_one_chunk : sums_in_one_chunk)
                               : (is_chain ? chains_in_turn : sums_in_turn);
    VoxelScene scene;
    scene.question = question;
    scene.world = bits_name(bits) + (is_hot ? in_one_chunk : in_turn);
    scene.count = voxels_per_call;
    const auto one = make_get_case(bench, bits, is_hot ? 1 : voxel_turn);
    scene.attempts = {get_attempt(by_array, one, way.array, way.expected),
                      get_attempt(by_terrane, one, way.terrane, way.expected)};
    return scene;
}

// ---- set ---------------------------------------------------------------------------------------

using Changes = std::vector<VoxelChange>;

/// Voxels of a chunk in a random order, none of them twice.
std::vector<std::uint16_t> random_indices(std::size_t count, std::uint32_t seed)
{
    std::vector<std::uint16_t> indices(voxel_count);
    std::iota(indices.begin(), indices.end(), std::uint16_t{0});
    std::shuffle(indices.begin(), indices.end(), std::mt19937(seed));
    indices.resize(count);
    return indices;
}

/// The second half of the rounds writes the voxels of the first half again, so that a round finds
/// what another left there, however often they begin again.
std::vector<Changes> random_rounds(const std::vector<TrnBlock> &palette, std::size_t chunk_count)
{
    std::mt19937 random(voxel_seed);
    const std::uint32_t half = chunk_count == 1 ? 4 : 16;
    std::vector<Changes> rounds;
    for (std::uint32_t round = 0; round < 2 * half; round++) {
        Changes changes;
        for (std::uint16_t index : random_indices(voxels_per_call, voxel_seed + round % half)) {
            changes.push_back({index, palette[random() % palette.size()]});
        }
        rounds.push_back(changes);
    }
    return rounds;
}

/// Chunks with an open edit each, and the same as plain arrays with masks of their own.
struct SetCase {
    VoxelChunks chunks;
    std::vector<std::unique_ptr<OpenVoxelEdit>> open;
    std::vector<TrnVoxelEdit *> edits;
    std::vector<VoxelArray> plain, masked;
    std::vector<TrnBlock *> arrays;
    std::vector<std::uint32_t> solid, opaque; ///< of the first of `masked`
    ArrayMasks masks = {};
    std::vector<Changes> rounds;
    std::vector<VoxelArray> expected; ///< after the first round

    const Changes &next(std::size_t &round) const
    {
        return rounds[round++ % rounds.size()];
    }
};

std::shared_ptr<SetCase> make_set_case(const VoxelBench &bench,
                                       const std::vector<TrnBlock> &palette, std::size_t count)
{
    auto made = std::make_shared<SetCase>();
    made->chunks = voxel_chunks(bench.types, random_chunks(palette, count));
    made->rounds = random_rounds(palette, count);
    made->plain = made->masked = made->expected = made->chunks.arrays;
    for (std::size_t i = 0; i < voxels_per_call; i++) {
        const VoxelChange change = made->rounds[0][i];
        made->expected[i % count][change.index] = change.block;
    }
    for (std::size_t i = 0; i < count; i++) {
        made->arrays.push_back(made->plain[i].data());
        made->open.push_back(
            std::make_unique<OpenVoxelEdit>(made->chunks.lab, made->chunks.voxels[i]));
        made->edits.push_back(&made->open.back()->edit);
    }
    made->solid = naive_mask(made->masked[0], bench.types.solid());
    made->opaque = naive_mask(made->masked[0], bench.types.opaque());
    made->masks = {bench.types.solid(), bench.types.opaque(), made->solid.data(),
                   made->solid == made->opaque ? nullptr : made->opaque.data()};
    return made;
}

VoxelAttempt set_array_attempt(const std::shared_ptr<SetCase> &one)
{
    VoxelAttempt attempt;
    attempt.contender = by_array;
    attempt.work = [one, round = std::size_t{0}]() mutable {
        const Changes &changes = one->next(round);
        one->arrays.size() == 1 ? set_array(one->arrays[0], changes)
                                : set_arrays(one->arrays.data(), changes);
    };
    attempt.is_right = [one] { return one->plain == one->expected; };
    return attempt;
}

VoxelAttempt set_masks_attempt(const std::shared_ptr<SetCase> &one, const VoxelTypes &types)
{
    VoxelAttempt attempt;
    attempt.contender = by_array_masks;
    attempt.work = [one, round = std::size_t{0}]() mutable {
        set_array_masks(one->masked[0].data(), one->masks, one->next(round));
    };
    attempt.is_right = [one, &types] {
        const VoxelArray &blocks = one->expected[0];
        return one->masked[0] == blocks && one->solid == naive_mask(blocks, types.solid()) &&
               (!one->masks.opaque || one->opaque == naive_mask(blocks, types.opaque()));
    };
    return attempt;
}

VoxelAttempt set_terrane_attempt(const std::shared_ptr<SetCase> &one, const VoxelTypes &types)
{
    VoxelAttempt attempt;
    attempt.contender = by_terrane;
    attempt.work = [one, round = std::size_t{0}]() mutable {
        const Changes &changes = one->next(round);
        one->edits.size() == 1 ? set_edit(one->edits[0], changes)
                               : set_edits(one->edits.data(), changes);
    };
    attempt.is_right = [one, &types] {
        bool right = true;
        for (std::size_t i = 0; i < one->open.size(); i++) {
            right = right && one->open[i]->is(one->expected[i], types);
        }
        return right;
    };
    return attempt;
}

VoxelScene make_set_scene(const VoxelBench &bench, int bits, bool has_glass, bool is_hot)
{
    VoxelScene scene;
    scene.question = voxel_set;
    scene.world =
        bits_name(bits) + (has_glass ? ", two masks" : "") + (is_hot ? in_one_chunk : in_turn);
    scene.count = voxels_per_call;
    const auto palette = bench.types.palette(types_of_bits(bits), has_glass);
    const auto one = make_set_case(bench, palette, is_hot ? 1 : voxel_turn);
    scene.attempts.push_back(set_array_attempt(one));
    if (is_hot) {
        scene.attempts.push_back(set_masks_attempt(one, bench.types));
    }
    scene.attempts.push_back(set_terrane_attempt(one, bench.types));
    return scene;
}

// ---- begin, one set, commit --------------------------------------------------------------------

/// Edits of one voxel each, of chunks in turn.
struct OneCase {
    VoxelChunks chunks;
    std::vector<VoxelArray> published; ///< the plain arrays
    VoxelArray spare;
    Changes changes; ///< again and again
    std::size_t array_next = 0, terrane_next = 0;
    std::vector<VoxelArray> expected; ///< after the first call
};

std::shared_ptr<OneCase> make_one_case(const VoxelBench &bench,
                                       const std::vector<VoxelArray> &arrays, Changes changes)
{
    auto made = std::make_shared<OneCase>();
    made->chunks = voxel_chunks(bench.types, arrays);
    made->published = made->expected = arrays;
    made->spare.resize(voxel_count);
    made->changes = std::move(changes);
    for (std::size_t i = 0; i < edits_per_call; i++) {
        const VoxelChange change = made->changes[i % made->changes.size()];
        made->expected[i % arrays.size()][change.index] = change.block;
    }
    return made;
}

/// What gives the same guarantee with plain arrays, at the least: a copy into memory that is at
/// hand, and a pointer that is swapped.
void edit_one_array(OneCase &one)
{
    for (std::size_t i = 0; i < edits_per_call; i++) {
        const std::size_t at = one.array_next++;
        const VoxelChange change = one.changes[at % one.changes.size()];
        VoxelArray &published = one.published[at % one.published.size()];
        std::memcpy(one.spare.data(), published.data(), sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
        one.spare[change.index] = change.block;
        one.spare.swap(published);
    }
}

void edit_one_terrane(OneCase &one)
{
    for (std::size_t i = 0; i < edits_per_call; i++) {
        const std::size_t at = one.terrane_next++;
        const VoxelChange change = one.changes[at % one.changes.size()];
        TrnVoxelEdit edit;
        trn_voxel_edit_begin(&edit, one.chunks.lab->heap(),
                             &one.chunks.voxels[at % one.chunks.voxels.size()]);
        (void)trn_voxel_edit_set(&edit, change.index, change.block);
        trn_voxel_edit_commit(&edit, at + 2);
    }
}

VoxelScene make_one_scene(const VoxelBench &bench, const std::string &world,
                          const std::vector<VoxelArray> &arrays, Changes changes)
{
    VoxelScene scene;
    scene.question = voxel_edit_one;
    scene.world = world;
    scene.count = edits_per_call;
    const auto one = make_one_case(bench, arrays, std::move(changes));
    VoxelAttempt array, terrane;
    array.contender = by_array;
    array.work = [one] { edit_one_array(*one); };
    array.is_right = [one] { return one->published == one->expected; };
    terrane.contender = by_terrane;
    terrane.work = [one] { edit_one_terrane(*one); };
    terrane.is_right = [one, &bench] {
        bool right = true;
        for (std::size_t i = 0; i < one->expected.size(); i++) {
            const TrnSnapshot now = trn_voxels_snapshot(&one->chunks.voxels[i]);
            right = right && snapshot_is(now, one->expected[i], bench.types);
        }
        return right;
    };
    scene.attempts = {array, terrane};
    return scene;
}

/// Edits that each change something, of chunks in turn: a half that writes other blocks, and one
/// that puts back what was there.
Changes changes_and_back(const std::vector<VoxelArray> &arrays,
                         const std::vector<TrnBlock> &palette)
{
    const std::vector<std::uint16_t> indices = random_indices(voxels_per_call, voxel_seed);
    Changes changes, back;
    for (std::size_t i = 0; i < indices.size(); i++) {
        const TrnBlock block = arrays[i % arrays.size()][indices[i]];
        const TrnBlock other = palette[0] == block ? palette[1] : palette[0];
        changes.push_back({indices[i], other});
        back.push_back({indices[i], block});
    }
    changes.insert(changes.end(), back.begin(), back.end());
    return changes;
}

/// One voxel becomes a seventeenth type, and goes back: every edit changes the width.
VoxelScene make_widening_scene(const VoxelBench &bench)
{
    const auto palette = bench.types.palette(17);
    const VoxelArray blocks = random_voxels(bench.types.palette(16), voxel_seed);
    const std::uint16_t index = 4711;
    return make_one_scene(bench, "4 bits to 8 and back", {blocks},
                          {{index, palette[16]}, {index, blocks[index]}});
}

} // namespace

std::vector<VoxelScene> make_get_scenes(const VoxelBench &bench)
{
    std::vector<VoxelScene> scenes;
    for (int bits : payload_bits) { // of a uniform chunk nothing is left in the loop
        scenes.push_back(make_get_scene(bench, voxel_get, bits, true));
    }
    for (int bits : all_bits) {
        scenes.push_back(make_get_scene(bench, voxel_get, bits, false));
    }
    for (int bits : {1, 4, 8, 16}) {
        scenes.push_back(make_get_scene(bench, voxel_get_chain, bits, true));
    }
    scenes.push_back(make_get_scene(bench, voxel_get_chain, 4, false));
    return scenes;
}

std::vector<VoxelScene> make_set_scenes(const VoxelBench &bench)
{
    std::vector<VoxelScene> scenes;
    for (int bits : payload_bits) {
        scenes.push_back(make_set_scene(bench, bits, false, true));
    }
    scenes.push_back(make_set_scene(bench, 4, true, true));
    scenes.push_back(make_set_scene(bench, 4, false, false));
    return scenes;
}

std::vector<VoxelScene> make_edit_scenes(const VoxelBench &bench)
{
    std::vector<VoxelScene> scenes;
    for (int bits : payload_bits) {
        const auto palette = bench.types.palette(types_of_bits(bits));
        const auto chunks = random_chunks(palette, 1);
        scenes.push_back(make_one_scene(bench, bits_name(bits) + in_one_chunk, chunks,
                                        changes_and_back(chunks, palette)));
    }
    const auto palette = bench.types.palette(types_of_bits(4));
    const auto chunks = random_chunks(palette, voxel_turn);
    scenes.push_back(
        make_one_scene(bench, bits_name(4) + in_turn, chunks, changes_and_back(chunks, palette)));
    scenes.push_back(make_widening_scene(bench));
    return scenes;
}
