// Readers of an index and their sections; retire.h explains the epochs.

#include <string.h>

#include "base/memory.h"
#include "chunk_index_impl.h"
#include "chunk_index_internal.h"

struct TrnChunkReader {
    TrnReaderSlot slot;
};

// ---- names --------------------------------------------------------------------------------------

#define READER_NAME_WORDS (TRN_READER_NAME_BYTES / sizeof(uint32_t))

static void reader_set_name(TrnReaderSlot *slot, const char *name)
{
    char text[TRN_READER_NAME_BYTES] = {0};
    uint32_t words[READER_NAME_WORDS];
    strncpy(text, name && *name ? name : "reader", sizeof text - 1);
    memcpy(words, text, sizeof words);
    for (size_t i = 0; i < READER_NAME_WORDS; i++) {
        // Release: who reads a word of this name also reads the tenancy that it belongs to.
        atomic_store_explicit(&slot->name[i], words[i], memory_order_release);
    }
}

/// Copies the name of the reader that is in a section in a slot.
/// @return whether it still was when the name had been copied; otherwise `name` is unchanged
static bool reader_copy_name(const TrnReaderSlot *slot, char name[TRN_READER_NAME_BYTES])
{
    uint32_t words[READER_NAME_WORDS];
    const uint32_t tenancy = atomic_load_explicit(&slot->tenancy, memory_order_acquire);
    // A reader in a section has written its name before.
    bool is_whole = atomic_load_explicit(&slot->epoch, memory_order_seq_cst) != 0;
    for (size_t i = 0; i < READER_NAME_WORDS; i++) {
        words[i] = atomic_load_explicit(&slot->name[i], memory_order_acquire);
    }
    is_whole &= tenancy == atomic_load_explicit(&slot->tenancy, memory_order_relaxed);
    if (is_whole) {
        memcpy(name, words, sizeof words);
    }
    return is_whole;
}

// ---- readers ------------------------------------------------------------------------------------

/// Takes a slot for a reader, unless another one has it.
static bool reader_take_slot(TrnReaderSlot *slot)
{
    uint32_t tenancy = atomic_load_explicit(&slot->tenancy, memory_order_relaxed);
    while (tenancy % 2 == 0) {
        if (atomic_compare_exchange_weak(&slot->tenancy, &tenancy, tenancy + 1)) {
            return true;
        }
    }
    return false;
}

TrnResult trn_chunk_index_reader_create(TrnChunkIndex *index, const char *name,
                                        TrnChunkReader **reader)
{
    for (uint32_t i = 0; i < index->retire.reader_max; i++) {
        TrnReaderSlot *slot = &index->retire.readers[i];
        if (reader_take_slot(slot)) {
            reader_set_name(slot, name);
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
    atomic_fetch_add_explicit(&reader->slot.tenancy, 1, memory_order_release);
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

bool trn_chunk_index_slowest_reader(const TrnChunkIndex *index, char name[TRN_READER_NAME_BYTES])
{
    const TrnReaderSlot *slot = trn_retire_slowest(&index->retire);
    return slot && (!name || reader_copy_name(slot, name));
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
