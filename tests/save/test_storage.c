/// Storages: SQLite, memory and the example of a game's own do the same.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"
#include "storage_cases.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include <terrane/storage.h>

int own_storage_main(int argc, char **argv);
#define main own_storage_main
#include "../../examples/own_storage.c" // NOLINT(bugprone-suspicious-include): a whole program
#undef main

static void fixture_open(Fixture *fixture, TrnStorageMode mode)
{
    TrnStorageProblem problem = {""};
    const TrnResult result =
        fixture->kind == STORAGE_MEMORY ? trn_storage_memory(NULL, &fixture->storage)
        : fixture->kind == STORAGE_OWN
            ? log_storage(fixture->file, &fixture->storage)
            : trn_storage_sqlite(fixture->file, mode, &fixture->storage, &problem);
    if (result != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
}

static int begin(void **state, StorageKind kind)
{
    Fixture *fixture = calloc(1, sizeof *fixture);
    assert_true(place_begin(&fixture->place));
    (void)place_path(&fixture->place, "a.world", fixture->file);
    fixture->kind = kind;
    fixture_open(fixture, TRN_STORAGE_CREATE);
    *state = fixture;
    return 0;
}

static int begin_memory(void **state)
{
    return begin(state, STORAGE_MEMORY);
}

static int begin_sqlite(void **state)
{
    return begin(state, STORAGE_SQLITE);
}

static int begin_own(void **state)
{
    return begin(state, STORAGE_OWN);
}

static int end(void **state)
{
    Fixture *fixture = *state;
    if (fixture->storage.close) {
        fixture->storage.close(fixture->storage.user);
    }
    const bool is_removed = place_discard(&fixture->place);
    free(fixture);
    return is_removed ? 0 : -1;
}

// ---- files -------------------------------------------------------------------------------------

static const TrnStorageKey somewhere = {{7, 8, 9}, 0};

static TrnResult try_open(const char *file, TrnStorageMode mode, TrnStorageProblem *problem)
{
    TrnStorage storage;
    problem->sentence[0] = '\0';
    const TrnResult result = trn_storage_sqlite(file, mode, &storage, problem);
    if (result == TRN_RESULT_OK) {
        storage.close(storage.user);
    }
    return result;
}

static void a_file_keeps_what_was_put(void **state)
{
    Fixture *fixture = *state;
    const TrnStorageRow row = row_of(somewhere, 5, "kept");
    assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK);
    fixture->storage.close(fixture->storage.user);
    TrnStorageProblem problem;
    struct stat there;
    char aside[128];
    assert_int_equal(try_open(fixture->file, TRN_STORAGE_CREATE, &problem), TRN_RESULT_EXISTS);
    assert_non_null(strstr(problem.sentence, "choose another name"));
    fixture_open(fixture, TRN_STORAGE_OPEN);
    assert_string_equal(get(fixture, somewhere).text, "kept");
    fixture->storage.close(fixture->storage.user);
    fixture->storage = (TrnStorage){0};
    static const char *const suffixes[] = {"-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        (void)snprintf(aside, sizeof aside, "%s%s", fixture->file, suffixes[i]);
        assert_int_not_equal(stat(aside, &there), 0); // a world is one file
    }
}

/// Such as a program leaves that is killed while it makes a world.
static void a_file_into_which_nothing_was_put_counts_as_none(void **state)
{
    Fixture *fixture = *state;
    TrnStorageProblem problem;
    char other[PLACE_PATH];
    fixture->storage.close(fixture->storage.user);
    fixture_open(fixture, TRN_STORAGE_CREATE);
    place_write(&fixture->place, "empty", "");
    assert_int_equal(
        try_open(place_path(&fixture->place, "empty", other), TRN_STORAGE_CREATE, &problem),
        TRN_RESULT_OK);
    place_write(&fixture->place, "text", "no world");
    assert_int_equal(
        try_open(place_path(&fixture->place, "text", other), TRN_STORAGE_CREATE, &problem),
        TRN_RESULT_EXISTS);
    const TrnStorageRow row = row_of(somewhere, 5, "kept");
    assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK);
    assert_string_equal(get(fixture, somewhere).text, "kept");
}

