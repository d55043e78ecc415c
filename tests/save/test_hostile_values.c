/// The rows and values of a world that a stranger wrote: each is checked, and none is left out
/// without a word.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "save_world.h"

#include <inttypes.h>

#include "sqlite_link.h"

#define CHUNKS SAVE_WORLD_CHUNKS

static void run_sql(const SaveWorld *world, const char *text)
{
    sqlite3 *db;
    char *problem = NULL;
    assert_int_equal(trn_pages_register(), SQLITE_OK);
    assert_int_equal(sqlite3_open_v2(world->file, &db, SQLITE_OPEN_READWRITE, TRN_PAGES_VFS),
                     SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, &problem) != SQLITE_OK) {
        fail_msg("%s: %s", text, problem);
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

// ---- block ids ---------------------------------------------------------------------------------

/// A world whose ids have gaps up to the highest still takes new blocks, under ids of their own.
static void the_highest_block_id_leaves_ids_for_new_blocks(void **state)
{
    SaveWorld *world = *state;
    run_sql(world, "INSERT INTO world VALUES ('terrane/block/65535', CAST('odd:block' AS BLOB))");
    for (uint32_t version = 1; version < 3; version++) {
        assert_int_equal(save_world_open(world, TRN_STORAGE_OPEN), TRN_RESULT_OK);
        for (uint32_t i = 0; i < CHUNKS; i++) {
            assert_int_equal(save_world_put(world, i, version + 3), TRN_RESULT_OK);
        }
        assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
        trn_save_name_blocks(world->save); // all types of the game, and the next writes them
        assert_int_equal(save_world_put(world, 0, version + 3), TRN_RESULT_OK);
        assert_int_equal(save_world_close(world), TRN_RESULT_OK);
        assert_int_equal(save_world_open(world, TRN_STORAGE_READ_ONLY), TRN_RESULT_OK);
        for (uint32_t i = 0; i < CHUNKS; i++) {
            uint32_t got = 0;
            assert_int_equal(save_world_get(world, i, 7, &got), TRN_RESULT_OK);
            assert_int_equal(got, version + 3);
        }
        assert_int_equal(save_world_close(world), TRN_RESULT_OK);
    }
}

static void ids_that_are_none_or_come_twice_are_refused(void **state)
{
    SaveWorld *world = *state;
    static const char *const names[] = {"'terrane/block/00000'",
                                        "'terrane/block/65536'",
                                        "'terrane/block/99999'",
                                        "'terrane/block/-0001'",
                                        "'terrane/block/'",
                                        "'terrane/block/000001'",
                                        "'terrane/block/00001'||char(0)||'x'"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "INSERT INTO world VALUES (%s, CAST('odd:block' AS BLOB))", names[i]);
        run_sql(world, text);
        assert_int_equal(save_world_open(world, TRN_STORAGE_OPEN), TRN_RESULT_CORRUPT);
        (void)snprintf(text, sizeof text, "DELETE FROM world WHERE name = %s", names[i]);
        run_sql(world, text);
    }
    // Air's id is fixed.
    run_sql(world, "INSERT INTO world VALUES ('terrane/block/00998', CAST('terrane:air' AS BLOB))");
    assert_int_equal(save_world_open(world, TRN_STORAGE_OPEN), TRN_RESULT_CORRUPT);
    run_sql(world, "DELETE FROM world WHERE name = 'terrane/block/00998'");
    // Two ids of one block.
    run_sql(world, "INSERT INTO world SELECT 'terrane/block/00999', value FROM world WHERE name = "
                   "'terrane/block/00001'");
    assert_int_equal(save_world_open(world, TRN_STORAGE_OPEN), TRN_RESULT_CORRUPT);
}

// ---- revisions ---------------------------------------------------------------------------------

typedef struct Listed {
    uint64_t rows, empty;
} Listed;

static bool list_row(void *user, const TrnStorageRow *row)
{
    Listed *listed = user;
    listed->rows++;
    listed->empty += row->size == 0;
    assert_non_null(row->bytes);
    return true;
}

static Listed list_all(SaveWorld *world)
{
    TrnStorage storage;
    Listed listed = {0};
    const TrnStorageRange all = {.box = trn_box_everything()};
    assert_int_equal(
        trn_storage_sqlite(world->file, TRN_STORAGE_READ_ONLY, &storage, &world->problem),
        TRN_RESULT_OK);
    assert_int_equal(storage.list(storage.user, &all, list_row, &listed), TRN_RESULT_OK);
    storage.close(storage.user);
    return listed;
}

