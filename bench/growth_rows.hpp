/// Do calls cost what their header promises, however large the world is? Rows and targets of topics
/// whose worlds grow.
///
/// A call on a random chunk of many must fetch what no cache holds. So each row stands beside as
/// many random reads of a plain array, each of which waits for the one before, of 64 bytes a chunk:
/// what a call costs more among many chunks than among 1,000 is compared with what the reads cost
/// more.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <terrane/coord.h>

#include "driver/topic.hpp"

namespace growth {

inline const std::size_t least = 1000;
inline const std::size_t calls = 500; ///< of each timed call
inline const double demanded = 1.5;
inline const char *const by_reads = "plain array of 64 bytes a chunk, random reads";

/// One cache line of the plain array.
struct alignas(64) Line {
    std::uint32_t zero;
};

/// Chunks in a cube, and the plain array. A topic derives its world from it.
struct Cube {
    explicit Cube(std::size_t size, unsigned seed)
        : edge(static_cast<std::int32_t>(std::ceil(std::cbrt(static_cast<double>(size))))),
          lines(size), random(seed)
    {
    }

    TrnCoord coord(std::size_t i) const
    {
        const auto side = static_cast<std::size_t>(edge);
        return TrnCoord{static_cast<std::int32_t>(i % side),
                        static_cast<std::int32_t>(i / side / side),
                        static_cast<std::int32_t>(i / side % side)};
    }
    std::size_t number(TrnCoord of) const
    {
        const auto wide = [](std::int32_t number) { return static_cast<std::size_t>(number); };
        return (wide(of.y) * wide(edge) + wide(of.z)) * wide(edge) + wide(of.x);
    }
    /// Draws other chunks for the next calls.
    void draw()
    {
        std::uniform_int_distribution<std::size_t> any(0, lines.size() - 1);
        for (std::size_t i = 0; i < calls; i++) {
            picks[i] = any(random);
            coords[i] = coord(picks[i]);
        }
    }

    std::int32_t edge;
    std::vector<Line> lines;
    std::mt19937 random;
    std::array<std::size_t, calls> picks = {}; ///< drawn at random
    std::array<TrnCoord, calls> coords = {};   ///< of `picks`
};

/// A call as its header promises it. World: derived from Cube, with draw().
template <typename World> struct Call {
    const char *question;
    std::size_t reads; ///< of cold memory that one call needs; 0: none, the time must not grow
    /// @return whether the answer is right
    bool (*call)(World &world, std::size_t at);
};

/// The calls of a topic.
template <typename World> struct Rows {
    const char *contender;
    std::vector<Call<World>> all;
};

inline std::vector<std::size_t> sizes(const BenchOptions &options)
{
    if (options.check) {
        return {least, 10000};
    }
    return options.quick ? std::vector<std::size_t>{least, 100000}
                         : std::vector<std::size_t>{least, 10000, 100000, 1000000, 10000000};
}

inline std::string name(std::size_t chunks)
{
    return std::to_string(chunks) + " uniform chunks";
}

/// @return the nanoseconds of `calls` calls
template <typename World>
double measure_calls(World &world, const Call<World> &call, bool &is_right)
{
    world.draw();
    return ns_of([&] {
        for (std::size_t i = 0; i < calls; i++) {
            is_right = call.call(world, i) && is_right;
        }
    });
}

/// @return the nanoseconds of `calls` times as many reads as a call needs
inline double measure_reads(Cube &cube, std::size_t reads, bool &is_right)
{
    std::uniform_int_distribution<std::size_t> any(0, cube.lines.size() - 1);
    std::vector<std::size_t> picks(calls * std::max<std::size_t>(reads, 1));
    for (std::size_t &pick : picks) {
        pick = any(cube.random);
    }
    std::size_t sum = 0;
    const double ns = ns_of([&] {
        for (const std::size_t pick : picks) {
            sum += cube.lines[pick + sum].zero; // waits for the read before
        }
    });
    is_right = is_right && sum == 0;
    return ns;
}

/// @param measure  takes whether all answers so far were right
template <typename Measure> bench::Attempt attempt(const char *contender, Measure measure)
{
    const auto is_right = std::make_shared<bool>(true);
    return bench::measured(
        contender, [measure, is_right] { return measure(*is_right); },
        [is_right] { return *is_right; });
}

template <typename World>
void add(bench::Bench &bench, const std::shared_ptr<World> &world, const Rows<World> &rows)
{
    for (const Call<World> &call : rows.all) {
        bench::Scene scene =
            bench::scene_with({call.question, name(world->lines.size()), "ns", calls},
                              {attempt(by_reads,
                                       [world, call](bool &is_right) {
                                           return measure_reads(*world, call.reads, is_right);
                                       }),
                               attempt(rows.contender, [world, call](bool &is_right) {
                                   return measure_calls(*world, call, is_right);
                               })});
        scene.attempts[0].is_floor = true;
        bench.add(std::move(scene));
    }
}

/// What a call costs, divided by what it may cost: as among 1,000 chunks, and what its reads cost
/// more.
inline void add_target(Report &report, const char *question, std::size_t call_reads,
                       const char *contender, const std::string &world)
{
    const Figure cost = figure_of(report, question, world, contender);
    const Figure first = figure_of(report, question, name(least), contender);
    const Figure reads = figure_of(report, question, world, by_reads);
    const Figure reads_first = figure_of(report, question, name(least), by_reads);
    const double more = call_reads ? std::max(reads.value - reads_first.value, 0.0) : 0;
    const Figure ratio = cost / Figure(first.value + more, std::max(first.spread, reads.spread));
    if (std::isfinite(ratio.value)) {
        report.targets.push_back(
            {world,
             std::string(question) + ": by the cost among 1000" +
                 (call_reads ? ", plus what " + std::to_string(call_reads) + " cold reads cost more"
                             : ""),
             ratio, "x", Target::at_most, demanded});
    }
}

/// Adds stages of the calls in larger and larger worlds, and targets for how their costs grow.
/// World has a constructor that takes the number of chunks.
template <typename World> void stage(bench::Bench &bench, const Rows<World> &rows)
{
    const std::vector<std::size_t> all_sizes = sizes(bench.options);
    for (const std::size_t chunks : all_sizes) {
        const bool is_wanted =
            std::any_of(rows.all.begin(), rows.all.end(), [&](const Call<World> &call) {
                return bench.wants(call.question, name(chunks), {by_reads, rows.contender});
            });
        if (is_wanted) {
            bench.stage(
                [&bench, chunks, rows] { add(bench, std::make_shared<World>(chunks), rows); });
        }
    }
    bench.conclude([all_sizes, rows](Report &report) {
        for (const Call<World> &call : rows.all) {
            for (std::size_t i = 1; i < all_sizes.size(); i++) {
                add_target(report, call.question, call.reads, rows.contender, name(all_sizes[i]));
            }
        }
    });
}

} // namespace growth
