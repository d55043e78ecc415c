/// Private: converts slot indices to addresses: in a range by arithmetic, elsewhere through the
/// flat table of blocks.
#ifndef TERRANE_INDEX_POOL_KERNELS_H
#define TERRANE_INDEX_POOL_KERNELS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

/// The output array may alias any pointer type: to the caller its elements are chunks, pages or
/// other objects.
typedef void *TrnAnyPointer __attribute__((may_alias));

/// Where a block begins, less the bytes of all slots before it: a slot's address is this plus its
/// index times slot_bytes. It does not change while a slot of the block is taken.
typedef _Atomic(uintptr_t) TrnPoolBase;

/// @param range       address of slot 0
/// @param slot_bytes  below 2^32
/// @param slots       [count] slot indices
/// @param out         [count] receives the addresses
typedef void (*TrnPoolRangeKernel)(unsigned char *range, size_t slot_bytes, const uint32_t *slots,
                                   size_t count, void **out);

/// @param bases        [blocks of all slots]
/// @param block_shift  slots in a block: 1 << block_shift
/// The others as for TrnPoolRangeKernel.
typedef void (*TrnPoolTableKernel)(const TrnPoolBase *bases, uint32_t block_shift,
                                   size_t slot_bytes, const uint32_t *slots, size_t count,
                                   void **out);

/// The kernels of one instruction set.
typedef struct TrnPoolKernels {
    const char *name; ///< "AVX-512", "AVX2", "NEON" or "scalar"
    TrnPoolRangeKernel range_pointers;
    TrnPoolTableKernel table_pointers;
} TrnPoolKernels;

/// The kernels for every instruction set, fastest first; the last is the scalar twin.
extern const TrnKernelTable trn_pool_kernels;

#endif
