/// The commands of terrane on world files, run as a user would: good worlds, broken ones, files
/// that are none, and interrupts. TERRANE_TOOL is the program's path.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "saved_data.h"
#include "tool_place.h"

#include <signal.h>

#include <cjson/cJSON.h>
#include <terrane/save.h>
#include <terrane/terrain.h>

#define PAGE 4096

/// Runs a command that prints JSON. @return what it printed; the caller deletes it
static cJSON *run_json(Place *place, const char *line, int code)
{
    expect_code(place, line, code);
    cJSON *json = cJSON_Parse(place->text);
    if (!json) {
        fail_msg("'%s' printed no JSON: %s", line, place->text);
    }
    return json;
}

static double number_of(const cJSON *json, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, name);
    if (!cJSON_IsNumber(item)) {
        fail_msg("there is no number '%s'", name);
    }
    return item->valuedouble;
}

/// Returns a number that a command prints as JSON.
static double ask(Place *place, const char *line, int code, const char *name)
{
    cJSON *json = run_json(place, line, code);
    const double number = number_of(json, name);
    cJSON_Delete(json);
    return number;
}

// ---- worlds that are whole ---------------------------------------------------------------------

static void a_new_world_says_what_it_is(void **state)
{
    Place *place = *state;
    expect_code(place, "$T new --seed 18446744073709551615 --preset islands a.world", 0);
    cJSON *json = run_json(place, "$T info --json a.world", 0);
    const cJSON *land = cJSON_GetObjectItem(json, "land");
    assert_string_equal(cJSON_GetObjectItem(land, "seed")->valuestring, "18446744073709551615");
    assert_string_equal(cJSON_GetObjectItem(land, "preset")->valuestring, "islands");
    assert_int_equal((int)number_of(land, "version"), TRN_TERRAIN_VERSION);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "spawn")), 3);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "levels")), 0);
    assert_int_equal((int)number_of(json, "format"), 1);
    assert_int_equal((int)number_of(json, "revision"), 0); // no chunk was written
    cJSON_Delete(json);
    expect_code(place, "$T info a.world", 0);
    assert_non_null(strstr(place->text, "seed 18446744073709551615, preset islands"));
    expect_code(place, "$T verify a.world", 0);
    assert_non_null(strstr(place->text, "0 chunks were read, 0 are damaged."));
}

static void a_world_of_land_is_the_land(void **state)
{
    Place *place = *state;
    expect_code(place, "$T new --seed 7 --radius 3 a.world", 0);
    cJSON *json = run_json(place, "$T info --blocks --json a.world", 0);
    const cJSON *level = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "levels"), 0);
    const double chunks = number_of(level, "chunks");
    assert_true(chunks > 80);
    assert_true(number_of(json, "revision") >= 1);
    double voxels = 0;
    const cJSON *block;
    cJSON_ArrayForEach(block, cJSON_GetObjectItem(json, "blocks"))
    {
        voxels += block->valuedouble;
    }
    assert_true(voxels == chunks * TRN_CHUNK_VOXELS);
    cJSON_Delete(json);
    expect_code(place,
                "$T map --world a.world --center 10,20 --size 99x99 --out a.png && "
                "$T map --seed 7 --center 10,20 --size 99x99 --out b.png && cmp a.png b.png",
                0);
    expect_code(
        place,
        "$T map --world a.world --section --size 99x50 --center 1,2 --out a.png && "
        "$T map --seed 7 --section --size 99x50 --center 1,2 --out b.png && cmp a.png b.png",
        0);
    expect_code(place,
                "$T export --world a.world --box 0,-9,0..40,60,40 --out a.obj && "
                "$T export --seed 7 --box 0,-9,0..40,60,40 --out b.obj && "
                "for i in a b; do grep '^[vf]' $i.obj >$i.txt; done && cmp a.txt b.txt && "
                "test $(stat -c %s a.txt) -gt 999",
                0);
    expect_code(place, "$T export --world a.world --size 32x32 --out c.glb", 0);
}

