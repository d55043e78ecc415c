#include "driver/sampler.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "driver/clock.hpp"
#include "driver/progress.hpp"

namespace bench {

namespace {

double now_ns()
{
    return clock_ns(CLOCK_MONOTONIC);
}

double ns_of_calls(const std::function<void()> &work, std::size_t calls)
{
    const double start = now_ns();
    for (std::size_t i = 0; i < calls; i++) {
        work();
        asm volatile("" : : : "memory"); // the compiler must assume that results in memory are used
    }
    return now_ns() - start;
}

/// Determines how many calls fill a sample. The calls also warm the caches.
std::size_t calls_within(const std::function<void()> &work, double sample_ns)
{
    std::size_t calls = 1;
    double ns = ns_of_calls(work, 1);
    while (ns < sample_ns / 8 && calls < (std::size_t{1} << 30)) {
        calls = ns * 8 < sample_ns / 8 ? calls * 8 : calls * 2;
        ns = ns_of_calls(work, calls);
    }
    const double fitting = static_cast<double>(calls) * sample_ns / std::max(ns, 1.0);
    return static_cast<std::size_t>(std::max(1.0, fitting));
}

/// Takes one sample, and stores how long that took.
void take_one(Turn &turn, double sample_ns, std::size_t samples_max)
{
    const double start = now_ns();
    const bool goes_on = turn.take(sample_ns);
    turn.last_ns = now_ns() - start;
    turn.taken = goes_on ? turn.taken + 1 : samples_max;
}

bool is_due(const Turn &turn, std::size_t samples_max, const Pace &pace)
{
    const double end_ns = turn.taken == 0           ? pace.hard_end_ns
                          : turn.taken < pace.least ? pace.least_end_ns
                                                    : pace.end_ns;
    return turn.taken < samples_max && now_ns() + turn.last_ns < end_ns;
}

} // namespace

void take_turns(std::vector<Turn> &turns, const Pace &pace, const std::string &where)
{
    std::vector<std::size_t> order(turns.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto limit_of = [&pace](const Turn &turn) {
        const std::size_t limit = turn.samples_max ? turn.samples_max : pace.usual;
        return pace.is_quick ? std::min(limit, pace.usual) : limit;
    };
    std::size_t rounds = 0;
    for (const Turn &turn : turns) {
        rounds = std::max(rounds, limit_of(turn));
    }
    for (std::size_t round = 0; round < rounds; round++) {
        show_progress(where + "round " + std::to_string(round + 1) + " of up to " +
                      std::to_string(rounds));
        std::shuffle(order.begin(), order.end(), std::mt19937(static_cast<unsigned>(round)));
        for (const std::size_t i : order) {
            if (is_due(turns[i], limit_of(turns[i]), pace)) {
                take_one(turns[i], pace.sample_ns, limit_of(turns[i]));
            }
        }
    }
    wipe_progress();
}

Turn turn_of_work(const std::function<void()> &work, std::vector<double> &times)
{
    Turn turn;
    turn.take = [&work, &times, calls = std::size_t{0}](double sample_ns) mutable {
        calls = calls ? calls : calls_within(work, sample_ns);
        times.push_back(ns_of_calls(work, calls) / static_cast<double>(calls));
        return true;
    };
    return turn;
}

Turn turn_of_measure(const std::function<double()> &measure, std::size_t calls,
                     std::vector<double> &times)
{
    Turn turn;
    turn.take = [&measure, &times, calls](double sample_ns) {
        const double until = now_ns() + sample_ns;
        double sum = 0, made = 0;
        do {
            sum += measure();
            made++;
        } while (calls ? made < static_cast<double>(calls) : now_ns() < until);
        times.push_back(sum / made);
        return true;
    };
    return turn;
}

} // namespace bench
