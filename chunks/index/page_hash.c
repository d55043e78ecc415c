// Finds outlier pages: small tables of groups of seven, chosen by the highest bits of the hash.

#include "page_hash.h"

#include <string.h>

#include "base/hash.h"

#define GROUP_SLOTS TRN_PAGE_GROUP_SLOTS

/// A table with this many groups (as a power of two) splits when it is full.
#define TABLE_SIZE_MAX 6

/// All bits of overflow of a group.
#define GROUP_OVERFLOWS (UINT64_C(0xFF) << 56)

/// Tables split only while there are this many pages for each: otherwise pages whose hashes share
/// many bits, chosen by someone who knows the key, would split tables without end.
#define TABLE_PAGES_MIN 32

/// Tables merge when both have so few pages together.
#define TABLE_PAGES_MERGE 96

/// What the writer knows of the page in a slot. With its hash, a table is copied without reading
/// its pages, which are mostly not cached.
typedef struct PageNote {
    uint64_t hash;
    TrnPagePlaces places;
} PageNote;

typedef struct PageTable {
    TrnPageBlock block;
    uint32_t used;
    uint32_t limit; ///< pages at which it is rebuilt
    uint8_t size;   ///< log2 of the groups
    uint8_t depth;  ///< how many of the hash's highest bits choose it
    TrnPageGroups parts[];
    // PageNote notes[groups * TRN_PAGE_GROUP_SLOTS] follow the last group.
} PageTable;
static_assert(offsetof(PageTable, parts) == TRN_PAGE_TABLE_HEADER, "readers skip the header");

static const TrnRetireOwner page_hash_owner = {trn_page_block_reclaim, NULL};

static uint64_t page_hash_of(const TrnPageHash *hash, int32_t x, int32_t y, int32_t z)
{
    return trn_coord_hash64((TrnCoord){x, y, z}, hash->key);
}

static uint64_t page_hash_of_page(const TrnPageHash *hash, const TrnPage *page)
{
    const TrnCoord coord = trn_page_coord_of(page);
    return page_hash_of(hash, coord.x, coord.y, coord.z);
}

// ---- groups ------------------------------------------------------------------------------------

/// Returns the highest bit of the byte of each vacant slot, and perhaps bytes above it.
static uint64_t group_vacant(uint64_t tags)
{
    return (tags - UINT64_C(0x0101010101010101)) & ~tags & UINT64_C(0x0080808080808080);
}

/// The part of a table that has a group, and the group's number in it.
static TrnPageGroups *page_table_part(const PageTable *table, uint32_t *group)
{
    TrnPageGroups *part = (TrnPageGroups *)table->parts + *group / TRN_PAGE_TABLE_GROUPS;
    *group %= TRN_PAGE_TABLE_GROUPS;
    return part;
}

static _Atomic(uint64_t) *page_table_tags(const PageTable *table, uint32_t group)
{
    TrnPageGroups *part = page_table_part(table, &group);
    return &part->tags[group];
}

static _Atomic(TrnPage *) *page_table_page(const PageTable *table, uint32_t group, uint32_t slot)
{
    TrnPageGroups *part = page_table_part(table, &group);
    return &part->pages[group].slots[slot];
}

static PageNote *page_table_note(const PageTable *table, uint32_t group, uint32_t slot)
{
    uint32_t last = (1u << table->size) - 1;
    TrnPageGroups *part = page_table_part(table, &last);
    return (PageNote *)(void *)(part->pages + last + 1) + (size_t)group * GROUP_SLOTS + slot;
}

/// Finds a page in a table, or returns NULL. @param group, slot  receive where it is
/// @param probes  receives the number of groups read
static TrnPage *page_table_find(const PageTable *table, uint64_t hash, TrnCoord coord,
                                uint32_t *group, uint32_t *slot, uint32_t *probes)
{
    const uint64_t tag = trn_page_group_tag(hash), overflow = trn_page_group_overflow(hash);
    const uint32_t mask = (1u << table->size) - 1;
    uint32_t at = trn_page_group_first(hash, mask);
    for (uint32_t probe = 1;; probe++) {
        const uint64_t tags =
            atomic_load_explicit(page_table_tags(table, at), memory_order_acquire);
        *probes = probe;
        for (uint64_t match = trn_page_group_match(tags, tag); match; match &= match - 1) {
            // Acquire: the slot may have been vacated and reused since the tags were read.
            TrnPage *page = atomic_load_explicit(
                page_table_page(table, at, trn_page_group_slot(match)), memory_order_acquire);
            if (page && trn_coord_equal(trn_page_coord_of(page), coord)) {
                *group = at;
                *slot = trn_page_group_slot(match);
                return page;
            }
        }
        if (!(tags & overflow) || probe > mask) {
            return NULL;
        }
        at = (at + probe) & mask; // triangular numbers visit every group once
    }
}

