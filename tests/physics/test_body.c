// Bodies: walking, swimming, climbing and sneaking, case by case. test_sweep.c tests the sweeps
// below them.

#include "body_steps.h"

// ---- bodies -------------------------------------------------------------------------------------

static void step_body_often(const Scene *scene, const TrnBodyDef *def, TrnBody *body,
                            const TrnBodyInput *input, int steps)
{
    for (int i = 0; i < steps; i++) {
        step_body(scene, def, body, input, 1.0 / 60);
    }
}

static TrnBodyInput input_of(double x, double y, double z, bool jump, bool sneak)
{
    const TrnBodyInput input = {{x, y, z}, jump, sneak};
    return input;
}

static void a_million_steps_on_the_floor_leave_a_body_where_it_was(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    const TrnBodyDef def = trn_body_def();
    TrnBody body = body_at(0.1, 3.3, -0.7);
    step_body_often(&scene, &def, &body, NULL, 120);
    assert_true(body.on_ground && position_axis(body.position, 1) == 0);
    const TrnBody rest = body;
    for (int i = 0; i < 1000000; i++) {
        assert_int_equal(trn_body_step(scene.store, &def, &body, NULL, 1.0 / 60), TRN_RESULT_OK);
        const double *at = body.position.offset, *was = rest.position.offset;
        if (!body.on_ground || body.velocity[1] != 0 || at[0] != was[0] || at[1] != was[1] ||
            at[2] != was[2]) {
            fail_msg("moved at step %d", i);
        }
    }
    assert_true(body.hit[TRN_FACE_NEG_Y] && !body.waits);
    scene_end(&scene);
}

static double jump_height(const Scene *scene, double seconds)
{
    const TrnBodyDef def = trn_body_def();
    const TrnBodyInput jump = input_of(0, 0, 0, true, false);
    TrnBody body = body_at(0.5, 0, 0.5);
    step_body(scene, &def, &body, &jump, seconds);
    assert_false(body.on_ground);
    double top = 0;
    while (!body.on_ground) {
        top = position_axis(body.position, 1) > top ? position_axis(body.position, 1) : top;
        step_body(scene, &def, &body, NULL, seconds);
    }
    assert_true(position_axis(body.position, 1) == 0 && body.velocity[1] == 0);
    return top;
}

static void jumps_and_falls_do_not_depend_on_the_time_step(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    const TrnBodyDef def = trn_body_def();
    const double height = def.jump_speed * def.jump_speed / (2 * def.gravity);
    assert_true(height > 1.2 && height < 1.5);
    for (int rate = 20; rate <= 960; rate *= 2) {
        const double top = jump_height(&scene, 1.0 / rate);
        // Sampled at the ends of steps only, the top may lie between two of them.
        assert_true(top <= height + 1e-9);
        assert_true(top > height - def.gravity / (8.0 * rate * rate) - 1e-9);
        TrnBody body = body_at(0.5, 30, 0.5);
        step_body(&scene, &def, &body, NULL, 0);
        for (int i = 0; i < rate; i++) {
            step_body(&scene, &def, &body, NULL, 1.0 / rate);
        }
        assert_true(position_axis(body.position, 1) < 14 + 1e-9 &&
                    position_axis(body.position, 1) > 14 - 1e-9);
    }
    scene_end(&scene);
}

static void a_body_walks_no_faster_diagonally(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 3);
    const TrnBodyDef def = trn_body_def();
    const double wild[4][2] = {{1, 0}, {-1, 1}, {1e300, 1e300}, {3, -4}};
    for (int i = 0; i < 4; i++) {
        TrnBody body = body_at(0, 0, 0);
        const TrnBodyInput input = input_of(wild[i][0], 1e308, wild[i][1], false, false);
        step_body_often(&scene, &def, &body, &input, 60);
        const double square =
            body.velocity[0] * body.velocity[0] + body.velocity[2] * body.velocity[2];
        assert_true(square > 4.3 * 4.3 - 1e-9 && square < 4.3 * 4.3 + 1e-9);
        assert_true(body.on_ground && body.velocity[1] == 0);
        step_body_often(&scene, &def, &body, NULL, 60);
        assert_true(body.velocity[0] == 0 && body.velocity[2] == 0);
    }
    TrnBody slow = body_at(0, 0, 0);
    const TrnBodyInput half = input_of(0, 0, -0.5, false, false);
    step_body_often(&scene, &def, &slow, &half, 60);
    assert_true(slow.velocity[2] > -2.15 - 1e-9 && slow.velocity[2] < -2.15 + 1e-9);
    scene_end(&scene);
}