static void one_process_writes_at_a_time_and_others_read(void **state)
{
    Fixture *fixture = *state;
    TrnStorageProblem problem;
    TrnStorage reader;
    assert_int_equal(try_open(fixture->file, TRN_STORAGE_EITHER, &problem), TRN_RESULT_BUSY);
    assert_non_null(strstr(problem.sentence, "another program has it open"));
    assert_int_equal(trn_storage_sqlite(fixture->file, TRN_STORAGE_READ_ONLY, &reader, &problem),
                     TRN_RESULT_OK);
    const uint64_t before = reader.watch(reader.user);
    assert_true(before == reader.watch(reader.user));
    const TrnStorageRow row = row_of(somewhere, 5, "seen");
    assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK);
    assert_true(before != reader.watch(reader.user));
    const Fixture other = {.storage = reader};
    assert_string_equal(get(&other, somewhere).text, "seen");
    assert_int_equal(put_row(&other, &row), TRN_RESULT_IO);
    char sentence[512];
    reader.problem(reader.user, sentence, sizeof sentence);
    assert_non_null(strstr(sentence, "may only be read"));
    reader.close(reader.user);
}

static void what_is_no_world_is_told(void **state)
{
    Fixture *fixture = *state;
    TrnStorageProblem problem;
    char file[PLACE_PATH];
    (void)place_path(&fixture->place, "missing/b.world", file);
    assert_int_equal(try_open(file, TRN_STORAGE_OPEN, &problem), TRN_RESULT_NOT_FOUND);
    assert_int_equal(try_open(file, TRN_STORAGE_EITHER, &problem), TRN_RESULT_IO);
    assert_non_null(strstr(problem.sentence, "folder"));
    char text[5001];
    memset(text, 'n', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    place_write(&fixture->place, "text", text);
    (void)place_path(&fixture->place, "text", file);
    assert_int_equal(try_open(file, TRN_STORAGE_OPEN, &problem), TRN_RESULT_CORRUPT);
    assert_non_null(strstr(problem.sentence, "not a world"));
    assert_int_equal(trn_storage_sqlite(NULL, TRN_STORAGE_OPEN, &fixture->storage, NULL),
                     TRN_RESULT_BAD_ARGUMENT);
}

/// A file cut at any length is refused or keeps what it has; nothing crashes.
static void a_cut_file_is_refused_or_read(void **state)
{
    Fixture *fixture = *state;
    char text[60], copy[PLACE_PATH];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (int32_t i = 0; i < 100; i++) {
        const TrnStorageRow row = row_of((TrnStorageKey){{i, 0, 0}, 0}, 1, text);
        assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK);
    }
    fixture->storage.close(fixture->storage.user);
    fixture->storage = (TrnStorage){0};
    FILE *file = fopen(fixture->file, "rb");
    static unsigned char bytes[1 << 20];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    (void)place_path(&fixture->place, "cut", copy);
    for (size_t cut = 1; cut < size; cut += cut < 200 ? 7 : 1021) {
        TrnStorage storage;
        TrnStorageProblem problem = {""};
        file = fopen(copy, "wb");
        assert_int_equal(fwrite(bytes, 1, cut, file), cut);
        (void)fclose(file);
        const TrnResult opened = trn_storage_sqlite(copy, TRN_STORAGE_OPEN, &storage, &problem);
        if (opened != TRN_RESULT_OK) {
            assert_true(opened == TRN_RESULT_CORRUPT && *problem.sentence);
            continue;
        }
        const TrnStorageRange all = {0, {{0, 0, 0}, {99, 0, 0}}, 0};
        Seen seen = {0};
        const TrnResult read = storage.list(storage.user, &all, see_row, &seen);
        assert_true(read == TRN_RESULT_CORRUPT || read == TRN_RESULT_OK || read == TRN_RESULT_IO);
        storage.close(storage.user);
    }
}

static void a_backup_has_everything_while_writes_go_on(void **state)
{
    Fixture *fixture = *state;
    TrnStorageProblem problem = {""};
    char file[PLACE_PATH];
    (void)place_path(&fixture->place, "backup.world", file);
    const TrnStorageRow row = row_of(somewhere, 5, "kept");
    assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK);
    assert_int_equal(trn_storage_sqlite_backup(&fixture->storage, file, NULL, &problem),
                     TRN_RESULT_OK);
    const TrnStorageRow later = row_of(somewhere, 6, "later");
    assert_int_equal(put_row(fixture, &later), TRN_RESULT_OK);
    assert_int_equal(trn_storage_sqlite_backup(&fixture->storage, file, NULL, &problem),
                     TRN_RESULT_EXISTS);
    Fixture copy = {0};
    assert_int_equal(trn_storage_sqlite(file, TRN_STORAGE_OPEN, &copy.storage, &problem),
                     TRN_RESULT_OK);
    assert_string_equal(get(&copy, somewhere).text, "kept");
    copy.storage.close(copy.storage.user);
}

