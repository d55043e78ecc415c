// The bench's driver: what it filters, checks and measures, and how long it takes.
#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <regex.h>
#include <string>
#include <vector>

#include "folder.hpp"

extern "C" {
#include <cmocka.h>
}

#include <unistd.h>

#include "driver/child.hpp"
#include "driver/clock.hpp"
#include "driver/command_line.hpp"
#include "driver/output_file.hpp"
#include "driver/sampler.hpp"
#include "driver/topic.hpp"

namespace {
double test_now_ns = 0;
} // namespace

// A clock in place of driver/clock.cpp. Each reading advances it by 100 ns, and sleeping sets it to
// the time of waking, so the tests do not depend on how busy the machine is.

double clock_ns(clockid_t)
{
    return test_now_ns += 100;
}

double clock_step_ns()
{
    return 30;
}

void sleep_until_ns(double ns)
{
    test_now_ns = std::max(test_now_ns, ns);
}

namespace {

/// The outcome of running a topic: exit code and report.
struct Outcome {
    int code = 0;
    Report report;

    const Entry *entry(const std::string &contender) const
    {
        for (const Entry &entry : report.entries) {
            if (entry.contender == contender) {
                return &entry;
            }
        }
        return nullptr;
    }
};

/// Global, because topics are created by a function without user data.
std::vector<bench::Scene> *made_scenes;
Outcome *outcome_of_run;

void make(bench::Bench &bench)
{
    bench.add(*made_scenes);
    bench.conclude([](Report &report) { outcome_of_run->report = report; });
}

bench::Topic topic_made_by(void (*made_by)(bench::Bench &))
{
    return {"test",   "a test", "A test?",          "the first", "nanoseconds",
            "things", 1,        "one | of | these", made_by};
}

Outcome run(std::vector<bench::Scene> scenes, const BenchOptions &options)
{
    Outcome outcome;
    made_scenes = &scenes;
    outcome_of_run = &outcome;
    outcome.code = bench::run_topic(topic_made_by(make), options);
    return outcome;
}

BenchOptions quick(double seconds)
{
    BenchOptions options;
    options.quick = true;
    options.quick_s = seconds;
    return options;
}

void sleep_ms(double ms)
{
    sleep_until_ns(clock_ns(CLOCK_MONOTONIC) + ms * 1e6);
}

bench::Attempt sleeper(const std::string &name, double ms)
{
    bench::Attempt attempt;
    attempt.contender = name;
    attempt.work = [ms] { sleep_ms(ms); };
    return attempt;
}

bench::Scene scene_of(std::vector<bench::Attempt> attempts)
{
    bench::Scene scene;
    scene.question = "question";
    scene.world = "world";
    scene.unit = "us";
    scene.count = 10;
    scene.parts = 2;
    scene.attempts = std::move(attempts);
    return scene;
}

void times_are_divided_and_told_in_the_unit(void **)
{
    bench::Attempt measured;
    measured.contender = "measured";
    measured.measure = [] { return 6000.0; };
    const Outcome outcome = run({scene_of({measured, sleeper("sleeper", 2)})}, quick(1));
    assert_int_equal(outcome.code, 0);
    const Entry &exact = *outcome.entry("measured"), &slept = *outcome.entry("sleeper");
    assert_true(exact.times.size() >= 3 && exact.times[0] == 3); // 6 us in two parts
    assert_true(exact.is_baseline && !slept.is_baseline && exact.count == 10);
    const double us = spread_of(slept.times).median;
    assert_true(us >= 1000 && us < 1010);
}

void a_quick_run_ends_in_time_with_three_samples(void **)
{
    const double begun = clock_ns(CLOCK_MONOTONIC);
    std::vector<bench::Attempt> attempts;
    attempts.reserve(5);
    for (int i = 0; i < 5; i++) {
        attempts.push_back(sleeper("sleeper " + std::to_string(i), 20));
        attempts.back().samples = 30; // a full run's
    }
    const Outcome outcome = run({scene_of(attempts)}, quick(1));
    assert_true((clock_ns(CLOCK_MONOTONIC) - begun) * 1e-9 < 2);
    for (const Entry &entry : outcome.report.entries) {
        assert_true(entry.times.size() >= 3 && entry.times.size() <= 7);
    }
}

void rows_without_time_are_told(void **)
{
    const Outcome outcome =
        run({scene_of({sleeper("first", 60), sleeper("second", 60), sleeper("third", 60),
                       sleeper("fourth", 60), sleeper("fifth", 60)})},
            quick(0.1));
    std::size_t without = 0;
    for (const Entry &entry : outcome.report.entries) {
        without += entry.times.empty() && entry.remark == "no time left in a quick run";
    }
    assert_true(without >= 1 && without < 5);
}

void a_refusal_becomes_a_remark(void **)
{
    bench::Attempt ahead = sleeper("ahead", 1), later = sleeper("later", 1),
                   hungry = sleeper("hungry", 1);
    ahead.refusal = "too large";
    later.work = [] { throw bench::Refused{"too slow"}; };
    hungry.work = [] { throw std::bad_alloc(); };
    const Outcome outcome = run({scene_of({sleeper("fine", 1), ahead, later, hungry})}, quick(1));
    assert_int_equal(outcome.code, 0);
    assert_true(outcome.entry("ahead")->remark == "too large");
    assert_true(outcome.entry("later")->remark == "too slow");
    assert_true(outcome.entry("hungry")->remark == "there is not enough memory here");
    assert_true(outcome.entry("hungry")->times.empty() && !outcome.entry("fine")->times.empty());
}

void a_wrong_answer_fails_the_run_and_nobody_else(void **)
{
    bench::Attempt wrong = sleeper("wrong", 1), thrown = sleeper("thrown", 1);
    int calls = 0;
    wrong.work = [&calls] { calls++; };
    wrong.is_right = [&calls] { return calls != 1; }; // after just one call
    thrown.check = []() -> bool { throw bench::Wrong{"it lies"}; };
    const Outcome outcome = run({scene_of({sleeper("fine", 1), wrong, thrown})}, quick(1));
    assert_int_equal(outcome.code, 1);
    assert_int_equal(calls, 1);
    assert_true(outcome.entry("wrong")->times.empty());
    assert_true(outcome.entry("thrown")->remark == "wrong answer: it lies");
    assert_false(outcome.entry("fine")->times.empty());
}

void a_run_feeds_several_rows(void **)
{
    const auto taken = std::make_shared<std::vector<double>>();
    bench::Attempt once, twice;
    once.contender = "once";
    once.run = std::make_shared<bench::Run>();
    once.run->take = [taken] { taken->push_back(static_cast<double>(taken->size())); };
    once.run->samples = 4;
    once.figures = [taken] { return *taken; };
    twice = once;
    twice.contender = "twice";
    twice.figures = [taken] { return std::vector<double>{2 * taken->back()}; };
    const Outcome outcome = run({scene_of({once, twice})}, quick(1));
    assert_true(outcome.entry("once")->times == std::vector<double>({0, 1, 2, 3}));
    assert_true(outcome.entry("twice")->times == std::vector<double>({6}));
}

void a_refused_run_refuses_all_its_rows(void **)
{
    bench::Attempt one, other;
    one.contender = "one";
    one.run = std::make_shared<bench::Run>();
    one.run->take = [] { throw bench::Refused{"it did not fly"}; };
    one.figures = [] { return std::vector<double>{1}; };
    other = one;
    other.contender = "other";
    const Outcome outcome = run({scene_of({one, other})}, quick(1));
    assert_true(outcome.entry("one")->remark == "it did not fly");
    assert_true(outcome.entry("other")->remark == "it did not fly");
    assert_true(outcome.entry("other")->times.empty());
}

/// Options as the command line parses them.
BenchOptions filtered(const char *pattern)
{
    std::string words[] = {"terrane-bench", "test", "--quick", "--check", "--filter", pattern};
    char *arguments[7] = {};
    for (int i = 0; i < 6; i++) {
        arguments[i] = words[i].data();
    }
    CommandLine line;
    const Topics topics = {[](std::size_t i) { return i ? nullptr : "test"; }, nullptr};
    assert_int_equal(parse_command_line(6, arguments, topics, line), -1);
    line.options.check = false;
    line.options.quick_s = 1;
    return line.options;
}

void a_filter_keeps_the_baseline(void **)
{
    std::vector<bench::Scene> scenes = {
        scene_of({sleeper("first", 1), sleeper("second", 1), sleeper("third", 1)}),
        scene_of({sleeper("first", 1), sleeper("fourth", 1)})};
    scenes[0].baseline = "second";
    const Outcome outcome = run(scenes, filtered("question.*THIRD"));
    assert_int_equal(outcome.code, 0);
    assert_int_equal(outcome.report.entries.size(), 2);
    assert_true(outcome.entry("second")->is_baseline && outcome.entry("third"));
    assert_int_equal(run(scenes, filtered("nothing like it")).code, 2);
}

void stages_are_made_in_turn_and_freed(void **)
{
    static int living, most;
    struct Counted {
        Counted()
        {
            most = std::max(most, ++living);
        }
        ~Counted()
        {
            living--;
        }
        Counted(const Counted &) = delete;
        Counted &operator=(const Counted &) = delete;
    };
    const bench::Topic staged = topic_made_by([](bench::Bench &bench) {
        for (int i = 0; i < 3; i++) {
            bench.stage([&bench] {
                const auto counted = std::make_shared<Counted>();
                bench::Attempt attempt;
                attempt.contender = "one";
                attempt.check = [counted] { return living == 1; };
                bench.add(scene_of({attempt}));
            });
        }
    });
    BenchOptions options;
    options.check = true;
    assert_int_equal(bench::run_topic(staged, options), 0);
    assert_int_equal(most, 1);
    assert_int_equal(living, 0);
}

/// Two stages: contender "slow" is alone in the first, "next" in the second.
Outcome run_stages(const bench::Attempt &slow, const bench::Attempt &next, double seconds)
{
    static const bench::Attempt *attempts[2];
    static Outcome outcome;
    attempts[0] = &slow;
    attempts[1] = &next;
    outcome_of_run = &outcome;
    const bench::Topic staged = topic_made_by([](bench::Bench &bench) {
        for (const bench::Attempt *attempt : attempts) {
            bench.stage({scene_of({*attempt})});
        }
        bench.conclude([](Report &report) { outcome_of_run->report = report; });
    });
    outcome.code = bench::run_topic(staged, quick(seconds));
    return outcome;
}

void a_slow_stage_leaves_time_for_the_next(void **)
{
    const Outcome outcome = run_stages(sleeper("slow", 400), sleeper("next", 10), 2);
    assert_int_equal(outcome.entry("slow")->times.size(), 1);
    assert_true(outcome.entry("next")->times.size() >= 3);
}

void a_quick_run_does_not_check_after_its_end(void **)
{
    bench::Attempt slow = sleeper("slow", 1), next = sleeper("next", 1);
    slow.check = [] {
        sleep_ms(1000);
        return true;
    };
    next.check = [] { return false; };
    const Outcome outcome = run_stages(slow, next, 1);
    assert_int_equal(outcome.code, 0);
    assert_true(outcome.entry("next")->remark == "no time left in a quick run");
}

void a_topic_that_cannot_start_ends_with_1(void **)
{
    const bench::Topic broken =
        topic_made_by([](bench::Bench &) { throw bench::Refused{"its land is missing"}; });
    assert_int_equal(bench::run_topic(broken, quick(1)), 1);
}

void figures_carry_a_remark(void **)
{
    bench::Attempt cut = bench::known("cut", 3);
    cut.remark = [] { return "of the first 26 steps"; };
    const Outcome outcome = run({scene_of({cut})}, quick(1));
    assert_true(outcome.entry("cut")->remark == "of the first 26 steps");
    assert_true(outcome.entry("cut")->times == std::vector<double>{3});
}

void a_child_throws_to_its_parent(void **)
{
    int step = 0;
    const auto reply_of = [&step] {
        Child child([&step](Ask) {
            return bench::reply_with([&step]() -> bench::Figures {
                switch (step) {
                case 0:
                    throw bench::Refused{"too large"};
                case 1:
                    throw bench::Wrong{"it lies"};
                case 2:
                    std::abort();
                default:
                    return {1, 2};
                }
            });
        });
        return child.ask({}, 60);
    };
    std::string told;
    for (; step < 3; step++) {
        try {
            (void)bench::figures_in(reply_of());
        } catch (const bench::Refused &refused) {
            told += "refused: " + refused.why + "; ";
        } catch (const bench::Wrong &wrong) {
            told += "wrong: " + wrong.why.substr(0, 10) + "; ";
        }
    }
    assert_string_equal(told.c_str(), "refused: too large; wrong: it lies; wrong: it crashed; ");
    assert_true(bench::figures_in(reply_of()) == bench::Figures({1, 2}));
}

void a_target_within_the_spread_is_told_so(void **)
{
    const Target clear = {"", "", {8, 0.1}, "us", Target::at_most, 10};
    const Target close = {"", "", {9.5, 0.1}, "us", Target::at_most, 10};
    const Target over = {"", "", {10.5, 0.1}, "us", Target::at_most, 10};
    const Target missed = {"", "", {12, 0.1}, "us", Target::at_most, 10};
    const Target exact = {"", "", 10, "us", Target::at_most, 10};
    assert_string_equal(clear.verdict(), "met");
    assert_string_equal(close.verdict(), "within noise");
    assert_string_equal(over.verdict(), "within noise");
    assert_string_equal(missed.verdict(), "missed");
    assert_string_equal(exact.verdict(), "met");
    assert_false(close.is_met());
    const Figure ratio = Figure(20, 0.1) / Figure(10, 0.05);
    assert_true(ratio.value == 2 && std::fabs(ratio.spread - 0.15) < 1e-12);
}

void a_spread_does_not_follow_one_stray_sample(void **)
{
    std::vector<double> values(20, 100);
    values.push_back(900);
    assert_true(spread_of(values).relative == 0);
    assert_true(spread_of({90, 100, 110}).relative > 0.05);
    assert_true(spread_of({5}).relative == 0);
}

void the_spread_stands_in_every_row(void **)
{
    const Folder folder;
    const std::string path = folder.path + "/figures.csv";
    OutputFile csv;
    assert_true(csv.open(path));
    BenchOptions options = quick(1);
    options.csv = &csv;
    const auto scatter = std::make_shared<double>(100);
    bench::Attempt attempt;
    attempt.contender = "scattered";
    attempt.measure = [scatter] { return *scatter = 300 - *scatter; };
    attempt.calls = 1;
    (void)run({scene_of({attempt})}, options);
    const std::string text = content_of(path);
    assert_true(text.find("verdict,remark,spread\n") != std::string::npos);
    assert_true(text.find("entry,\"question\",\"world\",\"scattered\",\"us\",10,") !=
                std::string::npos);
    assert_true(text.find(",\"spread over 15 %, measured twice\",0.") != std::string::npos);
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(times_are_divided_and_told_in_the_unit),
        cmocka_unit_test(a_quick_run_ends_in_time_with_three_samples),
        cmocka_unit_test(rows_without_time_are_told),
        cmocka_unit_test(a_refusal_becomes_a_remark),
        cmocka_unit_test(a_wrong_answer_fails_the_run_and_nobody_else),
        cmocka_unit_test(a_run_feeds_several_rows),
        cmocka_unit_test(a_refused_run_refuses_all_its_rows),
        cmocka_unit_test(a_filter_keeps_the_baseline),
        cmocka_unit_test(stages_are_made_in_turn_and_freed),
        cmocka_unit_test(a_slow_stage_leaves_time_for_the_next),
        cmocka_unit_test(a_quick_run_does_not_check_after_its_end),
        cmocka_unit_test(a_topic_that_cannot_start_ends_with_1),
        cmocka_unit_test(figures_carry_a_remark),
        cmocka_unit_test(a_child_throws_to_its_parent),
        cmocka_unit_test(a_target_within_the_spread_is_told_so),
        cmocka_unit_test(a_spread_does_not_follow_one_stray_sample),
        cmocka_unit_test(the_spread_stands_in_every_row),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
