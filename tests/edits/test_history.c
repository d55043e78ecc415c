// Undo and redo, compared with plain arrays (world_model.h) and with full copies of the world
// for each step, while chunks are inserted and removed.

#include "history_steps.h"

static uint32_t groups_to_undo(const ModelHistory *history)
{
    return trn_history_stats(history->history).undo_groups;
}

// ---- images ------------------------------------------------------------------------------------

/// A ball of hundreds of runs across eight chunks: the history keeps these as they were.
static void write_ball(ModelWorld *world, ModelHistory *history, TrnBlock block)
{
    const ModelCall call = {
        .kind = MODEL_BALL, .min = model_voxel(world, 32, 32, 32), .radius = 9, .block = block};
    assert_int_equal(model_attempt(world, history, &call, 1), TRN_RESULT_OK);
}

static ModelWorld *noise_world(void)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = test_random_seeded(81);
    ModelWorld *world = model_create(NULL, MODEL_LOWS[0]);
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            blocks[i] = (TrnBlock)(1 + test_random_next(&random) % 5);
        }
        model_insert(world, place, blocks, place % 3 == 0 ? 4 : 0);
    }
    return world;
}

static size_t undo_and_redo_bytes(ModelWorld *world, ModelHistory *history)
{
    for (int i = 0; i < 3; i++) {
        assert_true(model_undo(world, history));
        model_check(world);
        assert_true(model_redo(world, history));
        model_check(world);
    }
    return trn_history_stats(history->history).bytes;
}

/// A step puts chunks back as they were only if nobody has changed them since. Otherwise it writes
/// the voxels that its batch changed, and no others.
static void chunks_that_changed_since_keep_what_others_wrote(void **state)
{
    (void)state;
    ModelWorld *world = noise_world();
    ModelHistory *history = model_history(world, UNBOUNDED),
                 *other = model_history(world, UNBOUNDED);
    write_ball(world, history, TRN_BLOCK_AIR);
    const size_t with_images = undo_and_redo_bytes(world, history);
    write_box(world, other, model_voxel(world, 30, 30, 30), model_voxel(world, 34, 50, 34), 7);
    const size_t without = undo_and_redo_bytes(world, history);
    assert_true(without < with_images); // they are of no use any more
    assert_true(model_undo(world, other));
    model_check(world);
    write_ball(world, history, 9);
    assert_true(undo_and_redo_bytes(world, history) > without);
    while (model_undo(world, history)) {
        model_check(world);
    }
    model_history_end(other);
    model_history_end(history);
    assert_int_equal(trn_edits_stats(world->store).history_bytes, 0);
    model_destroy(world);
}

/// Images make room for newer ones, and never cost a step.
static void images_take_what_steps_leave(void **state)
{
    (void)state;
    ModelWorld *world = noise_world();
    ModelHistory *history = model_history(world, (size_t)800 << 10);
    size_t bytes = 0;
    for (TrnBlock block = 10; block < 24; block++) {
        write_ball(world, history, block);
        const TrnHistoryStats stats = trn_history_stats(history->history);
        assert_int_equal(stats.undo_groups, block - 9);
        assert_int_equal(stats.dropped_groups, 0);
        bytes = stats.bytes;
    }
    assert_true(bytes <= (size_t)800 << 10);
    for (int again = 0; again < 2; again++) {
        while (model_undo(world, history)) {
            model_check(world);
        }
        while (model_redo(world, history)) {
            model_check(world);
        }
    }
    model_history_end(history);
    model_destroy(world);
}

// ---- full copies -------------------------------------------------------------------------------

#define COPY_STEPS 16

typedef struct WorldCopy {
    TrnBlock blocks[MODEL_CHUNKS][TRN_CHUNK_VOXELS];
} WorldCopy;

static void copy_world(const ModelWorld *world, WorldCopy *copy)
{
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        memcpy(copy->blocks[place], world->chunks[place].blocks, sizeof copy->blocks[place]);
    }
}