// ---- memory ------------------------------------------------------------------------------------

static void memory_that_fails_leaves_the_storage_as_it_was(void **state)
{
    (void)state;
    for (size_t at = 1;; at++) {
        TestAllocator memory = {0};
        const TrnAllocator allocator = {counting_alloc, counting_free, &memory};
        Fixture fixture = {.kind = STORAGE_MEMORY};
        assert_int_equal(trn_storage_memory(&allocator, &fixture.storage), TRN_RESULT_OK);
        const TrnStorageRow first = row_of(somewhere, 1, "first");
        assert_int_equal(put_row(&fixture, &first), TRN_RESULT_OK);
        const TrnStorageRow rows[] = {row_of(somewhere, 2, "second"),
                                      row_of((TrnStorageKey){{0, 0, 0}, 4}, 2, "other")};
        const TrnStorageValue value = {"name", "value", 5};
        const TrnStorageBatch batch = {
            .rows = rows, .row_count = 2, .values = &value, .value_count = 1};
        test_fail(&memory, at, 0);
        const TrnResult result = fixture.storage.put(fixture.storage.user, &batch);
        test_fail(&memory, 0, 0);
        const bool is_put = result == TRN_RESULT_OK;
        assert_true(is_put || result == TRN_RESULT_NO_MEMORY);
        assert_string_equal(get(&fixture, somewhere).text, is_put ? "second" : "first");
        assert_int_equal(get(&fixture, rows[1].key).count, is_put);
        fixture.storage.close(fixture.storage.user);
        assert_int_equal(memory.live_bytes, 0);
        if (is_put) {
            assert_true(at > 4);
            return;
        }
    }
}

// ---- the example of a game's own ---------------------------------------------------------------

static off_t size_of(const char *file)
{
    struct stat there;
    assert_int_equal(stat(file, &there), 0);
    return there.st_size;
}

/// A log that is cut anywhere has every transaction that is whole, and goes on from there.
static void a_cut_log_has_its_whole_transactions(void **state)
{
    Fixture *fixture = *state;
    enum { ROWS = 5 };
    off_t ends[ROWS + 1] = {0};
    for (int32_t i = 0; i < ROWS; i++) {
        const TrnStorageRow row = row_of((TrnStorageKey){{i, 0, 0}, 0}, 1, "text");
        assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK);
        ends[i + 1] = size_of(fixture->file);
    }
    for (off_t cut = ends[ROWS]; cut >= 0; cut--) {
        fixture->storage.close(fixture->storage.user);
        assert_int_equal(truncate(fixture->file, cut), 0);
        fixture_open(fixture, TRN_STORAGE_OPEN);
        uint32_t whole = 0;
        while (whole < ROWS && ends[whole + 1] <= cut) {
            whole++;
        }
        for (uint32_t i = 0; i < ROWS; i++) {
            const TrnStorageKey key = {{(int32_t)i, 0, 0}, 0};
            assert_int_equal(get(fixture, key).count, i < whole);
        }
        assert_int_equal(size_of(fixture->file), ends[whole]);
    }
}

static void an_outdated_log_is_written_anew(void **state)
{
    Fixture *fixture = *state;
    const TrnStorageRow other = row_of((TrnStorageKey){{0, 0, 0}, 0}, 1, "other");
    assert_int_equal(put_row(fixture, &other), TRN_RESULT_OK);
    for (uint64_t i = 0; i < 1000; i++) {
        const TrnStorageRow row = row_of(somewhere, i + 1, "text");
        assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK);
    }
    const off_t before = size_of(fixture->file);
    fixture->storage.close(fixture->storage.user);
    fixture_open(fixture, TRN_STORAGE_OPEN);
    assert_true(size_of(fixture->file) < before / 100);
    assert_int_equal(get(fixture, somewhere).revisions, 1000);
    assert_string_equal(get(fixture, other.key).text, "other");
    assert_int_equal(put_row(fixture, &other), TRN_RESULT_OK);
}

