// Block data in batches and histories: atomic with blocks over chunks, undone and redone exactly,
// within the limits of a history, and unchanged by calls that fail.

#include "data_model.h"

#include <terrane/history.h>

#define CHUNKS 2
#define STEPS 12

typedef struct World {
    TestAllocator memory;
    TrnStore *store;
    TrnHistory *history;
    DataModel models[CHUNKS];
} World;

static const TrnCoord coords[CHUNKS] = {{-1, 5, 0}, {0, 5, 0}};

static void world_insert(World *world, uint32_t place)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = (TrnBlock)(i / 1024 < 16 ? 3 : 0);
    }
    memset(&world->models[place], 0, sizeof(DataModel));
    memcpy(world->models[place].blocks, blocks, sizeof blocks);
    assert_int_equal(trn_store_insert_voxels(world->store, coords[place], blocks, NULL),
                     TRN_RESULT_OK);
}

static World *world_create(size_t history_bytes)
{
    World *world = calloc(1, sizeof *world);
    const TrnAllocator allocator = test_allocator(&world->memory);
    TrnStoreDef def = trn_store_def();
    TrnHistoryDef history = trn_history_def();
    def.allocator = &allocator;
    history.bytes_max = history_bytes;
    assert_int_equal(trn_store_create(&def, &world->store), TRN_RESULT_OK);
    assert_int_equal(trn_history_create(world->store, &history, &world->history), TRN_RESULT_OK);
    for (uint32_t place = 0; place < CHUNKS; place++) {
        world_insert(world, place);
    }
    return world;
}

static void world_destroy(World *world)
{
    trn_history_destroy(world->history);
    trn_store_destroy(world->store);
    assert_int_equal(world->memory.live_blocks, 0);
    free(world);
}

static TrnVoxel voxel_at(uint32_t place, uint32_t index)
{
    const TrnVoxel low = trn_coord_voxel(coords[place]);
    return (TrnVoxel){low.x + index % 32, low.y + index / 1024, low.z + index / 32 % 32};
}

static void world_check(const World *world)
{
    for (uint32_t place = 0; place < CHUNKS; place++) {
        TrnSnapshot now;
        assert_int_equal(trn_store_snapshot(world->store, coords[place], &now), TRN_RESULT_OK);
        model_check_snapshot(&world->models[place], now);
    }
}

static TrnBatch *begin(World *world)
{
    TrnBatchDef def = trn_batch_def();
    TrnBatch *batch;
    def.history = world->history;
    assert_int_equal(trn_batch_begin(world->store, &def, &batch), TRN_RESULT_OK);
    return batch;
}

/// Sets data in a batch of its own.
static void set_data(World *world, uint32_t place, uint32_t index, uint8_t tag, uint32_t size,
                     TrnDataRule rule)
{
    TrnBatch *batch = begin(world);
    assert_int_equal(
        trn_batch_set_data(batch, voxel_at(place, index), model_bytes(tag, size), size, rule),
        TRN_RESULT_OK);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    model_set_data(&world->models[place], index, tag, size, rule);
}

static void set_block(World *world, uint32_t place, uint32_t index, TrnBlock block)
{
    TrnBatch *batch = begin(world);
    assert_int_equal(trn_batch_set(batch, voxel_at(place, index), block), TRN_RESULT_OK);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    world->models[place].blocks[index] = block;
    model_purge(&world->models[place]);
}

// ---- batches -----------------------------------------------------------------------------------

static TrnResult hear(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    (void)store;
    *(TrnStoreEvent *)user = *event;
    assert_int_equal(event->count, 2);
    assert_true(event->chunks[0].has_data_changed && event->chunks[1].has_data_changed);
    assert_int_equal(event->chunks[0].around, 1u << TRN_AROUND_CENTRE);
    return TRN_RESULT_OK;
}

