/// Private: converts slot indices of a reserved range to addresses.
#ifndef TERRANE_INDEX_POOL_KERNELS_H
#define TERRANE_INDEX_POOL_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

/// The output array may alias any pointer type: to the caller its elements are chunks, pages or
/// other objects.
typedef void *TrnAnyPointer __attribute__((may_alias));

/// @param range       address of slot 0
/// @param slot_bytes  below 2^32
/// @param slots       [count] slot indices
/// @param out         [count] receives the addresses
typedef void (*TrnPoolRangeKernel)(unsigned char *range, size_t slot_bytes, const uint32_t *slots,
                                   size_t count, void **out);

/// The kernels of one instruction set.
typedef struct TrnPoolKernels {
    const char *name; ///< "AVX-512", "AVX2" or "scalar"
    TrnPoolRangeKernel range_pointers;
} TrnPoolKernels;

/// The kernels for every instruction set, fastest first; the last is the scalar twin.
extern const TrnKernelTable trn_pool_kernels;

#endif
