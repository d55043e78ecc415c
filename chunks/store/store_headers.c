// Chunk headers: slots of a pool that stay at their address until no reader sees the chunk.

#include "store/store_uses.h"

#include <string.h>

#include "pool/pool_internal.h"
#include "voxels/voxel_data_table_internal.h"
#include "voxels/voxel_read_internal.h"
#include "voxels/voxels_internal.h"

TrnChunk *trn_store_chunk(const TrnStore *store, TrnChunkId id)
{
    return trn_pool_get(store->headers, id);
}

static TrnResult header_alloc(TrnStore *store, TrnChunkId *id, void **slot)
{
    TrnResult result = trn_pool_alloc(store->headers, id, slot);
    if (result == TRN_RESULT_OK || store->retired_chunks == 0) {
        return result;
    }
    trn_chunk_index_reclaim(store->index);
    result = trn_pool_alloc(store->headers, id, slot);
    return result == TRN_RESULT_FULL && store->retired_chunks ? TRN_RESULT_READERS : result;
}

bool trn_store_prepare(TrnStore *store, uint32_t least, TrnPoolFresh *fresh)
{
    return trn_pool_prepare(store->headers, least, fresh);
}

TrnResult trn_header_create(TrnStore *store, TrnCoord coord, TrnBlock block, TrnChunk **chunk)
{
    TrnChunkId id;
    void *slot;
    TrnResult result = header_alloc(store, &id, &slot);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnStoreChunk *made = slot;
    const TrnSnapshot uniform = trn_snapshot_of(block, trn_store_revision_after(store));
    *made = (TrnStoreChunk){.chunk = {.coord = coord, .id = id, .voxels = {uniform.word}},
                            .own.marks = {.touched = store->touches}};
    if (store->user_bytes) {
        memset(trn_chunk_user(&made->chunk), 0, store->user_bytes);
    }
    *chunk = &made->chunk;
    return TRN_RESULT_OK;
}

void trn_header_discard(TrnStore *store, TrnChunk *chunk)
{
    trn_voxels_discard(store->heap, &chunk->voxels);
    TrnResult result = trn_pool_free(store->headers, chunk->id);
    TRN_ASSERT(result == TRN_RESULT_OK);
    (void)result;
}

void trn_header_remove(TrnStore *store, TrnChunk *chunk)
{
    TrnResult result = trn_pool_retire(store->headers, chunk->id);
    TRN_ASSERT(result == TRN_RESULT_OK);
    (void)result;
}

void trn_header_retire(TrnStore *store, TrnChunk *chunk, TrnRetireList *list)
{
    trn_voxels_release(store->heap, &chunk->voxels, list);
    store->retired_chunks++;
    trn_retire_list_add(list, &store->owner, &((TrnStoreChunk *)(void *)chunk)->own.link);
}

void trn_header_reclaim(TrnRetireLink *link, void *context)
{
    TrnStore *store = context;
    const TrnStoreChunk *chunk =
        (TrnStoreChunk *)(void *)((unsigned char *)link - offsetof(TrnStoreChunk, own));
    store->retired_chunks--;
    TrnResult result = trn_pool_reuse(store->headers, chunk->chunk.id);
    TRN_ASSERT(result == TRN_RESULT_OK);
    (void)result;
}

size_t trn_header_bytes(const TrnStore *store, const TrnChunk *chunk)
{
    const TrnSnapshot now = trn_voxels_snapshot(&chunk->voxels);
    const size_t header = trn_pool_slot_bytes(store->headers);
    return header + trn_snapshot_payload_bytes(now) + trn_snapshot_data_bytes(now);
}

// ---- marks -------------------------------------------------------------------------------------

void trn_store_pin(TrnStore *store, TrnChunk *chunk)
{
    TRN_ASSERT(trn_chunk_marks(chunk)->pins < UINT32_MAX);
    trn_chunk_marks(chunk)->pins++;
    (void)store; // an eviction that meets the chunk takes it out of the order
}

void trn_store_unpin(TrnStore *store, TrnChunk *chunk)
{
    TRN_ASSERT(trn_chunk_marks(chunk)->pins > 0);
    trn_chunk_marks(chunk)->pins -= trn_chunk_marks(chunk)->pins > 0;
    trn_uses_return(store, chunk);
}

void trn_store_lock(TrnChunk *chunk, uint32_t key)
{
    TRN_ASSERT(key != 0 && trn_chunk_marks(chunk)->lock == 0);
    trn_chunk_marks(chunk)->lock = key;
}

void trn_store_unlock(TrnStore *store, TrnChunk *chunk)
{
    trn_chunk_marks(chunk)->lock = 0;
    trn_uses_return(store, chunk);
}

uint32_t trn_store_lock_key(const TrnChunk *chunk)
{
    return trn_chunk_marks_of(chunk)->lock;
}

uint32_t trn_store_applied_runs(const TrnChunk *chunk)
{
    return trn_chunk_marks_of(chunk)->applied;
}

bool trn_store_is_busy(const TrnChunk *chunk)
{
    return trn_chunk_is_busy(chunk);
}
