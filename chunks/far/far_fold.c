// Edits of a level, folded into the next coarser ones.

#include "far_impl.h"

#include <stdalign.h>
#include <string.h>

#include <terrane/batch.h>
#include <terrane/fold.h>

// A chunk costs what its generation and its parent's do, and some 50 us: about 0.1 ms with the
// built-in terrain, up to 1.5 where its columns are not cached.
#define FOLDS_AN_UPDATE 1u
#define FOLDS_LOOKED_AT 64u    // chunks of the queue that an update looks at
#define FOLD_DELAY_US 200000.0 // so that digging does not fold a chunk for each voxel

#define FOLD_HALF (TRN_CHUNK_EDGE / 2)
#define FOLD_CELLS (FOLD_HALF * FOLD_HALF * FOLD_HALF)

/// What folding one chunk needs.
typedef struct FoldScratch {
    TrnBlock land[TRN_CHUNK_VOXELS];   ///< the chunk without edits
    TrnBlock voxels[TRN_CHUNK_VOXELS]; ///< the chunk, later its parent
    TrnBlock folded[TRN_CHUNK_VOXELS]; ///< the parent; the chunk's part is what it should be
    TrnPendingRun runs[FOLD_CELLS];
} FoldScratch;

// ---- what is due -------------------------------------------------------------------------------

void trn_far_folds_init(TrnFarFolds *folds, uint64_t hash_key)
{
    for (uint32_t level = 0; level < TRN_FAR_LEVEL_MAX; level++) {
        folds->due[level].key = hash_key;
    }
}

void trn_far_folds_destroy(TrnFar *far_view)
{
    TrnFarFolds *folds = &far_view->folds;
    for (uint32_t level = 0; level < TRN_FAR_LEVEL_MAX; level++) {
        trn_coord_map_free(&folds->due[level], &far_view->allocator);
    }
    trn_array_free(&folds->queue, &far_view->allocator);
    trn_give(&far_view->allocator, folds->scratch, sizeof *folds->scratch);
    folds->scratch = NULL;
}

size_t trn_far_folds_bytes(const TrnFar *far_view)
{
    const TrnFarFolds *folds = &far_view->folds;
    size_t bytes = trn_array_bytes(&folds->queue);
    for (uint32_t level = 0; level < TRN_FAR_LEVEL_MAX; level++) {
        bytes += trn_coord_map_bytes(&folds->due[level]);
    }
    return bytes + (folds->scratch ? sizeof *folds->scratch : 0);
}

uint32_t trn_far_folds_due(const TrnFar *far_view)
{
    uint32_t due = 0;
    for (uint32_t level = 0; level < TRN_FAR_LEVEL_MAX; level++) {
        due += far_view->folds.due[level].count;
    }
    return due;
}

static bool fold_is_due(const TrnFar *far_view, uint32_t level, TrnCoord coord)
{
    return trn_coord_map_find(&far_view->folds.due[level], coord) != NULL;
}

/// Returns the ancestor of a chunk of a level at a coarser one.
static TrnCoord fold_ancestor(TrnCoord coord, uint32_t level, uint32_t of_level)
{
    const uint32_t up = of_level - level; // shifts round down
    return (TrnCoord){coord.x >> up, coord.y >> up, coord.z >> up};
}

/// Keeps the loaded ancestors of a chunk loaded, so that an edit gets all the way even if the
/// anchor leaves at once. @return bit n: that of level n
static uint64_t fold_pin(TrnFar *far_view, uint32_t level, TrnCoord coord)
{
    uint64_t pinned = 0;
    for (uint32_t above = level + 1; above <= far_view->def.view.levels; above++) {
        TrnStore *store = far_view->levels[above].store;
        TrnChunk *chunk = trn_store_find(store, fold_ancestor(coord, level, above));
        if (chunk) {
            trn_store_pin(store, chunk);
            pinned |= UINT64_C(1) << above;
        }
    }
    return pinned;
}

static void fold_unpin(TrnFar *far_view, uint32_t level, TrnCoord coord, uint64_t pinned)
{
    for (; pinned; pinned &= pinned - 1) {
        const uint32_t above = (uint32_t)__builtin_ctzll(pinned);
        TrnStore *store = far_view->levels[above].store;
        trn_store_unpin(store, trn_store_find(store, fold_ancestor(coord, level, above)));
    }
}

