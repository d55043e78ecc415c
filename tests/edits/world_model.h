/// A model for tests of batches and histories: a world of 4 x 4 x 4 chunks, and plain arrays to
/// which the same edits are applied. model_set, model_fill_box, model_fill_sphere and
/// model_raw_edit edit both; each computes from the arrays alone what the store should return.
#ifndef TERRANE_TESTS_WORLD_MODEL_H
#define TERRANE_TESTS_WORLD_MODEL_H

#include "testing.h"

#include <math.h>

#include <terrane/history.h>
#include <terrane/store.h>

#define MODEL_EDGE 4
#define MODEL_CHUNKS 64
#define MODEL_VOXELS ((int64_t)MODEL_EDGE * TRN_CHUNK_EDGE) ///< edge length of the world
#define MODEL_ITSELF (UINT32_C(1) << 13) ///< the chunk's own bit of TrnEventChunk.around

/// The lowest chunks of test worlds: at the origin, and at two corners of the world.
static const TrnCoord MODEL_LOWS[] = {
    {-2, -2, -2},
    {INT32_MAX - MODEL_EDGE + 1, INT32_MIN, -1},
    {INT32_MIN, INT32_MAX - MODEL_EDGE + 1, INT32_MAX - MODEL_EDGE + 1},
};

typedef struct ModelNote ModelNote;

/// What one batch writes into one chunk.
typedef struct ModelDraft {
    struct ModelDraft *next; ///< the next pending draft of the chunk
    ModelNote *note;         ///< of the history that can undo it while it is pending, or NULL
    bool is_off;             ///< undone while pending
    bool is_touched;         ///< whether any write changed a block
    bool written[TRN_CHUNK_VOXELS];
    TrnBlock blocks[TRN_CHUNK_VOXELS];
} ModelDraft;

/// What a history records of one batch in one chunk.
struct ModelNote {
    uint32_t place;
    ModelDraft *draft; ///< the draft, until an insert applies it; then NULL
    bool is_pending;   ///< pending: the chunk's list owns the draft, otherwise the note does
    bool changed[TRN_CHUNK_VOXELS];
    TrnBlock was[TRN_CHUNK_VOXELS], became[TRN_CHUNK_VOXELS];
};

/// One step of undo.
typedef struct ModelStep {
    ModelNote **notes; ///< in the order in which they were recorded
    uint32_t count;
} ModelStep;

#define MODEL_STEPS 512

typedef struct ModelHistory {
    TrnHistory *history;
    ModelStep steps[MODEL_STEPS];
    uint32_t done, count; ///< steps [0, done) can be undone, [done, count) redone
    uint32_t depth;       ///< open groups
    bool has_open_step;   ///< whether the open group has recorded a batch
} ModelHistory;

typedef struct ModelChunk {
    TrnCoord coord;
    bool is_loaded;
    uint64_t revision;
    ModelDraft *pending; ///< pending drafts in order of their commits
    TrnBlock blocks[TRN_CHUNK_VOXELS];
} ModelChunk;

/// The expected effect of a batch.
typedef struct ModelChange {
    ModelDraft *drafts[MODEL_CHUNKS];
    bool is_pending[MODEL_CHUNKS]; ///< for chunks that are not loaded
    uint32_t skipped;
    bool counts_voxels;
} ModelChange;

typedef struct ModelWorld ModelWorld;

typedef struct ModelBatch {
    ModelWorld *world;
    TrnBatch *batch;
    TrnUnloadedPolicy policy;
    ModelHistory *history; ///< NULL: none
    ModelChange change;
} ModelBatch;

#define MODEL_HEARD 128

struct ModelWorld {
    TrnStore *store;
    TrnCoord low;
    ModelChunk chunks[MODEL_CHUNKS];
    ModelBatch *open[2];
    bool is_listening;
    uint32_t events, heard_count; ///< received since model_forget_events
    TrnStoreEvent heard;
    TrnEventChunk heard_chunks[MODEL_HEARD];
};

