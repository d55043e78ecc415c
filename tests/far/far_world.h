/// Shared by tests of edits in far views: saved rows of all levels, and a model that says what the
/// land is at every level.
#pragma once

#include <terrane/fold.h>

#include "far_game.h"

#include "voxels/voxels_internal.h"

enum { LEVELS = 2, EDITS_MAX = 40000 };

// ---- rows --------------------------------------------------------------------------------------

/// Saved chunks of all levels.
typedef struct Rows {
    atomic_flag lock;
    struct {
        TrnCoord coord;
        uint32_t level;
        TrnBlock *blocks;
    } rows[4000];
    uint32_t count;
    uint32_t saved[TRN_FAR_LEVEL_MAX + 1];
    bool is_full; ///< takes no rows
    uint32_t refused;
} Rows;

static inline TrnBlock *rows_find(const Rows *rows, uint32_t level, TrnCoord coord)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        if (rows->rows[i].level == level && trn_coord_equal(rows->rows[i].coord, coord)) {
            return rows->rows[i].blocks;
        }
    }
    return NULL;
}

static inline void rows_lock(Rows *rows)
{
    while (atomic_flag_test_and_set(&rows->lock)) {
    }
}

static inline TrnResult rows_load(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                  bool *uniform)
{
    Rows *rows = user;
    (void)uniform;
    rows_lock(rows);
    const TrnBlock *row = rows_find(rows, job->level, job->coord);
    if (row) {
        memcpy(blocks, row, (size_t)TRN_CHUNK_VOXELS * sizeof *blocks);
    }
    atomic_flag_clear(&rows->lock);
    return row ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND;
}

static inline TrnResult rows_save(void *user, const TrnStreamJob *job, TrnSnapshot voxels)
{
    Rows *rows = user;
    rows_lock(rows);
    if (rows->is_full) {
        rows->refused++;
        atomic_flag_clear(&rows->lock);
        return TRN_RESULT_FULL;
    }
    TrnBlock *row = rows_find(rows, job->level, job->coord);
    if (!row) {
        assert_true(rows->count < sizeof rows->rows / sizeof *rows->rows);
        row = malloc((size_t)TRN_CHUNK_VOXELS * sizeof *row);
        assert_non_null(row);
        rows->rows[rows->count].coord = job->coord;
        rows->rows[rows->count].level = job->level;
        rows->rows[rows->count++].blocks = row;
    }
    rows->saved[job->level]++;
    trn_snapshot_decode(voxels, row);
    atomic_flag_clear(&rows->lock);
    return TRN_RESULT_OK;
}

static inline void rows_free(Rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        free(rows->rows[i].blocks);
    }
    free(rows);
}

// ---- the model ---------------------------------------------------------------------------------

/// The land of level 0 with its edits, in the order in which they were made.
typedef struct World {
    Game *game;
    Rows *rows;
    struct {
        TrnVoxel voxel;
        TrnBlock block;
    } edits[EDITS_MAX];
    uint32_t count;
    uint32_t calls_before; ///< of failing hooks
} World;

/// @param workers  of level 0's stream
static inline World *world_create_with(uint32_t workers)
{
    World *world = calloc(1, sizeof *world);
    assert_non_null(world);
    world->rows = calloc(1, sizeof *world->rows);
    assert_non_null(world->rows);
    const TrnStreamSource source = {
        .load = rows_load, .save = rows_save, .user = world->rows, .saves_shown = true};
    world->game = game_create_from(workers, (TrnCoord){1, 1, -3}, &source);
    game_open_far(world->game);
    return world;
}

static inline World *world_create(void)
{
    return world_create_with(0);
}

static inline void world_destroy(World *world)
{
    game_destroy(world->game);
    rows_free(world->rows);
    free(world);
}

/// Generates a chunk without failures.
static inline void world_generate(const World *world, uint32_t level, TrnCoord coord,
                                  TrnBlock *blocks)
{
    Game calm = {0};
    bool is_uniform = false;
    (void)world;
    assert_int_equal(game_generate(&calm, coord, level, blocks, &is_uniform), TRN_RESULT_OK);
    for (uint32_t i = 1; is_uniform && i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = blocks[0];
    }
}

/// Whether any edit lies in a chunk.
static inline bool world_has_edits(const World *world, uint32_t level, TrnCoord coord)
{
    const uint32_t shift = TRN_CHUNK_SHIFT + level;
    for (uint32_t i = 0; i < world->count; i++) {
        const TrnVoxel voxel = world->edits[i].voxel;
        if (voxel.x >> shift == coord.x && voxel.y >> shift == coord.y &&
            voxel.z >> shift == coord.z) {
            return true;
        }
    }
    return false;
}

