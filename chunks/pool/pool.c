// The pool: allocates, frees and retires slots, checks their ids, walks them, and decides how many
// empty blocks to keep.

#include "pool_internal.h"

#include "pool_blocks_internal.h"

#include <string.h>

#define POOL_BLOCK_BYTES ((size_t)256 * 1024)
#define POOL_BLOCK_SLOTS_MAX (1u << 20)

// Keeps rare paths out of alloc and free, which otherwise save the registers that these need in
// every call: 0.4 ns a pair.
#if defined(__GNUC__)
#define POOL_RARE __attribute__((noinline, cold))
#define POOL_APART __attribute__((noinline))
#else
#define POOL_RARE
#define POOL_APART
#endif

TrnPoolDef trn_pool_def(size_t slot_bytes)
{
    TrnPoolDef def = {.slot_bytes = slot_bytes, .slot_alignment = 16};
    return def;
}

static bool pool_def_is_valid(const TrnPoolDef *def)
{
    size_t alignment = def->slot_alignment;
    return def->slot_bytes >= 1 && def->slot_bytes <= (size_t)1 << 30 && alignment >= 8 &&
           alignment <= 4096 && (alignment & (alignment - 1)) == 0 &&
           def->block_slots <= POOL_BLOCK_SLOTS_MAX && def->slot_max <= TRN_POOL_SLOTS_MAX &&
           def->reserve_slots <= TRN_POOL_SLOTS_MAX;
}

/// Returns log2 of the block size: the requested one, rounded up to a power of two.
static uint32_t pool_block_shift(uint32_t block_slots, size_t slot_bytes)
{
    size_t wanted = block_slots ? block_slots : POOL_BLOCK_BYTES / slot_bytes;
    uint32_t shift = 0;
    while ((size_t)1 << shift < wanted) {
        shift++;
    }
    return shift;
}

static void pool_init(TrnPool *pool, const TrnPoolDef *def)
{
    memset(pool, 0, sizeof *pool);
    pool->allocator = trn_allocator_or_default(def->allocator);
    pool->slot_alignment = def->slot_alignment;
    pool->slot_bytes = (def->slot_bytes + def->slot_alignment - 1) & ~(def->slot_alignment - 1);
    pool->block_shift = pool_block_shift(def->block_slots, pool->slot_bytes);
    if (def->reserve_slots) {
        trn_pool_range_reserve(pool, def->reserve_slots);
    }
    pool->slot_max = def->slot_max ? def->slot_max : TRN_POOL_SLOTS_MAX;
    pool->def_slot_max = def->slot_max;
    pool->destroy = def->destroy;
    pool->user = def->user;
    pool->kernels = trn_kernels_named(&trn_pool_kernels, NULL);
    pool->slot_mask = (1u << pool->block_shift) - 1;
    pool->ring = (TrnPoolBlock){.next = &pool->ring, .previous = &pool->ring};
    pool->ring.taken = 1u << pool->block_shift;
    pool->hot = &pool->ring;
    pool->resting = (TrnPoolBlock){.next = &pool->resting, .previous = &pool->resting};
    pool->run_max = pool->run_part = 1;
    while (trn_pool_block_bytes(pool) >> pool->map.granule_shift > 1) {
        pool->map.granule_shift++;
    }
}

