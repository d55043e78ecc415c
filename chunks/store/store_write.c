// Writing the voxels of one chunk, as a change of its own.

#include "store/store_impl.h"

#include "voxels/voxel_data_internal.h"
#include "voxels/voxel_edit_internal.h"
#include "voxels/voxels_internal.h"

static TrnChunk *write_chunk_of(TrnVoxels *voxels)
{
    return (TrnChunk *)(void *)((unsigned char *)voxels - offsetof(TrnChunk, voxels));
}

/// Ends a change of one chunk, whose voxels are published already.
static void write_end_change(TrnStore *store, TrnChunk *chunk, TrnStoreReach reach)
{
    const uint64_t revision = trn_store_revision_after(store);
    trn_store_add_changed(store, chunk, revision, reach);
    trn_store_end_change(store, revision);
}

// ---- omitted voxels ----------------------------------------------------------------------------

void trn_store_set_source(TrnStore *store, const TrnStoreSource *source)
{
    store->source = *source;
}

bool trn_store_omit(TrnStore *store, TrnChunk *chunk)
{
    TRN_ASSERT(store->source.generate);
    const TrnSnapshot now = trn_voxels_snapshot(&chunk->voxels);
    if (trn_chunk_marks(chunk)->lock || trn_snapshot_is_uniform(now) || trn_snapshot_data(now)) {
        return false;
    }
    trn_voxels_omit(store->heap, &chunk->voxels);
    return true;
}

TrnResult trn_store_restore(TrnStore *store, TrnChunk *chunk, const TrnBlock *land)
{
    const TrnSnapshot now = trn_voxels_snapshot(&chunk->voxels);
    if (!trn_snapshot_is_omitted(now)) {
        return TRN_RESULT_OK;
    }
    if (land) {
        trn_store_refusal_clear(&store->refusal);
        return trn_store_result(store, trn_voxels_encode(store->heap, &chunk->voxels, land,
                                                         trn_snapshot_revision(now)));
    }
    const size_t bytes = sizeof(TrnBlock[TRN_CHUNK_VOXELS]);
    TrnBlock *blocks = trn_take(&store->allocator, bytes, TRN_CACHE_LINE);
    if (!blocks) {
        return TRN_RESULT_NO_MEMORY;
    }
    bool uniform = false;
    TrnResult result = store->source.generate(store->source.user, chunk->coord, blocks, &uniform);
    for (uint32_t i = 1; result == TRN_RESULT_OK && uniform && i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = blocks[0];
    }
    result = result == TRN_RESULT_OK ? trn_store_restore(store, chunk, blocks) : result;
    trn_give(&store->allocator, blocks, bytes);
    return result;
}

// ---- edits -------------------------------------------------------------------------------------

TrnResult trn_store_edit_begin(TrnStore *store, TrnChunk *chunk, TrnVoxelEdit *edit)
{
    const TrnResult restored = trn_store_restore(store, chunk, NULL);
    trn_voxel_edit_begin(edit, store->heap, &chunk->voxels);
    if (restored != TRN_RESULT_OK) {
        trn_voxel_edit_cancel(edit);
        return restored;
    }
    if (trn_chunk_marks(chunk)->lock) { // a batch would overwrite the change
        trn_voxel_edit_cancel(edit);
        return TRN_RESULT_BUSY;
    }
    return TRN_RESULT_OK;
}

/// What a change outdates at least: the chunk itself, also with the same blocks as before.
static const TrnStoreReach write_self = {.around = TRN_AROUND_SELF};

/// Compares the voxels of a chunk, if there are listeners.
static TrnStoreReach write_compare(const TrnStore *store, TrnSnapshot before, TrnSnapshot after)
{
    TrnStoreReach reach = write_self;
    uint32_t rows[TRN_CHUNK_ROWS];
    if (trn_snapshot_is_omitted(before)) {
        return (TrnStoreReach){.around = TRN_AROUND_ALL, .light = TRN_AROUND_ALL};
    }
    if (trn_store_has_listener(store, TRN_EVENT_CHANGED) && before.word != after.word &&
        trn_snapshot_diff(before, after, rows) > 0) {
        reach.around |= trn_mask_around(rows);
        reach.light = trn_store_light_reach(store, before, after);
    }
    return reach;
}

