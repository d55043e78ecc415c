// Jobs whose work the workers of another stream do: whose turn it is, and that nothing is lost,
// done twice or done after its end.

#if defined(__linux__)
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#else
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)
#endif

#include "jobs_site.h"

#define BUFFERS 64u
#define GUESTS 3u

/// A host, [0], and its guests in the order of their creation.
typedef struct Crew {
    Site *sites[1 + GUESTS];
} Crew;

static Crew crew_create(uint32_t workers, const TrnStreamRunner *runner, size_t buffers)
{
    Crew crew;
    crew.sites[0] = site_create(workers, bytes_of_buffers(buffers), runner);
    for (uint32_t i = 1; i <= GUESTS; i++) {
        crew.sites[i] = site_create_guest(crew.sites[0], bytes_of_buffers(buffers), 64);
        assert_int_equal(trn_stream_jobs_workers(&crew.sites[i]->jobs),
                         trn_stream_jobs_workers(&crew.sites[0]->jobs));
    }
    return crew;
}

/// Guests go first, in another order than that in which they came.
static void crew_destroy(const Crew *crew)
{
    site_destroy(crew->sites[2]);
    site_destroy(crew->sites[1]);
    site_destroy(crew->sites[3]);
    site_destroy(crew->sites[0]);
}

/// Adds and issues chunks to generate, from number `first` on.
static void issue_chunks(Site *site, uint32_t first, uint32_t count)
{
    (void)trn_stream_jobs_generate_max(&site->jobs);
    for (uint32_t x = first; x < first + count; x++) {
        site_add(site, x, TRN_STREAM_WORK_GENERATE, false);
    }
    site_issue(site);
}

static void check_ran_once(const Site *site, uint32_t count)
{
    for (uint32_t x = 0; x < count; x++) {
        assert_int_equal(atomic_load(&site->runs[x]), 1);
        assert_int_equal(site->returned[x], 1);
    }
}

// ---- every piece comes back once ---------------------------------------------------------------

static void check_all_come_back(uint32_t workers, const TrnStreamRunner *runner, size_t buffers)
{
    enum { COUNT = 400 };
    TestRandom random = test_random_seeded(7 + workers);
    const Crew crew = crew_create(workers, runner, buffers);
    uint32_t next[1 + GUESTS] = {0}, left = 1 + GUESTS;
    for (uint32_t i = 0; i <= GUESTS; i++) {
        site_fill(crew.sites[i], COUNT);
    }
    for (uint32_t turn = 0; left; turn++) {
        assert_true(turn < 2000000);
        left = 0;
        for (uint32_t i = 0; i <= GUESTS; i++) {
            Site *site = crew.sites[i];
            const uint32_t more = (uint32_t)test_random_range(&random, 0, 12);
            trn_stream_jobs_begin_update(&site->jobs);
            uint32_t generate = trn_stream_jobs_generate_max(&site->jobs);
            for (uint32_t n = 0; n < more && generate && next[i] < COUNT; n++) {
                const TrnStreamWorkKind kind = kind_of(next[i]);
                generate -= kind == TRN_STREAM_WORK_GENERATE;
                site_add(site, next[i], kind, next[i] % 5 == 0);
                next[i]++;
            }
            trn_stream_jobs_stock(&site->jobs, 8, turn % 64 == 63);
            site_pump(site);
            if (trn_stream_jobs_are_stalled(&site->jobs) || turn % 5 == 0) {
                (void)trn_stream_jobs_help(&site->jobs, turn % 2);
            }
            left += next[i] < COUNT || trn_stream_jobs_under_way(&site->jobs);
        }
    }
    for (uint32_t i = 0; i <= GUESTS; i++) {
        check_ran_once(crew.sites[i], COUNT);
    }
    crew_destroy(&crew);
}

static void every_piece_of_host_and_guests_comes_back_once(void **state)
{
    (void)state;
    const uint32_t workers[] = {0, 1, 3, 8};
    for (size_t w = 0; w < 4; w++) {
        check_all_come_back(workers[w], NULL, w % 2 ? 3 : BUFFERS);
    }
}

static void every_piece_comes_back_once_on_a_runner(void **state)
{
    (void)state;
    const TrnStreamRunner runners[] = {{stream_start_never, 2, NULL},
                                       {stream_start_at_once, 2, NULL},
                                       {stream_start_thread, 3, NULL}};
    for (size_t r = 0; r < 3; r++) {
        check_all_come_back(0, &runners[r], r % 2 ? 3 : BUFFERS);
    }
}

// ---- whose turn it is --------------------------------------------------------------------------

/// Checks that all chunks of one site were begun before those of another.
static void check_order(const Site *before, uint32_t before_first, const Site *after,
                        uint32_t after_first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < count; j++) {
            assert_true(atomic_load(&before->began[before_first + i]) <
                        atomic_load(&after->began[after_first + j]));
        }
    }
}

