/// The start screen lists a folder of forty files that strangers made: each is refused with its
/// reason or shown, in time, and no file of the folder changes or goes.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"

#include <sys/stat.h>

#include <start/worlds_folder.h>

#include "sqlite_link.h"

#define FILES_MAX 200
#define SECONDS_MAX 60

/// A file, and what makes it hostile.
typedef struct Hostile {
    const char *name;  ///< without .world
    const char *words; ///< of its reason; NULL: it is shown
    const char *sql;   ///< changes a copy of a good world; NULL: the command makes it
    const char *command;
} Hostile;

#define TABLES "another program has changed its tables"
#define FOREIGN "not a world of Terrane"
#define DAMAGED "damaged"

static const Hostile files[] = {
    {"view", TABLES, "CREATE VIEW v AS SELECT * FROM chunks", NULL},
    {"trigger", TABLES, "CREATE TRIGGER t AFTER INSERT ON chunks BEGIN DELETE FROM world; END",
     NULL},
    {"trigger-update", TABLES,
     "CREATE TRIGGER t AFTER UPDATE ON world BEGIN DELETE FROM chunks; END", NULL},
    {"table", TABLES, "CREATE TABLE other (a)", NULL},
    {"index", TABLES, "CREATE INDEX i ON chunks (revision)", NULL},
    {"index-expression", TABLES, "CREATE INDEX i ON chunks (hex(zeroblob(1000)))", NULL},
    {"column", TABLES, "ALTER TABLE chunks ADD COLUMN more", NULL},
    {"column-generated", TABLES, "ALTER TABLE chunks ADD COLUMN g AS (hex(x))", NULL},
    {"renamed", TABLES, "ALTER TABLE chunks RENAME TO pieces", NULL},
    {"dropped", TABLES, "DROP TABLE world", NULL},
    {"no-tables", TABLES, "DROP TABLE world; DROP TABLE chunks", NULL},
    {"checked", TABLES,
     "DROP TABLE world; CREATE TABLE world (name TEXT PRIMARY KEY, value BLOB NOT NULL, CHECK "
     "(length(value) >= 0)) WITHOUT ROWID",
     NULL},
    {"newer", "update this program", "PRAGMA user_version = 9", NULL},
    {"older", FOREIGN, "PRAGMA user_version = 0", NULL},
    {"other-application", FOREIGN, "PRAGMA application_id = 7", NULL},
    {"format-newer", "update this program",
     "UPDATE world SET value = x'ff000000' WHERE name = 'terrane/format'", NULL},
    {"format-short", "its format", "UPDATE world SET value = x'01' WHERE name = 'terrane/format'",
     NULL},
    {"format-zero", "its format",
     "UPDATE world SET value = x'00000000' WHERE name = 'terrane/format'", NULL},
    {"revision", "no world reaches",
     "INSERT OR REPLACE INTO world VALUES ('terrane/revision', x'feffffffffffff7f')", NULL},
    {"revision-short", "its revision",
     "INSERT OR REPLACE INTO world VALUES ('terrane/revision', x'01')", NULL},
    {"id-highest", NULL, "INSERT INTO world VALUES ('terrane/block/65535', x'613a62')", NULL},
    {"id-beyond", "its blocks", "INSERT INTO world VALUES ('terrane/block/65536', x'613a62')",
     NULL},
    {"id-zero", "its blocks", "INSERT INTO world VALUES ('terrane/block/00000', x'613a62')", NULL},
    {"id-twice", "its blocks",
     "INSERT INTO world VALUES ('terrane/block/00008', x'613a62'), ('terrane/block/00009', "
     "x'613a62')",
     NULL},
    {"id-name", "its blocks", "INSERT INTO world VALUES ('terrane/block/00008', x'1b5b324a')",
     NULL},
    {"spawn", NULL,
     "UPDATE world SET value = CAST('1e300 1e300 1e300' AS BLOB) WHERE name = "
     "'game/terrane/spawn'",
     NULL},
    {"seed", "seed", "UPDATE world SET value = x'ff' WHERE name = 'game/terrane/seed'", NULL},
    {"terrain", "terrain",
     "UPDATE world SET value = zeroblob(900) WHERE name = 'game/terrane/terrain'", NULL},
    {"land-newer", "newer program",
     "UPDATE world SET value = CAST('999' AS BLOB) WHERE name = 'game/terrane/version'", NULL},
    {"copying", "not complete", "INSERT INTO world VALUES ('terrane/copying', x'31')", NULL},
    {"picture", NULL, "INSERT INTO world VALUES ('game/viewer/picture', zeroblob(5000000))", NULL},
    {"preset", NULL, "UPDATE world SET value = x'1b5b324a' WHERE name = 'game/terrane/preset'",
     NULL},
    {"pipe", "no", NULL, "mkfifo pipe.world"},
    {"link-to-pipe", "no", NULL, "ln -s pipe.world link-to-pipe.world"},
    {"folder", "no", NULL, "mkdir folder.world"},
    {"device", "no", NULL, "ln -s /dev/zero device.world"},
    {"nowhere", "", NULL, "ln -s missing nowhere.world"},
    {"empty", "", NULL, ": > empty.world"},
    {"text", FOREIGN, NULL, "yes hostile | head -c 9000 > text.world"},
    {"cut", DAMAGED, NULL, "head -c 5000 good.world > cut.world"},
    {"torn", DAMAGED, NULL,
     "cp good.world torn.world; printf x | dd of=torn.world bs=1 seek=200 conv=notrunc "
     "2>/dev/null"},
    {"log-pipe", "-wal", NULL, "cp good.world log-pipe.world; mkfifo log-pipe.world-wal"},
    {"log-link", "-wal", NULL, "cp good.world log-link.world; ln -s victim log-link.world-wal"},
    {"journal", NULL, NULL, "cp good.world journal.world; cp hot journal.world-journal"},
    {"journal-empty", "", NULL, ": > journal-empty.world; cp hot journal-empty.world-journal"},
};
#define FILE_COUNT (sizeof files / sizeof *files)

