// The same edits and the same arrivals of chunks give the same world, step by step: in whatever
// order the chunks of a step come, with whatever workers, and from a saved state.

#include <terrane/stream.h>

#include "fluid_world.h"

#define BOX_MIN ((TrnCoord){-2, -1, -2})
#define BOX_MAX ((TrnCoord){2, 1, 2})
#define CHUNKS (5 * 3 * 5)
#define STEPS 60
#define BUDGET 3000 // that most steps exceed

// ---- land --------------------------------------------------------------------------------------

/// Hills with pits, ledges of water and lava in mid-air, as a function of the voxel alone.
static TrnBlock land_at(int64_t x, int64_t y, int64_t z)
{
    TestRandom random = {(uint64_t)(x >> 2) * 31 + (uint64_t)(z >> 2) * 1009};
    const int64_t height = (int64_t)(test_random_next(&random) % 12);
    const uint64_t spring = test_random_next(&random) % 24;
    if (y < height) {
        return WORLD_STONE;
    }
    if (y == height + 20 && spring < 2) {
        return spring == 0 ? WORLD_WATER : WORLD_LAVA;
    }
    return WORLD_AIR;
}

static TrnResult land_generate(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                               bool *uniform)
{
    const TrnVoxel base = trn_coord_voxel(coord);
    (void)user, (void)level;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = land_at(base.x + i % 32, base.y + i / 1024, base.z + i / 32 % 32);
    }
    *uniform = false;
    return TRN_RESULT_OK;
}

static void insert(FluidWorld *world, TrnCoord coord)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    bool uniform;
    (void)land_generate(NULL, coord, 0, blocks, &uniform);
    assert_int_equal(trn_store_insert_voxels(world->store, coord, blocks, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_fluid_wake(world->fluid, coord), TRN_RESULT_OK); // its springs
}

static TrnCoord coord_of(uint32_t i)
{
    return (TrnCoord){(int32_t)(i % 5) - 2, (int32_t)(i / 25) - 1, (int32_t)(i / 5 % 5) - 2};
}

static uint64_t hash_of(const FluidWorld *world)
{
    return world_hash(world, (TrnBox){BOX_MIN, BOX_MAX});
}

static void open_world(FluidWorld *world)
{
    *world = (FluidWorld){0};
    world_liquids(world);
    world->def.budget_voxels = BUDGET;
    world_open(world, NULL);
}

// ---- arrivals ----------------------------------------------------------------------------------

/// Inserts the chunks of a step in an order of its own, and edits some of what is loaded.
static void arrive(FluidWorld *world, uint32_t step, TestRandom *order)
{
    uint32_t now[CHUNKS], count = 0;
    for (uint32_t i = 0; i < CHUNKS; i++) {
        if ((i * 7 + 3) % 20 * 2 == step) {
            now[count++] = i;
        }
    }
    for (; count > 0; count--) {
        const uint32_t k = (uint32_t)test_random_range(order, 0, count - 1);
        insert(world, coord_of(now[k]));
        now[k] = now[count - 1];
    }
}

static void edit(FluidWorld *world, uint32_t step)
{
    TestRandom random = {step / 3};
    const int64_t x = test_random_range(&random, -50, 80), z = test_random_range(&random, -50, 80);
    const int64_t y = test_random_range(&random, -10, 30);
    TrnBatchDef def = trn_batch_def();
    def.unloaded = TRN_UNLOADED_SKIP;
    TrnBatch *batch;
    if (step % 3 == 0) {
        assert_int_equal(trn_batch_begin(world->store, &def, &batch), TRN_RESULT_OK);
        (void)trn_batch_fill_sphere(batch, (TrnVoxel){x, y, z}, 5,
                                    step % 2 ? WORLD_AIR : WORLD_WATER);
        assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    }
}

static void run_arrivals(uint64_t order_seed, uint64_t hashes[STEPS])
{
    FluidWorld world;
    open_world(&world);
    TestRandom order = {order_seed};
    for (uint32_t step = 0; step < STEPS; step++) {
        arrive(&world, step, &order);
        edit(&world, step);
        assert_true(world_step(&world).looked_voxels <= BUDGET);
        hashes[step] = hash_of(&world) + trn_fluid_stats(world.fluid).due_voxels;
    }
    assert_true(trn_fluid_stats(world.fluid).changed_voxels > 3000);
    world_close(&world);
}

