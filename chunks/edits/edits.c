// Creates batches and histories, and owns what they share: the TrnEdits of a store, attached by the
// first call that needs it.

#include "edits/batch_impl.h"

#include <stdalign.h>

#include "edits/history_impl.h"

// ---- inserted chunks ----------------------------------------------------------------------------

/// The state of applying pending edits to a chunk that is being inserted.
typedef struct EditsInsertWork {
    const TrnAllocator *scratch;
    TrnVoxelEdit edit;
    TrnBlock *was; ///< [TRN_CHUNK_VOXELS] scratch, allocated for the first segment with a group
    TrnEditRuns diff;
    TrnDataChanges data;           ///< what the diff removed
    TrnEditDelta *oldest, *newest; ///< deltas for the segments' groups, linked by `newer`
} EditsInsertWork;

static void edits_insert_free_deltas(TrnEditDelta *delta)
{
    for (TrnEditDelta *newer; delta; delta = newer) {
        newer = delta->newer;
        trn_edit_delta_free(delta->group->history, delta);
    }
}

/// Records what a segment changed, for its group.
static TrnResult edits_insert_record(EditsInsertWork *work, const TrnSegment *segment)
{
    TrnEditDelta *delta;
    TrnResult result =
        trn_history_lost_data(trn_edit_state(&work->edit), &work->diff, &work->data, work->scratch);
    const TrnEditDiff diff = {0, work->diff.items, work->diff.count, work->data.items,
                              work->data.count};
    if (result == TRN_RESULT_OK) {
        result = trn_edit_delta_create(trn_history_group_of(segment)->history,
                                       segment->record->coord, &diff, &delta);
    }
    if (result == TRN_RESULT_OK) {
        delta->group = trn_history_group_of(segment);
        *(work->newest ? &work->newest->newer : &work->oldest) = delta;
        work->newest = delta;
    }
    return result;
}

/// Applies a segment that has a group, and records what it changed.
static TrnResult edits_insert_apply_recorded(EditsInsertWork *work, const TrnSegment *segment)
{
    if (!work->was) {
        work->was = trn_take(work->scratch, TRN_CHUNK_BLOCKS_BYTES, TRN_CACHE_LINE);
    }
    if (!work->was) {
        return TRN_RESULT_NO_MEMORY;
    }
    work->diff.count = 0;
    TrnResult result =
        trn_edit_runs_write_diff(&work->edit, segment->runs.items, segment->runs.count, work->was,
                                 &work->diff, work->scratch);
    return result == TRN_RESULT_OK && work->diff.count ? edits_insert_record(work, segment)
                                                       : result;
}

/// Applies all segments of a record, oldest first.
static TrnResult edits_insert_apply(EditsInsertWork *work, const TrnPendingChunk *record)
{
    TrnResult result = TRN_RESULT_OK;
    for (const TrnSegment *at = record->oldest; at && result == TRN_RESULT_OK; at = at->newer) {
        result = at->group ? edits_insert_apply_recorded(work, at)
                           : trn_edit_runs_write(&work->edit, at->runs.items, at->runs.count,
                                                 TRN_RUN_AFTER);
    }
    trn_give(work->scratch, work->was, TRN_CHUNK_BLOCKS_BYTES);
    trn_array_free(&work->diff, work->scratch);
    trn_array_free(&work->data, work->scratch);
    return result;
}

// ---- hooks -------------------------------------------------------------------------------------

static TrnResult edits_insert_prepare(void *user, TrnCoord coord, TrnVoxels *voxels,
                                      uint64_t revision)
{
    TrnEdits *edits = user;
    const TrnPendingChunk *record = trn_pending_find(&edits->pending.chunks, coord);
    EditsInsertWork work = {.scratch = &edits->batch_allocator};
    trn_voxel_edit_begin(&work.edit, trn_store_voxel_heap(edits->store), voxels);
    TrnResult result = edits_insert_apply(&work, record);
    if (result != TRN_RESULT_OK) {
        trn_voxel_edit_cancel(&work.edit);
        edits_insert_free_deltas(work.oldest);
        return result;
    }
    trn_voxel_edit_commit(&work.edit, revision);
    edits->inserting = work.oldest;
    return TRN_RESULT_OK;
}

static void edits_insert_publish(void *user, TrnCoord coord)
{
    TrnEdits *edits = user;
    for (TrnEditDelta *delta = edits->inserting, *newer; delta; delta = newer) {
        newer = delta->newer;
        trn_history_group_append(delta->group, delta);
    }
    edits->inserting = NULL;
    // Trimming a history can drop groups, which merges segments. So find the record again after
    // each.
    for (TrnPendingChunk *record; (record = trn_pending_find(&edits->pending.chunks, coord));) {
        const TrnHistoryGroup *group = trn_history_group_of(record->oldest);
        TrnHistory *history = group ? group->history : NULL;
        trn_pending_free_applied(&edits->pending, record);
        if (history) {
            trn_history_trim(history);
        }
    }
}

