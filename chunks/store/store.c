// The store: headers from a pool, what they hold from a voxel heap, and a chunk index that finds
// them and says when nobody reads what was removed any more.

#include <terrane/store.h>

#include <stdalign.h>
#include <string.h>

#include "base/memory.h"

#define STORE_USER_BYTES_MAX 65536

struct TrnStore {
    TrnAllocator allocator;
    TrnChunkIndex *index; // of header slots
    TrnPool *headers;
    TrnVoxelHeap *heap;
    TrnBlockTypes *types;
    TrnRetireOwner owner; // takes removed headers back
    uint32_t retired_chunks;
    uint64_t revision;
    size_t user_bytes;
    bool owns_types;
    size_t type_bytes; // of own types
};

TrnStoreDef trn_store_def(void)
{
    TrnStoreDef def = {.reader_max = trn_chunk_index_def().reader_max};
    return def;
}

// ---- parts -------------------------------------------------------------------------------------

// A registry has no figures of its own, so its allocator counts.

static void *store_types_alloc(size_t bytes, size_t alignment, void *user)
{
    TrnStore *store = user;
    void *memory = trn_take(&store->allocator, bytes, alignment);
    store->type_bytes += memory ? bytes : 0;
    return memory;
}

static void store_types_free(void *memory, size_t bytes, void *user)
{
    TrnStore *store = user;
    store->type_bytes -= bytes;
    trn_give(&store->allocator, memory, bytes);
}

static TrnResult store_create_types(TrnStore *store, const TrnStoreDef *def)
{
    store->types = def->types;
    store->owns_types = !def->types;
    if (def->types) {
        return TRN_RESULT_OK;
    }
    const TrnAllocator counting = {store_types_alloc, store_types_free, store};
    return trn_block_types_create(&counting, &store->types);
}

static TrnResult store_create_index(TrnStore *store, const TrnStoreDef *def)
{
    TrnChunkIndexDef index = trn_chunk_index_def();
    index.planes = def->planes;
    index.plane_count = def->plane_count;
    index.reader_max = def->reader_max;
    index.allocator = &store->allocator;
    return trn_chunk_index_create(&index, &store->index);
}

static TrnResult store_create_headers(TrnStore *store, const TrnStoreDef *def)
{
    const size_t header_bytes = (sizeof(TrnChunk) + 15) & ~(size_t)15;
    TrnPoolDef headers = trn_pool_def(header_bytes + def->user_bytes);
    headers.slot_max = def->chunk_max;
    headers.reserve_slots = def->chunk_reserve;
    headers.allocator = &store->allocator;
    return trn_pool_create(&headers, &store->headers);
}

static TrnResult store_create_heap(TrnStore *store, const TrnStoreDef *def)
{
    TrnVoxelHeapDef heap = trn_voxel_heap_def();
    heap.solid_bits = trn_block_types_solid_bits(store->types);
    heap.opaque_bits = trn_block_types_opaque_bits(store->types);
    heap.bytes_max = def->voxel_bytes_max;
    heap.index = store->index;
    heap.allocator = &store->allocator;
    return trn_voxel_heap_create(&heap, &store->heap);
}

/// Creates the parts of a store; what was made stays in `store` for trn_store_destroy when one fails.
static TrnResult store_create_parts(TrnStore *store, const TrnStoreDef *def)
{
    TrnResult result = store_create_types(store, def);
    if (result == TRN_RESULT_OK) {
        result = store_create_index(store, def);
    }
    if (result == TRN_RESULT_OK) {
        result = store_create_headers(store, def);
    }
    return result == TRN_RESULT_OK ? store_create_heap(store, def) : result;
}

/// The way back of a removed chunk's header.
static void store_take_header_back(TrnRetireLink *link, void *context)
{
    TrnStore *store = context;
    TrnChunk *chunk = (TrnChunk *)(void *)((unsigned char *)link - offsetof(TrnChunk, link));
    store->retired_chunks--;
    TrnResult result = trn_pool_reuse(store->headers, chunk->id);
    TRN_ASSERT(result == TRN_RESULT_OK);
    (void)result;
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
    *made = (TrnStore){.allocator = allocator,
                       .owner = {store_take_header_back, made},
                       .user_bytes = def->user_bytes};
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
    // The heap asks the index for its retired payloads; the index hands retired headers to the
    // pool; both read block types.
    trn_voxel_heap_destroy(store->heap);
    trn_chunk_index_destroy(store->index);
    trn_pool_destroy(store->headers);
    if (store->owns_types) {
        trn_block_types_destroy(store->types);
    }
    TrnAllocator allocator = store->allocator;
    trn_give(&allocator, store, sizeof *store);
}

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

// ---- chunks ------------------------------------------------------------------------------------

/// The chunk in a header slot that is taken.
static TrnChunk *store_chunk_in(const TrnStore *store, uint32_t slot)
{
    void *chunk;
    trn_pool_pointers(store->headers, &slot, 1, &chunk);
    return chunk;
}

/// A slot for a header. Where there is none, those come back first that no reader sees any more.
static TrnResult store_take_header(TrnStore *store, TrnChunkId *id, void **slot)
{
    TrnResult result = trn_pool_alloc(store->headers, id, slot);
    if (result == TRN_RESULT_OK || store->retired_chunks == 0) {
        return result;
    }
    trn_chunk_index_reclaim(store->index);
    result = trn_pool_alloc(store->headers, id, slot);
    return result == TRN_RESULT_FULL && store->retired_chunks ? TRN_RESULT_READERS : result;
}

