// Readers of an index and their sections; retire.h explains the epochs.

#include <string.h>

#include "base/memory.h"
#include "chunk_index_impl.h"
#include "chunk_index_internal.h"

struct TrnChunkReader {
    TrnReaderSlot slot;
};

TrnResult trn_chunk_index_reader_create(TrnChunkIndex *index, const char *name,
                                        TrnChunkReader **reader)
{
    for (uint32_t i = 0; i < index->retire.reader_max; i++) {
        TrnReaderSlot *slot = &index->retire.readers[i];
        uint32_t vacant = 0;
        if (atomic_compare_exchange_strong(&slot->taken, &vacant, 1)) {
            strncpy(slot->name, name ? name : "reader", TRN_READER_NAME_MAX - 1);
            *reader = (TrnChunkReader *)slot;
            return TRN_RESULT_OK;
        }
    }
    return TRN_RESULT_FULL;
}

void trn_chunk_index_reader_destroy(TrnChunkReader *reader)
{
    if (!reader) {
        return;
    }
    trn_chunk_index_read_end(reader);
    atomic_store_explicit(&reader->slot.taken, 0, memory_order_release);
}

void trn_chunk_index_read_begin(TrnChunkReader *reader)
{
    TRN_ASSERT(atomic_load_explicit(&reader->slot.epoch, memory_order_relaxed) == 0); // no nesting
    uint64_t epoch = atomic_load_explicit(reader->slot.now, memory_order_seq_cst);
    atomic_store_explicit(&reader->slot.epoch, epoch, memory_order_seq_cst);
    // Orders the loads of the section after the store: see retire_count_epoch.
    (void)atomic_load_explicit(reader->slot.now, memory_order_seq_cst);
}

void trn_chunk_index_read_end(TrnChunkReader *reader)
{
    atomic_store_explicit(&reader->slot.epoch, 0, memory_order_release);
}

const char *trn_chunk_index_slowest_reader(const TrnChunkIndex *index)
{
    const TrnReaderSlot *slot = trn_retire_slowest(&index->retire);
    return slot ? slot->name : NULL;
}

void trn_chunk_index_retire(TrnChunkIndex *index, const TrnRetireOwner *owner, TrnRetireLink *link)
{
    TRN_ASSERT(owner && owner->free && link);
    trn_retire_link(&index->retire, owner, link);
}

void trn_chunk_index_retire_list(TrnChunkIndex *index, TrnRetireList *list)
{
    trn_retire_links(&index->retire, list);
}

void trn_chunk_index_reclaim(TrnChunkIndex *index)
{
    trn_retire_reclaim(&index->retire);
}
