// What a program calls first: a generator of a function, the number of workers before there is a
// stream, updates until it is idle, and what a mesh hook gives to the mesher.

#include "testing.h"

#include <stdatomic.h>

#include <terrane/mesher.h>
#include <terrane/stream.h>

/// A small world whose chunks may fail.
typedef struct Small {
    TestAllocator memory; // of the stream, and of the store if there are no workers
    TrnStore *store;
    TrnStream *stream;
    _Atomic(uint32_t) meshed, worker_max;
    uint32_t quads;
    TrnResult mesh_result;
    uint64_t scratch[9][TRN_MESH_SCRATCH_BYTES / 8 + 8];
} Small;

static TrnResult generate_floor(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                bool *uniform)
{
    (void)level;
    blocks[0] = coord.y < 0 ? *(const TrnBlock *)user : TRN_BLOCK_AIR;
    *uniform = true;
    return TRN_RESULT_OK;
}

static TrnResult count_quads(void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                             TrnStreamMesh *mesh)
{
    Small *small = user;
    (void)mesh;
    atomic_fetch_add(&small->meshed, 1);
    uint32_t highest = atomic_load(&small->worker_max);
    while (highest < job->worker &&
           !atomic_compare_exchange_weak(&small->worker_max, &highest, job->worker)) {
    }
    if (small->mesh_result != TRN_RESULT_OK) {
        return small->mesh_result;
    }
    const TrnMeshInput in = trn_mesh_input_of(input, trn_store_block_types(small->store));
    assert_ptr_equal(in.sky, input->sky);
    assert_ptr_equal(in.blocks, input->blocks);
    assert_non_null(in.sky);
    assert_int_equal(in.present, input->present);
    assert_true(in.missing_is_solid);
    const uintptr_t scratch = ((uintptr_t)small->scratch[job->worker] + 63) & ~(uintptr_t)63;
    TrnMeshInfo info;
    TrnQuad quads[8];
    uint32_t light[8];
    const TrnResult result = trn_mesh_quads(&in, (void *)scratch, quads, light, 8, &info);
    if (result == TRN_RESULT_OK && trn_coord_equal(job->coord, (TrnCoord){0, -1, 0})) {
        small->quads = trn_mesh_count(&info);
    }
    return result;
}

static const TrnBlock floor_block = TRN_BLOCK_STONE;

static void small_create(Small *small, uint32_t workers, uint32_t radius)
{
    memset(small, 0, sizeof *small);
    const TrnAllocator allocator = test_allocator(&small->memory);
    TrnStoreDef store_def = trn_store_def();
    store_def.allocator = workers == 0 ? &allocator : NULL;
    assert_int_equal(trn_store_create(&store_def, &small->store), TRN_RESULT_OK);
    TrnStreamDef def = trn_stream_def();
    def.allocator = &allocator;
    def.store = small->store;
    def.generator = trn_generator_def(generate_floor, (void *)(uintptr_t)&floor_block);
    def.hooks.mesh = count_quads;
    def.hooks.user = small;
    def.workers = workers;
    def.light = true;
    assert_int_equal(trn_stream_create(&def, &small->stream), TRN_RESULT_OK);
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.radius_chunks = radius;
    anchor.height_chunks = 1;
    TrnStreamAnchorId id;
    assert_int_equal(trn_stream_anchor_add(small->stream, &anchor, &id), TRN_RESULT_OK);
}

static void small_destroy(Small *small)
{
    trn_stream_destroy(small->stream);
    trn_store_destroy(small->store);
}

static void a_settled_stream_shows_its_view(void **state)
{
    (void)state;
    static Small small;
    for (uint32_t workers = 0; workers <= 4; workers += 2) {
        small_create(&small, workers, 4);
        assert_int_equal(trn_stream_settle(small.stream, 1000), TRN_RESULT_OK);
        const TrnStreamStats stats = trn_stream_stats(small.stream);
        assert_true(stats.shown > 50 && stats.queued == 0 && stats.under_way == 0);
        assert_true(atomic_load(&small.worker_max) <= workers);
        assert_int_equal(small.quads, 1); // the top of the floor: its borders are hidden
        const uint64_t updates = stats.updates;
        assert_int_equal(trn_stream_settle(small.stream, 1000), TRN_RESULT_OK);
        assert_int_equal(trn_stream_stats(small.stream).updates, updates + 1);
        small_destroy(&small);
    }
}

