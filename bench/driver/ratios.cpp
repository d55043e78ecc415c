#include "driver/ratios.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace {

void add_ratio(Report &report, const RatioDemand &demand, const std::string &world)
{
    const Figure figure = figure_of(report, demand.question, world, demand.contender);
    const Figure other = figure_of(report, demand.question, world, demand.by);
    const bool is_speed = demand.bound == Target::at_least;
    const Figure ratio = is_speed ? other / figure : figure / other;
    if (std::isfinite(ratio.value)) {
        report.targets.push_back({world,
                                  demand.question + ": " + demand.contender +
                                      (is_speed ? " against " : " by ") + demand.by,
                                  ratio, "x", demand.bound, demand.demanded});
    }
}

std::vector<std::string> worlds_of(const Report &report)
{
    std::vector<std::string> worlds;
    for (const Entry &entry : report.entries) {
        if (std::find(worlds.begin(), worlds.end(), entry.world) == worlds.end()) {
            worlds.push_back(entry.world);
        }
    }
    return worlds;
}

} // namespace

void add_ratios(Report &report, const std::vector<RatioDemand> &demands)
{
    for (const std::string &world : worlds_of(report)) {
        std::set<std::string> judged;
        for (const RatioDemand &demand : demands) {
            if ((demand.world.empty() || demand.world == world) &&
                judged.insert(demand.question + demand.contender + demand.by).second) {
                add_ratio(report, demand, world);
            }
        }
    }
}
