// Batches of edits over many chunks and edits that wait for chunks, against plain arrays that are
// told the same (world_model.h), and their behaviour with absurd arguments, and where memory or
// caps run out. Undo and redo: test_history.c.

#include "world_model.h"

#include <time.h>

#define WORLD_VOXELS ((int64_t)MODEL_EDGE * TRN_CHUNK_EDGE)

/// Around the origin, and in two corners of the world.
static const TrnCoord LOWS[] = {
    {-2, -2, -2},
    {INT32_MAX - MODEL_EDGE + 1, INT32_MIN, -1},
    {INT32_MIN, INT32_MAX - MODEL_EDGE + 1, INT32_MAX - MODEL_EDGE + 1},
};

static int64_t *along(TrnVoxel *voxel, int axis)
{
    return axis == 0 ? &voxel->x : axis == 1 ? &voxel->y : &voxel->z;
}

static ModelWorld *world_at_origin(void)
{
    return model_create(NULL, LOWS[0]);
}

static ModelWorld *full_world(TrnBlock block)
{
    ModelWorld *world = world_at_origin();
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        model_insert(world, place, NULL, block);
    }
    return world;
}

// ---- at random ---------------------------------------------------------------------------------

/// Chunks that no batch has written to come or go.
static void come_and_go(ModelWorld *world, TestRandom *random)
{
    for (int i = 0; i < 6; i++) {
        const uint32_t place = (uint32_t)test_random_range(random, 0, MODEL_CHUNKS - 1);
        if (world->open[0] && world->open[0]->change.drafts[place]) {
            continue;
        }
        if (world->chunks[place].is_present) {
            model_remove(world, place);
        } else {
            model_random_insert(world, place, random);
        }
    }
}

/// Ends a batch that failed: its commit says why, and nothing has come of it.
static void end_failed(ModelBatch *batch, TrnResult result, TestRandom *random)
{
    ModelWorld *world = batch->world;
    TrnVoxelEdit *edit = NULL;
    const TrnVoxel voxel = model_random_voxel(world, random);
    assert_int_equal(trn_batch_set(batch->batch, voxel, 1), result);
    assert_int_equal(trn_batch_fill_box(batch->batch, voxel, voxel, 1), result);
    assert_int_equal(trn_batch_fill_sphere(batch->batch, voxel, 3, 1), result);
    assert_int_equal(trn_batch_edit(batch->batch, trn_voxel_chunk(voxel), &edit), result);
    assert_null(edit);
    model_hush(world);
    if (test_random_next(random) % 2) {
        TrnBatchOutcome outcome = {.changed_voxels = 12345};
        assert_int_equal(trn_batch_commit(batch->batch, &outcome), result);
        assert_int_equal(outcome.changed_voxels, 12345);
        model_end(batch);
    } else {
        model_cancel(batch);
    }
    assert_int_equal(world->events, 0);
}

/// What random rounds have met, so that a round without it shows.
typedef struct Met {
    uint32_t committed, cancelled, held, absent;
} Met;

/// One to eight calls, and the end of the batch unless it is to stay open.
static void random_batch(ModelBatch *batch, TestRandom *random, bool stays_open, Met *met)
{
    TrnResult result = TRN_RESULT_OK;
    const int64_t calls = test_random_range(random, 0, 7);
    for (int64_t c = 0; c < calls && result == TRN_RESULT_OK; c++) {
        result = model_random_write(batch, random);
    }
    if (result != TRN_RESULT_OK) {
        met->held += result == TRN_RESULT_HELD;
        met->absent += result == TRN_RESULT_ABSENT;
        end_failed(batch, result, random);
    } else if (!stays_open && test_random_next(random) % 8 == 0) {
        met->cancelled++;
        model_cancel(batch);
    } else if (!stays_open) {
        met->committed++;
        model_commit(batch);
    }
}

static TrnAbsent random_absent(TestRandom *random)
{
    const uint64_t kind = test_random_next(random) % 8;
    return kind < 5 ? TRN_ABSENT_WAIT : kind < 7 ? TRN_ABSENT_SKIP : TRN_ABSENT_FAIL;
}

static void random_round(ModelWorld *world, TestRandom *random, Met *met)
{
    model_listen(world, test_random_next(random) % 3 > 0);
    random_batch(model_begin(world, random_absent(random), NULL), random, false, met);
    model_check(world);
    if (test_random_next(random) % 4 == 0) { // another one stays open meanwhile
        random_batch(model_begin(world, random_absent(random), NULL), random, true, met);
        model_check(world);
        for (int i = 0; i < 3; i++) {
            come_and_go(world, random);
            random_batch(model_begin(world, random_absent(random), NULL), random, false, met);
        }
        model_check(world);
        if (world->open[0]) {
            model_commit(world->open[0]);
        }
        model_check(world);
    }
    come_and_go(world, random);
    model_check(world);
}

static void random_batches_agree_with_plain_arrays(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(61);
    Met met = {0, 0, 0, 0};
    for (uint32_t w = 0; w < 3; w++) {
        ModelWorld *world = model_create(NULL, LOWS[w]);
        model_random_inserts(world, 75, &random);
        for (int round = 0; round < 90; round++) {
            random_round(world, &random, &met);
        }
        model_destroy(world);
    }
    print_message("  %u committed, %u cancelled, %u held, %u absent\n", met.committed,
                  met.cancelled, met.held, met.absent);
    assert_true(met.committed > 100 && met.cancelled > 5 && met.held > 5 && met.absent > 5);
}

// ---- one change --------------------------------------------------------------------------------

static void nothing_shows_before_the_commit_and_then_everything(void **state)
{
    (void)state;
    ModelWorld *world = full_world(TRN_BLOCK_STONE);
    TrnChunkReader *reader;
    TrnSnapshot before[MODEL_CHUNKS], now;
    assert_int_equal(trn_chunk_index_reader_create(trn_store_index(world->store), "test", &reader),
                     TRN_RESULT_OK);
    trn_chunk_index_read_begin(reader);
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        assert_int_equal(
            trn_store_snapshot(world->store, world->chunks[place].coord, &before[place]),
            TRN_RESULT_OK);
    }
    ModelBatch *batch = model_begin(world, TRN_ABSENT_WAIT, NULL);
    assert_int_equal(model_fill_box(batch, model_voxel(world, 5, 5, 5),
                                    model_voxel(world, 99, 99, 99), TRN_BLOCK_SAND),
                     TRN_RESULT_OK);
    assert_int_equal(model_set(batch, model_voxel(world, 6, 6, 6), TRN_BLOCK_SNOW), TRN_RESULT_OK);
    model_get(batch, model_voxel(world, 6, 6, 6));
    model_get(batch, model_voxel(world, 7, 6, 6));
    model_get(batch, model_voxel(world, 4, 6, 6));
    model_check(world); // the arrays follow at the commit
    model_commit(batch);
    model_check(world);
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        assert_int_equal(trn_snapshot_count(before[place], TRN_BLOCK_STONE), TRN_CHUNK_VOXELS);
        assert_int_equal(trn_store_snapshot(world->store, world->chunks[place].coord, &now),
                         TRN_RESULT_OK);
        assert_int_equal(trn_snapshot_revision(now), trn_store_revision(world->store));
    }
    trn_chunk_index_read_end(reader);
    model_destroy(world);
}

