// What operators of a shared world see: its status, the server's remarks, and why no host answers.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include "party.h"

#include <terrane/shared.h>

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
    assert_int_equal(trn_shared_regions(&storage, note_region, &region), TRN_RESULT_OK);
    assert_string_equal(region.owner, "Ada"); // the last: fewest edits wait there
    assert_int_equal(region.change, 1);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_tells_what_goes_on), cmocka_unit_test(files_have_no_status),
        cmocka_unit_test(remarks_go_to_the_log),     cmocka_unit_test(each_host_says_why),
        cmocka_unit_test(updates_are_hot),
    };
    return PARTY_RUN("shared_operators", tests);
}
