#include "lookup_trace.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "driver/child.hpp"
#include "driver/command_line.hpp"
#include "lookup_headers.hpp"
#include "trace/trace.hpp"

namespace {

const char *const question_frame = "a frame of the trace";
const char *const question_slow = "a frame of the trace, 99th percentile";
const char *const question_worst = "worst frame of the trace";

std::string question_each(int kind)
{
    return std::string(trace_kind_name(static_cast<TraceKind>(kind))) + ", each";
}

/// The headers that a replay uses, and what contenders are told of its world.
struct TraceWorld {
    explicit TraceWorld(const Trace &trace)
        : slots(std::max(trace.chunk_max, 1u)),
          headers(slots.all()), given{headers, std::max(trace.chunk_max, 1u), trace.box,
                                      slots.pool(), slots.block_pool()}
    {
    }
    LookupHeaders slots;
    ContenderChunk *headers;
    ContenderWorld given;
};

/// One contender's replays.
struct Player {
    const Contender *contender;
    std::vector<double> medians_us = {}, slow_us = {}, worst_us = {};
    std::array<std::vector<double>, trace_kind_count> kind_ns = {};
    std::vector<std::uint64_t> digests = {};
    std::string why_out = {};
    bool is_wrong = false;
};

double at_part(std::vector<double> values, double part)
{
    std::sort(values.begin(), values.end());
    const auto last = static_cast<double>(values.size() - 1);
    return values[static_cast<std::size_t>(std::lround(part * last))];
}

// A reply holds: for each kind its nanoseconds and its count, then for each frame its nanoseconds
// and the halves of its digest.
const double half = 4294967296.0;

Reply replay_in_child(const Trace &trace, const Contender &contender, const TraceWorld &world)
{
    const TraceFigures figures = replay_trace(trace, contender, world.given, world.headers);
    if (!figures.refusal.empty()) {
        return {Reply::refused, figures.refusal, {}};
    }
    Reply reply;
    for (int kind = 0; kind < trace_kind_count; kind++) {
        reply.figures.push_back(figures.kind_ns[kind]);
        reply.figures.push_back(static_cast<double>(figures.kind_count[kind]));
    }
    for (std::size_t i = 0; i < figures.frame_ns.size(); i++) {
        reply.figures.push_back(figures.frame_ns[i]);
        reply.figures.push_back(static_cast<double>(figures.digests[i] >> 32));
        reply.figures.push_back(static_cast<double>(figures.digests[i] & 0xFFFFFFFFu));
    }
    return reply;
}

void keep_replay(Player &player, const std::vector<double> &figures)
{
    const std::size_t first = std::size_t{2} * trace_kind_count;
    for (std::size_t kind = 0; kind < trace_kind_count; kind++) {
        if (figures[2 * kind + 1] > 0) {
            player.kind_ns[kind].push_back(figures[2 * kind] / figures[2 * kind + 1]);
        }
    }
    std::vector<double> frames;
    player.digests.clear();
    for (std::size_t i = first; i + 2 < figures.size(); i += 3) {
        frames.push_back(figures[i] / 1000);
        player.digests.push_back(static_cast<std::uint64_t>(figures[i + 1] * half) +
                                 static_cast<std::uint64_t>(figures[i + 2]));
    }
    if (frames.empty()) {
        return;
    }
    player.medians_us.push_back(at_part(frames, 0.5));
    player.slow_us.push_back(at_part(frames, 0.99));
    player.worst_us.push_back(at_part(frames, 1));
}

void put_out(Player &player, const std::string &why, bool is_wrong)
{
    player = Player{player.contender};
    player.why_out = why;
    player.is_wrong = is_wrong;
}

void play_once(Player &player, const Trace &trace, const TraceWorld &world, double seconds)
{
    const Contender &contender = *player.contender;
    Child child([&](const Desk &desk) { desk.reply(replay_in_child(trace, contender, world)); });
    const Reply reply = child.await(seconds);
    if (reply.verdict != Reply::fine) {
        put_out(player, reply.text, reply.verdict == Reply::lost);
        return;
    }
    keep_replay(player, reply.figures);
}

void compare_digests(Player &player, const Player &judge, bool is_baseline)
{
    const auto [mine, theirs] = std::mismatch(player.digests.begin(), player.digests.end(),
                                              judge.digests.begin(), judge.digests.end());
    if (mine != player.digests.end() || theirs != judge.digests.end()) {
        put_out(player,
                "its answers differ from " +
                    (is_baseline ? "the baseline's"
                                 : "those of " + std::string(judge.contender->name)) +
                    ", first in frame " + std::to_string(mine - player.digests.begin() + 1),
                true);
    }
}

/// The baseline is std::unordered_map, which is old enough to be believed. Where it cannot go on,
/// as where boxes are too large to be probed, the next that can is; alone, nobody is.
void compare_all(std::vector<Player> &players)
{
    const auto can_go_on = [](const Player &player) { return player.why_out.empty(); };
    const auto judge = std::find_if(players.begin(), players.end(), can_go_on);
    if (judge == players.end()) {
        return;
    }
    const bool is_baseline = judge == players.begin();
    if (!is_baseline && std::count_if(players.begin(), players.end(), can_go_on) == 1) {
        put_out(*judge, "there is nobody left to compare its answers with", false);
        return;
    }
    for (auto player = judge + 1; player != players.end(); ++player) {
        if (can_go_on(*player)) {
            compare_digests(*player, *judge, is_baseline);
        }
    }
}

void add_entry(Report &report, const Trace &trace, const Player &player,
               const std::string &question, const char *unit, const std::vector<double> &times,
               bool is_baseline)
{
    if (times.empty() && player.why_out.empty()) {
        return;
    }
    Entry entry;
    entry.question = question;
    entry.world = trace.name;
    entry.contender = player.contender->name;
    entry.unit = unit;
    entry.count = trace.frames.size();
    entry.is_baseline = is_baseline;
    entry.times = times;
    entry.remark = player.why_out;
    report.entries.push_back(std::move(entry));
}

bool is_recorded(const std::vector<Player> &players, std::size_t kind)
{
    return std::any_of(players.begin(), players.end(),
                       [kind](const Player &player) { return !player.kind_ns[kind].empty(); });
}

void add_all_entries(Report &report, const Trace &trace, const std::vector<Player> &players)
{
    const auto add = [&](const std::string &question, const char *unit, auto times_of) {
        for (const Player &player : players) {
            add_entry(report, trace, player, question, unit, times_of(player),
                      &player == &players[0]);
        }
    };
    add(question_frame, "us", [](const Player &player) { return player.medians_us; });
    add(question_slow, "us", [](const Player &player) { return player.slow_us; });
    add(question_worst, "us", [](const Player &player) { return player.worst_us; });
    for (std::size_t kind = 0; kind < trace_kind_count; kind++) {
        if (is_recorded(players, kind)) {
            add(question_each(static_cast<int>(kind)), "ns",
                [kind](const Player &player) { return player.kind_ns[kind]; });
        }
    }
}

bool all_right(const std::vector<Player> &players)
{
    bool is_right = true;
    for (const Player &player : players) {
        if (player.is_wrong) {
            std::fprintf(stderr, "terrane-bench: %s: %s.\n", player.contender->name,
                         player.why_out.c_str());
            is_right = false;
        }
    }
    return is_right;
}

/// A replay answers every question: the filter's question is of no account, but it may name one.
bool is_wanted(const Contender &contender, const BenchOptions &options, const Trace &trace)
{
    bool wants = options.wants(question_frame, trace.name, contender.name) ||
                 options.wants(question_slow, trace.name, contender.name) ||
                 options.wants(question_worst, trace.name, contender.name);
    for (int kind = 0; kind < trace_kind_count; kind++) {
        wants = wants || options.wants(question_each(kind), trace.name, contender.name);
    }
    return wants;
}

/// The baseline first, wherever anybody is wanted.
std::vector<Player> make_players(const std::vector<const Contender *> &contenders,
                                 const BenchOptions &options, const Trace &trace)
{
    std::vector<Player> players;
    for (const Contender *contender : contenders) {
        if (is_wanted(*contender, options, trace)) {
            players.push_back(Player{contender});
        }
    }
    if (!players.empty() && players[0].contender != contenders[0]) {
        players.insert(players.begin(), Player{contenders[0]});
    }
    return players;
}

} // namespace

