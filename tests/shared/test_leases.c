/// Leases of a shared world: a region has one writer, also when processes stop or die. Without a
/// server, or without libpq, the test is skipped.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "postgres_place.h"
#include "save/storage_cases.h"

#include <signal.h>
#include <time.h>

#include <terrane/shared.h>

static PostgresPlace server;
static const TrnStorageKey here = {{20, -3, 5}, 0}, beside = {{-1, 0, 0}, 2};

static void open_world(Fixture *fixture, const char *owner, double seconds)
{
    TrnStorageProblem problem = {""};
    *fixture = (Fixture){.kind = STORAGE_POSTGRES};
    const TrnResult result =
        trn_storage_open_any(server.url, TRN_STORAGE_EITHER, &fixture->storage, &problem);
    if (result != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
    assert_int_equal(trn_lease_begin(&fixture->storage, owner, seconds), TRN_RESULT_OK);
}

static void close_world(Fixture *fixture)
{
    fixture->storage.close(fixture->storage.user);
}

static TrnResult take(const Fixture *fixture, bool by_force)
{
    return trn_lease_take(&fixture->storage, trn_region_of(here.coord, here.level), by_force);
}

/// Takes a region as soon as its lease has expired, within 10 s.
static void take_over(const Fixture *fixture)
{
    TrnResult result = TRN_RESULT_BUSY;
    for (int i = 0; i < 1000 && result == TRN_RESULT_BUSY; i++) {
        const struct timespec pause = {.tv_nsec = 10000000};
        result = take(fixture, false);
        (void)nanosleep(&pause, NULL);
    }
    assert_int_equal(result, TRN_RESULT_OK);
}

static void a_region_has_one_owner(void **state)
{
    (void)state;
    postgres_drop(&server);
    Fixture one, other;
    open_world(&one, "one", 600);
    open_world(&other, "other", 600);
    const TrnStorageRow first = row_of(here, 1, "one"), second = row_of(here, 2, "other");
    assert_int_equal(put_row(&one, &first), TRN_RESULT_STALE_ID); // not taken yet
    assert_int_equal(take(&one, false), TRN_RESULT_OK);
    assert_int_equal(put_row(&one, &first), TRN_RESULT_OK);
    assert_int_equal(take(&other, false), TRN_RESULT_BUSY);
    assert_int_equal(put_row(&other, &second), TRN_RESULT_STALE_ID);
    assert_int_equal(trn_lease_renew(&one.storage), TRN_RESULT_OK);
    assert_int_equal(take(&other, true), TRN_RESULT_OK);
    assert_int_equal(put_row(&other, &second), TRN_RESULT_OK);
    // A batch of which one region is lost changes nothing.
    assert_int_equal(trn_lease_take(&one.storage, trn_region_of(beside.coord, beside.level), false),
                     TRN_RESULT_OK);
    const TrnStorageRow rows[] = {row_of(beside, 3, "both"), row_of(here, 3, "both")};
    const TrnStorageBatch batch = {.rows = rows, .row_count = 2};
    assert_int_equal(one.storage.put(one.storage.user, &batch), TRN_RESULT_STALE_ID);
    assert_int_equal(get(&one, beside).count, 0);
    assert_string_equal(get(&one, here).text, "other");
    assert_int_equal(trn_lease_renew(&one.storage), TRN_RESULT_STALE_ID);
    assert_int_equal(trn_lease_renew(&one.storage), TRN_RESULT_OK); // what is left
    assert_int_equal(put_row(&one, &rows[0]), TRN_RESULT_OK);
    assert_int_equal(trn_lease_give(&other.storage, trn_region_of(here.coord, here.level)),
                     TRN_RESULT_OK);
    assert_int_equal(take(&one, false), TRN_RESULT_OK);
    assert_int_equal(put_row(&one, &first), TRN_RESULT_OK);
    close_world(&one);
    close_world(&other);
}

/// A program that lost its lease, and has not noticed, gives back nothing of the new owner's.
static void what_another_took_is_not_given_back(void **state)
{
    (void)state;
    postgres_drop(&server);
    Fixture one, other;
    open_world(&one, "one", 600);
    open_world(&other, "other", 600);
    const TrnRegion region = trn_region_of(here.coord, here.level);
    assert_int_equal(take(&one, false), TRN_RESULT_OK);
    assert_int_equal(take(&other, true), TRN_RESULT_OK);
    assert_int_equal(trn_lease_give(&one.storage, region), TRN_RESULT_OK);
    assert_int_equal(take(&one, false), TRN_RESULT_BUSY);
    const TrnStorageRow row = row_of(here, 1, "other");
    assert_int_equal(put_row(&other, &row), TRN_RESULT_OK);
    assert_int_equal(trn_lease_give(&other.storage, region), TRN_RESULT_OK);
    assert_int_equal(take(&one, false), TRN_RESULT_OK);
    close_world(&one);
    close_world(&other);
}

/// A failover to a standby that has not heard of a take: another program takes the region with the
/// same term. The first one has nothing any more.
static void a_take_that_a_failover_lost_holds_nothing(void **state)
{
    (void)state;
    postgres_drop(&server);
    Fixture one, other;
    open_world(&one, "one", 600);
    open_world(&other, "other", 600);
    const TrnStorageRow first = row_of(here, 1, "one"), second = row_of(here, 2, "other");
    const TrnRegion region = trn_region_of(here.coord, here.level);
    for (int i = 0; i < 2; i++) {
        postgres_sql(&server, "DELETE FROM terrane_leases");
        assert_int_equal(take(&one, false), TRN_RESULT_OK);
        assert_int_equal(put_row(&one, &first), TRN_RESULT_OK);
        postgres_sql(&server, "DELETE FROM terrane_leases");
        assert_int_equal(take(&other, false), TRN_RESULT_OK);
        postgres_sql(&server, "SELECT term FROM terrane_leases");
        assert_string_equal(server.place.text, "1\n");
        assert_int_equal(put_row(&other, &second), TRN_RESULT_OK);
        assert_int_equal(put_row(&one, &first), TRN_RESULT_STALE_ID);
        assert_int_equal(i ? trn_lease_renew(&one.storage) : trn_lease_give(&one.storage, region),
                         i ? TRN_RESULT_STALE_ID : TRN_RESULT_OK);
        assert_int_equal(trn_lease_renew(&other.storage), TRN_RESULT_OK);
        assert_int_equal(take(&one, false), TRN_RESULT_BUSY);
        assert_string_equal(get(&one, here).text, "other");
        assert_int_equal(trn_lease_give(&other.storage, region), TRN_RESULT_OK);
    }
    close_world(&one);
    close_world(&other);
}

/// Asking for a lease that another holds changes and locks nothing, and waits for no lock.
static void asking_for_a_lease_only_reads(void **state)
{
    (void)state;
    static const char ROW[] = "SELECT ctid, xmin, xmax FROM terrane_leases";
    char before[64];
    postgres_drop(&server);
    Fixture one, other;
    open_world(&one, "one", 600);
    open_world(&other, "other", 600);
    assert_int_equal(take(&one, false), TRN_RESULT_OK);
    postgres_sql(&server, ROW);
    (void)snprintf(before, sizeof before, "%.60s", server.place.text);
    assert_int_equal(take(&other, false), TRN_RESULT_BUSY);
    postgres_sql(&server, ROW);
    assert_string_equal(server.place.text, before);
    postgres_background(&server, "-c BEGIN -c 'SELECT 1 FROM terrane_leases FOR UPDATE' "
                                 "-c 'SELECT pg_sleep(600)'");
    postgres_await_sleep(&server);
    assert_int_equal(take(&other, false), TRN_RESULT_BUSY); // or the lock's limit of time is met
    postgres_sql(&server, "SELECT count(*) FROM (SELECT pg_terminate_backend(pid) FROM "
                          "pg_stat_activity WHERE wait_event = 'PgSleep') AS k");
    assert_string_equal(server.place.text, "1\n");
    close_world(&one);
    close_world(&other);
}

#define CHILD_STALE 7
#define CHILD_BAD 8

/// Puts ever higher revisions, and writes each that is acknowledged into a pipe.
/// @param stops_at  the revision after which it stops itself; 0: it does not
static void child_run(int acknowledged, uint64_t stops_at)
{
    Fixture world;
    open_world(&world, "child", 0.4);
    if (take(&world, false) != TRN_RESULT_OK) {
        _exit(CHILD_BAD);
    }
    for (uint64_t revision = 1;; revision++) {
        const TrnStorageRow row = row_of(here, revision, "child");
        const TrnResult result = put_row(&world, &row);
        if (result != TRN_RESULT_OK) {
            _exit(result == TRN_RESULT_STALE_ID ? CHILD_STALE : CHILD_BAD);
        }
        if (write(acknowledged, &revision, sizeof revision) != (ssize_t)sizeof revision) {
            _exit(CHILD_BAD);
        }
        if (revision == stops_at) {
            (void)raise(SIGSTOP);
        }
    }
}

/// Starts a child, and waits until it has put some rows.
static pid_t child_start(int *acknowledged, uint64_t *last, uint64_t stops_at)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)close(ends[0]);
        child_run(ends[1], stops_at);
    }
    (void)close(ends[1]);
    *acknowledged = ends[0];
    for (int i = 0; i < 5; i++) {
        assert_int_equal(read(ends[0], last, sizeof *last), sizeof *last);
    }
    return child;
}