static void assert_same_as_copy(const ModelWorld *world, const WorldCopy *copy)
{
    model_check(world);
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        if (world->chunks[place].is_loaded) {
            assert_memory_equal(copy->blocks[place], world->chunks[place].blocks,
                                sizeof copy->blocks[place]);
        }
    }
}

/// Makes some calls of one batch, and commits or cancels it.
static void random_batch(ModelWorld *world, ModelHistory *history, TrnUnloadedPolicy policy,
                         TestRandom *random)
{
    ModelBatch *batch = model_begin(world, policy, history);
    TrnResult result = TRN_RESULT_OK;
    const int64_t calls = test_random_range(random, 1, 4);
    for (int64_t c = 0; c < calls && result == TRN_RESULT_OK; c++) {
        result = model_random_write(batch, random);
    }
    if (result == TRN_RESULT_OK && test_random_next(random) % 16) {
        model_commit(batch);
    } else {
        model_cancel(batch);
    }
}

/// Makes a batch, or a group of batches with nested groups and batches that change nothing.
static void random_step(ModelWorld *world, ModelHistory *history, TrnUnloadedPolicy policy,
                        TestRandom *random)
{
    const int64_t batches = test_random_range(random, 0, 3);
    if (batches == 0) {
        random_batch(world, history, policy, random);
        return;
    }
    model_begin_group(history);
    for (int64_t b = 0; b < batches; b++) {
        const bool is_nested = test_random_next(random) % 3 == 0;
        if (is_nested) {
            model_begin_group(history);
        }
        random_batch(world, history, policy, random);
        if (is_nested) {
            model_end_group(history);
        }
        model_commit(model_begin(world, policy, history));
    }
    model_end_group(history);
}

static void undo_and_redo_agree_with_full_copies_of_the_world(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(71);
    WorldCopy *copies = calloc(COPY_STEPS + 1, sizeof *copies);
    assert_non_null(copies);
    for (size_t w = 0; w < 2; w++) {
        ModelWorld *world = model_create(NULL, MODEL_LOWS[2 * w]);
        ModelHistory *history = model_history(world, UNBOUNDED);
        model_random_inserts(world, 80, &random);
        model_listen(world, w == 1);
        copy_world(world, &copies[0]);
        for (uint32_t moves = 0; moves < 120; moves++) {
            const uint64_t kind = test_random_next(&random) % 8;
            if (kind < 3 && history->done < COPY_STEPS) {
                random_step(world, history, TRN_UNLOADED_SKIP, &random);
                copy_world(world, &copies[history->done]);
            } else if (kind < 6) {
                model_undo(world, history);
            } else {
                model_redo(world, history);
            }
            assert_same_as_copy(world, &copies[history->done]);
        }
        while (model_undo(world, history)) {
        }
        assert_same_as_copy(world, &copies[0]);
        while (model_redo(world, history)) {
        }
        assert_same_as_copy(world, &copies[history->done]);
        model_history_end(history);
        model_destroy(world);
    }
    free(copies);
}

// ---- groups ------------------------------------------------------------------------------------

static void groups_are_one_step_and_nest(void **state)
{
    (void)state;
    ModelWorld *world = model_full_world(NULL, TRN_BLOCK_STONE);
    ModelHistory *history = model_history(world, UNBOUNDED);
    model_listen(world, true);
    write_small(world, history, 1, 2);
    model_begin_group(history);
    write_small(world, history, 3, 3);
    model_begin_group(history);
    write_small(world, history, 29, 4);
    model_end_group(history);
    write_small(world, history, 5, 5); // of the outer group
    model_end_group(history);
    write_small(world, history, 7, 6);
    assert_int_equal(groups_to_undo(history), 3);
    model_undo(world, history);
    model_check(world);
    model_undo(world, history);
    model_check(world);
    assert_int_equal(world->chunks[0].blocks[trn_local_index(3, 3, 3)], 2);
    assert_int_equal(world->chunks[0].blocks[trn_local_index(29, 3, 3)], TRN_BLOCK_STONE);
    assert_true(model_redo(world, history) && model_redo(world, history));
    assert_false(model_redo(world, history));
    model_check(world);
    model_history_end(history);
    model_destroy(world);
}

