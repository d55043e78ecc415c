/// Private: makes an index use other kernels than the fastest. Called by the bench only. Separate
/// from page.h, whose atomics C++ cannot parse.
#ifndef TERRANE_INDEX_KERNEL_CHOICE_H
#define TERRANE_INDEX_KERNEL_CHOICE_H

#include <stdbool.h>

#include <terrane/chunk_index.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Selects kernels by name. No reader may be in a section.
/// @param name  "AVX-512", "AVX2", "NEON", "SIMD128" or "scalar"
/// @return whether this machine can run them; otherwise the index stays as it was
bool trn_chunk_index_use_kernels(TrnChunkIndex *index, const char *name);

/// Returns the name of the kernels in use.
const char *trn_chunk_index_kernels_name(const TrnChunkIndex *index);

#ifdef __cplusplus
}
#endif
#endif
