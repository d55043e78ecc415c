// Blocks of chunks in the order of their last uses; trn_store_touch() uses chunks.

#include "store/store_uses.h"

#include <stdalign.h>
#include <string.h>

#include "base/array.h"

#define USES_BLOCK 256u
#define USES_WORDS (USES_BLOCK / 64)
#define USES_GROUP 16u ///< blocks that are allocated together
#define USES_SLACK 8u  ///< a block is compared with the adjacent ones each time it has lost so many
#define USES_AHEAD 12u ///< how many chunks ahead headers are prefetched
#define USES_NO_PLACE UINT32_MAX
#define USES_BLOCKS_MAX (USES_NO_PLACE / USES_BLOCK)

/// Blocks without places that head the circular lists.
typedef enum UsesRing {
    USES_ORDER,  ///< least recently used first
    USES_PASSED, ///< passed by
    USES_FREE,
    USES_RINGS
} UsesRing;

/// The record of a block. Chunks are at places from..to - 1, where `bits` has a bit.
typedef struct UsesBlock {
    _Alignas(TRN_CACHE_LINE) uint64_t bits[USES_WORDS];
    uint32_t next, previous;
    uint16_t from, to;
    uint16_t live; ///< chunks
    bool is_free;
} UsesBlock;

typedef struct UsesGroup {
    UsesBlock blocks[USES_GROUP];
    uint32_t slots[USES_GROUP][USES_BLOCK]; ///< of headers
} UsesGroup;

TRN_ARRAY_DECLARE(UsesGroups, UsesGroup *);

struct TrnStoreUses {
    TrnAllocator allocator;
    TrnPool *headers;
    UsesGroups groups;
    uint32_t count; ///< blocks, those of the rings included
};

static inline UsesBlock *uses_block(const TrnStoreUses *uses, uint32_t block)
{
    return &uses->groups.items[block / USES_GROUP]->blocks[block % USES_GROUP];
}

static inline uint32_t *uses_slots(const TrnStoreUses *uses, uint32_t block)
{
    return uses->groups.items[block / USES_GROUP]->slots[block % USES_GROUP];
}

static inline TrnChunk *uses_chunk(const TrnStoreUses *uses, uint32_t slot)
{
    return trn_pool_slot(uses->headers, slot);
}

static void uses_set_bit(UsesBlock *block, uint32_t at)
{
    block->bits[at / 64] |= (uint64_t)1 << (at % 64);
}

// ---- lists of blocks ---------------------------------------------------------------------------

static void uses_unlink(const TrnStoreUses *uses, uint32_t block)
{
    const UsesBlock *record = uses_block(uses, block);
    uses_block(uses, record->previous)->next = record->next;
    uses_block(uses, record->next)->previous = record->previous;
}

static void uses_link_after(const TrnStoreUses *uses, uint32_t before, uint32_t block)
{
    UsesBlock *record = uses_block(uses, block);
    record->previous = before;
    record->next = uses_block(uses, before)->next;
    uses_block(uses, record->next)->previous = block;
    uses_block(uses, before)->next = block;
}

static void uses_free(const TrnStoreUses *uses, uint32_t block)
{
    uses_block(uses, block)->is_free = true;
    uses_link_after(uses, USES_FREE, block);
}

/// Takes a free block, which is reserved, as the one after `before`.
/// @param at  its first chunk gets this place or the one before it
static void uses_open(const TrnStoreUses *uses, uint32_t before, uint16_t at)
{
    const uint32_t block = uses_block(uses, USES_FREE)->next;
    TRN_ASSERT(block >= USES_RINGS);
    UsesBlock *record = uses_block(uses, block);
    uses_unlink(uses, block);
    *record = (UsesBlock){.from = at, .to = at};
    uses_link_after(uses, before, block);
}

// ---- merge -------------------------------------------------------------------------------------

/// Copies the slots of a block's chunks, in order. @return how many
static uint32_t uses_collect(const TrnStoreUses *uses, uint32_t block, uint32_t *slots)
{
    const UsesBlock *record = uses_block(uses, block);
    const uint32_t *from = uses_slots(uses, block);
    uint32_t count = 0;
    for (uint32_t word = 0; word < USES_WORDS; word++) {
        for (uint64_t bits = record->bits[word]; bits; bits &= bits - 1) {
            slots[count++] = from[word * 64 + (uint32_t)__builtin_ctzll(bits)];
        }
    }
    return count;
}

