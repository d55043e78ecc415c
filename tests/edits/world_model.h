/// A model for tests of batches and histories: a world of 4 x 4 x 4 chunks, and plain arrays to
/// which the same edits are applied. model_set, model_fill_box, model_fill_sphere and
/// model_raw_edit edit both; each computes from the arrays alone what the store should return.
#pragma once

#include "world_model_batch.h"

// ---- histories ---------------------------------------------------------------------------------

static inline ModelHistory *model_history(ModelWorld *world, size_t bytes_max)
{
    ModelHistory *history = model_alloc(sizeof *history);
    TrnHistoryDef def = trn_history_def();
    def.bytes_max = bytes_max;
    assert_int_equal(trn_history_create(world->store, &def, &history->history), TRN_RESULT_OK);
    return history;
}

static inline void model_free_note(ModelNote *note)
{
    if (note->draft && note->is_pending) {
        note->draft->note = NULL; // the draft stays pending
    } else {
        free(note->draft);
    }
    free(note);
}

/// Forgets the steps from `from` on.
static inline void model_cut_steps(ModelHistory *history, uint32_t from)
{
    for (uint32_t s = from; s < history->count; s++) {
        for (uint32_t n = 0; n < history->steps[s].count; n++) {
            model_free_note(history->steps[s].notes[n]);
        }
        free(history->steps[s].notes);
        history->steps[s] = (ModelStep){NULL, 0};
    }
    history->count = from < history->count ? from : history->count;
    history->done = history->done < history->count ? history->done : history->count;
}

static inline void model_history_end(ModelHistory *history)
{
    trn_history_destroy(history->history);
    model_cut_steps(history, 0);
    free(history);
}

static inline void model_check_history(const ModelHistory *history)
{
    const TrnHistoryStats stats = trn_history_stats(history->history);
    assert_int_equal(stats.undo_groups, history->done);
    assert_int_equal(stats.redo_groups, history->count - history->done);
    assert_true(stats.bytes <= stats.bytes_max);
}

static inline void model_begin_group(ModelHistory *history)
{
    trn_history_begin_group(history->history);
    history->depth++;
}

static inline void model_end_group(ModelHistory *history)
{
    trn_history_end_group(history->history);
    if (--history->depth == 0) {
        history->has_open_step = false;
    }
}

/// Returns the step that the batch's notes belong to.
static inline ModelStep *model_step(ModelHistory *history)
{
    if (!history->has_open_step) {
        model_cut_steps(history, history->done);
        assert_true(history->count < MODEL_STEPS);
        history->count = ++history->done;
    }
    history->has_open_step = history->depth > 0;
    return &history->steps[history->done - 1];
}

static inline void model_add_note(ModelStep *step, ModelNote *note)
{
    step->notes = realloc(step->notes, (step->count + 1) * sizeof(void *));
    assert_non_null(step->notes);
    step->notes[step->count++] = note;
}

/// Returns a note of what a draft is about to change in a loaded chunk, or NULL if nothing.
static inline ModelNote *model_note_loaded(const ModelChunk *chunk, const ModelDraft *draft)
{
    ModelNote *note = model_alloc(sizeof *note);
    bool is_any = false;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        note->changed[i] = draft->written[i] && draft->blocks[i] != chunk->blocks[i];
        note->was[i] = chunk->blocks[i];
        note->became[i] = draft->blocks[i];
        is_any |= note->changed[i];
    }
    if (!is_any) {
        free(note);
        note = NULL;
    }
    return note;
}

/// Makes a batch's edits of an unloaded chunk pending. @return their note; NULL without a history
static inline ModelNote *model_note_unloaded(ModelBatch *batch, uint32_t place)
{
    ModelDraft *draft = batch->change.drafts[place];
    if (batch->history) {
        draft->note = model_alloc(sizeof *draft->note);
        draft->note->draft = draft;
        draft->note->is_pending = true;
    }
    model_add_pending(&batch->world->chunks[place], draft);
    batch->change.drafts[place] = NULL;
    batch->change.is_pending[place] = true;
    return draft->note;
}

