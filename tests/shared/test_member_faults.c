/// Members of a shared world when servers, connections and processes end or stop at any time:
/// nothing acknowledged is lost, and no region has two histories. Without a server, or without
/// libpq, the test is skipped. With TERRANE_TEST_FULL it kills 200 processes.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "party.h"

#include <signal.h>

/// Opens a new world in two programs, which both load the chunk `here`.
static void open_new_world(Party *ada, Party *bob)
{
    postgres_drop(&server);
    assert_int_equal(party_open(ada, party_def()), TRN_RESULT_OK);
    assert_int_equal(party_open(bob, party_def()), TRN_RESULT_OK);
    party_load(ada, here);
    party_load(bob, here);
}

/// Bytes that are no edit, or one of another region, are refused, and what stands behind them is
/// made.
static void what_is_no_edit_is_refused(void **state)
{
    (void)state;
    Party ada, bob;
    open_new_world(&ada, &bob);
    set(&ada, spot, TRN_BLOCK_GRASS);
    settle(&ada);
    postgres_sql(&server,
                 "INSERT INTO terrane_edits (region, member, number, bytes) SELECT region, 1, n, "
                 "decode(substr('"
                 "0101000d74657272616e653a73746f6e6501000000000000000000000000000000010000000000000"
                 "0ffff00', 1, "
                 "2 * n), 'hex') FROM terrane_leases, generate_series(0, 43) AS n");
    postgres_sql(&server, // whole, but of a chunk 2,097,152 chunks away
                 "INSERT INTO terrane_edits (region, member, number, bytes) SELECT region, 1, 44, "
                 "decode('0101000d74657272616e653a73746f6e65010000000000200000000000000000000100000"
                 "00000ff7f0000', 'hex') FROM terrane_leases");
    set(&bob, other_spot, TRN_BLOCK_SAND);
    settle(&bob);
    (void)await_block(&ada, other_spot, TRN_BLOCK_SAND);
    postgres_sql(&server, "SELECT count(*) FROM terrane_edits WHERE member = 1 AND change = -1");
    assert_string_equal(server.place.text, "45\n");
    // A block that the owner does not know: the edit is taken back here.
    TrnBlock strange;
    assert_int_equal(trn_block_types_add_unknown(bob.types, "b:strange", &strange), TRN_RESULT_OK);
    set(&bob, spot, strange);
    assert_int_equal(trn_member_update(bob.member), TRN_RESULT_OK);
    (void)await_block(&bob, spot, TRN_BLOCK_GRASS);
    assert_int_equal(trn_member_stats(bob.member).refused, 1);
    // Nor can an owner edit a chunk with such a block, and it takes its own edit back.
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnCoord above = {here.x, here.y + 1, here.z};
    const TrnVoxel high = {spot.x, spot.y + TRN_CHUNK_EDGE, spot.z};
    assert_int_equal(trn_store_insert_uniform(ada.store, above, TRN_BLOCK_AIR, NULL),
                     TRN_RESULT_OK);
    postgres_sql(&server, "UPDATE terrane_leases SET term = term + 1, expires = to_timestamp(0)");
    blocks[7] = strange;
    TrnSaveDef def = trn_save_def();
    TrnSave *save;
    def.types = bob.types;
    assert_int_equal(trn_storage_open_any(server.url, TRN_STORAGE_OPEN, &def.storage, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_save_create(&def, &save, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_save_put(save, above, 0, blocks, false), TRN_RESULT_OK);
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
    set(&ada, high, TRN_BLOCK_SAND);
    settle(&ada);
    assert_int_equal(trn_member_stats(ada.member).refused, 1);
    party_close(&ada);
    party_close(&bob);
}

/// Queues an edit of another client: it sets all voxels of a chunk to stone, `chunks` times.
/// @param coord  SQL: the three coordinates of chunk i
static void queue_edit(int number, int chunks, const char *coord)
{
    char sql[960];
    (void)snprintf(sql, sizeof sql,
                   "INSERT INTO terrane_edits (region, member, number, bytes) SELECT region, 1, "
                   "%d, decode('0101000d74657272616e653a73746f6e65', 'hex') || le(%d) || "
                   "(SELECT string_agg(%s || le(1) || decode('0000ff7f0000', 'hex'), ''::bytea) "
                   "FROM generate_series(1, %d) AS i) FROM terrane_leases",
                   number, chunks, coord, chunks);
    postgres_sql(&server, sql);
}

/// An edit may name a chunk as often as it likes, within limits; those beyond are refused, and what
/// stands behind them is made.
static void edits_that_are_large_for_nothing_end_soon(void **state)
{
    (void)state;
    Party ada, bob;
    open_new_world(&ada, &bob);
    set(&ada, spot, TRN_BLOCK_GRASS);
    settle(&ada);
    postgres_sql(&server, "CREATE FUNCTION le(n int) RETURNS bytea LANGUAGE sql AS 'SELECT "
                          "substr(b, 4, 1) || substr(b, 3, 1) || substr(b, 2, 1) || "
                          "substr(b, 1, 1) FROM (SELECT int4send(n) AS b) AS k'");
    queue_edit(1, 45000, "le(0) || le(0) || le(0)");
    queue_edit(2, 70000, "le(0) || le(0) || le(0)"); // more voxels than an edit may set
    // Chunks 2^25 apart are of regions with one number.
    queue_edit(3, 6000,
               "le(i % 64 * 33554432) || le(i / 64 % 64 * 33554432) || le(i / 4096 * 33554432)");
    postgres_sql(&server,
                 "INSERT INTO terrane_edits (region, member, number, bytes) SELECT region, 1, 4, "
                 "decode(repeat('00', 70000000), 'hex') FROM terrane_leases");
    set(&bob, other_spot, TRN_BLOCK_SAND);
    settle(&bob);
    (void)await_block(&ada, other_spot, TRN_BLOCK_SAND);
    postgres_sql(&server, "SELECT string_agg(number || ':' || sign(change), ' ' ORDER BY number) "
                          "FROM terrane_edits WHERE member = 1");
    assert_string_equal(server.place.text, "1:1 2:-1 3:-1 4:-1\n");
    postgres_sql(&server, "DROP FUNCTION le");
    party_close(&ada);
    party_close(&bob);
}

/// Servers restart, and connections are cut in the middle of transactions.
static void nothing_is_lost_when_connections_end(void **state)
{
    (void)state;
    Party ada, bob;
    open_new_world(&ada, &bob);
    for (int64_t i = 0; i < 30; i++) {
        set(&ada, (TrnVoxel){32 + i, 1, 32}, TRN_BLOCK_GRASS);
        set(&bob, (TrnVoxel){32 + i, 1, 33}, TRN_BLOCK_SAND);
        assert_int_equal(trn_member_update(ada.member), TRN_RESULT_OK);
        assert_int_equal(trn_member_update(bob.member), TRN_RESULT_OK);
        if (i % 10 == 4) {
            postgres_sql(&server, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                                  "WHERE application_name = 'terrane'");
        } else if (i == 19) {
            postgres_stop(&server, "immediate");
            pause_ms(20);
            postgres_start(&server);
        }
    }
    settle(&ada);
    settle(&bob);
    for (int64_t i = 0; i < 30; i++) {
        (void)await_block(&ada, (TrnVoxel){32 + i, 1, 33}, TRN_BLOCK_SAND);
        (void)await_block(&bob, (TrnVoxel){32 + i, 1, 32}, TRN_BLOCK_GRASS);
    }
    party_close(&ada);
    party_close(&bob);
}

/// A region is taken by force: its owner hands its edits to the new one.
static void an_owner_by_force_is_obeyed(void **state)
{
    (void)state;
    Party ada, bob;
    TrnMemberDef def = party_def();
    def.lease_seconds = 0.4;
    def.poll_seconds = 0.05;
    postgres_drop(&server);
    assert_int_equal(party_open(&ada, def), TRN_RESULT_OK);
    party_load(&ada, here);
    set(&ada, spot, TRN_BLOCK_GRASS);
    settle(&ada);
    assert_int_equal(trn_member_stats(ada.member).owned, 1);
    postgres_sql(&server, "UPDATE terrane_leases SET term = term + 1, owner = 'force', "
                          "expires = clock_timestamp() + interval '200 ms'");
    set(&ada, other_spot, TRN_BLOCK_SAND);
    assert_int_equal(party_open(&bob, def), TRN_RESULT_OK);
    party_load(&bob, here);
    settle(&ada); // once that lease has expired, the region is taken again
    (void)await_block(&bob, other_spot, TRN_BLOCK_SAND);
    party_close(&ada);
    party_close(&bob);
}

#define CHILD_BAD 8

/// What a child does: sets voxel after voxel of a line, and writes the number of each that is
/// acknowledged to its standard output.
static void child_run(int64_t line, int64_t first)
{
    Party party;
    TrnMemberDef def = party_def();
    def.lease_seconds = 0.1;
    def.poll_seconds = 0.02;
    if (party_open(&party, def) != TRN_RESULT_OK) {
        _exit(CHILD_BAD);
    }
    party_load(&party, here);
    for (int64_t i = first; i < TRN_CHUNK_ROWS; i++) {
        set(&party, (TrnVoxel){32 + i % 32, line, 32 + i / 32}, TRN_BLOCK_GRASS);
        if (trn_member_settle(party.member, SETTLE_SECONDS) != TRN_RESULT_OK ||
            write(STDOUT_FILENO, &i, sizeof i) != (ssize_t)sizeof i) {
            _exit(CHILD_BAD);
        }
    }
    _exit(0);
}

typedef struct Child {
    pid_t process;
    int acknowledged;
    int64_t line, last; ///< that it has acknowledged; -1: none
} Child;

static void child_start(Child *child)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    child->process = fork();
    assert_true(child->process >= 0);
    if (child->process == 0) { // another program: this one has threads, which a fork loses
        char line[24], first[24];
        (void)snprintf(line, sizeof line, "%d", (int)child->line);
        (void)snprintf(first, sizeof first, "%d", (int)child->last + 1);
        (void)close(ends[0]);
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)close(ends[1]);
        (void)execl("/proc/self/exe", "child", server.url, line, first, (char *)NULL);
        _exit(CHILD_BAD);
    }
    (void)close(ends[1]);
    child->acknowledged = ends[0];
}

