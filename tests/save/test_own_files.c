/// A world's file is open for writing once, by whichever name; and nothing is removed or replaced
/// but what the process itself created.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"
#include "storage_cases.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <terrane/repair.h>
#include <terrane/storage.h>

static const TrnStorageKey somewhere = {{7, 8, 9}, 0};

/// What came of opening a file.
typedef struct Opened {
    TrnResult result;
    TrnStorageProblem problem;
    TrnStorage storage;
} Opened;

static Opened open_file(const Place *place, const char *name, TrnStorageMode mode)
{
    char path[PLACE_PATH];
    Opened opened = {.result = TRN_RESULT_OK};
    opened.result =
        trn_storage_sqlite(place_path(place, name, path), mode, &opened.storage, &opened.problem);
    return opened;
}

static void close_file(Opened *opened)
{
    if (opened->result == TRN_RESULT_OK) {
        opened->storage.close(opened->storage.user);
    }
}

/// Opens a file, and closes it. @return the result
static TrnResult try_file(const Place *place, const char *name, TrnStorageMode mode,
                          const char *says)
{
    Opened opened = open_file(place, name, mode);
    close_file(&opened);
    if (says && !strstr(opened.problem.sentence, says)) {
        fail_msg("%s: '%s' does not say '%s'", name, opened.problem.sentence, says);
    }
    return opened.result;
}

static void put_text(const Opened *opened, const char *text)
{
    const Fixture fixture = {.storage = opened->storage};
    const TrnStorageRow row = row_of(somewhere, 5, text);
    assert_int_equal(put_row(&fixture, &row), TRN_RESULT_OK);
}

static void make_world(const Place *place, const char *name, const char *text)
{
    Opened opened = open_file(place, name, TRN_STORAGE_CREATE);
    if (opened.result != TRN_RESULT_OK) {
        fail_msg("%s", opened.problem.sentence);
    }
    put_text(&opened, text);
    close_file(&opened);
}

static void expect_world(const Place *place, const char *name, const char *text)
{
    Opened opened = open_file(place, name, TRN_STORAGE_READ_ONLY);
    if (opened.result != TRN_RESULT_OK) {
        fail_msg("%s", opened.problem.sentence);
    }
    const Fixture fixture = {.storage = opened.storage};
    assert_string_equal(get(&fixture, somewhere).text, text);
    close_file(&opened);
}

