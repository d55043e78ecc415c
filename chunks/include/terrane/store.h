/// Terrane, store: the chunks of a world by coordinate.
///
/// Chunks live in a pool and never move; a chunk index finds them (terrane/chunk_index.h), so memory follows their number, however
/// far apart they are. What they hold lies in a voxel heap (terrane/voxels.h). The store owns no window, no thread and no engine; it
/// calls nothing but the allocator it was given.
///
/// Threads: one thread at a time writes, and any number read beside it. A reader other than the writer's own thread works inside a
/// read section of the store's index, and never waits:
///
///     TrnChunkReader *reader; // one for each thread
///     trn_chunk_index_reader_create(trn_store_index(store), "mesher", &reader);
///     ...
///     trn_chunk_index_read_begin(reader);
///     TrnSnapshot around[27];
///     uint32_t present = trn_store_snapshot_around(store, coord, around); // and now what takes time
///     trn_chunk_index_read_end(reader);
///
/// Readers may call trn_store_find, _chunk, _gather, _neighbours, _snapshot, _snapshot_around, _get_block, _index, _pool,
/// trn_chunk_revision, and what the headers of the index and of voxels name for readers. Whatever they got, chunks, snapshots and
/// rows of masks, holds until they end the section, also where the writer changes or removes the chunk meanwhile; what a
/// snapshot says never changes. All else is the writer's. A game's own bytes beside a chunk (trn_chunk_user) stay where they are
/// as long as the chunk does for that reader, but who reads and writes them when is the game's own affair: the store writes zeroes
/// there before anybody can find the chunk, and never again.
#ifndef TERRANE_STORE_H
#define TERRANE_STORE_H

#include <terrane/base.h>
#include <terrane/block_types.h>
#include <terrane/chunk_index.h>
#include <terrane/coord.h>
#include <terrane/voxels.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TrnStore TrnStore;

/// Names a chunk for as long as it is in the store. All zeroes names nothing.
typedef TrnPoolId TrnChunkId;

/// One chunk. Read coord and id, take snapshots of voxels; never write. The address holds until the chunk is removed; for a reader that
/// found it before, until the end of its section.
typedef struct TrnChunk {
    TrnCoord coord;
    TrnChunkId id;
    TrnVoxels voxels;   ///< trn_voxels_snapshot(&chunk->voxels)
    TrnRetireLink link; ///< the store's, for when the chunk is removed
} TrnChunk;

/// Start from trn_store_def() and change what you need.
typedef struct TrnStoreDef {
    uint32_t
        chunk_max; ///< cap on chunks, removed ones that readers still see included; 0 means none
    /// The most bytes that voxels may take, those that readers still see included; 0 means none. A world needs 120 KiB at least.
    size_t voxel_bytes_max;
    uint32_t reader_max; ///< readers that may be registered at a time, 0..256
    /// Headers of so many chunks lie in one range of addresses, taken from the allocator at once and backed by the system as it
    /// is touched. Gathers then compute addresses instead of looking them up, which is several times faster, and the range is a cap
    /// as well. 0 means none.
    uint32_t chunk_reserve;
    /// Bytes of your own beside every chunk, zeroed on insert (trn_chunk_user); at most 64 KiB.
    size_t user_bytes;
    const TrnPlaneDef *
        planes; ///< [plane_count] bit planes of your own over the chunks: see trn_store_index; copied
    uint32_t plane_count; ///< 0..31
    /// What the block ids stand for; borrowed, outlives the store. NULL: the store makes and owns one with the built-in types.
    TrnBlockTypes *types;
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} TrnStoreDef;

/// No caps, nothing reserved, 16 readers, no user bytes, no planes, block types of its own.
TRN_API TrnStoreDef trn_store_def(void);

/// @param def  NULL means trn_store_def()
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (voxel_bytes_max is less than a world of air takes).
TRN_API TrnResult trn_store_create(const TrnStoreDef *def, TrnStore **store);

/// Frees the store with all its chunks. No reader may be in a section, no edit open; registered readers become invalid.
/// @param store  may be NULL
TRN_API void trn_store_destroy(TrnStore *store);

