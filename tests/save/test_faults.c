/// Every call of the file system and every allocation of SQLite fails once while a world is made,
/// written and read: each function says so, nothing that was acknowledged is lost, and a chunk that
/// cannot be read is never taken for one that was never saved.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "save_world.h"

#include <terrane/repair.h>

#include "faulty_files.h"
#include "sqlite_link.h"

#define CHUNKS 3
#define ABSENT UINT32_MAX

/// A world, and what is known to be in its file.
typedef struct FaultTest {
    SaveWorld world;
    uint32_t acknowledged[CHUNKS]; ///< version that a flush has acknowledged; ABSENT: none
} FaultTest;

static int begin(void **state)
{
    FaultTest *test = calloc(1, sizeof *test);
    faults_set(FAULT_NONE, 0);
    save_world_create(&test->world);
    test->world.def.has_thread = false;
    *state = test;
    return 0;
}

static int end(void **state)
{
    FaultTest *test = *state;
    faults_set(FAULT_NONE, 0);
    save_world_destroy(&test->world);
    free(test);
    return 0;
}

static void remove_file(const SaveWorld *world)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char path[128];
        (void)snprintf(path, sizeof path, "%s%s", world->file, suffixes[i]);
        (void)remove(path);
    }
}

/// Every failure has come with a sentence.
static void expect_sentences(SaveWorld *world)
{
    TrnSaveEvent event;
    while (trn_save_next_event(world->save, &event)) {
        assert_true(strlen(event.sentence) > 10);
    }
}

/// Saves a version of all chunks, and notes it if a flush acknowledges it.
static void save_version(FaultTest *test, uint32_t version)
{
    bool is_queued = true;
    for (uint32_t i = 0; i < CHUNKS; i++) {
        is_queued = save_world_put(&test->world, i, version) == TRN_RESULT_OK && is_queued;
    }
    if (trn_save_flush(test->world.save) == TRN_RESULT_OK && is_queued) {
        for (uint32_t i = 0; i < CHUNKS; i++) {
            test->acknowledged[i] = version;
        }
    }
}

/// Loads all chunks: whatever fails, no other version than the last that was queued comes back, and
/// none is said to be absent.
static void load_version(FaultTest *test, uint32_t version)
{
    for (uint32_t i = 0; i < CHUNKS; i++) {
        uint32_t got = version;
        const TrnResult result = save_world_get(&test->world, i, version + 1, &got);
        assert_int_not_equal(result, TRN_RESULT_NOT_FOUND);
        assert_true(result != TRN_RESULT_OK || got == version);
    }
}

/// Makes or opens the world, and uses it.
static void play(FaultTest *test, uint32_t version)
{
    SaveWorld *world = &test->world;
    if (save_world_open(world, TRN_STORAGE_EITHER) != TRN_RESULT_OK) {
        return;
    }
    save_version(test, version);
    load_version(test, version);
    (void)trn_save_set_value(world->save, "spawn", "here", 4);
    save_version(test, version + 1);
    load_version(test, version + 1);
    expect_sentences(world);
    if (save_world_close(world) == TRN_RESULT_OK) {
        for (uint32_t i = 0; i < CHUNKS; i++) {
            test->acknowledged[i] = version + 1;
        }
    }
}

/// Opens the world without faults. It has everything that was acknowledged, or something newer.
static void expect_acknowledged(FaultTest *test, uint32_t versions)
{
    SaveWorld *world = &test->world;
    faults_set(FAULT_NONE, 0);
    const TrnResult opened = save_world_open(world, TRN_STORAGE_EITHER);
    if (opened != TRN_RESULT_OK) {
        fail_msg("%s", world->problem.sentence);
    }
    for (uint32_t i = 0; i < CHUNKS; i++) {
        uint32_t got;
        const TrnResult result = save_world_get(world, i, versions, &got);
        assert_true(result == TRN_RESULT_OK ||
                    (result == TRN_RESULT_NOT_FOUND && test->acknowledged[i] == ABSENT));
        assert_true(result != TRN_RESULT_OK || test->acknowledged[i] == ABSENT ||
                    got >= test->acknowledged[i]);
    }
    TrnSaveEvent event;
    assert_false(trn_save_next_event(world->save, &event));
    assert_int_equal(save_world_close(world), TRN_RESULT_OK);
}

