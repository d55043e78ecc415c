// The hand-over alone: how many chunks a second reach the store at sixty updates a second, when
// generating them costs next to nothing.

#include <cstdio>
#include <string>

#include "stream_rows.hpp"
#include "stream_scenes.hpp"

namespace {

const char *const question = "hand-over, time a chunk";
const char *const by_default = "Terrane, 60 updates a second";
const char *const unlimited = "Terrane, no limit of time, queue of 64 MiB";
const double soon_s = 0.25;
const std::size_t wide_queue_bytes = std::size_t{64} << 20;

struct HandOver {
    std::uint32_t radius, height;
    bool meshes, is_limited;
    double seconds; ///< the window; it ends early when all is done
};

StreamWorldOptions options_of(const HandOver &scene, FlatLand &land)
{
    StreamWorldOptions options;
    options.workers = 1;
    if (!scene.is_limited) {
        options.budget = budget_of_ms(0);
    }
    options.adjust = [&land, scene](TrnStreamDef &def) {
        def.generator = land.generator();
        def.hooks.mesh = scene.meshes ? def.hooks.mesh : nullptr;
        def.queue_bytes = scene.is_limited ? def.queue_bytes : wide_queue_bytes;
    };
    return options;
}

/// @return us a chunk that was loaded, or with meshes, shown; how many chunks; how many of them
/// soon after the start, while the view still grows
Reply run_hand_over(const HandOver &scene)
{
    FlatLand land;
    StreamWorld world(options_of(scene, land));
    add_anchor(world, {0, 16, 0}, scene.radius, scene.height);
    double seconds = update_until_idle(world, 60, soon_s);
    const std::uint32_t soon = trn_stream_stats(world.stream()).loaded;
    seconds += update_until_idle(world, 60, scene.seconds - soon_s);
    const TrnStreamStats stats = trn_stream_stats(world.stream());
    const double chunks = scene.meshes ? stats.shown : stats.loaded;
    Reply reply;
    reply.figures = {seconds * 1e6 / chunks, chunks, 1.0 * soon};
    return reply;
}

Reply hash_hand_over(bool is_limited)
{
    FlatLand land;
    StreamWorld world(options_of({6, 2, true, is_limited, 30}, land));
    add_anchor(world, {0, 16, 0}, 6, 2);
    update_until_idle(world, 60, 30);
    const TrnStreamStats stats = trn_stream_stats(world.stream());
    Reply reply;
    reply.figures = {static_cast<double>(stats.loaded), static_cast<double>(stats.meshed)};
    push_hash(reply.figures, world.hash());
    return reply;
}

struct Pair {
    Entry free, limited;
    std::vector<double> soon; ///< chunks that the limited one had loaded soon after the start
};

/// Takes turns, so that a slow second of the machine does not fall on one alone.
Pair time_pair(const std::string &world, bool meshes, bool is_quick)
{
    Pair pair = {entry_of(question, world, unlimited, "us"),
                 entry_of(question, world, by_default, "us"),
                 {}};
    pair.free.is_baseline = true;
    for (int i = 0; i < (is_quick ? 2 : 3); i++) {
        for (Entry *entry : {&pair.free, &pair.limited}) {
            const bool is_limited = entry == &pair.limited;
            const HandOver scene = {32, 8, meshes, is_limited, is_quick ? 1.0 : 10.0};
            const Reply reply = run_apart([&] { return run_hand_over(scene); }, 120);
            if (reply.verdict != Reply::fine) {
                entry->remark = reply.text;
                continue;
            }
            entry->times.push_back(reply.figures[0]);
            entry->count = static_cast<std::size_t>(reply.figures[1]);
            if (is_limited) {
                pair.soon.push_back(reply.figures[2]);
            }
        }
    }
    return pair;
}

void measure_pair(bool meshes, const BenchOptions &options, Report &report)
{
    const std::string world =
        std::string("flattened R=32, near-free generator") + (meshes ? ", meshed" : ", no meshes");
    if (!options.wants(question, world, by_default)) {
        return;
    }
    std::fprintf(stderr, "stream: hand-over, %s\n", world.c_str());
    const Pair pair = time_pair(world, meshes, options.quick);
    report.entries.push_back(pair.free);
    report.entries.push_back(pair.limited);
    if (pair.free.times.empty() || pair.limited.times.empty()) {
        return;
    }
    const double free_us = spread_of(pair.free.times).median;
    const double limited_us = spread_of(pair.limited.times).median;
    if (meshes) {
        add_target_at_least(report, world, "chunks shown a second, part of that without limits",
                            100 * free_us / limited_us, "%", 90);
        add_target(report, world, "chunks shown a second", 1e6 / limited_us, "1/s", told);
    } else {
        add_target_at_least(report, world, "chunks loaded a second", 1e6 / limited_us, "1/s",
                            30000);
    }
    add_target(report, world, "chunks a second without limits", 1e6 / free_us, "1/s", told);
    add_target(report, world, "chunks loaded in the first 0.25 s", spread_of(pair.soon).median, "",
               told);
}

} // namespace

bool hand_overs_agree()
{
    const Reply limited = run_apart([] { return hash_hand_over(true); }, 120);
    const Reply free = run_apart([] { return hash_hand_over(false); }, 120);
    return limited.verdict == Reply::fine && limited.figures == free.figures;
}

void measure_hand_over(const BenchOptions &options, Report &report)
{
    measure_pair(false, options, report);
    measure_pair(true, options, report);
}