static void empty_groups_and_batches_are_no_step(void **state)
{
    (void)state;
    ModelWorld *world = model_full_world(NULL, TRN_BLOCK_STONE);
    ModelHistory *history = model_history(world, UNBOUNDED);
    model_begin_group(history);
    model_begin_group(history);
    model_end_group(history);
    model_commit(model_begin(world, TRN_UNLOADED_PENDING, history));
    write_small(world, history, 1, TRN_BLOCK_STONE);
    model_end_group(history);
    assert_int_equal(groups_to_undo(history), 0);
    assert_false(model_undo(world, history));
    write_small(world, history, 1, 2);
    model_undo(world, history);
    model_begin_group(history); // none of these drops what can be redone
    write_small(world, history, 1, TRN_BLOCK_STONE);
    ModelBatch *batch = model_begin(world, TRN_UNLOADED_PENDING, history);
    model_set(batch, model_voxel(world, 4, 4, 4), 4);
    model_cancel(batch);
    batch = model_begin(world, TRN_UNLOADED_SKIP, history);
    model_set(batch, model_voxel(world, -4, 4, 4), 4);
    model_commit(batch);
    model_end_group(history);
    assert_true(model_redo(world, history));
    model_check(world);
    model_history_end(history);
    model_destroy(world);
}

static void a_new_batch_drops_what_can_be_redone(void **state)
{
    (void)state;
    ModelWorld *world = model_full_world(NULL, TRN_BLOCK_STONE);
    ModelHistory *history = model_history(world, UNBOUNDED);
    for (TrnBlock i = 2; i < 7; i++) {
        write_small(world, history, i, i);
    }
    assert_true(model_undo(world, history) && model_undo(world, history));
    const size_t bytes = trn_history_stats(history->history).bytes;
    write_small(world, NULL, 50, 9); // of no history: drops nothing
    assert_int_equal(trn_history_stats(history->history).redo_groups, 2);
    write_small(world, history, 2, 8);
    assert_int_equal(trn_history_stats(history->history).redo_groups, 0);
    assert_true(trn_history_stats(history->history).bytes < bytes);
    assert_false(model_redo(world, history));
    while (model_undo(world, history)) {
        model_check(world);
    }
    trn_history_clear(history->history);
    model_cut_steps(history, 0);
    assert_false(model_undo(world, history) || model_redo(world, history));
    model_history_end(history);
    assert_int_equal(trn_edits_stats(world->store).history_bytes, 0);
    model_check(world);
    model_destroy(world);
}

/// Other batches write after the group, inside and outside its box.
static void undo_writes_only_what_the_group_changed(void **state)
{
    (void)state;
    ModelWorld *world = model_full_world(NULL, TRN_BLOCK_STONE);
    ModelHistory *history = model_history(world, UNBOUNDED);
    write_box(world, NULL, model_voxel(world, 4, 4, 4), model_voxel(world, 5, 4, 4), 2);
    write_small(world, history, 3, 2); // does not change two of its voxels
    write_box(world, NULL, model_voxel(world, 5, 4, 4), model_voxel(world, 9, 4, 4), 7);
    model_undo(world, history);
    model_check(world);
    assert_int_equal(world->chunks[0].blocks[trn_local_index(4, 4, 4)], 2);
    assert_int_equal(world->chunks[0].blocks[trn_local_index(5, 4, 4)],
                     7); // the group did not change it
    assert_int_equal(world->chunks[0].blocks[trn_local_index(6, 4, 4)], TRN_BLOCK_STONE);
    assert_int_equal(world->chunks[0].blocks[trn_local_index(9, 4, 4)], 7);
    write_box(world, NULL, model_voxel(world, 3, 3, 3), model_voxel(world, 3, 3, 3), 2);
    model_redo(world, history);
    model_check(world);
    model_undo(world, history); // back to what the group found at first
    model_check(world);
    assert_int_equal(world->chunks[0].blocks[trn_local_index(3, 3, 3)], TRN_BLOCK_STONE);
    model_history_end(history);
    model_destroy(world);
}

