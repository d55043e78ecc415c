// Creating and destroying a store: headers from a pool, voxels in a heap, and a chunk index that
// finds them and tells when no reader sees what was removed.

#include "store/store_impl.h"

#include <stdalign.h>

#include "base/entropy.h"

#define STORE_USER_BYTES_MAX 65536
#define STORE_RANGE_CHUNKS ((uint64_t)1 << 24) // headers of 64 bytes: 1 GiB of addresses
#define STORE_RANGE_BYTES_MAX ((uint64_t)4 << 30)

TrnStoreDef trn_store_def(void)
{
    TrnStoreDef def = {.reader_max = trn_chunk_index_def().reader_max};
    return def;
}

// ---- parts -------------------------------------------------------------------------------------

static TrnResult store_create_types(TrnStore *store, const TrnStoreDef *def)
{
    store->types = def->types;
    store->owns_types = !def->types;
    if (def->types) {
        return TRN_RESULT_OK;
    }
    const TrnAllocator allocator = trn_store_allocator(store, TRN_STORE_TYPES);
    return trn_block_types_create_builtin(&allocator, &store->types);
}

static TrnResult store_create_index(TrnStore *store, const TrnStoreDef *def)
{
    const TrnAllocator allocator = trn_store_allocator(store, TRN_STORE_INDEX);
    TrnChunkIndexDef index = trn_chunk_index_def();
    index.planes = def->planes;
    index.plane_count = def->plane_count;
    index.reader_max = def->reader_max;
    index.hash_key = store->hash_key;
    index.allocator = &allocator;
    return trn_chunk_index_create(&index, &store->index);
}

/// Returns how many headers to reserve addresses for. An allocator of the caller's is meant to have
/// all memory, so that only `chunk_reserve` asks for addresses of the system then.
static uint32_t store_reserve(const TrnStoreDef *def)
{
    const uint64_t most = STORE_RANGE_BYTES_MAX / (TRN_CHUNK_HEADER_BYTES + def->user_bytes);
    uint64_t chunks = def->chunk_reserve;
    if (!chunks && !def->allocator) {
        chunks = STORE_RANGE_CHUNKS;
    }
    chunks = def->chunk_max && def->chunk_max < chunks ? def->chunk_max : chunks;
    return (uint32_t)(chunks < most ? chunks : most);
}

static TrnResult store_create_headers(TrnStore *store, const TrnStoreDef *def)
{
    const TrnAllocator allocator = trn_store_allocator(store, TRN_STORE_HEADERS);
    const TrnPoolCommits commits = trn_store_commits(store, TRN_STORE_HEADERS);
    TrnPoolDef headers = trn_pool_def(TRN_CHUNK_HEADER_BYTES + def->user_bytes);
    headers.slot_max = def->chunk_max;
    headers.reserve_slots = store_reserve(def);
    headers.allocator = &allocator;
    TrnResult result = trn_pool_create(&headers, &store->headers);
    if (result == TRN_RESULT_OK) {
        trn_pool_count_commits(store->headers, &commits);
    }
    return result;
}

static TrnResult store_create_heap(TrnStore *store)
{
    const TrnAllocator allocator = trn_store_allocator(store, TRN_STORE_VOXELS);
    TrnVoxelHeapDef heap = trn_voxel_heap_def();
    heap.solid_bits = trn_block_types_solid_bits(store->types);
    heap.opaque_bits = trn_block_types_opaque_bits(store->types);
    heap.index = store->index;
    heap.is_capped = &store->refusal.is_capped;
    heap.allocator = &allocator;
    return trn_voxel_heap_create(&heap, &store->heap);
}

/// Creates the parts; on failure trn_store_destroy() frees those that were created.
static TrnResult store_create_parts(TrnStore *store, const TrnStoreDef *def)
{
    trn_store_open_accounts(store, def);
    TrnResult result = store_create_types(store, def);
    if (result == TRN_RESULT_OK) {
        result = store_create_index(store, def);
    }
    if (result == TRN_RESULT_OK) {
        result = store_create_headers(store, def);
    }
    if (result == TRN_RESULT_OK) {
        result = store_create_heap(store);
    }
    if (result == TRN_RESULT_OK) {
        result = trn_changes_create(store);
    }
    if (result == TRN_RESULT_OK) {
        result = trn_events_create(store);
    }
    if (result == TRN_RESULT_OK) {
        result = trn_log_create(store);
    }
    return trn_store_result(store, result);
}

// ---- create and destroy ------------------------------------------------------------------------

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
    *made = (TrnStore){.allocator = allocator,
                       .owner = {trn_header_reclaim, made},
                       .free_spare = trn_store_free_spare,
                       .user_bytes = def->user_bytes,
                       .hash_key = def->hash_key ? def->hash_key : trn_entropy_key()};
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
    if (store->hooks.destroy) {
        store->hooks.destroy(store->hooks.user);
    }
    trn_log_destroy(store);
    trn_events_destroy(store);
    trn_changes_destroy(store);
    // In this order: the heap takes its retired payloads back from the index, the index hands
    // retired headers to the pool, and both read block types.
    trn_voxel_heap_destroy(store->heap);
    trn_chunk_index_destroy(store->index);
    trn_pool_destroy(store->headers);
    if (store->owns_types) {
        trn_block_types_destroy(store->types);
    }
    TRN_ASSERT(store->bytes == sizeof *store); // otherwise a history was not destroyed
    TrnAllocator allocator = store->allocator;
    trn_give(&allocator, store, sizeof *store);
}

// ---- attached code -----------------------------------------------------------------------------

void trn_store_attach(TrnStore *store, const TrnStoreHooks *hooks)
{
    TRN_ASSERT(!store->hooks.destroy);
    store->hooks = *hooks;
}

void *trn_store_attached(const TrnStore *store)
{
    return store->hooks.user;
}

TrnAllocator trn_store_attached_allocator(TrnStore *store)
{
    return trn_store_allocator(store, TRN_STORE_ATTACHED);
}

uint64_t trn_store_hash_key(const TrnStore *store)
{
    return store->hash_key;
}

// ---- parts for callers -------------------------------------------------------------------------

TrnChunkIndex *trn_store_index(const TrnStore *store)
{
    return store->index;
}

const TrnPool *trn_store_pool(const TrnStore *store)
{
    return store->headers;
}

TrnBlockTypes *trn_store_block_types(const TrnStore *store)
{
    return store->types;
}

TrnVoxelHeap *trn_store_voxel_heap(const TrnStore *store)
{
    return store->heap;
}
