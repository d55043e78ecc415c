/// Members of a world on three PostgreSQL servers. Without a server, the test is skipped.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "party.h"
#include "servers_place.h"

#include "region.h"
#include "servers.h"

#define GONE_SECONDS 60.0

/// A chunk of a region of each server, along x.
static TrnCoord chunk_on(uint32_t server_number)
{
    TrnStorageKey key = {{0, 0, 0}, 0};
    while (trn_servers_hash(trn_storage_region(&key), SERVERS) != server_number) {
        key.coord.x += TRN_REGION_CHUNKS;
    }
    return key.coord;
}

/// A voxel of it.
static TrnVoxel voxel_on(uint32_t server_number, int32_t y)
{
    const TrnCoord chunk = chunk_on(server_number);
    return (TrnVoxel){chunk.x * TRN_CHUNK_EDGE + 3, y, 5};
}

/// Opens the world for some members, who load a chunk on each server.
static void open_parties(Party *parties, int count)
{
    static const char *const names[] = {"Ada", "Bob", "Cy", "Dee"};
    servers_drop();
    for (int i = 0; i < count; i++) {
        TrnMemberDef def = party_def();
        def.lease_seconds = 3;
        def.name = names[i];
        assert_int_equal(party_open(&parties[i], def), TRN_RESULT_OK);
        for (uint32_t k = 0; k < SERVERS; k++) {
            party_load(&parties[i], chunk_on(k));
        }
    }
}

static void members_edit_on_all_servers(void **state)
{
    Party parties[2];
    (void)state;
    open_parties(parties, 2);
    const Party ada = parties[0], bob = parties[1];
    for (uint32_t i = 0; i < SERVERS; i++) { // who is the owner, and who is not
        set(&ada, voxel_on(i, 1), TRN_BLOCK_STONE);
        assert_int_equal(trn_member_settle(ada.member, SETTLE_SECONDS), TRN_RESULT_OK);
        set(&bob, voxel_on(i, 2), TRN_BLOCK_DIRT);
        assert_int_equal(trn_member_settle(bob.member, SETTLE_SECONDS), TRN_RESULT_OK);
        (void)await_block(&bob, voxel_on(i, 1), TRN_BLOCK_STONE);
        (void)await_block(&ada, voxel_on(i, 2), TRN_BLOCK_DIRT);
        postgres_sql(&servers[i], "SELECT count(*) FROM terrane_chunks");
        assert_string_equal(servers[i].place.text, "1\n");
    }
    const TrnMemberStats stats = trn_member_stats(ada.member);
    assert_int_equal(stats.owned, SERVERS);
    assert_int_equal(stats.executed, 2 * SERVERS);
    const double place[3] = {(double)voxel_on(2, 0).x, 2, 5};
    TrnMemberPlayer players[2];
    trn_member_set_place(ada.member, place, 0, 0);
    while (!trn_member_others(bob.member, players, 2)) {
        pause_ms(10);
    }
    assert_string_equal(players[0].name, "Ada");
    party_close(&parties[0]);
    party_close(&parties[1]);
}

/// Edits of a server that is gone wait and say so; those of others go on.
static void others_go_on_while_a_server_is_gone(void **state)
{
    (void)state;
    for (uint32_t gone = 0; gone < SERVERS; gone++) { // the first one too
        Party parties[2];
        open_parties(parties, 2);
        const Party ada = parties[0], bob = parties[1];
        for (uint32_t i = 0; i < SERVERS; i++) {
            set(&ada, voxel_on(i, 1), TRN_BLOCK_STONE);
            (void)trn_member_update(ada.member);
        }
        assert_int_equal(trn_member_settle(ada.member, SETTLE_SECONDS), TRN_RESULT_OK);
        postgres_stop(&servers[gone], "immediate");
        set(&ada, voxel_on(gone, 2), TRN_BLOCK_STONE);
        assert_int_equal(trn_member_settle(ada.member, 0.5), TRN_RESULT_BUSY);
        for (uint32_t i = 0; i < SERVERS; i++) {
            if (i != gone) {
                set(&ada, voxel_on(i, 2), TRN_BLOCK_STONE);
                (void)trn_member_update(ada.member);
                const double waited_ms = await_block(&bob, voxel_on(i, 2), TRN_BLOCK_STONE);
                assert_true(waited_ms < 5000);
            }
        }
        char name[16];
        (void)snprintf(name, sizeof name, "server %u", gone + 1);
        TrnMemberStats stats;
        const double start = now_ms();
        do { // the leases of the others are renewed meanwhile
            (void)trn_member_update(ada.member);
            stats = trn_member_stats(ada.member);
            assert_true(now_ms() - start < GONE_SECONDS * 1e3);
        } while (!strstr(stats.problem, name) || stats.waiting != 1 || now_ms() - start < 4000);
        assert_int_equal(stats.owned, SERVERS);
        postgres_start(&servers[gone]);
        assert_int_equal(trn_member_settle(ada.member, GONE_SECONDS), TRN_RESULT_OK);
        (void)await_block(&bob, voxel_on(gone, 2), TRN_BLOCK_STONE);
        party_close(&parties[0]);
        party_close(&parties[1]);
    }
}

