/// Power is lost while programs replace their files, at any moment (lost_power.h). After each, a
/// file is whole: the old one or the new one, and the new one once it was told to be finished.
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#include "lost_power.h"

#include "whole_file.h"

#define POWER_FILES 2
#define POWER_VERSIONS 8
#define POWER_BYTES_MAX 40000

static LostRecord power_record; // by power_setup()
static Place power_place;       // for files after a loss
static uint32_t power_tried;

static const char *power_path(const char *folder, uint32_t version, char path[PLACE_PATH])
{
    (void)snprintf(path, PLACE_PATH, "%s/%u.settings", folder, (unsigned)(version % POWER_FILES));
    return path;
}

/// The content of a version of a file. @return its bytes
static size_t power_fill(uint32_t version, unsigned char bytes[POWER_BYTES_MAX])
{
    TestRandom random = {version};
    const size_t size = (size_t)test_random_range(&random, 1, POWER_BYTES_MAX);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)test_random_next(&random);
    }
    return size;
}

static bool power_replace(const char *folder, uint32_t version)
{
    static unsigned char bytes[POWER_BYTES_MAX];
    char path[PLACE_PATH];
    WholeFile whole;
    const size_t size = power_fill(version, bytes);
    if (whole_file_open(&whole, power_path(folder, version, path)) != 0) {
        return false;
    }
    for (size_t i = 0; i < size; i += 1000) {
        whole_file_write(&whole, bytes + i, size - i < 1000 ? size - i : 1000);
    }
    return whole_file_finish(&whole) == 0;
}

/// Replaces the files by turns. Their first versions are there.
static int power_work(const char *folder)
{
    for (uint32_t version = POWER_FILES; version < POWER_VERSIONS; version++) {
        lost_note(LOST_BEGUN, version);
        if (!power_replace(folder, version)) {
            return 1;
        }
        lost_note(LOST_DONE, version);
    }
    return 0;
}

/// Whether a file has the content of a version.
static bool power_has(const char *folder, uint32_t version)
{
    static unsigned char wanted[POWER_BYTES_MAX], got[POWER_BYTES_MAX + 1];
    char path[PLACE_PATH];
    const size_t size = power_fill(version, wanted);
    FILE *const file = fopen(power_path(folder, version, path), "rb");
    const size_t read = file ? fread(got, 1, sizeof got, file) : 0;
    if (file) {
        (void)fclose(file);
    }
    return read == size && memcmp(wanted, got, size) == 0;
}

static bool power_check(const char *folder, uint32_t begun, uint32_t done, TestRandom *random,
                        char why[256])
{
    (void)random;
    for (uint32_t file = 0; file < POWER_FILES; file++) {
        bool is_whole = false;
        for (uint32_t version = file; version < POWER_VERSIONS; version += POWER_FILES) {
            const bool is_old = version + POWER_FILES <= done;
            const bool is_allowed = !is_old && (version <= begun || version < POWER_FILES);
            is_whole = is_whole || (is_allowed && power_has(folder, version));
        }
        if (!is_whole) {
            (void)snprintf(why, 256, "file %u is no version that it may be", (unsigned)file);
            return false;
        }
    }
    return true;
}

// ---- tests -------------------------------------------------------------------------------------

static int power_setup(void **state)
{
    (void)state;
    Place place;
    assert_true(place_begin(&place) && place_begin(&power_place));
    assert_true(power_replace(place.folder, 0) && power_replace(place.folder, 1));
    assert_true(!lost_record(&power_record, place.folder, power_work) ||
                lost_is_complete(&power_record));
    return place_discard(&place) ? 0 : -1;
}

static int power_teardown(void **state)
{
    (void)state;
    print_message("  power lost %u times, over %u calls\n", (unsigned)power_tried,
                  (unsigned)(power_record.count - power_record.first));
    lost_destroy(&power_record);
    return place_discard(&power_place) ? 0 : -1;
}

static LostTries power_try(LostFault fault, uint32_t rounds)
{
    if (power_record.count == 0) {
        skip();
    }
    TestRandom random = test_random_seeded(3);
    LostRecord spoiled = lost_spoil(&power_record, fault, ".terrane-tmp-");
    const LostTries all = lost_try(&spoiled, rounds * spoiled.count, fault != LOST_NO_FAULT,
                                   power_place.folder, &random, power_check);
    free(spoiled.events);
    power_tried += all.tried;
    return all;
}

static void files_are_old_or_new_and_whole(void **state)
{
    (void)state;
    const uint32_t rounds = getenv("TERRANE_TEST_FULL") ? 1000 : test_rounds(20, 5);
    const LostTries all = power_try(LOST_NO_FAULT, rounds);
    if (all.failed > 0) {
        fail_msg("%u of %u: %s", (unsigned)all.failed, (unsigned)all.tried, all.why);
    }
}

static void faults_are_found(void **state)
{
    (void)state;
    static const LostFault faults[] = {LOST_NO_SYNC, LOST_NO_FOLDER_SYNC, LOST_RENAME_FIRST,
                                       LOST_DONE_BEFORE_SAVED};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const LostTries all = power_try(faults[i], 100);
        print_message("  found after %u: %s\n", (unsigned)all.tried, all.why);
        assert_int_equal(all.failed, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_old_or_new_and_whole),
        cmocka_unit_test(faults_are_found),
    };
    return cmocka_run_group_tests_name("whole_file_power", tests, power_setup, power_teardown);
}