int bench_trace(const std::vector<const Contender *> &contenders, const BenchOptions &options,
                Report &report)
{
    Trace trace;
    std::string problem;
    if (!read_trace(options.trace, trace, problem)) {
        std::fprintf(stderr, "terrane-bench: %s\n", problem.c_str());
        return 1;
    }
    trace.name.erase(0, trace.name.rfind('/') + 1); // npos + 1 is 0
    std::printf("%s: %zu frames, %llu operations, at most %u chunks at once. Replayed from empty "
                "containers; every answer is compared with the baseline's.\n",
                trace.name.c_str(), trace.frames.size(),
                static_cast<unsigned long long>(trace.operations), trace.chunk_max);
    std::vector<Player> players = make_players(contenders, options, trace);
    if (players.empty()) {
        return refuse("--filter leaves nothing to replay. It is looked for in \"question | trace | "
                      "contender\", such as \"" +
                      std::string(question_frame) + " | " + trace.name + " | " +
                      contenders[0]->name + "\".");
    }
    const TraceWorld world(trace);
    const int rounds = options.check ? 1 : options.quick ? 3 : 7;
    for (int round = 0; round < rounds; round++) {
        std::fprintf(stderr, "terrane-bench: replay %d of %d\n", round + 1, rounds);
        for (Player &player : players) {
            if (player.why_out.empty()) {
                play_once(player, trace, world, options.quick ? 10 : 120);
            }
        }
        compare_all(players);
    }
    if (options.check) {
        return all_right(players) ? 0 : 1;
    }
    report.question = "What does each way of keeping chunks cost on this trace?";
    report.counted = "frames";
    add_all_entries(report, trace, players);
    report.plots.push_back(bars_of(report, question_frame, "trace_frame"));
    print_report(report);
    return all_right(players) && write_report(report, options) ? 0 : 1;
}