/// Plays with a fault at each call in turn, in a new world or in one that has chunks.
static void fail_each(FaultTest *test, FaultKind kind, bool is_new, uint32_t step)
{
    uint32_t at = 1;
    for (bool is_reached = true; is_reached; at += step) {
        remove_file(&test->world);
        memset(test->acknowledged, 0xFF, sizeof test->acknowledged);
        if (!is_new) {
            play(test, 0);
            assert_int_equal(test->acknowledged[0], 1);
        }
        faults_set(kind, at);
        play(test, 2);
        is_reached = faults_were_reached();
        expect_acknowledged(test, 4);
    }
    print_message("  %u calls\n", (unsigned)at);
    assert_true(at > 50);
}

static uint32_t step_of(uint32_t plain, uint32_t slow)
{
    return getenv("TERRANE_TEST_FULL") ? 1 : test_rounds(plain, slow);
}

static void each_call_of_the_file_system_fails_once(void **state)
{
    fail_each(*state, FAULT_ONCE, true, step_of(1, 5));
    fail_each(*state, FAULT_ONCE, false, step_of(1, 5));
}

static void the_disk_is_full_from_any_write_on(void **state)
{
    fail_each(*state, FAULT_FULL, true, step_of(1, 5));
    fail_each(*state, FAULT_FULL, false, step_of(1, 5));
}

static void each_allocation_of_sqlite_fails_once(void **state)
{
    fail_each(*state, FAULT_MEMORY, true, step_of(11, 41));
    fail_each(*state, FAULT_MEMORY, false, step_of(11, 41));
}

// ---- files that appear --------------------------------------------------------------------------

