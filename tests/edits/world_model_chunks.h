/// The chunks of the model of edits (world_model.h): a world of 4 x 4 x 4 chunks and plain arrays
/// with the same voxels, inserts and removals, and the voxels of boxes and spheres.
#pragma once

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
