// How far a change of voxels changes light, against solving all 27 chunks around before and after.

#include "testing.h"

#include <terrane/batch.h>
#include <terrane/light.h>
#include <terrane/store.h>

#include "base/around.h"
#include "store/store_internal.h"

#define REACH 14

/// A store of 5 x 5 x 5 chunks, so that each of the 27 in the middle has its neighbours.
typedef struct World {
    TrnBlockTypes *types;
    TrnStore *store;
    TrnLightSolver *solver;
    TrnBlock stone, marble, water, lamp;
    uint64_t hashes[TRN_AROUND_COUNT]; ///< of their light
    uint32_t light;                    ///< of the last event
    uint32_t events;
} World;

static TrnBlock world_add(World *world, const char *name, TrnBlockKind kind, uint8_t light,
                          uint8_t dims)
{
    TrnBlockType type = trn_block_type_def(name, kind);
    TrnBlock block;
    type.light = light;
    type.dims = dims;
    assert_int_equal(trn_block_types_add(world->types, &type, &block), TRN_RESULT_OK);
    return block;
}

static TrnResult world_hear(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    World *world = user;
    (void)store;
    assert_int_equal(event->count, 1);
    world->light = event->chunks[0].light;
    world->events++;
    return TRN_RESULT_OK;
}

static void world_create(World *world)
{
    *world = (World){0};
    assert_int_equal(trn_block_types_create(NULL, &world->types), TRN_RESULT_OK);
    world->stone = world_add(world, "t:stone", TRN_BLOCK_KIND_OPAQUE, 0, 0);
    world->marble = world_add(world, "t:marble", TRN_BLOCK_KIND_OPAQUE, 0, 3); // as stone
    world->water = world_add(world, "t:water", TRN_BLOCK_KIND_LIQUID, 0, 2);
    world->lamp = world_add(world, "t:lamp", TRN_BLOCK_KIND_OPAQUE, 15, 0);
    TrnStoreDef def = trn_store_def();
    def.types = world->types;
    assert_int_equal(trn_store_create(&def, &world->store), TRN_RESULT_OK);
    assert_int_equal(trn_light_solver_create(NULL, &world->solver), TRN_RESULT_OK);
    assert_int_equal(
        trn_store_subscribe(world->store, TRN_EVENT_BIT(TRN_EVENT_CHANGED), world_hear, world),
        TRN_RESULT_OK);
    trn_store_set_light_reach(world->store, trn_light_reach);
}

static void world_destroy(World *world)
{
    trn_light_solver_destroy(world->solver);
    trn_store_destroy(world->store);
    trn_block_types_destroy(world->types);
}

/// Fills boxes at random with air, stone, water and lamps. @param is_solid  begins with stone
static void world_fill(World *world, TestRandom *random, bool is_solid)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnBlock all[] = {0, world->stone, 0, world->water, world->lamp};
    for (int32_t i = 0; i < 125; i++) {
        const TrnCoord coord = {i % 5 - 2, i / 25 - 2, i / 5 % 5 - 2};
        for (uint32_t v = 0; v < TRN_CHUNK_VOXELS; v++) {
            blocks[v] = is_solid ? world->stone : 0;
        }
        for (int64_t boxes = test_random_range(random, 0, 12); boxes > 0; boxes--) {
            const TrnBlock block = all[test_random_range(random, 0, boxes == 1 ? 4 : 3)];
            const uint32_t edge = block == world->lamp ? 1 : 12;
            const uint32_t x0 = (uint32_t)test_random_range(random, 0, 31);
            const uint32_t y0 = (uint32_t)test_random_range(random, 0, 31);
            const uint32_t z0 = (uint32_t)test_random_range(random, 0, 31);
            for (uint32_t v = 0; v < edge * edge * edge; v++) {
                const uint32_t x = x0 + v % edge, y = y0 + v / edge / edge,
                               z = z0 + v / edge % edge;
                if (x < 32 && y < 32 && z < 32) {
                    blocks[trn_local_index(x, y, z)] = block;
                }
            }
        }
        (void)trn_store_remove(world->store, coord);
        assert_int_equal(trn_store_insert_voxels(world->store, coord, blocks, NULL), TRN_RESULT_OK);
    }
}

