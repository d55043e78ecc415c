// Folds the chunks of a save: rows of the coarser levels from those of level 0.

#include "save_impl.h"

#include <terrane/fold.h>

#include <string.h>

#include "base/memory.h"

/// A save while its chunks are folded.
typedef struct SaveFold {
    TrnSave *save;
    TrnStreamSource source;
    TrnCoordMap parents; ///< the chunks of the level to be made
    TrnResult result;    ///< of the list of these
    bool (*progress)(void *user, TrnSaveFoldProgress now);
    void *user;
    TrnSaveFoldProgress now;
    bool is_stopped;
    TrnBlock *blocks, *upper, *lower; ///< [TRN_CHUNK_VOXELS] a parent, and two of its children
} SaveFold;

// ---- one chunk ---------------------------------------------------------------------------------

/// Loads a child; air if the save has none.
static TrnResult fold_load(const SaveFold *fold, TrnCoord coord, TrnBlock *blocks)
{
    const TrnStreamJob job = {.coord = coord, .level = fold->now.level - 1};
    bool is_uniform = false;
    const TrnResult result = fold->source.load(fold->source.user, &job, blocks, &is_uniform);
    if (result == TRN_RESULT_NOT_FOUND) {
        is_uniform = true;
        blocks[0] = TRN_BLOCK_AIR;
    }
    for (uint32_t i = 1; is_uniform && i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = blocks[0];
    }
    return result == TRN_RESULT_NOT_FOUND ? TRN_RESULT_OK : result;
}

/// Folds two children above each other. @param octant  of the lower one
static TrnResult fold_pair(SaveFold *fold, TrnCoord coord, uint32_t octant)
{
    const TrnBlockTypes *types = fold->save->def.types;
    TrnCoord child = {coord.x * 2 + (int32_t)(octant & 1), coord.y * 2 + 1,
                      coord.z * 2 + (int32_t)(octant >> 1 & 1)};
    TrnResult result = fold_load(fold, child, fold->upper);
    child.y--;
    if (result == TRN_RESULT_OK) {
        result = fold_load(fold, child, fold->lower);
    }
    if (result == TRN_RESULT_OK) {
        trn_fold_blocks(types, fold->upper, NULL, octant | 4, fold->blocks);
        trn_fold_blocks(types, fold->lower, fold->upper, octant, fold->blocks);
    }
    return result;
}

/// Folds a chunk of the level. Waits for the disk when the save's queue is full.
static TrnResult fold_chunk(SaveFold *fold, TrnCoord coord)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t octant = 0; octant < 4 && result == TRN_RESULT_OK; octant++) {
        result = fold_pair(fold, coord, octant);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = trn_save_put(fold->save, coord, fold->now.level, fold->blocks, false);
    if (result == TRN_RESULT_FULL) {
        result = trn_save_flush(fold->save);
        result = result == TRN_RESULT_OK
                     ? trn_save_put(fold->save, coord, fold->now.level, fold->blocks, false)
                     : result;
    }
    return result;
}

// ---- levels ------------------------------------------------------------------------------------

static bool fold_note_parent(void *user, const TrnStorageRow *row)
{
    SaveFold *fold = user;
    const TrnCoord child = row->key.coord;
    const TrnCoord parent = {child.x >> 1, child.y >> 1, child.z >> 1}; // rounds down
    if (trn_coord_map_find(&fold->parents, parent)) {
        return true;
    }
    fold->result = trn_coord_map_reserve(&fold->parents, &fold->save->allocator, 1);
    if (fold->result == TRN_RESULT_OK) {
        trn_coord_map_add(&fold->parents, parent);
    }
    return fold->result == TRN_RESULT_OK;
}

/// Finds the chunks of a level whose children have rows.
static TrnResult fold_list(SaveFold *fold)
{
    const TrnStorage *storage = &fold->save->def.storage;
    const TrnStorageRange all = {
        .level = fold->now.level - 1,
        .box = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}}};
    trn_coord_map_free(&fold->parents, &fold->save->allocator);
    TrnResult result = trn_save_flush(fold->save);
    if (result == TRN_RESULT_OK) {
        result = storage->list(storage->user, &all, fold_note_parent, fold);
    }
    fold->now.done = 0;
    fold->now.total = fold->parents.count;
    return result == TRN_RESULT_OK ? fold->result : result;
}

static TrnResult fold_level(SaveFold *fold)
{
    TrnResult result = fold_list(fold);
    for (uint32_t i = 0; i < fold->parents.capacity && result == TRN_RESULT_OK; i++) {
        if (!fold->parents.slots[i].is_used) {
            continue;
        }
        result = fold_chunk(fold, fold->parents.slots[i].coord);
        fold->now.done += result == TRN_RESULT_OK;
        if (result == TRN_RESULT_OK && fold->progress && !fold->progress(fold->user, fold->now)) {
            fold->is_stopped = true;
            break;
        }
    }
    return result;
}

TrnResult trn_save_fold(TrnSave *save, uint32_t levels,
                        bool (*progress)(void *user, TrnSaveFoldProgress now), void *user)
{
    if (!save || levels >= TRN_SAVE_LEVELS) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const size_t voxels = (size_t)TRN_CHUNK_VOXELS, bytes = 3 * voxels * sizeof(TrnBlock);
    TrnBlock *blocks = trn_take(&save->allocator, bytes, TRN_CACHE_LINE);
    if (!blocks) {
        return TRN_RESULT_NO_MEMORY;
    }
    SaveFold fold = {.save = save,
                     .source = trn_save_source(save),
                     .progress = progress,
                     .user = user,
                     .blocks = blocks,
                     .upper = blocks + voxels,
                     .lower = blocks + 2 * voxels};
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t level = 1; level <= levels && result == TRN_RESULT_OK && !fold.is_stopped;
         level++) {
        fold.now.level = level;
        result = fold_level(&fold);
    }
    trn_coord_map_free(&fold.parents, &save->allocator);
    trn_give(&save->allocator, blocks, bytes);
    const TrnResult flushed = trn_save_flush(save);
    return result == TRN_RESULT_OK ? flushed : result;
}