/// Fills a block with chunks from its first place on.
static void uses_fill(const TrnStoreUses *uses, uint32_t block, const uint32_t *slots,
                      uint32_t count)
{
    UsesBlock *record = uses_block(uses, block);
    memcpy(uses_slots(uses, block), slots, count * sizeof *slots);
    memset(record->bits, 0, sizeof record->bits);
    record->from = 0;
    record->to = record->live = (uint16_t)count;
    for (uint32_t i = 0; i < count; i++) {
        if (i + USES_AHEAD < count) {
            __builtin_prefetch(trn_chunk_marks(uses_chunk(uses, slots[i + USES_AHEAD])), 1);
        }
        trn_chunk_marks(uses_chunk(uses, slots[i]))->use = block * USES_BLOCK + i;
        uses_set_bit(record, i);
    }
}

/// Merges two adjacent blocks if their chunks fit in one and neither is the first or last of its
/// list, where chunks come and go. @return whether it did
static bool uses_merge(const TrnStoreUses *uses, uint32_t first, uint32_t second)
{
    if (first < USES_RINGS || second < USES_RINGS) {
        return false;
    }
    const UsesBlock *one = uses_block(uses, first), *other = uses_block(uses, second);
    if ((uint32_t)one->live + other->live > USES_BLOCK || one->previous < USES_RINGS ||
        other->next < USES_RINGS) {
        return false;
    }
    uint32_t slots[USES_BLOCK];
    uint32_t count = uses_collect(uses, first, slots);
    count += uses_collect(uses, second, slots + count);
    uses_fill(uses, first, slots, count);
    uses_unlink(uses, second);
    uses_free(uses, second);
    return true;
}

// ---- places ------------------------------------------------------------------------------------

static void uses_leave(const TrnStoreUses *uses, const TrnChunk *chunk)
{
    const uint32_t place = trn_chunk_marks_of(chunk)->use, block = place / USES_BLOCK;
    UsesBlock *record = uses_block(uses, block);
    record->bits[place % USES_BLOCK / 64] &= ~((uint64_t)1 << (place % 64));
    record->live--;
    if (record->live % USES_SLACK != 0) {
        return;
    }
    if (record->live == 0) {
        uses_unlink(uses, block);
        uses_free(uses, block);
    } else if (!uses_merge(uses, record->previous, block)) {
        (void)uses_merge(uses, block, record->next);
    }
}

/// Makes places at the end of a list. @return its last block
static uint32_t uses_extend(const TrnStoreUses *uses, UsesRing ring)
{
    const uint32_t last = uses_block(uses, ring)->previous;
    if (last >= USES_RINGS && uses_block(uses, last)->live <= USES_BLOCK / 2) {
        uint32_t slots[USES_BLOCK];
        uses_fill(uses, last, slots, uses_collect(uses, last, slots));
        return last;
    }
    uses_open(uses, last, 0);
    if (last >= USES_RINGS) {
        (void)uses_merge(uses, uses_block(uses, last)->previous, last);
    }
    return uses_block(uses, ring)->previous;
}

static void uses_append(const TrnStoreUses *uses, UsesRing ring, TrnChunk *chunk)
{
    uint32_t last = uses_block(uses, ring)->previous;
    if (last < USES_RINGS || uses_block(uses, last)->to == USES_BLOCK) {
        last = uses_extend(uses, ring);
    }
    UsesBlock *record = uses_block(uses, last);
    const uint32_t at = record->to++;
    uses_slots(uses, last)[at] = chunk->id.index1 - 1;
    uses_set_bit(record, at);
    record->live++;
    trn_chunk_marks(chunk)->use = last * USES_BLOCK + at;
}

void trn_uses_add(TrnStore *store, TrnChunk *chunk)
{
    uses_append(store->uses, USES_ORDER, chunk);
}

