/// What a topic of terrane-bench writes: scenes, the contenders in each, and what is concluded from
/// the figures. The driver does the rest: it filters, checks every answer, measures all contenders
/// in turn within the time there is, and prints and writes the report. README.md next to this
/// file's folder shows a whole topic.
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

/// Thrown from any function of an attempt or run: there is no figure, and this is why ("the box
/// would take 137 GB"). The text becomes the row's remark. std::bad_alloc has the same effect.
/// Thrown from Topic::make, it ends the program with status 1 and the text as its message.
struct Refused {
    std::string why;
};

/// Thrown from any function of an attempt or run: the contender's answer is wrong. It gets no
/// figure, the other contenders go on, and the program ends with status 1.
struct Wrong {
    std::string why; ///< may be empty
};

/// One measurement that answers several rows: a flight, a walk, a world that is built. Attempts
/// that name the same run share it.
struct Run {
    std::function<void()> take; ///< takes one sample, and stores what the attempts' figures() read
    std::size_t samples = 0;    ///< how many to take; 0: the driver's choice
};

/// One contender's way of answering a scene: one row of the report. It has one of `work`, `measure`
/// and `figures`.
struct Attempt {
    std::string contender = {};
    /// One call, timed by the driver; it may be called any number of times.
    std::function<void()> work = nullptr;
    /// For calls that need preparation: prepares, makes one call, and returns its nanoseconds.
    std::function<double()> measure = nullptr;
    /// Samples in the scene's unit, read once all samples of `run` are taken. Not divided.
    std::function<std::vector<double>()> figures = nullptr;
    std::shared_ptr<Run> run = nullptr; ///< what feeds figures(); NULL: they need no measuring

    /// Whether the answer of the call just made is right. The driver makes one call first.
    std::function<bool()> is_right = nullptr;
    /// Instead of is_right: makes whatever calls it needs, and compares.
    std::function<bool()> check = nullptr;

    std::size_t calls = 0;   ///< of `measure`, averaged for a sample; 0: as many as fit in one
    std::size_t samples = 0; ///< at most; 0: the driver's choice
    std::function<std::size_t()> counted = nullptr; ///< Scene::count, if only measuring shows it
    bool is_floor = false;                          ///< no contender: the least that any could take
    std::string refusal = {}; ///< why the contender does not take part; becomes the remark
    /// A remark on the figures, asked for after the last sample: "of the first 26 steps".
    std::function<std::string()> remark = nullptr;
};

/// An attempt whose calls the driver times.
inline Attempt timed(std::string contender, std::function<void()> work,
                     std::function<bool()> is_right)
{
    Attempt attempt;
    attempt.contender = std::move(contender);
    attempt.work = std::move(work);
    attempt.is_right = std::move(is_right);
    return attempt;
}

/// An attempt that times itself: `measure` returns the nanoseconds of a call.
inline Attempt measured(std::string contender, std::function<double()> measure,
                        std::function<bool()> is_right)
{
    Attempt attempt;
    attempt.contender = std::move(contender);
    attempt.measure = std::move(measure);
    attempt.is_right = std::move(is_right);
    return attempt;
}

/// An attempt whose figure is known already, in the scene's unit.
inline Attempt known(std::string contender, double figure)
{
    Attempt attempt;
    attempt.contender = std::move(contender);
    attempt.figures = [figure] { return std::vector<double>{figure}; };
    return attempt;
}

/// One question about one world, put to several contenders.
struct Scene {
    std::string question;      ///< "gather the box"
    std::string world;         ///< "ball R=16"
    std::string unit = "ns";   ///< of the row; times become ns, us, ms or s
    std::size_t count = 1;     ///< what the answer holds; shown in the table's head
    std::size_t parts = 0;     ///< what the time of a call is divided by; 0: count
    std::string baseline = {}; ///< contender that ratios are against; empty: the first attempt
    std::vector<Attempt> attempts = {};
};

/// What a topic registers with.
class Bench {
  public:
    explicit Bench(const BenchOptions &chosen) : options(chosen)
    {
    }
    const BenchOptions &options;

    /// Adds scenes to the stage being made. The filter is applied later: the baseline stays where
    /// any other attempt of its scene does.
    void add(Scene scene);
    void add(std::vector<Scene> some);

    /// Adds a stage: scenes that are made when their turn comes, measured together, and freed.
    /// Contenders of one stage take turns. Topics whose worlds fit in memory at the same time need
    /// none.
    void stage(std::function<void()> make);
    /// Adds a stage of scenes whose worlds are small, or are made in child processes.
    void stage(std::vector<Scene> some);

    /// Whether the filter leaves anything of a scene, to spare preparing it in vain.
    bool wants(const std::string &question, const std::string &world,
               const std::vector<std::string> &contenders) const;

    /// Adds a line that is printed once the answers are checked: seeds, kernels, what is missing.
    void note(const std::string &line);

    /// Adds what is done with the figures once all are there: targets and plots.
    void conclude(std::function<void(Report &)> conclusion);

  private:
    friend class Driver;
    std::vector<Scene> scenes;                 ///< of the stage being made
    std::vector<std::function<void()>> stages; ///< still to be made
    std::vector<std::string> notes;
    std::vector<std::function<void(Report &)>> conclusions;
};

/// A topic, as main.cpp lists it.
struct Topic {
    const char *name;           ///< on the command line, and in the names of files
    const char *help;           ///< a phrase for --help
    const char *question;       ///< the report's head
    const char *baseline;       ///< how the report speaks of the baseline
    const char *unit;           ///< likewise of the unit: "nanoseconds"
    const char *counted;        ///< what scenes count: "chunks"
    int decimals;               ///< of the tables' figures
    const char *filter_example; ///< "undo a sphere | radius 32 | Terrane"
    void (*make)(Bench &bench); ///< registers everything
};

/// A check that attempts share: made at the first call, remembered for all others.
std::function<bool()> made_once(const std::function<bool()> &check);

/// Runs a topic. @return the exit code: 0, 1 when an answer is wrong or a file cannot be written, 2
/// when the filter leaves nothing
int run_topic(const Topic &topic, const BenchOptions &options);

} // namespace bench