static void a_batch_without_change_publishes_nothing(void **state)
{
    (void)state;
    ModelWorld *world = full_world(TRN_BLOCK_STONE);
    model_listen(world, true);
    const uint64_t revision = trn_store_revision(world->store);
    model_commit(model_begin(world, TRN_ABSENT_WAIT, NULL));
    ModelBatch *batch = model_begin(world, TRN_ABSENT_SKIP, NULL);
    assert_int_equal(model_set(batch, model_voxel(world, 1, 2, 3), TRN_BLOCK_STONE), TRN_RESULT_OK);
    assert_int_equal(model_fill_box(batch, model_voxel(world, -9, 0, 0),
                                    model_voxel(world, 127, 127, 127), TRN_BLOCK_STONE),
                     TRN_RESULT_OK);
    assert_int_equal(model_fill_sphere(batch, model_voxel(world, 60, 60, 60), 50, TRN_BLOCK_STONE),
                     TRN_RESULT_OK);
    model_commit(batch);
    batch = model_begin(world, TRN_ABSENT_WAIT, NULL);
    assert_int_equal(model_set(batch, model_voxel(world, 1, 2, 3), TRN_BLOCK_SAND), TRN_RESULT_OK);
    model_cancel(batch);
    assert_int_equal(trn_store_revision(world->store), revision);
    assert_int_equal(world->events, 0);
    assert_int_equal(trn_store_stats(world->store).uniform_chunks, MODEL_CHUNKS);
    model_check(world);
    model_destroy(world);
}

/// A listener that makes a batch of its own, once.
typedef struct Echo {
    ModelWorld *world;
    uint32_t calls;
    uint64_t revisions[4];
} Echo;

static TrnResult echo(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    Echo *self = user;
    for (uint32_t i = 0; i < event->count; i++) { // all chunks can be seen, each with the revision
        assert_true(trn_chunk_revision(event->chunks[i].chunk) >= event->revision);
    }
    assert_true(self->calls < 4);
    self->revisions[self->calls] = event->revision;
    if (self->calls++ == 0) {
        TrnBatch *batch;
        assert_int_equal(event->count, 2);
        assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
        trn_batch_set(batch, model_voxel(self->world, 0, 0, 0), TRN_BLOCK_DIRT);
        trn_batch_set(batch, model_voxel(self->world, 100, 0, 0), TRN_BLOCK_DIRT);
        assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    }
    return TRN_RESULT_OK;
}

static void a_listener_may_make_a_batch_of_its_own(void **state)
{
    (void)state;
    ModelWorld *world = full_world(TRN_BLOCK_STONE);
    Echo self = {.world = world};
    TrnBatch *batch;
    TrnBatchOutcome outcome;
    TrnBlock block = 0;
    const uint64_t before = trn_store_revision(world->store);
    assert_int_equal(trn_store_listen(world->store, TRN_EVENT_BIT(TRN_EVENT_CHANGED), echo, &self),
                     TRN_RESULT_OK);
    assert_int_equal(trn_batch_begin(world->store, NULL, &batch), TRN_RESULT_OK);
    trn_batch_fill_box(batch, model_voxel(world, 0, 0, 0), model_voxel(world, 40, 1, 1),
                       TRN_BLOCK_SAND);
    assert_int_equal(trn_batch_commit(batch, &outcome), TRN_RESULT_OK);
    assert_int_equal(outcome.revision, before + 1);
    assert_int_equal(outcome.changed_chunks, 2);
    assert_int_equal(self.calls, 2);
    assert_int_equal(self.revisions[0], before + 1);
    assert_int_equal(self.revisions[1], before + 2);
    assert_int_equal(trn_store_revision(world->store), before + 2);
    trn_store_get_block(world->store, model_voxel(world, 0, 0, 0), &block);
    assert_int_equal(block, TRN_BLOCK_DIRT);
    trn_store_get_block(world->store, model_voxel(world, 1, 0, 0), &block);
    assert_int_equal(block, TRN_BLOCK_SAND);
    model_destroy(world);
}

static void a_chunks_edit_holds_until_the_batch_ends(void **state)
{
    (void)state;
    ModelWorld *world = full_world(TRN_BLOCK_STONE);
    ModelBatch *batch = model_begin(world, TRN_ABSENT_WAIT, NULL);
    TrnVoxelEdit *edit, *again;
    assert_int_equal(trn_batch_edit(batch->batch, world->chunks[0].coord, &edit), TRN_RESULT_OK);
    for (uint32_t place = 1; place < MODEL_CHUNKS; place++) { // more chunks than room at first
        assert_int_equal(model_set(batch, trn_coord_voxel(world->chunks[place].coord), 2),
                         TRN_RESULT_OK);
    }
    assert_int_equal(trn_batch_edit(batch->batch, world->chunks[0].coord, &again), TRN_RESULT_OK);
    assert_ptr_equal(again, edit);
    assert_int_equal(trn_voxel_edit_set(edit, 77, TRN_BLOCK_SNOW), TRN_RESULT_OK);
    model_write(world, &batch->change, 0, 77, TRN_BLOCK_SNOW);
    model_commit(batch);
    model_check(world);
    model_destroy(world);
}

// ---- two at once -------------------------------------------------------------------------------

static void no_two_batches_have_the_same_chunk_open(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    ModelWorld *world = full_world(TRN_BLOCK_STONE);
    TrnChunk *chunk = trn_store_find(world->store, world->chunks[0].coord);
    const TrnVoxel mine = model_voxel(world, 0, 0, 0), others = model_voxel(world, 99, 0, 0);
    ModelBatch *first = model_begin(world, TRN_ABSENT_WAIT, NULL);
    assert_int_equal(model_set(first, mine, TRN_BLOCK_SAND), TRN_RESULT_OK);
    ModelBatch *second = model_begin(world, TRN_ABSENT_WAIT, NULL);
    assert_int_equal(model_set(second, others, TRN_BLOCK_SAND), TRN_RESULT_OK);
    assert_int_equal(model_set(second, mine, TRN_BLOCK_SAND), TRN_RESULT_HELD);
    assert_int_equal(trn_batch_set(second->batch, model_voxel(world, 50, 0, 0), 1),
                     TRN_RESULT_HELD);
    assert_int_equal(trn_batch_commit(second->batch, NULL), TRN_RESULT_HELD);
    model_end(second);
    model_check(world);

    assert_true(trn_store_explain(world->store, chunk->coord).is_open);
    assert_false(trn_store_explain(world->store, trn_voxel_chunk(others)).is_open);
    assert_int_equal(trn_store_remove(world->store, chunk->coord), TRN_RESULT_HELD);
    assert_int_equal(trn_store_set_block(world->store, mine, 3), TRN_RESULT_HELD);
    assert_int_equal(trn_store_set_voxels(world->store, chunk, blocks), TRN_RESULT_HELD);
    model_check(world);

    second = model_begin(world, TRN_ABSENT_WAIT, NULL);
    assert_int_equal(model_set(second, others, TRN_BLOCK_SNOW), TRN_RESULT_OK);
    model_commit(second);
    model_commit(first); // the later revision
    model_check(world);
    assert_int_equal(trn_chunk_revision(chunk), trn_store_revision(world->store));
    assert_false(trn_store_explain(world->store, chunk->coord).is_open);
    model_remove(world, 0);
    model_destroy(world);
}

