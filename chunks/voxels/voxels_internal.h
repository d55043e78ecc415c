/// Private: the end of a chunk's voxels. The store calls this when it removes a chunk.
#ifndef TERRANE_VOXELS_VOXELS_INTERNAL_H
#define TERRANE_VOXELS_VOXELS_INTERNAL_H

#include <terrane/voxels.h>

#include "index/chunk_index_internal.h"

/// Prefetches the cache lines that releasing a chunk's voxels touches, in two steps: the block of
/// the payload's pool, and what the block leads to (trn_pool_prefetch). Each step for some dozen
/// chunks before the next.
/// @param voxels  the chunk's; their payload is read, so prefetch that some dozen chunks earlier
/// Threads: the writer.
void trn_voxels_prefetch_block(const TrnVoxelHeap *heap, TrnSnapshot voxels);
void trn_voxels_prefetch_release(const TrnVoxelHeap *heap, TrnSnapshot voxels);

/// Retires the payload of a chunk that is removed. `voxels` stays as it is for readers that have
/// already found the chunk; only their snapshots may follow. Cannot fail. Cost: O(1).
/// @param list  receives the payload; the caller retires the list with the heap's index. NULL, or a
///              heap without an index: the payload is retired at once
void trn_voxels_release(TrnVoxelHeap *heap, const TrnVoxels *voxels, TrnRetireList *list);

/// Frees the payload of a chunk that no reader could ever find, at once. Cannot fail. Cost: O(1).
void trn_voxels_discard(TrnVoxelHeap *heap, TrnVoxels *voxels);

#endif
