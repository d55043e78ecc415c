// Inserts and removals of single chunks, and eviction.

#include <algorithm>
#include <utility>

#include "store_parts.hpp"

namespace {

const std::size_t churn_chunks = 1000;

// ---- insert and remove --------------------------------------------------------------------------

/// A game's chunk of air, which has no array yet.
struct AirChunk {
    TrnCoord coord;
    std::unique_ptr<PlainChunk> blocks;
};

struct ChurnCase {
    Ground ground;
    std::vector<TrnCoord> coords;              ///< just outside the view
    CoordMap<std::unique_ptr<AirChunk>> plain; ///< the chunks of the view
    std::size_t done = 0;                      ///< changes that succeeded in the last call
};

std::shared_ptr<ChurnCase> make_churn_case(const Ground &ground)
{
    auto one = std::make_shared<ChurnCase>();
    one->ground = ground;
    const Shell shell = world_shell(ground->view);
    for (std::int32_t step = 0; one->coords.size() < churn_chunks; step++) {
        for (const TrnCoord &coord : shell.ahead) {
            if (one->coords.size() < churn_chunks) {
                one->coords.push_back(trn_coord_add(coord, step, 0, 0));
            }
        }
    }
    for (const TrnCoord &coord : ground->view.chunks) {
        one->plain[coord] = std::make_unique<AirChunk>(AirChunk{coord, nullptr});
    }
    return one;
}

void churn_plain(ChurnCase &one)
{
    one.done = 0;
    for (const TrnCoord &coord : one.coords) {
        auto chunk = std::make_unique<AirChunk>(AirChunk{coord, nullptr});
        one.done += one.plain.emplace(coord, std::move(chunk)).second ? 1 : 0;
    }
    for (const TrnCoord &coord : one.coords) {
        one.done += one.plain.erase(coord);
    }
}

void churn_store(ChurnCase &one)
{
    TrnStore *const store = one.ground->store();
    one.done = 0;
    for (const TrnCoord &coord : one.coords) {
        one.done +=
            trn_store_insert_uniform(store, coord, TRN_BLOCK_AIR, nullptr) == TRN_RESULT_OK ? 1 : 0;
    }
    for (const TrnCoord &coord : one.coords) {
        one.done += trn_store_remove(store, coord) == TRN_RESULT_OK ? 1 : 0;
    }
}

bench::Attempt churn_attempt(const char *contender, const std::shared_ptr<ChurnCase> &one,
                             void (*churn)(ChurnCase &), bool has_listener)
{
    const auto ear = has_listener ? std::make_shared<StoreEar>() : nullptr;
    return bench::timed(
        contender,
        [one, churn, ear] {
            const Listening listening(one->ground->store(), ear.get());
            churn(*one);
        },
        [one, ear] {
            return std::exchange(one->done, 0) == 2 * churn_chunks &&
                   (!ear || ear->chunks == 2 * churn_chunks);
        });
}

bench::Scene make_churn_scene(const Ground &ground)
{
    const auto one = make_churn_case(ground);
    return bench::scene_with({store_churn, ground->view.name, "ns", churn_chunks},
                             {churn_attempt(by_map_churn, one, churn_plain, false),
                              churn_attempt(by_store, one, churn_store, false),
                              churn_attempt(by_listener, one, churn_store, true)});
}

// ---- eviction -----------------------------------------------------------------------------------

struct EvictCase {
    Ground ground;
    std::vector<TrnCoord> old; ///< the oldest tenth, which is evicted
    std::vector<TrnChunk *> seen;
    bool is_right = true;
};

std::shared_ptr<EvictCase> make_evict_case(const Ground &ground)
{
    auto one = std::make_shared<EvictCase>();
    one->ground = ground;
    std::vector<TrnCoord> order = ground->view.chunks;
    std::shuffle(order.begin(), order.end(), std::mt19937(store_seed));
    for (std::size_t i = 0; i < order.size(); i++) {
        if (i < order.size() / 10) {
            one->old.push_back(order[i]);
        } else {
            one->seen.push_back(trn_store_find(ground->store(), order[i]));
        }
    }
    return one;
}

double measure_store_evict(EvictCase &one, StoreEar *ear)
{
    TrnStore *const store = one.ground->store();
    trn_store_touch(store, one.seen.data(), one.seen.size());
    TrnEviction eviction = {};
    eviction.count_max = static_cast<std::uint32_t>(one.old.size());
    std::uint32_t evicted = 0;
    double ns = 0;
    {
        const Listening listening(store, ear);
        ns = ns_of([&] { (void)trn_store_evict(store, &eviction, &evicted); });
    }
    one.is_right = one.is_right && evicted == one.old.size();
    for (const TrnCoord &coord : one.old) {
        one.is_right = one.is_right && !trn_store_find(store, coord);
        require(
            trn_store_insert_voxels(store, coord, one.ground->plain.find(coord)->blocks, nullptr));
    }
    return ns;
}

bench::Attempt store_evict_attempt(const char *contender, const std::shared_ptr<EvictCase> &one,
                                   bool has_listener)
{
    const auto ear = has_listener ? std::make_shared<StoreEar>() : nullptr;
    return bench::measured(
        contender, [one, ear] { return measure_store_evict(*one, ear.get()); },
        [one, ear] { return one->is_right && (!ear || ear->chunks == one->old.size()); });
}

/// A chunk of a game that stores the time of the last use in its map.
struct ClockChunk {
    std::uint32_t seen;
    std::unique_ptr<PlainChunk> blocks; ///< NULL: uniform
};

struct ClockWorld {
    std::shared_ptr<EvictCase> one;
    CoordMap<ClockChunk> chunks;

