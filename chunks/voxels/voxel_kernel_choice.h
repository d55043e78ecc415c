/// Private: makes a heap use other kernels than the fastest, for tests and the bench. Valid C++.
#ifndef TERRANE_VOXELS_VOXEL_KERNEL_CHOICE_H
#define TERRANE_VOXELS_VOXEL_KERNEL_CHOICE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct TrnVoxelHeap;

/// Chooses the kernels for payloads that are made from now on. Existing payloads keep theirs.
/// @param name  "AVX-512", "AVX2", "NEON", "SIMD128" or "scalar"
/// @return false if this machine cannot run them; the heap is unchanged then
bool trn_voxel_heap_use_kernels(struct TrnVoxelHeap *heap, const char *name);

/// Returns the name of the kernels in use.
const char *trn_voxel_heap_kernels_name(const struct TrnVoxelHeap *heap);

#ifdef __cplusplus
}
#endif
#endif
