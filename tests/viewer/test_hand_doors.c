// Doors that the hand builds, opens, digs and replaces as a whole; torches and lanterns that take
// the form that fits the place.

#include "hand_land.h"

#include <hand/door.h>

#define OPEN (TRN_BLOCK_OAK_DOOR + 4)

static void put(const Land *land, int64_t x, int64_t y, int64_t z, TrnBlock block)
{
    assert_int_equal(trn_store_set_block(land->store, (TrnVoxel){x, y, z}, block, NULL),
                     TRN_RESULT_OK);
}

/// Aims at the ground of column 4, 4 from the side, towards +x.
static void aim_at_ground(const Land *land)
{
    const HandAim at = aim(land, position_at(2.5, 3.5, 4.5), 1, -1.2, 0, 20);
    assert_true(at.has_place && at.place.x == 4 && at.place.y == 1 && at.place.z == 4);
}

/// Builds a door with its foot at 4, 1, 4.
static void build_door(const Land *land)
{
    choose(land, TRN_BLOCK_OAK_DOOR);
    aim_at_ground(land);
    assert_int_equal(click(land, HAND_BUILD), HAND_DONE);
}

static void check_column(const Land *land, TrnBlock foot, TrnBlock head)
{
    assert_int_equal(get_voxel(land, 4, 1, 4), foot);
    assert_int_equal(get_voxel(land, 4, 2, 4), head);
    assert_int_equal(get_voxel(land, 4, 0, 4), TRN_BLOCK_STONE);
    assert_int_equal(get_voxel(land, 4, 3, 4), TRN_BLOCK_AIR);
}

/// Aims at a half of the door. @param y  of the half
static void aim_at_door(const Land *land, int64_t y)
{
    const HandAim at = aim(land, position_at(1.5, (double)y + 0.5, 4.5), 1, 0, 0.02, 20);
    assert_true(at.is_aimed && at.voxel.x == 4 && at.voxel.y == y);
}

static void a_door_is_built_and_dug_as_a_whole(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    for (int64_t half = 1; half <= 2; half++) {
        build_door(&land);
        check_column(&land, TRN_BLOCK_OAK_DOOR, TRN_BLOCK_OAK_DOOR);
        aim_at_door(&land, half);
        assert_int_equal(click(&land, HAND_DIG), HAND_DONE);
        assert_int_equal(land.dug.voxels, 2);
        check_column(&land, TRN_BLOCK_AIR, TRN_BLOCK_AIR);
        assert_int_equal(hand_undo(land.hand), HAND_DONE);
        check_column(&land, TRN_BLOCK_OAK_DOOR, TRN_BLOCK_OAK_DOOR);
        assert_int_equal(hand_undo(land.hand), HAND_DONE);
        check_column(&land, TRN_BLOCK_AIR, TRN_BLOCK_AIR);
    }
    free_land(&land);
}

static void a_door_without_room_for_both_halves_is_refused(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    choose(&land, TRN_BLOCK_OAK_DOOR);
    put(&land, 4, 2, 4, TRN_BLOCK_STONE);
    const HandAim at = aim(&land, position_at(2.5, 1.9, 4.5), 1, -0.5, 0, 20);
    assert_true(at.place.x == 4 && at.place.y == 1 && at.place.z == 4);
    assert_int_equal(click(&land, HAND_BUILD), HAND_OCCUPIED);
    assert_int_equal(get_voxel(&land, 4, 1, 4), TRN_BLOCK_AIR);
    put(&land, 4, 2, 4, TRN_BLOCK_AIR);
    const HandBody body = {.bottom = position_at(4.5, 2.2, 4.5), .size = {0.6, 0.5, 0.6}};
    (void)aim_with_body(&land, &body, position_at(2.5, 3.5, 4.5), 1, -1.2, 0);
    assert_int_equal(click(&land, HAND_BUILD), HAND_IN_BODY);
    check_column(&land, TRN_BLOCK_AIR, TRN_BLOCK_AIR);
    free_land(&land);
}

