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

static void open_both(Party *ada, Party *bob)
{
    servers_drop();
    TrnMemberDef def = party_def();
    def.lease_seconds = 3;
    assert_int_equal(party_open(ada, def), TRN_RESULT_OK);
    def.name = "Bob";
    assert_int_equal(party_open(bob, def), TRN_RESULT_OK);
    for (uint32_t i = 0; i < SERVERS; i++) {
        party_load(ada, chunk_on(i));
        party_load(bob, chunk_on(i));
    }
}

static void members_edit_on_all_servers(void **state)
{
    Party ada, bob;
    (void)state;
    open_both(&ada, &bob);
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
    party_close(&ada);
    party_close(&bob);
}

/// Edits of a server that is gone wait and say so; those of others go on.
static void others_go_on_while_a_server_is_gone(void **state)
{
    (void)state;
    for (uint32_t gone = 0; gone < SERVERS; gone++) { // the first one too
        Party ada, bob;
        open_both(&ada, &bob);
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
        party_close(&ada);
        party_close(&bob);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(members_edit_on_all_servers),
                                       cmocka_unit_test(others_go_on_while_a_server_is_gone)};
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
