#include "lookup_match.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>

#include "driver/child.hpp"
#include "driver/timing.hpp"

namespace {

const std::uint32_t ask_to_measure = 1u << 8; ///< beside a question; without it a check is meant

/// Without the baseline's figure nobody has a ratio: it may take longer than others, on a slow
/// machine too.
const double baseline_patience = 20;

/// Whether a child is asked for it, round by round.
bool is_asked(Question question)
{
    return !comes_from_walks(question) && question != Question::bytes;
}

std::vector<Question> all_questions()
{
    std::vector<Question> questions;
    questions.reserve(question_count);
    for (int i = 0; i < question_count; i++) {
        questions.push_back(question_at(i));
    }
    return questions;
}

} // namespace

struct LookupMatch::Seat {
    std::size_t number; ///< of the contender
    LookupResult *result;
    std::unique_ptr<Child> child = {}; ///< NULL once it is out
    std::vector<Question> asked = {};  ///< questions whose answers were right
    std::map<Question, double> spent_ns = {};
};

LookupMatch::LookupMatch(const LookupWorld &filled,
                         const std::vector<const Contender *> &those_there,
                         const BenchOptions &asked_for, const LookupPlan &planned,
                         const std::vector<char> &waste)
    : world(filled), options(asked_for), plan(planned), trash(waste), contenders(those_there),
      all(those_there.size())
{
    for (std::size_t i = 0; i < contenders.size(); i++) {
        all[i].contender = contenders[i];
        bool is_wanted = false;
        for (Question question : all_questions()) {
            is_wanted = is_wanted || wants(question, i);
        }
        if (is_wanted) {
            seats.push_back({i, &all[i]});
        }
    }
}

LookupMatch::~LookupMatch() = default;

/// The baseline is wanted where anybody is.
bool LookupMatch::wants(Question question, std::size_t contender) const
{
    if (comes_from_walks(question) && world.steps.empty()) {
        return false;
    }
    const std::size_t first = contender == 0 ? 0 : contender;
    const std::size_t last = contender == 0 ? contenders.size() - 1 : contender;
    for (std::size_t i = first; i <= last; i++) {
        if (options.wants(question_info(question).name, world.world.name, contenders[i]->name)) {
            return true;
        }
    }
    return false;
}

// ---- in the child ------------------------------------------------------------------------------

void LookupMatch::serve(const Contender &contender, const Desk &desk) const
{
    LookupLimits limits = plan.limits;
    if (&contender == contenders[0]) {
        limits.call_ns *= baseline_patience;
    }
    LookupRunner runner(contender, world, limits, trash);
    desk.reply(runner.fill());
    for (Ask ask; desk.next(ask);) {
        const auto question = static_cast<Question>(ask.what & (ask_to_measure - 1));
        try {
            desk.reply(ask.what & ask_to_measure ? runner.measure(question)
                                                 : runner.check(question));
        } catch (const std::bad_alloc &) { // of this question; there may be memory for the next
            desk.reply({Reply::refused, "there was no memory", {}});
        }
    }
}

// ---- in the parent -----------------------------------------------------------------------------

void LookupMatch::put_out(Seat &seat, const std::string &why, bool is_wrong)
{
    seat.child.reset();
    seat.asked.clear();
    seat.result->why_out = why;
    seat.result->is_wrong = is_wrong;
    // Figures of wrong answers are none, whatever was measured before they showed.
    seat.result->figures.clear();
    seat.result->steps_ns.clear();
}

void LookupMatch::start(Seat &seat)
{
    const Contender &contender = *seat.result->contender;
    seat.child = std::make_unique<Child>([&](const Desk &desk) { serve(contender, desk); });
    const Reply reply = seat.child->await(plan.answer_seconds + plan.limits.build_ns * 2e-9);
    if (reply.verdict != Reply::fine) {
        const bool is_wrong = reply.verdict != Reply::refused;
        put_out(seat, is_wrong ? reply.text + " at 'build'" : reply.text, is_wrong);
    } else if (wants(Question::bytes, seat.number)) {
        seat.result->figures[Question::bytes] = reply.figures;
    }
}

void LookupMatch::check(Seat &seat, Question question)
{
    seat.child->ask({static_cast<std::uint32_t>(question), 0});
    const Reply reply = seat.child->await(plan.answer_seconds + plan.limits.call_ns * 4e-9);
    const std::string at = std::string(" at '") + question_info(question).name + "'";
    switch (reply.verdict) {
    case Reply::fine:
        if (wants(question, seat.number)) {
            seat.asked.push_back(question);
        }
        seat.result->right_answers++;
        break;
    case Reply::refused:
        seat.result->remarks[question] = reply.text;
        break;
    case Reply::wrong:
        put_out(seat, "wrong answer" + at + ": " + reply.text, true);
        break;
    case Reply::lost:
        put_out(seat, reply.text + at, true);
        break;
    }
}