/// Kills a child and notes what it has acknowledged.
static void child_kill(Child *child)
{
    int status;
    int64_t number;
    assert_int_equal(kill(child->process, SIGKILL), 0);
    assert_int_equal(waitpid(child->process, &status, 0), child->process);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    while (read(child->acknowledged, &number, sizeof number) == (ssize_t)sizeof number) {
        assert_int_equal(number, child->last + 1);
        child->last = number;
    }
    (void)close(child->acknowledged);
}

static void await_acknowledged(const Child *child)
{
    int64_t number;
    assert_int_equal(read(child->acknowledged, &number, sizeof number), (ssize_t)sizeof number);
    assert_int_equal(number, child->last + 1);
}

/// Two processes dig in one region and are killed in turn, whoever owns it.
static void killed_processes_lose_nothing_acknowledged(void **state)
{
    (void)state;
    const int kills = getenv("TERRANE_TEST_FULL") ? 200 : 20;
    Child children[2] = {{.line = 1, .last = -1}, {.line = 2, .last = -1}};
    Party party;
    postgres_drop(&server);
    assert_int_equal(party_open(&party, party_def()), TRN_RESULT_OK); // makes the tables
    child_start(&children[0]);
    child_start(&children[1]);
    for (int i = 0; i < kills; i++) {
        Child *child = &children[i % 2];
        await_acknowledged(child);
        child->last++;
        pause_ms((i * 7) % 23);
        child_kill(child);
        child_start(child);
    }
    child_kill(&children[0]);
    child_kill(&children[1]);
    party_load(&party, here);
    for (int k = 0; k < 2; k++) {
        assert_true(children[k].last >= kills / 2 - 1);
        for (int64_t i = 0; i <= children[k].last; i++) {
            const TrnVoxel voxel = {32 + i % 32, children[k].line, 32 + i / 32};
            assert_int_equal(block_at(&party, voxel), TRN_BLOCK_GRASS);
        }
    }
    print_message("%d kills, %d edits acknowledged\n", kills,
                  (int)(children[0].last + children[1].last + 2));
    party_close(&party);
}

