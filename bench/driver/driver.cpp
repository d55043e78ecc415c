// Runs a topic: its stages one after the other, each filtered, checked, measured and written down.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <new>
#include <set>
#include <utility>

#include "driver/command_line.hpp"
#include "driver/progress.hpp"
#include "driver/sampler.hpp"
#include "driver/topic.hpp"

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

/// A row in the making.
struct Row {
    const Scene *scene;
    const Attempt *attempt;
    std::vector<double> ns = {}; ///< samples of `work` and `measure`
    std::string remark = {};
    bool is_out = false; ///< refused or wrong: no figure
};

double unit_ns(const std::string &unit)
{
    return unit == "us" ? 1e3 : unit == "ms" ? 1e6 : unit == "s" ? 1e9 : 1;
}

bool is_baseline(const Scene &scene, const Attempt &attempt)
{
    return scene.baseline.empty() ? &attempt == &scene.attempts.front()
                                  : attempt.contender == scene.baseline;
}

/// Leaves out what the filter does not let pass. Of a scene that keeps anything, the baseline
/// stays.
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
    void measure(std::vector<Row> &rows);
    double hard_end_ns() const;
    std::string stage_name() const;
    Pace pace_for(std::size_t turns) const;
    void write_down(std::vector<Row> &rows);
    void print_refusals(const std::vector<Row> &rows);
    void print_checked() const;
    void sort_entries();
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

/// Does some work for a row. Refusals and wrong answers become its remark.
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

/// A quick run begins nothing after 54 s.
double Driver::hard_end_ns() const
{
    return options.quick ? begun_ns + options.quick_s * 0.9e9 : 1e18;
}

/// For the line of progress. Nothing if there is only one stage.
std::string Driver::stage_name() const
{
    const std::size_t all = stages_made + stages_left;
    return all > 1
               ? "stage " + std::to_string(stages_made + 1) + " of " + std::to_string(all) + ", "
               : "";
}

/// A quick run shares its time among the stages left: 45 s for the usual samples, 54 s for the
/// least.
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
            continue;
        }
        turn.take = [this, &row, take = std::move(turn.take)](double ns) {
            guard(row, [&] { take(ns); });
            return !row.is_out;
        };
        turn.samples_max = attempt.run ? attempt.run->samples : attempt.samples;
        turns.push_back(std::move(turn));
    }
    take_turns(turns, pace_for(turns.size()), stage_name());
    // A run that was refused is so for all that share it.
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
                                             : "";
        report.entries.push_back(std::move(entry));
    }
}

/// Measures the scenes that were just registered, and lets go of them.
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
            row.is_out = true; // its remark says that there was no time
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

/// Prints why contenders gave no answers, each reason once. Without --check the report says so.
void Driver::print_refusals(const std::vector<Row> &rows)
{
    for (const Row &row : rows) {
        answers_right += !row.is_out;
        answers++;
        const std::string line =
            row.attempt->contender + ", " + row.scene->world + ": " + row.remark + "\n";
        if (row.is_out && refusals.insert(line).second) {
            std::printf("%s", line.c_str());
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
        std::printf("%s\n", note.c_str());
    }
    std::fflush(stdout);
}

/// Measured a stage at a time, read a question at a time.
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

int Driver::conclude()
{
    sort_entries();
    for (const auto &conclusion : bench.conclusions) {
        conclusion(report);
    }
    print_report(report);
    print_targets(report);
    return write_report(report, options) && is_right ? 0 : 1;
}

int Driver::run()
{
    try {
        topic.make(bench);
    } catch (const Refused &refused) {
        std::fprintf(stderr, "terrane-bench: %s\n", refused.why.c_str());
        return 1;
    }
    stages_left = bench.stages.size() + !bench.scenes.empty();
    if (!bench.scenes.empty()) {
        run_stage();
    }
    for (auto &make : bench.stages) {
        const auto once = std::exchange(make, nullptr); // frees what it holds behind the stage
        once();
        run_stage();
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
