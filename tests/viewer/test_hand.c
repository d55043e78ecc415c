// Aiming, digging, building and undo in small worlds, compared with a plain array that gets the
// same changes.

#include "hand_land.h"

// ---- a world of 3 x 3 x 3 chunks, and the same in an array --------------------------------------

static void set_voxel(Land *land, int64_t x, int64_t y, int64_t z, TrnBlock block)
{
    assert_int_equal(trn_store_set_block(land->store, (TrnVoxel){x, y, z}, block, NULL),
                     TRN_RESULT_OK);
    *model_at(land, x, y, z) = block;
}

// ---- looking ------------------------------------------------------------------------------------

static void aim_ends_at_the_reach(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    // The floor's top face is 4 below the eyes.
    const TrnPosition eye = position_at(3.5, 5, 3.5);
    assert_false(aim(&land, eye, 0, -1, 0, 3.9).is_aimed);
    const HandAim at = aim(&land, eye, 0, -7, 0, 4.1); // of any length
    assert_true(at.is_aimed && at.has_place);
    assert_int_equal(at.block, TRN_BLOCK_STONE);
    assert_int_equal(at.face, TRN_FACE_POS_Y);
    assert_true(at.voxel.x == 3 && at.voxel.y == 0 && at.voxel.z == 3);
    assert_true(at.place.x == 3 && at.place.y == 1 && at.place.z == 3);
    assert_true(fabs(at.distance - 4) < 1e-9);
    free_land(&land);
}

static void absurd_looks_aim_at_nothing_or_as_far_as_there_is(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    const TrnPosition eye = position_at(3.5, 5, 3.5);
    static const double none[] = {NAN, 0, -0.0, -1, -INFINITY};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_false(aim(&land, eye, 0, -1, 0, none[i]).is_aimed);
        assert_int_equal(click(&land, HAND_DIG), HAND_NO_AIM);
    }
    static const double far[] = {1e9, INFINITY, HAND_REACH_MAX};
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
        assert_true(aim(&land, eye, 0, -1, 0, far[i]).is_aimed);
        assert_false(aim(&land, eye, 0, 1, 0, far[i]).is_aimed); // out of what is loaded
    }
    assert_false(aim(&land, eye, 0, 0, 0, 6).is_aimed);
    assert_false(aim(&land, eye, NAN, 0, 0, 6).is_aimed);
    assert_false(aim(&land, eye, 0, -INFINITY, 0, 6).is_aimed);
    TrnPosition nowhere = eye;
    nowhere.offset[1] = NAN;
    assert_false(aim(&land, nowhere, 0, -1, 0, 6).is_aimed);
    nowhere.offset[1] = 1e300;
    assert_false(aim(&land, nowhere, 0, -1, 0, 6).is_aimed);
    assert_int_equal(click(&land, HAND_BUILD), HAND_NO_AIM);
    assert_false(hand_pick(land.hand));
    check_land(&land);
    free_land(&land);
}

