// A list of pages in the order in which they were appended.

#include "page_list.h"

#include <stdalign.h>

static size_t page_list_segment_bytes(uint32_t segment)
{
    return sizeof(_Atomic(TrnPage *)) << (TRN_PAGE_LIST_FIRST_SHIFT + segment);
}

TrnPageList *trn_page_list_create(TrnPageMemory *memory, uint32_t parity)
{
    TrnPageList *list = trn_page_take(memory, sizeof *list, alignof(TrnPageList));
    if (list) {
        *list = (TrnPageList){.parity = parity, .memory = memory};
    }
    return list;
}

void trn_page_list_destroy(TrnPageList *list)
{
    for (uint32_t i = 0; list && i < TRN_PAGE_LIST_SEGMENTS; i++) {
        trn_page_give(list->memory, list->segments[i], page_list_segment_bytes(i));
    }
    if (list) {
        trn_page_give(list->memory, list, sizeof *list);
    }
}

TrnResult trn_page_list_reserve(TrnPageList *list)
{
    const uint32_t count = trn_page_list_count(list);
    const uint32_t first = 1u << TRN_PAGE_LIST_FIRST_SHIFT;
    if (count >= UINT32_MAX - first) {
        return TRN_RESULT_NO_MEMORY;
    }
    const uint32_t segment =
        31 - (uint32_t)__builtin_clz(count + first) - TRN_PAGE_LIST_FIRST_SHIFT;
    if (!list->segments[segment]) {
        list->segments[segment] =
            trn_page_take(list->memory, page_list_segment_bytes(segment), TRN_CACHE_LINE);
    }
    return list->segments[segment] ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

void trn_page_list_append(TrnPageList *list, TrnPage *page)
{
    const uint32_t count = trn_page_list_count(list);
    atomic_store_explicit(trn_page_list_entry(list, count), page, memory_order_release);
    atomic_store_explicit(&list->count, count + 1, memory_order_release);
}

size_t trn_page_list_bytes(const TrnPageList *list)
{
    size_t bytes = sizeof *list;
    for (uint32_t i = 0; i < TRN_PAGE_LIST_SEGMENTS; i++) {
        bytes += list->segments[i] ? page_list_segment_bytes(i) : 0;
    }
    return bytes;
}