/// Makes a world with some chunks. @return whether all of them were written
static bool make_world(SaveWorld *world)
{
    if (save_world_open(world, TRN_STORAGE_CREATE) != TRN_RESULT_OK) {
        return false;
    }
    bool is_written = true;
    for (uint32_t i = 0; i < CHUNKS; i++) {
        is_written = save_world_put(world, i, 0) == TRN_RESULT_OK && is_written;
    }
    is_written = trn_save_flush(world->save) == TRN_RESULT_OK && is_written;
    return save_world_close(world) == TRN_RESULT_OK && is_written;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static void a_world_that_cannot_be_made_leaves_no_file(void **state)
{
    FaultTest *test = *state;
    uint32_t at = 1;
    for (bool is_reached = true; is_reached; at += step_of(1, 5)) {
        remove_file(&test->world);
        faults_set(FAULT_FULL, at);
        const bool is_made = make_world(&test->world);
        is_reached = faults_were_reached();
        assert_true(is_made || !is_there(test->world.file));
        memset(test->acknowledged, is_made ? 0 : 0xFF, sizeof test->acknowledged);
        expect_acknowledged(test, 1);
    }
    assert_true(at > 50);
}

/// What a program leaves that is killed before it has made the tables.
static void a_file_without_tables_counts_as_none(void **state)
{
    FaultTest *test = *state;
    SaveWorld *world = &test->world;
    sqlite3 *db;
    assert_int_equal(trn_pages_register(), SQLITE_OK);
    assert_int_equal(sqlite3_open_v2(world->file, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                                     TRN_PAGES_VFS),
                     SQLITE_OK);
    assert_int_equal(trn_pages_prepare(db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_true(is_there(world->file));
    TrnStorage storage;
    assert_int_equal(
        trn_storage_sqlite(world->file, TRN_STORAGE_READ_ONLY, &storage, &world->problem),
        TRN_RESULT_CORRUPT);
    assert_non_null(strstr(world->problem.sentence, "empty; make it again"));
    assert_true(make_world(world));
}

static void repairs_are_whole_or_absent(void **state)
{
    FaultTest *test = *state;
    SaveWorld *world = &test->world;
    char from[PLACE_PATH];
    assert_true(make_world(world));
    assert_int_equal(rename(world->file, place_path(&world->place, "broken", from)), 0);
    uint32_t at = 1;
    for (bool is_reached = true; is_reached; at += step_of(1, 5)) {
        TrnStorageProblem problem = {""};
        remove_file(world);
        faults_set(FAULT_ONCE, at);
        TrnRepairReport report = {0};
        const TrnResult result = trn_repair_sqlite(from, world->file, NULL, &report, &problem);
        is_reached = faults_were_reached();
        assert_true(result == TRN_RESULT_OK || *problem.sentence);
        assert_int_equal(is_there(world->file), result == TRN_RESULT_OK);
        // The chunks of a page that could not be read may lack.
        const bool is_whole = result == TRN_RESULT_OK && report.unreadable == 0;
        memset(test->acknowledged, is_whole ? 0 : 0xFF, sizeof test->acknowledged);
        expect_acknowledged(test, 1);
    }
    assert_true(at > 50);
}

// ---- events ------------------------------------------------------------------------------------

static void a_full_disk_is_told_and_loses_nothing(void **state)
{
    FaultTest *test = *state;
    SaveWorld *world = &test->world;
    TrnSaveEvent event;
    play(test, 0);
    assert_int_equal(save_world_open(world, TRN_STORAGE_OPEN), TRN_RESULT_OK);
    faults_set(FAULT_FULL, 1);
    save_version(test, 2);
    assert_int_equal(test->acknowledged[0], 1);
    assert_true(trn_save_next_event(world->save, &event));
    assert_int_equal(event.kind, TRN_SAVE_EVENT_WRITE_FAILED);
    assert_non_null(strstr(event.sentence, "the disk is full; free some space"));
    load_version(test, 2);
    faults_set(FAULT_NONE, 0); // some space was freed
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
    assert_true(trn_save_next_event(world->save, &event));
    assert_int_equal(event.kind, TRN_SAVE_EVENT_WRITE_AGAIN);
    assert_int_equal(save_world_close(world), TRN_RESULT_OK);
    memset(test->acknowledged, 0, sizeof test->acknowledged);
    test->acknowledged[0] = 2;
    expect_acknowledged(test, 3);
}

static void a_file_that_may_not_be_written_is_refused_or_only_read(void **state)
{
    FaultTest *test = *state;
    SaveWorld *world = &test->world;
    play(test, 0);
    faults_set(FAULT_READ_ONLY, 0);
    assert_int_equal(save_world_open(world, TRN_STORAGE_OPEN), TRN_RESULT_IO);
    assert_non_null(strstr(world->problem.sentence, "may only be read; change its permissions"));
    TrnStorage storage;
    assert_int_equal(trn_storage_sqlite(world->file, TRN_STORAGE_READ_ONLY, &storage, NULL),
                     TRN_RESULT_OK);
    storage.close(storage.user);
    expect_acknowledged(test, 2);
}

/// Runs a statement on the world's file, as a later version of Terrane would.
static void run_sql(const SaveWorld *world, const char *text)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open_v2(world->file, &db, SQLITE_OPEN_READWRITE, TRN_PAGES_VFS),
                     SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void a_world_of_a_later_version_is_refused(void **state)
{
    FaultTest *test = *state;
    SaveWorld *world = &test->world;
    static const char *const changes[][2] = {
        {"PRAGMA user_version = 2", "PRAGMA user_version = 1"},
        {"UPDATE world SET value = x'03000000' WHERE name = 'terrane/format'",
         "UPDATE world SET value = x'01000000' WHERE name = 'terrane/format'"}};
    play(test, 0);
    for (int i = 0; i < 2; i++) {
        run_sql(world, changes[i][0]);
        assert_int_equal(save_world_open(world, TRN_STORAGE_EITHER), TRN_RESULT_CORRUPT);
        assert_non_null(strstr(world->problem.sentence, "newer version of Terrane"));
        assert_non_null(strstr(world->problem.sentence, "update this program"));
        run_sql(world, changes[i][1]);
        expect_acknowledged(test, 2);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(each_call_of_the_file_system_fails_once),
                                       TEST(the_disk_is_full_from_any_write_on),
                                       TEST(each_allocation_of_sqlite_fails_once),
                                       TEST(a_world_that_cannot_be_made_leaves_no_file),
                                       TEST(a_file_without_tables_counts_as_none),
                                       TEST(repairs_are_whole_or_absent),
                                       TEST(a_full_disk_is_told_and_loses_nothing),
                                       TEST(a_file_that_may_not_be_written_is_refused_or_only_read),
                                       TEST(a_world_of_a_later_version_is_refused)};
    return faults_install() ? cmocka_run_group_tests_name("save_faults", tests, NULL, NULL) : 1;
}
