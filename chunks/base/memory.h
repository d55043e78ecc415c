/// Private: how the library takes memory and states what must hold.
#ifndef TERRANE_BASE_MEMORY_H
#define TERRANE_BASE_MEMORY_H

#include <terrane/base.h>

/// For mistakes of the programmer, never for what the outside world can cause. On in Debug and
/// RelWithDebInfo builds; define TRN_ASSERT yourself to hook it.
#if !defined(TRN_ASSERT)
#if defined(TRN_ENABLE_ASSERT)
#include <assert.h>
#define TRN_ASSERT(condition) assert(condition)
#else
#define TRN_ASSERT(condition) ((void)0)
#endif
#endif

/// Memory that SIMD loads and cache lines like.
#define TRN_CACHE_LINE 64

/// The allocator of a def: its copy, or malloc where it is NULL.
static inline TrnAllocator trn_allocator_or_default(const TrnAllocator *allocator)
{
    return allocator ? *allocator : trn_allocator_default();
}

static inline void *trn_take(const TrnAllocator *allocator, size_t bytes, size_t alignment)
{
    return allocator->alloc(bytes, alignment, allocator->user);
}

/// Gives memory back; NULL is fine.
static inline void trn_give(const TrnAllocator *allocator, void *memory, size_t bytes)
{
    if (memory) {
        allocator->free(memory, bytes, allocator->user);
    }
}

#endif
