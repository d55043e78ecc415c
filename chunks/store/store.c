// Creating and destroying a store: headers from a pool, voxels in a heap, and a chunk index that
// finds them and tells when no reader sees what was removed.

#include "store/store_uses.h"

#include <inttypes.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/entropy.h"

// ---- spare memory -------------------------------------------------------------------------------

/// TrnStore.free_spare: frees what `part` is not working on.
static void store_free_spare(TrnStore *store, TrnStorePart part)
{
    // Reclaiming returns memory to index, headers and heap: not while one of them is allocating.
    const bool is_reclaimable =
        part != TRN_STORE_INDEX && part != TRN_STORE_HEADERS && part != TRN_STORE_VOXELS;
    if (store->index && is_reclaimable) {
        trn_chunk_index_reclaim(store->index);
    }
    if (store->heap && part != TRN_STORE_VOXELS) {
        trn_voxel_heap_trim(store->heap);
    }
    if (store->headers && part != TRN_STORE_HEADERS) {
        trn_pool_trim(store->headers);
    }
    if (store->hooks.trim && part != TRN_STORE_ATTACHED) {
        store->hooks.trim(store->hooks.user);
    }
    if (store->events) {
        trn_events_trim(store); // does nothing while events are queued
    }
}

void trn_store_trim(TrnStore *store)
{
    trn_chunk_index_reclaim(store->index); // first: it returns memory to heap and pool
    trn_voxel_heap_trim(store->heap);
    trn_pool_trim(store->headers);
    if (store->hooks.trim) {
        store->hooks.trim(store->hooks.user);
    }
    trn_changes_trim(store);
    trn_uses_trim(store);
    trn_events_trim(store);
}

bool trn_store_make_room(TrnStore *store, TrnResult result)
{
    if (result != TRN_RESULT_NO_MEMORY || !store->refusal.is_capped ||
        store->refusal.is_part_capped) {
        return false;
    }
    trn_store_trim(store);
    trn_store_refusal_clear(&store->refusal);
    return true;
}

// ---- creation and destruction -------------------------------------------------------------------

#define STORE_USER_BYTES_MAX 65536
#define STORE_RANGE_CHUNKS ((uint64_t)1 << 24) // headers of 64 bytes: 1 GiB of addresses
#define STORE_RANGE_BYTES_MAX ((uint64_t)4 << 30)
#define STORE_BLOCK_BYTES 65535u // of headers; a block has a power of two of them

#define STORE_DATA_BYTES ((size_t)1 << 30)

TrnStoreDef trn_store_def(void)
{
    TrnStoreDef def = {.data_bytes_max = STORE_DATA_BYTES,
                       .reader_max = trn_chunk_index_def().reader_max};
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
    if (headers.reserve_slots) { // an insert that begins a block waits for its pages
        headers.block_slots = (uint32_t)(STORE_BLOCK_BYTES / headers.slot_bytes) + 1;
    }
    headers.allocator = &allocator;
    TrnResult result = trn_pool_create(&headers, &store->headers);
    if (result == TRN_RESULT_OK) {
        trn_pool_count_commits(store->headers, &commits);
    }
    return result;
}

