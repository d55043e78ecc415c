// What a store takes from its allocator: who took it, how much it may be, and what can go back.

#include "store_impl.h"

// ---- accounts ----------------------------------------------------------------------------------

static bool budget_fits(const TrnStoreAccount *account, size_t bytes)
{
    const TrnStore *store = account->store;
    return !store->bytes_max ||
           (store->bytes <= store->bytes_max && bytes <= store->bytes_max - store->bytes);
}

/// Gives back what can be while a part is taking memory: nothing that this part may be working on.
/// Retired memory goes back into index, headers and heap.
static void budget_give_back(TrnStore *store, TrnStorePart part)
{
    const bool is_in_the_middle =
        part == TRN_STORE_INDEX || part == TRN_STORE_HEADERS || part == TRN_STORE_VOXELS;
    if (store->index && !is_in_the_middle) {
        trn_chunk_index_reclaim(store->index);
    }
    if (store->heap && part != TRN_STORE_VOXELS) {
        trn_voxel_heap_trim(store->heap);
    }
    if (store->headers && part != TRN_STORE_HEADERS) {
        trn_pool_trim(store->headers);
    }
    if (store->events) {
        trn_events_trim(store); // nothing while a change is being noted or told
    }
}

/// Whether a part may take so many bytes more. Notes what stands in the way.
static bool budget_admits(TrnStoreAccount *account, size_t bytes)
{
    TrnStore *store = account->store;
    if (account->bytes_max && bytes > account->bytes_max - account->bytes) {
        store->is_refused = true;
        store->is_part_refused = true;
        return false;
    }
    if (!budget_fits(account, bytes)) {
        budget_give_back(store, (TrnStorePart)(account - store->accounts));
    }
    if (!budget_fits(account, bytes)) {
        store->is_refused = true;
        store->is_part_refused = false;
        return false;
    }
    return true;
}

static void *budget_alloc(size_t bytes, size_t alignment, void *user)
{
    TrnStoreAccount *account = user;
    TrnStore *store = account->store;
    if (!budget_admits(account, bytes)) {
        return NULL;
    }
    void *memory = trn_take(&store->allocator, bytes, alignment);
    if (!memory) { // whatever caps have refused before, this is what there is to say
        trn_store_attempt(store);
        return NULL;
    }
    account->bytes += bytes;
    store->bytes += bytes;
    store->bytes_peak = store->bytes > store->bytes_peak ? store->bytes : store->bytes_peak;
    return memory;
}

static void budget_free(void *memory, size_t bytes, void *user)
{
    TrnStoreAccount *account = user;
    account->bytes -= bytes;
    account->store->bytes -= bytes;
    trn_give(&account->store->allocator, memory, bytes);
}

TrnResult trn_store_open_accounts(TrnStore *store, const TrnStoreDef *def)
{
    for (uint32_t part = 0; part < TRN_STORE_PART_COUNT; part++) {
        store->accounts[part].store = store;
    }
    store->accounts[TRN_STORE_PENDING].bytes_max = def->pending_bytes_max;
    store->accounts[TRN_STORE_BOOKS].bytes = sizeof *store;
    store->bytes = sizeof *store;
    store->bytes_peak = sizeof *store;
    store->bytes_max = def->bytes_max;
    return store->bytes_max && store->bytes_max < sizeof *store ? TRN_RESULT_FULL : TRN_RESULT_OK;
}

TrnAllocator trn_store_allocator(TrnStore *store, TrnStorePart part)
{
    return (TrnAllocator){budget_alloc, budget_free, &store->accounts[part]};
}

TrnResult trn_store_refusal(const TrnStore *store, TrnResult result)
{
    if (result != TRN_RESULT_NO_MEMORY || !store->is_refused) {
        return result;
    }
    const bool waits = !store->is_part_refused && store->index &&
                       trn_chunk_index_slowest_reader(store->index) != NULL;
    return waits ? TRN_RESULT_READERS : TRN_RESULT_FULL;
}

bool trn_store_make_room(TrnStore *store, TrnResult result)
{
    if (result != TRN_RESULT_NO_MEMORY || !store->is_refused || store->is_part_refused) {
        return false;
    }
    trn_store_trim(store);
    trn_store_attempt(store);
    return true;
}

