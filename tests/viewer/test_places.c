// Places to stand: where a player starts, and eyes in rock.

#include "player_steps.h"

// ---- places -------------------------------------------------------------------------------------

static bool is_standing(const SmallWorld *world, TrnPosition feet)
{
    Player player = player_begin(NULL, feet);
    steps(&player, world, &NOTHING, 2);
    return player.body.on_ground && !player.body.in_liquid &&
           position_axis(player.body.position, 1) == position_axis(feet, 1) &&
           !player_is_stuck(&player, world->store);
}

static void who_stands_well_is_left_there(void **state)
{
    (void)state;
    SmallWorld world;
    small_begin(&world);
    small_flat(&world, 1);
    const TrnPosition here = position_at(0.25, 0, 0.875);
    PlayerPlace place = player_find_place(world.store, here);
    assert_int_equal(place.kind, PLAYER_PLACE_HERE);
    assert_same_position(place.feet, player_begin(NULL, here).body.position);
    assert_string_equal(place.what.text, "");
    place = player_find_place(world.store, position_at(0.25, 2.5, 0.875)); // is put down
    assert_int_equal(place.kind, PLAYER_PLACE_HERE);
    assert_same_position(place.feet, player_begin(NULL, here).body.position);
    small_end(&world);
}

static void out_of_rock_leads_to_the_nearest_room(void **state)
{
    (void)state;
    SmallWorld world;
    small_begin(&world);
    small_flat(&world, 2);
    PlayerPlace place = player_find_place(world.store, position_at(3.5, -9.5, 3.5));
    assert_int_equal(place.kind, PLAYER_PLACE_MOVED);
    assert_true(position_axis(place.feet, 1) == 0 && position_axis(place.feet, 0) == 3.5);
    assert_string_equal(place.what.text, "There is no room: moved by 10 blocks up.");
    place = player_find_place(world.store, position_at(3.5, -0.25, 3.5));
    assert_string_equal(place.what.text, "There is no room: moved by less than a block.");
    small_box(&world, (const int64_t[3]){20, 0, 20}, (const int64_t[3]){20, 9, 20},
              TRN_BLOCK_STONE);
    place = player_find_place(world.store, position_at(20.5, 0, 20.5)); // in a trunk
    assert_string_equal(place.what.text, "There is no room: moved by 1 block sideways.");
    // A cave that is nearer; a gap of one voxel's height does not count.
    small_box(&world, (const int64_t[3]){3, -11, 3}, (const int64_t[3]){3, -11, 3}, TRN_BLOCK_AIR);
    small_box(&world, (const int64_t[3]){7, -11, 3}, (const int64_t[3]){7, -10, 3}, TRN_BLOCK_AIR);
    place = player_find_place(world.store, position_at(3.5, -9.5, 3.5));
    assert_int_equal(place.kind, PLAYER_PLACE_MOVED);
    assert_true(position_axis(place.feet, 0) == 7.5 && position_axis(place.feet, 1) == -11);
    assert_true(is_standing(&world, place.feet));
    small_end(&world);
}

static void over_the_void_leads_sideways_and_in_the_sea_ashore(void **state)
{
    (void)state;
    SmallWorld world;
    small_begin(&world);
    for (TrnCoord coord = {-1, -4, -1}; coord.y <= 3; coord.y++) {
        for (coord.z = -1; coord.z <= 0; coord.z++) {
            for (coord.x = -1; coord.x <= 0; coord.x++) {
                small_fill(&world, coord, TRN_BLOCK_AIR);
            }
        }
    }
    PlayerPlace place = player_find_place(world.store, position_at(0.5, 0.5, 0.5));
    assert_int_equal(place.kind, PLAYER_PLACE_NONE);
    assert_non_null(strstr(place.what.text, "no ground"));
    small_box(&world, (const int64_t[3]){9, -4, 2}, (const int64_t[3]){10, -4, 3}, TRN_BLOCK_STONE);
    place = player_find_place(world.store, position_at(0.5, 0.5, 0.5));
    assert_int_equal(place.kind, PLAYER_PLACE_MOVED);
    assert_true(position_axis(place.feet, 0) == 9.5 && position_axis(place.feet, 1) == -3);

    small_box(&world, (const int64_t[3]){-32, -8, -32}, (const int64_t[3]){31, -4, 31},
              TRN_BLOCK_WATER);
    place = player_find_place(world.store, position_at(0.5, -6, 0.5));
    assert_int_equal(place.kind, PLAYER_PLACE_AFLOAT);
    assert_true(position_axis(place.feet, 0) == 0.5 && position_axis(place.feet, 1) == -3);
    assert_non_null(strstr(place.what.text, "There is water"));
    small_box(&world, (const int64_t[3]){-20, -8, 5}, (const int64_t[3]){-18, -2, 5},
              TRN_BLOCK_SAND);
    place = player_find_place(world.store, position_at(0.5, -6, 0.5));
    assert_int_equal(place.kind, PLAYER_PLACE_MOVED);
    assert_true(position_axis(place.feet, 0) == -17.5 && position_axis(place.feet, 1) == -1);
    assert_true(is_standing(&world, place.feet));
    small_end(&world);
}

