/// Private: read sections, and retired memory that is kept until no reader can see it.
///
/// Epoch-based reclamation: the writer increments the epoch whenever it retires an object; a reader
/// records the epoch when it enters a section. An object retired at epoch n may be freed once every
/// reader that is in a section entered it after n. (K. Fraser, "Practical lock-freedom", 2004.)
#ifndef TERRANE_INDEX_RETIRE_H
#define TERRANE_INDEX_RETIRE_H

#include <stdatomic.h>
#include <stdbool.h>

#include <terrane/base.h>
#include <terrane/chunk_index.h>

#include "chunk_index_internal.h"

/// One reader. On a cache line of its own, because readers write their epoch in every section.
typedef struct TrnReaderSlot {
    _Alignas(64) _Atomic(uint64_t) epoch; ///< 0 outside a section
    _Atomic(uint64_t) *now;               ///< the writer's epoch
    /// Counts readers that came and left: odd while one has the slot.
    _Atomic(uint32_t) tenancy;
    /// The reader's name. Atomic, because the writer may read it while the next reader writes its
    /// own.
    _Atomic(uint32_t) name[TRN_READER_NAME_BYTES / sizeof(uint32_t)];
} TrnReaderSlot;

/// Frees one retired object. `context` is that of the TrnRetire.
typedef void (*TrnRetireFree)(void *object, void *context);

typedef struct TrnRetired {
    void *object;
    TrnRetireFree free;
    uint64_t epoch;
    size_t bytes;
} TrnRetired;

/// Retired objects lie in a list of blocks, so that it grows without copying.
#define TRN_RETIRE_BLOCK_OBJECTS 15
typedef struct TrnRetireBlock {
    struct TrnRetireBlock *next;
    TrnRetired objects[TRN_RETIRE_BLOCK_OBJECTS];
} TrnRetireBlock;

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): a line of its own for the epoch
typedef struct TrnRetire {
    _Alignas(64) _Atomic(uint64_t) epoch; ///< starts at 1
    _Alignas(64) TrnReaderSlot *readers;  // apart from the epoch, which every reader loads
    uint32_t reader_max;
    TrnRetireBlock *oldest; ///< holds the oldest object, at `first`
    TrnRetireBlock *newest; ///< takes the next object, at `fill`; vacant blocks follow
    TrnRetireBlock *end;    ///< the last block of the list
    uint32_t first, fill;
    size_t count, vacant; ///< objects, and objects that fit without another block
    size_t block_count;
    size_t bytes;              ///< of the retired objects
    TrnRetireLink *link_first; ///< objects retired by link, oldest first; not part of bytes
    TrnRetireLink *link_last;
    void *context;
    TrnAllocator allocator;
} TrnRetire;

/// Initialises `retire`, which must not move, because readers point into it. Errors: NO_MEMORY.
TrnResult trn_retire_init(TrnRetire *retire, uint32_t reader_max, void *context,
                          const TrnAllocator *allocator);

/// Frees all retired objects and the memory of `retire`. No reader may be in a section.
void trn_retire_close(TrnRetire *retire);

/// Reserves capacity for `count` more objects, so that trn_retire cannot fail. Errors: NO_MEMORY.
TrnResult trn_retire_reserve(TrnRetire *retire, size_t count);

/// Retires an object that new readers can no longer reach, then reclaims some. Call
/// trn_retire_reserve first.
void trn_retire(TrnRetire *retire, void *object, TrnRetireFree free, size_t bytes);

/// Retires an object that contains its own list node, so it needs no capacity; then reclaims
/// some.
void trn_retire_link(TrnRetire *retire, const TrnRetireOwner *owner, TrnRetireLink *link);

/// The same for all objects of a list, which is empty afterwards.
void trn_retire_links(TrnRetire *retire, TrnRetireList *list);

/// Frees the retired objects that no reader can see any more.
void trn_retire_reclaim(TrnRetire *retire);

/// Returns the reader that has kept retired memory for longest, or NULL if no reader keeps any.
const TrnReaderSlot *trn_retire_slowest(const TrnRetire *retire);

/// Returns the memory of the readers and the list of retired objects.
size_t trn_retire_own_bytes(const TrnRetire *retire);

#endif