    void insert(TrnCoord coord, std::uint32_t seen)
    {
        TrnSnapshot snapshot;
        require(trn_store_snapshot(one->ground->store(), coord, &snapshot));
        ClockChunk chunk = {seen, nullptr};
        if (!trn_snapshot_is_uniform(snapshot)) {
            chunk.blocks = std::make_unique<PlainChunk>(*one->ground->plain.find(coord));
        }
        chunks[coord] = std::move(chunk);
    }
};

/// Finds the oldest tenth in one pass and a partial sort, and erases it.
void evict_oldest(ClockWorld &world, std::size_t count)
{
    std::vector<std::pair<std::uint32_t, TrnCoord>> ages;
    ages.reserve(world.chunks.size());
    for (const auto &[coord, chunk] : world.chunks) {
        ages.emplace_back(chunk.seen, coord);
    }
    std::nth_element(ages.begin(), ages.begin() + static_cast<std::ptrdiff_t>(count), ages.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    for (std::size_t i = 0; i < count; i++) {
        world.chunks.erase(ages[i].second);
    }
}

bench::Attempt plain_evict_attempt(const std::shared_ptr<EvictCase> &one)
{
    const auto world = std::make_shared<ClockWorld>();
    world->one = one;
    for (const TrnChunk *const chunk : one->seen) {
        world->insert(chunk->coord, 2);
    }
    for (const TrnCoord &coord : one->old) {
        world->insert(coord, 1);
    }
    const auto is_right = std::make_shared<bool>(true);
    return bench::measured(
        "std::unordered_map, oldest tenth",
        [one, world, is_right] {
            const double ns = ns_of([&] { evict_oldest(*world, one->old.size()); });
            for (const TrnCoord &coord : one->old) {
                *is_right = *is_right && world->chunks.count(coord) == 0;
                world->insert(coord, 1);
            }
            return ns;
        },
        [is_right] { return *is_right; });
}

bench::Scene make_evict_scene(const Ground &ground)
{
    const auto one = make_evict_case(ground);
    return bench::scene_with({store_evict, ground->view.name, "ns", one->old.size()},
                             {plain_evict_attempt(one), store_evict_attempt(by_store, one, false),
                              store_evict_attempt(by_listener, one, true)});
}

} // namespace

std::vector<bench::Scene> make_churn_scenes(const Ground &ground)
{
    return {make_churn_scene(ground), make_evict_scene(ground)};
}