static void what_is_not_loaded_is_asked_for_again(void **state)
{
    (void)state;
    SmallWorld world;
    small_begin(&world);
    const TrnPosition wish = position_at(5, 5, 5);
    PlayerPlace place = player_find_place(world.store, wish);
    assert_int_equal(place.kind, PLAYER_PLACE_UNKNOWN);
    assert_same_position(place.feet, wish);
    assert_non_null(strstr(place.what.text, "not loaded"));
    small_flat(&world, 1);
    assert_int_equal(player_find_place(world.store, wish).kind, PLAYER_PLACE_MOVED);
    const TrnPosition end = {{INT32_MAX, INT32_MIN, INT32_MAX}, {31, 0, 31}};
    assert_int_equal(player_find_place(world.store, end).kind, PLAYER_PLACE_UNKNOWN);
    small_end(&world);
}

static bool is_block(const SmallWorld *world, int64_t x, int64_t y, int64_t z, TrnBlock block)
{
    TrnBlock there;
    const TrnVoxel at = {x, y, z};
    return trn_store_get_block(world->store, at, &there) == TRN_RESULT_OK && there == block;
}

/// Returns the square of the distance to the nearest place to stand, by testing every voxel; -1 if
/// there is none.
static int64_t nearest_by_force(const SmallWorld *world, int64_t x, int64_t y, int64_t z)
{
    int64_t best = -1;
    for (int64_t by = -PLAYER_PLACE_HEIGHT; by < PLAYER_PLACE_HEIGHT; by++) {
        for (int64_t bz = -PLAYER_PLACE_RADIUS; bz <= PLAYER_PLACE_RADIUS; bz++) {
            for (int64_t bx = -PLAYER_PLACE_RADIUS; bx <= PLAYER_PLACE_RADIUS; bx++) {
                const int64_t square = bx * bx + by * by + bz * bz;
                if ((best < 0 || square < best) &&
                    is_block(world, x + bx, y + by - 1, z + bz, TRN_BLOCK_STONE) &&
                    is_block(world, x + bx, y + by, z + bz, TRN_BLOCK_AIR) &&
                    is_block(world, x + bx, y + by + 1, z + bz, TRN_BLOCK_AIR)) {
                    best = square;
                }
            }
        }
    }
    return best;
}

static void the_place_is_the_nearest_that_looking_everywhere_finds(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(0x9EA3);
    for (int round = 0; round < 6; round++) {
        SmallWorld world;
        small_begin(&world);
        for (TrnCoord coord = {-1, -1, -1}; coord.y <= 0; coord.y++) {
            for (coord.z = -1; coord.z <= 0; coord.z++) {
                for (coord.x = -1; coord.x <= 0; coord.x++) {
                    small_fill(&world, coord,
                               (TrnBlock)(round % 2 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR));
                }
            }
        }
        for (int i = 0; i < 6 + round; i++) {
            const int64_t at[3] = {test_random_range(&random, -30, 28),
                                   test_random_range(&random, -30, 28),
                                   test_random_range(&random, -30, 28)};
            const int64_t end[3] = {at[0] + 1, at[1] + test_random_range(&random, 0, 2), at[2]};
            small_box(&world, at, end, (TrnBlock)(round % 2 ? TRN_BLOCK_AIR : TRN_BLOCK_STONE));
        }
        const int64_t x = test_random_range(&random, -9, 9), y = test_random_range(&random, -9, 9),
                      z = test_random_range(&random, -9, 9);
        const TrnPosition wish = position_at((double)x + 0.5, (double)y + 0.25, (double)z + 0.5);
        const PlayerPlace place = player_find_place(world.store, wish);
        const int64_t best = nearest_by_force(&world, x, y, z);
        if (place.kind == PLAYER_PLACE_MOVED) {
            const double way[3] = {position_axis(place.feet, 0) - ((double)x + 0.5),
                                   position_axis(place.feet, 1) - (double)y,
                                   position_axis(place.feet, 2) - ((double)z + 0.5)};
            const double square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
            assert_true(square == (double)best);
            assert_true(is_standing(&world, place.feet));
        } else {
            assert_true(place.kind == PLAYER_PLACE_HERE || best < 0);
        }
        small_end(&world);
    }
}