static void many_open_batches_hold_their_own_chunks(void **state)
{
    (void)state;
    ModelWorld *world = full_world(TRN_BLOCK_STONE);
    TrnBatch *open[MODEL_CHUNKS];
    for (uint32_t i = 0; i < MODEL_CHUNKS; i++) {
        assert_int_equal(trn_batch_begin(world->store, NULL, &open[i]), TRN_RESULT_OK);
        assert_int_equal(
            trn_batch_set(open[i], trn_coord_voxel(world->chunks[i].coord), TRN_BLOCK_SAND),
            TRN_RESULT_OK);
    }
    for (uint32_t i = 0; i < MODEL_CHUNKS; i += 2) {
        trn_batch_cancel(open[i]);
    }
    for (uint32_t i = 0; i < MODEL_CHUNKS; i++) {
        ModelBatch *batch = model_begin(world, TRN_ABSENT_WAIT, NULL);
        const TrnVoxel voxel = trn_coord_voxel(world->chunks[i].coord);
        const TrnResult result = trn_batch_set(batch->batch, voxel, TRN_BLOCK_SNOW);
        assert_int_equal(result, i % 2 ? TRN_RESULT_HELD : TRN_RESULT_OK);
        model_cancel(batch);
    }
    for (uint32_t i = 1; i < MODEL_CHUNKS; i += 2) {
        ModelBatch *batch = model_adopt(world, TRN_ABSENT_WAIT, NULL, open[i]);
        model_write(world, &batch->change, i, 0, TRN_BLOCK_SAND);
        model_commit(batch);
    }
    model_check(world);
    model_destroy(world);
}

// ---- edits that wait ---------------------------------------------------------------------------

static void edits_wait_in_their_order_for_every_kind_of_insert(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = test_random_seeded(62);
    for (uint32_t kind = 0; kind < 3; kind++) {
        ModelWorld *world = world_at_origin();
        model_listen(world, kind > 0);
        model_random_blocks(&random, blocks);
        ModelBatch *batch = model_begin(world, TRN_ABSENT_WAIT, NULL);
        model_fill_box(batch, model_voxel(world, 3, 3, 3), model_voxel(world, 40, 20, 20), 2);
        model_fill_box(batch, model_voxel(world, 5, 3, 3), model_voxel(world, 9, 9, 9), 3);
        model_set(batch, model_voxel(world, 5, 5, 5), 4);
        model_commit(batch);
        model_check(world);
        batch = model_begin(world, TRN_ABSENT_WAIT, NULL);
        model_fill_sphere(batch, model_voxel(world, 6, 6, 6), 4.5, 1);
        model_set(batch, model_voxel(world, 6, 6, 6), TRN_BLOCK_AIR);
        model_get(batch, model_voxel(world, 6, 6, 6)); // ABSENT
        model_commit(batch);
        assert_int_equal(trn_store_stats(world->store).waiting_chunks, 2);
        assert_true(trn_store_stats(world->store).pending_bytes > 0);
        model_insert(world, 0, kind == 2 ? blocks : NULL, kind == 1 ? TRN_BLOCK_STONE : 0);
        model_check(world);
        model_remove(world, 0); // what was applied does not wait for the next one
        model_insert(world, 0, NULL, TRN_BLOCK_AIR);
        model_insert(world, 1, NULL, TRN_BLOCK_STONE);
        model_check(world);
        assert_int_equal(trn_store_stats(world->store).waiting_edits, 0);
        model_destroy(world);
    }
}

static void two_open_batches_wait_in_the_order_of_their_commits(void **state)
{
    (void)state;
    ModelWorld *world = world_at_origin();
    ModelBatch *first = model_begin(world, TRN_ABSENT_WAIT, NULL);
    ModelBatch *second = model_begin(world, TRN_ABSENT_WAIT, NULL);
    model_fill_box(first, model_voxel(world, 1, 1, 1), model_voxel(world, 5, 5, 5), 1);
    model_fill_box(second, model_voxel(world, 2, 2, 2), model_voxel(world, 7, 7, 7), 2);
    model_commit(second);
    model_commit(first);
    model_check(world);
    model_insert(world, 0, NULL, TRN_BLOCK_AIR);
    model_check(world);
    assert_int_equal(world->chunks[0].blocks[trn_local_index(3, 3, 3)], 1);
    model_destroy(world);
}

/// What a batch wrote while the chunk was away comes before what it wrote once it was there.
static void a_chunk_that_comes_while_a_batch_is_open_gets_all_of_it(void **state)
{
    (void)state;
    ModelWorld *world = world_at_origin();
    ModelBatch *batch = model_begin(world, TRN_ABSENT_WAIT, NULL);
    model_fill_box(batch, model_voxel(world, 1, 1, 1), model_voxel(world, 40, 5, 5), 1);
    model_insert(world, 0, NULL, TRN_BLOCK_STONE); // has nothing of it yet
    model_check(world);
    model_fill_box(batch, model_voxel(world, 2, 2, 2), model_voxel(world, 36, 9, 9), 2);
    model_insert(world, 1, NULL, TRN_BLOCK_STONE); // not written to again
    model_check(world);
    model_commit(batch);
    model_check(world);
    assert_int_equal(trn_store_stats(world->store).waiting_chunks, 0);
    model_destroy(world);
}

static void waiting_edits_are_dropped_on_demand(void **state)
{
    (void)state;
    ModelWorld *world = world_at_origin();
    ModelBatch *batch = model_begin(world, TRN_ABSENT_WAIT, NULL);
    model_set(batch, model_voxel(world, 1, 1, 1), 1);
    model_fill_box(batch, model_voxel(world, 40, 1, 1), model_voxel(world, 99, 9, 9), 2);
    model_commit(batch);
    TrnCoord two[2] = {{77, 77, 77}, {77, 77, 77}};
    assert_int_equal(trn_store_waiting(world->store, NULL, 0), 4);
    assert_int_equal(trn_store_waiting(world->store, two, 1), 4);
    assert_true(model_place(world, two[0]) >= 0);
    assert_int_equal(two[1].x, 77);
    assert_int_equal(trn_store_drop_waiting(world->store, (TrnCoord){50, 0, 0}), 0);
    for (uint32_t place = 0; place < 3; place++) {
        const TrnCoord coord = world->chunks[place].coord;
        const uint32_t runs = trn_store_explain(world->store, coord).waiting_edits;
        assert_true(place ? runs >= 1 && runs <= 32 * 9 * 9 : runs == 1);
        assert_int_equal(trn_store_drop_waiting(world->store, coord), runs);
        assert_int_equal(trn_store_drop_waiting(world->store, coord), 0);
        ModelDraft *draft = world->chunks[place].waiting;
        model_unwait(&world->chunks[place], draft);
        free(draft);
    }
    model_check(world);
    model_insert(world, 0, NULL, TRN_BLOCK_STONE);
    model_insert(world, 1, NULL, TRN_BLOCK_STONE);
    model_insert(world, 3, NULL, TRN_BLOCK_STONE);
    model_check(world);
    assert_int_equal(trn_store_stats(world->store).waiting_edits, 0);
    model_destroy(world);
}