/// Generates a chunk as the land of seed 7 has it. @return whether it is uniform
static bool generate_land(TrnCoord coord, uint32_t level, TrnBlock *blocks)
{
    TrnTerrainDef def = trn_terrain_def();
    TrnTerrain *terrain;
    bool is_uniform = false;
    def.seed = 7;
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    assert_int_equal(trn_terrain_generate_level(terrain, coord, level, blocks, &is_uniform),
                     TRN_RESULT_OK);
    trn_terrain_destroy(terrain);
    return is_uniform;
}

/// Saves a chunk of level 2 as the land has it.
static void save_distant_land(TrnSave *save, TrnCoord coord)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const bool is_uniform = generate_land(coord, 2, blocks);
    assert_int_equal(trn_save_put(save, coord, 2, blocks, is_uniform), TRN_RESULT_OK);
}

static void a_pruned_world_keeps_what_differs(void **state)
{
    Place *place = *state;
    expect_code(place, "$T new --seed 7 --radius 2 a.world", 0);
    // A player's chunk, and one of level 2.
    char path[PLACE_PATH];
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnStorageProblem problem = {""};
    TrnSaveDef def = trn_save_def();
    TrnSave *save;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = i % 3 ? TRN_BLOCK_GLASS : TRN_BLOCK_AIR;
    }
    assert_int_equal(trn_block_types_create_builtin(NULL, &def.types), TRN_RESULT_OK);
    assert_int_equal(trn_storage_sqlite(place_path(place, "a.world", path), TRN_STORAGE_OPEN,
                                        &def.storage, &problem),
                     TRN_RESULT_OK);
    assert_int_equal(trn_save_create(&def, &save, &problem), TRN_RESULT_OK);
    assert_int_equal(trn_save_put(save, (TrnCoord){0, 3, 0}, 0, blocks, false), TRN_RESULT_OK);
    assert_int_equal(trn_save_put(save, (TrnCoord){0, 0, 0}, 2, blocks, false), TRN_RESULT_OK);
    save_distant_land(save, (TrnCoord){5, 0, 3});
    save_distant_land(save, (TrnCoord){5, 9, 3});
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
    trn_block_types_destroy(def.types);

    expect_code(place, "cp a.world b.world && $T map --world b.world --size 64x64 --out a.png", 0);
    cJSON *json = run_json(place, "$T prune --json b.world", 0);
    assert_true(number_of(json, "removed") == number_of(json, "chunks") - 2);
    cJSON_Delete(json);
    assert_int_equal((int)ask(place, "$T verify --json b.world", 0, "chunks"), 2);
    expect_code(place, "$T info b.world", 0);
    assert_non_null(strstr(place->text, "only changed chunks are saved"));
    expect_code(place, "$T map --world b.world --size 64x64 --out b.png && cmp a.png b.png", 0);
    json = run_json(place, "$T compact --json b.world", 0);
    assert_true(number_of(json, "bytes_after") * 2 < number_of(json, "bytes_before"));
    cJSON_Delete(json);
    expect_code(place, "$T map --world b.world --size 64x64 --out b.png && cmp a.png b.png", 0);
    assert_int_equal((int)ask(place, "$T prune --json b.world", 0, "removed"), 0);

    assert_true(ask(place, "$T fold --json b.world", 0, "folded") > 3); // until it is too small
    const double chunks = ask(place, "$T verify --json b.world", 0, "chunks");
    assert_true(chunks > 2);
    assert_int_equal((int)ask(place, "$T fold --json b.world", 0, "folded"), 0);
    assert_int_equal((int)ask(place, "$T prune --json b.world", 0, "removed"), 0);
}

static TrnResult count_data(void *user, const TrnBlockData *data)
{
    *(uint32_t *)user += data->size;
    return TRN_RESULT_OK;
}

/// Saves a chunk as the land has it, but with block data in one voxel.
static void save_chest(TrnSave *save, TrnCoord coord)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnBlockData chest = {"chest", 5, 1000, TRN_DATA_STAYS};
    const bool is_uniform = generate_land(coord, 0, blocks);
    save_chunk_with_data(save, coord, NULL, blocks, is_uniform, &chest);
}

