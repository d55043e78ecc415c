/// A file that a stranger made is opened, and what lies beside it: nothing of it is followed, run
/// or waited for, and a file that is only read is left alone.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "save_world.h"

#include <signal.h>
#include <sys/stat.h>

#include <terrane/repair.h>
#include <xxhash.h>

#include "base/number.h"
#include "sqlite_link.h"

#define CHUNKS SAVE_WORLD_CHUNKS
#define PAGE 4096

static char *beside(const SaveWorld *world, const char *suffix, char path[PLACE_PATH])
{
    char name[16];
    (void)snprintf(name, sizeof name, "a.world%s", suffix);
    return place_path(&world->place, name, path);
}

static void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/// Opens a file in each way: it is refused with words, within some seconds.
static void expect_refused(SaveWorld *world, const char *file, const char *words)
{
    static const TrnStorageMode modes[] = {TRN_STORAGE_READ_ONLY, TRN_STORAGE_OPEN,
                                           TRN_STORAGE_EITHER};
    (void)alarm(20);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        TrnStorage storage;
        world->problem.sentence[0] = '\0';
        assert_int_not_equal(trn_storage_sqlite(file, modes[i], &storage, &world->problem),
                             TRN_RESULT_OK);
        if (!strstr(world->problem.sentence, words)) {
            fail_msg("'%s' lacks '%s'", world->problem.sentence, words);
        }
    }
    (void)alarm(0);
}

static void expect_chunks(SaveWorld *world, TrnStorageMode mode, uint32_t count)
{
    if (save_world_open(world, mode) != TRN_RESULT_OK) {
        fail_msg("%s", world->problem.sentence);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t version;
        assert_int_equal(save_world_get(world, i, 3, &version), TRN_RESULT_OK);
    }
    assert_int_equal(save_world_close(world), TRN_RESULT_OK);
}

// ---- what is no file ---------------------------------------------------------------------------

static void what_is_no_regular_file_is_refused_at_once(void **state)
{
    SaveWorld *world = *state;
    char pipe[PLACE_PATH], link[PLACE_PATH];
    assert_int_equal(mkfifo(place_path(&world->place, "pipe.world", pipe), 0600), 0);
    expect_refused(world, pipe, "no regular file; name the file of a world");
    char whole[PLACE_PATH];
    (void)alarm(20);
    assert_int_equal(trn_repair_sqlite(pipe, place_path(&world->place, "whole.world", whole), NULL,
                                       NULL, &world->problem),
                     TRN_RESULT_IO);
    assert_non_null(strstr(world->problem.sentence, "no regular file"));
    assert_int_equal(symlink(pipe, place_path(&world->place, "link.world", link)), 0);
    expect_refused(world, link, "no regular file");
    expect_refused(world, "/dev/zero", "no regular file");
    expect_refused(world, world->place.folder, "no regular file");
    expect_refused(world, pipe, "no regular file");
}

static void a_log_that_is_no_regular_file_is_refused(void **state)
{
    SaveWorld *world = *state;
    char log[PLACE_PATH], secret[PLACE_PATH];
    assert_int_equal(mkfifo(beside(world, "-wal", log), 0600), 0);
    expect_refused(world, world->file, "-wal");
    assert_int_equal(remove(log), 0);
    place_write(&world->place, "secret", "a user's own file");
    assert_int_equal(symlink(place_path(&world->place, "secret", secret), log), 0);
    expect_refused(world, world->file, "-wal");
    assert_int_equal(remove(log), 0);
    struct stat status;
    assert_int_equal(stat(secret, &status), 0);
    assert_int_equal(status.st_size, 17);
    expect_chunks(world, TRN_STORAGE_OPEN, CHUNKS);
}

// ---- journals ----------------------------------------------------------------------------------

static void put_big(unsigned char *bytes, uint32_t number)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(number >> (24 - 8 * i));
    }
}