TrnResult trn_store_insert(TrnStore *store, TrnCoord coord, TrnChunk **chunk)
{
    TrnChunkId id;
    void *slot;
    if (trn_chunk_index_find(store->index, coord, NULL)) {
        return TRN_RESULT_PRESENT;
    }
    TrnResult result = store_take_header(store, &id, &slot);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    // Whole before it is inserted: from then on readers find it.
    TrnChunk *made = slot;
    const TrnSnapshot air = trn_snapshot_of(TRN_BLOCK_AIR, store->revision + 1);
    *made = (TrnChunk){.coord = coord, .id = id, .voxels = {air.word}};
    if (store->user_bytes) {
        memset(trn_chunk_user(made), 0, store->user_bytes);
    }
    result = trn_chunk_index_insert(store->index, coord, id.index1 - 1);
    if (result != TRN_RESULT_OK) {
        trn_pool_free(store->headers, id);
        return result;
    }
    store->revision++;
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
    // From here on nothing can fail. First no new reader gets to the chunk, neither by coordinate
    // nor by id; then it is retired.
    TrnChunk *chunk = store_chunk_in(store, slot);
    result = trn_pool_retire(store->headers, chunk->id);
    TRN_ASSERT(result == TRN_RESULT_OK);
    (void)result;
    trn_voxels_release(store->heap, &chunk->voxels);
    store->retired_chunks++;
    trn_chunk_index_retire(store->index, &store->owner, &chunk->link);
    return TRN_RESULT_OK;
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

// ---- reading voxels ----------------------------------------------------------------------------

TrnResult trn_store_snapshot(const TrnStore *store, TrnCoord coord, TrnSnapshot *snapshot)
{
    const TrnChunk *chunk = trn_store_find(store, coord);
    if (!chunk) {
        return TRN_RESULT_ABSENT;
    }
    *snapshot = trn_voxels_snapshot(&chunk->voxels);
    return TRN_RESULT_OK;
}

uint32_t trn_store_snapshot_around(const TrnStore *store, TrnCoord coord, TrnSnapshot out[27])
{
    uint32_t values[27], slots[27], places[27], count = 0, present = 0;
    void *chunks[27];
    trn_chunk_index_around(store->index, coord, values);
    for (uint32_t i = 0; i < 27; i++) {
        const bool is_there = values[i] != TRN_CHUNK_VALUE_NONE;
        out[i] = trn_snapshot_of(TRN_BLOCK_AIR, 0);
        slots[count] = values[i];
        places[count] = i;
        count += is_there;
        present |= (uint32_t)is_there << i;
    }
    trn_pool_pointers(store->headers, slots, count, chunks);
    for (uint32_t i = 0; i < count; i++) {
        out[places[i]] = trn_voxels_snapshot(&((const TrnChunk *)chunks[i])->voxels);
    }
    return present;
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
        *block =
            trn_snapshot_get(trn_voxels_snapshot(&chunk->voxels), trn_voxel_local_index(voxel));
    }
    return result;
}

// ---- writing voxels ----------------------------------------------------------------------------

void trn_store_edit_begin(TrnStore *store, TrnChunk *chunk, TrnVoxelEdit *edit)
{
    trn_voxel_edit_begin(edit, store->heap, &chunk->voxels);
}

bool trn_store_edit_commit(TrnStore *store, TrnVoxelEdit *edit)
{
    const bool is_published = trn_voxel_edit_commit(edit, store->revision + 1);
    store->revision += is_published;
    return is_published;
}

TrnResult trn_store_set_voxels(TrnStore *store, TrnChunk *chunk, const TrnBlock *blocks)
{
    TrnResult result = trn_voxels_encode(store->heap, &chunk->voxels, blocks, store->revision + 1);
    store->revision += result == TRN_RESULT_OK;
    return result;
}

void trn_store_fill(TrnStore *store, TrnChunk *chunk, TrnBlock block)
{
    trn_voxels_fill(store->heap, &chunk->voxels, block, ++store->revision);
}

TrnResult trn_store_set_block(TrnStore *store, TrnVoxel voxel, TrnBlock block)
{
    TrnChunk *chunk;
    TrnResult result = store_chunk_of_voxel(store, voxel, &chunk);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnVoxelEdit edit;
    trn_store_edit_begin(store, chunk, &edit);
    result = trn_voxel_edit_set(&edit, trn_voxel_local_index(voxel), block);
    if (result != TRN_RESULT_OK) {
        trn_voxel_edit_cancel(&edit);
        return result;
    }
    trn_store_edit_commit(store, &edit);
    return TRN_RESULT_OK;
}

TrnResult trn_store_compact(TrnStore *store, TrnChunk *chunk)
{
    return trn_voxels_compact(store->heap, &chunk->voxels);
}

// ---- figures -----------------------------------------------------------------------------------

TrnStoreStats trn_store_stats(const TrnStore *store)
{
    const TrnPoolStats headers = trn_pool_stats(store->headers);
    const TrnVoxelHeapStats heap = trn_voxel_heap_stats(store->heap);
    const TrnChunkIndexStats index = trn_chunk_index_stats(store->index);
    const uint32_t chunks = headers.taken - store->retired_chunks;
    const uint32_t payloads = heap.payloads - heap.retired_payloads;
    TrnStoreStats stats = {
        .chunks = chunks,
        .uniform_chunks = chunks > payloads ? chunks - payloads : 0,
        .retired_chunks = store->retired_chunks,
        .retired_payloads = heap.retired_payloads,
        .header_bytes = headers.bytes,
        .voxel_bytes = heap.bytes,
        .index_bytes = index.bytes,
        .type_bytes = store->type_bytes,
        .retired_bytes =
            store->retired_chunks * headers.slot_bytes + heap.retired_bytes + index.retired_bytes,
        .reserved_bytes = headers.reserved_bytes,
    };
    stats.total_bytes = sizeof *store + stats.header_bytes + stats.voxel_bytes + stats.index_bytes +
                        stats.type_bytes;
    return stats;
}
