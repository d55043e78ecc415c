/// Zip archives of worlds: what an import reads is unpacked and removed, and hostile archives are
/// refused with a sentence and leave nothing.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"
#include "testing.h"

#include <stdio.h>
#include <sys/stat.h>

#include <zip.h>

#include "archive.h"

/// An entry to pack.
typedef struct Entry {
    const char *name, *text;
    bool is_encrypted;
    int method; ///< 0: the usual one
} Entry;

/// Writes a zip archive. @return its path
static const char *pack(const Place *place, const Entry *entries, size_t count,
                        char path[PLACE_PATH])
{
    int code = 0;
    zip_t *zip = zip_open(place_path(place, "a.zip", path), ZIP_CREATE | ZIP_TRUNCATE, &code);
    assert_non_null(zip);
    for (size_t i = 0; i < count; i++) {
        zip_source_t *source = zip_source_buffer(zip, entries[i].text, strlen(entries[i].text), 0);
        const zip_int64_t at = zip_file_add(zip, entries[i].name, source, ZIP_FL_ENC_UTF_8);
        assert_true(at >= 0);
        if (entries[i].is_encrypted) {
            assert_int_equal(
                zip_file_set_encryption(zip, (zip_uint64_t)at, ZIP_EM_AES_256, "secret"), 0);
        }
        if (entries[i].method) {
            assert_int_equal(zip_set_file_compression(zip, (zip_uint64_t)at, entries[i].method, 0),
                             0);
        }
    }
    assert_int_equal(zip_close(zip), 0);
    return path;
}

static bool has_file(const char *folder, const char *name, const char *text)
{
    char path[UNPACKED_PATH_MAX + 400], bytes[64] = "";
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        return false;
    }
    (void)fread(bytes, 1, sizeof bytes - 1, file);
    (void)fclose(file);
    assert_string_equal(bytes, text);
    return true;
}

#define COUNT(entries) (sizeof(entries) / sizeof *(entries))

static void a_world_is_unpacked_and_removed(void **state)
{
    Place *place = *state;
    static const Entry entries[] = {
        {.name = "home/deep/level.dat", .text = "another"},
        {.name = "home/readme.txt", .text = "no"},
        {.name = "home/level.dat", .text = "level"},
        {.name = "home/region/r.0.-1.mca", .text = "region"},
        {.name = "home/region/c.3.4.mcc", .text = "column"},
        {.name = "home/DIM-1/region/r.0.0.mca", .text = "nether"},
        {.name = "home/entities/r.0.0.mca", .text = "animals"},
        {.name = "house.schem", .text = "house"},
    };
    char path[PLACE_PATH], world[PLACE_PATH];
    Unpacked archive;
    Message problem = {""};
    (void)pack(place, entries, COUNT(entries), path);
    assert_true(archive_unpack(&archive,
                               &(UnpackDef){.path = path,
                                            .beside = place_path(place, "a.world", world),
                                            .bytes_max = UNPACKED_BYTES_MAX},
                               &problem));
    assert_true(has_file(archive.source, "level.dat", "level"));
    assert_true(has_file(archive.source, "region/r.0.-1.mca", "region"));
    assert_true(has_file(archive.source, "region/c.3.4.mcc", "column"));
    assert_false(has_file(archive.source, "region/r.0.0.mca", ""));
    assert_false(has_file(archive.source, "readme.txt", ""));
    unpacked_remove(&archive);
    assert_int_equal(place_count(place), 1); // the archive alone
    unpacked_remove(&archive);
}

static void other_kinds_are_found(void **state)
{
    Place *place = *state;
    static const Entry luanti[] = {{.name = "w/world.mt", .text = "backend = sqlite3"},
                                   {.name = "w/map.sqlite", .text = "map"},
                                   {.name = "w/mods/x.lua", .text = "no"}},
                       regions[] = {{.name = "r.0.0.mca", .text = "region"}},
                       building[] = {{.name = "b/house.schem", .text = "house"},
                                     {.name = "b/house.png", .text = "picture"}};
    char path[PLACE_PATH], world[PLACE_PATH];
    Unpacked archive;
    Message problem = {""};
    (void)place_path(place, "a.world", world);
    (void)pack(place, luanti, COUNT(luanti), path);
    assert_true(archive_unpack(
        &archive, &(UnpackDef){.path = path, .beside = world, .bytes_max = 100}, &problem));
    assert_true(has_file(archive.source, "map.sqlite", "map"));
    assert_true(has_file(archive.source, "world.mt", "backend = sqlite3"));
    unpacked_remove(&archive);
    (void)pack(place, regions, COUNT(regions), path);
    assert_true(archive_unpack(
        &archive, &(UnpackDef){.path = path, .beside = world, .bytes_max = 100}, &problem));
    assert_true(has_file(archive.source, "r.0.0.mca", "region"));
    unpacked_remove(&archive);
    (void)pack(place, building, COUNT(building), path);
    assert_true(archive_unpack(
        &archive, &(UnpackDef){.path = path, .beside = world, .bytes_max = 100}, &problem));
    assert_non_null(strstr(archive.source, "/house.schem"));
    assert_true(has_file(archive.folder, "house.schem", "house"));
    unpacked_remove(&archive);
    assert_int_equal(place_count(place), 1);
}