static int child_end(pid_t child, int acknowledged, uint64_t *last)
{
    int status = 0;
    while (read(acknowledged, last, sizeof *last) == (ssize_t)sizeof *last) {
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    (void)close(acknowledged);
    return status;
}

static void a_process_that_was_stopped_writes_no_more(void **state)
{
    (void)state;
    postgres_drop(&server);
    Fixture world;
    open_world(&world, "parent", 600);
    int acknowledged;
    uint64_t last = 0;
    // In the middle of a transaction, the server ends that after 5 s; so long takes only the full
    // test. Otherwise it stops between two.
    const bool is_full = getenv("TERRANE_TEST_FULL") != NULL;
    const pid_t child = child_start(&acknowledged, &last, is_full ? 0 : 5);
    int status = 0;
    assert_true(!is_full || kill(child, SIGSTOP) == 0);
    assert_int_equal(waitpid(child, &status, WUNTRACED), child);
    assert_true(WIFSTOPPED(status));
    take_over(&world);
    const TrnStorageRow row = row_of(here, 1000000, "parent");
    assert_int_equal(put_row(&world, &row), TRN_RESULT_OK);
    assert_int_equal(kill(child, SIGCONT), 0);
    status = child_end(child, acknowledged, &last);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), CHILD_STALE);
    assert_string_equal(get(&world, here).text, "parent");
    close_world(&world);
}

