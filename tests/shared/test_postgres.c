/// Worlds in a PostgreSQL database: what every storage does, and what a server and its connections
/// may do meanwhile. Without a server, or without libpq, the test is skipped.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "postgres_place.h"
#include "save/storage_cases.h"

#include <terrane/save.h>
#include <terrane/shared.h>

static PostgresPlace server;

static TrnResult open_url(TrnStorageMode mode, TrnStorage *storage, TrnStorageProblem *problem)
{
    problem->sentence[0] = '\0';
    return trn_storage_open_any(server.url, mode, storage, problem);
}

static int begin_world(void **state)
{
    static Fixture fixture;
    TrnStorageProblem problem;
    postgres_drop(&server);
    fixture = (Fixture){.kind = STORAGE_POSTGRES};
    *state = &fixture;
    if (open_url(TRN_STORAGE_CREATE, &fixture.storage, &problem) != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
    return 0;
}

static int end_world(void **state)
{
    Fixture *fixture = *state;
    fixture->storage.close(fixture->storage.user);
    return 0;
}

/// Checks that opening fails with one sentence, which has some words and not the password.
static void expect_refused(const char *url, TrnStorageMode mode, TrnResult expected,
                           const char *words)
{
    TrnStorage storage;
    TrnStorageProblem problem = {""};
    const TrnResult result = trn_storage_open_any(url, mode, &storage, &problem);
    if (result != expected || !strstr(problem.sentence, words) ||
        strstr(problem.sentence, "secret") ||
        problem.sentence[strlen(problem.sentence) - 1] != '.') {
        fail_msg("%d, not %d: '%s' lacks '%s'", result, expected, problem.sentence, words);
    }
}

static const TrnStorageKey here = {{7, -8, 9}, 0};

static void modes_are_those_of_files(void **state)
{
    Fixture *fixture = *state;
    const TrnStorageRow row = row_of(here, 5, "kept");
    assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK);
    expect_refused(server.url, TRN_STORAGE_CREATE, TRN_RESULT_EXISTS, "already");
    Fixture other = {.kind = STORAGE_POSTGRES};
    TrnStorageProblem problem;
    assert_int_equal(open_url(TRN_STORAGE_READ_ONLY, &other.storage, &problem), TRN_RESULT_OK);
    assert_string_equal(get(&other, here).text, "kept");
    assert_int_equal(put_row(&other, &row), TRN_RESULT_IO);
    other.storage.problem(other.storage.user, problem.sentence, sizeof problem.sentence);
    assert_non_null(strstr(problem.sentence, "may only be read"));
    const TrnStorageRow later = row_of(here, 6, "later"); // and what is written is read at once
    assert_int_equal(put_row(fixture, &later), TRN_RESULT_OK);
    assert_string_equal(get(&other, here).text, "later");
    other.storage.close(other.storage.user);
}

static void the_last_row_of_a_key_counts(void **state)
{
    Fixture *fixture = *state;
    const TrnStorageKey there = {{1, 1, 1}, 3};
    const TrnStorageRow rows[] = {row_of(here, 1, "old"), row_of(there, 1, "gone"),
                                  row_of(here, 2, "new"), row_of(there, 2, NULL)};
    const TrnStorageBatch batch = {.rows = rows, .row_count = 4};
    assert_int_equal(fixture->storage.put(fixture->storage.user, &batch), TRN_RESULT_OK);
    assert_string_equal(get(fixture, here).text, "new");
    assert_int_equal(get(fixture, there).count, 0);
}

static void large_batches_are_one_transaction(void **state)
{
    Fixture *fixture = *state;
    enum { ROWS = 3000 };
    TrnStorageRow *rows = calloc(ROWS, sizeof *rows);
    TrnStorageKey *keys = calloc(ROWS, sizeof *keys);
    for (int32_t i = 0; i < ROWS; i++) {
        keys[i] = (TrnStorageKey){{i % 50 - 25, i / 2500, i / 50}, (uint32_t)i % 2};
        rows[i] = row_of(keys[i], 1, "row");
    }
    const TrnStorageBatch batch = {.rows = rows, .row_count = ROWS};
    assert_int_equal(fixture->storage.put(fixture->storage.user, &batch), TRN_RESULT_OK);
    Seen seen = {0};
    assert_int_equal(fixture->storage.get(fixture->storage.user, keys, ROWS, see_row, &seen),
                     TRN_RESULT_OK);
    assert_int_equal(seen.count, ROWS);
    free(keys);
    free(rows);
}