static void a_batch_publishes_data_of_chunks_together(void **state)
{
    (void)state;
    World *world = world_create(1 << 20);
    TrnStoreEvent event = {0};
    TrnBatchOutcome outcome;
    TrnBlockData data;
    const TrnVoxel a = voxel_at(0, 7), b = voxel_at(1, 9);
    assert_int_equal(
        trn_store_subscribe(world->store, TRN_EVENT_BIT(TRN_EVENT_CHANGED), hear, &event),
        TRN_RESULT_OK);
    TrnBatch *batch = begin(world);
    assert_int_equal(trn_batch_set_data(batch, a, "one", 3, 0), TRN_RESULT_OK);
    assert_int_equal(trn_batch_set_data(batch, b, "two", 3, 0), TRN_RESULT_OK);
    assert_int_equal(trn_batch_get_data(batch, a, &data), TRN_RESULT_OK);
    assert_memory_equal(data.bytes, "one", 3);
    assert_int_equal(trn_batch_get_data(batch, voxel_at(1, 8), &data), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_store_get_data(world->store, a, &data), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_batch_commit(batch, &outcome), TRN_RESULT_OK);
    assert_int_equal(outcome.changed_chunks, 2);
    assert_int_equal(outcome.changed_voxels, 0);
    assert_int_equal(outcome.changed_data, 2);
    assert_int_equal(event.revision, outcome.revision);
    assert_int_equal(trn_store_get_data(world->store, a, &data), TRN_RESULT_OK);
    assert_int_equal(trn_store_get_data(world->store, b, &data), TRN_RESULT_OK);
    batch = begin(world); // the same bytes once more are no change
    assert_int_equal(trn_batch_set_data(batch, a, "other", 5, 0), TRN_RESULT_OK);
    assert_int_equal(trn_batch_set_data(batch, a, "one", 3, 0), TRN_RESULT_OK);
    assert_int_equal(trn_batch_commit(batch, &outcome), TRN_RESULT_OK);
    assert_int_equal(outcome.changed_chunks, 0);
    world_destroy(world);
}

static void data_of_chunks_that_are_not_loaded_is_refused(void **state)
{
    (void)state;
    World *world = world_create(1 << 20);
    const TrnVoxel far = {1000000, 0, 0};
    TrnBatchOutcome outcome;
    TrnBatch *batch = begin(world);
    assert_int_equal(trn_batch_set_data(batch, voxel_at(0, 1), "x", 1, 0), TRN_RESULT_OK);
    assert_int_equal(trn_batch_set_data(batch, far, "x", 1, 0), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_NOT_FOUND);
    world_check(world);
    TrnBatchDef def = trn_batch_def();
    def.unloaded = TRN_UNLOADED_SKIP;
    assert_int_equal(trn_batch_begin(world->store, &def, &batch), TRN_RESULT_OK);
    assert_int_equal(trn_batch_set_data(batch, far, "x", 1, 0), TRN_RESULT_OK);
    assert_int_equal(trn_batch_commit(batch, &outcome), TRN_RESULT_OK);
    assert_int_equal(outcome.skipped_chunks, 1);
    world_destroy(world);
}

// ---- undo --------------------------------------------------------------------------------------

static void undo_restores_a_broken_chest_with_its_content(void **state)
{
    (void)state;
    World *world = world_create(1 << 20);
    DataModel *before = malloc(sizeof *before);
    set_block(world, 0, 40, 9);
    set_data(world, 0, 40, 5, 1000, TRN_DATA_WITH_BLOCK);
    memcpy(before, &world->models[0], sizeof *before);
    set_block(world, 0, 40, 0);
    world_check(world);
    DataModel *after = malloc(sizeof *after);
    memcpy(after, &world->models[0], sizeof *after);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(trn_history_undo(world->history, NULL), TRN_RESULT_OK);
        memcpy(&world->models[0], before, sizeof *before);
        world_check(world);
        assert_int_equal(trn_history_redo(world->history, NULL), TRN_RESULT_OK);
        memcpy(&world->models[0], after, sizeof *after);
        world_check(world);
    }
    free(after);
    free(before);
    world_destroy(world);
}

