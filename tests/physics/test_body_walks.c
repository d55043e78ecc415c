// Guarantees of body.h on long random walks: mirrored, at the ends of the world, with bad
// input, without allocating.

#include "body_steps.h"

// ---- bodies -------------------------------------------------------------------------------------

static const TrnBodyInput NO_INPUT = {{0, 0, 0}, false, false};

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
        TrnBodyDef def = trn_body_def();
        def.step_height = 0;
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
    assert_true(hash == UINT64_C(0xFD3FABA88F16BBFA));
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
