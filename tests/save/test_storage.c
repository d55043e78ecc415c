/// Storages: SQLite, memory and the example of a game's own do the same.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include <terrane/storage.h>

int own_storage_main(int argc, char **argv);
#define main own_storage_main
#include "../../examples/own_storage.c" // NOLINT(bugprone-suspicious-include): a whole program
#undef main

#define EDGE 4 // of the boxes that are filled

typedef enum StorageKind { STORAGE_SQLITE, STORAGE_MEMORY, STORAGE_OWN } StorageKind;

typedef struct Fixture {
    Place place;
    char file[PLACE_PATH];
    TrnStorage storage;
    StorageKind kind;
} Fixture;

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

// ---- rows --------------------------------------------------------------------------------------

static TrnStorageRow row_of(TrnStorageKey key, uint64_t revision, const char *text)
{
    return (TrnStorageRow){key, revision, text, text ? strlen(text) : 0};
}

static TrnResult put_row(const Fixture *fixture, const TrnStorageRow *row)
{
    const TrnStorageBatch batch = {.rows = row, .row_count = 1};
    return fixture->storage.put(fixture->storage.user, &batch);
}

typedef struct Seen {
    uint32_t count, most;
    uint64_t revisions;
    TrnStorageKey key;
    char text[64];
} Seen;

static bool see_row(void *user, const TrnStorageRow *row)
{
    Seen *seen = user;
    seen->count++;
    seen->revisions += row->revision;
    seen->key = row->key;
    assert_true(row->size < sizeof seen->text);
    memcpy(seen->text, row->bytes, row->size);
    seen->text[row->size] = '\0';
    return !seen->most || seen->count < seen->most;
}

static Seen get(const Fixture *fixture, TrnStorageKey key)
{
    Seen seen = {0};
    assert_int_equal(fixture->storage.get(fixture->storage.user, &key, 1, see_row, &seen),
                     TRN_RESULT_OK);
    return seen;
}

static void rows_are_put_got_replaced_and_removed(void **state)
{
    Fixture *fixture = *state;
    const TrnStorageKey keys[] = {{{INT32_MIN, 0, INT32_MAX}, 0}, {{INT32_MIN, 0, INT32_MAX}, 12}};
    TrnStorageRow row = row_of(keys[0], 1, "first");
    assert_int_equal(get(fixture, keys[0]).count, 0);
    assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK);
    Seen seen = get(fixture, keys[0]);
    assert_string_equal(seen.text, "first");
    assert_int_equal(seen.revisions, 1);
    assert_true(trn_coord_equal(seen.key.coord, keys[0].coord));
    assert_int_equal(get(fixture, keys[1]).count, 0); // another level
    row = row_of(keys[1], 2, "far");
    assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK);
    row = row_of(keys[0], UINT64_C(1) << 62, "second");
    assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK);
    seen = get(fixture, keys[0]);
    assert_string_equal(seen.text, "second");
    assert_int_equal(seen.revisions, UINT64_C(1) << 62);
    assert_string_equal(get(fixture, keys[1]).text, "far");
    row = row_of(keys[0], 4, NULL);
    assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK);
    assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK); // again is fine
    assert_int_equal(get(fixture, keys[0]).count, 0);
}

static void boxes_and_revisions_choose_what_is_listed(void **state)
{
    Fixture *fixture = *state;
    TrnStorageRow rows[EDGE * EDGE * EDGE];
    for (int32_t i = 0; i < EDGE * EDGE * EDGE; i++) {
        const TrnCoord coord = {i % EDGE - 2, i / EDGE % EDGE - 2, i / EDGE / EDGE - 2};
        rows[i] = row_of((TrnStorageKey){coord, 1}, (uint64_t)i + 1, "x");
    }
    const TrnStorageBatch batch = {.rows = rows, .row_count = sizeof rows / sizeof *rows};
    const TrnStorage *storage = &fixture->storage;
    assert_int_equal(storage->put(storage->user, &batch), TRN_RESULT_OK);
    TrnStorageRange range = {1, {{-1, -2, 0}, {0, 1, 9}}, 0};
    Seen seen = {0};
    assert_int_equal(storage->list(storage->user, &range, see_row, &seen), TRN_RESULT_OK);
    assert_int_equal(seen.count, 2 * 4 * 2);
    range = (TrnStorageRange){
        1, {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}}, 60};
    seen = (Seen){0};
    assert_int_equal(storage->list(storage->user, &range, see_row, &seen), TRN_RESULT_OK);
    assert_int_equal(seen.count, 4);
    assert_int_equal(seen.revisions, 61 + 62 + 63 + 64);
    range = (TrnStorageRange){1, {{-1, -1, 1}, {-1, INT32_MAX, 1}}, 0}; // a column
    seen = (Seen){0};
    assert_int_equal(storage->list(storage->user, &range, see_row, &seen), TRN_RESULT_OK);
    assert_int_equal(seen.count, 3);
    assert_true(seen.key.coord.x == -1 && seen.key.coord.z == 1 && seen.key.coord.y >= -1);
    range.since = (uint64_t)rows[EDGE * EDGE * EDGE - 1].revision;
    seen = (Seen){0};
    assert_int_equal(storage->list(storage->user, &range, see_row, &seen), TRN_RESULT_OK);
    assert_int_equal(seen.count, 0);
    range = (TrnStorageRange){
        1, {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}}, 0};
    seen = (Seen){.most = 3};
    assert_int_equal(storage->list(storage->user, &range, see_row, &seen), TRN_RESULT_OK);
    assert_int_equal(seen.count, 3); // and it can be used again
    range.level = 0;
    seen = (Seen){0};
    assert_int_equal(storage->list(storage->user, &range, see_row, &seen), TRN_RESULT_OK);
    assert_int_equal(seen.count, 0);
}