void LookupMatch::measure(Seat &seat, Question question)
{
    const double start = clock_ns(CLOCK_MONOTONIC);
    seat.child->ask({static_cast<std::uint32_t>(question) | ask_to_measure, 0});
    const Reply reply = seat.child->await(plan.answer_seconds + plan.limits.build_ns * 2e-9);
    seat.spent_ns[question] += clock_ns(CLOCK_MONOTONIC) - start;
    if (reply.verdict == Reply::fine && reply.figures.size() == 1) {
        seat.result->figures[question].push_back(reply.figures[0]);
    } else if (reply.verdict == Reply::refused) { // it could before: the rounds until now count
        seat.result->remarks[question] = reply.text;
        seat.asked.erase(std::find(seat.asked.begin(), seat.asked.end(), question));
    } else {
        put_out(seat, reply.text + " at '" + question_info(question).name + "'", true);
    }
}

void LookupMatch::copy_answer()
{
    std::vector<const ContenderChunk *> from, to(world.in_box.size());
    for (std::uint32_t number : world.in_box) {
        from.push_back(&world.headers[number]);
    }
    const std::size_t calls = 1 + 200000 / std::max<std::size_t>(from.size(), 1);
    double ns = 0;
    for (int warm = 0; warm < 2; warm++) {
        const double start = clock_ns(CLOCK_MONOTONIC);
        for (std::size_t i = 0; i < calls; i++) {
            std::memcpy(to.data(), from.data(), from.size() * sizeof(const void *));
            const void *volatile keep = to.data(); // the copy is wanted
            (void)keep;
        }
        ns = clock_ns(CLOCK_MONOTONIC) - start;
    }
    copies.push_back(ns / static_cast<double>(calls) / 1000);
}

/// Every contender once at every question, in another order each time.
void LookupMatch::round()
{
    copy_answer();
    for (Question question : all_questions()) {
        std::vector<Seat *> order;
        for (Seat &seat : seats) {
            const bool is_right = std::count(seat.asked.begin(), seat.asked.end(), question) > 0;
            if (is_right && seat.spent_ns[question] < plan.spend_ns) {
                order.push_back(&seat);
            }
        }
        std::shuffle(order.begin(), order.end(), random);
        for (Seat *seat : order) {
            measure(*seat, question);
        }
    }
}

// ---- walks -------------------------------------------------------------------------------------

/// Of each step the shortest of all walks: the same step does the same work, and the machine
/// interrupts one now and then.
void LookupMatch::keep_walk(LookupResult &result, const std::vector<double> &steps_ns)
{
    if (result.steps_ns.empty()) {
        result.steps_ns = steps_ns;
    }
    result.steps_ns.resize(std::min(result.steps_ns.size(), steps_ns.size()));
    double sum = 0;
    for (std::size_t i = 0; i < result.steps_ns.size(); i++) {
        result.steps_ns[i] = std::min(result.steps_ns[i], steps_ns[i]);
        sum += steps_ns[i];
    }
    const auto changes = static_cast<double>(
        result.steps_ns.size() * (world.steps[0].come.size() + world.steps[0].go.size()));
    if (sum > 0) {
        result.figures[Question::churn].push_back(sum / changes);
    }
}

/// A child of its own for each walk, which writes new coordinates into its copy of the headers.
void LookupMatch::walk(Seat &seat)
{
    const Contender &contender = *seat.result->contender;
    Child child([&](const Desk &desk) {
        desk.reply(LookupRunner(contender, world, plan.limits, trash).walk());
    });
    const Reply reply =
        child.await(plan.answer_seconds + (plan.limits.build_ns + plan.limits.walk_ns) * 2e-9);
    if (reply.verdict == Reply::fine) {
        keep_walk(*seat.result, reply.figures);
        return;
    }
    if (reply.verdict == Reply::refused) {
        seat.result->remarks[Question::churn] = reply.text;
        seat.result->remarks[Question::worst_step] = reply.text;
        return;
    }
    put_out(seat, reply.text + " at 'churn of a moving world'", true);
}

void LookupMatch::finish_walks(LookupResult &result)
{
    if (result.steps_ns.empty()) {
        return;
    }
    const double worst = *std::max_element(result.steps_ns.begin(), result.steps_ns.end());
    result.figures[Question::worst_step] = {worst / 1000};
    if (result.steps_ns.size() < world.steps.size()) {
        const std::string cut = "of the first " + std::to_string(result.steps_ns.size()) + " steps";
        result.remarks[Question::churn] = cut;
        result.remarks[Question::worst_step] = cut;
    }
}

void LookupMatch::run(double seconds)
{
    const double start = clock_ns(CLOCK_MONOTONIC);
    const auto is_late = [&] { return clock_ns(CLOCK_MONOTONIC) - start > seconds * 1e9; };
    for (Seat &seat : seats) {
        this->start(seat);
    }
    for (Question question : all_questions()) {
        for (Seat &seat : seats) {
            // What it holds is checked in any case: bytes per chunk need no other question.
            if (seat.child && is_asked(question) &&
                (question == Question::build || wants(question, seat.number))) {
                check(seat, question);
            }
        }
    }
    for (int i = 0; !options.check && i < plan.rounds && (i < plan.rounds_least || !is_late());
         i++) {
        round();
    }
    for (int i = 0; i < (options.check ? 1 : plan.walks) && !world.steps.empty(); i++) {
        for (Seat &seat : seats) {
            const bool is_in = seat.child && !seat.result->remarks.count(Question::churn);
            if (is_in &&
                (wants(Question::churn, seat.number) || wants(Question::worst_step, seat.number))) {
                walk(seat);
            }
        }
    }
    for (LookupResult &result : all) {
        finish_walks(result);
    }
}
