// By how much should an array grow? Builds whole worlds from empty with each policy.

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "growth_contenders.hpp"
#include "growth_parts.hpp"

namespace {

/// The limit of this bench's arrays, as TrnSpatialArray's default.
const std::size_t array_bytes_max = std::size_t{1} << 30;
/// The limit of copied cells. Copying more takes seconds, and each world is built many times.
const double copied_cells_max = 1.5e9;

/// One contender on one world. Every sample builds the world again.
struct PolicyCase {
    const GrowthKind *kind = nullptr;
    std::vector<SlowInserts> slow;
    bool is_checked = false, was_right = false;
    double copied = 0; ///< cells
    std::size_t bytes = 0, peak = 0, range = 0;
    GrowthShape shape;
};

// ---- limits ------------------------------------------------------------------------------------

/// What a policy would cost on a world, computed from extents without allocating any cells.
struct Forecast {
    double array_bytes = 0, copied_cells = 0;
};

Forecast forecast(const GrowthWorld &world, GrowthPolicy policy)
{
    Forecast made;
    GrowthExtent extent;
    for (const GrowthBatch &batch : world.batches) {
        for (std::size_t i = batch.first; i < batch.first + batch.count && !batch.goes; i++) {
            if (!extent.contains(world.chunks[i])) {
                made.copied_cells += static_cast<double>(extent.cells());
                extent.widen(world.chunks[i], policy);
            }
        }
    }
    made.array_bytes = static_cast<double>(extent.cells() * sizeof(void *));
    return made;
}

std::string refusal_of(const GrowthWorld &world, const GrowthKind &kind)
{
    if (kind.is_index) {
        return "";
    }
    const Forecast ahead = forecast(world, kind.policy ? kind.policy : grow_double);
    char text[160] = "";
    if (ahead.array_bytes > static_cast<double>(array_bytes_max)) {
        const double box = static_cast<double>(world.cells * sizeof(void *));
        std::snprintf(
            text, sizeof text,
            "would take %.1f GB, the box around the world %.1f GB: over the limit of 1.1 GB",
            ahead.array_bytes / 1e9, box / 1e9);
    } else if (ahead.copied_cells > copied_cells_max) {
        std::snprintf(text, sizeof text, "would copy %.1f thousand million cells, %.0f GB",
                      ahead.copied_cells / 1e9,
                      ahead.copied_cells * static_cast<double>(sizeof(void *)) / 1e9);
    }
    return text;
}

// ---- building ----------------------------------------------------------------------------------

void build(GrowthContender &contender, const GrowthWorld &world)
{
    for (const GrowthBatch &batch : world.batches) {
        const TrnCoord *chunks = world.chunks.data() + batch.first;
        batch.goes ? contender.go(chunks, batch.count) : contender.come(chunks, batch.count);
    }
}

bool is_right(const GrowthContender &contender, const GrowthWorld &world)
{
    const auto holds = [&contender](TrnCoord chunk) { return contender.holds(chunk); };
    return contender.shape().chunks == world.present.size() &&
           std::all_of(world.present.begin(), world.present.end(), holds);
}

/// Builds the world chunk by chunk, and reads the contender's shape after each allocation, since
/// every growth allocates.
void take_figures(GrowthContender &contender, const GrowthWorld &world, GrowthMemory &memory,
                  PolicyCase &figures)
{
    GrowthShape before = contender.shape();
    std::size_t takes = memory.takes();
    for (const GrowthBatch &batch : world.batches) {
        for (std::size_t i = batch.first; i < batch.first + batch.count; i++) {
            const TrnCoord *chunk = world.chunks.data() + i;
            batch.goes ? contender.go(chunk, 1) : contender.come(chunk, 1);
            if (memory.takes() == takes) {
                continue;
            }
            takes = memory.takes();
            const GrowthShape now = contender.shape();
            if (now.growths != before.growths) {
                // An index may shrink when it is resized. It then copies only the cells of the new
                // shape.
                figures.copied +=
                    static_cast<double>(std::min(before.grown_cells, now.grown_cells));
            }
            before = now;
        }
    }
    figures.shape = contender.shape();
    figures.bytes = memory.bytes();
    figures.peak = memory.peak_bytes();
    figures.range = memory.address_range();
}

/// Whether the contender holds the world's chunks after building. Checks once for all questions,
/// and stores the figures that are not times.
bool policy_is_right(PolicyCase &one, const GrowthWorld &world)
{
    if (!one.is_checked) {
        GrowthMemory memory;
        memory.model_heap();
        const auto contender = make_growth_contender(*one.kind, world, memory);
        take_figures(*contender, world, memory, one);
        one.was_right = is_right(*contender, world);
        one.is_checked = true;
    }
    return one.was_right;
}

double build_ns(const PolicyCase &one, const GrowthWorld &world)
{
    GrowthMemory memory;
    const auto contender = make_growth_contender(*one.kind, world, memory);
    const double start = clock_ns(CLOCK_MONOTONIC);
    build(*contender, world);
    return clock_ns(CLOCK_MONOTONIC) - start;
}

void time_inserts(PolicyCase &one, const GrowthWorld &world)
{
    GrowthMemory memory;
    const auto contender = make_growth_contender(*one.kind, world, memory);
    SlowInserts slow;
    slow.reserve(world.come / 16);
    std::uint32_t number = 0;
    for (const GrowthBatch &batch : world.batches) {
        const TrnCoord *chunks = world.chunks.data() + batch.first;
        if (batch.goes) {
            contender->go(chunks, batch.count);
        } else {
            contender->come_by_the_clock(chunks, batch.count, number, slow);
        }
    }
    one.slow.push_back(std::move(slow));
}

/// The microseconds of each repetition of the slowest insert, which is the insert with the largest
/// minimum over all repetitions. The system interrupts some inserts, but rarely the same one each
/// time.
std::vector<double> slowest_insert_us(const std::vector<SlowInserts> &repetitions)
{
    std::vector<double> slowest;
    double slowest_fastest = 0;
    for (const auto &candidate : repetitions.front()) {
        std::vector<double> times;
        for (const SlowInserts &slow : repetitions) {
            const auto at =
                std::lower_bound(slow.begin(), slow.end(), std::make_pair(candidate.first, 0.0));
            if (at != slow.end() && at->first == candidate.first) {
                times.push_back(at->second / 1000);
            }
        }
        const double fastest = *std::min_element(times.begin(), times.end());
        if (times.size() == repetitions.size() && fastest > slowest_fastest) {
            slowest_fastest = fastest;
            slowest = times;
        }
    }
    return slowest;
}

// ---- scenes ------------------------------------------------------------------------------------

/// A figure that is not a time. It is stored while the answer is checked.
struct PolicyFigure {
    const char *question;
    const char *unit;
    double (*of)(const PolicyCase &);
    bool is_per_chunk; ///< divided by the number of chunks at the end
};

const PolicyFigure policy_figures[] = {
    {"growths, how many", "",
     [](const PolicyCase &one) { return static_cast<double>(one.shape.growths); }, false},
    {"growths, cells copied per chunk that comes", "cells",
     [](const PolicyCase &one) { return one.copied; }, false},
    {"bytes per chunk in the end", "bytes",
     [](const PolicyCase &one) { return static_cast<double>(one.bytes); }, true},
    {"bytes per chunk at the worst moment", "bytes",
     [](const PolicyCase &one) { return static_cast<double>(one.peak); }, true},
    {"bytes per chunk of a heap of its own", "bytes",
     [](const PolicyCase &one) { return static_cast<double>(one.range); }, true},
    {"cells per chunk in the end", "cells",
     [](const PolicyCase &one) { return static_cast<double>(one.shape.chunk_cells); }, true},
};

using SharedCase = std::shared_ptr<PolicyCase>;
using SharedWorld = std::shared_ptr<const GrowthWorld>;

bench::Scene scene_of(const char *question, const char *unit, const GrowthWorld &world)
{
    return {question, world.name, unit, world.present.size(), world.come};
}

bench::Attempt attempt_of(const SharedCase &one, const SharedWorld &world)
{
    bench::Attempt attempt = {one->kind->name};
    attempt.check = [one, world] { return policy_is_right(*one, *world); };
    return attempt;
}

bench::Attempt build_attempt(const SharedCase &one, const SharedWorld &world)
{
    bench::Attempt attempt = attempt_of(one, world);
    attempt.measure = [one, world] { return build_ns(*one, *world); };
    attempt.calls = 1;
    attempt.samples = world->is_long ? 7 : 21;
    return attempt;
}

/// An attempt for the slowest insert, which is known only after all samples.
bench::Attempt worst_attempt(const SharedCase &one, const SharedWorld &world)
{
    bench::Attempt attempt = attempt_of(one, world);
    attempt.run = std::make_shared<bench::Run>();
    attempt.run->take = [one, world] { time_inserts(*one, *world); };
    attempt.run->samples = world->is_long ? 7 : 21;
    attempt.figures = [one] {
        std::vector<double> us;
        if (!one->slow.empty()) {
            us = slowest_insert_us(one->slow);
        }
        if (us.empty()) {
            throw bench::Refused{"none takes 0.25 us"};
        }
        return us;
    };
    return attempt;
}

bench::Attempt figure_attempt(const SharedCase &one, const SharedWorld &world,
                              const PolicyFigure &figure)
{
    const double chunks = static_cast<double>(figure.is_per_chunk ? world->present.size()
                                              : *figure.unit      ? world->come
                                                                  : 1);
    bench::Attempt attempt = attempt_of(one, world);
    attempt.figures = [one, &figure, chunks] {
        return std::vector<double>{figure.of(*one) / chunks};
    };
    return attempt;
}

/// All questions about one world.
void add_world(bench::Bench &bench, const SharedWorld &world)
{
    std::vector<bench::Scene> scenes = {scene_of(growth_question_build, "ns", *world),
                                        scene_of(growth_question_worst, "us", *world)};
    for (const PolicyFigure &figure : policy_figures) {
        scenes.push_back(scene_of(figure.question, figure.unit, *world));
    }
    for (const GrowthKind &kind : growth_kinds()) {
        const auto one = std::make_shared<PolicyCase>();
        one->kind = &kind;
        bench::Attempt first = build_attempt(one, world);
        first.refusal = refusal_of(*world, kind);
        scenes[0].attempts.push_back(first);
        if (!first.refusal.empty()) {
            continue; // the first question's table shows the reason
        }
        scenes[1].attempts.push_back(worst_attempt(one, world));
        for (std::size_t i = 0; i < std::size(policy_figures); i++) {
            scenes[2 + i].attempts.push_back(figure_attempt(one, world, policy_figures[i]));
        }
    }
    for (bench::Scene &scene : scenes) {
        scene.baseline = growth_kinds().front().name;
    }
    bench.add(std::move(scenes));
}

} // namespace

void add_growth_policies(bench::Bench &bench)
{
    for (GrowthWorld &made : make_growth_worlds(bench.options.quick)) {
        const auto world = std::make_shared<const GrowthWorld>(std::move(made));
        bench.stage([&bench, world] { add_world(bench, world); });
    }
}
