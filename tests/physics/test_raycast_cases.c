// Rays case by case: starts inside blocks, exact distances, corners, unloaded chunks, bad
// input.

#include "ray_world.h"

// ---- every voxel of the path --------------------------------------------------------------------

static void a_block_a_million_voxels_away_is_hit(void **state)
{
    (void)state;
    World *world = world_create((TrnCoord){0, 0, 0});
    TrnChunk *chunk;
    const TrnVoxel stone = {-1048576, 5, 7};
    assert_int_equal(
        trn_store_insert_uniform(world->store, trn_voxel_chunk(stone), TRN_BLOCK_AIR, &chunk),
        TRN_RESULT_OK);
    assert_int_equal(trn_store_set_block(world->store, stone, TRN_BLOCK_STONE, NULL),
                     TRN_RESULT_OK);
    const TrnPosition origin = {{0, 0, 0}, {1, 5.5, 7.5}};
    const double direction[3] = {-3, 0, 0};
    TrnRayDef def = trn_ray_def();
    TrnRayHit hit;
    def.distance_max = TRN_RAY_DISTANCE_MAX;
    assert_int_equal(trn_store_raycast(world->store, origin, direction, &def, &hit), TRN_RESULT_OK);
    assert_int_equal(hit.end, TRN_RAY_END_BLOCK);
    assert_int_equal(hit.voxel.x, stone.x);
    assert_int_equal(hit.face, TRN_FACE_POS_X);
    assert_true(hit.distance == TRN_RAY_DISTANCE_MAX);
    world_destroy(world);
}

// ---- single cases -------------------------------------------------------------------------------

/// Creates a world of one chunk of air with one stone at (10, 5, 5).
static World *stone_world(void)
{
    World *world = world_create((TrnCoord){0, 0, 0});
    world->blocks[0][trn_local_index(10, 5, 5)] = TRN_BLOCK_STONE;
    world_put(world, 0);
    return world;
}

static TrnRayHit cast_from(const World *world, double x, double y, double z, double dx, double dy,
                           double dz, double distance)
{
    const TrnPosition origin = {{0, 0, 0}, {x, y, z}};
    const double direction[3] = {dx, dy, dz};
    TrnRayDef def = trn_ray_def();
    TrnRayHit hit;
    def.distance_max = distance;
    assert_int_equal(trn_store_raycast(world->store, origin, direction, &def, &hit), TRN_RESULT_OK);
    return hit;
}

static void check_hit(TrnRayHit hit, TrnRayEnd end, TrnVoxel voxel, TrnFace face, double distance)
{
    const TrnBlock block = end == TRN_RAY_END_BLOCK ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
    const TrnRayHit expected = {end, voxel, face, block, distance};
    check_hits(&hit, &expected);
}

static void a_ray_starting_in_a_block_hits_it(void **state)
{
    (void)state;
    World *world = stone_world();
    const TrnVoxel stone = {10, 5, 5};
    check_hit(cast_from(world, 10.5, 5.5, 5.5, 1, 2, 3, 64), TRN_RAY_END_BLOCK, stone,
              TRN_FACE_COUNT, 0);
    check_hit(cast_from(world, 10, 5, 5, -1, -1, -1, 0), TRN_RAY_END_BLOCK, stone, TRN_FACE_COUNT,
              0);
    world_destroy(world);
}

static void a_block_at_exactly_the_distance_is_hit(void **state)
{
    (void)state;
    World *world = stone_world();
    check_hit(cast_from(world, 0.25, 5.5, 5.5, 7, 0, 0, 9.75), TRN_RAY_END_BLOCK,
              (TrnVoxel){10, 5, 5}, TRN_FACE_NEG_X, 9.75);
    const double less = nextafter(9.75, 0);
    check_hit(cast_from(world, 0.25, 5.5, 5.5, 7, 0, 0, less), TRN_RAY_END_DISTANCE,
              (TrnVoxel){9, 5, 5}, TRN_FACE_NEG_X, less);
    check_hit(cast_from(world, 10.5, 9, 8, 0, -4, -3, 5), TRN_RAY_END_BLOCK, (TrnVoxel){10, 5, 5},
              TRN_FACE_POS_Y, 3.75);
    world_destroy(world);
}

static void a_ray_downwards_from_a_boundary_crosses_it_at_once(void **state)
{
    (void)state;
    World *world = stone_world();
    const TrnVoxel stone = {10, 5, 5};
    check_hit(cast_from(world, 11, 5.5, 5.5, -1, 0, 0, 0), TRN_RAY_END_BLOCK, stone, TRN_FACE_POS_X,
              0);
    // Even with the smallest possible component downwards.
    check_hit(cast_from(world, 10.5, 6, 5.5, 0, -DBL_TRUE_MIN, DBL_MAX, 0), TRN_RAY_END_BLOCK,
              stone, TRN_FACE_POS_Y, 0);
    check_hit(cast_from(world, 10.5, 6, 5.5, 0, -0.0, 1, 0), TRN_RAY_END_DISTANCE,
              (TrnVoxel){10, 6, 5}, TRN_FACE_COUNT, 0);
    check_hit(cast_from(world, 10, 5.5, 5.5, 1, 0, 0, 0), TRN_RAY_END_BLOCK, stone, TRN_FACE_COUNT,
              0);
    world_destroy(world);
}

