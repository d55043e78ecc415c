#include "pool_parts.hpp"

#include <algorithm>

#include "debris_lists.hpp"

namespace {

const std::uint32_t capacity_all = 4000;

/// A pool of debris pieces that uses the strategy under test. Only its member functions are timed.
class DebrisPool {
  public:
    virtual ~DebrisPool() = default;
    virtual void spawn(std::uint32_t count) = 0;
    /// Ages and moves every piece, then spawns as many pieces as died.
    virtual void frame() = 0;
    /// The same, but times the spawns. @param born receives how many pieces were born
    virtual double frame_spawn_ns(std::uint32_t *born) = 0;
    virtual std::uint64_t digest() = 0;
    virtual std::uint32_t live() = 0;
};

template <class Strategy> class DebrisPoolOf final : public DebrisPool {
  public:
    DebrisPoolOf(std::uint32_t capacity, const DebrisRules &followed)
        : strategy(capacity), rules(followed)
    {
    }
    void spawn(std::uint32_t count) override
    {
        for (std::uint32_t i = 0; i < count; i++) {
            if (Debris *piece = strategy.take()) {
                make_born(*piece, born_before++, rules);
            }
        }
    }
    void frame() override
    {
        spawn(age_all());
    }
    double frame_spawn_ns(std::uint32_t *born) override
    {
        *born = age_all();
        const double start = clock_ns(CLOCK_MONOTONIC);
        spawn(*born);
        return clock_ns(CLOCK_MONOTONIC) - start;
    }
    std::uint64_t digest() override
    {
        std::uint64_t sum = 0;
        strategy.sweep([&sum](Debris &piece) {
            sum += digest_of(piece);
            return false;
        });
        return sum;
    }
    std::uint32_t live() override
    {
        std::uint32_t count = 0;
        strategy.sweep([&count](Debris &) {
            count++;
            return false;
        });
        return count;
    }

  private:
    /// @return how many died
    std::uint32_t age_all()
    {
        std::uint32_t dead = 0;
        strategy.sweep([&dead](Debris &piece) {
            const bool is_done = advance(piece);
            dead += is_done;
            return is_done;
        });
        return dead;
    }
    Strategy strategy;
    DebrisRules rules;
    std::uint32_t born_before = 0;
};

/// The model that strategies are compared with: erases dead pieces and appends new ones.
class DebrisModel {
  public:
    explicit DebrisModel(const DebrisRules &followed) : rules(followed)
    {
    }
    void spawn(std::uint32_t count)
    {
        for (std::uint32_t i = 0; i < count; i++) {
            pieces.emplace_back();
            make_born(pieces.back(), born_before++, rules);
        }
    }
    void frame()
    {
        const std::size_t before = pieces.size();
        pieces.erase(std::remove_if(pieces.begin(), pieces.end(), advance), pieces.end());
        spawn(static_cast<std::uint32_t>(before - pieces.size()));
    }
    std::uint64_t digest() const
    {
        std::uint64_t sum = 0;
        for (const Debris &piece : pieces) {
            sum += digest_of(piece);
        }
        return sum;
    }

  private:
    std::vector<Debris> pieces;
    DebrisRules rules;
    std::uint32_t born_before = 0;
};

struct StrategyKind {
    const char *name;
    std::unique_ptr<DebrisPool> (*make)(std::uint32_t capacity, const DebrisRules &rules);
};

template <class Strategy>
std::unique_ptr<DebrisPool> make_debris_pool(std::uint32_t capacity, const DebrisRules &rules)
{
    return std::make_unique<DebrisPoolOf<Strategy>>(capacity, rules);
}

/// All strategies, the baseline first.
const StrategyKind strategies[] = {
    {debris_scan_name, make_debris_pool<DebrisScan>},
    {"resuming scan", make_debris_pool<DebrisResumingScan>},
    {"1 free register", make_debris_pool<DebrisRegisters<1>>},
    {"10 free registers", make_debris_pool<DebrisRegisters<10>>},
    {"64 free registers", make_debris_pool<DebrisRegisters<64>>},
    {"periodic defragmenting", make_debris_pool<DebrisDefragmented>},
    {"free list", make_debris_pool<DebrisFreeList>},
    {"FIFO free queue", make_debris_pool<DebrisFreeQueue>},
    {debris_swap_name, make_debris_pool<DebrisSwapAndPop>},
    {"two intrusive lists", make_debris_pool<DebrisTwoLists>},
    {"doubly linked list", make_debris_pool<DebrisDoublyLinked>},
    {"index stack + bits", make_debris_pool<DebrisStackBits>},
};

struct Scene {
    std::string world;
    std::uint32_t pools, live; ///< of each pool
    std::uint32_t mean_life;
};

Scene make_scene(std::uint32_t pools, unsigned full_percent, unsigned churn_percent)
{
    const std::uint32_t capacity = capacity_all / pools;
    const std::uint32_t live = capacity * full_percent / 100;
    // Churn is relative to the capacity. If it exceeds the number of live pieces, all of them die.
    const std::uint32_t mean_life = std::max(1u, full_percent / churn_percent);
    std::string world = debris_world(full_percent, churn_percent);
    if (pools == 2) {
        world.replace(0, world.find(", "), "two pools of 2,000");
    }
    return {world, pools, live, mean_life};
}

/// All scenes. A quick run has those of the target, and one of each other kind.
std::vector<Scene> make_scenes(bool is_quick)
{
    std::vector<Scene> scenes;
    for (unsigned full : {100u, 50u, 10u}) {
        for (unsigned churn : {1u, 5u, 100u}) {
            if (!is_quick || full == 100 || (full == 50 && churn == 5)) {
                scenes.push_back(make_scene(1, full, churn));
            }
        }
    }
    for (unsigned churn : {1u, 5u, 100u}) {
        if (!is_quick || churn == 5) {
            scenes.push_back(make_scene(2, 100, churn));
        }
    }
    return scenes;
}

DebrisRules rules_of(const Scene &scene, std::uint32_t pool)
{
    return {7 + pool, scene.mean_life};
}

/// How many frames a warm-up takes: until the distribution of ages is stable and the defragmenter
/// has run.
std::uint32_t warm_up_frames(const Scene &scene)
{
    return std::max(32u, 5 * scene.mean_life);
}

std::uint64_t expected_digest(const Scene &scene)
{
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < scene.pools; i++) {
        DebrisModel model(rules_of(scene, i));
        model.spawn(scene.live);
        for (std::uint32_t frame = 0; frame < warm_up_frames(scene); frame++) {
            model.frame();
        }
        sum += model.digest();
    }
    return sum;
}