static void expect_text(const Place *place, const char *name, const char *expected)
{
    char path[PLACE_PATH], text[64];
    FILE *file = fopen(place_path(place, name, path), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    assert_string_equal(text, expected);
}

static bool exists(const Place *place, const char *name)
{
    struct stat status;
    char path[PLACE_PATH];
    return lstat(place_path(place, name, path), &status) == 0;
}

/// A process that has a file open.
typedef struct Holder {
    pid_t process;
    int ends; ///< it closes the file when this is closed
} Holder;

/// Opens a file in another process, before this one opens it: a child knows its parent's.
static Holder hold_elsewhere(const Place *place, const char *name, TrnStorageMode mode)
{
    int ready[2], ends[2];
    char byte = 0;
    assert_int_equal(pipe(ready) | pipe(ends), 0);
    const Holder holder = {fork(), ends[1]};
    assert_true(holder.process >= 0);
    if (holder.process == 0) {
        close(ends[1]);
        Opened opened = open_file(place, name, mode);
        if (opened.result != TRN_RESULT_OK || write(ready[1], &byte, 1) != 1) {
            _exit(1);
        }
        (void)!read(ends[0], &byte, 1);
        close_file(&opened);
        _exit(0);
    }
    close(ready[1]);
    close(ends[0]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return holder;
}

static void end_holder(Holder holder)
{
    int status = 0;
    close(holder.ends);
    assert_int_equal(waitpid(holder.process, &status, 0), holder.process);
    assert_int_equal(status, 0);
}

// ---- locks -------------------------------------------------------------------------------------

static void a_world_is_written_once_by_whichever_name(void **state)
{
    const Place *place = *state;
    char link[PLACE_PATH], folder[PLACE_PATH];
    make_world(place, "a.world", "kept");
    assert_int_equal(symlink("a.world", place_path(place, "link.world", link)), 0);
    assert_int_equal(symlink(".", place_path(place, "folder", folder)), 0);
    static const char *const names[] = {"a.world", "link.world", "folder/a.world",
                                        "folder/folder/link.world"};
    for (size_t i = 0; i < 8; i++) { // in another process, and in this one
        Holder holder = {0};
        Opened opened = {.result = TRN_RESULT_IO};
        if (i < 4) {
            holder = hold_elsewhere(place, names[i], TRN_STORAGE_OPEN);
        } else {
            opened = open_file(place, names[i % 4], TRN_STORAGE_OPEN);
            assert_int_equal(opened.result, TRN_RESULT_OK);
        }
        for (size_t j = 0; j < 4; j++) {
            assert_int_equal(try_file(place, names[j], TRN_STORAGE_OPEN, "another program has it"),
                             TRN_RESULT_BUSY);
            assert_int_equal(try_file(place, names[j], TRN_STORAGE_EITHER, NULL), TRN_RESULT_BUSY);
            assert_int_equal(try_file(place, names[j], TRN_STORAGE_READ_ONLY, NULL), TRN_RESULT_OK);
            assert_true(trn_storage_sqlite_is_in_use(place_path(place, names[j], link)));
        }
        if (i < 4) {
            end_holder(holder);
        }
        close_file(&opened);
        assert_false(trn_storage_sqlite_is_in_use(place_path(place, names[i % 4], link)));
    }
    assert_false(exists(place, "link.world-wal") || exists(place, "a.world-lock"));
}

#define SQLITE_SHARED_AT 0x40000002 // bytes that SQLite locks: of a database that is open,
#define SQLITE_INDEX_AT 128         // and of an index that is

/// Whether this process has a byte of a file locked, as another process sees it.
static bool is_locked(const char *path, off_t at)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};
        const int file = open(path, O_RDONLY);
        _exit(file < 0 || fcntl(file, F_GETLK, &lock) != 0 ? 2 : lock.l_type != F_UNLCK);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    return WEXITSTATUS(status) == 1;
}

/// Were a descriptor of the file closed meanwhile, SQLite's locks would end: another process that
/// closes the world would take itself for the last, and remove the log that is in use.
static void failed_openings_leave_sqlites_locks(void **state)
{
    const Place *place = *state;
    char path[PLACE_PATH], log[PLACE_PATH], index[PLACE_PATH];
    struct stat before, after;
    (void)place_path(place, "a.world", path);
    (void)place_path(place, "a.world-shm", index);
    make_world(place, "a.world", "old");
    Opened opened = open_file(place, "a.world", TRN_STORAGE_OPEN);
    put_text(&opened, "first");
    assert_int_equal(stat(place_path(place, "a.world-wal", log), &before), 0);
    assert_true(is_locked(path, SQLITE_SHARED_AT) && is_locked(index, SQLITE_INDEX_AT));
    for (int i = 0; i < 20; i++) {
        assert_int_equal(try_file(place, "a.world", TRN_STORAGE_OPEN, NULL), TRN_RESULT_BUSY);
        assert_int_equal(try_file(place, "a.world", TRN_STORAGE_CREATE, NULL), TRN_RESULT_EXISTS);
        assert_int_equal(try_file(place, "a.world", TRN_STORAGE_READ_ONLY, NULL), TRN_RESULT_OK);
    }
    assert_true(is_locked(path, SQLITE_SHARED_AT) && is_locked(index, SQLITE_INDEX_AT));
    assert_int_equal(stat(log, &after), 0);
    assert_int_equal(after.st_ino, before.st_ino);
    put_text(&opened, "second");
    expect_world(place, "a.world", "second");
    close_file(&opened);
    expect_world(place, "a.world", "second");
}

