// Members of a shared world in a simulator (sim.h): schedules of edits and faults by seed, and
// flaws that its checks must find. Without options it is a test; test_sim --help lists them.

#include "sim.h"

#include <inttypes.h>
#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SIM_SCHEDULES 20000u
#define SIM_FLAW_SCHEDULES 10000u // within which each flaw is found
#define SIM_JOBS_MAX 64u

static const char *const flaw_names[SIM_FLAW_COUNT] = {
    [SIM_FLAW_NONE] = "none",           [SIM_FLAW_NO_TOKEN] = "no-token",
    [SIM_FLAW_NO_GIVE] = "no-term",     [SIM_FLAW_OUTSIDE] = "outside",
    [SIM_FLAW_EARLY_ACK] = "early-ack", [SIM_FLAW_SKIPS] = "skips",
    [SIM_FLAW_NO_EPOCH] = "no-epoch"};

/// Schedules that failed before members were mended.
static const uint64_t failed_seeds[] = {88, 628, 807, 54737};
/// The same, of those with water and levels of detail.
static const uint64_t failed_water_seeds[] = {50271, 52857, 201991, 203657, 204030, 211227};

/// What jobs count together. Seeds are handed out one by one.
typedef struct Shared {
    _Atomic(uint64_t) next, failures, first_failure, events;
    _Atomic(uint64_t) events_least;
} Shared;

typedef struct Run {
    SimOptions options; ///< with the first seed
    uint64_t schedules;
    uint32_t jobs;
    uint64_t failures_max; ///< until it stops
} Run;

static const char *program;

static double now_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void tell_failure(const SimOptions *options)
{
    const SimOptions usual = sim_options(0);
    (void)printf("seed %" PRIu64 ": %s\n  %s --seed %" PRIu64, options->seed, sim.failure, program,
                 options->seed);
    if (options->flaw) {
        (void)printf(" --flaw %s", flaw_names[options->flaw]);
    }
    if (options->has_liquids) {
        (void)printf(" --liquids 1");
    }
    if (options->has_levels) {
        (void)printf(" --levels 1");
    }
    if (options->members != usual.members || options->regions != usual.regions ||
        options->servers != usual.servers) {
        (void)printf(" --members %u --regions %u --servers %u", options->members, options->regions,
                     options->servers);
    }
    (void)puts("");
    (void)fflush(stdout);
}

/// Runs schedules until there are no more. @param tells  of failures
static void run_job(const Run *run, Shared *shared, bool tells)
{
    SimOptions options = run->options;
    for (;;) {
        const uint64_t at = atomic_fetch_add(&shared->next, 1);
        if (at >= run->schedules || atomic_load(&shared->failures) >= run->failures_max) {
            return;
        }
        options.seed = run->options.seed + at;
        const bool is_good = sim_run(&options);
        (void)atomic_fetch_add(&shared->events, sim.events);
        uint64_t least = atomic_load(&shared->events_least);
        while (sim.events < least &&
               !atomic_compare_exchange_weak(&shared->events_least, &least, sim.events)) {
        }
        if (!is_good) {
            uint64_t first = atomic_load(&shared->first_failure);
            while (options.seed < first &&
                   !atomic_compare_exchange_weak(&shared->first_failure, &first, options.seed)) {
            }
            (void)atomic_fetch_add(&shared->failures, 1);
            if (tells) {
                tell_failure(&options);
            }
        }
    }
}

/// Runs schedules in several processes. @return what they counted
static Shared run_all(const Run *run, bool tells)
{
    Shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    *shared = (Shared){.first_failure = UINT64_MAX, .events_least = UINT64_MAX};
    pid_t jobs[SIM_JOBS_MAX];
    (void)fflush(stdout);
    for (uint32_t i = 0; i < run->jobs; i++) {
        jobs[i] = run->jobs > 1 ? fork() : 0;
        if (jobs[i] == 0) {
            if (run->jobs > 1) { // not cmocka's, which would go on with the tests
                (void)signal(SIGSEGV, SIG_DFL);
                (void)signal(SIGABRT, SIG_DFL);
            }
            run_job(run, shared, tells);
            if (run->jobs > 1) {
                (void)fflush(stdout);
                _exit(0);
            }
        }
    }
    for (uint32_t i = 0; i < run->jobs && run->jobs > 1; i++) {
        int status = 0;
        if (waitpid(jobs[i], &status, 0) != jobs[i] || status != 0) {
            (void)printf("A job ended with status %d.\n", status);
            (void)atomic_fetch_add(&shared->failures, 1);
        }
    }
    const Shared counted = *shared;
    (void)munmap(shared, sizeof *shared);
    return counted;
}