// ---- tables ------------------------------------------------------------------------------------

static PageTable *page_table_of(uintptr_t word)
{
    return (PageTable *)(word & ~(uintptr_t)(TRN_CACHE_LINE - 1));
}

static uintptr_t page_table_word(const PageTable *table)
{
    const uint32_t size = table->size < TABLE_SIZE_MAX ? table->size : TABLE_SIZE_MAX;
    return (uintptr_t)table | ((1u << size) - 1);
}

static uint32_t page_top_at(const TrnPageTop *top, uint64_t hash)
{
    return (uint32_t)(hash >> 1 >> top->shift);
}

/// Returns how many pages a table of a size takes before it is rebuilt: 13 in 16 slots.
static uint32_t page_table_limit(uint32_t size)
{
    const uint32_t slots = (uint32_t)GROUP_SLOTS << size;
    return size == 0 ? slots : slots / 16 * 13 + slots % 16 * 13 / 16;
}

/// Returns the size of a new table that leaves a quarter of its limit for more pages.
static uint32_t page_table_size_for(uint32_t pages)
{
    uint32_t size = 0;
    while (pages > page_table_limit(size) / 4 * 3 + 1) {
        size++;
    }
    return size;
}

static PageTable *page_table_create(TrnPageHash *hash, uint32_t pages, uint32_t depth)
{
    PageTable *table;
    const uint32_t size = page_table_size_for(pages);
    const size_t groups = (size_t)1 << size;
    const size_t parts = (groups + TRN_PAGE_TABLE_GROUPS - 1) / TRN_PAGE_TABLE_GROUPS;
    const size_t bytes = sizeof(PageTable) + parts * sizeof table->parts->tags +
                         groups * (sizeof *table->parts->pages + GROUP_SLOTS * sizeof(PageNote));
    table = size == TABLE_SIZE_MAX ? trn_page_block_take_pooled(hash->memory, bytes)
                                   : trn_page_block_take(hash->memory, bytes);
    if (table) {
        table->used = 0;
        table->limit = page_table_limit(size);
        table->size = (uint8_t)size;
        table->depth = (uint8_t)depth;
        for (size_t part = 0; part < parts; part++) {
            memset((void *)table->parts[part].tags, 0, sizeof table->parts->tags);
        }
        for (uint32_t group = 0; parts > 1 && group < TRN_PAGE_TABLE_GROUPS; group++) {
            atomic_init(&table->parts->tags[group], GROUP_OVERFLOWS);
        }
    }
    return table;
}

/// Adds a page to a table with a vacant slot.
static void page_table_add(PageTable *table, uint64_t hash, TrnPage *page, TrnPagePlaces places)
{
    const uint32_t mask = (1u << table->size) - 1;
    uint32_t at = trn_page_group_first(hash, mask);
    for (uint32_t probe = 1;; probe++) {
        const uint64_t tags =
            atomic_load_explicit(page_table_tags(table, at), memory_order_relaxed);
        const uint64_t vacant = group_vacant(tags);
        if (vacant) {
            const uint32_t slot = trn_page_group_slot(vacant);
            *page_table_note(table, at, slot) = (PageNote){hash, places};
            atomic_store_explicit(page_table_page(table, at, slot), page, memory_order_release);
            atomic_store_explicit(page_table_tags(table, at),
                                  tags | trn_page_group_tag(hash) << (slot * 8),
                                  memory_order_release);
            table->used++;
            return;
        }
        atomic_store_explicit(page_table_tags(table, at), tags | trn_page_group_overflow(hash),
                              memory_order_release);
        TRN_ASSERT(probe <= mask);
        at = (at + probe) & mask;
    }
}

/// Copies the pages of a table to others: to `to[1]` if bit `bit` of their hash is set, otherwise
/// to `to[0]`.
static void page_table_copy(const PageTable *from, PageTable *const to[2], uint32_t bit)
{
    for (uint32_t at = 0; at < 1u << from->size; at++) {
        const uint64_t tags = atomic_load_explicit(page_table_tags(from, at), memory_order_relaxed);
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            if (tags >> (slot * 8) & 0xFF) {
                const PageNote *note = page_table_note(from, at, slot);
                TrnPage *page =
                    atomic_load_explicit(page_table_page(from, at, slot), memory_order_relaxed);
                page_table_add(to[note->hash >> bit & 1], note->hash, page, note->places);
            }
        }
    }
}

