/// Batches of the model of edits (world_model.h), and what their commits change.
#pragma once

#include "world_model_chunks.h"

// ---- batches -----------------------------------------------------------------------------------

/// Creates the model of an open batch.
static inline ModelBatch *model_adopt(ModelWorld *world, TrnUnloadedPolicy policy,
                                      ModelHistory *history, TrnBatch *open)
{
    ModelBatch *batch = model_alloc(sizeof *batch);
    *batch = (ModelBatch){.world = world, .batch = open, .policy = policy, .history = history};
    batch->change.counts_voxels = history != NULL;
    assert_null(world->open[1]);
    world->open[world->open[0] != NULL] = batch;
    return batch;
}

static inline ModelBatch *model_begin(ModelWorld *world, TrnUnloadedPolicy policy,
                                      ModelHistory *history)
{
    TrnBatch *batch = NULL;
    TrnBatchDef def = trn_batch_def();
    def.unloaded = policy;
    def.history = history ? history->history : NULL;
    assert_int_equal(trn_batch_begin(world->store, &def, &batch), TRN_RESULT_OK);
    return model_adopt(world, policy, history, batch);
}

/// Frees the model of a batch.
static inline void model_end(ModelBatch *batch)
{
    ModelWorld *world = batch->world;
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        free(batch->change.drafts[place]);
    }
    if (world->open[0] == batch) {
        world->open[0] = world->open[1];
    }
    world->open[1] = NULL;
    free(batch);
}

static inline void model_cancel(ModelBatch *batch)
{
    trn_batch_cancel(batch->batch);
    model_end(batch);
}

/// Checks the result of a write against the expected one, and does the write in the model.
static inline TrnResult model_wrote(ModelBatch *batch, const ModelShape *shape, TrnBlock block,
                                    TrnResult result)
{
    const ModelPlan plan = model_plan(batch, shape);
    const bool is_refused = batch->policy == TRN_UNLOADED_FAIL && plan.unloaded > 0;
    assert_true(batch->policy != TRN_UNLOADED_PENDING ||
                plan.beyond == 0); // a mistake in the test itself
    if (result == TRN_RESULT_BUSY || result == TRN_RESULT_NOT_FOUND) {
        assert_true(result == TRN_RESULT_BUSY ? plan.may_be_held : is_refused);
        return result;
    }
    assert_int_equal(result, TRN_RESULT_OK);
    assert_false(is_refused || plan.must_be_pending);
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        if (plan.is_cut[place] &&
            (batch->world->chunks[place].is_loaded || batch->policy == TRN_UNLOADED_PENDING)) {
            model_write_shape(batch, place, shape, block);
        }
    }
    batch->change.skipped += batch->policy == TRN_UNLOADED_SKIP ? plan.unloaded : 0;
    return TRN_RESULT_OK;
}

static inline TrnResult model_set(ModelBatch *batch, TrnVoxel voxel, TrnBlock block)
{
    const ModelShape shape = {.min = voxel, .max = voxel};
    return model_wrote(batch, &shape, block, trn_batch_set(batch->batch, voxel, block));
}

/// @param min,max  not entirely outside the world
static inline TrnResult model_fill_box(ModelBatch *batch, TrnVoxel min, TrnVoxel max,
                                       TrnBlock block)
{
    ModelShape shape = {.min = min, .max = max};
    model_clip(&shape);
    return model_wrote(batch, &shape, block, trn_batch_fill_box(batch->batch, min, max, block));
}

/// @param centre  the sphere's box must not lie entirely outside the world
static inline TrnResult model_fill_sphere(ModelBatch *batch, TrnVoxel centre, double radius,
                                          TrnBlock block)
{
    const int64_t reach = (int64_t)radius;
    ModelShape shape = {.min = {centre.x - reach, centre.y - reach, centre.z - reach},
                        .max = {centre.x + reach, centre.y + reach, centre.z + reach},
                        .is_ball = true,
                        .centre = centre,
                        .radius = radius};
    model_clip(&shape);
    return model_wrote(batch, &shape, block,
                       trn_batch_fill_sphere(batch->batch, centre, radius, block));
}

