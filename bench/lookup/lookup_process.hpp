/// One contender on one world, as rows of the report: the parent's end of a child process that
/// holds the filled container.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/topic.hpp"
#include "lookup_runner.hpp"

/// Time limits and numbers of samples.
struct LookupPlan {
    LookupLimits limits;
    std::size_t samples;   ///< of a row; 0: the driver's choice
    std::size_t walks;     ///< at least 1
    double spend_ns;       ///< time budget for all samples of a row
    double answer_seconds; ///< added to the limits before the child is ended
};

class LookupProcess {
  public:
    /// @param waste  memory that is read to evict the caches. Borrows all arguments but the world.
    LookupProcess(const Contender &measured, bool is_the_baseline,
                  std::shared_ptr<const LookupWorld> filled, const LookupPlan &given,
                  const std::vector<char> &waste);

    /// The contender's row for a question. All rows share the process.
    static bench::Attempt attempt(const std::shared_ptr<LookupProcess> &process, Question question);

  private:
    /// The state of one row.
    struct Row {
        bench::Figures figures = {};
        double spent_ns = 0;
    };
    std::function<Reply(Ask)> server() const;
    bench::Figures figures_from(Child &from, Ask ask, double seconds);
    void start();
    bench::Figures ask(Question question, bool is_to_measure);
    void check(Question question);
    void take(Question question);
    void take_walk();
    void walk();
    bench::Figures figures(Question question) const;
    std::string walk_remark() const;

    const Contender &contender;
    const bool is_baseline;
    const std::shared_ptr<const LookupWorld> world;
    const LookupPlan &plan;
    const std::vector<char> &trash;
    std::unique_ptr<Child> child = {}; ///< NULL: not started, or ended
    std::string why_out = {};          ///< why the contender is left out; empty: it is not
    Row rows[question_count] = {};
    bench::Figures steps_ns = {}; ///< the shortest time of each step over all walks
    std::shared_ptr<bench::Run> walks = std::make_shared<bench::Run>();
};