/// Records a committed batch in the history, and makes edits of unloaded chunks pending.
static inline void model_note_batch(ModelBatch *batch)
{
    ModelStep *step = NULL;
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        const ModelChunk *chunk = &batch->world->chunks[place];
        const ModelDraft *draft = batch->change.drafts[place];
        ModelNote *note = NULL;
        if (draft && !chunk->is_loaded) {
            note = model_note_unloaded(batch, place);
        } else if (draft && batch->history) {
            note = model_note_loaded(chunk, draft);
        }
        if (note && batch->history) {
            note->place = place;
            step = step ? step : model_step(batch->history);
            model_add_note(step, note);
        }
    }
}

/// Does a commit in the model, and compares the outcome.
/// @param before  the store's revision before the commit
static inline void model_committed(ModelBatch *batch, const TrnBatchOutcome *outcome,
                                   uint64_t before)
{
    model_note_batch(batch);
    model_publish(batch->world, &batch->change, outcome, before);
    if (batch->history) {
        model_check_history(batch->history);
    }
    model_end(batch);
}

static inline void model_commit(ModelBatch *batch)
{
    const uint64_t before = trn_store_revision(batch->world->store);
    TrnBatchOutcome outcome;
    memset(&outcome, 0xEE, sizeof outcome);
    model_forget_events(batch->world);
    assert_int_equal(trn_batch_commit(batch->batch, &outcome), TRN_RESULT_OK);
    model_committed(batch, &outcome, before);
}

// ---- batches that may fail ---------------------------------------------------------------------

typedef enum ModelCallKind { MODEL_SET, MODEL_BOX, MODEL_BALL } ModelCallKind;

/// One call of a batch, to be made later.
typedef struct ModelCall {
    ModelCallKind kind;
    TrnBlock block;
    TrnVoxel min, max; ///< of a sphere, min is the centre
    double radius;
} ModelCall;

static inline TrnResult model_call(TrnBatch *batch, const ModelCall *call)
{
    return call->kind == MODEL_SET ? trn_batch_set(batch, call->min, call->block)
           : call->kind == MODEL_BOX
               ? trn_batch_fill_box(batch, call->min, call->max, call->block)
               : trn_batch_fill_sphere(batch, call->min, call->radius, call->block);
}

/// Does a successful call in the arrays alone.
static inline void model_do_call(ModelBatch *batch, const ModelCall *call)
{
    const int64_t reach = (int64_t)call->radius;
    const TrnVoxel at = call->min;
    ModelShape shape = {.min = at, .max = call->kind == MODEL_SET ? at : call->max};
    if (call->kind == MODEL_BALL) {
        shape = (ModelShape){.min = {at.x - reach, at.y - reach, at.z - reach},
                             .max = {at.x + reach, at.y + reach, at.z + reach},
                             .is_ball = true,
                             .centre = at,
                             .radius = call->radius};
    }
    model_clip(&shape);
    model_wrote(batch, &shape, call->block, TRN_RESULT_OK);
}

/// Makes a batch of some calls, which may fail because of memory or caps. A failure must change
/// nothing, a success must match the model.
static inline TrnResult model_attempt(ModelWorld *world, ModelHistory *history,
                                      const ModelCall *calls, size_t count)
{
    const uint64_t before = trn_store_revision(world->store);
    TrnBatchDef def = trn_batch_def();
    def.history = history ? history->history : NULL;
    TrnBatch *batch = NULL;
    TrnResult result = trn_batch_begin(world->store, &def, &batch);
    if (result != TRN_RESULT_OK) {
        assert_null(batch);
        return result;
    }
    model_forget_events(world);
    for (size_t c = 0; c < count; c++) {
        const TrnResult called = model_call(batch, &calls[c]);
        assert_true(result == TRN_RESULT_OK || called == result); // first failure
        result = called;
    }
    TrnBatchOutcome outcome, untouched;
    memset(&outcome, 0xEE, sizeof outcome);
    memcpy(&untouched, &outcome, sizeof outcome);
    const TrnResult committed = trn_batch_commit(batch, &outcome);
    assert_true(result == TRN_RESULT_OK || committed == result);
    if (committed == TRN_RESULT_OK) {
        ModelBatch *told = model_adopt(world, def.unloaded, history, batch);
        for (size_t c = 0; c < count; c++) {
            model_do_call(told, &calls[c]);
        }
        model_committed(told, &outcome, before);
    } else {
        assert_memory_equal(&outcome, &untouched, sizeof outcome);
        assert_int_equal(trn_store_revision(world->store), before);
        assert_int_equal(world->events, 0);
    }
    return committed;
}