/// What an open edit outdates.
static TrnStoreReach write_reach(const TrnStore *store, TrnVoxelEdit *edit)
{
    TrnEditState *state = trn_edit_state(edit);
    const TrnSnapshot before = {state->base};
    if (!state->heap || !state->is_changed) {
        return write_self;
    }
    TrnStoreReach reach = write_compare(store, before, trn_edit_now(state));
    reach.has_data = trn_edit_purge_data(state);
    return reach;
}

/// Tells the watch what an open edit changes.
static void write_tell(TrnStore *store, TrnVoxelEdit *edit)
{
    TrnEditState *state = trn_edit_state(edit);
    const TrnSnapshot before = {state->base};
    if (state->heap && state->is_changed) {
        trn_store_tell_watch(store, write_chunk_of(state->voxels)->coord, before,
                             trn_edit_now(state));
    }
}

static bool write_commit(TrnStore *store, TrnVoxelEdit *edit, TrnStoreReach reach)
{
    TrnVoxels *voxels = trn_edit_state(edit)->voxels;
    write_tell(store, edit);
    if (!trn_voxel_edit_commit(edit, trn_store_revision_after(store))) {
        return false;
    }
    write_end_change(store, write_chunk_of(voxels), reach);
    return true;
}

bool trn_store_edit_commit(TrnStore *store, TrnVoxelEdit *edit)
{
    return write_commit(store, edit, write_reach(store, edit));
}

/// Replaces all voxels, and finds out what that changes for listeners. It goes through an edit,
/// since the old voxels must outlive the new ones for the comparison.
/// @param reach  receives what it outdates
static TrnResult write_encode(TrnStore *store, TrnChunk *chunk, const TrnBlock *blocks,
                              TrnStoreReach *reach)
{
    const uint64_t revision = trn_store_revision_after(store);
    TrnVoxelEdit edit;
    trn_voxel_edit_begin(&edit, store->heap, &chunk->voxels);
    TrnResult result = trn_voxel_edit_encode(&edit, blocks);
    if (result == TRN_RESULT_OK && trn_edit_state(&edit)->is_changed) {
        *reach = write_reach(store, &edit);
        write_tell(store, &edit);
        trn_voxel_edit_commit(&edit, revision);
        return TRN_RESULT_OK;
    }
    if (result == TRN_RESULT_OK && trn_edit_data(trn_edit_state(&edit))) { // as below
        result = trn_edit_touch(trn_edit_state(&edit));
        *reach = write_self;
        trn_voxel_edit_commit(&edit, revision);
        return result;
    }
    trn_voxel_edit_cancel(&edit);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    *reach = write_self; // the same blocks, under a new revision
    return trn_voxels_encode(store->heap, &chunk->voxels, blocks, revision);
}

TrnResult trn_store_set_voxels(TrnStore *store, TrnChunk *chunk, const TrnBlock *blocks)
{
    if (trn_chunk_marks(chunk)->lock) {
        return TRN_RESULT_BUSY;
    }
    TrnStoreReach reach = write_self;
    trn_store_refusal_clear(&store->refusal);
    const bool has_data = trn_snapshot_data(trn_voxels_snapshot(&chunk->voxels)) != NULL;
    const bool is_compared =
        has_data || trn_store_has_listener(store, TRN_EVENT_CHANGED) || store->watch;
    TrnResult result = is_compared ? write_encode(store, chunk, blocks, &reach)
                                   : trn_voxels_encode(store->heap, &chunk->voxels, blocks,
                                                       trn_store_revision_after(store));
    if (result != TRN_RESULT_OK) {
        return trn_store_result(store, result);
    }
    write_end_change(store, chunk, reach);
    return TRN_RESULT_OK;
}

/// trn_store_fill of a chunk with block data, some of which may stay.
static TrnResult write_fill_with_data(TrnStore *store, TrnChunk *chunk, TrnBlock block)
{
    const uint32_t from[3] = {0, 0, 0};
    const uint32_t to[3] = {TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1};
    TrnVoxelEdit edit;
    trn_store_refusal_clear(&store->refusal);
    trn_voxel_edit_begin(&edit, store->heap, &chunk->voxels);
    TrnResult result = trn_voxel_edit_fill_box(&edit, from, to, block);
    if (result == TRN_RESULT_OK) {
        result = trn_edit_touch(trn_edit_state(&edit));
    }
    if (result != TRN_RESULT_OK) {
        trn_voxel_edit_cancel(&edit);
        return trn_store_result(store, result);
    }
    (void)trn_store_edit_commit(store, &edit);
    return TRN_RESULT_OK;
}