/// Writes a journal that is hot: one page of zeroes for page 2, and the name of a super-journal,
/// which SQLite removes when it has rolled back.
static void write_journal(const char *path, const char *super)
{
    static const unsigned char magic[] = {0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7};
    static unsigned char bytes[512 + 4 + PAGE + 4 + 4 + PLACE_PATH + 16];
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, magic, sizeof magic);
    put_big(bytes + 8, 1);
    put_big(bytes + 16, 12);
    put_big(bytes + 20, 512);
    put_big(bytes + 24, PAGE);
    put_big(bytes + 512, 2); // its checksum is that of the header, 0
    size_t at = 512 + 4 + PAGE + 4;
    put_big(bytes + at, 0x40000000 / PAGE + 1);
    const size_t length = strlen(super);
    uint32_t sum = 0;
    for (size_t i = 0; i < length; i++) {
        bytes[at + 4 + i] = (unsigned char)super[i];
        sum += (unsigned char)super[i];
    }
    at += 4 + length;
    put_big(bytes + at, (uint32_t)length);
    put_big(bytes + at + 4, sum);
    memcpy(bytes + at + 8, magic, sizeof magic);
    write_bytes(path, bytes, at + 16);
}

static void a_journal_neither_changes_a_world_nor_removes_a_file(void **state)
{
    SaveWorld *world = *state;
    char journal[PLACE_PATH], victim[PLACE_PATH];
    struct stat before, after, other;
    static const TrnStorageMode modes[] = {TRN_STORAGE_READ_ONLY, TRN_STORAGE_OPEN,
                                           TRN_STORAGE_EITHER};
    place_write(&world->place, "victim", "a user's own file");
    (void)place_path(&world->place, "victim", victim);
    write_journal(beside(world, "-journal", journal), victim);
    assert_int_equal(stat(journal, &before), 0);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        expect_chunks(world, modes[i], CHUNKS);
        assert_int_equal(stat(victim, &other), 0);
        assert_int_equal(stat(journal, &after), 0);
        assert_int_equal(before.st_size, after.st_size);
    }
    TrnStorage storage; // of what cannot be a world, either
    place_write(&world->place, "b.world", "");
    char empty[PLACE_PATH], second[PLACE_PATH + 16];
    (void)place_path(&world->place, "b.world", empty);
    (void)snprintf(second, sizeof second, "%s-journal", empty);
    write_journal(second, victim);
    assert_int_not_equal(
        trn_storage_sqlite(empty, TRN_STORAGE_READ_ONLY, &storage, &world->problem), TRN_RESULT_OK);
    assert_int_equal(stat(victim, &other), 0);
    assert_int_equal(stat(second, &after), 0);
}

// ---- only reading ------------------------------------------------------------------------------

static void reading_leaves_nothing_beside_a_world(void **state)
{
    SaveWorld *world = *state;
    struct stat before, after;
    char side[PLACE_PATH];
    static const char *const suffixes[] = {"-wal", "-shm", "-lock", "-journal"};
    assert_int_equal(stat(world->file, &before), 0);
    expect_chunks(world, TRN_STORAGE_READ_ONLY, CHUNKS);
    assert_int_equal(save_world_open(world, TRN_STORAGE_READ_ONLY), TRN_RESULT_OK);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        assert_int_not_equal(stat(beside(world, suffixes[i], side), &after), 0);
    }
    assert_int_equal(save_world_close(world), TRN_RESULT_OK);
    assert_int_equal(stat(world->file, &after), 0);
    assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
}