/// Descriptors that cannot be closed yet are used again.
static void descriptors_do_not_gather(void **state)
{
    const Place *place = *state;
    make_world(place, "a.world", "kept");
    Opened opened = open_file(place, "a.world", TRN_STORAGE_OPEN);
    assert_int_equal(try_file(place, "a.world", TRN_STORAGE_READ_ONLY, NULL), TRN_RESULT_OK);
    const int first = open("/dev/null", O_RDONLY);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(try_file(place, "a.world", TRN_STORAGE_READ_ONLY, NULL), TRN_RESULT_OK);
        assert_int_equal(try_file(place, "a.world", TRN_STORAGE_OPEN, NULL), TRN_RESULT_BUSY);
    }
    const int last = open("/dev/null", O_RDONLY);
    assert_in_range(last, first, first + 3);
    close(first);
    close(last);
    close_file(&opened);
}

static void a_world_of_two_names_is_refused(void **state)
{
    const Place *place = *state;
    char path[PLACE_PATH], other[PLACE_PATH];
    make_world(place, "a.world", "kept");
    (void)place_path(place, "a.world", path);
    assert_int_equal(link(path, place_path(place, "b.world", other)), 0);
    for (int mode = TRN_STORAGE_OPEN; mode <= TRN_STORAGE_READ_ONLY; mode++) {
        if (mode != TRN_STORAGE_CREATE) {
            assert_int_equal(try_file(place, "a.world", (TrnStorageMode)mode, "hard links"),
                             TRN_RESULT_IO);
        }
    }
    assert_int_equal(unlink(other), 0);
    expect_world(place, "a.world", "kept");
}

// ---- files beside a world ----------------------------------------------------------------------

