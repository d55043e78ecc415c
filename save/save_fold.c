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
    uint32_t worker;     ///< that loads
    TrnCoordMap parents; ///< the chunks of the level to be made
    TrnResult result;    ///< of the list of these
    bool (*progress)(void *user, TrnSaveFoldProgress now);
    void *user;
    TrnSaveFoldProgress now;
    bool is_stopped;
    bool has_news;            ///< some level was not up to date
    const TrnGenerator *land; ///< NULL: there is none
    // [TRN_CHUNK_VOXELS] a parent, two of its children, one of them without edits, and the parent
    // without edits.
    TrnBlock *blocks, *upper, *lower, *without_edits, *parent_without_edits;
} SaveFold;

/// What the world notes of its levels. A value of 8 bytes for each: the revision of the save up to
/// which the level has the rows of the next finer one.
typedef struct SaveFolded {
    uint64_t revisions[TRN_SAVE_LEVELS]; ///< [0] is not used
} SaveFolded;

// ---- what is folded ----------------------------------------------------------------------------

static bool fold_read_folded(void *user, const TrnStorageValue *value)
{
    SaveFolded *folded = user;
    const bool is_ours =
        value->size == sizeof folded->revisions && strcmp(value->name, TRN_SAVE_FOLDED_NAME) == 0;
    for (uint32_t level = 0; is_ours && level < TRN_SAVE_LEVELS; level++) {
        folded->revisions[level] =
            trn_number_read((const unsigned char *)value->bytes + (size_t)8 * level, 8);
    }
    return true;
}

static bool fold_read_revision(void *user, const TrnStorageValue *value)
{
    if (value->size == 8 && strcmp(value->name, TRN_SAVE_REVISION_NAME) == 0) {
        *(uint64_t *)user = trn_number_read(value->bytes, 8);
    }
    return true;
}

static TrnResult fold_note(TrnSave *save, const SaveFolded *folded)
{
    unsigned char bytes[sizeof folded->revisions];
    for (uint32_t level = 0; level < TRN_SAVE_LEVELS; level++) {
        trn_number_write(bytes + (size_t)8 * level, folded->revisions[level], 8);
    }
    const TrnStorageValue value = {TRN_SAVE_FOLDED_NAME, bytes, sizeof bytes};
    return trn_save_put_value(save, &value);
}

/// Writes the queue, and reads what the world notes.
/// @param revision  receives that of the last row
static TrnResult fold_read_notes(TrnSave *save, SaveFolded *folded, uint64_t *revision)
{
    const TrnStorage *storage = &save->def.storage;
    *folded = (SaveFolded){{0}};
    *revision = 0;
    TrnResult result = trn_save_flush(save);
    if (result == TRN_RESULT_OK) {
        result = storage->values(storage->user, TRN_SAVE_FOLDED_NAME, fold_read_folded, folded);
    }
    return result == TRN_RESULT_OK ? storage->values(storage->user, TRN_SAVE_REVISION_NAME,
                                                     fold_read_revision, revision)
                                   : result;
}

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

/// Loads a chunk. @param has_row  receives whether the save has it
static TrnResult fold_load(const SaveFold *fold, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                           bool *has_row)
{
    const TrnStreamJob job = {.coord = coord, .level = level, .worker = fold->worker};
    bool is_uniform = false;
    const TrnResult result = fold->source.load(fold->source.user, &job, blocks, &is_uniform);
    *has_row = result == TRN_RESULT_OK;
    if (is_uniform && *has_row) {
        fold_spread(blocks);
    }
    return result == TRN_RESULT_NOT_FOUND ? TRN_RESULT_OK : result;
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
    if (result == TRN_RESULT_OK) { // from its voxels alone, as a far view does
        trn_fold_edited(types, child, NULL, fold->without_edits, octant, fold->blocks);
    }
    return result;
}

/// Folds two children above each other. @param octant  of the lower one
static TrnResult fold_pair(SaveFold *fold, TrnCoord coord, uint32_t octant)
{
    const TrnCoord lower = {coord.x * 2 + (int32_t)(octant & 1), coord.y * 2,
                            coord.z * 2 + (int32_t)(octant >> 1 & 1)};
    const TrnCoord upper = {lower.x, lower.y + 1, lower.z};
    const uint32_t level = fold->now.level - 1;
    bool has_upper, has_lower = false;
    TrnResult result = fold_load(fold, upper, level, fold->upper, &has_upper);
    if (result == TRN_RESULT_OK) {
        result = fold_load(fold, lower, level, fold->lower, &has_lower);
    }
    if (result == TRN_RESULT_OK && has_upper) {
        result = fold_child(fold, upper, fold->upper, NULL, octant | 4);
    }
    if (result == TRN_RESULT_OK && has_lower) {
        result = fold_child(fold, lower, fold->lower, has_upper ? fold->upper : NULL, octant);
    }
    return result;
}

/// Whether a folded chunk needs a row: it differs from the land, or from a row that it has.
static TrnResult fold_needs_row(const SaveFold *fold, TrnCoord coord, bool *needs_row)
{
    const size_t bytes = sizeof(TrnBlock[TRN_CHUNK_VOXELS]);
    *needs_row = !fold->land || memcmp(fold->blocks, fold->parent_without_edits, bytes) != 0;
    return *needs_row ? TRN_RESULT_OK
                      : fold_load(fold, coord, fold->now.level, fold->upper, needs_row);
}