static uint32_t job_count(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > (long)SIM_JOBS_MAX ? SIM_JOBS_MAX : (uint32_t)count;
}

/// Runs schedules and prints figures. @return whether none failed
static bool run_and_tell(const Run *run)
{
    const double began = now_seconds();
    const Shared counted = run_all(run, true);
    const uint64_t done = counted.next < run->schedules ? counted.next : run->schedules;
    (void)printf("%" PRIu64 " schedules of %u members: %" PRIu64 " failed; %.0f events each, at "
                 "least %" PRIu64 "; %.1f s, %u jobs\n",
                 done, run->options.members, counted.failures,
                 (double)counted.events / (double)(done ? done : 1), counted.events_least,
                 now_seconds() - began, run->jobs);
    return counted.failures == 0;
}

// ---- the test ----------------------------------------------------------------------------------

static void members_hold(void **state)
{
    (void)state;
    const Run run = {.options = sim_options(1),
                     .schedules = test_rounds(SIM_SCHEDULES, 300),
                     .jobs = job_count(),
                     .failures_max = 1};
    assert_true(run_and_tell(&run));
}

/// Of a world on three servers, each of which fails by itself.
static void members_of_several_servers_hold(void **state)
{
    (void)state;
    Run run = {.options = sim_options(1),
               .schedules = test_rounds(SIM_SCHEDULES / 10, 100),
               .jobs = job_count(),
               .failures_max = 1};
    run.options.servers = SIM_SERVERS_MAX;
    run.options.regions = 6; // two of each server, or so
    assert_true(run_and_tell(&run));
}

/// Water that flows through the borders of regions, and levels of detail, whose owners fail.
static void what_owners_leave_is_done(void **state)
{
    (void)state;
    Run run = {.options = sim_options(1),
               .schedules = test_rounds(SIM_SCHEDULES / 40, 50),
               .jobs = job_count(),
               .failures_max = 1};
    run.options.has_liquids = run.options.has_levels = true;
    assert_true(run_and_tell(&run));
    run.options.servers = SIM_SERVERS_MAX;
    run.options.regions = 6;
    run.schedules /= 4;
    assert_true(run_and_tell(&run));
}

static void schedule_holds(uint64_t seed, bool has_water)
{
    SimOptions options = sim_options(seed);
    options.has_liquids = options.has_levels = has_water;
    if (!sim_run(&options)) {
        tell_failure(&options);
        fail();
    }
}

static void seeds_that_failed_hold(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof failed_seeds / sizeof *failed_seeds; i++) {
        schedule_holds(failed_seeds[i], false);
    }
    for (size_t i = 0; i < sizeof failed_water_seeds / sizeof *failed_water_seeds; i++) {
        schedule_holds(failed_water_seeds[i], true);
    }
}

static void seeds_replay(void **state)
{
    (void)state;
    const SimOptions options = sim_options(7);
    assert_true(sim_run(&options));
    const uint64_t events = sim.events;
    const double now_us = sim.now_us;
    assert_true(sim_run(&options));
    assert_int_equal(sim.events, events);
    assert_true(sim.now_us == now_us);
}

static void flaws_are_found(void **state)
{
    (void)state;
    for (int flaw = SIM_FLAW_NONE + 1; flaw < SIM_FLAW_COUNT; flaw++) {
        Run run = {.options = sim_options(1),
                   .schedules = SIM_FLAW_SCHEDULES,
                   .jobs = job_count(),
                   .failures_max = 1};
        run.options.flaw = (SimFlaw)flaw;
        const Shared counted = run_all(&run, false);
        if (!counted.failures) {
            fail_msg("%s is not found", flaw_names[flaw]);
        }
        run.options.seed = counted.first_failure;
        (void)sim_run(&run.options);
        (void)printf("%s is found by seed %" PRIu64 ": %s\n", flaw_names[flaw], run.options.seed,
                     sim.failure);
    }
}

static void thousand_members_hold(void **state)
{
    (void)state;
    Run run = {.options = sim_options(1), .schedules = 1, .jobs = 1, .failures_max = 1};
    run.options.members = test_rounds(1000, 50);
    run.options.regions = 50;
    run.options.events = 200 * run.options.members;
    assert_true(run_and_tell(&run));
}

