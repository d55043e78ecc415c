/// Conditions of the machine that change the figures of a run, and sentences that tell the user.
#pragma once

#include <string>
#include <vector>

struct Report;

struct Conditions {
    int online = 1;         ///< processors of the machine
    int usable = 1;         ///< those that this process may use
    double load = 0;        ///< see busy_processes()
    std::string huge_pages; ///< see huge_page_mode()
};

Conditions conditions_here();

/// A sentence for each condition that changes figures. Empty if the machine is idle and nothing is
/// missing.
std::vector<std::string> notes_on(const Conditions &conditions);

/// A sentence if more than a quarter of the rows have a spread above 15 %. Empty otherwise.
std::string note_on_spreads(const Report &report);
