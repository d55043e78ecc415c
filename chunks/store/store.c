// The store: headers from a pool, payloads from another, and an auto-expanding array of pointers
// that finds the headers.

#include <terrane/store.h>

#include <stdalign.h>
#include <string.h>

#include "base/memory.h"

#define STORE_USER_BYTES_MAX 65536

struct TrnStore {
    TrnAllocator allocator;
    TrnChunkIndex *index; // of header slots
    TrnPool *headers;
    TrnPool *payloads;
    uint64_t revision;
    size_t user_bytes;
};

TrnStoreDef trn_store_def(void)
{
    TrnStoreDef def = {0};
    return def;
}

/// Creates the three parts of a store; what was made stays in `store` for trn_store_destroy when one fails.
static TrnResult store_create_parts(TrnStore *store, const TrnStoreDef *def)
{
    TrnChunkIndexDef index_def = trn_chunk_index_def();
    index_def.planes = def->planes;
    index_def.plane_count = def->plane_count;
    index_def.reader_max = 0;
    index_def.allocator = &store->allocator;
    TrnResult result = trn_chunk_index_create(&index_def, &store->index);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const size_t header_bytes = (sizeof(TrnChunk) + 15) & ~(size_t)15;
    TrnPoolDef header_def = trn_pool_def(header_bytes + def->user_bytes);
    header_def.slot_max = def->chunk_max;
    header_def.reserve_slots = def->chunk_reserve;
    header_def.allocator = &store->allocator;
    result = trn_pool_create(&header_def, &store->headers);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    return trn_voxels_pool_create(def->payload_max, &store->allocator, &store->payloads);
}

TrnResult trn_store_create(const TrnStoreDef *def, TrnStore **store)
{
    const TrnStoreDef plain = trn_store_def();
    def = def ? def : &plain;
    if (!store || def->user_bytes > STORE_USER_BYTES_MAX) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnAllocator allocator = trn_allocator_or_default(def->allocator);
    TrnStore *made = trn_take(&allocator, sizeof *made, alignof(TrnStore));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnStore){.allocator = allocator, .user_bytes = def->user_bytes};
    TrnResult result = store_create_parts(made, def);
    if (result != TRN_RESULT_OK) {
        trn_store_destroy(made);
        return result;
    }
    *store = made;
    return TRN_RESULT_OK;
}

void trn_store_destroy(TrnStore *store)
{
    if (!store) {
        return;
    }
    trn_pool_destroy(store->payloads);
    trn_pool_destroy(store->headers);
    trn_chunk_index_destroy(store->index);
    TrnAllocator allocator = store->allocator;
    trn_give(&allocator, store, sizeof *store);
}

/// The chunk in a header slot that is taken.
static TrnChunk *store_chunk_in(const TrnStore *store, uint32_t slot)
{
    void *chunk;
    trn_pool_pointers(store->headers, &slot, 1, &chunk);
    return chunk;
}

TrnResult trn_store_insert(TrnStore *store, TrnCoord coord, TrnChunk **chunk)
{
    TrnChunkId id;
    void *slot;
    if (trn_store_find(store, coord)) {
        return TRN_RESULT_PRESENT;
    }
    TrnResult result = trn_pool_alloc(store->headers, &id, &slot);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = trn_chunk_index_insert(store->index, coord, id.index1 - 1);
    if (result != TRN_RESULT_OK) {
        trn_pool_free(store->headers, id);
        return result;
    }
    TrnChunk *made = slot;
    *made = (TrnChunk){.coord = coord, .id = id, .revision = ++store->revision};
    if (store->user_bytes) {
        memset(trn_chunk_user(made), 0, store->user_bytes);
    }
    if (chunk) {
        *chunk = made;
    }
    return TRN_RESULT_OK;
}

TrnChunk *trn_store_find(const TrnStore *store, TrnCoord coord)
{
    uint32_t slot;
    return trn_chunk_index_find(store->index, coord, &slot) ? store_chunk_in(store, slot) : NULL;
}

TrnChunk *trn_store_chunk(const TrnStore *store, TrnChunkId id)
{
    return trn_pool_get(store->headers, id);
}

