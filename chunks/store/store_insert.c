// Inserting chunks. Everything that can fail comes first; then the index publishes the chunk, and
// nothing after that can fail.

#include "store/store_impl.h"

/// The voxels that a chunk is inserted with.
typedef struct InsertContent {
    const TrnBlock *blocks; ///< [TRN_CHUNK_VOXELS], or NULL
    const void *code;       ///< or NULL
    TrnVoxelSlot *slot;     ///< or NULL: all voxels are `uniform`
    TrnBlock uniform;
} InsertContent;

/// Whether a chunk has taken a slot's payload over.
static bool insert_has_slot(const TrnChunk *chunk, const TrnVoxelSlot *slot)
{
    return slot && trn_voxels_snapshot(&chunk->voxels).word == (uintptr_t)slot->payload;
}

/// Writes the content into a chunk that no reader can find yet.
/// @param keeps_slot  copies the payload of a slot instead of linking it: pending edits would
/// change
///                    what the caller gets back when the insert fails
static TrnResult insert_write_voxels(TrnStore *store, TrnChunk *chunk, const InsertContent *content,
                                     uint64_t revision, bool keeps_slot)
{
    if (content->blocks) {
        return trn_voxels_encode(store->heap, &chunk->voxels, content->blocks, revision);
    }
    if (content->code) {
        return trn_voxels_decode(store->heap, &chunk->voxels, content->code, revision);
    }
    if (content->slot && keeps_slot) {
        return trn_voxels_decode(store->heap, &chunk->voxels, content->slot->payload, revision);
    }
    if (content->slot) {
        trn_voxels_adopt(&chunk->voxels, content->slot, revision);
    }
    return TRN_RESULT_OK;
}

/// Writes a chunk's voxels and pending edits, then adds it to the index: from then on readers find
/// it.
static TrnResult insert_publish(TrnStore *store, TrnChunk *chunk, const InsertContent *content)
{
    const TrnStoreHooks *hooks = &store->hooks;
    const uint64_t revision = trn_store_next_revision(store);
    const uint32_t pending = trn_store_pending_runs(store, chunk->coord);
    TrnResult result = insert_write_voxels(store, chunk, content, revision, pending > 0);
    if (result == TRN_RESULT_OK && pending) {
        result = hooks->prepare_insert(hooks->user, chunk->coord, &chunk->voxels, revision);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = trn_chunk_index_insert(store->index, chunk->coord, chunk->id.index1 - 1);
    if (pending && result == TRN_RESULT_OK) {
        trn_chunk_marks(chunk)->applied = pending;
        hooks->publish_insert(hooks->user, chunk->coord);
    } else if (pending) {
        hooks->abandon_insert(hooks->user);
    }
    return result;
}

/// Everything of an insert that can fail.
static TrnResult insert_try(TrnStore *store, TrnCoord coord, const InsertContent *content,
                            TrnChunk **chunk)
{
    TrnChunk *made;
    TrnResult result = trn_changes_reserve(store);
    if (result == TRN_RESULT_OK) {
        result = trn_header_create(store, coord, content->uniform, &made);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = insert_publish(store, made, content);
    const bool has_slot = insert_has_slot(made, content->slot);
    if (result != TRN_RESULT_OK) {
        made->voxels = has_slot ? (TrnVoxels){0} : made->voxels; // the slot stays the caller's
        trn_header_discard(store, made);
        return result;
    }
    if (has_slot) {
        trn_voxel_slot_forget(store->heap, content->slot);
    }
    *chunk = made;
    return TRN_RESULT_OK;
}

static TrnResult insert_refuse(TrnStore *store, TrnCoord coord, TrnResult result)
{
    const TrnResult refusal = trn_store_result(store, result);
    store->refused++;
    trn_log_add(store, coord, TRN_CHUNK_STATE_REFUSED, refusal);
    return refusal;
}

static TrnResult insert_chunk(TrnStore *store, TrnCoord coord, const InsertContent *content,
                              TrnChunk **chunk)
{
    if (trn_chunk_index_find(store->index, coord, NULL)) {
        return TRN_RESULT_EXISTS;
    }
    TrnChunk *made;
    trn_store_refusal_clear(&store->refusal);
    TrnResult result = insert_try(store, coord, content, &made);
    if (trn_store_make_room(store, result)) {
        result = insert_try(store, coord, content, &made);
    }
    if (result == TRN_RESULT_BAD_ARGUMENT) { // not a code: the caller's mistake, not a refusal
        return result;
    }
    if (result != TRN_RESULT_OK) {
        return insert_refuse(store, coord, result);
    }
    const TrnChunkId id = made->id;
    const uint64_t revision = trn_store_next_revision(store);
    store->inserted++;
    store->chunks++;
    trn_store_add_inserted(store, made, revision);
    trn_store_end_change(store, revision);
    if (chunk) {
        *chunk = trn_store_chunk(store, id); // a listener may have removed it
    }
    return TRN_RESULT_OK;
}

TrnResult trn_store_insert_uniform(TrnStore *store, TrnCoord coord, TrnBlock block,
                                   TrnChunk **chunk)
{
    const InsertContent content = {.uniform = block};
    return insert_chunk(store, coord, &content, chunk);
}

TrnResult trn_store_insert_voxels(TrnStore *store, TrnCoord coord, const TrnBlock *blocks,
                                  TrnChunk **chunk)
{
    const InsertContent content = {.blocks = blocks};
    return blocks ? insert_chunk(store, coord, &content, chunk) : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_store_insert_code(TrnStore *store, TrnCoord coord, const void *code, TrnChunk **chunk)
{
    const InsertContent content = {.code = code};
    return code ? insert_chunk(store, coord, &content, chunk) : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_store_insert_slot(TrnStore *store, TrnCoord coord, TrnVoxelSlot *slot,
                                TrnChunk **chunk)
{
    const InsertContent content = {.slot = slot};
    return slot && slot->payload && slot->is_filled ? insert_chunk(store, coord, &content, chunk)
                                                    : TRN_RESULT_BAD_ARGUMENT;
}
