// Finds outlier pages: small tables of groups of seven, chosen by the highest bits of the hash.

#include "map_hash.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/hash.h"

/// A table with this many groups (as a power of two) splits when it is full.
#define MAP_TABLE_SIZE_MAX 6

/// All bits of overflow of a group.
#define MAP_GROUP_OVERFLOWS (UINT64_C(0xFF) << 56)

/// Tables split only while there are this many pages for each: otherwise pages whose hashes share
/// many bits, chosen by someone who knows the key, would split tables without end.
#define MAP_TABLE_PAGES_MIN 32

/// Tables merge when both have so few pages together.
#define MAP_TABLE_PAGES_MERGE 96

/// What the writer knows of the page in a slot. With its hash, a table is copied without reading
/// its pages, which are mostly not cached.
typedef struct MapNote {
    uint64_t hash;
    TrnMapPlaces places;
} MapNote;

typedef struct MapTable {
    TrnMapBlock block;
    uint32_t used;
    uint32_t limit; ///< pages at which it is rebuilt
    uint8_t size;   ///< log2 of the groups
    uint8_t depth;  ///< how many of the hash's highest bits choose it
    TrnMapGroups parts[];
    // MapNote notes[groups * TRN_MAP_GROUP_SLOTS] follow the last group.
} MapTable;
static_assert(offsetof(MapTable, parts) == TRN_MAP_TABLE_HEADER, "readers skip the header");

static const TrnRetireOwner map_hash_owner = {trn_map_block_reclaim, NULL};

static uint64_t map_hash_of(const TrnMapHash *hash, int32_t x, int32_t y, int32_t z)
{
    return trn_coord_hash64((TrnCoord){x, y, z}, hash->key);
}

static uint64_t map_hash_of_page(const TrnMapHash *hash, const TrnPage *page)
{
    const TrnCoord coord = trn_page_coord_of(page);
    return map_hash_of(hash, coord.x, coord.y, coord.z);
}

// ---- groups ------------------------------------------------------------------------------------

/// Returns the highest bit of the byte of each vacant slot, and perhaps bytes above it.
static uint64_t map_group_vacant(uint64_t tags)
{
    return (tags - UINT64_C(0x0101010101010101)) & ~tags & UINT64_C(0x0080808080808080);
}

/// The part of a table that has a group, and the group's number in it.
static TrnMapGroups *map_table_part(const MapTable *table, uint32_t *group)
{
    TrnMapGroups *part = (TrnMapGroups *)table->parts + *group / TRN_MAP_TABLE_GROUPS;
    *group %= TRN_MAP_TABLE_GROUPS;
    return part;
}

static _Atomic(uint64_t) *map_table_tags(const MapTable *table, uint32_t group)
{
    TrnMapGroups *part = map_table_part(table, &group);
    return &part->tags[group];
}

static _Atomic(TrnPage *) *map_table_page(const MapTable *table, uint32_t group, uint32_t slot)
{
    TrnMapGroups *part = map_table_part(table, &group);
    return &part->pages[group].slots[slot];
}

static MapNote *map_table_note(const MapTable *table, uint32_t group, uint32_t slot)
{
    uint32_t last = (1u << table->size) - 1;
    TrnMapGroups *part = map_table_part(table, &last);
    return (MapNote *)(void *)(part->pages + last + 1) + (size_t)group * TRN_MAP_GROUP_SLOTS + slot;
}