TrnResult trn_store_fill(TrnStore *store, TrnChunk *chunk, TrnBlock block)
{
    if (trn_chunk_marks(chunk)->lock) {
        return TRN_RESULT_BUSY;
    }
    if (trn_snapshot_data(trn_voxels_snapshot(&chunk->voxels))) {
        return write_fill_with_data(store, chunk, block);
    }
    const uint64_t revision = trn_store_revision_after(store);
    const TrnSnapshot before = trn_voxels_snapshot(&chunk->voxels);
    const TrnSnapshot after = trn_snapshot_of(block, revision);
    const TrnStoreReach reach = write_compare(store, before, after);
    trn_store_tell_watch(store, chunk->coord, before, after);
    trn_voxels_fill(store->heap, &chunk->voxels, block, revision);
    write_end_change(store, chunk, reach);
    return TRN_RESULT_OK;
}

/// TrnStoreReach.light of an open edit.
static uint32_t write_light(const TrnStore *store, TrnVoxelEdit *edit)
{
    TrnEditState *state = trn_edit_state(edit);
    const TrnSnapshot before = {state->base};
    return trn_store_light_reach(store, before, trn_edit_now(state));
}

TrnResult trn_store_set_block(TrnStore *store, TrnVoxel voxel, TrnBlock block, bool *is_changed)
{
    if (!trn_voxel_in_world(voxel)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnChunk *chunk = trn_store_find(store, trn_voxel_chunk(voxel));
    if (!chunk) {
        return TRN_RESULT_NOT_FOUND;
    }
    TrnVoxelEdit edit;
    trn_store_refusal_clear(&store->refusal);
    TrnResult result = trn_store_edit_begin(store, chunk, &edit);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const uint32_t index = trn_voxel_local_index(voxel);
    result = trn_voxel_edit_set(&edit, index, block);
    if (result != TRN_RESULT_OK) {
        trn_voxel_edit_cancel(&edit);
        return trn_store_result(store, result);
    }
    const TrnStoreReach reach = {trn_around_voxel(index), write_light(store, &edit),
                                 trn_edit_purge_data(trn_edit_state(&edit))};
    const bool was_changed = write_commit(store, &edit, reach);
    if (is_changed) {
        *is_changed = was_changed;
    }
    return TRN_RESULT_OK;
}

TrnResult trn_store_set_data(TrnStore *store, TrnVoxel voxel, const void *bytes, size_t size,
                             TrnDataRule rule, bool *is_changed)
{
    TrnChunk *chunk =
        trn_voxel_in_world(voxel) ? trn_store_find(store, trn_voxel_chunk(voxel)) : NULL;
    if (!chunk) {
        return trn_voxel_in_world(voxel) ? TRN_RESULT_NOT_FOUND : TRN_RESULT_BAD_ARGUMENT;
    }
    TrnVoxelEdit edit;
    trn_store_refusal_clear(&store->refusal);
    TrnResult result = trn_store_edit_begin(store, chunk, &edit);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = trn_voxel_edit_set_data(&edit, trn_voxel_local_index(voxel), bytes, size, rule);
    if (result != TRN_RESULT_OK) {
        trn_voxel_edit_cancel(&edit);
        return trn_store_result(store, result);
    }
    const TrnStoreReach reach = {.around = TRN_AROUND_SELF, .has_data = true};
    const bool was_changed = write_commit(store, &edit, reach);
    if (is_changed) {
        *is_changed = was_changed;
    }
    return TRN_RESULT_OK;
}

TrnResult trn_store_compact(TrnStore *store, TrnChunk *chunk)
{
    if (trn_chunk_marks(chunk)->lock) {
        return TRN_RESULT_BUSY;
    }
    trn_store_refusal_clear(&store->refusal);
    return trn_store_result(store, trn_voxels_compact(store->heap, &chunk->voxels));
}
