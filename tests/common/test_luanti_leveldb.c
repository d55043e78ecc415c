/// Worlds of Luanti in LevelDB: their map blocks are copied as they are, nothing is written to the
/// source, and what is in use or damaged ends in a sentence.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <leveldb/c.h>

#include "import/luanti_map.h"
#include "luanti_map.h"

enum { EDGE = 48, ROUNDS = 40, COPIED = 65536 };

// ---- reads of the files that are copied
// -----------------------------------------------------------

static int reads;
static bool reads_fail;

// NOLINTBEGIN(bugprone-reserved-identifier): the linker chooses the names
size_t __real_fread(void *bytes, size_t size, size_t count, FILE *file);
size_t __wrap_fread(void *bytes, size_t size, size_t count, FILE *file);
size_t __wrap_fread(void *bytes, size_t size, size_t count, FILE *file)
{
    reads += count == COPIED;
    if (reads_fail && count == COPIED) {
        const int null = open("/dev/null", O_WRONLY | O_CLOEXEC); // no file to read from
        assert_int_equal(dup2(null, fileno(file)), fileno(file));
        (void)close(null);
    }
    return __real_fread(bytes, size, count, file);
}
// NOLINTEND(bugprone-reserved-identifier)

// -------------------------------------------------------------------------------------------------

/// Runs a shell command in the folder.
static void run(Place *place, const char *line)
{
    char command[2048];
    const int length =
        snprintf(command, sizeof command, "cd '%s' && { %s; } 2>&1", place->folder, line);
    assert_in_range(length, 1, (int)sizeof command - 1);
    if (place_run(place, command) != 0) {
        fail_msg("'%s' failed: %s", line, place->text);
    }
}

/// Writes a map of some blocks as map.sqlite, and its rows into map.db, many times over, so that
/// tables, a log and old versions are there.
static void make_world(Place *place)
{
    static LuantiMap map;
    char path[PLACE_PATH];
    char *fault = NULL;
    map = (LuantiMap){.version = 29, .id_bytes = 2};
    for (int x = -EDGE / 2; x < EDGE / 2; x++) {
        for (int z = -EDGE / 2; z < EDGE / 2; z++) {
            luanti_set(&map, x, 4, z, "default:stone");
        }
    }
    luanti_save(&map, place_path(place, "map.sqlite", path), false);
    run(place, "mkdir w && printf 'gameid = minetest\\n backend = leveldb \\n"
               "static_spawnpoint = (1, 2, 3)\\n' >w/world.mt");
    leveldb_options_t *options = leveldb_options_create();
    leveldb_options_set_create_if_missing(options, 1);
    leveldb_options_set_write_buffer_size(options, 65536);
    leveldb_t *db = leveldb_open(options, place_path(place, "w/map.db", path), &fault);
    assert_null(fault);
    sqlite3 *rows;
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_open(place_path(place, "map.sqlite", path), &rows), SQLITE_OK);
    for (int round = 0; round < ROUNDS; round++) {
        assert_int_equal(sqlite3_prepare_v2(rows, "SELECT pos, data FROM blocks", -1, &row, NULL),
                         SQLITE_OK);
        leveldb_writeoptions_t *how = leveldb_writeoptions_create();
        while (sqlite3_step(row) == SQLITE_ROW) {
            const char *const bytes = sqlite3_column_blob(row, 1);
            const char *const key = (const char *)sqlite3_column_text(row, 0);
            // An older version is other bytes.
            leveldb_put(db, how, key, strlen(key), round + 1 < ROUNDS ? key : bytes,
                        round + 1 < ROUNDS ? strlen(key) : (size_t)sqlite3_column_bytes(row, 1),
                        &fault);
            assert_null(fault);
        }
        leveldb_put(db, how, "no number", 9, "x", 1, &fault);
        leveldb_writeoptions_destroy(how);
        assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
    }
    assert_int_equal(sqlite3_close(rows), SQLITE_OK);
    leveldb_close(db);
    leveldb_options_destroy(options);
}

static bool unpack(const Place *place, UnpackDef def, Unpacked *unpacked, Message *problem)
{
    char path[PLACE_PATH], beside[PLACE_PATH];
    def.path = place_path(place, "w", path);
    def.beside = place_path(place, "a.world", beside);
    def.bytes_max = def.bytes_max ? def.bytes_max : UNPACKED_BYTES_MAX;
    return luanti_map_unpack(unpacked, &def, problem);
}