// ---- chunks ------------------------------------------------------------------------------------

/// Adds a chunk of air. It has a revision of its own, so that a chunk that comes back where another was is told from that one.
/// @param chunk  receives the chunk; may be NULL
/// Errors: PRESENT, NO_MEMORY, FULL (chunk_max, chunk_reserve, 2^20 pages of the index), READERS (a reader's section keeps removed
/// chunks that count for a cap, or more of the index than that may keep); the store is then as it was. Cost: O(1).
TRN_API TrnResult trn_store_insert(TrnStore *store, TrnCoord coord, TrnChunk **chunk);

/// The chunk at a coordinate, or NULL. O(1), wait-free.
TRN_API TrnChunk *trn_store_find(const TrnStore *store, TrnCoord coord);

/// The chunk behind an id, or NULL when the id is null or its chunk has been removed. O(1), wait-free.
TRN_API TrnChunk *trn_store_chunk(const TrnStore *store, TrnChunkId id);

/// Removes a chunk and its voxels. End the edits of it first. Its memory comes back once no reader can see it any more.
/// Errors: ABSENT, NO_MEMORY, READERS (the index, too, keeps what readers see, and no more than it may); the chunk is then still there,
/// whole. Cost: O(1).
TRN_API TrnResult trn_store_remove(TrnStore *store, TrnCoord coord);

/// Collects the chunks of a box, page by page (pages are 8 x 8 x 8 chunks; inside one, x fastest, then z, then y).
/// @param box  chunk coordinates, both corners inclusive
/// @param out  [capacity] receives the chunks; caller owns the array, the store the chunks
/// @return how many chunks the box holds; only the first `capacity` are written, and what lies between the two is undefined
/// Beside the writer: every chunk that was there throughout the call, and none that was absent throughout.
/// Cost: O(pages of the box + chunks found); no allocation. For frustums, planes, ids or coordinates: trn_store_index.
TRN_API size_t trn_store_gather(const TrnStore *store, TrnBox box, TrnChunk **out, size_t capacity);

/// The six neighbours of a coordinate in the order of TrnFace, NULL where there is none. O(1), wait-free.
TRN_API void trn_store_neighbours(const TrnStore *store, TrnCoord coord,
                                  TrnChunk *out[TRN_FACE_COUNT]);

/// The index under the store: for readers, for gathers of every kind, and for setting planes. Its values are slots of trn_store_pool.
/// Chunks come and go through the store alone.
TRN_API TrnChunkIndex *trn_store_index(const TrnStore *store);

/// The pool that chunks live in, for gathers of pointers and ids from the index.
TRN_API const TrnPool *trn_store_pool(const TrnStore *store);

/// What the block ids of this store stand for: the def's, or the store's own. The writer may add types while nobody reads.
TRN_API TrnBlockTypes *trn_store_block_types(const TrnStore *store);

/// Your bytes beside a chunk (TrnStoreDef.user_bytes), aligned to 16. Valid as long as the chunk.
static inline void *trn_chunk_user(TrnChunk *chunk)
{
    const size_t header = (sizeof(TrnChunk) + 15) & ~(size_t)15;
    return (unsigned char *)chunk + header;
}

// ---- reading voxels ----------------------------------------------------------------------------

/// The revision of the last change of a chunk's voxels. Revisions count up over the whole store, and no two changes share one. O(1).
static inline uint64_t trn_chunk_revision(const TrnChunk *chunk)
{
    return trn_snapshot_revision(trn_voxels_snapshot(&chunk->voxels));
}

/// What the chunk at a coordinate holds now.
/// Errors: ABSENT. O(1), wait-free.
TRN_API TrnResult trn_store_snapshot(const TrnStore *store, TrnCoord coord, TrnSnapshot *snapshot);

