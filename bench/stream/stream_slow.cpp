// A window that updates once a second: how soon is the ground shown, and are near chunks shown
// before far ones?

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>

#include "driver/clock.hpp"
#include "stream_parts.hpp"
#include "stream_world.hpp"

namespace {

const char *const world_name = "flattened R=16, one update a second";
const char *const contender = "Terrane, default def, one worker";
const int updates_max = 900, near_chunks = 3, far_chunks = 12;
const std::size_t near_count = std::size_t{7} * 7 * 7;

/// A clock that runs in real time during updates, so that budgets apply, and skips the time between
/// updates.
class SkippingClock {
  public:
    static double us(void *user)
    {
        return clock_ns(CLOCK_MONOTONIC) / 1e3 + static_cast<SkippingClock *>(user)->ahead_us_;
    }
    void skip_to(double time_us)
    {
        ahead_us_ = std::max(ahead_us_.load(), time_us - clock_ns(CLOCK_MONOTONIC) / 1e3);
    }

  private:
    std::atomic<double> ahead_us_{0};
};

/// Watches the order in which chunks are shown.
struct Watch {
    StreamWorld *world = nullptr;
    TrnCoord centre = {};
    std::size_t near_shown = 0; ///< each is shown once, as none is unloaded or changed
    std::size_t violations = 0; ///< far chunks meshed while a near one was not
};

int distance(TrnCoord a, TrnCoord b)
{
    return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)});
}

void watch_shown(void *user, const TrnStreamEvent *event)
{
    auto *watch = static_cast<Watch *>(user);
    if (event->kind != TRN_STREAM_EVENT_SHOWN) {
        return;
    }
    const int far = distance(event->coord, watch->centre);
    watch->near_shown += far <= near_chunks;
    const bool is_air = watch->world->is_air(event->coord);
    // Air is shown without meshing as soon as it is loaded.
    watch->violations += far >= far_chunks && !is_air && watch->near_shown < near_count;
}

bool is_ground_shown(const StreamWorld &world, TrnCoord centre)
{
    const TrnVoxel first = trn_coord_voxel(trn_coord_add(centre, -1, -1, -1));
    const TrnVoxel behind = trn_coord_voxel(trn_coord_add(centre, 2, 2, 2));
    return trn_stream_readiness(world.stream(), first, {behind.x - 1, behind.y - 1, behind.z - 1})
        .is_shown;
}

enum Column : std::size_t { ground_s, all_s, violations, chunks };

Figures run_slow()
{
    SkippingClock clock;
    Watch watch;
    StreamWorldOptions options;
    options.workers = 1;
    options.adjust = [&](TrnStreamDef &def) {
        def.clock_us = SkippingClock::us;
        def.clock_user = &clock;
        def.listener = watch_shown;
        def.listener_user = &watch;
    };
    StreamWorld world(options);
    const TrnVoxel at = {0, world.ground(0, 0) + 2, 0};
    watch.world = &world;
    watch.centre = trn_voxel_chunk(at);
    world.add_anchor(at, 16, 4);
    const double begun_us = SkippingClock::us(&clock);
    Figures figures = {std::nan(""), std::nan(""), 0, 0};
    for (int i = 0; i < updates_max && std::isnan(figures[all_s]); i++) {
        clock.skip_to(begun_us + i * 1e6);
        if (world.update().is_idle) {
            figures[all_s] = i;
        }
        if (std::isnan(figures[ground_s]) && is_ground_shown(world, watch.centre)) {
            figures[ground_s] = i;
        }
        trn_stream_wait(world.stream()); // a second is longer than all work that was issued
    }
    if (std::isnan(figures[all_s])) {
        throw bench::Wrong{"not done after 15 minutes"};
    }
    if (watch.near_shown != near_count) {
        throw bench::Wrong{"a near chunk was not shown, or twice"};
    }
    figures[violations] = static_cast<double>(watch.violations);
    figures[chunks] = trn_stream_stats(world.stream()).shown;
    return figures;
}

} // namespace

void add_slow_window(bench::Bench &bench)
{
    const Sampled sampled(run_slow, bench.options.quick ? 1 : 3);
    bench::Scene ground = {"slow window, ground shown after", world_name, "s"};
    bench::Scene all = {"slow window, everything shown after", world_name, "s"};
    ground.attempts = {sampled.attempt(contender, ground_s, chunks)};
    all.attempts = {sampled.attempt(contender, all_s, chunks)};
    bench.stage({ground, all});
    bench.conclude([sampled](Report &report) {
        add_targets(report, world_name, sampled,
                    {{"updates until chunks within 1 of the anchor are shown", ground_s, "", 3},
                     {"updates until everything is shown", all_s, ""}});
        if (sampled.is_measured()) {
            report.targets.push_back({world_name, "chunks 12 away meshed before all within 3",
                                      spread_of(sampled.column(violations)).max, "",
                                      Target::at_most});
        }
    });
}