static void fold_forget(TrnFar *far_view, uint32_t level, TrnCoord coord)
{
    TrnCoordMap *due = &far_view->folds.due[level];
    TrnCoordEntry *entry = trn_coord_map_find(due, coord);
    fold_unpin(far_view, level, coord, entry->number);
    trn_coord_map_remove(due, entry);
}

static TrnResult fold_add(TrnFar *far_view, uint32_t level, TrnCoord coord)
{
    TrnFarFolds *folds = &far_view->folds;
    if (fold_is_due(far_view, level, coord)) {
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_coord_map_reserve(&folds->due[level], &far_view->allocator, 1);
    if (result == TRN_RESULT_OK) {
        result = trn_array_push(&folds->queue, &far_view->allocator,
                                (TrnFarDue){coord, level, far_view->previous_us});
    }
    if (result == TRN_RESULT_OK) {
        trn_coord_map_add(&folds->due[level], coord)->number = fold_pin(far_view, level, coord);
    }
    return result;
}

// ---- one chunk ---------------------------------------------------------------------------------

static uint32_t fold_octant(TrnCoord coord)
{
    return (uint32_t)(coord.x & 1) | (uint32_t)(coord.z & 1) << 1 | (uint32_t)(coord.y & 1) << 2;
}

static TrnCoord fold_parent(TrnCoord coord)
{
    return fold_ancestor(coord, 0, 1);
}

/// Returns the linear index, in the parent, of a cell of the part.
static uint32_t fold_cell_index(uint32_t octant, uint32_t cell)
{
    const uint32_t x = cell % FOLD_HALF, z = cell / FOLD_HALF % FOLD_HALF;
    const uint32_t y = cell / (FOLD_HALF * FOLD_HALF);
    return trn_local_index(x + (octant & 1) * FOLD_HALF, y + (octant >> 2) * FOLD_HALF,
                           z + (octant >> 1 & 1) * FOLD_HALF);
}

/// Generates a chunk, as it is without edits.
static TrnResult fold_generate(const TrnFar *far_view, uint32_t level, TrnCoord coord,
                               TrnBlock *blocks)
{
    bool is_uniform = false;
    const TrnResult result =
        trn_generator_generate(&far_view->def.generator, coord, level, blocks, &is_uniform);
    for (uint32_t i = 1; result == TRN_RESULT_OK && is_uniform && i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = blocks[0];
    }
    return result;
}

/// Computes what the chunk's part of its parent should be.
/// @param voxels  the chunk's
static TrnResult fold_compute(const TrnFar *far_view, uint32_t level, TrnCoord coord,
                              TrnSnapshot voxels)
{
    FoldScratch *scratch = far_view->folds.scratch;
    const TrnBlockTypes *types = trn_store_block_types(far_view->levels[level + 1].store);
    const bool has_land = far_view->def.generator.generate;
    TrnResult result = TRN_RESULT_OK;
    if (has_land) {
        result = fold_generate(far_view, level, coord, scratch->land);
    }
    if (has_land && result == TRN_RESULT_OK) {
        result = fold_generate(far_view, level + 1, fold_parent(coord), scratch->folded);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    // What lies above does not matter: a part depends on its chunk alone.
    trn_snapshot_decode(voxels, scratch->voxels);
    if (has_land) {
        trn_fold_edited(types, scratch->voxels, NULL, scratch->land, fold_octant(coord),
                        scratch->folded);
    } else {
        trn_fold_blocks(types, scratch->voxels, NULL, fold_octant(coord), scratch->folded);
    }
    return TRN_RESULT_OK;
}

/// Lists the cells that the parent must change.
/// @param has_parent  scratch->voxels are the parent's; false: it is not loaded
/// @return how many runs
static uint32_t fold_list_runs(FoldScratch *scratch, uint32_t octant, bool has_parent)
{
    uint32_t count = 0;
    for (uint32_t cell = 0; cell < FOLD_CELLS; cell++) {
        const uint32_t index = fold_cell_index(octant, cell);
        const TrnBlock block = scratch->folded[index];
        TrnPendingRun *last = count ? &scratch->runs[count - 1] : NULL;
        if (has_parent && scratch->voxels[index] == block) {
            continue;
        }
        if (last && last->last + 1u == index && last->block == block) {
            last->last++;
        } else {
            scratch->runs[count++] = (TrnPendingRun){(uint16_t)index, (uint16_t)index, block};
        }
    }
    return count;
}

/// Writes the part to the parent.
static TrnResult fold_write(TrnFar *far_view, uint32_t level, TrnCoord coord)
{
    FoldScratch *scratch = far_view->folds.scratch;
    TrnStore *store = far_view->levels[level + 1].store;
    const TrnCoord parent = fold_parent(coord);
    TrnSnapshot voxels;
    const bool has_parent = trn_store_snapshot(store, parent, &voxels) == TRN_RESULT_OK;
    if (has_parent) {
        trn_snapshot_decode(voxels, scratch->voxels);
    }
    const uint32_t count = fold_list_runs(scratch, fold_octant(coord), has_parent);
    TrnBatch *batch;
    TrnResult result = count ? trn_batch_begin(store, NULL, &batch) : TRN_RESULT_OK;
    if (!count || result != TRN_RESULT_OK) {
        return result;
    }
    (void)trn_batch_set_runs(batch, parent, scratch->runs, count); // the commit tells
    return trn_batch_commit(batch, NULL);
}

/// Folds a chunk that is due. @param voxels  its own
static TrnResult fold_chunk(TrnFar *far_view, uint32_t level, TrnCoord coord, TrnSnapshot voxels)
{
    TrnFarFolds *folds = &far_view->folds;
    if (!folds->scratch) {
        folds->scratch =
            trn_take(&far_view->allocator, sizeof *folds->scratch, alignof(FoldScratch));
    }
    if (!folds->scratch) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnResult result = fold_compute(far_view, level, coord, voxels);
    if (result == TRN_RESULT_OK) {
        result = fold_write(far_view, level, coord);
    }
    if (result == TRN_RESULT_OK) {
        fold_forget(far_view, level, coord);
        folds->folded++;
    }
    return result;
}

// ---- events ------------------------------------------------------------------------------------

static TrnResult fold_on_chunk(TrnFar *far_view, uint32_t level, const TrnStoreEvent *event,
                               const TrnEventChunk *chunk)
{
    switch (event->kind) {
    case TRN_EVENT_CHANGED:
        return fold_add(far_view, level, chunk->coord);
    case TRN_EVENT_INSERTED:
        return chunk->applied ? fold_add(far_view, level, chunk->coord) : TRN_RESULT_OK;
    case TRN_EVENT_REMOVED: // the last moment to read it
        if (fold_is_due(far_view, level, chunk->coord)) {
            const TrnSnapshot voxels = trn_voxels_snapshot(&chunk->chunk->voxels);
            if (fold_chunk(far_view, level, chunk->coord, voxels) != TRN_RESULT_OK) {
                fold_forget(far_view, level, chunk->coord);
            }
        }
        return TRN_RESULT_OK;
    default:
        return TRN_RESULT_OK;
    }
}

/// Takes up all chunks that changed after a revision.
static TrnResult fold_add_since(TrnFar *far_view, const TrnFarLevel *level, uint64_t revision)
{
    const size_t count = trn_store_changed_since(level->store, revision, NULL, 0);
    const size_t bytes = count * sizeof(TrnChunk *);
    TrnChunk **chunks = count ? trn_take(&far_view->allocator, bytes, alignof(TrnChunk *)) : NULL;
    if (count && !chunks) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnResult result = TRN_RESULT_OK;
    (void)trn_store_changed_since(level->store, revision, chunks, count);
    for (size_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
        result = fold_add(far_view, level->level, chunks[i]->coord);
    }
    trn_give(&far_view->allocator, chunks, bytes);
    return result;
}

static TrnResult fold_on_event(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    const TrnFarLevel *level = user;
    TrnFar *far_view = level->far_view;
    (void)store;
    if (level->level >= far_view->def.view.levels) {
        return TRN_RESULT_OK; // there is no coarser one
    }
    TrnResult result =
        event->has_missed ? fold_add_since(far_view, level, event->missed_since) : TRN_RESULT_OK;
    for (uint32_t i = 0; i < event->count; i++) {
        const TrnResult one = fold_on_chunk(far_view, level->level, event, &event->chunks[i]);
        result = one == TRN_RESULT_OK ? result : one;
    }
    return result;
}

TrnResult trn_far_folds_watch(TrnFarLevel *level)
{
    const uint32_t kinds = TRN_EVENT_BIT(TRN_EVENT_INSERTED) | TRN_EVENT_BIT(TRN_EVENT_CHANGED) |
                           TRN_EVENT_BIT(TRN_EVENT_REMOVED);
    return trn_store_subscribe(level->store, kinds, fold_on_event, level);
}

/// Forgets all that is due of a level.
static void fold_forget_level(TrnFar *far_view, uint32_t level)
{
    TrnCoordMap *due = &far_view->folds.due[level];
    for (uint32_t i = 0; i < due->capacity; i++) {
        if (due->slots[i].is_used) {
            fold_unpin(far_view, level, due->slots[i].coord, due->slots[i].number);
        }
    }
    trn_coord_map_free(due, &far_view->allocator);
}

void trn_far_folds_unwatch(TrnFarLevel *level)
{
    TrnFar *far_view = level->far_view;
    (void)trn_store_unsubscribe(level->store, fold_on_event, level);
    // What is due of this level has no voxels any more, and that of the level below no parent.
    for (uint32_t due = 0; due < TRN_FAR_LEVEL_MAX && due <= level->level; due++) {
        TrnCoordMap *map = &far_view->folds.due[due];
        if (due + 1 >= level->level) {
            fold_forget_level(far_view, due);
        }
        for (uint32_t i = 0; i < map->capacity; i++) { // the pins of others end with the level
            map->slots[i].number &= ~(UINT64_C(1) << level->level);
        }
    }
}

// ---- updates -----------------------------------------------------------------------------------

/// What became of a chunk of the queue.
typedef enum FoldState {
    FOLD_DONE,  ///< it is due no longer
    FOLD_WAITS, ///< for its parent
    FOLD_LATER, ///< for its time, or after an error
} FoldState;

/// Folds a chunk of the queue if it can be folded.
/// @param is_forced  whether or not its parent is loaded, and however recent the edit
static FoldState fold_try(TrnFar *far_view, const TrnFarDue *due, double now_us, bool is_forced,
                          TrnResult *result)
{
    TrnSnapshot voxels;
    if (!fold_is_due(far_view, due->level, due->coord)) {
        return FOLD_DONE;
    }
    if (trn_store_snapshot(far_view->levels[due->level].store, due->coord, &voxels) !=
        TRN_RESULT_OK) {
        fold_forget(far_view, due->level, due->coord); // its event was missed
        return FOLD_DONE;
    }
    if (!is_forced && !due->level && now_us - due->since_us < FOLD_DELAY_US) {
        return FOLD_LATER;
    }
    const TrnStore *above = far_view->levels[due->level + 1].store;
    if (!is_forced && !trn_store_find(above, fold_parent(due->coord))) {
        return FOLD_WAITS;
    }
    const TrnResult folded = fold_chunk(far_view, due->level, due->coord, voxels);
    *result = folded == TRN_RESULT_OK ? *result : folded;
    return folded == TRN_RESULT_OK ? FOLD_DONE : FOLD_LATER;
}

TrnResult trn_far_fold_some(TrnFar *far_view, double now_us, bool *is_idle)
{
    TrnFarFolds *folds = &far_view->folds;
    const uint64_t until = folds->folded + FOLDS_AN_UPDATE;
    TrnResult result = TRN_RESULT_OK;
    uint32_t waits = 0, looks = folds->queue.count;
    looks = looks < FOLDS_LOOKED_AT ? looks : FOLDS_LOOKED_AT;
    for (; looks > 0 && folds->queue.count && folds->folded < until; looks--) {
        folds->next = folds->next < folds->queue.count ? folds->next : 0;
        const TrnFarDue due = folds->queue.items[folds->next];
        const FoldState state = fold_try(far_view, &due, now_us, false, &result);
        waits += state == FOLD_WAITS;
        if (state == FOLD_DONE) { // its parent's entry, if any, is the last one
            trn_array_remove_swap(&folds->queue, folds->next);
        } else {
            folds->next++;
        }
    }
    *is_idle = folds->queue.count <= waits;
    return result;
}

TrnResult trn_far_fold_all(TrnFar *far_view)
{
    TrnFarFolds *folds = &far_view->folds;
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t level = 0; level < far_view->def.view.levels; level++) {
        // Folding adds chunks of the next level alone.
        for (uint32_t i = 0; i < folds->queue.count;) {
            const TrnFarDue due = folds->queue.items[i];
            if (due.level != level || fold_try(far_view, &due, 0, true, &result) != FOLD_DONE) {
                i++;
            } else {
                trn_array_remove_swap(&folds->queue, i);
            }
        }
    }
    return result;
}
