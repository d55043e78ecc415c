/// The voxels of chunks that were changed and have left the store, so that the hole is still there
/// when one comes back.
///
/// In memory alone: what is kept goes with it. A chunk is kept as the blocks that occur in it and 1
/// to 8 bits a voxel, or one block; with more than 256 types, 16 bits a voxel.
///
/// Threads: any, one call at a time inside.
#ifndef TERRANE_VIEWER_EDIT_KEEP_H
#define TERRANE_VIEWER_EDIT_KEEP_H

#include <terrane/coord.h>
#include <terrane/voxels.h>

typedef struct EditKeep EditKeep;

/// What a chunk with up to 16 types takes.
#define EDIT_KEEP_CHUNK_BYTES ((size_t)17 * 1024)

/// @param allocator  copied, called by one thread at a time; NULL means malloc
/// @return false without memory
bool edit_keep_create(EditKeep **keep, const TrnAllocator *allocator);
/// @param keep  may be NULL
void edit_keep_destroy(EditKeep *keep);

/// Keeps what a chunk holds, in place of what is kept of it.
/// Errors: NO_MEMORY; what is kept is then as it was. Cost: some us.
TrnResult edit_keep_put(EditKeep *keep, TrnCoord coord, TrnSnapshot voxels);

/// Brings back what is kept of a chunk.
/// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks in linear order, or where all are one
///                 that in [0]
/// @param uniform  receives whether all are one
/// Errors: NOT_FOUND; nothing is written then. Cost: some 30 us; O(1) where nothing is kept.
TrnResult edit_keep_get(EditKeep *keep, TrnCoord coord, TrnBlock *blocks, bool *uniform);

typedef struct EditKeepStats {
    uint32_t chunks; ///< kept
    size_t bytes;    ///< that they take
} EditKeepStats;

/// Cost: O(1); two loads, and no lock.
EditKeepStats edit_keep_stats(const EditKeep *keep);

#endif