static void edits_insert_abandon(void *user)
{
    TrnEdits *edits = user;
    edits_insert_free_deltas(edits->inserting);
    edits->inserting = NULL;
}

static uint32_t edits_insert_pending_runs(const void *user, TrnCoord coord)
{
    const TrnEdits *edits = user;
    return trn_pending_runs(&edits->pending, coord);
}

/// The hooks of a store's edits.
static TrnStoreHooks edits_insert_hooks(TrnEdits *edits)
{
    return (TrnStoreHooks){.pending_runs = edits_insert_pending_runs,
                           .prepare_insert = edits_insert_prepare,
                           .publish_insert = edits_insert_publish,
                           .abandon_insert = edits_insert_abandon,
                           .user = edits};
}

// ---- edits of a store ---------------------------------------------------------------------------

/// trn_pending_set_bytes_max until it is called.
#define PENDING_BYTES_MAX_DEFAULT ((size_t)16 << 20)

/// How many open chunks the pool allocates at once. A block of them (20 KiB) stays allocated
/// between batches, until trn_store_trim.
#define OPEN_CHUNKS_PER_BLOCK 16

// ---- accounts ----------------------------------------------------------------------------------

static void *edits_alloc(size_t bytes, size_t alignment, void *user)
{
    TrnEditsAccount *account = user;
    if (account->bytes_max &&
        (account->bytes >= account->bytes_max || bytes > account->bytes_max - account->bytes)) {
        *account->refusal = (TrnStoreRefusal){.is_capped = true, .is_part_capped = true};
        return NULL;
    }
    void *memory = trn_take(&account->store, bytes, alignment);
    account->bytes += memory ? bytes : 0;
    return memory;
}

static void edits_free(void *memory, size_t bytes, void *user)
{
    TrnEditsAccount *account = user;
    account->bytes -= bytes;
    trn_give(&account->store, memory, bytes);
}

static TrnAllocator edits_open_account(const TrnEdits *edits, TrnEditsAccount *account,
                                       size_t bytes_max)
{
    *account = (TrnEditsAccount){
        .store = edits->allocator, .refusal = edits->refusal, .bytes_max = bytes_max};
    return (TrnAllocator){edits_alloc, edits_free, account};
}

// ---- attach and destroy ------------------------------------------------------------------------

static TrnEdits *edits_of(const TrnStore *store)
{
    return trn_store_attached(store);
}

static void edits_trim(void *user)
{
    TrnEdits *edits = user;
    trn_pool_trim(edits->open_chunks);
}

static void edits_destroy(void *user)
{
    TrnEdits *edits = user;
    TRN_ASSERT(edits->open_batches == 0);
    trn_pending_clear(&edits->pending, &edits->pending.chunks);
    trn_pool_destroy(edits->open_chunks);
    const TrnAllocator allocator = edits->allocator;
    trn_give(&allocator, edits, sizeof *edits);
}

static TrnResult edits_create(TrnStore *store, TrnEdits **edits)
{
    const TrnAllocator allocator = trn_store_attached_allocator(store);
    TrnEdits *made = trn_take(&allocator, sizeof *made, alignof(TrnEdits));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnEdits){.store = store, .refusal = trn_store_refusal(store), .allocator = allocator};
    made->batch_allocator = edits_open_account(made, &made->batch_account, 0);
    made->pending_allocator =
        edits_open_account(made, &made->pending_account, PENDING_BYTES_MAX_DEFAULT);
    made->history_allocator = edits_open_account(made, &made->history_account, 0);
    made->pending.allocator = &made->pending_allocator;
    made->pending.scratch = &made->batch_allocator;
    made->pending.chunks.map.key = trn_store_hash_key(store);
    TrnPoolDef pool = trn_pool_def(sizeof(TrnOpenChunk));
    pool.slot_alignment = TRN_CACHE_LINE;
    pool.block_slots = OPEN_CHUNKS_PER_BLOCK;
    pool.allocator = &made->batch_allocator;
    TrnResult result = trn_pool_create(&pool, &made->open_chunks);
    if (result != TRN_RESULT_OK) {
        trn_give(&allocator, made, sizeof *made);
        return result;
    }
    *edits = made;
    return TRN_RESULT_OK;
}

