/// Private: the library's one growing array.
///
///     TRN_ARRAY_DECLARE(TrnViewArray, TrnView);
///
///     TrnViewArray views = {0};
///     result = trn_array_push(&views, allocator, view); // NO_MEMORY leaves the array as it was
///     for (uint32_t i = 0; i < views.count; i++) { use(&views.items[i]); }
///     trn_array_free(&views, allocator);
///
/// All zeroes is an empty array without memory. Items are moved with memcpy, so growth invalidates
/// pointers to them. The array does not store its allocator: pass the same one to every call.
///
/// Macros evaluate `array` more than once; every other argument exactly once.
#ifndef TERRANE_BASE_ARRAY_H
#define TERRANE_BASE_ARRAY_H

#include <terrane/base.h>

#include "base/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses
/// Declares an array type. The owner may set `count` to any number up to `capacity`, once it has
/// written the items below.
#define TRN_ARRAY_DECLARE(Name, Item)                                                              \
    typedef struct Name {                                                                          \
        Item *items; /* [capacity], of which the first `count` are in use */                       \
        uint32_t count, capacity;                                                                  \
    } Name
// NOLINTEND(bugprone-macro-parentheses)

/// Ensures that an array holds `wanted` items without another allocation. Grows to `wanted` or to
/// twice the capacity (4 at first), whichever is more: O(1) amortised an item.
/// @param wanted  a total number of items, size_t
/// Errors: NO_MEMORY; the array is unchanged.
#define trn_array_reserve(array, allocator, wanted)                                                \
    trn_array_reserve_items((array), sizeof *(array)->items, (allocator), (wanted))

/// Appends a copy of an item. O(1) amortised; cannot fail if capacity was reserved.
/// Errors: NO_MEMORY; the array is unchanged.
#define trn_array_push(array, allocator, ...)                                                      \
    ((array)->count < (array)->capacity ||                                                         \
             trn_array_reserve((array), (allocator), (size_t)(array)->count + 1) == TRN_RESULT_OK  \
         ? ((array)->items[(array)->count++] = (__VA_ARGS__), TRN_RESULT_OK)                       \
         : TRN_RESULT_NO_MEMORY)

/// Removes the item at an index below `count` and moves the last item into its place.
#define trn_array_remove_swap(array, index)                                                        \
    ((array)->items[index] = (array)->items[(array)->count - 1], (void)(array)->count--)

/// Frees the memory; the array is empty again. An empty array is fine.
#define trn_array_free(array, allocator)                                                           \
    trn_array_free_items((array), sizeof *(array)->items, (allocator))

/// Bytes that an array has allocated.
#define trn_array_bytes(array) ((array)->capacity * sizeof *(array)->items)

// ---- behind the macros -------------------------------------------------------------------------

/// @param array  a struct of TRN_ARRAY_DECLARE
TrnResult trn_array_reserve_items(void *array, size_t item_bytes, const TrnAllocator *allocator,
                                  size_t wanted);
void trn_array_free_items(void *array, size_t item_bytes, const TrnAllocator *allocator);

#ifdef __cplusplus
}
#endif
#endif
