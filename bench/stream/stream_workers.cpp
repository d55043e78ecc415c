// Many workers on few cores: hooks that sleep show whether the lock and the hand-over keep up with
// more workers than this machine has cores.

#include <atomic>
#include <string>
#include <thread>

#include <time.h>

#include "driver/clock.hpp"
#include "stream_parts.hpp"
#include "stream_world.hpp"

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

enum Column : std::size_t {
    piece_us, ///< elapsed time divided by pieces of all threads
    pieces,
    own_us ///< processor time per piece, all threads; only of the stream
};

/// The baseline: the same number of threads, which only sleep.
Figures run_plain(std::uint32_t workers, double seconds)
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
    return {us / done, done};
}

Figures run_stream(std::uint32_t workers, double seconds)
{
    StreamWorldOptions options;
    options.workers = workers;
    options.budget = budget_of_ms(0);
    options.adjust = [](TrnStreamDef &def) {
        def.generator = {};
        def.generator.generate = generate;
        def.hooks.mesh = make_mesh;
        def.queue_bytes = std::size_t{64} << 20;
        def.worker_nice = 0; // as for the plain threads
    };
    StreamWorld world(options);
    world.add_anchor({0, 0, 0}, 32, 8);
    const double begun_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    const double us = world.update_until_idle(updates_s, seconds) * 1e6;
    const double all_own_us = (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begun_ns) / 1e3;
    const TrnStreamStats stats = trn_stream_stats(world.stream());
    const auto done = static_cast<double>(stats.generated + stats.meshed);
    if (stats.workers != workers) {
        throw bench::Refused{"not all workers could be started"};
    }
    return {us / done, done, all_own_us / done};
}

void add_workers(bench::Bench &bench, std::uint32_t workers)
{
    const double seconds = bench.options.quick ? 0.15 : 1;
    const Sampled slept([=] { return run_plain(workers, seconds); }, 3);
    const Sampled streamed([=] { return run_stream(workers, seconds); }, 3);
    const std::string world = std::to_string(workers) + " workers";
    bench.stage({bench::scene_with(
        {question, world, "us"},
        {slept.attempt(plain, piece_us, pieces), streamed.attempt(contender, piece_us, pieces)})});
    bench.conclude([=](Report &report) {
        if (!streamed.is_measured()) {
            return;
        }
        const Figure second_us = 1e6, each_us = streamed.median(piece_us);
        report.targets.push_back({world, "pieces of work a second, part of plain threads",
                                  slept.median(piece_us) / each_us * 100, "%",
                                  workers >= 16 ? Target::at_least : Target::none, 85});
        report.targets.push_back({world, "pieces of work a second", second_us / each_us, "1/s"});
        report.targets.push_back(
            {world, "processor time a piece of work, all threads", streamed.median(own_us), "us"});
    });
}

} // namespace

void add_many_workers(bench::Bench &bench)
{
    add_workers(bench, 4);
    add_workers(bench, 16);
}
