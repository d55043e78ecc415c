// Epoch-based reclamation for readers that never wait.

#include "base/retire.h"

#include <stdalign.h>
#include <string.h>

#include "base/memory.h"

/// How many objects of each kind a call that retires frees at most, in addition to as many as it
/// retires, so that it takes no longer when a slow reader has left.
#define RETIRE_FREED_A_CALL 64

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

// ---- blocks ------------------------------------------------------------------------------------

static TrnResult retire_add_block(TrnRetire *retire)
{
    TrnRetireBlock *block =
        trn_take(&retire->allocator, sizeof(TrnRetireBlock), alignof(TrnRetireBlock));
    if (!block) {
        return TRN_RESULT_NO_MEMORY;
    }
    block->next = NULL;
    if (retire->end) {
        retire->end->next = block;
    } else {
        retire->oldest = retire->newest = block;
    }
    retire->end = block;
    retire->block_count++;
    retire->vacant += TRN_RETIRE_BLOCK_OBJECTS;
    return TRN_RESULT_OK;
}

static void retire_push(TrnRetire *retire, TrnRetired retired)
{
    if (retire->fill == TRN_RETIRE_BLOCK_OBJECTS) {
        retire->newest = retire->newest->next;
        retire->fill = 0;
    }
    retire->newest->objects[retire->fill++] = retired;
    retire->vacant--;
    retire->count++;
    retire->bytes += retired.bytes;
}

/// Makes the oldest block, whose objects are all freed, the last vacant one, or frees it if there
/// is another vacant one.
static void retire_recycle_block(TrnRetire *retire)
{
    TrnRetireBlock *block = retire->oldest;
    retire->first = 0;
    if (block == retire->newest) { // no object is left
        retire->vacant += retire->fill;
        retire->fill = 0;
        return;
    }
    retire->oldest = block->next;
    block->next = NULL;
    if (retire->vacant >= TRN_RETIRE_BLOCK_OBJECTS) {
        trn_give(&retire->allocator, block, sizeof *block);
        retire->block_count--;
        return;
    }
    retire->end->next = block;
    retire->end = block;
    retire->vacant += TRN_RETIRE_BLOCK_OBJECTS;
}

static TrnRetired retire_pop(TrnRetire *retire)
{
    const TrnRetired retired = retire->oldest->objects[retire->first++];
    retire->count--;
    retire->bytes -= retired.bytes;
    if (retire->count == 0 || retire->first == TRN_RETIRE_BLOCK_OBJECTS) {
        retire_recycle_block(retire);
    }
    return retired;
}

static const TrnRetired *retire_oldest(const TrnRetire *retire)
{
    return &retire->oldest->objects[retire->first];
}

// ---- freeing -----------------------------------------------------------------------------------

/// Frees at most `most` of the objects retired before an epoch, oldest first.
static void retire_free_before(TrnRetire *retire, uint64_t epoch, size_t most)
{
    for (; most > 0 && retire->count > 0 && retire_oldest(retire)->epoch < epoch; most--) {
        const TrnRetired oldest = retire_pop(retire);
        oldest.free(oldest.object, retire->context);
    }
}

/// Frees at most `most` of the objects that were retired by link before an epoch, oldest first.
/// Takes each off the list before it calls the owner's free(), which may retire more.
static void retire_free_links_before(TrnRetire *retire, uint64_t epoch, size_t most)
{
    for (; most > 0 && retire->link_first && retire->link_first->epoch < epoch; most--) {
        TrnRetireLink *oldest = retire->link_first;
        retire->link_first = oldest->next;
        oldest->owner->free(oldest, oldest->owner->context);
    }
}

void trn_retire_close(TrnRetire *retire)
{
    retire_free_before(retire, UINT64_MAX, SIZE_MAX);
    retire_free_links_before(retire, UINT64_MAX, SIZE_MAX);
    for (TrnRetireBlock *block = retire->oldest, *next; block; block = next) {
        next = block->next;
        trn_give(&retire->allocator, block, sizeof *block);
    }
    trn_give(&retire->allocator, retire->readers, retire->reader_max * sizeof(TrnReaderSlot));
}

