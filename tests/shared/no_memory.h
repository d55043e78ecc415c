/// Shared by tests of members whose memory runs out: the linker sends the growth of arrays here
/// (LINKER:--wrap=trn_array_reserve_items).
#pragma once

#include "testing.h"

#include <stdatomic.h>

static _Thread_local bool lacks_memory; ///< this thread's arrays do not grow
static _Thread_local bool is_test;      ///< members' threads are the others
static atomic_bool members_lack_memory;
static atomic_int members_grow = -1; ///< as often as this, and then once not; -1: always

static inline bool growth_fails(void)
{
    const bool is_last =
        !is_test && atomic_load(&members_grow) >= 0 && atomic_fetch_sub(&members_grow, 1) == 0;
    return lacks_memory || is_last || (!is_test && atomic_load(&members_lack_memory));
}

// NOLINTBEGIN(bugprone-reserved-identifier): the linker chooses the names
TrnResult __real_trn_array_reserve_items(void *array, size_t item_bytes,
                                         const TrnAllocator *allocator, size_t wanted);
TrnResult __wrap_trn_array_reserve_items(void *array, size_t item_bytes,
                                         const TrnAllocator *allocator, size_t wanted);
TrnResult __wrap_trn_array_reserve_items(void *array, size_t item_bytes,
                                         const TrnAllocator *allocator, size_t wanted)
{
    return growth_fails() ? TRN_RESULT_NO_MEMORY
                          : __real_trn_array_reserve_items(array, item_bytes, allocator, wanted);
}
// NOLINTEND(bugprone-reserved-identifier)