static inline void *model_alloc(size_t bytes)
{
    void *memory = calloc(1, bytes);
    assert_non_null(memory);
    return memory;
}

// ---- the world ---------------------------------------------------------------------------------

static inline TrnResult model_listener(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    ModelWorld *world = user;
    assert_ptr_equal(store, world->store);
    assert_true(event->count >= 1 && event->count <= MODEL_HEARD);
    assert_false(event->has_missed);
    world->events++;
    world->heard = *event;
    world->heard_count = event->count;
    memcpy(world->heard_chunks, event->chunks, event->count * sizeof *event->chunks);
    world->heard.chunks = world->heard_chunks;
    for (uint32_t i = 0; i < event->count && event->kind != TRN_EVENT_REMOVED; i++) {
        assert_ptr_equal(trn_store_find(store, event->chunks[i].coord), event->chunks[i].chunk);
    }
    return TRN_RESULT_OK;
}

/// Forgets the events received so far.
static inline void model_forget_events(ModelWorld *world)
{
    world->events = world->heard_count = 0;
}

static inline void model_listen(ModelWorld *world, bool is_listening)
{
    const uint32_t all = TRN_EVENT_BIT(TRN_EVENT_INSERTED) | TRN_EVENT_BIT(TRN_EVENT_CHANGED) |
                         TRN_EVENT_BIT(TRN_EVENT_REMOVED);
    if (is_listening != world->is_listening) {
        assert_int_equal(is_listening
                             ? trn_store_subscribe(world->store, all, model_listener, world)
                             : trn_store_unsubscribe(world->store, model_listener, world),
                         TRN_RESULT_OK);
    }
    world->is_listening = is_listening;
}

/// @param low  the lowest chunk of the world
static inline ModelWorld *model_create(const TrnStoreDef *def, TrnCoord low)
{
    ModelWorld *world = model_alloc(sizeof *world);
    assert_int_equal(trn_store_create(def, &world->store), TRN_RESULT_OK);
    world->low = low;
    for (int32_t place = 0; place < MODEL_CHUNKS; place++) {
        world->chunks[place].coord =
            (TrnCoord){low.x + place % MODEL_EDGE, low.y + place / MODEL_EDGE / MODEL_EDGE,
                       low.z + place / MODEL_EDGE % MODEL_EDGE};
    }
    return world;
}

static inline void model_destroy(ModelWorld *world)
{
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        while (world->chunks[place].pending) {
            ModelDraft *draft = world->chunks[place].pending;
            world->chunks[place].pending = draft->next;
            free(draft);
        }
    }
    trn_store_destroy(world->store);
    free(world);
}

/// Returns the place of a chunk, or -1 if it is outside the model.
static inline int model_place(const ModelWorld *world, TrnCoord coord)
{
    const int64_t x = (int64_t)coord.x - world->low.x, y = (int64_t)coord.y - world->low.y,
                  z = (int64_t)coord.z - world->low.z;
    const bool is_inside =
        x >= 0 && x < MODEL_EDGE && y >= 0 && y < MODEL_EDGE && z >= 0 && z < MODEL_EDGE;
    return is_inside ? (int)((y * MODEL_EDGE + z) * MODEL_EDGE + x) : -1;
}

static inline TrnVoxel model_voxel(const ModelWorld *world, int64_t x, int64_t y, int64_t z)
{
    const TrnVoxel low = trn_coord_voxel(world->low);
    return (TrnVoxel){low.x + x, low.y + y, low.z + z};
}

static inline bool model_waits(const ModelChunk *chunk)
{
    for (const ModelDraft *draft = chunk->pending; draft; draft = draft->next) {
        if (!draft->is_off) {
            return true;
        }
    }
    return false;
}

