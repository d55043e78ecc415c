/// All contenders on one world: children, checks, interleaved rounds.
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

#include "contender.h"
#include "driver/options.hpp"
#include "lookup_questions.hpp"
#include "lookup_runner.hpp"
#include "lookup_world.hpp"

/// How long and how often.
struct LookupPlan {
    LookupLimits limits;
    int rounds; ///< at most; fewer where time runs out, but `rounds_least`
    int rounds_least;
    int walks;
    /// what one question may cost of one contender on one world; then its rounds end
    double spend_ns;
    double answer_seconds; ///< after which a child is given up
};

/// One contender's results on one world.
struct LookupResult {
    const Contender *contender = nullptr;
    std::string why_out = {}; ///< why it could not go on; empty when it could
    bool is_wrong = false;    ///< a wrong answer, a crash or a hang: its fault, not the world's
    int right_answers = 0;
    std::map<Question, std::vector<double>> figures = {};
    /// of questions without figures, or with fewer than asked for
    std::map<Question, std::string> remarks = {};
    std::vector<double> steps_ns = {}; ///< the shortest of each step of all walks
};

class LookupMatch {
  public:
    /// @param those_there  the contenders, the baseline first. All but the list is borrowed.
    LookupMatch(const LookupWorld &filled, const std::vector<const Contender *> &those_there,
                const BenchOptions &asked_for, const LookupPlan &planned,
                const std::vector<char> &waste);
    ~LookupMatch();

    /// Checks all answers, then times them. @param seconds  when to stop adding rounds
    void run(double seconds);

    const std::vector<LookupResult> &results() const
    {
        return all;
    }
    /// What copying the pointers of the gathered box costs, in microseconds.
    const std::vector<double> &copy_us() const
    {
        return copies;
    }

  private:
    struct Seat;
    bool wants(Question question, std::size_t contender) const;
    void start(Seat &seat);
    void serve(const Contender &contender, const class Desk &desk) const;
    void check(Seat &seat, Question question);
    void measure(Seat &seat, Question question);
    void round();
    void walk(Seat &seat);
    void keep_walk(LookupResult &result, const std::vector<double> &steps_ns);
    void finish_walks(LookupResult &result);
    void put_out(Seat &seat, const std::string &why, bool is_wrong);
    void copy_answer();

    const LookupWorld &world;
    const BenchOptions &options;
    const LookupPlan &plan;
    const std::vector<char> &trash;
    std::vector<const Contender *> contenders;
    std::vector<LookupResult> all;
    std::vector<Seat> seats;
    std::vector<double> copies;
    std::mt19937 random{7};
};