static void generated_land_has_a_place_near_every_column(void **state)
{
    (void)state;
    TrnTerrain *terrain;
    assert_int_equal(trn_terrain_create(NULL, &terrain), TRN_RESULT_OK);
    TestRandom random = test_random_seeded(0x1A2D);
    for (int i = 0; i < 12; i++) {
        const int64_t x = test_random_range(&random, -4000, 4000),
                      z = test_random_range(&random, -4000, 4000);
        int64_t height;
        assert_int_equal(trn_terrain_height(terrain, x, z, &height), TRN_RESULT_OK);
        const int64_t y = (height > TRN_TERRAIN_SEA_LEVEL ? height : TRN_TERRAIN_SEA_LEVEL) + 1;
        const TrnPosition wish = position_at((double)x + 0.5, (double)y, (double)z + 0.5);
        SmallWorld world;
        small_begin(&world);
        const TrnCoord c = wish.chunk;
        const TrnCoord min = {c.x - 1, c.y - 1, c.z - 1}, max = {c.x + 1, c.y + 1, c.z + 1};
        small_land(&world, terrain, min, max);
        const PlayerPlace place = player_find_place(world.store, wish);
        assert_true(place.kind <= PLAYER_PLACE_AFLOAT);
        assert_true(place.kind == PLAYER_PLACE_AFLOAT || is_standing(&world, place.feet));
        small_end(&world);
    }
    trn_terrain_destroy(terrain);
}

// ---- eyes in rock -------------------------------------------------------------------------------

static TrnBlockKind kind_at(TrnTerrain *terrain, const TrnBlockTypes *types, const double eyes[3])
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    bool is_uniform;
    const TrnVoxel at = {(int64_t)floor(eyes[0]), (int64_t)floor(eyes[1]), (int64_t)floor(eyes[2])};
    assert_int_equal(trn_terrain_generate(terrain, trn_voxel_chunk(at), blocks, &is_uniform),
                     TRN_RESULT_OK);
    return trn_block_types_get(types, blocks[is_uniform ? 0 : trn_voxel_local_index(at)])->kind;
}

static void eyes_in_rock_move_up_to_the_first_open_voxel(void **state)
{
    (void)state;
    TrnTerrain *terrain;
    TrnBlockTypes *types;
    Message what;
    uint32_t moved = 0;
    const TrnTerrainDef def = trn_terrain_def();
    TestRandom random = test_random_seeded(21);
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    for (int i = 0; i < 60; i++) {
        double eyes[3] = {(double)test_random_range(&random, -600, 600) + 0.25,
                          (double)test_random_range(&random, -150, 120) + 0.75,
                          (double)test_random_range(&random, -600, 600) + 0.5};
        const double from[3] = {eyes[0], eyes[1], eyes[2]};
        const bool is_in_rock = kind_at(terrain, types, eyes) == TRN_BLOCK_KIND_OPAQUE;
        player_leave_rock(terrain, types, eyes, &what);
        assert_int_equal(is_in_rock, what.text[0] != '\0');
        assert_true(eyes[0] == from[0] && eyes[2] == from[2]);
        assert_true(is_in_rock ? eyes[1] > from[1] : eyes[1] == from[1]);
        assert_int_not_equal(kind_at(terrain, types, eyes), TRN_BLOCK_KIND_OPAQUE);
        for (double y = from[1]; y < floor(eyes[1]); y++) {
            const double passed[3] = {eyes[0], y, eyes[2]};
            assert_int_equal(kind_at(terrain, types, passed), TRN_BLOCK_KIND_OPAQUE);
        }
        moved += is_in_rock;
    }
    assert_in_range(moved, 10, 50);
    // From deep below it moves up to the surface, also at the end of the world.
    double deep[3] = {100.5, -1e6, 0.5};
    player_leave_rock(terrain, types, deep, &what);
    assert_non_null(strstr(what.text, "There is rock at this place: moved up by 100"));
    assert_int_not_equal(kind_at(terrain, types, deep), TRN_BLOCK_KIND_OPAQUE);
    double end[3] = {1e30, -1e30, -1e30};
    player_leave_rock(terrain, types, end, &what);
    assert_true(end[0] == 1e30);
    trn_block_types_destroy(types);
    trn_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_stands_well_is_left_there),
        cmocka_unit_test(out_of_rock_leads_to_the_nearest_room),
        cmocka_unit_test(over_the_void_leads_sideways_and_in_the_sea_ashore),
        cmocka_unit_test(what_is_not_loaded_is_asked_for_again),
        cmocka_unit_test(the_place_is_the_nearest_that_looking_everywhere_finds),
        cmocka_unit_test(generated_land_has_a_place_near_every_column),
        cmocka_unit_test(eyes_in_rock_move_up_to_the_first_open_voxel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
