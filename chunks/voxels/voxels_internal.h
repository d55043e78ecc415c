/// Private: the end of a chunk's voxels. The store calls this when it removes a chunk.
#ifndef TERRANE_VOXELS_VOXELS_INTERNAL_H
#define TERRANE_VOXELS_VOXELS_INTERNAL_H

#include <terrane/voxels.h>

/// Prefetches the cache lines that releasing a chunk's voxels touches (trn_pool_prefetch).
/// @param voxels  the chunk's; their payload is read, so prefetch that some dozen chunks earlier
/// Threads: the writer.
void trn_voxels_prefetch_release(const TrnVoxelHeap *heap, TrnSnapshot voxels);

/// Retires the payload of a chunk that is removed. `voxels` stays as it is for readers that have
/// already found the chunk; only their snapshots may follow. Cannot fail. Cost: O(1).
void trn_voxels_release(TrnVoxelHeap *heap, const TrnVoxels *voxels);

/// Frees the payload of a chunk that no reader could ever find, at once. Cannot fail. Cost: O(1).
void trn_voxels_discard(TrnVoxelHeap *heap, TrnVoxels *voxels);

#endif