/// Replaces one block by another, writes some voxels at random, and copies a box of another chunk,
/// through the edit of a loaded chunk.
static inline void model_raw_writes(ModelBatch *batch, uint32_t place, TrnVoxelEdit *edit,
                                    TestRandom *random)
{
    const ModelWorld *world = batch->world;
    const TrnBlock from = (TrnBlock)test_random_range(random, 0, 5);
    const TrnBlock to = (TrnBlock)test_random_range(random, 0, 5);
    assert_int_equal(trn_voxel_edit_replace(edit, from, to), TRN_RESULT_OK);
    model_draft(&batch->change, place);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        if (model_now(world, &batch->change, place, i) == from) {
            model_write(world, &batch->change, place, i, to);
        }
    }
    for (int i = 0; i < 40; i++) {
        const uint32_t index = (uint32_t)test_random_range(random, 0, TRN_CHUNK_VOXELS - 1);
        const TrnBlock block = (TrnBlock)test_random_range(random, 0, 600);
        assert_int_equal(trn_voxel_edit_set(edit, index, block), TRN_RESULT_OK);
        model_write(world, &batch->change, place, index, block);
    }
    const uint32_t other = (uint32_t)test_random_range(random, 0, MODEL_CHUNKS - 1);
    const uint32_t at[3] = {3, 0, 7}, size[3] = {20, 5, 11};
    TrnSnapshot source;
    if (trn_store_snapshot(world->store, world->chunks[other].coord, &source) == TRN_RESULT_OK) {
        assert_int_equal(trn_voxel_edit_copy_box(edit, at, source, at, size), TRN_RESULT_OK);
        for (uint32_t i = 0; i < size[0] * size[1] * size[2]; i++) {
            const uint32_t index = trn_local_index(
                at[0] + i % size[0], at[1] + i / size[0] / size[2], at[2] + i / size[0] % size[2]);
            model_write(world, &batch->change, place, index, world->chunks[other].blocks[index]);
        }
    }
}

static inline TrnResult model_raw_edit(ModelBatch *batch, uint32_t place, TestRandom *random)
{
    const ModelWorld *world = batch->world;
    const TrnVoxel at = trn_coord_voxel(world->chunks[place].coord);
    const ModelShape shape = {.min = at, .max = at};
    const ModelPlan plan = model_plan(batch, &shape);
    TrnVoxelEdit *edit = NULL;
    const TrnResult result = trn_batch_edit(batch->batch, world->chunks[place].coord, &edit);
    if (result != TRN_RESULT_OK) {
        assert_null(edit);
        assert_true(result == TRN_RESULT_BUSY ? plan.may_be_held
                                              : result == TRN_RESULT_NOT_FOUND && plan.unloaded);
        return result;
    }
    assert_false(plan.unloaded || plan.must_be_pending);
    model_raw_writes(batch, place, edit, random);
    return TRN_RESULT_OK;
}

/// Reads a voxel through the batch.
static inline void model_get(const ModelBatch *batch, TrnVoxel voxel)
{
    const int place = model_place(batch->world, trn_voxel_chunk(voxel));
    TrnBlock block = 54321;
    const TrnResult result = trn_batch_get(batch->batch, voxel, &block);
    if (place < 0 || !batch->world->chunks[place].is_loaded) {
        assert_int_equal(result, TRN_RESULT_NOT_FOUND);
        assert_int_equal(block, 54321);
        return;
    }
    assert_int_equal(result, TRN_RESULT_OK);
    assert_int_equal(block, model_now(batch->world, &batch->change, (uint32_t)place,
                                      trn_voxel_local_index(voxel)));
}

// ---- the effect of a change ---------------------------------------------------------------------

/// Returns the chunks around that touch a voxel, its own chunk included.
static inline uint32_t model_around(uint32_t index)
{
    const uint32_t at[3] = {index & 31, index >> 10, index >> 5 & 31}; // x, y, z
    bool is_inside = true;
    for (int axis = 0; axis < 3; axis++) {
        is_inside &= at[axis] > 0 && at[axis] < 31;
    }
    if (is_inside) { // most voxels; saves much of the model's time
        return MODEL_ITSELF;
    }
    uint32_t around = 0;
    for (int i = 0; i < 27; i++) {
        const int step[3] = {i % 3 - 1, i / 9 - 1, i / 3 % 3 - 1};
        bool touches = true;
        for (int axis = 0; axis < 3; axis++) {
            touches &= step[axis] == 0 || at[axis] == (step[axis] < 0 ? 0u : 31u);
        }
        around |= (uint32_t)touches << i;
    }
    return around;
}

