/// Members whose list of changes has gaps, or whose database goes back to an earlier state: a
/// backup is restored, or a standby that was behind is promoted. In the end all show what the
/// database has. Without a server, or without libpq, the test is skipped.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "party.h"

/// Ada owns the region; Bob follows it.
static void open_two_as(Party *ada, TrnMemberDef of_ada, Party *bob, TrnMemberDef of_bob)
{
    postgres_drop(&server);
    assert_int_equal(party_open(ada, of_ada), TRN_RESULT_OK);
    of_bob.name = "Bob";
    assert_int_equal(party_open(bob, of_bob), TRN_RESULT_OK);
    party_load(ada, here);
    party_load(bob, here);
}

static void open_two(Party *ada, Party *bob)
{
    open_two_as(ada, party_def(), bob, party_def());
}

/// Ada sets the spot, and Bob sees it.
static void set_and_see(const Party *ada, const Party *bob, TrnBlock block)
{
    set(ada, spot, block);
    settle(ada);
    (void)await_block(bob, spot, block);
}

static void close_two(Party *ada, Party *bob)
{
    party_close(ada);
    party_close(bob);
}

// ---- lists of changes --------------------------------------------------------------------------

/// Where changes are no longer listed, or another client wrote lists, all chunks are loaded again.
static void lists_with_gaps_hide_nothing(void **state)
{
    (void)state;
    static const char *const SPOILS[] = {
        "DELETE FROM terrane_changes",
        "DELETE FROM terrane_changes WHERE change = 1",
        "UPDATE terrane_changes SET chunks = ''",
        "UPDATE terrane_changes SET chunks = NULL",
        "UPDATE terrane_changes SET chunks = '\\x0102030405'",
        "UPDATE terrane_changes SET chunks = decode(repeat('00', 20000), 'hex')"};
    for (size_t i = 0; i < sizeof SPOILS / sizeof *SPOILS; i++) {
        Party ada, bob;
        TrnMemberDef of_ada = party_def(), of_bob = party_def();
        of_ada.has_notify = false;
        of_bob.poll_seconds = 60; // he looks when he is told
        open_two_as(&ada, of_ada, &bob, of_bob);
        while (trn_member_stats(bob.member).polls == 0) {
            pause_ms(10);
        }
        for (TrnBlock block = 1; block <= 2; block++) {
            set(&ada, spot, block);
            settle(&ada);
        }
        postgres_sql(&server, SPOILS[i]);
        postgres_sql(&server, "SELECT pg_notify('terrane_' || region, '') FROM terrane_regions");
        (void)await_block(&bob, spot, 2);
        close_two(&ada, &bob);
    }
}

/// Old changes go away as others come, and a chunk of a longer list than a change may have is seen.
static void lists_stay_short(void **state)
{
    (void)state;
    Party ada, bob;
    open_two(&ada, &bob);
    set_and_see(&ada, &bob, TRN_BLOCK_GRASS);
    postgres_sql(&server, "UPDATE terrane_regions SET change = 1000;"
                          "INSERT INTO terrane_changes SELECT region, n, '\\x' FROM "
                          "terrane_regions, generate_series(2, 1000) AS n");
    for (int i = 0; i < 64; i++) {
        set_and_see(&ada, &bob, (TrnBlock)(1 + i % 4));
    }
    postgres_sql(&server, "SELECT count(*) BETWEEN 256 AND 320 FROM terrane_changes");
    assert_string_equal(server.place.text, "t\n");
    postgres_sql(&server, "SELECT count(*) FROM terrane_changes WHERE octet_length(chunks) = 12");
    assert_string_equal(server.place.text, "64\n");
    close_two(&ada, &bob);
}

