// What operators of a shared world see: its status, the server's remarks, and why no host answers.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include "party.h"

#include <terrane/shared.h>

#include "postgres_link.h"

typedef struct Seen {
    uint32_t count;
    char text[256];
} Seen;

static void note_notice(void *user, const char *sentence)
{
    Seen *seen = user;
    seen->count++;
    (void)snprintf(seen->text, sizeof seen->text, "%s", sentence);
}

/// Opens the world by a URL with more options.
static TrnResult open_with(const char *options, TrnStorageMode mode, TrnStorage *storage,
                           TrnStorageProblem *problem)
{
    char url[2 * PLACE_PATH];
    (void)snprintf(url, sizeof url, "%s%s", server.url, options);
    return trn_storage_open_any(url, mode, storage, problem);
}

// ---- status ------------------------------------------------------------------------------------

static bool note_region(void *user, const TrnSharedRegion *region)
{
    *(TrnSharedRegion *)user = *region;
    return true;
}

static bool note_connection(void *user, const TrnSharedConnection *connection)
{
    Seen *seen = user;
    if (strcmp(connection->name, "game 7") == 0) {
        seen->count += (uint32_t)connection->count;
    }
    return true;
}

/// Also by a user who may only read.
static void status_tells_what_goes_on(void **state)
{
    (void)state;
    Party ada;
    TrnStorage storage;
    TrnStorageProblem problem = {""};
    TrnSharedStatus status;
    TrnSharedRegion region = {.change = 0};
    Seen seen = {0};
    char url[2 * PLACE_PATH];
    assert_int_equal(party_open(&ada, party_def()), TRN_RESULT_OK);
    party_load(&ada, here);
    set(&ada, spot, TRN_BLOCK_SAND);
    settle(&ada);
    postgres_sql(&server, "CREATE ROLE watcher LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public "
                          "TO watcher");
    postgres_sql(&server, "INSERT INTO terrane_edits (region, member, number, bytes) "
                          "SELECT -1, 5, n, 'x' FROM generate_series(1, 3) AS n");
    (void)snprintf(url, sizeof url, "postgresql://watcher@/postgres?host=%s", server.place.folder);
    assert_int_equal(trn_storage_open_any(url, TRN_STORAGE_READ_ONLY, &storage, &problem),
                     TRN_RESULT_OK);
    assert_int_equal(trn_shared_status(&storage, &status), TRN_RESULT_OK);
    assert_int_equal(status.regions, 1);
    assert_int_equal(status.changes, 1);
    assert_int_equal(status.leases, 1);
    assert_int_equal(status.waiting, 3);
    assert_int_equal(status.waiting_bytes, 3);
    assert_true(status.connections > 0 && status.bytes > 0);
    const uint64_t log_bytes = status.log_bytes;
    set(&ada, spot, TRN_BLOCK_STONE);
    settle(&ada);
    assert_int_equal(trn_shared_status(&storage, &status), TRN_RESULT_OK);
    assert_in_range(status.log_bytes, log_bytes + 1, log_bytes + (1u << 20));
    assert_true(log_bytes > 0);
    assert_int_equal(trn_shared_regions(&storage, note_region, &region), TRN_RESULT_OK);
    assert_string_equal(region.owner, "Ada"); // the last: fewest edits wait there
    assert_int_equal(region.change, 2);
    assert_int_equal(region.region.x, 0);
    assert_true(region.lease_seconds > 0 && region.lease_seconds <= 10);
    storage.close(storage.user);
    // The name that the URL gives a program stays.
    assert_int_equal(open_with("&application_name=game%207", TRN_STORAGE_READ_ONLY, &storage, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_shared_connections(&storage, note_connection, &seen), TRN_RESULT_OK);
    assert_int_equal(seen.count, 2); // one writes, one reads
    storage.close(storage.user);
    party_close(&ada);
    postgres_sql(&server, "DROP OWNED BY watcher; DROP ROLE watcher");
    postgres_drop(&server);
}

static void files_have_no_status(void **state)
{
    (void)state;
    TrnStorage storage;
    TrnSharedStatus status;
    Seen seen = {0};
    assert_int_equal(trn_storage_memory(NULL, &storage), TRN_RESULT_OK);
    assert_int_equal(trn_shared_status(&storage, &status), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_storage_postgres_watch_notices(&storage, note_notice, &seen),
                     TRN_RESULT_BAD_ARGUMENT);
    storage.close(storage.user);
}

// ---- remarks -----------------------------------------------------------------------------------

static void remarks_go_to_the_log(void **state)
{
    (void)state;
    TrnStorage storage;
    Seen seen = {0};
    TrnStorageProblem problem = {""};
    const TrnStorageValue value = {"game/note", "1", 1};
    const TrnStorageBatch batch = {.values = &value, .value_count = 1};
    assert_int_equal(open_with("", TRN_STORAGE_EITHER, &storage, &problem), TRN_RESULT_OK);
    postgres_sql(&server, "CREATE FUNCTION remark() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN "
                          "RAISE WARNING ''the backup is old''; RETURN NEW; END'");
    postgres_sql(&server, "CREATE TRIGGER remark BEFORE INSERT ON terrane_values "
                          "FOR EACH ROW EXECUTE FUNCTION remark()");
    assert_int_equal(storage.put(storage.user, &batch), TRN_RESULT_OK); // none listens yet
    assert_int_equal(trn_storage_postgres_watch_notices(&storage, note_notice, &seen),
                     TRN_RESULT_OK);
    assert_int_equal(storage.put(storage.user, &batch), TRN_RESULT_OK);
    assert_int_equal(seen.count, 1);
    assert_string_equal(seen.text, "the backup is old");
    assert_int_equal(trn_storage_postgres_watch_notices(&storage, NULL, NULL), TRN_RESULT_OK);
    assert_int_equal(storage.put(storage.user, &batch), TRN_RESULT_OK);
    assert_int_equal(seen.count, 1);
    storage.close(storage.user);
    postgres_drop(&server);
    postgres_sql(&server, "DROP FUNCTION remark");
}

// ---- hosts -------------------------------------------------------------------------------------

/// A URL of several hosts is refused with what each of them said.
static void each_host_says_why(void **state)
{
    (void)state;
    TrnStorage storage;
    TrnStorageProblem problem = {""};
    assert_int_equal(
        trn_storage_open_any("postgresql://u:secret@/postgres?host=/nowhere/a,/nowhere/b",
                             TRN_STORAGE_OPEN, &storage, &problem),
        TRN_RESULT_IO);
    assert_non_null(strstr(problem.sentence, "/nowhere/a"));
    assert_non_null(strstr(problem.sentence, "/nowhere/b"));
    assert_null(strstr(problem.sentence, "secret"));
    assert_null(strchr(problem.sentence, '\n'));
}

// ---- tables ------------------------------------------------------------------------------------

/// Updates of rows write no index, and their old versions go without a vacuum.
static void updates_are_hot(void **state)
{
    (void)state;
    Party ada;
    assert_int_equal(party_open(&ada, party_def()), TRN_RESULT_OK);
    party_load(&ada, here);
    for (int i = 0; i < 200; i++) {
        set(&ada, (TrnVoxel){spot.x + i % 8, spot.y, spot.z + i / 8 % 8},
            (TrnBlock)(1 + (i + i / 64 * 2) % 5));
        settle(&ada);
    }
    party_close(&ada); // a connection tells what it did when it ends
    pause_ms(200);
    postgres_sql(&server,
                 "SELECT count(*) FROM pg_stat_user_tables WHERE relname IN ('terrane_chunks', "
                 "'terrane_regions', 'terrane_values', 'terrane_leases') AND "
                 "n_tup_upd > 20 AND n_tup_hot_upd < 0.9 * n_tup_upd");
    assert_int_equal(server.place.text[0], '0');
    postgres_sql(&server, "SELECT n_tup_upd > 100 FROM pg_stat_user_tables "
                          "WHERE relname = 'terrane_chunks'");
    assert_int_equal(server.place.text[0], 't');
    postgres_drop(&server);
}

// ---- what a look costs --------------------------------------------------------------------------

/// Not those of all regions, and none of its statements is compiled, which would take seconds.
static void a_look_reads_the_changes_in_view_alone(void **state)
{
    (void)state;
    enum { LOOKS = 20, OTHERS = 2000 };
    Party ada, bob;
    assert_int_equal(party_open(&ada, party_def()), TRN_RESULT_OK);
    party_load(&ada, here);
    postgres_sql(&server,
                 "INSERT INTO terrane_changes (region, change, chunks) "
                 "SELECT 1000000 + n / 250, 1 + n % 250, decode(repeat('00', 1200), 'hex') "
                 "FROM generate_series(0, 1999) AS n");
    postgres_sql(&server, "INSERT INTO terrane_chunks (region, level, x, y, z, revision, bytes) "
                          "SELECT 1000000 + n / 250, 0, n, 0, 0, 1, decode(repeat('00', 1000), "
                          "'hex') FROM generate_series(0, 1999) AS n");
    postgres_sql(&server, "ANALYZE");
    postgres_sql(&server, "SELECT pg_stat_reset()");
    TrnMemberDef def = party_def();
    def.name = "Bob";
    assert_int_equal(party_open(&bob, def), TRN_RESULT_OK);
    party_load(&bob, here);
    for (int i = 0; i < LOOKS; i++) {
        set(&ada, (TrnVoxel){spot.x + i, spot.y, spot.z}, TRN_BLOCK_STONE);
        settle(&ada);
        (void)await_block(&bob, (TrnVoxel){spot.x + i, spot.y, spot.z}, TRN_BLOCK_STONE);
    }
    party_close(&ada);
    party_close(&bob); // a connection tells what it did when it ends
    pause_ms(200);
    postgres_sql(&server, "SELECT idx_tup_read FROM pg_stat_user_indexes "
                          "WHERE indexrelname = 'terrane_changes_pkey'");
    assert_in_range(atoi(server.place.text), LOOKS, LOOKS * OTHERS / 2);
    postgres_drop(&server);

    TrnPgLink link = {.log = NULL};
    const TrnPgStatement setting = {
        "jit", "SELECT (current_setting('jit') = 'off')::int::bigint", 0, 0, {0}};
    int64_t is_off = 0;
    assert_true(trn_pg_connect(&link, server.url));
    assert_int_equal(trn_pg_ask(&link, &setting, NULL, 1, &is_off), 1);
    assert_int_equal(is_off, 1);
    trn_pg_disconnect(&link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_tells_what_goes_on),
        cmocka_unit_test(files_have_no_status),
        cmocka_unit_test(remarks_go_to_the_log),
        cmocka_unit_test(each_host_says_why),
        cmocka_unit_test(updates_are_hot),
        cmocka_unit_test(a_look_reads_the_changes_in_view_alone),
    };
    return PARTY_RUN("shared_operators", tests);
}