static void a_stream_that_cannot_settle_says_so(void **state)
{
    (void)state;
    static Small small;
    small_create(&small, 1, 8);
    assert_int_equal(trn_stream_settle(small.stream, 0), TRN_RESULT_BUSY);
    assert_int_equal(trn_stream_settle(small.stream, 1), TRN_RESULT_BUSY);
    assert_int_equal(trn_stream_settle(NULL, 1), TRN_RESULT_BAD_ARGUMENT);
    small.mesh_result = TRN_RESULT_CORRUPT; // fails for as long as it lasts
    const TrnResult result = trn_stream_settle(small.stream, 50);
    assert_true(result == TRN_RESULT_CORRUPT || result == TRN_RESULT_BUSY);
    assert_int_equal(trn_stream_stats(small.stream).updates, 51);
    small.mesh_result = TRN_RESULT_OK;
    assert_int_equal(trn_stream_settle(small.stream, 5000), TRN_RESULT_OK);
    small_destroy(&small);
}

static void first_calls_allocate_no_more_than_their_long_forms(void **state)
{
    (void)state;
    static Small small;
    small_create(&small, 0, 4);
    test_fail(&small.memory, 0, 0);
    assert_int_equal(trn_stream_settle(small.stream, 1000), TRN_RESULT_OK);
    const size_t settled = small.memory.allocations;
    test_fail(&small.memory, 0, 0);
    const TrnMeshInput input = trn_mesh_input(small.store, (TrnCoord){0, -1, 0});
    assert_int_equal(input.present, (1u << TRN_AROUND_COUNT) - 1);
    assert_int_equal(small.memory.allocations, 0);
    small_destroy(&small);

    const TrnStreamBudget no_limit = {0};
    TrnStreamReport report = {0};
    small_create(&small, 0, 4);
    test_fail(&small.memory, 0, 0);
    while (!report.is_idle) {
        assert_int_equal(trn_stream_update(small.stream, &no_limit, &report), TRN_RESULT_OK);
    }
    assert_true(settled <= small.memory.allocations);
    small_destroy(&small);
    assert_int_equal(small.memory.live_blocks, 0);
}

static bool start_nothing(void *user, void (*work)(void *), void *context)
{
    (void)user;
    (void)work;
    (void)context;
    return false;
}

static void workers_are_known_before_there_is_a_stream(void **state)
{
    (void)state;
    static Small small;
    TrnStreamDef def = trn_stream_def();
    const uint32_t usual = trn_stream_workers(NULL);
    assert_true(usual <= 16);
    assert_int_equal(trn_stream_workers(&def), usual);
    small_create(&small, TRN_STREAM_WORKERS_DEFAULT, 1);
    assert_int_equal(trn_stream_stats(small.stream).workers, usual);
    small_destroy(&small);
    def.workers = 3;
    assert_int_equal(trn_stream_workers(&def), 3);
    def.workers = 1000;
    assert_int_equal(trn_stream_workers(&def), TRN_STREAM_WORKER_MAX);
    const TrnStreamRunner runner = {start_nothing, 5, NULL};
    def.runner = &runner;
    assert_int_equal(trn_stream_workers(&def), 5);
}

static void a_generator_of_a_function_has_level_zero_alone(void **state)
{
    (void)state;
    TrnBlock block = 7, blocks[1];
    bool uniform = false;
    const TrnGenerator generator = trn_generator_def(generate_floor, &block);
    assert_false(generator.has_ceiling);
    assert_int_equal(trn_generator_generate(&generator, (TrnCoord){0, -1, 0}, 0, blocks, &uniform),
                     TRN_RESULT_OK);
    assert_int_equal(blocks[0], 7);
    assert_int_equal(trn_generator_generate(&generator, (TrnCoord){0, -1, 0}, 1, blocks, &uniform),
                     TRN_RESULT_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_settled_stream_shows_its_view),
        cmocka_unit_test(a_stream_that_cannot_settle_says_so),
        cmocka_unit_test(first_calls_allocate_no_more_than_their_long_forms),
        cmocka_unit_test(workers_are_known_before_there_is_a_stream),
        cmocka_unit_test(a_generator_of_a_function_has_level_zero_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
