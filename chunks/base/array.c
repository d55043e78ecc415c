#include "base/array.h"

#include <stdalign.h>
#include <string.h>

#define ARRAY_CAPACITY_FIRST 4

TRN_ARRAY_DECLARE(ArrayOfAny, void);

// Arrays of every type are copied in and out of this view: reading them through it would break
// strict aliasing.
static ArrayOfAny array_view(const void *array)
{
    ArrayOfAny view;
    memcpy(&view, array, sizeof view);
    return view;
}

TrnResult trn_array_reserve_items(void *array, size_t item_bytes, const TrnAllocator *allocator,
                                  size_t wanted)
{
    ArrayOfAny view = array_view(array);
    if (wanted <= view.capacity) {
        return TRN_RESULT_OK;
    }
    uint64_t capacity = view.capacity ? (uint64_t)view.capacity * 2 : ARRAY_CAPACITY_FIRST;
    capacity = capacity > UINT32_MAX ? UINT32_MAX : capacity;
    capacity = capacity < wanted ? wanted : capacity;
    size_t bytes;
    if (capacity > UINT32_MAX || __builtin_mul_overflow(capacity, item_bytes, &bytes) ||
        bytes > PTRDIFF_MAX) {
        return TRN_RESULT_NO_MEMORY;
    }
    void *items = trn_take(allocator, bytes, alignof(max_align_t));
    if (!items) {
        return TRN_RESULT_NO_MEMORY;
    }
    if (view.count > 0) {
        memcpy(items, view.items, view.count * item_bytes);
    }
    trn_give(allocator, view.items, view.capacity * item_bytes);
    view.items = items;
    view.capacity = (uint32_t)capacity;
    memcpy(array, &view, sizeof view);
    return TRN_RESULT_OK;
}

void trn_array_free_items(void *array, size_t item_bytes, const TrnAllocator *allocator)
{
    const ArrayOfAny view = array_view(array);
    trn_give(allocator, view.items, view.capacity * item_bytes);
    memset(array, 0, sizeof view);
}
