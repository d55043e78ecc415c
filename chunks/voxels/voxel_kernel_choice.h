/// Private: holds a heap to other kernels than the fastest, for tests and the bench. C++ can read
/// it.
#ifndef TERRANE_VOXELS_VOXEL_KERNEL_CHOICE_H
#define TERRANE_VOXELS_VOXEL_KERNEL_CHOICE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct TrnVoxelHeap;

/// For payloads made from now on; those that are there are read as before.
/// @param name  "AVX-512", "AVX2" or "scalar"
/// @return whether this machine can run them; otherwise the heap stays as it was
bool trn_voxel_heap_use_kernels(struct TrnVoxelHeap *heap, const char *name);

/// The name of the kernels in use.
const char *trn_voxel_heap_kernels_name(const struct TrnVoxelHeap *heap);

#ifdef __cplusplus
}
#endif
#endif
