/// A world in a damaged file: whatever bytes differ or are missing, each chunk comes back as it was
/// saved, or damage is reported. Nothing crashes or hangs, and no voxel is wrong.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "save_world.h"

#include "faulty_files.h"

#define CHUNKS 12
#define PAGE ((size_t)4096)
#define LAND "seed 1"

/// The file of a world, whole.
typedef struct Damage {
    SaveWorld world;
    unsigned char *bytes; ///< [size]
    size_t size;
    uint32_t refused, reported, whole; ///< how files with damage fared
} Damage;

static void read_file(const char *path, unsigned char **bytes, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    *bytes = malloc(*size);
    rewind(file);
    assert_int_equal(fread(*bytes, 1, *size, file), *size);
    (void)fclose(file);
}

static void write_file(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static int begin(void **state)
{
    Damage *damage = calloc(1, sizeof *damage);
    SaveWorld *world = &damage->world;
    save_world_create(world);
    assert_int_equal(save_world_open(world, TRN_STORAGE_CREATE), TRN_RESULT_OK);
    assert_int_equal(trn_save_bind_land(world->save, LAND, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_save_set_value(world->save, "spawn", "1,2,3", 5), TRN_RESULT_OK);
    for (uint32_t i = 0; i < CHUNKS; i++) {
        assert_int_equal(save_world_put(world, i, 0), TRN_RESULT_OK);
    }
    assert_int_equal(save_world_close(world), TRN_RESULT_OK);
    read_file(world->file, &damage->bytes, &damage->size);
    world->def.has_thread = false;
    *state = damage;
    return 0;
}

static int end(void **state)
{
    Damage *damage = *state;
    save_world_destroy(&damage->world);
    free(damage->bytes);
    free(damage);
    return 0;
}

/// Takes all events. @return how many told of damage
static uint32_t damage_events(SaveWorld *world)
{
    TrnSaveEvent event;
    uint32_t count = 0;
    while (trn_save_next_event(world->save, &event)) {
        assert_true(*event.sentence);
        count += event.kind == TRN_SAVE_EVENT_DAMAGED ||
                 (event.kind == TRN_SAVE_EVENT_READ_FAILED && event.result == TRN_RESULT_CORRUPT);
    }
    return count;
}

/// Reads everything of an open world. @return whether all of it is there and as it was
static bool read_world(SaveWorld *world)
{
    bool is_whole = true;
    for (uint32_t i = 0; i < CHUNKS; i++) {
        uint32_t version;
        const TrnResult result = save_world_get(world, i, 1, &version);
        // A chunk that is absent without an event would silently be generated again.
        const uint32_t events = damage_events(world);
        assert_true(result == TRN_RESULT_OK || events || !is_whole);
        assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_CORRUPT ||
                    result == TRN_RESULT_NOT_FOUND);
        is_whole = is_whole && result == TRN_RESULT_OK && !events;
    }
    char spawn[6] = "";
    const TrnResult result = trn_save_get_value(world->save, "spawn", spawn, 5, NULL);
    assert_true(result == TRN_RESULT_CORRUPT || strcmp(spawn, "1,2,3") == 0);
    return is_whole && result == TRN_RESULT_OK;
}

/// Opens the file as it is now, and checks all that it has.
static void try_file(Damage *damage)
{
    SaveWorld *world = &damage->world;
    const TrnResult result = save_world_open(world, TRN_STORAGE_OPEN);
    if (result != TRN_RESULT_OK) {
        assert_int_equal(result, TRN_RESULT_CORRUPT);
        damage->refused++;
        return;
    }
    *(read_world(world) ? &damage->whole : &damage->reported) += 1;
    (void)save_world_close(world);
}

static void report(const Damage *damage)
{
    print_message("  %zu bytes; %u files refused, %u with damage reported, %u read whole\n",
                  damage->size, (unsigned)damage->refused, (unsigned)damage->reported,
                  (unsigned)damage->whole);
    assert_true(damage->refused > 0 && damage->reported > 0);
}

static size_t step_of(size_t brief)
{
    return getenv("TERRANE_TEST_FULL") ? 1 : brief;
}

static void no_flipped_byte_gives_wrong_voxels(void **state)
{
    Damage *damage = *state;
    const size_t step = step_of(101);
    for (size_t at = 0; at < damage->size; at += at < 128 ? 1 : step) {
        damage->bytes[at] ^= at % 3 ? 0xFF : (unsigned char)(1u << at % 8);
        write_file(damage->world.file, damage->bytes, damage->size);
        damage->bytes[at] ^= at % 3 ? 0xFF : (unsigned char)(1u << at % 8);
        try_file(damage);
    }
    report(damage);
}

static void no_cut_file_gives_wrong_voxels(void **state)
{
    Damage *damage = *state;
    const size_t step = step_of(509);
    for (size_t size = 1; size < damage->size; size += size < 128 ? 1 : step) {
        write_file(damage->world.file, damage->bytes, size);
        try_file(damage);
    }
    print_message("  %zu bytes; %u files refused, %u with damage reported\n", damage->size,
                  (unsigned)damage->refused, (unsigned)damage->reported);
    assert_int_equal(damage->whole, 0);
    assert_true(damage->refused > 0);
}

/// Loads all chunks a few times. @return how many loads failed
static uint32_t count_failures(SaveWorld *world)
{
    uint32_t failures = 0, version;
    for (uint32_t i = 0; i < 3 * CHUNKS; i++) {
        failures += save_world_get(world, i % CHUNKS, 1, &version) == TRN_RESULT_CORRUPT;
    }
    return failures;
}

/// Every read of a damaged page fails; that is reported once, with what to do.
static void a_damaged_page_is_told_once(void **state)
{
    Damage *damage = *state;
    SaveWorld *world = &damage->world;
    uint32_t worlds = 0, unread = 0;
    for (size_t at = 100 + PAGE; at < damage->size; at += PAGE) {
        damage->bytes[at] ^= 1;
        write_file(world->file, damage->bytes, damage->size);
        damage->bytes[at] ^= 1;
        TrnSaveEvent event = {0};
        // The page of block names is needed to open a world.
        if (save_world_open(world, TRN_STORAGE_OPEN) != TRN_RESULT_OK) {
            assert_non_null(strstr(world->problem.sentence, "terrane repair"));
            continue;
        }
        const uint32_t failures = count_failures(world);
        if (failures == 0) { // the second copy of values, which only repair reads
            assert_int_equal(++unread, 1);
            (void)save_world_close(world);
            continue;
        }
        worlds++;
        assert_true(failures >= 3);
        assert_true(trn_save_next_event(world->save, &event));
        assert_int_equal(event.kind, TRN_SAVE_EVENT_READ_FAILED);
        assert_int_equal(event.result, TRN_RESULT_CORRUPT);
        assert_non_null(strstr(event.sentence, "terrane repair"));
        assert_false(trn_save_next_event(world->save, &event));
        (void)save_world_close(world);
    }
    assert_true(worlds > 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(no_flipped_byte_gives_wrong_voxels),
                                       TEST(no_cut_file_gives_wrong_voxels),
                                       TEST(a_damaged_page_is_told_once)};
    // Without waiting for the disk, which would take most of the time.
    return faults_install() ? cmocka_run_group_tests_name("save_damage", tests, NULL, NULL) : 1;
}
