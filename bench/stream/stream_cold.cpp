// Cold starts: how long a player looks at nothing.

#include <algorithm>
#include <new>

#include "driver/child.hpp"
#include "driver/timing.hpp"
#include "stream_flight.hpp"
#include "stream_parts.hpp"

namespace {

const std::size_t head_figures = 10;
const double most_seconds = 120;

double ms_since(double begun_ns)
{
    return (clock_ns(CLOCK_MONOTONIC) - begun_ns) / 1e6;
}

Reply run_cold(std::uint32_t radius, std::uint32_t height, std::size_t bytes_max, bool alone)
{
    StreamWorldOptions options;
    options.bytes_max = bytes_max;
    options.columns = radius > 16 ? 2048 : 512;
    options.caller_works = !alone;
    options.budget = alone ? options.budget : budget_of_ms(8);
    const double begun_ns = clock_ns(CLOCK_MONOTONIC); // making the world counts as well
    const double begun_cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    StreamWorld world(options);
    const std::int64_t ground = world.ground(0, 0);
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.position = trn_voxel_position({0, ground + 2, 0});
    anchor.radius_chunks = radius;
    anchor.height_chunks = height;
    anchor.view[0] = 1;
    TrnStreamAnchorId id;
    if (trn_stream_anchor_add(world.stream(), &anchor, &id) != TRN_RESULT_OK) {
        throw std::bad_alloc();
    }
    Reply reply;
    reply.figures.resize(head_figures);
    double ground_ms = 0;
    bool is_idle = false;
    for (double frame_ns = begun_ns; !is_idle && ms_since(begun_ns) < most_seconds * 1e3;) {
        is_idle = world.update().is_idle;
        // A body of two blocks' height, and what it stands on.
        const TrnStreamReadiness ready =
            trn_stream_readiness(world.stream(), {-1, ground - 1, -1}, {1, ground + 3, 1});
        ground_ms = ground_ms > 0 || !ready.is_loaded ? ground_ms : ms_since(begun_ns);
        reply.figures.push_back(ms_since(begun_ns));
        reply.figures.push_back(trn_stream_stats(world.stream()).shown);
        frame_ns += 1e9 / 60;
        if (alone && !is_idle) {
            sleep_until_ns(frame_ns);
        }
    }
    const TrnStreamStats stats = trn_stream_stats(world.stream());
    const double head[head_figures] = {ms_since(begun_ns),
                                       ground_ms,
                                       static_cast<double>(stats.total_bytes_peak),
                                       resident_bytes(),
                                       static_cast<double>(stats.shown),
                                       (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begun_cpu_ns) / 1e6,
                                       static_cast<double>(stats.store_bytes),
                                       static_cast<double>(stats.mesh_bytes),
                                       static_cast<double>(stats.stream_bytes),
                                       static_cast<double>(stats.scratch_bytes)};
    std::copy(head, head + head_figures, reply.figures.begin());
    if (!is_idle || stats.shrunk_views) {
        reply.verdict = Reply::refused;
        reply.text = is_idle ? "not all of the view fits" : "it was not done after two minutes";
    }
    return reply;
}

} // namespace

ColdStart start_cold(std::uint32_t radius, std::uint32_t height, std::size_t bytes_max, bool alone)
{
    Child child([&](const Desk &desk) { desk.reply(run_cold(radius, height, bytes_max, alone)); });
    const Reply reply = child.await(most_seconds * 2);
    ColdStart cold;
    if (reply.verdict != Reply::fine || reply.figures.size() < head_figures) {
        cold.problem = reply.text.empty() ? "it ended early" : reply.text;
        return cold;
    }
    const std::vector<double> &all = reply.figures;
    cold.all_ms = all[0];
    cold.ground_ms = all[1];
    cold.bytes_peak = all[2];
    cold.rss_bytes = all[3];
    cold.chunks = static_cast<std::size_t>(all[4]);
    cold.cpu_ms = all[5];
    std::copy(&all[6], &all[10], cold.parts_bytes);
    for (std::size_t i = head_figures; i + 1 < all.size(); i += 2) {
        cold.shown.emplace_back(all[i], all[i + 1]);
    }
    return cold;
}