static void undo_waits_for_chunks_whose_data_it_would_change(void **state)
{
    (void)state;
    World *world = world_create(1 << 20);
    set_block(world, 0, 40, 9);
    set_data(world, 0, 40, 5, 1000, TRN_DATA_WITH_BLOCK);
    assert_int_equal(trn_store_remove(world->store, coords[0]), TRN_RESULT_OK);
    assert_int_equal(trn_history_undo(world->history, NULL), TRN_RESULT_BUSY);
    assert_int_equal(trn_history_stats(world->history).undo_groups, 2);
    assert_int_equal(trn_pending_chunks(world->store, NULL, 0), 0);
    world_insert(world, 0);
    assert_int_equal(trn_history_undo(world->history, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_history_undo(world->history, NULL), TRN_RESULT_OK);
    world_destroy(world);
}

static void pending_edits_remove_data_and_undo_brings_it_back(void **state)
{
    (void)state;
    World *world = world_create(1 << 20);
    DataModel *before = malloc(sizeof *before);
    set_data(world, 0, 40, 5, 1000, TRN_DATA_WITH_BLOCK);
    set_data(world, 0, 41, 6, 10, TRN_DATA_STAYS);
    trn_history_clear(world->history);
    memcpy(before, &world->models[0], sizeof *before);
    assert_int_equal(trn_store_remove(world->store, coords[0]), TRN_RESULT_OK);
    TrnBatch *batch = begin(world);
    assert_int_equal(trn_batch_set(batch, voxel_at(0, 40), 8), TRN_RESULT_OK);
    assert_int_equal(trn_batch_set(batch, voxel_at(0, 41), 8), TRN_RESULT_OK);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    const TrnBlockData data[2] = {{model_bytes(5, 1000), 1000, 40, TRN_DATA_WITH_BLOCK},
                                  {"\6\15\24\33\42\51\60\67\76\105", 10, 41, TRN_DATA_STAYS}};
    assert_int_equal(
        trn_store_insert_data(world->store, coords[0], before->blocks, false, data, 2, NULL),
        TRN_RESULT_OK);
    world->models[0].blocks[40] = world->models[0].blocks[41] = 8;
    model_purge(&world->models[0]);
    world_check(world);
    assert_int_equal(trn_history_undo(world->history, NULL), TRN_RESULT_OK);
    memcpy(&world->models[0], before, sizeof *before);
    world_check(world);
    free(before);
    world_destroy(world);
}

static void data_counts_against_the_bytes_of_a_history(void **state)
{
    (void)state;
    const size_t bytes_max = (size_t)300 << 10;
    World *world = world_create(bytes_max);
    for (uint32_t i = 0; i < 10; i++) {
        set_data(world, 0, i, (uint8_t)i, TRN_DATA_BYTES_MAX, TRN_DATA_STAYS);
    }
    const TrnHistoryStats stats = trn_history_stats(world->history);
    assert_int_equal(stats.undo_groups, 4);
    assert_int_equal(stats.dropped_groups, 6);
    assert_true(stats.bytes <= bytes_max && stats.bytes > (size_t)4 * TRN_DATA_BYTES_MAX);
    world_check(world);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(trn_history_undo(world->history, NULL), TRN_RESULT_OK);
        world->models[0].data[9 - i] = (ModelData){0};
        world_check(world);
    }
    world_destroy(world);
}

// ---- random steps ------------------------------------------------------------------------------

static TrnResult random_call(TrnBatch *batch, World *world, TestRandom *random)
{
    const uint32_t place = (uint32_t)(test_random_next(random) % CHUNKS);
    const uint32_t index = model_random_index(random);
    DataModel *model = &world->models[place];
    const TrnVoxel voxel = voxel_at(place, index);
    const TrnBlock block = (TrnBlock)test_random_range(random, 0, 3);
    const uint32_t size = model_random_size(random);
    const uint8_t tag = (uint8_t)(test_random_next(random) % 3);
    const TrnDataRule rule = model_random_rule(random);
    const uint64_t which = test_random_next(random) % 48;
    TrnResult result = TRN_RESULT_OK;
    if (which == 47) { // so many that the table has many parts
        for (uint32_t i = 0; i < 160 && result == TRN_RESULT_OK; i++) {
            const uint32_t at = (index + i * 205) % TRN_CHUNK_VOXELS;
            result = trn_batch_set_data(batch, voxel_at(place, at), model_bytes(tag, i), i,
                                        TRN_DATA_WITH_BLOCK);
            if (result == TRN_RESULT_OK) {
                model_set_data(model, at, tag, i, TRN_DATA_WITH_BLOCK);
            }
        }
    } else if (which < 18) {
        result = trn_batch_set_data(batch, voxel, model_bytes(tag, size), size, rule);
        if (result == TRN_RESULT_OK) {
            model_set_data(model, index, tag, size, rule);
        }
    } else if (which < 24) {
        result = trn_batch_set_data(batch, voxel, NULL, 0, rule);
        if (result == TRN_RESULT_OK) {
            model->data[index] = (ModelData){0};
        }
    } else if (which < 44) {
        result = trn_batch_set(batch, voxel, block);
        if (result == TRN_RESULT_OK) {
            model->blocks[index] = block;
        }
    } else {
        const TrnVoxel low = voxel_at(0, 0), high = {voxel_at(1, 0).x + 31, low.y + 4, low.z + 31};
        result = trn_batch_fill_box(batch, low, high, block);
        for (uint32_t i = 0; result == TRN_RESULT_OK && i < 5 * 1024; i++) {
            world->models[0].blocks[i] = world->models[1].blocks[i] = block;
        }
    }
    return result;
}

