/// One contender on one world, inside a child process: builds, checks answers, takes times.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "contender.h"
#include "driver/child.hpp"
#include "lookup_questions.hpp"
#include "lookup_world.hpp"

/// How much time there is.
struct LookupLimits {
    double build_ns; ///< for filling a container once
    double call_ns;  ///< for one call of a question; what takes longer is cut down, or left out
    double walk_ns;  ///< for one walk; it then ends early
    double cell_ns;  ///< for one contender, question and world in a round
    double asks_ns;  ///< for asking about single chunks once; who takes longer is asked about fewer
    std::size_t asks; ///< about how many single chunks everybody else is asked
};

class LookupRunner {
  public:
    /// @param waste  memory that is read to drive everything else out of the caches. All is
    ///               borrowed.
    LookupRunner(const Contender &measured, const LookupWorld &filled, const LookupLimits &given,
                 const std::vector<char> &waste);
    ~LookupRunner();
    LookupRunner(const LookupRunner &) = delete;
    LookupRunner &operator=(const LookupRunner &) = delete;

    /// Fills the container. Figures of the reply: bytes per chunk.
    Reply fill();
    /// Works a question once and compares the answer. A question that would take too long is
    /// refused.
    Reply check(Question question);
    /// Times a question that has been checked, and sees that the answer is still the same. Figures
    /// of the reply: one, in the question's unit.
    Reply measure(Question question);

    /// Walks with a container of its own, away from home. Figures of the reply: nanoseconds of each
    /// step, as many as there was time for.
    Reply walk();

  private:
    std::size_t answer_bytes() const;
    /// Of answer i: its chunk's number, CONTENDER_NUMBER_NONE for none, or CONTENDER_NUMBER_NONE -
    /// 1 for what is no chunk.
    std::uint32_t number_of(std::size_t i) const;
    Reply compare_list(const std::vector<std::uint32_t> &expected) const;
    Reply compare_each(const std::vector<TrnCoord> &asked, int per_coord) const;
    Reply compare(Question question);
    Reply check_part_of_box();
    bool kept_within(Question question) const;
    void forget_answers();
    std::uint64_t digest(Question question) const;
    std::string name_of(std::uint32_t number) const;

    void *create() const;
    Reply insert(void *it) const;
    Reply take_steps(void *it, ContenderChunk *headers);
    Reply check_end(void *it, std::size_t steps);
    Reply check_step(void *it, const WalkStep &step);
    Reply why_refused(void *it, std::size_t taken) const;
    Reply build_again();

    void work(Question question);
    double items(Question question) const;
    double estimate_ns(Question question);
    void limit_asks(Question question);
    double measure_cold(Question question);
    double measure_warm(Question question);
    double time_of(const std::function<void()> &deed) const;
    void read_trash() const;

    const Contender &contender;
    const LookupWorld &world;
    const LookupLimits limits;
    const std::vector<char> &trash;
    void *self = nullptr;
    std::vector<unsigned char> out;
    std::size_t found = 0;
    /// of questions about single chunks, how many are asked at once
    std::size_t asks[question_count] = {};
    std::uint64_t digests[question_count] = {}; ///< of the answers that were right
};