/// Two voxels of one chunk: the group changes one, and changes the other and changes it back.
static void a_voxel_that_a_group_changed_back_is_not_undone(void **state)
{
    (void)state;
    ModelWorld *world = model_full_world(NULL, TRN_BLOCK_STONE);
    ModelHistory *history = model_history(world, UNBOUNDED);
    const TrnVoxel changed = model_voxel(world, 4, 4, 4), back = model_voxel(world, 5, 4, 4);
    model_begin_group(history);
    write_box(world, history, changed, back, 2);
    write_box(world, history, back, back, TRN_BLOCK_STONE);
    model_end_group(history);
    write_box(world, NULL, changed, back, 7); // of no history
    assert_true(model_undo(world, history));
    assert_int_equal(world->chunks[0].blocks[trn_local_index(4, 4, 4)], TRN_BLOCK_STONE);
    assert_int_equal(world->chunks[0].blocks[trn_local_index(5, 4, 4)], 7);
    model_check(world);
    assert_true(model_redo(world, history));
    assert_int_equal(world->chunks[0].blocks[trn_local_index(4, 4, 4)], 2);
    assert_int_equal(world->chunks[0].blocks[trn_local_index(5, 4, 4)], 7);
    model_check(world);
    model_history_end(history);
    model_destroy(world);
}

static void histories_are_independent(void **state)
{
    (void)state;
    ModelWorld *world = model_full_world(NULL, TRN_BLOCK_STONE);
    ModelHistory *one = model_history(world, UNBOUNDED), *two = model_history(world, UNBOUNDED);
    write_small(world, one, 2, 2);
    write_small(world, two, 4, 3);
    write_small(world, one, 6, 4);
    assert_true(model_undo(world, two));
    assert_false(model_undo(world, two));
    assert_int_equal(groups_to_undo(one), 2);
    model_begin_group(one); // makes its own undo busy, and no other
    assert_int_equal(model_try_step(world, one, true), TRN_RESULT_BUSY);
    assert_true(model_redo(world, two));
    model_end_group(one);
    assert_true(model_undo(world, one));
    model_check(world);
    model_history_end(one);
    assert_true(model_undo(world, two));
    model_check(world);
    model_history_end(two);
    model_destroy(world);
}

// ---- random steps ------------------------------------------------------------------------------

static void random_move(ModelWorld *world, ModelHistory *histories[2], TestRandom *random,
                        uint32_t counts[4])
{
    ModelHistory *history = histories[test_random_next(random) % 4 == 0];
    const uint64_t kind = test_random_next(random) % 12;
    const TrnUnloadedPolicy policy =
        test_random_next(random) % 4 ? TRN_UNLOADED_PENDING : TRN_UNLOADED_SKIP;
    if (kind < 3) {
        counts[0]++;
        random_step(world, history, policy, random);
    } else if (kind < 4) {
        random_batch(world, NULL, policy, random);
    } else if (kind < 8) {
        counts[1] += model_undo(world, history);
    } else if (kind < 11) {
        counts[2] += model_redo(world, history);
    } else {
        counts[3]++;
        model_random_loads(world, 8, random);
    }
}

static void random_edits_undo_and_inserts_agree_with_plain_arrays(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(72);
    uint32_t counts[4] = {0};
    for (uint32_t w = 0; w < 4; w++) {
        ModelWorld *world = model_create(NULL, MODEL_LOWS[w % 2 ? 2 : 0]);
        ModelHistory *histories[2] = {model_history(world, UNBOUNDED),
                                      model_history(world, UNBOUNDED)};
        model_random_inserts(world, 60, &random);
        model_listen(world, w > 1);
        for (int moves = 0; moves < 120; moves++) {
            random_move(world, histories, &random, counts);
            model_check(world);
        }
        while (model_undo(world, histories[1]) || model_undo(world, histories[0])) {
        }
        model_check(world);
        for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
            if (!world->chunks[place].is_loaded) {
                model_random_insert(world, place, &random);
            }
        }
        model_check(world);
        while (model_redo(world, histories[0])) {
            model_check(world);
        }
        model_history_end(histories[0]);
        model_history_end(histories[1]);
        model_check(world);
        model_destroy(world);
    }
    print_message("  %u steps, %u undone, %u redone, %u inserts and removals\n", counts[0],
                  counts[1], counts[2], counts[3]);
}

