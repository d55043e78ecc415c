// The store: headers from a pool, what they hold from a voxel heap, and a chunk index that finds
// them and says when nobody reads what was removed any more.

#include "store_impl.h"

#include <stdalign.h>
#include <string.h>

#define STORE_USER_BYTES_MAX 65536
#define STORE_PREFETCH 16u // chunks whose memory is asked for together
#define STORE_PENDING_BYTES_DEFAULT ((size_t)16 << 20)

TrnStoreDef trn_store_def(void)
{
    TrnStoreDef def = {.reader_max = trn_chunk_index_def().reader_max,
                       .pending_bytes_max = STORE_PENDING_BYTES_DEFAULT};
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
    return trn_block_types_create(&allocator, &store->types);
}

static TrnResult store_create_index(TrnStore *store, const TrnStoreDef *def)
{
    const TrnAllocator allocator = trn_store_allocator(store, TRN_STORE_INDEX);
    TrnChunkIndexDef index = trn_chunk_index_def();
    index.planes = def->planes;
    index.plane_count = def->plane_count;
    index.reader_max = def->reader_max;
    index.allocator = &allocator;
    return trn_chunk_index_create(&index, &store->index);
}

static TrnResult store_create_headers(TrnStore *store, const TrnStoreDef *def)
{
    const TrnAllocator allocator = trn_store_allocator(store, TRN_STORE_HEADERS);
    const size_t header_bytes = (sizeof(TrnChunk) + 15) & ~(size_t)15;
    TrnPoolDef headers = trn_pool_def(header_bytes + def->user_bytes);
    headers.slot_max = def->chunk_max;
    headers.reserve_slots = def->chunk_reserve;
    headers.allocator = &allocator;
    return trn_pool_create(&headers, &store->headers);
}

static TrnResult store_create_heap(TrnStore *store)
{
    const TrnAllocator allocator = trn_store_allocator(store, TRN_STORE_VOXELS);
    TrnVoxelHeapDef heap = trn_voxel_heap_def();
    heap.solid_bits = trn_block_types_solid_bits(store->types);
    heap.opaque_bits = trn_block_types_opaque_bits(store->types);
    heap.index = store->index;
    heap.is_capped = &store->is_refused;
    heap.allocator = &allocator;
    return trn_voxel_heap_create(&heap, &store->heap);
}

/// Where the chunks and their voxels lie.
static TrnResult store_create_memory(TrnStore *store, const TrnStoreDef *def)
{
    TrnResult result = store_create_types(store, def);
    if (result == TRN_RESULT_OK) {
        result = store_create_index(store, def);
    }
    if (result == TRN_RESULT_OK) {
        result = store_create_headers(store, def);
    }
    return result == TRN_RESULT_OK ? store_create_heap(store) : result;
}

/// What is noted of them.
static TrnResult store_create_books(TrnStore *store)
{
    TrnResult (*const create[])(TrnStore *) = {trn_changes_create, trn_events_create,
                                               trn_log_create, trn_pending_create,
                                               trn_batches_create};
    TrnResult result = TRN_RESULT_OK;
    for (size_t i = 0; i < sizeof create / sizeof *create && result == TRN_RESULT_OK; i++) {
        result = create[i](store);
    }
    return result;
}

/// Creates the parts of a store; what was made stays in `store` for trn_store_destroy when one
/// fails.
static TrnResult store_create_parts(TrnStore *store, const TrnStoreDef *def)
{
    TrnResult result = trn_store_open_accounts(store, def);
    if (result == TRN_RESULT_OK) {
        result = store_create_memory(store, def);
    }
    if (result == TRN_RESULT_OK) {
        result = store_create_books(store);
    }
    return trn_store_refusal(store, result);
}