static int test_all(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeds_replay),
        cmocka_unit_test(seeds_that_failed_hold),
        cmocka_unit_test(flaws_are_found),
        cmocka_unit_test(members_hold),
        cmocka_unit_test(members_of_several_servers_hold),
        cmocka_unit_test(what_owners_leave_is_done),
        cmocka_unit_test(thousand_members_hold),
    };
    return cmocka_run_group_tests_name("sim", tests, NULL, NULL);
}

// ---- the command line --------------------------------------------------------------------------

static int usage(int status)
{
    (void)fputs("usage: test_sim [OPTION...]\n\n"
                "Without options: the test. Otherwise runs schedules:\n\n"
                "  --seed N        one schedule, and prints what happens in it\n"
                "  --first N       the first seed (1)\n"
                "  --schedules N   how many (20000)\n"
                "  --members N     of each (3)\n"
                "  --regions N     that they edit, up to 64 (2)\n"
                "  --servers N     that have the world, up to 3 (1)\n"
                "  --events N      of each, at least (250)\n"
                "  --liquids 0|1   members pour water into a channel through all regions (0)\n"
                "  --levels 0|1    owners make levels of detail (0)\n"
                "  --jobs N        processes (one for each core)\n"
                "  --flaw NAME     the server does this wrong: no-token, no-term, outside,\n"
                "                  early-ack, skips, no-epoch\n",
                status ? stderr : stdout);
    return status;
}

/// @return whether the text is a number of the range
static bool read_number(const char *text, uint64_t low, uint64_t high, uint64_t *number)
{
    char *end;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && *number >= low && *number <= high;
}

static bool read_flaw(const char *text, SimFlaw *flaw)
{
    for (int i = 0; i < SIM_FLAW_COUNT; i++) {
        if (strcmp(text, flaw_names[i]) == 0) {
            *flaw = (SimFlaw)i;
            return true;
        }
    }
    return false;
}

static bool read_option(const char *name, const char *value, Run *run)
{
    uint64_t number = 0;
    SimOptions *options = &run->options;
    if (strcmp(name, "--flaw") == 0) {
        return read_flaw(value, &options->flaw);
    }
    if (strcmp(name, "--seed") == 0 && read_number(value, 0, UINT64_MAX, &options->seed)) {
        options->is_verbose = true;
        run->schedules = run->jobs = 1;
        return true;
    }
    if (strcmp(name, "--first") == 0) {
        return read_number(value, 0, UINT64_MAX, &options->seed);
    }
    if (strcmp(name, "--schedules") == 0) {
        return read_number(value, 1, UINT64_MAX, &run->schedules);
    }
    if (strcmp(name, "--liquids") == 0 || strcmp(name, "--levels") == 0) {
        const bool is_number = read_number(value, 0, 1, &number);
        *(strcmp(name, "--liquids") == 0 ? &options->has_liquids : &options->has_levels) = number;
        return is_number;
    }
    uint32_t *to = strcmp(name, "--members") == 0   ? &options->members
                   : strcmp(name, "--regions") == 0 ? &options->regions
                   : strcmp(name, "--servers") == 0 ? &options->servers
                   : strcmp(name, "--events") == 0  ? &options->events
                   : strcmp(name, "--jobs") == 0    ? &run->jobs
                                                    : NULL;
    const uint64_t most = to == &options->regions   ? SIM_REGIONS_MAX
                          : to == &options->servers ? SIM_SERVERS_MAX
                          : to == &run->jobs        ? SIM_JOBS_MAX
                                                    : UINT32_MAX;
    const bool is_good = to && read_number(value, 1, most, &number);
    if (is_good) {
        *to = (uint32_t)number;
    }
    return is_good;
}

int main(int count, char **arguments)
{
    Run run = {.options = sim_options(1),
               .schedules = SIM_SCHEDULES,
               .jobs = job_count(),
               .failures_max = 10};
    program = arguments[0];
    // Memory that is freed stays with the process: schedules take and free much of it.
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 30);
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 30);
    for (int i = 1; i < count; i += 2) {
        if (strcmp(arguments[i], "--help") == 0) {
            return usage(0);
        }
        if (i + 1 == count || !read_option(arguments[i], arguments[i + 1], &run)) {
            return usage(2);
        }
    }
    sim_prepare();
    const int status = count == 1 ? test_all() : !run_and_tell(&run);
    sim_dispose();
    return status;
}
