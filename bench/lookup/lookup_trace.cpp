#include "lookup_trace.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "driver/child.hpp"
#include "driver/printable.h"
#include "lookup_headers.hpp"
#include "trace/trace.hpp"

namespace {

using bench::Figures;

const char *const question_frame = "a frame of the trace";

/// A trace, the headers of its chunks, and the expected digests.
struct TraceWorld {
    TraceWorld(Trace recorded, const Contender *first)
        : trace(std::move(recorded)), slots(std::max(trace.chunk_max, 1u)),
          headers(slots.all()), given{headers, std::max(trace.chunk_max, 1u), trace.box,
                                      slots.pool(), slots.block_pool()},
          baseline(first)
    {
    }
    const Trace trace;
    const LookupHeaders slots;
    ContenderChunk *const headers;
    const ContenderWorld given;
    const Contender *const baseline;

    /// The first contender that replays the trace; the others are compared with it. Usually the
    /// baseline, std::unordered_map.
    const Contender *judge = nullptr;
    std::vector<std::uint64_t> right = {}; ///< the judge's digests
    bool was_compared = false;
};

class TracePlayer;
/// A question's figures, one for each replay.
using Answer = std::function<Figures(const TracePlayer &)>;

/// One contender's replays, each in a child process.
class TracePlayer {
  public:
    TracePlayer(const Contender &replaying, std::shared_ptr<TraceWorld> in, double seconds)
        : contender(replaying), world(std::move(in)), seconds_max(seconds)
    {
        replays->take = [this] { replay(); }; // the attempts with this run own the player
        replays->samples = 7;
    }
    /// The contender's row for a question. All rows share the player.
    static bench::Attempt attempt(const std::shared_ptr<TracePlayer> &player, const Answer &answer);

    // One figure for each replay.
    Figures median_us = {}, slow_us = {}, worst_us = {};
    Figures kind_ns[trace_kind_count] = {};

  private:
    void replay();
    Figures replay_here() const;
    void keep(const Figures &replayed);
    void compare(const std::vector<std::uint64_t> &digests) const;
    bool check();
    void require_in() const;
    Figures figures(const Answer &answer) const;