static void a_process_that_is_killed_loses_nothing_acknowledged(void **state)
{
    (void)state;
    postgres_drop(&server);
    Fixture world;
    open_world(&world, "parent", 600);
    for (uint32_t round = 0; round < test_rounds(5, 2); round++) {
        int acknowledged;
        uint64_t last = 0;
        const pid_t child = child_start(&acknowledged, &last, 0);
        assert_int_equal(kill(child, SIGKILL), 0);
        (void)child_end(child, acknowledged, &last);
        take_over(&world);
        const uint64_t kept = get(&world, here).revisions;
        assert_true(kept == last || kept == last + 1); // the next may be written, not acknowledged
        assert_int_equal(trn_lease_give(&world.storage, trn_region_of(here.coord, 0)),
                         TRN_RESULT_OK);
    }
    close_world(&world);
}

static void each_region_of_a_job_is_claimed_once(void **state)
{
    (void)state;
    postgres_drop(&server);
    Fixture one, other;
    open_world(&one, "one", 600);
    open_world(&other, "other", 600);
    const TrnRegion regions[] = {{0, 0, 0}, {-1, 0, 5}, {3, -2, 1}};
    TrnJobProgress progress;
    uint32_t seen = 0;
    assert_int_equal(trn_job_add(&one.storage, "job", regions, 3), TRN_RESULT_OK);
    assert_int_equal(trn_job_add(&other.storage, "job", regions, 3), TRN_RESULT_OK);
    for (int i = 0; i < 3; i++) {
        TrnRegion region;
        const TrnStorage *storage = i % 2 ? &one.storage : &other.storage;
        assert_int_equal(trn_job_claim(storage, "job", 600, &region), TRN_RESULT_OK);
        for (uint32_t k = 0; k < 3; k++) {
            seen |= memcmp(&regions[k], &region, sizeof region) == 0 ? 1u << k : 0;
        }
        assert_int_equal(trn_job_finish(storage, "job", region), TRN_RESULT_OK);
        assert_int_equal(trn_job_progress(storage, "job", &progress), TRN_RESULT_OK);
        assert_int_equal(progress.done, i + 1);
        assert_int_equal(progress.total, 3);
    }
    assert_int_equal(seen, 7);
    TrnRegion none;
    assert_int_equal(trn_job_claim(&one.storage, "job", 600, &none), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_job_claim(&one.storage, "", 600, &none), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_job_renew(&one.storage, "job", 600, regions[0]), TRN_RESULT_OK);
    assert_int_equal(trn_job_claim(&one.storage, "job", 600, &none), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_job_remove(&one.storage, "job"), TRN_RESULT_OK);
    assert_int_equal(trn_job_progress(&other.storage, "job", &progress), TRN_RESULT_OK);
    assert_int_equal(progress.total, 0);
    close_world(&one);
    close_world(&other);
}