/// A region whose transaction is open holds up no other one.
static void regions_do_not_wait_for_each_other(void **state)
{
    (void)state;
    const TrnCoord beyond = {-1, 0, 1};
    const TrnVoxel far_spot = {-8, 5, 45};
    Party ada, bob;
    open_two(&ada, &bob);
    party_load(&ada, beyond);
    party_load(&bob, beyond);
    set_and_see(&ada, &bob, TRN_BLOCK_GRASS);
    set(&ada, far_spot, TRN_BLOCK_GRASS);
    settle(&ada);
    (void)await_block(&bob, far_spot, TRN_BLOCK_GRASS);
    // The region of `here` is raised first, and its transaction stays open.
    postgres_background(&server, "-c BEGIN -c 'UPDATE terrane_regions SET change = change + 1 "
                                 "WHERE region = (SELECT min(region) FROM terrane_regions)' "
                                 "-c 'SELECT pg_sleep(600)'");
    postgres_await_sleep(&server);
    set(&ada, far_spot, TRN_BLOCK_SAND);
    settle(&ada);
    (void)await_block(&bob, far_spot, TRN_BLOCK_SAND);
    postgres_sql(&server, "SELECT count(*) FROM (SELECT pg_terminate_backend(pid) FROM "
                          "pg_stat_activity WHERE wait_event = 'PgSleep') AS k");
    assert_string_equal(server.place.text, "1\n"); // it was open until now
    set_and_see(&ada, &bob, TRN_BLOCK_SAND);
    close_two(&ada, &bob);
}

// ---- a database that goes back -----------------------------------------------------------------

static void expect_all_went_back(Party *ada, Party *bob)
{
    (void)await_block(ada, spot, TRN_BLOCK_GRASS);
    (void)await_block(bob, spot, TRN_BLOCK_GRASS);
    assert_true(trn_member_stats(ada->member).rewinds > 0);
    assert_true(trn_member_stats(bob->member).rewinds > 0);
    // Nor does what the owner kept come back with the next edit.
    set(bob, other_spot, TRN_BLOCK_SAND);
    settle(bob);
    (void)await_block(ada, other_spot, TRN_BLOCK_SAND);
    assert_int_equal(block_at(ada, spot), TRN_BLOCK_GRASS);
    assert_int_equal(block_at(bob, spot), TRN_BLOCK_GRASS);
}

static void rows_that_go_back_are_followed(void **state)
{
    (void)state;
    Party ada, bob;
    open_two(&ada, &bob);
    set_and_see(&ada, &bob, TRN_BLOCK_GRASS);
    postgres_sql(&server, "DROP TABLE IF EXISTS kept; CREATE TABLE kept AS TABLE terrane_chunks");
    set_and_see(&ada, &bob, TRN_BLOCK_SAND);
    postgres_sql(&server,
                 "BEGIN; DELETE FROM terrane_chunks; INSERT INTO terrane_chunks TABLE kept;"
                 "DELETE FROM terrane_changes WHERE change > 1;"
                 "UPDATE terrane_regions SET change = 1; COMMIT; DROP TABLE kept");
    expect_all_went_back(&ada, &bob);
    close_two(&ada, &bob);
}

/// What others did in the database before the members found it again: as many changes as were lost,
/// and more, of another chunk.
static const char OTHERS[] =
    "INSERT INTO terrane_changes SELECT region, n, decode('ffffffffffffffffffffffff', 'hex') FROM "
    "terrane_regions, generate_series(2, 9) AS n; UPDATE terrane_regions SET change = 9";

/// @param make,swap  shell: makes a copy of the server's files in `copy`, and puts it in their
/// place
static void go_back(const char *make, const char *swap)
{
    Party ada, bob;
    open_two(&ada, &bob);
    set_and_see(&ada, &bob, TRN_BLOCK_GRASS);
    postgres_expect(&server, make);
    if (!server.is_running) {
        postgres_start(&server);
    }
    postgres_sql(&server, "CREATE TABLE noise AS SELECT repeat('noise', 100) FROM "
                          "generate_series(1, 20000)"); // in the log
    set_and_see(&ada, &bob, TRN_BLOCK_SAND);
    postgres_stop(&server, "immediate");
    postgres_expect(&server, swap);
    server.is_running = true;
    expect_all_went_back(&ada, &bob);
    close_two(&ada, &bob);
    postgres_sql(&server, "DROP TABLE IF EXISTS noise");
}

