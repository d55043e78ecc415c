/// Private: what the store and the voxels use of a chunk index in addition to its public functions:
/// they retire objects of theirs, so that they are reclaimed once no reader of the index can see
/// them, and insert and remove runs of chunks of one page with one look-up.
#ifndef TERRANE_INDEX_CHUNK_INDEX_INTERNAL_H
#define TERRANE_INDEX_CHUNK_INDEX_INTERNAL_H

#include <terrane/chunk_index.h>
#include <terrane/pool.h>

#include "base/cpu.h"

#ifdef __cplusplus
extern "C" {
#endif

// In base/retire.h, whose atomics C++ cannot parse.
typedef struct TrnRetireLink TrnRetireLink;
typedef struct TrnRetireOwner TrnRetireOwner;
typedef struct TrnRetireList TrnRetireList;

/// Retires an object that new readers can no longer reach. Its owner reclaims it once every reader
/// has left the section it is in now; immediately if no reader is in a section. Destroying the
/// index reclaims everything still retired. Retired objects count neither for retired_bytes_max
/// nor in the stats. Cannot fail: allocates nothing.
/// @param link  in the object; needs no initial value
/// Threads: the writer. Cost: a locked increment and a look at every reader, tens of ns.
void trn_chunk_index_retire(TrnChunkIndex *index, const TrnRetireOwner *owner, TrnRetireLink *link);

/// Retires all objects of a list as trn_chunk_index_retire does, with one locked increment and one
/// look at every reader for all of them. Empties the list. Threads: the writer.
void trn_chunk_index_retire_list(TrnChunkIndex *index, TrnRetireList *list);

// ---- one chunk ---------------------------------------------------------------------------------

/// Finds a chunk whose value is a slot of a pool: trn_chunk_index_find and trn_pool_slot in one
/// call. Takes three numbers instead of a TrnCoord. gcc writes the fields of a computed TrnCoord to
/// memory one by one and reads two of them back at once, which store forwarding cannot serve; the
/// stall took half of a look-up.
/// @param pool  the pool that the values are slots of
/// @return the address of the slot, or NULL if the chunk is not present
/// Threads: any, inside a read section. Cost: O(1), wait-free.
void *trn_chunk_index_find_slot(const TrnChunkIndex *index, const TrnPool *pool, int32_t x,
                                int32_t y, int32_t z);

// ---- runs of chunks ----------------------------------------------------------------------------

/// The page of the last chunk of a run. Start with all zeroes. Valid as long as the index changes
/// through this run alone, and no memory of it is reclaimed but by those calls.
typedef struct TrnChunkRun {
    struct TrnPage *page; ///< NULL: none is known
} TrnChunkRun;

/// trn_chunk_index_find, _insert and _remove; chunks of the last one's page need no look-up of the
/// directory.
bool trn_chunk_run_find(const TrnChunkIndex *index, TrnChunkRun *run, TrnCoord coord,
                        uint32_t *value);
TrnResult trn_chunk_run_insert(TrnChunkIndex *index, TrnChunkRun *run, TrnCoord coord,
                               uint32_t value);
TrnResult trn_chunk_run_remove(TrnChunkIndex *index, TrnChunkRun *run, TrnCoord coord,
                               uint32_t *value);

/// Prefetches the cache lines of a chunk's cell. Threads: the writer. Cost: O(1).
void trn_chunk_run_prefetch(const TrnChunkIndex *index, TrnChunkRun *run, TrnCoord coord);

/// TrnChunkIndexStats.retired_bytes alone. Threads: the writer. Cost: O(1).
size_t trn_chunk_index_retired_bytes(const TrnChunkIndex *index);

// ---- kernels, for tests and the bench ----------------------------------------------------------

/// All sets of TrnPageKernels.
extern const TrnKernelTable trn_page_kernels;

/// Makes an index use other kernels than the fastest. No reader may be in a section.
/// @param name  "AVX-512", "AVX2", "NEON", "SIMD128" or "scalar"
/// @return whether this machine can run them; otherwise the index stays as it was
bool trn_chunk_index_use_kernels(TrnChunkIndex *index, const char *name);

#ifdef __cplusplus
}
#endif
#endif