static void waiting_edits_keep_to_their_cap(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(63);
    TrnStoreDef def = trn_store_def();
    def.pending_bytes_max = 100000;
    ModelWorld *world = model_create(&def, LOWS[0]);
    model_listen(world, true);
    TrnResult result = TRN_RESULT_OK;
    uint32_t made = 0;
    for (; result == TRN_RESULT_OK && made < 1000; made++) {
        ModelCall calls[60];
        for (uint32_t c = 0; c < 60; c++) {
            calls[c] = (ModelCall){.min = model_random_voxel(world, &random), .block = (TrnBlock)c};
        }
        calls[59].min = model_voxel(world, made % 60, 1, 1);
        result = model_attempt(world, NULL, calls, 60);
        assert_true(trn_store_stats(world->store).pending_bytes <= def.pending_bytes_max);
        model_check(world);
    }
    assert_int_equal(result, TRN_RESULT_FULL);
    assert_true(made > 10 && made < 1000);
    const ModelCall big = {.kind = MODEL_BOX, // more chunks than there may ever be notes of
                           .min = model_voxel(world, 0, 0, 0),
                           .max = model_voxel(world, 31, 31, (int64_t)32 * 1000000),
                           .block = 2};
    assert_int_equal(model_attempt(world, NULL, &big, 1), TRN_RESULT_FULL);
    model_check(world);
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        model_insert(world, place, NULL, TRN_BLOCK_STONE);
    }
    model_check(world);
    assert_int_equal(trn_store_stats(world->store).waiting_edits, 0);
    const ModelCall call = {.min = model_voxel(world, 1, 1, 1), .block = 9};
    assert_int_equal(model_attempt(world, NULL, &call, 1), TRN_RESULT_OK);
    model_remove(world, 0);
    assert_int_equal(model_attempt(world, NULL, &call, 1), TRN_RESULT_OK); // there is room again
    model_check(world);
    model_destroy(world);
}

/// Writes over writes of the same voxels take no more than some bytes for each voxel of the chunk.
static void repeated_edits_of_an_absent_chunk_stay_bounded(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(64);
    TrnStoreDef def = trn_store_def();
    def.pending_bytes_max = (size_t)2 << 20;
    TrnStore *store;
    TrnBlock *last = calloc((size_t)TRN_CHUNK_VOXELS, sizeof *last);
    assert_non_null(last);
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    for (int b = 0; b < 2000; b++) {
        TrnBatch *batch;
        assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
        for (int i = 0; i < 100; i++) {
            const TrnVoxel voxel = {test_random_range(&random, 0, 31),
                                    test_random_range(&random, 0, 31),
                                    test_random_range(&random, 0, 31)};
            const TrnBlock block = (TrnBlock)test_random_range(&random, 1, 60000);
            assert_int_equal(trn_batch_set(batch, voxel, block), TRN_RESULT_OK);
            last[trn_voxel_local_index(voxel)] = block;
        }
        assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    }
    const TrnStoreStats stats = trn_store_stats(store);
    assert_true(stats.waiting_edits <= 131072);
    print_message("  200,000 writes wait as %llu runs in %zu bytes\n",
                  (unsigned long long)stats.waiting_edits, stats.pending_bytes);
    TrnChunk *chunk;
    assert_int_equal(trn_store_insert(store, (TrnCoord){0, 0, 0}, &chunk), TRN_RESULT_OK);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        assert_int_equal(trn_snapshot_get(trn_voxels_snapshot(&chunk->voxels), i), last[i]);
    }
    assert_true(trn_store_stats(store).pending_bytes < 200000);
    free(last);
    trn_store_destroy(store);
}

/// Boxes and balls over and over, too.
static void repeated_fills_of_absent_chunks_stay_bounded(void **state)
{
    (void)state;
    TrnStoreDef def = trn_store_def();
    def.pending_bytes_max = (size_t)4 << 20;
    ModelWorld *world = model_create(&def, LOWS[0]);
    for (int b = 0; b < 300; b++) {
        const ModelCall calls[] = {{.kind = MODEL_BALL,
                                    .min = model_voxel(world, 20 + b % 5, 20, 20),
                                    .radius = 17.5,
                                    .block = (TrnBlock)(b % 7)},
                                   {.kind = MODEL_BOX,
                                    .min = model_voxel(world, 0, 0, 0),
                                    .max = model_voxel(world, 40, b % 40, 40),
                                    .block = (TrnBlock)(b % 5)}};
        assert_int_equal(model_attempt(world, NULL, calls, 2), TRN_RESULT_OK);
        // The model keeps every draft; what lies under a later whole one is of no use.
        for (uint32_t place = 0; place < MODEL_CHUNKS && b % 50 < 49; place++) {
            ModelDraft *draft = world->chunks[place].waiting;
            for (uint32_t i = 0; draft && draft->next && i < TRN_CHUNK_VOXELS; i++) {
                if (draft->next->written[i]) {
                    draft->written[i] = true;
                    draft->blocks[i] = draft->next->blocks[i];
                }
            }
            if (draft && draft->next) {
                ModelDraft *merged = draft->next;
                draft->next = merged->next;
                free(merged);
            }
        }
    }
    print_message("  600 fills wait in %zu bytes\n", trn_store_stats(world->store).pending_bytes);
    model_check(world);
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        model_insert(world, place, NULL, TRN_BLOCK_SNOW);
    }
    model_check(world);
    model_destroy(world);
}

// ---- absurd arguments --------------------------------------------------------------------------

static void absurd_batches_are_refused(void **state)
{
    (void)state;
    ModelWorld *world = full_world(TRN_BLOCK_STONE);
    ModelWorld *other = world_at_origin();
    ModelHistory *history = model_history(other, 100000);
    TrnBatch *batch = NULL;
    TrnBatchDef def = trn_batch_def();
    assert_int_equal(def.absent, TRN_ABSENT_WAIT);
    assert_null(def.history);
    assert_int_equal(trn_batch_begin(NULL, &def, &batch), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_batch_begin(world->store, &def, NULL), TRN_RESULT_BAD_ARGUMENT);
    def.absent = TRN_ABSENT_COUNT;
    assert_int_equal(trn_batch_begin(world->store, &def, &batch), TRN_RESULT_BAD_ARGUMENT);
    def = trn_batch_def();
    def.history = history->history; // of another store
    assert_int_equal(trn_batch_begin(world->store, &def, &batch), TRN_RESULT_BAD_ARGUMENT);
    assert_null(batch);
    trn_batch_cancel(NULL);
    model_history_end(history);
    model_destroy(other);
    model_destroy(world);
}

