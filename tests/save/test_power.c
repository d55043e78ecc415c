/// Power is lost while worlds are saved, copied and repaired, at any moment (lost_power.h). After
/// each, the world opens, and has what was told to be saved. Faults that are put into what is
/// recorded are found, so the test would find them in the library.
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#include "lost_power.h"

#include <sqlite3.h>
#include <terrane/repair.h>
#include <terrane/save.h>

#define POWER_ROUNDS 14
#define POWER_CHUNKS 4
#define POWER_LOG_PAGES 24 // the log is copied often
#define POWER_AGAIN 3      // records of what follows a loss
#define POWER_TRIES 200
#define POWER_TRIES_BRIEF 40
#define POWER_TRIES_FULL 40 // at each call
#define POWER_TRIES_FAULT 4000

/// A world that is open, in one thread.
typedef struct PowerWorld {
    TrnBlockTypes *types;
    TrnSave *save;
    TrnStorage storage; ///< the save's own
    TrnStorageProblem problem;
} PowerWorld;

// By power_setup().
static LostRecord power_worlds, power_worlds_normal, power_copies, power_again[POWER_AGAIN];
static Place power_place; // for files after a loss
static uint32_t power_tried;

// ---- worlds ------------------------------------------------------------------------------------

static TrnResult power_open(PowerWorld *world, const char *folder, const char *name,
                            TrnStorageMode mode)
{
    char path[PLACE_PATH];
    *world = (PowerWorld){.types = NULL};
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    TrnSaveDef def = trn_save_def();
    TrnResult result = trn_block_types_create_builtin(NULL, &world->types);
    def.types = world->types;
    def.commit_seconds = 3600; // by flushes alone
    def.has_thread = false;
    result = result == TRN_RESULT_OK
                 ? trn_storage_sqlite(path, mode, &world->storage, &world->problem)
                 : result;
    def.storage = world->storage;
    result =
        result == TRN_RESULT_OK ? trn_save_create(&def, &world->save, &world->problem) : result;
    if (result != TRN_RESULT_OK) {
        trn_block_types_destroy(world->types);
    }
    return result;
}

static TrnResult power_close(PowerWorld *world)
{
    const TrnResult result = trn_save_destroy(world->save);
    trn_block_types_destroy(world->types);
    return result;
}

/// The round up to some in which a chunk was saved last.
static uint32_t power_saved_in(uint32_t chunk, uint32_t round)
{
    return round - round % (chunk + 1);
}

/// The blocks of a chunk that was saved in a round: some layers that compress badly, so that a row
/// takes from a part of a page to several pages.
static void power_fill(uint32_t chunk, uint32_t round, TrnBlock *blocks)
{
    TestRandom random = {round};
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const bool is_mixed = i >> 10 < 1 + 7 * chunk;
        blocks[i] = (TrnBlock)(1 + (is_mixed ? test_random_next(&random) : round) % 6);
    }
}

static TrnCoord power_coord(uint32_t chunk)
{
    return (TrnCoord){(int32_t)chunk, -(int32_t)chunk, 500};
}

/// Saves what a round saves, and notes when it begins, and when the flush has told that it is done.
static TrnResult power_save(PowerWorld *world, uint32_t round)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnResult result = trn_save_set_value(world->save, "round", &round, sizeof round);
    lost_note(LOST_BEGUN, round);
    for (uint32_t i = 0; i < POWER_CHUNKS && result == TRN_RESULT_OK; i++) {
        if (power_saved_in(i, round) == round) {
            power_fill(i, round, blocks);
            result = trn_save_put(world->save, power_coord(i), 0, blocks, false);
        }
    }
    result = result == TRN_RESULT_OK ? trn_save_flush(world->save) : result;
    if (result == TRN_RESULT_OK) {
        lost_note(LOST_DONE, round);
    }
    return result;
}