static uint64_t light_hash(const TrnLight *light)
{
    uint64_t hash = light->constant;
    for (size_t i = 0; light->constant == TRN_LIGHT_VARIES && i < (size_t)TRN_LIGHT_ROWS; i++) {
        for (size_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
            hash = (hash ^ light->planes[bit][i]) * UINT64_C(0x9E3779B97F4A7C15);
            hash ^= hash >> 29;
        }
    }
    return hash;
}

/// Solves the 27 chunks. @return which have other light than at the last call
static uint32_t world_solve(World *world)
{
    static TrnLight sky, blocks;
    uint32_t changed = 0;
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        TrnSnapshot around[TRN_AROUND_COUNT];
        trn_store_snapshot_around(world->store, trn_around_offset(place), around);
        trn_light_read(world->solver, around, world->types);
        trn_light_sky(world->solver, NULL, &sky);
        trn_light_blocks(world->solver, NULL, &blocks);
        const uint64_t hash = light_hash(&sky) * 31 + light_hash(&blocks);
        changed |= (uint32_t)(hash != world->hashes[place]) << place;
        world->hashes[place] = hash;
    }
    return changed;
}

/// Whether light passes without loss at a voxel of a snapshot.
static bool is_clear(const World *world, TrnSnapshot voxels, uint32_t x, uint32_t y, uint32_t z)
{
    const TrnBlock block = trn_snapshot_get(voxels, trn_local_index(x, y, z));
    return block == 0 || trn_block_types_get(world->types, block)->kind == TRN_BLOCK_KIND_AIR;
}

/// The chunks within reach of a voxel and of those below it down to `y_last`.
static uint32_t model_reach(uint32_t x, uint32_t y, uint32_t y_last, uint32_t z)
{
    uint32_t around = 0;
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        const TrnCoord step = trn_around_offset(place);
        const int32_t dx = step.x < 0 ? (int32_t)x : step.x > 0 ? 31 - (int32_t)x : 0;
        const int32_t dy = step.y < 0 ? (int32_t)y_last : step.y > 0 ? 31 - (int32_t)y : 0;
        const int32_t dz = step.z < 0 ? (int32_t)z : step.z > 0 ? 31 - (int32_t)z : 0;
        around |= (uint32_t)(dx + dy + dz <= REACH) << place;
    }
    return around;
}

/// The lowest voxel below one of the sky's that it lights if that one is clear; itself where there
/// is a blocker above it.
static uint32_t model_lowest(const World *world, TrnSnapshot voxels, uint32_t x, uint32_t y,
                             uint32_t z)
{
    for (uint32_t above = y + 1; above < 32; above++) {
        if (!is_clear(world, voxels, x, above, z)) {
            return y;
        }
    }
    while (y > 0 && is_clear(world, voxels, x, y - 1, z)) {
        y--;
    }
    return y;
}

/// Below this chunk the sky may light something else too.
static uint32_t below(bool columns_changed)
{
    return columns_changed ? trn_around_mask(7, 1, 7) : 0;
}

static void single_voxels_reach_exactly_what_is_near(void **state)
{
    (void)state;
    static World world;
    TestRandom random = test_random_seeded(31);
    world_create(&world);
    const TrnBlock all[] = {0, world.stone, world.marble, world.water, world.lamp};
    for (uint32_t round = 0; round < test_rounds(8, 2); round++) {
        world_fill(&world, &random, round % 2 == 0);
        (void)world_solve(&world);
        for (uint32_t edit = 0; edit < 20; edit++) {
            const uint32_t x = (uint32_t)test_random_range(&random, 0, 31);
            const uint32_t y = (uint32_t)test_random_range(&random, 0, 31);
            const uint32_t z = (uint32_t)test_random_range(&random, 0, 31);
            const TrnBlock block = all[test_random_range(&random, 0, 4)];
            TrnSnapshot voxels;
            uint32_t open[2][32];
            const TrnCoord centre = {0, 0, 0};
            assert_int_equal(trn_store_snapshot(world.store, centre, &voxels), TRN_RESULT_OK);
            trn_light_open_columns(voxels, world.types, open[0]);
            const uint32_t lowest = model_lowest(&world, voxels, x, y, z);
            const TrnBlock old = trn_snapshot_get(voxels, trn_local_index(x, y, z));
            const bool was_clear = is_clear(&world, voxels, x, y, z), clears = block == 0;
            const bool same = old == block || (old == world.stone && block == world.marble) ||
                              (old == world.marble && block == world.stone);
            world.light = 0;
            assert_int_equal(trn_store_set_block(world.store, (TrnVoxel){x, y, z}, block, NULL),
                             TRN_RESULT_OK);
            assert_int_equal(trn_store_snapshot(world.store, centre, &voxels), TRN_RESULT_OK);
            trn_light_open_columns(voxels, world.types, open[1]);
            const uint32_t expected =
                same ? 0 : model_reach(x, y, was_clear != clears ? lowest : y, z);
            assert_int_equal(world.light, expected);
            const bool columns_changed = memcmp(open[0], open[1], sizeof open[0]) != 0;
            assert_int_equal(world_solve(&world) & ~world.light & ~below(columns_changed), 0);
        }
    }
    world_destroy(&world);
}