/// Counts the pages of a table whose hash has a bit set.
static uint32_t page_table_count(const PageTable *table, uint32_t bit)
{
    uint32_t count = 0;
    for (uint32_t at = 0; at < 1u << table->size; at++) {
        const uint64_t tags =
            atomic_load_explicit(page_table_tags(table, at), memory_order_relaxed);
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            const bool is_used = tags >> (slot * 8) & 0xFF;
            count += is_used && (page_table_note(table, at, slot)->hash >> bit & 1);
        }
    }
    return count;
}

// ---- the array of tables -----------------------------------------------------------------------

static TrnPageTop *page_hash_top(const TrnPageHash *hash)
{
    return atomic_load_explicit(&hash->top, memory_order_acquire);
}

static PageTable *page_hash_table(const TrnPageHash *hash, uint64_t value)
{
    return page_table_of(trn_page_top_word(page_hash_top(hash), value));
}

static TrnPageTop *page_top_create(TrnPageHash *hash, uint32_t depth)
{
    TrnPageTop *top = trn_page_block_take(
        hash->memory, sizeof(TrnPageTop) + ((size_t)1 << depth) * sizeof(_Atomic(uintptr_t)));
    if (top) {
        top->depth = depth;
        top->shift = 63 - depth;
    }
    return top;
}

/// Returns a copy of the array of tables with another depth, or NULL without memory. When it is
/// smaller, no table has the present depth.
static TrnPageTop *page_top_copy(TrnPageHash *hash, uint32_t depth)
{
    const TrnPageTop *from = page_hash_top(hash);
    TrnPageTop *to = page_top_create(hash, depth);
    for (size_t i = 0; to && i < (size_t)1 << depth; i++) {
        const size_t at = depth > from->depth ? i >> 1 : i << 1;
        atomic_init(&to->tables[i], atomic_load_explicit(&from->tables[at], memory_order_relaxed));
    }
    return to;
}

static void page_hash_set_top(TrnPageHash *hash, TrnPageTop *top)
{
    TrnPageTop *old = page_hash_top(hash);
    atomic_store_explicit(&hash->top, top, memory_order_release);
    if (old) {
        trn_page_block_retire(&old->block, &page_hash_owner);
    }
}

/// Makes an array of tables choose a table for the hashes that begin as `value` does.
static void page_top_set(TrnPageTop *top, uint64_t value, const PageTable *table)
{
    const uint32_t span = 1u << (top->depth - table->depth);
    const uint32_t first = page_top_at(top, value) & ~(span - 1);
    for (uint32_t i = 0; i < span; i++) {
        atomic_store_explicit(&top->tables[first + i], page_table_word(table),
                              memory_order_release);
    }
}

static void page_hash_retire_table(TrnPageHash *hash, PageTable *table)
{
    hash->depth_counts[table->depth]--;
    trn_page_block_retire(&table->block, &page_hash_owner);
}

// ---- growth ------------------------------------------------------------------------------------

static TrnResult page_hash_start(TrnPageHash *hash)
{
    PageTable *table = page_table_create(hash, 1, 0);
    TrnPageTop *top = table ? page_top_create(hash, 0) : NULL;
    if (!top) {
        trn_page_block_give(table ? &table->block : NULL);
        return TRN_RESULT_NO_MEMORY;
    }
    hash->depth_counts[0]++;
    atomic_init(&top->tables[0], page_table_word(table));
    page_hash_set_top(hash, top);
    return TRN_RESULT_OK;
}

/// Copies a table to one with capacity for a number of pages.
static TrnResult page_hash_resize(TrnPageHash *hash, uint64_t value, uint32_t pages)
{
    PageTable *old = page_hash_table(hash, value);
    PageTable *made = page_table_create(hash, pages, old->depth);
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    page_table_copy(old, (PageTable *const[2]){made, made}, 0);
    page_top_set(page_hash_top(hash), value, made);
    hash->depth_counts[made->depth]++;
    page_hash_retire_table(hash, old);
    return TRN_RESULT_OK;
}

