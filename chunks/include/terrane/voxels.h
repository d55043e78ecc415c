/// Terrane, voxels: the 32 x 32 x 32 blocks of one chunk.
///
/// A chunk of one single block (all air, all stone) is uniform and holds no payload. Any other chunk holds one
/// 64 KiB payload of 16-bit block ids from a pool that all chunks of a store share.
#ifndef TERRANE_VOXELS_H
#define TERRANE_VOXELS_H

#include <terrane/base.h>
#include <terrane/block_types.h>
#include <terrane/coord.h>
#include <terrane/pool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The blocks of one chunk. All zeroes is a uniform chunk of air. Read the fields, never write them.
typedef struct TrnVoxels {
    const TrnBlock
        *blocks;       ///< [TRN_CHUNK_VOXELS] in linear order, or NULL when the chunk is uniform
    TrnPoolId payload; ///< the pool slot of `blocks`
    TrnBlock uniform;  ///< the block of every voxel, when `blocks` is NULL
} TrnVoxels;

/// The slots that voxel payloads live in.
/// @param payload_max  how many non-uniform chunks there may be; 0 means no cap
/// @param pool         receives the pool; destroy it with trn_pool_destroy after the last chunk
/// Errors: NO_MEMORY.
TRN_API TrnResult trn_voxels_pool_create(uint32_t payload_max, const TrnAllocator *allocator,
                                         TrnPool **pool);

/// The block at a linear index 0..32767 (trn_local_index). O(1).
static inline TrnBlock trn_voxels_get(const TrnVoxels *voxels, uint32_t index)
{
    return voxels->blocks ? voxels->blocks[index] : voxels->uniform;
}

/// Writes one block. A uniform chunk takes a payload when the block differs.
/// @param index  0..32767
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL; the chunk is then as it was. Cost: O(1); 64 KiB filled when a payload is taken.
TRN_API TrnResult trn_voxels_set(TrnVoxels *voxels, TrnPool *pool, uint32_t index, TrnBlock block);

/// Makes the chunk uniform and gives its payload back. Cannot fail. O(1).
TRN_API void trn_voxels_fill(TrnVoxels *voxels, TrnPool *pool, TrnBlock block);

/// Replaces all blocks; a chunk of one single block becomes uniform.
/// @param blocks  [TRN_CHUNK_VOXELS] in linear order
/// Errors: NO_MEMORY, FULL; the chunk is then as it was. Cost: reads 64 KiB, writes 64 KiB unless uniform.
TRN_API TrnResult trn_voxels_encode(TrnVoxels *voxels, TrnPool *pool, const TrnBlock *blocks);

/// Writes all blocks in linear order. @param blocks  [TRN_CHUNK_VOXELS]; caller owns
TRN_API void trn_voxels_decode(const TrnVoxels *voxels, TrnBlock *blocks);

/// Gives the payload back where all its blocks have become one. Cost: up to 64 KiB read.
TRN_API void trn_voxels_compact(TrnVoxels *voxels, TrnPool *pool);

#ifdef __cplusplus
}
#endif
#endif
