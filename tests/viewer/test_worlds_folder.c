/// The folder of worlds that the start screen lists: good worlds, and those that cannot be opened.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"

#include <sys/stat.h>
#include <unistd.h>

#include <start/worlds_folder.h>
#include <terrain_choice.h>

/// Makes a world and leaves it open. @return its types
static TrnBlockTypes *open_world(const Place *place, const char *name, uint64_t seed,
                                 WorldFile *file)
{
    char path[PLACE_PATH];
    Message problem;
    TrnBlockTypes *types;
    TrnSaveDef def = trn_save_def();
    WorldFacts facts = world_facts();
    facts.terrain.seed = seed;
    world_facts_set_preset(&facts, "alps");
    assert_int_equal(trn_terrain_shape_preset("alps", &facts.terrain.shape), TRN_RESULT_OK);
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    def.types = types;
    def.has_thread = false;
    if (!world_file_open(file, place_path(place, name, path), TRN_STORAGE_EITHER, &def, &facts,
                         &problem)) {
        fail_msg("%s", problem.text);
    }
    return types;
}

static void close_world(WorldFile *file, TrnBlockTypes *types)
{
    assert_int_equal(world_file_close(file), TRN_RESULT_OK);
    trn_block_types_destroy(types);
}

static void make_world(const Place *place, const char *name, uint64_t seed)
{
    WorldFile file;
    TrnBlockTypes *types = open_world(place, name, seed, &file);
    close_world(&file, types);
}

/// Lists the folder and reads all worlds.
static WorldsFolder read_all(const Place *place)
{
    WorldsFolder folder;
    worlds_folder_list(&folder, place->folder);
    while (worlds_folder_read_next(&folder)) {
    }
    return folder;
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

static void assert_refused(const WorldsFolder *folder, const char *name, const char *words)
{
    const WorldEntry *entry = find(folder, name);
    assert_int_equal(entry->state, WORLD_REFUSED);
    if (!strstr(entry->reason.text, words) || strstr(entry->reason.text, folder->path)) {
        fail_msg("%s: '%s' does not say '%s' alone", name, entry->reason.text, words);
    }
}

static bool has_file(const Place *place, const char *name)
{
    char path[PLACE_PATH];
    return access(place_path(place, name, path), F_OK) == 0;
}

static void a_good_world_tells_its_facts(void **state)
{
    const Place *place = *state;
    make_world(place, "home.world", 77);
    WorldsFolder folder;
    worlds_folder_list(&folder, place->folder);
    assert_int_equal(folder.count, 1);
    assert_int_equal(folder.worlds[0].state, WORLD_UNREAD);
    assert_true(worlds_folder_read_next(&folder));
    assert_false(worlds_folder_read_next(&folder));
    const WorldEntry *home = find(&folder, "home");
    assert_int_equal(home->state, WORLD_GOOD);
    assert_int_equal(home->facts.terrain.seed, 77);
    assert_string_equal(home->facts.preset, "alps");
    assert_true(home->bytes > 0);
    assert_true(home->visited > 0);
    worlds_folder_free(&folder);
}

/// Sets the value of the picture. @return the list, with the world read
static WorldsFolder list_with_picture(const Place *place, const void *bytes, size_t size)
{
    WorldFile file;
    TrnBlockTypes *types = open_world(place, "home.world", 1, &file);
    assert_int_equal(trn_save_set_value(file.save, "viewer/picture", bytes, size), TRN_RESULT_OK);
    close_world(&file, types);
    return read_all(place);
}

static void a_world_keeps_its_picture(void **state)
{
    const Place *place = *state;
    enum { WIDTH = 300, HEIGHT = 100 };
    static unsigned char rgb[HEIGHT][WIDTH][3];
    for (int x = 0; x < WIDTH; x++) { // the left of what is cut out is red, the right blue
        for (int y = 0; y < HEIGHT; y++) {
            rgb[y][x][0] = x >= WIDTH / 2 - 80 && x < WIDTH / 2 ? 200 : 0;
            rgb[y][x][2] = x >= WIDTH / 2 && x < WIDTH / 2 + 80 ? 100 : 0;
        }
    }
    WorldFile file;
    const WorldPicture picture = world_picture_shrink(&rgb[0][0][0], WIDTH, HEIGHT);
    TrnBlockTypes *types = open_world(place, "home.world", 1, &file);
    assert_int_equal(world_picture_write(file.save, &picture), TRN_RESULT_OK);
    close_world(&file, types);
    make_world(place, "plain.world", 1);
    WorldsFolder folder = read_all(place);
    const WorldPicture *kept = find(&folder, "home")->picture;
    assert_non_null(kept);
    assert_memory_equal(kept, &picture, sizeof picture);
    for (int y = 0; y < WORLD_PICTURE_HEIGHT; y++) {
        assert_int_equal(kept->rgb[y][0][0], 200);
        assert_int_equal(kept->rgb[y][WORLD_PICTURE_WIDTH - 1][2], 100);
        assert_int_equal(kept->rgb[y][WORLD_PICTURE_WIDTH - 1][0], 0);
    }
    assert_null(find(&folder, "plain")->picture);
    worlds_folder_free(&folder);
}

static void pictures_of_any_size_are_shrunk(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 900}, {900, 1}, {96, 60}, {95, 61}, {3, 2}};
    static unsigned char rgb[96 * 61 * 3];
    memset(rgb, 77, sizeof rgb);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const WorldPicture picture = world_picture_shrink(rgb, sizes[i][0], sizes[i][1]);
        for (size_t at = 0; at < sizeof picture; at++) {
            assert_int_equal((&picture.rgb[0][0][0])[at], 77);
        }
    }
}

