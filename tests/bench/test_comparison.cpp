// What a run says at its end: where Terrane stands, what changed since an earlier run, and its
// page.
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "folder.hpp"

extern "C" {
#include <cmocka.h>
}

#include "driver/comparison.hpp"
#include "driver/output_file.hpp"
#include "driver/standings.hpp"
#include "driver/topic.hpp"

namespace {

Entry row(const std::string &question, const std::string &world, const std::string &contender,
          std::vector<double> times, const std::string &unit = "us")
{
    Entry entry;
    entry.question = question;
    entry.world = world;
    entry.contender = contender;
    entry.unit = unit;
    entry.times = std::move(times);
    return entry;
}

Report report_of(std::vector<Entry> entries)
{
    Report report;
    report.topic = "test";
    report.question = "A <test>?";
    report.command = "terrane-bench test";
    report.entries = std::move(entries);
    return report;
}

// ---- standings ---------------------------------------------------------------------------------

void terrane_stands_against_the_best_other_contender(void **)
{
    const std::vector<Standing> standings = standings_of(report_of({
        row("find", "small", "a map", {30}),
        row("find", "small", "another map", {20}),
        row("find", "small", "Terrane index", {10}),
        row("find", "small", "Terrane index, with a kernel of its own", {1}), // not the default
        row("find", "large", "a map", {20.4}),
        row("find", "large", "Terrane index", {20}),
        row("gather", "small", "TrnPool", {40}),
        row("gather", "small", "an array", {10}),
        row("gather", "large", "an array", {10}),
        row("gather", "large", "TrnPool", {80}),
    }));
    assert_int_equal(standings.size(), 3);
    assert_true(standings[0].place == Standing::ahead && standings[0].ratios[0] == 2);
    assert_string_equal(standings[0].rival.c_str(), "another map");
    assert_string_equal(worlds_text(standings[0]).c_str(), "small");
    assert_true(standings[1].place == Standing::equal);
    assert_true(standings[2].place == Standing::behind);
    assert_string_equal(ratios_text(standings[2]).c_str(), "0.12 to 0.25 x");
    assert_string_equal(worlds_text(standings[2]).c_str(), "small; large");
}

void a_difference_within_the_spreads_is_equal(void **)
{
    const std::vector<Standing> standings =
        standings_of(report_of({row("find", "small", "a map", {8, 11, 14}),
                                row("find", "small", "Terrane index", {9, 10, 11})}));
    assert_int_equal(standings.size(), 1);
    assert_true(standings[0].place == Standing::equal && standings[0].spread > 0.2);
}

void floors_rates_and_lonely_rows_do_not_stand(void **)
{
    Report report = report_of(
        {row("copy", "small", "memcpy", {1}), row("copy", "small", "Terrane", {2}),
         row("chunks", "small", "a map", {5}, "a second"),
         row("chunks", "small", "Terrane", {9}, "a second"), row("edit", "small", "Terrane", {9}),
         row("walk", "small", "a map", {}), row("walk", "small", "Terrane", {9})});
    report.entries[0].is_floor = true;
    assert_true(standings_of(report).empty());
}

// ---- comparisons -------------------------------------------------------------------------------

/// Writes a report as JSON and reads it back, as two runs of the program do.
OldRun stored(const Report &report)
{
    const Folder folder;
    OutputFile json;
    BenchOptions options;
    options.json = &json;
    OldRun run;
    assert_true(json.open(folder.path + "/old.json") && write_report(report, options));
    assert_true(read_old_run(folder.path + "/old.json", "test", run));
    return run;
}

/// Five rows of other contenders that show the pace, and one of Terrane's.
Report paced(double pace, std::vector<double> ours)
{
    std::vector<Entry> entries;
    entries.reserve(6);
    for (int i = 0; i < 5; i++) {
        entries.push_back(row("find", "world " + std::to_string(i), "a map",
                              {99 * pace, 100 * pace, 101 * pace}));
    }
    entries.push_back(row("find", "world 0", "Terrane index", std::move(ours)));
    return report_of(std::move(entries));
}

void a_change_is_beyond_the_spread_and_the_pace(void **)
{
    const OldRun before = stored(paced(1, {9.9, 10, 10.1}));
    assert_int_equal(before.rows.size(), 6);
    assert_true(compare(paced(1, {9.8, 10.2, 10.3}), before).regressions.empty());
    assert_true(compare(paced(2, {19, 20, 21}), before).regressions.empty());
    const Comparison worse = compare(paced(2, {29, 30, 31}), before);
    assert_int_equal(worse.regressions.size(), 1);
    assert_true(std::fabs(worse.pace - 2) < 1e-6);
    assert_true(std::fabs(worse.regressions[0].factor - 1.5) < 1e-6);
    assert_int_equal(rows_of(worse.regressions).count("find | world 0 | Terrane index"), 1);
    assert_int_equal(compare(paced(1, {5, 5.1, 5.2}), before).improved.size(), 1);
    // The median is higher, but some samples are as fast as before.
    assert_true(compare(paced(1, {10, 13, 14}), before).regressions.empty());
}

void single_samples_and_other_machines_are_not_judged(void **)
{
    OldRun before = stored(paced(1, {10}));
    const Comparison single = compare(paced(1, {30}), before);
    assert_true(single.regressions.empty() && single.unsure == 1);
    before = stored(paced(1, {9.9, 10, 10.1}));
    before.processor = "another";
    const Comparison elsewhere = compare(paced(1, {30, 31, 32}), before);
    assert_true(elsewhere.regressions.empty() && !elsewhere.obstacle.empty());
    before = stored(report_of({row("memory", "world", "Terrane index", {100}, "bytes")}));
    before.processor = "another";
    const Report more = report_of({row("memory", "world", "Terrane index", {120}, "bytes")});
    assert_int_equal(compare(more, before).regressions.size(), 1);
}

void a_damaged_report_is_refused(void **)
{
    const Folder folder;
    const std::string path = folder.path + "/old.json";
    OutputFile json;
    BenchOptions options;
    options.json = &json;
    assert_true(json.open(path) && write_report(report_of({row("find", "a", "b", {1})}), options));
    const std::string whole = content_of(path);
    OldRun run;
    assert_true(read_old_run(path, "test", run));
    assert_false(read_old_run(path, "other", run));
    assert_false(read_old_run(folder.path + "/missing", "test", run));
    assert_false(read_old_run(folder.path, "test", run));
    for (std::size_t length = 0; length + 2 < whole.size(); length++) {
        std::FILE *const file = std::fopen(path.c_str(), "wb");
        assert_non_null(file);
        assert_int_equal(std::fwrite(whole.data(), 1, length, file), length);
        assert_int_equal(std::fclose(file), 0);
        assert_false(read_old_run(path, "test", run));
    }
}

void the_readme_has_every_member_of_a_report(void **)
{
    const Folder folder;
    const std::string path = folder.path + "/report.json";
    const std::string readme = content_of(BENCH_README);
    Report report = paced(1, {10});
    report.targets = {{"world", "find", {1}, "x", Target::at_most, 2}};
    OutputFile json;
    BenchOptions options;
    options.json = &json;
    assert_true(json.open(path) && write_report(report, options));
    const std::string text = content_of(path);
    const std::regex member("\"([a-z_ ]+)\":");
    std::size_t members = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), member), end; at != end; ++at) {
        assert_true(readme.find("`" + (*at)[1].str() + "`") != std::string::npos);
        members++;
    }
    assert_true(members > 90);
}