// ---- undo and redo -----------------------------------------------------------------------------

/// Computes what all notes of a step together changed in a chunk: the first `was` and the last
/// `became` of each voxel, without voxels that ended as they began. Notes of drafts still pending
/// do not count.
static inline void model_net(const ModelStep *step, uint32_t place, ModelNote *net)
{
    memset(net->changed, 0, sizeof net->changed);
    for (uint32_t n = 0; n < step->count; n++) {
        const ModelNote *note = step->notes[n];
        for (uint32_t i = 0; note->place == place && !note->draft && i < TRN_CHUNK_VOXELS; i++) {
            if (note->changed[i]) {
                net->was[i] = net->changed[i] ? net->was[i] : note->was[i];
                net->became[i] = note->became[i];
                net->changed[i] = net->was[i] != net->became[i];
            }
        }
    }
}

/// Writes the noted blocks into the chunk, or makes them pending if it is no longer loaded.
static inline void model_write_noted(ModelWorld *world, ModelChange *change, uint32_t place,
                                     const bool *written, const TrnBlock *blocks)
{
    ModelChunk *chunk = &world->chunks[place];
    ModelDraft *draft = chunk->is_loaded ? NULL : model_alloc(sizeof *draft);
    bool is_any = false;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        if (!written[i]) {
            continue;
        }
        is_any = true;
        if (draft) {
            draft->written[i] = true;
            draft->blocks[i] = blocks[i];
        } else {
            model_write(world, change, place, i, blocks[i]);
        }
    }
    if (draft && is_any) {
        model_add_pending(chunk, draft);
        change->is_pending[place] = true;
    } else {
        free(draft);
    }
}

/// Writes what the notes of a step together changed, chunk by chunk.
static inline void model_write_net(ModelWorld *world, ModelChange *change, const ModelStep *step,
                                   bool is_undo)
{
    ModelNote *net = model_alloc(sizeof *net);
    bool is_done[MODEL_CHUNKS] = {false};
    for (uint32_t n = 0; n < step->count; n++) {
        const uint32_t place = step->notes[n]->place;
        if (!is_done[place]) {
            model_net(step, place, net);
            model_write_noted(world, change, place, net->changed, is_undo ? net->was : net->became);
            is_done[place] = true;
        }
    }
    free(net);
}

/// Removes a draft from the pending ones.
static inline void model_remove_pending(ModelChunk *chunk, const ModelDraft *draft)
{
    ModelDraft **link = &chunk->pending;
    while (*link != draft) {
        assert_non_null(*link);
        link = &(*link)->next;
    }
    *link = draft->next;
}

/// Redoes an edit that was undone before its chunk was inserted: now it becomes pending, or is
/// applied, as a new edit would be.
static inline void model_redo_draft(ModelWorld *world, ModelChange *change, ModelNote *note)
{
    ModelChunk *chunk = &world->chunks[note->place];
    ModelDraft *draft = note->draft;
    if (!chunk->is_loaded) {
        if (note->is_pending) {
            model_remove_pending(chunk, draft);
        }
        draft->is_off = false;
        note->is_pending = true;
        model_add_pending(chunk, draft);
        change->is_pending[note->place] = true;
        return;
    }
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        if (draft->written[i]) {
            note->was[i] = model_now(world, change, note->place, i);
            note->became[i] = draft->blocks[i];
            note->changed[i] = note->was[i] != note->became[i];
            model_write(world, change, note->place, i, draft->blocks[i]);
        }
    }
    note->draft = NULL;
    free(draft);
}

static inline void model_step_back(ModelWorld *world, ModelHistory *history, ModelChange *change)
{
    const ModelStep *step = &history->steps[--history->done];
    for (uint32_t n = 0; n < step->count; n++) {
        if (step->notes[n]->draft) {
            step->notes[n]->draft->is_off = true;
        }
    }
    model_write_net(world, change, step, true);
}

static inline void model_step_on(ModelWorld *world, ModelHistory *history, ModelChange *change)
{
    const ModelStep *step = &history->steps[history->done++];
    model_write_net(world, change, step, false);
    for (uint32_t n = 0; n < step->count; n++) {
        if (step->notes[n]->draft) {
            model_redo_draft(world, change, step->notes[n]);
        }
    }
}

