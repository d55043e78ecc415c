/// Places to stand: the nearest solid ground under open sky, compared with a search of all voxels.
#include "spawn_search.h"

#include "testing.h"

#include <terrane/save.h>

enum { EDGE = 6, LAYERS = 3, CHUNKS = EDGE * EDGE * LAYERS, HALF = EDGE * 16 }; // HALF: in voxels

/// A world of some chunks around the origin, in memory.
typedef struct World {
    TrnBlockTypes *types;
    SpawnSearch search;
    TrnStreamSource source;
    TrnBlock blocks[CHUNKS][TRN_CHUNK_VOXELS];
} World;

static int64_t world_chunk(TrnCoord coord)
{
    const int32_t x = coord.x + EDGE / 2, y = coord.y + 1, z = coord.z + EDGE / 2;
    const bool is_inside = x >= 0 && x < EDGE && y >= 0 && y < LAYERS && z >= 0 && z < EDGE;
    return is_inside ? (int64_t)(z * EDGE + x) * LAYERS + y : -1;
}

static TrnResult world_load(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    const World *world = user;
    const int64_t chunk = world_chunk(job->coord);
    if (chunk < 0) {
        return TRN_RESULT_NOT_FOUND;
    }
    memcpy(blocks, world->blocks[chunk], sizeof world->blocks[chunk]);
    *uniform = false;
    return TRN_RESULT_OK;
}

static TrnBlock *world_at(World *world, TrnVoxel voxel)
{
    const int64_t chunk = world_chunk(trn_voxel_chunk(voxel));
    assert_true(chunk >= 0);
    return &world->blocks[chunk][trn_voxel_local_index(voxel)];
}

static int begin(void **state)
{
    World *world = calloc(1, sizeof *world);
    *state = world;
    if (!world || trn_block_types_create_builtin(NULL, &world->types) != TRN_RESULT_OK) {
        return -1;
    }
    world->source = (TrnStreamSource){.load = world_load, .user = world};
    for (int32_t i = 0; i < EDGE * EDGE; i++) {
        for (int32_t y = 0; y < LAYERS; y++) {
            const TrnCoord coord = {i % EDGE - EDGE / 2, y - 1, i / EDGE - EDGE / 2};
            if (!spawn_search_add(&world->search, coord)) {
                return -1;
            }
        }
    }
    return 0;
}

static int end(void **state)
{
    World *world = *state;
    spawn_search_free(&world->search);
    trn_block_types_destroy(world->types);
    free(world);
    return 0;
}

static bool run(World *world, TrnVoxel wished, bool is_told, TrnVoxel *found)
{
    return spawn_search_run(&world->search, &world->source, world->types, wished, is_told, found);
}

static void the_place_that_is_told_is_taken_if_one_can_stand_there(void **state)
{
    World *world = *state;
    TrnVoxel found;
    *world_at(world, (TrnVoxel){5, 10, 5}) = TRN_BLOCK_STONE;
    *world_at(world, (TrnVoxel){5, 15, 5}) = TRN_BLOCK_STONE; // a roof
    *world_at(world, (TrnVoxel){5, 11, 5}) = TRN_BLOCK_TALL_GRASS;
    assert_true(run(world, (TrnVoxel){5, 11, 5}, true, &found)); // in a house, in the grass
    assert_true(found.x == 5 && found.y == 11 && found.z == 5);
    assert_true(run(world, (TrnVoxel){5, 13, 5}, true, &found)); // it falls
    assert_int_equal(found.y, 11);
    assert_true(run(world, (TrnVoxel){5, 14, 5}, true, &found)); // no head room
    assert_int_equal(found.y, 16);
    assert_true(run(world, (TrnVoxel){5, 10, 5}, true, &found)); // in rock
    assert_int_equal(found.y, 16);
    assert_true(run(world, (TrnVoxel){60, 70, -60}, true, &found)); // over the void
    assert_true(found.x == 5 && found.y == 16 && found.z == 5);
}

static void water_is_the_last_resort(void **state)
{
    World *world = *state;
    TrnVoxel found;
    assert_false(run(world, (TrnVoxel){0, 0, 0}, false, &found));
    *world_at(world, (TrnVoxel){-3, 7, 2}) = TRN_BLOCK_WATER;
    *world_at(world, (TrnVoxel){-3, 6, 2}) = TRN_BLOCK_STONE;
    assert_true(run(world, (TrnVoxel){0, 0, 0}, false, &found));
    assert_true(found.x == -3 && found.y == 8 && found.z == 2);
    *world_at(world, (TrnVoxel){90, -30, -90}) = TRN_BLOCK_OAK_LEAVES;
    assert_true(run(world, (TrnVoxel){0, 0, 0}, false, &found));
    assert_true(found.x == 90 && found.y == -29 && found.z == -90);
}

/// The squared distance of the nearest ground by a search of all columns; negative: there is none.
static double model_distance(World *world, TrnVoxel wished)
{
    double nearest = -1;
    for (int64_t z = -HALF; z < HALF; z++) {
        for (int64_t x = -HALF; x < HALF; x++) {
            int64_t y = 63;
            while (y >= -32 &&
                   !trn_block_types_get(world->types, *world_at(world, (TrnVoxel){x, y, z}))
                        ->is_solid &&
                   *world_at(world, (TrnVoxel){x, y, z}) != TRN_BLOCK_WATER) {
                y--;
            }
            const bool is_ground =
                y >= -32 && *world_at(world, (TrnVoxel){x, y, z}) != TRN_BLOCK_WATER;
            const double dx = (double)(x - wished.x), dz = (double)(z - wished.z);
            if (is_ground && (nearest < 0 || dx * dx + dz * dz < nearest)) {
                nearest = dx * dx + dz * dz;
            }
        }
    }
    return nearest;
}

