#include "stream_parts.hpp"

#include <cmath>
#include <utility>

Figures run_apart(const std::function<Figures()> &work, double seconds_max)
{
    Child child([&](Ask) { return bench::reply_with(work); });
    Reply reply = child.ask({}, seconds_max);
    if (reply.verdict == Reply::lost) {
        throw bench::Refused{reply.text};
    }
    return bench::figures_in(std::move(reply));
}

Sampled::Sampled(const std::function<Figures()> &work, std::size_t samples, double seconds_max)
{
    run_->take = [work, seconds_max, kept = samples_] {
        kept->push_back(run_apart(work, seconds_max));
    };
    run_->samples = samples;
}

bench::Attempt Sampled::attempt(const char *contender) const
{
    bench::Attempt attempt = {contender};
    attempt.run = run_;
    return attempt;
}

bench::Attempt Sampled::attempt(const char *contender, std::size_t figure, std::size_t count) const
{
    bench::Attempt attempt = this->attempt(contender);
    attempt.figures = [sampled = *this, figure] { return sampled.column(figure); };
    attempt.counted = [sampled = *this, count] {
        return sampled.is_measured() ? static_cast<std::size_t>(sampled.last()[count]) : 0;
    };
    return attempt;
}

Figures Sampled::column(std::size_t figure) const
{
    Figures column;
    for (const Figures &sample : *samples_) {
        column.push_back(sample[figure]);
    }
    return column;
}

Figure Sampled::median(std::size_t figure) const
{
    if (!is_measured()) {
        return {std::nan("")};
    }
    const Spread spread = spread_of(column(figure));
    return {spread.median, spread.relative};
}

void add_targets(Report &report, const std::string &world, const Sampled &sampled,
                 const std::vector<ColumnTarget> &targets)
{
    for (const ColumnTarget &target : targets) {
        if (sampled.is_measured()) {
            report.targets.push_back(
                {world, target.what, sampled.median(target.column), target.unit,
                 target.at_most > 0 ? Target::at_most : Target::none, target.at_most});
        }
    }
}