static void a_damaged_picture_is_none(void **state)
{
    const Place *place = *state;
    static const char bytes[sizeof(WorldPicture) + 5] = "rgb1";
    static const struct {
        const char *bytes;
        size_t size;
    } cases[] = {{"", 0},
                 {"rgb1", 4},
                 {bytes, sizeof(WorldPicture) + 3},
                 {bytes, sizeof(WorldPicture) + 5},
                 {bytes + 1, sizeof(WorldPicture) + 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        WorldsFolder folder = list_with_picture(place, cases[i].bytes, cases[i].size);
        assert_int_equal(find(&folder, "home")->state, WORLD_GOOD);
        assert_null(find(&folder, "home")->picture);
        worlds_folder_free(&folder);
    }
    WorldsFolder folder = list_with_picture(place, bytes, sizeof(WorldPicture) + 4);
    assert_non_null(find(&folder, "home")->picture); // black, and whole
    worlds_folder_free(&folder);
}

static void other_files_are_no_worlds(void **state)
{
    const Place *place = *state;
    place_write(place, "notes.txt", "x");
    place_write(place, ".world", "x");
    place_write(place, "home.world-wal", "x");
    WorldsFolder folder = read_all(place);
    assert_int_equal(folder.count, 0);
    assert_string_equal(folder.problem.text, "");
    worlds_folder_free(&folder);
}

static void a_damaged_world_is_listed_and_not_changed(void **state)
{
    Place *place = *state;
    char before[PLACE_PATH];
    place_write(place, "broken.world", "this was a world once");
    make_world(place, "torn.world", 1);
    char command[512];
    (void)snprintf(command, sizeof command,
                   "cd '%s' && dd if=/dev/zero of=torn.world bs=64 count=200 conv=notrunc "
                   "2>/dev/null && cksum *.world",
                   place->folder);
    assert_int_equal(place_run(place, command), 0);
    (void)snprintf(before, sizeof before, "%.*s", (int)sizeof before - 1, place->text);
    WorldsFolder folder = read_all(place);
    assert_int_equal(folder.count, 2);
    assert_int_equal(find(&folder, "broken")->state, WORLD_REFUSED);
    assert_int_equal(find(&folder, "torn")->state, WORLD_REFUSED);
    assert_true(strlen(find(&folder, "broken")->reason.text) > 10);
    worlds_folder_free(&folder);
    (void)snprintf(command, sizeof command, "cd '%s' && cksum *.world", place->folder);
    assert_int_equal(place_run(place, command), 0);
    assert_int_equal(strncmp(place->text, before, strlen(before)), 0);
}

static void a_world_of_newer_land_is_refused(void **state)
{
    const Place *place = *state;
    WorldFile file;
    TrnBlockTypes *types = open_world(place, "future.world", 1, &file);
    assert_int_equal(trn_save_set_value(file.save, WORLD_FILE_VERSION, "999", 3), TRN_RESULT_OK);
    close_world(&file, types);
    WorldsFolder folder = read_all(place);
    Message problem = {""};
    WorldsMove move;
    assert_refused(&folder, "future", "newer program");
    assert_true(worlds_folder_delete(&folder, find(&folder, "future"), &move, &problem));
    assert_true(has_file(place, "deleted/future.world"));
    assert_true(worlds_folder_undo(&move, &problem));
    worlds_folder_free(&folder);
}

static void a_world_in_use_is_refused_until_it_is_closed(void **state)
{
    const Place *place = *state;
    WorldFile file;
    TrnBlockTypes *types = open_world(place, "busy.world", 1, &file);
    WorldsFolder folder = read_all(place);
    assert_refused(&folder, "busy", "another program has it open");
    close_world(&file, types);
    assert_true(worlds_folder_read(&folder, &folder.worlds[0]));
    worlds_folder_free(&folder);
}

static void what_is_no_file_is_refused_at_once(void **state)
{
    const Place *place = *state;
    char path[PLACE_PATH];
    assert_int_equal(mkdir(place_path(place, "folder.world", path), 0700), 0);
    assert_int_equal(mkfifo(place_path(place, "pipe.world", path), 0600), 0);
    assert_int_equal(symlink("nowhere", place_path(place, "lost.world", path)), 0);
    WorldsFolder folder = read_all(place);
    assert_refused(&folder, "folder", "no file");
    assert_refused(&folder, "pipe", "no file");
    assert_refused(&folder, "lost", "cannot be read");
    Message problem;
    char made[WORLDS_PATH_MAX];
    assert_false(worlds_folder_new(&folder, "lost", made, &problem)); // it would lead elsewhere
    assert_non_null(strstr(problem.text, "a world of this name"));
    worlds_folder_free(&folder);
}

static void odd_names_are_shown_in_one_line(void **state)
{
    const Place *place = *state;
    make_world(place, "two\nlines\x1b.world", 3);
    make_world(place, "\xc3\xa4 'b\" %s.world", 4);
    WorldsFolder folder = read_all(place);
    assert_int_equal(find(&folder, "two?lines?")->facts.terrain.seed, 3);
    assert_int_equal(find(&folder, "\xc3\xa4 'b\" %s")->facts.terrain.seed, 4);
    worlds_folder_free(&folder);
}

static void a_folder_that_cannot_be_read_says_why(void **state)
{
    const Place *place = *state;
    char path[PLACE_PATH];
    place_write(place, "file", "x");
    WorldsFolder folder;
    worlds_folder_list(&folder, place_path(place, "file", path));
    assert_int_equal(folder.count, 0);
    assert_non_null(strstr(folder.problem.text, "Cannot read the folder of worlds"));
    assert_false(worlds_folder_read_next(&folder));
    worlds_folder_free(&folder);
}

static void a_new_world_gets_a_folder_and_a_name_of_its_own(void **state)
{
    const Place *place = *state;
    char path[PLACE_PATH], made[WORLDS_PATH_MAX] = "";
    char name[64];
    Message problem;
    WorldsFolder folder;
    worlds_folder_list(&folder, place_path(place, "a/b", path));
    assert_string_equal(folder.problem.text, "");
    assert_true(worlds_folder_new(&folder, "my land", made, &problem));
    assert_non_null(strstr(made, "/a/b/my land.world"));
    assert_int_equal(access(path, W_OK), 0);
    worlds_folder_free(&folder);
    make_world(place, "New world.world", 1);
    folder = read_all(place);
    worlds_folder_free_name(&folder, name, sizeof name);
    assert_string_equal(name, "New world 2");
    made[0] = '\0';
    assert_false(worlds_folder_new(&folder, "New world", made, &problem));
    assert_non_null(strstr(problem.text, "choose another"));
    static const char *const bad[] = {"", "../up", ".hidden", "a\nb", " a", "a ", "c:d"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(worlds_folder_new(&folder, bad[i], made, &problem));
    }
    assert_string_equal(made, "");
    worlds_folder_free(&folder);
}

static void assert_may_not_name(const WorldsFolder *folder, const char *name, const char *words)
{
    Message problem = {""};
    assert_false(worlds_folder_may_name(folder, name, &problem));
    if (!strstr(problem.text, words)) {
        fail_msg("'%s': '%s' does not say '%s'", name, problem.text, words);
    }
}

static void names_are_checked(void **state)
{
    const Place *place = *state;
    char longest[66];
    Message problem;
    make_world(place, "home.world", 1);
    WorldsFolder folder = read_all(place);
    memset(longest, 'x', sizeof longest);
    longest[65] = '\0';
    assert_may_not_name(&folder, longest, "too long");
    longest[64] = '\0';
    assert_true(worlds_folder_may_name(&folder, longest, &problem));
    assert_true(worlds_folder_may_name(&folder, "\xF0\x9F\x8F\xA0 caf\xC3\xA9", &problem));
    assert_may_not_name(&folder, "", "name");
    assert_may_not_name(&folder, "home", "choose another");
    assert_may_not_name(&folder, "../home", "no /");
    assert_may_not_name(&folder, "a\nb", "no /");
    worlds_folder_free(&folder);
}

static void a_renamed_world_keeps_all_and_replaces_nothing(void **state)
{
    const Place *place = *state;
    Message problem = {""};
    make_world(place, "home.world", 77);
    make_world(place, "away.world", 78);
    WorldsFolder folder = read_all(place);
    assert_false(worlds_folder_rename(&folder, find(&folder, "home"), "away", &problem));
    assert_true(worlds_folder_rename(&folder, find(&folder, "home"), "home", &problem));
    assert_true(worlds_folder_rename(&folder, find(&folder, "home"), "\xF0\x9F\x8F\xA0", &problem));
    worlds_folder_free(&folder);
    folder = read_all(place);
    assert_int_equal(folder.count, 2);
    assert_int_equal(find(&folder, "\xF0\x9F\x8F\xA0")->facts.terrain.seed, 77);
    assert_int_equal(find(&folder, "away")->facts.terrain.seed, 78);
    worlds_folder_free(&folder);
}

static void a_deleted_world_can_be_brought_back(void **state)
{
    Place *place = *state;
    Message problem = {""};
    WorldsMove move = {.from = ""};
    assert_false(worlds_folder_undo(&move, &problem));
    for (uint64_t seed = 1; seed <= 2; seed++) { // of two of one name, both are kept
        make_world(place, "home.world", seed);
        WorldsFolder folder = read_all(place);
        assert_true(worlds_folder_delete(&folder, &folder.worlds[0], &move, &problem));
        worlds_folder_free(&folder);
    }
    assert_false(has_file(place, "home.world"));
    assert_true(has_file(place, "deleted/home.world") && has_file(place, "deleted/home 2.world"));
    make_world(place, "home.world", 3);
    assert_false(worlds_folder_undo(&move, &problem)); // the name was taken meanwhile
    assert_true(has_file(place, "deleted/home 2.world"));
    char path[PLACE_PATH];
    assert_int_equal(unlink(place_path(place, "home.world", path)), 0);
    assert_true(worlds_folder_undo(&move, &problem));
    WorldsFolder folder = read_all(place);
    assert_int_equal(find(&folder, "home")->facts.terrain.seed, 2);
    worlds_folder_free(&folder);
}

static void a_world_in_use_a_link_and_a_text_stay(void **state)
{
    const Place *place = *state;
    char path[PLACE_PATH], other[PLACE_PATH];
    Message problem = {""};
    WorldsMove move;
    WorldFile file;
    TrnBlockTypes *types = open_world(place, "used.world", 1, &file);
    place_write(place, "text.world", "mine");
    make_world(place, "far.bytes", 2);
    assert_int_equal(
        symlink(place_path(place, "far.bytes", path), place_path(place, "link.world", other)), 0);
    WorldsFolder folder = read_all(place);
    assert_false(worlds_folder_delete(&folder, find(&folder, "used"), &move, &problem));
    assert_non_null(strstr(problem.text, "open"));
    assert_false(worlds_folder_rename(&folder, find(&folder, "used"), "b", &problem));
    assert_false(worlds_folder_delete(&folder, find(&folder, "link"), &move, &problem));
    assert_non_null(strstr(problem.text, "link"));
    assert_false(worlds_folder_delete(&folder, find(&folder, "text"), &move, &problem));
    worlds_folder_free(&folder);
    close_world(&file, types);
    assert_true(has_file(place, "used.world") && has_file(place, "text.world") &&
                has_file(place, "link.world") && has_file(place, "far.bytes"));
}

static void three_hundred_worlds_are_sorted(void **state)
{
    const Place *place = *state;
    char name[32];
    for (int i = 0; i < 300; i++) {
        (void)snprintf(name, sizeof name, "%c%03d.world", i % 2 ? 'a' : 'B', i);
        place_write(place, name, "x");
    }
    place_write(place, "big.world", "a larger text");
    WorldsFolder folder;
    worlds_folder_list(&folder, place->folder);
    assert_int_equal(folder.count, 301);
    worlds_folder_sort(&folder, WORLDS_BY_NAME);
    assert_string_equal(folder.worlds[0].name, "a001");
    assert_string_equal(folder.worlds[300].name, "big");
    worlds_folder_sort(&folder, WORLDS_BY_SIZE);
    assert_string_equal(folder.worlds[0].name, "big");
    assert_string_equal(folder.worlds[1].name, "a001");
    worlds_folder_free(&folder);
}

static void seeds_are_numbers_or_any_text(void **state)
{
    (void)state;
    assert_int_equal(terrain_choice_seed(" 42 "), 42);
    assert_true(terrain_choice_seed("18446744073709551615") == UINT64_MAX);
    assert_true(terrain_choice_seed("") == 0xcbf29ce484222325U);
    assert_true(terrain_choice_seed("a") == 0xaf63dc4c8601ec8cU); // of the authors of FNV
    assert_true(terrain_choice_seed("foobar") == 0x85944171f73967e8U);
    assert_true(terrain_choice_seed("-1") != terrain_choice_seed("1"));
    assert_true(terrain_choice_seed("\xF0\x9F\x8F\xA0") != 0);
    assert_true(terrain_choice_is_number(" 42 "));
    assert_false(terrain_choice_is_number("42 hills"));
}

/// The number that a text becomes says nothing to who typed it.
static void a_world_keeps_the_text_of_its_seed(void **state)
{
    const Place *place = *state;
    char path[PLACE_PATH];
    WorldFile file;
    Message problem;
    TrnSaveDef def = trn_save_def();
    WorldFacts facts = world_facts();
    TrnBlockTypes *types;
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    def.types = types;
    def.has_thread = false;
    (void)snprintf(facts.seed_text, sizeof facts.seed_text, "north\033shore");
    facts.terrain.seed = terrain_choice_seed(facts.seed_text);
    assert_true(world_file_open(&file, place_path(place, "text.world", path), TRN_STORAGE_CREATE,
                                &def, &facts, &problem));
    close_world(&file, types);
    make_world(place, "number.world", 7);
    WorldsFolder folder = read_all(place);
    const WorldFacts *kept = &find(&folder, "text")->facts;
    assert_true(strstr(kept->seed_text, "north") && !strchr(kept->seed_text, '\033'));
    assert_true(kept->terrain.seed == facts.terrain.seed);
    assert_string_equal(find(&folder, "number")->facts.seed_text, "");
    worlds_folder_free(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_good_world_tells_its_facts, place_clear),
        cmocka_unit_test_setup(a_world_keeps_its_picture, place_clear),
        cmocka_unit_test(pictures_of_any_size_are_shrunk),
        cmocka_unit_test_setup(a_damaged_picture_is_none, place_clear),
        cmocka_unit_test_setup(other_files_are_no_worlds, place_clear),
        cmocka_unit_test_setup(a_damaged_world_is_listed_and_not_changed, place_clear),
        cmocka_unit_test_setup(a_world_of_newer_land_is_refused, place_clear),
        cmocka_unit_test_setup(a_world_in_use_is_refused_until_it_is_closed, place_clear),
        cmocka_unit_test_setup(what_is_no_file_is_refused_at_once, place_clear),
        cmocka_unit_test_setup(odd_names_are_shown_in_one_line, place_clear),
        cmocka_unit_test_setup(a_folder_that_cannot_be_read_says_why, place_clear),
        cmocka_unit_test_setup(a_new_world_gets_a_folder_and_a_name_of_its_own, place_clear),
        cmocka_unit_test_setup(names_are_checked, place_clear),
        cmocka_unit_test_setup(a_renamed_world_keeps_all_and_replaces_nothing, place_clear),
        cmocka_unit_test_setup(a_deleted_world_can_be_brought_back, place_clear),
        cmocka_unit_test_setup(a_world_in_use_a_link_and_a_text_stay, place_clear),
        cmocka_unit_test_setup(three_hundred_worlds_are_sorted, place_clear),
        cmocka_unit_test_setup(seeds_are_numbers_or_any_text, place_clear),
        cmocka_unit_test_setup(a_world_keeps_the_text_of_its_seed, place_clear),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}