/// Undoes or redoes a step, which may fail because of memory, caps or open chunks. A failure must
/// change nothing, a success must match the model.
static inline TrnResult model_try_step(ModelWorld *world, ModelHistory *history, bool is_undo)
{
    const uint64_t before = trn_store_revision(world->store);
    ModelChange change = {.counts_voxels = true};
    TrnBatchOutcome outcome, untouched;
    memset(&outcome, 0xEE, sizeof outcome);
    memcpy(&untouched, &outcome, sizeof outcome);
    model_forget_events(world);
    const TrnResult result = is_undo ? trn_history_undo(history->history, &outcome)
                                     : trn_history_redo(history->history, &outcome);
    if (result == TRN_RESULT_OK) {
        assert_true(is_undo ? history->done > 0 : history->done < history->count);
        (is_undo ? model_step_back : model_step_on)(world, history, &change);
        model_publish(world, &change, &outcome, before);
    } else {
        assert_memory_equal(&outcome, &untouched, sizeof outcome);
        assert_int_equal(world->events, 0);
        assert_int_equal(trn_store_revision(world->store), before);
    }
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        free(change.drafts[place]);
    }
    model_check_history(history);
    return result;
}

/// Undoes or redoes a step that must succeed. @return whether there was one
static inline bool model_do_step(ModelWorld *world, ModelHistory *history, bool is_undo)
{
    const bool is_there = is_undo ? history->done > 0 : history->done < history->count;
    assert_int_equal(model_try_step(world, history, is_undo),
                     is_there ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND);
    return is_there;
}

static inline bool model_undo(ModelWorld *world, ModelHistory *history)
{
    return model_do_step(world, history, true);
}

static inline bool model_redo(ModelWorld *world, ModelHistory *history)
{
    return model_do_step(world, history, false);
}

// ---- random worlds and writes -------------------------------------------------------------------

/// Generates blocks in layers, with noise in some.
static inline void model_random_blocks(TestRandom *random, TrnBlock *blocks)
{
    const uint64_t noise = test_random_next(random);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const bool is_layer = noise % 4 && i / 4096 % 3;
        const uint64_t block = is_layer ? i / 4096 : test_random_next(random) % (1 + noise % 20);
        blocks[i] = (TrnBlock)block;
    }
}

/// Inserts a chunk of air, of one block, or of voxels.
static inline void model_random_insert(ModelWorld *world, uint32_t place, TestRandom *random)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const uint64_t kind = test_random_next(random) % 3;
    model_random_blocks(random, blocks);
    model_insert(world, place, kind == 2 ? blocks : NULL, (TrnBlock)kind);
}

/// Inserts and removes random chunks, except those that the first open batch writes.
static inline void model_random_loads(ModelWorld *world, int times, TestRandom *random)
{
    for (int i = 0; i < times; i++) {
        const uint32_t place = (uint32_t)test_random_range(random, 0, MODEL_CHUNKS - 1);
        if (world->open[0] && world->open[0]->change.drafts[place]) {
            continue;
        }
        if (world->chunks[place].is_loaded) {
            model_remove(world, place);
        } else {
            model_random_insert(world, place, random);
        }
    }
}

/// Creates a world at the origin with all chunks loaded and of one block. @param def  NULL: the
/// default
static inline ModelWorld *model_full_world(const TrnStoreDef *def, TrnBlock block)
{
    ModelWorld *world = model_create(def, MODEL_LOWS[0]);
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        model_insert(world, place, NULL, block);
    }
    return world;
}

/// Inserts some percent of the chunks.
static inline void model_random_inserts(ModelWorld *world, uint32_t percent, TestRandom *random)
{
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        if (test_random_next(random) % 100 < percent) {
            model_random_insert(world, place, random);
        }
    }
}

/// Computes how far a shape may reach along an axis, in voxels from the lowest voxel of the model:
/// beyond the model only at an end of the world, or if the policy skips unloaded chunks.
static inline void model_reach(const ModelBatch *batch, int64_t *low, int64_t *high, int32_t first)
{
    const int64_t edge = (int64_t)MODEL_EDGE * TRN_CHUNK_EDGE;
    const bool is_free = batch->policy == TRN_UNLOADED_SKIP;
    *low = is_free || first == INT32_MIN ? -50 : 0;
    *high = is_free || first > INT32_MAX - MODEL_EDGE ? edge + 49 : edge - 1;
}