/// Connections that end at any time are made again, and nothing acknowledged is lost.
static void cut_connections_are_made_again(void **state)
{
    Fixture *fixture = *state;
    for (uint64_t round = 1; round <= 3; round++) {
        const TrnStorageRow row = row_of(here, round, "kept");
        assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK);
        assert_int_equal(get(fixture, here).revisions, round);
        postgres_sql(&server, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                              "WHERE application_name = 'terrane'");
    }
    assert_int_equal(get(fixture, here).revisions, 3);
}

static void a_server_that_restarts_keeps_what_was_put(void **state)
{
    Fixture *fixture = *state;
    const TrnStorageRow first = row_of(here, 1, "first"), second = row_of(here, 2, "second");
    assert_int_equal(put_row(fixture, &first), TRN_RESULT_OK);
    postgres_stop(&server, "immediate");
    postgres_start(&server);
    assert_string_equal(get(fixture, here).text, "first");
    assert_int_equal(put_row(fixture, &second), TRN_RESULT_OK);
    assert_string_equal(get(fixture, here).text, "second");
}

/// A lock that another program holds for more than 5 s ends the put with BUSY, without a part of
/// it.
static void a_lock_of_another_ends_a_put(void **state)
{
    Fixture *fixture = *state;
    if (!getenv("TERRANE_TEST_FULL")) { // it takes as long
        return;
    }
    postgres_expect(
        &server,
        "( exec >/dev/null 2>&1; as \"$BIN/psql\" -qAtc \"BEGIN; LOCK TABLE terrane_values; "
        "SELECT pg_sleep(8)\" ) & sleep 1");
    const TrnStorageRow row = row_of(here, 1, "part");
    const TrnStorageValue value = {"name", "value", 5};
    const TrnStorageBatch batch = {
        .rows = &row, .row_count = 1, .values = &value, .value_count = 1};
    assert_int_equal(fixture->storage.put(fixture->storage.user, &batch), TRN_RESULT_BUSY);
    assert_int_equal(get(fixture, here).count, 0);
    assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK);
}

static void what_cannot_be_opened_is_told(void **state)
{
    (void)state;
    char url[2 * PLACE_PATH];
    (void)snprintf(url, sizeof url, "postgresql://terrane:secret@/none?host=%s",
                   server.place.folder);
    expect_refused(url, TRN_STORAGE_OPEN, TRN_RESULT_IO, "none");
    expect_refused("postgresql://u:secret@/w?host=/nowhere", TRN_STORAGE_OPEN, TRN_RESULT_IO,
                   "postgresql:///w: ");
    expect_refused("postgresql://u:secret?secret@/w?host=/nowhere", TRN_STORAGE_OPEN, TRN_RESULT_IO,
                   "postgresql:///w: ");
    expect_refused("postgresql://u:secret@[", TRN_STORAGE_OPEN, TRN_RESULT_BAD_ARGUMENT,
                   "no valid URL");
    postgres_sql(&server, "CREATE ROLE weak LOGIN");
    (void)snprintf(url, sizeof url, "postgresql://weak@/postgres?host=%s", server.place.folder);
    expect_refused(url, TRN_STORAGE_OPEN, TRN_RESULT_IO, "rights");
    postgres_sql(&server, "UPDATE terrane_format SET format = 5");
    expect_refused(server.url, TRN_STORAGE_OPEN, TRN_RESULT_CORRUPT, "newer version");
    postgres_sql(&server, "UPDATE terrane_format SET format = 1");
    expect_refused(server.url, TRN_STORAGE_OPEN, TRN_RESULT_CORRUPT, "older version");
    postgres_drop(&server);
    expect_refused(server.url, TRN_STORAGE_OPEN, TRN_RESULT_NOT_FOUND, "no world");
    expect_refused(url, TRN_STORAGE_CREATE, TRN_RESULT_IO, "may not make tables");
}

