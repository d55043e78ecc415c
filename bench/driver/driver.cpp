// Runs a topic: filters, checks, measures and records its stages, one after the other.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <map>
#include <new>
#include <set>
#include <stdexcept>
#include <utility>

#include "driver/command_line.hpp"
#include "driver/comparison.hpp"
#include "driver/conditions.hpp"
#include "driver/progress.hpp"
#include "driver/sampler.hpp"
#include "driver/standings.hpp"
#include "driver/topic.hpp"
#include "printable.h"

namespace bench {

// ---- registering -------------------------------------------------------------------------------

void Bench::add(Scene scene)
{
    scenes.push_back(std::move(scene));
}

void Bench::add(std::vector<Scene> some)
{
    std::move(some.begin(), some.end(), std::back_inserter(scenes));
}

void Bench::stage(std::function<void()> make)
{
    stages.push_back(std::move(make));
}

void Bench::stage(std::vector<Scene> some)
{
    stages.emplace_back([this, some = std::move(some)] { add(some); });
}

bool Bench::wants(const std::string &question, const std::string &world,
                  const std::vector<std::string> &contenders) const
{
    return std::any_of(contenders.begin(), contenders.end(), [&](const std::string &contender) {
        return options.wants(question, world, contender);
    });
}

void Bench::note(const std::string &line)
{
    notes.push_back(line);
}

void Bench::conclude(std::function<void(Report &)> conclusion)
{
    conclusions.push_back(std::move(conclusion));
}

namespace {

/// A row of the report while it is measured.
struct Row {
    const Scene *scene;
    const Attempt *attempt;
    std::vector<double> ns = {}; ///< samples of `work` and `measure`
    std::string remark = {};
    bool is_out = false;      ///< refused or wrong: no figure
    bool stays_noisy = false; ///< noisy after the second measurement too
};

std::string row_of(const Entry &entry)
{
    return row_name(entry.question, entry.world, entry.contender);
}

double unit_ns(const std::string &unit)
{
    return unit == "us" ? 1e3 : unit == "ms" ? 1e6 : unit == "s" ? 1e9 : 1;
}

bool is_baseline(const Scene &scene, const Attempt &attempt)
{
    return scene.baseline.empty() ? &attempt == &scene.attempts.front()
                                  : attempt.contender == scene.baseline;
}

/// Removes attempts that the filter rejects. The baseline stays if any attempt of its scene does.
void filter_scenes(std::vector<Scene> &scenes, const BenchOptions &options)
{
    for (Scene &scene : scenes) {
        std::vector<Attempt> kept;
        bool is_wanted = false;
        for (const Attempt &attempt : scene.attempts) {
            const bool wants = options.wants(scene.question, scene.world, attempt.contender);
            is_wanted = is_wanted || wants;
            if (wants || is_baseline(scene, attempt)) {
                kept.push_back(attempt);
            }
        }
        scene.attempts = is_wanted ? std::move(kept) : std::vector<Attempt>();
    }
    const auto is_empty = [](const Scene &scene) { return scene.attempts.empty(); };
    scenes.erase(std::remove_if(scenes.begin(), scenes.end(), is_empty), scenes.end());
}

} // namespace

// ---- the driver --------------------------------------------------------------------------------

class Driver {
  public:
    Driver(const Topic &run, const BenchOptions &chosen)
        : topic(run), options(chosen), bench(chosen), begun_ns(clock_ns(CLOCK_MONOTONIC))
    {
        report.topic = topic.name;
        report.question = topic.question;
        report.command = options.command;
        report.baseline = topic.baseline;
        report.unit = topic.unit;
        report.unit_symbol = "";
        report.counted = topic.counted;
        report.decimals = topic.decimals;
    }
    int run();

  private:
    void run_stage();
    template <class Work> void guard(Row &row, const Work &work);
    void check(Row &row);
    bool turn_of(Row &row, Turn &turn);
    void measure(std::vector<Row> &rows);
    void measure_noisy(std::vector<Row> &rows);
    double hard_end_ns() const;
    std::string stage_name() const;
    Pace pace_for(std::size_t turns) const;
    void write_down(std::vector<Row> &rows);
    void print_refusals(const std::vector<Row> &rows);
    void print_checked() const;
    void sort_entries();
    void measure_all();
    void measure_worse();
    void add_plots();
    void check_targets() const;
    int conclude();