    const Contender &contender;
    const std::shared_ptr<TraceWorld> world;
    const double seconds_max;
    const std::shared_ptr<bench::Run> replays = std::make_shared<bench::Run>();
    bool has_replayed = false;
    std::string why_out = {}; ///< why the contender is left out; empty: it is not
};

// The format of a replay's figures: nanoseconds and count of each kind, then for each frame its
// nanoseconds and the two halves of its digest.
const double half = 4294967296.0;

Figures TracePlayer::replay_here() const
{
    const TraceFigures replayed =
        replay_trace(world->trace, contender, world->given, world->headers);
    if (!replayed.refusal.empty()) {
        throw bench::Refused{replayed.refusal};
    }
    Figures figures;
    for (int kind = 0; kind < trace_kind_count; kind++) {
        figures.push_back(replayed.kind_ns[kind]);
        figures.push_back(static_cast<double>(replayed.kind_count[kind]));
    }
    for (std::size_t i = 0; i < replayed.frame_ns.size(); i++) {
        figures.push_back(replayed.frame_ns[i]);
        figures.push_back(static_cast<double>(replayed.digests[i] >> 32));
        figures.push_back(static_cast<double>(replayed.digests[i] & 0xFFFFFFFFu));
    }
    return figures;
}

void TracePlayer::compare(const std::vector<std::uint64_t> &digests) const
{
    if (!world->judge) {
        world->judge = &contender;
        world->right = digests;
    }
    world->was_compared = world->was_compared || world->judge != &contender;
    const auto [mine, right] =
        std::mismatch(digests.begin(), digests.end(), world->right.begin(), world->right.end());
    if (mine != digests.end() || right != world->right.end()) {
        throw bench::Wrong{"its answers differ from " +
                           (world->judge == world->baseline
                                ? "the baseline's"
                                : "those of " + std::string(world->judge->name)) +
                           ", first in frame " + std::to_string(mine - digests.begin() + 1)};
    }
}

void TracePlayer::keep(const Figures &replayed)
{
    const std::size_t first = std::size_t{2} * trace_kind_count;
    Figures frames_us;
    std::vector<std::uint64_t> digests;
    for (std::size_t i = first; i + 2 < replayed.size(); i += 3) {
        frames_us.push_back(replayed[i] / 1000);
        digests.push_back(static_cast<std::uint64_t>(replayed[i + 1] * half) +
                          static_cast<std::uint64_t>(replayed[i + 2]));
    }
    compare(digests);
    if (frames_us.empty()) {
        throw bench::Refused{"the trace has no frames"};
    }
    median_us.push_back(percentile(frames_us, 0.5));
    slow_us.push_back(percentile(frames_us, 0.99));
    worst_us.push_back(percentile(frames_us, 1));
    for (std::size_t kind = 0; kind < trace_kind_count; kind++) {
        kind_ns[kind].push_back(replayed[2 * kind] / std::max(replayed[2 * kind + 1], 1.0));
    }
}

void TracePlayer::require_in() const
{
    if (!why_out.empty()) {
        throw bench::Refused{why_out};
    }
}

void TracePlayer::replay()
{
    require_in();
    has_replayed = true;
    try {
        Child child([this](Ask) { return bench::reply_with([this] { return replay_here(); }); });
        keep(bench::figures_in(child.ask({}, seconds_max)));
    } catch (const bench::Wrong &wrong) {
        why_out = "left out: " + wrong.why;
        throw;
    } catch (const bench::Refused &refused) {
        why_out = refused.why;
        throw;
    }
}

/// Checks the answers of all questions with one replay.
bool TracePlayer::check()
{
    require_in();
    if (!has_replayed) {
        replay();
    }
    return true;
}

Figures TracePlayer::figures(const Answer &answer) const
{
    require_in();
    if (world->judge == &contender && world->baseline != &contender && !world->was_compared) {
        throw bench::Refused{"no other contender is left to compare its answers with"};
    }
    return answer(*this);
}

bench::Attempt TracePlayer::attempt(const std::shared_ptr<TracePlayer> &player,
                                    const Answer &answer)
{
    bench::Attempt attempt = {player->contender.name};
    attempt.run = player->replays;
    attempt.check = [player] { return player->check(); };
    attempt.figures = [player, answer] { return player->figures(answer); };
    return attempt;
}

bool is_recorded(const Trace &trace, TraceKind kind)
{
    return std::any_of(trace.batches.begin(), trace.batches.end(),
                       [kind](const TraceBatch &batch) { return batch.kind == kind; });
}

Trace read(const std::string &path)
{
    Trace trace;
    std::string problem;
    if (!read_trace(path, trace, problem)) {
        throw bench::Refused{problem};
    }
    trace.name.erase(0, trace.name.rfind('/') + 1); // npos + 1 is 0
    trace.name = printable(trace.name, false);      // tables print it
    return trace;
}

std::string summary_of(const Trace &trace)
{
    return trace.name + ": " + std::to_string(trace.frames.size()) + " frames, " +
           std::to_string(trace.operations) + " operations, at most " +
           std::to_string(trace.chunk_max) +
           " chunks at once. Replayed from empty containers; every answer is compared with the "
           "baseline's.";
}

void conclude_trace(Report &report)
{
    report.question = "What does each way of keeping chunks cost on this trace?";
    report.counted = "frames";
}

} // namespace

void add_trace(bench::Bench &bench, const std::vector<const Contender *> &contenders)
{
    const auto world = std::make_shared<TraceWorld>(read(bench.options.trace), contenders[0]);
    std::vector<std::shared_ptr<TracePlayer>> players;
    players.reserve(contenders.size());
    for (const Contender *contender : contenders) {
        players.push_back(
            std::make_shared<TracePlayer>(*contender, world, bench.options.quick ? 10 : 120));
    }
    const auto add = [&](const std::string &question, const char *unit, const Answer &answer) {
        bench::Scene scene = {question, world->trace.name, unit, world->trace.frames.size()};
        for (const auto &player : players) {
            scene.attempts.push_back(TracePlayer::attempt(player, answer));
        }
        bench.add(std::move(scene));
    };
    add(question_frame, "us", [](const TracePlayer &player) { return player.median_us; });
    add("a frame of the trace, 99th percentile", "us",
        [](const TracePlayer &player) { return player.slow_us; });
    add("worst frame of the trace", "us",
        [](const TracePlayer &player) { return player.worst_us; });
    for (int i = 0; i < trace_kind_count; i++) {
        const auto kind = static_cast<TraceKind>(i);
        if (is_recorded(world->trace, kind)) {
            add(std::string(trace_kind_name(kind)) + ", each", "ns",
                [i](const TracePlayer &player) { return player.kind_ns[i]; });
        }
    }
    bench.note(summary_of(world->trace));
    bench.conclude(conclude_trace);
}