TrnResult trn_pool_create(const TrnPoolDef *def, TrnPool **pool)
{
    if (!def || !pool || !pool_def_is_valid(def)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnAllocator allocator = trn_allocator_or_default(def->allocator);
    TrnPool *made = trn_take(&allocator, sizeof *made, alignof(TrnPool));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    pool_init(made, def);
    *pool = made;
    return TRN_RESULT_OK;
}

void trn_pool_destroy(TrnPool *pool)
{
    if (!pool) {
        return;
    }
    TrnPoolId id;
    for (uint32_t cursor = 0; pool->destroy && trn_pool_next(pool, &cursor, &id);) {
        if (trn_pool_free(pool, id) !=
            TRN_RESULT_OK) { // retired: its id had the odd generation before
            (void)trn_pool_reuse(pool, (TrnPoolId){id.index1, id.generation - 1});
        }
    }
    trn_pool_blocks_free(pool);
    TrnAllocator allocator = pool->allocator;
    trn_give(&allocator, pool, sizeof *pool);
}

// ---- blocks with free slots --------------------------------------------------------------------
//
// Slots are allocated from the hot block: the one to which a slot was last freed. The ring is
// updated only when another block becomes hot, or when the hot block is full. So no branch tests
// whether a block is full, which is unpredictable when slots are freed in random order. Measured at
// 256 bytes with frees in random order over 4,000 slots, ns for a pair of free and alloc in turn /
// for 2,000 of each in a row:
// - this: 7.5 / 7.5.
// - A free list through each block's slots instead of the bits: 7.3 / 8.9; it touches free slots
//   and loses the order of addresses.
// - One free list through all blocks: 6.6 / 10.3; empty blocks cannot be removed from it.
// - Blocks that enter and leave the ring as they fill and empty: 10.5 / 7.0.

static bool pool_is_full(const TrnPool *pool, const TrnPoolBlock *block)
{
    return block->taken >> pool->block_shift;
}

static void pool_list(TrnPool *pool, TrnPoolBlock *block)
{
    block->is_listed = true;
    block->previous = &pool->ring;
    block->next = pool->ring.next;
    block->next->previous = block;
    pool->ring.next = block;
}

static void pool_unlist(TrnPoolBlock *block)
{
    block->is_listed = false;
    block->previous->next = block->next;
    block->next->previous = block->previous;
}

/// Makes another block hot. Lists the previous one if it has a free slot and is not listed. One
/// branch tests both, because each test alone is mispredicted more often.
static void pool_make_hot(TrnPool *pool, TrnPoolBlock *block)
{
    TrnPoolBlock *cooled = pool->hot;
    uint32_t is_full = cooled->taken >> pool->block_shift;
    if ((is_full | cooled->is_listed) == 0) {
        pool_list(pool, cooled);
    }
    pool->hot = block;
}

/// Keeps an empty block, if the budget allows. The first one costs no budget. Returns whether it is
/// kept.
static bool pool_push_spare(TrnPool *pool, TrnPoolBlock *block)
{
    if (pool->spare) {
        if (!pool->spare_budget || *pool->spare_budget < trn_pool_block_bytes(pool)) {
            return false;
        }
        *pool->spare_budget -= trn_pool_block_bytes(pool);
    }
    block->next = pool->spare;
    pool->spare = block;
    return true;
}

/// Takes an empty block that was kept, or returns NULL.
static TrnPoolBlock *pool_pop_spare(TrnPool *pool)
{
    TrnPoolBlock *block = pool->spare;
    if (block) {
        pool->spare = block->next;
    }
    if (pool->spare) { // the block taken was not the first, so it had cost budget
        *pool->spare_budget += trn_pool_block_bytes(pool);
    }
    return block;
}

/// Returns the first block of the ring with a free slot, or NULL.
static TrnPoolBlock *pool_first_listed(TrnPool *pool)
{
    while (pool->ring.next != &pool->ring && pool_is_full(pool, pool->ring.next)) {
        pool_unlist(pool->ring.next);
    }
    return pool->ring.next != &pool->ring ? pool->ring.next : NULL;
}

/// Takes a new block, whose slots are handed out next. Asks for all its pages in the range at once,
/// which takes less than a page fault for each.
static TrnResult pool_take_hot(TrnPool *pool, TrnPoolBlock **block)
{
    const size_t bytes = trn_pool_block_bytes(pool);
    const TrnResult result = trn_pool_block_take(pool, block);
    if (result == TRN_RESULT_OK && (*block)->first < pool->range_slots) {
        trn_memory_populate((*block)->slots, bytes < POOL_BLOCK_BYTES ? bytes : POOL_BLOCK_BYTES);
    }
    return result;
}

/// Replaces a full hot block by one of the ring, an empty one that was kept, or a new one.
POOL_RARE static TrnResult pool_replace_hot(TrnPool *pool)
{
    TrnPoolBlock *block = pool_first_listed(pool);
    block = block ? block : pool_pop_spare(pool);
    TrnResult result = block ? TRN_RESULT_OK : pool_take_hot(pool, &block);
    if (result == TRN_RESULT_OK) {
        pool->hot = block;
    }
    return result;
}

/// Keeps or frees a block that became empty. A kept block is used only when all others are full, so
/// that alternating alloc and free at a block's border does not call the allocator.
POOL_RARE static void pool_empty_block(TrnPool *pool, TrnPoolBlock *block)
{
    if (block->is_listed) {
        pool_unlist(block);
    }
    pool->hot = &pool->ring;
    if (!pool_push_spare(pool, block)) {
        trn_pool_block_give(pool, block);
    }
}

// ---- slots -------------------------------------------------------------------------------------
//
// One freed slot waits in `ready` for the next alloc. Until then its block counts it as taken, so
// that freeing and allocating in turn touch nothing of it but the slot's generation. `ready` is
// only tested, which branch prediction hides. A stack of such slots made each call wait for the
// count that the call before had stored: 10 ns a pair instead of 7.

/// Takes the lowest free slot of a block that has one. Does not branch on whether words are full,
/// which is unpredictable.
static uint32_t pool_take_bit(TrnPoolBlock *block)
{
    uint16_t at = block->low_free;
    while (!block->free_words[at]) {
        at++;
    }
    block->low_free = at;
    uint32_t place = (uint32_t)__builtin_ctzll(block->free_words[at]), word = at * 64 + place;
    uint64_t bits = block->bits[word], next = bits | (bits + 1);
    block->bits[word] = next;
    block->free_words[at] &= ~((uint64_t)(next == UINT64_MAX) << place);
    return word * 64 + (uint32_t)__builtin_ctzll(~bits);
}

/// Gives a slot back to its block.
static void pool_give_back(TrnPool *pool, TrnPoolBlock *block, uint32_t within)
{
    const uint32_t word = within / 64;
    const uint16_t at = (uint16_t)(word / 64);
    pool_make_hot(pool, block);
    block->bits[word] &= ~((uint64_t)1 << (within % 64));
    block->free_words[at] |= (uint64_t)1 << (word % 64);
    block->low_free = at < block->low_free ? at : block->low_free;
    pool->taken--;
    if (--block->taken == 0) {
        pool_empty_block(pool, block);
    }
}

/// Writes a generation. Only the writer does, so it needs no locked instruction.
static void pool_set_generation(TrnPoolGeneration *generation, uint32_t to)
{
    atomic_store_explicit(generation, to, memory_order_release);
}

// Ids are read and written as one word: gcc otherwise packs their halves in a vector register,
// which takes longer than all else that alloc does.

static uint64_t pool_pack(TrnPoolId id)
{
    return id.index1 | (uint64_t)id.generation << 32;
}

static void pool_put_id(TrnPoolId *id, uint64_t packed)
{
    memcpy(id, &packed, sizeof packed);
}

/// Allocates a slot from a block, if `ready` has none.
POOL_APART static TrnResult pool_alloc_in_block(TrnPool *pool, TrnPoolId *id, void **slot)
{
    if (pool->taken >= pool->slot_max) {
        return TRN_RESULT_FULL;
    }
    if (pool_is_full(pool, pool->hot)) {
        TrnResult result = pool_replace_hot(pool);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    TrnPoolBlock *block = pool->hot;
    const uint32_t within = pool_take_bit(block);
    block->taken++;
    pool->taken++;
    TrnPoolGeneration *at = &trn_pool_generations(block)[within];
    const uint32_t generation = atomic_load_explicit(at, memory_order_relaxed) + 1;
    pool_set_generation(at, generation);
    if (id) {
        pool_put_id(id, pool_pack((TrnPoolId){block->first + within + 1, generation}));
    }
    *slot = block->slots + within * pool->slot_bytes;
    return TRN_RESULT_OK;
}

TrnResult trn_pool_alloc(TrnPool *pool, TrnPoolId *id, void **slot)
{
    const uint64_t next_id = pool->ready.next_id;
    if (!next_id) {
        return pool_alloc_in_block(pool, id, slot);
    }
    pool->ready.next_id = 0;
    pool_set_generation(pool->ready.generation, (uint32_t)(next_id >> 32));
    if (id) {
        pool_put_id(id, next_id);
    }
    *slot = pool->ready.slot;
    return TRN_RESULT_OK;
}

/// Returns whether an id names a taken slot. Generations are odd while a slot is taken, so an
/// invalid even one never matches.
static bool pool_generation_is_live(const TrnPoolGeneration *generation, TrnPoolId id)
{
    return (id.generation & 1) &&
           atomic_load_explicit(generation, memory_order_acquire) == id.generation;
}

/// Returns the block of a slot index, or NULL. The null id's index wraps past every block.
static TrnPoolBlock *pool_block_of(const TrnPool *pool, uint32_t index)
{
    uint32_t block = index >> pool->block_shift;
    return block < trn_pool_block_count(pool) ? trn_pool_block(pool, block) : NULL;
}

/// As pool_free_slot(), if `ready` is in use or the slot is its block's last one. No block is kept
/// for `ready` alone.
POOL_APART static TrnResult pool_free_in_block(TrnPool *pool, TrnPoolBlock *block, uint32_t within)
{
    pool_give_back(pool, block, within);
    const uint32_t ready = trn_pool_ready_index1(pool) - 1 - block->first;
    if (block->taken == 1 && ready <= pool->slot_mask) {
        pool->ready.next_id = 0;
        pool_give_back(pool, block, ready);
    }
    return TRN_RESULT_OK;
}

/// Frees a slot whose id, `packed`, is stale already.
static inline TrnResult pool_free_slot(TrnPool *pool, TrnPoolBlock *block, uint64_t packed)
{
    const uint32_t within = ((uint32_t)packed - 1) & pool->slot_mask;
    if (pool->ready.next_id || block->taken == 1) {
        return pool_free_in_block(pool, block, within);
    }
    pool->ready.generation = &trn_pool_generations(block)[within];
    pool->ready.slot = block->slots + within * pool->slot_bytes;
    pool->ready.next_id = packed + ((uint64_t)2 << 32);
    return TRN_RESULT_OK;
}

/// As pool_free_slot(), with the destroy hook.
POOL_APART static TrnResult pool_destroy_slot(TrnPool *pool, TrnPoolBlock *block, uint64_t packed)
{
    pool->destroy(block->slots + (((uint32_t)packed - 1) & pool->slot_mask) * pool->slot_bytes,
                  pool->user);
    return pool_free_slot(pool, block, packed);
}

TrnResult trn_pool_free(TrnPool *pool, TrnPoolId id)
{
    const uint32_t index = id.index1 - 1, at = index >> pool->block_shift;
    if (at >= trn_pool_block_count(pool)) {
        return TRN_RESULT_STALE_ID;
    }
    TrnPoolBlock *block = trn_pool_block(pool, at);
    TrnPoolGeneration *generation = &trn_pool_generations(block)[index & pool->slot_mask];
    if (!pool_generation_is_live(generation, id)) {
        return TRN_RESULT_STALE_ID;
    }
    pool_set_generation(generation, id.generation + 1);
    return pool->destroy ? pool_destroy_slot(pool, block, pool_pack(id))
                         : pool_free_slot(pool, block, pool_pack(id));
}

TrnResult trn_pool_retire(TrnPool *pool, TrnPoolId id)
{
    TrnPoolBlock *block = pool_block_of(pool, id.index1 - 1);
    uint32_t within = (id.index1 - 1) & pool->slot_mask;
    if (!block || !pool_generation_is_live(&trn_pool_generations(block)[within], id)) {
        return TRN_RESULT_STALE_ID;
    }
    pool_set_generation(&trn_pool_generations(block)[within], id.generation + 1);
    return TRN_RESULT_OK;
}

/// Returns whether a slot is retired and this was its id: it is taken, and its generation is the
/// even one after the id's.
static bool pool_is_retired(const TrnPool *pool, const TrnPoolBlock *block, TrnPoolId id)
{
    const uint32_t within = (id.index1 - 1) & pool->slot_mask;
    const uint32_t now =
        atomic_load_explicit(&trn_pool_generations(block)[within], memory_order_relaxed);
    return (id.generation & 1) && now == id.generation + 1 &&
           id.index1 != trn_pool_ready_index1(pool) &&
           (block->bits[within / 64] >> (within % 64) & 1);
}

TrnResult trn_pool_reuse(TrnPool *pool, TrnPoolId id)
{
    TrnPoolBlock *block = pool_block_of(pool, id.index1 - 1);
    if (!block || !pool_is_retired(pool, block, id)) {
        return TRN_RESULT_STALE_ID;
    }
    return pool->destroy ? pool_destroy_slot(pool, block, pool_pack(id))
                         : pool_free_slot(pool, block, pool_pack(id));
}

void trn_pool_prefetch_block(const TrnPool *pool, uint32_t slot)
{
    __builtin_prefetch(pool_block_of(pool, slot), 1);
}

void trn_pool_prefetch(const TrnPool *pool, uint32_t slot)
{
    const TrnPoolBlock *block = pool_block_of(pool, slot);
    const uint32_t within = slot & pool->slot_mask;
    if (block && block->slots) {
        __builtin_prefetch(&trn_pool_generations(block)[within], 1);
        __builtin_prefetch(&block->bits[within / 64], 1);
        __builtin_prefetch(block->slots + within * pool->slot_bytes, 1);
    }
}

void trn_pool_prefetch_free(const TrnPool *pool, uint32_t count)
{
    const TrnPoolBlock *block = pool_is_full(pool, pool->hot) ? pool->ring.next : pool->hot;
    const uint32_t words = ((1u << pool->block_shift) + 63) / 64;
    if (pool_is_full(pool, block)) {
        return;
    }
    for (uint32_t word = block->low_free * 64; word < words && count; word++) {
        for (uint64_t bits = ~block->bits[word]; bits && count; bits &= bits - 1, count--) {
            const uint32_t within = word * 64 + (uint32_t)__builtin_ctzll(bits);
            __builtin_prefetch(&trn_pool_generations(block)[within], 1);
            __builtin_prefetch(block->slots + within * pool->slot_bytes, 1);
        }
    }
}

/// Free slots of all blocks that slots can be allocated from, empty ones included.
static uint64_t pool_ready_slots(const TrnPool *pool)
{
    const uint64_t blocks = pool->live_blocks - pool->resting_blocks;
    return (blocks << pool->block_shift) - pool->taken + (pool->ready.next_id != 0);
}

bool trn_pool_prepare(TrnPool *pool, uint32_t least, TrnPoolFresh *fresh)
{
    TrnPoolBlock *block;
    if (pool->spare || pool_ready_slots(pool) >= least ||
        trn_pool_block_take(pool, &block) != TRN_RESULT_OK) {
        return false;
    }
    (void)pool_push_spare(pool, block); // the first one is always kept
    *fresh = (TrnPoolFresh){block->slots, trn_pool_block_bytes(pool)};
    return true;
}

size_t trn_pool_slot_bytes(const TrnPool *pool)
{
    return pool->slot_bytes;
}

void *trn_pool_get(const TrnPool *pool, TrnPoolId id)
{
    const uint32_t index = id.index1 - 1, at = index >> pool->block_shift;
    if (at >= trn_pool_block_count(pool)) {
        return NULL;
    }
    const TrnPoolGeneration *generations = trn_pool_generations(trn_pool_block(pool, at));
    if (!pool_generation_is_live(&generations[index & pool->slot_mask], id)) {
        return NULL;
    }
    return trn_pool_slot_inline(pool, index);
}

/// Returns the id of a slot, or the null id. @param generation  of the slot; NULL for no such slot
static TrnPoolId pool_id_unless_free(uint32_t index, const TrnPoolGeneration *generation)
{
    uint32_t now = generation ? atomic_load_explicit(generation, memory_order_acquire) : 0;
    uint32_t if_taken = 0 - (now & 1);
    return (TrnPoolId){(index + 1) & if_taken, now & if_taken};
}

TrnPoolId trn_pool_id(const TrnPool *pool, const void *slot)
{
    const TrnPoolBlock *block = trn_pool_block_at(pool, slot);
    if (!block || !block->slots) {
        return (TrnPoolId){0, 0};
    }
    size_t offset = (uintptr_t)slot - (uintptr_t)block->slots;
    size_t within = offset / pool->slot_bytes;
    bool is_start = within * pool->slot_bytes == offset;
    return pool_id_unless_free(block->first + (uint32_t)within,
                               is_start ? &trn_pool_generations(block)[within] : NULL);
}

// ---- many slots --------------------------------------------------------------------------------

void *trn_pool_slot(const TrnPool *pool, uint32_t slot)
{
    return trn_pool_slot_inline(pool, slot);
}

void trn_pool_pointers(const TrnPool *pool, const uint32_t *slots, size_t count, void **out)
{
    if (trn_pool_block_count(pool) <= pool->range_blocks) {
        pool->kernels->range_pointers(pool->range_start, pool->slot_bytes, slots, count, out);
    } else {
        pool->kernels->table_pointers(trn_pool_bases(pool), pool->block_shift, pool->slot_bytes,
                                      slots, count, out);
    }
}

void trn_pool_ids(const TrnPool *pool, const uint32_t *slots, size_t count, TrnPoolId *out)
{
    uint32_t mask = pool->slot_mask, blocks = trn_pool_block_count(pool);
    uint32_t current = UINT32_MAX;
    const TrnPoolGeneration *generations = NULL;
    for (size_t i = 0; i < count; i++) {
        uint32_t block = slots[i] >> pool->block_shift;
        if (block != current) {
            generations = block < blocks ? trn_pool_generations(trn_pool_block(pool, block)) : NULL;
            current = block;
        }
        out[i] = pool_id_unless_free(slots[i], generations ? &generations[slots[i] & mask] : NULL);
    }
}

// ---- walk --------------------------------------------------------------------------------------

/// Returns the bits of a word that stand for taken slots: neither those beyond a small block, nor
/// `ready`.
static uint64_t pool_taken_bits(const TrnPool *pool, const TrnPoolBlock *block, uint32_t word)
{
    const uint64_t bits = block->bits[word] & trn_pool_word_mask(pool);
    const uint32_t ready = trn_pool_ready_index1(pool) - 1 - block->first;
    return ready / 64 == word ? bits & ~((uint64_t)1 << (ready % 64)) : bits;
}

/// Moves the cursor to the first word, at or after it, that has a taken slot.
/// @param word  receives the occupancy bits from the cursor on; bit 0 is the cursor's
/// @return the word's block; NULL at the end, where the cursor stays
static const TrnPoolBlock *pool_seek(const TrnPool *pool, uint32_t *cursor, uint64_t *word)
{
    uint32_t mask = pool->slot_mask, index = *cursor;
    for (const TrnPoolBlock *block; (block = pool_block_of(pool, index));) {
        for (uint32_t within = index & mask; block->taken && within <= mask;
             within = (within | 63) + 1) {
            *word = pool_taken_bits(pool, block, within / 64) >> (within % 64);
            if (*word) {
                *cursor = block->first + within;
                return block;
            }
        }
        index = (index | mask) + 1;
    }
    *cursor = index;
    return NULL;
}

void *trn_pool_next(const TrnPool *pool, uint32_t *cursor, TrnPoolId *id)
{
    uint64_t word;
    const TrnPoolBlock *block = pool_seek(pool, cursor, &word);
    if (!block) {
        return NULL;
    }
    uint32_t index = *cursor + (uint32_t)__builtin_ctzll(word);
    uint32_t within = index - block->first;
    *cursor = index + 1;
    if (id) {
        *id = (TrnPoolId){index + 1, atomic_load_explicit(&trn_pool_generations(block)[within],
                                                          memory_order_relaxed)};
    }
    return block->slots + within * pool->slot_bytes;
}

/// Writes the addresses of the slots of a word's bits. @return how many
static size_t pool_gather_word(unsigned char *first, size_t slot_bytes, uint64_t word, void **out)
{
    size_t count = 0;
    for (; word; word &= word - 1) {
        out[count++] = first + (size_t)__builtin_ctzll(word) * slot_bytes;
    }
    return count;
}

/// As pool_gather_word(), for a sparse block: prefetches the slots, since the processor cannot tell
/// which come next.
static size_t pool_gather_sparse(unsigned char *first, size_t slot_bytes, uint64_t word, void **out)
{
    size_t count = 0;
    for (; word; word &= word - 1) {
        unsigned char *slot = first + (size_t)__builtin_ctzll(word) * slot_bytes;
        __builtin_prefetch(slot);
        out[count++] = slot;
    }
    return count;
}

/// Gathers the slots of whole words of a block, from the one of slot `within` on, as long as 64
/// more fit. @return the slot after them
static uint32_t pool_gather_words(const TrnPool *pool, const TrnPoolBlock *block, uint32_t within,
                                  void **out, size_t capacity, size_t *count)
{
    const bool is_sparse = block->taken <= pool->slot_mask / 2;
    for (; within <= pool->slot_mask && capacity - *count >= 64; within = (within | 63) + 1) {
        const uint64_t word = pool_taken_bits(pool, block, within / 64) >> (within % 64);
        unsigned char *first = block->slots + within * pool->slot_bytes;
        *count += is_sparse ? pool_gather_sparse(first, pool->slot_bytes, word, out + *count)
                            : pool_gather_word(first, pool->slot_bytes, word, out + *count);
    }
    return within;
}

size_t trn_pool_gather(const TrnPool *pool, uint32_t *cursor, void **out, size_t capacity)
{
    size_t count = 0;
    uint64_t word;
    for (const TrnPoolBlock *block; count < capacity && (block = pool_seek(pool, cursor, &word));) {
        uint32_t within = *cursor - block->first;
        if (capacity - count >= 64) {
            within = pool_gather_words(pool, block, within, out, capacity, &count);
            *cursor = block->first + (within <= pool->slot_mask ? within : pool->slot_mask + 1);
            continue;
        }
        unsigned char *slot = block->slots + within * pool->slot_bytes;
        for (; word && count < capacity; word &= word - 1) {
            out[count++] = slot + (uint32_t)__builtin_ctzll(word) * pool->slot_bytes;
        }
        // After the word, or at the first slot that did not fit.
        *cursor = word ? *cursor + (uint32_t)__builtin_ctzll(word)
                       : block->first + ((within | (pool->slot_mask & 63)) + 1);
    }
    return count;
}

void trn_pool_trim(TrnPool *pool)
{
    for (TrnPoolBlock *block; (block = pool_pop_spare(pool));) {
        trn_pool_block_give(pool, block);
    }
}

void trn_pool_share_spare(TrnPool *pool, size_t *budget)
{
    pool->spare_budget = budget;
}

void trn_pool_count_blocks(TrnPool *pool, size_t *bytes)
{
    TRN_ASSERT(!pool->live_blocks);
    pool->counted_bytes = bytes;
}

void trn_pool_allow_runs(TrnPool *pool, uint32_t blocks, uint32_t part)
{
    TRN_ASSERT(!pool->live_blocks && blocks >= 1 && blocks <= TRN_POOL_RUN_MAX && part >= 1);
    pool->run_max = blocks;
    pool->run_part = part;
}

void trn_pool_count_commits(TrnPool *pool, const TrnPoolCommits *commits)
{
    TRN_ASSERT(!pool->live_blocks);
    pool->commits = *commits;
}

TrnPoolStats trn_pool_stats(const TrnPool *pool)
{
    TrnPoolStats stats = {
        .taken = pool->taken - (pool->ready.next_id != 0),
        .slot_max = pool->def_slot_max,
        .blocks = pool->live_blocks,
        .block_slots = 1u << pool->block_shift,
        .slot_bytes = pool->slot_bytes,
        .bytes = sizeof *pool + pool->table_bytes + pool->outside_bytes + pool->committed_bytes,
        .reserved_bytes = pool->range.bytes,
    };
    return stats;
}