static void hostile_archives_are_refused(void **state)
{
    Place *place = *state;
    static const struct {
        Entry entries[2];
        const char *words;
    } cases[] = {
        {{{.name = "../level.dat", .text = "x"}, {.name = "a", .text = "x"}}, "leads out"},
        {{{.name = "level.dat", .text = "x"}, {.name = "b/../../a", .text = "x"}}, "leads out"},
        {{{.name = "/etc/level.dat", .text = "x"}, {.name = "a", .text = "x"}}, "leads out"},
        {{{.name = "level.dat", .text = "x"}, {.name = "c:\\a", .text = "x"}}, "leads out"},
        {{{.name = "level.dat", .text = "x", .is_encrypted = true}, {.name = "a", .text = "x"}},
         "encrypted"},
        {{{.name = "a.txt", .text = "x"}, {.name = "b", .text = "x"}}, "no world or schematic"},
        {{{.name = "a.schem", .text = "x"}, {.name = "b.schem", .text = "x"}}, "several"},
        {{{.name = "level.dat", .text = "01234567890123456789"}, {.name = "a", .text = "x"}},
         "larger than"},
    };
    char path[PLACE_PATH], world[PLACE_PATH];
    (void)place_path(place, "a.world", world);
    for (size_t i = 0; i < COUNT(cases); i++) {
        Unpacked archive;
        Message problem = {""};
        (void)pack(place, cases[i].entries, 2, path);
        assert_false(archive_unpack(
            &archive, &(UnpackDef){.path = path, .beside = world, .bytes_max = 19}, &problem));
        if (!strstr(problem.text, cases[i].words)) {
            fail_msg("'%s' does not say '%s'", problem.text, cases[i].words);
        }
        unpacked_remove(&archive);
        assert_int_equal(place_count(place), 1);
    }
}

/// An archive that is cut anywhere is refused, or is whole without what is missing.
static void damaged_archives_are_refused(void **state)
{
    Place *place = *state;
    static const Entry entries[] = {{.name = "level.dat", .text = "level level level level"},
                                    {.name = "region/r.0.0.mca", .text = "region"}};
    char path[PLACE_PATH], world[PLACE_PATH];
    char bytes[1024];
    (void)place_path(place, "a.world", world);
    FILE *file = fopen(pack(place, entries, COUNT(entries), path), "rb");
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    assert_int_equal(fclose(file), 0);
    for (size_t i = 0; i < 2 * size; i++) {
        Unpacked archive;
        Message problem = {""};
        const bool is_cut = i < size;
        const size_t at = i % size;
        file = fopen(path, "wb");
        bytes[at] = (char)(bytes[at] ^ (is_cut ? 0 : 0x55));
        assert_int_equal(fwrite(bytes, 1, is_cut ? at : size, file), is_cut ? at : size);
        assert_int_equal(fclose(file), 0);
        const bool good = archive_unpack(
            &archive, &(UnpackDef){.path = path, .beside = world, .bytes_max = 1000}, &problem);
        assert_true(good ? !is_cut : *problem.text);
        unpacked_remove(&archive);
        assert_int_equal(place_count(place), 1);
        bytes[at] = (char)(bytes[at] ^ (is_cut ? 0 : 0x55));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_world_is_unpacked_and_removed, place_make, place_remove),
        cmocka_unit_test_setup_teardown(other_kinds_are_found, place_make, place_remove),
        cmocka_unit_test_setup_teardown(hostile_archives_are_refused, place_make, place_remove),
        cmocka_unit_test_setup_teardown(damaged_archives_are_refused, place_make, place_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