static void the_order_of_arrivals_in_a_step_does_not_matter(void **state)
{
    (void)state;
    uint64_t expected[STEPS], hashes[STEPS];
    run_arrivals(1, expected);
    for (uint64_t seed = 2; seed < 2 + test_rounds(4, 2); seed++) {
        run_arrivals(seed, hashes);
        for (uint32_t step = 0; step < STEPS; step++) {
            assert_true(hashes[step] == expected[step]);
        }
    }
}

// ---- saved states ------------------------------------------------------------------------------

static void a_world_goes_on_from_its_saved_state(void **state)
{
    (void)state;
    FluidWorld world;
    TestRandom order = {1};
    uint64_t expected[STEPS];
    run_arrivals(7, expected);
    for (uint32_t cut = 5; cut < 50; cut += test_rounds(11, 22)) {
        open_world(&world);
        for (uint32_t step = 0; step < STEPS; step++) {
            if (step == cut) { // leave, and come back
                static unsigned char bytes[1 << 20];
                const size_t size = trn_fluid_save(world.fluid, bytes, sizeof bytes);
                assert_true(size <= sizeof bytes);
                trn_fluid_destroy(world.fluid);
                assert_int_equal(trn_fluid_create(world.store, &world.def, &world.fluid),
                                 TRN_RESULT_OK);
                assert_int_equal(trn_fluid_load(world.fluid, bytes, size), TRN_RESULT_OK);
                assert_int_equal(trn_fluid_stats(world.fluid).steps, cut);
            }
            arrive(&world, step, &order);
            edit(&world, step);
            (void)world_step(&world);
            assert_true(hash_of(&world) + trn_fluid_stats(world.fluid).due_voxels ==
                        expected[step]);
        }
        world_close(&world);
    }
}

// ---- workers -----------------------------------------------------------------------------------

/// Updates until everything that the anchor wants is loaded, so that the chunks that came before a
/// step do not depend on time.
static void settle(TrnStream *stream)
{
    TrnStreamReport report = {0};
    for (uint32_t i = 0; !report.is_idle; i++) {
        assert_true(i < 100000);
        assert_int_equal(trn_stream_update(stream, NULL, &report), TRN_RESULT_OK);
        trn_stream_wait(stream);
    }
}

static TrnResult wake_arrivals(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    (void)store;
    for (uint32_t i = 0; i < event->count; i++) {
        assert_int_equal(trn_fluid_wake(user, event->chunks[i].coord), TRN_RESULT_OK);
    }
    return TRN_RESULT_OK;
}

static void run_stream(uint32_t workers, uint64_t hashes[STEPS])
{
    FluidWorld world;
    open_world(&world);
    TrnStreamDef def = trn_stream_def();
    def.store = world.store;
    def.generator = (TrnGenerator){.generate = land_generate};
    def.workers = workers;
    TrnStream *stream;
    assert_int_equal(trn_stream_create(&def, &stream), TRN_RESULT_OK);
    assert_int_equal(trn_store_subscribe(world.store, TRN_EVENT_BIT(TRN_EVENT_INSERTED),
                                         wake_arrivals, world.fluid),
                     TRN_RESULT_OK);
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.radius_chunks = 2;
    anchor.height_chunks = 1;
    TrnStreamAnchorId id;
    assert_int_equal(trn_stream_anchor_add(stream, &anchor, &id), TRN_RESULT_OK);
    for (uint32_t step = 0; step < STEPS; step++) {
        if (step == 20) { // most chunks come with the first step, more with this one
            anchor.position.chunk.x++;
            assert_int_equal(trn_stream_anchor_set(stream, id, &anchor), TRN_RESULT_OK);
        }
        settle(stream);
        edit(&world, step);
        (void)world_step(&world);
        hashes[step] = hash_of(&world) + trn_fluid_stats(world.fluid).due_voxels;
    }
    assert_true(trn_fluid_stats(world.fluid).changed_voxels > 3000);
    trn_stream_destroy(stream);
    world_close(&world);
}

static void the_number_of_workers_does_not_matter(void **state)
{
    (void)state;
    test_needs_threads();
    static const uint32_t workers[] = {1, 2, 3, 8};
    uint64_t expected[STEPS], hashes[STEPS];
    run_stream(0, expected);
    for (uint32_t i = test_rounds(0, 2); i < 4; i++) {
        run_stream(workers[i], hashes);
        for (uint32_t step = 0; step < STEPS; step++) {
            assert_true(hashes[step] == expected[step]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_arrivals_in_a_step_does_not_matter),
        cmocka_unit_test(a_world_goes_on_from_its_saved_state),
        cmocka_unit_test(the_number_of_workers_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