/// A world as versions before the lists of changes made it, with a row, a lease and an edit that
/// waits.
static const char WORLD_OF_FORMAT_2[] =
    "CREATE TABLE terrane_chunks (region bigint NOT NULL, level int NOT NULL, x int NOT NULL, "
    "y int NOT NULL, z int NOT NULL, revision bigint NOT NULL, change bigint NOT NULL, "
    "bytes bytea NOT NULL, PRIMARY KEY (region, level, x, y, z));"
    "CREATE INDEX terrane_chunks_change ON terrane_chunks (region, change);"
    "CREATE TABLE terrane_removals (region bigint NOT NULL, level int NOT NULL, x int NOT NULL, "
    "y int NOT NULL, z int NOT NULL, change bigint NOT NULL, "
    "PRIMARY KEY (region, level, x, y, z));"
    "CREATE INDEX terrane_removals_change ON terrane_removals (region, change);"
    "CREATE TABLE terrane_regions (region bigint PRIMARY KEY, change bigint NOT NULL);"
    "CREATE TABLE terrane_edits (region bigint NOT NULL, member bigint NOT NULL, "
    "number bigint NOT NULL, ticket bigserial NOT NULL, bytes bytea NOT NULL, "
    "change bigint NOT NULL DEFAULT 0, expires timestamptz NOT NULL DEFAULT to_timestamp(0), "
    "PRIMARY KEY (region, member, number));"
    "CREATE TABLE terrane_players (member bigint PRIMARY KEY, name bytea NOT NULL, "
    "x double precision NOT NULL, y double precision NOT NULL, z double precision NOT NULL, "
    "yaw double precision NOT NULL, pitch double precision NOT NULL, "
    "expires timestamptz NOT NULL);"
    "CREATE TABLE terrane_values (name bytea PRIMARY KEY, bytes bytea NOT NULL);"
    "CREATE TABLE terrane_leases (region bigint PRIMARY KEY, owner bytea NOT NULL, "
    "term bigint NOT NULL, expires timestamptz NOT NULL, ms bigint NOT NULL);"
    "CREATE TABLE terrane_jobs (region bigint NOT NULL, job bytea NOT NULL, x int NOT NULL, "
    "y int NOT NULL, z int NOT NULL, is_done boolean NOT NULL DEFAULT false, "
    "expires timestamptz NOT NULL DEFAULT to_timestamp(0), PRIMARY KEY (region, job));"
    "CREATE INDEX terrane_jobs_open ON terrane_jobs (job, region) WHERE NOT is_done;"
    "CREATE TABLE terrane_format (format int PRIMARY KEY);"
    "INSERT INTO terrane_format (format) VALUES (2);"
    "INSERT INTO terrane_regions VALUES (4398044413952, 3);" // of x 7, y -8, z 9
    "INSERT INTO terrane_chunks VALUES (4398044413952, 0, 7, -8, 9, 5, 3, 'kept');"
    "INSERT INTO terrane_leases VALUES (4398044413952, 'old', 3, to_timestamp(0), 1000);"
    "INSERT INTO terrane_edits (region, member, number, bytes) SELECT 1, 1, n, '' FROM "
    "generate_series(1, 7) AS n; DELETE FROM terrane_edits WHERE number < 7;"
    "INSERT INTO terrane_values VALUES ('a', 'b');";

static void worlds_of_format_2_are_brought_up_to_date(void **state)
{
    (void)state;
    Fixture fixture = {.kind = STORAGE_POSTGRES};
    TrnStorageProblem problem;
    char url[2 * PLACE_PATH];
    postgres_drop(&server);
    postgres_sql(&server, "DROP TABLE IF EXISTS terrane_removals");
    place_write(&server.place, "world.sql", WORLD_OF_FORMAT_2);
    postgres_expect(&server, "as \"$BIN/psql\" -qAt -v ON_ERROR_STOP=1 -f world.sql");
    // Reading leaves it as it is; another user cannot write it before its owner has.
    assert_int_equal(open_url(TRN_STORAGE_READ_ONLY, &fixture.storage, &problem), TRN_RESULT_OK);
    assert_string_equal(get(&fixture, here).text, "kept");
    fixture.storage.close(fixture.storage.user);
    postgres_sql(&server, "SELECT format FROM terrane_format");
    assert_string_equal(server.place.text, "2\n");
    postgres_sql(&server, "CREATE ROLE guest LOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL "
                          "TABLES IN SCHEMA public TO guest");
    (void)snprintf(url, sizeof url, "postgresql://guest@/postgres?host=%s", server.place.folder);
    expect_refused(url, TRN_STORAGE_OPEN, TRN_RESULT_IO, "'terrane fold'");
    expect_refused(server.url, TRN_STORAGE_CREATE, TRN_RESULT_EXISTS, "already");
    for (int i = 0; i < 2; i++) { // the second time there is nothing to do
        assert_int_equal(open_url(TRN_STORAGE_OPEN, &fixture.storage, &problem), TRN_RESULT_OK);
        assert_string_equal(get(&fixture, here).text, i ? "new" : "kept");
        assert_int_equal(get(&fixture, here).revisions, 5 + i);
        const TrnStorageRow row = row_of(here, 6, "new");
        assert_int_equal(put_row(&fixture, &row), TRN_RESULT_OK);
        fixture.storage.close(fixture.storage.user);
    }
    postgres_sql(&server, "SELECT format, (SELECT max(change) FROM terrane_changes), "
                          "(SELECT max(token) FROM terrane_leases) FROM terrane_format");
    assert_string_equal(server.place.text, "3|5|0\n");
    postgres_sql(&server, "INSERT INTO terrane_edits (region, member, number, bytes) VALUES "
                          "(1, 1, 8, ''); SELECT ticket FROM terrane_edits ORDER BY ticket");
    assert_string_equal(server.place.text, "7\n8\n");
    postgres_sql(&server, "DROP OWNED BY guest; DROP ROLE guest");
}