/// A chunk with block data stays, even where its blocks are those of the land.
static void a_pruned_world_keeps_block_data(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnStorageProblem problem = {""};
    TrnSaveDef def = trn_save_def();
    TrnSave *save;
    expect_code(place, "$T new --seed 7 --radius 1 a.world", 0);
    place_path(place, "a.world", path);
    assert_int_equal(trn_block_types_create_builtin(NULL, &def.types), TRN_RESULT_OK);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(trn_storage_sqlite(path, TRN_STORAGE_OPEN, &def.storage, &problem),
                         TRN_RESULT_OK);
        assert_int_equal(trn_save_create(&def, &save, &problem), TRN_RESULT_OK);
        uint32_t bytes = 0;
        const TrnDataSink sink = {count_data, &bytes};
        const TrnStreamJob job = {.coord = {0, 1, 0}, .data = &sink};
        const TrnStreamSource source = trn_save_source(save);
        bool is_uniform = false;
        if (round == 0) {
            save_chest(save, job.coord);
        } else {
            assert_int_equal(source.load(source.user, &job, blocks, &is_uniform), TRN_RESULT_OK);
            assert_int_equal(bytes, 5);
        }
        assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
        cJSON *json = run_json(place, "$T prune --json a.world", 0);
        const double chunks = number_of(json, "chunks");
        assert_true(round == 0 ? chunks > 1 : chunks == 1);
        assert_true(number_of(json, "removed") == chunks - 1);
        cJSON_Delete(json);
    }
    trn_block_types_destroy(def.types);
}

static void a_world_in_use_is_read_and_copied_but_not_written(void **state)
{
    Place *place = *state;
    // The program is still at it when the other commands come.
    expect_code(
        place,
        "$BARE new --radius 512 a.world >/dev/null 2>&1 & writer=$!; "
        "for i in $(seq 100); do $BARE info a.world >/dev/null 2>&1 && break; sleep 0.05; done; "
        "$T backup a.world b.world && $T verify a.world && $T info a.world; code=$?; "
        "$T compact a.world; echo $?; $T prune a.world; echo $?; "
        "kill -TERM $writer; wait $writer; echo ended $?; exit $code",
        0);
    char *refused = strstr(place->text, "terrane compact: a.world: another program has it open");
    assert_non_null(refused);
    assert_non_null(strstr(refused, "terrane prune: a.world: another program has it open"));
    assert_non_null(strstr(refused, "ended 143"));
    expect_code(place, "$T verify a.world && $T verify b.world", 0);
}

// ---- worlds that are not -----------------------------------------------------------------------