/// Computes what a chunk should be: land, and for levels the fold of what was edited.
static inline void world_expect(const World *world, uint32_t level, TrnCoord coord,
                                TrnBlock *blocks)
{
    world_generate(world, level, coord, blocks);
    for (uint32_t i = 0; level == 0 && i < world->count; i++) {
        const TrnVoxel voxel = world->edits[i].voxel;
        if (trn_coord_equal(trn_voxel_chunk(voxel), coord)) {
            blocks[trn_voxel_local_index(voxel)] = world->edits[i].block;
        }
    }
    if (level == 0 || !world_has_edits(world, level, coord)) {
        return;
    }
    const size_t size = (size_t)TRN_CHUNK_VOXELS;
    TrnBlock *child = malloc(3 * size * sizeof *child);
    assert_non_null(child);
    TrnBlock *made = child + size, *folded = made + size;
    const TrnBlockTypes *types = trn_store_block_types(world->game->store);
    for (uint32_t octant = 0; octant < 8; octant++) {
        const TrnCoord of_child = {coord.x * 2 + (int32_t)(octant & 1),
                                   coord.y * 2 + (int32_t)(octant >> 2),
                                   coord.z * 2 + (int32_t)(octant >> 1 & 1)};
        world_expect(world, level - 1, of_child, child);
        world_generate(world, level - 1, of_child, made);
        trn_fold_blocks(types, child, NULL, octant, folded);
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            const uint32_t x = (i & 31) / 2 + (octant & 1) * 16;
            const uint32_t y = (i >> 10) / 2 + (octant >> 2) * 16;
            const uint32_t z = (i >> 5 & 31) / 2 + (octant >> 1 & 1) * 16;
            if (child[i] != made[i]) {
                blocks[trn_local_index(x, y, z)] = folded[trn_local_index(x, y, z)];
            }
        }
    }
    free(child);
}

/// Reads a chunk's voxels; those that are omitted are as generated.
static inline void world_read(const World *world, uint32_t level, const TrnChunk *chunk,
                              TrnBlock *blocks)
{
    const TrnSnapshot voxels = trn_voxels_snapshot(&chunk->voxels);
    if (trn_snapshot_is_omitted(voxels)) {
        assert_true(level > 0);
        world_generate(world, level, chunk->coord, blocks);
    } else {
        trn_snapshot_decode(voxels, blocks);
    }
}

/// Compares all loaded chunks of all levels with the model.
static inline void world_check(const World *world)
{
    static TrnBlock expected[TRN_CHUNK_VOXELS], has[TRN_CHUNK_VOXELS];
    const TrnBox all = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}};
    for (uint32_t level = 0; level <= LEVELS; level++) {
        TrnChunk *chunks[4096];
        const size_t count =
            trn_store_gather(trn_far_store(world->game->far_view, level), all, chunks, 4096);
        assert_true(count > 0 && count <= 4096);
        for (size_t i = 0; i < count; i++) {
            world_read(world, level, chunks[i], has);
            world_expect(world, level, chunks[i]->coord, expected);
            assert_memory_equal(has, expected, sizeof has);
        }
    }
    assert_int_equal(trn_far_stats(world->game->far_view).folds_due, 0);
}

// ---- edits -------------------------------------------------------------------------------------

/// Fills a box of level 0, which may be unloaded.
static inline void world_fill(World *world, TrnVoxel min, TrnVoxel max, TrnBlock block)
{
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(world->game->store, NULL, &batch), TRN_RESULT_OK);
    assert_int_equal(trn_batch_fill_box(batch, min, max, block), TRN_RESULT_OK);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    for (int64_t y = min.y; y <= max.y; y++) {
        for (int64_t z = min.z; z <= max.z; z++) {
            for (int64_t x = min.x; x <= max.x; x++) {
                assert_true(world->count < EDITS_MAX);
                world->edits[world->count].voxel = (TrnVoxel){x, y, z};
                world->edits[world->count++].block = block;
            }
        }
    }
}

/// Restores the land of level 0 in a box.
static inline void world_restore(World *world, TrnVoxel min, TrnVoxel max)
{
    static TrnBlock land[TRN_CHUNK_VOXELS];
    for (int64_t y = min.y; y <= max.y; y++) {
        for (int64_t z = min.z; z <= max.z; z++) {
            for (int64_t x = min.x; x <= max.x; x++) {
                const TrnVoxel voxel = {x, y, z};
                world_generate(world, 0, trn_voxel_chunk(voxel), land);
                const TrnBlock block = land[trn_voxel_local_index(voxel)];
                assert_int_equal(trn_store_set_block(world->game->store, voxel, block, NULL),
                                 TRN_RESULT_OK);
                world->edits[world->count].voxel = voxel;
                world->edits[world->count++].block = block;
            }
        }
    }
}

static inline TrnBlock block_at(const World *world, uint32_t level, TrnVoxel voxel)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnVoxel there = {voxel.x >> level, voxel.y >> level, voxel.z >> level};
    TrnStore *store = trn_far_store(world->game->far_view, level);
    const TrnChunk *chunk = trn_store_find(store, trn_voxel_chunk(there));
    assert_non_null(chunk);
    world_read(world, level, chunk, blocks);
    return blocks[trn_voxel_local_index(there)];
}

/// Edits the chunks around an anchor by chance: boxes of any block, some across borders.
static inline void edit_by_chance(World *world, TestRandom *random, uint32_t boxes)
{
    const TrnCoord at = world->game->anchor.position.chunk;
    for (uint32_t i = 0; i < boxes; i++) {
        const uint64_t dice = test_random_next(random);
        const TrnVoxel min = {(int64_t)at.x * 32 + (int64_t)(dice & 63) - 32,
                              (int64_t)at.y * 32 + (int64_t)(dice >> 6 & 63) - 32,
                              (int64_t)at.z * 32 + (int64_t)(dice >> 12 & 63) - 32};
        const TrnVoxel max = {min.x + (int64_t)(dice >> 20 & 7), min.y + (int64_t)(dice >> 24 & 7),
                              min.z + (int64_t)(dice >> 28 & 7)};
        world_fill(world, min, max, (TrnBlock)((dice >> 40) % TRN_BLOCK_BUILTIN_COUNT));
    }
}