static void a_person_jumps_onto_one_block_and_not_onto_two(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    scene_box(&scene, voxel_of(3, 0, -2), voxel_of(5, 0, 2), TRN_BLOCK_STONE);
    scene_box(&scene, voxel_of(-6, 0, -2), voxel_of(-4, 1, 2), TRN_BLOCK_STONE);
    const TrnBodyDef def = trn_body_def();
    for (int jump = 0; jump < 2; jump++) {
        TrnBody body = body_at(2, 0, 0);
        TrnBodyInput input = input_of(1, 0, 0, jump, false);
        double top = 0;
        for (int i = 0; i < 60; i++) {
            step_body(&scene, &def, &body, &input, 1.0 / 60);
            top = body.on_ground && position_axis(body.position, 1) > top
                      ? position_axis(body.position, 1)
                      : top;
        }
        assert_true(top == (jump ? 1 : 0));
        body = body_at(-2, 0, 0);
        input = input_of(-1, 0, 0, jump, false);
        step_body_often(&scene, &def, &body, &input, 200);
        assert_true(position_axis(body.position, 0) > -3 && body.hit[TRN_FACE_NEG_X]);
    }
    // With a step height of 1 it needs no jump, and reports how far it climbed.
    TrnBodyDef stepping = def;
    stepping.step_height = 1;
    TrnBody body = body_at(2, 0, 0);
    const TrnBodyInput input = input_of(1, 0, 0, false, false);
    double risen = 0;
    for (int i = 0; i < 40; i++) {
        step_body(&scene, &stepping, &body, &input, 1.0 / 60);
        risen += body.step_height;
        assert_true(body.on_ground);
    }
    assert_true(risen == 1 && position_axis(body.position, 1) == 1);
    scene_end(&scene);
}

static void stairs_slabs_and_carpets_are_walked_up_without_a_jump(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    scene_put(&scene, voxel_of(2, 0, 0), TRN_BLOCK_RED_CARPET);
    scene_put(&scene, voxel_of(3, 0, 0), TRN_BLOCK_STONE_SLAB);
    for (int64_t i = 0; i < 4; i++) { // their high halves are towards +x
        scene_put(&scene, voxel_of(4 + i, i, 0), TRN_BLOCK_STONE_STAIRS);
    }
    scene_box(&scene, voxel_of(8, 0, 0), voxel_of(12, 3, 0), TRN_BLOCK_STONE);
    scene_put(&scene, voxel_of(9, 4, 0), TRN_BLOCK_TORCH);
    scene_put(&scene, voxel_of(12, 4, 0), TRN_BLOCK_OAK_FENCE);
    const TrnBodyDef def = trn_body_def();
    const TrnBodyInput input = input_of(1, 0, 0, false, false);
    TrnBody body = body_at(0.5, 0, 0.5);
    double risen = 0;
    for (int i = 0; i < 300; i++) {
        step_body(&scene, &def, &body, &input, 1.0 / 60);
        risen += body.step_height;
        assert_true(body.on_ground && body.step_height <= 0.5);
    }
    assert_true(risen == 4 && position_axis(body.position, 1) == 4);
    // Through the torch, up to the post of the fence, which begins 6/16 into its voxel.
    assert_true(fabs(position_axis(body.position, 0) - (12.375 - 0.3)) < 1e-9);
    assert_true(body.hit[TRN_FACE_POS_X]);
    // And it stands on the post.
    body = body_at(12.5, 7, 0.5);
    const TrnBodyInput none = input_of(0, 0, 0, false, false);
    step_body_often(&scene, &def, &body, &none, 120);
    assert_true(body.on_ground && position_axis(body.position, 1) == 5);
    scene_end(&scene);
}

