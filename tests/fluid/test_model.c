// Fluids in random worlds, with random edits and chunks that come and go, compared voxel by voxel
// with a simple model after each step.

#include "fluid_model.h"

typedef struct Pair {
    FluidWorld world;
    FluidModel *model;
    TestRandom *random;
    uint64_t changed;
} Pair;

// ---- random worlds -----------------------------------------------------------------------------

static int pick(Pair *pair, int low, int high)
{
    return (int)test_random_range(pair->random, low, high);
}

static TrnBlock random_block(Pair *pair)
{
    static const TrnBlock blocks[] = {WORLD_AIR,   WORLD_AIR,       WORLD_AIR,     WORLD_STONE,
                                      WORLD_STONE, WORLD_GRASS,     WORLD_WATER,   WORLD_WATER,
                                      WORLD_LAVA,  WORLD_WATER + 3, WORLD_LAVA + 8};
    return blocks[pick(pair, 0, (int)(sizeof blocks / sizeof *blocks) - 1)];
}

/// Fills a box of the model's array.
static void carve(Pair *pair, const int min[3], const int max[3], TrnBlock block)
{
    for (int y = min[1]; y <= max[1]; y++) {
        for (int z = min[2]; z <= max[2]; z++) {
            for (int x = min[0]; x <= max[0]; x++) {
                if (model_has(x, y, z)) {
                    pair->model->blocks[model_index(x, y, z)] = block;
                }
            }
        }
    }
}

static void random_box(Pair *pair, int size, int min[3], int max[3])
{
    const int ends[3] = {MODEL_X * 32 - 1, MODEL_Y * 32 - 1, MODEL_Z * 32 - 1};
    for (int axis = 0; axis < 3; axis++) {
        min[axis] = pick(pair, 0, ends[axis]);
        max[axis] = min[axis] + pick(pair, 0, size);
        max[axis] = max[axis] < ends[axis] ? max[axis] : ends[axis];
    }
}

/// Stone with caves and shafts, some of them with liquids that nothing has woken.
static void random_land(Pair *pair)
{
    const int all_min[3] = {0, 0, 0}, all_max[3] = {255, pick(pair, 20, 50), 255};
    carve(pair, all_min, all_max, WORLD_STONE);
    for (int i = 0; i < 120; i++) {
        int min[3], max[3];
        random_box(pair, pick(pair, 1, 14), min, max);
        max[1] = i % 3 ? max[1] : min[1] + 20;
        carve(pair, min, max, random_block(pair));
    }
}

static void insert(Pair *pair, uint32_t chunk)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    model_copy_chunk(pair->model, chunk, blocks);
    pair->model->loaded[chunk] = true;
    model_arrives(pair->model, chunk);
    assert_int_equal(
        trn_store_insert_voxels(pair->world.store, model_coord(pair->model, chunk), blocks, NULL),
        TRN_RESULT_OK);
}

static void pair_start(Pair *pair, TestRandom *random, TrnCoord origin)
{
    *pair = (Pair){.random = random, .model = calloc(1, sizeof *pair->model)};
    assert_non_null(pair->model);
    FluidWorld *world = &pair->world;
    world_liquids(world);
    world->def.budget_voxels = UINT32_MAX;
    for (int i = 0; i < 2; i++) {
        TrnFluidLiquid *liquid = &world->liquids[i];
        liquid->delay = (uint8_t)pick(pair, 1, 4);
        liquid->decay = (uint8_t)pick(pair, 1, 3);
        liquid->drop_voxels = (uint8_t)pick(pair, 0, TRN_FLUID_DROP_MAX);
        liquid->renews = pick(pair, 0, 1);
        liquid->has_sea = pick(pair, 0, 2) == 0;
        liquid->sea_y = (int64_t)origin.y * 32 + 24;
        pair->model->liquids[i] = *liquid;
    }
    pair->model->reaction = world->reactions[0];
    pair->model->origin = origin;
    world_open(world, NULL);
    random_land(pair);
    for (uint32_t chunk = 0; chunk < MODEL_CHUNKS; chunk++) {
        if (pick(pair, 0, 7) > 0) {
            insert(pair, chunk);
        }
    }
}

static void pair_end(Pair *pair)
{
    world_close(&pair->world);
    free(pair->model);
}

