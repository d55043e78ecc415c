/// Private: what the files with kernels of pages share.
#ifndef TERRANE_INDEX_PAGE_KERNELS_IMPL_H
#define TERRANE_INDEX_PAGE_KERNELS_IMPL_H

#include "base/cpu.h"
#include "base/lanes.h"
#include "chunk_index_internal.h"
#include "page.h"

/// How kernels load several words or values at once that the writer stores concurrently:
/// - PAGE_WIDE_LOADS: whole vectors by plain loads. On x86-64 and 64-bit ARM an aligned lane
///   never tears, and in WebAssembly without threads there is no other writer.
/// - PAGE_PAIR_LOADS: eight bytes by an atomic load. With threads WebAssembly promises nothing
///   of the lanes of a plain load.
/// - Neither: one at a time, by the scalar twins. ThreadSanitizer reports the others as races.
#if !TRN_SANITIZES_THREADS && defined(TRN_VECTORS) && defined(__wasm_atomics__)
#define PAGE_PAIR_LOADS 1
#elif !TRN_SANITIZES_THREADS && (defined(__x86_64__) || defined(TRN_VECTORS))
#define PAGE_WIDE_LOADS 1
#endif

/// Ends a kernel's wide loads: what is read later is at least as new, as after acquire loads.
/// x86-64 does not reorder loads.
static inline void page_wide_loads_end(void)
{
#if defined(PAGE_WIDE_LOADS) && !defined(__x86_64__)
    atomic_thread_fence(memory_order_acquire);
#endif
}

/// Everything of this kind is inlined into one function per instruction set, so that no vector is
/// passed between functions with different calling conventions.
#define PAGE_INLINE static inline __attribute__((always_inline))

/// TrnPageKernels.list for each instruction set.
uint32_t trn_page_list_scalar(const TrnSparsePage *page, const TrnPlaneQuery *query,
                              uint16_t *cells, uint32_t *values);
#if defined(PAGE_WIDE_LOADS) && defined(__x86_64__)
uint32_t trn_page_list_avx2(const TrnSparsePage *page, const TrnPlaneQuery *query, uint16_t *cells,
                            uint32_t *values);
uint32_t trn_page_list_avx512(const TrnSparsePage *page, const TrnPlaneQuery *query,
                              uint16_t *cells, uint32_t *values);
#endif

#endif