void trn_store_trim(TrnStore *store)
{
    trn_chunk_index_reclaim(store->index); // first: it fills what the others give back
    trn_voxel_heap_trim(store->heap);
    trn_pool_trim(store->headers);
    trn_changes_trim(store);
    trn_events_trim(store);
}

void trn_store_set_bytes_max(TrnStore *store, size_t bytes_max)
{
    store->bytes_max = bytes_max;
}

// ---- figures -----------------------------------------------------------------------------------

size_t trn_store_chunk_bytes(const TrnStore *store, const TrnChunk *chunk)
{
    const TrnSnapshot now = trn_voxels_snapshot(&chunk->voxels);
    const size_t header = trn_pool_stats(store->headers).slot_bytes;
    if (trn_snapshot_is_uniform(now)) {
        return header;
    }
    const TrnPayload *payload = trn_snapshot_payload(now); // its voxels come last
    return header + payload->words_at + (size_t)TRN_CHUNK_VOXELS / 8 * payload->bits;
}

static void stats_count_chunks(const TrnStore *store, TrnStoreStats *stats)
{
    const TrnEventsStats events = trn_events_stats(store);
    const TrnVoxelHeapStats heap = trn_voxel_heap_stats(store->heap);
    const uint32_t payloads =
        heap.payloads - heap.slots - heap.retired_payloads - events.untold_payloads;
    stats->chunks = store->chunks;
    stats->uniform_chunks = store->chunks > payloads ? store->chunks - payloads : 0;
    stats->retired_chunks = store->retired_chunks;
    stats->retired_payloads = heap.retired_payloads;
    stats->retired_bytes = heap.retired_bytes + trn_chunk_index_stats(store->index).retired_bytes +
                           store->retired_chunks * trn_pool_stats(store->headers).slot_bytes;
    stats->listeners = events.listeners;
    stats->events = events.calls;
    stats->missed_events = events.missed;
}

static void stats_count_bytes(const TrnStore *store, TrnStoreStats *stats)
{
    const TrnPoolStats headers = trn_pool_stats(store->headers);
    stats->header_bytes = store->accounts[TRN_STORE_HEADERS].bytes;
    stats->voxel_bytes = store->accounts[TRN_STORE_VOXELS].bytes;
    stats->index_bytes = store->accounts[TRN_STORE_INDEX].bytes;
    stats->type_bytes = store->accounts[TRN_STORE_TYPES].bytes;
    stats->bookkeeping_bytes = store->accounts[TRN_STORE_BOOKS].bytes;
    stats->edit_bytes = store->accounts[TRN_STORE_EDITS].bytes;
    stats->pending_bytes = store->accounts[TRN_STORE_PENDING].bytes;
    stats->history_bytes = store->accounts[TRN_STORE_HISTORY].bytes;
    stats->total_bytes = store->bytes;
    stats->total_bytes_peak = store->bytes_peak;
    stats->bytes_max = store->bytes_max;
    stats->pending_bytes_max = store->accounts[TRN_STORE_PENDING].bytes_max;
    stats->touched_bytes = headers.reserved_bytes ? headers.bytes : stats->header_bytes;
}

/// Room in the pool of headers for more of them.
static size_t budget_free_header_bytes(const TrnStore *store)
{
    const TrnPoolStats headers = trn_pool_stats(store->headers);
    const size_t room = headers.reserved_bytes
                            ? headers.reserved_bytes
                            : (size_t)headers.blocks * headers.block_slots * headers.slot_bytes;
    return room - headers.taken * headers.slot_bytes;
}

size_t trn_store_bytes_on_the_way(const TrnStore *store)
{
    return trn_events_stats(store).untold_bytes + trn_voxel_heap_stats(store->heap).retired_bytes +
           store->retired_chunks * trn_pool_stats(store->headers).slot_bytes;
}

size_t trn_store_used_bytes(const TrnStore *store)
{
    return store->bytes - trn_voxel_heap_stats(store->heap).free_bytes -
           budget_free_header_bytes(store) - trn_store_bytes_on_the_way(store);
}

TrnStoreStats trn_store_stats(const TrnStore *store)
{
    const TrnPendingStats pending = trn_pending_stats(store);
    TrnStoreStats stats = {
        .revision = store->revision,
        .inserted = store->inserted,
        .removed = store->removed,
        .evicted = store->evicted,
        .refused = store->refused,
        .pending_chunks = pending.chunks,
        .pending_runs = pending.runs,
        .applied_runs = pending.applied,
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