/// Splits a table by the next bit of the hash.
static TrnResult page_hash_split(TrnPageHash *hash, uint64_t value)
{
    PageTable *old = page_hash_table(hash, value);
    TrnPageTop *present = page_hash_top(hash), *top = present;
    const uint32_t depth = old->depth + 1u, bit = 64 - depth;
    if (depth > present->depth) {
        top = page_top_copy(hash, depth);
    }
    const uint32_t ones = page_table_count(old, bit);
    PageTable *low = top ? page_table_create(hash, old->used - ones + 1, depth) : NULL;
    PageTable *high = low ? page_table_create(hash, ones + 1, depth) : NULL;
    if (!high) {
        trn_page_block_give(low ? &low->block : NULL);
        trn_page_block_give(top && top != present ? &top->block : NULL);
        return TRN_RESULT_NO_MEMORY;
    }
    page_table_copy(old, (PageTable *const[2]){low, high}, bit);
    page_top_set(top, value & ~(UINT64_C(1) << bit), low);
    page_top_set(top, value | UINT64_C(1) << bit, high);
    hash->depth_counts[depth] += 2;
    if (top != present) {
        page_hash_set_top(hash, top);
    }
    page_hash_retire_table(hash, old);
    return TRN_RESULT_OK;
}

/// Makes capacity for one more page in the table of a hash.
static TrnResult page_hash_grow(TrnPageHash *hash, uint64_t value)
{
    const PageTable *table = page_hash_table(hash, value);
    if (table->used < table->limit) {
        return TRN_RESULT_OK;
    }
    const bool may_split = table->depth < 31 && hash->count >> table->depth >= TABLE_PAGES_MIN;
    if (may_split && page_table_size_for(table->used + 1) > TABLE_SIZE_MAX) {
        return page_hash_split(hash, value);
    }
    return page_hash_resize(hash, value, table->used + 1);
}

// ---- shrinking ---------------------------------------------------------------------------------

/// Halves the array of tables while no table needs all of its bits.
static void page_hash_shrink_top(TrnPageHash *hash)
{
    const uint32_t depth = page_hash_top(hash)->depth;
    if (depth > 0 && hash->depth_counts[depth] == 0) {
        TrnPageTop *top = page_top_copy(hash, depth - 1);
        if (top) {
            page_hash_set_top(hash, top);
        }
    }
}

/// Merges a table with the other half of what it was split from, if both together are small.
/// Returns whether it did.
static bool page_hash_merge(TrnPageHash *hash, uint64_t value)
{
    PageTable *table = page_hash_table(hash, value);
    const uint32_t bit = 64u - table->depth;
    PageTable *other = page_hash_table(hash, value ^ UINT64_C(1) << bit);
    if (other->depth != table->depth || table->used + other->used > TABLE_PAGES_MERGE) {
        return false;
    }
    PageTable *made = page_table_create(hash, table->used + other->used, table->depth - 1u);
    if (!made) {
        return false;
    }
    page_table_copy(table, (PageTable *const[2]){made, made}, 0);
    page_table_copy(other, (PageTable *const[2]){made, made}, 0);
    page_top_set(page_hash_top(hash), value, made);
    hash->depth_counts[made->depth]++;
    page_hash_retire_table(hash, table);
    page_hash_retire_table(hash, other);
    page_hash_shrink_top(hash);
    return true;
}

/// Makes the table of a hash smaller if few pages are left.
static void page_hash_shrink(TrnPageHash *hash, uint64_t value)
{
    PageTable *table = page_hash_table(hash, value);
    while (table->depth > 0 && table->used <= TABLE_PAGES_MERGE / 2 &&
           page_hash_merge(hash, value)) {
        table = page_hash_table(hash, value);
    }
    if (hash->count == 0 && table->depth == 0) {
        page_hash_set_top(hash, NULL);
        page_hash_retire_table(hash, table);
    } else if (table->size > 0 && table->used * 8 < (uint32_t)GROUP_SLOTS << table->size) {
        (void)page_hash_resize(hash, value, table->used); // stays large without memory
    }
}

// ---- calls -------------------------------------------------------------------------------------

void trn_page_hash_init(TrnPageHash *hash, uint64_t key, TrnPageMemory *memory)
{
    memset(hash, 0, sizeof *hash);
    hash->key = key;
    hash->memory = memory;
}

void trn_page_hash_close(TrnPageHash *hash)
{
    TrnPageTop *top = page_hash_top(hash);
    for (size_t i = 0; top && i < (size_t)1 << top->depth;) {
        PageTable *table = page_table_of(top->tables[i]);
        i += (size_t)1 << (top->depth - table->depth);
        trn_page_block_give(&table->block);
    }
    trn_page_block_give(top ? &top->block : NULL);
}

