// Figures of a store.

#include "store/store_impl.h"

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
    stats->retired_bytes = heap.retired_bytes + trn_chunk_index_stats(store->index).retired_bytes +
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