static void a_claim_ends_unless_it_is_renewed(void **state)
{
    (void)state;
    postgres_drop(&server);
    Fixture world;
    open_world(&world, "one", 600);
    const TrnStorage *storage = &world.storage;
    const TrnRegion region = {4, -1, 2};
    const struct timespec pause = {.tv_nsec = 150000000};
    TrnRegion again;
    assert_int_equal(trn_job_add(storage, "job", &region, 1), TRN_RESULT_OK);
    assert_int_equal(trn_job_claim(storage, "job", 0.1, &again), TRN_RESULT_OK);
    assert_int_equal(trn_job_renew(storage, "job", 600, region), TRN_RESULT_OK);
    assert_int_equal(nanosleep(&pause, NULL), 0);
    assert_int_equal(trn_job_claim(storage, "job", 600, &again), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_job_renew(storage, "job", 0.1, region), TRN_RESULT_OK);
    assert_int_equal(nanosleep(&pause, NULL), 0);
    assert_int_equal(trn_job_claim(storage, "job", 600, &again), TRN_RESULT_OK);
    assert_memory_equal(&again, &region, sizeof region);
    assert_int_equal(trn_job_renew(storage, "job", 0, region), TRN_RESULT_BAD_ARGUMENT);
    close_world(&world);
}

