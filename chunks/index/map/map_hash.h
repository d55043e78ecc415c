/// Private: finds outlier pages by coordinates, in a hash table that grows in steps.
///
/// Extendible hashing (R. Fagin et al., 1979): the highest bits of a page's hash choose one of many
/// small tables, which holds at most some 360 pages. A full table is copied to a larger one or
/// split in two, and the copies are published; so no write touches more than one table, or two when
/// tables merge. Only the array of tables' addresses is copied whole when it doubles: eight bytes
/// for some 270 pages. A table is made of groups of seven pages, each one cache line with a byte of
/// the hash for each page, so that a miss touches one line. A group that was full when a page came
/// says so in a bit that depends on the hash, and look-ups with that bit go on to the next group.
///
/// Pages are added, replaced and removed in place by atomic stores. Readers find every page that is
/// in the hash throughout the look-up. The hash is keyed: without the key nobody can choose pages
/// that share a group. Nothing ever walks the hash, so no order depends on the key.
#ifndef TERRANE_INDEX_MAP_HASH_H
#define TERRANE_INDEX_MAP_HASH_H

#include "base/hash.h"
#include "map_memory.h"
#include "map_page.h"

/// The most groups of a table, except of one that cannot be split; in such a table look-ups that
/// know only so many groups go on to the others, since all its groups here say so.
#define TRN_MAP_TABLE_GROUPS 64
#define TRN_MAP_TABLE_HEADER 64 ///< bytes before the groups of a table
#define TRN_MAP_GROUP_SLOTS 7

/// A part of a table: some groups of pages. The tags lie together, so that a miss reads nothing
/// else, and they are few enough to stay cached.
typedef struct TrnMapGroups {
    /// Bytes 0..6: eight bits of the hash of each page, at least 2; 0 for a vacant slot. Byte 7: a
    /// bit is set if a page whose hash selects that bit may have gone past this group.
    _Alignas(TRN_CACHE_LINE) _Atomic(uint64_t) tags[TRN_MAP_TABLE_GROUPS];
    struct {
        _Alignas(TRN_CACHE_LINE) _Atomic(TrnPage *) slots[TRN_MAP_GROUP_SLOTS];
    } pages[TRN_MAP_TABLE_GROUPS]; ///< fewer in smaller tables
} TrnMapGroups;

typedef struct TrnMapTop {
    TrnMapBlock block;
    uint32_t depth, shift; ///< bits of a hash that choose a table; 63 less them
    /// [1 << depth] addresses of tables. The lowest bits are the number of groups less one, at most
    /// TRN_MAP_TABLE_GROUPS - 1.
    _Alignas(TRN_CACHE_LINE) _Atomic(uintptr_t) tables[];
} TrnMapTop;

typedef struct TrnMapHash {
    _Atomic(TrnMapTop *) top; ///< addresses of the tables; NULL when empty
    uint64_t key;             ///< of trn_coord_hash()
    // Used by the writer only:
    uint32_t count;            ///< pages
    uint32_t depth_counts[64]; ///< tables for each number of bits that choose them
    TrnMapMemory *memory;
} TrnMapHash;

/// The numbers that the hash keeps for a page on behalf of its user: its places in page lists.
typedef struct TrnMapPlaces {
    uint32_t at[2];
} TrnMapPlaces;

/// Initialises an empty hash, which allocates nothing.
void trn_map_hash_init(TrnMapHash *hash, uint64_t key, TrnMapMemory *memory);

/// Frees the memory at once. No reader may use the hash.
void trn_map_hash_close(TrnMapHash *hash);

/// Finds the page at page coordinates, or NULL. Wait-free. Out of line, so that its callers stay
/// small.
__attribute__((noinline)) TrnPage *trn_map_hash_find(const TrnMapHash *hash, int32_t x, int32_t y,
                                                     int32_t z);

// ---- look-ups ----------------------------------------------------------------------------------

// Bits 0-7 of a hash are the tag, 8-10 select the bit of overflow, the next choose the group, and
// the highest choose the table.

static inline uint64_t trn_map_group_tag(uint64_t hash)
{
    const uint64_t tag = hash & 0xFF;
    return tag < 2 ? tag + 2 : tag;
}

static inline uint64_t trn_map_group_overflow(uint64_t hash)
{
    return UINT64_C(1) << (56 + (hash >> 8 & 7));
}

/// The bit of trn_map_group_match() of the last slot.
#define TRN_MAP_GROUP_LAST (UINT64_C(0x80) << (TRN_MAP_GROUP_SLOTS - 1) * 8)