    const Topic &topic;
    const BenchOptions &options;
    Bench bench;
    Report report;
    double begun_ns;
    std::size_t scenes = 0, stages_made = 0, stages_left = 0;
    std::size_t answers = 0, answers_right = 0; ///< of --check
    std::set<std::string> refusals;             ///< printed already
    bool is_right = true;
};

/// Calls `work` for a row. The text of a refusal or wrong answer becomes the row's remark.
template <class Work> void Driver::guard(Row &row, const Work &work)
{
    try {
        work();
        return;
    } catch (const Refused &refused) {
        row.remark = refused.why;
    } catch (const std::bad_alloc &) {
        row.remark = "there is not enough memory here";
    } catch (const Wrong &wrong) {
        wipe_progress();
        row.remark = "wrong answer" + (wrong.why.empty() ? "" : ": " + wrong.why);
        std::fprintf(stderr, "terrane-bench: %s gives a wrong answer to '%s' for %s%s%s.\n",
                     row.attempt->contender.c_str(), row.scene->question.c_str(),
                     row.scene->world.c_str(), wrong.why.empty() ? "" : ": ", wrong.why.c_str());
        is_right = false;
    }
    row.is_out = true;
    row.ns.clear();
}

void Driver::check(Row &row)
{
    const Attempt &attempt = *row.attempt;
    guard(row, [&attempt] {
        if (!attempt.refusal.empty()) {
            throw Refused{attempt.refusal};
        }
        if (attempt.is_right && attempt.measure) {
            attempt.measure();
        } else if (attempt.is_right && attempt.work) {
            attempt.work();
        }
        if ((attempt.is_right && !attempt.is_right()) || (attempt.check && !attempt.check())) {
            throw Wrong{};
        }
    });
}

/// When sampling must end. A quick run starts no measurement after 54 s.
double Driver::hard_end_ns() const
{
    return options.quick ? begun_ns + options.quick_s * 0.9e9 : 1e18;
}

/// The stage's number for the progress line. Empty if the topic has only one stage.
std::string Driver::stage_name() const
{
    const std::size_t all = stages_made + stages_left;
    return all > 1
               ? "stage " + std::to_string(stages_made + 1) + " of " + std::to_string(all) + ", "
               : "";
}

/// A quick run divides its time among the remaining stages: 45 s for the usual number of samples,
/// 54 s for the least.
Pace Driver::pace_for(std::size_t turns) const
{
    if (!options.quick) {
        const double end_ns = hard_end_ns();
        return {0.1e9, 3, 15, end_ns, end_ns, end_ns};
    }
    const double now = clock_ns(CLOCK_MONOTONIC);
    const auto stages = static_cast<double>(std::max<std::size_t>(stages_left, 1));
    const auto share_ns = [&](double end_ns) { return std::max(0.0, end_ns - now) / stages; };
    const double usual_ns = share_ns(begun_ns + options.quick_s * 0.75e9);
    const double sample_ns = usual_ns / static_cast<double>(std::max<std::size_t>(turns, 1)) / 8;
    const double shortest_ns = std::clamp(50 * clock_step_ns(), 0.2e6, 20e6); // in a browser 5 ms
    return {std::clamp(sample_ns, shortest_ns, 20e6),
            3,
            7,
            now + usual_ns,
            now + share_ns(hard_end_ns()),
            hard_end_ns(),
            true};
}

/// @return false if there is nothing to measure
bool Driver::turn_of(Row &row, Turn &turn)
{
    const Attempt &attempt = *row.attempt;
    if (attempt.work) {
        turn = turn_of_work(attempt.work, row.ns);
    } else if (attempt.measure) {
        turn = turn_of_measure(attempt.measure, attempt.calls, row.ns);
    } else if (attempt.run) {
        turn.take = [&attempt](double) {
            attempt.run->take();
            return true;
        };
    } else {
        return false;
    }
    turn.take = [this, &row, take = std::move(turn.take)](double ns) {
        guard(row, [&] { take(ns); });
        return !row.is_out;
    };
    turn.samples_max = attempt.run ? attempt.run->samples : attempt.samples;
    return true;
}

/// Measures noisy rows again, and keeps the samples with the smaller spread. A quick run spends at
/// most half of the stage's remaining time.
void Driver::measure_noisy(std::vector<Row> &rows)
{
    std::vector<Turn> turns;
    std::map<Row *, std::vector<double>> first;
    for (Row &row : rows) {
        Turn turn;
        if (is_noisy(row.ns) && turn_of(row, turn)) {
            first[&row] = std::exchange(row.ns, {});
            turns.push_back(std::move(turn));
        }
    }
    Pace pace = pace_for(turns.size());
    const double now = clock_ns(CLOCK_MONOTONIC);
    for (double *const end_ns : {&pace.end_ns, &pace.least_end_ns, &pace.hard_end_ns}) {
        *end_ns = now + (*end_ns - now) / 2;
    }
    take_turns(turns, pace, stage_name() + "noisy rows again, ");
    for (auto &[row, samples] : first) {
        if (!row->is_out && (row->ns.size() < samples.size() ||
                             spread_of(samples).relative <= spread_of(row->ns).relative)) {
            row->ns = std::move(samples);
        }
        row->stays_noisy = is_noisy(row->ns);
    }
}

void Driver::measure(std::vector<Row> &rows)
{
    std::vector<Turn> turns;
    std::set<const Run *> runs;
    for (Row &row : rows) {
        const Attempt &attempt = *row.attempt;
        if (row.is_out || (attempt.run && !runs.insert(attempt.run.get()).second)) {
            continue;
        }
        Turn turn;
        if (turn_of(row, turn)) {
            turns.push_back(std::move(turn));
        }
    }
    take_turns(turns, pace_for(turns.size()), stage_name());
    measure_noisy(rows);
    // If a shared run was refused, all its rows are refused.
    for (const Row &from : rows) {
        for (Row &to : rows) {
            if (from.is_out && from.attempt->run && to.attempt->run == from.attempt->run) {
                to.remark = from.remark;
                to.is_out = true;
            }
        }
    }
}

void Driver::write_down(std::vector<Row> &rows)
{
    for (Row &row : rows) {
        const Scene &scene = *row.scene;
        Entry entry;
        entry.question = scene.question;
        entry.world = scene.world;
        entry.contender = row.attempt->contender;
        entry.unit = scene.unit;
        entry.count = row.attempt->counted ? row.attempt->counted() : scene.count;
        entry.is_baseline = is_baseline(scene, *row.attempt);
        entry.is_floor = row.attempt->is_floor;
        if (!row.is_out && row.attempt->figures) {
            guard(row, [&] { entry.times = row.attempt->figures(); });
        }
        const double parts = static_cast<double>(scene.parts ? scene.parts : scene.count);
        for (const double ns : row.ns) {
            entry.times.push_back(ns / parts / unit_ns(scene.unit));
        }
        entry.remark = !row.remark.empty()   ? row.remark
                       : entry.times.empty() ? "no time left in a quick run"
                       : row.attempt->remark ? row.attempt->remark()
                       : row.stays_noisy     ? "spread over 15 %, measured twice"
                                             : "";
        report.entries.push_back(std::move(entry));
    }
}

/// Measures the scenes that were just registered, then frees them.
void Driver::run_stage()
{
    std::vector<Scene> stage = std::exchange(bench.scenes, {});
    filter_scenes(stage, options);
    scenes += stage.size();
    std::vector<Row> rows;
    for (const Scene &scene : stage) {
        for (const Attempt &attempt : scene.attempts) {
            rows.push_back({&scene, &attempt});
        }
    }
    for (std::size_t i = 0; i < rows.size(); i++) {
        Row &row = rows[i];
        show_progress(stage_name() + "checking answer " + std::to_string(i + 1) + " of " +
                      std::to_string(rows.size()));
        if (options.check || clock_ns(CLOCK_MONOTONIC) < hard_end_ns()) {
            check(row);
        } else {
            row.is_out = true; // the remark says that time ran out
        }
    }
    wipe_progress();
    if (options.check) {
        print_refusals(rows);
    } else {
        measure(rows);
        write_down(rows);
    }
    stages_made++;
    stages_left--;
}

/// Prints why contenders gave no answers, each reason once. Without --check, the report contains
/// the reasons.
void Driver::print_refusals(const std::vector<Row> &rows)
{
    for (const Row &row : rows) {
        answers_right += !row.is_out;
        answers++;
        const std::string line =
            row.attempt->contender + ", " + row.scene->world + ": " + row.remark + "\n";
        if (row.is_out && refusals.insert(line).second) {
            std::printf("%s", printable(line).c_str());
        }
    }
}

void Driver::print_checked() const
{
    if (is_right) {
        std::printf("Answers checked: all contenders agree on %zu scenes.\n", scenes);
    } else if (options.check) {
        std::printf("Answers checked: %zu of %zu are right.\n", answers_right, answers);
    }
    for (const std::string &note : bench.notes) {
        std::printf("%s\n", printable(note).c_str());
    }
    std::fflush(stdout);
}

/// Groups the entries by question; they were measured stage by stage.
void Driver::sort_entries()
{
    std::vector<std::string> questions;
    for (const Entry &entry : report.entries) {
        if (std::find(questions.begin(), questions.end(), entry.question) == questions.end()) {
            questions.push_back(entry.question);
        }
    }
    const auto place_of = [&questions](const Entry &entry) {
        return std::find(questions.begin(), questions.end(), entry.question) - questions.begin();
    };
    std::stable_sort(report.entries.begin(), report.entries.end(),
                     [&](const Entry &a, const Entry &b) { return place_of(a) < place_of(b); });
}

/// Measures Terrane's regressions again, in newly created worlds, and keeps the lower median. A row
/// that is worse by chance is seldom worse twice.
void Driver::measure_worse()
{
    BenchOptions again = options;
    again.rows = rows_of(compare(report, *options.before).regressions);
    if (again.rows.empty()) {
        return;
    }
    std::fprintf(stderr, "terrane-bench: %zu rows are worse than in %s; measuring them again.\n",
                 again.rows.size(), options.before->path.c_str());
    Driver second(topic, again);
    second.measure_all();
    is_right = is_right && second.is_right;
    std::map<std::string, const Entry *> found;
    for (const Entry &entry : second.report.entries) {
        found[row_of(entry)] = &entry;
    }
    for (Entry &entry : report.entries) {
        const auto at = found.find(row_of(entry));
        if (again.rows.count(row_of(entry)) && at != found.end() && !at->second->times.empty() &&
            spread_of(at->second->times).median < spread_of(entry.times).median) {
            entry.times = at->second->times;
        }
    }
}

/// Adds a bar plot for each question that has no plot from the topic.
void Driver::add_plots()
{
    std::set<std::string> drawn;
    for (const Plot &plot : report.plots) {
        drawn.insert(plot.title);
    }
    for (const Entry &entry : report.entries) {
        if (!entry.times.empty() && drawn.insert(entry.question).second) {
            report.plots.push_back(bars_of(report, entry.question));
        }
    }
}

/// Refuses targets that demand a time, since machines differ.
void Driver::check_targets() const
{
    for (const Target &target : report.targets) {
        if (target.bound != Target::none && is_time(target.unit)) {
            throw std::logic_error("the target '" + target.what + "' judges a time");
        }
    }
}

int Driver::conclude()
{
    sort_entries();
    if (options.before) {
        measure_worse();
    }
    for (const auto &conclusion : bench.conclusions) {
        conclusion(report);
    }
    check_targets();
    add_plots();
    print_report(report);
    print_targets(report);
    const std::string note = note_on_spreads(report);
    std::printf(note.empty() ? "%s" : "\n%s\n", note.c_str());
    print_standings(standings_of(report));
    for (const std::string &line : report.summary) {
        std::printf(&line == &report.summary.front() ? "\n%s\n" : "%s\n", line.c_str());
    }
    bool is_worse = false;
    if (options.before) {
        const Comparison comparison = compare(report, *options.before);
        print_comparison(comparison, *options.before);
        is_worse = !comparison.regressions.empty();
    }
    return write_report(report, options) && is_right && !is_worse ? 0 : 1;
}

/// Runs all stages.
void Driver::measure_all()
{
    topic.make(bench);
    stages_left = bench.stages.size() + !bench.scenes.empty();
    if (!bench.scenes.empty()) {
        run_stage();
    }
    for (auto &make : bench.stages) {
        const auto once = std::exchange(make, nullptr); // frees its captures after the stage
        once();
        run_stage();
    }
}

int Driver::run()
{
    try {
        measure_all();
    } catch (const Refused &refused) {
        std::fprintf(stderr, "terrane-bench: %s\n", printable(refused.why).c_str());
        return 1;
    }
    if (scenes == 0) {
        return refuse(std::string("--filter leaves nothing to measure. It is looked for in "
                                  "\"question | world | contender\", such as \"") +
                      topic.filter_example + "\".");
    }
    print_checked();
    return options.check ? (is_right ? 0 : 1) : conclude();
}

std::function<bool()> made_once(const std::function<bool()> &check)
{
    const std::shared_future<bool> made = std::async(std::launch::deferred, check);
    return [made] { return made.get(); };
}

int run_topic(const Topic &topic, const BenchOptions &options)
{
    return Driver(topic, options).run();
}

} // namespace bench