/// An owner that was stopped for longer than its lease writes nothing old over what others did.
static void a_stopped_owner_goes_on_as_a_guest(void **state)
{
    (void)state;
    Child child = {.line = 1, .last = -1};
    Party party;
    TrnMemberDef def = party_def();
    def.lease_seconds = 0.5;
    def.poll_seconds = 0.05;
    postgres_drop(&server);
    assert_int_equal(party_open(&party, def), TRN_RESULT_OK);
    child_start(&child);
    await_acknowledged(&child);
    child.last++;
    assert_int_equal(kill(child.process, SIGSTOP), 0);
    party_load(&party, here);
    const TrnVoxel dug = {32, 1, 32}; // what the child has set first
    (void)await_block(&party, dug, TRN_BLOCK_GRASS);
    set(&party, dug, TRN_BLOCK_SAND);
    settle(&party); // the lease of 0.1 s has expired
    assert_int_equal(trn_member_stats(party.member).owned, 1);
    assert_int_equal(kill(child.process, SIGCONT), 0);
    await_acknowledged(&child);
    child.last++;
    await_acknowledged(&child);
    child.last++;
    child_kill(&child);
    settle(&party);
    (void)await_block(&party, (TrnVoxel){32 + child.last, 1, 32}, TRN_BLOCK_GRASS);
    assert_int_equal(block_at(&party, dug), TRN_BLOCK_SAND);
    party_close(&party);
}

