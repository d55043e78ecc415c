/// Buildings into an open world and out of it: a box of a world is saved, read, turned, put
/// elsewhere, and taken back.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"

#include <stdio.h>
#include <time.h>

#include <building/box_save.h>
#include <building/building.h>
#include <files/file_list.h>
#include <hand/hand.h>

static const unsigned char CHEST[] = "\x0A\0\0\x08\0\x02id\0\x05\x63hest";

typedef struct Land {
    TrnStore *store;
    TrnBlockTypes *types;
    Hand *hand;
    TrnBlock stairs, chest;
} Land;

/// A store with 4 x 2 x 4 chunks of air, and a small house from 10,5,10 to 13,7,12.
static Land land_make(void)
{
    Land land;
    TrnStoreDef def = trn_store_def();
    assert_int_equal(trn_block_types_create_builtin(NULL, &land.types), TRN_RESULT_OK);
    def.types = land.types;
    assert_int_equal(trn_store_create(&def, &land.store), TRN_RESULT_OK);
    for (int32_t i = 0; i < 32; i++) {
        const TrnCoord coord = {i % 4, i / 16, i / 4 % 4};
        TrnChunk *chunk;
        assert_int_equal(trn_store_insert_uniform(land.store, coord, TRN_BLOCK_AIR, &chunk),
                         TRN_RESULT_OK);
    }
    assert_int_equal(trn_block_types_find(land.types, "terrane:oak_stairs", &land.stairs),
                     TRN_RESULT_OK);
    assert_int_equal(trn_block_types_find(land.types, "terrane:chest", &land.chest), TRN_RESULT_OK);
    for (int64_t i = 0; i < INT64_C(4) * 3; i++) {
        const TrnVoxel at = {10 + i % 4, 5, 10 + i / 4};
        assert_int_equal(trn_store_set_block(land.store, at, TRN_BLOCK_STONE, NULL), TRN_RESULT_OK);
    }
    const TrnVoxel stairs = {10, 6, 10}, chest = {13, 7, 12};
    assert_int_equal(trn_store_set_block(land.store, stairs, land.stairs, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_store_set_block(land.store, chest, land.chest, NULL), TRN_RESULT_OK);
    assert_int_equal(
        trn_store_set_data(land.store, chest, CHEST, sizeof CHEST, TRN_DATA_WITH_BLOCK, NULL),
        TRN_RESULT_OK);
    const HandDef hand = hand_def(land.store);
    assert_true(hand_create(&land.hand, &hand));
    return land;
}

static void land_free(Land *land)
{
    hand_destroy(land->hand);
    trn_store_destroy(land->store);
    trn_block_types_destroy(land->types);
}

static TrnBlock land_at(const Land *land, int64_t x, int64_t y, int64_t z)
{
    TrnBlock block = 0xFFFF;
    (void)trn_store_get_block(land->store, (TrnVoxel){x, y, z}, &block);
    return block;
}

static BuildingState await(const Building *building, BuildingState passes)
{
    for (int i = 0; i < 60000 && building_state(building) == passes; i++) {
        const struct timespec time = {0, 1000000};
        (void)nanosleep(&time, NULL);
    }
    return building_state(building);
}

static bool save_house(const Land *land, uint32_t format, const char *path, Message *text)
{
    const BoxSaveDef def = {.store = land->store,
                            .min = {10, 5, 10},
                            .max = {13, 7, 12},
                            .format = format,
                            .path = path};
    return box_save(&def, text);
}

/// Reads a file, and turns it for a corner. @return the building, ready
static Building *ready(const char *path, TrnVoxel corner, TrnImportPlace turned)
{
    Message problem;
    Building *building = building_read(path, &problem);
    assert_non_null(building);
    assert_int_equal(await(building, BUILDING_READS), BUILDING_IS);
    turned.is_placed = true;
    assert_true(building_place(building, corner, &turned, &problem));
    assert_int_equal(await(building, BUILDING_PLACES), BUILDING_READY);
    return building;
}

static void a_saved_box_is_put_elsewhere_turned_and_taken_back(void **state)
{
    Land land = land_make();
    Message text;
    char path[PLACE_PATH];
    int64_t size[3];
    (void)place_path(*state, "deep/er/house.schem", path);
    assert_true(save_house(&land, TRN_SCHEMATIC_SPONGE, path, &text));
    assert_non_null(strstr(text.text, path));
    assert_null(strstr(text.text, "cannot hold"));
    assert_false(save_house(&land, TRN_SCHEMATIC_SPONGE, path, &text)); // never replaced
    Building *building = ready(path, (TrnVoxel){30, 20, 40}, (TrnImportPlace){.quarters = 1});
    building_size(building, size);
    assert_true(size[0] == 4 && size[1] == 3 && size[2] == 3);
    BuildingPut put = {building, land.types, false};
    assert_int_equal(trn_store_set_block(land.store, (TrnVoxel){31, 21, 41}, TRN_BLOCK_DIRT, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(hand_make(land.hand, building_chunks(building), building_put, &put),
                     HAND_DONE);
    // Clockwise from above: +x becomes +z, and +z becomes -x.
    assert_int_equal(land_at(&land, 32, 21, 40),
                     trn_block_types_variant(land.types, land.stairs, 1));
    assert_int_equal(land_at(&land, 30, 22, 43), land.chest);
    assert_int_equal(land_at(&land, 31, 21, 41), TRN_BLOCK_DIRT); // air keeps
    TrnBlockData data;
    assert_int_equal(trn_store_get_data(land.store, (TrnVoxel){30, 22, 43}, &data), TRN_RESULT_OK);
    assert_int_equal(data.size, sizeof CHEST);
    assert_int_equal(hand_undo(land.hand), HAND_DONE);
    assert_int_equal(land_at(&land, 30, 20, 40), TRN_BLOCK_AIR);
    assert_int_equal(land_at(&land, 31, 21, 41), TRN_BLOCK_DIRT);
    assert_int_equal(trn_store_get_data(land.store, (TrnVoxel){30, 22, 43}, &data),
                     TRN_RESULT_NOT_FOUND);
    put.clears = true;
    assert_int_equal(hand_make(land.hand, building_chunks(building), building_put, &put),
                     HAND_DONE);
    assert_int_equal(land_at(&land, 31, 21, 41), TRN_BLOCK_AIR);
    assert_int_equal(hand_undo(land.hand), HAND_DONE);
    assert_int_equal(land_at(&land, 31, 21, 41), TRN_BLOCK_DIRT);
    building_end(building);
    land_free(&land);
}

static void colours_become_new_blocks_and_what_is_not_loaded_changes_nothing(void **state)
{
    Land land = land_make();
    Message text;
    char path[PLACE_PATH];
    uint32_t before, after;
    (void)place_path(*state, "house.vox", path);
    assert_true(save_house(&land, TRN_SCHEMATIC_MAGICAVOXEL, path, &text));
    assert_non_null(strstr(text.text, "cannot hold: 1"));
    Building *building = ready(path, (TrnVoxel){60, 20, 60}, (TrnImportPlace){.quarters = 0});
    assert_true(building_needs_types(building, land.types));
    (void)trn_block_types_all(land.types, &before);
    BuildingPut put = {building, land.types, false};
    assert_int_equal(hand_make(land.hand, building_chunks(building), building_put, &put),
                     HAND_DONE);
    (void)trn_block_types_all(land.types, &after);
    assert_true(after > before);
    assert_false(building_needs_types(building, land.types));
    assert_true(land_at(&land, 60, 20, 60) >= before);
    building_end(building);
    building = ready(path, (TrnVoxel){126, 20, 60}, (TrnImportPlace){.quarters = 0});
    put.building = building;
    assert_int_equal(hand_make(land.hand, building_chunks(building), building_put, &put), HAND_END);
    assert_int_equal(land_at(&land, 126, 20, 60), TRN_BLOCK_AIR);
    building_end(building);
    const BoxSaveDef far = {.store = land.store,
                            .min = {120, 5, 10},
                            .max = {140, 7, 12},
                            .path = place_path(*state, "far.schem", path)};
    assert_false(box_save(&far, &text));
    assert_non_null(strstr(text.text, "go nearer"));
    assert_int_equal(file_there(path), FILE_THERE_NOTHING);
    land_free(&land);
}

/// New blocks can be dug: the hand knows them.
static void a_hand_aims_at_blocks_that_a_building_brought(void **state)
{
    (void)state;
    Land land = land_make();
    TrnBlock plant;
    TrnBlockType type = trn_block_type_def("test:water", TRN_BLOCK_KIND_LIQUID);
    assert_int_equal(trn_block_types_add(land.types, &type, &plant), TRN_RESULT_OK);
    assert_int_equal(trn_store_set_block(land.store, (TrnVoxel){20, 10, 20}, plant, NULL),
                     TRN_RESULT_OK);
    const HandLook look = {
        .eye = {{0, 0, 0}, {20.5, 14, 20.5}}, .direction = {0, -1, 0}, .reach = 6};
    hand_aim(land.hand, &look);
    assert_false(hand_aimed(land.hand).is_aimed); // it is a liquid
    land_free(&land);
}

static void what_is_no_building_says_so(void **state)
{
    Message problem;
    char path[PLACE_PATH];
    FILE *file = fopen(place_path(*state, "rubbish.schem", path), "wb");
    assert_non_null(file);
    assert_true(fputs("rubbish", file) >= 0);
    assert_int_equal(fclose(file), 0);
    Building *building = building_read(path, &problem);
    assert_int_equal(await(building, BUILDING_READS), BUILDING_FAILED);
    assert_true(building_text(building)[0] != '\0');
    assert_string_equal(building_name(building), "rubbish.schem");
    building_end(building);
    building = building_read("/nowhere/at.all", &problem);
    building_end(building); // at once
}

static void names_of_files_are_checked(void **state)
{
    (void)state;
    char path[FILE_PATH_MAX];
    Message problem;
    assert_true(box_save_path("/tmp/a", "house", TRN_SCHEMATIC_LUANTI, path, &problem));
    assert_string_equal(path, "/tmp/a/house.mts");
    assert_true(box_save_path(" \"/tmp/a/\" ", "House.MTS", TRN_SCHEMATIC_LUANTI, path, &problem));
    assert_string_equal(path, "/tmp/a/House.MTS");
    assert_false(box_save_path("/tmp", "  ", TRN_SCHEMATIC_LUANTI, path, &problem));
    assert_false(box_save_path("/tmp", "../house", TRN_SCHEMATIC_LUANTI, path, &problem));
    assert_false(box_save_path("", "house", TRN_SCHEMATIC_LUANTI, path, &problem));
}

static void a_list_has_folders_worlds_and_what_is_imported(void **state)
{
    Place *place = *state;
    char command[256], path[FILE_PATH_MAX];
    Message problem;
    FileList list = {.entries = NULL};
    (void)snprintf(command, sizeof command,
                   "cd '%s' && mkdir -p b A .hidden world && touch world/level.dat x.SCHEM y.txt "
                   "a.vox .z.vox",
                   place->folder);
    assert_int_equal(place_run(place, command), 0);
    assert_true(file_list_read(&list, place->folder, &problem));
    static const char *const names[] = {"A", "b", "world", "a.vox", "x.SCHEM"};
    assert_int_equal(list.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(list.entries[i].name, names[i]);
    }
    assert_int_equal(list.entries[2].kind, FILE_WORLD);
    assert_true(file_list_path(&list, &list.entries[2], path));
    assert_int_equal(file_there(path), FILE_THERE_SOURCE);
    assert_int_equal(file_there(place->folder), FILE_THERE_FOLDER);
    assert_false(file_list_read(&list, "/nowhere", &problem));
    assert_int_equal(list.count, 5); // stays
    file_parent("/a/b", path);
    assert_string_equal(path, "/a");
    file_parent("/a", path);
    assert_string_equal(path, "/");
    file_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_saved_box_is_put_elsewhere_turned_and_taken_back,
                                        place_make, place_remove),
        cmocka_unit_test_setup_teardown(
            colours_become_new_blocks_and_what_is_not_loaded_changes_nothing, place_make,
            place_remove),
        cmocka_unit_test(a_hand_aims_at_blocks_that_a_building_brought),
        cmocka_unit_test_setup_teardown(what_is_no_building_says_so, place_make, place_remove),
        cmocka_unit_test(names_of_files_are_checked),
        cmocka_unit_test_setup_teardown(a_list_has_folders_worlds_and_what_is_imported, place_make,
                                        place_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
