#include "lookup.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <terrane/spatial_array.h>

#include "contender.hpp"
#include "hash_baseline.h"
#include "index_contender.hpp"
#include "report.hpp"
#include "timing.hpp"
#include "worlds.hpp"

namespace {

const char *const name_probe = "unordered_map, probed per coordinate";
const char *const name_filter = "unordered_map, iterated and filtered";
const char *const name_spatial = "flat spatial array";
const char *const name_flat_map = "boost::unordered_flat_map, probed";
const char *const name_values = "Terrane's index, values";
const char *const name_pointers = "Terrane's index, pointers";
const char *const name_memcpy = "memcpy of the answer, pointers";

/// What the pointers in the containers point to: as large as a chunk's header in a game.
struct Header {
    TrnCoord coord;
    unsigned char rest[256 - sizeof(TrnCoord)];
};

struct DestroyMap {
    void operator()(HashBaseline *map) const
    {
        hash_baseline_destroy(map);
    }
};
struct DestroyArray {
    void operator()(TrnSpatialArray *array) const
    {
        trn_spatial_array_destroy(array);
    }
};

struct DestroyPool {
    void operator()(TrnPool *pool) const
    {
        trn_pool_destroy(pool);
    }
};

/// One world in every container, and room for an answer. Chunk i has the i-th header of the pool, and the value i.
struct Arena {
    World world;
    std::unique_ptr<TrnPool, DestroyPool> headers;
    std::unique_ptr<HashBaseline, DestroyMap> map;
    std::unique_ptr<TrnSpatialArray, DestroyArray> array;
    std::unique_ptr<Contender> flat_map; ///< NULL without Boost
    IndexContender index;
    std::vector<void *> answer; ///< what everybody must find, in the order y, z, x
    std::vector<void *> out;
};

using Gather = std::size_t (*)(Arena &);

std::size_t gather_probe(Arena &arena)
{
    return hash_baseline_gather_probe(arena.map.get(), arena.world.box, arena.out.data(),
                                      arena.out.size());
}

std::size_t gather_filter(Arena &arena)
{
    return hash_baseline_gather_filter(arena.map.get(), arena.world.box, arena.out.data(),
                                       arena.out.size());
}

std::size_t gather_spatial(Arena &arena)
{
    return trn_spatial_array_gather(arena.array.get(), arena.world.box, arena.out.data(),
                                    arena.out.size());
}

std::size_t gather_flat_map(Arena &arena)
{
    return arena.flat_map->gather(arena.world.box);
}

std::size_t gather_values(Arena &arena)
{
    return arena.index.gather(arena.world.box);
}

std::size_t gather_pointers(Arena &arena)
{
    return arena.index.gather_pointers(arena.world.box, arena.headers.get(), arena.out);
}

std::size_t copy_answer(Arena &arena)
{
    std::memcpy(arena.out.data(), arena.answer.data(), arena.answer.size() * sizeof(void *));
    return arena.answer.size();
}

/// The headers behind the values that a contender has gathered into a list of its own.
void look_up_headers(Arena &arena, const std::vector<std::uint32_t> &values)
{
    arena.out.resize(values.size());
    trn_pool_pointers(arena.headers.get(), values.data(), values.size(), arena.out.data());
}

void headers_of_flat_map(Arena &arena)
{
    look_up_headers(arena, arena.flat_map->gathered());
}

void headers_of_values(Arena &arena)
{
    look_up_headers(arena, arena.index.gathered());
}

struct Way {
    const char *name;
    Gather gather;
    bool ordered; ///< whether it answers in the order y, z, x
    /// Puts the answer into Arena::out; NULL where the gather has done so.
    void (*show_answer)(Arena &arena) = nullptr;
};

std::vector<Way> make_ways()
{
    std::vector<Way> ways = {
        {name_probe, gather_probe, true},
        {name_filter, gather_filter, false},
        {name_spatial, gather_spatial, true},
        {name_values, gather_values, false, headers_of_values},
        {name_pointers, gather_pointers, false},
        {name_memcpy, copy_answer, true},
    };
    if (flat_map_is_built()) {
        ways.insert(ways.begin() + 2, {name_flat_map, gather_flat_map, true, headers_of_flat_map});
    }
    return ways;
}

bool comes_before(const void *a, const void *b)
{
    const TrnCoord &l = static_cast<const Header *>(a)->coord;
    const TrnCoord &r = static_cast<const Header *>(b)->coord;
    return l.y != r.y ? l.y < r.y : l.z != r.z ? l.z < r.z : l.x < r.x;
}

/// As many slots as there are chunks, in one range of addresses.
bool make_headers(Arena &arena)
{
    TrnPoolDef def = trn_pool_def(sizeof(Header));
    def.reserve_slots = static_cast<std::uint32_t>(arena.world.chunks.size());
    TrnPool *pool = nullptr;
    if (trn_pool_create(&def, &pool) != TRN_RESULT_OK) {
        return false;
    }
    arena.headers.reset(pool);
    return true;
}

/// Puts a chunk into every container. Its header is the next slot of the pool.
bool add_chunk(Arena &arena, TrnCoord coord)
{
    TrnPoolId id;
    void *slot;
    if (trn_pool_alloc(arena.headers.get(), &id, &slot) != TRN_RESULT_OK) {
        return false;
    }
    auto *header = static_cast<Header *>(slot);
    header->coord = coord;
    arena.index.insert(coord, id.index1 - 1);
    if (arena.flat_map) {
        arena.flat_map->insert(coord, id.index1 - 1);
    }
    if (trn_box_contains(arena.world.box, coord)) {
        arena.answer.push_back(header);
    }
    return hash_baseline_insert(arena.map.get(), coord, header) &&
           trn_spatial_array_insert(arena.array.get(), coord, &header) == TRN_RESULT_OK;
}

bool fill(Arena &arena)
{
    TrnSpatialArrayDef def = trn_spatial_array_def(sizeof(void *));
    TrnSpatialArray *array = nullptr;
    if (trn_spatial_array_create(&def, &array) != TRN_RESULT_OK) {
        return false;
    }
    arena.array.reset(array);
    arena.map.reset(hash_baseline_create());
    arena.flat_map = make_flat_map();
    if (!arena.map || !make_headers(arena)) {
        return false;
    }
    for (const TrnCoord &coord : arena.world.chunks) {
        if (!add_chunk(arena, coord)) {
            return false;
        }
    }
    std::sort(arena.answer.begin(), arena.answer.end(), comes_before);
    arena.out.resize(arena.answer.size());
    return true;
}

/// Whether a contender finds just the answer. One with another order than y, z, x is sorted first.
bool answers_right(Arena &arena, const Way &way)
{
    std::fill(arena.out.begin(), arena.out.end(), nullptr);
    if (way.gather(arena) != arena.answer.size()) {
        return false;
    }
    if (way.show_answer) {
        way.show_answer(arena);
    }
    if (!way.ordered) {
        if (std::find(arena.out.begin(), arena.out.end(), nullptr) != arena.out.end()) {
            return false;
        }
        std::sort(arena.out.begin(), arena.out.end(), comes_before);
    }
    return arena.out == arena.answer;
}

std::vector<std::unique_ptr<Arena>> make_arenas()
{
    std::vector<std::unique_ptr<Arena>> arenas;
    for (int radius : {8, 16, 32}) {
        const std::string suffix = " R=" + std::to_string(radius);
        for (bool flattened : {false, true}) {
            auto arena = std::make_unique<Arena>();
            arena->world = world_ellipsoid((flattened ? "flattened ball" : "ball") + suffix, radius,
                                           flattened ? radius / 4 : radius);
            arenas.push_back(std::move(arena));
        }
    }
    return arenas;
}

std::string benchmark_name(const Arena &arena, const Way &way)
{
    return arena.world.name + "/" + way.name;
}

void add_to_timing(Timing &timing, std::vector<std::unique_ptr<Arena>> &arenas,
                   const std::vector<Way> &ways)
{
    for (auto &arena : arenas) {
        for (const Way &way : ways) {
            Arena *place = arena.get();
            Gather gather = way.gather;
            timing.add(benchmark_name(*arena, way),
                       [place, gather] { benchmark::DoNotOptimize(gather(*place)); });
        }
    }
}

Report make_report(const std::vector<std::unique_ptr<Arena>> &arenas, const std::vector<Way> &ways,
                   const Timing &timing)
{
    Report report;
    report.question =
        "Gather: every loaded chunk of the (2R+1)^3 box around the player into a list.";
    report.baseline = name_probe;
    for (const auto &arena : arenas) {
        for (const Way &way : ways) {
            Entry entry;
            entry.world = arena->world.name;
            entry.contender = way.name;
            entry.count = arena->answer.size();
            entry.is_baseline = way.name == name_probe;
            entry.is_floor = way.name == name_memcpy;
            for (double ns : timing.nanoseconds(benchmark_name(*arena, way))) {
                entry.times.push_back(ns / 1000);
            }
            report.entries.push_back(entry);
        }
    }
    return report;
}

/// The least and most that a contender is faster than another, over all worlds.
struct Range {
    double low = HUGE_VAL, high = 0;
};

Range ratios(const Report &report, const char *faster, const char *slower)
{
    Range range;
    for (const Entry &entry : report.entries) {
        if (entry.contender == faster) {
            double ratio =
                median_of(report, entry.world, slower) / median_of(report, entry.world, faster);
            range.low = std::min(range.low, ratio);
            range.high = std::max(range.high, ratio);
        }
    }
    return range;
}

/// Probing is the slowest way to ask a map. Says how the map does when it is iterated instead, and where that wins.
void print_filter_comparison(const Report &report)
{
    const Range probe = ratios(report, name_filter, name_probe);
    const Range array = ratios(report, name_spatial, name_filter);
    const Range index = ratios(report, name_pointers, name_filter);
    std::printf("\nThe same map, iterated and filtered, is %.1f to %.1f times faster than probed; "
                "the flat spatial array\n"
                "is %.1f to %.1f times as fast as that, Terrane's index with pointers %.1f to %.1f "
                "times (below 1: slower).\n"
                "Filtering visits every chunk the map holds, in view or not; here it holds none "
                "outside the box, which\n"
                "is the best that can happen to it.\n",
                probe.low, probe.high, array.low, array.high, index.low, index.high);
}

} // namespace

int bench_lookup(const BenchOptions &options)
{
    auto arenas = make_arenas();
    const std::vector<Way> ways = make_ways();
    for (auto &arena : arenas) {
        if (!fill(*arena)) {
            std::fprintf(stderr, "terrane-bench: no memory for %s. Free some and try again.\n",
                         arena->world.name.c_str());
            return 1;
        }
        for (const Way &way : ways) {
            if (!answers_right(*arena, way)) {
                std::fprintf(stderr,
                             "terrane-bench: %s gives a wrong answer for %s; nothing was timed.\n",
                             way.name, arena->world.name.c_str());
                return 1;
            }
        }
    }
    std::printf("Answers checked: %zu contenders agree on %zu worlds.\n", ways.size() - 1,
                arenas.size());
    print_what_is_missing();
    std::fflush(stdout);
    Timing timing(options.quick);
    add_to_timing(timing, arenas, ways);
    timing.run();
    Report report = make_report(arenas, ways, timing);
    print_report(report);
    print_filter_comparison(report);
    return write_report(report, options) ? 0 : 1;
}