TrnPage *trn_page_hash_find_further(uintptr_t word, uint64_t value, TrnCoord coord)
{
    uint32_t group, slot, probes;
    return page_table_find(page_table_of(word), value, coord, &group, &slot, &probes);
}

TrnPage *trn_page_hash_find(const TrnPageHash *hash, int32_t x, int32_t y, int32_t z)
{
    return trn_page_hash_find_inline(hash, x, y, z);
}

void trn_page_hash_prefetch(const TrnPageHash *hash, int32_t x, int32_t y, int32_t z)
{
    if (!page_hash_top(hash)) {
        return;
    }
    const uint64_t value = page_hash_of(hash, x, y, z);
    const uintptr_t word = trn_page_top_word(page_hash_top(hash), value);
    const PageTable *table = page_table_of(word);
    const uint32_t mask = word & (TRN_PAGE_TABLE_GROUPS - 1);
    const uint32_t at = trn_page_group_first(value, mask);
    const PageNote *notes =
        (const PageNote *)(const void *)(table->parts->pages + mask + 1) + (size_t)at * GROUP_SLOTS;
    __builtin_prefetch(&table->used, 1);
    __builtin_prefetch(&table->parts->tags[at], 1);
    __builtin_prefetch(&table->parts->pages[at], 1);
    __builtin_prefetch(notes, 1);
    __builtin_prefetch(notes + GROUP_SLOTS - 1, 1);
}

/// Where a page is, for the writer.
typedef struct PageSlot {
    PageTable *table; ///< NULL: the hash does not contain it
    uint64_t value;
    uint32_t group, slot;
} PageSlot;

static PageSlot page_hash_slot(const TrnPageHash *hash, TrnCoord coord)
{
    PageSlot at = {.value = page_hash_of(hash, coord.x, coord.y, coord.z)};
    if (page_hash_top(hash)) {
        PageTable *table = page_hash_table(hash, at.value);
        uint32_t probes;
        at.table =
            page_table_find(table, at.value, coord, &at.group, &at.slot, &probes) ? table : NULL;
    }
    return at;
}

TrnPagePlaces *trn_page_hash_places(const TrnPageHash *hash, TrnCoord coord)
{
    const PageSlot at = page_hash_slot(hash, coord);
    return at.table ? &page_table_note(at.table, at.group, at.slot)->places : NULL;
}

TrnResult trn_page_hash_add(TrnPageHash *hash, TrnPage *page, TrnPagePlaces places)
{
    const uint64_t value = page_hash_of_page(hash, page);
    TrnResult result = page_hash_top(hash) ? page_hash_grow(hash, value) : page_hash_start(hash);
    if (result == TRN_RESULT_OK) {
        page_table_add(page_hash_table(hash, value), value, page, places);
        hash->count++;
    }
    return result;
}

/// Removes the page of a slot.
static void page_hash_vacate(TrnPageHash *hash, const PageSlot *at)
{
    _Atomic(uint64_t) *group = page_table_tags(at->table, at->group);
    const uint64_t tags = atomic_load_explicit(group, memory_order_relaxed);
    atomic_store_explicit(group, tags & ~(UINT64_C(0xFF) << (at->slot * 8)), memory_order_release);
    atomic_store_explicit(page_table_page(at->table, at->group, at->slot), NULL,
                          memory_order_release);
    at->table->used--;
    // The bits of overflow stay, so a table with many of them is rebuilt earlier.
    at->table->limit -= (tags & trn_page_group_overflow(at->value)) != 0 && at->table->limit > 1;
    hash->count--;
    page_hash_shrink(hash, at->value);
}

bool trn_page_hash_replace(TrnPageHash *hash, TrnCoord coord, TrnPage *page, TrnPagePlaces *places)
{
    const PageSlot at = page_hash_slot(hash, coord);
    if (!at.table) {
        return false;
    }
    if (places) {
        *places = page_table_note(at.table, at.group, at.slot)->places;
    }
    if (page) {
        atomic_store_explicit(page_table_page(at.table, at.group, at.slot), page,
                              memory_order_release);
    } else {
        page_hash_vacate(hash, &at);
    }
    return true;
}

uint32_t trn_page_hash_probes(const TrnPageHash *hash, TrnCoord coord)
{
    uint32_t probes = 0;
    if (page_hash_top(hash)) {
        const uint64_t value = page_hash_of(hash, coord.x, coord.y, coord.z);
        const PageTable *table = page_hash_table(hash, value);
        uint32_t group, slot;
        (void)page_table_find(table, value, coord, &group, &slot, &probes);
    }
    return probes;
}
