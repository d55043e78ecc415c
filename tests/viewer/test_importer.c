/// Importing worlds into the folder of worlds: heightmaps and models are written here.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "file_limit.h"
#include "place.h"

#include <time.h>
#include <unistd.h>

#include <start/importer.h>

/// Writes a model of MagicaVoxel: a cube with two voxels.
static void write_model(const Place *place, const char *name)
{
    static const unsigned char model[] = {'V', 'O', 'X', ' ', 150, 0, 0, 0, 'M', 'A', 'I', 'N',
                                          0,   0,   0,   0,   48,  0, 0, 0, // 48 below
                                          'S', 'I', 'Z', 'E', 12,  0, 0, 0, 0,   0,   0,   0,
                                          2,   0,   0,   0,   2,   0, 0, 0, 2,   0,   0,   0, //
                                          'X', 'Y', 'Z', 'I', 12,  0, 0, 0, 0,   0,   0,   0,
                                          2,   0,   0,   0,   0,   0, 0, 1, 1,   1,   1,   2};
    char path[PLACE_PATH];
    FILE *file = fopen(place_path(place, name, path), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(model, 1, sizeof model, file), sizeof model);
    assert_int_equal(fclose(file), 0);
}

static WorldsFolder list(const Place *place)
{
    char path[PLACE_PATH];
    WorldsFolder folder;
    worlds_folder_list(&folder, place_path(place, "worlds", path));
    while (worlds_folder_read_next(&folder)) {
    }
    return folder;
}

/// Waits until it has ended, as the start screen does.
static bool finish(Importer *importer, Message *text)
{
    for (int i = 0; i < 60000 && !importer_now(importer).has_ended; i++) {
        const struct timespec time = {0, 1000000};
        (void)nanosleep(&time, NULL);
    }
    assert_true(importer_now(importer).has_ended);
    return importer_end(importer, text);
}

/// @return how many worlds and hidden files the folder has
static int count_files(Place *place)
{
    char command[256];
    (void)snprintf(command, sizeof command,
                   "ls -A '%s/worlds' | grep -c -e '^[.]' -e 'world$'; true", place->folder);
    assert_int_equal(place_run(place, command), 0);
    return atoi(place->text);
}

static void a_model_becomes_a_world_of_its_name(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    Message text = {""};
    write_model(place, "red house.vox");
    for (int i = 0; i < 2; i++) {
        WorldsFolder folder = list(place);
        Importer *importer =
            importer_begin(&folder, place_path(place, "red house.vox", path), &text);
        assert_non_null(importer);
        assert_string_equal(importer_name(importer), i ? "red house 2" : "red house");
        assert_true(finish(importer, &text));
        assert_non_null(strstr(text.text, i ? "Imported red house 2:" : "Imported red house:"));
        worlds_folder_free(&folder);
    }
    WorldsFolder folder = list(place);
    assert_int_equal(folder.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(folder.worlds[i].state, WORLD_GOOD);
        assert_false(folder.worlds[i].facts.has_terrain);
    }
    worlds_folder_free(&folder);
    assert_int_equal(count_files(place), 2);
}

static void what_is_no_world_leaves_nothing(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    Message text = {""};
    place_write(place, "notes.txt", "no world");
    place_write(place, "broken.vox", "VOX ");
    static const char *const names[] = {"notes.txt", "broken.vox"};
    for (size_t i = 0; i < 2; i++) {
        WorldsFolder folder = list(place);
        Importer *importer = importer_begin(&folder, place_path(place, names[i], path), &text);
        assert_non_null(importer);
        assert_false(finish(importer, &text));
        assert_true(strlen(text.text) > 10);
        worlds_folder_free(&folder);
    }
    WorldsFolder folder = list(place);
    text.text[0] = '\0';
    assert_null(importer_begin(&folder, place_path(place, "lost.vox", path), &text));
    assert_non_null(strstr(text.text, "Cannot read"));
    worlds_folder_free(&folder);
    assert_int_equal(count_files(place), 0);
}

static void an_import_that_is_stopped_leaves_nothing(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    Message text;
    write_model(place, "house.vox");
    WorldsFolder folder = list(place);
    Importer *importer = importer_begin(&folder, place_path(place, "house.vox", path), &text);
    assert_non_null(importer);
    importer_stop(importer);
    const bool was_faster = importer_end(importer, NULL);
    worlds_folder_free(&folder);
    assert_int_equal(count_files(place), was_faster ? 1 : 0);
}

static void hidden_files_are_no_worlds_and_stay(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    Message text;
    write_model(place, "house.vox");
    char command[256];
    (void)snprintf(command, sizeof command,
                   "cd '%s' && mkdir worlds && echo rest | tee worlds/.house.import "
                   "worlds/.terrane-tmp-0123456789abcdef",
                   place->folder);
    assert_int_equal(place_run(place, command), 0);
    WorldsFolder folder = list(place);
    assert_int_equal(folder.count, 0);
    Importer *importer = importer_begin(&folder, place_path(place, "house.vox", path), &text);
    assert_non_null(importer);
    assert_true(finish(importer, &text));
    worlds_folder_free(&folder);
    assert_int_equal(count_files(place), 3);
}

