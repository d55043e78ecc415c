// Random ticks: which voxels they offer, and grass and wheat that grow by them.

#include <terrane/ticks.h>

#include "testing.h"

enum { AIR, STONE, DIRT, GRASS, WHEAT_0, WHEAT_1, WHEAT_2 };

typedef struct Farm {
    TrnBlockTypes *types;
    TrnStore *store;
    TrnTicks *ticks;
    TrnTicksDef def;
    uint64_t hash; ///< of all voxels that were offered, in their order
    uint32_t offered;
    TrnResult answer;
} Farm;

static TrnResult note(void *user, TrnBatch *batch, const TrnTick *tick)
{
    Farm *farm = user;
    TrnBlock block;
    assert_int_equal(trn_batch_get(batch, tick->voxel, &block), TRN_RESULT_OK);
    assert_int_equal(block, tick->block);
    assert_true(trn_block_types_get(farm->types, block)->ticks);
    farm->hash = (farm->hash ^ (uint64_t)tick->voxel.x * 3 ^ (uint64_t)tick->voxel.y * 5 ^
                  (uint64_t)tick->voxel.z * 7 ^ tick->random) *
                 0x9E3779B97F4A7C15u;
    farm->offered++;
    return farm->answer;
}

/// Grass spreads to dirt beside it, one voxel up or down too; wheat ripens.
static TrnResult grow(void *user, TrnBatch *batch, const TrnTick *tick)
{
    const TrnVoxel at = tick->voxel;
    (void)user;
    if (tick->block == WHEAT_0 || tick->block == WHEAT_1) {
        return trn_batch_set(batch, at, (TrnBlock)(tick->block + 1));
    }
    const TrnVoxel to = {at.x + (int64_t)(tick->random % 3) - 1,
                         at.y + (int64_t)((tick->random >> 8) % 3) - 1,
                         at.z + (int64_t)((tick->random >> 16) % 3) - 1};
    TrnBlock soil = AIR, above = STONE;
    (void)trn_batch_get(batch, to, &soil); // not loaded: nothing grows there
    (void)trn_batch_get(batch, (TrnVoxel){to.x, to.y + 1, to.z}, &above);
    return soil == DIRT && above == AIR ? trn_batch_set(batch, to, GRASS) : TRN_RESULT_OK;
}

static void add_type(Farm *farm, const char *name, TrnBlockKind kind, bool ticks)
{
    TrnBlockType type = trn_block_type_def(name, kind);
    type.ticks = ticks;
    assert_int_equal(trn_block_types_add(farm->types, &type, NULL), TRN_RESULT_OK);
}

static void farm_open(Farm *farm, TrnTickFn tick, const TrnAllocator *allocator)
{
    *farm = (Farm){0};
    assert_int_equal(trn_block_types_create(NULL, &farm->types), TRN_RESULT_OK);
    add_type(farm, "test:stone", TRN_BLOCK_KIND_OPAQUE, false);
    add_type(farm, "test:dirt", TRN_BLOCK_KIND_OPAQUE, false);
    add_type(farm, "test:grass", TRN_BLOCK_KIND_OPAQUE, true);
    add_type(farm, "test:wheat0", TRN_BLOCK_KIND_PLANT, true);
    add_type(farm, "test:wheat1", TRN_BLOCK_KIND_PLANT, true);
    add_type(farm, "test:wheat2", TRN_BLOCK_KIND_PLANT, false);
    TrnStoreDef def = trn_store_def();
    def.types = farm->types;
    def.allocator = allocator;
    assert_int_equal(trn_store_create(&def, &farm->store), TRN_RESULT_OK);
    farm->def = trn_ticks_def();
    farm->def.tick = tick;
    farm->def.user = farm;
    farm->def.seed = 7;
    farm->def.per_chunk = 8;
    farm->def.radius_chunks = 2;
    farm->def.height_chunks = 1;
    assert_int_equal(trn_ticks_create(farm->store, &farm->def, &farm->ticks), TRN_RESULT_OK);
}

static void farm_close(Farm *farm)
{
    trn_ticks_destroy(farm->ticks);
    trn_store_destroy(farm->store);
    trn_block_types_destroy(farm->types);
}

/// Dirt with a floor of grass on top, and some wheat.
static void insert_field(Farm *farm, int32_t x, int32_t y, int32_t z)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const uint32_t height = i / 1024;
        blocks[i] = height < 15    ? DIRT
                    : height == 15 ? GRASS
                    : height == 16 ? (i % 3 ? WHEAT_0 : AIR)
                                   : AIR;
    }
    const TrnCoord coord = {x, y, z};
    assert_int_equal(trn_store_insert_voxels(farm->store, coord, blocks, NULL), TRN_RESULT_OK);
}

static void insert_uniform(Farm *farm, int32_t x, int32_t y, int32_t z, TrnBlock block)
{
    const TrnCoord coord = {x, y, z};
    assert_int_equal(trn_store_insert_uniform(farm->store, coord, block, NULL), TRN_RESULT_OK);
}

