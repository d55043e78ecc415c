// A log of the last chunks that were removed, evicted or refused, for trn_store_explain().

#include "store/store_impl.h"

#include <stdalign.h>

#define LOG_ENTRIES 1024u

/// A ring buffer.
struct TrnStoreLog {
    TrnAllocator allocator;
    uint64_t count; ///< so far; entry i is at i % LOG_ENTRIES
    TrnLogEntry entries[LOG_ENTRIES];
};

TrnResult trn_log_create(TrnStore *store)
{
    const TrnAllocator allocator = trn_store_allocator(store, TRN_STORE_BOOKKEEPING);
    TrnStoreLog *made = trn_take(&allocator, sizeof *made, alignof(TrnStoreLog));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    made->allocator = allocator;
    made->count = 0;
    store->log = made;
    return TRN_RESULT_OK;
}

void trn_log_destroy(TrnStore *store)
{
    if (store->log) {
        const TrnAllocator allocator = store->log->allocator;
        trn_give(&allocator, store->log, sizeof *store->log);
    }
}

void trn_log_add(TrnStore *store, TrnCoord coord, TrnChunkState state, TrnResult refusal)
{
    TrnStoreLog *log = store->log;
    log->entries[log->count++ % LOG_ENTRIES] =
        (TrnLogEntry){coord, (uint16_t)state, (uint16_t)refusal, store->revision};
}

const TrnLogEntry *trn_log_find(const TrnStore *store, TrnCoord coord)
{
    const TrnStoreLog *log = store->log;
    const uint64_t known = log->count < LOG_ENTRIES ? log->count : LOG_ENTRIES;
    for (uint64_t back = 1; back <= known; back++) {
        const TrnLogEntry *entry = &log->entries[(log->count - back) % LOG_ENTRIES];
        if (trn_coord_equal(entry->coord, coord)) {
            return entry;
        }
    }
    return NULL;
}
