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

#include "hash_baseline.h"
#include "report.hpp"
#include "timing.hpp"
#include "worlds.hpp"

namespace {

const char *const name_probe = "unordered_map, probed per coordinate";
const char *const name_filter = "unordered_map, iterated and filtered";
const char *const name_spatial = "flat spatial array";
const char *const name_memcpy = "memcpy of the answer";

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

/// One world in every container, and room for an answer.
struct Arena {
    World world;
    std::vector<Header> headers;
    std::unique_ptr<HashBaseline, DestroyMap> map;
    std::unique_ptr<TrnSpatialArray, DestroyArray> array;
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

std::size_t copy_answer(Arena &arena)
{
    std::memcpy(arena.out.data(), arena.answer.data(), arena.answer.size() * sizeof(void *));
    return arena.answer.size();
}

struct Contender {
    const char *name;
    Gather gather;
    bool ordered; ///< whether it answers in the order y, z, x
};

const Contender contenders[] = {
    {name_probe, gather_probe, true},
    {name_filter, gather_filter, false},
    {name_spatial, gather_spatial, true},
    {name_memcpy, copy_answer, true},
};

bool comes_before(const void *a, const void *b)
{
    const TrnCoord &l = static_cast<const Header *>(a)->coord;
    const TrnCoord &r = static_cast<const Header *>(b)->coord;
    return l.y != r.y ? l.y < r.y : l.z != r.z ? l.z < r.z : l.x < r.x;
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
    if (!arena.map) {
        return false;
    }
    arena.headers.resize(arena.world.chunks.size());
    for (std::size_t i = 0; i < arena.headers.size(); i++) {
        Header *header = &arena.headers[i];
        header->coord = arena.world.chunks[i];
        if (!hash_baseline_insert(arena.map.get(), header->coord, header) ||
            trn_spatial_array_insert(array, header->coord, &header) != TRN_RESULT_OK) {
            return false;
        }
        if (trn_box_contains(arena.world.box, header->coord)) {
            arena.answer.push_back(header);
        }
    }
    std::sort(arena.answer.begin(), arena.answer.end(), comes_before);
    arena.out.resize(arena.answer.size());
    return true;
}

/// Whether a contender finds just the answer. A contender without an order of its own is sorted first.
bool answers_right(Arena &arena, const Contender &contender)
{
    std::fill(arena.out.begin(), arena.out.end(), nullptr);
    if (contender.gather(arena) != arena.answer.size()) {
        return false;
    }
    if (!contender.ordered) {
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

std::string benchmark_name(const Arena &arena, const Contender &contender)
{
    return arena.world.name + "/" + contender.name;
}

void add_to_timing(Timing &timing, std::vector<std::unique_ptr<Arena>> &arenas)
{
    for (auto &arena : arenas) {
        for (const Contender &contender : contenders) {
            Arena *place = arena.get();
            Gather gather = contender.gather;
            timing.add(benchmark_name(*arena, contender),
                       [place, gather] { benchmark::DoNotOptimize(gather(*place)); });
        }
    }
}

Report make_report(const std::vector<std::unique_ptr<Arena>> &arenas, const Timing &timing)
{
    Report report;
    report.question =
        "Gather: every loaded chunk of the (2R+1)^3 box around the player into a list.";
    report.baseline = name_probe;
    for (const auto &arena : arenas) {
        for (const Contender &contender : contenders) {
            Entry entry;
            entry.world = arena->world.name;
            entry.contender = contender.name;
            entry.count = arena->answer.size();
            entry.is_baseline = contender.name == name_probe;
            entry.is_floor = contender.name == name_memcpy;
            for (double ns : timing.nanoseconds(benchmark_name(*arena, contender))) {
                entry.times.push_back(ns / 1000);
            }
            report.entries.push_back(entry);
        }
    }
    return report;
}

/// Probing is the slowest way to ask a map. Says how the map does when it is iterated instead, and where that wins.
void print_filter_comparison(const Report &report)
{
    double probe_low = HUGE_VAL, probe_high = 0, array_low = HUGE_VAL, array_high = 0;
    for (const Entry &filter : report.entries) {
        if (filter.contender != name_filter) {
            continue;
        }
        double filter_ratio = ratio_to_baseline(report, filter), array_ratio = 0;
        for (const Entry &entry : report.entries) {
            if (entry.contender == name_spatial && entry.world == filter.world) {
                array_ratio = ratio_to_baseline(report, entry) / filter_ratio;
            }
        }
        probe_low = std::min(probe_low, filter_ratio);
        probe_high = std::max(probe_high, filter_ratio);
        array_low = std::min(array_low, array_ratio);
        array_high = std::max(array_high, array_ratio);
    }
    std::printf("\nThe same map, iterated and filtered, is %.1f to %.1f times faster than probed, "
                "and the flat spatial\n"
                "array %.1f to %.1f times as fast as that (below 1: slower). Filtering visits "
                "every chunk the map holds,\n"
                "in view or not; here it holds none outside the box, which is the best that can "
                "happen to it.\n",
                probe_low, probe_high, array_low, array_high);
}

} // namespace

int bench_lookup(const BenchOptions &options)
{
    auto arenas = make_arenas();
    for (auto &arena : arenas) {
        if (!fill(*arena)) {
            std::fprintf(stderr, "terrane-bench: no memory for %s. Free some and try again.\n",
                         arena->world.name.c_str());
            return 1;
        }
        for (const Contender &contender : contenders) {
            if (!answers_right(*arena, contender)) {
                std::fprintf(stderr,
                             "terrane-bench: %s gives a wrong answer for %s; nothing was timed.\n",
                             contender.name, arena->world.name.c_str());
                return 1;
            }
        }
    }
    std::printf("Answers checked: %zu contenders agree on %zu worlds.\n",
                sizeof contenders / sizeof *contenders - 1, arenas.size());
    std::fflush(stdout);
    Timing timing(options.quick);
    add_to_timing(timing, arenas);
    timing.run();
    Report report = make_report(arenas, timing);
    print_report(report);
    print_filter_comparison(report);
    return write_report(report, options) ? 0 : 1;
}
