// Do the store's calls cost what their header promises, however many chunks are loaded?
//
// A call on a random chunk of many must fetch what no cache holds. So each row stands beside as
// many random reads of a plain array, each of which waits for the one before, of 64 bytes a chunk:
// what a call costs more among many chunks than among 1,000 is compared with what the reads cost
// more.

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <terrane/batch.h>

#include "store_parts.hpp"

namespace {

const std::size_t growth_least = 1000;
const std::size_t growth_calls = 500; ///< of each timed call
const double growth_demanded = 1.5;
const char *const by_reads = "plain array of 64 bytes a chunk, random reads";

// ---- a world of uniform chunks ------------------------------------------------------------------

/// One cache line of the plain array.
struct alignas(64) Line {
    std::uint32_t zero;
};

/// Uniform chunks in a cube.
struct GrowthGround {
    explicit GrowthGround(std::size_t size)
        : edge(static_cast<std::int32_t>(std::ceil(std::cbrt(static_cast<double>(size))))),
          all(size), all_ids(size), lines(size), random(store_seed)
    {
        create_owned(store, trn_store_create, nullptr);
        for (std::size_t i = 0; i < size; i++) {
            require(insert(i));
        }
        watch.removing = [](void *user, const TrnChunk *chunk) {
            static_cast<GrowthGround *>(user)->leaving = chunk->coord;
            return TRN_RESULT_OK;
        };
        watch.user = this;
        trn_store_watch(store.get(), &watch);
    }
    GrowthGround(const GrowthGround &) = delete;
    GrowthGround &operator=(const GrowthGround &) = delete;
    ~GrowthGround()
    {
        trn_store_unwatch(store.get(), &watch);
    }

    TrnCoord coord(std::size_t i) const
    {
        const auto side = static_cast<std::size_t>(edge);
        return TrnCoord{static_cast<std::int32_t>(i % side),
                        static_cast<std::int32_t>(i / side / side),
                        static_cast<std::int32_t>(i / side % side)};
    }
    TrnResult insert(std::size_t i)
    {
        const TrnResult result =
            trn_store_insert_uniform(store.get(), coord(i), TRN_BLOCK_AIR, &all[i]);
        all_ids[i] = all[i] ? all[i]->id : TrnChunkId{};
        return result;
    }
    std::size_t number(TrnCoord of) const
    {
        const auto wide = [](std::int32_t number) { return static_cast<std::size_t>(number); };
        return (wide(of.y) * wide(edge) + wide(of.z)) * wide(edge) + wide(of.x);
    }
    /// Draws other chunks for the next calls. Reads no chunk, so that the calls find them cold.
    void draw()
    {
        std::uniform_int_distribution<std::size_t> any(0, lines.size() - 1);
        for (std::size_t i = 0; i < growth_calls; i++) {
            picks[i] = any(random);
            coords[i] = coord(picks[i]);
            chunks[i] = all[picks[i]];
            ids[i] = all_ids[picks[i]];
        }
    }