static void batches_reach_all_chunks_that_change(void **state)
{
    (void)state;
    static World world;
    TestRandom random = test_random_seeded(32);
    world_create(&world);
    const TrnBlock all[] = {0, world.stone, world.marble, world.water, world.lamp};
    uint32_t narrow = 0;
    for (uint32_t round = 0; round < test_rounds(60, 12); round++) {
        TrnBatch *batch;
        TrnVoxel min, max;
        int64_t *low[3] = {&min.x, &min.y, &min.z}, *high[3] = {&max.x, &max.y, &max.z};
        if (round % 6 == 0) {
            world_fill(&world, &random, round % 12 == 0);
            (void)world_solve(&world);
        }
        for (int axis = 0; axis < 3; axis++) {
            *low[axis] = test_random_range(&random, 0, 31);
            *high[axis] = test_random_range(&random, *low[axis], 31);
        }
        TrnSnapshot voxels;
        uint32_t open[2][32];
        const TrnCoord centre = {0, 0, 0};
        assert_int_equal(trn_store_snapshot(world.store, centre, &voxels), TRN_RESULT_OK);
        trn_light_open_columns(voxels, world.types, open[0]);
        world.light = 0;
        assert_int_equal(trn_batch_begin(world.store, NULL, &batch), TRN_RESULT_OK);
        trn_batch_fill_box(batch, min, max, all[test_random_range(&random, 0, 4)]);
        assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
        assert_int_equal(trn_store_snapshot(world.store, centre, &voxels), TRN_RESULT_OK);
        trn_light_open_columns(voxels, world.types, open[1]);
        const bool columns_changed = memcmp(open[0], open[1], sizeof open[0]) != 0;
        assert_int_equal(world_solve(&world) & ~world.light & ~below(columns_changed), 0);
        narrow += world.light != TRN_AROUND_ALL;
    }
    assert_true(narrow > 0);
    assert_true(world.events > 0);
    world_destroy(&world);
}

static void whole_chunks_and_no_listener(void **state)
{
    (void)state;
    static World world;
    world_create(&world);
    const TrnCoord centre = {0, 0, 0};
    TrnChunk *chunk;
    assert_int_equal(trn_store_insert_uniform(world.store, centre, world.stone, &chunk),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_fill(world.store, chunk, world.marble), TRN_RESULT_OK);
    assert_int_equal(world.light, 0);
    assert_int_equal(trn_store_fill(world.store, chunk, 0), TRN_RESULT_OK);
    assert_int_equal(world.light, TRN_AROUND_ALL);
    assert_int_equal(trn_store_fill(world.store, chunk, world.lamp), TRN_RESULT_OK);
    assert_int_equal(world.light, TRN_AROUND_ALL);
    trn_store_set_light_reach(world.store, NULL);
    assert_int_equal(trn_store_fill(world.store, chunk, 0), TRN_RESULT_OK);
    assert_int_equal(world.light, 0);
    assert_int_equal(world.events, 4);
    world_destroy(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_voxels_reach_exactly_what_is_near),
        cmocka_unit_test(batches_reach_all_chunks_that_change),
        cmocka_unit_test(whole_chunks_and_no_listener),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