/// Makes a world with a first value, as programs do. It has the number 1.
static TrnResult power_make(const char *folder)
{
    char path[PLACE_PATH];
    const uint32_t round = 1;
    const TrnStorageValue value = {"round", &round, sizeof round};
    TrnStorage storage;
    (void)snprintf(path, sizeof path, "%s/a.world", folder);
    lost_note(LOST_BEGUN, 1);
    TrnResult result = trn_storage_sqlite(path, TRN_STORAGE_CREATE, &storage, NULL);
    if (result == TRN_RESULT_OK) {
        result = trn_save_make_world(&storage, &value, 1, NULL);
        storage.close(storage.user);
    }
    if (result == TRN_RESULT_OK) {
        lost_note(LOST_DONE, 1);
    }
    return result;
}

/// Makes a world, and saves in it: rounds in three sessions, and a compaction.
static int power_work(const char *folder)
{
    PowerWorld world;
    TrnResult result = power_make(folder);
    for (uint32_t round = 2; round <= POWER_ROUNDS && result == TRN_RESULT_OK;) {
        const uint32_t end = round + 5;
        result = power_open(&world, folder, "a.world", TRN_STORAGE_OPEN);
        while (result == TRN_RESULT_OK && round < end && round <= POWER_ROUNDS) {
            result = power_save(&world, round++);
            if (result == TRN_RESULT_OK && round == 10) {
                result = trn_storage_sqlite_compact(&world.storage, NULL, NULL);
            }
        }
        result = result == TRN_RESULT_OK ? power_close(&world) : result;
    }
    return result == TRN_RESULT_OK ? 0 : 1;
}

/// Goes on with a world after a loss of power, from the round that it has.
static int power_go_on(const char *folder)
{
    PowerWorld world;
    uint32_t round = 0;
    TrnResult result = power_open(&world, folder, "a.world", TRN_STORAGE_READ_ONLY);
    if (result == TRN_RESULT_OK) {
        result = trn_save_get_value(world.save, "round", &round, sizeof round, NULL);
        result = power_close(&world) == TRN_RESULT_OK ? result : TRN_RESULT_IO;
    }
    lost_note(LOST_BEGUN, round);
    lost_note(LOST_DONE, round);
    result =
        result == TRN_RESULT_OK ? power_open(&world, folder, "a.world", TRN_STORAGE_OPEN) : result;
    while (result == TRN_RESULT_OK && round < POWER_ROUNDS) {
        result = power_save(&world, ++round);
    }
    result = result == TRN_RESULT_OK ? power_close(&world) : result;
    return result == TRN_RESULT_OK ? 0 : 1;
}

// ---- what must be there ------------------------------------------------------------------------

