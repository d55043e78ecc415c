/// One contender on one world, inside a child process: fills a container, checks answers, measures
/// times.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/child.hpp"
#include "driver/clock.hpp"
#include "lookup_answers.hpp"
#include "lookup_questions.hpp"
#include "lookup_world.hpp"

/// Time limits.
struct LookupLimits {
    double build_ns;       ///< filling a container once
    std::size_t slice_min; ///< chunks inserted before the time is first checked
    double call_ns;        ///< one call of a question; a longer one is refused
    double walk_ns;        ///< one walk; a longer one is cut
    double sample_ns;      ///< one sample, if a call is shorter
    double asks_ns;        ///< one call that finds single chunks; slow contenders find fewer
    std::size_t asks;      ///< how many single chunks fast contenders find
    double warm_ns;        ///< repeating a question after its check
};

/// Throws bench::Refused if the clock's steps are too coarse to time a single short call.
void require_fine_clock();

class LookupRunner {
  public:
    /// @param waste  memory that is read to evict the caches. All arguments are borrowed.
    LookupRunner(const Contender &measured, const LookupWorld &filled, const LookupLimits &given,
                 const std::vector<char> &waste);

    // All functions throw bench::Refused and bench::Wrong.

    /// Fills the container. @return bytes per chunk
    double fill();
    /// Answers a question once and checks the answer. Refuses a question that would take too long.
    void check(Question question);
    /// Times a question that was checked, and makes sure that the answer is still the same.
    /// @return a figure in the question's unit
    double measure(Question question);
    /// Walks with a new container. Restores the chunk headers afterwards.
    /// @return nanoseconds of each step within the time limit
    bench::Figures walk();

  private:
    using Container = std::unique_ptr<void, void (*)(void *)>;
    Container create() const;
    void insert(void *it) const;
    [[noreturn]] void refuse(void *it, const std::string &when) const;

    void work(Question question);
    void require_right(Call call) const;
    void check_part_of_box();
    double items(Question question) const;
    double ns_of_work(Question question);
    double ns_of_warm_work(Question question);
    double estimate_ns(Question question);
    void limit_asks(Question question);
    double measure_build() const;

    bench::Figures take_steps(void *it) const;
    void check_end(void *it, std::size_t steps);
    void check_step(void *it, const WalkStep &step);

    const Contender &contender;
    const LookupWorld &world;
    const LookupLimits limits;
    const double step_ns = clock_step_ns();
    const std::vector<char> &trash;
    Container self;
    LookupAnswers answers;
    /// for questions about single chunks, how many chunks one call finds
    std::size_t asks[question_count] = {};
    std::uint64_t digests[question_count] = {}; ///< of the checked answers
};