/// A call that is refused makes the whole batch fail, with what was well before.
static void refuse(ModelWorld *world, ModelCall call)
{
    const ModelCall calls[] = {{.min = model_voxel(world, 1, 1, 1), .block = 9},
                               call,
                               {.min = model_voxel(world, 2, 1, 1), .block = 9}};
    assert_int_equal(model_attempt(world, NULL, calls, 3), TRN_RESULT_BAD_ARGUMENT);
    model_check(world);
}

static void empty_boxes_and_voxels_outside_fail_the_batch(void **state)
{
    (void)state;
    ModelWorld *world = full_world(TRN_BLOCK_STONE);
    model_listen(world, true);
    const TrnVoxel at = model_voxel(world, 9, 9, 9);
    for (int axis = 0; axis < 3; axis++) {
        ModelCall box = {.kind = MODEL_BOX, .min = at, .max = at, .block = 2};
        *along(&box.max, axis) -= 1;
        refuse(world, box);
        *along(&box.min, axis) = INT64_MAX;
        *along(&box.max, axis) = INT64_MIN;
        refuse(world, box);
        static const int64_t outside[] = {TRN_VOXEL_MIN - 1, TRN_VOXEL_MAX + 1, INT64_MIN,
                                          INT64_MAX};
        for (int i = 0; i < 4; i++) {
            ModelCall set = {.kind = MODEL_SET, .min = at, .block = 2};
            *along(&set.min, axis) = outside[i];
            refuse(world, set);
            ModelBatch *batch = model_begin(world, TRN_ABSENT_WAIT, NULL);
            TrnBlock block = 7;
            assert_int_equal(trn_batch_get(batch->batch, set.min, &block), TRN_RESULT_BAD_ARGUMENT);
            assert_int_equal(block, 7);
            assert_int_equal(model_set(batch, at, (TrnBlock)i), TRN_RESULT_OK); // has not failed
            model_commit(batch);
        }
    }
    static const double radii[] = {-1,   -1e-300, (double)NAN, (double)INFINITY, -(double)INFINITY,
                                   1e300};
    for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
        refuse(world, (ModelCall){.kind = MODEL_BALL, .min = at, .radius = radii[i], .block = 2});
    }
    refuse(world, (ModelCall){.kind = MODEL_BALL,
                              .min = at,
                              .block = 2,
                              .radius = nextafter(TRN_SPHERE_RADIUS_MAX, 2000)});
    model_destroy(world);
}

/// Shapes that have no voxel in the world change nothing, whatever becomes of absent chunks.
static void shapes_wholly_outside_the_world_change_nothing(void **state)
{
    (void)state;
    const int64_t ends[][2] = {{TRN_VOXEL_MAX + 1, TRN_VOXEL_MAX + 1},
                               {TRN_VOXEL_MAX + 1, INT64_MAX},
                               {INT64_MAX, INT64_MAX},
                               {INT64_MIN, TRN_VOXEL_MIN - 1},
                               {INT64_MIN, INT64_MIN}};
    for (uint32_t w = 0; w < 3; w++) {
        ModelWorld *world = model_create(NULL, LOWS[w]);
        model_listen(world, true);
        model_insert(world, 0, NULL, TRN_BLOCK_STONE);
        for (int absent = 0; absent < TRN_ABSENT_COUNT; absent++) {
            ModelBatch *batch = model_begin(world, (TrnAbsent)absent, NULL);
            for (int i = 0; i < 15; i++) {
                TrnVoxel min = model_voxel(world, 1, 1, 1), max = min;
                *along(&min, i % 3) = ends[i / 3][0];
                *along(&max, i % 3) = ends[i / 3][1];
                assert_int_equal(trn_batch_fill_box(batch->batch, min, max, 2), TRN_RESULT_OK);
                TrnVoxel centre = min;
                *along(&centre, i % 3) = i / 3 == 0   ? TRN_VOXEL_MAX + 1025
                                         : i / 3 == 1 ? TRN_VOXEL_MIN - 1025
                                                      : *along(&centre, i % 3);
                if (i / 3 < 2 || i / 3 == 2 || i / 3 == 4) {
                    assert_int_equal(
                        trn_batch_fill_sphere(batch->batch, centre, TRN_SPHERE_RADIUS_MAX, 2),
                        TRN_RESULT_OK);
                }
            }
            model_commit(batch); // the arrays know of nothing
            model_check(world);
        }
        model_destroy(world);
    }
}

static void shapes_half_outside_the_world_are_cut_off(void **state)
{
    (void)state;
    for (uint32_t w = 1; w < 3; w++) {
        ModelWorld *world = model_create(NULL, LOWS[w]);
        model_insert(world, 0, NULL, TRN_BLOCK_STONE);
        model_insert(world, 63, NULL, TRN_BLOCK_STONE);
        const TrnVoxel high = model_voxel(world, WORLD_VOXELS - 1, WORLD_VOXELS - 1, 40);
        ModelBatch *batch = model_begin(world, TRN_ABSENT_WAIT, NULL);
        TrnVoxel min = model_voxel(world, 70, 5, 5), max = model_voxel(world, 90, 9, 9);
        max.x = w == 1 ? INT64_MAX : max.x;
        max.y = w == 2 ? INT64_MAX : max.y;
        max.z = w == 2 ? TRN_VOXEL_MAX + 7 : max.z;
        assert_int_equal(model_fill_box(batch, min, max, 2), TRN_RESULT_OK);
        min.y = w == 1 ? INT64_MIN : min.y;
        min.x = w == 2 ? TRN_VOXEL_MIN - 1 : min.x;
        assert_int_equal(model_fill_box(batch, min, model_voxel(world, 80, 7, 7), 3),
                         TRN_RESULT_OK);
        TrnVoxel centre = model_voxel(world, 30, 30, 64);
        centre.x = w == 1 ? high.x + 5 : -3 + TRN_VOXEL_MIN;
        centre.y = w == 1 ? centre.y : high.y + 2;
        assert_int_equal(model_fill_sphere(batch, centre, 17.75, 4), TRN_RESULT_OK);
        model_commit(batch);
        model_check(world);
        for (uint32_t place = 1; place < 63; place++) {
            model_insert(world, place, NULL, TRN_BLOCK_AIR);
        }
        model_check(world);
        model_destroy(world);
    }
}

