// Bodies: walking, swimming, climbing and sneaking; mirrored; at the ends of the world; and every
// guarantee of body.h. test_sweep.c tests the sweeps below them.

#include "body_scene.h"

// ---- bodies -------------------------------------------------------------------------------------

static const TrnBodyInput NO_INPUT = {{0, 0, 0}, false, false};

static void step_body(const Scene *scene, const TrnBodyDef *def, TrnBody *body,
                      const TrnBodyInput *input, double seconds)
{
    assert_int_equal(trn_body_step(scene->store, def, body, input, seconds), TRN_RESULT_OK);
}

static void step_body_often(const Scene *scene, const TrnBodyDef *def, TrnBody *body,
                            const TrnBodyInput *input, int steps)
{
    for (int i = 0; i < steps; i++) {
        step_body(scene, def, body, input, 1.0 / 60);
    }
}

static TrnBody body_at(double x, double y, double z)
{
    TrnBody body;
    memset(&body, 0, sizeof body);
    body.position = position_at(x, y, z);
    return body;
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

/// A basin of water with its surface at y 0, and a shore of a given height from x 8 on.
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
        const double rest = -def.size[1] * def.gravity / def.buoyancy;
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
    step_body_often(&scene, &def, &body, NULL, 600);
    assert_true(body.waits && !body.on_ground && position_axis(body.position, 1) == 0);
    assert_true(body.hit[TRN_FACE_NEG_Y] && body.velocity[1] == 0);
    const TrnBodyInput jump = input_of(0, 0, 0, true, false);
    step_body_often(&scene, &def, &body, &jump, 10);
    assert_true(position_axis(body.position, 1) == 0); // no ground to jump from
    scene_fill(&scene, lower, TRN_BLOCK_AIR);
    step_body_often(&scene, &def, &body, NULL, 600);
    assert_true(!body.waits && body.on_ground && position_axis(body.position, 1) == -32);
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

// ---- long walks ---------------------------------------------------------------------------------

#define WALK_CHUNKS 104

/// A corridor of chunks along an axis, open inside, with stone or nothing below.
static void scene_corridor(Scene *scene, TrnCoord first, int axis, TrnBlock block)
{
    for (int32_t i = 0; i < WALK_CHUNKS; i++) {
        const TrnCoord coord =
            trn_coord_add(first, axis == 0 ? i : 0, axis == 1 ? i : 0, axis == 2 ? i : 0);
        scene_fill(scene, coord, block);
        if (axis != 1) {
            scene_fill(scene, trn_coord_add(coord, 0, -1, 0), TRN_BLOCK_STONE);
        }
    }
}

/// Whether two bodies are equal bit for bit, with chunks relative to a first one each.
static void assert_same_way(const TrnBody *a, TrnCoord first_a, const TrnBody *b, TrnCoord first_b)
{
    assert_memory_equal(a->position.offset, b->position.offset, sizeof a->position.offset);
    assert_memory_equal(a->velocity, b->velocity, sizeof a->velocity);
    assert_memory_equal(a->hit, b->hit, sizeof a->hit);
    assert_true(a->on_ground == b->on_ground && a->waits == b->waits &&
                a->on_ladder == b->on_ladder && a->in_liquid == b->in_liquid);
    assert_int_equal(a->position.chunk.x - first_a.x, b->position.chunk.x - first_b.x);
    assert_int_equal(a->position.chunk.y - first_a.y, b->position.chunk.y - first_b.y);
    assert_int_equal(a->position.chunk.z - first_a.z, b->position.chunk.z - first_b.z);
}

/// Walks, climbs or falls through a corridor at the origin and through one at an end of the world,
/// up to their ends.
static void walk_the_corridors(int axis, int sign, bool falls, TrnCoord far)
{
    const TrnCoord near = {0, 0, 0};
    Scene scenes[2];
    const TrnCoord firsts[2] = {near, far};
    const bool climbs = axis == 1 && !falls;
    TrnBody bodies[2];
    for (int i = 0; i < 2; i++) {
        scene_begin(&scenes[i]);
        const TrnBlock inside = climbs ? scenes[i].ladder : TRN_BLOCK_AIR;
        scene_corridor(&scenes[i], firsts[i], axis, inside);
        memset(&bodies[i], 0, sizeof bodies[i]);
        bodies[i].position.chunk = firsts[i];
        const double middle[3] = {16, axis == 1 ? 16 : 0, 16};
        double way[3] = {0, 0, 0};
        way[axis] = sign > 0 ? 0 : 32.0 * (WALK_CHUNKS - 1);
        memcpy(bodies[i].position.offset, middle, sizeof middle);
        bodies[i].position = trn_position_add(bodies[i].position, way);
    }
    TrnBodyDef def = trn_body_def();
    def.climb_speed = def.walk_speed = 8;
    TrnBodyInput input = NO_INPUT;
    input.walk[axis] = falls ? 0 : sign;
    int borders = 0, steps = 0;
    while (!bodies[0].hit[face_of(axis, sign > 0)] && steps++ < 100000) {
        const TrnCoord before = bodies[1].position.chunk;
        step_body(&scenes[0], &def, &bodies[0], &input, 1.0 / 60);
        step_body(&scenes[1], &def, &bodies[1], &input, 1.0 / 60);
        assert_same_way(&bodies[0], firsts[0], &bodies[1], firsts[1]);
        borders += !trn_coord_equal(before, bodies[1].position.chunk);
    }
    assert_true(borders >= 100 && bodies[1].waits); // up to the last face of the world
    scene_end(&scenes[0]);
    scene_end(&scenes[1]);
}

static void movement_at_the_ends_of_the_world_equals_the_origin(void **state)
{
    (void)state;
    const int32_t high = INT32_MAX - WALK_CHUNKS + 1, low = INT32_MIN;
    for (int axis = 0; axis < 3; axis++) {
        const int32_t ground = axis == 1 ? low : low + 1; // a chunk of stone lies below
        for (int sign = -1; sign <= 1; sign += 2) {
            const TrnCoord ends[4] = {
                {high, high, high}, {low, ground, low}, {high, ground, high}, {low, high, low}};
            for (int i = 0; i < 4; i++) {
                walk_the_corridors(axis, sign, false, ends[i]);
                if (axis == 1 && sign < 0) {
                    walk_the_corridors(axis, sign, true, ends[i]);
                }
            }
        }
    }
}

/// Mixes the bits of a number into a hash.
static uint64_t hash_double(uint64_t hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static TrnBodyInput random_input(TestRandom *random)
{
    TrnBodyInput input;
    for (int axis = 0; axis < 3; axis++) {
        input.walk[axis] = (double)test_random_range(random, -100, 100) / 100;
    }
    input.jump = test_random_next(random) % 3 == 0;
    input.sneak = test_random_next(random) % 5 == 0;
    return input;
}

/// The flags of a body agree with an overlap test, and it overlaps nothing solid.
static void assert_body_is_right(const Scene *scene, const TrnBodyDef *def, const TrnBody *body)
{
    TrnOverlap overlap;
    assert_int_equal(trn_store_overlap(scene->store, body->position, def->size, &overlap),
                     TRN_RESULT_OK);
    assert_false(overlap.solid || overlap.unloaded);
    assert_int_equal(body->on_ladder, overlap.climbable);
    const double depth = overlap.liquid_depth / def->size[1];
    assert_true(body->in_liquid == (depth >= 0.1) || (depth > 0.0999 && depth < 0.1001));
    assert_true(body->under_liquid == (depth >= 1) || (depth > 0.9999 && depth < 1.0001));
    const double least[3] = {0, -GRID, 0};
    const bool stands = !is_free(scene, trn_position_add(body->position, least), def->size);
    const bool is_down = body->velocity[1] <= 0;
    assert_true(!body->on_ground || (stands && is_down));
    assert_true(!(stands && is_down) || body->on_ground || body->waits);
}

static void random_bodies_never_enter_blocks(void **state)
{
    (void)state;
    static PatternScene made;
    TestRandom random = test_random_seeded(0xB0D5);
    int walked = 0;
    for (int world = 0; world < 60; world++) {
        pattern_scene_begin(&made, &random, true);
        TrnBodyDef def = trn_body_def();
        def.step_height = world % 3 == 0 ? 1 : 0;
        def.size[0] = world % 2 ? 0.6 : 1.7;
        def.jump_speed = world % 5 ? 9 : 60;
        TrnBody body = body_at(12.3 + world % 30, 50.1, 31.9);
        if (is_free(&made.scene, body.position, def.size)) {
            walked++;
            TrnBodyInput input = NO_INPUT;
            for (int i = 0; i < 4000; i++) {
                input = i % 20 == 0 ? random_input(&random) : input;
                step_body(&made.scene, &def, &body, &input, i % 11 ? 1.0 / 60 : 0.25);
                assert_body_is_right(&made.scene, &def, &body);
            }
        }
        scene_end(&made.scene);
    }
    assert_true(walked > 5);
}

/// No body can leave it.
static void pattern_close(Pattern *pattern)
{
    for (int64_t i = 0; i < PATTERN_EDGE; i++) {
        for (int64_t j = 0; j < PATTERN_EDGE; j++) {
            for (int64_t end = 0; end < PATTERN_EDGE; end += PATTERN_EDGE - 1) {
                pattern->blocks[pattern_index(end, i, j)] = TRN_BLOCK_STONE;
                pattern->blocks[pattern_index(i, end, j)] = TRN_BLOCK_STONE;
                pattern->blocks[pattern_index(i, j, end)] = TRN_BLOCK_STONE;
            }
        }
    }
    memset(pattern->unloaded, 0, sizeof pattern->unloaded);
}

static void assert_way_is_mirrored(const TrnBody *body, TrnVoxel corner, const TrnBody *other,
                                   TrnVoxel other_corner, const bool flip[3])
{
    double at[3], other_at[3];
    from_corner(corner, body->position, at);
    from_corner(other_corner, other->position, other_at);
    for (int axis = 0; axis < 3; axis++) {
        const double velocity = body->velocity[axis];
        assert_true(other_at[axis] == (flip[axis] ? PATTERN_EDGE - at[axis] : at[axis]));
        assert_true(other->velocity[axis] == (flip[axis] ? -velocity : velocity));
        assert_int_equal(body->hit[face_of(axis, false)], other->hit[face_of(axis, flip[axis])]);
    }
    assert_true(body->on_ground == other->on_ground && body->in_liquid == other->in_liquid &&
                body->on_ladder == other->on_ladder && body->step_height == other->step_height);
}

static void walk_mirrored(const Scene scenes[2], const TrnVoxel corners[2], const bool flip[3],
                          TestRandom *random, double step_height)
{
    const double start[3] = {30.25, 58, 31.75};
    const double flipped[3] = {flip[0] ? PATTERN_EDGE - start[0] : start[0], start[1],
                               flip[2] ? PATTERN_EDGE - start[2] : start[2]};
    TrnBodyDef def = trn_body_def();
    def.step_height = step_height;
    TrnBody bodies[2];
    memset(bodies, 0, sizeof bodies);
    bodies[0].position = position_from(corners[0], start);
    bodies[1].position = position_from(corners[1], flipped);
    TrnBodyInput input = NO_INPUT;
    for (int i = 0; i < 3000; i++) {
        input = i % 20 == 0 ? random_input(random) : input;
        TrnBodyInput back = input;
        back.walk[0] *= flip[0] ? -1 : 1;
        back.walk[2] *= flip[2] ? -1 : 1;
        const double seconds = i % 13 ? 1.0 / 60 : 0.2;
        step_body(&scenes[0], &def, &bodies[0], &input, seconds);
        step_body(&scenes[1], &def, &bodies[1], &back, seconds);
        assert_way_is_mirrored(&bodies[0], corners[0], &bodies[1], corners[1], flip);
    }
}

static void movement_is_symmetric_and_equal_across_borders(void **state)
{
    (void)state;
    static Scene scenes[2];
    static Pattern pattern, mirrored;
    TestRandom random = test_random_seeded(0xA11C);
    for (int64_t world = 0; world < 24; world++) {
        const bool flip[3] = {world & 1, false, (world & 2) != 0};
        const TrnVoxel corners[2] = {
            {-17 * world, 5 * world, -3},
            {TRN_VOXEL_MAX - 63 - world, TRN_VOXEL_MIN + 9 * world, 1 - world}};
        scene_begin(&scenes[0]);
        scene_begin(&scenes[1]);
        pattern_make(&pattern, &random, scenes[0].ladder, false);
        pattern_close(&pattern);
        pattern_mirror(&pattern, &mirrored, flip);
        pattern_put(&pattern, &scenes[0], corners[0]);
        pattern_put(&mirrored, &scenes[1], corners[1]);
        walk_mirrored(scenes, corners, flip, &random, world % 3 ? 0 : 1);
        scene_end(&scenes[0]);
        scene_end(&scenes[1]);
    }
}

static void movement_is_equal_on_every_machine(void **state)
{
    (void)state;
    static PatternScene made;
    TestRandom random = {0x601D};
    uint64_t hash = 0;
    for (int world = 0; world < 10; world++) {
        pattern_scene_begin(&made, &random, false);
        const TrnBodyDef def = trn_body_def();
        TrnBody body = body_at(12.3, 60.1, 31.9);
        TrnBodyInput input = NO_INPUT;
        for (int i = 0; i < 2000; i++) {
            input = i % 20 == 0 ? random_input(&random) : input;
            step_body(&made.scene, &def, &body, &input, 1.0 / 60);
            for (int axis = 0; axis < 3; axis++) {
                hash = hash_double(hash, body.position.offset[axis]);
                hash = hash_double(hash, body.velocity[axis]);
            }
        }
        scene_end(&made.scene);
    }
    print_message("  hash 0x%016llX\n", (unsigned long long)hash);
    assert_true(hash == UINT64_C(0x791416D854DB52F8));
}

// ---- bad input, no allocation -------------------------------------------------------------------

static void bodies_refuse_what_is_out_of_range(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    const TrnBodyDef def = trn_body_def();
    TrnBody body = body_at(1, 1, 1), before;
    memcpy(&before, &body, sizeof body);                // with the padding
    const size_t numbers = sizeof def / sizeof(double); // a def consists of doubles only
    for (size_t i = 0; i < BAD_COUNT; i++) {
        for (size_t j = 0; j < numbers; j++) {
            TrnBodyDef bad = def;
            memcpy((unsigned char *)&bad + j * sizeof(double), &BAD_NUMBERS[i], sizeof(double));
            assert_int_equal(trn_body_step(scene.store, &bad, &body, NULL, 0.01),
                             TRN_RESULT_BAD_ARGUMENT);
        }
        for (int axis = 0; axis < 3; axis++) {
            TrnBody bad = body;
            bad.position.offset[axis] = BAD_NUMBERS[i];
            assert_int_equal(trn_body_step(scene.store, &def, &bad, NULL, 0.01),
                             TRN_RESULT_BAD_ARGUMENT);
            bad = body;
            bad.velocity[axis] = BAD_NUMBERS[i] == -1 ? -4096.5 : BAD_NUMBERS[i];
            TrnBody bad_before;
            memcpy(&bad_before, &bad, sizeof bad); // with the padding
            assert_int_equal(trn_body_step(scene.store, &def, &bad, NULL, 0.01),
                             TRN_RESULT_BAD_ARGUMENT);
            assert_memory_equal(&bad, &bad_before, sizeof bad);
            TrnBodyInput input = NO_INPUT;
            input.walk[axis] = BAD_NUMBERS[i];
            const bool is_fine = i > 2; // any length is clamped
            assert_int_equal(trn_body_step(scene.store, &def, &bad, is_fine ? NULL : &input, 0.01),
                             TRN_RESULT_BAD_ARGUMENT);
        }
        assert_int_equal(trn_body_step(scene.store, &def, &body, NULL, BAD_NUMBERS[i]),
                         TRN_RESULT_BAD_ARGUMENT);
    }
    assert_int_equal(trn_body_step(scene.store, &def, &body, NULL, 0.2501),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_memory_equal(&body, &before, sizeof body);
    scene_end(&scene);
}

static void wild_but_valid_bodies_stay_valid(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 2);
    scene_box(&scene, voxel_of(-40, 0, -40), voxel_of(40, 1, 40), TRN_BLOCK_WATER);
    TrnBodyDef def = trn_body_def();
    def.buoyancy = def.ground_acceleration = def.air_acceleration = 1e6;
    def.walk_speed = def.jump_speed = def.swim_speed = def.fall_speed_max = TRN_BODY_SPEED_MAX;
    TestRandom random = test_random_seeded(0x71D5);
    TrnBody body = body_at(0, 5, 0);
    for (int i = 0; i < 20000; i++) {
        def.gravity = i & 64 ? 1e6 : 0;
        def.liquid_drag = i & 128 ? 1000 : 0;
        TrnBodyInput input = random_input(&random);
        input.walk[0] *= i % 7 ? 1 : 1e308;
        step_body(&scene, &def, &body, &input, i % 3 ? TRN_BODY_STEP_MAX : 1e-12);
        assert_true(is_free(&scene, body.position, def.size));
    }
    // Shot up out of the water: no faster than the next step accepts.
    const TrnCoord coord = {0, 0, 0};
    scene_fill(&scene, coord, TRN_BLOCK_WATER);
    def.gravity = def.liquid_drag = 0;
    body = body_at(5, 5, 5);
    step_body(&scene, &def, &body, NULL, 0.01);
    assert_true(body.velocity[1] == TRN_BODY_SPEED_MAX && position_axis(body.position, 1) < 46);
    step_body(&scene, &def, &body, NULL, 0.01);
    scene_end(&scene);
}

static void nothing_allocates(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 2);
    scene_box(&scene, voxel_of(3, 0, 3), voxel_of(9, 1, 9), TRN_BLOCK_WATER);
    const size_t allocations = scene.memory.allocations;
    const TrnBodyDef def = trn_body_def();
    TestRandom random = test_random_seeded(0xA110);
    TrnBody body = body_at(0, 5, 0);
    for (int i = 0; i < 5000; i++) {
        const TrnBodyInput input = random_input(&random);
        step_body(&scene, &def, &body, &input, 1.0 / 60);
        const double motion[3] = {1000, -1000, 5};
        TrnSweep sweep;
        assert_int_equal(trn_store_sweep(scene.store, body.position, def.size, motion, 1, &sweep),
                         TRN_RESULT_OK);
    }
    assert_int_equal(scene.memory.allocations, allocations);
    scene_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_steps_on_the_floor_leave_a_body_where_it_was),
        cmocka_unit_test(jumps_and_falls_do_not_depend_on_the_time_step),
        cmocka_unit_test(a_body_walks_no_faster_diagonally),
        cmocka_unit_test(a_person_jumps_onto_one_block_and_not_onto_two),
        cmocka_unit_test(a_rising_body_does_not_jump),
        cmocka_unit_test(nothing_falls_faster_than_it_may),
        cmocka_unit_test(a_floating_body_comes_to_rest_at_the_surface),
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
        cmocka_unit_test(a_body_in_an_unloaded_chunk_does_not_move),
        cmocka_unit_test(movement_at_the_ends_of_the_world_equals_the_origin),
        cmocka_unit_test(random_bodies_never_enter_blocks),
        cmocka_unit_test(movement_is_symmetric_and_equal_across_borders),
        cmocka_unit_test(movement_is_equal_on_every_machine),
        cmocka_unit_test(bodies_refuse_what_is_out_of_range),
        cmocka_unit_test(wild_but_valid_bodies_stay_valid),
        cmocka_unit_test(nothing_allocates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