// ---- whole runs --------------------------------------------------------------------------------

/// Global, because topics are created by a function without user data.
std::function<void(bench::Bench &)> *maker;

int run(std::function<void(bench::Bench &)> make, const BenchOptions &options)
{
    maker = &make;
    const bench::Topic topic = {"test",
                                "a test",
                                "A test?",
                                "a map",
                                "us",
                                "things",
                                1,
                                "one | of | these",
                                [](bench::Bench &bench) { (*maker)(bench); }};
    return bench::run_topic(topic, options);
}

bench::Attempt timed_as(const std::string &contender, std::function<double()> measure)
{
    bench::Attempt attempt;
    attempt.contender = contender;
    attempt.measure = std::move(measure);
    attempt.calls = 1;
    return attempt;
}

bench::Scene scene_of(std::vector<bench::Attempt> attempts)
{
    return bench::scene_with({"find", "world", "ns", 1}, std::move(attempts));
}

BenchOptions quick()
{
    BenchOptions options;
    options.quick = true;
    options.quick_s = 1;
    return options;
}

void noisy_rows_are_measured_again(void **)
{
    int calls = 0;
    const auto calms_down = [&calls] { return calls++ < 7 && calls % 2 ? 300.0 : 100.0; };
    const auto stays_noisy = [] { return 100.0 * (1 + std::rand() % 5); };
    std::vector<Entry> entries;
    const int code = run(
        [&](bench::Bench &bench) {
            bench.add(scene_of(
                {timed_as("calms down", calms_down), timed_as("stays noisy", stays_noisy)}));
            bench.conclude([&entries](Report &report) { entries = report.entries; });
        },
        quick());
    assert_int_equal(code, 0);
    assert_true(spread_of(entries[0].times).relative == 0 && entries[0].remark.empty());
    assert_string_equal(entries[1].remark.c_str(), "spread over 15 %, measured twice");
}