/// Owners drop answers after a minute. A member that was cut off for longer takes its edit back.
static void an_edit_whose_answer_is_gone_is_taken_back(void **state)
{
    (void)state;
    Party ada, bob;
    open_new_world(&ada, &bob);
    set(&ada, spot, TRN_BLOCK_GRASS);
    settle(&ada);
    (void)await_block(&bob, spot, TRN_BLOCK_GRASS);
    postgres_sql(&server, "UPDATE terrane_leases SET term = term + 1, token = 1, ms = 600000, "
                          "expires = clock_timestamp() + interval '10 minutes'"); // none makes it
    set(&bob, spot, TRN_BLOCK_SAND);
    assert_int_equal(trn_member_update(bob.member), TRN_RESULT_OK);
    do {
        postgres_sql(&server, "DELETE FROM terrane_edits RETURNING 1");
    } while (server.place.text[0] != '1');
    (void)await_block(&bob, spot, TRN_BLOCK_GRASS);
    assert_int_equal(trn_member_stats(bob.member).refused, 1);
    assert_int_equal(trn_member_stats(bob.member).waiting, 0);
    party_close(&bob);
    party_close(&ada);
}

/// Of two regions that are lost at once, the one that can be taken again is edited.
static void a_lost_region_holds_up_no_other(void **state)
{
    (void)state;
    Party ada, bob;
    const TrnCoord there = {here.x + TRN_REGION_CHUNKS, here.y, here.z};
    const TrnVoxel far_spot = {spot.x + (int64_t)TRN_REGION_CHUNKS * TRN_CHUNK_EDGE, spot.y,
                               spot.z};
    open_new_world(&ada, &bob);
    party_load(&ada, there);
    set(&ada, spot, TRN_BLOCK_GRASS);
    set(&ada, far_spot, TRN_BLOCK_GRASS);
    settle(&ada);
    assert_int_equal(trn_member_stats(ada.member).owned, 2);
    postgres_sql(&server, "UPDATE terrane_leases SET term = term + 1, token = 1, ms = 600000, "
                          "expires = clock_timestamp() + CASE WHEN region = (SELECT min(region) "
                          "FROM terrane_leases) THEN '0' ELSE '10 minutes' END::interval");
    set(&ada, spot, TRN_BLOCK_SAND);
    set(&ada, far_spot, TRN_BLOCK_SAND);
    assert_int_equal(trn_member_update(ada.member), TRN_RESULT_OK);
    (void)await_block(&bob, spot, TRN_BLOCK_SAND);
    assert_int_equal(trn_member_stats(ada.member).owned, 1);
    party_close(&bob);
    party_close(&ada);
}

int main(int count, char **arguments)
{
    if (count == 4) {
        (void)snprintf(server.url, sizeof server.url, "%s", arguments[1]);
        child_run(atoi(arguments[2]), atoi(arguments[3]));
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_no_edit_is_refused),
                                       cmocka_unit_test(edits_that_are_large_for_nothing_end_soon),
                                       cmocka_unit_test(nothing_is_lost_when_connections_end),
                                       cmocka_unit_test(an_owner_by_force_is_obeyed),
                                       cmocka_unit_test(an_edit_whose_answer_is_gone_is_taken_back),
                                       cmocka_unit_test(a_lost_region_holds_up_no_other),
                                       cmocka_unit_test(killed_processes_lose_nothing_acknowledged),
                                       cmocka_unit_test(a_stopped_owner_goes_on_as_a_guest)};
    return PARTY_RUN("shared_member_faults", tests);
}