// ---- unloaded chunks ---------------------------------------------------------------------------

/// Makes two groups over a loaded chunk and an unloaded one. The second overwrites half of the
/// first.
static ModelHistory *two_groups(ModelWorld *world)
{
    ModelHistory *history = model_history(world, UNBOUNDED);
    model_insert(world, 0, NULL, TRN_BLOCK_STONE);
    write_small(world, history, 29, 2);
    model_begin_group(history);
    write_small(world, history, 30, 3);
    write_small(world, history, 31, TRN_BLOCK_STONE);
    model_end_group(history);
    return history;
}

/// Does one of: undo, redo, insert chunk 1 with a block, remove it.
static void do_move(ModelWorld *world, ModelHistory *history, uint32_t move, TrnBlock block)
{
    if (move == 0) {
        model_undo(world, history);
    } else if (move == 1) {
        model_redo(world, history);
    } else if (world->chunks[1].is_loaded == (move == 3)) {
        if (move == 2) {
            model_insert(world, 1, NULL, block);
        } else {
            model_remove(world, 1);
        }
    }
    model_check(world);
}

#define ORDER_LENGTH 5

static void every_order_of_undo_redo_insert_and_remove_is_exact(void **state)
{
    (void)state;
    for (uint32_t order = 0; order < 1u << (2 * ORDER_LENGTH); order += test_rounds(1, 11)) {
        ModelWorld *world = model_create(NULL, MODEL_LOWS[0]);
        ModelHistory *history = two_groups(world);
        for (uint32_t i = 0; i < ORDER_LENGTH; i++) {
            do_move(world, history, order >> (2 * i) & 3, (TrnBlock)(10 + i));
        }
        do_move(world, history, 2, 20);
        model_history_end(history);
        model_destroy(world);
    }
}

static void long_orders_of_undo_redo_insert_and_remove_are_exact(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(73);
    for (uint32_t round = 0; round < test_rounds(60, 6); round++) {
        ModelWorld *world = model_create(NULL, MODEL_LOWS[0]);
        ModelHistory *history = two_groups(world);
        for (uint32_t i = 0; i < 30; i++) {
            const uint32_t move = (uint32_t)(test_random_next(&random) % 5);
            if (move < 4) {
                do_move(world, history, move, (TrnBlock)(10 + i));
            } else {
                write_small(world, test_random_next(&random) % 2 ? history : NULL,
                            test_random_range(&random, 24, 36), (TrnBlock)(i % 5));
            }
        }
        model_history_end(history); // pending edits stay pending
        if (!world->chunks[1].is_loaded) {
            model_insert(world, 1, NULL, 20);
        }
        model_check(world);
        model_destroy(world);
    }
}

/// Of two undone edits of one voxel, the later restores the block from before the earlier. Redo
/// does both, although only one of them would have changed the chunk when it was inserted.
static void edits_undone_before_the_insert_are_redone_completely(void **state)
{
    (void)state;
    ModelWorld *world = model_create(NULL, MODEL_LOWS[0]);
    ModelHistory *history = model_history(world, UNBOUNDED);
    const TrnVoxel at = model_voxel(world, 1, 1, 1);
    TrnBlock block;
    write_box(world, history, at, at, TRN_BLOCK_STONE);
    write_box(world, history, at, at, TRN_BLOCK_AIR);
    assert_true(model_undo(world, history) && model_undo(world, history));
    assert_int_equal(trn_pending_chunks(world->store, NULL, 0), 0);
    model_insert(world, 0, NULL, TRN_BLOCK_AIR);
    static const TrnBlock expected[] = {TRN_BLOCK_STONE, TRN_BLOCK_AIR, TRN_BLOCK_STONE,
                                        TRN_BLOCK_AIR};
    for (int i = 0; i < 4; i++) {
        assert_true(i < 2 ? model_redo(world, history) : model_undo(world, history));
        assert_int_equal(trn_store_get_block(world->store, at, &block), TRN_RESULT_OK);
        assert_int_equal(block, expected[i]);
    }
    model_check(world);
    model_history_end(history);
    model_destroy(world);
}