/// A row that is replaced again and again takes no more and more room, and no index grows.
static void replaced_rows_take_no_more_room(void **state)
{
    Fixture *fixture = *state;
    TrnStorageRow rows[64];
    char text[700];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    for (int i = 0; i < 64; i++) {
        rows[i] = row_of((TrnStorageKey){{i % 8, i / 8, 0}, 0}, 1, text);
    }
    postgres_sql(&server, "ALTER TABLE terrane_chunks SET (autovacuum_enabled = off)");
    for (int i = 0; i < 64 * 40; i++) {
        assert_int_equal(put_row(fixture, &rows[i % 64]), TRN_RESULT_OK);
    }
    // The rows take 50 KB.
    postgres_sql(&server, "SELECT pg_total_relation_size('terrane_chunks') < 200000");
    assert_string_equal(server.place.text, "t\n");
}

/// A save checks a row of a database as it checks one of a file.
static void a_damaged_row_is_told(void **state)
{
    (void)state;
    TrnBlockTypes *types;
    TrnSave *save;
    TrnSaveDef def = trn_save_def();
    TrnStorageProblem problem;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    def.types = types;
    def.damaged = TRN_SAVE_REFUSE_DAMAGED;
    assert_int_equal(open_url(TRN_STORAGE_OPEN, &def.storage, &problem), TRN_RESULT_OK);
    assert_int_equal(trn_save_create(&def, &save, &problem), TRN_RESULT_OK);
    blocks[5] = 3;
    assert_int_equal(trn_save_put(save, here.coord, 0, blocks, false), TRN_RESULT_OK);
    assert_int_equal(trn_save_flush(save), TRN_RESULT_OK);
    const TrnStreamSource source = trn_save_source(save);
    const TrnStreamJob job = {.coord = here.coord};
    bool is_uniform = true;
    memset(blocks, 0, sizeof blocks);
    assert_int_equal(source.load(source.user, &job, blocks, &is_uniform), TRN_RESULT_OK);
    assert_int_equal(blocks[5], 3);
    postgres_sql(
        &server,
        "UPDATE terrane_chunks SET bytes = set_byte(bytes, 50, 255 - get_byte(bytes, 50))");
    assert_int_equal(source.load(source.user, &job, blocks, &is_uniform), TRN_RESULT_CORRUPT);
    (void)trn_save_destroy(save);
    trn_block_types_destroy(types);
}

int main(void)
{
#define WORLD(test) cmocka_unit_test_setup_teardown(test, begin_world, end_world)
    const struct CMUnitTest tests[] = {WORLD(rows_are_put_got_replaced_and_removed),
                                       WORLD(boxes_and_revisions_choose_what_is_listed),
                                       WORLD(values_come_by_prefix_in_order_of_their_names),
                                       WORLD(new_values_replace_none),
                                       WORLD(readers_see_whole_transactions),
                                       WORLD(modes_are_those_of_files),
                                       WORLD(the_last_row_of_a_key_counts),
                                       WORLD(large_batches_are_one_transaction),
                                       WORLD(cut_connections_are_made_again),
                                       WORLD(a_server_that_restarts_keeps_what_was_put),
                                       WORLD(a_lock_of_another_ends_a_put),
                                       WORLD(what_cannot_be_opened_is_told),
                                       cmocka_unit_test(worlds_of_format_2_are_brought_up_to_date),
                                       WORLD(replaced_rows_take_no_more_room),
                                       WORLD(a_damaged_row_is_told)};
    int failures = 0;
    if (postgres_begin(&server)) {
        failures = cmocka_run_group_tests_name("shared_postgres", tests, NULL, NULL);
    }
    postgres_end(&server);
    return failures;
}