static void sneaking_keeps_to_the_edge_of_a_slab(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    scene_box(&scene, voxel_of(0, 0, 0), voxel_of(3, 0, 0), TRN_BLOCK_STONE);
    scene_box(&scene, voxel_of(4, 0, 0), voxel_of(5, 0, 0), TRN_BLOCK_STONE_SLAB);
    TrnBodyDef def = trn_body_def();
    const TrnBodyInput sneak = input_of(1, 0, 0, false, true);
    def.step_height = 0.4;
    TrnBody body = body_at(1, 1, 0.5);
    step_body_often(&scene, &def, &body, &sneak, 300);
    assert_true(body.on_ground && position_axis(body.position, 1) == 1);
    assert_true(position_axis(body.position, 0) > 4.2 && position_axis(body.position, 0) < 4.31);
    def.step_height = 0.5; // reaches down to the slab, and over that to the ground
    step_body_often(&scene, &def, &body, &sneak, 300);
    assert_true(body.on_ground && position_axis(body.position, 1) == 0);
    scene_end(&scene);
}

static void a_rising_body_does_not_jump(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    const TrnBodyDef def = trn_body_def();
    const TrnBodyInput jump = input_of(0, 0, 0, true, false);
    TrnBody body = body_at(0, 0, 0);
    body.velocity[1] = 5;
    step_body(&scene, &def, &body, &jump, 1.0 / 64);
    assert_true(body.velocity[1] == 5 - def.gravity / 64 && !body.on_ground);
    scene_end(&scene);
}

static void nothing_falls_faster_than_it_may(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    for (int32_t y = -20; y <= 10; y++) {
        const TrnCoord coord = {0, y, 0};
        const TrnBlock block = y == -20 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
        scene_fill(&scene, coord, block);
    }
    TrnBodyDef def = trn_body_def();
    def.fall_speed_max = 20;
    TrnBody body = body_at(5, 300, 5);
    step_body_often(&scene, &def, &body, NULL, 120);
    assert_true(body.velocity[1] == -20);
    body.velocity[1] = -TRN_BODY_SPEED_MAX; // thrown: no faster either, and not through the ground
    step_body_often(&scene, &def, &body, NULL, 3000);
    assert_true(body.on_ground && position_axis(body.position, 1) == -19 * 32);
    scene_end(&scene);
}

// ---- water --------------------------------------------------------------------------------------

/// A basin of water with its surface at y -1/8, and a shore of a given height from x 8 on.
static void scene_basin(Scene *scene, int64_t shore)
{
    scene_begin(scene);
    scene_flat(scene, 1);
    scene_box(scene, voxel_of(-8, -9, -8), voxel_of(7, -1, 7), TRN_BLOCK_WATER);
    if (shore > 0) {
        scene_box(scene, voxel_of(8, 0, -8), voxel_of(14, shore - 1, 7), TRN_BLOCK_STONE);
    }
}

static void a_floating_body_comes_to_rest_at_the_surface(void **state)
{
    (void)state;
    Scene scene;
    scene_basin(&scene, 0);
    const TrnBodyDef def = trn_body_def();
    for (int rate = 4; rate <= 240; rate *= 2) {
        TrnBody body = body_at(0, 6, 0);
        for (int i = 0; i < 30 * rate; i++) {
            step_body(&scene, &def, &body, NULL, 1.0 / rate);
        }
        const double rest = -0.125 - def.size[1] * def.gravity / def.buoyancy;
        const double at = position_axis(body.position, 1);
        assert_true(at > rest - 1e-6 && at < rest + 1e-6);
        assert_true(body.in_liquid && !body.under_liquid && !body.on_ground);
        const TrnBody before = body;
        for (int i = 0; i < 10000; i++) {
            step_body(&scene, &def, &body, NULL, 1.0 / rate);
        }
        double moved[3];
        trn_position_difference(body.position, before.position, moved);
        assert_true(moved[0] == 0 && moved[2] == 0 && moved[1] < 1e-6 && moved[1] > -1e-6);
    }
    scene_end(&scene);
}

