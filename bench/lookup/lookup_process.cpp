#include "lookup_process.hpp"

#include <algorithm>
#include <utility>

#include "driver/clock.hpp"

namespace {

// The asks of a child: first this one, then questions.
const std::uint32_t ask_to_fill = 1u << 9;
const std::uint32_t ask_to_measure = 1u << 8; ///< added to a question; otherwise it is checked

/// Factor of the baseline's time limit of a call. Without its figure, no contender has a ratio.
const double baseline_patience = 20;

} // namespace

LookupProcess::LookupProcess(const Contender &measured, bool is_the_baseline,
                             std::shared_ptr<const LookupWorld> filled, const LookupPlan &given,
                             const std::vector<char> &waste)
    : contender(measured), is_baseline(is_the_baseline), world(std::move(filled)), plan(given),
      trash(waste)
{
    walks->take = [this] { take_walk(); }; // the attempts with this run own the process
    walks->samples = plan.walks;
}

// ---- in the child ------------------------------------------------------------------------------

/// Serves asks with a runner that the first ask creates.
std::function<Reply(Ask)> LookupProcess::server() const
{
    LookupLimits limits = plan.limits;
    limits.call_ns *= is_baseline ? baseline_patience : 1;
    return [this, limits, runner = std::shared_ptr<LookupRunner>()](Ask ask) mutable {
        return bench::reply_with([&]() -> bench::Figures {
            if (ask.what == ask_to_fill) {
                runner = std::make_shared<LookupRunner>(contender, *world, limits, trash);
                return {runner->fill()};
            }
            const auto question = static_cast<Question>(ask.what & (ask_to_measure - 1));
            if (ask.what & ask_to_measure) {
                return {runner->measure(question)};
            }
            runner->check(question);
            return {};
        });
    };
}

// ---- in the parent -----------------------------------------------------------------------------

/// The figures of a reply. After a wrong answer, a crash or a hang, the contender is left out of
/// all questions, since its other figures mean nothing.
bench::Figures LookupProcess::figures_from(Child &from, Ask ask, double seconds)
{
    try {
        return bench::figures_in(from.ask(ask, seconds));
    } catch (const bench::Wrong &wrong) {
        why_out = "left out: " + wrong.why;
        child.reset();
        throw;
    }
}

void LookupProcess::start()
{
    if (!why_out.empty()) {
        throw bench::Refused{why_out};
    }
    if (child) {
        return;
    }
    child = std::make_unique<Child>(server());
    try {
        rows[place_of(Question::bytes)].figures = figures_from(
            *child, {ask_to_fill, 0}, plan.answer_seconds + plan.limits.build_ns * 2e-9);
    } catch (const bench::Refused &refused) {
        why_out = refused.why;
        child.reset();
        throw;
    }
}

bench::Figures LookupProcess::ask(Question question, bool is_to_measure)
{
    start();
    const auto what = static_cast<std::uint32_t>(question);
    const double most_ns =
        std::max(plan.limits.build_ns * 2, plan.limits.call_ns * 4 * baseline_patience);
    return figures_from(*child, {is_to_measure ? what | ask_to_measure : what, 0},
                        plan.answer_seconds + most_ns * 1e-9);
}

void LookupProcess::check(Question question)
{
    if (info_of(question).call == Call::walk) {
        start();
        if (steps_ns.empty()) { // the walks may already be taken: two questions share them
            walk();
        }
    } else {
        ask(question, false);
    }
}

void LookupProcess::take(Question question)
{
    Row &row = rows[place_of(question)];
    if (row.spent_ns < plan.spend_ns) {
        row.spent_ns += ns_of([&] { row.figures.push_back(ask(question, true)[0]); });
    }
}

/// Takes a walk. The walk of the check counts as a sample.
void LookupProcess::take_walk()
{
    start();
    if (rows[place_of(Question::churn)].figures.size() < plan.walks) {
        walk();
    }
}

/// Walks in a new child with fresh memory.
void LookupProcess::walk()
{
    Child walker([this](Ask) {
        return bench::reply_with(
            [this] { return LookupRunner(contender, *world, plan.limits, trash).walk(); });
    });
    const bench::Figures ns = figures_from(
        walker, {}, plan.answer_seconds + (plan.limits.build_ns + plan.limits.walk_ns) * 2e-9);
    // Each step does the same work in all walks, but the system interrupts some, so the shortest
    // time counts.
    steps_ns.resize(steps_ns.empty() ? ns.size() : std::min(steps_ns.size(), ns.size()), 1e300);
    double sum = 0, worst = 0;
    for (std::size_t i = 0; i < steps_ns.size(); i++) {
        sum += ns[i];
        steps_ns[i] = std::min(steps_ns[i], ns[i]);
        worst = std::max(worst, steps_ns[i]);
    }
    const auto changes = static_cast<double>(
        steps_ns.size() * (world->steps[0].come.size() + world->steps[0].go.size()));
    rows[place_of(Question::churn)].figures.push_back(sum / changes);
    rows[place_of(Question::worst_step)].figures = {worst / 1000};
}

bench::Figures LookupProcess::figures(Question question) const
{
    if (!why_out.empty()) {
        throw bench::Refused{why_out};
    }
    if (question == Question::worst_step) {
        require_fine_clock();
    }
    return rows[place_of(question)].figures;
}

std::string LookupProcess::walk_remark() const
{
    return steps_ns.size() < world->steps.size()
               ? "of the first " + std::to_string(steps_ns.size()) + " steps"
               : "";
}

bench::Attempt LookupProcess::attempt(const std::shared_ptr<LookupProcess> &process,
                                      Question question)
{
    bench::Attempt attempt = {process->contender.name};
    // Bytes are counted while the container is filled, so the check is that of filling.
    const Question checked = question == Question::bytes ? Question::build : question;
    attempt.check = [process, checked] {
        process->check(checked);
        return true;
    };
    attempt.figures = [process, question] { return process->figures(question); };
    if (info_of(question).call == Call::walk) {
        attempt.run = process->walks;
        attempt.remark = [process] { return process->walk_remark(); };
    } else if (question != Question::bytes) {
        attempt.run = std::make_shared<bench::Run>();
        attempt.run->take = [process, question] { process->take(question); };
        attempt.run->samples = process->plan.samples;
    }
    return attempt;
}