/// Applies a draft to the chunk's blocks. @param around  receives the chunks that it touches
/// @return the number of changed voxels
static inline uint32_t model_apply(ModelChunk *chunk, const ModelDraft *draft, uint32_t *around)
{
    uint32_t changed = 0;
    *around = 0;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        if (draft->written[i] && chunk->blocks[i] != draft->blocks[i]) {
            *around |= model_around(i);
            chunk->blocks[i] = draft->blocks[i];
            changed++;
        }
    }
    return changed;
}

/// Checks what the last event says of one chunk.
static inline void model_check_heard(const ModelWorld *world, TrnCoord coord, uint32_t around,
                                     bool is_published)
{
    const TrnEventChunk *found = NULL;
    for (uint32_t i = 0; world->is_listening && i < world->heard_count; i++) {
        if (trn_coord_equal(world->heard_chunks[i].coord, coord)) {
            assert_null(found);
            found = &world->heard_chunks[i];
        }
    }
    assert_true(found == NULL || is_published);
    if (found) { // a chunk that was changed and changed back may be listed with only its own bit
        assert_int_equal(found->around, around ? around : MODEL_ITSELF);
        assert_ptr_equal(found->chunk, trn_store_find(world->store, coord));
    } else if (world->is_listening) {
        assert_int_equal(around, 0);
    }
}

static inline void model_check_revisions(const ModelWorld *world, const TrnBatchOutcome *outcome,
                                         uint64_t before, uint32_t published)
{
    static TrnChunk *changed[MODEL_CHUNKS + 1];
    assert_int_equal(outcome->changed_chunks, published);
    assert_int_equal(outcome->revision, published ? before + 1 : before);
    assert_int_equal(trn_store_revision(world->store), outcome->revision);
    assert_int_equal(trn_store_changed_since(world->store, before, changed, MODEL_CHUNKS + 1),
                     published);
    for (uint32_t i = 0; i < published; i++) {
        assert_int_equal(trn_chunk_revision(changed[i]), outcome->revision);
    }
    if (world->is_listening && world->events > 0) {
        assert_int_equal(world->events, 1);
        assert_int_equal(world->heard.kind, TRN_EVENT_CHANGED);
        assert_int_equal(world->heard.revision, outcome->revision);
    }
}

/// Compares a change that the store has published with the expected one, and applies it to the
/// arrays.
/// @param before  the store's revision before the change
static inline void model_publish(ModelWorld *world, const ModelChange *change,
                                 const TrnBatchOutcome *outcome, uint64_t before)
{
    uint32_t published = 0, pending = 0;
    uint64_t voxels = 0;
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        ModelChunk *chunk = &world->chunks[place];
        const ModelDraft *draft = change->drafts[place];
        pending += change->is_pending[place];
        if (!draft || !chunk->is_loaded) {
            continue;
        }
        uint32_t around;
        const uint32_t count = model_apply(chunk, draft, &around);
        const uint64_t revision = trn_chunk_revision(trn_store_find(world->store, chunk->coord));
        const bool is_published = revision != chunk->revision;
        // A chunk whose voxels were changed and changed back may be published or not.
        assert_true(is_published ? draft->is_touched : count == 0);
        assert_true(!is_published || revision == outcome->revision);
        model_check_heard(world, chunk->coord, around, is_published);
        chunk->revision = revision;
        published += is_published;
        voxels += count;
    }
    assert_int_equal(outcome->changed_voxels, change->counts_voxels ? voxels : 0);
    assert_int_equal(outcome->pending_chunks, pending);
    assert_int_equal(outcome->skipped_chunks, change->skipped);
    model_check_revisions(world, outcome, before, published);
}

/// Appends a draft to the pending drafts of its chunk.
static inline void model_add_pending(ModelChunk *chunk, ModelDraft *draft)
{
    ModelDraft **end = &chunk->pending;
    while (*end) {
        end = &(*end)->next;
    }
    draft->next = NULL;
    *end = draft;
}
