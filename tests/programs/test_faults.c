/// Every call by which a program writes fails once, and once all from that call on: the program
/// says so in a sentence and leaves each file whole or as it was, and nothing else.
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier): pidfd and seccomp
#include "faulty_calls.h"
#include "program_cases.h"

#define BRIEF_RUNS 3 // of a case
#define CALLS_MAX 5000

typedef struct FaultTest {
    Place *place;
    FaultyRun *run;
    const ProgramCase *program;
} FaultTest;

/// Runs the case with a call that fails.
static void fail_call(FaultTest *test, uint32_t at, bool goes_on)
{
    char folder[PATH_MAX], text[2048];
    ProgramEnd end = {.program = test->program, .had_old = !test->program->sound && at % 2};
    if (strstr(test->program->line, "--write-settings")) {
        end.had_old = false; // it does not replace a file
    }
    program_case_reset(test->place, test->program, end.had_old);
    *test->run = (FaultyRun){.fail_at = at, .goes_on = goes_on};
    (void)program_command(test->place, "work", test->program->line, " >../out 2>&1", text);
    end.code = faulty_run(test->run, program_folder(test->place, "work", folder), text);
    if (at == 0 || test->run->is_unsupported) {
        return;
    }
    (void)snprintf(end.how, sizeof end.how, "call %u (%s) failed%s", (unsigned)at,
                   test->run->failed, goes_on ? " and all writes after it" : "");
    program_check_sentence(test->place, &end);
    program_check_targets(test->place, &end);
    program_check_leftovers(test->place, &end);
}

static void fail_each_call(FaultTest *test)
{
    fail_call(test, 0, false);
    const uint32_t calls = test->run->calls;
    assert_in_range(calls, 3, CALLS_MAX);
    const uint32_t runs = getenv("TERRANE_TEST_FULL") ? calls : BRIEF_RUNS;
    uint32_t met = 0;
    for (uint32_t i = 0; i < runs; i++) {
        // The first, the last and some between: calls numbered from 1.
        const uint32_t at = 1 + (uint32_t)((uint64_t)i * (calls - 1) / (runs > 1 ? runs - 1 : 1));
        fail_call(test, at, i % 2);
        met += faulty_run_met(test->run);
        if (getenv("TERRANE_TEST_FULL")) {
            fail_call(test, at, i % 2 == 0);
            met += faulty_run_met(test->run);
        }
    }
    print_message("  %s: %u calls, %u of them failed\n", test->program->line, (unsigned)calls,
                  (unsigned)met);
    assert_true(met > runs / 2);
}

static void each_call_that_writes_fails_once(void **state)
{
    FaultTest test = {.place = *state, .run = faulty_run_create()};
    uint32_t cases = 0;
    for (size_t i = 0; i < PROGRAM_CASE_COUNT && !test.run->is_unsupported; i++) {
        test.program = &PROGRAM_CASES[i];
        if (program_case_runs(test.program)) {
            program_case_begin(test.place, test.program);
            fail_each_call(&test);
            cases++;
        }
    }
    const bool is_unsupported = test.run->is_unsupported;
    faulty_run_destroy(test.run);
    if (is_unsupported) {
        print_message("  this system does not let a process answer for system calls\n");
        skip();
    }
    assert_true(cases > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_call_that_writes_fails_once)};
    return cmocka_run_group_tests(tests, place_make, place_remove);
}
