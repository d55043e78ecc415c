// Which chunks changed since a revision? Meshers, savers and network code ask this in every frame.

#include <algorithm>
#include <array>

#include "store_parts.hpp"

namespace {

const int changed_radius = 32; ///< 34,025 chunks when flattened

/// A game's header of a uniform chunk.
struct PlainHeader {
    TrnCoord coord;
    std::uint64_t revision;
};

/// A world of many chunks, some of which have changed since a revision.
struct ChangedCase {
    World world;
    Owned<TrnStore, trn_store_destroy> store;
    std::uint64_t since = 0;
    CoordMap<std::unique_ptr<PlainHeader>> plain;
    std::vector<TrnChunk *> all;            ///< in the order of a gather
    std::vector<TrnCoord> expected;         ///< sorted
    std::vector<TrnChunk *> found;          ///< has capacity for all
    std::vector<PlainHeader *> plain_found; ///< likewise
    std::size_t count = 0;                  ///< size of the result of the last call
};

void change(ChangedCase &one, TrnCoord coord)
{
    trn_store_fill(one.store.get(), trn_store_find(one.store.get(), coord), TRN_BLOCK_STONE);
    one.plain.at(coord)->revision = trn_store_revision(one.store.get());
}

/// @param every  every n-th chunk changes; 0: none does
/// @param again  every n-th chunk changes twice; 0: none does
std::shared_ptr<ChangedCase> make_changed_case(std::size_t every, std::size_t again)
{
    auto one = std::make_shared<ChangedCase>();
    one->world = world_ellipsoid("", changed_radius, changed_radius / 4);
    create_owned(one->store, trn_store_create, nullptr);
    for (const TrnCoord &coord : one->world.chunks) {
        require(trn_store_insert_uniform(one->store.get(), coord, TRN_BLOCK_AIR, nullptr));
        one->plain[coord] =
            std::make_unique<PlainHeader>(PlainHeader{coord, trn_store_revision(one->store.get())});
    }
    one->since = trn_store_revision(one->store.get());
    std::vector<TrnCoord> order = one->world.chunks;
    std::shuffle(order.begin(), order.end(), std::mt19937(store_seed));
    for (std::size_t i = 0; every && i < order.size(); i += every) {
        change(*one, order[i]);
        one->expected.push_back(order[i]);
    }
    for (std::size_t i = 0; again && i < order.size(); i += again) {
        change(*one, order[i]);
    }
    std::sort(one->expected.begin(), one->expected.end(), lies_before);
    one->all.resize(order.size());
    trn_store_gather(one->store.get(), one->world.box, one->all.data(), one->all.size());
    one->found.resize(order.size());
    one->plain_found.resize(order.size());
    return one;
}

// ---- the contenders -----------------------------------------------------------------------------

void ask_plain(ChangedCase &one)
{
    one.count = 0;
    for (const auto &[coord, header] : one.plain) {
        if (header->revision > one.since) {
            one.plain_found[one.count++] = header.get();
        }
    }
}

/// Tests each chunk of a list that was gathered before. Gathering would cost more.
void ask_each(ChangedCase &one)
{
    one.count = 0;
    for (TrnChunk *const chunk : one.all) {
        if (trn_chunk_revision(chunk) > one.since) {
            one.found[one.count++] = chunk;
        }
    }
}

void ask_list(ChangedCase &one)
{
    one.count =
        trn_store_changed_since(one.store.get(), one.since, one.found.data(), one.found.size());
}

template <class Chunk> bool are_expected(const ChangedCase &one, const std::vector<Chunk *> &found)
{
    std::vector<TrnCoord> coords;
    for (std::size_t i = 0; i < std::min(one.count, found.size()); i++) {
        coords.push_back(found[i]->coord);
    }
    std::sort(coords.begin(), coords.end(), lies_before);
    return coords.size() == one.expected.size() &&
           std::equal(coords.begin(), coords.end(), one.expected.begin(), trn_coord_equal);
}

bench::Scene make_changed_scene(const char *which, std::size_t every, std::size_t again)
{
    const auto one = make_changed_case(every, again);
    const auto attempt_of = [&one](const char *contender, void (*ask)(ChangedCase &)) {
        return bench::timed(
            contender, [one, ask] { ask(*one); },
            [one, ask] {
                return ask == ask_plain ? are_expected(*one, one->plain_found)
                                        : are_expected(*one, one->found);
            });
    };
    return bench::scene_with(
        {store_changed, which + (" of " + std::to_string(one->all.size()) + " chunks"), "us"},
        {attempt_of(by_map_asked, ask_plain), attempt_of(by_store, ask_list),
         attempt_of("Terrane, every chunk asked", ask_each)});
}

} // namespace

std::vector<bench::Scene> make_changed_scenes(const Ground &)
{
    return {make_changed_scene("none", 0, 0), make_changed_scene("1 %", 100, 0),
            make_changed_scene("all", 1, 0),
            make_changed_scene("all, every other one twice,", 1, 2)};
}
