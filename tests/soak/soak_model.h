/// What a world must hold: the chunks that were ever edited, voxel by voxel, and the groups that
/// can be undone and redone. Everything else is as generated.
#pragma once

#include "testing.h"

#include <terrane/coord.h>
#include <terrane/generator.h>

#define MODEL_CHUNKS 2048u       ///< that may be edited; 128 MiB
#define MODEL_SLOTS 4096u        ///< of the table; a power of two
#define MODEL_GROUPS 512u        ///< that can be undone or redone
#define MODEL_CHANGES (1u << 18) ///< of one group

typedef struct ModelChunk {
    TrnCoord coord;
    TrnBlock blocks[TRN_CHUNK_VOXELS];
} ModelChunk;

/// One voxel that a group wrote.
typedef struct ModelChange {
    uint32_t chunk;
    uint16_t voxel;
    TrnBlock before, after;
} ModelChange;

/// What is undone as one.
typedef struct ModelGroup {
    ModelChange *changes; ///< [count]
    uint32_t count;
} ModelGroup;

typedef struct Model {
    TrnGenerator land;
    ModelChunk *chunks; ///< [MODEL_CHUNKS]
    uint32_t count;
    uint16_t slots[MODEL_SLOTS]; ///< 1 + number of a chunk; 0: none
    ModelGroup groups[MODEL_GROUPS];
    uint32_t done;        ///< groups that can be undone: groups[0..done)
    uint32_t total;       ///< and redone: groups[done..total)
    ModelChange *changes; ///< [MODEL_CHANGES] of what is being written
    uint32_t change_count;
} Model;

static inline void model_create(Model *model, TrnGenerator land)
{
    memset(model, 0, sizeof *model);
    model->land = land;
    model->chunks = malloc(MODEL_CHUNKS * sizeof *model->chunks);
    model->changes = malloc(MODEL_CHANGES * sizeof *model->changes);
    assert_true(model->chunks && model->changes);
}

/// Forgets all groups: nothing can be undone or redone.
static inline void model_forget(Model *model)
{
    for (uint32_t i = 0; i < model->total; i++) {
        free(model->groups[i].changes);
    }
    model->done = model->total = 0;
}

static inline void model_destroy(Model *model)
{
    model_forget(model);
    free(model->chunks);
    free(model->changes);
}

// ---- chunks ------------------------------------------------------------------------------------

/// The slot of a coordinate, or the empty one where it belongs.
static inline uint32_t model_slot(const Model *model, TrnCoord coord)
{
    TestRandom hash = {(uint64_t)(uint32_t)coord.x << 32 | (uint32_t)coord.z};
    hash.state ^= test_random_next(&hash) + (uint32_t)coord.y;
    uint32_t slot = (uint32_t)test_random_next(&hash) % MODEL_SLOTS;
    while (model->slots[slot] &&
           !trn_coord_equal(model->chunks[model->slots[slot] - 1].coord, coord)) {
        slot = (slot + 1) % MODEL_SLOTS;
    }
    return slot;
}

/// @return NULL if the chunk was never edited
static inline const ModelChunk *model_find(const Model *model, TrnCoord coord)
{
    const uint32_t number = model->slots[model_slot(model, coord)];
    return number ? &model->chunks[number - 1] : NULL;
}

/// Generates a chunk of the land.
static inline void model_generate(const Model *model, TrnCoord coord,
                                  TrnBlock blocks[TRN_CHUNK_VOXELS])
{
    bool uniform = false;
    assert_int_equal(trn_generator_generate(&model->land, coord, 0, blocks, &uniform),
                     TRN_RESULT_OK);
    for (uint32_t i = 1; uniform && i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = blocks[0];
    }
}

/// The number of a chunk, which becomes one of the model's.
static inline uint32_t model_touch(Model *model, TrnCoord coord)
{
    const uint32_t slot = model_slot(model, coord);
    if (!model->slots[slot]) {
        assert_true(model->count < MODEL_CHUNKS);
        ModelChunk *chunk = &model->chunks[model->count];
        chunk->coord = coord;
        model_generate(model, coord, chunk->blocks);
        model->slots[slot] = (uint16_t)++model->count;
    }
    return model->slots[slot] - 1u;
}

// ---- edits -------------------------------------------------------------------------------------

/// Writes a voxel, as part of the group that model_commit ends. Outside the world it does nothing.
static inline void model_set(Model *model, TrnVoxel voxel, TrnBlock block)
{
    if (!trn_voxel_in_world(voxel)) {
        return;
    }
    const uint32_t number = model_touch(model, trn_voxel_chunk(voxel));
    const uint32_t index = trn_voxel_local_index(voxel);
    TrnBlock *at = &model->chunks[number].blocks[index];
    if (*at != block) {
        assert_true(model->change_count < MODEL_CHANGES);
        model->changes[model->change_count++] = (ModelChange){number, (uint16_t)index, *at, block};
        *at = block;
    }
}

static inline void model_write(Model *model, const ModelGroup *group, bool after)
{
    for (uint32_t i = 0; i < group->count; i++) {
        const ModelChange *change = &group->changes[after ? i : group->count - 1 - i];
        model->chunks[change->chunk].blocks[change->voxel] = after ? change->after : change->before;
    }
}

static inline void model_drop_oldest(Model *model)
{
    free(model->groups[0].changes);
    memmove(model->groups, model->groups + 1, (model->total - 1) * sizeof *model->groups);
    model->total--;
    model->done--;
}

/// Ends a group. What was undone before cannot be redone any more.
static inline void model_commit(Model *model)
{
    while (model->total > model->done) {
        free(model->groups[--model->total].changes);
    }
    if (model->total == MODEL_GROUPS) {
        model_drop_oldest(model);
    }
    ModelGroup *group = &model->groups[model->total];
    const size_t bytes = model->change_count * sizeof *model->changes;
    group->changes = malloc(bytes ? bytes : 1);
    group->count = model->change_count;
    assert_non_null(group->changes);
    memcpy(group->changes, model->changes, bytes);
    model->done = ++model->total;
    model->change_count = 0;
}

/// Takes back what was written since the last group.
static inline void model_cancel(Model *model)
{
    const ModelGroup group = {model->changes, model->change_count};
    model_write(model, &group, false);
    model->change_count = 0;
}

static inline void model_undo(Model *model)
{
    assert_true(model->done > 0);
    model_write(model, &model->groups[--model->done], false);
}

static inline void model_redo(Model *model)
{
    assert_true(model->done < model->total);
    model_write(model, &model->groups[model->done++], true);
}

/// Drops what a history has dropped: all but the newest groups that can be undone, and all that
/// could be redone if it redoes none.
static inline void model_keep(Model *model, uint32_t undo_groups, uint32_t redo_groups)
{
    while (model->done > undo_groups) {
        model_drop_oldest(model);
    }
    while (model->total - model->done > redo_groups) {
        free(model->groups[--model->total].changes);
    }
    assert_int_equal(model->done, undo_groups);
    assert_int_equal(model->total - model->done, redo_groups);
}