static inline void uses_move(const TrnStoreUses *uses, TrnChunk *chunk)
{
    const uint32_t place = trn_chunk_marks_of(chunk)->use;
    if (place != USES_NO_PLACE) {
        const uint32_t last = uses_block(uses, USES_ORDER)->previous;
        if (place + 1 == last * USES_BLOCK + uses_block(uses, last)->to) {
            return; // it is the last one already
        }
        uses_leave(uses, chunk);
    }
    uses_append(uses, USES_ORDER, chunk);
}

void trn_uses_change(TrnStore *store, TrnChunk *chunk)
{
    if (trn_chunk_marks_of(chunk)->touched == store->touches) {
        uses_move(store->uses, chunk);
    }
}

void trn_store_touch(TrnStore *store, TrnChunk *const *chunks, size_t count)
{
    store->touches += store->touches < UINT32_MAX; // wrapping would make old marks look new
    for (size_t i = 0; i < count; i++) {
        if (i + USES_AHEAD < count) {
            __builtin_prefetch(trn_chunk_marks(chunks[i + USES_AHEAD]), 1);
        }
        trn_chunk_marks(chunks[i])->touched = store->touches;
        uses_move(store->uses, chunks[i]);
    }
}

// ---- eviction ----------------------------------------------------------------------------------

static TrnChunk *uses_first(const TrnStoreUses *uses, UsesRing ring)
{
    const uint32_t block = uses_block(uses, ring)->next;
    if (block < USES_RINGS) {
        return NULL;
    }
    const UsesBlock *record = uses_block(uses, block);
    uint32_t word = 0;
    while (!record->bits[word]) {
        word++;
    }
    const uint32_t at = word * 64 + (uint32_t)__builtin_ctzll(record->bits[word]);
    return uses_chunk(uses, uses_slots(uses, block)[at]);
}

TrnChunk *trn_uses_first(TrnStore *store)
{
    TrnChunk *chunk;
    while ((chunk = uses_first(store->uses, USES_ORDER)) && trn_chunk_is_busy(chunk)) {
        uses_leave(store->uses, chunk);
        trn_chunk_marks(chunk)->use = USES_NO_PLACE;
    }
    return chunk;
}

void trn_uses_return(TrnStore *store, TrnChunk *chunk)
{
    const TrnStoreUses *uses = store->uses;
    if (trn_chunk_marks_of(chunk)->use != USES_NO_PLACE || trn_chunk_is_busy(chunk)) {
        return;
    }
    uint32_t first = uses_block(uses, USES_ORDER)->next;
    if (first < USES_RINGS || uses_block(uses, first)->from == 0) {
        uses_open(uses, USES_ORDER, USES_BLOCK);
        (void)uses_merge(uses, first, uses_block(uses, first)->next);
        first = uses_block(uses, USES_ORDER)->next;
    }
    UsesBlock *record = uses_block(uses, first);
    const uint32_t at = --record->from;
    uses_slots(uses, first)[at] = chunk->id.index1 - 1;
    uses_set_bit(record, at);
    record->live++;
    trn_chunk_marks(chunk)->use = first * USES_BLOCK + at;
}

void trn_uses_pass(TrnStore *store, TrnChunk *chunk)
{
    uses_leave(store->uses, chunk);
    uses_append(store->uses, USES_PASSED, chunk);
}

void trn_uses_end_pass(TrnStore *store)
{
    const TrnStoreUses *uses = store->uses;
    UsesBlock *order = uses_block(uses, USES_ORDER), *passed = uses_block(uses, USES_PASSED);
    const uint32_t first = passed->next, last = passed->previous, old = order->next;
    if (first < USES_RINGS) {
        return;
    }
    passed->next = passed->previous = USES_PASSED;
    uses_block(uses, first)->previous = USES_ORDER;
    uses_block(uses, last)->next = old;
    uses_block(uses, old)->previous = last;
    order->next = first;
    uint32_t at = uses_block(uses, last)->previous;
    for (int pair = 0; pair < 3; pair++) { // these have become neighbours, or not the first or last
        at = uses_merge(uses, at, uses_block(uses, at)->next) ? at : uses_block(uses, at)->next;
    }
}

// ---- memory ------------------------------------------------------------------------------------