static void a_worker_asks_its_stream_first_and_then_the_guests_in_their_order(void **state)
{
    (void)state;
    const Crew crew = crew_create(1, NULL, BUFFERS);
    Site *const *sites = crew.sites;
    atomic_store(&sites[0]->is_held, true);
    issue_chunks(sites[0], 0, 1);
    site_wait_running(sites[0], 1); // the worker cannot take anything else
    for (uint32_t i = GUESTS + 1; i-- > 0;) {
        issue_chunks(sites[i], 1, 8);
    }
    atomic_store(&sites[0]->is_held, false);
    trn_stream_jobs_join(&sites[GUESTS]->jobs);
    for (uint32_t i = 0; i < GUESTS; i++) {
        check_order(sites[i], 1, sites[i + 1], 1, 8);
    }
    for (uint32_t i = 0; i <= GUESTS; i++) {
        assert_int_equal(atomic_load(&sites[i]->by_caller), 0);
        site_finish(sites[i]);
    }
    crew_destroy(&crew);
}

static void a_worker_asks_its_stream_again_after_each_piece_of_a_guest(void **state)
{
    (void)state;
    const Crew crew = crew_create(1, NULL, BUFFERS);
    Site *const *sites = crew.sites;
    atomic_store(&sites[2]->is_held, true);
    issue_chunks(sites[2], 0, 6);
    site_wait_running(sites[2], 1);
    issue_chunks(sites[1], 0, 5);
    issue_chunks(sites[0], 0, 5);
    atomic_store(&sites[2]->is_held, false);
    trn_stream_jobs_join(&sites[2]->jobs);
    check_order(sites[0], 0, sites[1], 0, 5);
    check_order(sites[1], 0, sites[2], 1, 5);
    for (uint32_t i = 0; i <= GUESTS; i++) {
        site_finish(sites[i]);
    }
    crew_destroy(&crew);
}

/// Workers sleep most of the time here: one that missed a wake-up would leave the join waiting.
static void workers_that_sleep_wake_for_a_guest(void **state)
{
    (void)state;
    const Crew crew = crew_create(2, NULL, BUFFERS);
    for (uint32_t x = 0; x < 300; x++) {
        Site *site = crew.sites[x % (1 + GUESTS)];
        issue_chunks(site, x, 1);
        trn_stream_jobs_join(&site->jobs);
        assert_int_equal(atomic_load(&site->runs[x]), 1);
        if (x % 3 == 0) {
            test_rest_us(50);
        }
        site_finish(site);
    }
    for (uint32_t i = 0; i <= GUESTS; i++) {
        assert_int_equal(atomic_load(&crew.sites[i]->by_caller), 0);
    }
    crew_destroy(&crew);
}

static void waiting_for_a_host_waits_for_its_guests(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers <= 2; workers++) {
        const Crew crew = crew_create(workers, NULL, BUFFERS);
        for (uint32_t turn = 0; turn < 50; turn++) {
            for (uint32_t i = 0; i <= GUESTS; i++) {
                issue_chunks(crew.sites[i], turn * 5, 5);
            }
            trn_stream_jobs_join(&crew.sites[0]->jobs);
            assert_int_equal(atomic_load(&crew.sites[0]->begun), (turn + 1) * 5 * (1 + GUESTS));
            for (uint32_t i = 0; i <= GUESTS; i++) {
                assert_int_equal(atomic_load(&crew.sites[i]->running), 0);
                site_finish(crew.sites[i]);
            }
        }
        crew_destroy(&crew);
    }
}

// ---- few readers -------------------------------------------------------------------------------

static void workers_for_which_a_guest_has_no_reader_do_not_work_for_it(void **state)
{
    (void)state;
    const TrnStreamRunner runner = {stream_start_thread, 3, NULL};
    for (uint32_t readers = 0; readers <= 2; readers++) {
        for (uint32_t r = 0; r < 2; r++) {
            Site *host = site_create(3, bytes_of_buffers(BUFFERS), r ? &runner : NULL);
            Site *guest = site_create_guest(host, bytes_of_buffers(BUFFERS), readers);
            assert_int_equal(trn_stream_jobs_workers(&guest->jobs), readers);
            assert_int_equal(guest->no_worker_events, 3 - readers);
            for (uint32_t turn = 0; turn < 20; turn++) {
                issue_chunks(host, turn * 10, 10);
                issue_chunks(guest, turn * 10, 10);
                trn_stream_jobs_join(&guest->jobs);
                site_finish(guest);
                trn_stream_jobs_join(&host->jobs);
                site_finish(host);
            }
            check_ran_once(guest, 200);
            check_ran_once(host, 200);
            assert_true(atomic_load(&guest->highest_worker) <= readers);
            site_destroy(guest);
            site_destroy(host);
        }
    }
}