/// A flow counts as liquid around a body if it is at least a tenth of the body high.
static void a_body_is_as_deep_in_a_flow_as_it_is_drawn(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    TrnBodyDef def = trn_body_def();
    def.buoyancy = 0;
    bool was_in = false, was_out = false;
    for (int level = 0; level <= 8; level++) {
        const TrnBlock block =
            (TrnBlock)(level == 0 ? TRN_BLOCK_WATER : TRN_BLOCK_WATER_FLOW + level - 1);
        const int surface = trn_block_types_get(trn_store_block_types(scene.store), block)->surface;
        scene_box(&scene, voxel_of(-2, 0, -2), voxel_of(2, 0, 2), block);
        TrnBody body = body_at(0, 0, 0);
        step_body(&scene, &def, &body, NULL, 1.0 / 60);
        assert_true(body.on_ground && position_axis(body.position, 1) == 0);
        assert_int_equal(body.in_liquid, surface / 16.0 >= 0.1 * def.size[1]);
        was_in |= body.in_liquid;
        was_out |= !body.in_liquid;
    }
    assert_true(was_in && was_out);
    scene_end(&scene);
}

static void a_swimmer_is_as_fast_in_all_directions(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    TrnCoord coord;
    for (coord.y = -3; coord.y <= 2; coord.y++) {
        for (coord.z = -2; coord.z <= 1; coord.z++) {
            for (coord.x = -2; coord.x <= 1; coord.x++) {
                scene_fill(&scene, coord, TRN_BLOCK_WATER);
            }
        }
    }
    TrnBodyDef def = trn_body_def();
    const double ways[7][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1},
                               {0, 1, 0}, {0, -1, 0}, {0, 0, 0}};
    for (int sinks = 0; sinks < 2; sinks++) {
        def.buoyancy = sinks ? 20 : def.gravity; // one hovers, one sinks
        for (int i = 0; i < 7; i++) {
            TrnBody body = body_at(0, 0, 0);
            // The last one is the jump key.
            const TrnBodyInput input = input_of(ways[i][0], ways[i][1], ways[i][2], i == 6, false);
            step_body_often(&scene, &def, &body, &input, 240);
            assert_true(body.under_liquid && body.in_liquid);
            const double wished[3] = {ways[i][0], i == 6 ? 1 : ways[i][1], ways[i][2]};
            for (int axis = 0; axis < 3; axis++) {
                const double error = body.velocity[axis] - wished[axis] * def.swim_speed;
                assert_true((error < 1e-3 && error > -1e-3) || (sinks && axis == 1 && i < 4));
            }
            assert_true(!sinks || i >= 4 || body.velocity[1] < -1); // sinks meanwhile
        }
    }
    scene_end(&scene);
}

static void a_sinking_body_stands_on_the_bottom(void **state)
{
    (void)state;
    Scene scene;
    scene_basin(&scene, 0);
    TrnBodyDef def = trn_body_def();
    def.buoyancy = 10;
    TrnBody body = body_at(0, 3, 0);
    step_body_often(&scene, &def, &body, NULL, 600);
    assert_true(body.on_ground && body.under_liquid && position_axis(body.position, 1) == -9);
    scene_end(&scene);
}

static void a_swimmer_gets_out_of_the_water_onto_a_shore(void **state)
{
    (void)state;
    for (int64_t shore = 0; shore <= 2; shore++) {
        for (int rate = 4; rate <= 320; rate += rate / 4) { // from the longest step down
            Scene scene;
            scene_basin(&scene, shore);
            const TrnBodyDef def = trn_body_def();
            const TrnBodyInput input = input_of(1, 0, 0, true, false);
            TrnBody body = body_at(4, -4, 0);
            bool is_out = false;
            for (int i = 0; i < 10 * rate && !is_out; i++) {
                step_body(&scene, &def, &body, &input, 1.0 / rate);
                is_out = body.on_ground && position_axis(body.position, 1) == (double)shore;
            }
            assert_int_equal(is_out, shore < 2); // two voxels above the water is too high
            scene_end(&scene);
        }
    }
}

static void holding_jump_in_open_water_does_not_leap_out_of_it(void **state)
{
    (void)state;
    Scene scene;
    scene_basin(&scene, 0);
    const TrnBodyDef def = trn_body_def();
    const TrnBodyInput up = input_of(0, 0, 0, true, false);
    TrnBody body = body_at(0, -8, 0);
    for (int i = 0; i < 3600; i++) {
        step_body(&scene, &def, &body, &up, 1.0 / 60);
        assert_true(body.in_liquid && position_axis(body.position, 1) < -0.3);
    }
    assert_false(body.under_liquid);
    scene_end(&scene);
}

// ---- ladders ------------------------------------------------------------------------------------