static TrnResult store_create_heap(TrnStore *store, size_t data_bytes_max)
{
    const TrnAllocator allocator = trn_store_allocator(store, TRN_STORE_VOXELS);
    TrnVoxelHeapDef heap = trn_voxel_heap_def();
    heap.solid_bits = trn_block_types_solid_bits(store->types);
    heap.opaque_bits = trn_block_types_opaque_bits(store->types);
    heap.index = store->index;
    heap.data_bytes_max = data_bytes_max;
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
        result = store_create_heap(store, def->data_bytes_max);
    }
    if (result == TRN_RESULT_OK) {
        result = trn_changes_create(store);
    }
    if (result == TRN_RESULT_OK) {
        result = trn_uses_create(store);
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
                       .free_spare = store_free_spare,
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
    trn_uses_destroy(store);
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

// ---- figures ------------------------------------------------------------------------------------

uint32_t trn_store_loaded_count(const TrnStore *store)
{
    return store->chunks;
}

static void stats_count_chunks(const TrnStore *store, TrnStoreStats *stats)
{
    const TrnEventsStats events = trn_events_stats(store);
    const TrnVoxelHeapStats heap = trn_voxel_heap_stats(store->heap);
    const uint32_t payloads =
        heap.payloads - heap.slots - heap.retired_payloads - events.undelivered_payloads;
    stats->chunks = store->chunks;
    stats->uniform_chunks = store->chunks > payloads ? store->chunks - payloads : 0;
    stats->retired_chunks = store->retired_chunks;
    stats->retired_payloads = heap.retired_payloads;
    stats->retired_bytes = heap.retired_bytes + trn_chunk_index_retired_bytes(store->index) +
                           store->retired_chunks * trn_pool_stats(store->headers).slot_bytes;
    stats->listeners = events.listeners;
    stats->events = events.calls;
    stats->missed_events = events.missed;
}

static void stats_count_bytes(const TrnStore *store, TrnStoreStats *stats)
{
    stats->header_bytes = store->accounts[TRN_STORE_HEADERS].bytes;
    stats->voxel_bytes = store->accounts[TRN_STORE_VOXELS].bytes;
    stats->index_bytes = store->accounts[TRN_STORE_INDEX].bytes;
    stats->type_bytes = store->accounts[TRN_STORE_TYPES].bytes;
    stats->bookkeeping_bytes = store->accounts[TRN_STORE_BOOKKEEPING].bytes;
    stats->attached_bytes = store->accounts[TRN_STORE_ATTACHED].bytes;
    stats->total_bytes = store->bytes;
    stats->total_bytes_peak = store->bytes_peak;
    stats->bytes_max = store->bytes_max;
}

/// Free slots in the pool of headers.
static size_t stats_free_header_bytes(const TrnStore *store)
{
    const TrnPoolStats headers = trn_pool_stats(store->headers);
    return ((size_t)headers.blocks * headers.block_slots - headers.taken) * headers.slot_bytes;
}

size_t trn_store_returning_bytes(const TrnStore *store)
{
    return trn_events_stats(store).undelivered_bytes +
           trn_voxel_heap_stats(store->heap).retired_bytes +
           store->retired_chunks * trn_pool_stats(store->headers).slot_bytes;
}

size_t trn_store_used_bytes(const TrnStore *store)
{
    return store->bytes - trn_voxel_heap_stats(store->heap).free_bytes -
           stats_free_header_bytes(store) - trn_store_returning_bytes(store);
}

TrnStoreStats trn_store_stats(const TrnStore *store)
{
    TrnStoreStats stats = {
        .revision = store->revision,
        .inserted = store->inserted,
        .removed = store->removed,
        .evicted = store->evicted,
        .refused = store->refused,
    };
    stats_count_chunks(store, &stats);
    stats_count_bytes(store, &stats);
    stats.used_bytes = trn_store_used_bytes(store);
    return stats;
}

size_t trn_store_bytes(const TrnStore *store, size_t *used_bytes)
{
    if (used_bytes) {
        *used_bytes = trn_store_used_bytes(store);
    }
    return store->bytes;
}

// ---- sentence ----------------------------------------------------------------------------------

/// Appends to the sentence, and truncates it where it is full.
static void explain_say(TrnExplanation *explanation, const char *format, ...)
{
    const size_t length = strlen(explanation->sentence);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(explanation->sentence + length, sizeof explanation->sentence - length, format,
                    arguments);
    va_end(arguments);
}

static const char *explain_refusal(TrnResult refusal)
{
    switch (refusal) {
    case TRN_RESULT_NO_MEMORY:
        return "memory ran out";
    case TRN_RESULT_READERS:
        return "a reader kept removed memory";
    default:
        return "a cap was reached";
    }
}

static void explain_say_state(TrnExplanation *explanation)
{
    const unsigned long long revision = explanation->revision;
    switch (explanation->state) {
    case TRN_CHUNK_STATE_LOADED:
        explain_say(explanation, " is loaded: %u bits a voxel, %zu bytes, changed at revision %llu",
                    explanation->bits, explanation->bytes, revision);
        break;
    case TRN_CHUNK_STATE_REMOVED:
        explain_say(explanation, " was removed at revision %llu", revision);
        break;
    case TRN_CHUNK_STATE_EVICTED:
        explain_say(explanation, " was evicted at revision %llu", revision);
        break;
    case TRN_CHUNK_STATE_REFUSED:
        explain_say(explanation, " was refused at revision %llu: %s", revision,
                    explain_refusal(explanation->refusal));
        break;
    default:
        explain_say(explanation, " is not loaded, and no recent insert was refused");
        break;
    }
}

/// The caps that an insert can exceed, and how much of each is used.
static void explain_say_caps(const TrnStore *store, TrnExplanation *explanation)
{
    const TrnPoolStats headers = trn_pool_stats(store->headers);
    if (store->bytes_max) {
        explain_say(explanation, "; %zu of %zu bytes are allocated now", store->bytes,
                    store->bytes_max);
    }
    if (headers.slot_max) {
        explain_say(explanation, "; %u of %u chunks", headers.taken, headers.slot_max);
    }
}

static void explain_say_all(const TrnStore *store, TrnExplanation *explanation, TrnCoord coord)
{
    explain_say(explanation, "Chunk %" PRId32 ", %" PRId32 ", %" PRId32, coord.x, coord.y, coord.z);
    explain_say_state(explanation);
    if (explanation->state == TRN_CHUNK_STATE_REFUSED) {
        explain_say_caps(store, explanation);
    }
    if (explanation->untouched) {
        explain_say(explanation, "; not touched by the last %u calls", explanation->untouched);
    }
    if (explanation->pins) {
        explain_say(explanation, "; pinned %u time%s", explanation->pins,
                    explanation->pins == 1 ? "" : "s");
    }
    if (explanation->is_open) {
        explain_say(explanation, "; open for editing in a batch");
    }
    if (explanation->pending_runs) {
        const bool is_one = explanation->pending_runs == 1;
        explain_say(explanation,
                    is_one ? "; %u run of edits is pending" : "; %u runs of edits are pending",
                    explanation->pending_runs);
    }
    if (explanation->slowest_reader[0]) {
        explain_say(explanation, "; reader \"%s\" delays the reclaim of removed memory",
                    explanation->slowest_reader);
    }
    explain_say(explanation, ".");
}

// ---- explain -----------------------------------------------------------------------------------

static void explain_loaded(const TrnStore *store, const TrnChunk *chunk,
                           TrnExplanation *explanation)
{
    const TrnSnapshot now = trn_voxels_snapshot(&chunk->voxels);
    explanation->state = TRN_CHUNK_STATE_LOADED;
    explanation->revision = trn_snapshot_revision(now);
    explanation->bytes = trn_header_bytes(store, chunk);
    explanation->bits = trn_snapshot_bits(now);
    explanation->pins = trn_chunk_marks_of(chunk)->pins;
    explanation->is_open = trn_chunk_marks_of(chunk)->lock != 0;
    explanation->untouched = store->touches - trn_chunk_marks_of(chunk)->touched;
}

static void explain_absent(const TrnStore *store, TrnCoord coord, TrnExplanation *explanation)
{
    const TrnLogEntry *entry = trn_log_find(store, coord);
    if (entry) {
        explanation->state = (TrnChunkState)entry->state;
        explanation->refusal = (TrnResult)entry->refusal;
        explanation->revision = entry->revision;
    }
}

TrnExplanation trn_store_explain(const TrnStore *store, TrnCoord coord)
{
    TrnExplanation explanation = {.state = TRN_CHUNK_STATE_UNKNOWN};
    const TrnChunk *chunk = trn_store_find(store, coord);
    if (chunk) {
        explain_loaded(store, chunk, &explanation);
    } else {
        explain_absent(store, coord, &explanation);
    }
    for (TrnPlane plane = 0; plane < TRN_PLANE_COUNT_MAX; plane++) {
        const bool bit = trn_chunk_index_plane_test(store->index, plane, coord);
        explanation.planes |= bit ? TRN_PLANE_BIT(plane) : 0;
    }
    explanation.pending_runs = trn_store_pending_runs(store, coord);
    (void)trn_chunk_index_slowest_reader(store->index, explanation.slowest_reader);
    explain_say_all(store, &explanation, coord);
    return explanation;
}
