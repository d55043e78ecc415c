// A window that updates once a second: how soon the ground is shown, and whether near chunks come
// before far ones.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "driver/timing.hpp"
#include "stream_rows.hpp"
#include "stream_scenes.hpp"

namespace {

const char *const question_ground = "slow window, ground shown after";
const char *const question_all = "slow window, everything shown after";
const char *const world_name = "flattened R=16, one update a second";
const char *const contender = "Terrane, default def, one worker";
const int updates_max = 900, near_chunks = 3, far_chunks = 12;
const std::size_t near_count = std::size_t{7} * 7 * 7;

/// Runs in real time during updates, so that budgets hold, and skips the time between them.
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
    std::size_t near_shown = 0; ///< nothing is unloaded or changed: each chunk is shown once
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

/// @return seconds until the ground and until everything was shown, violations, chunks shown
Reply run_slow()
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
    add_anchor(world, at, 16, 4);
    const double begun_us = SkippingClock::us(&clock);
    double ground_s = std::nan(""), all_s = std::nan("");
    for (int i = 0; i < updates_max && std::isnan(all_s); i++) {
        clock.skip_to(begun_us + i * 1e6);
        all_s = world.update().is_idle ? i : all_s;
        ground_s = std::isnan(ground_s) && is_ground_shown(world, watch.centre) ? i : ground_s;
        trn_stream_wait(world.stream()); // a second is longer than all work that was issued
    }
    Reply reply;
    reply.figures = {ground_s, all_s, static_cast<double>(watch.violations),
                     static_cast<double>(trn_stream_stats(world.stream()).shown)};
    if (!std::isfinite(all_s) || watch.near_shown != near_count) {
        reply.verdict = Reply::wrong;
        reply.text = std::isfinite(all_s) ? "a near chunk was not shown, or twice"
                                          : "it was not done after 15 minutes";
    }
    return reply;
}

} // namespace

void measure_slow_window(const BenchOptions &options, Report &report)
{
    if (!options.wants(question_ground, world_name, contender) &&
        !options.wants(question_all, world_name, contender)) {
        return;
    }
    std::fprintf(stderr, "stream: slow window\n");
    Entry ground = entry_of(question_ground, world_name, contender, "s");
    Entry all = entry_of(question_all, world_name, contender, "s");
    std::vector<double> violations;
    for (int i = 0; i < (options.quick ? 1 : 3); i++) {
        const Reply reply = run_apart(run_slow, 240);
        if (reply.verdict != Reply::fine) {
            ground.remark = all.remark = reply.text;
            break;
        }
        ground.times.push_back(reply.figures[0]);
        all.times.push_back(reply.figures[1]);
        violations.push_back(reply.figures[2]);
        ground.count = all.count = static_cast<std::size_t>(reply.figures[3]);
    }
    report.entries.push_back(ground);
    report.entries.push_back(all);
    if (ground.times.empty()) {
        return;
    }
    add_target(report, world_name, "chunks within 1 of the anchor shown after",
               spread_of(ground.times).median, "s", 3);
    add_target(report, world_name, "everything shown after", spread_of(all.times).median, "s",
               told);
    add_target(report, world_name, "chunks 12 away meshed before all within 3",
               spread_of(violations).max, "", 0);
}