static void a_new_world_replaces_nothing_beside_it(void **state)
{
    const Place *place = *state;
    static const char *const names[] = {"a-lock", "a-part"};
    for (size_t i = 0; i < 2; i++) {
        make_world(place, names[i], names[i]);
    }
    make_world(place, "a", "new");
    for (size_t i = 0; i < 2; i++) {
        expect_world(place, names[i], names[i]);
    }
    place_write(place, "b-wal", "mine");
    place_write(place, "c-shm", "mine");
    assert_int_equal(try_file(place, "b", TRN_STORAGE_CREATE, "b-wal"), TRN_RESULT_IO);
    assert_int_equal(try_file(place, "c", TRN_STORAGE_EITHER, "move the file away"), TRN_RESULT_IO);
    assert_int_equal(try_file(place, "d-wal", TRN_STORAGE_CREATE, "choose another name"),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_false(exists(place, "b") || exists(place, "c") || exists(place, "d-wal"));
    expect_text(place, "b-wal", "mine");
    expect_text(place, "c-shm", "mine");
}

static void an_old_world_replaces_no_file_of_anothers(void **state)
{
    const Place *place = *state;
    make_world(place, "a", "kept");
    make_world(place, "other", "other");
    char path[PLACE_PATH], beside[PLACE_PATH];
    assert_int_equal(rename(place_path(place, "other", path), place_path(place, "a-wal", beside)),
                     0);
    place_write(place, "a-journal", "mine");
    assert_int_equal(try_file(place, "a", TRN_STORAGE_OPEN, "move it away"), TRN_RESULT_IO);
    assert_int_equal(try_file(place, "a", TRN_STORAGE_READ_ONLY, "a-wal"), TRN_RESULT_IO);
    expect_world(place, "a-wal", "other");
    assert_int_equal(unlink(beside), 0);
    expect_world(place, "a", "kept");
    expect_text(place, "a-journal", "mine");
}

/// A file that this call did not create stays, whatever fails.
static void only_a_file_of_ones_own_is_removed(void **state)
{
    const Place *place = *state;
    place_write(place, "empty", "");
    Opened opened = open_file(place, "empty", TRN_STORAGE_EITHER);
    assert_int_equal(opened.result, TRN_RESULT_OK);
    close_file(&opened);
    assert_true(exists(place, "empty"));
}

static void a_world_is_created_where_a_link_leads(void **state)
{
    const Place *place = *state;
    char path[PLACE_PATH];
    struct stat status;
    assert_int_equal(mkdir(place_path(place, "far", path), 0700), 0);
    assert_int_equal(symlink("far/b.world", place_path(place, "a.world", path)), 0);
    make_world(place, "a.world", "kept");
    assert_true(lstat(path, &status) == 0 && S_ISLNK(status.st_mode));
    expect_world(place, "far/b.world", "kept");
    assert_int_equal(try_file(place, "a.world", TRN_STORAGE_CREATE, "already"), TRN_RESULT_EXISTS);
}

// ---- backups -----------------------------------------------------------------------------------

static TrnResult back_up(const Place *place, const char *from, const char *to,
                         const TrnStorageProgress *progress, TrnStorageProblem *problem)
{
    char path[PLACE_PATH];
    Opened opened = open_file(place, from, TRN_STORAGE_READ_ONLY);
    assert_int_equal(opened.result, TRN_RESULT_OK);
    const TrnResult result =
        trn_storage_sqlite_backup(&opened.storage, place_path(place, to, path), progress, problem);
    close_file(&opened);
    return result;
}

static void a_backup_removes_nothing(void **state)
{
    const Place *place = *state;
    TrnStorageProblem problem = {""};
    make_world(place, "a.world", "kept");
    place_write(place, "b-part", "mine");
    place_write(place, "b-part-wal", "mine");
    place_write(place, ".terrane-tmp-abcdef", "mine");
    assert_int_equal(back_up(place, "a.world", "b", NULL, &problem), TRN_RESULT_OK);
    expect_world(place, "b", "kept");
    expect_text(place, "b-part", "mine");
    expect_text(place, "b-part-wal", "mine");
    expect_text(place, ".terrane-tmp-abcdef", "mine");
    assert_int_equal(back_up(place, "a.world", "b", NULL, &problem), TRN_RESULT_EXISTS);
    char link[PLACE_PATH];
    assert_int_equal(symlink("c", place_path(place, "link", link)), 0);
    assert_int_equal(back_up(place, "a.world", "link", NULL, &problem), TRN_RESULT_OK);
    expect_world(place, "c", "kept");
    assert_int_equal(place_count(place), 7);
}

/// A second backup to the same name that ends first.
typedef struct Race {
    const Place *place;
    bool is_done;
    TrnResult result;
} Race;

static bool race_step(void *user, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    Race *race = user;
    if (!race->is_done) {
        TrnStorageProblem problem;
        race->is_done = true;
        race->result = back_up(race->place, "second.world", "b.world", NULL, &problem);
    }
    return true;
}

static void of_two_backups_to_one_name_one_wins(void **state)
{
    const Place *place = *state;
    Race race = {.place = place};
    const TrnStorageProgress progress = {race_step, &race};
    TrnStorageProblem problem = {""};
    make_world(place, "first.world", "first");
    make_world(place, "second.world", "second");
    Opened first = open_file(place, "first.world", TRN_STORAGE_OPEN);
    const Fixture fixture = {.storage = first.storage};
    char text[60] = "more than the pages of one step";
    for (int32_t i = 0; i < 20000; i++) {
        if (i % 1000 == 0) {
            TrnStorageRow rows[1000];
            for (int32_t j = 0; j < 1000; j++) {
                rows[j] = row_of((TrnStorageKey){{i + j, 0, 0}, 0}, 1, text);
            }
            const TrnStorageBatch batch = {.rows = rows, .row_count = 1000};
            assert_int_equal(fixture.storage.put(fixture.storage.user, &batch), TRN_RESULT_OK);
        }
    }
    close_file(&first);
    assert_int_equal(back_up(place, "first.world", "b.world", &progress, &problem),
                     TRN_RESULT_EXISTS);
    assert_true(race.is_done);
    assert_int_equal(race.result, TRN_RESULT_OK);
    assert_non_null(strstr(problem.sentence, "b.world: there is such a file already"));
    expect_world(place, "b.world", "second");
    assert_int_equal(place_count(place), 3); // and nothing temporary
}

static void a_world_in_use_is_not_repaired(void **state)
{
    const Place *place = *state;
    char from[PLACE_PATH], to[PLACE_PATH];
    TrnStorageProblem problem = {""};
    make_world(place, "a.world", "kept");
    Opened opened = open_file(place, "a.world", TRN_STORAGE_OPEN);
    assert_int_equal(trn_repair_sqlite(place_path(place, "a.world", from),
                                       place_path(place, "b.world", to), NULL, NULL, &problem),
                     TRN_RESULT_BUSY);
    assert_non_null(strstr(problem.sentence, "another program has it open"));
    close_file(&opened);
    assert_int_equal(place_count(place), 1);
}

static void a_part_that_fails_leaves_nothing(void **state)
{
    const Place *place = *state;
    char path[PLACE_PATH];
    TrnStoragePart *part;
    TrnStorageProblem problem = {""};
    assert_int_equal(trn_storage_part_begin(place_path(place, "a", path), &part, &problem),
                     TRN_RESULT_OK);
    assert_int_equal(place_count(place), 1);
    assert_int_equal(
        try_file(place, strrchr(trn_storage_part_path(part), '/') + 1, TRN_STORAGE_CREATE, NULL),
        TRN_RESULT_OK);
    assert_int_equal(trn_storage_part_end(part, TRN_RESULT_FULL, &problem), TRN_RESULT_FULL);
    assert_int_equal(place_count(place), 0);
}

static int begin(void **state)
{
    return place_make(state);
}

#define EACH(test) cmocka_unit_test_setup_teardown(test, begin, place_remove)

static TrnResult move_file(const Place *place, const char *from, const char *to, const char *says)
{
    char path[PLACE_PATH], other[PLACE_PATH];
    TrnStorageProblem problem = {""};
    const TrnResult result = trn_storage_sqlite_move(place_path(place, from, path),
                                                     place_path(place, to, other), &problem);
    if (says && !strstr(problem.sentence, says)) {
        fail_msg("%s: '%s' does not say '%s'", from, problem.sentence, says);
    }
    return result;
}

static void a_moved_world_has_all_and_replaces_nothing(void **state)
{
    Place *place = *state;
    make_world(place, "a", "one");
    make_world(place, "b", "two");
    assert_int_equal(move_file(place, "a", "b", NULL), TRN_RESULT_EXISTS);
    expect_world(place, "a", "one");
    expect_world(place, "b", "two");
    Opened opened = open_file(place, "a", TRN_STORAGE_OPEN);
    assert_int_equal(move_file(place, "a", "c", "another program"), TRN_RESULT_BUSY);
    close_file(&opened);
    assert_int_equal(move_file(place, "a", "c", NULL), TRN_RESULT_OK);
    expect_world(place, "c", "one");
    assert_int_equal(try_file(place, "a", TRN_STORAGE_OPEN, NULL), TRN_RESULT_NOT_FOUND);
    assert_int_equal(move_file(place, "a", "d", NULL), TRN_RESULT_NOT_FOUND);
    place_write(place, "text", "mine");
    assert_int_equal(move_file(place, "text", "d", NULL), TRN_RESULT_CORRUPT);
    expect_text(place, "text", "mine");
    assert_int_not_equal(move_file(place, "c", "nowhere/c", NULL), TRN_RESULT_OK);
    expect_world(place, "c", "one");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH(a_world_is_written_once_by_whichever_name),
        EACH(failed_openings_leave_sqlites_locks),
        EACH(descriptors_do_not_gather),
        EACH(a_world_of_two_names_is_refused),
        EACH(a_new_world_replaces_nothing_beside_it),
        EACH(an_old_world_replaces_no_file_of_anothers),
        EACH(only_a_file_of_ones_own_is_removed),
        EACH(a_world_is_created_where_a_link_leads),
        EACH(a_backup_removes_nothing),
        EACH(of_two_backups_to_one_name_one_wins),
        EACH(a_world_in_use_is_not_repaired),
        EACH(a_part_that_fails_leaves_nothing),
        EACH(a_moved_world_has_all_and_replaces_nothing),
    };
    return cmocka_run_group_tests_name("save_own_files", tests, NULL, NULL);
}