/// Rows that another client wrote: they neither end a job nor keep it from ending.
static void rows_that_name_no_region_are_left_out(void **state)
{
    (void)state;
    postgres_drop(&server);
    Fixture world;
    open_world(&world, "one", 600);
    const TrnStorage *storage = &world.storage;
    const TrnRegion regions[] = {{0, 0, 0}, {-1, 0, 5}, {-134217728, 134217727, 1 << 20}};
    const TrnRegion beyond = {134217728, 0, 0};
    TrnRegion region;
    TrnJobProgress progress;
    assert_int_equal(trn_job_add(storage, "job", &beyond, 1), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_job_add(storage, "job", regions, 3), TRN_RESULT_OK);
    postgres_sql(&server, "INSERT INTO terrane_jobs (region, job, x, y, z) VALUES "
                          "(5, 'job', 1, 2, 3), (-9223372036854775808, 'job', 0, 0, 0), "
                          "(7, 'job', 2147483647, -2147483648, 7), "
                          "(4398046511104, 'job', 1073741825, 0, 0)");
    postgres_sql(&server, "UPDATE terrane_jobs SET is_done = true WHERE region = 5");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(trn_job_claim(storage, "job", 600, &region), TRN_RESULT_OK);
        assert_int_equal(trn_job_finish(storage, "job", region), TRN_RESULT_OK);
    }
    assert_int_equal(trn_job_claim(storage, "job", 600, &region), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_job_progress(storage, "job", &progress), TRN_RESULT_OK);
    assert_int_equal(progress.done, 3);
    assert_int_equal(progress.total, 3);
    assert_int_equal(progress.unfit, 4);
    close_world(&world);
}

/// Leases that no program takes: longer than any, with terms at the end of the numbers.
static void absurd_leases_are_taken_over(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "ms = 9223372036854775807, expires = 'infinity'",
        "ms = 9223372036854775807, expires = clock_timestamp() + interval '1 year'",
        "ms = -9223372036854775808, expires = 'infinity'",
        "ms = 9223372036854775807, expires = '-infinity'",
        "term = 9223372036854775807, expires = to_timestamp(0)",
        "term = -9223372036854775808, expires = to_timestamp(0)",
    };
    postgres_drop(&server);
    Fixture one, other;
    open_world(&one, "one", 600);
    open_world(&other, "other", 600);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Fixture *taker = i % 2 ? &one : &other, *loser = i % 2 ? &other : &one;
        char sql[128];
        const TrnStorageRow row = row_of(here, i + 1, "taker");
        assert_int_equal(take(loser, true), TRN_RESULT_OK);
        (void)snprintf(sql, sizeof sql, "UPDATE terrane_leases SET %s", rows[i]);
        postgres_sql(&server, sql);
        assert_int_equal(take(taker, false), TRN_RESULT_OK);
        assert_int_equal(put_row(taker, &row), TRN_RESULT_OK);
        assert_int_equal(put_row(loser, &row), TRN_RESULT_STALE_ID);
        assert_int_equal(take(loser, false), TRN_RESULT_BUSY);
    }
    close_world(&one);
    close_world(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_region_has_one_owner),
        cmocka_unit_test(what_another_took_is_not_given_back),
        cmocka_unit_test(a_take_that_a_failover_lost_holds_nothing),
        cmocka_unit_test(asking_for_a_lease_only_reads),
        cmocka_unit_test(a_process_that_was_stopped_writes_no_more),
        cmocka_unit_test(a_process_that_is_killed_loses_nothing_acknowledged),
        cmocka_unit_test(each_region_of_a_job_is_claimed_once),
        cmocka_unit_test(a_claim_ends_unless_it_is_renewed),
        cmocka_unit_test(rows_that_name_no_region_are_left_out),
        cmocka_unit_test(absurd_leases_are_taken_over),
    };
    TrnStorage none;
    TrnStorageProblem problem = {""};
    (void)trn_storage_postgres("postgresql:///w?host=/nowhere", TRN_STORAGE_OPEN, &none, &problem);
    if (strstr(problem.sentence, "without PostgreSQL")) {
        puts(problem.sentence);
        return 0;
    }
    int failures = 0;
    if (postgres_begin(&server)) {
        failures = cmocka_run_group_tests_name("shared_leases", tests, NULL, NULL);
    }
    postgres_end(&server);
    return failures;
}
