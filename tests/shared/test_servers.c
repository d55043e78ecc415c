/// A world on three PostgreSQL servers: what every storage does, which server has what, wrong
/// lists of URLs, servers that are gone, poolers. Without a server, the test is skipped.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "save/storage_cases.h"
#include "servers_place.h"

#include <time.h>

#include <terrane/save.h>
#include <terrane/shared.h>

#include "region.h"
#include "servers.h"

/// A region of each server, along x.
static TrnStorageKey key_on(uint32_t server)
{
    TrnStorageKey key = {{0, 0, 0}, 0};
    while (trn_servers_hash(trn_storage_region(&key), SERVERS) != server) {
        key.coord.x += TRN_REGION_CHUNKS;
    }
    return key;
}

static TrnResult open_urls(const char *order, TrnStorageMode mode, TrnStorage *storage,
                           TrnStorageProblem *problem)
{
    const ServersUrl url = servers_url(order);
    problem->sentence[0] = '\0';
    return trn_storage_open_any(url.text, mode, storage, problem);
}

static TrnStorage open_world(TrnStorageMode mode)
{
    TrnStorage storage;
    TrnStorageProblem problem;
    if (open_urls("012", mode, &storage, &problem) != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
    return storage;
}

static int begin_world(void **state)
{
    static Fixture fixture;
    servers_drop();
    fixture = (Fixture){.kind = STORAGE_POSTGRES, .storage = open_world(TRN_STORAGE_CREATE)};
    *state = &fixture;
    return 0;
}

static int end_world(void **state)
{
    Fixture *fixture = *state;
    fixture->storage.close(fixture->storage.user);
    return 0;
}

static TrnResult put_on(const TrnStorage *storage, uint32_t server, const char *text)
{
    const TrnStorageRow row = row_of(key_on(server), 1, text);
    const TrnStorageBatch batch = {.rows = &row, .row_count = 1};
    return storage->put(storage->user, &batch);
}

static bool note_row(void *user, const TrnStorageRow *row)
{
    (void)row;
    ++*(int *)user;
    return true;
}

static TrnResult get_on(const TrnStorage *storage, uint32_t server, int *rows)
{
    const TrnStorageKey key = key_on(server);
    *rows = 0;
    return storage->get(storage->user, &key, 1, note_row, rows);
}

// ---- what is where -----------------------------------------------------------------------------

static void the_hash_stays(void **state)
{
    static const int32_t xs[] = {0, 3, -1, 4, 11, 12};
    static const uint32_t wanted[] = {0, 2, 2, 1, 1, 1};
    (void)state;
    for (size_t i = 0; i < sizeof xs / sizeof *xs; i++) {
        const TrnRegion low = {xs[i], -5, 7}, high = {xs[i], 9, 7};
        assert_int_equal(trn_servers_hash(trn_region_number(low), SERVERS), wanted[i]);
        assert_int_equal(trn_servers_hash(trn_region_number(high), SERVERS), wanted[i]);
    }
}

static void rows_are_on_the_server_of_their_region(void **state)
{
    const Fixture *fixture = *state;
    TrnStorageRow rows[SERVERS];
    unsigned char revision[8] = {5};
    const TrnStorageValue values[] = {{"game/a", "b", 1}, {"terrane/revision", revision, 8}};
    for (uint32_t i = 0; i < SERVERS; i++) {
        rows[i] = row_of(key_on(i), 1, "row");
    }
    const TrnStorageBatch batch = {
        .rows = rows, .row_count = SERVERS, .values = values, .value_count = 2};
    assert_int_equal(fixture->storage.put(fixture->storage.user, &batch), TRN_RESULT_OK);
    for (int i = 0; i < SERVERS; i++) {
        postgres_sql(&servers[i], "SELECT count(*) FROM terrane_chunks");
        assert_int_equal(servers[i].place.text[0], '1');
        postgres_sql(&servers[i], "SELECT count(*) FROM terrane_values");
        assert_int_equal(servers[i].place.text[0], i == 0 ? '2' : '1');
        postgres_sql(&servers[i], "SELECT number || '/' || count FROM terrane_server");
        assert_int_equal(servers[i].place.text[0], '1' + i);
    }
}

static bool note_revision(void *user, const TrnStorageValue *value)
{
    *(int *)user = ((const unsigned char *)value->bytes)[0];
    return true;
}

static void the_highest_revision_counts(void **state)
{
    const Fixture *fixture = *state;
    const TrnStorage *storage = &fixture->storage;
    for (uint32_t i = 0; i < SERVERS; i++) {
        const TrnStorageRow row = row_of(key_on(i), 1, "row");
        unsigned char revision[8] = {(unsigned char)(i == 1 ? 9 : 3)};
        const TrnStorageValue value = {"terrane/revision", revision, 8};
        const TrnStorageBatch batch = {&row, 1, &value, 1, 0};
        assert_int_equal(storage->put(storage->user, &batch), TRN_RESULT_OK);
    }
    int revision = 0;
    assert_int_equal(storage->values(storage->user, "terrane/revision", note_revision, &revision),
                     TRN_RESULT_OK);
    assert_int_equal(revision, 9);
}

static void leases_and_jobs_work(void **state)
{
    const Fixture *fixture = *state;
    TrnStorage other = open_world(TRN_STORAGE_OPEN);
    assert_int_equal(trn_lease_begin(&fixture->storage, "one", 10), TRN_RESULT_OK);
    assert_int_equal(trn_lease_begin(&other, "other", 10), TRN_RESULT_OK);
    for (uint32_t i = 0; i < SERVERS; i++) {
        const TrnRegion region = trn_region_of(key_on(i).coord, 0);
        assert_int_equal(put_on(&fixture->storage, i, "1"), TRN_RESULT_STALE_ID);
        assert_int_equal(trn_lease_take(&fixture->storage, region, false), TRN_RESULT_OK);
        assert_int_equal(trn_lease_take(&other, region, false), TRN_RESULT_BUSY);
        assert_int_equal(put_on(&fixture->storage, i, "1"), TRN_RESULT_OK);
    }
    assert_int_equal(trn_lease_renew(&fixture->storage), TRN_RESULT_OK);
    TrnSharedStatus status;
    assert_int_equal(trn_shared_status(&other, &status), TRN_RESULT_OK);
    assert_int_equal(status.leases, SERVERS);
    const TrnRegion job = trn_region_of(key_on(2).coord, 0);
    TrnRegion claimed;
    assert_int_equal(trn_job_add(&other, "job", &job, 1), TRN_RESULT_OK);
    assert_int_equal(trn_job_claim(&fixture->storage, "job", 5, &claimed), TRN_RESULT_OK);
    assert_int_equal(trn_job_claim(&other, "job", 5, &claimed), TRN_RESULT_NOT_FOUND);
    other.close(other.user);
}

// ---- wrong lists -------------------------------------------------------------------------------

static void expect_refused(const char *order, TrnStorageMode mode, const char *words)
{
    TrnStorage storage;
    TrnStorageProblem problem;
    const TrnResult result = open_urls(order, mode, &storage, &problem);
    if (result != TRN_RESULT_BAD_ARGUMENT || !strstr(problem.sentence, words)) {
        fail_msg("%s: %d, '%s' lacks '%s'", order, result, problem.sentence, words);
    }
}

static void wrong_lists_are_refused(void **state)
{
    (void)state;
    expect_refused("0", TRN_STORAGE_OPEN, "server 1 of the 3");
    expect_refused("2", TRN_STORAGE_EITHER, "server 3 of the 3");
    expect_refused("01", TRN_STORAGE_OPEN, "give the URLs of all 3");
    expect_refused("021", TRN_STORAGE_READ_ONLY, "server 3 of the world, and not 2");
    expect_refused("210", TRN_STORAGE_OPEN, "server 3 of the world, and not 1");
    expect_refused("011", TRN_STORAGE_OPEN, "2 and 3 name one database");
    expect_refused("0120", TRN_STORAGE_OPEN, "1 and 4 name one database");
}

static void a_server_of_another_world_is_refused(void **state)
{
    (void)state;
    postgres_sql(&servers[1], "UPDATE terrane_server SET world = world + 1");
    expect_refused("012", TRN_STORAGE_OPEN, "another world");
    postgres_sql(&servers[1], "UPDATE terrane_server SET world = world - 1");
    postgres_drop(&servers[2]);
    TrnStorage storage;
    TrnStorageProblem problem;
    assert_int_equal(open_urls("2", TRN_STORAGE_CREATE, &storage, &problem), TRN_RESULT_OK);
    storage.close(storage.user);
    expect_refused("012", TRN_STORAGE_OPEN, "a world that is on one server");
}

/// Making a world ended between two servers: it goes on.
static void a_half_made_world_is_completed(void **state)
{
    const Fixture *fixture = *state;
    (void)fixture;
    postgres_drop(&servers[1]);
    postgres_drop(&servers[2]);
    TrnStorage storage = open_world(TRN_STORAGE_EITHER);
    assert_int_equal(put_on(&storage, 2, "1"), TRN_RESULT_OK);
    storage.close(storage.user);
}

// ---- servers that are gone ---------------------------------------------------------------------

static double now_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool note_problem(void *user, const TrnSharedServer *server)
{
    char *gone = user;
    gone[server->number - 1] = server->problem[0] ? 'x' : '.';
    return true;
}

static void others_go_on_while_one_is_gone(void **state)
{
    const Fixture *fixture = *state;
    const TrnStorage *storage = &fixture->storage;
    TrnStorageProblem problem;
    TrnStorage again;
    char gone[SERVERS + 1] = "";
    int rows;
    for (uint32_t i = 0; i < SERVERS; i++) {
        assert_int_equal(put_on(storage, i, "1"), TRN_RESULT_OK);
    }
    postgres_stop(&servers[1], "immediate");
    assert_int_equal(get_on(storage, 1, &rows), TRN_RESULT_IO);
    storage->problem(storage->user, problem.sentence, sizeof problem.sentence);
    assert_non_null(strstr(problem.sentence, "server 2, "));
    const double start = now_seconds();
    for (int i = 0; i < 20; i++) { // at once
        assert_int_equal(get_on(storage, 1, &rows), TRN_RESULT_IO);
        assert_int_equal(get_on(storage, 0, &rows), TRN_RESULT_OK);
        assert_int_equal(rows, 1);
        assert_int_equal(put_on(storage, 2, "2"), TRN_RESULT_OK);
    }
    assert_true(now_seconds() - start < 5);
    const TrnStorageKey keys[] = {key_on(1), key_on(0), key_on(2)};
    rows = 0;
    assert_int_equal(storage->get(storage->user, keys, 3, note_row, &rows), TRN_RESULT_IO);
    assert_int_equal(rows, 2); // what can be read is
    assert_int_equal(trn_shared_servers(storage, note_problem, gone), TRN_RESULT_OK);
    assert_string_equal(gone, ".x.");
    assert_int_equal(open_urls("012", TRN_STORAGE_OPEN, &again, &problem), TRN_RESULT_OK);
    assert_int_equal(get_on(&again, 2, &rows), TRN_RESULT_OK);
    assert_int_equal(get_on(&again, 1, &rows), TRN_RESULT_IO);
    postgres_start(&servers[1]);
    const TrnStorage *both[] = {storage, &again};
    for (int i = 0; i < 2; i++) {
        while (get_on(both[i], 1, &rows) != TRN_RESULT_OK) {
            assert_true(now_seconds() - start < 60);
        }
        assert_int_equal(rows, 1);
    }
    assert_int_equal(put_on(storage, 1, "2"), TRN_RESULT_OK);
    again.close(again.user);
}

/// A server that did not answer at the opening, and is another's when it does.
static void a_server_that_comes_back_is_checked(void **state)
{
    (void)state;
    TrnStorage storage;
    TrnStorageProblem problem;
    int rows;
    postgres_sql(&servers[1], "UPDATE terrane_server SET world = world + 1");
    postgres_stop(&servers[1], "fast");
    assert_int_equal(open_urls("012", TRN_STORAGE_OPEN, &storage, &problem), TRN_RESULT_OK);
    postgres_start(&servers[1]);
    const double start = now_seconds();
    TrnResult result;
    while ((result = get_on(&storage, 1, &rows)) == TRN_RESULT_IO) {
        assert_true(now_seconds() - start < 60);
    }
    assert_int_equal(result, TRN_RESULT_BAD_ARGUMENT);
    storage.problem(storage.user, problem.sentence, sizeof problem.sentence);
    assert_non_null(strstr(problem.sentence, "another world"));
    storage.close(storage.user);
}

// ---- poolers -----------------------------------------------------------------------------------

static void expect_pooler(const char *mode, TrnResult expected)
{
    PostgresPlace *place = &servers[0];
    char line[1024], url[PLACE_PATH + 64];
    TrnStorage storage;
    TrnStorageProblem problem = {""};
    (void)snprintf(
        line, sizeof line,
        "printf \"[databases]\\n* = host=$D user=terrane\\n[pgbouncer]\\nlisten_port = 6543\\n"
        "unix_socket_dir = $D\\nauth_type = any\\npool_mode = %s\\n"
        "ignore_startup_parameters = extra_float_digits\\nlogfile = $D/pool.log\\n"
        "pidfile = $D/pool.pid\\n\" >pool.ini && "
        "as /usr/sbin/pgbouncer -d pool.ini >/dev/null; "
        "for i in $(seq 300); do \"$BIN/pg_isready\" -q -h $D -p 6543 && break; sleep 0.1; done",
        mode);
    postgres_expect(place, line);
    (void)snprintf(url, sizeof url, "%s&port=6543", place->url);
    const TrnResult result = trn_storage_open_any(url, TRN_STORAGE_EITHER, &storage, &problem);
    if (result == TRN_RESULT_OK) {
        assert_int_equal(put_on(&storage, 0, "1"), TRN_RESULT_OK);
        storage.close(storage.user);
    }
    postgres_expect(
        place,
        "as kill $(cat pool.pid); for i in $(seq 300); do \"$BIN/pg_isready\" -q -h $D -p 6543 || "
        "break; sleep 0.1; done; rm -f .s.PGSQL.6543*");
    if (result != expected || (result != TRN_RESULT_OK && !strstr(problem.sentence, "pooler"))) {
        fail_msg("%s: %d, not %d: %s", mode, result, expected, problem.sentence);
    }
}

static void poolers_in_transaction_mode_are_refused(void **state)
{
    (void)state;
    if (postgres_run(&servers[0], "[ -x /usr/sbin/pgbouncer ]") != 0) {
        puts("There is no PgBouncer here, so this case is skipped; install pgbouncer.");
        return;
    }
    servers_drop();
    expect_pooler("transaction", TRN_RESULT_IO);
    expect_pooler("session", TRN_RESULT_OK);
    expect_pooler("transaction", TRN_RESULT_IO);
}

#define SERVERS_CASE(name) cmocka_unit_test_setup_teardown(name, begin_world, end_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERVERS_CASE(the_hash_stays),
        SERVERS_CASE(rows_are_on_the_server_of_their_region),
        SERVERS_CASE(the_highest_revision_counts),
        SERVERS_CASE(leases_and_jobs_work),
        SERVERS_CASE(wrong_lists_are_refused),
        SERVERS_CASE(a_server_of_another_world_is_refused),
        SERVERS_CASE(a_half_made_world_is_completed),
        SERVERS_CASE(others_go_on_while_one_is_gone),
        SERVERS_CASE(a_server_that_comes_back_is_checked),
        cmocka_unit_test(poolers_in_transaction_mode_are_refused),
    };
    const int failures =
        servers_begin() ? cmocka_run_group_tests_name("shared_servers", tests, NULL, NULL) : 0;
    servers_end();
    return failures;
}
