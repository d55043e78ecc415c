/// The interface for topics of terrane-bench. A topic registers scenes, the contenders of each, and
/// conclusions from the figures. The driver filters, checks every answer, measures all contenders
/// in turn within the time budget, and prints and writes the report. bench/README.md shows a topic.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driver/clock.hpp"
#include "driver/options.hpp"
#include "driver/report.hpp"

namespace bench {

/// Thrown from any function of an attempt or run that cannot give a figure. `why` becomes the row's
/// remark: "the box would take 137 GB". std::bad_alloc has the same effect.
/// Thrown from Topic::make, it ends the program with status 1 and the text as its message.
struct Refused {
    std::string why;
};

/// Thrown from any function of an attempt or run: the contender's answer is wrong. It gets no
/// figure, the other contenders go on, and the program ends with status 1.
struct Wrong {
    std::string why; ///< may be empty
};

/// One measurement that gives the figures of several rows, such as a flight or a walk. Attempts
/// that name the same run share it.
struct Run {
    std::function<void()> take; ///< takes one sample and stores it for the attempts' figures()
    std::size_t samples = 0;    ///< how many to take; 0: the driver's choice
};

/// One contender's way of answering a scene: one row of the report. Exactly one of `work`,
/// `measure` and `figures` is set.
struct Attempt {
    std::string contender = {};
    /// One call, timed by the driver; it may be called any number of times.
    std::function<void()> work = nullptr;
    /// For calls that need preparation: prepares, makes one call, and returns its nanoseconds.
    std::function<double()> measure = nullptr;
    /// Samples in the scene's unit, read once all samples of `run` are taken. Not divided.
    std::function<std::vector<double>()> figures = nullptr;
    std::shared_ptr<Run> run = nullptr; ///< measures for figures(); NULL: nothing to measure

    /// Whether the answer of the last call is right. The driver makes one call before the check.
    std::function<bool()> is_right = nullptr;
    /// Instead of is_right: makes the calls that the check needs, and compares their answers.
    std::function<bool()> check = nullptr;

    std::size_t calls = 0;   ///< of `measure`, averaged for a sample; 0: as many as fit in a sample
    std::size_t samples = 0; ///< at most; 0: the driver's choice
    std::function<std::size_t()> counted = nullptr; ///< Scene::count, if known only after measuring
    bool is_floor = false;    ///< not a contender: the least time that any contender could take
    std::string refusal = {}; ///< why the contender does not take part; becomes the remark
    /// A remark on the figures, called after the last sample: "of the first 26 steps".
    std::function<std::string()> remark = nullptr;
};

/// An attempt whose calls the driver times.
inline Attempt timed(std::string contender, std::function<void()> work,
                     std::function<bool()> is_right)
{
    Attempt attempt = {std::move(contender)};
    attempt.work = std::move(work);
    attempt.is_right = std::move(is_right);
    return attempt;
}

/// An attempt that times itself: `measure` returns the nanoseconds of a call.
inline Attempt measured(std::string contender, std::function<double()> measure,
                        std::function<bool()> is_right)
{
    Attempt attempt = {std::move(contender)};
    attempt.measure = std::move(measure);
    attempt.is_right = std::move(is_right);
    return attempt;
}

/// An attempt whose figure is known already, in the scene's unit.
inline Attempt known(std::string contender, double figure)
{
    Attempt attempt = {std::move(contender)};
    attempt.figures = [figure] { return std::vector<double>{figure}; };
    return attempt;
}

/// One question about one world, put to several contenders.
struct Scene {
    std::string question;      ///< "gather the box"
    std::string world;         ///< "ball R=16"
    std::string unit = "ns";   ///< of the row; times become ns, us, ms or s
    std::size_t count = 1;     ///< items in the answer; shown in the table's head
    std::size_t parts = 0;     ///< divisor for the time of a call; 0: count
    std::string baseline = {}; ///< contender that ratios are against; empty: the first attempt
    std::vector<Attempt> attempts = {};
};

/// A scene with its attempts: scene_with({question, world, "us", count}, {baseline, other}).
inline Scene scene_with(Scene scene, std::vector<Attempt> attempts)
{
    scene.attempts = std::move(attempts);
    return scene;
}

/// The object with which a topic registers its scenes.
class Bench {
  public:
    explicit Bench(const BenchOptions &chosen) : options(chosen)
    {
    }
    const BenchOptions &options;

    /// Adds scenes to the current stage. The filter is applied later; the baseline stays if any
    /// other attempt of its scene does.
    void add(Scene scene);
    void add(std::vector<Scene> some);

    /// Adds a stage: scenes that are created when the stage begins, measured together, and freed at
    /// its end. Contenders of one stage take turns. Stages are needed only for worlds that do not
    /// fit in memory together.
    void stage(std::function<void()> make);
    /// Adds a stage of scenes whose worlds are small or are created in child processes.
    void stage(std::vector<Scene> some);

    /// Whether the filter passes any attempt of a scene. If not, the topic need not prepare it.
    bool wants(const std::string &question, const std::string &world,
               const std::vector<std::string> &contenders) const;

    /// Adds a line that is printed after the check of the answers: seeds, kernels, missing
    /// libraries.
    void note(const std::string &line);

    /// Adds a function that is called with all figures and adds targets and plots.
    void conclude(std::function<void(Report &)> conclusion);

  private:
    friend class Driver;
    std::vector<Scene> scenes;                 ///< of the current stage
    std::vector<std::function<void()>> stages; ///< not yet begun
    std::vector<std::string> notes;
    std::vector<std::function<void(Report &)>> conclusions;
};

/// A topic, as main.cpp lists it.
struct Topic {
    const char *name;           ///< on the command line, and in the names of files
    const char *help;           ///< a phrase for --help
    const char *question;       ///< the report's head
    const char *baseline;       ///< the baseline in the report's words
    const char *unit;           ///< the unit in the report's words: "nanoseconds"
    const char *counted;        ///< what scenes count: "chunks"
    int decimals;               ///< of the tables' figures
    const char *filter_example; ///< "undo a sphere | radius 32 | Terrane"
    void (*make)(Bench &bench); ///< registers everything
};

/// A check that attempts share: the first call runs it, all further calls return its result.
std::function<bool()> made_once(const std::function<bool()> &check);

/// Runs a topic. @return the exit code: 0, 1 when an answer is wrong or a file cannot be written, 2
/// when the filter leaves nothing
int run_topic(const Topic &topic, const BenchOptions &options);

} // namespace bench