static void flipped_bytes_are_found_and_hurt_nothing_else(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    expect_code(place, "$T new --seed 3 --radius 0 a.world && $T info --blocks --json a.world", 0);
    static char whole[sizeof place->text];
    memcpy(whole, place->text, sizeof whole);
    FILE *file = fopen(place_path(place, "a.world", path), "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    TestRandom random = test_random_seeded(5);
    int found = 0, passed = 0;
    for (long page = 0; page < size / PAGE; page++) {
        const long at = page * PAGE + (long)(test_random_next(&random) % PAGE);
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        const int byte = fgetc(file);
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        assert_int_not_equal(fputc(byte ^ 0x10, file), EOF);
        assert_int_equal(fflush(file), 0);
        const int code = run_shell(place, "$T verify a.world");
        if (code == 0) { // a page that nothing uses
            passed++;
            expect_code(place, "$T info --blocks --json a.world", 0);
            assert_string_equal(place->text, whole);
        } else {
            found++;
            assert_int_equal(code, 1);
            assert_true(strstr(place->text, "damaged") || strstr(place->text, "no world") ||
                        strstr(place->text, "not a world"));
        }
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        assert_int_not_equal(fputc(byte, file), EOF);
        assert_int_equal(fflush(file), 0);
    }
    assert_int_equal(fclose(file), 0);
    assert_true(found > 3 * passed);
    expect_code(place, "$T verify a.world", 0);
}

static void a_broken_world_is_repaired(void **state)
{
    Place *place = *state;
    expect_code(place, "$T new --seed 3 --radius 2 a.world", 0);
    const double chunks = ask(place, "$T verify --json a.world", 0, "chunks");
    // The header, and a page in the middle.
    expect_code(place,
                "dd if=/dev/zero of=a.world bs=4096 count=1 conv=notrunc 2>/dev/null && "
                "dd if=/dev/urandom of=a.world bs=4096 seek=40 count=1 conv=notrunc 2>/dev/null",
                0);
    expect_code(place, "$T verify a.world", 1);
    expect_code(place, "$T info a.world", 1);
    cJSON *json = run_json(place, "$T repair --json a.world b.world", 0);
    const double saved = number_of(json, "chunks");
    assert_true(saved >= chunks - 10 && saved <= chunks);
    assert_true(number_of(json, "lost_names") == 0);
    cJSON_Delete(json);
    assert_true(ask(place, "$T verify --json b.world", 0, "chunks") == saved);
    // Its land is still known.
    expect_code(place, "$T map --world b.world --size 64x64 --out a.png", 0);
    expect_code(place, "$T info b.world", 0);
    assert_non_null(strstr(place->text, "seed 3, preset default"));
    // The new file is never an existing one.
    expect_code(place, "$T repair a.world b.world", 1);
    assert_non_null(strstr(place->text, "there is such a file already"));
}

static void verify_lists_the_chunks_of_a_damaged_page(void **state)
{
    Place *place = *state;
    expect_code(place, "$T new --seed 3 --radius 3 a.world", 0);
    const double chunks = ask(place, "$T verify --json a.world", 0, "chunks");
    char line[256];
    int listed = 0;
    for (int page = 20; page < 26; page++) {
        (void)snprintf(line, sizeof line,
                       "cp a.world b.world && dd if=/dev/zero of=b.world bs=4096 seek=%d count=1 "
                       "conv=notrunc 2>/dev/null",
                       page);
        expect_code(place, line, 0);
        expect_code(place, "$T verify --json b.world 2>/dev/null", 1);
        cJSON *json = cJSON_Parse(place->text);
        assert_non_null(json);
        const cJSON *whole = cJSON_GetObjectItem(json, "whole");
        assert_true(cJSON_IsFalse(whole));
        const double damaged = number_of(json, "damaged");
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "damaged_chunks")),
                         (int)damaged);
        if (damaged > 0 && damaged < 20) { // no page of the list of chunks
            assert_true(number_of(json, "chunks") == chunks);
            listed++;
        }
        cJSON_Delete(json);
    }
    assert_true(listed >= 3);
}

static void what_is_no_world_is_told_in_a_sentence(void **state)
{
    Place *place = *state;
    expect_code(place,
                "mkdir folder && : > empty && echo text > text && "
                "head -c 50000 /dev/urandom > random && $T new --radius 0 a.world && "
                "head -c 9000 a.world > cut && head -c 50 a.world > short",
                0);
    static const char *const files[] = {"folder", "empty", "text",   "random",
                                        "cut",    "short", "missing"};
    static const char *const commands[] = {"info",    "verify", "prune",      "fold",
                                           "compact", "backup", "map --world"};
    const int before = place_count(place);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        for (size_t j = 0; j < sizeof commands / sizeof *commands; j++) {
            const bool is_backup = strcmp(commands[j], "backup") == 0;
            char line[128];
            (void)snprintf(line, sizeof line, "$T %s %s %s", commands[j], files[i],
                           is_backup ? "copy" : "");
            const int code = run_shell(place, line);
            // A cut file may pass for a moment, when nothing that is missing is looked at.
            const bool may_pass = strcmp(files[i], "cut") == 0 || strcmp(files[i], "short") == 0 ||
                                  strcmp(files[i], "empty") == 0;
            if (code != 1 && !(may_pass && code == 0)) {
                fail_msg("'%s' ended with %d: %s", line, code, place->text);
            }
            assert_true(code == 0 || (strncmp(place->text, "terrane ", 8) == 0 ||
                                      strstr(place->text, "\nterrane ")));
            expect_code(place, "rm -f copy map.png *-wal *-shm *-journal", 0);
        }
        char line[128];
        (void)snprintf(line, sizeof line, "$T repair %s copy; test ! -e copy || rm copy", files[i]);
        expect_code(place, line, 0);
        assert_int_equal(place_count(place), before);
    }
}