static bool power_say(char why[256], const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool power_say(char why[256], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(why, 256, format, arguments);
    va_end(arguments);
    return false;
}

/// Whether all chunks are as after a round.
static bool power_has_chunks(PowerWorld *world, uint32_t round, char why[256])
{
    static TrnBlock wanted[TRN_CHUNK_VOXELS], got[TRN_CHUNK_VOXELS];
    const TrnStreamSource source = trn_save_source(world->save);
    for (uint32_t i = 0; i < POWER_CHUNKS; i++) {
        const TrnStreamJob job = {.coord = power_coord(i)};
        const uint32_t saved_in = power_saved_in(i, round);
        bool is_uniform = false;
        const TrnResult result = source.load(source.user, &job, got, &is_uniform);
        if (saved_in < 2 && result == TRN_RESULT_NOT_FOUND) {
            continue;
        }
        power_fill(i, saved_in, wanted);
        if (result != TRN_RESULT_OK || is_uniform || memcmp(got, wanted, sizeof got) != 0) {
            return power_say(why, "after round %u, chunk %u is not as in round %u (%s)",
                             (unsigned)round, (unsigned)i, (unsigned)saved_in,
                             trn_result_text(result));
        }
    }
    return true;
}

static void power_count_fault(void *user, const char *sentence)
{
    (void)sentence;
    ++*(uint32_t *)user;
}

/// Whether a world that is open is as after one of the rounds [done, begun].
static bool power_has_rounds(PowerWorld *world, uint32_t begun, uint32_t done, char why[256])
{
    uint32_t round = 0, faults = 0;
    TrnSaveEvent event;
    const TrnResult got = trn_save_get_value(world->save, "round", &round, sizeof round, NULL);
    if (got != TRN_RESULT_OK && (got != TRN_RESULT_NOT_FOUND || done > 0)) {
        return power_say(why, "no round: %s", trn_result_text(got));
    }
    round = got == TRN_RESULT_OK ? round : done;
    if (round < done || round > begun) {
        return power_say(why, "it has round %u", (unsigned)round);
    }
    if (!power_has_chunks(world, round, why)) {
        return false;
    }
    const TrnResult checked =
        trn_storage_sqlite_check(&world->storage, NULL, power_count_fault, &faults);
    if (checked != TRN_RESULT_OK || faults > 0) {
        return power_say(why, "the file has %u faults", (unsigned)faults);
    }
    return !trn_save_next_event(world->save, &event) || power_say(why, "%s", event.sentence);
}

/// Whether a file opens, and is as after one of the rounds [done, begun].
static bool power_opens(const char *folder, const char *name, TrnStorageMode mode, uint32_t begun,
                        uint32_t done, char why[256])
{
    PowerWorld world;
    const TrnResult result = power_open(&world, folder, name, mode);
    if (result != TRN_RESULT_OK) {
        return power_say(why, "it does not open: %.200s", world.problem.sentence);
    }
    const bool is_right = power_has_rounds(&world, begun, done, why);
    return power_close(&world) == TRN_RESULT_OK && is_right;
}

static bool power_exists(const char *folder, const char *name, size_t *size)
{
    char path[PLACE_PATH];
    struct stat status;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    const bool exists = stat(path, &status) == 0;
    *size = exists ? (size_t)status.st_size : 0;
    return exists;
}

/// A world opens and has what was flushed; before it was made, there may be none. It also opens
/// where it may only be read, and can then be saved again (some of each are tried).
static bool power_check_world(const char *folder, uint32_t begun, uint32_t done, TestRandom *random,
                              char why[256])
{
    size_t size;
    if (done >= 1 && test_random_next(random) % 2 &&
        !power_opens(folder, "a.world", TRN_STORAGE_READ_ONLY, begun, done, why)) {
        return false;
    }
    if (done == 0 && !power_exists(folder, "a.world", &size)) {
        return true;
    }
    const TrnStorageMode mode = done >= 1 ? TRN_STORAGE_OPEN : TRN_STORAGE_EITHER;
    if (!power_opens(folder, "a.world", mode, begun, done, why)) {
        return false;
    }
    if (test_random_next(random) % 3) {
        return true;
    }
    PowerWorld world;
    if (power_open(&world, folder, "a.world", TRN_STORAGE_OPEN) != TRN_RESULT_OK) {
        return power_say(why, "it opens once: %.200s", world.problem.sentence);
    }
    const uint32_t next = 12; // of which all chunks are saved
    const bool is_saved =
        power_save(&world, next) == TRN_RESULT_OK && power_has_rounds(&world, next, next, why);
    return power_close(&world) == TRN_RESULT_OK && is_saved;
}

// ---- copies ------------------------------------------------------------------------------------

/// The world that is copied: that of power_work() after its last round.
static int power_copy(const char *folder)
{
    PowerWorld world;
    char from[PLACE_PATH], backup[PLACE_PATH], repaired[PLACE_PATH];
    TrnRepairReport report;
    (void)snprintf(from, sizeof from, "%s/a.world", folder);
    (void)snprintf(backup, sizeof backup, "%s/b.world", folder);
    (void)snprintf(repaired, sizeof repaired, "%s/c.world", folder);
    lost_note(LOST_BEGUN, 1);
    TrnResult result = power_open(&world, folder, "a.world", TRN_STORAGE_OPEN);
    result = result == TRN_RESULT_OK ? trn_storage_sqlite_backup(&world.storage, backup, NULL, NULL)
                                     : result;
    if (result == TRN_RESULT_OK) {
        lost_note(LOST_DONE, 1);
        result = power_close(&world);
    }
    lost_note(LOST_BEGUN, 2);
    result =
        result == TRN_RESULT_OK ? trn_repair_sqlite(from, repaired, NULL, &report, NULL) : result;
    if (result == TRN_RESULT_OK) {
        lost_note(LOST_DONE, 2);
    }
    return result == TRN_RESULT_OK ? 0 : 1;
}

/// A copy is whole under its name or absent, or the empty file that took the name for it.
static bool power_check_copies(const char *folder, uint32_t begun, uint32_t done,
                               TestRandom *random, char why[256])
{
    static const char *const names[] = {"b.world", "c.world"};
    (void)begun;
    for (uint32_t i = 0; i < 2; i++) {
        size_t size;
        const bool exists = power_exists(folder, names[i], &size);
        if (!exists && done > i) {
            return power_say(why, "%s is not there", names[i]);
        }
        if (exists && (size > 0 || done > i) &&
            !power_opens(folder, names[i],
                         test_random_next(random) % 2 ? TRN_STORAGE_OPEN : TRN_STORAGE_READ_ONLY,
                         POWER_ROUNDS, POWER_ROUNDS, why)) {
            return false;
        }
    }
    return power_opens(folder, "a.world", TRN_STORAGE_OPEN, POWER_ROUNDS, POWER_ROUNDS, why);
}

// ---- SQLite's settings -------------------------------------------------------------------------

static bool power_is_normal; // synchronous=NORMAL

/// Keeps two settings from the library.
static int power_authorize(void *user, int action, const char *name, const char *value,
                           const char *database, const char *trigger)
{
    (void)user;
    (void)database;
    (void)trigger;
    const bool is_kept = action == SQLITE_PRAGMA && value &&
                         (strcmp(name, "wal_autocheckpoint") == 0 ||
                          (power_is_normal && strcmp(name, "synchronous") == 0));
    return is_kept ? SQLITE_IGNORE : SQLITE_OK;
}

/// Is called for each connection before the library has it.
static int power_set_up(sqlite3 *db, char **error, const void *api)
{
    (void)error;
    (void)api;
    if (sqlite3_db_readonly(db, "main") == 0) {
        (void)sqlite3_wal_autocheckpoint(db, POWER_LOG_PAGES);
        if (power_is_normal) {
            (void)sqlite3_exec(db, "PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
        }
        (void)sqlite3_set_authorizer(db, power_authorize, NULL);
    }
    return SQLITE_OK;
}

static int power_work_normal(const char *folder)
{
    power_is_normal = true;
    return power_work(folder);
}

// ---- tests -------------------------------------------------------------------------------------

/// Records what follows a loss of power in the first half of the work on a world.
static bool power_record_again(LostRecord *record, TestRandom *random)
{
    Place place;
    const uint32_t made = lost_find_note(&power_worlds, LOST_DONE);
    const int64_t half = power_worlds.count / 2;
    assert_true(place_begin(&place));
    lost_make(&power_worlds, (uint32_t)test_random_range(random, made + 1, half), place.folder,
              random);
    const bool is_recorded = lost_record(record, place.folder, power_go_on);
    if (is_recorded) {
        assert_true(lost_is_complete(record));
        record->first = lost_find_note(record, LOST_DONE) + 1; // what was lost is not lost again
    }
    assert_true(place_discard(&place));
    return is_recorded;
}

/// Records all work, and then lets syncs of this process take no time.
static int power_setup(void **state)
{
    (void)state;
    Place worlds, normal;
    (void)sqlite3_auto_extension((void (*)(void))power_set_up);
    assert_true(place_begin(&worlds) && place_begin(&normal) && place_begin(&power_place));
    bool is_supported = lost_record(&power_worlds, worlds.folder, power_work) &&
                        lost_record(&power_copies, worlds.folder, power_copy) &&
                        lost_record(&power_worlds_normal, normal.folder, power_work_normal);
    TestRandom random = {51};
    for (uint32_t i = 0; i < POWER_AGAIN && is_supported; i++) {
        is_supported = power_record_again(&power_again[i], &random);
    }
    if (is_supported) {
        assert_true(lost_skip_syncs());
        assert_true(lost_is_complete(&power_copies));
        assert_true(lost_is_complete(&power_worlds_normal));
    }
    assert_true(place_discard(&worlds) && place_discard(&normal));
    return 0;
}

static int power_teardown(void **state)
{
    (void)state;
    print_message("  power lost %u times, over %u, %u and %u calls\n", (unsigned)power_tried,
                  (unsigned)power_worlds.count, (unsigned)power_copies.count,
                  (unsigned)power_worlds_normal.count);
    lost_destroy(&power_worlds);
    lost_destroy(&power_worlds_normal);
    lost_destroy(&power_copies);
    for (uint32_t i = 0; i < POWER_AGAIN; i++) {
        lost_destroy(&power_again[i]);
    }
    return place_discard(&power_place) ? 0 : -1;
}

static void power_needs_records(void)
{
    if (power_worlds_normal.count == 0) { // this system cannot record
        skip();
    }
}

static void power_expect_whole(const LostRecord *record, LostCheck check)
{
    power_needs_records();
    TestRandom random = test_random_seeded(51);
    const uint32_t tries = getenv("TERRANE_TEST_FULL")
                               ? POWER_TRIES_FULL * record->count
                               : test_rounds(POWER_TRIES, POWER_TRIES_BRIEF);
    const LostTries all = lost_try(record, tries, false, power_place.folder, &random, check);
    power_tried += all.tried;
    if (all.failed > 0) {
        fail_msg("%u of %u: %s", (unsigned)all.failed, (unsigned)all.tried, all.why);
    }
}

/// A fault that is put into a record loses something.
static void power_expect_found(const LostRecord *record, LostFault fault, const char *part,
                               LostCheck check)
{
    power_needs_records();
    TestRandom random = test_random_seeded(7);
    LostRecord spoiled = lost_spoil(record, fault, part);
    const LostTries all =
        lost_try(&spoiled, POWER_TRIES_FAULT, true, power_place.folder, &random, check);
    free(spoiled.events);
    power_tried += all.tried;
    print_message("  found after %u: %s\n", (unsigned)all.tried, all.why);
    assert_int_equal(all.failed, 1);
}

static void what_was_flushed_survives(void **state)
{
    (void)state;
    power_expect_whole(&power_worlds, power_check_world);
}

static void what_was_flushed_survives_a_second_loss(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < POWER_AGAIN; i++) {
        power_expect_whole(&power_again[i], power_check_world);
    }
}

static void copies_are_whole_or_absent(void **state)
{
    (void)state;
    power_expect_whole(&power_copies, power_check_copies);
}

static void a_log_that_is_not_synced_is_found(void **state)
{
    (void)state;
    power_expect_found(&power_worlds, LOST_NO_SYNC, "a.world-wal", power_check_world);
}

static void a_copy_that_is_not_synced_is_found(void **state)
{
    (void)state;
    power_expect_found(&power_copies, LOST_NO_SYNC, ".terrane-tmp-", power_check_copies);
}

static void a_folder_that_is_not_synced_is_found(void **state)
{
    (void)state;
    power_expect_found(&power_worlds, LOST_NO_FOLDER_SYNC, "", power_check_world);
    power_expect_found(&power_copies, LOST_NO_FOLDER_SYNC, "", power_check_copies);
}

static void a_rename_before_the_sync_is_found(void **state)
{
    (void)state;
    power_expect_found(&power_copies, LOST_RENAME_FIRST, "", power_check_copies);
}

static void what_is_told_before_the_commit_is_found(void **state)
{
    (void)state;
    power_expect_found(&power_worlds, LOST_DONE_BEFORE_SAVED, "", power_check_world);
}

static void synchronous_normal_is_found(void **state)
{
    (void)state;
    power_expect_found(&power_worlds_normal, LOST_NO_FAULT, "", power_check_world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_flushed_survives),
        cmocka_unit_test(what_was_flushed_survives_a_second_loss),
        cmocka_unit_test(copies_are_whole_or_absent),
        cmocka_unit_test(a_log_that_is_not_synced_is_found),
        cmocka_unit_test(a_copy_that_is_not_synced_is_found),
        cmocka_unit_test(a_folder_that_is_not_synced_is_found),
        cmocka_unit_test(a_rename_before_the_sync_is_found),
        cmocka_unit_test(what_is_told_before_the_commit_is_found),
        cmocka_unit_test(synchronous_normal_is_found),
    };
    return cmocka_run_group_tests_name("save_power", tests, power_setup, power_teardown);
}