/// Starts the copy where members cannot see it, lets others work, and puts it in place.
static void run_others(char *line, size_t size, const char *begin)
{
    const int length =
        snprintf(line, size,
                 "rm -rf old && mv db old && mv copy db && chmod 700 db && mkdir -p aside && "
                 "{ [ \"$(id -u)\" != 0 ] || chown nobody aside; } && %s && "
                 "as \"$BIN/psql\" -qAt -h \"$D/aside\" -v ON_ERROR_STOP=1 -c \"%s\" && "
                 "as \"$BIN/pg_ctl\" -s -w -D db -m fast stop && "
                 "as \"$BIN/pg_ctl\" -s -w -t 60 -D db -l log start",
                 begin, OTHERS);
    assert_in_range(length, 1, (int)size - 1);
}

static void a_restored_backup_is_followed(void **state)
{
    (void)state;
    char swap[1500];
    run_others(swap, sizeof swap,
               "as \"$BIN/pg_ctl\" -s -w -t 60 -D db -l log -o \"-k $D/aside\" start");
    go_back("as \"$BIN/pg_basebackup\" -D copy -c fast", swap);
}

/// A failover that loses transactions, since the standby had not got them.
static void a_standby_that_was_behind_is_followed(void **state)
{
    (void)state;
    char swap[1500];
    run_others(swap, sizeof swap,
               "as touch db/standby.signal && "
               "as \"$BIN/pg_ctl\" -s -w -t 60 -D db -l log -o \"-k $D/aside\" start && "
               "as \"$BIN/pg_ctl\" -s -w -D db promote");
    go_back("as \"$BIN/pg_basebackup\" -D copy -c fast", swap);
}

// ---- rights ------------------------------------------------------------------------------------

/// The rights that docs/shared.md and the error name are enough to play.
static void the_least_rights_are_enough(void **state)
{
    (void)state;
    Party ada, bob;
    char url[2 * PLACE_PATH], whole[PLACE_PATH];
    TrnStorage storage;
    TrnStorageProblem problem = {""};
    open_two(&ada, &bob);
    set_and_see(&ada, &bob, TRN_BLOCK_GRASS);
    close_two(&ada, &bob);
    memcpy(whole, server.url, sizeof whole);
    (void)snprintf(url, sizeof url, "postgresql://player@/postgres?host=%s", server.place.folder);
    assert_in_range(strlen(url), 1, sizeof server.url - 1);
    postgres_sql(&server, "CREATE ROLE player LOGIN");
    assert_int_equal(trn_storage_open_any(url, TRN_STORAGE_OPEN, &storage, &problem),
                     TRN_RESULT_IO);
    assert_non_null(strstr(problem.sentence,
                           "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public"));
    postgres_sql(&server,
                 "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO player");
    memcpy(server.url, url, strlen(url) + 1);
    assert_int_equal(party_open(&ada, party_def()), TRN_RESULT_OK);
    assert_int_equal(party_open(&bob, party_def()), TRN_RESULT_OK);
    memcpy(server.url, whole, sizeof whole);
    party_load(&ada, here);
    party_load(&bob, here);
    set_and_see(&ada, &bob, TRN_BLOCK_SAND);
    set(&bob, other_spot, TRN_BLOCK_SAND); // through the queue
    settle(&bob);
    (void)await_block(&ada, other_spot, TRN_BLOCK_SAND);
    close_two(&ada, &bob);
    postgres_sql(&server, "DROP OWNED BY player; DROP ROLE player");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_with_gaps_hide_nothing),
        cmocka_unit_test(lists_stay_short),
        cmocka_unit_test(regions_do_not_wait_for_each_other),
        cmocka_unit_test(rows_that_go_back_are_followed),
        cmocka_unit_test(a_restored_backup_is_followed),
        cmocka_unit_test(a_standby_that_was_behind_is_followed),
        cmocka_unit_test(the_least_rights_are_enough),
    };
    return PARTY_RUN("shared_member_history", tests);
}