static inline TrnBlock model_random_block(TestRandom *random)
{
    return (TrnBlock)(test_random_next(random) % 8 ? test_random_range(random, 0, 5)
                                                   : test_random_range(random, 0, 900));
}

static inline TrnVoxel model_random_voxel(const ModelWorld *world, TestRandom *random)
{
    const int64_t last = (int64_t)MODEL_EDGE * TRN_CHUNK_EDGE - 1;
    return model_voxel(world, test_random_range(random, 0, last),
                       test_random_range(random, 0, last), test_random_range(random, 0, last));
}

/// Chooses one axis of a random box that has a voxel in the model.
static inline void model_random_span(const ModelBatch *batch, TestRandom *random, int32_t first,
                                     int64_t *min, int64_t *max)
{
    int64_t low, high;
    model_reach(batch, &low, &high, first);
    const int64_t edge = (int64_t)MODEL_EDGE * TRN_CHUNK_EDGE;
    const int64_t most = test_random_next(random) % 3 ? 12 : 2 * edge;
    const int64_t inside = test_random_range(random, 0, edge - 1);
    const int64_t origin = (int64_t)first * TRN_CHUNK_EDGE;
    *min = origin + model_clamp(inside - test_random_range(random, 0, most), low, inside);
    *max = origin + model_clamp(inside + test_random_range(random, 0, most), inside, high);
}

static inline TrnResult model_random_box(ModelBatch *batch, TestRandom *random)
{
    TrnVoxel min, max;
    model_random_span(batch, random, batch->world->low.x, &min.x, &max.x);
    model_random_span(batch, random, batch->world->low.y, &min.y, &max.y);
    model_random_span(batch, random, batch->world->low.z, &min.z, &max.z);
    return model_fill_box(batch, min, max, model_random_block(random));
}

static inline double model_room(const ModelBatch *batch, int32_t first, int64_t at, double room)
{
    int64_t low, high;
    model_reach(batch, &low, &high, first);
    const int64_t local = at - (int64_t)first * TRN_CHUNK_EDGE;
    const int64_t least = local - low < high - local ? local - low : high - local;
    return (double)least < room ? (double)least : room;
}

/// Writes a random sphere: the radius is a multiple of 1/4, or 1/64 or so more.
static inline TrnResult model_random_sphere(ModelBatch *batch, TestRandom *random)
{
    const TrnCoord low = batch->world->low;
    const TrnVoxel centre = model_random_voxel(batch->world, random);
    double room = test_random_next(random) % 2 ? 8 : 40;
    room = model_room(batch, low.x, centre.x, room);
    room = model_room(batch, low.y, centre.y, room);
    room = model_room(batch, low.z, centre.z, room);
    double radius = (double)test_random_range(random, 0, (int64_t)(room * 4)) / 4;
    radius += test_random_next(random) % 2 ? 0 : (double)test_random_range(random, 0, 15) / 64;
    return model_fill_sphere(batch, centre, radius, model_random_block(random));
}

/// Makes one random call. @return its result: OK, BUSY or NOT_FOUND
static inline TrnResult model_random_write(ModelBatch *batch, TestRandom *random)
{
    TrnResult result = TRN_RESULT_OK;
    const TrnVoxel voxel = model_random_voxel(batch->world, random);
    const int place = model_place(batch->world, trn_voxel_chunk(voxel));
    switch (test_random_next(random) % 5) {
    case 0:
        return model_random_box(batch, random);
    case 1:
        return model_random_sphere(batch, random);
    case 2:
        return batch->world->chunks[place].is_loaded || test_random_next(random) % 40 == 0
                   ? model_raw_edit(batch, (uint32_t)place, random)
                   : TRN_RESULT_OK;
    case 3:
        model_get(batch, voxel);
        return TRN_RESULT_OK;
    default:
        for (int i = 0; i < 20 && result == TRN_RESULT_OK; i++) {
            result = model_set(batch, i % 4 ? model_random_voxel(batch->world, random) : voxel,
                               model_random_block(random));
        }
        return result;
    }
}
