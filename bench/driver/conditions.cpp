#include "driver/conditions.hpp"

#include <cstdarg>
#include <cstdio>

#include "driver/machine.hpp"
#include "driver/report.hpp"

namespace {

__attribute__((format(printf, 1, 2))) std::string sentence(const char *format, ...)
{
    char text[512];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return text;
}

} // namespace

Conditions conditions_here()
{
    return {online_processors(), usable_processors(), busy_processes(), huge_page_mode()};
}

std::vector<std::string> notes_on(const Conditions &conditions)
{
    std::vector<std::string> notes;
    if (conditions.load > conditions.online) { // false if the load is unknown (NaN)
        notes.push_back(sentence("This machine is busy: %.1f processes ran or waited to run in the "
                                 "last minute, for %d %s. Measure again when it is idle.",
                                 conditions.load, conditions.online,
                                 conditions.online == 1 ? "processor" : "processors"));
    }
    if (conditions.usable == 1) {
        notes.push_back(sentence("This process may use one processor: rows with several threads "
                                 "show how these share it."));
    }
    if (conditions.huge_pages == "never") {
        notes.push_back(sentence("This machine gives no huge pages, so large worlds are slower "
                                 "than in the documents. To allow them, type as root: echo madvise "
                                 ">/sys/kernel/mm/transparent_hugepage/enabled"));
    }
    return notes;
}

std::string note_on_spreads(const Report &report)
{
    std::size_t rows = 0, noisy = 0;
    for (const Entry &entry : report.entries) {
        rows += entry.times.size() > 1;
        noisy += is_noisy(entry.times);
    }
    return noisy * 4 <= rows
               ? ""
               : sentence("%zu of %zu rows spread by more than %.0f %%: other work takes time of "
                          "the processor. Measure again when the machine is idle.",
                          noisy, rows, 100 * noisy_spread);
}
