// A chunk and its 26 neighbours, as a mesher takes them.

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <unordered_map>

#include "voxel_loops.hpp"
#include "voxel_scenes.hpp"
#include "worlds.hpp"

namespace {

const std::size_t centres_per_call = 64;

struct CoordHash {
    std::size_t operator()(const TrnCoord &coord) const
    {
        const auto x = static_cast<std::uint32_t>(coord.x), y = static_cast<std::uint32_t>(coord.y);
        const auto z = static_cast<std::uint32_t>(coord.z);
        return x * std::size_t{73856093} ^ y * std::size_t{19349663} ^ z * std::size_t{83492791};
    }
};

struct CoordsEqual {
    bool operator()(const TrnCoord &a, const TrnCoord &b) const
    {
        return a.x == b.x && a.y == b.y && a.z == b.z;
    }
};

/// The blocks of a chunk stand for what a payload is: only addresses are looked up.
using PlainStore = std::unordered_map<TrnCoord, const TrnBlock *, CoordHash, CoordsEqual>;

/// Every chunk is all of one type, another than its neighbours', which tells it from them.
struct AroundCase {
    std::unique_ptr<VoxelStore> store;
    std::vector<TrnBlock> blocks; ///< one of each chunk
    PlainStore plain;
    std::vector<TrnCoord> centres; ///< random ones; those of the last call are `last`
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

std::shared_ptr<AroundCase> make_around_case(const VoxelBench &bench)
{
    auto made = std::make_shared<AroundCase>();
    const World view = world_ellipsoid("", 16, 4);
    made->store = std::make_unique<VoxelStore>(bench.types);
    made->blocks.resize(view.chunks.size());
    for (std::size_t i = 0; i < view.chunks.size(); i++) {
        made->blocks[i] = static_cast<TrnBlock>(1 + i % 1000);
        trn_store_fill(made->store->get(), made->store->insert(view.chunks[i]), made->blocks[i]);
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
        (void)trn_store_snapshot(one.store->get(), neighbour(centre, i), &one.snapshots[i]);
    }
}

void snapshot_around(AroundCase &one)
{
    (void)trn_store_snapshot_around(one.store->get(), one.turn(), one.snapshots);
}

/// What stands at one of the 27 places; air where no chunk is.
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

VoxelAttempt around_attempt(const char *contender, const std::shared_ptr<AroundCase> &one,
                            void (*work)(AroundCase &), bool (*is_right)(const AroundCase &))
{
    VoxelAttempt attempt;
    attempt.contender = contender;
    attempt.work = [one, work] {
        for (std::size_t i = 0; i < centres_per_call; i++) {
            work(*one);
        }
    };
    attempt.is_right = [one, is_right] { return is_right(*one); };
    return attempt;
}

} // namespace

std::vector<VoxelScene> make_around_scenes(const VoxelBench &bench)
{
    const auto one = make_around_case(bench);
    VoxelScene scene;
    scene.question = voxel_around;
    scene.world = "view R=16";
    scene.count = centres_per_call;
    scene.attempts = {
        around_attempt("plain arrays in std::unordered_map", one, find_plain, found_is_right),
        around_attempt("Terrane, 27 look-ups", one, snapshot_each, snapshots_are_right),
        around_attempt(by_terrane, one, snapshot_around, snapshots_are_right),
    };
    return {scene};
}