/// Makes one step of some batches.
static void random_step(World *world, TestRandom *random)
{
    trn_history_begin_group(world->history);
    for (int64_t batches = test_random_range(random, 1, 3); batches > 0; batches--) {
        TrnBatch *batch = begin(world);
        for (int64_t calls = test_random_range(random, 1, 12); calls > 0; calls--) {
            assert_int_equal(random_call(batch, world, random), TRN_RESULT_OK);
        }
        assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
        model_purge(&world->models[0]);
        model_purge(&world->models[1]);
    }
    trn_history_end_group(world->history);
}

static void undo_and_redo_agree_with_full_copies(void **state)
{
    (void)state;
    World *world = world_create((size_t)64 << 20);
    TestRandom random = test_random_seeded(45);
    DataModel(*copies)[CHUNKS] = calloc(STEPS + 1, sizeof *copies);
    const uint32_t rounds = test_rounds(20, 4);
    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t steps = 0, at = 0;
        trn_history_clear(world->history);
        memcpy(copies[0], world->models, sizeof copies[0]);
        for (uint32_t i = 0; i < STEPS; i++) {
            random_step(world, &random);
            const uint32_t groups = trn_history_stats(world->history).undo_groups;
            assert_in_range(groups, steps, steps + 1);
            steps = groups;
            memcpy(copies[steps], world->models, sizeof copies[0]);
            world_check(world);
        }
        at = steps;
        for (uint32_t i = 0; i < 3 * STEPS; i++) {
            const bool is_undo = at == steps || (at > 0 && test_random_next(&random) % 2);
            assert_int_equal(is_undo ? trn_history_undo(world->history, NULL)
                                     : trn_history_redo(world->history, NULL),
                             TRN_RESULT_OK);
            at = is_undo ? at - 1 : at + 1;
            memcpy(world->models, copies[at], sizeof copies[0]);
            world_check(world);
        }
    }
    free(copies);
    world_destroy(world);
}

/// Makes a batch with a history and a listener, undoes and redoes it.
static TrnResult fault_step(World *world, uint32_t *done)
{
    TrnBatch *batch;
    TrnBatchDef def = trn_batch_def();
    def.history = world->history;
    TrnResult result = trn_batch_begin(world->store, &def, &batch);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    (void)trn_batch_set(batch, voxel_at(0, 40), 0);
    (void)trn_batch_set_data(batch, voxel_at(0, 41), "abc", 3, TRN_DATA_STAYS);
    (void)trn_batch_set_data(batch, voxel_at(1, 50), "def", 3, TRN_DATA_WITH_BLOCK);
    result = trn_batch_commit(batch, NULL);
    *done += result == TRN_RESULT_OK;
    result = result == TRN_RESULT_OK ? trn_history_undo(world->history, NULL) : result;
    *done += result == TRN_RESULT_OK;
    result = result == TRN_RESULT_OK ? trn_history_redo(world->history, NULL) : result;
    *done += result == TRN_RESULT_OK;
    return result;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (uint32_t lasting = 0; lasting < 2; lasting++) {
        for (size_t at = 1;; at++) {
            World *world = world_create(1 << 20);
            uint32_t done = 0;
            set_block(world, 0, 40, 9);
            set_data(world, 0, 40, 5, 100, TRN_DATA_WITH_BLOCK);
            trn_store_trim(world->store);
            test_fail(&world->memory, at, lasting ? SIZE_MAX : 0);
            const TrnResult result = fault_step(world, &done);
            const bool was_reached = world->memory.allocations >= at;
            test_fail(&world->memory, 0, 0);
            assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_NO_MEMORY);
            if (done % 2) { // committed, or redone
                TrnBlockData data;
                assert_int_equal(trn_store_get_data(world->store, voxel_at(0, 40), NULL),
                                 TRN_RESULT_NOT_FOUND);
                assert_int_equal(trn_store_get_data(world->store, voxel_at(0, 41), &data),
                                 TRN_RESULT_OK);
                assert_int_equal(data.size, 3);
                assert_int_equal(trn_store_get_data(world->store, voxel_at(1, 50), &data),
                                 TRN_RESULT_OK);
            } else {
                world_check(world);
            }
            world_destroy(world);
            if (!was_reached) {
                assert_int_equal(done, 3);
                break;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_publishes_data_of_chunks_together),
        cmocka_unit_test(data_of_chunks_that_are_not_loaded_is_refused),
        cmocka_unit_test(undo_restores_a_broken_chest_with_its_content),
        cmocka_unit_test(undo_waits_for_chunks_whose_data_it_would_change),
        cmocka_unit_test(pending_edits_remove_data_and_undo_brings_it_back),
        cmocka_unit_test(data_counts_against_the_bytes_of_a_history),
        cmocka_unit_test(undo_and_redo_agree_with_full_copies),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