/// Folds a chunk of the level. Waits for the disk when the save's queue is full.
static TrnResult fold_chunk(SaveFold *fold, TrnCoord coord)
{
    const size_t bytes = sizeof(TrnBlock[TRN_CHUNK_VOXELS]);
    bool needs_row = true;
    TrnResult result = fold_generate(fold, coord, fold->now.level, fold->blocks);
    memcpy(fold->parent_without_edits, fold->blocks, bytes);
    for (uint32_t octant = 0; octant < 4 && result == TRN_RESULT_OK; octant++) {
        result = fold_pair(fold, coord, octant);
    }
    if (result == TRN_RESULT_OK) {
        result = fold_needs_row(fold, coord, &needs_row);
    }
    if (result != TRN_RESULT_OK || !needs_row) {
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

/// Finds the chunks of a level whose children have rows that it does not have yet. Rows are looked
/// through only if any was written since.
/// @param folded   receives what the world notes, with this level's revision as of now
/// @param is_done  receives whether nothing was written since
static TrnResult fold_list(SaveFold *fold, SaveFolded *folded, bool *is_done)
{
    const TrnStorage *storage = &fold->save->def.storage;
    TrnStorageRange later = {
        .level = fold->now.level - 1,
        .box = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}}};
    uint64_t revision;
    trn_coord_map_free(&fold->parents, &fold->save->allocator);
    TrnResult result = fold_read_notes(fold->save, folded, &revision);
    later.since = folded->revisions[fold->now.level];
    folded->revisions[fold->now.level] = revision;
    *is_done = revision > 0 && later.since == revision;
    if (result == TRN_RESULT_OK && !*is_done) {
        result = storage->list(storage->user, &later, fold_note_parent, fold);
    }
    fold->now.done = 0;
    fold->now.total = fold->parents.count;
    return result == TRN_RESULT_OK ? fold->result : result;
}

static TrnResult fold_level(SaveFold *fold)
{
    SaveFolded folded;
    bool is_done;
    TrnResult result = fold_list(fold, &folded, &is_done);
    const TrnCoordEntry *parent;
    uint64_t at = 0;
    while (result == TRN_RESULT_OK && (parent = trn_coord_map_next(&fold->parents, &at))) {
        result = fold_chunk(fold, parent->coord);
        fold->now.done += result == TRN_RESULT_OK;
        if (result == TRN_RESULT_OK && fold->progress && !fold->progress(fold->user, fold->now)) {
            fold->is_stopped = true;
            return result;
        }
    }
    if (result == TRN_RESULT_OK && !is_done) {
        result = fold_note(fold->save, &folded); // written with the last rows, or after them
        fold->has_news = true;
    }
    fold->save->folded_levels =
        result == TRN_RESULT_OK ? fold->now.level : fold->save->folded_levels;
    return result;
}

#define FOLD_BYTES (5 * sizeof(TrnBlock[TRN_CHUNK_VOXELS]))

/// Errors: NO_MEMORY.
static TrnResult fold_begin(SaveFold *fold, TrnSave *save, const TrnGenerator *land)
{
    const size_t voxels = (size_t)TRN_CHUNK_VOXELS;
    TrnBlock *blocks = trn_take(&save->allocator, FOLD_BYTES, TRN_CACHE_LINE);
    *fold =
        (SaveFold){.save = save, .source = trn_save_source(save), .blocks = blocks, .land = land};
    if (!blocks) {
        return TRN_RESULT_NO_MEMORY;
    }
    fold->upper = blocks + voxels;
    fold->lower = blocks + 2 * voxels;
    fold->without_edits = blocks + 3 * voxels;
    fold->parent_without_edits = blocks + 4 * voxels;
    return TRN_RESULT_OK;
}

static void fold_end(SaveFold *fold)
{
    trn_coord_map_free(&fold->parents, &fold->save->allocator);
    trn_give(&fold->save->allocator, fold->blocks, FOLD_BYTES);
}

TrnResult trn_save_fold_member_chunk(TrnSave *save, const TrnGenerator *land, TrnCoord coord,
                                     uint32_t level)
{
    SaveFold fold;
    TrnResult result = fold_begin(&fold, save, land);
    if (result == TRN_RESULT_OK) {
        fold.worker = TRN_SAVE_MEMBER_WORKER;
        fold.now.level = level;
        result = fold_chunk(&fold, coord);
        fold_end(&fold);
    }
    return result;
}

TrnResult trn_save_fold(TrnSave *save, const TrnGenerator *land, uint32_t levels,
                        bool (*progress)(void *user, TrnSaveFoldProgress now), void *user)
{
    if (!save || levels >= TRN_SAVE_LEVELS || (land && levels > land->level_max)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    SaveFold fold;
    TrnResult result = fold_begin(&fold, save, land);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    fold.progress = progress;
    fold.user = user;
    for (uint32_t level = 1; level <= levels && result == TRN_RESULT_OK && !fold.is_stopped;
         level++) {
        fold.now.level = level;
        result = fold_level(&fold);
    }
    if (result == TRN_RESULT_OK && fold.has_news && !fold.is_stopped) {
        result = trn_save_note_folded(save, levels); // the levels' own rows are newer than theirs
    }
    fold_end(&fold);
    const TrnResult flushed = trn_save_flush(save);
    return result == TRN_RESULT_OK ? flushed : result;
}

TrnResult trn_save_note_folded(TrnSave *save, uint32_t levels)
{
    SaveFolded folded;
    uint64_t revision;
    if (!save) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnResult result = fold_read_notes(save, &folded, &revision);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    for (uint32_t level = 1; level <= levels && level <= save->folded_levels; level++) {
        folded.revisions[level] = revision;
    }
    return fold_note(save, &folded);
}
