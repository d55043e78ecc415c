// Single voxels: read at random, written in an open edit, and edited one by one.

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

#include "voxel_parts.hpp"

namespace {

const std::size_t voxels_per_call = 4096;
const std::size_t edits_per_call = 64;
const int all_bits[] = {0, 1, 2, 4, 8, 16};
const int payload_bits[] = {1, 2, 4, 8, 16};

// ---- get ---------------------------------------------------------------------------------------

/// One voxel of several chunks.
struct VoxelPlace {
    std::uint16_t chunk, index;
};

/// Voxels that one call reads: of a single chunk, or of all chunks in turn.
struct GetRound {
    std::vector<std::uint16_t> indices;
    std::vector<VoxelPlace> places;
};

/// The chunks to read, and the result of the last call.
struct GetCase {
    VoxelChunks chunks;
    std::vector<const TrnBlock *> arrays;
    std::vector<GetRound> rounds;
    std::uint64_t found = 0;
};

/// Enough rounds to exceed the core's private caches.
std::vector<GetRound> random_get_rounds(std::size_t chunk_count)
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

std::shared_ptr<GetCase> make_get_case(const VoxelSetup &setup, int bits, std::size_t count)
{
    auto made = std::make_shared<GetCase>();
    const std::vector<TrnBlock> palette = bits == 0 ? std::vector<TrnBlock>{TRN_BLOCK_STONE}
                                                    : setup.types.palette(types_of_bits(bits));
    made->chunks = voxel_chunks(setup.types, random_chunks(palette, count));
    for (const VoxelArray &blocks : made->chunks.arrays) {
        made->arrays.push_back(blocks.data());
    }
    made->rounds = random_get_rounds(count);
    return made;
}

std::uint16_t mixed(std::uint16_t index, std::uint32_t with)
{
    return static_cast<std::uint16_t>(index ^ with);
}

VoxelPlace mixed(VoxelPlace place, std::uint32_t with)
{
    return {place.chunk, mixed(place.index, with)};
}

/// The sum of the blocks at some places. Or the last block of a chain: each index depends on the
/// previous block, so that no read starts before the previous read has ended.
template <class Place, class Get>
std::uint64_t follow(bool is_chain, const std::vector<Place> &places, const Get &get)
{
    std::uint32_t found = 0;
    std::uint64_t sum = 0;
    if (is_chain) {
        for (const Place &place : places) {
            found = get(mixed(place, found));
        }
        return found;
    }
    for (const Place &place : places) { // by reference: a copy costs a shift per field
        sum += get(place);
    }
    return sum;
}

std::uint64_t read_arrays(const GetCase &one, const GetRound &round, bool is_chain)
{
    const TrnBlock *const *const chunks = one.arrays.data(), *const blocks = chunks[0];
    return one.arrays.size() == 1
               ? follow(is_chain, round.indices, [=](std::uint16_t at) { return blocks[at]; })
               : follow(is_chain, round.places,
                        [=](const VoxelPlace &at) { return chunks[at.chunk][at.index]; });
}

std::uint64_t read_terrane(const GetCase &one, const GetRound &round, bool is_chain)
{
    const TrnVoxels *const chunks = one.chunks.voxels.data();
    const TrnSnapshot snapshot = trn_voxels_snapshot(chunks);
    return one.arrays.size() == 1
               ? follow(is_chain, round.indices,
                        [=](std::uint16_t at) { return trn_snapshot_get(snapshot, at); })
               : follow(is_chain, round.places, [=](const VoxelPlace &at) {
                     return trn_snapshot_get(trn_voxels_snapshot(&chunks[at.chunk]), at.index);
                 });
}

/// The expected sum, read voxel by voxel from the arrays that the chunks were encoded from.
std::uint64_t expected_of(const GetCase &one, const GetRound &round, bool is_chain)
{
    std::uint64_t sum = 0;
    std::uint32_t last = 0;
    for (const VoxelPlace place : round.places) {
        last = one.chunks.arrays[place.chunk][place.index ^ (is_chain ? last : 0)];
        sum += last;
    }
    return is_chain ? last : sum;
}

bench::Scene make_get_scene(const VoxelSetup &setup, bool is_chain, int bits, bool is_hot)
{
    const auto one = make_get_case(setup, bits, is_hot ? 1 : voxel_turn);
    const auto attempt_of = [&](const char *contender, auto read) {
        return bench::timed(
            contender,
            [one, read, is_chain, round = std::size_t{0}]() mutable {
                one->found = read(*one, one->rounds[round++ % one->rounds.size()], is_chain);
            },
            [one, is_chain] {
                return std::exchange(one->found, 0) == expected_of(*one, one->rounds[0], is_chain);
            });
    };
    return bench::scene_with(
        {is_chain ? voxel_get_chain : voxel_get,
         bits_name(bits) + (is_hot ? in_one_chunk : in_turn), "ns", voxels_per_call},
        {attempt_of(by_array, read_arrays), attempt_of(by_terrane, read_terrane)});
}

// ---- set ---------------------------------------------------------------------------------------

/// A voxel and its new block.
struct VoxelChange {
    std::uint16_t index;
    TrnBlock block;
};
using Changes = std::vector<VoxelChange>;

/// Different voxels of a chunk, in random order.
std::vector<std::uint16_t> random_indices(std::size_t count, std::uint32_t seed)
{
    std::vector<std::uint16_t> indices(voxel_count);
    std::iota(indices.begin(), indices.end(), std::uint16_t{0});
    std::shuffle(indices.begin(), indices.end(), std::mt19937(seed));
    indices.resize(count);
    return indices;
}

/// The second half of the rounds writes other random blocks to the voxels of the first half, so
/// that repeated rounds still change voxels.
std::vector<Changes> random_set_rounds(const std::vector<TrnBlock> &palette,
                                       std::size_t chunk_count)
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

/// Chunks with an open edit each, and copies as plain arrays, with and without masks.
struct SetCase {
    VoxelChunks chunks;
    std::vector<std::unique_ptr<OpenVoxelEdit>> open;
    std::vector<TrnVoxelEdit *> edits;
    std::vector<VoxelArray> plain;
    std::vector<TrnBlock *> arrays; ///< of `plain`
    VoxelArray masked;
    std::vector<std::uint32_t> solid, opaque; ///< of `masked`
    bool has_two_masks = false;
    std::vector<Changes> rounds;
    std::vector<VoxelArray> expected; ///< after the first round
};
using SharedSet = std::shared_ptr<SetCase>;

SharedSet make_set_case(const VoxelSetup &setup, const std::vector<TrnBlock> &palette,
                        std::size_t count)
{
    auto made = std::make_shared<SetCase>();
    made->chunks = voxel_chunks(setup.types, random_chunks(palette, count));
    made->rounds = random_set_rounds(palette, count);
    made->plain = made->expected = made->chunks.arrays;
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
    made->masked = made->chunks.arrays[0];
    made->solid = naive_mask(made->masked, setup.types.solid());
    made->opaque = naive_mask(made->masked, setup.types.opaque());
    made->has_two_masks = made->solid != made->opaque;
    return made;
}

/// Applies change i to chunk i % voxel_turn. If there is only one chunk, applies all changes to it.
template <class Chunk, class Put>
void put_all(const std::vector<Chunk *> &chunks, const Changes &changes, const Put &put)
{
    Chunk *const *const all = chunks.data();
    if (chunks.size() > 1) {
        for (std::size_t i = 0; i < changes.size(); i++) {
            put(all[i % voxel_turn], changes[i]);
        }
        return;
    }
    Chunk *const only = all[0];
    for (const VoxelChange &change : changes) {
        put(only, change);
    }
}

void set_arrays(SetCase &one, const Changes &changes)
{
    put_all(one.arrays, changes, [](TrnBlock *blocks, const VoxelChange &change) {
        blocks[change.index] = change.block;
    });
}

void set_edits(SetCase &one, const Changes &changes)
{
    put_all(one.edits, changes, [](TrnVoxelEdit *edit, const VoxelChange &change) {
        (void)trn_voxel_edit_set(edit, change.index, change.block);
    });
}

void put_bit(std::uint32_t *mask, const std::uint32_t *block_bits, const VoxelChange &change)
{
    const std::uint32_t bit = block_bits[change.block / 32] >> (change.block % 32) & 1;
    const std::uint32_t x = change.index % TRN_CHUNK_EDGE;
    std::uint32_t &row = mask[change.index / TRN_CHUNK_EDGE];
    row = (row & ~(std::uint32_t{1} << x)) | bit << x;
}

void set_masked_array(SetCase &one, const Changes &changes)
{
    TrnBlock *const blocks = one.masked.data();
    const VoxelTypes &types = one.chunks.lab->types;
    const std::uint32_t *const solid_bits = types.solid(), *const opaque_bits = types.opaque();
    std::uint32_t *const solid = one.solid.data();
    std::uint32_t *const opaque = one.has_two_masks ? one.opaque.data() : nullptr;
    for (const VoxelChange &change : changes) {
        blocks[change.index] = change.block;
        put_bit(solid, solid_bits, change);
        if (opaque) {
            put_bit(opaque, opaque_bits, change);
        }
    }
}

bool is_masked_right(const SetCase &one)
{
    const VoxelTypes &types = one.chunks.lab->types;
    const VoxelArray &blocks = one.expected[0];
    return one.masked == blocks && one.solid == naive_mask(blocks, types.solid()) &&
           (!one.has_two_masks || one.opaque == naive_mask(blocks, types.opaque()));
}

bool are_edits_right(const SetCase &one)
{
    bool is_right = true;
    for (std::size_t i = 0; i < one.open.size(); i++) {
        is_right = is_right && one.open[i]->is(one.expected[i]);
    }
    return is_right;
}

bench::Scene make_set_scene(const VoxelSetup &setup, int bits, bool has_glass, bool is_hot)
{
    const auto palette = setup.types.palette(types_of_bits(bits), has_glass);
    const SharedSet one = make_set_case(setup, palette, is_hot ? 1 : voxel_turn);
    const auto attempt_of = [&one](const char *contender, auto set, auto is_right) {
        return bench::timed(
            contender,
            [one, set, round = std::size_t{0}]() mutable {
                set(*one, one->rounds[round++ % one->rounds.size()]);
            },
            [one, is_right] { return is_right(*one); });
    };
    const auto is_plain_right = [](const SetCase &it) { return it.plain == it.expected; };
    bench::Scene scene = {voxel_set,
                          bits_name(bits) + (has_glass ? ", two masks" : "") +
                              (is_hot ? in_one_chunk : in_turn),
                          "ns", voxels_per_call};
    scene.attempts = {attempt_of(by_array, set_arrays, is_plain_right)};
    if (is_hot) {
        scene.attempts.push_back(attempt_of(by_masks, set_masked_array, is_masked_right));
    }
    scene.attempts.push_back(attempt_of(by_terrane, set_edits, are_edits_right));
    return scene;
}

// ---- begin, one set, commit --------------------------------------------------------------------

/// Edits that change one voxel each, of chunks in turn.
struct OneCase {
    VoxelChunks chunks;
    std::vector<VoxelArray> published; ///< the plain arrays
    VoxelArray spare;
    Changes changes; ///< repeated
    std::size_t array_next = 0, terrane_next = 0;
    std::vector<VoxelArray> expected; ///< after the first call
};

std::shared_ptr<OneCase> make_one_case(const VoxelSetup &setup,
                                       const std::vector<VoxelArray> &arrays, Changes changes)
{
    auto made = std::make_shared<OneCase>();
    made->chunks = voxel_chunks(setup.types, arrays);
    made->published = made->expected = arrays;
    made->spare.resize(voxel_count);
    made->changes = std::move(changes);
    for (std::size_t i = 0; i < edits_per_call; i++) {
        const VoxelChange change = made->changes[i % made->changes.size()];
        made->expected[i % arrays.size()][change.index] = change.block;
    }
    return made;
}

/// The cheapest edit of a plain array that gives readers the same guarantee: copies to spare memory
/// and swaps a pointer.
void edit_one_array(OneCase &one)
{
    for (std::size_t i = 0; i < edits_per_call; i++) {
        const std::size_t at = one.array_next++;
        const VoxelChange change = one.changes[at % one.changes.size()];
        VoxelArray &published = one.published[at % one.published.size()];
        std::memcpy(one.spare.data(), published.data(), voxel_bytes);
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

bench::Scene make_one_scene(const VoxelSetup &setup, const std::string &world,
                            const std::vector<VoxelArray> &arrays, Changes changes)
{
    const auto one = make_one_case(setup, arrays, std::move(changes));
    return bench::scene_with({voxel_edit_one, world, "ns", edits_per_call},
                             {bench::timed(
                                  by_array, [one] { edit_one_array(*one); },
                                  [one] { return one->published == one->expected; }),
                              bench::timed(
                                  by_terrane, [one] { edit_one_terrane(*one); },
                                  [one] { return one->chunks.are(one->expected); })});
}

/// Changes of chunks in turn that all have an effect: the first half writes other blocks, the
/// second half restores the previous blocks.
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

/// A scene that sets one voxel to a seventeenth type and back, so that every edit changes the
/// width.
bench::Scene make_widening_scene(const VoxelSetup &setup)
{
    const auto palette = setup.types.palette(17);
    const VoxelArray blocks = random_voxels(setup.types.palette(16), voxel_seed);
    const std::uint16_t index = 4711;
    return make_one_scene(setup, "4 bits to 8 and back", {blocks},
                          {{index, palette[16]}, {index, blocks[index]}});
}

} // namespace

std::vector<bench::Scene> make_get_scenes(const VoxelSetup &setup)
{
    std::vector<bench::Scene> scenes;
    for (int bits : payload_bits) { // a uniform chunk has an empty loop
        scenes.push_back(make_get_scene(setup, false, bits, true));
    }
    for (int bits : all_bits) {
        scenes.push_back(make_get_scene(setup, false, bits, false));
    }
    for (int bits : {1, 4, 8, 16}) {
        scenes.push_back(make_get_scene(setup, true, bits, true));
    }
    scenes.push_back(make_get_scene(setup, true, 4, false));
    return scenes;
}

std::vector<bench::Scene> make_set_scenes(const VoxelSetup &setup)
{
    std::vector<bench::Scene> scenes;
    for (int bits : payload_bits) {
        scenes.push_back(make_set_scene(setup, bits, false, true));
    }
    scenes.push_back(make_set_scene(setup, 4, true, true));
    scenes.push_back(make_set_scene(setup, 4, false, false));
    return scenes;
}

std::vector<bench::Scene> make_edit_scenes(const VoxelSetup &setup)
{
    std::vector<bench::Scene> scenes;
    const auto add = [&](int bits, bool is_hot) {
        const auto palette = setup.types.palette(types_of_bits(bits));
        const auto chunks = random_chunks(palette, is_hot ? 1 : voxel_turn);
        scenes.push_back(make_one_scene(setup, bits_name(bits) + (is_hot ? in_one_chunk : in_turn),
                                        chunks, changes_and_back(chunks, palette)));
    };
    for (int bits : payload_bits) {
        add(bits, true);
    }
    add(4, false);
    scenes.push_back(make_widening_scene(setup));
    return scenes;
}