static void ladders_can_be_climbed_and_held(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    scene_box(&scene, voxel_of(3, 0, 0), voxel_of(3, 9, 0), TRN_BLOCK_STONE);
    scene_box(&scene, voxel_of(2, 0, 0), voxel_of(2, 9, 0), scene.ladder);
    const TrnBodyDef def = trn_body_def();
    TrnBody body = body_at(2.5, 5, 0.5);
    step_body(&scene, &def, &body, NULL, 1.0 / 60);
    assert_true(body.on_ladder);
    step_body_often(&scene, &def, &body, NULL, 600);
    assert_true(position_axis(body.position, 1) == 5 && body.velocity[1] == 0);
    const TrnBodyInput up = input_of(0, 1, 0, false, false),
                       down = input_of(0, -1, 0, false, false);
    const TrnBodyInput jump = input_of(0, 0, 0, true, false), hold = input_of(0, 1, 1, true, true);
    step_body_often(&scene, &def, &body, &up, 60);
    double at = position_axis(body.position, 1);
    assert_true(at > 5 + def.climb_speed - 1e-9 && at < 5 + def.climb_speed + 1e-9);
    step_body_often(&scene, &def, &body, &down, 60);
    step_body_often(&scene, &def, &body, &jump, 60);
    at = position_axis(body.position, 1);
    assert_true(at > 5 + def.climb_speed - 1e-9 && at < 5 + def.climb_speed + 1e-9);
    const TrnBody before = body;
    step_body_often(&scene, &def, &body, &hold, 60);
    assert_same_position(body.position, before.position);
    body.velocity[1] = -50; // a fall ends on it
    step_body_often(&scene, &def, &body, NULL, 1);
    assert_same_position(body.position, before.position);
    step_body_often(&scene, &def, &body, &down, 600);
    assert_true(body.on_ground && position_axis(body.position, 1) == 0);
    // Up, and onto the block that the ladder leans on.
    const TrnBodyInput over = input_of(1, 1, 0, false, false);
    for (int i = 0; i < 1200 && !(body.on_ground && position_axis(body.position, 1) == 10); i++) {
        step_body(&scene, &def, &body, &over, 1.0 / 60);
    }
    assert_true(body.on_ground && position_axis(body.position, 1) == 10);
    scene_end(&scene);
}

// ---- sneaking -----------------------------------------------------------------------------------

static void a_sneaking_body_stops_at_every_edge(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    scene_box(&scene, voxel_of(-3, 0, -3), voxel_of(2, 2, 2), TRN_BLOCK_STONE);
    const TrnBodyDef def = trn_body_def();
    for (int x = -1; x <= 1; x++) {
        for (int z = -1; z <= 1; z++) {
            const TrnBodyInput sneak = input_of(x, 0, z, false, true);
            TrnBody body = body_at(0.01, 3, -0.02);
            for (int i = 0; i < 600; i++) {
                step_body(&scene, &def, &body, &sneak, 1.0 / 60);
                assert_true(body.on_ground && position_axis(body.position, 1) == 3);
            }
            // One grid unit stays on the block.
            const double way[3] = {x, 0, z};
            for (int axis = 0; axis < 3; axis += 2) {
                const double at = position_axis(body.position, axis) * way[axis];
                assert_true(way[axis] == 0 || (at < 3.3 && at > 3.3 - 2 * GRID));
                assert_true(body.velocity[axis] == 0);
            }
            // Without sneaking it falls.
            const TrnBodyInput walk = input_of(x, 0, z, false, false);
            step_body_often(&scene, &def, &body, &walk, 60);
            assert_true(position_axis(body.position, 1) == (x || z ? 0 : 3));
        }
    }
    scene_end(&scene);
}

static void sneaking_over_a_step_does_not_go_over_the_edge_behind_it(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    scene_box(&scene, voxel_of(0, 0, 0), voxel_of(3, 4, 0), TRN_BLOCK_STONE);
    scene_box(&scene, voxel_of(3, 5, 0), voxel_of(3, 5, 0), TRN_BLOCK_STONE); // then the edge
    TrnBodyDef def = trn_body_def();
    def.step_height = 1;
    def.walk_speed = 60;
    def.ground_acceleration = 1e6;
    TrnBody body = body_at(1, 5, 0.5);
    const TrnBodyInput sneak = input_of(1, 0, 0, false, true);
    for (int i = 0; i < 10; i++) {
        step_body(&scene, &def, &body, &sneak, 0.25); // 15 voxels
        assert_true(body.on_ground && position_axis(body.position, 1) == 6);
    }
    scene_end(&scene);
}

