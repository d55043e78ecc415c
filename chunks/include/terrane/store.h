/// Terrane, store: the chunks of a world by coordinate.
///
/// Chunks live in a pool and never move; a chunk index finds them (terrane/chunk_index.h), so memory follows their number, however
/// far apart they are. The store owns no window, no thread and no engine; it calls nothing but the allocator it was given.
///
/// Threads: one thread at a time writes; others may read while nobody does.
#ifndef TERRANE_STORE_H
#define TERRANE_STORE_H

#include <terrane/base.h>
#include <terrane/chunk_index.h>
#include <terrane/coord.h>
#include <terrane/voxels.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TrnStore TrnStore;

/// Names a chunk for as long as it is in the store. All zeroes names nothing.
typedef TrnPoolId TrnChunkId;

/// One chunk. Read the fields, never write them. The address holds until the chunk is removed.
typedef struct TrnChunk {
    TrnCoord coord;
    TrnChunkId id;
    TrnVoxels voxels;
    uint64_t revision; ///< of the last change of its voxels; counts up over the whole store
} TrnChunk;

/// Start from trn_store_def() and change what you need.
typedef struct TrnStoreDef {
    uint32_t chunk_max;   ///< cap on chunks; 0 means none
    uint32_t payload_max; ///< cap on chunks that are not uniform (64 KiB each); 0 means none
    /// Headers of so many chunks lie in one range of addresses, taken from the allocator at once and backed by the system as it
    /// is touched. Gathers then compute addresses instead of looking them up, which is several times faster, and the range is a cap
    /// as well. 0 means none.
    uint32_t chunk_reserve;
    /// Bytes of your own beside every chunk, zeroed on insert (trn_chunk_user); at most 64 KiB.
    size_t user_bytes;
    const TrnPlaneDef *
        planes; ///< [plane_count] bit planes of your own over the chunks: see trn_store_index; copied
    uint32_t plane_count;          ///< 0..31
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} TrnStoreDef;

/// No caps, nothing reserved, no user bytes, no planes.
TRN_API TrnStoreDef trn_store_def(void);

/// @param def  NULL means trn_store_def()
/// Errors: BAD_ARGUMENT, NO_MEMORY.
TRN_API TrnResult trn_store_create(const TrnStoreDef *def, TrnStore **store);

/// Frees the store with all its chunks. @param store  may be NULL
TRN_API void trn_store_destroy(TrnStore *store);

/// Adds a chunk of air.
/// @param chunk  receives the chunk; may be NULL
/// Errors: PRESENT, FULL, NO_MEMORY. Cost: O(1).
TRN_API TrnResult trn_store_insert(TrnStore *store, TrnCoord coord, TrnChunk **chunk);

/// The chunk at a coordinate, or NULL. O(1).
TRN_API TrnChunk *trn_store_find(const TrnStore *store, TrnCoord coord);

/// The chunk behind an id, or NULL when the id is null or its chunk has been removed. O(1).
TRN_API TrnChunk *trn_store_chunk(const TrnStore *store, TrnChunkId id);

/// Removes a chunk and its voxels. Errors: ABSENT. Cost: O(1).
TRN_API TrnResult trn_store_remove(TrnStore *store, TrnCoord coord);

/// Collects the chunks of a box, page by page (pages are 8 x 8 x 8 chunks; inside one, x fastest, then z, then y).
/// @param box  chunk coordinates, both corners inclusive
/// @param out  [capacity] receives the chunks; caller owns the array, the store the chunks
/// @return how many chunks the box holds; only the first `capacity` are written, and what lies between the two is undefined
/// Cost: O(pages of the box + chunks found); no allocation. For frustums, planes, ids or coordinates: trn_store_index.
TRN_API size_t trn_store_gather(const TrnStore *store, TrnBox box, TrnChunk **out, size_t capacity);

/// The six neighbours of a coordinate in the order of TrnFace, NULL where there is none. O(1).
TRN_API void trn_store_neighbours(const TrnStore *store, TrnCoord coord,
                                  TrnChunk *out[TRN_FACE_COUNT]);

/// The index under the store: for gathers of every kind, and for setting planes. Its values are slots of trn_store_pool. Chunks come
/// and go through the store alone.
TRN_API TrnChunkIndex *trn_store_index(const TrnStore *store);

/// The pool that chunks live in, for gathers of pointers and ids from the index.
TRN_API const TrnPool *trn_store_pool(const TrnStore *store);

/// Replaces all voxels of a chunk. @param blocks  [TRN_CHUNK_VOXELS] in linear order
/// Errors: FULL, NO_MEMORY; the chunk is then as it was.
TRN_API TrnResult trn_store_set_voxels(TrnStore *store, TrnChunk *chunk, const TrnBlock *blocks);

/// Gives the payload of a chunk back where all its blocks have become one, as after digging it out or filling it up block by block.
/// Cost: up to 64 KiB read.
TRN_API void trn_store_compact(TrnStore *store, TrnChunk *chunk);

/// Makes a chunk one single block. Cannot fail.
TRN_API void trn_store_fill(TrnStore *store, TrnChunk *chunk, TrnBlock block);

/// The block of a voxel of the world.
/// Errors: BAD_ARGUMENT (outside the world), ABSENT (its chunk is not in the store). O(1).
TRN_API TrnResult trn_store_get_block(const TrnStore *store, TrnVoxel voxel, TrnBlock *block);

/// Writes the block of a voxel of the world.
/// Errors: BAD_ARGUMENT, ABSENT, FULL, NO_MEMORY. O(1), and 64 KiB written when a uniform chunk stops being so.
TRN_API TrnResult trn_store_set_block(TrnStore *store, TrnVoxel voxel, TrnBlock block);

/// Your bytes beside a chunk (TrnStoreDef.user_bytes), aligned to 16. Valid as long as the chunk.
static inline void *trn_chunk_user(TrnChunk *chunk)
{
    const size_t header = (sizeof(TrnChunk) + 15) & ~(size_t)15;
    return (unsigned char *)chunk + header;
}

/// Figures of a store. Bytes are what was taken from the allocator, per category.
typedef struct TrnStoreStats {
    uint32_t chunks, uniform_chunks;
    size_t header_bytes, voxel_bytes, index_bytes, total_bytes;
    size_t
        reserved_bytes; ///< the whole range of chunk_reserve, of which header_bytes counts what was touched
} TrnStoreStats;

TRN_API TrnStoreStats trn_store_stats(const TrnStore *store);

#ifdef __cplusplus
}
#endif
#endif