static double seconds_now(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void a_box_of_the_whole_world_is_quick(void **state)
{
    (void)state;
    const TrnVoxel min = {TRN_VOXEL_MIN, TRN_VOXEL_MIN, TRN_VOXEL_MIN};
    const TrnVoxel max = {TRN_VOXEL_MAX, TRN_VOXEL_MAX, TRN_VOXEL_MAX};
    const TrnVoxel least = {INT64_MIN, INT64_MIN, INT64_MIN};
    const TrnVoxel most = {INT64_MAX, INT64_MAX, INT64_MAX};
    for (uint32_t w = 0; w < 3; w++) {
        ModelWorld *world = model_create(NULL, LOWS[w]);
        model_insert(world, 0, NULL, TRN_BLOCK_STONE);
        model_insert(world, 42, NULL, TRN_BLOCK_AIR);
        model_insert(world, 63, NULL, TRN_BLOCK_SNOW);
        const double start = seconds_now();
        for (int i = 0; i < 2; i++) {
            ModelBatch *batch = model_begin(world, TRN_ABSENT_SKIP, NULL);
            const TrnBlock block = i ? TRN_BLOCK_AIR : TRN_BLOCK_SAND;
            assert_int_equal(
                trn_batch_fill_box(batch->batch, i ? least : min, i ? most : max, block),
                TRN_RESULT_OK);
            for (uint32_t place = 0; place < MODEL_CHUNKS; place += place ? 21 : 42) {
                for (uint32_t index = 0; index < TRN_CHUNK_VOXELS; index++) {
                    model_write(world, &batch->change, place, index, block);
                }
            }
            batch->change.skipped = UINT32_MAX; // as many as can be said
            model_commit(batch);
            model_check(world);
        }
        const ModelCall whole = {.kind = MODEL_BOX, .min = min, .max = max, .block = 1};
        assert_int_equal(model_attempt(world, NULL, &whole, 1), TRN_RESULT_FULL);
        TrnVoxel slab = min;
        slab.z = max.z - 3;
        const ModelCall flat = {.kind = MODEL_BOX, .min = slab, .max = max, .block = 1};
        assert_int_equal(model_attempt(world, NULL, &flat, 1), TRN_RESULT_FULL);
        ModelBatch *batch = model_begin(world, TRN_ABSENT_FAIL, NULL);
        assert_int_equal(trn_batch_fill_box(batch->batch, least, most, 1), TRN_RESULT_ABSENT);
        assert_int_equal(trn_batch_commit(batch->batch, NULL), TRN_RESULT_ABSENT);
        model_end(batch);
        model_check(world);
        assert_true(seconds_now() - start < 5);
        model_destroy(world);
    }
}

static void spheres_hold_the_voxels_within_their_radius(void **state)
{
    (void)state;
    ModelWorld *world = full_world(TRN_BLOCK_STONE);
    static const double radii[] = {0, 0.5, 0.999, 1, 1.25, 1.42, 2, 3, 5, 5.5, 31.75, 32, 60};
    TrnBatchOutcome outcome;
    TrnBatch *batch;
    TrnBlock block;
    model_listen(world, true);
    for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
        const ModelCall ball = {.kind = MODEL_BALL,
                                .min = model_voxel(world, 63, 64, 60),
                                .radius = radii[i],
                                .block = (TrnBlock)(i + 1)};
        assert_int_equal(model_attempt(world, NULL, &ball, 1), TRN_RESULT_OK);
        model_check(world);
    }
    // 3-4-5 lies on the ball of radius 5, and not in one that is a little smaller.
    const TrnVoxel centre = model_voxel(world, 20, 20, 20), on = model_voxel(world, 23, 24, 20);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(trn_batch_begin(world->store, NULL, &batch), TRN_RESULT_OK);
        trn_batch_fill_sphere(batch, centre, i ? 5.0 : nextafter(5.0, 0), 777);
        assert_int_equal(trn_batch_get(batch, on, &block), TRN_RESULT_OK);
        assert_int_equal(block == 777, i);
        trn_batch_cancel(batch);
    }
    // The largest there is, over chunks that are mostly not there.
    TrnBatchDef def = trn_batch_def();
    def.absent = TRN_ABSENT_SKIP;
    assert_int_equal(trn_batch_begin(world->store, &def, &batch), TRN_RESULT_OK);
    trn_batch_fill_sphere(batch, centre, TRN_SPHERE_RADIUS_MAX, 5);
    assert_int_equal(trn_batch_commit(batch, &outcome), TRN_RESULT_OK);
    assert_int_equal(outcome.changed_chunks, MODEL_CHUNKS);
    assert_true(outcome.skipped_chunks > 130000 && outcome.skipped_chunks < 160000);
    assert_int_equal(trn_store_stats(world->store).uniform_chunks, MODEL_CHUNKS);
    model_destroy(world);
}

static void chunks_that_are_not_there_fail_the_batch_where_asked(void **state)
{
    (void)state;
    ModelWorld *world = world_at_origin();
    model_insert(world, 0, NULL, TRN_BLOCK_STONE);
    model_listen(world, true);
    for (int kind = 0; kind < 3; kind++) {
        ModelBatch *batch = model_begin(world, TRN_ABSENT_FAIL, NULL);
        const TrnVoxel at = model_voxel(world, 31, 2, 3), far = model_voxel(world, 32, 2, 3);
        assert_int_equal(model_fill_sphere(batch, model_voxel(world, 9, 9, 9), 5, 2),
                         TRN_RESULT_OK);
        model_get(batch, far); // ABSENT, and that is all
        assert_int_equal(model_set(batch, at, 3), TRN_RESULT_OK);
        const TrnResult result = kind == 0   ? model_set(batch, far, 3)
                                 : kind == 1 ? model_fill_box(batch, at, far, 3)
                                             : model_fill_sphere(batch, at, 1, 3);
        assert_int_equal(result, TRN_RESULT_ABSENT);
        assert_int_equal(trn_batch_set(batch->batch, at, 3), TRN_RESULT_ABSENT);
        assert_int_equal(trn_batch_commit(batch->batch, NULL), TRN_RESULT_ABSENT);
        model_end(batch);
        model_check(world);
    }
    assert_int_equal(world->events, 0);
    model_destroy(world);
}

// ---- memory and caps ---------------------------------------------------------------------------

/// What takes memory in every way: chunks opened, copied, widened, and waited for.
static size_t costly_calls(const ModelWorld *world, ModelCall *calls)
{
    const ModelCall made[] = {
        {.kind = MODEL_BOX,
         .min = model_voxel(world, 1, 1, 1),
         .max = model_voxel(world, 70, 60, 40),
         .block = 7},
        {.kind = MODEL_BALL, .min = model_voxel(world, 40, 40, 40), .radius = 22.5, .block = 6},
        {.min = model_voxel(world, 33, 33, 33), .block = 600},
        {.min = model_voxel(world, 127, 127, 127), .block = 8},
        {.kind = MODEL_BALL, .min = model_voxel(world, 90, 90, 90), .radius = 9, .block = 6},
        {.kind = MODEL_BOX,
         .min = model_voxel(world, 64, 0, 64),
         .max = model_voxel(world, 95, 31, 95),
         .block = 3},
    };
    memcpy(calls, made, sizeof made);
    return sizeof made / sizeof *made;
}

static TrnResult deaf(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    (void)store, (void)user;
    return event->count ? TRN_RESULT_OK : TRN_RESULT_BAD_ARGUMENT;
}

/// A world with some chunks, some of them with payloads, and something that waits.
static ModelWorld *costly_world(const TrnStoreDef *def, uint64_t seed)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {seed};
    ModelWorld *world = model_create(def, LOWS[0]);
    for (uint32_t place = 0; place < MODEL_CHUNKS; place += place % 3 ? 1 : 2) {
        model_random_blocks(&random, blocks);
        model_insert(world, place, place % 2 ? blocks : NULL, TRN_BLOCK_STONE);
    }
    const ModelCall call = {.min = model_voxel(world, 40, 120, 120), .block = 5};
    assert_int_equal(model_attempt(world, NULL, &call, 1), TRN_RESULT_OK);
    return world;
}