/// Runs a topic in which Terrane's row takes `first` ns, and `later` ns once the world is made
/// again, against a row of 100 ns.
int run_against_100(double first, double later, int &worlds)
{
    BenchOptions options = quick();
    options.before = std::make_shared<OldRun>(
        stored(report_of({row("find", "world", "Terrane index", {99.9, 100, 100.1}, "ns")})));
    worlds = 0;
    return run(
        [&](bench::Bench &bench) {
            const double ns = worlds++ ? later : first;
            bench.add(scene_of({timed_as("a map", [] { return 100.0; }),
                                timed_as("Terrane index", [ns] { return ns; })}));
        },
        options);
}

void what_became_worse_is_measured_again_and_fails(void **)
{
    int worlds = 0;
    assert_int_equal(run_against_100(100, 100, worlds), 0);
    assert_int_equal(worlds, 1);
    assert_int_equal(run_against_100(200, 101, worlds), 0);
    assert_int_equal(worlds, 2);
    assert_int_equal(run_against_100(200, 190, worlds), 1);
    assert_int_equal(worlds, 2);
    assert_int_equal(run_against_100(50, 50, worlds), 0);
}

void a_target_may_not_judge_a_time(void **)
{
    const auto run_with = [](const char *unit, Target::Bound bound) {
        (void)run(
            [=](bench::Bench &bench) {
                bench.add(scene_of({timed_as("a map", [] { return 100.0; })}));
                bench.conclude([=](Report &report) {
                    report.targets = {{"world", "find", {1}, unit, bound, 2}};
                });
            },
            quick());
    };
    run_with("x", Target::at_most);
    run_with("us", Target::none);
    for (const char *const unit : {"us", "ns a point", "GB/s"}) {
        bool is_refused = false;
        try {
            run_with(unit, Target::at_most);
        } catch (const std::logic_error &) {
            is_refused = true;
        }
        assert_true(is_refused);
    }
}

void every_question_that_is_measured_has_a_plot(void **)
{
    const Folder folder;
    BenchOptions options = quick();
    options.plot_folder = folder.path;
    (void)run(
        [](bench::Bench &bench) { bench.add(scene_of({timed_as("a map", [] { return 100.0; })})); },
        options);
    assert_true(content_of(folder.path + "/test_find.csv").find("a map") != std::string::npos);
}

void the_page_needs_no_network(void **)
{
    const Folder folder;
    const std::string path = folder.path + "/run.html";
    OutputFile html;
    BenchOptions options = quick();
    assert_true(html.open(path));
    options.html = &html;
    options.command = "terrane-bench test --filter '<&>'";
    (void)run(
        [](bench::Bench &bench) {
            bench.add(scene_of({timed_as("a <map>", [] { return 100.0; }),
                                timed_as("Terrane index", [] { return 50.0; })}));
        },
        options);
    const std::string page = content_of(path);
    for (const char *const text : {"<!DOCTYPE html>", "--filter '&lt;&amp;&gt;'", "a &lt;map&gt;",
                                   "ahead", "2.0 x", "commit", "processor", "</html>"}) {
        assert_true(page.find(text) != std::string::npos);
    }
    for (const char *const text : {"src=", "href=\"h", "href=\"/", "@import", "url(h", "<map>"}) {
        assert_true(page.find(text) == std::string::npos);
    }
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(terrane_stands_against_the_best_other_contender),
        cmocka_unit_test(a_difference_within_the_spreads_is_equal),
        cmocka_unit_test(floors_rates_and_lonely_rows_do_not_stand),
        cmocka_unit_test(a_change_is_beyond_the_spread_and_the_pace),
        cmocka_unit_test(single_samples_and_other_machines_are_not_judged),
        cmocka_unit_test(a_damaged_report_is_refused),
        cmocka_unit_test(the_readme_has_every_member_of_a_report),
        cmocka_unit_test(noisy_rows_are_measured_again),
        cmocka_unit_test(what_became_worse_is_measured_again_and_fails),
        cmocka_unit_test(a_target_may_not_judge_a_time),
        cmocka_unit_test(every_question_that_is_measured_has_a_plot),
        cmocka_unit_test(the_page_needs_no_network),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