/// The most blocks that a number of chunks can need: the first, the last and a free one of each
/// list, and two for each pair in between, which has more chunks than fit in one but for the slack.
static uint64_t uses_blocks_for(uint64_t chunks)
{
    return USES_RINGS + 6 + 2 * (chunks / (USES_BLOCK - 2 * USES_SLACK) + 1);
}

static TrnResult uses_add_group(TrnStoreUses *uses)
{
    if (uses->count > USES_BLOCKS_MAX - USES_GROUP ||
        trn_array_reserve(&uses->groups, &uses->allocator, // NOLINT(bugprone-sizeof-expression)
                          (size_t)uses->groups.count + 1) != TRN_RESULT_OK) {
        return TRN_RESULT_NO_MEMORY;
    }
    UsesGroup *group = trn_take(&uses->allocator, sizeof *group, alignof(UsesGroup));
    if (!group) {
        return TRN_RESULT_NO_MEMORY;
    }
    uses->groups.items[uses->groups.count++] = group;
    return TRN_RESULT_OK;
}

/// Adds the blocks that are left of the last group, or a group.
static TrnResult uses_grow(TrnStoreUses *uses)
{
    if (uses->count % USES_GROUP == 0 && uses_add_group(uses) != TRN_RESULT_OK) {
        return TRN_RESULT_NO_MEMORY;
    }
    do {
        const uint32_t block = uses->count++;
        if (block < USES_RINGS) {
            *uses_block(uses, block) = (UsesBlock){.next = block, .previous = block};
        } else {
            uses_free(uses, block);
        }
    } while (uses->count % USES_GROUP != 0);
    return TRN_RESULT_OK;
}

/// Frees the last block, after moving its chunks to another that is free.
static void uses_drop_last(TrnStoreUses *uses)
{
    const uint32_t block = uses->count - 1;
    if (!uses_block(uses, block)->is_free) {
        uint32_t slots[USES_BLOCK];
        const uint32_t count = uses_collect(uses, block, slots);
        uses_open(uses, block, 0);
        uses_fill(uses, uses_block(uses, block)->next, slots, count);
    }
    uses_unlink(uses, block);
    uses->count--;
    if (uses->count % USES_GROUP == 0) {
        trn_give(&uses->allocator, uses->groups.items[--uses->groups.count], sizeof(UsesGroup));
    }
}

/// Whether the chunks do not need the last block, even if more of them come.
static bool uses_has_spare(const TrnStore *store)
{
    return store->uses->count >
           uses_blocks_for((uint64_t)store->chunks + 1) + (uint64_t)2 * USES_GROUP;
}

TrnResult trn_uses_create(TrnStore *store)
{
    const TrnAllocator allocator = trn_store_allocator(store, TRN_STORE_BOOKKEEPING);
    TrnStoreUses *made = trn_take(&allocator, sizeof *made, alignof(TrnStoreUses));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnStoreUses){.allocator = allocator, .headers = store->headers};
    store->uses = made;
    return uses_grow(made);
}

void trn_uses_destroy(TrnStore *store)
{
    TrnStoreUses *uses = store->uses;
    if (!uses) {
        return;
    }
    const TrnAllocator allocator = uses->allocator;
    for (uint32_t i = 0; i < uses->groups.count; i++) {
        trn_give(&allocator, uses->groups.items[i], sizeof(UsesGroup));
    }
    trn_array_free(&uses->groups, &allocator); // NOLINT(bugprone-sizeof-expression): pointers
    trn_give(&allocator, uses, sizeof *uses);
}

TrnResult trn_uses_reserve(TrnStore *store)
{
    const bool has_blocks = uses_blocks_for((uint64_t)store->chunks + 1) <= store->uses->count;
    return has_blocks ? TRN_RESULT_OK : uses_grow(store->uses);
}

void trn_uses_remove(TrnStore *store, const TrnChunk *chunk)
{
    if (trn_chunk_marks_of(chunk)->use != USES_NO_PLACE) {
        uses_leave(store->uses, chunk);
    }
    if (uses_has_spare(store) && uses_block(store->uses, store->uses->count - 1)->is_free) {
        uses_drop_last(store->uses);
    }
}

void trn_uses_trim(TrnStore *store)
{
    while (uses_has_spare(store)) {
        uses_drop_last(store->uses);
    }
}