// ---- values ------------------------------------------------------------------------------------

static bool see_value(void *user, const TrnStorageValue *value)
{
    Seen *seen = user;
    seen->count++;
    const size_t length = strlen(seen->text);
    (void)snprintf(seen->text + length, sizeof seen->text - length, "%s=%.*s;", value->name,
                   (int)value->size, (const char *)value->bytes);
    return true;
}

static void values_come_by_prefix_in_order_of_their_names(void **state)
{
    Fixture *fixture = *state;
    const TrnStorage *storage = &fixture->storage;
    const TrnStorageValue values[] = {
        {"b/2", "two", 3}, {"b/1", "one", 3}, {"a", "A", 1}, {"b", "", 0}, {"c", "C", 1}};
    TrnStorageBatch batch = {.values = values, .value_count = 5};
    assert_int_equal(storage->put(storage->user, &batch), TRN_RESULT_OK);
    Seen seen = {0};
    assert_int_equal(storage->values(storage->user, "b", see_value, &seen), TRN_RESULT_OK);
    assert_string_equal(seen.text, "b=;b/1=one;b/2=two;");
    const TrnStorageValue changes[] = {{"b/1", NULL, 0}, {"b/2", "2", 1}, {"x", NULL, 0}};
    batch = (TrnStorageBatch){.values = changes, .value_count = 3};
    assert_int_equal(storage->put(storage->user, &batch), TRN_RESULT_OK);
    seen = (Seen){0};
    assert_int_equal(storage->values(storage->user, "", see_value, &seen), TRN_RESULT_OK);
    assert_string_equal(seen.text, "a=A;b=;b/2=2;c=C;");
}

// ---- threads -----------------------------------------------------------------------------------

typedef struct Reader {
    const Fixture *fixture;
    _Atomic(bool) *is_over;
    uint32_t reads;
} Reader;

/// Both rows of a transaction have the same revision.
static bool see_pair(void *user, const TrnStorageRow *row)
{
    Seen *seen = user;
    seen->revisions = seen->count++ ? seen->revisions - row->revision : row->revision;
    return true;
}

static void *read_pairs(void *user)
{
    Reader *reader = user;
    const TrnStorage *storage = &reader->fixture->storage;
    const TrnStorageRange all = {0, {{0, 0, 0}, {9, 9, 9}}, 0};
    while (!atomic_load(reader->is_over)) {
        Seen seen = {0};
        assert_int_equal(storage->list(storage->user, &all, see_pair, &seen), TRN_RESULT_OK);
        assert_int_equal(seen.count, 2);
        assert_int_equal(seen.revisions, 0);
        reader->reads++;
    }
    return NULL;
}

static void readers_see_whole_transactions(void **state)
{
    Fixture *fixture = *state;
    enum { READERS = 3 };
    pthread_t threads[READERS];
    Reader readers[READERS];
    _Atomic(bool) is_over = false;
    for (uint64_t revision = 1; revision <= 40; revision++) {
        const TrnStorageRow rows[] = {row_of((TrnStorageKey){{1, 2, 3}, 0}, revision, "one"),
                                      row_of((TrnStorageKey){{3, 2, 1}, 0}, revision, "other")};
        const TrnStorageBatch batch = {.rows = rows, .row_count = 2};
        assert_int_equal(fixture->storage.put(fixture->storage.user, &batch), TRN_RESULT_OK);
        for (int i = 0; revision == 1 && i < READERS; i++) {
            readers[i] = (Reader){fixture, &is_over, 0};
            assert_int_equal(pthread_create(&threads[i], NULL, read_pairs, &readers[i]), 0);
        }
    }
    atomic_store(&is_over, true);
    for (int i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
    }
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
    static const char *const suffixes[] = {"-lock", "-wal", "-shm", "-journal"};
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
        const TrnStorageBatch batch = {rows, 2, &value, 1};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH(rows_are_put_got_replaced_and_removed),
        EACH(boxes_and_revisions_choose_what_is_listed),
        EACH(values_come_by_prefix_in_order_of_their_names),
        EACH(readers_see_whole_transactions),
        cmocka_unit_test_setup_teardown(a_file_keeps_what_was_put, begin_sqlite, end),
        cmocka_unit_test_setup_teardown(a_file_into_which_nothing_was_put_counts_as_none,
                                        begin_sqlite, end),
        cmocka_unit_test_setup_teardown(one_process_writes_at_a_time_and_others_read, begin_sqlite,
                                        end),
        cmocka_unit_test_setup_teardown(what_is_no_world_is_told, begin_sqlite, end),
        cmocka_unit_test_setup_teardown(a_cut_file_is_refused_or_read, begin_sqlite, end),
        cmocka_unit_test_setup_teardown(a_backup_has_everything_while_writes_go_on, begin_sqlite,
                                        end),
        cmocka_unit_test_setup_teardown(a_cut_log_has_its_whole_transactions, begin_own, end),
        cmocka_unit_test_setup_teardown(an_outdated_log_is_written_anew, begin_own, end),
        cmocka_unit_test(memory_that_fails_leaves_the_storage_as_it_was)};
    return cmocka_run_group_tests_name("save_storage", tests, NULL, NULL);
}
