/// Maps of Luanti in PostgreSQL databases. Without a server, the test is skipped.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "shared/postgres_place.h"

#include <sqlite3.h>

#include "luanti_map.h"

static PostgresPlace server;

static bool unpack(const char *url, Unpacked *unpacked, Message *problem)
{
    char beside[PLACE_PATH];
    const UnpackDef def = {
        .path = url, .beside = place_path(&server.place, "a.world", beside), .bytes_max = 1000000};
    assert_true(luanti_map_is_elsewhere(url));
    return luanti_map_unpack(unpacked, &def, problem);
}

static void expect_refused(const char *url, const char *words)
{
    Unpacked unpacked;
    Message problem;
    if (unpack(url, &unpacked, &problem) || !strstr(problem.text, words) ||
        strstr(problem.text, "secret")) {
        fail_msg("'%s' lacks '%s'", problem.text, words);
    }
    unpacked_remove(&unpacked);
}

static void map_blocks_are_copied(void **state)
{
    (void)state;
    Unpacked unpacked;
    Message problem;
    char path[UNPACKED_PATH_MAX + 320];
    sqlite3 *db;
    sqlite3_stmt *row;
    postgres_sql(&server, "CREATE TABLE blocks (posX INT NOT NULL, posY INT NOT NULL, "
                          "posZ INT NOT NULL, data BYTEA, PRIMARY KEY (posX, posY, posZ))");
    postgres_sql(&server,
                 "INSERT INTO blocks SELECT n, -n, 3 * n, decode(repeat('00ff', n), 'hex') "
                 "FROM generate_series(-1, 2000) AS n");
    expect_refused(server.url, "larger than"); // 4 MB
    postgres_sql(&server, "DELETE FROM blocks WHERE posX > 40");
    if (!unpack(server.url, &unpacked, &problem)) {
        fail_msg("%s", problem.text);
    }
    (void)snprintf(path, sizeof path, "%s/map.sqlite", unpacked.source);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db, "SELECT x, y, z, data FROM blocks ORDER BY x", -1, &row, NULL),
        SQLITE_OK);
    for (int n = -1; n <= 40; n++) {
        assert_int_equal(sqlite3_step(row), SQLITE_ROW);
        assert_int_equal(sqlite3_column_int(row, 0), n);
        assert_int_equal(sqlite3_column_int(row, 1), -n);
        assert_int_equal(sqlite3_column_int(row, 2), 3 * n);
        assert_int_equal(sqlite3_column_bytes(row, 3), n > 0 ? 2 * n : 0);
    }
    assert_int_equal(sqlite3_step(row), SQLITE_DONE);
    assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    unpacked_remove(&unpacked);
}

static void what_is_no_map_ends_in_a_sentence(void **state)
{
    (void)state;
    char url[2 * PLACE_PATH];
    postgres_sql(&server, "DROP TABLE IF EXISTS blocks");
    expect_refused(server.url, "does not exist");
    postgres_sql(&server, "CREATE TABLE blocks (posX text, posY INT, posZ INT, data BYTEA)");
    postgres_sql(&server, "INSERT INTO blocks VALUES ('x', 1, 2, '')");
    expect_refused(server.url, "invalid input syntax");
    postgres_sql(&server, "DROP TABLE blocks; CREATE TABLE blocks (posX INT, posY INT, posZ INT, "
                          "data BYTEA); INSERT INTO blocks VALUES (NULL, 1, 2, '')");
    expect_refused(server.url, "none of Luanti's");
    (void)snprintf(url, sizeof url, "postgresql://u:secret@/none?host=%s", server.place.folder);
    expect_refused(url, "does not exist");
    expect_refused("postgresql://u:secret@[", "no valid URL");
    expect_refused("postgresql://u:secret@/x?host=/nowhere", "No such file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(map_blocks_are_copied),
                                       cmocka_unit_test(what_is_no_map_ends_in_a_sentence)};
    const int failures = postgres_begin(&server)
                             ? cmocka_run_group_tests_name("luanti_postgres", tests, NULL, NULL)
                             : 0;
    postgres_end(&server);
    return failures;
}
