/// What may happen to a PostgreSQL server while worlds in it are written: its disk is full, its
/// clock jumps, it stands still, it grants less. Each is one sentence, and nothing acknowledged is
/// lost. Without a server the test is skipped. It is built with shorter limits of time.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "postgres_place.h"
#include "save/storage_cases.h"

#include <time.h>

#include <terrane/shared.h>

static PostgresPlace server;
static const TrnStorageKey here = {{20, -3, 5}, 0};

static TrnStorage open_world(const char *options, TrnStorageMode mode)
{
    char url[2 * PLACE_PATH];
    TrnStorage storage;
    TrnStorageProblem problem = {""};
    (void)snprintf(url, sizeof url, "%s%s", server.url, options);
    if (trn_storage_open_any(url, mode, &storage, &problem) != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
    return storage;
}

/// Checks that the last failure on a storage was told in one sentence with some words.
static void expect_told(const TrnStorage *storage, const char *words)
{
    TrnStorageProblem problem = {""};
    storage->problem(storage->user, problem.sentence, sizeof problem.sentence);
    const size_t length = strlen(problem.sentence);
    if (!length || problem.sentence[length - 1] != '.' || !strstr(problem.sentence, words)) {
        fail_msg("'%s' lacks '%s'", problem.sentence, words);
    }
}

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// Starts the server with commands run as root in a mount namespace that a process holds, whose
/// number is in the file `holder`.
static void start_with_mounts(const char *commands)
{
    char line[1024];
    (void)snprintf(line, sizeof line,
                   "unshare -m sh -c \"{ sleep 60 >/dev/null 2>&1 & } && echo \\$! >holder && %s "
                   "&& exec setpriv --reuid=nobody --clear-groups $BIN/pg_ctl "
                   "-s -w -t 60 -D $D/db -l $D/log start\"",
                   commands);
    postgres_expect(&server, line);
    server.is_running = true;
}

#define IN_NAMESPACE "nsenter -t $(cat holder) -m "

/// Whether this user may mount file systems of its own.
static bool may_mount(void)
{
    return postgres_run(&server, "[ $(id -u) = 0 ] && mkdir -p small && unshare -m mount -t tmpfs "
                                 "-o size=1m none $D/small") == 0;
}

// ---- the disk is full --------------------------------------------------------------------------

enum { LARGE_BYTES = 200000, LARGE_ROWS = 400 };

/// Puts large rows until one fails. @return how many were acknowledged
static uint64_t fill_disk(const TrnStorage *storage, TrnResult *result)
{
    static unsigned char bytes[LARGE_BYTES];
    TestRandom random = test_random_seeded(5);
    for (int i = 0; i < LARGE_BYTES; i++) {
        bytes[i] = (unsigned char)test_random_next(&random);
    }
    uint64_t count = 0;
    *result = TRN_RESULT_OK;
    while (count < LARGE_ROWS && *result == TRN_RESULT_OK) {
        const TrnStorageRow row = {{{(int32_t)count, 0, 0}, 0}, count + 1, bytes, LARGE_BYTES};
        const TrnStorageBatch batch = {.rows = &row, .row_count = 1};
        *result = storage->put(storage->user, &batch);
        count += *result == TRN_RESULT_OK;
    }
    return count;
}

static bool count_row(void *user, const TrnStorageRow *row)
{
    *(uint64_t *)user += row->size == LARGE_BYTES;
    return true;
}

static void expect_rows(const TrnStorage *storage, uint64_t count)
{
    const TrnStorageRange range = {.box = {{0, 0, 0}, {LARGE_ROWS, 0, 0}}};
    uint64_t found = 0;
    assert_int_equal(storage->list(storage->user, &range, count_row, &found), TRN_RESULT_OK);
    assert_int_equal(found, count);
}

static void a_full_disk_is_told_and_loses_nothing(void **state)
{
    (void)state;
    if (!may_mount()) {
        print_message("  only root may mount a small disk here\n");
        skip();
    }
    postgres_stop(&server, "fast");
    start_with_mounts("mount -t tmpfs -o size=9m none $D/small && chown nobody $D/small");
    postgres_sql(&server, "CREATE SCHEMA filled");
    char line[256];
    (void)snprintf(line, sizeof line, "CREATE TABLESPACE small LOCATION '%s/small'",
                   server.place.folder);
    postgres_sql(&server, line);
    const char *const options = "&options=-csearch_path%3Dfilled%20-cdefault_tablespace%3Dsmall";
    TrnStorage storage = open_world(options, TRN_STORAGE_CREATE);
    TrnResult result;
    const uint64_t kept = fill_disk(&storage, &result);
    assert_in_range(kept, 3, 50);
    assert_int_equal(result, TRN_RESULT_IO);
    expect_told(&storage, "the server's disk is full");
    expect_rows(&storage, kept);
    // With space, the same storage goes on.
    postgres_expect(&server, IN_NAMESPACE "mount -o remount,size=20m $D/small");
    assert_true(fill_disk(&storage, &result) > kept);
    storage.close(storage.user);
    postgres_sql(&server, "DROP SCHEMA filled CASCADE");
    postgres_sql(&server, "DROP TABLESPACE small");
    postgres_stop(&server, "fast");
    postgres_expect(&server, "kill $(cat holder)");
    postgres_start(&server);
}

/// Without space for its log the server ends. What it acknowledged is there when it has some again.
static void a_full_disk_of_the_log_loses_nothing(void **state)
{
    (void)state;
    if (!getenv("TERRANE_TEST_FULL") || !may_mount()) { // it takes 5 s
        skip();
    }
    postgres_drop(&server);
    postgres_stop(&server, "fast");
    postgres_expect(&server, "cp -a db/pg_wal wal && rm -r db/pg_wal && ln -s $D/small db/pg_wal");
    start_with_mounts("mount -t tmpfs -o size=50m none $D/small && cp -a $D/wal/. $D/small && "
                      "chown -R nobody $D/small");
    TrnStorage storage = open_world("", TRN_STORAGE_CREATE);
    TrnResult result;
    const uint64_t kept = fill_disk(&storage, &result);
    assert_in_range(kept, 3, LARGE_ROWS - 1);
    assert_int_not_equal(result, TRN_RESULT_OK);
    expect_told(&storage, "server");
    // An administrator adds space, and starts the server again unless it did so itself.
    postgres_expect(&server, IN_NAMESPACE "mount -o remount,size=200m $D/small; as $BIN/pg_ctl -s "
                                          "-w -D db -m immediate stop; " IN_NAMESPACE
                                          "setpriv --reuid=nobody --clear-groups $BIN/pg_ctl -s -w "
                                          "-D $D/db -l $D/log start");
    expect_rows(&storage, kept);
    storage.close(storage.user);
    postgres_stop(&server, "fast");
    postgres_expect(&server, "kill $(cat holder)"); // the log with it: this test is the last
}

// ---- clocks ------------------------------------------------------------------------------------

static void jump_clock(const char *seconds)
{
    char line[128];
    (void)snprintf(line, sizeof line, "echo %s >jump.new && mv jump.new jump", seconds);
    postgres_expect(&server, line);
}

static TrnResult put_text(const TrnStorage *storage, uint64_t revision, const char *text)
{
    const TrnStorageRow row = row_of(here, revision, text);
    const TrnStorageBatch batch = {.rows = &row, .row_count = 1};
    return storage->put(storage->user, &batch);
}

/// When the server's clock jumps, a region may change its owner early; it never has two.
static void a_clock_that_jumps_makes_no_second_owner(void **state)
{
    (void)state;
    const TrnRegion region = trn_region_of(here.coord, here.level);
    postgres_stop(&server, "fast");
    jump_clock("0");
    postgres_expect(&server, "cp " CLOCK_JUMP
                             " jump.so && chmod 755 jump.so && as env LD_PRELOAD=$D/jump.so "
                             "CLOCK_JUMP_FILE=$D/jump $BIN/pg_ctl -s -w -D db -l log start");
    server.is_running = true;
    postgres_drop(&server);
    TrnStorage one = open_world("", TRN_STORAGE_CREATE), other = open_world("", TRN_STORAGE_OPEN);
    assert_int_equal(trn_lease_begin(&one, "one", 10), TRN_RESULT_OK);
    assert_int_equal(trn_lease_begin(&other, "other", 3), TRN_RESULT_OK);
    assert_int_equal(trn_lease_take(&one, region, false), TRN_RESULT_OK);
    assert_int_equal(trn_lease_take(&other, region, false), TRN_RESULT_BUSY);
    jump_clock("15"); // a small step back ends nothing, also for an owner with a shorter lease
    assert_int_equal(trn_lease_renew(&one), TRN_RESULT_OK);
    jump_clock("10");
    assert_int_equal(trn_lease_take(&other, region, false), TRN_RESULT_BUSY);
    jump_clock("3600");
    assert_int_equal(put_text(&one, 1, "one"), TRN_RESULT_OK); // none has taken it
    assert_int_equal(trn_lease_take(&other, region, false), TRN_RESULT_OK);
    assert_int_equal(put_text(&one, 2, "lost"), TRN_RESULT_STALE_ID);
    expect_told(&one, "no longer, this program's");
    assert_int_equal(put_text(&other, 2, "other"), TRN_RESULT_OK);
    jump_clock("-3600"); // the owner may have died: it does not hold the region for two hours
    assert_int_equal(put_text(&one, 3, "lost"), TRN_RESULT_STALE_ID);
    assert_int_equal(put_text(&other, 3, "again"), TRN_RESULT_OK);
    assert_int_equal(trn_lease_renew(&other), TRN_RESULT_OK);
    assert_int_equal(trn_lease_renew(&one), TRN_RESULT_STALE_ID);
    assert_int_equal(trn_lease_take(&one, region, false), TRN_RESULT_BUSY);
    jump_clock("-7200");
    assert_int_equal(trn_lease_take(&one, region, false), TRN_RESULT_OK);
    assert_int_equal(put_text(&other, 4, "lost"), TRN_RESULT_STALE_ID);
    assert_int_equal(put_text(&one, 4, "one"), TRN_RESULT_OK);
    // Claims of jobs likewise.
    TrnRegion claimed;
    assert_int_equal(trn_job_add(&one, "job", &region, 1), TRN_RESULT_OK);
    assert_int_equal(trn_job_claim(&one, "job", 3, &claimed), TRN_RESULT_OK);
    assert_int_equal(trn_job_claim(&other, "job", 3, &claimed), TRN_RESULT_NOT_FOUND);
    jump_clock("-10800");
    assert_int_equal(trn_job_claim(&other, "job", 3, &claimed), TRN_RESULT_OK);
    one.close(one.user);
    other.close(other.user);
    postgres_stop(&server, "fast");
    postgres_start(&server);
}

// ---- a server that stands still ----------------------------------------------------------------

/// After the limit of time it is told.
static void all_of_the_server_stands_still(const TrnStorage *storage)
{
    postgres_expect(&server,
                    "P=$(head -n 1 db/postmaster.pid); ps -o pid= --ppid $P -p $P >pids && "
                    "kill -STOP $(cat pids)");
    const double start = seconds_now();
    const TrnResult result = put_text(storage, 4, "fourth");
    const double seconds = seconds_now() - start;
    postgres_expect(&server, "kill -CONT $(cat pids)");
    assert_int_equal(result, TRN_RESULT_IO);
    assert_true(seconds < 8);
    expect_told(storage, "postgresql://"); // the words are libpq's
}

static void a_server_that_stands_still_is_told(void **state)
{
    (void)state;
    postgres_drop(&server);
    TrnStorage storage = open_world("", TRN_STORAGE_CREATE);
    assert_int_equal(put_text(&storage, 1, "first"), TRN_RESULT_OK);
    // Only the process of the connection: another one takes over, and what the first has not read
    // is not written later.
    postgres_sql(&server, "SELECT string_agg(pid::text, ' ') FROM pg_stat_activity WHERE "
                          "application_name = 'terrane'");
    char pids[256], line[1024];
    (void)snprintf(pids, sizeof pids, "%.*s", (int)strcspn(server.place.text, "\n"),
                   server.place.text);
    (void)snprintf(line, sizeof line, "kill -STOP %s", pids);
    postgres_expect(&server, line);
    assert_int_equal(put_text(&storage, 2, "second"), TRN_RESULT_OK);
    assert_int_equal(put_text(&storage, 3, "third"), TRN_RESULT_OK);
    (void)snprintf(line, sizeof line,
                   "kill -CONT %s; for i in $(seq 100); do kill -0 %s || break; sleep 0.1; done "
                   "2>/dev/null",
                   pids, pids);
    postgres_expect(&server, line);
    Seen seen = {0};
    assert_int_equal(storage.get(storage.user, &here, 1, see_row, &seen), TRN_RESULT_OK);
    assert_string_equal(seen.text, "third");
    if (getenv("TERRANE_TEST_FULL")) { // it takes 3 s
        all_of_the_server_stands_still(&storage);
    }
    assert_int_equal(put_text(&storage, 5, "fifth"), TRN_RESULT_OK);
    assert_int_equal(storage.get(storage.user, &here, 1, see_row, &seen), TRN_RESULT_OK);
    assert_string_equal(seen.text, "fifth");
    storage.close(storage.user);
}

// ---- rights ------------------------------------------------------------------------------------

/// A user that may read, but not write, gets one sentence for each call that writes.
static void missing_rights_are_told(void **state)
{
    (void)state;
    postgres_drop(&server);
    TrnStorage owner = open_world("", TRN_STORAGE_CREATE);
    assert_int_equal(put_text(&owner, 1, "kept"), TRN_RESULT_OK);
    postgres_sql(&server,
                 "CREATE ROLE reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO "
                 "reader");
    TrnStorage reader = open_world("&user=reader", TRN_STORAGE_OPEN);
    const TrnRegion region = trn_region_of(here.coord, here.level);
    TrnRegion claimed;
    Seen seen = {0};
    assert_int_equal(reader.get(reader.user, &here, 1, see_row, &seen), TRN_RESULT_OK);
    assert_string_equal(seen.text, "kept");
    assert_int_equal(put_text(&reader, 2, "lost"), TRN_RESULT_IO);
    expect_told(&reader, "lacks rights on the tables");
    assert_int_equal(trn_lease_begin(&reader, "reader", 10), TRN_RESULT_OK);
    assert_int_equal(trn_lease_take(&reader, region, false), TRN_RESULT_IO);
    expect_told(&reader, "lacks rights on the tables");
    assert_int_equal(trn_job_add(&reader, "job", &region, 1), TRN_RESULT_IO);
    assert_int_equal(trn_job_claim(&reader, "job", 1, &claimed), TRN_RESULT_IO);
    expect_told(&reader, "lacks rights on the tables");
    reader.close(reader.user);
    owner.close(owner.user);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(missing_rights_are_told),
                                       cmocka_unit_test(a_server_that_stands_still_is_told),
                                       cmocka_unit_test(a_clock_that_jumps_makes_no_second_owner),
                                       cmocka_unit_test(a_full_disk_is_told_and_loses_nothing),
                                       cmocka_unit_test(a_full_disk_of_the_log_loses_nothing)};
    int failures = 0;
    if (postgres_begin(&server)) {
        failures = cmocka_run_group_tests_name("shared_postgres_faults", tests, NULL, NULL);
    }
    postgres_end(&server);
    return failures;
}
