// Worlds of all sizes and densities, in the index and in flat maps: memory, inserts, removals, the
// slowest of these, look-ups, misses, iteration.
//
// Only one container exists at a time, since a million lone chunks take gigabytes.

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>

#include "driver/machine.hpp"
#include "index_parts.hpp"
#include "index_peer.hpp"
#include "index_scale_worlds.hpp"
#include "index_under_test.hpp"

namespace {

const std::size_t asks_max = 1 << 16, cold_asks = 128, cold_rounds = 2;
const std::size_t swept_bytes = std::size_t{64} << 20; ///< more than the last level cache holds
const std::size_t passes = 3;

// ---- containers ---------------------------------------------------------------------------------

class Container {
  public:
    virtual ~Container() = default;
    virtual void insert(const ContenderEntry *entries, std::size_t count) = 0;
    virtual void remove(const TrnCoord *chunks, std::size_t count) = 0;
    virtual void find(const std::vector<TrnCoord> &asks) = 0;
    virtual void gather(TrnBox box) = 0;
    virtual void gather_all() = 0;
    /// The sum of number + 1 over the chunks that the last find or gather found.
    virtual std::uint64_t sum_found() const = 0;
    virtual std::uint64_t sum_gathered() const = 0;
    /// The index; NULL for its peers.
    virtual const TrnChunkIndex *index() const
    {
        return nullptr;
    }
};

class PeerContainer final : public Container {
  public:
    PeerContainer(const Contender &contender, const ContenderWorld &world) : peer(contender, world)
    {
    }
    void insert(const ContenderEntry *entries, std::size_t count) override
    {
        peer.insert(entries, count);
    }
    void remove(const TrnCoord *chunks, std::size_t count) override
    {
        peer.remove(chunks, count);
    }
    void find(const std::vector<TrnCoord> &asks) override
    {
        peer.find(asks);
    }
    void gather(TrnBox box) override
    {
        peer.gather(box);
    }
    void gather_all() override
    {
        peer.gather_all();
    }
    std::uint64_t sum_found() const override
    {
        return sum_of(peer.found());
    }
    std::uint64_t sum_gathered() const override
    {
        return sum_of(peer.found());
    }

  private:
    Peer peer;
};

class IndexContainer final : public Container {
  public:
    /// @param allocator  of the index; may be NULL
    explicit IndexContainer(const TrnAllocator *allocator) : under_test(0, allocator)
    {
    }
    void insert(const ContenderEntry *entries, std::size_t count) override
    {
        for (std::size_t i = 0; i < count; i++) {
            under_test.insert(entries[i].coord, entries[i].number);
        }
    }
    void remove(const TrnCoord *chunks, std::size_t count) override
    {
        for (std::size_t i = 0; i < count; i++) {
            under_test.remove(chunks[i]);
        }
    }
    void find(const std::vector<TrnCoord> &asks) override
    {
        sum = under_test.sum_found(asks);
    }
    void gather(TrnBox box) override
    {
        under_test.gather(box);
    }
    void gather_all() override
    {
        under_test.gather(trn_box_everything());
    }
    std::uint64_t sum_found() const override
    {
        return sum;
    }
    std::uint64_t sum_gathered() const override
    {
        return sum_of(under_test.gathered());
    }
    const TrnChunkIndex *index() const override
    {
        return under_test.get();
    }

  private:
    IndexUnderTest under_test;
    std::uint64_t sum = 0;
};

// ---- memory -------------------------------------------------------------------------------------

/// Evicts everything from the caches, by reading and writing more than they hold.
class Sweeper {
  public:
    void sweep()
    {
        for (std::size_t i = 0; i < bytes.size(); i += 64) {
            bytes[i]++;
        }
        keep(bytes.data());
    }

  private:
    std::vector<unsigned char> bytes = std::vector<unsigned char>(swept_bytes, 1);
};

// ---- a world and its questions ------------------------------------------------------------------

struct FreeHeaders {
    void operator()(ContenderChunk *headers) const
    {
        std::free(headers);
    }
};

class ScaleWorld {
  public:
    explicit ScaleWorld(World filled);