static void a_revision_that_no_world_reaches_is_refused(void **state)
{
    SaveWorld *world = *state;
    static const char *const revisions[] = {"feffffffffffff7f", "ffffffffffffffff",
                                            "0000000000000040"};
    for (size_t i = 0; i < sizeof revisions / sizeof *revisions; i++) {
        char text[128];
        (void)snprintf(text, sizeof text,
                       "UPDATE world SET value = x'%s' WHERE name = 'terrane/revision'",
                       revisions[i]);
        run_sql(world, text);
        assert_int_equal(save_world_open(world, TRN_STORAGE_OPEN), TRN_RESULT_CORRUPT);
        assert_non_null(strstr(world->problem.sentence, "'terrane repair' copies its chunks"));
    }
}

/// Without its format a world would pass for a new one: with other ids, from the first revision.
static void a_world_without_a_format_is_refused(void **state)
{
    SaveWorld *world = *state;
    run_sql(world, "DELETE FROM world WHERE name = 'terrane/format'");
    assert_int_equal(save_world_open(world, TRN_STORAGE_OPEN), TRN_RESULT_CORRUPT);
    assert_non_null(strstr(world->problem.sentence, "its format, its revision or its blocks"));
    run_sql(world, "DELETE FROM world WHERE name = 'terrane/revision'");
    assert_int_equal(save_world_open(world, TRN_STORAGE_OPEN), TRN_RESULT_CORRUPT);
}

/// The last revisions before those that are refused: what is acknowledged is read again.
static void a_world_saves_until_its_last_revision(void **state)
{
    SaveWorld *world = *state;
    run_sql(world, "UPDATE world SET value = x'feffffffffffff3f' WHERE name = 'terrane/revision'");
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t version = 9;
        assert_int_equal(save_world_open(world, TRN_STORAGE_OPEN), TRN_RESULT_OK);
        assert_int_equal(save_world_get(world, 1, 3, &version), TRN_RESULT_OK);
        assert_int_equal(version, i > 0);
        assert_int_equal(save_world_put(world, 1, i + 1), TRN_RESULT_OK);
        assert_int_equal(trn_save_flush(world->save), i ? TRN_RESULT_FULL : TRN_RESULT_OK);
        (void)save_world_close(world);
    }
}

static uint64_t count_strays(SaveWorld *world)
{
    TrnStorage storage;
    uint64_t strays = 0;
    assert_int_equal(
        trn_storage_sqlite(world->file, TRN_STORAGE_READ_ONLY, &storage, &world->problem),
        TRN_RESULT_OK);
    assert_int_equal(trn_storage_sqlite_count_strays(&storage, &strays), TRN_RESULT_OK);
    storage.close(storage.user);
    return strays;
}

static void rows_of_any_revision_are_listed(void **state)
{
    SaveWorld *world = *state;
    assert_int_equal(count_strays(world), 0);
    run_sql(world, "UPDATE chunks SET revision = -9223372036854775808 WHERE x = -3");
    run_sql(world, "UPDATE chunks SET revision = 0 WHERE x = -2");
    run_sql(world, "UPDATE chunks SET revision = 9223372036854775807 WHERE x = -1");
    assert_int_equal(list_all(world).rows, CHUNKS);
    assert_int_equal(count_strays(world), 2);
}

static void rows_that_no_call_finds_are_counted(void **state)
{
    SaveWorld *world = *state;
    run_sql(world, "UPDATE chunks SET x = 4294967296 WHERE x = 0");
    run_sql(world, "UPDATE chunks SET level = 'a' WHERE x = -1");
    run_sql(world, "UPDATE chunks SET level = 13 WHERE x = -2");
    assert_int_equal(list_all(world).rows, CHUNKS - 3);
    assert_int_equal(count_strays(world), 3);
}

static void an_empty_row_is_damaged_and_not_absent(void **state)
{
    SaveWorld *world = *state;
    run_sql(world, "UPDATE chunks SET row = x''");
    const Listed listed = list_all(world);
    assert_int_equal(listed.rows, CHUNKS);
    assert_int_equal(listed.empty, CHUNKS);
    world->def.damaged = TRN_SAVE_REFUSE_DAMAGED;
    assert_int_equal(save_world_open(world, TRN_STORAGE_OPEN), TRN_RESULT_OK);
    uint32_t version;
    assert_int_equal(save_world_get(world, 0, 1, &version), TRN_RESULT_CORRUPT);
    (void)save_world_close(world);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, save_world_setup, save_world_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(the_highest_block_id_leaves_ids_for_new_blocks),
                                       TEST(ids_that_are_none_or_come_twice_are_refused),
                                       TEST(a_revision_that_no_world_reaches_is_refused),
                                       TEST(a_world_without_a_format_is_refused),
                                       TEST(a_world_saves_until_its_last_revision),
                                       TEST(rows_of_any_revision_are_listed),
                                       TEST(rows_that_no_call_finds_are_counted),
                                       TEST(an_empty_row_is_damaged_and_not_absent)};
    return cmocka_run_group_tests_name("save_hostile_values", tests, NULL, NULL);
}