static void a_full_disk_loses_nothing(void **state)
{
    Place *place = *state;
    // A limit on the size of files stands for the disk.
    expect_code(place, "(ulimit -f 400; $T new --radius 6 a.world)", 1);
    expect_code(place, "$T verify a.world && $T new --radius 6 b.world", 0);
    const double chunks = ask(place, "$T verify --json b.world", 0, "chunks");
    static const char *const commands[] = {"backup b.world c.world", "repair b.world c.world",
                                           "compact b.world"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char line[128];
        (void)snprintf(line, sizeof line, "(ulimit -f 300; $T %s)", commands[i]);
        expect_code(place, line, 1);
        assert_non_null(strstr(place->text, ".world"));
        expect_code(place, "test ! -e c.world && ! ls -A | grep terrane-tmp", 0);
    }
    assert_true(ask(place, "$T verify --json b.world", 0, "chunks") == chunks);
}

static void newer_worlds_are_refused(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    expect_code(place, "$T new a.world", 0);
    TrnStorage storage;
    assert_int_equal(
        trn_storage_sqlite(place_path(place, "a.world", path), TRN_STORAGE_OPEN, &storage, NULL),
        TRN_RESULT_OK);
    const TrnStorageValue value = {"terrane/format", "\3\0\0\0", 4};
    const TrnStorageBatch batch = {.values = &value, .value_count = 1};
    assert_int_equal(storage.put(storage.user, &batch), TRN_RESULT_OK);
    storage.close(storage.user);
    static const char *const commands[] = {"info", "verify", "prune", "fold", "map --world"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char line[128];
        (void)snprintf(line, sizeof line, "$T %s a.world", commands[i]);
        expect_code(place, line, 1);
        assert_non_null(strstr(place->text, "newer version"));
    }
}

/// No world is copied that its copy would be refused for: what is refused leaves no file.
static void a_world_that_no_program_opens_is_not_copied(void **state)
{
    Place *place = *state;
    static const TrnStorageValue values[] = {
        {"terrane/revision", "\377\377\377\377\377\377\377\377", 8},
        {"terrane/format", "\3\0\0\0", 4},
        {"terrane/block/00009", "\0", 1},
        {"terrane/copying", "1", 1}};
    static const char *const words[] = {"'terrane repair' copies its chunks", "newer version",
                                        "or its blocks is damaged", "copy is not complete"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char path[PLACE_PATH];
        TrnStorage storage;
        const TrnStorageBatch batch = {.values = &values[i], .value_count = 1};
        expect_code(place, "rm -f *.world && $T new --radius 0 a.world", 0);
        assert_int_equal(trn_storage_sqlite(place_path(place, "a.world", path), TRN_STORAGE_OPEN,
                                            &storage, NULL),
                         TRN_RESULT_OK);
        assert_int_equal(storage.put(storage.user, &batch), TRN_RESULT_OK);
        storage.close(storage.user);
        expect_code(place, "$T copy a.world b.world", 1);
        if (!strstr(place->text, words[i])) {
            fail_msg("'%s' lacks '%s'", place->text, words[i]);
        }
        assert_int_equal(place_count(place), 1);
    }
}

// ---- interrupts --------------------------------------------------------------------------------

static void an_interrupted_new_keeps_what_is_done(void **state)
{
    Place *place = *state;
    static const char *const seconds[] = {"0.5", "2", "8"}; // a busy machine is slow to save any
    double chunks = 0;
    for (size_t i = 0; chunks == 0 && i < sizeof seconds / sizeof *seconds; i++) {
        char line[128];
        (void)snprintf(line, sizeof line,
                       "rm -f a.world*; timeout --preserve-status -s INT %s $BARE new --radius 512 "
                       "a.world",
                       seconds[i]);
        expect_code(place, line, 130);
        assert_non_null(strstr(place->text, "terrane new: Interrupted; the world holds the"));
        chunks = ask(place, "$T verify --json a.world", 0, "chunks");
    }
    assert_true(chunks > 0);
    expect_code(place,
                "$BARE new --radius 512 b.world & until test -s b.world-wal; do sleep 0.05; done; "
                "sleep 0.5; kill -KILL $!; wait $!; $T verify b.world",
                0);
}