    World world;
    ContenderWorld given = {};
    std::vector<ContenderEntry> entries;
    std::vector<TrnCoord> hits, misses_inside, misses_in_shell, misses_far;
    std::uint64_t sum_of_hits = 0, sum_of_all = 0;
    mutable Sweeper sweeper;

  private:
    using Random = std::mt19937;
    template <class Make> std::vector<TrnCoord> make_misses(const Make &make_one) const;
    void make_asks();
    /// The headers are neither read nor written: peers only answer with their addresses.
    std::unique_ptr<ContenderChunk, FreeHeaders> headers;
    std::vector<TrnCoord> sorted;
};

ScaleWorld::ScaleWorld(World filled)
    : world(std::move(filled)), headers(static_cast<ContenderChunk *>(
                                    std::calloc(world.chunks.size(), sizeof(ContenderChunk)))),
      sorted(world.chunks)
{
    if (!headers) {
        throw std::bad_alloc();
    }
    given.chunks = headers.get();
    given.chunk_count = static_cast<std::uint32_t>(world.chunks.size());
    given.box = world.box;
    entries.reserve(world.chunks.size());
    for (std::uint32_t i = 0; i < given.chunk_count; i++) {
        entries.push_back({world.chunks[i], i, &given.chunks[i]});
        sum_of_all += i + 1;
    }
    std::sort(sorted.begin(), sorted.end(), lies_before);
    make_asks();
    sorted = {};
}

/// Empty coordinates among those that `make_one` returns; an empty list if there are too few.
template <class Make> std::vector<TrnCoord> ScaleWorld::make_misses(const Make &make_one) const
{
    std::vector<TrnCoord> misses;
    Random random(scale_seed);
    for (std::size_t tries = 0; misses.size() < asks_max && tries < 20 * asks_max; tries++) {
        const TrnCoord at = make_one(random);
        if (!std::binary_search(sorted.begin(), sorted.end(), at, lies_before)) {
            misses.push_back(at);
        }
    }
    return misses.size() < asks_max ? std::vector<TrnCoord>() : misses;
}

std::int32_t between(std::mt19937 &random, std::int32_t low, std::int32_t high)
{
    return std::uniform_int_distribution<std::int32_t>(low, high)(random);
}

TrnCoord inside(std::mt19937 &random, const TrnBox &box)
{
    const std::int32_t x = between(random, box.min.x, box.max.x);
    const std::int32_t y = between(random, box.min.y, box.max.y);
    return {x, y, between(random, box.min.z, box.max.z)};
}

void ScaleWorld::make_asks()
{
    Random random(scale_seed);
    for (std::size_t i = 0; i < asks_max; i++) {
        const std::size_t number =
            std::uniform_int_distribution<std::size_t>(0, world.chunks.size() - 1)(random);
        hits.push_back(world.chunks[number]);
        sum_of_hits += number + 1;
    }
    const TrnBox &box = world.box;
    misses_inside = make_misses([&box](Random &from) { return inside(from, box); });
    misses_in_shell = make_misses([&box](Random &from) {
        TrnCoord at = inside(from, box);
        std::int32_t *const axes[] = {&at.x, &at.y, &at.z};
        const std::int32_t low[] = {box.min.x, box.min.y, box.min.z};
        const std::int32_t high[] = {box.max.x, box.max.y, box.max.z};
        const int axis = between(from, 0, 2), out = between(from, 1, TRN_PAGE_EDGE);
        *axes[axis] = between(from, 0, 1) ? high[axis] + out : low[axis] - out;
        return at;
    });
    const TrnBox far_box = {{-(1 << 20), -(1 << 20), -(1 << 20)},
                            {-(1 << 19) - 1, -(1 << 19) - 1, -(1 << 19) - 1}};
    if (!trn_box_contains(box, far_box.max)) {
        misses_far = make_misses([&far_box](Random &from) { return inside(from, far_box); });
    }
}

// ---- measurements -------------------------------------------------------------------------------

/// The questions, each a row.
enum Asked {
    asked_bytes,
    asked_sparse_bytes, ///< this and the next three: only for the index
    asked_full_bytes,
    asked_sparse_pages,
    asked_growths,
    asked_insert,
    asked_remove,
    asked_hit,
    asked_cold_hit,
    asked_miss_inside,
    asked_miss_in_shell,
    asked_miss_far,
    asked_iterate,
    asked_gather,
    asked_worst_insert,
    asked_worst_insert_touched,
    asked_worst_remove,
    asked_worst_remove_touched,
    asked_count
};

const struct {
    const char *question, *unit;
} asked[asked_count] = {
    {scale_bytes, "bytes"},      {scale_sparse_bytes, "bytes"},
    {scale_full_bytes, "bytes"}, {scale_sparse_pages, "%"},
    {scale_growths, "times"},    {scale_insert, "ns"},
    {scale_remove, "ns"},        {scale_hit, "ns"},
    {scale_cold_hit, "ns"},      {scale_miss_inside, "ns"},
    {scale_miss_in_shell, "ns"}, {scale_miss_far, "ns"},
    {scale_iterate, "ns"},       {scale_gather, "ns"},
    {scale_worst_insert, "us"},  {scale_worst_insert_touched, "us"},
    {scale_worst_remove, "us"},  {scale_worst_remove_touched, "us"},
};

/// Times of single operations. The system interrupts some of them, so the shortest time of several
/// passes counts for each operation.
class Shortest {
  public:
    void take(std::size_t number, double ns)
    {
        if (us.size() <= number) {
            us.resize(number + 1, HUGE_VALF);
        }
        us[number] = std::min(us[number], static_cast<float>(ns / 1000));
    }
    std::vector<double> worst() const
    {
        return us.empty() ? std::vector<double>()
                          : std::vector<double>{*std::max_element(us.begin(), us.end())};
    }