// ---- which voxels ------------------------------------------------------------------------------

static void only_types_that_ask_are_offered_near_anchors(void **state)
{
    (void)state;
    Farm farm;
    farm_open(&farm, note, NULL);
    insert_uniform(&farm, 0, 0, 0, GRASS);
    insert_uniform(&farm, 1, 0, 0, DIRT);
    insert_uniform(&farm, 2, 1, 2, GRASS);
    insert_uniform(&farm, 3, 0, 0, GRASS); // too far
    insert_uniform(&farm, 0, 2, 0, GRASS);
    insert_field(&farm, -1, 0, 0);
    const TrnCoord anchors[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
    TrnTicksOutcome outcome;
    assert_int_equal(trn_ticks_step(farm.ticks, 1, anchors, 1, &outcome), TRN_RESULT_OK);
    assert_int_equal(outcome.chunks, 4);
    assert_int_equal(outcome.ticked_chunks, 3);
    assert_in_range(outcome.offered, 16, 24); // all 8 of each full chunk
    assert_int_equal(outcome.offered, farm.offered);
    assert_int_equal(outcome.batch.changed_chunks, 0);
    assert_int_equal(trn_ticks_step(farm.ticks, 2, anchors, 3, &outcome), TRN_RESULT_OK);
    assert_int_equal(outcome.chunks, 5); // the second anchor adds one, each counts once
    assert_int_equal(outcome.ticked_chunks, 4);
    assert_int_equal(trn_ticks_step(farm.ticks, 3, NULL, 0, &outcome), TRN_RESULT_OK);
    assert_int_equal(outcome.chunks, 0);
    farm_close(&farm);
}

static uint64_t run(uint64_t order_seed, uint64_t seed, TrnTickFn tick)
{
    Farm farm;
    farm_open(&farm, tick, NULL);
    trn_ticks_destroy(farm.ticks);
    farm.def.seed = seed;
    assert_int_equal(trn_ticks_create(farm.store, &farm.def, &farm.ticks), TRN_RESULT_OK);
    TestRandom order = {order_seed};
    int32_t xs[4] = {-1, 0, 1, 2};
    for (int left = 4; left > 0; left--) {
        const int k = (int)test_random_range(&order, 0, left - 1);
        insert_field(&farm, xs[k], 0, 0);
        insert_field(&farm, xs[k], 0, 70); // by another anchor
        xs[k] = xs[left - 1];
    }
    TrnCoord anchors[] = {{0, 0, 0}, {0, 0, 70}};
    if (order_seed % 2) {
        anchors[0].z = 70;
        anchors[1].z = 0;
    }
    uint64_t hash = 1;
    for (uint64_t step = 0; step < 50; step++) {
        assert_int_equal(trn_ticks_step(farm.ticks, step, anchors, 2, NULL), TRN_RESULT_OK);
    }
    for (int32_t x = -1; x <= 2; x++) {
        TrnSnapshot snapshot;
        const TrnCoord coord = {x, 0, 0};
        assert_int_equal(trn_store_snapshot(farm.store, coord, &snapshot), TRN_RESULT_OK);
        hash = hash * 31 + trn_snapshot_hash(snapshot);
    }
    hash ^= farm.hash;
    farm_close(&farm);
    return hash;
}

static void order_does_not_matter_and_seeds_do(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        const TrnTickFn tick = i ? grow : note;
        const uint64_t expected = run(1, 7, tick);
        for (uint64_t order = 2; order < 8; order++) {
            assert_true(run(order, 7, tick) == expected);
        }
        assert_true(run(1, 8, tick) != expected);
    }
}

static uint32_t seen[TRN_CHUNK_VOXELS];

static TrnResult count_voxel(void *user, TrnBatch *batch, const TrnTick *tick)
{
    (void)user, (void)batch;
    seen[trn_voxel_local_index(tick->voxel)]++;
    return TRN_RESULT_OK;
}

static void voxels_are_drawn_evenly(void **state)
{
    (void)state;
    Farm farm;
    farm_open(&farm, count_voxel, NULL);
    insert_uniform(&farm, 0, 0, 0, GRASS);
    const TrnCoord anchor = {0, 0, 0};
    memset(seen, 0, sizeof seen);
    for (uint64_t step = 0; step < 4 * TRN_CHUNK_VOXELS / 8; step++) { // 4 a voxel on average
        assert_int_equal(trn_ticks_step(farm.ticks, step, &anchor, 1, NULL), TRN_RESULT_OK);
    }
    uint32_t never = 0, most = 0;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        never += seen[i] == 0;
        most = seen[i] > most ? seen[i] : most;
    }
    assert_in_range(never, 500, 700); // e^-4 of all: 600
    assert_in_range(most, 11, 20);
    farm_close(&farm);
}

// ---- growth ------------------------------------------------------------------------------------