TrnResult trn_store_remove(TrnStore *store, TrnCoord coord)
{
    uint32_t slot;
    TrnResult result = trn_chunk_index_remove(store->index, coord, &slot);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnChunk *chunk = store_chunk_in(store, slot);
    trn_voxels_fill(&chunk->voxels, store->payloads, TRN_BLOCK_AIR);
    return trn_pool_free(store->headers, chunk->id);
}

size_t trn_store_gather(const TrnStore *store, TrnBox box, TrnChunk **out, size_t capacity)
{
    // An array of pointers to objects is written as one of plain pointers, as the pool does for
    // every type.
    const TrnChunkGather gather = {
        .box = box, .pointers = (void **)out, .pool = store->headers, .capacity = capacity};
    return trn_chunk_index_gather(store->index, &gather);
}

void trn_store_neighbours(const TrnStore *store, TrnCoord coord, TrnChunk *out[TRN_FACE_COUNT])
{
    uint32_t slots[TRN_FACE_COUNT];
    trn_chunk_index_neighbours(store->index, coord, slots);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        out[face] = slots[face] == TRN_CHUNK_VALUE_NONE ? NULL : store_chunk_in(store, slots[face]);
    }
}

TrnChunkIndex *trn_store_index(const TrnStore *store)
{
    return store->index;
}

const TrnPool *trn_store_pool(const TrnStore *store)
{
    return store->headers;
}

TrnResult trn_store_set_voxels(TrnStore *store, TrnChunk *chunk, const TrnBlock *blocks)
{
    TrnResult result = trn_voxels_encode(&chunk->voxels, store->payloads, blocks);
    if (result == TRN_RESULT_OK) {
        chunk->revision = ++store->revision;
    }
    return result;
}

void trn_store_compact(TrnStore *store, TrnChunk *chunk)
{
    trn_voxels_compact(&chunk->voxels,
                       store->payloads); // the blocks stay as they are, and so does the revision
}

void trn_store_fill(TrnStore *store, TrnChunk *chunk, TrnBlock block)
{
    trn_voxels_fill(&chunk->voxels, store->payloads, block);
    chunk->revision = ++store->revision;
}

/// The chunk that holds a voxel of the world.
static TrnResult store_chunk_of_voxel(const TrnStore *store, TrnVoxel voxel, TrnChunk **chunk)
{
    if (!trn_voxel_in_world(voxel)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    *chunk = trn_store_find(store, trn_voxel_chunk(voxel));
    return *chunk ? TRN_RESULT_OK : TRN_RESULT_ABSENT;
}

TrnResult trn_store_get_block(const TrnStore *store, TrnVoxel voxel, TrnBlock *block)
{
    TrnChunk *chunk;
    TrnResult result = store_chunk_of_voxel(store, voxel, &chunk);
    if (result == TRN_RESULT_OK) {
        *block = trn_voxels_get(&chunk->voxels, trn_voxel_local_index(voxel));
    }
    return result;
}

TrnResult trn_store_set_block(TrnStore *store, TrnVoxel voxel, TrnBlock block)
{
    TrnChunk *chunk;
    TrnResult result = store_chunk_of_voxel(store, voxel, &chunk);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = trn_voxels_set(&chunk->voxels, store->payloads, trn_voxel_local_index(voxel), block);
    if (result == TRN_RESULT_OK) {
        chunk->revision = ++store->revision;
    }
    return result;
}

TrnStoreStats trn_store_stats(const TrnStore *store)
{
    TrnPoolStats headers = trn_pool_stats(store->headers);
    TrnPoolStats payloads = trn_pool_stats(store->payloads);
    TrnStoreStats stats = {
        .chunks = headers.taken,
        .uniform_chunks = headers.taken - payloads.taken,
        .header_bytes = headers.bytes,
        .voxel_bytes = payloads.bytes,
        .index_bytes = trn_chunk_index_stats(store->index).bytes,
        .reserved_bytes = headers.reserved_bytes,
    };
    stats.total_bytes = sizeof *store + stats.header_bytes + stats.voxel_bytes + stats.index_bytes;
    return stats;
}
