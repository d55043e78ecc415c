#include "pool_parts.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>

#include "pool_keeper.hpp"

namespace {

const char *const question_batch = "objects of 256 bytes: free half, then alloc as many";

const std::uint32_t live_few = 4000;    ///< as many chunks as a small view holds
const std::uint32_t live_many = 100000; ///< more than the second-level cache holds

enum class Work { pairs, batch, walk };

struct Scene {
    const char *question;
    const char *world;
    Work work;
    std::uint32_t live; ///< objects at the start
    bool is_thinned;
    std::uint32_t parts; ///< divisor for the time of a call
};

const Scene scenes[] = {
    {pool_question_pairs, pool_world_pairs, Work::pairs, live_few, false, live_few},
    {question_batch, "4,000 in random order", Work::batch, live_few, false, live_few / 2},
    {pool_question_walk, "100,000 after churn", Work::walk, live_many, false, live_many},
    {pool_question_walk, pool_world_thinned, Work::walk, live_many, true, live_many / 10},
};

enum class Repair { never, before, each_time };

/// A way of measuring a keeper. Only scenes that walk use repairs.
struct Manner {
    const char *name;
    const KeeperKind *kind;
    Repair repair;
};

std::vector<std::uint32_t> shuffled_keys(std::uint32_t count, std::uint32_t seed)
{
    std::vector<std::uint32_t> keys(count);
    std::iota(keys.begin(), keys.end(), 0u);
    std::shuffle(keys.begin(), keys.end(), std::mt19937(seed));
    return keys;
}

/// A keeper in a scene.
class Place {
  public:
    Place(const Scene &measured, const Manner &taken)
        : scene(measured), repair(taken.repair), keeper(taken.kind->make(measured.live)),
          keys(shuffled_keys(measured.live, 2))
    {
        for (std::uint32_t key = 0; key < scene.live; key++) {
            keeper->take(key);
        }
        churn();
        if (scene.is_thinned) {
            thin_out();
        }
        // A new order for each call: branch predictors learn a repeated order within a second.
        for (std::uint32_t i = 0; scene.work != Work::walk && i < 64; i++) {
            orders.push_back(shuffled_keys(scene.live, 100 + i));
            orders.back().resize(scene.parts);
        }
    }
    void work()
    {
        switch (scene.work) {
        case Work::pairs:
            keeper->pairs(next_order());
            break;
        case Work::batch:
            keeper->batch(next_order());
            break;
        case Work::walk:
            keep(sum());
            break;
        }
    }
    /// Whether every object is found and a walk visits all objects, before and after the timed
    /// work.
    bool is_right()
    {
        bool right = holds_all();
        if (scene.work != Work::walk) {
            work();
            work();
            return right && holds_all();
        }
        if (repair == Repair::before) {
            keeper->repair();
            right = right && holds_all();
        }
        right = right && sum() == expected_sum() && sum() == expected_sum();
        return right && (repair == Repair::never || keeper->is_in_order());
    }

  private:
    /// Frees every object once and allocates another, in random order, half of them at a time.
    void churn()
    {
        auto first = shuffled_keys(scene.live, 1);
        const std::vector<std::uint32_t> second(first.begin() + scene.live / 2, first.end());
        first.resize(scene.live / 2);
        keeper->batch(first);
        keeper->batch(second);
    }
    void thin_out()
    {
        for (std::size_t i = scene.parts; i < keys.size(); i++) {
            keeper->give(keys[i]);
        }
        keys.resize(scene.parts);
    }
    const std::vector<std::uint32_t> &next_order()
    {
        return orders[turn++ % orders.size()];
    }
    std::uint64_t sum()
    {
        return repair == Repair::each_time ? keeper->repair_and_walk() : keeper->walk();
    }
    std::uint64_t expected_sum() const
    {
        return std::accumulate(keys.begin(), keys.end(), UINT64_C(0));
    }
    bool holds_all() const
    {
        return keeper->walk() == expected_sum() &&
               std::all_of(keys.begin(), keys.end(),
                           [this](std::uint32_t key) { return keeper->number_at(key) == key; });
    }

    const Scene &scene;
    Repair repair;
    std::unique_ptr<Keeper> keeper;
    /// keys of the live objects, without those that were thinned out
    std::vector<std::uint32_t> keys;
    std::vector<std::vector<std::uint32_t>> orders;
    std::size_t turn = 0;
};

std::vector<KeeperKind> all_kinds()
{
    std::vector<KeeperKind> kinds;
    for (auto *list :
         {peer_keepers, block_keepers, bit_keepers, array_keepers, swap_keepers, terrane_keepers}) {
        const std::vector<KeeperKind> more = list();
        kinds.insert(kinds.end(), more.begin(), more.end());
    }
    return kinds;
}

std::vector<Manner> manners_of(const Scene &scene, const std::vector<KeeperKind> &kinds)
{
    std::vector<Manner> manners;
    for (const KeeperKind &kind : kinds) {
        manners.push_back({kind.name, &kind, Repair::never});
        if (scene.work == Work::walk && kind.repaired_name) {
            manners.push_back({kind.repaired_name, &kind, Repair::before});
            manners.push_back({kind.repairing_name, &kind, Repair::each_time});
        }
    }
    return manners;
}

bench::Attempt attempt_of(const Scene &scene, const Manner &manner)
{
    auto place = std::make_shared<Place>(scene, manner);
    bench::Attempt attempt = {manner.name};
    attempt.work = [place] { place->work(); };
    attempt.check = [place] { return place->is_right(); };
    return attempt;
}

void add_scene(bench::Bench &bench, const Scene &scene, const std::vector<KeeperKind> &kinds)
{
    bench::Scene made = {scene.question, scene.world, "ns",
                         scene.is_thinned ? scene.parts : scene.live, scene.parts};
    for (const Manner &manner : manners_of(scene, kinds)) {
        if (made.attempts.empty() || bench.wants(scene.question, scene.world, {manner.name})) {
            made.attempts.push_back(attempt_of(scene, manner));
        }
    }
    bench.add(made);
}

} // namespace

void add_object_scenes(bench::Bench &bench)
{
    const auto kinds = std::make_shared<const std::vector<KeeperKind>>(all_kinds());
    for (const Scene &scene : scenes) {
        bench.stage([&bench, &scene, kinds] { add_scene(bench, scene, *kinds); });
    }
}