/// Checks that unpacking fails with some words, and leaves nothing.
static void expect_refused(const Place *place, UnpackDef def, const char *words)
{
    Unpacked unpacked;
    Message problem;
    if (unpack(place, def, &unpacked, &problem) || !strstr(problem.text, words)) {
        fail_msg("'%s' lacks '%s'", problem.text, words);
    }
    unpacked_remove(&unpacked);
    assert_int_equal(unpacked.folder[0], '\0');
}

#define LISTING                                                                                    \
    "{ find w -printf '%%p %%s %%T@ %%n\\n' | sort; find w -type f | sort | xargs cat; } "

static void a_map_is_copied_and_its_source_stays(void **state)
{
    Place *place = *state;
    Unpacked unpacked;
    Message problem;
    char line[2 * PLACE_PATH];
    make_world(place);
    (void)snprintf(line, sizeof line, LISTING ">before");
    run(place, line);
    char path[PLACE_PATH];
    assert_true(luanti_map_is_elsewhere(place_path(place, "w", path)));
    if (!unpack(place, (UnpackDef){.goes_on = NULL}, &unpacked, &problem)) {
        fail_msg("%s", problem.text);
    }
    (void)snprintf(line, sizeof line, LISTING ">after; cmp before after && cat %s/world.mt",
                   strrchr(unpacked.source, '/') + 1);
    run(place, line);
    assert_string_equal(place->text, "gameid = minetest\nstatic_spawnpoint = (1, 2, 3)\n");
    char copy[UNPACKED_PATH_MAX + 320];
    (void)snprintf(copy, sizeof copy, "%s/map.sqlite", unpacked.source);
    sqlite3 *db;
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_open(copy, &db), SQLITE_OK);
    char attach[PLACE_PATH + 32], original[PLACE_PATH];
    (void)snprintf(attach, sizeof attach, "ATTACH '%s' AS o",
                   place_path(place, "map.sqlite", original));
    luanti_run(db, attach);
    assert_int_equal(
        sqlite3_prepare_v2(db,
                           "SELECT (SELECT count(*) FROM blocks), (SELECT count(*) FROM o.blocks), "
                           "(SELECT count(*) FROM blocks AS b JOIN o.blocks AS p "
                           "ON b.pos = p.pos AND b.data = p.data)",
                           -1, &row, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    assert_true(sqlite3_column_int(row, 0) >= 9);
    assert_int_equal(sqlite3_column_int(row, 0), sqlite3_column_int(row, 1));
    assert_int_equal(sqlite3_column_int(row, 0), sqlite3_column_int(row, 2));
    assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    unpacked_remove(&unpacked);
    run(place, "ls -A");
    assert_null(strstr(place->text, "terrane-tmp"));
}

static bool stop(void *user)
{
    (void)user;
    return false;
}

static void what_cannot_be_read_ends_in_a_sentence(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    make_world(place);
    expect_refused(place, (UnpackDef){.bytes_max = 100}, "larger than");
    expect_refused(place, (UnpackDef){.goes_on = stop}, "stopped");
    // Another program has it open.
    int said[2];
    assert_int_equal(pipe(said), 0);
    const pid_t child = fork();
    if (child == 0) {
        char *fault = NULL;
        leveldb_t *db =
            leveldb_open(leveldb_options_create(), place_path(place, "w/map.db", path), &fault);
        (void)!write(said[1], db ? "y" : "n", 1);
        for (;;) {
            (void)pause();
        }
    }
    char answer = 'n';
    assert_int_equal(read(said[0], &answer, 1), 1);
    assert_int_equal(answer, 'y');
    expect_refused(place, (UnpackDef){.goes_on = NULL}, "in use; end Luanti");
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    (void)close(said[0]);
    (void)close(said[1]);
    run(place, "cp -a w whole; ln -s /etc/passwd w/map.db/000999.ldb");
    expect_refused(place, (UnpackDef){.goes_on = NULL}, "none of LevelDB's");
    run(place, "rm -r w; cp -a whole w; mkfifo w/map.db/000999.log");
    expect_refused(place, (UnpackDef){.goes_on = NULL}, "none of LevelDB's");
    run(place, "rm -r w; cp -a whole w; echo nonsense >w/map.db/CURRENT");
    expect_refused(place, (UnpackDef){.goes_on = NULL}, "Cannot read the map");
    static const char *const currents[] = {"../../../../../../../../../../../../dev/zero",
                                           "../../fifo", "MANIFEST-", "MANIFEST-000002/../000999"};
    run(place, "mkfifo fifo"); // which nobody writes
    for (size_t i = 0; i < sizeof currents / sizeof *currents; i++) {
        char line[256];
        (void)snprintf(line, sizeof line, "rm -r w; cp -a whole w; echo '%s' >w/map.db/CURRENT",
                       currents[i]);
        run(place, line);
        expect_refused(place, (UnpackDef){.goes_on = NULL}, "CURRENT names none");
    }
    run(place, "rm -r w; cp -a whole w; printf MANIFEST-000002 >w/map.db/CURRENT");
    expect_refused(place, (UnpackDef){.goes_on = NULL}, "CURRENT names none");
    run(place, "rm -r w; cp -a whole w; rm w/map.db/*.ldb w/map.db/*.sst 2>/dev/null; true");
    expect_refused(place, (UnpackDef){.goes_on = NULL}, "Cannot read the map");
    // Every file, cut and with other bytes.
    run(place, "ls whole/map.db");
    char names[sizeof place->text];
    memcpy(names, place->text, sizeof names);
    for (char *name = strtok(names, "\n"); name; name = strtok(NULL, "\n")) {
        for (int cut = 0; cut < 8; cut++) {
            char line[1024];
            (void)snprintf(line, sizeof line,
                           "rm -r w; cp -a whole w; f=w/map.db/%s; s=$(stat -c %%s $f); "
                           "[ %d -lt 4 ] && truncate -s $((s * %d / 4)) $f || "
                           "printf '\\377\\0\\377' | dd of=$f bs=1 seek=$((s * %d / 4)) "
                           "conv=notrunc 2>/dev/null",
                           name, cut, cut % 4, cut % 4);
            run(place, line);
            Unpacked unpacked;
            Message problem = {""};
            const bool is_good = unpack(place, (UnpackDef){.goes_on = NULL}, &unpacked, &problem);
            assert_true(is_good || strlen(problem.text) > 10);
            unpacked_remove(&unpacked);
        }
    }
    run(place, "ls -A");
    assert_null(strstr(place->text, "terrane-tmp"));
}

static void copies_end_if_a_disk_fails_or_the_user_stops(void **state)
{
    Place *place = *state;
    make_world(place);
    reads = 0;
    Unpacked unpacked;
    Message problem = {""};
    assert_true(unpack(place, (UnpackDef){.goes_on = NULL}, &unpacked, &problem));
    unpacked_remove(&unpacked);
    const int all = reads;
    assert_in_range(all, 6, INT32_MAX); // CURRENT, a manifest, and a log, each to its end
    reads = 0;
    expect_refused(place, (UnpackDef){.goes_on = stop}, "stopped");
    assert_in_range(reads, 1, all - 1);
    reads_fail = true;
    expect_refused(place, (UnpackDef){.goes_on = NULL}, strerror(EBADF));
    reads_fail = false;
}

static void other_folders_are_none_of_it(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    make_world(place);
    assert_false(luanti_map_is_elsewhere(place_path(place, "map.sqlite", path)));
    run(place, "echo 'backend = sqlite3' >>w/world.mt"); // the last line counts
    assert_false(luanti_map_is_elsewhere(place_path(place, "w", path)));
    run(place, "echo 'backend=leveldb' >>w/world.mt; rm w/map.db/CURRENT");
    assert_false(luanti_map_is_elsewhere(place_path(place, "w", path)));
    run(place, "mkfifo w/map.db/CURRENT"); // which nobody writes
    assert_false(luanti_map_is_elsewhere(place_path(place, "w", path)));
    run(place, "mkdir p; mkfifo p/world.mt");
    assert_false(luanti_map_is_elsewhere(place_path(place, "p", path)));
    assert_true(luanti_map_is_elsewhere("postgresql:///luanti"));
    run(place, "echo 'backend = postgresql' >>w/world.mt");
    expect_refused(place, (UnpackDef){.goes_on = NULL}, "name the URL of its database");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_map_is_copied_and_its_source_stays, place_make,
                                        place_remove),
        cmocka_unit_test_setup_teardown(what_cannot_be_read_ends_in_a_sentence, place_make,
                                        place_remove),
        cmocka_unit_test_setup_teardown(copies_end_if_a_disk_fails_or_the_user_stops, place_make,
                                        place_remove),
        cmocka_unit_test_setup_teardown(other_folders_are_none_of_it, place_make, place_remove)};
    return cmocka_run_group_tests_name("luanti_leveldb", tests, NULL, NULL);
}
