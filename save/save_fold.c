// Makes rows of the coarser levels from those of level 0.

#include "save_impl.h"

#include <terrane/fold.h>
#include <terrane/generator.h>

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
    const TrnGenerator *land; ///< NULL: there is none
    // [TRN_CHUNK_VOXELS] a parent, two of its children, and one of them without edits.
    TrnBlock *blocks, *upper, *lower, *without_edits;
} SaveFold;

// ---- one chunk ---------------------------------------------------------------------------------

static void fold_spread(TrnBlock *blocks)
{
    for (uint32_t i = 1; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = blocks[0];
    }
}

/// Generates a chunk as it is without a row.
static TrnResult fold_generate(const SaveFold *fold, TrnCoord coord, uint32_t level,
                               TrnBlock *blocks)
{
    bool is_uniform = !fold->land;
    TrnResult result = TRN_RESULT_OK;
    if (fold->land) {
        result = trn_generator_generate(fold->land, coord, level, blocks, &is_uniform);
    } else {
        blocks[0] = TRN_BLOCK_AIR;
    }
    if (is_uniform && result == TRN_RESULT_OK) {
        fold_spread(blocks);
    }
    return result;
}

/// Loads a child. @param has_row  receives whether the save has it; otherwise it is generated
static TrnResult fold_load(const SaveFold *fold, TrnCoord coord, TrnBlock *blocks, bool *has_row)
{
    const TrnStreamJob job = {.coord = coord, .level = fold->now.level - 1};
    bool is_uniform = false;
    const TrnResult result = fold->source.load(fold->source.user, &job, blocks, &is_uniform);
    *has_row = result == TRN_RESULT_OK;
    if (result == TRN_RESULT_NOT_FOUND) {
        return fold_generate(fold, coord, job.level, blocks);
    }
    if (is_uniform && *has_row) {
        fold_spread(blocks);
    }
    return result;
}

/// Folds a child into its parent. @param above  the child above it; NULL: not known
static TrnResult fold_child(SaveFold *fold, TrnCoord coord, const TrnBlock *child,
                            const TrnBlock *above, uint32_t octant)
{
    const TrnBlockTypes *types = fold->save->def.types;
    if (!fold->land) {
        trn_fold_blocks(types, child, above, octant, fold->blocks);
        return TRN_RESULT_OK;
    }
    const TrnResult result = fold_generate(fold, coord, fold->now.level - 1, fold->without_edits);
    if (result == TRN_RESULT_OK) {
        trn_fold_edited(types, child, above, fold->without_edits, octant, fold->blocks);
    }
    return result;
}

/// Folds two children above each other. @param octant  of the lower one
static TrnResult fold_pair(SaveFold *fold, TrnCoord coord, uint32_t octant)
{
    const TrnCoord lower = {coord.x * 2 + (int32_t)(octant & 1), coord.y * 2,
                            coord.z * 2 + (int32_t)(octant >> 1 & 1)};
    const TrnCoord upper = {lower.x, lower.y + 1, lower.z};
    bool has_upper, has_lower;
    TrnResult result = fold_load(fold, upper, fold->upper, &has_upper);
    if (result == TRN_RESULT_OK) {
        result = fold_load(fold, lower, fold->lower, &has_lower);
    }
    if (result == TRN_RESULT_OK && has_upper) {
        result = fold_child(fold, upper, fold->upper, NULL, octant | 4);
    }
    if (result == TRN_RESULT_OK && has_lower) {
        result = fold_child(fold, lower, fold->lower, fold->upper, octant);
    }
    return result;
}

/// Folds a chunk of the level. Waits for the disk when the save's queue is full.
static TrnResult fold_chunk(SaveFold *fold, TrnCoord coord)
{
    TrnResult result = fold_generate(fold, coord, fold->now.level, fold->blocks);
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

TrnResult trn_save_fold(TrnSave *save, const TrnGenerator *land, uint32_t levels,
                        bool (*progress)(void *user, TrnSaveFoldProgress now), void *user)
{
    if (!save || levels >= TRN_SAVE_LEVELS || (land && levels > land->level_max)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const size_t voxels = (size_t)TRN_CHUNK_VOXELS, bytes = 4 * voxels * sizeof(TrnBlock);
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
                     .lower = blocks + 2 * voxels,
                     .without_edits = blocks + 3 * voxels,
                     .land = land};
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