/// Finds the edits of a store, or creates and attaches them.
/// Errors: NO_MEMORY, FULL, READERS; the store is unchanged.
static TrnResult edits_attach(TrnStore *store, TrnEdits **edits)
{
    *edits = edits_of(store);
    if (*edits) {
        return TRN_RESULT_OK;
    }
    trn_store_refusal_clear(trn_store_refusal(store));
    TrnResult result = edits_create(store, edits);
    if (result != TRN_RESULT_OK) {
        return trn_store_result(store, result);
    }
    TrnStoreHooks hooks = edits_insert_hooks(*edits);
    hooks.trim = edits_trim;
    hooks.destroy = edits_destroy;
    trn_store_attach(store, &hooks);
    return TRN_RESULT_OK;
}

// ---- batches and histories ---------------------------------------------------------------------

TrnResult trn_batch_begin(TrnStore *store, const TrnBatchDef *def, TrnBatch **batch)
{
    const TrnBatchDef plain = trn_batch_def();
    def = def ? def : &plain;
    if (batch) {
        *batch = NULL; // calls on it fail then, so that the caller may check the commit alone
    }
    if (!store || !batch || (unsigned)def->unloaded >= TRN_UNLOADED_COUNT ||
        (def->history && def->history->edits->store != store)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnEdits *edits;
    TrnResult result = edits_attach(store, &edits);
    return result == TRN_RESULT_OK ? trn_batch_create(edits, def, batch) : result;
}

TrnResult trn_history_create(TrnStore *store, const TrnHistoryDef *def, TrnHistory **history)
{
    const TrnHistoryDef plain = trn_history_def();
    if (!store || !history) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnEdits *edits;
    TrnResult result = edits_attach(store, &edits);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    trn_store_refusal_clear(edits->refusal);
    return trn_store_result(store, trn_history_open(edits, def ? def : &plain, history));
}

// ---- pending edits -----------------------------------------------------------------------------

TrnResult trn_pending_set_bytes_max(TrnStore *store, size_t bytes_max)
{
    TrnEdits *edits;
    TrnResult result = edits_attach(store, &edits);
    if (result == TRN_RESULT_OK) {
        edits->pending_account.bytes_max = bytes_max;
    }
    return result;
}

TrnResult trn_pending_watch(TrnStore *store, const TrnPendingWatch *watch)
{
    TrnEdits *edits = edits_of(store);
    if (!watch && !edits) {
        return TRN_RESULT_OK;
    }
    const TrnResult result = edits_attach(store, &edits);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    if (watch && edits->pending.watch.changed) {
        return TRN_RESULT_EXISTS;
    }
    edits->pending.watch = watch ? *watch : (TrnPendingWatch){0};
    return TRN_RESULT_OK;
}

uint32_t trn_pending_drop(TrnStore *store, TrnCoord coord)
{
    TrnEdits *edits = edits_of(store);
    return edits ? trn_pending_drop_chunk(&edits->pending, coord) : 0;
}

size_t trn_pending_chunks(const TrnStore *store, TrnCoord *coords, size_t capacity)
{
    const TrnEdits *edits = edits_of(store);
    if (!edits) {
        return 0;
    }
    const TrnPendingChunk *record = edits->pending.chunks.first;
    for (size_t i = 0; i < capacity && record; i++, record = record->next) {
        coords[i] = record->coord;
    }
    return edits->pending.chunks.map.count;
}

size_t trn_pending_get(const TrnStore *store, TrnCoord coord, TrnPendingRun *runs, size_t capacity)
{
    const TrnEdits *edits = edits_of(store);
    return edits ? trn_pending_copy(&edits->pending, coord, runs, capacity) : 0;
}

uint32_t trn_pending_applied(const TrnStore *store, TrnCoord coord)
{
    const TrnChunk *chunk = trn_store_find(store, coord);
    return chunk ? trn_store_applied_runs(chunk) : 0;
}

// ---- figures -----------------------------------------------------------------------------------

TrnEditsStats trn_edits_stats(const TrnStore *store)
{
    const TrnEdits *edits = edits_of(store);
    if (!edits) {
        return (TrnEditsStats){.pending_bytes_max = PENDING_BYTES_MAX_DEFAULT};
    }
    return (TrnEditsStats){.open_batches = edits->open_batches,
                           .pending_chunks = edits->pending.chunks.map.count,
                           .pending_runs = edits->pending.runs,
                           .applied_runs = edits->pending.applied,
                           .batch_bytes = edits->batch_account.bytes,
                           .pending_bytes = edits->pending_account.bytes,
                           .history_bytes = edits->history_account.bytes,
                           .pending_bytes_max = edits->pending_account.bytes_max};
}