static void sneaking_goes_down_what_it_could_step_up(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    scene_box(&scene, voxel_of(0, 0, 0), voxel_of(3, 2, 0), TRN_BLOCK_STONE);
    scene_box(&scene, voxel_of(4, 0, 0), voxel_of(6, 1, 0), TRN_BLOCK_STONE);
    scene_box(&scene, voxel_of(10, 0, 0), voxel_of(10, 2, 0), TRN_BLOCK_STONE); // beyond a gap
    TrnBodyDef def = trn_body_def();
    def.step_height = 1;
    TrnBody body = body_at(1, 3, 0.5);
    const TrnBodyInput sneak = input_of(1, 0, 0, false, true);
    step_body_often(&scene, &def, &body, &sneak, 600);
    assert_true(body.on_ground && position_axis(body.position, 1) == 2); // down one, not down two
    assert_true(position_axis(body.position, 0) > 7.2 && position_axis(body.position, 0) < 7.3);
    scene_end(&scene);
}

static void sneaking_down_a_step_keeps_to_the_next_edge(void **state)
{
    (void)state;
    const double steps[] = {1.0 / 144, 1.0 / 60, 1.0 / 20, 1.0 / 8};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        Scene scene;
        scene_begin(&scene);
        scene_flat(&scene, 1);
        scene_box(&scene, voxel_of(0, 0, 0), voxel_of(3, 4, 0), TRN_BLOCK_STONE);
        scene_box(&scene, voxel_of(4, 0, 0), voxel_of(4, 3, 0), TRN_BLOCK_STONE); // one block wide
        TrnBodyDef def = trn_body_def();
        def.step_height = 1;
        TrnBody body = body_at(1, 5, 0.5);
        const TrnBodyInput sneak = input_of(1, 0, 0, false, true);
        for (int step = 0; step < (int)(4 / steps[i]); step++) {
            step_body(&scene, &def, &body, &sneak, steps[i]);
        }
        assert_true(body.on_ground && position_axis(body.position, 1) == 4);
        assert_true(position_axis(body.position, 0) > 5.2 &&
                    position_axis(body.position, 0) < 5.31);
        scene_end(&scene);
    }
}

/// Removes everything but stone, since water lifts bodies and ladders carry them.
static void pattern_dry(Pattern *pattern)
{
    for (int i = 0; i < PATTERN_VOXELS; i++) {
        const bool is_stone = pattern->blocks[i] == TRN_BLOCK_STONE;
        pattern->blocks[i] = (TrnBlock)(is_stone ? TRN_BLOCK_STONE : TRN_BLOCK_AIR);
    }
}

static void sneaking_bodies_never_lose_the_ground(void **state)
{
    (void)state;
    static PatternScene made;
    TestRandom random = test_random_seeded(0x51EA);
    const TrnBodyDef def = trn_body_def();
    for (int world = 0; world < 30; world++) {
        scene_begin(&made.scene);
        pattern_make(&made.pattern, &random, TRN_BLOCK_AIR, true);
        pattern_dry(&made.pattern);
        pattern_put(&made.pattern, &made.scene, voxel_of(0, 0, 0));
        TrnBody body = body_at(20 + world % 7, 62, 30);
        step_body_often(&made.scene, &def, &body, NULL, 240);
        if (!body.on_ground || !is_free(&made.scene, body.position, def.size)) {
            scene_end(&made.scene);
            continue;
        }
        const double y = position_axis(body.position, 1);
        for (int i = 0; i < 3000; i++) {
            const double x = (double)test_random_range(&random, -100, 100) / 100;
            const double z = (double)test_random_range(&random, -100, 100) / 100;
            const TrnBodyInput sneak = input_of(x, 0, z, false, true);
            const double seconds = i % 5 ? 1.0 / 60 : 0.25;
            step_body(&made.scene, &def, &body, &sneak, seconds);
            assert_true(position_axis(body.position, 1) == y);
            assert_true(is_free(&made.scene, body.position, def.size));
            assert_true(body.on_ground || body.waits);
        }
        scene_end(&made.scene);
    }
}

