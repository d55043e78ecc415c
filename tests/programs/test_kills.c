/// Programs are stopped at random moments, by SIGINT, SIGTERM and SIGKILL: each file that they
/// write is whole or as it was, worlds open and verify, and the next run goes on from there.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "program_cases.h"

#include <fcntl.h>
#include <signal.h>
#include <time.h>

#define BRIEF_KILLS 22
#define FULL_KILLS 500
#define BRIEF_KILLS_DRAWN 6 // of the viewer, which takes a second a run
#define FULL_KILLS_DRAWN 100

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// Starts the program of a case, with a process group of its own.
static pid_t start_program(const Place *place, const ProgramCase *program)
{
    char text[2048];
    char line[512];
    (void)snprintf(line, sizeof line, "exec %s", program->line); // its process, not the shell's
    (void)program_command(place, "work", line, "", text);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char out[PLACE_PATH];
        (void)signal(SIGINT, SIG_DFL); // programs started in the background ignore it
        const int file = open(place_path(place, "out", out), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        (void)dup2(file, STDOUT_FILENO);
        (void)dup2(file, STDERR_FILENO);
        execl("/bin/sh", "sh", "-c", text, (char *)NULL);
        _exit(127);
    }
    return child;
}

/// Runs the case to its end. @return how long that took, in seconds
static double time_program(Place *place, const ProgramCase *program)
{
    int status = 0;
    program_case_reset(place, program, false);
    const double start = seconds_now();
    const pid_t child = start_program(place, program);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return seconds_now() - start;
}

/// Stops the program after a while. @return how it ended
static ProgramEnd kill_program(Place *place, const ProgramCase *program, int number, double seconds)
{
    const struct timespec wait = {(time_t)seconds, (long)(seconds * 1e9) % 1000000000};
    ProgramEnd end = {.program = program};
    int status = 0;
    const pid_t child = start_program(place, program);
    (void)nanosleep(&wait, NULL);
    assert_int_equal(kill(child, number), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    (void)snprintf(end.how, sizeof end.how, "sent signal %d after %.4f s", number, seconds);
    return end;
}

/// @return whether the signal ended it
static bool kill_once(Place *place, const ProgramCase *program, TestRandom *random, double longest)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGKILL};
    const int number = signals[test_random_next(random) % 3];
    const double seconds = longest * (double)test_random_range(random, 0, 1000) / 1000;
    const bool has_old = !program->sound && !strstr(program->line, "--write-settings") &&
                         test_random_next(random) % 2;
    program_case_reset(place, program, has_old);
    ProgramEnd end = kill_program(place, program, number, seconds);
    end.had_old = has_old;
    if (end.code != 0 && end.code != 128 + number) {
        program_fail(place, &end, "that is no end by the signal");
    }
    program_check_targets(place, &end);
    program_check_leftovers(place, &end);
    return end.code != 0;
}

static void files_of_killed_programs_are_whole_or_as_before(void **state)
{
    Place *place = *state;
    TestRandom random = test_random_seeded(27);
    const bool is_full = getenv("TERRANE_TEST_FULL") != NULL, is_drawn = getenv("TERRANE_VIEWER");
    const uint32_t kills = is_drawn ? (is_full ? FULL_KILLS_DRAWN : BRIEF_KILLS_DRAWN)
                                    : (is_full ? FULL_KILLS : BRIEF_KILLS);
    const ProgramCase *programs[PROGRAM_CASE_COUNT];
    uint32_t count = 0, ended = 0, done = 0;
    for (size_t i = 0; i < PROGRAM_CASE_COUNT; i++) {
        if (program_case_runs(&PROGRAM_CASES[i])) {
            programs[count++] = &PROGRAM_CASES[i];
        }
    }
    assert_true(count > 0);
    for (uint32_t i = 0; i < count; i++) {
        program_case_begin(place, programs[i]);
        const double longest = time_program(place, programs[i]);
        for (; done < kills * (i + 1) / count; done++) {
            ended += kill_once(place, programs[i], &random, longest);
        }
    }
    print_message("  %u of %u programs ended by the signal\n", (unsigned)ended, (unsigned)kills);
    assert_true(!is_full || ended > kills / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_killed_programs_are_whole_or_as_before)};
    return cmocka_run_group_tests(tests, place_make, place_remove);
}