enum { PARTIES = 4, ROUNDS = 12 };

static TrnVoxel voxel_of(uint32_t server_number, int round, int who)
{
    TrnVoxel voxel = voxel_on(server_number, who);
    voxel.z += round;
    return voxel;
}

/// Gives a server a standby that acknowledges all that it does.
static void start_standby(PostgresPlace *of)
{
    postgres_expect(
        of, "mkdir s; chown --reference=db s; as \"$BIN/pg_basebackup\" -D standby -R -c fast && "
            "printf \"unix_socket_directories = '$D/s'\\n\" >>standby/postgresql.conf && "
            "as \"$BIN/pg_ctl\" -s -w -t 60 -D standby -l standby_log start");
    postgres_sql(of, "ALTER SYSTEM SET synchronous_standby_names = '*'");
    postgres_sql(of, "SELECT pg_reload_conf()");
    do {
        postgres_sql(of, "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'");
    } while (of->place.text[0] != '1');
}

/// One of three servers is killed for good while four members edit, and its standby promoted.
static void a_promoted_standby_has_all_that_was_acknowledged(void **state)
{
    (void)state;
    enum { killed = 1 };
    PostgresPlace *of = &servers[killed];
    Party parties[PARTIES];
    ServersUrl url;
    const char *const before = party_url;
    (void)snprintf(url.text, sizeof url.text, "%s %s,%s/s&target_session_attrs=read-write %s",
                   servers[0].url, of->url, of->place.folder, servers[2].url);
    party_url = url.text;
    start_standby(of);
    open_parties(parties, PARTIES);
    uint64_t acknowledged = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < PARTIES * SERVERS; i++) {
            set(&parties[i % PARTIES], voxel_of((uint32_t)i / PARTIES, round, i % PARTIES),
                TRN_BLOCK_STONE);
            (void)trn_member_update(parties[i % PARTIES].member);
        }
        pause_ms(20);
        if (round == ROUNDS / 3) {
            acknowledged = trn_member_stats(parties[1].member).acknowledged;
            postgres_stop(of, "immediate");
        } else if (round == ROUNDS * 2 / 3) {
            postgres_expect(of, "as \"$BIN/pg_ctl\" -s -w -D standby promote");
        }
    }
    for (int i = 0; i < PARTIES; i++) {
        assert_int_equal(trn_member_settle(parties[i].member, GONE_SECONDS), TRN_RESULT_OK);
        const TrnMemberStats stats = trn_member_stats(parties[i].member);
        assert_int_equal(stats.refused, 0);
        assert_int_equal(stats.waiting, 0);
    }
    assert_true(trn_member_stats(parties[1].member).acknowledged > acknowledged);
    for (int i = 0; i < PARTIES * PARTIES * SERVERS * ROUNDS; i++) {
        const int round = i / (PARTIES * PARTIES * SERVERS);
        (void)await_block(
            &parties[i % PARTIES],
            voxel_of((uint32_t)i / (PARTIES * PARTIES) % SERVERS, round, i / PARTIES % PARTIES),
            TRN_BLOCK_STONE);
    }
    for (int i = 0; i < PARTIES; i++) {
        party_close(&parties[i]);
    }
    party_url = before;
    postgres_expect(of, "as \"$BIN/pg_ctl\" -s -w -D standby -m immediate stop");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_edit_on_all_servers),
        cmocka_unit_test(others_go_on_while_a_server_is_gone),
        cmocka_unit_test(
            a_promoted_standby_has_all_that_was_acknowledged)}; // the last: it ends one
    int failures = 0;
    if (servers_begin()) {
        static ServersUrl url;
        url = servers_url("012");
        party_url = url.text;
        failures = cmocka_run_group_tests_name("shared_server_members", tests, NULL, NULL);
    }
    servers_end();
    return failures;
}