static void interrupts_leave_worlds_whole(void **state)
{
    Place *place = *state;
    expect_code(place, "$T new --radius 8 whole.world", 0);
    const double chunks = ask(place, "$T verify --json whole.world", 0, "chunks");
    static const char *const commands[] = {"verify a.world",
                                           "info --blocks a.world",
                                           "compact a.world",
                                           "backup a.world b.world",
                                           "repair a.world b.world",
                                           "prune a.world",
                                           "fold a.world"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        for (int j = 0; j < 2; j++) {
            char line[256];
            (void)snprintf(line, sizeof line,
                           "cp whole.world a.world; "
                           "timeout --preserve-status -s INT 0.0%d1 $BARE %s",
                           j * 3, commands[i]);
            const int code = run_shell(place, line);
            if (code != 130 && code != 0) {
                fail_msg("'%s' ended with %d: %s", line, code, place->text);
            }
            // Before the program listens, the signal ends it without a word.
            assert_true(code == 0 || !place->text[0] || strstr(place->text, "Interrupted"));
            // What backup and repair write appears when it is complete.
            const double copied = run_shell(place, "test -e b.world") == 0
                                      ? ask(place, "$T verify --json b.world", 0, "chunks")
                                      : chunks;
            assert_true(copied == chunks);
            const double left = ask(place, "$T verify --json a.world", 0, "chunks");
            assert_true(left == chunks || strstr(line, "prune"));
            expect_code(place, "rm -f a.world* b.world*", 0);
        }
    }
}

static void wrong_command_lines_are_refused(void **state)
{
    Place *place = *state;
    static const struct {
        const char *line, *words;
    } cases[] = {
        {"$T info", "Name a world file: terrane info FILE [options]."},
        {"$T info ''", "Name a world file"},
        {"$T info a b", "one word too many, b"},
        {"$T info --seed 5 a", "terrane info: There is no option '--seed'"},
        {"$T info --paint a", "no option '--paint'"},
        {"$T info --json=yes a", "takes no value"},
        {"$T verify --blocks a", "terrane verify: There is no option '--blocks'"},
        {"$T repair a", "Name the new file too"},
        {"$T backup --json a b", "terrane backup: There is no option '--json'"},
        {"$T new --radius -1 a", "--radius takes"},
        {"$T new --radius 513 a", "from 0 to 512"},
        {"$T new --radius", "--radius needs a value"},
        {"$T new --seed x a", "--seed takes"},
        {"$T new --preset mars a", "'mars'"},
        {"$T map --world a --seed 5", "--world names the land"},
        {"$T export --world a --preset flat", "--world names the land"},
        {"$T map --world ''", "name of a world file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_refusal(place, cases[i].line, 2, cases[i].words);
    }
    static const char *const commands[] = {"new",   "info", "verify",  "repair",
                                           "prune", "fold", "compact", "backup"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char line[64];
        (void)snprintf(line, sizeof line, "$T help %s", commands[i]);
        expect_code(place, line, 0);
        (void)snprintf(line, sizeof line, "Usage: terrane %s FILE", commands[i]);
        assert_non_null(strstr(place->text, line));
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_make, place_remove)

int main(void)
{
    signal(SIGINT, SIG_DFL); // programs started in the background ignore it
    const struct CMUnitTest tests[] = {
        TEST(wrong_command_lines_are_refused),
        TEST(a_new_world_says_what_it_is),
        TEST(a_world_of_land_is_the_land),
        TEST(a_pruned_world_keeps_what_differs),
        TEST(a_pruned_world_keeps_block_data),
        TEST(a_world_in_use_is_read_and_copied_but_not_written),
        TEST(flipped_bytes_are_found_and_hurt_nothing_else),
        TEST(a_broken_world_is_repaired),
        TEST(verify_lists_the_chunks_of_a_damaged_page),
        TEST(what_is_no_world_is_told_in_a_sentence),
        TEST(a_full_disk_loses_nothing),
        TEST(newer_worlds_are_refused),
        TEST(a_world_that_no_program_opens_is_not_copied),
        TEST(an_interrupted_new_keeps_what_is_done),
        TEST(interrupts_leave_worlds_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