static void one_builds_on_the_face_that_is_looked_at(void **state)
{
    (void)state;
    static const int8_t ways[TRN_FACE_COUNT][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                                   {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        Land land;
        make_land(&land, flat_block);
        // A block in the air at a chunk border, seen from all sides.
        set_voxel(&land, 0, 31, 31, TRN_BLOCK_SLATE);
        const int8_t *way = ways[face];
        const TrnPosition eye =
            position_at(0.5 + 4.0 * way[0], 31.5 + 4.0 * way[1], 31.5 + 4.0 * way[2]);
        assert_int_equal(aim(&land, eye, -way[0], -way[1], -way[2], 6).face, face);
        choose(&land, TRN_BLOCK_GRANITE);
        assert_int_equal(click(&land, HAND_BUILD), HAND_DONE);
        *model_at(&land, way[0], 31 + way[1], 31 + way[2]) = TRN_BLOCK_GRANITE;
        check_land(&land);
        assert_int_equal(land.dug_calls, 0);
        free_land(&land);
    }
}

static void the_eye_in_a_block_digs_itself_out_and_builds_nothing(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    const HandAim at = aim(&land, position_at(5.5, -3.5, 5.5), 1, 0, 0, 6);
    assert_true(at.is_aimed && !at.has_place);
    assert_int_equal(at.face, TRN_FACE_COUNT);
    assert_int_equal(click(&land, HAND_BUILD), HAND_OCCUPIED);
    assert_int_equal(click(&land, HAND_DIG), HAND_DONE);
    *model_at(&land, 5, -4, 5) = TRN_BLOCK_AIR;
    check_land(&land);
    free_land(&land);
}

// ---- plants, water, bodies ----------------------------------------------------------------------

static void plants_go_alone_with_their_ground_and_under_what_is_built(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    set_voxel(&land, 1, 1, 1, TRN_BLOCK_FLOWER);
    aim_down(&land, 1, 1);
    assert_int_equal(hand_aimed(land.hand).block, TRN_BLOCK_FLOWER);
    assert_int_equal(click(&land, HAND_DIG), HAND_DONE);
    *model_at(&land, 1, 1, 1) = TRN_BLOCK_AIR;
    check_land(&land);

    // Building at a plant replaces it.
    set_voxel(&land, 1, 1, 1, TRN_BLOCK_FLOWER);
    aim_down(&land, 1, 1);
    choose(&land, TRN_BLOCK_SAND);
    assert_int_equal(click(&land, HAND_BUILD), HAND_DONE);
    *model_at(&land, 1, 1, 1) = TRN_BLOCK_SAND;
    check_land(&land);

    // Reeds across the border of two chunks are removed with the sand below them.
    for (int64_t y = 30; y <= 33; y++) {
        set_voxel(&land, 4, y, 4, y == 30 ? TRN_BLOCK_SAND : TRN_BLOCK_REEDS);
    }
    aim(&land, position_at(7.5, 30.5, 4.5), -1, 0, 0, 6);
    assert_int_equal(click(&land, HAND_DIG), HAND_DONE);
    assert_int_equal(land.dug.voxels, 4);
    for (int64_t y = 30; y <= 33; y++) {
        *model_at(&land, 4, y, 4) = TRN_BLOCK_AIR;
    }
    check_land(&land);
    assert_int_equal(hand_undo(land.hand), HAND_DONE);
    assert_int_equal(get_voxel(&land, 4, 33, 4), TRN_BLOCK_REEDS);
    free_land(&land);
}

static void water_is_looked_through_built_into_and_not_dug(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    for (int64_t y = 1; y <= 4; y++) {
        set_voxel(&land, 2, y, 2, TRN_BLOCK_WATER);
    }
    assert_int_equal(aim_down(&land, 2, 2).block, TRN_BLOCK_STONE);
    choose(&land, TRN_BLOCK_DIRT);
    assert_int_equal(click(&land, HAND_BUILD), HAND_DONE);
    *model_at(&land, 2, 1, 2) = TRN_BLOCK_DIRT;
    check_land(&land);
    aim_down(&land, 2, 2);
    hand_choose_tool(land.hand, HAND_TOOL_BALL);
    hand_set_radius(land.hand, 1);
    assert_int_equal(click(&land, HAND_DIG), HAND_DONE);
    *model_at(&land, 2, 1, 2) = *model_at(&land, 2, 0, 2) = TRN_BLOCK_AIR;
    check_land(&land); // the water above stays
    // Building water in water changes nothing, and adds no undo step.
    for (int64_t z = 40; z < 60; z++) {
        for (int64_t x = 40; x < 60; x++) {
            for (int64_t y = 1; y < 10; y++) {
                set_voxel(&land, x, y, z, TRN_BLOCK_WATER);
            }
        }
    }
    aim_down(&land, 50, 50);
    choose(&land, TRN_BLOCK_WATER);
    assert_int_equal(click(&land, HAND_BUILD), HAND_SAME);
    assert_int_equal(hand_history(land.hand).undo_groups, 2);
    choose(&land, TRN_BLOCK_STONE);
    assert_int_equal(click(&land, HAND_REPLACE), HAND_SAME);
    free_land(&land);
}

static void nothing_solid_is_built_into_a_body(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    // The body stands on the floor at the border of two voxels: it is two voxels wide and two high.
    const HandBody bodies[] = {{position_at(4, 1, 4.5), {0.6, 1.8, 0.6}},
                               {position_at(NAN, 1, 4.5), {0.6, 1.8, 0.6}}};
    HandLook look = {.eye = position_at(3.5, 5, 4.5),
                     .direction = {0, -1, 0},
                     .reach = 6,
                     .bodies = bodies,
                     .body_count = 2};
    choose(&land, TRN_BLOCK_STONE);
    hand_aim(land.hand, &look);
    assert_int_equal(click(&land, HAND_BUILD), HAND_IN_BODY);
    check_land(&land);
    look.eye = position_at(2.5, 5, 4.5); // shares a face with it
    hand_aim(land.hand, &look);
    assert_int_equal(click(&land, HAND_BUILD), HAND_DONE);
    *model_at(&land, 2, 1, 4) = TRN_BLOCK_STONE;
    // A flower may be built where a body stands.
    look.eye = position_at(4.5, 5, 4.5);
    hand_aim(land.hand, &look);
    choose(&land, TRN_BLOCK_FLOWER);
    assert_int_equal(click(&land, HAND_BUILD), HAND_DONE);
    *model_at(&land, 4, 1, 4) = TRN_BLOCK_FLOWER;
    check_land(&land);
    // A ball leaves out the body's voxels when it builds, and includes them when it digs.
    hand_aim(land.hand, &look);
    choose(&land, TRN_BLOCK_DIRT);
    hand_choose_tool(land.hand, HAND_TOOL_BALL);
    hand_set_radius(land.hand, 2);
    assert_int_equal(click(&land, HAND_BUILD), HAND_DONE);
    assert_int_equal(get_voxel(&land, 3, 1, 4), TRN_BLOCK_AIR);
    assert_int_equal(get_voxel(&land, 4, 1, 4), TRN_BLOCK_FLOWER);
    assert_int_equal(get_voxel(&land, 4, 2, 4), TRN_BLOCK_AIR);
    assert_int_equal(get_voxel(&land, 5, 1, 4), TRN_BLOCK_DIRT);
    assert_int_equal(get_voxel(&land, 4, 3, 4), TRN_BLOCK_DIRT);
    free_land(&land);
}

// ---- tools --------------------------------------------------------------------------------------

static void a_box_has_two_corners_and_is_no_wider_than_it_may_be(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    hand_choose_tool(land.hand, HAND_TOOL_BOX);
    Outline outline;
    aim_down(&land, -30, -30);
    assert_int_equal(click(&land, HAND_DIG), HAND_CORNER);
    hand_choose_tool(land.hand, HAND_TOOL_BOX); // forgets it
    assert_true(hand_outline(land.hand, &outline) && outline.box_min.x == outline.box_max.x);
    assert_int_equal(click(&land, HAND_DIG), HAND_CORNER);
    check_land(&land);
    aim(&land, position_at(60.5, 10.5, -27.5), 0, -1, 0, 64);
    assert_true(hand_outline(land.hand, &outline));
    assert_true(outline.has_box && outline.box_min.x == -30 && outline.box_max.x == 33);
    assert_int_equal(click(&land, HAND_DIG), HAND_DONE);
    for (int64_t z = -30; z <= -28; z++) {
        for (int64_t x = -30; x <= 33; x++) {
            *model_at(&land, x, 0, z) = TRN_BLOCK_AIR;
        }
    }
    check_land(&land);
    assert_int_equal(land.dug.voxels, 3 * 64);
    assert_int_equal(land.dug.count, 3 * 64);
    assert_int_equal(hand_history(land.hand).undo_groups, 1); // a corner leaves no step
    aim_down(&land, 50, 50);
    assert_int_equal(click(&land, HAND_BUILD), HAND_CORNER);
    hand_choose_tool(land.hand, HAND_TOOL_SINGLE); // forgets it
    assert_true(hand_outline(land.hand, &outline));
    assert_true(outline.has_block && !outline.has_box && !outline.has_ball);
    free_land(&land);
}

static void brushes_take_absurd_sizes_and_corners(void **state)
{
    (void)state;
    const TrnVoxel low = {INT64_MIN, INT64_MIN, INT64_MIN};
    const TrnVoxel high = {INT64_MAX, INT64_MAX, INT64_MAX};
    Brush brush = brush_box(low, high);
    assert_true(brush.box.min.x == INT64_MIN && brush.box.max.x == INT64_MIN + BRUSH_EDGE_MAX - 1);
    brush = brush_box(high, low);
    assert_true(brush.box.max.z == INT64_MAX && brush.box.min.z == INT64_MAX - BRUSH_EDGE_MAX + 1);
    static const double radii[] = {NAN, -1, 0, 1e9, INFINITY, -INFINITY};
    static const double reaches[] = {0, 0, 0, BRUSH_RADIUS_MAX, BRUSH_RADIUS_MAX, 0};
    for (size_t i = 0; i < sizeof radii / sizeof radii[0]; i++) {
        brush = brush_ball((TrnVoxel){0, 0, 0}, radii[i]);
        assert_true(brush.radius == reaches[i] && brush.box.max.y == (int64_t)reaches[i]);
    }
    Land land;
    make_land(&land, flat_block);
    const double before = hand_radius(land.hand);
    hand_set_radius(land.hand, NAN);
    assert_true(hand_radius(land.hand) == before);
    hand_set_radius(land.hand, 1e9);
    assert_true(hand_radius(land.hand) == BRUSH_RADIUS_MAX);
    hand_set_radius(land.hand, -5);
    assert_true(hand_radius(land.hand) == 1);
    hand_choose_tool(land.hand, (HandTool)77);
    assert_int_equal(hand_tool(land.hand), HAND_TOOL_SINGLE);
    aim_down(&land, 0, 0);
    assert_int_equal(click(&land, (HandAct)77), HAND_SAME);
    check_land(&land);
    free_land(&land);
}

static void a_held_press_repeats_and_is_one_step_of_undo(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    aim_down(&land, 8, 8);
    assert_int_equal(hand_press(land.hand, HAND_DIG), HAND_DONE);
    uint32_t done = 1;
    for (int frame = 0; frame < 130; frame++) { // 1.3 s
        aim_down(&land, 8, 8);
        done += hand_hold(land.hand, 0.01) == HAND_DONE;
    }
    assert_int_equal(hand_hold(land.hand, NAN), HAND_SAME);
    assert_int_equal(hand_hold(land.hand, -1), HAND_SAME);
    assert_in_range(done, 7, 8);
    hand_release(land.hand);
    assert_int_equal(hand_hold(land.hand, 1), HAND_SAME);
    assert_int_equal(get_voxel(&land, 8, 1 - (int64_t)done, 8), TRN_BLOCK_AIR);
    assert_int_equal(get_voxel(&land, 8, -(int64_t)done, 8), TRN_BLOCK_STONE);
    assert_int_equal(hand_history(land.hand).undo_groups, 1);
    assert_int_equal(hand_undo(land.hand), HAND_DONE);
    check_land(&land);
    assert_int_equal(hand_undo(land.hand), HAND_NOTHING_LEFT);
    assert_int_equal(hand_redo(land.hand), HAND_DONE);
    assert_int_equal(hand_redo(land.hand), HAND_NOTHING_LEFT);
    assert_int_equal(get_voxel(&land, 8, 0, 8), TRN_BLOCK_AIR);
    // Undo during a press takes back what the press has changed.
    aim_down(&land, 9, 9);
    assert_int_equal(hand_press(land.hand, HAND_DIG), HAND_DONE);
    assert_int_equal(hand_undo(land.hand), HAND_DONE);
    assert_int_equal(get_voxel(&land, 9, 0, 9), TRN_BLOCK_STONE);
    assert_int_equal(hand_hold(land.hand, 10), HAND_SAME);
    free_land(&land);
}

static void of_many_blocks_that_were_dug_some_are_told_from_everywhere(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    hand_choose_tool(land.hand, HAND_TOOL_BALL);
    hand_set_radius(land.hand, 16);
    aim_down(&land, 16, 16);
    assert_int_equal(click(&land, HAND_DIG), HAND_DONE);
    uint64_t below = 0;
    for (int64_t y = -16; y <= 0; y++) {
        for (int64_t z = -16; z <= 16; z++) {
            for (int64_t x = -16; x <= 16; x++) {
                below += x * x + y * y + z * z <= 256;
            }
        }
    }
    assert_int_equal(land.dug.voxels, below);
    assert_in_range(land.dug.count, BRUSH_BITS_MAX / 2, BRUSH_BITS_MAX);
    uint32_t left = 0, deep = 0;
    for (uint32_t i = 0; i < land.dug.count; i++) {
        assert_int_equal(land.dug.bits[i].block, TRN_BLOCK_STONE);
        left += land.dug.bits[i].voxel.x < 16;
        deep += land.dug.bits[i].voxel.y < -5;
    }
    assert_in_range(left, land.dug.count / 3, land.dug.count * 2 / 3);
    assert_in_range(deep, land.dug.count / 4, land.dug.count * 2 / 3);
    free_land(&land);
}

static void the_palette_has_all_types_and_its_bar_the_chosen_one(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    Palette *palette = hand_palette(land.hand);
    uint32_t count;
    const TrnBlockType *types = trn_block_types_all(trn_store_block_types(land.store), &count);
    uint32_t firsts = 0;
    for (uint32_t i = 1; i < count; i++) {
        firsts += types[i].variant == 0;
    }
    assert_int_equal(palette->count, firsts - 3); // of each family, without three open doors
    bool solid = true;
    for (uint32_t i = 0; i < palette->count; i++) {
        assert_true(solid || !types[palette->blocks[i]].is_solid); // solid ones first
        solid = types[palette->blocks[i]].is_solid;
    }
    assert_false(solid);
    TestRandom random = test_random_seeded(3);
    for (int i = 0; i < 2000; i++) {
        const uint32_t before = palette->chosen;
        const int32_t steps = i % 50    ? (int32_t)test_random_range(&random, -12, 12)
                              : i % 100 ? INT32_MIN
                                        : INT32_MAX;
        palette_step(palette, steps);
        const int64_t sum = ((int64_t)before + steps) % PALETTE_BAR;
        assert_int_equal(palette->chosen, sum < 0 ? sum + PALETTE_BAR : sum);
    }
    assert_true(palette_choose_slot(palette, 3));
    assert_int_equal(palette->chosen, 3);
    assert_false(palette_choose_slot(palette, PALETTE_BAR));
    assert_false(palette_choose(palette, 60000));
    assert_false(palette_choose(palette, TRN_BLOCK_AIR));
    set_voxel(&land, 1, 1, 1, TRN_BLOCK_FLOWER);
    aim_down(&land, 1, 1);
    assert_true(hand_pick(land.hand));
    assert_int_equal(palette_block(palette), TRN_BLOCK_FLOWER);
    assert_int_equal(palette->chosen, 3); // in place of the block that was there
    set_voxel(&land, 1, 1, 1, TRN_BLOCK_STONE_SLAB + 2);
    aim_down(&land, 1, 1);
    assert_true(hand_pick(land.hand));
    assert_int_equal(palette_block(palette), TRN_BLOCK_STONE_SLAB); // of any turn the first
    free_land(&land);
}

/// Builds a block on the aimed face. @return which of its family it became
static uint32_t build_turned(Land *land, TrnBlock block, TrnPosition eye, double x, double y,
                             double z)
{
    choose(land, block);
    const HandAim at = aim(land, eye, x, y, z, 20);
    assert_true(at.has_place);
    assert_int_equal(click(land, HAND_BUILD), HAND_DONE);
    const TrnBlock built = get_voxel(land, at.place.x, at.place.y, at.place.z);
    assert_int_equal(type_of(land, built)->family, block);
    assert_int_equal(hand_undo(land->hand), HAND_DONE);
    return type_of(land, built)->variant;
}

static void models_turn_by_the_side_looked_at(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    const TrnPosition eye = position_at(4.5, 2.5, 4.5);
    // On the ground stairs rise the way one looks: +x, +z, -x, -z.
    static const double ways[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (uint32_t turn = 0; turn < 4; turn++) {
        const double x = ways[turn][0], z = ways[turn][1];
        assert_int_equal(build_turned(&land, TRN_BLOCK_STONE_STAIRS, eye, x, -1, z), turn);
        assert_int_equal(build_turned(&land, TRN_BLOCK_OAK_DOOR, eye, x, -1, z), turn);
        // A torch on the ground leans at what is ahead.
        assert_int_equal(build_turned(&land, TRN_BLOCK_WALL_TORCH, eye, x, -1, z), (turn + 2) % 4);
        const int64_t wall[2] = {4 + 3 * (int64_t)x, 4 + 3 * (int64_t)z};
        set_voxel(&land, wall[0], 2, wall[1], TRN_BLOCK_STONE);
        assert_int_equal(build_turned(&land, TRN_BLOCK_WALL_TORCH, eye, x, 0, z), (turn + 2) % 4);
        // On the upper half of a wall they stand upside down, doors never do.
        assert_int_equal(build_turned(&land, TRN_BLOCK_STONE_SLAB, eye, x, 0.1, z), turn + 4);
        assert_int_equal(build_turned(&land, TRN_BLOCK_STONE_SLAB, eye, x, -0.1, z), turn);
        assert_int_equal(build_turned(&land, TRN_BLOCK_OAK_DOOR, eye, x, 0.1, z), turn);
        set_voxel(&land, wall[0], 2, wall[1], TRN_BLOCK_AIR);
    }
    set_voxel(&land, 4, 6, 4, TRN_BLOCK_STONE); // a ceiling
    assert_int_equal(build_turned(&land, TRN_BLOCK_STONE_SLAB, eye, 0.1, 1, 0), 4);
    assert_int_equal(build_turned(&land, TRN_BLOCK_OAK_FENCE, eye, 0.1, 1, 0), 0);
    free_land(&land);
}

static void a_slot_of_the_bar_keeps_its_block_until_another_is_put_there(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    Palette *palette = hand_palette(land.hand);
    TrnBlock bar[PALETTE_BAR];
    memcpy(bar, palette->bar, sizeof bar);
    palette_step(palette, 4);
    palette_step(palette, -13); // around the end
    assert_memory_equal(palette->bar, bar, sizeof bar);
    assert_int_equal(palette->chosen, 0);
    for (uint32_t i = 0; i < palette->count; i++) {
        const TrnBlock block = palette->blocks[i];
        assert_true(palette_put(palette, 0, block));
        assert_int_equal(palette_block(palette), block);
        for (uint32_t slot = 1; slot < PALETTE_BAR; slot++) {
            const bool swapped = block == bar[slot];
            assert_true(palette->bar[slot] != block && (swapped || palette->bar[slot] != 0));
        }
        memcpy(palette->bar, bar, sizeof bar);
    }
    assert_true(palette_put(palette, 2, bar[5])); // two slots swap
    assert_true(palette->bar[2] == bar[5] && palette->bar[5] == bar[2]);
    assert_true(palette_put(palette, 5, bar[5]));
    assert_memory_equal(palette->bar, bar, sizeof bar);
    assert_false(palette_put(palette, PALETTE_BAR, bar[0]));
    assert_false(palette_put(palette, 0, TRN_BLOCK_AIR));
    assert_false(palette_put(palette, 0, TRN_BLOCK_WATER_FLOW)); // no family of its own
    assert_memory_equal(palette->bar, bar, sizeof bar);
    const TrnBlock there = bar[5];
    assert_true(palette_choose(palette, there));
    assert_int_equal(palette->chosen, 5);
    assert_memory_equal(palette->bar, bar, sizeof bar);
    free_land(&land);
}

// ---- refused ------------------------------------------------------------------------------------

static void what_is_not_admitted_is_not_changed(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    hand_choose_tool(land.hand, HAND_TOOL_BALL);
    hand_set_radius(land.hand, 2);
    aim_down(&land, 0, 0); // eight chunks meet there
    land.admitted = 7;
    assert_int_equal(click(&land, HAND_DIG), HAND_KEPT_FULL);
    assert_true(hand_outcome_text(HAND_KEPT_FULL)[0]);
    check_land(&land);
    land.admitted = 8;
    assert_int_equal(click(&land, HAND_DIG), HAND_DONE);
    free_land(&land);
}

static void chunks_that_are_not_there_are_left_out(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    assert_int_equal(trn_store_remove(land.store, (TrnCoord){1, 0, 0}), TRN_RESULT_OK);
    choose(&land, TRN_BLOCK_DIRT);
    hand_choose_tool(land.hand, HAND_TOOL_BALL);
    hand_set_radius(land.hand, 3);
    aim_down(&land, 31, 16);
    assert_int_equal(click(&land, HAND_BUILD), HAND_DONE);
    assert_int_equal(get_voxel(&land, 30, 2, 16), TRN_BLOCK_DIRT);
    assert_int_equal(trn_edits_stats(land.store).pending_chunks, 0);
    // The one voxel to change lies in such a chunk.
    hand_choose_tool(land.hand, HAND_TOOL_SINGLE);
    set_voxel(&land, 31, 20, 16, TRN_BLOCK_STONE);
    aim(&land, position_at(31.5, 20.5, 20.5), 0, 0, -1, 6);
    assert_true(hand_aimed(land.hand).is_aimed);
    aim(&land, position_at(32.5, 20.5, 16.5), -1, 0, 0, 6);
    assert_false(hand_aimed(land.hand).is_aimed); // looks from where nothing is known
    free_land(&land);
}

static void at_the_end_of_the_world_nothing_is_built_beyond(void **state)
{
    (void)state;
    TrnStore *store;
    Hand *hand;
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    const TrnCoord last = {INT32_MAX, INT32_MAX, INT32_MIN};
    assert_int_equal(trn_store_insert_uniform(store, last, TRN_BLOCK_STONE, NULL), TRN_RESULT_OK);
    const HandDef def = hand_def(store);
    assert_true(hand_create(&hand, &def));
    const HandLook look = {.eye = {last, {32, 16, 16}}, .direction = {-1, 0, 0}, .reach = 6};
    hand_aim(hand, &look);
    hand_choose_tool(hand, HAND_TOOL_BALL);
    assert_true(hand_aimed(hand).is_aimed);
    assert_int_equal(hand_press(hand, HAND_BUILD),
                     hand_aimed(hand).face == TRN_FACE_COUNT ? HAND_OCCUPIED : HAND_END);
    assert_int_equal(hand_press(hand, HAND_DIG), HAND_DONE); // cut off at the end
    TrnBlock block;
    assert_int_equal(
        trn_store_get_block(
            store, (TrnVoxel){TRN_VOXEL_MAX, TRN_VOXEL_MAX - 15, TRN_VOXEL_MIN + 16}, &block),
        TRN_RESULT_OK);
    assert_int_equal(block, TRN_BLOCK_AIR);
    hand_destroy(hand); // while it is pressed
    trn_store_destroy(store);
}

static void without_memory_all_stays_as_it_was(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    hand_choose_tool(land.hand, HAND_TOOL_BALL);
    hand_set_radius(land.hand, 6);
    aim_down(&land, 0, 0);
    uint32_t refused = 0;
    HandOutcome outcome = HAND_NO_MEMORY;
    for (size_t n = 1; outcome != HAND_DONE; n++) {
        assert_true(n < 1000);
        land.memory.fail_at = land.memory.allocations + n;
        outcome = click(&land, HAND_DIG);
        land.memory.fail_at = 0;
        if (outcome != HAND_DONE) {
            assert_int_equal(outcome, HAND_NO_MEMORY);
            assert_int_equal(hand_history(land.hand).undo_groups, 0);
            check_land(&land);
            refused++;
        }
    }
    assert_true(refused > 0);
    assert_int_equal(hand_undo(land.hand), HAND_DONE);
    check_land(&land);
    free_land(&land);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aim_ends_at_the_reach),
        cmocka_unit_test(absurd_looks_aim_at_nothing_or_as_far_as_there_is),
        cmocka_unit_test(one_builds_on_the_face_that_is_looked_at),
        cmocka_unit_test(the_eye_in_a_block_digs_itself_out_and_builds_nothing),
        cmocka_unit_test(plants_go_alone_with_their_ground_and_under_what_is_built),
        cmocka_unit_test(water_is_looked_through_built_into_and_not_dug),
        cmocka_unit_test(nothing_solid_is_built_into_a_body),
        cmocka_unit_test(a_box_has_two_corners_and_is_no_wider_than_it_may_be),
        cmocka_unit_test(brushes_take_absurd_sizes_and_corners),
        cmocka_unit_test(a_held_press_repeats_and_is_one_step_of_undo),
        cmocka_unit_test(of_many_blocks_that_were_dug_some_are_told_from_everywhere),
        cmocka_unit_test(the_palette_has_all_types_and_its_bar_the_chosen_one),
        cmocka_unit_test(models_turn_by_the_side_looked_at),
        cmocka_unit_test(a_slot_of_the_bar_keeps_its_block_until_another_is_put_there),
        cmocka_unit_test(what_is_not_admitted_is_not_changed),
        cmocka_unit_test(chunks_that_are_not_there_are_left_out),
        cmocka_unit_test(at_the_end_of_the_world_nothing_is_built_beyond),
        cmocka_unit_test(without_memory_all_stays_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
