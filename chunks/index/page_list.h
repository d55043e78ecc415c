/// Private: a list of pages in the order in which they were appended, which readers may walk while
/// the writer appends and removes. It grows without moving entries; removed ones leave holes.
#ifndef TERRANE_INDEX_PAGE_LIST_H
#define TERRANE_INDEX_PAGE_LIST_H

#include "page.h"
#include "page_memory.h"

#define TRN_PAGE_LIST_FIRST_SHIFT 4
#define TRN_PAGE_LIST_SEGMENTS (32 - TRN_PAGE_LIST_FIRST_SHIFT)

typedef struct TrnPageList {
    /// Segment k has twice as many entries as segment k - 1. Entries from `count` on are undefined.
    _Atomic(TrnPage *) *segments[TRN_PAGE_LIST_SEGMENTS];
    _Atomic(uint32_t) count; ///< entries, holes included
    uint32_t users;          ///< versions of a map that share it, counted by the writer
    uint32_t parity;         ///< which of a page's two places is the one in this list
    TrnPageMemory *memory;
} TrnPageList;

/// Creates an empty list with no users. NULL if there is no memory.
TrnPageList *trn_page_list_create(TrnPageMemory *memory, uint32_t parity);
void trn_page_list_destroy(TrnPageList *list);

/// Ensures that the next append succeeds. Errors: NO_MEMORY.
TrnResult trn_page_list_reserve(TrnPageList *list);

/// Appends a page; its place is the count before. Call trn_page_list_reserve first.
void trn_page_list_append(TrnPageList *list, TrnPage *page);

/// Returns the memory of a list.
size_t trn_page_list_bytes(const TrnPageList *list);

static inline _Atomic(TrnPage *) *trn_page_list_entry(const TrnPageList *list, uint32_t place)
{
    const uint64_t number = (uint64_t)place + (1u << TRN_PAGE_LIST_FIRST_SHIFT);
    const uint32_t bits = 63 - (uint32_t)__builtin_clzll(number);
    return &list->segments[bits - TRN_PAGE_LIST_FIRST_SHIFT][number - (UINT64_C(1) << bits)];
}

static inline uint32_t trn_page_list_count(const TrnPageList *list)
{
    return atomic_load_explicit(&list->count, memory_order_acquire);
}

/// Returns the page at a place below the count, or NULL for a hole.
static inline TrnPage *trn_page_list_at(const TrnPageList *list, uint32_t place)
{
    return atomic_load_explicit(trn_page_list_entry(list, place), memory_order_acquire);
}

/// Stores another page, or NULL, at the place of a page; does nothing if another one is there.
static inline void trn_page_list_set(TrnPageList *list, uint32_t place, const TrnPage *present,
                                     TrnPage *page)
{
    if (place < trn_page_list_count(list) && trn_page_list_at(list, place) == present) {
        atomic_store_explicit(trn_page_list_entry(list, place), page, memory_order_release);
    }
}

#endif
