// A cold fill, compared with the ideal: the same chunks generated, encoded and meshed in plain
// loops on one thread, divided by two threads.

#include <algorithm>
#include <cmath>
#include <string>

#include "driver/clock.hpp"
#include "stream_parts.hpp"
#include "stream_world.hpp"

namespace {

const char *const question = "cold fill against plain loops";
const char *const ideal = "plain loops, processor time of one thread / 2";
const char *const unlimited = "Terrane, the calling thread works too, no limit of time";

struct View {
    std::uint32_t radius, height;
};

/// The chunks that a fill loaded and showed, in order.
struct Order {
    std::vector<TrnCoord> loaded, shown;
};

enum Column : std::size_t {
    fill_ms,   ///< time until idle
    cpu_ms,    ///< of all threads
    own_ms,    ///< processor time of the calling thread
    fill_hash, ///< of the world
    fill_chunks,
    column_count ///< three coordinates follow for each loaded, then each shown chunk
};

StreamWorldOptions options_of(const View &view, bool is_limited)
{
    StreamWorldOptions options;
    options.columns = view.radius > 16 ? 2048 : 512;
    if (!is_limited) {
        options.workers = 1;
        options.caller_works = true;
        options.budget = budget_of_ms(0);
    }
    return options;
}

void note(void *user, const TrnStreamEvent *event)
{
    auto *order = static_cast<Order *>(user);
    if (event->kind == TRN_STREAM_EVENT_LOADED) {
        order->loaded.push_back(event->coord);
    } else if (event->kind == TRN_STREAM_EVENT_SHOWN) {
        order->shown.push_back(event->coord);
    }
}

/// @param is_limited  uses the default def and sixty updates a second
Figures fill_by_stream(const View &view, bool is_limited)
{
    Order order;
    StreamWorldOptions options = options_of(view, is_limited);
    options.adjust = [&](TrnStreamDef &def) {
        def.listener = note;
        def.listener_user = &order;
    };
    StreamWorld world(options);
    const double begun_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    const double own_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    world.add_anchor({0, world.ground(0, 0) + 2, 0}, view.radius, view.height);
    const double seconds = world.update_until_idle(is_limited ? 60 : 0, 120);
    Figures figures = {seconds * 1e3, (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begun_ns) / 1e6,
                       (clock_ns(CLOCK_THREAD_CPUTIME_ID) - own_ns) / 1e6,
                       static_cast<double>(world.hash()), static_cast<double>(order.loaded.size())};
    // Air has no mesh to build.
    order.shown.erase(std::remove_if(order.shown.begin(), order.shown.end(),
                                     [&](TrnCoord at) { return world.is_air(at); }),
                      order.shown.end());
    if (trn_stream_stats(world.stream()).meshed != order.shown.size()) {
        throw bench::Wrong{"some chunks were meshed twice or not shown"};
    }
    for (const auto *coords : {&order.loaded, &order.shown}) {
        for (const TrnCoord &at : *coords) {
            figures.insert(figures.end(), {1.0 * at.x, 1.0 * at.y, 1.0 * at.z});
        }
    }
    return figures;
}

Order order_of(const Figures &figures)
{
    Order order;
    for (std::size_t i = column_count; i < figures.size(); i += 3) {
        auto &coords = static_cast<double>(order.loaded.size()) < figures[fill_chunks]
                           ? order.loaded
                           : order.shown;
        coords.push_back({static_cast<std::int32_t>(figures[i]),
                          static_cast<std::int32_t>(figures[i + 1]),
                          static_cast<std::int32_t>(figures[i + 2])});
    }
    return order;
}

/// Loads and meshes the same chunks in the same order, without a stream. @return time and hash
std::pair<double, double> fill_plainly(const View &view, const Order &order)
{
    const Figures figures = run_apart([&]() -> Figures {
        StreamWorld world(options_of(view, false));
        world.end_stream();
        const double begun_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        world.fill_plainly(order.loaded, order.shown);
        const double ms = (clock_ns(CLOCK_THREAD_CPUTIME_ID) - begun_ns) / 1e6;
        return {ms, static_cast<double>(world.hash())};
    });
    return {figures[0], figures[1]};
}

enum AllColumn : std::size_t {
    plain_half_ms,
    free_ms,
    limited_ms,
    free_cpu_ms,
    free_own_ms,
    chunks
};

/// Fills the world in three ways, each in a separate process, and compares the worlds.
Figures fill_three_ways(const View &view)
{
    const Figures free = run_apart([&] { return fill_by_stream(view, false); });
    const Figures limited = run_apart([&] { return fill_by_stream(view, true); });
    const auto [plain_ms, hash] = fill_plainly(view, order_of(free));
    if (hash != free[fill_hash] || hash != limited[fill_hash]) {
        throw bench::Wrong{"the stream and plain loops load or mesh different worlds"};
    }
    return {plain_ms / 2, free[fill_ms], limited[fill_ms],
            free[cpu_ms], free[own_ms],  free[fill_chunks]};
}

/// fill_three_ways() in a small view, for --check.
bool fills_agree()
{
    const View view = {5, 2};
    const Figures stream = run_apart([&] { return fill_by_stream(view, false); });
    const Order order = order_of(stream);
    return !order.shown.empty() && fill_plainly(view, order).second == stream[fill_hash];
}

void conclude_fills(Report &report, const std::string &world, const Sampled &sampled)
{
    const Figure plain = sampled.median(plain_half_ms), free = sampled.median(free_ms);
    const Figure cpu = sampled.median(free_cpu_ms);
    report.targets.push_back({world, "cold fill without limits, part of the ideal",
                              plain / free * 100, "%", Target::at_least, 70});
    report.targets.push_back({world, "cold fill by default, by that without limits",
                              sampled.median(limited_ms) / free, "x", Target::at_most, 1.5});
    // If other programs run concurrently, the first figure is still valid, and the second exceeds
    // 50 %.
    report.targets.push_back({world,
                              "without limits: processor time of all threads, by plain loops",
                              cpu / (plain * 2), "x"});
    report.targets.push_back({world, "without limits: of that, on the calling thread",
                              sampled.median(free_own_ms) / cpu * 100, "%"});
}

} // namespace

void add_fills(bench::Bench &bench)
{
    const auto check = bench::made_once(fills_agree);
    for (const View &view : {View{16, 4}, View{32, 8}}) {
        if (bench.options.quick && view.radius > 16) {
            continue;
        }
        const Sampled sampled([=] { return fill_three_ways(view); }, bench.options.quick ? 2 : 3,
                              600);
        const std::string world = "flattened R=" + std::to_string(view.radius);
        bench::Scene scene = {question, world, "ms"};
        scene.attempts = {sampled.attempt(ideal, plain_half_ms, chunks),
                          sampled.attempt(stream_default, limited_ms, chunks),
                          sampled.attempt(unlimited, free_ms, chunks)};
        scene.attempts[0].is_floor = true;
        for (bench::Attempt &attempt : scene.attempts) {
            attempt.check = check;
        }
        bench.stage({scene});
        bench.conclude([=](Report &report) {
            if (sampled.is_measured()) {
                conclude_fills(report, world, sampled);
            }
        });
    }
}
