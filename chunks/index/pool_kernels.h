/// Private: addresses of many slots of a reserved range.
#ifndef TERRANE_INDEX_POOL_KERNELS_H
#define TERRANE_INDEX_POOL_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

/// Addresses are written as what may alias any pointer: to the caller they are chunks, pages, or
/// whatever else lives in slots.
typedef void *TrnAnyPointer __attribute__((may_alias));

/// @param range       address of slot 0
/// @param slot_bytes  below 2^32
/// @param slots       [count] slot indices
/// @param out         [count] receives the addresses
typedef void (*TrnPoolRangeKernel)(unsigned char *range, size_t slot_bytes, const uint32_t *slots,
                                   size_t count, void **out);

typedef struct TrnPoolKernels {
    const char *name; ///< "AVX-512", "AVX2" or "scalar"
    TrnPoolRangeKernel range_pointers;
} TrnPoolKernels;

/// All sets of TrnPoolKernels.
extern const TrnKernelTable trn_pool_kernels;

#endif