/// The way back of a removed chunk's header.
static void store_take_header_back(TrnRetireLink *link, void *context)
{
    TrnStore *store = context;
    TrnChunk *chunk = (TrnChunk *)(void *)((unsigned char *)link - offsetof(TrnChunk, own));
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

static void store_destroy_books(TrnStore *store)
{
    if (store->batches) {
        trn_batches_destroy(store);
    }
    if (store->pending) {
        trn_pending_destroy(store);
    }
    trn_log_destroy(store);
    trn_events_destroy(store);
    trn_changes_destroy(store);
}

void trn_store_destroy(TrnStore *store)
{
    if (!store) {
        return;
    }
    store_destroy_books(store);
    // The heap asks the index for its retired payloads; the index hands retired headers to the
    // pool; both read block types.
    trn_voxel_heap_destroy(store->heap);
    trn_chunk_index_destroy(store->index);
    trn_pool_destroy(store->headers);
    if (store->owns_types) {
        trn_block_types_destroy(store->types);
    }
    TRN_ASSERT(store->bytes == sizeof *store); // a history was left
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

uint64_t trn_store_revision(const TrnStore *store)
{
    return __atomic_load_n(&store->revision, __ATOMIC_ACQUIRE);
}

// ---- chunks come -------------------------------------------------------------------------------

/// What a chunk is inserted with.
typedef struct StoreContent {
    const TrnBlock *blocks; ///< [TRN_CHUNK_VOXELS], or NULL
    const void *code;       ///< or NULL
    TrnVoxelSlot *slot;     ///< or NULL: all of them are `uniform`
    TrnBlock uniform;
} StoreContent;

/// The chunk in a header slot that is taken.
static TrnChunk *store_chunk_in(const TrnStore *store, uint32_t slot)
{
    return trn_pool_slot(store->headers, slot);
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

/// A header that nobody can find yet. @param chunk  receives it: a chunk of one block, under the
/// next revision
static TrnResult store_make_header(TrnStore *store, TrnCoord coord, TrnBlock block,
                                   TrnChunk **chunk)
{
    TrnChunkId id;
    void *slot;
    TrnResult result = store_take_header(store, &id, &slot);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnChunk *made = slot;
    const TrnSnapshot uniform = trn_snapshot_of(block, trn_store_next_revision(store));
    *made = (TrnChunk){
        .coord = coord, .id = id, .voxels = {uniform.word}, .own.marks = {.seen = store->sight}};
    if (store->user_bytes) {
        memset(trn_chunk_user(made), 0, store->user_bytes);
    }
    *chunk = made;
    return TRN_RESULT_OK;
}

/// Gives back a header that nobody has found, and its voxels.
static void store_drop_header(TrnStore *store, TrnChunk *chunk)
{
    trn_voxels_discard(store->heap, &chunk->voxels);
    TrnResult result = trn_pool_free(store->headers, chunk->id);
    TRN_ASSERT(result == TRN_RESULT_OK);
    (void)result;
}

/// A slot's payload becomes a chunk's that nobody can find yet: unless edits wait for it, which
/// would change what the caller gets back where the insert fails. These are applied to a copy.
static TrnResult store_link_slot(TrnStore *store, TrnChunk *chunk, TrnVoxelSlot *slot,
                                 uint64_t revision)
{
    if (trn_pending_runs(store, chunk->coord)) {
        return trn_voxels_decode(store->heap, &chunk->voxels, slot->payload, revision);
    }
    trn_voxels_adopt(&chunk->voxels, slot, revision);
    return TRN_RESULT_OK;
}

/// Whether a chunk holds a slot's payload.
static bool store_has_slot(const TrnChunk *chunk, const TrnVoxelSlot *slot)
{
    return slot && trn_voxels_snapshot(&chunk->voxels).word == (uintptr_t)slot->payload;
}

/// Fills a header whole, and then lets it be found: from then on readers do.
static TrnResult store_furnish(TrnStore *store, TrnChunk *chunk, const StoreContent *content)
{
    const uint64_t revision = trn_store_next_revision(store);
    TrnArrival arrival;
    TrnResult result = TRN_RESULT_OK;
    if (content->blocks) {
        result = trn_voxels_encode(store->heap, &chunk->voxels, content->blocks, revision);
    } else if (content->code) {
        result = trn_voxels_decode(store->heap, &chunk->voxels, content->code, revision);
    } else if (content->slot) {
        result = store_link_slot(store, chunk, content->slot, revision);
    }
    if (result == TRN_RESULT_OK) {
        result = trn_pending_prepare(store, chunk->coord, &chunk->voxels, revision, &arrival);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = trn_chunk_index_insert(store->index, chunk->coord, chunk->id.index1 - 1);
    if (result != TRN_RESULT_OK) {
        trn_pending_abandon(&arrival);
        return result;
    }
    chunk->own.marks.applied = arrival.record ? trn_pending_runs(store, chunk->coord) : 0;
    trn_pending_arrive(&arrival);
    return TRN_RESULT_OK;
}

/// Everything of an insert that can fail.
static TrnResult store_try_insert(TrnStore *store, TrnCoord coord, const StoreContent *content,
                                  TrnChunk **chunk)
{
    TrnChunk *made;
    TrnResult result = trn_changes_reserve(store);
    if (result == TRN_RESULT_OK) {
        result = store_make_header(store, coord, content->uniform, &made);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = store_furnish(store, made, content);
    const bool has_slot = store_has_slot(made, content->slot);
    if (result != TRN_RESULT_OK) {
        made->voxels = has_slot ? (TrnVoxels){0} : made->voxels; // it stays the caller's
        store_drop_header(store, made);
        return result;
    }
    if (has_slot) {
        trn_voxel_slot_forget(store->heap, content->slot);
    }
    *chunk = made;
    return TRN_RESULT_OK;
}

static TrnResult store_refuse_insert(TrnStore *store, TrnCoord coord, TrnResult result)
{
    const TrnResult refusal = trn_store_refusal(store, result);
    store->refused++;
    trn_log_end(store, coord, TRN_CHUNK_STATE_REFUSED, refusal);
    return refusal;
}

static TrnResult store_insert(TrnStore *store, TrnCoord coord, const StoreContent *content,
                              TrnChunk **chunk)
{
    if (trn_chunk_index_find(store->index, coord, NULL)) {
        return TRN_RESULT_EXISTS;
    }
    TrnChunk *made;
    trn_store_attempt(store);
    TrnResult result = store_try_insert(store, coord, content, &made);
    if (trn_store_make_room(store, result)) {
        result = store_try_insert(store, coord, content, &made);
    }
    if (result != TRN_RESULT_OK) {
        return store_refuse_insert(store, coord, result);
    }
    const TrnChunkId id = made->id;
    const uint64_t revision = trn_store_next_revision(store);
    store->inserted++;
    store->chunks++;
    trn_store_note(store, TRN_EVENT_INSERTED, made, revision, TRN_AROUND_ALL);
    trn_store_end_change(store, revision);
    if (chunk) {
        *chunk = trn_store_chunk(store, id); // a listener may have removed it
    }
    return TRN_RESULT_OK;
}

TrnResult trn_store_insert(TrnStore *store, TrnCoord coord, TrnChunk **chunk)
{
    const StoreContent air = {.uniform = TRN_BLOCK_AIR};
    return store_insert(store, coord, &air, chunk);
}

TrnResult trn_store_insert_voxels(TrnStore *store, TrnCoord coord, const TrnBlock *blocks,
                                  TrnChunk **chunk)
{
    const StoreContent content = {.blocks = blocks};
    return blocks ? store_insert(store, coord, &content, chunk) : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_store_insert_code(TrnStore *store, TrnCoord coord, const void *code, TrnChunk **chunk)
{
    const StoreContent content = {.code = code};
    return code ? store_insert(store, coord, &content, chunk) : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_store_insert_slot(TrnStore *store, TrnCoord coord, TrnVoxelSlot *slot,
                                TrnChunk **chunk)
{
    const StoreContent content = {.slot = slot};
    return slot && slot->payload && slot->is_filled ? store_insert(store, coord, &content, chunk)
                                                    : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_store_insert_uniform(TrnStore *store, TrnCoord coord, TrnBlock block,
                                   TrnChunk **chunk)
{
    const StoreContent content = {.uniform = block};
    return store_insert(store, coord, &content, chunk);
}

// ---- chunks go ---------------------------------------------------------------------------------

void trn_store_retire_chunk(TrnStore *store, TrnChunk *chunk)
{
    trn_voxels_release(store->heap, &chunk->voxels);
    store->retired_chunks++;
    trn_chunk_index_retire(store->index, &store->owner, &chunk->own.link);
}

/// Takes a chunk out of the index: all of a removal that can fail.
static TrnResult store_unlink(TrnStore *store, TrnCoord coord)
{
    trn_store_attempt(store);
    TrnResult result = trn_chunk_index_remove(store->index, coord, NULL);
    if (trn_store_make_room(store, result)) {
        result = trn_chunk_index_remove(store->index, coord, NULL);
    }
    return trn_store_refusal(store, result);
}

TrnResult trn_store_remove_chunk(TrnStore *store, TrnChunk *chunk, bool is_eviction)
{
    if (chunk->own.marks.holds || chunk->own.marks.edit) {
        return TRN_RESULT_BUSY;
    }
    const TrnCoord coord = chunk->coord;
    TrnResult result = store_unlink(store, coord);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    // First no new reader gets to the chunk, neither by coordinate nor by id; then, once listeners
    // have looked at it, it is retired.
    result = trn_pool_retire(store->headers, chunk->id);
    TRN_ASSERT(result == TRN_RESULT_OK);
    (void)result;
    trn_changes_drop(store, chunk);
    trn_log_end(store, coord, is_eviction ? TRN_CHUNK_STATE_EVICTED : TRN_CHUNK_STATE_REMOVED,
                TRN_RESULT_OK);
    store->chunks--;
    store->removed += !is_eviction;
    store->evicted += is_eviction;
    if (!trn_events_note_removal(store, chunk, is_eviction)) {
        trn_store_retire_chunk(store, chunk);
    }
    trn_store_end_change(store, store->revision);
    return TRN_RESULT_OK;
}

/// What one look at some chunks has asked for, the next one looks at.
static void store_prefetch_some(const TrnStore *store, const TrnCoord *coords, size_t count)
{
    TrnChunk *chunks[STORE_PREFETCH];
    size_t there = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t slot;
        if (trn_chunk_index_find(store->index, coords[i], &slot)) {
            trn_pool_prefetch(store->headers, slot);
            chunks[there] = store_chunk_in(store, slot);
            __builtin_prefetch(&chunks[there++]->own, 1);
        }
    }
    for (size_t i = 0; i < there; i++) {
        const TrnSnapshot voxels = trn_voxels_snapshot(&chunks[i]->voxels);
        trn_changes_prefetch(store, chunks[i]);
        if (!trn_snapshot_is_uniform(voxels)) {
            __builtin_prefetch(trn_snapshot_payload(voxels), 1);
        }
    }
    for (size_t i = 0; i < there; i++) {
        trn_voxels_prefetch_release(store->heap, trn_voxels_snapshot(&chunks[i]->voxels));
    }
}

void trn_store_prefetch_removals(const TrnStore *store, const TrnCoord *coords, size_t count)
{
    for (size_t done = 0; done < count; done += STORE_PREFETCH) {
        const size_t left = count - done;
        store_prefetch_some(store, coords + done, left < STORE_PREFETCH ? left : STORE_PREFETCH);
    }
}

TrnResult trn_store_remove(TrnStore *store, TrnCoord coord)
{
    TrnChunk *chunk = trn_store_find(store, coord);
    return chunk ? trn_store_remove_chunk(store, chunk, false) : TRN_RESULT_NOT_FOUND;
}

// ---- finding chunks ----------------------------------------------------------------------------

TrnChunk *trn_store_find(const TrnStore *store, TrnCoord coord)
{
    uint32_t slot;
    return trn_chunk_index_find(store->index, coord, &slot) ? store_chunk_in(store, slot) : NULL;
}

TrnChunk *trn_store_chunk(const TrnStore *store, TrnChunkId id)
{
    return trn_pool_get(store->headers, id);
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

/// Whether a chunk is there and has its bit in a plane, which may also be set where there is none.
static bool store_chunk_has(const TrnStore *store, TrnCoord coord, TrnPlane plane)
{
    return trn_chunk_index_plane_test(store->index, plane, coord) &&
           trn_chunk_index_plane_test(store->index, TRN_PLANE_PRESENT, coord);
}

static bool store_layer_has(const TrnStore *store, TrnBox box, int32_t y, TrnPlane plane)
{
    for (int64_t z = box.min.z; z <= box.max.z; z++) { // int32 would go round at its end
        for (int64_t x = box.min.x; x <= box.max.x; x++) {
            if (!store_chunk_has(store, (TrnCoord){(int32_t)x, y, (int32_t)z}, plane)) {
                return false;
            }
        }
    }
    return true;
}

bool trn_store_box_has(const TrnStore *store, TrnVoxel min, TrnVoxel max, TrnPlane plane)
{
    if (!trn_voxel_in_world(min) || !trn_voxel_in_world(max) || min.x > max.x || min.y > max.y ||
        min.z > max.z) {
        return false;
    }
    const TrnBox box = {trn_voxel_chunk(min), trn_voxel_chunk(max)};
    for (int64_t y = box.min.y; y <= box.max.y; y++) {
        if (!store_layer_has(store, box, (int32_t)y, plane)) {
            return false;
        }
    }
    return true;
}

TrnCursor trn_cursor(const TrnStore *store)
{
    TrnCursor cursor = {.store = store};
    // The lowest voxel of no chunk: the first call moves.
    const TrnCursorChunk nowhere = {.x = UINT64_C(1) << 63};
    cursor.now = nowhere;
    for (uint32_t i = 0; i < sizeof cursor.at_hand / sizeof cursor.at_hand[0]; i++) {
        cursor.at_hand[i] = nowhere;
    }
    return cursor;
}

const TrnVoxels *trn_cursor_move(TrnCursor *cursor, TrnVoxel voxel)
{
    if (!trn_voxel_in_world(voxel)) {
        return NULL;
    }
    const TrnCoord coord = trn_voxel_chunk(voxel);
    const TrnVoxel lowest = trn_coord_voxel(coord);
    TrnCursorChunk *place =
        &cursor->at_hand[(coord.x & 1) | (coord.z & 1) << 1 | (coord.y & 1) << 2];
    if (place->x != (uint64_t)lowest.x || place->y != (uint64_t)lowest.y ||
        place->z != (uint64_t)lowest.z) {
        const TrnChunk *chunk = trn_store_find(cursor->store, coord);
        *place = (TrnCursorChunk){(uint64_t)lowest.x, (uint64_t)lowest.y, (uint64_t)lowest.z,
                                  chunk ? &chunk->voxels : NULL};
    }
    cursor->now = *place;
    return cursor->now.voxels;
}

// ---- reading voxels ----------------------------------------------------------------------------

TrnResult trn_store_snapshot(const TrnStore *store, TrnCoord coord, TrnSnapshot *snapshot)
{
    const TrnChunk *chunk = trn_store_find(store, coord);
    if (!chunk) {
        return TRN_RESULT_NOT_FOUND;
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
    return *chunk ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND;
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

static TrnChunk *store_chunk_with(TrnVoxels *voxels)
{
    return (TrnChunk *)(void *)((unsigned char *)voxels - offsetof(TrnChunk, voxels));
}

/// Ends a change of one chunk, which is published already.
static void store_end_change_of(TrnStore *store, TrnChunk *chunk, uint32_t around)
{
    const uint64_t revision = trn_store_next_revision(store);
    trn_store_note(store, TRN_EVENT_CHANGED, chunk, revision, around);
    trn_store_end_change(store, revision);
}

TrnResult trn_store_edit_begin(TrnStore *store, TrnChunk *chunk, TrnVoxelEdit *edit)
{
    trn_voxel_edit_begin(edit, store->heap, &chunk->voxels);
    if (chunk->own.marks.edit) { // the batch would lose the change, or make it undone
        trn_voxel_edit_cancel(edit);
        return TRN_RESULT_BUSY;
    }
    return TRN_RESULT_OK;
}

/// What an edit would change of the chunks around.
static uint32_t store_around_of_edit(const TrnStore *store, const TrnVoxelEdit *edit)
{
    if (!edit->heap || !edit->is_changed || !trn_store_is_heard(store, TRN_EVENT_CHANGED)) {
        return TRN_AROUND_SELF;
    }
    const TrnSnapshot before = {edit->base};
    const TrnSnapshot after = {edit->copy ? (uint64_t)(uintptr_t)edit->copy : edit->now};
    return trn_store_around(before, after) | TRN_AROUND_SELF;
}

/// Commits an edit whose meaning to the chunks around is known.
static bool store_commit(TrnStore *store, TrnVoxelEdit *edit, uint32_t around)
{
    TrnVoxels *voxels = edit->voxels;
    if (!trn_voxel_edit_commit(edit, trn_store_next_revision(store))) {
        return false;
    }
    store_end_change_of(store, store_chunk_with(voxels), around);
    return true;
}

bool trn_store_edit_commit(TrnStore *store, TrnVoxelEdit *edit)
{
    return store_commit(store, edit, store_around_of_edit(store, edit));
}

/// Replaces all voxels where somebody wants to know what that changes. Through an edit: what was
/// there must outlive what comes.
/// @param around  receives it
static TrnResult store_encode_heard(TrnStore *store, TrnChunk *chunk, const TrnBlock *blocks,
                                    uint32_t *around)
{
    const uint64_t revision = trn_store_next_revision(store);
    TrnVoxelEdit edit;
    trn_voxel_edit_begin(&edit, store->heap, &chunk->voxels);
    TrnResult result = trn_voxel_edit_encode(&edit, blocks);
    if (result == TRN_RESULT_OK && edit.is_changed) {
        *around = store_around_of_edit(store, &edit);
        trn_voxel_edit_commit(&edit, revision);
        return TRN_RESULT_OK;
    }
    trn_voxel_edit_cancel(&edit);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    *around = TRN_AROUND_SELF; // the same blocks, under a new revision
    return trn_voxels_encode(store->heap, &chunk->voxels, blocks, revision);
}

TrnResult trn_store_set_voxels(TrnStore *store, TrnChunk *chunk, const TrnBlock *blocks)
{
    if (chunk->own.marks.edit) {
        return TRN_RESULT_BUSY;
    }
    uint32_t around = TRN_AROUND_SELF;
    trn_store_attempt(store);
    TrnResult result = trn_store_is_heard(store, TRN_EVENT_CHANGED)
                           ? store_encode_heard(store, chunk, blocks, &around)
                           : trn_voxels_encode(store->heap, &chunk->voxels, blocks,
                                               trn_store_next_revision(store));
    if (result != TRN_RESULT_OK) {
        return trn_store_refusal(store, result);
    }
    store_end_change_of(store, chunk, around);
    return TRN_RESULT_OK;
}

TrnResult trn_store_fill(TrnStore *store, TrnChunk *chunk, TrnBlock block)
{
    if (chunk->own.marks.edit) {
        return TRN_RESULT_BUSY;
    }
    const uint64_t revision = trn_store_next_revision(store);
    uint32_t around = TRN_AROUND_SELF;
    if (trn_store_is_heard(store, TRN_EVENT_CHANGED)) {
        around |=
            trn_store_around(trn_voxels_snapshot(&chunk->voxels), trn_snapshot_of(block, revision));
    }
    trn_voxels_fill(store->heap, &chunk->voxels, block, revision);
    store_end_change_of(store, chunk, around);
    return TRN_RESULT_OK;
}

/// The chunks that one voxel touches.
static uint32_t store_around_voxel(uint32_t index)
{
    const uint32_t last = TRN_CHUNK_EDGE - 1;
    const uint32_t x = index & last, z = index >> TRN_CHUNK_SHIFT & last,
                   y = index >> (2 * TRN_CHUNK_SHIFT);
    // Bits of one axis: lower neighbour, the chunk itself, upper neighbour.
    const uint32_t xs = 2u | (x == 0) | (uint32_t)(x == last) << 2;
    const uint32_t zs = 2u | (z == 0) | (uint32_t)(z == last) << 2;
    const uint32_t ys = 2u | (y == 0) | (uint32_t)(y == last) << 2;
    const uint32_t layer = ((zs & 1) | (zs & 2) << 2 | (zs & 4) << 4) * xs;
    return ((ys & 1) | (ys & 2) << 8 | (ys & 4) << 16) * layer;
}

TrnResult trn_store_set_block(TrnStore *store, TrnVoxel voxel, TrnBlock block)
{
    TrnChunk *chunk;
    TrnResult result = store_chunk_of_voxel(store, voxel, &chunk);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnVoxelEdit edit;
    trn_store_attempt(store);
    result = trn_store_edit_begin(store, chunk, &edit);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = trn_voxel_edit_set(&edit, trn_voxel_local_index(voxel), block);
    if (result != TRN_RESULT_OK) {
        trn_voxel_edit_cancel(&edit);
        return trn_store_refusal(store, result);
    }
    store_commit(store, &edit, store_around_voxel(trn_voxel_local_index(voxel)));
    return TRN_RESULT_OK;
}

TrnResult trn_store_compact(TrnStore *store, TrnChunk *chunk)
{
    if (chunk->own.marks.edit) {
        return TRN_RESULT_BUSY;
    }
    trn_store_attempt(store);
    return trn_store_refusal(store, trn_voxels_compact(store->heap, &chunk->voxels));
}