/// A world that has got the name while the import ran stays.
static void an_import_replaces_no_world(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    Message text;
    write_model(place, "house.vox");
    WorldsFolder folder = list(place);
    Importer *importer = importer_begin(&folder, place_path(place, "house.vox", path), &text);
    assert_non_null(importer);
    place_write(place, "worlds/house.world", "mine");
    const bool is_first = finish(importer, &text); // the import was faster
    worlds_folder_free(&folder);
    assert_true(is_first || strstr(text.text, "there is such a file already"));
    assert_int_equal(count_files(place), 1);
}

/// Makes a world of a model, and returns the folder with it alone.
static WorldsFolder make_world(Place *place)
{
    char path[PLACE_PATH];
    Message text;
    write_model(place, "house.vox");
    WorldsFolder folder = list(place);
    Importer *importer = importer_begin(&folder, place_path(place, "house.vox", path), &text);
    assert_non_null(importer);
    assert_true(finish(importer, &text));
    worlds_folder_free(&folder);
    folder = list(place);
    assert_int_equal(folder.count, 1);
    return folder;
}

/// Copies of names of 64 bytes have names that fit; so has a copy of an emoji.
static void copies_of_any_name_have_names_of_their_own(void **state)
{
    Place *place = *state;
    Message text;
    char longest[65];
    memset(longest, 'x', sizeof longest - 1);
    longest[64] = '\0';
    WorldsFolder folder = make_world(place);
    assert_true(worlds_folder_rename(&folder, &folder.worlds[0], longest, &text));
    for (int copies = 1; copies <= 3; copies++) {
        worlds_folder_free(&folder);
        folder = list(place);
        assert_int_equal(folder.count, copies);
        Importer *importer = importer_copy(&folder, &folder.worlds[0], &text);
        assert_non_null(importer);
        assert_in_range(strlen(importer_name(importer)), 1, 64);
        assert_true(finish(importer, &text));
    }
    assert_true(worlds_folder_rename(&folder, &folder.worlds[0], "\xF0\x9F\x8F\xA0", &text));
    worlds_folder_free(&folder);
    folder = list(place);
    for (size_t i = 0; i < folder.count; i++) {
        if (strcmp(folder.worlds[i].name, "\xF0\x9F\x8F\xA0") == 0) {
            Importer *importer = importer_copy(&folder, &folder.worlds[i], &text);
            assert_string_equal(importer_name(importer), "\xF0\x9F\x8F\xA0 copy");
            assert_true(finish(importer, &text));
        }
    }
    worlds_folder_free(&folder);
    assert_int_equal(count_files(place), 5);
}

static void a_full_disk_leaves_no_copy(void **state)
{
    Place *place = *state;
    Message text = {""};
    WorldsFolder folder = make_world(place);
    const struct rlimit before = file_limit_begin(100);
    Importer *importer = importer_copy(&folder, &folder.worlds[0], &text);
    const bool is_copied = importer && finish(importer, &text);
    file_limit_end(before);
    assert_false(is_copied);
    assert_true(text.text[0] != '\0');
    assert_int_equal(count_files(place), 1);
    importer = importer_copy(&folder, &folder.worlds[0], &text);
    assert_non_null(importer);
    assert_true(finish(importer, &text));
    worlds_folder_free(&folder);
    assert_int_equal(count_files(place), 2);
}

static void names_come_from_the_source(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"/a/home/map.sqlite", "home"},
                                           {"/a/Tom's v1.2/region", "Tom's v1.2"},
                                           {"/a/b/My World", "My World"},
                                           {"island.png", "island"},
                                           {"/", "Imported"},
                                           {"/a/b:c", "Imported"}};
    const WorldsFolder folder = {.count = 0};
    char name[WORLDS_NAME_BYTES];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        worlds_folder_name_for(&folder, cases[i][0], name, sizeof name);
        assert_string_equal(name, cases[i][1]);
    }
    char path[512];
    for (size_t i = 0; i + 1 < sizeof path; i++) { // a name of two bytes a letter
        path[i] = i % 2 ? '\xa4' : '\xc3';
    }
    path[sizeof path - 1] = '\0';
    worlds_folder_name_for(&folder, path, name, sizeof name);
    assert_int_equal(strlen(name) % 2, 0);
    assert_in_range(strlen(name), 40, 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_model_becomes_a_world_of_its_name, place_clear),
        cmocka_unit_test_setup(what_is_no_world_leaves_nothing, place_clear),
        cmocka_unit_test_setup(an_import_that_is_stopped_leaves_nothing, place_clear),
        cmocka_unit_test_setup(an_import_replaces_no_world, place_clear),
        cmocka_unit_test_setup(hidden_files_are_no_worlds_and_stay, place_clear),
        cmocka_unit_test_setup(copies_of_any_name_have_names_of_their_own, place_clear),
        cmocka_unit_test_setup(a_full_disk_leaves_no_copy, place_clear),
        cmocka_unit_test(names_come_from_the_source),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}
