// What a run says about the machine that it runs on.
#include <cmath>
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" {
#include <cmocka.h>
}

#include "driver/conditions.hpp"
#include "driver/report.hpp"

namespace {

bool says(const Conditions &conditions, const char *text)
{
    const std::vector<std::string> notes = notes_on(conditions);
    return notes.size() == 1 && notes.front().find(text) != std::string::npos;
}

void idle_machine_that_lacks_nothing_is_not_mentioned(void **)
{
    assert_true(notes_on({2, 2, 2, "madvise"}).empty());
    assert_true(notes_on({2, 2, std::nan(""), ""}).empty());
}

void each_condition_is_a_sentence(void **)
{
    assert_true(says({2, 2, 2.5, "always"}, "busy: 2.5 processes ran or waited"));
    assert_true(says({1, 2, 1.5, "always"}, "for 1 processor."));
    assert_true(says({2, 1, 1.5, "always"}, "may use one processor"));
    assert_true(says({2, 2, 0, "never"}, "no huge pages"));
    assert_int_equal(notes_on({1, 1, 3, "never"}).size(), 3);
}

Report report_with(std::size_t steady, std::size_t noisy)
{
    Report report;
    for (std::size_t i = 0; i < steady + noisy; i++) {
        Entry entry;
        entry.times =
            i < steady ? std::vector<double>{10, 10.1, 10.2} : std::vector<double>{5, 10, 15};
        report.entries.push_back(entry);
    }
    return report;
}

void rows_that_spread_are_mentioned_if_they_are_many(void **)
{
    assert_string_equal(note_on_spreads(report_with(0, 0)).c_str(), "");
    assert_string_equal(note_on_spreads(report_with(3, 1)).c_str(), "");
    assert_non_null(std::strstr(note_on_spreads(report_with(5, 2)).c_str(), "2 of 7 rows spread"));
}

void rows_of_one_sample_do_not_spread(void **)
{
    Report report = report_with(0, 0);
    report.entries.resize(3);
    report.entries[0].times = {1};
    assert_string_equal(note_on_spreads(report).c_str(), "");
}

void this_machine_has_a_processor(void **)
{
    const Conditions here = conditions_here();
    assert_true(here.usable >= 1 && here.online >= 1);
    assert_false(here.load < 0);
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(idle_machine_that_lacks_nothing_is_not_mentioned),
        cmocka_unit_test(each_condition_is_a_sentence),
        cmocka_unit_test(rows_that_spread_are_mentioned_if_they_are_many),
        cmocka_unit_test(rows_of_one_sample_do_not_spread),
        cmocka_unit_test(this_machine_has_a_processor),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