/// Finds a page in a table, or returns NULL. @param group, slot  receive where it is
/// @param probes  receives the number of groups read
static TrnPage *map_table_find(const MapTable *table, uint64_t hash, TrnCoord coord,
                               uint32_t *group, uint32_t *slot, uint32_t *probes)
{
    const uint64_t tag = trn_map_group_tag(hash), overflow = trn_map_group_overflow(hash);
    const uint32_t mask = (1u << table->size) - 1;
    uint32_t at = trn_map_group_first(hash, mask);
    for (uint32_t probe = 1;; probe++) {
        const uint64_t tags = atomic_load_explicit(map_table_tags(table, at), memory_order_acquire);
        *probes = probe;
        for (uint64_t match = trn_map_group_match(tags, tag); match; match &= match - 1) {
            // Acquire: the slot may have been vacated and reused since the tags were read.
            TrnPage *page = atomic_load_explicit(
                map_table_page(table, at, trn_map_group_slot(match)), memory_order_acquire);
            if (page && trn_coord_equal(trn_page_coord_of(page), coord)) {
                *group = at;
                *slot = trn_map_group_slot(match);
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

static MapTable *map_table_of(uintptr_t word)
{
    return (MapTable *)(word & ~(uintptr_t)(TRN_CACHE_LINE - 1));
}

static uintptr_t map_table_word(const MapTable *table)
{
    const uint32_t size = table->size < MAP_TABLE_SIZE_MAX ? table->size : MAP_TABLE_SIZE_MAX;
    return (uintptr_t)table | ((1u << size) - 1);
}

static uint32_t map_top_at(const TrnMapTop *top, uint64_t hash)
{
    return (uint32_t)(hash >> 1 >> top->shift);
}

/// Returns how many pages a table of a size takes before it is rebuilt: 13 in 16 slots.
static uint32_t map_table_limit(uint32_t size)
{
    const uint32_t slots = (uint32_t)TRN_MAP_GROUP_SLOTS << size;
    return size == 0 ? slots : slots / 16 * 13 + slots % 16 * 13 / 16;
}

/// Returns the size of a new table that leaves a quarter of its limit for more pages.
static uint32_t map_table_size_for(uint32_t pages)
{
    uint32_t size = 0;
    while (pages > map_table_limit(size) / 4 * 3 + 1) {
        size++;
    }
    return size;
}

static MapTable *map_table_create(TrnMapHash *hash, uint32_t pages, uint32_t depth)
{
    MapTable *table;
    const uint32_t size = map_table_size_for(pages);
    const size_t groups = (size_t)1 << size;
    const size_t parts = (groups + TRN_MAP_TABLE_GROUPS - 1) / TRN_MAP_TABLE_GROUPS;
    const size_t bytes =
        sizeof(MapTable) + parts * sizeof table->parts->tags +
        groups * (sizeof *table->parts->pages + TRN_MAP_GROUP_SLOTS * sizeof(MapNote));
    table = size == MAP_TABLE_SIZE_MAX ? trn_map_block_take_pooled(hash->memory, bytes)
                                       : trn_map_block_take(hash->memory, bytes);
    if (table) {
        table->used = 0;
        table->limit = map_table_limit(size);
        table->size = (uint8_t)size;
        table->depth = (uint8_t)depth;
        for (size_t part = 0; part < parts; part++) {
            memset((void *)table->parts[part].tags, 0, sizeof table->parts->tags);
        }
        for (uint32_t group = 0; parts > 1 && group < TRN_MAP_TABLE_GROUPS; group++) {
            atomic_init(&table->parts->tags[group], MAP_GROUP_OVERFLOWS);
        }
    }
    return table;
}

/// Adds a page to a table with a vacant slot.
static void map_table_add(MapTable *table, uint64_t hash, TrnPage *page, TrnMapPlaces places)
{
    const uint32_t mask = (1u << table->size) - 1;
    uint32_t at = trn_map_group_first(hash, mask);
    for (uint32_t probe = 1;; probe++) {
        const uint64_t tags = atomic_load_explicit(map_table_tags(table, at), memory_order_relaxed);
        const uint64_t vacant = map_group_vacant(tags);
        if (vacant) {
            const uint32_t slot = trn_map_group_slot(vacant);
            *map_table_note(table, at, slot) = (MapNote){hash, places};
            atomic_store_explicit(map_table_page(table, at, slot), page, memory_order_release);
            atomic_store_explicit(map_table_tags(table, at),
                                  tags | trn_map_group_tag(hash) << (slot * 8),
                                  memory_order_release);
            table->used++;
            return;
        }
        atomic_store_explicit(map_table_tags(table, at), tags | trn_map_group_overflow(hash),
                              memory_order_release);
        TRN_ASSERT(probe <= mask);
        at = (at + probe) & mask;
    }
}

/// Copies the pages of a table to others: to `to[1]` if bit `bit` of their hash is set, otherwise
/// to `to[0]`.
static void map_table_copy(const MapTable *from, MapTable *const to[2], uint32_t bit)
{
    for (uint32_t at = 0; at < 1u << from->size; at++) {
        const uint64_t tags = atomic_load_explicit(map_table_tags(from, at), memory_order_relaxed);
        for (uint32_t slot = 0; slot < TRN_MAP_GROUP_SLOTS; slot++) {
            if (tags >> (slot * 8) & 0xFF) {
                const MapNote *note = map_table_note(from, at, slot);
                TrnPage *page =
                    atomic_load_explicit(map_table_page(from, at, slot), memory_order_relaxed);
                map_table_add(to[note->hash >> bit & 1], note->hash, page, note->places);
            }
        }
    }
}

/// Counts the pages of a table whose hash has a bit set.
static uint32_t map_table_count(const MapTable *table, uint32_t bit)
{
    uint32_t count = 0;
    for (uint32_t at = 0; at < 1u << table->size; at++) {
        const uint64_t tags = atomic_load_explicit(map_table_tags(table, at), memory_order_relaxed);
        for (uint32_t slot = 0; slot < TRN_MAP_GROUP_SLOTS; slot++) {
            const bool is_used = tags >> (slot * 8) & 0xFF;
            count += is_used && (map_table_note(table, at, slot)->hash >> bit & 1);
        }
    }
    return count;
}

// ---- the array of tables -----------------------------------------------------------------------

static TrnMapTop *map_hash_top(const TrnMapHash *hash)
{
    return atomic_load_explicit(&hash->top, memory_order_acquire);
}

static MapTable *map_hash_table(const TrnMapHash *hash, uint64_t value)
{
    return map_table_of(trn_map_top_word(map_hash_top(hash), value));
}

static TrnMapTop *map_top_create(TrnMapHash *hash, uint32_t depth)
{
    TrnMapTop *top = trn_map_block_take(
        hash->memory, sizeof(TrnMapTop) + ((size_t)1 << depth) * sizeof(_Atomic(uintptr_t)));
    if (top) {
        top->depth = depth;
        top->shift = 63 - depth;
    }
    return top;
}

/// Returns a copy of the array of tables with another depth, or NULL without memory. When it is
/// smaller, no table has the present depth.
static TrnMapTop *map_top_copy(TrnMapHash *hash, uint32_t depth)
{
    const TrnMapTop *from = map_hash_top(hash);
    TrnMapTop *to = map_top_create(hash, depth);
    for (size_t i = 0; to && i < (size_t)1 << depth; i++) {
        const size_t at = depth > from->depth ? i >> 1 : i << 1;
        atomic_init(&to->tables[i], atomic_load_explicit(&from->tables[at], memory_order_relaxed));
    }
    return to;
}

static void map_hash_set_top(TrnMapHash *hash, TrnMapTop *top)
{
    TrnMapTop *old = map_hash_top(hash);
    atomic_store_explicit(&hash->top, top, memory_order_release);
    if (old) {
        trn_map_block_retire(&old->block, &map_hash_owner);
    }
}

/// Makes an array of tables choose a table for the hashes that begin as `value` does.
static void map_top_set(TrnMapTop *top, uint64_t value, const MapTable *table)
{
    const uint32_t span = 1u << (top->depth - table->depth);
    const uint32_t first = map_top_at(top, value) & ~(span - 1);
    for (uint32_t i = 0; i < span; i++) {
        atomic_store_explicit(&top->tables[first + i], map_table_word(table), memory_order_release);
    }
}

static void map_hash_retire_table(TrnMapHash *hash, MapTable *table)
{
    hash->depth_counts[table->depth]--;
    trn_map_block_retire(&table->block, &map_hash_owner);
}

// ---- growth ------------------------------------------------------------------------------------

static TrnResult map_hash_start(TrnMapHash *hash)
{
    MapTable *table = map_table_create(hash, 1, 0);
    TrnMapTop *top = table ? map_top_create(hash, 0) : NULL;
    if (!top) {
        trn_map_block_give(table ? &table->block : NULL);
        return TRN_RESULT_NO_MEMORY;
    }
    hash->depth_counts[0]++;
    atomic_init(&top->tables[0], map_table_word(table));
    map_hash_set_top(hash, top);
    return TRN_RESULT_OK;
}

/// Copies a table to one with capacity for a number of pages.
static TrnResult map_hash_resize(TrnMapHash *hash, uint64_t value, uint32_t pages)
{
    MapTable *old = map_hash_table(hash, value);
    MapTable *made = map_table_create(hash, pages, old->depth);
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    map_table_copy(old, (MapTable *const[2]){made, made}, 0);
    map_top_set(map_hash_top(hash), value, made);
    hash->depth_counts[made->depth]++;
    map_hash_retire_table(hash, old);
    return TRN_RESULT_OK;
}

/// Splits a table by the next bit of the hash.
static TrnResult map_hash_split(TrnMapHash *hash, uint64_t value)
{
    MapTable *old = map_hash_table(hash, value);
    TrnMapTop *present = map_hash_top(hash), *top = present;
    const uint32_t depth = old->depth + 1u, bit = 64 - depth;
    if (depth > present->depth) {
        top = map_top_copy(hash, depth);
    }
    const uint32_t ones = map_table_count(old, bit);
    MapTable *low = top ? map_table_create(hash, old->used - ones + 1, depth) : NULL;
    MapTable *high = low ? map_table_create(hash, ones + 1, depth) : NULL;
    if (!high) {
        trn_map_block_give(low ? &low->block : NULL);
        trn_map_block_give(top && top != present ? &top->block : NULL);
        return TRN_RESULT_NO_MEMORY;
    }
    map_table_copy(old, (MapTable *const[2]){low, high}, bit);
    map_top_set(top, value & ~(UINT64_C(1) << bit), low);
    map_top_set(top, value | UINT64_C(1) << bit, high);
    hash->depth_counts[depth] += 2;
    if (top != present) {
        map_hash_set_top(hash, top);
    }
    map_hash_retire_table(hash, old);
    return TRN_RESULT_OK;
}

/// Makes capacity for one more page in the table of a hash.
static TrnResult map_hash_grow(TrnMapHash *hash, uint64_t value)
{
    const MapTable *table = map_hash_table(hash, value);
    if (table->used < table->limit) {
        return TRN_RESULT_OK;
    }
    const bool may_split = table->depth < 31 && hash->count >> table->depth >= MAP_TABLE_PAGES_MIN;
    if (may_split && map_table_size_for(table->used + 1) > MAP_TABLE_SIZE_MAX) {
        return map_hash_split(hash, value);
    }
    return map_hash_resize(hash, value, table->used + 1);
}

// ---- shrinking ---------------------------------------------------------------------------------

/// Halves the array of tables while no table needs all of its bits.
static void map_hash_shrink_top(TrnMapHash *hash)
{
    const uint32_t depth = map_hash_top(hash)->depth;
    if (depth > 0 && hash->depth_counts[depth] == 0) {
        TrnMapTop *top = map_top_copy(hash, depth - 1);
        if (top) {
            map_hash_set_top(hash, top);
        }
    }
}

/// Merges a table with the other half of what it was split from, if both together are small.
/// Returns whether it did.
static bool map_hash_merge(TrnMapHash *hash, uint64_t value)
{
    MapTable *table = map_hash_table(hash, value);
    const uint32_t bit = 64u - table->depth;
    MapTable *other = map_hash_table(hash, value ^ UINT64_C(1) << bit);
    if (other->depth != table->depth || table->used + other->used > MAP_TABLE_PAGES_MERGE) {
        return false;
    }
    MapTable *made = map_table_create(hash, table->used + other->used, table->depth - 1u);
    if (!made) {
        return false;
    }
    map_table_copy(table, (MapTable *const[2]){made, made}, 0);
    map_table_copy(other, (MapTable *const[2]){made, made}, 0);
    map_top_set(map_hash_top(hash), value, made);
    hash->depth_counts[made->depth]++;
    map_hash_retire_table(hash, table);
    map_hash_retire_table(hash, other);
    map_hash_shrink_top(hash);
    return true;
}

/// Makes the table of a hash smaller if few pages are left.
static void map_hash_shrink(TrnMapHash *hash, uint64_t value)
{
    MapTable *table = map_hash_table(hash, value);
    while (table->depth > 0 && table->used <= MAP_TABLE_PAGES_MERGE / 2 &&
           map_hash_merge(hash, value)) {
        table = map_hash_table(hash, value);
    }
    if (hash->count == 0 && table->depth == 0) {
        map_hash_set_top(hash, NULL);
        map_hash_retire_table(hash, table);
    } else if (table->size > 0 && table->used * 8 < (uint32_t)TRN_MAP_GROUP_SLOTS << table->size) {
        (void)map_hash_resize(hash, value, table->used); // stays large without memory
    }
}

// ---- calls -------------------------------------------------------------------------------------

void trn_map_hash_init(TrnMapHash *hash, uint64_t key, TrnMapMemory *memory)
{
    memset(hash, 0, sizeof *hash);
    hash->key = key;
    hash->memory = memory;
}

void trn_map_hash_close(TrnMapHash *hash)
{
    TrnMapTop *top = map_hash_top(hash);
    for (size_t i = 0; top && i < (size_t)1 << top->depth;) {
        MapTable *table = map_table_of(top->tables[i]);
        i += (size_t)1 << (top->depth - table->depth);
        trn_map_block_give(&table->block);
    }
    trn_map_block_give(top ? &top->block : NULL);
}

TrnPage *trn_map_hash_find_further(uintptr_t word, uint64_t value, TrnCoord coord)
{
    uint32_t group, slot, probes;
    return map_table_find(map_table_of(word), value, coord, &group, &slot, &probes);
}

TrnPage *trn_map_hash_find(const TrnMapHash *hash, int32_t x, int32_t y, int32_t z)
{
    return trn_map_hash_find_inline(hash, x, y, z);
}

void trn_map_hash_prefetch(const TrnMapHash *hash, int32_t x, int32_t y, int32_t z)
{
    if (!map_hash_top(hash)) {
        return;
    }
    const uint64_t value = map_hash_of(hash, x, y, z);
    const uintptr_t word = trn_map_top_word(map_hash_top(hash), value);
    const MapTable *table = map_table_of(word);
    const uint32_t mask = word & (TRN_MAP_TABLE_GROUPS - 1);
    const uint32_t at = trn_map_group_first(value, mask);
    const MapNote *notes = (const MapNote *)(const void *)(table->parts->pages + mask + 1) +
                           (size_t)at * TRN_MAP_GROUP_SLOTS;
    __builtin_prefetch(&table->used, 1);
    __builtin_prefetch(&table->parts->tags[at], 1);
    __builtin_prefetch(&table->parts->pages[at], 1);
    __builtin_prefetch(notes, 1);
    __builtin_prefetch(notes + TRN_MAP_GROUP_SLOTS - 1, 1);
}

/// Where a page is, for the writer.
typedef struct MapSlot {
    MapTable *table; ///< NULL: the hash does not contain it
    uint64_t value;
    uint32_t group, slot;
} MapSlot;

static MapSlot map_hash_slot(const TrnMapHash *hash, TrnCoord coord)
{
    MapSlot at = {.value = map_hash_of(hash, coord.x, coord.y, coord.z)};
    if (map_hash_top(hash)) {
        MapTable *table = map_hash_table(hash, at.value);
        uint32_t probes;
        at.table =
            map_table_find(table, at.value, coord, &at.group, &at.slot, &probes) ? table : NULL;
    }
    return at;
}

TrnMapPlaces *trn_map_hash_places(const TrnMapHash *hash, TrnCoord coord)
{
    const MapSlot at = map_hash_slot(hash, coord);
    return at.table ? &map_table_note(at.table, at.group, at.slot)->places : NULL;
}

TrnResult trn_map_hash_add(TrnMapHash *hash, TrnPage *page, TrnMapPlaces places)
{
    const uint64_t value = map_hash_of_page(hash, page);
    TrnResult result = map_hash_top(hash) ? map_hash_grow(hash, value) : map_hash_start(hash);
    if (result == TRN_RESULT_OK) {
        map_table_add(map_hash_table(hash, value), value, page, places);
        hash->count++;
    }
    return result;
}

/// Removes the page of a slot.
static void map_hash_vacate(TrnMapHash *hash, const MapSlot *at)
{
    _Atomic(uint64_t) *group = map_table_tags(at->table, at->group);
    const uint64_t tags = atomic_load_explicit(group, memory_order_relaxed);
    atomic_store_explicit(group, tags & ~(UINT64_C(0xFF) << (at->slot * 8)), memory_order_release);
    atomic_store_explicit(map_table_page(at->table, at->group, at->slot), NULL,
                          memory_order_release);
    at->table->used--;
    // The bits of overflow stay, so a table with many of them is rebuilt earlier.
    at->table->limit -= (tags & trn_map_group_overflow(at->value)) != 0 && at->table->limit > 1;
    hash->count--;
    map_hash_shrink(hash, at->value);
}

bool trn_map_hash_replace(TrnMapHash *hash, TrnCoord coord, TrnPage *page, TrnMapPlaces *places)
{
    const MapSlot at = map_hash_slot(hash, coord);
    if (!at.table) {
        return false;
    }
    if (places) {
        *places = map_table_note(at.table, at.group, at.slot)->places;
    }
    if (page) {
        atomic_store_explicit(map_table_page(at.table, at.group, at.slot), page,
                              memory_order_release);
    } else {
        map_hash_vacate(hash, &at);
    }
    return true;
}

uint32_t trn_map_hash_probes(const TrnMapHash *hash, TrnCoord coord)
{
    uint32_t probes = 0;
    if (map_hash_top(hash)) {
        const uint64_t value = map_hash_of(hash, coord.x, coord.y, coord.z);
        const MapTable *table = map_hash_table(hash, value);
        uint32_t group, slot;
        (void)map_table_find(table, value, coord, &group, &slot, &probes);
    }
    return probes;
}
