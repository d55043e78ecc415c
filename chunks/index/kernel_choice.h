/// Private: holds an index to other kernels than the fastest, for the bench. Apart from page.h,
/// whose atomics C++ cannot read.
#ifndef TERRANE_INDEX_KERNEL_CHOICE_H
#define TERRANE_INDEX_KERNEL_CHOICE_H

#include <stdbool.h>

#include <terrane/chunk_index.h>

#ifdef __cplusplus
extern "C" {
#endif

/// @param name  "AVX-512", "AVX2" or "scalar"
/// @return whether this machine can run them; otherwise the index stays as it was
/// No reader may be in a section.
bool trn_chunk_index_use_kernels(TrnChunkIndex *index, const char *name);

/// The name of the kernels in use.
const char *trn_chunk_index_kernels_name(const TrnChunkIndex *index);

#ifdef __cplusplus
}
#endif
#endif
