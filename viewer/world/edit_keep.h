/// Keeps the voxels of changed chunks that are unloaded, so that a hole is still there when the
/// player returns.
///
/// In memory only: they are lost with it. A chunk is kept as a palette and 1 to 8 bits a voxel, or
/// as one block; with more than 256 types, as 16 bits a voxel.
///
/// Threads: any; a lock serialises the calls.
#ifndef TERRANE_VIEWER_EDIT_KEEP_H
#define TERRANE_VIEWER_EDIT_KEEP_H

#include <terrane/coord.h>
#include <terrane/voxels.h>

typedef struct EditKeep EditKeep;

/// Bytes of a chunk with up to 16 types.
#define EDIT_KEEP_CHUNK_BYTES ((size_t)17 * 1024)

/// @param allocator  copied, called by one thread at a time; NULL means malloc
/// @return false without memory
bool edit_keep_create(EditKeep **keep, const TrnAllocator *allocator);
/// @param keep  may be NULL
void edit_keep_destroy(EditKeep *keep);

/// Keeps a chunk's voxels, in place of those kept earlier.
/// Errors: NO_MEMORY; what was kept earlier stays.
/// Cost: some us.
TrnResult edit_keep_put(EditKeep *keep, TrnCoord coord, TrnSnapshot voxels);

/// Returns the kept voxels of a chunk.
/// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks in linear order; if uniform, only
/// blocks[0]
/// @param uniform  receives whether all blocks are equal
/// Errors: NOT_FOUND; then nothing is written.
/// Cost: some 30 us; O(1) if nothing is kept.
TrnResult edit_keep_get(EditKeep *keep, TrnCoord coord, TrnBlock *blocks, bool *uniform);

typedef struct EditKeepStats {
    uint32_t chunks; ///< kept chunks
    size_t bytes;    ///< of the kept chunks
} EditKeepStats;

/// Cost: O(1); two loads, no lock.
EditKeepStats edit_keep_stats(const EditKeep *keep);

#endif
