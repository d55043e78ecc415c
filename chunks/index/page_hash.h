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
#ifndef TERRANE_INDEX_PAGE_HASH_H
#define TERRANE_INDEX_PAGE_HASH_H

#include "page.h"
#include "page_memory.h"

typedef struct TrnPageTop TrnPageTop;

typedef struct TrnPageHash {
    _Atomic(TrnPageTop *) top; ///< addresses of the tables; NULL when empty
    uint64_t key;              ///< of trn_coord_hash()
    // Used by the writer only:
    uint32_t count;            ///< pages
    uint32_t depth_counts[64]; ///< tables for each number of bits that choose them
    TrnPageMemory *memory;
} TrnPageHash;

/// The numbers that the hash keeps for a page on behalf of its user: its places in page lists.
typedef struct TrnPagePlaces {
    uint32_t at[2];
} TrnPagePlaces;

/// Initialises an empty hash, which allocates nothing.
void trn_page_hash_init(TrnPageHash *hash, uint64_t key, TrnPageMemory *memory);

/// Frees the memory at once. No reader may use the hash.
void trn_page_hash_close(TrnPageHash *hash);

/// Finds the page at page coordinates, or NULL. Wait-free. Out of line, so that its callers stay
/// small.
__attribute__((noinline, cold)) TrnPage *trn_page_hash_find(const TrnPageHash *hash, int32_t x,
                                                            int32_t y, int32_t z);

/// Prefetches what adding or removing a page touches, so that the cache misses overlap.
void trn_page_hash_prefetch(const TrnPageHash *hash, TrnCoord coord);

/// Finds the places of a page, or NULL if the hash does not contain it. Valid until the next change
/// of the hash. Threads: the writer.
TrnPagePlaces *trn_page_hash_places(const TrnPageHash *hash, TrnCoord coord);

/// Adds a page that the hash does not contain.
/// Errors: NO_MEMORY; the hash contains what it did.
TrnResult trn_page_hash_add(TrnPageHash *hash, TrnPage *page, TrnPagePlaces places);

/// Replaces the page at page coordinates by another one, or removes it. @return whether there was
/// one. Cannot fail: the hash stays larger than necessary if there is no memory for a smaller one.
/// @param page    with the same coordinates; NULL removes
/// @param places  receives those of the page; may be NULL
bool trn_page_hash_replace(TrnPageHash *hash, TrnCoord coord, TrnPage *page, TrnPagePlaces *places);

/// Returns how many cache lines of groups a look-up touches, for tests.
uint32_t trn_page_hash_probes(const TrnPageHash *hash, TrnCoord coord);

#endif