#define EACH(test)                                                                                 \
    {#test " (memory)", test, begin_memory, end, NULL},                                            \
        {#test " (SQLite)", test, begin_sqlite, end, NULL},                                        \
    {                                                                                              \
#test " (a game's own)", test, begin_own, end, NULL                                        \
    }

/// A program without terrane::shared opens no database, and makes no file of that name.
static void a_database_is_refused_with_a_sentence(void **state)
{
    Fixture *fixture = *state;
    TrnStorage storage;
    TrnStorageProblem problem = {""};
    assert_int_equal(
        trn_storage_open("postgresql://me:secret@server/w", TRN_STORAGE_EITHER, &storage, &problem),
        TRN_RESULT_BAD_ARGUMENT);
    assert_string_equal(problem.sentence,
                        "This program opens worlds in files, and none in a database.");
    assert_int_equal(trn_storage_open("postgres://server/w", TRN_STORAGE_EITHER, &storage, NULL),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_storage_open(fixture->file, TRN_STORAGE_READ_ONLY, &storage, &problem),
                     TRN_RESULT_OK);
    storage.close(storage.user);
}

typedef struct Ordered {
    char last[16];
    uint32_t count;
} Ordered;

static bool see_ordered(void *user, const TrnStorageValue *value)
{
    Ordered *ordered = user;
    assert_true(strcmp(ordered->last, value->name) < 0);
    (void)snprintf(ordered->last, sizeof ordered->last, "%s", value->name);
    ordered->count++;
    return true;
}

static Ordered see_values(const TrnStorage *storage, const char *prefix)
{
    Ordered ordered = {.count = 0};
    assert_int_equal(storage->values(storage->user, prefix, see_ordered, &ordered), TRN_RESULT_OK);
    return ordered;
}

/// Puts one value after the other, of which each belongs before those that are there, and removes
/// half of them.
static void many_values_of_memory_take_little_time(void **state)
{
    (void)state;
    TrnStorage storage;
    const uint32_t count = test_rounds(400000, 100000);
    const clock_t begun = clock();
    assert_int_equal(trn_storage_memory(NULL, &storage), TRN_RESULT_OK);
    for (uint32_t i = count + count / 2; i > 0; i--) {
        char name[16];
        const bool is_removed = i <= count / 2;
        (void)snprintf(name, sizeof name, "%07u", (unsigned)(is_removed ? 2 * i : i - count / 2));
        const TrnStorageValue value = {name, is_removed ? NULL : name, 7};
        const TrnStorageBatch batch = {.values = &value, .value_count = 1};
        assert_int_equal(storage.put(storage.user, &batch), TRN_RESULT_OK);
        if (i == count / 2 + 1) {
            assert_int_equal(see_values(&storage, "").count, count);
        }
    }
    assert_int_equal(see_values(&storage, "").count, count / 2);
    assert_int_equal(see_values(&storage, "00000").count, 50);
    assert_int_equal(see_values(&storage, "1").count, 0);
    assert_true((double)(clock() - begun) / CLOCKS_PER_SEC <
                6); // 14 s if each put moves those behind it
    storage.close(storage.user);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH(rows_are_put_got_replaced_and_removed),
        EACH(boxes_and_revisions_choose_what_is_listed),
        EACH(values_come_by_prefix_in_order_of_their_names),
        EACH(new_values_replace_none),
        EACH(readers_see_whole_transactions),
        cmocka_unit_test_setup_teardown(a_file_keeps_what_was_put, begin_sqlite, end),
        cmocka_unit_test_setup_teardown(a_file_into_which_nothing_was_put_counts_as_none,
                                        begin_sqlite, end),
        cmocka_unit_test_setup_teardown(one_process_writes_at_a_time_and_others_read, begin_sqlite,
                                        end),
        cmocka_unit_test_setup_teardown(what_is_no_world_is_told, begin_sqlite, end),
        cmocka_unit_test_setup_teardown(a_database_is_refused_with_a_sentence, begin_sqlite, end),
        cmocka_unit_test_setup_teardown(a_cut_file_is_refused_or_read, begin_sqlite, end),
        cmocka_unit_test_setup_teardown(a_backup_has_everything_while_writes_go_on, begin_sqlite,
                                        end),
        cmocka_unit_test_setup_teardown(a_cut_log_has_its_whole_transactions, begin_own, end),
        cmocka_unit_test_setup_teardown(an_outdated_log_is_written_anew, begin_own, end),
        cmocka_unit_test(many_values_of_memory_take_little_time),
        cmocka_unit_test(memory_that_fails_leaves_the_storage_as_it_was)};
    return cmocka_run_group_tests_name("save_storage", tests, NULL, NULL);
}
