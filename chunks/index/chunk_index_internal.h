/// Private: retires objects of the store and of the voxels through a chunk index, so that they are
/// reclaimed once no reader of the index can see them.
#ifndef TERRANE_INDEX_CHUNK_INDEX_INTERNAL_H
#define TERRANE_INDEX_CHUNK_INDEX_INTERNAL_H

#include <terrane/chunk_index.h>

/// A node in the list of retired objects. Lies in the object.
typedef struct TrnRetireLink {
    struct TrnRetireLink *next;
    const struct TrnRetireOwner *owner;
    uint64_t epoch;
} TrnRetireLink;

/// Reclaims retired objects. One owner serves many objects, and must outlive the last of them.
typedef struct TrnRetireOwner {
    /// Reclaims one object. Called on the writer thread, inside any call of the index that retires
    /// or reclaims. May retire further objects; must not change the index otherwise.
    /// @param link  lies in the object
    void (*free)(TrnRetireLink *link, void *context);
    void *context; ///< passed to free
} TrnRetireOwner;

/// Retires an object that new readers can no longer reach. Its owner reclaims it once every reader
/// has left the section it is in now; immediately if no reader is in a section. Destroying the
/// index reclaims everything still retired. Retired objects count neither for retired_bytes_max
/// nor in the stats. Cannot fail: allocates nothing.
/// @param link  in the object; needs no initial value
/// Threads: the writer. Cost: a locked increment and a look at every reader, tens of ns.
void trn_chunk_index_retire(TrnChunkIndex *index, const TrnRetireOwner *owner, TrnRetireLink *link);

#endif