/// What the chunk at a coordinate and its 26 neighbours hold now; neighbours wrap at the ends of int32.
/// @param out  [27] x fastest, then z, then y: the chunk itself is out[13]. Where there is no chunk, air at revision 0
/// @return which of them are there: bit i for out[i]
/// Each is what that chunk held at one moment; the writer may have changed one between two others. O(1), wait-free, 0.1 to 0.2 us.
TRN_API uint32_t trn_store_snapshot_around(const TrnStore *store, TrnCoord coord,
                                           TrnSnapshot out[27]);

/// The block of a voxel of the world.
/// Errors: BAD_ARGUMENT (outside the world), ABSENT (its chunk is not in the store). O(1), wait-free.
TRN_API TrnResult trn_store_get_block(const TrnStore *store, TrnVoxel voxel, TrnBlock *block);

// ---- writing voxels ----------------------------------------------------------------------------
//
// Errors of all that can fail: NO_MEMORY, FULL (voxel_bytes_max), READERS (voxel_bytes_max, and
// retired voxels wait for a reader); the chunk is then as it was.

/// Opens a batch of changes to one chunk: go on with trn_voxel_edit_set, _fill_box, _copy_box, _replace and _encode. Readers see none
/// of them before the commit, and all of them after it.
/// @param edit  the caller's memory
/// Cannot fail. O(1).
TRN_API void trn_store_edit_begin(TrnStore *store, TrnChunk *chunk, TrnVoxelEdit *edit);

/// Publishes the changes as one, under the store's next revision, and ends the edit. To drop them instead: trn_voxel_edit_cancel.
/// Cannot fail. Cost: as trn_voxel_edit_commit.
/// @return whether anything was published: false when no call had changed a block, and the chunk and its revision stay as they were
TRN_API bool trn_store_edit_commit(TrnStore *store, TrnVoxelEdit *edit);

/// Replaces all voxels of a chunk. @param blocks  [TRN_CHUNK_VOXELS] in linear order
/// Cost: 5 to 10 us for up to 16 types.
TRN_API TrnResult trn_store_set_voxels(TrnStore *store, TrnChunk *chunk, const TrnBlock *blocks);

/// Makes a chunk one single block. Cannot fail. O(1).
TRN_API void trn_store_fill(TrnStore *store, TrnChunk *chunk, TrnBlock block);

/// Writes the block of a voxel of the world: an edit of one block, with the payload copied and published for it. Open an edit for more.
/// The block that is there already changes nothing, the revision neither.
/// Errors: also BAD_ARGUMENT (outside the world), ABSENT. Cost: 0.3 us in a chunk of 16 types; some us when it gets another width.
TRN_API TrnResult trn_store_set_block(TrnStore *store, TrnVoxel voxel, TrnBlock block);

/// Brings a chunk to the least memory that holds its blocks. Changes do so by themselves; this is for when there was no memory for it.
/// Blocks and revision stay.
TRN_API TrnResult trn_store_compact(TrnStore *store, TrnChunk *chunk);

// ---- figures -----------------------------------------------------------------------------------

/// The heap that voxels lie in, for its figures by size class (trn_voxel_heap_stats), and to give back what it keeps at hand
/// (trn_voxel_heap_trim). Chunks change through the store alone.
TRN_API TrnVoxelHeap *trn_store_voxel_heap(const TrnStore *store);

/// Figures of a store. Bytes are what was taken from the allocator, per category.
typedef struct TrnStoreStats {
    uint32_t chunks;
    uint32_t
        uniform_chunks; ///< of one single block; one less for each edit that has changed something and is open
    uint32_t retired_chunks; ///< removed, and kept only for readers
    uint32_t
        retired_payloads; ///< voxels that were replaced or removed, and are kept only for readers
    size_t header_bytes, voxel_bytes, index_bytes;
    size_t type_bytes;    ///< of block types of its own
    size_t total_bytes;   ///< all of these, and the store itself
    size_t retired_bytes; ///< part of these that is kept only for readers: headers, voxels, pages
    size_t
        reserved_bytes; ///< the whole range of chunk_reserve, of which header_bytes counts what was touched
} TrnStoreStats;

/// For the writer's thread. Cost: O(pages of the index).
TRN_API TrnStoreStats trn_store_stats(const TrnStore *store);

#ifdef __cplusplus
}
#endif
#endif
