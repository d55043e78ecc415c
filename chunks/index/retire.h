/// Private: readers' sections, and memory that waits until no reader can see it any more.
///
/// Epochs: the writer counts up whenever it retires something; a reader notes the count when it
/// enters its section. What was retired at count n may go once every reader in a section entered it
/// after n. (K. Fraser, "Practical lock-freedom", 2004.)
#ifndef TERRANE_INDEX_RETIRE_H
#define TERRANE_INDEX_RETIRE_H

#include <stdatomic.h>
#include <stdbool.h>

#include <terrane/base.h>

#include "index/chunk_index_internal.h"

#define TRN_READER_NAME_MAX 32

/// One reader. A cache line of its own: readers write their epochs at every section.
typedef struct TrnReaderSlot {
    _Alignas(64) _Atomic(uint64_t) epoch; ///< 0 outside a section
    _Atomic(uint32_t) taken;
    char name[TRN_READER_NAME_MAX];
    _Atomic(uint64_t) *now; ///< the writer's count
} TrnReaderSlot;

/// Gives one retired object back. `context` is that of the TrnRetire.
typedef void (*TrnRetireFree)(void *object, void *context);

typedef struct TrnRetired {
    void *object;
    TrnRetireFree free;
    uint64_t epoch;
    size_t bytes;
} TrnRetired;

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): a line of its own for the epoch
typedef struct TrnRetire {
    _Alignas(64) _Atomic(uint64_t) epoch; ///< starts at 1
    _Alignas(64) TrnReaderSlot *readers;  // apart from the epoch, which every reader loads
    uint32_t reader_max;
    TrnRetired *ring;              ///< [capacity] oldest at `first`
    size_t capacity, first, count; ///< capacity is a power of two
    size_t bytes;
    TrnRetireLink *link_first; ///< what others retire, oldest first; bytes leaves it out
    TrnRetireLink *link_last;
    void *context;
    TrnAllocator allocator;
} TrnRetire;

/// `retire` must stay where it is: readers point into it. Errors: NO_MEMORY.
TrnResult trn_retire_init(TrnRetire *retire, uint32_t reader_max, void *context,
                          const TrnAllocator *allocator);

/// Gives everything retired back, and the memory of `retire` itself. No reader may be in a section.
void trn_retire_close(TrnRetire *retire);

/// Makes room for `count` more objects, so that trn_retire cannot fail. Errors: NO_MEMORY.
TrnResult trn_retire_reserve(TrnRetire *retire, size_t count);

/// Takes over an object that new readers can no longer reach, and gives back what no reader sees
/// any more.
void trn_retire(TrnRetire *retire, void *object, TrnRetireFree free, size_t bytes);

/// The same for an object that brings its own place in the list, so that nothing can fail.
void trn_retire_link(TrnRetire *retire, const TrnRetireOwner *owner, TrnRetireLink *link);

/// Gives back what no reader sees any more.
void trn_retire_reclaim(TrnRetire *retire);

/// The reader that holds retired memory back and entered its section first; NULL when none does.
const TrnReaderSlot *trn_retire_slowest(const TrnRetire *retire);

/// Memory of the readers and the ring.
size_t trn_retire_own_bytes(const TrnRetire *retire);

#endif