static inline void model_check_pending(const ModelWorld *world)
{
    TrnCoord coords[MODEL_CHUNKS + 1];
    uint32_t chunks = 0;
    uint64_t runs = 0;
    bool is_named[MODEL_CHUNKS] = {false};
    const size_t count = trn_pending_chunks(world->store, coords, MODEL_CHUNKS + 1);
    assert_true(count <= MODEL_CHUNKS);
    for (size_t i = 0; i < count; i++) {
        const int place = model_place(world, coords[i]);
        assert_true(place >= 0 && !is_named[place]);
        is_named[place] = true;
    }
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        const ModelChunk *chunk = &world->chunks[place];
        const TrnExplanation why = trn_store_explain(world->store, chunk->coord);
        assert_int_equal(is_named[place], model_waits(chunk));
        assert_int_equal(why.pending_runs > 0, model_waits(chunk));
        chunks += is_named[place];
        runs += why.pending_runs;
    }
    const TrnEditsStats stats = trn_edits_stats(world->store);
    assert_int_equal(stats.pending_chunks, chunks);
    assert_int_equal(stats.pending_runs, runs);
}

/// Compares every voxel, every revision and all pending edits.
static inline void model_check(const ModelWorld *world)
{
    static TrnBlock read[TRN_CHUNK_VOXELS];
    uint32_t loaded = 0;
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        const ModelChunk *expected = &world->chunks[place];
        const TrnChunk *chunk = trn_store_find(world->store, expected->coord);
        assert_int_equal(chunk != NULL, expected->is_loaded);
        if (chunk) {
            trn_snapshot_decode(trn_voxels_snapshot(&chunk->voxels), read);
            assert_memory_equal(read, expected->blocks, sizeof read);
            assert_int_equal(trn_chunk_revision(chunk), expected->revision);
            loaded++;
        }
    }
    assert_int_equal(trn_store_stats(world->store).chunks, loaded);
    model_check_pending(world);
}

// ---- inserts and removals -----------------------------------------------------------------------

/// Applies a pending draft to its chunk, and records in its note what that changed.
static inline void model_apply_pending(ModelChunk *chunk, ModelDraft *draft)
{
    ModelNote *note = draft->note;
    if (note) {
        note->is_pending = false;
        note->draft = draft->is_off ? draft : NULL;
    }
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS && !draft->is_off; i++) {
        if (draft->written[i] && note) {
            note->changed[i] = chunk->blocks[i] != draft->blocks[i];
            note->was[i] = chunk->blocks[i];
            note->became[i] = draft->blocks[i];
        }
        chunk->blocks[i] = draft->written[i] ? draft->blocks[i] : chunk->blocks[i];
    }
    if (!note || !draft->is_off) {
        free(draft);
    }
}

static inline void model_check_heard_one(const ModelWorld *world, TrnEventKind kind, TrnCoord coord)
{
    if (world->is_listening) {
        assert_int_equal(world->events, 1);
        assert_int_equal(world->heard.kind, kind);
        assert_int_equal(world->heard.count, 1);
        assert_true(trn_coord_equal(world->heard_chunks[0].coord, coord));
        assert_int_equal(world->heard_chunks[0].around, (UINT32_C(1) << 27) - 1);
    }
}

/// Does an insert in the model. @param blocks  NULL: all are `block`
static inline void model_insert_blocks(ModelWorld *world, uint32_t place, const TrnBlock *blocks,
                                       TrnBlock block)
{
    ModelChunk *chunk = &world->chunks[place];
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        chunk->blocks[i] = blocks ? blocks[i] : block;
    }
    while (chunk->pending) {
        ModelDraft *draft = chunk->pending;
        chunk->pending = draft->next;
        model_apply_pending(chunk, draft);
    }
    chunk->is_loaded = true;
}