// ---- chunks that are not loaded -----------------------------------------------------------------

static void a_fall_onto_an_unloaded_chunk_waits_for_it(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    const TrnCoord upper = {0, 0, 0}, lower = {0, -1, 0}, floor = {0, -2, 0};
    scene_fill(&scene, upper, TRN_BLOCK_AIR);
    scene_fill(&scene, floor, TRN_BLOCK_STONE);
    const TrnBodyDef def = trn_body_def();
    TrnBody body = body_at(5, 5, 5);
    body.velocity[0] = 3;
    step_body_often(&scene, &def, &body, NULL, 60);
    assert_true(body.waits && !body.on_ground && position_axis(body.position, 1) == 0);
    assert_true(body.hit[TRN_FACE_NEG_Y] && body.velocity[1] < -10);
    const TrnBody before = body;
    const TrnBodyInput input = input_of(1, 0, 1, true, true);
    step_body_often(&scene, &def, &body, &input, 600); // no ground to walk on or to jump from
    assert_same_position(body.position, before.position);
    assert_memory_equal(&body.velocity, &before.velocity, sizeof body.velocity);
    assert_true(body.waits && !body.on_ground);
    scene_fill(&scene, lower, TRN_BLOCK_AIR);
    step_body_often(&scene, &def, &body, NULL, 1);
    assert_true(!body.waits && body.velocity[1] < before.velocity[1]);
    step_body_often(&scene, &def, &body, NULL, 600);
    assert_true(!body.waits && body.on_ground && position_axis(body.position, 1) == -32);
    assert_true(body.velocity[1] == 0);
    scene_end(&scene);
}

/// The wait takes no time of the body's: it goes the way of one that found everything loaded.
static void a_fall_goes_on_as_if_it_had_not_waited(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    const TrnCoord upper = {0, 0, 0}, lower = {0, -1, 0};
    scene_fill(&scene, upper, TRN_BLOCK_AIR);
    TrnBodyDef def = trn_body_def();
    def.gravity = 0;
    def.air_acceleration = 0;
    // An eighth of a voxel a step: the border is at the end of the 8th.
    TrnBody waits = body_at(5, 1, 5);
    waits.velocity[0] = 3.75;
    waits.velocity[1] = -7.5;
    TrnBody free = waits;
    step_body_often(&scene, &def, &waits, NULL, 100);
    assert_true(waits.waits && waits.hit[TRN_FACE_NEG_Y]);
    scene_fill(&scene, lower, TRN_BLOCK_AIR);
    step_body_often(&scene, &def, &free, NULL, 8);
    assert_same_position(waits.position, free.position);
    for (int i = 0; i < 20; i++) {
        step_body(&scene, &def, &waits, NULL, 1.0 / 60);
        step_body(&scene, &def, &free, NULL, 1.0 / 60);
        assert_same_position(waits.position, free.position);
        assert_memory_equal(&waits.velocity, &free.velocity, sizeof free.velocity);
    }
    scene_end(&scene);
}

/// Sideways time goes on, so that a walker can turn back.
static void a_body_stopped_sideways_by_an_unloaded_chunk_keeps_its_velocity(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    const TrnCoord here = {0, 0, 0}, there = {1, 0, 0}, floor = {0, -1, 0};
    scene_fill(&scene, here, TRN_BLOCK_AIR);
    scene_fill(&scene, floor, TRN_BLOCK_STONE);
    TrnBodyDef def = trn_body_def();
    def.air_acceleration = 0;
    TrnBody body = body_at(31, 20, 5);
    body.velocity[0] = 30;
    step_body_often(&scene, &def, &body, NULL, 10);
    assert_true(body.waits && body.hit[TRN_FACE_POS_X] && body.velocity[0] == 30);
    assert_true(position_axis(body.position, 1) < 20); // it falls meanwhile
    TrnBody walker = body;
    scene_fill(&scene, there, TRN_BLOCK_AIR);
    step_body_often(&scene, &def, &body, NULL, 10);
    assert_true(!body.waits && position_axis(body.position, 0) > 34);
    assert_int_equal(trn_store_remove(scene.store, there), TRN_RESULT_OK);
    const TrnBodyInput back = input_of(-1, 0, 0, false, false);
    step_body_often(&scene, &def, &walker, &back, 240);
    assert_true(walker.on_ground && !walker.waits && position_axis(walker.position, 0) < 25);
    scene_end(&scene);
}