/// @return whether the allocation that was to fail was reached
static bool fail_one_allocation(size_t at, bool fails_on, uint32_t results[TRN_RESULT_COUNT])
{
    TestAllocator memory = {0};
    ModelCall calls[8];
    const TrnAllocator allocator = test_allocator(&memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    ModelWorld *world = costly_world(&def, 65);
    if (at % 2) { // whose notes, too, take memory
        assert_int_equal(
            trn_store_listen(world->store, TRN_EVENT_BIT(TRN_EVENT_CHANGED), deaf, NULL),
            TRN_RESULT_OK);
    }
    const size_t count = costly_calls(world, calls);
    trn_store_trim(world->store);
    test_fail(&memory, at, fails_on ? SIZE_MAX : 0);
    const TrnResult result = model_attempt(world, NULL, calls, count);
    const bool is_reached = memory.allocations >= at;
    test_fail(&memory, 0, 0);
    results[result]++;
    assert_true(result == TRN_RESULT_OK || (is_reached && result == TRN_RESULT_NO_MEMORY));
    assert_int_equal(trn_store_stats(world->store).total_bytes, memory.live_bytes);
    model_check(world);
    assert_int_equal(model_attempt(world, NULL, calls, count), TRN_RESULT_OK); // now it goes
    model_check(world);
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        if (!world->chunks[place].is_present) {
            model_insert(world, place, NULL, TRN_BLOCK_AIR);
        }
    }
    model_check(world);
    model_destroy(world);
    assert_int_equal(memory.live_blocks, 0);
    return is_reached;
}

static void a_batch_that_memory_refuses_leaves_no_trace(void **state)
{
    (void)state;
    uint32_t results[TRN_RESULT_COUNT] = {0};
    for (int fails_on = 0; fails_on < 2; fails_on++) {
        for (size_t at = 1; fail_one_allocation(at, fails_on, results); at++) {
        }
    }
    print_message("  %u went well, %u had no memory\n", results[TRN_RESULT_OK],
                  results[TRN_RESULT_NO_MEMORY]);
    assert_true(results[TRN_RESULT_NO_MEMORY] > 10);
}

/// @return whether the allocation that was to fail was reached
static bool fail_one_insert(size_t at, const TrnBlock *blocks, uint32_t *failures)
{
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    ModelWorld *world = model_create(&def, LOWS[0]);
    for (uint32_t c = 0; c < 30; c++) {
        const ModelCall call = {.kind = MODEL_BALL,
                                .min = model_voxel(world, 16, 16, 16),
                                .radius = 15 - c / 3.0,
                                .block = (TrnBlock)(c * 20)};
        assert_int_equal(model_attempt(world, NULL, &call, 1), TRN_RESULT_OK);
    }
    trn_store_trim(world->store);
    test_fail(&memory, at, SIZE_MAX);
    const TrnResult result = model_try_insert(world, 0, blocks, 3);
    const bool is_reached = memory.allocations >= at;
    test_fail(&memory, 0, 0);
    model_check(world);
    assert_int_equal(trn_store_stats(world->store).total_bytes, memory.live_bytes);
    if (result != TRN_RESULT_OK) {
        assert_int_equal(result, TRN_RESULT_NO_MEMORY);
        ++*failures;
        model_insert(world, 0, blocks, 3);
        model_check(world);
    }
    model_destroy(world);
    assert_int_equal(memory.live_blocks, 0);
    return is_reached;
}

/// What waits goes on waiting where its chunk cannot come.
static void an_insert_that_memory_refuses_keeps_what_waits(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {66};
    uint32_t failures = 0;
    model_random_blocks(&random, blocks);
    for (int kind = 0; kind < 2; kind++) {
        for (size_t at = 1; fail_one_insert(at, kind ? blocks : NULL, &failures); at++) {
        }
    }
    assert_true(failures > 3);
}

static ModelWorld *stone_with_cap(size_t bytes_max)
{
    TrnStoreDef def = trn_store_def();
    def.bytes_max = bytes_max;
    ModelWorld *world = model_create(&def, LOWS[0]);
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        model_insert(world, place, NULL, TRN_BLOCK_STONE);
    }
    return world;
}

static void a_budget_reached_in_the_middle_of_a_box_changes_nothing(void **state)
{
    (void)state;
    ModelWorld *world = stone_with_cap(0);
    const size_t least = trn_store_stats(world->store).total_bytes_peak;
    const ModelCall calls[] = {{.min = model_voxel(world, 40, 40, 40), .block = 3},
                               {.kind = MODEL_BOX,
                                .min = model_voxel(world, 1, 1, 1),
                                .max = model_voxel(world, 126, 126, 126),
                                .block = TRN_BLOCK_SAND}};
    model_destroy(world);
    uint32_t refused = 0;
    TrnResult result = TRN_RESULT_FULL;
    for (size_t more = 0; result == TRN_RESULT_FULL; more += 60000) {
        world = stone_with_cap(least + more);
        if (refused % 2) {
            assert_int_equal(
                trn_store_listen(world->store, TRN_EVENT_BIT(TRN_EVENT_CHANGED), deaf, NULL),
                TRN_RESULT_OK);
        }
        result = model_attempt(world, NULL, calls, 2);
        refused += result == TRN_RESULT_FULL;
        model_check(world);
        const TrnStoreStats stats = trn_store_stats(world->store);
        assert_true(stats.total_bytes_peak <= least + more);
        assert_int_equal(stats.uniform_chunks, result == TRN_RESULT_FULL ? MODEL_CHUNKS : 8);
        model_destroy(world);
        assert_true(more < (size_t)64 << 20);
    }
    assert_int_equal(result, TRN_RESULT_OK);
    print_message("  %u budgets were too small\n", refused);
    assert_true(refused > 3);
}

static void what_readers_keep_can_stand_in_the_way_of_a_batch(void **state)
{
    (void)state;
    ModelWorld *world = stone_with_cap((size_t)3 << 20);
    TrnChunkReader *reader;
    assert_int_equal(trn_chunk_index_reader_create(trn_store_index(world->store), "test", &reader),
                     TRN_RESULT_OK);
    ModelCall box = {.kind = MODEL_BOX,
                     .min = model_voxel(world, 1, 1, 1),
                     .max = model_voxel(world, 80, 80, 80)};
    trn_chunk_index_read_begin(reader);
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < 1000 && result == TRN_RESULT_OK; i++) {
        box.block = (TrnBlock)(2 + i % 3);
        result = model_attempt(world, NULL, &box, 1);
    }
    assert_int_equal(result, TRN_RESULT_READERS);
    model_check(world);
    trn_chunk_index_read_end(reader);
    assert_int_equal(model_attempt(world, NULL, &box, 1), TRN_RESULT_OK);
    model_check(world);
    assert_true(trn_store_stats(world->store).total_bytes_peak <= (size_t)3 << 20);
    model_destroy(world);
}