/// @param mask  groups of the table, less one
static inline uint32_t trn_map_group_first(uint64_t hash, uint32_t mask)
{
    return (uint32_t)(hash >> 11) & mask;
}

/// Returns the highest bit of each slot's byte in `tags` that equals a tag. May also return bytes
/// above such a byte that differ from the tag by one, which no vacant one does.
static inline uint64_t trn_map_group_match(uint64_t tags, uint64_t tag)
{
    const uint64_t differs = tags ^ (tag * UINT64_C(0x0101010101010101));
    return (differs - UINT64_C(0x0101010101010101)) & ~differs & UINT64_C(0x0080808080808080);
}

static inline uint32_t trn_map_group_slot(uint64_t match)
{
    return (uint32_t)__builtin_ctzll(match) / 8;
}

static inline uintptr_t trn_map_top_word(const TrnMapTop *top, uint64_t hash)
{
    return atomic_load_explicit(&top->tables[hash >> 1 >> top->shift], memory_order_acquire);
}

/// Returns the groups of a table that readers see. @param word  of the table
static inline const TrnMapGroups *trn_map_word_groups(uintptr_t word)
{
    const uintptr_t table = word & ~(uintptr_t)(TRN_MAP_TABLE_GROUPS - 1);
    return (const TrnMapGroups *)(table +
                                  TRN_MAP_TABLE_HEADER); // NOLINT(performance-no-int-to-ptr)
}

/// Returns the first group of a hash in its table. @param word  of the table
static inline uint32_t trn_map_word_group(uintptr_t word, uint64_t hash)
{
    return trn_map_group_first(hash, (uint32_t)word & (TRN_MAP_TABLE_GROUPS - 1));
}

/// Finds a page that may be elsewhere than at the first match in its first group.
/// @param word  of its table @param value  its hash
TrnPage *trn_map_hash_find_further(uintptr_t word, uint64_t value, TrnCoord coord);

/// As trn_map_hash_find(). Look-ups in scattered worlds wait for memory, so the processor must
/// reach the next look-up before this one is answered: the frequent path is short, without a loop.
static inline TrnPage *trn_map_hash_find_inline(const TrnMapHash *hash, int32_t x, int32_t y,
                                                int32_t z)
{
    const TrnMapTop *top = atomic_load_explicit(&hash->top, memory_order_acquire);
    if (!top) {
        return NULL;
    }
    const uint64_t value = trn_coord_hash64((TrnCoord){x, y, z}, hash->key);
    const uintptr_t word = trn_map_top_word(top, value);
    const TrnMapGroups *groups = trn_map_word_groups(word);
    const uint32_t at = trn_map_word_group(word, value);
    __builtin_prefetch(&groups->pages[at]);
    const uint64_t tags = atomic_load_explicit(&groups->tags[at], memory_order_acquire);
    const uint64_t match = trn_map_group_match(tags, trn_map_group_tag(value));
    if (match) {
        TrnPage *page = atomic_load_explicit(&groups->pages[at].slots[trn_map_group_slot(match)],
                                             memory_order_acquire);
        if (__builtin_expect(page && trn_coord_equal(trn_page_coord_of(page), (TrnCoord){x, y, z}),
                             1)) {
            return page;
        }
    } else if (__builtin_expect(!(tags & trn_map_group_overflow(value)), 1)) {
        return NULL;
    }
    return trn_map_hash_find_further(word, value, (TrnCoord){x, y, z});
}

/// Prefetches what adding or removing a page touches, so that the cache misses overlap.
void trn_map_hash_prefetch(const TrnMapHash *hash, int32_t x, int32_t y, int32_t z);

/// Finds the places of a page, or NULL if the hash does not contain it. Valid until the next change
/// of the hash. Threads: the writer.
TrnMapPlaces *trn_map_hash_places(const TrnMapHash *hash, TrnCoord coord);

/// Adds a page that the hash does not contain.
/// Errors: NO_MEMORY; the hash contains what it did.
TrnResult trn_map_hash_add(TrnMapHash *hash, TrnPage *page, TrnMapPlaces places);

/// Replaces the page at page coordinates by another one, or removes it. @return whether there was
/// one. Cannot fail: the hash stays larger than necessary if there is no memory for a smaller one.
/// @param page    with the same coordinates; NULL removes
/// @param places  receives those of the page; may be NULL
bool trn_map_hash_replace(TrnMapHash *hash, TrnCoord coord, TrnPage *page, TrnMapPlaces *places);

/// Returns how many cache lines of groups a look-up touches, for tests.
uint32_t trn_map_hash_probes(const TrnMapHash *hash, TrnCoord coord);

#endif
