// Targets that compare two contenders of one run.
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>

extern "C" {
#include <cmocka.h>
}

#include "driver/ratios.hpp"

namespace {

Entry row(const char *world, const char *contender, double median)
{
    return {"find", world, contender, "ns", 1, false, false, {median}, ""};
}

Report report_of_two_worlds()
{
    Report report;
    report.entries = {row("ball", "map", 8), row("ball", "Terrane", 2), row("line", "map", 3),
                      row("line", "Terrane", 6), row("lone", "Terrane", 1)};
    return report;
}

void a_cost_is_the_contender_by_the_other(void **)
{
    Report report = report_of_two_worlds();
    add_ratios(report, {{"find", "ball", "Terrane", "map", Target::at_most, 0.5}});
    assert_int_equal(report.targets.size(), 1);
    assert_string_equal(report.targets[0].what.c_str(), "find: Terrane by map");
    assert_true(report.targets[0].figure.value == 0.25);
    assert_string_equal(report.targets[0].verdict(), "met");
}

void a_speed_is_the_other_by_the_contender(void **)
{
    Report report = report_of_two_worlds();
    add_ratios(report, {{"find", "ball", "Terrane", "map", Target::at_least, 5}});
    assert_string_equal(report.targets[0].what.c_str(), "find: Terrane against map");
    assert_true(report.targets[0].figure.value == 4);
    assert_string_equal(report.targets[0].verdict(), "missed");
}

/// "lone" has no map: there is nothing to compare.
void the_first_demand_for_a_world_holds(void **)
{
    Report report = report_of_two_worlds();
    add_ratios(report, {{"find", "line", "Terrane", "map", Target::at_most, 3},
                        {"find", "", "Terrane", "map", Target::at_most, 1}});
    assert_int_equal(report.targets.size(), 2);
    assert_string_equal(report.targets[0].world.c_str(), "ball");
    assert_true(report.targets[0].demanded == 1);
    assert_string_equal(report.targets[1].world.c_str(), "line");
    assert_true(report.targets[1].demanded == 3);
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {cmocka_unit_test(a_cost_is_the_contender_by_the_other),
                                cmocka_unit_test(a_speed_is_the_other_by_the_contender),
                                cmocka_unit_test(the_first_demand_for_a_world_holds)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