/// A batch of a box and sets, or a chunk that comes, under an allocator that may fail.
static TrnResult attempt_at_random(ModelWorld *world, TestAllocator *memory, TestRandom *random)
{
    ModelCall calls[8];
    for (uint32_t c = 0; c < 8; c++) {
        calls[c] = (ModelCall){.kind = c ? MODEL_SET : MODEL_BOX,
                               .block = model_random_block(random),
                               .min = model_random_voxel(world, random)};
        calls[c].max = calls[c].min;
    }
    const int64_t room = model_voxel(world, WORLD_VOXELS - 1, 0, 0).x - calls[0].min.x;
    calls[0].max.x += room < 40 ? room : 40;
    if (test_random_next(random) % 2) { // so that the step needs memory
        trn_store_trim(world->store);
    }
    const uint32_t place = (uint32_t)test_random_range(random, 0, MODEL_CHUNKS - 1);
    const bool comes = test_random_next(random) % 4 == 0 && !world->chunks[place].is_present;
    const size_t at = (size_t)test_random_range(random, 0, 8);
    test_fail(memory, at, test_random_next(random) % 3 ? SIZE_MAX : 0);
    const TrnResult result =
        comes ? model_try_insert(world, place, NULL, 2) : model_attempt(world, NULL, calls, 8);
    test_fail(memory, 0, 0);
    return result;
}

/// Batches at random under an allocator that fails now and then, and in a budget that is too small.
static void random_batches_that_may_fail_agree_with_plain_arrays(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(67);
    uint32_t results[TRN_RESULT_COUNT] = {0};
    for (int round = 0; round < 4; round++) {
        TestAllocator memory = {0};
        const TrnAllocator allocator = test_allocator(&memory);
        TrnStoreDef def = trn_store_def();
        def.allocator = &allocator;
        def.bytes_max = round % 2 ? (size_t)700 << 10 : 0;
        def.pending_bytes_max = 40000;
        ModelWorld *world = model_create(&def, LOWS[0]);
        for (int step = 0; step < 250; step++) {
            results[attempt_at_random(world, &memory, &random)]++;
            model_check(world);
            assert_int_equal(trn_store_stats(world->store).total_bytes, memory.live_bytes);
        }
        model_destroy(world);
        assert_int_equal(memory.live_blocks, 0);
    }
    print_message("  %u well, %u no memory, %u full\n", results[TRN_RESULT_OK],
                  results[TRN_RESULT_NO_MEMORY], results[TRN_RESULT_FULL]);
    assert_true(results[TRN_RESULT_OK] > 100 && results[TRN_RESULT_NO_MEMORY] > 50 &&
                results[TRN_RESULT_FULL] > 20);
}

static void voxels_far_outside_the_world_are_refused_by_every_batch(void **state)
{
    (void)state;
    TrnStore *store;
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert(store, (TrnCoord){0, 0, 0}, NULL), TRN_RESULT_OK);
    const int64_t far[] = {INT64_MIN, INT64_MIN + 31, INT64_MIN + 32, INT64_MAX};
    for (uint32_t i = 0; i < 64; i++) {
        TrnBatch *batch;
        const TrnVoxel voxel = {far[i % 4], far[i / 4 % 4], far[i / 16]};
        for (int before = 0; before < 3;
             before++) { // nothing, a chunk that is there, one that is not
            assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
            if (before) {
                assert_int_equal(trn_batch_set(batch, (TrnVoxel){before == 1 ? 5 : 50, 5, 5}, 1),
                                 TRN_RESULT_OK);
            }
            assert_int_equal(trn_batch_set(batch, voxel, 1), TRN_RESULT_BAD_ARGUMENT);
            assert_int_equal(trn_batch_set(batch, voxel, 1), TRN_RESULT_BAD_ARGUMENT);
            assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_BAD_ARGUMENT);
        }
    }
    trn_store_destroy(store);
}

static void a_chunk_that_a_batch_has_open_is_held_against_all_else(void **state)
{
    (void)state;
    TrnStore *store;
    TrnChunk *chunk;
    TrnBatch *batch;
    TrnVoxelEdit edit;
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert(store, (TrnCoord){0, 0, 0}, &chunk), TRN_RESULT_OK);
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    assert_int_equal(trn_batch_set(batch, (TrnVoxel){1, 1, 1}, TRN_BLOCK_SAND), TRN_RESULT_OK);
    assert_int_equal(trn_store_fill(store, chunk, TRN_BLOCK_STONE), TRN_RESULT_HELD);
    assert_int_equal(trn_store_edit_begin(store, chunk, &edit), TRN_RESULT_HELD);
    assert_int_equal(trn_voxel_edit_set(&edit, 0, TRN_BLOCK_STONE), TRN_RESULT_BAD_ARGUMENT);
    assert_false(trn_store_edit_commit(store, &edit));
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_snapshot_count(trn_voxels_snapshot(&chunk->voxels), TRN_BLOCK_SAND), 1);
    assert_int_equal(trn_snapshot_count(trn_voxels_snapshot(&chunk->voxels), TRN_BLOCK_STONE), 0);
    trn_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_batches_agree_with_plain_arrays),
        cmocka_unit_test(nothing_shows_before_the_commit_and_then_everything),
        cmocka_unit_test(a_batch_without_change_publishes_nothing),
        cmocka_unit_test(a_listener_may_make_a_batch_of_its_own),
        cmocka_unit_test(a_chunks_edit_holds_until_the_batch_ends),
        cmocka_unit_test(no_two_batches_have_the_same_chunk_open),
        cmocka_unit_test(many_open_batches_hold_their_own_chunks),
        cmocka_unit_test(edits_wait_in_their_order_for_every_kind_of_insert),
        cmocka_unit_test(two_open_batches_wait_in_the_order_of_their_commits),
        cmocka_unit_test(voxels_far_outside_the_world_are_refused_by_every_batch),
        cmocka_unit_test(a_chunk_that_a_batch_has_open_is_held_against_all_else),
        cmocka_unit_test(a_chunk_that_comes_while_a_batch_is_open_gets_all_of_it),
        cmocka_unit_test(waiting_edits_are_dropped_on_demand),
        cmocka_unit_test(waiting_edits_keep_to_their_cap),
        cmocka_unit_test(repeated_edits_of_an_absent_chunk_stay_bounded),
        cmocka_unit_test(repeated_fills_of_absent_chunks_stay_bounded),
        cmocka_unit_test(absurd_batches_are_refused),
        cmocka_unit_test(empty_boxes_and_voxels_outside_fail_the_batch),
        cmocka_unit_test(shapes_wholly_outside_the_world_change_nothing),
        cmocka_unit_test(shapes_half_outside_the_world_are_cut_off),
        cmocka_unit_test(a_box_of_the_whole_world_is_quick),
        cmocka_unit_test(spheres_hold_the_voxels_within_their_radius),
        cmocka_unit_test(chunks_that_are_not_there_fail_the_batch_where_asked),
        cmocka_unit_test(a_batch_that_memory_refuses_leaves_no_trace),
        cmocka_unit_test(an_insert_that_memory_refuses_keeps_what_waits),
        cmocka_unit_test(a_budget_reached_in_the_middle_of_a_box_changes_nothing),
        cmocka_unit_test(what_readers_keep_can_stand_in_the_way_of_a_batch),
        cmocka_unit_test(random_batches_that_may_fail_agree_with_plain_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