static void the_nearest_ground_is_found(void **state)
{
    World *world = *state;
    static const TrnBlock kinds[] = {TRN_BLOCK_STONE, TRN_BLOCK_WATER, TRN_BLOCK_TALL_GRASS,
                                     TRN_BLOCK_OAK_LEAVES};
    TestRandom random = test_random_seeded(62);
    for (uint32_t round = 0; round < test_rounds(4, 2); round++) {
        memset(world->blocks, 0, sizeof world->blocks);
        for (int i = 0; i < 60; i++) {
            const TrnVoxel voxel = {test_random_range(&random, 0, 2 * HALF - 1) - HALF,
                                    test_random_range(&random, 0, 95) - 32,
                                    test_random_range(&random, 0, 2 * HALF - 1) - HALF};
            *world_at(world, voxel) = kinds[test_random_next(&random) % 4];
        }
        const TrnVoxel wished = {test_random_range(&random, 0, 400) - 200, 0,
                                 test_random_range(&random, 0, 400) - 200};
        const double expected = model_distance(world, wished);
        TrnVoxel found;
        assert_true(run(world, wished, false, &found));
        const double x = (double)(found.x - wished.x), z = (double)(found.z - wished.z);
        assert_true(expected < 0 || x * x + z * z == expected);
        const TrnVoxel below = {found.x, found.y - 1, found.z};
        assert_true(expected < 0 ||
                    trn_block_types_get(world->types, *world_at(world, below))->is_solid);
    }
}

/// A saved world with one voxel of stone far from where its spawn says.
static void a_spawn_in_the_void_gives_way_to_ground_anywhere(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    static const TrnCoord coords[] = {{3, 2, -1}, {0, -40, 900}, {-200000, 5, 123456}};
    for (size_t i = 0; i < sizeof coords / sizeof *coords; i++) {
        TrnSaveDef def = trn_save_def();
        TrnBlockTypes *types;
        TrnSave *save;
        TrnVoxel found = {0, 0, 0};
        assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
        assert_int_equal(trn_storage_memory(NULL, &def.storage), TRN_RESULT_OK);
        def.types = types;
        def.has_thread = false;
        assert_int_equal(trn_save_create(&def, &save, NULL), TRN_RESULT_OK);
        const TrnStreamSource source = trn_save_source(save);
        const TrnVoxel spawn = {0, 65, 0};
        assert_false(spawn_search_world(&def.storage, &source, types, spawn, &found));
        blocks[trn_local_index(7, 8, 9)] = TRN_BLOCK_STONE;
        assert_int_equal(trn_save_put(save, coords[i], 0, blocks, false), TRN_RESULT_OK);
        assert_int_equal(trn_save_flush(save), TRN_RESULT_OK);
        assert_true(spawn_search_world(&def.storage, &source, types, spawn, &found));
        const TrnVoxel corner = trn_coord_voxel(coords[i]);
        assert_true(found.x == corner.x + 7 && found.y == corner.y + 9 && found.z == corner.z + 9);
        assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
        trn_block_types_destroy(types);
    }
}

/// A saved world on one side of its spawn.
static void the_first_look_goes_where_the_land_is(void **state)
{
    (void)state;
    static const struct {
        TrnCoord coord;
        double yaw;
    } cases[] = {{{0, 1, -4}, 0},    {{3, 1, 0}, 90}, {{0, 1, 2}, 180}, {{-5, 1, 0}, -90},
                 {{-2, 0, -2}, -45}, {{0, 1, 0}, 0},  {{4000, 0, 0}, 0}};
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    blocks[0] = TRN_BLOCK_STONE;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TrnSaveDef def = trn_save_def();
        TrnBlockTypes *types;
        TrnSave *save;
        assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
        assert_int_equal(trn_storage_memory(NULL, &def.storage), TRN_RESULT_OK);
        def.types = types;
        def.has_thread = false;
        assert_int_equal(trn_save_create(&def, &save, NULL), TRN_RESULT_OK);
        assert_int_equal(trn_save_put(save, cases[i].coord, 0, blocks, false), TRN_RESULT_OK);
        assert_int_equal(trn_save_flush(save), TRN_RESULT_OK);
        const double yaw = spawn_search_yaw(&def.storage, (TrnVoxel){5, 65, 30});
        assert_true(yaw > cases[i].yaw - 0.01 && yaw < cases[i].yaw + 0.01);
        assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
        trn_block_types_destroy(types);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_place_that_is_told_is_taken_if_one_can_stand_there,
                                        begin, end),
        cmocka_unit_test_setup_teardown(water_is_the_last_resort, begin, end),
        cmocka_unit_test_setup_teardown(the_nearest_ground_is_found, begin, end),
        cmocka_unit_test(a_spawn_in_the_void_gives_way_to_ground_anywhere),
        cmocka_unit_test(the_first_look_goes_where_the_land_is),
    };
    return cmocka_run_group_tests_name("spawn_search", tests, NULL, NULL);
}
