#include "pools.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <terrane/pool.h>

#include "report.hpp"
#include "timing.hpp"

namespace {

const char *const name_malloc = "malloc, free, a list of pointers";
const char *const name_new = "std::unique_ptr in a std::vector";
const char *const name_pool = "TrnPool";
const char *const name_reserved = "TrnPool, one reserved range";

const std::uint32_t live_few =
    4000; ///< for taking and giving back: as many chunks as a small view holds
const std::uint32_t live_many = 100000; ///< for walking: more than the caches hold

/// As large as a chunk's header in a game.
struct Object {
    std::uint64_t number;
    unsigned char rest[256 - sizeof(std::uint64_t)];
};

/// A contender: objects known by the key under which they were taken. Keys are 0 .. count - 1. All that is timed happens inside, so that
/// calling it through a virtual function weighs on nobody.
class Keeper {
  public:
    virtual ~Keeper() = default;
    virtual void take(std::uint32_t key) = 0;
    virtual void give(std::uint32_t key) = 0;
    /// For each key: gives the object back and takes another one.
    virtual void pairs(const std::vector<std::uint32_t> &keys) = 0;
    /// Gives the objects of all keys back, then takes as many.
    virtual void batch(const std::vector<std::uint32_t> &keys) = 0;
    /// The sum of all objects' numbers.
    virtual std::uint64_t walk() const = 0;
};

/// The loops over keys, once for all; the calls are bound at compile time.
template <class Concrete> class KeeperLoops : public Keeper {
  public:
    void pairs(const std::vector<std::uint32_t> &keys) override
    {
        auto &self = static_cast<Concrete &>(*this);
        for (std::uint32_t key : keys) {
            self.Concrete::give(key);
            self.Concrete::take(key);
        }
    }
    void batch(const std::vector<std::uint32_t> &keys) override
    {
        auto &self = static_cast<Concrete &>(*this);
        for (std::uint32_t key : keys) {
            self.Concrete::give(key);
        }
        for (std::uint32_t key : keys) {
            self.Concrete::take(key);
        }
    }
};

/// Walked through the list of pointers, which has a hole where an object was given back.
class MallocKeeper final : public KeeperLoops<MallocKeeper> {
  public:
    explicit MallocKeeper(std::uint32_t count) : objects(count)
    {
    }
    ~MallocKeeper() override
    {
        for (Object *object : objects) {
            std::free(object);
        }
    }
    MallocKeeper(const MallocKeeper &) = delete;
    MallocKeeper &operator=(const MallocKeeper &) = delete;
    void take(std::uint32_t key) override
    {
        auto *object = static_cast<Object *>(std::malloc(sizeof(Object)));
        if (!object) {
            throw std::bad_alloc();
        }
        object->number = key;
        objects[key] = object;
    }
    void give(std::uint32_t key) override
    {
        std::free(objects[key]);
        objects[key] = nullptr;
    }
    std::uint64_t walk() const override
    {
        std::uint64_t sum = 0;
        for (const Object *object : objects) {
            sum += object ? object->number : 0;
        }
        return sum;
    }

  private:
    std::vector<Object *> objects;
};

class NewKeeper final : public KeeperLoops<NewKeeper> {
  public:
    explicit NewKeeper(std::uint32_t count) : objects(count)
    {
    }
    void take(std::uint32_t key) override
    {
        objects[key].reset(new Object); // not cleared, as the others are not
        objects[key]->number = key;
    }
    void give(std::uint32_t key) override
    {
        objects[key].reset();
    }
    std::uint64_t walk() const override
    {
        std::uint64_t sum = 0;
        for (const auto &object : objects) {
            sum += object ? object->number : 0;
        }
        return sum;
    }

  private:
    std::vector<std::unique_ptr<Object>> objects;
};

struct DestroyPool {
    void operator()(TrnPool *pool) const
    {
        trn_pool_destroy(pool);
    }
};

class PoolKeeper final : public KeeperLoops<PoolKeeper> {
  public:
    PoolKeeper(std::uint32_t count, bool is_reserved) : ids(count)
    {
        TrnPoolDef def = trn_pool_def(sizeof(Object));
        def.reserve_slots = is_reserved ? count : 0;
        TrnPool *made = nullptr;
        if (trn_pool_create(&def, &made) != TRN_RESULT_OK) {
            throw std::bad_alloc();
        }
        pool.reset(made);
    }
    void take(std::uint32_t key) override
    {
        void *slot;
        if (trn_pool_alloc(pool.get(), &ids[key], &slot) != TRN_RESULT_OK) {
            throw std::bad_alloc();
        }
        static_cast<Object *>(slot)->number = key;
    }
    void give(std::uint32_t key) override
    {
        trn_pool_free(pool.get(), ids[key]);
    }
    std::uint64_t walk() const override
    {
        std::uint64_t sum = 0;
        std::uint32_t cursor = 0;
        void *batch[256];
        while (std::size_t count = trn_pool_gather(pool.get(), &cursor, batch, 256)) {
            for (std::size_t i = 0; i < count; i++) {
                sum += static_cast<const Object *>(batch[i])->number;
            }
        }
        return sum;
    }