static void grass_spreads_and_wheat_grows(void **state)
{
    (void)state;
    Farm farm;
    farm_open(&farm, grow, NULL);
    trn_ticks_destroy(farm.ticks);
    farm.def.per_chunk = TRN_TICKS_PER_CHUNK_MAX;
    assert_int_equal(trn_ticks_create(farm.store, &farm.def, &farm.ticks), TRN_RESULT_OK);
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = i / 1024 < 4 ? DIRT : AIR;
    }
    blocks[trn_local_index(16, 3, 16)] = GRASS;
    blocks[trn_local_index(5, 4, 5)] = WHEAT_0;
    const TrnCoord coord = {0, 0, 0};
    assert_int_equal(trn_store_insert_voxels(farm.store, coord, blocks, NULL), TRN_RESULT_OK);
    for (uint64_t step = 0; step < 80000; step++) {
        assert_int_equal(trn_ticks_step(farm.ticks, step, &coord, 1, NULL), TRN_RESULT_OK);
    }
    const TrnSnapshot now = trn_voxels_snapshot(&trn_store_find(farm.store, coord)->voxels);
    assert_in_range(trn_snapshot_count(now, GRASS), 900, 1023); // all but that under the wheat
    assert_int_equal(trn_snapshot_get(now, trn_local_index(5, 4, 5)), WHEAT_2);
    assert_int_equal(trn_snapshot_get(now, trn_local_index(5, 3, 5)), DIRT);
    assert_int_equal(trn_snapshot_get(now, trn_local_index(9, 2, 9)), DIRT);
    farm_close(&farm);
}

// ---- limits ------------------------------------------------------------------------------------

static void bad_settings_are_refused(void **state)
{
    (void)state;
    Farm farm;
    farm_open(&farm, note, NULL);
    for (uint32_t wrong = 0; wrong <= 5; wrong++) {
        TrnTicksDef def = farm.def;
        TrnTicks *ticks = NULL;
        def.tick = wrong != 1 ? note : NULL;
        def.per_chunk = wrong == 2 ? 0 : wrong == 3 ? 65 : 64;
        def.radius_chunks = wrong != 4 ? 64 : 65;
        def.height_chunks = wrong != 5 ? 64 : 65;
        assert_int_equal(trn_ticks_create(farm.store, &def, &ticks),
                         wrong ? TRN_RESULT_BAD_ARGUMENT : TRN_RESULT_OK);
        trn_ticks_destroy(ticks);
    }
    assert_int_equal(trn_ticks_step(farm.ticks, 0, NULL, 1, NULL), TRN_RESULT_BAD_ARGUMENT);
    const TrnCoord corner = {INT32_MAX, INT32_MIN, INT32_MAX}; // an end of the world
    insert_uniform(&farm, INT32_MAX, INT32_MIN, INT32_MAX, GRASS);
    TrnTicksOutcome outcome;
    assert_int_equal(trn_ticks_step(farm.ticks, 0, &corner, 1, &outcome), TRN_RESULT_OK);
    assert_int_equal(outcome.offered, 8);
    farm_close(&farm);
}

static TrnResult set_and_answer(void *user, TrnBatch *batch, const TrnTick *tick)
{
    const Farm *farm = user;
    const TrnResult result = trn_batch_set(batch, tick->voxel, STONE);
    return result == TRN_RESULT_OK ? farm->answer : result;
}

static void a_step_that_fails_changes_nothing(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    uint32_t failures = 0;
    for (size_t number = 1; number <= 12; number++) {
        Farm farm;
        farm_open(&farm, set_and_answer, &allocator);
        insert_uniform(&farm, 0, 0, 0, GRASS);
        const TrnCoord anchor = {0, 0, 0};
        const uint64_t revision = trn_store_revision(farm.store);
        TrnTicksOutcome outcome = {.offered = 77};
        farm.answer = TRN_RESULT_IO;
        assert_int_equal(trn_ticks_step(farm.ticks, 1, &anchor, 1, &outcome), TRN_RESULT_IO);
        assert_int_equal(outcome.offered, 77);
        assert_true(trn_store_revision(farm.store) == revision);
        farm.answer = TRN_RESULT_OK;
        test_fail(&memory, number, 0);
        const TrnResult result = trn_ticks_step(farm.ticks, 1, &anchor, 1, &outcome);
        test_fail(&memory, 0, 0);
        if (result != TRN_RESULT_OK) {
            assert_int_equal(result, TRN_RESULT_NO_MEMORY);
            assert_true(trn_store_revision(farm.store) == revision);
            assert_int_equal(trn_ticks_step(farm.ticks, 1, &anchor, 1, &outcome), TRN_RESULT_OK);
            failures++;
        }
        assert_int_equal(outcome.offered, 8);
        assert_int_equal(trn_store_revision(farm.store), revision + 1);
        farm_close(&farm);
    }
    assert_true(failures > 0);
    assert_int_equal(memory.live_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_types_that_ask_are_offered_near_anchors),
        cmocka_unit_test(order_does_not_matter_and_seeds_do),
        cmocka_unit_test(voxels_are_drawn_evenly),
        cmocka_unit_test(grass_spreads_and_wheat_grows),
        cmocka_unit_test(bad_settings_are_refused),
        cmocka_unit_test(a_step_that_fails_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
