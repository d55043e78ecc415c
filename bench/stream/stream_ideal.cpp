// A cold fill against the ideal: the same chunks generated, encoded and meshed in plain loops on
// one thread, divided by two threads.

#include <algorithm>
#include <cstdio>
#include <string>

#include "driver/timing.hpp"
#include "stream_rows.hpp"
#include "stream_scenes.hpp"

namespace {

const char *const question = "cold fill against plain loops";
const char *const ideal = "plain loops, processor time of one thread / 2";
const char *const unlimited = "Terrane, the calling thread works too, no limit of time";
const char *const by_default = "Terrane, 60 updates a second";

struct Fill {
    std::uint32_t radius, height;
    bool is_limited; ///< by the default def, at sixty updates a second
};

/// What a fill did, in the order in which it did it.
struct Order {
    std::vector<TrnCoord> loaded, shown;
};

struct Filled {
    std::string problem;
    double ms = 0, cpu_ms = 0; ///< until idle; of all threads
    double own_ms = 0;         ///< processor time of the calling thread
    Order order;
    std::vector<double> hash;
};

StreamWorldOptions options_of(const Fill &fill)
{
    StreamWorldOptions options;
    options.workers = fill.is_limited ? TRN_STREAM_WORKERS_DEFAULT : 1;
    options.columns = fill.radius > 16 ? 2048 : 512;
    if (!fill.is_limited) {
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

void push_coords(std::vector<double> &figures, const std::vector<TrnCoord> &coords)
{
    figures.push_back(static_cast<double>(coords.size()));
    for (const TrnCoord &at : coords) {
        figures.insert(figures.end(), {1.0 * at.x, 1.0 * at.y, 1.0 * at.z});
    }
}

std::vector<TrnCoord> take_coords(const double *&figure)
{
    std::vector<TrnCoord> coords(static_cast<std::size_t>(*figure++));
    for (TrnCoord &at : coords) {
        at = {static_cast<std::int32_t>(figure[0]), static_cast<std::int32_t>(figure[1]),
              static_cast<std::int32_t>(figure[2])};
        figure += 3;
    }
    return coords;
}

Reply run_stream(const Fill &fill)
{
    Order order;
    StreamWorldOptions options = options_of(fill);
    options.adjust = [&](TrnStreamDef &def) {
        def.listener = note;
        def.listener_user = &order;
    };
    StreamWorld world(options);
    const double begun_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    const double own_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    add_anchor(world, {0, world.ground(0, 0) + 2, 0}, fill.radius, fill.height);
    const double seconds = update_until_idle(world, fill.is_limited ? 60 : 0, 120);
    const double cpu_ms = (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begun_ns) / 1e6;
    const double own_ms = (clock_ns(CLOCK_THREAD_CPUTIME_ID) - own_ns) / 1e6;
    // Air has no mesh to build.
    order.shown.erase(std::remove_if(order.shown.begin(), order.shown.end(),
                                     [&](TrnCoord at) { return world.is_air(at); }),
                      order.shown.end());
    Reply reply;
    reply.figures = {seconds * 1e3, cpu_ms, own_ms};
    push_hash(reply.figures, world.hash());
    push_coords(reply.figures, order.loaded);
    push_coords(reply.figures, order.shown);
    if (trn_stream_stats(world.stream()).meshed != order.shown.size()) {
        reply.verdict = Reply::wrong;
        reply.text = "some chunks were meshed twice or not shown";
    }
    return reply;
}

Filled fill_by_stream(const Fill &fill)
{
    const Reply reply = run_apart([&] { return run_stream(fill); }, 240);
    Filled filled;
    if (reply.verdict != Reply::fine) {
        filled.problem = reply.text;
        return filled;
    }
    const double *figure = reply.figures.data();
    filled.ms = *figure++;
    filled.cpu_ms = *figure++;
    filled.own_ms = *figure++;
    filled.hash.assign(figure, figure + 2);
    figure += 2;
    filled.order.loaded = take_coords(figure);
    filled.order.shown = take_coords(figure);
    return filled;
}

/// Does the same work in the same order, without a stream.
Filled fill_plainly(const Fill &fill, const Order &order)
{
    const Reply reply = run_apart(
        [&] {
            StreamWorld world(options_of(fill));
            world.end_stream();
            const double begun_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
            world.fill_plainly(order.loaded, order.shown);
            Reply done;
            done.figures = {(clock_ns(CLOCK_THREAD_CPUTIME_ID) - begun_ns) / 1e6};
            push_hash(done.figures, world.hash());
            return done;
        },
        240);
    Filled filled;
    if (reply.verdict != Reply::fine) {
        filled.problem = reply.text;
        return filled;
    }
    filled.ms = filled.cpu_ms = reply.figures[0];
    filled.hash.assign(reply.figures.begin() + 1, reply.figures.end());
    return filled;
}

struct Rows {
    Entry plain, free, limited;
    std::vector<double> cpu_ms, own_ms; ///< of the stream without limits
};

/// Fills three ways, and compares the worlds. @return why there are no figures; empty: there are
std::string fill_once(std::uint32_t radius, std::uint32_t height, Rows &rows)
{
    const Filled free = fill_by_stream({radius, height, false});
    const Filled limited = fill_by_stream({radius, height, true});
    for (const Filled *filled : {&free, &limited}) {
        if (!filled->problem.empty()) {
            return filled->problem;
        }
    }
    const Filled plain = fill_plainly({radius, height, false}, free.order);
    if (!plain.problem.empty()) {
        return plain.problem;
    }
    if (plain.hash != free.hash || plain.hash != limited.hash) {
        return "the worlds differ";
    }
    rows.plain.times.push_back(plain.cpu_ms / 2);
    rows.free.times.push_back(free.ms);
    rows.limited.times.push_back(limited.ms);
    rows.cpu_ms.push_back(free.cpu_ms);
    rows.own_ms.push_back(free.own_ms);
    rows.plain.count = rows.free.count = rows.limited.count = free.order.loaded.size();
    return "";
}

void measure_radius(std::uint32_t radius, std::uint32_t height, const BenchOptions &options,
                    Report &report)
{
    const std::string world = "flattened R=" + std::to_string(radius);
    if (!options.wants(question, world, by_default) && !options.wants(question, world, unlimited)) {
        return;
    }
    std::fprintf(stderr, "stream: cold fill against plain loops, %s\n", world.c_str());
    Rows rows;
    rows.plain = entry_of(question, world, ideal, "ms");
    rows.free = entry_of(question, world, unlimited, "ms");
    rows.limited = entry_of(question, world, by_default, "ms");
    rows.plain.is_baseline = true;
    for (int i = 0; i < (options.quick ? 2 : 3); i++) {
        const std::string problem = fill_once(radius, height, rows);
        if (!problem.empty()) {
            rows.plain.remark = rows.free.remark = rows.limited.remark = problem;
            break;
        }
    }
    report.entries.insert(report.entries.end(), {rows.plain, rows.free, rows.limited});
    if (rows.plain.times.empty()) {
        return;
    }
    const double plain_ms = spread_of(rows.plain.times).median;
    const double free_ms = spread_of(rows.free.times).median;
    add_target_at_least(report, world, "cold fill without limits, part of the ideal",
                        100 * plain_ms / free_ms, "%", 85);
    add_target(report, world, "cold fill by default, by that without limits",
               spread_of(rows.limited.times).median / free_ms, "x", 1.5);
    // If other programs run too, the first still holds, and the second shows it: it exceeds 50 %.
    const double cpu_ms = spread_of(rows.cpu_ms).median;
    add_target(report, world, "without limits: processor time of all threads, by plain loops",
               cpu_ms / (2 * plain_ms), "x", told);
    add_target(report, world, "without limits: of that, on the calling thread",
               100 * spread_of(rows.own_ms).median / cpu_ms, "%", told);
}

} // namespace

bool fills_agree()
{
    const Filled stream = fill_by_stream({5, 2, false});
    return stream.problem.empty() && !stream.order.shown.empty() &&
           fill_plainly({5, 2, false}, stream.order).hash == stream.hash;
}

void measure_ideal(const BenchOptions &options, Report &report)
{
    measure_radius(16, 4, options, report);
    if (!options.quick) {
        measure_radius(32, 8, options, report);
    }
}