    std::int32_t edge;
    Owned<TrnStore, trn_store_destroy> store;
    TrnStoreWatch watch = {};
    TrnCoord leaving = {}; ///< the last chunk that the store removed
    std::vector<TrnChunk *> all;
    std::vector<TrnChunkId> all_ids; ///< of `all`
    std::vector<Line> lines;
    std::mt19937 random;
    std::array<std::size_t, growth_calls> picks = {}; ///< drawn at random
    std::array<TrnCoord, growth_calls> coords = {};   ///< of `picks`
    std::array<TrnChunk *, growth_calls> chunks = {}; ///< of `picks`, as they were drawn
    std::array<TrnChunkId, growth_calls> ids = {};    ///< likewise
};
using GrowthOf = std::shared_ptr<GrowthGround>;

// ---- the calls ----------------------------------------------------------------------------------

/// A call as the header promises it.
struct GrowthCall {
    const char *question;
    std::size_t reads; ///< of cold memory that one call needs; 0: none, the time must not grow
    /// @return whether the answer is right
    bool (*call)(GrowthGround &ground, std::size_t at);
};

bool is_ok(TrnResult result)
{
    return result == TRN_RESULT_OK;
}

bool has_coord(const TrnChunk *chunk, TrnCoord coord)
{
    return chunk && trn_coord_equal(chunk->coord, coord);
}

bool set_and_fill(GrowthGround &ground, std::size_t at)
{
    bool is_changed = false;
    return is_ok(trn_store_set_block(ground.store.get(), trn_coord_voxel(ground.coords[at]),
                                     TRN_BLOCK_STONE, &is_changed)) &&
           is_changed &&
           is_ok(trn_store_fill(ground.store.get(), ground.chunks[at], TRN_BLOCK_AIR));
}

bool remove_and_insert(GrowthGround &ground, std::size_t at)
{
    const TrnCoord coord = ground.coords[at];
    return is_ok(trn_store_remove(ground.store.get(), coord)) &&
           is_ok(ground.insert(ground.picks[at]));
}

bool evict_and_insert(GrowthGround &ground, std::size_t)
{
    TrnEviction eviction = {};
    std::uint32_t evicted = 0;
    eviction.used_bytes = eviction.count_max = 1;
    (void)trn_store_evict(ground.store.get(), &eviction, &evicted);
    return evicted == 1 && is_ok(ground.insert(ground.number(ground.leaving)));
}

bool commit_batch(GrowthGround &ground, std::size_t at)
{
    TrnBatch *batch = nullptr;
    const TrnVoxel voxel = trn_coord_voxel(ground.coords[at]);
    return is_ok(trn_batch_begin(ground.store.get(), nullptr, &batch)) &&
           is_ok(trn_batch_set(batch, voxel, TRN_BLOCK_STONE)) &&
           is_ok(trn_batch_set(batch, voxel, TRN_BLOCK_AIR)) &&
           is_ok(trn_batch_commit(batch, nullptr));
}

bool cancel_batch(GrowthGround &ground, std::size_t)
{
    TrnBatch *batch = nullptr;
    if (!is_ok(trn_batch_begin(ground.store.get(), nullptr, &batch))) {
        return false;
    }
    trn_batch_cancel(batch);
    return true;
}

// Reads of a chunk miss the cache once for each look-up; a change misses at its old and its new
// place in the list of changes; an insert and a removal miss at the index, the header, its record
// and the list.
const GrowthCall growth_all[] = {
    {"growth: find a chunk", 1,
     [](GrowthGround &ground, std::size_t at) {
         return has_coord(trn_store_find(ground.store.get(), ground.coords[at]), ground.coords[at]);
     }},
    {"growth: a chunk by its id", 1,
     [](GrowthGround &ground, std::size_t at) {
         return trn_store_chunk(ground.store.get(), ground.ids[at]) == ground.chunks[at];
     }},
    {"growth: a snapshot", 1,
     [](GrowthGround &ground, std::size_t at) {
         TrnSnapshot snapshot;
         return is_ok(trn_store_snapshot(ground.store.get(), ground.coords[at], &snapshot));
     }},
    {"growth: read a voxel", 1,
     [](GrowthGround &ground, std::size_t at) {
         TrnBlock block = TRN_BLOCK_STONE;
         const TrnVoxel voxel = trn_coord_voxel(ground.coords[at]);
         return is_ok(trn_store_get_block_at(ground.store.get(), voxel.x, voxel.y, voxel.z,
                                             &block)) &&
                block == TRN_BLOCK_AIR;
     }},
    {"growth: explain a chunk", 1,
     [](GrowthGround &ground, std::size_t at) {
         return trn_store_explain(ground.store.get(), ground.coords[at]).state ==
                TRN_CHUNK_STATE_LOADED;
     }},
    {"growth: touch a chunk", 1,
     [](GrowthGround &ground, std::size_t at) {
         trn_store_touch(ground.store.get(), &ground.chunks[at], 1);
         return true;
     }},
    {"growth: pin and unpin a chunk", 1,
     [](GrowthGround &ground, std::size_t at) {
         trn_store_pin(ground.store.get(), ground.chunks[at]);
         trn_store_unpin(ground.store.get(), ground.chunks[at]);
         return true;
     }},
    {"growth: fill a chunk", 2,
     [](GrowthGround &ground, std::size_t at) {
         return is_ok(trn_store_fill(ground.store.get(), ground.chunks[at], TRN_BLOCK_AIR));
     }},
    {"growth: set a voxel and fill the chunk again", 3, set_and_fill},
    {"growth: remove a chunk and insert it again", 4, remove_and_insert},
    {"growth: evict a chunk and insert it again", 4, evict_and_insert},
    {"growth: a batch of one chunk", 4, commit_batch},
    {"growth: begin a batch and cancel it", 0, cancel_batch},
    {"growth: which chunks changed, none", 0,
     [](GrowthGround &ground, std::size_t) {
         const std::uint64_t now = trn_store_revision(ground.store.get());
         return trn_store_changed_since(ground.store.get(), now, nullptr, 0) == 0;
     }},
    {"growth: figures of the store", 0,
     [](GrowthGround &ground, std::size_t) {
         return trn_store_stats(ground.store.get()).chunks == ground.lines.size();
     }},
};

// ---- the scenes ---------------------------------------------------------------------------------

std::vector<std::size_t> growth_sizes(const BenchOptions &options)
{
    if (options.check) {
        return {growth_least, 10000};
    }
    return options.quick ? std::vector<std::size_t>{growth_least, 100000}
                         : std::vector<std::size_t>{growth_least, 10000, 100000, 1000000, 10000000};
}

std::string growth_world(std::size_t chunks)
{
    return std::to_string(chunks) + " uniform chunks";
}

/// @return the nanoseconds of growth_calls calls
double measure_calls(GrowthGround &ground, const GrowthCall &call, bool &is_right)
{
    ground.draw();
    return ns_of([&] {
        for (std::size_t i = 0; i < growth_calls; i++) {
            is_right = call.call(ground, i) && is_right;
        }
    });
}

/// @return the nanoseconds of growth_calls times as many reads as a call needs
double measure_reads(GrowthGround &ground, const GrowthCall &call, bool &is_right)
{
    const std::size_t reads = std::max<std::size_t>(call.reads, 1);
    std::uniform_int_distribution<std::size_t> any(0, ground.lines.size() - 1);
    std::vector<std::size_t> picks(growth_calls * reads);
    for (std::size_t &pick : picks) {
        pick = any(ground.random);
    }
    std::size_t sum = 0;
    const double ns = ns_of([&] {
        for (const std::size_t pick : picks) {
            sum += ground.lines[pick + sum].zero; // waits for the read before
        }
    });
    is_right = is_right && sum == 0;
    return ns;
}

bench::Attempt growth_attempt(const char *contender, const GrowthOf &ground, const GrowthCall &call,
                              double (*measure)(GrowthGround &, const GrowthCall &, bool &))
{
    const auto is_right = std::make_shared<bool>(true);
    return bench::measured(
        contender, [ground, &call, measure, is_right] { return measure(*ground, call, *is_right); },
        [is_right] { return *is_right; });
}

bool wants_growth(const bench::Bench &bench, std::size_t chunks)
{
    return std::any_of(std::begin(growth_all), std::end(growth_all), [&](const GrowthCall &call) {
        return bench.wants(call.question, growth_world(chunks), {by_reads, by_store});
    });
}

void add_growth(bench::Bench &bench, std::size_t chunks)
{
    const auto ground = std::make_shared<GrowthGround>(chunks);
    for (const GrowthCall &call : growth_all) {
        bench::Scene scene =
            bench::scene_with({call.question, growth_world(chunks), "ns", growth_calls},
                              {growth_attempt(by_reads, ground, call, measure_reads),
                               growth_attempt(by_store, ground, call, measure_calls)});
        scene.attempts[0].is_floor = true;
        bench.add(std::move(scene));
    }
}

/// What a call costs, divided by what it may cost: as among 1,000 chunks, and what its reads cost
/// more.
void add_growth_target(Report &report, const GrowthCall &call, const std::string &world)
{
    const std::string least = growth_world(growth_least);
    const Figure cost = figure_of(report, call.question, world, by_store);
    const Figure first = figure_of(report, call.question, least, by_store);
    const Figure reads = figure_of(report, call.question, world, by_reads);
    const Figure reads_first = figure_of(report, call.question, least, by_reads);
    const double more = call.reads ? std::max(reads.value - reads_first.value, 0.0) : 0;
    const Figure ratio = cost / Figure(first.value + more, std::max(first.spread, reads.spread));
    if (std::isfinite(ratio.value)) {
        report.targets.push_back(
            {world,
             std::string(call.question) + ": by the cost among 1000" +
                 (call.reads ? ", plus what " + std::to_string(call.reads) + " cold reads cost more"
                             : ""),
             ratio, "x", Target::at_most, growth_demanded});
    }
}

} // namespace

void stage_growth(bench::Bench &bench)
{
    const std::vector<std::size_t> sizes = growth_sizes(bench.options);
    for (const std::size_t chunks : sizes) {
        if (wants_growth(bench, chunks)) {
            bench.stage([&bench, chunks] { add_growth(bench, chunks); });
        }
    }
    bench.conclude([sizes](Report &report) {
        for (const GrowthCall &call : growth_all) {
            for (std::size_t i = 1; i < sizes.size(); i++) {
                add_growth_target(report, call, growth_world(sizes[i]));
            }
        }
    });
}