/// Pending edits stay pending; undone ones stay undone.
static void edits_stay_pending_when_their_history_is_destroyed(void **state)
{
    (void)state;
    for (int how = 0; how < 4; how++) {
        ModelWorld *world = model_create(NULL, MODEL_LOWS[0]);
        ModelHistory *history = two_groups(world);
        if (how & 1) {
            assert_true(model_undo(world, history));
        }
        if (how & 2) {
            trn_history_clear(history->history);
            model_cut_steps(history, 0);
            model_check(world);
            assert_false(model_undo(world, history) || model_redo(world, history));
            write_small(world, history, 33, 9);
            assert_true(model_undo(world, history));
        }
        model_history_end(history);
        model_check(world);
        assert_int_equal(trn_edits_stats(world->store).pending_chunks, 1);
        assert_int_equal(trn_edits_stats(world->store).history_bytes, 0);
        model_insert(world, 1, NULL, TRN_BLOCK_SNOW);
        model_check(world);
        model_destroy(world);
    }
}

static void undoing_dropped_edits_does_nothing(void **state)
{
    (void)state;
    ModelWorld *world = model_create(NULL, MODEL_LOWS[0]);
    TrnHistory *history;
    TrnBatch *batch;
    TrnBatchOutcome outcome;
    TrnBatchDef def = trn_batch_def();
    assert_int_equal(trn_history_create(world->store, NULL, &history), TRN_RESULT_OK);
    assert_int_equal(trn_history_stats(history).bytes_max, (size_t)16 << 20);
    def.history = history;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(trn_batch_begin(world->store, &def, &batch), TRN_RESULT_OK);
        trn_batch_fill_box(batch, model_voxel(world, i, 0, 0), model_voxel(world, 9, 9, 9), 3);
        assert_int_equal(trn_batch_commit(batch, &outcome), TRN_RESULT_OK);
        assert_int_equal(outcome.pending_chunks, 1);
    }
    assert_true(trn_pending_drop(world->store, world->low) > 0);
    assert_int_equal(trn_pending_chunks(world->store, NULL, 0), 0);
    while (trn_history_undo(history, &outcome) == TRN_RESULT_OK) {
        assert_int_equal(outcome.changed_chunks + outcome.pending_chunks, 0);
        assert_int_equal(outcome.revision, trn_store_revision(world->store));
    }
    model_check(world);
    model_insert(world, 0, NULL, TRN_BLOCK_SNOW);
    model_check(world);
    trn_history_destroy(history);
    model_destroy(world);
}

// ---- busy --------------------------------------------------------------------------------------

static void open_batches_and_groups_make_undo_busy(void **state)
{
    (void)state;
    ModelWorld *world = model_full_world(NULL, TRN_BLOCK_STONE);
    ModelHistory *history = model_history(world, UNBOUNDED);
    model_listen(world, true);
    write_small(world, history, 30, 2);
    write_small(world, history, 29, 3);
    model_undo(world, history);
    for (int kind = 0; kind < 3; kind++) {
        ModelBatch *batch = NULL;
        if (kind == 2) {
            model_begin_group(history);
        } else {
            batch = model_begin(world, TRN_UNLOADED_PENDING, kind ? history : NULL);
            model_set(batch, model_voxel(world, kind ? 99 : 40, 20, 20), 5);
        }
        for (int i = 0; i < 2; i++) {
            assert_int_equal(model_try_step(world, history, i), TRN_RESULT_BUSY);
            model_check(world);
        }
        if (batch) {
            model_cancel(batch);
        } else {
            model_end_group(history);
        }
        assert_true(model_undo(world, history) && model_redo(world, history));
        model_check(world);
    }
    ModelBatch *batch = model_begin(world, TRN_UNLOADED_PENDING, NULL); // has other chunks open
    model_set(batch, model_voxel(world, 99, 99, 99), 5);
    assert_true(model_redo(world, history) && model_undo(world, history));
    model_commit(batch);
    model_check(world);
    model_history_end(history);
    model_destroy(world);
}

