#include "driver/standings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

constexpr double least_difference = 0.05;

/// The two rows of one question on one world that are compared.
struct Match {
    const Entry *ours = nullptr, *rival = nullptr;
};

double median_of(const Entry &entry)
{
    return spread_of(entry.times).median;
}

/// Reads the rows of one scene.
Match match_of(const Report &report, const Entry &first)
{
    Match match;
    for (const Entry &entry : report.entries) {
        if (entry.question != first.question || entry.world != first.world || entry.is_floor ||
            entry.times.empty()) {
            continue;
        }
        if (!is_terrane(entry.contender)) {
            match.rival =
                !match.rival || median_of(entry) < median_of(*match.rival) ? &entry : match.rival;
        } else if (!match.ours) {
            match.ours = &entry;
        }
    }
    return match;
}

bool begins_scene(const Report &report, std::size_t i)
{
    return i == 0 || report.entries[i].question != report.entries[i - 1].question ||
           report.entries[i].world != report.entries[i - 1].world;
}

Standing::Place place_of(double ratio, double spread)
{
    return std::fabs(std::log(ratio)) <= std::log1p(std::max(spread, least_difference))
               ? Standing::equal
           : ratio > 1 ? Standing::ahead
                       : Standing::behind;
}

/// Adds a world to the standing of its question and outcome.
void add_match(std::vector<Standing> &standings, const Match &match)
{
    const Spread ours = spread_of(match.ours->times), rival = spread_of(match.rival->times);
    const double ratio = rival.median / ours.median, spread = ours.relative + rival.relative;
    const Standing::Place place = place_of(ratio, spread);
    auto at = std::find_if(standings.begin(), standings.end(), [&](const Standing &standing) {
        return standing.place == place && standing.question == match.ours->question;
    });
    if (at == standings.end()) {
        standings.push_back({place, match.ours->question, match.rival->contender, {}, {}});
        at = standings.end() - 1;
    }
    at->worlds.push_back(match.ours->world);
    at->ratios.push_back(ratio);
    at->spread = std::max(at->spread, spread);
    at->has_spread =
        at->has_spread && match.ours->times.size() > 1 && match.rival->times.size() > 1;
    if (percentile(at->ratios, 0.5) == ratio) {
        at->rival = match.rival->contender;
    }
}

/// A ratio with two significant digits.
std::string ratio_text(double ratio)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.*f",
                  ratio < 0.1    ? 3
                  : ratio < 0.95 ? 2
                  : ratio < 10   ? 1
                                 : 0,
                  ratio);
    return text;
}

} // namespace

bool is_terrane(const std::string &contender)
{
    return contender.rfind("Terrane", 0) == 0 || contender.rfind("Trn", 0) == 0;
}

bool is_cost(const std::string &unit)
{
    static const char *const units[] = {"ns", "us", "ms", "s", "bytes", "KiB", "MiB", "quads"};
    return std::find(std::begin(units), std::end(units), unit) != std::end(units);
}

std::vector<Standing> standings_of(const Report &report)
{
    std::vector<Standing> standings;
    for (std::size_t i = 0; i < report.entries.size(); i++) {
        const Entry &entry = report.entries[i];
        if (!begins_scene(report, i) || !is_cost(unit_of(report, entry))) {
            continue;
        }
        const Match match = match_of(report, entry);
        if (match.ours && match.rival && median_of(*match.ours) > 0 &&
            median_of(*match.rival) > 0) {
            add_match(standings, match);
        }
    }
    std::stable_sort(standings.begin(), standings.end(),
                     [](const Standing &a, const Standing &b) { return a.place < b.place; });
    return standings;
}

const char *place_name(Standing::Place place)
{
    return place == Standing::ahead ? "ahead" : place == Standing::equal ? "equal" : "behind";
}

std::string ratios_text(const Standing &standing)
{
    const auto [least, most] = std::minmax_element(standing.ratios.begin(), standing.ratios.end());
    const std::string low = ratio_text(*least), high = ratio_text(*most);
    return (low == high ? low : low + " to " + high) + " x";
}

std::string standing_spread_text(const Standing &standing)
{
    char text[32] = "";
    if (standing.has_spread) {
        std::snprintf(text, sizeof text, "+- %.0f %%", 100 * standing.spread);
    }
    return text;
}

std::string worlds_text(const Standing &standing)
{
    const std::size_t count = standing.worlds.size();
    return count > 2    ? std::to_string(count) + " worlds"
           : count == 2 ? standing.worlds[0] + "; " + standing.worlds[1]
                        : standing.worlds[0];
}

void print_standings(const std::vector<Standing> &standings)
{
    if (standings.empty()) {
        return;
    }
    std::printf("\nWhere Terrane stands: the best other contender's median divided by Terrane's, "
                "+- the largest spread\n");
    for (const Standing &standing : standings) {
        std::printf("  %-6s  %14s  %-8s  %s (%s; the best other: %s)\n", place_name(standing.place),
                    ratios_text(standing).c_str(), standing_spread_text(standing).c_str(),
                    standing.question.c_str(), worlds_text(standing).c_str(),
                    standing.rival.c_str());
    }
}