static void below_a_ceiling_a_door_hangs_from_its_head(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    choose(&land, TRN_BLOCK_OAK_DOOR);
    put(&land, 4, 3, 4, TRN_BLOCK_STONE);
    const HandAim at = aim(&land, position_at(4.4, 1.2, 4.4), 0.01, 1, 0, 20);
    assert_int_equal(at.face, TRN_FACE_NEG_Y);
    assert_int_equal(click(&land, HAND_BUILD), HAND_DONE);
    assert_int_equal(get_voxel(&land, 4, 1, 4), TRN_BLOCK_OAK_DOOR);
    assert_int_equal(get_voxel(&land, 4, 2, 4), TRN_BLOCK_OAK_DOOR);
    free_land(&land);
}

static void building_at_a_door_opens_and_closes_it(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    build_door(&land);
    choose(&land, TRN_BLOCK_STONE);
    aim_at_door(&land, 2);
    assert_int_equal(hand_press(land.hand, HAND_BUILD), HAND_DONE);
    check_column(&land, OPEN, OPEN);
    aim_at_ground(&land);
    assert_int_equal(hand_hold(land.hand, 1), HAND_SAME); // held, it is neither closed nor built at
    hand_release(land.hand);
    const HandAim at = aim(&land, position_at(4.5, 1.5, 6.5), 0, 0, -1, 20);
    assert_int_equal(at.block, OPEN);
    assert_int_equal(click(&land, HAND_BUILD), HAND_DONE);
    check_column(&land, TRN_BLOCK_OAK_DOOR, TRN_BLOCK_OAK_DOOR);
    assert_int_equal(hand_undo(land.hand), HAND_DONE);
    check_column(&land, OPEN, OPEN);
    free_land(&land);
}

static void a_door_that_would_meet_a_body_stays(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    build_door(&land);
    const HandBody body = {.bottom = position_at(4.6, 1, 4.5), .size = {0.6, 1.8, 0.6}};
    (void)aim_with_body(&land, &body, position_at(1.5, 1.5, 4.5), 1, 0, 0);
    assert_int_equal(click(&land, HAND_BUILD), HAND_IN_BODY);
    check_column(&land, TRN_BLOCK_OAK_DOOR, TRN_BLOCK_OAK_DOOR);
    free_land(&land);
}

static void a_door_is_replaced_as_a_whole_and_by_doors_alone(void **state)
{
    (void)state;
    Land land;
    const TrnBlock pine = TRN_BLOCK_OAK_DOOR + 8;
    make_land(&land, flat_block);
    build_door(&land);
    choose(&land, pine);
    aim_at_door(&land, 1);
    assert_int_equal(click(&land, HAND_REPLACE), HAND_DONE);
    check_column(&land, pine, pine);
    put(&land, 4, 1, 4, TRN_BLOCK_GRANITE);
    put(&land, 4, 2, 4, TRN_BLOCK_AIR);
    aim_at_door(&land, 1);
    assert_int_equal(click(&land, HAND_REPLACE), HAND_OCCUPIED);
    check_column(&land, TRN_BLOCK_GRANITE, TRN_BLOCK_AIR);
    free_land(&land);
}

static void doors_above_each_other_are_paired_from_below(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    for (int64_t y = 1; y <= 5; y++) {
        put(&land, 4, y, 4, TRN_BLOCK_OAK_DOOR);
    }
    static const int64_t lows[] = {1, 1, 3, 3, 5}, highs[] = {2, 2, 4, 4, 5};
    for (int64_t y = 1; y <= 5; y++) {
        const BrushBox box = door_voxels(land.store, (TrnVoxel){4, y, 4});
        assert_int_equal(box.min.y, lows[y - 1]);
        assert_int_equal(box.max.y, highs[y - 1]); // the last has no upper half
    }
    free_land(&land);
}