// ---- stopping ----------------------------------------------------------------------------------

static void a_guest_that_stops_waits_for_its_work_alone(void **state)
{
    (void)state;
    const TrnStreamRunner runner = {stream_start_thread, 2, NULL};
    for (uint32_t round = 0; round < test_rounds(20, 4); round++) {
        const Crew crew = crew_create(2, round % 2 ? &runner : NULL, BUFFERS);
        Site *host = crew.sites[0], *guest = crew.sites[1], *other = crew.sites[2];
        atomic_store(&guest->is_held, true);
        issue_chunks(guest, 0, 20);
        site_wait_running(guest, 2); // both workers are in its hooks
        issue_chunks(other, 0, 20);
        issue_chunks(host, 0, 20);
        trn_stream_jobs_stop(&guest->jobs); // cancels its work, which ends the hooks
        assert_int_equal(atomic_load(&guest->running), 0);
        uint32_t runs = 0;
        for (uint32_t x = 0; x < 20; x++) {
            runs += atomic_load(&guest->runs[x]);
        }
        atomic_store(&guest->is_held, false);
        trn_stream_jobs_join(&other->jobs);
        site_finish(other);
        site_finish(host);
        check_ran_once(other, 20);
        check_ran_once(host, 20);
        for (uint32_t x = 0; x < 20; x++) {
            runs -= atomic_load(&guest->runs[x]);
        }
        assert_int_equal(runs, 0); // nothing ran after it stopped
        site_end_all(guest);
        assert_int_equal(trn_stream_jobs_under_way(&guest->jobs), 0);
        trn_stream_jobs_destroy(&guest->jobs);
        site_clear(guest);
        guest = site_create_guest(host, bytes_of_buffers(BUFFERS), 64); // another in its place
        issue_chunks(guest, 0, 20);
        trn_stream_jobs_join(&guest->jobs);
        site_finish(guest);
        check_ran_once(guest, 20);
        site_destroy(other);
        site_destroy(crew.sites[3]);
        site_destroy(guest);
        site_destroy(host);
    }
}

static void guests_come_and_go_while_the_host_works(void **state)
{
    (void)state;
    Site *host = site_create(2, bytes_of_buffers(BUFFERS), NULL);
    for (uint32_t round = 0; round < test_rounds(60, 20); round++) {
        issue_chunks(host, round * 20, 20);
        Site *guest = site_create_guest(host, bytes_of_buffers(1), 64);
        issue_chunks(guest, 0, 20);
        if (round % 2) {
            trn_stream_jobs_join(&guest->jobs);
        }
        site_destroy(guest); // work that has not begun never does
        site_finish(host);
        check_ran_once(host, round * 20 + 20);
    }
    site_destroy(host);
}

static void a_guest_that_cannot_be_created_leaves_its_host_alone(void **state)
{
    (void)state;
    Site *host = site_create(2, bytes_of_buffers(BUFFERS), NULL);
    bool is_done = false;
    for (size_t at = 1; !is_done; at++) {
        Site *guest = site_prepare(0, bytes_of_buffers(BUFFERS), NULL);
        guest->host = host;
        test_fail(&guest->memory, at, 0);
        const TrnResult result =
            trn_stream_jobs_create(&guest->jobs, &guest->def, 0, &host->jobs, &guest->allocator);
        is_done = guest->memory.allocations < at;
        test_fail(&guest->memory, 0, 0);
        // Without memory for a reader it has fewer workers.
        assert_true(result == TRN_RESULT_OK || (!is_done && result == TRN_RESULT_NO_MEMORY));
        if (result == TRN_RESULT_OK) {
            issue_chunks(guest, 0, 5);
            trn_stream_jobs_join(&guest->jobs);
            site_finish(guest);
            check_ran_once(guest, 5);
        }
        site_destroy(guest);
        issue_chunks(host, (uint32_t)at * 5, 5);
        trn_stream_jobs_join(&host->jobs);
        site_finish(host);
    }
    site_destroy(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_piece_of_host_and_guests_comes_back_once),
        cmocka_unit_test(every_piece_comes_back_once_on_a_runner),
        cmocka_unit_test(a_worker_asks_its_stream_first_and_then_the_guests_in_their_order),
        cmocka_unit_test(a_worker_asks_its_stream_again_after_each_piece_of_a_guest),
        cmocka_unit_test(workers_that_sleep_wake_for_a_guest),
        cmocka_unit_test(waiting_for_a_host_waits_for_its_guests),
        cmocka_unit_test(workers_for_which_a_guest_has_no_reader_do_not_work_for_it),
        cmocka_unit_test(a_guest_that_stops_waits_for_its_work_alone),
        cmocka_unit_test(guests_come_and_go_while_the_host_works),
        cmocka_unit_test(a_guest_that_cannot_be_created_leaves_its_host_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