/// Saves another version of a chunk, and ends without a word: the log stays.
static void save_and_die(SaveWorld *world)
{
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        const bool is_saved = save_world_open(world, TRN_STORAGE_OPEN) == TRN_RESULT_OK &&
                              save_world_put(world, 0, 2) == TRN_RESULT_OK &&
                              trn_save_flush(world->save) == TRN_RESULT_OK;
        _exit(is_saved ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_int_equal(status, 0);
}

/// Whatever is read is newer than what lies in the file alone.
static void a_log_of_a_killed_program_is_read_and_kept(void **state)
{
    SaveWorld *world = *state;
    char log[PLACE_PATH], index[PLACE_PATH];
    struct stat before, after;
    save_and_die(world);
    (void)remove(beside(world, "-shm", index)); // as after a loss of power
    assert_int_equal(stat(beside(world, "-wal", log), &before), 0);
    assert_true(before.st_size > 0);
    for (int i = 0; i < 2; i++) {
        uint32_t version = 0;
        assert_int_equal(save_world_open(world, TRN_STORAGE_READ_ONLY), TRN_RESULT_OK);
        assert_int_equal(save_world_get(world, 0, 3, &version), TRN_RESULT_OK);
        assert_int_equal(version, 2);
        assert_int_equal(save_world_close(world), TRN_RESULT_OK);
        assert_int_equal(stat(log, &after), 0);
        assert_int_equal(before.st_size, after.st_size);
        assert_int_not_equal(stat(index, &after), 0);
    }
}

/// As a user who may read the folder, and write nothing.
static void a_folder_that_may_only_be_read_is_enough(void **state)
{
    SaveWorld *world = *state;
    char log[PLACE_PATH];
    save_and_die(world);
    (void)remove(beside(world, "-shm", log));
    assert_int_equal(chmod(world->file, 0444), 0);
    assert_int_equal(chmod(beside(world, "-wal", log), 0444), 0);
    assert_int_equal(chmod(world->place.folder, 0555), 0);
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        uint32_t version = 0;
        const bool is_read = (geteuid() != 0 || setuid(65534) == 0) &&
                             save_world_open(world, TRN_STORAGE_READ_ONLY) == TRN_RESULT_OK &&
                             save_world_get(world, 0, 3, &version) == TRN_RESULT_OK && version == 2;
        _exit(is_read ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_int_equal(chmod(world->place.folder, 0700), 0);
    assert_int_equal(status, 0);
}

// ---- the schema --------------------------------------------------------------------------------

static void run_sql(const char *file, const char *text)
{
    sqlite3 *db;
    char *problem = NULL;
    assert_int_equal(trn_pages_register(), SQLITE_OK);
    assert_int_equal(sqlite3_open_v2(file, &db, SQLITE_OPEN_READWRITE, TRN_PAGES_VFS), SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, &problem) != SQLITE_OK) {
        fail_msg("%s: %s", text, problem);
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void tables_that_are_not_those_of_a_world_are_refused(void **state)
{
    SaveWorld *world = *state;
    static const char *const changes[][2] = {
        {"CREATE VIEW v AS SELECT 1", "DROP VIEW v"},
        {"CREATE TRIGGER t AFTER INSERT ON chunks BEGIN DELETE FROM world; END", "DROP TRIGGER t"},
        {"CREATE TABLE other (a)", "DROP TABLE other"},
        {"CREATE INDEX again ON chunks (revision)", "DROP INDEX again"},
        {"CREATE INDEX odd ON chunks (hex(zeroblob(100000000))) WHERE x = 77", "DROP INDEX odd"},
        {"ALTER TABLE chunks ADD COLUMN g AS (hex(zeroblob(100000000)))",
         "ALTER TABLE chunks DROP COLUMN g"},
        {"DROP INDEX world_again; CREATE INDEX world_again ON world (value)", NULL}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        run_sql(world->file, changes[i][0]);
        expect_refused(world, world->file, "another program has changed its tables");
        if (changes[i][1]) {
            run_sql(world->file, changes[i][1]);
        }
    }
}

/// Another program's database is refused before anything of it changes, its journal mode either.
static void a_database_of_another_program_stays_as_it_is(void **state)
{
    SaveWorld *world = *state;
    static const char *const made[] = {"CREATE TABLE a (b); INSERT INTO a VALUES (1)",
                                       "PRAGMA application_id = 7", "PRAGMA user_version = 7"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        char other[PLACE_PATH];
        sqlite3 *db;
        struct stat before, after;
        (void)place_path(&world->place, "other.db", other);
        assert_int_equal(sqlite3_open(other, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, made[i], NULL, NULL, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
        assert_int_equal(stat(other, &before), 0);
        expect_refused(world, other, "it is not a world of Terrane");
        assert_int_equal(stat(other, &after), 0);
        assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
        assert_int_equal(before.st_size, after.st_size);
        assert_int_equal(unlink(other), 0);
    }
}

// ---- pages that lead in circles ----------------------------------------------------------------

#define CIRCLE_PAGES 7

/// Makes a page of an index whose every entry leads to the same page below, so that a search takes
/// 300 to the power of the depth.
static void make_circle(unsigned char page[PAGE], uint32_t below, uint32_t number)
{
    static const unsigned char record[] = {6, 6, 8, 8, 8, 8, 9}; // size; header; 0, 0, 0, 0, 1
    enum { CELL = 4 + sizeof record, CELLS = 300, USED = PAGE - 8 };
    memset(page, 0, PAGE);
    page[0] = below ? 2 : 10;
    const uint32_t header = below ? 12 : 8, bytes = below ? CELL : sizeof record;
    const uint32_t content = USED - CELLS * bytes;
    page[3] = CELLS >> 8;
    page[4] = CELLS & 0xFF;
    page[5] = (unsigned char)(content >> 8);
    page[6] = (unsigned char)content;
    if (below) {
        put_big(page + 8, below);
    }
    for (uint32_t i = 0; i < CELLS; i++) {
        const uint32_t at = content + i * bytes;
        page[header + 2 * i] = (unsigned char)(at >> 8);
        page[header + 2 * i + 1] = (unsigned char)at;
        if (below) {
            put_big(page + at, below);
        }
        memcpy(page + at + (below ? 4 : 0), record, sizeof record);
    }
    trn_number_write(page + USED, XXH3_64bits_withSeed(page, USED, (uint64_t)(number - 1) * PAGE),
                     8);
}

static void count_fault(void *user, const char *sentence)
{
    ++*(uint32_t *)user;
    (void)sentence;
}

static bool refuse(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    (void)done;
    (void)total;
    return false;
}

static bool pass_row(void *user, const TrnStorageRow *row)
{
    ++*(uint64_t *)user;
    (void)row;
    return true;
}

static void pages_that_lead_in_circles_end(void **state)
{
    SaveWorld *world = *state;
    static unsigned char page[PAGE], first[PAGE];
    FILE *file = fopen(world->file, "r+b");
    assert_non_null(file);
    assert_int_equal(fread(first, 1, PAGE, file), PAGE);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const uint32_t pages = (uint32_t)(ftell(file) / PAGE);
    put_big(first + 28, pages + CIRCLE_PAGES - 1);
    trn_number_write(first + PAGE - 8, XXH3_64bits_withSeed(first, PAGE - 8, 0), 8);
    for (uint32_t i = 0; i < CIRCLE_PAGES; i++) { // page 3 is the root of the index
        const uint32_t number = i ? pages + i : 3;
        make_circle(page, i + 1 < CIRCLE_PAGES ? pages + i + 1 : 0, number);
        assert_int_equal(fseek(file, (long)(number - 1) * PAGE, SEEK_SET), 0);
        assert_int_equal(fwrite(page, 1, PAGE, file), PAGE);
    }
    rewind(file);
    assert_int_equal(fwrite(first, 1, PAGE, file), PAGE);
    assert_int_equal(fclose(file), 0);
    TrnStorage storage;
    uint64_t rows = 0;
    uint32_t faults = 0;
    const TrnStorageRange range = {.box = {{-9, -9, -9}, {9, 9, 9}}, .since = 1000000};
    (void)alarm(60);
    assert_int_equal(
        trn_storage_sqlite(world->file, TRN_STORAGE_READ_ONLY, &storage, &world->problem),
        TRN_RESULT_OK);
    assert_int_equal(storage.list(storage.user, &range, pass_row, &rows), TRN_RESULT_CORRUPT);
    (void)trn_storage_sqlite_check(&storage, NULL, count_fault, &faults);
    assert_int_equal(trn_storage_sqlite_watch_reads(&storage, (TrnStorageProgress){refuse, NULL}),
                     TRN_RESULT_OK);
    assert_int_equal(storage.list(storage.user, &range, pass_row, &rows), TRN_RESULT_IO);
    storage.close(storage.user);
    (void)alarm(0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, save_world_setup, save_world_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(what_is_no_regular_file_is_refused_at_once),
                                       TEST(a_log_that_is_no_regular_file_is_refused),
                                       TEST(a_journal_neither_changes_a_world_nor_removes_a_file),
                                       TEST(reading_leaves_nothing_beside_a_world),
                                       TEST(a_log_of_a_killed_program_is_read_and_kept),
                                       TEST(a_folder_that_may_only_be_read_is_enough),
                                       TEST(tables_that_are_not_those_of_a_world_are_refused),
                                       TEST(a_database_of_another_program_stays_as_it_is),
                                       TEST(pages_that_lead_in_circles_end)};
    return cmocka_run_group_tests_name("save_hostile_file", tests, NULL, NULL);
}