/// A swimmer above an unloaded chunk stays in the water's power: it can rise.
static void a_swimmer_above_an_unloaded_chunk_can_swim_up(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    const TrnCoord here = {0, 0, 0};
    scene_fill(&scene, here, TRN_BLOCK_WATER);
    TrnBodyDef def = trn_body_def();
    def.buoyancy = def.gravity / 2;
    TrnBody body = body_at(5, 3, 5);
    body.velocity[1] = -40;
    step_body_often(&scene, &def, &body, NULL, 120);
    assert_true(body.waits && position_axis(body.position, 1) == 0 && body.velocity[1] < -10);
    const TrnBodyInput up = input_of(0, 0, 0, true, false);
    step_body_often(&scene, &def, &body, &up, 240);
    assert_true(!body.waits && position_axis(body.position, 1) > 1);
    scene_end(&scene);
}

static void a_body_in_an_unloaded_chunk_does_not_move(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    const TrnBodyDef def = trn_body_def();
    TrnBody body = body_at(5, 5, 5.000000000000001);
    body.velocity[0] = 2;
    body.velocity[1] = -3;
    const TrnBody before = body;
    const TrnBodyInput input = input_of(1, 1, 1, true, false);
    step_body_often(&scene, &def, &body, &input, 60);
    assert_same_position(body.position, before.position);
    assert_memory_equal(&body.velocity, &before.velocity, sizeof body.velocity);
    assert_true(body.waits && !body.on_ground && !body.hit[TRN_FACE_NEG_Y]);
    const TrnCoord coord = {0, 0, 0};
    scene_fill(&scene, coord, TRN_BLOCK_AIR);
    step_body_often(&scene, &def, &body, NULL, 1);
    assert_true(!body.waits && body.velocity[1] < -3 && position_axis(body.position, 0) > 5);
    scene_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_steps_on_the_floor_leave_a_body_where_it_was),
        cmocka_unit_test(jumps_and_falls_do_not_depend_on_the_time_step),
        cmocka_unit_test(a_body_walks_no_faster_diagonally),
        cmocka_unit_test(a_person_jumps_onto_one_block_and_not_onto_two),
        cmocka_unit_test(stairs_slabs_and_carpets_are_walked_up_without_a_jump),
        cmocka_unit_test(sneaking_keeps_to_the_edge_of_a_slab),
        cmocka_unit_test(a_rising_body_does_not_jump),
        cmocka_unit_test(nothing_falls_faster_than_it_may),
        cmocka_unit_test(a_floating_body_comes_to_rest_at_the_surface),
        cmocka_unit_test(a_body_is_as_deep_in_a_flow_as_it_is_drawn),
        cmocka_unit_test(a_swimmer_is_as_fast_in_all_directions),
        cmocka_unit_test(a_sinking_body_stands_on_the_bottom),
        cmocka_unit_test(a_swimmer_gets_out_of_the_water_onto_a_shore),
        cmocka_unit_test(holding_jump_in_open_water_does_not_leap_out_of_it),
        cmocka_unit_test(ladders_can_be_climbed_and_held),
        cmocka_unit_test(a_sneaking_body_stops_at_every_edge),
        cmocka_unit_test(sneaking_over_a_step_does_not_go_over_the_edge_behind_it),
        cmocka_unit_test(sneaking_goes_down_what_it_could_step_up),
        cmocka_unit_test(sneaking_down_a_step_keeps_to_the_next_edge),
        cmocka_unit_test(sneaking_bodies_never_lose_the_ground),
        cmocka_unit_test(a_fall_onto_an_unloaded_chunk_waits_for_it),
        cmocka_unit_test(a_fall_goes_on_as_if_it_had_not_waited),
        cmocka_unit_test(a_body_stopped_sideways_by_an_unloaded_chunk_keeps_its_velocity),
        cmocka_unit_test(a_swimmer_above_an_unloaded_chunk_can_swim_up),
        cmocka_unit_test(a_body_in_an_unloaded_chunk_does_not_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
