/// Compares Terrane with the best other contender of a run, by question: ahead, equal or behind.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "driver/report.hpp"

/// Whether a contender belongs to Terrane: its name begins with "Terrane" or "Trn".
bool is_terrane(const std::string &contender);

/// Whether rows of this unit are compared: times, bytes and quads, where less is better.
bool is_cost(const std::string &unit);

/// The worlds of one question with the same outcome for Terrane.
struct Standing {
    enum Place { ahead, equal, behind };
    Place place;
    std::string question;
    std::string rival; ///< the best other contender of the world with the median ratio
    std::vector<std::string> worlds;
    std::vector<double> ratios; ///< for each world, the rival's median divided by Terrane's
    double spread = 0;          ///< relative, the largest of these ratios
    bool has_spread = true;     ///< false if a row has one sample
};

/// Compares Terrane's first contender of each scene with the best other contender, floors excluded.
/// Scenes without one of the two are left out. Medians that differ by less than their spreads, or
/// by less than 5 %, are equal.
/// @return standings ahead, then equal, then behind, each in the order of the report
std::vector<Standing> standings_of(const Report &report);

/// The name of a place: "ahead".
const char *place_name(Standing::Place place);

/// "4.4 x", or "4.4 to 19 x" for several worlds.
std::string ratios_text(const Standing &standing);

/// "+- 3 %"; empty without a spread.
std::string standing_spread_text(const Standing &standing);

/// The names of one or two worlds, or the number of more worlds.
std::string worlds_text(const Standing &standing);

/// Prints the standings to standard output; nothing if there are none.
void print_standings(const std::vector<Standing> &standings);
