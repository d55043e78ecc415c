/// The clock of budgets and statistics.
#include "testing.h"

#include "base/clock.h"

static void it_never_goes_back(void **state)
{
    (void)state;
    const double start = trn_clock_us();
    double last = start, now = start;
    while (now < start + 3000) {
        now = trn_clock_us();
        assert_true(now >= last);
        last = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_never_goes_back)};
    return cmocka_run_group_tests_name("base_clock", tests, NULL, NULL);
}
