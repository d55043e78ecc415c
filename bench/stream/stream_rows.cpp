#include "stream_rows.hpp"

Entry entry_of(const std::string &question, const std::string &world, const std::string &contender,
               const std::string &unit)
{
    Entry entry;
    entry.question = question;
    entry.world = world;
    entry.contender = contender;
    entry.unit = unit;
    return entry;
}

void add_target(Report &report, const std::string &world, const std::string &what, double figure,
                const std::string &unit, double at_most)
{
    report.targets.push_back(
        {world, what, figure, unit, at_most >= 0 ? Target::at_most : Target::none, at_most});
}

void add_target_at_least(Report &report, const std::string &world, const std::string &what,
                         double figure, const std::string &unit, double at_least)
{
    report.targets.push_back({world, what, figure, unit, Target::at_least, at_least});
}
