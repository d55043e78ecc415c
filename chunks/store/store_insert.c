// Inserting chunks. Everything that can fail comes first; then the index publishes the chunk, and
// nothing after that can fail.

#include "store/store_uses.h"

#include "voxels/voxel_data_internal.h"

/// The voxels that a chunk is inserted with.
typedef struct InsertContent {
    const TrnBlock *blocks; ///< [TRN_CHUNK_VOXELS], or NULL
    const void *code;       ///< or NULL
    TrnVoxelSlot *slot;     ///< or NULL: all voxels are `uniform`
    TrnBlock uniform;
    const TrnBlockData *data; ///< [data_count]
    size_t data_count;
} InsertContent;

/// Whether a chunk has taken a slot's payload over.
static bool insert_has_slot(const TrnChunk *chunk, const TrnVoxelSlot *slot)
{
    return slot && trn_voxels_snapshot(&chunk->voxels).word == (uintptr_t)slot->payload;
}

/// Writes the content into a chunk that no reader can find yet.
/// @param keeps_slot  copies the payload of a slot instead of linking it: pending edits and block
///                    data would change what the caller gets back when the insert fails
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
static TrnResult insert_publish(TrnStore *store, TrnChunkRun *run, TrnChunk *chunk,
                                const InsertContent *content)
{
    const TrnStoreHooks *hooks = &store->hooks;
    const uint64_t revision = trn_store_revision_after(store);
    const uint32_t pending = trn_store_pending_runs(store, chunk->coord);
    const bool keeps_slot = pending > 0 || content->data_count > 0;
    TrnResult result = insert_write_voxels(store, chunk, content, revision, keeps_slot);
    if (result == TRN_RESULT_OK && content->data_count) {
        result =
            trn_voxels_add_data(store->heap, &chunk->voxels, content->data, content->data_count);
    }
    if (result == TRN_RESULT_OK && pending) {
        result = hooks->prepare_insert(hooks->user, chunk->coord, &chunk->voxels, revision);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = trn_chunk_run_insert(store->index, run, chunk->coord, chunk->id.index1 - 1);
    if (pending && result == TRN_RESULT_OK) {
        trn_chunk_marks(chunk)->applied = pending;
        hooks->publish_insert(hooks->user, chunk->coord);
    } else if (pending) {
        hooks->abandon_insert(hooks->user);
    }
    return result;
}

/// Everything of an insert that can fail.
static TrnResult insert_try(TrnStore *store, TrnChunkRun *run, TrnCoord coord,
                            const InsertContent *content, TrnChunk **chunk)
{
    TrnChunk *made;
    TrnResult result = trn_changes_reserve(store);
    if (result == TRN_RESULT_OK) {
        result = trn_uses_reserve(store);
    }
    if (result == TRN_RESULT_OK) {
        result = trn_header_create(store, coord, content->uniform, &made);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = insert_publish(store, run, made, content);
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

/// Counts and logs the failure of an insert, if memory or a cap is the reason.
static void insert_note_refusal(TrnStore *store, TrnCoord coord, TrnResult result)
{
    if (result != TRN_RESULT_EXISTS && result != TRN_RESULT_BAD_ARGUMENT) {
        store->refused++;
        trn_log_add(store, coord, TRN_CHUNK_STATE_REFUSED, result);
    }
}

/// Inserts a chunk as part of the change that is being made, under the next revision.
/// @param chunk  receives the chunk
/// Errors: as trn_store_insert_voxels; the caller notes a refusal.
static TrnResult insert_one(TrnStore *store, TrnChunkRun *run, TrnCoord coord,
                            const InsertContent *content, TrnChunk **chunk)
{
    if (trn_chunk_run_find(store->index, run, coord, NULL)) {
        return TRN_RESULT_EXISTS;
    }
    trn_store_refusal_clear(&store->refusal);
    TrnResult result = insert_try(store, run, coord, content, chunk);
    if (trn_store_make_room(store, result)) {
        result = insert_try(store, run, coord, content, chunk);
    }
    if (result != TRN_RESULT_OK) {
        return trn_store_result(store, result);
    }
    store->inserted++;
    store->chunks++;
    trn_store_add_inserted(store, *chunk, trn_store_revision_after(store));
    return TRN_RESULT_OK;
}

// ---- one chunk ---------------------------------------------------------------------------------

static TrnResult insert_chunk(TrnStore *store, TrnCoord coord, const InsertContent *content,
                              TrnChunk **chunk)
{
    TrnChunkRun run = {0};
    TrnChunk *made;
    const TrnResult result = insert_one(store, &run, coord, content, &made);
    if (result != TRN_RESULT_OK) {
        insert_note_refusal(store, coord, result);
        return result;
    }
    const TrnChunkId id = made->id;
    trn_store_end_change(store, trn_store_revision_after(store));
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

TrnResult trn_store_insert_data(TrnStore *store, TrnCoord coord, const TrnBlock *blocks,
                                bool uniform, const TrnBlockData *data, size_t count,
                                TrnChunk **chunk)
{
    if (!blocks || (!data && count)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const InsertContent content = {
        .blocks = uniform ? NULL : blocks, .uniform = blocks[0], .data = data, .data_count = count};
    return insert_chunk(store, coord, &content, chunk);
}

TrnResult trn_store_insert_code(TrnStore *store, TrnCoord coord, const void *code, TrnChunk **chunk)
{
    const InsertContent content = {.code = code};
    return code ? insert_chunk(store, coord, &content, chunk) : TRN_RESULT_BAD_ARGUMENT;
}

static bool insert_is_filled(const TrnVoxelSlot *slot)
{
    return slot && slot->payload && slot->is_filled;
}

TrnResult trn_store_insert_slot(TrnStore *store, TrnCoord coord, TrnVoxelSlot *slot,
                                TrnChunk **chunk)
{
    const InsertContent content = {.slot = slot};
    return insert_is_filled(slot) ? insert_chunk(store, coord, &content, chunk)
                                  : TRN_RESULT_BAD_ARGUMENT;
}

// ---- many chunks -------------------------------------------------------------------------------

/// Prefetches what inserting chunks touches. The second loop reads what the first has prefetched.
static void insert_prefetch(const TrnStore *store, const TrnStoreArrival *arrivals, size_t count)
{
    TrnChunkRun run = {0};
    trn_pool_prefetch_free(store->headers, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        trn_chunk_run_prefetch(store->index, &run, arrivals[i].coord);
        if (arrivals[i].slot) {
            __builtin_prefetch(arrivals[i].slot, 1);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (arrivals[i].slot && arrivals[i].slot->payload) {
            __builtin_prefetch(arrivals[i].slot->payload, 1);
        }
    }
}

static TrnResult insert_arrival(TrnStore *store, TrnChunkRun *run, TrnStoreArrival *arrival)
{
    const void *code = arrival->slot ? NULL : arrival->code;
    const InsertContent content = {.slot = arrival->slot,
                                   .code = code,
                                   .blocks = arrival->slot || code ? NULL : arrival->blocks,
                                   .uniform = arrival->block,
                                   .data = arrival->data,
                                   .data_count = arrival->data_count};
    TrnChunk *chunk = NULL;
    const TrnResult result = arrival->slot && !insert_is_filled(arrival->slot)
                                 ? TRN_RESULT_BAD_ARGUMENT
                                 : insert_one(store, run, arrival->coord, &content, &chunk);
    if (result == TRN_RESULT_OK || result == TRN_RESULT_EXISTS) {
        arrival->result = result;
        arrival->chunk = chunk;
        arrival->id = chunk ? chunk->id : (TrnChunkId){0};
    }
    return result;
}

/// Inserts the chunks of a run as one change.
/// @param done  counts the chunks that were handled
/// @return OK, or why it stopped
static TrnResult insert_run(TrnStore *store, TrnStoreArrival *arrivals, size_t count, size_t *done)
{
    const uint64_t inserted = store->inserted;
    TrnResult result = TRN_RESULT_OK;
    TrnChunkRun run = {0};
    insert_prefetch(store, arrivals, count);
    for (size_t i = 0; i < count; i++) {
        result = insert_arrival(store, &run, &arrivals[i]);
        if (result != TRN_RESULT_OK && result != TRN_RESULT_EXISTS) {
            break;
        }
        result = TRN_RESULT_OK;
        ++*done;
    }
    if (store->inserted > inserted) {
        trn_store_end_change(store, trn_store_revision_after(store));
    }
    return result;
}

TrnResult trn_store_insert_batch(TrnStore *store, TrnStoreArrival *arrivals, size_t count,
                                 size_t *done)
{
    const uint64_t removals = store->removed + store->evicted;
    TrnResult result = TRN_RESULT_OK;
    size_t handled = 0;
    while (handled < count) {
        const size_t first = handled, left = count - handled;
        result = insert_run(store, arrivals + first, left < TRN_STORE_RUN ? left : TRN_STORE_RUN,
                            &handled);
        if (result != TRN_RESULT_OK && handled == first) {
            insert_note_refusal(store, arrivals[first].coord, result);
            break;
        } // after some chunks of the run it is worth another try: listeners may have evicted others
    }
    // Listeners may have removed chunks of this and of earlier runs.
    for (size_t i = 0; i < handled && store->removed + store->evicted != removals; i++) {
        arrivals[i].chunk = trn_store_chunk(store, arrivals[i].id);
    }
    *done = handled;
    return result;
}