  private:
    std::vector<float> us;
};

/// One contender in one world.
class Trial {
  public:
    using Make = std::function<std::unique_ptr<Container>(Heap)>;
    Trial(std::shared_ptr<const ScaleWorld> measured, Make maker, bool is_box_asked)
        : of(std::move(measured)), make(std::move(maker)), is_gathered(is_box_asked)
    {
    }
    /// Builds the world, measures all questions, then removes all chunks.
    void take_whole();
    /// The same, but checks answers and does not evict the caches. @throws bench::Wrong
    void check();
    /// Times each insert and each removal, in fresh memory and in touched memory.
    void take_singles();
    std::vector<double> samples(Asked question) const;

  private:
    static void demand(bool is_right, const char *what)
    {
        if (!is_right) {
            throw bench::Wrong{what};
        }
    }
    void take_forms(const TrnChunkIndex *index);
    void ask_warm(Container &container);
    void remove_all(Container &container);
    void ask(Container &container, Asked question, const std::vector<TrnCoord> &asks,
             std::uint64_t expected);
    void ask_cold(Container &container);
    void gather(Container &container, Asked question, TrnBox box);
    void time_singles(Shortest &inserts, Shortest &removals);

    std::shared_ptr<const ScaleWorld> of;
    Make make;
    bool is_gathered;
    std::array<std::vector<double>, asked_count> taken;
    Shortest inserts, removals, touched_inserts, touched_removals;
};

/// Bytes allocated since malloc_bytes() returned `before`. The large blocks of an index are address
/// ranges, which only the index's statistics count. @param index  may be NULL
double bytes_since(double before, const TrnChunkIndex *index)
{
    const double counted = index ? static_cast<double>(trn_chunk_index_stats(index).bytes) : 0;
    return std::max(malloc_bytes() - before, counted);
}

void Trial::take_whole()
{
    set_heap(Heap::fresh);
    malloc_give_back();
    const std::size_t count = of->entries.size();
    const auto each = static_cast<double>(count);
    const double before = malloc_bytes();
    const auto container = make(Heap::fresh);
    taken[asked_insert].push_back(ns_of([&] { container->insert(of->entries.data(), count); }) /
                                  each);
    taken[asked_bytes].push_back(bytes_since(before, container->index()) / each);
    take_forms(container->index());
    ask_warm(*container);
    ask_cold(*container);
    remove_all(*container);
}

/// Reads the index's statistics of pages and growths.
void Trial::take_forms(const TrnChunkIndex *index)
{
    if (!index) {
        return;
    }
    const TrnChunkIndexStats stats = trn_chunk_index_stats(index);
    const auto each = static_cast<double>(of->entries.size());
    taken[asked_sparse_bytes].push_back(static_cast<double>(stats.sparse_page_bytes) / each);
    taken[asked_full_bytes].push_back(static_cast<double>(stats.full_page_bytes) / each);
    taken[asked_sparse_pages].push_back(100 * static_cast<double>(stats.sparse_pages) /
                                        static_cast<double>(stats.pages));
    taken[asked_growths].push_back(stats.directory_growths);
}

void Trial::check()
{
    const auto container = make(Heap::fresh);
    container->insert(of->entries.data(), of->entries.size());
    ask_warm(*container);
    remove_all(*container);
}

void Trial::ask_warm(Container &container)
{
    ask(container, asked_hit, of->hits, of->sum_of_hits);
    ask(container, asked_miss_inside, of->misses_inside, 0);
    ask(container, asked_miss_in_shell, of->misses_in_shell, 0);
    ask(container, asked_miss_far, of->misses_far, 0);
    gather(container, asked_iterate, trn_box_everything());
    if (is_gathered) {
        gather(container, asked_gather, of->world.box);
    }
}

void Trial::remove_all(Container &container)
{
    const std::vector<TrnCoord> &chunks = of->world.chunks;
    taken[asked_remove].push_back(ns_of([&] { container.remove(chunks.data(), chunks.size()); }) /
                                  static_cast<double>(chunks.size()));
    container.find(of->hits);
    demand(container.sum_found() == 0, "removed chunks are found");
}

void Trial::ask(Container &container, Asked question, const std::vector<TrnCoord> &asks,
                std::uint64_t expected)
{
    if (asks.empty()) {
        return;
    }
    container.find(asks); // warms the caches
    demand(container.sum_found() == expected, "it finds other chunks than there are");
    taken[question].push_back(ns_of([&] { container.find(asks); }) /
                              static_cast<double>(asks.size()));
}

void Trial::ask_cold(Container &container)
{
    double ns = 0;
    for (std::size_t round = 0; round < cold_rounds; round++) {
        const auto first = of->hits.begin() + static_cast<std::ptrdiff_t>(round * cold_asks);
        const std::vector<TrnCoord> asks(first, first + cold_asks);
        of->sweeper.sweep();
        ns += ns_of([&] { container.find(asks); });
    }
    taken[asked_cold_hit].push_back(ns / static_cast<double>(cold_rounds * cold_asks));
}

void Trial::gather(Container &container, Asked question, TrnBox box)
{
    const auto work = [&] {
        question == asked_iterate ? container.gather_all() : container.gather(box);
    };
    work(); // touches the memory that it writes
    demand(container.sum_gathered() == of->sum_of_all, "it gathers other chunks than there are");
    taken[question].push_back(ns_of(work) / static_cast<double>(of->entries.size()));
}

void Trial::take_singles()
{
    malloc_give_back();
    if (!set_heap(Heap::touched)) {
        throw bench::Refused{"the C library does not keep memory"};
    }
    time_singles(inserts, removals); // the heap was just emptied
    time_singles(touched_inserts, touched_removals);
    set_heap(Heap::fresh);
    malloc_give_back();
}

void Trial::time_singles(Shortest &of_inserts, Shortest &of_removals)
{
    const auto container = make(Heap::touched);
    for (std::size_t i = 0; i < of->entries.size(); i++) {
        of_inserts.take(i, ns_of([&] { container->insert(&of->entries[i], 1); }));
    }
    for (std::size_t i = 0; i < of->entries.size(); i++) {
        of_removals.take(i, ns_of([&] { container->remove(&of->world.chunks[i], 1); }));
    }
}

std::vector<double> Trial::samples(Asked question) const
{
    switch (question) {
    case asked_worst_insert:
        return inserts.worst();
    case asked_worst_insert_touched:
        return touched_inserts.worst();
    case asked_worst_remove:
        return removals.worst();
    case asked_worst_remove_touched:
        return touched_removals.worst();
    default:
        return taken[question];
    }
}

// ---- scenes -------------------------------------------------------------------------------------

const char *const contenders[] = {by_flat_map, by_dense_map, by_index};

Trial::Make maker_of(const char *name, const std::shared_ptr<const ScaleWorld> &world)
{
    if (name == by_index) {
        return [](Heap heap) {
            // Without an allocator, an index takes fresh address ranges, so its memory would not be
            // touched.
            const TrnAllocator allocator = trn_allocator_default();
            return std::make_unique<IndexContainer>(heap == Heap::touched ? &allocator : nullptr);
        };
    }
    const Contender *peer = find_contender(name);
    return [peer, world](Heap) { return std::make_unique<PeerContainer>(*peer, world->given); };
}

bool is_asked(Asked question, const char *name, const ScaleWorld &world, bool is_gathered)
{
    const bool is_of_index = question >= asked_sparse_bytes && question <= asked_growths;
    return (!is_of_index || name == by_index) && (question != asked_gather || is_gathered) &&
           (question != asked_miss_inside || !world.misses_inside.empty()) &&
           (question != asked_miss_in_shell || !world.misses_in_shell.empty()) &&
           (question != asked_miss_far || !world.misses_far.empty());
}

std::vector<bench::Scene> make_scenes(const ScalePlan &plan, bool is_check)
{
    const auto world = std::make_shared<const ScaleWorld>(plan.make());
    std::vector<bench::Scene> scenes;
    for (const auto &[question, unit] : asked) {
        scenes.push_back(scene_of(question, world->world, unit));
    }
    for (const char *const name : contenders) {
        if (name != by_index && !find_contender(name)) {
            continue;
        }
        const auto trial = std::make_shared<Trial>(world, maker_of(name, world), plan.is_gathered);
        const auto whole =
            std::make_shared<bench::Run>(bench::Run{[trial] { trial->take_whole(); }, passes});
        const auto singles =
            std::make_shared<bench::Run>(bench::Run{[trial] { trial->take_singles(); }, passes});
        for (int i = 0; i < asked_count; i++) {
            const auto question = static_cast<Asked>(i);
            bench::Attempt attempt = {name};
            attempt.run = question < asked_worst_insert ? whole : singles;
            attempt.figures = [trial, question] { return trial->samples(question); };
            if (is_check && question == asked_hit) {
                attempt.check = [trial] {
                    trial->check();
                    return true;
                };
            }
            if (is_asked(question, name, *world, plan.is_gathered)) {
                scenes[static_cast<std::size_t>(i)].attempts.push_back(std::move(attempt));
            }
        }
    }
    scenes.erase(std::remove_if(scenes.begin(), scenes.end(),
                                [](const auto &scene) { return scene.attempts.empty(); }),
                 scenes.end());
    return scenes;
}

bool wants_any(const bench::Bench &bench, const std::string &world)
{
    return std::any_of(std::begin(asked), std::end(asked), [&](const auto &row) {
        return bench.wants(row.question, world, {std::begin(contenders), std::end(contenders)});
    });
}

} // namespace

void add_scale_stages(bench::Bench &bench)
{
    const BenchOptions &options = bench.options;
    const Scale scale = options.check ? Scale::check : options.quick ? Scale::quick : Scale::full;
    for (const ScalePlan &plan : scale_plans(scale)) {
        if (!plan.is_full_only || scale == Scale::full) {
            bench.stage([&bench, plan, scale] {
                if (wants_any(bench, plan.name)) {
                    bench.add(make_scenes(plan, scale == Scale::check));
                }
            });
        }
    }
}