TrnResult trn_retire_reserve(TrnRetire *retire, size_t count)
{
    while (retire->vacant < count) {
        if (retire_add_block(retire) != TRN_RESULT_OK) {
            return TRN_RESULT_NO_MEMORY;
        }
    }
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

static void retire_reclaim(TrnRetire *retire, size_t most)
{
    const TrnReaderSlot *reader;
    if (retire->count || retire->link_first) {
        uint64_t least = retire_least_epoch(retire, &reader);
        retire_free_before(retire, least, most);
        retire_free_links_before(retire, least, most);
    }
}

void trn_retire(TrnRetire *retire, void *object, TrnRetireFree free, size_t bytes)
{
    retire_push(retire, (TrnRetired){object, free, retire_count_epoch(retire), bytes});
    retire_reclaim(retire, RETIRE_FREED_A_CALL);
}

void trn_retire_links(TrnRetire *retire, TrnRetireList *list)
{
    if (!list->first) {
        return;
    }
    const uint64_t epoch = retire_count_epoch(retire);
    size_t count = 0;
    for (TrnRetireLink *link = list->first; link; link = link->next) {
        link->epoch = epoch;
        count++;
    }
    *(retire->link_first ? &retire->link_last->next : &retire->link_first) = list->first;
    retire->link_last = list->last;
    *list = (TrnRetireList){0};
    retire_reclaim(retire, count + RETIRE_FREED_A_CALL);
}

void trn_retire_link(TrnRetire *retire, const TrnRetireOwner *owner, TrnRetireLink *link)
{
    TrnRetireList list = {0};
    trn_retire_list_add(&list, owner, link);
    trn_retire_links(retire, &list);
}

void trn_retire_reclaim(TrnRetire *retire)
{
    retire_reclaim(retire, SIZE_MAX);
}

size_t trn_retire_own_bytes(const TrnRetire *retire)
{
    return retire->block_count * sizeof(TrnRetireBlock) +
           retire->reader_max * sizeof(TrnReaderSlot);
}

// ---- readers -----------------------------------------------------------------------------------

#define RETIRE_NAME_WORDS (TRN_RETIRE_NAME_BYTES / sizeof(uint32_t))

static void retire_set_name(TrnReaderSlot *slot, const char *name)
{
    char text[TRN_RETIRE_NAME_BYTES] = {0};
    uint32_t words[RETIRE_NAME_WORDS];
    strncpy(text, name && *name ? name : "reader", sizeof text - 1);
    memcpy(words, text, sizeof words);
    for (size_t i = 0; i < RETIRE_NAME_WORDS; i++) {
        // Release: who reads a word of this name also reads the tenancy that it belongs to.
        atomic_store_explicit(&slot->name[i], words[i], memory_order_release);
    }
}

/// Copies the name of the reader that is in a section in a slot.
/// @return whether it still was when the name had been copied; otherwise `name` is unchanged
static bool retire_copy_name(const TrnReaderSlot *slot, char name[TRN_RETIRE_NAME_BYTES])
{
    uint32_t words[RETIRE_NAME_WORDS];
    const uint32_t tenancy = atomic_load_explicit(&slot->tenancy, memory_order_acquire);
    // A reader in a section has written its name before.
    bool is_whole = atomic_load_explicit(&slot->epoch, memory_order_seq_cst) != 0;
    for (size_t i = 0; i < RETIRE_NAME_WORDS; i++) {
        words[i] = atomic_load_explicit(&slot->name[i], memory_order_acquire);
    }
    is_whole &= tenancy == atomic_load_explicit(&slot->tenancy, memory_order_relaxed);
    if (is_whole) {
        memcpy(name, words, sizeof words);
    }
    return is_whole;
}

/// Takes a slot for a reader, unless another one has it.
static bool retire_take_slot(TrnReaderSlot *slot)
{
    uint32_t tenancy = atomic_load_explicit(&slot->tenancy, memory_order_relaxed);
    while (tenancy % 2 == 0) {
        if (atomic_compare_exchange_weak(&slot->tenancy, &tenancy, tenancy + 1)) {
            return true;
        }
    }
    return false;
}

TrnReaderSlot *trn_retire_reader_take(TrnRetire *retire, const char *name)
{
    for (uint32_t i = 0; i < retire->reader_max; i++) {
        if (retire_take_slot(&retire->readers[i])) {
            retire_set_name(&retire->readers[i], name);
            return &retire->readers[i];
        }
    }
    return NULL;
}

bool trn_retire_slowest(const TrnRetire *retire, char name[TRN_RETIRE_NAME_BYTES])
{
    const TrnReaderSlot *reader;
    const uint64_t least = retire_least_epoch(retire, &reader);
    // A reader that entered after the oldest object was retired keeps nothing.
    bool keeps = retire->count && retire_oldest(retire)->epoch >= least;
    keeps |= retire->link_first && retire->link_first->epoch >= least;
    return keeps && reader && (!name || retire_copy_name(reader, name));
}
