// Snapshots of a chunk and its 26 neighbours, as a mesher takes them.

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <unordered_map>

#include "hash/coord_hash.hpp"
#include "voxel_parts.hpp"
#include "worlds.hpp"

namespace {

const std::size_t centres_per_call = 64;

/// The baseline only looks up addresses of chunks.
using PlainStore = std::unordered_map<TrnCoord, const TrnBlock *, CombinedHash, CoordEqual>;

/// Every chunk is uniform, and neighbours differ.
struct AroundCase {
    VoxelStore store;
    std::vector<TrnBlock> blocks; ///< one of each chunk
    PlainStore plain;
    std::vector<TrnCoord> centres; ///< random chunks; `last` has the result of the last call
    std::size_t next = 0;
    TrnCoord last = {};
    const TrnBlock *found[27] = {};
    TrnSnapshot snapshots[27] = {};

    TrnCoord turn()
    {
        last = centres[next++ % centres.size()];
        return last;
    }
};

std::shared_ptr<AroundCase> make_around_case(const VoxelSetup &setup)
{
    auto made = std::make_shared<AroundCase>();
    const World view = world_ellipsoid("", 16, 4);
    made->store = voxel_store(setup.types);
    made->blocks.resize(view.chunks.size());
    for (std::size_t i = 0; i < view.chunks.size(); i++) {
        made->blocks[i] = static_cast<TrnBlock>(1 + i % 1000);
        trn_store_fill(made->store.get(), voxel_insert(made->store, view.chunks[i]),
                       made->blocks[i]);
        made->plain[view.chunks[i]] = &made->blocks[i];
    }
    made->centres = view.chunks;
    std::shuffle(made->centres.begin(), made->centres.end(), std::mt19937(voxel_seed));
    return made;
}

TrnCoord neighbour(TrnCoord centre, int i)
{
    return {centre.x + i % 3 - 1, centre.y + i / 9 - 1, centre.z + i / 3 % 3 - 1};
}

void find_plain(AroundCase &one)
{
    const TrnCoord centre = one.turn();
    for (int i = 0; i < 27; i++) {
        const auto at = one.plain.find(neighbour(centre, i));
        one.found[i] = at == one.plain.end() ? nullptr : at->second;
    }
}

void snapshot_each(AroundCase &one)
{
    const TrnCoord centre = one.turn();
    for (int i = 0; i < 27; i++) {
        one.snapshots[i] = {};
        (void)trn_store_snapshot(one.store.get(), neighbour(centre, i), &one.snapshots[i]);
    }
}

void snapshot_around(AroundCase &one)
{
    (void)trn_store_snapshot_around(one.store.get(), one.turn(), one.snapshots);
}

/// The block of one of the 27 chunks; air if the chunk is not loaded.
TrnBlock expected_block(const AroundCase &one, int i)
{
    const auto at = one.plain.find(neighbour(one.last, i));
    return at == one.plain.end() ? TrnBlock{TRN_BLOCK_AIR} : *at->second;
}

bool found_is_right(const AroundCase &one)
{
    for (int i = 0; i < 27; i++) {
        const TrnBlock found = one.found[i] ? *one.found[i] : TrnBlock{TRN_BLOCK_AIR};
        if (found != expected_block(one, i)) {
            return false;
        }
    }
    return true;
}

bool snapshots_are_right(const AroundCase &one)
{
    for (int i = 0; i < 27; i++) {
        if (trn_snapshot_get(one.snapshots[i], 0) != expected_block(one, i)) {
            return false;
        }
    }
    return true;
}

bench::Attempt around_attempt(const char *contender, const std::shared_ptr<AroundCase> &one,
                              void (*work)(AroundCase &), bool (*is_right)(const AroundCase &))
{
    return bench::timed(
        contender,
        [one, work] {
            for (std::size_t i = 0; i < centres_per_call; i++) {
                work(*one);
            }
        },
        [one, is_right] { return is_right(*one); });
}

} // namespace

std::vector<bench::Scene> make_around_scenes(const VoxelSetup &setup)
{
    const auto one = make_around_case(setup);
    return {bench::scene_with(
        {voxel_around, "view R=16", "ns", centres_per_call},
        {
            around_attempt(by_plain_map, one, find_plain, found_is_right),
            around_attempt("Terrane, 27 look-ups", one, snapshot_each, snapshots_are_right),
            around_attempt(by_terrane, one, snapshot_around, snapshots_are_right),
        })};
}
