/// Private: allocation through a TrnAllocator.
#ifndef TERRANE_BASE_MEMORY_H
#define TERRANE_BASE_MEMORY_H

#include <terrane/base.h>

#include "base/assert.h"

/// Bytes of a cache line: the alignment of arrays that are read with SIMD loads or by many threads.
#define TRN_CACHE_LINE 64

/// Returns a copy of a def's allocator, or the default one for NULL.
static inline TrnAllocator trn_allocator_or_default(const TrnAllocator *allocator)
{
    return allocator ? *allocator : trn_allocator_default();
}

/// Allocates; NULL if there is no memory. @param bytes  not 0
static inline void *trn_take(const TrnAllocator *allocator, size_t bytes, size_t alignment)
{
    return allocator->alloc(bytes, alignment, allocator->user);
}

/// Frees memory of trn_take(); NULL is fine. @param bytes  as they were allocated
static inline void trn_give(const TrnAllocator *allocator, void *memory, size_t bytes)
{
    if (memory) {
        allocator->free(memory, bytes, allocator->user);
    }
}

#endif