// ---- random edits ------------------------------------------------------------------------------

static void edit_box(Pair *pair, const int min[3], const int max[3], TrnBlock block)
{
    FluidModel *model = pair->model;
    TrnBatchDef def = trn_batch_def();
    def.unloaded = TRN_UNLOADED_SKIP;
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(pair->world.store, &def, &batch), TRN_RESULT_OK);
    (void)trn_batch_fill_box(batch, model_voxel(model, min[0], min[1], min[2]),
                             model_voxel(model, max[0], max[1], max[2]), block);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    for (int y = min[1]; y <= max[1]; y++) {
        for (int z = min[2]; z <= max[2]; z++) {
            for (int x = min[0]; x <= max[0]; x++) {
                if (model->loaded[model_chunk_index(x, y, z)]) {
                    model_write(model, model_index(x, y, z), block);
                }
            }
        }
    }
}

static void random_edit(Pair *pair)
{
    int min[3], max[3];
    random_box(pair, pick(pair, 0, 3) ? 3 : 12, min, max);
    edit_box(pair, min, max, random_block(pair));
}

static void random_load(Pair *pair)
{
    const uint32_t chunk = (uint32_t)pick(pair, 0, MODEL_CHUNKS - 1);
    if (!pair->model->loaded[chunk]) {
        insert(pair, chunk);
    } else if (pick(pair, 0, 2) == 0) {
        pair->model->loaded[chunk] = false;
        assert_int_equal(trn_store_remove(pair->world.store, model_coord(pair->model, chunk)),
                         TRN_RESULT_OK);
    }
}

// ---- compare -----------------------------------------------------------------------------------

static void check_chunk(const Pair *pair, uint32_t chunk)
{
    static TrnBlock expected[TRN_CHUNK_VOXELS], blocks[TRN_CHUNK_VOXELS];
    TrnSnapshot snapshot;
    const TrnCoord coord = model_coord(pair->model, chunk);
    const TrnResult result = trn_store_snapshot(pair->world.store, coord, &snapshot);
    assert_int_equal(result, pair->model->loaded[chunk] ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND);
    if (result != TRN_RESULT_OK) {
        return;
    }
    model_copy_chunk(pair->model, chunk, expected);
    trn_snapshot_decode(snapshot, blocks);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        if (blocks[i] != expected[i]) {
            fail_msg("step %llu, chunk %u, voxel %u %u %u: %d instead of %d",
                     (unsigned long long)pair->model->step, (unsigned)chunk, i % 32, i / 1024,
                     i / 32 % 32, blocks[i], expected[i]);
        }
    }
}

static void step_both(Pair *pair)
{
    const TrnFluidOutcome outcome = world_step(&pair->world);
    model_step(pair->model);
    pair->changed += outcome.changed_voxels;
    for (uint32_t chunk = 0; chunk < MODEL_CHUNKS; chunk++) {
        check_chunk(pair, chunk);
    }
}

static void check_worlds_from(TrnCoord origin, uint64_t seed)
{
    TestRandom random = test_random_seeded(seed);
    uint64_t changed = 0;
    for (uint32_t round = test_rounds(10, 2); round > 0; round--) {
        Pair pair;
        pair_start(&pair, &random, origin);
        for (int i = 0; i < 60; i++) {
            for (int edits = pick(&pair, -6, 3); edits > 0; edits--) {
                random_edit(&pair);
            }
            if (pick(&pair, 0, 4) == 0) {
                random_load(&pair);
            }
            step_both(&pair);
        }
        changed += pair.changed;
        pair_end(&pair);
    }
    assert_true(changed > 5000);
}

static void liquids_agree_with_the_model(void **state)
{
    (void)state;
    check_worlds_from((TrnCoord){-1, 0, -1}, 28);
}

static void liquids_agree_at_the_ends_of_the_world(void **state)
{
    (void)state;
    check_worlds_from((TrnCoord){INT32_MAX - MODEL_X + 1, INT32_MIN, INT32_MIN}, 29);
    check_worlds_from((TrnCoord){INT32_MIN, INT32_MAX - MODEL_Y + 1, INT32_MAX - MODEL_Z + 1}, 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(liquids_agree_with_the_model),
        cmocka_unit_test(liquids_agree_at_the_ends_of_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