static void put_big(unsigned char *bytes, uint32_t number)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(number >> (24 - 8 * i));
    }
}

/// Writes a journal that SQLite would roll back, to then remove the file `victim`.
static void write_hot_journal(const Place *place)
{
    static const unsigned char magic[] = {0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7};
    static unsigned char bytes[1024];
    char victim[PLACE_PATH], path[PLACE_PATH];
    const size_t length = strlen(place_path(place, "victim", victim));
    uint32_t sum = 0;
    memcpy(bytes, magic, sizeof magic);
    put_big(bytes + 16, 6);
    put_big(bytes + 20, 512);
    put_big(bytes + 24, 4096);
    put_big(bytes + 512, 0x40000000 / 4096 + 1);
    memcpy(bytes + 516, victim, length);
    for (size_t i = 0; i < length; i++) {
        sum += (unsigned char)victim[i];
    }
    put_big(bytes + 516 + length, (uint32_t)length);
    put_big(bytes + 520 + length, sum);
    memcpy(bytes + 524 + length, magic, sizeof magic);
    FILE *file = fopen(place_path(place, "hot", path), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, 532 + length, file), 532 + length);
    assert_int_equal(fclose(file), 0);
}

static void make_good_world(const Place *place)
{
    char path[PLACE_PATH];
    Message problem;
    WorldFile file;
    TrnSaveDef def = trn_save_def();
    assert_int_equal(trn_block_types_create_builtin(NULL, &def.types), TRN_RESULT_OK);
    def.has_thread = false;
    if (!world_file_open(&file, place_path(place, "good.world", path), TRN_STORAGE_CREATE, &def,
                         NULL, &problem)) {
        fail_msg("%s", problem.text);
    }
    assert_int_equal(world_file_close(&file), TRN_RESULT_OK);
    trn_block_types_destroy(def.types);
}

static void run(Place *place, const char *line)
{
    char command[512];
    (void)snprintf(command, sizeof command, "cd '%s' && { %s; }", place->folder, line);
    if (place_run(place, command) != 0) {
        fail_msg("%s: %s", line, place->text);
    }
}

static void make_file(Place *place, const Hostile *hostile)
{
    char name[64], line[128], path[PLACE_PATH];
    if (!hostile->sql) {
        run(place, hostile->command);
        return;
    }
    sqlite3 *db;
    char *problem = NULL;
    (void)snprintf(name, sizeof name, "%s.world", hostile->name);
    (void)snprintf(line, sizeof line, "cp good.world %s", name);
    run(place, line);
    assert_int_equal(trn_pages_register(), SQLITE_OK);
    assert_int_equal(
        sqlite3_open_v2(place_path(place, name, path), &db, SQLITE_OPEN_READWRITE, TRN_PAGES_VFS),
        SQLITE_OK);
    if (sqlite3_exec(db, hostile->sql, NULL, NULL, &problem) != SQLITE_OK) {
        fail_msg("%s: %s", hostile->sql, problem);
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/// The names, kinds, times and contents of all files of the folder.
static void note_folder(Place *place, char *text, size_t size)
{
    run(place, "ls -la --time-style=full-iso | tail -n +4; find . -type f | sort | xargs cksum");
    (void)snprintf(text, size, "%s", place->text);
    assert_true(strlen(text) > 2000 && strlen(text) + 1 < size);
}

static const WorldEntry *find(const WorldsFolder *folder, const char *name)
{
    for (size_t i = 0; i < folder->count; i++) {
        if (strcmp(folder->worlds[i].name, name) == 0) {
            return &folder->worlds[i];
        }
    }
    fail_msg("%s is not listed", name);
    return NULL;
}

static void forty_hostile_files_are_told_and_left_alone(void **state)
{
    Place *place = *state;
    static char before[32768], after[32768];
    WorldsFolder folder;
    make_good_world(place);
    place_write(place, "victim", "a user's own file");
    write_hot_journal(place);
    for (size_t i = 0; i < FILE_COUNT; i++) {
        make_file(place, &files[i]);
    }
    note_folder(place, before, sizeof before);
    (void)alarm(SECONDS_MAX);
    worlds_folder_list(&folder, place->folder);
    while (worlds_folder_read_next(&folder)) {
    }
    (void)alarm(0);
    assert_true(FILE_COUNT >= 40);
    for (size_t i = 0; i < FILE_COUNT; i++) {
        const WorldEntry *entry = find(&folder, files[i].name);
        const bool is_refused = entry->state == WORLD_REFUSED;
        print_message("  %-17s %s\n", files[i].name, is_refused ? entry->reason.text : "is shown");
        if (is_refused != (files[i].words != NULL) ||
            (is_refused && (!*entry->reason.text || !strstr(entry->reason.text, files[i].words)))) {
            fail_msg("%s: not '%s'", files[i].name, files[i].words ? files[i].words : "shown");
        }
    }
    assert_int_equal(find(&folder, "good")->state, WORLD_GOOD);
    assert_string_equal(find(&folder, "preset")->facts.preset, "\\x1B[2J");
    worlds_folder_free(&folder);
    note_folder(place, after, sizeof after);
    assert_string_equal(before, after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(
        forty_hostile_files_are_told_and_left_alone, place_make, place_remove)};
    return cmocka_run_group_tests_name("hostile_worlds", tests, NULL, NULL);
}