static void doors_are_known_by_their_names(void **state)
{
    (void)state;
    TrnBlockTypes *types;
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    for (uint32_t id = 0; id < TRN_BLOCK_BUILTIN_COUNT; id++) {
        const TrnBlock i = (TrnBlock)id;
        const bool is_door = i >= TRN_BLOCK_OAK_DOOR && i < TRN_BLOCK_OAK_LADDER;
        const TrnBlock turned = (TrnBlock)((i - TRN_BLOCK_OAK_DOOR) % 8 < 4 ? i + 4 : i - 4);
        assert_int_equal(door_is(types, i), is_door);
        assert_int_equal(door_turned(types, i), is_door ? turned : TRN_BLOCK_AIR);
    }
    TrnBlock cube;
    TrnBlockType type = trn_block_type_def("test:trap_door", TRN_BLOCK_KIND_OPAQUE);
    assert_int_equal(trn_block_types_add(types, &type, &cube), TRN_RESULT_OK);
    assert_false(door_is(types, cube));
    const TrnBlockModel model = {.box_count = 1, .boxes = {{.max = {16, 3, 16}}}};
    type = trn_block_type_def("test:iron_door", TRN_BLOCK_KIND_MODEL);
    type.model = &model;
    assert_int_equal(trn_block_types_add(types, &type, &cube), TRN_RESULT_OK);
    assert_true(door_is(types, cube));
    assert_int_equal(door_turned(types, cube), TRN_BLOCK_AIR); // it has no open form
    trn_block_types_destroy(types);
}

/// Builds at a face. @return what came of it, undone again
static TrnBlock build_at(const Land *land, TrnBlock block, double x, double y, TrnFace face)
{
    choose(land, block);
    const HandAim at = aim(land, position_at(4.5, 2.5, 4.5), x, y, 0, 20);
    assert_int_equal(at.face, face);
    assert_int_equal(click(land, HAND_BUILD), HAND_DONE);
    const TrnBlock built = get_voxel(land, at.place.x, at.place.y, at.place.z);
    assert_int_equal(hand_undo(land->hand), HAND_DONE);
    return built;
}

static void torches_lean_at_walls_and_lanterns_hang_from_ceilings(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    put(&land, 7, 2, 4, TRN_BLOCK_STONE); // a wall
    put(&land, 4, 5, 4, TRN_BLOCK_STONE); // a ceiling
    static const struct {
        TrnBlock block;
        double x, y;
        TrnFace face;
        TrnBlock built;
    } cases[] = {
        {TRN_BLOCK_TORCH, 0.1, -1, TRN_FACE_POS_Y, TRN_BLOCK_TORCH},
        {TRN_BLOCK_TORCH, 1, 0, TRN_FACE_NEG_X, TRN_BLOCK_WALL_TORCH + 2},
        {TRN_BLOCK_TORCH, 0.1, 1, TRN_FACE_NEG_Y, TRN_BLOCK_TORCH},
        {TRN_BLOCK_STANDING_LANTERN, 0.1, -1, TRN_FACE_POS_Y, TRN_BLOCK_STANDING_LANTERN},
        {TRN_BLOCK_STANDING_LANTERN, 1, 0, TRN_FACE_NEG_X, TRN_BLOCK_STANDING_LANTERN},
        {TRN_BLOCK_STANDING_LANTERN, 0.1, 1, TRN_FACE_NEG_Y, TRN_BLOCK_HANGING_LANTERN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(build_at(&land, cases[i].block, cases[i].x, cases[i].y, cases[i].face),
                         cases[i].built);
    }
    free_land(&land);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_door_is_built_and_dug_as_a_whole),
        cmocka_unit_test(a_door_without_room_for_both_halves_is_refused),
        cmocka_unit_test(below_a_ceiling_a_door_hangs_from_its_head),
        cmocka_unit_test(building_at_a_door_opens_and_closes_it),
        cmocka_unit_test(a_door_that_would_meet_a_body_stays),
        cmocka_unit_test(a_door_is_replaced_as_a_whole_and_by_doors_alone),
        cmocka_unit_test(doors_above_each_other_are_paired_from_below),
        cmocka_unit_test(doors_are_known_by_their_names),
        cmocka_unit_test(torches_lean_at_walls_and_lanterns_hang_from_ceilings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