static void invalid_arguments_of_histories_are_refused(void **state)
{
    (void)state;
    ModelWorld *world = model_full_world(NULL, TRN_BLOCK_STONE);
    TrnHistory *history = NULL;
    assert_int_equal(trn_history_create(NULL, NULL, &history), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_history_create(world->store, NULL, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_null(history);
    trn_history_destroy(NULL);
    assert_int_equal(trn_history_def().bytes_max, (size_t)16 << 20);
    model_destroy(world);
}

// ---- memory and caps ---------------------------------------------------------------------------

/// Writes one voxel with a batch.
static void write_origin(TrnStore *store, TrnHistory *history, TrnBlock block)
{
    TrnBatchDef def = trn_batch_def();
    TrnBatch *batch;
    def.history = history;
    assert_int_equal(trn_batch_begin(store, &def, &batch), TRN_RESULT_OK);
    trn_batch_set(batch, (TrnVoxel){0, 0, 0}, block);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
}

static TrnBlock origin_of(const TrnStore *store)
{
    TrnBlock block = 0xFFFF;
    assert_int_equal(trn_store_get_block(store, (TrnVoxel){0, 0, 0}, &block), TRN_RESULT_OK);
    return block;
}

/// Even if two batches of a group cancel each other, undo writes what the first one found.
static void a_group_restores_what_its_first_batch_found(void **state)
{
    (void)state;
    TrnStore *store;
    TrnHistory *history;
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    assert_int_equal(trn_history_create(store, NULL, &history), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, 1, NULL), TRN_RESULT_OK);
    trn_history_begin_group(history);
    write_origin(store, history, 2);
    write_origin(store, history, 1);
    write_origin(store, NULL, 5);
    write_origin(store, history, 7);
    trn_history_end_group(history);
    assert_int_equal(trn_history_undo(history, NULL), TRN_RESULT_OK);
    assert_int_equal(origin_of(store), 1);
    assert_int_equal(trn_history_redo(history, NULL), TRN_RESULT_OK);
    assert_int_equal(origin_of(store), 7);
    trn_history_destroy(history);
    trn_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_that_changed_since_keep_what_others_wrote),
        cmocka_unit_test(images_take_what_steps_leave),
        cmocka_unit_test(undo_and_redo_agree_with_full_copies_of_the_world),
        cmocka_unit_test(groups_are_one_step_and_nest),
        cmocka_unit_test(empty_groups_and_batches_are_no_step),
        cmocka_unit_test(a_new_batch_drops_what_can_be_redone),
        cmocka_unit_test(undo_writes_only_what_the_group_changed),
        cmocka_unit_test(a_voxel_that_a_group_changed_back_is_not_undone),
        cmocka_unit_test(histories_are_independent),
        cmocka_unit_test(random_edits_undo_and_inserts_agree_with_plain_arrays),
        cmocka_unit_test(every_order_of_undo_redo_insert_and_remove_is_exact),
        cmocka_unit_test(long_orders_of_undo_redo_insert_and_remove_are_exact),
        cmocka_unit_test(edits_undone_before_the_insert_are_redone_completely),
        cmocka_unit_test(edits_stay_pending_when_their_history_is_destroyed),
        cmocka_unit_test(undoing_dropped_edits_does_nothing),
        cmocka_unit_test(a_group_restores_what_its_first_batch_found),
        cmocka_unit_test(open_batches_and_groups_make_undo_busy),
        cmocka_unit_test(invalid_arguments_of_histories_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
