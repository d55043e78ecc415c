// Epoch-based reclamation for the readers of an index.

#include "retire.h"

#include <stdalign.h>
#include <string.h>

#include "base/memory.h"

#define RETIRE_CAPACITY_FIRST 16

TrnResult trn_retire_init(TrnRetire *retire, uint32_t reader_max, void *context,
                          const TrnAllocator *allocator)
{
    memset(retire, 0, sizeof *retire);
    retire->allocator = *allocator;
    retire->context = context;
    atomic_init(&retire->epoch, 1);
    if (reader_max) {
        size_t bytes = reader_max * sizeof(TrnReaderSlot);
        retire->readers = trn_take(allocator, bytes, alignof(TrnReaderSlot));
        if (!retire->readers) {
            return TRN_RESULT_NO_MEMORY;
        }
        memset(retire->readers, 0, bytes);
        for (uint32_t i = 0; i < reader_max; i++) {
            retire->readers[i].now = &retire->epoch;
        }
    }
    retire->reader_max = reader_max;
    return TRN_RESULT_OK;
}

/// Frees the objects retired before an epoch, oldest first.
static void retire_free_before(TrnRetire *retire, uint64_t epoch)
{
    while (retire->count > 0) {
        TrnRetired oldest = retire->ring[retire->first];
        if (oldest.epoch >= epoch) {
            return;
        }
        retire->first = (retire->first + 1) & (retire->capacity - 1);
        retire->count--;
        retire->bytes -= oldest.bytes;
        oldest.free(oldest.object, retire->context);
    }
}

/// Frees the objects that were retired by link before an epoch, oldest first. Takes each off the
/// list before it calls the owner's free(), which may retire more.
static void retire_free_links_before(TrnRetire *retire, uint64_t epoch)
{
    while (retire->link_first && retire->link_first->epoch < epoch) {
        TrnRetireLink *oldest = retire->link_first;
        retire->link_first = oldest->next;
        oldest->owner->free(oldest, oldest->owner->context);
    }
}

void trn_retire_close(TrnRetire *retire)
{
    retire_free_before(retire, UINT64_MAX);
    retire_free_links_before(retire, UINT64_MAX);
    trn_give(&retire->allocator, retire->ring, retire->capacity * sizeof(TrnRetired));
    trn_give(&retire->allocator, retire->readers, retire->reader_max * sizeof(TrnReaderSlot));
}

TrnResult trn_retire_reserve(TrnRetire *retire, size_t count)
{
    if (retire->count + count <= retire->capacity) {
        return TRN_RESULT_OK;
    }
    size_t capacity = retire->capacity ? retire->capacity : RETIRE_CAPACITY_FIRST;
    while (capacity < retire->count + count) {
        capacity *= 2;
    }
    TrnRetired *ring =
        trn_take(&retire->allocator, capacity * sizeof(TrnRetired), alignof(TrnRetired));
    if (!ring) {
        return TRN_RESULT_NO_MEMORY;
    }
    for (size_t i = 0; i < retire->count; i++) {
        ring[i] = retire->ring[(retire->first + i) & (retire->capacity - 1)];
    }
    trn_give(&retire->allocator, retire->ring, retire->capacity * sizeof(TrnRetired));
    retire->ring = ring;
    retire->capacity = capacity;
    retire->first = 0;
    return TRN_RESULT_OK;
}

/// Increments the epoch. Returns the epoch of the object being retired.
static uint64_t retire_count_epoch(TrnRetire *retire)
{
    // Sequentially consistent, as are the two operations by which a reader enters. Either the
    // reader's entry comes first, and retire_least_epoch sees it; or this increment comes first,
    // and the reader sees everything that was unlinked before it.
    return atomic_fetch_add_explicit(&retire->epoch, 1, memory_order_seq_cst);
}

void trn_retire(TrnRetire *retire, void *object, TrnRetireFree free, size_t bytes)
{
    uint64_t epoch = retire_count_epoch(retire);
    size_t last = (retire->first + retire->count) & (retire->capacity - 1);
    retire->ring[last] = (TrnRetired){object, free, epoch, bytes};
    retire->count++;
    retire->bytes += bytes;
    trn_retire_reclaim(retire);
}

void trn_retire_links(TrnRetire *retire, TrnRetireList *list)
{
    if (!list->first) {
        return;
    }
    const uint64_t epoch = retire_count_epoch(retire);
    for (TrnRetireLink *link = list->first; link; link = link->next) {
        link->epoch = epoch;
    }
    *(retire->link_first ? &retire->link_last->next : &retire->link_first) = list->first;
    retire->link_last = list->last;
    *list = (TrnRetireList){0};
    trn_retire_reclaim(retire);
}

void trn_retire_link(TrnRetire *retire, const TrnRetireOwner *owner, TrnRetireLink *link)
{
    TrnRetireList list = {0};
    trn_retire_list_add(&list, owner, link);
    trn_retire_links(retire, &list);
}

/// Returns the lowest epoch of a reader in a section, UINT64_MAX if no reader is in one.
static uint64_t retire_least_epoch(const TrnRetire *retire, const TrnReaderSlot **reader)
{
    uint64_t least = UINT64_MAX;
    *reader = NULL;
    for (uint32_t i = 0; i < retire->reader_max; i++) {
        uint64_t epoch = atomic_load_explicit(&retire->readers[i].epoch, memory_order_seq_cst);
        if (epoch != 0 && epoch < least) {
            least = epoch;
            *reader = &retire->readers[i];
        }
    }
    return least;
}

const TrnReaderSlot *trn_retire_slowest(const TrnRetire *retire)
{
    const TrnReaderSlot *reader;
    uint64_t least = retire_least_epoch(retire, &reader);
    // A reader that entered after the oldest object was retired keeps nothing.
    bool keeps = retire->count && retire->ring[retire->first].epoch >= least;
    keeps |= retire->link_first && retire->link_first->epoch >= least;
    return keeps ? reader : NULL;
}

void trn_retire_reclaim(TrnRetire *retire)
{
    const TrnReaderSlot *reader;
    if (retire->count || retire->link_first) {
        uint64_t least = retire_least_epoch(retire, &reader);
        retire_free_before(retire, least);
        retire_free_links_before(retire, least);
    }
}

size_t trn_retire_own_bytes(const TrnRetire *retire)
{
    return retire->capacity * sizeof(TrnRetired) + retire->reader_max * sizeof(TrnReaderSlot);
}
