// Many workers on few cores: hooks that sleep show whether the lock and the hand-over keep up with
// more workers than this machine has cores.

#include <atomic>
#include <cstdio>
#include <string>
#include <thread>

#include <time.h>

#include "driver/timing.hpp"
#include "stream_rows.hpp"
#include "stream_scenes.hpp"

namespace {

const char *const question = "many workers, time a piece of work";
const char *const plain = "plain threads that sleep";
const char *const contender = "Terrane, hooks that sleep 200 us";
const long sleep_ns = 200000;
const double updates_s = 1000;

void sleep_a_while()
{
    const timespec time = {0, sleep_ns};
    nanosleep(&time, nullptr);
}

TrnResult generate(void *, TrnCoord, std::uint32_t, TrnBlock *blocks, bool *uniform)
{
    sleep_a_while();
    blocks[0] = TRN_BLOCK_STONE;
    *uniform = true;
    return TRN_RESULT_OK;
}

TrnResult make_mesh(void *, const TrnStreamJob *, const TrnStreamMeshInput *, TrnStreamMesh *)
{
    sleep_a_while();
    return TRN_RESULT_OK;
}

/// What sleeping takes: the same number of threads that do nothing else.
/// @return us a sleep over all threads; how many
Reply run_plain(std::uint32_t workers, double seconds)
{
    std::atomic<std::uint64_t> count{0};
    std::atomic<bool> is_over{false};
    std::vector<std::thread> threads;
    const double begun_ns = clock_ns(CLOCK_MONOTONIC);
    for (std::uint32_t i = 0; i < workers; i++) {
        threads.emplace_back([&] {
            while (!is_over) {
                sleep_a_while();
                count.fetch_add(1, std::memory_order_relaxed);
            }
        });
    }
    sleep_until_ns(begun_ns + seconds * 1e9);
    const auto done = static_cast<double>(count.load());
    const double us = (clock_ns(CLOCK_MONOTONIC) - begun_ns) / 1e3;
    is_over = true;
    for (std::thread &thread : threads) {
        thread.join();
    }
    Reply reply;
    reply.figures = {us / done, done};
    return reply;
}

/// @return us a piece of work over all workers; how many; us of processor time each
Reply run_stream(std::uint32_t workers, double seconds)
{
    StreamWorldOptions options;
    options.workers = workers;
    options.budget = budget_of_ms(0);
    options.adjust = [](TrnStreamDef &def) {
        def.generator = {generate, nullptr, 0};
        def.hooks.mesh = make_mesh;
        def.queue_bytes = std::size_t{64} << 20;
        def.worker_nice = 0; // as the plain threads
    };
    StreamWorld world(options);
    add_anchor(world, {0, 0, 0}, 32, 8);
    const double begun_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    const double us = update_until_idle(world, updates_s, seconds) * 1e6;
    const double own_us = (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begun_ns) / 1e3;
    const TrnStreamStats stats = trn_stream_stats(world.stream());
    const auto done = static_cast<double>(stats.generated + stats.meshed);
    Reply reply;
    reply.figures = {us / done, done, own_us / done};
    if (stats.workers != workers) {
        reply.verdict = Reply::refused;
        reply.text = "not all workers could be started";
    }
    return reply;
}

struct Pair {
    Entry ideal, stream;
    std::vector<double> own_us; ///< processor time a piece of work, all threads
};

Pair time_pair(std::uint32_t workers, const std::string &world, bool is_quick)
{
    Pair pair = {
        entry_of(question, world, plain, "us"), entry_of(question, world, contender, "us"), {}};
    pair.ideal.is_baseline = true;
    const double seconds = is_quick ? 0.15 : 1;
    for (int i = 0; i < 3; i++) {
        const Reply slept = run_apart([&] { return run_plain(workers, seconds); }, 120);
        const Reply reply = run_apart([&] { return run_stream(workers, seconds); }, 120);
        if (slept.verdict != Reply::fine || reply.verdict != Reply::fine) {
            pair.ideal.remark = slept.text;
            pair.stream.remark = reply.text;
            break;
        }
        pair.ideal.times.push_back(slept.figures[0]);
        pair.ideal.count = static_cast<std::size_t>(slept.figures[1]);
        pair.stream.times.push_back(reply.figures[0]);
        pair.stream.count = static_cast<std::size_t>(reply.figures[1]);
        pair.own_us.push_back(reply.figures[2]);
    }
    return pair;
}

void measure_workers(std::uint32_t workers, const BenchOptions &options, Report &report)
{
    const std::string world = std::to_string(workers) + " workers";
    if (!options.wants(question, world, contender)) {
        return;
    }
    std::fprintf(stderr, "stream: many workers, %s\n", world.c_str());
    const Pair pair = time_pair(workers, world, options.quick);
    report.entries.push_back(pair.ideal);
    report.entries.push_back(pair.stream);
    if (pair.stream.times.empty()) {
        return;
    }
    const double stream_us = spread_of(pair.stream.times).median;
    const double part = 100 * spread_of(pair.ideal.times).median / stream_us;
    const char *const what = "pieces of work a second, part of plain threads";
    if (workers >= 16) {
        add_target_at_least(report, world, what, part, "%", 85);
    } else {
        add_target(report, world, what, part, "%", told);
    }
    add_target(report, world, "pieces of work a second", 1e6 / stream_us, "1/s", told);
    add_target(report, world, "processor time a piece of work, all threads",
               spread_of(pair.own_us).median, "us", told);
}

} // namespace

void measure_many_workers(const BenchOptions &options, Report &report)
{
    measure_workers(4, options, report);
    measure_workers(16, options, report);
}