  private:
    std::unique_ptr<TrnPool, DestroyPool> pool;
    std::vector<TrnPoolId> ids;
};

std::unique_ptr<Keeper> make_keeper(const std::string &name, std::uint32_t count)
{
    if (name == name_malloc) {
        return std::make_unique<MallocKeeper>(count);
    }
    if (name == name_new) {
        return std::make_unique<NewKeeper>(count);
    }
    return std::make_unique<PoolKeeper>(count, name == name_reserved);
}

const char *const contenders[] = {name_malloc, name_new, name_pool, name_reserved};

std::vector<std::uint32_t> shuffled_keys(std::uint32_t count, std::uint32_t seed)
{
    std::vector<std::uint32_t> keys(count);
    std::iota(keys.begin(), keys.end(), 0u);
    std::shuffle(keys.begin(), keys.end(), std::mt19937(seed));
    return keys;
}

void fill(Keeper &keeper, std::uint32_t count)
{
    for (std::uint32_t key = 0; key < count; key++) {
        keeper.take(key);
    }
}

/// Every object given back once, in random order, half of them at a time.
void churn(Keeper &keeper, std::uint32_t count)
{
    auto keys = shuffled_keys(count, 1);
    std::vector<std::uint32_t> half(keys.begin() + count / 2, keys.end());
    keys.resize(count / 2);
    keeper.batch(keys);
    keeper.batch(half);
}

void thin_out(Keeper &keeper, std::uint32_t count)
{
    const auto keys = shuffled_keys(count, 2);
    for (std::size_t i = count / 10; i < keys.size(); i++) {
        keeper.give(keys[i]);
    }
}

enum class Work { pairs, batch, walk };

struct Scene {
    const char *name;
    std::uint32_t live; ///< objects to begin with
    Work work;
    bool is_thinned;
    std::uint32_t count; ///< what one call's time is divided by
};

const Scene scenes[] = {
    {"free and alloc in turn, random order", live_few, Work::pairs, false, live_few},
    {"free half in random order, alloc as many", live_few, Work::batch, false, live_few / 2},
    {"walk after churn", live_many, Work::walk, false, live_many},
    {"walk with 10 % left", live_many, Work::walk, true, live_many / 10},
};

/// One contender in one scene.
struct Case {
    const Scene *scene;
    const char *contender;
    std::unique_ptr<Keeper> keeper;
    /// A new order each time: one order over and over is learned by branch predictors within a second.
    std::vector<std::vector<std::uint32_t>> orders;
    std::size_t turn = 0;

    std::string name() const
    {
        return std::string(scene->name) + "/" + contender;
    }
    void work()
    {
        const auto &keys = orders[turn++ % orders.size()];
        switch (scene->work) {
        case Work::pairs:
            keeper->pairs(keys);
            break;
        case Work::batch:
            keeper->batch(keys);
            break;
        case Work::walk:
            benchmark::DoNotOptimize(keeper->walk());
            break;
        }
    }
};

std::unique_ptr<Case> make_case(const Scene &scene, const char *contender)
{
    auto made = std::make_unique<Case>();
    made->scene = &scene;
    made->contender = contender;
    made->keeper = make_keeper(contender, scene.live);
    fill(*made->keeper, scene.live);
    churn(*made->keeper, scene.live);
    if (scene.is_thinned) {
        thin_out(*made->keeper, scene.live);
    }
    for (std::uint32_t i = 0; i < (scene.work == Work::walk ? 1u : 64u); i++) {
        made->orders.push_back(shuffled_keys(scene.live, 100 + i));
        made->orders.back().resize(scene.count);
    }
    return made;
}

/// All contenders, after the same deeds, must sum up the same numbers.
bool answers_agree(const std::vector<std::unique_ptr<Case>> &cases)
{
    for (const auto &made : cases) {
        made->work();
        for (const auto &other : cases) {
            if (other->scene == made->scene && other->keeper->walk() != made->keeper->walk()) {
                std::fprintf(stderr, "terrane-bench: %s gives a wrong answer; nothing was timed.\n",
                             made->name().c_str());
                return false;
            }
        }
    }
    return true;
}

Report make_report(const std::vector<std::unique_ptr<Case>> &cases, const Timing &timing)
{
    Report report;
    report.question =
        "Pools: what do taking, giving back and walking objects of 256 bytes cost each?";
    report.baseline = name_malloc;
    report.unit = "nanoseconds";
    report.unit_symbol = "ns";
    report.counted = "objects";
    report.decimals = 2;
    for (const auto &made : cases) {
        Entry entry;
        entry.world = made->scene->name;
        entry.contender = made->contender;
        entry.count = made->scene->count;
        entry.is_baseline = made->contender == name_malloc;
        for (double ns : timing.nanoseconds(made->name())) {
            entry.times.push_back(ns / made->scene->count);
        }
        report.entries.push_back(entry);
    }
    return report;
}

} // namespace

int bench_pools(const BenchOptions &options)
{
    std::vector<std::unique_ptr<Case>> cases;
    for (const Scene &scene : scenes) {
        for (const char *contender : contenders) {
            cases.push_back(make_case(scene, contender));
        }
    }
    if (!answers_agree(cases)) {
        return 1;
    }
    std::printf("Answers checked: %zu contenders agree on %zu scenes.\n",
                sizeof contenders / sizeof *contenders, sizeof scenes / sizeof *scenes);
    std::fflush(stdout);
    Timing timing(options.quick);
    for (const auto &made : cases) {
        Case *place = made.get();
        timing.add(made->name(), [place] { place->work(); });
    }
    timing.run();
    Report report = make_report(cases, timing);
    print_report(report);
    return write_report(report, options) ? 0 : 1;
}