/// A strategy in a scene.
struct Cloud {
    Cloud(const Scene &measured, const StrategyKind &kind, std::uint64_t digest)
        : scene(measured), expected(digest)
    {
        for (std::uint32_t i = 0; i < scene.pools; i++) {
            pools.push_back(kind.make(capacity_all / scene.pools, rules_of(scene, i)));
            pools.back()->spawn(scene.live);
        }
    }
    void frame()
    {
        for (const auto &pool : pools) {
            pool->frame();
        }
    }
    /// Runs the warm-up, once. @return whether the cloud then holds exactly the model's pieces
    bool is_right()
    {
        if (is_warm) {
            return was_right;
        }
        is_warm = true;
        for (std::uint32_t i = 0; i < warm_up_frames(scene); i++) {
            frame();
        }
        std::uint64_t sum = 0;
        was_right = true;
        for (const auto &pool : pools) {
            sum += pool->digest();
            was_right = was_right && pool->live() == scene.live;
        }
        return was_right = was_right && sum == expected;
    }
    /// The mean time of a spawn over about two milliseconds of frames. Times the spawns of each
    /// frame, and subtracts the cost of reading the clock.
    double spawn_ns(double clock_cost)
    {
        const double until = clock_ns(CLOCK_MONOTONIC) + 2e6;
        double sum = 0, born = 0;
        do {
            for (const auto &pool : pools) {
                std::uint32_t count;
                sum += std::max(0.0, pool->frame_spawn_ns(&count) - clock_cost);
                born += count;
            }
        } while (clock_ns(CLOCK_MONOTONIC) < until || born == 0);
        return sum / born;
    }

    Scene scene;
    std::uint64_t expected;
    std::vector<std::unique_ptr<DebrisPool>> pools;
    bool is_warm = false, was_right = false;
};

bench::Scene scene_of(const Scene &scene, const char *question, const char *unit)
{
    return {question, scene.world, unit, std::size_t{scene.pools} * scene.live, 1};
}

void add_scene(bench::Bench &bench, const Scene &scene)
{
    bench::Scene frames = scene_of(scene, debris_question_frame, "us");
    bench::Scene spawns = scene_of(scene, debris_question_spawn, "ns");
    const std::uint64_t expected = expected_digest(scene);
    const double clock_cost = clock_cost_ns();
    for (const StrategyKind &kind : strategies) {
        const auto cloud = std::make_shared<Cloud>(scene, kind, expected);
        bench::Attempt frame = {kind.name};
        frame.work = [cloud] { cloud->frame(); };
        frame.check = [cloud] { return cloud->is_right(); };
        bench::Attempt spawn = {kind.name};
        spawn.measure = [cloud, clock_cost] { return cloud->spawn_ns(clock_cost); };
        spawn.check = frame.check;
        frames.attempts.push_back(frame);
        spawns.attempts.push_back(spawn);
    }
    bench.add({frames, spawns});
}

} // namespace

std::string debris_world(unsigned full_percent, unsigned churn_percent)
{
    return "one pool of 4,000, " + std::to_string(full_percent) + " % full, " +
           std::to_string(churn_percent) + " % churn";
}

void add_debris_scenes(bench::Bench &bench)
{
    std::vector<std::string> names;
    for (const StrategyKind &kind : strategies) {
        names.emplace_back(kind.name);
    }
    for (const Scene &scene : make_scenes(bench.options.quick)) {
        if (bench.wants(debris_question_frame, scene.world, names) ||
            bench.wants(debris_question_spawn, scene.world, names)) {
            bench.stage([&bench, scene] { add_scene(bench, scene); });
        }
    }
}