/// Inserts with trn_store_insert (air), _insert_uniform, or if `blocks` is not NULL _insert_voxels.
static inline TrnResult model_try_insert(ModelWorld *world, uint32_t place, const TrnBlock *blocks,
                                         TrnBlock block)
{
    ModelChunk *chunk = &world->chunks[place];
    TrnStore *store = world->store;
    TrnChunk *made = NULL;
    const uint64_t before = trn_store_revision(store);
    const TrnEditsStats stats = trn_edits_stats(store);
    const uint32_t runs = trn_store_explain(store, chunk->coord).pending_runs;
    model_forget_events(world);
    const TrnResult result = blocks ? trn_store_insert_voxels(store, chunk->coord, blocks, &made)
                                    : trn_store_insert_uniform(store, chunk->coord, block, &made);
    if (result != TRN_RESULT_OK) {
        assert_null(made);
        assert_int_equal(trn_store_revision(store), before);
        assert_int_equal(trn_edits_stats(store).applied_runs, stats.applied_runs);
        return result;
    }
    chunk->revision = trn_chunk_revision(made);
    assert_int_equal(chunk->revision, before + 1);
    assert_int_equal(trn_store_revision(store), chunk->revision);
    assert_int_equal(trn_edits_stats(store).applied_runs, stats.applied_runs + runs);
    model_check_heard_one(world, TRN_EVENT_INSERTED, chunk->coord);
    model_insert_blocks(world, place, blocks, block);
    return TRN_RESULT_OK;
}

static inline void model_insert(ModelWorld *world, uint32_t place, const TrnBlock *blocks,
                                TrnBlock block)
{
    assert_int_equal(model_try_insert(world, place, blocks, block), TRN_RESULT_OK);
}

static inline void model_remove(ModelWorld *world, uint32_t place)
{
    model_forget_events(world);
    assert_int_equal(trn_store_remove(world->store, world->chunks[place].coord), TRN_RESULT_OK);
    model_check_heard_one(world, TRN_EVENT_REMOVED, world->chunks[place].coord);
    world->chunks[place].is_loaded = false;
}

// ---- shapes ------------------------------------------------------------------------------------

/// A box of voxels, or a sphere inside it.
typedef struct ModelShape {
    TrnVoxel min, max; ///< both inclusive, inside the world
    bool is_ball;
    TrnVoxel centre;
    double radius;
} ModelShape;

static inline int64_t model_clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

static inline void model_clip(ModelShape *shape)
{
    shape->min.x = model_clamp(shape->min.x, TRN_VOXEL_MIN, TRN_VOXEL_MAX);
    shape->min.y = model_clamp(shape->min.y, TRN_VOXEL_MIN, TRN_VOXEL_MAX);
    shape->min.z = model_clamp(shape->min.z, TRN_VOXEL_MIN, TRN_VOXEL_MAX);
    shape->max.x = model_clamp(shape->max.x, TRN_VOXEL_MIN, TRN_VOXEL_MAX);
    shape->max.y = model_clamp(shape->max.y, TRN_VOXEL_MIN, TRN_VOXEL_MAX);
    shape->max.z = model_clamp(shape->max.z, TRN_VOXEL_MIN, TRN_VOXEL_MAX);
}

static inline bool model_in_ball(const ModelShape *shape, TrnVoxel voxel)
{
    const int64_t x = voxel.x - shape->centre.x, y = voxel.y - shape->centre.y,
                  z = voxel.z - shape->centre.z;
    return (double)(x * x + y * y + z * z) <= shape->radius * shape->radius;
}

/// Clips the shape's box to a chunk. @return whether the shape has a voxel in it
static inline bool model_cut(const ModelShape *shape, TrnCoord coord, TrnVoxel *min, TrnVoxel *max)
{
    const TrnVoxel low = trn_coord_voxel(coord);
    const int64_t last = TRN_CHUNK_EDGE - 1;
    *min = (TrnVoxel){shape->min.x > low.x ? shape->min.x : low.x,
                      shape->min.y > low.y ? shape->min.y : low.y,
                      shape->min.z > low.z ? shape->min.z : low.z};
    *max = (TrnVoxel){shape->max.x < low.x + last ? shape->max.x : low.x + last,
                      shape->max.y < low.y + last ? shape->max.y : low.y + last,
                      shape->max.z < low.z + last ? shape->max.z : low.z + last};
    if (min->x > max->x || min->y > max->y || min->z > max->z) {
        return false;
    }
    const TrnVoxel nearest = {model_clamp(shape->centre.x, min->x, max->x),
                              model_clamp(shape->centre.y, min->y, max->y),
                              model_clamp(shape->centre.z, min->z, max->z)};
    return !shape->is_ball || model_in_ball(shape, nearest);
}

