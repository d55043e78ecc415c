// By how much should an array grow? Whole worlds are built from nothing under each policy.

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include "environment.hpp"
#include "growth_contenders.hpp"
#include "growth_parts.hpp"
#include "timing.hpp"

const char *const question_growth_build = "build a world, per chunk that comes";
const char *const question_growth_worst = "the slowest insert";

namespace {

const char *const question_growths = "growths, how many";
const char *const question_copied = "growths, cells copied per chunk that comes";
const char *const question_bytes = "bytes per chunk in the end";
const char *const question_peak = "bytes per chunk at the worst moment";
const char *const question_range = "bytes per chunk of a heap of its own";
const char *const question_cells = "cells per chunk in the end";

/// No array of this bench takes more: as TrnSpatialArray does by default.
const std::size_t array_bytes_max = std::size_t{1} << 30;
/// Copies of more cells than this take seconds, and each is taken many times.
const double copied_cells_max = 1.5e9;

/// One contender on one world. Every repetition builds it afresh.
struct PolicyCase {
    const GrowthKind *kind = nullptr;
    std::string refusal;          ///< why it is not measured; empty when it is
    std::vector<double> build_ns; ///< per chunk that comes
    std::vector<SlowInserts> slow;
    double copied = 0; ///< cells
    std::size_t bytes = 0, peak = 0, range = 0;
    GrowthShape shape;
};

// ---- what would go too far ---------------------------------------------------------------------

/// What a policy would come to on a world: growing is arithmetic, as long as no cell is copied.
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

/// Builds one chunk at a time, and takes down what happens when memory is taken: nothing grows
/// without.
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
                // An index that fits itself anew may shrink: it copies what both shapes share.
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

bool check_and_take_figures(PolicyCase &one, const GrowthWorld &world)
{
    GrowthMemory memory;
    memory.model_heap();
    const auto contender = make_growth_contender(*one.kind, world, memory);
    take_figures(*contender, world, memory, one);
    return is_right(*contender, world) || growth_is_wrong(one.kind->name, world.name);
}

void time_build(PolicyCase &one, const GrowthWorld &world)
{
    GrowthMemory memory;
    const auto contender = make_growth_contender(*one.kind, world, memory);
    const double start = clock_ns(CLOCK_MONOTONIC);
    build(*contender, world);
    const double ns = clock_ns(CLOCK_MONOTONIC) - start;
    one.build_ns.push_back(ns / static_cast<double>(world.come));
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

/// The insert whose fastest repetition is the slowest of all, by the microseconds of each
/// repetition. The machine interrupts an insert now and then, but hardly the same one each time.
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

// ---- entries -----------------------------------------------------------------------------------

struct PolicyQuestion {
    const char *name;
    const char *unit;
    std::vector<double> (*figures)(const PolicyCase &, const GrowthWorld &);
};

std::vector<double> per_chunk(double figure, std::size_t chunks)
{
    return {figure / static_cast<double>(chunks)};
}

const std::vector<PolicyQuestion> &policy_questions()
{
    using Case = const PolicyCase &;
    using Place = const GrowthWorld &;
    static const std::vector<PolicyQuestion> questions = {
        {question_growth_build, "ns", [](Case one, Place) { return one.build_ns; }},
        {question_growth_worst, "us",
         [](Case one, Place) {
             return one.slow.empty() ? std::vector<double>{} : slowest_insert_us(one.slow);
         }},
        {question_growths, "",
         [](Case one, Place) { return per_chunk(static_cast<double>(one.shape.growths), 1); }},
        {question_copied, "cells",
         [](Case one, Place world) { return per_chunk(one.copied, world.come); }},
        {question_bytes, "bytes",
         [](Case one, Place world) {
             return per_chunk(static_cast<double>(one.bytes), world.present.size());
         }},
        {question_peak, "bytes",
         [](Case one, Place world) {
             return per_chunk(static_cast<double>(one.peak), world.present.size());
         }},
        {question_range, "bytes",
         [](Case one, Place world) {
             return per_chunk(static_cast<double>(one.range), world.present.size());
         }},
        {question_cells, "cells",
         [](Case one, Place world) {
             return per_chunk(static_cast<double>(one.shape.chunk_cells), world.present.size());
         }},
    };
    return questions;
}

bool wants_policy(const BenchOptions &options, const char *question, const GrowthWorld &world,
                  const GrowthKind &kind)
{
    return kind.is_baseline || options.wants(question, world.name, kind.name);
}

bool wants_any(const BenchOptions &options, const GrowthWorld &world, const GrowthKind &kind)
{
    const auto &questions = policy_questions();
    return std::any_of(questions.begin(), questions.end(), [&](const PolicyQuestion &question) {
        return wants_policy(options, question.name, world, kind);
    });
}

std::vector<PolicyCase> make_cases(const BenchOptions &options, const GrowthWorld &world)
{
    std::vector<PolicyCase> cases;
    for (const GrowthKind &kind : growth_kinds()) {
        if (wants_any(options, world, kind)) {
            PolicyCase one;
            one.kind = &kind;
            one.refusal = refusal_of(world, kind);
            cases.push_back(one);
        }
    }
    return cases;
}

/// Repetitions of all contenders in turn, so that a slow second of the machine does not fall on one
/// alone.
void time_cases(const BenchOptions &options, const GrowthWorld &world,
                std::vector<PolicyCase> &cases)
{
    const int repetitions = world.is_long ? (options.quick ? 3 : 7) : (options.quick ? 9 : 21);
    for (int repetition = 0; repetition < repetitions; repetition++) {
        for (PolicyCase &one : cases) {
            if (!one.refusal.empty()) {
                continue;
            }
            show_growth_progress(world.name + ": " + one.kind->name);
            Steadiness::instance().probe();
            if (wants_policy(options, question_growth_build, world, *one.kind)) {
                time_build(one, world);
            }
            if (wants_policy(options, question_growth_worst, world, *one.kind)) {
                time_inserts(one, world);
            }
        }
    }
    show_growth_progress("");
}

Entry policy_entry(const PolicyQuestion &question, const GrowthWorld &world, const PolicyCase &one)
{
    Entry entry;
    entry.question = question.name;
    entry.world = world.name;
    entry.contender = one.kind->name;
    entry.unit = question.unit;
    entry.count = world.present.size();
    entry.is_baseline = one.kind->is_baseline;
    entry.remark = one.refusal;
    if (one.refusal.empty()) {
        entry.times = question.figures(one, world);
        if (entry.times.empty()) {
            entry.remark = "none takes 0.25 us";
        }
    }
    return entry;
}

bool measure_world(const BenchOptions &options, const GrowthWorld &world,
                   std::vector<Entry> &entries)
{
    std::vector<PolicyCase> cases = make_cases(options, world);
    for (PolicyCase &one : cases) {
        if (one.refusal.empty() && !check_and_take_figures(one, world)) {
            return false;
        }
    }
    time_cases(options, world, cases);
    for (const PolicyQuestion &question : policy_questions()) {
        for (const PolicyCase &one : cases) {
            // Why there are no figures stands in the first table alone.
            const bool has_said_no = !one.refusal.empty() && &question != &policy_questions()[0];
            if (!has_said_no && wants_policy(options, question.name, world, *one.kind)) {
                entries.push_back(policy_entry(question, world, one));
            }
        }
    }
    return true;
}

} // namespace

bool measure_growth_policies(const BenchOptions &options, Report &report)
{
    std::vector<Entry> entries;
    for (const GrowthWorld &world : make_growth_worlds(options.quick)) {
        if (!measure_world(options, world, entries)) {
            return false;
        }
    }
    // Measured a world at a time, read a question at a time.
    for (const PolicyQuestion &question : policy_questions()) {
        std::copy_if(entries.begin(), entries.end(), std::back_inserter(report.entries),
                     [&question](const Entry &entry) { return entry.question == question.name; });
    }
    return true;
}