static void a_ray_through_a_corner_goes_along_x_then_y_then_z(void **state)
{
    (void)state;
    World *world = stone_world();
    const TrnVoxel stone = {10, 5, 5};
    // Steps along x, then y, reach the corner first; steps along y or z alone never do.
    check_hit(cast_from(world, 8, 4, 4, 2, 1, 1, 2.0), TRN_RAY_END_DISTANCE, (TrnVoxel){9, 4, 4},
              TRN_FACE_NEG_X, 2.0);
    check_hit(cast_from(world, 9, 5.5, 4, 1, 0, 1, 64), TRN_RAY_END_BLOCK, stone, TRN_FACE_NEG_Z,
              sqrt(2));
    check_hit(cast_from(world, 9, 6, 5.5, 1, 1, 0, 64), TRN_RAY_END_DISTANCE,
              cast_from(world, 9, 6, 5.5, 1, 1, 0, 64).voxel, TRN_FACE_NEG_Y, 64);
    check_hit(cast_from(world, 9, 4, 5.5, 1, 1, 0, 64), TRN_RAY_END_BLOCK, stone, TRN_FACE_NEG_Y,
              sqrt(2));
    check_hit(cast_from(world, 9, 4, 4, 1, 1, 1, 64), TRN_RAY_END_BLOCK, stone, TRN_FACE_NEG_Z,
              sqrt(3));
    world_destroy(world);
}

static void tiny_components_neither_stop_nor_bend_a_ray(void **state)
{
    (void)state;
    World *world = stone_world();
    const double tiny[] = {DBL_TRUE_MIN, -DBL_TRUE_MIN, DBL_MIN, -1e-200, 1e-30, -1e-17};
    for (size_t i = 0; i < sizeof tiny / sizeof *tiny; i++) {
        check_hit(cast_from(world, 0.5, 5.5, 5.5, 1, tiny[i], tiny[(i + 1) % 6], 64),
                  TRN_RAY_END_BLOCK, (TrnVoxel){10, 5, 5}, TRN_FACE_NEG_X, 9.5);
    }
    check_hit(cast_from(world, 0.5, 5.5, 5.5, DBL_TRUE_MIN, 0, 0, 64), TRN_RAY_END_BLOCK,
              (TrnVoxel){10, 5, 5}, TRN_FACE_NEG_X, 9.5);
    // The origin is nearer to a boundary than any number except 0.
    check_hit(cast_from(world, 10.5, 5.5, DBL_TRUE_MIN, 0, 0, -1, 0.5), TRN_RAY_END_DISTANCE,
              (TrnVoxel){10, 5, -1}, TRN_FACE_POS_Z, 0.5);
    world_destroy(world);
}

static void rays_that_ignore_unloaded_chunks_pass_them(void **state)
{
    (void)state;
    World *world = world_create((TrnCoord){0, 0, 0});
    const TrnPosition origin = {{3, 3, 3}, {32, 16, 0}};
    const double direction[3] = {1, 0, 0};
    TrnRayDef def = trn_ray_def();
    TrnRayHit hit;
    assert_int_equal(trn_store_raycast(world->store, origin, direction, NULL, &hit), TRN_RESULT_OK);
    check_hit(hit, TRN_RAY_END_DISTANCE, (TrnVoxel){256, 112, 96}, TRN_FACE_NEG_X, 128);
    def.stops_at_unloaded = true;
    assert_int_equal(trn_store_raycast(world->store, origin, direction, &def, &hit), TRN_RESULT_OK);
    check_hit(hit, TRN_RAY_END_UNLOADED, (TrnVoxel){128, 112, 96}, TRN_FACE_COUNT, 0);
    world_destroy(world);
}

// ---- bad input ----------------------------------------------------------------------------------

static void check_refused(const World *world, TrnPosition origin, const double direction[3],
                          const TrnRayDef *def)
{
    TrnRayHit hit, untouched;
    memset(&hit, 0x5A, sizeof hit);
    memset(&untouched, 0x5A, sizeof untouched);
    assert_int_equal(trn_store_raycast(world->store, origin, direction, def, &hit),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_memory_equal(&hit, &untouched, sizeof hit);
}

static void invalid_rays_are_refused(void **state)
{
    (void)state;
    World *world = stone_world();
    const TrnPosition origin = {{0, 0, 0}, {1, 1, 1}};
    const double ahead[3] = {1, 0, 0}, none[3] = {0, -0.0, 0};
    const double bad[] = {NAN, -NAN, INFINITY, -INFINITY};
    check_refused(world, origin, none, NULL);
    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < 4; i++) {
            double direction[3] = {1, 1, 1};
            direction[axis] = bad[i];
            check_refused(world, origin, direction, NULL);
        }
        const double offsets[] = {NAN, INFINITY, -DBL_TRUE_MIN, nextafter(32, 33), -1, 1e300};
        for (size_t i = 0; i < 6; i++) {
            TrnPosition outside = origin;
            outside.offset[axis] = offsets[i];
            check_refused(world, outside, ahead, NULL);
        }
    }
    const double distances[] = {NAN, -1, -DBL_TRUE_MIN, INFINITY,
                                nextafter(TRN_RAY_DISTANCE_MAX, INFINITY)};
    for (size_t i = 0; i < 5; i++) {
        TrnRayDef def = trn_ray_def();
        def.distance_max = distances[i];
        check_refused(world, origin, ahead, &def);
    }
    world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_a_million_voxels_away_is_hit),
        cmocka_unit_test(a_ray_starting_in_a_block_hits_it),
        cmocka_unit_test(a_block_at_exactly_the_distance_is_hit),
        cmocka_unit_test(a_ray_downwards_from_a_boundary_crosses_it_at_once),
        cmocka_unit_test(a_ray_through_a_corner_goes_along_x_then_y_then_z),
        cmocka_unit_test(tiny_components_neither_stop_nor_bend_a_ray),
        cmocka_unit_test(rays_that_ignore_unloaded_chunks_pass_them),
        cmocka_unit_test(invalid_rays_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