/// The chunks that a write of a shape touches.
typedef struct ModelPlan {
    bool is_cut[MODEL_CHUNKS];
    uint32_t unloaded; ///< chunks not loaded, those outside the model included
    uint32_t beyond;   ///< those of them that are outside the model
    bool may_be_held, must_be_pending;
} ModelPlan;

static inline void model_plan_place(const ModelBatch *batch, uint32_t place, ModelPlan *plan)
{
    const ModelWorld *world = batch->world;
    plan->is_cut[place] = true;
    plan->unloaded += !world->chunks[place].is_loaded;
    for (int i = 0; i < 2; i++) {
        const ModelBatch *other = world->open[i];
        const ModelDraft *draft = other && other != batch ? other->change.drafts[place] : NULL;
        if (draft && world->chunks[place].is_loaded) {
            plan->may_be_held = true;
            plan->must_be_pending |= draft->is_touched;
        }
    }
}

static inline ModelPlan model_plan(const ModelBatch *batch, const ModelShape *shape)
{
    ModelPlan plan = {.unloaded = 0};
    const TrnCoord low = trn_voxel_chunk(shape->min), high = trn_voxel_chunk(shape->max);
    TrnVoxel min, max;
    for (int64_t y = low.y; y <= high.y; y++) {
        for (int64_t z = low.z; z <= high.z; z++) {
            for (int64_t x = low.x; x <= high.x; x++) {
                const TrnCoord coord = {(int32_t)x, (int32_t)y, (int32_t)z};
                const int place = model_place(batch->world, coord);
                if (!model_cut(shape, coord, &min, &max)) {
                    continue;
                }
                if (place >= 0) {
                    model_plan_place(batch, (uint32_t)place, &plan);
                } else {
                    plan.unloaded++, plan.beyond++;
                }
            }
        }
    }
    return plan;
}

static inline ModelDraft *model_draft(ModelChange *change, uint32_t place)
{
    if (!change->drafts[place]) {
        change->drafts[place] = model_alloc(sizeof **change->drafts);
    }
    return change->drafts[place];
}

/// Returns the block of a voxel as the batch sees it.
static inline TrnBlock model_now(const ModelWorld *world, const ModelChange *change, uint32_t place,
                                 uint32_t index)
{
    const ModelDraft *draft = change->drafts[place];
    return draft && draft->written[index] ? draft->blocks[index]
                                          : world->chunks[place].blocks[index];
}

static inline void model_write(const ModelWorld *world, ModelChange *change, uint32_t place,
                               uint32_t index, TrnBlock block)
{
    ModelDraft *draft = model_draft(change, place);
    draft->is_touched |= model_now(world, change, place, index) != block;
    draft->written[index] = true;
    draft->blocks[index] = block;
}

static inline void model_write_shape(ModelBatch *batch, uint32_t place, const ModelShape *shape,
                                     TrnBlock block)
{
    TrnVoxel min, max, voxel;
    (void)model_cut(shape, batch->world->chunks[place].coord, &min, &max);
    for (voxel.y = min.y; voxel.y <= max.y; voxel.y++) {
        for (voxel.z = min.z; voxel.z <= max.z; voxel.z++) {
            for (voxel.x = min.x; voxel.x <= max.x; voxel.x++) {
                if (!shape->is_ball || model_in_ball(shape, voxel)) {
                    model_write(batch->world, &batch->change, place, trn_voxel_local_index(voxel),
                                block);
                }
            }
        }
    }
}

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

// ---- the effect of a change
// ----------------------------------------------------------------------

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

#endif
